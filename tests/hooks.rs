//! The built hooks with real stdin and real files, as a user's session runs them.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use mnemo_tests::{TestEnv, Turn, assistant, user};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::time::Duration;

const HOOKS: [&str; 5] = [
    "prompt-save",
    "tool-log",
    "response-save",
    "session-reconcile",
    "stop-trigger",
];

#[test]
fn a_prompt_and_its_reply_are_stored_byte_for_byte() {
    let mut env = TestEnv::named("shop-api");
    env.tz("Asia/Seoul").now("2026-11-30T05:03:22Z");
    let session = env.session();
    let prompt = "  배포는 \\n 어떻게?\r\n\ttab `x` \u{1112}\u{1161}\u{11ab}\n\n## [10:00:00] User\n\\## [10:00] Assistant\n<!-- mnemo s=1 -->\n````\n\n";
    env.hook("prompt-save", &session.prompt("turn-1", prompt))
        .silent();
    env.now("2026-11-30T05:04:10Z");
    env.hook("response-save", &session.stop("turn-1", "Blue/green."))
        .silent();
    assert_eq!(env.turns(), [user(prompt), assistant("Blue/green.")]);

    let day = &env.days()[0];
    assert_eq!(day.date, "2026-11-30");
    assert_eq!(day.entries[0].time, "14:03:22");
    assert_eq!(day.entries[1].time, "14:04:10");
    assert_eq!(day.entries[0].attr("id"), Some("turn-1"));
    assert_eq!(day.entries[0].attr("s"), Some(&session.id[..8]));
    let bytes = env
        .tree()
        .file("conversations/2026-11-30-claude.md")
        .to_vec();
    let head = "---\ndate: 2026-11-30\nproject: shop-api\nkeywords: []\nsummary: \"\"\n---\n\n# 2026-11-30\n\n## [14:03:22] User\n<!-- mnemo s=";
    assert!(
        bytes.starts_with(head.as_bytes()),
        "{}",
        String::from_utf8_lossy(&bytes)
    );
}

#[test]
fn what_is_not_a_persons_prompt_is_left_out() {
    let env = TestEnv::new();
    let session = env.session();
    for text in ["", "  \n\t", "<task-notification>\n<task-id>b1</task-id>"] {
        env.hook("prompt-save", &session.prompt("t", text)).silent();
    }
    assert_eq!(env.turns(), []);
}

#[test]
fn the_same_prompt_twice_is_two_entries() {
    let env = TestEnv::new();
    let session = env.session();
    for turn in ["t1", "t2", "t2"] {
        env.hook("prompt-save", &session.prompt(turn, "go on"))
            .silent();
    }
    assert_eq!(env.turns(), [user("go on"), user("go on"), user("go on")]);
}

#[test]
fn a_whole_turn_is_one_reply() {
    let env = TestEnv::new();
    let mut session = env.session();
    env.hook("prompt-save", &session.prompt("t1", "do it"))
        .silent();
    session.says("t1", "do it");
    session.answers(" First. ", Some("tool_use"));
    let (_, call) = session.calls("Bash", &json!({"command": "ls"}));
    session.result("t1", &call, "x", false);
    // The last text is not in the file yet, and equals one that is.
    env.hook("response-save", &session.stop("t1", "First."))
        .silent();
    assert_eq!(env.turns(), [user("do it"), assistant("First.\n\nFirst.")]);
    // The same stop again, with the file complete: nothing new.
    session.answers("First.", Some("end_turn"));
    env.hook("response-save", &session.stop("t1", "First."))
        .silent();
    assert_eq!(env.turns().len(), 2);
}

#[test]
fn a_reply_that_was_begun_is_completed_in_place() {
    let env = TestEnv::new();
    let mut session = env.session();
    session.says("t1", "do it");
    env.hook("prompt-save", &session.prompt("t1", "do it"))
        .silent();
    session.answers("One.", Some("end_turn"));
    env.hook("response-save", &session.stop("t1", "One."))
        .silent();
    let (_, call) = session.calls("Bash", &json!({"command": "ls"}));
    session.result("t1", &call, "x", false);
    session.answers("Two.", Some("end_turn"));
    env.hook("response-save", &session.stop("t1", "Two."))
        .silent();
    assert_eq!(env.turns(), [user("do it"), assistant("One.\n\nTwo.")]);
}

#[test]
fn a_turn_continued_by_a_hook_has_two_replies_that_hold_each_text_once() {
    let env = TestEnv::new();
    let mut session = env.session();
    session.says("t1", "go");
    env.hook("prompt-save", &session.prompt("t1", "go"))
        .silent();
    session.answers("Done.", Some("end_turn"));
    env.hook("response-save", &session.stop("t1", "Done."))
        .silent();
    session.line(json!({"type": "user", "isMeta": true, "promptId": "t1",
        "message": {"role": "user", "content": "Stop hook feedback:\nkeep going"}}));
    session.answers("Done.", Some("end_turn"));
    let mut again = session.stop("t1", "Done.");
    again["stop_hook_active"] = json!(true);
    env.hook("response-save", &again).silent();
    assert_eq!(
        env.turns(),
        [user("go"), assistant("Done."), assistant("Done.")]
    );
}

/// The client had not written yet what continued the turn: nothing in the file tells of the stop.
#[test]
fn a_continued_turns_second_reply_does_not_repeat_the_first() {
    for version in ["2.1.332", "2.1.59"] {
        let env = TestEnv::new();
        let mut session = env.session();
        session.version = version.into();
        let id = if version == "2.1.59" { "" } else { "t1" };
        session.says(id, "go");
        env.hook("prompt-save", &session.prompt(id, "go")).silent();
        session.answers("First.", None);
        env.hook("response-save", &session.stop(id, "First."))
            .silent();
        session.answers("Second.", Some("end_turn"));
        let mut again = session.stop(id, "Second.");
        again["stop_hook_active"] = json!(true);
        env.hook("response-save", &again).silent();
        assert_eq!(
            env.turns(),
            [user("go"), assistant("First."), assistant("Second.")],
            "{version}"
        );
    }
}

/// Clients without prompt ids write the prompt's line late: the tail is still the turn before.
#[test]
fn an_old_clients_reply_is_not_mixed_with_the_turn_before() {
    for (first, second, reply) in [
        ("Prompt 1", "Prompt 2", "Answer 2."),
        ("Prompt 1", "Prompt 2", "Answer 1."),
        ("go on", "go on", "Answer 1."),
    ] {
        let env = TestEnv::new();
        let mut session = env.session();
        session.version = "2.1.59".into();
        env.hook("prompt-save", &session.prompt("", first)).silent();
        session.says("", first);
        session.answers("Before.", Some("tool_use"));
        let (_, call) = session.calls("Bash", &json!({"command": "ls"}));
        session.result("", &call, "x", false);
        env.hook("response-save", &session.stop("", "Answer 1."))
            .silent();
        session.answers("Answer 1.", Some("end_turn"));
        env.hook("prompt-save", &session.prompt("", second))
            .silent();
        env.hook("response-save", &session.stop("", reply)).silent();
        assert_eq!(
            env.turns(),
            [
                user(first),
                assistant("Before.\n\nAnswer 1."),
                user(second),
                assistant(reply)
            ]
        );
    }
}

#[test]
fn without_a_transcript_the_last_text_is_stored() {
    let env = TestEnv::new();
    let session = env.session();
    env.hook("response-save", &session.stop("t1", "Alone."))
        .silent();
    assert_eq!(env.turns(), [assistant("Alone.")]);
    assert_eq!(env.errors(), Vec::<String>::new());
}

#[test]
fn subagents_stay_out_of_the_conversation() {
    let env = TestEnv::new();
    let session = env.session();
    let mut stop = session.stop("t1", "inner");
    stop["agent_id"] = json!("a1");
    stop["agent_type"] = json!("Explore");
    env.hook("response-save", &stop).silent();
    assert_eq!(env.turns(), []);
    let mut tool = session.tool(
        "t1",
        "Bash",
        &json!({"command": "ls -la"}),
        &json!({"stdout": "x"}),
    );
    tool["agent_id"] = json!("a1");
    tool["agent_type"] = json!("Explore");
    env.hook("tool-log", &tool).silent();
    let call = &env.calls()[0];
    assert_eq!(
        (call.tool.as_str(), call.detail.as_str()),
        ("Bash", "ls -la (agent: Explore)")
    );
}

#[test]
fn tool_calls_are_logged_as_the_client_judges_them() {
    let mut env = TestEnv::new();
    env.now("2026-11-30T14:03:40Z");
    let session = env.session();
    let project = env.project().to_str().unwrap().to_owned();
    let calls: [(&str, Value, Value); 7] = [
        (
            "Bash",
            json!({"command": "cargo test\n  --workspace"}),
            json!({"stdout": "0 errors, 0 failed", "interrupted": false}),
        ),
        (
            "Write",
            json!({"file_path": format!("{project}/src/a b.rs"), "content": "x"}),
            json!({"type": "create"}),
        ),
        ("Edit", json!({"file_path": "/etc/hosts"}), json!({})),
        (
            "Agent",
            json!({"subagent_type": "Explore", "description": "find it"}),
            json!({}),
        ),
        (
            "WebFetch",
            json!({"url": "https://example.com/x"}),
            json!("page"),
        ),
        ("mcp__db__query", json!({"sql": "select 1"}), json!("1")),
        ("Read", json!({"file_path": "/etc/passwd"}), json!({})),
    ];
    for (name, input, response) in &calls {
        env.hook("tool-log", &session.tool("t1", name, input, response))
            .silent();
    }
    env.hook(
        "tool-log",
        &session.tool_failed("t1", "Bash", &json!({"command": "false"}), "Exit code 1"),
    )
    .silent();
    let log = String::from_utf8(
        env.tree()
            .file("conversations/2026-11-30-toollog.md")
            .to_vec(),
    )
    .unwrap();
    let lines: Vec<&str> = log.lines().filter(|line| line.starts_with("- ")).collect();
    assert_eq!(
        lines,
        [
            "- `[14:03:40]` **Bash** cargo test   --workspace",
            "- `[14:03:40]` **Write** src/a b.rs",
            "- `[14:03:40]` **Edit** /etc/hosts",
            "- `[14:03:40]` **Agent** Explore: find it",
            "- `[14:03:40]` **WebFetch** https://example.com/x",
            "- `[14:03:40]` **mcp__db__query**",
            "- `[14:03:40]` **Bash** false — failed",
        ]
    );
    assert!(log.starts_with(
        "---\ndate: 2026-11-30\ntype: tool-log\n---\n\n# Tool Usage Log - 2026-11-30\n\n"
    ));
    let learned = env
        .tree()
        .file("memory/learned/observations.jsonl")
        .to_vec();
    let learned: Vec<Value> = learned
        .split(|b| *b == b'\n')
        .filter(|l| !l.is_empty())
        .map(|l| serde_json::from_slice(l).unwrap())
        .collect();
    assert_eq!(
        learned
            .iter()
            .map(|o| o["tool"].as_str().unwrap())
            .collect::<Vec<_>>(),
        ["Bash", "Write", "Edit", "Agent"]
    );
    assert_eq!(learned[0]["event"], "tool_success");
    let gotchas: Value = serde_json::from_slice(
        env.tree()
            .file("memory/gotchas/observations.jsonl")
            .trim_ascii(),
    )
    .unwrap();
    assert_eq!(gotchas["event"], "tool_error");
    assert_eq!(gotchas["session"], json!(session.id));
}

#[test]
fn private_text_and_secrets_reach_no_file() {
    let env = TestEnv::new();
    let session = env.session();
    let token = format!("{}{}", "ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    let text =
        format!("keep <PRIVATE x=1>WORD1 <private>WORD2</private> WORD3</private> {token} end");
    env.hook("prompt-save", &session.prompt("t1", &text))
        .silent();
    env.hook(
        "response-save",
        &session.stop("t1", "a <private>WORD4 never closed"),
    )
    .silent();
    env.hook(
        "tool-log",
        &session.tool(
            "t1",
            "Bash",
            &json!({"command": format!("curl -H 'Authorization: Bearer {token}' x")}),
            &json!({"stdout": format!("{token} <private>WORD5</private>")}),
        ),
    )
    .silent();
    assert_eq!(
        env.turns(),
        [
            user("keep [PRIVATE] [REDACTED:github] end"),
            assistant("a [PRIVATE]")
        ]
        .map(|turn| fix_kind(turn, &env))
    );
    let tree = mnemo_tests::tree::Tree::of(env.base());
    for secret in ["WORD1", "WORD2", "WORD3", "WORD4", "WORD5", &token] {
        tree.nowhere(secret);
    }
}

/// The kind's name is the product's choice.
fn fix_kind(mut turn: Turn, env: &TestEnv) -> Turn {
    if let Some(at) = turn.body.find("[REDACTED:") {
        let written = &env.turns()[0].body;
        let kind = &written[written.find("[REDACTED:").expect("redacted")..];
        let kind = &kind[..=kind.find(']').expect("closed")];
        let end = at + turn.body[at..].find(']').unwrap() + 1;
        turn.body.replace_range(at..end, kind);
    }
    turn
}

#[test]
fn modes_are_private_whatever_the_umask() {
    let mut env = TestEnv::new();
    env.umask(0o000);
    let mut session = env.session();
    session.says("t1", "x");
    env.hook("prompt-save", &session.prompt("t1", "x")).silent();
    env.hook("response-save", &session.stop("t1", "y")).silent();
    env.hook("stop-trigger", &session.stop("t1", "y")).silent();
    env.hook(
        "tool-log",
        &session.tool("t1", "Bash", &json!({"command": "x"}), &json!({})),
    )
    .silent();
    env.hook("session-reconcile", &session.start("startup"))
        .silent();
    let tree = env.tree();
    let mut seen = 0;
    for name in tree.names() {
        if name == "conversations"
            || name.starts_with("conversations/")
            || name.starts_with("memory")
            || name == "MEMORY.md"
        {
            let mode = tree.mode(name);
            assert_eq!(mode & 0o077, 0, "{name}: {mode:o}");
            seen += 1;
        }
    }
    assert!(seen > 6, "{:?}", tree.names());
    let home = mnemo_tests::tree::Tree::of(&env.home().join(".claude/projects"));
    let state = home
        .names()
        .into_iter()
        .find(|n| n.ends_with(".consolidate-state"))
        .expect("state")
        .to_owned();
    assert_eq!(home.mode(&state), 0o600);
}

#[test]
fn git_status_stays_as_it_was() {
    let env = TestEnv::new();
    let session = env.session();
    let before = env.git(&["status", "--porcelain"]).ok().out();
    env.hook("prompt-save", &session.prompt("t1", "x")).silent();
    env.hook(
        "tool-log",
        &session.tool("t1", "Bash", &json!({"command": "x"}), &json!({})),
    )
    .silent();
    assert_eq!(env.git(&["status", "--porcelain"]).ok().out(), before);
    assert!(!env.project().join(".gitignore").exists());
    let exclude = fs::read_to_string(env.project().join(".git/info/exclude")).unwrap();
    for line in ["conversations/", "memory/", "MEMORY.md"] {
        assert!(exclude.contains(line), "{exclude}");
    }
    // Lines that were taken out stay out.
    fs::write(env.project().join(".git/info/exclude"), "").unwrap();
    env.hook("prompt-save", &session.prompt("t2", "y")).silent();
    assert_eq!(
        fs::read_to_string(env.project().join(".git/info/exclude")).unwrap(),
        ""
    );
}

#[test]
fn nothing_is_written_outside_a_root() {
    let env = TestEnv::bare("plain");
    let session = env.session();
    for hook in HOOKS {
        env.hook(hook, &session.prompt("t1", "x")).silent();
        env.hook(hook, &session.stop("t1", "x")).silent();
        env.hook(hook, &session.start("startup")).silent();
    }
    assert_eq!(env.tree().names(), Vec::<&str>::new());
    fs::write(env.project().join(".mnemo-root"), "").unwrap();
    env.hook("prompt-save", &session.prompt("t1", "x")).silent();
    assert_eq!(env.turns(), [user("x")]);
}

#[test]
fn a_sub_directory_and_a_worktree_share_the_main_record_and_a_submodule_has_its_own() {
    let env = TestEnv::new();
    let sub = env.project().join("src/deep");
    fs::create_dir_all(&sub).unwrap();
    let worktree = env.base().join("feature");
    env.git(&["worktree", "add", "-q", worktree.to_str().unwrap()])
        .ok();
    let library = env.base().join("library");
    env.git(&[
        "clone",
        "-q",
        env.project().to_str().unwrap(),
        library.to_str().unwrap(),
    ])
    .ok();
    env.git(&[
        "-c",
        "protocol.file.allow=always",
        "submodule",
        "add",
        "-q",
        library.to_str().unwrap(),
        "lib",
    ])
    .ok();
    let session = env.session();
    for (dir, text) in [
        (sub.clone(), "sub"),
        (worktree, "tree"),
        (env.project().join("lib"), "module"),
    ] {
        let mut payload = session.prompt("t", text);
        payload["cwd"] = json!(dir);
        env.cmd("prompt-save")
            .env("CLAUDE_PROJECT_DIR", &dir)
            .stdin(payload.to_string())
            .run()
            .silent();
    }
    assert_eq!(env.turns(), [user("sub"), user("tree")]);
    let module = mnemo_tests::env::days_in(&env.project().join("lib"));
    assert_eq!(module[0].turns(), [user("module")]);
    assert!(!sub.join("conversations").exists());
}

#[test]
fn git_variables_move_nothing() {
    let env = TestEnv::new();
    let elsewhere = env.base().join("elsewhere");
    fs::create_dir_all(elsewhere.join(".git")).unwrap();
    let payload = env.session().prompt("t", "x");
    env.cmd("prompt-save")
        .env("CLAUDE_PROJECT_DIR", env.project())
        .env("GIT_DIR", elsewhere.join(".git"))
        .env("GIT_WORK_TREE", &elsewhere)
        .stdin(payload.to_string())
        .run()
        .silent();
    assert_eq!(env.turns(), [user("x")]);
    assert!(!elsewhere.join("conversations").exists());
}

#[test]
fn a_record_that_leads_outside_is_refused() {
    for link in ["conversations", "memory", "MEMORY.md"] {
        let env = TestEnv::new();
        let outside = env.base().join("outside");
        fs::create_dir_all(&outside).unwrap();
        symlink(
            if link == "MEMORY.md" {
                outside.join("x.md")
            } else {
                outside.clone()
            },
            env.project().join(link),
        )
        .unwrap();
        let session = env.session();
        env.hook("prompt-save", &session.prompt("t", "x")).silent();
        env.hook(
            "tool-log",
            &session.tool("t", "Bash", &json!({"command": "x"}), &json!({})),
        )
        .silent();
        env.hook("response-save", &session.stop("t", "x")).silent();
        assert_eq!(
            mnemo_tests::tree::Tree::of(&outside).names(),
            Vec::<&str>::new(),
            "{link}"
        );
        assert!(!env.errors().is_empty(), "{link}");
    }
}

#[test]
fn bad_input_harms_nobody() {
    let big = {
        let mut text = String::from("{\"session_id\":\"s\",\"prompt\":\"");
        text.push_str(&"x".repeat(50 << 20));
        text.into_bytes()
    };
    let inputs: [(&str, Vec<u8>, usize); 9] = [
        ("empty", Vec::new(), 0),
        ("blank", b" \n".to_vec(), 0),
        ("half", b"{\"session_id\":\"abc\",\"prompt\":\"unfini".to_vec(), 1),
        ("huge half", big, 1),
        ("array", b"[1,2]".to_vec(), 1),
        ("null", b"null".to_vec(), 1),
        ("wrong types", br#"{"session_id":1,"prompt":[1],"cwd":false,"tool_name":7,"stop_hook_active":"x","transcript_path":{}}"#.to_vec(), 0),
        ("no transcript", br#"{"session_id":"abc","transcript_path":"/nowhere/x.jsonl","hook_event_name":"Stop"}"#.to_vec(), 0),
        ("bytes", b"\xff\xfe\x00\x01{".to_vec(), 1),
    ];
    for hook in HOOKS {
        for (name, input, lines) in &inputs {
            let env = TestEnv::new();
            env.cmd(hook)
                .env("CLAUDE_PROJECT_DIR", env.project())
                .stdin(input.clone())
                .run()
                .silent();
            assert_eq!(
                env.errors().len(),
                *lines,
                "{hook}, {name}: {:?}",
                env.errors()
            );
            assert!(
                !env.tree().names().iter().any(|n| n.ends_with("-claude.md")),
                "{hook}, {name}"
            );
        }
    }
}

#[test]
fn what_a_client_may_send_is_taken() {
    let env = TestEnv::new();
    let session = env.session();
    let mut payload = session.prompt("t1", "bom").to_string();
    payload.insert(0, '\u{feff}');
    let run = |bytes: Vec<u8>| {
        env.cmd("prompt-save")
            .env("CLAUDE_PROJECT_DIR", env.project())
            .stdin(bytes)
            .run()
            .silent()
    };
    run(payload.into_bytes());
    let lone = session
        .prompt("t2", "MARK")
        .to_string()
        .replace("MARK", "a\\ud83d b");
    run(lone.into_bytes());
    let mut raw = session.prompt("t3", "MARK").to_string().into_bytes();
    let at = raw.windows(4).position(|w| w == b"MARK").unwrap();
    raw.splice(at..at + 4, [b'a', 0xff, b'b']);
    run(raw);
    assert_eq!(
        env.turns(),
        [user("bom"), user("a\u{fffd} b"), user("a\u{fffd}b")]
    );
}

#[test]
fn a_stdin_that_never_closes_ends_the_hook_all_the_same() {
    let env = TestEnv::new();
    let payload = env.session().prompt("t1", "open");
    env.cmd("prompt-save")
        .env("CLAUDE_PROJECT_DIR", env.project())
        .stdin(payload.to_string())
        .keep_stdin_open()
        .limit(Duration::from_secs(60))
        .run()
        .silent();
    assert_eq!(env.turns(), [user("open")]);
}

#[test]
fn a_read_only_project_is_logged_once_and_harms_nobody() {
    if is_root() {
        // Root writes everywhere; a file in the folder's place refuses root too.
        let env = TestEnv::new();
        fs::write(env.project().join("conversations"), "mine").unwrap();
        env.hook("prompt-save", &env.session().prompt("t", "x"))
            .silent();
        assert_eq!(
            fs::read(env.project().join("conversations")).unwrap(),
            b"mine"
        );
        assert!(!env.errors().is_empty());
        return;
    }
    let env = TestEnv::new();
    fs::set_permissions(env.project(), fs::Permissions::from_mode(0o500)).unwrap();
    env.hook("prompt-save", &env.session().prompt("t", "x"))
        .silent();
    fs::set_permissions(env.project(), fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(env.errors().len(), 1);
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|m| std::os::unix::fs::MetadataExt::uid(&m) == 0)
}

#[test]
fn without_a_home_the_record_is_still_written() {
    let env = TestEnv::new();
    let session = env.session();
    for (hook, payload) in [
        ("prompt-save", session.prompt("t", "x")),
        ("response-save", session.stop("t", "y")),
        ("stop-trigger", session.stop("t", "y")),
        ("session-reconcile", session.start("startup")),
    ] {
        env.cmd(hook)
            .env_remove("HOME")
            .env("CLAUDE_PROJECT_DIR", env.project())
            .stdin(payload.to_string())
            .run()
            .silent();
    }
    assert_eq!(env.turns(), [user("x"), assistant("y")]);
}

#[test]
fn off_means_off_and_stays_off_after_a_repair() {
    let mut env = TestEnv::new();
    env.now("2026-11-30T12:00:00Z");
    let mut session = env.session();
    session.clock = "2026-11-30T11:59:00.000Z".into();
    session.says("t1", "secret talk");
    session.answers("hush", Some("end_turn"));
    for (hook, payload) in [
        ("prompt-save", session.prompt("t1", "secret talk")),
        ("response-save", session.stop("t1", "hush")),
        ("stop-trigger", session.stop("t1", "hush")),
    ] {
        env.cmd(hook)
            .env("MNEMO_DISABLE", "1")
            .env("CLAUDE_PROJECT_DIR", env.project())
            .stdin(payload.to_string())
            .run()
            .silent();
    }
    assert_eq!(env.tree().names(), Vec::<&str>::new());
    env.now("2026-11-30T12:30:00Z");
    env.hook("session-reconcile", &session.start("resume"))
        .silent();
    env.mnemo(&["reconcile", "--all", "--finished"]).ok();
    assert_eq!(env.turns(), []);
    // Said later, with the switch off again, it is recorded.
    session.clock = "2026-11-30T12:31:00.000Z".into();
    session.says("t2", "open talk");
    session.answers("hello", Some("end_turn"));
    env.mnemo(&["reconcile", "--all", "--finished"]).ok();
    assert_eq!(env.turns(), [user("open talk"), assistant("hello")]);
    mnemo_tests::tree::Tree::of(&env.home().join(".local")).nowhere("secret talk");
}

#[test]
fn fifty_stops_at_once_count_fifty_and_emit_once() {
    let mut env = TestEnv::new();
    env.set("MNEMO_STOPS", "50")
        .set("MNEMO_MINUTES", "0")
        .now("2026-11-30T12:00:00Z");
    let session = env.session();
    let payload = session.stop("t", "x").to_string();
    let running: Vec<_> = (0..50)
        .map(|_| {
            env.cmd("stop-trigger")
                .env("CLAUDE_PROJECT_DIR", env.project())
                .stdin(payload.clone())
                .start()
        })
        .collect();
    let out: Vec<String> = running
        .into_iter()
        .map(|r| r.wait().ok().out())
        .filter(|o| !o.is_empty())
        .collect();
    assert_eq!(out.len(), 1, "{out:?}");
    let answer: Value = serde_json::from_str(&out[0]).unwrap();
    assert_eq!(answer["hookSpecificOutput"]["hookEventName"], "Stop");
    let text = answer["hookSpecificOutput"]["additionalContext"]
        .as_str()
        .unwrap();
    assert!(
        text.contains("[Memory checkpoint]") && text.chars().count() < 10_000,
        "{text}"
    );
    let state = state(&env);
    assert_eq!(state["stops"], 0);
    assert_eq!(state["version"], 1);
    assert_eq!(state["last_trigger"], "2026-11-30T12:00:00Z");
    // And fifty that are not due count fifty.
    env.set("MNEMO_STOPS", "1000");
    let running: Vec<_> = (0..50)
        .map(|_| {
            env.cmd("stop-trigger")
                .env("CLAUDE_PROJECT_DIR", env.project())
                .stdin(payload.clone())
                .start()
        })
        .collect();
    for one in running {
        one.wait().silent();
    }
    assert_eq!(self::state(&env)["stops"], 50);
}

fn state(env: &TestEnv) -> Value {
    let projects = mnemo_tests::tree::Tree::of(&env.home().join(".claude/projects"));
    let name = projects
        .names()
        .into_iter()
        .find(|n| n.ends_with("memory/.consolidate-state"))
        .expect("state")
        .to_owned();
    serde_json::from_slice(projects.file(&name)).unwrap()
}

#[test]
fn a_checkpoint_waits_where_nobody_is_and_speaks_the_users_language() {
    let mut env = TestEnv::new();
    env.set("MNEMO_STOPS", "1")
        .set("MNEMO_MINUTES", "0")
        .set("MNEMO_LANGUAGE", "ko");
    let session = env.session();
    let run = |vars: &[(&str, &str)], payload: &Value| {
        let mut cmd = env
            .cmd("stop-trigger")
            .env("CLAUDE_PROJECT_DIR", env.project())
            .stdin(payload.to_string());
        for (name, value) in vars {
            cmd = cmd.env(name, value);
        }
        cmd.run().ok().out()
    };
    let stop = session.stop("t", "x");
    assert_eq!(run(&[("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")], &stop), "");
    assert_eq!(
        run(
            &[
                ("CLAUDE_CODE_ENTRYPOINT", "cli"),
                ("CLAUDE_CODE_SESSION_ATTENDED", "0")
            ],
            &stop
        ),
        ""
    );
    let mut busy = stop.clone();
    busy["background_tasks"] = json!([{"id": "b1", "type": "shell", "status": "running"}]);
    assert_eq!(run(&[("CLAUDE_CODE_ENTRYPOINT", "cli")], &busy), "");
    let mut again = stop.clone();
    again["stop_hook_active"] = json!(true);
    assert_eq!(run(&[("CLAUDE_CODE_ENTRYPOINT", "cli")], &again), "");
    assert!(run(&[("CLAUDE_CODE_ENTRYPOINT", "cli")], &stop).contains("[정리 확인]"));
    assert_eq!(self::state(&env)["stops"], 0);
}

#[test]
fn an_old_client_gets_the_checkpoint_with_the_next_prompt() {
    let mut env = TestEnv::new();
    env.set("MNEMO_STOPS", "1").set("MNEMO_MINUTES", "0");
    let mut session = env.session();
    session.version = "2.1.59".into();
    session.says("", "x");
    env.hook("stop-trigger", &session.stop("", "x")).silent();
    let out = env
        .hook("prompt-save", &session.prompt("", "next"))
        .ok()
        .out();
    let answer: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(
        answer["hookSpecificOutput"]["hookEventName"],
        "UserPromptSubmit"
    );
    env.hook("prompt-save", &session.prompt("", "after"))
        .silent();
    assert_eq!(env.turns(), [user("next"), user("after")]);
}

#[test]
fn an_old_client_that_has_not_written_its_transcript_yet_gets_the_checkpoint_with_the_next_prompt()
{
    for written in [
        None,
        Some("{\"type\":\"queue-operation\",\"operation\":\"enqueue\"}\n"),
    ] {
        let mut env = TestEnv::new();
        env.set("MNEMO_STOPS", "1").set("MNEMO_MINUTES", "0");
        env.set("CLAUDE_CODE_ENTRYPOINT", "cli");
        let mut session = env.session();
        session.version = "2.1.59".into();
        let stop = session.stop("", "x");
        if let Some(lines) = written {
            let path = Path::new(stop["transcript_path"].as_str().unwrap());
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, lines).unwrap();
        }
        env.hook("stop-trigger", &stop).silent();
        let out = env
            .hook("prompt-save", &session.prompt("", "next"))
            .ok()
            .out();
        assert!(
            out.contains("\"hookEventName\":\"UserPromptSubmit\""),
            "{out}"
        );
        // A current client tells its background tasks, written transcript or not.
        session.version = "2.1.332".into();
        let out = env.hook("stop-trigger", &session.stop("", "x")).ok().out();
        assert!(out.contains("\"hookEventName\":\"Stop\""), "{out}");
    }
}

#[test]
fn sixty_four_processes_lose_and_tear_no_entry() {
    let env = TestEnv::new();
    let session = env.session();
    // Bodies of several pages, so that a split write would show.
    let body = |worker: usize, round: usize| {
        format!(
            "{worker}-{round} {}\nend {worker}-{round}\n",
            "가나다 ".repeat(2_000)
        )
    };
    let rounds = 100;
    std::thread::scope(|scope| {
        for worker in 0..64 {
            let (env, session) = (&env, &session);
            scope.spawn(move || {
                for round in 0..rounds {
                    env.hook("prompt-save", &session.prompt("t", &body(worker, round)))
                        .silent();
                }
            });
        }
    });
    let mut seen: Vec<String> = env.turns().into_iter().map(|turn| turn.body).collect();
    seen.sort();
    let mut want: Vec<String> = (0..64)
        .flat_map(|w| (0..rounds).map(move |r| (w, r)))
        .map(|(w, r)| body(w, r))
        .collect();
    want.sort();
    assert!(
        seen == want,
        "{} of {} entries; errors {:?}",
        seen.len(),
        want.len(),
        env.errors()
    );
    for day in env.days() {
        assert!(
            day.entries.is_sorted_by_key(|e| e.time.clone()),
            "times go back"
        );
    }
}
