//! Notes and the error log.
#![allow(clippy::disallowed_methods, reason = "tests make files and wait")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests, their helpers included"
)]

use chrono::{DateTime, Local, TimeDelta, Utc};
use mnemo_home::{Env, errors_since, log_error, notes};
use std::path::{Path, PathBuf};

struct State {
    folder: tempfile::TempDir,
}

impl State {
    fn new() -> Self {
        Self {
            folder: tempfile::tempdir().unwrap(),
        }
    }
    fn env(&self) -> Env {
        self.env_at("2026-11-30T14:03:22+09:00")
    }
    fn env_at(&self, now: &str) -> Env {
        Env::from_pairs([
            (
                "XDG_STATE_HOME",
                self.folder.path().join("a/state").to_str().unwrap(),
            ),
            ("MNEMO_NOW", now),
        ])
    }
    fn path(&self, below: &str) -> PathBuf {
        self.folder.path().join("a/state/mnemo").join(below)
    }
}

fn at(text: &str) -> DateTime<Utc> {
    DateTime::parse_from_rfc3339(text).unwrap().to_utc()
}

#[cfg(unix)]
fn mode(path: &Path) -> u32 {
    use std::os::unix::fs::PermissionsExt;
    std::fs::metadata(path).unwrap().permissions().mode() & 0o7777
}
#[cfg(not(unix))]
fn mode(path: &Path) -> u32 {
    if path.is_dir() { 0o700 } else { 0o600 }
}

fn ever() -> DateTime<Local> {
    at("1970-01-01T00:00:00Z").into()
}

#[test]
fn an_error_is_one_private_line() {
    let state = State::new();
    log_error(&state.env(), "prompt-save", "cannot\nwrite \u{1b}[0mx");
    let text = std::fs::read_to_string(state.path("errors.log")).unwrap();
    let (time, rest) = text.strip_prefix('[').unwrap().split_once("] ").unwrap();
    assert_eq!(at(time), at("2026-11-30T14:03:22+09:00"));
    assert_eq!(
        rest,
        format!(
            "[prompt-save {}] cannot write [0mx\n",
            env!("CARGO_PKG_VERSION")
        )
    );
    assert_eq!(mode(&state.path("errors.log")), 0o600);
    assert_eq!(mode(&state.path("")), 0o700);
    assert_eq!(mode(&state.folder.path().join("a")), 0o700);
}

#[test]
fn messages_are_cut_at_500_characters() {
    let state = State::new();
    log_error(&state.env(), "p", &"한".repeat(10_000));
    let errors = errors_since(&state.env(), ever());
    assert_eq!(errors[0].2, "한".repeat(500));
}

#[test]
fn the_log_is_rotated_at_a_megabyte_and_read_across_it() {
    let state = State::new();
    log_error(&state.env_at("2026-11-30T01:00:00Z"), "one", "first");
    let line = std::fs::read_to_string(state.path("errors.log")).unwrap();
    let filler = line.repeat(1_000_000 / line.len() + 1);
    std::fs::write(state.path("errors.log"), &filler).unwrap();
    log_error(&state.env_at("2026-11-30T02:00:00Z"), "two", "second");
    assert_eq!(
        std::fs::read_to_string(state.path("errors.log.1")).unwrap(),
        filler
    );
    assert!(std::fs::metadata(state.path("errors.log")).unwrap().len() < 200);
    assert_eq!(mode(&state.path("errors.log")), 0o600);

    let env = state.env();
    assert!(errors_since(&env, ever()).len() > 1000);
    let late = errors_since(&env, at("2026-11-30T01:30:00Z").into());
    assert_eq!(
        late,
        [(
            at("2026-11-30T02:00:00Z").into(),
            "two".to_owned(),
            "second".to_owned()
        )]
    );
    assert!(errors_since(&env, at("2026-11-30T02:00:01Z").into()).is_empty());
}

#[test]
fn many_loggers_lose_no_line_at_the_rotation() {
    let state = State::new();
    std::fs::create_dir_all(state.path("")).unwrap();
    std::fs::write(state.path("errors.log"), vec![b'\n'; 999_990]).unwrap();
    std::thread::scope(|scope| {
        for thread in 0..8 {
            let env = state.env();
            scope.spawn(move || {
                for number in 0..50 {
                    log_error(&env, "p", &format!("{thread}-{number}"));
                }
            });
        }
    });
    let mut messages: Vec<_> = errors_since(&state.env(), ever())
        .into_iter()
        .map(|e| e.2)
        .collect();
    messages.sort_unstable();
    messages.dedup();
    assert_eq!(messages.len(), 400);
}

#[test]
fn without_a_place_or_with_a_bad_one_nothing_happens() {
    log_error(&Env::default(), "p", "m");
    assert!(errors_since(&Env::default(), ever()).is_empty());
    let state = State::new();
    std::fs::write(
        state.folder.path().join("a"),
        "a file where a folder should be",
    )
    .unwrap();
    log_error(&state.env(), "p", "m");
    assert!(errors_since(&state.env(), ever()).is_empty());
    assert_eq!(notes::off_until(&state.env(), "s"), None);
    assert!(notes::mark_off(&state.env(), "s", at("2026-11-30T01:00:00Z")).is_err());
}

#[cfg(unix)]
#[test]
fn a_fifo_as_error_log_does_not_block() {
    let state = State::new();
    std::fs::create_dir_all(state.path("")).unwrap();
    let log = state.path("errors.log");
    assert!(
        std::process::Command::new("mkfifo")
            .arg(&log)
            .status()
            .unwrap()
            .success()
    );
    log_error(&state.env(), "p", "m");
    assert!(errors_since(&state.env(), ever()).is_empty());
}

#[test]
fn a_session_stays_off_until_the_latest_time() {
    let state = State::new();
    let env = state.env();
    let (early, late) = (at("2026-11-30T01:00:00Z"), at("2026-11-30T02:00:00.5Z"));
    assert_eq!(notes::off_until(&env, "s"), None);
    notes::mark_off(&env, "s", early).unwrap();
    assert_eq!(notes::off_until(&env, "s"), Some(early));
    notes::mark_off(&env, "s", late).unwrap();
    notes::mark_off(&env, "s", early).unwrap();
    assert_eq!(notes::off_until(&env, "s"), Some(late));
    assert_eq!(notes::off_until(&env, "t"), None);
    assert_eq!(mode(&state.path("off/s")), 0o600);
    assert_eq!(mode(&state.path("off")), 0o700);
}

#[test]
fn session_ids_cannot_leave_the_folder() {
    let state = State::new();
    let env = state.env();
    let time = at("2026-11-30T01:00:00Z");
    for session in [
        "../../x",
        "/etc/x",
        "",
        ".",
        "..",
        "a\0b",
        &"x".repeat(5000),
    ] {
        notes::mark_off(&env, session, time).unwrap();
        assert_eq!(notes::off_until(&env, session), Some(time), "{session:.20}");
    }
    assert_eq!(std::fs::read_dir(state.path("")).unwrap().count(), 1);
    assert!(std::fs::read_dir(state.path("off")).unwrap().count() >= 4);
}

#[test]
fn a_damaged_off_note_still_counts() {
    let state = State::new();
    let env = state.env();
    notes::mark_off(&env, "s", at("2026-11-30T01:00:00Z")).unwrap();
    std::fs::write(state.path("off/s"), [0, 255, 0]).unwrap();
    let until = notes::off_until(&env, "s").unwrap();
    assert!(Utc::now() - until < TimeDelta::hours(1));
}

#[test]
fn the_first_installation_counts() {
    let state = State::new();
    let env = state.env();
    let (early, late) = (at("2026-11-30T01:00:00Z"), at("2026-12-30T02:00:00Z"));
    assert_eq!(notes::installed_at(&env), None);
    notes::mark_installed(&env, early).unwrap();
    notes::mark_installed(&env, late).unwrap();
    assert_eq!(notes::installed_at(&env), Some(early));
    std::fs::write(state.path("installed"), "x").unwrap();
    assert_eq!(notes::installed_at(&env), None);
    notes::mark_installed(&env, late).unwrap();
    assert_eq!(notes::installed_at(&env), Some(late));
}

#[test]
fn wiring_is_noted_per_program() {
    let state = State::new();
    let env = state.env();
    assert!(!notes::wired(&env, "prompt-save"));
    notes::set_wired(&env, &["prompt-save", "tool-log"], true).unwrap();
    notes::set_wired(&env, &["prompt-save"], true).unwrap();
    assert!(notes::wired(&env, "prompt-save") && notes::wired(&env, "tool-log"));
    assert!(!notes::wired(&env, "stop-trigger") && !notes::wired(&env, ""));
    notes::set_wired(&env, &["prompt-save", "stop-trigger"], false).unwrap();
    assert!(!notes::wired(&env, "prompt-save") && notes::wired(&env, "tool-log"));
    notes::set_wired(&Env::default(), &["x"], true).unwrap();
}
