//! Raw material: what the record holds of today, in one line each.

use chrono::{NaiveDate, Timelike};
use claude_hook::Role;
use record::Record;
use redact::Policy;
use std::path::Path;

/// How much of a day's files is read, from their end, in bytes.
const TAIL: u64 = 2 << 20;
/// Entries and tool lines that are shown.
const ENTRIES: usize = 40;
const CALLS: usize = 15;
/// Characters that are shown of each.
const USER_CHARS: usize = 240;
const ASSISTANT_CHARS: usize = 160;
const CALL_CHARS: usize = 120;
/// Tools whose detail is the file they changed.
const WRITERS: [&str; 4] = ["Edit", "Write", "MultiEdit", "NotebookEdit"];

/// What a day's record holds.
#[derive(Debug, Default)]
pub(crate) struct Raw {
    pub(crate) date: NaiveDate,
    /// The day file, relative to the root, and how many entries of it are not shown.
    pub(crate) entries: Vec<String>,
    pub(crate) more_entries: usize,
    /// `Edit 12, Bash 8 (1 failed)`, the most used first.
    pub(crate) tools: Vec<(String, usize, usize)>,
    pub(crate) calls: Vec<String>,
    pub(crate) more_calls: usize,
    /// Files that tools wrote, relative to the root, in the order of their first change.
    pub(crate) written: Vec<String>,
}

/// Reads the record of a day. What cannot be read is left out.
pub(crate) fn of_day(record: &Record, date: NaiveDate, policy: Policy) -> Raw {
    let mut raw = Raw {
        date,
        ..Raw::default()
    };
    if let Some(bytes) = record.day_path(date).ok().and_then(|path| tail(&path)) {
        let found = record::day::parse(&bytes);
        raw.more_entries = found.len().saturating_sub(ENTRIES);
        for located in found.into_iter().skip(raw.more_entries) {
            let entry = located.entry;
            let (who, limit) = match entry.role {
                Role::User => ("User", USER_CHARS),
                Role::Assistant => ("Assistant", ASSISTANT_CHARS),
            };
            let text = shown(&entry.body, limit, policy);
            raw.entries.push(format!(
                "{:02}:{:02} {who}: {text}",
                entry.time.hour(),
                entry.time.minute()
            ));
        }
    }
    let log = record.resolve(&format!("conversations/{date}-toollog.md"));
    if let Some(bytes) = log.ok().and_then(|path| tail(&path)) {
        let text = String::from_utf8_lossy(&bytes);
        let calls: Vec<&str> = text
            .lines()
            .filter(|line| line.starts_with("- `["))
            .collect();
        raw.more_calls = calls.len().saturating_sub(CALLS);
        for call in &calls {
            raw.count(call);
        }
        raw.tools.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(&b.0)));
        for call in calls.iter().skip(raw.more_calls) {
            let call = call.trim_start_matches("- ");
            raw.calls.push(shown(call, CALL_CHARS, policy));
        }
    }
    raw
}

impl Raw {
    /// Takes in one line of the tool log.
    fn count(&mut self, line: &str) {
        let Some((name, detail)) = line
            .split_once("**")
            .and_then(|(_, rest)| rest.split_once("**"))
        else {
            return;
        };
        let detail = detail.trim();
        let detail = detail
            .rsplit_once(" (agent: ")
            .map_or(detail, |(before, _)| before);
        let failed = detail.ends_with("— failed");
        match self.tools.iter_mut().find(|tool| tool.0 == name) {
            Some(tool) => {
                tool.1 += 1;
                tool.2 += usize::from(failed);
            }
            None => self.tools.push((name.to_owned(), 1, usize::from(failed))),
        }
        let inside =
            !detail.is_empty() && !Path::new(detail).is_absolute() && !detail.starts_with("..");
        if !failed && inside && WRITERS.contains(&name) && !self.written.iter().any(|f| f == detail)
        {
            self.written.push(detail.to_owned());
        }
    }
}

fn tail(path: &Path) -> Option<Vec<u8>> {
    safe_file::tail(path, TAIL).ok()?.map(|(_, bytes)| bytes)
}

/// One line of what is private nowhere.
pub(crate) fn shown(text: &str, limit: usize, policy: Policy) -> String {
    let clean = redact::clean(text, policy).into_string();
    let line = mnemo_home::one_line(&clean, limit + 1);
    let line = if line.chars().count() > limit {
        let cut: String = line.chars().take(limit).collect();
        format!("{}…", cut.trim_end())
    } else {
        line
    };
    // A comment that is opened here would hide the rest of the file from a reader of Markdown.
    line.replace("<!--", "&lt;!--")
}
