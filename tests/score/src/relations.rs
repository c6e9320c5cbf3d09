//! Relations: how many of the labelled ones are found, and how many that are none.

use crate::{Score, Set, evidence};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

type Pair = (String, String);

/// Recall of each kind, precision over what is labelled, no hard negative, few pairs.
pub fn score(set: &Set, mnemo: &Path) -> Score {
    let mut score = Score::default();
    let memory = set.memory();
    let report = set.ask(
        mnemo,
        &["garden", "relations", "--store", memory.to_str().unwrap()],
    );
    let ours: Vec<&Value> = report["relations"].as_array().unwrap().iter().collect();
    let mut found: BTreeMap<Pair, &Value> = BTreeMap::new();
    for relation in &ours {
        if found.insert(pair(relation), relation).is_some() {
            score.miss(format!(
                "{} and {} have two relations",
                relation["a"], relation["b"]
            ));
        }
        for problem in evidence::problems(set, &relation["evidence"]) {
            score.miss(format!("{} -> {}: {problem}", relation["a"], relation["b"]));
        }
    }
    let mut of_kind: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let (mut right, mut wrong) = (0, 0);
    for label in list(set, "relations") {
        let kind = label["type"].as_str().unwrap();
        let counts = of_kind.entry(kind).or_default();
        counts.1 += 1;
        let Some(ours) = found.get(&pair(label)) else {
            score.say(format!(
                "not found: {} --{kind}--> {}",
                label["a"], label["b"]
            ));
            continue;
        };
        let directed = kind != "contradiction";
        if ours["type"] == label["type"] && (!directed || ours["a"] == label["a"]) {
            counts.0 += 1;
            right += 1;
        } else {
            wrong += 1;
            score.say(format!(
                "wrong: {} --{}--> {}, labelled {kind}",
                ours["a"], ours["type"], ours["b"]
            ));
        }
    }
    let negatives: BTreeSet<Pair> = list(set, "not_related").map(pair).collect();
    let false_alarms: Vec<&Pair> = found
        .keys()
        .filter(|pair| negatives.contains(*pair))
        .collect();
    for (a, b) in &false_alarms {
        score.miss(format!("{a} and {b} are not related"));
    }
    for (kind, (right, all)) in &of_kind {
        score.at_least(
            &format!("recall of {kind}"),
            *right,
            *all,
            if *kind == "contradiction" { 0.7 } else { 0.85 },
        );
    }
    score.at_least("precision", right, right + wrong + false_alarms.len(), 0.85);
    let entries = list(set, "verdicts").count();
    if ours.len() > 3 * entries {
        score.miss(format!("{} pairs for {entries} entries", ours.len()));
    }
    score.say(format!("{} pairs for {entries} entries", ours.len()));
    score
}

fn list<'a>(set: &'a Set, name: &str) -> impl Iterator<Item = &'a Value> {
    set.labels()[name].as_array().into_iter().flatten()
}

/// Both entries, in one order.
fn pair(relation: &Value) -> Pair {
    let (a, b) = (
        relation["a"].as_str().unwrap(),
        relation["b"].as_str().unwrap(),
    );
    if a < b {
        (a.to_owned(), b.to_owned())
    } else {
        (b.to_owned(), a.to_owned())
    }
}
