//! What has to hold for any bytes at all, one function per reader of files and input.
//!
//! Each function takes the bytes of what mnemo reads (a payload, a transcript, a day file ...) and
//! panics when something does not hold that always must. The fuzzers (`fuzz/fuzz_targets`, nightly
//! Rust) and a short run on stable Rust (`tests/smoke.rs`) share them. See `docs/fuzzing.md`.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    clippy::missing_panics_doc,
    reason = "a target panics where something does not hold, and makes the files to be read"
)]

mod config;
mod hook;
mod memory;
mod record;
mod redact;
mod repair;
mod scratch;
mod search;
mod settings;
mod state;
mod transcript;

/// A function that panics when something does not hold for these bytes.
pub type Target = fn(&[u8]);

/// All targets by name.
pub const TARGETS: [(&str, Target); 15] = [
    ("hook_input", hook::input),
    ("hook_capture", hook::capture),
    ("json", hook::json),
    ("transcript", transcript::transcript),
    ("day", record::day),
    ("body", record::body),
    ("index", record::index),
    ("repair_transcript", repair::of_transcript),
    ("repair_index", repair::with_index),
    ("checkpoint", state::checkpoint),
    ("settings", settings::settings),
    ("config", config::config),
    ("redact", redact::redact),
    ("memory", memory::entry_and_index),
    ("search", search::search_any),
];

/// Runs the target of this name.
pub fn run(name: &str, bytes: &[u8]) {
    let (_, target) = TARGETS.iter().find(|(known, _)| *known == name).unwrap();
    target(bytes);
}
