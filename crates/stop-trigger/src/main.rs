//! Counts the stops of a session and asks for a checkpoint when one is due.

use std::process::ExitCode;

fn main() -> ExitCode {
    claude_hook::run(
        "stop-trigger",
        env!("CARGO_PKG_VERSION"),
        &["Stop"],
        capture::stop,
    )
}
