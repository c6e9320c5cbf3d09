//! Puts mnemo's hooks into Claude Code's settings file and takes them out again.
//!
//! The file is the user's: it is edited as text, so every byte outside mnemo's own entries stays
//! as it was. What is not strict JSON is refused, since the client ignores such a file anyway.
//! [`uninstall`] gives back the bytes from before [`install`] if nobody changed the file since, and
//! otherwise takes out exactly mnemo's own entries, known by their exact commands.
//!
//! ```text
//! <config>/settings.json     the client's file, edited
//! <state>/wiring.json        which entries are ours, and how to go back
//! <state>/backups/           the bytes from before; uninstall leaves them there
//! ```
//!
//! The core (`plan`) is a function of bytes; `install`, `uninstall` and `inspect` read and write
//! around it.
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files"))]

mod client;
mod entries;
mod error;
mod hooks;
mod inspect;
mod install;
mod json;
mod look;
mod place;
mod plan;
mod record;
mod report;
mod splice;

pub use client::{client_version, says as version_line};
pub use error::Error;
pub use hooks::{PROGRAMS, matcher};
pub use inspect::{HookState, WiringState, inspect};
pub use install::{install, uninstall};
pub use look::{Looked, Placed, look, wanted};
pub use report::{Action, Original, Report, Wired};

use std::path::{Path, PathBuf};

/// Result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// What the user asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    /// The folder of the hook programs, absolute (see [`programs_beside`]).
    pub programs: PathBuf,
    /// Write nothing; the report says what would change.
    pub dry_run: bool,
    /// Turn the client's own auto memory off as well.
    pub record_only: bool,
    /// Take the hooks of the original mnemo out.
    pub replace_original: bool,
}

/// The folder of the hook programs that belong to the program `exe`: where it lies, or, when it
/// was called through a link beside which there are none, where the link leads.
pub fn programs_beside(exe: &Path) -> PathBuf {
    let folder = |path: &Path| path.parent().map(Path::to_path_buf).unwrap_or_default();
    let here = folder(exe);
    let all_there = PROGRAMS
        .iter()
        .all(|program| hooks::program_path(&here, program).is_file());
    if all_there {
        return here;
    }
    std::fs::canonicalize(exe).map_or(here, |real| folder(&real))
}
