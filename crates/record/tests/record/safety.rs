//! What a hostile repository, a loose umask or a kill can do: nothing.

use crate::common::{append, date, entry, noon, project};
use claude_hook::Role;
use mnemo_home::Language;
use record::Error;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o777
}

fn is_refused<T>(result: &Result<T, Error>) -> bool {
    matches!(result, Err(Error::File(safe_file::Error::Refused { .. })))
}

#[test]
fn folders_and_files_are_private() {
    let (_dir, record) = project();
    append(&record, &[entry(Role::User, "a", "x")]);
    record.scaffold(Language::En, date()).unwrap();
    let root = record.root().path();
    for folder in ["conversations", "memory"] {
        assert_eq!(mode(&root.join(folder)), 0o700);
        for file in fs::read_dir(root.join(folder)).unwrap() {
            assert_eq!(mode(&file.unwrap().path()), 0o600);
        }
    }
    assert_eq!(mode(&root.join("MEMORY.md")), 0o600);
}

#[test]
fn no_umask_makes_them_less_private_or_unusable() {
    for umask in ["000", "777"] {
        let (_dir, record) = project();
        let root = record.root().path();
        crate::crowd::writer_under(root, umask);
        assert_eq!(mode(&root.join("conversations")), 0o700, "umask {umask}");
        assert_eq!(mode(&record.day_path(date()).unwrap()), 0o600);
        assert_eq!(mode(&root.join("memory/learned")), 0o700);
        assert_eq!(mode(&root.join("memory/learned/observations.jsonl")), 0o600);
    }
}

#[test]
fn links_that_lead_outside_are_refused() {
    let (dir, record) = project();
    let outside = dir.path().join("outside");
    fs::create_dir(&outside).unwrap();
    let root = record.root().path();
    symlink(&outside, root.join("conversations")).unwrap();
    symlink(&outside, root.join("memory")).unwrap();
    symlink(outside.join("new"), root.join("MEMORY.md")).unwrap();
    assert!(is_refused(&record.conversations()));
    assert!(is_refused(&record.days()));
    assert!(
        record.scaffold(Language::En, date()).is_ok(),
        "nothing lacks, nothing is made"
    );
    let call = crate::tools::call("Bash", r#"{"command":"ls"}"#);
    assert!(is_refused(&record.log_tool(noon(), &call)));
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
    fs::remove_file(root.join("conversations")).unwrap();
    fs::create_dir(root.join("conversations")).unwrap();
    symlink(
        outside.join("x"),
        root.join(format!("conversations/{}-claude.md", date())),
    )
    .unwrap();
    let mut conversations = record.conversations().unwrap();
    assert!(is_refused(
        &conversations.append(noon(), &[entry(Role::User, "a", "x")])
    ));
    assert_eq!(fs::read_dir(&outside).unwrap().count(), 0);
}

#[test]
fn devices_and_fifos_are_refused() {
    let (_dir, record) = project();
    let root = record.root().path();
    fs::create_dir(root.join("conversations")).unwrap();
    let path = root.join(format!("conversations/{}-claude.md", date()));
    let made = std::process::Command::new("mkfifo")
        .arg(&path)
        .status()
        .unwrap();
    assert!(made.success());
    let mut conversations = record.conversations().unwrap();
    assert!(is_refused(
        &conversations.append(noon(), &[entry(Role::User, "a", "x")])
    ));
    assert!(is_refused(&conversations.digest(date())));
}
