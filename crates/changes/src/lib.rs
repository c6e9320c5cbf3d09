//! What changes files: shown first, carried out whole or not at all, undone byte for byte.
//!
//! A command plans a [`ChangeSet`]; `--dry-run` shows its [`ChangeSet::diff`], and
//! [`Journal::apply`] carries it out:
//!
//! ```text
//! <state>/mnemo/undo/
//!   .lock                              held by whoever applies, undoes or recovers
//!   .pending                           there while a set is under way (one stat tells); who is at it
//!   20261130T050322Z-memory-add/       one set
//!     applied.json                     what it is; the file's name is the state it is in
//!     0.before  0.after  1.after       the bytes
//! ```
//!
//! Everything needed to go either way lies on the disk before the first file changes; from the
//! moment `applying.json` has its name the set counts. A process that is killed before leaves the
//! old state, one that is killed later the new one, once [`recover`] or the next [`Journal::open`]
//! has run. States change by renames, which need no room on a full disk.

mod diff;
mod error;
mod journal;
mod plan;
mod set;
mod tree;
pub mod undo;

#[cfg(test)]
#[allow(
    clippy::disallowed_methods,
    reason = "tests make files and read variables"
)]
mod tests;

pub use error::{Difference, Error, How, Result};
pub use journal::{Applied, Journal, Outcome, Recovered, recover};
pub use plan::{Change, ChangeSet, Kind, Shown, Summary};
