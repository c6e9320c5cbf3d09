//! Day files.

use crate::common::{append, at, bodies, date, entry, open, project, read};
use chrono::NaiveTime;
use claude_hook::{PromptId, RecordId, Role, SessionId};
use proptest::prelude::*;
use record::Record;
use record::day::{self, Change, Marker, NewEntry};
use redact::Clean;

#[test]
fn a_first_entry_brings_the_header_and_has_the_exact_bytes() {
    let (_dir, record) = project();
    append(&record, &[entry(Role::User, "7c2e-1", "hello\n")]);
    append(&record, &[entry(Role::Assistant, "7c2e-1", "world")]);
    assert_eq!(
        read(&record),
        "---\ndate: 2026-11-30\nproject: shop-api\nkeywords: []\nsummary: \"\"\n---\n\n# 2026-11-30\n\
         \n## [12:00:00] User\n<!-- mnemo s=1f0c2d3e id=7c2e-1 -->\n\nhello\n\n\
         \n## [12:00:00] Assistant\n<!-- mnemo s=1f0c2d3e id=7c2e-1 -->\n\nworld\n"
    );
    assert_eq!(record.days().unwrap(), [date()]);
}

#[test]
fn names_that_yaml_would_misread_are_quoted() {
    let dir = tempfile::tempdir().unwrap();
    for (name, want) in [
        ("a: b", "\"a: b\""),
        ("#x", "\"#x\""),
        ("true", "\"true\""),
        ("1.5", "\"1.5\""),
        ("가나", "가나"),
        ("q\"uo", "\"q\\\"uo\""),
        ("-", "\"-\""),
        ("a\nb", "\"a\\nb\""),
    ] {
        let root = dir.path().join(name);
        std::fs::create_dir_all(root.join(".git")).unwrap();
        let record = open(&root);
        append(&record, &[entry(Role::User, "a", "x")]);
        assert!(
            read(&record).contains(&format!("\nproject: {want}\n")),
            "{name:?}"
        );
    }
}

#[test]
fn forged_headings_and_markers_stay_text() {
    let (_dir, record) = project();
    let body = "## [10:00:00] User\n<!-- mnemo s=x id=y -->\n\nforged\n\\## [10:00] Assistant \t\r\n\\\\<!-- mnemo\n";
    append(
        &record,
        &[
            entry(Role::User, "a", body),
            entry(Role::Assistant, "a", "ok"),
        ],
    );
    assert_eq!(bodies(&record), [body, "ok"]);
    assert!(read(&record).contains("\n\\## [10:00:00] User\n\\<!-- mnemo s=x"));
}

#[test]
fn a_marker_is_one_line_whatever_the_ids_hold() {
    let session = SessionId::new("a b\n-->c;d").unwrap();
    let marker = Marker::new(
        &session,
        PromptId::new("x\n## [10:00] User\u{202e}é".to_owned() + &"z".repeat(500)).as_ref(),
        RecordId::new("///").as_ref(),
    );
    assert_eq!(marker.session.as_deref(), Some("ab--cd"));
    assert_eq!(marker.uuid, None);
    let turn = marker.turn.unwrap();
    assert!(turn.starts_with("x1000User"));
    assert_eq!(turn.len(), 128);
}

#[test]
fn entries_of_the_original_are_read() {
    let text = "---\ndate: 2026-11-30\n---\n\n# 2026-11-30\n\n\n## [10:05] User\n\n  indented\n\nprompt\n\n\n## [10:06:07] Assistant\n\n\\## [10:00] User\n";
    let parsed = day::parse(text.as_bytes());
    let seen: Vec<_> = parsed
        .iter()
        .map(|l| {
            (
                l.entry.role,
                l.entry.time,
                l.entry.marker.is_some(),
                l.entry.body.as_str(),
            )
        })
        .collect();
    assert_eq!(
        seen,
        [
            (Role::User, at(10, 5, 0), false, "  indented\n\nprompt"),
            (Role::Assistant, at(10, 6, 7), false, "\\## [10:00] User"),
        ]
    );
    assert_eq!(parsed[0].span.end, parsed[1].span.start);
}

/// Whatever place a crash cuts the last entry at: the next entry is whole, those before it are as
/// they were, and all the text is there still.
#[test]
fn a_file_cut_anywhere_is_healed_by_the_next_writer() {
    let (_dir, record) = project();
    append(&record, &[entry(Role::User, "a", "first\nbody")]);
    let head = std::fs::read(record.day_path(date()).unwrap()).unwrap();
    append(
        &record,
        &[entry(
            Role::Assistant,
            "a",
            "## [10:00:00] User\nsecond **body**\n\nend",
        )],
    );
    let whole = std::fs::read(record.day_path(date()).unwrap()).unwrap();
    let path = record.day_path(date()).unwrap();
    for nul in [0, 3] {
        for cut in 0..whole.len() {
            let mut torn = whole[..cut].to_vec();
            torn.resize(cut + nul, 0);
            std::fs::write(&path, &torn).unwrap();
            append(&record, &[entry(Role::User, "b", "third")]);
            let text = std::fs::read(&path).unwrap();
            assert!(text.starts_with(b"---\ndate: 2026-11-30\n"), "cut {cut}");
            let visible: Vec<u8> = torn.iter().copied().filter(|b| *b != 0).collect();
            let kept: Vec<u8> = text.iter().copied().filter(|b| *b != 0).collect();
            assert!(
                kept.windows(visible.len().max(1)).any(|w| w == visible) || visible.is_empty(),
                "cut {cut}: text lost"
            );
            let parsed = day::parse(&text);
            let last = parsed.last().unwrap();
            assert_eq!(last.entry.body, "third", "cut {cut}");
            assert_eq!(
                last.entry.marker.as_ref().unwrap().turn.as_deref(),
                Some("b")
            );
            if cut >= head.len() {
                // One LF of the torn entry can look like one of the body before it.
                assert_eq!(
                    parsed[0].entry.body.trim_end_matches('\n'),
                    "first\nbody",
                    "cut {cut} nul {nul}"
                );
                assert_eq!(day::hash(&parsed[0].entry.body), day::hash("first\nbody"));
                for middle in &parsed[1..parsed.len() - 1] {
                    let body = &middle.entry.body;
                    // Half of an escaped line is not known as one.
                    let begun = body.strip_prefix('\\').unwrap_or(body);
                    assert!(
                        "## [10:00:00] User\nsecond **body**\n\nend"
                            .starts_with(begun.trim_end_matches('\n')),
                        "cut {cut}: {body:?}"
                    );
                    assert_eq!(
                        middle.entry.marker.as_ref().unwrap().turn.as_deref(),
                        Some("a"),
                        "cut {cut}"
                    );
                }
            } else {
                assert!(parsed.len() <= 2, "cut {cut}");
            }
            let digest = record.conversations().unwrap().digest(date()).unwrap();
            assert_eq!(digest.entries.len(), parsed.len());
        }
    }
}

#[test]
fn a_digest_tells_what_parsing_tells() {
    let (_dir, record) = project();
    let long = format!(
        "{}\n\\## [10:00] User\n한글{}",
        "x".repeat(70_000),
        "é".repeat(70_000)
    );
    append(
        &record,
        &[
            entry(Role::User, "a", &long),
            entry(Role::Assistant, "a", "b\n\n"),
        ],
    );
    let bytes = std::fs::read(record.day_path(date()).unwrap()).unwrap();
    let digest = record.conversations().unwrap().digest(date()).unwrap();
    let parsed = day::parse(&bytes);
    assert_eq!(digest.entries.len(), 2);
    for (brief, located) in digest.entries.iter().zip(&parsed) {
        assert_eq!(brief.hash, day::hash(&located.entry.body));
        assert_eq!(brief.span, located.span);
        let marker = located.entry.marker.as_ref().unwrap();
        assert_eq!(brief.marker, Some(day::Keys::from(marker)));
    }
    assert_eq!(digest.entries[0].loose, day::hash_loose(&long));
    assert_eq!(parsed[0].entry.body, long);
    assert_ne!(day::hash("abc"), day::hash("abd"));
    assert_eq!(day::hash("abc\n"), day::hash("abc"));
    assert_eq!(day::hash_loose("a \\b\u{3000}c\n"), day::hash("abc"));
}

#[test]
fn repair_inserts_and_completes_in_place() {
    let (_dir, record) = project();
    append(
        &record,
        &[
            entry(Role::User, "a", "one"),
            entry(Role::Assistant, "a", "two"),
            entry(Role::User, "b", "five"),
        ],
    );
    let mut conversations = record.conversations().unwrap();
    let seen = conversations.digest(date()).unwrap();
    let timed = |hour, body: &str| NewEntry {
        time: Some(at(hour, 0, 0)),
        ..entry(Role::User, "r", body)
    };
    conversations
        .apply(
            date(),
            &seen,
            &[
                Change::Insert {
                    before: 2,
                    entry: timed(13, "three"),
                },
                Change::Complete {
                    at: 1,
                    body: Clean::fixed("two\n\n## [10:00] User"),
                    uuid: RecordId::new("u-1"),
                },
                Change::Insert {
                    before: 3,
                    entry: timed(15, "six"),
                },
                Change::Insert {
                    before: 2,
                    entry: timed(14, "four"),
                },
                Change::Insert {
                    before: 0,
                    entry: timed(9, "zero"),
                },
            ],
        )
        .unwrap();
    assert_eq!(
        bodies(&record),
        [
            "zero",
            "one",
            "two\n\n## [10:00] User",
            "three",
            "four",
            "five",
            "six"
        ]
    );
    assert!(
        read(&record)
            .contains("## [12:00:00] Assistant\n<!-- mnemo s=1f0c2d3e id=a u=u-1 -->\n\ntwo\n")
    );
    let error = conversations.apply(
        date(),
        &seen,
        &[Change::Insert {
            before: 3,
            entry: timed(15, "x"),
        }],
    );
    assert!(matches!(
        error,
        Err(record::Error::File(safe_file::Error::Changed { .. }))
    ));
}

#[test]
fn an_absent_day_is_made_by_repair() {
    let (_dir, record) = project();
    let mut conversations = record.conversations().unwrap();
    let seen = conversations.digest(date()).unwrap();
    let entry = NewEntry {
        time: Some(at(9, 1, 2)),
        ..entry(Role::User, "r", "body")
    };
    conversations
        .apply(date(), &seen, &[Change::Insert { before: 0, entry }])
        .unwrap();
    assert!(read(&record).starts_with("---\ndate: 2026-11-30\n"));
    assert!(read(&record).contains("\n\n# 2026-11-30\n\n## [09:01:02] User\n"));
}

#[test]
fn an_entry_grows_in_place() {
    let (_dir, record) = project();
    append(&record, &[entry(Role::Assistant, "a", "part")]);
    let inode = |record: &Record| {
        std::os::unix::fs::MetadataExt::ino(
            &std::fs::metadata(record.day_path(date()).unwrap()).unwrap(),
        )
    };
    let before = inode(&record);
    let grow = |which: usize, body: &str| {
        let mut conversations = record.conversations().unwrap();
        let tail = conversations.tail(date(), 1 << 16).unwrap();
        conversations
            .complete(date(), &tail[which], &Clean::fixed(body))
            .unwrap();
    };
    grow(0, "part\n\nmore");
    assert_eq!(bodies(&record), ["part\n\nmore"]);
    assert_eq!(inode(&record), before, "the last entry grows by an append");
    grow(0, "part\n\nmore of it");
    assert_eq!(bodies(&record), ["part\n\nmore of it"]);
    append(&record, &[entry(Role::User, "b", "next")]);
    grow(0, "part\n\nmore of it\n\nall");
    assert_eq!(bodies(&record), ["part\n\nmore of it\n\nall", "next"]);
    // The end of the file was torn inside the body.
    let path = record.day_path(date()).unwrap();
    let text = std::fs::read(&path).unwrap();
    std::fs::write(&path, &text[..text.len() - 3]).unwrap();
    grow(1, "next\n");
    assert_eq!(bodies(&record), ["part\n\nmore of it\n\nall", "next\n"]);
}

#[test]
fn a_tail_holds_whole_entries_only() {
    let (_dir, record) = project();
    for number in 0..20 {
        append(
            &record,
            &[entry(
                Role::User,
                &format!("n{number}"),
                &format!("body {number}"),
            )],
        );
    }
    let conversations = record.conversations().unwrap();
    let all = conversations.tail(date(), 1 << 20).unwrap();
    let length = std::fs::metadata(record.day_path(date()).unwrap())
        .unwrap()
        .len();
    for limit in 0..length {
        let tail = conversations.tail(date(), limit).unwrap();
        assert_eq!(
            tail.as_slice(),
            &all[all.len() - tail.len()..],
            "limit {limit}"
        );
        let first = tail.first().map_or(length, |l| l.span.start);
        assert!(first + limit >= length);
    }
}

fn nasty() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("## [10:00:00] User".to_owned()),
        Just("## [10:00] Assistant".to_owned()),
        Just("## [99:99] User".to_owned()),
        Just("<!-- mnemo".to_owned()),
        Just("<!-- mnemo torn=5 -->".to_owned()),
        Just("\\".to_owned()),
        Just("\n".to_owned()),
        Just("\n".to_owned()),
        Just("\r\n".to_owned()),
        Just(" ".to_owned()),
        Just("\t".to_owned()),
        Just("\0".to_owned()),
        Just("\u{2028}".to_owned()),
        Just("---\n".to_owned()),
        Just("# 2026-11-30\n".to_owned()),
        Just("#tags: a".to_owned()),
        "[ -~가-힣]{0,12}",
    ];
    proptest::collection::vec(piece, 0..14).prop_map(|pieces| pieces.concat())
}

proptest! {
    #[test]
    fn parsing_gives_back_what_was_rendered(
        texts in proptest::collection::vec((nasty(), any::<bool>(), 0_u32..86_400, "[a-z0-9._-]{0,9}"), 1..5),
    ) {
        let entries: Vec<(NewEntry, NaiveTime)> = texts
            .iter()
            .map(|(body, user, second, id)| {
                let role = if *user { Role::User } else { Role::Assistant };
                let time = NaiveTime::from_num_seconds_from_midnight_opt(*second, 0).unwrap();
                (entry(role, id, body), time)
            })
            .collect();
        let mut file = b"---\ndate: 2026-11-30\n---\n\n# 2026-11-30\n".to_vec();
        for (entry, time) in &entries {
            file.extend(day::render(entry, *time));
        }
        let parsed = day::parse(&file);
        prop_assert_eq!(parsed.len(), entries.len());
        for (located, (entry, time)) in parsed.iter().zip(&entries) {
            prop_assert_eq!(&located.entry.body, entry.body.as_str());
            prop_assert_eq!(located.entry.time, *time);
            prop_assert_eq!(located.entry.role, entry.role);
            prop_assert_eq!(located.entry.marker.as_ref(), Some(&entry.marker));
        }
        prop_assert_eq!(parsed.last().unwrap().span.end, file.len() as u64);
    }

    #[test]
    fn no_bytes_break_the_parser(bytes in proptest::collection::vec(any::<u8>(), 0..400), text in nasty()) {
        let mut file = text.into_bytes();
        file.extend(bytes);
        let parsed = day::parse(&file);
        for pair in parsed.windows(2) {
            prop_assert!(pair[0].span.end <= pair[1].span.start);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn what_repair_wrote_is_known_without_reading(
        there in prop::collection::vec(body(), 0..5),
        tail in prop::sample::select(vec!["", "\n", "\n\n## [1", "\n## [10:00] User\n\nold", "\0\0"]),
        rounds in prop::collection::vec(prop::collection::vec((0_usize..8, body()), 0..6), 1..4),
    ) {
        let (_dir, record) = project();
        if !there.is_empty() {
            let entries: Vec<NewEntry> = there.iter().map(|body| entry(Role::Assistant, "a", body)).collect();
            append(&record, &entries);
            let path = record.day_path(date()).unwrap();
            let mut bytes = std::fs::read(&path).unwrap();
            bytes.extend(tail.as_bytes());
            std::fs::write(&path, bytes).unwrap();
        }
        let mut conversations = record.conversations().unwrap();
        let mut seen = conversations.digest(date()).unwrap();
        for round in rounds {
            let changes: Vec<Change> = round
                .iter()
                .map(|(before, body)| Change::Insert {
                    before: (*before).min(seen.entries.len()),
                    entry: NewEntry { time: Some(at(11, 2, 3)), ..entry(Role::User, "r", body) },
                })
                .collect();
            seen = conversations.renew(date(), seen, &changes).unwrap();
            prop_assert_eq!(&seen, &conversations.digest(date()).unwrap());
        }
    }
}

fn body() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "x",
        "two\nlines\n",
        "## [10:00:00] User",
        "\\<!-- mnemo",
        "\n",
        "한글\u{2028}",
    ])
    .prop_map(str::to_owned)
}
