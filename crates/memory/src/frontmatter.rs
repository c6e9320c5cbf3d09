//! What stands between the first two `---`: read leniently by the byte, and judged strictly.
//!
//! The lenient reading takes `key: value` lines, one level of nesting, quoted, folded and continued
//! values. The strict verdict is that of a YAML parser, asked only where the text is not plainly
//! valid.

use crate::lines::{Line, lines};
use std::fmt::Write as _;
use std::ops::Range;

/// An entry's frontmatter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frontmatter {
    state: State,
    fields: Vec<Field>,
    /// Start of the closing line.
    close: usize,
    body: usize,
    body_line: usize,
    yaml: Result<(), String>,
}

/// Whether there is one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// The first line is not `---`.
    Absent,
    /// No second `---`.
    Unclosed,
    /// Complete.
    Closed,
}

/// One key and its value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Field {
    /// `type`; a nested one with its parent: `metadata.type`.
    pub key: String,
    /// The value without quotes and comment; of a list or a nested map empty.
    pub text: String,
    /// Where the value stands, quotes included, comment excluded; empty after `key:` alone.
    pub value: Range<usize>,
    /// Whether there is a blank between the colon and `value`.
    pub spaced: bool,
    /// All lines of the key with their line ends: the nested ones, lists and continuations too.
    pub whole: Range<usize>,
    /// The key's line, from 1.
    pub line: usize,
    /// Items of a list, in brackets or one a line.
    pub items: Vec<String>,
}

/// The line behind the frontmatter, from 1, as [`Frontmatter::body_line`], without reading it.
pub(crate) fn body_line(text: &str) -> usize {
    let mut fences = lines(text).filter(|line| line.text.trim() == "---");
    match (fences.next(), fences.next()) {
        (Some(first), Some(last)) if first.number == 1 => last.number + 1,
        _ => 1,
    }
}

impl Frontmatter {
    /// Reads any text.
    pub fn parse(text: &str) -> Self {
        let none = |state| Self {
            state,
            fields: Vec::new(),
            close: 0,
            body: if text.starts_with(crate::lines::BOM) {
                crate::lines::BOM.len()
            } else {
                0
            },
            body_line: 1,
            yaml: Ok(()),
        };
        let mut all = lines(text);
        let Some(first) = all.next().filter(|line| line.text.trim() == "---") else {
            return none(State::Absent);
        };
        let mut inner = Vec::new();
        for line in all {
            if line.text.trim() == "---" {
                return Self {
                    state: State::Closed,
                    fields: fields(&inner),
                    close: line.start,
                    body: line.next,
                    body_line: line.number + 1,
                    yaml: verdict(&text[first.next..line.start], &inner),
                };
            }
            inner.push(line);
        }
        none(State::Unclosed)
    }

    /// Whether there is one.
    pub fn state(&self) -> State {
        self.state
    }

    /// Whether it is complete.
    pub fn is_closed(&self) -> bool {
        self.state == State::Closed
    }

    /// What a YAML parser says: `Err` holds its words. `Ok` where there is no frontmatter.
    pub fn yaml(&self) -> Result<(), &str> {
        match &self.yaml {
            Ok(()) => Ok(()),
            Err(words) => Err(words),
        }
    }

    /// All keys in their order, those that mnemo does not know included.
    pub fn fields(&self) -> &[Field] {
        &self.fields
    }

    /// A key, `metadata.type` for a nested one. Of a key that stands twice the last, as the
    /// parsers that accept that have it.
    pub fn field(&self, key: &str) -> Option<&Field> {
        self.fields.iter().rev().find(|field| field.key == key)
    }

    /// A key's value; empty for lists and maps.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.field(key).map(|field| field.text.as_str())
    }

    /// A key's list: items of a list, else the value's parts between commas.
    pub fn list(&self, key: &str) -> Vec<&str> {
        match self.field(key) {
            None => Vec::new(),
            Some(field) if field.items.is_empty() => field
                .text
                .split(',')
                .map(str::trim)
                .filter(|item| !item.is_empty())
                .collect(),
            Some(field) => field.items.iter().map(String::as_str).collect(),
        }
    }

    /// Whether it is written in braces or brackets, which no line can be added to. `text` is what
    /// it was read from.
    pub fn is_flow(&self, text: &str) -> bool {
        lines(text.get(..self.close).unwrap_or_default())
            .skip(1)
            .map(|line| line.text.trim())
            .find(|line| !line.is_empty() && !line.starts_with('#'))
            .is_some_and(|line| line.starts_with(['{', '[']))
    }

    /// Where a new line for another key goes: before the closing `---`.
    pub fn end_of_fields(&self) -> usize {
        self.close
    }

    /// Where the body starts, bytes.
    pub fn body(&self) -> usize {
        self.body
    }

    /// The number of the body's first line.
    pub fn body_line(&self) -> usize {
        self.body_line
    }
}

/// `key`, and where the value starts in the line, for a line that has that form.
fn key_of(text: &str) -> Option<(&str, usize)> {
    let colon = text.find(':')?;
    let after = text.get(colon + 1..)?;
    if !(after.is_empty() || after.starts_with([' ', '\t'])) {
        return None;
    }
    let key = text[..colon].trim_end();
    let quoted = key
        .strip_prefix(['"', '\''])
        .and_then(|rest| rest.strip_suffix(['"', '\'']));
    let bare = quoted.unwrap_or(key);
    let fits = !bare.is_empty()
        && !bare.starts_with([
            '-', '#', '?', '[', '{', '&', '*', '!', '|', '>', '%', '@', '`',
        ])
        && !bare.contains(['"', '\'', '{', '[', '#']);
    fits.then_some((bare, colon + 1))
}

fn indent(text: &str) -> usize {
    text.len() - text.trim_start_matches([' ', '\t']).len()
}

fn fields(inner: &[Line<'_>]) -> Vec<Field> {
    let mut fields: Vec<Field> = Vec::new();
    let mut parent: Option<usize> = None;
    let mut at = 0;
    while let Some(line) = inner.get(at) {
        at += 1;
        let depth = indent(line.text);
        let body = &line.text[depth..];
        if body.is_empty() || body.starts_with('#') {
            continue;
        }
        let top = depth == 0;
        if !top && parent.is_none() {
            continue;
        }
        if body == "-" || body.starts_with("- ") {
            if let Some(owner) = parent.and_then(|owner| fields.get_mut(owner)) {
                owner
                    .items
                    .push(unquoted(without_comment(body[1..].trim())));
                owner.whole.end = line.next;
            }
            continue;
        }
        let Some((key, colon)) = key_of(body) else {
            continue;
        };
        let key = match parent.filter(|_| !top).and_then(|owner| fields.get(owner)) {
            Some(owner) => format!("{}.{key}", owner.key),
            None => key.to_owned(),
        };
        let after = &body[colon..];
        let blanks = indent(after);
        let mut field = Field {
            key,
            text: String::new(),
            value: 0..0,
            spaced: blanks > 0,
            whole: line.start..line.next,
            line: line.number,
            items: Vec::new(),
        };
        let raw = without_comment(after.trim());
        let start = line.start + depth + colon + blanks;
        field.value = if raw.is_empty() {
            let end = line.start + depth + colon;
            field.spaced = false;
            end..end
        } else {
            start..start + raw.len()
        };
        // Deeper lines after a value go on with it.
        let mut more = Vec::new();
        if !raw.is_empty() || goes_on(&inner[at..], depth) {
            while let Some(next) = inner.get(at) {
                if !next.text.trim().is_empty() && indent(next.text) <= depth {
                    break;
                }
                more.push(next);
                at += 1;
            }
            while more.last().is_some_and(|line| line.text.trim().is_empty()) {
                more.pop();
                at -= 1;
            }
            if let Some(last) = more.last() {
                field.value.end = last.end();
                field.whole.end = last.next;
            }
        }
        if raw.starts_with('[') {
            field.items = flow_items(raw);
        } else {
            field.text = value_text(raw, &more);
        }
        if top {
            parent = (raw.is_empty() && more.is_empty()).then_some(fields.len());
        } else if let Some(owner) = parent.and_then(|owner| fields.get_mut(owner)) {
            owner.whole.end = field.whole.end;
        }
        fields.push(field);
    }
    fields
}

/// Whether a value begins on the next line, deeper than its key: no list and no map.
fn goes_on(rest: &[Line<'_>], depth: usize) -> bool {
    rest.iter()
        .find(|line| !line.text.trim().is_empty())
        .is_some_and(|line| {
            let text = line.text.trim();
            indent(line.text) > depth
                && text != "-"
                && !text.starts_with("- ")
                && !text.starts_with(['#', '?', '{', '['])
                && key_of(text).is_none()
        })
}

/// The value as a person means it.
fn value_text(raw: &str, more: &[&Line<'_>]) -> String {
    let joined = |separator: &str| {
        more.iter()
            .map(|line| line.text.trim())
            .collect::<Vec<_>>()
            .join(separator)
    };
    match raw.as_bytes() {
        [b'|', ..] => joined("\n"),
        [b'>', ..] => joined(" "),
        _ if more.is_empty() => unquoted(raw),
        _ => unquoted(format!("{raw} {}", joined(" ")).trim_start()),
    }
}

/// A plain value ends before ` #`.
fn without_comment(value: &str) -> &str {
    match value.as_bytes().first() {
        Some(b'#') => "",
        Some(quote @ (b'"' | b'\'')) => {
            // The comment can only come after the closing quote.
            let mut at = 1;
            let bytes = value.as_bytes();
            while at < bytes.len() {
                match bytes[at] {
                    b'\\' if *quote == b'"' => at += 1,
                    byte if byte == *quote => {
                        if *quote == b'\'' && bytes.get(at + 1) == Some(&b'\'') {
                            at += 1;
                        } else {
                            let rest = value[at + 1..].trim_start();
                            return if rest.starts_with('#') {
                                &value[..=at]
                            } else {
                                value
                            };
                        }
                    }
                    _ => {}
                }
                at += 1;
            }
            value
        }
        _ => value.find(" #").map_or(value, |at| value[..at].trim_end()),
    }
}

/// A scalar without its quotes; a quote that is not closed goes too.
fn unquoted(value: &str) -> String {
    if let Some(rest) = value.strip_prefix('\'') {
        return rest.strip_suffix('\'').unwrap_or(rest).replace("''", "'");
    }
    let Some(rest) = value.strip_prefix('"') else {
        return value.to_owned();
    };
    let rest = rest.strip_suffix('"').unwrap_or(rest);
    if !rest.contains('\\') {
        return rest.to_owned();
    }
    let mut out = String::with_capacity(rest.len());
    let mut chars = rest.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('t') => out.push('\t'),
            Some('r') => out.push('\r'),
            Some(hex @ ('x' | 'u' | 'U')) => {
                let digits = match hex {
                    'x' => 2,
                    'u' => 4,
                    _ => 8,
                };
                let code: String = chars.as_str().chars().take(digits).collect();
                match u32::from_str_radix(&code, 16).ok().and_then(char::from_u32) {
                    Some(decoded) if code.len() == digits => {
                        out.push(decoded);
                        chars.nth(digits - 1);
                    }
                    _ => out.extend(['\\', hex]),
                }
            }
            Some(other) => out.push(other),
            None => out.push('\\'),
        }
    }
    out
}

fn flow_items(raw: &str) -> Vec<String> {
    raw.trim_start_matches('[')
        .trim_end_matches(']')
        .split(',')
        .map(|item| unquoted(item.trim()))
        .filter(|item| !item.is_empty())
        .collect()
}

/// A value as YAML: plain where that is read back as the same text, else in double quotes. One
/// line whatever it holds.
pub fn scalar(value: &str) -> String {
    // White space at the ends that YAML takes for text is trimmed by lenient readers.
    if is_plain(value) && !looks_typed(value) && value.trim() == value {
        return value.to_owned();
    }
    let mut out = String::with_capacity(value.len() + 2);
    out.push('"');
    for c in value.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            c if c.is_control() || matches!(c, '\u{2028}' | '\u{2029}' | '\u{feff}') => {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

/// Words that YAML takes for something else than text.
fn looks_typed(value: &str) -> bool {
    matches!(
        value.to_ascii_lowercase().as_str(),
        "true" | "false" | "yes" | "no" | "on" | "off" | "null" | "~" | "y" | "n"
    )
}

/// Whether a value is certainly a plain scalar: a subset of what YAML allows.
fn is_plain(value: &str) -> bool {
    let Some(first) = value.chars().next() else {
        return false;
    };
    if !(first.is_alphanumeric() || matches!(first, '/' | '.' | '(' | '~' | '_' | '$' | '★')) {
        return false;
    }
    if value.ends_with([' ', ':']) || value.contains(": ") || value.contains(" #") {
        return false;
    }
    !value.chars().any(|c| {
        c.is_control()
            || matches!(
                c,
                '\u{feff}' | '\u{2028}' | '\u{2029}' | '\u{fffe}' | '\u{ffff}'
            )
    })
}

/// Whether a YAML parser takes the text as a map.
fn verdict(text: &str, inner: &[Line<'_>]) -> Result<(), String> {
    if plainly_valid(inner) {
        return Ok(());
    }
    // The opening line stands before it, so that the parser counts lines as the file has them.
    let text = format!("\n{text}");
    mnemo_home::scans_in_time(&text)?;
    match serde_yaml::from_str::<serde_yaml::Value>(&text) {
        Ok(serde_yaml::Value::Mapping(_) | serde_yaml::Value::Null) => Ok(()),
        Ok(_) => Err("it is not a list of `key: value` lines".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// Only lines that no parser could object to: different plain keys with plain values, and maps of
/// one level. Most frontmatter is like that, and this costs a hundredth of parsing.
fn plainly_valid(inner: &[Line<'_>]) -> bool {
    let mut keys: Vec<(usize, &str)> = Vec::with_capacity(inner.len());
    let mut owner = 0;
    let mut nested: Option<usize> = None;
    for line in inner {
        let depth = line.text.len() - line.text.trim_start_matches(' ').len();
        let body = &line.text[depth..];
        let Some((key, value)) = body.split_once(':') else {
            return false;
        };
        let simple_key = key.bytes().next().is_some_and(|b| b.is_ascii_alphabetic())
            && key
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        if !simple_key {
            return false;
        }
        let value = match value.strip_prefix(' ') {
            Some(value) => value.trim_matches(' '),
            None if value.is_empty() => "",
            None => return false,
        };
        match (depth, nested) {
            (0, _) => {
                owner = line.number;
                nested = value.is_empty().then_some(0);
                if keys.contains(&(0, key)) {
                    return false;
                }
                keys.push((0, key));
            }
            (_, Some(width)) if width == 0 || width == depth => {
                if value.is_empty() || keys.contains(&(owner, key)) {
                    return false;
                }
                nested = Some(depth);
                keys.push((owner, key));
            }
            _ => return false,
        }
        let quoted = value.len() > 1
            && value.starts_with('"')
            && value.ends_with('"')
            && !value[1..value.len() - 1].contains(['"', '\\'])
            && !value.chars().any(char::is_control);
        if !(value.is_empty() || quoted || is_plain(value)) {
            return false;
        }
    }
    true
}
