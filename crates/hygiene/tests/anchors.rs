//! The anchors on labelled samples of other domains and languages than the set that they were first
//! held against.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    reason = "a test makes and reads files of its own"
)]

use hygiene::anchors::{Ground, Places, Status};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Precision and recall that the anchors must reach.
const BAR: f64 = 0.95;

#[test]
fn river_gauges_in_go_and_swift_with_a_german_memory() {
    judged_well(include_str!("data/pegelnetz.txt"), "pegelnetz", 3);
}

#[test]
fn kelp_in_rust_and_svelte_with_an_english_and_korean_memory() {
    judged_well(include_str!("data/kelpwatch.txt"), "kelpwatch", 2);
}

fn judged_well(sample: &str, name: &str, moves: u32) {
    let folder = tempfile::tempdir().unwrap();
    let mut labels = "";
    let mut entries: BTreeMap<&str, &str> = BTreeMap::new();
    for part in sample.split("\n=== ").skip(1) {
        let (path, text) = part.split_once('\n').unwrap();
        if path == "labels" {
            labels = text;
            continue;
        }
        let file = folder.path().join(path);
        std::fs::create_dir_all(file.parent().unwrap()).unwrap();
        std::fs::write(&file, text).unwrap();
        if let Some(entry) = path
            .strip_prefix("memory/")
            .filter(|name| *name != "MEMORY.md")
        {
            entries.insert(entry, text);
        }
    }
    let mut wanted: BTreeMap<(&str, usize, &str), (&str, Option<&str>)> = BTreeMap::new();
    for label in labels.lines() {
        let fields: Vec<&str> = label.split(" | ").collect();
        let [entry, text, status, rest @ ..] = fields.as_slice() else {
            panic!("{label}");
        };
        let line = entries[entry]
            .lines()
            .position(|line| line.contains(text))
            .unwrap();
        wanted.insert((entry, line + 1, text), (status, rest.first().copied()));
    }
    let mut ground = Ground::of_project(Places {
        root: folder.path().join("project"),
        memory: vec![folder.path().join("memory")],
        ..Places::default()
    });
    ground.also_called(name);
    let texts: Vec<&str> = entries.values().copied().collect();
    let judged = ground.judge(&texts);
    let (mut hits, mut found, mut moves_right, mut wrong) = (0_u32, 0_u32, 0_u32, String::new());
    for (entry, anchors) in entries.keys().zip(&judged) {
        for anchor in anchors {
            found += 1;
            let label = wanted.get(&(*entry, anchor.line, anchor.text.as_str()));
            if label.is_some_and(|(status, _)| *status == anchor.status.name()) {
                hits += 1;
            } else {
                let _ = writeln!(
                    wrong,
                    "{entry}:{} {} {:?} {label:?}",
                    anchor.line, anchor.text, anchor.status
                );
            }
            if let (Status::Moved(places), Some((_, Some(to)))) = (&anchor.status, label)
                && places.first().is_some_and(|place| place == to)
            {
                moves_right += 1;
            }
        }
    }
    let precision = f64::from(hits) / f64::from(found);
    let recall = f64::from(hits) / f64::from(u32::try_from(wanted.len()).unwrap());
    assert!(
        precision >= BAR && recall >= BAR,
        "{precision:.3} {recall:.3}\n{wrong}"
    );
    assert_eq!(moves_right, moves, "{wrong}");
}
