//! What can go wrong, and what a command ends with then.

use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};

/// Result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// What can go wrong. The text names the files and what to do.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Without a state folder nothing could be undone.
    #[error(
        "there is no home directory, so what changes could not be undone: set HOME or XDG_STATE_HOME; nothing was changed"
    )]
    NoStateFolder,
    /// A file could not be read or written, or may not; nothing was changed.
    #[error(transparent)]
    File(#[from] safe_file::Error),
    /// Files are not as they were when the change was planned; nothing was changed.
    #[error("changed meanwhile, so nothing was done (try again): {}", list(.0))]
    Changed(Vec<Difference>),
    /// Files are not as the set to undo left them; nothing was changed.
    #[error("{set} is not undone, since these files changed after it: {}", list(.files))]
    ChangedSince {
        /// The set.
        set: String,
        /// The files.
        files: Vec<Difference>,
    },
    /// Two changes of one plan mean the same file; nothing was changed.
    #[error("{} is named twice in one change; nothing was changed", .0.display())]
    Twice(PathBuf),
    /// The set could not be carried out; everything is as it was.
    #[error("{source}; nothing was changed: what had been done was put back")]
    PutBack {
        /// What failed.
        source: Box<Error>,
    },
    /// The set was carried out in part, and could not be put back.
    #[error(
        "{source}; done in part: {}; the bytes from before are in {}; the next mnemo command finishes it, `mnemo undo` takes it back",
        paths(.done), .set.display()
    )]
    Part {
        /// What failed.
        source: Box<Error>,
        /// The files that are changed.
        done: Vec<PathBuf>,
        /// The set's folder.
        set: PathBuf,
    },
    /// An earlier set of the same folder was interrupted and cannot be brought to an end; nothing was
    /// changed.
    #[error(
        "an interrupted `mnemo {command}` in {} waits for what it cannot reach: {why}; the bytes are in {}; nothing was changed",
        .root.display(), .set.display()
    )]
    Waiting {
        /// Its command.
        command: String,
        /// Its folder.
        root: PathBuf,
        /// The set's folder.
        set: PathBuf,
        /// What failed.
        why: String,
    },
    /// A set's own files are damaged.
    #[error("the undo set {} is damaged ({why}); it is left as it is", .path.display())]
    Damaged {
        /// The set's folder or file.
        path: PathBuf,
        /// Why.
        why: String,
    },
}

impl Error {
    /// The exit code: 3 input missing or unreadable, 4 refused for safety, 5 changed in part.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::File(safe_file::Error::Refused { .. } | safe_file::Error::Changed { .. })
            | Self::Changed(_)
            | Self::ChangedSince { .. }
            | Self::Twice(_)
            | Self::Damaged { .. } => 4,
            Self::NoStateFolder | Self::File(_) | Self::Waiting { .. } => 3,
            Self::PutBack { source } => source.exit_code(),
            Self::Part { .. } => 5,
        }
    }
}

/// A file that is not as expected.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Difference {
    /// The file.
    pub path: PathBuf,
    /// How it differs.
    pub how: How,
}

/// How a file differs from what was expected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum How {
    /// Other bytes.
    Changed,
    /// It is not there any more.
    Gone,
    /// There is one where there was none.
    Appeared,
    /// Links lead elsewhere now, or it is no regular file any more.
    Elsewhere,
}

impl fmt::Display for How {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Changed => "changed",
            Self::Gone => "gone",
            Self::Appeared => "there is one now",
            Self::Elsewhere => "links lead elsewhere now",
        })
    }
}

/// Names shown in one message.
const SHOWN: usize = 10;

fn list(files: &[Difference]) -> String {
    joined(
        files
            .iter()
            .map(|file| format!("{} ({})", file.path.display(), file.how)),
    )
}

fn paths(paths: &[PathBuf]) -> String {
    joined(paths.iter().map(|path| Path::display(path).to_string()))
}

fn joined(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = names.len().saturating_sub(SHOWN);
    let mut text = names.take(SHOWN).collect::<Vec<_>>().join(", ");
    if more > 0 {
        let _ = write!(text, " and {more} more");
    }
    text
}
