//! Memory entries, their index, budget and audit.
//!
//! - [`Store`] is a memory folder read once: its [`Entry`]s, its [`Index`] and every link between
//!   them. Nothing here writes.
//! - [`audit`] says what a store costs and what is wrong with it; [`report`] puts that into words.
//! - [`edit`] makes new bytes out of old ones and leaves every other byte as it was.
//!
//! Lines are physical lines, counted from 1: split at LF; a CR before it and a byte order mark are
//! no part of a line's text. Columns and ranges are bytes.
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files"))]

pub mod audit;
pub mod budget;
pub mod capture;
pub mod code;
pub mod edit;
pub mod entry;
pub mod frontmatter;
pub mod index;
pub mod items;
pub mod limits;
pub mod lines;
pub mod links;
pub mod loaded;
pub mod overlap;
pub mod parallel;
pub mod record;
pub mod report;
pub mod store;
mod wording;

pub use audit::{Audit, Dates, Issue, audit, updated_index};
pub use budget::{Budget, tokens};
pub use code::Code;
pub use entry::{Entry, EntryId, Kind};
pub use frontmatter::Frontmatter;
pub use index::Index;
pub use limits::IndexLimits;
pub use links::{Link, LinkKind};
pub use store::{ResolvedLink, Source, Store, StoreKind, Target};

use std::path::PathBuf;

/// Errors of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The store's folder is not there.
    #[error("no memory at {}; name another with --store", .0.display())]
    NoStore(PathBuf),
    /// What was named as a store is not a folder.
    #[error("{} is not a folder; name the folder that holds MEMORY.md", .0.display())]
    NotAFolder(PathBuf),
    /// A file could not be read.
    #[error(transparent)]
    File(#[from] safe_file::Error),
    /// An edit would touch what must stay, or does not fit the text.
    #[error("{0}")]
    Edit(#[from] edit::Error),
}

/// Result of this crate.
pub type Result<T> = std::result::Result<T, Error>;
