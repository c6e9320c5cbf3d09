//! `mnemo context` against the real client: the same files, in the same order, with the same text
//! as in the request that the client sends.
//!
//! As in `real_client.rs`, a version that is not there is left out, saying so, unless
//! `MNEMO_REAL_CLIENT=required`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::format_collect,
    reason = "helpers of tests: a panic is how a test fails"
)]

use mnemo_tests::api::Kind;
use mnemo_tests::client::{World, scenario, scenario_with};
use mnemo_tests::env::{Cmd, Done};
use mnemo_tests::{Reply, TestEnv};
use serde_json::Value;
use std::path::{Path, PathBuf};

const NEWEST: &str = "2.1.332";
const MIDDLE: &str = "2.1.197";
const OLDEST: &str = "2.1.59";

/// A file and what the model gets of it.
type Seen = (String, String);

/// What the last request of the conversation holds.
fn sent(w: &World) -> Vec<Seen> {
    let requests = w.api.requests(Kind::Main);
    let request = requests.last().expect("a request");
    let messages = request.body["messages"].as_array().unwrap();
    let mut texts = Vec::new();
    for message in messages {
        match &message["content"] {
            Value::String(text) => texts.push(text.clone()),
            Value::Array(blocks) => {
                texts.extend(
                    blocks
                        .iter()
                        .filter_map(|b| b["text"].as_str().map(str::to_owned)),
                );
            }
            _ => {}
        }
    }
    let lead = "Codebase and user instructions are shown below.";
    let Some(text) = texts.iter().find(|text| text.contains(lead)) else {
        return Vec::new();
    };
    // What the client puts behind the last file.
    let end = [
        "\n# currentDate\n",
        "\n# userEmail\n",
        "\n</system-reminder>",
    ]
    .iter()
    .filter_map(|mark| text.rfind(mark))
    .min()
    .expect("an end");
    let mut seen: Vec<Seen> = Vec::new();
    for part in text[..end].split("\n\nContents of ").skip(1) {
        let (head, body) = part.split_once(":\n\n").expect("a heading");
        let path = head.rsplit_once(" (").expect("a description").0;
        // The notice behind a cut is the client's own.
        let body = match body.rfind("\n\n> WARNING: MEMORY.md is ") {
            Some(at) if path.ends_with("/MEMORY.md") => &body[..at],
            _ => body,
        };
        seen.push((path.to_owned(), body.to_owned()));
    }
    seen
}

fn told(report: &Value) -> Vec<Seen> {
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let files = report["files"].as_array().unwrap();
    files
        .iter()
        .map(|file| (text(&file["path"]), text(&file["text"])))
        .collect()
}

/// Starts the client in a directory, and compares what it sends with what mnemo says of it.
/// Gives mnemo's report.
#[track_caller]
fn agrees(w: &World, dir: &Path, vars: &[(&str, &str)]) -> Value {
    compare(w, dir, vars, |cmd| cmd)
}

#[track_caller]
fn compare(w: &World, dir: &Path, vars: &[(&str, &str)], wrap: impl Fn(Cmd) -> Cmd) -> Value {
    let prepared = |cmd: Cmd| {
        let cmd = vars
            .iter()
            .fold(cmd, |cmd, (name, value)| cmd.env(name, value));
        wrap(cmd.cwd(dir))
    };
    w.api.say([Reply::text("Hello.")]);
    let before = w.api.count();
    prepared(w.print("hello")).run().ok();
    assert_eq!(w.api.count(), before + 1, "one request\n{}", w.report());
    let done: Done = prepared(w.env.cmd("mnemo").args(&["context", "--json"])).run();
    let code = done.status.code();
    assert!(matches!(code, Some(0 | 1)), "{done:?}");
    let report = done.json();
    assert_eq!(report["client"]["version"], w.version, "found by itself");
    let (sent, told) = (sent(w), told(&report));
    let names = |list: &[Seen]| {
        list.iter()
            .map(|(path, _)| path.clone())
            .collect::<Vec<_>>()
    };
    assert_eq!(
        names(&told),
        names(&sent),
        "the files, in order (mnemo, client)"
    );
    for ((path, told), (_, sent)) in told.iter().zip(&sent) {
        assert_eq!(told, sent, "the text of {path} (mnemo, client)");
    }
    let needs = |warning: &Value| warning["needs_action"] == true;
    let action = report["warnings"].as_array().unwrap().iter().any(needs);
    assert_eq!(code, Some(i32::from(action)), "{report:#}");
    report
}

fn count(report: &Value) -> usize {
    report["files"].as_array().unwrap().len()
}

/// The kinds of the files.
fn kinds(report: &Value) -> Vec<&str> {
    let files = report["files"].as_array().unwrap();
    files
        .iter()
        .map(|file| file["kind"].as_str().unwrap())
        .collect()
}

/// The kinds of the warnings, sorted.
fn warnings(report: &Value) -> Vec<&str> {
    let list = report["warnings"].as_array().unwrap();
    let mut kinds: Vec<&str> = list.iter().map(|w| w["kind"].as_str().unwrap()).collect();
    kinds.sort_unstable();
    kinds
}

fn write(w: &World, files: &[(&str, &str)]) {
    for (path, text) in files {
        w.env.write(w.env.base().join(path), text);
    }
}

fn link(w: &World, from: &str, to: &str) {
    let from = w.env.base().join(from);
    std::fs::create_dir_all(from.parent().unwrap()).unwrap();
    std::os::unix::fs::symlink(to, from).unwrap();
}

/// One more key in the user's settings.
fn user_setting(w: &World, key: &str) {
    let file = w.env.claude().join("settings.json");
    let text = std::fs::read_to_string(&file).unwrap();
    w.env
        .write(&file, text.replacen('{', &format!("{{ {key},"), 1));
}

/// Says in the client's own file that imports from outside were approved.
fn approve(w: &World) {
    let file = w.env.home().join(".claude.json");
    let mut state: Value = serde_json::from_slice(&std::fs::read(&file).unwrap()).unwrap();
    let project = w.env.project().to_str().unwrap();
    state["projects"][project]["hasClaudeMdExternalIncludesApproved"] = Value::Bool(true);
    w.env.write(&file, state.to_string());
}

/// The auto memory's index of a project.
fn index(w: &World, project: &Path) -> PathBuf {
    let slug = mnemo_tests::session::slug(project);
    w.env
        .claude()
        .join("projects")
        .join(slug)
        .join("memory/MEMORY.md")
}

/// A test of a layout for each version.
macro_rules! layouts {
    ($($name:ident)*) => {$(
        mod $name {
            #[test]
            fn newest() {
                super::scenario(super::NEWEST, |w| super::layout::$name(w));
            }

            #[test]
            fn oldest() {
                super::scenario(super::OLDEST, |w| super::layout::$name(w));
            }
        }
    )*};
}

layouts! {
    parents rules_and_paths hops cycles outside approved code comments excludes worktree_beside
    worktree_inside below lines units memory_off moved links odd_bytes agents punctuation managed
}

mod layout {
    use super::*;

    pub(super) fn parents(w: &mut World) {
        write(
            w,
            &[
                ("home/.claude/CLAUDE.md", "user\n"),
                ("CLAUDE.md", "above\n"),
                (".claude/CLAUDE.md", "above, in .claude\n"),
                (".claude/rules/above.md", "rule above\n"),
                ("CLAUDE.local.md", "local above\n"),
                ("proj/CLAUDE.md", "project\n"),
                ("proj/.claude/CLAUDE.md", "in .claude\n"),
                ("proj/.claude/rules/r.md", "rule\n"),
                ("proj/CLAUDE.local.md", "local\n\n\n"),
                ("proj/.claude/CLAUDE.local.md", "not read\n"),
                ("proj/AGENTS.md", "not read where there is a CLAUDE.md\n"),
                ("proj/sub/CLAUDE.md", "below\n"),
                ("proj/README.md", "not read\n"),
            ],
        );
        w.env.write(
            index(w, w.env.project()),
            "# Memory\n\n- [a](a.md) — one `~3tk`\n",
        );
        let report = agrees(w, w.env.project(), &[]);
        assert_eq!(
            kinds(&report),
            [
                "user",
                "parent",
                "parent",
                "project-rule",
                "local",
                "project",
                "project-dot-claude",
                "project-rule",
                "local",
                "memory",
            ]
        );
        assert!(warnings(&report).is_empty(), "{report:#}");
    }

    pub(super) fn below(w: &mut World) {
        write(
            w,
            &[
                ("proj/CLAUDE.md", "project @q.md @a/z.md\n"),
                ("proj/q.md", "outside of the start directory\n"),
                ("proj/a/z.md", "inside\n"),
                ("proj/a/CLAUDE.md", "a\n"),
                ("proj/a/b/CLAUDE.md", "b\n"),
                ("proj/a/CLAUDE.local.md", "local\n"),
                ("proj/a/.claude/rules/r.md", "rule\n"),
            ],
        );
        w.env.write(
            index(w, w.env.project()),
            "- shared by all sub-directories\n",
        );
        let report = agrees(w, &w.env.project().join("a"), &[]);
        assert_eq!(count(&report), 6);
        assert_eq!(warnings(&report), ["import-outside"]);
        let report = agrees(w, &w.env.project().join("a/b"), &[]);
        assert_eq!(count(&report), 6, "{report:#}");
    }

    pub(super) fn rules_and_paths(w: &mut World) {
        let narrowed = [
            "paths: src/**",
            "paths: \"**/*\"",
            "paths: a, b",
            "paths: [a, b]",
            "paths: **/*.ts",
            "paths: {a,b}/**",
            "paths: [\"**\", \"a\"]",
            "\npaths: a",
            "paths: a\nbad: [x",
            "paths: @x/y",
            "\"paths\": a",
            "paths:\n  - \"**/*.rs\"",
            "paths: a---b",
            "description: a: b: c\npaths: a",
        ];
        let open = [
            "title: x",
            "paths: \"**\"",
            "paths:",
            "paths: []",
            "globs: src/**",
            "Paths: a",
            "paths: 5",
            "paths: {a: b}",
            "paths: \"/**\"",
            "paths: \"\"",
            "paths: \",\"",
            "paths:\n  - **/*.ts",
            "paths: true",
            "description: a: b",
        ];
        for (n, front) in narrowed.iter().chain(&open).enumerate() {
            for place in ["proj/.claude/rules", "home/.claude/rules"] {
                let text = format!("---\n{front}\n---\nrule {n}\n");
                w.env
                    .write(w.env.base().join(format!("{place}/r{n}.md")), text);
            }
        }
        write(
            w,
            &[
                ("proj/.claude/rules/none.txt", "no rule\n"),
                ("proj/.claude/rules/UPPER.MD", "no rule\n"),
                ("proj/.claude/rules/empty.md", ""),
                ("proj/.claude/rules/.hidden.md", "hidden\n"),
                ("proj/.claude/rules/deep/er/x.md", "deep @y.md @z.txt\n"),
                (
                    "proj/.claude/rules/deep/er/y.md",
                    "---\npaths: q\n---\nnarrowed, imported by a rule\n",
                ),
                ("proj/.claude/rules/deep/er/z.txt", "imported\n"),
                ("proj/.claude/rules/n.md", "---\npaths: q\n---\n@n.txt\n"),
                ("proj/.claude/rules/n.txt", "imported by a narrowed rule\n"),
                ("proj/.claude/rules/open-end.md", "---\npaths: a\nno end\n"),
                (
                    "proj/.claude/rules/crlf.md",
                    "---\r\npaths: a\r\n---\r\nx\r\n",
                ),
                (
                    "proj/.claude/rules/mark.md",
                    "\u{feff}---\npaths: a\n---\nx\n",
                ),
                ("proj/.claude/rules/late.md", " ---\npaths: a\n---\nx\n"),
                ("proj/.claude/rules/four.md", "----\npaths: a\n---\nx\n"),
                ("proj/.claude/rules/가나.md", "한글 규칙\n"),
            ],
        );
        let report = agrees(w, w.env.project(), &[]);
        assert!(count(&report) > 2 * open.len(), "{report:#}");
    }

    pub(super) fn hops(w: &mut World) {
        for n in 1..=6 {
            let next = if n < 6 {
                format!(" @h{}.md", n + 1)
            } else {
                String::new()
            };
            w.env.write(format!("h{n}.md"), format!("hop {n}{next}\n"));
        }
        write(
            w,
            &[
                ("proj/CLAUDE.md", "@h1.md and @s/one.md\n"),
                ("proj/s/one.md", "@./two.md @../s/three.md\n"),
                ("proj/s/two.md", "two\n"),
                ("proj/s/three.md", "three\n"),
                ("home/.claude/CLAUDE.md", "@u1.md @~/anywhere.md\n"),
                ("home/.claude/u1.md", "@u2.md"),
                ("home/.claude/u2.md", "two"),
                ("home/anywhere.md", "the user may import from anywhere\n"),
            ],
        );
        let report = agrees(w, w.env.project(), &[]);
        let files = report["files"].as_array().unwrap();
        let hops: Vec<u64> = files
            .iter()
            .map(|f| f["hop"].as_u64().unwrap_or(0))
            .collect();
        assert_eq!(hops, [0, 1, 2, 1, 0, 1, 2, 3, 4, 1, 2, 2]);
        assert_eq!(files[5]["imported_by"], files[4]["path"]);
        assert_eq!(warnings(&report), ["import-too-deep"]);
    }

    pub(super) fn cycles(w: &mut World) {
        write(
            w,
            &[
                (
                    "proj/CLAUDE.md",
                    "@a.md @./a.md @CLAUDE.md @.claude/rules/r.md @CLAUDE.local.md\n",
                ),
                ("proj/a.md", "@b.md @a.md\n"),
                ("proj/b.md", "@c.md @CLAUDE.md @a.md\n"),
                ("proj/c.md", "@a.md @b.md @c.md\n"),
                (
                    "proj/.claude/rules/r.md",
                    "---\npaths: x\n---\nimported in spite of its paths @r.md\n",
                ),
                ("proj/CLAUDE.local.md", "@a.md\n"),
                ("proj/.claude/CLAUDE.md", "@../CLAUDE.md\n"),
            ],
        );
        let report = agrees(w, w.env.project(), &[]);
        assert_eq!(count(&report), 7);
    }

    const OUTSIDE: &[(&str, &str)] = &[
        ("CLAUDE.md", "above @proj/in.md @beside.md\n"),
        ("beside.md", "beside\n"),
        ("proj/in.md", "inside\n"),
        (
            "proj/CLAUDE.md",
            "@../out.md @~/home.md @missing.md @gone/also.md @anna\n",
        ),
        ("proj/.claude/rules/r.md", "@../../../out2.md\n"),
        ("proj/CLAUDE.local.md", "@../out.md\n"),
        ("out.md", "out @out3.md\n"),
        ("out2.md", "out 2\n"),
        ("out3.md", "out 3\n"),
        ("home/home.md", "home\n"),
    ];

    pub(super) fn outside(w: &mut World) {
        write(w, OUTSIDE);
        let report = agrees(w, w.env.project(), &[]);
        assert_eq!(count(&report), 5);
        let all = warnings(&report);
        let of = |kind: &str| all.iter().filter(|k| **k == kind).count();
        assert_eq!(
            (of("import-outside"), of("import-missing")),
            (5, 2),
            "{all:?}"
        );
    }

    pub(super) fn approved(w: &mut World) {
        write(w, OUTSIDE);
        approve(w);
        let report = agrees(w, w.env.project(), &[]);
        assert_eq!(count(&report), 10);
        assert_eq!(warnings(&report), ["import-missing"; 2]);
    }

    pub(super) fn code(w: &mut World) {
        let lines = [
            "@f01.md",
            "text @f02.md more",
            "(@f03.md)",
            "- @f04.md",
            "* item @f05.md, next",
            "> @f06.md",
            "# head @f07.md",
            "**@f08.md**",
            "[x](@f09.md)",
            "[@f10.md](y)",
            "| a | @f11.md |\n|---|---|\n| b | @f12.md |",
            "    @f13.md",
            "~~~\n@f14.md\n~~~",
            "``a @f15.md b``",
            "<div>\n@f16.md\n</div>",
            "<!-- @f17.md -->",
            "x <!-- @f18.md --> y",
            "@f19.md#anchor",
            "@f20.md.",
            "@f21.md;",
            "\"@f22.md\"",
            "@\"f23.md\"",
            "x@f24.md",
            "\t@f25.md",
            "@f26.md\\",
            "@@f27.md",
            "@./f28.md",
            "@../proj/f29.md",
            "_@f31.md_",
            "*see @f32.md*",
            "~~ @f33.md ~~",
            "1. one\n   @f34.md\n   - deep @f35.md",
            "- item\n\n      @f36.md",
            "a  @f37.md  b",
            "`code` @f38.md `code`",
            "\\@f39.md",
            "<span>@f40.md</span>",
            "<span> @f41.md </span>",
            "@f42.md @f43.md",
            "https://x.y/@f44.md",
            "![i]( @f45.md )",
            "- a `see @f46.md` b @f47.md",
            "- [ ] @f48.md",
            "<!-- x --> @f49.md",
            "<!-- @f50.md\n--> tail @f51.md",
            "[ref]: @f52.md",
            "Term @f53.md\n=====",
            "&amp; @f54.md&amp;",
            "1) a\n   <!-- li --> @f55.md",
            "<details><summary>x</summary>\n\n@f56.md\n\n</details>",
            ">     @f57.md",
            "[^1]: @f58.md",
            "\\* @f59.md \\!@f60.md",
            "<https://a.b> @f61.md  \n@f62.md <br>@f63.md",
            "**bold**@f64.md",
            "~~x~~@f65.md `c`@f66.md",
            "![i](x)@f67.md [l](x)@f68.md",
            "@f69.md|@f70.md",
            "@f71.md<br>",
            "@f72.md*x*",
            "@f73.md`x`",
            "@f74.md[x](y)",
            "@f75.md_x_",
            "@f76.md\\*",
            "```\n@f77.md\n```",
            "@f78\\ blank.md",
            "@f79.png @f80 @f81.RS @f82.unknown",
            "@f한글.md @é.md @aé.md",
            "@$x.md @9.md @_u.md",
        ];
        let text = lines.join("\n\n");
        for n in 1..=82 {
            w.env.write(format!("f{n:02}.md"), format!("{n}"));
        }
        for name in [
            "f78 blank.md",
            "f79.png",
            "f80",
            "f81.RS",
            "f82.unknown",
            "f한글.md",
            "é.md",
            "aé.md",
            "$x.md",
            "9.md",
            "_u.md",
        ] {
            w.env.write(name, name);
        }
        w.env.write("CLAUDE.md", text);
        let report = agrees(w, w.env.project(), &[]);
        assert!((40..70).contains(&count(&report)), "{}", count(&report));
    }

    pub(super) fn comments(w: &mut World) {
        write(
            w,
            &[
                (
                    "home/.claude/CLAUDE.md",
                    "<!-- a -->\nx\n<!-- b --> tail\ny <!-- c -->\n\n\n<!-- multi\nline -->\nz\n  <!-- two -->\n",
                ),
                ("home/.claude/rules/r.md", "<!-- only a comment -->\n"),
                (
                    "CLAUDE.md",
                    "a\n\n<!-- c -->\n\nb\n\n\n- item\n  <!-- in item -->\n- item\n<!-- after -->\n\n> <!-- q -->\n",
                ),
                (
                    "proj/CLAUDE.md",
                    "```\n<!-- code -->\n```\n<!-- c -->\r\n\r\n\tx\r\n<div>\n<!-- d -->\n</div>\n\n<!-- with\n\nblank lines -->\n# h <!-- i -->\n<!-- e --> \nq\n",
                ),
                (
                    "proj/.claude/CLAUDE.md",
                    "<!-- a --><b>x</b>\n\n  <!-- indented -->\n\ny\n<!-- unclosed\nend\n",
                ),
                (
                    "proj/.claude/rules/r.md",
                    "---\nt: x\n---\n<!-- a -->\n\n1. a\n\n   <!-- b -->\n\nc\n<!-- d -->",
                ),
                ("proj/CLAUDE.local.md", "a <!-- inline -->\r\nb\r\n"),
            ],
        );
        w.env.write(index(w, w.env.project()), "<!-- budget: ~10tk / 40000tk (0%) -->\n# Memory\n\n- a <!-- b -->\n<!-- c -->\n\n- d\n");
        let report = agrees(w, w.env.project(), &[]);
        assert_eq!(count(&report), if w.version == OLDEST { 8 } else { 7 });
    }

    pub(super) fn excludes(w: &mut World) {
        let base = w.env.base().display();
        user_setting(w, "\"claudeMdExcludes\": [\"**/none.md\", \"CLAUDE.md\"]");
        w.env.write(
            ".claude/settings.json",
            format!("{{\"claudeMdExcludes\": [\"{base}/CLAUDE.md\", \"**/rules/a*.md\"]}}"),
        );
        w.env.write(
            ".claude/settings.local.json",
            format!(
                "{{\"claudeMdExcludes\": [\"{base}/{{proj,x}}/imp.md\", \"**/CLAUDE.local.md\"]}}"
            ),
        );
        write(
            w,
            &[
                ("CLAUDE.md", "above\n"),
                ("home/.claude/CLAUDE.md", "user\n"),
                ("home/.claude/rules/a.md", "user rule\n"),
                ("proj/CLAUDE.md", "@imp.md @other.md\n"),
                ("proj/imp.md", "@below.md\n"),
                ("proj/below.md", "below\n"),
                ("proj/other.md", "other\n"),
                ("proj/CLAUDE.local.md", "local\n"),
                ("proj/.claude/rules/ab.md", "rule\n"),
                ("proj/.claude/rules/b.md", "rule\n"),
            ],
        );
        let report = agrees(w, w.env.project(), &[]);
        assert_eq!(
            kinds(&report),
            ["user", "project", "import", "project-rule"]
        );
        assert_eq!(warnings(&report), ["excluded"; 5]);
    }

    fn worktree(w: &World, place: &str) -> PathBuf {
        write(
            w,
            &[
                ("CLAUDE.md", "above\n"),
                ("proj/CLAUDE.md", "project @x.md\n"),
                ("proj/x.md", "imported\n"),
                ("proj/.claude/CLAUDE.md", "in .claude\n"),
                ("proj/.claude/rules/r.md", "rule\n"),
                ("proj/a/CLAUDE.md", "below\n"),
            ],
        );
        w.env.git(&["add", "-A"]);
        w.env.git(&["commit", "-qm", "files"]);
        w.env.git(&["worktree", "add", "-q", place, "-b", "other"]);
        w.env.write("CLAUDE.local.md", "local\n");
        w.env
            .write(index(w, w.env.project()), "- of the main worktree\n");
        let top = w.env.project().join(place).canonicalize().unwrap();
        if w.version == OLDEST {
            w.env.write(index(w, &top), "- its own\n");
        }
        top
    }

    pub(super) fn worktree_beside(w: &mut World) {
        let top = worktree(w, "../beside");
        let report = agrees(w, &top, &[]);
        assert_eq!(count(&report), 6);
    }

    pub(super) fn worktree_inside(w: &mut World) {
        let top = worktree(w, ".claude/worktrees/inside");
        let report = agrees(w, &top.join("a"), &[]);
        assert_eq!(*kinds(&report).last().unwrap(), "memory");
        assert_eq!(count(&report), if w.version == OLDEST { 10 } else { 7 });
    }

    pub(super) fn lines(w: &mut World) {
        let file = index(w, w.env.project());
        for (n, cut) in [(199, false), (200, false), (201, true)] {
            let text: String = (1..=n)
                .map(|n| format!("- [e{n}](e{n}.md) — entry\n"))
                .collect();
            w.env.write(&file, format!("\n{text}\n\n"));
            let report = agrees(w, w.env.project(), &[]);
            // The old client counts the blank line at the top.
            let cut = cut || (w.version == OLDEST && n == 200);
            assert_eq!(report["files"][0]["truncated"], cut, "{n} lines");
            assert_eq!(warnings(&report).contains(&"memory-cut"), cut);
        }
    }

    pub(super) fn units(w: &mut World) {
        let file = index(w, w.env.project());
        let line = |c: char| format!("- {}\n", c.to_string().repeat(197)).repeat(124);
        let texts = [
            (format!("{}{}", line('x'), "y".repeat(199)), false),
            (format!("{}{}", line('x'), "y".repeat(200)), false),
            (format!("{}{}\n", line('x'), "y".repeat(201)), true),
            (format!("{}{}", line('가'), "나".repeat(200)), false),
            (format!("{}{}", line('가'), "나".repeat(201)), true),
            (format!("a{}", "😀".repeat(12_500)), true),
        ];
        for (text, cut) in texts {
            w.env.write(&file, &text);
            let report = agrees(w, w.env.project(), &[]);
            let cut = cut && w.version != OLDEST;
            assert_eq!(report["files"][0]["truncated"], cut, "{} bytes", text.len());
        }
    }

    pub(super) fn memory_off(w: &mut World) {
        w.env.write(index(w, w.env.project()), "- entry\n");
        w.env.write("CLAUDE.md", "project\n");
        let off = [("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1")];
        let report = agrees(w, w.env.project(), &off);
        assert_eq!(
            (kinds(&report), warnings(&report)),
            (vec!["project"], vec!["auto-memory-off"])
        );
        w.env
            .write(".claude/settings.json", "{\"autoMemoryEnabled\": false}");
        let report = agrees(w, w.env.project(), &[]);
        assert_eq!(warnings(&report), ["auto-memory-off"]);
        let on = [("CLAUDE_CODE_DISABLE_AUTO_MEMORY", "0")];
        let report = agrees(w, w.env.project(), &on);
        assert_eq!(kinds(&report), ["project", "memory"]);
        let nothing = [("CLAUDE_CODE_DISABLE_CLAUDE_MDS", "1")];
        let report = agrees(w, w.env.project(), &nothing);
        assert_eq!(count(&report), 0);
        assert_eq!(warnings(&report), ["instructions-off"]);
    }

    pub(super) fn moved(w: &mut World) {
        let base = w.env.base().to_owned();
        user_setting(
            w,
            &format!("\"autoMemoryDirectory\": \"{}/notes\"", base.display()),
        );
        w.env.write(base.join("notes/MEMORY.md"), "- moved\n");
        w.env
            .write(index(w, w.env.project()), "- at its usual place\n");
        let report = agrees(w, w.env.project(), &[]);
        assert_eq!(kinds(&report), ["memory"]);
    }

    pub(super) fn links(w: &mut World) {
        write(
            w,
            &[
                ("proj/INSTRUCTIONS.md", "behind a link @i.md\n"),
                ("proj/i.md", "imported\n"),
                ("proj/lr.md", "linked rule\n"),
                ("proj/rd/x.md", "rule in a linked folder\n"),
                ("out/o.md", "outside @p.md\n"),
                ("out/p.md", "outside\n"),
                (
                    "proj/.claude/CLAUDE.md",
                    "@d/l.md @e.md @../t/r.md @ext/o.md\n",
                ),
                ("proj/t/r.md", "target @s.md\n"),
                ("proj/t/s.md", "beside the target\n"),
            ],
        );
        link(w, "proj/CLAUDE.md", "INSTRUCTIONS.md");
        link(w, "proj/.claude/rules/l.md", "../../lr.md");
        link(w, "proj/.claude/rules/again.md", "../../lr.md");
        link(w, "proj/.claude/rules/folder", "../../rd");
        link(w, "proj/.claude/rules/loop", "..");
        link(w, "proj/.claude/rules/out.md", "../../../out/o.md");
        link(w, "proj/.claude/rules/gone.md", "nowhere");
        link(w, "proj/.claude/d/l.md", "../../t/r.md");
        link(w, "proj/.claude/e.md", "../t/r.md");
        link(w, "proj/.claude/ext", "../../out");
        link(w, "proj/CLAUDE.local.md", "../out/o.md");
        link(w, "by-link", "proj");
        let report = agrees(w, &w.env.base().join("by-link"), &[]);
        assert!(count(&report) >= 7, "{report:#}");
    }

    pub(super) fn odd_bytes(w: &mut World) {
        let write = |path: &str, bytes: &[u8]| w.env.write(w.env.base().join(path), bytes);
        write(
            "home/.claude/CLAUDE.md",
            b"\xef\xbb\xbfbyte order mark\r\n\r\n",
        );
        write("CLAUDE.md", b"caf\xe9 \xff\xfe x\n");
        write("proj/CLAUDE.md", b" \r\n  lead\r\nb \r\n\r\n");
        write(
            "proj/.claude/CLAUDE.md",
            b"---\ntitle: a---b\nx: y\n---\nbody\n",
        );
        write("proj/.claude/rules/blank.md", b" \n\t\n");
        write("proj/.claude/rules/nul.md", b"a\0b\n");
        write("proj/CLAUDE.local.md", b"---\na: b\n---\n\n\n  x");
        std::fs::create_dir(w.env.project().join("AGENTS.md")).unwrap();
        w.env.write(
            index(w, w.env.project()),
            b"\xef\xbb\xbf---\nname: x\n---\n# M\r\n@i.md\r\n",
        );
        let report = agrees(w, w.env.project(), &[]);
        assert_eq!(count(&report), 7);
    }

    pub(super) fn agents(w: &mut World) {
        write(
            w,
            &[
                ("home/.claude/CLAUDE.md", "user\n"),
                ("AGENTS.md", "above\n"),
                ("proj/AGENTS.md", "agents @i.md <!-- x -->\n<!-- y -->\n"),
                ("proj/.claude/AGENTS.md", "in .claude\n"),
                ("proj/.claude/rules/r.md", "rule\n"),
                ("proj/i.md", "imported\n"),
                ("proj/CLAUDE.md", "<!-- nothing -->\n"),
            ],
        );
        let report = agrees(w, w.env.project(), &[]);
        let agents = kinds(&report).iter().filter(|k| **k == "agents").count();
        assert_eq!(agents, if w.version == OLDEST { 0 } else { 3 });
        w.env.write("CLAUDE.local.md", "local\n");
        let report = agrees(w, w.env.project(), &[]);
        assert!(!kinds(&report).contains(&"agents"));
    }

    pub(super) fn punctuation(w: &mut World) {
        write(
            w,
            &[
                ("proj/CLAUDE.md", "See @a.md, and @docs/b.md.\n"),
                ("proj/a.md", "a\n"),
                ("proj/docs/b.md", "b\n"),
            ],
        );
        let long: String = (0..=200).map(|n| format!("line {n}\n")).collect();
        w.env.write("CLAUDE.local.md", long);
        let report = agrees(w, w.env.project(), &[]);
        assert_eq!(
            warnings(&report),
            ["import-punctuation", "import-punctuation", "over-200-lines"]
        );
    }

    /// The administrator's folder is a fixed place: both programs get a copy of `/etc` of their
    /// own, where the machine allows that.
    pub(super) fn managed(w: &mut World) {
        let etc = w.env.base().join("etc");
        let script = format!("mount --bind '{}' /etc && exec \"$@\"", etc.display());
        let copy = w.env.program("cp").args(&["-a", "/etc"]).arg(&etc).run();
        let try_it = w
            .env
            .program("unshare")
            .args(&["-m", "--", "sh", "-c", &script, "sh", "true"])
            .run();
        if !copy.status.success() || !try_it.status.success() {
            w.loose = true;
            return;
        }
        write(
            w,
            &[
                ("etc/claude-code/CLAUDE.md", "managed @m.md\n"),
                ("etc/claude-code/m.md", "outside of the project\n"),
                ("etc/claude-code/.claude/CLAUDE.md", "not read\n"),
                ("etc/claude-code/.claude/rules/r.md", "managed rule\n"),
                (
                    "etc/claude-code/.claude/rules/p.md",
                    "---\npaths: x\n---\nnarrowed\n",
                ),
                (
                    "etc/claude-code/managed-settings.json",
                    "{\"claudeMd\": \"text of the settings @x.md\\n<!-- kept -->\\n\", \"claudeMdExcludes\": [\"**/CLAUDE.md\"]}",
                ),
                ("home/.claude/CLAUDE.md", "user\n"),
                ("proj/CLAUDE.md", "project\n"),
                ("proj/CLAUDE.local.md", "local\n"),
            ],
        );
        let report = compare(w, w.env.project(), &[], |cmd| {
            cmd.under("unshare", &["-m", "--", "sh", "-c", &script, "sh"])
        });
        let expected: &[&str] = if w.version == OLDEST {
            &["managed", "managed-rule", "local"]
        } else {
            &["managed", "managed-setting", "managed-rule", "local"]
        };
        assert_eq!(kinds(&report), expected);
    }
}

#[test]
fn a_moved_configuration() {
    let prepare = |env: &mut TestEnv| {
        let dir = env.base().join("config");
        env.config_dir(&dir);
    };
    for version in [NEWEST, OLDEST] {
        scenario_with(version, "proj", prepare, |w| {
            write(
                w,
                &[
                    ("config/CLAUDE.md", "moved @n.md\n"),
                    ("config/n.md", "imported\n"),
                    ("config/rules/r.md", "rule\n"),
                    ("home/.claude/CLAUDE.md", "not read\n"),
                    ("proj/CLAUDE.md", "project @../out.md\n"),
                    ("out.md", "out\n"),
                ],
            );
            let report = agrees(w, w.env.project(), &[]);
            assert_eq!(kinds(&report), ["user", "import", "user-rule", "project"]);
        });
    }
}

#[test]
fn the_middle_version() {
    scenario(MIDDLE, layout::comments);
    scenario(MIDDLE, layout::links);
    scenario(MIDDLE, layout::worktree_inside);
    scenario(MIDDLE, layout::units);
}
