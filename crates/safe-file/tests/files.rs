//! What callers rely on, file by file.
#![allow(clippy::disallowed_methods, reason = "tests make files and wait")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "tests, their helpers included"
)]

use safe_file::{Boundary, Error, Lock};
use std::fs;
use std::path::Path;
use std::time::Duration;

fn folder() -> tempfile::TempDir {
    tempfile::tempdir().unwrap()
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn append_adds_to_the_end() {
    let folder = folder();
    let path = folder.path().join("a");
    safe_file::append(&path, b"one\n").unwrap();
    safe_file::append(&path, b"").unwrap();
    safe_file::append(&path, b"two\n").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"one\ntwo\n");
}

#[test]
fn append_does_not_make_folders() {
    let folder = folder();
    let error = safe_file::append(&folder.path().join("no/a"), b"x").unwrap_err();
    assert!(
        matches!(
            error,
            Error::Io {
                action: "append to",
                ..
            }
        ),
        "{error}"
    );
    assert!(error.to_string().contains("no/a"), "{error}");
}

#[test]
fn threads_append_whole_blocks() {
    let folder = folder();
    let path = folder.path().join("a");
    std::thread::scope(|scope| {
        for thread in 0..64_u8 {
            let path = &path;
            scope.spawn(move || {
                for _ in 0..20 {
                    let mut block = vec![b'0' + thread; 3000 + usize::from(thread)];
                    block.push(b'\n');
                    safe_file::append(path, &block).unwrap();
                }
            });
        }
    });
    let bytes = std::fs::read(&path).unwrap();
    let lines: Vec<_> = bytes.split_inclusive(|b| *b == b'\n').collect();
    assert_eq!(lines.len(), 64 * 20);
    for line in lines {
        let thread = line[0] - b'0';
        assert_eq!(line.len(), 3001 + usize::from(thread));
        assert!(line[..line.len() - 1].iter().all(|b| *b == line[0]));
    }
}

#[test]
fn create_new_never_touches_what_is_there() {
    let folder = folder();
    let path = folder.path().join("a");
    assert!(safe_file::create_new(&path, b"mine").unwrap());
    assert!(!safe_file::create_new(&path, b"other").unwrap());
    assert_eq!(std::fs::read(&path).unwrap(), b"mine");
    assert!(!safe_file::create_new(folder.path(), b"x").unwrap());
}

#[test]
fn replace_swaps_the_whole_file_and_leaves_no_trace() {
    let folder = folder();
    let path = folder.path().join("a");
    safe_file::replace(&path, b"first, and longer").unwrap();
    safe_file::replace(&path, b"second").unwrap();
    safe_file::replace_durably(&path, b"third").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"third");
    safe_file::replace_cheaply(&path, b"fourth").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"fourth");
    safe_file::replace_cheaply(&folder.path().join("b"), b"new").unwrap();
    std::fs::remove_file(folder.path().join("b")).unwrap();
    assert_eq!(names(folder.path()), ["a"]);
}

#[test]
fn replace_takes_names_of_any_length() {
    let folder = folder();
    let path = folder.path().join("n".repeat(255));
    safe_file::replace(&path, b"x").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"x");
}

#[test]
fn a_failing_writer_or_check_keeps_the_old_file() {
    let folder = folder();
    let path = folder.path().join("a");
    safe_file::replace(&path, b"old").unwrap();
    let error = safe_file::replace_with(
        &path,
        |to| {
            to.write_all(b"half")?;
            Err(std::io::Error::other("broken"))
        },
        || panic!("not asked after a failed write"),
    )
    .unwrap_err();
    assert!(error.to_string().ends_with("broken"), "{error}");
    let changed = || Err(Error::Changed { path: path.clone() });
    let error = safe_file::replace_with(&path, |to| to.write_all(b"new"), changed).unwrap_err();
    assert!(matches!(error, Error::Changed { .. }));
    assert_eq!(std::fs::read(&path).unwrap(), b"old");
    assert_eq!(names(folder.path()), ["a"]);

    safe_file::replace_with(
        &path,
        |to| (0..100_000).try_for_each(|_| to.write_all(b"new\n")),
        || Ok(()),
    )
    .unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().len(), 400_000);
}

#[test]
fn a_panicking_writer_leaves_no_temporary_file() {
    let folder = folder();
    let path = folder.path().join("a");
    let panicked = std::panic::catch_unwind(|| {
        let _ = safe_file::replace_with(&path, |_| panic!("on purpose"), || Ok(()));
    });
    assert!(panicked.is_err());
    assert!(names(folder.path()).is_empty());
}

#[test]
fn readers_see_the_old_or_the_new_file() {
    let folder = folder();
    let path = folder.path().join("a");
    safe_file::replace(&path, &[b'0'; 15_000]).unwrap();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| {
            for number in 0..200_u8 {
                safe_file::replace(&path, &[number; 15_000]).unwrap();
            }
        });
        while !writer.is_finished() {
            let bytes = safe_file::read(&path, 1 << 20).unwrap().unwrap();
            assert_eq!(bytes.len(), 15_000);
            assert!(bytes.iter().all(|b| *b == bytes[0]));
        }
    });
}

#[test]
fn only_old_temporary_files_of_ours_are_swept() {
    let folder = folder();
    // No process has so high a number.
    let gone = "4294967290";
    let own = std::process::id();
    for (name, minutes) in [
        (format!(".{gone}-0.mnemo-tmp"), 11),
        (format!(".{gone}-1.mnemo-tmp"), 0),
        (format!(".{own}-0.mnemo-tmp"), 11),
        (format!(".{own}-1.mnemo-tmp"), 25 * 60),
        (format!(".{gone}.mnemo-tmp"), 11),
        (format!(".{gone}-x.mnemo-tmp"), 11),
        (format!("{gone}-0.mnemo-tmp"), 11),
        ("x.mnemo-tmp".to_owned(), 11),
        (".other".to_owned(), 11),
    ] {
        let file = std::fs::File::create(folder.path().join(name)).unwrap();
        let old = std::time::SystemTime::now() - Duration::from_secs(minutes * 60);
        file.set_modified(old).unwrap();
    }
    let dir = format!(".{gone}-2.mnemo-tmp");
    std::fs::create_dir(folder.path().join(&dir)).unwrap();
    let alive = usize::from(!cfg!(target_os = "linux"));
    assert_eq!(safe_file::sweep_temps(folder.path()).unwrap(), 2 + alive);
    let mut left = vec![
        format!(".{gone}-1.mnemo-tmp"),
        dir,
        format!(".{gone}.mnemo-tmp"),
        format!(".{gone}-x.mnemo-tmp"),
        format!("{gone}-0.mnemo-tmp"),
        "x.mnemo-tmp".to_owned(),
        ".other".to_owned(),
    ];
    if alive == 0 {
        left.push(format!(".{own}-0.mnemo-tmp"));
    }
    left.sort();
    assert_eq!(names(folder.path()), left);
    assert_eq!(
        safe_file::sweep_temps(&folder.path().join("no")).unwrap(),
        0
    );
}

#[test]
fn a_left_over_temporary_file_is_no_obstacle() {
    let folder = folder();
    for number in 0..50 {
        let name = format!(".{}-{number}.mnemo-tmp", std::process::id());
        std::fs::write(folder.path().join(name), b"left over").unwrap();
    }
    let path = folder.path().join("a");
    safe_file::replace(&path, b"x").unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), b"x");
    assert_eq!(names(folder.path()).len(), 51);
}

#[test]
fn reading_is_bounded() {
    let folder = folder();
    let path = folder.path().join("a");
    assert_eq!(safe_file::read(&path, 10).unwrap(), None);
    assert_eq!(safe_file::tail(&path, 10).unwrap(), None);
    assert!(safe_file::open_regular(&path).unwrap().is_none());
    std::fs::write(&path, b"0123456789").unwrap();
    assert_eq!(safe_file::read(&path, 10).unwrap().unwrap(), b"0123456789");
    assert!(matches!(
        safe_file::read(&path, 9),
        Err(Error::Refused { .. })
    ));
    assert_eq!(
        safe_file::tail(&path, 3).unwrap(),
        Some((7, b"789".to_vec()))
    );
    assert_eq!(safe_file::tail(&path, 10).unwrap().unwrap().0, 0);
    assert_eq!(
        safe_file::tail(&path, u64::MAX).unwrap().unwrap().1.len(),
        10
    );
    assert_eq!(safe_file::tail(&path, 0).unwrap(), Some((10, vec![])));
    assert_eq!(
        safe_file::read(&path.join("below a file"), 10).unwrap(),
        None
    );
    assert!(matches!(
        safe_file::read(folder.path(), 10),
        Err(Error::Refused { .. })
    ));
    assert!(safe_file::remove(&path).unwrap());
    assert!(!safe_file::remove(&path).unwrap());
}

#[test]
fn rotation_overwrites_nothing() {
    let folder = folder();
    let log = folder.path().join("log.jsonl");
    let archive = || folder.path().join("archive/log-1.jsonl");
    assert!(!safe_file::rotate(&log, 5, archive).unwrap());
    for (number, content) in ["first", "second", "third"].iter().enumerate() {
        std::fs::write(&log, b"four").unwrap();
        assert!(!safe_file::rotate(&log, 5, || panic!("not due")).unwrap());
        std::fs::write(&log, content).unwrap();
        assert!(safe_file::rotate(&log, 5, archive).unwrap(), "{number}");
        assert!(!log.exists());
    }
    assert_eq!(
        names(&folder.path().join("archive")),
        ["log-1-2.jsonl", "log-1-3.jsonl", "log-1.jsonl"]
    );
    assert_eq!(std::fs::read(archive()).unwrap(), b"first");
    assert_eq!(
        std::fs::read(folder.path().join("archive/log-1-2.jsonl")).unwrap(),
        b"second"
    );
}

#[test]
fn rotation_loses_nothing_while_others_write() {
    let folder = folder();
    let (log, lock) = (folder.path().join("log"), folder.path().join("lock"));
    std::thread::scope(|scope| {
        for thread in 0..16 {
            let (log, lock, folder) = (&log, &lock, &folder);
            scope.spawn(move || {
                for number in 0..40 {
                    let _lock = Lock::acquire(lock, Duration::from_secs(60)).unwrap();
                    safe_file::append(log, format!("{thread}-{number}\n").as_bytes()).unwrap();
                    safe_file::rotate(log, 100, || folder.path().join("old/log")).unwrap();
                }
            });
        }
    });
    let mut all = std::fs::read_to_string(&log).unwrap_or_default();
    for name in names(&folder.path().join("old")) {
        all += &std::fs::read_to_string(folder.path().join("old").join(name)).unwrap();
    }
    let mut lines: Vec<_> = all.lines().collect();
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), 16 * 40);
}

#[test]
fn the_older_generation_is_overwritten_when_asked_for() {
    let folder = folder();
    let (log, older) = (folder.path().join("log"), folder.path().join("log.1"));
    std::fs::write(&older, b"oldest").unwrap();
    std::fs::write(&log, b"12345").unwrap();
    assert!(!safe_file::rotate_over(&log, 6, &older).unwrap());
    assert!(safe_file::rotate_over(&log, 5, &older).unwrap());
    assert!(!safe_file::rotate_over(&log, 5, &older).unwrap());
    assert_eq!(std::fs::read(&older).unwrap(), b"12345");
}

#[test]
fn one_lock_at_a_time() {
    let folder = folder();
    let path = folder.path().join("lock");
    let lock = Lock::acquire(&path, Duration::ZERO).unwrap();
    assert!(lock.supported());
    assert!(Lock::try_acquire(&path).unwrap().is_none());
    let error = Lock::acquire(&path, Duration::from_millis(30)).unwrap_err();
    assert!(matches!(error, Error::Busy { .. }), "{error}");
    drop(lock);
    assert!(Lock::try_acquire(&path).unwrap().is_some());
}

#[test]
fn a_waiter_gets_the_lock_when_it_is_free() {
    let folder = folder();
    let path = folder.path().join("lock");
    let lock = Lock::acquire(&path, Duration::ZERO).unwrap();
    std::thread::scope(|scope| {
        let waiter = scope.spawn(|| Lock::acquire(&path, Duration::from_secs(60)));
        std::thread::sleep(Duration::from_millis(20));
        drop(lock);
        assert!(waiter.join().unwrap().unwrap().supported());
    });
}

#[test]
fn a_counter_behind_the_lock_counts_exactly() {
    let folder = folder();
    let (lock, counter) = (folder.path().join("lock"), folder.path().join("n"));
    std::fs::write(&counter, b"0").unwrap();
    std::thread::scope(|scope| {
        for _ in 0..50 {
            scope.spawn(|| {
                let _lock = Lock::acquire(&lock, Duration::from_secs(60)).unwrap();
                let text = std::fs::read_to_string(&counter).unwrap();
                let next = text.parse::<u32>().unwrap() + 1;
                safe_file::replace(&counter, next.to_string().as_bytes()).unwrap();
            });
        }
    });
    assert_eq!(std::fs::read(&counter).unwrap(), b"50");
}

#[test]
fn paths_inside_the_boundary() {
    let folder = folder();
    let root = folder.path().canonicalize().unwrap();
    std::fs::create_dir_all(root.join("a/b")).unwrap();
    std::fs::write(root.join("file"), b"").unwrap();
    let boundary = Boundary::new(folder.path()).unwrap();
    assert_eq!(boundary.root(), root);
    for path in [
        "a/b/c.md",
        "file",
        "a",
        "a/b",
        "new/deep/er",
        "./a",
        ".mnemo",
        "..a/b",
    ] {
        let expected = root.join(path.trim_start_matches("./"));
        assert_eq!(
            boundary.resolve(Path::new(path)).unwrap(),
            expected,
            "{path}"
        );
    }
    assert_eq!(boundary.resolve(Path::new("")).unwrap(), root);
    let absolute = root.join("file");
    for path in [
        "..",
        "a/../b",
        "a/..",
        "../x",
        "file/below",
        absolute.to_str().unwrap(),
    ] {
        let error = boundary.resolve(Path::new(path)).unwrap_err();
        assert!(matches!(error, Error::Refused { .. }), "{path}: {error}");
    }
    assert!(matches!(
        Boundary::new(&root.join("no")),
        Err(Error::Io { .. })
    ));
    let same = Boundary::of_resolved(root.clone());
    assert_eq!(same.resolve(Path::new("a/x")).unwrap(), root.join("a/x"));
}

#[test]
fn folders_are_made_with_their_parents() {
    let folder = folder();
    let path = folder.path().join("a/b/c");
    safe_file::create_private_dir(&path).unwrap();
    safe_file::create_private_dir(&path).unwrap();
    assert!(path.is_dir());
    std::fs::write(path.join("file"), b"").unwrap();
    for bad in ["file", "file/below", "file/below/that"] {
        let error = safe_file::create_private_dir(&path.join(bad)).unwrap_err();
        assert!(matches!(error, Error::Refused { .. }), "{bad}: {error}");
    }
}

#[test]
fn what_is_written_while_the_new_file_is_made_is_kept() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("a");
    fs::write(&path, "old\n").unwrap();
    let error = safe_file::put_if(&path, b"new\n", None, None, || {
        // The new one lies beside it by now.
        assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2);
        fs::write(&path, "old\nmine\n").unwrap();
        Err(safe_file::Error::Changed { path: path.clone() })
    });
    assert!(error.is_err());
    assert_eq!(fs::read(&path).unwrap(), b"old\nmine\n");
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1);
    safe_file::put_if(&path, b"new\n", None, None, || Ok(())).unwrap();
    assert_eq!(fs::read(&path).unwrap(), b"new\n");
}

#[test]
fn a_file_is_put_with_its_time_and_keeps_its_mode() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    assert_eq!(safe_file::stamp(&path).unwrap(), None);
    let time = std::time::UNIX_EPOCH + std::time::Duration::new(1_700_000_000, 5_000);
    safe_file::put(&path, b"one", None, Some(time)).unwrap();
    let stamp = safe_file::stamp(&path).unwrap().unwrap();
    assert_eq!(
        (stamp.modified, std::fs::read(&path).unwrap()),
        (time, b"one".to_vec())
    );
    safe_file::put(&path, b"two", Some(0o640), None).unwrap();
    let stamp = safe_file::stamp(&path).unwrap().unwrap();
    assert!(stamp.modified > time);
    safe_file::put(&path, b"three", None, None).unwrap();
    assert_eq!(safe_file::stamp(&path).unwrap().unwrap().mode, stamp.mode);
    if cfg!(unix) {
        assert_eq!(stamp.mode, Some(0o640));
    }
    safe_file::rename_durably(&path, "b").unwrap();
    assert!(safe_file::stamp(folder.path()).is_err() && !path.exists());
    assert!(safe_file::remove_durably(&folder.path().join("b")).unwrap());
    assert!(!safe_file::remove_durably(&folder.path().join("b")).unwrap());
}

#[test]
fn the_temporary_files_of_one_process_are_swept() {
    let folder = tempfile::tempdir().unwrap();
    for name in [
        ".12-0.mnemo-tmp",
        ".12-7.mnemo-tmp",
        ".123-0.mnemo-tmp",
        ".12-0.other",
    ] {
        std::fs::write(folder.path().join(name), b"").unwrap();
    }
    assert_eq!(safe_file::sweep_temps_of(folder.path(), 12).unwrap(), 2);
    assert_eq!(safe_file::sweep_temps_of(folder.path(), 12).unwrap(), 0);
    assert_eq!(
        safe_file::sweep_temps_of(&folder.path().join("none"), 12).unwrap(),
        0
    );
}
