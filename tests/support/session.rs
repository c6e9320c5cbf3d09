//! Hook payloads and transcript lines of one session, in the shape of the client's 2.1.332.

use crate::TestEnv;
use serde_json::{Value, json};
use std::cell::Cell;
use std::fmt::Write as _;
use std::fs::OpenOptions;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

/// Keys that 2.1.59 does not write.
const NOT_IN_OLD: [&str; 7] = [
    "promptId",
    "promptSource",
    "origin",
    "entrypoint",
    "turnOrigin",
    "rowSource",
    "sentAtMs",
];

/// A session of the client: makes payloads, and writes its transcript line by line.
pub struct Session {
    /// Session id.
    pub id: String,
    /// Where the client was started.
    pub cwd: PathBuf,
    /// The session's transcript.
    pub transcript: PathBuf,
    /// Timestamp of the lines written next, RFC 3339 in UTC.
    pub clock: String,
    /// Version of the client that writes the lines.
    pub version: String,
    /// When prompts that wait in the queue were typed.
    waiting: std::collections::VecDeque<String>,
    /// The prompt that waited first has left the queue, its line is still to come.
    taken_up: bool,
    last: Option<String>,
}

impl Session {
    /// In the project of an environment.
    pub fn new(env: &TestEnv, id: &str) -> Self {
        Self::at(env, id, env.project())
    }

    /// Started in another folder.
    pub fn at(env: &TestEnv, id: &str, cwd: &Path) -> Self {
        let folder = env.claude().join("projects").join(slug(cwd));
        Self {
            id: id.to_owned(),
            cwd: cwd.to_owned(),
            transcript: folder.join(format!("{id}.jsonl")),
            clock: "2026-11-30T05:03:22.123Z".to_owned(),
            version: "2.1.332".to_owned(),
            waiting: std::collections::VecDeque::new(),
            taken_up: false,
            last: None,
        }
    }

    fn payload(&self, event: &str, turn: &str, more: Value) -> Value {
        let mut payload = json!({
            "session_id": self.id,
            "transcript_path": self.transcript,
            "cwd": self.cwd,
            "prompt_id": turn,
            "permission_mode": "default",
            "hook_event_name": event,
        });
        let map = payload.as_object_mut().expect("an object");
        if let Value::Object(more) = more {
            map.extend(more);
        }
        if turn.is_empty() {
            map.remove("prompt_id");
        }
        payload
    }

    /// `UserPromptSubmit`. An empty `turn` leaves `prompt_id` out, as old clients do.
    pub fn prompt(&self, turn: &str, text: &str) -> Value {
        self.payload("UserPromptSubmit", turn, json!({ "prompt": text }))
    }

    /// `Stop`.
    pub fn stop(&self, turn: &str, last: &str) -> Value {
        let mut more = json!({
            "stop_hook_active": false,
            "last_assistant_message": last,
        });
        if self.version != "2.1.59" {
            more["background_tasks"] = json!([]);
            more["session_crons"] = json!([]);
        }
        self.payload("Stop", turn, more)
    }

    /// `SessionStart`; `source` is startup, resume, clear or compact.
    pub fn start(&self, source: &str) -> Value {
        self.payload("SessionStart", "", json!({ "source": source }))
    }

    /// `PreCompact`.
    pub fn pre_compact(&self, turn: &str) -> Value {
        let more = json!({ "trigger": "auto", "custom_instructions": null });
        self.payload("PreCompact", turn, more)
    }

    /// `PostToolUse`.
    pub fn tool(&self, turn: &str, name: &str, input: &Value, response: &Value) -> Value {
        let more = json!({
            "tool_name": name,
            "tool_input": input,
            "tool_response": response,
            "tool_use_id": uuid(),
            "duration_ms": 3,
        });
        self.payload("PostToolUse", turn, more)
    }

    /// `PostToolUseFailure`.
    pub fn tool_failed(&self, turn: &str, name: &str, input: &Value, error: &str) -> Value {
        let more = json!({
            "tool_name": name,
            "tool_input": input,
            "tool_use_id": uuid(),
            "error": error,
            "is_interrupt": false,
            "duration_ms": 3,
        });
        self.payload("PostToolUseFailure", turn, more)
    }

    /// Appends raw bytes to the transcript.
    pub fn raw(&self, bytes: impl AsRef<[u8]>) {
        std::fs::create_dir_all(self.transcript.parent().expect("a folder")).expect("folders");
        let mut file = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&self.transcript)
            .expect("transcript");
        file.write_all(bytes.as_ref()).expect("transcript");
    }

    /// Appends a line that hangs on the one before; gives its uuid. Keys of `line` win.
    pub fn line(&mut self, line: Value) -> String {
        let mut whole = json!({
            "parentUuid": self.last,
            "isSidechain": false,
            "uuid": uuid(),
            "timestamp": self.clock,
            "userType": "external",
            "entrypoint": "cli",
            "cwd": self.cwd,
            "sessionId": self.id,
            "version": self.version,
            "gitBranch": "main",
        });
        let map = whole.as_object_mut().expect("an object");
        if let Value::Object(more) = line {
            map.extend(more);
        }
        if self.is_old() {
            for key in NOT_IN_OLD {
                map.remove(key);
            }
        }
        self.raw(format!("{whole}\n"));
        let uuid = whole["uuid"].as_str().expect("a uuid").to_owned();
        self.last = Some(uuid.clone());
        uuid
    }

    /// A typed prompt.
    pub fn says(&mut self, turn: &str, text: &str) -> String {
        self.line(json!({
            "type": "user",
            "promptId": turn,
            "message": { "role": "user", "content": text },
            "permissionMode": "default",
            "origin": { "kind": "human" },
            "promptSource": "typed",
            "turnOrigin": "human",
        }))
    }

    /// A text block of the assistant; `stop` is the message's stop reason (`end_turn`,
    /// `tool_use`; `None` for a partial line).
    pub fn answers(&mut self, text: &str, stop: Option<&str>) -> String {
        self.block(&json!({ "type": "text", "text": text }), stop)
    }

    /// A tool call; gives the line's uuid and the call's id.
    pub fn calls(&mut self, name: &str, input: &Value) -> (String, String) {
        let id = format!("toolu_{}", uuid().replace('-', ""));
        let block = json!({ "type": "tool_use", "id": id, "name": name, "input": input });
        (self.block(&block, Some("tool_use")), id)
    }

    /// The result of a tool call.
    pub fn result(&mut self, turn: &str, call: &str, content: &str, failed: bool) -> String {
        let block = json!({
            "tool_use_id": call, "type": "tool_result", "content": content, "is_error": failed,
        });
        self.line(json!({
            "type": "user",
            "promptId": turn,
            "message": { "role": "user", "content": [block] },
        }))
    }

    /// Whether the lines are those of 2.1.59.
    pub fn is_old(&self) -> bool {
        self.version == "2.1.59"
    }

    /// A prompt typed while a turn ran, put in between two of its calls: the queue's lines, and
    /// where the client writes one, the attachment.
    pub fn absorbed(&mut self, text: &str, typed: &str) {
        self.enqueued(text, typed);
        self.waiting.pop_back();
        if self.is_old() {
            self.queue(&json!({ "operation": "remove" }));
            return;
        }
        self.queue(
            &json!({ "operation": "remove", "reason": "absorbed_mid_turn", "content": text }),
        );
        self.line(json!({
            "type": "attachment",
            "attachment": {
                "type": "queued_command",
                "prompt": text,
                "commandMode": "prompt",
                "origin": { "kind": "human" },
                "timestamp": typed,
                "humanTurn": true,
            },
        }));
    }

    /// The queue's line for a prompt typed while a turn ran.
    pub fn enqueued(&mut self, text: &str, typed: &str) {
        self.waiting.push_back(typed.to_owned());
        self.queue(&json!({ "operation": "enqueue", "timestamp": typed, "content": text }));
    }

    /// The client takes up a prompt that waited: the queue's line comes before the prompt's hooks.
    pub fn dequeued(&mut self) {
        self.queue(&json!({ "operation": "dequeue" }));
        self.taken_up = true;
    }

    /// A prompt that waited for the end of the turn before.
    pub fn says_queued(&mut self, turn: &str, text: &str) -> String {
        if !std::mem::take(&mut self.taken_up) {
            self.dequeued();
            self.taken_up = false;
        }
        let mut line = json!({
            "type": "user",
            "promptId": turn,
            "message": { "role": "user", "content": text },
            "permissionMode": "default",
            "origin": { "kind": "human" },
            "promptSource": "queued",
            "turnOrigin": "human",
        });
        if let Some(typed) = self.waiting.pop_front() {
            line["sentAtMs"] = json!(millis(&typed));
        }
        self.line(line)
    }

    fn queue(&self, more: &Value) {
        let mut line = json!({
            "type": "queue-operation", "timestamp": self.clock, "sessionId": self.id,
        });
        if let (Some(map), Value::Object(more)) = (line.as_object_mut(), more.clone()) {
            map.extend(more);
        }
        self.raw(format!("{line}\n"));
    }

    /// What a Stop hook sends the assistant back with.
    pub fn feedback(&mut self, turn: &str, text: &str) {
        self.line(json!({
            "type": "user",
            "isMeta": true,
            "promptId": turn,
            "message": { "role": "user", "content": format!("Stop hook feedback:\n{text}") },
        }));
        if !self.is_old() {
            self.line(json!({
                "type": "attachment",
                "attachment": {
                    "type": "hook_blocking_error",
                    "hookName": "Stop",
                    "hookEvent": "Stop",
                    "blockingError": { "blockingError": text, "command": "check" },
                },
            }));
            self.stopped();
        }
    }

    /// The summary of a Stop's hooks.
    pub fn stopped(&mut self) {
        self.line(json!({
            "type": "system", "subtype": "stop_hook_summary", "hookCount": 2, "hookErrors": [],
        }));
    }

    /// The answer was cut by the person.
    pub fn interrupted(&mut self, turn: &str) {
        let text = json!([{ "type": "text", "text": "[Request interrupted by user]" }]);
        self.line(json!({
            "type": "user",
            "promptId": turn,
            "rowSource": "harness",
            "message": { "role": "user", "content": text },
        }));
    }

    /// A line of a kind that only links others, as 2.1.59 writes at each hook.
    pub fn progress(&mut self) {
        self.line(json!({
            "type": "progress",
            "data": { "type": "hook_progress", "hookEvent": "PostToolUse", "command": "x" },
        }));
    }

    /// The background task's end, as the client tells the assistant.
    pub fn notified(&mut self, turn: &str, text: &str) {
        self.line(json!({
            "type": "user",
            "promptId": turn,
            "message": { "role": "user", "content": text },
            "origin": { "kind": "task-notification" },
            "promptSource": "system",
            "rowSource": "recorded",
            "turnOrigin": "task_notification",
        }));
    }

    /// A compaction: the boundary and the summary.
    pub fn compacted(&mut self, turn: &str) {
        self.line(json!({
            "type": "system",
            "subtype": "compact_boundary",
            "parentUuid": null,
            "logicalParentUuid": self.last,
            "content": "Conversation compacted",
            "isMeta": false,
            "compactMetadata": { "trigger": "auto", "preTokens": 150_000 },
        }));
        self.line(json!({
            "type": "user",
            "promptId": turn,
            "isCompactSummary": true,
            "isVisibleInTranscriptOnly": true,
            "message": { "role": "user", "content": "This session is being continued from…" },
        }));
    }

    /// `--fork-session`: another session whose transcript begins with copies of this one's lines.
    /// They keep uuid and timestamp; newer clients give all copies the fork's prompt id.
    #[must_use]
    pub fn fork(&self, id: &str, turn: &str) -> Self {
        let folder = self.transcript.parent().expect("a folder");
        let fork = Self {
            id: id.to_owned(),
            cwd: self.cwd.clone(),
            transcript: folder.join(format!("{id}.jsonl")),
            clock: self.clock.clone(),
            version: self.version.clone(),
            waiting: std::collections::VecDeque::new(),
            taken_up: false,
            last: self.last.clone(),
        };
        let text = std::fs::read_to_string(&self.transcript).expect("transcript");
        let mut copy = String::new();
        for line in text.lines() {
            let mut line: Value = serde_json::from_str(line).expect("a line");
            if line.get("uuid").is_none() {
                continue;
            }
            line["sessionId"] = json!(id);
            if !self.is_old() && line.get("promptId").is_some() {
                line["promptId"] = json!(turn);
            }
            let _ = writeln!(copy, "{line}");
        }
        fork.raw(copy);
        fork
    }

    fn block(&mut self, block: &Value, stop: Option<&str>) -> String {
        let id = uuid();
        self.line(json!({
            "type": "assistant",
            "requestId": format!("req_{id}"),
            "message": {
                "id": format!("msg_{id}"),
                "type": "message",
                "role": "assistant",
                "model": "claude-opus-5-5",
                "content": [block],
                "stop_reason": stop,
                "stop_sequence": null,
                "usage": { "input_tokens": 10, "output_tokens": 10 },
            },
        }))
    }
}

/// Milliseconds since 1970 of `YYYY-MM-DDTHH:MM:SS.mmmZ`.
fn millis(stamp: &str) -> i64 {
    let part = |from: usize, to: usize| -> i64 { stamp[from..to].parse().expect("a stamp") };
    let (year, month, day) = (part(0, 4), part(5, 7), part(8, 10));
    // Days since 1970, the year beginning in March.
    let shifted = year - i64::from(month <= 2);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let era = shifted.div_euclid(400);
    let of_era = shifted - era * 400;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    let seconds = days * 86_400 + part(11, 13) * 3_600 + part(14, 16) * 60 + part(17, 19);
    seconds * 1_000 + part(20, 23)
}

/// The client's folder name for a path: everything that is not an ASCII letter or digit becomes
/// `-`, per UTF-16 unit; over 200 units the first 200 and a hash.
pub fn slug(path: &Path) -> String {
    let path = path.to_str().expect("a UTF-8 path");
    let mut slug = String::new();
    let mut hash: i32 = 0;
    for unit in path.encode_utf16() {
        hash = hash.wrapping_mul(31).wrapping_add(i32::from(unit));
        let char = u8::try_from(unit).ok().filter(u8::is_ascii_alphanumeric);
        slug.push(char.map_or('-', char::from));
    }
    if slug.len() > 200 {
        slug.truncate(200);
        let _ = write!(slug, "-{}", base36(hash.unsigned_abs()));
    }
    slug
}

fn base36(mut n: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(std::char::from_digit(n % 36, 36).expect("a digit"));
        n /= 36;
        if n == 0 {
            return digits.into_iter().rev().collect();
        }
    }
}

thread_local! {
    /// Of the next uuid on this thread, where they have to be the same in each run.
    static SEEDED: Cell<Option<(u32, u32)>> = const { Cell::new(None) };
}

/// From now on this thread's uuids follow from `seed`.
pub fn seed_uuids(seed: u32) {
    SEEDED.set(Some((seed, 1)));
}

/// A fresh uuid: distinct within and across test programs.
pub fn uuid() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(1);
    if let Some((seed, n)) = SEEDED.get() {
        SEEDED.set(Some((seed, n + 1)));
        return format!("{seed:08x}-0000-4000-9000-{n:012x}");
    }
    let n = NEXT.fetch_add(1, Ordering::Relaxed);
    format!("{:08x}-0000-4000-8000-{n:012x}", std::process::id())
}
