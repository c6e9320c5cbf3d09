//! A verb is found with the particle that stands apart from it, and in its forms; words that only
//! look alike in two languages do not stand for each other.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::format_push_string,
    reason = "a test makes the files it reads"
)]

mod common;

use recall::Places;
use std::path::Path;

/// The days on which something is found.
fn days(root: &Path, query: &str) -> Vec<String> {
    let places = Places {
        record: Some(root.to_owned()),
        ..Places::default()
    };
    let answer = common::ask(&places, query, false, "2026-11-16");
    let path = |hit: &recall::Hit| hit.path.clone();
    answer.hits.iter().map(path).collect()
}

fn record() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    let talks = [
        ("05", "배포 순서", "새 앱은 화요일에 배포합니다."),
        (
            "06",
            "Why was the kiosk dark?",
            "The outage came from a fuse in the kiosk.",
        ),
        (
            "07",
            "Wie lange halten wir die Messwerte vor?",
            "Rohwerte 90 Tage, Stundenmittel fünf Jahre.",
        ),
        ("08", "Drahtlos ins Feld?", "WLAN reicht bis zum Tor."),
        (
            "09",
            "Was ist mit der Miete?",
            "Der Stand kostet 40 Euro im Monat.",
        ),
    ];
    for (day, question, answer) in talks {
        let text = format!(
            "---\ndate: 2026-10-{day}\n---\n\n# 2026-10-{day}\n\n## [10:00:00] User\n\n{question}\n\n## [10:00:30] Assistant\n\n{answer}\n"
        );
        let folder = place.path().join("conversations");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("2026-10-{day}-claude.md")), text).unwrap();
    }
    place
}

#[test]
fn a_particle_belongs_to_its_verb() {
    let place = record();
    for (query, day) in [
        ("how was it rolled out", "05"),
        ("why did the kiosk break down", "06"),
        ("Warum fällt der Kiosk aus?", "06"),
    ] {
        let found = days(place.path(), query);
        let first = found.first().unwrap_or_else(|| panic!("{query}: nothing"));
        assert!(first.contains(&format!("10-{day}")), "{query}: {found:?}");
    }
}

#[test]
fn look_alikes_of_two_languages_are_no_synonyms() {
    let place = record();
    for query in ["멈춤", "Bluetooth"] {
        let found = days(place.path(), query);
        assert!(found.is_empty(), "{query}: {found:?}");
    }
}

#[test]
fn a_finite_verb_is_found_by_what_it_means() {
    let place = record();
    let found = days(place.path(), "stand costs per month");
    assert!(
        found.first().is_some_and(|path| path.contains("10-09")),
        "{found:?}"
    );
}
