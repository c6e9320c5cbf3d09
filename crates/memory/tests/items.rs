//! Items of a record: every form is read, nothing panics, what is written is read back.
#![allow(clippy::unwrap_used, reason = "tests")]

use chrono::NaiveDate;
use memory::items::{Form, Item, anchor, is_scaffold, list, of_category, of_file};
use memory::{Code, Issue, Store, StoreKind, audit};
use proptest::prelude::*;

#[test]
fn both_forms_are_read() {
    let text = "# g:013 이미지 빌드에서 tsc를 돌리지 말 것\n\n- keywords: heap out of memory, esbuild, 빌드\n- conversations: [2026-09-21](../../conversations/2026-09-21-claude.md)\n\n타입 검사는 별도 잡.\n";
    let item = of_file(text);
    assert_eq!(item.code, Code::of("g:013"));
    assert_eq!(item.title, "이미지 빌드에서 tsc를 돌리지 말 것");
    assert_eq!(item.keywords, ["heap out of memory", "esbuild", "빌드"]);
    assert_eq!(item.conversations, ["2026-09-21".parse().unwrap()]);
    assert_eq!(text[item.body].trim(), "타입 검사는 별도 잡.");

    let text = "# Gotchas - x\n\n> MEMORY.md 키워드 인덱스에서 이 파일로 연결됩니다.\n\n---\n\n### Port 8080\n`tags: port, docker` `date: 2026-10-01`\n`source: codex`\n\n- taken\n\n```\n### no item\n```\n### Second\r\n\r\n`tags: b`\r\ntext\r\n";
    let items = of_category(text);
    assert_eq!(items.len(), 2);
    assert_eq!(items[0].title, "Port 8080");
    assert_eq!(items[0].keywords, ["port", "docker"]);
    assert_eq!(items[0].date, Some("2026-10-01".parse().unwrap()));
    assert_eq!(items[0].source.as_deref(), Some("codex"));
    assert!(text[items[0].range.clone()].ends_with("### no item\n```\n"));
    assert_eq!(text[items[1].body.clone()], *"text\r\n");
}

#[test]
fn a_scaffold_has_no_content_and_a_word_is_content() {
    for scaffold in [
        "# Gotchas - 함정\n\n> MEMORY.md 키워드 인덱스에서 이 파일로 연결됩니다.\n\n---\n",
        "\u{feff}# Tools\r\n\r\n> The keyword index of MEMORY.md links to this file.\r\n",
        "# Learned\n## A\n<!-- nothing yet -->\n",
    ] {
        assert!(is_scaffold(scaffold), "{scaffold}");
    }
    for content in [
        "",
        "word\n",
        "# T\n\n> a quote of somebody\n",
        "# T\n```\n# x\n```\n",
    ] {
        assert!(!is_scaffold(content), "{content}");
    }
}

fn store<'a>(files: &[(&'a str, &'a str)]) -> Store {
    Store::of_files(
        StoreKind::Record,
        files.iter().map(|(name, text)| (*name, text.as_bytes())),
    )
}

#[test]
fn codes_come_from_title_index_path_and_place() {
    let store = store(&[
        (
            "MEMORY.md",
            "# M\n\n| k | d |\n|---|---|\n| a | a:007, g:2 |\n| b | [g:5](memory/gotchas.md#the-second-one) |\n",
        ),
        (
            "memory/gotchas.md",
            "# G\n\n### The first: one\n`tags: a`\n\nx\n\n### The second one\n`tags: b`\n\ny\n\n### g:9 Third\n`tags: c`\n\nz\n",
        ),
        (
            "memory/architecture/007-x.md",
            "# Without code\n\n- keywords: q\n\nx\n",
        ),
        ("memory/architecture/index.md", "# A\n"),
        ("memory/tools.md", "# Tools\n\n> MEMORY.md\n"),
    ]);
    let codes: Vec<_> = store
        .items()
        .iter()
        .map(|item| (item.code.unwrap().to_string(), item.item.title.as_str()))
        .collect();
    assert_eq!(
        codes,
        [
            ("a:007".to_owned(), "Without code"),
            ("g:1".to_owned(), "The first: one"),
            ("g:5".to_owned(), "The second one"),
            ("g:9".to_owned(), "Third"),
        ]
    );
    assert_eq!(store.item("g:05").unwrap().item.title, "The second one");
    assert_eq!(store.item("third").unwrap().item.title, "Third");
    assert!(store.item("gotchas").is_none(), "a file of several items");
    assert_eq!(
        store.entries().len(),
        2,
        "lists and scaffolds are no entries"
    );
    let report = audit(
        &store,
        chrono::DateTime::UNIX_EPOCH,
        memory::Dates::Modified,
    );
    let broken: Vec<_> = report
        .issues
        .iter()
        .filter_map(|issue| match issue {
            Issue::BrokenLink { target, line, .. } => Some((target.as_str(), *line)),
            _ => None,
        })
        .collect();
    assert_eq!(broken, [("g:2", 5)], "{:?}", report.issues);
    assert!(
        !report
            .issues
            .iter()
            .any(|issue| matches!(issue, Issue::Orphan(_)))
    );
}

#[test]
fn equal_codes_and_unreached_items_are_told() {
    let store = store(&[
        (
            "MEMORY.md",
            "# M\n\nAt 3 the x:1 plan, see a:1.\n- [tools](memory/tools/index.md)\n",
        ),
        ("memory/architecture/001-x.md", "# a:1 One\n\nx\n"),
        ("memory/architecture/002-y.md", "# a:1 Two\n\nx\n"),
        ("memory/tools/001-t.md", "# t:1 T\n\nx\n"),
        (
            "memory/tools/index.md",
            "# T\n\n| code | item |\n|---|---|\n| t:1 | [T](001-t.md) |\n| t:2 | [gone](002-u.md) |\n",
        ),
    ]);
    let report = audit(
        &store,
        chrono::DateTime::UNIX_EPOCH,
        memory::Dates::Modified,
    );
    let labels: Vec<String> = report
        .issues
        .iter()
        .map(|issue| format!("{issue:?}"))
        .collect();
    assert!(
        labels
            .iter()
            .any(|label| label.starts_with("DuplicateCode")),
        "{labels:?}"
    );
    assert_eq!(
        labels
            .iter()
            .filter(|label| label.starts_with("Orphan"))
            .count(),
        1,
        "{labels:?}"
    );
    assert_eq!(
        labels
            .iter()
            .filter(|label| label.contains("BrokenLink") && label.contains("002-u.md"))
            .count(),
        1,
        "{labels:?}"
    );
    assert!(
        !labels.iter().any(|label| label.contains("x:1")),
        "{labels:?}"
    );
}

prop_compose! {
    fn word()(word in "[a-zä가-힣]([a-z0-9ä가-힣 _-]{0,8}[a-z0-9가-힣])?") -> String { word }
}

prop_compose! {
    fn item()(
        code in proptest::option::of((0_u32..999_999, 0_usize..=6)),
        title in "[A-Za-zä가-힣]([ -_a-z가-힣]{0,20}[a-z가-힣])?",
        keywords in proptest::collection::vec(word(), 0..4),
        date in proptest::option::of(0_i32..20_000),
        source in proptest::option::of("(claude|codex|gemini)"),
        days in proptest::collection::btree_set(0_i32..20_000, 0..3),
        revisit in proptest::option::of(0_i32..20_000),
        form in prop_oneof![Just(Form::File), Just(Form::Heading)],
    ) -> Item {
        let day = |day| NaiveDate::from_num_days_from_ce_opt(730_000 + day).unwrap();
        Item {
            // Headings have no code of their own, and files no date and source.
            code: code.and_then(|(number, digits)| Code::new('g', number, digits)).filter(|_| form == Form::File),
            title,
            title_range: None,
            line: 1,
            keywords,
            date: date.map(day).filter(|_| form == Form::Heading),
            source: source.filter(|_| form == Form::Heading),
            conversations: days.into_iter().map(day).collect(),
            superseded: false,
            revisit: revisit.map(day),
            range: 0..0,
            body: 0..0,
            form,
        }
    }
}

proptest! {
    #[test]
    fn what_is_rendered_is_read(item in item(), body in "[A-Z][a-z가-힣 ]{0,20}\n(- [a-z]+\n){0,3}", crlf in any::<bool>()) {
        let newline = if crlf { "\r\n" } else { "\n" };
        let body = body.replace('\n', newline);
        let text = item.render(&body, newline);
        let read = match item.form {
            Form::File => of_file(&text),
            Form::Heading => of_category(&text).pop().unwrap(),
        };
        prop_assert_eq!(&text[read.range.clone()], text.as_str());
        prop_assert_eq!(text[read.body.clone()].trim_start_matches(['\r', '\n']), body.as_str());
        let plain = |item: &Item| Item { title_range: None, range: 0..0, body: 0..0, line: 1, ..item.clone() };
        prop_assert_eq!(plain(&read), plain(&item), "{}", text);
    }

    #[test]
    fn any_text_is_read_without_a_panic(text in "(# |### |g:1|`tags: |`|\\||- |---\n|\n|\r\n|```|<!--|-->|\\[|\\]\\(|\\)|가|a: b|\u{feff}|memory/gotchas.md|#x){0,40}", any in any::<String>()) {
        for text in [&text, &any] {
            let file = of_file(text);
            prop_assert!(text.get(file.body).is_some());
            let mut end = 0;
            for item in of_category(text) {
                prop_assert!(text.get(item.range.clone()).is_some() && text.get(item.body.clone()).is_some());
                prop_assert!(item.range.start >= end && item.range.contains(&item.title_range.unwrap().start) || item.range.end == text.len());
                end = item.range.end;
            }
            let _ = (is_scaffold(text), anchor(text), list(text));
            let store = Store::of_files(StoreKind::Record, [
                ("MEMORY.md", text.as_bytes()),
                ("memory/gotchas.md", text.as_bytes()),
                ("memory/gotchas/index.md", text.as_bytes()),
                ("memory/tools/001-a.md", text.as_bytes()),
            ]);
            let _ = audit(&store, chrono::DateTime::UNIX_EPOCH, memory::Dates::Modified);
        }
    }

    #[test]
    fn a_code_is_read_back(letter in "[a-z]", number in 0_u32..1_000_000, digits in 0_usize..9) {
        let code = Code::new(letter.chars().next().unwrap(), number, digits).unwrap();
        prop_assert_eq!(Code::of(&code.to_string()), Some(code));
        let row = format!("| a | `{code}`, [z:1](x.md) |");
        prop_assert_eq!(memory::code::codes_in(&row).next().map(|(code, range)| (code, row[range].to_owned())), Some((code, code.to_string())));
    }
}
