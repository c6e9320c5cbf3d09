//! The run loop, from outside: exit code 0, nothing printed, everything read, whatever happens.
#![allow(clippy::disallowed_methods, reason = "tests make files and wait")]
#![allow(clippy::unwrap_used, reason = "what fails here fails the test")]

use std::fs::File;
use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

const PROMPT: &[u8] =
    br#"{"session_id":"abc-1","hook_event_name":"UserPromptSubmit","prompt":"hello"}"#;

/// The example executable lies beside the tests' folder: cargo builds examples with the tests.
fn door() -> PathBuf {
    let mut path = std::env::current_exe().unwrap();
    path.pop();
    path.pop();
    path.push("examples");
    path.push(format!("door{}", std::env::consts::EXE_SUFFIX));
    path
}

struct Setup {
    home: tempfile::TempDir,
}

impl Setup {
    fn new() -> Self {
        Self {
            home: tempfile::tempdir().unwrap(),
        }
    }

    fn state(&self) -> PathBuf {
        self.home.path().join("state/mnemo")
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(door());
        command
            .args(args)
            .env_clear()
            .env("HOME", self.home.path())
            .env("XDG_STATE_HOME", self.home.path().join("state"))
            .current_dir(self.home.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        command
    }

    fn log(&self) -> Vec<String> {
        std::fs::read_to_string(self.state().join("errors.log"))
            .unwrap_or_default()
            .lines()
            .map(str::to_owned)
            .collect()
    }
}

/// Runs and asserts what holds for each run: exit 0, nothing on stderr, all input taken.
fn feed(command: &mut Command, stdin: &[u8]) -> Output {
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(stdin).unwrap();
    end(child)
}

fn end(child: Child) -> Output {
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    output
}

fn everything_below(folder: &Path) -> String {
    let mut text = String::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        text.push_str(path.to_str().unwrap());
        if path.is_dir() {
            text.push_str(&everything_below(&path));
        } else {
            File::open(&path)
                .unwrap()
                .read_to_string(&mut text)
                .unwrap();
        }
    }
    text
}

#[test]
fn version_and_help_by_hand() {
    let setup = Setup::new();
    for argument in ["--version", "-V"] {
        let output = feed(&mut setup.command(&[argument]), b"");
        assert_eq!(output.stdout, b"door 9.8.7\n");
    }
    for argument in ["--help", "-h"] {
        let output = feed(&mut setup.command(&["x", argument]), b"");
        assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 3);
    }
    assert_eq!(everything_below(setup.home.path()), "");
}

#[test]
fn other_arguments_print_nothing() {
    let setup = Setup::new();
    for args in [&[][..], &["--verbose"], &["help", "--versions", ""]] {
        assert_eq!(feed(&mut setup.command(args), PROMPT).stdout, b"");
    }
    assert_eq!(everything_below(setup.home.path()), "");
}

#[test]
fn context_is_one_line_of_the_clients_json() {
    let setup = Setup::new();
    let output = feed(&mut setup.command(&["context"]), PROMPT);
    assert_eq!(
        String::from_utf8(output.stdout).unwrap(),
        "{\"hookSpecificOutput\":{\"hookEventName\":\"Stop\",\
         \"additionalContext\":\"think of\\n\\\"this\\\"\"}}\n"
    );
}

#[test]
fn a_reader_that_is_gone_is_no_fault() {
    let setup = Setup::new();
    for argument in ["context", "long"] {
        let mut child = setup.command(&[argument]).spawn().unwrap();
        drop(child.stdout.take());
        child.stdin.take().unwrap().write_all(PROMPT).unwrap();
        end(child);
    }
    assert_eq!(setup.log(), [""; 0]);
}

#[test]
fn a_panic_ends_with_0_one_log_line_and_none_of_the_users_words() {
    let setup = Setup::new();
    let output = feed(&mut setup.command(&["panic"]), PROMPT);
    assert_eq!(output.stdout, b"");
    let log = setup.log();
    assert_eq!(log.len(), 1, "{log:?}");
    assert!(
        log[0].contains("panicked at ") && log[0].contains("door.rs:"),
        "{log:?}"
    );
    assert!(
        !log[0].contains("hello") && !log[0].contains("words"),
        "{log:?}"
    );
}

#[test]
fn complaints_are_lines_of_the_error_log() {
    let setup = Setup::new();
    feed(&mut setup.command(&["log"]), PROMPT);
    let log = setup.log();
    assert_eq!(log.len(), 2, "{log:?}");
    assert!(
        log[0].contains("[door ") && log[0].ends_with("] first"),
        "{log:?}"
    );
    assert!(log[1].ends_with("] second"), "{log:?}");
}

#[test]
fn damaged_json_is_one_log_line_and_an_empty_input_none() {
    let setup = Setup::new();
    for stdin in [&b""[..], b"\n", b"\xEF\xBB\xBF"] {
        assert_eq!(feed(&mut setup.command(&["panic"]), stdin).stdout, b"");
    }
    assert_eq!(setup.log(), [""; 0]);
    let damaged = [&b"{\"prompt\":\"hello"[..], b"[]", b"null", b"hello"];
    for (count, stdin) in damaged.into_iter().enumerate() {
        feed(&mut setup.command(&["panic"]), stdin);
        let log = setup.log();
        assert_eq!(log.len(), count + 1, "{log:?}");
        assert!(!log[count].contains("hello"), "{log:?}");
    }
}

#[test]
fn without_a_home_there_is_no_log_and_no_noise() {
    let setup = Setup::new();
    let mut command = setup.command(&["panic"]);
    command.env_clear();
    feed(&mut command, PROMPT);
    assert_eq!(everything_below(setup.home.path()), "");
}

#[test]
fn off_means_off_but_the_session_is_noted() {
    let setup = Setup::new();
    let output = feed(setup.command(&["panic"]).env("MNEMO_DISABLE", "1"), PROMPT);
    assert_eq!(output.stdout, b"");
    let found = everything_below(setup.home.path());
    assert!(
        found.contains("abc-1") && !found.contains("hello"),
        "{found}"
    );
    assert_eq!(setup.log(), [""; 0]);
    // Of a damaged payload the session is still told, and so it is by the environment.
    feed(
        setup.command(&["panic"]).env("MNEMO_DISABLE", "yes"),
        b"{\"session_id\":\"abc-2\",\"prompt\":\"hel",
    );
    feed(
        setup
            .command(&["panic"])
            .env("MNEMO_DISABLE", "1")
            .env("CLAUDE_CODE_SESSION_ID", "abc-3"),
        b"",
    );
    let found = everything_below(setup.home.path());
    assert!(
        found.contains("abc-2") && found.contains("abc-3"),
        "{found}"
    );
    assert_eq!(setup.log(), [""; 0]);
    // 0 is on.
    feed(setup.command(&["log"]).env("MNEMO_DISABLE", "0"), PROMPT);
    assert_eq!(setup.log().len(), 2);
}

#[test]
fn a_plugins_copy_does_nothing_where_the_settings_wire_the_hook() {
    let setup = Setup::new();
    let plugin = |argument| {
        let mut command = setup.command(&[argument]);
        command.env("CLAUDE_PLUGIN_ROOT", "/plugin");
        command
    };
    assert_ne!(feed(&mut plugin("context"), PROMPT).stdout, b"");
    std::fs::create_dir_all(setup.state().join("wired")).unwrap();
    std::fs::write(setup.state().join("wired/door"), "").unwrap();
    assert_eq!(feed(&mut plugin("context"), PROMPT).stdout, b"");
    assert_ne!(feed(&mut setup.command(&["context"]), PROMPT).stdout, b"");
}

#[test]
fn megabytes_are_taken_whole() {
    let setup = Setup::new();
    let length = 20_000_000;
    let mut payload = br#"{"hook_event_name":"UserPromptSubmit","prompt":""#.to_vec();
    payload.extend(std::iter::repeat_n(b'x', length));
    payload.extend(b"\"}");
    feed(&mut setup.command(&["measure"]), &payload);
    let log = setup.log();
    assert!(
        log[0].ends_with(&format!("prompt of {length} bytes")),
        "{log:?}"
    );
    // Off, or a duplicate: still everything is read, or the client's write would fail.
    feed(setup.command(&[]).env("MNEMO_DISABLE", "1"), &payload);
}

#[test]
fn an_input_that_never_closes_is_handled_when_it_falls_silent() {
    let setup = Setup::new();
    for (argument, stdin, lines) in [("measure", PROMPT, 1), ("panic", &b""[..], 1)] {
        let mut child = setup.command(&[argument]).spawn().unwrap();
        let mut pipe = child.stdin.take().unwrap();
        pipe.write_all(stdin).unwrap();
        let output = end(child);
        drop(pipe);
        assert_eq!(output.stdout, b"");
        assert_eq!(setup.log().len(), lines, "{argument}");
    }
}

#[test]
fn an_input_that_comes_in_pieces_is_waited_for() {
    let setup = Setup::new();
    let mut child = setup.command(&["measure"]).spawn().unwrap();
    let mut pipe = child.stdin.take().unwrap();
    let start = Instant::now();
    for piece in PROMPT.chunks(PROMPT.len() / 6) {
        pipe.write_all(piece).unwrap();
        std::thread::sleep(Duration::from_millis(200));
    }
    assert!(start.elapsed() > Duration::from_secs(1));
    drop(pipe);
    end(child);
    assert!(setup.log()[0].ends_with("prompt of 5 bytes"));
}

#[cfg(unix)]
#[test]
fn inputs_that_are_no_pipes() {
    let setup = Setup::new();
    let file = setup.home.path().join("payload.json");
    std::fs::write(&file, PROMPT).unwrap();
    let runs = |stdin: Stdio| {
        let before = setup.log().len();
        let child = setup.command(&["measure"]).stdin(stdin).spawn().unwrap();
        end(child);
        setup.log().len() - before
    };
    assert_eq!(runs(File::open(&file).unwrap().into()), 1);
    assert_eq!(runs(Stdio::null()), 0);
    assert_eq!(runs(File::open(setup.home.path()).unwrap().into()), 0);
    // Not open for reading.
    assert_eq!(
        runs(File::create(setup.home.path().join("out")).unwrap().into()),
        0
    );
    // Closed by the shell that starts it.
    let closed = Command::new("sh")
        .args(["-c", "exec \"$0\" panic <&-"])
        .arg(door())
        .env_clear()
        .stdin(Stdio::null())
        .output()
        .unwrap();
    assert_eq!(closed.status.code(), Some(0));
    assert!(
        closed.stdout.is_empty() && closed.stderr.is_empty(),
        "{closed:?}"
    );
}
