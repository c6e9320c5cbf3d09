//! What the rooms share: environments at a fixed hour, turns said, repairs, files read back.

use mnemo_tests::{Done, Session, TestEnv, Turn};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

pub(crate) const HOOKS: [&str; 5] = [
    "prompt-save",
    "tool-log",
    "response-save",
    "session-reconcile",
    "stop-trigger",
];

/// 2026-11-30T00:00:00Z
pub(crate) const MIDNIGHT: u64 = 1_795_996_800;
pub(crate) const HOUR: u64 = 3600;

/// A repository, the clock at 14:03:22 UTC of 2026-11-30.
pub(crate) fn at_work() -> TestEnv {
    let mut env = TestEnv::new();
    env.now("2026-11-30T14:03:22Z");
    env
}

/// As [`at_work`], hooks wired the day before.
pub(crate) fn installed() -> TestEnv {
    let mut env = TestEnv::new();
    env.now("2026-11-28T00:00:00Z");
    env.mnemo(&["install"]).ok();
    env.now("2026-11-30T14:03:22Z");
    env
}

/// Gives a file this time of change, in seconds since 1970.
pub(crate) fn touch(path: &Path, seconds: u64) {
    let file = fs::File::options().append(true).open(path).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
        .unwrap();
}

/// A transcript nobody has touched since six in the morning.
pub(crate) fn rest(session: &Session) {
    touch(&session.transcript, MIDNIGHT + 6 * HOUR);
}

pub(crate) fn day_file(env: &TestEnv) -> Vec<u8> {
    env.tree()
        .file("conversations/2026-11-30-claude.md")
        .to_vec()
}

pub(crate) fn day_text(env: &TestEnv) -> String {
    String::from_utf8(day_file(env)).unwrap()
}

#[track_caller]
pub(crate) fn contains(text: &str, part: &str) {
    assert!(text.contains(part), "{part:?} is not in {text}");
}

pub(crate) fn observations(env: &TestEnv, kind: &str) -> Vec<Value> {
    let path = env
        .project()
        .join(format!("memory/{kind}/observations.jsonl"));
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

pub(crate) fn says(env: &TestEnv, session: &Session, turn: &str, text: &str) {
    env.hook("prompt-save", &session.prompt(turn, text))
        .silent();
}

pub(crate) fn stops(env: &TestEnv, session: &Session, turn: &str, text: &str) {
    env.hook("response-save", &session.stop(turn, text))
        .silent();
}

pub(crate) fn repair(env: &TestEnv) -> Done {
    env.mnemo(&["reconcile", "--all", "--finished"]).ok()
}

/// The hook at the start of another session.
pub(crate) fn start_hook(env: &TestEnv) -> Done {
    let other = Session::new(env, "99990000-0000-4000-8000-000000000009");
    env.hook("session-reconcile", &other.start("startup"))
        .silent()
}

pub(crate) fn other(env: &TestEnv, n: u32) -> Session {
    Session::new(env, &format!("{n:08x}-0000-4000-8000-00000000000{n}"))
}

/// Lines of a record as the client writes them, moved to this environment's folders.
pub(crate) fn fixture(env: &TestEnv, name: &str) -> (String, PathBuf) {
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
pub(crate) fn repaired(name: &str) -> Vec<Turn> {
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

/// A turn of one text in a record that is not mirrored yet.
pub(crate) fn turn(session: &mut Session, id: &str, prompt: &str, reply: &str) {
    session.says(id, prompt);
    session.answers(reply, Some("end_turn"));
}

pub(crate) fn bash(command: &str) -> Value {
    json!({ "command": command })
}

pub(crate) fn state_file(env: &TestEnv) -> PathBuf {
    let slug = mnemo_tests::session::slug(env.project());
    env.claude()
        .join("projects")
        .join(slug)
        .join("memory/.consolidate-state")
}

pub(crate) fn state(env: &TestEnv) -> Value {
    serde_json::from_slice(&fs::read(state_file(env)).unwrap()).unwrap()
}

/// A number anywhere in a report.
pub(crate) fn find(value: &Value, key: &str) -> Option<u64> {
    match value {
        Value::Object(map) => map
            .get(key)
            .and_then(Value::as_u64)
            .or_else(|| map.values().find_map(|v| find(v, key))),
        Value::Array(list) => list.iter().find_map(|v| find(v, key)),
        _ => None,
    }
}
