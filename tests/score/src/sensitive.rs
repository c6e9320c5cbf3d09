//! Sensitive text: every labelled secret is reported at its line, nothing else is.

use crate::{Score, Set};
use std::collections::BTreeSet;
use std::path::Path;

/// No miss and no false alarm, by entry and line.
pub fn score(set: &Set, mnemo: &Path) -> Score {
    let mut score = Score::default();
    let memory = set.memory();
    let report = set.ask(mnemo, &["check", "--store", memory.to_str().unwrap()]);
    let ours: BTreeSet<(String, u64)> = report["issues"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|issue| issue["label"] == "SENSITIVE TEXT")
        .map(|issue| place(&issue["file"], &issue["line"]))
        .collect();
    let labelled: BTreeSet<(String, u64)> = set.labels()["sensitive"]["secrets"]
        .as_array()
        .unwrap()
        .iter()
        .map(|label| place(&label["entry"], &label["line"]))
        .collect();
    for (file, line) in labelled.difference(&ours) {
        score.miss(format!("{file}:{line}: not reported"));
    }
    for (file, line) in ours.difference(&labelled) {
        score.miss(format!("{file}:{line}: false alarm"));
    }
    score.say(format!(
        "{} of {} secrets reported",
        labelled.intersection(&ours).count(),
        labelled.len()
    ));
    score.say(format!(
        "{} look-alikes in the set",
        set.labels()["sensitive"]["lookalikes"]
            .as_array()
            .map_or(0, Vec::len)
    ));
    score
}

fn place(file: &serde_json::Value, line: &serde_json::Value) -> (String, u64) {
    (file.as_str().unwrap().to_owned(), line.as_u64().unwrap())
}
