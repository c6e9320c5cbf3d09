//! Finds what rots in a memory, and mends what is mechanical.
//!
//! - [`anchors`]: every path and symbol that a memory names: there, moved, gone, or no path at all;
//!   [`survey`] examines whole memories.
//! - [`doctor`] calls all judgements; [`fix`] mends the three things that are mechanical.
//! - [`observations`]: the logs of tool calls; [`distill`] groups them, [`reclassify`] moves what
//!   was filed wrongly.
//! - [`split`]: an overgrown file becomes a folder. [`lineage`]: when and why a file changed.
//!
//! What changes files only plans a [`changes::ChangeSet`].

pub mod anchors;
pub mod distill;
pub mod doctor;
pub mod fix;
mod history;
pub mod lineage;
pub mod observations;
pub mod reclassify;
pub mod split;
pub mod survey;

use redact::Policy;
use std::path::PathBuf;

/// A whole text as it may be shown: other tools' logs hold what mnemo itself never writes.
fn to_show(text: &str) -> String {
    redact::clean(text, Policy { secrets: true }).into_string()
}

/// Errors of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read or written.
    #[error(transparent)]
    File(#[from] safe_file::Error),
    /// A named file is not there.
    #[error("{} does not exist; name a file that does", .0.display())]
    Missing(PathBuf),
    /// The record could not be opened.
    #[error(transparent)]
    Record(#[from] record::Error),
    /// A memory could not be read.
    #[error(transparent)]
    Memory(#[from] memory::Error),
    /// Handoffs could not be read.
    #[error(transparent)]
    Handoff(#[from] handoff::Error),
    /// A change could not be planned or carried out.
    #[error(transparent)]
    Changes(#[from] changes::Error),
    /// Doing it could lose something. Nothing was changed.
    #[error("{0}")]
    Refused(String),
}

/// Result of this crate.
pub type Result<T> = std::result::Result<T, Error>;
