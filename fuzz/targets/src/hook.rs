//! What a hook reads from its standard input.

use crate::scratch::Scratch;
use claude_hook::{Event, images_as_text};
use record::day;
use redact::Policy;

const EVENTS: [&str; 6] = [
    "UserPromptSubmit",
    "PostToolUse",
    "PostToolUseFailure",
    "Stop",
    "SessionStart",
    "PreCompact",
];

/// Any bytes are an event, nothing, or damaged; what is said of damage holds nothing of them.
pub(crate) fn input(bytes: &[u8]) {
    for event in EVENTS {
        match Event::parse_as(bytes, event) {
            Ok(Some(event)) => {
                let common = event.common();
                for id in common.session.iter().map(claude_hook::SessionId::as_str) {
                    assert!(!id.is_empty());
                }
                if let Event::UserPromptSubmit { prompt, .. } = &event {
                    drop(images_as_text(prompt));
                }
                assert!(Event::parse(bytes).is_ok());
            }
            Ok(None) => assert!(Event::parse(bytes).unwrap().is_none()),
            Err(said) => {
                // The sentence and two numbers: the same for other bytes of the same length.
                let words: String = said.chars().filter(|c| !c.is_ascii_digit()).collect();
                assert!(words.is_ascii() && words.len() < 250, "{said}");
            }
        }
    }
}

/// What a hook writes can be read again, and is what was sent.
pub(crate) fn capture(bytes: &[u8]) {
    let scratch = Scratch::new();
    let env = scratch.env();
    let Ok(Some(event)) = Event::parse_as(bytes, "UserPromptSubmit") else {
        return;
    };
    match &event {
        Event::UserPromptSubmit { prompt, .. } => {
            capture::prompt(&event, &env);
            let clean = redact::clean(&images_as_text(prompt), Policy { secrets: true });
            let days = scratch.days();
            if let [(_, day)] = days.as_slice() {
                let [located] = day::parse(day).try_into().unwrap_or_else(|entries| {
                    panic!("one prompt, {entries:?}");
                });
                assert_eq!(located.entry.body, clean.as_str());
            } else {
                assert!(days.is_empty());
                let blank = prompt.trim().is_empty();
                assert!(
                    blank || prompt.trim_start().starts_with(['<', '/', '!']),
                    "{prompt:?}"
                );
            }
        }
        Event::Tool { .. } => drop(capture::tool(&event, &env)),
        Event::Stop { .. } => {
            capture::reply(&event, &env);
            capture::stop(&event, &env);
            for (_, day) in scratch.days() {
                assert!(!day::parse(&day).is_empty());
            }
        }
        Event::SessionStart { .. } | Event::PreCompact { .. } => {
            drop(reconcile::on_event(&event, &env));
        }
        _ => {}
    }
    for file in ["gotchas", "learned"] {
        let path = scratch
            .root()
            .join(format!("memory/{file}/observations.jsonl"));
        let Ok(text) = std::fs::read_to_string(path) else {
            continue;
        };
        for line in text.lines() {
            serde_json::from_str::<serde_json::Value>(line).unwrap();
        }
    }
}

/// The ground below: objects, members, strings, what is left of damaged lines.
pub(crate) fn json(bytes: &[u8]) {
    let read = |object: &[u8]| {
        for (key, value) in lenient_json::members(object) {
            if let Some(text) = lenient_json::string(value) {
                // A strict reader that takes it takes it for the same.
                if let Ok(strict) = serde_json::from_slice::<String>(value) {
                    assert_eq!(text, strict, "{key:?}");
                }
                assert_eq!(
                    lenient_json::borrowed_string(value).as_deref(),
                    Some(&*text)
                );
            }
            let _ = (lenient_json::is_true(value), lenient_json::is_null(value));
        }
    };
    read(bytes);
    if let Ok(object) = lenient_json::first_object(bytes) {
        assert_eq!((object.first(), object.last()), (Some(&b'{'), Some(&b'}')));
        read(object);
    }
    for found in lenient_json::recover(bytes, |_| true) {
        read(found);
    }
    let strict = serde_json::from_slice::<serde_json::Value>(bytes);
    let lenient = lenient_json::parse::<serde_json::Value>(bytes);
    if let Ok(strict) = strict {
        assert_eq!(lenient.unwrap(), strict);
    }
    drop(lenient_json::text(bytes));
}
