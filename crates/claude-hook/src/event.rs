//! The payload of an event as facts.

use crate::ids::{PromptId, SessionId};
use lenient_json::{Damage, first_object, is_true, members, string};
use mnemo_home::Env;
use std::path::PathBuf;

/// What every payload may carry. All fields are optional: old clients lack some, and a field of
/// the wrong type, or an empty text, counts as absent.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Common {
    /// `session_id`.
    pub session: Option<SessionId>,
    /// `transcript_path`; the file need not exist yet, or ever.
    pub transcript: Option<PathBuf>,
    /// `cwd`: where the client is now, which a `cd` of the assistant changes.
    pub cwd: Option<PathBuf>,
    /// `prompt_id`: absent in 2.1.59 and at a session's start.
    pub prompt: Option<PromptId>,
    /// `agent_id`: inside a subagent (not told by 2.1.59).
    pub agent_id: Option<String>,
    /// `agent_type`.
    pub agent_type: Option<String>,
}

/// One hook event.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Event {
    /// The person submitted a prompt, or the client did so by itself for a task notification.
    UserPromptSubmit {
        /// What all events share.
        common: Common,
        /// As typed, outer blanks included.
        prompt: String,
    },
    /// `PostToolUse` and `PostToolUseFailure`.
    Tool {
        /// What all events share.
        common: Common,
        /// `tool_name`.
        tool: String,
        /// Raw JSON of `tool_input`; `null` where it is absent.
        input: String,
        /// Raw JSON of `tool_response`, or the failure's `error` text as raw JSON string.
        output: Option<String>,
        /// The client sent `PostToolUseFailure`.
        failed_event: bool,
        /// The person interrupted the call: `is_interrupt`, or `interrupted` of the response.
        interrupted: bool,
        /// The client says that the call failed: the failure event, interrupted, an error mark
        /// (`is_error`) or an exit code other than 0 in the response. Never guessed from words.
        failed: bool,
    },
    /// The assistant stopped.
    Stop {
        /// What all events share.
        common: Common,
        /// `stop_hook_active`: the turn goes on because a Stop hook wanted it.
        continuation: bool,
        /// `last_assistant_message`: the last text block, trimmed.
        last_message: Option<String>,
        /// Whether `background_tasks` holds anything; `None` where the client does not tell
        /// (Claude Code before 2.1.145).
        background: Option<bool>,
    },
    /// A session began, or goes on after `/clear`, `--resume` or a compaction.
    SessionStart {
        /// What all events share.
        common: Common,
        /// `startup`, `resume`, `clear`, `compact` or (2.1.214 and newer) `fork`.
        source: String,
    },
    /// A compaction is about to begin.
    PreCompact {
        /// What all events share.
        common: Common,
    },
    /// Known by name only, or a name we do not know.
    Other {
        /// What all events share.
        common: Common,
        /// `hook_event_name`; empty where the payload has none.
        name: String,
    },
}

impl Common {
    /// The directory the client was started in: it says so itself (`CLAUDE_PROJECT_DIR`), else the
    /// payload's working directory is the nearest to it.
    pub fn start(&self, env: &Env) -> Option<PathBuf> {
        env.path("CLAUDE_PROJECT_DIR").or_else(|| self.cwd.clone())
    }
}

impl Event {
    /// The fields all events share.
    pub fn common(&self) -> &Common {
        match self {
            Self::UserPromptSubmit { common, .. }
            | Self::Tool { common, .. }
            | Self::Stop { common, .. }
            | Self::SessionStart { common, .. }
            | Self::PreCompact { common }
            | Self::Other { common, .. } => common,
        }
    }

    /// Parses a payload. `Ok(None)`: nothing there (empty, or blanks). `Err`: damaged; the text is
    /// for the error log and holds nothing of the payload. What follows a whole object is ignored.
    pub fn parse(bytes: &[u8]) -> Result<Option<Self>, String> {
        Self::parse_as(bytes, "")
    }

    /// [`Event::parse`] for a hook that knows what it is wired to: a payload without a
    /// `hook_event_name` counts as `default_event`.
    pub fn parse_as(bytes: &[u8], default_event: &str) -> Result<Option<Self>, String> {
        let object = match first_object(bytes) {
            Ok(object) => object,
            Err(Damage::Blank) => return Ok(None),
            Err(damage) => return Err(complaint(damage, bytes.len())),
        };
        Ok(Some(Fields::of(object).event(default_event)))
    }
}

/// `session_id` of a payload that may be damaged.
pub(crate) fn session_of(bytes: &[u8]) -> Option<SessionId> {
    Fields::of(bytes).common().session
}

fn complaint(damage: Damage, length: usize) -> String {
    let what = match damage {
        Damage::Blank => "it is blank".to_owned(),
        Damage::NotAnObject => "it is not a JSON object".to_owned(),
        Damage::Truncated => "it ends too early".to_owned(),
        Damage::Malformed { offset } => format!("no JSON from byte {offset} on"),
    };
    format!(
        "event not handled, its payload of {length} bytes is damaged: {what}; \
         repair takes what was missed from the transcript at the next session start"
    )
}

/// The raw values of the fields that count; the last one wins where a key stands twice.
#[derive(Default)]
struct Fields<'a> {
    session: &'a [u8],
    transcript: &'a [u8],
    cwd: &'a [u8],
    prompt_id: &'a [u8],
    agent_id: &'a [u8],
    agent_type: &'a [u8],
    event: &'a [u8],
    prompt: &'a [u8],
    tool: &'a [u8],
    input: &'a [u8],
    response: &'a [u8],
    error: &'a [u8],
    interrupt: &'a [u8],
    active: &'a [u8],
    last_message: &'a [u8],
    background: &'a [u8],
    source: &'a [u8],
}

impl<'a> Fields<'a> {
    fn of(object: &'a [u8]) -> Self {
        let mut fields = Self::default();
        for (key, value) in members(object) {
            let field = match key {
                b"session_id" => &mut fields.session,
                b"transcript_path" => &mut fields.transcript,
                b"cwd" => &mut fields.cwd,
                b"prompt_id" => &mut fields.prompt_id,
                b"agent_id" => &mut fields.agent_id,
                b"agent_type" => &mut fields.agent_type,
                b"hook_event_name" => &mut fields.event,
                b"prompt" => &mut fields.prompt,
                b"tool_name" => &mut fields.tool,
                b"tool_input" => &mut fields.input,
                b"tool_response" => &mut fields.response,
                b"error" => &mut fields.error,
                b"is_interrupt" => &mut fields.interrupt,
                b"stop_hook_active" => &mut fields.active,
                b"last_assistant_message" => &mut fields.last_message,
                b"background_tasks" => &mut fields.background,
                b"source" => &mut fields.source,
                _ => continue,
            };
            *field = value;
        }
        fields
    }

    fn common(&self) -> Common {
        Common {
            session: string(self.session).and_then(SessionId::new),
            transcript: text(self.transcript).map(PathBuf::from),
            cwd: text(self.cwd).map(PathBuf::from),
            prompt: string(self.prompt_id).and_then(PromptId::new),
            agent_id: text(self.agent_id),
            agent_type: text(self.agent_type),
        }
    }

    fn event(&self, default_event: &str) -> Event {
        let common = self.common();
        let name = text(self.event).unwrap_or_else(|| default_event.to_owned());
        match name.as_str() {
            "UserPromptSubmit" => Event::UserPromptSubmit {
                common,
                prompt: string(self.prompt).unwrap_or_default(),
            },
            "PostToolUse" => self.tool(common, false),
            "PostToolUseFailure" => self.tool(common, true),
            "Stop" => Event::Stop {
                common,
                continuation: is_true(self.active),
                last_message: string(self.last_message),
                background: filled_array(self.background),
            },
            "SessionStart" => Event::SessionStart {
                common,
                source: string(self.source).unwrap_or_default(),
            },
            "PreCompact" => Event::PreCompact { common },
            _ => Event::Other { common, name },
        }
    }

    fn tool(&self, common: Common, failed_event: bool) -> Event {
        let tool = string(self.tool).unwrap_or_default();
        let said = Said::of(self.response, &tool);
        let interrupted = is_true(self.interrupt) || said.interrupted;
        let output = if failed_event && self.error.first() == Some(&b'"') {
            self.error
        } else {
            self.response
        };
        Event::Tool {
            common,
            tool,
            input: raw(self.input).unwrap_or_else(|| "null".to_owned()),
            output: raw(output),
            failed_event,
            interrupted,
            failed: failed_event || interrupted || said.failed,
        }
    }
}

/// What a `tool_response` says about how the call went.
#[derive(Default)]
struct Said {
    interrupted: bool,
    failed: bool,
}

impl Said {
    fn of(response: &[u8], tool: &str) -> Self {
        let mut said = Self::default();
        for (key, value) in members(response) {
            match key {
                b"interrupted" => said.interrupted = is_true(value),
                // `isError` is how the Model Context Protocol writes it.
                b"is_error" | b"isError" => said.failed |= is_true(value),
                b"exit_code" | b"exitCode" => said.failed |= is_nonzero(value),
                // WebFetch has an HTTP status under this name.
                b"code" if tool == "Bash" => said.failed |= is_nonzero(value),
                _ => {}
            }
        }
        said
    }
}

fn text(raw: &[u8]) -> Option<String> {
    string(raw).filter(|text| !text.is_empty())
}

fn raw(value: &[u8]) -> Option<String> {
    (!value.is_empty()).then(|| String::from_utf8_lossy(value).into_owned())
}

/// Whether an array holds anything; `None` for what is no array.
fn filled_array(raw: &[u8]) -> Option<bool> {
    let inner = raw.strip_prefix(b"[")?.strip_suffix(b"]")?;
    Some(!inner.trim_ascii().is_empty())
}

fn is_nonzero(raw: &[u8]) -> bool {
    str::from_utf8(raw)
        .ok()
        .and_then(|text| text.parse::<f64>().ok())
        .is_some_and(|number| number != 0.0)
}
