//! Payloads of three client versions, as Claude Code 2.1.59, 2.1.197 and 2.1.332 wrote them
//! (folders and texts replaced), and what bad days make of them.

#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use claude_hook::{Common, Event};
use proptest::prelude::*;
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn fixtures() -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures");
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .flat_map(|version| std::fs::read_dir(version.unwrap().path()).unwrap())
        .map(|file| file.unwrap().path())
        .collect();
    files.sort();
    files
        .into_iter()
        .map(|path| {
            let bytes = std::fs::read(&path).unwrap();
            (path, bytes)
        })
        .collect()
}

fn parse(bytes: impl AsRef<[u8]>) -> Event {
    Event::parse(bytes.as_ref()).unwrap().unwrap()
}

/// What a payload says by an independent, strict reading.
fn text(value: &Value, key: &str) -> Option<String> {
    value[key].as_str().map(str::to_owned)
}

fn common_of(value: &Value) -> Vec<Option<String>> {
    [
        "session_id",
        "transcript_path",
        "cwd",
        "prompt_id",
        "agent_id",
        "agent_type",
    ]
    .into_iter()
    .map(|key| text(value, key).filter(|text| !text.is_empty()))
    .collect()
}

fn told(common: &Common) -> Vec<Option<String>> {
    let path = |path: &Option<PathBuf>| path.as_ref().map(|p| p.to_str().unwrap().to_owned());
    vec![
        common.session.as_ref().map(|id| id.as_str().to_owned()),
        path(&common.transcript),
        path(&common.cwd),
        common.prompt.as_ref().map(|id| id.as_str().to_owned()),
        common.agent_id.clone(),
        common.agent_type.clone(),
    ]
}

fn check(bytes: &[u8], value: &Value) {
    let event = parse(bytes);
    assert_eq!(told(event.common()), common_of(value));
    let name = value["hook_event_name"].as_str().unwrap();
    match &event {
        Event::UserPromptSubmit { prompt, .. } => {
            assert_eq!(name, "UserPromptSubmit");
            assert_eq!(Some(prompt.clone()), text(value, "prompt"));
        }
        Event::Tool {
            tool,
            input,
            output,
            failed_event,
            interrupted,
            failed,
            ..
        } => {
            assert_eq!(Some(tool.clone()), text(value, "tool_name"));
            assert_eq!(
                serde_json::from_str::<Value>(input).unwrap(),
                value["tool_input"]
            );
            assert_eq!(*failed_event, name == "PostToolUseFailure");
            let output: Value = serde_json::from_str(output.as_deref().unwrap()).unwrap();
            if *failed_event {
                assert_eq!(output, value["error"]);
                assert_eq!(Some(*interrupted), value["is_interrupt"].as_bool());
                assert!(failed);
            } else {
                assert_eq!(name, "PostToolUse");
                assert_eq!(output, value["tool_response"]);
                assert!(!interrupted && !failed);
            }
        }
        Event::Stop {
            continuation,
            last_message,
            background,
            ..
        } => {
            assert_eq!(name, "Stop");
            assert_eq!(Some(*continuation), value["stop_hook_active"].as_bool());
            assert_eq!(*last_message, text(value, "last_assistant_message"));
            let tasks = value["background_tasks"].as_array();
            assert_eq!(*background, tasks.map(|tasks| !tasks.is_empty()));
        }
        Event::SessionStart { source, .. } => {
            assert_eq!(name, "SessionStart");
            assert_eq!(Some(source.clone()), text(value, "source"));
        }
        Event::PreCompact { .. } => assert_eq!(name, "PreCompact"),
        Event::Other { name: other, .. } => {
            assert_eq!(other, name);
            assert!(
                ![
                    "UserPromptSubmit",
                    "PostToolUse",
                    "PostToolUseFailure",
                    "Stop",
                    "SessionStart",
                    "PreCompact"
                ]
                .contains(&name)
            );
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn every_event_of_every_version_says_what_it_says() {
    let mut seen: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (path, bytes) in fixtures() {
        let value: Value = serde_json::from_slice(&bytes).unwrap();
        let version = path.parent().unwrap().file_name().unwrap();
        seen.entry(version.to_str().unwrap().to_owned())
            .or_default()
            .push(value["hook_event_name"].as_str().unwrap().to_owned());
        check(&bytes, &value);
    }
    assert_eq!(seen.len(), 3);
    for (version, events) in seen {
        for event in [
            "UserPromptSubmit",
            "PostToolUse",
            "PostToolUseFailure",
            "Stop",
            "SessionStart",
            "PreCompact",
            "SubagentStop",
            "SessionEnd",
        ] {
            assert!(
                events.iter().any(|seen| seen == event),
                "{version}: {event}"
            );
        }
    }
}

#[test]
fn a_mark_blanks_pretty_printing_and_what_follows_change_nothing() {
    for (_, bytes) in fixtures() {
        let value: Value = serde_json::from_slice(&bytes).unwrap();
        let plain = parse(&bytes);
        for (before, after) in [
            (&b"\xEF\xBB\xBF"[..], &b""[..]),
            (b"\r\n ", b"\r\n\r\n"),
            (b"\0\0", b"\0\0\0"),
            (
                b"",
                b"{\"hook_event_name\":\"Stop\",\"session_id\":\"second\"}",
            ),
            (b"", b"trailing rubbish \xFF"),
        ] {
            assert_eq!(parse([before, &bytes, after].concat()), plain);
        }
        check(&serde_json::to_vec_pretty(&value).unwrap(), &value);
        let mut ascii = String::new();
        for c in value.to_string().chars() {
            if matches!(c, ' '..='~') {
                ascii.push(c);
            } else {
                for unit in c.encode_utf16(&mut [0; 2]) {
                    write!(ascii, "\\u{unit:04x}").unwrap();
                }
            }
        }
        check(ascii.as_bytes(), &value);
    }
}

#[test]
fn half_a_payload_is_damaged_and_nothing_of_it_is_told() {
    for (_, bytes) in fixtures() {
        let whole = bytes.trim_ascii_end().len();
        for cut in (1..whole).step_by(7).chain([whole - 1]) {
            let complaint = Event::parse(&bytes[..cut]).unwrap_err();
            assert!(complaint.is_ascii() && !complaint.contains('\n'));
            assert!(
                !complaint.contains("home") && !complaint.contains("SCRIPT"),
                "{complaint}"
            );
        }
    }
}

#[test]
fn nothing_is_no_event_and_other_json_is_damaged() {
    for blank in [
        &b""[..],
        b" ",
        b"\n\r\n\t",
        b"\xEF\xBB\xBF",
        b"\0\0",
        b"\xEF\xBB\xBF\n",
    ] {
        assert_eq!(Event::parse(blank), Ok(None), "{}", blank.escape_ascii());
    }
    for damaged in [
        &b"[]"[..],
        b"[{\"hook_event_name\":\"Stop\"}]",
        b"null",
        b"17",
        b"\"secret\"",
        b"secret",
        b"\xFF\xFE{\0}\0",
        b"{'a':1}",
        b"{\"secret\":1,}",
        b"{\"secret\":[}",
        b"{secret:1}",
        b"}{",
    ] {
        let complaint = Event::parse(damaged).unwrap_err();
        assert!(!complaint.contains("secret"), "{complaint}");
    }
    assert_eq!(
        parse("{}"),
        Event::Other {
            common: Common::default(),
            name: String::new()
        }
    );
}

#[test]
fn a_missing_name_is_the_executables_own_event() {
    for payload in [
        r#"{"session_id":"s","prompt":"p"}"#,
        r#"{"session_id":"s","prompt":"p","hook_event_name":""}"#,
        r#"{"session_id":"s","prompt":"p","hook_event_name":null}"#,
        r#"{"session_id":"s","prompt":"p","hook_event_name":["Stop"]}"#,
    ] {
        let event = Event::parse_as(payload.as_bytes(), "UserPromptSubmit");
        assert!(
            matches!(event, Ok(Some(Event::UserPromptSubmit { ref prompt, .. })) if prompt == "p"),
            "{event:?}"
        );
        let event = Event::parse(payload.as_bytes());
        assert!(matches!(event, Ok(Some(Event::Other { ref name, .. })) if name.is_empty()));
    }
    let named = br#"{"hook_event_name":"SubagentStop","last_assistant_message":"x"}"#;
    assert!(matches!(
        Event::parse_as(named, "Stop"),
        Ok(Some(Event::Other { name, .. })) if name == "SubagentStop"
    ));
}

#[test]
fn a_wrong_type_counts_as_absent() {
    let event = parse(
        r#"{"session_id":1,"transcript_path":null,"cwd":["/"],"prompt_id":{},"agent_id":"",
            "agent_type":false,"hook_event_name":"Stop","stop_hook_active":"true",
            "last_assistant_message":{"text":"x"},"background_tasks":"running"}"#,
    );
    assert_eq!(
        event,
        Event::Stop {
            common: Common::default(),
            continuation: false,
            last_message: None,
            background: None
        }
    );
    let event = parse(r#"{"hook_event_name":"UserPromptSubmit","prompt":["x"]}"#);
    assert!(matches!(event, Event::UserPromptSubmit { prompt, .. } if prompt.is_empty()));
}

#[test]
fn text_that_is_no_text_is_kept_as_far_as_it_goes() {
    let prompt = |bytes: &[u8]| match parse(bytes) {
        Event::UserPromptSubmit { prompt, .. } => prompt,
        other => panic!("{other:?}"),
    };
    let payload = |inner: &[u8]| {
        [
            br#"{"hook_event_name":"UserPromptSubmit","prompt":""#,
            inner,
            b"\"}",
        ]
        .concat()
    };
    for (inner, expected) in [
        (&br"a\ud83db"[..], "a\u{FFFD}b"),
        (br"\ude00\ud83d", "\u{FFFD}\u{FFFD}"),
        (br"\ud83d\ude00", "😀"),
        (b"caf\xE9", "caf\u{FFFD}"),
        (b"a\x00b\tc\nd", "a\0b\tc\nd"),
        (br"C:\dir", "C:\\dir"),
        (br"  \n padded \n ", "  \n padded \n "),
    ] {
        assert_eq!(prompt(&payload(inner)), expected);
    }
}

fn response(tool: &str, response: &Value) -> (bool, bool, bool) {
    let payload = json!({"hook_event_name": "PostToolUse", "tool_name": tool,
        "tool_input": {}, "tool_response": response});
    match parse(payload.to_string()) {
        Event::Tool {
            failed_event,
            interrupted,
            failed,
            ..
        } => (failed_event, interrupted, failed),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_failure_is_what_the_client_says_is_one() {
    let fine = (false, false, false);
    let failed = (false, false, true);
    for value in [
        json!({"stdout": "error: failed, exit code 1", "stderr": "fatal", "interrupted": false}),
        json!({"is_error": false, "exit_code": 0}),
        json!({"exitCode": 0.0}),
        json!({"nested": {"is_error": true, "interrupted": true}}),
        json!([{"type": "text", "text": "Error", "is_error": true}]),
        json!("Error: something"),
        json!({"is_error": "true", "exit_code": "1"}),
        json!(null),
    ] {
        assert_eq!(response("Bash", &value), fine, "{value}");
    }
    for value in [
        json!({"is_error": true}),
        json!({"isError": true, "content": []}),
        json!({"exit_code": 1}),
        json!({"exitCode": -1}),
        json!({"code": 127}),
    ] {
        assert_eq!(response("Bash", &value), failed, "{value}");
    }
    assert_eq!(
        response("Bash", &json!({"interrupted": true})),
        (false, true, true)
    );
    // An HTTP status is no exit code.
    let fetched = json!({"bytes": 10, "code": 200, "codeText": "OK", "result": "x"});
    assert_eq!(response("WebFetch", &fetched), fine);
}

#[test]
fn a_failure_event_has_its_error_text_as_output() {
    let event = parse(
        r#"{"hook_event_name":"PostToolUseFailure","tool_name":"Bash","tool_input":{"command":"x"},
            "error":"Exit code 1\nno","is_interrupt":true}"#,
    );
    let Event::Tool {
        output,
        failed_event,
        interrupted,
        failed,
        input,
        ..
    } = event
    else {
        panic!("{event:?}");
    };
    assert_eq!(output.as_deref(), Some(r#""Exit code 1\nno""#));
    assert_eq!(input, r#"{"command":"x"}"#);
    assert!(failed_event && interrupted && failed);
    let bare = parse(r#"{"hook_event_name":"PostToolUseFailure"}"#);
    assert!(
        matches!(bare, Event::Tool { output: None, failed: true, ref input, .. } if input == "null"),
        "{bare:?}"
    );
}

#[test]
fn deep_nesting_is_carried_without_being_walked_into() {
    let deep = format!("{}{}", "[".repeat(1_000_000), "]".repeat(1_000_000));
    let payload =
        format!(r#"{{"hook_event_name":"PostToolUse","tool_name":"T","tool_input":{deep}}}"#);
    assert!(matches!(parse(payload), Event::Tool { input, .. } if input == deep));
    let torn = format!("{{\"a\":{}", "{\"a\":".repeat(1_000_000));
    assert!(Event::parse(torn.as_bytes()).is_err());
}

proptest! {
    #[test]
    fn any_prompt_comes_through(prompt in any::<String>(), session in "[0-9a-f-]{1,36}") {
        let payload = json!({"session_id": session, "hook_event_name": "UserPromptSubmit",
            "future": [{"field": prompt}], "prompt": prompt});
        match parse(payload.to_string()) {
            Event::UserPromptSubmit { common, prompt: told } => {
                prop_assert_eq!(told, prompt);
                let told = common.session.unwrap();
                prop_assert_eq!(told.as_str(), session);
            }
            other => prop_assert!(false, "{:?}", other),
        }
    }

    #[test]
    fn any_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let _ = Event::parse(&bytes);
    }

    #[test]
    fn any_damage_never_panics(at in 0.0..1.0_f64, byte: u8, which in 0.0..1.0_f64) {
        let files = fixtures();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss,
            reason = "picks a place by a fraction")]
        let pick = |length: usize, part: f64| (length as f64 * part) as usize;
        let mut bytes = files[pick(files.len(), which)].1.clone();
        let at = pick(bytes.len(), at);
        bytes[at] = byte;
        let _ = Event::parse(&bytes);
    }
}
