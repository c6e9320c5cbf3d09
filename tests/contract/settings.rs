//! The client's settings.

use crate::common::{HOOKS, at_work, bash, contains, says, state_file};
use mnemo_tests::tree::Tree;
use mnemo_tests::{TestEnv, user};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;

fn settings(env: &TestEnv) -> PathBuf {
    env.claude().join("settings.json")
}

#[test]
fn install_and_uninstall_give_back_the_bytes() {
    let texts = [
        "{}",
        "{}\n",
        "{\n}\n",
        "{\r\n  \"model\": \"x\"\r\n}\r\n",
        "\u{feff}{\"model\":\"x\"}",
        "{\n\t\"hooks\": {},\n\t\"z\": 1, \"a\": [ 1,2 ]\n}",
        "{ \"hooks\" : { \"Stop\" : [ ] } }",
        "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"cd /x && ./run \\\"한글\\\" \\u0026\"\n          }\n        ]\n      }\n    ],\n    \"SessionEnd\": []\n  },\n  \"permissions\": { \"allow\": [\"Bash(ls:*)\"] }\n}\n",
        "{\"a\": 1e5, \"b\": 1.0, \"c\": 12345678901234567890, \"a\": 2}",
    ];
    for text in texts {
        let env = at_work();
        env.write(settings(&env), text);
        fs::set_permissions(settings(&env), fs::Permissions::from_mode(0o644)).unwrap();
        let dry = env.mnemo(&["install", "--dry-run"]).ok();
        assert_eq!(fs::read(settings(&env)).unwrap(), text.as_bytes());
        assert!(dry.out().contains('+'), "a diff: {dry:?}");
        env.mnemo(&["install"]).ok();
        let wired = fs::read_to_string(settings(&env)).unwrap();
        assert_eq!(Tree::of(&env.claude()).mode("settings.json"), 0o644);
        let value: Value = serde_json::from_str(wired.trim_start_matches('\u{feff}')).unwrap();
        for (event, hook) in [
            ("UserPromptSubmit", "prompt-save"),
            ("PostToolUse", "tool-log"),
            ("PostToolUseFailure", "tool-log"),
            ("Stop", "response-save"),
            ("Stop", "stop-trigger"),
            ("SessionStart", "session-reconcile"),
            ("PreCompact", "session-reconcile"),
        ] {
            let list = value["hooks"][event].to_string();
            assert_eq!(
                list.matches(&format!("/{hook}")).count(),
                1,
                "{event}: {list}"
            );
        }
        if text.contains("cd /x") {
            contains(&wired, "cd /x && ./run \\\"한글\\\" \\u0026");
        }
        if text.contains("\r\n") {
            assert_eq!(wired.matches('\n').count(), wired.matches("\r\n").count());
        }
        env.mnemo(&["install"]).ok();
        assert_eq!(
            fs::read_to_string(settings(&env)).unwrap(),
            wired,
            "the second time"
        );
        env.mnemo(&["uninstall"]).ok();
        assert_eq!(fs::read_to_string(settings(&env)).unwrap(), text);
    }
}

#[test]
fn uninstall_takes_out_its_own_entries_when_others_changed_the_file() {
    let env = at_work();
    let before = "{\n  \"model\": \"x\",\n  \"hooks\": {\n    \"Stop\": [\n      { \"hooks\": [ { \"type\": \"command\", \"command\": \"/opt/prompt-save/mnemo-response-save\" } ] }\n    ]\n  }\n}\n";
    env.write(settings(&env), before);
    env.mnemo(&["install"]).ok();
    let wired = fs::read_to_string(settings(&env)).unwrap();
    fs::write(
        settings(&env),
        wired.replace("\"model\": \"x\"", "\"model\": \"y\""),
    )
    .unwrap();
    env.mnemo(&["uninstall"]).ok();
    let after: Value = serde_json::from_slice(&fs::read(settings(&env)).unwrap()).unwrap();
    let want: Value = serde_json::from_str(&before.replace("\"x\"", "\"y\"")).unwrap();
    assert_eq!(after, want);
}

#[test]
fn a_settings_file_that_install_made_goes_away_again() {
    let env = at_work();
    env.mnemo(&["install"]).ok();
    assert!(settings(&env).is_file());
    env.mnemo(&["uninstall"]).ok();
    assert!(!settings(&env).exists());
    // Nothing to take out is no fault.
    env.mnemo(&["uninstall"]).ok();
    assert!(!settings(&env).exists());
}

#[test]
fn a_damaged_settings_file_is_refused_with_4() {
    for text in [
        "{",
        "{\"a\": 1,}",
        "// note\n{}",
        "{ /* x */ }",
        "[]",
        "{} {}",
        "{\"hooks\": []}",
        "{\"hooks\": {\"Stop\": {}}}",
        "{'a': 1}",
        "\"x\"",
    ] {
        let env = at_work();
        env.write(settings(&env), text);
        let before = Tree::of(env.base()).without(&["home/.local"]);
        let done = env.mnemo(&["install"]).code(4);
        assert!(!done.err().is_empty() || !done.out().is_empty());
        let after = Tree::of(env.base()).without(&["home/.local"]);
        assert_eq!(after, before, "{text}");
        let _ = env.mnemo(&["uninstall"]);
        assert_eq!(fs::read_to_string(settings(&env)).unwrap(), text);
    }
    let env = at_work();
    fs::create_dir_all(env.claude()).unwrap();
    fs::write(settings(&env), b"{\"a\": \"\xff\"}").unwrap();
    let _ = env.mnemo(&["install"]).code(4);
    assert_eq!(fs::read(settings(&env)).unwrap(), b"{\"a\": \"\xff\"}");
}

#[test]
fn install_follows_links_and_keeps_a_backup() {
    let env = at_work();
    let real = env.home().join("dotfiles/claude.json");
    env.write(&real, "{\"model\": \"x\"}\n");
    fs::create_dir_all(env.claude()).unwrap();
    symlink(&real, settings(&env)).unwrap();
    env.mnemo(&["install"]).ok();
    assert!(
        settings(&env)
            .symlink_metadata()
            .unwrap()
            .file_type()
            .is_symlink()
    );
    contains(&fs::read_to_string(&real).unwrap(), "prompt-save");
    let backup = |env: &TestEnv| {
        Tree::of(&env.state()).0.values().any(
            |n| matches!(n, mnemo_tests::tree::Node::File(_, b) if b == b"{\"model\": \"x\"}\n"),
        )
    };
    assert!(backup(&env));
    env.mnemo(&["uninstall"]).ok();
    assert_eq!(fs::read_to_string(&real).unwrap(), "{\"model\": \"x\"}\n");
    assert!(backup(&env), "left there by uninstall");
}

#[test]
fn the_form_of_the_command_suits_client_and_path() {
    // The folder, the client's version, whether exec form is right.
    for (folder, version, exec) in [
        ("plain", Some("2.1.332"), true),
        ("plain", Some("2.1.59"), true),
        ("plain", None, true),
        ("with blank", Some("2.1.332"), true),
        ("with blank", Some("2.1.139"), true),
        ("with blank", Some("2.1.138"), false),
        ("with blank", Some("2.1.59"), false),
        ("it's $HOME", Some("2.1.59"), false),
        ("한 글", Some("2.1.59"), false),
    ] {
        let mut env = at_work();
        let bins = env.base().join(folder);
        fs::create_dir_all(&bins).unwrap();
        for name in HOOKS.iter().chain(&["mnemo"]) {
            fs::copy(mnemo_tests::bin(name), bins.join(name)).unwrap();
        }
        if let Some(version) = version {
            let path = env.base().join("path");
            let script = format!("#!/bin/sh\necho '{version} (Claude Code)'\n");
            let claude = env.write(path.join("claude"), script);
            fs::set_permissions(claude, fs::Permissions::from_mode(0o755)).unwrap();
            env.set("PATH", format!("{}:/usr/bin:/bin", path.display()));
        }
        env.program(bins.join("mnemo")).arg("install").run().ok();
        let value: Value = serde_json::from_slice(&fs::read(settings(&env)).unwrap()).unwrap();
        let hook = &value["hooks"]["UserPromptSubmit"][0]["hooks"][0];
        let command = hook["command"].as_str().unwrap();
        let path = bins.join("prompt-save");
        if exec {
            assert_eq!(command, path.to_str().unwrap(), "{folder} {version:?}");
            assert_eq!(hook["args"], json!([]), "{folder} {version:?}");
        } else {
            assert!(hook.get("args").is_none(), "{folder} {version:?}: {hook}");
            // What a shell makes of it is the program.
            let done = env
                .program("/bin/sh")
                .args(&["-c", command])
                .env("CLAUDE_PROJECT_DIR", env.project())
                .stdin(env.session().prompt("p", "by the shell").to_string())
                .run();
            done.silent();
            assert_eq!(env.turns(), [user("by the shell")], "{command}");
        }
        env.program(bins.join("mnemo")).arg("uninstall").run().ok();
        assert!(!settings(&env).exists(), "{folder} {version:?}");
    }
}

#[test]
fn the_older_hooks_are_named_and_replaced_only_on_demand() {
    let env = at_work();
    let before = "{\n  \"hooks\": {\n    \"UserPromptSubmit\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"bash ~/.claude/hooks/save-conversation.sh\"}]}],\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"bash ~/.claude/hooks/save-response.sh\"}, {\"type\": \"command\", \"command\": \"./mine.sh\"}]}]\n  }\n}\n";
    env.write(settings(&env), before);
    let done = env.mnemo(&["install"]);
    let said = format!("{}{}", done.out(), done.err());
    contains(&said, "save-conversation");
    contains(
        &fs::read_to_string(settings(&env)).unwrap(),
        "save-conversation.sh",
    );
    env.mnemo(&["install", "--replace-original"]).ok();
    let text = fs::read_to_string(settings(&env)).unwrap();
    assert!(
        !text.contains("save-conversation.sh") && !text.contains("save-response.sh"),
        "{text}"
    );
    contains(&text, "./mine.sh");
    env.mnemo(&["uninstall"]).ok();
    assert_eq!(fs::read_to_string(settings(&env)).unwrap(), before);
}

#[test]
fn record_only_turns_auto_memory_off_until_uninstall() {
    for before in [
        "{}\n",
        "{\"autoMemoryEnabled\": true}\n",
        "{\"autoMemoryEnabled\": false, \"x\": 1}\n",
    ] {
        let env = at_work();
        env.write(settings(&env), before);
        env.mnemo(&["install"]).ok();
        let plain: Value = serde_json::from_slice(&fs::read(settings(&env)).unwrap()).unwrap();
        let had: Value = serde_json::from_str(before).unwrap();
        assert_eq!(
            plain.get("autoMemoryEnabled"),
            had.get("autoMemoryEnabled"),
            "never a default"
        );
        env.mnemo(&["install", "--record-only"]).ok();
        let value: Value = serde_json::from_slice(&fs::read(settings(&env)).unwrap()).unwrap();
        assert_eq!(value["autoMemoryEnabled"], false);
        env.mnemo(&["uninstall"]).ok();
        assert_eq!(fs::read_to_string(settings(&env)).unwrap(), before);
    }
}

#[test]
fn the_matcher_leaves_out_what_is_never_logged() {
    let env = at_work();
    env.configure("tools:\n  skip: [Read, WebSearch]\n");
    env.mnemo(&["install"]).ok();
    let value: Value = serde_json::from_slice(&fs::read(settings(&env)).unwrap()).unwrap();
    for event in ["PostToolUse", "PostToolUseFailure"] {
        let matcher = value["hooks"][event][0]["matcher"].as_str().unwrap();
        contains(matcher, "WebSearch");
        assert!(!matcher.contains("Glob"), "{matcher}");
    }
}

#[test]
fn a_plugins_copy_does_nothing_where_the_settings_wire_the_hook() {
    let mut env = at_work();
    let session = env.session();
    let run = |env: &TestEnv, hook: &str, payload: &Value| {
        env.cmd(hook)
            .env("CLAUDE_PROJECT_DIR", env.project())
            .env("CLAUDE_PLUGIN_ROOT", "/opt/plugin")
            .stdin(payload.to_string())
            .run()
            .silent();
    };
    run(&env, "prompt-save", &session.prompt("p", "by the plugin"));
    assert_eq!(env.turns(), [user("by the plugin")]);
    env.mnemo(&["install"]).ok();
    assert!(env.state().join("wired").exists());
    env.now("2026-11-30T14:05:00Z");
    run(&env, "prompt-save", &session.prompt("p2", "twice?"));
    run(&env, "response-save", &session.stop("p2", "twice?"));
    run(
        &env,
        "tool-log",
        &session.tool("p2", "Bash", &bash("ls"), &json!({})),
    );
    run(&env, "stop-trigger", &session.stop("p2", "twice?"));
    assert_eq!(env.turns(), [user("by the plugin")]);
    assert_eq!(env.calls(), []);
    assert!(!state_file(&env).exists());
    says(&env, &session, "p2", "by the settings");
    env.mnemo(&["uninstall"]).ok();
    run(&env, "prompt-save", &session.prompt("p3", "plugin again"));
    assert_eq!(
        env.turns(),
        [
            user("by the plugin"),
            user("by the settings"),
            user("plugin again")
        ]
    );
}

#[test]
fn a_plugin_that_no_settings_name_is_seen_by_what_it_started() {
    let mut env = at_work();
    let session = env.session();
    let start = |env: &TestEnv| {
        env.cmd("session-reconcile")
            .env("CLAUDE_PROJECT_DIR", env.project())
            .env("CLAUDE_PLUGIN_ROOT", "/opt/plugin")
            .stdin(session.start("startup").to_string())
            .run()
            .silent();
    };
    contains(&env.mnemo(&["status"]).ok().out(), "no hook is wired");
    env.now("2026-11-30T13:05:06Z");
    start(&env);
    env.now("2026-11-30T14:00:00Z");
    let said = env.mnemo(&["status"]).ok().out();
    contains(
        &said,
        "; run by the plugin, last started 2026-11-30 13:05:06",
    );
    assert!(!said.contains("no hook is wired"), "{said}");
    let report = env.mnemo(&["status", "--json"]).ok().json();
    assert_eq!(report["findings"], json!([]));
    assert_eq!(report["wiring"]["plugin_started"], "2026-11-30T13:05:06");
    // Long ago: it is taken for gone.
    env.now("2026-12-20T14:00:00Z");
    contains(&env.mnemo(&["status"]).ok().out(), "no hook is wired");
    // Where the settings wire the hooks the plugin's copy does nothing, and notes nothing.
    env.mnemo(&["install"]).ok();
    start(&env);
    let report = env.mnemo(&["status", "--json"]).ok().json();
    assert_eq!(report["wiring"]["plugin_started"], "2026-11-30T13:05:06");
}

#[test]
fn the_plugins_runner_is_silent_without_programs_and_finds_them() {
    let mut env = at_work();
    let runner = mnemo_tests::bins::workspace().join("hooks/run");
    let run = |env: &TestEnv, name: &str, payload: &Value| {
        env.program(&runner)
            .arg(name)
            .env("CLAUDE_PLUGIN_ROOT", "/opt/plugin")
            .env("CLAUDE_PROJECT_DIR", env.project())
            .stdin(payload.to_string())
            .run()
            .ok()
    };
    let session = env.session();
    run(&env, "prompt-save", &session.prompt("p", "x")).silent();
    run(&env, "no-such-hook", &session.prompt("p", "x")).silent();
    let done = run(&env, "session-reconcile", &session.start("startup"));
    assert_eq!(done.out().lines().count(), 1);
    run(&env, "session-reconcile", &session.start("resume")).silent();
    assert_eq!(env.turns(), []);
    let home = env.base().join("data/mnemo/bin");
    fs::create_dir_all(&home).unwrap();
    fs::copy(mnemo_tests::bin("prompt-save"), home.join("prompt-save")).unwrap();
    env.set("XDG_DATA_HOME", env.base().join("data"));
    run(&env, "prompt-save", &session.prompt("p", "x")).silent();
    assert_eq!(env.turns(), [user("x")]);
}

#[test]
fn init_marks_a_folder_and_status_explains_the_root() {
    let mut env = TestEnv::bare("plain");
    env.now("2026-11-30T14:03:22Z");
    let before = env.mnemo(&["status", "--json"]);
    assert!(matches!(before.status.code(), Some(0 | 3)), "{before:?}");
    let dry = env.mnemo(&["init", "--dry-run"]).ok();
    assert!(!dry.stdout.is_empty());
    assert_eq!(Tree::of(env.project()), Tree::default());
    env.mnemo(&["init", "--no-scaffold", "--json"]).ok().json();
    assert_eq!(env.tree().names(), [".mnemo-root"]);
    env.mnemo(&["init"]).ok();
    says(&env, &env.session(), "p", "x");
    assert_eq!(env.turns(), [user("x")]);
    let status = env.mnemo(&["status", "--json"]).ok().json();
    contains(&status["root"].to_string(), env.project().to_str().unwrap());
    env.write(".mnemo.yaml", "checkpoint:\n  stops: 40\n");
    contains(&env.mnemo(&["status"]).ok().out(), "checkpoint.stops");
    let _ = env.mnemo(&["init", "/no/such/folder"]).code(3);
}

#[test]
fn every_report_in_json_is_one_object() {
    let env = at_work();
    for args in [
        &["install", "--dry-run", "--json"][..],
        &["install", "--json"],
        &["install", "--json"],
        &["status", "--json"],
        &["reconcile", "--json"],
        &["reconcile", "--dry-run", "--json"],
        &["uninstall", "--dry-run", "--json"],
        &["uninstall", "--json"],
    ] {
        let done = env.mnemo(args).ok();
        assert!(done.json().is_object(), "{args:?}");
    }
    env.write(settings(&env), "{");
    let done = env.mnemo(&["install", "--json"]).code(4);
    assert!(done.stdout.is_empty() || done.json().is_object());
}
