//! What the assistant is told: skills, and marked blocks in a CLAUDE.md that the user names.
//!
//! ```text
//! <config>/skills/NAME/...      mnemo's skills (made by install, taken out by uninstall)
//! any CLAUDE.md                 two blocks between marks (made by `mnemo rules install FILE`)
//! <state>/guidance.json         what was made where
//! ```
//!
//! Only what mnemo made and nobody changed since is ever replaced or taken out. A skill folder of
//! the same name that is somebody else's is left alone.
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files"))]

mod blocks;
mod error;
mod note;
pub mod own;
pub mod rules;
pub mod skills;

pub use blocks::{Block, Fate, Fault};
pub use error::Error;

/// Result of this crate.
pub type Result<T> = std::result::Result<T, Error>;
