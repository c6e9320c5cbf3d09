//! The doctor, check by check: each is made to fail on purpose, says where and what helps, and is OK
//! again when that is done. No check is left out, and a healthy project gets no warning.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::too_many_lines,
    clippy::semicolon_if_nothing_returned,
    reason = "tests: a panic is how they fail, and they write files as users do"
)]

use mnemo_tests::{Session, TestEnv, bin};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

type Step = fn(&mut TestEnv);

/// One way in which a check fails.
struct Case {
    check: &'static str,
    level: &'static str,
    /// What is wrong.
    name: &'static str,
    args: &'static [&'static str],
    /// How `path:line`, or the path, of one piece of evidence ends; and a part of what it says.
    place: &'static str,
    says: &'static str,
    /// What the help begins with.
    help: &'static str,
    harm: Step,
    /// What is left to a person. A help that is a command is run before, as it stands.
    then: Option<Step>,
}

/// Checks that only inform.
const INFORM: [&str; 1] = ["history"];

/// Helps that are commands of this machine.
const COMMANDS: [&str; 6] = ["mnemo ", "git ", "chmod ", "rm ", "echo ", "mkdir "];

const CASES: &[Case] = &[
    Case {
        check: "root",
        level: "FAIL",
        name: "no project is marked",
        args: &[],
        place: "",
        says: "",
        help: "mnemo init",
        harm: |env| {
            fs::remove_dir_all(env.project().join(".git")).unwrap();
        },
        then: None,
    },
    Case {
        check: "root",
        level: "FAIL",
        name: "only marked projects are recorded",
        args: &[],
        place: "",
        says: "",
        help: "mnemo init",
        harm: |env| env.configure("capture: marked\n"),
        then: None,
    },
    Case {
        check: "root",
        level: "FAIL",
        name: "a part of the record leads out of the project",
        args: &[],
        place: "memory",
        says: "",
        help: "rm memory",
        harm: |env| {
            let outside = env.base().join("elsewhere");
            fs::create_dir_all(&outside).unwrap();
            let memory = env.project().join("memory");
            fs::rename(&memory, env.base().join("aside")).unwrap();
            std::os::unix::fs::symlink(&outside, &memory).unwrap();
        },
        then: None,
    },
    Case {
        check: "root",
        level: "WARN",
        name: "mnemo is switched off",
        args: &[],
        place: "MNEMO_DISABLE",
        says: "",
        help: "unset MNEMO_DISABLE",
        harm: |env| {
            env.set("MNEMO_DISABLE", "1");
        },
        then: Some(|env| {
            env.unset("MNEMO_DISABLE");
        }),
    },
    Case {
        check: "layers",
        level: "WARN",
        name: "nothing is recorded yet",
        args: &[],
        place: "conversations",
        says: "missing",
        help: "mnemo reconcile --all",
        harm: |env| fs::remove_dir_all(env.project().join("conversations")).unwrap(),
        then: None,
    },
    Case {
        check: "command",
        level: "WARN",
        name: "nothing on the PATH is called mnemo",
        args: &[],
        place: "PATH",
        says: "mnemo",
        help: "mkdir -p ",
        harm: |env| {
            env.set("PATH", "/usr/local/bin:/usr/bin:/bin");
        },
        then: Some(|env| {
            let folder = env.base().join("home/.local/bin");
            let path = format!("{}:/usr/bin:/bin", folder.display());
            env.set("PATH", path);
        }),
    },
    Case {
        check: "layers",
        level: "WARN",
        name: "the index is missing",
        args: &[],
        place: "MEMORY.md",
        says: "missing",
        help: "send one prompt in Claude Code",
        harm: |env| fs::remove_file(env.project().join("MEMORY.md")).unwrap(),
        then: Some(|env| {
            let mut session = env.session();
            session.says("p2", "again");
            env.hook("prompt-save", &session.prompt("p2", "again")).ok();
        }),
    },
    Case {
        check: "configuration",
        level: "WARN",
        name: "the user's file is no YAML",
        args: &[],
        place: "mnemo/config.yaml:3",
        says: "not valid YAML",
        help: "correct ",
        harm: |env| env.configure("scaffold: true\ncheckpoint: [\n"),
        then: Some(|env| env.configure("scaffold: true\n")),
    },
    Case {
        check: "configuration",
        level: "WARN",
        name: "the project's file names no such key",
        args: &[],
        place: ".mnemo.yaml",
        says: "",
        help: "correct .mnemo.yaml",
        harm: |env| {
            env.write(".mnemo.yaml", "language: klingon\n");
        },
        then: Some(|env| {
            env.write(".mnemo.yaml", "language: ko\n");
        }),
    },
    Case {
        check: "hooks",
        level: "FAIL",
        name: "none is wired",
        args: &[],
        place: "settings.json",
        says: "no hook is wired",
        help: "mnemo install",
        harm: |env| {
            env.mnemo(&["uninstall"]).ok();
        },
        then: None,
    },
    Case {
        check: "hooks",
        level: "FAIL",
        name: "one event is not wired",
        args: &[],
        place: "settings.json",
        says: "tool-log at PostToolUseFailure is not wired",
        help: "mnemo install",
        harm: |env| {
            settings(env, |all| {
                all["hooks"]
                    .as_object_mut()
                    .unwrap()
                    .remove("PostToolUseFailure");
            })
        },
        then: None,
    },
    Case {
        check: "hooks",
        level: "WARN",
        name: "the matcher is not what the configuration says",
        args: &[],
        place: "settings.json",
        says: "tools.skip",
        help: "mnemo install",
        harm: |env| env.configure("tools:\n  skip: [Read, WebFetch]\n"),
        then: None,
    },
    Case {
        check: "hooks",
        level: "FAIL",
        name: "the older shell hooks are wired too",
        args: &[],
        place: "settings.json",
        says: "save-response.sh",
        help: "mnemo install --replace-original",
        harm: |env| {
            settings(env, |all| {
                let stop = all["hooks"]["Stop"].as_array_mut().unwrap();
                stop.push(json!({"hooks": [
                    {"type": "command", "command": "bash ~/.claude/hooks/save-response.sh"}
                ]}));
            })
        },
        then: None,
    },
    Case {
        check: "hooks",
        level: "FAIL",
        name: "all hooks are switched off by the user",
        args: &[],
        place: "settings.json",
        says: "disableAllHooks",
        help: "take `disableAllHooks` out of ",
        harm: |env| settings(env, |all| all["disableAllHooks"] = json!(true)),
        then: Some(|env| {
            settings(env, |all| {
                all.as_object_mut().unwrap().remove("disableAllHooks");
            })
        }),
    },
    Case {
        check: "hooks",
        level: "FAIL",
        name: "all hooks are switched off in the project",
        args: &[],
        place: ".claude/settings.local.json:2",
        says: "disableAllHooks",
        help: "take `disableAllHooks` out of ",
        harm: |env| {
            let text = "{\n  \"disableAllHooks\": true\n}\n";
            env.write(".claude/settings.local.json", text);
        },
        then: Some(|env| {
            env.write(".claude/settings.local.json", "{}\n");
        }),
    },
    Case {
        check: "hooks",
        level: "FAIL",
        name: "the settings are no JSON",
        args: &[],
        place: "settings.json:3",
        says: "",
        help: "correct ",
        harm: |env| {
            let file = env.claude().join("settings.json");
            fs::rename(&file, env.base().join("aside.json")).unwrap();
            env.write(file, "{\n  \"model\": \"opus\",\n}\n");
        },
        then: Some(|env| {
            let file = env.claude().join("settings.json");
            fs::rename(env.base().join("aside.json"), file).unwrap();
        }),
    },
    Case {
        check: "hooks",
        level: "FAIL",
        name: "a program cannot be run",
        args: &[],
        place: "settings.json",
        says: "stop-trigger",
        help: "./install.sh",
        harm: |env| {
            let copy = copied(env, "stop-trigger", b"#!/bin/sh\n", 0o600);
            rewire(env, "stop-trigger", &copy);
        },
        then: Some(|env| rewire(env, "stop-trigger", &bin("stop-trigger"))),
    },
    Case {
        check: "hooks",
        level: "WARN",
        name: "a program is of another version",
        args: &[],
        place: "settings.json",
        says: "tool-log 0.0.9",
        help: "./install.sh",
        harm: |env| {
            let script = b"#!/bin/sh\necho tool-log 0.0.9\n";
            let copy = copied(env, "tool-log", script, 0o700);
            // At one of its two events only.
            settings(env, |all| {
                let entry = &mut all["hooks"]["PostToolUse"][0]["hooks"][0];
                entry["command"] = json!(copy);
            });
        },
        then: Some(|env| rewire(env, "tool-log", &bin("tool-log"))),
    },
    Case {
        check: "hooks",
        level: "WARN",
        name: "a hook is wired twice",
        args: &[],
        place: "settings.json",
        says: "wired 2 times",
        help: "take the extra entries",
        harm: |env| {
            settings(env, |all| {
                let stop = all["hooks"]["Stop"].as_array_mut().unwrap();
                stop.push(json!({"hooks": [
                    {"type": "command", "command": bin("stop-trigger")}
                ]}));
            })
        },
        then: Some(|env| {
            settings(env, |all| {
                all["hooks"]["Stop"].as_array_mut().unwrap().pop();
            })
        }),
    },
    Case {
        check: "hooks",
        level: "WARN",
        name: "plugin and settings would both run",
        args: &[],
        place: "settings.json",
        says: "the plugin is enabled too",
        help: "mnemo install",
        harm: |env| {
            settings(env, |all| {
                all["enabledPlugins"] = json!({"mnemo@somewhere": true});
            });
            fs::remove_dir_all(env.state().join("wired")).unwrap();
        },
        then: None,
    },
    Case {
        check: "hooks",
        level: "WARN",
        name: "a project's settings wire them a second time",
        args: &[],
        place: ".claude/settings.json:5",
        says: "response-save",
        help: "take the extra entries",
        harm: |env| {
            let text = format!(
                "{{\n  \"hooks\": {{\n    \"Stop\": [\n      {{\"hooks\": [\n        {{\"type\": \"command\", \"command\": \"{}\"}}\n      ]}}\n    ]\n  }}\n}}\n",
                env.base().join("other/response-save").display()
            );
            env.write(".claude/settings.json", text);
        },
        then: Some(|env| {
            env.write(".claude/settings.json", "{}\n");
        }),
    },
    Case {
        check: "hooks",
        level: "FAIL",
        name: "the plugin finds no programs",
        args: &[],
        place: "settings.json",
        says: "finds no programs",
        help: "./install.sh --no-settings",
        harm: |env| {
            env.mnemo(&["uninstall"]).ok();
            env.set("PATH", "/usr/bin:/bin");
            let text = "{\"enabledPlugins\": {\"mnemo@somewhere\": true}}";
            env.write(env.claude().join("settings.json"), text);
        },
        then: Some(|env| {
            env.set("MNEMO_BIN", bin("mnemo").parent().unwrap());
        }),
    },
    Case {
        check: "hooks",
        level: "WARN",
        name: "the plugin's programs are of another version",
        args: &[],
        place: "settings.json",
        says: "prompt-save 0.0.9",
        help: "./install.sh",
        harm: |env| {
            env.mnemo(&["uninstall"]).ok();
            let text = "{\"enabledPlugins\": {\"mnemo@somewhere\": true}}";
            env.write(env.claude().join("settings.json"), text);
            copied(
                env,
                "prompt-save",
                b"#!/bin/sh\necho prompt-save 0.0.9\n",
                0o700,
            );
            env.set("MNEMO_BIN", env.base().join("other"));
        },
        then: Some(|env| {
            env.set("MNEMO_BIN", bin("mnemo").parent().unwrap());
        }),
    },
    Case {
        check: "client",
        level: "WARN",
        name: "older than what was tried",
        args: &[],
        place: ".jsonl",
        says: "2.1.40",
        help: "claude update",
        harm: |env| used_by(env, "2.1.40"),
        then: Some(|env| used_by(env, "2.1.332")),
    },
    Case {
        check: "client",
        level: "WARN",
        name: "it ignores the memory's place",
        args: &[],
        place: "settings.json",
        says: "autoMemoryDirectory",
        help: "claude update",
        harm: |env| {
            let folder = env.base().join("notes");
            settings(env, |all| all["autoMemoryDirectory"] = json!(folder));
            used_by(env, "2.1.59");
        },
        then: Some(|env| used_by(env, "2.1.332")),
    },
    Case {
        check: "client",
        level: "WARN",
        name: "a project names the memory's place",
        args: &[],
        place: ".claude/settings.json:2",
        says: "autoMemoryDirectory",
        help: "move `autoMemoryDirectory` from ",
        harm: |env| {
            let text = "{\n  \"autoMemoryDirectory\": \"/etc\"\n}\n";
            env.write(".claude/settings.json", text);
        },
        then: Some(|env| {
            env.write(".claude/settings.json", "{}\n");
        }),
    },
    Case {
        check: "client",
        level: "FAIL",
        name: "an event it does not know costs the whole file",
        args: &[],
        place: "settings.json",
        says: "PostCompact",
        help: "claude update",
        harm: |env| {
            settings(env, |all| {
                all["hooks"]["PostCompact"] =
                    json!([{"hooks": [{"type": "command", "command": "true"}]}]);
            });
            used_by(env, "2.1.59");
        },
        then: Some(|env| used_by(env, "2.1.332")),
    },
    Case {
        check: "client",
        level: "FAIL",
        name: "it runs a path with a blank through a shell",
        args: &[],
        place: "settings.json",
        says: "stop-trigger",
        help: "mnemo install",
        harm: |env| {
            // Wired by a newer client's way of writing.
            settings(env, |all| {
                for entry in all["hooks"]["Stop"][0]["hooks"].as_array_mut().unwrap() {
                    if entry["command"].as_str().unwrap().contains("stop-trigger") {
                        entry["command"] = json!("/home/k im/stop-trigger");
                        entry["args"] = json!([]);
                    }
                }
            });
            used_by(env, "2.1.100");
        },
        then: Some(|env| rewire(env, "stop-trigger", &bin("stop-trigger"))),
    },
    Case {
        check: "hook-errors",
        level: "WARN",
        name: "a hook could not write",
        args: &[],
        place: "errors.log:2",
        says: "cannot write x",
        help: "rm ",
        harm: |env| {
            let line = "not a line\n[2026-11-30T09:00:00+00:00] [tool-log 0.1.0] cannot write x\n";
            env.write(env.state().join("errors.log"), line);
        },
        then: None,
    },
    Case {
        check: "mirror",
        level: "WARN",
        name: "a turn of today is missing",
        args: &["--deep"],
        place: "conversations",
        says: "last 7 days",
        help: "mnemo reconcile --all",
        harm: |env| unseen(env, "2026-11-30T05:03:22.123Z", 0),
        then: None,
    },
    Case {
        check: "mirror",
        level: "WARN",
        name: "old turns are about to be deleted by the client",
        args: &["--deep"],
        place: "conversations",
        says: "",
        help: "mnemo reconcile --all",
        harm: |env| {
            unseen(env, "2026-11-12T05:03:22.123Z", 18);
            settings(env, |all| all["cleanupPeriodDays"] = json!(20));
        },
        then: None,
    },
    Case {
        check: "git",
        level: "WARN",
        name: "conversations are tracked",
        args: &[],
        place: "conversations/2026-11-30-claude.md",
        says: "under version control",
        help: "git rm ",
        harm: |env| {
            env.git(&["add", "-f", "conversations"]).ok();
        },
        then: None,
    },
    Case {
        check: "git",
        level: "WARN",
        name: "nothing leaves conversations out",
        args: &[],
        place: "conversations/",
        says: "not ignored",
        help: "echo /conversations/ >> ",
        harm: |env| {
            env.write(".git/info/exclude", "");
        },
        then: None,
    },
    Case {
        check: "git",
        level: "WARN",
        name: "a .gitignore hides them from the assistant",
        args: &[],
        place: ".gitignore:2",
        says: "conversations",
        help: "echo /conversations/ >> ",
        harm: |env| {
            env.write(".gitignore", "/target/\n/conversations/\n");
            env.write(".git/info/exclude", "");
        },
        then: Some(|env| {
            env.write(".gitignore", "/target/\n");
        }),
    },
    Case {
        check: "permissions",
        level: "WARN",
        name: "others can read conversations",
        args: &[],
        place: "conversations/2026-11-30-claude.md",
        says: "0644",
        help: "chmod ",
        harm: |env| {
            mode(&env.project().join("conversations"), 0o755);
            let file = "conversations/2026-11-30-claude.md";
            mode(&env.project().join(file), 0o644);
        },
        then: None,
    },
    Case {
        check: "permissions",
        level: "WARN",
        name: "others can read observations",
        args: &[],
        place: "memory/learned",
        says: "0750",
        help: "chmod ",
        harm: |env| mode(&env.project().join("memory/learned"), 0o750),
        then: None,
    },
    Case {
        check: "shared-memory",
        level: "WARN",
        name: "another folder of as many letters",
        args: &[],
        place: "0a7e0000-0000-4000-8000-000000000000.jsonl",
        says: "began in /",
        help: "rename one of the two folders",
        harm: |env| {
            entry(env, "project_note", "it stands");
            env.write(
                auto(env).join("MEMORY.md"),
                "- [note](project_note.md) — note\n",
            );
            let own = env.project().to_str().unwrap();
            let slug = mnemo_tests::session::slug(env.project());
            // Another name with the same letters and digits, and a place that only moved.
            let twin = own.replace(['-', '.'], "상");
            assert_ne!(twin, own);
            assert_eq!(mnemo_tests::session::slug(Path::new(&twin)), slug);
            let other = "/elsewhere/shop".to_owned();
            let folder = env.claude().join("projects").join(&slug);
            for (name, start) in [("0a7e0000", &twin), ("0a7e0001", &other)] {
                let line = json!({"type": "user", "cwd": start, "message": {"role": "user", "content": "x"}});
                let name = format!("{name}-0000-4000-8000-000000000000.jsonl");
                env.write(folder.join(name), format!("{line}\n"));
            }
        },
        then: Some(|env| {
            let slug = mnemo_tests::session::slug(env.project());
            let folder = env.claude().join("projects").join(slug);
            fs::remove_file(folder.join("0a7e0000-0000-4000-8000-000000000000.jsonl")).unwrap();
        }),
    },
    Case {
        check: "index-limits",
        level: "WARN",
        name: "the record's index has too many lines",
        args: &[],
        place: "MEMORY.md:100",
        says: "100 lines",
        help: "move details from MEMORY.md",
        harm: |env| append(env, "MEMORY.md", &"line\n".repeat(100)),
        then: Some(|env| replace(env, "MEMORY.md", "line\n", "")),
    },
    Case {
        check: "index-limits",
        level: "WARN",
        name: "the record's index has too many bytes",
        args: &[],
        place: "MEMORY.md",
        says: "5120 bytes",
        help: "move details from MEMORY.md",
        harm: |env| append(env, "MEMORY.md", &"길다 ".repeat(1000)),
        then: Some(|env| replace(env, "MEMORY.md", "길다 ", "")),
    },
    Case {
        check: "index-limits",
        level: "WARN",
        name: "the client's index has too many lines",
        args: &[],
        place: "MEMORY.md:200",
        says: "200 lines",
        help: "mnemo check --store auto",
        harm: |env| {
            let mut index = String::new();
            for number in 0..220 {
                let name = format!("project_{number:03}");
                entry(env, &name, "One thing.");
                let _ = writeln!(index, "- [{name}]({name}.md)");
            }
            env.write(auto(env).join("MEMORY.md"), index);
        },
        then: Some(|env| {
            for number in 20..220 {
                fs::remove_file(auto(env).join(format!("project_{number:03}.md"))).unwrap();
            }
            let mut index = String::new();
            for number in 0..20 {
                let _ = writeln!(index, "- [x](project_{number:03}.md)");
            }
            env.write(auto(env).join("MEMORY.md"), index);
        }),
    },
    Case {
        check: "index-limits",
        level: "WARN",
        name: "the entries take more than their budget",
        args: &[],
        place: "MEMORY.md",
        says: "40000",
        help: "mnemo check --store auto",
        harm: |env| {
            entry(env, "project_long", &"many words ".repeat(12_000));
            env.write(auto(env).join("MEMORY.md"), "- [long](project_long.md)\n");
        },
        then: Some(|env| {
            entry(env, "project_long", "few words");
        }),
    },
    Case {
        check: "links",
        level: "FAIL",
        name: "the record's index leads nowhere",
        args: &[],
        place: "MEMORY.md:1",
        says: "memory/none.md",
        help: "mnemo check --store record",
        harm: |env| prepend(env, "MEMORY.md", "- [x](memory/none.md)\n"),
        then: Some(|env| replace(env, "MEMORY.md", "- [x](memory/none.md)\n", "")),
    },
    Case {
        check: "links",
        level: "WARN",
        name: "an entry leads nowhere",
        args: &[],
        place: "memory/tools.md:7",
        says: "nobody",
        help: "mnemo check --store record",
        harm: |env| append(env, "memory/tools.md", "[[nobody]]\n"),
        then: Some(|env| replace(env, "memory/tools.md", "[[nobody]]\n", "")),
    },
    Case {
        check: "links",
        level: "WARN",
        name: "no index reaches an entry of the record",
        args: &[],
        place: "memory/lonely.md",
        says: "no link leads to it",
        help: "mnemo check --store record",
        harm: |env| {
            env.write("memory/lonely.md", "# Lonely\n\nIt is alone.\n");
        },
        then: Some(|env| append(env, "MEMORY.md", "- [lonely](memory/lonely.md)\n")),
    },
    Case {
        check: "links",
        level: "WARN",
        name: "no index reaches an entry of the client's memory",
        args: &[],
        place: "project_lonely.md",
        says: "no link leads to it",
        help: "mnemo check --store auto",
        harm: |env| {
            entry(env, "project_lonely", "One thing.");
            env.write(auto(env).join("MEMORY.md"), "# Memory\n");
        },
        then: Some(|env| {
            let index = "- [lonely](project_lonely.md)\n";
            env.write(auto(env).join("MEMORY.md"), index);
        }),
    },
    Case {
        check: "entry-metadata",
        level: "WARN",
        name: "a heading has no date beside one that has",
        args: &[],
        place: "memory/tools.md:4",
        says: "no date",
        help: "add a line `- date: ",
        harm: |env| {
            let text = "### A\n- date: 2026-11-01\n\n### B\n\nx\n";
            env.write("memory/tools.md", text);
        },
        then: Some(|env| replace(env, "memory/tools.md", "B\n\n", "B\n- date: 2026-11-02\n\n")),
    },
    Case {
        check: "overgrown",
        level: "WARN",
        name: "a file has grown too large",
        args: &[],
        place: "memory/tools.md",
        says: "KB",
        help: "mnemo split memory/tools.md --apply",
        harm: |env| {
            let mut text = "# Tools\n".to_owned();
            for entry in 0..60 {
                let words = "words ".repeat(130);
                let _ = write!(text, "\n### Entry {entry}\n- date: 2026-11-01\n\n{words}\n");
            }
            env.write("memory/tools.md", text);
        },
        then: None,
    },
    Case {
        check: "overgrown",
        level: "WARN",
        name: "a file stands beside the folder it was split into",
        args: &[],
        place: "memory/tools.md",
        says: "memory/tools/index.md",
        help: "rm memory/tools.md",
        harm: |env| {
            env.write("memory/tools/index.md", "# Tools\n");
        },
        then: None,
    },
    Case {
        check: "lifecycle-links",
        level: "WARN",
        name: "a #slug with one match",
        args: &[],
        place: "memory/gotchas/001-old-port.md:3",
        says: "[[002-new-port]]",
        help: "mnemo doctor --fix",
        harm: |env| {
            let text = "# Old\n\nsuperseded-by: #new-port\n";
            env.write("memory/gotchas/001-old-port.md", text);
            env.write("memory/gotchas/002-new-port.md", "# New\n");
        },
        then: None,
    },
    Case {
        check: "lifecycle-links",
        level: "WARN",
        name: "a #slug without a match",
        args: &[],
        place: "memory/gotchas/001-old-port.md:3",
        says: "leads nowhere",
        help: "name a file that is there",
        harm: |env| {
            let text = "# Old\n\nsuperseded-by: #new-port\n";
            env.write("memory/gotchas/001-old-port.md", text);
        },
        then: Some(|env| {
            env.write("memory/gotchas/002-newest-port.md", "# New\n");
            let file = "memory/gotchas/001-old-port.md";
            replace(env, file, "#new-port", "[[002-newest-port]]");
        }),
    },
    Case {
        check: "anchors",
        level: "WARN",
        name: "a file moved",
        args: &[],
        place: "memory/tools.md:6",
        says: "src/pool.rs",
        help: "mnemo anchors",
        harm: |env| {
            env.git(&["mv", "src/store.rs", "src/pool.rs"]).ok();
            env.git(&["commit", "-q", "-m", "refactor: pool"]).ok();
        },
        then: Some(|env| replace(env, "memory/tools.md", "src/store.rs", "src/pool.rs")),
    },
    Case {
        check: "anchors",
        level: "WARN",
        name: "a symbol is gone",
        args: &[],
        place: "memory/tools.md:6",
        says: "open_store is gone",
        help: "mnemo anchors",
        harm: |env| {
            env.write("src/store.rs", "fn serve() {}\n");
        },
        then: Some(|env| replace(env, "memory/tools.md", "open_store", "serve()")),
    },
    Case {
        check: "observations",
        level: "FAIL",
        name: "the offset lies beyond the logs",
        args: &[],
        place: "memory/.mnemo-distill-offset:1",
        says: "since it",
        help: "mnemo doctor --fix",
        harm: |env| {
            env.write("memory/.mnemo-distill-offset", "9 9 1700000000\n");
        },
        then: None,
    },
    Case {
        check: "observations",
        level: "FAIL",
        name: "the offset is no offset",
        args: &[],
        place: "memory/.mnemo-distill-offset:1",
        says: "",
        help: "rm memory/.mnemo-distill-offset",
        harm: |env| {
            env.write("memory/.mnemo-distill-offset", b"\xff nine\n");
        },
        then: None,
    },
    Case {
        check: "observations",
        level: "WARN",
        name: "many failures wait",
        args: &[],
        place: "memory/gotchas/observations.jsonl",
        says: "250 new lines",
        help: "mnemo distill --done",
        harm: |env| {
            let log = failure("Bash", "error: no").repeat(250);
            env.write("memory/gotchas/observations.jsonl", log);
        },
        then: None,
    },
    Case {
        check: "observations",
        level: "FAIL",
        name: "a log is no file",
        args: &[],
        place: "memory/gotchas/observations.jsonl",
        says: "",
        help: "rm -r memory/gotchas/observations.jsonl",
        harm: |env| {
            let log = env.project().join("memory/gotchas/observations.jsonl");
            fs::create_dir_all(log).unwrap();
        },
        then: None,
    },
    Case {
        check: "misfiled-observations",
        level: "WARN",
        name: "a success is filed as a failure",
        args: &[],
        place: "memory/gotchas/observations.jsonl:2",
        says: "a success by its own words",
        help: "mnemo reclassify --apply",
        harm: |env| {
            let lines = [
                failure("Bash", "error: no"),
                failure("Bash", "{\\\"is_error\\\":false}"),
            ];
            env.write("memory/gotchas/observations.jsonl", lines.concat());
        },
        then: None,
    },
    Case {
        check: "absolute-paths",
        level: "WARN",
        name: "in a tool log",
        args: &[],
        place: "conversations/2026-11-29-toollog.md:3",
        says: "src/store.rs",
        help: "mnemo doctor --fix",
        harm: |env| {
            let path = env.project().join("src/store.rs");
            let log = format!(
                "# Tool Usage Log\n\n- `[10:00:00]` **Edit** {}\n",
                path.display()
            );
            env.write("conversations/2026-11-29-toollog.md", log);
        },
        then: None,
    },
    Case {
        check: "absolute-paths",
        level: "WARN",
        name: "in an observation",
        args: &[],
        place: "memory/learned/observations.jsonl:1",
        says: "file_path",
        help: "mnemo doctor --fix",
        harm: |env| {
            let input = json!({"file_path": env.project().join("src/store.rs")}).to_string();
            let line = json!({"timestamp": "2026-11-29T01:00:00Z", "event": "tool_success",
                "tool": "Edit", "input": input, "output": "ok", "session": "s"});
            env.write("memory/learned/observations.jsonl", format!("{line}\n"));
        },
        then: None,
    },
    Case {
        check: "absolute-paths",
        level: "WARN",
        name: "in a handoff",
        args: &[],
        place: "docs/handoffs/2026-11-29-100000-x.md:2",
        says: "proj",
        help: "mnemo doctor --fix",
        harm: |env| {
            let text = format!("# Handoff: x\n- Project: {}\n", env.project().display());
            env.write("docs/handoffs/2026-11-29-100000-x.md", text);
        },
        then: None,
    },
    Case {
        check: "handoffs",
        level: "WARN",
        name: "the newest is not finished",
        args: &[],
        place: "docs/handoffs/",
        says: "",
        help: "mnemo handoff validate ",
        harm: |env| {
            env.mnemo(&["handoff", "create"]).ok();
        },
        then: Some(|env| fill(env)),
    },
    Case {
        check: "handoffs",
        level: "FAIL",
        name: "the newest holds a secret",
        args: &[],
        place: "docs/handoffs/",
        says: "",
        help: "mnemo handoff validate ",
        harm: |env| {
            env.mnemo(&["handoff", "create"]).ok();
            fill(env);
            let file = newest(env);
            let text = fs::read_to_string(&file).unwrap();
            let secret = format!("\nkey {}{}\n", "AKIA", "IOSFODNN7EXAMPL3");
            fs::write(&file, text + &secret).unwrap();
        },
        then: Some(|env| {
            let file = newest(env);
            let text = fs::read_to_string(&file).unwrap();
            let (before, _) = text.split_once("\nkey AKIA").unwrap();
            fs::write(&file, before).unwrap();
        }),
    },
    Case {
        check: "handoffs",
        level: "WARN",
        name: "the newest is stale",
        args: &[],
        place: "docs/handoffs/",
        says: "",
        help: "mnemo handoff create",
        harm: |env| {
            env.mnemo(&["handoff", "create"]).ok();
            fill(env);
            for number in 0..60 {
                env.write(format!("src/more_{number}.rs"), "fn more() {}\n");
                env.git(&["add", "src"]).ok();
                let message = format!("feat: {number}");
                env.git(&["commit", "-q", "-m", &message]).ok();
            }
            env.now("2026-12-30T14:03:22Z");
        },
        then: Some(|env| fill(env)),
    },
    Case {
        check: "checkpoint",
        level: "WARN",
        name: "its state is damaged",
        args: &[],
        place: ".consolidate-state",
        says: "JSON",
        help: "rm -r ",
        harm: |env| {
            env.write(auto(env).join(".consolidate-state"), "{half");
        },
        then: None,
    },
    Case {
        check: "checkpoint",
        level: "WARN",
        name: "its state is a folder",
        args: &[],
        place: ".consolidate-state",
        says: "",
        help: "rm -r ",
        harm: |env| {
            let state = auto(env).join(".consolidate-state");
            fs::remove_file(&state).unwrap();
            fs::create_dir(&state).unwrap();
        },
        then: None,
    },
];

fn settings(env: &TestEnv, change: impl FnOnce(&mut Value)) {
    let file = env.claude().join("settings.json");
    let mut all: Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    change(&mut all);
    fs::write(file, serde_json::to_string_pretty(&all).unwrap()).unwrap();
}

/// Every entry of a program runs this file.
fn rewire(env: &TestEnv, program: &str, path: &Path) {
    settings(env, |all| {
        for event in all["hooks"].as_object_mut().unwrap().values_mut() {
            for group in event.as_array_mut().unwrap() {
                for entry in group["hooks"].as_array_mut().unwrap() {
                    if entry["command"].as_str().unwrap().ends_with(program) {
                        entry["command"] = json!(path);
                    }
                }
            }
        }
    });
}

/// A program of this name elsewhere.
fn copied(env: &TestEnv, program: &str, bytes: &[u8], bits: u32) -> PathBuf {
    let path = env.write(env.base().join("other").join(program), bytes);
    mode(&path, bits);
    path
}

fn mode(path: &Path, bits: u32) {
    fs::set_permissions(path, fs::Permissions::from_mode(bits)).unwrap();
}

/// The newest transcript is of this version.
fn used_by(env: &mut TestEnv, version: &str) {
    let mut session = env.session();
    version.clone_into(&mut session.version);
    session.says("p9", "again");
    env.hook("prompt-save", &session.prompt("p9", "again")).ok();
}

/// A turn that no hook saw, in a transcript that was last written so many days ago.
fn unseen(env: &TestEnv, clock: &str, days: u64) {
    let mut session = Session::new(env, "5b1f0c2d-0000-4000-8000-000000000000");
    clock.clone_into(&mut session.clock);
    session.says("q1", "never seen by a hook");
    session.answers("nor this", Some("end_turn"));
    session.stopped();
    // 2026-11-30T14:03:22Z, the time that mnemo is told.
    let now = std::time::UNIX_EPOCH + std::time::Duration::from_secs(1_796_047_402);
    let file = fs::File::options()
        .append(true)
        .open(&session.transcript)
        .unwrap();
    file.set_modified(now - std::time::Duration::from_secs(days * 86_400))
        .unwrap();
}

/// The client's memory of the project.
fn auto(env: &TestEnv) -> PathBuf {
    let slug = mnemo_tests::session::slug(env.project());
    env.claude().join("projects").join(slug).join("memory")
}

fn entry(env: &TestEnv, name: &str, body: &str) {
    let text =
        format!("---\nname: {name}\ndescription: it is said\ntype: project\n---\n\n{body}\n");
    env.write(auto(env).join(format!("{name}.md")), text);
}

fn append(env: &TestEnv, file: &str, text: &str) {
    let old = fs::read_to_string(env.project().join(file)).unwrap();
    env.write(file, old + text);
}

fn prepend(env: &TestEnv, file: &str, text: &str) {
    let old = fs::read_to_string(env.project().join(file)).unwrap();
    env.write(file, text.to_owned() + &old);
}

fn replace(env: &TestEnv, file: &str, from: &str, to: &str) {
    let old = fs::read_to_string(env.project().join(file)).unwrap();
    assert!(old.contains(from), "{old}");
    env.write(file, old.replace(from, to));
}

/// A line as the older shell hooks wrote it: jq's compact form; `output` is escaped already.
fn failure(tool: &str, output: &str) -> String {
    format!(
        "{{\"timestamp\":\"2026-11-29T01:00:00Z\",\"event\":\"tool_error\",\"tool\":\"{tool}\",\"input\":\"{{\\\"command\\\":\\\"make\\\"}}\",\"output\":\"{output}\",\"session\":\"s\"}}\n"
    )
}

fn newest(env: &TestEnv) -> PathBuf {
    let folder = env.project().join("docs/handoffs");
    let files = fs::read_dir(folder).unwrap().map(|e| e.unwrap().path());
    files.max().unwrap()
}

/// Every blank of the newest handoff is filled in, as the assistant does.
fn fill(env: &TestEnv) {
    const SAID: &str = "The store keeps what is read, because the disk was slow at that time.";
    let file = newest(env);
    let text = fs::read_to_string(&file).unwrap();
    let (mut out, mut rest) = (String::new(), text.as_str());
    while let Some((before, behind)) = rest.split_once("[TODO") {
        let (blank, behind) = behind.split_once(']').unwrap();
        out.push_str(before);
        out.push_str(match blank.trim_start_matches([':', ' ']) {
            "path" => "src/store.rs",
            _ if before.ends_with(['A', 'B', 'C']) => "[Store]",
            _ => SAID,
        });
        rest = behind;
    }
    fs::write(file, out + rest).unwrap();
}

fn doctor(env: &TestEnv, more: &[&str]) -> Value {
    let mut args = vec!["doctor", "--json"];
    args.extend(more);
    env.mnemo(&args).json()
}

fn row<'a>(report: &'a Value, check: &str) -> &'a Value {
    let rows = report["checks"].as_array().unwrap();
    rows.iter()
        .find(|row| row["check"] == check)
        .unwrap_or_else(|| panic!("no check {check}"))
}

fn well(env: &TestEnv, check: &str, more: &[&str]) {
    let report = doctor(env, more);
    let row = row(&report, check);
    assert_eq!(row["level"], "OK", "{row:#}");
}

/// Runs a help that is a command, as a person would in the project's folder. One that only looks
/// may end with 1.
fn follow(env: &TestEnv, help: &str, changes: bool) {
    let command = help.split("  (").next().unwrap();
    let path = format!("{}:/usr/bin:/bin", bin("mnemo").parent().unwrap().display());
    let done = env
        .program("sh")
        .args(&["-c", command])
        .env("PATH", path)
        .run();
    let code = done.status.code();
    assert!(
        code == Some(0) || (!changes && code == Some(1)),
        "{command}: {done:?}"
    );
}

fn run(case: &Case) {
    let mut env = TestEnv::healthy();
    well(&env, case.check, case.args);
    (case.harm)(&mut env);
    let report = doctor(&env, case.args);
    let told = row(&report, case.check);
    assert_eq!(told["level"], case.level, "{told:#}");
    let evidence = told["evidence"].as_array().unwrap();
    let names_it = evidence.iter().any(|one| {
        let path = one["path"].as_str().unwrap();
        let line = one["line"].as_u64();
        let place = line.map_or(path.to_owned(), |line| format!("{path}:{line}"));
        let named = place.ends_with(case.place)
            || path.ends_with(case.place)
            || case.place.ends_with('/') && path.contains(case.place);
        named && one["what"].as_str().unwrap_or_default().contains(case.says)
    });
    assert!(names_it || case.place.is_empty(), "{told:#}");
    let help = told["help"].as_str().unwrap();
    assert!(help.starts_with(case.help), "{told:#}");
    // People see the place and the help too.
    let said = env.cmd("mnemo").arg("doctor").args(case.args).run().out();
    assert!(said.contains(&format!("-> {}", case.help)), "{said}");
    if COMMANDS.iter().any(|lead| help.starts_with(lead)) {
        follow(&env, help, case.then.is_none());
    }
    if let Some(then) = case.then {
        then(&mut env);
    }
    well(&env, case.check, case.args);
}

#[test]
fn each_check_fails_on_purpose_and_its_help_mends_it() {
    let left = Mutex::new(CASES.iter().collect::<Vec<_>>());
    let failed = Mutex::new(Vec::new());
    bin("mnemo");
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| {
                loop {
                    let Some(case) = left.lock().unwrap().pop() else {
                        return;
                    };
                    if catch_unwind(AssertUnwindSafe(|| run(case))).is_err() {
                        let name = format!("{}: {}", case.check, case.name);
                        failed.lock().unwrap().push(name);
                    }
                }
            });
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn no_check_is_without_a_case() {
    let mut told = BTreeSet::new();
    let mut look = |env: &TestEnv| {
        for args in [&[][..], &["--deep"]] {
            for row in doctor(env, args)["checks"].as_array().unwrap() {
                told.insert(row["check"].as_str().unwrap().to_owned());
            }
        }
    };
    look(&TestEnv::healthy());
    look(&TestEnv::bare("loose"));
    let cases: BTreeSet<String> = CASES.iter().map(|case| case.check.to_owned()).collect();
    for inform in INFORM {
        assert!(told.remove(inform));
    }
    assert_eq!(told, cases);
}

/// What only informs stays OK whatever there is.
#[test]
fn history_never_warns() {
    let env = TestEnv::new();
    well(&env, "history", &[]);
    let env = TestEnv::healthy();
    env.write("conversations/2019-01-01-claude.md", "torn \u{feff}");
    well(&env, "history", &["--deep"]);
}

fn unwell(env: &TestEnv, args: &[&str]) -> Vec<Value> {
    let report = doctor(env, args);
    let rows = report["checks"].as_array().unwrap();
    let unwell = rows.iter().filter(|row| row["level"] != "OK");
    unwell.cloned().collect()
}

#[test]
fn a_healthy_project_gets_no_warning() {
    // A name of precomposed and one of decomposed Hangul, blanks, umlauts.
    for name in ["proj", "가게 api", "\u{1100}\u{1161}ge", "Büro (neu)"] {
        let mut env = TestEnv::named(name);
        env.be_healthy();
        assert_eq!(unwell(&env, &[]), [json!(null); 0], "{name}");
        assert_eq!(unwell(&env, &["--deep"]), [json!(null); 0], "{name}");
        env.mnemo(&["doctor"]).ok();
    }
}

/// Nothing was said there yet, and nothing is wrong.
#[test]
fn a_new_project_gets_no_warning() {
    let mut env = TestEnv::named("fresh");
    env.mnemo(&["install"]).ok();
    let programs = bin("mnemo").parent().unwrap().to_owned();
    env.set("PATH", format!("{}:/usr/bin:/bin", programs.display()));
    assert_eq!(unwell(&env, &["--deep"]), [json!(null); 0]);
    env.mnemo(&["doctor"]).ok();
}

#[test]
fn a_healthy_project_without_git_gets_no_warning() {
    let mut env = TestEnv::bare("loose");
    env.mnemo(&["init"]).ok();
    env.be_healthy();
    assert_eq!(unwell(&env, &["--deep"]), [json!(null); 0]);
}

#[test]
fn a_worktree_of_a_healthy_project_gets_no_warning() {
    let env = TestEnv::healthy();
    let tree = env.base().join("tree");
    env.git(&["worktree", "add", "-q", tree.to_str().unwrap()])
        .ok();
    let told = env
        .cmd("mnemo")
        .args(&["doctor", "--json"])
        .cwd(&tree)
        .run();
    let told = told.ok().json();
    assert_eq!(told["root"], json!(env.project()));
    let below = env.project().join("src");
    env.cmd("mnemo").arg("doctor").cwd(&below).run().ok();
}

#[test]
fn a_plugin_alone_is_enough() {
    let env = TestEnv::healthy();
    env.mnemo(&["uninstall"]).ok();
    let text = "{\"enabledPlugins\": {\"mnemo@somewhere\": true}}";
    env.write(env.claude().join("settings.json"), text);
    // Programs are found as the plugin's own script finds them.
    let mut env = env;
    env.set("MNEMO_BIN", bin("mnemo").parent().unwrap());
    well(&env, "hooks", &[]);
}

#[test]
fn old_turns_that_the_client_still_keeps_are_no_warning() {
    let env = TestEnv::healthy();
    unseen(&env, "2026-11-12T05:03:22.123Z", 18);
    let report = doctor(&env, &["--deep"]);
    let mirror = row(&report, "mirror");
    assert_eq!(mirror["level"], "OK", "{mirror:#}");
    assert!(mirror.to_string().contains("older turns"), "{mirror:#}");
}
