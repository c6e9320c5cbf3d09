//! Faults found by attack, each named after its symptom, and attacks that were withstood.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "tests")]

use mnemo_tests::session::{slug, uuid};
use mnemo_tests::{Done, Session, TestEnv, assistant, user};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::time::Duration;

/// Tokens of known shape, put together here so that none stands in this file.
fn tokens() -> Vec<(&'static str, String)> {
    let core = "AbCdEfGhIjKlMnOpQrStUvWxYz0123456789";
    vec![
        ("openai", format!("sk-{}-{core}AbCdEfGh", "proj")),
        ("anthropic", format!("sk-{}-api03-{core}_-{core}AA", "ant")),
        (
            "stripe",
            format!("sk_{}_51HqLyjWDarjtT1zdp7dcABCDEFGH", "live"),
        ),
        (
            "google",
            format!("{}SyA1234567890abcdefghijklmnopqrstuv", "AIza"),
        ),
        ("npm", format!("{}_{core}", "npm")),
        ("aws", format!("{}IOSFODNN7EXAMPLQ", "AKIA")),
        (
            "jwt",
            format!(
                "{}{}",
                "eyJ",
                "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
            ),
        ),
    ]
}

/// Says a text by every way into the record, and names the kinds of which a tail came through.
fn told_behind(before: &str) -> Vec<String> {
    let mut through = Vec::new();
    for (kind, token) in tokens() {
        let env = TestEnv::new();
        let mut session = env.session();
        let text = format!("{before}{token}");
        env.hook("prompt-save", &session.prompt("t1", &text))
            .silent();
        session.says("t1", &text);
        session.answers(&text, Some("end_turn"));
        env.hook("response-save", &session.stop("t1", &text))
            .silent();
        let input = json!({ "command": text });
        env.hook(
            "tool-log",
            &session.tool("t1", "Bash", &input, &json!({ "stdout": text })),
        )
        .silent();
        env.hook(
            "tool-log",
            &session.tool_failed("t1", "Bash", &input, &text),
        )
        .silent();
        let tail = &token[token.len() - 12..];
        for (name, node) in env.tree().0 {
            if let mnemo_tests::tree::Node::File(_, bytes) = node
                && bytes.windows(tail.len()).any(|w| w == tail.as_bytes())
            {
                through.push(format!("{kind} in {name}"));
            }
        }
    }
    through
}

fn repair(env: &TestEnv, more: &[&str]) -> Done {
    let mut args = vec!["reconcile", "--all", "--finished"];
    args.extend(more);
    env.mnemo(&args)
}

fn at(hour: u32, second: u32) -> String {
    format!("2026-11-30T{hour:02}:00:{second:02}.000Z")
}

/// A turn that only the transcript holds.
fn unseen(session: &mut Session, hour: u32, name: &str) {
    session.clock = at(hour, 0);
    session.says(name, &format!("prompt {name}"));
    session.clock = at(hour, 5);
    session.answers(&format!("reply {name}"), Some("end_turn"));
}

// ---- what leaks -----------------------------------------------------------------------------

#[test]
fn a_token_in_coloured_terminal_output_is_not_stored() {
    assert_eq!(told_behind("\u{1b}[32m"), Vec::<String>::new());
}

#[test]
fn a_token_behind_a_percent_encoded_blank_is_not_stored() {
    assert_eq!(
        told_behind("curl http://h/?a=Bearer%20"),
        Vec::<String>::new()
    );
}

#[test]
fn a_token_joined_to_a_word_is_not_stored() {
    let mut through = told_behind("prod-");
    through.extend(told_behind("KEY_"));
    assert_eq!(through, Vec::<String>::new());
}

#[test]
fn a_token_behind_other_signs_is_not_stored() {
    for before in ["", "\n", "\"", "`", "(", "한", "x=", "\\n", "\t"] {
        assert_eq!(told_behind(before), Vec::<String>::new(), "{before:?}");
    }
}

#[test]
fn an_agents_name_in_the_tool_log_is_filtered() {
    let env = TestEnv::new();
    let session = env.session();
    let mut call = session.tool(
        "t1",
        "Bash",
        &json!({ "command": "ls" }),
        &json!({ "stdout": "" }),
    );
    call["agent_id"] = json!("a1");
    call["agent_type"] = json!("helper <private>hidden word</private>");
    env.hook("tool-log", &call).silent();
    assert_eq!(env.calls().len(), 1);
    env.tree().nowhere("hidden word");
}

#[test]
fn a_tools_name_is_filtered() {
    let env = TestEnv::new();
    let session = env.session();
    let (_, token) = tokens().swap_remove(0);
    for name in [
        "mcp__<private>hidden word</private>",
        &format!("mcp__x {token}"),
    ] {
        env.hook(
            "tool-log",
            &session.tool_failed("t1", name, &json!({}), "e"),
        )
        .silent();
    }
    assert_eq!(env.calls().len(), 2);
    env.tree().nowhere("hidden word");
    env.tree().nowhere(&token);
}

// ---- whose is it ----------------------------------------------------------------------------

#[test]
fn from_takes_nothing_of_a_living_project() {
    let env = TestEnv::new();
    let mut ours = env.session();
    unseen(&mut ours, 1, "ours");
    let other = env.home().join("work/client");
    fs::create_dir_all(&other).unwrap();
    env.git(&["init", "-q", other.to_str().unwrap()]);
    let mut theirs = Session::at(&env, &uuid(), &other);
    unseen(&mut theirs, 2, "theirs");
    // The project itself, a folder above it by a slip of the finger, and the home.
    for from in [
        other.as_path(),
        other.parent().unwrap(),
        env.home().as_path(),
    ] {
        let _ = repair(&env, &["--from", from.to_str().unwrap()]);
        assert_eq!(
            env.turns().iter().find(|t| t.body.contains("theirs")),
            None,
            "--from {}",
            from.display()
        );
    }
}

#[test]
fn a_moved_project_takes_its_talk_along_once() {
    let env = TestEnv::new();
    let old = env.base().join("old");
    let mut session = Session::at(&env, &uuid(), &old);
    unseen(&mut session, 1, "a");
    repair(&env, &[]).ok();
    assert_eq!(env.turns(), []);
    for _ in 0..2 {
        repair(&env, &["--from", old.to_str().unwrap()]).ok();
        assert_eq!(env.turns(), [user("prompt a"), assistant("reply a")]);
    }
}

#[test]
fn two_projects_of_one_slug_stay_apart() {
    let env = TestEnv::named("가나");
    let other = env.base().join("다라");
    fs::create_dir_all(&other).unwrap();
    env.git(&["init", "-q", other.to_str().unwrap()]);
    assert_eq!(slug(env.project()), slug(&other));
    let mut ours = env.session();
    unseen(&mut ours, 1, "ours");
    let mut theirs = Session::at(&env, &uuid(), &other);
    unseen(&mut theirs, 1, "theirs");
    env.hook("session-reconcile", &ours.start("startup"))
        .silent();
    repair(&env, &[]).ok();
    assert_eq!(env.turns(), [user("prompt ours"), assistant("reply ours")]);
    repair(&env, &["--project-root", other.to_str().unwrap()]).ok();
    let days = mnemo_tests::env::days_in(&other);
    let turns: Vec<_> = days.iter().flat_map(mnemo_tests::day::Day::turns).collect();
    assert_eq!(turns, [user("prompt theirs"), assistant("reply theirs")]);
}

#[test]
fn a_removed_worktrees_talk_is_still_repaired() {
    let env = TestEnv::new();
    let tree = env.base().join("tree");
    env.git(&["worktree", "add", "-q", tree.to_str().unwrap()]);
    let mut session = Session::at(&env, &uuid(), &tree);
    unseen(&mut session, 1, "a");
    let start = session.start("startup");
    env.cmd("session-reconcile")
        .env("CLAUDE_PROJECT_DIR", &tree)
        .cwd(&tree)
        .stdin(format!("{start}\n"))
        .run()
        .silent();
    unseen(&mut session, 2, "b");
    env.git(&["worktree", "remove", "--force", tree.to_str().unwrap()]);
    repair(&env, &[]).ok();
    assert_eq!(
        env.turns(),
        [
            user("prompt a"),
            assistant("reply a"),
            user("prompt b"),
            assistant("reply b")
        ]
    );
}

// ---- order and number -----------------------------------------------------------------------

/// A prompt typed while the client was busy is raised within milliseconds of the stop; if that
/// stop's hook was killed, repair meets a prompt that no transcript holds yet.
#[test]
fn a_reply_repaired_in_the_second_of_the_next_prompt_stands_before_it() {
    let mut env = TestEnv::new();
    env.now("2026-11-30T06:00:00Z");
    let mut session = env.session();
    session.clock = "2026-11-30T06:00:00.100Z".into();
    session.says("t1", "one");
    env.hook("prompt-save", &session.prompt("t1", "one"))
        .silent();
    session.clock = "2026-11-30T06:00:00.200Z".into();
    session.answers("Reply one.", Some("end_turn"));
    env.hook("prompt-save", &session.prompt("t2", "two"))
        .silent();
    repair(&env, &[]).ok();
    session.clock = "2026-11-30T06:00:00.300Z".into();
    session.says("t2", "two");
    session.clock = "2026-11-30T06:00:00.400Z".into();
    session.answers("Reply two.", Some("end_turn"));
    repair(&env, &[]).ok();
    assert_eq!(
        env.turns(),
        [
            user("one"),
            assistant("Reply one."),
            user("two"),
            assistant("Reply two.")
        ]
    );
}

#[test]
fn a_fork_that_holds_missed_turns_gives_them_once_and_in_order() {
    let mut env = TestEnv::new();
    let mut session = env.session();
    session.clock = at(1, 0);
    session.says("t1", "one");
    env.now("2026-11-30T01:00:00Z");
    env.hook("prompt-save", &session.prompt("t1", "one"))
        .silent();
    session.clock = at(1, 1);
    session.answers("Same.", Some("end_turn"));
    session.clock = at(1, 10);
    session.says("t2", "two");
    session.clock = at(1, 11);
    session.answers("Same.", Some("end_turn"));
    env.now("2026-11-30T01:00:11Z");
    env.hook("response-save", &session.stop("t2", "Same."))
        .silent();
    // The fork's copy: new session id, new prompt id, the rest as it was.
    let fork = Session::new(&env, "00000000-0000-4000-8000-000000000000");
    for line in fs::read_to_string(&session.transcript).unwrap().lines() {
        let mut line: Value = serde_json::from_str(line).unwrap();
        line["sessionId"] = json!(fork.id);
        if line["promptId"].is_string() {
            line["promptId"] = json!("forked");
        }
        fork.raw(format!("{line}\n"));
    }
    for _ in 0..2 {
        repair(&env, &[]).ok();
        let all = [
            user("one"),
            assistant("Same."),
            user("two"),
            assistant("Same."),
        ];
        assert_eq!(env.turns(), all);
    }
}

#[test]
fn lies_in_the_caches_cost_no_turn() {
    let caches = [
        "conversations/.mnemo-index.json",
        "conversations/.mnemo-chains.json",
    ];
    let deep = "[".repeat(100_000);
    let lies = [
        "",
        "{",
        "null",
        "\0\0\0\0",
        r#"{"version":99}"#,
        r#"{"version":"2"}"#,
        r#"{"version":2,"transcripts":5}"#,
        r#"{"version":2,"transcripts":{"x":{"size":-1}}}"#,
        &deep,
    ];
    for lie in lies {
        let env = TestEnv::new();
        let mut session = env.session();
        unseen(&mut session, 1, "a");
        repair(&env, &[]).ok();
        for cache in caches {
            env.write(cache, lie);
        }
        unseen(&mut session, 2, "b");
        env.hook("session-reconcile", &session.start("startup"))
            .silent();
        // An offset behind the end, then one in the middle of a line.
        for (hour, name, back) in [(3, "c", 0), (4, "d", 30)] {
            let path = env.project().join(caches[0]);
            let mut index: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
            for entry in index["transcripts"].as_object_mut().unwrap().values_mut() {
                let size = entry["size"].as_u64().unwrap();
                let offset = if back == 0 {
                    1_000_000_000
                } else {
                    size - back
                };
                entry["position"]["offset"] = json!(offset);
            }
            fs::write(&path, index.to_string()).unwrap();
            unseen(&mut session, hour, name);
            env.hook("session-reconcile", &session.start("startup"))
                .silent();
            repair(&env, &[]).ok();
        }
        let said: Vec<String> = env.turns().into_iter().map(|t| t.body).collect();
        let all: Vec<String> = ["a", "b", "c", "d"]
            .iter()
            .flat_map(|n| [format!("prompt {n}"), format!("reply {n}")])
            .collect();
        let head: String = lie.chars().take(40).collect();
        assert_eq!(said, all, "caches holding {head:?}");
    }
}

#[test]
fn odd_files_among_the_transcripts_harm_nobody() {
    let env = TestEnv::new();
    let mut session = env.session();
    unseen(&mut session, 1, "a");
    let folder = session.transcript.parent().unwrap();
    env.program("mkfifo")
        .arg(folder.join("fifo.jsonl"))
        .run()
        .ok();
    symlink("/dev/zero", folder.join("zero.jsonl")).unwrap();
    symlink(&session.transcript, folder.join("link.jsonl")).unwrap();
    fs::hard_link(&session.transcript, folder.join("hard.jsonl")).unwrap();
    fs::copy(&session.transcript, folder.join("copy.jsonl")).unwrap();
    fs::create_dir(folder.join("dir.jsonl")).unwrap();
    fs::write(folder.join("empty.jsonl"), "").unwrap();
    env.hook("session-reconcile", &session.start("startup"))
        .silent();
    let _ = repair(&env, &[]);
    assert_eq!(env.turns(), [user("prompt a"), assistant("reply a")]);
}

// ---- how it ends ----------------------------------------------------------------------------

#[test]
fn a_repair_that_wrote_turns_never_says_that_nothing_changed() {
    let env = TestEnv::new();
    let mut session = env.session();
    unseen(&mut session, 1, "a");
    fs::create_dir(env.project().join("conversations")).unwrap();
    symlink(
        env.base().join("elsewhere"),
        env.project().join("conversations/.mnemo-index.json"),
    )
    .unwrap();
    let done = repair(&env, &[]);
    assert!(!env.base().join("elsewhere").exists());
    let (code, wrote) = (done.status.code(), !env.turns().is_empty());
    assert!(
        if wrote {
            matches!(code, Some(0 | 5))
        } else {
            code == Some(4)
        },
        "wrote turns: {wrote}, {done:?}"
    );
}

#[test]
fn a_time_zone_that_cannot_be_read_ends_no_turn() {
    let mut env = TestEnv::new();
    let fifo = env.base().join("zone");
    env.program("mkfifo").arg(&fifo).run().ok();
    let session = env.session();
    let zones = [
        format!(":{}", fifo.display()),
        fifo.display().to_string(),
        ":/dev/stdin".to_owned(),
        "/dev/zero".to_owned(),
        ":../../../dev/zero".to_owned(),
    ];
    let mut said = Vec::new();
    for (number, zone) in zones.iter().enumerate() {
        env.set("TZ", zone);
        let prompt = format!("hello {number}");
        let payload = session.prompt(&format!("t{number}"), &prompt);
        let done = env
            .cmd("prompt-save")
            .env("CLAUDE_PROJECT_DIR", env.project())
            .stdin(format!("{payload}\n"))
            .limit(Duration::from_secs(3))
            .run();
        done.silent();
        said.push(user(prompt));
        assert_eq!(env.turns(), said, "{zone}");
        let status = env.cmd("mnemo").arg("status").limit(Duration::from_secs(3));
        status.run().ok();
    }
}

#[test]
fn completions_that_nobody_reads_are_no_panic() {
    let env = TestEnv::new();
    let mnemo = mnemo_tests::bin("mnemo");
    let line = "\"$0\" completions bash > /dev/full";
    let done = env.program("/bin/sh").args(&["-c", line]).arg(&mnemo).run();
    assert!(!done.err().contains("panicked"), "{done:?}");
    assert_ne!(done.status.code(), None, "killed: {done:?}");
    assert_ne!(done.status.code(), Some(134), "{done:?}");
}

#[test]
fn twelve_installations_at_once_wire_each_hook_once() {
    let env = TestEnv::new();
    let settings = env.claude().join("settings.json");
    let before = "{\n  \"model\": \"x\"\n}\n";
    env.write(&settings, before);
    let all: Vec<_> = (0..12)
        .map(|_| env.cmd("mnemo").arg("install").start())
        .collect();
    for one in all {
        one.wait().ok();
    }
    let now: Value = serde_json::from_slice(&fs::read(&settings).unwrap()).unwrap();
    for (event, groups) in now["hooks"].as_object().unwrap() {
        assert_eq!(groups.as_array().unwrap().len(), 1, "{event}");
    }
    let all: Vec<_> = (0..6)
        .map(|_| env.cmd("mnemo").arg("uninstall").start())
        .collect();
    for one in all {
        one.wait().ok();
    }
    assert_eq!(fs::read_to_string(&settings).unwrap(), before);
}
