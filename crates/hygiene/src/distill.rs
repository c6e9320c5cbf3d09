//! What the observation logs hold since the offset, grouped for a person to turn into memory.

use crate::observations::{Log, Logs, OFFSET, Observation};
use crate::{Result, to_show};
use changes::ChangeSet;
use mnemo_home::Env;
use record::Record;
use safe_file::Boundary;
use serde::Serialize;
use std::collections::BTreeMap;

/// Characters of an example that are shown.
const EXAMPLE: usize = 300;

/// Observations that are alike.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Group {
    /// Whether they failed.
    pub failed: bool,
    /// The tool.
    pub tool: String,
    /// What was called: a program and its subcommand, a file, a kind of agent.
    pub what: String,
    /// The error, with what differs from time to time taken out; empty for a success.
    pub shape: String,
    /// How many.
    pub count: usize,
    /// The first and the last time.
    pub first: String,
    /// See `first`.
    pub last: String,
    /// The newest input.
    pub input: String,
    /// The end of the newest output.
    pub output: String,
}

/// What is new since the offset.
#[derive(Debug, Clone, Serialize)]
pub struct Distillate {
    /// Lines of the failures and the successes since the offset.
    pub new_failures: usize,
    /// See `new_failures`.
    pub new_successes: usize,
    /// Lines that are no observations.
    pub unreadable: usize,
    /// The offset lies beyond the logs: what is new since it is not known.
    pub offset_beyond: bool,
    /// Groups, failures first, the largest first.
    pub groups: Vec<Group>,
}

/// Groups what is new.
pub fn distill(logs: &Logs) -> Distillate {
    let (gotchas, learned) = logs
        .offset
        .map_or((0, 0), |offset| (offset.gotchas, offset.learned));
    let mut groups: BTreeMap<(bool, String, String, String), Group> = BTreeMap::new();
    let mut unreadable = 0;
    let new_failures = collect(&logs.gotchas, gotchas, true, &mut groups, &mut unreadable);
    let new_successes = collect(&logs.learned, learned, false, &mut groups, &mut unreadable);
    let mut groups: Vec<Group> = groups.into_values().collect();
    groups.sort_by(|a, b| {
        (b.failed, b.count, &a.tool, &a.what).cmp(&(a.failed, a.count, &b.tool, &b.what))
    });
    Distillate {
        new_failures,
        new_successes,
        unreadable,
        offset_beyond: logs.is_offset_beyond(),
        groups,
    }
}

fn collect(
    log: &Log,
    from: i64,
    failed: bool,
    groups: &mut BTreeMap<(bool, String, String, String), Group>,
    unreadable: &mut usize,
) -> usize {
    let mut count = 0;
    for line in log.since(from) {
        if line.trim_ascii().is_empty() {
            continue;
        }
        count += 1;
        let Some(one) = Observation::parse(line) else {
            *unreadable += 1;
            continue;
        };
        let one = Observation {
            input: to_show(&one.input),
            output: to_show(&one.output),
            ..one
        };
        let what = called(&one);
        let (shape, output) = if failed {
            let error = error_line(&one.output);
            (shape(error), excerpt(error))
        } else {
            (String::new(), excerpt(one.output.trim()))
        };
        let tool = if one.tool.is_empty() {
            "(none)".to_owned()
        } else {
            one.tool.clone()
        };
        let group = groups
            .entry((failed, tool.clone(), what.clone(), shape.clone()))
            .or_insert_with(|| Group {
                failed,
                tool,
                what,
                shape,
                count: 0,
                first: one.timestamp.clone(),
                last: String::new(),
                input: String::new(),
                output: String::new(),
            });
        group.count += 1;
        group.last = one.timestamp;
        group.input = excerpt(&one.input);
        group.output = output;
    }
    count
}

fn excerpt(text: &str) -> String {
    let mut out: String = text.chars().take(EXAMPLE).collect();
    if out.len() < text.len() {
        out.push('…');
    }
    out
}

/// What a call was about, coarse enough that repetitions meet.
fn called(one: &Observation) -> String {
    let field = |name: &[u8]| {
        lenient_json::members(one.input.as_bytes())
            .find(|(key, _)| *key == name)
            .map(|(_, value)| {
                serde_json::from_slice::<String>(value)
                    .unwrap_or_else(|_| String::from_utf8_lossy(value).trim_matches('"').to_owned())
            })
    };
    if let Some(command) = field(b"command") {
        return program(&command);
    }
    [
        &b"file_path"[..],
        b"notebook_path",
        b"subagent_type",
        b"skill",
        b"url",
        b"query",
    ]
    .into_iter()
    .find_map(field)
    .unwrap_or_default()
}

/// The program and its subcommand: `cargo test`, `git push`.
fn program(command: &str) -> String {
    let mut words = command
        .split_whitespace()
        .skip_while(|word| word.contains('=') && !word.starts_with('-'))
        .filter(|word| !matches!(*word, "sudo" | "time" | "nice" | "env"));
    // What comes behind `cd … &&` is what was meant.
    let first = words.next().unwrap_or_default();
    if first == "cd"
        && let Some((_, rest)) = command.split_once("&&")
    {
        return program(rest);
    }
    match words.next() {
        Some(second)
            if second.starts_with(|c: char| c.is_ascii_lowercase())
                && second
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | ':' | '_')) =>
        {
            format!("{first} {second}")
        }
        _ => first.to_owned(),
    }
}

/// The line of an output that says what went wrong: the first that has the shape of an error, else
/// the last that is not blank. JSON objects are looked into.
fn error_line(output: &str) -> &str {
    let lines = || {
        output
            .split("\\n")
            .flat_map(str::lines)
            .map(str::trim)
            .filter(|line| line.chars().any(char::is_alphanumeric))
    };
    let looks = |line: &&str| {
        let lower = line.to_ascii_lowercase();
        [
            "error",
            "fatal",
            "failed",
            "exception",
            "panicked",
            "not found",
            "denied",
            "no such",
        ]
        .iter()
        .any(|word| lower.contains(word))
    };
    lines()
        .find(looks)
        .or_else(|| lines().last())
        .unwrap_or_default()
}

/// A line without what differs from time to time: numbers, hashes, paths, quoted names.
fn shape(line: &str) -> String {
    let mut out = String::new();
    for word in line.split_whitespace().take(24) {
        let core = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '/');
        let digits = core.chars().filter(char::is_ascii_digit).count();
        let word = if core.contains('/') || core.contains('\\') {
            "PATH"
        } else if digits > 0
            && (digits * 2 >= core.len()
                || core.len() >= 7 && core.chars().all(|c| c.is_ascii_hexdigit()))
        {
            "N"
        } else {
            word
        };
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    out
}

/// Plans that everything up to now counts as distilled.
pub fn done(record: &Record, logs: &Logs, env: &Env) -> Result<ChangeSet> {
    let boundary = Boundary::of_resolved(record.root().path().to_owned());
    let mut set = ChangeSet::new("distill", boundary);
    let is_anything = logs.gotchas.exists || logs.learned.exists || logs.offset_bytes.is_some();
    if !is_anything {
        return Ok(set);
    }
    set.put(
        OFFSET,
        logs.offset_bytes.clone(),
        Some(logs.at_end(env).render()),
    );
    Ok(set)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_meet_by_program_and_subcommand() {
        assert_eq!(program("cargo test --workspace -q"), "cargo test");
        assert_eq!(program("cd app && RUST_LOG=1 cargo  test x"), "cargo test");
        assert_eq!(program("./run.sh /tmp/x"), "./run.sh");
        assert_eq!(program(""), "");
    }

    #[test]
    fn errors_meet_by_their_shape() {
        let a = shape("error[E0308]: mismatched types at src/main.rs:12:5");
        let b = shape("error[E0308]: mismatched types at src/lib.rs:8:1");
        assert_eq!(a, b);
        assert_eq!(shape("port 8080 in use"), "port N in use");
        assert_eq!(error_line("ok\nfatal: no remote\nbye"), "fatal: no remote");
    }
}
