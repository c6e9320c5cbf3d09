//! `memory/{gotchas,learned}/observations.jsonl`: what tool calls taught, one JSON object a line.

use crate::tools::{Call, PATH_KEYS, cut_back, decode, observations_file, relative};
use crate::{MEMORY, Record, Result};
use chrono::{DateTime, Local, Utc};
use redact::Policy;
use serde::Serialize;
use std::path::Path;

/// Longest `input` and `output`, in bytes.
const FIELD_LIMIT: usize = 3000;
/// A file that reaches this size moves to the archive, in bytes.
const ROTATE_AT: u64 = 10 * 1024 * 1024;
/// How much of a value is rendered and filtered before it is cut, in bytes.
const WINDOW: usize = 64 * 1024;
/// How far distilling has come: lines of gotchas, lines of learned, reference epoch.
const BASELINE: &str = ".mnemo-distill-offset";
/// Largest baseline file that is read, in bytes.
const BASELINE_LIMIT: u64 = 1024;
/// Deepest nesting that is rendered; what lies deeper is left out.
const DEEPEST: usize = 128;
/// Tools whose successes are kept. `Task` is the old name of `Agent`.
const KEPT: [&str; 7] = [
    "Edit",
    "Write",
    "NotebookEdit",
    "Bash",
    "Agent",
    "Task",
    "Skill",
];

/// One line, in the order of the original.
#[derive(Serialize)]
struct Observation<'a> {
    timestamp: String,
    event: &'a str,
    tool: &'a str,
    input: String,
    output: String,
    session: &'a str,
}

/// Appends the observation of a call, if the call counts.
pub(crate) fn append(
    record: &Record,
    now: DateTime<Local>,
    tool: &str,
    failed: bool,
    call: &Call,
) -> Result<()> {
    if !failed && !KEPT.contains(&tool) {
        return Ok(());
    }
    let line = line(record.root().path(), now, tool, failed, call);
    let relative = observations_file(failed);
    let path = record.resolve(&relative)?;
    // Not for the append's sake, which is one write, but so that nothing is written to a file that
    // is being moved away and counted.
    let locked = record.lock_memory();
    if let Err(error @ crate::Error::File(safe_file::Error::Refused { .. })) = locked {
        return Err(error);
    }
    let mut block = Vec::with_capacity(line.len() + 1);
    let size = match safe_file::tail(&path, 1)? {
        Some((start, last)) => {
            if last.first().is_some_and(|last| *last != b'\n') {
                block.push(b'\n');
            }
            start + last.len() as u64
        }
        None => 0,
    };
    block.extend_from_slice(line.as_bytes());
    match safe_file::append(&path, &block) {
        Err(safe_file::Error::Io { source, .. })
            if source.kind() == std::io::ErrorKind::NotFound =>
        {
            if let Some(folder) = path.parent() {
                safe_file::create_private_dir(folder)?;
            }
            safe_file::append(&path, &block)?;
        }
        other => other?,
    }
    // Without the lock the next call that has it rotates.
    if locked.is_ok() && size + block.len() as u64 >= ROTATE_AT {
        rotate(record, now, &path, failed)?;
    }
    Ok(())
}

fn rotate(record: &Record, now: DateTime<Local>, path: &Path, failed: bool) -> Result<()> {
    let stamp = now.format("%Y%m%d-%H%M%S");
    let folder = observations_file(failed).replace("observations.jsonl", "archive");
    let archive = record.resolve(&format!("{folder}/observations-{stamp}.jsonl"))?;
    let lines = count_lines(path)?;
    if safe_file::rotate(path, ROTATE_AT, || archive)? {
        correct_baseline(record, failed, lines)?;
    }
    Ok(())
}

fn count_lines(path: &Path) -> Result<i64> {
    let Some(mut file) = crate::file::Opened::open(path)? else {
        return Ok(0);
    };
    let mut lines = Lines(0);
    let length = file.state.length;
    file.copy(0, length, &mut lines)
        .map_err(|error| safe_file::Error::io("read", path, error))?;
    Ok(lines.0)
}

/// Counts the LFs that are written to it.
struct Lines(i64);

impl std::io::Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let lines = memchr::memchr_iter(b'\n', bytes).count();
        self.0 = self
            .0
            .saturating_add(i64::try_from(lines).unwrap_or(i64::MAX));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Takes the lines that moved away off the baseline. The result may be negative, as the original's:
/// then lines were moved away that were never distilled.
fn correct_baseline(record: &Record, failed: bool, lines: i64) -> Result<()> {
    let path = record.resolve(&format!("{MEMORY}/{BASELINE}"))?;
    let Some(bytes) = safe_file::read(&path, BASELINE_LIMIT)? else {
        return Ok(());
    };
    let Some(mut numbers) = numbers(&bytes) else {
        return Ok(());
    };
    let [gotchas, learned, _] = &mut numbers;
    let ours = if failed { gotchas } else { learned };
    *ours = ours.saturating_sub(lines);
    let [gotchas, learned, epoch] = numbers;
    safe_file::replace(&path, format!("{gotchas} {learned} {epoch}\n").as_bytes())?;
    Ok(())
}

fn numbers(bytes: &[u8]) -> Option<[i64; 3]> {
    let text = std::str::from_utf8(bytes).ok()?;
    let numbers: Vec<i64> = text
        .split_whitespace()
        .map(|number| number.parse().ok())
        .collect::<Option<_>>()?;
    numbers.try_into().ok()
}

fn line(root: &Path, now: DateTime<Local>, tool: &str, failed: bool, call: &Call) -> String {
    let session: String = call
        .session
        .chars()
        .filter(|c| !c.is_control())
        .take(200)
        .collect();
    let observation = Observation {
        timestamp: now
            .with_timezone(&Utc)
            .format("%Y-%m-%dT%H:%M:%SZ")
            .to_string(),
        event: if failed { "tool_error" } else { "tool_success" },
        tool,
        input: input(call.input, root, call.policy),
        output: call
            .output
            .map(|output| self::output(output, call.policy))
            .unwrap_or_default(),
        session: if session.is_empty() {
            "unknown"
        } else {
            &session
        },
    };
    // Strings always serialise.
    let mut line = serde_json::to_string(&observation).unwrap_or_default();
    line.push('\n');
    line
}

/// The input as compact JSON, paths inside the root relative to it.
fn input(raw: &str, root: &Path, policy: Policy) -> String {
    let mut text = Compact::new(policy);
    text.value(raw.as_bytes(), &|key, value| {
        PATH_KEYS
            .iter()
            .any(|name| name.as_bytes() == key)
            .then(|| relative(root, value))
    });
    cut(&text.finish(policy))
}

/// The output: a string as it is, anything else as compact JSON.
fn output(raw: &str, policy: Policy) -> String {
    let raw = raw.trim();
    if raw == "null" {
        return String::new();
    }
    if raw.starts_with('"')
        && let Some((text, _)) = decode(raw.as_bytes())
    {
        return cut(redact::clean(&text, policy).as_str());
    }
    let mut text = Compact::new(policy);
    text.value(raw.as_bytes(), &|_, _| None);
    cut(&text.finish(policy))
}

/// At most [`FIELD_LIMIT`] bytes, whole characters.
fn cut(text: &str) -> String {
    let mut end = text.len().min(FIELD_LIMIT);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    text.get(..end).unwrap_or_default().to_owned()
}

/// Renders JSON without blanks, as far as a window goes, each string filtered as it was meant:
/// escaped, a secret or a tag would look different. A block that a string leaves open hides the
/// strings that follow.
struct Compact {
    out: String,
    policy: Policy,
    hidden: bool,
    full: bool,
}

/// How a member's string value is changed, by its key.
type Change<'a> = dyn Fn(&[u8], &str) -> Option<String> + 'a;
/// How one string is changed.
type ChangeOne<'a> = dyn Fn(&str) -> Option<String> + 'a;

impl Compact {
    fn new(policy: Policy) -> Self {
        Self {
            out: String::new(),
            policy,
            hidden: false,
            full: false,
        }
    }

    /// The whole, filtered once more: a name and its secret stand in two strings.
    fn finish(self, policy: Policy) -> String {
        let text = if self.full {
            cut_back(self.out)
        } else {
            self.out
        };
        redact::clean(&text, policy).into_string()
    }

    fn value(&mut self, raw: &[u8], change: &Change) {
        // More is never needed, except for blanks; those are not worth the reading.
        let mut rest = raw.get(..4 * WINDOW).unwrap_or(raw);
        let mut depth = 0_usize;
        let mut key: Option<&[u8]> = None;
        let mut is_key = false;
        while let Some((&first, after)) = rest.split_first() {
            if self.full {
                return;
            }
            if first == b'"' {
                let (literal, after) = rest.split_at(string_end(rest));
                match key.take() {
                    Some(key) => self.string(literal, Some(&|text| change(key, text))),
                    None => self.string(literal, None),
                }
                // Paths are members of the input itself.
                if is_key && depth == 1 {
                    key = literal.get(1..literal.len().saturating_sub(1));
                }
                is_key = false;
                rest = after;
                continue;
            }
            match first {
                b'{' | b'[' => {
                    depth += 1;
                    self.full |= depth > DEEPEST;
                    key = None;
                }
                b'}' | b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            if matches!(first, b'{' | b',') {
                is_key = true;
                key = None;
            }
            if first.is_ascii_graphic() {
                self.out.push(char::from(first));
            }
            rest = after;
            self.full |= self.out.len() >= WINDOW;
        }
        self.full |= raw.len() > 4 * WINDOW;
    }

    fn string(&mut self, literal: &[u8], change: Option<&ChangeOne>) {
        let Some((text, is_cut)) = decode(literal) else {
            self.full = true;
            return;
        };
        let changed = change.and_then(|change| change(&text));
        let mut text = changed.unwrap_or_else(|| text.into_owned());
        if self.hidden {
            self.push("[PRIVATE]");
        } else {
            // What hides the end of this hides what follows it, too.
            const END: &str = "\n.";
            text.push_str(END);
            let clean = redact::clean(&text, self.policy).into_string();
            let whole = clean.strip_suffix(END);
            self.hidden = whole.is_none();
            self.push(whole.unwrap_or(&clean));
        }
        self.full |= is_cut || self.out.len() >= WINDOW;
    }

    fn push(&mut self, text: &str) {
        self.out
            .push_str(&serde_json::to_string(text).unwrap_or_default());
    }
}

/// Where the string literal at the beginning of `raw` ends.
fn string_end(raw: &[u8]) -> usize {
    let mut at = 1;
    while let Some(found) = raw
        .get(at..)
        .and_then(|rest| memchr::memchr2(b'"', b'\\', rest))
    {
        at += found;
        if raw.get(at) == Some(&b'"') {
            return at + 1;
        }
        at += 2;
    }
    raw.len()
}
