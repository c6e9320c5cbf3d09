//! `mnemo garden` on a project's record: items of categories with their codes, lists and rows.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests make files, and a panic is how they fail"
)]

use mnemo_tests::env::Done;
use mnemo_tests::tree::Tree;
use mnemo_tests::{Cmd, TestEnv};
use std::fs;

const INDEX: &str = "# MEMORY\n\n## Categories\n\n- [gotchas](memory/gotchas/index.md) `g:`\n- [label printer](memory/project_label-printer.md) — new driver\n- [tide tables](memory/project_tide-tables.md) — new feed\n\n## Keywords\n\n| keywords | item |\n|---|---|\n| webhook, idempotency | g:001 |\n| port, docker | g:002 |\n| both | g:001, g:002 |\n\n## Notes\n\nkeep me\n";
const LIST: &str = "# Gotchas\n\n| code | item | keywords | last conversation |\n|---|---|---|---|\n| g:001 | [Webhooks come twice](001-webhook-twice.md) | webhook | 2026-09-02 |\n| g:002 | [Port 8080 is taken](002-port-8080.md) | port | 2026-09-03 |\n";

/// A record with two items in a folder, a category of one file, and two entries beside them.
fn record() -> TestEnv {
    let mut env = TestEnv::bare("harbour");
    env.now("2026-11-30T12:00:00");
    env.write(".mnemo-root", "");
    env.write("MEMORY.md", INDEX);
    env.write("memory/gotchas/index.md", LIST);
    env.write(
        "memory/gotchas/001-webhook-twice.md",
        "# g:001 Webhooks come twice\n\n- keywords: webhook\n\nWebhooks come twice, blocked until #77 is merged.\n",
    );
    env.write(
        "memory/gotchas/002-port-8080.md",
        "# g:002 Port 8080 is taken\n\nPort 8080 is taken by the old container.\n",
    );
    env.write(
        "memory/learned.md",
        "# Learned\n\n### Feeds are slow on Mondays\n\n- Feeds are slow on Mondays.\n\n### Stations have two names\n\n- Stations have two names.\n",
    );
    for (name, what) in [
        ("label-printer", "The label printer gets a new driver"),
        ("tide-tables", "Tide tables move to the new feed"),
    ] {
        env.write(
            format!("memory/project_{name}.md"),
            format!("---\nname: project_{name}\ndescription: {what}\ntype: project\n---\n\n{what} by September.\n"),
        );
    }
    env.write(
        ".local.claude/projects/label-printer/STATUS.md",
        "# label-printer\nstatus: completed (2026-09-20)\n",
    );
    env.write(
        "CHANGELOG.md",
        "# Changelog\n\n- #77: webhooks are taken once, merged\n- port 8080: the old container is gone, solved\n",
    );
    env
}

fn garden(env: &TestEnv, args: &[&str]) -> Cmd {
    let cmd = env.cmd("mnemo").arg("garden").args(args);
    cmd.args(&["--store", "record"])
}

fn text(env: &TestEnv, name: &str) -> String {
    fs::read_to_string(env.project().join(name)).unwrap()
}

fn has(env: &TestEnv, name: &str) -> bool {
    env.project().join(name).exists()
}

/// What is the record's, without the plan that lies beside it and the garden's own notes.
fn tree(env: &TestEnv) -> Tree {
    env.tree()
        .without(&["plan.yaml", "memory/.mnemo-garden.jsonl"])
}

fn preview(env: &TestEnv) -> Done {
    garden(env, &["preview", "plan.yaml"]).run()
}

fn apply(env: &TestEnv, approve: &str) -> Done {
    garden(env, &["apply", "plan.yaml", "--approve", approve]).run()
}

fn own_plan(env: &TestEnv, items: &str) {
    let plan = format!(
        "version: 1\nstore: {}\ndate: 2026-11-30\nentries:\n{items}",
        env.project().display()
    );
    env.write("plan.yaml", plan);
}

#[test]
fn a_record_is_scanned_planned_tended_and_given_back() {
    let env = record();
    let before = tree(&env);
    let scan = garden(&env, &["scan", "--json"]).run().ok().json();
    let files: Vec<&str> = scan["entries"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| entry["file"].as_str().unwrap())
        .collect();
    assert_eq!(
        files,
        [
            "memory/gotchas/001-webhook-twice.md",
            "memory/gotchas/002-port-8080.md",
            "memory/learned.md",
            "memory/project_label-printer.md",
            "memory/project_tide-tables.md"
        ]
    );
    garden(&env, &["plan", "-o", "plan.yaml"]).run().ok();
    let plan = text(&env, "plan.yaml");
    assert!(plan.contains("verdict: Completed"), "{plan}");
    garden(&env, &["check", "plan.yaml"]).run().ok();
    let shown = preview(&env).ok().out();
    assert!(
        shown.contains("_archive/2026-11/project_label-printer.md"),
        "{shown}"
    );
    assert_eq!(tree(&env), before);
    apply(&env, "Completed").ok();
    let archived = text(&env, "memory/_archive/2026-11/project_label-printer.md");
    assert!(
        archived.contains("archive_reason: completed\n"),
        "{archived}"
    );
    let line = "- [label printer](memory/project_label-printer.md) — new driver\n";
    assert_eq!(text(&env, "MEMORY.md"), INDEX.replace(line, ""));
    assert_eq!(text(&env, "memory/gotchas/index.md"), LIST);
    garden(&env, &["finish"]).run();
    env.mnemo(&["undo"]).ok();
    assert_eq!(tree(&env), before);
}

#[test]
fn an_items_code_goes_with_it_from_rows_and_lists() {
    let env = record();
    let before = tree(&env);
    own_plan(
        &env,
        "  - id: 1\n    entry: memory/gotchas/001-webhook-twice.md\n    verdict: Resolved\n    confidence: High\n    action: delete\n    evidence:\n      - at: CHANGELOG.md:3\n        quote: \"#77: webhooks are taken once, merged\"\n",
    );
    let shown = preview(&env).ok().out();
    assert!(
        shown.contains("-| g:001 | [Webhooks come twice]"),
        "{shown}"
    );
    apply(&env, "1").ok();
    assert!(!has(&env, "memory/gotchas/001-webhook-twice.md"));
    let rows = INDEX
        .replace("| webhook, idempotency | g:001 |\n", "")
        .replace("g:001, g:002", "g:002");
    assert_eq!(text(&env, "MEMORY.md"), rows);
    let row = LIST.lines().find(|line| line.contains("g:001")).unwrap();
    assert_eq!(
        text(&env, "memory/gotchas/index.md"),
        LIST.replace(&format!("{row}\n"), "")
    );
    let check = env.mnemo(&["check", "--store", "record", "--json"]).json();
    let broken = check["findings"].to_string();
    assert!(!broken.contains("g:001"), "no code leads nowhere: {broken}");
    env.mnemo(&["undo"]).ok();
    assert_eq!(tree(&env), before);
}

#[test]
fn both_codes_of_one_row_go_at_once() {
    let env = record();
    let before = tree(&env);
    let item = |id: u32, file: &str, at: &str, quote: &str| {
        format!(
            "  - id: {id}\n    entry: memory/gotchas/{file}\n    verdict: Resolved\n    confidence: High\n    evidence:\n      - at: CHANGELOG.md:{at}\n        quote: \"{quote}\"\n"
        )
    };
    own_plan(
        &env,
        &(item(
            1,
            "001-webhook-twice.md",
            "3",
            "webhooks are taken once, merged",
        ) + &item(
            2,
            "002-port-8080.md",
            "4",
            "port 8080: the old container is gone, solved",
        )),
    );
    preview(&env).ok();
    apply(&env, "all").ok();
    let index = text(&env, "MEMORY.md");
    assert!(!index.contains("g:00"), "{index}");
    assert!(index.contains("## Notes\n\nkeep me\n") && index.contains("|---|---|\n"));
    env.mnemo(&["undo"]).ok();
    assert_eq!(tree(&env), before);
}

#[test]
fn a_file_of_several_items_is_never_removed_as_a_whole() {
    let env = record();
    let before = tree(&env);
    own_plan(
        &env,
        "  - id: 1\n    entry: memory/learned.md\n    verdict: Resolved\n    confidence: High\n    evidence:\n      - at: CHANGELOG.md:3\n        quote: webhooks are taken once, merged\n",
    );
    let said = garden(&env, &["check", "plan.yaml"]).run().code(1).out();
    assert!(said.contains("several items"), "{said}");
    preview(&env).ok();
    apply(&env, "all").ok();
    assert_eq!(tree(&env), before);
}

#[test]
fn a_plan_is_applied_part_by_part() {
    let env = record();
    let before = tree(&env);
    let item = |id: u32, file: &str, proof: &str, verdict: &str| {
        format!(
            "  - id: {id}\n    entry: memory/{file}\n    verdict: {verdict}\n    confidence: High\n    evidence:\n{proof}"
        )
    };
    own_plan(
        &env,
        &(item(
            1,
            "project_label-printer.md",
            "      - at: .local.claude/projects/label-printer/STATUS.md:2\n        quote: completed (2026-09-20)\n",
            "Completed",
        ) + &item(
            2,
            "gotchas/001-webhook-twice.md",
            "      - at: CHANGELOG.md:3\n        quote: webhooks are taken once, merged\n",
            "Resolved",
        )),
    );
    preview(&env).ok();
    let said = apply(&env, "1").ok().out();
    assert!(
        said.contains("left in the plan: 2") && said.contains("mnemo garden preview plan.yaml"),
        "{said}"
    );
    // What was previewed is not what is there now.
    let refused = apply(&env, "2").code(4).err();
    assert!(refused.contains("mnemo garden preview"), "{refused}");
    let shown = preview(&env).ok().out();
    assert!(!shown.contains("archive "), "what is done is done: {shown}");
    apply(&env, "2").ok();
    assert!(!has(&env, "memory/gotchas/001-webhook-twice.md"));
    env.mnemo(&["undo"]).ok();
    env.mnemo(&["undo"]).ok();
    assert_eq!(tree(&env), before);
}
