//! The parsers on any bytes, and what edits leave alone.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests make files and fail by panicking"
)]

use memory::frontmatter::{State, scalar};
use memory::lines::lines;
use memory::store::StoreKind;
use memory::{Entry, Frontmatter, Index, LinkKind, Store, edit, links};
use proptest::prelude::*;

fn entry_of(text: &str) -> Store {
    Store::of_files(StoreKind::Auto, [("e.md", text.as_bytes())])
}

fn only(store: &Store) -> &Entry {
    &store.entries()[0]
}

/// Text in which the marks that matter are frequent.
fn marked() -> impl Strategy<Value = String> {
    let piece = prop_oneof![
        Just("---\n".to_owned()),
        Just("\r\n".to_owned()),
        Just("\n".to_owned()),
        Just("  ".to_owned()),
        Just("\t".to_owned()),
        Just("\u{feff}".to_owned()),
        Just("`".to_owned()),
        Just("```\n".to_owned()),
        Just("<!-- ".to_owned()),
        Just(" -->".to_owned()),
        Just("[[".to_owned()),
        Just("]]".to_owned()),
        Just("[a](".to_owned()),
        Just("<b c.md>)".to_owned()),
        Just("b%20c.md#x)".to_owned()),
        Just("\\".to_owned()),
        Just("- ".to_owned()),
        Just("## ".to_owned()),
        Just("name: ".to_owned()),
        Just("type: user\n".to_owned()),
        Just("metadata:\n".to_owned()),
        Just("  type: \"x\"\n".to_owned()),
        Just("k: |\n".to_owned()),
        Just("\"".to_owned()),
        Just("'".to_owned()),
        Just(" # ".to_owned()),
        Just("`~12tk`".to_owned()),
        Just("<!-- budget: ~1tk / 40000tk (0%) | updated: 2026-11-30 -->\n".to_owned()),
        Just("가나".to_owned()),
        "\\PC{0,6}",
        any::<char>().prop_map(String::from),
    ];
    prop::collection::vec(piece, 0..40).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_bytes_are_read(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let store = Store::of_files(
            StoreKind::Auto,
            [("MEMORY.md", &bytes[..]), ("e.md", &bytes[..])],
        );
        prop_assert_eq!(only(&store).bytes(), &bytes[..]);
        prop_assert_eq!(only(&store).size(), bytes.len() as u64);
        let now = chrono::DateTime::UNIX_EPOCH;
        drop(memory::audit(&store, now, memory::Dates::Frontmatter));
    }

    #[test]
    fn ranges_lie_in_the_text_and_say_what_they_name(text in marked()) {
        let front = Frontmatter::parse(&text);
        prop_assert!(text.get(front.body()..).is_some());
        for field in front.fields() {
            prop_assert!(text.get(field.value.clone()).is_some());
            prop_assert!(text.get(field.whole.clone()).is_some());
            prop_assert!(field.whole.start <= field.value.start && field.value.end <= field.whole.end);
        }
        for link in links::parse(&text) {
            let whole = text.get(link.range.clone()).unwrap();
            prop_assert!(text.get(link.label.clone()).is_some());
            prop_assert!(text.get(link.target.clone()).is_some());
            prop_assert!(whole.starts_with('['));
            prop_assert!(!whole.contains('\n'));
            match link.kind {
                LinkKind::Wiki => prop_assert!(whole.ends_with("]]")),
                LinkKind::Markdown => prop_assert!(whole.ends_with(')')),
                LinkKind::Code => prop_assert!(false, "no text has codes by itself"),
            }
            let line = lines(&text).nth(link.line - 1).unwrap();
            prop_assert!(line.start <= link.range.start && link.range.end <= line.end());
        }
        let index = Index::parse(&text);
        for line in index.entries() {
            prop_assert!(text.get(line.range.clone()).is_some());
            prop_assert_eq!(index.link_of(line).line, line.line);
        }
        prop_assert_eq!(index.line_count(), lines(&text).count());
    }

    #[test]
    fn a_scalar_is_read_back_by_both_readers(value in "\\PC{0,30}|[ -~\\n\\t]{0,30}") {
        let text = format!("---\nk: {}\n---\n", scalar(&value));
        let front = Frontmatter::parse(&text);
        prop_assert_eq!(front.yaml(), Ok(()), "{}", text);
        prop_assert_eq!(front.get("k"), Some(value.as_str()), "{}", text);
    }

    /// The verdict that is reached without the YAML parser is the parser's.
    #[test]
    fn what_is_taken_for_valid_is_valid(
        inner in prop::collection::vec(
            ("( |  )?", "[a-z]{1,3}|\\PC{1,2}", ": ?|:", "[a-z:#'\"\\[{!&*|>@%가 -]{0,8}|\\PC{0,5}"), 0..5)
    ) {
        let inner: String = inner
            .iter()
            .map(|(indent, key, colon, value)| format!("{indent}{key}{colon}{value}\n"))
            .filter(|line| line.trim() != "---")
            .collect();
        let front = Frontmatter::parse(&format!("---\n{inner}---\n"));
        let parser = serde_yaml::from_str::<serde_yaml::Value>(&inner);
        let valid = matches!(parser, Ok(serde_yaml::Value::Mapping(_) | serde_yaml::Value::Null));
        prop_assert_eq!(front.yaml().is_ok(), valid, "{:?}", inner);
    }

    #[test]
    fn setting_a_field_leaves_every_other_byte(
        before in "[a-z]{1,4}: [a-z가 ]{0,8}\r?\n",
        value in "\\PC{0,12}",
        body in "\\PC{0,20}",
        had in any::<bool>(),
    ) {
        let line = if had { "zz_key: old # why\n" } else { "" };
        let text = format!("---\n{before}{line}---\n{body}");
        let store = entry_of(&text);
        let change = edit::set_field(only(&store), "zz_key", &value);
        let change = match change {
            Ok(change) => change,
            Err(edit::Error::Fixed { .. }) => return Ok(()),
            Err(other) => return Err(TestCaseError::fail(other.to_string())),
        };
        let new = edit::apply(&text, vec![change.clone()]).unwrap();
        prop_assert!(new.starts_with(&text[..change.range.start]));
        prop_assert!(new.ends_with(&text[change.range.end..]));
        let again = entry_of(&new);
        prop_assert_eq!(only(&again).frontmatter().get("zz_key"), Some(value.as_str()), "{:?}", new);
        prop_assert_eq!(only(&again).body(), only(&store).body());
    }

    #[test]
    fn a_corrected_index_is_right_and_differs_nowhere_else(
        said in 0_u64..900,
        head in any::<bool>(),
        suffix in any::<bool>(),
        note in "[a-z가~ ]{0,10}",
    ) {
        let head = if head { "<!-- budget: ~7tk / 40000tk (0%) | 업데이트: 2020-01-01 -->\n" } else { "" };
        let suffix = if suffix { format!(" `~{said}tk`") } else { String::new() };
        let index = format!("{head}# M\n## user\n- [e](e.md) — {note}{suffix}\n\ntail `~5tk`\n");
        let files = [("MEMORY.md", index.as_bytes()), ("e.md", b"twelve bytes".as_slice())];
        let store = Store::of_files(StoreKind::Auto, files);
        let day = chrono::NaiveDate::from_ymd_opt(2026, 11, 30).unwrap();
        let new = memory::updated_index(&store, day).unwrap();
        let files = [("MEMORY.md", new.as_bytes()), ("e.md", b"twelve bytes".as_slice())];
        let store = Store::of_files(StoreKind::Auto, files);
        let audit = memory::audit(&store, chrono::DateTime::UNIX_EPOCH, memory::Dates::Modified);
        for issue in &audit.issues {
            let wrong = matches!(issue,
                memory::Issue::WrongSuffix { .. } | memory::Issue::MissingSuffix { .. }
                | memory::Issue::WrongBudgetComment { .. });
            prop_assert!(!wrong, "{:?} in {:?}", issue, new);
        }
        prop_assert_eq!(memory::updated_index(&store, day).unwrap(), new.clone());
        prop_assert!(new.ends_with("\n\ntail `~5tk`\n"));
        // Without what may change, both are the same.
        let bare = |text: &str| -> String {
            text.lines().filter(|line| !line.starts_with("<!-- budget")).map(|line| {
                if line.starts_with("- [e]") { format!("{}\n", line.rsplit_once("`~").map_or(line, |(rest, _)| rest).trim_end()) } else { format!("{line}\n") }
            }).collect()
        };
        prop_assert_eq!(bare(&new), bare(&index));
    }
}

#[test]
fn frontmatter_is_read_leniently() {
    let text = "\u{feff}---\r\nname: \"A: b\" # c\r\ndescription: it's 50: much\r\nmetadata:\r\n  type: user\r\ntags: [a, 'b']\r\nlist:\r\n  - x\r\n  - \"y\"\r\nlong: >\r\n  one\r\n  two\r\nodd\r\n---\r\nbody\r\n";
    let front = Frontmatter::parse(text);
    assert_eq!(front.state(), State::Closed);
    assert_eq!(front.get("name"), Some("A: b"));
    assert_eq!(front.get("description"), Some("it's 50: much"));
    assert_eq!(front.get("metadata.type"), Some("user"));
    assert_eq!(front.list("tags"), ["a", "b"]);
    assert_eq!(front.list("list"), ["x", "y"]);
    assert_eq!(front.get("long"), Some("one two"));
    assert_eq!(&text[front.body()..], "body\r\n");
    assert_eq!(front.body_line(), 15);
    assert!(front.yaml().is_err());
    assert_eq!(
        &text[front.field("name").unwrap().value.clone()],
        "\"A: b\""
    );
}

#[test]
fn a_yaml_complaint_names_the_files_line() {
    let front = Frontmatter::parse("---\nname: ok\ndescription: a: b\n---\n");
    let words = front.yaml().unwrap_err();
    assert!(words.contains("line 3"), "{words}");
}

#[test]
fn links_in_code_and_comments_are_none() {
    let text = "\
[a](a.md) `[b](b.md)` ``x ` [b](b.md)`` <!-- [b](b.md)
[[b]] --> [[c#part|words]] \\[b](b.md)
```md
[b](b.md)
~~~
```
  - [d e](<d e.md>) [f](f%20g.md#x \"title\") [h](h (1).md) [가](가.md)
[web](https://x.example/a.md) [mail](mailto:a@b.c) [part](#part)
";
    let all = links::parse(text);
    let found: Vec<_> = all
        .iter()
        .filter(|link| !link.is_external() && !link.path.is_empty())
        .map(|link| (link.line, link.path.as_str()))
        .collect();
    let expected = [
        (1, "a.md"),
        (2, "c"),
        (7, "d e.md"),
        (7, "f g.md"),
        (7, "h (1).md"),
        (7, "가.md"),
    ];
    assert_eq!(found, expected);
    assert_eq!(all.len(), 9);
}

#[test]
fn the_index_knows_its_lines() {
    let text = "<!-- budget: ~6480tk / 40000tk (16%) | aktualisiert: 2026-10-04 -->\n# Title\n\n## user\n- ★ [role.md](role.md) — who: what `~340tk`\n* [[other]] - words ~12tk\n- no link\n\n## empty\n<!-- - [x](x.md) -->\n## nest\n### deep\n1. [z](z.md)\n";
    let index = Index::parse(text);
    let budget = index.budget().unwrap();
    assert_eq!(
        (budget.tokens, budget.limit, budget.percent),
        (6480, Some(40_000), Some(16))
    );
    assert_eq!(
        (budget.word.as_str(), budget.updated.as_str()),
        ("aktualisiert", "2026-10-04")
    );
    let lines: Vec<_> = index
        .entries()
        .iter()
        .map(|line| {
            (
                line.line,
                line.star,
                line.description.as_str(),
                line.suffix.as_ref().map(|suffix| suffix.tokens),
                index.sections()[line.section.unwrap()].heading.as_str(),
            )
        })
        .collect();
    let expected = [
        (5, true, "who: what", Some(340), "user"),
        (6, false, "words", Some(12), "user"),
        (13, false, "", None, "deep"),
    ];
    assert_eq!(lines, expected);
    let empty: Vec<_> = index.empty_sections().map(|section| section.line).collect();
    assert_eq!(empty, [9]);
}

#[test]
fn wikilinks_find_stems_before_names_in_any_composition() {
    let decomposed = "\u{1112}\u{1161}\u{11ab}.md";
    let files: [(&str, &[u8]); 5] = [
        ("MEMORY.md", "- [[한]]\n- [[Real Name]]\n- [x](%ED%95%9C.md)\n- [[gone]]\n- [y](_archive/2026-01/gone.md)\n".as_bytes()),
        (decomposed, b"x"),
        ("a.md", "---\nname: 한\n---\n".as_bytes()),
        ("b.md", b"---\nname: Real Name\n---\n"),
        ("_archive/2026-01/gone.md", b""),
    ];
    let store = Store::of_files(StoreKind::Auto, files);
    let ids: Vec<_> = store
        .links()
        .iter()
        .map(|link| link.target.clone())
        .collect();
    let id = |name: &str| memory::Target::Entry(store.find(name).unwrap());
    let archived = "_archive/2026-01/gone.md".to_owned();
    assert_eq!(
        ids,
        [
            id(decomposed),
            id("b.md"),
            id("한"),
            memory::Target::Missing {
                archived_at: Some(archived.clone())
            },
            memory::Target::Archived(archived),
        ]
    );
}

#[test]
fn name_and_type_are_never_edited() {
    let store = entry_of("---\nname: a\ntype: user\n---\n");
    for key in ["name", "type", "metadata.type"] {
        assert!(matches!(
            edit::set_field(only(&store), key, "x"),
            Err(edit::Error::Fixed { .. })
        ));
    }
    let store = entry_of("no frontmatter");
    assert!(matches!(
        edit::set_field(only(&store), "status", "x"),
        Err(edit::Error::NoFrontmatter(_))
    ));
}
