//! Identity and placement, by example and by chance.

use crate::identity::Context;
use crate::plan::plan;
use crate::said::{Said, Setting};
use Role::{Assistant, User};
use chrono::{DateTime, Local, NaiveDate, NaiveDateTime, TimeDelta, TimeZone, Utc};
use claude_hook::{PromptId, RecordId, Role, SessionId};
use proptest::prelude::*;
use record::day::{self, Brief, Change, Digest, Entry, Key, Keys, Marker, NewEntry};
use redact::{Clean, Policy};
use std::collections::BTreeMap;
use transcript::Utterance;

const POLICY: Policy = Policy { secrets: true };
const ONE: &str = "11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
const TWO: &str = "22222222-bbbb-4bbb-8bbb-bbbbbbbbbbbb";

/// Noon of a day without a change of clocks, by the local clock, plus seconds.
fn at(seconds: i64) -> DateTime<Utc> {
    let noon = NaiveDate::from_ymd_opt(2026, 6, 15)
        .unwrap()
        .and_hms_opt(12, 0, 0)
        .unwrap();
    let local = Local.from_local_datetime(&noon).unwrap();
    (local + TimeDelta::seconds(seconds)).with_timezone(&Utc)
}

fn when(seconds: i64) -> NaiveDateTime {
    crate::said::local(at(seconds))
}

/// What a transcript says.
#[derive(Clone, Debug)]
struct Line {
    role: Role,
    session: &'static str,
    turn: Option<String>,
    blocks: Vec<String>,
    seconds: i64,
    uuids: Vec<String>,
    source: usize,
    wanted: bool,
}

fn line(role: Role, turn: &str, text: &str, seconds: i64) -> Line {
    Line {
        role,
        session: ONE,
        turn: (!turn.is_empty()).then(|| turn.to_owned()),
        blocks: text.split('|').map(str::to_owned).collect(),
        seconds,
        uuids: vec![format!("{turn}.{seconds}.{}", text.len())],
        source: 0,
        wanted: true,
    }
}

impl Line {
    fn session(mut self, session: &'static str) -> Self {
        self.session = session;
        self.source = usize::from(session == TWO);
        self
    }
    fn uuid(mut self, uuid: &str) -> Self {
        self.uuids = vec![uuid.to_owned()];
        self
    }
    fn unwanted(mut self) -> Self {
        self.wanted = false;
        self
    }
    fn text(&self) -> String {
        self.blocks.join("\n\n")
    }
    fn said(&self) -> Said {
        let utterance = Utterance {
            typed: None,
            role: self.role,
            text: self.text(),
            blocks: match self.role {
                User => Vec::new(),
                Assistant => self.blocks.clone(),
            },
            at: at(self.seconds),
            session: SessionId::new(self.session).unwrap(),
            turn: self.turn.clone().and_then(PromptId::new),
            records: self.uuids.iter().filter_map(RecordId::new).collect(),
            messages: Vec::new(),
        };
        let setting = Setting {
            source: self.source,
            since: at(self.seconds),
            wanted: self.wanted,
        };
        Said::new(utterance, setting, POLICY)
    }
    /// The entry that a hook writes for it.
    fn hooked(&self) -> (NaiveDate, Entry) {
        let marker = Marker::new(
            &SessionId::new(self.session).unwrap(),
            self.turn.clone().and_then(PromptId::new).as_ref(),
            None,
        );
        entry(
            self.role,
            self.seconds,
            Some(marker),
            redact::clean(&self.text(), POLICY).as_str(),
        )
    }
}

fn entry(role: Role, seconds: i64, marker: Option<Marker>, body: &str) -> (NaiveDate, Entry) {
    let when = when(seconds);
    (
        when.date(),
        Entry {
            role,
            time: when.time(),
            marker,
            body: body.to_owned(),
        },
    )
}

fn legacy(role: Role, seconds: i64, body: &str) -> (NaiveDate, Entry) {
    entry(role, seconds, None, body)
}

/// The day files.
#[derive(Clone, Debug, Default, PartialEq)]
struct Files(BTreeMap<NaiveDate, Vec<Entry>>);

impl Files {
    fn of(entries: impl IntoIterator<Item = (NaiveDate, Entry)>) -> Self {
        let mut files = Self::default();
        for (date, entry) in entries {
            files.0.entry(date).or_default().push(entry);
        }
        files
    }

    fn digest(entries: &[Entry]) -> Digest {
        let mut digest = Digest::default();
        digest.entries = entries
            .iter()
            .map(|entry| Brief {
                role: entry.role,
                time: entry.time,
                marker: entry.marker.as_ref().map(Keys::from),
                hash: day::hash(&entry.body),
                loose: day::hash_loose(&entry.body),
                span: 0..0,
            })
            .collect();
        digest
    }

    /// One run over `lines`. Answers how many entries were written and completed.
    fn repair(&mut self, lines: &[Line], context: &Context) -> (usize, usize) {
        let pool: Vec<Said> = lines.iter().map(Line::said).collect();
        let mut dates: Vec<NaiveDate> = pool
            .iter()
            .flat_map(|said| {
                let date = said.date();
                [date.pred_opt().unwrap(), date, date.succ_opt().unwrap()]
            })
            .collect();
        dates.sort();
        dates.dedup();
        let digests: Vec<(NaiveDate, Digest)> = dates
            .iter()
            .map(|date| {
                let entries = self.0.get(date).map_or(&[][..], Vec::as_slice);
                (*date, Self::digest(entries))
            })
            .collect();
        let days: Vec<(NaiveDate, &Digest)> = digests.iter().map(|(d, g)| (*d, g)).collect();
        let files = self.clone();
        let mut body =
            |(day, at): (usize, usize)| Some(files.0.get(&days[day].0)?.get(at)?.body.clone());
        let plan = plan(&days, &pool, context, &mut body);
        let (mut written, mut completed) = (0, 0);
        for (date, changes) in plan.days {
            let old = self.0.remove(&date).unwrap_or_default();
            let mut new = Vec::new();
            for number in 0..=old.len() {
                for change in &changes {
                    if let Change::Insert { before, entry } = change
                        && *before == number
                    {
                        new.push(made(entry));
                        written += 1;
                    }
                }
                let Some(mut there) = old.get(number).cloned() else {
                    continue;
                };
                for change in &changes {
                    if let Change::Complete { at, body, uuid } = change
                        && *at == number
                    {
                        there.body = body.as_str().to_owned();
                        let marker = there.marker.as_mut().expect("legacy entries stay");
                        if marker.uuid.is_none() {
                            marker.uuid = uuid.as_ref().map(|uuid| uuid.as_str().to_owned());
                        }
                        completed += 1;
                    }
                }
                new.push(there);
            }
            self.0.insert(date, new);
        }
        (written, completed)
    }

    fn bodies(&self) -> Vec<&str> {
        self.0
            .values()
            .flatten()
            .map(|entry| entry.body.as_str())
            .collect()
    }
}

fn made(entry: &NewEntry) -> Entry {
    Entry {
        role: entry.role,
        time: entry.time.expect("repair says when"),
        marker: Some(entry.marker.clone()),
        body: entry.body.as_str().to_owned(),
    }
}

fn context() -> Context {
    let short = |session: &str| Key::of(&session[..8]);
    Context {
        from_start: vec![true, true],
        sessions: [short(ONE), short(TWO)].into(),
        policy: Some(POLICY),
        ..Context::default()
    }
}

fn resumed() -> Context {
    Context {
        from_start: vec![false, false],
        ..context()
    }
}

fn family() -> Context {
    Context {
        families: [(Key::of(&ONE[..8]), 0), (Key::of(&TWO[..8]), 0)].into(),
        ..context()
    }
}

/// Repairs, checks that a second run finds nothing to do, and gives the bodies in order.
#[track_caller]
fn after(files: &mut Files, lines: &[Line], context: &Context, expected: (usize, usize)) {
    assert_eq!(files.repair(lines, context), expected, "{files:?}");
    let once = files.clone();
    assert_eq!(files.repair(lines, context), (0, 0), "second run");
    assert_eq!(*files, once);
}

#[test]
fn what_is_missing_is_written_in_order() {
    let lines = [
        line(User, "p1", "first", 0),
        line(Assistant, "p1", "answer one", 5),
        line(User, "p2", "second", 10),
        line(Assistant, "p2", "answer two", 15),
    ];
    let mut files = Files::default();
    after(&mut files, &lines, &context(), (4, 0));
    assert_eq!(
        files.bodies(),
        ["first", "answer one", "second", "answer two"]
    );

    let mut files = Files::of([lines[0].hooked(), lines[3].hooked()]);
    after(&mut files, &lines, &context(), (2, 0));
    assert_eq!(
        files.bodies(),
        ["first", "answer one", "second", "answer two"]
    );
}

#[test]
fn what_may_not_be_written_still_owns_its_entry() {
    let lines = [
        line(User, "", "ok", 0).unwanted(),
        line(User, "", "ok", 120),
    ];
    let mut files = Files::of([lines[0].hooked()]);
    after(&mut files, &lines, &context(), (1, 0));
    assert_eq!(files.bodies(), ["ok", "ok"]);
}

#[test]
fn the_same_prompt_twice_is_two_entries() {
    for turns in [["p1", "p2"], ["", ""], ["p1", "p1"]] {
        let lines = [
            line(User, turns[0], "continue", 0),
            line(User, turns[1], "continue", 3),
        ];
        let mut files = Files::default();
        after(&mut files, &lines, &context(), (2, 0));
        let mut files = Files::of([lines[1].hooked()]);
        after(&mut files, &lines, &context(), (1, 0));
        assert_eq!(files.bodies(), ["continue", "continue"]);
    }
}

#[test]
fn going_on_later_an_old_entry_is_not_taken_for_a_new_prompt() {
    for turns in [["p1", "p2"], ["", ""]] {
        let mut files = Files::of([line(User, turns[0], "continue", 0).hooked()]);
        let lines = [line(User, turns[1], "continue", 240)];
        after(&mut files, &lines, &resumed(), (1, 0));
        assert_eq!(files.bodies(), ["continue", "continue"]);
    }
}

#[test]
fn a_queued_prompt_carries_the_running_turns_id() {
    // The hook saw the queued prompt under the running turn's id, the transcript has its own.
    let lines = [
        line(User, "p1", "slow", 0),
        line(Assistant, "p1", "done", 50),
        line(User, "p2", "queued", 51),
        line(Assistant, "p2", "done too", 60),
    ];
    let mut queued = lines[2].clone();
    queued.turn = Some("p1".into());
    queued.seconds = 20;
    let mut files = Files::of([
        lines[0].hooked(),
        queued.hooked(),
        lines[1].hooked(),
        lines[3].hooked(),
    ]);
    after(&mut files, &lines, &context(), (0, 0));
    // The running turn's own prompt was missed: the queued one is not taken for it.
    let mut files = Files::of([queued.hooked(), lines[1].hooked(), lines[3].hooked()]);
    after(&mut files, &lines, &context(), (1, 0));
    assert_eq!(files.bodies(), ["slow", "queued", "done", "done too"]);
}

#[test]
fn an_absorbed_prompt_that_no_hook_saw_is_written() {
    let lines = [
        line(User, "p1", "start", 0),
        line(User, "p1", "and this too", 10),
        line(Assistant, "p1", "done", 20),
    ];
    let mut files = Files::of([lines[0].hooked(), lines[2].hooked()]);
    after(&mut files, &lines, &context(), (1, 0));
    assert_eq!(files.bodies(), ["start", "and this too", "done"]);
}

#[test]
fn an_entry_with_a_block_missing_is_completed() {
    for turn in ["p1", ""] {
        for seen in ["c", "a|b", "b|c", "a|c", "b"] {
            let lines = [
                line(User, turn, "go", 0),
                line(Assistant, turn, "a|b|c", 30),
            ];
            let mut half = lines[1].clone();
            half.blocks = seen.split('|').map(str::to_owned).collect();
            let mut files = Files::of([lines[0].hooked(), half.hooked()]);
            after(&mut files, &lines, &context(), (0, 1));
            assert_eq!(files.bodies(), ["go", "a\n\nb\n\nc"], "{turn:?} {seen:?}");
        }
    }
}

#[test]
fn a_turn_with_two_stops_keeps_both_answers() {
    let lines = [
        line(User, "p1", "go", 0),
        line(Assistant, "p1", "a|b", 10),
        line(Assistant, "p1", "c|d", 20),
    ];
    let mut half = lines[2].clone();
    half.blocks = vec!["d".into()];
    let mut files = Files::of([lines[0].hooked(), half.hooked()]);
    after(&mut files, &lines, &context(), (1, 1));
    assert_eq!(files.bodies(), ["go", "a\n\nb", "c\n\nd"]);
    // Only the second stop is read again later.
    let mut files = Files::of([lines[0].hooked(), lines[1].hooked(), half.hooked()]);
    after(&mut files, &lines[2..], &resumed(), (0, 1));
    assert_eq!(files.bodies(), ["go", "a\n\nb", "c\n\nd"]);
}

#[test]
fn a_cut_entry_is_completed() {
    for turn in ["p1", ""] {
        let lines = [
            line(User, turn, "a long prompt", 0),
            line(Assistant, turn, "a long answer", 10),
        ];
        let mut cut = lines.clone();
        cut[0].blocks = vec!["a lo".into()];
        cut[1].blocks = vec!["a long a\n".into()];
        let mut files = Files::of(cut.iter().map(Line::hooked));
        after(&mut files, &lines, &context(), (0, 2));
        assert_eq!(files.bodies(), ["a long prompt", "a long answer"]);
    }
}

#[test]
fn what_a_person_changed_stays() {
    for turn in ["p1", ""] {
        let lines = [
            line(User, turn, "my pasword is here", 0),
            line(Assistant, turn, "a|b", 10),
        ];
        let mut changed = lines.clone();
        changed[0].blocks = vec!["my password is here".into()];
        changed[1].blocks = vec!["a, and I add".into()];
        let mut files = Files::of(changed.iter().map(Line::hooked));
        let before = files.clone();
        after(&mut files, &lines, &context(), (0, 0));
        assert_eq!(files, before);
    }
}

#[test]
fn an_entry_that_names_the_record_is_its_own() {
    let prompt = line(User, "p1", "go", 0).uuid("u-1");
    let (date, mut entry) = prompt.hooked();
    let marker = entry.marker.as_mut().unwrap();
    marker.turn = Some("p9".into());
    marker.session = Some("99999999".into());
    marker.uuid = Some("u-1".into());
    entry.body = "changed beyond recognition".into();
    let mut files = Files::of([(date, entry)]);
    after(&mut files, &[prompt], &context(), (0, 0));
}

#[test]
fn a_copied_session_adds_nothing() {
    // The fork's records have a new session and (2.1.332) a new prompt id, and only it is read.
    let original = [line(User, "p1", "go", 0), line(Assistant, "p1", "gone", 10)];
    for turn in ["p1", "p7"] {
        let mut fork: Vec<Line> = original
            .iter()
            .map(|line| line.clone().session(TWO))
            .collect();
        for line in &mut fork {
            line.turn = Some(turn.into());
        }
        fork.push(line(User, "p8", "go", 100).session(TWO));
        let mut files = Files::of(original.iter().map(Line::hooked));
        after(&mut files, &fork, &family(), (1, 0));
        assert_eq!(files.bodies(), ["go", "gone", "go"]);
    }
}

#[test]
fn a_copy_whose_original_is_gone_adds_nothing() {
    let original = [line(User, "p1", "go", 0), line(Assistant, "p1", "x", 10)];
    let copy: Vec<Line> = original
        .iter()
        .map(|line| {
            let mut line = line.clone().session(TWO);
            line.turn = Some("p9".into());
            line
        })
        .collect();
    let mut context = context();
    context.sessions.remove(&Key::of(&ONE[..8]));
    let mut files = Files::of(original.iter().map(Line::hooked));
    after(&mut files, &copy, &context, (0, 0));
}

#[test]
fn two_sessions_that_say_the_same_are_two() {
    let lines = [
        line(User, "p1", "same", 0),
        line(Assistant, "p1", "same too", 1),
        line(User, "p2", "same", 0).session(TWO),
        line(Assistant, "p2", "same too", 1).session(TWO),
    ];
    for ids in [true, false] {
        let mut lines = lines.to_vec();
        if !ids {
            for line in &mut lines {
                line.turn = None;
            }
        }
        let mut files = Files::of([lines[0].hooked(), lines[1].hooked()]);
        after(&mut files, &lines[2..], &context(), (2, 0));
        assert_eq!(files.bodies(), ["same", "same", "same too", "same too"]);
    }
}

#[test]
fn an_entry_after_midnight_belongs_to_what_was_said_before_it() {
    let midnight = 12 * 3600;
    for turn in ["p1", ""] {
        let prompt = line(User, turn, "late", midnight - 1);
        let mut hooked = prompt.clone();
        hooked.seconds = midnight + 1;
        let mut files = Files::of([hooked.hooked()]);
        after(&mut files, &[prompt], &context(), (0, 0));
        let early = line(User, turn, "early", midnight + 1);
        let mut hooked = early.clone();
        hooked.seconds = midnight - 1;
        let mut files = Files::of([hooked.hooked()]);
        after(&mut files, &[early], &context(), (0, 0));
    }
}

#[test]
fn missing_entries_go_to_their_own_day() {
    let midnight = 12 * 3600;
    let lines = [
        line(User, "p1", "before", midnight - 1),
        line(Assistant, "p1", "after", midnight + 1),
    ];
    let mut files = Files::default();
    after(&mut files, &lines, &context(), (2, 0));
    assert_eq!(files.0.len(), 2);
    assert_eq!(files.bodies(), ["before", "after"]);
}

#[test]
fn another_tools_entries_are_known_by_their_text() {
    let lines = [
        line(User, "p1", "look at C:\\new\\dir", 0),
        line(Assistant, "p1", "  indented\n    code", 10),
        line(User, "p2", "never saved", 20),
    ];
    let mut files = Files::of([
        legacy(User, 0, "look at C:\new\\dir"),
        legacy(Assistant, 12, "indented\ncode"),
    ]);
    after(&mut files, &lines, &context(), (1, 0));
    assert_eq!(files.bodies()[2], "never saved");
}

#[test]
fn another_tools_entries_count_once_and_near_their_time() {
    let lines = [
        line(User, "p1", "ok", 0),
        line(User, "p2", "ok", 30),
        line(User, "p3", "ok", 7200),
    ];
    let mut files = Files::of([legacy(User, 0, "ok")]);
    after(&mut files, &lines, &context(), (2, 0));
}

#[test]
fn a_listed_uuid_counts_only_with_an_entry() {
    let reply = line(Assistant, "p1", "Done.", 0).uuid("r-1");
    let date = when(0).date();
    let mut context = context();
    context.listed = [(date, ["r-1".to_owned()].into())].into();
    let mut files = Files::default();
    after(&mut files, std::slice::from_ref(&reply), &context, (1, 0));
    // With an entry of the same text that day it counts, whatever its time.
    let mut files = Files::of([legacy(Assistant, 5 * 3600, "Done.")]);
    after(&mut files, &[reply], &context, (0, 0));
}

#[test]
fn of_a_reply_in_pieces_only_what_lacks_is_written() {
    let reply = line(Assistant, "p1", "a|b|c", 30);
    let mut files = Files::of([legacy(Assistant, 31, "c")]);
    after(&mut files, std::slice::from_ref(&reply), &context(), (1, 0));
    assert_eq!(files.bodies(), ["a\n\nb", "c"]);
    let mut files = Files::of([
        legacy(Assistant, 28, "a"),
        legacy(Assistant, 29, "b"),
        legacy(Assistant, 30, "c"),
    ]);
    after(&mut files, &[reply], &context(), (0, 0));
}

#[test]
fn bodies_are_compared_after_redaction() {
    let secret = format!("{}{}", "ghp_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8");
    let lines = [
        line(
            User,
            "",
            &format!("use {secret} <private>x</private> ok"),
            0,
        ),
        line(
            Assistant,
            "",
            &format!("a <private>|b {secret}|c</private> d|e"),
            10,
        ),
    ];
    let mut files = Files::of(lines.iter().map(Line::hooked));
    after(&mut files, &lines, &context(), (0, 0));
    let mut files = Files::default();
    after(&mut files, &lines, &context(), (2, 0));
    let all = files.bodies().join("\n");
    assert!(
        !all.contains(&secret) && !all.contains("<private>"),
        "{all}"
    );
}

#[test]
fn images_are_the_same_in_payload_and_record() {
    let prompt = line(User, "", "[image]what is this", 0);
    for body in [
        "what is this",
        "[Image #1] what is this",
        "[image] what is this",
    ] {
        let mut hooked = prompt.clone();
        hooked.blocks = vec![body.to_owned()];
        let mut files = Files::of([hooked.hooked()]);
        after(
            &mut files,
            std::slice::from_ref(&prompt),
            &context(),
            (0, 0),
        );
    }
}

#[test]
fn conversation_order_counts_within_a_session() {
    // The clock was set back between the prompt and the answer.
    let lines = [
        line(User, "p1", "one", 100),
        line(Assistant, "p1", "two", 10),
        line(User, "p2", "three", 20),
        line(Assistant, "p2", "four", 30),
    ];
    let mut files = Files::of([lines[0].hooked(), lines[3].hooked()]);
    after(&mut files, &lines, &context(), (2, 0));
    assert_eq!(files.bodies(), ["one", "two", "three", "four"]);
    let mut files = Files::default();
    after(&mut files, &lines, &context(), (4, 0));
    assert_eq!(files.bodies(), ["one", "two", "three", "four"]);
}

#[test]
fn across_sessions_the_second_counts() {
    let one = [line(User, "p1", "a", 0), line(Assistant, "p1", "d", 30)];
    let two = [
        line(User, "q1", "b", 10).session(TWO),
        line(Assistant, "q1", "c", 20).session(TWO),
    ];
    let mut files = Files::of(one.iter().map(Line::hooked));
    after(&mut files, &two, &context(), (2, 0));
    assert_eq!(files.bodies(), ["a", "b", "c", "d"]);
    let mut files = Files::default();
    let all: Vec<Line> = one.iter().chain(&two).cloned().collect();
    after(&mut files, &all, &context(), (4, 0));
    assert_eq!(files.bodies(), ["a", "b", "c", "d"]);
}

/// Conversations: few texts (so that they repeat), several sessions and clients.
fn talks() -> impl Strategy<Value = Vec<Line>> {
    let text = prop::sample::select(vec![
        "ok",
        "go on",
        "x",
        "a",
        "b|c",
        "a|b|c",
        "a|a",
        "long text",
    ]);
    let turn = (text.clone(), prop::collection::vec(text, 0..3), 1i64..200);
    let talk = (prop::collection::vec(turn, 1..8), any::<bool>(), 0i64..400);
    prop::collection::vec(talk, 1..3).prop_map(|talks| {
        let mut lines = Vec::new();
        for (source, (turns, ids, start)) in talks.into_iter().enumerate() {
            // At times sessions run over midnight.
            let mut seconds = 12 * 3600 - 600 + start;
            for (number, (prompt, replies, pause)) in turns.into_iter().enumerate() {
                let turn = if ids {
                    format!("t{source}.{number}")
                } else {
                    String::new()
                };
                let mut add = |role, text: &str, seconds| {
                    let mut line = line(role, &turn, text, seconds);
                    line.source = source;
                    line.session = [ONE, TWO][source];
                    line.uuids = vec![format!("u{source}.{}", lines.len())];
                    if role == User {
                        line.blocks = vec![line.text()];
                    }
                    lines.push(line);
                };
                add(User, prompt, seconds);
                for reply in replies {
                    seconds += 13;
                    add(Assistant, reply, seconds);
                }
                seconds += 10 + pause;
            }
        }
        lines
    })
}

/// What happened to an utterance's entry.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Luck {
    Kept,
    Missed,
    /// The hook could see the last block only.
    Half,
}

fn luck() -> impl Strategy<Value = Luck> {
    prop::sample::select(vec![Luck::Kept, Luck::Missed, Luck::Half])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn repair_gives_exactly_what_was_said(
        lines in talks(),
        luck in prop::collection::vec((luck(), 0i64..2), 64),
    ) {
        let mut entries: Vec<(usize, Line)> = Vec::new();
        for (number, line) in lines.iter().enumerate() {
            let (luck, late) = luck[number % luck.len()];
            let mut hooked = line.clone();
            hooked.seconds += late;
            match luck {
                Luck::Missed => continue,
                // Without an id, half an entry may be somebody else's whole one.
                Luck::Half if line.role == Assistant && line.turn.is_some() => {
                    hooked.blocks.drain(..hooked.blocks.len() - 1);
                }
                _ => {}
            }
            entries.push((number, hooked));
        }
        entries.sort_by_key(|(_, line)| line.seconds);
        let mut files = Files::of(entries.iter().map(|(_, line)| line.hooked()));
        files.repair(&lines, &context());
        let once = files.clone();
        prop_assert_eq!(files.repair(&lines, &context()), (0, 0));
        prop_assert_eq!(&files, &once);
        // Each session's talk stands there once, whole and in order.
        for session in [ONE, TWO] {
            let said: Vec<String> = lines
                .iter()
                .filter(|line| line.session == session)
                .map(Line::text)
                .collect();
            let there: Vec<String> = files
                .0
                .values()
                .flatten()
                .filter(|entry| entry.marker.as_ref().unwrap().session.as_deref() == Some(&session[..8]))
                .map(|entry| entry.body.clone())
                .collect();
            prop_assert_eq!(said, there);
        }
    }
}

#[test]
fn what_repair_writes_is_redacted_by_type() {
    let line = line(User, "p1", "plain", 0);
    assert_eq!(line.said().body, Clean::fixed("plain"));
}
