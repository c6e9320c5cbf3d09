//! Claude Code's transcript lines, read as turns.
//!
//! [`read`] goes forwards through a transcript of any size in bounded memory and can go on later
//! where it left off; [`last_stop`] looks at the tail only. Both feed the same state machine.
//! What counts as said is laid down in `docs/formats.md`; facts about the client's lines were
//! measured on Claude Code 2.1.59, 2.1.197 and 2.1.332.
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files"))]

mod chain;
mod lines;
mod past;
mod queue;
mod record;
mod repeats;
mod tail;
#[cfg(test)]
mod tests;
mod text;
mod turn;
mod weave;

use chrono::{DateTime, Utc};
use claude_hook::{PromptId, RecordId, Role, SessionId};
use lines::{Line, Lines};
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use weave::Weaver;

pub use tail::{LastStop, client_version, last_stop, start_cwd};

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
    /// User: when a prompt that waited in the queue was typed, where its record tells (2.1.332); `at`
    /// then is when it was taken up.
    pub typed: Option<DateTime<Utc>>,
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
    /// Byte offset of the first line not yet done with (start of the earliest turn that may still
    /// change).
    pub offset: u64,
    /// What chains that cross the offset need.
    #[serde(default)]
    context: past::Context,
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
///
/// The last turns of a file are read again from the position given back: they may have grown.
pub fn read(
    path: &Path,
    from: &Position,
    each: &mut dyn FnMut(Turn),
    keep_going: &mut dyn FnMut() -> bool,
) -> Result<Report, Error> {
    read_at(path, from, &mut |_, turn| each(turn), keep_going).map_err(|source| Error::Io {
        path: path.to_owned(),
        source,
    })
}

/// How many bytes are read between two questions whether to go on.
const ASK_EVERY: u64 = 256 << 10;
/// How many unreadable lines are told one by one.
const TOLD: usize = 20;

fn read_at(
    path: &Path,
    from: &Position,
    sink: weave::Sink,
    keep_going: &mut dyn FnMut() -> bool,
) -> std::io::Result<Report> {
    let mut file = open(path)?;
    let metadata = file.metadata()?;
    let fresh = Position::default();
    // A position that is not at the start of a line is of another file.
    let from = if from.offset <= metadata.len() && begins_line(&mut file, from.offset)? {
        from
    } else {
        &fresh
    };
    file.seek(SeekFrom::Start(from.offset))?;
    let written = metadata
        .modified()
        .map_or(DateTime::UNIX_EPOCH, DateTime::<Utc>::from);
    let mut weaver = Weaver::new(&from.context, session_of(path), written);
    let mut lines = Lines::new(file, from.offset);
    let mut report = Report::default();
    let mut asked = from.offset;
    let read = loop {
        if lines.offset() - asked >= ASK_EVERY {
            asked = lines.offset();
            if !keep_going() {
                let read = lines.offset();
                report.bytes = read - from.offset;
                report.position = weaver.position(read);
                report.start_cwd = weaver.start_cwd;
                return Ok(report);
            }
        }
        match lines.next()? {
            Line::Whole { offset, bytes } => {
                if let Err(why) = weaver.line(offset, bytes, sink) {
                    report.note(offset, why);
                }
            }
            // Counts once it is whole; until then it is not passed.
            Line::Unterminated { offset, bytes } => {
                if record::Fields::of(bytes).is_some() {
                    let _ = weaver.line(offset, bytes, sink);
                }
                break offset;
            }
            Line::TooLong { offset } => report.note(offset, "is longer than 32 MB"),
            Line::End { offset } => break offset,
        }
    };
    report.bytes = lines.offset() - from.offset;
    report.position = weaver.position(read);
    weaver.finish(sink);
    report.start_cwd = weaver.start_cwd;
    report.complete = true;
    Ok(report)
}

impl Report {
    fn note(&mut self, offset: u64, why: &str) {
        self.unreadable_count += 1;
        if self.unreadable.len() < TOLD {
            self.unreadable.push((offset, why.to_owned()));
        }
    }
}

/// Opens a file, and nothing else: a pipe would keep a hook waiting for ever.
fn open(path: &Path) -> std::io::Result<File> {
    if std::fs::metadata(path)?.is_file() {
        return File::open(path);
    }
    Err(std::io::Error::new(
        std::io::ErrorKind::InvalidInput,
        "it is not a file",
    ))
}

fn begins_line(file: &mut File, offset: u64) -> std::io::Result<bool> {
    let Some(before) = offset.checked_sub(1) else {
        return Ok(true);
    };
    file.seek(SeekFrom::Start(before))?;
    let mut byte = [0];
    Ok(file.read(&mut byte)? == 1 && byte == *b"\n")
}

/// A transcript is named after its session.
fn session_of(path: &Path) -> SessionId {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    SessionId::new(stem.as_ref())
        .or_else(|| SessionId::new("unknown"))
        .unwrap_or_else(|| unreachable!("the name is not empty"))
}
