//! `mnemo check` and the commands that look at a memory, as a user meets them.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use mnemo_tests::tree::Tree;
use mnemo_tests::{Done, TestEnv};
use serde_json::Value;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// 2026-11-30T00:00:00Z
const MIDNIGHT: u64 = 1_795_996_800;

/// A repository whose auto memory is the folder that comes back.
fn at_work() -> (TestEnv, PathBuf) {
    let mut env = TestEnv::new();
    env.now("2026-11-30T14:03:22Z");
    let slug: String = fs::canonicalize(env.project())
        .unwrap()
        .to_str()
        .unwrap()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let memory = env.claude().join("projects").join(slug).join("memory");
    fs::create_dir_all(&memory).unwrap();
    (env, memory)
}

/// Writes an entry, last changed `days` before the clock.
fn entry(memory: &Path, name: &str, bytes: impl AsRef<[u8]>, days: u64) {
    let path = memory.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(&path, bytes).unwrap();
    let time = SystemTime::UNIX_EPOCH + Duration::from_secs(MIDNIGHT - days * 86_400);
    File::options()
        .write(true)
        .open(&path)
        .unwrap()
        .set_modified(time)
        .unwrap();
}

fn good(kind: &str, name: &str) -> String {
    format!("---\nname: {name}\ndescription: about {name}\ntype: {kind}\n---\n\nThe fact.\n")
}

fn labels(report: &Value) -> Vec<&str> {
    let mut labels: Vec<&str> = report["issues"]
        .as_array()
        .unwrap()
        .iter()
        .map(|issue| issue["label"].as_str().unwrap())
        .collect();
    labels.sort_unstable();
    labels.dedup();
    labels
}

fn check(env: &TestEnv, more: &[&str]) -> Done {
    let mut args = vec!["check"];
    args.extend(more);
    env.mnemo(&args)
}

/// One memory with everything wrong that can be.
fn everything_wrong(memory: &Path) {
    let key = format!("AKIA{}0001", "FAKE".repeat(3));
    entry(memory, "user_ok.md", good("user", "ok"), 1);
    entry(memory, "user_stale.md", good("user", "stale"), 40);
    entry(memory, "feedback_orphan.md", good("feedback", "orphan"), 1);
    entry(memory, "project_other.md", good("user", "ok"), 1);
    entry(
        memory,
        "reference_key.md",
        good("reference", "key") + &key + "\n",
        1,
    );
    entry(
        memory,
        "reference_crlf.md",
        good("reference", "crlf").replace('\n', "\r\n"),
        1,
    );
    entry(
        memory,
        "reference_bom.md",
        format!("\u{feff}{}", good("reference", "bom")),
        1,
    );
    entry(
        memory,
        "reference_bytes.md",
        b"---\nname: x\n---\n\xff\xfe\n",
        1,
    );
    entry(memory, "project_open.md", "---\nname: open\n", 1);
    entry(
        memory,
        "project_yaml.md",
        "---\nname: a: b\ntype: projekt\n---\n",
        1,
    );
    entry(
        memory,
        "project_long.md",
        good("project", "long") + &"line\n".repeat(101),
        1,
    );
    entry(
        memory,
        "project_links.md",
        good("project", "links") + "[[gone]] [x](y.md)\n",
        1,
    );
    entry(
        memory,
        "_archive/2026-01/gone.md",
        good("project", "gone"),
        200,
    );
    entry(memory, "project_large.md", "", 1);
    let file = File::options()
        .write(true)
        .open(memory.join("project_large.md"))
        .unwrap();
    file.set_len(50 << 20).unwrap();
    drop(file);
    entry(memory, "project_secret.md", "x", 1);
    fs::set_permissions(
        memory.join("project_secret.md"),
        PermissionsExt::from_mode(0o000),
    )
    .unwrap();
    symlink("/etc/passwd", memory.join("project_outside.md")).unwrap();
    let mut index = String::from(
        "<!-- budget: ~1tk / 40000tk (0%) | updated: 2026-01-01 -->\n# M\n\n## user\n\
         - [ok](user_ok.md) — one `~1tk`\n- [ok](user_ok.md) — again\n- [stale](user_stale.md) — s\n\
         - [gone](gone.md) — g\n\n## empty\n\n## all\n",
    );
    for name in [
        "project_other",
        "reference_key",
        "reference_crlf",
        "reference_bom",
        "reference_bytes",
        "project_open",
        "project_yaml",
        "project_long",
        "project_links",
        "project_large",
        "project_secret",
        "project_outside",
    ] {
        writeln!(index, "- [{name}]({name}.md) — words").unwrap();
    }
    index.push_str(&"\n".repeat(200));
    index.push_str("- [late](feedback_late.md) — falls off\n");
    entry(memory, "feedback_late.md", good("feedback", "late"), 1);
    fs::write(memory.join("MEMORY.md"), index).unwrap();
}

#[test]
fn a_memory_with_every_defect_is_told_about_and_left_alone() {
    let (env, memory) = at_work();
    everything_wrong(&memory);
    let unreadable = File::open(memory.join("project_secret.md")).is_err();
    let before = Tree::of(&env.claude());
    let report = check(&env, &["--json"]).code(1).json();
    check(&env, &[]).code(1);
    check(&env, &["--html", "/dev/null/x"]).code(3);
    env.mnemo(&["memory", "list"]).ok();
    env.mnemo(&["memory", "tokens", "--json"]).ok();
    check(&env, &["--update-budget", "--dry-run"]).ok();
    assert_eq!(Tree::of(&env.claude()), before);

    assert_eq!(
        labels(&report),
        [
            "BROKEN LINK",
            "BUDGET COMMENT",
            "BYTES",
            "DUPLICATE NAME",
            "EMPTY ENTRY",
            "EMPTY SECTION",
            "FRONTMATTER",
            "INDEX TOO LONG",
            "INDEXED TWICE",
            "LONG ENTRY",
            "MISSING SUFFIX",
            "NO ENTRIES",
            "ORPHAN",
            "OVER BUDGET",
            "SENSITIVE TEXT",
            "STALE",
            "TYPE UNLIKE NAME",
            "UNREADABLE",
            "WRONG SUFFIX",
        ]
    );
    let issues = report["issues"].as_array().unwrap();
    let of = |label: &str| -> Vec<&Value> {
        issues
            .iter()
            .filter(|issue| issue["label"] == label)
            .collect()
    };
    let cut = of("INDEX TOO LONG")[0];
    // The budget comment in the first line is not loaded and does not count.
    assert_eq!(cut["cut_line"], 202);
    assert_eq!(cut["falls_off"], serde_json::json!(["feedback_late.md"]));
    let unread: Vec<_> = of("UNREADABLE")
        .iter()
        .map(|issue| issue["file"].as_str().unwrap())
        .collect();
    for file in [
        "project_large.md",
        "project_outside.md",
        "reference_bytes.md",
    ] {
        assert!(unread.contains(&file), "{file} in {unread:?}");
    }
    assert_eq!(unread.contains(&"project_secret.md"), unreadable);
    let text = check(&env, &["--all"]).out();
    assert!(!text.contains("AKIA") && !text.contains("root:"), "{text}");
}

#[test]
fn correcting_the_budget_changes_nothing_else_and_is_undone() {
    let (env, memory) = at_work();
    let text = "\u{feff}<!-- budget: ~9tk / 40000tk (0%) | 업데이트: 2026-01-01 -->\r\n# 메모\r\n\r\n- [가](user_a.md) — 말 `~99tk`\r\n- [b](user_b.md) — x  \r\nend";
    entry(&memory, "user_a.md", good("user", "a"), 1);
    entry(&memory, "user_b.md", good("user", "b"), 1);
    entry(&memory, "MEMORY.md", text, 1);
    let real = good("user", "a").len() * 10 / 32;
    let diff = check(&env, &["--update-budget", "--dry-run"]).ok().out();
    assert!(diff.contains(&format!("~{real}tk")), "{diff}");
    check(&env, &["--update-budget"]).ok();
    let new = fs::read_to_string(memory.join("MEMORY.md")).unwrap();
    let expected = text
        .replace(
            "~9tk / 40000tk (0%) | 업데이트: 2026-01-01",
            &format!("~{}tk / 40000tk (0%) | 업데이트: 2026-11-30", real * 2),
        )
        .replace("~99tk", &format!("~{real}tk"))
        .replace("— x  ", &format!("— x `~{real}tk`  "));
    assert_eq!(new, expected);
    check(&env, &[]).ok();
    check(&env, &["--update-budget"]).ok();
    assert_eq!(
        fs::read_to_string(memory.join("MEMORY.md")).unwrap(),
        expected
    );
    env.mnemo(&["undo"]).ok();
    assert_eq!(fs::read_to_string(memory.join("MEMORY.md")).unwrap(), text);
}

/// Where a dead link leads stands in the block as all else does.
#[test]
fn a_dead_link_of_a_private_block_does_not_say_where_it_leads() {
    let (env, memory) = at_work();
    entry(&memory, "user_ok.md", good("user", "ok"), 1);
    fs::write(
        memory.join("MEMORY.md"),
        "- [ok](user_ok.md) — ok\n\n<private>\n\n- [gone](ZEBRA_gone.md) — x\n</private>\n\n- [dead](dead.md)\n",
    )
    .unwrap();
    for args in [
        &["check"][..],
        &["check", "--json"],
        &["doctor"],
        &["garden", "finish"],
        &["garden", "finish", "--json"],
    ] {
        let told = env.mnemo(args).out();
        assert!(!told.contains("ZEBRA"), "{args:?}: {told}");
        assert!(
            told.contains("[PRIVATE]") && told.contains("dead.md"),
            "{args:?}: {told}"
        );
    }
}

#[test]
fn what_only_informs_is_no_finding() {
    let (env, memory) = at_work();
    entry(
        &memory,
        "user_a.md",
        good("user", "a").replace('\n', "\r\n"),
        29,
    );
    entry(&memory, "MEMORY.md", "- [a](user_a.md) — x\n", 1);
    let report = check(&env, &["--json"]).ok().json();
    assert_eq!(labels(&report), ["BYTES", "MISSING SUFFIX", "NO ENTRIES"]);
    assert_eq!(report["findings"], 0);
}

#[test]
fn none_yet_is_no_error_but_a_named_folder_must_exist() {
    let (env, memory) = at_work();
    assert!(check(&env, &[]).ok().out().contains("no memory yet"));
    fs::remove_dir(&memory).unwrap();
    assert!(check(&env, &[]).ok().out().contains("no memory yet"));
    check(&env, &["--store", "no/such/folder"]).code(3);
    env.write("file.md", "x");
    check(&env, &["--store", "file.md"]).code(3);
    env.mnemo(&["memory", "show", "gone"]).code(3);
    env.mnemo(&["memory", "list", "--type", "wish"]).code(2);
    check(&env, &["--dry-run"]).code(2);
}

#[test]
fn with_auto_memory_off_the_record_is_meant() {
    let (mut env, memory) = at_work();
    entry(&memory, "user_a.md", good("user", "a"), 1);
    env.write(
        "MEMORY.md",
        "# M\n- [x](memory/gotchas/001-x.md) — y `~1tk`\n",
    );
    env.write("memory/gotchas/001-x.md", "text");
    env.write("memory/gotchas/index.md", "list");
    let report = check(&env, &["--json"]).code(1).json();
    assert_eq!(report["store"]["kind"], "auto");
    env.set("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1");
    let report = check(&env, &["--json"]).json();
    assert_eq!(report["store"]["kind"], "record");
    assert!(
        report["note"]
            .as_str()
            .unwrap()
            .contains("auto memory is off")
    );
    assert_eq!(report["files"], 1, "a category's list is no entry");
    env.unset("CLAUDE_CODE_DISABLE_AUTO_MEMORY");
    let report = check(&env, &["--json", "--store", "record"]).json();
    assert_eq!(report["store"]["kind"], "record");
}

#[test]
fn ages_go_by_the_file_or_by_what_the_entry_says() {
    let (env, memory) = at_work();
    let dated = good("user", "a").replace("type:", "modified: 2026-11-20\ntype:");
    entry(&memory, "user_a.md", dated, 90);
    entry(&memory, "MEMORY.md", "- [a](user_a.md) — x\n", 1);
    assert!(labels(&check(&env, &["--json"]).code(1).json()).contains(&"STALE"));
    check(&env, &["--dates", "frontmatter"]).ok();
}

#[test]
fn the_report_speaks_the_users_language_and_json_does_not() {
    let (mut env, memory) = at_work();
    entry(&memory, "user_a.md", good("user", "a"), 40);
    entry(&memory, "MEMORY.md", "- [a](user_a.md) — x\n", 1);
    for (language, words) in [
        ("ko", "검토 또는 보관: user_a.md — 여전히 관련 있습니까?"),
        ("de", "Prüfen oder archivieren: user_a.md — noch relevant?"),
        ("en", "Review or archive: user_a.md — still relevant?"),
        ("zh", "检查或归档：user_a.md"),
    ] {
        env.set("MNEMO_LANGUAGE", language);
        let text = check(&env, &[]).code(1).out();
        assert!(text.contains(words), "{text}");
        let report = check(&env, &["--json"]).code(1).json();
        assert!(labels(&report).contains(&"STALE"));
    }
    env.set("MNEMO_LANGUAGE", "de");
    assert!(check(&env, &[]).out().contains("VERALTET (1)"));
}

#[test]
fn the_page_is_whole_and_nothing_in_a_memory_gets_into_its_markup() {
    let (env, memory) = at_work();
    entry(
        &memory,
        "user_<script>x.md",
        "---\nname: <img src=x onerror=y>\n---\n",
        1,
    );
    entry(
        &memory,
        "user_b.md",
        "---\nname: <img src=x onerror=y>\n---\n[[<script>alert(1)</script>]]\n",
        1,
    );
    entry(&memory, "MEMORY.md", "## <script>alert(2)</script>\n", 1);
    check(&env, &["--html", "report.html"]).code(1);
    let page = fs::read_to_string(env.project().join("report.html")).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    assert!(!page.contains("<script") && !page.contains("<img") && !page.contains("http:"));
    assert!(page.contains("&lt;script&gt;alert(2)&lt;/script&gt;"));
    // Its own page is replaced, another file is not.
    check(&env, &["--html", "report.html"]).code(1);
    let theirs = "<!doctype html>\n<html><body>mine</body></html>\n";
    for (name, text) in [("notes.txt", "mine"), ("site.html", theirs)] {
        env.write(name, text);
        let done = check(&env, &["--html", name]).code(4);
        assert!(done.err().contains("--force"), "{}", done.err());
        let now = fs::read_to_string(env.project().join(name)).unwrap();
        assert_eq!(now, text);
    }
    check(&env, &["--html", "site.html", "--force"]).code(1);
    let page = fs::read_to_string(env.project().join("site.html")).unwrap();
    assert!(page.contains("mnemo check"));
    check(&env, &["--html", "gone/report.html"]).code(3);
    let into = memory.join("user_page.md");
    check(&env, &["--html", into.to_str().unwrap()]).code(4);
    assert!(!into.exists());
    check(&env, &["--html", "a.html", "--update-budget"]).code(2);
}

#[test]
fn lines_that_are_not_loaded_do_not_make_the_index_too_long() {
    let (env, memory) = at_work();
    entry(&memory, "user_a.md", good("user", "a"), 1);
    entry(&memory, "user_late.md", good("user", "late"), 1);
    let index = |head: &str, tail: &str| {
        let mut text = format!("{head}# Memory\n");
        for number in 0..198 {
            let _ = writeln!(text, "- line {number}");
        }
        text + "- [user_a.md](user_a.md) — about a\n" + tail
    };
    let budget = "<!-- budget: ~1tk / 40000tk (0%) | updated: 2026-11-01 -->\n";
    for head in [
        "",
        budget,
        "---\ntitle: x\n---\n\n",
        "<!--\nnotes for people\n-->\n\n",
    ] {
        entry(&memory, "MEMORY.md", index(head, "\n\n\n"), 1);
        let report = check(&env, &["--json"]).json();
        assert!(!labels(&report).contains(&"INDEX TOO LONG"), "{head}");
        let late = "- [user_late.md](user_late.md) — about late\n";
        entry(&memory, "MEMORY.md", index(head, late), 1);
        let report = check(&env, &["--json"]).json();
        let over = report["issues"]
            .as_array()
            .unwrap()
            .iter()
            .find(|issue| issue["label"] == "INDEX TOO LONG")
            .unwrap();
        assert_eq!(over["lines"], 201);
        assert_eq!(over["cut_line"], 201 + head.lines().count(), "{head}");
        assert_eq!(over["falls_off"], serde_json::json!(["user_late.md"]));
        // Adding warns by the same count.
        let added = env.mnemo(&[
            "memory",
            "add",
            "--type",
            "user",
            "--name",
            "zebra",
            "--description",
            "stripes",
            "--dry-run",
            "--json",
        ]);
        let warned = added.json()["warnings"].to_string();
        assert!(warned.contains("index-too-large"), "{warned}");
    }
}

#[test]
fn a_budget_comment_is_found_wherever_it_stands_and_every_number_is_looked_at() {
    let (env, memory) = at_work();
    entry(&memory, "user_a.md", good("user", "a"), 1);
    let tokens = good("user", "a").len() * 10 / 32;
    let right = format!("<!-- budget: ~{tokens}tk / 40000tk (0%) | updated: 2026-01-02 -->");
    let mended = format!("<!-- budget: ~{tokens}tk / 40000tk (0%) | updated: 2026-11-30 -->");
    let line = format!("- [user_a.md](user_a.md) — about a `~{tokens}tk`\n");
    let rest = format!("# Memory\n{line}");
    let wrong = [
        format!("<!-- budget: ~{tokens}tk / 40000tk (7%) | updated: 2026-01-02 -->"),
        format!("<!-- budget: ~{tokens}tk / 20000tk (0%) | updated: 2026-01-02 -->"),
        format!(
            "<!-- budget: ~{}tk / 40000tk (0%) | updated: 2026-01-02 -->",
            tokens + 1
        ),
        format!("<!-- budget: ~{tokens} tk -->"),
        format!("<!--budget:~{tokens}tk/40000tk(99 %)-->"),
    ];
    for (before, after) in [("", &rest), ("# Title\n", &line), ("\n", &line)] {
        for comment in &wrong {
            let text = format!("{before}{comment}\n{after}");
            entry(&memory, "MEMORY.md", &text, 1);
            let report = check(&env, &["--json"]).json();
            assert!(labels(&report).contains(&"BUDGET COMMENT"), "{text}");
            check(&env, &["--update-budget"]).code(0);
            assert_eq!(
                fs::read_to_string(memory.join("MEMORY.md")).unwrap(),
                format!("{before}{mended}\n{after}"),
            );
        }
        let text = format!("{before}{right}\n{after}");
        entry(&memory, "MEMORY.md", &text, 1);
        let report = check(&env, &["--json"]).json();
        assert!(!labels(&report).contains(&"BUDGET COMMENT"), "{text}");
        check(&env, &["--update-budget"]).code(0);
        assert_eq!(fs::read_to_string(memory.join("MEMORY.md")).unwrap(), text);
    }
    // In a fence it is an example.
    let text = format!("# M\n```\n{}\n```\n{line}", wrong[0]);
    entry(&memory, "MEMORY.md", &text, 1);
    check(&env, &["--update-budget"]).code(0);
    assert_eq!(
        fs::read_to_string(memory.join("MEMORY.md")).unwrap(),
        format!("{mended}\n{text}")
    );
}

#[test]
fn a_token_count_with_words_behind_it_is_corrected_in_place() {
    let (env, memory) = at_work();
    let text = good("user", "a");
    entry(&memory, "user_a.md", &text, 1);
    let tokens = text.len() * 10 / 32;
    for (line, after) in [
        (
            "about a `~7tk` (pinned)",
            format!("about a `~{tokens}tk` (pinned)"),
        ),
        ("`~7tk` about a", format!("`~{tokens}tk` about a")),
        (
            "about a `~7tk` <!-- keep -->",
            format!("about a `~{tokens}tk` <!-- keep -->"),
        ),
        (
            "about a ~7tk <!-- keep -->",
            format!("about a ~{tokens}tk <!-- keep -->"),
        ),
        ("about a (~7tk)", format!("about a (~{tokens}tk)")),
        (
            "a call costs ~7tk at most",
            format!("a call costs ~7tk at most `~{tokens}tk`"),
        ),
    ] {
        let head = format!("<!-- budget: ~{tokens}tk / 40000tk (0%) | updated: 2026-01-02 -->\n");
        entry(
            &memory,
            "MEMORY.md",
            format!("{head}- [a](user_a.md) — {line}\n"),
            1,
        );
        check(&env, &["--update-budget"]).code(0);
        let now = fs::read_to_string(memory.join("MEMORY.md")).unwrap();
        assert_eq!(now, format!("{head}- [a](user_a.md) — {after}\n"));
        check(&env, &["--update-budget"]).code(0);
        assert_eq!(fs::read_to_string(memory.join("MEMORY.md")).unwrap(), now);
    }
}
