//! Brings turns that were missed into the record, at a session's start and before a compaction.

use std::process::ExitCode;

fn main() -> ExitCode {
    claude_hook::run(
        "session-reconcile",
        env!("CARGO_PKG_VERSION"),
        &["SessionStart", "PreCompact"],
        reconcile::on_event,
    )
}
