//! The end of a transcript, read backwards.

use crate::lines::LONGEST;
use crate::record::{Fields, StopReason, never_matters};
use crate::weave::Weaver;
use crate::{Error, Utterance, open, session_of};
use chrono::{DateTime, Utc};
use claude_hook::{PromptId, RecordId};
use lenient_json::string;
use memchr::{memchr, memchr_iter, memrchr_iter};
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

/// What is read first. A turn of 2.1.197 fits; the first of 2.1.332 brings 145 KB along.
const FIRST: u64 = 64 << 10;
const GROWTH: u64 = 4;
/// When nothing of the turn is in the last so many bytes though a later one is, it is not there:
/// its prompt has not reached the file yet.
const ENOUGH: u64 = 1 << 20;
/// Where a client's version and a session's directory are looked for.
const VERSION_IN: u64 = 64 << 10;
const CWD_IN: u64 = 1 << 20;

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
    /// The turn's prompt id as the transcript has it. If it is another than the one asked for, the
    /// turn asked for is not in the file yet, and this is the one before.
    pub turn: Option<PromptId>,
    /// The prompt's record.
    pub prompt_record: Option<RecordId>,
    /// The prompt as typed, where a person typed one.
    pub prompt_text: Option<String>,
    /// Whether the last visible text block is marked as the end of an answer.
    pub ended: bool,
    /// `version` of the client that wrote the tail.
    pub version: Option<String>,
    /// How many replies earlier stops of the same turn ended, as far as the tail shows them.
    pub stops_before: usize,
    /// The last text in the turn that the client made up itself (an API error).
    pub notice: Option<String>,
}

/// Reads backwards from the end, as far as the turn `prompt` (or without one: the last turn) goes,
/// at most `limit` bytes. The cost does not grow with the file. `Ok(None)`: no such file.
pub fn last_stop(
    path: &Path,
    prompt: Option<&PromptId>,
    limit: u64,
) -> Result<Option<LastStop>, Error> {
    let failed = |source| Error::Io {
        path: path.to_owned(),
        source,
    };
    let mut file = match open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(failed(error)),
    };
    look(&mut file, path, prompt, limit)
        .map(Some)
        .map_err(failed)
}

fn look(
    file: &mut File,
    path: &Path,
    prompt: Option<&PromptId>,
    limit: u64,
) -> io::Result<LastStop> {
    let metadata = file.metadata()?;
    let length = metadata.len();
    let written = metadata
        .modified()
        .map_or(DateTime::UNIX_EPOCH, DateTime::<Utc>::from);
    let mut tail = Vec::new();
    let mut wanted = FIRST;
    loop {
        let wanted_now = wanted.min(limit).min(length);
        extend(file, length, wanted_now, &mut tail)?;
        let whole = tail.len() as u64 >= length;
        let all = whole || wanted_now >= limit;
        let mut weaver = Weaver::for_tail(session_of(path), written);
        feed(&mut weaver, &tail, whole, length);
        let gone = wanted_now >= ENOUGH && weaver.lacks(prompt);
        if all || gone || weaver.shows(prompt) {
            return Ok(shown(weaver, prompt));
        }
        wanted = wanted.saturating_mul(GROWTH);
    }
}

/// Makes `tail` the last `wanted` bytes of a file of `length`.
fn extend(file: &mut File, length: u64, wanted: u64, tail: &mut Vec<u8>) -> io::Result<()> {
    let have = tail.len() as u64;
    let more = wanted.saturating_sub(have);
    file.seek(SeekFrom::Start(length - have - more))?;
    let mut front = Vec::with_capacity(usize::try_from(wanted).unwrap_or_default());
    file.take(more).read_to_end(&mut front)?;
    front.append(tail);
    *tail = front;
    Ok(())
}

fn feed(weaver: &mut Weaver, tail: &[u8], whole: bool, length: u64) {
    let base = length.saturating_sub(tail.len() as u64);
    let mut start = if whole {
        0
    } else {
        memchr(b'\n', tail).map_or(tail.len(), |first| first + 1)
    };
    let ends = memchr_iter(b'\n', tail).chain([tail.len()]);
    for end in ends {
        let Some(line) = tail.get(start..end) else {
            continue;
        };
        if line.len() <= LONGEST {
            let _ = weaver.line(base + start as u64, line, &mut |_, _| {});
        }
        start = end + 1;
    }
}

fn shown(weaver: Weaver, prompt: Option<&PromptId>) -> LastStop {
    let version = weaver.version.clone();
    let (turns, last, session) = weaver.into_open();
    let asked = prompt.and_then(|prompt| {
        turns
            .iter()
            .rev()
            .find(|turn| turn.prompt.as_ref() == Some(prompt))
    });
    let turn = asked.or_else(|| turns.iter().find(|turn| Some(turn.id) == last));
    let Some(turn) = turn else {
        return LastStop {
            version,
            ..LastStop::default()
        };
    };
    let mut segments = turn.segments(&|_| false);
    let segment = segments.pop().unwrap_or_default();
    let final_visible = !segment.blocks.is_empty() && !segment.pending;
    let ended = segment
        .blocks
        .last()
        .is_some_and(|block| block.stop == StopReason::Final);
    LastStop {
        ended,
        prompt_text: turn.head.as_ref().and_then(|head| head.text.clone()),
        final_visible,
        said: turn.utterances(segment, &session),
        prompt_cwd: turn.head.as_ref().and(turn.cwd.clone()),
        turn: turn.prompt.clone(),
        prompt_record: turn.head.as_ref().and_then(|head| head.record.clone()),
        version,
        stops_before: segments.iter().filter(|one| !one.blocks.is_empty()).count(),
        notice: turn.notice().map(str::to_owned),
    }
}

/// The client's version on the last line that has one, read from the last 64 KB.
pub fn client_version(path: &Path) -> Option<String> {
    let mut file = open(path).ok()?;
    let length = file.metadata().ok()?.len();
    let mut tail = Vec::new();
    extend(&mut file, length, VERSION_IN.min(length), &mut tail).ok()?;
    let mut end = tail.len();
    let starts = memrchr_iter(b'\n', &tail)
        .map(|feed| feed + 1)
        .chain((tail.len() as u64 >= length).then_some(0));
    for start in starts {
        let line = tail.get(start..end).unwrap_or_default();
        if let Some(version) = Fields::of(line).and_then(|fields| string(fields.version))
            && !version.is_empty()
        {
            return Some(version);
        }
        end = start.saturating_sub(1);
    }
    None
}

/// `cwd` of the first record that has one, from the first megabyte.
pub fn start_cwd(path: &Path) -> Option<PathBuf> {
    let mut file = open(path).ok()?;
    let mut front = Vec::new();
    // Mostly it stands in one of the first lines.
    for upto in [32 << 10, 256 << 10, CWD_IN] {
        let more = upto - front.len() as u64;
        file.by_ref().take(more).read_to_end(&mut front).ok()?;
        let found = front
            .split(|byte| *byte == b'\n')
            .filter(|line| !never_matters(line))
            .filter_map(Fields::of)
            .filter_map(|fields| string(fields.cwd))
            .find(|cwd| !cwd.is_empty());
        if found.is_some() || (front.len() as u64) < upto {
            return found.map(PathBuf::from);
        }
    }
    None
}
