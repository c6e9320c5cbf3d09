//! What is found and shown of transcripts, of tags alone, and of files by the names people type.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test makes the files it reads"
)]

use recall::dates::Span;
use recall::{Answer, Layer, Places, Request, search, show};
use serde_json::json;
use std::path::Path;

fn ask(places: &Places, query: &str, layer: Option<Layer>, tags: &[&str]) -> Answer {
    search(
        places,
        &Request {
            query: query.to_owned(),
            span: Span::default(),
            role: None,
            layer,
            tags: tags.iter().map(|tag| (*tag).to_owned()).collect(),
            limit: 10,
            exact: false,
            today: "2026-10-14".parse().unwrap(),
            synonyms: None,
        },
    )
}

fn write(path: &Path, text: &str) {
    std::fs::create_dir_all(path.parent().unwrap()).unwrap();
    std::fs::write(path, text).unwrap();
}

fn record_line(
    root: &Path,
    at: u8,
    parent: Option<&str>,
    id: &str,
    message: &serde_json::Value,
) -> String {
    let kind = message["role"].as_str().unwrap();
    let mut line = json!({
        "parentUuid": parent,
        "isSidechain": false,
        "promptId": "7c2e41f0-0000-4000-8000-000000000001",
        "type": kind,
        "message": message,
        "uuid": id,
        "timestamp": format!("2026-10-05T12:00:{at:02}.000Z"),
        "userType": "external",
        "entrypoint": "cli",
        "cwd": root,
        "sessionId": "5e551011-0000-4000-8000-000000000001",
        "version": "2.1.197",
    });
    if kind == "user" {
        line["permissionMode"] = json!("default");
        line["origin"] = json!({"kind": "human"});
        line["promptSource"] = json!("typed");
        line["turnOrigin"] = json!("human");
    }
    format!("{line}\n")
}

#[test]
fn transcripts_are_found_shown_and_filtered() {
    let place = tempfile::tempdir().unwrap();
    let root = std::fs::canonicalize(place.path()).unwrap();
    let token = format!("ghp{}{}", "_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let (asked, answered) = (
        "aaaaaaaa-0000-4000-8000-000000000001",
        "bbbbbbbb-0000-4000-8000-000000000002",
    );
    let mut text = record_line(
        &root,
        1,
        None,
        asked,
        &json!({"role": "user", "content": format!("zebra question <private>hidden giraffe</private> {token}")}),
    );
    text += &record_line(
        &root,
        9,
        Some(asked),
        answered,
        &json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
            "content": [{"type": "text", "text": "zebra answer"}]}),
    );
    let file = root.join("projects/p/5e551011-0000-4000-8000-000000000001.jsonl");
    write(&file, &text);
    let places = Places {
        record: Some(root.clone()),
        transcripts: vec![root.join("projects/p")],
        ..Places::default()
    };
    let answer = ask(&places, "zebra", Some(Layer::Transcripts), &[]);
    let mut lines: Vec<usize> = answer.hits.iter().map(|hit| hit.line).collect();
    lines.sort_unstable();
    assert_eq!(lines, [1, 2], "{answer:?}");
    for hit in &answer.hits {
        assert!(hit.date.is_some());
        assert!(!hit.text.contains("giraffe") && !hit.text.contains(&token));
        let shown = show(&places, &format!("{}:{}", hit.path, hit.line), 1).unwrap();
        assert_eq!(shown.found[0].text, hit.text);
        assert_eq!(shown.found[0].role, hit.role);
        assert_eq!(shown.before.len() + shown.after.len(), 1);
    }
    assert_eq!(
        ask(&places, "giraffe", Some(Layer::Transcripts), &[]).hits,
        []
    );
    // What lies elsewhere is not read.
    let other = root.join("other.jsonl");
    write(&other, &text);
    assert_eq!(show(&places, &format!("{}:1", other.display()), 1), None);
}

#[test]
fn tags_alone_list_what_carries_them() {
    let place = tempfile::tempdir().unwrap();
    let root = std::fs::canonicalize(place.path()).unwrap();
    for (day, tags) in [(1, "deploy, flaky-test"), (2, "deploy"), (3, "flaky-test")] {
        write(
            &root.join(format!("conversations/2026-10-0{day}-claude.md")),
            &format!(
                "---\ndate: 2026-10-0{day}\n---\n\n# 2026-10-0{day}\n\n## [09:00:00] User\n<!-- mnemo s=1 id=7c2e41f{day} -->\n\nflaky-test?\n\n\
                 ## [09:00:10] Assistant\n<!-- mnemo s=1 id=7c2e41f{day} -->\n\nyes\n\n`#tags: {tags}`\n"
            ),
        );
    }
    let places = Places {
        record: Some(root),
        ..Places::default()
    };
    let days = |tags: &[&str]| -> Vec<String> {
        ask(&places, "", None, tags)
            .hits
            .iter()
            .map(|hit| hit.date.unwrap().to_string())
            .collect()
    };
    assert_eq!(days(&["flaky-test"]), ["2026-10-03", "2026-10-01"]);
    assert_eq!(days(&["#Deploy", "flaky-test"]), ["2026-10-01"]);
    assert_eq!(days(&["none"]), [""; 0]);
}

#[test]
fn a_file_is_shown_by_the_name_that_is_typed() {
    let place = tempfile::tempdir().unwrap();
    let auto = std::fs::canonicalize(place.path()).unwrap();
    write(
        &auto.join("u\u{308}bersicht.md"),
        "---\nname: x\ndescription: y\n---\n\nzebra\n",
    );
    let places = Places {
        auto: Some(auto),
        ..Places::default()
    };
    for name in ["\u{fc}bersicht.md", "u\u{308}bersicht.md"] {
        let path = places.auto.as_ref().unwrap().join(name);
        for name in [name, path.to_str().unwrap()] {
            let shown = show(&places, &format!("{name}:1"), 0);
            assert!(shown.is_some(), "{name:?}");
        }
    }
}
