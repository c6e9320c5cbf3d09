//! What earlier runs decided: `.mnemo-garden.jsonl` in the memory's folder.

use crate::act::{Acted, runs_file};
use crate::check::{Cause, Checked};
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
    /// Why it was demoted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
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

/// The file with this run's verdicts at its end.
pub(crate) fn appended(
    before: Option<&[u8]>,
    scan: &Scan,
    checked: &Checked,
    acted: &[Acted],
) -> Vec<u8> {
    let run = scan.now.to_rfc3339_opts(SecondsFormat::Secs, false);
    let today = scan.now.date_naive();
    let done: HashMap<u32, &Acted> = acted.iter().map(|acted| (acted.id, acted)).collect();
    let by_file: HashMap<&str, usize> = scan
        .entries
        .iter()
        .enumerate()
        .map(|(at, view)| (view.file.as_str(), at))
        .collect();
    let mut lines: Vec<Vec<u8>> = before
        .unwrap_or_default()
        .split(|byte| *byte == b'\n')
        .filter(|line| !line.is_empty())
        .map(<[u8]>::to_vec)
        .collect();
    for item in &checked.items {
        let acted = done.get(&item.id);
        if item.verdict == Verdict::Active && acted.is_none() {
            continue;
        }
        let view = by_file
            .get(item.entry.as_str())
            .map(|at| &scan.entries[*at]);
        let line = Line {
            date: today.into(),
            entry: item.entry.clone(),
            verdict: item.verdict,
            run: run.clone(),
            kind: view
                .and_then(|view| view.kind)
                .map(|kind| kind.name().to_owned()),
            action: acted.map(|acted| acted.action.name().to_owned()),
            written: view.and_then(|view| view.written).map(NaiveDateText::from),
            cause: item
                .findings
                .iter()
                .find(|finding| !finding.kind.is_note())
                .and_then(|finding| cause(finding.kind)),
        };
        lines.extend(serde_json::to_vec(&line));
    }
    let from = lines.len().saturating_sub(KEPT);
    let mut out = Vec::new();
    for line in &lines[from..] {
        out.extend_from_slice(line);
        out.push(b'\n');
    }
    out
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
