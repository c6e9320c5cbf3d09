//! Handoffs from one session to the next.
//!
//! - [`draft`] gathers what record, git and memory know into a scaffold, [`Draft::write`] makes the
//!   file; [`validate`] judges it, [`staleness`] says how far the project has moved on, [`resume`]
//!   is a checklist for whoever goes on.
//! - [`list`] gives a project's handoffs, newest first; [`Document`] is one of them read as
//!   sections, with the [`FileRow`]s, [`Decision`]s and [`Origin`] that its tables hold.
//!
//! Section names are those that users of the shell version know; the level of a heading never
//! matters. Files in `.claude/handoffs` are read, new ones are written to `docs/handoffs`.

mod create;
mod doc;
mod git;
mod history;
mod place;
mod placeholders;
mod raw;
mod refs;
mod resume;
mod review;
mod rows;
mod staleness;
mod validate;

pub use create::{Draft, Request, draft};
pub use doc::{Document, Section};
pub use git::Via;
pub use history::{Changes, FileCommit, History, Removed};
pub use place::{FOLDER, Handoff, LATEST, OLD_FOLDER, find, list, slug};
pub use resume::{Resume, chain, resume};
pub use review::MemoryCheck;
pub use rows::{Decision, FileRow, Origin};
pub use staleness::{BranchThen, Level, Staleness, staleness, staleness_of_all};
pub use validate::{About, Reason, Validation, Verdict, validate};

use std::path::PathBuf;

/// Errors of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] safe_file::Error),
    /// The record could not be opened.
    #[error(transparent)]
    Record(#[from] record::Error),
    /// No such handoff.
    #[error("there is no handoff {0}; `mnemo handoff list` shows those there are")]
    Missing(String),
    /// A handoff was asked for where there is none at all.
    #[error("there are no handoffs here yet; `mnemo handoff create SLUG` makes one")]
    NoneYet,
    /// The first handoff cannot continue one.
    #[error("there is no handoff here yet that could be continued; leave --continues-from out")]
    NoneToContinue,
    /// A file was named that is none of the project's handoffs.
    #[error("{0} is no handoff of this project; `mnemo handoff list` shows those there are")]
    NotOne(String),
    /// A folder was named.
    #[error("{} is a folder; name a handoff's file", .0.display())]
    Folder(PathBuf),
    /// A free name could not be found.
    #[error("cannot find a free name for {0}; give another slug")]
    NoName(String),
}

/// Result of this crate.
pub type Result<T> = std::result::Result<T, Error>;
