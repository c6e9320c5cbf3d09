//! Hook events of Claude Code in, decisions out; the run loop that never breaks a session.

use mnemo_home::Env;
use std::path::PathBuf;
use std::process::ExitCode;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// The person.
    User,
    /// The assistant.
    Assistant,
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name(String);
        impl $name {
            /// `None` for an empty text.
            pub fn new(text: impl Into<String>) -> Option<Self> {
                let text = text.into();
                (!text.is_empty()).then_some(Self(text))
            }
            /// As the client wrote it.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }
    };
}
id!(
    /// Id of a session: the transcript's file stem.
    SessionId
);
id!(
    /// The client's id of one prompt and of what it led to.
    PromptId
);
id!(
    /// `uuid` of a transcript record.
    RecordId
);

/// What every payload may carry. All fields are optional: old clients lack some, and a field of
/// the wrong type counts as absent.
#[derive(Debug, Clone, Default, PartialEq)]
#[allow(missing_docs)]
pub struct Common {
    pub session: Option<SessionId>,
    pub transcript: Option<PathBuf>,
    pub cwd: Option<PathBuf>,
    pub prompt: Option<PromptId>,
    /// Inside a subagent.
    pub agent_id: Option<String>,
    pub agent_type: Option<String>,
}

/// One hook event.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
#[allow(missing_docs)]
pub enum Event {
    UserPromptSubmit {
        common: Common,
        prompt: String,
    },
    /// `PostToolUse` (failure `None`) and `PostToolUseFailure`.
    Tool {
        common: Common,
        tool: String,
        /// Raw JSON.
        input: String,
        /// Raw JSON of `tool_response`, or the failure's `error` text as raw JSON string.
        output: Option<String>,
        failed_event: bool,
        interrupted: bool,
    },
    Stop {
        common: Common,
        continuation: bool,
        last_message: Option<String>,
        /// Whether `background_tasks` holds anything.
        background: bool,
    },
    SessionStart {
        common: Common,
        source: String,
    },
    PreCompact {
        common: Common,
    },
    /// Known by name only, or a name we do not know.
    Other {
        common: Common,
        name: String,
    },
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
    /// for the error log and holds nothing of the payload.
    pub fn parse(bytes: &[u8]) -> Result<Option<Self>, String> {
        let _ = bytes;
        unimplemented!()
    }
}

/// What a hook answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Nothing is printed.
    Silent,
    /// Context for the assistant, printed as the client's JSON for the named event.
    Context {
        /// `Stop`, `UserPromptSubmit` or `SessionStart`.
        event: &'static str,
        /// Under 10,000 characters.
        text: String,
    },
}

/// A handled event: the answer and what belongs in the error log.
#[derive(Debug)]
pub struct Outcome {
    /// What is printed.
    pub answer: Answer,
    /// One line of the error log each.
    pub log: Vec<String>,
}

impl Outcome {
    /// Nothing to say.
    pub fn silent() -> Self {
        Self {
            answer: Answer::Silent,
            log: Vec::new(),
        }
    }
}

/// Runs a hook: `--version`/`--help` by hand; else reads stdin to its end (at most 1 s after the
/// last byte), parses, honours the off switch and a plugin copy's duplicate, calls `handle`,
/// prints its answer, logs its complaints; exit 0 always, panics included.
pub fn run(
    program: &'static str,
    version: &'static str,
    handle: impl FnOnce(&Event, &Env) -> Outcome,
) -> ExitCode {
    let _ = (program, version, handle);
    unimplemented!()
}
