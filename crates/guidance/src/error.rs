//! Why guidance is not written.

use crate::Fault;
use std::path::{Path, PathBuf};

/// Why nothing was done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Neither a home directory nor folders for settings and state.
    #[error("no home directory; set HOME and run again")]
    NoHome,
    /// The file named is not there.
    #[error("{} is not there; name a CLAUDE.md that is", .0.display())]
    Absent(PathBuf),
    /// The folder of the file named is not there.
    #[error("there is no folder {}; make it first, or name another file", .0.display())]
    NoFolder(PathBuf),
    /// The file is not text.
    #[error("{} is not UTF-8 text; nothing was changed", .0.display())]
    NotText(PathBuf),
    /// Its owner made the file read-only.
    #[error("{} is read-only; make it writable first (`chmod u+w`), nothing was changed", .0.display())]
    ReadOnly(PathBuf),
    /// Marks that do not fit together.
    #[error("{}:{line}: {what}; correct that by hand, nothing was changed", path.display())]
    Marks {
        /// The file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// What is wrong.
        what: &'static str,
    },
    /// The note of what was made comes from a newer mnemo.
    #[error("{} was written by a newer mnemo; use that one", .0.display())]
    Newer(PathBuf),
    /// The file system refused when some skills were in place.
    #[error("{0}; some of the skills are in place: run `mnemo install` again when that is mended")]
    Part(#[source] safe_file::Error),
    /// The file system refused.
    #[error(transparent)]
    File(#[from] safe_file::Error),
    /// The change could not be made.
    #[error(transparent)]
    Change(#[from] changes::Error),
}

impl Error {
    pub(crate) fn marks(path: &Path, fault: Fault) -> Self {
        Self::Marks {
            path: path.to_owned(),
            line: fault.line,
            what: fault.what,
        }
    }

    /// 3 something is missing or unreadable, 4 refused for safety (nothing changed), 5 changed in
    /// part.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NoHome | Self::Absent(_) | Self::NoFolder(_) | Self::NotText(_) => 3,
            Self::Marks { .. } | Self::Newer(_) | Self::ReadOnly(_) => 4,
            Self::File(error) => match error {
                safe_file::Error::Refused { .. } | safe_file::Error::Changed { .. } => 4,
                _ => 3,
            },
            Self::Part(_) => 5,
            Self::Change(error) => error.exit_code(),
        }
    }
}
