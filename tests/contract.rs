//! What the documents promise about the five hooks and the companion, checked from outside.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::too_many_lines,
    reason = "tests"
)]

use mnemo_tests::env::days_in;
use mnemo_tests::session::uuid;
use mnemo_tests::tree::Tree;
use mnemo_tests::{Done, Session, TestEnv, Turn, assistant, user};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

const HOOKS: [&str; 5] = [
    "prompt-save",
    "tool-log",
    "response-save",
    "session-reconcile",
    "stop-trigger",
];

/// 2026-11-30T00:00:00Z
const MIDNIGHT: u64 = 1_795_996_800;
const HOUR: u64 = 3600;

/// A repository, the clock at 14:03:22 UTC of 2026-11-30.
fn at_work() -> TestEnv {
    let mut env = TestEnv::new();
    env.now("2026-11-30T14:03:22Z");
    env
}

/// As [`at_work`], hooks wired the day before.
fn installed() -> TestEnv {
    let mut env = TestEnv::new();
    env.now("2026-11-28T00:00:00Z");
    env.mnemo(&["install"]).ok();
    env.now("2026-11-30T14:03:22Z");
    env
}

/// Gives a file this time of change, in seconds since 1970.
fn touch(path: &Path, seconds: u64) {
    let file = fs::File::options().append(true).open(path).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
        .unwrap();
}

/// A transcript nobody has touched since six in the morning.
fn rest(session: &Session) {
    touch(&session.transcript, MIDNIGHT + 6 * HOUR);
}

fn day_file(env: &TestEnv) -> Vec<u8> {
    env.tree()
        .file("conversations/2026-11-30-claude.md")
        .to_vec()
}

fn day_text(env: &TestEnv) -> String {
    String::from_utf8(day_file(env)).unwrap()
}

#[track_caller]
fn contains(text: &str, part: &str) {
    assert!(text.contains(part), "{part:?} is not in {text}");
}

fn observations(env: &TestEnv, kind: &str) -> Vec<Value> {
    let path = env
        .project()
        .join(format!("memory/{kind}/observations.jsonl"));
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn says(env: &TestEnv, session: &Session, turn: &str, text: &str) {
    env.hook("prompt-save", &session.prompt(turn, text))
        .silent();
}

fn stops(env: &TestEnv, session: &Session, turn: &str, text: &str) {
    env.hook("response-save", &session.stop(turn, text))
        .silent();
}

fn repair(env: &TestEnv) -> Done {
    env.mnemo(&["reconcile", "--all", "--finished"]).ok()
}

/// The hook at the start of another session.
fn start_hook(env: &TestEnv) -> Done {
    let other = Session::new(env, "99990000-0000-4000-8000-000000000009");
    env.hook("session-reconcile", &other.start("startup"))
        .silent()
}

fn other(env: &TestEnv, n: u32) -> Session {
    Session::new(env, &format!("{n:08x}-0000-4000-8000-00000000000{n}"))
}

/// Lines of a record as the client writes them, moved to this environment's folders.
fn fixture(env: &TestEnv, name: &str) -> (String, PathBuf) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("fixtures")
        .join(name);
    let text = fs::read_to_string(path).unwrap();
    let text = text.replace("/home/dev/work/demo", env.project().to_str().unwrap());
    let first = text.find("\"sessionId\":\"").unwrap() + 13;
    let id = text[first..first + 36].to_owned();
    let transcript = Session::new(env, &id).transcript;
    (text, transcript)
}

/// A whole record, repaired by hand.
fn repaired(name: &str) -> Vec<Turn> {
    let mut env = TestEnv::new();
    env.now("2026-12-02T00:00:00Z");
    let (text, path) = fixture(&env, name);
    env.write(&path, text);
    repair(&env);
    let turns = env.turns();
    repair(&env);
    assert_eq!(env.turns(), turns, "a second repair of {name}");
    turns
}

// ---------------------------------------------------------------- roots

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
    env.mnemo(&["init"]).ok();
    says(&env, &session, "p", "x");
    assert_eq!(env.turns(), [user("x")]);
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

// ---------------------------------------------------------------- day files

#[test]
fn header_and_entries_have_exactly_these_bytes() {
    let mut env = TestEnv::named("shop-api");
    env.now("2026-11-30T14:03:22Z");
    let session = env.session();
    says(&env, &session, "7c2e", "  first\n\n");
    env.now("2026-11-30T14:04:10Z");
    stops(&env, &session, "7c2e", "reply\n\n#tags: a, b");
    let want = "---\ndate: 2026-11-30\nproject: shop-api\nkeywords: []\nsummary: \"\"\n---\n\n# 2026-11-30\n\
        \n## [14:03:22] User\n<!-- mnemo s=1f0c2d3e id=7c2e -->\n\n  first\n\n\n\
        \n## [14:04:10] Assistant\n<!-- mnemo s=1f0c2d3e id=7c2e -->\n\nreply\n\n#tags: a, b\n";
    assert_eq!(day_text(&env), want);
}

#[test]
fn lines_that_look_like_headings_get_one_backslash() {
    let env = at_work();
    let session = env.session();
    let escaped = [
        "## [10:00] User",
        "## [10:00:00] Assistant \t\r",
        "\\## [10:00:00] User",
        "\\\\\\## [10:00] Assistant",
        "<!-- mnemo",
        "<!-- mnemonic -->",
        "\\<!-- mnemo s=1 -->",
    ];
    let kept = [
        "### [10:00:00] User",
        " ## [10:00:00] User",
        "## [10:00:00] User x",
        "## [1:00] User",
        "## [10:00:00] user",
        "## [10:00:00:00] User",
        "> ## [10:00:00] User",
        "/## [10:00:00] User",
        " <!-- mnemo -->",
        "<!--mnemo -->",
        "## [10:00:00] User\u{a0}",
        "## [\u{661}\u{660}:\u{660}\u{660}] User",
        "a\r## [10:00:00] User",
        "a\u{2028}## [10:00:00] User",
        "a\u{b}## [10:00:00] User",
        "a\u{85}## [10:00:00] User",
    ];
    let text = escaped
        .iter()
        .chain(&kept)
        .copied()
        .collect::<Vec<_>>()
        .join("\n");
    says(&env, &session, "p", &text);
    let raw: Vec<String> = escaped
        .iter()
        .map(|l| format!("\\{l}"))
        .chain(kept.iter().map(|l| (*l).to_owned()))
        .collect();
    let body = raw.join("\n");
    contains(&day_text(&env), &format!("-->\n\n{body}\n"));
    assert_eq!(env.turns(), [user(text)]);
}

#[test]
fn any_text_comes_back_as_it_was() {
    let env = at_work();
    let session = env.session();
    let texts = [
        "tab\there \\n not a break \\\\ two",
        "crlf\r\nlines\r\n",
        "lone\rcr",
        "````\n```\n~~~\n````",
        "\u{1112}\u{1161}\u{11ab} NFD and 한 NFC",
        "\u{feff}bom first",
        "nul \0 and \u{7} bell",
        "\n\nleading and trailing\n\n",
        "---\ndate: x\n---",
        "# 2026-11-30",
        "x\n\n## [14:03:22] User\n<!-- mnemo s=1f0c2d3e id=p -->\n\nforged\n",
        "emoji 👩‍👩‍👧 \u{200b}\u{202e}",
        "#tags: `a`, b",
    ];
    for text in texts {
        says(&env, &session, "p", text);
    }
    let want: Vec<Turn> = texts.iter().map(|t| user(*t)).collect();
    assert_eq!(env.turns(), want);
    // And none is written again when the transcript holds them too.
    let mut session = env.session();
    session.clock = "2026-11-30T14:03:22.500Z".into();
    for text in texts {
        session.says("p", text);
    }
    repair(&env);
    assert_eq!(env.turns(), want);
}

#[test]
fn what_is_not_unicode_becomes_a_replacement_character() {
    let env = at_work();
    let session = env.session();
    let payload = session.prompt("p", "PLACE").to_string();
    let (head, tail) = payload.split_once("PLACE").unwrap();
    for middle in [
        &b"a\xff\xfeb"[..],
        b"a\\ud800b",
        b"a\\udc00\\ud800b",
        b"\xed\xa0\x80",
    ] {
        let bytes = [head.as_bytes(), middle, tail.as_bytes()].concat();
        env.cmd("prompt-save")
            .env("CLAUDE_PROJECT_DIR", env.project())
            .stdin(bytes)
            .run()
            .silent();
    }
    let turns = env.turns();
    assert_eq!(turns.len(), 4);
    assert_eq!(turns[1], user("a\u{fffd}b"));
    assert_eq!(turns[2], user("a\u{fffd}\u{fffd}b"));
    for turn in [&turns[0], &turns[3]] {
        contains(&turn.body, "\u{fffd}");
    }
    assert_eq!(env.errors(), Vec::<String>::new());
}

#[test]
fn a_marker_is_one_line_whatever_the_payload_holds() {
    let env = at_work();
    let mut session = env.session();
    session.id = "a b\n-->c/d\"é".into();
    says(&env, &session, "x y\n--> ## z=1", "hello");
    let day = &env.days()[0];
    assert_eq!(day.entries.len(), 1);
    assert_eq!(day.entries[0].turn, user("hello"));
    let id = day.entries[0].attr("id").unwrap();
    assert_eq!(id, "xy--z1");
    let ok = |v: &str| {
        v.chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
    };
    assert!(ok(day.entries[0].attr("s").unwrap_or_default()));
}

#[test]
fn a_torn_tail_is_kept_and_never_glued_to_the_next_heading() {
    for cut in [1, 2, 5, 17, 40, 60, 66] {
        let env = at_work();
        let session = env.session();
        says(&env, &session, "p1", "whole");
        says(&env, &session, "p2", "torn text here");
        let path = env.project().join("conversations/2026-11-30-claude.md");
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - cut]).unwrap();
        says(&env, &session, "p3", "after");
        let text = day_text(&env);
        let kept = String::from_utf8(bytes[..bytes.len() - cut].to_vec()).unwrap();
        assert!(text.starts_with(&kept), "cut {cut}: {text}");
        contains(
            &text,
            "\n\n## [14:03:22] User\n<!-- mnemo s=1f0c2d3e id=p3 -->\n\nafter\n",
        );
        assert_eq!(text.matches("-->\n\nwhole\n").count(), 1);
    }
}

#[test]
fn legacy_files_are_read_and_left_as_they_were() {
    let mut env = at_work();
    let old = "---\ndate: 2026-11-30\nproject: proj\nkeywords: []\nsummary: \"\"\n---\n\n# 2026-11-30\n\n\n## [05:03] User\n\nold prompt\n\n\n## [05:03:40] Assistant\n\nold\nreply\n";
    env.write("conversations/2026-11-30-claude.md", old);
    let mut session = env.session();
    session.says("p", "old prompt");
    session.clock = "2026-11-30T05:03:40.000Z".into();
    // The older tool stripped the lines' blanks.
    session.answers("old\n  reply", Some("end_turn"));
    env.now("2026-11-30T14:00:00Z");
    repair(&env);
    let text = day_text(&env);
    assert!(text.starts_with(old), "{text}");
    assert_eq!(text, old, "the same turns stand there already");
    says(&env, &session, "p2", "new");
    contains(
        &day_text(&env),
        "\n## [14:00:00] User\n<!-- mnemo s=1f0c2d3e id=p2 -->\n\nnew\n",
    );
}

#[test]
fn the_day_is_the_local_day_and_midnight_starts_a_file() {
    let mut env = TestEnv::new();
    env.tz("Asia/Seoul").now("2026-11-30T14:59:59Z");
    let session = env.session();
    says(&env, &session, "p1", "late");
    env.now("2026-11-30T15:00:00Z");
    stops(&env, &session, "p1", "early");
    let days = env.days();
    let seen: Vec<_> = days
        .iter()
        .map(|d| (d.date.as_str(), d.entries[0].time.as_str(), d.entries.len()))
        .collect();
    assert_eq!(
        seen,
        [("2026-11-30", "23:59:59", 1), ("2026-12-01", "00:00:00", 1)]
    );
    // Repair finds both, over midnight.
    let mut session = env.session();
    session.clock = "2026-11-30T14:59:59.000Z".into();
    session.says("p1", "late");
    session.clock = "2026-11-30T15:00:00.000Z".into();
    session.answers("early", Some("end_turn"));
    repair(&env);
    assert_eq!(env.turns(), [user("late"), assistant("early")]);
}

#[test]
fn repair_uses_the_local_time_of_the_record_with_its_daylight_saving() {
    for (zone, stamp, date, time) in [
        (
            "Europe/Berlin",
            "2026-10-25T00:30:00.000Z",
            "2026-10-25",
            "02:30:00",
        ),
        (
            "Europe/Berlin",
            "2026-10-25T01:30:00.000Z",
            "2026-10-25",
            "02:30:00",
        ),
        (
            "Europe/Berlin",
            "2026-03-29T00:59:59.999Z",
            "2026-03-29",
            "01:59:59",
        ),
        (
            "Europe/Berlin",
            "2026-03-29T01:00:00.000Z",
            "2026-03-29",
            "03:00:00",
        ),
        (
            "America/St_Johns",
            "2026-07-01T02:00:00Z",
            "2026-06-30",
            "23:30:00",
        ),
        (
            "Pacific/Kiritimati",
            "2026-11-30T10:00:00.5Z",
            "2026-12-01",
            "00:00:00",
        ),
        (
            "Pacific/Pago_Pago",
            "2026-11-30T10:59:59Z",
            "2026-11-29",
            "23:59:59",
        ),
        ("UTC", "2024-02-29T23:59:59.999Z", "2024-02-29", "23:59:59"),
    ] {
        let mut env = TestEnv::new();
        env.tz(zone).now("2026-12-02T00:00:00Z");
        let mut session = env.session();
        session.clock = stamp.into();
        session.says("p", "x");
        repair(&env);
        let day = &env.days()[0];
        assert_eq!(
            (day.date.as_str(), day.entries[0].time.as_str()),
            (date, time),
            "{zone} {stamp}"
        );
    }
}

#[test]
fn entries_of_the_hour_that_comes_twice_keep_the_order_of_the_talk() {
    let mut env = TestEnv::new();
    env.tz("Europe/Berlin").now("2026-10-26T00:00:00Z");
    let mut session = env.session();
    let mut want = Vec::new();
    for (stamp, text) in [
        ("2026-10-25T00:10:00Z", "one"),
        ("2026-10-25T00:50:00Z", "two"),
        ("2026-10-25T01:05:00Z", "three"),
        ("2026-10-25T01:55:00Z", "four"),
        ("2026-10-25T02:05:00Z", "five"),
    ] {
        session.clock = stamp.into();
        session.says(text, text);
        want.push(user(text));
    }
    repair(&env);
    assert_eq!(env.turns(), want);
}

#[test]
fn repair_inserts_where_the_time_belongs_and_keeps_all_other_bytes() {
    let mut env = TestEnv::new();
    let talk = env.session();
    env.now("2026-11-30T05:00:00Z");
    says(&env, &talk, "a", "first");
    env.now("2026-11-30T09:00:00Z");
    says(&env, &talk, "b", "third");
    let path = env.project().join("conversations/2026-11-30-claude.md");
    // What a person changed in the frontmatter stays.
    let text = fs::read_to_string(&path).unwrap();
    let text = text.replace("keywords: []", "keywords: [deploy, \"a: b\"]  # mine");
    fs::write(&path, &text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let mut lost = other(&env, 7);
    lost.clock = "2026-11-30T07:00:00.000Z".into();
    lost.says("c", "second");
    env.now("2026-11-30T14:00:00Z");
    repair(&env);
    assert_eq!(env.turns(), [user("first"), user("second"), user("third")]);
    let now = day_text(&env);
    let entry = now
        .split("\n## [")
        .find(|e| e.contains("second"))
        .map(|e| format!("\n## [{e}"))
        .unwrap();
    assert_eq!(now.replacen(&entry, "", 1), text);
    assert_eq!(env.tree().mode("conversations/2026-11-30-claude.md"), 0o640);
}

#[test]
fn unknown_marker_attributes_survive_an_insertion() {
    let mut env = TestEnv::new();
    let head =
        "---\ndate: 2026-11-30\nproject: proj\nkeywords: []\nsummary: \"\"\n---\n\n# 2026-11-30\n";
    let kept = "\n## [09:00:00] User\n<!-- mnemo s=aaaaaaaa id=zz new=1 u=u-1 -->\n\nkept\n";
    env.write(
        "conversations/2026-11-30-claude.md",
        format!("{head}{kept}"),
    );
    let mut lost = env.session();
    lost.says("c", "earlier");
    env.now("2026-11-30T14:00:00Z");
    repair(&env);
    let text = day_text(&env);
    assert!(text.ends_with(kept), "{text}");
    assert_eq!(env.turns(), [user("earlier"), user("kept")]);
}

#[test]
fn a_project_name_that_yaml_would_misread_leaves_the_header_readable() {
    for name in ["a: b", "[x]", "#no", "'q", "-", "한글 프로젝트", "true"] {
        let mut env = TestEnv::named(name);
        env.now("2026-11-30T14:03:22Z");
        says(&env, &env.session(), "p", "x");
        let days = env.days();
        assert_eq!(days[0].turns(), [user("x")], "{name}");
        let line = days[0]
            .front
            .iter()
            .find(|l| l.starts_with("project: "))
            .unwrap();
        contains(line, name.trim_matches('\''));
    }
}

// ---------------------------------------------------------------- what is an entry: real records

#[test]
fn real_records_of_three_versions_give_their_conversations() {
    let slow = "This answer takes a long time to stream because the mock is slow";
    let parser = "Plain final answer: the parser is in src/parse.rs.";
    let turns = repaired("old-compact.jsonl");
    assert_eq!(
        turns,
        [
            user("SCRIPT:tools first some work"),
            assistant("Running a command.\n\nAll tools ran; notes.txt now has gamma."),
            user("SCRIPT:plain after compaction"),
            assistant(parser),
        ]
    );
    let users = |name: &str| -> Vec<String> {
        let said = repaired(name).into_iter();
        said.filter(|t| *t == user(t.body.as_str()))
            .map(|t| t.body)
            .collect()
    };
    assert_eq!(
        users("old-slash-commands.jsonl"),
        [
            "/x alpha beta",
            "/greet Alice",
            "SCRIPT:skilltool use the skill",
            "SCRIPT:plain look at @data.txt please"
        ]
    );
    for name in ["old-queued.jsonl", "mid-queued.jsonl"] {
        assert_eq!(
            repaired(name),
            [
                user("SCRIPT:slowtools go"),
                user("also remember MARK-QUEUED please"),
                assistant("Slow tools finished.")
            ],
            "{name}"
        );
    }
    let nine: Vec<Turn> = (1..=9).map(|n| assistant(format!("Answer {n}."))).collect();
    assert_eq!(repaired("mid-stop-block-cap.jsonl")[1..], nine);
    assert_eq!(
        repaired("mid-interrupt.jsonl")[..2],
        [
            user("SCRIPT:slow one"),
            assistant(format!("Starting slow work.\n\n{slow}"))
        ]
    );
    assert_eq!(
        repaired("mid-background-agent.jsonl"),
        [
            user("SCRIPT:bgagent go"),
            assistant("Agent started in background."),
            assistant("Agent finished, noted.")
        ]
    );
    assert_eq!(
        repaired("new-bang-and-hash-1.jsonl"),
        [
            assistant("Default mock answer."),
            user("SCRIPT:plain after bang"),
            assistant(parser),
            user("#remember that MARK-HASH tabs are used"),
            assistant("(mock: end of script plain, turn 1)")
        ]
    );
    assert_eq!(
        users("new-ask-user-question-1.jsonl"),
        [
            "SCRIPT:askq go",
            "SCRIPT:askq again",
            "> Which colour do you want?\n\nMARK-OWN green please"
        ]
    );
    assert_eq!(
        users("new-stream-json-merged-image-1.jsonl")[1],
        "SCRIPT:korean second with an image\n[image]\nSCRIPT:plain third\nsecond text block"
    );
}

#[test]
fn a_fork_gives_the_common_part_once() {
    let mut env = TestEnv::new();
    env.now("2026-12-02T00:00:00Z");
    for name in ["new-fork-1.jsonl", "new-fork-2.jsonl"] {
        let (text, path) = fixture(&env, name);
        env.write(&path, text);
        repair(&env);
    }
    let firsts = env
        .turns()
        .iter()
        .filter(|t| **t == user("SCRIPT:plain first"))
        .count();
    assert_eq!((firsts, env.turns().len()), (1, 6));
}

#[test]
fn a_record_read_line_by_line_gives_the_same_as_at_once() {
    for name in [
        "mid-interrupt.jsonl",
        "old-queued.jsonl",
        "new-queued-while-streaming-1.jsonl",
    ] {
        let mut env = TestEnv::new();
        env.now("2026-12-02T00:00:00Z");
        let (text, path) = fixture(&env, name);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        for end in 1..=lines.len() {
            env.write(&path, lines[..end].concat());
            touch(&path, MIDNIGHT + 6 * HOUR);
            env.mnemo(&["reconcile", "--all"]).ok();
        }
        assert_eq!(env.turns(), repaired(name), "{name}");
    }
}

// ---------------------------------------------------------------- what is an entry: made records

/// A turn of one text in a record that is not mirrored yet.
fn turn(session: &mut Session, id: &str, prompt: &str, reply: &str) {
    session.says(id, prompt);
    session.answers(reply, Some("end_turn"));
}

#[test]
fn structure_decides_never_the_look_of_the_text() {
    let pasted = [
        "<command-name>/clear</command-name>\n<command-args></command-args>",
        "<local-command-stdout>x</local-command-stdout>",
        "<task-notification>\n<task-id>1</task-id>\n</task-notification>",
        "[Request interrupted by user]",
        "[Request interrupted by user for tool use]",
        "This session is being continued from a previous conversation that ran out of context.",
        "Caveat: The messages below were generated by the user",
        "<system-reminder>x</system-reminder>",
        "Stop hook feedback:\nkeep going",
        "/compact",
        "/clear",
        "!ls",
        "<bash-input>ls</bash-input>",
        "No response requested.",
        "Continue from where you left off.",
        "<user-prompt-submit-hook>x</user-prompt-submit-hook>",
    ];
    for version in ["2.1.332", "2.1.197", "2.1.59"] {
        let mut env = TestEnv::new();
        env.now("2026-11-30T14:00:00Z");
        let mut session = env.session();
        session.version = version.into();
        let mut want = Vec::new();
        for (n, text) in pasted.iter().enumerate() {
            if version == "2.1.59" && text.starts_with("<task-notification>") {
                // Such a client does not tell who wrote it.
                continue;
            }
            let mut line = json!({"type": "user", "permissionMode": "default",
                "message": {"role": "user", "content": text}});
            if version != "2.1.59" {
                line["promptId"] = json!(format!("p{n}"));
                line["promptSource"] = json!("typed");
                line["origin"] = json!({"kind": "human"});
            }
            session.line(line);
            session.answers(&format!("{text} answered"), Some("end_turn"));
            want.extend([user(*text), assistant(format!("{text} answered"))]);
        }
        repair(&env);
        assert_eq!(env.turns(), want, "{version}");
    }
}

#[test]
fn what_nobody_typed_is_no_user_entry() {
    let mut env = TestEnv::new();
    env.now("2026-11-30T14:00:00Z");
    let mut session = env.session();
    turn(&mut session, "p1", "real", "One.");
    for content in [
        "<local-command-caveat>Caveat</local-command-caveat>",
        "Stop hook feedback:\nx",
        "Continue from where you left off.",
        "expansion of a command",
        "[Image: source: /tmp/images/1.png]",
    ] {
        session.line(json!({"type": "user", "isMeta": true, "promptId": "p2",
            "message": {"role": "user", "content": content}}));
    }
    session.line(json!({"type": "user", "isCompactSummary": true, "isVisibleInTranscriptOnly": true,
        "promptId": "p2", "message": {"role": "user", "content": "This session is being continued"}}));
    session.line(json!({"type": "user", "promptId": "p2", "rowSource": "local",
        "message": {"role": "user", "content": "<command-name>/clear</command-name>\n            <command-message>clear</command-message>\n            <command-args></command-args>"}}));
    session.line(
        json!({"type": "user", "promptId": "p2", "rowSource": "local",
        "message": {"role": "user", "content": "<local-command-stdout>ok</local-command-stdout>"}}),
    );
    session.line(
        json!({"type": "user", "promptId": "p2", "permissionMode": "default",
        "promptSource": "typed", "message": {"role": "user", "content": " \n\t "}}),
    );
    session.line(
        json!({"type": "user", "promptId": "p3", "isSidechain": true, "agentId": "a1",
        "promptSource": "typed", "permissionMode": "default",
        "message": {"role": "user", "content": "to a subagent"}}),
    );
    session.line(
        json!({"type": "assistant", "isSidechain": true, "agentId": "a1",
        "message": {"id": "m", "role": "assistant", "stop_reason": "end_turn",
            "content": [{"type": "text", "text": "from a subagent"}]}}),
    );
    repair(&env);
    assert_eq!(env.turns(), [user("real"), assistant("One.")]);
}

#[test]
fn a_custom_command_is_stored_as_typed_once() {
    let mut env = TestEnv::new();
    env.now("2026-11-30T05:03:22Z");
    let mut session = env.session();
    let typed = "/greet Alice  <b>\n & \"two\" lines";
    says(&env, &session, "p1", typed);
    session.line(json!({"type": "user", "promptId": "p1", "rowSource": "local", "turnOrigin": "human",
        "message": {"role": "user", "content": format!("<command-message>greet</command-message>\n<command-name>/greet</command-name>\n<command-args>{}</command-args>", &typed[7..])}}));
    session.line(
        json!({"type": "user", "promptId": "p1", "isMeta": true, "turnCompanion": true,
        "message": {"role": "user", "content": [{"type": "text", "text": "expanded"}]}}),
    );
    session.answers("Hello.", Some("end_turn"));
    stops(&env, &session, "p1", "Hello.");
    repair(&env);
    assert_eq!(env.turns(), [user(typed), assistant("Hello.")]);
}

#[test]
fn a_command_without_arguments_and_a_plugin_skill() {
    let mut env = TestEnv::new();
    env.now("2026-11-30T14:00:00Z");
    let mut session = env.session();
    for (n, (name, args)) in [("deploy", ""), ("my-plugin:ship", "v1 now")]
        .iter()
        .enumerate()
    {
        let args = if args.is_empty() {
            String::new()
        } else {
            format!("\n<command-args>{args}</command-args>")
        };
        session.line(json!({"type": "user", "promptId": format!("p{n}"), "rowSource": "local", "turnOrigin": "human",
            "message": {"role": "user", "content": format!("<command-message>{name}</command-message>\n<command-name>/{name}</command-name>{args}")}}));
        session.answers("Done.", Some("end_turn"));
    }
    repair(&env);
    assert_eq!(
        env.turns(),
        [
            user("/deploy"),
            assistant("Done."),
            user("/my-plugin:ship v1 now"),
            assistant("Done.")
        ]
    );
}

#[test]
fn images_of_a_payload_and_of_a_record_are_the_same() {
    let mut env = TestEnv::new();
    env.now("2026-11-30T05:03:22Z");
    let mut session = env.session();
    says(&env, &session, "p1", "[Image #1] what is this?");
    let image = json!({"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": "iVBORw0KGgo="}});
    session.line(json!({"type": "user", "promptId": "p1", "promptSource": "typed", "permissionMode": "default",
        "message": {"role": "user", "content": [{"type": "text", "text": "[Image #1] what is this?"}, image]}}));
    session.answers("A dot.", Some("end_turn"));
    stops(&env, &session, "p1", "A dot.");
    env.now("2026-11-30T14:00:00Z");
    repair(&env);
    let turns = env.turns();
    assert_eq!(turns.len(), 2, "{turns:?}");
    assert_eq!(turns[0], user("[image] what is this?"));
}

#[test]
fn a_pasted_notification_is_added_by_repair_when_a_person_typed_it() {
    let mut env = TestEnv::new();
    env.now("2026-11-30T05:03:22Z");
    let mut session = env.session();
    let text = "<task-notification>\nwhat does this mean?";
    says(&env, &session, "p1", text);
    assert_eq!(env.turns(), []);
    turn(&mut session, "p1", text, "It means …");
    session.line(json!({"type": "user", "promptId": "p2", "promptSource": "system", "permissionMode": "default",
        "origin": {"kind": "task-notification"}, "turnOrigin": "task_notification",
        "message": {"role": "user", "content": "<task-notification>\n<task-id>1</task-id>"}}));
    session.answers("Noted.", Some("end_turn"));
    repair(&env);
    assert_eq!(
        env.turns(),
        [user(text), assistant("It means …"), assistant("Noted.")]
    );
    let days = env.days();
    let id = days[0].entries[2].attr("id");
    assert_ne!(
        id,
        days[0].entries[1].attr("id"),
        "the notification's own id"
    );
}

#[test]
fn own_words_to_a_question_are_a_user_entry_and_labels_are_none() {
    for hook in [true, false] {
        let mut env = TestEnv::new();
        env.now("2026-11-30T05:03:22Z");
        let mut session = env.session();
        session.says("p1", "ask me");
        if hook {
            says(&env, &session, "p1", "ask me");
        }
        session.answers("Questions.", Some("tool_use"));
        let option = |l: &str| json!({"label": l, "description": "d"});
        let questions = json!([
            {"question": "Colour?", "header": "C", "multiSelect": false, "options": [option("Red"), option("Blue")]},
            {"question": "Size?", "header": "S", "multiSelect": false, "options": [option("S"), option("M")]},
            {"question": "Many?", "header": "M", "multiSelect": true, "options": [option("One"), option("Two")]},
        ]);
        let (_, call) = session.calls("AskUserQuestion", &json!({"questions": questions}));
        session.line(json!({"type": "user", "promptId": "p1",
            "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call, "content": "Your questions have been answered"}]},
            "toolUseResult": {"questions": questions, "answers": {
                "Colour?": "Red", "Size?": "the size of\na house", "Many?": "One, Two"}}}));
        session.answers("Thanks.", Some("end_turn"));
        if hook {
            stops(&env, &session, "p1", "Thanks.");
        } else {
            repair(&env);
        }
        let want = [
            user("ask me"),
            user("> Size?\nthe size of\na house"),
            assistant("Questions.\n\nThanks."),
        ];
        let turns: Vec<Turn> = env.turns().iter().map(squeeze).collect();
        assert_eq!(
            turns,
            want.iter().map(squeeze).collect::<Vec<_>>(),
            "hook: {hook}"
        );
        repair(&env);
        assert_eq!(env.turns().len(), 3, "hook: {hook}");
    }
}

/// A blank line between a question and its answer is a matter of taste.
fn squeeze(turn: &Turn) -> Turn {
    let mut turn = turn.clone();
    if turn.body.starts_with("> ") {
        turn.body = turn.body.replace("\n\n", "\n");
    }
    turn
}

#[test]
fn what_was_typed_when_refusing_a_tool_is_a_user_entry() {
    let said = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\nuse pnpm\n\nplease";
    for hook in [true, false] {
        let mut env = TestEnv::new();
        env.now("2026-11-30T05:03:22Z");
        let mut session = env.session();
        session.says("p1", "install");
        if hook {
            says(&env, &session, "p1", "install");
        }
        session.answers("Installing.", Some("tool_use"));
        let (_, call) = session.calls("Bash", &json!({"command": "npm i"}));
        session.line(json!({"type": "user", "promptId": "p1", "toolDenialKind": "user-rejected",
            "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call, "is_error": true, "content": said}]},
            "toolUseResult": format!("Error: {said}")}));
        session.answers("With pnpm then.", Some("end_turn"));
        if hook {
            stops(&env, &session, "p1", "With pnpm then.");
        } else {
            repair(&env);
        }
        let want = [
            user("install"),
            user("use pnpm\n\nplease"),
            assistant("Installing.\n\nWith pnpm then."),
        ];
        assert_eq!(env.turns(), want, "hook: {hook}");
        repair(&env);
        assert_eq!(env.turns(), want, "hook: {hook}, repaired");
    }
}

#[test]
fn a_prompt_absorbed_in_the_middle_of_a_turn_is_one_entry_in_every_version() {
    for version in ["2.1.332", "2.1.197", "2.1.59"] {
        let mut env = TestEnv::new();
        env.now("2026-11-30T05:03:22Z");
        let mut session = env.session();
        session.version = version.into();
        let id = if version == "2.1.59" { "" } else { "p1" };
        says(&env, &session, id, "go");
        session.says(id, "go");
        session.answers("Begun.", Some("tool_use"));
        let (_, call) = session.calls("Bash", &json!({"command": "sleep 9"}));
        session.clock = "2026-11-30T05:03:30.000Z".into();
        let op = |session: &Session, op: &str, more: Value| {
            let mut line = json!({"type": "queue-operation", "operation": op,
                "timestamp": session.clock, "sessionId": session.id});
            line.as_object_mut()
                .unwrap()
                .extend(more.as_object().unwrap().clone());
            session.raw(format!("{line}\n"));
        };
        op(&session, "enqueue", json!({"content": "and also this"}));
        if version == "2.1.332" {
            env.now("2026-11-30T05:03:30Z");
            says(&env, &session, "p1", "and also this");
        }
        session.clock = "2026-11-30T05:20:00.000Z".into();
        session.result(id, &call, "done", false);
        op(
            &session,
            "remove",
            if version == "2.1.332" {
                json!({"content": "and also this", "reason": "absorbed_mid_turn"})
            } else {
                json!({})
            },
        );
        if version != "2.1.59" {
            session.line(
                json!({"type": "attachment", "attachment": {"type": "queued_command",
                "prompt": "and also this", "commandMode": "prompt", "origin": {"kind": "human"},
                "timestamp": "2026-11-30T05:03:30.000Z"}, "timestamp": "2026-11-30T05:03:30.000Z"}),
            );
        }
        session.answers("Both done.", Some("end_turn"));
        env.now("2026-11-30T05:20:01Z");
        stops(&env, &session, id, "Both done.");
        let want = [
            user("go"),
            user("and also this"),
            assistant("Begun.\n\nBoth done."),
        ];
        assert_eq!(env.turns(), want, "{version}, by the hooks");
        env.now("2026-11-30T14:00:00Z");
        rest(&session);
        repair(&env);
        assert_eq!(env.turns(), want, "{version}, repaired");
    }
}

#[test]
fn an_absorbed_prompt_has_the_time_when_it_was_typed() {
    let mut env = TestEnv::new();
    env.now("2026-11-30T05:03:22Z");
    let mut session = env.session();
    session.version = "2.1.197".into();
    says(&env, &session, "p1", "go");
    session.says("p1", "go");
    let (_, call) = session.calls("Bash", &json!({"command": "sleep 9"}));
    session.clock = "2026-11-30T05:20:00.000Z".into();
    session.result("p1", &call, "done", false);
    session.line(
        json!({"type": "attachment", "attachment": {"type": "queued_command",
        "prompt": "and also this", "commandMode": "prompt", "origin": {"kind": "human"},
        "timestamp": "2026-11-30T05:03:30.000Z"}, "timestamp": "2026-11-30T05:03:30.000Z"}),
    );
    session.answers("Both done.", Some("end_turn"));
    env.now("2026-11-30T05:20:01Z");
    stops(&env, &session, "p1", "Both done.");
    let day = &env.days()[0];
    assert_eq!(day.entries[1].turn, user("and also this"));
    assert_eq!(day.entries[1].time, "05:03:30");
}

/// The whole turn stands in the file when its stop comes; the prompt typed meanwhile carries the
/// running turn's id and is not part of it.
#[test]
fn a_turn_with_a_prompt_waiting_behind_it_is_stored_whole() {
    let mut env = TestEnv::new();
    env.now("2026-11-30T05:03:22Z");
    let mut session = env.session();
    says(&env, &session, "p1", "go");
    session.says("p1", "go");
    session.answers("Begun.", Some("tool_use"));
    let (_, call) = session.calls("Bash", &json!({"command": "ls"}));
    session.result("p1", &call, "x", false);
    says(&env, &session, "p1", "later");
    session.raw(format!(
        "{}\n",
        json!({"type": "queue-operation", "operation": "enqueue",
        "timestamp": session.clock, "sessionId": session.id, "content": "later"})
    ));
    session.answers("A long text.", Some("end_turn"));
    stops(&env, &session, "p1", "A long text.");
    assert_eq!(
        env.turns(),
        [
            user("go"),
            user("later"),
            assistant("Begun.\n\nA long text.")
        ]
    );
}

#[test]
fn a_prompt_that_waited_long_in_the_queue_is_not_mirrored_twice() {
    for minutes in [2, 11, 45] {
        let mut env = TestEnv::new();
        env.now("2026-11-30T05:00:00Z");
        let mut session = env.session();
        session.clock = "2026-11-30T05:00:00.000Z".into();
        says(&env, &session, "p1", "go");
        session.says("p1", "go");
        env.now("2026-11-30T05:01:00Z");
        says(&env, &session, "p1", "later");
        session.raw(format!(
            "{}\n",
            json!({"type": "queue-operation", "operation": "enqueue",
            "timestamp": "2026-11-30T05:01:00.000Z", "sessionId": session.id, "content": "later"})
        ));
        let end = format!("2026-11-30T05:{:02}:30.000Z", 1 + minutes);
        session.clock.clone_from(&end);
        session.answers("A very long text.", Some("end_turn"));
        env.now(&end[..19]);
        env.set("MNEMO_NOW", format!("{}Z", &end[..19]));
        stops(&env, &session, "p1", "A very long text.");
        session.raw(format!(
            "{}\n",
            json!({"type": "queue-operation", "operation": "dequeue",
            "timestamp": end, "sessionId": session.id})
        ));
        session.line(
            json!({"type": "user", "promptId": "p2", "promptSource": "queued",
            "permissionMode": "default", "origin": {"kind": "human"}, "turnOrigin": "human",
            "message": {"role": "user", "content": "later"}}),
        );
        session.answers("And that.", Some("end_turn"));
        stops(&env, &session, "p2", "And that.");
        env.now("2026-11-30T14:00:00Z");
        rest(&session);
        repair(&env);
        assert_eq!(
            env.turns(),
            [
                user("go"),
                user("later"),
                assistant("A very long text."),
                assistant("And that.")
            ],
            "waited {minutes} minutes"
        );
    }
}

/// A print run that was killed while it compacted: only the queue's line is left of it.
#[test]
fn a_command_of_the_client_in_the_queue_is_no_user_entry() {
    for command in ["/compact keep the names", "/clear", "/exit", "/compact"] {
        let mut env = TestEnv::new();
        env.now("2026-11-30T14:00:00Z");
        let mut session = env.session();
        session.version = "2.1.59".into();
        turn(&mut session, "", "real", "One.");
        for (op, content) in [("enqueue", json!(command)), ("dequeue", Value::Null)] {
            let mut line = json!({"type": "queue-operation", "operation": op,
                "timestamp": "2026-11-30T05:05:00.000Z", "sessionId": session.id});
            if !content.is_null() {
                line["content"] = content;
            }
            session.raw(format!("{line}\n"));
        }
        rest(&session);
        env.mnemo(&["reconcile", "--all"]).ok();
        assert_eq!(env.turns(), [user("real"), assistant("One.")], "{command}");
    }
}

#[test]
fn errors_and_made_up_notices_are_left_out() {
    let mut env = TestEnv::new();
    env.now("2026-11-30T05:03:22Z");
    let mut session = env.session();
    let synthetic = |text: &str, error: Option<bool>| {
        let mut line = json!({"type": "assistant", "message": {"id": uuid(), "role": "assistant",
            "model": "<synthetic>", "stop_reason": "stop_sequence",
            "content": [{"type": "text", "text": text}]}});
        if let Some(error) = error {
            line["isApiErrorMessage"] = json!(error);
        }
        line
    };
    session.says("p1", "one");
    session.line(synthetic("API Error: 400 bad", Some(true)));
    session.says("p2", "two");
    session.line(synthetic("No response requested.", Some(false)));
    session.says("p3", "three");
    session.answers("Begun.", Some("tool_use"));
    session.line(synthetic("The cut answer", Some(false)));
    session.line(json!({"type": "user", "promptId": "p3", "interruptedMessageId": "m", "rowSource": "harness",
        "message": {"role": "user", "content": [{"type": "text", "text": "[Request interrupted by user]"}]}}));
    session.says("p4", "four");
    session.answers("API Error: 400 is what the log says.", Some("end_turn"));
    repair(&env);
    assert_eq!(
        env.turns(),
        [
            user("one"),
            user("two"),
            user("three"),
            assistant("Begun.\n\nThe cut answer"),
            user("four"),
            assistant("API Error: 400 is what the log says.")
        ]
    );
}

#[test]
fn an_old_clients_error_stop_leaves_no_reply() {
    let mut env = TestEnv::new();
    env.now("2026-11-30T05:03:22Z");
    let mut session = env.session();
    session.version = "2.1.59".into();
    says(&env, &session, "", "go");
    session.says("", "go");
    session.line(json!({"type": "assistant", "isApiErrorMessage": true, "error": "unknown",
        "message": {"id": "x", "role": "assistant", "model": "<synthetic>", "stop_reason": "stop_sequence",
            "content": [{"type": "text", "text": "API Error: 400 bad"}]}}));
    stops(&env, &session, "", "API Error: 400 bad");
    repair(&env);
    assert_eq!(env.turns(), [user("go")]);
}

#[test]
fn a_partial_line_gives_way_to_the_fuller_one_and_counts_alone() {
    let mut env = TestEnv::new();
    env.now("2026-11-30T14:00:00Z");
    let mut session = env.session();
    let block = |id: &str, text: &str, stop: Option<&str>| {
        json!({"type": "assistant", "message": {"id": id, "role": "assistant", "model": "m",
            "stop_reason": stop, "content": [{"type": "text", "text": text}]}})
    };
    session.says("p1", "go");
    session.line(block("m1", "The answ", None));
    session.line(block("m1", "The answer.", Some("end_turn")));
    session.says("p2", "next");
    session.line(block("m2", "Only a be", None));
    session.says("p3", "third");
    // Another message, another text: both count.
    session.line(block("m3", "Same", None));
    session.line(block("m4", "Same and more", Some("end_turn")));
    repair(&env);
    assert_eq!(
        env.turns(),
        [
            user("go"),
            assistant("The answer."),
            user("next"),
            assistant("Only a be"),
            user("third"),
            assistant("Same\n\nSame and more")
        ]
    );
}

#[test]
fn broken_circular_and_self_pointing_chains_lose_nothing() {
    for kind in ["self", "circle", "missing", "null"] {
        let mut env = TestEnv::new();
        env.now("2026-11-30T14:00:00Z");
        let mut session = env.session();
        session.says("p1", "one");
        let (a, b) = (uuid(), uuid());
        let parent = match kind {
            "self" => json!(a),
            "circle" => json!(b),
            "missing" => json!("dead0000-0000-4000-8000-000000000000"),
            _ => Value::Null,
        };
        session.line(json!({"uuid": a, "parentUuid": parent, "type": "assistant",
            "message": {"id": "m1", "role": "assistant", "stop_reason": "tool_use",
                "content": [{"type": "text", "text": "First."}]}}));
        session.line(json!({"uuid": b, "parentUuid": a, "type": "assistant",
            "message": {"id": "m2", "role": "assistant", "stop_reason": "end_turn",
                "content": [{"type": "text", "text": "Second."}]}}));
        turn(&mut session, "p2", "two", "Third.");
        repair(&env);
        assert_eq!(
            env.turns(),
            [
                user("one"),
                assistant("First.\n\nSecond."),
                user("two"),
                assistant("Third.")
            ],
            "{kind}"
        );
    }
}

#[test]
fn the_chain_finds_the_prompt_even_when_its_line_comes_later() {
    let mut env = TestEnv::new();
    env.now("2026-11-30T14:00:00Z");
    let mut session = env.session();
    session.says("p1", "one");
    let first = session.answers("First.", Some("end_turn"));
    let prompt = uuid();
    session.clock = "2026-11-30T05:03:24.000Z".into();
    session.line(json!({"parentUuid": prompt, "type": "assistant",
        "message": {"id": "m2", "role": "assistant", "stop_reason": "end_turn",
            "content": [{"type": "text", "text": "Second."}]}}));
    session.clock = "2026-11-30T05:03:23.000Z".into();
    session.line(
        json!({"uuid": prompt, "parentUuid": first, "type": "user", "promptId": "p2", "promptSource": "typed",
        "permissionMode": "default", "message": {"role": "user", "content": "two"}}),
    );
    repair(&env);
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
fn the_last_text_may_be_absent_and_thinking_is_left_out() {
    let env = at_work();
    let mut session = env.session();
    says(&env, &session, "p1", "go");
    session.says("p1", "go");
    session.line(json!({"type": "assistant", "message": {"id": "m", "role": "assistant", "stop_reason": "end_turn",
        "content": [{"type": "thinking", "thinking": "secret thoughts", "signature": "x"}]}}));
    session.line(json!({"type": "assistant", "message": {"id": "m", "role": "assistant", "stop_reason": "end_turn",
        "content": [{"type": "text", "text": "\n  Indented first.\n\n"}]}}));
    session.line(json!({"type": "assistant", "message": {"id": "m", "role": "assistant", "stop_reason": "end_turn",
        "content": [{"type": "text", "text": "  \n"}]}}));
    let mut stop = session.stop("p1", "");
    stop.as_object_mut()
        .unwrap()
        .remove("last_assistant_message");
    env.hook("response-save", &stop).silent();
    assert_eq!(env.turns(), [user("go"), assistant("Indented first.")]);
}

#[test]
fn the_same_prompt_twice_is_two_entries_and_stays_two() {
    // Which of the two the hooks saved does not matter.
    for saved in [&[][..], &[0], &[1], &[0, 1]] {
        let mut env = TestEnv::new();
        env.now("2026-11-30T05:03:22Z");
        let mut session = env.session();
        for n in 0..2 {
            let id = format!("p{n}");
            if saved.contains(&n) {
                says(&env, &session, &id, "go on");
                stops(&env, &session, &id, "Done.");
            }
            turn(&mut session, &id, "go on", "Done.");
        }
        for _ in 0..2 {
            repair(&env);
            assert_eq!(
                env.turns(),
                [
                    user("go on"),
                    assistant("Done."),
                    user("go on"),
                    assistant("Done.")
                ],
                "{saved:?}"
            );
        }
    }
}

#[test]
fn an_old_clients_equal_prompts_are_matched_one_to_one() {
    for saved in [&[][..], &[0], &[1], &[2], &[0, 2]] {
        let mut env = TestEnv::new();
        let mut session = env.session();
        session.version = "2.1.59".into();
        for n in 0..3 {
            session.clock = format!("2026-11-30T05:0{n}:00.000Z");
            env.now(&format!("2026-11-30T05:0{n}:00Z"));
            if saved.contains(&n) {
                says(&env, &session, "", "continue");
            }
            session.says("", "continue");
            if saved.contains(&n) {
                stops(&env, &session, "", "OK.");
            }
            session.answers("OK.", Some("end_turn"));
        }
        env.now("2026-11-30T14:00:00Z");
        repair(&env);
        let turns = env.turns();
        assert_eq!(turns.len(), 6, "{saved:?}: {turns:?}");
        let times: Vec<String> = env.days()[0]
            .entries
            .iter()
            .map(|e| e.time.clone())
            .collect();
        let want = [
            "05:00:00", "05:00:00", "05:01:00", "05:01:00", "05:02:00", "05:02:00",
        ];
        assert_eq!(times, want, "{saved:?}");
    }
}

#[test]
fn repeated_turns_of_a_resumed_session_are_known_by_their_message() {
    let mut env = TestEnv::new();
    env.now("2026-11-30T14:00:00Z");
    let mut session = env.session();
    session.says("p1", "one");
    let answer = json!({"type": "assistant", "message": {"id": "msg_1", "role": "assistant",
        "stop_reason": "end_turn", "content": [{"type": "text", "text": "First."}]}});
    session.line(answer.clone());
    repair(&env);
    // The same turn again, with fresh uuids.
    session.says("p1", "one");
    session.line(answer);
    session.clock = "2026-11-30T05:10:00.000Z".into();
    turn(&mut session, "p2", "two", "Second.");
    repair(&env);
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
fn a_fork_of_a_talk_that_hooks_saved_adds_only_its_own_turns() {
    let mut env = TestEnv::new();
    env.now("2026-11-30T05:03:22Z");
    let mut session = env.session();
    says(&env, &session, "p1", "one");
    turn(&mut session, "p1", "one", "First.");
    stops(&env, &session, "p1", "First.");
    let text = fs::read_to_string(&session.transcript).unwrap();
    let fork = other(&env, 5);
    // The newest client gives the copied lines the fork's prompt id.
    let copy = text
        .replace(&session.id, &fork.id)
        .replace("\"promptId\":\"p1\"", "\"promptId\":\"f1\"");
    fork.raw(copy);
    let mut fork = fork;
    fork.clock = "2026-11-30T05:10:00.000Z".into();
    turn(&mut fork, "f1", "one", "Forked.");
    for _ in 0..2 {
        repair(&env);
        assert_eq!(
            env.turns(),
            [
                user("one"),
                assistant("First."),
                user("one"),
                assistant("Forked.")
            ]
        );
    }
}

#[test]
fn a_fork_read_before_its_original_gives_each_turn_once() {
    let mut env = TestEnv::new();
    env.now("2026-11-30T14:00:00Z");
    let mut session = env.session();
    turn(&mut session, "p1", "one", "First.");
    let text = fs::read_to_string(&session.transcript).unwrap();
    fs::remove_file(&session.transcript).unwrap();
    let fork = other(&env, 5);
    fork.raw(
        text.replace(&session.id, &fork.id)
            .replace("\"p1\"", "\"f1\""),
    );
    repair(&env);
    session.raw(&text);
    repair(&env);
    fs::remove_file(env.project().join("conversations/.mnemo-index.json")).unwrap();
    repair(&env);
    assert_eq!(env.turns(), [user("one"), assistant("First.")]);
}

#[test]
fn two_branches_written_by_parallel_resumes_are_both_kept() {
    let mut env = TestEnv::new();
    env.now("2026-11-30T14:00:00Z");
    let mut session = env.session();
    session.says("p0", "base");
    let leaf = session.answers("Base.", Some("end_turn"));
    let (a, b) = (uuid(), uuid());
    for (id, uuid, text) in [("pa", &a, "left"), ("pb", &b, "right")] {
        session.line(
            json!({"parentUuid": leaf, "uuid": uuid, "type": "user", "promptId": id,
            "promptSource": "sdk", "permissionMode": "default",
            "message": {"role": "user", "content": text}}),
        );
    }
    session.clock = "2026-11-30T05:03:25.000Z".into();
    for (parent, text) in [(&a, "Left."), (&b, "Right.")] {
        session.line(json!({"parentUuid": parent, "type": "assistant",
            "message": {"id": uuid(), "role": "assistant", "stop_reason": "end_turn",
                "content": [{"type": "text", "text": text}]}}));
    }
    repair(&env);
    let turns = env.turns();
    for turn in [
        user("left"),
        user("right"),
        assistant("Left."),
        assistant("Right."),
    ] {
        assert_eq!(turns.iter().filter(|t| **t == turn).count(), 1, "{turn:?}");
    }
    assert_eq!(turns.len(), 6);
}

// ---------------------------------------------------------------- repair

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

/// A number anywhere in a report.
fn find(value: &Value, key: &str) -> Option<u64> {
    match value {
        Value::Object(map) => map
            .get(key)
            .and_then(Value::as_u64)
            .or_else(|| map.values().find_map(|v| find(v, key))),
        Value::Array(list) => list.iter().find_map(|v| find(v, key)),
        _ => None,
    }
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

// ---------------------------------------------------------------- tools and observations

fn bash(command: &str) -> Value {
    json!({ "command": command })
}

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

// ---------------------------------------------------------------- privacy

/// Texts that hide WORD, and what is left of them.
const HIDDEN: [(&str, &str); 14] = [
    ("a <private>WORD</private> b", "a [PRIVATE] b"),
    ("a <PRIVATE>WORD</Private> b", "a [PRIVATE] b"),
    ("a < private >WORD</ private > b", "a [PRIVATE] b"),
    ("a <private reason=\"x\">WORD</private> b", "a [PRIVATE] b"),
    ("a <private\n>WORD\nWORD</private\n> b", "a [PRIVATE] b"),
    (
        "a <private>x <private>WORD</private> WORD</private> b",
        "a [PRIVATE] b",
    ),
    ("a <private>WORD b", "a [PRIVATE]"),
    ("```\n<private>WORD</private>\n```", "```\n[PRIVATE]\n```"),
    (
        "<private>WORD</private><private>WORD</private>",
        "[PRIVATE][PRIVATE]",
    ),
    ("`<private>` WORD", "`[PRIVATE]"),
    (
        "a <private>WORD</private> b <private>WORD",
        "a [PRIVATE] b [PRIVATE]",
    ),
    ("a <private/>WORD", "a [PRIVATE]"),
    ("a <private WORD", "a [PRIVATE]"),
    ("a <private>\0WORD</private> b", "a [PRIVATE] b"),
];

#[test]
fn private_blocks_reach_no_file_by_any_way() {
    for (text, left) in HIDDEN {
        let mut env = installed();
        let session = env.session();
        says(&env, &session, "p1", text);
        stops(&env, &session, "p1", text);
        let turns = env.turns();
        if text != "a <private WORD" {
            assert_eq!(turns, [user(left), assistant(left)], "{text:?}");
        }
        env.hook(
            "tool-log",
            &session.tool("p1", "Bash", &bash(text), &json!({"stdout": text})),
        )
        .silent();
        env.hook(
            "tool-log",
            &session.tool_failed("p1", "Bash", &bash(text), text),
        )
        .silent();
        env.hook(
            "tool-log",
            &session.tool("p1", "WebFetch", &json!({"url": text}), &json!(text)),
        )
        .silent();
        let mut session = other(&env, 4);
        turn(&mut session, "p2", text, text);
        rest(&session);
        env.now("2026-11-30T20:00:00Z");
        start_hook(&env);
        repair(&env);
        if text != "a <private WORD" {
            Tree::of(env.project()).nowhere("WORD");
            Tree::of(&env.state()).nowhere("WORD");
            assert_eq!(env.turns().len(), 4, "{text:?}");
        }
    }
}

#[test]
fn a_reply_is_filtered_as_a_whole_not_block_by_block() {
    for hook in [true, false] {
        let mut env = installed();
        env.now("2026-11-30T05:04:00Z");
        let mut session = env.session();
        session.says("p1", "go");
        session.answers("Open <private>WORD", Some("tool_use"));
        let (_, call) = session.calls("Bash", &bash("ls"));
        session.result("p1", &call, "x", false);
        session.answers("WORD still", Some("tool_use"));
        session.answers("WORD</private> end.", Some("end_turn"));
        if hook {
            says(&env, &session, "p1", "go");
            stops(&env, &session, "p1", "WORD</private> end.");
        }
        env.now("2026-11-30T20:00:00Z");
        repair(&env);
        assert_eq!(
            env.turns(),
            [user("go"), assistant("Open [PRIVATE] end.")],
            "hook: {hook}"
        );
        Tree::of(env.project()).nowhere("WORD");
    }
}

#[test]
fn a_reply_that_the_hook_saw_in_part_hides_what_an_earlier_block_opened() {
    // The file lacks the block that opens the private part when the stop comes.
    let mut env = installed();
    env.now("2026-11-30T05:04:00Z");
    let mut session = env.session();
    says(&env, &session, "p1", "go");
    session.says("p1", "go");
    session.answers("Open <private>WORD", Some("tool_use"));
    stops(&env, &session, "p1", "WORD2</private> end.");
    env.now("2026-11-30T20:00:00Z");
    session.answers("WORD2</private> end.", Some("end_turn"));
    repair(&env);
    assert_eq!(env.turns(), [user("go"), assistant("Open [PRIVATE] end.")]);
    Tree::of(env.project()).nowhere("WORD");
}

fn secrets() -> Vec<String> {
    let c = |parts: &[&str]| parts.concat();
    vec![
        c(&["gh", "p_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"]),
        c(&[
            "github",
            "_pat_",
            "11ABCDEFG0aBcDeFgHiJkL_",
            "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6a7B8c9D",
        ]),
        c(&["AK", "IA", "IOSFODNN7QXZMPLA"]),
        c(&["sk", "-ant-", "api03-", &"aB3dE5fG7h".repeat(9), "-AA"]),
        c(&["sk", "-proj-", &"aB3dE5fG7h".repeat(5)]),
        c(&[
            "xox",
            "b-",
            "123456789012-1234567890123-",
            "aB3dE5fG7hI9jK1lM3nO5pQ7",
        ]),
        c(&["sk", "_live_", "4eC39HqLyjWDarjtT1zdp7dc"]),
        c(&["gl", "pat-", "aB3dE5fG7hI9jK1lM3nO"]),
        c(&["np", "m_", "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"]),
        c(&["AI", "za", "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q"]),
        c(&[
            "ey",
            "JhbGciOiJIUzI1NiJ9.",
            "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvIn0.",
            "dBjftJeZ4CVPmB92K27uhbUJU1p1rwW1gFWFOEjXkQw",
        ]),
        c(&["hf", "_", "aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH"]),
        c(&[
            "SG",
            ".aB3dE5fG7hI9jK1lM3nO5p.",
            "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bC9d",
        ]),
    ]
}

#[test]
fn secrets_of_known_shape_reach_no_file() {
    let mut env = installed();
    let session = env.session();
    let key = format!(
        "-----BEGIN {}-----\nMIIEpAIBAAKCAQEAsecretkeybody\n-----END {0}-----",
        ["RSA PRIVATE", "KEY"].join(" ")
    );
    let mut all = secrets();
    let texts: Vec<String> = all.iter().map(|s| format!("use {s} now")).collect();
    for (n, text) in texts.iter().enumerate() {
        says(&env, &session, &format!("p{n}"), text);
        let turns = env.turns();
        let body = &turns.last().unwrap().body;
        assert!(
            body.starts_with("use [REDACTED:") && body.ends_with("] now"),
            "{n}: {body}"
        );
    }
    says(&env, &session, "k", &format!("a\n{key}\nb"));
    let body = env.turns().last().unwrap().body.clone();
    assert!(
        body.starts_with("a\n[REDACTED:") && body.ends_with("]\nb"),
        "{body}"
    );
    let url = format!("https://dev:{}@db.example.com/x", "hunter2secret");
    says(&env, &session, "u", &format!("see {url} ok"));
    let body = env.turns().last().unwrap().body.clone();
    contains(&body, "db.example.com/x ok");
    contains(&body, "[REDACTED:");
    for (n, line) in [
        "password = \"Tr0ub4dor&3xyz\"",
        "API_KEY=Tr0ub4dor3xyz99",
        "client_secret: 'Tr0ub4dor3xyz99'",
    ]
    .iter()
    .enumerate()
    {
        stops(&env, &session, &format!("v{n}"), line);
        let body = env.turns().last().unwrap().body.clone();
        contains(&body, "[REDACTED:");
        assert!(!body.contains("Tr0ub4dor"), "{body}");
    }
    for text in &texts {
        env.hook(
            "tool-log",
            &session.tool("p", "Bash", &bash(text), &json!({"stdout": text})),
        )
        .silent();
        env.hook(
            "tool-log",
            &session.tool_failed("p", "Bash", &bash("x"), text),
        )
        .silent();
    }
    let mut lost = other(&env, 4);
    turn(&mut lost, "p2", &texts.join("\n"), &format!("{key}\n{url}"));
    rest(&lost);
    env.now("2026-11-30T20:00:00Z");
    start_hook(&env);
    all.extend(["hunter2secret", "Tr0ub4dor", "secretkeybody"].map(str::to_owned));
    for secret in &all {
        Tree::of(env.project()).nowhere(secret);
        Tree::of(&env.state()).nowhere(secret);
    }
}

#[test]
fn look_alikes_stay() {
    let env = at_work();
    let session = env.session();
    let texts = [
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "id 7c2e9a40-8d55-4a0b-9d0e-2f6f0f3a1b77",
        "![x](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP4z8CA)",
        "API_KEY=<your-token>",
        "password: ${PASSWORD}",
        "token = \"YOUR_TOKEN_HERE\"",
        "let password: string;",
        "fn token(secret: &str) -> String",
        "const token = getToken();",
        "password = os.environ[\"PASSWORD\"]",
        "git@github.com:user/repo.git",
        "https://example.com:8080/path@2x.png",
        "http://localhost:3000/a?b=c@d",
        "the secret of good code: patience",
        "tokens: 1234",
        "sk-learn and sk-toolbox",
        "max_tokens=4096",
        "비밀번호는 무엇인가요?",
        "password: ********",
        "API_KEY=xxxxxxxxxxxx",
    ];
    for (n, text) in texts.iter().enumerate() {
        says(&env, &session, &format!("p{n}"), text);
    }
    let want: Vec<Turn> = texts.iter().map(|t| user(*t)).collect();
    for (got, want) in env.turns().iter().zip(&want) {
        assert_eq!(got, want);
    }
}

#[test]
fn secrets_are_kept_only_when_the_user_says_so() {
    let secret = &secrets()[0];
    let text = format!("use {secret}");
    for (own, project, kept) in [
        ("redact:\n  secrets: false\n", "", true),
        ("", "redact:\n  secrets: false\n", false),
        (
            "redact:\n  secrets: false\n",
            "redact:\n  secrets: true\n",
            false,
        ),
        ("redact:\n  secrets: false\nbroken: [", "", false),
        ("redact:\n  secrets: \"maybe\"\n", "", false),
        ("redact:\n  secrets: false\n", "broken: [", false),
    ] {
        let env = at_work();
        if !own.is_empty() {
            env.configure(own);
        }
        if !project.is_empty() {
            env.write(".mnemo.yaml", project);
        }
        says(&env, &env.session(), "p", &text);
        assert_eq!(
            env.turns()[0].body.contains(secret.as_str()),
            kept,
            "{own:?} {project:?}"
        );
        if own.contains('[') || own.contains("maybe") || project.contains('[') {
            assert!(
                !env.errors().is_empty(),
                "{own:?} {project:?}: nothing in the error log"
            );
            let done = env.mnemo(&["status"]);
            contains(&format!("{}{}", done.out(), done.err()), "yaml");
        }
    }
}

// ---------------------------------------------------------------- all hooks

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

// ---------------------------------------------------------------- checkpoint

fn state_file(env: &TestEnv) -> PathBuf {
    let slug = mnemo_tests::session::slug(env.project());
    env.claude()
        .join("projects")
        .join(slug)
        .join("memory/.consolidate-state")
}

fn state(env: &TestEnv) -> Value {
    serde_json::from_slice(&fs::read(state_file(env)).unwrap()).unwrap()
}

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

// ---------------------------------------------------------------- the client's settings

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

// ---------------------------------------------------------------- old clients: entries without an id

/// The prompt's own hook was missed, so that the reply before stands last in the day file.
#[test]
fn a_reply_that_begins_like_the_one_before_does_not_overwrite_it() {
    for version in ["2.1.332", "2.1.197", "2.1.59"] {
        let mut env = TestEnv::new();
        let mut session = env.session();
        session.version = version.into();
        let id = |n: u32| {
            if version == "2.1.59" {
                String::new()
            } else {
                format!("p{n}")
            }
        };
        env.now("2026-11-30T05:03:22Z");
        says(&env, &session, &id(1), "one");
        turn(&mut session, &id(1), "one", "Done.");
        stops(&env, &session, &id(1), "Done.");
        session.clock = "2026-11-30T05:20:00.000Z".into();
        turn(&mut session, &id(2), "two", "Done. And more.");
        env.now("2026-11-30T05:20:01Z");
        stops(&env, &session, &id(2), "Done. And more.");
        env.now("2026-11-30T14:00:00Z");
        rest(&session);
        repair(&env);
        assert_eq!(
            env.turns(),
            [
                user("one"),
                assistant("Done."),
                user("two"),
                assistant("Done. And more.")
            ],
            "{version}"
        );
    }
}

#[test]
fn a_change_of_the_time_zone_doubles_nothing() {
    for version in ["2.1.332", "2.1.59"] {
        let mut env = TestEnv::new();
        let mut session = env.session();
        session.version = version.into();
        let id = if version == "2.1.59" { "" } else { "p1" };
        session.clock = "2026-11-30T05:03:22.000Z".into();
        env.tz("Asia/Seoul").now("2026-11-30T05:03:22Z");
        says(&env, &session, id, "on the way");
        turn(&mut session, id, "on the way", "Yes.");
        stops(&env, &session, id, "Yes.");
        env.tz("Europe/Berlin").now("2026-11-30T14:00:00Z");
        rest(&session);
        repair(&env);
        assert_eq!(
            env.turns(),
            [user("on the way"), assistant("Yes.")],
            "{version}"
        );
    }
}

#[test]
#[ignore = "repair gives an old client's early entry the text of a later reply that begins alike"]
fn repair_matches_an_old_clients_replies_each_to_its_own_turn() {
    let mut env = installed();
    let mut session = env.session();
    session.version = "2.1.59".into();
    let at = |env: &mut TestEnv, session: &mut Session, time: &str| {
        session.clock = format!("2026-11-30T{time}.500Z");
        env.now(&format!("2026-11-30T{time}Z"));
    };
    let tool = |session: &mut Session| {
        let (_, call) = session.calls("Bash", &bash("ls"));
        session.result("", &call, "x", false);
    };
    let start = |env: &TestEnv, session: &Session, seconds: u64| {
        touch(&session.transcript, MIDNIGHT + 5 * HOUR + seconds);
        start_hook(env);
    };
    at(&mut env, &mut session, "05:05:00");
    says(&env, &session, "", "fix it");
    session.says("", "fix it");
    stops(&env, &session, "", "Done.");
    session.answers("Done.", Some("end_turn"));
    at(&mut env, &mut session, "05:05:02");
    says(&env, &session, "", "go on");
    session.says("", "go on");
    start(&env, &session, 302);
    session.answers("Done.\n\nOK.", Some("tool_use"));
    tool(&mut session);
    at(&mut env, &mut session, "05:06:44");
    stops(&env, &session, "", "Done.\n\nOK.");
    session.answers("Done.\n\nOK.", Some("end_turn"));
    at(&mut env, &mut session, "05:07:04");
    start(&env, &session, 424);
    says(&env, &session, "", "go");
    session.says("", "go");
    session.answers("OK.", Some("tool_use"));
    tool(&mut session);
    start(&env, &session, 424);
    at(&mut env, &mut session, "05:08:48");
    session.answers("Done. More.", Some("end_turn"));
    session.line(json!({"type": "user", "isMeta": true,
        "message": {"role": "user", "content": "Stop hook feedback:\nkeep going"}}));
    at(&mut env, &mut session, "05:09:22");
    tool(&mut session);
    session.answers("Done.\n\nOK.", Some("tool_use"));
    tool(&mut session);
    start(&env, &session, 562);
    at(&mut env, &mut session, "05:10:08");
    session.answers("OK.", Some("end_turn"));
    start(&env, &session, 608);
    env.now("2026-11-30T20:00:00Z");
    repair(&env);
    assert_eq!(
        env.turns(),
        [
            user("fix it"),
            assistant("Done."),
            user("go on"),
            assistant("Done.\n\nOK.\n\nDone.\n\nOK."),
            user("go"),
            assistant("OK.\n\nDone. More."),
            assistant("Done.\n\nOK.\n\nOK."),
        ]
    );
}

#[test]
fn a_missed_prompt_is_not_taken_for_the_next_equal_one() {
    let mut env = installed();
    let mut session = env.session();
    session.version = "2.1.59".into();
    session.clock = "2026-11-30T05:00:20.000Z".into();
    turn(&mut session, "", "continue", "First.");
    env.now("2026-11-30T05:02:21Z");
    says(&env, &session, "", "continue");
    // Another session starts before the second prompt's line is written.
    touch(&session.transcript, MIDNIGHT + 5 * HOUR + 25);
    start_hook(&env);
    session.clock = "2026-11-30T05:02:21.100Z".into();
    turn(&mut session, "", "continue", "Second.");
    env.now("2026-11-30T20:00:00Z");
    rest(&session);
    repair(&env);
    assert_eq!(
        env.turns(),
        [
            user("continue"),
            assistant("First."),
            user("continue"),
            assistant("Second.")
        ]
    );
}

#[test]
fn odd_files_in_the_places_of_memory_are_refused_and_stop_nothing() {
    for place in [
        "MEMORY.md",
        "memory",
        "memory/gotchas.md",
        "memory/learned",
        "memory/learned/observations.jsonl",
        ".git/info/exclude",
    ] {
        let env = at_work();
        let outside = env.base().join("outside");
        fs::create_dir(&outside).unwrap();
        let path = env.project().join(place);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        let _ = fs::remove_file(&path);
        let to = if place.contains('.') {
            outside.join("new")
        } else {
            outside.clone()
        };
        symlink(to, &path).unwrap();
        let session = env.session();
        says(&env, &session, "p", "x");
        let call = session.tool("p", "Bash", &bash("ls"), &json!({"stdout": "x"}));
        env.hook("tool-log", &call).silent();
        stops(&env, &session, "p", "y");
        assert_eq!(env.turns(), [user("x"), assistant("y")], "{place}");
        assert_eq!(env.calls().len(), 1, "{place}");
        assert_eq!(Tree::of(&outside), Tree::default(), "{place}");
        assert!(!env.errors().is_empty(), "{place}");
    }
}
