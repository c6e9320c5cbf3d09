//! What the machine does to a session: full and read-only disks, lost rights, stopped processes,
//! clocks that jump, and transcripts that no parser likes. Each time the session is unharmed,
//! nothing is damaged, and the next healthy run catches up.
//!
//! `MNEMO_FAULTS=long` reads a transcript of 1 GB instead of 200 MB. Tests that have to mount or to
//! become another user say that they are left out where they may not.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    reason = "tests"
)]

use mnemo_tests::env::Cmd;
use mnemo_tests::tree::Tree;
use mnemo_tests::{Done, Session, TestEnv, Turn, assistant, user};
use serde_json::{Value, json};
use std::fs;
use std::io::{BufWriter, Write as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

/// Half a minute after the sessions' lines.
const NOW: &str = "2026-11-30T05:03:50Z";
/// 2026-11-30T05:03:22Z, the sessions' clock.
const SAID: u64 = 1_796_015_002;

fn at_work() -> TestEnv {
    let mut env = TestEnv::new();
    env.now(NOW);
    env
}

fn is_root() -> bool {
    fs::metadata("/proc/self").is_ok_and(|meta| meta.uid() == 0)
}

/// A file system in memory over a folder, taken away at the end. `None`, with a word, where this
/// machine does not allow that.
struct Mount(PathBuf);

impl Mount {
    fn tmpfs(at: &Path, size: &str) -> Option<Self> {
        fs::create_dir_all(at).unwrap();
        let size = format!("size={size},mode=700");
        let args = ["-t", "tmpfs", "-o", &size, "tmpfs"];
        if is_root()
            && Command::new("mount")
                .args(args)
                .arg(at)
                .status()
                .is_ok_and(|s| s.success())
        {
            Some(Self(at.to_owned()))
        } else {
            eprintln!("left out: mounting needs root");
            None
        }
    }

    fn read_only(&self, on: bool) {
        let how = if on { "remount,ro" } else { "remount,rw" };
        let done = Command::new("mount")
            .args(["-o", how])
            .arg(&self.0)
            .status();
        assert!(done.unwrap().success(), "{how}");
    }
}

impl Drop for Mount {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg("-l").arg(&self.0).status();
    }
}

/// The five hooks as at one turn of `session`, whose lines come as the client writes them.
fn turn(env: &TestEnv, session: &mut Session, id: &str, prompt: &str, reply: &str) {
    for done in turn_with(session, id, prompt, reply, |name, payload| {
        env.hook(name, payload)
    }) {
        done.silent();
    }
}

fn turn_with(
    session: &mut Session,
    id: &str,
    prompt: &str,
    reply: &str,
    run: impl Fn(&str, &Value) -> Done,
) -> Vec<Done> {
    let mut done = vec![run("prompt-save", &session.prompt(id, prompt))];
    session.says(id, prompt);
    let input = json!({ "command": "make" });
    let (_, call) = session.calls("Bash", &input);
    done.push(run(
        "tool-log",
        &session.tool(id, "Bash", &input, &json!({ "stdout": "x" })),
    ));
    session.result(id, &call, "x", false);
    session.answers(reply, Some("end_turn"));
    let stop = session.stop(id, reply);
    done.push(run("response-save", &stop));
    done.push(run("stop-trigger", &stop));
    session.stopped();
    done.push(run("session-reconcile", &session.pre_compact(id)));
    touch(&session.transcript, SAID);
    done
}

/// What the next healthy start of a session does, with a look at whether it comes to an end.
fn catch_up(env: &TestEnv) {
    let other = Session::new(env, "99990000-0000-4000-8000-000000000009");
    for _ in 0..3 {
        env.hook("session-reconcile", &other.start("startup"))
            .silent();
    }
    let before = day_files(env);
    env.mnemo(&["reconcile", "--all", "--finished"]).ok();
    assert_eq!(day_files(env), before, "a second repair changes nothing");
}

fn day_files(env: &TestEnv) -> Vec<(String, Vec<u8>)> {
    let tree = Tree::of(&env.project().join("conversations"));
    let names = tree
        .names()
        .into_iter()
        .filter(|name| name.ends_with("-claude.md"));
    names
        .map(|name| (name.to_owned(), tree.file(name).to_vec()))
        .collect()
}

fn touch(path: &Path, seconds: u64) {
    let file = fs::File::options().append(true).open(path).unwrap();
    file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds))
        .unwrap();
}

fn talk(turns: &[(&str, &str)]) -> Vec<Turn> {
    turns
        .iter()
        .flat_map(|(prompt, reply)| [user(*prompt), assistant(*reply)])
        .collect()
}

/// Through a shell, which sets something up first.
fn through_shell(env: &TestEnv, setup: &str, hook: &str, payload: &Value) -> Cmd {
    env.program("/bin/sh")
        .args(&["-c", &format!("{setup}; exec \"$0\"")])
        .arg(mnemo_tests::bin(hook))
        .env("CLAUDE_PROJECT_DIR", env.project())
        .stdin(payload.to_string())
}

// ---------------------------------------------------------------- disks

#[test]
fn a_full_disk_harms_no_session_and_the_next_start_catches_up() {
    let env = at_work();
    let Some(_mount) = Mount::tmpfs(&env.project().join("conversations"), "64k") else {
        return;
    };
    let mut session = env.session();
    turn(&env, &mut session, "t1", "before", "There is room.");
    let ballast = env.project().join("conversations/ballast");
    let mut file = fs::File::create(&ballast).unwrap();
    while file.write_all(&[b'x'; 512]).is_ok() {}
    drop(file);
    let before = day_files(&env);
    let long = "full ".repeat(4000);
    turn(&env, &mut session, "t2", &long, "None of this fits.");
    let errors = env.errors();
    assert!(
        errors.iter().any(|line| line.contains("conversations")),
        "{errors:?}"
    );
    assert!(
        errors
            .iter()
            .all(|line| !line.contains("full full") && !line.contains("fits"))
    );
    // What was there is there; of what did not fit at most a torn tail, which readers get over.
    let (name, bytes) = &day_files(&env)[0];
    assert!(bytes.starts_with(&before[0].1), "{name} lost what it held");
    fs::remove_file(ballast).unwrap();
    catch_up(&env);
    assert_eq!(
        env.turns(),
        talk(&[("before", "There is room."), (&long, "None of this fits.")])
    );
}

#[test]
fn a_disk_full_of_the_state_and_the_memory_changes_nothing_in_the_record() {
    let env = at_work();
    let Some(_state) = Mount::tmpfs(&env.state(), "8k") else {
        return;
    };
    let memory = env
        .claude()
        .join("projects")
        .join(mnemo_tests::session::slug(env.project()));
    let Some(_memory) = Mount::tmpfs(&memory.join("memory"), "8k") else {
        return;
    };
    for folder in [env.state(), memory.join("memory")] {
        let mut file = fs::File::create(folder.join("ballast")).unwrap();
        while file.write_all(&[b'x'; 512]).is_ok() {}
    }
    turn(&env, &mut env.session(), "t1", "hello", "Hi.");
    assert_eq!(env.turns(), talk(&[("hello", "Hi.")]));
}

/// A quota lets a write through in part; `ulimit -f` does the same.
#[test]
fn a_write_that_is_cut_short_leaves_nothing_torn_behind() {
    for blocks in [1, 2, 4, 8] {
        let env = at_work();
        let mut session = env.session();
        turn(&env, &mut session, "t1", "before", "There is room.");
        let long = "cut ".repeat(3000);
        let setup = format!("ulimit -f {blocks}; trap '' XFSZ");
        let run = |name: &str, payload: &Value| through_shell(&env, &setup, name, payload).run();
        for done in turn_with(&mut session, "t2", &long, "Short.", run) {
            done.silent();
        }
        // The next writer's entry is never glued to what was cut.
        turn(&env, &mut session, "t3", "after", "Healed.");
        let text =
            fs::read_to_string(env.project().join("conversations/2026-11-30-claude.md")).unwrap();
        assert!(
            text.contains("\n\n## [05:03:50] User\n<!-- mnemo s=1f0c2d3e id=t3 -->\n\nafter\n")
        );
        catch_up(&env);
        let want = talk(&[
            ("before", "There is room."),
            (&long, "Short."),
            ("after", "Healed."),
        ]);
        assert_eq!(env.turns(), want, "{blocks} blocks");
    }
}

/// Where the signal of the same limit is not ignored it kills: as bad as any other kill.
#[test]
fn a_hook_killed_in_the_middle_of_a_write_loses_nothing() {
    let env = at_work();
    let mut session = env.session();
    turn(&env, &mut session, "t1", "before", "There is room.");
    let long = "cut ".repeat(3000);
    let run = |name: &str, payload: &Value| through_shell(&env, "ulimit -f 4", name, payload).run();
    turn_with(&mut session, "t2", &long, "Short.", run);
    turn(&env, &mut session, "t3", "after", "Healed.");
    catch_up(&env);
    let want = talk(&[
        ("before", "There is room."),
        (&long, "Short."),
        ("after", "Healed."),
    ]);
    assert_eq!(env.turns(), want);
}

/// At the size that `ulimit -f` allows the system kills whoever writes on: nobody does.
#[test]
fn at_the_size_limit_of_a_file_every_program_says_so_and_lives() {
    let env = at_work();
    let mut session = env.session();
    turn(
        &env,
        &mut session,
        "t1",
        &"long ".repeat(4000),
        "Above the limit.",
    );
    let before = day_files(&env);
    let limit = "ulimit -f 8";
    let run = |name: &str, payload: &Value| through_shell(&env, limit, name, payload).run();
    for done in turn_with(&mut session, "t2", "while", "Refused.", run) {
        done.silent();
    }
    assert_eq!(day_files(&env), before);
    let errors = env.errors();
    assert!(
        errors.iter().any(|line| line.contains("ulimit -f")),
        "{errors:?}"
    );
    let page = env.project().join("page.md");
    let export = |setup: &str| {
        env.program("/bin/sh")
            .args(&["-c", &format!("{setup}; exec \"$0\" export -o page.md")])
            .arg(mnemo_tests::bin("mnemo"))
            .run()
    };
    let done = export(limit).code(3);
    assert!(done.err().contains("ulimit -f"), "{done:?}");
    assert!(!page.exists());
    export(":").ok();
    assert!(page.exists());
    // A result that goes into a file.
    for command in ["export", "search long"] {
        let line = format!("{limit}; exec \"$0\" {command} > page.txt");
        let done = env.program("/bin/sh").args(&["-c", &line]);
        let done = done.arg(mnemo_tests::bin("mnemo")).run();
        let code = done.status.code();
        if command == "export" {
            assert!(matches!(code, Some(3 | 5)), "{command}: {done:?}");
            assert!(done.err().contains("ulimit -f"), "{command}: {done:?}");
        } else {
            assert!(code.is_some(), "{command}: {done:?}");
        }
    }
    catch_up(&env);
    let long = "long ".repeat(4000);
    let want = talk(&[(&long, "Above the limit."), ("while", "Refused.")]);
    assert_eq!(env.turns(), want);
}

/// What a killed process prepared and never swapped in goes with the next command, wherever it lies;
/// what could be a living process's stays.
#[test]
fn temporary_files_of_killed_processes_go_everywhere() {
    let mut env = at_work();
    env.mnemo(&["install"]).ok();
    env.mnemo(&["init"]).ok();
    let mut session = env.session();
    turn(&env, &mut session, "t1", "hello", "Hi.");
    // Settings kept elsewhere, as people do with dotfiles.
    let dotfiles = env.home().join("dotfiles");
    fs::create_dir_all(&dotfiles).unwrap();
    let settings = env.claude().join("settings.json");
    fs::rename(&settings, dotfiles.join("settings.json")).unwrap();
    std::os::unix::fs::symlink(dotfiles.join("settings.json"), &settings).unwrap();
    let undo = env.state().join("undo/20261130-050322-check");
    fs::create_dir_all(&undo).unwrap();
    fs::create_dir_all(env.state().join("backups")).unwrap();
    fs::create_dir_all(env.project().join("docs/handoffs")).unwrap();
    let memory = env
        .claude()
        .join("projects")
        .join(mnemo_tests::session::slug(env.project()))
        .join("memory");
    fs::create_dir_all(&memory).unwrap();
    let mut ours = Vec::new();
    let mut others = Vec::new();
    for folder in [
        env.state(),
        env.state().join("undo"),
        undo,
        env.state().join("backups"),
        env.claude(),
        env.claude().join("skills"),
        dotfiles,
        memory,
        env.project().to_owned(),
        env.project().join("conversations"),
        env.project().join("memory"),
        env.project().join("docs/handoffs"),
    ] {
        for (name, minutes, goes) in [
            (".4294967290-0.mnemo-tmp".to_owned(), 11, true),
            (".4294967290-1.mnemo-tmp".to_owned(), 1, false),
            (format!(".{}-0.mnemo-tmp", std::process::id()), 11, false),
            ("notes.mnemo-tmp".to_owned(), 11, false),
        ] {
            let path = folder.join(name);
            let file = fs::File::create(&path).unwrap();
            let age = Duration::from_secs(minutes * 60);
            file.set_modified(SystemTime::now() - age).unwrap();
            if goes { &mut ours } else { &mut others }.push(path);
        }
    }
    // A hook does not spend its time on that.
    turn(&env, &mut session, "t2", "more", "Yes.");
    assert!(ours.iter().filter(|path| path.exists()).count() + 1 >= ours.len());
    env.mnemo(&["status"]).ok();
    let left: Vec<_> = ours.iter().filter(|path| path.exists()).collect();
    assert!(left.is_empty(), "{left:?}");
    let gone: Vec<_> = others.iter().filter(|path| !path.exists()).collect();
    assert!(gone.is_empty(), "{gone:?}");
    env.now(NOW);
}

/// Where only the command itself writes, it sweeps before it does.
#[test]
fn a_killed_export_leaves_nothing_beside_the_next_one() {
    let env = at_work();
    let mut session = env.session();
    turn(&env, &mut session, "t1", "hello", "Hi.");
    let elsewhere = env.base().join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let left = elsewhere.join(".4294967290-0.mnemo-tmp");
    let file = fs::File::create(&left).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(660))
        .unwrap();
    let out = elsewhere.join("x.md");
    env.mnemo(&["export", "-o", out.to_str().unwrap()]).ok();
    assert!(out.exists() && !left.exists());
}

/// Skills that do not fit are said to be missing (5), and the next run brings them in.
#[test]
fn a_disk_full_of_skills_is_finished_by_the_next_install() {
    let env = at_work();
    let skills = env.claude().join("skills");
    for first in [&["install"][..], &["install", "--no-skills"]] {
        let Some(mount) = Mount::tmpfs(&skills, "48k") else {
            return;
        };
        let ballast = skills.join("ballast");
        fs::write(&ballast, [b'x'; 16 * 1024]).unwrap();
        env.mnemo(first).code(if first.len() == 1 { 5 } else { 0 });
        // The hooks are wired now; skills that stay half in place are no less a change.
        let done = env.mnemo(&["install"]).code(5);
        assert!(done.err().contains("mnemo install"), "{done:?}");
        drop(mount);
        env.mnemo(&["install"]).ok();
        let again = env.mnemo(&["install", "--json"]).ok().json();
        for skill in again["skills"].as_array().unwrap() {
            assert_eq!(skill["fate"], "present");
        }
        env.mnemo(&["uninstall"]).ok();
    }
}

#[test]
fn a_read_only_file_system_harms_no_session() {
    let env = at_work();
    let Some(mount) = Mount::tmpfs(&env.project().join("conversations"), "1m") else {
        return;
    };
    let mut session = env.session();
    turn(&env, &mut session, "t1", "before", "Writable.");
    mount.read_only(true);
    let before = day_files(&env);
    turn(&env, &mut session, "t2", "while", "Read-only.");
    assert_eq!(day_files(&env), before);
    assert!(!env.errors().is_empty());
    mount.read_only(false);
    catch_up(&env);
    assert_eq!(
        env.turns(),
        talk(&[("before", "Writable."), ("while", "Read-only.")])
    );
}

#[test]
fn lost_rights_harm_no_session() {
    let env = at_work();
    let mut session = env.session();
    turn(&env, &mut session, "t1", "before", "Allowed.");
    let before = day_files(&env);
    let root = is_root();
    let conversations = env.project().join("conversations");
    let run = |name: &str, payload: &Value| {
        let cmd = if root {
            // Root writes everywhere, so somebody else runs it.
            env.program("setpriv")
                .args(&["--reuid=65534", "--regid=65534", "--clear-groups"])
                .arg(mnemo_tests::bin(name))
        } else {
            env.cmd(name)
        };
        cmd.env("CLAUDE_PROJECT_DIR", env.project())
            .stdin(payload.to_string())
            .run()
    };
    if root {
        // Readable, so that only writing is refused.
        for path in [env.base().to_owned(), env.project().to_owned(), env.home()] {
            fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
        }
        if !can_run_as_another(&env) {
            eprintln!("left out: another user cannot run the executables");
            return;
        }
    }
    for mode in [0o500, 0o000] {
        fs::set_permissions(&conversations, fs::Permissions::from_mode(mode)).unwrap();
        for done in turn_with(&mut session, &format!("t{mode}"), "while", "Refused.", run) {
            done.silent();
        }
    }
    fs::set_permissions(&conversations, fs::Permissions::from_mode(0o700)).unwrap();
    assert_eq!(day_files(&env), before);
    catch_up(&env);
    let want = talk(&[
        ("before", "Allowed."),
        ("while", "Refused."),
        ("while", "Refused."),
    ]);
    assert_eq!(env.turns(), want);
}

fn can_run_as_another(env: &TestEnv) -> bool {
    let done = Command::new("setpriv")
        .args(["--reuid=65534", "--regid=65534", "--clear-groups"])
        .arg(mnemo_tests::bin("prompt-save"))
        .arg("--version")
        .current_dir(env.project())
        .output();
    done.is_ok_and(|done| done.status.success())
}

#[test]
fn a_record_or_day_file_that_may_not_be_written_is_left_as_it_is() {
    let env = at_work();
    if is_root() {
        eprintln!("left out: root may write everything");
        return;
    }
    let mut session = env.session();
    turn(&env, &mut session, "t1", "before", "Allowed.");
    let day = env.project().join("conversations/2026-11-30-claude.md");
    fs::set_permissions(&day, fs::Permissions::from_mode(0o400)).unwrap();
    turn(&env, &mut session, "t2", "while", "Refused.");
    fs::set_permissions(&day, fs::Permissions::from_mode(0o600)).unwrap();
    catch_up(&env);
    assert_eq!(
        env.turns(),
        talk(&[("before", "Allowed."), ("while", "Refused.")])
    );
}

// ---------------------------------------------------------------- home

#[test]
fn without_a_home_the_record_is_written_and_nothing_else() {
    let env = at_work();
    let mut session = env.session();
    let run = |name: &str, payload: &Value| {
        let mut cmd = env
            .cmd(name)
            .env_remove("HOME")
            .env_remove("USER")
            .env_remove("LOGNAME");
        cmd = cmd.env("CLAUDE_PROJECT_DIR", env.project());
        cmd.stdin(payload.to_string()).run()
    };
    for done in turn_with(&mut session, "t1", "hello", "Hi.", run) {
        done.silent();
    }
    assert_eq!(env.turns(), talk(&[("hello", "Hi.")]));
    assert_eq!(fs::read_dir(env.state()).map_or(0, Iterator::count), 0);
}

#[test]
fn a_home_behind_a_link_is_a_home() {
    let mut env = at_work();
    let link = env.base().join("link-to-home");
    std::os::unix::fs::symlink(env.home(), &link).unwrap();
    env.set("HOME", &link);
    let mut session = env.session();
    turn(&env, &mut session, "t1", "hello", "Hi.");
    // One that the hooks missed: repair finds the transcript through the link.
    session.says("t2", "missed");
    session.answers("Found.", Some("end_turn"));
    touch(&session.transcript, SAID);
    catch_up(&env);
    assert_eq!(env.turns(), talk(&[("hello", "Hi."), ("missed", "Found.")]));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
}

// ---------------------------------------------------------------- locks

/// The holder is stopped, not dead: the kernel keeps its lock.
#[test]
fn a_stopped_process_with_a_lock_delays_a_hook_for_two_seconds_at_most() {
    let env = at_work();
    let mut session = env.session();
    turn(&env, &mut session, "t1", "before", "Free.");
    let lock = env.project().join("conversations/.mnemo.lock");
    assert!(lock.is_file());
    let Ok(mut holder) = Command::new("flock")
        .arg(&lock)
        .args(["-c", "echo held; exec sleep 600"])
        .stdout(std::process::Stdio::piped())
        .spawn()
    else {
        eprintln!("left out: there is no flock");
        return;
    };
    let mut first = [0; 5];
    std::io::Read::read_exact(holder.stdout.as_mut().unwrap(), &mut first).unwrap();
    signal("STOP", holder.id());
    let done = turn_with(&mut session, "t2", "while", "Held.", |name, payload| {
        env.hook(name, payload)
    });
    let waited: Vec<Duration> = done.iter().map(|one| one.elapsed).collect();
    for one in done {
        one.silent();
    }
    signal("KILL", holder.id());
    let _ = holder.wait();
    // `flock` runs what it was told as a child that inherited the lock.
    let held = || {
        let probe = Command::new("flock")
            .args(["-n"])
            .arg(&lock)
            .arg("true")
            .status();
        !probe.unwrap().success()
    };
    if held() {
        let children = Command::new("fuser").arg(&lock).output().unwrap();
        for id in String::from_utf8_lossy(&children.stdout).split_whitespace() {
            if let Ok(id) = id.parse() {
                signal("KILL", id);
            }
        }
    }
    assert!(!held(), "the lock is free again");
    // Never an absolute time; but a wait without a bound would never end.
    assert!(
        waited.iter().all(|time| *time < Duration::from_secs(30)),
        "{waited:?}"
    );
    assert!(
        waited[0] > Duration::from_millis(1500),
        "it waits for its turn: {waited:?}"
    );
    let errors = env.errors();
    assert!(
        errors.iter().any(|line| line.contains(".mnemo.lock")),
        "{errors:?}"
    );
    catch_up(&env);
    assert_eq!(
        env.turns(),
        talk(&[("before", "Free."), ("while", "Held.")])
    );
}

fn signal(name: &str, id: u32) {
    let done = Command::new("kill")
        .arg(format!("-{name}"))
        .arg(id.to_string())
        .status();
    assert!(done.unwrap().success(), "kill -{name} {id}");
}

// ---------------------------------------------------------------- clocks

#[test]
fn a_clock_set_back_or_forward_loses_and_freezes_nothing() {
    let mut env = TestEnv::new();
    let mut session = env.session();
    let mut want = Vec::new();
    let clocks = [
        "2026-11-30T05:03:50Z",
        // Back by a day, then far back, then far ahead and home again.
        "2026-11-29T05:00:00Z",
        "1999-12-31T23:59:59Z",
        "2030-01-01T00:00:00Z",
        "2026-11-30T05:10:00Z",
    ];
    for (number, clock) in clocks.into_iter().enumerate() {
        env.now(clock);
        session.clock = clock.replace('Z', ".000Z");
        let (prompt, reply) = (format!("prompt {number}"), format!("Reply {number}."));
        turn(&env, &mut session, &format!("t{number}"), &prompt, &reply);
        want.extend([user(prompt), assistant(reply)]);
    }
    let sorted = |mut turns: Vec<Turn>| {
        turns.sort();
        turns
    };
    assert_eq!(sorted(env.turns()), sorted(want.clone()));
    catch_up(&env);
    assert_eq!(sorted(env.turns()), sorted(want));
    let state = env.claude().join("projects");
    let state = state
        .join(mnemo_tests::session::slug(env.project()))
        .join("memory/.consolidate-state");
    let state: Value = serde_json::from_slice(&fs::read(state).unwrap()).unwrap();
    assert!(
        state["first_stop"].as_str().unwrap() <= "2026-11-30T05:10:00Z",
        "{state}"
    );
    assert!(state["stops"].as_u64().unwrap() >= 1, "{state}");
}

/// Entries around the hour that is skipped and the hour that comes twice stand in the file of their
/// local date, in the order of the talk, and a repair of what is there changes nothing.
#[test]
fn daylight_saving_moves_no_entry_and_repairs_once() {
    let nights = [
        ("Europe/Berlin", "2026-03-28T22:30:00", 6),
        ("Europe/Berlin", "2026-10-24T21:30:00", 8),
        ("America/New_York", "2026-03-08T04:30:00", 6),
        ("America/New_York", "2026-11-01T03:30:00", 8),
    ];
    for (zone, start, hours) in nights {
        for hooked in [true, false] {
            let mut env = TestEnv::new();
            env.tz(zone);
            let mut session = env.session();
            let mut want = Vec::new();
            for step in 0..hours * 3 {
                let stamp = shell(
                    &env,
                    &format!("date -u -d '{start}Z + {} minutes' +%FT%T", step * 20),
                );
                session.clock = format!("{stamp}.000Z");
                env.now(&format!("{stamp}Z"));
                let (id, prompt, reply) = (
                    format!("t{step}"),
                    format!("prompt {step}"),
                    format!("Reply {step}."),
                );
                // Every other turn is missed when hooks run at all.
                if hooked && step % 2 == 0 {
                    env.hook("prompt-save", &session.prompt(&id, &prompt))
                        .silent();
                }
                session.says(&id, &prompt);
                session.answers(&reply, Some("end_turn"));
                if hooked && step % 2 == 0 {
                    env.hook("response-save", &session.stop(&id, &reply))
                        .silent();
                }
                let local = shell(&env, &format!("date -d '{stamp}Z' '+%F %T'"));
                want.push((local.clone(), user(prompt)));
                want.push((local, assistant(reply)));
            }
            env.mnemo(&["reconcile", "--all", "--finished"]).ok();
            let there: Vec<(String, Turn)> = env
                .days()
                .into_iter()
                .flat_map(|day| {
                    let date = day.date;
                    let entries = day.entries.into_iter();
                    entries.map(move |entry| (format!("{date} {}", entry.time), entry.turn))
                })
                .collect();
            assert_eq!(there, want, "{zone} {start} hooked: {hooked}");
            let before = day_files(&env);
            env.mnemo(&["reconcile", "--all", "--finished"]).ok();
            fs::remove_file(env.project().join("conversations/.mnemo-index.json")).unwrap();
            env.mnemo(&["reconcile", "--all", "--finished"]).ok();
            assert_eq!(day_files(&env), before, "{zone} {start}: repaired again");
        }
    }
}

fn shell(env: &TestEnv, script: &str) -> String {
    env.program("/bin/sh")
        .args(&["-c", script])
        .run()
        .ok()
        .out()
        .trim()
        .to_owned()
}

// ---------------------------------------------------------------- input

#[test]
fn no_hook_waits_for_a_stdin_that_never_closes() {
    let env = at_work();
    let mut session = env.session();
    let run = |name: &str, payload: &Value| {
        env.cmd(name)
            .env("CLAUDE_PROJECT_DIR", env.project())
            .stdin(payload.to_string())
            .keep_stdin_open()
            .limit(Duration::from_secs(30))
            .run()
    };
    for done in turn_with(&mut session, "t1", "open", "Closed.", run) {
        done.silent();
    }
    // Nothing at all, and half a payload.
    for hook in [
        "prompt-save",
        "tool-log",
        "response-save",
        "session-reconcile",
        "stop-trigger",
    ] {
        for part in ["", "{\"session_id\":\"x\",\"prom"] {
            let cmd = env.cmd(hook).stdin(part).keep_stdin_open();
            cmd.limit(Duration::from_secs(30)).run().silent();
        }
    }
    assert_eq!(env.turns(), talk(&[("open", "Closed.")]));
}

// ---------------------------------------------------------------- transcripts

/// A line of so many bytes that is whole JSON, written without holding it.
fn giant_line(session: &Session, bytes: usize, text: &str) {
    let head = format!(
        "{{\"type\":\"user\",\"uuid\":\"{}\",\"sessionId\":\"{}\",\"cwd\":\"{}\",\"timestamp\":\"{}\",\
         \"promptId\":\"giant\",\"permissionMode\":\"default\",\"promptSource\":\"typed\",\
         \"message\":{{\"role\":\"user\",\"content\":\"{text}",
        mnemo_tests::session::uuid(),
        session.id,
        session.cwd.display(),
        session.clock
    );
    let file = fs::File::options()
        .create(true)
        .append(true)
        .open(&session.transcript)
        .unwrap();
    let mut file = BufWriter::new(file);
    file.write_all(head.as_bytes()).unwrap();
    let piece = vec![b'x'; 1 << 20];
    for _ in 0..bytes >> 20 {
        file.write_all(&piece).unwrap();
    }
    file.write_all(b"\"}}\n").unwrap();
    file.flush().unwrap();
}

/// How much memory a program used at most, in KB, and what it wrote.
fn memory_of(cmd: &Cmd) -> (Done, u64) {
    let mut running = cmd.clone().limit(Duration::from_secs(600)).start();
    let status = format!("/proc/{}/status", running.id());
    let mut most = 0;
    while !running.ended() {
        let text = fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kb = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse().ok());
        most = most.max(kb.unwrap_or(0));
        std::thread::sleep(Duration::from_millis(1));
    }
    (running.wait(), most)
}

#[test]
fn a_line_of_200_mb_is_skipped_counted_and_named() {
    let env = at_work();
    let mut session = env.session();
    session.says("t1", "before");
    session.answers("Small.", Some("end_turn"));
    giant_line(&session, 200 << 20, "giant ");
    session.says("t2", "after");
    session.answers("Small again.", Some("end_turn"));
    touch(&session.transcript, SAID);
    let args = ["reconcile", "--all", "--finished"];
    let (done, memory) = memory_of(&env.cmd("mnemo").args(&args));
    let done = done.ok();
    let told = done.out() + &done.err();
    assert!(told.contains("1f0c2d3e"), "the transcript is named: {told}");
    assert!(
        told.contains("32 MB") || told.contains("unread") || told.contains("could not"),
        "{told}"
    );
    assert!(memory < 64 << 10, "{memory} KB");
    eprintln!("a line of 200 MB: {memory} KB");
    assert_eq!(
        env.turns(),
        talk(&[("before", "Small."), ("after", "Small again.")])
    );
    // The hooks get over it too: a stop reads backwards, a start forwards.
    let mut env = env;
    env.now("2026-11-30T05:20:00Z");
    giant_line(&session, 40 << 20, "giant ");
    session.clock = "2026-11-30T05:19:00.000Z".into();
    turn(&env, &mut session, "t3", "later", "Fine.");
    assert_eq!(env.turns().pop(), Some(assistant("Fine.")));
}

#[test]
fn a_damaged_transcript_loses_only_what_is_damaged() {
    let env = at_work();
    let mut session = env.session();
    session.says("t1", "one");
    session.answers("First.", Some("end_turn"));
    // A block of zeros, as a power cut leaves it; then two objects glued on one line.
    session.raw(vec![0; 8192]);
    session.says("t2", "two");
    session.answers("Second.", Some("end_turn"));
    let text = fs::read_to_string(&session.transcript).unwrap();
    let glued = text
        .trim_end()
        .rsplit_once('\n')
        .map(|(head, tail)| format!("{head}{tail}\n"))
        .unwrap();
    fs::write(&session.transcript, glued).unwrap();
    session.raw("{\"type\":\"user\",\"message\":{\"content\":\"torn\n");
    session.raw("\n\n   \nnull\n[]\n42\n\"text\"\n\u{feff}\n");
    session.says("t3", "three");
    session.answers("Third.", Some("end_turn"));
    // The final newline is missing.
    let mut bytes = fs::read(&session.transcript).unwrap();
    assert_eq!(bytes.pop(), Some(b'\n'));
    fs::write(&session.transcript, &bytes).unwrap();
    touch(&session.transcript, SAID - 3600);
    let want = talk(&[("one", "First."), ("two", "Second."), ("three", "Third.")]);
    catch_up(&env);
    assert_eq!(env.turns(), want);
    // The client goes on writing at the end of the line that had no end.
    session.raw("\n");
    session.says("t4", "four");
    session.answers("Fourth.", Some("end_turn"));
    touch(&session.transcript, SAID);
    catch_up(&env);
    assert_eq!(env.turns(), [want, talk(&[("four", "Fourth.")])].concat());
}

#[test]
fn a_huge_transcript_is_repaired_in_little_memory() {
    let long = std::env::var("MNEMO_FAULTS").is_ok_and(|mode| mode == "long");
    let size: u64 = if long { 1 << 30 } else { 200 << 20 };
    let env = at_work();
    let mut session = env.session();
    // What fills real transcripts: tool results of some KB, now and then a turn.
    let filler = "y".repeat(30_000);
    let mut lines = Vec::new();
    session.says("t", "seed");
    let (_, call) = session.calls("Bash", &json!({ "command": "make" }));
    session.result("t", &call, &filler, false);
    session.answers("Seeded.", Some("end_turn"));
    let result = fs::read_to_string(&session.transcript).unwrap();
    let result = result.lines().nth(2).unwrap().to_owned();
    let file = fs::File::options()
        .append(true)
        .open(&session.transcript)
        .unwrap();
    let mut file = BufWriter::with_capacity(1 << 20, file);
    let mut written = 0;
    let mut number = 0;
    while written < size {
        let uuid = mnemo_tests::session::uuid();
        let line = result.replacen("\"uuid\":\"", &format!("\"uuid\":\"{uuid}-"), 1);
        file.write_all(line.as_bytes()).unwrap();
        file.write_all(b"\n").unwrap();
        written += line.len() as u64 + 1;
        if written / (10 << 20) > number {
            number = written / (10 << 20);
            file.flush().unwrap();
            let (prompt, reply) = (format!("prompt {number}"), format!("Reply {number}."));
            session.says(&format!("t{number}"), &prompt);
            session.answers(&reply, Some("end_turn"));
            lines.push((prompt, reply));
        }
    }
    file.flush().unwrap();
    touch(&session.transcript, SAID);
    let (done, memory) = memory_of(&env.cmd("mnemo").args(&["reconcile", "--all", "--finished"]));
    done.ok();
    let mut want = talk(&[("seed", "Seeded.")]);
    want.extend(
        lines
            .iter()
            .flat_map(|(prompt, reply)| [user(prompt), assistant(reply)]),
    );
    assert_eq!(env.turns(), want);
    assert!(
        memory > 0 && memory < 64 << 10,
        "{memory} KB for {} MB",
        size >> 20
    );
    // A start has half a second each time; it comes to the same end without the index.
    fs::remove_dir_all(env.project().join("conversations")).unwrap();
    let start = Session::new(&env, "99990000-0000-4000-8000-000000000009").start("startup");
    let mut most = 0;
    for _ in 0..400 {
        let cmd = env
            .cmd("session-reconcile")
            .env("CLAUDE_PROJECT_DIR", env.project());
        let (done, memory) = memory_of(&cmd.stdin(start.to_string()));
        done.silent();
        most = most.max(memory);
        if env.turns().len() == want.len() {
            break;
        }
    }
    assert_eq!(env.turns(), want);
    assert!(most < 64 << 10, "{most} KB");
    eprintln!(
        "{} MB: {memory} KB by hand, {most} KB at a start",
        size >> 20
    );
}
