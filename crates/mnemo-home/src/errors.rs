//! The error log: where a hook that must stay silent says what went wrong.

use crate::text::one_line;
use crate::{Env, folders};
use chrono::{DateTime, Local, SecondsFormat};
use std::path::Path;

/// At this size the log becomes `errors.log.1`.
const LIMIT: u64 = 1_000_000;

/// Longest message, in characters.
const MESSAGE: usize = 500;

/// One line to `<state>/errors.log`, rotated at 1 MB; never fails, never holds user text.
/// Format: `[2026-11-30T14:03:22+09:00] [prompt-save 0.1.0] message`, control codes removed, the
/// message cut at 500 characters. Without a home directory nothing is written.
///
/// `program` is the executable's name; mnemo's version is added.
pub fn log_error(env: &Env, program: &str, message: &str) {
    let Some(state) = folders::state(env) else {
        return;
    };
    // Nobody is left to tell about a failure of the error log.
    let _ = write(&state, &line(env.now(), program, message));
}

fn line(now: DateTime<Local>, program: &str, message: &str) -> String {
    format!(
        "[{}] [{} {}] {}\n",
        now.to_rfc3339_opts(SecondsFormat::Secs, false),
        one_line(program, 60).replace([' ', ']'], "-"),
        env!("CARGO_PKG_VERSION"),
        one_line(message, MESSAGE)
    )
}

fn write(state: &Path, line: &str) -> safe_file::Result<()> {
    let log = state.join("errors.log");
    safe_file::create_private_dir(state)?;
    if std::fs::symlink_metadata(&log).is_ok_and(|meta| meta.len() >= LIMIT) {
        // One process rotates; the others write to whichever file has the name.
        if let Ok(Some(_lock)) = safe_file::Lock::try_acquire(&state.join("errors.log.lock")) {
            let _ = safe_file::rotate_over(&log, LIMIT, &state.join("errors.log.1"));
        }
    }
    safe_file::append(&log, line.as_bytes())
}

/// What the log says since `since`, oldest first: time, program, message. Lines it cannot read are
/// left out; so is everything when there is no log.
pub fn errors_since(env: &Env, since: DateTime<Local>) -> Vec<(DateTime<Local>, String, String)> {
    let Some(state) = folders::state(env) else {
        return Vec::new();
    };
    ["errors.log.1", "errors.log"]
        .into_iter()
        // Somewhat over the limit is possible: lines are appended by several processes.
        .filter_map(|name| safe_file::tail(&state.join(name), 2 * LIMIT).ok().flatten())
        .flat_map(|(_, bytes)| {
            String::from_utf8_lossy(&bytes)
                .split('\n')
                .filter_map(parse)
                .collect::<Vec<_>>()
        })
        .filter(|(time, _, _)| *time >= since)
        .collect()
}

fn parse(line: &str) -> Option<(DateTime<Local>, String, String)> {
    let (time, rest) = line.strip_prefix('[')?.split_once("] [")?;
    let (program, message) = rest.split_once("] ")?;
    let program = program.split_once(' ').map_or(program, |(name, _)| name);
    Some((
        DateTime::parse_from_rfc3339(time)
            .ok()?
            .with_timezone(&Local),
        one_line(program, 60),
        // The file could have been written to by others: no control codes from it either.
        one_line(message, MESSAGE),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_has_time_program_and_a_message_of_one_line() {
        let env = Env::from_pairs([("MNEMO_NOW", "2026-11-30T14:03:22Z")]);
        let line = line(env.now(), "prompt-save", "cannot\nwrite \u{1b}[31m");
        assert!(line.ends_with("] cannot write [31m\n"), "{line}");
        let (time, program, message) = parse(line.trim_end()).unwrap();
        assert_eq!(time, env.now());
        assert_eq!(program, "prompt-save");
        assert_eq!(message, "cannot write [31m");
    }

    #[test]
    fn damaged_lines_are_left_out() {
        for line in [
            "",
            "[",
            "[] [] ",
            "[x] [y] z",
            "plain",
            "[2026-11-30T14:03:22Z] [a",
        ] {
            assert_eq!(parse(line), None, "{line}");
        }
    }
}
