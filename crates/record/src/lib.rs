//! A project's record: its root, day files, tool log, observations, scaffold and index.
//!
//! - [`root`] says which directory the record belongs to; [`Record`] is the record there.
//! - [`Conversations`] is its `conversations/` folder with the lock held: the one way to write day
//!   files. [`day`] knows their bytes.
//! - [`tools`] is the tool log and the observations; [`index`] what repair remembers.
//!
//! Every path that is written is resolved inside the root first: the repository is not trusted.

mod conversations;
pub mod day;
mod exclude;
mod file;
mod git;
pub mod index;
mod last;
mod line;
mod look;
mod observations;
pub mod root;
mod scaffold;
pub mod tools;

pub use conversations::Conversations;
pub use last::Last;

use chrono::NaiveDate;
use root::Root;
use safe_file::{Boundary, Lock};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Folder of the day files and the tool log.
const CONVERSATIONS: &str = "conversations";
/// Folder of the memory files and the observations.
const MEMORY: &str = "memory";
/// The memory's index.
const MEMORY_INDEX: &str = "MEMORY.md";
/// Name of the lock file in both folders.
const LOCK: &str = ".mnemo.lock";
/// Locks and caches; who shares the folder does not want to share these.
const CACHES: &str = ".mnemo*";
/// Longest wait for a lock.
const WAIT: Duration = Duration::from_secs(2);
/// End of a day file's name.
const DAY_END: &str = "-claude.md";

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

/// Whether a folder, links resolved, lies in the conversations or the memory of a record: Markdown in
/// it is read as a part of it.
pub fn is_inside(folder: &Path) -> bool {
    folder.ancestors().any(|part| {
        let named = part
            .file_name()
            .is_some_and(|name| name == CONVERSATIONS || name == MEMORY);
        let root = part.parent().filter(|_| named);
        root.is_some_and(|root| {
            [root::MARKER, ".git"]
                .iter()
                .any(|mark| root.join(mark).exists())
        })
    })
}

/// The record of one project. Opening it touches nothing.
#[derive(Debug)]
pub struct Record {
    root: Root,
    boundary: Boundary,
    warnings: Mutex<Vec<String>>,
}

impl Record {
    /// Opens without creating anything.
    pub fn open(root: Root) -> Result<Self> {
        Ok(Self {
            boundary: Boundary::of_resolved(root.path().to_owned()),
            root,
            warnings: Mutex::default(),
        })
    }

    /// The root.
    pub fn root(&self) -> &Root {
        &self.root
    }

    /// What went wrong beside the matter (git's exclude file could not be written), for the error
    /// log. Each is told once.
    pub fn take_warnings(&self) -> Vec<String> {
        std::mem::take(&mut *self.warnings())
    }

    fn warnings(&self) -> MutexGuard<'_, Vec<String>> {
        // A list has no half state.
        self.warnings.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `conversations/DATE-claude.md`, resolved inside the boundary.
    pub fn day_path(&self, date: NaiveDate) -> Result<PathBuf> {
        self.resolve(&format!("{CONVERSATIONS}/{date}{DAY_END}"))
    }

    /// Dates that have a day file, ascending. Empty when there is no folder.
    pub fn days(&self) -> Result<Vec<NaiveDate>> {
        self.dates_of(DAY_END)
    }

    /// Makes `conversations/` if absent (0700, named in git's `info/exclude` then), takes its lock
    /// (at most 2 s).
    pub fn conversations(&self) -> Result<Conversations<'_>> {
        Ok(Conversations::new(self, self.lock_in(CONVERSATIONS)?))
    }

    /// The same for `memory/`.
    pub fn lock_memory(&self) -> Result<Lock> {
        self.lock_in(MEMORY)
    }

    /// Where the lock of `memory/` lies.
    pub fn memory_lock(&self) -> Result<PathBuf> {
        self.resolve(&format!("{MEMORY}/{LOCK}"))
    }

    /// The file of a record at `relative`, resolved inside the boundary.
    pub fn resolve(&self, relative: &str) -> Result<PathBuf> {
        let path = self.boundary.resolve(Path::new(relative))?;
        // Only a link leads there; what git reads is not for us to write.
        let below = path.strip_prefix(self.root.path()).unwrap_or(&path);
        if below.iter().any(|part| part.eq_ignore_ascii_case(".git")) {
            return Err(
                safe_file::Error::refused(&path, "its link leads into git's folder").into(),
            );
        }
        Ok(path)
    }

    /// Takes the lock of a folder of the record, making the folder if it is absent. What is made is
    /// named in git's `info/exclude`, while the lock is held.
    fn lock_in(&self, folder: &str) -> Result<Lock> {
        let relative = format!("{folder}/{LOCK}");
        let path = self.resolve(&relative)?;
        let is_new = std::fs::symlink_metadata(&path).is_err();
        match Lock::acquire(&path, WAIT) {
            Err(safe_file::Error::Io { source, .. })
                if source.kind() == std::io::ErrorKind::NotFound =>
            {
                safe_file::create_private_dir(&self.resolve(folder)?)?;
                let lock = Lock::acquire(&path, WAIT)?;
                self.exclude(&[&format!("{folder}/"), &format!("{folder}/{CACHES}")]);
                Ok(lock)
            }
            lock => {
                let lock = lock?;
                if is_new {
                    // A folder that was here before mnemo, perhaps shared: caches and locks are ours.
                    self.exclude(&[&format!("{folder}/{CACHES}")]);
                }
                Ok(lock)
            }
        }
    }

    /// Dates of the files in `conversations/` whose names are a date and `end`, ascending.
    pub(crate) fn dates_of(&self, end: &str) -> Result<Vec<NaiveDate>> {
        let folder = self.resolve(CONVERSATIONS)?;
        let entries = match std::fs::read_dir(&folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(safe_file::Error::io("list", &folder, error).into()),
        };
        let mut dates: Vec<NaiveDate> = entries
            .flatten()
            .filter_map(|entry| date_of(entry.file_name().to_str()?.strip_suffix(end)?))
            .collect();
        dates.sort_unstable();
        Ok(dates)
    }
}

/// `YYYY-MM-DD` and nothing else.
fn date_of(text: &str) -> Option<NaiveDate> {
    let date: NaiveDate = text.parse().ok()?;
    (date.to_string() == text).then_some(date)
}
