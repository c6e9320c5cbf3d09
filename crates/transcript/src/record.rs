//! One line of a transcript: what kind of record it is. Only the structure decides, never the look
//! of a text that a person may have typed or pasted.

use crate::text;
use chrono::{DateTime, Utc};
use lenient_json::{is_null, is_true, members, string};
use memchr::memmem::Finder;
use std::sync::LazyLock;

/// The members of a record that count, raw.
#[allow(
    clippy::struct_excessive_bools,
    reason = "the client's own flags, each on its own"
)]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Fields<'a> {
    pub(crate) kind: &'a [u8],
    pub(crate) uuid: &'a [u8],
    pub(crate) parent: &'a [u8],
    logical_parent: &'a [u8],
    pub(crate) timestamp: &'a [u8],
    pub(crate) cwd: &'a [u8],
    pub(crate) session: &'a [u8],
    pub(crate) version: &'a [u8],
    pub(crate) prompt_id: &'a [u8],
    prompt_source: &'a [u8],
    sent_at: &'a [u8],
    permission_mode: &'a [u8],
    origin: &'a [u8],
    turn_origin: &'a [u8],
    message: &'a [u8],
    attachment: &'a [u8],
    tool_use_result: &'a [u8],
    tool_denial: &'a [u8],
    subtype: &'a [u8],
    operation: &'a [u8],
    content: &'a [u8],
    made_by: &'a [u8],
    pub(crate) sidechain: bool,
    meta: bool,
    summary: bool,
    api_error: bool,
}

/// What a line is good for besides its place in the chain.
#[derive(Debug)]
pub(crate) enum Kind<'a> {
    /// Nothing: not of the main thread, or of a type that never matters.
    Skip,
    /// Nothing but a link of the chain.
    Link,
    /// As [`Kind::Link`], and of a client that writes attachments.
    Attachment,
    /// A prompt.
    Prompt(String),
    /// A slash command. `sure`: the record itself says that it is answered by the assistant.
    Command { text: String, sure: bool },
    /// What a command was expanded to.
    Companion,
    /// What a command that the client answered itself printed.
    LocalOutput,
    /// Something that the assistant answers though nobody typed it to be answered: a task
    /// notification, the output of `!command`.
    Unprompted,
    /// The compaction's line: the chain goes on behind it. With its logical parent.
    Boundary(&'a [u8]),
    /// The result of a tool.
    ToolResult(ToolResult<'a>),
    /// One line of the assistant's.
    Assistant(Assistant<'a>),
    /// A prompt that a running turn took in, and when it was typed if that stands there.
    Absorbed { text: String, at: &'a [u8] },
    /// A stop: the next text belongs to another entry.
    Stop,
    /// The user cut the answer.
    Interrupt,
    /// The queue of prompts that wait.
    Queue(Queue),
}

/// The result of a tool.
#[derive(Debug)]
pub(crate) struct ToolResult<'a> {
    pub(crate) tool_use: Option<String>,
    /// Raw, if it may hold answers to questions.
    pub(crate) answers: Option<&'a [u8]>,
    /// What the person said when refusing the tool.
    pub(crate) refusal: Option<String>,
}

/// A line of the assistant's.
#[derive(Debug)]
pub(crate) struct Assistant<'a> {
    pub(crate) message: Option<String>,
    pub(crate) texts: Vec<String>,
    pub(crate) stop: StopReason,
    pub(crate) made: Made,
    /// Questions asked: id of the tool call, raw input.
    pub(crate) questions: Vec<(String, &'a [u8])>,
    /// Anything but text.
    pub(crate) more: bool,
}

/// Who made an assistant's text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Made {
    Model,
    /// The client: a notice, or the kept part of an answer that the user cut.
    Client,
    /// The client: the text of an API error.
    Error,
}

/// `stop_reason`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum StopReason {
    /// `null` or absent: not known, or cut.
    None,
    ToolUse,
    Final,
}

/// A queue operation.
#[derive(Debug)]
pub(crate) enum Queue {
    Enqueue(String),
    Dequeue,
    Remove(Option<String>),
    Clear,
}

/// How records of the chain begin, and those of the queue.
static RECORD: LazyLock<Finder> = LazyLock::new(|| Finder::new(b"{\"parentUuid\":"));
static QUEUED: LazyLock<Finder> = LazyLock::new(|| Finder::new(b"{\"type\":\"queue-operation\""));

/// Types of which nothing is needed, told from the line's first bytes. All else is looked at.
pub(crate) fn never_matters(line: &[u8]) -> bool {
    let Some(rest) = line.strip_prefix(b"{\"type\":\"") else {
        return false;
    };
    let head = rest.get(..32).unwrap_or(rest);
    let Some(end) = memchr::memchr(b'"', head) else {
        return false;
    };
    !matters(head.get(..end).unwrap_or_default())
        // A record glued to the torn one.
        && RECORD.find(rest).is_none()
}

fn matters(kind: &[u8]) -> bool {
    matches!(
        kind,
        b"user" | b"assistant" | b"system" | b"attachment" | b"progress" | b"queue-operation"
    )
}

/// Whether a second record seems to begin within the line. Then brackets and quotes alone may be
/// balanced by chance, and the grammar has to be checked.
pub(crate) fn is_glued(line: &[u8]) -> bool {
    let rest = line.get(1..).unwrap_or_default();
    (RECORD.find(rest).is_some() || QUEUED.find(rest).is_some())
        && lenient_json::first_object(line).is_err()
}

/// Whether an object found in a damaged line is a record, not a piece of one.
pub(crate) fn is_record(object: &[u8]) -> bool {
    let (mut kind, mut time, mut id) = (false, false, false);
    for (key, _) in members(object) {
        match key {
            b"type" => kind = true,
            b"timestamp" => time = true,
            b"uuid" | b"operation" => id = true,
            _ => {}
        }
    }
    kind && time && id
}

impl<'a> Fields<'a> {
    /// `None` unless the line is one whole object.
    pub(crate) fn of(line: &'a [u8]) -> Option<Self> {
        let mut found = Self::default();
        let mut all = members(line);
        for (key, value) in all.by_ref() {
            let value = if is_null(value) { b"" } else { value };
            match key {
                b"type" => found.kind = value,
                b"uuid" => found.uuid = value,
                b"parentUuid" => found.parent = value,
                b"logicalParentUuid" => found.logical_parent = value,
                b"timestamp" => found.timestamp = value,
                b"cwd" => found.cwd = value,
                b"sessionId" => found.session = value,
                b"version" => found.version = value,
                b"promptId" => found.prompt_id = value,
                b"promptSource" => found.prompt_source = value,
                b"sentAtMs" => found.sent_at = value,
                b"permissionMode" => found.permission_mode = value,
                b"origin" => found.origin = value,
                b"turnOrigin" => found.turn_origin = value,
                b"message" => found.message = value,
                b"attachment" => found.attachment = value,
                b"toolUseResult" => found.tool_use_result = value,
                b"toolDenialKind" => found.tool_denial = value,
                b"subtype" => found.subtype = value,
                b"operation" => found.operation = value,
                b"content" => found.content = value,
                b"madeBy" => found.made_by = value,
                b"isSidechain" => found.sidechain = is_true(value),
                b"isMeta" => found.meta = is_true(value),
                b"isCompactSummary" => found.summary = is_true(value),
                b"isApiErrorMessage" => found.api_error = is_true(value),
                _ => {}
            }
        }
        (all.closed() && all.rest().iter().all(u8::is_ascii_whitespace)).then_some(found)
    }

    /// When a prompt that waited in the queue was typed, where the record says so (2.1.332).
    pub(crate) fn typed(&self) -> Option<DateTime<Utc>> {
        if self.prompt_source != b"\"queued\"" {
            return None;
        }
        let millis = std::str::from_utf8(self.sent_at).ok()?.parse().ok()?;
        DateTime::from_timestamp_millis(millis)
    }

    /// What the record is.
    pub(crate) fn kind(&self) -> Kind<'a> {
        if self.sidechain {
            return Kind::Skip;
        }
        match self.kind {
            b"\"user\"" => self.user(),
            b"\"assistant\"" => self.assistant(),
            b"\"system\"" => self.system(),
            b"\"attachment\"" => self.attachment(),
            b"\"progress\"" => Kind::Link,
            b"\"queue-operation\"" => self.queue(),
            _ => Kind::Skip,
        }
    }

    fn user(&self) -> Kind<'a> {
        if self.summary {
            return Kind::Link;
        }
        let content = member(self.message, b"content");
        if self.meta {
            return if text::begins(content, "Stop hook feedback") {
                Kind::Stop
            } else if content.first() == Some(&b'[') {
                Kind::Companion
            } else {
                Kind::Link
            };
        }
        if let Some(result) = self.tool_result(content) {
            return result;
        }
        let origin = member(self.origin, b"kind");
        if origin == b"\"task-notification\"" {
            return Kind::Unprompted;
        }
        let person = origin == b"\"human\"";
        match self.prompt_source {
            b"\"sdk\"" | b"\"typed\"" | b"\"queued\"" => return self.prompt(content),
            b"" => {}
            b"\"system\"" => return Kind::Unprompted,
            _ => {
                let turn = matches!(self.turn_origin, b"\"human\"" | b"\"sdk\"");
                return if person || turn {
                    self.prompt(content)
                } else {
                    Kind::Unprompted
                };
            }
        }
        // Clients before `promptSource`. Theirs is also the one notification that nothing but its
        // own form tells from a prompt.
        if !self.permission_mode.is_empty() {
            return if origin.is_empty()
                && self.turn_origin.is_empty()
                && text::is_notification(content)
            {
                Kind::Unprompted
            } else {
                self.prompt(content)
            };
        }
        // No mark of a prompt: the client wrote it, so its text may be looked at.
        if text::begins(content, "<command-message>") || text::begins(content, "<command-name>") {
            let sure = !self.turn_origin.is_empty() || text::begins(content, "<command-message>");
            return match text::command(content) {
                Some(text) => Kind::Command { text, sure },
                None => Kind::Link,
            };
        }
        if text::begins(content, "<bash-input>") {
            return Kind::Unprompted;
        }
        if text::begins(content, "<bash-std") {
            return Kind::Link;
        }
        if text::begins(content, "<local-command-std") {
            return Kind::LocalOutput;
        }
        if text::begins(content, "[Request interrupted by user") {
            return Kind::Interrupt;
        }
        if person {
            return self.prompt(content);
        }
        Kind::Link
    }

    #[allow(clippy::unused_self, reason = "reads as the others of its kind")]
    fn prompt(&self, content: &[u8]) -> Kind<'a> {
        Kind::Prompt(text::typed(content))
    }

    fn tool_result(&self, content: &'a [u8]) -> Option<Kind<'a>> {
        let block = elements(content).find(|block| member(block, b"type") == b"\"tool_result\"")?;
        let holds_answers = self.tool_use_result.first() == Some(&b'{')
            && memchr::memmem::find(self.tool_use_result, b"\"answers\"").is_some();
        let denied = is_true(member(block, b"is_error"))
            && matches!(self.tool_denial, b"" | b"\"user-rejected\"");
        Some(Kind::ToolResult(ToolResult {
            tool_use: string(member(block, b"tool_use_id")),
            answers: holds_answers.then_some(self.tool_use_result),
            refusal: if denied {
                text::refusal(member(block, b"content"))
            } else {
                None
            },
        }))
    }

    fn assistant(&self) -> Kind<'a> {
        let mut line = Assistant {
            message: None,
            texts: Vec::new(),
            stop: StopReason::None,
            made: Made::Model,
            questions: Vec::new(),
            more: false,
        };
        let mut content: &[u8] = b"";
        let mut synthetic = self.made_by == b"\"other\"";
        for (key, value) in members(self.message) {
            match key {
                b"id" => line.message = string(value),
                b"model" => synthetic |= value == b"\"<synthetic>\"",
                b"content" => content = value,
                b"stop_reason" => {
                    line.stop = match value {
                        b"null" => StopReason::None,
                        b"\"tool_use\"" => StopReason::ToolUse,
                        _ => StopReason::Final,
                    }
                }
                _ => {}
            }
        }
        let whole = string(content);
        line.texts.extend(whole);
        for block in elements(content) {
            match member(block, b"type") {
                b"\"text\"" => line.texts.extend(string(member(block, b"text"))),
                b"\"tool_use\"" => {
                    line.more = true;
                    if member(block, b"name") == b"\"AskUserQuestion\"" {
                        let id = string(member(block, b"id")).unwrap_or_default();
                        line.questions.push((id, member(block, b"input")));
                    }
                }
                _ => line.more = true,
            }
        }
        line.made = match (self.api_error, synthetic) {
            (true, _) => Made::Error,
            (false, true) => Made::Client,
            (false, false) => Made::Model,
        };
        Kind::Assistant(line)
    }

    fn system(&self) -> Kind<'a> {
        match self.subtype {
            b"\"stop_hook_summary\"" | b"\"turn_duration\"" => Kind::Stop,
            b"\"compact_boundary\"" => Kind::Boundary(self.logical_parent),
            b"\"local_command\"" => Kind::LocalOutput,
            _ => Kind::Link,
        }
    }

    fn attachment(&self) -> Kind<'a> {
        let mut kind: &[u8] = b"";
        let mut event: &[u8] = b"";
        let mut prompt: &[u8] = b"";
        let mut mode: &[u8] = b"";
        let mut origin: &[u8] = b"";
        let mut at: &[u8] = b"";
        for (key, value) in members(self.attachment) {
            match key {
                b"type" => {
                    kind = value;
                    if !matches!(
                        kind,
                        b"\"queued_command\""
                            | b"\"hook_additional_context\""
                            | b"\"hook_blocking_error\""
                    ) {
                        return Kind::Attachment;
                    }
                }
                b"hookEvent" => event = value,
                b"prompt" => prompt = value,
                b"commandMode" => mode = value,
                b"origin" => origin = member(value, b"kind"),
                b"timestamp" => at = value,
                _ => {}
            }
        }
        if kind == b"\"queued_command\"" {
            let typed = matches!(mode, b"" | b"\"prompt\"") && matches!(origin, b"" | b"\"human\"");
            return if typed {
                Kind::Absorbed {
                    text: text::typed(prompt),
                    at,
                }
            } else {
                Kind::Attachment
            };
        }
        if event == b"\"Stop\"" {
            Kind::Stop
        } else {
            Kind::Attachment
        }
    }

    fn queue(&self) -> Kind<'a> {
        match self.operation {
            b"\"enqueue\"" => match string(self.content) {
                Some(text) => Kind::Queue(Queue::Enqueue(text)),
                // A message of blocks; its own line follows.
                None => Kind::Queue(Queue::Enqueue(String::new())),
            },
            b"\"dequeue\"" => Kind::Queue(Queue::Dequeue),
            b"\"remove\"" => Kind::Queue(Queue::Remove(string(self.content))),
            b"\"popAll\"" => Kind::Queue(Queue::Clear),
            _ => Kind::Skip,
        }
    }
}

/// The raw value of a member, empty if there is none or it is `null`.
pub(crate) fn member<'a>(object: &'a [u8], name: &[u8]) -> &'a [u8] {
    members(object)
        .find(|(key, _)| *key == name)
        .map(|(_, value)| value)
        .filter(|value| !is_null(value))
        .unwrap_or_default()
}

/// The objects of an array, raw. Nothing for any other value.
pub(crate) fn elements(array: &[u8]) -> Elements<'_> {
    Elements {
        rest: array.strip_prefix(b"[").unwrap_or_default(),
    }
}

/// Iterator of [`elements`].
#[derive(Debug)]
pub(crate) struct Elements<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Elements<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<Self::Item> {
        let start = memchr::memchr(b'{', self.rest)?;
        let from = self.rest.get(start..)?;
        let mut object = members(from);
        object.by_ref().for_each(drop);
        if !object.closed() {
            self.rest = b"";
            return None;
        }
        self.rest = object.rest();
        from.get(..from.len() - self.rest.len())
    }
}
