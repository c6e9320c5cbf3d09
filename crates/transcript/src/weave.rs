//! The state machine that turns records into turns. It is the one place that knows how records
//! hang together; reading forwards and looking at the tail both feed it.
//!
//! A turn stays open until nothing can change it any more: a later prompt follows on it and two
//! more turns began, or eight turns began since its last line (a branch that was left). Turns are
//! handed out in the order in which they began.

use crate::chain::{Chain, Whose, name_of};
use crate::past::{Context, Past};
use crate::queue::WaitingPrompts;
use crate::record::{
    Assistant, Fields, Kind, Made, ToolResult, is_glued, is_record, never_matters,
};
use crate::repeats::Repeats;
use crate::turn::{Head, Item, OpenTurn, Text, What};
use crate::{Position, Turn, text};
use chrono::{DateTime, Utc};
use claude_hook::{PromptId, RecordId, SessionId};
use lenient_json::{recover, string};
use std::collections::VecDeque;
use std::path::PathBuf;

/// Turns that a turn with a follower stays open for: lines reach the file up to 0.1 s late.
const LATE: u64 = 2;
/// Turns that a branch without a follower stays open for.
const LEFT: u64 = 8;
/// Turns whose identity is remembered after they were handed out.
const REMEMBERED: usize = 64;
/// A command of which it is not known yet who answers it.
#[derive(Debug)]
struct Candidate {
    record: u64,
    offset: u64,
    head: Head,
    parent: Option<u32>,
}

/// The state machine.
#[derive(Debug)]
pub(crate) struct Weaver {
    chain: Chain,
    open: Vec<OpenTurn>,
    past: VecDeque<Past>,
    next: u32,
    begun: u64,
    /// The turn of the last record.
    current: Option<u32>,
    queue: WaitingPrompts,
    candidate: Option<Candidate>,
    attachment: Option<u64>,
    clock: DateTime<Utc>,
    clock_known: bool,
    repeats: Repeats,
    /// Hands out nothing before the end.
    keeps: bool,
    /// Named after the file, for records without a session.
    session: SessionId,
    pub(crate) start_cwd: Option<PathBuf>,
    pub(crate) version: Option<String>,
    /// The turn of the last record that has a place in one, whatever branch.
    pub(crate) last: Option<u32>,
}

/// The place and identity of a record.
struct Place<'a> {
    offset: u64,
    fields: &'a Fields<'a>,
    record: Option<u64>,
    at: DateTime<Utc>,
}

impl Place<'_> {
    fn id(&self) -> Option<RecordId> {
        string(self.fields.uuid).and_then(RecordId::new)
    }
}

/// Receives turns, each with the offset of its first line.
pub(crate) type Sink<'a> = &'a mut dyn FnMut(u64, Turn);

impl Weaver {
    /// `session`: for records that name none; `now`: for records without a time.
    pub(crate) fn new(context: &Context, session: SessionId, now: DateTime<Utc>) -> Self {
        let mut chain = Chain::default();
        for (record, turn) in &context.records {
            chain.insert(*record, 0, *turn);
        }
        let clock = context
            .clock
            .and_then(DateTime::<Utc>::from_timestamp_millis);
        Self {
            chain,
            open: Vec::new(),
            next: context
                .turns
                .iter()
                .map(|past| past.id)
                .max()
                .map_or(0, |id| id.saturating_add(1)),
            past: context.turns.iter().cloned().collect(),
            begun: 0,
            current: context.turns.last().map(|past| past.id),
            queue: WaitingPrompts::default(),
            candidate: None,
            attachment: context.attachment,
            clock: clock.unwrap_or(now),
            clock_known: clock.is_some(),
            repeats: Repeats::new(&context.texts),
            keeps: false,
            session,
            start_cwd: context.start_cwd.clone(),
            version: None,
            last: None,
        }
    }

    /// For a look at the tail: all turns stay open.
    pub(crate) fn for_tail(session: SessionId, now: DateTime<Utc>) -> Self {
        Self {
            keeps: true,
            ..Self::new(&Context::default(), session, now)
        }
    }

    /// Reads one line. `Err`: why it could not be read, whole or in part; the whole records in it
    /// were read.
    pub(crate) fn line(
        &mut self,
        offset: u64,
        line: &[u8],
        sink: Sink,
    ) -> Result<(), &'static str> {
        if never_matters(line) || line.iter().all(u8::is_ascii_whitespace) {
            return Ok(());
        }
        if let Some(fields) = Fields::of(line)
            && !is_glued(line)
        {
            self.record(offset, &fields, sink);
            return Ok(());
        }
        let records = recover(line, is_record);
        let mut covered = 0;
        for record in records {
            covered += record.len();
            if let Some(fields) = Fields::of(record) {
                self.record(offset, &fields, sink);
            }
        }
        let blanks = line
            .iter()
            .filter(|byte| byte.is_ascii_whitespace())
            .count();
        if covered + blanks >= line.len() {
            Ok(())
        } else if line.contains(&0) {
            Err("holds NUL bytes")
        } else if covered > 0 {
            Err("only part of it is whole records")
        } else {
            Err("is not a whole record")
        }
    }

    fn record(&mut self, offset: u64, fields: &Fields, sink: Sink) {
        if self.start_cwd.is_none() {
            self.start_cwd = string(fields.cwd)
                .filter(|cwd| !cwd.is_empty())
                .map(PathBuf::from);
        }
        let kind = fields.kind();
        if matches!(kind, Kind::Skip) {
            return;
        }
        if !fields.version.is_empty() {
            self.version = string(fields.version).or(self.version.take());
        }
        let place = Place {
            offset,
            fields,
            record: (!fields.uuid.is_empty()).then(|| name_of(fields.uuid)),
            at: self.time(fields.timestamp),
        };
        match kind {
            Kind::Queue(operation) => {
                let turn = self.current();
                self.queue.apply(operation, offset, place.at, turn);
            }
            kind => self.linked(&place, kind, sink),
        }
    }

    fn time(&mut self, raw: &[u8]) -> DateTime<Utc> {
        match parse_time(raw) {
            Some(at) => {
                self.clock = at;
                self.clock_known = true;
                at
            }
            None => self.clock,
        }
    }

    /// A record that has its place in the tree.
    fn linked(&mut self, place: &Place, kind: Kind, sink: Sink) {
        let known = place.record.map(|record| self.chain.whose(record));
        if let Some(Whose::Turn(_) | Whose::Nobodys) = known {
            // A line that stands there twice. Only a fuller form of a text can be news.
            if let (Kind::Assistant(line), Some(Whose::Turn(turn))) = (kind, known)
                && self.open.iter().any(|open| open.id == turn)
            {
                self.assistant(place, turn, line);
            }
            return;
        }
        if self.candidate.is_some() {
            self.judge(place, &kind, sink);
        }
        let kind = match kind {
            Kind::Prompt(text) => {
                self.queue.has_line(&text);
                let text = (!text.trim().is_empty()).then_some(text);
                return self.begin(place, text, sink);
            }
            Kind::Unprompted => return self.begin(place, None, sink),
            Kind::Command { text, sure: true } => {
                self.queue.has_line(&text);
                return self.begin(place, Some(text), sink);
            }
            other => other,
        };
        if matches!(kind, Kind::Attachment | Kind::Absorbed { .. }) && self.attachment.is_none() {
            self.attachment = Some(place.offset);
        }
        let content = matches!(
            kind,
            Kind::Assistant(_) | Kind::Absorbed { .. } | Kind::ToolResult(_)
        );
        let parent = match &kind {
            Kind::Boundary(logical) if !logical.is_empty() => logical,
            _ => place.fields.parent,
        };
        let turn = self.place(place, parent, content);
        if let Kind::Command { text, .. } = &kind {
            self.candidate = place.record.map(|record| Candidate {
                record,
                offset: place.offset,
                head: Head {
                    at: place.at,
                    text: Some(text.clone()),
                    record: place.id(),
                    typed: None,
                },
                parent: turn,
            });
        }
        let Some(turn) = turn else {
            if let Some(record) = place.record {
                self.chain.insert(record, place.offset, None);
            }
            return;
        };
        let Some(turn) = self.touch(turn, place, content) else {
            return;
        };
        self.last = Some(turn);
        if matches!(kind, Kind::ToolResult(_) | Kind::Stop | Kind::Interrupt)
            && let Some(open) = self.open.iter_mut().find(|open| open.id == turn)
        {
            identify(open, place.fields);
        }
        match kind {
            Kind::Assistant(line) => self.assistant(place, turn, line),
            Kind::ToolResult(result) => self.tool_result(place, turn, &result),
            Kind::Absorbed { text, at } => {
                // The queue tells it too.
                self.queue.has_attachment(&text);
                if !text.trim().is_empty() {
                    let at = parse_time(at).unwrap_or(place.at);
                    let record = place.id();
                    self.push(turn, place.offset, at, What::Said { text, record });
                }
            }
            Kind::Stop => self.push(turn, place.offset, place.at, What::Stop),
            Kind::Interrupt => self.interrupted(place, turn),
            Kind::LocalOutput => self.answered_locally(place, turn),
            _ => {}
        }
    }

    /// The open piece that a record belongs to; a new one if that is not known yet. `None`: there
    /// is no turn yet, and the record says nothing.
    fn place(&mut self, place: &Place, parent: &[u8], content: bool) -> Option<u32> {
        let name = (!parent.is_empty()).then(|| name_of(parent));
        let own = name.is_some() && name == place.record;
        let turn = match name.filter(|_| !own) {
            None => self.current(),
            Some(name) => match self.chain.whose(name) {
                Whose::Turn(turn) => Some(turn),
                Whose::Nobodys => self.current(),
                // The parent is not there (yet).
                Whose::Unknown => {
                    let piece = self.open.iter().find(|open| open.awaited == Some(name));
                    return Some(match piece {
                        Some(piece) => piece.id,
                        None => self.open_piece(place, Some(name)),
                    });
                }
            },
        };
        match turn {
            Some(turn) => Some(turn),
            None if content => Some(self.open_piece(place, None)),
            None => None,
        }
    }

    /// The turn of the last record.
    fn current(&self) -> Option<u32> {
        self.current.map(|turn| self.chain.resolve(turn))
    }

    fn open_piece(&mut self, place: &Place, awaited: Option<u64>) -> u32 {
        let id = self.next;
        self.next = self.next.wrapping_add(1);
        let before = self.current();
        self.open.push(OpenTurn {
            id,
            start: place.offset,
            until: place.offset,
            head: None,
            prompt: None,
            session: None,
            cwd: None,
            items: Vec::new(),
            questions: Vec::new(),
            awaited,
            before,
            superseded: false,
            touched: self.begun,
        });
        id
    }

    /// Notes that a record is part of a turn. A turn that was handed out opens anew if the record
    /// says something and was not part of it then. Gives the turn if it is open.
    fn touch(&mut self, turn: u32, place: &Place, content: bool) -> Option<u32> {
        if let Some(record) = place.record {
            self.chain.insert(record, place.offset, Some(turn));
        }
        if !self.open.iter().any(|open| open.id == turn) {
            let past = self.past.iter().find(|past| past.id == turn).cloned();
            let known = past.as_ref().is_some_and(|past| place.offset <= past.until);
            if known || !content {
                return None;
            }
            self.open_piece(place, None);
            if let Some(open) = self.open.last_mut() {
                open.id = turn;
                open.before = None;
                if let Some(past) = past {
                    open.prompt = past.prompt;
                    open.session = past.session;
                    open.cwd = past.cwd;
                }
            }
        }
        let begun = self.begun;
        if let Some(open) = self.open.iter_mut().find(|open| open.id == turn) {
            open.until = open.until.max(place.offset);
            open.touched = begun;
            locate(open, place.fields);
        }
        self.current = Some(turn);
        if let Some(record) = place.record {
            self.meet(record, turn);
        }
        Some(turn)
    }

    /// Joins a piece that waited for this record with the record's turn.
    fn meet(&mut self, record: u64, turn: u32) {
        let waits = |open: &OpenTurn| open.awaited == Some(record) && open.id != turn;
        if let Some(at) = self.open.iter().position(waits) {
            let piece = self.open.remove(at);
            self.join(piece, turn);
        }
    }

    fn join(&mut self, piece: OpenTurn, turn: u32) {
        self.chain.merge(piece.id, turn);
        if let Some(open) = self.open.iter_mut().find(|open| open.id == turn) {
            open.absorb(piece);
        }
        self.open.sort_by_key(|open| open.start);
    }

    /// A turn begins.
    fn begin(&mut self, place: &Place, text: Option<String>, sink: Sink) {
        let head = Head {
            at: place.at,
            text,
            record: place.id(),
            typed: place.fields.typed(),
        };
        let name = (!place.fields.parent.is_empty()).then(|| name_of(place.fields.parent));
        let follows = match name.map(|name| self.chain.whose(name)) {
            Some(Whose::Turn(turn)) => Some(turn),
            Some(Whose::Nobodys) => None,
            Some(Whose::Unknown) | None => self.current(),
        };
        self.begin_after(place, head, follows, sink);
    }

    fn begin_after(&mut self, place: &Place, head: Head, follows: Option<u32>, sink: Sink) {
        let follows = follows.map(|before| self.settle_piece(before));
        if let Some(before) = follows
            && let Some(open) = self.open.iter_mut().find(|open| open.id == before)
        {
            open.superseded = true;
        }
        self.candidate = None;
        self.begun += 1;
        let id = self.open_piece(place, None);
        if let Some(open) = self.open.last_mut() {
            open.head = Some(head);
            open.before = None;
            identify(open, place.fields);
            locate(open, place.fields);
        }
        self.current = Some(id);
        self.last = Some(id);
        if let Some(record) = place.record {
            self.chain.insert(record, place.offset, Some(id));
            self.meet(record, id);
        }
        self.hand_out(sink);
        // Prompts that waited in no turn are long gone.
        let (chain, open) = (&self.chain, &self.open);
        self.queue
            .keep(|turn| open.iter().any(|open| open.id == chain.resolve(turn)));
        let start = self.open.first().map_or(place.offset, |open| open.start);
        self.chain.prune(start);
    }

    /// A piece that a later prompt follows on has had its time to find its place. Gives the turn
    /// that it is part of.
    fn settle_piece(&mut self, turn: u32) -> u32 {
        let at = self.open.iter().position(|open| open.id == turn);
        let before = at.and_then(|at| self.fallback(self.open.get(at)?));
        match (at, before) {
            (Some(at), Some(before)) => {
                let piece = self.open.remove(at);
                self.join(piece, before);
                before
            }
            _ => turn,
        }
    }

    /// Whether the record that follows a command tells who answers the command.
    fn judge(&mut self, place: &Place, kind: &Kind, sink: Sink) {
        let Some(candidate) = self.candidate.take() else {
            return;
        };
        if !matches!(kind, Kind::Companion)
            || place.fields.parent.is_empty()
            || name_of(place.fields.parent) != candidate.record
        {
            return;
        }
        let as_was = Place {
            offset: candidate.offset,
            fields: place.fields,
            record: None,
            at: candidate.head.at,
        };
        if let Some(text) = &candidate.head.text {
            self.queue.has_line(text);
        }
        self.begin_after(&as_was, candidate.head, candidate.parent, sink);
        if let Some(turn) = self.current {
            self.chain.assign(candidate.record, turn);
        }
    }

    /// The client answered the command itself: nobody said anything.
    fn answered_locally(&mut self, place: &Place, turn: u32) {
        let parent = string(place.fields.parent).and_then(RecordId::new);
        if let Some(open) = self.open.iter_mut().find(|open| open.id == turn)
            && let Some(head) = &mut open.head
            && head.record.is_some()
            && head.record == parent
            && head
                .text
                .as_deref()
                .is_some_and(|text| text.starts_with('/'))
        {
            head.text = None;
        }
    }

    fn assistant(&mut self, place: &Place, turn: u32, line: Assistant) {
        if let Some(open) = self.open.iter_mut().find(|open| open.id == turn) {
            for (id, input) in line.questions {
                open.questions.push((id, input.to_vec()));
            }
        }
        let record = place.id();
        let mut spoken = false;
        for text in line.texts {
            let trimmed = text.trim();
            if trimmed.is_empty() {
                continue;
            }
            spoken = true;
            let text = Text {
                name: line
                    .message
                    .as_ref()
                    .map(|message| Repeats::name(message, trimmed)),
                words: if trimmed.len() == text.len() {
                    text
                } else {
                    trimmed.to_owned()
                },
                record: record.clone(),
                message: line.message.clone(),
                stop: line.stop,
                made: line.made,
            };
            self.push(turn, place.offset, place.at, What::Text(text));
        }
        if line.made != Made::Model && !spoken {
            self.push(turn, place.offset, place.at, What::Notice(line.stop));
        } else if line.more || !spoken {
            self.push(turn, place.offset, place.at, What::Work(line.stop));
        }
    }

    fn tool_result(&mut self, place: &Place, turn: u32, result: &ToolResult) {
        let said = result.refusal.clone().or_else(|| {
            let answers = result.answers?;
            let open = self.open.iter().find(|open| open.id == turn)?;
            let asked = open
                .questions
                .iter()
                .find(|(id, _)| Some(id) == result.tool_use.as_ref());
            // Only the client's own tool asks the person. Its call is not seen when the reading
            // began behind it.
            if asked.is_none() && open.head.is_some() {
                return None;
            }
            text::answers(answers, asked.map(|(_, input)| input.as_slice()))
        });
        self.push(turn, place.offset, place.at, What::Result);
        if let Some(text) = said {
            let record = place.id();
            self.push(turn, place.offset, place.at, What::Said { text, record });
        }
    }

    /// The notice tells a cut answer from what the client made up itself.
    fn interrupted(&mut self, place: &Place, turn: u32) {
        let parent = string(place.fields.parent).and_then(RecordId::new);
        if let Some(open) = self.open.iter_mut().find(|open| open.id == turn) {
            for item in &mut open.items {
                if let What::Text(text) = &mut item.what
                    && text.record.is_some()
                    && text.record == parent
                {
                    text.made = match text.made {
                        Made::Client => Made::Model,
                        other => other,
                    };
                }
            }
        }
        self.push(turn, place.offset, place.at, What::Cut);
    }

    fn push(&mut self, turn: u32, offset: u64, at: DateTime<Utc>, what: What) {
        if let Some(open) = self.open.iter_mut().find(|open| open.id == turn) {
            open.push(Item { offset, at, what });
        }
    }

    /// Hands out what cannot change any more.
    fn hand_out(&mut self, sink: Sink) {
        while let Some(oldest) = self.open.first().filter(|_| !self.keeps) {
            let since = self.begun - oldest.touched.min(self.begun);
            if !(oldest.superseded && since >= LATE || since >= LEFT) {
                break;
            }
            let id = oldest.id;
            let piece = |open: &OpenTurn| self.fallback(open) == Some(id);
            if let Some(at) = self.open.iter().position(piece) {
                let piece = self.open.remove(at);
                self.join(piece, id);
                continue;
            }
            let oldest = self.open.remove(0);
            self.settle(oldest, sink);
        }
    }

    /// What is left at the end of the file.
    pub(crate) fn finish(&mut self, sink: Sink) {
        self.join_pieces();
        for open in std::mem::take(&mut self.open) {
            self.settle(open, sink);
        }
    }

    /// Pieces whose place is not known belong to the turn before them in the file.
    fn join_pieces(&mut self) {
        let mut at = 0;
        while let Some(piece) = self.open.get(at) {
            match self.fallback(piece) {
                Some(before) => {
                    let piece = self.open.remove(at);
                    self.join(piece, before);
                }
                None => at += 1,
            }
        }
    }

    fn fallback(&self, piece: &OpenTurn) -> Option<u32> {
        if piece.head.is_some() || piece.awaited.is_none() {
            return None;
        }
        let before = self.chain.resolve(piece.before?);
        (before != piece.id && self.open.iter().any(|open| open.id == before)).then_some(before)
    }

    fn settle(&mut self, mut open: OpenTurn, sink: Sink) {
        let waiting = self.take_in(&mut open, true);
        let past = Past {
            id: open.id,
            until: open.until,
            prompt: open.prompt.clone(),
            session: open.session.clone(),
            cwd: open.cwd.clone(),
        };
        match self.past.iter_mut().find(|past| past.id == open.id) {
            Some(same) => *same = past,
            None => self.past.push_back(past),
        }
        if self.past.len() > REMEMBERED {
            self.past.pop_front();
        }
        if self.repeats.is_repeat(&open) {
            return;
        }
        let start = open.start;
        let turn = open.close(&|text| self.repeats.knows(text), waiting, &self.session);
        self.repeats.remember(&open);
        if let Some(turn) = turn {
            sink(start, turn);
        }
    }

    /// Gives a turn the prompts that only the queue's lines hold: those that it took in and, with
    /// `left`, those that still wait. Says whether any wait.
    fn take_in(&mut self, open: &mut OpenTurn, left: bool) -> bool {
        let mut waiting = false;
        let chain = &self.chain;
        for one in self.queue.take(|turn| chain.resolve(turn) == open.id) {
            waiting |= !one.absorbed;
            // Clients that write attachments write one for each prompt that a turn takes in.
            let told = self.attachment.is_some_and(|first| first < one.offset);
            if told || !one.is_typed() || !(one.absorbed || left) {
                continue;
            }
            open.items.push(Item {
                offset: one.offset,
                at: one.at,
                what: What::Said {
                    text: one.text,
                    record: None,
                },
            });
        }
        open.items.sort_by_key(|item| item.offset);
        waiting
    }

    /// Where to go on, if the file was read up to `read`.
    pub(crate) fn position(&self, read: u64) -> Position {
        let starts = self.open.iter().map(|open| open.start);
        let waiting = self.queue.first_offset();
        let candidate = self.candidate.iter().map(|candidate| candidate.offset);
        let offset = starts
            .chain(waiting)
            .chain(candidate)
            .min()
            .map_or(read, |first| first.min(read));
        let records = self.chain.carried(offset);
        let turns = self
            .past
            .iter()
            .filter(|past| {
                past.until >= offset || records.iter().any(|(_, turn)| *turn == Some(past.id))
            })
            .cloned()
            .collect();
        Position {
            offset,
            context: Context {
                start_cwd: self.start_cwd.clone(),
                attachment: self.attachment.filter(|first| *first < offset),
                clock: self.clock_known.then(|| self.clock.timestamp_millis()),
                records,
                turns,
                texts: self.repeats.carried(),
            },
        }
    }

    /// The turns that are open, pieces joined. For a look at the tail.
    pub(crate) fn into_open(mut self) -> (Vec<OpenTurn>, Option<u32>, SessionId) {
        self.join_pieces();
        let last = self.last.map(|turn| self.chain.resolve(turn));
        let mut open = std::mem::take(&mut self.open);
        // Whether a newer client wrote attachments before is not seen from here.
        if self.version.as_deref().is_some_and(without_attachments) {
            for turn in &mut open {
                self.take_in(turn, false);
            }
        }
        (open, last, self.session)
    }

    /// Whether a turn is there from its prompt on: the one with this id, or else the last one.
    pub(crate) fn shows(&self, prompt: Option<&PromptId>) -> bool {
        let last = self.last.map(|turn| self.chain.resolve(turn));
        self.open.iter().any(|open| {
            let meant = if prompt.is_some() {
                open.prompt.as_ref() == prompt
            } else {
                Some(open.id) == last
            };
            meant && open.head.is_some()
        })
    }

    /// Whether nothing is there of the turn with this id, though the last turn begins here.
    pub(crate) fn lacks(&self, prompt: Option<&PromptId>) -> bool {
        self.shows(None) && !self.open.iter().any(|open| open.prompt.as_ref() == prompt)
    }
}

/// What a record tells about which turn it is: the first that does counts.
fn identify(open: &mut OpenTurn, fields: &Fields) {
    if open.prompt.is_none() && !fields.prompt_id.is_empty() {
        open.prompt = string(fields.prompt_id).and_then(PromptId::new);
    }
}

/// What a record tells about where its turn was.
fn locate(open: &mut OpenTurn, fields: &Fields) {
    if open.session.is_none() {
        open.session = string(fields.session).and_then(SessionId::new);
    }
    if open.cwd.is_none() {
        open.cwd = string(fields.cwd)
            .filter(|cwd| !cwd.is_empty())
            .map(PathBuf::from);
    }
}

/// 2.1.59 and before.
fn without_attachments(version: &str) -> bool {
    let mut parts = version
        .split('.')
        .map(|part| part.parse::<u32>().unwrap_or(u32::MAX));
    let mut next = || parts.next().unwrap_or(0);
    [next(), next(), next()] <= [2, 1, 59]
}

pub(crate) fn parse_time(raw: &[u8]) -> Option<DateTime<Utc>> {
    let text = lenient_json::borrowed_string(raw)?;
    DateTime::parse_from_rfc3339(&text)
        .ok()
        .map(|at| at.with_timezone(&Utc))
}
