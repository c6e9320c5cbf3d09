//! Repair from transcripts.

use crate::common::{
    HOOKS, HOUR, MIDNIGHT, at_work, contains, day_text, find, installed, other, repair, rest, says,
    start_hook, stops, touch, turn,
};
use mnemo_tests::tree::Tree;
use mnemo_tests::{Session, TestEnv, assistant, user};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

#[test]
fn a_last_turn_that_may_be_running_is_left_alone() {
    let at = MIDNIGHT + 14 * HOUR;
    // How the record ends, how long ago it changed, whether it is taken.
    for (end, minutes, taken) in [
        ("partial", 1, false),
        ("partial", 9, false),
        ("partial", 11, true),
        ("tool", 1, false),
        ("tool", 11, true),
        ("prompt", 1, false),
        ("end_turn", 0, true),
        ("max_tokens", 0, true),
        ("stop_sequence", 0, true),
        ("refusal", 0, true),
        ("summary", 0, true),
        ("duration", 0, true),
        ("feedback", 0, true),
        ("interrupt", 0, true),
        ("later", 0, true),
    ] {
        let mut env = installed();
        env.now("2026-11-30T14:00:00Z");
        let mut session = env.session();
        session.says("p1", "go");
        match end {
            "partial" => drop(session.answers("Begun.", None)),
            "tool" | "prompt" => {
                if end == "tool" {
                    session.answers("Begun.", Some("tool_use"));
                    session.calls("Bash", &json!({"command": "ls"}));
                }
            }
            "summary" | "duration" | "feedback" | "interrupt" | "later" => {
                session.answers("Begun.", None);
                match end {
                    "summary" => session.line(json!({"type": "system", "subtype": "stop_hook_summary"})),
                    "duration" => session.line(json!({"type": "system", "subtype": "turn_duration"})),
                    "feedback" => session.line(json!({"type": "user", "isMeta": true, "promptId": "p1",
                        "message": {"role": "user", "content": "Stop hook feedback:\nx"}})),
                    "interrupt" => session.line(json!({"type": "user", "promptId": "p1",
                        "message": {"role": "user", "content": [{"type": "text", "text": "[Request interrupted by user]"}]}})),
                    _ => session.says("p2", "later"),
                };
            }
            reason => drop(session.answers("Begun.", Some(reason))),
        }
        touch(&session.transcript, at - minutes * 60);
        start_hook(&env);
        let got = env.turns().contains(&assistant("Begun.")) || env.turns().contains(&user("go"));
        assert_eq!(got, taken, "{end}, {minutes} minutes: {:?}", env.turns());
        if taken && end != "prompt" {
            assert_eq!(env.turns()[..2], [user("go"), assistant("Begun.")], "{end}");
        }
        if !taken {
            let done = env.mnemo(&["reconcile"]).ok();
            contains(
                &format!("{}{}", done.out(), done.err()),
                "1 turn still running, left alone",
            );
            assert_eq!(env.turns(), []);
            env.mnemo(&["reconcile", "--finished"]).ok();
            assert_eq!(env.turns()[0], user("go"), "{end}");
        }
    }
}

#[test]
fn a_session_that_starts_again_is_not_running() {
    for (source, taken) in [
        ("startup", true),
        ("resume", true),
        ("compact", false),
        ("clear", false),
    ] {
        let mut env = installed();
        env.now("2026-11-30T14:00:00Z");
        let mut session = env.session();
        session.says("p1", "go");
        session.answers("Begun.", Some("tool_use"));
        touch(&session.transcript, MIDNIGHT + 14 * HOUR - 5);
        env.hook("session-reconcile", &session.start(source))
            .silent();
        let want = if taken {
            vec![user("go"), assistant("Begun.")]
        } else {
            vec![]
        };
        assert_eq!(env.turns(), want, "{source}");
    }
}

#[test]
fn repair_completes_a_reply_in_place_and_by_no_second_one() {
    let mut env = installed();
    env.now("2026-11-30T05:03:22Z");
    let mut session = env.session();
    says(&env, &session, "p1", "go");
    session.says("p1", "go");
    // The file lacks what was said before the last text.
    env.now("2026-11-30T05:04:00Z");
    stops(&env, &session, "p1", "Last.");
    env.now("2026-11-30T05:05:00Z");
    says(&env, &session, "p2", "next");
    session.answers("First.", Some("tool_use"));
    let (_, call) = session.calls("Bash", &json!({"command": "ls"}));
    session.result("p1", &call, "x", false);
    session.answers("Middle.", Some("tool_use"));
    session.answers("Last.", Some("end_turn"));
    session.says("p2", "next");
    env.now("2026-11-30T14:00:00Z");
    rest(&session);
    start_hook(&env);
    let day = &env.days()[0];
    assert_eq!(
        day.turns(),
        [
            user("go"),
            assistant("First.\n\nMiddle.\n\nLast."),
            user("next")
        ]
    );
    assert_eq!(day.entries[1].time, "05:04:00", "the same entry");
    assert_eq!(day.entries[1].attr("id"), Some("p1"));
}

#[test]
fn without_its_index_repair_loses_and_doubles_nothing() {
    let damages: [Option<&[u8]>; 8] = [
        None,
        Some(b""),
        Some(b"{"),
        Some(b"null"),
        Some(b"[]"),
        Some(b"{\"version\":2}"),
        Some(b"{\"version\":99,\"files\":7}"),
        Some(b"\xff\xfe\0"),
    ];
    for damage in damages {
        let mut env = installed();
        env.now("2026-11-30T14:00:00Z");
        let mut session = env.session();
        turn(&mut session, "p1", "one", "First.");
        rest(&session);
        start_hook(&env);
        let index = env.project().join("conversations/.mnemo-index.json");
        match damage {
            None => fs::remove_file(&index).unwrap(),
            Some(bytes) => fs::write(&index, bytes).unwrap(),
        }
        turn(&mut session, "p2", "two", "Second.");
        rest(&session);
        start_hook(&env);
        start_hook(&env);
        assert_eq!(
            env.turns(),
            [
                user("one"),
                assistant("First."),
                user("two"),
                assistant("Second.")
            ],
            "{damage:?}"
        );
        let index: Value = serde_json::from_slice(&fs::read(&index).unwrap()).unwrap();
        assert_eq!(index["version"], 2);
    }
}

#[test]
fn the_index_may_be_a_folder_or_a_link() {
    for what in ["folder", "link"] {
        let mut env = installed();
        env.now("2026-11-30T14:00:00Z");
        let mut session = env.session();
        turn(&mut session, "p1", "one", "First.");
        rest(&session);
        let index = env.project().join("conversations/.mnemo-index.json");
        let outside = env.base().join("outside");
        fs::create_dir_all(index.parent().unwrap()).unwrap();
        if what == "folder" {
            fs::create_dir(&index).unwrap();
        } else {
            fs::write(&outside, "{}").unwrap();
            symlink(&outside, &index).unwrap();
        }
        start_hook(&env);
        start_hook(&env);
        if what == "link" {
            assert_eq!(fs::read(&outside).unwrap(), b"{}");
        }
        let turns = env.turns();
        assert!(
            turns == [user("one"), assistant("First.")]
                || turns.is_empty() && !env.errors().is_empty(),
            "{what}: {turns:?}, {:?}",
            env.errors()
        );
    }
}

#[test]
fn an_index_of_version_1_counts_only_what_the_day_really_holds() {
    let mut env = TestEnv::new();
    env.now("2026-11-30T14:00:00Z");
    let mut session = env.session();
    session.says("p1", "one");
    let lost = session.answers("A lost reply.", Some("end_turn"));
    session.says("p2", "two");
    let kept = session.answers("A kept\n    reply \\ here.", Some("end_turn"));
    env.write(
        "conversations/2026-11-30-claude.md",
        "---\ndate: 2026-11-30\nproject: proj\nkeywords: []\nsummary: \"\"\n---\n\n# 2026-11-30\n\n\n## [05:03] User\n\none\n\n\n## [05:03] User\n\ntwo\n\n\n## [05:03:22] Assistant\n\nA kept\nreply  here.\n",
    );
    env.write(
        "conversations/.mnemo-index.json",
        json!({"version": 1, "claude": {"2026-11-30": [lost, kept]}, "codex": {}}).to_string(),
    );
    repair(&env);
    let text = day_text(&env);
    assert_eq!(text.matches("A lost reply.").count(), 1, "{text}");
    assert_eq!(text.matches("A kept").count(), 1, "{text}");
    assert_eq!(text.matches("\none\n").count(), 1, "{text}");
    assert_eq!(text.matches("\ntwo\n").count(), 1, "{text}");
}

#[test]
fn a_file_that_was_rewritten_is_read_from_its_start() {
    let mut env = installed();
    env.now("2026-11-30T14:00:00Z");
    let mut session = env.session();
    turn(&mut session, "p1", "one", "First.");
    turn(&mut session, "p2", "two", "Second.");
    rest(&session);
    start_hook(&env);
    // A new inode that holds the last line and more, no longer than before.
    let text = fs::read_to_string(&session.transcript).unwrap();
    let last = text.lines().last().unwrap().to_owned();
    fs::remove_file(&session.transcript).unwrap();
    session.raw(format!("{last}\n"));
    turn(&mut session, "p3", "three", "Third.");
    rest(&session);
    start_hook(&env);
    let want = [
        user("one"),
        assistant("First."),
        user("two"),
        assistant("Second."),
        user("three"),
        assistant("Third."),
    ];
    assert_eq!(env.turns(), want);
    // And one cut short in place.
    let text = fs::read_to_string(&session.transcript).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    fs::write(&session.transcript, format!("{}\n", lines[0])).unwrap();
    turn(&mut session, "p4", "4", "4.");
    rest(&session);
    start_hook(&env);
    assert_eq!(env.turns()[..6], want);
    assert_eq!(env.turns()[6..], [user("4"), assistant("4.")]);
}

#[test]
fn pre_compact_catches_up_before_the_old_lines_go() {
    let mut env = installed();
    env.now("2026-11-30T14:00:00Z");
    let mut session = env.session();
    turn(&mut session, "p1", "one", "First.");
    turn(&mut session, "p2", "two", "Second.");
    touch(&session.transcript, MIDNIGHT + 14 * HOUR);
    env.hook("session-reconcile", &session.pre_compact("p2"))
        .silent();
    assert_eq!(
        env.turns(),
        [
            user("one"),
            assistant("First."),
            user("two"),
            assistant("Second.")
        ]
    );
}

#[test]
fn nothing_from_before_the_installation_comes_by_itself() {
    let mut env = TestEnv::new();
    let mut session = env.session();
    session.clock = "2026-11-29T10:00:00.000Z".into();
    turn(&mut session, "p1", "before", "Old.");
    touch(&session.transcript, MIDNIGHT - 14 * HOUR);
    env.now("2026-11-29T12:00:00Z");
    let done = env.mnemo(&["install"]).ok();
    contains(&format!("{}{}", done.out(), done.err()), "1");
    session.clock = "2026-11-30T05:00:00.000Z".into();
    turn(&mut session, "p2", "after", "New.");
    env.now("2026-11-30T14:00:00Z");
    rest(&session);
    start_hook(&env);
    assert_eq!(env.turns(), [user("after"), assistant("New.")]);
    // A second install does not move the day, by hand all comes.
    env.mnemo(&["install"]).ok();
    env.mnemo(&["reconcile", "--all"]).ok();
    assert_eq!(
        env.turns(),
        [
            user("before"),
            assistant("Old."),
            user("after"),
            assistant("New.")
        ]
    );
}

#[test]
fn a_start_looks_back_seven_days_and_the_options_choose() {
    let mut env = TestEnv::new();
    env.now("2026-10-01T00:00:00Z");
    env.mnemo(&["install"]).ok();
    let mut session = env.session();
    for day in ["2026-11-10", "2026-11-22", "2026-11-25", "2026-11-30"] {
        session.clock = format!("{day}T05:00:00.000Z");
        turn(&mut session, day, day, "Reply.");
    }
    rest(&session);
    env.now("2026-11-30T14:00:00Z");
    start_hook(&env);
    let dates = |env: &TestEnv| env.days().into_iter().map(|d| d.date).collect::<Vec<_>>();
    assert_eq!(dates(&env), ["2026-11-25", "2026-11-30"]);
    env.mnemo(&["reconcile", "--date", "2026-11-10"]).ok();
    assert_eq!(dates(&env), ["2026-11-10", "2026-11-25", "2026-11-30"]);
    env.mnemo(&["reconcile", "--days", "8"]).ok();
    assert_eq!(dates(&env).len(), 3);
    env.mnemo(&["reconcile", "--days", "9"]).ok();
    assert_eq!(
        dates(&env),
        ["2026-11-10", "2026-11-22", "2026-11-25", "2026-11-30"]
    );
    assert_eq!(env.turns().len(), 8);
}

#[test]
fn a_dry_run_writes_nothing_and_json_counts() {
    let mut env = TestEnv::new();
    env.now("2026-11-30T14:00:00Z");
    let mut session = env.session();
    turn(&mut session, "p1", "one", "First.");
    session.raw("this is no json\n{\"type\":\"user\",\n");
    turn(&mut session, "p2", "two", "Second.");
    rest(&session);
    let before = Tree::of(env.base());
    let dry = env.mnemo(&["reconcile", "--dry-run", "--json"]).ok().json();
    let after = Tree::of(env.base());
    assert_eq!(before.names(), after.names(), "a dry run left files");
    assert_eq!(before, after);
    let wet = env.mnemo(&["reconcile", "--json"]).ok().json();
    for report in [&dry, &wet] {
        let text = report.to_string();
        let number = |key: &str| find(report, key).unwrap_or_else(|| panic!("{key} in {text}"));
        assert_eq!(number("user_turns"), 2, "{text}");
        assert_eq!(number("assistant_turns"), 2, "{text}");
        assert_eq!(number("unreadable"), 2, "{text}");
        assert_eq!(number("written"), 4, "{text}");
    }
    let again = env.mnemo(&["reconcile", "--json"]).ok().json();
    assert_eq!(find(&again, "written"), Some(0));
    assert_eq!(find(&again, "present"), Some(4));
}

#[test]
fn lines_without_an_end_are_not_yet_read_and_not_lost() {
    let mut env = installed();
    env.now("2026-11-30T14:00:00Z");
    let mut session = env.session();
    turn(&mut session, "p1", "one", "First.");
    session.says("p2", "two");
    session.answers("Second, with a long text.", Some("end_turn"));
    let whole = fs::read(&session.transcript).unwrap();
    for cut in [1, 2, 30, 300, 600] {
        fs::write(&session.transcript, &whole[..whole.len() - cut]).unwrap();
        rest(&session);
        start_hook(&env);
    }
    fs::write(&session.transcript, &whole).unwrap();
    rest(&session);
    start_hook(&env);
    assert_eq!(
        env.turns(),
        [
            user("one"),
            assistant("First."),
            user("two"),
            assistant("Second, with a long text.")
        ]
    );
}

#[test]
fn transcripts_of_sub_directories_and_worktrees_belong_to_the_root() {
    let mut env = TestEnv::new();
    env.now("2026-11-30T14:00:00Z");
    let sub = env.project().join("sub/dir");
    fs::create_dir_all(&sub).unwrap();
    let tree = env.base().join("far away");
    env.git(&["worktree", "add", "-q", "-b", "far", tree.to_str().unwrap()]);
    for (n, dir) in [(1, &sub), (2, &tree)] {
        let mut session = Session::at(
            &env,
            &format!("{n}0000000-0000-4000-8000-000000000000"),
            dir,
        );
        session.clock = format!("2026-11-30T05:0{n}:00.000Z");
        turn(&mut session, "p", &format!("from {n}"), "Yes.");
    }
    // A sibling whose folder name begins alike is another project.
    let sibling = env.base().join("proj-two");
    fs::create_dir_all(sibling.join(".git")).unwrap();
    let mut session = Session::at(&env, "30000000-0000-4000-8000-000000000000", &sibling);
    turn(&mut session, "p", "not ours", "No.");
    // A path of the same slug is another project too.
    let twin = env.base().join("proj/sub-dir");
    fs::create_dir_all(twin.join(".git")).unwrap();
    let mut session = Session::at(&env, "40000000-0000-4000-8000-000000000000", &twin);
    turn(&mut session, "p", "not ours either", "No.");
    repair(&env);
    assert_eq!(
        env.turns(),
        [
            user("from 1"),
            assistant("Yes."),
            user("from 2"),
            assistant("Yes.")
        ]
    );
}

#[test]
fn korean_projects_that_share_a_slug_stay_apart() {
    let mut env = TestEnv::named("가나");
    env.now("2026-11-30T14:00:00Z");
    let twin = env.base().join("다라");
    fs::create_dir_all(twin.join(".git")).unwrap();
    let mut ours = env.session();
    turn(&mut ours, "p", "우리", "네.");
    let mut theirs = Session::at(&env, "30000000-0000-4000-8000-000000000000", &twin);
    turn(&mut theirs, "p", "남", "아니요.");
    assert_eq!(ours.transcript.parent(), theirs.transcript.parent());
    repair(&env);
    assert_eq!(env.turns(), [user("우리"), assistant("네.")]);
}

#[test]
fn a_moved_project_takes_its_talks_along_with_from() {
    let mut env = TestEnv::new();
    env.now("2026-11-30T14:00:00Z");
    let old = env.base().join("old place");
    let mut session = Session::at(&env, "30000000-0000-4000-8000-000000000000", &old);
    turn(&mut session, "p", "from before", "Yes.");
    repair(&env);
    assert_eq!(env.turns(), []);
    let old = old.to_str().unwrap();
    env.mnemo(&["reconcile", "--all", "--from", old]).ok();
    env.mnemo(&["reconcile", "--all", "--from", old]).ok();
    assert_eq!(env.turns(), [user("from before"), assistant("Yes.")]);
}

#[test]
fn off_means_off_for_repair_until_then() {
    let mut env = installed();
    let mut session = env.session();
    for hook in HOOKS {
        let payload = match hook {
            "prompt-save" => session.prompt("p1", "SECRETWORD"),
            "tool-log" => session.tool("p1", "Bash", &json!({"command": "SECRETWORD"}), &json!({})),
            "session-reconcile" => session.start("startup"),
            _ => session.stop("p1", "SECRETWORD"),
        };
        for on in ["1", "0", "", "yes"] {
            if on == "1" || on == "yes" {
                let done = env
                    .cmd(hook)
                    .env("CLAUDE_PROJECT_DIR", env.project())
                    .env("MNEMO_DISABLE", on)
                    .stdin(payload.to_string())
                    .run()
                    .silent();
                assert!(done.read_all);
            }
        }
    }
    assert_eq!(env.tree().names(), Vec::<&str>::new());
    Tree::of(&env.state()).nowhere("SECRETWORD");
    session.clock = "2026-11-30T14:03:00.000Z".into();
    turn(&mut session, "p1", "SECRETWORD", "SECRETWORD");
    // Switched on again, the talk goes on.
    session.clock = "2026-11-30T14:10:00.000Z".into();
    turn(&mut session, "p2", "open", "Yes.");
    env.now("2026-11-30T20:00:00Z");
    touch(&session.transcript, MIDNIGHT + 15 * HOUR);
    start_hook(&env);
    env.mnemo(&["reconcile", "--all", "--finished"]).ok();
    assert_eq!(env.turns(), [user("open"), assistant("Yes.")]);
    Tree::of(env.project()).nowhere("SECRETWORD");
}

#[test]
fn disable_0_and_empty_are_on() {
    for value in ["0", ""] {
        let mut env = at_work();
        env.set("MNEMO_DISABLE", value);
        says(&env, &env.session(), "p", "x");
        assert_eq!(env.turns(), [user("x")]);
    }
}

#[test]
fn two_repairs_at_once_write_each_turn_once() {
    let mut env = installed();
    env.now("2026-11-30T14:00:00Z");
    let mut want = Vec::new();
    let mut session = env.session();
    for n in 0..60 {
        session.clock = format!("2026-11-30T05:{n:02}:00.000Z");
        turn(
            &mut session,
            &format!("p{n}"),
            &format!("prompt {n}"),
            &format!("reply {n}"),
        );
        want.extend([user(format!("prompt {n}")), assistant(format!("reply {n}"))]);
    }
    rest(&session);
    let payload = other(&env, 3).start("startup").to_string();
    let runs: Vec<_> = (0..6)
        .map(|_| {
            env.cmd("session-reconcile")
                .env("CLAUDE_PROJECT_DIR", env.project())
                .stdin(payload.clone())
                .start()
        })
        .collect();
    for run in runs {
        run.wait().silent();
    }
    for _ in 0..20 {
        if env.turns().len() >= want.len() {
            break;
        }
        start_hook(&env);
    }
    assert_eq!(env.turns(), want);
}

#[test]
fn mnemo_never_touches_a_transcript() {
    let mut env = installed();
    env.now("2026-11-30T14:00:00Z");
    let mut session = env.session();
    turn(&mut session, "p1", "one", "First.");
    rest(&session);
    fs::set_permissions(&session.transcript, fs::Permissions::from_mode(0o444)).unwrap();
    let before = fs::read(&session.transcript).unwrap();
    let time = fs::metadata(&session.transcript)
        .unwrap()
        .modified()
        .unwrap();
    start_hook(&env);
    repair(&env);
    stops(&env, &session, "p1", "First.");
    assert_eq!(fs::read(&session.transcript).unwrap(), before);
    assert_eq!(
        fs::metadata(&session.transcript)
            .unwrap()
            .modified()
            .unwrap(),
        time
    );
}

#[test]
fn a_stop_and_a_repair_meet_in_one_turn_and_write_it_once() {
    // Repair came first (with a part or the whole), then the stop's hook.
    for whole in [true, false] {
        let mut env = installed();
        env.now("2026-11-30T05:03:22Z");
        let mut session = env.session();
        says(&env, &session, "p1", "go");
        session.says("p1", "go");
        session.answers("One.", Some("tool_use"));
        if whole {
            session.answers("Two.", Some("end_turn"));
        }
        env.mnemo(&["reconcile", "--finished"]).ok();
        if !whole {
            session.answers("Two.", Some("end_turn"));
        }
        env.now("2026-11-30T05:03:30Z");
        stops(&env, &session, "p1", "Two.");
        stops(&env, &session, "p1", "Two.");
        assert_eq!(
            env.turns(),
            [user("go"), assistant("One.\n\nTwo.")],
            "whole: {whole}"
        );
    }
}

#[test]
fn reconcile_ends_with_the_documented_codes() {
    let env = at_work();
    let _ = env.mnemo(&["reconcile", "--date", "2026-13-01"]).code(2);
    let _ = env.mnemo(&["reconcile", "--date", "yesterday"]).code(2);
    let _ = env.mnemo(&["reconcile", "--days", "x"]).code(2);
    let _ = env.mnemo(&["reconcile", "--nonsense"]).code(2);
    let _ = env.mnemo(&["nonsense"]).code(2);
    let _ = env
        .mnemo(&["reconcile", "--project-root", "/no/such/place"])
        .code(3);
    let outside = env.base().join("plain");
    fs::create_dir(&outside).unwrap();
    let done = env
        .cmd("mnemo")
        .args(&["reconcile"])
        .cwd(&outside)
        .run()
        .code(3);
    assert!(
        !done.stderr.is_empty() || !done.stdout.is_empty(),
        "the reason is said"
    );
    assert_eq!(Tree::of(&outside), Tree::default());
    let _ = env.mnemo(&["reconcile"]).code(0);
}
