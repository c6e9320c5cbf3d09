//! Links in Markdown: `[text](target)` and `[[name]]`, outside fences, code spans and comments.

use crate::lines::lines;
use memchr::memmem;
use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

/// How a link is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkKind {
    /// `[text](target)`
    Markdown,
    /// `[[name]]`
    Wiki,
    /// `a:147` in a record's MEMORY.md.
    Code,
}

/// One link as written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Link {
    /// Line, from 1.
    pub line: usize,
    /// How.
    pub kind: LinkKind,
    /// From the first bracket to the last, bytes of the whole text.
    pub range: Range<usize>,
    /// The words shown (`[these](…)`, `[[name|these]]`, else the name), bytes.
    pub label: Range<usize>,
    /// Target without `<…>`, title, anchor and alias, as written, bytes.
    pub target: Range<usize>,
    /// The target, percent-decoded. Empty for a link within the file (`#anchor`).
    pub path: String,
}

impl Link {
    /// The target as written.
    pub fn raw<'a>(&self, text: &'a str) -> &'a str {
        text.get(self.target.clone()).unwrap_or_default()
    }

    /// Whether it leads to the web, a mail address or the like.
    pub fn is_external(&self) -> bool {
        if self.kind == LinkKind::Wiki {
            return false;
        }
        let Some((scheme, rest)) = self.path.split_once(':') else {
            return self.path.starts_with("//");
        };
        // A single letter is a Windows drive.
        scheme.len() > 1
            && !rest.is_empty()
            && scheme.starts_with(|c: char| c.is_ascii_alphabetic())
            && scheme
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
    }
}

/// Every link of a text, in order.
pub fn parse(text: &str) -> Vec<Link> {
    let bytes = text.as_bytes();
    if memmem::find(bytes, b"](").is_none() && memmem::find(bytes, b"[[").is_none() {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut lines = Visible::of(text);
    while lines.skip_plain()
        && let Some(visible) = lines.next()
    {
        line_links(&visible, &mut found);
    }
    found
}

/// A line with what is code or comment blanked, byte for byte.
pub(crate) struct VisibleLine<'a> {
    pub(crate) number: usize,
    pub(crate) start: usize,
    pub(crate) text: Cow<'a, str>,
    /// Whether the line belongs to a fence.
    pub(crate) fenced: bool,
    /// Whether a comment goes on behind the line.
    pub(crate) open: bool,
}

/// The lines of a text as a reader of the rendered page sees them.
pub(crate) struct Visible<'a> {
    lines: crate::lines::Lines<'a>,
    fence: Option<(u8, usize)>,
    comment: bool,
}

impl<'a> Visible<'a> {
    pub(crate) fn of(text: &'a str) -> Self {
        Self {
            lines: lines(text),
            fence: None,
            comment: false,
        }
    }
}

impl Visible<'_> {
    /// Goes on to the next line that can hold a link or change what a link is; false when there is
    /// none.
    fn skip_plain(&mut self) -> bool {
        // Inside a comment every line may end it.
        if self.comment {
            return true;
        }
        let (start, rest) = self.lines.rest();
        let mark = memchr::memchr3(b'[', b'`', b'<', rest);
        let before = &rest[..mark.unwrap_or(rest.len())];
        let Some(at) = memchr::memchr(b'~', before).or(mark) else {
            return false;
        };
        self.lines.skip_to(start + at);
        true
    }
}

impl<'a> Iterator for Visible<'a> {
    type Item = VisibleLine<'a>;

    fn next(&mut self) -> Option<VisibleLine<'a>> {
        let line = self.lines.next()?;
        let mut visible = VisibleLine {
            number: line.number,
            start: line.start,
            text: Cow::Borrowed(line.text),
            fenced: false,
            open: false,
        };
        if !self.comment
            && let Some((mark, length, info)) = fence(line.text)
        {
            match self.fence {
                None if mark == b'~' || !info.contains('`') => {
                    self.fence = Some((mark, length));
                    visible.fenced = true;
                }
                Some((open, needed))
                    if open == mark && length >= needed && info.trim().is_empty() =>
                {
                    self.fence = None;
                    visible.fenced = true;
                }
                _ => {}
            }
        }
        if self.fence.is_some() {
            visible.fenced = true;
        }
        if visible.fenced {
            visible.text = Cow::Borrowed("");
        } else if self.comment || memchr::memchr2(b'`', b'<', line.text.as_bytes()).is_some() {
            visible.text = Cow::Owned(self.blank(line.text));
        }
        visible.open = self.comment;
        Some(visible)
    }
}

impl Visible<'_> {
    /// Blanks code spans and comments; a comment may go on in the lines that follow.
    fn blank(&mut self, text: &str) -> String {
        let mut bytes = text.as_bytes().to_vec();
        let mut at = 0;
        let mut last = None;
        while at < bytes.len() {
            if self.comment {
                let end = memmem::find(&bytes[at..], b"-->").map(|end| at + end + 3);
                let stop = end.unwrap_or(bytes.len());
                bytes[at..stop].fill(b' ');
                self.comment = end.is_none();
                at = stop;
                continue;
            }
            match bytes[at] {
                b'\\' => at += 2,
                b'<' if bytes[at..].starts_with(b"<!--") => self.comment = true,
                b'`' => {
                    let run = run_of(&bytes[at..], b'`');
                    // Each run that nothing closes would be looked for to the end of the line.
                    let last = last.get_or_insert_with(|| last_runs(&bytes));
                    let closes = last.get(&run).is_some_and(|place| *place >= at + run);
                    match closes.then(|| closing(&bytes, at + run, run)).flatten() {
                        Some(end) => {
                            bytes[at..end].fill(b' ');
                            at = end;
                        }
                        None => at += run,
                    }
                }
                _ => at += 1,
            }
        }
        // Whole spans between ASCII marks were blanked, so this holds; the guard costs nothing.
        String::from_utf8(bytes).unwrap_or_default()
    }
}

fn run_of(bytes: &[u8], mark: u8) -> usize {
    bytes.iter().take_while(|byte| **byte == mark).count()
}

/// Where the last run of each length stands.
fn last_runs(bytes: &[u8]) -> HashMap<usize, usize> {
    let mut last = HashMap::new();
    let mut at = 0;
    while let Some(step) = memchr::memchr(b'`', &bytes[at..]) {
        at += step;
        let run = run_of(&bytes[at..], b'`');
        last.insert(run, at);
        at += run;
    }
    last
}

/// The end of the run of exactly `run` backticks at or after `from`.
fn closing(bytes: &[u8], from: usize, run: usize) -> Option<usize> {
    let mut at = from;
    loop {
        at += memchr::memchr(b'`', bytes.get(at..)?)?;
        let length = run_of(&bytes[at..], b'`');
        at += length;
        if length == run {
            return Some(at);
        }
    }
}

/// The mark, length and rest of a line that opens or closes a fence. Any indentation: fences stand
/// in lists too.
pub(crate) fn fence(line: &str) -> Option<(u8, usize, &str)> {
    // Most lines begin with a letter, which one look tells.
    let first = line.bytes().find(|byte| !byte.is_ascii_whitespace())?;
    if first.is_ascii() && !matches!(first, b'`' | b'~') {
        return None;
    }
    let text = line.trim_start();
    let mark = *text
        .as_bytes()
        .first()
        .filter(|b| matches!(b, b'`' | b'~'))?;
    let length = run_of(text.as_bytes(), mark);
    (length >= 3).then(|| (mark, length, &text[length..]))
}

fn line_links(line: &VisibleLine<'_>, found: &mut Vec<Link>) {
    let text: &str = &line.text;
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(step) = memchr::memchr2(b'[', b'\\', &bytes[at..]) {
        at += step;
        if bytes[at] == b'\\' {
            at += 2;
            if at > bytes.len() {
                break;
            }
            continue;
        }
        match wiki(text, at).or_else(|| markdown(text, at)) {
            Some(mut next) => {
                at = next.range.end;
                next.line = line.number;
                for range in [&mut next.range, &mut next.label, &mut next.target] {
                    range.start += line.start;
                    range.end += line.start;
                }
                found.push(next);
            }
            None => at += 1,
        }
    }
}

/// `[[name]]`, `[[name|words]]`, `[[name#part]]` at `at`.
fn wiki(text: &str, at: usize) -> Option<Link> {
    let inner = text[at..].strip_prefix("[[")?;
    let window = &inner.as_bytes()[..inner.len().min(LONGEST)];
    let length = memmem::find(window, b"]]")?;
    let inner = &inner[..length];
    if inner.contains('[') {
        return None;
    }
    let start = at + 2;
    let name_end = inner.find(['|', '#']).unwrap_or(length);
    let target = trimmed(text, start..start + name_end);
    let label = match inner.find('|') {
        Some(bar) => trimmed(text, start + bar + 1..start + length),
        None => target.clone(),
    };
    let path = text[target.clone()].to_owned();
    if path.is_empty() {
        return None;
    }
    Some(Link {
        line: 0,
        kind: LinkKind::Wiki,
        range: at..start + length + 2,
        label,
        target,
        path,
    })
}

/// `[text](target)` at `at`; brackets in the text may nest.
fn markdown(text: &str, at: usize) -> Option<Link> {
    let bytes = text.as_bytes();
    let close = matching(bytes, at, b'[', b']')?;
    if bytes.get(close + 1) != Some(&b'(') {
        return None;
    }
    let open = close + 1;
    let first = open + 1 + indent(&text[open + 1..]);
    let (target, end) = if bytes.get(first) == Some(&b'<') {
        let window = &bytes[first..bytes.len().min(first + LONGEST)];
        let end = first + memchr::memchr(b'>', window)?;
        let window = &bytes[end..bytes.len().min(end + LONGEST)];
        (first + 1..end, end + memchr::memchr(b')', window)?)
    } else {
        let end = matching(bytes, open, b'(', b')')?;
        (without_title(text, first.min(end)..end), end)
    };
    let target = trimmed(text, target);
    let anchor = text[target.clone()].find('#').unwrap_or(target.len());
    let target = target.start..target.start + anchor;
    Some(Link {
        line: 0,
        kind: LinkKind::Markdown,
        range: at..end + 1,
        label: at + 1..close,
        path: percent_decoded(&text[target.clone()]),
        target,
    })
}

fn indent(text: &str) -> usize {
    text.len() - text.trim_start().len()
}

/// `target "title"` without the title.
fn without_title(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = text[range.clone()].trim_end();
    for quote in ['"', '\''] {
        if let Some(body) = inner.strip_suffix(quote)
            && let Some(open) = body.find(quote)
            && body[..open].ends_with([' ', '\t'])
        {
            return range.start..range.start + open;
        }
    }
    range
}

fn trimmed(text: &str, range: Range<usize>) -> Range<usize> {
    let inner = &text[range.clone()];
    let start = range.start + indent(inner);
    start..start + inner.trim().len()
}

/// Longest label or target, bytes; what goes on for longer is no link. Bounds the search from each
/// bracket.
const LONGEST: usize = 4096;

/// Where the bracket that opens at `at` is closed.
fn matching(bytes: &[u8], at: usize, open: u8, close: u8) -> Option<usize> {
    let mut depth = 0_usize;
    let mut i = at;
    while let Some(&byte) = bytes.get(i).filter(|_| i - at < LONGEST) {
        if byte == b'\\' {
            i += 2;
            continue;
        }
        if byte == open {
            depth += 1;
        } else if byte == close {
            depth = depth.checked_sub(1)?;
            if depth == 0 {
                return Some(i);
            }
        }
        i += 1;
    }
    None
}

/// `%20` and the like; what does not decode to UTF-8 stays as written.
pub(crate) fn percent_decoded(text: &str) -> String {
    if !text.contains('%') {
        return text.to_owned();
    }
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let decoded = (byte == b'%')
            .then(|| text.get(at + 1..at + 3))
            .flatten()
            .filter(|digits| digits.bytes().all(|b| b.is_ascii_hexdigit()))
            .and_then(|digits| u8::from_str_radix(digits, 16).ok());
        if let Some(decoded) = decoded {
            out.push(decoded);
            at += 3;
        } else {
            out.push(byte);
            at += 1;
        }
    }
    String::from_utf8(out).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn lines_that_are_passed_over_hold_nothing(
            text in "(\u{feff})?(\\[a\\]\\(b\\)|\\[\\[c\\]\\]|```|~~~|`|<!--|-->|<|~|word| |\r\n|\n|\n\n){0,40}",
        ) {
            let mut every = Vec::new();
            for line in Visible::of(&text) {
                line_links(&line, &mut every);
            }
            prop_assert_eq!(parse(&text), every);
        }
    }
}
