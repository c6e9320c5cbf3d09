//! What lies in a project's record.

use crate::scratch::Scratch;
use chrono::NaiveDate;
use claude_hook::{PromptId, Role, SessionId};
use record::day::{self, Brief, Located, Marker, NewEntry};
use record::index::{Index, Settled};
use redact::{Clean, Policy};
use transcript::Position;

const DAY: &str = "work/demo/conversations/2026-11-30-claude.md";

fn date() -> NaiveDate {
    NaiveDate::from_ymd_opt(2026, 11, 30).unwrap()
}

fn entry(body: &str) -> NewEntry {
    let session = SessionId::new("1f0c2d3e-64d4").unwrap();
    let turn = PromptId::new("7c2e").unwrap();
    NewEntry {
        role: Role::User,
        time: None,
        marker: Marker::new(&session, Some(&turn), None),
        body: Clean::fixed(body),
    }
}

/// Whether what repair remembers of the entries is what they are.
fn agree(digest: &[Brief], entries: &[Located]) {
    assert_eq!(digest.len(), entries.len());
    for (brief, located) in digest.iter().zip(entries) {
        let entry = &located.entry;
        assert_eq!((brief.role, brief.time), (entry.role, entry.time));
        assert_eq!(brief.marker.is_some(), entry.marker.is_some());
        assert_eq!(brief.hash, day::hash(&entry.body));
        assert_eq!(brief.span, located.span);
    }
}

/// Any day file can be read, in two ways that agree, and added to: nothing of it is lost.
pub(crate) fn day(bytes: &[u8]) {
    let old = day::parse(bytes);
    let mut end = 0;
    for located in &old {
        assert!(end <= located.span.start && located.span.start < located.span.end);
        end = located.span.end;
    }
    assert!(end <= bytes.len() as u64);

    let scratch = Scratch::new();
    let path = scratch.write(DAY, bytes);
    let record = scratch.record();
    let mut conversations = record.conversations().unwrap();
    agree(&conversations.digest(date()).unwrap().entries, &old);
    let _ = record.last_entries().unwrap();

    conversations
        .append(scratch.env().now(), &[entry("one more")])
        .unwrap();
    let written = std::fs::read(&path).unwrap();
    // A header may have been put in front.
    let kept = |at: usize| written[at..].starts_with(bytes);
    assert!(kept(0) || (0..written.len()).any(kept));
    let new = day::parse(&written);
    let (last, before) = new.split_last().unwrap();
    assert_eq!(last.entry.body, "one more");
    let bodies = |entries: &[Located]| -> Vec<String> {
        let body = |located: &Located| located.entry.body.trim_end_matches('\n').to_owned();
        entries.iter().map(body).collect()
    };
    assert_eq!(bodies(before), bodies(&old));
    agree(&conversations.digest(date()).unwrap().entries, &new);
}

/// Any text comes back from its entry as it was.
pub(crate) fn body(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let scratch = Scratch::new();
    let record = scratch.record();
    let now = scratch.env().now();
    let entries = [entry(&text), entry("between"), entry(&text)];
    record
        .conversations()
        .unwrap()
        .append(now, &entries)
        .unwrap();
    let parsed = day::parse(&std::fs::read(scratch.home().join(DAY)).unwrap());
    let bodies: Vec<&str> = parsed.iter().map(|located| &*located.entry.body).collect();
    assert_eq!(bodies, [&*text, "between", &*text]);
    for located in &parsed {
        assert_eq!(located.entry.marker.as_ref(), Some(&entry("").marker));
    }
    let tail = record
        .conversations()
        .unwrap()
        .tail(date(), 1 << 20)
        .unwrap();
    assert_eq!(tail.last(), parsed.last());

    // A tool call whose parts hold the text: one line more, and an observation that is JSON.
    let quoted = serde_json::to_string(&text).unwrap();
    for input in [&*text, &format!("{{\"command\":{quoted}}}")] {
        let call = record::tools::Call {
            tool: "Bash",
            input,
            output: Some(input),
            failed: true,
            agent: Some(&text),
            session: "1f0c2d3e",
            policy: Policy { secrets: true },
        };
        record.log_tool(now, &call).unwrap();
    }
    let folder = scratch.root();
    let log = folder.join("conversations/2026-11-30-toollog.md");
    let log = std::fs::read_to_string(log).unwrap();
    assert_eq!(
        log.lines().filter(|line| line.starts_with("- `[")).count(),
        2
    );
    let seen = folder.join("memory/gotchas/observations.jsonl");
    let seen = std::fs::read_to_string(seen).unwrap();
    assert_eq!(seen.lines().count(), 2);
    for line in seen.lines() {
        let line: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(
            line.get("input")
                .and_then(|input| input.as_str())
                .unwrap()
                .len()
                <= 3000
        );
    }
}

/// Any index can be read; saved and read again it is the same.
pub(crate) fn index(bytes: &[u8]) {
    let scratch = Scratch::new();
    scratch.write("work/demo/conversations/.mnemo-index.json", bytes);
    let record = scratch.record();
    drop(Settled::of(&record));
    let index = Index::<Position>::load(&record);
    index.save(&record).unwrap();
    assert_eq!(Index::<Position>::load(&record), index);
    let settled = Settled::of(&record);
    assert!(settled.is_none() || settled == index.settled);
}
