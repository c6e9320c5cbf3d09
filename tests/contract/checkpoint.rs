//! The reminder after twenty stops and thirty minutes.

use crate::common::{at_work, contains, state, state_file};
use mnemo_tests::tree::Tree;
use mnemo_tests::{Session, TestEnv};
use serde_json::{Value, json};
use std::fs;

/// A state that is one stop away from being due at 14:03:22.
fn nearly_due(env: &TestEnv) {
    env.write(
        state_file(env),
        r#"{"version":1,"stops":19,"first_stop":"2026-11-30T13:00:00Z","last_trigger":null}"#,
    );
}

/// A stop with a person there; gives what was printed.
fn checkpoint(env: &TestEnv, payload: &Value) -> String {
    let done = env
        .cmd("stop-trigger")
        .env("CLAUDE_PROJECT_DIR", env.project())
        .env("CLAUDE_CODE_ENTRYPOINT", "cli")
        .stdin(payload.to_string())
        .run()
        .ok();
    assert!(done.stderr.is_empty(), "{done:?}");
    done.out()
}

#[test]
fn a_checkpoint_is_one_object_after_twenty_stops_and_thirty_minutes() {
    let mut env = TestEnv::new();
    let session = env.session();
    let mut said = Vec::new();
    for n in 0..45 {
        env.now(&format!("2026-11-30T14:{n:02}:00Z"));
        let out = checkpoint(&env, &session.stop(&format!("p{n}"), "x"));
        if !out.is_empty() {
            said.push((n, out));
        }
    }
    // The first counted stop is at minute 0.
    assert_eq!(said.iter().map(|s| s.0).collect::<Vec<_>>(), [30]);
    let value: Value = serde_json::from_str(&said[0].1).unwrap();
    assert_eq!(value["hookSpecificOutput"]["hookEventName"], "Stop");
    let text = value["hookSpecificOutput"]["additionalContext"]
        .as_str()
        .unwrap();
    assert!(text.chars().count() < 9000);
    contains(text, ".claude/rules");
    for mark in ["①", "②", "③", "④", "⑤", "⑥", "⑦"] {
        contains(text, mark);
    }
    assert_eq!(value.as_object().unwrap().len(), 1, "{value}");
    let now = state(&env);
    assert_eq!(
        (now["version"].clone(), now["stops"].clone()),
        (json!(1), json!(14))
    );
    assert_eq!(now["last_trigger"], "2026-11-30T14:30:00Z");
}

#[test]
fn the_checkpoint_speaks_four_languages_with_fixed_words() {
    for (language, words) in [
        ("ko", ["[정리 확인]", "무엇을 저장할까요?"]),
        ("de", ["[Speicher-Checkpoint]", "Welche speichern?"]),
        ("en", ["[Memory checkpoint]", "Which ones to save?"]),
        ("zh", ["[整理确认]", "要保存哪些？"]),
    ] {
        for way in ["env", "config", "project", "client", "locale"] {
            let mut env = at_work();
            match way {
                "env" => drop(env.set("MNEMO_LANGUAGE", language)),
                "config" => env.configure(&format!("language: {language}\n")),
                "project" => drop(env.write(".mnemo.yaml", format!("language: {language}\n"))),
                "client" => {
                    let name = match language {
                        "ko" => "korean",
                        "de" => "german",
                        "en" => "english",
                        _ => "chinese",
                    };
                    env.write(
                        env.claude().join("settings.json"),
                        json!({ "language": name }).to_string(),
                    );
                }
                _ => {
                    let locale = match language {
                        "ko" => "ko_KR.UTF-8",
                        "de" => "de_AT.UTF-8",
                        "en" => "en_US.UTF-8",
                        _ => "zh_CN.UTF-8",
                    };
                    env.set("LANG", locale);
                }
            }
            nearly_due(&env);
            let out = checkpoint(&env, &env.session().stop("p", "x"));
            for word in words {
                assert!(out.contains(word), "{language} by {way}: {out}");
            }
        }
    }
}

#[test]
fn stops_that_do_not_count_or_cannot_deliver() {
    // Who is there, what is running, and whether it speaks.
    for (vars, tasks, speaks) in [
        (&[("CLAUDE_CODE_ENTRYPOINT", "cli")][..], json!([]), true),
        (&[][..], json!([]), true),
        (&[("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")], json!([]), false),
        (&[("CLAUDE_CODE_ENTRYPOINT", "sdk-py")], json!([]), false),
        (
            &[("CLAUDE_CODE_ENTRYPOINT", "claude-vscode")],
            json!([]),
            true,
        ),
        (
            &[
                ("CLAUDE_CODE_ENTRYPOINT", "cli"),
                ("CLAUDE_CODE_SESSION_ATTENDED", "0"),
            ],
            json!([]),
            false,
        ),
        (
            &[
                ("CLAUDE_CODE_ENTRYPOINT", "sdk-cli"),
                ("CLAUDE_CODE_SESSION_ATTENDED", "1"),
            ],
            json!([]),
            true,
        ),
        (
            &[("CLAUDE_CODE_ENTRYPOINT", "cli")],
            json!([{"id": "b", "type": "shell"}]),
            false,
        ),
    ] {
        let env = at_work();
        nearly_due(&env);
        let mut stop = env.session().stop("p", "x");
        stop["background_tasks"] = tasks;
        let run = |stop: &Value| {
            let mut cmd = env
                .cmd("stop-trigger")
                .env("CLAUDE_PROJECT_DIR", env.project());
            for (name, value) in vars {
                cmd = cmd.env(name, value);
            }
            cmd.stdin(stop.to_string()).run().ok().out()
        };
        assert_eq!(!run(&stop).is_empty(), speaks, "{vars:?} {stop}");
        if !speaks {
            assert_eq!(state(&env)["stops"], 20, "it stays due");
            let out = checkpoint(&env, &env.session().stop("p2", "x"));
            assert!(!out.is_empty(), "{vars:?}");
        }
        assert_eq!(state(&env)["stops"], 0);
    }
    let env = at_work();
    nearly_due(&env);
    let mut stop = env.session().stop("p", "x");
    stop["stop_hook_active"] = json!(true);
    assert_eq!(checkpoint(&env, &stop), "");
    assert_eq!(state(&env)["stops"], 19);
    stop["stop_hook_active"] = json!(false);
    stop["agent_id"] = json!("a1");
    assert_eq!(checkpoint(&env, &stop), "");
    assert_eq!(state(&env)["stops"], 19, "not the main thread");
}

#[test]
fn the_checkpoint_comes_with_the_next_prompt_when_asked_to() {
    for old in [false, true] {
        let env = at_work();
        let mut session = env.session();
        if old {
            session.version = "2.1.162".into();
            session.says("p", "x");
            session.answers("y", Some("end_turn"));
        } else {
            env.configure("checkpoint:\n  deliver: next-prompt\n");
        }
        nearly_due(&env);
        assert_eq!(checkpoint(&env, &session.stop("p", "y")), "", "old: {old}");
        let run = || {
            env.cmd("prompt-save")
                .env("CLAUDE_PROJECT_DIR", env.project())
                .env("CLAUDE_CODE_ENTRYPOINT", "cli")
                .stdin(session.prompt("p2", "next").to_string())
                .run()
                .ok()
                .out()
        };
        let out = run();
        let text = match serde_json::from_str::<Value>(&out) {
            Ok(value) => {
                assert_eq!(
                    value["hookSpecificOutput"]["hookEventName"],
                    "UserPromptSubmit"
                );
                value["hookSpecificOutput"]["additionalContext"]
                    .as_str()
                    .unwrap()
                    .to_owned()
            }
            Err(_) => out,
        };
        contains(&text, "[Memory checkpoint]");
        assert_eq!(run(), "", "once only");
    }
    let env = at_work();
    env.configure("checkpoint:\n  deliver: off\n");
    nearly_due(&env);
    assert_eq!(checkpoint(&env, &env.session().stop("p", "x")), "");
}

#[test]
fn the_border_version_takes_the_stop_form() {
    let env = at_work();
    let mut session = env.session();
    session.version = "2.1.163".into();
    session.says("p", "x");
    session.answers("y", Some("end_turn"));
    nearly_due(&env);
    assert!(!checkpoint(&env, &session.stop("p", "y")).is_empty());
}

#[test]
fn thresholds_are_set_by_the_user_and_only_raised_by_a_project() {
    let due_after = |env: &mut TestEnv| -> Option<usize> {
        let session = env.session();
        (1..=40).find(|n| {
            env.now(&format!("2026-11-30T{:02}:{:02}:00Z", 10 + n / 60, n % 60));
            !checkpoint(env, &session.stop(&format!("p{n}"), "x")).is_empty()
        })
    };
    let mut env = TestEnv::new();
    env.configure("checkpoint:\n  stops: 3\n  minutes: 1\n");
    assert_eq!(due_after(&mut env), Some(3));
    let mut env = TestEnv::new();
    env.set("MNEMO_STOPS", "5").set("MNEMO_MINUTES", "0");
    env.configure("checkpoint:\n  stops: 3\n  minutes: 1\n");
    assert_eq!(due_after(&mut env), Some(5));
    let mut env = TestEnv::new();
    env.configure("checkpoint:\n  stops: 6\n  minutes: 1\n");
    env.write(".mnemo.yaml", "checkpoint:\n  stops: 2\n  minutes: 0\n");
    assert_eq!(due_after(&mut env), Some(6));
    let mut env = TestEnv::new();
    env.configure("checkpoint:\n  stops: 2\n  minutes: 1\n");
    env.write(".mnemo.yaml", "checkpoint:\n  stops: 7\n");
    assert_eq!(due_after(&mut env), Some(7));
}

#[test]
fn a_state_that_is_damaged_heals_and_says_so() {
    for damage in [
        "",
        "{",
        "null",
        "[1]",
        r#"{"version":1,"stops":-5,"first_stop":null,"last_trigger":null}"#,
        r#"{"version":1,"stops":1e99,"first_stop":null,"last_trigger":null}"#,
        r#"{"version":1,"stops":3,"first_stop":"2099-01-01T00:00:00Z","last_trigger":null}"#,
        r#"{"version":1,"stops":3,"first_stop":"2026-11-30T10:00:00Z","last_trigger":"2099-01-01T00:00:00Z"}"#,
        r#"{"version":99,"stops":"many"}"#,
        "dir",
    ] {
        let mut env = at_work();
        if damage == "dir" {
            fs::create_dir_all(state_file(&env).join("x")).unwrap();
        } else {
            env.write(state_file(&env), damage);
        }
        let session = env.session();
        assert_eq!(checkpoint(&env, &session.stop("p", "x")), "", "{damage}");
        assert!(!env.errors().is_empty(), "{damage}: not in the log");
        assert_eq!(state(&env)["version"], 1, "{damage}");
        let mut spoke = false;
        for n in 0..40 {
            env.now(&format!("2026-11-30T15:{n:02}:00Z"));
            spoke |= !checkpoint(&env, &session.stop(&format!("q{n}"), "x")).is_empty();
        }
        assert!(spoke, "{damage}: frozen");
    }
}

#[test]
fn fifty_stops_at_once_count_fifty() {
    let env = at_work();
    let payload = env.session().stop("p", "x").to_string();
    let runs: Vec<_> = (0..50)
        .map(|_| {
            env.cmd("stop-trigger")
                .env("CLAUDE_PROJECT_DIR", env.project())
                .stdin(payload.clone())
                .start()
        })
        .collect();
    for run in runs {
        run.wait().silent();
    }
    assert_eq!(state(&env)["stops"], 50);
}

#[test]
fn with_auto_memory_off_the_state_lies_with_mnemo() {
    for way in ["setting", "environment"] {
        let mut env = at_work();
        if way == "setting" {
            env.write(
                env.claude().join("settings.json"),
                r#"{"autoMemoryEnabled": false}"#,
            );
        } else {
            env.set("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1");
        }
        checkpoint(&env, &env.session().stop("p", "x"));
        assert!(!state_file(&env).exists(), "{way}");
        let names = Tree::of(&env.state());
        assert!(
            names.names().iter().any(|n| n.contains("consolidate")),
            "{way}: {:?}",
            names.names()
        );
    }
}

#[test]
fn the_auto_memory_folder_is_the_main_worktrees_or_the_users_choice() {
    let mut env = at_work();
    let tree = env.base().join("wt");
    env.git(&["worktree", "add", "-q", tree.to_str().unwrap()]);
    fs::create_dir_all(tree.join("sub")).unwrap();
    let session = Session::at(
        &env,
        "1f0c2d3e-0000-4000-8000-000000000001",
        &tree.join("sub"),
    );
    env.cmd("stop-trigger")
        .env("CLAUDE_PROJECT_DIR", tree.join("sub"))
        .stdin(session.stop("p", "x").to_string())
        .run()
        .silent();
    assert_eq!(state(&env)["stops"], 1);
    let other = env.home().join("my memory");
    env.write(
        env.claude().join("settings.json"),
        r#"{"autoMemoryDirectory": "~/my memory"}"#,
    );
    env.now("2026-11-30T14:10:00Z");
    checkpoint(&env, &env.session().stop("p", "x"));
    assert!(other.join(".consolidate-state").is_file());
    assert_eq!(Tree::of(&env.home()).mode("my memory"), 0o700);
    // A project's own settings are not trusted for it.
    let env = at_work();
    let evil = env.base().join("evil");
    env.write(
        ".claude/settings.json",
        json!({"autoMemoryDirectory": evil}).to_string(),
    );
    checkpoint(&env, &env.session().stop("p", "x"));
    assert!(!evil.exists());
    assert_eq!(state(&env)["stops"], 1);
}
