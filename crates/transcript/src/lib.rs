//! Claude Code's transcript lines, read as turns.

use chrono::{DateTime, Utc};
use claude_hook::{PromptId, RecordId, Role, SessionId};
use std::path::{Path, PathBuf};

/// One thing said in the main thread: a User or an Assistant entry of a day file to be.
#[derive(Debug, Clone, PartialEq)]
pub struct Utterance {
    /// Who.
    pub role: Role,
    /// The whole text as an entry holds it, before redaction and escaping.
    pub text: String,
    /// Assistant: the trimmed non-blank text blocks that `text` joins by a blank line.
    pub blocks: Vec<String>,
    /// User: when it was typed. Assistant: when it stopped.
    pub at: DateTime<Utc>,
    /// Of the record (a fork's copies carry the fork's).
    pub session: SessionId,
    /// The client's prompt id of the turn; old clients have none.
    pub turn: Option<PromptId>,
    /// Records it came from; the first is the prompt's, or the first text block's. May be empty
    /// (a queued prompt of 2.1.59 has no record of its own).
    pub records: Vec<RecordId>,
    /// Assistant: `message.id` of the blocks, for turns repeated under fresh uuids.
    pub messages: Vec<String>,
}

/// One prompt and what was said until the next. A turn without a prompt entry (answer to a task
/// notification or to `!command` output) has no User utterance at its head.
#[derive(Debug, Clone, PartialEq)]
pub struct Turn {
    /// What was said, in conversation order.
    pub said: Vec<Utterance>,
    /// `cwd` of the prompt's record.
    pub cwd: Option<PathBuf>,
    /// Whether a stop mark or a later prompt ends it. Only a branch's last turn can be false.
    pub finished: bool,
}

/// Where to go on reading, kept in the index between runs. Opaque to others; serialises small.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Position {
    /// Byte offset of the first line not yet done with (start of the earliest unfinished turn).
    pub offset: u64,
    // implementation: what chains that cross the offset need (recent record ids → their turn)
}

/// What reading a transcript found out besides its turns.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Report {
    /// Where the next reading goes on.
    pub position: Position,
    /// `cwd` of the first record that has one (the session's start directory).
    pub start_cwd: Option<PathBuf>,
    /// Lines that could not be read, whole or in part: byte offset and why. At most 20 are kept.
    pub unreadable: Vec<(u64, String)>,
    /// How many there were.
    pub unreadable_count: u64,
    /// Bytes read in this run.
    pub bytes: u64,
    /// False when `keep_going` stopped it early; `position` then is where to resume.
    pub complete: bool,
}

/// Errors of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The transcript cannot be opened or read.
    #[error("cannot read the transcript {}: {source}", path.display())]
    Io {
        /// The transcript.
        path: PathBuf,
        /// The system's own error.
        source: std::io::Error,
    },
}

/// Reads forwards from `from` and hands each turn to `each` as soon as nothing can change it any
/// more (a finished one when its branch went on; what is left at the end of the file, with
/// `finished` told). Streaming, in bounded memory: lines over 32 MB are skipped and counted.
/// `keep_going` is asked every few hundred KB.
pub fn read(
    path: &Path,
    from: &Position,
    each: &mut dyn FnMut(Turn),
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<Report, Error> {
    let _ = (path, from, each, keep_going);
    unimplemented!()
}

/// What the transcript's tail shows of the turn that stops now.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LastStop {
    /// What the person said inside the turn (not its prompt) and the assistant's text, since the
    /// stop before, in order; the assistant's last, at most one. Empty when nothing is visible.
    pub said: Vec<Utterance>,
    /// Whether the last visible text block is followed by nothing that must come before a final
    /// text (a tool call or its result): then it may itself be the final one.
    pub final_visible: bool,
    /// `cwd` of the turn's prompt.
    pub prompt_cwd: Option<PathBuf>,
    /// The turn's prompt id as the transcript has it.
    pub turn: Option<PromptId>,
    /// The prompt's record.
    pub prompt_record: Option<RecordId>,
    /// `version` of the client that wrote the tail.
    pub version: Option<String>,
}

/// Reads backwards from the end, as far as the turn `prompt` (or without one: the last turn) goes,
/// at most `limit` bytes. The cost does not grow with the file. `Ok(None)`: no such file.
pub fn last_stop(
    path: &Path,
    prompt: Option<&PromptId>,
    limit: u64,
) -> Result<Option<LastStop>, Error> {
    let _ = (path, prompt, limit);
    unimplemented!()
}

/// The client's version on the last line that has one, read from the last 64 KB.
pub fn client_version(path: &Path) -> Option<String> {
    let _ = path;
    unimplemented!()
}

/// `cwd` of the first record that has one, from the first megabyte.
pub fn start_cwd(path: &Path) -> Option<PathBuf> {
    let _ = path;
    unimplemented!()
}
