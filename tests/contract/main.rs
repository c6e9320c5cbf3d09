//! What the documents promise about the five hooks and the companion, checked from outside.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::too_many_lines,
    reason = "tests"
)]

mod common;

mod checkpoint;
mod day_files;
mod entries;
mod every_hook;
mod old_clients;
mod privacy;
mod real_transcripts;
mod repair;
mod roots;
mod settings;
mod tools;
