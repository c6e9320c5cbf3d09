//! Mirrors what the assistant said until it stopped into the day file.

use std::process::ExitCode;

fn main() -> ExitCode {
    claude_hook::run(
        "response-save",
        env!("CARGO_PKG_VERSION"),
        &["Stop"],
        capture::reply,
    )
}
