//! Words, dates and searches.

use crate::scratch::Scratch;
use recall::dates::Span;
use recall::{Places, Request, search, show};

/// Any text can be cut into words, and any query asked of any day file: the first line is the
/// query, the rest the file.
pub(crate) fn search_any(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    for token in words::tokens(&text) {
        assert_eq!(text.get(token.range.clone()), Some(token.text));
    }
    let (query, day) = text.split_once('\n').unwrap_or((&text, ""));
    let scratch = Scratch::new();
    scratch.write(
        "work/demo/conversations/2026-10-01-claude.md",
        day.as_bytes(),
    );
    scratch.write("work/demo/memory/learned/001-x.md", day.as_bytes());
    let places = Places {
        record: Some(std::fs::canonicalize(scratch.root()).unwrap()),
        ..Places::default()
    };
    for exact in [false, true] {
        let answer = search(
            &places,
            &Request {
                query: query.to_owned(),
                span: Span::default(),
                role: None,
                layer: None,
                tags: Vec::new(),
                limit: 10,
                exact,
                today: "2026-10-14".parse().unwrap(),
                synonyms: Some(day.to_owned()),
            },
        );
        for hit in answer.hits.iter().chain(&answer.near) {
            for mark in &hit.marks {
                assert!(hit.text.get(mark.clone()).is_some());
            }
            let shown = show(&places, &format!("{}:{}", hit.path, hit.line), 1).unwrap();
            assert!(!shown.found.is_empty());
        }
    }
}
