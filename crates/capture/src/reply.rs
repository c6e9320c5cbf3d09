//! What the assistant said until it stopped, and what the person said inside the turn.

use crate::place::Place;
use chrono::{DateTime, Local, NaiveDate, NaiveTime, Timelike as _};
use claude_hook::{Common, Event, Outcome, PromptId, RecordId, Role, SessionId};
use mnemo_home::Env;
use record::Conversations;
use record::day::{Located, Marker, NewEntry};
use redact::{Clean, Policy};
use transcript::{LastStop, Utterance};

/// How far back the transcript is read for one turn.
const TRANSCRIPT_LIMIT: u64 = 32 << 20;
/// How much of the day file's end is searched for entries of the same turn.
const DAY_FILE_TAIL: u64 = 256 << 10;
/// As much, where the turn may have entries before its last and they are not found so: much may
/// have been said elsewhere since it began.
const DAY_FILE_FAR: u64 = 8 << 20;
/// How the client's error texts begin; clients without prompt ids raise Stop for them.
const ERROR_TEXTS: [&str; 2] = ["API Error", "Invalid API key"];

pub(crate) fn save(event: &Event, env: &Env) -> Outcome {
    let mut outcome = Outcome::silent();
    let Event::Stop {
        common,
        continuation,
        last_message,
        ..
    } = event
    else {
        return outcome;
    };
    if common.agent_id.is_some() {
        return outcome;
    }
    let Some(session) = &common.session else {
        return outcome;
    };
    let seen = look(common, &mut outcome.log);
    let Some(place) = Place::of(common, seen.prompt_cwd.as_deref(), env, &mut outcome.log) else {
        return outcome;
    };
    let turn = common.prompt.clone().or_else(|| seen.turn.clone());
    let stop = Stop {
        session,
        turn: turn.as_ref(),
        stops_before: if *continuation {
            seen.stops_before.max(1)
        } else {
            0
        },
        prompt: seen
            .prompt_text
            .as_ref()
            .map(|text| redact::clean(text, place.policy())),
        policy: place.policy(),
    };
    if let Err(error) = write(&place, &stop, seen, last_message.as_deref(), env) {
        outcome.log.push(error.to_string());
    }
    place.complain(&mut outcome.log);
    outcome
}

/// What the transcript's tail shows; nothing where it cannot be read.
fn look(common: &Common, log: &mut Vec<String>) -> LastStop {
    let Some(path) = &common.transcript else {
        return LastStop::default();
    };
    match transcript::last_stop(path, common.prompt.as_ref(), TRANSCRIPT_LIMIT) {
        // The file does not hold this turn yet: the one before is not ours to write.
        Ok(Some(seen))
            if common.prompt.is_some() && seen.turn.is_some() && seen.turn != common.prompt =>
        {
            LastStop::default()
        }
        Ok(seen) => seen.unwrap_or_default(),
        Err(error) => {
            log.push(error.to_string());
            LastStop::default()
        }
    }
}

/// One thing said, before redaction.
struct Raw {
    role: Role,
    text: String,
    record: Option<RecordId>,
    /// When it was said, where that was not at the stop.
    at: Option<DateTime<Local>>,
}

/// One thing said, as it may be stored.
struct Said {
    role: Role,
    at: Option<DateTime<Local>>,
    body: Clean,
    marker: Marker,
}

/// The stop that is being recorded.
struct Stop<'a> {
    session: &'a SessionId,
    turn: Option<&'a PromptId>,
    /// Replies of this turn that earlier stops recorded.
    stops_before: usize,
    /// The turn's prompt, as an entry holds it.
    prompt: Option<Clean>,
    policy: Policy,
}

impl Stop<'_> {
    fn clean(&self, said: Vec<Raw>) -> Vec<Said> {
        said.into_iter()
            .map(|raw| Said {
                role: raw.role,
                at: raw.at,
                body: redact::clean_owned(raw.text, self.policy),
                marker: Marker::new(self.session, self.turn, raw.record.as_ref()),
            })
            .collect()
    }
}

/// Joins what the transcript shows with the payload's last text block, which the transcript may
/// lack still.
fn said(seen: LastStop, last_message: Option<&str>, old_client: bool) -> Vec<Raw> {
    let mut said: Vec<Raw> = Vec::with_capacity(seen.said.len() + 1);
    let mut blocks: Vec<String> = Vec::new();
    let mut record = None;
    for utterance in seen.said {
        match utterance.role {
            Role::User => said.push(raw(utterance)),
            Role::Assistant => {
                record = utterance.records.first().cloned();
                blocks = utterance.blocks;
            }
        }
    }
    let last = last_message.map(str::trim).filter(|text| !text.is_empty());
    if let Some(last) = last {
        let there = seen.final_visible && blocks.last().is_some_and(|block| block == last);
        let notice = seen.notice.as_deref() == Some(last)
            || (old_client && ERROR_TEXTS.iter().any(|lead| last.starts_with(lead)));
        if !there && !notice {
            blocks.push(last.to_owned());
        }
    }
    if !blocks.is_empty() {
        said.push(Raw {
            role: Role::Assistant,
            text: blocks.join("\n\n"),
            record,
            at: None,
        });
    }
    said
}

fn raw(utterance: Utterance) -> Raw {
    Raw {
        role: utterance.role,
        text: utterance.text,
        record: utterance.records.into_iter().next(),
        at: Some(utterance.at.with_timezone(&Local)),
    }
}

/// Writes what the day file does not hold yet.
fn write(
    place: &Place,
    stop: &Stop,
    seen: LastStop,
    last_message: Option<&str>,
    env: &Env,
) -> record::Result<()> {
    let far = has_parts(&seen, last_message);
    let behind = Behind::of(&seen, last_message, stop);
    // Filtered before the lock is taken: other hooks wait for it.
    let alone = behind
        .as_ref()
        .map(|_| stop.clean(said(LastStop::default(), last_message, stop.turn.is_none())));
    let mut said = stop.clean(said(seen, last_message, stop.turn.is_none()));
    if said.is_empty() {
        return Ok(());
    }
    // A repair may have written just this.
    let own: usize = said.iter().map(|one| one.body.as_str().len()).sum();
    let reach = Reach {
        near: DAY_FILE_TAIL + own as u64,
        far,
    };
    let mut conversations = place.record.conversations()?;
    let now = env.now();
    let mut tail = Tail::read(&conversations, now, stop, reach)?;
    if let (Some(behind), Some(alone)) = (behind, alone)
        && behind.is_so(&tail)
    {
        said = alone;
    }
    if let Some(one) = said.last_mut() {
        tail.leave_out_what_stands(one, stop);
    }
    let mut new = Vec::new();
    for one in said {
        match tail.find(&one) {
            // What was said before it can only be put there by repair.
            Found::Whole => new.clear(),
            Found::Beginning(date, entry) => {
                new.clear();
                conversations.complete(date, &entry, &one.body)?;
                // What was found before stands at other places now.
                tail = Tail::read(&conversations, now, stop, reach)?;
            }
            Found::Nothing => new.push(NewEntry {
                role: one.role,
                time: one.at.and_then(|at| tail.heading(at, now)),
                marker: one.marker,
                body: one.body,
            }),
        }
    }
    if new.is_empty() {
        return Ok(());
    }
    conversations.append(now, &new)
}

/// What tells whether the transcript's tail is that of an earlier turn: clients without prompt ids
/// write the prompt's line late, sometimes after the Stop.
struct Behind {
    /// The tail's answer ended, and with another text than this stop's.
    ended_otherwise: bool,
    /// The record that its reply begins with.
    first: Option<RecordId>,
    /// Its prompt.
    prompt: Option<Clean>,
}

impl Behind {
    /// `None` where the prompt's id has told already.
    fn of(seen: &LastStop, last_message: Option<&str>, stop: &Stop) -> Option<Self> {
        if seen.turn.is_some() {
            return None;
        }
        let reply = seen.said.iter().find(|one| one.role == Role::Assistant);
        let last_block = reply.and_then(|reply| reply.blocks.last());
        let last = last_message.map(str::trim).filter(|text| !text.is_empty());
        Some(Self {
            ended_otherwise: seen.ended && last.is_some() && last_block.map(String::as_str) != last,
            first: reply.and_then(|reply| reply.records.first()).cloned(),
            prompt: seen
                .prompt_text
                .as_ref()
                .map(|text| redact::clean(text, stop.policy)),
        })
    }

    fn is_so(&self, tail: &Tail) -> bool {
        let written = self
            .first
            .as_ref()
            .is_some_and(|record| tail.earlier.iter().any(|uuid| uuid == record.as_str()));
        let other_prompt = match (&tail.prompt, &self.prompt) {
            (Some(located), Some(prompt)) => located.entry.body != prompt.as_str(),
            _ => false,
        };
        self.ended_otherwise || written || other_prompt
    }
}

/// How far back the turn's entries are looked for.
#[derive(Clone, Copy)]
struct Reach {
    /// So many bytes in any case.
    near: u64,
    /// Further, where they do not begin within those.
    far: bool,
}

/// Whether the day file holds a thing already.
enum Found {
    Nothing,
    Beginning(NaiveDate, Located),
    Whole,
}

/// An entry, and whose day's.
type Dated = (NaiveDate, Located);

/// The session's entries at the end of today's day file; where a turn went over midnight, also at
/// the end of yesterday's.
struct Tail {
    /// The session's last prompt.
    prompt: Option<Located>,
    /// The records that replies before it began with.
    earlier: Vec<String>,
    /// What the person said in the turn that stops.
    users: Vec<Dated>,
    /// Its replies.
    replies: Vec<Dated>,
    /// Its replies at stops before, the last of them.
    said_before: Option<String>,
    /// The heading of today's last entry, whoever's.
    last: Option<NaiveTime>,
    /// Whether it is sure that these replies are this turn's, so that one may be completed.
    sure: bool,
}

impl Tail {
    fn read(
        conversations: &Conversations<'_>,
        now: DateTime<Local>,
        stop: &Stop,
        reach: Reach,
    ) -> record::Result<Self> {
        let today = now.date_naive();
        let mut last = None;
        let mut of_day = |date: NaiveDate, limit: u64| -> record::Result<Vec<Dated>> {
            let entries = conversations.tail(date, limit)?;
            if date == today {
                last = entries.last().map(|located| located.entry.time);
            }
            Ok(entries
                .into_iter()
                .filter(|located| is_of_session(located, stop.session))
                .map(|located| (date, located))
                .collect())
        };
        let mut mine = of_day(today, reach.near)?;
        if reach.far && !begins(&mine, stop) {
            mine = of_day(today, DAY_FILE_FAR)?;
            if !begins(&mine, stop)
                && let Some(yesterday) = today.pred_opt()
            {
                mine.splice(0..0, of_day(yesterday, DAY_FILE_FAR)?);
            }
        }
        let last_prompt = mine
            .iter()
            .rposition(|(_, located)| located.entry.role == Role::User);
        let earlier = mine
            .iter()
            .take(last_prompt.unwrap_or_default())
            .filter(|(_, located)| located.entry.role == Role::Assistant)
            .filter_map(|(_, located)| located.entry.marker.as_ref()?.uuid.clone())
            .collect();
        let prompt = last_prompt.and_then(|at| Some(mine.get(at)?.1.clone()));
        let (users, mut replies): (Vec<_>, Vec<_>) = of_turn(mine, stop.turn, last_prompt)
            .into_iter()
            .partition(|(_, located)| located.entry.role == Role::User);
        let said_before = replies
            .drain(..stop.stops_before.min(replies.len()))
            .next_back()
            .map(|(_, located)| located.entry.body);
        let same_prompt = match (&stop.prompt, &prompt) {
            (Some(own), Some(there)) => Some(own.as_str() == there.entry.body),
            _ => None,
        };
        // Without ids only the prompt tells whose replies these are.
        if stop.turn.is_none() && same_prompt == Some(false) {
            replies.clear();
        }
        Ok(Self {
            prompt,
            earlier,
            users,
            replies,
            said_before,
            last,
            sure: stop.turn.is_some() || same_prompt == Some(true),
        })
    }

    /// The heading of what was said at a time before the stop: that time, unless others have
    /// written later ones since.
    fn heading(&self, at: DateTime<Local>, now: DateTime<Local>) -> Option<NaiveTime> {
        let time = at.time().with_nanosecond(0)?;
        let today = at.date_naive() == now.date_naive() && at <= now;
        (today && self.last.is_none_or(|last| time >= last)).then_some(time)
    }

    /// What was said until the stop before stands in an entry of its own. The mark of that stop can
    /// reach the transcript later than this stop's hook runs.
    fn leave_out_what_stands(&self, said: &mut Said, stop: &Stop) {
        let rest = self
            .said_before
            .as_deref()
            .filter(|_| said.role == Role::Assistant)
            .and_then(|before| said.body.as_str().strip_prefix(before))
            .and_then(|rest| rest.strip_prefix("\n\n"));
        if let Some(rest) = rest {
            // A part of clean text stays as it is.
            said.body = redact::clean(rest, stop.policy);
            said.marker = Marker::new(stop.session, stop.turn, None);
        }
    }

    fn find(&mut self, said: &Said) -> Found {
        let entries = match said.role {
            Role::User => &mut self.users,
            Role::Assistant => &mut self.replies,
        };
        let body = said.body.as_str();
        if let Some(at) = entries
            .iter()
            .position(|(_, located)| located.entry.body == body)
        {
            // Said twice is written twice: each entry answers for one.
            entries.remove(at);
            return Found::Whole;
        }
        if said.role == Role::User || !self.sure {
            return Found::Nothing;
        }
        match entries
            .iter()
            .position(|(_, located)| body.starts_with(&located.entry.body))
        {
            Some(at) => {
                let (date, located) = entries.remove(at);
                Found::Beginning(date, located)
            }
            None => Found::Nothing,
        }
    }
}

fn is_of_session(located: &Located, session: &SessionId) -> bool {
    let marker = located.entry.marker.as_ref();
    marker.and_then(|marker| marker.session.as_deref())
        == Marker::new(session, None, None).session.as_deref()
}

/// Whether the turn may have entries besides its prompt when it stops: it was not said in one piece.
fn has_parts(seen: &LastStop, last_message: Option<&str>) -> bool {
    match seen.said.as_slice() {
        [] => false,
        [one] if one.role == Role::Assistant => one
            .blocks
            .iter()
            .map(String::as_str)
            .ne(last_message.map(str::trim)),
        _ => true,
    }
}

/// Whether entries go back to the turn's prompt.
fn begins(entries: &[Dated], stop: &Stop) -> bool {
    let Some(prompt) = &stop.prompt else {
        return false;
    };
    entries.iter().any(|(_, located)| {
        let marker = located.entry.marker.as_ref();
        let id = marker.and_then(|marker| marker.turn.as_deref());
        located.entry.role == Role::User
            && located.entry.body == prompt.as_str()
            && stop.turn.is_none_or(|turn| id == Some(turn.as_str()))
    })
}

/// The turn's entries: those with its id, or without an id what follows the session's last prompt
/// (that prompt included).
fn of_turn(entries: Vec<Dated>, turn: Option<&PromptId>, last_prompt: Option<usize>) -> Vec<Dated> {
    let Some(turn) = turn else {
        return entries
            .into_iter()
            .skip(last_prompt.unwrap_or_default())
            .collect();
    };
    entries
        .into_iter()
        .filter(|(_, located)| {
            let marker = located.entry.marker.as_ref();
            marker.and_then(|marker| marker.turn.as_deref()) == Some(turn.as_str())
        })
        .collect()
}
