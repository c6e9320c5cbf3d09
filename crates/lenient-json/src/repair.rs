//! Whole values: strict first, repaired on failure.

use crate::scan::skip_lead;
use crate::strings::Escape;
use serde::de::DeserializeOwned;
use std::borrow::Cow;

/// Bytes as text: a leading byte order mark is dropped, what is not UTF-8 becomes U+FFFD.
pub fn text(bytes: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes))
}

/// Parses one JSON value. Strict first (the fast path); where the syntax was at fault once more
/// after a repair: lone surrogate escapes and what is not UTF-8 became U+FFFD, raw control
/// characters inside of strings were escaped, backslashes that begin no escape were doubled. A byte
/// order mark, NUL bytes and blanks around the value never count.
///
/// The error is the strict parser's for what could not be repaired. Values nested deeper than 128
/// levels are an error, never an overflow, for types that keep them.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, serde_json::Error> {
    let value = trim(bytes);
    match serde_json::from_slice(value) {
        // A cut escape near the end is an early end to the strict parser.
        Err(error) if !error.is_data() => match repaired(value) {
            Some(fixed) => serde_json::from_slice(&fixed),
            None => Err(error),
        },
        result => result,
    }
}

fn trim(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.get(skip_lead(bytes)..).unwrap_or_default();
    let end = bytes
        .iter()
        .rposition(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n' | 0))
        .map_or(0, |last| last + 1);
    bytes.get(..end).unwrap_or_default()
}

/// The same JSON without what a strict parser rejects in strings; `None` if there was nothing to
/// repair.
fn repaired(bytes: &[u8]) -> Option<Vec<u8>> {
    let text = String::from_utf8_lossy(bytes);
    let mut changed = matches!(text, Cow::Owned(_));
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len() + 64);
    let mut in_string = false;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => in_string = !in_string,
            b'\\' if in_string => {
                let escape = bytes.get(at..).unwrap_or_default();
                match Escape::of(escape) {
                    // No surrogate is a character: U+FFFD here is one, or was written so.
                    Escape::Char {
                        char: char::REPLACEMENT_CHARACTER,
                        length,
                    } => {
                        changed = true;
                        out.extend_from_slice(b"\\ufffd");
                        at += length;
                    }
                    Escape::Char { length, .. } => {
                        out.extend_from_slice(escape.get(..length).unwrap_or_default());
                        at += length;
                    }
                    Escape::Unknown => {
                        changed = true;
                        out.extend_from_slice(b"\\\\");
                        at += 1;
                    }
                }
                continue;
            }
            0..0x20 if in_string => {
                changed = true;
                out.extend_from_slice(format!("\\u{byte:04x}").as_bytes());
                at += 1;
                continue;
            }
            _ => {}
        }
        out.push(byte);
        at += 1;
    }
    changed.then_some(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn value(bytes: &[u8]) -> Value {
        parse(bytes).unwrap_or_else(|error| panic!("{error}: {}", bytes.escape_ascii()))
    }

    #[test]
    fn text_drops_one_mark() {
        assert_eq!(text(b"\xEF\xBB\xBFa"), "a");
        assert_eq!(text(b"a\xFF"), "a\u{FFFD}");
        assert!(matches!(text("가".as_bytes()), Cow::Borrowed("가")));
    }

    #[test]
    fn repairs() {
        for (bytes, expected) in [
            (&br#"{"a":"x"}"#[..], json!({"a": "x"})),
            (b"\xEF\xBB\xBF{\"a\":1}", json!({"a": 1})),
            (b"\0\0{\"a\":1}\0\0\n", json!({"a": 1})),
            (br#"{"a":"x\ud83d"}"#, json!({"a": "x\u{FFFD}"})),
            (
                br#"{"a":"\ud83d\ude00\ude00y"}"#,
                json!({"a": "😀\u{FFFD}y"}),
            ),
            (br#"{"a":"\\ud83d"}"#, json!({"a": "\\ud83d"})),
            (br#"{"a":"\\\ud83d"}"#, json!({"a": "\\\u{FFFD}"})),
            (br#"{"\ud83d":1}"#, json!({"\u{FFFD}": 1})),
            (
                b"{\"a\":\"\xED\xA0\x80\"}",
                json!({"a": "\u{FFFD}\u{FFFD}\u{FFFD}"}),
            ),
            (b"{\"a\":\"x\xFFy\"}", json!({"a": "x\u{FFFD}y"})),
            (b"{\"a\":\"x\ty\nz\0\"}", json!({"a": "x\ty\nz\0"})),
            (br#"{"a":"C:\Data"}"#, json!({"a": "C:\\Data"})),
            (b"{\n\t\"a\": \"x\ty\"\n}", json!({"a": "x\ty"})),
        ] {
            assert_eq!(value(bytes), expected);
        }
    }

    #[test]
    fn what_is_no_json_stays_an_error() {
        for bytes in [
            &b""[..],
            b"\0",
            b"{",
            b"{\"a\":\"x",
            b"{\"a\":1}{\"a\":2}",
            b"{\"a\":\xFF}",
            b"{'a':1}",
        ] {
            assert!(parse::<Value>(bytes).is_err(), "{}", bytes.escape_ascii());
        }
    }

    #[test]
    fn deep_nesting_is_an_error() {
        let mut deep = vec![b'['; 1_000_000];
        assert!(parse::<Value>(&deep).is_err());
        deep.extend(vec![b']'; 1_000_000]);
        assert!(parse::<Value>(&deep).is_err());
        let mut odd = b"{\"x\":\"\\ud800\",\"a\":".to_vec();
        odd.extend(&deep);
        odd.push(b'}');
        assert!(parse::<Value>(&odd).is_err());
    }

    proptest! {
        #[test]
        fn valid_json_is_never_changed(text in any::<String>(), number in any::<i64>()) {
            let value = json!({"text": text, "list": [number, null, text]});
            let bytes = serde_json::to_vec(&value).unwrap();
            prop_assert_eq!(parse::<Value>(&bytes).unwrap(), value);
        }

        #[test]
        fn any_bytes_in_a_string_are_readable(bytes in prop::collection::vec(any::<u8>(), 0..60)) {
            let inner: Vec<u8> = bytes.into_iter().filter(|b| *b != b'"' && *b != b'\\').collect();
            let mut line = b"{\"a\":\"".to_vec();
            line.extend(&inner);
            line.extend(b"\"}");
            let read: Value = parse(&line).unwrap();
            prop_assert_eq!(read["a"].as_str(), Some(&*String::from_utf8_lossy(&inner)));
        }

        #[test]
        fn parse_and_string_agree(inner in "[\\\\ud8DcC09abnx/ \"]{0,40}") {
            let raw = format!("\"{inner}\"");
            if let Some(decoded) = crate::string(raw.as_bytes()) {
                prop_assert_eq!(parse::<String>(raw.as_bytes()).unwrap(), decoded);
            } else {
                prop_assert!(parse::<String>(raw.as_bytes()).is_err());
            }
        }

        #[test]
        fn any_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..100)) {
            let _ = parse::<Value>(&bytes);
        }
    }
}
