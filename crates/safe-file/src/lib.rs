//! Locks, appends and replaces files: crash-safe, in private modes, never outside a boundary.
//!
//! - [`append`] adds one block by one `write`, [`replace`] swaps a prepared file in; neither ever
//!   truncates what was there before it has something whole to put in its place.
//! - [`Lock`] is a kernel lock on an open file: it ends with its process, whatever kills it.
//! - [`Boundary`] turns a path inside an untrusted folder into a real path inside that folder, or
//!   refuses.
//! - Nothing here opens a FIFO or a device in a way that could block.
#![allow(
    clippy::disallowed_methods,
    reason = "the one crate that opens files for writing"
)]

mod append;
mod boundary;
mod bounded;
mod dir;
mod lock;
mod platform;
mod read;
mod replace;
mod rotate;

pub use append::{append, create_new};
pub use boundary::Boundary;
pub use bounded::Bounded;
pub use dir::create_private_dir;
pub use lock::Lock;
pub use read::{open_regular, read, read_real, read_with_metadata, tail};
pub use replace::{
    Stamp, create_whole, put, put_if, remove, remove_durably, rename_durably, replace,
    replace_cheaply, replace_durably, replace_with, stamp, sweep_beside, sweep_temps,
    sweep_temps_of,
};
pub use rotate::{move_aside, rotate, rotate_over};

use std::path::{Path, PathBuf};

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
    #[error("gave up waiting for the lock {}; try again when the other mnemo process is done", path.display())]
    Busy {
        /// The lock file.
        path: PathBuf,
    },
    /// The file was changed by someone else since it was read.
    #[error("{} changed meanwhile; nothing was replaced, try again", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

impl Error {
    /// An [`Error::Io`]; `action` is a verb that fits "cannot … FILE".
    pub fn io(action: &'static str, path: &Path, source: std::io::Error) -> Self {
        Self::Io {
            action,
            path: path.to_owned(),
            source,
        }
    }

    /// An [`Error::Refused`].
    pub fn refused(path: &Path, why: &'static str) -> Self {
        Self::Refused {
            path: path.to_owned(),
            why,
        }
    }
}

/// Result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

const LINK: &str = "it is a link; replace it by a regular file";
const LINK_LOOP: &str = "its links form a loop or a too long chain";
const OUTSIDE: &str = "it leads outside the project";
const FOLDER: &str = "it is a folder";
const NO_FOLDER: &str = "a part of its path is not a folder";
const SPECIAL: &str = "it is not a regular file (a device, a FIFO or a socket)";

/// Why a thing that is no regular file is refused.
fn why_not_regular(kind: std::fs::FileType) -> &'static str {
    if kind.is_symlink() {
        LINK
    } else if kind.is_dir() {
        FOLDER
    } else {
        SPECIAL
    }
}

/// Opening `path` failed: refused for what it is, or the system's own error. Only looked at after
/// the failure, so the good path pays nothing; the codes for "is a link" differ between systems.
fn open_error(action: &'static str, path: &Path, source: std::io::Error) -> Error {
    match std::fs::symlink_metadata(path) {
        Ok(meta) if !meta.is_file() => Error::refused(path, why_not_regular(meta.file_type())),
        _ => Error::io(action, path, source),
    }
}

/// The metadata of an open file; refused unless it is a regular one.
fn regular(action: &'static str, path: &Path, file: &std::fs::File) -> Result<std::fs::Metadata> {
    let meta = file
        .metadata()
        .map_err(|source| Error::io(action, path, source))?;
    if meta.is_file() {
        Ok(meta)
    } else {
        Err(Error::refused(path, why_not_regular(meta.file_type())))
    }
}

/// The folder that holds `path`, `.` for a bare name.
fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}
