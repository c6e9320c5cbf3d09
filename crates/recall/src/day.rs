//! Where the entries of a day file stand, found by their heading lines.
//!
//! An entry that mnemo's hooks wrote carries a marker line below its heading, and a line of its
//! body that looks like a heading is escaped: its headings count wherever they stand. In an entry
//! without a marker a heading inside a code fence is quoted text.

use chrono::NaiveTime;
use claude_hook::Role;
use memchr::memmem::Finder;
use std::ops::Range;

const MARKER: &[u8] = b"<!-- mnemo";

/// One entry's place in the bytes of a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) role: Role,
    pub(crate) time: NaiveTime,
    /// From the heading line to before the next one.
    pub(crate) span: Range<usize>,
    /// Behind the heading and the marker line.
    pub(crate) body: Range<usize>,
    /// The marker line; empty for an entry without.
    pub(crate) marker: Range<usize>,
}

/// The entries of a file in order.
pub(crate) fn entries(bytes: &[u8]) -> Vec<Entry> {
    let mut out = Vec::new();
    entries_into(bytes, &mut out);
    out
}

/// The same in place of what `out` held.
pub(crate) fn entries_into(bytes: &[u8], out: &mut Vec<Entry>) {
    // A fence that nobody closed would hide the rest of the day: it is then no fence.
    let mut broken = Vec::new();
    while let Err(fence) = pass(bytes, &broken, out) {
        broken.push(fence);
    }
}

/// One pass over the headings. The error is where a fence begins that is still open at the end.
fn pass(bytes: &[u8], broken: &[usize], out: &mut Vec<Entry>) -> Result<(), usize> {
    let finder = Finder::new(b"## [");
    out.clear();
    let mut quotes = Fences::new(broken);
    let mut hidden = false;
    for at in finder.find_iter(bytes) {
        if at > 0 && bytes.get(at - 1) != Some(&b'\n') {
            continue;
        }
        let end = line_end(bytes, at);
        let Some((time, role)) = bytes.get(at..end).and_then(heading) else {
            continue;
        };
        let next = (end + 1).min(bytes.len());
        let ours = bytes
            .get(next..)
            .is_some_and(|rest| rest.starts_with(MARKER));
        // Only an entry without marker can be quoted, and only one without can quote.
        if !ours && out.last().is_none_or(|last| last.marker.is_empty()) {
            let from = out.last().map_or(0, |last| last.body.start);
            if quotes.open_at(bytes, from, at) {
                hidden = true;
                continue;
            }
        }
        if let (true, Some((fence, ..))) = (ours && hidden, quotes.open) {
            return Err(fence);
        }
        hidden = false;
        if let Some(last) = out.last_mut() {
            last.close(at);
        }
        quotes.forget();
        let marker = if ours {
            next..line_end(bytes, next)
        } else {
            next..next
        };
        let body = if ours {
            (marker.end + 1).min(bytes.len())
        } else {
            next
        };
        out.push(Entry {
            role,
            time,
            span: at..bytes.len(),
            body: body..bytes.len(),
            marker,
        });
    }
    if hidden {
        let from = out.last().map_or(0, |last| last.body.start);
        if quotes.open_at(bytes, from, bytes.len())
            && let Some((fence, ..)) = quotes.open
            && broken.len() < 64
        {
            return Err(fence);
        }
    }
    Ok(())
}

/// What stands before the first heading of a day file, if it says anything: keywords and summary of
/// the day, and text that no heading leads to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Head {
    /// All of it.
    pub(crate) span: Range<usize>,
    /// The lines of the frontmatter that are looked at.
    pub(crate) fields: Vec<Range<usize>>,
    /// What follows frontmatter and title; empty where there is nothing.
    pub(crate) body: Range<usize>,
}

/// The head of a day file, which ends where its first entry begins.
pub(crate) fn head(bytes: &[u8], first: usize) -> Option<Head> {
    const SAID: [&[u8]; 6] = [
        b"keywords",
        b"summary",
        b"tags",
        b"title",
        b"description",
        b"topics",
    ];
    let mut head = Head {
        span: 0..first,
        fields: Vec::new(),
        body: first..first,
    };
    let mut at = if bytes.starts_with("\u{feff}".as_bytes()) {
        3
    } else {
        0
    };
    let line = |at: usize| {
        bytes
            .get(at..line_end(bytes, at).min(first))
            .unwrap_or_default()
    };
    if line(at).trim_ascii_end() == b"---" {
        let begun = at;
        let mut said = false;
        loop {
            at = line_end(bytes, at) + 1;
            if at >= first {
                // Nobody closed it: it is text.
                head.fields.clear();
                at = begun;
                break;
            }
            let text = line(at);
            if text.trim_ascii_end() == b"---" {
                at = line_end(bytes, at) + 1;
                break;
            }
            if text.first().is_some_and(u8::is_ascii_alphabetic) {
                let key = text.split(|b| *b == b':').next().unwrap_or_default();
                said = SAID.contains(&key.trim_ascii());
                if said {
                    let value = at + (key.len() + 1).min(text.len());
                    head.fields.push(value..at + text.len());
                }
            } else if said {
                head.fields.push(at..at + text.len());
            }
        }
    }
    while at < first {
        let text = line(at).trim_ascii();
        if !text.is_empty() && !text.starts_with(b"# ") {
            head.body = at..first;
            break;
        }
        at = line_end(bytes, at) + 1;
    }
    head.fields.retain(|field| {
        bytes.get(field.clone()).is_some_and(|value| {
            value
                .iter()
                .any(|b| !b.is_ascii_whitespace() && !b"[]\"'".contains(b))
        })
    });
    (!head.fields.is_empty() || !head.body.is_empty()).then_some(head)
}

impl Head {
    /// All of it, as it stands.
    pub(crate) fn text(&self, bytes: &[u8]) -> String {
        let text = bytes.get(self.span.clone()).unwrap_or_default();
        String::from_utf8_lossy(text)
            .trim_start_matches('\u{feff}')
            .trim_matches(['\n', '\r'])
            .to_owned()
    }
}

impl Entry {
    fn close(&mut self, at: usize) {
        self.span.end = at;
        self.body.end = at;
        self.body.start = self.body.start.min(at);
    }

    /// The value of an attribute of the marker line.
    pub(crate) fn attribute<'a>(&self, bytes: &'a [u8], name: &str) -> Option<&'a str> {
        let value = self.value(bytes, name)?;
        std::str::from_utf8(value).ok()
    }

    fn value<'a>(&self, bytes: &'a [u8], name: &str) -> Option<&'a [u8]> {
        bytes
            .get(self.marker.clone())?
            .split(u8::is_ascii_whitespace)
            .find_map(|word| word.strip_prefix(name.as_bytes())?.strip_prefix(b"="))
    }

    /// Whether an answer belongs to the question above it: by the turn's id where both have one.
    pub(crate) fn same_turn(&self, answer: &Self, bytes: &[u8]) -> bool {
        // Most have the same marker.
        if bytes.get(self.marker.clone()) == bytes.get(answer.marker.clone()) {
            return true;
        }
        match (self.value(bytes, "id"), answer.value(bytes, "id")) {
            (Some(a), Some(b)) => a == b,
            _ => true,
        }
    }

    /// The text of the body, as it was said.
    pub(crate) fn text(&self, bytes: &[u8]) -> String {
        let body = bytes.get(self.body.clone()).unwrap_or_default();
        let text = String::from_utf8_lossy(body);
        if self.marker.is_empty() {
            return text.trim_matches(['\n', '\r']).to_owned();
        }
        let mut out = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            out.push_str(unescaped(line));
        }
        out.trim_matches(['\n', '\r']).to_owned()
    }
}

/// A line of a marked body without the backslash that kept it from being a heading or a marker.
pub(crate) fn unescaped(line: &str) -> &str {
    let Some(rest) = line.strip_prefix('\\') else {
        return line;
    };
    let bare = rest.trim_start_matches('\\');
    if bare.as_bytes().starts_with(MARKER)
        || heading(bare.trim_end_matches('\n').as_bytes()).is_some()
    {
        rest
    } else {
        line
    }
}

fn line_end(bytes: &[u8], from: usize) -> usize {
    bytes
        .get(from..)
        .and_then(|rest| memchr::memchr(b'\n', rest))
        .map_or(bytes.len(), |length| from + length)
}

/// Time and role of a heading line.
pub(crate) fn heading(line: &[u8]) -> Option<(NaiveTime, Role)> {
    let digit = |digit: &u8| digit.is_ascii_digit().then(|| u32::from(digit - b'0'));
    let number = |tens, ones| Some(10 * digit(tens)? + digit(ones)?);
    let (time, rest) = match line.strip_prefix(b"## [")? {
        [h, hh, b':', m, mm, b']', b' ', rest @ ..] => ([h, hh, m, mm, &b'0', &b'0'], rest),
        [h, hh, b':', m, mm, b':', s, ss, b']', b' ', rest @ ..] => ([h, hh, m, mm, s, ss], rest),
        _ => return None,
    };
    let [h, hh, m, mm, s, ss] = time;
    let time = NaiveTime::from_hms_opt(number(h, hh)?, number(m, mm)?, number(s, ss)?)?;
    let (role, rest) = if let Some(rest) = rest.strip_prefix(b"User") {
        (Role::User, rest)
    } else {
        (Role::Assistant, rest.strip_prefix(b"Assistant")?)
    };
    rest.iter()
        .all(|b| matches!(b, b' ' | b'\t' | b'\r'))
        .then_some((time, role))
}

/// Code fences, followed line by line.
#[derive(Debug)]
struct Fences<'a> {
    /// How far was read.
    at: Option<usize>,
    /// Where the open one begins, its sign and length.
    open: Option<(usize, u8, usize)>,
    /// Beginnings that are none.
    broken: &'a [usize],
}

impl<'a> Fences<'a> {
    fn new(broken: &'a [usize]) -> Self {
        Self {
            at: None,
            open: None,
            broken,
        }
    }

    fn forget(&mut self) {
        self.at = None;
        self.open = None;
    }

    /// Whether a fence that was opened after `from` is open at `to`.
    fn open_at(&mut self, bytes: &[u8], from: usize, to: usize) -> bool {
        let mut at = self.at.unwrap_or(from);
        while at < to {
            let end = line_end(bytes, at);
            if let Some(line) = bytes.get(at..end) {
                self.line(at, line);
            }
            at = end + 1;
        }
        self.at = Some(at);
        self.open.is_some()
    }

    fn line(&mut self, at: usize, line: &[u8]) {
        let indent = line.iter().take_while(|b| **b == b' ').count();
        let Some(rest) = line.get(indent..).filter(|_| indent <= 3) else {
            return;
        };
        let Some(sign) = rest.first().copied().filter(|b| matches!(b, b'`' | b'~')) else {
            return;
        };
        let length = rest.iter().take_while(|b| **b == sign).count();
        if length < 3 {
            return;
        }
        let info = rest.get(length..).unwrap_or_default();
        match self.open {
            None if (sign == b'~' || !info.contains(&b'`')) && !self.broken.contains(&at) => {
                self.open = Some((at, sign, length));
            }
            Some((_, open, least))
                if open == sign && length >= least && info.trim_ascii().is_empty() =>
            {
                self.open = None;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_inside_fences_of_unmarked_entries_are_text() {
        let text = b"# d\n\n## [09:00] User\n\nsee\n```\n## [10:00:00] Assistant\n\nquoted\n```\n\n## [09:01:00] Assistant\n\nyes\n";
        let found = entries(text);
        assert_eq!(found.len(), 2);
        assert!(found[0].text(text).contains("quoted"));
        assert_eq!(found[1].text(text), "yes");
    }

    #[test]
    fn marked_headings_count_whatever_stands_before() {
        let text = b"## [09:00:00] User\n<!-- mnemo s=1 id=7c -->\n\n```\nopen\n\\## [10:00:00] User\n\n## [09:01:00] Assistant\n<!-- mnemo s=1 id=7c -->\n\nyes\n";
        let found = entries(text);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].attribute(text, "id"), Some("7c"));
        assert_eq!(found[0].text(text), "```\nopen\n## [10:00:00] User");
    }

    #[test]
    fn what_stands_before_the_first_heading_is_the_head() {
        for (text, fields, body) in [
            ("# 2026-10-06\n\n## [09:00] User\n\nx\n", "", ""),
            ("---\ndate: x\nkeywords: []\nsummary:\n---\n# t\n\n", "", ""),
            (
                "---\nkeywords: [a, b]\nsummary: >\n  long\ndate: x\n---\n# t\n",
                " [a, b]| >|  long",
                "",
            ),
            ("---\nnot closed\n", "", "---\nnot closed\n"),
            (
                "loose\n\n## [25:99:00] User\n\nlost\n",
                "",
                "loose\n\n## [25:99:00] User\n\nlost\n",
            ),
            ("", "", ""),
        ] {
            let bytes = text.as_bytes();
            let first = entries(bytes)
                .first()
                .map_or(bytes.len(), |entry| entry.span.start);
            let found = head(bytes, first);
            assert_eq!(
                found.is_none(),
                fields.is_empty() && body.is_empty(),
                "{text}"
            );
            let Some(found) = found else { continue };
            let said: Vec<&str> = found
                .fields
                .iter()
                .map(|field| &text[field.clone()])
                .collect();
            assert_eq!(said.join("|"), fields, "{text}");
            assert_eq!(&text[found.body.clone()], body, "{text}");
        }
    }

    #[test]
    fn a_fence_that_nobody_closed_hides_nothing() {
        let text = b"## [09:00] User\n\n```\nopen\n\n## [09:01:00] Assistant\n\nyes\n\n## [09:02:00] User\n\nand?\n";
        let found = entries(text);
        assert_eq!(found.len(), 3);
    }
}
