//! The stop counter and the checkpoint prompt in four languages.
//!
//! [`Counter`] counts the stops of a project's sessions in one small file, changed under a kernel
//! lock, and tells the one stop at which a checkpoint is due. [`prompt`] is the text that the
//! assistant then gets.

mod counter;
mod prompt;
mod state;

use chrono::{DateTime, Utc};

pub use counter::Counter;
pub use prompt::prompt;

/// Thresholds. Both have to be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    /// Stops.
    pub stops: u32,
    /// Minutes since the last trigger, or since the first counted stop where there was none.
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
    /// What was healed, for the error log. Holds no text of the user.
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
