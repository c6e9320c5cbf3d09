//! What install, uninstall and inspect do around the text.
#![allow(clippy::disallowed_methods, reason = "tests make files and wait")]
#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

mod common;

use common::{Home, commands, make_programs};
use mnemo_home::{Config, notes};
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use wiring::{Options, PROGRAMS, inspect, install, uninstall};

fn mode(path: &Path) -> u32 {
    fs::metadata(path).unwrap().permissions().mode() & 0o7777
}

fn repository(file: &str) -> serde_json::Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(file);
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn a_file_that_install_made_goes_again() {
    let home = Home::new();
    fs::remove_dir(home.path().join(".claude")).unwrap();
    let report = home.install().unwrap();
    assert!(report.changed && report.backup.is_none());
    assert_eq!(mode(&home.settings()), 0o600);
    assert_eq!(mode(&home.path().join(".claude")), 0o700);
    assert!(home.text().ends_with("}\n"));
    home.uninstall().unwrap();
    assert!(!home.path().join(".claude").exists());

    home.install().unwrap();
    fs::write(home.path().join(".claude/other"), "").unwrap();
    home.uninstall().unwrap();
    assert!(!home.settings().exists() && home.path().join(".claude/other").exists());
}

#[test]
fn a_file_that_install_made_and_somebody_changed_stays() {
    let home = Home::new();
    home.install().unwrap();
    let text = home.text().replacen('{', "{\n  \"model\": \"opus\",", 1);
    home.write(text);
    home.uninstall().unwrap();
    assert_eq!(home.json(), serde_json::json!({"model": "opus"}));
}

#[test]
fn links_are_followed_and_modes_kept() {
    let home = Home::new();
    let dotfiles = home.path().join("dotfiles");
    fs::create_dir(&dotfiles).unwrap();
    let real = dotfiles.join("claude.json");
    fs::write(&real, "{}\n").unwrap();
    fs::set_permissions(&real, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("link2", home.settings()).unwrap();
    symlink("../dotfiles/claude.json", home.path().join(".claude/link2")).unwrap();
    home.install().unwrap();
    assert_eq!(
        fs::read_link(home.settings()).unwrap(),
        PathBuf::from("link2")
    );
    assert!(fs::read_to_string(&real).unwrap().contains("prompt-save"));
    assert_eq!(mode(&real), 0o640);
    home.uninstall().unwrap();
    assert_eq!(fs::read_to_string(&real).unwrap(), "{}\n");
    assert_eq!(mode(&real), 0o640);

    // A link that leads nowhere yet: its target is made, and removed again; the link stays.
    fs::remove_file(&real).unwrap();
    home.install().unwrap();
    assert!(real.exists());
    home.uninstall().unwrap();
    assert!(!real.exists());
    assert!(fs::symlink_metadata(home.settings()).unwrap().is_symlink());
}

#[test]
fn a_read_only_file_is_refused_for_root_too() {
    let home = Home::new();
    home.write("{}");
    fs::set_permissions(home.settings(), fs::Permissions::from_mode(0o444)).unwrap();
    let error = home.install().unwrap_err();
    assert_eq!(error.exit_code(), 4);
    assert!(error.to_string().contains("read-only"), "{error}");
    assert_eq!(home.text(), "{}");
    assert!(!home.state().join("backups").exists());
    assert!(home.dry_run().unwrap().changed);
}

#[test]
fn what_is_no_file_is_refused() {
    let home = Home::new();
    fs::create_dir(home.settings()).unwrap();
    assert_eq!(home.install().unwrap_err().exit_code(), 4);
    let home = Home::new();
    symlink("settings.json", home.settings()).unwrap();
    assert!(home.install().unwrap_err().exit_code() >= 3);
}

#[test]
fn a_missing_program_stops_everything() {
    let home = Home::new();
    fs::remove_file(home.programs.join("tool-log")).unwrap();
    let tree = home.tree();
    let error = home.install().unwrap_err();
    assert_eq!(error.exit_code(), 3);
    assert!(error.to_string().contains("tool-log"), "{error}");
    assert_eq!(home.tree(), tree);

    let home = Home::new();
    let path = home.programs.join("tool-log");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    assert_eq!(home.install().unwrap_err().exit_code(), 3);

    let relative = Options {
        programs: "bin".into(),
        ..Options::default()
    };
    assert_eq!(install(&relative, &home.env()).unwrap_err().exit_code(), 4);
    let nowhere = mnemo_home::Env::default();
    assert_eq!(
        install(&home.options(), &nowhere).unwrap_err().exit_code(),
        3
    );
}

#[test]
fn the_command_form_fits_client_and_path() {
    let home = Home::with_programs_in("pa th/it's $HOME & 한글");
    let path = home
        .programs
        .join("prompt-save")
        .to_str()
        .unwrap()
        .to_owned();
    let hook = |home: &Home| home.json()["hooks"]["UserPromptSubmit"][0]["hooks"][0].clone();

    home.install().unwrap();
    let quoted = format!("'{}'", path.replace('\'', r"'\''"));
    assert_eq!(
        hook(&home),
        serde_json::json!({"type": "command", "command": quoted})
    );
    let out = std::process::Command::new("/bin/sh")
        .arg("-c")
        .arg(&quoted)
        .output()
        .unwrap();
    assert!(out.status.success(), "{out:?}");

    // A newer client has come: the same hooks in exec form, no second copy.
    let client = home.client("2.1.332");
    let env = home.env_with(&[("PATH", &client)]);
    let report = install(&home.options(), &env).unwrap();
    assert_eq!(report.client.as_deref(), Some("2.1.332"));
    assert_eq!(
        hook(&home),
        serde_json::json!({"type": "command", "command": path, "args": []})
    );
    assert_eq!(commands(&home.json(), "UserPromptSubmit").len(), 1);
    assert_eq!(commands(&home.json(), "Stop").len(), 2);
    assert!(!install(&home.options(), &env).unwrap().changed);

    home.client("2.1.138");
    install(&home.options(), &env).unwrap();
    assert_eq!(hook(&home)["args"], serde_json::Value::Null);
    home.uninstall().unwrap();
    assert_eq!(home.read(), None);
}

#[test]
fn programs_that_moved_are_wired_anew_and_once() {
    let home = Home::new();
    let before = "{\n  \"model\": \"opus\"\n}\n";
    home.write(before);
    home.install().unwrap();
    let moved = Options {
        programs: home.path().join("elsewhere/bin"),
        ..Options::default()
    };
    make_programs(&moved.programs);
    let report = install(&moved, &home.env()).unwrap();
    assert!(report.changed && report.diff.contains("\n-"));
    for (event, count) in [("Stop", 2), ("PostToolUse", 1), ("PreCompact", 1)] {
        let found = commands(&home.json(), event);
        assert_eq!(found.len(), count);
        assert!(found.iter().all(|c| c.contains("elsewhere")), "{found:?}");
    }
    assert_eq!(home.json()["hooks"].as_object().unwrap().len(), 6);
    uninstall(&moved, &home.env()).unwrap();
    assert_eq!(home.text(), before);
}

#[test]
fn the_matcher_follows_the_configuration() {
    let home = Home::new();
    home.install().unwrap();
    let matcher = |home: &Home| home.json()["hooks"]["PostToolUse"][0]["matcher"].clone();
    let default = wiring::matcher(&Config::default().tools_skip).unwrap();
    assert_eq!(matcher(&home), default);
    assert!(default.contains("|Grep|") && default.contains("SendMessage)$"));

    fs::create_dir_all(home.path().join(".config/mnemo")).unwrap();
    let config = home.path().join(".config/mnemo/config.yaml");
    fs::write(&config, "tools:\n  skip: [Read, WebSearch]\n").unwrap();
    let findings = inspect(&home.env()).unwrap().findings();
    assert!(
        findings.iter().all(|f| f.contains("tools.skip")),
        "{findings:?}"
    );
    assert_eq!(findings.len(), 2);
    home.install().unwrap();
    assert_eq!(matcher(&home), "^(?!(?:Read|WebSearch)$).*");
    assert_eq!(
        home.json()["hooks"]["PostToolUseFailure"][0]["matcher"],
        matcher(&home)
    );
    assert!(inspect(&home.env()).unwrap().is_well());
    fs::write(&config, "tools:\n  skip: []\n").unwrap();
    home.install().unwrap();
    assert_eq!(matcher(&home), serde_json::Value::Null);
    home.uninstall().unwrap();
    assert_eq!(home.read(), None);
}

#[test]
fn only_ours_leaves_a_group_that_somebody_extended() {
    let home = Home::new();
    home.install().unwrap();
    let ours = format!("\"command\": \"{}/prompt-save\"", home.programs.display());
    let theirs = "\"command\": \"/opt/prompt-save-tools/prompt-save\", \"args\": []}, {\"type\": \"command\", ";
    home.write(home.text().replace(&ours, &format!("{theirs}{ours}")));
    assert!(!home.install().unwrap().changed);
    home.uninstall().unwrap();
    let left = serde_json::json!({"hooks": {"UserPromptSubmit": [{"hooks": [
        {"type": "command", "command": "/opt/prompt-save-tools/prompt-save", "args": []}]}]}});
    assert_eq!(home.json(), left);
}

#[test]
fn the_same_command_with_arguments_is_not_ours() {
    let home = Home::new();
    home.install().unwrap();
    let path = home.programs.join("tool-log");
    let mut settings = home.json();
    settings["hooks"]["Notification"] = serde_json::json!([{"hooks": [
        {"type": "command", "command": path, "args": ["--version"]},
        {"type": "command", "command": format!("{} --version", path.display())}]}]);
    home.write(settings.to_string());
    home.uninstall().unwrap();
    assert_eq!(
        home.json(),
        serde_json::json!({"hooks": {"Notification": settings["hooks"]["Notification"]}})
    );
}

#[test]
fn an_entry_pasted_by_hand_is_taken_for_ours() {
    let home = Home::new();
    let example = fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../settings.example.json"),
    )
    .unwrap();
    let here = home.programs.to_str().unwrap();
    home.write(example.replace("/home/you/.local/share/mnemo/bin", here));
    let state = inspect(&home.env()).unwrap();
    assert!(state.is_well(), "{:?}", state.findings());
    assert!(state.hooks.iter().all(|hook| !hook.recorded));
    assert!(!home.install().unwrap().changed);
    assert!(
        inspect(&home.env())
            .unwrap()
            .hooks
            .iter()
            .all(|hook| hook.recorded)
    );
    home.uninstall().unwrap();
    assert!(!inspect(&home.env()).unwrap().is_wired());
}

#[test]
fn uninstall_needs_neither_programs_nor_its_note() {
    let home = Home::new();
    home.write("{\"model\":\"opus\"}");
    home.install().unwrap();
    fs::remove_dir_all(&home.programs).unwrap();
    home.uninstall().unwrap();
    assert_eq!(home.text(), "{\"model\":\"opus\"}");

    let home = Home::new();
    home.write("{\"model\":\"opus\"}");
    home.install().unwrap();
    fs::remove_dir_all(home.state()).unwrap();
    home.uninstall().unwrap();
    assert!(!home.text().contains("prompt-save"));
    assert_eq!(home.json()["model"], "opus");
    assert!(!home.uninstall().unwrap().changed);

    let home = Home::new();
    home.write("{\"model\":\"opus\"}");
    let tree = home.tree();
    assert!(!home.uninstall().unwrap().changed);
    assert_eq!(
        home.tree(),
        tree,
        "nothing was installed, nothing is written"
    );
}

#[test]
fn notes_say_what_is_wired() {
    let home = Home::new();
    home.dry_run().unwrap();
    assert!(!home.state().exists());
    home.install().unwrap();
    let env = home.env();
    assert!(PROGRAMS.iter().all(|program| notes::wired(&env, program)));
    let at = notes::installed_at(&env).unwrap();
    // A note that got lost comes back; the time of the installation stays.
    fs::remove_file(home.state().join("wired/tool-log")).unwrap();
    let later = home.env_with(&[("MNEMO_NOW", "2027-01-01T00:00:00")]);
    assert!(!install(&home.options(), &later).unwrap().changed);
    assert!(notes::wired(&env, "tool-log"));
    assert_eq!(notes::installed_at(&env), Some(at));
    home.uninstall().unwrap();
    assert!(!PROGRAMS.iter().any(|program| notes::wired(&env, program)));
    assert_eq!(notes::installed_at(&env), None);
}

#[test]
fn backups_hold_the_bytes_from_before_and_stay() {
    let home = Home::new();
    home.write("{\"secret\":\"x\"}");
    let backup = home.install().unwrap().backup.unwrap();
    assert_eq!(fs::read(&backup).unwrap(), b"{\"secret\":\"x\"}");
    assert_eq!(mode(&backup), 0o600);
    assert_eq!(mode(backup.parent().unwrap()), 0o700);
    home.uninstall().unwrap();
    assert!(backup.exists());
    // The same second again: another name.
    let second = home.install().unwrap().backup.unwrap();
    assert_ne!(second, backup);
    assert!(!home.state().join("wiring.json").exists() || home.json()["hooks"].is_object());
}

#[test]
fn two_configuration_folders_are_kept_apart() {
    let home = Home::new();
    let other = home.path().join("work");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("settings.json"), "{ }").unwrap();
    let env = home.env_with(&[("CLAUDE_CONFIG_DIR", other.to_str().unwrap())]);
    home.install().unwrap();
    install(&home.options(), &env).unwrap();
    home.uninstall().unwrap();
    assert!(
        notes::wired(&env, "prompt-save"),
        "the other folder still wires it"
    );
    assert!(inspect(&env).unwrap().is_wired());
    uninstall(&home.options(), &env).unwrap();
    assert!(!notes::wired(&env, "prompt-save"));
    assert_eq!(
        fs::read_to_string(other.join("settings.json")).unwrap(),
        "{ }"
    );
}

const ORIGINAL: &str = r#"{
  "hooks": {
    "UserPromptSubmit": [
      {
        "matcher": ".*",
        "hooks": [
          { "type": "command", "command": "bash \"/home/d/.claude/hooks/save-conversation.sh\"" },
          { "type": "command", "command": "mine" }
        ]
      }
    ],
    "Stop": [
      { "matcher": "", "hooks": [{ "type": "command", "command": "bash", "args": ["/x/save-response.sh"] }] },
      { "hooks": [{ "type": "command", "command": "/x/save-response.sh.d/run" }] }
    ]
  }
}
"#;

#[test]
fn hooks_of_the_original_are_named_and_left() {
    let home = Home::new();
    home.write(ORIGINAL);
    let report = home.install().unwrap();
    assert_eq!(report.original.len(), 2);
    assert!(report.original.iter().all(|o| !o.taken_out));
    assert!(report.render().contains("--replace-original"));
    assert!(home.text().contains("save-conversation.sh"));
    let findings = inspect(&home.env()).unwrap().findings();
    assert!(
        findings.iter().any(|f| f.contains("original")),
        "{findings:?}"
    );
    home.uninstall().unwrap();
    assert_eq!(home.text(), ORIGINAL);
}

#[test]
fn hooks_of_the_original_go_when_asked_and_come_back() {
    let home = Home::new();
    home.write(ORIGINAL);
    home.install().unwrap();
    let options = Options {
        replace_original: true,
        ..home.options()
    };
    let report = install(&options, &home.env()).unwrap();
    assert!(report.changed && report.original.iter().all(|o| o.taken_out));
    let settings = home.json();
    assert!(!home.text().contains("save-conversation.sh"));
    assert_eq!(commands(&settings, "UserPromptSubmit")[0], "mine");
    assert_eq!(commands(&settings, "Stop")[0], "/x/save-response.sh.d/run");
    assert!(inspect(&home.env()).unwrap().is_well());

    // Untouched since: the bytes from before.
    let after = home.text();
    home.uninstall().unwrap();
    assert_eq!(home.text(), ORIGINAL);

    // Changed since: the entries come back with their matcher.
    install(&options, &home.env()).unwrap();
    assert_eq!(home.text().len(), after.len());
    home.write(format!("{}\n", home.text()));
    home.uninstall().unwrap();
    let settings = home.json();
    let expected: serde_json::Value = serde_json::from_str(ORIGINAL).unwrap();
    let sorted = |value: &serde_json::Value, event| {
        let mut found = commands(value, event);
        found.sort();
        found
    };
    for event in ["UserPromptSubmit", "Stop"] {
        assert_eq!(sorted(&settings, event), sorted(&expected, event));
    }
    assert_eq!(settings["hooks"]["UserPromptSubmit"][1]["matcher"], ".*");
    assert_eq!(settings["hooks"].as_object().unwrap().len(), 2);
}

#[test]
fn auto_memory_is_turned_off_only_when_asked_and_given_back() {
    for before in [
        "{}",
        "{\n  \"autoMemoryEnabled\": true,\n  \"a\": 1\n}\n",
        "{\"autoMemoryEnabled\": false}",
    ] {
        for touched in [false, true] {
            let home = Home::new();
            home.write(before);
            home.install().unwrap();
            assert_eq!(
                home.json().get("autoMemoryEnabled"),
                serde_json::from_str::<serde_json::Value>(before)
                    .unwrap()
                    .get("autoMemoryEnabled")
            );
            let options = Options {
                record_only: true,
                ..home.options()
            };
            install(&options, &home.env()).unwrap();
            assert_eq!(home.json()["autoMemoryEnabled"], false);
            assert!(!install(&options, &home.env()).unwrap().changed);
            // A plain run later does not turn it on again.
            assert!(!home.install().unwrap().changed);
            if touched {
                home.write(format!("{}\n", home.text()));
                home.uninstall().unwrap();
                assert_eq!(home.text(), format!("{before}\n"));
            } else {
                home.uninstall().unwrap();
                assert_eq!(home.text(), before);
            }
        }
    }
}

#[test]
fn older_conversations_are_counted() {
    let home = Home::new();
    let project = home.path().join(".claude/projects/-w-shop");
    fs::create_dir_all(project.join("1/subagents")).unwrap();
    for name in [
        "1.jsonl",
        "2.jsonl",
        "note.txt",
        "1/subagents/agent-1.jsonl",
    ] {
        fs::write(project.join(name), "").unwrap();
    }
    let report = home.install().unwrap();
    assert_eq!(report.older_transcripts, Some(2));
    assert!(
        report.render().contains("2 transcripts") && report.render().contains("mnemo reconcile")
    );
}

#[test]
fn many_at_once_wire_once() {
    let home = Home::new();
    home.write("{\"model\":\"opus\"}");
    std::thread::scope(|scope| {
        for _ in 0..8 {
            scope.spawn(|| home.install().unwrap());
        }
    });
    for (event, count) in [("Stop", 2), ("UserPromptSubmit", 1)] {
        assert_eq!(commands(&home.json(), event).len(), count);
    }
    home.uninstall().unwrap();
    assert_eq!(home.text(), "{\"model\":\"opus\"}");
}

#[test]
fn what_is_wrong_is_found() {
    let home = Home::new();
    let findings = |home: &Home| inspect(&home.env()).unwrap().findings();
    assert_eq!(
        findings(&home),
        ["no hook is wired; run `mnemo install`, or start Claude Code with the plugin"]
    );
    home.install().unwrap();
    assert_eq!(findings(&home), [""; 0]);
    assert!(
        inspect(&home.env())
            .unwrap()
            .render()
            .starts_with("Hooks: 7 of 7 wired in ")
    );

    fs::remove_file(home.programs.join("stop-trigger")).unwrap();
    let found = findings(&home);
    assert!(
        found.len() == 1 && found[0].contains("stop-trigger"),
        "{found:?}"
    );
    make_programs(&home.programs);

    let good = home.text();
    let mut settings = home.json();
    settings["hooks"]
        .as_object_mut()
        .unwrap()
        .remove("PreCompact");
    settings["hooks"]["SessionStart"].as_array_mut().unwrap().push(
        serde_json::json!({"hooks": [{"type": "command", "command": "\"/other/bin/session-reconcile\""}]}),
    );
    settings["disableAllHooks"] = true.into();
    home.write(settings.to_string());
    let found = findings(&home).join("\n");
    assert!(found.contains("PreCompact is not wired"), "{found}");
    assert!(found.contains("SessionStart is wired 2 times"), "{found}");
    assert!(found.contains("disableAllHooks"), "{found}");
    let remarks = home.install().unwrap().remarks.join("\n");
    assert!(
        remarks.contains("/other/bin/session-reconcile"),
        "{remarks}"
    );

    home.write(good.replacen('{', "{,", 1));
    let found = findings(&home);
    assert!(
        found[0].contains("line 1 column 2") && !found[0].contains("run again"),
        "{found:?}"
    );
}

#[test]
fn plugin_and_settings_do_not_run_twice() {
    let home = Home::new();
    home.write(r#"{"enabledPlugins":{"mnemo@somewhere":true}}"#);
    let state = inspect(&home.env()).unwrap();
    assert!(state.plugin && state.is_well());
    let report = home.install().unwrap();
    assert!(report.remarks.iter().any(|r| r.contains("plugin")));
    assert!(inspect(&home.env()).unwrap().is_well());
    fs::remove_file(home.state().join("wired/stop-trigger")).unwrap();
    let findings = inspect(&home.env()).unwrap().findings();
    assert!(
        findings.len() == 1 && findings[0].contains("twice"),
        "{findings:?}"
    );
}

#[test]
fn an_entry_with_another_matcher_is_wired_all_the_same() {
    let home = Home::new();
    home.install().unwrap();
    home.write(home.text().replace("(?!", "(?!(?:Glob)$)(?!"));
    let state = inspect(&home.env()).unwrap();
    assert_eq!(state.findings().len(), 2);
    let text = state.render();
    assert!(text.starts_with("Hooks: 7 of 7 wired in "), "{text}");
    assert!(
        text.lines()
            .next()
            .unwrap()
            .ends_with(", 2 of them to mend"),
        "{text}"
    );
}

#[test]
fn the_files_of_the_repository_wire_the_same() {
    let home = Home::new();
    home.install().unwrap();
    let installed = home.text();
    let here = home.programs.to_str().unwrap();
    let example: serde_json::Value =
        serde_json::from_str(&installed.replace(here, "/home/you/.local/share/mnemo/bin")).unwrap();
    assert_eq!(repository("settings.example.json"), example);

    let mut plugin = home.json();
    for group in plugin["hooks"].as_object_mut().unwrap().values_mut() {
        for hook in group[0]["hooks"].as_array_mut().unwrap() {
            let path = PathBuf::from(hook["command"].as_str().unwrap());
            let name = path.file_name().unwrap().to_str().unwrap();
            *hook = serde_json::json!({"type": "command",
                "command": format!("\"${{CLAUDE_PLUGIN_ROOT}}/hooks/run\" {name}")});
        }
    }
    assert_eq!(repository("hooks/hooks.json"), plugin);
    assert_eq!(
        repository(".claude-plugin/plugin.json")["version"],
        env!("CARGO_PKG_VERSION")
    );
}

#[test]
fn programs_lie_beside_the_companion_or_where_its_link_leads() {
    let home = Home::new();
    let companion = home.programs.join("mnemo");
    fs::write(&companion, "").unwrap();
    assert_eq!(wiring::programs_beside(&companion), home.programs);
    let link = home.path().join("mnemo-link");
    symlink(&companion, &link).unwrap();
    assert_eq!(wiring::programs_beside(&link), home.programs);
}
