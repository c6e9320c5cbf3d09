//! What counts as said, rule by rule, on made-up records in the client's form.
#![allow(clippy::disallowed_methods, reason = "tests make files and wait")]
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests fail the test, as the tests do"
)]

use claude_hook::{PromptId, Role};
use std::fs;
use tempfile::NamedTempFile;
use transcript::{LastStop, Position, Turn, client_version, last_stop, read, start_cwd};

/// A transcript in the making. Each record hangs on the one before unless told otherwise.
#[derive(Default)]
struct Session {
    bytes: Vec<u8>,
    last: Option<String>,
    clock: u32,
}

impl Session {
    fn raw(mut self, line: &str) -> Self {
        self.bytes.extend(line.as_bytes());
        self.bytes.push(b'\n');
        self
    }
    fn on(mut self, parent: &str) -> Self {
        self.last = (!parent.is_empty()).then(|| parent.to_owned());
        self
    }
    fn time(&mut self) -> String {
        self.clock += 1;
        format!(
            "2026-11-30T10:{:02}:{:02}.000Z",
            self.clock / 60,
            self.clock % 60
        )
    }
    /// `rest`: members of the record behind those that all have.
    fn record(mut self, uuid: &str, kind: &str, rest: &str) -> Self {
        let parent = self
            .last
            .take()
            .map_or("null".to_owned(), |id| format!("\"{id}\""));
        let at = self.time();
        self.last = Some(uuid.to_owned());
        self.raw(&format!(
            r#"{{"parentUuid":{parent},"isSidechain":false,"type":"{kind}",{rest},"uuid":"{uuid}","timestamp":"{at}","cwd":"/w","sessionId":"s1","version":"2.1.332"}}"#
        ))
    }
    fn prompt(self, uuid: &str, text: &str) -> Self {
        let text = serde_json::to_string(text).unwrap();
        self.record(uuid, "user", &format!(
            r#""promptId":"p-{uuid}","promptSource":"typed","permissionMode":"default","origin":{{"kind":"human"}},"message":{{"role":"user","content":{text}}}"#
        ))
    }
    /// A prompt of a client that marks it by `permissionMode` only.
    fn old_prompt(self, uuid: &str, text: &str) -> Self {
        let text = serde_json::to_string(text).unwrap();
        self.record(
            uuid,
            "user",
            &format!(r#""permissionMode":"default","message":{{"role":"user","content":{text}}}"#),
        )
    }
    fn user(self, uuid: &str, more: &str, text: &str) -> Self {
        let text = serde_json::to_string(text).unwrap();
        self.record(
            uuid,
            "user",
            &format!(r#"{more}"message":{{"role":"user","content":{text}}}"#),
        )
    }
    fn block(self, uuid: &str, message: &str, stop: &str, more: &str, block: &str) -> Self {
        self.record(uuid, "assistant", &format!(
            r#"{more}"message":{{"id":"{message}","model":"claude","role":"assistant","stop_reason":{stop},"content":[{block}]}}"#
        ))
    }
    fn says(self, uuid: &str, message: &str, stop: &str, text: &str) -> Self {
        let text = serde_json::to_string(text).unwrap();
        self.block(
            uuid,
            message,
            stop,
            "",
            &format!(r#"{{"type":"text","text":{text}}}"#),
        )
    }
    fn answer(self, uuid: &str, text: &str) -> Self {
        self.says(uuid, &format!("m-{uuid}"), "\"end_turn\"", text)
    }
    fn made(self, uuid: &str, error: bool, text: &str) -> Self {
        self.record(uuid, "assistant", &format!(
            r#""isApiErrorMessage":{error},"message":{{"id":"x-{uuid}","model":"<synthetic>","role":"assistant","stop_reason":"stop_sequence","content":[{{"type":"text","text":"{text}"}}]}}"#
        ))
    }
    fn tool(self, uuid: &str, result: &str) -> Self {
        self.block(
            &format!("{uuid}-use"),
            &format!("m-{uuid}"),
            "\"tool_use\"",
            "",
            &format!(r#"{{"type":"tool_use","id":"t-{uuid}","name":"Bash","input":{{"command":"ls"}}}}"#),
        )
        .record(uuid, "user", &format!(
            r#""message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t-{uuid}",{result}}}]}}"#
        ))
    }
    fn stop(self, uuid: &str) -> Self {
        self.record(
            uuid,
            "system",
            r#""subtype":"stop_hook_summary","hookCount":1"#,
        )
    }
    fn feedback(self, uuid: &str) -> Self {
        self.user(uuid, r#""isMeta":true,"#, "Stop hook feedback:\nremember")
    }
    fn queue(mut self, operation: &str, content: Option<&str>) -> Self {
        let at = self.time();
        let content = content.map_or(String::new(), |text| {
            format!(r#","content":{}"#, serde_json::to_string(text).unwrap())
        });
        self.raw(&format!(
            r#"{{"type":"queue-operation","operation":"{operation}","timestamp":"{at}","sessionId":"s1"{content}}}"#
        ))
    }
    fn file(&self) -> NamedTempFile {
        let file = NamedTempFile::new().unwrap();
        fs::write(file.path(), &self.bytes).unwrap();
        file
    }
    fn turns(&self) -> Vec<Turn> {
        let mut turns = Vec::new();
        read(
            self.file().path(),
            &Position::default(),
            &mut |turn| turns.push(turn),
            &mut || true,
        )
        .unwrap();
        turns
    }
    /// Turns as lines: `U: …` and `A: …`, a turn's own apart by blanks, an open one with `…`.
    fn said(&self) -> Vec<String> {
        self.turns()
            .iter()
            .map(|turn| {
                let mut said: Vec<String> = turn
                    .said
                    .iter()
                    .map(|one| {
                        let role = if one.role == Role::User { "U" } else { "A" };
                        format!("{role}: {}", one.text)
                    })
                    .collect();
                if !turn.finished {
                    said.push("…".to_owned());
                }
                said.join(" | ")
            })
            .collect()
    }
    fn tail(&self, prompt: Option<&str>) -> LastStop {
        let prompt = prompt.and_then(PromptId::new);
        last_stop(self.file().path(), prompt.as_ref(), 32 << 20)
            .unwrap()
            .unwrap()
    }
}

fn new() -> Session {
    Session::default()
}

fn texts(stop: &LastStop) -> Vec<&str> {
    stop.said.iter().map(|one| one.text.as_str()).collect()
}

#[test]
fn a_prompt_is_told_by_its_structure_not_by_its_look() {
    for text in [
        "<task-notification>\n<task-id>x</task-id>\n</task-notification>",
        "<command-name>/clear</command-name>",
        "<command-message>x</command-message>\n<command-name>/x</command-name>",
        "<local-command-stdout>out</local-command-stdout>",
        "<bash-input>ls</bash-input>",
        "[Request interrupted by user]",
        "Stop hook feedback:\nx",
        "<system-reminder>x</system-reminder>",
        "/clear",
        "  outer blanks stay \n\n",
        "\\n ` \" 한글 \u{1f642} \r\n\t",
    ] {
        let found = new().prompt("u1", text).answer("a1", "ok").said();
        assert_eq!(found, [format!("U: {text} | A: ok")]);
        if !text.starts_with("<task-notification>") {
            let found = new().old_prompt("u1", text).answer("a1", "ok").said();
            assert_eq!(found, [format!("U: {text} | A: ok")]);
        }
    }
}

#[test]
fn what_the_client_wrote_is_no_prompt() {
    let found = new()
        .prompt("u1", "hello")
        .user("x1", r#""isMeta":true,"#, "Continue from where you left off.")
        .user("x2", r#""isCompactSummary":true,"#, "summary")
        .user("x3", "", "<local-command-stdout>x</local-command-stdout>")
        .user("x4", "", "<command-name>/exit</command-name>\n<command-message>exit</command-message>")
        .user("x5", "", "<local-command-stdout>Bye</local-command-stdout>")
        .user("x6", "", "Unknown skill: nope")
        .raw(r#"{"parentUuid":"u1","isSidechain":true,"type":"user","promptSource":"sdk","message":{"content":"side"},"uuid":"x7","timestamp":"2026-11-30T10:00:00Z"}"#)
        .raw(r#"{"parentUuid":"u1","isSidechain":true,"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"side"}]},"uuid":"x8","timestamp":"2026-11-30T10:00:00Z"}"#)
        .answer("a1", "hi")
        .prompt("u2", " \n\t ")
        .answer("a2", "alone")
        .said();
    assert_eq!(found, ["U: hello | A: hi", "A: alone"]);
}

#[test]
fn notifications_and_shell_output_are_answered_without_a_user_entry() {
    let found = new()
        .prompt("u1", "go")
        .answer("a1", "started")
        .user(
            "n1",
            r#""promptId":"p2","promptSource":"system","origin":{"kind":"task-notification"},"#,
            "<task-notification>…",
        )
        .answer("a2", "noted")
        .user(
            "n2",
            r#""promptId":"p3","promptSource":"sdk","origin":{"kind":"task-notification"},"#,
            "<task-notification>…",
        )
        .answer("a3", "noted too")
        .user(
            "b1",
            r#""promptId":"p4","rowSource":"local","#,
            "<bash-input>ls</bash-input>",
        )
        .user(
            "b2",
            r#""promptId":"p4","turnOrigin":"human","#,
            "<bash-stdout>x</bash-stdout>",
        )
        .answer("a4", "x it is")
        .turns();
    let ids: Vec<_> = found
        .iter()
        .map(|turn| turn.said.last().unwrap())
        .map(|one| (one.text.as_str(), one.turn.as_ref().unwrap().as_str()))
        .collect();
    assert_eq!(
        ids,
        [
            ("started", "p-u1"),
            ("noted", "p2"),
            ("noted too", "p3"),
            ("x it is", "p4")
        ]
    );
    assert!(found[1..].iter().all(|turn| turn.said.len() == 1));
}

#[test]
fn commands_of_the_client_are_told_from_others() {
    let built_in = "<command-name>/cost</command-name>\n            <command-message>cost</command-message>\n            <command-args></command-args>";
    let custom = "<command-message>x</command-message>\n<command-name>/x</command-name>\n<command-args>a  b</command-args>";
    let odd = "<command-name>/y</command-name>\n<command-message>y</command-message>\n<command-args>c</command-args>";
    let body =
        r#""isMeta":true,"message":{"role":"user","content":[{"type":"text","text":"BODY"}]}"#;
    let found = new()
        .user("c1", "", built_in)
        .record(
            "o1",
            "system",
            r#""subtype":"local_command","content":"out""#,
        )
        .user("c2", "", custom)
        .record("m2", "user", body)
        .answer("a2", "done")
        // The expansion tells it, whatever the order of the tags.
        .user("c3", "", odd)
        .record("m3", "user", body)
        .answer("a3", "done too")
        // And output of the client's own tells the opposite.
        .user("c4", "", &custom.replace('x', "z"))
        .user("o4", "", "<local-command-stdout>x</local-command-stdout>")
        .said();
    assert_eq!(found, ["U: /x a  b | A: done", "U: /y c | A: done too"]);
}

#[test]
fn blocks_are_trimmed_and_joined() {
    let found = new()
        .prompt("u1", "go")
        .says("a1", "m1", "\"tool_use\"", "  first \n")
        .tool("r1", r#""content":"out""#)
        .says("a2", "m2", "\"end_turn\"", " \n ")
        .block(
            "a3",
            "m2",
            "\"end_turn\"",
            "",
            r#"{"type":"thinking","thinking":"hm"}"#,
        )
        .says("a4", "m2", "\"end_turn\"", "\nlast\n\n#tags: a, b\n")
        .turns();
    let reply = found[0].said.last().unwrap();
    assert_eq!(reply.blocks, ["first", "last\n\n#tags: a, b"]);
    assert_eq!(reply.text, "first\n\nlast\n\n#tags: a, b");
    assert_eq!(reply.messages, ["m1", "m2"]);
    assert_eq!(reply.records.len(), 2);
    assert!(found[0].finished);
}

#[test]
fn a_text_said_twice_stands_twice_and_a_line_written_twice_once() {
    let found = new()
        .prompt("u1", "go")
        .says("a1", "m1", "\"tool_use\"", "same")
        .tool("r1", r#""content":"out""#)
        .says("a2", "m2", "\"end_turn\"", "same")
        .says("a2", "m2", "\"end_turn\"", "same")
        .says("a3", "m2", "\"end_turn\"", "same")
        .said();
    assert_eq!(found, ["U: go | A: same\n\nsame"]);
}

#[test]
fn partial_lines_give_way_to_fuller_ones() {
    let go = || new().prompt("u1", "go");
    let fuller = go()
        .says("a1", "m", "null", "He")
        .says("a2", "m", "\"end_turn\"", "Hello");
    assert_eq!(fuller.said(), ["U: go | A: Hello"]);
    let late = go()
        .says("a1", "m", "\"end_turn\"", "Hello")
        .says("a2", "m", "null", "He");
    assert_eq!(late.said(), ["U: go | A: Hello"]);
    let same_uuid = go()
        .says("a1", "m", "null", "He")
        .says("a1", "m", "null", "Hello");
    assert_eq!(same_uuid.said(), ["U: go | A: Hello | …"]);
    let alone = go().says("a1", "m", "null", "He");
    assert_eq!(alone.said(), ["U: go | A: He | …"]);
    let other = go()
        .says("a1", "m", "null", "He")
        .says("a2", "n", "\"end_turn\"", "Hello");
    assert_eq!(other.said(), ["U: go | A: He\n\nHello"]);
    let no_prefix = go()
        .says("a1", "m", "null", "He")
        .says("a2", "m", "\"tool_use\"", "So");
    assert_eq!(no_prefix.said(), ["U: go | A: He\n\nSo | …"]);
}

#[test]
fn stops_within_a_turn_part_its_replies() {
    let hook = |kind: &str, event: &str| {
        format!(r#""attachment":{{"type":"{kind}","content":["x"],"hookEvent":"{event}"}}"#)
    };
    let found = new()
        .prompt("u1", "go")
        .answer("a1", "one")
        .feedback("f1")
        .record("f2", "attachment", &hook("hook_blocking_error", "Stop"))
        .stop("f3")
        .answer("a2", "two")
        .record("f4", "attachment", &hook("hook_additional_context", "Stop"))
        .answer("a3", "three")
        .record(
            "f5",
            "attachment",
            &hook("hook_additional_context", "PostToolUse"),
        )
        .record(
            "f6",
            "attachment",
            &hook("hook_blocking_error", "SubagentStop"),
        )
        .answer("a4", "still three");
    assert_eq!(
        found.said(),
        ["U: go | A: one | A: two | A: three\n\nstill three"]
    );
    let turns = found.turns();
    assert!(
        turns[0]
            .said
            .iter()
            .all(|one| one.turn == PromptId::new("p-u1"))
    );
    // A limit that the client works around is no stop.
    let found = new()
        .prompt("u1", "go")
        .says("a1", "m1", "\"max_tokens\"", "cut")
        .user("x1", r#""isMeta":true,"#, "Output token limit hit.")
        .answer("a2", "rest")
        .said();
    assert_eq!(found, ["U: go | A: cut\n\nrest"]);
}

#[test]
fn what_the_client_made_up_is_left_out_but_a_cut_answer_stays() {
    let notice = |session: Session| {
        session.record(
            "i1",
            "user",
            r#""message":{"role":"user","content":[{"type":"text","text":"[Request interrupted by user]"}]}"#,
        )
    };
    let go = || new().prompt("u1", "go");
    assert_eq!(
        go().made("x", false, "No response requested.").said(),
        ["U: go"]
    );
    assert_eq!(go().made("x", true, "API Error: 500").said(), ["U: go"]);
    assert_eq!(
        notice(go().made("x", false, "half an ans")).said(),
        ["U: go | A: half an ans"]
    );
    assert_eq!(notice(go().made("x", true, "API Error")).said(), ["U: go"]);
    let cut = go().block(
        "a1",
        "m1",
        "null",
        r#""isAbortedMidStream":true,"madeBy":"model","#,
        r#"{"type":"text","text":"half"}"#,
    );
    assert_eq!(notice(cut).said(), ["U: go | A: half"]);
    let other = go().block(
        "a1",
        "m1",
        "\"stop_sequence\"",
        r#""madeBy":"other","#,
        r#"{"type":"text","text":"No response requested."}"#,
    );
    assert_eq!(other.said(), ["U: go"]);
}

#[test]
fn whether_a_turn_is_finished() {
    let go = || new().prompt("u1", "go");
    let working = || {
        go().says("a1", "m1", "\"tool_use\"", "work")
            .tool("r1", r#""content":"x""#)
    };
    assert_eq!(go().said(), ["U: go | …"]);
    assert_eq!(working().said(), ["U: go | A: work | …"]);
    assert_eq!(working().stop("s1").said(), ["U: go | A: work"]);
    assert_eq!(
        working()
            .record("s1", "system", r#""subtype":"turn_duration""#)
            .said(),
        ["U: go | A: work"]
    );
    assert_eq!(
        working().prompt("u2", "x").said(),
        ["U: go | A: work", "U: x | …"]
    );
    assert_eq!(working().feedback("f1").said(), ["U: go | A: work"]);
    assert_eq!(
        working()
            .answer("a2", "done")
            .tool("r2", r#""content":"x""#)
            .said(),
        ["U: go | A: work\n\ndone | …"]
    );
}

#[test]
fn prompts_that_a_turn_took_in_are_said_in_it() {
    let absorbed = |more: &str| {
        format!(
            r#""attachment":{{"type":"queued_command","prompt":"also this","timestamp":"2026-11-30T10:00:02.500Z"{more}}}"#
        )
    };
    let go = || {
        new()
            .prompt("u1", "go")
            .says("a1", "m1", "\"tool_use\"", "work")
    };
    let human = r#","commandMode":"prompt","origin":{"kind":"human"}"#;
    // The queue's lines and the attachment are one.
    let found = go()
        .queue("enqueue", Some("also this"))
        .queue("remove", None)
        .record("q1", "attachment", &absorbed(human))
        .answer("a2", "both done");
    assert_eq!(
        found.said(),
        ["U: go | U: also this | A: work\n\nboth done"]
    );
    let turns = found.turns();
    assert_eq!(
        turns[0].said[1].at.to_rfc3339(),
        "2026-11-30T10:00:02.500+00:00"
    );
    assert_eq!(turns[0].said[1].turn, PromptId::new("p-u1"));
    assert_eq!(texts(&found.tail(None)), ["also this", "work\n\nboth done"]);
    for other in [
        r#","commandMode":"task-notification""#,
        r#","commandMode":"prompt","origin":{"kind":"task-notification"}"#,
    ] {
        let found = go()
            .record("q1", "attachment", &absorbed(other))
            .answer("a2", "done");
        assert_eq!(found.said(), ["U: go | A: work\n\ndone"]);
    }
}

#[test]
fn old_clients_hold_them_in_the_queue_only() {
    let go = || {
        new()
            .old_prompt("u1", "go")
            .says("a1", "m1", "\"tool_use\"", "work")
    };
    let found = go()
        .queue("enqueue", Some("also this"))
        .queue("remove", None)
        .answer("a2", "done");
    assert_eq!(found.said(), ["U: go | U: also this | A: work\n\ndone"]);
    assert!(found.turns()[0].said[1].records.is_empty());
    // Not what got a line of its own, was a command, or nobody typed.
    let found = new()
        .queue("enqueue", Some("go"))
        .queue("dequeue", None)
        .old_prompt("u1", "go")
        .queue("enqueue", Some("later"))
        .queue("enqueue", Some("<task-notification>\n<task-id>x"))
        .answer("a1", "done")
        .queue("dequeue", None)
        .queue("remove", None)
        .old_prompt("u2", "later")
        .answer("a2", "done")
        .queue("enqueue", Some("/cost"))
        .queue("dequeue", None);
    assert_eq!(found.said(), ["U: go | A: done", "U: later | A: done"]);
    // One that waits holds the turn open.
    let found = go().answer("a2", "done").queue("enqueue", Some("waits"));
    assert_eq!(found.said(), ["U: go | U: waits | A: work\n\ndone | …"]);
    let found = found.old_prompt("u2", "waits").answer("a3", "yes");
    assert_eq!(
        found.said(),
        ["U: go | A: work\n\ndone", "U: waits | A: yes"]
    );
}

#[test]
fn answers_and_refusals_in_own_words_are_said() {
    let asked = |answer: &str| {
        new()
            .prompt("u1", "go")
            .block("q1", "m1", "\"tool_use\"", "", r#"{"type":"tool_use","id":"t1","name":"AskUserQuestion","input":{"questions":[{"question":"Colour?","options":[{"label":"Red"}]}]}}"#)
            .record("r1", "user", &format!(
                r#""toolUseResult":{{"answers":{{"Colour?":"{answer}"}}}},"message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t1","content":"answered"}}]}}"#
            ))
            .answer("a1", "thanks")
    };
    assert_eq!(asked("Red").said(), ["U: go | A: thanks"]);
    assert_eq!(
        asked("green, please").said(),
        ["U: go | U: > Colour?\n\ngreen, please | A: thanks"]
    );
    // Another tool's result of the same form is not the person's.
    let forged = new()
        .prompt("u1", "go")
        .block("q1", "m1", "\"tool_use\"", "", r#"{"type":"tool_use","id":"t1","name":"mcp__x","input":{}}"#)
        .record("r1", "user", r#""toolUseResult":{"questions":[{"question":"a"}],"answers":{"a":"forged"}},"message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"x"}]}"#)
        .answer("a1", "ok");
    assert_eq!(forged.said(), ["U: go | A: ok"]);

    let lead = "The user doesn't want to proceed with this tool use. The tool use was rejected (eg. if it was a file edit, the new_string was NOT written to the file). To tell you how to proceed, the user said:\\n";
    let refused = |result: &str| {
        new()
            .prompt("u1", "go")
            .tool("r1", result)
            .answer("a1", "ok")
            .said()
    };
    assert_eq!(
        refused(&format!(
            r#""is_error":true,"content":"{lead}use tabs\nplease""#
        )),
        ["U: go | U: use tabs\nplease | A: ok"]
    );
    assert_eq!(
        refused(&format!(r#""content":"{lead}x""#)),
        ["U: go | A: ok"]
    );
    assert_eq!(
        refused(
            r#""is_error":true,"content":"The user doesn't want to proceed with this tool use. STOP""#
        ),
        ["U: go | A: ok"]
    );
}

#[test]
fn chains_decide_and_file_order_is_the_fallback() {
    // The reply stands before its prompt's line.
    let early = new()
        .prompt("u1", "one")
        .answer("a1", "first")
        .on("u2")
        .answer("a2", "second")
        .on("a1")
        .prompt("u2", "two");
    assert_eq!(early.said(), ["U: one | A: first", "U: two | A: second"]);
    // Two branches from one record, their lines mixed.
    let mixed = new()
        .prompt("u1", "root")
        .answer("a1", "r")
        .prompt("u2", "left")
        .on("a1")
        .prompt("u3", "right")
        .on("u2")
        .says("a2", "m2", "\"tool_use\"", "l1")
        .on("u3")
        .says("a3", "m3", "\"tool_use\"", "r1")
        .on("a2")
        .answer("a4", "l2")
        .on("a3")
        .answer("a5", "r2");
    assert_eq!(
        mixed.said(),
        [
            "U: root | A: r",
            "U: left | A: l1\n\nl2",
            "U: right | A: r1\n\nr2"
        ]
    );
    // Parents that are unknown, the record itself, or each other.
    let broken = new()
        .prompt("u1", "one")
        .answer("a1", "x")
        .on("gone")
        .answer("a2", "lost parent")
        .on("a3")
        .answer("a3", "own parent")
        .on("a5")
        .answer("a4", "circle")
        .on("a4")
        .answer("a5", "closed")
        .on("")
        .answer("a6", "none")
        .on("nowhere")
        .prompt("u2", "two")
        .answer("a7", "y");
    assert_eq!(
        broken.said(),
        [
            "U: one | A: x\n\nlost parent\n\nown parent\n\ncircle\n\nclosed\n\nnone",
            "U: two | A: y"
        ]
    );
    // Through progress, attachments and a compaction.
    let through = new()
        .prompt("u1", "one")
        .record("g1", "progress", r#""data":{"type":"hook_progress"}"#)
        .record(
            "g2",
            "attachment",
            r#""attachment":{"type":"file","content":"x"}"#,
        )
        .on("")
        .record(
            "g3",
            "system",
            r#""subtype":"compact_boundary","logicalParentUuid":"g2""#,
        )
        .user("g4", r#""isCompactSummary":true,"#, "summary")
        .answer("a1", "after it")
        .said();
    assert_eq!(through, ["U: one | A: after it"]);
}

#[test]
fn turns_repeated_under_fresh_uuids_count_once() {
    let once = |session: Session, mark: &str| {
        session
            .prompt(&format!("u{mark}"), "one")
            .says(&format!("a{mark}"), "m1", "\"end_turn\"", "first")
            .prompt(&format!("v{mark}"), "two")
            .says(&format!("b{mark}"), "m2", "\"end_turn\"", "second")
    };
    let found = once(once(new(), "1"), "2")
        .prompt("w", "three")
        .answer("c", "third");
    assert_eq!(
        found.said(),
        [
            "U: one | A: first",
            "U: two | A: second",
            "U: three | A: third"
        ]
    );
    // The same prompt with another answer is another turn.
    let found = once(new(), "1").prompt("w", "one").answer("c", "first");
    assert_eq!(found.said().len(), 3);
}

#[test]
fn old_notifications_are_told_by_their_exact_form() {
    let notice = "<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>";
    let found = new().old_prompt("n1", notice).answer("a1", "noted").said();
    assert_eq!(found, ["A: noted"]);
}

#[test]
fn a_last_line_that_is_not_whole_is_not_there_yet() {
    let whole = new().prompt("u1", "go").answer("a1", "done");
    let mut bytes = whole.bytes.clone();
    let next = String::from_utf8(new().on("a1").prompt("u2", "next").bytes).unwrap();
    bytes.extend(&next.as_bytes()[..next.len() - 20]);
    let file = NamedTempFile::new().unwrap();
    fs::write(file.path(), &bytes).unwrap();
    let mut turns = Vec::new();
    let report = read(
        file.path(),
        &Position::default(),
        &mut |turn| turns.push(turn),
        &mut || true,
    )
    .unwrap();
    assert_eq!((turns.len(), report.unreadable_count), (1, 0));
    assert!(report.position.offset <= whole.bytes.len() as u64);
    // Without its line feed only, it is.
    bytes.truncate(whole.bytes.len());
    bytes.extend(next.trim_end().as_bytes());
    fs::write(file.path(), &bytes).unwrap();
    turns.clear();
    read(
        file.path(),
        &report.position,
        &mut |turn| turns.push(turn),
        &mut || true,
    )
    .unwrap();
    assert_eq!(turns.last().unwrap().said[0].text, "next");
}

#[test]
fn the_tail_shows_what_came_since_the_last_stop() {
    let continued = new()
        .prompt("u1", "go")
        .answer("a1", "one")
        .feedback("f1")
        .says("a2", "m2", "\"tool_use\"", "two")
        .tool("r1", r#""content":"x""#);
    let stop = continued.tail(Some("p-u1"));
    assert_eq!(texts(&stop), ["two"]);
    assert!(!stop.final_visible);
    assert_eq!(stop.turn, PromptId::new("p-u1"));
    assert_eq!(stop.prompt_record.as_ref().unwrap().as_str(), "u1");
    assert_eq!(stop.prompt_cwd.as_deref(), Some("/w".as_ref()));
    assert_eq!(stop.version.as_deref(), Some("2.1.332"));
    let done = continued.answer("a3", "three");
    let stop = done.tail(None);
    assert_eq!(texts(&stop), ["two\n\nthree"]);
    assert!(stop.final_visible);
    assert_eq!(stop.said[0].blocks, ["two", "three"]);
    // Its own stop is over: nothing of it is left to say.
    assert_eq!(texts(&done.stop("s1").tail(None)), [""; 0]);
    // Another turn is asked for by its id.
    let two = new()
        .prompt("u1", "one")
        .answer("a1", "first")
        .prompt("u2", "two")
        .answer("a2", "second");
    assert_eq!(texts(&two.tail(Some("p-u1"))), ["first"]);
    assert_eq!(texts(&two.tail(None)), ["second"]);
    let unknown = two.tail(Some("p-elsewhere"));
    assert_eq!(unknown.turn, PromptId::new("p-u2"));
}

#[test]
fn the_tail_of_a_long_turn_is_found_within_the_limit() {
    let filler = format!(
        r#""toolUseResult":{{"stdout":"{0}"}},"message":{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"t","content":"{0}"}}]}}"#,
        "x".repeat(200_000)
    );
    let mut session = new()
        .prompt("u0", "before")
        .answer("a0", "x")
        .prompt("u1", "go");
    for round in 0..20 {
        session = session
            .says(
                &format!("a{round}-"),
                &format!("n{round}"),
                "\"tool_use\"",
                &format!("step {round}"),
            )
            .record(&format!("r{round}-"), "user", &filler);
    }
    let session = session.answer("end", "done");
    let stop = session.tail(Some("p-u1"));
    assert_eq!(stop.said[0].blocks.len(), 21);
    assert!(stop.prompt_record.is_some());
    // What a smaller limit lets see is the end of it.
    let file = session.file();
    let stop = last_stop(file.path(), None, 1 << 20).unwrap().unwrap();
    assert_eq!(stop.prompt_record, None);
    let blocks = &stop.said[0].blocks;
    assert!(blocks.len() > 1 && blocks.len() < 21);
    assert_eq!(blocks.last().unwrap(), "done");
    assert!(stop.final_visible);
}

#[test]
fn odd_files() {
    let missing = std::path::Path::new("/nowhere/at/all.jsonl");
    assert_eq!(last_stop(missing, None, 1 << 20).unwrap(), None);
    assert!(read(missing, &Position::default(), &mut |_| {}, &mut || true).is_err());
    assert_eq!(client_version(missing), None);
    let folder = tempfile::tempdir().unwrap();
    assert!(last_stop(folder.path(), None, 1 << 20).is_err());
    assert!(
        read(
            folder.path(),
            &Position::default(),
            &mut |_| {},
            &mut || true
        )
        .is_err()
    );
    let empty = new();
    assert_eq!(empty.said(), [""; 0]);
    assert_eq!(empty.tail(None), LastStop::default());
    let some = new()
        .raw(r#"{"type":"mode","mode":"normal","sessionId":"s"}"#)
        .prompt("u1", "go")
        .raw(r#"{"type":"last-prompt","sessionId":"s"}"#);
    assert_eq!(
        client_version(some.file().path()).as_deref(),
        Some("2.1.332")
    );
    assert_eq!(
        start_cwd(some.file().path()).as_deref(),
        Some("/w".as_ref())
    );
    // A byte order mark, blanks, CRLF, lone surrogates, bytes that are not UTF-8.
    let mut bytes = b"\xef\xbb\xbf".to_vec();
    bytes.extend(new().prompt("u1", "go SURROGATE").bytes);
    let mut text = bytes;
    let at = text.windows(9).position(|w| w == b"SURROGATE").unwrap();
    text.splice(at..at + 9, b"\\ud83d|\xff".iter().copied());
    text.pop();
    text.extend(b"\r\n");
    let file = NamedTempFile::new().unwrap();
    fs::write(file.path(), text).unwrap();
    let mut turns = Vec::new();
    let report = read(
        file.path(),
        &Position::default(),
        &mut |turn| turns.push(turn),
        &mut || true,
    )
    .unwrap();
    assert_eq!(turns[0].said[0].text, "go \u{fffd}|\u{fffd}");
    assert_eq!(report.unreadable_count, 0);
    assert_eq!(report.start_cwd.as_deref(), Some("/w".as_ref()));
}
