//! A turn that is being put together, and how its pieces become utterances.

use crate::record::{Made, StopReason};
use crate::{Turn, Utterance};
use chrono::{DateTime, Utc};
use claude_hook::{PromptId, RecordId, Role, SessionId};
use std::path::PathBuf;

/// One thing that happened in a turn, where it stands in the file.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) offset: u64,
    pub(crate) at: DateTime<Utc>,
    pub(crate) what: What,
}

#[derive(Debug, Clone)]
pub(crate) enum What {
    /// A text block of the assistant's.
    Text(Text),
    /// The assistant did something else.
    Work(StopReason),
    /// The client made something up.
    Notice(StopReason),
    /// A tool's result: a final text is yet to come.
    Result,
    /// The person said something.
    Said {
        text: String,
        record: Option<RecordId>,
    },
    /// A stop.
    Stop,
    /// The user cut the answer.
    Cut,
}

/// A text block.
#[derive(Debug, Clone)]
pub(crate) struct Text {
    /// Trimmed, not blank.
    pub(crate) words: String,
    /// Of message and text, the same under whatever uuid.
    pub(crate) name: Option<u64>,
    pub(crate) record: Option<RecordId>,
    pub(crate) message: Option<String>,
    pub(crate) stop: StopReason,
    /// What the client made up counts only as an answer that the user cut.
    pub(crate) made: Made,
}

/// The prompt that a turn begins with.
#[derive(Debug, Clone)]
pub(crate) struct Head {
    pub(crate) at: DateTime<Utc>,
    /// `None`: nothing that a person typed.
    pub(crate) text: Option<String>,
    pub(crate) record: Option<RecordId>,
    /// When it was typed, if it waited since.
    pub(crate) typed: Option<DateTime<Utc>>,
}

/// A turn that may still change.
#[derive(Debug, Clone)]
pub(crate) struct OpenTurn {
    pub(crate) id: u32,
    /// Offset of its first line.
    pub(crate) start: u64,
    /// Offset of its last line so far.
    pub(crate) until: u64,
    pub(crate) head: Option<Head>,
    pub(crate) prompt: Option<PromptId>,
    pub(crate) session: Option<SessionId>,
    pub(crate) cwd: Option<PathBuf>,
    pub(crate) items: Vec<Item>,
    /// Questions the assistant asked: id of the call, raw input.
    pub(crate) questions: Vec<(String, Vec<u8>)>,
    /// The record, not seen yet, that would tell which turn this is part of.
    pub(crate) awaited: Option<u64>,
    /// The turn before it in the file, if it turns out to have no other place.
    pub(crate) before: Option<u32>,
    /// A later prompt follows on it.
    pub(crate) superseded: bool,
    /// How many turns had begun when its last line was read.
    pub(crate) touched: u64,
}

/// What was said from one stop to the next.
#[derive(Debug, Default)]
pub(crate) struct Segment {
    /// By the person.
    pub(crate) said: Vec<(DateTime<Utc>, String, Option<RecordId>)>,
    pub(crate) blocks: Vec<Text>,
    /// When the last of it happened.
    pub(crate) at: Option<DateTime<Utc>>,
    /// Something followed the last text that must come before a final one.
    pub(crate) pending: bool,
}

impl Segment {
    fn is_empty(&self) -> bool {
        self.said.is_empty() && self.blocks.is_empty()
    }
}

impl OpenTurn {
    /// Keeps what is needed of work that follows on work.
    pub(crate) fn push(&mut self, item: Item) {
        if let Some(last) = self.items.last_mut()
            && matches!(
                (&last.what, &item.what),
                (What::Work(_), What::Work(_)) | (What::Result, What::Result)
            )
        {
            last.at = last.at.max(item.at);
            last.what = item.what;
            last.offset = item.offset;
            return;
        }
        self.items.push(item);
    }

    /// Takes over all of another piece of the same turn.
    pub(crate) fn absorb(&mut self, other: Self) {
        self.start = self.start.min(other.start);
        self.until = self.until.max(other.until);
        self.touched = self.touched.max(other.touched);
        self.superseded |= other.superseded;
        self.items.extend(other.items);
        self.items.sort_by_key(|item| item.offset);
        self.questions.extend(other.questions);
        self.prompt = self.prompt.take().or(other.prompt);
        self.session = self.session.take().or(other.session);
        self.cwd = self.cwd.take().or(other.cwd);
    }

    /// Whether a stop mark is the last that happened.
    pub(crate) fn stopped(&self) -> bool {
        let mut stopped = false;
        let mut ended: Option<&String> = None;
        for item in &self.items {
            stopped = match &item.what {
                // A late part of what was said to its end.
                What::Text(text) if ended.is_some() && text.message.as_ref() == ended => continue,
                What::Text(text) => {
                    let end = text.stop == StopReason::Final;
                    ended = text.message.as_ref().filter(|_| end);
                    end
                }
                What::Work(stop) | What::Notice(stop) => *stop == StopReason::Final,
                What::Result | What::Said { .. } => false,
                What::Stop | What::Cut => true,
            };
        }
        stopped
    }

    /// The conversation in it, from stop to stop. The last segment is what came since the last
    /// stop mark, and may be empty. `known`: whether a text was said in an earlier turn already.
    pub(crate) fn segments(&self, known: &dyn Fn(&Text) -> bool) -> Vec<Segment> {
        let mut done: Vec<Segment> = Vec::new();
        let mut now = Segment::default();
        for item in &self.items {
            match &item.what {
                What::Text(text) => {
                    if text.made != Made::Model || known(text) {
                        continue;
                    }
                    if !fuller(&mut done, &mut now, text) {
                        now.blocks.push(text.clone());
                    }
                    now.pending = text.stop == StopReason::ToolUse;
                    now.at = now.at.max(Some(item.at));
                }
                What::Notice(_) => {}
                What::Work(_) | What::Result => {
                    now.pending = true;
                    if matches!(item.what, What::Work(_)) {
                        now.at = now.at.max(Some(item.at));
                    }
                }
                What::Said { text, record } => {
                    now.pending = true;
                    now.at = now.at.max(Some(item.at));
                    now.said.push((item.at, text.clone(), record.clone()));
                }
                What::Stop | What::Cut => {
                    if matches!(item.what, What::Cut) {
                        now.at = now.at.max(Some(item.at));
                    }
                    if now.is_empty() {
                        now = Segment::default();
                    } else {
                        done.push(std::mem::take(&mut now));
                    }
                }
            }
        }
        done.push(now);
        done
    }

    /// The last text that the client made up itself.
    pub(crate) fn notice(&self) -> Option<&str> {
        self.items.iter().rev().find_map(|item| match &item.what {
            What::Text(text) if text.made != Made::Model => Some(text.words.as_str()),
            _ => None,
        })
    }

    /// The session, or the one that the file is named after.
    fn session(&self, fallback: &SessionId) -> SessionId {
        self.session.clone().unwrap_or_else(|| fallback.clone())
    }

    /// The utterances of a segment.
    pub(crate) fn utterances(&self, segment: Segment, fallback: &SessionId) -> Vec<Utterance> {
        let mut all: Vec<Utterance> = segment
            .said
            .into_iter()
            .map(|(at, text, record)| self.user(at, text, record, fallback))
            .collect();
        if let (false, Some(at)) = (segment.blocks.is_empty(), segment.at) {
            let mut records = Vec::new();
            let mut messages: Vec<String> = Vec::new();
            let mut blocks = Vec::new();
            for block in segment.blocks {
                records.extend(block.record);
                if let Some(message) = block.message
                    && !messages.contains(&message)
                {
                    messages.push(message);
                }
                blocks.push(block.words);
            }
            all.push(Utterance {
                role: Role::Assistant,
                text: blocks.join("\n\n"),
                blocks,
                at,
                session: self.session(fallback),
                turn: self.prompt.clone(),
                records,
                messages,
                typed: None,
            });
        }
        all
    }

    fn user(
        &self,
        at: DateTime<Utc>,
        text: String,
        record: Option<RecordId>,
        fallback: &SessionId,
    ) -> Utterance {
        Utterance {
            role: Role::User,
            text,
            blocks: Vec::new(),
            at,
            session: self.session(fallback),
            turn: self.prompt.clone(),
            records: record.into_iter().collect(),
            messages: Vec::new(),
            typed: None,
        }
    }

    /// The prompt, if a person typed it.
    pub(crate) fn prompt_text(&self) -> Option<&str> {
        self.head.as_ref()?.text.as_deref()
    }

    /// The finished form. `None`: nothing was said in it. `waiting`: a prompt waits to be taken in.
    pub(crate) fn close(
        &self,
        known: &dyn Fn(&Text) -> bool,
        waiting: bool,
        fallback: &SessionId,
    ) -> Option<Turn> {
        let finished = self.superseded || (self.stopped() && !waiting);
        let mut said = Vec::new();
        if let Some(head) = &self.head
            && let Some(text) = &head.text
        {
            said.push(Utterance {
                typed: head.typed,
                ..self.user(head.at, text.clone(), head.record.clone(), fallback)
            });
        }
        for segment in self.segments(known) {
            said.extend(self.utterances(segment, fallback));
        }
        (!said.is_empty()).then_some(Turn {
            said,
            cwd: self.cwd.clone(),
            finished,
        })
    }
}

/// Whether `text` is a block that stands there already: repeated, or as a part of it. A part that
/// stands there gives way to its fuller form.
fn fuller(done: &mut [Segment], now: &mut Segment, text: &Text) -> bool {
    let all = done
        .iter_mut()
        .flat_map(|segment| &mut segment.blocks)
        .chain(&mut now.blocks);
    for block in all {
        let same = match (&block.message, &text.message) {
            (Some(one), Some(other)) => one == other,
            _ => block.record.is_some() && block.record == text.record,
        };
        if !same {
            continue;
        }
        if block.words == text.words
            || (text.stop == StopReason::None && block.words.starts_with(&text.words))
        {
            return true;
        }
        if block.stop == StopReason::None && text.words.starts_with(&block.words) {
            *block = text.clone();
            return true;
        }
    }
    false
}
