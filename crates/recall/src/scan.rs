//! One pass over the files: every exchange that holds a word of the query, and how rare each word
//! is.

use crate::day::{self, Entry};
use crate::finder::{Cursor, Finder};
use crate::items::Item;
use crate::judge::{Hit, HitKind, Judge, Learned, behind};
use crate::places::Source;
use crate::plan::Plan;
use crate::query::{Group, Target};
use crate::rank::{Scorer, Stats};
use chrono::NaiveTime;
use claude_hook::Role;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::fs::File;
use std::io::Read;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Larger files are read in pieces of this size, cut between two entries.
const PIECE: usize = 32 << 20;
/// Room for a file grows by so many bytes.
const ROOM: usize = 256 << 10;
/// Exchanges that a thread keeps before it throws the worst away.
const KEPT: usize = 20_000;
/// How many stay then.
const STAY: usize = 2_000;
/// What a word counts in a line of tags, in a title or among keywords.
const FIELD: f32 = 2.5;

/// A word of the query in a text.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Found {
    pub(crate) kind: u16,
    /// How often, fields counted more.
    pub(crate) count: f32,
    /// The best.
    pub(crate) strength: f32,
    /// Once at least in a field: a line of tags, a title, keywords.
    pub(crate) field: bool,
}

/// A question, an answer or a memory entry that was looked at.
#[derive(Debug, Clone, Default)]
pub(crate) struct Half {
    /// Where it stands in its file: from the heading on.
    pub(crate) span: Range<u64>,
    pub(crate) time: Option<NaiveTime>,
    pub(crate) found: Vec<Found>,
}

/// A question and its answer; either may be missing. A memory entry is an answer without question.
#[derive(Debug, Clone, Default)]
pub(crate) struct Exchange {
    /// Index of the source.
    pub(crate) source: usize,
    pub(crate) question: Option<Half>,
    pub(crate) answer: Option<Half>,
    /// Words of the query in the day's keywords and summary, which count more.
    pub(crate) day: Vec<Found>,
}

impl Exchange {
    /// Whether it is the head of a day, which nobody said.
    fn is_head(&self) -> bool {
        let time = |half: &Half| half.time;
        self.question.is_none() && self.answer.as_ref().and_then(time).is_none()
    }
}

/// What the pass found.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    pub(crate) exchanges: Vec<Exchange>,
    pub(crate) kinds: Vec<HitKind>,
    pub(crate) stats: Stats,
    /// Files that could not be read, and why.
    pub(crate) unreadable: Vec<String>,
    /// What the files are, where that is to be remembered, in order.
    files: Vec<Seen>,
    /// It is only the best of what was found.
    pub(crate) pruned: bool,
}

/// A file that was looked at, or a piece of it.
#[derive(Debug, Clone)]
pub(crate) struct Seen {
    /// Index of the source.
    source: usize,
    bytes: u64,
    entries: u64,
    /// Kinds of hits outside of what was said, as in headings.
    between: Vec<u16>,
}

/// What is to be found, and where.
#[derive(Clone, Copy)]
pub(crate) struct Job<'a> {
    pub(crate) targets: &'a [Target],
    pub(crate) groups: &'a [Group],
    pub(crate) finder: &'a Finder,
    /// Only exchanges that hold one of these words are looked at.
    pub(crate) plan: Option<&'a Plan>,
    pub(crate) days: &'a [Source],
    /// Which of the days.
    pub(crate) files: &'a [usize],
    pub(crate) items: &'a [Item],
    /// Index of the first item among all sources.
    pub(crate) first_item: usize,
    pub(crate) said: &'a [Said],
    pub(crate) rooms: &'a Rooms,
    /// [`Scan::only`] will be asked for: what was learned of the same targets stays here.
    pub(crate) learned: Option<&'a Mutex<Vec<Learned>>>,
}

/// Room for files: fresh memory costs as much as a look at what is read into it.
pub(crate) type Rooms = Mutex<Vec<Vec<u8>>>;

/// A turn of a transcript.
#[derive(Debug, Clone, Default)]
pub(crate) struct Said {
    pub(crate) source: usize,
    pub(crate) id: Option<String>,
    pub(crate) day: Option<chrono::NaiveDate>,
    pub(crate) question: Option<(NaiveTime, String)>,
    pub(crate) answer: Option<(NaiveTime, String)>,
    /// The records that the question and the answer begin with.
    pub(crate) records: [Option<String>; 2],
}

impl Said {
    /// The record that a half begins with.
    pub(crate) fn record(&self, role: Role) -> Option<&str> {
        let [question, answer] = &self.records;
        match role {
            Role::User => question.as_deref(),
            Role::Assistant => answer.as_deref(),
        }
    }
}

/// Entries of a day file, all or a piece of them.
struct Piece<'a> {
    index: usize,
    text: &'a [u8],
    /// Bytes of the file before it.
    base: u64,
    /// What the day's keywords and summary hold.
    day: Vec<Found>,
}

struct Shard<'a> {
    judge: Judge<'a>,
    job: &'a Job<'a>,
    exchanges: Vec<Exchange>,
    stats: Stats,
    unreadable: Vec<String>,
    files: Vec<Seen>,
    pruned: bool,
    buffer: Vec<u8>,
    /// For texts by themselves.
    cursor: Cursor,
    /// Room for a file's entries.
    entries: Vec<Entry>,
    /// Room for what a word means.
    hits: Vec<Hit>,
}

/// Runs the pass on as many threads as there are cores.
pub(crate) fn scan(job: &Job<'_>) -> Vec<Scan> {
    let next = AtomicUsize::new(0);
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    // A thread costs more than a few files do.
    let threads = cores.min(8).min(job.files.len().div_ceil(2)).max(1);
    let run = || {
        let mut shard = Shard::new(job);
        shard.borrow_room();
        loop {
            let Some(at) = job.files.get(next.fetch_add(1, Ordering::Relaxed)) else {
                shard.give_room_back();
                return shard.done();
            };
            let at = *at;
            let Some(source) = job.days.get(at) else {
                continue;
            };
            if let Err(error) = shard.file(at, source) {
                shard.unreadable.push(error);
            }
        }
    };
    let mut parts = std::thread::scope(|scope| {
        let others: Vec<_> = (1..threads).map(|_| scope.spawn(run)).collect();
        let mut parts = vec![run()];
        parts.extend(others.into_iter().filter_map(|thread| thread.join().ok()));
        parts
    });
    let mut rest = Shard::new(job);
    rest.items();
    rest.said();
    parts.push(rest.done());
    parts
}

/// Puts together what several found, in the order of the sources. The kinds of the first keep
/// their places.
pub(crate) fn merge(parts: Vec<Scan>) -> Scan {
    let mut all = Scan::default();
    let mut ids: HashMap<HitKind, u16> = HashMap::new();
    let mut found = Vec::with_capacity(parts.len());
    for mut part in parts {
        let map: Vec<u16> = part
            .kinds
            .into_iter()
            .map(|kind| {
                *ids.entry(kind).or_insert_with_key(|kind| {
                    all.kinds.push(kind.clone());
                    u16::try_from(all.kinds.len() - 1).unwrap_or(u16::MAX)
                })
            })
            .collect();
        let same = map
            .iter()
            .enumerate()
            .all(|(at, to)| usize::from(*to) == at);
        let renumber = |found: &mut Found| {
            found.kind = map
                .get(usize::from(found.kind))
                .copied()
                .unwrap_or(u16::MAX);
        };
        for exchange in part.exchanges.iter_mut().filter(|_| !same) {
            for half in [&mut exchange.question, &mut exchange.answer]
                .into_iter()
                .flatten()
            {
                half.found.iter_mut().for_each(renumber);
            }
            exchange.day.iter_mut().for_each(renumber);
        }
        all.stats.add(&part.stats, &map);
        all.unreadable.append(&mut part.unreadable);
        for kind in part.files.iter_mut().flat_map(|seen| &mut seen.between) {
            *kind = map.get(usize::from(*kind)).copied().unwrap_or(u16::MAX);
        }
        all.files.append(&mut part.files);
        all.pruned |= part.pruned;
        found.push(part.exchanges.into_iter().peekable());
    }
    // Each has its own sources, in order. Which thread looked at a file changes nothing.
    let count = found.iter().map(ExactSizeIterator::len).sum();
    all.exchanges.reserve(count);
    loop {
        let sources = found.iter_mut().enumerate();
        let next = sources
            .filter_map(|(part, left)| Some((left.peek()?.source, part)))
            .min();
        let Some((source, part)) = next else {
            break;
        };
        if let Some(left) = found.get_mut(part) {
            all.exchanges.extend(std::iter::from_fn(|| {
                left.next_if(|next| next.source == source)
            }));
        }
    }
    all.unreadable.sort_unstable();
    all.files.sort_by_key(|seen| seen.source);
    all
}

impl Scan {
    /// What would have been found of some of the targets only, if that was to be remembered. `places`
    /// are theirs among all, in order.
    pub(crate) fn only(&self, places: &[usize]) -> Self {
        let mut some = Self {
            unreadable: self.unreadable.clone(),
            ..Self::default()
        };
        let kept: Vec<Option<u16>> = self
            .kinds
            .iter()
            .zip(self.stats.holds.iter().copied().chain(std::iter::repeat(0)))
            .map(|(kind, holds)| {
                let target = places.binary_search(&usize::from(kind.target)).ok()?;
                some.kinds.push(HitKind {
                    target: u16::try_from(target).ok()?,
                    part: kind.part.clone(),
                });
                some.stats.holds.push(holds);
                u16::try_from(some.kinds.len() - 1).ok()
            })
            .collect();
        let kept_kind = |kind: u16| kept.get(usize::from(kind)).copied().flatten();
        let of = |found: &[Found]| -> Vec<Found> {
            let renumbered = found.iter().filter_map(|found| {
                let kind = kept_kind(found.kind)?;
                Some(Found { kind, ..*found })
            });
            renumbered.collect()
        };
        let half = |half: &Half| Half {
            span: half.span.clone(),
            time: half.time,
            found: of(&half.found),
        };
        for exchange in &self.exchanges {
            let question = exchange.question.as_ref().map(half);
            let answer = exchange.answer.as_ref().map(half);
            let any =
                |half: &Option<Half>| half.as_ref().is_some_and(|half| !half.found.is_empty());
            if any(&question) || any(&answer) {
                some.exchanges.push(Exchange {
                    source: exchange.source,
                    question,
                    answer,
                    day: of(&exchange.day),
                });
            }
        }
        let mut left = some.exchanges.iter().peekable();
        for seen in &self.files {
            some.stats.bytes += seen.bytes;
            let mut any = seen.between.iter().any(|kind| kept_kind(*kind).is_some());
            while let Some(exchange) = left.next_if(|next| next.source <= seen.source) {
                any = true;
                some.stats.entries += u64::from(exchange.is_head());
            }
            if any {
                some.stats.sampled += seen.bytes;
                some.stats.entries += seen.entries;
            }
        }
        some
    }

    /// What was found for slips, which are the targets from `first` on, and in how many entries: by
    /// slip, the most frequent first.
    pub(crate) fn corrections(&self, first: usize) -> Vec<(usize, &str, u32)> {
        let mut counted: Vec<(u32, usize, &str)> = self
            .kinds
            .iter()
            .zip(&self.stats.holds)
            .filter(|(_, holds)| **holds > 0)
            .filter_map(|(kind, holds)| {
                let slip = usize::from(kind.target).checked_sub(first)?;
                Some((*holds, slip, kind.part.as_deref()?))
            })
            .collect();
        counted
            .sort_by(|(a, x, v), (b, y, w)| x.cmp(y).then_with(|| b.cmp(a)).then_with(|| v.cmp(w)));
        counted
            .into_iter()
            .map(|(holds, target, word)| (target, word, holds))
            .collect()
    }
}

impl<'a> Shard<'a> {
    fn new(job: &'a Job<'a>) -> Self {
        Self {
            judge: Judge::new(job.targets, job.finder),
            job,
            exchanges: Vec::new(),
            stats: Stats::default(),
            unreadable: Vec::new(),
            files: Vec::new(),
            pruned: false,
            buffer: Vec::new(),
            cursor: Cursor::default(),
            entries: Vec::new(),
            hits: Vec::new(),
        }
    }

    fn borrow_room(&mut self) {
        let room = self.job.rooms.lock().ok().and_then(|mut rooms| rooms.pop());
        self.buffer = room.unwrap_or_default();
        let learned = self.job.learned.and_then(|all| all.lock().ok()?.pop());
        if let Some(learned) = learned {
            self.judge = Judge::with(self.job.targets, self.job.finder, learned);
        }
    }

    fn give_room_back(&mut self) {
        if let Ok(mut rooms) = self.job.rooms.lock() {
            rooms.push(std::mem::take(&mut self.buffer));
        }
        if let Some(Ok(mut all)) = self.job.learned.map(Mutex::lock) {
            all.push(self.judge.forget());
        }
    }

    fn done(self) -> Scan {
        Scan {
            exchanges: self.exchanges,
            kinds: self.judge.kinds,
            stats: self.stats,
            unreadable: self.unreadable,
            files: self.files,
            pruned: self.pruned,
        }
    }

    fn file(&mut self, index: usize, source: &Source) -> Result<(), String> {
        let told = |error: &dyn std::fmt::Display| format!("{}: {error}", source.label);
        let Some(mut file) = safe_file::open_regular(&source.path).map_err(|error| told(&error))?
        else {
            return Ok(());
        };
        let mut buffer = std::mem::take(&mut self.buffer);
        let result = self
            .pieces(index, &mut file, &mut buffer)
            .map_err(|error| told(&error));
        self.buffer = buffer;
        result
    }

    fn pieces(
        &mut self,
        index: usize,
        file: &mut File,
        buffer: &mut Vec<u8>,
    ) -> std::io::Result<()> {
        let size = usize::try_from(file.metadata()?.len()).unwrap_or(usize::MAX);
        let capacity = size.saturating_add(1).min(PIECE);
        if buffer.len() < capacity {
            // For files of about one size.
            *buffer = vec![0; capacity.next_multiple_of(ROOM)];
        }
        let (mut filled, mut base) = (0, 0);
        loop {
            let read = match file.read(buffer.get_mut(filled..).unwrap_or_default()) {
                Ok(read) => read,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            filled += read;
            let ended = read == 0 && filled < buffer.len() || base + filled >= size;
            if !ended && filled < buffer.len() {
                continue;
            }
            let bytes = buffer.get(..filled).unwrap_or_default();
            let end = if ended {
                filled
            } else {
                // A heading behind a marked entry, or at least some line.
                memchr::memmem::rfind(bytes, b"\n## [")
                    .filter(|at| *at > 0)
                    .or_else(|| memchr::memrchr(b'\n', bytes))
                    .map_or(filled, |at| at + 1)
            };
            self.piece(index, bytes.get(..end).unwrap_or_default(), base as u64);
            if ended {
                return Ok(());
            }
            buffer.copy_within(end..filled, 0);
            base += end;
            filled -= end;
        }
    }

    fn piece(&mut self, index: usize, text: &[u8], base: u64) {
        self.stats.bytes += text.len() as u64;
        let mut cursor = Cursor::default();
        let plan = self.job.plan;
        let any = match plan {
            Some(plan) => self.planned(plan, &mut cursor, text, 0).is_some(),
            None => self.judge.next(&mut cursor, text, 0).is_some(),
        };
        if self.job.learned.is_some() {
            self.files.push(Seen {
                source: index,
                bytes: text.len() as u64,
                entries: 0,
                between: Vec::new(),
            });
        }
        if !any {
            return;
        }
        let mut entries = std::mem::take(&mut self.entries);
        day::entries_into(text, &mut entries);
        self.stats.sampled += text.len() as u64;
        self.stats.entries += entries.len() as u64;
        if let Some(seen) = self.files.last_mut() {
            seen.entries = entries.len() as u64;
        }
        let first = entries.first().map_or(text.len(), |entry| entry.span.start);
        let head = (base == 0).then(|| day::head(text, first)).flatten();
        let day = head.map_or_else(Vec::new, |head| self.head(index, text, &head));
        let file = Piece {
            index,
            text,
            base,
            day,
        };
        if let Some(plan) = plan {
            let mut at = first;
            while let Some(word) = self.planned(plan, &mut cursor, text, at) {
                at = word.end;
                let before = entries.partition_point(|entry| entry.span.start <= word.start);
                let Some(mut place) = before.checked_sub(1) else {
                    continue;
                };
                if place > 0 && answer_to(text, &entries, place - 1).is_some() {
                    place -= 1;
                }
                if let Some(entry) = entries.get(place) {
                    let answer = answer_to(text, &entries, place);
                    at = at.max(answer.unwrap_or(entry).span.end);
                    self.exchange(&file, entry, answer, None);
                }
            }
        } else {
            if self.job.learned.is_some() {
                self.walk(&mut cursor, text, 0..first, first, |_| false);
            }
            let mut at = 0;
            while let Some(entry) = entries.get(at) {
                let answer = answer_to(text, &entries, at);
                at += 1 + usize::from(answer.is_some());
                self.exchange(&file, entry, answer, Some(&mut cursor));
            }
        }
        self.entries = entries;
        if self.exchanges.len() > KEPT {
            self.prune();
        }
    }

    /// Remembers what stands outside of what was said.
    fn between(&mut self, kind: u16) {
        let seen = self.files.last_mut();
        if let Some(seen) = seen.filter(|seen| !seen.between.contains(&kind)) {
            seen.between.push(kind);
        }
    }

    /// Counts what stands before the first entry: an answer of nobody, without a time. What the day's
    /// keywords and summary hold supports its entries.
    fn head(&mut self, index: usize, text: &[u8], head: &day::Head) -> Vec<Found> {
        let masked = text.get(..head.span.end).and_then(redact::without_private);
        let text = masked.as_deref().unwrap_or(text);
        let mut said = Vec::new();
        for field in &head.fields {
            add(&mut said, self.collect(text, field.clone(), |_| true));
        }
        let mut found = said.clone();
        add(&mut found, self.collect(text, head.body.clone(), |_| false));
        if !found.is_empty() {
            self.stats.entries += 1;
            self.stats.count(&found);
            self.exchanges.push(Exchange {
                source: index,
                question: None,
                answer: Some(Half {
                    span: head.span.start as u64..head.span.end as u64,
                    time: None,
                    found,
                }),
                day: Vec::new(),
            });
        }
        said
    }

    /// The next word that the plan looks for.
    fn planned(
        &mut self,
        plan: &Plan,
        cursor: &mut Cursor,
        text: &[u8],
        at: usize,
    ) -> Option<Range<usize>> {
        let part = at..text.len();
        let looked_for = |target| plan.looks_for(target);
        self.judge
            .next_of(&plan.finder, cursor, text, part, looked_for)
            .map(|(word, _)| word)
    }

    /// Counts what stands in a question and its answer, and keeps them if that is anything. A cursor
    /// walks from one to the next.
    fn exchange(
        &mut self,
        file: &Piece<'_>,
        entry: &Entry,
        answer: Option<&Entry>,
        mut cursor: Option<&mut Cursor>,
    ) {
        let mut exchange = Exchange {
            source: file.index,
            ..Exchange::default()
        };
        let mut any = false;
        for entry in std::iter::once(entry).chain(answer) {
            let body = entry.body.clone();
            // Most entries hold nothing: their tags are not looked for.
            let tags = OnceCell::new();
            let field = |at| {
                tags.get_or_init(|| tag_line(file.text, &body))
                    .as_ref()
                    .is_some_and(|tags| tags.contains(&at))
            };
            let found = match &mut cursor {
                Some(cursor) if self.job.learned.is_some() => {
                    let from = body.start;
                    self.walk(cursor, file.text, entry.span.start..body.end, from, field)
                }
                Some(cursor) => self.walk(cursor, file.text, body.clone(), 0, field),
                None => self.collect(file.text, body.clone(), field),
            };
            let found = self.in_the_open(file.text, body, found);
            any |= !found.is_empty();
            self.stats.count(&found);
            let half = Half {
                span: file.base + entry.span.start as u64..file.base + entry.span.end as u64,
                time: Some(entry.time),
                found,
            };
            match entry.role {
                Role::User => exchange.question = Some(half),
                Role::Assistant => exchange.answer = Some(half),
            }
        }
        if any {
            exchange.day.clone_from(&file.day);
            self.exchanges.push(exchange);
        }
    }

    /// What was found in an entry without what only its private blocks hold: a file that another tool
    /// wrote may have some.
    fn in_the_open(&mut self, bytes: &[u8], body: Range<usize>, found: Vec<Found>) -> Vec<Found> {
        let body = bytes.get(body).filter(|_| !found.is_empty());
        match body.and_then(redact::without_private) {
            Some(open) => {
                let tags = tag_line(&open, &(0..open.len()));
                self.collect_all(&open, tags.as_slice())
            }
            None => found,
        }
    }

    /// The words of the query in a part of a text; those in a field count more.
    fn collect(
        &mut self,
        text: &[u8],
        range: Range<usize>,
        field: impl Fn(usize) -> bool,
    ) -> Vec<Found> {
        let text = text.get(..range.end).unwrap_or_default();
        let mut cursor = std::mem::take(&mut self.cursor);
        cursor.reset();
        let found = self.walk(&mut cursor, text, range, 0, field);
        self.cursor = cursor;
        found
    }

    /// The same with a cursor that goes on from there. No needle stands across the end of a part.
    /// What stands before `from` is outside of what was said.
    fn walk(
        &mut self,
        cursor: &mut Cursor,
        text: &[u8],
        range: Range<usize>,
        from: usize,
        field: impl Fn(usize) -> bool,
    ) -> Vec<Found> {
        let mut found: Vec<Found> = Vec::new();
        let mut at = range.start;
        let mut hits = std::mem::take(&mut self.hits);
        let finder = self.job.finder;
        while let Some((word, new)) = self.judge.next_by(finder, cursor, text, at..range.end) {
            hits.clear();
            hits.extend_from_slice(new);
            at = behind(text, &word);
            let in_field = field(word.start);
            let count = if in_field { FIELD } else { 1.0 };
            for hit in &hits {
                if self.judge.is_phrase(*hit) && !self.judge.goes_on(*hit, text, word.end) {
                    continue;
                }
                if word.start < from {
                    self.between(hit.kind);
                    continue;
                }
                match found.iter_mut().find(|known| known.kind == hit.kind) {
                    Some(known) => {
                        known.count += count;
                        known.strength = known.strength.max(hit.strength);
                        known.field |= in_field;
                    }
                    None => found.push(Found {
                        kind: hit.kind,
                        count,
                        strength: hit.strength,
                        field: in_field,
                    }),
                }
            }
        }
        self.hits = hits;
        found
    }

    /// The same in a text of its own.
    fn collect_all(&mut self, text: &[u8], fields: &[Range<usize>]) -> Vec<Found> {
        self.collect(text, 0..text.len(), |at| {
            fields.iter().any(|field| field.contains(&at))
        })
    }

    fn items(&mut self) {
        let job = self.job;
        for (index, item) in job.items.iter().enumerate() {
            let found = self.collect_all(item.text.as_bytes(), &item.fields);
            self.stats.bytes += item.text.len() as u64;
            self.stats.sampled += item.text.len() as u64;
            self.stats.entries += 1;
            if found.is_empty() {
                continue;
            }
            self.stats.count(&found);
            self.exchanges.push(Exchange {
                source: job.first_item + index,
                question: None,
                answer: Some(Half {
                    span: 0..item.text.len() as u64,
                    time: None,
                    found,
                }),
                day: Vec::new(),
            });
        }
    }

    fn said(&mut self) {
        let job = self.job;
        for (index, said) in job.said.iter().enumerate() {
            let mut exchange = Exchange {
                source: said.source,
                ..Exchange::default()
            };
            let mut any = false;
            for (role, part) in [
                (Role::User, &said.question),
                (Role::Assistant, &said.answer),
            ] {
                let Some((time, text)) = part else { continue };
                let tags = tag_line(text.as_bytes(), &(0..text.len()));
                let found = self.collect_all(text.as_bytes(), tags.as_slice());
                self.stats.bytes += text.len() as u64;
                self.stats.sampled += text.len() as u64;
                self.stats.entries += 1;
                any |= !found.is_empty();
                self.stats.count(&found);
                // The span is the index of the turn: its text is not in a file as it is.
                let half = Some(Half {
                    span: index as u64..index as u64 + text.len() as u64,
                    time: Some(*time),
                    found,
                });
                match role {
                    Role::User => exchange.question = half,
                    Role::Assistant => exchange.answer = half,
                }
            }
            if any {
                self.exchanges.push(exchange);
            }
        }
    }

    /// Throws away what is far from the best, as far as this thread can tell.
    fn prune(&mut self) {
        self.pruned = true;
        let mut stats = self.stats.clone();
        if let Some(plan) = self.job.plan {
            plan.complete(&mut stats, &self.judge.kinds);
        }
        let scorer = Scorer::new(self.job.groups, self.job.targets, &self.judge.kinds, &stats);
        let mut values: Vec<(f32, usize)> = self
            .exchanges
            .iter()
            .enumerate()
            .map(|(index, exchange)| (scorer.best(exchange), index))
            .collect();
        if values.len() > STAY {
            values.select_nth_unstable_by(STAY, |a, b| b.0.total_cmp(&a.0).then(b.1.cmp(&a.1)));
            values.truncate(STAY);
        }
        let mut stay: Vec<usize> = values.into_iter().map(|(_, index)| index).collect();
        stay.sort_unstable();
        self.exchanges = stay
            .into_iter()
            .filter_map(|index| self.exchanges.get_mut(index).map(std::mem::take))
            .collect();
    }
}

/// Adds what was found elsewhere.
fn add(all: &mut Vec<Found>, more: Vec<Found>) {
    for found in more {
        match all.iter_mut().find(|known| known.kind == found.kind) {
            Some(known) => {
                known.count += found.count;
                known.strength = known.strength.max(found.strength);
                known.field |= found.field;
            }
            None => all.push(found),
        }
    }
}

/// The answer to the question at a place, which is the next entry or none.
fn answer_to<'e>(bytes: &[u8], entries: &'e [Entry], at: usize) -> Option<&'e Entry> {
    let (entry, next) = (entries.get(at)?, entries.get(at + 1)?);
    (entry.role == Role::User && next.role == Role::Assistant && entry.same_turn(next, bytes))
        .then_some(next)
}

/// The line of tags that ends a body.
pub(crate) fn tag_line(bytes: &[u8], body: &Range<usize>) -> Option<Range<usize>> {
    let text = bytes.get(body.clone())?;
    let end = text.len()
        - text
            .iter()
            .rev()
            .take_while(|b| b.is_ascii_whitespace())
            .count();
    let text = text.get(..end)?;
    let start = memchr::memrchr(b'\n', text).map_or(0, |at| at + 1);
    let line = text.get(start..)?;
    let line = line.strip_prefix(b"`").unwrap_or(line);
    line.starts_with(b"#tags:")
        .then(|| body.start + start..body.start + end)
}
