//! Kills and failures at every step; the whole tree is compared, bytes, modes and times.

use crate::{ChangeSet, Error, Journal, recover, undo};
use mnemo_home::Env;
use proptest::prelude::*;
use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::rc::Rc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

type Files = BTreeMap<PathBuf, (Option<u32>, SystemTime, Vec<u8>)>;

fn as_it_is(text: &str) -> Cow<'_, str> {
    text.into()
}

/// Everything below a folder: files with mode, time and bytes, and the folders.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Tree {
    files: Files,
    folders: Vec<PathBuf>,
}

fn tree(root: &Path) -> Tree {
    fn walk(root: &Path, folder: &Path, into: &mut Tree) {
        let Ok(entries) = fs::read_dir(folder) else {
            return;
        };
        for entry in entries.flatten() {
            let path = entry.path();
            let name = path.strip_prefix(root).unwrap().to_owned();
            if path.is_dir() {
                into.folders.push(name);
                walk(root, &path, into);
            } else {
                let stamp = safe_file::stamp(&path).unwrap().unwrap();
                let bytes = fs::read(&path).unwrap();
                into.files.insert(name, (stamp.mode, stamp.modified, bytes));
            }
        }
    }
    let mut tree = Tree::default();
    walk(root, root, &mut tree);
    tree.folders.sort();
    tree
}

/// Without the times: those of new files are those of the run.
fn content(tree: &Tree) -> Vec<(PathBuf, Option<u32>, Vec<u8>)> {
    tree.files
        .iter()
        .map(|(path, (mode, _, bytes))| (path.clone(), *mode, bytes.clone()))
        .collect()
}

struct Place {
    dir: tempfile::TempDir,
}

impl Place {
    /// A store with a CRLF file, a byte order mark, modes and old times.
    fn new() -> Self {
        let place = Self {
            dir: tempfile::tempdir().unwrap(),
        };
        let store = place.store();
        fs::create_dir_all(store.join("sub")).unwrap();
        for (age, (name, bytes)) in FILES.iter().enumerate() {
            let path = store.join(name);
            fs::write(&path, bytes).unwrap();
            let time = UNIX_EPOCH + Duration::new(1_700_000_000 + 86_400 * age as u64, 123_456_789);
            fs::File::options()
                .write(true)
                .open(&path)
                .unwrap()
                .set_modified(time)
                .unwrap();
            #[cfg(unix)]
            {
                use std::os::unix::fs::PermissionsExt;
                let mode = [0o600, 0o640, 0o444][age % 3];
                fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            }
        }
        place
    }

    fn store(&self) -> PathBuf {
        self.dir.path().canonicalize().unwrap().join("store")
    }

    fn undo_folder(&self) -> PathBuf {
        self.dir.path().join("state/mnemo/undo")
    }

    fn env(&self) -> Env {
        env_in(self.dir.path())
    }
}

const FILES: [(&str, &[u8]); 5] = [
    ("MEMORY.md", b"\xef\xbb\xbf# index\r\n- one\r\n- two"),
    ("one.md", b"one\n"),
    ("sub/three.md", b"\xff\xfe not text\0"),
    ("two.md", b"two\r\n"),
    ("untouched.md", b"stays\n"),
];

fn env_in(dir: &Path) -> Env {
    Env::from_pairs([
        ("HOME", dir.to_str().unwrap()),
        ("XDG_STATE_HOME", dir.join("state").to_str().unwrap()),
        ("MNEMO_NOW", "2026-11-30T14:03:22"),
    ])
}

/// One of each kind of change.
fn plan(store: &Path) -> ChangeSet {
    let read = |name: &str| fs::read(store.join(name)).unwrap();
    let mut set = ChangeSet::inside("garden apply", store).unwrap();
    set.rename(
        "one.md",
        "_archive/2026-11/one.md",
        read("one.md"),
        b"archived\n".to_vec(),
    )
    .keep_time();
    set.create("new.md", b"new".to_vec());
    set.create("a/b/deep.md", Vec::new());
    set.replace("sub/three.md", read("sub/three.md"), b"3\n".to_vec())
        .keep_time();
    set.remove("two.md", read("two.md"));
    set.replace("MEMORY.md", read("MEMORY.md"), b"# index\n".to_vec());
    set
}

fn apply(place: &Place) -> crate::Applied {
    plan(&place.store()).apply(&place.env()).unwrap()
}

/// The tree after [`plan`].
fn expected_new(old: &Tree) -> Vec<(PathBuf, Option<u32>, Vec<u8>)> {
    let mode_of = |name: &str| old.files[Path::new(name)].0;
    let private = cfg!(unix).then_some(0o600);
    let mut new = vec![
        ("MEMORY.md", mode_of("MEMORY.md"), b"# index\n".to_vec()),
        (
            "_archive/2026-11/one.md",
            mode_of("one.md"),
            b"archived\n".to_vec(),
        ),
        ("a/b/deep.md", private, Vec::new()),
        ("new.md", private, b"new".to_vec()),
        ("sub/three.md", mode_of("sub/three.md"), b"3\n".to_vec()),
        ("untouched.md", mode_of("untouched.md"), b"stays\n".to_vec()),
    ];
    new.sort();
    new.into_iter()
        .map(|(name, mode, bytes)| (name.into(), mode, bytes))
        .collect()
}

#[test]
fn a_set_is_carried_out_listed_and_taken_back_byte_for_byte() {
    let place = Place::new();
    let old = tree(&place.store());
    let applied = apply(&place);
    let new = tree(&place.store());
    assert_eq!(content(&new), expected_new(&old));
    let three = Path::new("sub/three.md");
    assert_eq!(new.files[three].1, old.files[three].1, "it keeps its time");
    let moved = Path::new("_archive/2026-11/one.md");
    assert_eq!(new.files[moved].1, old.files[Path::new("one.md")].1);
    assert!(!place.undo_folder().join(".pending").exists());

    let list = undo::kept(&place.env()).unwrap().sets;
    assert_eq!(list.len(), 1);
    assert_eq!(Some(&list[0].set), applied.set.as_ref());
    assert!(!list[0].undone && list[0].files.len() == 7);

    let would = undo::last(&place.env(), true, as_it_is, |_| true)
        .unwrap()
        .unwrap();
    assert!(would.diff.contains("+++ two.md"), "{}", would.diff);
    assert_eq!(tree(&place.store()), new, "a dry run changes nothing");

    let undone = undo::last(&place.env(), false, as_it_is, |_| true)
        .unwrap()
        .unwrap();
    assert!(undone.entry.undone);
    assert_eq!(tree(&place.store()), old);
    assert!(undo::kept(&place.env()).unwrap().sets[0].undone);
    assert!(
        undo::last(&place.env(), false, as_it_is, |_| true)
            .unwrap()
            .is_none()
    );
}

#[test]
fn undoing_walks_further_back() {
    let place = Place::new();
    let mut states = vec![tree(&place.store())];
    for number in 0..3 {
        let mut set = ChangeSet::inside("memory add", &place.store()).unwrap();
        set.create(format!("n{number}.md"), vec![b'x'; number]);
        set.apply(&place.env()).unwrap();
        states.push(tree(&place.store()));
    }
    states.pop();
    for state in states.into_iter().rev() {
        undo::last(&place.env(), false, as_it_is, |_| true)
            .unwrap()
            .unwrap();
        assert_eq!(tree(&place.store()), state);
    }
    assert!(
        undo::last(&place.env(), false, as_it_is, |_| true)
            .unwrap()
            .is_none()
    );
    assert_eq!(undo::kept(&place.env()).unwrap().sets.len(), 3);
}

#[test]
fn what_changed_since_is_named_and_nothing_is_undone() {
    let place = Place::new();
    apply(&place);
    fs::write(place.store().join("new.md"), b"mine").unwrap();
    fs::write(place.store().join("two.md"), b"back already").unwrap();
    let now = tree(&place.store());
    for dry_run in [true, false] {
        let error = undo::last(&place.env(), dry_run, as_it_is, |_| true).unwrap_err();
        assert_eq!(error.exit_code(), 4);
        let text = error.to_string();
        assert!(text.contains("new.md (changed)"), "{text}");
        assert!(text.contains("two.md (there is one now)"), "{text}");
        assert!(!text.contains("MEMORY.md"), "{text}");
        assert_eq!(tree(&place.store()), now);
    }
}

#[test]
fn a_plan_that_is_out_of_date_is_refused() {
    let place = Place::new();
    let set = plan(&place.store());
    fs::write(place.store().join("new.md"), b"somebody was faster").unwrap();
    fs::remove_file(place.store().join("two.md")).unwrap();
    let now = tree(&place.store());
    let error = set.apply(&place.env()).unwrap_err();
    assert_eq!(error.exit_code(), 4);
    let Error::Changed(files) = &error else {
        panic!("{error}")
    };
    assert_eq!(files.len(), 2, "{error}");
    assert_eq!(tree(&place.store()), now);
    assert!(undo::kept(&place.env()).unwrap().sets.is_empty());
}

#[test]
fn a_change_by_an_editor_in_the_middle_is_not_overwritten() {
    let place = Place::new();
    let old = tree(&place.store());
    let index = place.store().join("MEMORY.md");
    let count = Cell::new(0);
    let hook = {
        let index = index.clone();
        Box::new(move || {
            count.set(count.get() + 1);
            // After the first of the files, before the index.
            if count.get() == 7 {
                fs::write(&index, b"mine").unwrap();
            }
            Ok(())
        })
    };
    let journal = Journal::open_with(&place.env(), Some(hook)).unwrap();
    let error = journal.apply(&plan(&place.store())).unwrap_err();
    assert_eq!(error.exit_code(), 4, "{error}");
    assert!(error.to_string().contains("MEMORY.md (changed)"), "{error}");
    let mut now = tree(&place.store());
    assert_eq!(now.files.remove(Path::new("MEMORY.md")).unwrap().2, b"mine");
    let mut old = old;
    old.files.remove(Path::new("MEMORY.md"));
    assert_eq!(now, old);
}

/// Writing the new file takes its time: what somebody adds to the old one until it is swapped is kept.
#[test]
fn what_is_added_to_a_file_at_any_moment_stays() {
    let mut refused = 0;
    for moment in 1.. {
        let place = Place::new();
        let index = place.store().join("MEMORY.md");
        let count = Rc::new(Cell::new(0));
        let hook = {
            let (index, count) = (index.clone(), count.clone());
            Box::new(move || {
                count.set(count.get() + 1);
                if count.get() == moment {
                    let mut now = fs::read(&index).unwrap();
                    now.extend_from_slice(b"\nmine\n");
                    fs::write(&index, now).unwrap();
                }
                Ok(())
            })
        };
        let journal = Journal::open_with(&place.env(), Some(hook)).unwrap();
        let applied = journal.apply(&plan(&place.store()));
        refused += u32::from(applied.is_err());
        if count.get() < moment {
            break;
        }
        let now = fs::read(&index).unwrap();
        assert!(now.ends_with(b"\nmine\n"), "{moment}: {now:?}");
    }
    assert!(refused > 10, "{refused}");
}

#[test]
fn an_empty_plan_leaves_no_trace() {
    let place = Place::new();
    let mut set = ChangeSet::inside("memory update", &place.store()).unwrap();
    set.replace("one.md", b"one\n".to_vec(), b"one\n".to_vec());
    assert!(set.is_empty() && set.diff(as_it_is).is_empty());
    assert_eq!(set.apply(&place.env()).unwrap().set, None);
    assert!(undo::kept(&place.env()).unwrap().sets.is_empty());
}

#[test]
fn without_a_home_nothing_is_changed() {
    let place = Place::new();
    let old = tree(&place.store());
    let error = plan(&place.store()).apply(&Env::default()).unwrap_err();
    assert_eq!(error.exit_code(), 3);
    assert_eq!(tree(&place.store()), old);
    assert!(recover(&Env::default()).unwrap().is_empty());
    assert!(
        undo::last(&Env::default(), false, as_it_is, |_| true)
            .unwrap()
            .is_none()
    );
}

#[test]
fn a_folder_that_was_not_there_goes_again() {
    let place = Place::new();
    let folder = place.dir.path().join("projects/x/memory");
    let mut set = ChangeSet::inside("memory add", &folder).unwrap();
    set.create("MEMORY.md", b"# x\n".to_vec());
    set.apply(&place.env()).unwrap();
    assert!(folder.join("MEMORY.md").exists());
    undo::last(&place.env(), false, as_it_is, |_| true)
        .unwrap()
        .unwrap();
    assert!(!place.dir.path().join("projects").exists());
}

#[cfg(unix)]
#[test]
fn links_lead_nowhere_outside() {
    let place = Place::new();
    let outside = place.dir.path().join("outside.md");
    fs::write(&outside, b"outside").unwrap();
    std::os::unix::fs::symlink(&outside, place.store().join("link.md")).unwrap();
    let mut set = ChangeSet::inside("memory update", &place.store()).unwrap();
    set.replace("link.md", b"outside".to_vec(), b"x".to_vec());
    assert_eq!(set.apply(&place.env()).unwrap_err().exit_code(), 4);
    for path in ["../outside.md", "/etc/hostname"] {
        let mut set = ChangeSet::inside("memory update", &place.store()).unwrap();
        set.put(path, None, Some(b"x".to_vec()));
        assert_eq!(set.apply(&place.env()).unwrap_err().exit_code(), 4);
    }
    // A link inside is written through, but not removed.
    std::os::unix::fs::symlink("one.md", place.store().join("inside.md")).unwrap();
    let mut set = ChangeSet::inside("memory remove", &place.store()).unwrap();
    set.remove("inside.md", b"one\n".to_vec());
    assert_eq!(set.apply(&place.env()).unwrap_err().exit_code(), 4);
    let mut set = ChangeSet::inside("memory update", &place.store()).unwrap();
    set.replace("inside.md", b"one\n".to_vec(), b"1\n".to_vec());
    set.apply(&place.env()).unwrap();
    assert_eq!(fs::read(place.store().join("one.md")).unwrap(), b"1\n");
    undo::last(&place.env(), false, as_it_is, |_| true)
        .unwrap()
        .unwrap();
    // A folder swapped for a link after the change is not followed by the undo.
    apply(&place);
    fs::rename(
        place.store().join("sub"),
        place.dir.path().join("elsewhere"),
    )
    .unwrap();
    std::os::unix::fs::symlink(
        place.dir.path().join("elsewhere"),
        place.store().join("sub"),
    )
    .unwrap();
    let error = undo::last(&place.env(), false, as_it_is, |_| true).unwrap_err();
    assert!(
        error.to_string().contains("links lead elsewhere"),
        "{error}"
    );
    assert_eq!(fs::read(&outside).unwrap(), b"outside");
}

#[cfg(unix)]
#[test]
fn the_undo_folder_is_private_and_small() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::new();
    for number in 0..25 {
        let mut set = ChangeSet::inside("memory add", &place.store()).unwrap();
        set.create(format!("n{number}.md"), b"secret".to_vec());
        set.apply(&place.env()).unwrap();
    }
    let list = undo::kept(&place.env()).unwrap().sets;
    assert_eq!(list.len(), 20);
    assert_eq!(list[0].files[0].path, Path::new("n24.md"));
    assert_eq!(list[19].files[0].path, Path::new("n5.md"));
    for entry in fs::read_dir(place.undo_folder()).unwrap().flatten() {
        let mode = entry.metadata().unwrap().permissions().mode() & 0o777;
        let folder = entry.path().is_dir();
        assert_eq!(mode, if folder { 0o700 } else { 0o600 });
        if folder {
            for file in fs::read_dir(entry.path()).unwrap().flatten() {
                assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600);
            }
        }
    }
    // One that is larger than everything may be is kept, alone.
    let mut set = ChangeSet::inside("memory add", &place.store()).unwrap();
    set.create("large.bin", vec![0; 101_000_000]);
    set.apply(&place.env()).unwrap();
    assert_eq!(undo::kept(&place.env()).unwrap().sets.len(), 1);
}

/// Every change to the disk fails from the `n`th on; or that one alone.
fn failing(n: u32, only: bool) -> Box<dyn Fn() -> io::Result<()>> {
    let left = Cell::new(n);
    Box::new(move || {
        let now = left.get();
        left.set(now.saturating_sub(1));
        if now == 1 {
            left.set(u32::from(!only));
            return Err(io::ErrorKind::StorageFull.into());
        }
        Ok(())
    })
}

/// How often a change to the disk is made by an apply and by an undo.
const STEPS: u32 = 80;

#[test]
fn a_failure_at_any_step_of_applying_leaves_the_old_or_the_new_state() {
    let (mut put_back, mut in_part, mut done) = (0, 0, 0);
    for only in [true, false] {
        for n in 1..STEPS {
            let place = Place::new();
            let old = tree(&place.store());
            let journal = Journal::open_with(&place.env(), Some(failing(n, only))).unwrap();
            let result = journal.apply(&plan(&place.store()));
            drop(journal);
            let now = tree(&place.store());
            match result {
                Ok(_) => {
                    done += 1;
                    assert_eq!(content(&now), expected_new(&old), "{n}");
                }
                Err(Error::Part { .. }) => {
                    in_part += 1;
                    recover(&place.env()).unwrap();
                    let now = tree(&place.store());
                    assert!(
                        now == old || content(&now) == expected_new(&old),
                        "step {n}, only {only}: {now:?}"
                    );
                }
                Err(error) => {
                    put_back += 1;
                    assert!(error.to_string().contains("cannot"), "{error}");
                    assert_eq!(now, old, "step {n}, only {only}: {error}");
                    recover(&place.env()).unwrap();
                    assert_eq!(tree(&place.store()), old, "step {n}, only {only}");
                }
            }
            usable(&place, &old);
        }
    }
    assert!(
        put_back > 20 && in_part > 5 && done > 5,
        "{put_back} {in_part} {done}"
    );
}

#[test]
fn a_failure_at_any_step_of_undoing_leaves_the_old_or_the_new_state() {
    for only in [true, false] {
        for n in 1..STEPS {
            let place = Place::new();
            let old = tree(&place.store());
            apply(&place);
            let new = tree(&place.store());
            let journal = Journal::open_with(&place.env(), Some(failing(n, only))).unwrap();
            let mut set = journal.last(|_| true).unwrap().unwrap();
            let result = journal.undo(&mut set);
            drop(journal);
            match result {
                Ok(()) => assert_eq!(tree(&place.store()), old, "{n}"),
                Err(Error::PutBack { .. } | Error::File(_)) => {
                    let now = tree(&place.store());
                    assert!(now == new || now == old, "step {n}, only {only}");
                }
                Err(_) => {}
            }
            recover(&place.env()).unwrap();
            let now = tree(&place.store());
            assert!(now == old || now == new, "step {n}, only {only}");
            usable(&place, &old);
        }
    }
}

/// Whatever happened: the set can be applied (again) and taken back.
fn usable(place: &Place, old: &Tree) {
    if tree(&place.store()) == *old {
        apply(place);
    }
    assert_eq!(content(&tree(&place.store())), expected_new(old));
    undo::last(&place.env(), false, as_it_is, |_| true)
        .unwrap()
        .unwrap();
    assert_eq!(tree(&place.store()), *old);
    let left: Vec<_> = fs::read_dir(place.undo_folder())
        .unwrap()
        .flatten()
        .filter(|entry| entry.path().is_dir())
        .flat_map(|entry| fs::read_dir(entry.path()).unwrap().flatten())
        .filter(|entry| {
            let name = entry.file_name();
            !["bytes", "undone.json"].contains(&name.to_str().unwrap())
        })
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

const CHILD: &str = "CHANGES_TEST_CHILD";
const STOP: &str = "CHANGES_TEST_STOP";
const WORK: &str = "CHANGES_TEST_WORK";

/// Not a test of its own: what the killed process does.
#[test]
fn child() {
    let (Ok(dir), Ok(work)) = (std::env::var(CHILD), std::env::var(WORK)) else {
        return;
    };
    let dir = PathBuf::from(dir).canonicalize().unwrap();
    let stop: u32 = std::env::var(STOP).unwrap().parse().unwrap();
    let count = Cell::new(0);
    let hook = Box::new(move || {
        count.set(count.get() + 1);
        if count.get() == stop {
            std::process::abort();
        }
        Ok(())
    });
    let store = dir.join("store");
    let journal = Journal::open_with(&env_in(&dir), Some(hook)).unwrap();
    match work.as_str() {
        "apply" => {
            journal.apply(&plan(&store)).unwrap();
        }
        "logs" => {
            journal.apply(&logs(&store)).unwrap();
        }
        "undo" => journal
            .undo(&mut journal.last(|_| true).unwrap().unwrap())
            .unwrap(),
        _ => loop {
            if journal.last(|_| true).unwrap().is_none() {
                journal.apply(&plan(&store)).unwrap();
            }
            journal
                .undo(&mut journal.last(|_| true).unwrap().unwrap())
                .unwrap();
        },
    }
}

fn start(place: &Place, work: &str, stop: u32) -> Child {
    Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "tests::child", "--test-threads=1"])
        .env(CHILD, place.dir.path())
        .env(STOP, stop.to_string())
        .env(WORK, work)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap()
}

/// Kills at every step; returns how many of them ended in the old and in the new state.
fn die_at_every_step(work: &str) -> (u32, u32) {
    let (mut olds, mut news) = (0, 0);
    for stop in 1.. {
        let place = Place::new();
        let old = tree(&place.store());
        if work == "undo" {
            apply(&place);
        }
        let ended_well = start(&place, work, stop).wait().unwrap().success();
        recover(&place.env()).unwrap();
        let now = tree(&place.store());
        if now == old {
            olds += 1;
        } else {
            assert_eq!(content(&now), expected_new(&old), "{work}, step {stop}");
            assert_eq!(now.folders.len(), 5, "{:?}", now.folders);
            news += 1;
        }
        assert!(!place.undo_folder().join(".pending").exists());
        usable(&place, &old);
        if ended_well {
            break;
        }
    }
    (olds, news)
}

#[test]
fn a_kill_at_any_step_of_applying_ends_in_the_old_or_the_new_state() {
    let (olds, news) = die_at_every_step("apply");
    // Before the description has its name, and after.
    assert!(olds >= 4 && news >= 20, "{olds} {news}");
}

#[test]
fn a_kill_at_any_step_of_undoing_ends_in_the_old_or_the_new_state() {
    let (olds, news) = die_at_every_step("undo");
    assert!(olds >= 15 && news >= 1, "{olds} {news}");
}

#[test]
fn kills_at_random_moments_end_in_the_old_or_the_new_state() {
    let place = Place::new();
    let old = tree(&place.store());
    let (mut olds, mut news) = (0, 0);
    let mut seed = 0x9e37_79b9_7f4a_7c15_u64;
    for round in 0..200 {
        let mut child = start(&place, "loop", u32::MAX);
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        std::thread::sleep(Duration::from_micros(3_000 + seed % 20_000));
        child.kill().unwrap();
        child.wait().unwrap();
        recover(&place.env()).unwrap();
        let now = tree(&place.store());
        if now == old {
            olds += 1;
        } else {
            assert_eq!(content(&now), expected_new(&old), "round {round}");
            news += 1;
        }
    }
    if tree(&place.store()) != old {
        undo::last(&place.env(), false, as_it_is, |_| true)
            .unwrap()
            .unwrap();
    }
    assert_eq!(tree(&place.store()), old);
    assert!(olds > 0 && news > 0, "{olds} {news}");
}

#[test]
fn what_somebody_changed_after_the_kill_stays() {
    for stop in 1..40 {
        let place = Place::new();
        let old = tree(&place.store());
        if start(&place, "apply", stop).wait().unwrap().success() {
            break;
        }
        let index = place.store().join("MEMORY.md");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            fs::set_permissions(&index, fs::Permissions::from_mode(0o600)).unwrap();
        }
        fs::write(&index, b"mine").unwrap();
        recover(&place.env()).unwrap();
        let now = tree(&place.store());
        assert_eq!(now.files[Path::new("MEMORY.md")].2, b"mine", "step {stop}");
        // The others are all old or all new.
        let strip = |mut tree: Vec<(PathBuf, Option<u32>, Vec<u8>)>| {
            tree.retain(|(path, ..)| path != Path::new("MEMORY.md"));
            tree
        };
        let others = strip(content(&now));
        assert!(
            others == strip(content(&old)) || others == strip(expected_new(&old)),
            "step {stop}: {others:?}"
        );
        assert!(recover(&place.env()).unwrap().is_empty());
    }
}

/// Lines that move from one log to another, and how many of each were seen.
fn logs(store: &Path) -> ChangeSet {
    let read = |name: &str| fs::read(store.join(name)).unwrap();
    let mut set = ChangeSet::inside("reclassify", store).unwrap();
    let lock = store.join(".lock");
    set.put(
        "good.log",
        Some(read("good.log")),
        Some(b"g0\ng1\ng2\ng3\n".to_vec()),
    )
    .grows_under(lock.clone())
    .moves_into("old");
    set.put("bad.log", Some(read("bad.log")), Some(b"b1\nb2\n".to_vec()))
        .grows_under(lock)
        .moves_into("old");
    set.replace("seen", read("seen"), b"1 3 7\n".to_vec())
        .counts(["bad.log", "good.log"]);
    set
}

/// A store with logs; the killed process leaves it, and then a log is moved away.
fn place_with_logs() -> Place {
    let place = Place::new();
    let store = place.store();
    fs::write(store.join("good.log"), "g0\n").unwrap();
    fs::write(store.join("bad.log"), "g1\nb1\ng2\nb2\ng3\n").unwrap();
    fs::write(store.join("seen"), "3 1 7\n").unwrap();
    place
}

/// What who appends does to a log that became large.
fn move_away(store: &Path, log: &str, field: usize) {
    let path = store.join(log);
    let text = fs::read_to_string(&path).unwrap() + "x\n";
    fs::create_dir_all(store.join("old")).unwrap();
    fs::write(store.join("old").join(log), &text).unwrap();
    fs::write(&path, "y\n").unwrap();
    let mut seen: Vec<i64> = fs::read_to_string(store.join("seen"))
        .unwrap()
        .split_whitespace()
        .map(|number| number.parse().unwrap())
        .collect();
    seen[field] -= i64::try_from(text.lines().count()).unwrap();
    let seen: Vec<String> = seen.iter().map(i64::to_string).collect();
    fs::write(store.join("seen"), seen.join(" ") + "\n").unwrap();
}

fn logged(store: &Path) -> (Vec<String>, String) {
    let files = ["old/good.log", "good.log", "old/bad.log", "bad.log"];
    let text = files.map(|file| fs::read_to_string(store.join(file)).unwrap_or_default());
    let mut lines: Vec<String> = text.concat().lines().map(str::to_owned).collect();
    lines.sort();
    let seen = fs::read_to_string(store.join("seen")).unwrap();
    (lines, seen)
}

#[test]
fn a_log_that_is_moved_away_after_a_kill_is_followed() {
    let each_once = ["b1", "b2", "g0", "g1", "g2", "g3", "x", "y"];
    for (log, field, old_seen, new_seen) in [
        ("bad.log", 0, "-3 1 7\n", "-2 3 7\n"),
        ("good.log", 1, "3 -1 7\n", "1 -2 7\n"),
    ] {
        for work in ["logs", "undo"] {
            let (mut olds, mut news) = (0, 0);
            for stop in 1.. {
                let place = place_with_logs();
                let store = place.store();
                if work == "undo" {
                    logs(&store).apply(&place.env()).unwrap();
                }
                let ended_well = start(&place, work, stop).wait().unwrap().success();
                move_away(&store, log, field);
                let recovered = recover(&place.env()).unwrap();
                assert!(
                    recovered.iter().all(|one| one.left.is_empty()),
                    "{recovered:?}"
                );
                let (lines, seen) = logged(&store);
                assert_eq!(lines, each_once, "{log}, {work}, step {stop}");
                if seen == old_seen {
                    olds += 1;
                } else {
                    assert_eq!(seen, new_seen, "{log}, {work}, step {stop}");
                    news += 1;
                    undo::last(&place.env(), false, as_it_is, |_| true)
                        .unwrap()
                        .unwrap();
                    let now = logged(&store);
                    assert_eq!(
                        now,
                        (lines, old_seen.to_owned()),
                        "{log}, {work}, step {stop}"
                    );
                }
                if ended_well {
                    break;
                }
            }
            assert!(olds >= 1 && news >= 1, "{log}, {work}: {olds} {news}");
        }
    }
}

#[test]
fn a_log_that_is_gone_after_a_kill_takes_no_line_with_it_that_the_other_holds() {
    for work in ["logs", "undo"] {
        for stop in 1.. {
            let place = place_with_logs();
            let store = place.store();
            if work == "undo" {
                logs(&store).apply(&place.env()).unwrap();
            }
            let ended_well = start(&place, work, stop).wait().unwrap().success();
            let before = logged(&store).0;
            fs::remove_file(store.join("bad.log")).unwrap();
            let left = logged(&store).0;
            recover(&place.env()).unwrap();
            let now = logged(&store).0;
            assert!(
                left.iter().all(|line| now.contains(line)),
                "{work}, {stop}: {before:?} {now:?}"
            );
            if ended_well {
                break;
            }
        }
    }
}

/// A folder that was moved away, or that cannot be read now, is not made anew; others are changed as
/// ever, and when it is there again the change comes to its end.
#[test]
fn a_set_whose_folder_cannot_be_reached_waits_and_stops_nobody_else() {
    for in_its_place in [false, true] {
        let mut waited = false;
        for stop in 10..40 {
            let place = Place::new();
            let old = tree(&place.store());
            if start(&place, "apply", stop).wait().unwrap().success() {
                break;
            }
            let away = place.dir.path().join("away");
            fs::rename(place.store(), &away).unwrap();
            if in_its_place {
                fs::write(place.store(), b"a file").unwrap();
            }
            assert!(recover(&place.env()).unwrap().is_empty());
            assert_eq!(place.store().exists(), in_its_place, "step {stop}");
            let other = place.dir.path().join("other");
            fs::create_dir(&other).unwrap();
            let mut set = ChangeSet::inside("memory add", &other).unwrap();
            set.create("a.md", b"a".to_vec());
            set.apply(&place.env()).unwrap();
            assert!(
                undo::last(&place.env(), false, as_it_is, |_| true)
                    .unwrap()
                    .is_some()
            );
            if in_its_place {
                fs::remove_file(place.store()).unwrap();
            }
            fs::rename(&away, place.store()).unwrap();
            waited |= !recover(&place.env()).unwrap().is_empty();
            let now = tree(&place.store());
            assert!(
                now == old || content(&now) == expected_new(&old),
                "step {stop}"
            );
        }
        assert!(waited);
    }
}

#[test]
fn a_damaged_set_stops_nobody_and_keeps_its_bytes() {
    let place = Place::new();
    let old = tree(&place.store());
    assert!(!start(&place, "apply", 9).wait().unwrap().success());
    let set = fs::read_dir(place.undo_folder())
        .unwrap()
        .flatten()
        .find(|entry| entry.path().is_dir())
        .unwrap()
        .path();
    fs::write(set.join("applying.json"), b"{").unwrap();
    let recovered = recover(&place.env()).unwrap();
    assert!(
        recovered[0].to_string().contains("damaged"),
        "{recovered:?}"
    );
    assert!(set.join("bytes").exists());
    assert!(recover(&place.env()).unwrap().is_empty());
    fs::remove_dir_all(place.store()).unwrap();
    let fresh = Place::new();
    assert_eq!(content(&tree(&fresh.store())), content(&old));
    usable(&fresh, &old);
}

#[test]
fn applies_at_once_wait_for_each_other() {
    let place = Place::new();
    let store = place.store();
    let dir = place.dir.path().to_owned();
    std::thread::scope(|scope| {
        for number in 0..20 {
            let (store, dir) = (&store, &dir);
            scope.spawn(move || {
                let journal = Journal::open(&env_in(dir)).unwrap();
                let mut set = ChangeSet::inside("memory add", store).unwrap();
                let index = Path::new("MEMORY.md");
                let before = set.read(index).unwrap().unwrap();
                let after = [&before[..], format!("- {number}\n").as_bytes()].concat();
                set.replace(index, before, after);
                set.create(format!("n{number}.md"), b"x".to_vec());
                journal.apply(&set).unwrap();
            });
        }
    });
    let index = fs::read_to_string(store.join("MEMORY.md")).unwrap();
    for number in 0..20 {
        assert!(index.contains(&format!("- {number}\n")), "{index}");
        assert!(store.join(format!("n{number}.md")).exists());
    }
    assert_eq!(undo::kept(&place.env()).unwrap().sets.len(), 20);
}

#[test]
fn a_diff_names_moves_and_sizes_and_steers_no_terminal() {
    let place = Place::new();
    let mut set = plan(&place.store());
    set.create("evil\u{1b}[31m.md", "a\u{202e}b\u{9b}\n".into());
    let diff = set.diff(as_it_is);
    assert!(
        diff.contains("moved: one.md -> _archive/2026-11/one.md\n"),
        "{diff}"
    );
    assert!(diff.contains("removed: two.md (5 bytes)\n"), "{diff}");
    assert!(diff.contains("--- /dev/null\n+++ new.md\n"), "{diff}");
    assert!(diff.contains("\n-- one"), "{diff}");
    assert!(
        !diff.contains(['\u{1b}', '\u{202e}', '\u{9b}', '\r']),
        "{diff}"
    );
    let json = serde_json::to_value(set.summary()).unwrap();
    assert_eq!(json[0]["change"], "moved");
    assert_eq!(json[0]["from"], "one.md");
}

fn some_bytes() -> impl Strategy<Value = Option<Vec<u8>>> {
    proptest::option::of(proptest::collection::vec(any::<u8>(), 0..40))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_set_comes_back_byte_for_byte(
        files in proptest::collection::btree_map("[a-c]{1,2}(/[d-f]{1,2})?\\.md", (some_bytes(), some_bytes(), any::<bool>()), 0..8)
    ) {
        let place = Place::new();
        let mut set = ChangeSet::inside("garden", &place.store()).unwrap();
        for (name, (before, after, keep)) in &files {
            let path = place.store().join(name);
            if let Some(bytes) = before {
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(&path, bytes).unwrap();
            }
            let change = set.put(name, before.clone(), after.clone());
            if *keep {
                change.keep_time();
            }
        }
        let old = tree(&place.store());
        let applied = set.apply(&place.env()).unwrap();
        for (name, (_, after, _)) in &files {
            prop_assert_eq!(&fs::read(place.store().join(name)).ok(), after);
        }
        let _ = set.diff(as_it_is);
        if applied.set.is_some() {
            undo::last(&place.env(), false, as_it_is, |_| true).unwrap().unwrap();
        }
        prop_assert_eq!(tree(&place.store()), old);
    }
}
