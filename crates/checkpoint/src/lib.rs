//! The stop counter and the checkpoint prompt in four languages. CONTRACTS section 6, RULES 2 and 5.

use chrono::{DateTime, Utc};
use mnemo_home::Language;
use std::path::{Path, PathBuf};

/// Thresholds.
#[derive(Debug, Clone, Copy)]
pub struct Due {
    /// Stops.
    pub stops: u32,
    /// Minutes.
    pub minutes: u32,
}

/// The counter as it stands in the file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct State {
    /// Counted stops since the last trigger.
    pub stops: u32,
    /// The first of them.
    pub first_stop: Option<DateTime<Utc>>,
    /// The last trigger.
    pub last_trigger: Option<DateTime<Utc>>,
    /// A due checkpoint waits for the next prompt.
    pub pending: bool,
}

/// What a stop led to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Counted {
    /// The state after it.
    pub state: State,
    /// Due now, and this caller is the one to emit it.
    pub due: bool,
    /// What was healed, for the error log.
    pub healed: Option<String>,
}

/// What to do when a stop makes the checkpoint due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhenDue {
    /// Emit now: reset the counter, note the trigger.
    Emit,
    /// Reset the counter and hand it to the next prompt.
    HandOver,
    /// Leave it due.
    Wait,
}

/// The counter's file.
#[derive(Debug, Clone)]
pub struct Counter {
    path: PathBuf,
}

impl Counter {
    /// `<folder>/.consolidate-state`; the folder is made 0700 when the counter is first written.
    pub fn in_folder(folder: &Path) -> Self {
        Self {
            path: folder.join(".consolidate-state"),
        }
    }
    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }
    /// Counts one stop under the lock. `when_due` is asked only when it is due.
    pub fn count(
        &self,
        now: DateTime<Utc>,
        due: Due,
        when_due: impl FnOnce() -> WhenDue,
    ) -> safe_file::Result<Counted> {
        let _ = (now, due, when_due);
        unimplemented!()
    }
    /// Takes a pending checkpoint (once). Costs one failed open when there is no state.
    pub fn take_pending(&self, now: DateTime<Utc>) -> safe_file::Result<bool> {
        let _ = now;
        unimplemented!()
    }
    /// Reads without changing.
    pub fn peek(&self) -> safe_file::Result<State> {
        unimplemented!()
    }
}

/// The prompt. `rules_dir` is the folder it names; `memory` the folder whose MEMORY.md it names.
pub fn prompt(language: Language, rules_dir: &str, memory: Option<&Path>) -> String {
    let _ = (language, rules_dir, memory);
    unimplemented!()
}
