//! Brings turns that the hooks missed from the transcripts into the record.
//!
//! A run lists the transcripts that may belong to the project, skips what the index knows to be
//! unchanged, reads the rest forwards as turns, and compares what was said with the entries of the
//! day files. Each entry is one utterance's and each utterance has one entry; what has none is
//! inserted where its time belongs, what holds a part only is completed in place. The day files
//! alone decide: without the index a run takes longer and comes to the same end.

mod belonging;
mod candidates;
mod hook;
mod identity;
mod index;
mod placement;
mod plan;
mod readers;
mod run;
mod said;
mod summary;
#[cfg(test)]
mod tests;

pub use summary::Summary;

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
    /// Which turns are wanted.
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

/// Repairs one project's record. A transcript that cannot be read is counted and left out; what
/// cannot be written ends the run, and the next one takes it up from there.
pub fn repair(
    record: &Record,
    job: &Job,
    config: &Config,
    env: &Env,
    progress: Option<&mut dyn Progress>,
) -> Result<Summary, Error> {
    run::run(record, job, config, env, progress)
}

/// What `session-reconcile` does at `SessionStart` and `PreCompact`: repairs the last 7 days, not
/// before the installation, for at most half a second. Says nothing.
pub fn on_event(event: &Event, env: &Env) -> Outcome {
    hook::on_event(event, env)
}
