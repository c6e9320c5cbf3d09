//! `mnemo garden` from the plan to the last file: what is not proven or not approved is not done,
//! what is done is what was shown, and everything comes back.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    clippy::too_many_lines,
    clippy::format_push_string,
    reason = "tests make files, and a panic is how they fail"
)]

use mnemo_tests::env::Done;
use mnemo_tests::tree::{Node, Tree};
use mnemo_tests::{Cmd, TestEnv, bins};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::time::{Duration, SystemTime};

/// The labelled set: a memory, its project and a home.
struct Garden {
    env: TestEnv,
    set: PathBuf,
}

/// Bytes, modes and times of the memory.
type State = (Tree, BTreeMap<String, SystemTime>);

impl Garden {
    fn new() -> Self {
        let env = TestEnv::bare("work");
        let into = env.project().join("set");
        fs::create_dir(&into).unwrap();
        let archive = bins::workspace().join("crates/memory/tests/data/dev.tar.gz");
        let unpacked = Command::new("tar")
            .arg("xzf")
            .arg(archive)
            .arg("-C")
            .arg(&into)
            .status()
            .unwrap();
        assert!(unpacked.success());
        let set = into.join("dev");
        fs::create_dir(set.join("project/.git")).unwrap();
        let times: BTreeMap<String, String> =
            serde_json::from_slice(&fs::read(set.join("mtimes.json")).unwrap()).unwrap();
        for (name, time) in &times {
            let status = Command::new("touch")
                .arg("-d")
                .arg(time)
                .arg(set.join("memory").join(name))
                .status()
                .unwrap();
            assert!(status.success());
        }
        Self { env, set }
    }

    fn cmd(&self, args: &[&str]) -> Cmd {
        self.env
            .cmd("mnemo")
            .arg("garden")
            .args(args)
            .arg("--store")
            .arg(self.set.join("memory"))
            .arg("--project-root")
            .arg(self.set.join("project"))
            .env("CLAUDE_CONFIG_DIR", self.set.join("home/.claude"))
            .env("MNEMO_NOW", "2026-11-30T12:00:00")
            .cwd(self.env.project())
    }

    fn run(&self, args: &[&str]) -> Done {
        self.cmd(args).run()
    }

    /// Makes the plan anew.
    fn plan(&self) -> String {
        self.run(&["plan", "-o", "plan.yaml", "--force"]).ok();
        fs::read_to_string(self.plan_file()).unwrap()
    }

    fn plan_file(&self) -> PathBuf {
        self.env.project().join("plan.yaml")
    }

    fn write(&self, plan: &str) {
        fs::write(self.plan_file(), plan).unwrap();
    }

    fn state(&self) -> State {
        let memory = self.set.join("memory");
        let tree = Tree::of(&memory);
        let times = tree
            .0
            .iter()
            .filter(|(_, node)| matches!(node, Node::File(..)))
            .map(|(name, _)| {
                let meta = fs::metadata(memory.join(name)).unwrap();
                (name.clone(), meta.modified().unwrap())
            })
            .collect();
        (tree, times)
    }

    fn undo(&self) {
        self.env.cmd("mnemo").arg("undo").run().ok();
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.set.join("memory").join(name)).unwrap()
    }

    fn has(&self, name: &str) -> bool {
        self.set.join("memory").join(name).exists()
    }
}

/// A plan of one item for this memory.
fn one(garden: &Garden, item: &str) -> String {
    format!(
        "version: 1\nstore: {}\ndate: 2026-11-30\nentries:\n  - id: 1\n{item}",
        garden.set.join("memory").display()
    )
}

const ENDED: &str = "    entry: project-q3-goals.md
    verdict: Completed
    confidence: High
    action: archive
    evidence:
      - at: .local.claude/projects/q3-goals/STATUS.md:2
        quote: \"상태: 종료 (2026-10-02)\"
";

#[test]
fn what_was_approved_is_done_and_comes_back_byte_for_byte() {
    let garden = Garden::new();
    let old = garden.state();
    let plan = garden.plan();
    assert_eq!(garden.state(), old, "planning changes nothing");
    garden.run(&["check", "plan.yaml"]).ok();
    let preview = garden.run(&["preview", "plan.yaml"]).ok().out();
    assert_eq!(garden.state(), old, "a preview changes nothing");
    assert!(preview.contains("archive_reason: completed"), "{preview}");
    assert!(preview.contains("removed: project-card-api-block.md (584 bytes)"));
    assert!(preview.contains("MEMORY.md: 87 -> "), "{preview}");
    garden
        .run(&["apply", "plan.yaml", "--approve", "all", "--dry-run"])
        .ok();
    assert_eq!(garden.state(), old, "a dry run changes nothing");
    let done = garden
        .run(&["apply", "plan.yaml", "--approve", "all", "--json"])
        .ok()
        .json();
    let count = |action: &str| {
        let all = done["actions"].as_array().unwrap();
        all.iter().filter(|one| one["action"] == action).count()
    };
    assert!(count("archive") >= 5 && count("delete") >= 5 && count("merge") >= 4);
    let archived = garden.text("_archive/2026-11/project-q3-goals.md");
    assert!(archived.contains("archived: 2026-11-30\n"));
    assert!(archived.contains("archive_reason: completed\n"));
    assert!(archived.contains("original_name: project-q3-goals.md\n"));
    assert!(!garden.has("project-q3-goals.md") && !garden.has("project-card-api-block.md"));
    let index = garden.text("MEMORY.md");
    assert!(!index.contains("project-q3-goals.md"));
    for gate in plan
        .lines()
        .filter_map(|line| line.strip_prefix("    file: "))
    {
        assert!(garden.text(gate).contains("\nmeta_gate: true\n"));
        assert!(index.contains(&format!("- ★ [{gate}]({gate})")), "{index}");
    }
    // Lines that nothing was approved for are as they were.
    let before = String::from_utf8(bytes(&old, "MEMORY.md")).unwrap();
    let kept = before.lines().filter(|line| index.contains(line)).count();
    assert!(kept >= 60);
    // The archive of before is untouched.
    for (name, node) in old
        .0
        .0
        .iter()
        .filter(|(name, _)| name.starts_with("_archive/"))
    {
        if matches!(node, Node::File(..)) {
            assert_eq!(garden.state().0.0.get(name), Some(node));
        }
    }
    garden.undo();
    assert_eq!(garden.state(), old);
}

fn bytes(state: &State, name: &str) -> Vec<u8> {
    match &state.0.0[name] {
        Node::File(_, bytes) => bytes.clone(),
        other => panic!("{name}: {other:?}"),
    }
}

#[test]
fn a_forged_plan_is_refused_with_the_reason() {
    let garden = Garden::new();
    let old = garden.state();
    let twice = format!(
        "{ENDED}  - id: 1\n    entry: user_role.md\n    verdict: Active\n    confidence: High\n"
    );
    let again = format!("{ENDED}  - id: 2\n{ENDED}");
    let edit = |line: u32, was: &str, new: &str| {
        format!(
            "    entry: user_editor_env.md\n    verdict: Outdated\n    confidence: High\n    evidence:\n      - at: package.json:5\n        quote: '\"node\": \">=22\"'\n    edits:\n      - line: {line}\n        old: \"{was}\"\n        new: \"{new}\"\n"
        )
    };
    let lines: Vec<String> = garden
        .text("user_editor_env.md")
        .lines()
        .map(str::to_owned)
        .collect();
    let at = |start: &str| {
        let place = lines
            .iter()
            .position(|line| line.trim_start().starts_with(start));
        let place = place.unwrap();
        (u32::try_from(place).unwrap() + 1, lines[place].clone())
    };
    let (name_line, name) = at("name:");
    let (type_line, kind) = at("type:");
    let secret = format!("AKIA{}", "IOSFODNN7EXAMPL1");
    let (body_line, body) = (lines.len(), lines.last().unwrap().clone());
    let last = body.rsplit_once(' ').unwrap().0;
    for (what, item, reason) in [
        ("duplicate ids", twice, "the number stands 2 times"),
        ("an entry twice", again, "judged more than once"),
        (
            "a path outside",
            ENDED.replace("project-q3-goals.md\n", "../project/CLAUDE.md\n"),
            "leads out of the memory",
        ),
        (
            "an absolute path",
            ENDED.replace("project-q3-goals.md\n", "/etc/passwd.md\n"),
            "leads out of the memory",
        ),
        (
            "the archive",
            ENDED.replace("project-q3-goals.md\n", "_archive/2026-08/x.md\n"),
            "the archive is never changed",
        ),
        (
            "the index",
            ENDED.replace("project-q3-goals.md\n", "MEMORY.md\n"),
            "the index is not an entry",
        ),
        (
            "an archived target",
            ENDED
                .replace("Completed", "Duplicate")
                .replace("action: archive", "target: _archive/2026-08/x.md"),
            "the archive is never changed",
        ),
        (
            "a target outside",
            ENDED
                .replace("Completed", "Duplicate")
                .replace("action: archive", "target: ../x.md"),
            "leads out of the memory",
        ),
        (
            "a user entry removed",
            ENDED.replace("project-q3-goals.md\n", "user_role.md\n"),
            "user",
        ),
        (
            "an action that does not follow",
            ENDED
                .replace("Completed", "Stale")
                .replace("archive", "delete"),
            "delete is not done with an entry that is Stale",
        ),
        (
            "evidence outside",
            ENDED.replace(
                ".local.claude/projects/q3-goals/STATUS.md:2",
                "../../../etc/passwd:1",
            ),
            "leads out of the project",
        ),
        (
            "another name",
            edit(name_line, &name, "name: other"),
            "name and type are never changed",
        ),
        (
            "another type",
            edit(type_line, kind.trim_start(), "type: project"),
            "name and type are never changed",
        ),
        (
            "a secret",
            edit(u32::try_from(body_line).unwrap(), &body, &secret),
            "looks like a secret",
        ),
        (
            "a secret with what stands before it",
            edit(u32::try_from(body_line).unwrap(), last, "key AKIA")
                + &format!(
                    "      - line: {body_line}\n        old: \"{}\"\n        new: \"IOSFODNN7EXAMPL1\"\n",
                    &body[last.len()..]
                ),
            "would hold what looks like a secret",
        ),
        (
            "what no preview shows",
            edit(u32::try_from(body_line).unwrap(), &body, "81\\e[31m"),
            "control characters",
        ),
        (
            "new words for a line that goes",
            edit(u32::try_from(body_line).unwrap(), &body, "other") + "        remove: true\n",
            "leave one out",
        ),
    ] {
        garden.write(&one(&garden, &item));
        let check = garden.run(&["check", "plan.yaml"]).code(4);
        assert!(check.out().contains(reason), "{what}: {}", check.out());
        garden.run(&["preview", "plan.yaml"]).code(4);
        let apply = garden
            .run(&["apply", "plan.yaml", "--approve", "all"])
            .code(4);
        assert!(apply.err().contains(reason), "{what}: {}", apply.err());
        let json = garden
            .run(&["apply", "plan.yaml", "--approve", "1", "--json"])
            .code(4)
            .json();
        assert!(json["refused"].to_string().contains(reason), "{what}");
        assert_eq!(garden.state(), old, "{what}");
    }
    // Another memory's plan.
    garden.write(&one(&garden, ENDED).replace("/memory\n", "/project\n"));
    let check = garden.run(&["check", "plan.yaml"]).code(4);
    assert!(check.out().contains("name it with --store"));
    // No plan at all, and one with a slip of the pen.
    garden.write(&one(&garden, &ENDED.replace("evidence:", "evidense:")));
    let check = garden.run(&["check", "plan.yaml"]).code(3);
    assert!(
        check.err().contains("evidense") && check.err().contains("line"),
        "{}",
        check.err()
    );
    garden.run(&["check", "none.yaml"]).code(3);
    assert_eq!(garden.state(), old);
}

#[test]
fn what_is_not_proven_is_demoted_and_never_done() {
    let garden = Garden::new();
    let old = garden.state();
    let quote = "\"상태: 종료 (2026-10-02)\"";
    for (what, item, verdict, kind) in [
        (
            "a false quote",
            ENDED.replace(quote, "\"상태: 진행 중 (2026-10-02)\""),
            "Stale",
            "false-quote",
        ),
        (
            "words",
            ENDED.replace(
                "- at: .local.claude/projects/q3-goals/STATUS.md:2\n        quote: \"상태: 종료 (2026-10-02)\"",
                "- checked the system",
            ),
            "Stale",
            "abstract",
        ),
        (
            "a path without words",
            ENDED.replace(&format!("\n        quote: {quote}"), ""),
            "Stale",
            "no-quote",
        ),
        (
            "words that stand anywhere",
            ENDED.replace(quote, "\":\""),
            "Stale",
            "no-quote",
        ),
        (
            "nothing",
            ENDED.split("    evidence").next().unwrap().to_owned(),
            "Stale",
            "no-evidence",
        ),
        ("a guess", ENDED.replace("High", "Low"), "Stale", "low"),
        (
            "a path that is gone",
            ENDED.replace("STATUS.md:2", "GONE.md:2"),
            "Outdated",
            "missing-path",
        ),
        (
            "a promotion without a rule",
            ENDED.replace("Completed", "Promoted").replace("archive", "delete"),
            "Stale",
            "wrong-evidence",
        ),
        (
            "an entry that is not there",
            ENDED.replace("project-q3-goals.md\n", "project-none.md\n"),
            "Stale",
            "gone",
        ),
    ] {
        garden.write(&one(&garden, &item));
        let check = garden.run(&["check", "plan.yaml", "--json"]).code(1).json();
        assert_eq!(check["items"][0]["verdict"], verdict, "{what}");
        assert_eq!(check["items"][0]["findings"][0]["kind"], kind, "{what}");
        assert_eq!(check["items"][0]["action"], "keep", "{what}");
        garden.run(&["preview", "plan.yaml"]).ok();
        let apply = garden.run(&["apply", "plan.yaml", "--approve", "1"]).code(4);
        assert!(apply.err().contains("nothing was changed"), "{what}");
        let all = garden.run(&["apply", "plan.yaml", "--approve", "all"]);
        if kind == "false-quote" {
            all.code(4);
        } else {
            all.ok();
            // What was judged is noted, nothing else.
            fs::remove_file(garden.set.join("memory/.mnemo-garden.jsonl")).unwrap();
        }
        assert_eq!(garden.state(), old, "{what}");
    }
    // A moved line is found again, and said so.
    garden.write(&one(&garden, &ENDED.replace("STATUS.md:2", "STATUS.md:1")));
    let check = garden.run(&["check", "plan.yaml", "--json"]).ok().json();
    assert_eq!(check["items"][0]["findings"][0]["kind"], "moved-line");
    assert_eq!(check["items"][0]["verdict"], "Completed");
}

#[test]
fn conflicts_are_settled_by_the_rules() {
    let garden = Garden::new();
    let verdict = |item: &str| {
        garden.write(&one(&garden, item));
        let check = garden.run(&["check", "plan.yaml", "--json"]).json();
        let item = check["items"][0].clone();
        (
            item["verdict"].as_str().unwrap().to_owned(),
            item["action"].as_str().unwrap().to_owned(),
        )
    };
    let also = |item: &str, also: &str| format!("{item}    also: [{also}]\n");
    let resolved = ENDED
        .replace("Completed", "Resolved")
        .replace("    action: archive\n", "");
    assert_eq!(
        verdict(&also(&resolved, "Completed")),
        ("Completed".to_owned(), "archive".to_owned())
    );
    let promoted = "    entry: feedback_no_float_money.md
    verdict: Promoted
    confidence: High
    evidence:
      - at: .claude/rules/money.md:3
        quote: \"부동소수점 타입은 금지\"
";
    assert_eq!(
        verdict(promoted),
        ("Promoted".to_owned(), "delete".to_owned())
    );
    assert_eq!(
        verdict(&also(promoted, "Active")),
        ("Active".to_owned(), "keep".to_owned())
    );
    let trimmed = format!(
        "{}    edits:\n      - line: 9\n        old: x\n        remove: true\n",
        also(promoted, "Active")
    );
    let line = garden.text("feedback_no_float_money.md");
    let line = line.lines().nth(8).unwrap().to_owned();
    assert_eq!(
        verdict(&trimmed.replace(
            "old: x",
            &format!("old: {}", serde_json::to_string(&line).unwrap())
        )),
        ("Active".to_owned(), "edit".to_owned())
    );
    let copy = "    entry: reference_settle_cutoff_copy.md
    verdict: Duplicate
    confidence: High
    target: reference_settle_cutoff.md
    evidence:
      - at: memory/reference_settle_cutoff.md:7
        quote: \"자정 이후 주문도 4시 전이면 전날 매출이다\"
";
    assert_eq!(verdict(copy), ("Duplicate".to_owned(), "merge".to_owned()));
    assert_eq!(
        verdict(&also(copy, "Consolidate")),
        ("Consolidate".to_owned(), "keep".to_owned())
    );
    // Outdated too: the newer of both stays, whichever the plan names.
    let set = |name: &str, day: &str| {
        Command::new("touch")
            .args(["-d", day])
            .arg(garden.set.join("memory").join(name))
            .status()
            .unwrap();
    };
    set("reference_settle_cutoff.md", "2026-01-02");
    set("reference_settle_cutoff_copy.md", "2026-11-02");
    let keeper = format!(
        "{}  - id: 2\n    entry: reference_settle_cutoff.md\n    verdict: Active\n    confidence: High\n",
        also(copy, "Outdated")
    );
    let checked = || {
        garden.write(&one(&garden, &keeper));
        garden.run(&["check", "plan.yaml", "--json"]).json()
    };
    // The newer one says less: nothing is archived for it.
    let check = checked();
    assert_eq!(check["items"][0]["verdict"], "Stale");
    assert_eq!(check["items"][1]["action"], "keep");
    let memory = garden.set.join("memory");
    fs::copy(
        memory.join("reference_settle_cutoff.md"),
        memory.join("reference_settle_cutoff_copy.md"),
    )
    .unwrap();
    set("reference_settle_cutoff_copy.md", "2026-11-02");
    let check = checked();
    assert_eq!(check["items"][0]["action"], "keep");
    assert_eq!(check["items"][1]["action"], "merge");
    assert_eq!(
        check["items"][1]["target"],
        "reference_settle_cutoff_copy.md"
    );
}

#[test]
fn only_what_was_previewed_is_done() {
    let garden = Garden::new();
    let old = garden.state();
    let plan = garden.plan();
    let apply = |reason: &str| {
        let done = garden
            .run(&["apply", "plan.yaml", "--approve", "all"])
            .code(4);
        assert!(done.err().contains(reason), "{}", done.err());
    };
    apply("not previewed yet");
    garden.run(&["preview", "plan.yaml"]).ok();
    garden.write(&format!("{plan}# a word more\n"));
    apply("edited after its preview");
    garden.write(&plan);
    let entry = garden.set.join("memory/project-q3-goals.md");
    let text = fs::read(&entry).unwrap();
    let time = fs::metadata(&entry).unwrap().modified().unwrap();
    fs::write(&entry, [&text[..], b"\nmore\n"].concat()).unwrap();
    apply("changed since the preview: ");
    fs::write(&entry, &text).unwrap();
    let file = fs::File::options().write(true).open(&entry).unwrap();
    file.set_modified(time).unwrap();
    // The evidence is gone: it is proven again before anything is done.
    let status = garden
        .set
        .join("project/.local.claude/projects/q3-goals/STATUS.md");
    let said = fs::read(&status).unwrap();
    fs::write(&status, "상태: 진행\n").unwrap();
    apply("what the plan rests on has changed");
    fs::write(&status, said).unwrap();
    // Another day.
    let other = garden
        .cmd(&["apply", "plan.yaml", "--approve", "all"])
        .env("MNEMO_NOW", "2026-12-01T12:00:00")
        .run()
        .code(4);
    assert!(other.err().contains("previe"), "{}", other.err());
    assert_eq!(garden.state(), old);
    garden
        .run(&["apply", "plan.yaml", "--approve", "Completed"])
        .ok();
    assert!(!garden.has("project-q3-goals.md") && garden.has("project-card-api-block.md"));
    garden.undo();
    assert_eq!(garden.state(), old);
}

#[test]
fn contradictions_need_their_own_number_and_bad_approvals_do_nothing() {
    let garden = Garden::new();
    let plan = garden.plan();
    assert!(
        plan.contains("contradictions: none of these entries"),
        "{plan}"
    );
    // The losing side, with its edit written.
    let path = "reference_settle_retry_old.md";
    let item = plan
        .split("  - id: ")
        .find(|item| item.contains(path) && item.contains("verdict: Outdated"))
        .unwrap();
    let id = item.lines().next().unwrap().to_owned();
    let edited = item.replace(
        "        new:\n",
        "        new: \"3 times, 10 minutes apart\"\n",
    );
    assert_ne!(edited, item);
    garden.write(&plan.replace(item, &edited));
    let preview = garden.run(&["preview", "plan.yaml", "--json"]).ok().json();
    let own: Vec<String> = preview["own_number"]
        .as_array()
        .unwrap()
        .iter()
        .map(ToString::to_string)
        .collect();
    assert!(own.contains(&id), "{own:?}");
    let before = garden.text(path);
    for approve in ["all", "Outdated", &format!("{id}-{id}")] {
        garden
            .run(&["apply", "plan.yaml", "--approve", approve])
            .ok();
        assert_eq!(garden.text(path), before, "{approve}");
        garden.run(&["preview", "plan.yaml"]).ok();
    }
    garden.write(&garden_plan_of(&garden, &id, path));
    garden.run(&["preview", "plan.yaml"]).ok();
    for (approve, code) in [("9999", 4), ("Stale", 2), ("x", 2), ("", 2), ("5-3", 2)] {
        garden
            .run(&["apply", "plan.yaml", "--approve", approve])
            .code(code);
    }
    assert_eq!(garden.text(path), before);
    garden.run(&["apply", "plan.yaml", "--approve", &id]).ok();
    assert!(garden.text(path).contains("3 times, 10 minutes apart"));
}

/// The plan of what is left, with the one edit written again.
fn garden_plan_of(garden: &Garden, id: &str, path: &str) -> String {
    let plan = garden.plan();
    let item = plan
        .split("  - id: ")
        .find(|item| item.contains(&format!("entry: {path}")))
        .unwrap()
        .to_owned();
    let number = item.lines().next().unwrap();
    let edited = item
        .replace(
            "        new:\n",
            "        new: \"3 times, 10 minutes apart\"\n",
        )
        .replacen(number, "7001", 1);
    plan.replace(&item, &edited)
        .replace(&format!("  - id: {id}\n"), "  - id: 7002\n")
        .replace("  - id: 7001\n", &format!("  - id: {id}\n"))
}

#[test]
fn a_merge_takes_over_what_was_written_and_entries_keep_their_line_ends() {
    let garden = Garden::new();
    let old = garden.text("reference_settle_cutoff.md");
    garden.write(&one(
        &garden,
        "    entry: reference_settle_cutoff_copy.md
    verdict: Duplicate
    confidence: High
    target: reference_settle_cutoff.md
    append: \"One line more.\\nAnd another.\"
    evidence:
      - at: memory/reference_settle_cutoff.md:7
        quote: \"자정 이후 주문도 4시 전이면 전날 매출이다\"
",
    ));
    garden.run(&["preview", "plan.yaml"]).ok();
    garden.run(&["apply", "plan.yaml", "--approve", "1"]).ok();
    let new = garden.text("reference_settle_cutoff.md");
    let end = if old.contains("\r\n") { "\r\n" } else { "\n" };
    assert_eq!(
        new,
        format!("{old}{end}One line more.{end}And another.{end}")
    );
    assert!(
        garden
            .text("_archive/2026-11/reference_settle_cutoff_copy.md")
            .contains("archive_reason: duplicate")
    );
    // What was decided is kept, for this user only.
    let runs = garden.text(".mnemo-garden.jsonl");
    assert!(runs.contains("\"verdict\":\"Duplicate\""), "{runs}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let file = garden.set.join("memory/.mnemo-garden.jsonl");
        let mode = fs::metadata(file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    // The same plan again: there is nothing left to do, and nothing breaks.
    let said = garden.run(&["check", "plan.yaml"]).ok().out();
    assert!(said.contains("done already (merge)"), "{said}");
}

/// A small memory with one of each action, and its plan.
fn small() -> (TestEnv, String) {
    let env = TestEnv::bare("work");
    let mut index = String::from("# Index\n");
    let mut plan = format!(
        "version: 1\nstore: {}\ndate: 2026-11-30\n",
        env.project().join("store").display()
    );
    let mut entries = String::from("entries:\n");
    for (id, (name, verdict, more)) in [
        ("project_ended", "Completed", ""),
        ("project_solved", "Resolved", ""),
        (
            "reference_twice",
            "Duplicate",
            "    target: reference_once.md\n    append: More.\n",
        ),
        (
            "reference_old",
            "Outdated",
            "    edits:\n      - line: 7\n        old: is so\n        new: was so\n",
        ),
        ("reference_once", "Active", ""),
        ("reference_d1", "Consolidate", "    group: d\n"),
        ("reference_d2", "Consolidate", "    group: d\n"),
        ("reference_d3", "Consolidate", "    group: d\n"),
    ]
    .into_iter()
    .enumerate()
    {
        let kind = name.split('_').next().unwrap();
        env.write(
            format!("store/{name}.md"),
            format!("---\nname: {name}\ndescription: About {name}\ntype: {kind}\n---\n\nWhat {name} says is so. All of it is done and closed.\n"),
        );
        let shown = if verdict == "Duplicate" {
            "reference_once"
        } else {
            name
        };
        index += &format!("- [{name}.md]({name}.md) — About {name} `~9tk`\n");
        entries += &format!(
            "  - id: {}\n    entry: {name}.md\n    verdict: {verdict}\n    confidence: High\n{more}    evidence:\n      - at: memory/{shown}.md:7\n        quote: All of it is done and closed\n",
            id + 1
        );
    }
    env.write("store/MEMORY.md", index);
    plan += "gates:\n  - id: 20\n    group: d\n    file: reference_d.md\n    name: d\n    description: The way into d\n";
    plan += &entries;
    env.write("plan.yaml", plan);
    let store = env.project().join("store").display().to_string();
    (env, store)
}

#[test]
fn killed_at_any_point_the_memory_is_as_before_or_as_after() {
    let (env, store) = small();
    let cmd = |args: &[&str]| {
        env.cmd("mnemo")
            .arg("garden")
            .args(args)
            .args(&["--store", &store])
            .env("MNEMO_NOW", "2026-11-30T12:00:00")
            .cwd(env.project())
    };
    let apply = || cmd(&["apply", "plan.yaml", "--approve", "all"]);
    let state = || Tree::of(std::path::Path::new(&store));
    let undo = || env.cmd("mnemo").arg("undo").run().ok();
    let old = state();
    cmd(&["preview", "plan.yaml"]).run().ok();
    let started = SystemTime::now();
    let done = apply().run().ok().out();
    let whole = started.elapsed().unwrap();
    for action in ["archive", "delete", "merge", "edit", "gate"] {
        assert!(done.contains(action), "{done}");
    }
    let new = state();
    undo();
    assert_eq!(state(), old);
    let (mut before, mut after) = (0, 0);
    let mut random = 1_u64;
    for _ in 0..200 {
        let running = apply().start();
        random = random * 48_271 % 2_147_483_647;
        // From its start to a little past its end.
        let share = u32::try_from(random % 1200).unwrap();
        std::thread::sleep(whole * share / 1000);
        running.kill();
        // Any command brings it to an end.
        env.cmd("mnemo").args(&["undo", "--list"]).run().ok();
        let now = state();
        if now == old {
            before += 1;
        } else {
            assert_eq!(now, new);
            after += 1;
            undo();
            assert_eq!(state(), old);
        }
    }
    assert!(before > 0 && after > 0, "{before} {after}");
}

#[test]
fn stores_with_little_in_them_are_no_error() {
    let env = TestEnv::bare("work");
    for (name, files) in [
        ("empty", vec![]),
        ("index", vec![("MEMORY.md", "# Memory\n")]),
        (
            "entries",
            vec![(
                "user_a.md",
                "---\nname: a\ndescription: A\ntype: user\n---\n\nBody\n",
            )],
        ),
    ] {
        let store = env.project().join(name);
        fs::create_dir_all(&store).unwrap();
        for (file, text) in files {
            fs::write(store.join(file), text).unwrap();
        }
        let cmd = |args: &[&str]| {
            env.cmd("mnemo")
                .arg("garden")
                .args(args)
                .arg("--store")
                .arg(&store)
                .cwd(env.project())
                .limit(Duration::from_secs(60))
                .run()
        };
        let plan = format!("{name}.yaml");
        cmd(&["plan", "-o", &plan]).ok();
        cmd(&["check", &plan]).ok();
        cmd(&["preview", &plan]).ok();
        cmd(&["apply", &plan, "--approve", "all"]).ok();
        cmd(&["plan", "-o", &plan]).code(4);
        cmd(&["plan", "-o", &format!("{name}/x.md")]).code(4);
    }
}

/// The second run leaves alone what the gate of the first one leads to; rules that are asked or
/// planned take nothing over.
#[test]
fn a_gate_does_not_take_its_entries_in_and_a_plan_is_no_rule() {
    let env = TestEnv::named("work");
    let store = env.project().join("store");
    fs::create_dir_all(&store).unwrap();
    let mut index = String::from("# Memory\n\n");
    for (kind, name, said, body) in [
        (
            "reference",
            "insurer_a",
            "Insurer AniSafe wants XML",
            "AniSafe takes claims only as XML by SFTP.",
        ),
        (
            "reference",
            "insurer_b",
            "Insurer PetPlus wants PDF",
            "PetPlus takes claims as PDF by mail.",
        ),
        (
            "reference",
            "insurer_c",
            "Insurer Mutual has a form",
            "Furry Mutual takes claims through its web form.",
        ),
        (
            "feedback",
            "tests",
            "Test first",
            "Write a failing test before each fix.",
        ),
    ] {
        let text = format!("---\nname: {name}\ndescription: {said}\ntype: {kind}\n---\n\n{body}\n");
        fs::write(store.join(format!("{kind}_{name}.md")), text).unwrap();
        let _ = writeln!(index, "- [{kind}_{name}.md]({kind}_{name}.md) — {said}");
    }
    fs::write(store.join("MEMORY.md"), index).unwrap();
    env.write("CLAUDE.md", "- Should we write a failing test before each fix?\n- We plan to write a failing test before each fix.\n");
    let garden = |args: &[&str]| {
        let cmd = env
            .cmd("mnemo")
            .arg("garden")
            .args(args)
            .arg("--store")
            .arg(&store);
        cmd.cwd(env.project()).limit(Duration::from_secs(60)).run()
    };
    for _ in 0..2 {
        garden(&["plan", "-o", "plan.yaml", "--force"]).ok();
        garden(&["preview", "plan.yaml"]).ok();
        garden(&["apply", "plan.yaml", "--approve", "all"]).ok();
    }
    for name in [
        "reference_insurer_a",
        "reference_insurer_b",
        "reference_insurer_c",
        "feedback_tests",
    ] {
        assert!(store.join(format!("{name}.md")).is_file(), "{name}");
    }
    assert!(store.join("reference_insurer-overview.md").is_file());
}

/// A file that was asked for and is not made is no success.
#[test]
fn a_report_of_no_memory_is_told_and_missed_where_a_file_was_wished() {
    let env = TestEnv::named("work");
    let before = env.tree();
    for args in [
        &["garden", "plan"][..],
        &["garden", "report"],
        &["garden", "scan"],
        &["check"],
    ] {
        let done = env.mnemo(args).ok();
        assert!(done.out().contains("there is no memory yet"), "{done:?}");
    }
    for args in [
        &["garden", "plan", "-o", "plan.yaml"][..],
        &["garden", "report", "-o", "report.md"],
        &["garden", "report", "--html", "report.html"],
        &["check", "--html", "check.html"],
    ] {
        let done = env.mnemo(args).code(3);
        assert!(done.err().contains("there is no memory yet"), "{done:?}");
    }
    assert_eq!(env.tree(), before);
}

#[test]
fn grouping_moves_lines_only_and_comes_back() {
    let garden = Garden::new();
    let old = garden.state();
    let index = garden.text("MEMORY.md");
    let done = garden.run(&["group", "--by", "activity", "--apply"]).ok();
    assert!(done.out().contains("flat is best"), "{}", done.out());
    assert_eq!(garden.state(), old, "a small index stays flat");
    let by_type = garden.run(&["group", "--by", "type"]).ok().out();
    assert!(by_type.contains("already grouped"), "{by_type}");
    garden
        .run(&["group", "--by", "activity", "--apply", "--force"])
        .ok();
    let grouped = garden.text("MEMORY.md");
    let lines = |text: &str| {
        let mut lines: Vec<String> = text
            .lines()
            .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
            .map(str::to_owned)
            .collect();
        lines.sort();
        lines
    };
    assert_eq!(lines(&grouped), lines(&index));
    let mut sections = grouped.split("\n## ").skip(1);
    assert!(sections.all(|section| section.contains("\n- ") || section.contains("\n* ")));
    assert!(grouped.contains("## ★ gate\n") && grouped.contains("## active\n"));
    assert!(grouped.lines().count() <= 200);
    let again = garden
        .run(&["group", "--by", "activity", "--force", "--json"])
        .ok()
        .json();
    assert_eq!(again["advice"], "already-grouped");
    assert_eq!(again["moved"], 0);
    garden.undo();
    assert_eq!(garden.state(), old);
    garden
        .env
        .write("domains.yaml", "정산: ['*settle*', vat]\nTSE: [tse]\n");
    garden
        .run(&["group", "--by", "domains.yaml", "--apply", "--force"])
        .ok();
    let grouped = garden.text("MEMORY.md");
    assert_eq!(lines(&grouped), lines(&index));
    let own = grouped.split("\n## 정산\n").nth(1).unwrap();
    let own = own.split("\n## ").next().unwrap();
    assert!(own.contains("reference_settle_cutoff.md") && !own.contains("user_role.md"));
    garden.undo();
    garden.env.write("bad.yaml", "- x\n");
    garden.run(&["group", "--by", "bad.yaml"]).code(3);
    garden.run(&["group", "--by", "none.yaml"]).code(3);
    assert_eq!(garden.state(), old);
}

#[test]
fn finishing_mends_links_and_orphans_and_asks_before_many() {
    let garden = Garden::new();
    garden.plan();
    garden.run(&["preview", "plan.yaml"]).ok();
    garden.run(&["apply", "plan.yaml", "--approve", "all"]).ok();
    let tended = garden.state();
    let look = garden.run(&["finish", "--json"]).code(1).json();
    assert_eq!(garden.state(), tended, "looking changes nothing");
    let dead = look["dead_links"].as_array().unwrap().len();
    assert!(dead > 10, "{dead}");
    assert!(look["cause"].as_str().unwrap().contains("archived"));
    assert!(!look["orphans"].as_array().unwrap().is_empty());
    assert!(look["last_run"]["archive"].as_u64().unwrap() >= 5);
    // So many need a word of their own.
    let first = garden.run(&["finish", "--apply", "--json"]).code(1).json();
    assert_eq!(first["dead_links"].as_array().unwrap().len(), dead);
    assert_eq!(first["orphans"].as_array().unwrap().len(), 0);
    let second = garden
        .run(&["finish", "--apply", "--dead-links", "--json"])
        .code(1)
        .json();
    assert_eq!(
        second["dead_links"].as_array().unwrap().len(),
        0,
        "{second}"
    );
    // What damaged frontmatter there is, only a person can mend.
    assert!(!second["frontmatter"].as_array().unwrap().is_empty());
    assert!(
        garden
            .text("project-q4-goals.md")
            .contains("_archive/2026-11/project-q3-goals")
    );
    garden.undo();
    garden.undo();
    assert_eq!(garden.state(), tended);
}

#[test]
fn what_is_stale_twice_is_told() {
    let garden = Garden::new();
    let line = |day: &str, entry: &str, verdict: &str| {
        format!("{{\"date\":\"{day}\",\"entry\":\"{entry}\",\"verdict\":\"{verdict}\"}}\n")
    };
    fs::write(
        garden.set.join("memory/.mnemo-garden.jsonl"),
        [
            line("2026-10-01", "a.md", "Stale"),
            line("2026-10-01", "b.md", "Stale"),
            "damaged\n".to_owned(),
            line("2026-11-01", "a.md", "Stale"),
            line("2026-11-01", "c.md", "Stale"),
        ]
        .concat(),
    )
    .unwrap();
    let look = garden.run(&["finish", "--json"]).code(1).json();
    assert_eq!(look["stale_again"], serde_json::json!(["a.md"]));
    assert_eq!(look["open_stale"], serde_json::json!(["a.md", "c.md"]));
}

#[test]
fn the_page_holds_no_markup_of_entries() {
    let env = TestEnv::bare("work");
    let bad = "<script>alert(1)</script>\"'&";
    for name in ["project_a", "project_b"] {
        env.write(
            format!("store/{name}.md"),
            format!(
                "---\nname: {name}\ndescription: '{}'\ntype: project\n---\n\n{bad} see [[project_a]] and [[project_b]]\n",
                bad.replace('\'', "")
            ),
        );
    }
    let cmd = |args: &[&str]| {
        env.cmd("mnemo")
            .args(&["garden", "report", "--store", "store"])
            .args(args)
            .cwd(env.project())
            .run()
    };
    cmd(&["--html", "page.html", "-o", "page.md"]).ok();
    let page = fs::read_to_string(env.project().join("page.html")).unwrap();
    assert!(
        page.contains("<svg viewBox") && page.contains("project_a"),
        "{page}"
    );
    assert!(!page.contains("<script") && !page.contains("http://"));
    let text = fs::read_to_string(env.project().join("page.md")).unwrap();
    assert!(text.contains("project_a") && !text.contains("<script"));
    cmd(&["--html", "page.html"]).code(4);
    cmd(&["--html", "page.html", "--force"]).ok();
}

/// `mnemo garden` on the store of [`small`].
fn on_small(env: &TestEnv, args: &[&str]) -> Done {
    let cmd = env.cmd("mnemo").arg("garden").args(args);
    let cmd = cmd.args(&["--store", "store", "--project-root", "."]);
    cmd.env("MNEMO_NOW", "2026-11-30T12:00:00").run()
}

fn text_of(env: &TestEnv, name: &str) -> String {
    fs::read_to_string(env.project().join(name)).unwrap()
}

#[test]
fn lines_that_go_on_with_an_entrys_line_go_with_it() {
    let (env, _) = small();
    let index = text_of(&env, "store/MEMORY.md");
    let with = |name: &str, more: &str| {
        let line = format!("- [{name}.md]({name}.md) — About {name} `~9tk`\n");
        (line.clone(), format!("{line}{more}"))
    };
    let (solved, solved_more) = with("project_solved", "  more about it\n\t- and a note\n");
    let (ended, ended_more) = with("project_ended", "  see [d1](reference_d1.md)\n");
    let index = index.replace(&solved, &solved_more);
    env.write("store/MEMORY.md", index.replace(&ended, &ended_more));
    let before = env.tree();
    let shown = on_small(&env, &["preview", "plan.yaml"]).ok().out();
    assert!(shown.contains("-  more about it"), "{shown}");
    assert!(
        shown.contains("goes on with a line about another entry"),
        "{shown}"
    );
    on_small(&env, &["apply", "plan.yaml", "--approve", "1,2"]).ok();
    let after = text_of(&env, "store/MEMORY.md");
    assert!(
        !after.contains("project_solved") && !after.contains("and a note"),
        "{after}"
    );
    assert!(
        after.contains(&ended_more),
        "what speaks of others stays: {after}"
    );
    env.mnemo(&["undo"]).ok();
    assert_eq!(env.tree(), before);
}

#[test]
fn a_plan_in_parts_is_one_run_and_what_is_done_is_done() {
    let (env, _) = small();
    let part = |approve: &str| {
        on_small(&env, &["preview", "plan.yaml"]).ok();
        on_small(&env, &["apply", "plan.yaml", "--approve", approve]).ok()
    };
    part("1");
    part("2");
    part("20");
    let said = on_small(&env, &["check", "plan.yaml"]).ok().out();
    assert!(
        said.contains("done already (archive)") && said.contains("done already (delete)"),
        "{said}"
    );
    assert!(!said.contains("Stale"), "{said}");
    let said = part("all").out();
    assert!(
        !said.contains("left out 1") && !said.contains("left out 20"),
        "{said}"
    );
    let look = on_small(&env, &["finish", "--json"]).json();
    assert_eq!(look["stale_again"], serde_json::json!([]), "{look}");
    assert_eq!(look["open_stale"], serde_json::json!([]), "{look}");
    let ran = &look["last_run"];
    let counts = ["archive", "delete", "gate", "merge", "edit"].map(|what| ran[what].as_u64());
    assert_eq!(counts, [Some(1); 5], "{look}");
    assert_eq!(look["index_lines_before"], 9, "{look}");
    let said = on_small(&env, &["finish"]).out();
    for part in [
        "gate 1",
        "MEMORY.md 9 -> ",
        "judged, project: Completed 1, Resolved 1",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
    // Each part comes back by itself, and is to be done again then.
    for _ in 0..4 {
        env.mnemo(&["undo"]).ok();
    }
    let said = on_small(&env, &["check", "plan.yaml"]).ok().out();
    assert!(!said.contains("done already"), "{said}");
}

#[test]
fn a_run_in_which_nothing_is_done_is_noted_once() {
    let env = TestEnv::bare("work");
    env.write(
        "store/reference_a.md",
        "---\nname: a\ndescription: A\ntype: reference\n---\n\nA.\n",
    );
    env.write("store/MEMORY.md", "- [a](reference_a.md) — A\n");
    let run = |day: &str| {
        let step = |args: &[&str]| {
            let cmd = env.cmd("mnemo").arg("garden").args(args);
            let cmd = cmd.args(&["--store", "store", "--project-root", "."]);
            cmd.env("MNEMO_NOW", format!("{day}T12:00:00")).run()
        };
        env.write(
            "plan.yaml",
            format!(
                "version: 1\nstore: {}\ndate: {day}\nentries:\n  - id: 1\n    entry: reference_a.md\n    verdict: Stale\n    confidence: Low\n",
                env.project().join("store").display()
            ),
        );
        step(&["preview", "plan.yaml"]).ok();
        let said = step(&["apply", "plan.yaml", "--approve", "all"]).ok().out();
        assert!(said.contains("noted for the next run"), "{said}");
        let said = step(&["apply", "plan.yaml", "--approve", "all"]).ok().out();
        assert!(!said.contains("noted"), "{said}");
        step(&["finish", "--json"]).json()
    };
    assert_eq!(run("2026-11-01")["stale_again"], serde_json::json!([]));
    let second = run("2026-11-08");
    assert_eq!(
        second["stale_again"],
        serde_json::json!(["reference_a.md"]),
        "{second}"
    );
}

#[test]
fn force_overwrites_nothing_but_what_the_command_wrote() {
    let (env, _) = small();
    env.write("CLAUDE.md", "# Rules\n");
    for args in [
        &["plan", "-o", "CLAUDE.md", "--force"][..],
        &["report", "-o", "CLAUDE.md", "--force"],
        &["report", "--html", "CLAUDE.md", "--force"],
        &["report", "-o", "plan.yaml", "--force"],
    ] {
        on_small(&env, args).code(4);
    }
    assert_eq!(text_of(&env, "CLAUDE.md"), "# Rules\n");
    on_small(&env, &["plan", "-o", "plan.yaml"]).code(4);
    on_small(&env, &["plan", "-o", "plan.yaml", "--force"]).ok();
    for args in [["report", "-o", "r.md"], ["report", "--html", "r.html"]] {
        on_small(&env, &args).ok();
        on_small(&env, &args).code(4);
        on_small(&env, &[&args[..], &["--force"]].concat()).ok();
    }
}

#[test]
fn the_report_as_json_says_what_the_report_says() {
    let garden = Garden::new();
    let report = garden.run(&["report", "--json"]).ok().json();
    let text = garden.run(&["report"]).ok().out();
    let list = |name: &str| report[name].as_array().unwrap().clone();
    let words = |value: &serde_json::Value| value.as_str().unwrap().replace('<', "&lt;");
    for warning in list("warnings") {
        assert!(text.contains(&words(&warning)), "{warning}");
    }
    assert!(!list("sensitive").is_empty() && !list("groups").is_empty());
    for (verdict, count) in report["counts"].as_object().unwrap() {
        assert!(
            text.contains(&format!("| {verdict} | {count} |")),
            "{verdict}"
        );
    }
    assert_eq!(list("verdicts").len(), report["entries"]);
    let told = list("verdicts")
        .into_iter()
        .filter(|one| one["verdict"] != "Active");
    for one in told {
        assert!(
            text.contains(&format!("- **{}** (", words(&one["entry"]))),
            "{one}"
        );
    }
    for one in list("relations") {
        let line = format!(
            "- {} --{}--> {}\n",
            words(&one["a"]),
            words(&one["type"]),
            words(&one["b"])
        );
        assert!(text.contains(&line), "{line}");
    }
    for one in list("groups") {
        assert!(
            text.contains(&format!("- {}: ", words(&one["name"]))),
            "{one}"
        );
    }
}

#[test]
fn finishing_keeps_what_a_person_wrote() {
    let env = TestEnv::bare("work");
    env.write(
        "store/reference_keep.md",
        "---\nname: keep\ndescription: Keep\ntype: reference\n---\n\nSee [[Old Name]], [[reference_twin]] and ![oven](oven.png).\n",
    );
    env.write(
        "store/_archive/2026-10/old-thing.md",
        "---\nname: Old Name\ndescription: x\ntype: reference\narchived: 2026-10-01\narchive_reason: completed\noriginal_name: old-thing.md\n---\n\nx\n",
    );
    env.write(
        "store/.mnemo-garden.jsonl",
        "{\"date\":\"2026-10-01\",\"entry\":\"reference_twin.md\",\"verdict\":\"Duplicate\",\"action\":\"merge\",\"to\":\"reference_keep.md\"}\n",
    );
    env.write(
        "store/MEMORY.md",
        "# Memory\n\n- [keep](reference_keep.md) — Keep\n- [gone](gone.md) — its own description `~9tk`\n- [key](key.md) — the key\n  - Mira has it\n- [flour](flour.md) do not forget the flour\n1. [yeast](yeast.md) do not forget the yeast\n- ![oven](picture.png)\n",
    );
    on_small(&env, &["finish", "--apply"]).ok();
    assert_eq!(
        text_of(&env, "store/MEMORY.md"),
        "# Memory\n\n- [keep](reference_keep.md) — Keep\n- key — the key\n  - Mira has it\n- flour do not forget the flour\n1. yeast do not forget the yeast\n- oven\n"
    );
    let entry = text_of(&env, "store/reference_keep.md");
    assert!(
        entry.ends_with("See [[_archive/2026-10/old-thing|Old Name]], [[reference_keep|reference_twin]] and oven.\n"),
        "{entry}"
    );
}

#[test]
fn an_edit_puts_no_count_where_none_was() {
    let (env, _) = small();
    let index = text_of(&env, "store/MEMORY.md")
        .replace(" — About reference_old `~9tk`", " — About reference_old");
    env.write("store/MEMORY.md", &index);
    on_small(&env, &["preview", "plan.yaml"]).ok();
    on_small(&env, &["apply", "plan.yaml", "--approve", "4"]).ok();
    assert_eq!(text_of(&env, "store/MEMORY.md"), index);
    assert!(text_of(&env, "store/reference_old.md").contains("was so"));
}

/// Blank lines and headings in it as well: half a code block swallows the rest of the index.
#[test]
fn a_code_block_below_an_entrys_line_stays_whole() {
    let (env, store) = small();
    let index = text_of(&env, "store/MEMORY.md");
    let line = "- [reference_d1.md](reference_d1.md) — About reference_d1 `~9tk`\n";
    let block = "  ```\n  make one\n\n  make two\n  ```\n";
    let other = "\nnote:\n```\n## one\n# two\n```\n";
    let index = index.replace(line, &format!("{line}{block}"));
    env.write("store/MEMORY.md", index.clone() + other);
    let before = env.tree();
    on_small(&env, &["group", "--by", "type", "--force", "--apply"]).ok();
    let after = text_of(&env, "store/MEMORY.md");
    assert!(after.contains(&format!("{line}{block}")), "{after}");
    assert!(after.contains("```\n## one\n# two\n```\n"), "{after}");
    env.mnemo(&["undo"]).ok();
    assert_eq!(env.tree(), before);
    env.mnemo(&["memory", "remove", "reference_d1.md", "--store", &store])
        .ok();
    let after = text_of(&env, "store/MEMORY.md");
    assert!(!after.contains("make"), "{after}");
    assert!(after.contains("```\n## one\n# two\n```\n"), "{after}");
    env.mnemo(&["undo"]).ok();
    assert_eq!(env.tree(), before);
}

#[test]
fn secrets_of_entries_are_neither_shown_nor_copied() {
    let (env, store) = small();
    let token = format!("ghp_{}", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    env.write(
        "store/reference_key.md",
        format!("---\nname: key <private>ZEBRA</private>\ndescription: key {token} <private>ZEBRA</private>\ntype: reference\n---\n\nSee [x](gone.md), key {token} <private>ZEBRA\n"),
    );
    let told = |text: &str, what: &str| {
        assert!(
            !text.contains("ZEBRA") && !text.contains(&token),
            "{what}: {text}"
        );
    };
    let list = ["memory", "list", "--store", &store];
    told(&env.mnemo(&list).ok().out(), "list");
    let json = [&list[..], &["--json"]].concat();
    told(&env.mnemo(&json).ok().out(), "list --json");
    let finish = on_small(&env, &["finish"]).out();
    assert!(finish.contains("reference_key.md"), "{finish}");
    told(&finish, "finish");
    on_small(&env, &["finish", "--apply"]);
    let index = text_of(&env, "store/MEMORY.md");
    assert!(index.contains("(reference_key.md)"), "{index}");
    told(&index, "MEMORY.md");
    let undo = env.mnemo(&["undo", "--dry-run"]).ok().out();
    told(&undo, "undo --dry-run");
}

#[test]
fn a_preview_that_nobody_saw_is_none() {
    let (env, _) = small();
    let preview = "mnemo garden preview plan.yaml --store store --project-root . >/dev/full";
    let path = env.cmd("mnemo").command().get_program().to_owned();
    let path = std::path::Path::new(&path)
        .parent()
        .unwrap()
        .display()
        .to_string();
    let shell = env
        .program("sh")
        .args(&["-c", &format!("PATH={path}:$PATH; {preview}")]);
    shell.env("MNEMO_NOW", "2026-11-30T12:00:00").run().code(3);
    let before = env.tree();
    on_small(&env, &["apply", "plan.yaml", "--approve", "1"]).code(4);
    assert_eq!(env.tree(), before);
}

#[test]
fn a_report_of_two_files_says_which_is_written() {
    let (env, _) = small();
    let done = on_small(&env, &["report", "-o", "r.md", "--html", "r.md"]).code(5);
    assert!(done.err().contains("r.md is written"), "{}", done.err());
}

fn entry(name: &str, kind: &str, body: &str) -> String {
    format!("---\nname: {name}\ndescription: About {name}\ntype: {kind}\n---\n\n{body}\n")
}

/// A plan may neither close a private block earlier nor take its tag away.
#[test]
fn an_edit_brings_nothing_hidden_into_the_open() {
    let (env, _) = small();
    env.write(
        "store/reference_old.md",
        entry(
            "reference_old",
            "reference",
            "What reference_old says is so. All of it is done and closed.\n<private>\nzulu ZEBRA merger\n</private>\nAnd on.",
        ),
    );
    let before = env.tree();
    let plan = text_of(&env, "plan.yaml");
    let old = "      - line: 7\n        old: is so\n        new: was so\n";
    for (edits, refused) in [
        (
            "      - line: 8\n        old: <private>\n        remove: true\n",
            true,
        ),
        (
            "      - line: 8\n        old: <private>\n        new: <privat>\n",
            true,
        ),
        (
            "      - line: 9\n        old: zulu\n        new: zulu </private>\n",
            true,
        ),
        (
            "      - line: 8\n        old: <private>\n        remove: true\n      - line: 9\n        old: zulu\n        remove: true\n",
            true,
        ),
        (old, false),
    ] {
        env.write("plan.yaml", plan.replace(old, edits));
        let done = on_small(&env, &["preview", "plan.yaml"]);
        if refused {
            let said = done.code(4).err();
            assert!(said.contains("could be read then"), "{edits}: {said}");
        } else {
            done.ok();
            on_small(&env, &["apply", "plan.yaml", "--approve", "4"]).ok();
            env.mnemo(&["undo"]).ok();
        }
        env.write("plan.yaml", &plan);
        assert_eq!(env.tree(), before, "{edits}");
    }
}

#[test]
fn headings_of_domains_hide_nothing_and_hold_nothing_secret() {
    let (env, _) = small();
    let token = format!("ghp_{}", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    let before = env.tree();
    for heading in [
        &token,
        "password = Hunter2Xq9zz",
        "<private>",
        "<!-- x",
        "# y",
    ] {
        env.write("dom.yaml", format!("\"{heading}\": [reference*]\n"));
        let args = ["group", "--by", "dom.yaml", "--force", "--apply"];
        let said = on_small(&env, &args).code(3).err();
        assert!(!said.contains(&token), "{said}");
    }
    fs::remove_file(env.project().join("dom.yaml")).unwrap();
    assert_eq!(env.tree(), before);
}

#[test]
fn grouping_leaves_a_line_alone_that_a_comment_or_private_block_goes_on_from() {
    for (below, goes) in [
        (" <!-- since May:\non call -->\n", false),
        (" <private>\nZEBRA on call\n</private>\n", false),
        ("\n  note <private>\nZEBRA on call\n</private>\n", false),
        ("\n\n  second paragraph of b\n", true),
    ] {
        let env = TestEnv::bare("work");
        let line = format!("- [b](user_b.md) — b{below}");
        env.write(
            "store/MEMORY.md",
            format!("# M\n\n- [a](reference_a.md) — a\n{line}"),
        );
        env.write("store/reference_a.md", entry("a", "reference", "x"));
        env.write("store/user_b.md", entry("b", "user", "x"));
        let args = ["group", "--by", "type", "--force", "--apply"];
        let said = on_small(&env, &args).ok().out();
        let after = text_of(&env, "store/MEMORY.md");
        assert!(after.contains(&line), "{after}");
        assert_eq!(after.contains("## user"), goes, "{after}");
        assert_eq!(said.contains("MEMORY.md:4 is left"), !goes, "{said}");
        let check = env.mnemo(&["check", "--store", "store"]);
        assert!(!check.out().contains("ORPHAN"), "{}", check.out());
    }
}

#[test]
fn finishing_puts_orphans_where_they_belong_or_says_why_it_cannot() {
    let env = TestEnv::bare("work");
    for (name, kind) in [
        ("project_wait", "project"),
        ("reference_fridge", "reference"),
        ("feedback_charts", "feedback"),
        ("reference_gone", "reference"),
        ("user_role", "user"),
    ] {
        env.write(format!("store/{name}.md"), entry(name, kind, "x"));
    }
    env.write(
        "store/MEMORY.md",
        "# index\n\n## project\n- [project_wait.md](project_wait.md) — Waiting\n\n## reference\n- [reference_fridge.md](reference_fridge.md) — Fridge\n",
    );
    on_small(&env, &["finish", "--apply"]).ok();
    let after = text_of(&env, "store/MEMORY.md");
    let below = after.split("## reference\n").nth(1).unwrap();
    let below = below.split("\n## ").next().unwrap();
    assert!(below.contains("(reference_gone.md)"), "{after}");
    let grouped = on_small(&env, &["group", "--by", "type", "--force", "--json"]);
    assert_eq!(grouped.ok().json()["moved"], 0, "{after}");

    env.write("store/MEMORY.md", "# Memory\n\n```\nx\n");
    let before = env.tree();
    let said = on_small(&env, &["finish", "--apply"]).code(4).err();
    assert!(said.contains("is not closed"), "{said}");
    let looked = on_small(&env, &["finish"]).code(1).out();
    assert!(looked.contains("is not closed"), "{looked}");
    assert_eq!(env.tree(), before);
}

#[test]
fn words_about_a_file_that_nobody_knows_stay() {
    let env = TestEnv::bare("work");
    env.write("store/reference_a.md", entry("a", "reference", "x"));
    env.write(
        "store/MEMORY.md",
        "# M\n\n- [a](reference_a.md) — a\n- [dead1.md](dead1.md) — server notes. The key lies in the safe of Mina.\n- [dead2.md](dead2.md)\n- [dead3.md](dead3.md) — counted `~9tk`\n",
    );
    on_small(&env, &["finish", "--apply"]).ok();
    assert_eq!(
        text_of(&env, "store/MEMORY.md"),
        "# M\n\n- [a](reference_a.md) — a\n- dead1.md — server notes. The key lies in the safe of Mina.\n"
    );
}

#[test]
fn a_gate_has_no_secret_as_its_name() {
    let (env, _) = small();
    let key = ["gh", "p_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
    let plan =
        text_of(&env, "plan.yaml").replace("file: reference_d.md", &format!("file: {key}.md"));
    env.write("plan.yaml", plan);
    let said = on_small(&env, &["check", "plan.yaml"]).code(4);
    let said = format!("{}{}", said.out(), said.err());
    assert!(said.contains("looks like a secret"), "{said}");
    assert!(!said.contains(&key), "{said}");
}

#[test]
fn a_merge_is_bound_to_the_entry_that_takes_over() {
    let (env, _) = small();
    let plan = text_of(&env, "plan.yaml").replace("    append: More.\n", "");
    env.write("plan.yaml", plan);
    let said = text_of(&env, "store/reference_once.md")
        .replace("name: reference_once", "name: reference_twice");
    env.write("store/reference_twice.md", said);
    let shown = on_small(&env, &["preview", "plan.yaml"]).ok();
    assert!(shown.out().contains("reference_once"), "{shown:?}");
    let keeper = env.project().join("store/reference_once.md");
    let text = fs::read_to_string(&keeper).unwrap();
    fs::write(&keeper, format!("{text}\nThe shop is closed.\n")).unwrap();
    let refused = on_small(&env, &["apply", "plan.yaml", "--approve", "3"]).code(4);
    assert!(
        refused
            .err()
            .contains("changed since the preview: reference_once.md"),
        "{}",
        refused.err()
    );
}

/// Of a memory that a path names, `mnemo undo` alone may take back another project's change.
#[test]
fn the_way_back_names_the_change_where_a_path_named_the_memory() {
    let (env, _) = small();
    on_small(&env, &["preview", "plan.yaml"]).ok();
    let done = on_small(&env, &["apply", "plan.yaml", "--approve", "1"])
        .ok()
        .out();
    let set = done.split("to take it back: ").nth(1).unwrap();
    let set = set.split(';').next().unwrap();
    let args: Vec<&str> = set.split(' ').skip(1).collect();
    assert_eq!(args.len(), 2, "{set}");
    env.mnemo(&args).ok();
    assert!(env.project().join("store/project_ended.md").exists());
}

#[test]
fn after_a_part_of_a_plan_the_rest_wants_another_look() {
    let (env, _) = small();
    on_small(&env, &["preview", "plan.yaml"]).ok();
    let done = on_small(&env, &["apply", "plan.yaml", "--approve", "1"]).ok();
    let left = done.out();
    let left = left.split("left in the plan: ").nth(1).unwrap();
    let left: Vec<u32> = left[..left.find(';').unwrap()]
        .split(", ")
        .map(|number| number.parse().unwrap())
        .collect();
    assert!(left.is_sorted() && left.len() > 2, "{left:?}");
    let refused = on_small(&env, &["apply", "plan.yaml", "--approve", "2"]).code(4);
    let said = refused.err();
    assert!(said.contains("a part of this plan was applied"), "{said}");
    assert!(said.contains("mnemo garden preview plan.yaml"), "{said}");
    assert!(!said.contains("MEMORY.md"), "{said}");
    on_small(&env, &["preview", "plan.yaml"]).ok();
    on_small(&env, &["apply", "plan.yaml", "--approve", "2"]).ok();
}
