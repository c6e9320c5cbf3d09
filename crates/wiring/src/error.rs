//! Why install and uninstall do nothing.

use crate::plan::Refusal;
use std::path::{Path, PathBuf};

/// Why nothing (or, with [`Error::Part`], not everything) was done.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// Neither a home directory nor folders for settings and state.
    #[error("no home directory; set HOME and run again")]
    NoHome,
    /// A hook program is not where it should be.
    #[error("{} is not there or cannot be run; build and install the hooks first (./install.sh)", .0.display())]
    Missing(PathBuf),
    /// JSON cannot hold the path.
    #[error("{} cannot be written into the settings: its name is not UTF-8, or not absolute", .0.display())]
    Path(PathBuf),
    /// The settings file is not JSON.
    #[error("{}. Nothing was changed: correct it and run again", not_json(path, *line, *column, what))]
    Json {
        /// The settings file.
        path: PathBuf,
        /// From 1.
        line: usize,
        /// From 1, in characters.
        column: usize,
        /// What is wrong there.
        what: &'static str,
    },
    /// The settings file is JSON of another shape.
    #[error("{}: {what}; nothing was changed: correct it and run again", path.display())]
    Shape {
        /// The settings file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The settings file may not be written.
    #[error("{} is read-only; make it writable (chmod u+w) and run again", .0.display())]
    ReadOnly(PathBuf),
    /// The note of what was installed comes from a newer mnemo.
    #[error("{} was written by a newer mnemo; use that one", .0.display())]
    Newer(PathBuf),
    /// The file system refused; nothing was changed.
    #[error("{0}; the settings were not changed")]
    File(#[from] safe_file::Error),
    /// The settings were written, something after that failed.
    #[error("{source}; the settings in {} were changed all the same: {undo}", path.display())]
    Part {
        /// The settings file.
        path: PathBuf,
        /// How to go on or back.
        undo: &'static str,
        /// What failed.
        source: safe_file::Error,
    },
}

impl Error {
    /// 3 something is missing or unreadable, 4 refused for safety (nothing changed), 5 changed in
    /// part.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NoHome | Self::Missing(_) => 3,
            Self::File(error) => match error {
                safe_file::Error::Refused { .. } | safe_file::Error::Changed { .. } => 4,
                _ => 3,
            },
            Self::Path(_)
            | Self::Json { .. }
            | Self::Shape { .. }
            | Self::ReadOnly(_)
            | Self::Newer(_) => 4,
            Self::Part { .. } => 5,
        }
    }

    pub(crate) fn refused(path: &Path, refusal: Refusal) -> Self {
        let path = path.to_owned();
        match refusal {
            Refusal::Json(fault) => Self::Json {
                path,
                line: fault.line,
                column: fault.column,
                what: fault.what,
            },
            other => Self::Shape {
                what: misshapen(&other),
                path,
            },
        }
    }
}

/// Why a settings file cannot be read, without advice for install.
pub(crate) fn why_refused(path: &Path, refusal: &Refusal) -> String {
    match refusal {
        Refusal::Json(fault) => not_json(path, fault.line, fault.column, fault.what),
        other => format!("{}: {}", path.display(), misshapen(other)),
    }
}

fn not_json(path: &Path, line: usize, column: usize, what: &str) -> String {
    format!(
        "{} is not valid JSON at line {line} column {column}: {what}; the client itself runs no hook of such a file",
        path.display()
    )
}

fn misshapen(refusal: &Refusal) -> String {
    match refusal {
        Refusal::Json(_) => "the file is not JSON".to_owned(),
        Refusal::NotUtf8 => "the file is not UTF-8 text".to_owned(),
        Refusal::Shape(key, expected) if key.is_empty() => {
            format!("the file does not hold {expected}")
        }
        Refusal::Shape(key, expected) => format!("`{key}` is not {expected}"),
        Refusal::Twice(key) => format!("`{key}` stands there more than once"),
    }
}
