//! Values that are assigned to the name of a secret: `NAME=value`, `name: value`, `"name": "value"`,
//! `\"name\":\"value\"`, `--name value`, `<name>value</name>`.

use super::names::{self, Name, Sense};
use super::values::{self, Setting};
use super::{Found, Pass, shapes};
use memchr::{memchr, memmem};

/// How name and value are linked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Link {
    /// `=`, with blanks around it or not.
    Equals { spaced: bool },
    /// `:`, with a blank behind it or not.
    Colon { spaced: bool },
    /// `==`, `=>`, `,`: only a value in quotes counts.
    QuotedOnly,
    /// A blank, behind a flag.
    Blank,
    /// `<name>`
    Element,
}

/// Longest value between quotes that is looked at.
const LONGEST_QUOTED: usize = 4096;

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.')
}

/// The secret assigned to the name around `at`.
pub(super) fn at(pass: &mut Pass<'_>, at: usize) -> Option<Found> {
    let bytes = pass.bytes;
    let first = *bytes.get(at)?;
    if first >= 128 {
        let (length, name) = names::word(bytes.get(at..)?)?;
        return value(pass, at, at + length, name);
    }
    if at < pass.names {
        return None;
    }
    let mut start = at;
    let limit = at.saturating_sub(names::LONGEST).max(pass.floor);
    while start > limit && bytes.get(start - 1).is_some_and(|b| is_name(*b)) {
        start -= 1;
    }
    let mut end = at + usize::from(first == b' ');
    while end < at + names::LONGEST && bytes.get(end).is_some_and(|b| is_name(*b)) {
        end += 1;
    }
    pass.names = end;
    // The letter of an escape written out (`\npassword`) is no part of the name.
    if start > 0
        && bytes.get(start - 1) == Some(&b'\\')
        && matches!(bytes.get(start), Some(b'n' | b'r' | b't'))
    {
        start += 1;
    }
    let raw = bytes.get(start..end)?;
    let lead = raw.iter().take_while(|b| **b == b'-').count();
    let raw = raw.get(lead..)?;
    let name = names::judge(raw)?;
    if matches!(raw, b"PWD" | b"OLDPWD") && bytes.get(end) == Some(&b'=') {
        // The working directory, unless it stands in a connection string.
        let literal = start > 0 && bytes.get(start - 1) == Some(&b';');
        if !literal {
            return None;
        }
    }
    value(pass, start, end, name)
}

/// The value that belongs to the name in `start..end`.
fn value(pass: &Pass<'_>, start: usize, end: usize, name: Name) -> Option<Found> {
    let bytes = pass.bytes;
    let (link, at) = link(bytes, start, end, pass.floor)?;
    let mut at = at;
    // `b"…"`, `r"…"`, `f'…'`, `@"…"`
    if let (Some(b'b' | b'r' | b'f' | b'u' | b'@' | b'$'), Some(b'"' | b'\'')) =
        (bytes.get(at), bytes.get(at + 1))
    {
        at += 1;
    }
    if name.sense == Sense::Authorization {
        return authorization(bytes, at, name);
    }
    if link == Link::Element {
        let rest = bytes.get(at..bytes.len().min(at + LONGEST_QUOTED))?;
        let stop = memchr(b'<', rest)?;
        let inner = rest.get(..stop)?;
        // `<password>` may be a placeholder; what another tag follows is no element's value.
        let closed = rest
            .get(stop + 1..)?
            .iter()
            .find(|byte| **byte != b'\\')
            .is_some_and(|byte| *byte == b'/');
        return (closed && stop > 0 && values::quoted(inner, name.sense))
            .then(|| found(pass, at, at + stop, name));
    }
    if let Some((from, to)) = quoted(bytes, at) {
        let inner = bytes.get(from..to)?;
        let inner = inner
            .get(..7)
            .filter(|head| head.eq_ignore_ascii_case(b"bearer "))
            .map_or(inner, |_| inner.get(7..).unwrap_or_default());
        let from = to - inner.len();
        return values::quoted(inner, name.sense).then(|| found(pass, from, to, name));
    }
    if link == Link::QuotedOnly {
        return None;
    }
    bare(pass, start, at, link, name)
}

/// The mark of a token that is known by its shape is more telling than that of its name.
fn found(pass: &Pass<'_>, start: usize, end: usize, name: Name) -> Found {
    let known = shapes::at(pass.bytes, start, start).filter(|f| f.start == start && f.end == end);
    known.unwrap_or(Found {
        start,
        end,
        kind: name.kind,
    })
}

/// What stands between the name and its value, and where the value begins.
fn link(bytes: &[u8], start: usize, end: usize, floor: usize) -> Option<(Link, usize)> {
    let before_name = start
        .checked_sub(1)
        .filter(|i| *i >= floor)
        .and_then(|i| bytes.get(i));
    if before_name == Some(&b'<') && bytes.get(end) == Some(&b'>') {
        return Some((Link::Element, end + 1));
    }
    let mut at = end;
    let mut closed = false;
    while bytes.get(at) == Some(&b'\\') && at < end + 8 {
        at += 1;
    }
    if matches!(bytes.get(at), Some(b'"' | b'\'' | b'`')) {
        at += 1;
        closed = true;
        if bytes.get(at) == Some(&b']') {
            at += 1;
        }
    } else {
        at = end;
    }
    while bytes.get(at) == Some(&b'*') && at < end + 4 {
        at += 1;
    }
    let gap = at;
    at = blanks(bytes, at);
    let spaced = at > gap;
    let rest = bytes.get(at..)?;
    let (link, length) = match rest {
        [b':', b':', ..] | [b'=', b'~', ..] | [b'=', b'=', b'=', b'=', ..] => return None,
        [b':', b'=', ..] => (Link::Equals { spaced: true }, 2),
        [b':', next, ..] => (
            Link::Colon {
                spaced: next.is_ascii_whitespace() || *next == b'*',
            },
            1,
        ),
        [b'=', b'=', b'=', ..] => (Link::QuotedOnly, 3),
        [b'=', b'=' | b'>', ..] => (Link::QuotedOnly, 2),
        [b'=', next, ..] => (
            Link::Equals {
                spaced: spaced || matches!(next, b' ' | b'\t'),
            },
            1,
        ),
        [b',', ..] if closed && called(bytes, start) => (Link::QuotedOnly, 1),
        _ if rest.starts_with("：".as_bytes()) => (Link::Colon { spaced: true }, 3),
        _ if rest.starts_with("＝".as_bytes()) => (Link::Equals { spaced: true }, 3),
        _ if spaced && !closed && takes_blank(bytes, start, end, floor) => (Link::Blank, 0),
        _ => return None,
    };
    at += length;
    at = blanks(bytes, at);
    // `**Password:** value`
    if matches!(link, Link::Colon { .. }) {
        let first = at;
        while bytes.get(at) == Some(&b'*') && at < first + 2 {
            at += 1;
        }
        if at > first {
            at = blanks(bytes, at);
        }
    }
    Some((link, at))
}

fn blanks(bytes: &[u8], mut at: usize) -> usize {
    let limit = at + 32;
    while at < limit {
        match bytes.get(at) {
            Some(b' ' | b'\t') => at += 1,
            Some(0xE3)
                if bytes
                    .get(at..)
                    .is_some_and(|r| r.starts_with("\u{3000}".as_bytes())) =>
            {
                at += 3;
            }
            Some(0xC2) if bytes.get(at + 1) == Some(&0xA0) => at += 2,
            _ => break,
        }
    }
    at
}

/// `define('NAME', …`: the name is the first argument of a call.
fn called(bytes: &[u8], start: usize) -> bool {
    start >= 2
        && matches!(bytes.get(start - 1), Some(b'"' | b'\''))
        && bytes.get(start - 2) == Some(&b'(')
}

/// Whether the value may follow the name with nothing but a blank: `--password x`, `-Token x`,
/// `#define PASSWORD "x"`, `set -x TOKEN x`, and the lines of `.netrc`.
fn takes_blank(bytes: &[u8], start: usize, end: usize, floor: usize) -> bool {
    let raw = bytes.get(start..end).unwrap_or_default();
    let line = line_before(bytes, start, floor);
    let command_word = line
        .last()
        .is_none_or(|b| b.is_ascii_whitespace() || b"\"'`([".contains(b));
    if raw.starts_with(b"--") || (raw.starts_with(b"-") && raw.len() > 3) {
        return command_word;
    }
    let ends =
        |word: &str| line.trim_ascii_end().ends_with(word.as_bytes()) && line.last() == Some(&b' ');
    if ["define", "set -x", "set -gx", "set -Ux", "setx"]
        .iter()
        .any(|word| ends(word))
    {
        return true;
    }
    raw == b"password" && {
        let near = bytes
            .get(start.saturating_sub(200).max(floor)..start)
            .unwrap_or_default();
        command_word
            && memmem::find(near, b"login ").is_some()
            && (memmem::find(near, b"machine ").is_some()
                || memmem::find(near, b"default").is_some())
    }
}

/// What stands before the name on its line, as far as it matters.
fn line_before(bytes: &[u8], start: usize, floor: usize) -> &[u8] {
    let near = bytes
        .get(start.saturating_sub(64).max(floor)..start)
        .unwrap_or_default();
    let from = near.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
    near.get(from..).unwrap_or_default()
}

/// The range between the quotes that begin at `at`: `"…"`, `'…'`, `` `…` ``, each with any number of
/// backslashes before it, on one line.
fn quoted(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
    let mut open = at;
    while bytes.get(open) == Some(&b'\\') && open < at + 16 {
        open += 1;
    }
    let level = open - at;
    let quote = *bytes.get(open)?;
    if !matches!(quote, b'"' | b'\'' | b'`') {
        return None;
    }
    let from = open + 1;
    let window = bytes.get(from..bytes.len().min(from + LONGEST_QUOTED))?;
    let window = window.get(..memchr(b'\n', window).unwrap_or(window.len()))?;
    let mut search = 0;
    while let Some(hit) = memchr(quote, window.get(search..)?) {
        let hit = search + hit;
        let slashes = window
            .get(..hit)?
            .iter()
            .rev()
            .take(64)
            .take_while(|b| **b == b'\\')
            .count();
        let closes = if level == 0 {
            slashes % 2 == 0
        } else {
            slashes <= level
        };
        if closes {
            let end = if level == 0 { hit } else { hit - slashes };
            return Some((from, from + end));
        }
        search = hit + 1;
    }
    None
}

/// The credential of an `Authorization` header.
fn authorization(bytes: &[u8], at: usize, name: Name) -> Option<Found> {
    let mut start = at;
    while matches!(bytes.get(start), Some(b'"' | b'\'' | b'`' | b'\\')) && start < at + 8 {
        start += 1;
    }
    let token = |from: usize, limit: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        let rest = rest.get(..limit).unwrap_or(rest);
        let end = rest
            .iter()
            .position(|b| b.is_ascii_whitespace() || b"\"'`,;\\)".contains(b))
            .unwrap_or(rest.len());
        from + end
    };
    let end = token(start, 64);
    let scheme = bytes.get(start..end)?;
    let known = [
        "bearer",
        "basic",
        "token",
        "apikey",
        "negotiate",
        "bot",
        "digest",
        "key",
    ]
    .iter()
    .any(|word| scheme.eq_ignore_ascii_case(word.as_bytes()));
    let schemed = known && bytes.get(end) == Some(&b' ');
    if schemed {
        start = blanks(bytes, end);
    }
    let end = token(start, 256);
    let head = bytes.get(start..end)?;
    let more = match bytes.get(end) {
        Some(b' ') => bytes.get(end + 1).is_some_and(u8::is_ascii_alphabetic),
        _ => false,
    };
    let word = head.iter().all(|b| b.is_ascii_alphabetic() || *b == b'.');
    let setting = if schemed && !(word && more) {
        Setting::Literal
    } else {
        Setting::Inside
    };
    let sense = if schemed {
        Sense::Password
    } else {
        Sense::Weak
    };
    if !values::bare(head, sense, setting) {
        return None;
    }
    let end = if end - start == 256 {
        token(start, usize::MAX)
    } else {
        end
    };
    Some(Found {
        start,
        end,
        kind: name.kind,
    })
}

/// A value without quotes.
fn bare(pass: &Pass<'_>, name_start: usize, at: usize, link: Link, name: Name) -> Option<Found> {
    /// Longer values than this are no words.
    const HEAD: usize = 256;
    let bytes = pass.bytes;
    // A quote that is never closed: what follows it counts.
    let unclosed = matches!(bytes.get(at), Some(b'"' | b'\''));
    let at = at + usize::from(unclosed);
    let ahead = line_before(bytes, name_start, pass.floor);
    let previous = ahead.last().copied();
    let begins = begins_line(ahead);
    let raw_upper = bytes
        .get(name_start..)
        .and_then(|rest| {
            let mut name = rest.iter().take(names::LONGEST);
            name.find(|b| b.is_ascii_alphabetic())
        })
        .is_some_and(u8::is_ascii_uppercase);
    let flag = bytes.get(name_start) == Some(&b'-') && !matches!(link, Link::Colon { .. });
    let tight = matches!(link, Link::Equals { spaced: false });
    let query = tight && matches!(previous, Some(b'?' | b'&' | b';'));
    let environment = tight && begins;
    let rest = bytes.get(at..)?;
    let mut run = Run {
        rest,
        end: 0,
        open: 0,
        environment,
        flag,
    };
    run.go(HEAD + 1);
    let end = run.end;
    if end > HEAD {
        // Words and code are shorter, or show a call early. The rest is looked at only to be taken
        // out, so that no stretch is read twice.
        let head = rest.get(..HEAD)?;
        let setting = if flag || query || environment {
            Setting::Literal
        } else {
            Setting::Inside
        };
        if head.contains(&b'(') && !values::bare(head, name.sense, setting) {
            return None;
        }
        run.go(usize::MAX);
        return Some(found(pass, at, at + run.end, name));
    }
    let mut head = rest.get(..end)?;
    if !environment && !flag {
        while let [kept @ .., b'.' | b'!' | b'?' | b':' | b'*'] = head {
            if values::is_mask(head) {
                break;
            }
            head = kept;
        }
    }
    let length = head.len();
    let after = rest.get(end..).unwrap_or_default();
    let finished = matches!(after.first(), Some(b',' | b';' | b')' | b'}' | b']'));
    let alone = ends_line(after);
    let setting = if flag
        || query
        || environment
        || (tight && raw_upper)
        || (tight
            && !finished
            && previous.is_none_or(|b| b.is_ascii_whitespace() || b"\"'".contains(&b)))
    {
        Setting::Literal
    } else if alone && (begins || !finished && matches!(link, Link::Colon { spaced: true })) {
        Setting::OwnLine { finished }
    } else {
        Setting::Inside
    };
    if values::bare(head, name.sense, setting) {
        return Some(found(pass, at, at + length, name));
    }
    annotated(bytes, at, name).map(|(from, to)| found(pass, from, to, name))
}

/// The run of a value without quotes.
struct Run<'a> {
    rest: &'a [u8],
    end: usize,
    /// Brackets that were opened in it.
    open: usize,
    environment: bool,
    flag: bool,
}

impl Run<'_> {
    /// Goes on to the end of the value, or to `limit`.
    fn go(&mut self, limit: usize) {
        while self.end < limit && !self.stops() {
            self.end += 1;
        }
    }

    fn stops(&mut self) -> bool {
        let Some(byte) = self.rest.get(self.end) else {
            return true;
        };
        let next = self.rest.get(self.end + 1);
        match byte {
            b'"' | b'\'' | b'`' => true,
            b'<' | b'&' if !(self.environment && *byte == b'&') => self.end > 0,
            b'>' => self.end > 0 && self.rest.first() != Some(&b'<'),
            b if b.is_ascii_whitespace() => true,
            // An escape written out, as in a JSON string.
            b'\\' => matches!(next, Some(b'n' | b'r' | b't' | b'"' | b'\'' | b'\\') | None),
            b';' | b'&' | b'|' if self.environment => {
                next.is_none_or(|n| n.is_ascii_whitespace() || n == byte)
            }
            b';' | b'|' => true,
            b',' => !self.flag && !self.environment || next.is_none_or(u8::is_ascii_whitespace),
            b'(' | b'{' | b'[' => {
                self.open += 1;
                false
            }
            b')' | b'}' | b']' if self.open > 0 => {
                self.open -= 1;
                false
            }
            b')' | b'}' | b']' => !self.environment,
            // Full-width punctuation ends a value in a Korean or Chinese sentence.
            0xE3 => next == Some(&0x80),
            0xEF => matches!(next, Some(0xBC | 0xBD)),
            _ => false,
        }
    }
}

/// `password: &str = "value"`: the value behind a type.
fn annotated(bytes: &[u8], at: usize, name: Name) -> Option<(usize, usize)> {
    let window = bytes.get(at..bytes.len().min(at + 64))?;
    let equals = window
        .iter()
        .position(|b| !(b.is_ascii_alphanumeric() || b"_&'<>[]|.? :".contains(b)))?;
    if window.get(equals) != Some(&b'=') || matches!(window.get(equals + 1), Some(b'=' | b'>')) {
        return None;
    }
    let (from, to) = quoted(bytes, blanks(bytes, at + equals + 1))?;
    values::quoted(bytes.get(from..to)?, name.sense).then_some((from, to))
}

/// Whether a name behind this begins its line: blanks, list and comment signs, `export` and the like.
fn begins_line(line: &[u8]) -> bool {
    let words = line.trim_ascii();
    if line.len() >= 64 {
        return false;
    }
    words.iter().all(|b| b" \t-+#>$*|/".contains(b))
        || [
            "export",
            "set",
            "setx",
            "ENV",
            "ARG",
            "-e",
            "--env",
            "declare -x",
            "$env:",
            "local",
            "readonly",
            "- name:",
            "env",
        ]
        .iter()
        .any(|word| words.ends_with(word.as_bytes()))
        || words.ends_with(b"\\n")
}

/// Whether nothing but a comment or closing signs follows on the line.
fn ends_line(after: &[u8]) -> bool {
    let mut at = 0;
    while let Some(byte) = after.get(at).filter(|_| at < 32) {
        match byte {
            // A line's end, a comment, full-width punctuation.
            b'\n' | b'\r' | 0xE3 | 0xEF => return true,
            b'#' => return at > 0,
            b'/' => return after.get(at + 1) == Some(&b'/'),
            b'\\' => return matches!(after.get(at + 1), Some(b'n' | b'r')),
            b' ' | b'\t' | b',' | b';' | b'*' | b'.' | b'!' | b'"' | b'\'' | b'`' => at += 1,
            _ => return false,
        }
    }
    at >= after.len() || at >= 32
}
