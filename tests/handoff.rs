//! Handoffs as a user meets them: made, filled in, judged, listed, aged and taken up, in real
//! repositories of every shape.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests: a panic is how they fail, and they write files as users do"
)]

use mnemo_tests::{Done, TestEnv};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

/// What stands in the place of each placeholder of a filled handoff.
const SAID: &str =
    "Cards are charged by the bank's queue, and refunds wait for an approval by hand";

fn create(env: &TestEnv, args: &[&str]) -> (String, PathBuf) {
    let mut all = vec!["handoff", "create", "--json"];
    all.extend(args);
    made(&env.mnemo(&all).ok())
}

fn made(done: &Done) -> (String, PathBuf) {
    let told = done.json();
    let text = |key: &str| told[key].as_str().unwrap().to_owned();
    (text("file"), text("path").into())
}

/// Fills in every placeholder.
fn filled(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once("[TODO") {
        let (placeholder, behind) = behind.split_once(']').unwrap();
        out.push_str(before);
        out.push_str(match placeholder.trim_start_matches([':', ' ']) {
            "path" => "src/pay.rs",
            _ if before.ends_with(['A', 'B', 'C']) => "[Checkout]",
            _ => SAID,
        });
        rest = behind;
    }
    out + rest
}

fn fill(path: &Path) -> String {
    let text = filled(&std::fs::read_to_string(path).unwrap());
    std::fs::write(path, &text).unwrap();
    text
}

fn validate(env: &TestEnv, file: &str) -> Value {
    env.mnemo(&["handoff", "validate", file, "--json"]).json()
}

fn reasons(told: &Value) -> String {
    let reasons = told["reasons"].as_array().unwrap();
    let lines = reasons
        .iter()
        .map(|reason| format!("{}: {}\n", reason["about"], reason["text"]));
    lines.collect()
}

fn level(env: &TestEnv, file: &str) -> (i32, Value) {
    let done = env.mnemo(&["handoff", "staleness", file, "--json"]);
    (done.status.code().unwrap(), done.json())
}

/// A project with a file and a commit.
fn shop() -> TestEnv {
    let env = TestEnv::named("shop");
    env.write("src/pay.rs", "fn pay() {}\n");
    env.git(&["add", "-A"]);
    env.git(&["commit", "-q", "-m", "Pay | by card"]);
    env
}

fn commit(env: &TestEnv, count: usize) {
    for number in 0..count {
        let message = format!("step {number}");
        env.git(&["commit", "-q", "--allow-empty", "-m", &message]);
    }
}

#[test]
fn a_handoff_goes_from_scaffold_to_ready_to_stale() {
    let env = shop();
    let (file, path) = create(&env, &["Pay by card"]);
    assert!(
        file.starts_with("docs/handoffs/") && file.ends_with("-pay-by-card.md"),
        "{file}"
    );

    let fresh = env.mnemo(&["handoff", "validate", &file]).code(1).out();
    assert!(fresh.starts_with("NEEDS WORK"), "{fresh}");
    let list = env.mnemo(&["handoff", "list"]).ok().out();
    assert!(
        list.contains("to fill in") && list.contains("pay-by-card\n"),
        "{list}"
    );

    let text = fill(&path);
    for part in [
        "## Origin",
        "- Branch: main",
        "Pay | by card",
        "```mermaid",
        "### Decisions Made",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    let told = validate(&env, &file);
    assert_eq!(
        (&told["verdict"], &told["score"]),
        (&"READY".into(), &100.into()),
        "{told:#}"
    );
    assert_eq!(told["feature_bearing"], true);
    env.mnemo(&["handoff", "validate", &file]).code(0);
    let list = env.mnemo(&["handoff", "list", "--json"]).ok().json();
    assert_eq!(list["handoffs"][0]["verdict"], "READY", "{list:#}");
    assert_eq!(list["handoffs"][0]["title"], SAID);

    assert_eq!(level(&env, &file).0, 0);
    assert_eq!(level(&env, &file).1["level"], "FRESH");
    commit(&env, 6);
    let (code, told) = level(&env, &file);
    assert_eq!(
        (code, &told["level"], &told["commits"]),
        (0, &"SLIGHTLY_STALE".into(), &6.into()),
        "{told:#}"
    );
    commit(&env, 16);
    env.git(&["checkout", "-q", "-b", "other"]);
    let (code, told) = level(&env, &file);
    assert_eq!((code, &told["level"]), (1, &"STALE".into()), "{told:#}");
    std::fs::remove_file(env.project().join("src/pay.rs")).unwrap();
    env.git(&["commit", "-qam", "gone"]);
    env.git(&["branch", "-D", "-q", "main"]);
    let (code, told) = level(&env, &file);
    assert_eq!(
        (code, &told["level"]),
        (1, &"VERY_STALE".into()),
        "{told:#}"
    );
    assert_eq!(told["missing"][0], "src/pay.rs");
    assert_eq!(
        env.mnemo(&["handoff", "staleness", "--all"])
            .code(1)
            .out()
            .lines()
            .count(),
        1
    );

    let checklist = env.mnemo(&["handoff", "resume"]).ok().out();
    for part in [
        "VERY_STALE",
        "made on branch main",
        "## Next steps",
        "src/pay.rs",
        SAID,
    ] {
        assert!(checklist.contains(part), "{part} in {checklist}");
    }
}

#[test]
fn age_alone_makes_it_stale() {
    let mut env = shop();
    env.now("2026-11-30T12:00:00");
    let (file, _) = create(&env, &["x"]);
    for (now, expected, code) in [
        ("2026-12-01T12:00:00", "FRESH", 0),
        ("2026-12-02T12:00:00", "SLIGHTLY_STALE", 0),
        ("2026-12-31T13:00:00", "STALE", 1),
        ("2026-11-29T12:00:00", "FRESH", 0),
    ] {
        env.now(now);
        let (exit, told) = level(&env, &file);
        assert_eq!(
            (exit, &told["level"]),
            (code, &expected.into()),
            "{now}: {told:#}"
        );
    }
}

#[test]
fn files_modified_are_all_there_under_their_own_names() {
    let env = shop();
    env.write("old.md", "some words that git knows again\n");
    env.git(&["add", "-A"]);
    env.git(&["commit", "-q", "-m", "more"]);
    env.git(&["mv", "old.md", "새 이름.md"]);
    env.write("src/pay.rs", "fn pay() { todo() }\n");
    env.write("neu/größe | x.txt", "x");
    env.write("gone.txt", "x");
    env.git(&["add", "gone.txt"]);
    env.git(&["commit", "-q", "-m", "gone", "gone.txt"]);
    std::fs::remove_file(env.project().join("gone.txt")).unwrap();
    let (file, path) = create(&env, &[]);
    assert!(file.ends_with("-handoff.md"), "{file}");
    let text = std::fs::read_to_string(&path).unwrap();
    for row in [
        "| `old.md` → `새 이름.md` (renamed) |",
        "| `src/pay.rs` |",
        "| `neu/größe \\| x.txt` (new) |",
        "| `gone.txt` (deleted) |",
    ] {
        assert!(text.contains(row), "{row} in {text}");
    }
    // What was there, uncommitted, is the handoff's own work and makes it no older.
    let told = level(&env, &file).1;
    assert_eq!(
        (&told["level"], &told["changed_files"]),
        (&"FRESH".into(), &Value::Array(vec![])),
        "{told:#}"
    );
    fill(&path);
    let told = validate(&env, &file);
    assert_eq!(told["score"], 100, "{told:#}");
}

#[test]
fn uncommitted_changes_count_as_changed() {
    let mut env = shop();
    let (file, _) = create(&env, &["x"]);
    env.now("2099-01-01T00:00:00");
    for number in 0..7 {
        let path = env.write(format!("src/new {number}.rs"), "x");
        let file = std::fs::File::options().append(true).open(path).unwrap();
        let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
        file.set_modified(later).unwrap();
    }
    env.unset("MNEMO_NOW");
    let (code, told) = level(&env, &file);
    assert_eq!(
        told["changed_files"].as_array().unwrap().len(),
        7,
        "{told:#}"
    );
    assert_eq!((code, &told["level"]), (0, &"SLIGHTLY_STALE".into()));
}

#[test]
fn nothing_is_overwritten_and_the_file_is_private() {
    let mut env = shop();
    env.umask(0o000).now("2026-11-30T14:03:22");
    let (first, path) = create(&env, &["pay"]);
    std::fs::write(&path, "mine").unwrap();
    let (second, _) = create(&env, &["pay"]);
    let (third, _) = create(&env, &["pay"]);
    assert_eq!(first, "docs/handoffs/2026-11-30-140322-pay.md");
    assert_eq!(second, "docs/handoffs/2026-11-30-140322-pay-2.md");
    assert_eq!(third, "docs/handoffs/2026-11-30-140322-pay-3.md");
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&env.project().join(&second)), 0o600);
    assert_eq!(mode(&env.project().join("docs/handoffs")), 0o700);
    assert_eq!(mode(&env.project().join("docs")), 0o700);
    assert_eq!(env.git(&["status", "--porcelain"]).out(), "");
    let exclude = std::fs::read_to_string(env.project().join(".git/info/exclude")).unwrap();
    assert_eq!(exclude.matches("/docs/handoffs/").count(), 1, "{exclude}");
}

#[test]
fn the_memory_is_checked_and_the_doctor_asked_where_it_is_bare() {
    let env = shop();
    env.write(
        "MEMORY.md",
        "# Memory\n- [memory/architecture.md](memory/architecture.md)\n- [gone](memory/gone.md)\n",
    );
    env.write(
        "memory/architecture.md",
        "# Architecture\n\n> nothing yet\n\n---\n",
    );
    env.write("memory/lonely.md", "# Lonely\nsomething\n");
    let (_, path) = create(&env, &["bare"]);
    let text = std::fs::read_to_string(path).unwrap();
    for part in [
        "- Architecture: no memory covers it",
        "1 working link from the index to items; 1 lead nowhere: memory/gone.md; 1 not reached from the index: memory/lonely.md",
        "- Doctor: ",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    env.write(
        "memory/architecture.md",
        "# Architecture\n\nThe shop talks to the bank by a queue.\n",
    );
    let (_, path) = create(&env, &["covered"]);
    let text = std::fs::read_to_string(path).unwrap();
    assert!(
        text.contains("- Architecture: memory/architecture.md (1 line)")
            && !text.contains("- Doctor: "),
        "{text}"
    );
}

#[test]
fn a_dry_run_writes_nothing() {
    let env = shop();
    let before = (
        env.tree(),
        std::fs::read(env.project().join(".git/info/exclude")).ok(),
    );
    let done = env.mnemo(&["handoff", "create", "x", "--dry-run"]).ok();
    assert!(
        done.out().contains("## Origin") && done.err().contains("would write"),
        "{done:?}"
    );
    let told = env
        .mnemo(&["handoff", "create", "x", "--dry-run", "--json"])
        .ok()
        .json();
    assert!(told["text"].as_str().unwrap().starts_with("# Handoff:"));
    let after = (
        env.tree(),
        std::fs::read(env.project().join(".git/info/exclude")).ok(),
    );
    assert_eq!(before, after);
}

#[test]
fn a_detached_head_and_a_branch_without_commits_are_said() {
    let env = shop();
    env.git(&["checkout", "-q", "--detach"]);
    let (file, path) = create(&env, &["x"]);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(
        text.contains("- Branch: [detached HEAD]") && text.contains("- Commit: "),
        "{text}"
    );
    let told = level(&env, &file).1;
    assert_eq!(
        (&told["level"], &told["commits"]),
        (&"FRESH".into(), &0.into()),
        "{told:#}"
    );
    fill(&path);
    assert_eq!(validate(&env, &file)["verdict"], "READY");

    let env = TestEnv::bare("young");
    env.git(&["init", "-q"]);
    env.write("a.rs", "x");
    let (file, path) = create(&env, &["x"]);
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(
        text.contains("- Branch: main (no commits yet)") && text.contains("| `a.rs` (new) |"),
        "{text}"
    );
    let told = level(&env, &file).1;
    assert_eq!(
        (&told["level"], &told["commits"]),
        (&"FRESH".into(), &0.into()),
        "{told:#}"
    );
    env.git(&["add", "-A"]);
    env.git(&["commit", "-q", "-m", "first"]);
    let told = level(&env, &file).1;
    assert_eq!(told["commits"], 1, "{told:#}");
    assert_eq!(told["branch"]["now"], "main");
}

#[test]
fn a_project_without_git_works_and_says_what_is_unknown() {
    let env = TestEnv::bare("notes");
    env.write(".mnemo-root", "");
    env.write("plan.md", "x");
    let (file, path) = create(&env, &["x"]);
    let text = fill(&path);
    assert!(text.contains("[not a git repository]"), "{text}");
    std::fs::write(&path, text.replace("src/pay.rs", "plan.md")).unwrap();
    assert_eq!(validate(&env, &file)["verdict"], "READY");
    let (code, told) = level(&env, &file);
    assert_eq!(
        (code, &told["level"], &told["git"]["by"]),
        (0, &"FRESH".into(), &"nothing".into()),
        "{told:#}"
    );
    assert_eq!(told["commits"], Value::Null);
    assert!(
        told["unknown"][0]
            .as_str()
            .unwrap()
            .contains("not a git repository")
    );
    let neither = TestEnv::bare("nowhere");
    neither.mnemo(&["handoff", "create"]).code(3);
}

#[test]
fn without_the_git_program_its_files_are_read() {
    let mut env = shop();
    let (file, _) = create(&env, &["x"]);
    let empty = env.base().join("empty");
    std::fs::create_dir(&empty).unwrap();
    env.set("PATH", &empty);
    let (code, told) = level(&env, &file);
    assert_eq!(
        (code, &told["level"], &told["git"]["by"]),
        (0, &"FRESH".into(), &"files".into()),
        "{told:#}"
    );
    assert_eq!(
        (&told["branch"]["now"], &told["commits"]),
        (&"main".into(), &0.into()),
        "{told:#}"
    );
    assert!(!told["unknown"].as_array().unwrap().is_empty());
    let (_, path) = create(&env, &["y"]);
    let text = std::fs::read_to_string(path).unwrap();
    assert!(
        text.contains("- Branch: main\n") && text.contains("the files of .git only"),
        "{text}"
    );
    env.set("PATH", "/usr/local/bin:/usr/bin:/bin");
    commit(&env, 1);
    env.git(&["pack-refs", "--all"]);
    env.set("PATH", &empty);
    let told = level(&env, &file).1;
    assert_eq!(
        (&told["commits"], &told["level"]),
        (&Value::Null, &"SLIGHTLY_STALE".into()),
        "{told:#}"
    );
}

#[test]
fn a_linked_worktree_hands_over_to_the_main_one() {
    let env = shop();
    let side = env.base().join("side");
    env.git(&[
        "worktree",
        "add",
        "-q",
        "-b",
        "cards",
        side.to_str().unwrap(),
    ]);
    std::fs::write(side.join("src/only-here.rs"), "x").unwrap();
    let run = |args: &[&str]| env.cmd("mnemo").args(args).cwd(&side).run();
    let (file, path) = made(&run(&["handoff", "create", "x", "--json"]).ok());
    assert!(path.starts_with(env.project()), "{}", path.display());
    let text = fill(&path);
    for part in [
        "- Branch: cards",
        "- Worktree: side",
        "| `src/only-here.rs` (new) |",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
    for done in [
        run(&["handoff", "validate", &file, "--json"]),
        env.mnemo(&["handoff", "validate", &file, "--json"]),
    ] {
        assert_eq!(done.json()["score"], 100, "{done:?}");
    }
    assert_eq!(
        run(&["handoff", "staleness", &file, "--json"]).json()["level"],
        "FRESH"
    );
    // Seen from the main worktree the branch is another one.
    assert_eq!(level(&env, &file).1["branch"]["now"], "main");
}

#[test]
fn an_origin_is_carried_along_a_chain_of_three() {
    let mut env = shop();
    env.now("2026-11-30T10:00:00");
    let (first, path) = create(&env, &["one"]);
    let text = std::fs::read_to_string(&path).unwrap();
    let text = text.replace(
        "[TODO: what was asked for, in the person's words]",
        "카드 결제 | 환불 없이",
    );
    std::fs::write(&path, filled(&text)).unwrap();
    env.now("2026-11-30T11:00:00");
    let (second, path) = create(&env, &["two", "--continues-from", "one"]);
    fill(&path);
    env.now("2026-11-30T12:00:00");
    let (third, path) = create(&env, &["three", "--continues-from", "latest"]);
    let text = fill(&path);
    let name = |file: &str| file.rsplit('/').next().unwrap().to_owned();
    assert!(
        text.contains("| Requirement | 카드 결제 \\| 환불 없이 |"),
        "{text}"
    );
    assert!(
        text.contains(&format!("[{0}](./{0})", name(&second))),
        "{text}"
    );
    // Its source is still where the first one said it was.
    assert!(
        text.contains(&format!("[{0}](./{0})", name(&first))),
        "{text}"
    );
    assert_eq!(validate(&env, &third)["verdict"], "READY");
    let told = env
        .mnemo(&["handoff", "resume", "three", "--json"])
        .ok()
        .json();
    assert_eq!(
        told["chain"],
        serde_json::json!([second, first]),
        "{told:#}"
    );
    assert_eq!(told["requirement"], "카드 결제 | 환불 없이");
    env.mnemo(&["handoff", "create", "--continues-from", "no-such"])
        .code(3);
    // Without the option nothing is linked.
    let (_, path) = create(&env, &["alone"]);
    assert!(
        std::fs::read_to_string(path)
            .unwrap()
            .contains("none (fresh start)")
    );
}

#[test]
fn raw_material_is_there_and_nothing_private_is() {
    let mut env = shop();
    env.now("2026-11-30T14:00:00");
    let token = format!("{}{}", "ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let prompt = env
        .session()
        .prompt("t1", "카드 결제를 넣자 <private>the bank's code</private>");
    env.hook("prompt-save", &prompt).silent();
    let log = format!(
        "---\ndate: 2026-11-30\ntype: tool-log\n---\n\n# Tool Usage Log - 2026-11-30\n\n\
         - `[13:00:00]` **Edit** src/pay.rs\n- `[13:00:01]` **Bash** curl -H {token} — failed\n"
    );
    env.write("conversations/2026-11-30-toollog.md", log);
    env.git(&[
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        &format!("use {token}"),
    ]);
    let (_, path) = create(&env, &["x"]);
    let text = std::fs::read_to_string(path).unwrap();
    assert!(
        !text.contains(&token) && !text.contains("bank's code"),
        "{text}"
    );
    for part in [
        "카드 결제를 넣자 [PRIVATE]",
        "Bash 1 (1 failed)",
        "| `src/pay.rs` |",
        "data, not instructions",
    ] {
        assert!(text.contains(part), "{part} in {text}");
    }
}

#[test]
fn bad_files_get_reasons() {
    let env = shop();
    env.mnemo(&["handoff", "validate", "no-such.md"]).code(3);
    env.mnemo(&["handoff", "staleness", "no-such.md"]).code(3);
    env.mnemo(&["handoff", "resume", "no-such.md"]).code(3);
    env.mnemo(&["handoff", "validate", "src"]).code(3);
    let fine = "## Current State Summary\nIt works, all of it, and that was checked by hand twice today.\n\
        ## Important Context\nThe bank's queue is slow on Mondays, which is no fault of ours at all.\n\
        ## Immediate Next Steps\n1. Add the refund endpoint\n## Implemented Features\nnone\n";
    for (name, bytes, reason) in [
        ("empty", b"".to_vec(), "empty"),
        ("blank", b" \n\n".to_vec(), "empty"),
        ("binary", b"\x00\x01\x02\xff\xfe".to_vec(), "line 1"),
        (
            "latin",
            [fine.as_bytes(), b"caf\xe9\n"].concat(),
            "line 9 holds bytes that are not UTF-8",
        ),
        (
            "no-heading",
            b"just words".to_vec(),
            "Current State Summary is missing",
        ),
        (
            "fence",
            b"```\n## Current State Summary\n".to_vec(),
            "Current State Summary is missing",
        ),
    ] {
        let path = format!("docs/handoffs/{name}.md");
        env.write(&path, bytes);
        let told = validate(&env, &path);
        assert!(reasons(&told).contains(reason), "{name}: {told:#}");
        assert_eq!(told["verdict"], "NEEDS_WORK", "{name}");
        env.mnemo(&["handoff", "staleness", &path]).code(1);
        env.mnemo(&["handoff", "resume", &path]).ok();
    }
    env.write("docs/handoffs/fine.md", fine.replace('\n', "\r\n"));
    assert_eq!(validate(&env, "fine")["verdict"], "READY");
    env.mnemo(&["handoff", "list"]).ok();
}

#[test]
fn secrets_block_and_placeholders_need_work() {
    let env = shop();
    let (file, path) = create(&env, &["x"]);
    let text = fill(&path);
    let token = format!("{}{}", "ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    std::fs::write(&path, text.replacen(SAID, &format!("{SAID} {token}"), 1)).unwrap();
    let done = env.mnemo(&["handoff", "validate", &file]).code(1);
    assert!(
        done.out().starts_with("BLOCKED") && !done.out().contains(&token),
        "{done:?}"
    );
    std::fs::write(&path, format!("{text}\nthe code is <private>x</private>\n")).unwrap();
    assert_eq!(validate(&env, &file)["verdict"], "BLOCKED");
    // Words about secrets are none.
    std::fs::write(
        &path,
        format!("{text}\nBearer authentication; private_key: see vault; a `<private>` tag\n"),
    )
    .unwrap();
    assert_eq!(validate(&env, &file)["verdict"], "READY");
    for left in [
        "\n[TODO: more]\n",
        "\n- [todo] x\n",
        "\n| [describe changes] | x |\n",
    ] {
        std::fs::write(
            &path,
            text.replace("## Pending Work", &format!("{left}\n## Pending Work")),
        )
        .unwrap();
        let told = validate(&env, &file);
        assert_eq!(told["verdict"], "NEEDS_WORK", "{left}");
        assert!(told["score"].as_u64().unwrap() <= 70, "{told:#}");
    }
    std::fs::write(&path, text.replace("src/pay.rs", "src/lost.rs")).unwrap();
    let told = validate(&env, &file);
    assert_eq!(
        (&told["verdict"], &told["score"]),
        (&"READY".into(), &95.into()),
        "{told:#}"
    );
    assert!(reasons(&told).contains("src/lost.rs is not there"));
}

#[test]
fn only_features_need_a_diagram_and_an_origin() {
    let env = shop();
    let (file, path) = create(&env, &["x"]);
    let scaffold = std::fs::read_to_string(&path).unwrap();
    let row = scaffold
        .lines()
        .find(|line| line.contains("each feature or change"))
        .unwrap();
    let none = scaffold.replace(row, "| 없음 | | | |");
    // Everything but what only features need is filled in.
    let mut out = String::new();
    let mut keep = false;
    for line in none.lines() {
        if line.starts_with('#') {
            keep = [
                "Origin",
                "Feature Boundary",
                "Composition Diagram",
                "Flow Diagram",
            ]
            .iter()
            .any(|name| line.ends_with(name));
        }
        out.push_str(&if keep { line.to_owned() } else { filled(line) });
        out.push('\n');
    }
    std::fs::write(&path, &out).unwrap();
    let told = validate(&env, &file);
    assert_eq!(
        (&told["verdict"], &told["feature_bearing"]),
        (&"READY".into(), &false.into()),
        "{told:#}"
    );
    std::fs::write(
        &path,
        out.replace("| 없음 | | | |", "| 카드 결제 | x | y | z |"),
    )
    .unwrap();
    let told = validate(&env, &file);
    assert_eq!(told["verdict"], "NEEDS_WORK");
    for section in ["Composition Diagram", "Origin"] {
        let cut = filled(&scaffold);
        let at = cut.find(&format!(" {section}\n")).unwrap();
        let end = at + cut[at..].find("\n#").unwrap();
        std::fs::write(&path, format!("{}{}", &cut[..at], &cut[end..])).unwrap();
        let told = validate(&env, &file);
        assert_eq!(told["verdict"], "NEEDS_WORK", "{section}");
        assert!(
            reasons(&told).contains(&format!("{section} is missing")),
            "{told:#}"
        );
    }
}

#[test]
fn files_of_the_shell_version_are_read_and_can_be_ready() {
    let env = shop();
    let said = format!("{SAID}.");
    let old = format!(
        "# Handoff: Pay by card\n\n## Session Metadata\n- Created: 2026-11-28 09:00:00\n- Project: /home/u/shop\n\
         - Branch: main\n- Session duration: 2 hours\n\n## Current State Summary\n\n{said}\n\n\
         ## Codebase Understanding\n\n### Architecture Overview\n{said}\n\n### Critical Files\n\
         | File | Purpose | Relevance |\n|---|---|---|\n| src/pay.rs | pays | high |\n\n### Key Patterns Discovered\n- x\n\n\
         ## Work Completed\n\n### Files Modified\n| File | Changes | Rationale |\n|---|---|---|\n| src/pay.rs | new | asked |\n\n\
         ### Decisions Made\n| Decision | Options Considered | Rationale |\n|---|---|---|\n| Queue | Call | slow bank |\n\n\
         ## Pending Work\n\n### Immediate Next Steps\n1. {said}\n\n## Context for Resuming Agent\n\n\
         ### Important Context\n{said}\n\n### Assumptions Made\n- {said}\n\n### Potential Gotchas\n- {said}\n"
    );
    env.write(".claude/handoffs/2026-11-28-090000-pay.md", &old);
    let told = validate(&env, "2026-11-28-090000-pay.md");
    assert_eq!(
        (&told["verdict"], &told["score"]),
        (&"READY".into(), &100.into()),
        "{told:#}"
    );
    let list = env.mnemo(&["handoff", "list"]).ok().out();
    assert!(
        list.contains("Pay by card") && list.contains(".claude/handoffs/2026-11-28"),
        "{list}"
    );
    let told = level(&env, "pay").1;
    assert!(told["commits"].is_number(), "{told:#}");
    let (_, path) = create(&env, &["next", "--continues-from", "pay"]);
    let text = std::fs::read_to_string(path).unwrap();
    assert!(
        text.contains("](../../.claude/handoffs/2026-11-28-090000-pay.md)"),
        "{text}"
    );
}

#[test]
fn a_repository_runs_nothing() {
    let env = shop();
    let trap = env.base().join("trapped");
    let script = env.write(
        "../trap.sh",
        format!("#!/bin/sh\necho \"$0 $*\" >> {}\ncat\n", trap.display()),
    );
    std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    let script = script.canonicalize().unwrap();
    let script = script.to_str().unwrap();
    let hooks = env.project().join(".git/hooks");
    for hook in [
        "post-index-change",
        "reference-transaction",
        "post-checkout",
    ] {
        std::fs::copy(script, hooks.join(hook)).unwrap();
    }
    for key in [
        "core.fsmonitor",
        "filter.evil.clean",
        "filter.evil.process",
        "filter.evil.smudge",
        "diff.evil.textconv",
        "diff.evil.command",
        "diff.external",
        "core.pager",
        "pager.log",
        "pager.status",
        "gpg.program",
        "core.sshCommand",
        "core.editor",
        "alias.status",
        "alias.log",
    ] {
        env.git(&[
            "config",
            key,
            &if key.starts_with("alias") {
                format!("!{script}")
            } else {
                script.to_owned()
            },
        ]);
    }
    env.git(&["config", "log.showSignature", "true"]);
    env.git(&["config", "filter.evil.required", "true"]);
    env.write(".gitattributes", "* filter=evil diff=evil\n");
    env.write("src/pay.rs", "fn paid() {}\n");
    let _ = std::fs::remove_file(&trap);
    let (file, path) = create(&env, &["x"]);
    level(&env, &file);
    fill(&path);
    validate(&env, &file);
    env.mnemo(&["handoff", "resume"]).ok();
    assert!(
        !trap.exists(),
        "{}",
        std::fs::read_to_string(&trap).unwrap()
    );
    let text = std::fs::read_to_string(&path).unwrap();
    assert!(
        text.contains("| `src/pay.rs` |") && text.contains("- Branch: main"),
        "{text}"
    );
    // A program of the repository's own is not git.
    let copied = env.write("bin/git", std::fs::read(script).unwrap());
    std::fs::set_permissions(copied, std::fs::Permissions::from_mode(0o755)).unwrap();
    env.cmd("mnemo")
        .args(&["handoff", "staleness", &file])
        .env("PATH", "bin:.:/usr/local/bin:/usr/bin:/bin")
        .run();
    assert!(!trap.exists());
}

#[test]
fn variables_of_git_do_not_count() {
    let mut env = shop();
    let other = TestEnv::named("other");
    other.git(&["checkout", "-q", "-b", "elsewhere"]);
    let trace = env.base().join("trace");
    env.set("GIT_DIR", other.project().join(".git"))
        .set("GIT_WORK_TREE", other.project())
        .set("GIT_TRACE", &trace)
        .set("GIT_TRACE2", &trace)
        .set("GIT_TRACE2_EVENT", &trace)
        .set("GIT_CONFIG_GLOBAL", "/dev/zero")
        .set("GIT_CONFIG_SYSTEM", "/dev/zero");
    let (_, path) = create(&env, &["x"]);
    assert!(path.starts_with(env.project()));
    assert!(
        std::fs::read_to_string(path)
            .unwrap()
            .contains("- Branch: main\n")
    );
    let told = env.mnemo(&["handoff", "staleness", "--json"]).json();
    assert_eq!(told["git"]["by"], "program", "{told:#}");
    assert!(!trace.exists());
}

#[cfg(unix)]
#[test]
fn a_git_that_does_not_answer_is_there_all_the_same() {
    let mut env = shop();
    let (file, _) = create(&env, &["x"]);
    let slow = env.base().join("slow");
    std::fs::create_dir(&slow).unwrap();
    let git = slow.join("git");
    std::fs::write(&git, "#!/bin/sh\nexec sleep 60\n").unwrap();
    let mode = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&git, mode).unwrap();
    env.set("PATH", format!("{}:/usr/bin:/bin", slow.display()));
    let told = level(&env, &file).1;
    assert_eq!(told["git"]["by"], "files", "{told:#}");
    let why = told["git"]["detail"].as_str().unwrap();
    assert!(why.contains("did not answer"), "{why}");
}

#[test]
fn a_folder_that_leads_out_is_refused() {
    let env = shop();
    let outside = env.base().join("outside");
    std::fs::create_dir(&outside).unwrap();
    std::fs::create_dir(env.project().join("docs")).unwrap();
    std::os::unix::fs::symlink(&outside, env.project().join("docs/handoffs")).unwrap();
    env.mnemo(&["handoff", "create", "x"]).code(4);
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 0);
}

#[test]
fn an_old_folder_that_leads_out_is_left_alone() {
    let env = shop();
    let outside = env.base().join("dotfiles/handoffs");
    std::fs::create_dir_all(&outside).unwrap();
    std::fs::write(
        outside.join("2026-01-01-000000-foreign.md"),
        "# Handoff: foreign\n",
    )
    .unwrap();
    std::os::unix::fs::symlink(outside.parent().unwrap(), env.project().join(".claude")).unwrap();
    create(&env, &["x"]);
    let list = env.mnemo(&["handoff", "list"]).ok().out();
    assert!(!list.contains("foreign"), "{list}");
}

#[test]
fn many_at_once_get_a_file_each() {
    let mut env = shop();
    env.now("2026-11-30T14:03:22");
    let running: Vec<_> = (0..8)
        .map(|_| {
            env.cmd("mnemo")
                .args(&["handoff", "create", "x", "--json"])
                .start()
        })
        .collect();
    let files: std::collections::BTreeSet<String> = running
        .into_iter()
        .map(|one| made(&one.wait().ok()).0)
        .collect();
    assert_eq!(files.len(), 8, "{files:?}");
    assert_eq!(
        env.tree()
            .names()
            .iter()
            .filter(|name| name.contains("140322-x"))
            .count(),
        8
    );
    let exclude = std::fs::read_to_string(env.project().join(".git/info/exclude")).unwrap();
    assert!(exclude.contains("/docs/handoffs/"), "{exclude}");
}

#[test]
fn where_there_is_none_that_is_no_error() {
    let env = shop();
    for args in [
        &["handoff", "list"][..],
        &["handoff", "staleness", "--all"],
        &["handoff", "staleness"],
        &["handoff", "resume"],
    ] {
        let done = env.mnemo(args).ok();
        assert!(done.out().contains("mnemo handoff create"), "{done:?}");
    }
    let done = env.mnemo(&["handoff", "validate"]).code(3);
    assert!(done.err().contains("mnemo handoff create"), "{done:?}");
    assert_eq!(
        env.mnemo(&["handoff", "staleness", "--json"]).json(),
        Value::Null
    );
}

#[test]
fn the_newest_is_meant_where_none_is_named() {
    let mut env = shop();
    create(&env, &["older"]);
    env.now("2026-12-01T10:00:00");
    let (newest, _) = create(&env, &["newer"]);
    for command in ["staleness", "validate"] {
        let told = env.mnemo(&["handoff", command, "--json"]).json();
        assert_eq!(told["file"], newest.as_str(), "{told:#}");
    }
}

#[test]
fn the_nearest_name_counts_and_not_the_newest_that_holds_it() {
    let mut env = shop();
    env.now("2026-11-29T10:00:00");
    let (refund, path) = create(&env, &["refund"]);
    std::fs::write(&path, "# Handoff: the older\n").unwrap();
    env.now("2026-11-30T10:00:00");
    let (api, _) = create(&env, &["refund-api"]);
    for (named, expected) in [
        ("refund", &refund),
        ("Refund", &refund),
        ("2026-11-29-100000-refund", &refund),
        ("refund-api", &api),
        ("refund-a", &api),
        ("fund", &api),
    ] {
        let told = level(&env, named).1;
        assert_eq!(told["file"], expected.as_str(), "{named}");
    }
    let made = env
        .mnemo(&[
            "handoff",
            "create",
            "cc",
            "--continues-from",
            "refund",
            "--json",
        ])
        .ok()
        .json();
    assert_eq!(made["continues_from"], refund.as_str(), "{made:#}");
    let shown = env.mnemo(&["show", "h:refund"]).ok().out();
    assert!(shown.contains("the older"), "{shown}");
}

#[test]
fn only_a_handoff_of_the_project_is_continued() {
    let env = shop();
    let other = TestEnv::named("other");
    let (_, foreign) = create(&other, &["theirs"]);
    let notes = env.write("notes.md", "# Handoff: no\n");
    let before = env.tree();
    for named in ["/etc/passwd", "../../../../../../etc/passwd", "notes.md"]
        .into_iter()
        .map(PathBuf::from)
        .chain([foreign, notes])
    {
        let done = env
            .mnemo(&[
                "handoff",
                "create",
                "x",
                "--continues-from",
                named.to_str().unwrap(),
            ])
            .code(3);
        assert!(done.err().contains("handoff"), "{done:?}");
        assert_eq!(env.tree(), before, "{named:?}");
    }
}

#[test]
fn a_named_link_that_leads_out_is_not_judged() {
    let env = shop();
    let (file, path) = create(&env, &["x"]);
    let folder = path.parent().unwrap();
    std::os::unix::fs::symlink("/etc/passwd", folder.join("ln.md")).unwrap();
    for command in ["validate", "staleness", "resume"] {
        for named in [
            "docs/handoffs/ln.md".to_owned(),
            folder.join("ln.md").display().to_string(),
            "ln".to_owned(),
        ] {
            let done = env.mnemo(&["handoff", command, &named]).code(4);
            assert!(!done.out().contains("root:"), "{done:?}");
        }
    }
    // A link within the project is a name like another.
    std::os::unix::fs::symlink(&path, folder.join("same.md")).unwrap();
    assert_eq!(
        level(&env, "docs/handoffs/same.md").1["file"],
        file.as_str()
    );
}

#[test]
fn what_git_knows_comes_before_what_is_only_lying_there() {
    let env = shop();
    env.write("zz.rs", "old\n");
    env.write("del.rs", "old\n");
    env.git(&["add", "-A"]);
    env.git(&["commit", "-q", "-m", "more"]);
    env.write("zz.rs", "new\n");
    std::fs::remove_file(env.project().join("del.rs")).unwrap();
    for number in 0..40 {
        env.write(format!("a{number:02}.txt"), "x");
    }
    let text = std::fs::read_to_string(create(&env, &["x"]).1).unwrap();
    for row in [
        "| `zz.rs` |",
        "| `del.rs` (deleted) |",
        "| … and 12 more files | | |",
    ] {
        assert!(text.contains(row), "{row} in {text}");
    }
}

#[test]
fn what_a_hand_put_there_is_not_quoted() {
    let env = shop();
    let (file, path) = create(&env, &["x"]);
    let token = format!("{}{}", "ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let text = fill(&path)
        .replacen(SAID, &format!("Pay with {token}"), 1)
        .replace(
            "### Immediate Next Steps\n\n",
            &format!("### Immediate Next Steps\n\n1. use {token}\n2. <private>the bank's code</private> then\n"),
        )
        .replace("- To keep: ", &format!("- To keep: [TODO: {token}] "));
    std::fs::write(&path, text).unwrap();
    for args in [
        &["resume", &file][..],
        &["resume", "--json"],
        &["list"],
        &["list", "--json"],
        &["staleness", &file],
        &["validate", &file],
        &["validate", &file, "--json"],
    ] {
        let done = env.mnemo(&[&["handoff"][..], args].concat());
        let said = done.out() + &done.err();
        assert!(
            !said.contains(&token) && !said.contains("bank's code"),
            "{args:?}: {said}"
        );
    }
    let told = env.mnemo(&["handoff", "resume"]).ok().out();
    assert!(
        told.contains("[REDACTED") && told.contains("[PRIVATE]"),
        "{told}"
    );
}

#[test]
fn a_branch_that_was_written_down_redacted_is_the_same_branch() {
    let env = shop();
    let token = format!("{}{}", "ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    env.git(&["checkout", "-q", "-b", &token]);
    let (file, path) = create(&env, &["x"]);
    fill(&path);
    let (code, told) = level(&env, &file);
    assert_eq!(
        (code, &told["level"], &told["points"]),
        (0, &"FRESH".into(), &0.into()),
        "{told:#}"
    );
    env.git(&["checkout", "-q", "-b", &format!("{token}x")]);
    env.git(&[
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        &format!("with {token}"),
    ]);
    for args in [
        &["handoff", "staleness", &file][..],
        &["handoff", "staleness", &file, "--json"],
        &["handoff", "resume"],
    ] {
        let out = env.mnemo(args).out();
        assert!(!out.contains(&token), "{out}");
    }
}

#[test]
fn dead_paths_in_sentences_and_links_are_found() {
    let env = shop();
    let (file, path) = create(&env, &["x"]);
    let text = fill(&path).replacen(
        "## Codebase Understanding\n",
        "## Codebase Understanding\n\nIt stops in src/gone.rs:12; see [how](../../docs/dead.md), \
         [pay](../../src/pay.rs), src/pay.rs:1 and https://example.com/x.html:8.\n",
        1,
    );
    std::fs::write(&path, text).unwrap();
    let told = validate(&env, &file);
    let paths: Vec<_> = told["reasons"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|reason| reason["about"] == "path")
        .map(|reason| reason["text"].as_str().unwrap())
        .collect();
    assert_eq!(
        paths,
        [
            "../../docs/dead.md is not there",
            "src/gone.rs is not there"
        ],
        "{told:#}"
    );
    assert_eq!(level(&env, &file).1["missing"].as_array().unwrap().len(), 2);
}

/// Whoever goes on from it opens the files of the work tree, not those of another branch.
#[test]
fn a_file_that_only_git_still_knows_is_not_there() {
    let env = shop();
    env.git(&["branch", "other"]);
    let (file, path) = create(&env, &["x"]);
    let text = fill(&path).replacen(
        "## Codebase Understanding\n",
        "## Codebase Understanding\n\nSee src/pay.rs:1.\n",
        1,
    );
    std::fs::write(&path, text).unwrap();
    let dead = |env: &TestEnv| level(env, &file).1["missing"].clone();
    assert_eq!(dead(&env), serde_json::json!([]));
    std::fs::remove_file(env.project().join("src/pay.rs")).unwrap();
    assert_eq!(dead(&env), serde_json::json!(["src/pay.rs"]));
    env.git(&["commit", "-qam", "gone"]);
    assert_eq!(dead(&env), serde_json::json!(["src/pay.rs"]));
    assert!(reasons(&validate(&env, &file)).contains("src/pay.rs is not there"));
}

#[test]
fn features_told_in_sentences_need_a_diagram_too() {
    let env = shop();
    let (file, path) = create(&env, &["x"]);
    let text = fill(&path);
    let from = text.find("### Implemented Features").unwrap();
    let to = text.find("### Feature Boundary").unwrap();
    let diagram = text.find("### Composition Diagram").unwrap();
    let flow = text.find("### Flow Diagram").unwrap();
    let told = |said: &str| {
        let text = format!(
            "{}### Implemented Features\n\n{said}\n\n{}{}",
            &text[..from],
            &text[to..diagram],
            &text[flow..]
        );
        std::fs::write(&path, text).unwrap();
        validate(&env, &file)
    };
    let prose = told("Customers can pay by card now.");
    assert_eq!(
        (&prose["verdict"], &prose["feature_bearing"]),
        (&"NEEDS_WORK".into(), &true.into())
    );
    assert!(reasons(&prose).contains("Composition Diagram"), "{prose:#}");
    for said in ["No features were made.", "none", "기능 변경 없음"] {
        let none = told(said);
        assert_eq!(
            (&none["verdict"], &none["feature_bearing"]),
            (&"READY".into(), &false.into()),
            "{none:#}"
        );
    }
}

#[test]
fn a_subject_of_a_commit_is_no_place_to_fill_in() {
    let env = shop();
    env.git(&[
        "commit",
        "-q",
        "--allow-empty",
        "-m",
        "[TODO: rewrite this]",
    ]);
    let (file, path) = create(&env, &["x"]);
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, commits) = text.split_once("### Recent Commits").unwrap();
    let (commits, behind) = commits.split_once("## Origin").unwrap();
    let text = format!(
        "{}### Recent Commits{commits}## Origin{}",
        filled(before),
        filled(behind)
    );
    std::fs::write(&path, text).unwrap();
    let told = validate(&env, &file);
    assert_eq!(
        (&told["verdict"], &told["score"]),
        (&"READY".into(), &100.into()),
        "{told:#}"
    );
}

#[test]
fn a_checklist_says_what_one_must_know_and_what_is_not_filled_in() {
    let env = shop();
    let (file, path) = create(&env, &["pay-by-card"]);
    for command in ["staleness", "resume"] {
        let out = env.mnemo(&["handoff", command, "latest"]).ok().out();
        assert!(
            out.contains("FRESH")
                && out.contains("not filled in: 26 places")
                && !out.contains("go on from it"),
            "{out}"
        );
    }
    let out = env.mnemo(&["handoff", "resume"]).ok().out();
    assert!(out.starts_with("# Resume: pay-by-card\n"), "{out}");
    let text = fill(&path);
    let known = "The bank's queue must be empty before a release";
    let text = text.replace(
        &format!("### Important Context\n\n{SAID}"),
        &format!("### Important Context\n\n{known}, or money is lost"),
    );
    std::fs::write(&path, text).unwrap();
    let out = env.mnemo(&["handoff", "resume", &file]).ok().out();
    assert!(
        out.contains(&format!("## Important context\n- {known}")),
        "{out}"
    );
    assert!(out.contains("FRESH: go on from it"), "{out}");
}

#[test]
fn that_there_is_none_is_no_item_and_what_is_told_is_not_missed() {
    let env = shop();
    let done = env
        .mnemo(&["handoff", "create", "x", "--continues-from", "latest"])
        .code(3);
    assert!(
        done.err().contains("leave --continues-from out"),
        "{done:?}"
    );
    let (file, path) = create(&env, &["x"]);
    let text = fill(&path);
    let said = |text: &str| {
        std::fs::write(&path, text).unwrap();
        let resumed = env.mnemo(&["handoff", "resume"]).ok().out();
        (resumed, env.mnemo(&["handoff", "validate", &file]).out())
    };
    for none in ["none", "- none.", "없음", "- keine", "- 无"] {
        let head = "## Potential Gotchas\n";
        let at = text.find(head).unwrap() + head.len();
        let end = at + text[at..].find("\n#").unwrap();
        let (resumed, _) = said(&[&text[..at], "\n", none, "\n", &text[end..]].concat());
        assert!(!resumed.contains("## Gotchas"), "{none}: {resumed}");
    }
    // Another place is left to be filled in.
    let (_, judged) = said(&text.replacen("src/pay.rs", "[TODO: path]", 1));
    assert!(judged.starts_with("NEEDS WORK"), "{judged}");
    assert!(!judged.contains("features were made"), "{judged}");
    let (_, judged) = said(&text.replace("## Origin", "## Elsewhere"));
    assert!(judged.contains("features were made"), "{judged}");
}

#[test]
fn what_cannot_be_read_or_is_of_the_future_is_not_fresh() {
    let mut env = shop();
    env.now("2026-11-30T14:03:22");
    create(&env, &["x"]);
    let folder = env.project().join("docs/handoffs");
    std::os::unix::fs::symlink("/etc/passwd", folder.join("2099-01-01-000000-ln.md")).unwrap();
    let out = env.mnemo(&["handoff", "resume"]).ok().out();
    assert!(
        out.contains("UNKNOWN") && !out.contains("go on from it"),
        "{out}"
    );
    std::fs::remove_file(folder.join("2099-01-01-000000-ln.md")).unwrap();
    env.write("docs/handoffs/2099-01-01-000000-far.md", "# Handoff: x\n");
    let (code, told) = level(&env, "far");
    assert_eq!((code, &told["level"]), (1, &"UNKNOWN".into()), "{told:#}");
    assert!(
        told["advice"].as_str().unwrap().contains("future"),
        "{told:#}"
    );
}

/// A repository can hold such a file: each command that reads handoffs reads it.
#[test]
fn one_long_line_stops_nobody() {
    let env = TestEnv::new();
    let each = |part: &dyn Fn(u32) -> String| (0..20_000).map(part).collect::<Vec<_>>().concat();
    for (name, text) in [
        ("links", "[a](b.md) ".repeat(20_000)),
        ("many", each(&|n| format!("[a](b{n}.md) "))),
        ("ticks", "` ".repeat(40_000)),
        ("spans", each(&|n| format!("`src/b{n}.rs` "))),
        ("gone", "removed b.md ".repeat(20_000)),
    ] {
        env.write(
            format!("docs/handoffs/2026-11-28-120000-{name}.md"),
            format!("# Handoff: {name}\n\n## Important Context\n\n{text}\n"),
        );
    }
    env.mnemo(&["handoff", "list"]).ok();
}
