//! What earlier runs decided: `.mnemo-garden.jsonl` in the memory's folder.

use crate::act::{Acted, runs_file};
use crate::check::{Cause, Checked};
use crate::plan::{Action, Plan};
use crate::scan::Scan;
use crate::verdict::Verdict;
use chrono::{NaiveDate, SecondsFormat};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// What it is called.
pub const FILE: &str = ".mnemo-garden.jsonl";
/// Lines that are kept, the newest.
pub const KEPT: usize = 1000;
/// Largest file that is read, bytes.
const LARGEST: u64 = 16 << 20;

/// One verdict of one run. Active is not kept: it is what every other entry is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// The day.
    pub date: NaiveDateText,
    /// The entry.
    pub entry: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The run, by its time.
    #[serde(default)]
    pub run: String,
    /// The entry's type.
    #[serde(default, rename = "type", skip_serializing_if = "Option::is_none")]
    pub kind: Option<String>,
    /// What was done.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub action: Option<String>,
    /// When it was written.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub written: Option<NaiveDateText>,
    /// What took it over, or where it lies now.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Why it was demoted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// The plan, [`Plan::identity`]: one plan is one run, in however many parts it is carried out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plan: Option<String>,
    /// Lines of MEMORY.md before the run.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub index: Option<usize>,
}

/// A date as text, `YYYY-MM-DD`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct NaiveDateText(String);

impl NaiveDateText {
    /// The day, if it is one.
    pub fn day(&self) -> Option<NaiveDate> {
        self.0.parse().ok()
    }
}

impl From<NaiveDate> for NaiveDateText {
    fn from(day: NaiveDate) -> Self {
        Self(day.to_string())
    }
}

impl std::fmt::Display for NaiveDateText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

/// Reads the runs of a store, oldest first. Lines that are none are left out.
pub fn read(scan: &Scan) -> Vec<Line> {
    let path = scan.store.root().join(runs_file(scan.store.kind()));
    let Ok(Some(bytes)) = safe_file::read(&path, LARGEST) else {
        return Vec::new();
    };
    parse(&bytes)
}

fn parse(bytes: &[u8]) -> Vec<Line> {
    bytes
        .split(|byte| *byte == b'\n')
        .filter_map(|line| serde_json::from_slice(line).ok())
        .collect()
}

/// What a plan has done already: the action, by entry.
pub(crate) fn done(lines: &[Line], plan: &Plan) -> HashMap<String, String> {
    let identity = plan.identity();
    lines
        .iter()
        .filter(|line| line.plan.as_ref() == Some(&identity))
        .filter_map(|line| Some((line.entry.clone(), line.action.clone()?)))
        .collect()
}

/// The file with this run's verdicts at its end. What other parts of the plan have done stays as it
/// was noted then, what they left is noted anew. `None`: nothing was done, and the plan is known.
pub(crate) fn appended(
    before: Option<&[u8]>,
    scan: &Scan,
    plan: &Plan,
    checked: &Checked,
    acted: &[Acted],
) -> Option<Vec<u8>> {
    let identity = plan.identity();
    let lines = before.unwrap_or_default().split(|byte| *byte == b'\n');
    let (mut lines, own): (Vec<&[u8]>, Vec<&[u8]>) =
        lines.filter(|line| !line.is_empty()).partition(|line| {
            serde_json::from_slice(line)
                .ok()
                .and_then(|line: Line| line.plan)
                .as_ref()
                != Some(&identity)
        });
    if acted.is_empty() && !own.is_empty() {
        return None;
    }
    let earlier: Vec<(&[u8], Line)> = own
        .into_iter()
        .filter_map(|line| Some((line, serde_json::from_slice(line).ok()?)))
        .collect();
    let first = earlier.first().map(|(_, line)| line);
    let new = Line {
        date: scan.now.date_naive().into(),
        entry: String::new(),
        verdict: Verdict::Active,
        run: first.map_or_else(
            || scan.now.to_rfc3339_opts(SecondsFormat::Secs, false),
            |line| line.run.clone(),
        ),
        kind: None,
        action: None,
        written: None,
        to: None,
        cause: None,
        index: match first {
            Some(line) => line.index,
            None => scan.store.index().map(memory::Index::line_count),
        },
        plan: Some(identity),
    };
    let now: HashMap<u32, &Acted> = acted.iter().map(|acted| (acted.id, acted)).collect();
    let is_done_now = |entry: &str| acted.iter().any(|acted| acted.entry == entry);
    let kept: Vec<&(&[u8], Line)> = earlier
        .iter()
        .filter(|(_, line)| line.action.is_some() && !is_done_now(&line.entry))
        .collect();
    lines.extend(kept.iter().map(|(bytes, _)| *bytes));
    let by_file: HashMap<&str, usize> = scan
        .entries
        .iter()
        .enumerate()
        .map(|(at, view)| (view.file.as_str(), at))
        .collect();
    let mut added: Vec<Vec<u8>> = Vec::new();
    for item in &checked.items {
        let acted = now.get(&item.id);
        let known = kept.iter().any(|(_, line)| line.entry == item.entry);
        if acted.is_none() && (item.verdict == Verdict::Active || known) {
            continue;
        }
        let view = by_file
            .get(item.entry.as_str())
            .map(|at| &scan.entries[*at]);
        added.extend(serde_json::to_vec(&Line {
            entry: item.entry.clone(),
            verdict: item.verdict,
            kind: view
                .and_then(|view| view.kind)
                .map(|kind| kind.name().to_owned()),
            action: acted.map(|acted| acted.action.name().to_owned()),
            to: acted.and_then(|acted| acted.to.clone()),
            written: view.and_then(|view| view.written).map(NaiveDateText::from),
            cause: item
                .findings
                .iter()
                .find(|finding| !finding.kind.is_note())
                .and_then(|finding| cause(finding.kind)),
            ..new.clone()
        }));
    }
    for gate in acted.iter().filter(|acted| acted.action == Action::Gate) {
        added.extend(serde_json::to_vec(&Line {
            entry: gate.entry.clone(),
            verdict: gate.verdict,
            action: Some(gate.action.name().to_owned()),
            ..new.clone()
        }));
    }
    let all: Vec<&[u8]> = lines
        .into_iter()
        .chain(added.iter().map(Vec::as_slice))
        .collect();
    let mut out = Vec::new();
    for line in &all[all.len().saturating_sub(KEPT)..] {
        out.extend_from_slice(line);
        out.push(b'\n');
    }
    (before != Some(&out) && !(before.is_none() && out.is_empty())).then_some(out)
}

fn cause(cause: Cause) -> Option<String> {
    serde_json::to_value(cause)
        .ok()?
        .as_str()
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_other_versions_are_read_and_damaged_ones_left_out() {
        let text = b"{\"date\":\"2026-10-01\",\"entry\":\"a.md\",\"verdict\":\"Stale\"}\n{\"date\":\nnot json\n\xff\n{\"date\":\"2026-11-01\",\"entry\":\"b.md\",\"verdict\":\"Outdated\",\"more\":1}\n";
        let lines = parse(text);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0].date.day(), NaiveDate::from_ymd_opt(2026, 10, 1));
        assert_eq!(lines[1].verdict, Verdict::Outdated);
    }
}
