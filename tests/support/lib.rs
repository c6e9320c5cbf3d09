//! What the end-to-end tests stand on. Nothing here uses the product's own crates: what mnemo
//! writes is read back by independent code, so that one misunderstanding cannot hide in both.
//!
//! - [`TestEnv`]: a temporary home and project, a clean environment, and the built executables to
//!   run in it with exact bytes on their standard input.
//! - [`Session`]: hook payloads and transcript lines as the client writes them.
//! - [`day`]: a strict reader of day files and tool logs.
//! - [`tree`]: what lies in a folder, with kinds, modes and bytes.
//! - [`Api`]: a stand-in for the Messages API on loopback that answers from a script.
//! - [`client`]: the real client, in print mode and in a terminal, inside a [`TestEnv`].
//!
//! A black-box test of a hook reads like this:
//!
//! ```ignore
//! let env = TestEnv::new();
//! let session = env.session();
//! env.hook("prompt-save", &session.prompt("p1", "hello")).silent();
//! assert_eq!(env.turns(), [user("hello")]);
//! ```
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    clippy::missing_panics_doc,
    reason = "test support: a panic is how a test fails, standard error is where it explains itself"
)]

pub mod api;
pub mod bins;
pub mod client;
pub mod day;
pub mod env;
mod healthy;
pub mod netns;
pub mod session;
pub mod tree;
pub mod wait;

pub use api::{Api, Reply};
pub use bins::bin;
pub use day::{Role, Turn, assistant, user};
pub use env::{Cmd, Done, TestEnv};
pub use session::Session;
