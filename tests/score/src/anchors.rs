//! Anchors: every labelled path and symbol with its status, and where what moved is now.

use crate::{Score, Set};
use std::collections::BTreeMap;
use std::path::Path;

/// Precision and recall that must be reached.
const BAR: f64 = 0.95;
/// Of what moved, how much must be found first.
const MOVES_BAR: f64 = 0.8;

/// By entry, line and text: precision and recall of the status, and the first candidate of what
/// moved.
pub fn score(set: &Set, mnemo: &Path) -> Score {
    let mut score = Score::default();
    let memory = set.memory();
    let report = set.ask(mnemo, &["anchors", "--store", memory.to_str().unwrap()]);
    let labels = set.labels()["anchors"].as_array().unwrap();
    let mut open: BTreeMap<Key, &serde_json::Value> = labels
        .iter()
        .map(|label| (key(&label["entry"], &label["line"], &label["text"]), label))
        .collect();
    let (mut found, mut hits, mut moves_right) = (0_u32, 0_u32, 0_u32);
    for anchor in report["anchors"].as_array().unwrap() {
        let file = anchor["file"].as_str().unwrap();
        let entry = file.rsplit('/').next().unwrap();
        if entry == "MEMORY.md" {
            continue;
        }
        found += 1;
        let Some(label) = open.remove(&key(&entry.into(), &anchor["line"], &anchor["text"])) else {
            score.say(format!(
                "not labelled: {entry}:{} {} {}",
                anchor["line"], anchor["text"], anchor["status"]
            ));
            continue;
        };
        if label["status"] != anchor["status"] {
            score.say(format!(
                "{entry}:{} {}: ours {}, label {}",
                anchor["line"], anchor["text"], anchor["status"], label["status"]
            ));
            continue;
        }
        hits += 1;
        if label["status"] == "moved" {
            if anchor["candidates"][0] == label["moved_to"] {
                moves_right += 1;
            } else {
                score.say(format!(
                    "{entry}:{} {}: ours {}, label {}",
                    anchor["line"], anchor["text"], anchor["candidates"], label["moved_to"]
                ));
            }
        }
    }
    for (entry, line, text) in open.keys() {
        score.say(format!("not found: {entry}:{line} {text}"));
    }
    let moved = labels
        .iter()
        .filter(|label| label["status"] == "moved")
        .count();
    let rate =
        |part: u32, whole: usize| f64::from(part) / f64::from(u32::try_from(whole.max(1)).unwrap());
    for (what, part, whole, bar) in [
        ("precision", hits, found as usize, BAR),
        ("recall", hits, labels.len(), BAR),
        ("moved to", moves_right, moved, MOVES_BAR),
    ] {
        let line = format!(
            "{what}: {part} of {whole} = {:.3}, at least {bar}",
            rate(part, whole)
        );
        if rate(part, whole) >= bar || whole == 0 {
            score.say(line);
        } else {
            score.miss(line);
        }
    }
    score
}

type Key = (String, u64, String);

fn key(entry: &serde_json::Value, line: &serde_json::Value, text: &serde_json::Value) -> Key {
    (
        entry.as_str().unwrap().to_owned(),
        line.as_u64().unwrap(),
        text.as_str().unwrap().to_owned(),
    )
}
