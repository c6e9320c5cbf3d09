//! MEMORY.md and the memory files, and git's exclude file.

use crate::common::{append, date, entry, open, project};
use claude_hook::Role;
use mnemo_home::Language;
use std::fs;

const FILES: [&str; 5] = ["architecture", "patterns", "tools", "gotchas", "learned"];

#[test]
fn memory_is_scaffolded_once_in_each_language() {
    for (language, heading) in [
        (Language::Ko, "## 프로젝트 목표"),
        (Language::En, "## Project goals"),
        (Language::De, "## Projektziele"),
        (Language::Zh, "## 项目目标"),
    ] {
        let (_dir, record) = project();
        assert!(record.lacks_scaffold());
        record.scaffold(language, date()).unwrap();
        assert!(!record.lacks_scaffold());
        let root = record.root().path();
        let index = fs::read_to_string(root.join("MEMORY.md")).unwrap();
        assert!(index.lines().count() <= 40, "{index}");
        assert!(index.contains(heading) && index.contains("2026-11-30") && index.ends_with('\n'));
        assert!(!index.contains("{}"));
        for file in FILES {
            assert!(index.contains(&format!(
                "## {file}/\n- [memory/{file}.md](memory/{file}.md) (`{}:`)\n",
                &file[..1]
            )));
            let text = fs::read_to_string(root.join(format!("memory/{file}.md"))).unwrap();
            assert!(
                text.starts_with("# ") && text.contains("\n\n> ") && text.ends_with("\n\n---\n")
            );
        }
        let exclude = fs::read_to_string(root.join(".git/info/exclude")).unwrap();
        assert_eq!(
            exclude,
            "# mnemo: private by default\n/memory/\n/MEMORY.md\n"
        );
        fs::write(root.join("MEMORY.md"), "mine").unwrap();
        record.scaffold(language, date()).unwrap();
        assert_eq!(fs::read_to_string(root.join("MEMORY.md")).unwrap(), "mine");
    }
}

#[test]
fn the_korean_words_are_those_users_know() {
    let (_dir, record) = project();
    record.scaffold(Language::Ko, date()).unwrap();
    let root = record.root().path();
    let index = fs::read_to_string(root.join("MEMORY.md")).unwrap();
    assert!(index.contains("\n## 키워드 인덱스\n"));
    let tools = fs::read_to_string(root.join("memory/tools.md")).unwrap();
    assert!(tools.contains("\n> MEMORY.md 키워드 인덱스에서 이 파일로 연결됩니다.\n"));
}

#[test]
fn what_a_person_has_is_left_alone_and_not_hidden() {
    let (_dir, record) = project();
    let root = record.root().path();
    fs::create_dir(root.join("memory")).unwrap();
    fs::write(root.join("memory/tools.md"), "mine").unwrap();
    record.scaffold(Language::En, date()).unwrap();
    assert_eq!(
        fs::read_to_string(root.join("memory/tools.md")).unwrap(),
        "mine"
    );
    let exclude = fs::read_to_string(root.join(".git/info/exclude")).unwrap();
    assert_eq!(
        exclude,
        "# mnemo: private by default\n/memory/architecture.md\n/memory/patterns.md\n/memory/gotchas.md\n/memory/learned.md\n/MEMORY.md\n"
    );
}

#[test]
fn git_status_stays_as_it_was() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().join("p q");
    fs::create_dir(&root).unwrap();
    let git = |args: &[&str]| {
        let out = std::process::Command::new("git")
            .args(args)
            .current_dir(&root)
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .output()
            .unwrap();
        assert!(out.status.success(), "{args:?}");
        String::from_utf8(out.stdout).unwrap()
    };
    git(&["init", "-q"]);
    let exclude = root.join(".git/info/exclude");
    fs::write(&exclude, "*.o").unwrap();
    // A root inside the repository that has its own marker.
    let inner = root.join("a b/[c]");
    fs::create_dir_all(&inner).unwrap();
    fs::write(inner.join(".mnemo-root"), "").unwrap();
    git(&["add", "."]);
    let before = git(&["status", "--porcelain"]);
    for place in [root.as_path(), inner.as_path()] {
        let record = open(place);
        append(&record, &[entry(Role::User, "a", "x")]);
        record.scaffold(Language::En, date()).unwrap();
        assert_eq!(record.take_warnings(), [] as [String; 0]);
    }
    assert_eq!(git(&["status", "--porcelain"]), before);
    let text = fs::read_to_string(&exclude).unwrap();
    assert!(
        text.starts_with("*.o\n# mnemo: private by default\n/conversations/\n"),
        "{text}"
    );
    // Whoever wants to share deletes the lines; they do not come back.
    fs::write(&exclude, "").unwrap();
    append(&open(&root), &[entry(Role::User, "a", "x")]);
    assert_eq!(fs::read_to_string(&exclude).unwrap(), "");
}

#[test]
fn an_exclude_file_that_leads_elsewhere_is_left_alone() {
    let (dir, record) = project();
    let root = record.root().path();
    let outside = dir.path().join("outside");
    fs::write(&outside, "mine").unwrap();
    fs::create_dir(root.join(".git/info")).unwrap();
    std::os::unix::fs::symlink(&outside, root.join(".git/info/exclude")).unwrap();
    append(&record, &[entry(Role::User, "a", "x")]);
    assert_eq!(fs::read_to_string(&outside).unwrap(), "mine");
    assert_eq!(record.take_warnings().len(), 1);
    assert_eq!(record.take_warnings().len(), 0);
}

#[test]
fn a_folder_that_was_there_before_is_not_hidden() {
    let (_dir, record) = project();
    let root = record.root().path();
    fs::create_dir(root.join("conversations")).unwrap();
    append(&record, &[entry(Role::User, "a", "x")]);
    let exclude = fs::read_to_string(root.join(".git/info/exclude")).unwrap();
    assert_eq!(
        exclude,
        "# mnemo: private by default\n/conversations/.mnemo*\n"
    );
}
