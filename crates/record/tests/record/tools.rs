//! The tool log and the observations.

use crate::common::{date, noon, project};
use record::Record;
use record::tools::Call;
use redact::Policy;
use std::fs;

pub(crate) fn call<'a>(tool: &'a str, input: &'a str) -> Call<'a> {
    Call {
        tool,
        input,
        output: None,
        failed: false,
        agent: None,
        session: "s-1",
        policy: Policy { secrets: true },
    }
}

fn log(record: &Record) -> String {
    let path = record
        .root()
        .path()
        .join(format!("conversations/{}-toollog.md", date()));
    fs::read_to_string(path).unwrap()
}

fn last_line(record: &Record) -> String {
    let log = log(record);
    assert!(log.ends_with('\n'));
    log.lines().last().unwrap().to_owned()
}

fn observations(record: &Record, kind: &str) -> Vec<serde_json::Value> {
    let path = record
        .root()
        .path()
        .join(format!("memory/{kind}/observations.jsonl"));
    let text = fs::read_to_string(path).unwrap_or_default();
    text.lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

fn logged(call: &Call) -> String {
    let (_dir, record) = project();
    record.log_tool(noon(), call).unwrap();
    last_line(&record)
}

#[test]
fn the_log_has_its_exact_bytes() {
    let (_dir, record) = project();
    record
        .log_tool(
            noon(),
            &call("Bash", r#"{"command":"cargo test --workspace"}"#),
        )
        .unwrap();
    record
        .log_tool(noon(), &call("mcp__x__y", r#"{"path":"/etc"}"#))
        .unwrap();
    let failed = Call {
        failed: true,
        agent: Some("Explore"),
        ..call("Bash", r#"{"command":"x"}"#)
    };
    record.log_tool(noon(), &failed).unwrap();
    assert_eq!(
        log(&record),
        "---\ndate: 2026-11-30\ntype: tool-log\n---\n\n# Tool Usage Log - 2026-11-30\n\n\
         - `[12:00:00]` **Bash** cargo test --workspace\n\
         - `[12:00:00]` **mcp__x__y**\n\
         - `[12:00:00]` **Bash** x — failed (agent: Explore)\n"
    );
    let last = record.last_entries().unwrap();
    assert_eq!(last.tool, Some(noon().naive_local()));
    assert_eq!(last.user, None);
}

#[test]
fn each_tool_has_its_detail() {
    let detail = |tool, input: &str| {
        let line = logged(&call(tool, input));
        let lead = format!("- `[12:00:00]` **{tool}**");
        line.strip_prefix(&lead).unwrap().trim_start().to_owned()
    };
    assert_eq!(
        detail(
            "Agent",
            r#"{"subagent_type":"Explore","description":"look"}"#
        ),
        "Explore: look"
    );
    assert_eq!(detail("Task", r#"{"description":"look"}"#), "look");
    assert_eq!(detail("Skill", r#"{"skill":"mnemo"}"#), "mnemo");
    assert_eq!(
        detail("WebFetch", r#"{"url":"https://x.y/z"}"#),
        "https://x.y/z"
    );
    assert_eq!(detail("WebSearch", r#"{"query":"a b"}"#), "a b");
    assert_eq!(detail("Write", r#"{"file_path":"/etc/x"}"#), "/etc/x");
    assert_eq!(detail("Edit", r#"{"file_path":"src/a.rs"}"#), "src/a.rs");
    assert_eq!(
        detail("Bash", "{\"command\":\"a\\nb\\tc \\u0007d\"}"),
        "a b c  d"
    );
    let long = "가".repeat(100);
    assert_eq!(
        detail("Bash", &format!(r#"{{"command":"{long}"}}"#)),
        "가".repeat(80)
    );
    for broken in [
        "",
        "null",
        "[]",
        "{",
        r#"{"command":7}"#,
        r#"{"command":"x"#,
    ] {
        assert_eq!(detail("Bash", broken), "", "{broken:?}");
    }
}

#[test]
fn paths_inside_the_root_are_relative_to_it() {
    let (dir, record) = project();
    let root = record.root().path().display().to_string();
    let tell = |path: &str| {
        let input = serde_json::json!({ "file_path": path, "content": "x" }).to_string();
        record.log_tool(noon(), &call("Write", &input)).unwrap();
        let line = last_line(&record);
        let seen = observations(&record, "learned").pop().unwrap();
        let input: serde_json::Value =
            serde_json::from_str(seen["input"].as_str().unwrap()).unwrap();
        let path = line.rsplit("** ").next().unwrap().to_owned();
        assert_eq!(input["file_path"], path.as_str());
        path
    };
    assert_eq!(tell(&format!("{root}/src/한글 a.rs")), "src/한글 a.rs");
    assert_eq!(tell(&format!("{root}/src/../b.rs")), "b.rs");
    assert_eq!(tell(&format!("{root}/../c.rs")), format!("{root}/../c.rs"));
    assert_eq!(
        tell(&format!("{root}-other/d.rs")),
        format!("{root}-other/d.rs")
    );
    let link = dir.path().join("link");
    std::os::unix::fs::symlink(&root, &link).unwrap();
    assert_eq!(tell(&link.join("e.rs").display().to_string()), "e.rs");
}

#[test]
fn one_call_is_one_harmless_line() {
    let hostile = Call {
        agent: Some("a\nb\u{202e}"),
        ..call("mcp__\u{1b}[31m\n- `[00:00:00]` **Bash** rm\u{202e}", "{}")
    };
    let line = logged(&hostile);
    assert!(
        !line.contains(|c: char| c.is_control() || c == '\u{202e}'),
        "{line:?}"
    );
    assert!(line.ends_with("** (agent: a b\u{fffd})"), "{line:?}");
    let path = logged(&call(
        "Write",
        "{\"file_path\":\"a\\nb\\u001b[0m\\u2028c\"}",
    ));
    assert_eq!(
        path,
        "- `[12:00:00]` **Write** a\u{fffd}b\u{fffd}[0m\u{fffd}c"
    );
    let name = "x".repeat(5000);
    assert_eq!(
        logged(&call(&name, "{}")).len(),
        "- `[12:00:00]` ****".len() + 200
    );
}

#[test]
fn private_text_and_secrets_reach_neither_file() {
    let token = format!("{}{}", "ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    let (_dir, record) = project();
    let text = format!("echo <private>hidden one</private>; curl -H 'token: {token}' x");
    let inputs = [
        serde_json::json!({ "command": text }).to_string(),
        // The tag written by escapes, and a secret cut by neither limit.
        r#"{"command":"echo \u003cprivate\u003ehidden two\u003c/private\u003e"}"#.to_owned(),
        serde_json::json!({ "command": format!("{}{token}", "x ".repeat(30)) }).to_string(),
        // A block that one string opens hides the strings behind it.
        r#"{"command":"<private>hidden","b":"hidden","c":{"d":["hidden"]}}"#.to_owned(),
        serde_json::json!({ "a": "x ".repeat(1490), "command": token }).to_string(),
    ];
    for input in &inputs {
        for failed in [false, true] {
            let output = serde_json::json!({ "stdout": text, "stderr": token }).to_string();
            let call = Call {
                output: Some(&output),
                failed,
                ..call("Bash", input)
            };
            record.log_tool(noon(), &call).unwrap();
        }
    }
    for file in [
        "conversations/2026-11-30-toollog.md",
        "memory/learned/observations.jsonl",
        "memory/gotchas/observations.jsonl",
    ] {
        let text = fs::read_to_string(record.root().path().join(file)).unwrap();
        assert!(!text.contains("hidden"), "{text}");
        assert!(!text.contains(&token[..8]), "{text}");
        assert!(text.contains("[PRIVATE]"));
    }
}

#[test]
fn an_observation_has_its_keys_in_order() {
    let (_dir, record) = project();
    let call = Call {
        output: Some(r#" { "stdout" : "a\nb" , "n" : 1 } "#),
        ..call("Bash", r#"{ "command" : "l s" }"#)
    };
    record.log_tool(noon(), &call).unwrap();
    let text = fs::read_to_string(
        record
            .root()
            .path()
            .join("memory/learned/observations.jsonl"),
    )
    .unwrap();
    let stamp = noon().to_utc().format("%Y-%m-%dT%H:%M:%SZ");
    assert_eq!(
        text,
        format!(
            "{{\"timestamp\":\"{stamp}\",\"event\":\"tool_success\",\"tool\":\"Bash\",\"input\":\"{{\\\"command\\\":\\\"l s\\\"}}\",\"output\":\"{{\\\"stdout\\\":\\\"a\\\\nb\\\",\\\"n\\\":1}}\",\"session\":\"s-1\"}}\n"
        )
    );
}

#[test]
fn failures_are_what_the_client_calls_so() {
    let (_dir, record) = project();
    let log = |tool, output: &'static str, failed| {
        record
            .log_tool(
                noon(),
                &Call {
                    output: Some(output),
                    failed,
                    ..call(tool, "{}")
                },
            )
            .unwrap();
    };
    log(
        "Bash",
        r#"{"stdout":"error: not found, ENOENT","interrupted":false,"exit_code":0}"#,
        false,
    );
    log("WebSearch", "\"fine\"", false);
    log("Read", r#"{"is_error":true}"#, false);
    log("Bash", r#"{"interrupted":true}"#, false);
    log("Bash", r#"{"exitCode":2}"#, false);
    log("Bash", r#""Exit code 1\noops""#, true);
    let good = observations(&record, "learned");
    assert_eq!(good.len(), 1);
    let bad = observations(&record, "gotchas");
    assert_eq!(bad.len(), 4);
    assert_eq!(bad[3]["output"], "Exit code 1\noops");
    assert!(bad.iter().all(|line| line["event"] == "tool_error"));
}

#[test]
fn fields_are_cut_at_a_character_and_large_ones_are_quick() {
    let (_dir, record) = project();
    let huge = "한글 ".repeat(3 << 20);
    let input = serde_json::json!({ "file_path": "a", "content": huge }).to_string();
    let output = serde_json::json!(huge).to_string();
    record
        .log_tool(
            noon(),
            &Call {
                output: Some(&output),
                ..call("Write", &input)
            },
        )
        .unwrap();
    let escaped = format!("\"{}\"", "\\ud55c\\\\ ".repeat(1 << 20));
    record
        .log_tool(
            noon(),
            &Call {
                output: Some(&escaped),
                ..call("Write", &escaped)
            },
        )
        .unwrap();
    let nested = "[".repeat(1 << 20);
    record
        .log_tool(
            noon(),
            &Call {
                output: Some(&nested),
                ..call("Write", &nested)
            },
        )
        .unwrap();
    let seen = observations(&record, "learned");
    assert_eq!(seen.len(), 3);
    for line in &seen {
        for field in ["input", "output"] {
            let text = line[field].as_str().unwrap();
            assert!(
                text.len() <= 3000 && !text.contains('\u{fffd}'),
                "{}",
                text.len()
            );
        }
    }
    assert!(seen[0]["output"].as_str().unwrap().len() > 2990);
    assert!(
        seen[1]["output"]
            .as_str()
            .unwrap()
            .starts_with("한\\ 한\\ ")
    );
}

#[test]
fn a_large_file_moves_to_the_archive_and_the_baseline_follows() {
    let (_dir, record) = project();
    record.log_tool(noon(), &call("Bash", "{}")).unwrap();
    let learned = record.root().path().join("memory/learned");
    let line = format!("{}\n", "x".repeat(1023));
    for (round, want) in [(0, "5 -10240 99\n"), (1, "5 -20481 99\n")] {
        if round == 0 {
            fs::write(
                learned.join("observations.jsonl"),
                line.repeat(10 * 1024 - 1),
            )
            .unwrap();
            fs::write(
                record.root().path().join("memory/.mnemo-distill-offset"),
                "5 1 99\n",
            )
            .unwrap();
            record.log_tool(noon(), &call("Bash", "{}")).unwrap();
            assert!(
                learned.join("observations.jsonl").exists(),
                "too small still"
            );
            let size = fs::metadata(learned.join("observations.jsonl"))
                .unwrap()
                .len();
            let fill = "y".repeat(usize::try_from(10 * 1024 * 1024 - size - 1).unwrap());
            let mut text = fs::read(learned.join("observations.jsonl")).unwrap();
            text.splice(0..0, fill.bytes());
            fs::write(learned.join("observations.jsonl"), text).unwrap();
        } else {
            fs::write(learned.join("observations.jsonl"), line.repeat(10 * 1024)).unwrap();
        }
        record.log_tool(noon(), &call("Bash", "{}")).unwrap();
        assert!(!learned.join("observations.jsonl").exists());
        let baseline =
            fs::read_to_string(record.root().path().join("memory/.mnemo-distill-offset")).unwrap();
        assert_eq!(baseline, want, "round {round}");
    }
    let mut names: Vec<String> = fs::read_dir(learned.join("archive"))
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    assert_eq!(
        names,
        [
            "observations-20261130-120000-2.jsonl",
            "observations-20261130-120000.jsonl"
        ]
    );
}

/// What is looked at ends somewhere; what stands there must not leak its first half.
#[test]
fn nothing_leaks_where_a_large_output_is_cut() {
    let (_dir, record) = project();
    let token = format!("{}{}", "ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    let key = format!("-----BEGIN {} KEY-----\n", "RSA PRIVATE");
    let lines = "MIIEpAIBAAKCAQEA0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKL\n";
    let hidden = format!("<private>{}</private>", "x ".repeat(32_500));
    for text in [
        format!("{hidden}{}", format!("{token} ").repeat(200)),
        format!("{hidden} {}", token.repeat(2000)),
        format!("{hidden} {key}{}", lines.repeat(100)),
        format!("{}<private>{}", "x ".repeat(100), "hidden ".repeat(100_000)),
        format!("{hidden} password={}", "hidden".repeat(2000)),
    ] {
        let string = serde_json::json!(text).to_string();
        let object = serde_json::json!({ "stdout": text }).to_string();
        for raw in [&string, &object] {
            record
                .log_tool(
                    noon(),
                    &Call {
                        output: Some(raw),
                        ..call("Bash", raw)
                    },
                )
                .unwrap();
        }
    }
    for line in observations(&record, "learned") {
        let text = line.to_string();
        for secret in ["ghp_", "MIIE", "hidden", "x x x x x x x x x x [PRIVATE] x"] {
            assert!(!text.contains(secret), "{secret}: {text}");
        }
    }
}
