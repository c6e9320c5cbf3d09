//! Brings turns that the hooks missed from the transcripts into the record.

use chrono::NaiveDate;
use claude_hook::{Event, Outcome, SessionId};
use mnemo_home::{Config, Env};
use record::Record;
use std::path::PathBuf;
use std::time::Duration;

/// Which turns are wanted, by local date.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Window {
    /// The last N local days, today included.
    Days(u32),
    /// One local date.
    Date(NaiveDate),
    /// Everything.
    All,
}

/// One run.
#[derive(Debug, Clone)]
pub struct Job {
    /// Window.
    pub window: Window,
    /// Not before this moment (the installation), for the hook.
    pub not_before: Option<chrono::DateTime<chrono::Utc>>,
    /// Take the last turns of transcripts that may still be running.
    pub finished: bool,
    /// This session is not running (its own start or resume event calls).
    pub own_session: Option<SessionId>,
    /// The payload's transcript.
    pub transcript: Option<PathBuf>,
    /// Also turns whose `cwd` lay under this former place of the project.
    pub moved_from: Option<PathBuf>,
    /// Change nothing.
    pub dry_run: bool,
    /// Stop after this long and resume next time. `None`: no budget.
    pub budget: Option<Duration>,
    /// By hand: read all transcripts of the window again, from the start, whatever the index says.
    pub from_start: bool,
}

/// What was found and done. Serialises as the companion's `--json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Summary {
    /// Transcripts looked at, read, left for next time.
    pub transcripts: u64,
    /// Of these, read (changed since last time).
    pub read: u64,
    /// User and assistant entries in the window.
    pub user_turns: u64,
    /// Assistant entries in the window.
    pub assistant_turns: u64,
    /// Already in the day files.
    pub present: u64,
    /// Newly written (in a dry run: would be).
    pub written: u64,
    /// Completed in place.
    pub completed: u64,
    /// Turns still running, left alone.
    pub running: u64,
    /// Unreadable lines.
    pub unreadable: u64,
    /// `path: offset: why`, at most 20.
    pub unreadable_lines: Vec<String>,
    /// Local dates whose files changed (`YYYY-MM-DD`), ascending.
    pub dates: Vec<String>,
    /// True when the budget ran out.
    pub unfinished: bool,
    /// True when another repair was running, so nothing was done.
    pub busy: bool,
    /// Dry run: `DATE HH:MM:SS Role first 60 characters`, control codes removed.
    pub planned: Vec<String>,
}

/// Progress of a run: bytes done of bytes known.
pub trait Progress {
    /// Called now and then.
    fn step(&mut self, done: u64, total: u64);
}

/// Errors of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The record.
    #[error(transparent)]
    Record(#[from] record::Error),
    /// A file.
    #[error(transparent)]
    File(#[from] safe_file::Error),
}

/// Repairs one project's record.
pub fn repair(
    record: &Record,
    job: &Job,
    config: &Config,
    env: &Env,
    progress: Option<&mut dyn Progress>,
) -> Result<Summary, Error> {
    let _ = (record, job, config, env, progress);
    unimplemented!()
}

/// What `session-reconcile` does at `SessionStart` and `PreCompact`.
pub fn on_event(event: &Event, env: &Env) -> Outcome {
    let _ = (event, env);
    unimplemented!()
}
