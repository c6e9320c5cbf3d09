//! Which entry of the day files is which utterance.
//!
//! Entries and utterances are matched one to one. No single key is enough: a fork copies records
//! with their uuid under a new session and a new prompt id, a queued prompt can carry the running
//! turn's id, old clients have no ids, and an entry may hold less than was said. So the surest
//! signs are tried first, for all utterances, before weaker ones see what is left; a weaker sign
//! counts only close in time. Where nothing fits, the utterance is missing.

use crate::said::{self, Said};
use chrono::{NaiveDate, NaiveDateTime, TimeDelta};
use claude_hook::Role;
use record::day::{Brief, Digest, Key};
use redact::{Clean, Policy};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};

/// A text without an id is known again within this time of its own.
const NEAR: TimeDelta = TimeDelta::minutes(10);
/// A prompt can wait this long in the queue: its entry tells when it was typed, the record when it
/// was taken up (or, with old clients, the other way round).
const QUEUED: TimeDelta = TimeDelta::hours(24);
/// Copies keep their timestamps: the original's entry was written this close to it.
const COPIED: TimeDelta = TimeDelta::seconds(10);
/// A copy whose original can no longer be read: nothing but text and time speaks for it.
const SAME_MOMENT: TimeDelta = TimeDelta::seconds(2);
/// An entry whose text was changed by hand and whose id is not enough to know it by.
const SAME_PROMPT: TimeDelta = TimeDelta::seconds(5);
/// How much earlier than the transcript's time a hook may have written.
const HOOK_AHEAD: TimeDelta = TimeDelta::seconds(60);

/// What the run knows besides entries and utterances.
#[derive(Debug, Default)]
pub(crate) struct Context {
    /// By source: whether the pool holds its transcript from the very beginning.
    pub(crate) from_start: Vec<bool>,
    /// Sessions (first 8 characters) that share their beginning with others, by family.
    pub(crate) families: HashMap<Key, usize>,
    /// Sessions whose transcripts are there.
    pub(crate) sessions: HashSet<Key>,
    /// Uuids that the original's index lists, by date.
    pub(crate) listed: HashMap<NaiveDate, HashSet<String>>,
    /// How bodies are redacted.
    pub(crate) policy: Option<Policy>,
}

impl Context {
    /// The session and those that share its beginning.
    fn relatives(&self, session: Key) -> Vec<Key> {
        let mut all = vec![session];
        if let Some(family) = self.families.get(&session) {
            all.extend(
                self.families
                    .iter()
                    .filter(|(other, number)| *number == family && **other != session)
                    .map(|(other, _)| *other),
            );
        }
        all
    }

    pub(crate) fn policy(&self) -> Policy {
        self.policy.unwrap_or(Policy { secrets: true })
    }
}

/// What becomes of an utterance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Fate {
    /// It has an entry.
    Present,
    /// Its entry lacks part of it; this is the whole, if it is not the utterance's own body.
    Incomplete(Option<Clean>),
    /// It has none; this is to be written, if it is not the utterance's own body.
    Missing(Option<Clean>),
}

/// An entry's place: day of the list given, number within the day.
pub(crate) type Place = (usize, usize);

/// The outcome for one utterance.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Verdict {
    pub(crate) fate: Fate,
    /// Its entry.
    pub(crate) place: Option<Place>,
}

struct Slot<'a> {
    place: Place,
    when: NaiveDateTime,
    date: NaiveDate,
    brief: &'a Brief,
    taken: bool,
}

impl Slot<'_> {
    fn session(&self) -> Option<Key> {
        self.brief.marker?.session
    }
    fn turn(&self) -> Option<Key> {
        self.brief.marker?.turn
    }
    fn uuid(&self) -> Option<Key> {
        self.brief.marker?.uuid
    }
    fn legacy(&self) -> bool {
        self.brief.marker.is_none()
    }
    fn distance(&self, said: &Said) -> TimeDelta {
        (self.when - said.when).abs()
    }
}

/// How an entry's session stands to an utterance's.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kinship {
    Same,
    /// One is a copy of the other.
    Family,
    /// The entry does not say.
    Unknown,
    /// Another one, whose transcript is gone.
    Gone,
    Stranger,
}

struct Matcher<'a> {
    slots: Vec<Slot<'a>>,
    pool: &'a [Said],
    context: &'a Context,
    /// By utterance: the slot it took.
    took: Vec<Option<usize>>,
    /// By source: entries before this belong to what is not in the pool.
    floors: Vec<Option<NaiveDateTime>>,
    /// What is still expected of an utterance that another tool's entries hold in part.
    rest: HashMap<usize, Clean>,
    /// Utterances that need no slot of their own: other tools' entries hold all of it.
    held: HashSet<usize>,
}

/// Matches `pool` (in conversation order within a source) with the entries of `days`.
/// `body` reads an entry's text; it is asked for few entries only.
pub(crate) fn match_up(
    days: &[(NaiveDate, &Digest)],
    pool: &[Said],
    context: &Context,
    body: &mut dyn FnMut(Place) -> Option<String>,
) -> Vec<Verdict> {
    let mut matcher = Matcher::new(days, pool, context);
    let by_uuid = matcher.by_uuid();
    matcher.by_moment_typed();
    matcher.by_turn_and_text();
    matcher.by_text();
    matcher.by_copy();
    matcher.by_long_wait();
    matcher.by_other_zone();
    matcher.legacy(&by_uuid);
    matcher.verdicts(&by_uuid, body)
}

impl<'a> Matcher<'a> {
    fn new(days: &[(NaiveDate, &'a Digest)], pool: &'a [Said], context: &'a Context) -> Self {
        let mut slots = Vec::with_capacity(days.iter().map(|(_, day)| day.entries.len()).sum());
        for (number, &(date, digest)) in days.iter().enumerate() {
            slots.extend(digest.entries.iter().enumerate().map(|(at, brief)| Slot {
                place: (number, at),
                when: date.and_time(brief.time),
                date,
                brief,
                taken: false,
            }));
        }
        let mut floors: Vec<Option<NaiveDateTime>> = vec![None; context.from_start.len()];
        for said in pool {
            if context.from_start.get(said.source) == Some(&false)
                && let Some(floor) = floors.get_mut(said.source)
            {
                let own = said.when - HOOK_AHEAD;
                *floor = Some(floor.map_or(own, |floor| floor.min(own)));
            }
        }
        Self {
            slots,
            pool,
            context,
            took: vec![None; pool.len()],
            floors,
            rest: HashMap::new(),
            held: HashSet::new(),
        }
    }

    fn take(&mut self, number: usize, slot: usize) {
        if let (Some(took), Some(slot_there)) =
            (self.took.get_mut(number), self.slots.get_mut(slot))
        {
            *took = Some(slot);
            slot_there.taken = true;
        }
    }

    fn open(&self) -> Vec<usize> {
        (0..self.pool.len())
            .filter(|&number| self.took[number].is_none())
            .collect()
    }

    fn kinship(&self, slot: &Slot, said: &Said) -> Kinship {
        let Some(session) = slot.session() else {
            return Kinship::Unknown;
        };
        if session == said.session {
            return Kinship::Same;
        }
        let family = |session: Key| self.context.families.get(&session);
        if family(session).is_some() && family(session) == family(said.session) {
            return Kinship::Family;
        }
        if self.context.sessions.contains(&session) {
            Kinship::Stranger
        } else {
            Kinship::Gone
        }
    }

    /// Whether the entry may belong to something read in an earlier run.
    fn too_early(&self, slot: &Slot, said: &Said) -> bool {
        self.floors
            .get(said.source)
            .copied()
            .flatten()
            .is_some_and(|floor| slot.when < floor)
    }

    /// Takes pairs, the closest in time first.
    fn take_nearest(&mut self, mut pairs: Vec<(TimeDelta, usize, usize)>) {
        pairs.sort_unstable();
        for (_, number, slot) in pairs {
            if self.took[number].is_none() && !self.slots[slot].taken {
                self.take(number, slot);
            }
        }
    }

    /// The record's uuid in the marker. Told back: who was found so.
    fn by_uuid(&mut self) -> HashSet<usize> {
        let pool = self.pool;
        let mut owners: HashMap<Key, usize> = HashMap::new();
        for (number, said) in pool.iter().enumerate() {
            for record in &said.records {
                owners.entry(Key::of(record.as_str())).or_insert(number);
            }
        }
        let mut pairs = Vec::new();
        for (slot, there) in self.slots.iter().enumerate() {
            if let Some(uuid) = there.uuid()
                && let Some(&number) = owners.get(&uuid)
                && pool[number].role == there.brief.role
            {
                pairs.push((number, slot));
            }
        }
        let mut found = HashSet::new();
        for (number, slot) in pairs {
            if found.insert(number) {
                self.take(number, slot);
            }
        }
        found
    }

    /// A prompt that waited, at the very moment its record says it was typed: its entry carries the
    /// id of the turn that ran then, whose own prompt may have been the same words.
    fn by_moment_typed(&mut self) {
        if self.pool.iter().any(|said| said.typed.is_some()) {
            self.by_equal_text(QUEUED, |matcher, slot, said| {
                matcher.kinship(slot, said) == Kinship::Same
                    && said
                        .typed
                        .is_some_and(|typed| (slot.when - typed).abs() <= SAME_MOMENT)
            });
        }
    }

    /// The same session, turn and text.
    fn by_turn_and_text(&mut self) {
        let pool = self.pool;
        let turns: HashSet<Key> = pool.iter().filter_map(|said| said.turn).collect();
        let mut entries: HashMap<(Key, Key, Role, u64), Vec<usize>> = HashMap::new();
        for (number, slot) in self.slots.iter().enumerate() {
            if !slot.taken
                && let (Some(session), Some(turn)) = (slot.session(), slot.turn())
                && turns.contains(&turn)
            {
                let key = (session, turn, slot.brief.role, slot.brief.hash);
                entries.entry(key).or_default().push(number);
            }
        }
        let mut utterances: HashMap<(Key, Key, Role, u64), Vec<usize>> = HashMap::new();
        for number in self.open() {
            let said = &pool[number];
            if let Some(turn) = said.turn {
                let key = (said.session, turn, said.role, said.hash);
                if entries.contains_key(&key) {
                    utterances.entry(key).or_default().push(number);
                }
            }
        }
        for (key, numbers) in utterances {
            let slots = entries.remove(&key).unwrap_or_default();
            if slots.len() == numbers.len() {
                for (number, slot) in numbers.into_iter().zip(slots) {
                    self.take(number, slot);
                }
                continue;
            }
            let mut pairs = Vec::with_capacity(slots.len() * numbers.len());
            for &number in &numbers {
                for &slot in &slots {
                    pairs.push((self.slots[slot].distance(&pool[number]), number, slot));
                }
            }
            self.take_nearest(pairs);
        }
    }

    /// The same session and text, though the turn differs or is not known.
    fn by_text(&mut self) {
        let turns = Turns::of(self.pool, &self.slots);
        self.by_equal_text(NEAR, |matcher, slot, said| {
            let kin = matcher.kinship(slot, said);
            if !matches!(kin, Kinship::Same | Kinship::Unknown) || matcher.too_early(slot, said) {
                return false;
            }
            match (slot.turn(), said.turn) {
                (Some(one), Some(other)) if one != other => turns.may_be_queued(slot, said),
                // Old clients: the hook writes a prompt when it is sent. The same words some minutes
                // later are another prompt.
                (None, None) if said.role == Role::User => slot.distance(said) <= HOOK_AHEAD,
                _ => true,
            }
        });
    }

    /// A prompt that waited long in the queue. The id of another turn, or the want of any record,
    /// tells that it did: text alone would not be enough.
    fn by_long_wait(&mut self) {
        let turns = Turns::of(self.pool, &self.slots);
        let stops = self.stops();
        self.by_equal_text(QUEUED, |matcher, slot, said| {
            let kin = matcher.kinship(slot, said);
            let own = kin == Kinship::Same;
            if let Some(typed) = said.typed {
                // The record tells the very moment, a copy's too: no other sign is needed.
                let away = (slot.when - typed).abs();
                return match kin {
                    Kinship::Same => away <= HOOK_AHEAD,
                    Kinship::Family => away <= COPIED,
                    Kinship::Gone => away <= SAME_MOMENT,
                    Kinship::Unknown | Kinship::Stranger => false,
                };
            }
            let queued = match (slot.turn(), said.turn) {
                (Some(one), Some(other)) => one != other && turns.may_be_queued(slot, said),
                // Written when it was taken up, or at the stop: not before it was typed, nor after
                // the stop.
                (None, None) => {
                    let stop = stops.get(&(said.source, said.when));
                    said.role == Role::User
                        && said.records.is_empty()
                        && slot.when >= said.when - SAME_MOMENT
                        && stop.is_none_or(|stop| slot.when <= *stop + COPIED)
                }
                _ => false,
            };
            own && queued && !matcher.too_early(slot, said)
        });
    }

    /// What old clients said, which have no ids, while the clock told another zone's time: off by
    /// quarters of an hour, to the few seconds that hook and transcript differ by. More than one of a
    /// session's entries must be off by as much; one alone may be another prompt of the same words.
    fn by_other_zone(&mut self) {
        let quarters_off = |matcher: &Self, slot: &Slot, said: &Said| {
            let seconds = (slot.when - said.when).num_seconds();
            let quarters = (seconds + 450).div_euclid(900);
            let fits = quarters != 0
                && (seconds - quarters * 900).abs() <= SAME_PROMPT.num_seconds()
                && slot.turn().is_none()
                && said.turn.is_none()
                && matcher.kinship(slot, said) == Kinship::Same
                && !matcher.too_early(slot, said);
            fits.then_some((said.session, quarters))
        };
        let entries = RefCell::new(HashMap::<_, HashSet<Place>>::new());
        self.by_equal_text(QUEUED, |matcher, slot, said| {
            if let Some(off) = quarters_off(matcher, slot, said) {
                entries
                    .borrow_mut()
                    .entry(off)
                    .or_default()
                    .insert(slot.place);
            }
            false
        });
        let mut entries = entries.into_inner();
        if entries.is_empty() {
            return;
        }
        // What was known by other signs and is off by as much speaks for it, too.
        for (said, slot) in self.pool.iter().zip(&self.took) {
            if let Some(slot) = slot.and_then(|slot| self.slots.get(slot))
                && let Some(off) = quarters_off(self, slot, said)
            {
                entries.entry(off).or_default().insert(slot.place);
            }
        }
        self.by_equal_text(QUEUED, |matcher, slot, said| {
            quarters_off(matcher, slot, said)
                .is_some_and(|off| entries.get(&off).is_some_and(|there| there.len() > 1))
        });
    }

    /// By source and time: when the turn stopped in which a prompt without any record was typed.
    fn stops(&self) -> HashMap<(usize, NaiveDateTime), NaiveDateTime> {
        let mut next: HashMap<usize, NaiveDateTime> = HashMap::new();
        let mut stops = HashMap::new();
        for said in self.pool.iter().rev() {
            match said.role {
                Role::Assistant => {
                    next.insert(said.source, said.when);
                }
                Role::User if said.records.is_empty() => {
                    if let Some(stop) = next.get(&said.source) {
                        stops.insert((said.source, said.when), *stop);
                    }
                }
                Role::User => {}
            }
        }
        stops
    }

    /// A copy of another session's utterance (a fork, or history repeated by a resumed session)
    /// whose original was not read in this run.
    fn by_copy(&mut self) {
        let pool = self.pool;
        let mut wanted: HashMap<(Key, Role, u64), Vec<usize>> = HashMap::new();
        for number in self.open().into_iter().rev() {
            let said = &pool[number];
            if let Some(turn) = said.turn {
                let key = (turn, said.role, said.hash);
                wanted.entry(key).or_default().push(number);
            }
        }
        let mut pairs = Vec::new();
        for (slot, there) in self.slots.iter().enumerate() {
            if let Some(turn) = there.turn()
                && !there.taken
                && let Some(numbers) = wanted.get_mut(&(turn, there.brief.role, there.brief.hash))
                && let Some(&number) = numbers.last()
                && matches!(
                    self.kinship(there, &pool[number]),
                    Kinship::Family | Kinship::Gone
                )
            {
                numbers.pop();
                pairs.push((number, slot));
            }
        }
        for (number, slot) in pairs {
            self.take(number, slot);
        }
        self.by_equal_text(NEAR, |matcher, slot, said| {
            match matcher.kinship(slot, said) {
                Kinship::Family => slot.distance(said) <= COPIED,
                Kinship::Gone => slot.distance(said) <= SAME_MOMENT,
                _ => false,
            }
        });
    }

    /// Pairs of equal text, `within` a time, that `fits` allows; the closest first.
    fn by_equal_text(&mut self, within: TimeDelta, fits: impl Fn(&Self, &Slot, &Said) -> bool) {
        let mut exact: HashMap<(Role, u64), Vec<usize>> = HashMap::new();
        let mut loose: HashMap<u64, Vec<usize>> = HashMap::new();
        for number in self.open() {
            let said = &self.pool[number];
            exact
                .entry((said.role, said.hash))
                .or_default()
                .push(number);
            for hash in said.with_images_told_otherwise() {
                loose.entry(hash).or_default().push(number);
            }
        }
        for list in exact.values_mut().chain(loose.values_mut()) {
            list.sort_by_key(|&number| self.pool[number].when);
        }
        let mut pairs = Vec::new();
        for (number, slot) in self.slots.iter().enumerate() {
            if slot.taken || slot.legacy() {
                continue;
            }
            let exact = exact.get(&(slot.brief.role, slot.brief.hash));
            let loose = (slot.brief.role == Role::User)
                .then(|| loose.get(&slot.brief.loose))
                .flatten();
            for list in exact.into_iter().chain(loose) {
                let from = list.partition_point(|&said| self.pool[said].when < slot.when - within);
                for &said in &list[from..] {
                    let there = &self.pool[said];
                    if there.when > slot.when + within {
                        break;
                    }
                    if fits(self, slot, there) {
                        pairs.push((slot.distance(there), said, number));
                    }
                }
            }
        }
        self.take_nearest(pairs);
    }

    /// Entries of other tools, which have no marker: the same text, white space and backslashes
    /// left out; a reply may stand there block by block.
    fn legacy(&mut self, by_uuid: &HashSet<usize>) {
        if !self.slots.iter().any(|slot| slot.legacy() && !slot.taken) {
            return;
        }
        let mut entries: HashMap<(Role, u64), Vec<usize>> = HashMap::new();
        for (number, slot) in self.slots.iter().enumerate() {
            if slot.legacy() && !slot.taken {
                let key = (slot.brief.role, slot.brief.loose);
                entries.entry(key).or_default().push(number);
            }
        }
        let mut pairs = Vec::new();
        for number in self.open() {
            let said = &self.pool[number];
            for hash in said.loose() {
                for &slot in entries.get(&(said.role, hash)).into_iter().flatten() {
                    if self.is_time_of(&self.slots[slot], said) {
                        pairs.push((self.slots[slot].distance(said), number, slot));
                    }
                }
            }
        }
        self.take_nearest(pairs);
        let mut numbers = self.open();
        // An earlier repair may have written only what the other tool's entries lacked.
        numbers.extend(by_uuid.iter().copied().filter(|&number| {
            self.took[number]
                .is_some_and(|slot| self.slots[slot].brief.hash != self.pool[number].hash)
        }));
        numbers.sort_unstable();
        for number in numbers {
            self.legacy_blocks(number, &entries);
        }
    }

    fn legacy_blocks(&mut self, number: usize, entries: &HashMap<(Role, u64), Vec<usize>>) {
        let said = &self.pool[number];
        let Some(blocks) = said.separable(self.context.policy()) else {
            return;
        };
        let mut rest = Vec::new();
        let mut first = None;
        // From the last one on: of equal blocks, the hook of the other tool kept the last.
        for block in blocks.into_iter().rev() {
            let hash = record::day::hash_loose(block.as_str());
            let slot = entries
                .get(&(said.role, hash))
                .into_iter()
                .flatten()
                .copied()
                .filter(|&slot| !self.slots[slot].taken && self.is_time_of(&self.slots[slot], said))
                .min_by_key(|&slot| self.slots[slot].distance(said));
            match slot {
                Some(slot) => {
                    self.slots[slot].taken = true;
                    first = Some(slot);
                }
                None => rest.push(block),
            }
        }
        let Some(first) = first else {
            return;
        };
        if rest.is_empty() {
            self.took[number].get_or_insert(first);
            self.held.insert(number);
            return;
        }
        rest.reverse();
        // Together they are what the whole's redaction left, so their join holds nothing private.
        let text = redact::clean(&said::join(&rest), self.context.policy());
        self.rest.insert(number, text);
    }

    fn is_time_of(&self, slot: &Slot, said: &Said) -> bool {
        let listed = self
            .context
            .listed
            .get(&slot.date)
            .is_some_and(|uuids| said.records.iter().any(|one| uuids.contains(one.as_str())));
        listed || (slot.when >= said.since - NEAR && slot.when <= said.when + NEAR)
    }

    /// What is left: entries that hold part of an utterance, and entries changed by hand.
    fn verdicts(
        mut self,
        by_uuid: &HashSet<usize>,
        body: &mut dyn FnMut(Place) -> Option<String>,
    ) -> Vec<Verdict> {
        let mut bodies = Bodies {
            read: body,
            known: HashMap::new(),
        };
        let mut incomplete: HashSet<usize> = HashSet::new();
        for &number in by_uuid {
            let Some(slot) = self.took[number] else {
                continue;
            };
            if self.slots[slot].brief.hash != self.pool[number].hash
                && !self.held.contains(&number)
                && self.holds_part(number, slot, &mut bodies)
            {
                incomplete.insert(number);
            }
        }
        self.inexact(&mut bodies, &mut incomplete);
        (0..self.pool.len())
            .map(|number| {
                let place = self.took[number].map(|slot| self.slots[slot].place);
                let whole = || self.rest.get(&number).cloned();
                let fate = match place {
                    Some(_) if incomplete.contains(&number) => Fate::Incomplete(whole()),
                    Some(_) => Fate::Present,
                    None => Fate::Missing(whole()),
                };
                Verdict { fate, place }
            })
            .collect()
    }

    fn holds_part(&self, number: usize, slot: usize, bodies: &mut Bodies) -> bool {
        let Some(text) = bodies.of(self.slots[slot].place) else {
            return false;
        };
        match self.rest.get(&number) {
            // The rest of a reply that another tool's entries hold in part: only a cut counts.
            Some(rest) => &*text != rest.as_str() && rest.as_str().starts_with(&*text),
            None => self.pool[number].is_part(&text, self.context.policy()),
        }
    }

    fn inexact(&mut self, bodies: &mut Bodies, incomplete: &mut HashSet<usize>) {
        let left = Left::of(&self.slots, self.pool);
        if left.is_empty() {
            return;
        }
        let mut parts = Vec::new();
        let mut changed = Vec::new();
        for number in self.open() {
            let said = &self.pool[number];
            for session in self.context.relatives(said.session) {
                let own = session == said.session;
                let within = if own { NEAR } else { SAME_MOMENT };
                let known = left.of_turn(session, said);
                let unknown = left.near(session, said, within, own, &self.slots);
                let unknown = unknown
                    .into_iter()
                    .filter(|&slot| !self.too_early(&self.slots[slot], said));
                let all = known
                    .iter()
                    .map(|&slot| (slot, true))
                    .chain(unknown.map(|slot| (slot, false)));
                for (slot, known) in all {
                    let near = self.slots[slot].distance(said);
                    if self.holds_part(number, slot, bodies) {
                        parts.push((near, number, slot));
                    } else if known || (own && near <= SAME_MOMENT) {
                        changed.push((near, number, slot));
                    }
                }
            }
        }
        let before = self.open();
        self.take_nearest(parts);
        incomplete.extend(before.into_iter().filter(|&n| self.took[n].is_some()));
        let counts = self.prompts_of_turns();
        changed.retain(|&(near, number, _)| {
            let said = &self.pool[number];
            said.role == Role::Assistant
                || near <= SAME_PROMPT
                || said.turn.is_some_and(|turn| {
                    counts
                        .get(&(said.session, turn))
                        .is_some_and(|(entries, utterances)| entries == utterances)
                })
        });
        self.take_nearest(changed);
    }

    /// By session and turn: how many User entries and how many User utterances have no partner.
    fn prompts_of_turns(&self) -> HashMap<(Key, Key), (usize, usize)> {
        let mut counts: HashMap<(Key, Key), (usize, usize)> = HashMap::new();
        for number in self.open() {
            let said = &self.pool[number];
            if let (Role::User, Some(turn)) = (said.role, said.turn) {
                counts.entry((said.session, turn)).or_default().1 += 1;
            }
        }
        for slot in &self.slots {
            if !slot.taken
                && slot.brief.role == Role::User
                && let (Some(session), Some(turn)) = (slot.session(), slot.turn())
                && let Some(count) = counts.get_mut(&(session, turn))
            {
                count.0 += 1;
            }
        }
        counts
    }
}

/// Turns that are known, by session and id.
struct Turns {
    in_pool: HashSet<(Key, Key)>,
    first_prompt: HashMap<(Key, Key), Place>,
}

impl Turns {
    fn of(pool: &[Said], slots: &[Slot]) -> Self {
        let prompts = || slots.iter().filter(|slot| slot.brief.role == Role::User);
        let turn_of = |slot: &Slot| Some((slot.session()?, slot.turn()?));
        // Only entries near what was said can be taken for it.
        let whens = || pool.iter().map(|said| said.when);
        let near = whens().min().zip(whens().max());
        let is_near = |slot: &&Slot| {
            near.is_some_and(|(first, last)| slot.when >= first - NEAR && slot.when <= last + NEAR)
        };
        let turns: HashSet<(Key, Key)> = prompts().filter(is_near).filter_map(turn_of).collect();
        let mut first_prompt = HashMap::new();
        for slot in prompts() {
            if let Some(turn) = turn_of(slot).filter(|turn| turns.contains(turn)) {
                first_prompt.entry(turn).or_insert(slot.place);
            }
        }
        Self {
            in_pool: pool
                .iter()
                .filter(|said| said.role == Role::User)
                .filter_map(|said| Some((said.session, said.turn?)))
                .collect(),
            first_prompt,
        }
    }

    /// A prompt typed while a turn was running carries that turn's id in the hook's payload, and
    /// one of its own in the transcript. The running turn's own prompt must not be taken for it.
    fn may_be_queued(&self, slot: &Slot, said: &Said) -> bool {
        let (Role::User, Some(session), Some(turn)) = (said.role, slot.session(), slot.turn())
        else {
            return false;
        };
        self.in_pool.contains(&(session, turn))
            || self
                .first_prompt
                .get(&(session, turn))
                .is_some_and(|first| *first != slot.place)
    }
}

/// Entries with a marker that no exact sign gave to an utterance.
struct Left {
    by_turn: HashMap<(Key, Key, Role), Vec<usize>>,
    /// By time. The flag: without a turn.
    by_session: HashMap<(Key, Role, bool), Vec<usize>>,
}

impl Left {
    /// So many entries are looked at for one utterance that has no id to go by.
    const MOST: usize = 64;

    fn of(slots: &[Slot], pool: &[Said]) -> Self {
        let turns: HashSet<Key> = pool.iter().filter_map(|said| said.turn).collect();
        let whens = || pool.iter().map(|said| said.when);
        let near = whens().min().zip(whens().max());
        let mut by_turn: HashMap<_, Vec<usize>> = HashMap::new();
        let mut by_session: HashMap<_, Vec<usize>> = HashMap::new();
        for (number, slot) in slots.iter().enumerate().filter(|(_, slot)| !slot.taken) {
            let role = slot.brief.role;
            let Some(session) = slot.session() else {
                continue;
            };
            if let Some(turn) = slot.turn()
                && turns.contains(&turn)
            {
                by_turn
                    .entry((session, turn, role))
                    .or_default()
                    .push(number);
            }
            if near
                .is_some_and(|(first, last)| slot.when >= first - NEAR && slot.when <= last + NEAR)
            {
                by_session
                    .entry((session, role, slot.turn().is_none()))
                    .or_default()
                    .push(number);
            }
        }
        for list in by_session.values_mut() {
            list.sort_by_key(|&number| slots[number].when);
        }
        Self {
            by_turn,
            by_session,
        }
    }

    fn is_empty(&self) -> bool {
        self.by_session.is_empty() && self.by_turn.is_empty()
    }

    fn of_turn(&self, session: Key, said: &Said) -> &[usize] {
        said.turn
            .and_then(|turn| self.by_turn.get(&(session, turn, said.role)))
            .map_or(&[], Vec::as_slice)
    }

    /// Entries that no turn tells from `said`. In another session (a copy's original) any turn
    /// will do, since a fork's turns get new ids.
    fn near(
        &self,
        session: Key,
        said: &Said,
        within: TimeDelta,
        own: bool,
        slots: &[Slot],
    ) -> Vec<usize> {
        let mut found = Vec::new();
        for turnless in [true, false] {
            if !turnless && own && said.turn.is_some() {
                continue;
            }
            let list = self
                .by_session
                .get(&(session, said.role, turnless))
                .map_or(&[][..], Vec::as_slice);
            let from = list.partition_point(|&slot| slots[slot].when < said.when - within);
            found.extend(
                list[from..]
                    .iter()
                    .copied()
                    .take_while(|&slot| slots[slot].when <= said.when + within)
                    .filter(|&slot| {
                        slots[slot].turn().is_none() || slots[slot].turn() != said.turn
                    }),
            );
        }
        found.sort_by_key(|&slot| slots[slot].distance(said));
        found.truncate(Self::MOST);
        found
    }
}

/// Bodies of entries, read once.
struct Bodies<'a> {
    read: &'a mut dyn FnMut(Place) -> Option<String>,
    known: HashMap<Place, Option<std::rc::Rc<str>>>,
}

impl Bodies<'_> {
    fn of(&mut self, place: Place) -> Option<std::rc::Rc<str>> {
        self.known
            .entry(place)
            .or_insert_with(|| (self.read)(place).map(Into::into))
            .clone()
    }
}
