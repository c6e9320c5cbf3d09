//! Which folder is the root, and what it keeps out.

use crate::common::{at_work, contains, day_text, repair, says, start_hook, stops};
use mnemo_tests::env::days_in;
use mnemo_tests::tree::Tree;
use mnemo_tests::{Session, TestEnv, assistant, user};
use serde_json::json;
use std::fs;
use std::os::unix::fs::symlink;
use std::time::Duration;

#[test]
fn the_root_is_taken_from_the_start_directory_never_from_the_process() {
    let env = at_work();
    let elsewhere = TestEnv::new();
    let session = env.session();
    let payload = session.prompt("p", "hello").to_string();
    // The hook's own folder is another repository.
    env.cmd("prompt-save")
        .cwd(elsewhere.project())
        .stdin(payload.clone())
        .run()
        .silent();
    assert_eq!(env.turns(), [user("hello")]);
    // CLAUDE_PROJECT_DIR decides before cwd, when cwd lies inside it.
    let nested = env.project().join("vendor/lib");
    fs::create_dir_all(nested.join(".git")).unwrap();
    let mut moved = session.prompt("p2", "after cd");
    moved["cwd"] = json!(nested);
    env.hook("prompt-save", &moved).silent();
    assert_eq!(env.turns(), [user("hello"), user("after cd")]);
    assert!(!nested.join("conversations").exists());
    assert!(!elsewhere.project().join("conversations").exists());
}

#[test]
fn a_cd_into_a_nested_repository_moves_nothing_in_any_hook() {
    let env = at_work();
    let mut session = env.session();
    let nested = env.project().join("vendor/lib");
    fs::create_dir_all(nested.join(".git")).unwrap();
    session.says("p", "go");
    session.answers("One.", Some("end_turn"));
    session.cwd.clone_from(&nested);
    for (name, payload) in [
        ("prompt-save", session.prompt("p", "go")),
        ("response-save", session.stop("p", "One.")),
        (
            "tool-log",
            session.tool(
                "p",
                "Bash",
                &json!({"command": "ls"}),
                &json!({"stdout": ""}),
            ),
        ),
    ] {
        env.hook(name, &payload).silent();
    }
    session.line(
        json!({"type": "user", "promptId": "p2", "permissionMode": "default",
        "promptSource": "typed", "cwd": nested,
        "message": {"role": "user", "content": "inside"}}),
    );
    session.answers("Two.", Some("end_turn"));
    repair(&env);
    assert_eq!(
        env.turns(),
        [
            user("go"),
            assistant("One."),
            user("inside"),
            assistant("Two.")
        ]
    );
    assert_eq!(env.calls().len(), 1);
    assert_eq!(Tree::of(&nested).names(), [".git"]);
}

#[test]
fn a_prompt_from_outside_the_start_directory_belongs_to_its_own_root() {
    let env = at_work();
    let other = env.base().join("other");
    fs::create_dir_all(other.join(".git")).unwrap();
    let session = env.session();
    let mut prompt = session.prompt("p", "there");
    prompt["cwd"] = json!(other);
    env.hook("prompt-save", &prompt).silent();
    assert_eq!(env.turns(), []);
    let day = &days_in(&other)[0];
    assert_eq!(day.turns(), [user("there")]);
    contains(&day.front.join("\n"), "project: other");
}

#[test]
fn a_continued_session_of_another_project_is_repaired_turn_by_turn() {
    let mut env = TestEnv::new();
    env.now("2026-11-30T14:00:00Z");
    let second = env.base().join("second");
    fs::create_dir_all(second.join(".git")).unwrap();
    let mut session = env.session();
    session.says("p1", "here");
    session.answers("Here.", Some("end_turn"));
    session.cwd.clone_from(&second);
    session.says("p2", "there");
    session.answers("There.", Some("end_turn"));
    repair(&env);
    assert_eq!(env.turns(), [user("here"), assistant("Here.")]);
    // The second project finds its turn where the payload names the transcript.
    env.cmd("session-reconcile")
        .cwd(&second)
        .env("CLAUDE_PROJECT_DIR", &second)
        .stdin(session.start("resume").to_string())
        .run()
        .silent();
    let days = days_in(&second);
    assert_eq!(days.len(), 1, "the second project has a record");
    assert_eq!(days[0].turns(), [user("there"), assistant("There.")]);
}

#[test]
fn the_nearest_marker_wins_and_mnemo_root_is_one() {
    let env = at_work();
    let inner = env.project().join("a/b/c");
    fs::create_dir_all(&inner).unwrap();
    env.write("a/.mnemo-root", "");
    let session = Session::at(&env, "1f0c2d3e-0000-4000-8000-000000000001", &inner);
    env.cmd("prompt-save")
        .env("CLAUDE_PROJECT_DIR", &inner)
        .stdin(session.prompt("p", "x").to_string())
        .run()
        .silent();
    assert_eq!(env.turns(), []);
    assert_eq!(days_in(&env.project().join("a"))[0].turns(), [user("x")]);
}

#[test]
fn symlinks_to_a_project_are_resolved() {
    let env = at_work();
    let link = env.base().join("link");
    symlink(env.project(), &link).unwrap();
    let session = Session::at(&env, "1f0c2d3e-0000-4000-8000-000000000001", &link);
    env.cmd("prompt-save")
        .env("CLAUDE_PROJECT_DIR", &link)
        .stdin(session.prompt("p", "x").to_string())
        .run()
        .silent();
    assert_eq!(env.turns(), [user("x")]);
    contains(&day_text(&env), "project: proj\n");
}

#[test]
fn a_bare_common_directory_keeps_the_record_in_the_worktree() {
    let env = at_work();
    let bare = env.base().join("store.git");
    let tree = env.base().join("wt");
    env.git(&["clone", "-q", "--bare", ".", bare.to_str().unwrap()]);
    let args = ["worktree", "add", "-q", tree.to_str().unwrap(), "main"];
    env.program("git").cwd(&bare).args(&args).run().ok();
    let session = Session::at(&env, "1f0c2d3e-0000-4000-8000-000000000001", &tree);
    env.cmd("prompt-save")
        .env("CLAUDE_PROJECT_DIR", &tree)
        .stdin(session.prompt("p", "bare").to_string())
        .run()
        .silent();
    assert_eq!(days_in(&tree)[0].turns(), [user("bare")]);
    assert!(!bare.join("conversations").exists());
}

#[test]
fn a_git_file_without_a_back_link_is_not_believed() {
    let env = at_work();
    // A victim with linked worktrees, and a folder that claims to be one of them.
    let hostile = env.base().join("hostile");
    fs::create_dir_all(&hostile).unwrap();
    let wt = env.base().join("wt");
    env.git(&["worktree", "add", "-q", wt.to_str().unwrap()]);
    let gitdir = env.project().join(".git/worktrees/wt");
    fs::write(
        hostile.join(".git"),
        format!("gitdir: {}\n", gitdir.display()),
    )
    .unwrap();
    let session = Session::at(&env, "1f0c2d3e-0000-4000-8000-000000000001", &hostile);
    env.cmd("prompt-save")
        .env("CLAUDE_PROJECT_DIR", &hostile)
        .stdin(session.prompt("p", "x").to_string())
        .run()
        .silent();
    assert_eq!(
        env.turns(),
        [],
        "written into the record of the other project"
    );
    assert!(!wt.join("conversations").exists());
}

#[test]
fn home_and_the_temporary_directory_are_roots_only_with_the_marker() {
    let env = at_work();
    for dir in [env.home(), env.base().join("tmp")] {
        fs::create_dir_all(dir.join(".git")).unwrap();
        let session = Session::at(&env, "1f0c2d3e-0000-4000-8000-000000000001", &dir);
        let run = || {
            env.cmd("prompt-save")
                .env("CLAUDE_PROJECT_DIR", &dir)
                .stdin(session.prompt("p", "x").to_string())
                .run()
                .silent();
        };
        run();
        assert!(!dir.join("conversations").exists(), "{}", dir.display());
        fs::write(dir.join(".mnemo-root"), "").unwrap();
        run();
        assert_eq!(days_in(&dir)[0].turns(), [user("x")]);
    }
    assert_eq!(env.errors(), Vec::<String>::new());
}

#[test]
fn capture_marked_keeps_to_marked_roots() {
    let env = at_work();
    env.configure("capture: marked\n");
    let mut session = env.session();
    session.says("p", "x");
    session.answers("y", Some("end_turn"));
    says(&env, &session, "p", "x");
    stops(&env, &session, "p", "y");
    env.hook(
        "tool-log",
        &session.tool("p", "Bash", &json!({"command": "ls"}), &json!({})),
    )
    .silent();
    start_hook(&env);
    assert_eq!(env.tree().names(), Vec::<&str>::new());
    let said = env.mnemo(&["init"]).ok().out();
    assert!(!said.contains("recorded before"), "{said}");
    says(&env, &session, "p", "x");
    assert_eq!(env.turns(), [user("x")]);
}

#[test]
fn a_linked_worktree_is_not_marked_and_that_is_said() {
    let env = at_work();
    env.git(&["commit", "-q", "--allow-empty", "-m", "x"]);
    let linked = env.base().join("linked");
    env.git(&["worktree", "add", "-q", linked.to_str().unwrap()]);
    let done = env.cmd("mnemo").arg("init").cwd(&linked).run().ok();
    let main = env.project().canonicalize().unwrap();
    let said = format!("into the record of {}", main.display());
    assert!(done.out().contains(&said), "{done:?}");
    assert!(!linked.join(".mnemo-root").exists());
}

#[test]
fn a_project_may_narrow_capture_and_no_more() {
    let env = at_work();
    env.write(".mnemo.yaml", "capture: marked\n");
    let session = env.session();
    says(&env, &session, "p", "x");
    assert_eq!(env.turns(), []);
    env.configure("capture: marked\n");
    env.write(".mnemo.yaml", "capture: all\n");
    says(&env, &session, "p", "x");
    assert_eq!(env.turns(), []);
}

#[test]
fn links_that_lead_outside_and_odd_files_are_refused() {
    for what in ["dir", "day", "dangling", "fifo", "lock"] {
        let env = at_work();
        let outside = env.base().join("outside");
        fs::create_dir_all(&outside).unwrap();
        let folder = env.project().join("conversations");
        let day = folder.join("2026-11-30-claude.md");
        if what == "dir" {
            symlink(&outside, &folder).unwrap();
        } else {
            fs::create_dir_all(&folder).unwrap();
        }
        match what {
            "day" => {
                fs::write(outside.join("victim"), "keep").unwrap();
                symlink(outside.join("victim"), &day).unwrap();
            }
            "dangling" => symlink(outside.join("new"), &day).unwrap(),
            "fifo" => {
                env.program("mkfifo").arg(&day).run().ok();
            }
            "lock" => symlink(outside.join("lock"), folder.join(".mnemo.lock")).unwrap(),
            _ => {}
        }
        let before = Tree::of(&outside);
        let session = env.session();
        env.cmd("prompt-save")
            .limit(Duration::from_secs(60))
            .env("CLAUDE_PROJECT_DIR", env.project())
            .stdin(session.prompt("p", "x").to_string())
            .run()
            .silent();
        assert_eq!(Tree::of(&outside), before, "{what}");
        assert!(!env.errors().is_empty(), "{what}: nothing in the error log");
    }
}
