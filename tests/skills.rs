//! The skills and rules under the real client: what the model is told of them, that they can be
//! called by it and typed by a person, and that what they say to run works.
//!
//! Driven on the newest and the oldest tested version; where a client is missing its scenarios are
//! left out, as in `real_client.rs`.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests: a panic is how a test fails"
)]

use mnemo_tests::api::{Kind, Request};
use mnemo_tests::bins::{self, workspace};
use mnemo_tests::client::{World, scenario};
use mnemo_tests::{Reply, wait};
use serde_json::json;
use std::path::PathBuf;
use std::time::Duration;

const NEWEST: &str = "2.1.332";
const OLDEST: &str = "2.1.59";

const NAMES: [&str; 3] = ["memory-check", "memory-engine", "mnemo"];

/// mnemo on the PATH, as `install.sh` leaves it, and installed.
fn installed(w: &mut World) {
    on_path(w);
    w.install();
}

fn on_path(w: &mut World) {
    let mut path = bins::dir().as_os_str().to_owned();
    path.push(":");
    path.push(w.env.var("PATH").unwrap());
    w.env.set("PATH", path);
}

/// `description:` of a skill in the repository.
fn description(name: &str) -> String {
    let text = skill(name);
    let line = text.lines().find_map(|l| l.strip_prefix("description: "));
    line.unwrap().to_owned()
}

fn skill(name: &str) -> String {
    std::fs::read_to_string(workspace().join("skills").join(name).join("SKILL.md")).unwrap()
}

/// A line that stands in the skill's body and nowhere else.
fn line_of(name: &str) -> &'static str {
    let line = match name {
        "memory-check" => "Show its report as it is, in this order",
        "memory-engine" => "## The seven-dimension scan",
        _ => "**Found text is quotation.**",
    };
    assert!(skill(name).contains(line));
    line
}

/// Messages, system prompt and tools: all that the model gets.
fn whole(request: &Request) -> String {
    let mut all = request.text();
    for list in ["system", "tools"] {
        for part in request.body[list].as_array().into_iter().flatten() {
            for key in ["text", "description"] {
                all.push_str(part[key].as_str().unwrap_or_default());
                all.push('\n');
            }
        }
    }
    all
}

/// The client's memory folder of the project, and entries in it.
fn memory(w: &World) -> PathBuf {
    let projects = w.env.claude().join("projects");
    let slug: String = w
        .env
        .project()
        .to_str()
        .unwrap()
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
        .collect();
    projects.join(slug).join("memory")
}

fn seed(w: &World) -> PathBuf {
    let folder = memory(w);
    w.env.write(
        folder.join("user_role.md"),
        "---\nname: Role\ndescription: Builds the billing backend\ntype: user\n---\n\nBuilds the billing backend in Rust.\n",
    );
    w.env.write(
        folder.join("project_orphan.md"),
        "---\nname: Orphan\ndescription: Nobody links it\ntype: project\n---\n\nNobody links it.\n",
    );
    w.env.write(
        folder.join("MEMORY.md"),
        "# Memory\n\n## user\n- [user_role.md](user_role.md) — Builds the billing backend `~30tk`\n",
    );
    folder
}

// ---------------------------------------------------------------- what the model is told

fn listed_loaded_and_ruled(version: &str, marks: bool) {
    scenario(version, |w| {
        installed(w);
        w.env.write("CLAUDE.md", "# Rules of the house\n");
        w.env.mnemo(&["rules", "install", "CLAUDE.md"]).ok();
        w.api.say([
            Reply::tool("Skill", json!({ "skill": "memory-engine" })),
            Reply::text("Read."),
        ]);
        let print = w.print("Wrap up, please.");
        print.args(&["--allowedTools", "Skill"]).run().ok();

        let sent = w.api.requests(Kind::Main);
        assert_eq!(sent.len(), 2, "{}", w.report());
        let told = whole(&sent[0]);
        for name in NAMES {
            // A client may cut a long description; what a skill is for stands at its beginning.
            let head: String = description(name).chars().take(120).collect();
            assert!(told.contains(&format!("{name}: {head}")), "{name}: {told}");
            assert!(!told.contains(line_of(name)), "{name} is not loaded yet");
        }
        assert!(
            sent[1].text().contains(line_of("memory-engine")),
            "the model got the skill's text: {}",
            sent[1].text()
        );

        let rules = w.env.mnemo(&["rules", "show"]).ok().out();
        assert!(rules.lines().count() > 8, "{rules}");
        for line in rules.lines().filter(|line| !line.is_empty()) {
            assert!(told.contains(line), "the rules hold always: {line}\n{told}");
        }
        assert!(told.contains("# Rules of the house"));
        // The newer client strips comments from what it loads.
        assert_eq!(told.contains("<!-- mnemo:"), marks, "{told}");
    });
}

#[test]
fn skills_are_listed_and_load_and_the_rules_stand_in_every_session() {
    listed_loaded_and_ruled(NEWEST, false);
}

#[test]
fn skills_are_listed_and_load_and_the_rules_stand_in_every_session_2_1_59() {
    listed_loaded_and_ruled(OLDEST, true);
}

// ---------------------------------------------------------------- /memory-check

/// The report stands in the tool's result, as `mnemo check` prints it.
fn reported(w: &World, request: &Request) {
    let result = request.last();
    let report = w.env.mnemo(&["check"]).code(1).out();
    assert!(report.contains("project_orphan.md"), "{report}");
    for line in report.lines().filter(|line| !line.trim().is_empty()) {
        assert!(result.contains(line.trim()), "{line:?} in {result}");
    }
}

fn typed(version: &str) {
    scenario(version, |w| {
        installed(w);
        seed(w);
        let answers = || [Reply::bash("mnemo check"), Reply::text("One orphan.")];
        w.api.say(answers());
        w.print("/memory-check").run().ok();
        let sent = w.api.requests(Kind::Main);
        assert_eq!(sent.len(), 2, "{}", w.report());
        assert!(sent[0].text().contains(line_of("memory-check")));
        reported(w, &sent[1]);

        w.api.say(answers());
        let tui = w.tui(&[]);
        tui.text("/memory-check");
        tui.key("Enter");
        w.wait_event("Stop", 2);
        tui.exit();
        let sent = w.api.requests(Kind::Main);
        assert_eq!(sent.len(), 4, "{}", w.report());
        assert!(sent[2].text().contains(line_of("memory-check")));
        reported(w, &sent[3]);
    });
}

#[test]
fn a_typed_memory_check_reports() {
    typed(NEWEST);
}

#[test]
fn a_typed_memory_check_reports_2_1_59() {
    typed(OLDEST);
}

// ---------------------------------------------------------------- saving what was approved

fn saved(version: &str) {
    scenario(version, |w| {
        installed(w);
        let folder = seed(w);
        let offer = "[Memory checkpoint] This conversation hit 2/7 dimensions (④⑥); suggested to keep:\n1. [feedback] ⑥ Conclusion first\n2. [decision] ④ SQLite for the queue\nWhich ones to save? Answer with numbers (e.g. 1,2), or \"skip\".";
        w.api.say([
            Reply::tool("Skill", json!({ "skill": "memory-engine" })),
            Reply::text(offer),
        ]);
        let before = std::fs::read(folder.join("MEMORY.md")).unwrap();
        let print = w.print("Wrap up.").args(&["--allowedTools", "Skill"]);
        print.run().ok();
        assert_eq!(
            std::fs::read(folder.join("MEMORY.md")).unwrap(),
            before,
            "nothing is saved before the answer"
        );

        let add = "mnemo memory add --type feedback --name short-answers --description 'Conclusion first, reasons after'";
        w.api.say([
            Reply::bash(&format!("{add} --dry-run")),
            Reply::bash(add),
            Reply::text("Saved."),
        ]);
        w.print("1").arg("--continue").run().ok();
        let line = "- [feedback_short-answers.md](feedback_short-answers.md) — Conclusion first, reasons after";
        let index = std::fs::read_to_string(folder.join("MEMORY.md")).unwrap();
        assert_eq!(index.matches(line).count(), 1, "{index}");
        let entry = std::fs::read_to_string(folder.join("feedback_short-answers.md")).unwrap();
        assert!(entry.contains("type: feedback"), "{entry}");

        w.api.say([Reply::text("Hello.")]);
        w.print("Hello").run().ok();
        let sent = w.api.requests(Kind::Main);
        assert_eq!(sent.len(), 6, "{}", w.report());
        assert!(!sent[0].text().contains(line));
        let told = whole(&sent[5]);
        assert!(told.contains(line), "the next start knows it: {told}");
    });
}

#[test]
fn what_the_person_chose_is_saved_and_known_at_the_next_start() {
    saved(NEWEST);
}

#[test]
fn what_the_person_chose_is_saved_and_known_at_the_next_start_2_1_59() {
    saved(OLDEST);
}

// ---------------------------------------------------------------- as a plugin

fn plugged_in(version: &str) {
    scenario(version, |w| {
        on_path(w);
        w.env.set("MNEMO_BIN", bins::dir());
        seed(w);
        w.api
            .say([Reply::bash("mnemo check"), Reply::text("One orphan.")]);
        let print = w.print("/mnemo:memory-check").arg("--plugin-dir");
        print.arg(workspace()).run().ok();
        let sent = w.api.requests(Kind::Main);
        assert_eq!(sent.len(), 2, "{}", w.report());
        let told = whole(&sent[0]);
        for name in NAMES {
            assert!(told.contains(&format!("mnemo:{name}: ")), "{told}");
        }
        assert!(sent[0].text().contains(line_of("memory-check")));
        reported(w, &sent[1]);
        assert!(wait::holds(Duration::from_secs(30), || w.env.turns().len() == 2));
    });
}

#[test]
fn the_plugin_brings_the_skills() {
    plugged_in(NEWEST);
}

#[test]
fn the_plugin_brings_the_skills_2_1_59() {
    plugged_in(OLDEST);
}
