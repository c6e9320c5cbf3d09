//! What holds for all hooks.

use crate::common::{HOOKS, at_work, contains, installed, says, start_hook, stops};
use mnemo_tests::tree::Tree;
use mnemo_tests::{TestEnv, user};
use std::fs;
use std::time::Duration;

#[test]
fn hooks_take_anything_and_end_with_0() {
    let cases: [&[u8]; 14] = [
        b"", b" \n", b"null", b"[]", b"7", b"\"x\"", b"{}", b"{", b"\xff\xfe\xfd", b"{\"a\":1}{\"b\":2}",
        b"{\"session_id\":7,\"cwd\":[],\"prompt\":{},\"transcript_path\":null,\"tool_name\":1}",
        b"{\"session_id\":\"../../x\",\"transcript_path\":\"/dev/zero\",\"cwd\":\"relative\",\"prompt\":\"x\"}",
        b"not json at all", b"\xef\xbb\xbf{}",
    ];
    for hook in HOOKS {
        for case in cases {
            let env = at_work();
            let done = env
                .cmd(hook)
                .env("CLAUDE_PROJECT_DIR", env.project())
                .stdin(case)
                .limit(Duration::from_secs(60))
                .run()
                .silent();
            assert!(done.read_all, "{hook}: {case:?}");
            for line in env.errors() {
                assert!(!line.contains("not json at all"), "user text in {line}");
            }
        }
        let deep = format!("{}1{}", "[".repeat(200_000), "]".repeat(200_000));
        let env = at_work();
        env.cmd(hook)
            .stdin(format!("{{\"hook_event_name\":\"Stop\",\"x\":{deep}}}"))
            .run()
            .silent();
    }
}

#[test]
fn damaged_json_is_one_line_in_the_log_and_an_empty_stdin_is_none() {
    for hook in HOOKS {
        let env = at_work();
        let run = |bytes: &[u8]| {
            env.cmd(hook)
                .env("CLAUDE_PROJECT_DIR", env.project())
                .stdin(bytes)
                .run()
                .silent();
        };
        run(b"");
        assert_eq!(env.errors(), Vec::<String>::new(), "{hook}");
        run(b"{\"prompt\": \"USERTEXT");
        assert_eq!(env.errors().len(), 1, "{hook}: {:?}", env.errors());
        assert!(!env.errors()[0].contains("USERTEXT"));
        assert_eq!(Tree::of(&env.state()).mode("errors.log"), 0o600);
    }
}

#[test]
fn the_error_log_turns_at_one_megabyte() {
    let env = at_work();
    env.write(env.state().join("errors.log"), "x".repeat(1023) + "\n");
    let path = env.state().join("errors.log");
    fs::write(&path, ("x".repeat(1023) + "\n").repeat(1024)).unwrap();
    for _ in 0..3 {
        env.cmd("prompt-save").stdin("{").run().silent();
    }
    assert!(fs::metadata(&path).unwrap().len() < 1_048_576);
    assert!(env.errors().last().unwrap().contains("prompt-save"));
}

#[test]
fn the_environment_is_written_nowhere() {
    let mut env = installed();
    let key = ["sk", "-ant-", "ENVIRONMENTKEYMARK0123456789"].concat();
    env.set("ANTHROPIC_API_KEY", &key)
        .set("SOME_OTHER", "ENVIRONMENTMARK");
    let session = env.session();
    says(&env, &session, "p", "x");
    env.cmd("prompt-save").stdin("{").run().silent();
    stops(&env, &session, "p", "y");
    start_hook(&env);
    env.mnemo(&["status"]).ok();
    let tree = Tree::of(env.base());
    tree.nowhere("ENVIRONMENTKEYMARK");
    tree.nowhere("ENVIRONMENTMARK");
}

#[test]
fn version_and_help_work_by_hand() {
    for name in HOOKS.iter().chain(&["mnemo"]) {
        let env = TestEnv::bare("plain");
        for flag in ["--version", "--help"] {
            let done = env.cmd(name).arg(flag).run().ok();
            assert!(done.out().contains(name), "{name} {flag}");
            assert!(done.err().is_empty());
        }
        assert_eq!(Tree::of(env.project()), Tree::default());
    }
    let env = TestEnv::new();
    for name in ["install", "uninstall", "init", "status", "reconcile"] {
        contains(&env.mnemo(&[name, "--help"]).ok().out(), "Examples");
    }
}

#[test]
fn a_lock_that_is_held_delays_no_longer_than_bounded_and_is_logged() {
    let env = at_work();
    let session = env.session();
    says(&env, &session, "p0", "first");
    let lock = fs::File::options()
        .write(true)
        .open(env.project().join("conversations/.mnemo.lock"))
        .unwrap();
    lock.lock().unwrap();
    env.cmd("prompt-save")
        .env("CLAUDE_PROJECT_DIR", env.project())
        .stdin(session.prompt("p1", "second").to_string())
        .limit(Duration::from_secs(60))
        .run()
        .silent();
    assert_eq!(env.turns(), [user("first")]);
    assert_eq!(env.errors().len(), 1, "{:?}", env.errors());
    drop(lock);
    says(&env, &session, "p2", "third");
    assert_eq!(env.turns(), [user("first"), user("third")]);
}

#[test]
fn the_scaffold_comes_once_in_the_users_language_and_never_over_a_file() {
    let mut env = at_work();
    env.set("MNEMO_LANGUAGE", "de");
    env.write("MEMORY.md", "mine\n");
    let session = env.session();
    says(&env, &session, "p", "x");
    let tree = env.tree();
    assert_eq!(tree.file("MEMORY.md"), b"mine\n");
    for name in ["architecture", "patterns", "tools", "gotchas", "learned"] {
        assert!(
            !tree.file(&format!("memory/{name}.md")).is_empty(),
            "{name}"
        );
    }
    fs::remove_dir_all(env.project().join("memory")).unwrap();
    let exclude = fs::read_to_string(env.project().join(".git/info/exclude")).unwrap();
    assert!(
        !exclude.contains("MEMORY.md"),
        "a MEMORY.md that mnemo did not make: {exclude}"
    );
    let mut texts = Vec::new();
    for language in ["ko", "en", "de", "zh"] {
        let mut env = at_work();
        env.set("MNEMO_LANGUAGE", language);
        says(&env, &env.session(), "p", "x");
        let text = String::from_utf8(env.tree().file("MEMORY.md").to_vec()).unwrap();
        assert!(text.lines().count() <= 40);
        assert!(!texts.contains(&text), "{language}");
        texts.push(text);
    }
    let env = at_work();
    env.configure("scaffold: false\n");
    says(&env, &env.session(), "p", "x");
    let names = env.tree();
    assert!(
        names.names().iter().all(|n| n.starts_with("conversations")),
        "{:?}",
        names.names()
    );
}

#[test]
fn exclude_lines_that_were_deleted_are_not_written_again() {
    let mut env = at_work();
    let session = env.session();
    let before = env.git(&["status", "--porcelain"]).out();
    says(&env, &session, "p", "x");
    assert_eq!(env.git(&["status", "--porcelain"]).out(), before);
    let exclude = env.project().join(".git/info/exclude");
    fs::write(&exclude, "# mine\n").unwrap();
    env.now("2026-12-01T10:00:00Z");
    says(&env, &session, "p2", "y");
    stops(&env, &session, "p2", "z");
    assert_eq!(fs::read_to_string(&exclude).unwrap(), "# mine\n");
    assert!(!env.project().join(".gitignore").exists());
}
