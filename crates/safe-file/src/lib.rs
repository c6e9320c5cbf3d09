//! Locks, appends and replaces files: crash-safe, in private modes, never outside a boundary.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What can go wrong with a file. The text names the file and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The operating system refused.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// Verb of the failed action.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's own error.
        source: std::io::Error,
    },
    /// A link leads outside the boundary, or the thing is a device, a FIFO or a socket.
    #[error("refused {}: {why}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// Why.
        why: &'static str,
    },
    /// Another process held the lock for the whole wait.
    #[error("gave up waiting for the lock {}", path.display())]
    Busy {
        /// The lock file.
        path: PathBuf,
    },
    /// The file was changed by someone else since it was read.
    #[error("{} changed meanwhile; nothing was replaced", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

/// Result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// A directory outside which nothing is read or written through links.
#[derive(Debug, Clone)]
pub struct Boundary {
    root: PathBuf,
}

impl Boundary {
    /// `root` must exist; it is resolved (links followed) here, once.
    pub fn new(root: &Path) -> Result<Self> {
        let _ = root;
        unimplemented!()
    }
    /// The resolved root.
    pub fn root(&self) -> &Path {
        &self.root
    }
    /// The real path of `relative` below the root (which need not exist yet). Refuses links that
    /// lead outside, `..`, and an existing final component that is not a regular file or directory.
    pub fn resolve(&self, relative: &Path) -> Result<PathBuf> {
        let _ = relative;
        unimplemented!()
    }
}

/// A held kernel lock. Dropped = released.
#[derive(Debug)]
pub struct Lock {
    _file: Option<File>,
    supported: bool,
}

impl Lock {
    /// Takes the lock on `path` (created 0600 if absent), trying with growing pauses for at most
    /// `wait`; checks after taking it that the file was not unlinked meanwhile. Where the file
    /// system has no locks the lock is granted and [`Lock::supported`] is false.
    pub fn acquire(path: &Path, wait: Duration) -> Result<Self> {
        let _ = (path, wait);
        unimplemented!()
    }
    /// One try: `None` when another process holds it.
    pub fn try_acquire(path: &Path) -> Result<Option<Self>> {
        let _ = path;
        unimplemented!()
    }
    /// False where the file system has no locks.
    pub fn supported(&self) -> bool {
        self.supported
    }
}

/// Makes `path` and its missing parents, each new one 0700 whatever the umask.
pub fn create_private_dir(path: &Path) -> Result<()> {
    let _ = path;
    unimplemented!()
}

/// Appends `block` by one `write` to `path` (created 0600 whatever the umask; links at the final
/// component are not followed). When the write comes out short (full disk, quota) the file is cut
/// back to its old length and the error is returned: no torn block stays.
pub fn append(path: &Path, block: &[u8]) -> Result<()> {
    let _ = (path, block);
    unimplemented!()
}

/// Replaces the content of `path` (created 0600 if absent, else its mode is kept; a link at the
/// final component is followed) atomically: a temporary file in the same folder, then a rename.
pub fn replace(path: &Path, content: &[u8]) -> Result<()> {
    let _ = (path, content);
    unimplemented!()
}

/// As [`replace`], the content written by `write` to a buffered temporary file; `check` runs right
/// before the rename and its error keeps the old file. For files too large for memory.
pub fn replace_with(
    path: &Path,
    write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>,
    check: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let _ = (path, write, check);
    unimplemented!()
}

/// The last `limit` bytes of a file and the offset they start at; `None` when there is no file.
pub fn tail(path: &Path, limit: u64) -> Result<Option<(u64, Vec<u8>)>> {
    let _ = (path, limit);
    unimplemented!()
}

/// The whole file, `None` when it does not exist. Refuses what is not a regular file, and files
/// larger than `limit` bytes.
pub fn read(path: &Path, limit: u64) -> Result<Option<Vec<u8>>> {
    let _ = (path, limit);
    unimplemented!()
}
