//! What changes a memory, and what takes it back: only the asked bytes change, everything comes
//! back with its times, nothing is lost by kills, races and bad input.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::disallowed_methods,
    reason = "tests make files, and a panic is how they fail"
)]

use mnemo_tests::tree::{Node, Tree};
use mnemo_tests::{Cmd, TestEnv, bins};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

/// A memory folder and the program that changes it.
struct Place {
    env: TestEnv,
    store: PathBuf,
}

/// Bytes, modes and times of a folder.
type State = (Tree, BTreeMap<String, SystemTime>);

impl Place {
    fn new(files: &[(&str, &str)]) -> Self {
        let env = TestEnv::bare("work");
        let store = env.project().join("store");
        fs::create_dir_all(&store).unwrap();
        for (age, (name, text)) in files.iter().enumerate() {
            let path = store.join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(&path, text).unwrap();
            let age = Duration::from_secs(86_400 * (age as u64 + 1));
            set_time(&path, SystemTime::now() - age);
        }
        Self { env, store }
    }

    /// The labelled store, with everything wrong that can be wrong.
    fn damaged() -> Self {
        let place = Self::new(&[]);
        let archive = bins::workspace().join("crates/memory/tests/data/dev.tar.gz");
        let into = place.env.project().join("set");
        fs::create_dir(&into).unwrap();
        let unpacked = Command::new("tar")
            .arg("xzf")
            .arg(archive)
            .arg("-C")
            .arg(&into)
            .status()
            .unwrap();
        assert!(unpacked.success());
        let memory = into.join("dev/memory");
        let times: BTreeMap<String, String> =
            serde_json::from_slice(&fs::read(into.join("dev/mtimes.json")).unwrap()).unwrap();
        for (age, name) in times.keys().enumerate() {
            let age = Duration::from_secs(86_400 * (age as u64 + 1));
            set_time(&memory.join(name), SystemTime::now() - age);
        }
        Self {
            store: memory,
            ..place
        }
    }

    /// `mnemo memory …` on this folder.
    fn memory(&self, args: &[&str]) -> Cmd {
        self.env
            .cmd("mnemo")
            .arg("memory")
            .args(args)
            .arg("--store")
            .arg(&self.store)
            .env("MNEMO_NOW", "2026-11-30T12:00:00")
    }

    fn undo(&self) -> mnemo_tests::env::Done {
        self.env.cmd("mnemo").args(&["undo"]).run()
    }

    fn state(&self) -> State {
        let tree = Tree::of(&self.store);
        let times = tree
            .0
            .iter()
            .filter(|(_, node)| matches!(node, Node::File(..)))
            .map(|(name, _)| {
                let meta = fs::metadata(self.store.join(name)).unwrap();
                (name.clone(), meta.modified().unwrap())
            })
            .collect();
        (tree, times)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.store.join(name)).unwrap()
    }

    /// Everything but these names is as it was, times included.
    fn same_but(&self, old: &State, names: &[&str]) {
        let now = self.state();
        let others = |state: &State| {
            (state.0.clone().without(names), {
                let mut times = state.1.clone();
                times.retain(|name, _| !names.contains(&name.as_str()));
                times
            })
        };
        assert_eq!(others(&now), others(old));
    }
}

fn set_time(path: &Path, time: SystemTime) {
    let file = fs::File::options().write(true).open(path).unwrap();
    file.set_modified(time).unwrap();
}

const ADD: [&str; 7] = [
    "add",
    "--type",
    "feedback",
    "--name",
    "Answers, short",
    "--description",
    "Conclusion first, reasons after",
];
const FILE: &str = "feedback_answers-short.md";
const LINE: &str =
    "- [feedback_answers-short.md](feedback_answers-short.md) — Conclusion first, reasons after `~";

#[test]
fn only_the_asked_lines_change_whatever_the_file_looks_like() {
    let lf = "# Index\n\n## user\n- [user_a.md](user_a.md) — A `~30tk`\n\n## feedback\n- [feedback_b.md](feedback_b.md) — B `~31tk`\n  more on B\n\n## other\ntext\n";
    let entry = "---\nname: b\ndescription: B\ntype: feedback\n---\n\nBody of B.\nMore.\n";
    for (crlf, bom, torn) in [
        (false, false, false),
        (true, false, false),
        (false, true, true),
        (true, true, true),
    ] {
        let dress = |text: &str| {
            let mut text = text.to_owned();
            if torn {
                text.truncate(text.trim_end().len());
            }
            if crlf {
                text = text.replace('\n', "\r\n");
            }
            if bom { format!("\u{feff}{text}") } else { text }
        };
        let place = Place::new(&[
            ("MEMORY.md", &dress(lf)),
            ("feedback_b.md", &dress(entry)),
            ("user_a.md", "no frontmatter\n"),
        ]);
        let old = place.state();
        let end = if crlf { "\r\n" } else { "\n" };

        place.memory(&ADD).run().ok();
        let index = place.text("MEMORY.md");
        let at = index.find(LINE).unwrap();
        let line_end = at + index[at..].find('\n').unwrap() + 1;
        assert!(index[at..line_end].ends_with(&format!("tk`{end}")));
        assert!(
            index[..at].ends_with(&format!("  more on B{end}")),
            "{index}"
        );
        let mut without = index.clone();
        without.replace_range(at..line_end, "");
        assert_eq!(without, dress(lf), "the line alone was put in");
        assert!(
            place
                .text(FILE)
                .contains("type: feedback\n---\n\nConclusion first")
        );
        place.same_but(&old, &["MEMORY.md", FILE]);

        place
            .memory(&[
                "update",
                "feedback_b",
                "--description",
                "B, anew",
                "--from",
                "-",
                "--append",
            ])
            .stdin("One\r\nmore.\n")
            .run()
            .ok();
        let added = if torn {
            format!("{end}{end}One{end}more.")
        } else {
            format!("{end}One{end}more.{end}")
        };
        let expected = dress(entry).replace("description: B", "description: B, anew") + &added;
        assert_eq!(place.text("feedback_b.md"), expected);
        let tokens = expected.len() * 10 / 32;
        let expected = index.replace("— B `~31tk`", &format!("— B, anew `~{tokens}tk`"));
        assert_eq!(place.text("MEMORY.md"), expected);

        place
            .memory(&["remove", "b", "--reason", "promoted"])
            .run()
            .ok();
        let archived = place.text("_archive/2026-11/feedback_b.md");
        assert!(archived.contains(&format!(
            "type: feedback{end}archived: 2026-11-30{end}archive_reason: promoted{end}original_name: feedback_b.md{end}---{end}"
        )), "{archived}");
        let gone = format!(
            "- [feedback_b.md](feedback_b.md) — B, anew `~{tokens}tk`{end}  more on B{end}"
        );
        assert_eq!(place.text("MEMORY.md"), expected.replace(&gone, ""));
        assert!(!place.store.join("feedback_b.md").exists());

        for _ in 0..3 {
            place.undo().ok();
        }
        assert_eq!(place.state(), old);
    }
}

#[test]
fn a_store_with_every_defect_keeps_its_bytes() {
    let place = Place::damaged();
    let old = place.state();
    let index = place.text("MEMORY.md");
    // An entry says it already.
    let refused = place.memory(&ADD).arg("--json").run();
    assert_eq!(refused.status.code(), Some(4), "{refused:?}");
    assert_eq!(refused.json()["error"]["kind"], "covered");
    assert_eq!(place.state(), old);
    let done = place.memory(&ADD).args(&["--force", "--json"]).run();
    let done = done.ok().json();
    assert_eq!(done["file"], FILE);
    let line = format!("{}\n", done["index_line"].as_str().unwrap());
    assert_eq!(place.text("MEMORY.md").replacen(&line, "", 1), index);
    place.same_but(&old, &["MEMORY.md", FILE]);
    let names: Vec<String> = old
        .1
        .keys()
        .filter(|name| !name.contains('/') && *name != "MEMORY.md")
        .cloned()
        .collect();
    let mut changed = 1;
    for name in &names {
        let update = place
            .memory(&["update", name, "--from", "-"])
            .stdin("new body\n")
            .run();
        match update.status.code() {
            Some(0) => changed += 1,
            // Not UTF-8, or frontmatter without an end.
            code => assert!(matches!(code, Some(3 | 4)), "{update:?}"),
        }
        if changed == 15 {
            break;
        }
    }
    place.memory(&["remove", "user_role"]).run().ok();
    place
        .memory(&["remove", "project-receipt-hash.md"])
        .run()
        .ok();
    for _ in 0..changed + 2 {
        place.undo().ok();
    }
    assert_eq!(place.state(), old);
    let nothing = place.undo().ok();
    assert!(nothing.out().contains("nothing to take back"));
}

#[test]
fn twenty_adds_at_once_lose_nothing() {
    let place = Place::new(&[("MEMORY.md", "# Index\n")]);
    let running: Vec<_> = (0..20)
        .map(|number| {
            let name = format!("entry {number}");
            place
                .memory(&[
                    "add",
                    "--type",
                    "project",
                    "--name",
                    &name,
                    "--description",
                    &name,
                ])
                .arg("--force")
                .start()
        })
        .collect();
    for one in running {
        one.wait().ok();
    }
    let index = place.text("MEMORY.md");
    for number in 0..20 {
        let file = format!("project_entry-{number}.md");
        assert_eq!(index.matches(&format!("({file})")).count(), 1, "{index}");
        assert!(
            place
                .text(&file)
                .contains(&format!("description: entry {number}\n"))
        );
    }
    assert_eq!(index.matches("## project").count(), 1, "{index}");
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table")]
fn bad_input_changes_nothing_and_says_why() {
    let place = Place::new(&[
        ("MEMORY.md", "# Index\n- [user_a.md](user_a.md) — A\n"),
        (
            "user_a.md",
            "---\nname: a\ndescription: A\ntype: user\n---\n\nBody\n",
        ),
    ]);
    let outside = place.env.project().join("outside.md");
    fs::write(&outside, vec![b'x'; 50_000_000]).unwrap();
    let latin = place.env.project().join("latin.md");
    fs::write(&latin, b"gr\xfc\xdfe").unwrap();
    let key = format!("AKIA{}", "ABCDEFGHIJKLMNOP");
    let old = place.state();
    let (large, latin) = (outside.to_str().unwrap(), latin.to_str().unwrap());
    let add = |extra: &[&str]| {
        let mut args = vec!["add", "--type", "user", "--name", "n", "--description", "d"];
        args.extend(extra);
        place.memory(&args)
    };
    let described = |text: &str| {
        place.memory(&[
            "add",
            "--type",
            "user",
            "--name",
            "n",
            "--description",
            text,
        ])
    };
    for (cmd, code, says) in [
        (
            place.memory(&["add", "--type", "idea", "--name", "n", "--description", "d"]),
            2,
            "the types are user",
        ),
        (add(&["--from", large]), 4, "larger than"),
        (
            add(&["--from", "-"]).stdin(vec![b'x'; 50_000_000]),
            4,
            "larger than",
        ),
        (add(&["--from", latin]), 3, "not UTF-8"),
        (add(&["--from", "/no/such/file"]), 3, "no file"),
        (add(&["--from", "-"]).stdin(" \n"), 3, "body is empty"),
        (
            add(&["--from", "-"]).stdin("---\nname: x\n---\nbody\n"),
            4,
            "frontmatter",
        ),
        (add(&["--file", "../x"]), 4, "plain name"),
        (add(&["--file", "MEMORY.md"]), 4, "index"),
        (add(&["--file", "user_a.md"]), 4, "there already"),
        (add(&["--file", "USER_A"]), 4, "there already"),
        (
            add(&["--revisit", "2027-01-01"]),
            4,
            "belongs to a decision",
        ),
        (
            add(&["--from", "-"]).stdin(format!("key {key}\n")),
            4,
            "secret",
        ),
        (
            add(&["--from", "-", "--allow-sensitive", "--force"]).stdin("a <private>b</private>"),
            4,
            "<private>",
        ),
        (
            place.memory(&[
                "add",
                "--type",
                "user",
                "--name",
                "A",
                "--description",
                "d",
                "--file",
                "other",
            ]),
            4,
            "under that name",
        ),
        (described("a\nb"), 4, "one line"),
        (described("a [b](c)"), 4, "link"),
        (described("a `~280tk`"), 4, "token count"),
        (described(&"long ".repeat(60)), 4, "characters"),
        (described("a\u{1b}[31mb"), 4, "control"),
        (described(&format!("d {key}")), 4, "secret"),
        (
            place.memory(&["update", "nobody", "--description", "x"]),
            3,
            "no entry",
        ),
        (place.memory(&["update", "user_a"]), 2, "required"),
        (place.memory(&["remove", "nobody"]), 3, "no entry"),
        (
            place.memory(&["remove", "user_a", "--reason", "bored"]),
            2,
            "bored",
        ),
        (
            place
                .env
                .cmd("mnemo")
                .args(&["memory"])
                .args(&ADD)
                .args(&["--store", "/no/such/store"]),
            3,
            "no memory",
        ),
    ] {
        let done = cmd.run();
        assert_eq!(done.status.code(), Some(code), "{says}: {done:?}");
        assert!(done.err().contains(says), "{says}: {done:?}");
        assert!(!done.err().contains(&key), "{done:?}");
        assert!(!done.err().contains('\u{1b}'));
        assert_eq!(place.state(), old, "{says}");
    }
    let json = described("a\nb").arg("--json").run().code(4).json();
    assert_eq!(json["error"]["kind"], "unfit");
    let allowed = add(&["--from", "-", "--allow-sensitive"])
        .stdin(format!("key {key}\n"))
        .run()
        .ok();
    assert!(allowed.err().contains("secret"), "{allowed:?}");
    assert!(place.text("user_n.md").contains(&key));
    place.undo().ok();
    assert_eq!(place.state(), old);
}

/// Pieces that are harmless by themselves are looked at in the file that they come to stand in.
#[test]
fn an_update_is_looked_at_with_what_stands_around_it() {
    let begin = ["-----BEGIN ", "RSA PRIVATE KEY-----"].concat();
    let end = ["-----END ", "RSA PRIVATE KEY-----"].concat();
    let front = "---\nname: a\ndescription: A\ntype: user\n---\n\n";
    let place = Place::new(&[
        ("MEMORY.md", "# Index\n- [user_a.md](user_a.md) — A\n"),
        ("user_a.md", &format!("{front}{begin}\n")),
        (
            "user_b.md",
            &format!("{}Open.\n<private>\nZEBRA\n", front.replace(": a", ": b")),
        ),
    ]);
    let old = place.state();
    let rest = format!("{}\n{end}\n", "ABCDEFGHabcdefgh".repeat(4));
    let append = |name: &str, text: &str| {
        place
            .memory(&["update", name, "--append", "--from", "-"])
            .stdin(text)
    };
    let refused = append("a", &rest).run().code(4).err();
    assert!(refused.contains("private-key"), "{refused}");
    assert_eq!(place.state(), old);
    append("a", "A line more.\n").run().ok();
    place.undo().ok();
    let allowed = append("a", &rest).arg("--allow-sensitive").run().ok();
    assert!(allowed.err().contains("secret"), "{allowed:?}");
    place.undo().ok();
    // What is hidden stays hidden behind what is put after it.
    append("b", "More.\n").run().ok();
    assert!(place.text("user_b.md").ends_with("ZEBRA\n\nMore.\n"));
    place.undo().ok();
    assert_eq!(place.state(), old);
}

#[test]
fn a_dry_run_shows_the_change_and_makes_none() {
    let place = Place::new(&[("MEMORY.md", "# Index\n")]);
    let old = place.state();
    let shown = place.memory(&ADD).arg("--dry-run").run().ok().out();
    assert!(shown.contains("+++ feedback_answers-short.md"), "{shown}");
    assert!(
        shown.contains("+## feedback\n+- [feedback_answers-short.md]"),
        "{shown}"
    );
    let json = place
        .memory(&ADD)
        .args(&["--dry-run", "--json"])
        .run()
        .ok()
        .json();
    assert_eq!(
        (&json["dry_run"], &json["undo_set"]),
        (&true.into(), &serde_json::Value::Null)
    );
    assert_eq!(json["changes"][0]["change"], "created");
    assert_eq!(place.state(), old);
    assert!(place.undo().ok().out().contains("nothing to take back"));
}

#[test]
fn decisions_follow_their_form_and_each_other() {
    let place = Place::new(&[
        (
            "MEMORY.md",
            "## Entscheidungen\n- [decision_old.md](decision_old.md) — LevelDB `~9tk`\n",
        ),
        (
            "decision_old.md",
            "---\nname: old\ndescription: LevelDB\ntype: decision\nrevisit: 2026-11-30\n---\n\nx\n",
        ),
    ]);
    let old = place.state();
    let decide = |extra: &[&str]| {
        let mut args = vec![
            "add",
            "--type",
            "decision",
            "--name",
            "new",
            "--description",
            "SQLite",
            "--from",
            "-",
        ];
        args.extend(extra);
        place.memory(&args)
    };
    let refused = decide(&[])
        .stdin("## Kontext\nk\n## Entscheidung\ne\n")
        .env("MNEMO_LANGUAGE", "de")
        .run()
        .code(4);
    assert!(
        refused.err().contains("missing: options, when to revisit"),
        "{refused:?}"
    );
    assert!(refused.err().contains("## Wiedervorlage"), "{refused:?}");
    let json = decide(&["--json"])
        .stdin("nothing of it")
        .run()
        .code(4)
        .json();
    assert_eq!(
        json["error"]["missing"],
        serde_json::json!(["context", "options", "decision", "revisit"])
    );
    assert_eq!(place.state(), old);

    let due = place.memory(&["due", "--json"]).run().ok().json();
    assert_eq!(
        (&due["due"][0]["file"], &due["due"][0]["days"]),
        (&"decision_old.md".into(), &0.into())
    );
    decide(&["--revisit", "2027-01-01", "--supersedes", "old"])
        .stdin("## Kontext\nk\n## Optionen\no\n## Entscheidung\ne\n")
        .run()
        .ok();
    assert!(
        place
            .text("decision_new.md")
            .contains("revisit: 2027-01-01\nsupersedes: decision_old.md\n---\n")
    );
    let superseded = place.text("decision_old.md");
    assert!(superseded.contains("status: superseded\nsuperseded_by: decision_new.md\n---\n\nx\n"));
    let tokens = superseded.len() * 10 / 32;
    let index = place.text("MEMORY.md");
    assert!(index.starts_with(&format!("## Entscheidungen\n- [decision_old.md](decision_old.md) — LevelDB `~{tokens}tk`\n- [decision_new.md](decision_new.md) — SQLite `~")), "{index}");
    assert_eq!(place.state().1["decision_old.md"], old.1["decision_old.md"]);
    assert!(
        place
            .memory(&["due"])
            .run()
            .ok()
            .out()
            .contains("no decision")
    );
    place.undo().ok();
    assert_eq!(place.state(), old);
    // What is said already may be forced, a decision without its form may not.
    for text in [
        "Just so.",
        "## Context\n## Options\n## Decision\n## Revisit\n",
        "```\n## Context\nc\n## Options\no\n## Decision\nd\n## Revisit\nr\n```\n",
    ] {
        let refused = decide(&["--force"]).stdin(text).run().code(4);
        assert!(refused.err().contains("missing: context"), "{refused:?}");
        assert_eq!(place.state(), old);
    }
}

#[test]
fn an_update_keeps_the_form_of_a_decision() {
    let text = "---\nname: q\ndescription: Q\ntype: decision\n---\n\n## Context\nc\n## Options\no\n## Decision\nd\n## Revisit\nr\n";
    let place = Place::new(&[
        ("MEMORY.md", "# M\n- [q](decision_q.md) — Q\n"),
        ("decision_q.md", text),
    ]);
    let old = place.state();
    let update = |text: &'static str| {
        place
            .memory(&["update", "decision_q", "--from", "-"])
            .stdin(text)
            .run()
    };
    let refused = update("SQLite it is.\n").code(4);
    assert!(refused.err().contains("missing: context"), "{refused:?}");
    let refused = update("---\nname: x\n---\nbody\n").code(4);
    assert!(refused.err().contains("frontmatter"), "{refused:?}");
    assert_eq!(place.state(), old);
    update("## Context\nc\n## Options\no\n## Decision\nd\n## Revisit\nnever\n").ok();
}

#[test]
fn only_decisions_are_superseded_and_what_they_say_is_no_objection() {
    let form = "## Context\nThe queue needs durable storage on one machine.\n## Options\nLevelDB or SQLite for the queue.\n## Decision\nThe queue keeps its jobs in SQLite with a write ahead log.\n## Revisit\nWhen a second machine joins.\n";
    let old = format!(
        "---\nname: queue\ndescription: The queue keeps its jobs in SQLite\ntype: decision\n---\n\n{form}"
    );
    let place = Place::new(&[
        (
            "MEMORY.md",
            "# M\n- [q](decision_queue.md) — Queue\n- [a](user_a.md) — A\n",
        ),
        ("decision_queue.md", &old),
        (
            "user_a.md",
            "---\nname: a\ndescription: A\ntype: user\n---\n\nBody\n",
        ),
    ]);
    let before = place.state();
    let decide = |name: &'static str, extra: &[&str]| {
        place
            .memory(&["add", "--type", "decision", "--name", name])
            .args(&[
                "--description",
                "The queue keeps its jobs in SQLite",
                "--from",
                "-",
            ])
            .args(extra)
            .stdin(form)
            .run()
    };
    let refused = decide("again", &["--supersedes", "user_a.md"]).code(4);
    assert!(refused.err().contains("is not a decision"), "{refused:?}");
    let refused = decide("again", &[]).code(4);
    assert!(refused.err().contains("says it already"), "{refused:?}");
    assert_eq!(place.state(), before);
    decide("again", &["--supersedes", "decision_queue.md"]).ok();
    assert!(
        place
            .text("decision_queue.md")
            .contains("status: superseded")
    );
    // Nor is one that was superseded before.
    decide("third", &["--supersedes", "decision_again.md"]).ok();
}

const A: &str = "---\nname: a\ndescription: A\ntype: user\n---\n\nBody of a\n";
const B: &str = "---\nname: b\ndescription: B\ntype: user\n---\n\nBody of b\n";

#[test]
fn a_line_of_two_entries_is_left_as_it_is_and_named() {
    let index = "# M\n- [a](user_a.md) and [b](user_b.md) — both about tea\n- [a](user_a.md) — A `~1tk`\n- [a](user_a.md) is needed by the other\nSee [a](user_a.md).\n";
    let place = Place::new(&[("MEMORY.md", index), ("user_a.md", A), ("user_b.md", B)]);
    let old = place.state();
    let done = place
        .memory(&["update", "user_a", "--description", "Likes coffee"])
        .run()
        .ok();
    let tokens = place.text("user_a.md").len() * 10 / 32;
    assert_eq!(
        place.text("MEMORY.md"),
        index.replace("— A `~1tk`", &format!("— Likes coffee `~{tokens}tk`"))
    );
    for line in [2, 4, 5] {
        assert!(
            done.err()
                .contains(&format!("MEMORY.md:{line} links to it")),
            "{done:?}"
        );
    }
    place.undo().ok();

    let done = place.memory(&["remove", "user_a"]).run().ok();
    assert_eq!(
        place.text("MEMORY.md"),
        index.replace("- [a](user_a.md) — A `~1tk`\n", "")
    );
    for line in [2, 3, 4] {
        let said = format!("MEMORY.md:{line} links to it and leads nowhere now");
        assert!(done.err().contains(&said), "{done:?}");
    }
    place.undo().ok();
    assert_eq!(place.state(), old);

    // No line of its own: said, and nothing rewritten. A table is no list.
    for index in [
        "# M\n- [a](user_a.md) and [b](user_b.md) — both\n",
        "# M\n| [a](user_a.md) | tea |\n",
    ] {
        let place = Place::new(&[("MEMORY.md", index), ("user_a.md", A), ("user_b.md", B)]);
        let done = place
            .memory(&["update", "user_a", "--description", "Likes coffee"])
            .run()
            .ok();
        assert_eq!(place.text("MEMORY.md"), index);
        assert!(
            done.err()
                .contains("no line of MEMORY.md is its own; MEMORY.md:2 links to it"),
            "{done:?}"
        );
    }
}

#[test]
fn an_item_of_several_lines_goes_whole_and_no_other_with_it() {
    let index = "# M\n- [a](user_a.md) — A\n  more on A\n  - a point of A\n- [b](user_b.md) — B\n";
    let place = Place::new(&[("MEMORY.md", index), ("user_a.md", A), ("user_b.md", B)]);
    place.memory(&["remove", "user_a"]).run().ok();
    assert_eq!(place.text("MEMORY.md"), "# M\n- [b](user_b.md) — B\n");
    let index = "# M\n- [a](user_a.md) — A\n  more on A\n  - [b](user_b.md) — B\n";
    let place = Place::new(&[("MEMORY.md", index), ("user_a.md", A), ("user_b.md", B)]);
    place.memory(&["remove", "user_a"]).run().ok();
    assert_eq!(place.text("MEMORY.md"), "# M\n  - [b](user_b.md) — B\n");
    let index = "# M\n- [a](user_a.md) — A\n  goes with [b](user_b.md)\n";
    let place = Place::new(&[("MEMORY.md", index), ("user_a.md", A), ("user_b.md", B)]);
    let done = place.memory(&["remove", "user_a"]).run().ok();
    assert_eq!(place.text("MEMORY.md"), index);
    assert!(
        done.err()
            .contains("MEMORY.md:2 links to it and leads nowhere"),
        "{done:?}"
    );
}

/// What begins on an entry's line and ends below it cannot be cut off there.
#[test]
fn a_line_on_which_a_comment_or_private_block_opens_is_left_alone() {
    for (below, goes) in [
        (" <!-- since May:\non call -->\n", false),
        (" <private>\nZEBRA on call\n</private>\n", false),
        ("\n  and <private>so on\nZEBRA\n</private>\n", false),
        ("\n  and <!-- so\non -->\n", false),
        (" <!-- on call --> <private>x</private>\n", true),
        ("\n\n  second paragraph of b\n\n  third\n", true),
    ] {
        let index = format!("# M\n\n- [b](user_b.md) — b{below}\n- [a](user_a.md) — a\n");
        let place = Place::new(&[
            ("MEMORY.md", &index),
            (
                "user_a.md",
                "---\nname: a\ndescription: A\ntype: user\n---\n\nx\n",
            ),
            (
                "user_b.md",
                "---\nname: b\ndescription: B\ntype: user\n---\n\nx\n",
            ),
        ]);
        let done = place.memory(&["remove", "user_b.md"]).run().ok();
        let after = place.text("MEMORY.md");
        if goes {
            assert_eq!(after, "# M\n\n\n- [a](user_a.md) — a\n", "{below}");
        } else {
            assert_eq!(after, index, "{below}");
            assert!(done.err().contains("MEMORY.md:3"), "{done:?}");
        }
    }
}

#[test]
fn a_description_is_replaced_however_it_is_written() {
    for old in [
        "description:\n  plain multi\n  line\n",
        "description:\n  plain\n\n  with a gap\n",
        "description: plain\n  and wrapped\n",
        "description: >-\n  folded\n  text\n",
        "description:\n  \"quoted: and\n  wrapped\"\n",
        "description:\n",
        "description: \n",
    ] {
        let text = format!("---\nname: a\n{old}type: user\n---\n\nBody\n");
        let place = Place::new(&[
            ("MEMORY.md", "# M\n- [a](user_a.md) — A\n"),
            ("user_a.md", &text),
        ]);
        let done = place
            .memory(&["update", "user_a", "--description", "Likes coffee"])
            .run()
            .ok();
        let new = place.text("user_a.md");
        assert_eq!(
            new.replace("coffee \n", "coffee\n"),
            text.replace(old, "description: Likes coffee\n"),
            "{old:?} {done:?}"
        );
    }
    for front in [
        "{name: a, description: A, type: user}\n",
        "# a note\n{name: a,\n description: A,\n type: user}\n",
    ] {
        let text = format!("---\n{front}---\n\nBody\n");
        let place = Place::new(&[
            ("MEMORY.md", "# M\n- [a](user_a.md) — A\n"),
            ("user_a.md", &text),
        ]);
        let old = place.state();
        let refused = place
            .memory(&["update", "user_a", "--description", "Likes coffee"])
            .run()
            .code(4);
        assert!(refused.err().contains("`key: value` lines"), "{refused:?}");
        place.memory(&["remove", "user_a"]).run().code(4);
        assert_eq!(place.state(), old);
    }
}

#[test]
fn with_auto_memory_off_the_record_is_meant_and_stays_out_of_git() {
    let env = TestEnv::new();
    let add = |off: &str| {
        env.cmd("mnemo")
            .args(&["memory"])
            .args(&ADD)
            .arg("--json")
            .env("CLAUDE_CODE_DISABLE_AUTO_MEMORY", off)
            .run()
            .ok()
            .json()
    };
    let auto = add("0");
    assert!(
        auto["path"]
            .as_str()
            .unwrap()
            .contains("/.claude/projects/"),
        "{auto}"
    );
    assert_eq!(env.tree().names(), Vec::<&str>::new());
    let record = add("1");
    assert_eq!(record["file"], "memory/patterns/001-answers-short.md");
    assert_eq!(
        env.tree().names(),
        [
            "MEMORY.md",
            "memory",
            "memory/patterns",
            "memory/patterns/001-answers-short.md",
            "memory/patterns/index.md"
        ]
    );
    assert_eq!(env.git(&["status", "--porcelain"]).out().trim(), "");
    env.cmd("mnemo").args(&["undo"]).run().ok();
    assert_eq!(env.tree().names(), Vec::<&str>::new());
}

#[test]
fn what_changed_since_is_named_by_undo() {
    let place = Place::new(&[("MEMORY.md", "# Index\n")]);
    place.memory(&ADD).run().ok();
    fs::write(place.store.join(FILE), "mine\n").unwrap();
    let now = place.state();
    for args in [&["undo"][..], &["undo", "--dry-run"]] {
        let refused = place.env.cmd("mnemo").args(args).run().code(4);
        assert!(
            refused.err().contains(&format!("{FILE} (changed)")),
            "{refused:?}"
        );
        assert_eq!(place.state(), now);
    }
    let list = place
        .env
        .cmd("mnemo")
        .args(&["undo", "--list", "--json"])
        .run()
        .ok()
        .json();
    assert_eq!(list["sets"][0]["command"], "memory add");
    assert_eq!(list["sets"][0]["undone"], false);
}

#[test]
fn killed_at_any_moment_the_memory_is_as_before_or_as_after() {
    let place = Place::new(&[
        (
            "MEMORY.md",
            "# Index\n\n## user\n- [user_a.md](user_a.md) — A `~19tk`\n",
        ),
        (
            "user_a.md",
            "---\nname: a\ndescription: A\ntype: user\n---\n\nBody\n",
        ),
    ]);
    let old = place.state();
    place.memory(&["remove", "a"]).run().ok();
    let new = Tree::of(&place.store);
    place.undo().ok();
    assert_eq!(place.state(), old);
    let (mut before, mut after) = (0, 0);
    let mut wait = 1_u64;
    for _ in 0..60 {
        let running = place.memory(&["remove", "a"]).start();
        wait = wait * 7_919 % 24_001;
        std::thread::sleep(Duration::from_micros(wait));
        running.kill();
        // Any command brings it to an end.
        place.env.cmd("mnemo").args(&["undo", "--list"]).run().ok();
        let now = place.state();
        if now == old {
            before += 1;
        } else {
            assert_eq!(now.0, new);
            after += 1;
            place.undo().ok();
            assert_eq!(place.state(), old);
        }
    }
    assert!(before > 0 && before + after == 60, "{before} {after}");
    // What was prepared and not swapped in does not stay for ever.
    let temps = || {
        let tree = Tree::of(place.env.base());
        let temps = tree
            .0
            .into_keys()
            .filter(|name| name.ends_with(".mnemo-tmp"));
        temps.collect::<Vec<_>>()
    };
    for temp in temps() {
        let old = SystemTime::now() - Duration::from_secs(11 * 60);
        set_time(&place.env.base().join(temp), old);
    }
    place.env.cmd("mnemo").args(&["undo", "--list"]).run().ok();
    assert_eq!(temps(), Vec::<String>::new());
}

#[test]
fn a_line_without_its_file_is_taken_over_by_a_new_entry() {
    let index = "# Index\n\n## user\n- [user_z.md](user_z.md) — Z\n- ★ [Short answers](feedback_short-answers.md) — old words `~9tk`\n- [user_y.md](user_y.md) — Y\n\n## feedback\n- [feedback_short-answers.md](./feedback_short-answers.md) — twice\n";
    let entry = |name: &str| {
        format!("---\nname: {name}\ndescription: {name}\ntype: user\n---\n\nAbout {name}.\n")
    };
    let place = Place::new(&[
        ("MEMORY.md", index),
        ("user_z.md", &entry("Z")),
        ("user_y.md", &entry("Y")),
    ]);
    let add = |more: &[&str]| {
        let mut args = vec![
            "add",
            "--type",
            "feedback",
            "--name",
            "Short answers",
            "--description",
            "answers of three lines",
            "--json",
        ];
        args.extend(more);
        place.memory(&args).run().ok().json()
    };
    let old = place.state();
    let added = add(&[]);
    let line = added["index_line"].as_str().unwrap();
    let tokens = added["tokens"].as_u64().unwrap();
    assert_eq!(
        line,
        format!(
            "- ★ [Short answers](feedback_short-answers.md) — answers of three lines `~{tokens}tk`"
        )
    );
    let new = index.replace(
        "- ★ [Short answers](feedback_short-answers.md) — old words `~9tk`",
        line,
    );
    assert_eq!(place.text("MEMORY.md"), new);
    // The second one is told and left.
    assert_eq!(added["warnings"][0]["warning"], "line-left");
    assert_eq!(added["warnings"][0]["line"], 9);
    place.undo().ok();
    assert_eq!(place.state(), old);
    // A heading that was named is where the line goes.
    let added = add(&["--section", "habits"]);
    let line = added["index_line"].as_str().unwrap();
    let without = index.replace(
        "- ★ [Short answers](feedback_short-answers.md) — old words `~9tk`\n",
        "",
    );
    assert_eq!(
        place.text("MEMORY.md"),
        format!("{without}\n## habits\n{line}\n")
    );
}

#[test]
fn a_table_of_entries_is_left_alone_and_that_is_said() {
    let index = "# Index\n\n| file | what |\n|---|---|\n| [user_z.md](user_z.md) | Z |\n";
    let place = Place::new(&[
        ("MEMORY.md", index),
        (
            "user_z.md",
            "---\nname: z\ndescription: Z\ntype: user\n---\n\nZ\n",
        ),
    ]);
    let added = place.memory(&ADD).arg("--json").run().ok().json();
    assert_eq!(added["warnings"][0]["warning"], "table-left", "{added}");
    assert!(place.text("MEMORY.md").starts_with(index));
    let updated = place
        .memory(&["update", "user_z", "--description", "zebra", "--json"])
        .run()
        .ok()
        .json();
    assert_eq!(updated["warnings"][0]["warning"], "row-left", "{updated}");
    assert_eq!(updated["warnings"][0]["line"], 5);
    assert!(place.text("MEMORY.md").starts_with(index));
    let removed = place.memory(&["remove", "user_z", "--json"]).run().ok();
    assert!(removed.out().contains("MEMORY.md:5"), "{removed:?}");
}

#[test]
#[cfg(unix)]
fn what_cannot_be_read_is_told_with_its_reason() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let place = Place::new(&[
        ("MEMORY.md", "# Index\n"),
        ("user_link.md", ""),
        ("user_fifo.md", ""),
        ("user_closed.md", "x"),
        ("user_latin.md", ""),
    ]);
    let file = |name: &str| place.store.join(name);
    for name in ["user_link.md", "user_fifo.md"] {
        fs::remove_file(file(name)).unwrap();
    }
    symlink("/etc/hostname", file("user_link.md")).unwrap();
    let made = Command::new("mkfifo").arg(file("user_fifo.md")).status();
    assert!(made.unwrap().success());
    fs::write(file("user_latin.md"), b"gr\xfc\xdfe").unwrap();
    fs::set_permissions(file("user_closed.md"), fs::Permissions::from_mode(0o000)).unwrap();
    let is_root = fs::read(file("user_closed.md")).is_ok();
    let update = |entry: &str| {
        place
            .memory(&["update", entry, "--description", "words"])
            .run()
            .code(3)
            .err()
    };
    for (entry, reason) in [
        ("user_link", "link out of the folder"),
        ("user_fifo", "not a regular file"),
        ("user_latin", "not UTF-8"),
        ("user_closed", "ermission denied"),
    ] {
        if entry == "user_closed" && is_root {
            continue;
        }
        let said = update(entry);
        assert!(said.contains(reason), "{entry}: {said}");
        assert_eq!(said.contains("UTF-8"), entry == "user_latin", "{said}");
    }
    // The same of MEMORY.md itself.
    for (what, reason) in [("fifo", "not a regular file"), ("link", "link out")] {
        let _ = fs::remove_file(file("MEMORY.md"));
        if what == "fifo" {
            let made = Command::new("mkfifo").arg(file("MEMORY.md")).status();
            assert!(made.unwrap().success());
        } else {
            symlink("/etc/hostname", file("MEMORY.md")).unwrap();
        }
        let refused = place.memory(&ADD).run().code(3);
        assert!(refused.err().contains(reason), "{what}: {refused:?}");
        assert!(!refused.err().contains("UTF-8"), "{refused:?}");
        assert!(!file(FILE).exists());
    }
    // A folder or a FIFO in place of a text is missing input.
    let fifo = file("user_fifo.md");
    for from in [place.store.to_str().unwrap(), fifo.to_str().unwrap()] {
        for command in ["add", "overlap"] {
            let mut args = vec![command, "--from", from];
            if command == "add" {
                args.extend(["--type", "user", "--name", "n", "--description", "d"]);
            }
            place.memory(&args).run().code(3);
        }
    }
}

#[test]
fn undo_means_the_project_it_is_asked_in() {
    let env = TestEnv::new();
    let other = env.base().join("other");
    fs::create_dir_all(&other).unwrap();
    let made = env.program("git").args(&["init", "-q"]).cwd(&other).run();
    made.ok();
    let add = |dir: &Path, name: &str, more: &[&str]| {
        env.cmd("mnemo")
            .args(&["memory", "add", "--type", "user", "--description", name])
            .args(&["--name", name, "--json", "--force"])
            .args(more)
            .cwd(dir)
            .run()
            .ok()
            .json()
    };
    let undo = |dir: &Path, args: &[&str]| env.cmd("mnemo").arg("undo").args(args).cwd(dir).run();
    let here = env.project().to_owned();
    let path = |report: &serde_json::Value| PathBuf::from(report["path"].as_str().unwrap());
    let mine = path(&add(&here, "mine", &[]));
    let recorded = path(&add(&here, "recorded", &["--store", "record"]));
    let theirs_report = add(&other, "theirs", &[]);
    let theirs = path(&theirs_report);
    assert!(mine.exists() && recorded.exists() && theirs.exists());
    // Both of this project's stores, newest first; the other's stays.
    undo(&here, &[]).ok();
    assert!(mine.exists() && !recorded.exists() && theirs.exists());
    let inner = here.join("src");
    fs::create_dir_all(&inner).unwrap();
    undo(&inner, &[]).ok();
    assert!(!mine.exists() && theirs.exists());
    let none = undo(&here, &["--json"]).ok().json();
    assert_eq!(none["undone"], serde_json::Value::Null);
    let set = theirs_report["undo_set"].as_str().unwrap();
    let said = undo(&here, &[]).ok();
    assert!(
        said.out().contains(&format!("mnemo undo {set}")),
        "{said:?}"
    );
    assert!(theirs.exists());
    // All are listed everywhere, and an id takes back any.
    let list = undo(&here, &["--list", "--json"]).ok().json();
    assert_eq!(list["sets"].as_array().unwrap().len(), 3);
    assert!(undo(&here, &["--list"]).ok().out().contains(set));
    undo(&here, &["no-such-change"]).code(3);
    undo(&here, &[set, "--dry-run"]).ok();
    assert!(theirs.exists());
    undo(&here, &[set]).ok();
    assert!(!theirs.exists());
    let again = undo(&here, &[set]).ok();
    assert!(again.out().contains("already"), "{again:?}");
    // The user's own rules are everybody's; outside every project all changes are.
    let rules = env.claude().join("CLAUDE.md");
    fs::create_dir_all(env.claude()).unwrap();
    fs::write(&rules, "mine\n").unwrap();
    let installed = env
        .cmd("mnemo")
        .args(&["rules", "install"])
        .arg(&rules)
        .cwd(&other)
        .run();
    installed.ok();
    assert_ne!(fs::read_to_string(&rules).unwrap(), "mine\n");
    undo(&here, &[]).ok();
    assert_eq!(fs::read_to_string(&rules).unwrap(), "mine\n");
    let newest = path(&add(&other, "newest", &[]));
    undo(env.base(), &[]).ok();
    assert!(!newest.exists());
    // A project named is as good as one that one is in.
    let named = path(&add(&here, "named", &[]));
    path(&add(&other, "later", &[]));
    undo(&other, &["--project-root", here.to_str().unwrap()]).ok();
    assert!(!named.exists());
}

#[test]
fn the_opposite_of_what_is_there_is_refused_with_its_line() {
    let place = Place::new(&[
        ("MEMORY.md", "# Index\n"),
        (
            "feedback_tables.md",
            "---\nname: tables\ndescription: Use tables in the weekly report\ntype: feedback\n---\n\nUse tables in the weekly report.\n",
        ),
    ]);
    let old = place.state();
    let add = |more: &[&str]| {
        let mut args = vec![
            "add",
            "--type",
            "feedback",
            "--name",
            "No tables",
            "--description",
            "Never use tables in the weekly report",
        ];
        args.extend(more);
        place.memory(&args).run()
    };
    let refused = add(&[]).code(4);
    assert!(
        refused
            .err()
            .contains("feedback_tables.md:3 says the opposite: \"description: Use tables"),
        "{refused:?}"
    );
    let error = add(&["--json"]).code(4).json()["error"].clone();
    assert_eq!(error["kind"], "opposed");
    assert_eq!(error["line"], 3);
    assert_eq!(place.state(), old);
    let told = place
        .memory(&[
            "overlap",
            "--title",
            "Never use tables in the weekly report",
        ])
        .arg("--json")
        .run()
        .code(1)
        .json();
    assert_eq!(told["overlaps"], true);
    assert_eq!(told["opposite"]["path"], "feedback_tables.md");
    assert_eq!(told["candidates"][0]["path"], "feedback_tables.md");
    let said = place
        .memory(&[
            "overlap",
            "--title",
            "Never use tables in the weekly report",
        ])
        .run()
        .code(1);
    assert!(said.out().contains("says the opposite"), "{said:?}");
    let forced = add(&["--force"]).ok();
    assert!(forced.err().contains("says the opposite"), "{forced:?}");
}

#[test]
fn a_newer_change_that_cannot_be_read_is_not_passed_over() {
    let mut env = TestEnv::new();
    let split = |env: &TestEnv, name: &str| {
        let path = env.write(
            format!("memory/{name}.md"),
            "### a\n\none\n\n### b\n\ntwo\n",
        );
        let file = format!("memory/{name}.md");
        env.mnemo(&["split", &file, "--apply"]).ok();
        let list = env.mnemo(&["undo", "--list", "--json"]).ok().json();
        (path, list["sets"][0]["set"].as_str().unwrap().to_owned())
    };
    env.now("2026-11-30T14:00:00Z");
    let (old, first) = split(&env, "learned");
    env.now("2026-11-30T14:00:05Z");
    let (new, second) = split(&env, "gotchas");
    assert_ne!(first, second);
    let file = env
        .home()
        .join(".local/state/mnemo/undo")
        .join(&second)
        .join("applied.json");
    let bytes = fs::read(&file).unwrap();
    let newer = String::from_utf8(bytes.clone()).unwrap();
    let newer = newer.replacen("\"version\": 1", "\"version\": 99", 1);
    assert_ne!(newer.as_bytes(), bytes);
    for damaged in [newer.as_bytes(), &bytes[..20], b"", &[0; 64]] {
        fs::write(&file, damaged).unwrap();
        let done = env.mnemo(&["undo"]).code(4);
        assert!(done.err().contains(&second), "{done:?}");
        assert!(!old.exists() && !new.exists());
        assert!(env.mnemo(&["undo", "--list"]).ok().err().contains(&second));
        assert_eq!(fs::read(&file).unwrap(), damaged);
    }
    // An older one is taken back by its name.
    env.mnemo(&["undo", &first]).ok();
    assert!(old.exists() && !new.exists());
    fs::write(&file, bytes).unwrap();
    env.mnemo(&["undo"]).ok();
    assert!(new.exists());
}
