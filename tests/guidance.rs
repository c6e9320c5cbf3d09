//! Skills and rules as a user meets them: what install puts where, what is left alone, and that
//! taking everything out again leaves a home byte for byte as it was.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "tests make files, and a panic is how they fail"
)]

use mnemo_tests::env::Done;
use mnemo_tests::tree::Tree;
use mnemo_tests::{TestEnv, bins};
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::PathBuf;

const NAMES: [&str; 4] = ["memory-check", "memory-engine", "memory-garden", "mnemo"];

/// The home without mnemo's own state, which stays.
fn home(env: &TestEnv) -> Tree {
    Tree::of(&env.home()).without(&[".local"])
}

/// A home as people have one: settings, another skill, other files.
fn lived_in() -> TestEnv {
    let env = TestEnv::new();
    env.write(
        env.claude().join("settings.json"),
        "{\n  \"model\": \"x\"\n}\n",
    );
    env.write(
        env.claude().join("skills/mine/SKILL.md"),
        "---\nname: mine\n---\n",
    );
    env.write(env.claude().join("CLAUDE.md"), "# Mine\r\n\r\n- be brief");
    env
}

fn skill(env: &TestEnv, path: &str) -> PathBuf {
    env.claude().join("skills").join(path)
}

/// What became of a skill or block by its name, as the JSON report says.
fn fate(done: &Done, name: &str) -> String {
    let report = done.json();
    let skills = report["skills"].as_array().unwrap();
    let skill = skills.iter().find(|skill| skill["name"] == name);
    skill.map_or("", |s| s["fate"].as_str().unwrap()).to_owned()
}

// ---------------------------------------------------------------- skills

#[test]
fn install_puts_the_skills_in_place_and_uninstall_leaves_the_home_as_it_was() {
    for env in [TestEnv::new(), lived_in()] {
        let before = home(&env);
        let dry = env.mnemo(&["install", "--dry-run"]).ok();
        assert_eq!(home(&env), before, "a dry run writes nothing");
        for name in NAMES {
            assert!(
                dry.out()
                    .contains(&format!("Skill {name}: would be put in place")),
                "{dry:?}"
            );
        }
        assert!(dry.out().ends_with("Nothing was written.\n"), "{dry:?}");

        let done = env.mnemo(&["install"]).ok();
        let repository = Tree::of(&bins::workspace().join("skills"));
        let installed = Tree::of(&env.claude().join("skills")).without(&["mine"]);
        assert_eq!(installed.names(), repository.names());
        for name in repository.names() {
            let path = skill(&env, name);
            if path.is_dir() {
                assert_eq!(installed.mode(name), 0o700, "{name}");
            } else {
                assert_eq!(installed.mode(name), 0o600, "{name}");
                assert_eq!(installed.file(name), repository.file(name), "{name}");
            }
        }
        for name in NAMES {
            let says = format!(
                "Skill {name}: put in place ({})",
                skill(&env, name).display()
            );
            assert!(done.out().contains(&says), "{done:?}");
        }

        let wired = home(&env);
        let again = env.mnemo(&["install", "--json"]).ok();
        assert_eq!(home(&env), wired, "a second run changes nothing");
        for name in NAMES {
            assert_eq!(fate(&again, name), "present");
        }

        let dry = env.mnemo(&["uninstall", "--dry-run"]).ok();
        assert!(
            dry.out().contains("Skill mnemo: would be taken out"),
            "{dry:?}"
        );
        assert_eq!(home(&env), wired, "a dry run takes nothing out");
        let done = env.mnemo(&["uninstall", "--json"]).ok();
        for name in NAMES {
            assert_eq!(fate(&done, name), "removed");
        }
        assert_eq!(home(&env), before);
        let again = env.mnemo(&["uninstall"]).ok();
        assert!(!again.out().contains("Skill"), "{again:?}");
    }
}

#[test]
fn an_empty_folder_of_skills_that_was_there_stays() {
    let env = TestEnv::new();
    fs::create_dir_all(env.claude().join("skills")).unwrap();
    let before = home(&env);
    env.mnemo(&["install"]).ok();
    env.mnemo(&["uninstall"]).ok();
    assert_eq!(home(&env), before);
}

#[test]
fn without_skills_when_the_user_says_so() {
    let env = lived_in();
    let done = env.mnemo(&["install", "--no-skills"]).ok();
    assert!(!done.out().contains("Skill"), "{done:?}");
    assert_eq!(
        Tree::of(&env.claude().join("skills")).names(),
        ["mine", "mine/SKILL.md"]
    );
    env.mnemo(&["install"]).ok();
    assert!(skill(&env, "mnemo/SKILL.md").is_file());
}

#[test]
fn a_skill_of_somebody_else_is_left_alone_and_said() {
    let env = lived_in();
    let elsewhere = env.write(env.base().join("elsewhere/SKILL.md"), "theirs\n");
    symlink(elsewhere.parent().unwrap(), skill(&env, "mnemo")).unwrap();
    env.write(
        skill(&env, "memory-check/SKILL.md"),
        "---\nname: memory-check\n---\n",
    );
    // The very same text, put there by its user.
    let repository = bins::workspace().join("skills/memory-engine");
    for (name, node) in Tree::of(&repository).0 {
        if let mnemo_tests::tree::Node::File(_, bytes) = node {
            env.write(skill(&env, &format!("memory-engine/{name}")), bytes);
        }
    }
    let before = home(&env);
    let done = env.mnemo(&["install"]).ok();
    for name in ["mnemo", "memory-check"] {
        let says = format!("Skill {name}: a folder of that name is not mnemo's, left alone");
        assert!(done.out().contains(&says), "{done:?}");
    }
    let theirs = Tree::of(&env.claude().join("skills"));
    env.mnemo(&["install"]).ok();
    assert_eq!(Tree::of(&env.claude().join("skills")), theirs);
    env.mnemo(&["uninstall"]).ok();
    assert_eq!(home(&env), before);
    assert_eq!(fs::read_to_string(elsewhere).unwrap(), "theirs\n");
}

#[test]
fn a_skill_changed_by_hand_is_kept_and_said() {
    let env = lived_in();
    let before = home(&env);
    env.mnemo(&["install"]).ok();
    let mine = "---\nname: mnemo\n---\nmine\n";
    env.write(skill(&env, "mnemo/SKILL.md"), mine);
    let link = skill(&env, "memory-check/SKILL.md");
    let elsewhere = env.base().join("check.md");
    fs::rename(&link, &elsewhere).unwrap();
    symlink(&elsewhere, &link).unwrap();
    for _ in 0..2 {
        let done = env.mnemo(&["install"]).ok();
        for name in ["mnemo", "memory-check"] {
            let says = format!("Skill {name}: changed by hand since, left alone");
            assert!(done.out().contains(&says), "{done:?}");
        }
    }
    for _ in 0..2 {
        let done = env.mnemo(&["uninstall"]).ok();
        assert!(
            done.out()
                .contains("Skill mnemo: changed by hand since, left alone"),
            "{done:?}"
        );
    }
    let after = home(&env);
    assert_eq!(after.file(".claude/skills/mnemo/SKILL.md"), mine.as_bytes());
    assert!(
        after
            .names()
            .contains(&".claude/skills/memory-check/SKILL.md")
    );
    let kept = [".claude/skills/mnemo", ".claude/skills/memory-check"];
    assert_eq!(after.without(&kept), before);
    assert!(elsewhere.is_file());
}

#[test]
fn a_file_laid_beside_a_skill_stays() {
    let env = lived_in();
    let before = home(&env);
    env.mnemo(&["install"]).ok();
    env.write(skill(&env, "mnemo/references/mine.md"), "mine\n");
    env.mnemo(&["uninstall"]).ok();
    let after = home(&env);
    assert_eq!(
        after.file(".claude/skills/mnemo/references/mine.md"),
        b"mine\n"
    );
    assert_eq!(after.without(&[".claude/skills/mnemo"]), before);
}

#[test]
fn an_installation_cut_short_is_completed_and_an_older_text_renewed() {
    let env = lived_in();
    let before = home(&env);
    env.mnemo(&["install"]).ok();
    let whole = home(&env);
    fs::remove_file(skill(&env, "mnemo/references/search.md")).unwrap();
    fs::remove_dir_all(skill(&env, "memory-check")).unwrap();
    let done = env.mnemo(&["install", "--json"]).ok();
    assert_eq!(fate(&done, "mnemo"), "renewed");
    assert_eq!(fate(&done, "memory-check"), "added");
    assert_eq!(home(&env), whole);

    // What an older version would have left: its text, and its note of it.
    let old = "---\nname: memory-check\n---\nold\n";
    let hash = old.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    let note = env.state().join("guidance.json");
    let mut json: serde_json::Value = serde_json::from_slice(&fs::read(&note).unwrap()).unwrap();
    let folder = skill(&env, "memory-check");
    let files = &mut json["skills"][folder.to_str().unwrap()];
    let print = format!("{hash:016x}-{}", old.len());
    assert!(files["SKILL.md"].is_string(), "{files}");
    *files = serde_json::json!({ "SKILL.md": print, "gone.md": print });
    fs::write(&note, json.to_string()).unwrap();
    env.write(folder.join("SKILL.md"), old);
    env.write(folder.join("gone.md"), old);
    let done = env.mnemo(&["install"]).ok();
    assert!(
        done.out().contains("Skill memory-check: renewed"),
        "{done:?}"
    );
    assert_eq!(home(&env), whole);
    env.mnemo(&["uninstall"]).ok();
    assert_eq!(home(&env), before);
}

#[test]
fn installations_at_once_note_every_skill() {
    let env = lived_in();
    let before = home(&env);
    let all: Vec<_> = (0..6)
        .map(|_| env.cmd("mnemo").arg("install").start())
        .collect();
    for one in all {
        let done = one.wait().ok();
        assert!(!done.out().contains("left alone"), "{done:?}");
    }
    env.mnemo(&["uninstall"]).ok();
    assert_eq!(home(&env), before);
}

#[test]
fn a_file_in_the_way_is_refused_and_the_hooks_are_wired() {
    let env = TestEnv::new();
    env.write(env.claude().join("skills"), "a file\n");
    let done = env.mnemo(&["install"]).code(5);
    assert!(
        done.err().contains("the skills are not in place"),
        "{done:?}"
    );
    assert!(env.claude().join("settings.json").is_file());
    assert_eq!(fs::read(env.claude().join("skills")).unwrap(), b"a file\n");
    let settings = env.claude().join("settings.json");
    fs::remove_file(env.claude().join("skills")).unwrap();
    fs::write(&settings, "{ not JSON").unwrap();
    env.mnemo(&["install"]).code(4);
    assert!(!env.claude().join("skills").exists(), "nothing was changed");
}

#[test]
fn a_configuration_folder_elsewhere_gets_the_skills() {
    let mut env = TestEnv::new();
    let elsewhere = env.base().join("elsewhere");
    env.config_dir(&elsewhere);
    env.mnemo(&["install"]).ok();
    assert!(elsewhere.join("skills/mnemo/SKILL.md").is_file());
    assert!(!env.home().join(".claude").exists());
    env.mnemo(&["uninstall"]).ok();
    assert_eq!(Tree::of(&elsewhere).names(), [""; 0]);
}

// ---------------------------------------------------------------- rules

const MARKS: [&str; 4] = [
    "<!-- mnemo:checkpoint begin ",
    "<!-- mnemo:checkpoint end -->",
    "<!-- mnemo:standing begin ",
    "<!-- mnemo:standing end -->",
];

#[test]
fn rules_go_in_and_out_of_any_text_byte_for_byte() {
    let texts: [&[u8]; 8] = [
        b"",
        b"# T\n\n- one\n",
        b"# T\n\n- one",
        b"# T\r\n\r\n- one\r\n",
        b"# T\r\n- one",
        "\u{feff}# 규칙\n\n- 짧게\n".as_bytes(),
        "\u{feff}".as_bytes(),
        b"\n\n\n",
    ];
    let env = TestEnv::new();
    for (number, text) in texts.into_iter().enumerate() {
        let name = format!("CLAUDE-{number}.md");
        let path = env.write(&name, text);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        let dry = env.mnemo(&["rules", "install", &name, "--dry-run"]).ok();
        assert!(dry.out().contains(MARKS[0]), "{dry:?}");
        assert!(dry.out().ends_with("Nothing was written.\n"), "{dry:?}");
        assert_eq!(fs::read(&path).unwrap(), text);

        env.mnemo(&["rules", "install", &name]).ok();
        let with = fs::read(&path).unwrap();
        assert!(with.starts_with(text), "{name}");
        let said = String::from_utf8(with.clone()).unwrap();
        for mark in MARKS {
            assert_eq!(said.matches(mark).count(), 1, "{mark} in {said}");
        }
        if said.contains('\r') {
            assert!(!said.replace("\r\n", "").contains('\n'), "{said:?}");
        }
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o640
        );
        let again = env.mnemo(&["rules", "install", &name]).ok();
        assert!(again.out().contains("Nothing to do."), "{again:?}");
        assert_eq!(fs::read(&path).unwrap(), with);

        env.mnemo(&["undo"]).ok();
        assert_eq!(fs::read(&path).unwrap(), text, "undo, {name}");
        env.mnemo(&["rules", "install", &name]).ok();
        assert_eq!(fs::read(&path).unwrap(), with);
        let done = env.mnemo(&["rules", "uninstall", &name, "--json"]).ok();
        let report = done.json();
        assert_eq!(report["changed"], true);
        assert_eq!(
            report["blocks"],
            serde_json::json!([["checkpoint", "removed"], ["standing", "removed"]])
        );
        assert_eq!(fs::read(&path).unwrap(), text, "uninstall, {name}");
        env.mnemo(&["undo"]).ok();
        assert_eq!(fs::read(&path).unwrap(), with, "undo of uninstall, {name}");
    }
}

#[test]
fn a_file_that_rules_made_goes_away_again() {
    let env = TestEnv::new();
    let before = env.tree();
    env.mnemo(&["rules", "install", "CLAUDE.md"]).ok();
    assert_eq!(env.tree().mode("CLAUDE.md"), 0o644);
    env.mnemo(&["rules", "uninstall", "CLAUDE.md"]).ok();
    assert_eq!(env.tree(), before);
    env.mnemo(&["rules", "install", "CLAUDE.md"]).ok();
    env.mnemo(&["undo"]).ok();
    assert_eq!(env.tree(), before);
    let done = env.mnemo(&["rules", "uninstall", "CLAUDE.md"]).code(3);
    assert!(done.err().contains("is not there"), "{done:?}");
    // An empty one that was there stays.
    env.write("CLAUDE.md", "");
    let before = env.tree();
    env.mnemo(&["rules", "install", "CLAUDE.md"]).ok();
    env.mnemo(&["rules", "uninstall", "CLAUDE.md"]).ok();
    assert_eq!(env.tree(), before);
}

#[test]
fn a_link_stays_a_link() {
    let env = TestEnv::new();
    let real = env.write(env.base().join("dotfiles/CLAUDE.md"), "# Mine\n");
    symlink(&real, env.project().join("CLAUDE.md")).unwrap();
    let before = env.tree();
    env.mnemo(&["rules", "install", "CLAUDE.md"]).ok();
    assert_eq!(env.tree(), before, "the link itself");
    assert!(fs::read_to_string(&real).unwrap().contains(MARKS[0]));
    env.mnemo(&["rules", "uninstall", "CLAUDE.md"]).ok();
    assert_eq!(fs::read_to_string(&real).unwrap(), "# Mine\n");
    assert_eq!(env.tree(), before);
    // One that leads nowhere.
    fs::remove_file(&real).unwrap();
    let done = env.mnemo(&["rules", "install", "CLAUDE.md"]);
    assert!(matches!(done.status.code(), Some(3 | 4)), "{done:?}");
    assert!(!real.exists());
    assert_eq!(env.tree(), before);
}

#[test]
fn what_cannot_be_edited_is_refused_and_stays() {
    let env = TestEnv::new();
    env.write("latin.md", b"# caf\xe9\n");
    env.write("locked.md", "# T\n");
    fs::set_permissions(
        env.project().join("locked.md"),
        fs::Permissions::from_mode(0o444),
    )
    .unwrap();
    fs::create_dir(env.project().join("folder.md")).unwrap();
    env.mnemo(&["rules", "install", "whole.md"]).ok();
    let whole = fs::read_to_string(env.project().join("whole.md")).unwrap();
    let torn = whole.replace(&format!("{}\n", MARKS[1]), "");
    env.write("torn.md", &torn);
    env.write("twice.md", format!("{whole}{whole}"));
    env.write("end.md", format!("# T\n{}\n", MARKS[3]));
    let before = env.tree();
    for (name, code, says) in [
        ("latin.md", 3, "is not UTF-8"),
        ("locked.md", 4, "read-only"),
        ("folder.md", 4, "folder.md"),
        ("torn.md", 4, "never ends"),
        ("twice.md", 4, "a second beginning"),
        ("end.md", 4, "end.md:2: an end of a block"),
    ] {
        for what in ["install", "uninstall"] {
            if (what, name) == ("uninstall", "locked.md") {
                continue;
            }
            let done = env.mnemo(&["rules", what, name]).code(code);
            assert!(done.err().contains(says), "{done:?}");
            assert!(done.stdout.is_empty(), "{done:?}");
        }
    }
    assert_eq!(env.tree(), before);
    env.mnemo(&["rules", "install"]).code(2);
    env.mnemo(&["rules", "uninstall", "nowhere.md"]).code(3);
}

#[test]
fn a_block_changed_by_hand_is_left_alone_and_said() {
    let env = TestEnv::new();
    let path = env.write("CLAUDE.md", "# T\n");
    env.mnemo(&["rules", "install", "CLAUDE.md"]).ok();
    let whole = fs::read_to_string(&path).unwrap();
    let edited = whole.replace(MARKS[1], "- and one of mine\n<!-- mnemo:checkpoint end -->");
    assert_ne!(edited, whole);
    fs::write(&path, &edited).unwrap();
    let done = env.mnemo(&["rules", "install", "CLAUDE.md"]).code(1);
    assert!(
        done.out().contains("checkpoint changed by hand"),
        "{done:?}"
    );
    assert_eq!(fs::read_to_string(&path).unwrap(), edited);
    let done = env.mnemo(&["rules", "uninstall", "CLAUDE.md"]).code(1);
    assert!(done.out().contains("standing   taken out"), "{done:?}");
    let left = fs::read_to_string(&path).unwrap();
    assert!(left.contains("- and one of mine\n") && !left.contains("mnemo:standing"));
    let done = env.mnemo(&["uninstall"]).ok();
    assert!(done.out().contains("changed by hand"), "{done:?}");
    assert_eq!(fs::read_to_string(&path).unwrap(), left);
}

#[test]
fn text_written_behind_or_before_the_blocks_stays() {
    let env = TestEnv::new();
    for (text, left) in [
        ("# T\n", "new\n# T\nmore\n"),
        ("# T", "new\n# T\nmore\n"),
        ("", "new\nmore\n"),
    ] {
        let path = env.write("CLAUDE.md", text);
        env.mnemo(&["rules", "install", "CLAUDE.md"]).ok();
        let with = fs::read_to_string(&path).unwrap();
        fs::write(&path, format!("new\n{with}more\n")).unwrap();
        env.mnemo(&["rules", "uninstall", "CLAUDE.md"]).ok();
        assert_eq!(fs::read_to_string(&path).unwrap(), left);
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn uninstall_takes_the_rules_out_of_every_file() {
    let env = lived_in();
    let before = home(&env);
    let project = env.tree();
    let global = env.claude().join("CLAUDE.md");
    env.mnemo(&["install"]).ok();
    env.mnemo(&["rules", "install", global.to_str().unwrap()])
        .ok();
    env.mnemo(&["rules", "install", "CLAUDE.md"]).ok();
    env.mnemo(&["rules", "install", "gone.md"]).ok();
    env.mnemo(&["rules", "install", "torn.md"]).ok();
    fs::remove_file(env.project().join("gone.md")).unwrap();
    let torn = env.project().join("torn.md");
    fs::write(&torn, format!("{}\n", MARKS[3])).unwrap();

    let there = (home(&env), env.tree());
    let dry = env.mnemo(&["uninstall", "--dry-run"]).ok();
    assert!(dry.out().contains("would be taken out"), "{dry:?}");
    assert_eq!((home(&env), env.tree()), there);

    let done = env.mnemo(&["uninstall", "--json"]).ok();
    let report = done.json();
    assert_eq!(report["rules"].as_array().unwrap().len(), 2, "{report:#}");
    assert_eq!(report["left"].as_array().unwrap().len(), 1, "{report:#}");
    assert_eq!(home(&env), before);
    assert_eq!(env.tree().without(&["torn.md"]), project);
    assert_eq!(fs::read_to_string(torn).unwrap(), format!("{}\n", MARKS[3]));
    let again = env.mnemo(&["uninstall"]).ok();
    assert!(
        again.out().contains("Rules left where they are: "),
        "{again:?}"
    );
}

#[test]
fn the_rules_speak_the_users_language() {
    let mut texts = Vec::new();
    for (language, word) in [
        ("en", "handoff"),
        ("ko", "기억"),
        ("de", "Übergabe"),
        ("zh", "交接"),
    ] {
        let mut env = TestEnv::new();
        env.set("MNEMO_LANGUAGE", language);
        let shown = env.mnemo(&["rules", "show"]).ok().out();
        env.mnemo(&["rules", "install", "CLAUDE.md"]).ok();
        let text = fs::read_to_string(env.project().join("CLAUDE.md")).unwrap();
        for line in shown.lines().filter(|line| !line.is_empty()) {
            assert!(text.contains(line), "{language}: {line}");
        }
        assert!(
            shown.to_lowercase().contains(&word.to_lowercase()),
            "{language}: {shown}"
        );
        texts.push(shown);
        // Another language renews the blocks, and they still come out whole.
        env.set("MNEMO_LANGUAGE", if language == "en" { "de" } else { "en" });
        let done = env.mnemo(&["rules", "install", "CLAUDE.md"]).ok();
        assert!(done.out().contains("renewed"), "{done:?}");
        env.mnemo(&["rules", "uninstall", "CLAUDE.md"]).ok();
        assert!(!env.project().join("CLAUDE.md").exists());
    }
    texts.dedup();
    assert_eq!(texts.len(), 4);
}

#[test]
fn a_folder_that_is_not_there_is_not_made_and_a_new_file_is_named_as_such() {
    let env = TestEnv::new();
    for args in [&["--dry-run"][..], &[]] {
        let command = [&["rules", "install", "nope/CLAUDE.md"], args].concat();
        let said = env.mnemo(&command).code(3).err();
        assert!(said.contains("there is no folder"), "{said}");
        assert!(!env.project().join("nope").exists());
    }
    let said = env
        .mnemo(&["rules", "install", "CLAUDE.md", "--dry-run"])
        .ok()
        .out();
    assert!(said.contains("(would be made: it is not there)"), "{said}");
    let said = env.mnemo(&["rules", "install", "CLAUDE.md"]).ok().out();
    assert!(said.contains("(made: it was not there)"), "{said}");
    let said = env.mnemo(&["rules", "install", "CLAUDE.md"]).ok().out();
    assert!(!said.contains("made"), "{said}");
}

/// What a skill lets run without a question must not change a memory: a rule of the client allows
/// whatever begins as it says (`:*`), or exactly that command.
#[test]
fn what_a_skill_runs_unasked_only_looks() {
    const LOOKS: [&str; 10] = [
        "memory list",
        "memory show",
        "memory tokens",
        "garden scan",
        "garden relations",
        "garden verdicts",
        "garden plan",
        "garden check",
        "garden preview",
        "garden report",
    ];
    const EXACTLY: [&str; 6] = [
        "check",
        "check --all",
        "check --json",
        "check --store auto",
        "check --store record",
        "undo --list",
    ];
    let mut seen = 0;
    for name in NAMES {
        let file = bins::workspace().join("skills").join(name).join("SKILL.md");
        let text = fs::read_to_string(file).unwrap();
        let Some((_, allowed)) = text.split_once("\nallowed-tools: ") else {
            continue;
        };
        for rule in allowed.lines().next().unwrap().split(", ") {
            let Some(command) = rule.strip_prefix("Bash(mnemo ") else {
                assert!(["Read", "Grep", "Glob"].contains(&rule), "{name}: {rule}");
                continue;
            };
            let command = command.strip_suffix(')').unwrap();
            seen += 1;
            match command.strip_suffix(":*") {
                Some(start) => assert!(LOOKS.contains(&start), "{name}: {rule}"),
                None => assert!(EXACTLY.contains(&command), "{name}: {rule}"),
            }
        }
    }
    assert!(seen > 10, "{seen}");
}

// ---------------------------------------------------------------- whatever way leads to a file

#[test]
fn a_file_that_rules_made_goes_away_whatever_way_led_to_it() {
    let env = TestEnv::new();
    let there = env.base().join("dotfiles");
    fs::create_dir(&there).unwrap();
    fs::create_dir(env.project().join("sub")).unwrap();
    symlink(&there, env.project().join("linked")).unwrap();
    let before = (env.tree(), Tree::of(&there));
    for path in ["sub/../CLAUDE.md", "linked/CLAUDE.md", "./CLAUDE.md"] {
        env.mnemo(&["rules", "install", path]).ok();
        assert_ne!((env.tree(), Tree::of(&there)), before, "{path}");
        env.mnemo(&["rules", "uninstall", path]).ok();
        assert_eq!((env.tree(), Tree::of(&there)), before, "{path}");
        env.mnemo(&["rules", "install", path]).ok();
        env.mnemo(&["uninstall"]).ok();
        assert_eq!((env.tree(), Tree::of(&there)), before, "{path}");
    }
}

// ---------------------------------------------------------------- no rules of the person's

const DECISION: &str = "## Context\nPolling cost too much.\n## Options\npolling, webhooks\n\
    ## Decision\nwebhooks, because the provider signs them\n## When to revisit\nif it changes\n";

#[test]
fn what_mnemo_says_of_itself_is_nobodys_rule() {
    let env = TestEnv::new();
    env.mnemo(&["install"]).ok();
    env.mnemo(&["rules", "install", "CLAUDE.md"]).ok();
    let feedback = [
        "Erst die Tests, dann der Code",
        "Antworten kurz halten: zuerst das Ergebnis",
        "write answers to numbered questions by number",
        "Tags in lower case",
        "Never change a file before I have answered your question",
        "Propose at most three options, best first",
        "Use absolute dates, never yesterday",
        "Do not summarise what you did at the end",
        "답변은 한국어로, 코드 주석은 영어로",
        "질문에는 먼저 예/아니오로 답한다",
        "Suggest refactorings in a pause, never in the middle of work",
        "Handoffs are written on Friday before the context is full",
    ];
    for (number, text) in feedback.iter().enumerate() {
        let name = format!("said-{number}");
        let add = ["memory", "add", "--type", "feedback", "--name", &name];
        // Held against mnemo's own rules, and not against each other.
        env.mnemo(&[&add[..], &["--description", text, "--dry-run"]].concat())
            .ok();
    }
    for (number, text) in feedback.iter().enumerate() {
        let name = format!("said-{number}");
        let add = ["memory", "add", "--type", "feedback", "--name", &name];
        env.mnemo(&[&add[..], &["--description", text, "--force"]].concat())
            .ok();
    }
    env.write("decision.md", DECISION);
    let decisions = [
        "Webhooks instead of polling",
        "Monorepo",
        "Keep Rust for the CLI",
        "Zwei Hosts statt drei",
        "Postgres for orders",
    ];
    for (number, text) in decisions.iter().enumerate() {
        let body = DECISION.replace("webhooks", text).replace("Polling", text);
        env.write("decision.md", body);
        let name = format!("decision-{number}");
        let add = ["memory", "add", "--type", "decision", "--name", &name];
        let rest = ["--description", text, "--from", "decision.md", "--dry-run"];
        env.mnemo(&[&add[..], &rest].concat()).ok();
    }
    let verdicts = env.mnemo(&["garden", "verdicts"]).ok();
    assert!(!verdicts.out().contains("Promoted ("), "{}", verdicts.out());
    // What stands around its block is the person's.
    let path = env.project().join("CLAUDE.md");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}\n- Tags in lower case.\n")).unwrap();
    let verdicts = env.mnemo(&["garden", "verdicts"]).ok();
    assert!(
        verdicts.out().contains("Promoted (1)"),
        "{}",
        verdicts.out()
    );
}
