//! Modes, links, FIFOs, full disks and killed processes.
#![allow(clippy::disallowed_methods, reason = "tests make files and wait")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests, their helpers included"
)]
#![cfg(unix)]

use safe_file::{Boundary, Error, Lock};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn mode(path: &Path) -> u32 {
    std::fs::symlink_metadata(path).unwrap().mode() & 0o7777
}

fn bytes(byte: u8, length: usize) -> Vec<u8> {
    vec![byte; length]
}

fn count(folder: &Path) -> usize {
    std::fs::read_dir(folder).unwrap().count()
}

fn mkfifo(path: &Path) {
    let status = Command::new("mkfifo").arg(path).status().unwrap();
    assert!(status.success());
}

#[allow(
    clippy::needless_pass_by_value,
    reason = "callers hand over what a call returned"
)]
fn refused<T: std::fmt::Debug>(result: safe_file::Result<T>) {
    assert!(matches!(result, Err(Error::Refused { .. })), "{result:?}");
}

/// Runs one of the `child_…` tests below in a process of its own, after `shell` commands.
fn child(shell: &str, test: &str, folder: &Path, argument: &str) -> Command {
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(format!(
            "{shell}\nexec \"$0\" --exact {test} --ignored --nocapture"
        ))
        .arg(std::env::current_exe().unwrap())
        .env("SAFE_FILE_FOLDER", folder)
        .env("SAFE_FILE_ARGUMENT", argument)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    command
}

fn in_child() -> (PathBuf, String) {
    (
        std::env::var_os("SAFE_FILE_FOLDER").unwrap().into(),
        std::env::var("SAFE_FILE_ARGUMENT").unwrap(),
    )
}

#[test]
#[ignore = "run by another test in a process of its own"]
fn child_makes_everything() {
    let (folder, _) = in_child();
    safe_file::create_private_dir(&folder.join("a/b")).unwrap();
    safe_file::append(&folder.join("a/b/append"), b"x").unwrap();
    safe_file::replace(&folder.join("a/b/replace"), b"x").unwrap();
    safe_file::replace_with(&folder.join("a/b/with"), |to| to.write_all(b"x"), || Ok(())).unwrap();
    safe_file::create_new(&folder.join("a/b/new"), b"x").unwrap();
    Lock::acquire(&folder.join("a/b/lock"), Duration::ZERO).unwrap();
    safe_file::replace(&folder.join("kept"), b"x").unwrap();
    safe_file::append(&folder.join("appended"), b"x").unwrap();
}

#[test]
fn modes_do_not_depend_on_the_umask() {
    for umask in ["000", "077", "022", "377", "777"] {
        let folder = folder();
        for (name, mode) in [("kept", 0o640), ("appended", 0o664)] {
            let path = folder.path().join(name);
            std::fs::write(&path, b"").unwrap();
            std::fs::set_permissions(&path, PermissionsExt::from_mode(mode)).unwrap();
        }
        let status = child(
            &format!("umask {umask}"),
            "child_makes_everything",
            folder.path(),
            "",
        )
        .status()
        .unwrap();
        assert!(status.success(), "umask {umask}");
        for name in ["a", "a/b"] {
            assert_eq!(
                mode(&folder.path().join(name)),
                0o700,
                "{name}, umask {umask}"
            );
        }
        for name in ["append", "replace", "with", "new", "lock"] {
            let path = folder.path().join("a/b").join(name);
            assert_eq!(mode(&path), 0o600, "{name}, umask {umask}");
        }
        assert_eq!(mode(&folder.path().join("kept")), 0o640);
        assert_eq!(mode(&folder.path().join("appended")), 0o664);
    }
}

#[test]
#[ignore = "run by another test in a process of its own"]
fn child_appends() {
    let (folder, argument) = in_child();
    for number in 0..20 {
        let line = format!("{argument}-{number} {}\n", "x".repeat(2000));
        safe_file::append(&folder.join("log"), line.as_bytes()).unwrap();
    }
}

#[test]
fn processes_append_whole_blocks() {
    let folder = folder();
    let children: Vec<Child> = (0..64)
        .map(|n| {
            child("", "child_appends", folder.path(), &n.to_string())
                .spawn()
                .unwrap()
        })
        .collect();
    for mut child in children {
        assert!(child.wait().unwrap().success());
    }
    let text = std::fs::read_to_string(folder.path().join("log")).unwrap();
    let mut heads: Vec<_> = text
        .lines()
        .map(|line| {
            let (head, tail) = line.split_once(' ').unwrap();
            assert_eq!(tail, "x".repeat(2000));
            head
        })
        .collect();
    heads.sort_unstable();
    heads.dedup();
    assert_eq!(heads.len(), 64 * 20);
}

/// 100 KB already there, a limit near it, a block that does not fit.
#[test]
#[ignore = "run by another test in a process of its own"]
fn child_hits_the_size_limit() {
    let (folder, _) = in_child();
    let path = folder.join("log");
    let before = std::fs::read(&path).unwrap();
    let error = safe_file::append(&path, &bytes(b'y', 1 << 20)).unwrap_err();
    assert!(error.to_string().contains("log: only "), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    // The rest of the room is still there for what fits.
    safe_file::append(&path, b"short\n").unwrap();

    let error = safe_file::replace(&path, &bytes(b'y', 1 << 20)).unwrap_err();
    assert!(matches!(error, Error::Io { .. }), "{error}");
    let error = safe_file::replace_with(&path, |to| to.write_all(&bytes(b'y', 1 << 20)), || Ok(()))
        .unwrap_err();
    assert!(matches!(error, Error::Io { .. }), "{error}");
    assert_eq!(std::fs::read(&path).unwrap().len(), before.len() + 6);
    let error = safe_file::create_new(&folder.join("new"), &bytes(b'y', 1 << 20)).unwrap_err();
    assert!(matches!(error, Error::Io { .. }), "{error}");
    assert_eq!(count(&folder), 1);
}

#[test]
fn a_block_that_does_not_fit_leaves_nothing_torn() {
    let folder = folder();
    std::fs::write(folder.path().join("log"), bytes(b'x', 100_000)).unwrap();
    // A limit on the size of files comes to a program as a full disk does: a short write, then
    // an error. (`-f` counts blocks of 512 or 1024 bytes.)
    let status = child(
        "ulimit -f 300",
        "child_hits_the_size_limit",
        folder.path(),
        "",
    )
    .status()
    .unwrap();
    assert!(status.success());
}

#[test]
fn a_really_full_disk_leaves_nothing_torn() {
    let folder = folder();
    let mounted = Command::new("mount")
        .args(["-t", "tmpfs", "-o", "size=64k", "mnemo-test"])
        .arg(folder.path())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success());
    if !mounted {
        println!("skipped: a small file system can only be mounted by root");
        return;
    }
    let path = folder.path().join("log");
    let result = std::panic::catch_unwind(|| {
        safe_file::append(&path, &bytes(b'x', 40_000)).unwrap();
        safe_file::append(&path, &bytes(b'y', 40_000)).unwrap_err();
        assert_eq!(std::fs::read(&path).unwrap(), bytes(b'x', 40_000));
        safe_file::replace(&path, &bytes(b'z', 40_000)).unwrap_err();
        assert_eq!(std::fs::read(&path).unwrap(), bytes(b'x', 40_000));
        assert_eq!(count(folder.path()), 1);
        safe_file::append(&path, b"fits").unwrap();
    });
    let unmounted = Command::new("umount").arg(folder.path()).status().unwrap();
    assert!(unmounted.success());
    result.unwrap();
}

#[test]
#[ignore = "run by another test in a process of its own"]
fn child_holds_the_lock() {
    let (folder, _) = in_child();
    let _lock = Lock::acquire(&folder.join("lock"), Duration::ZERO).unwrap();
    std::fs::write(folder.join("held"), b"").unwrap();
    std::thread::sleep(Duration::from_secs(600));
}

#[test]
fn the_lock_of_a_killed_process_is_free() {
    let folder = folder();
    let mut holder = child("", "child_holds_the_lock", folder.path(), "")
        .spawn()
        .unwrap();
    let start = Instant::now();
    while !folder.path().join("held").exists() {
        assert!(
            start.elapsed() < Duration::from_secs(60),
            "the child never held the lock"
        );
        std::thread::sleep(Duration::from_millis(5));
    }
    let path = folder.path().join("lock");
    assert!(Lock::try_acquire(&path).unwrap().is_none());
    holder.kill().unwrap();
    holder.wait().unwrap();
    assert!(Lock::try_acquire(&path).unwrap().is_some());
}

#[test]
#[ignore = "run by another test in a process of its own"]
fn child_replaces_for_ever() {
    let (folder, _) = in_child();
    for number in (0..=255_u8).cycle() {
        safe_file::replace(&folder.join("a"), &bytes(number, 200_000)).unwrap();
        safe_file::replace_cheaply(&folder.join("a"), &bytes(number, 200_000)).unwrap();
    }
}

#[test]
fn a_kill_in_the_middle_of_a_replacement_leaves_a_whole_file() {
    let folder = folder();
    let path = folder.path().join("a");
    safe_file::replace(&path, &bytes(0, 200_000)).unwrap();
    for round in 0..20 {
        let mut writer = child("", "child_replaces_for_ever", folder.path(), "")
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(10 + round * 3));
        writer.kill().unwrap();
        writer.wait().unwrap();
        let bytes = std::fs::read(&path).unwrap();
        assert_eq!(bytes.len(), 200_000);
        assert!(bytes.iter().all(|b| *b == bytes[0]));
    }
}

#[test]
fn links_are_not_appended_to() {
    let folder = folder();
    let (target, link) = (folder.path().join("target"), folder.path().join("link"));
    symlink("target", &link).unwrap();
    refused(safe_file::append(&link, b"x"));
    assert!(!target.exists());
    std::fs::write(&target, b"").unwrap();
    refused(safe_file::append(&link, b"x"));
    refused(Lock::acquire(&link, Duration::ZERO));
    refused(safe_file::read_real(&link, 10));
    assert_eq!(safe_file::read(&link, 10).unwrap().unwrap(), b"");
    assert_eq!(std::fs::read(&target).unwrap(), b"");
    assert!(!safe_file::create_new(&link, b"x").unwrap());
    refused(safe_file::rotate(&link, 0, || folder.path().join("x")));
}

#[test]
fn fifos_and_devices_are_refused_at_once() {
    let folder = folder();
    let fifo = folder.path().join("fifo");
    mkfifo(&fifo);
    let socket = folder.path().join("socket");
    let _listener = std::os::unix::net::UnixListener::bind(&socket).unwrap();
    for path in [
        &fifo,
        &socket,
        Path::new("/dev/null"),
        Path::new("/dev/zero"),
        folder.path(),
    ] {
        refused(safe_file::append(path, b"x"));
        refused(safe_file::replace(path, b"x"));
        refused(safe_file::read(path, 10));
        refused(safe_file::read_real(path, 10));
        refused(safe_file::tail(path, 10));
        refused(safe_file::open_regular(path).map(|_| ()));
        refused(Lock::acquire(path, Duration::ZERO));
        refused(safe_file::rotate(path, 0, || panic!("not due")));
    }
    // Also with somebody at the other end.
    let _reader = std::fs::OpenOptions::new()
        .read(true)
        .write(true)
        .open(&fifo)
        .unwrap();
    refused(safe_file::append(&fifo, b"x"));
    refused(safe_file::read(&fifo, 10));
}

#[test]
fn replace_follows_links_and_keeps_the_mode() {
    let folder = folder();
    let dotfiles = folder.path().join("dotfiles");
    std::fs::create_dir(&dotfiles).unwrap();
    let target = dotfiles.join("settings.json");
    std::fs::write(&target, b"old").unwrap();
    std::fs::set_permissions(&target, PermissionsExt::from_mode(0o644)).unwrap();
    let (one, two) = (folder.path().join("one"), folder.path().join("two"));
    symlink("dotfiles/settings.json", &one).unwrap();
    symlink(&one, &two).unwrap();
    safe_file::replace(&two, b"new").unwrap();
    assert!(two.is_symlink() && one.is_symlink() && !target.is_symlink());
    assert_eq!(std::fs::read(&target).unwrap(), b"new");
    assert_eq!(mode(&target), 0o644);
    safe_file::replace_cheaply(&two, b"newer").unwrap();
    assert!(two.is_symlink() && one.is_symlink() && !target.is_symlink());
    assert_eq!(std::fs::read(&target).unwrap(), b"newer");
    assert_eq!(mode(&target), 0o644);

    let dangling = folder.path().join("dangling");
    symlink("dotfiles/new.json", &dangling).unwrap();
    safe_file::replace(&dangling, b"x").unwrap();
    assert!(dangling.is_symlink());
    assert_eq!(mode(&dotfiles.join("new.json")), 0o600);

    let looped = folder.path().join("loop");
    symlink("loop", &looped).unwrap();
    refused(safe_file::replace(&looped, b"x"));
}

#[test]
fn a_read_only_folder_keeps_its_file() {
    let folder = folder();
    let path = folder.path().join("a");
    std::fs::write(&path, b"old").unwrap();
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o500)).unwrap();
    let result = safe_file::replace(&path, b"new");
    std::fs::set_permissions(folder.path(), PermissionsExt::from_mode(0o700)).unwrap();
    match result {
        Err(error) => {
            assert!(error.to_string().contains("cannot replace"), "{error}");
            assert_eq!(std::fs::read(&path).unwrap(), b"old");
        }
        Ok(()) => println!("skipped: nothing is read-only for root"),
    }
    assert_eq!(count(folder.path()), 1);
}

#[test]
fn a_lock_file_that_was_unlinked_or_replaced_is_taken_anew() {
    let folder = folder();
    let path = folder.path().join("lock");
    let old = Lock::acquire(&path, Duration::ZERO).unwrap();
    std::fs::remove_file(&path).unwrap();
    let new = Lock::try_acquire(&path).unwrap();
    assert!(new.is_some());
    assert!(Lock::try_acquire(&path).unwrap().is_none());
    drop(old);
    assert!(Lock::try_acquire(&path).unwrap().is_none());
}

#[test]
fn a_waiter_notices_that_the_lock_file_was_replaced() {
    let folder = folder();
    let path = folder.path().join("lock");
    let old = Lock::acquire(&path, Duration::ZERO).unwrap();
    std::thread::scope(|scope| {
        let waiter = scope.spawn(|| Lock::acquire(&path, Duration::from_secs(60)).unwrap());
        std::thread::sleep(Duration::from_millis(20));
        std::fs::remove_file(&path).unwrap();
        drop(old);
        let _lock = waiter.join().unwrap();
        assert!(Lock::try_acquire(&path).unwrap().is_none());
    });
}

#[test]
fn links_of_a_repository_do_not_lead_outside() {
    let folder = folder();
    let base = folder.path().canonicalize().unwrap();
    let root = base.join("project");
    std::fs::create_dir_all(root.join("real/sub")).unwrap();
    std::fs::create_dir(base.join("outside")).unwrap();
    std::fs::create_dir(base.join("project-2")).unwrap();
    std::fs::write(base.join("outside/file"), b"").unwrap();
    std::fs::write(root.join("real/file"), b"").unwrap();
    mkfifo(&root.join("real/fifo"));
    let link = |to: &str, name: &str| symlink(to, root.join(name)).unwrap();
    let absolute = |below: &str| base.join(below).to_str().unwrap().to_owned();

    link("real", "in");
    link(&absolute("project/real"), "in-absolute");
    link("../project/real/sub", "in-and-out");
    link("real/file", "in-file");
    link("real/later.md", "in-later");
    link("real/sub/../later.md", "in-later-up");
    link(&absolute("project/real/later.md"), "in-later-absolute");
    link("in-later", "in-later-twice");
    let boundary = Boundary::new(&root).unwrap();
    for (path, real) in [
        ("in", "real"),
        ("in/new.md", "real/new.md"),
        ("in/sub/new.md", "real/sub/new.md"),
        ("in-absolute/file", "real/file"),
        ("in-and-out/x", "real/sub/x"),
        ("in-file", "real/file"),
        ("in-later", "real/later.md"),
        ("in-later-up", "real/later.md"),
        ("in-later-absolute", "real/later.md"),
        ("in-later-twice", "real/later.md"),
    ] {
        assert_eq!(
            boundary.resolve(Path::new(path)).unwrap(),
            root.join(real),
            "{path}"
        );
    }

    link("..", "out-parent");
    link("../outside", "out");
    link(&absolute("outside"), "out-absolute");
    link("../project-2", "out-sibling");
    link("../outside/file", "out-file");
    link("../outside/later", "out-later");
    link("real/../../outside/later", "out-later-up");
    link("nothing/../../outside/later", "out-later-nothing");
    link(&absolute("outside/later"), "out-later-absolute");
    link(&absolute("project-2/later"), "out-later-sibling");
    link("out-later", "out-later-twice");
    link("/dev/null", "out-device");
    link("/", "out-root");
    link("loop", "loop");
    link("loop-b", "loop-a");
    link("loop-a", "loop-b");
    link("real/fifo", "fifo");
    for path in [
        "out-parent",
        "out",
        "out/file",
        "out/new",
        "out-absolute/new",
        "out-sibling/new",
        "out-file",
        "out-later",
        "out-later/below",
        "out-later-up",
        "out-later-nothing",
        "out-later-absolute",
        "out-later-sibling",
        "out-later-twice",
        "out-device",
        "out-root",
        "out-root/tmp",
        "loop",
        "loop-a/x",
        "fifo",
        "real/fifo",
        "real/file/below",
    ] {
        let result = boundary.resolve(Path::new(path));
        assert!(
            matches!(result, Err(Error::Refused { .. })),
            "{path}: {result:?}"
        );
    }
}

#[test]
fn a_linked_root_is_resolved_once() {
    let folder = folder();
    let base = folder.path().canonicalize().unwrap();
    std::fs::create_dir(base.join("real")).unwrap();
    symlink("real", base.join("link")).unwrap();
    let boundary = Boundary::new(&base.join("link")).unwrap();
    assert_eq!(boundary.root(), base.join("real"));
    // A link that names the root by its other name stays inside.
    std::fs::create_dir(base.join("real/sub")).unwrap();
    symlink(base.join("link/sub"), base.join("real/l")).unwrap();
    assert_eq!(
        boundary.resolve(Path::new("l/x")).unwrap(),
        base.join("real/sub/x")
    );
}

#[test]
fn a_dangling_link_is_no_place_for_a_folder() {
    let folder = folder();
    symlink("nothing", folder.path().join("a")).unwrap();
    refused(safe_file::create_private_dir(&folder.path().join("a")));
    refused(safe_file::create_private_dir(&folder.path().join("a/b")));
}
