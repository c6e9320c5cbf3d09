//! What evidence proves: a line that stands where it is said to stand, is about the entry, and says
//! what the verdict asks for.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::too_many_lines,
    reason = "a test makes its own files"
)]

use garden::check::{Cause, Checked};
use garden::plan::Plan;
use garden::{Places, Scan, Verdict};
use memory::{Store, StoreKind};
use std::fs;

const ENTRIES: [(&str, &str, &str, &str); 7] = [
    (
        "project-wedding.md",
        "project",
        "Wedding cakes",
        "Three wedding cakes for June.",
    ),
    (
        "project-leak.md",
        "project",
        "Roof leak",
        "The roof of the bakery leaks, two sacks are wet.",
    ),
    ("reference-key.md", "reference", "Keys", "Key at Mira."),
    (
        "reference-printer-a.md",
        "reference",
        "Printer",
        "The printer stands in room 204; paper rolls of 57 mm.",
    ),
    (
        "reference-printer-b.md",
        "reference",
        "Printers",
        "The printer stands in room 204, paper rolls of 57 mm. Toner is changed by Olga.",
    ),
    ("user-baker.md", "user", "The baker", "Lives in Graz."),
    (
        "feedback-grams.md",
        "feedback",
        "Recipes",
        "Write recipes in grams.",
    ),
];

const FILES: [(&str, &str); 4] = [
    (
        "CLAUDE.md",
        "Prices in whole cents.\n\n- Write recipes in grams.\n- The baker lives in Linz.\n",
    ),
    (
        ".local.claude/projects/wedding/STATUS.md",
        "# Wedding\nstatus: completed\n",
    ),
    (
        ".local.claude/projects/opening/STATUS.md",
        "# Opening\nstatus: completed\n",
    ),
    (
        "docs/log.md",
        "The leak in the roof was repaired on 2026-09-01.\nThe till was repaired on 2026-09-02.\n",
    ),
];

/// What becomes of one item of a plan: the verdict, and what was found.
fn checked(item: &str) -> (Verdict, Vec<(Cause, String)>) {
    let place = tempfile::tempdir().unwrap();
    let (project, folder) = (place.path().join("p"), place.path().join("m"));
    for (path, text) in FILES {
        let path = project.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    for (file, kind, description, body) in ENTRIES {
        let name = file.trim_end_matches(".md");
        let text =
            format!("---\nname: {name}\ndescription: {description}\ntype: {kind}\n---\n\n{body}\n");
        fs::write(folder.join(file), text).unwrap();
    }
    let places = Places {
        project: Some(project),
        ..Places::default()
    };
    let now = chrono::DateTime::parse_from_rfc3339("2026-11-30T12:00:00Z").unwrap();
    let scan = Scan::of(
        Store::open(StoreKind::Auto, &folder).unwrap(),
        &places,
        now.into(),
    );
    let text = format!(
        "version: 1\nstore: {}\ndate: 2026-11-30\nentries:\n  - id: 1\n    confidence: High\n{item}",
        folder.display()
    );
    let checked = Checked::of(&Plan::parse(&text).unwrap(), &scan);
    let item = &checked.items[0];
    let findings = item.findings.iter();
    (
        item.verdict,
        findings
            .map(|finding| (finding.kind, finding.text.clone()))
            .collect(),
    )
}

fn item(entry: &str, verdict: &str, at: &str, quote: &str) -> String {
    format!(
        "    entry: {entry}\n    verdict: {verdict}\n    evidence:\n      - at: \"{at}\"\n        quote: \"{quote}\"\n"
    )
}

#[test]
fn words_are_no_place_and_a_folder_is_none_that_is_gone() {
    for at in [
        "checked the system",
        "default",
        "시스템 확인",
        "System geprüft",
    ] {
        let (verdict, found) = checked(&item("project-wedding.md", "Completed", at, "all fine"));
        assert_eq!(
            (verdict, found[0].0),
            (Verdict::Stale, Cause::Abstract),
            "{at}"
        );
    }
    let folder = item(
        "project-wedding.md",
        "Completed",
        ".local.claude/projects/wedding:2",
        "status: completed",
    );
    assert_eq!(checked(&folder).0, Verdict::Stale);
    let zero = ".local.claude/projects/wedding/STATUS.md:0";
    assert_eq!(
        checked(&item(
            "project-wedding.md",
            "Completed",
            zero,
            "status: completed"
        ))
        .0,
        Verdict::Completed
    );
    let gone = ".local.claude/projects/gone/STATUS.md:2";
    assert_eq!(
        checked(&item(
            "project-wedding.md",
            "Completed",
            gone,
            "status: completed"
        ))
        .0,
        Verdict::Outdated
    );
}

#[test]
fn a_line_proves_what_it_says_of_the_entry() {
    let wedding = ".local.claude/projects/wedding/STATUS.md:2";
    for (entry, verdict, at, quote, proven) in [
        (
            "project-wedding.md",
            "Completed",
            wedding,
            "status: completed",
            true,
        ),
        // Half of a line, another project, the entry's title, another entry.
        ("project-wedding.md", "Completed", wedding, "status", false),
        (
            "project-wedding.md",
            "Completed",
            ".local.claude/projects/opening/STATUS.md:2",
            "status: completed",
            false,
        ),
        (
            "project-wedding.md",
            "Completed",
            "memory/project-wedding.md:3",
            "Wedding cakes",
            false,
        ),
        (
            "project-wedding.md",
            "Completed",
            "memory/reference-key.md:7",
            "Key at Mira.",
            false,
        ),
        (
            "project-leak.md",
            "Resolved",
            "docs/log.md:1",
            "The leak in the roof was repaired on 2026-09-01.",
            true,
        ),
        (
            "project-leak.md",
            "Resolved",
            "docs/log.md:2",
            "The till was repaired on 2026-09-02.",
            false,
        ),
        (
            "reference-key.md",
            "Resolved",
            "memory/reference-key.md:7",
            "Key at Mira.",
            false,
        ),
        (
            "reference-key.md",
            "Resolved",
            "CLAUDE.md:1",
            "Prices in whole cents",
            false,
        ),
        (
            "feedback-grams.md",
            "Promoted",
            "CLAUDE.md:3",
            "Write recipes in grams.",
            true,
        ),
        (
            "feedback-grams.md",
            "Promoted",
            "CLAUDE.md:1",
            "Prices in whole cents",
            false,
        ),
        (
            "reference-key.md",
            "Promoted",
            "CLAUDE.md:3",
            "Write recipes in grams.",
            false,
        ),
        (
            "user-baker.md",
            "Outdated",
            "CLAUDE.md:4",
            "The baker lives in Linz.",
            true,
        ),
        (
            "user-baker.md",
            "Outdated",
            "CLAUDE.md:1",
            "Prices in whole cents",
            false,
        ),
    ] {
        let (found, why) = checked(&item(entry, verdict, at, quote));
        let wanted = if proven {
            Verdict::of(verdict).unwrap()
        } else {
            Verdict::Stale
        };
        assert_eq!(found, wanted, "{entry} {verdict} {at} {quote}: {why:?}");
    }
}

#[test]
fn a_duplicate_needs_a_line_of_the_entry_that_stays() {
    let merge = |target: &str, quote: &str| {
        item(
            "reference-printer-a.md",
            "Duplicate",
            quote,
            "The printer stands in room 204",
        ) + &format!("    target: {target}\n")
    };
    let stays = "memory/reference-printer-b.md:7";
    assert_eq!(
        checked(&merge("reference-printer-b.md", stays)).0,
        Verdict::Duplicate
    );
    let (verdict, found) = checked(&merge("reference-key.md", stays));
    assert_eq!(
        (verdict, found[0].0),
        (Verdict::Stale, Cause::WrongEvidence)
    );
}

#[test]
fn a_merge_names_what_the_entry_that_stays_does_not_say() {
    let merge = item(
        "reference-printer-b.md",
        "Duplicate",
        "memory/reference-printer-a.md:7",
        "The printer stands in room 204",
    ) + "    target: reference-printer-a.md\n";
    let (verdict, found) = checked(&merge);
    assert_eq!(verdict, Verdict::Duplicate);
    assert!(
        found
            .iter()
            .any(|(kind, text)| *kind == Cause::Note && text.contains("Olga")),
        "{found:?}"
    );
    let taken = format!(
        "{merge}    append: \"The printer stands in room 204, paper rolls of 57 mm. Toner is changed by Olga.\"\n"
    );
    let (_, found) = checked(&taken);
    assert!(
        found.iter().all(|(_, text)| !text.contains("Olga")),
        "{found:?}"
    );
}
