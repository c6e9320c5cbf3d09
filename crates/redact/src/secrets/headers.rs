//! Cookies, and signatures in addresses.

use super::assigned::quoted;
use super::chars::{BASE64, DOT, PERCENT, WORD, plausible, run};
use super::values;
use super::{Found, Pass};
use memchr::memmem;

/// What a cookie says of itself; none of it is secret.
const ATTRIBUTES: [&str; 8] = [
    "path", "domain", "expires", "max-age", "samesite", "version", "priority", "comment",
];

/// Longest header that is read.
const LONGEST: usize = 16 * 1024;

/// Notes the values of the `Cookie` or `Set-Cookie` header whose word begins at `at`.
pub(super) fn cookie(pass: &mut Pass<'_>, at: usize) {
    const WORD_LENGTH: usize = 6;
    let bytes = pass.bytes;
    let is_word = bytes
        .get(at..at + WORD_LENGTH)
        .is_some_and(|word| word.eq_ignore_ascii_case(b"cookie"));
    if !is_word || at < pass.cookies {
        return;
    }
    let head = bytes.get(pass.floor.min(at)..at).unwrap_or_default();
    let set = head.len() >= 4
        && head
            .get(head.len() - 4..)
            .is_some_and(|word| word.eq_ignore_ascii_case(b"set-"));
    if !set
        && head
            .last()
            .is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
    {
        return;
    }
    let mut from = at + WORD_LENGTH;
    let named = from;
    while from < named + 8 && matches!(bytes.get(from), Some(b'\\' | b'"' | b'\'' | b' ')) {
        from += 1;
    }
    let header = match bytes.get(from) {
        Some(b':') => true,
        Some(b'=') => false,
        _ => return,
    };
    from += 1;
    let begun = from;
    while from < begun + 8 && matches!(bytes.get(from), Some(b' ' | b'\t' | b'[')) {
        from += 1;
    }
    let (from, to) = match quoted(bytes, from) {
        Some(range) => range,
        None if header => (from, line_end(bytes, from)),
        None => return,
    };
    // Each line is read once.
    pass.cookies = to;
    let first_only = set || !header;
    cookies(pass, from, to, if first_only { 1 } else { usize::MAX });
}

/// Where the value of a header ends: the line, or the quote that it stands in.
fn line_end(bytes: &[u8], from: usize) -> usize {
    let rest = bytes
        .get(from..bytes.len().min(from + LONGEST))
        .unwrap_or_default();
    let end = rest
        .iter()
        .enumerate()
        .position(|(i, b)| {
            matches!(b, b'\n' | b'\r' | b'"' | b'\'' | b'`')
                || *b == b'\\' && matches!(rest.get(i + 1), Some(b'n' | b'r' | b'"' | b'\''))
        })
        .unwrap_or(rest.len());
    from + end
}

/// Notes the values of `a=X; b=Y` in a range, of the first `most` pairs.
pub(super) fn cookies(pass: &mut Pass<'_>, from: usize, to: usize, most: usize) {
    let bytes = pass.bytes;
    let mut at = from;
    let mut count = 0;
    while at < to && count < most {
        let rest = bytes.get(at..to).unwrap_or_default();
        let length = rest.iter().position(|b| *b == b';').unwrap_or(rest.len());
        let pair = rest.get(..length).unwrap_or_default();
        let lead = pair.iter().take_while(|b| b.is_ascii_whitespace()).count();
        match pair.iter().position(|b| *b == b'=') {
            Some(equals) => {
                let name = pair.get(lead..equals).unwrap_or_default();
                let is_name = !name.is_empty()
                    && name
                        .iter()
                        .all(|b| b.is_ascii_alphanumeric() || b"_-.%[]!#$&*+^|~".contains(b));
                let value = pair.get(equals + 1..).unwrap_or_default();
                let kept = value.trim_ascii_end().len();
                let value = value.get(..kept).unwrap_or_default();
                if !is_name {
                    return;
                }
                if !attribute(name) && says_who(value) {
                    pass.note(Found {
                        start: at + equals + 1,
                        end: at + equals + 1 + kept,
                        kind: "cookie",
                    });
                }
            }
            None if count == 0 => {
                // One value without a name.
                let value = pair.get(lead..).unwrap_or_default();
                let kept = value.trim_ascii_end();
                if length == rest.len() && kept.len() >= 16 && is_token(kept) && plausible(kept) {
                    pass.note(Found {
                        start: at + lead,
                        end: at + lead + kept.len(),
                        kind: "cookie",
                    });
                }
                return;
            }
            None => {}
        }
        count += 1;
        at += length + 1;
    }
}

/// Whether nothing but the characters of a token stand in it.
fn is_token(value: &[u8]) -> bool {
    run(value, 0, WORD | BASE64 | PERCENT | DOT, usize::MAX) == value.len()
}

fn one_word(value: &[u8]) -> bool {
    !value.iter().any(u8::is_ascii_whitespace) && !values::is_reference(value)
}

fn attribute(name: &[u8]) -> bool {
    ATTRIBUTES
        .iter()
        .any(|word| name.eq_ignore_ascii_case(word.as_bytes()))
}

/// Whether a cookie's value could tell who somebody is; `dark`, `en` and `1` do not.
fn says_who(value: &[u8]) -> bool {
    let small = value.len() <= 5
        && (value.iter().all(u8::is_ascii_lowercase) || value.iter().all(u8::is_ascii_digit));
    !small && one_word(value) && !values::stands_for_one(value)
}

/// `Signature=…`, of which the word's last letters and the sign stand at `at`: `X-Amz-Signature`,
/// `X-Goog-Signature`, the `Authorization` header of AWS, signed addresses.
pub(super) fn signature(bytes: &[u8], at: usize, floor: usize) -> Option<Found> {
    const BEFORE: &[u8] = b"signat";
    const REST: &[u8] = b"ure=";
    let word = at
        .checked_sub(BEFORE.len())
        .filter(|start| *start >= floor)?;
    if !bytes.get(word..at)?.eq_ignore_ascii_case(BEFORE)
        || !bytes.get(at..at + REST.len())?.eq_ignore_ascii_case(REST)
    {
        return None;
    }
    let start = at + REST.len();
    let end = run(
        bytes,
        start,
        WORD | BASE64 | PERCENT | DOT | super::chars::TILDE,
        2048,
    );
    (end >= start + 16 && plausible(bytes.get(start..end)?)).then_some(Found {
        start,
        end,
        kind: "signature",
    })
}

/// The token in `https://TOKEN@host`, whose authority without the host is given.
pub(super) fn lone_user(user: &[u8]) -> bool {
    user.len() >= 16
        && user
            .iter()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-'))
        && plausible(user)
        && user.iter().any(u8::is_ascii_digit)
        && !user.split(|b| matches!(b, b'-' | b'_')).all(|part| {
            // `first-last-2024`: words and numbers.
            part.iter().all(u8::is_ascii_lowercase) || part.iter().all(u8::is_ascii_digit)
        })
}

/// The password in `jdbc:oracle:thin:user/password@host`, whose `:thin` stands at `at`.
pub(super) fn oracle(bytes: &[u8], at: usize) -> Option<Found> {
    let rest = bytes
        .get(at..bytes.len().min(at + 300))?
        .strip_prefix(b":thin:")?;
    let stop = rest
        .iter()
        .position(|b| b.is_ascii_whitespace() || b"\"'`<>".contains(b))
        .unwrap_or(rest.len());
    let sign = memmem::find(rest.get(..stop)?, b"@")?;
    let slash = rest.get(..sign)?.iter().position(|b| *b == b'/')?;
    let password = rest.get(slash + 1..sign)?;
    (!values::stands_for_one(password)).then_some(Found {
        start: at + 6 + slash + 1,
        end: at + 6 + sign,
        kind: "password",
    })
}

/// The password of a `.pgpass` line (`host:port:database:user:X`), whose port stands at `at`.
pub(super) fn pgpass(bytes: &[u8], at: usize, floor: usize) -> Option<Found> {
    let mut start = at;
    let limit = at.saturating_sub(256).max(floor);
    while start > limit
        && bytes
            .get(start - 1)
            .is_some_and(|b| b.is_ascii_alphanumeric() || b"-_.*/".contains(b))
    {
        start -= 1;
    }
    let inside = start > floor && matches!(bytes.get(start - 1), Some(b':' | b'@'));
    if inside || start == at {
        return None;
    }
    let line = bytes.get(at + 1..bytes.len().min(at + 512))?;
    let stop = line
        .iter()
        .position(|b| b.is_ascii_whitespace() || b"\"'`".contains(b))
        .unwrap_or(line.len());
    let line = line.get(..stop)?;
    let mut fields = line.splitn(4, |b| *b == b':');
    let (port, database, user, password) = (
        fields.next()?,
        fields.next()?,
        fields.next()?,
        fields.next()?,
    );
    let port = port == b"*" || (2..=5).contains(&port.len()) && port.iter().all(u8::is_ascii_digit);
    if !port
        || database.is_empty()
        || user.is_empty()
        || password.is_empty()
        || user.first().is_some_and(u8::is_ascii_digit)
        || values::stands_for_one(password)
    {
        return None;
    }
    let end = at + 1 + stop;
    Some(Found {
        start: end - password.len(),
        end,
        kind: "password",
    })
}
