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
use std::fs::{self, File};
use std::time::{Duration, SystemTime};

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
    let entries = ENTRIES.map(|(file, kind, description, body)| {
        let name = file.trim_end_matches(".md");
        let text =
            format!("---\nname: {name}\ndescription: {description}\ntype: {kind}\n---\n\n{body}\n");
        (file, text, "2026-11-20")
    });
    checked_in(&entries, &FILES, item)
}

/// The same with entries, each with its last day, and files of the project.
fn checked_in(
    entries: &[(&str, String, &str)],
    files: &[(&str, &str)],
    item: &str,
) -> (Verdict, Vec<(Cause, String)>) {
    let place = tempfile::tempdir().unwrap();
    let (project, folder) = (place.path().join("p"), place.path().join("m"));
    for (path, text) in files {
        let path = project.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    fs::create_dir_all(&folder).unwrap();
    for (file, text, day) in entries {
        let path = folder.join(file);
        fs::write(&path, text).unwrap();
        let day: chrono::NaiveDate = day.parse().unwrap();
        let noon = day.and_hms_opt(12, 0, 0).unwrap().and_utc().timestamp();
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(noon.unsigned_abs());
        let opened = File::options().write(true).open(path).unwrap();
        opened.set_modified(time).unwrap();
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
    assert_eq!(verdict, Verdict::Duplicate, "{found:?}");
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

/// Feedback, a line of a CLAUDE.md that is quoted for it, and whether that took it over.
const TAKEN: &str = include_str!("cases/quoted-rules.txt");

#[test]
fn a_rule_that_is_quoted_must_say_it() {
    let mut wrong = Vec::new();
    for line in TAKEN.lines().filter(|line| !line.is_empty()) {
        let mut parts = line.split(" | ");
        let (sign, description, body, rule) = (
            parts.next().unwrap(),
            parts.next().unwrap(),
            parts.next().unwrap(),
            parts.next().unwrap(),
        );
        let entry = format!(
            "---\nname: feedback-x\ndescription: {description}\ntype: feedback\n---\n\n{body}\n"
        );
        let file = format!("# Rules\n\n- Branches are named after tickets.\n- {rule}\n");
        let plan = item(
            "feedback-x.md",
            "Promoted",
            "CLAUDE.md:4",
            &rule.replace('"', "\\\""),
        );
        let (verdict, found) = checked_in(
            &[("feedback-x.md", entry, "2026-06-01")],
            &[("CLAUDE.md", &file)],
            &plan,
        );
        let proven = verdict == Verdict::Promoted;
        if proven != (sign == "+") {
            wrong.push(format!("{line}: {verdict:?} {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An entry, a later one with a line that is quoted, and whether that resolves it, in these words.
#[test]
fn what_came_on_a_day_that_is_past_resolves_and_nothing_else_does() {
    let rows = [
        (
            "We wait for the laboratory's key.",
            "The laboratory sent its key on 2026-08-20.",
            true,
        ),
        (
            "We wait for the laboratory's key.",
            "The laboratory's key arrived on 2026-08-20; we no longer wait.",
            true,
        ),
        (
            "We wait for the laboratory's key.",
            "The laboratory has not sent its key yet.",
            false,
        ),
        (
            "We wait for the laboratory's key.",
            "The laboratory will send its key in December.",
            false,
        ),
        (
            "We wait for the laboratory's key.",
            "The clinic sent its key on 2026-08-20.",
            false,
        ),
        (
            "We wait for the laboratory's key.",
            "Did the laboratory send its key on 2026-08-20?",
            false,
        ),
        (
            "We wait for the laboratory's key.",
            "The laboratory moved on 2026-08-20.",
            false,
        ),
        (
            "실험실 키를 기다리고 있다.",
            "실험실 키가 2026-08-20에 도착했다.",
            true,
        ),
        (
            "실험실 키를 기다리고 있다.",
            "실험실 키가 2026-08-20에 왔을까?",
            false,
        ),
        (
            "Wir warten auf die Zange der Zimmerei.",
            "Die Zange der Zimmerei kam am 20.08.2026.",
            true,
        ),
        (
            "Wir warten auf die Zange der Zimmerei.",
            "Die Zange der Zimmerei kommt wohl im Dezember.",
            false,
        ),
        (
            "我们在等实验室的钥匙。",
            "实验室的钥匙已于 2026-08-20 送到。",
            true,
        ),
        (
            "The staging database is down since the upgrade.",
            "Since 2026-08-20 the production database is up again.",
            false,
        ),
        (
            "The staging database is down since the upgrade.",
            "Since 2026-08-20 the staging database is up again.",
            true,
        ),
    ];
    let mut wrong = Vec::new();
    for (before, after, proven) in rows {
        let entry = |name: &str, text: &str| {
            format!("---\nname: {name}\ndescription: Note\ntype: project\n---\n\n{text}\n")
        };
        let entries = [
            ("project-a.md", entry("a", before), "2026-05-01"),
            ("project-b.md", entry("b", after), "2026-09-01"),
        ];
        let plan = item("project-a.md", "Resolved", "memory/project-b.md:7", after);
        let (verdict, found) = checked_in(&entries, &[], &plan);
        if (verdict == Verdict::Resolved) != proven {
            wrong.push(format!("{before} {after}: {verdict:?} {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// An entry is merged only into one that says what it says.
#[test]
fn a_duplicate_is_said_by_the_entry_that_stays() {
    let rows = [
        (
            "The exporter is in the cellar, see the wiki.",
            "The vaccine fridge raises an alarm above 8 degrees.",
            false,
        ),
        (
            "The fridge raises an alarm above 8 degrees for ten minutes and calls the duty phone.",
            "The fridge raises an alarm above 8 degrees.",
            false,
        ),
        (
            "The fridge raises an alarm above 8 degrees.",
            "The fridge raises an alarm above 8 degrees for ten minutes and calls the duty phone.",
            true,
        ),
        (
            "The fridge raises an alarm above 8 degrees.",
            "We plan that the fridge raises an alarm above 8 degrees.",
            false,
        ),
        (
            "The fridge raises an alarm above 8 degrees.",
            "Does the fridge raise an alarm above 8 degrees?",
            false,
        ),
        (
            "The fridge raises an alarm above 8 degrees.",
            "The fridge raises no alarm above 8 degrees.",
            false,
        ),
        (
            "The lift in the east wing is checked every May.",
            "The lift in the west wing is checked every May.",
            false,
        ),
        (
            "Der Kühlschrank meldet sich über 8 Grad.",
            "The fridge raises an alarm above 8 degrees and calls the duty phone.",
            true,
        ),
        (
            "냉장고는 8도가 넘으면 경보를 울린다.",
            "The fridge raises an alarm above 8 degrees and calls the duty phone.",
            true,
        ),
        (
            "冰箱超过8度会报警。",
            "The fridge raises an alarm above 8 degrees and calls the duty phone.",
            true,
        ),
        (
            "배달차는 뒷마당에 세운다.",
            "The fridge raises an alarm above 8 degrees and calls the duty phone.",
            false,
        ),
        (
            "Das Boot liegt im Winter an Land.",
            "The fridge raises an alarm above 8 degrees and calls the duty phone.",
            false,
        ),
    ];
    let mut wrong = Vec::new();
    for (part, whole, proven) in rows {
        let entry = |name: &str, text: &str| {
            format!("---\nname: {name}\ndescription: Note\ntype: reference\n---\n\n{text}\n")
        };
        let entries = [
            ("reference-a.md", entry("a", part), "2026-05-01"),
            ("reference-b.md", entry("b", whole), "2026-05-01"),
        ];
        let plan = item(
            "reference-a.md",
            "Duplicate",
            "memory/reference-b.md:7",
            whole,
        ) + "    target: reference-b.md\n";
        let (verdict, found) = checked_in(&entries, &[], &plan);
        if (verdict == Verdict::Duplicate) != proven {
            wrong.push(format!("{part} {whole}: {verdict:?} {found:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
