//! The tool log, one line a call, and what it says of each tool.

use crate::line::{flat, name};
use crate::{CONVERSATIONS, MEMORY, Record, Result, observations};
use crate::{file, git};
use chrono::{DateTime, Local, NaiveDate};
use std::borrow::Cow;
use std::path::Path;
use std::time::Duration;

/// End of a tool log's name.
pub(crate) const LOG_END: &str = "-toollog.md";
/// Characters of a command that the log holds.
const COMMAND_CHARS: usize = 80;
/// Characters of any other detail; a path longer than this is no path.
const DETAIL_CHARS: usize = 1000;
/// Characters of a tool's or an agent's name.
const NAME_CHARS: usize = 200;
/// Bytes of a value that are looked at for its detail.
const WINDOW: usize = 64 * 1024;

/// One finished tool call, as the hook saw it.
#[derive(Debug, Clone)]
pub struct Call<'a> {
    /// Name of the tool.
    pub tool: &'a str,
    /// Raw JSON of its input.
    pub input: &'a str,
    /// Raw JSON of its output.
    pub output: Option<&'a str>,
    /// The failure event, or interrupted.
    pub failed: bool,
    /// Type of the subagent that made the call.
    pub agent: Option<&'a str>,
    /// Session id.
    pub session: &'a str,
    /// What is taken out of details and observations.
    pub policy: redact::Policy,
}

impl Call<'_> {
    /// The client says that it failed: by the event, or in the output's own fields. Words like
    /// "error" in a text never count.
    fn has_failed(&self) -> bool {
        self.failed || self.output.is_some_and(says_failure)
    }

    /// The name as it may be shown; empty for a call without one.
    fn name(&self) -> String {
        name(self.tool.trim(), NAME_CHARS).replace('\u{fffd}', "")
    }
}

fn says_failure(output: &str) -> bool {
    lenient_json::members(output.as_bytes()).any(|(key, value)| match key {
        b"is_error" | b"isError" | b"interrupted" => lenient_json::is_true(value),
        b"exit_code" | b"exitCode" => {
            value
                .first()
                .is_some_and(|b| b.is_ascii_digit() || *b == b'-')
                && value.iter().any(|byte| matches!(byte, b'1'..=b'9'))
        }
        _ => false,
    })
}

impl Record {
    /// One line of the tool log and, where the call counts, one observation. A failure of one does
    /// not keep the other from being written; the first error is returned.
    pub fn log_tool(&self, now: DateTime<Local>, call: &Call) -> Result<()> {
        let tool = call.name();
        if tool.is_empty() {
            return Ok(());
        }
        // Asked once: a large output is read to its end for it.
        let failed = call.has_failed();
        let logged = self.append_line(
            now.date_naive(),
            &line(self.root().path(), now, &tool, failed, call),
        );
        let observed = observations::append(self, now, &tool, failed, call);
        logged.and(observed)
    }

    /// The lock is taken only to make the file: a line is one write to its end.
    fn append_line(&self, date: NaiveDate, line: &str) -> Result<()> {
        let relative = format!("{CONVERSATIONS}/{date}{LOG_END}");
        let path = self.resolve(&relative)?;
        if let Some(lead) = lead(&path)? {
            safe_file::append(&path, format!("{lead}{line}").as_bytes())?;
            return Ok(());
        }
        let _lock = self.conversations()?;
        let block = match lead(&path)? {
            Some(lead) => format!("{lead}{line}"),
            None => {
                format!(
                    "---\ndate: {date}\ntype: tool-log\n---\n\n# Tool Usage Log - {date}\n\n{line}"
                )
            }
        };
        safe_file::append(&path, block.as_bytes())?;
        Ok(())
    }
}

/// What closes off the last line of a file; `None` when there is no file, or an empty one.
///
/// A last line without its end was torn by a crash, or is just being written: a write that crosses
/// the border of a page can be seen in part. So a torn one is what stays so for a while.
fn lead(path: &Path) -> Result<Option<&'static str>> {
    for pause in [1, 2, 4, 8, 16] {
        match safe_file::tail(path, 1)? {
            None => return Ok(None),
            Some((_, last)) => match last.as_slice() {
                [] => return Ok(None),
                b"\n" => return Ok(Some("")),
                _ => std::thread::sleep(Duration::from_millis(pause)),
            },
        }
    }
    Ok(Some("\n"))
}

fn line(root: &Path, now: DateTime<Local>, tool: &str, failed: bool, call: &Call) -> String {
    let mut line = format!("- `[{}]` **{tool}**", now.format("%H:%M:%S"));
    let detail = detail(root, tool, call);
    if !detail.is_empty() {
        line.push(' ');
        line.push_str(&detail);
    }
    if failed {
        line.push_str(" — failed");
    }
    if let Some(agent) = call.agent {
        let agent = flat(agent, NAME_CHARS);
        line.push_str(" (agent: ");
        line.push_str(if agent.is_empty() { "unknown" } else { &agent });
        line.push(')');
    }
    line.push('\n');
    line
}

fn detail(root: &Path, tool: &str, call: &Call) -> String {
    let text = |key: &str| field(call.input, key);
    let clean = |text: &str| redact::clean(text, call.policy).into_string();
    match tool {
        "Bash" => flat(&clean(&text("command")), COMMAND_CHARS),
        "Agent" | "Task" => {
            let (kind, what) = (text("subagent_type"), text("description"));
            let both = match (kind.is_empty(), what.is_empty()) {
                (false, false) => format!("{kind}: {what}"),
                _ => kind + &what,
            };
            flat(&clean(&both), DETAIL_CHARS)
        }
        "Skill" => {
            let skill = text("skill");
            let skill = if skill.is_empty() {
                text("command")
            } else {
                skill
            };
            flat(&clean(&skill), DETAIL_CHARS)
        }
        "WebFetch" => flat(&clean(&text("url")), DETAIL_CHARS),
        "WebSearch" => flat(&clean(&text("query")), DETAIL_CHARS),
        "Edit" | "Write" | "MultiEdit" | "NotebookEdit" | "Read" | "NotebookRead" | "Glob"
        | "Grep" | "LS" => PATH_KEYS
            .into_iter()
            .map(text)
            .find(|path| !path.is_empty())
            .map(|path| name(&clean(&relative(root, &path)), DETAIL_CHARS))
            .unwrap_or_default(),
        _ => String::new(),
    }
}

/// Members of a tool's input that hold a path.
pub(crate) const PATH_KEYS: [&str; 3] = ["file_path", "notebook_path", "path"];

/// A member of the input as text, empty if it is absent or no text.
fn field(input: &str, key: &str) -> String {
    lenient_json::members(input.as_bytes())
        .find(|(name, _)| *name == key.as_bytes())
        .and_then(|(_, value)| decode(value))
        .map(|(text, _)| text.into_owned())
        .unwrap_or_default()
}

/// A raw JSON string as text; of a long one the beginning, and true. `None` if it is no string.
///
/// The beginning ends at white space where there is any near, so that a secret is not cut in two:
/// half of one is not recognised.
pub(crate) fn decode(raw: &[u8]) -> Option<(Cow<'_, str>, bool)> {
    if raw.len() <= WINDOW {
        return Some((lenient_json::borrowed_string(raw)?, false));
    }
    if raw.first() != Some(&b'"') {
        return None;
    }
    // Half an escape or half a character at the cut goes with the end that is cut off; only the
    // quote that is put there must not be taken for an escaped one.
    let head = raw.get(..WINDOW)?;
    let backslashes = head.iter().rev().take_while(|byte| **byte == b'\\').count();
    let head = head.get(..WINDOW - backslashes % 2)?;
    let text = lenient_json::string(&[head, b"\""].concat())?;
    Some((Cow::Owned(cut_back(text)), true))
}

/// Cuts the end off that may be the half of something.
pub(crate) fn cut_back(mut text: String) -> String {
    const FAR: usize = WINDOW / 4;
    let mut near = text.len().saturating_sub(FAR);
    while !text.is_char_boundary(near) {
        near -= 1;
    }
    let end = text
        .get(near..)
        .and_then(|end| end.rfind(char::is_whitespace))
        .map_or(near, |at| near + at);
    text.truncate(end);
    text
}

/// A path as the record holds it: relative to the root when it lies inside, with `/`.
pub(crate) fn relative(root: &Path, path: &str) -> String {
    let given = Path::new(path);
    if !given.is_absolute() {
        return slashes(path);
    }
    let inside = |path: &Path| {
        let path = path.strip_prefix(root).ok()?;
        Some(if path.as_os_str().is_empty() {
            ".".to_owned()
        } else {
            slashes(&path.to_string_lossy())
        })
    };
    if let Some(path) = inside(&git::lexically(given)) {
        return path;
    }
    // The same place by another name: a link, or a system folder that is one.
    let real = file::real(given);
    real.and_then(|real| inside(&real))
        .unwrap_or_else(|| slashes(path))
}

fn slashes(path: &str) -> String {
    if cfg!(windows) {
        path.replace('\\', "/")
    } else {
        path.to_owned()
    }
}

/// Where observations lie.
pub(crate) fn observations_file(failed: bool) -> String {
    let kind = if failed { "gotchas" } else { "learned" };
    format!("{MEMORY}/{kind}/observations.jsonl")
}
