//! A strict reader of day files and tool logs, written from the description of the format alone.
//!
//! A day file is a header (frontmatter, blank line, `# DATE`, LF) and entries, each of them LF,
//! heading LF, marker LF, LF, body, LF. Anything else is a fault that the reader names.

use std::fmt;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// The person.
    User,
    /// The assistant.
    Assistant,
}

/// What a conversation consists of: who said what, escapes taken off.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Turn {
    /// Who.
    pub role: Role,
    /// What, byte for byte.
    pub body: String,
}

impl fmt::Debug for Turn {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (head, more) = match self.body.char_indices().nth(300) {
            Some((at, _)) => (&self.body[..at], format!("… ({} bytes)", self.body.len())),
            None => (self.body.as_str(), String::new()),
        };
        write!(f, "{:?}: {head:?}{more}", self.role)
    }
}

/// A User turn.
pub fn user(body: impl Into<String>) -> Turn {
    Turn {
        role: Role::User,
        body: body.into(),
    }
}

/// An Assistant turn.
pub fn assistant(body: impl Into<String>) -> Turn {
    Turn {
        role: Role::Assistant,
        body: body.into(),
    }
}

/// One entry of a day file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// `HH:MM:SS` (legacy entries may have `HH:MM`).
    pub time: String,
    /// Attributes of the marker in order; `None` for a legacy entry.
    pub marker: Option<Vec<(String, String)>>,
    /// Who said what.
    pub turn: Turn,
}

impl Entry {
    /// An attribute of the marker.
    pub fn attr(&self, name: &str) -> Option<&str> {
        let marker = self.marker.as_ref()?;
        let found = marker.iter().find(|(key, _)| key == name)?;
        Some(&found.1)
    }
}

/// A parsed day file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Day {
    /// `YYYY-MM-DD`, equal in frontmatter and heading.
    pub date: String,
    /// Frontmatter lines as they stand.
    pub front: Vec<String>,
    /// In file order.
    pub entries: Vec<Entry>,
}

impl Day {
    /// Who said what, in file order.
    pub fn turns(&self) -> Vec<Turn> {
        self.entries.iter().map(|e| e.turn.clone()).collect()
    }
}

/// Reads a day file; the error says what is wrong and where.
pub fn parse(bytes: &[u8]) -> Result<Day, String> {
    let text = std::str::from_utf8(bytes).map_err(|e| format!("not UTF-8: {e}"))?;
    let rest = text
        .strip_prefix("---\n")
        .ok_or("does not begin with ---")?;
    let (front, rest) = rest.split_once("\n---\n").ok_or("frontmatter has no end")?;
    let front: Vec<String> = front.split('\n').map(str::to_owned).collect();
    let date = front
        .iter()
        .find_map(|line| line.strip_prefix("date: "))
        .ok_or("frontmatter has no date")?
        .to_owned();
    for key in ["project: ", "keywords: ", "summary: "] {
        if !front.iter().any(|line| line.starts_with(key)) {
            return Err(format!("frontmatter has no {key:?}"));
        }
    }
    let rest = rest
        .strip_prefix(&format!("\n# {date}\n"))
        .ok_or_else(|| format!("no `# {date}` line after the frontmatter"))?;
    Ok(Day {
        date,
        front,
        entries: entries(rest)?,
    })
}

fn entries(text: &str) -> Result<Vec<Entry>, String> {
    // Every line that is a heading starts an entry, one LF before it.
    let mut starts = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        if heading(line.strip_suffix('\n').unwrap_or(line)).is_some() {
            starts.push(at);
        }
        at += line.len();
    }
    let first = starts.first().copied().unwrap_or(text.len());
    match (starts.is_empty(), &text[..first]) {
        (true, "") | (false, "\n") => {}
        (_, other) => return Err(format!("text before the first entry: {other:?}")),
    }
    let mut entries = Vec::new();
    for (i, &start) in starts.iter().enumerate() {
        let last = i + 1 == starts.len();
        let end = starts.get(i + 1).copied().unwrap_or(text.len());
        entries.push(entry(&text[start..end], last)?);
    }
    Ok(entries)
}

/// `block` runs from the heading to before the next heading, the next entry's leading LF included.
fn entry(block: &str, last: bool) -> Result<Entry, String> {
    let (head, rest) = block
        .split_once('\n')
        .ok_or("a heading without a line end")?;
    let (time, role) = heading(head).expect("a heading line");
    let block = |why: &str| format!("entry {head:?}: {why}");
    let (marker, rest) = match rest.strip_prefix("<!-- mnemo ") {
        Some(rest) => {
            let (line, rest) = rest
                .split_once('\n')
                .ok_or_else(|| block("marker has no line end"))?;
            let inner = line
                .strip_suffix(" -->")
                .ok_or_else(|| block("marker has no -->"))?;
            (
                Some(attributes(inner).ok_or_else(|| block("marker is not key=value"))?),
                rest,
            )
        }
        None => (None, rest),
    };
    let rest = rest
        .strip_prefix('\n')
        .ok_or_else(|| block("no blank line before the body"))?;
    let tail = if last { "\n" } else { "\n\n" };
    let body = rest
        .strip_suffix(tail)
        .ok_or_else(|| block(&format!("body does not end with {tail:?}: {rest:?}")))?;
    let body = match marker {
        Some(_) => unescape(body),
        None => body.to_owned(),
    };
    Ok(Entry {
        time: time.to_owned(),
        marker,
        turn: Turn { role, body },
    })
}

/// `## [HH:MM:SS] User`: the time and the role. `HH:MM` is an older form.
fn heading(line: &str) -> Option<(&str, Role)> {
    let rest = line
        .trim_end_matches([' ', '\t', '\r'])
        .strip_prefix("## [")?;
    let (time, role) = rest.split_once("] ")?;
    let shape: String = time
        .chars()
        .map(|c| if c.is_ascii_digit() { '0' } else { c })
        .collect();
    if shape != "00:00:00" && shape != "00:00" {
        return None;
    }
    match role {
        "User" => Some((time, Role::User)),
        "Assistant" => Some((time, Role::Assistant)),
        _ => None,
    }
}

fn attributes(text: &str) -> Option<Vec<(String, String)>> {
    text.split(' ')
        .map(|pair| {
            let (key, value) = pair.split_once('=')?;
            Some((key.to_owned(), value.to_owned()))
        })
        .collect()
}

/// Takes one backslash off every line that would otherwise be a heading or a marker.
fn unescape(body: &str) -> String {
    let lines = body.split('\n').map(|line| {
        let bare = line.trim_start_matches('\\');
        let escaped = line.len() > bare.len();
        let special = heading(bare).is_some() || bare.starts_with("<!-- mnemo");
        if escaped && special { &line[1..] } else { line }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// One line of a tool log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Call {
    /// `HH:MM:SS`.
    pub time: String,
    /// The tool's name.
    pub tool: String,
    /// What follows the name, trimmed.
    pub detail: String,
}

/// Reads a tool log; the error says what is wrong.
pub fn parse_tools(bytes: &[u8]) -> Result<Vec<Call>, String> {
    let text = std::str::from_utf8(bytes).map_err(|e| format!("not UTF-8: {e}"))?;
    let mut calls = Vec::new();
    let mut front = 0;
    for line in text.lines() {
        if line == "---" {
            front += 1;
        } else if front >= 2 && !line.is_empty() && !line.starts_with("# Tool Usage Log - ") {
            let rest = line
                .strip_prefix("- `[")
                .ok_or_else(|| format!("not a call: {line:?}"))?;
            let (time, rest) = rest
                .split_once("]` **")
                .ok_or_else(|| format!("no time: {line:?}"))?;
            let (tool, detail) = rest
                .split_once("**")
                .ok_or_else(|| format!("no tool: {line:?}"))?;
            calls.push(Call {
                time: time.to_owned(),
                tool: tool.to_owned(),
                detail: detail.trim().to_owned(),
            });
        }
    }
    Ok(calls)
}
