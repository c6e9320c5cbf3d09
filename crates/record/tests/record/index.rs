//! The index.

use crate::common::project;
use record::index::{Index, Seen};
use std::fs;

type Numbers = Index<u64>;

fn with(text: &str) -> (tempfile::TempDir, record::Record) {
    let (dir, record) = project();
    drop(record.conversations().unwrap());
    fs::write(
        record.root().path().join("conversations/.mnemo-index.json"),
        text,
    )
    .unwrap();
    (dir, record)
}

fn text(record: &record::Record) -> String {
    fs::read_to_string(record.root().path().join("conversations/.mnemo-index.json")).unwrap()
}

#[test]
fn the_originals_lists_and_foreign_keys_are_kept() {
    let (_dir, record) = with(
        r#"{ "version": 1, "claude": { "2026-04-07": ["u1", "u2"] },
             "codex": { "2026-04-07": ["f00"] }, "x": {"n": 1.50, "é": null} }"#,
    );
    let mut index = Numbers::load(&record);
    assert!(index.transcripts.is_empty());
    assert_eq!(index.legacy["2026-04-07"], ["u1", "u2"]);
    let seen = Seen {
        size: 3,
        inode: 4,
        position: 5,
    };
    index.transcripts.insert("-p/a.jsonl".to_owned(), seen);
    index.save(&record).unwrap();
    assert_eq!(Numbers::load(&record), index);
    let text = text(&record);
    assert!(
        text.contains(r#""codex":{ "2026-04-07": ["f00"] }"#),
        "{text}"
    );
    assert!(text.contains(r#""x":{"n": 1.50, "é": null}"#), "{text}");
    assert!(text.contains(r#""version":2"#), "{text}");
}

#[test]
fn damage_costs_nothing_but_the_cache() {
    for damaged in [
        "",
        "{",
        "[]",
        "\0\0\0",
        r#"{"version":2,"transcripts":{"a":"#,
        "null",
    ] {
        let (_dir, record) = with(damaged);
        assert_eq!(Numbers::load(&record), Numbers::default(), "{damaged:?}");
    }
    let (_dir, record) = with(r#"{"version":2,"transcripts":{"a":7},"claude":{"d":["u"]},"k":1}"#);
    let index = Numbers::load(&record);
    assert!(index.transcripts.is_empty());
    assert_eq!(index.legacy["d"], ["u"]);
    let (_dir, record) =
        with(r#"{"version":3,"transcripts":{"a":{"size":1,"inode":1,"position":1}}}"#);
    assert!(Numbers::load(&record).transcripts.is_empty());
}

#[test]
fn nothing_is_made_where_nothing_is() {
    let (_dir, record) = project();
    Numbers::load(&record).save(&record).unwrap();
    assert!(!record.root().path().join("conversations").exists());
}

/// A flipped bit can leave numbers that are numbers still.
#[test]
fn what_was_not_written_so_is_not_believed() {
    let (_dir, record) = project();
    drop(record.conversations().unwrap());
    let mut index = Numbers::load(&record);
    let seen = Seen {
        size: 3,
        inode: 4,
        position: 50,
    };
    index.transcripts.insert("-p/a.jsonl".to_owned(), seen);
    index.legacy.insert("d".to_owned(), vec!["u".to_owned()]);
    index.save(&record).unwrap();
    assert_eq!(Numbers::load(&record), index);
    let whole = text(&record).into_bytes();
    let path = record.root().path().join("conversations/.mnemo-index.json");
    for at in 0..whole.len() {
        for bit in 0..8 {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << bit;
            fs::write(&path, &bytes).unwrap();
            let read = Numbers::load(&record);
            assert!(
                read.transcripts.is_empty() || read.transcripts == index.transcripts,
                "byte {at} bit {bit}"
            );
        }
    }
}
