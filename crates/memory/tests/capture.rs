//! New lines in an index of any shape: the line is read back as it was meant, and every other byte
//! stays.
#![allow(clippy::unwrap_used, reason = "a panic is how a test fails")]

use memory::capture::{self, Add, Allow, FileName, Refusal, Section, Update};
use memory::{Index, Kind, Store, StoreKind};
use mnemo_home::Language;
use proptest::prelude::*;

const ENTRIES: [(&str, &str); 3] = [
    (
        "user_a.md",
        "---\nname: a\ndescription: A\ntype: user\n---\n\nA\n",
    ),
    ("feedback_b.md", "---\nname: b\ntype: feedback\n---\n\nB\n"),
    (
        "c.md",
        "---\nname: c\nmetadata:\n  type: feedback\n---\n\nC\n",
    ),
];

fn store(index: Option<&str>) -> Store {
    let files = ENTRIES
        .iter()
        .copied()
        .chain(index.map(|text| ("MEMORY.md", text)))
        .map(|(file, text)| (file, text.as_bytes()));
    Store::of_files(StoreKind::Auto, files)
}

fn wanted(section: Section) -> Add {
    Add {
        kind: Kind::Feedback,
        name: "new one".to_owned(),
        description: "What is new".to_owned(),
        body: None,
        section,
        file: Some(FileName::named("feedback_new.md").unwrap()),
        revisit: None,
        supersedes: None,
        allow: Allow::default(),
        language: Language::En,
    }
}

fn index_after(index: Option<&str>, section: Section) -> Result<String, Refusal> {
    let plan = capture::add(
        &store(index),
        &wanted(section),
        &memory::overlap::Known::default(),
    )?;
    let change = plan
        .set
        .changes()
        .find(|change| change.path().ends_with("MEMORY.md"))
        .unwrap();
    assert_eq!(change.before(), index.map(str::as_bytes));
    Ok(String::from_utf8(change.after().unwrap().to_vec()).unwrap())
}

const LINE: &str = "- [feedback_new.md](feedback_new.md) — What is new `~23tk`";

#[test]
fn a_line_goes_where_its_type_is() {
    for (index, expected) in [
        // The heading that holds most of the type, whatever it is called.
        (
            "# M\n## Ours\n- [b](feedback_b.md)\n- [c](c.md)\n## feedback\n- [a](user_a.md)\n",
            "# M\n## Ours\n- [b](feedback_b.md)\n- [c](c.md)\n@\n## feedback\n- [a](user_a.md)\n",
        ),
        // Behind what belongs to the last item.
        (
            "## x\n- [b](feedback_b.md)\n  more\n  - [c](c.md)\n    deep\n\ntext\n",
            "## x\n- [b](feedback_b.md)\n  more\n  - [c](c.md)\n    deep\n@\n\ntext\n",
        ),
        // A heading of the type's name, empty so far.
        ("## Feedback\n\n## user\n", "## Feedback\n@\n\n## user\n"),
        // No heading at all: below the others of the type.
        ("- [b](feedback_b.md)\n", "- [b](feedback_b.md)\n@\n"),
        // Else a new heading at the end, a blank line before it.
        (
            "# M\n## user\n- [a](user_a.md)\n",
            "# M\n## user\n- [a](user_a.md)\n\n## feedback\n@\n",
        ),
        ("# M\n\n", "# M\n\n## feedback\n@\n"),
        ("# M", "# M\n\n## feedback\n@"),
        ("", "# Memory\n\n## feedback\n@\n"),
        ("# M\r\n", "# M\r\n\r\n## feedback\r\n@\r\n"),
        // Headings in fences and comments are none.
        (
            "```\n## feedback\n```\n<!--\n## feedback\n-->\n",
            "```\n## feedback\n```\n<!--\n## feedback\n-->\n\n## feedback\n@\n",
        ),
    ] {
        let after = index_after(Some(index), Section::OfType).unwrap();
        assert_eq!(after, expected.replace('@', LINE), "{index:?}");
    }
    assert_eq!(
        index_after(None, Section::OfType).unwrap(),
        format!("# Memory\n\n## feedback\n{LINE}\n")
    );
}

#[test]
fn a_named_section_is_found_or_made() {
    let index = "## Domain/\n- [a](user_a.md)\n## feedback\n- [b](feedback_b.md)\n";
    let named = |words: &str| index_after(Some(index), Section::Named(words.to_owned()));
    assert!(
        named("domain")
            .unwrap()
            .contains(&format!("(user_a.md)\n{LINE}\n## feedback"))
    );
    assert!(
        named("Other")
            .unwrap()
            .ends_with(&format!("\n\n## Other\n{LINE}\n"))
    );
    assert!(named("a\nb").is_err() && named("[x](y)").is_err());
}

#[test]
fn an_index_that_ends_in_an_open_fence_is_not_written() {
    let error = index_after(Some("# M\n```\ncode\n"), Section::OfType).unwrap_err();
    assert_eq!((error.exit_code(), error.kind()), (4, "breaks-index"));
}

fn index_text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("- [user_a.md](user_a.md) — A `~9tk`".to_owned()),
        Just("  - [b](feedback_b.md)".to_owned()),
        Just("* [[c]] — see".to_owned()),
        Just("- [dead](gone.md) — x ~12tk".to_owned()),
        Just("  more".to_owned()),
        Just("```".to_owned()),
        Just("<!-- budget: ~1tk / 40000tk (0%) | updated: 2026-01-01 -->".to_owned()),
        "(#{1,3} (user|feedback|x)|[ -~가-힣`]{0,20})",
    ];
    let end = prop_oneof![Just("\n"), Just("\r\n"), Just("\n\n")];
    (
        any::<bool>(),
        proptest::collection::vec((line, end), 0..12),
        any::<bool>(),
    )
        .prop_map(|(bom, lines, torn)| {
            let mut text: String = lines
                .iter()
                .flat_map(|(line, end)| [line.as_str(), end])
                .collect();
            if torn {
                text.truncate(text.trim_end_matches(['\r', '\n']).len());
            }
            if bom { format!("\u{feff}{text}") } else { text }
        })
}

proptest! {
    #[test]
    fn any_index_keeps_its_other_bytes(text in index_text()) {
        match index_after(Some(&text), Section::OfType) {
            Err(error) => prop_assert_eq!(error.kind(), "breaks-index"),
            Ok(after) => {
                // One piece was put in, nothing taken out.
                let same = |a: &mut dyn Iterator<Item = u8>, b: &mut dyn Iterator<Item = u8>| {
                    a.zip(b).take_while(|(a, b)| a == b).count()
                };
                let start = same(&mut text.bytes(), &mut after.bytes());
                let end = same(&mut text.bytes().rev(), &mut after.bytes().rev());
                prop_assert!(start + end >= text.len(), "{:?} -> {:?}", text, after);
                prop_assert!(after.contains(LINE));
                let index = Index::parse(&after);
                prop_assert_eq!(index.entries().len(), Index::parse(&text).entries().len() + 1);
            }
        }
    }

    #[test]
    fn any_description_is_refused_or_read_back(description in "[ -~가-힣\n\t`~—]{0,60}") {
        let index = "## feedback\n- [b](feedback_b.md) — B `~9tk`\n";
        let update = Update {
            entry: "b".to_owned(),
            description: Some(description.clone()),
            body: None,
            allow: Allow::default(),
            language: Language::En,
        };
        if let Ok(plan) = capture::update(&store(Some(index)), &update) {
            let text = plan.set.read("MEMORY.md".as_ref()).unwrap().unwrap();
            let read = Index::of_bytes(text);
            prop_assert_eq!(read.entries()[0].description.as_str(), description.trim());
            let suffix = read.entries()[0].suffix.as_ref().map(|suffix| suffix.tokens);
            prop_assert_eq!(suffix, Some(plan.tokens));
            let entry = plan.set.read("feedback_b.md".as_ref()).unwrap().unwrap();
            let front = memory::Frontmatter::parse(std::str::from_utf8(&entry).unwrap());
            prop_assert_eq!(front.get("description"), Some(description.trim()));
        }
    }
}
