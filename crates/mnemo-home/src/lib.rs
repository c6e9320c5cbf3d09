//! Where mnemo keeps its own configuration, state and error log; the clock and the environment.
//!
//! The one crate that reads process variables and the clock: all others are handed an [`Env`].

mod checksum;
mod config;
mod env;
mod errors;
mod folders;
mod language;
pub mod notes;
pub mod text;
mod yaml;
mod zone;

pub use checksum::checksum;
pub use config::{Config, DEFAULT_RULES_DIR, DEFAULT_TOOLS_SKIP, Deliver};
pub use env::Env;
pub use errors::{errors_since, log_error};
pub use folders::Folders;
pub use language::Language;
pub use text::{counted, one_line};
pub use yaml::scans_in_time;
pub use zone::leave_unreadable_zone;
