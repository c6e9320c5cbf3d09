//! Raw values decoded.

use crate::scan::string_end;
use memchr::memchr;
use std::borrow::Cow;

/// `true` and nothing else.
pub fn is_true(raw: &[u8]) -> bool {
    raw == b"true"
}

/// `null` and nothing else.
pub fn is_null(raw: &[u8]) -> bool {
    raw == b"null"
}

/// Decodes a raw JSON string, quotes included. `None` if the value is no string. What is not
/// UTF-8 and lone surrogate escapes become U+FFFD; raw control characters stand for themselves,
/// an escape that JSON does not know for its own characters.
pub fn string(raw: &[u8]) -> Option<String> {
    borrowed_string(raw).map(Cow::into_owned)
}

/// [`string`] without a copy where the text stands in the bytes as it is.
pub fn borrowed_string(raw: &[u8]) -> Option<Cow<'_, str>> {
    if raw.first() != Some(&b'"') || string_end(raw, 0) != Some(raw.len()) {
        return None;
    }
    let inner = raw.get(1..raw.len() - 1)?;
    if memchr(b'\\', inner).is_none() {
        return Some(String::from_utf8_lossy(inner));
    }
    let decoded = unescape(inner);
    Some(Cow::Owned(String::from_utf8(decoded).unwrap_or_else(
        |error| String::from_utf8_lossy(error.as_bytes()).into_owned(),
    )))
}

fn unescape(mut inner: &[u8]) -> Vec<u8> {
    // No escape is shorter than what it stands for, save the rare lone surrogate of six bytes.
    let mut out = Vec::with_capacity(inner.len());
    while let Some(backslash) = memchr(b'\\', inner) {
        let (plain, escape) = inner.split_at(backslash);
        out.extend_from_slice(plain);
        let used = match Escape::of(escape) {
            Escape::Char { char, length } => {
                let mut utf8 = [0; 4];
                out.extend_from_slice(char.encode_utf8(&mut utf8).as_bytes());
                length
            }
            Escape::Unknown => {
                out.push(b'\\');
                1
            }
        };
        inner = escape.get(used..).unwrap_or_default();
    }
    out.extend_from_slice(inner);
    out
}

/// What a backslash begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Escape {
    /// A character and the bytes its escape takes; U+FFFD for a lone surrogate.
    Char { char: char, length: usize },
    /// Nothing that JSON knows: the backslash stands for itself.
    Unknown,
}

impl Escape {
    /// Reads the escape at the start of the bytes, surrogate pairs as one.
    pub(crate) fn of(bytes: &[u8]) -> Self {
        let simple = |char| Self::Char { char, length: 2 };
        match bytes.get(1) {
            Some(b'"') => simple('"'),
            Some(b'\\') => simple('\\'),
            Some(b'/') => simple('/'),
            Some(b'b') => simple('\u{8}'),
            Some(b'f') => simple('\u{c}'),
            Some(b'n') => simple('\n'),
            Some(b'r') => simple('\r'),
            Some(b't') => simple('\t'),
            Some(b'u') => Self::unicode(bytes),
            _ => Self::Unknown,
        }
    }

    fn unicode(bytes: &[u8]) -> Self {
        let Some(unit) = hex_unit(bytes) else {
            return Self::Unknown;
        };
        if (0xD800..0xDC00).contains(&unit)
            && let Some(low @ 0xDC00..0xE000) = bytes.get(6..).and_then(hex_unit)
            && let Some(char) = char::from_u32(
                0x1_0000 + ((u32::from(unit) - 0xD800) << 10) + u32::from(low) - 0xDC00,
            )
        {
            return Self::Char { char, length: 12 };
        }
        Self::Char {
            char: char::from_u32(unit.into()).unwrap_or(char::REPLACEMENT_CHARACTER),
            length: 6,
        }
    }
}

/// The UTF-16 unit of a `\uXXXX` at the start of the bytes.
fn hex_unit(bytes: &[u8]) -> Option<u16> {
    let digits = bytes.strip_prefix(b"\\u")?.first_chunk::<4>()?;
    digits.iter().try_fold(0_u16, |unit, digit| {
        let value = char::from(*digit).to_digit(16)?;
        Some(unit << 4 | u16::try_from(value).ok()?)
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::fmt::Write as _;

    #[test]
    fn decodes() {
        for (raw, text) in [
            (&br#""""#[..], ""),
            (br#""plain""#, "plain"),
            ("\"한글\"".as_bytes(), "한글"),
            (br#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{c}\n\r\t"),
            (br#""\ud55c\uAE00""#, "한글"),
            (br#""\ud83d\ude00!""#, "😀!"),
            (br#""a\ud83d""#, "a\u{FFFD}"),
            (br#""\ude00b""#, "\u{FFFD}b"),
            (br#""\ud83d\ud83d\ude00""#, "\u{FFFD}😀"),
            (br#""\ud83dx\ude00""#, "\u{FFFD}x\u{FFFD}"),
            (br#""\ud83d\n""#, "\u{FFFD}\n"),
            (br#""\u0000""#, "\0"),
            (b"\"a\x01\tb\"", "a\u{1}\tb"),
            (b"\"a\xFFb\"", "a\u{FFFD}b"),
            (b"\"a\xFF\\nb\"", "a\u{FFFD}\nb"),
            (br#""\x41\u12""#, "\\x41\\u12"),
            (br#""C:\\Users\\x""#, "C:\\Users\\x"),
        ] {
            assert_eq!(string(raw).as_deref(), Some(text), "{}", raw.escape_ascii());
        }
    }

    #[test]
    fn other_values_are_no_strings() {
        for raw in [
            &b""[..],
            b"\"",
            b"1",
            b"null",
            b"[\"a\"]",
            b"\"a\"b\"",
            b"\"a\\\"",
            b"a\"",
        ] {
            assert_eq!(string(raw), None, "{}", raw.escape_ascii());
        }
        assert!(is_true(b"true") && !is_true(b"\"true\"") && !is_true(b"1"));
        assert!(is_null(b"null") && !is_null(b""));
    }

    #[test]
    fn borrows_what_needs_no_decoding() {
        assert!(matches!(
            borrowed_string("\"안녕\"".as_bytes()),
            Some(Cow::Borrowed("안녕"))
        ));
        assert!(matches!(borrowed_string(br#""a\n""#), Some(Cow::Owned(_))));
    }

    fn escaped(units: impl Iterator<Item = u16>) -> String {
        let mut out = String::new();
        for (at, unit) in units.enumerate() {
            let written = if at % 2 == 0 {
                write!(out, "\\u{unit:04x}")
            } else {
                write!(out, "\\u{unit:04X}")
            };
            written.unwrap();
        }
        out
    }

    proptest! {
        #[test]
        fn any_text_comes_back(text in any::<String>()) {
            let raw = serde_json::to_string(&text).unwrap();
            prop_assert_eq!(string(raw.as_bytes()), Some(text.clone()));
            let escaped = escaped(text.encode_utf16());
            prop_assert_eq!(string(format!("\"{escaped}\"").as_bytes()), Some(text));
        }

        #[test]
        fn any_utf16_units_decode_like_the_standard_library(units in prop::collection::vec(
            prop_oneof![0xD7FE_u16..0xE002, any::<u16>()], 0..20)) {
            let raw = escaped(units.iter().copied());
            prop_assert_eq!(
                string(format!("\"{raw}\"").as_bytes()),
                Some(String::from_utf16_lossy(&units))
            );
        }

        #[test]
        fn any_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let mut raw = vec![b'"'];
            raw.extend(&bytes);
            raw.push(b'"');
            string(&raw);
            string(&bytes);
        }
    }
}
