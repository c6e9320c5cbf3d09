//! Mirrors the prompt that the person submits into the day file.

use std::process::ExitCode;

fn main() -> ExitCode {
    claude_hook::run(
        "prompt-save",
        env!("CARGO_PKG_VERSION"),
        &["UserPromptSubmit"],
        capture::prompt,
    )
}
