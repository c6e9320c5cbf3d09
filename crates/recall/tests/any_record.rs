//! What holds for any record and any query.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "a test makes the files it reads"
)]

mod common;

use proptest::prelude::*;
use recall::{Answer, Places, show};
use std::path::Path;
use unicode_normalization::UnicodeNormalization;

fn record(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    for (name, bytes) in files {
        let path = place.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    place
}

fn places(root: &Path) -> Places {
    Places {
        record: Some(std::fs::canonicalize(root).unwrap()),
        ..Places::default()
    }
}

fn ask(root: &Path, query: &str, exact: bool) -> Answer {
    common::ask(&places(root), query, exact, "2026-10-14")
}

fn day(text: &str) -> String {
    format!(
        "---\ndate: 2026-10-01\n---\n\n# 2026-10-01\n\n## [09:00:00] User\n<!-- mnemo s=1 id=7c2e41f0 -->\n\n{text}\n\n\
         ## [09:00:10] Assistant\n<!-- mnemo s=1 id=7c2e41f0 -->\n\ndone\n"
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(48) })]

    #[test]
    fn any_bytes_are_searched(bytes in proptest::collection::vec(any::<u8>(), 0..400), query in "\\PC{0,30}") {
        let place = record(&[("conversations/2026-10-01-claude.md", &bytes), ("memory/learned/001-x.md", &bytes), ("MEMORY.md", &bytes)]);
        for exact in [false, true] {
            let answer = ask(place.path(), &query, exact);
            for hit in answer.hits.iter().chain(&answer.near) {
                for mark in &hit.marks {
                    prop_assert!(hit.text.get(mark.clone()).is_some());
                }
            }
        }
        let _ = show(&places(place.path()), &query, 1);
    }

    #[test]
    fn a_word_that_stands_there_is_found(word in "[가-힣]{2,5}|[a-z]{4,12}|[a-z]{3,6}_[a-z]{3,6}") {
        prop_assume!(!words::is_stopword(&word) && !words::is_stopword(&words::stem(&word)));
        let place = record(&[("conversations/2026-10-01-claude.md", day(&format!("x {word} y")).as_bytes())]);
        let answer = ask(place.path(), &word, true);
        prop_assert_eq!(answer.hits.len(), 1);
        prop_assert_eq!(answer.hits[0].line, 7);
    }

    #[test]
    fn normal_forms_do_not_matter(word in "[가-힣]{2,4}|[a-z]{2,4}[äöü][a-z]{3,5}") {
        prop_assume!(!words::is_stopword(&word) && !words::is_stopword(&words::stem(&word)));
        let apart: String = word.nfd().collect();
        for (query, text) in [(&word, &apart), (&apart, &word)] {
            let place = record(&[("conversations/2026-10-01-claude.md", day(text).as_bytes())]);
            let answer = ask(place.path(), query, true);
            prop_assert_eq!(answer.hits.len(), 1, "{} in {}", query, text);
        }
    }
}

#[test]
fn an_entry_is_shown_by_line_by_id_and_by_code() {
    let place = record(&[
        (
            "conversations/2026-10-01-claude.md",
            day("first").as_bytes(),
        ),
        ("memory/gotchas/003-pool.md", b"# g:003 Pool\n\nfull\n"),
        (
            "docs/handoffs/2026-10-01-090000-checkout.md",
            b"# Handoff\n",
        ),
    ]);
    let places = places(place.path());
    let entry = show(&places, "conversations/2026-10-01-claude.md:10", 1).unwrap();
    assert_eq!(entry.found[0].text, "first");
    assert_eq!(entry.after[0].text, "done");
    assert_eq!(show(&places, "7c2e41", 1).unwrap().found.len(), 2);
    assert_eq!(
        show(&places, "g:3", 1).unwrap().found[0].path,
        "memory/gotchas/003-pool.md"
    );
    assert!(
        show(&places, "h:checkout", 1).unwrap().found[0]
            .text
            .starts_with("# Handoff")
    );
    assert_eq!(show(&places, "g:9", 1), None);
    assert_eq!(show(&places, "../../etc/passwd:1", 1), None);
}

#[test]
fn a_tag_a_role_and_days_limit_what_is_found() {
    let entry = |tag: &str| day(&format!("pool trouble\n#tags: {tag}"));
    let place = record(&[
        ("conversations/2026-10-01-claude.md", entry("db").as_bytes()),
        (
            "conversations/2026-10-09-claude.md",
            entry("net").as_bytes(),
        ),
    ]);
    let paths = |answer: Answer| {
        answer
            .hits
            .into_iter()
            .map(|hit| hit.path)
            .collect::<Vec<_>>()
    };
    let newer = "conversations/2026-10-09-claude.md";
    assert_eq!(paths(ask(place.path(), "pool last week", false))[0], newer);
    assert_eq!(
        ask(place.path(), "pool last week", false).time.as_deref(),
        Some("last week")
    );
    assert_eq!(paths(ask(place.path(), "#net", false))[0], newer);
    // Of equals the newer one.
    assert_eq!(paths(ask(place.path(), "pool", false))[0], newer);
}

#[test]
fn phrases_have_to_occur() {
    let place = record(&[(
        "conversations/2026-10-01-claude.md",
        day("lock  timeout in the pool").as_bytes(),
    )]);
    assert_eq!(ask(place.path(), "\"Lock timeout\"", false).hits.len(), 1);
    assert_eq!(ask(place.path(), "\"timeout lock\"", false).hits.len(), 0);
}
