//! What the companion's exit codes mean, and the errors a user sees.

use std::process::ExitCode;

/// The exit codes, one meaning each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Exit {
    /// Done, nothing to report.
    Done = 0,
    /// Done, with findings.
    Findings = 1,
    /// The command line is wrong (clap ends with it by itself too).
    Usage = 2,
    /// Input is missing or unreadable; nothing was changed.
    Input = 3,
    /// Refused for safety; nothing was changed.
    Refused = 4,
    /// Changed in part.
    Part = 5,
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}

impl Exit {
    /// From a number that another crate gives.
    pub(crate) fn from_code(code: u8) -> Self {
        match code {
            0 => Self::Done,
            1 => Self::Findings,
            2 => Self::Usage,
            4 => Self::Refused,
            5 => Self::Part,
            _ => Self::Input,
        }
    }
}

/// Why a command could not do its work: a sentence for the user and the exit code.
#[derive(Debug)]
pub(crate) struct Failure {
    exit: Exit,
    text: String,
}

impl Failure {
    /// Something is missing or unreadable.
    pub(crate) fn input(text: impl Into<String>) -> Self {
        Self {
            exit: Exit::Input,
            text: text.into(),
        }
    }

    /// A file that a person named could not be read, a folder or a FIFO in its place included.
    pub(crate) fn unreadable(error: &safe_file::Error) -> Self {
        Self::input(error.to_string())
    }

    /// The command line asks for something impossible.
    pub(crate) fn usage(text: impl Into<String>) -> Self {
        Self {
            exit: Exit::Usage,
            text: text.into(),
        }
    }

    /// Doing it could harm.
    pub(crate) fn refused(text: impl Into<String>) -> Self {
        Self {
            exit: Exit::Refused,
            text: text.into(),
        }
    }

    /// With the code of the crate that failed.
    pub(crate) fn with_code(code: u8, text: impl Into<String>) -> Self {
        Self {
            exit: Exit::from_code(code),
            text: text.into(),
        }
    }

    /// The exit code.
    pub(crate) fn exit(&self) -> Exit {
        self.exit
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl From<safe_file::Error> for Failure {
    fn from(error: safe_file::Error) -> Self {
        let exit = match error {
            safe_file::Error::Refused { .. } | safe_file::Error::Changed { .. } => Exit::Refused,
            _ => Exit::Input,
        };
        Self {
            exit,
            text: error.to_string(),
        }
    }
}

impl From<record::Error> for Failure {
    fn from(error: record::Error) -> Self {
        match error {
            record::Error::File(error) => error.into(),
            other => Self::input(other.to_string()),
        }
    }
}

impl From<memory::Error> for Failure {
    fn from(error: memory::Error) -> Self {
        match error {
            memory::Error::File(error) => error.into(),
            memory::Error::Edit(error) => Self::refused(error.to_string()),
            other => Self::input(other.to_string()),
        }
    }
}

impl From<reconcile::Error> for Failure {
    fn from(error: reconcile::Error) -> Self {
        match error {
            reconcile::Error::Record(error) => error.into(),
            reconcile::Error::File(error) => error.into(),
            other => Self::input(other.to_string()),
        }
    }
}

impl From<wiring::Error> for Failure {
    fn from(error: wiring::Error) -> Self {
        Self::with_code(error.exit_code(), error.to_string())
    }
}

impl From<changes::Error> for Failure {
    fn from(error: changes::Error) -> Self {
        Self::with_code(error.exit_code(), error.to_string())
    }
}
