//! What a person approves: numbers, ranges, verdicts, or all.

use crate::check::{Cause, Checked, CheckedItem};
use crate::plan::{Action, Plan};
use crate::verdict::Verdict;
use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

/// `1,3-5,Completed`, `all`.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Approval {
    all: bool,
    verdicts: BTreeSet<Verdict>,
    numbers: BTreeSet<u32>,
    ranges: Vec<(u32, u32)>,
}

/// Numbers of a range at most: more is a slip.
const WIDEST: u32 = 100_000;

impl FromStr for Approval {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut out = Self::default();
        for part in text
            .split(',')
            .map(str::trim)
            .filter(|part| !part.is_empty())
        {
            if part.eq_ignore_ascii_case("all") {
                out.all = true;
            } else if let Some(verdict) = Verdict::of(part) {
                if Action::of(verdict) == Action::Keep && verdict != Verdict::Consolidate {
                    return Err(format!(
                        "nothing is done with what is {}; approve the changed verdict of single entries",
                        verdict.name()
                    ));
                }
                out.verdicts.insert(verdict);
            } else if let Ok(number) = part.parse::<u32>() {
                out.numbers.insert(number);
            } else if let Some((from, to)) = part.split_once('-')
                && let (Ok(from), Ok(to)) = (from.trim().parse::<u32>(), to.trim().parse::<u32>())
                && from <= to
                && to - from < WIDEST
            {
                out.ranges.push((from, to));
            } else {
                return Err(format!(
                    "`{part}` is not a number, range (3-5), verdict (Completed, …) or `all`"
                ));
            }
        }
        if out == Self::default() {
            return Err("nothing is approved; name numbers, a verdict, or `all`".to_owned());
        }
        Ok(out)
    }
}

/// What an approval means for a plan.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Approved {
    /// Numbers that are carried out.
    pub ids: BTreeSet<u32>,
    /// Numbers that a category, a range or `all` named, and why they are left out.
    pub skipped: Vec<(u32, String)>,
}

impl Approval {
    /// The numbers that it takes. What was named by its own number and cannot be done refuses
    /// everything, and so does a false quote, however it was named.
    pub fn of(&self, plan: &Plan, checked: &Checked) -> Result<Approved, String> {
        let mut out = Approved::default();
        let mut refused = Vec::new();
        let mut known = BTreeSet::new();
        let written: BTreeMap<u32, Verdict> = plan
            .entries
            .iter()
            .map(|item| (item.id, item.verdict))
            .collect();
        for item in &checked.items {
            known.insert(item.id);
            let own = self.numbers.contains(&item.id);
            let named = own
                || self.takes(
                    item.id,
                    [Some(item.verdict), written.get(&item.id).copied()],
                );
            let idle =
                item.action == Action::Keep && item.written == item.verdict && !item.is_false();
            if !named || (idle && !own && !self.in_range(item.id)) {
                continue;
            }
            match why_not(item, own) {
                None => {
                    out.ids.insert(item.id);
                }
                Some(why) if own || item.is_false() => {
                    refused.push(format!("{} ({}): {why}", item.id, item.entry));
                }
                Some(why) => out.skipped.push((item.id, why)),
            }
        }
        for gate in &checked.gates {
            known.insert(gate.id);
            let own = self.numbers.contains(&gate.id);
            let done = gate
                .findings
                .iter()
                .any(|finding| finding.kind == Cause::Done);
            if !own && (done || !self.takes(gate.id, [Some(Verdict::Consolidate), None])) {
                continue;
            }
            if gate.ready {
                out.ids.insert(gate.id);
                continue;
            }
            let why = gate
                .findings
                .first()
                .map_or_else(String::new, |finding| finding.text.clone());
            if own {
                refused.push(format!("{} ({}): {why}", gate.id, gate.file));
            } else {
                out.skipped.push((gate.id, why));
            }
        }
        for number in self.numbers.iter().filter(|number| !known.contains(number)) {
            refused.push(format!("{number}: the plan has no such number"));
        }
        for (from, to) in &self.ranges {
            if known.range(from..=to).next().is_none() {
                refused.push(format!("{from}-{to}: the plan has no such numbers"));
            }
        }
        if refused.is_empty() {
            Ok(out)
        } else {
            Err(refused.join("; "))
        }
    }

    fn in_range(&self, id: u32) -> bool {
        self.ranges
            .iter()
            .any(|(from, to)| (*from..=*to).contains(&id))
    }

    fn takes(&self, id: u32, verdicts: [Option<Verdict>; 2]) -> bool {
        self.all
            || self.in_range(id)
            || verdicts
                .into_iter()
                .flatten()
                .any(|verdict| self.verdicts.contains(&verdict))
    }
}

/// Why an item is not carried out; `own`: it was named by its own number.
fn why_not(item: &CheckedItem, own: bool) -> Option<String> {
    let demoted = item.findings.iter().find(|finding| !finding.kind.is_note());
    if let Some(finding) = demoted.filter(|_| item.action == Action::Keep) {
        return Some(format!(
            "it is {} now: {}",
            item.verdict.name(),
            finding.text
        ));
    }
    if item.is_open() {
        return Some("its new text is still to be written (`edits:`, `new:`)".to_owned());
    }
    if item.action == Action::Keep {
        let note = item
            .findings
            .first()
            .map(|finding| format!(": {}", finding.text));
        return Some(format!(
            "nothing is done with it ({}){}",
            item.verdict.name(),
            note.unwrap_or_default()
        ));
    }
    if item.own_number && !own {
        return Some("it stands in a contradiction: name its own number".to_owned());
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn approvals_are_read() {
        let read = |text: &str| text.parse::<Approval>();
        assert!(read("1,3-5,completed").is_ok());
        assert!(read("all").unwrap().takes(7, [None, None]));
        assert!(read("3-5").unwrap().takes(4, [None, None]));
        assert!(!read("3-5").unwrap().takes(6, [None, None]));
        assert!(
            read("Promoted")
                .unwrap()
                .takes(6, [Some(Verdict::Promoted), None])
        );
        for bad in [
            "",
            ",",
            "x",
            "5-3",
            "1-",
            "-1",
            "1;2",
            "Stale",
            "active",
            "0-4294967295",
        ] {
            assert!(read(bad).is_err(), "{bad}");
        }
    }
}
