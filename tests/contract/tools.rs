//! Tool calls and observations.

use crate::common::{at_work, bash, observations};
use serde_json::json;
use std::fs;

#[test]
fn what_is_logged_and_what_is_not() {
    let env = at_work();
    let session = env.session();
    let skipped = [
        "Read",
        "NotebookRead",
        "Glob",
        "Grep",
        "LS",
        "ToolSearch",
        "TodoWrite",
        "TaskCreate",
        "TaskUpdate",
        "TaskGet",
        "TaskList",
        "TaskOutput",
        "TaskStop",
        "SendMessage",
    ];
    for name in skipped {
        env.hook(
            "tool-log",
            &session.tool("p", name, &json!({"file_path": "/x"}), &json!({})),
        )
        .silent();
    }
    assert_eq!(env.calls(), []);
    let project = env.project().to_str().unwrap();
    let long = "한".repeat(100);
    let details = [
        (
            "Edit",
            json!({"file_path": format!("{project}/src/a.rs")}),
            "src/a.rs".to_owned(),
        ),
        (
            "MultiEdit",
            json!({"file_path": format!("{project}/b.rs")}),
            "b.rs".to_owned(),
        ),
        (
            "Write",
            json!({"file_path": format!("{project}-other/b.rs")}),
            format!("{project}-other/b.rs"),
        ),
        (
            "NotebookEdit",
            json!({"notebook_path": format!("{project}/n.ipynb")}),
            "n.ipynb".to_owned(),
        ),
        ("Bash", bash(&long), long.chars().take(80).collect()),
        ("Bash", bash("a\nb\tc"), "a b\tc".to_owned()),
        (
            "Task",
            json!({"subagent_type": "Explore", "description": "look"}),
            "Explore: look".to_owned(),
        ),
        ("Skill", json!({"skill": "deploy"}), "deploy".to_owned()),
        (
            "WebSearch",
            json!({"query": "rust fs lock"}),
            "rust fs lock".to_owned(),
        ),
        (
            "WebFetch",
            json!({"url": "https://example.com/a?b"}),
            "https://example.com/a?b".to_owned(),
        ),
        (
            "mcp__db__query",
            json!({"query": "x", "url": "y"}),
            String::new(),
        ),
        ("AskUserQuestion", json!({"questions": []}), String::new()),
    ];
    for (name, input, _) in &details {
        env.hook("tool-log", &session.tool("p", name, input, &json!({})))
            .silent();
    }
    let calls = env.calls();
    assert_eq!(calls.len(), details.len());
    for (call, (name, _, detail)) in calls.iter().zip(&details) {
        assert_eq!(call.tool, *name);
        assert_eq!(call.time, "14:03:22");
        let seen = call.detail.trim_end_matches("...").trim_end_matches('…');
        assert_eq!(seen.replace('\t', " "), detail.replace('\t', " "), "{name}");
    }
}

#[test]
fn a_failure_is_what_the_client_says_is_one() {
    let env = at_work();
    let session = env.session();
    let ok =
        json!({"stdout": "error: FAILED 3 errors", "stderr": "fatal error", "interrupted": false});
    let cut = json!({"stdout": "", "stderr": "", "interrupted": true});
    env.hook("tool-log", &session.tool("p", "Bash", &bash("ok"), &ok))
        .silent();
    env.hook("tool-log", &session.tool("p", "Bash", &bash("cut"), &cut))
        .silent();
    env.hook(
        "tool-log",
        &session.tool("p", "mcp__a__b", &json!({}), &json!({"is_error": true})),
    )
    .silent();
    env.hook(
        "tool-log",
        &session.tool(
            "p",
            "Bash",
            &bash("code"),
            &json!({"stdout": "", "exitCode": 2}),
        ),
    )
    .silent();
    env.hook(
        "tool-log",
        &session.tool_failed("p", "Bash", &bash("bad"), "Exit code 1\noops"),
    )
    .silent();
    env.hook(
        "tool-log",
        &session.tool("p", "WebFetch", &json!({"url": "u"}), &json!("page")),
    )
    .silent();
    let failed: Vec<bool> = env
        .calls()
        .iter()
        .map(|c| c.detail.ends_with("— failed"))
        .collect();
    assert_eq!(failed, [false, true, true, true, true, false]);
    let gotchas = observations(&env, "gotchas");
    assert_eq!(gotchas.len(), 4);
    assert!(gotchas.iter().all(|o| o["event"] == "tool_error"));
    let learned = observations(&env, "learned");
    assert_eq!(learned.len(), 1, "no success of WebFetch is kept");
    assert_eq!(learned[0]["event"], "tool_success");
    assert_eq!(
        learned[0]["timestamp"].as_str().unwrap()[..19],
        *"2026-11-30T14:03:22"
    );
    let keys = ["timestamp", "event", "tool", "input", "output", "session"];
    for one in gotchas.iter().chain(&learned) {
        for key in keys {
            assert!(one[key].is_string(), "{key} in {one}");
        }
        assert_eq!(one.as_object().unwrap().len(), keys.len());
    }
}

#[test]
fn observations_are_cut_at_a_character_and_at_three_thousand_bytes() {
    for unit in ["한", "a", "🙂", "\"", "\\", "\n"] {
        let env = at_work();
        let session = env.session();
        let big = unit.repeat(9000);
        env.hook(
            "tool-log",
            &session.tool("p", "Bash", &bash(&big), &json!({"stdout": big})),
        )
        .silent();
        let one = &observations(&env, "learned")[0];
        for key in ["input", "output"] {
            let text = one[key].as_str().unwrap();
            assert!(text.len() <= 3000, "{key}: {} bytes", text.len());
            assert!(text.len() > 2900, "{key}: {} bytes of {unit:?}", text.len());
        }
    }
}

#[test]
fn calls_in_one_second_are_as_many_lines() {
    let env = at_work();
    let session = env.session();
    let payload = session
        .tool("p", "Bash", &bash("ls"), &json!({"stdout": "x"}))
        .to_string();
    let runs: Vec<_> = (0..50)
        .map(|_| {
            env.cmd("tool-log")
                .env("CLAUDE_PROJECT_DIR", env.project())
                .stdin(payload.clone())
                .start()
        })
        .collect();
    for run in runs {
        run.wait().silent();
    }
    assert_eq!(env.calls().len(), 50);
    assert_eq!(observations(&env, "learned").len(), 50);
}

#[test]
fn a_full_file_of_observations_moves_to_the_archive_and_the_offset_follows() {
    let env = at_work();
    let session = env.session();
    let line = format!(
        "{}\n",
        json!({"timestamp": "2026-01-01T00:00:00Z", "event": "tool_success", "tool": "Bash",
        "input": "x".repeat(900), "output": "", "session": "s"})
    );
    let lines = 10 * 1024 * 1024 / line.len() + 1;
    env.write("memory/learned/observations.jsonl", line.repeat(lines));
    env.write("memory/gotchas/observations.jsonl", line.repeat(3));
    env.write(
        "memory/.mnemo-distill-offset",
        format!("2 {} 1795000000\n", lines - 5),
    );
    let payload = session
        .tool("p", "Bash", &bash("ls"), &json!({"stdout": "x"}))
        .to_string();
    let runs: Vec<_> = (0..8)
        .map(|_| {
            env.cmd("tool-log")
                .env("CLAUDE_PROJECT_DIR", env.project())
                .stdin(payload.clone())
                .start()
        })
        .collect();
    for run in runs {
        run.wait().silent();
    }
    let archive = env.project().join("memory/learned/archive");
    let mut total = observations(&env, "learned").len();
    let recent = total;
    let mut names = Vec::new();
    for entry in fs::read_dir(&archive).unwrap().flatten() {
        total += fs::read_to_string(entry.path()).unwrap().lines().count();
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    assert_eq!(total, lines + 8, "{names:?}");
    assert!(
        names[0].starts_with("observations-20261130-140322"),
        "{names:?}"
    );
    assert!(observations(&env, "learned").len() <= 8);
    let offset = fs::read_to_string(env.project().join("memory/.mnemo-distill-offset")).unwrap();
    let parts: Vec<&str> = offset.split_whitespace().collect();
    assert_eq!(parts.len(), 3, "{offset}");
    // What moved away no longer counts; a part that nobody distilled yet makes it negative.
    let moved = i64::try_from(total - recent).unwrap();
    let had = i64::try_from(lines).unwrap() - 5;
    assert_eq!(
        parts[..2],
        ["2", (had - moved).to_string().as_str()],
        "{offset}"
    );
}

#[test]
fn skipped_tools_are_configured_and_a_project_may_only_add() {
    let env = at_work();
    env.configure("tools:\n  skip: [Bash]\n");
    env.write(".mnemo.yaml", "tools:\n  skip: [WebFetch]\n");
    let session = env.session();
    for (name, input) in [
        ("Bash", bash("ls")),
        ("WebFetch", json!({"url": "u"})),
        ("Read", json!({"file_path": "r"})),
        ("Edit", json!({"file_path": "e"})),
    ] {
        env.hook("tool-log", &session.tool("p", name, &input, &json!({})))
            .silent();
    }
    let calls = env.calls();
    let names: Vec<&str> = calls.iter().map(|c| c.tool.as_str()).collect();
    assert_eq!(names, ["Read", "Edit"]);
}
