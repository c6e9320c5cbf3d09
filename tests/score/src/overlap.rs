//! What is said already: the labelled file or rule line is among the first three, and the verdict
//! is right where the proposal would be refused.

use crate::{Score, Set};
use serde_json::Value;
use std::path::Path;

/// Named among the first three, of the proposals that have something to name.
const NAMED: f64 = 0.9;

/// Refused and let through rightly, of all.
const RIGHT: f64 = 0.85;

/// Asks for each proposal.
pub fn score(set: &Set, mnemo: &Path) -> Score {
    let mut score = Score::default();
    let memory = set.memory();
    let (mut covered, mut named, mut all, mut right) = (0u32, 0u32, 0u32, 0u32);
    for proposal in set.labels()["overlap"].as_array().unwrap() {
        let text = |key: &str| proposal[key].as_str().unwrap_or_default();
        let draft = set.path("proposal.md");
        std::fs::write(&draft, text("body")).unwrap();
        let answer = set.ask(
            mnemo,
            &[
                "memory",
                "overlap",
                "--store",
                memory.to_str().unwrap(),
                "--title",
                text("title"),
                "--description",
                text("description"),
                "--from",
                draft.to_str().unwrap(),
            ],
        );
        let label = text("label");
        let expected = label.split_once(": ").map(|(_, place)| place);
        let candidates = answer["candidates"].as_array().unwrap();
        let first = candidates.first().map_or_else(String::new, |first| {
            format!("{}:{} {}", first["path"], first["line"], first["score"])
        });
        all += 1;
        if answer["overlaps"] == expected.is_some() {
            right += 1;
        } else {
            score.say(format!("{}: wrong verdict, {label}; {first}", text("id")));
        }
        if let Some(expected) = expected {
            covered += 1;
            if candidates.iter().take(3).any(|found| is(found, expected)) {
                named += 1;
            } else {
                score.say(format!("{}: not named, {label}; {first}", text("id")));
            }
        }
    }
    let share = |part: u32, all: u32| f64::from(part) / f64::from(all.max(1));
    for (what, part, of, bar) in [
        ("named among the first three", named, covered, NAMED),
        ("right verdicts", right, all, RIGHT),
    ] {
        let line = format!("{what}: {part} of {of}");
        if share(part, of) >= bar {
            score.say(line);
        } else {
            score.miss(line);
        }
    }
    score
}

/// Whether a candidate is the labelled place: an entry's file, or a rule's file and line.
fn is(found: &Value, expected: &str) -> bool {
    let path = found["path"].as_str().unwrap();
    if found["kind"] == "entry" {
        return path == expected;
    }
    let path = path
        .strip_prefix("~/")
        .map_or_else(|| format!("project/{path}"), |own| format!("home/{own}"));
    format!("{path}:{}", found["line"]) == expected
}
