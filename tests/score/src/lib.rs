//! Scores the built `mnemo` against labelled data, as a user would run it.
//!
//! A [`Set`] is a folder of labelled data, copied so that scoring changes nothing in it. Each
//! module scores one kind of label and gives back a [`Score`].
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::missing_panics_doc,
    reason = "a set that is not in its form, or a program that does not run, ends the scoring"
)]

pub mod anchors;
pub mod check;
pub mod evidence;
pub mod overlap;
pub mod relations;
pub mod search;
pub mod sensitive;
pub mod set;
pub mod verdicts;

pub use set::Set;

use std::fmt;
use std::path::Path;

/// A function that scores one kind of label: the set, and the built program.
pub type Scorer = fn(&Set, &Path) -> Score;

/// All scorers by name.
pub const SCORERS: &[(&str, Scorer)] = &[
    ("anchors", anchors::score),
    ("check", check::score),
    ("search", search::score),
    ("overlap", overlap::score),
    ("sensitive", sensitive::score),
    ("relations", relations::score),
    ("verdicts", verdicts::score),
];

/// What came out.
#[derive(Debug, Default)]
pub struct Score {
    /// What is to be told.
    pub lines: Vec<String>,
    /// What is not as the labels have it. Empty: the score is reached.
    pub misses: Vec<String>,
}

impl Score {
    /// Something to tell.
    pub fn say(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    /// Something that is not as it must be.
    pub fn miss(&mut self, line: impl Into<String>) {
        self.misses.push(line.into());
    }

    /// Tells a miss when two values differ.
    pub fn same<T: PartialEq + fmt::Debug>(&mut self, what: &str, ours: &T, label: &T) {
        if ours == label {
            self.say(format!("{what}: agrees"));
        } else {
            self.miss(format!("{what}: ours {ours:?}, label {label:?}"));
        }
    }

    /// Tells a share, and a miss when it is below what it must be.
    pub fn at_least(&mut self, what: &str, right: usize, all: usize, bar: f64) {
        #[allow(clippy::cast_precision_loss, reason = "counts of a small set")]
        let share = if all == 0 {
            1.0
        } else {
            right as f64 / all as f64
        };
        let line = format!("{what}: {right} of {all} ({share:.3}, at least {bar})");
        if share < bar {
            self.miss(line);
        } else {
            self.say(line);
        }
    }

    /// Whether everything is as it must be.
    pub fn reached(&self) -> bool {
        self.misses.is_empty()
    }
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for line in &self.lines {
            writeln!(f, "  {line}")?;
        }
        for miss in &self.misses {
            writeln!(f, "  MISS {miss}")?;
        }
        Ok(())
    }
}
