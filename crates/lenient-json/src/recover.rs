//! Whole objects in a damaged line.

use crate::scan::{Stop, checked_end, skip_lead};

/// The whole top-level objects that can be recovered from a damaged line (objects glued together,
/// NUL bytes or rubbish around them, an object cut off by the next one), as slices, in order.
///
/// `accept` says whether an object is a record of the caller's format: ask for the keys that every
/// record has and that no object nested in one has all of. An object that stands where a nested one
/// would stand (behind `:`, `,` or `[`, or before `,`, `}` or `]`) is never taken, whatever
/// `accept` says: a piece of a torn record must not pass for a record. Objects inside of a whole
/// object are not looked at.
///
/// The grammar of what is returned was checked; strings may still hold raw control characters, bytes
/// that are not UTF-8 and lone surrogates, which [`crate::parse`] reads.
///
/// The work is bounded by a small multiple of the line's length: a line made to be slow is given up.
pub fn recover(line: &[u8], accept: impl Fn(&[u8]) -> bool) -> Vec<&[u8]> {
    let mut found = Vec::new();
    let mut at = skip_lead(line);
    // Between records (`clean`), or in what is left of a torn one, where strings must be told from
    // structure: only structure holds nested objects.
    let mut clean = true;
    let mut in_string = false;
    // Where the grammar of the torn record broke: what begins there is not part of it.
    let mut broke_at = 0;
    let mut budget = line.len().saturating_mul(8).saturating_add(64 * 1024);
    while let Some(&byte) = line.get(at) {
        let begins = match byte {
            b'\\' if in_string => {
                // JSON has no escape of a brace: the string was cut here, and a record begins.
                at += if line.get(at + 1) == Some(&b'{') {
                    1
                } else {
                    2
                };
                continue;
            }
            b'"' => {
                in_string = !in_string;
                clean = false;
                at += 1;
                continue;
            }
            b'{' => clean || in_string || at == broke_at || !nested_place(line, at),
            b' ' | b'\t' | b'\r' | b'\n' | 0 => {
                at += 1;
                continue;
            }
            _ => false,
        };
        if !begins {
            clean = false;
            at += 1;
            continue;
        }
        match checked_end(line, at) {
            Ok(end) => {
                let object = line.get(at..end).unwrap_or_default();
                let alone = stands_alone(line, end, clean);
                if alone && accept(object) {
                    found.push(object);
                }
                at = end;
                clean = alone;
                in_string = false;
            }
            // Good JSON up to the end of the line: all that follows belongs to it.
            Err(Stop::End) if clean || !in_string => break,
            Err(stop) => {
                let tried = match stop {
                    Stop::At(offset) => offset,
                    Stop::End => line.len(),
                };
                // A doubtful start inside of the torn record does not move its break.
                if clean || at >= broke_at {
                    broke_at = tried;
                }
                budget = match budget.checked_sub(tried.saturating_sub(at)) {
                    Some(left) => left,
                    None => break,
                };
                clean = false;
                at += 1;
            }
        }
    }
    found
}

/// What stands before would make an object a nested one.
fn nested_place(line: &[u8], at: usize) -> bool {
    let before = line.get(..at).unwrap_or_default();
    before
        .iter()
        .rfind(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n'))
        .is_some_and(|b| matches!(b, b':' | b',' | b'['))
}

/// What follows an object does not make it a nested one. In the remains of a torn record
/// (`!clean`) it must be the end, a blank, NUL or the next object.
fn stands_alone(line: &[u8], end: usize, clean: bool) -> bool {
    let rest = line.get(end..).unwrap_or_default();
    match rest.first() {
        None | Some(b'{' | 0) => true,
        Some(_) => match rest
            .iter()
            .find(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n'))
        {
            None => true,
            Some(b',' | b'}' | b']' | b':') => false,
            Some(_) => clean || matches!(rest.first(), Some(b' ' | b'\t' | b'\r' | b'\n')),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The keys that a record of the client's transcripts has.
    fn record(object: &[u8]) -> bool {
        let keys: Vec<&[u8]> = crate::members(object).map(|(key, _)| key).collect();
        keys.contains(&&b"type"[..]) && keys.contains(&&b"uuid"[..])
    }

    fn texts(line: &[u8]) -> Vec<String> {
        recover(line, record)
            .into_iter()
            .map(|object| String::from_utf8_lossy(object).into_owned())
            .collect()
    }

    const A: &str =
        r#"{"type":"user","message":{"role":"user","content":"a \"{\" b\n"},"uuid":"1"}"#;
    const B: &str = r#"{"type":"assistant","message":{"type":"message","uuid":"x","content":[{"type":"text","text":"hello, {"}]},"uuid":"2"}"#;

    #[test]
    fn whole_and_glued() {
        assert_eq!(texts(A.as_bytes()), [A]);
        assert_eq!(texts(format!("{A}{B}{A}").as_bytes()), [A, B, A]);
        assert_eq!(texts(format!(" {A} \t{B}\r").as_bytes()), [A, B]);
        assert_eq!(texts(format!("\0\0{A}\0\0\0{B}\0").as_bytes()), [A, B]);
        assert_eq!(texts(format!("\u{FEFF}{A}").as_bytes()), [A]);
        assert_eq!(texts(format!("garbage {A}").as_bytes()), [A]);
        assert_eq!(texts(format!("x\"{A}").as_bytes()), [A]);
        assert_eq!(texts(format!("{A}garbage").as_bytes()), [A]);
        assert_eq!(texts(format!("{A}garbage{B}").as_bytes()), [A, B]);
        assert_eq!(texts(b""), [""; 0]);
        assert_eq!(texts(b"{}[]null"), [""; 0]);
    }

    #[test]
    fn a_torn_record_hides_no_whole_one() {
        let mut lost = Vec::new();
        for cut in 0..B.len() {
            let torn = &B[..cut];
            for between in ["", "\0\0\0", "\u{FFFD}"] {
                let line = format!("{torn}{between}{A}{B}");
                let found = texts(line.as_bytes());
                if found != [A, B] {
                    lost.push((torn, between, found));
                }
            }
        }
        // Where a nested object could stand, nothing tells the next record from one.
        for (torn, between, found) in lost {
            assert!(
                between.is_empty() && torn.ends_with([':', '[']) && found.is_empty()
                    || torn.ends_with([':', '[']) && found == [B],
                "{torn:?} {between:?} {found:?}"
            );
        }
    }

    #[test]
    fn a_piece_of_a_torn_record_is_no_record() {
        // Like the client's progress lines, which hold whole messages.
        let nested = r#"{"type":"assistant","uuid":"n","text":"x"}"#;
        let outer = format!(
            r#"{{"type":"progress","data":{{"list":[{nested},{nested}],"message":{nested}}},"uuid":"1"}}"#
        );
        for cut in 0..outer.len() {
            let head = &outer[..cut];
            assert_eq!(texts(head.as_bytes()), [""; 0], "{head}");
            let blank = format!("{head} \0");
            assert_eq!(texts(blank.as_bytes()), [""; 0], "{blank}");
        }
        for cut in 1..outer.len() {
            let tail = &outer[cut..];
            // A tail that begins exactly with the last nested object and is cut behind it would be
            // a record by all that can be seen; tails that run to the line's end are not.
            assert_eq!(texts(tail.as_bytes()), [""; 0], "{tail}");
        }
    }

    #[test]
    fn two_torn_before_a_whole_one() {
        let line = format!("{}{}{A}", &B[..60], &A[..50]);
        assert_eq!(texts(line.as_bytes()), [A]);
    }

    #[test]
    fn made_to_be_slow_is_given_up() {
        for unit in [
            "{\"a\":",
            "x{\"a\":",
            "{\"a\":{\"",
            "{\"",
            "{",
            "[{",
            "\"{\"a\":\"x",
            "{}",
            "\\\"{",
        ] {
            for prefix in ["", "\"", "{\"x\":\""] {
                let mut line = prefix.as_bytes().to_vec();
                line.extend(unit.repeat(300_000).bytes());
                line.push(b'X');
                recover(&line, |_| false);
            }
        }
    }

    proptest! {
        #[test]
        fn records_survive_rubbish_that_holds_no_json(
            rubbish in prop::collection::vec("[^\\\\\"{}\\[\\]:,]{0,12}", 1..5),
        ) {
            let line: String = rubbish.iter().flat_map(|part| [part, A, "\0"]).collect();
            prop_assert_eq!(texts(line.as_bytes()).len(), rubbish.len());
        }

        #[test]
        fn any_bytes_give_only_grammatical_objects(bytes in "[{}\\[\\]\":,\\\\a0 \\x00]{0,120}") {
            for object in recover(bytes.as_bytes(), |_| true) {
                prop_assert_eq!(crate::first_object(object), Ok(object));
            }
        }
    }
}
