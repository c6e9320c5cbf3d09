//! The fuzzers' targets on stable Rust: every seed as it is, then some thousand seeded mutations
//! of them. The same inputs in every run.
//!
//! `MNEMO_FUZZ_ROUNDS=100000` runs so many mutations of each target instead, `MNEMO_FUZZ_SEED=7`
//! others than usual.

// The same bytes are read everywhere; the home that the targets make is one of Unix.
#![cfg(unix)]
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test reads files and its own variables, and says where it left the bytes"
)]

use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// Longer inputs only take longer.
const LONGEST: usize = 32 << 10;

/// Xorshift: small, and the same everywhere.
struct Dice(u64);

impl Dice {
    fn roll(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, limit: usize) -> usize {
        let limit = u64::try_from(limit.max(1)).unwrap();
        usize::try_from(self.roll() % limit).unwrap()
    }

    fn span(&mut self, length: usize) -> std::ops::Range<usize> {
        let start = self.below(length + 1);
        // Short ones mostly.
        let longest = (length - start).min(1 << self.below(12));
        start..start + self.below(longest + 1)
    }
}

/// Bytes that readers have rules for.
const PIECES: [&[u8]; 20] = [
    b"\0",
    b"\n",
    b"\r\n",
    b"\"",
    b"\\",
    b"\\ud83d",
    b"\xff",
    b"\xef\xbb\xbf",
    b"{",
    b"}",
    b"[",
    b"null",
    b"-1",
    b"1e999",
    b"18446744073709551616",
    b"<private>",
    b"</private>",
    b"\n## [10:00:00] User\n",
    b"<!-- mnemo s=x -->\n",
    "가".as_bytes(),
];

fn mutated(dice: &mut Dice, seeds: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = seeds[dice.below(seeds.len())].clone();
    for _ in 0..=dice.below(6) {
        let at = dice.below(bytes.len() + 1);
        match dice.below(7) {
            0 if at < bytes.len() => bytes[at] ^= 1 << dice.below(8),
            1 if at < bytes.len() => bytes[at] = u8::try_from(dice.below(256)).unwrap(),
            2 => drop(bytes.drain(dice.span(bytes.len()))),
            3 => {
                let span = dice.span(bytes.len());
                let copy = bytes[span].to_vec();
                bytes.splice(at..at, copy);
            }
            4 => {
                let other = &seeds[dice.below(seeds.len())];
                let span = dice.span(other.len());
                bytes.splice(at..at, other[span].iter().copied());
            }
            5 if dice.below(4) == 0 => bytes.truncate(at),
            _ => {
                let piece = PIECES[dice.below(PIECES.len())];
                bytes.splice(at..at, piece.iter().copied());
            }
        }
    }
    bytes.truncate(LONGEST);
    bytes
}

fn number(variable: &str) -> Option<u64> {
    std::env::var(variable).ok()?.parse().ok()
}

fn seeds(target: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../corpus")
        .join(target);
    let mut seeds: Vec<_> = fs::read_dir(&folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), fs::read(path).unwrap()))
        .collect();
    seeds.sort();
    assert!(seeds.len() > 2, "{} has no seeds", folder.display());
    seeds
}

/// Runs a target; bytes that it fails for are kept in a file.
fn run(target: &str, bytes: &[u8], what: &str) {
    let ran = catch_unwind(AssertUnwindSafe(|| mnemo_fuzz_targets::run(target, bytes)));
    if let Err(panic) = ran {
        let kept = std::env::temp_dir().join(format!("mnemo-fuzz-{target}"));
        fs::write(&kept, bytes).unwrap();
        eprintln!(
            "{target}: {what} fails; its bytes are in {}",
            kept.display()
        );
        std::panic::resume_unwind(panic);
    }
}

fn smoke(target: &str, rounds: u64) {
    let seeds = seeds(target);
    for (path, bytes) in &seeds {
        run(target, bytes, &path.display().to_string());
    }
    run(target, b"", "nothing");
    let seeds: Vec<Vec<u8>> = seeds.into_iter().map(|(_, bytes)| bytes).collect();
    let mut dice = Dice(0x9e37_79b9_7f4a_7c15 ^ number("MNEMO_FUZZ_SEED").unwrap_or(0));
    for round in 0..number("MNEMO_FUZZ_ROUNDS").unwrap_or(rounds) {
        let bytes = mutated(&mut dice, &seeds);
        run(target, &bytes, &format!("round {round}"));
    }
}

macro_rules! smoke {
    ($($target:ident $rounds:literal),* $(,)?) => {
        $(#[test] fn $target() { smoke(stringify!($target), $rounds); })*

        #[test]
        fn no_target_is_left_out() {
            let mut here = vec![$(stringify!($target)),*];
            let mut all: Vec<&str> = mnemo_fuzz_targets::TARGETS.iter().map(|(n, _)| *n).collect();
            here.sort_unstable();
            all.sort_unstable();
            assert_eq!(here, all);
            let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
            for target in all {
                let file = format!("fuzz_targets/{target}.rs");
                let text = fs::read_to_string(fuzz.join(file)).unwrap();
                assert!(text.contains(&format!("\"{target}\"")), "{target}");
            }
        }
    };
}

smoke! {
    hook_input 2000,
    hook_capture 1000,
    json 2000,
    transcript 500,
    day 1000,
    body 500,
    index 1000,
    repair_transcript 200,
    repair_index 100,
    checkpoint 500,
    settings 300,
    config 1000,
    redact 1000,
    memory 500,
    search 200,
}
