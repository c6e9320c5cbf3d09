//! Logs a finished tool call.

use std::process::ExitCode;

fn main() -> ExitCode {
    claude_hook::run(
        "tool-log",
        env!("CARGO_PKG_VERSION"),
        &["PostToolUse", "PostToolUseFailure"],
        capture::tool,
    )
}
