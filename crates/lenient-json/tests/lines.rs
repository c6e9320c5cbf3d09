//! Real lines: transcripts that Claude Code 2.1.59, 2.1.197 and 2.1.332 wrote (folders and the
//! client's own texts replaced).

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use lenient_json::{Damage, first_object, members, parse, recover, string};
use serde_json::{Map, Value};
use std::path::Path;

fn lines() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    ["korean.jsonl", "older.jsonl", "tools.jsonl"]
        .into_iter()
        .flat_map(|name| {
            let bytes = std::fs::read(folder.join(name)).unwrap();
            bytes
                .split(|b| *b == b'\n')
                .filter(|line| !line.is_empty())
                .map(<[u8]>::to_vec)
                .collect::<Vec<_>>()
        })
        .collect()
}

/// Lines of the conversation itself.
fn is_record(object: &[u8]) -> bool {
    let has = |wanted: &[u8]| members(object).any(|(key, _)| key == wanted);
    has(b"type") && has(b"uuid") && has(b"sessionId")
}

#[test]
fn members_are_what_a_parser_sees() {
    let lines = lines();
    assert!(lines.len() > 60);
    for line in lines {
        let mut walk = members(&line);
        let walked: Map<String, Value> = walk
            .by_ref()
            .map(|(key, value)| {
                let parsed: Value = serde_json::from_slice(value).unwrap();
                assert_eq!(string(value).as_deref(), parsed.as_str());
                (String::from_utf8(key.to_vec()).unwrap(), parsed)
            })
            .collect();
        assert!(walk.closed());
        let value: Value = parse(&line).unwrap();
        assert_eq!(Value::Object(walked), value);
        assert_eq!(first_object(&line), Ok(&line[..]));
        assert_eq!(
            first_object(&line[..line.len() - 1]),
            Err(Damage::Truncated)
        );
    }
}

#[test]
fn glued_lines_come_apart() {
    let lines: Vec<Vec<u8>> = lines().into_iter().filter(|line| is_record(line)).collect();
    for between in [&b""[..], b"\0\0\0\0", b" "] {
        let glued = lines.join(between);
        assert_eq!(recover(&glued, is_record), lines);
    }
}

#[test]
fn a_torn_line_does_not_take_the_next_with_it() {
    let lines: Vec<Vec<u8>> = lines().into_iter().filter(|line| is_record(line)).collect();
    for pair in lines.windows(2) {
        let [first, second] = pair else { continue };
        for cut in (1..first.len()).step_by(3) {
            let torn = &first[..cut];
            assert_eq!(recover(torn, is_record), [&b""[..]; 0]);
            // Where an object may stand nothing tells the next record from a nested object.
            let joined = [torn, second].concat();
            if first_object(&joined) == Err(Damage::Truncated) {
                assert_eq!(recover(&joined, is_record), [&b""[..]; 0]);
                continue;
            }
            assert_eq!(
                recover(&joined, is_record),
                [&second[..]],
                "{}",
                torn.escape_ascii()
            );
        }
    }
}

#[test]
fn a_split_emoji_or_a_foreign_byte_loses_nothing_else() {
    for line in lines() {
        let text = String::from_utf8(line).unwrap();
        let Some(at) = text.find(r#""content":""#) else {
            continue;
        };
        let at = at + r#""content":""#.len();
        for odd in [&b"\\ud83d"[..], b"\\ude00", b"\xED\xA0\xBD", b"\xFF"] {
            let damaged = [&text.as_bytes()[..at], odd, &text.as_bytes()[at..]].concat();
            let value: Value = parse(&damaged).unwrap();
            let repaired = value.to_string();
            assert!(repaired.contains('\u{FFFD}'));
            let whole: Value = parse(text.as_bytes()).unwrap();
            assert_eq!(repaired.replace('\u{FFFD}', ""), whole.to_string());
        }
    }
}
