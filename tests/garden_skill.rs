//! The skill memory-garden under the real client: typed by a person it loads, and what it says is
//! done from the scan to the last file, with the person's approval in between.
//!
//! Driven as `skills.rs` is; where a client is missing its scenarios are left out.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests make files, and a panic is how they fail"
)]

use mnemo_tests::api::{Kind, Request};
use mnemo_tests::bins::{self, workspace};
use mnemo_tests::client::{Tui, World, result_of, scenario};
use mnemo_tests::tree::Tree;
use mnemo_tests::{Cmd, Reply, wait};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

const NEWEST: &str = "2.1.332";
const OLDEST: &str = "2.1.59";

/// The shell and the editor are no longer allowed by the settings: what the skill allows counts.
fn strict(w: &mut World) {
    let mut path = bins::dir().as_os_str().to_owned();
    path.push(":");
    path.push(w.env.var("PATH").unwrap());
    w.env.set("PATH", path);
    let settings = w.env.claude().join("settings.json");
    let text = fs::read_to_string(&settings).unwrap();
    let narrow = text.replacen("\"Bash\",\"Write\",\"Edit\",", "", 1);
    assert_ne!(text, narrow);
    fs::write(&settings, narrow).unwrap();
    w.install();
}

/// The client's memory of the project: a project that is over, one that goes on, a rule, and a
/// reference to what is gone.
fn seed(w: &World) -> PathBuf {
    let projects = w.env.claude().join("projects");
    let slug: String = w
        .env
        .project()
        .to_str()
        .unwrap()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    let folder = projects.join(slug).join("memory");
    let entry = |name: &str, kind: &str, description: &str, body: &str| {
        w.env.write(
            folder.join(name),
            format!(
                "---\nname: {}\ndescription: {description}\ntype: {kind}\n---\n\n{body}\n",
                name.trim_end_matches(".md")
            ),
        );
    };
    entry(
        "project_label-printer.md",
        "project",
        "The label printer gets a new driver",
        "The label printer gets a new driver by September.",
    );
    entry(
        "project_tide-tables.md",
        "project",
        "Tide tables move to the new feed",
        "Tide tables move to the new feed; half of the stations are done.",
    );
    entry(
        "user_role.md",
        "user",
        "Harbour engineer",
        "Harbour engineer, prefers metric units.",
    );
    w.env.write(
        folder.join("MEMORY.md"),
        "# Memory\n\n## project\n- [project_label-printer.md](project_label-printer.md) — new driver for the printer\n- [project_tide-tables.md](project_tide-tables.md) — new feed\n\n## user\n- [user_role.md](user_role.md) — harbour engineer\n",
    );
    w.env.write(
        ".local.claude/projects/label-printer/STATUS.md",
        "# label-printer\nstatus: completed (2026-09-20)\n",
    );
    folder
}

/// A line that stands in the skill's body and nowhere else.
const LINE: &str = "You judge, `mnemo garden` proves, the person decides.";

const SCAN: &str = "mnemo garden scan";
const RELATIONS: &str = "mnemo garden relations";
const PLAN: &str = "mnemo garden plan -o garden-plan.yaml";
const CHECK: &str = "mnemo garden check garden-plan.yaml";
const PREVIEW: &str = "mnemo garden preview garden-plan.yaml";
const APPLY: &str = "mnemo garden apply garden-plan.yaml --approve 1";
const FINISH: &str = "mnemo garden finish";

/// What comes of the same plan and approval without a client, on a copy of the memory.
fn as_planned(w: &World, folder: &Path) -> Tree {
    let copy = w.env.base().join("copy");
    let status = std::process::Command::new("cp")
        .arg("-a")
        .arg(folder)
        .arg(&copy)
        .status();
    assert!(status.unwrap().success());
    let run = |args: &[&str]| {
        let cmd: Cmd = w.env.cmd("mnemo").arg("garden").args(args);
        cmd.arg("--store")
            .arg(&copy)
            .env("XDG_STATE_HOME", w.env.base().join("copy-state"))
            .run()
            .ok();
    };
    run(&["plan", "-o", "copy.yaml"]);
    run(&["preview", "copy.yaml"]);
    run(&["apply", "copy.yaml", "--approve", "1"]);
    fs::remove_file(w.env.project().join("copy.yaml")).unwrap();
    entries(&copy)
}

/// The memory without what the garden and the hooks note beside it.
fn entries(folder: &Path) -> Tree {
    let notes = [
        ".mnemo-garden.jsonl",
        ".consolidate-state",
        ".consolidate-state.lock",
    ];
    Tree::of(folder).without(&notes)
}

/// What the client sent after the model's last answer: results, and what it says besides.
fn answered(request: &Request) -> String {
    let messages = request.body["messages"].as_array().unwrap();
    let asked = messages
        .iter()
        .rposition(|message| message["role"] == "assistant");
    json!(messages[asked.map_or(0, |at| at + 1)..]).to_string()
}

fn holds(request: &Request, words: &[&str]) {
    let said = answered(request);
    for word in words {
        assert!(said.contains(word), "{word:?} in {said}");
    }
}

/// Waits for the end of a turn. What the skill allows holds for the turn that it was typed in: where
/// the client asks in a later one the person agrees.
fn agreed_until_stop(w: &World, tui: &Tui, count: usize) {
    let ended = || w.payloads("Stop").len() >= count;
    for _ in 0..120 {
        if wait::holds(Duration::from_millis(500), ended) {
            return;
        }
        if tui.shows("Do you want to proceed?") {
            tui.key("Enter");
        }
    }
    w.wait_event("Stop", count);
}

// ------------------------------------------------------------------------ from scan to undo

fn tended(version: &str) {
    scenario(version, |w| {
        strict(w);
        let folder = seed(w);
        let before = entries(&folder);
        let planned = as_planned(w, &folder);
        assert_ne!(before, planned);

        let question = "Which ones? all / numbers / a category / cancel";
        w.api.say([
            Reply::bash(SCAN),
            Reply::bash(RELATIONS),
            Reply::bash(PLAN),
            Reply::bash(CHECK),
            Reply::bash(PREVIEW),
            Reply::text(question),
        ]);
        let tui = w.tui(&[]);
        tui.text("/memory-garden");
        tui.key("Enter");
        w.wait_event("Stop", 1);
        tui.wait_for(question);
        assert_eq!(
            entries(&folder),
            before,
            "nothing is done before the approval"
        );

        let sent = w.api.requests(Kind::Main);
        assert_eq!(sent.len(), 6, "{}", w.report());
        assert!(sent[0].text().contains(LINE), "{}", sent[0].text());
        holds(&sent[1], &["project_label-printer.md"]);
        holds(&sent[3], &["garden-plan.yaml"]);
        holds(
            &sent[5],
            &[
                "1 archive",
                "project_label-printer.md [Completed]",
                "+archive_reason: completed",
                "-- [project_label-printer.md](project_label-printer.md)",
                "nothing was changed",
            ],
        );

        w.api.say([
            Reply::bash(APPLY),
            Reply::bash(FINISH),
            Reply::text("One project archived; `mnemo undo` takes it back."),
        ]);
        tui.send("1");
        agreed_until_stop(w, &tui, 2);
        tui.exit();
        let sent = w.api.requests(Kind::Main);
        assert_eq!(sent.len(), 9, "{}", w.report());
        holds(&sent[7], &["done:", "mnemo undo"]);
        assert_eq!(entries(&folder), planned, "the files are as previewed");

        w.env.mnemo(&["undo"]).ok();
        assert_eq!(entries(&folder), before, "every byte is back");
    });
}

#[test]
fn the_garden_is_tended_with_the_approval_in_between() {
    tended(NEWEST);
}

#[test]
fn the_garden_is_tended_with_the_approval_in_between_2_1_59() {
    tended(OLDEST);
}

// ------------------------------------------------------------------------ what it may not

/// The model neither knows of the skill nor can it call it; typed, it allows the garden and no more.
fn narrow(version: &str) {
    scenario(version, |w| {
        strict(w);
        let folder = seed(w);
        let before = entries(&folder);
        w.api.say([
            Reply::tool("Skill", json!({ "skill": "memory-garden" })),
            Reply::text("I cannot."),
        ]);
        let print = w.print("Tidy up the memory.");
        print.args(&["--allowedTools", "Skill"]).run().ok();
        let sent = w.api.requests(Kind::Main);
        let described = "Tends a memory that has grown for months";
        let skill = workspace().join("skills/memory-garden/SKILL.md");
        assert!(fs::read_to_string(skill).unwrap().contains(described));
        for request in &sent {
            assert!(!request.body.to_string().contains(described));
            assert!(
                !request.body.to_string().contains(LINE),
                "{}",
                request.text()
            );
        }

        w.api.say([
            Reply::bash(SCAN),
            Reply::bash("mkdir -p made-without-leave"),
            Reply::bash("mnemo garden scan && mkdir -p made-without-leave"),
            Reply::bash("mnemo memory remove user_role.md"),
            Reply::tool(
                "Write",
                json!({ "file_path": w.env.project().join("CLAUDE.md"), "content": "gone" }),
            ),
            Reply::text("Not allowed."),
        ]);
        let done = w.print("/memory-garden").run().ok();
        assert_eq!(result_of(&done), "Not allowed.");
        let all = w.api.requests(Kind::Main);
        let typed = &all[sent.len()..];
        assert_eq!(typed.len(), 6, "{}", w.report());
        holds(&typed[1], &["project_label-printer.md"]);
        for request in &typed[2..] {
            let said = answered(request);
            assert!(!said.contains("label-printer"), "{said}");
        }
        for made in ["made-without-leave", "CLAUDE.md"] {
            assert!(!w.env.project().join(made).exists(), "{made}");
        }
        assert_eq!(entries(&folder), before);
    });
}

#[test]
fn only_the_garden_is_allowed_and_only_a_person_begins() {
    narrow(NEWEST);
}

#[test]
fn only_the_garden_is_allowed_and_only_a_person_begins_2_1_59() {
    narrow(OLDEST);
}
