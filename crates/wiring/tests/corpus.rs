//! Settings files as people have them: install is right or refuses, twice is once, uninstall gives
//! the bytes back, and the dry run says what the real run does.
#![allow(clippy::disallowed_methods, reason = "tests make files and wait")]
#![allow(clippy::unwrap_used, reason = "a test ends where it cannot go on")]

mod common;

use common::{Home, commands, patched};

const EVENTS: [(&str, &[&str]); 6] = [
    ("UserPromptSubmit", &["prompt-save"]),
    ("PostToolUse", &["tool-log"]),
    ("PostToolUseFailure", &["tool-log"]),
    ("Stop", &["response-save", "stop-trigger"]),
    ("SessionStart", &["session-reconcile"]),
    ("PreCompact", &["session-reconcile"]),
];

const GOOD: &[&str] = &[
    // Empty in every way.
    "",
    "\n",
    " \t\r\n ",
    "\u{feff}",
    "{}",
    "{}\n",
    "{ }",
    "{\n}",
    "{\n\n}\n",
    "\u{feff}{}\r\n",
    // One line.
    r#"{"model":"opus"}"#,
    r#"{"model": "opus"}"#,
    r#"{ "model": "opus" }"#,
    r#"{"model":"opus","env":{"A":"1"},"hooks":{}}"#,
    r#"{"hooks":{"Stop":[]}}"#,
    r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"say done"}]}]}}"#,
    r#"{"hooks": {"Stop": [{"hooks": [{"type": "command", "command": "a && b"}]}]}, "model": "opus"}"#,
    // Two blanks, as the client writes.
    "{\n  \"model\": \"opus\"\n}\n",
    "{\n  \"model\": \"opus\"\n}",
    "{\n  \"permissions\": {\n    \"allow\": [\n      \"Bash(git:*)\",\n      \"Read\"\n    ]\n  }\n}\n",
    "{\n  \"hooks\": {}\n}\n",
    "{\n  \"hooks\": {\n  }\n}\n",
    "{\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n",
    "{\n  \"hooks\": {\n    \"Stop\": [\n    ]\n  },\n  \"model\": \"opus\"\n}\n",
    "{\n  \"hooks\": {\n    \"Stop\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"notify-send done\"\n          }\n        ]\n      }\n    ]\n  }\n}\n",
    "{\n  \"hooks\": {\n    \"PostToolUse\": [\n      {\n        \"matcher\": \"Edit|Write\",\n        \"hooks\": [\n          { \"type\": \"command\", \"command\": \"prettier --write\" }\n        ]\n      }\n    ]\n  }\n}\n",
    "{\n  \"statusLine\": { \"type\": \"command\", \"command\": \"~/.claude/line.sh\" },\n  \"hooks\": {\n    \"PreToolUse\": [{ \"matcher\": \"Bash\", \"hooks\": [{ \"type\": \"command\", \"command\": \"guard\" }] }]\n  }\n}\n",
    "{\n  \"hooks\": {\n    \"UserPromptSubmit\": [{\n      \"hooks\": [{\n        \"type\": \"command\",\n        \"command\": \"x\"\n      }]\n    }]\n  }\n}\n",
    // Four blanks, tabs, no indentation, odd indentation.
    "{\n    \"model\": \"opus\",\n    \"env\": {\n        \"A\": \"1\"\n    }\n}\n",
    "{\n\t\"model\": \"opus\",\n\t\"hooks\": {\n\t\t\"Stop\": [\n\t\t\t{\n\t\t\t\t\"hooks\": []\n\t\t\t}\n\t\t]\n\t}\n}\n",
    "{\n\"model\": \"opus\"\n}\n",
    "{\n   \"model\" : \"opus\" ,\n   \"a\" : [ ]\n}\n",
    "{\n \"hooks\":\n {\n  \"Stop\":\n  [\n   {\"hooks\":[]}\n  ]\n }\n}",
    "{ \"model\": \"opus\",\n  \"a\": 1 }\n",
    "{\"a\": 1,\n \"b\": 2}\n",
    "{\n  \"a\": 1, \"b\": 2\n}\n",
    "\n\n  {\n    \"a\": 1\n  }\n\n",
    // Line ends.
    "{\r\n  \"model\": \"opus\"\r\n}\r\n",
    "\u{feff}{\r\n\t\"model\": \"opus\",\r\n\t\"hooks\": {\r\n\t\t\"Stop\": []\r\n\t}\r\n}\r\n",
    "{\r\n  \"a\": 1,\n  \"b\": 2\r\n}",
    // Text that a re-serialiser would change.
    "{\n  \"hooks\": {\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"a && b < c > d 'e' \\\"f\\\"\"}]}]\n  }\n}\n",
    "{\n  \"language\": \"한국어\",\n  \"note\": \"\u{1100}\u{1161} \\ud55c \\u0026 \\/ é e\u{301} 😀 \\ud83d\"\n}\n",
    "{\n  \"n\": 1.0,\n  \"big\": 123456789012345678901234567890,\n  \"e\": 1E+2,\n  \"z\": -0,\n  \"t\": 1e999\n}\n",
    "{\n  \"b\": 1,\n  \"a\": 2,\n  \"b\": 3\n}\n",
    "{\n  \"\": null,\n  \"a.b\": true,\n  \"\\u0061\": false\n}\n",
    "{\n  \"\\u0068ooks\": {\n    \"St\\u006fp\": []\n  }\n}\n",
    "{\n  \"tabs\": \"a\\tb\",\n  \"windows\": \"C:\\\\Users\\\\d\\\\.claude\"\n}\n",
    // Foreign hooks on our events, our names inside foreign paths.
    "{\n  \"hooks\": {\n    \"UserPromptSubmit\": [\n      {\n        \"hooks\": [\n          {\n            \"type\": \"command\",\n            \"command\": \"/opt/prompt-save-tools/x\"\n          }\n        ]\n      }\n    ]\n  }\n}\n",
    r#"{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"echo mnemo stop-trigger response-save"}]}]}}"#,
    r#"{"hooks":{"SessionStart":[{"matcher":"startup","hooks":[{"type":"command","command":"/x/session-reconcile --mine"}]}]}}"#,
    r#"{"hooks":{"PostToolUse":[{"matcher":"","hooks":[{"type":"prompt","prompt":"tool-log"}]}],"PreCompact":[{"hooks":[{"type":"http","url":"https://example.com/h"}]}]}}"#,
    // Shapes that the client ignores, beside or below ours.
    r#"{"hooks":{"Stop":["bash old.sh",7,null,{"command":"bare"},{"hooks":"x"},{"hooks":[1,"y"]}]}}"#,
    r#"{"hooks":{"NewEvent":{"not":"an array"},"Other":[]}}"#,
    r#"{"hooks":{"Stop":[{"matcher":5,"hooks":[{"command":"x","args":"y"}]}]}}"#,
    // What else stands in such files.
    "{\n  \"$schema\": \"https://json.schemastore.org/claude-code-settings.json\",\n  \"cleanupPeriodDays\": 30,\n  \"includeCoAuthoredBy\": false\n}\n",
    "{\n  \"enabledPlugins\": {\n    \"formatter@team\": true\n  },\n  \"autoMemoryEnabled\": true\n}\n",
    "{\n  \"disableAllHooks\": true,\n  \"hooks\": {\n    \"Stop\": []\n  }\n}\n",
    "{\n  \"env\": {\n    \"NOTE\": \"\\\"hooks\\\": {}\"\n  }\n}\n",
    "{\n  \"a\": \"}\",\n  \"b\": \"{\",\n  \"c\": \"[\\\\\"\n}\n",
    "{\n  \"deep\": [[[[{\"a\": [[{}]]}]]]]\n}\n",
    "{\n  \"outputStyle\": \"Explanatory\",\n  \"hooks\": {\n    \"Notification\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"beep\", \"timeout\": 5}]}],\n    \"Stop\": [{\"hooks\": [{\"type\": \"command\", \"command\": \"beep\", \"async\": true}]}]\n  },\n  \"model\": \"opus\"\n}",
];

const BAD: &[(&str, &str)] = &[
    ("{", "the text ends too early"),
    (
        "{\"a\":1,}",
        "a comma before the closing brace is not allowed",
    ),
    (
        "{\n  \"a\": [1, 2,]\n}\n",
        "a comma before the closing bracket",
    ),
    ("// mine\n{}\n", "line 1 column 1: comments are not allowed"),
    (
        "{\n  \"a\": 1, // mine\n  \"b\": 2\n}\n",
        "line 2 column 11: comments are not allowed",
    ),
    ("{ /* x */ }", "comments are not allowed"),
    ("{'a': 1}", "a key in double quotes"),
    ("{a: 1}", "a key in double quotes"),
    ("{\"a\": NaN}", "a value is expected"),
    ("{\"a\": 01}", "a number must not begin with 0"),
    ("{\"a\": \"x\ny\"}", "a string must end on its line"),
    ("{\"a\": 1} {\"b\": 2}", "something follows"),
    ("{\"a\": 1\u{0}}", "a comma is expected"),
    ("[]", "does not hold an object"),
    ("null", "does not hold an object"),
    ("\"hooks\"", "does not hold an object"),
    ("{\"hooks\": []}", "`hooks` is not an object"),
    ("{\"hooks\": null}", "`hooks` is not an object"),
    ("{\"hooks\": \"x\"}", "`hooks` is not an object"),
    (
        "{\"hooks\": {\"Stop\": {}}}",
        "`hooks.Stop` is not an array",
    ),
    (
        "{\"hooks\": {\"PreCompact\": \"x\"}}",
        "`hooks.PreCompact` is not an array",
    ),
    (
        "{\"hooks\": {\"SessionStart\": null}}",
        "`hooks.SessionStart` is not an array",
    ),
    (
        "{\"hooks\": {}, \"hooks\": {}}",
        "`hooks` stands there more than once",
    ),
    (
        "{\"hooks\": {\"Stop\": [], \"Stop\": []}}",
        "`hooks.Stop` stands there more than once",
    ),
    ("<<<<<<< HEAD\n{}\n", "a value is expected"),
];

#[test]
fn the_corpus_is_large_enough() {
    assert!(GOOD.len() + BAD.len() >= 80);
}

#[test]
fn install_is_right_and_uninstall_gives_the_bytes_back() {
    for before in GOOD {
        let home = Home::new();
        home.write(before);
        let dry = home.dry_run().unwrap();
        assert_eq!(home.text(), *before, "a dry run wrote");
        let report = home.install().unwrap();
        let after = home.text();
        assert!(report.changed);
        assert_eq!(
            patched(before, &dry.diff),
            after,
            "dry run and real run differ"
        );
        assert_eq!(dry.diff, report.diff);
        assert_right(&home, before);
        assert_others_untouched(before, &after);

        let again = home.install().unwrap();
        assert!(!again.changed && again.diff.is_empty(), "{before}");
        assert_eq!(home.text(), after, "twice is not once");

        assert!(home.uninstall().unwrap().changed);
        assert_eq!(home.text(), *before, "uninstall");
    }
}

#[test]
fn uninstall_after_a_change_takes_out_exactly_ours() {
    for before in GOOD {
        let home = Home::new();
        home.write(before);
        home.install().unwrap();
        // Somebody adds a blank line at the end.
        home.write(format!("{}\n", home.text()));
        home.uninstall().unwrap();
        let after = home.text();
        // What was blank is an empty object now; all else is as it was but for the blank line.
        let blank = before.trim_start_matches('\u{feff}').trim().is_empty();
        let empty = |text: &str| {
            text.chars()
                .filter(|c| !c.is_whitespace())
                .collect::<String>()
        };
        if blank {
            assert_eq!(empty(after.trim_start_matches('\u{feff}')), "{}");
        } else if before.contains("[ ]")
            || before.contains("{ }")
            || before.contains("[\n")
            || before.contains("{\n\n}")
            || before.contains("{\n}")
            || before.contains("{\n  }")
        {
            // An empty array or object that ours stood in may have lost the blanks inside.
            assert_eq!(empty(&after), empty(before), "{before}");
        } else {
            assert_eq!(after, format!("{before}\n"));
        }
    }
}

#[test]
fn what_cannot_be_edited_safely_is_refused_and_left_alone() {
    for (before, why) in BAD {
        let home = Home::new();
        home.write(before);
        let tree = home.tree();
        for result in [home.dry_run(), home.install(), home.uninstall()] {
            let error = result.unwrap_err();
            assert_eq!(error.exit_code(), 4, "{before}");
            let text = error.to_string();
            assert!(text.contains(why), "{before}: {text}");
            assert!(text.contains("settings.json"), "{text}");
        }
        assert_eq!(home.text(), *before);
        let left: Vec<_> = home
            .tree()
            .into_iter()
            .filter(|f| !f.0.ends_with("wiring.lock"))
            .collect();
        assert_eq!(left, tree, "something was written for {before}");
    }
    let home = Home::new();
    home.write(b"{\"a\": \"\xff\"}");
    assert_eq!(home.install().unwrap_err().exit_code(), 4);
    home.write(b"\xff\xfe{\0}\0");
    assert_eq!(home.install().unwrap_err().exit_code(), 4);
}

fn assert_right(home: &Home, before: &str) {
    let settings = home.json();
    for (event, programs) in EVENTS {
        let found = commands(&settings, event);
        let path = |p: &&str| {
            let name = format!("{p}{}", std::env::consts::EXE_SUFFIX);
            home.programs.join(name).to_str().unwrap().to_owned()
        };
        let wanted: Vec<String> = programs.iter().map(path).collect();
        assert!(found.ends_with(&wanted), "{event} of {before}: {found:?}");
        let group = settings["hooks"][event].as_array().unwrap().last().unwrap();
        assert_eq!(group["hooks"].as_array().unwrap().len(), programs.len());
        for hook in group["hooks"].as_array().unwrap() {
            assert_eq!(hook["type"], "command");
            assert_eq!(hook["args"], serde_json::json!([]));
        }
        assert_eq!(
            group.get("matcher").is_some(),
            event.starts_with("PostToolUse")
        );
    }
}

/// Without the bytes that were added, the text is the one from before.
fn assert_others_untouched(before: &str, after: &str) {
    if before.trim_start_matches('\u{feff}').trim().is_empty() {
        return;
    }
    let mut rest = after.chars();
    for c in before.chars().filter(|c| !c.is_whitespace()) {
        assert!(
            rest.any(|other| other == c),
            "{c:?} of {before} is lost in {after}"
        );
    }
    assert_eq!(
        before.starts_with('\u{feff}'),
        after.starts_with('\u{feff}')
    );
    assert_eq!(before.ends_with('\n'), after.ends_with('\n'));
    if before.contains("\r\n") && !before.replace("\r\n", "").contains('\n') {
        assert!(
            !after.replace("\r\n", "").contains('\n'),
            "a bare line feed in {after:?}"
        );
    }
}
