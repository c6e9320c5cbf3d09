//! What mends: files compared byte by byte, kills, and records of the older shell hooks. The doctor's
//! checks one by one: `doctor.rs`.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::too_many_lines,
    clippy::semicolon_if_nothing_returned,
    reason = "tests: a panic is how they fail, and they write files as users do"
)]

use mnemo_tests::TestEnv;
use mnemo_tests::tree::Tree;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn healthy() -> TestEnv {
    TestEnv::healthy()
}

fn doctor(env: &TestEnv, more: &[&str]) -> Value {
    let mut args = vec!["doctor", "--json"];
    args.extend(more);
    env.mnemo(&args).json()
}

fn row<'a>(report: &'a Value, check: &str) -> &'a Value {
    report["checks"]
        .as_array()
        .unwrap()
        .iter()
        .find(|row| row["check"] == check)
        .unwrap_or_else(|| panic!("no check {check}"))
}

fn level(env: &TestEnv, check: &str, more: &[&str]) -> String {
    row(&doctor(env, more), check)["level"]
        .as_str()
        .unwrap()
        .to_owned()
}

/// A line as the older shell hooks wrote it: jq's compact form; `output` is escaped already.
fn failure(tool: &str, output: &str) -> String {
    format!(
        "{{\"timestamp\":\"2026-11-29T01:00:00Z\",\"event\":\"tool_error\",\"tool\":\"{tool}\",\"input\":\"{{\\\"command\\\":\\\"make\\\"}}\",\"output\":\"{output}\",\"session\":\"s\"}}\n"
    )
}

/// A record as the older shell hooks left it.
fn original() -> TestEnv {
    let env = healthy();
    let root = env.project().display().to_string();
    env.write(
        "conversations/2026-11-20-claude.md",
        "---\ndate: 2026-11-20\nproject: proj\nkeywords: []\nsummary: \"\"\n---\n\n# 2026-11-20\n\n\n## [10:00] User\n\nhello\n\n\n## [10:00:12] Assistant\n\nhi\n",
    );
    env.write(
        "conversations/2026-11-20-toollog.md",
        format!("---\ndate: 2026-11-20\ntype: tool-log\n---\n\n# Tool Usage Log - 2026-11-20\n\n- `[10:00:05]` **Edit** {root}/src/store.rs\n- `[10:00:06]` **Bash** cat {root}/src/store.rs\n"),
    );
    let lines = [
        failure("Bash", "make: *** [all] Error 2"),
        failure(
            "Bash",
            "{\\n  \\\"stdout\\\": \\\"0 errors\\\",\\n  \\\"is_error\\\": false\\n}",
        ),
        failure("Bash", "0 errors, 0 failed"),
        failure("Write", "File created successfully at: /x/error.rs"),
    ];
    env.write("memory/gotchas/observations.jsonl", lines.concat());
    env.write(
        "memory/learned/observations.jsonl",
        "{\"timestamp\":\"2026-11-19T01:00:00Z\",\"event\":\"tool_success\",\"tool\":\"Edit\",\"input\":\"{}\",\"output\":\"ok\",\"session\":\"s\"}\n",
    );
    env.write("memory/.mnemo-distill-offset", "2 1 1700000000\n");
    env
}

#[test]
fn a_record_of_the_shell_hooks_is_read_and_nothing_is_mended_unasked() {
    let env = original();
    let before = env.tree();
    let report = doctor(&env, &["--deep"]);
    assert_eq!(env.tree(), before);
    let misfiled = row(&report, "misfiled-observations");
    let lines: Vec<u64> = misfiled["evidence"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["line"].as_u64().unwrap())
        .collect();
    assert_eq!(lines, [2, 4], "{misfiled:#}");
    assert_eq!(level(&env, "absolute-paths", &[]), "WARN");
    assert_eq!(level(&env, "observations", &[]), "OK");
}

#[test]
fn reclassify_keeps_every_other_byte_and_the_offset_right() {
    let env = original();
    let before = env.tree();
    env.mnemo(&["reclassify"]).ok();
    assert_eq!(env.tree(), before);
    let text = |name: &str| fs::read_to_string(env.project().join(name)).unwrap();
    let gotchas = text("memory/gotchas/observations.jsonl");
    let old: Vec<&str> = gotchas.split_inclusive('\n').collect();
    let learned = text("memory/learned/observations.jsonl");
    env.mnemo(&["reclassify", "--apply"]).ok();
    assert_eq!(
        text("memory/gotchas/observations.jsonl"),
        [old[0], old[2]].concat()
    );
    let moved = |line: &str| {
        line.replace(
            "\"event\":\"tool_error\"",
            "\"event\":\"tool_success\",\"reclassified_from\":\"tool_error\"",
        )
    };
    // The second line was distilled, the fourth was not.
    assert_eq!(
        text("memory/learned/observations.jsonl"),
        [learned, moved(old[1]), moved(old[3])].concat()
    );
    assert_eq!(text("memory/.mnemo-distill-offset"), "1 2 1700000000\n");
    let left = env.mnemo(&["distill", "--json"]).json();
    assert_eq!(left["new_failures"], 1);
    assert_eq!(left["new_successes"], 1);
    assert_eq!(
        env.mnemo(&["reclassify", "--json"]).json()["lines"],
        json!([])
    );
    env.mnemo(&["undo"]).ok();
    assert_eq!(env.tree(), before);
}

/// What the hook moved to the archive before it was distilled is not lost to distilling.
#[test]
fn distill_reads_on_where_a_log_was_moved_away() {
    let env = healthy();
    let line = |text: &str| {
        let one = json!({"timestamp": "2026-11-29T01:00:00Z", "event": "tool_error", "tool": "Bash",
            "input": text, "output": format!("error: {text} broke"), "session": "s"});
        format!("{one}\n")
    };
    let archive = "memory/gotchas/archive/observations-2026112";
    env.write(
        format!("{archive}8-010000.jsonl"),
        line("one") + &line("two"),
    );
    env.write(
        format!("{archive}9-010000.jsonl"),
        line("three") + &line("four"),
    );
    env.write("memory/gotchas/observations.jsonl", line("five"));
    env.write("memory/.mnemo-distill-offset", "-3 0 0\n");
    let found = env.mnemo(&["distill", "--json"]).json();
    assert_eq!(found["new_failures"], 4, "{found:#}");
    let said = found.to_string();
    assert!(!said.contains("error: one"), "{said}");
    for word in ["two", "three", "four", "five"] {
        assert!(said.contains(&format!("error: {word}")), "{said}");
    }
    env.mnemo(&["distill", "--done"]).ok();
    let found = env.mnemo(&["distill", "--json"]).json();
    assert_eq!(found["new_failures"], 0, "{found:#}");
}

#[test]
fn distill_groups_counts_and_moves_on() {
    let env = healthy();
    let lines = [
        failure("Bash", "x.c:12: error: no member a1"),
        failure("Bash", "x.c:99: error: no member a1"),
        failure("Bash", "killed"),
    ];
    env.write("memory/gotchas/observations.jsonl", lines.concat());
    let found = env.mnemo(&["distill", "--json"]).json();
    let counts: Vec<u64> = found["groups"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|group| group["failed"] == true)
        .map(|group| group["count"].as_u64().unwrap())
        .collect();
    assert_eq!(counts.iter().sum::<u64>(), 3);
    assert!(counts[0] >= counts[counts.len() - 1]);
    let before = env.tree();
    env.mnemo(&["distill", "--done"]).ok();
    assert_eq!(
        env.mnemo(&["distill", "--json"]).json()["groups"],
        json!([])
    );
    env.mnemo(&["undo"]).ok();
    assert_eq!(env.tree(), before);
}

/// A file with everything that a split has to keep.
const GOTCHAS: &str = "# Gotchas\r\n\r\n> kept\r\n\r\n## Net\r\n\r\nnote, see [tools](tools.md)\r\n\r\n### Port 8080\r\n- date: 2026-11-01\r\n- tags: net\r\n\r\nTaken. See [cache](#cache).\r\n\r\n```\r\n### not an entry\r\n```\r\n\r\n### Cache\r\n\r\nClear it.";

fn to_split() -> TestEnv {
    let env = healthy();
    env.write("memory/gotchas.md", GOTCHAS);
    env.write(
        "MEMORY.md",
        "# M\n- [tools](memory/tools.md)\n- [gotchas](memory/gotchas.md), [port](memory/gotchas.md#port-8080)\n",
    );
    env.write(
        "memory/tools.md",
        "# Tools\n[[gotchas]] and [c](gotchas.md#cache)\n",
    );
    env
}

#[test]
fn split_keeps_the_bodies_and_every_link_leads_on() {
    let env = to_split();
    fs::remove_file(env.project().join("memory/gotchas/observations.jsonl")).ok();
    let before = env.tree();
    env.mnemo(&["split", "memory/gotchas.md"]).ok();
    assert_eq!(env.tree(), before);
    env.mnemo(&["split", "memory/gotchas.md", "--apply"]).ok();
    let text = |name: &str| fs::read_to_string(env.project().join(name)).unwrap();
    assert!(!env.project().join("memory/gotchas.md").exists());
    let start = GOTCHAS.find("### Port").unwrap();
    let end = GOTCHAS.find("### Cache").unwrap();
    assert_eq!(
        text("memory/gotchas/001-port-8080.md"),
        GOTCHAS[start..end].replace("#cache", "002-cache.md")
    );
    assert_eq!(text("memory/gotchas/002-cache.md"), GOTCHAS[end..]);
    let index = text("memory/gotchas/index.md");
    assert!(
        index.contains("note, see [tools](../tools.md)\r\n"),
        "{index}"
    );
    assert!(
        index.contains(
            "# Gotchas\r\n\r\n> kept\r\n\r\n| code | item | keywords | date | section |\r\n|---|---|---|---|---|\r\n| g:001 | [Port 8080](001-port-8080.md) | net | 2026-11-01 | Net |\r\n"
        ),
        "{index}"
    );
    assert_eq!(
        text("MEMORY.md"),
        "# M\n- [tools](memory/tools.md)\n- [gotchas](memory/gotchas/index.md), [port](memory/gotchas/001-port-8080.md)\n"
    );
    assert_eq!(
        text("memory/tools.md"),
        "# Tools\n[[gotchas]] and [c](gotchas/002-cache.md)\n"
    );
    let report = doctor(&env, &[]);
    // The index of this test names two files only: others are reached by no link.
    let links = row(&report, "links");
    assert!(!links.to_string().contains("gotchas"), "{links:#}");
    env.mnemo(&["undo"]).ok();
    assert_eq!(env.tree(), before);
}

/// The list says the codes by which MEMORY.md and `show` know the items.
#[test]
fn split_lists_the_codes_of_the_items() {
    let env = TestEnv::bare("loose");
    env.mnemo(&["init"]).ok();
    for name in ["a", "b", "c"] {
        let args = ["--category", "tools", "--name", name, "--description", name];
        let add = ["memory", "add", "--store", "record", "--force"];
        env.mnemo(&[&add[..], &args].concat()).ok();
    }
    env.mnemo(&[
        "memory", "remove", "t:1", "--store", "record", "--reason", "resolved",
    ])
    .ok();
    env.mnemo(&["split", "memory/tools.md", "--apply"]).ok();
    let list = fs::read_to_string(env.project().join("memory/tools/index.md")).unwrap();
    assert!(list.contains("| t:002 | [b](001-b.md) | b |"), "{list}");
    assert!(list.contains("| t:003 | [c](002-c.md) | c |"), "{list}");
    assert!(!list.contains("section"), "{list}");
    let shown = env.mnemo(&["show", "t:3"]).ok().out();
    assert!(shown.contains("memory/tools/002-c.md"), "{shown}");
    let add = ["memory", "add", "--store", "record", "--category", "tools"];
    env.mnemo(&[&add[..], &["--name", "d", "--description", "d"]].concat())
        .ok();
    let list = fs::read_to_string(env.project().join("memory/tools/index.md")).unwrap();
    assert!(list.contains("| t:004 | [d](004-d.md) | d |"), "{list}");
}

#[test]
fn split_refuses_what_could_lose_something() {
    let env = to_split();
    env.write("memory/gotchas/mine.md", "x");
    let before = env.tree();
    for (file, code) in [
        ("memory/gotchas.md", 4),
        ("memory/tools.md", 4),
        ("MEMORY.md", 4),
        ("memory/none.md", 3),
    ] {
        env.mnemo(&["split", file, "--apply"]).code(code);
    }
    assert_eq!(env.tree(), before);
}

#[test]
fn fix_does_its_three_things_and_nothing_else() {
    let env = original();
    env.write("memory/.mnemo-distill-offset", "20 1 1700000000\n");
    env.write(
        "memory/gotchas/001-old-port.md",
        "# Old\n\n- superseded-by: #new-port\n- supersedes: #nobody\n",
    );
    env.write("memory/gotchas/002-new-port.md", "# New\n");
    let before = env.tree();
    env.mnemo(&["doctor", "--fix", "--dry-run"]).ok();
    assert_eq!(env.tree(), before);
    env.mnemo(&["doctor", "--fix"]).ok();
    let text = |name: &str| fs::read_to_string(env.project().join(name)).unwrap();
    assert!(text("memory/.mnemo-distill-offset").starts_with("4 1 "));
    assert_eq!(
        text("memory/gotchas/001-old-port.md"),
        "# Old\n\n- superseded-by: [[002-new-port]]\n- supersedes: #nobody\n"
    );
    let log = text("conversations/2026-11-20-toollog.md");
    assert!(log.contains("**Edit** src/store.rs\n"), "{log}");
    // A command's words stay as they were typed.
    assert!(
        log.contains(&format!("cat {}/src", env.project().display())),
        "{log}"
    );
    env.mnemo(&["doctor", "--fix"]).ok();
    env.mnemo(&["undo"]).ok();
    assert_eq!(env.tree(), before);
}

#[test]
fn fix_leaves_alone_what_it_cannot_tell() {
    let env = original();
    let root = env.project().display().to_string();
    env.write("memory/.mnemo-distill-offset", "abc\n");
    env.write(
        "memory/gotchas/001-old-port.md",
        "# Old\n\n```\nsupersedes: #new-port\n```\n\nsupersedes: #twin\n",
    );
    env.write("memory/gotchas/002-new-port.md", "# New\n");
    env.write("memory/gotchas/004-twin.md", "# Twin\n");
    env.write("memory/gotchas/005-twin.md", "# Twin\n");
    env.write(
        "conversations/2026-11-20-toollog.md",
        format!("# Tool Usage Log\n\n- `[10:00:05]` **Edit** {root}/src/../../evil.rs\n"),
    );
    env.write(
        "memory/patterns/001-a.md",
        "# A\n\nsuperseded-by: 099\nsupersedes: p:098\n",
    );
    let before = env.tree();
    let found = doctor(&env, &[]);
    assert_eq!(row(&found, "observations")["level"], "FAIL");
    let twin = &row(&found, "lifecycle-links")["evidence"];
    let told: Vec<&str> = twin
        .as_array()
        .unwrap()
        .iter()
        .map(|one| one["what"].as_str().unwrap())
        .collect();
    assert_eq!(
        told,
        [
            "#twin could be 004-twin or 005-twin",
            "099 leads nowhere",
            "p:098 leads nowhere"
        ]
    );
    env.mnemo(&["doctor", "--fix"]).ok();
    assert_eq!(env.tree(), before);
    // Nobody distilled them: they are still shown.
    assert_eq!(env.mnemo(&["distill", "--json"]).json()["new_failures"], 4);
    env.write("memory/.mnemo-distill-offset", "99 99 0\n");
    let said = env.mnemo(&["distill"]).ok().out();
    assert!(said.contains("mnemo doctor --fix"), "{said}");
}

#[test]
fn logs_that_no_hook_moved_away_are_read() {
    let env = healthy();
    let output = "error x ".repeat(300);
    let log =
        failure("Bash", &output).repeat(28_000) + &failure("Bash", "{\\\"is_error\\\":false}");
    assert!(log.len() > 64 << 20);
    env.write("memory/gotchas/observations.jsonl", &log);
    assert_eq!(
        env.mnemo(&["distill", "--json"]).json()["new_failures"],
        28_001
    );
    assert_eq!(level(&env, "misfiled-observations", &[]), "WARN");
    env.mnemo(&["reclassify", "--apply"]).ok();
    assert_eq!(level(&env, "misfiled-observations", &[]), "OK");
    env.mnemo(&["undo"]).ok();
    let back = fs::read(env.project().join("memory/gotchas/observations.jsonl")).unwrap();
    assert!(back == log.as_bytes());
}

#[test]
fn what_changes_a_memory_makes_no_folder_for_conversations() {
    let env = TestEnv::named("bare");
    env.write(
        "memory/gotchas.md",
        "# G\n\n## One\n\na\n\n## Two\n\nb\n\n## Two\n\nc\n",
    );
    env.write(
        "MEMORY.md",
        "- [memory/gotchas.md](memory/gotchas.md)\n- [a](memory/gotchas.md#two), [b](memory/gotchas.md#two-1)\n",
    );
    env.mnemo(&["split", "memory/gotchas.md", "--apply"]).ok();
    assert!(!env.project().join("conversations").exists());
    // A link that shows its path shows the new one.
    assert_eq!(
        fs::read_to_string(env.project().join("MEMORY.md")).unwrap(),
        "- [memory/gotchas/index.md](memory/gotchas/index.md)\n- [a](memory/gotchas/002-two.md), [b](memory/gotchas/003-two.md)\n"
    );
}

/// What the anchors of a text came to: `text` and status.
fn anchors(env: &TestEnv, text: &str) -> Vec<(String, String)> {
    env.write("notes.md", text);
    let report = env.mnemo(&["anchors", "notes.md", "--json"]).json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    report["anchors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (text(&one["text"]), text(&one["status"])))
        .collect()
}

fn places(env: &TestEnv) {
    env.write("src/laser/align.py", "a = 1\n".repeat(50));
    env.write("docs/Lab Notes/oven log.md", "# Log\n");
}

#[test]
fn anchors_know_how_people_write_places() {
    let env = TestEnv::new();
    places(&env);
    for (line, text, status) in [
        (
            "`src/laser/align.py:1-3`",
            "src/laser/align.py:1-3",
            "exists",
        ),
        ("`src/laser/align.py#L1`", "src/laser/align.py#L1", "exists"),
        (
            "`src/laser/align.py#L1-L3`",
            "src/laser/align.py#L1-L3",
            "exists",
        ),
        (
            "`src/laser/align.py:1:4`",
            "src/laser/align.py:1:4",
            "exists",
        ),
        ("`src/laser/align.py:60`", "src/laser/align.py:60", "gone"),
        (
            "The log is `docs/Lab Notes/oven log.md`.",
            "docs/Lab Notes/oven log.md",
            "exists",
        ),
        (
            "配置在src/laser/align.py里。",
            "src/laser/align.py",
            "exists",
        ),
        (
            "对准代码见src/laser/align.py。",
            "src/laser/align.py",
            "exists",
        ),
        (
            "旧文件src/laser/old_align.py",
            "src/laser/old_align.py",
            "gone",
        ),
        (
            "die src/laser/align.py-Datei",
            "src/laser/align.py-Datei",
            "exists",
        ),
        (
            "Do not create `utils.py`; put helpers where they are used.",
            "utils.py",
            "not-a-path",
        ),
        (
            "keine Datei `helpers.ts` anlegen",
            "helpers.ts",
            "not-a-path",
        ),
        (
            "`common.py` 같은 파일을 만들지 말 것.",
            "common.py",
            "not-a-path",
        ),
        ("不要创建 `utils.py`。", "utils.py", "not-a-path"),
        (
            "We will put the glaze code into `src/oven/glaze.py` next month.",
            "src/oven/glaze.py",
            "not-a-path",
        ),
    ] {
        let found = anchors(&env, line);
        assert_eq!(found, [(text.to_owned(), status.to_owned())], "{line}");
    }
    let said = env.mnemo(&["anchors", "notes.md"]);
    env.write("notes.md", "`src/laser/align.py:60`\n");
    let beyond = env.mnemo(&["anchors", "notes.md"]).code(1).out();
    assert!(beyond.contains("only 50 lines"), "{said:?} {beyond}");
}

#[test]
fn anchors_take_paths_from_the_root() {
    let env = TestEnv::new();
    places(&env);
    env.write("memory/tools.md", "see `gone/x.rs`\n");
    env.cmd("mnemo")
        .args(&["anchors", "memory/tools.md"])
        .cwd(env.project().join("src"))
        .run()
        .code(1);
}

#[test]
fn very_long_lines_cost_no_more_than_their_length() {
    let env = TestEnv::new();
    places(&env);
    let ticks = "`".repeat(200_000);
    let brackets = format!("{}x]", "[".repeat(200_000));
    let paths = "`src/laser/gone_file.py` and src/laser/align.py, ".repeat(20_000);
    let found = anchors(&env, &format!("{ticks}\n{brackets}\n{paths}\n"));
    assert_eq!(
        found,
        [
            ("src/laser/gone_file.py".to_owned(), "gone".to_owned()),
            ("src/laser/align.py".to_owned(), "exists".to_owned()),
        ]
    );
}

#[test]
fn lineage_finds_a_bare_name_and_takes_no_signature_for_a_reason() {
    let env = TestEnv::new();
    env.git(&["init", "-q"]).ok();
    env.write("src/orders.py", "a = 1\n");
    env.git(&["add", "."]).ok();
    let message = "fix: two\n\n\u{1f916} Generated with [Claude Code](https://claude.com/claude-code)\n\nCo-Authored-By: Claude <noreply@example.com>";
    env.git(&["commit", "-q", "-m", message]).ok();
    for file in ["src/orders.py", "orders.py"] {
        let known = env.mnemo(&["lineage", "--file", file, "--json"]).json();
        let steps = known["steps"].as_array().unwrap();
        assert_eq!(steps.len(), 1, "{known:#}");
        assert_eq!(steps[0]["what"], "fix: two");
        assert_eq!(steps[0]["why"], Value::Null);
    }
    // One inside of the project has commits of its own.
    env.git(&["worktree", "add", "-q", "side", "-b", "side"])
        .ok();
    let known = env
        .mnemo(&["lineage", "--file", "side/src/orders.py", "--json"])
        .json();
    assert_eq!(known["steps"][0]["what"], "fix: two", "{known:#}");
    // A repository that git cannot read is not one without commits.
    env.write(".git/config", "[core\n");
    let said = env
        .mnemo(&["lineage", "--file", "src/orders.py"])
        .ok()
        .out();
    assert!(said.contains("commits are not known"), "{said}");
}

#[test]
fn private_text_and_secrets_of_other_tools_are_not_shown() {
    let env = healthy();
    let token = format!("gh{}_{}", "p", "aB3dE5gH7jK9".repeat(3));
    let word = "verbergenwort";
    let input = format!("{{\\\"command\\\":\\\"run <private>{word}</private> {token}\\\"}}");
    let line = failure("Bash", &format!("<private>{word}\\nerror: {token} no\\n"))
        .replace("{\\\"command\\\":\\\"make\\\"}", &input);
    assert!(
        line.contains(&token) && line.contains("run <private>"),
        "{line}"
    );
    env.write("memory/gotchas/observations.jsonl", line);
    env.write(
        "conversations/2026-11-20-claude.md",
        format!("# 2026-11-20\n\n## [10:00] User\n\nhello {token}, <private>{word}\n"),
    );
    env.write(
        "conversations/2026-11-20-toollog.md",
        "# Tool Usage Log - 2026-11-20\n\n- `[10:00:05]` **Edit** src/store.rs\n",
    );
    env.git(&["add", "src"]);
    let message = format!("fix: {token}\n\nbecause <private>{word}</private> said so");
    env.git(&["commit", "-q", "--allow-empty", "-m", "x", "-m", &message]);
    for args in [
        &["distill"][..],
        &["distill", "--json"],
        &["lineage", "--file", "src/store.rs"],
        &["lineage", "--file", "src/store.rs", "--json"],
    ] {
        let said = env.mnemo(args).ok().out();
        assert!(
            !said.contains(word) && !said.contains(&token),
            "{args:?} {said}"
        );
        assert!(said.contains("[PRIVATE]"), "{args:?} {said}");
    }
}

#[cfg(unix)]
#[test]
fn looking_leaves_the_index_of_a_repository_alone() {
    let env = TestEnv::new();
    env.git(&["init", "-q"]);
    let file = env.write("a.txt", "a\n");
    env.git(&["add", "."]);
    env.git(&["commit", "-q", "-m", "one"]);
    env.write("memory/x.md", "see `gone/x.rs`\n");
    let later = std::time::SystemTime::now() - std::time::Duration::from_secs(600);
    fs::File::options()
        .write(true)
        .open(file)
        .unwrap()
        .set_modified(later)
        .unwrap();
    let index = env.project().join(".git/index");
    let before = fs::read(&index).unwrap();
    env.mnemo(&["anchors"]).code(1);
    env.mnemo(&["doctor"]);
    assert_eq!(fs::read(&index).unwrap(), before);
}

#[cfg(unix)]
#[test]
fn a_repository_that_does_not_answer_is_waited_for_once() {
    use std::os::unix::fs::PermissionsExt as _;
    let mut env = TestEnv::new();
    env.git(&["init", "-q"]);
    let asked = env.base().join("asked");
    let git = env.base().join("slow/git");
    fs::create_dir(git.parent().unwrap()).unwrap();
    let script = format!(
        "#!/bin/sh\ncase \"$*\" in\n--version) echo git version 2.40.0 ;;\n*--show-toplevel*) echo '{}' ;;\n*--name-only*) ;;\n*) echo asked >> '{}'; exec sleep 30 ;;\nesac\n",
        env.project().display(),
        asked.display()
    );
    fs::write(&git, script).unwrap();
    fs::set_permissions(&git, fs::Permissions::from_mode(0o755)).unwrap();
    let path = format!("{}:/usr/bin:/bin", git.parent().unwrap().display());
    env.set("PATH", path);
    let said = env.mnemo(&["lineage", "--file", "gone.txt"]).ok().out();
    assert!(said.contains("did not answer"), "{said}");
    assert_eq!(fs::read_to_string(asked).unwrap(), "asked\n");
}

#[cfg(unix)]
#[test]
fn no_filter_of_a_repository_runs_whatever_its_name() {
    use std::os::unix::fs::PermissionsExt as _;
    let env = TestEnv::new();
    env.git(&["init", "-q"]).ok();
    let file = env.write("a.txt", "a\n");
    env.git(&["add", "."]).ok();
    env.git(&["commit", "-q", "-m", "one"]).ok();
    let ran = env.base().join("ran");
    let evil = env.base().join("evil.sh");
    fs::write(
        &evil,
        format!("#!/bin/sh\necho ran >> '{}'\ncat\n", ran.display()),
    )
    .unwrap();
    fs::set_permissions(&evil, fs::Permissions::from_mode(0o755)).unwrap();
    let config = env.project().join(".git/config");
    let settings = fs::read_to_string(&config).unwrap()
        + &format!("[filter \"a=b\"]\n\tclean = {}\n", evil.display());
    fs::write(&config, settings).unwrap();
    env.write(".gitattributes", "* filter=a=b\n");
    env.write("memory/x.md", "see `gone/x.rs`\n");
    // Its time differs from the index's: git would have to compare the text.
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    fs::File::options()
        .write(true)
        .open(file)
        .unwrap()
        .set_modified(later)
        .unwrap();
    // The filter does run where nobody switches it off.
    env.git(&["diff", "HEAD"]);
    assert!(ran.exists());
    fs::remove_file(&ran).unwrap();
    env.mnemo(&["anchors"]).code(1);
    env.mnemo(&["doctor", "--deep"]);
    assert!(!ran.exists());
}

/// What changes files; a kill arrives at one of these.
const STEPS: &str = "write,pwrite64,rename,renameat,renameat2,link,linkat,unlink,unlinkat,rmdir,mkdir,\
    mkdirat,ftruncate,fallocate,fsync,fdatasync,utimensat,fchmod,fchmodat,chmod,copy_file_range";

/// Kills a command with SIGKILL at its `at`-th step; `false` when it came to its end before.
fn killed_at_step(env: &TestEnv, args: &[&str], at: usize) -> bool {
    let inject = format!("inject={STEPS}:signal=SIGKILL:when={at}");
    let done = env
        .cmd("mnemo")
        .args(args)
        .under("strace", &["-f", "-qq", "-o", "/dev/null", "-e", &inject])
        .run();
    !done.status.success()
}

fn to_mend() -> (TestEnv, Vec<&'static [&'static str]>) {
    let env = to_split();
    let root = env.project().display().to_string();
    env.write(
        "conversations/2026-11-20-toollog.md",
        format!("# Tool Usage Log\n\n- `[10:00:05]` **Edit** {root}/src/store.rs\n"),
    );
    env.write(
        "memory/gotchas/observations.jsonl",
        failure("Bash", "no") + &failure("Bash", "{\\\"is_error\\\":false}"),
    );
    env.write("memory/.mnemo-distill-offset", "2 0 1700000000\n");
    let fix = env.write("memory/patterns/001-a.md", "# A\n\nsuperseded-by: #b\n");
    env.write(fix.with_file_name("002-b.md"), "# B\n");
    let commands: Vec<&'static [&'static str]> = vec![
        &["split", "memory/gotchas.md", "--apply"],
        &["reclassify", "--apply"],
        &["doctor", "--fix"],
        &["distill", "--done"],
    ];
    (env, commands)
}

/// The record as it would be after a command, and as it is again after `undo`.
fn after(env: &TestEnv, args: &[&str], old: &Tree) -> Tree {
    env.mnemo(args).ok();
    let new = env.tree();
    assert_ne!(*old, new, "{args:?}");
    env.mnemo(&["undo"]).ok();
    assert_eq!(env.tree(), *old, "{args:?}");
    new
}

/// The next mnemo finishes or takes back; then the command, given again, comes to its end, and undo
/// gives the bytes back.
fn recovers(env: &TestEnv, args: &[&str], old: &Tree, new: &Tree, again: bool) -> bool {
    if again {
        // What the interrupted one was finished for, it may not find any more.
        env.mnemo(args);
        assert_eq!(env.tree(), *new, "{args:?}");
        env.mnemo(&["undo"]).ok();
        assert_eq!(env.tree(), *old, "{args:?}");
        return true;
    }
    env.mnemo(&["undo", "--list"]).ok();
    let now = env.tree();
    if now == *old {
        return false;
    }
    assert_eq!(now, *new, "{args:?}");
    env.mnemo(&["undo"]).ok();
    assert_eq!(env.tree(), *old, "{args:?}");
    true
}

#[test]
fn killed_at_each_step_the_record_is_as_before_or_as_after() {
    let (env, commands) = to_mend();
    let probe = env.program("strace").args(&["-qq", "true"]);
    // Not on every machine; the next test kills by the clock.
    if !Path::new("/usr/bin/strace").is_file() || !probe.run().status.success() {
        return;
    }
    for args in commands {
        let old = env.tree();
        let new = after(&env, args, &old);
        let mut finished = 0;
        let mut at = 1;
        while killed_at_step(&env, args, at) {
            finished += usize::from(recovers(&env, args, &old, &new, at % 3 == 0));
            at += 1;
        }
        assert_eq!(env.tree(), new, "{args:?}");
        env.mnemo(&["undo"]).ok();
        assert_eq!(env.tree(), old, "{args:?}");
        assert!(
            at > 8 && finished > 0 && finished < at,
            "{args:?}: {at} steps"
        );
    }
}

#[test]
fn split_names_no_file_after_private_text() {
    let env = healthy();
    let token = format!("ghp_{}", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    env.write(
        "memory/gotchas.md",
        format!(
            "# Gotchas\n\n### one <private>ZEBRA merger</private>\n\nb\n\n### two {token}\n\nc\n"
        ),
    );
    env.mnemo(&["split", "memory/gotchas.md", "--apply"]).ok();
    let names: Vec<String> = fs::read_dir(env.project().join("memory/gotchas"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned())
        .collect();
    assert!(
        names.iter().any(|name| name.starts_with("001-one")),
        "{names:?}"
    );
    let index = fs::read_to_string(env.project().join("memory/gotchas/index.md")).unwrap();
    for text in names.iter().chain([&index]) {
        let text = text.to_lowercase();
        assert!(
            !text.contains("zebra") && !text.contains("a1b2c3d4"),
            "{text}"
        );
    }
}

/// Git checks a link out that leads to a device; nobody's list of what is ignored is one.
#[test]
fn a_gitignore_that_never_ends_is_not_read() {
    for device in [true, false] {
        for name in [".gitignore", "src/.gitignore"] {
            let env = healthy();
            env.write("src/store.rs", "pub fn open() {}\n");
            env.write("memory/notes.md", "# Notes\n\nSee `src/store.rs`.\n");
            let path = env.project().join(name);
            if device {
                std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
            } else {
                env.program("mkfifo").arg(&path).run().ok();
            }
            for args in [
                &["anchors", "--store", "record"][..],
                &["doctor"],
                &["handoff", "create", "x"],
                &["garden", "scan", "--store", "record"],
            ] {
                let done = env.cmd("mnemo").args(args).under("timeout", &["60"]).run();
                let code = done.status.code();
                assert!(matches!(code, Some(0 | 1)), "{name}, {args:?}: {code:?}");
            }
        }
    }
}

/// Hooks append to the logs all the time, also between a kill and whatever mends it.
#[test]
fn what_a_hook_logs_beside_a_move_of_observations_is_kept() {
    const LOGS: [&str; 2] = [
        "memory/gotchas/observations.jsonl",
        "memory/learned/observations.jsonl",
    ];
    let args: &[&str] = &["reclassify", "--apply"];
    let line = |n: u32, is_error: bool| {
        failure(
            &format!("T{n}"),
            &format!("{{\\\"is_error\\\":{is_error}}}"),
        )
    };
    let set_up = || {
        let env = healthy();
        env.write(LOGS[0], line(0, false) + &line(1, true) + &line(2, false));
        env
    };
    let read = |env: &TestEnv| -> Vec<String> {
        let read = |name: &&str| fs::read_to_string(env.project().join(name)).unwrap_or_default();
        LOGS.iter().map(read).collect()
    };
    let append = |env: &TestEnv| {
        for (log, n) in LOGS.iter().zip([7, 8]) {
            env.write(log, read(env)[usize::from(n == 8)].clone() + &line(n, true));
        }
    };
    let each_once = |env: &TestEnv, told: &str| {
        let all = read(env).concat();
        for n in [0, 1, 2, 7, 8] {
            let name = format!("\"T{n}\"");
            assert_eq!(all.matches(&name).count(), 1, "{told}: {name}\n{all}");
        }
    };

    // Taken back afterwards.
    let env = set_up();
    let before = read(&env);
    env.mnemo(args).ok();
    append(&env);
    env.mnemo(&["undo"]).ok();
    each_once(&env, "undo");
    assert_eq!(read(&env)[0], before[0].clone() + &line(7, true));
    assert_eq!(read(&env)[1], before[1].clone() + &line(8, true));

    let probe = env.program("strace").args(&["-qq", "true"]);
    if !Path::new("/usr/bin/strace").is_file() || !probe.run().status.success() {
        return;
    }
    let mut at = 1;
    loop {
        let env = set_up();
        let killed = killed_at_step(&env, args, at);
        append(&env);
        env.mnemo(&["undo", "--list"]).ok();
        each_once(&env, &format!("killed at {at}"));
        if !killed {
            break;
        }
        at += 1;
    }
    assert!(at > 8, "{at} steps");
    let mut at = 1;
    loop {
        let env = set_up();
        env.mnemo(args).ok();
        let killed = killed_at_step(&env, &["undo"], at);
        append(&env);
        env.mnemo(&["undo", "--list"]).ok();
        each_once(&env, &format!("undo killed at {at}"));
        if !killed {
            break;
        }
        at += 1;
    }
    assert!(at > 8, "{at} steps of undo");
}

#[test]
fn killed_at_any_moment_the_record_is_as_before_or_as_after() {
    let (env, commands) = to_mend();
    for args in commands {
        let old = env.tree();
        let new = after(&env, args, &old);
        let whole = env.mnemo(args).ok().elapsed;
        env.mnemo(&["undo"]).ok();
        let mut wait = 1_u64;
        for _ in 0..16 {
            let running = env.cmd("mnemo").args(args).start();
            wait = wait * 7_919 % 1_201;
            // Up to a fifth longer than it takes.
            std::thread::sleep(whole.mul_f64(f64::from(u32::try_from(wait).unwrap()) / 1000.0));
            running.kill();
            recovers(&env, args, &old, &new, false);
        }
    }
}

#[test]
fn lineage_tells_when_and_why_newest_first() {
    let env = healthy();
    env.write(
        "docs/handoffs/2026-11-29-100000-store.md",
        "# Handoff: store\n\n## Session Metadata\n- Created: 2026-11-29 10:00:00\n\n## Files Modified\n\n| File | Changes | Rationale |\n|---|---|---|\n| src/store.rs | batches | the disk was slow |\n| src/other.rs | x | |\n",
    );
    let told = env
        .mnemo(&["lineage", "--file", "src/store.rs", "--json"])
        .json();
    let steps = told["steps"].as_array().unwrap();
    let find = |source: &str| steps.iter().find(|step| step["source"] == source).unwrap();
    assert_eq!(find("handoff")["why"], "the disk was slow");
    assert_eq!(find("handoff")["is_guess"], false);
    assert_eq!(find("conversation")["why"], "make the store faster");
    assert_eq!(find("conversation")["is_guess"], true);
    assert_eq!(find("commit")["why"], "It keeps what is read.");
    let times: Vec<&str> = steps
        .iter()
        .map(|step| step["when"].as_str().unwrap())
        .collect();
    assert!(times.is_sorted_by(|a, b| a >= b), "{times:?}");
    env.mnemo(&["lineage", "--file", "src/none.rs"]).code(0);
    let other = env
        .mnemo(&["lineage", "--file", "src/other.rs", "--json"])
        .json();
    assert_eq!(other["steps"][0]["why"], Value::Null);
}

/// What a handoff only says to read first did not change with it.
#[test]
fn a_file_to_be_read_first_is_no_change() {
    let env = TestEnv::named("shop");
    env.write("src/pay.rs", "fn pay() {}\n");
    env.mnemo(&["handoff", "create", "x"]).ok();
    let folder = env.project().join("docs/handoffs");
    let file = fs::read_dir(folder)
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    let text = fs::read_to_string(&file).unwrap();
    let row = "| [TODO: path] | [TODO: what it is for] | [TODO: why to read it first] |";
    assert!(text.contains(row), "{text}");
    let text = text.replace(row, "| src/pay.rs | entry | read first |");
    fs::write(&file, text).unwrap();
    let told = env.mnemo(&["lineage", "--file", "src/pay.rs"]).ok().out();
    assert!(!told.contains("read first"), "{told}");
}

#[test]
fn lineage_leaves_out_and_names_a_log_that_cannot_be_read() {
    let env = healthy();
    let log = env.project().join("conversations/2026-11-28-toollog.md");
    std::os::unix::fs::symlink("/etc/hosts", log).unwrap();
    let asked = ["lineage", "--file", "src/store.rs"];
    let done = env.mnemo(&asked).ok();
    assert!(done.out().contains("make the store faster"), "{done:?}");
    assert!(done.err().contains("2026-11-28-toollog.md"), "{done:?}");
    let told = env.mnemo(&[&asked[..], &["--json"]].concat()).json();
    assert_eq!(told["left_out"].as_array().unwrap().len(), 1);
}

#[test]
fn what_moved_outside_git_is_found_by_its_content() {
    let body = |name: &str| {
        format!(
            "pub fn open_{name}() {{}}\npub fn shut_{name}() {{}}\npub fn read_{name}() {{}}\npub fn sync_{name}() {{}}\n"
        )
    };
    let env = healthy();
    // Renamed by hand and a little changed, not told to git; in two commits; only gone.
    for (file, name) in [("here", "a"), ("there", "b"), ("gone", "c")] {
        env.write(format!("src/{file}.rs"), body(name));
    }
    env.git(&["add", "src"]).ok();
    env.git(&["commit", "-q", "-m", "feat: three"]).ok();
    let move_by_hand = |old: &str, new: &str, more: &str| {
        let text = fs::read_to_string(env.project().join(old)).unwrap();
        fs::remove_file(env.project().join(old)).unwrap();
        env.write(new, text + more);
    };
    let copy = fs::read(env.project().join("src/there.rs")).unwrap();
    env.write("lib/elsewhere.rs", copy);
    env.git(&["add", "lib"]).ok();
    env.git(&["commit", "-q", "-m", "feat: a library"]).ok();
    env.git(&["rm", "-q", "src/there.rs", "src/gone.rs"]).ok();
    env.git(&["commit", "-q", "-m", "chore: tidy"]).ok();
    move_by_hand("src/here.rs", "lib/nearby.rs", "pub fn more() {}\n");
    env.write(
        "note.md",
        "`src/here.rs`, `src/there.rs`, `src/gone.rs`, `src/store.rs`\n",
    );
    let told = env.mnemo(&["anchors", "note.md", "--json"]).code(1).json();
    let text = told.to_string();
    assert!(text.contains("lib/nearby.rs"), "{told:#}");
    assert!(text.contains("lib/elsewhere.rs"), "{told:#}");
    assert_eq!(told["counts"]["moved"], 2, "{told:#}");
    assert_eq!(told["counts"]["gone"], 1, "{told:#}");
    assert_eq!(told["counts"]["exists"], 1, "{told:#}");
}

#[test]
fn anchors_end_with_the_code_that_was_promised() {
    let env = healthy();
    env.mnemo(&["anchors"]).code(0);
    let broken = env.write("note.md", "see `src/none.rs` and `src/store.rs`\n");
    let file = broken.to_str().unwrap();
    let done = env.mnemo(&["anchors", file, "--json"]).code(1);
    assert_eq!(done.json()["counts"]["gone"], 1);
    env.mnemo(&["anchors", "nowhere.md"]).code(3);
}

#[test]
fn hangul_names_are_found_composed_or_not() {
    let env = healthy();
    let (composed, apart) = ("\u{ac00}\u{b098}", "\u{1100}\u{1161}\u{1102}\u{1161}");
    env.write(format!("docs/{apart}/{apart}.md"), "# x\n");
    env.write(
        format!("memory/{apart}.md"),
        format!("# N\n\n### 하나\n\n`docs/{composed}/{composed}.md`\n\n### 둘\n\nx\n"),
    );
    let file = format!("memory/{composed}.md");
    let told = env.mnemo(&["anchors", "--json"]).code(0).json();
    assert_eq!(told["broken"], 0, "{told:#}");
    let before = env.tree();
    env.mnemo(&["split", &file, "--apply"]).ok();
    assert!(!env.project().join(format!("memory/{apart}.md")).exists());
    env.mnemo(&["undo"]).ok();
    assert_eq!(env.tree(), before);
}

#[test]
fn what_is_shown_to_people_is_never_a_wall() {
    let env = healthy();
    env.write(
        "memory/tools.md",
        format!("# T\n\nsee `{}x.rs`\n", "a/".repeat(50_000)),
    );
    for args in [&["anchors"][..], &["doctor"]] {
        let told = env.mnemo(args).code(1).out();
        let longest = told.lines().map(|line| line.chars().count()).max();
        assert!(longest < Some(400), "{args:?}: {longest:?}");
    }
    // As data it is whole.
    let told = env.mnemo(&["anchors", "--json"]).json().to_string();
    assert!(told.contains(&"a/".repeat(50_000)));
}

#[test]
fn lines_that_are_no_observations_are_told_apart() {
    let env = healthy();
    let lines = failure("Bash", "no") + "not json\n\n{\"event\":\"tool_error\"}\n{\"half\": ";
    env.write("memory/gotchas/observations.jsonl", lines);
    let told = env.mnemo(&["distill"]).ok().out();
    assert!(!told.contains("( to )"), "{told}");
    let before = env.tree();
    env.mnemo(&["distill", "--done"]).ok();
    well_distilled(&env);
    env.mnemo(&["undo"]).ok();
    assert_eq!(env.tree(), before);
}

fn well_distilled(env: &TestEnv) {
    assert_eq!(level(env, "observations", &[]), "OK");
    let told = env.mnemo(&["distill", "--json"]).json();
    assert_eq!(told["groups"], json!([]), "{told:#}");
}

#[test]
fn distilling_nothing_makes_nothing() {
    let env = TestEnv::bare("loose");
    env.mnemo(&["init"]).ok();
    let before = env.tree();
    env.mnemo(&["distill", "--done"]).ok();
    env.mnemo(&["reclassify", "--apply"]).ok();
    env.mnemo(&["doctor", "--fix"]).ok();
    assert_eq!(env.tree(), before);
}
