//! Verdicts: how many of the proposed ones are right.

use crate::{Score, Set, evidence};
use serde_json::Value;
use std::path::Path;

/// Verdicts whose action takes an entry away from where it is.
const REMOVALS: [&str; 4] = ["Completed", "Resolved", "Promoted", "Duplicate"];

/// Right are the label and its `also_ok`.
pub fn score(set: &Set, mnemo: &Path) -> Score {
    let mut score = Score::default();
    let memory = set.memory();
    let report = set.ask(
        mnemo,
        &["garden", "verdicts", "--store", memory.to_str().unwrap()],
    );
    let ours = report["verdicts"].as_array().unwrap();
    let (mut first, mut two, mut high, mut high_right, mut all) = (0, 0, 0, 0, 0);
    for label in set.labels()["verdicts"].as_array().unwrap() {
        all += 1;
        let entry = &label["entry"];
        let Some(judged) = ours.iter().find(|ours| ours["entry"] == *entry) else {
            score.miss(format!("{entry}: no verdict"));
            continue;
        };
        let candidates = judged["candidates"].as_array().unwrap();
        for candidate in candidates {
            for problem in evidence::problems(set, &candidate["evidence"]) {
                score.miss(format!("{entry}, {}: {problem}", candidate["verdict"]));
            }
        }
        let right = |candidate: &Value| {
            candidate["verdict"] == label["verdict"]
                || label["also_ok"]
                    .as_array()
                    .is_some_and(|more| more.contains(&candidate["verdict"]))
        };
        let proposed = &candidates[0];
        let good = right(proposed);
        first += usize::from(good);
        two += usize::from(candidates.iter().take(2).any(right));
        if proposed["confidence"] == "High" {
            high += 1;
            high_right += usize::from(good);
        }
        if !good {
            score.say(format!(
                "{entry}: {} {}, labelled {}",
                proposed["confidence"], proposed["verdict"], label["verdict"]
            ));
        }
        if label["verdict"] == "Active"
            && REMOVALS
                .iter()
                .any(|removal| proposed["verdict"] == *removal)
            && !good
        {
            score.miss(format!("{entry}: to be taken away although it is Active"));
        }
    }
    score.at_least("right of those given High", high_right, high, 0.95);
    score.at_least("right of all", first, all, 0.75);
    score.at_least("right one among the first two", two, all, 0.95);
    score
}
