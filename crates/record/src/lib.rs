//! A project's record: its root, day files, tool log, observations, scaffold and index.

pub mod day;
pub mod index;
pub mod root;
pub mod tools;

use chrono::{DateTime, Local, NaiveDate};
use redact::Clean;
use root::Root;
use safe_file::Boundary;
use std::path::PathBuf;

/// Errors of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A file could not be read, written or locked.
    #[error(transparent)]
    File(#[from] safe_file::Error),
}

/// Result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// The record of one project. Opening it touches nothing.
#[derive(Debug, Clone)]
pub struct Record {
    root: Root,
    boundary: Boundary,
}

impl Record {
    /// Opens without creating anything.
    pub fn open(root: Root) -> Result<Self> {
        Ok(Self {
            boundary: Boundary::new(root.path())?,
            root,
        })
    }
    /// The root.
    pub fn root(&self) -> &Root {
        &self.root
    }
    /// `conversations/DATE-claude.md`, resolved inside the boundary.
    pub fn day_path(&self, date: NaiveDate) -> Result<PathBuf> {
        let _ = (date, &self.boundary);
        unimplemented!()
    }
    /// Dates that have a day file, ascending. Empty when there is no folder.
    pub fn days(&self) -> Result<Vec<NaiveDate>> {
        unimplemented!()
    }
    /// Makes `conversations/` if absent (0700, named in git's `info/exclude` then), takes its lock
    /// (at most 2 s).
    pub fn conversations(&self) -> Result<Conversations<'_>> {
        unimplemented!()
    }
    /// MEMORY.md and `memory/*.md` where absent, in the user's language (CONTRACTS section 6).
    pub fn scaffold(&self, language: mnemo_home::Language, today: NaiveDate) -> Result<()> {
        let _ = (language, today);
        unimplemented!()
    }
    /// One line of the tool log and, where the call counts, one observation.
    pub fn log_tool(&self, now: DateTime<Local>, call: &tools::Call) -> Result<()> {
        let _ = (now, call);
        unimplemented!()
    }
}

/// The conversations folder with its lock held.
#[derive(Debug)]
pub struct Conversations<'a> {
    record: &'a Record,
    _lock: safe_file::Lock,
}

impl Conversations<'_> {
    /// Appends entries to the day file of `now` by one write (header included when new; a torn
    /// tail is closed off first). Take `now` while this lock is held.
    pub fn append(&mut self, now: DateTime<Local>, entries: &[day::NewEntry]) -> Result<()> {
        let _ = (self.record, now, entries);
        unimplemented!()
    }
    /// The last entries of a day file: at most `limit` bytes of it, whole entries only, with
    /// their spans in the file.
    pub fn tail(&self, date: NaiveDate, limit: u64) -> Result<Vec<day::Located>> {
        let _ = (date, limit);
        unimplemented!()
    }
    /// Completes an entry that [`Conversations::tail`] found: `body` begins with what it holds.
    /// The file's last entry grows by one append; another one by a prepared file swapped in.
    pub fn complete(&mut self, date: NaiveDate, entry: &day::Located, body: &Clean) -> Result<()> {
        let _ = (date, entry, body);
        unimplemented!()
    }
    /// Applies changes to a day file by a prepared file swapped in (a pure append where all come
    /// at the end and nothing is completed). Streams; the file may be larger than memory.
    /// `seen` is what [`Conversations::digest`] told when the plan was made; if the file changed
    /// since: `safe_file::Error::Changed`.
    pub fn apply(
        &mut self,
        date: NaiveDate,
        seen: &day::Digest,
        changes: Vec<day::Change>,
    ) -> Result<()> {
        let _ = (date, seen, changes);
        unimplemented!()
    }
    /// Reads a day file as what repair needs to match entries, without keeping bodies.
    pub fn digest(&self, date: NaiveDate) -> Result<day::Digest> {
        let _ = date;
        unimplemented!()
    }
}
