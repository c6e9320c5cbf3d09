//! Repair: nothing twice, whatever the transcripts and the index hold.

use crate::scratch::Scratch;
use mnemo_home::Config;
use reconcile::{Job, Summary, Window, repair};
use std::fs;
use std::path::Path;

/// The project of the transcripts that the client wrote.
const PROJECT: &[u8] = b"/home/dev/work/demo";
const INDEX: &str = "work/demo/conversations/.mnemo-index.json";
const CHAINS: &str = "work/demo/conversations/.mnemo-chains.json";
const SESSION: &str = "5f8d1a34-64d4-4c5a-9f43-0b6a4b0f3f10";

fn run(scratch: &Scratch) -> Summary {
    let job = Job {
        window: Window::All,
        not_before: None,
        finished: true,
        own_session: None,
        transcript: None,
        moved_from: None,
        dry_run: false,
        budget: None,
        from_start: false,
    };
    repair(
        &scratch.record(),
        &job,
        &Config::default(),
        &scratch.env(),
        None,
    )
    .unwrap()
}

fn put(scratch: &Scratch, bytes: &[u8]) {
    let root = scratch.root();
    let folder = format!(".claude/projects/{}", claude_home::slug(&root));
    scratch.write(&format!("{folder}/{SESSION}.jsonl"), &moved(bytes, &root));
}

/// The client's transcript as if it had been written in this project.
fn moved(bytes: &[u8], root: &Path) -> Vec<u8> {
    let root = root.to_str().unwrap().replace('\\', "\\\\");
    let root = root.as_bytes();
    let mut out = Vec::with_capacity(bytes.len() * 2);
    let mut rest = bytes;
    while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix(PROJECT) {
            out.extend_from_slice(root);
            rest = after;
        } else {
            out.push(rest[0]);
            rest = &rest[1..];
        }
    }
    out
}

fn nothing_new(scratch: &Scratch, what: &str) {
    let days = scratch.days();
    let again = run(scratch);
    assert_eq!((again.written, again.completed), (0, 0), "{what}");
    assert_eq!(scratch.days(), days, "{what}");
}

/// What was repaired once is not repaired again, with the index and without.
pub(crate) fn of_transcript(bytes: &[u8]) {
    let scratch = Scratch::new();
    put(&scratch, bytes);
    let first = run(&scratch);
    let entries: usize = scratch
        .days()
        .iter()
        .map(|(_, day)| record::day::parse(day).len())
        .sum();
    assert!(first.written <= entries as u64);
    nothing_new(&scratch, "a second time");
    for file in [".mnemo-index.json", ".mnemo-chains.json"] {
        drop(fs::remove_file(
            scratch.root().join("conversations").join(file),
        ));
    }
    nothing_new(&scratch, "without the index");
}

/// Any index costs time, never an entry and no duplicate.
pub(crate) fn with_index(bytes: &[u8]) {
    const TALK: &[u8] =
        include_bytes!("../../../crates/transcript/tests/fixtures/2.1.197/korean/session-1.jsonl");
    let scratch = Scratch::new();
    put(&scratch, TALK);
    run(&scratch);
    let whole = scratch.days();
    assert!(!whole.is_empty());
    scratch.write(INDEX, bytes);
    nothing_new(&scratch, "a damaged index");
    for (day, _) in &whole {
        fs::remove_file(day).unwrap();
    }
    scratch.write(INDEX, bytes);
    run(&scratch);
    assert_eq!(scratch.days(), whole, "a damaged index, and no entry yet");

    // A transcript that grew, and how to go on is lost or wrong.
    let half = TALK.len() / 2;
    let line = TALK.iter().skip(half).position(|b| *b == b'\n').unwrap();
    let scratch = Scratch::new();
    put(&scratch, &TALK[..=half + line]);
    run(&scratch);
    scratch.write(CHAINS, bytes);
    put(&scratch, TALK);
    run(&scratch);
    assert_eq!(bodies(&scratch), bodies_of(&whole), "damaged chains");
}

fn bodies(scratch: &Scratch) -> Vec<String> {
    bodies_of(&scratch.days())
}

fn bodies_of(days: &[(std::path::PathBuf, Vec<u8>)]) -> Vec<String> {
    let entries = days.iter().flat_map(|(_, day)| record::day::parse(day));
    entries.map(|located| located.entry.body).collect()
}
