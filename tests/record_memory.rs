//! The memory of a project's record: made by `init` as the hook makes it, read by code, changed line
//! by line, and given back by `undo`.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests make files, and a panic is how they fail"
)]

use mnemo_tests::tree::Tree;
use mnemo_tests::{Cmd, TestEnv};
use std::fs;

const ITEM: &str = "# g:001 Webhooks come twice\n\n- keywords: webhook, idempotency\n\nUnique insert of the event id.\n";
const LIST: &str = "# Gotchas\n\n| code | item | keywords | last conversation |\n|---|---|---|---|\n| g:001 | [Webhooks come twice](001-webhook-twice.md) | webhook, idempotency | 2026-09-02 |\n";
const INDEX: &str = "# MEMORY\n\n## Goal\n\nA shop.\n\n## Categories\n\n- [gotchas](memory/gotchas/index.md) `g:`\n\n## Keywords\n\n| keywords | item |\n|---|---|\n| webhook, idempotency | g:001 |\n\n## Notes\n\nkeep me\n";

fn bare() -> TestEnv {
    let mut env = TestEnv::bare("shop");
    env.now("2026-11-30T12:00:00");
    env.write(".mnemo-root", "");
    env
}

/// A record whose gotchas are a folder.
fn split() -> TestEnv {
    let env = bare();
    env.write("MEMORY.md", INDEX);
    env.write("memory/gotchas/001-webhook-twice.md", ITEM);
    env.write("memory/gotchas/index.md", LIST);
    env
}

fn memory(env: &TestEnv, args: &[&str]) -> Cmd {
    env.cmd("mnemo")
        .arg("memory")
        .args(args)
        .args(&["--store", "record"])
}

fn add(env: &TestEnv, more: &[&str]) -> Cmd {
    let args = [
        "add",
        "--name",
        "port-8080",
        "--description",
        "Port 8080 is taken",
    ];
    memory(env, &args).args(more)
}

fn text(env: &TestEnv, name: &str) -> String {
    fs::read_to_string(env.project().join(name)).unwrap()
}

fn undo(env: &TestEnv, before: &Tree) {
    env.mnemo(&["undo"]).ok();
    assert_eq!(&env.tree(), before);
}

#[test]
fn a_new_item_of_a_folder_changes_three_lines_and_nothing_else() {
    for crlf in [false, true] {
        let env = split();
        let end = if crlf { "\r\n" } else { "\n" };
        let of = |text: &str| text.replace('\n', end);
        for (name, text) in [("MEMORY.md", INDEX), ("memory/gotchas/index.md", LIST)] {
            env.write(name, of(text));
        }
        let before = env.tree();
        let asked = ["--category", "gotchas", "--keywords", "port, docker"];
        let dry = add(&env, &asked).arg("--dry-run").run().ok().out();
        assert!(dry.contains("+| port, docker | g:002 |"), "{dry}");
        assert_eq!(env.tree(), before);
        add(&env, &asked).run().ok();
        let row = "| webhook, idempotency | g:001 |\n";
        let new = INDEX.replace(row, &format!("{row}| port, docker | g:002 |\n"));
        assert_eq!(text(&env, "MEMORY.md"), of(&new));
        let new = format!(
            "{LIST}| g:002 | [Port 8080 is taken](002-port-8080.md) | port, docker | 2026-11-30 |\n"
        );
        assert_eq!(text(&env, "memory/gotchas/index.md"), of(&new));
        assert_eq!(
            text(&env, "memory/gotchas/002-port-8080.md"),
            "# g:002 Port 8080 is taken\n\n- keywords: port, docker\n\nPort 8080 is taken\n"
        );
        assert_eq!(text(&env, "memory/gotchas/001-webhook-twice.md"), ITEM);
        undo(&env, &before);
    }
}

#[test]
fn a_category_that_is_a_file_gets_a_heading() {
    let mut env = bare();
    env.set("MNEMO_LANGUAGE", "ko");
    env.mnemo(&["init"]).ok();
    env.write("conversations/2026-11-30-claude.md", "x\n");
    let scaffold = text(&env, "memory/gotchas.md");
    let index = text(&env, "MEMORY.md");
    let before = env.tree();
    let body = env.write("../note.md", "Stop the old container.\n");
    add(
        &env,
        &["--category", "gotchas", "--from", body.to_str().unwrap()],
    )
    .run()
    .ok();
    assert_eq!(
        text(&env, "memory/gotchas.md"),
        format!(
            "{scaffold}\n### port-8080\n`tags: port 8080`\n`date: 2026-11-30`\n`source: user`\n- conversations: [2026-11-30](../conversations/2026-11-30-claude.md)\n\n- Port 8080 is taken\n\nStop the old container.\n"
        )
    );
    let row = "| port 8080 | [g:001](memory/gotchas.md#port-8080) |\n";
    let changed = text(&env, "MEMORY.md");
    assert_eq!(changed.replacen(row, "", 1), index);
    let by_code = env.mnemo(&["show", "g:1"]).ok().out();
    assert!(by_code.contains("Stop the old container."), "{by_code}");
    memory(&env, &["show", "g:001"]).run().ok();
    env.mnemo(&["check", "--store", "record"]).ok();
    // The next number, also after the first is gone; an unknown one is no item.
    let added = env.tree();
    memory(&env, &["remove", "g:1", "--reason", "resolved"])
        .run()
        .ok();
    assert_eq!(text(&env, "memory/gotchas.md"), format!("{scaffold}\n"));
    assert_eq!(text(&env, "MEMORY.md"), index);
    let archived = text(&env, "memory/_archive/2026-11/port-8080.md");
    assert!(
        archived.contains("code: \"g:001\"") || archived.contains("code: g:001"),
        "{archived}"
    );
    let again = memory(
        &env,
        &[
            "add",
            "--category",
            "gotchas",
            "--name",
            "disk",
            "--description",
            "Disks fill on Sunday nights",
        ],
    );
    assert!(again.run().ok().out().contains("g:002"));
    env.mnemo(&["undo"]).ok();
    undo(&env, &added);
    undo(&env, &before);
    let _ = memory(&env, &["show", "g:1"]).run().code(3);
}

#[test]
fn update_and_remove_touch_the_item_and_what_speaks_of_it() {
    let env = split();
    let before = env.tree();
    memory(
        &env,
        &[
            "update",
            "g:1",
            "--description",
            "Webhooks come again",
            "--from",
            "-",
            "--append",
        ],
    )
    .stdin("Answer 200 at once.\n")
    .run()
    .ok();
    assert_eq!(
        text(&env, "memory/gotchas/001-webhook-twice.md"),
        ITEM.replace("come twice", "come again") + "\nAnswer 200 at once.\n"
    );
    assert_eq!(
        text(&env, "memory/gotchas/index.md"),
        LIST.replace("come twice", "come again")
    );
    assert_eq!(text(&env, "MEMORY.md"), INDEX);
    undo(&env, &before);
    memory(&env, &["update", "001-webhook-twice", "--from", "-"])
        .stdin("Other words.\n")
        .run()
        .ok();
    assert_eq!(
        text(&env, "memory/gotchas/001-webhook-twice.md"),
        ITEM.replace("Unique insert of the event id.", "Other words.")
    );
    undo(&env, &before);
    memory(&env, &["remove", "g:001", "--reason", "resolved"])
        .run()
        .ok();
    assert_eq!(
        text(&env, "MEMORY.md"),
        INDEX.replace("| webhook, idempotency | g:001 |\n", "")
    );
    assert!(text(&env, "memory/gotchas/index.md").ends_with("|---|---|---|---|\n"));
    assert!(text(&env, "memory/_archive/2026-11/001-webhook-twice.md").ends_with(ITEM));
    undo(&env, &before);
}

/// A private block that goes over several items: neither a part of it alone may be taken out.
#[test]
fn an_item_of_a_private_block_is_not_taken_out_alone() {
    let env = bare();
    env.write(
        "memory/gotchas.md",
        "# Gotchas\n\n### one\nopen <private>\n\n### two\nzebra\n</private>\n\n### three\nx <private>y</private>\n",
    );
    let before = env.tree();
    for item in ["g:1", "g:2"] {
        for how in [&["remove", item][..], &["remove", item, "--dry-run"]] {
            let refused = memory(&env, how).run().code(4);
            let said = format!("{}{}", refused.out(), refused.err());
            assert!(said.contains("could be read then"), "{how:?}: {said}");
            assert!(!said.contains("zebra"), "{how:?}: {said}");
            assert_eq!(env.tree(), before, "{how:?}");
        }
    }
    memory(&env, &["remove", "g:3"]).run().ok();
    assert_eq!(
        text(&env, "memory/gotchas.md"),
        "# Gotchas\n\n### one\nopen <private>\n\n### two\nzebra\n</private>\n\n"
    );
    undo(&env, &before);
}

#[test]
fn a_code_beside_others_goes_alone() {
    let env = split();
    env.write("MEMORY.md", INDEX.replace("g:001 |", "a:004, g:001, l:2 |"));
    memory(&env, &["remove", "g:1"]).run().ok();
    assert_eq!(
        text(&env, "MEMORY.md"),
        INDEX.replace("g:001 |", "a:004, l:2 |")
    );
}

#[test]
fn an_index_that_would_be_too_large_is_refused_and_names_what_to_move() {
    // Both are within the limits before.
    let notes = "- a line of notes\n".repeat(100 - INDEX.lines().count() + 1);
    let long = "x".repeat(5_110 - INDEX.len() + "keep me\n".len());
    for (filler, what) in [(notes, "101 of 100 lines"), (long, "of 5120 bytes")] {
        let env = split();
        env.write("MEMORY.md", INDEX.replace("keep me\n", &filler));
        let before = env.tree();
        let refused = add(&env, &["--category", "gotchas"]).run().code(4);
        let why = refused.err();
        assert!(
            why.contains(what) && why.contains("Notes") && why.contains("memory/gotchas"),
            "{why}"
        );
        let json = add(&env, &["--category", "gotchas", "--json"])
            .run()
            .code(4)
            .json();
        assert_eq!(json["error"]["kind"], "index-full");
        assert_eq!(env.tree(), before);
    }
}

#[test]
fn what_cannot_be_an_item_is_refused_and_changes_nothing() {
    let env = split();
    let before = env.tree();
    for args in [
        &["--category", "../x"][..],
        &["--category", "hooks"],
        &["--category", "archive"],
        &["--category", "결정"],
        &["--category", "gotchas", "--section", "x"],
        &["--category", "gotchas", "--keywords", "a|b"],
        &["--type", "decision"],
    ] {
        let _ = add(&env, args).run().code(4);
    }
    let _ = add(&env, &[]).run().code(2);
    let _ = memory(&env, &["show", "g:77"]).run().code(3);
    let _ = memory(&env, &["remove", "g:77"]).run().code(3);
    assert_eq!(env.tree(), before);
}

#[test]
fn a_category_is_no_secret() {
    let env = split();
    let before = env.tree();
    let token = format!("ghp_{}", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    let refused = add(&env, &["--category", &token]).run().code(4).err();
    assert!(
        refused.contains("secret") && !refused.contains(&token),
        "{refused}"
    );
    assert_eq!(env.tree(), before);
}

#[test]
fn types_find_their_category_and_a_new_one_its_line() {
    let env = split();
    add(&env, &["--type", "reference"]).run().ok();
    assert!(text(&env, "memory/tools/001-port-8080.md").starts_with("# t:001 Port"));
    let index = text(&env, "MEMORY.md");
    assert!(
        index.contains("`g:`\n- [tools](memory/tools/index.md) `t:`\n"),
        "{index}"
    );
    env.mnemo(&["check", "--store", "record"]).ok();
    let list = memory(&env, &["list", "--json"]).run().ok().json();
    assert_eq!(list["items"].as_array().unwrap().len(), 2);
    assert_eq!(list["items"][1]["code"], "t:001");
    let tokens = memory(&env, &["tokens", "--json"]).run().ok().json();
    assert_eq!(tokens["entries"].as_array().unwrap().len(), 2);
}

#[test]
fn init_makes_what_the_hook_makes_and_overwrites_nothing() {
    for language in ["ko", "en", "de", "zh"] {
        let mut env = bare();
        env.set("MNEMO_LANGUAGE", language);
        let empty = env.tree();
        let dry = env.mnemo(&["init", "--dry-run", "--json"]).ok().json();
        assert_eq!(env.tree(), empty);
        let made = env.mnemo(&["init", "--json"]).ok().json();
        assert_eq!(dry["scaffold"], made["scaffold"]);
        assert!(text(&env, "MEMORY.md").lines().count() <= 40);
        let mut hook = bare();
        hook.set("MNEMO_LANGUAGE", language);
        hook.hook("prompt-save", &hook.session().prompt("p", "x"))
            .silent();
        for file in made["scaffold"].as_array().unwrap() {
            let file = file.as_str().unwrap();
            assert_eq!(text(&env, file), text(&hook, file), "{language} {file}");
        }
        let all = env.tree();
        let again = env.mnemo(&["init", "--json"]).ok().json();
        assert_eq!(again["scaffold"].as_array().unwrap().len(), 0);
        assert_eq!(env.tree(), all);
        env.mnemo(&["check", "--store", "record"]).ok();
    }
    let env = bare();
    env.mnemo(&["init", "--no-scaffold"]).ok();
    assert_eq!(env.tree().names(), [".mnemo-root"]);
    env.configure("scaffold: false\n");
    env.mnemo(&["init"]).ok();
    assert_eq!(env.tree().names(), [".mnemo-root"]);
}

#[test]
fn init_lists_the_items_of_a_folder_that_has_no_list() {
    let env = split();
    fs::remove_file(env.project().join("memory/gotchas/index.md")).unwrap();
    env.write("memory/learned/observations.jsonl", "{}\n");
    env.write("memory/tools.md", "mine\n");
    let made = env.mnemo(&["init", "--json"]).ok().json();
    let made: Vec<&str> = made["scaffold"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| file.as_str().unwrap())
        .collect();
    assert_eq!(
        made,
        [
            "memory/architecture.md",
            "memory/patterns.md",
            "memory/learned.md",
            "memory/gotchas/index.md"
        ]
    );
    assert!(text(&env, "memory/gotchas/index.md").contains(
        "| g:001 | [Webhooks come twice](001-webhook-twice.md) | webhook, idempotency |"
    ));
    assert_eq!(text(&env, "memory/tools.md"), "mine\n");
    assert_eq!(text(&env, "MEMORY.md"), INDEX);
}

#[test]
fn init_that_is_refused_changes_nothing() {
    for (link, kind) in [(true, "link"), (false, "file")] {
        let env = bare();
        let outside = env.base().join("outside");
        fs::create_dir(&outside).unwrap();
        if link {
            std::os::unix::fs::symlink(&outside, env.project().join("memory")).unwrap();
        } else {
            env.write("memory", "mine");
        }
        let before = env.tree();
        let real = env.mnemo(&["init"]).code(4);
        assert_eq!(env.tree(), before, "{kind}: {real:?}");
        let dry = env.mnemo(&["init", "--dry-run"]).code(4);
        assert_eq!(dry.err(), real.err(), "{kind}");
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
        env.mnemo(&["init", "--no-scaffold"]).ok();
        assert!(env.project().join(".mnemo-root").exists());
    }
}

#[test]
fn init_leaves_git_as_it_was_and_says_how_to_undo_it() {
    let env = TestEnv::named("shop");
    let out = env.mnemo(&["init"]).ok().out();
    assert_eq!(env.git(&["status", "--porcelain"]).out(), "");
    assert!(out.contains(".git/info/exclude"), "{out}");
    let undo = env.mnemo(&["undo"]).ok().out();
    assert!(undo.contains("mnemo init"), "{undo}");
}

#[test]
fn init_of_the_home_says_what_that_means() {
    let env = TestEnv::bare("plain");
    let home = env.home();
    for args in [&["init", "--dry-run"][..], &["init"]] {
        let done = env.cmd("mnemo").args(args).cwd(&home).run().ok();
        assert!(done.err().contains("home directory"), "{done:?}");
    }
    let done = env.mnemo(&["init"]).ok();
    assert!(!done.err().contains("home directory"), "{done:?}");
}

// ---------------------------------------------------------------- what an item has not

#[test]
fn a_type_beside_a_category_is_said_not_to_be_kept() {
    let env = bare();
    let item = ["add", "--name", "wedding", "--description", "Cakes"];
    let both = ["--category", "learned", "--type", "project"];
    let done = memory(&env, &[&item[..], &both].concat()).run().ok();
    assert!(done.err().contains("`project` is not kept"), "{done:?}");
    let item = ["add", "--name", "oven", "--description", "Heats slowly"];
    let done = memory(&env, &[&item[..], &["--type", "reference"]].concat())
        .run()
        .ok();
    assert!(!done.err().contains("is not kept"), "{done:?}");
}

#[test]
fn a_new_keyword_index_links_and_is_in_the_persons_language() {
    let env = bare();
    let item = ["add", "--name", "p", "--description", "Port 8080 is taken"];
    memory(&env, &[&item[..], &["--category", "gotchas"]].concat())
        .env("MNEMO_LANGUAGE", "de")
        .run()
        .ok();
    let index = fs::read_to_string(env.project().join("MEMORY.md")).unwrap();
    assert!(index.starts_with("# Gedächtnis\n"), "{index}");
    assert!(
        index.contains("| p | [g:001](memory/gotchas/001-p.md) |"),
        "{index}"
    );
}

#[test]
fn categories_are_no_question_about_the_auto_memory() {
    let env = bare();
    env.write(
        "store/feedback_a.md",
        "---\nname: a\ndescription: a\ntype: feedback\n---\n\na\n",
    );
    let list = ["memory", "list", "--store", "store", "--category", "tools"];
    let done = env.mnemo(&list).code(2);
    assert!(done.err().contains("--store record"), "{done:?}");
    assert_eq!(done.out(), "");
}
