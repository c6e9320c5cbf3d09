//! Where strings, values and objects end.

use memchr::memchr;

/// Why there is no whole object at the start of the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Damage {
    /// Nothing but blanks, NUL bytes or a byte order mark.
    Blank,
    /// Something else than an object: an array, a number, rubbish.
    NotAnObject,
    /// Correct as far as it goes, but it ends too early.
    Truncated,
    /// Not JSON; the offset counts from the first byte of the input.
    Malformed {
        /// Of the first byte that cannot stand where it stands.
        offset: usize,
    },
}

/// The object that the bytes begin with, whatever follows it (a second object, rubbish). Its
/// grammar is checked, except inside of strings (any byte may stand there) and in the spelling of
/// numbers.
pub fn first_object(bytes: &[u8]) -> Result<&[u8], Damage> {
    let start = skip_lead(bytes);
    match bytes.get(start) {
        None => Err(Damage::Blank),
        Some(b'{') => match checked_end(bytes, start) {
            Ok(end) => Ok(bytes.get(start..end).unwrap_or_default()),
            Err(Stop::End) => Err(Damage::Truncated),
            Err(Stop::At(offset)) => Err(Damage::Malformed { offset }),
        },
        Some(_) => Err(Damage::NotAnObject),
    }
}

/// The first byte that is neither blank nor NUL nor part of a leading byte order mark.
pub(crate) fn skip_lead(bytes: &[u8]) -> usize {
    let mut at = 0;
    loop {
        let rest = bytes.get(at..).unwrap_or_default();
        match rest.first() {
            Some(b' ' | b'\t' | b'\r' | b'\n' | 0) => at += 1,
            Some(0xEF) if rest.starts_with(b"\xEF\xBB\xBF") => at += 3,
            _ => return at,
        }
    }
}

pub(crate) fn skip_blanks(bytes: &[u8], mut at: usize) -> usize {
    while let Some(b' ' | b'\t' | b'\r' | b'\n') = bytes.get(at) {
        at += 1;
    }
    at
}

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGHS: u64 = 0x8080_8080_8080_8080;
const QUOTES: u64 = ONES * b'"' as u64;

/// Offset of the first quote. Keys and ids are short: the first bytes are tested inline, a word at
/// a time, which spares most calls of the vectorised search.
#[inline]
fn find_quote(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at < 32
        && let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>())
    {
        let word = u64::from_le_bytes(*word) ^ QUOTES;
        // The lowest set bit marks the first zero byte; only bits above it can be false.
        let hit = word.wrapping_sub(ONES) & !word & HIGHS;
        if hit != 0 {
            return Some(at + (hit.trailing_zeros() / 8) as usize);
        }
        at += 8;
    }
    memchr(b'"', bytes.get(at..)?).map(|found| at + found)
}

/// The offset behind the closing quote of the string whose opening quote is at `at`. Looks at
/// quotes only (escapes such as `\n` are far more frequent) and counts the backslashes before.
#[inline]
pub(crate) fn string_end(bytes: &[u8], at: usize) -> Option<usize> {
    let mut from = at + 1;
    loop {
        let rest = bytes.get(from..)?;
        let quote = find_quote(rest)?;
        let before = rest.get(..quote)?;
        if before.last() != Some(&b'\\') {
            return Some(from + quote + 1);
        }
        // A quote always ends the run of backslashes before it, so runs never overlap.
        let run = before.iter().rev().take_while(|b| **b == b'\\').count();
        if run % 2 == 0 {
            return Some(from + quote + 1);
        }
        from += quote + 1;
    }
}

/// The offset behind the value that starts at `at`. Brackets are counted, not matched by kind:
/// this is for walking over gigabytes that somebody else parses when they matter.
#[inline]
pub(crate) fn skip_value(bytes: &[u8], at: usize) -> Option<usize> {
    match bytes.get(at)? {
        b'"' => string_end(bytes, at),
        b'{' | b'[' => skip_container(bytes, at),
        b't' | b'f' | b'n' | b'-' | b'0'..=b'9' => scalar_end(bytes, at),
        _ => None,
    }
}

fn skip_container(bytes: &[u8], at: usize) -> Option<usize> {
    let mut depth = 0_usize;
    let mut at = at;
    loop {
        match bytes.get(at)? {
            b'"' => at = string_end(bytes, at)?,
            b'{' | b'[' => {
                depth += 1;
                at += 1;
            }
            b'}' | b']' => {
                depth -= 1;
                at += 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => at += 1,
        }
    }
}

/// Literals in full; numbers by their characters.
fn scalar_end(bytes: &[u8], at: usize) -> Option<usize> {
    let rest = bytes.get(at..)?;
    for literal in [&b"true"[..], b"false", b"null"] {
        if rest.starts_with(literal) {
            return Some(at + literal.len());
        }
    }
    let digits = rest
        .iter()
        .take_while(|b| matches!(b, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'))
        .count();
    (digits > 0).then_some(at + digits)
}

/// Why [`checked_end`] found no end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The bytes ended first; up to there all was well.
    End,
    /// This byte cannot stand here.
    At(usize),
}

/// What may come next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Expect {
    Value,
    ValueOrClose,
    Key,
    KeyOrClose,
    CommaOrClose,
}

/// The kinds of the open brackets, a bit each: an object is 1.
#[derive(Default)]
struct Open {
    words: Vec<u64>,
    depth: usize,
}

impl Open {
    fn push(&mut self, object: bool) {
        let (word, bit) = (self.depth / 64, self.depth % 64);
        if word == self.words.len() {
            self.words.push(0);
        }
        if let Some(word) = self.words.get_mut(word) {
            *word = (*word & !(1 << bit)) | (u64::from(object) << bit);
        }
        self.depth += 1;
    }
    fn in_object(&self) -> bool {
        self.depth.checked_sub(1).is_some_and(|top| {
            self.words
                .get(top / 64)
                .is_some_and(|word| word >> (top % 64) & 1 == 1)
        })
    }
}

/// The offset behind the object or array that starts at `at`, its grammar checked on the way.
pub(crate) fn checked_end(bytes: &[u8], at: usize) -> Result<usize, Stop> {
    let mut open = Open::default();
    let mut expect = Expect::Value;
    let mut at = at;
    loop {
        at = skip_blanks(bytes, at);
        let byte = *bytes.get(at).ok_or(Stop::End)?;
        match (expect, byte) {
            (Expect::Key | Expect::KeyOrClose, b'"') => {
                at = skip_blanks(bytes, string_end(bytes, at).ok_or(Stop::End)?);
                match bytes.get(at) {
                    Some(b':') => at += 1,
                    Some(_) => return Err(Stop::At(at)),
                    None => return Err(Stop::End),
                }
                expect = Expect::Value;
            }
            (Expect::Value | Expect::ValueOrClose, b'{' | b'[') => {
                open.push(byte == b'{');
                at += 1;
                expect = if byte == b'{' {
                    Expect::KeyOrClose
                } else {
                    Expect::ValueOrClose
                };
            }
            (Expect::Value | Expect::ValueOrClose, b'"') => {
                at = string_end(bytes, at).ok_or(Stop::End)?;
                expect = Expect::CommaOrClose;
            }
            (Expect::Value, _) => (at, expect) = (scalar(bytes, at)?, Expect::CommaOrClose),
            (Expect::ValueOrClose, byte) if byte != b']' => {
                (at, expect) = (scalar(bytes, at)?, Expect::CommaOrClose);
            }
            (Expect::CommaOrClose, b',') => {
                at += 1;
                expect = if open.in_object() {
                    Expect::Key
                } else {
                    Expect::Value
                };
            }
            (Expect::CommaOrClose | Expect::KeyOrClose | Expect::ValueOrClose, b'}' | b']')
                if (byte == b'}') == open.in_object() =>
            {
                at += 1;
                open.depth = open.depth.saturating_sub(1);
                if open.depth == 0 {
                    return Ok(at);
                }
                expect = Expect::CommaOrClose;
            }
            _ => return Err(Stop::At(at)),
        }
    }
}

/// [`scalar_end`], telling a literal that was cut off from rubbish.
fn scalar(bytes: &[u8], at: usize) -> Result<usize, Stop> {
    scalar_end(bytes, at).ok_or_else(|| {
        let rest = bytes.get(at..).unwrap_or_default();
        let cut = [&b"true"[..], b"false", b"null"]
            .iter()
            .any(|literal| literal.starts_with(rest));
        if cut { Stop::End } else { Stop::At(at) }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_end_at_the_first_quote_that_is_not_escaped() {
        for (bytes, end) in [
            (&br#""""#[..], Some(2)),
            (br#""a"rest"#, Some(3)),
            (br#""\"""#, Some(4)),
            (br#""\\"x"#, Some(4)),
            (br#""\\\"" "#, Some(6)),
            (br#""a"#, None),
            (br#""a\""#, None),
        ] {
            assert_eq!(string_end(bytes, 0), end, "{}", bytes.escape_ascii());
        }
        for fill in 0..100 {
            let mut long = vec![b'"'];
            long.extend(std::iter::repeat_n(b'x', fill));
            long.extend(br#"\"y\\"z"#);
            assert_eq!(string_end(&long, 0), Some(fill + 7));
        }
    }

    #[test]
    fn bytes_next_to_a_quote_are_not_mistaken_for_one() {
        // 0x21 and 0x23 stand beside the quote; a borrow of the word test must not reach them.
        for byte in 0..=u8::MAX {
            let bytes = [byte, 0x23, byte, byte, 0x21, byte, b'"', byte, byte];
            let expected = bytes.iter().position(|b| *b == b'"');
            assert_eq!(find_quote(&bytes), expected);
        }
    }

    #[test]
    fn first_objects() {
        let ok = |bytes| first_object(bytes).unwrap();
        assert_eq!(ok(b"{}"), b"{}");
        assert_eq!(ok(b"\xEF\xBB\xBF \n{\"a\":[1,{}]}\n"), b"{\"a\":[1,{}]}");
        assert_eq!(ok(b"{\"a\":1}{\"b\":2}"), b"{\"a\":1}");
        assert_eq!(ok(b"{\"a\":\"\xFF\x01\"}x"), b"{\"a\":\"\xFF\x01\"}");
        for (bytes, damage) in [
            (&b""[..], Damage::Blank),
            (b" \n\0", Damage::Blank),
            (b"\xEF\xBB\xBF", Damage::Blank),
            (b"[]", Damage::NotAnObject),
            (b"null", Damage::NotAnObject),
            (b"{", Damage::Truncated),
            (b"{\"a\":tr", Damage::Truncated),
            (b"{\"a\":\"x", Damage::Truncated),
            (b"{\"a\"", Damage::Truncated),
            (b"{\"a\":1,}", Damage::Malformed { offset: 7 }),
            (b"{\"a\":[1,]}", Damage::Malformed { offset: 8 }),
            (b"{\"a\":[}", Damage::Malformed { offset: 6 }),
            (b"{\"a\":{]}", Damage::Malformed { offset: 6 }),
            (b"{a:1}", Damage::Malformed { offset: 1 }),
            (b"{\"a\" 1}", Damage::Malformed { offset: 5 }),
            (b"{\"a\":}", Damage::Malformed { offset: 5 }),
            (b"{,}", Damage::Malformed { offset: 1 }),
        ] {
            assert_eq!(first_object(bytes), Err(damage), "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn depth_costs_no_stack() {
        let deep = 3_000_000;
        let mut bytes = b"{\"a\":".to_vec();
        bytes.extend(std::iter::repeat_n(b'[', deep));
        assert_eq!(first_object(&bytes), Err(Damage::Truncated));
        assert_eq!(skip_value(&bytes, 0), None);
        bytes.extend(std::iter::repeat_n(b']', deep));
        bytes.push(b'}');
        assert_eq!(first_object(&bytes).map(<[u8]>::len), Ok(bytes.len()));
        assert_eq!(skip_value(&bytes, 0), Some(bytes.len()));
    }

    #[test]
    fn kinds_of_brackets_are_kept_over_words() {
        let mut bytes = Vec::new();
        for _ in 0..100 {
            bytes.extend(b"{\"a\":[");
        }
        for _ in 0..100 {
            bytes.extend(b"]}");
        }
        assert_eq!(checked_end(&bytes, 0), Ok(bytes.len()));
        let middle = bytes.len() - 100;
        bytes.swap(middle, middle + 1);
        assert_eq!(checked_end(&bytes, 0), Err(Stop::At(middle)));
    }
}
