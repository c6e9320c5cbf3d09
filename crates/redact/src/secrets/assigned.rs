//! Values that are assigned to the name of a secret: `NAME=value`, `name: value`, `"name": "value"`,
//! `\"name\":\"value\"`, `--name value`, `<name>value</name>`.

use super::names::{self, Name, Sense};
use super::values::{self, Setting};
use super::{Found, Pass, documents, shapes};
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
    /// A blank or a tab: what is between quotes, or clearly a secret.
    Beside {
        /// Of a statement of SQL.
        statement: bool,
    },
    /// `is`, in a sentence.
    Says,
    /// The argument of a call.
    Argument,
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
fn value(pass: &mut Pass<'_>, start: usize, end: usize, name: Name) -> Option<Found> {
    let bytes = pass.bytes;
    if let Some(found) =
        documents::table(pass, start, end, name).or_else(|| documents::pair(pass, start, end, name))
    {
        return Some(found);
    }
    let (link, at) = link(bytes, start, end, pass.floor)?;
    let mut at = at;
    if matches!(link, Link::Colon { .. })
        && let Some(found) = documents::below(pass, start, at, name)
    {
        return Some(found);
    }
    // `b"…"`, `r"…"`, `f'…'`, `@"…"`
    if let (Some(b'b' | b'r' | b'f' | b'u' | b'@' | b'$' | b'N'), Some(b'"' | b'\'')) =
        (bytes.get(at), bytes.get(at + 1))
    {
        at += 1;
    }
    // `password: !!str x`
    if bytes
        .get(at..)
        .is_some_and(|rest| rest.starts_with(b"!!str "))
    {
        at += 6;
    }
    // `ConvertTo-SecureString -String "x"`
    if link == Link::Blank
        && bytes
            .get(at..)
            .is_some_and(|rest| rest.starts_with(b"-String "))
    {
        at = blanks(bytes, at + 8);
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
    if let Link::Says | Link::Beside { statement: false } = link {
        return said(pass, at, link, name);
    }
    if link == Link::Argument {
        let (from, to) = quoted(bytes, blanks(bytes, at))?;
        return values::literal(bytes.get(from..to)?).then(|| found(pass, from, to, name));
    }
    if matches!(link, Link::Equals { .. } | Link::Colon { .. }) {
        match bytes.get(at) {
            // `auth=("user", "x")`
            Some(b'(') if name.sense == Sense::Weak => {
                let (_, to) = quoted(bytes, blanks(bytes, at + 1))?;
                let next = blanks(bytes, to + 1);
                let (from, to) = quoted(bytes, blanks(bytes, next + 1))
                    .filter(|_| bytes.get(next) == Some(&b','))?;
                return values::literal(bytes.get(from..to)?).then(|| found(pass, from, to, name));
            }
            Some(b'[') if name.sense != Sense::Weak => list(pass, at + 1, name),
            _ => {}
        }
    }
    if let Some((from, to)) = documents::triple(bytes, at).or_else(|| quoted(bytes, at)) {
        let inner = bytes.get(from..to)?;
        let inner = inner
            .get(..7)
            .filter(|head| head.eq_ignore_ascii_case(b"bearer "))
            .map_or(inner, |_| inner.get(7..).unwrap_or_default());
        let from = to - inner.len();
        return values::quoted(inner, name.sense).then(|| found(pass, from, to, name));
    }
    if matches!(link, Link::QuotedOnly | Link::Beside { .. }) {
        return None;
    }
    bare(pass, start, at, link, name)
}

/// Notes the values of `["a", "b"]`.
fn list(pass: &mut Pass<'_>, mut at: usize, name: Name) {
    const MOST: usize = 64;
    let bytes = pass.bytes;
    for _ in 0..MOST {
        while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
            at += 1;
        }
        let Some((from, to)) = quoted(bytes, at) else {
            return;
        };
        if bytes.get(from..to).is_some_and(|value| {
            values::quoted(value, name.sense) && values::bare(value, name.sense, Setting::Inside)
        }) {
            let value = found(pass, from, to, name);
            pass.note(value);
        }
        at = to + 1;
        while bytes
            .get(at)
            .is_some_and(|b| b.is_ascii_whitespace() || matches!(b, b'"' | b'\''))
        {
            at += 1;
        }
        if bytes.get(at) != Some(&b',') {
            return;
        }
        at += 1;
    }
}

/// A value in a sentence, or in the column beside its name: only what is clearly one.
fn said(pass: &Pass<'_>, at: usize, link: Link, name: Name) -> Option<Found> {
    let bytes = pass.bytes;
    // Of a token a sentence tells more that is none; what it tells must be random.
    let sense = match name.sense {
        Sense::Password => Sense::Password,
        Sense::Token | Sense::Weak if link == Link::Says => Sense::Weak,
        _ => return None,
    };
    let (from, to, ends) = if let Some((from, to)) = quoted(bytes, at) {
        (from, to, true)
    } else if link == Link::Says || tabbed(bytes, at) {
        let rest = bytes.get(at..bytes.len().min(at + 256))?;
        let length = rest
            .iter()
            .position(|b| !b.is_ascii_graphic())
            .unwrap_or(rest.len());
        let word = rest.get(..length)?;
        let kept = word
            .iter()
            .rposition(|b| !matches!(b, b'.' | b',' | b';' | b':' | b'!' | b'?' | b')'))
            .map_or(0, |i| i + 1);
        // `8chars long`, `2nd`
        let ends = kept < length
            || rest.get(length).is_none_or(|b| *b != b' ')
            || !word.first().is_some_and(u8::is_ascii_digit);
        (at, at + kept, ends)
    } else {
        return None;
    };
    let value = bytes.get(from..to)?;
    (ends && !names_a_method(value) && values::bare(value, sense, Setting::Inside))
        .then(|| found(pass, from, to, name))
}

/// Whether a tab stands before `at`.
fn tabbed(bytes: &[u8], at: usize) -> bool {
    at.checked_sub(1).and_then(|i| bytes.get(i)) == Some(&b'\t')
}

/// `sha256`, `base64-encoded`: how a password is kept, not what it is.
fn names_a_method(value: &[u8]) -> bool {
    [
        "sha", "md5", "md4", "base64", "base32", "bcrypt", "argon2", "scrypt", "pbkdf2", "utf",
        "aes", "oauth", "http", "ipv", "hmac", "rsa", "des3", "ed25519", "x509", "iso", "v1", "v2",
    ]
    .iter()
    .any(|word| {
        value
            .get(..word.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()))
    })
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
        [b'%', b'3', b'D' | b'd', ..] => (Link::Equals { spaced: false }, 3),
        [b'=', b'=', b'=', ..] => (Link::QuotedOnly, 3),
        [b'=', b'=' | b'>', ..] => (Link::QuotedOnly, 2),
        [b'=', next, ..] => (
            Link::Equals {
                spaced: spaced || matches!(next, b' ' | b'\t'),
            },
            1,
        ),
        [b',', ..] if closed && called(bytes, start) => (Link::QuotedOnly, 1),
        [b'>', ..] if closed && attribute(bytes, start) => (Link::Element, 1),
        [b'(', ..] if !closed => return in_call(bytes, start, end, at),
        _ if rest.starts_with("：".as_bytes()) => (Link::Colon { spaced: true }, 3),
        _ if rest.starts_with("＝".as_bytes()) => (Link::Equals { spaced: true }, 3),
        _ if spaced && !closed && takes_blank(bytes, start, end, floor) => (Link::Blank, 0),
        _ => beside(bytes, start, end, floor, at)?,
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

/// What links a name to its value without a sign between them; `at` is where the value could begin.
fn beside(
    bytes: &[u8],
    start: usize,
    end: usize,
    floor: usize,
    at: usize,
) -> Option<(Link, usize)> {
    let raw = bytes.get(start..end)?;
    let rest = bytes.get(at..)?;
    let is_password = raw.eq_ignore_ascii_case(b"password");
    let quote = |b: Option<&u8>| matches!(b, Some(b'"' | b'\'' | b'`' | b'\\'));
    if is_password {
        // `SET PASSWORD FOR 'a'@'%' = 'x'`
        if at > end
            && rest
                .get(..4)
                .is_some_and(|word| word.eq_ignore_ascii_case(b"for "))
        {
            let line = rest.get(..memchr(b'\n', rest).unwrap_or(rest.len()).min(120))?;
            let equals = memmem::find(line, b"= ").map(|i| i + 2);
            if let Some(equals) = equals.filter(|equals| quote(line.get(*equals))) {
                return Some((Link::QuotedOnly, equals));
            }
        }
    }
    if rest.starts_with(b"</t") || rest.starts_with(b"</key>") {
        // The cell of a table behind that of the name; the value of a property list.
        let near = rest.get(..rest.len().min(64))?;
        let cell = memmem::find(near, b"<td").or_else(|| memmem::find(near, b"<string"))?;
        let open = cell + memchr(b'>', near.get(cell..)?)?;
        return Some((Link::Element, open + 1));
    }
    if rest.first() == Some(&b',')
        && quote(rest.get(1))
        && begins_line(opened(line_before(bytes, start, floor)))
    {
        return Some((Link::Beside { statement: false }, 1));
    }
    if raw.first().is_some_and(|b| *b >= 128) {
        return Some((Link::Says, 0));
    }
    if at == end {
        return None;
    }
    // `password for root: x`
    for word in ["for ", "of ", "von ", "für "] {
        if rest.starts_with(word.as_bytes()) {
            let near = rest.get(word.len()..rest.len().min(word.len() + 40))?;
            let colon = near
                .iter()
                .position(|b| !(b.is_ascii_alphanumeric() || b"_.@- ".contains(b)))?;
            return near
                .get(colon..)?
                .starts_with(b": ")
                .then_some((Link::Says, word.len() + colon + 1));
        }
    }
    for word in ["is ", "ist ", "was ", "war ", "to ", "lautet ", "lautet: "] {
        if rest
            .get(..word.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(word.as_bytes()))
        {
            return Some((Link::Says, word.len()));
        }
    }
    if quote(rest.first()) || rest.starts_with(b"N'") || tabbed(bytes, at) {
        let statement = is_password && documents::in_statement(bytes, start, floor);
        return Some((Link::Beside { statement }, 0));
    }
    None
}

/// Without a quote at its end.
fn opened(line: &[u8]) -> &[u8] {
    match line {
        [head @ .., b'"' | b'\''] => head,
        _ => line,
    }
}

pub(super) fn blanks(bytes: &[u8], mut at: usize) -> usize {
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

/// `<string name="NAME">…`: the name is an attribute's value.
fn attribute(bytes: &[u8], start: usize) -> bool {
    start >= 2
        && matches!(bytes.get(start - 1), Some(b'"' | b'\''))
        && bytes.get(start - 2) == Some(&b'=')
}

/// `setPassword("x")`, `.password("x")`, `PASSWORD('x')`, `Credential("user", "x")`: the value is an
/// argument.
fn in_call(bytes: &[u8], start: usize, end: usize, at: usize) -> Option<(Link, usize)> {
    let raw = bytes.get(start..end)?;
    let quote = |at: usize| matches!(bytes.get(at), Some(b'"' | b'\'' | b'`' | b'\\'));
    if raw == b"PASSWORD" && quote(at + 1) {
        return Some((Link::QuotedOnly, at + 1));
    }
    let method = raw
        .iter()
        .rposition(|b| *b == b'.')
        .and_then(|dot| raw.get(dot + 1..));
    let starts = |word: &[u8]| {
        method
            .unwrap_or(raw)
            .get(..word.len())
            .is_some_and(|head| head.eq_ignore_ascii_case(word))
    };
    let ends = |word: &[u8]| {
        raw.len() >= word.len()
            && raw
                .get(raw.len() - word.len()..)
                .is_some_and(|tail| tail == word)
    };
    if starts(b"set") || starts(b"with") || method.is_some_and(|name| name == b"password") {
        return Some((Link::Argument, at + 1));
    }
    if ends(b"Auth") || ends(b"Credential") || ends(b"Credentials") {
        let (_, to) = quoted(bytes, blanks(bytes, at + 1))?;
        let next = blanks(bytes, to + 1);
        return (bytes.get(next) == Some(&b',')).then_some((Link::Argument, next + 1));
    }
    None
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
    if ["define", "set -x", "set -gx", "set -Ux", "setx", "ENV"]
        .iter()
        .any(|word| ends(word))
    {
        return true;
    }
    // Lines of a program's configuration.
    if matches!(raw, b"requirepass" | b"masterauth" | b"rootpw" | b"bindpw") {
        return begins_line(line);
    }
    if raw.eq_ignore_ascii_case(b"ConvertTo-SecureString") {
        return true;
    }
    if raw == b"_authToken" && memmem::find(line, b"config set ").is_some() {
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
pub(super) fn line_before(bytes: &[u8], start: usize, floor: usize) -> &[u8] {
    let near = bytes
        .get(start.saturating_sub(64).max(floor)..start)
        .unwrap_or_default();
    let from = near.iter().rposition(|b| *b == b'\n').map_or(0, |i| i + 1);
    near.get(from..).unwrap_or_default()
}

/// The range between the quotes that begin at `at`: `"…"`, `'…'`, `` `…` ``, each with any number of
/// backslashes before it, on one line.
pub(super) fn quoted(bytes: &[u8], at: usize) -> Option<(usize, usize)> {
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
            // `&` and quotes in an encoded address.
            b'%' => matches!(
                self.rest.get(self.end + 1..self.end + 3),
                Some(b"26" | b"22" | b"27")
            ),
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
