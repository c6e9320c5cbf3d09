//! Transcripts that Claude Code wrote: what is taken out of the day files comes back, and nothing
//! else changes.
#![allow(clippy::disallowed_methods, reason = "tests make files and wait")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

mod world;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use world::World;

/// The transcripts' project.
const PROJECT: &str = "/home/dev/work/demo";

fn scenarios() -> Vec<PathBuf> {
    let fixtures = Path::new(env!("CARGO_MANIFEST_DIR")).join("../transcript/tests/fixtures");
    let mut found = Vec::new();
    let mut folders = vec![fixtures];
    while let Some(folder) = folders.pop() {
        let mut holds_transcripts = false;
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| extension == "jsonl")
            {
                holds_transcripts = true;
            }
        }
        if holds_transcripts {
            found.push(folder);
        }
    }
    found.sort();
    assert!(found.len() > 20, "the fixtures are not where they were");
    found
}

/// Puts a scenario's transcripts under the names the client gave them.
fn install(world: &World, scenario: &Path) {
    let here = world.root().to_str().unwrap();
    let folder = world.transcript("x").parent().unwrap().to_path_buf();
    fs::create_dir_all(&folder).unwrap();
    for entry in fs::read_dir(scenario).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_stem().unwrap().to_str().unwrap();
        let is_transcript = path.extension().is_some_and(|end| end == "jsonl");
        if !is_transcript || !name.starts_with("session-") {
            continue;
        }
        let text = fs::read_to_string(&path).unwrap().replace(PROJECT, here);
        let session = text
            .split("\"sessionId\":\"")
            .nth(1)
            .and_then(|rest| rest.split('"').next())
            .unwrap_or(name);
        let path = folder.join(format!("{session}.jsonl"));
        fs::write(&path, &text).unwrap();
        // The client made them one after the other: originals before their copies.
        let number: u64 = name["session-".len()..].parse().unwrap_or(0);
        let file = fs::File::options().write(true).open(&path).unwrap();
        let age = Duration::from_secs(3600 - 60 * number);
        file.set_modified(SystemTime::now() - age).unwrap();
    }
}

/// The day file without what only repair writes, and without entry number `out`.
fn as_hooks_write(day: &str, out: usize) -> String {
    let mut entries = day.split("\n## [");
    let mut text = entries.next().unwrap().to_owned();
    for (number, entry) in entries.enumerate() {
        if number == out {
            continue;
        }
        let (heading, rest) = entry.split_once('\n').unwrap();
        let (marker, body) = rest.split_once('\n').unwrap();
        let marker: Vec<&str> = marker
            .split(' ')
            .filter(|part| !part.starts_with("u="))
            .collect();
        text.push_str("\n## [");
        text.push_str(heading);
        text.push('\n');
        text.push_str(&marker.join(" "));
        text.push('\n');
        text.push_str(body);
    }
    text
}

#[test]
fn whatever_is_missing_comes_back() {
    let mut entries = 0;
    for scenario in scenarios() {
        let world = World::new();
        install(&world, &scenario);
        world.repair(|job| job.finished = true);
        let files: Vec<PathBuf> = match fs::read_dir(world.conversations()) {
            Ok(listing) => listing
                .map(|entry| entry.unwrap().path())
                .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
                .collect(),
            Err(_) => continue,
        };
        let whole = world.bodies();
        let again = world.repair(|job| job.finished = true);
        assert_eq!((again.written, again.completed), (0, 0), "{scenario:?}");
        for file in files {
            let day = fs::read_to_string(&file).unwrap();
            let count = day.matches("\n## [").count();
            for out in 0..=count {
                fs::write(&file, as_hooks_write(&day, out)).unwrap();
                let summary = world.repair(|job| job.finished = true);
                let expected = u64::from(out < count);
                assert_eq!(summary.written, expected, "{scenario:?} {out}");
                assert_eq!(world.bodies(), whole, "{scenario:?} {out}");
            }
            entries += count;
            fs::write(&file, &day).unwrap();
        }
    }
    assert!(entries > 100, "{entries}");
}
