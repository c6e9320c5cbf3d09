//! An entry as the garden sees it: its statements, links, numbers and dates.

use crate::corpus::{Bag, Corpus, WordId};
use crate::cues::Cue;
use crate::evidence::Evidence;
use crate::prose::{self, Part, Statement};
use crate::quantity::Quantity;
use crate::relations::claims::Claims;
use crate::relations::compare::{self, Pieces};
use crate::relations::sketch::Sketch;
use crate::relations::things::Narrowed;
use crate::spots::Spot;
use chrono::{DateTime, Datelike, NaiveDate, Utc};
use memory::{Entry, EntryId, Kind};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

/// One entry, read for judging.
#[derive(Debug)]
pub struct View {
    /// Which entry of the store.
    pub id: EntryId,
    /// `memory/NAME.md`, as evidence names it.
    pub path: String,
    /// The file from the store's root.
    pub file: String,
    /// Its type; where none is readable, the one that its name begins with.
    pub kind: Option<Kind>,
    /// Whether the frontmatter itself says the type.
    pub declared: bool,
    /// It is the way into a domain (`meta_gate: true`).
    pub gate: bool,
    /// The day it was decided or written, by its frontmatter, else the file's time.
    pub written: Option<NaiveDate>,
    /// When the file was last changed.
    pub modified: Option<DateTime<Utc>>,
    /// Physical lines after the frontmatter.
    pub body_lines: usize,
    /// The lines of the file.
    pub(crate) lines: Vec<String>,
    /// The description first, then the body.
    pub(crate) statements: Vec<Statement>,
    pub(crate) bags: Vec<Bag>,
    /// All of it.
    pub(crate) whole: Bag,
    /// What it is about: name, file name, description and the first sentences.
    pub(crate) head: Bag,
    /// How many of the first statements are its head.
    pub(crate) head_len: usize,
    /// The words of the file's name after the type.
    pub(crate) subject: Vec<String>,
    /// `#NNN` and the like, with their lines.
    pub(crate) numbers: Vec<(u64, usize)>,
    sketch: OnceLock<Sketch>,
    claims: OnceLock<Claims>,
    named_days: OnceLock<Vec<NamedDay>>,
}

/// Month and day, and the statement that names them.
type NamedDay = ((u32, u32), usize);

/// The words of an entry, not weighed yet.
pub(crate) struct Read {
    words: Vec<Words>,
    name: Vec<WordId>,
}

/// The words of a statement.
struct Words {
    ids: Vec<WordId>,
    /// Where they stand, unless links were left out.
    spots: Option<Box<[Spot]>>,
}

/// Frontmatter keys that tell a day.
const DAYS: [&str; 5] = ["decided", "date", "updated", "written", "created"];

impl View {
    /// Cuts an entry into statements; its words are not read yet.
    pub(crate) fn of(id: EntryId, entry: &Entry) -> Self {
        // What is private is neither judged nor quoted.
        let shown = redact::by_line(entry.text());
        let lines: Vec<String> = memory::lines::lines(&shown)
            .map(|line| line.text.to_owned())
            .collect();
        let mut statements = Vec::new();
        if let Some(field) = entry.frontmatter().field("description")
            && let Some(line) = lines.get(field.line - 1)
            && let Some(start) = line
                .find(field.text.trim())
                .filter(|_| !field.text.trim().is_empty())
        {
            let range = start..start + field.text.trim().len();
            statements.push(Statement::new(field.line, line, range, Part::Head));
        }
        let first = entry.body_line();
        statements.extend(prose::statements(
            lines
                .iter()
                .enumerate()
                .map(|(at, line)| (at + 1, line.as_str()))
                .filter(|(number, _)| *number >= first),
        ));
        let head_len = head_len(&statements);
        let subject = subject(entry.stem());
        let modified = entry.modified();
        let written = DAYS
            .iter()
            .find_map(|key| day(entry.field(key)?))
            .or_else(|| modified.map(|time| time.date_naive()));
        let body_lines = lines.len().saturating_sub(first - 1);
        Self {
            id,
            path: format!("memory/{}", entry.file().trim_start_matches("memory/")),
            file: entry.file().to_owned(),
            kind: entry.kind().or_else(|| entry.kind_by_name()),
            declared: entry.kind().is_some(),
            gate: entry
                .field("meta_gate")
                .or_else(|| entry.field("metadata.meta_gate"))
                == Some("true"),
            written,
            modified,
            body_lines,
            numbers: numbers(&lines),
            lines,
            statements,
            bags: Vec::new(),
            whole: Bag::default(),
            head: Bag::default(),
            head_len,
            subject,
            sketch: OnceLock::new(),
            claims: OnceLock::new(),
            named_days: OnceLock::new(),
        }
    }

    /// Leaves out what the body says before a line.
    pub(crate) fn begin_with(&mut self, line: usize) {
        self.statements
            .retain(|statement| statement.part == Part::Head || statement.line >= line);
        self.head_len = head_len(&self.statements);
    }

    /// The words of a statement as they stand in the file.
    pub(crate) fn text(&self, statement: &Statement) -> &str {
        &self.lines[statement.line - 1][statement.range.clone()]
    }

    /// The numbers of a statement, with their units.
    pub(crate) fn quantities<'a>(&self, statement: &'a Statement) -> &'a [Quantity] {
        statement.quantities(|| self.text(statement))
    }

    /// A statement cut for comparing.
    pub(crate) fn pieces<'a>(&self, corpus: &Corpus, statement: &'a Statement) -> &'a Pieces {
        statement.pieces(corpus, || self.text(statement))
    }

    /// The words of a statement that a name narrows down.
    pub(crate) fn narrowed<'a>(&self, corpus: &Corpus, said: &'a Statement) -> &'a [Narrowed] {
        said.narrowed(corpus, self.text(said))
    }

    /// The words of a part of a statement.
    pub(crate) fn known(
        &self,
        corpus: &Corpus,
        statement: &Statement,
        part: Range<usize>,
    ) -> Vec<WordId> {
        let text = self.text(statement);
        corpus.known_in(text, &statement.spots(corpus, text), part)
    }

    /// Whether a statement denies what it says.
    pub(crate) fn denies(&self, corpus: &Corpus, statement: &Statement) -> bool {
        let text = self.text(statement);
        // Few letters change their length, and hardly one where a word ends.
        if text.len() == statement.folded.len() {
            compare::denies(
                corpus,
                &statement.folded,
                &statement.spots(corpus, text),
                text,
            )
        } else {
            compare::says_no(&statement.folded)
        }
    }

    /// A statement as evidence.
    pub(crate) fn evidence(&self, statement: &Statement) -> Evidence {
        Evidence::of(&self.path, statement.line, self.text(statement))
    }

    /// The statement that holds a byte of a line.
    pub(crate) fn statement_at(&self, line: usize, at: usize) -> Option<usize> {
        self.search(
            |s| s.line < line || s.line == line && s.range.end <= at,
            |s| s.line == line && s.range.contains(&at),
        )
    }

    /// The first statement of a line.
    pub(crate) fn statement_on(&self, line: usize) -> Option<usize> {
        self.search(|s| s.line < line, |s| s.line == line)
    }

    /// The description, else the first of the others that is not `before`, if it `is` the one.
    fn search(
        &self,
        before: impl Fn(&Statement) -> bool,
        is: impl Fn(&Statement) -> bool,
    ) -> Option<usize> {
        let described = usize::from(
            self.statements
                .first()
                .is_some_and(|s| s.part == Part::Head),
        );
        if described == 1 && is(&self.statements[0]) {
            return Some(0);
        }
        let at = described + self.statements[described..].partition_point(before);
        self.statements.get(at).filter(|s| is(s)).map(|_| at)
    }

    /// What it is compared by.
    pub(crate) fn sketch(&self, corpus: &Corpus) -> &Sketch {
        self.sketch.get_or_init(|| Sketch::of(self, corpus))
    }

    /// What it claims, as far as that can be held against another one.
    pub(crate) fn claims(&self, corpus: &Corpus) -> &Claims {
        self.claims.get_or_init(|| Claims::of(self, corpus))
    }

    /// The days of a year that its head names.
    pub(crate) fn named_days(&self) -> &[NamedDay] {
        self.named_days.get_or_init(|| {
            let head = self.statements[..self.head_len].iter().enumerate();
            head.flat_map(|(at, said)| {
                let days = month_days(&said.folded);
                days.into_iter().map(move |day| (day, at))
            })
            .collect()
        })
    }

    /// The statements that say what it is about, with their bags.
    pub(crate) fn head(&self) -> impl Iterator<Item = (&Statement, &Bag)> {
        self.all().take(self.head_len)
    }

    /// The main claim: the first sentence of the body.
    pub(crate) fn claim(&self) -> Option<usize> {
        self.statements
            .iter()
            .position(|s| matches!(s.part, Part::Text | Part::Item))
    }

    /// All statements with their bags.
    pub(crate) fn all(&self) -> impl Iterator<Item = (&Statement, &Bag)> {
        self.statements.iter().zip(&self.bags)
    }

    /// Statements after the description.
    pub(crate) fn body(&self) -> impl Iterator<Item = (&Statement, &Bag)> {
        self.all()
            .filter(|(statement, _)| statement.part != Part::Head)
    }

    /// The first statement of its head that says it.
    pub(crate) fn head_says(&self, cue: Cue) -> Option<&Statement> {
        self.statements[..self.head_len]
            .iter()
            .find(|statement| statement.says(cue))
    }

    /// Its first statement, or its first line when it has none: what stands for an entry as a whole.
    pub(crate) fn first(&self) -> Option<Evidence> {
        let body = self
            .body()
            .map(|(s, _)| s)
            .find(|s| s.part != Part::Heading);
        match body.or_else(|| self.statements.first()) {
            Some(statement) => Some(self.evidence(statement)),
            None => self
                .lines
                .iter()
                .enumerate()
                .find(|(_, line)| line.chars().any(char::is_alphanumeric))
                .map(|(at, line)| Evidence::of(&self.path, at + 1, line)),
        }
    }
}

/// Sentences of a body that belong to the head.
const HEAD: usize = 2;

/// How many of the first statements are the head: the description, and the first sentences with
/// the headings above them.
fn head_len(statements: &[Statement]) -> usize {
    let described = statements
        .iter()
        .take_while(|statement| statement.part == Part::Head)
        .count();
    let head = statements[described..]
        .iter()
        .take(HEAD * 2)
        .scan(0, |sentences, statement| {
            if *sentences >= HEAD {
                return None;
            }
            if statement.part != Part::Heading {
                *sentences += 1;
            }
            Some(())
        });
    described + head.count()
}

impl Read {
    /// Takes note of an entry's words.
    pub(crate) fn of(view: &View, entry: &Entry, corpus: &mut Corpus) -> Self {
        let words: Vec<Words> = view
            .statements
            .iter()
            .map(|statement| match without_links(view.text(statement)) {
                Cow::Borrowed(text) => {
                    let (ids, spots) = corpus.read_spots(text);
                    let spots = Some(spots);
                    Words { ids, spots }
                }
                Cow::Owned(text) => Words {
                    ids: corpus.read(&text),
                    spots: None,
                },
            })
            .collect();
        let subject = view.subject.join(" ");
        let name = corpus.read(&format!("{} {subject}", entry.name().unwrap_or_default()));
        corpus.count(words.iter().flat_map(|words| &words.ids).chain(&name));
        Self { words, name }
    }

    /// Gives the entry its words, weighed.
    pub(crate) fn settle(self, view: &mut View, corpus: &Corpus) {
        view.bags = self
            .words
            .into_iter()
            .zip(&mut view.statements)
            .map(|(words, statement)| {
                if let Some(spots) = words.spots {
                    statement.stands_at(spots);
                }
                corpus.bag(words.ids)
            })
            .collect();
        let name = corpus.bag(self.name);
        view.whole = corpus.union(view.bags.iter().chain([&name]));
        view.head = corpus.union(view.bags[..view.head_len].iter().chain([&name]));
    }
}

/// The words of a file's name without the type that it begins with.
fn subject(stem: &str) -> Vec<String> {
    let mut parts: Vec<String> = stem
        .split(['-', '_', '.', ' '])
        .filter(|part| !part.is_empty())
        .map(str::to_lowercase)
        .collect();
    if parts.len() > 1 && Kind::of(&parts[0]).is_some() {
        parts.remove(0);
    }
    parts
}

/// A text without the targets of its links; the words shown stay.
fn without_links(text: &str) -> Cow<'_, str> {
    if !text.contains('[') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find(['[', '(']) {
        out.push_str(&rest[..at]);
        let after = &rest[at..];
        if let Some(end) = after.strip_prefix("[[").and_then(|inner| inner.find("]]")) {
            rest = &after[end + 4..];
        } else if after.starts_with('(') && out.ends_with(']') {
            rest = after.find(')').map_or("", |end| &after[end + 1..]);
        } else {
            out.push_str(&after[..1]);
            rest = &after[1..];
        }
    }
    out.push_str(rest);
    Cow::Owned(out)
}

/// Issue and pull-request numbers of a text: `#NNN`, `GH-NNN`, `PR NNN`, `!NNN`, and ticket keys.
pub(crate) fn numbers(lines: &[String]) -> Vec<(u64, usize)> {
    let mut out = Vec::new();
    for (at, line) in lines.iter().enumerate() {
        for number in line_numbers(line) {
            out.push((number, at + 1));
        }
    }
    out
}

/// See [`numbers`].
pub(crate) fn line_numbers(line: &str) -> Vec<u64> {
    let mut out = Vec::new();
    let bytes = line.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        at += bytes[at..]
            .iter()
            .take_while(|b| !b.is_ascii_digit())
            .count();
        let digits = bytes[at..]
            .iter()
            .take_while(|b| b.is_ascii_digit())
            .count();
        if digits == 0 {
            break;
        }
        let before = &line[..at];
        let after = line[at + digits..].chars().next();
        let ends = !after.is_some_and(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_');
        let marked = before.ends_with('#')
            || before.ends_with("PR ")
            || before.ends_with("MR ")
            || before.ends_with("PR-")
            || before.ends_with("GH-")
            || before.ends_with(" !")
            || before.ends_with("issue ")
            || before.ends_with("Issue ")
            || before.ends_with("이슈 ")
            || before.ends_with("Ticket ");
        // A colour (`#3A7BD5`) and a heading (`# 2`) are none.
        if marked && ends && (1..=7).contains(&digits) {
            out.extend(line[at..at + digits].parse::<u64>().ok());
        } else if ends && before.ends_with('-') && (1..=6).contains(&digits) {
            // A ticket key: a capital or more, a hyphen, digits. Hashed, so that keys of several trackers differ.
            let key: String = before[..before.len() - 1]
                .chars()
                .rev()
                .take_while(char::is_ascii_uppercase)
                .collect();
            // Short ones with one capital are names of things (`A-4`).
            if key.len() >= 2 || key.len() == 1 && digits >= 3 {
                let number = line[at..at + digits].parse::<u64>().unwrap_or(0);
                let name = key
                    .bytes()
                    .fold(7_u64, |sum, b| sum.wrapping_mul(31) + u64::from(b));
                out.push((name << 24) + number);
            }
        }
        at += digits;
    }
    out.sort_unstable();
    out.dedup();
    out
}

/// The first `YYYY-MM-DD` of a text.
pub(crate) fn day(text: &str) -> Option<NaiveDate> {
    days(text).into_iter().next()
}

/// All days of a text: `YYYY-MM-DD`, `2026년 3월 5일`, `2026年3月5日`, `5.3.2026`, `5. März 2026`,
/// `March 5, 2026`.
pub(crate) fn days(text: &str) -> Vec<NaiveDate> {
    let mut out = Vec::new();
    for (at, _) in text.match_indices('-') {
        if at >= 4
            && text.as_bytes()[at - 1].is_ascii_digit()
            && let Some(day) = text.get(at - 4..at + 6)
        {
            out.extend(iso_day(day));
        }
    }
    if may_name_a_written_day(text) {
        out.extend(written_days(text));
    }
    out
}

/// A day as `YYYY-MM-DD`.
fn iso_day(text: &str) -> Option<NaiveDate> {
    let number = |digits: &[u8]| {
        let digits = digits.iter().map(|byte| u32::from(byte.wrapping_sub(b'0')));
        digits.fold(0, |number, digit| number * 10 + digit)
    };
    match text.as_bytes() {
        [years @ .., b'-', m, n, b'-', d, e]
            if years.iter().chain([m, n, d, e]).all(u8::is_ascii_digit) =>
        {
            let year = i32::try_from(number(years)).ok()?;
            NaiveDate::from_ymd_opt(year, number(&[*m, *n]), number(&[*d, *e]))
        }
        // With blanks, or with one digit.
        _ => NaiveDate::parse_from_str(text, "%Y-%m-%d").ok(),
    }
}

/// Whether [`written_days`] may find something in a text: four digits that may be a year's, and a
/// number before them or right behind them. Most texts that name a year name it as `YYYY-MM-DD`.
fn may_name_a_written_day(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut numbers_before = false;
    let mut at = 0;
    while let Some(start) = bytes[at..].iter().position(u8::is_ascii_digit) {
        let start = at + start;
        let digits = bytes[start..].iter().take_while(|b| b.is_ascii_digit());
        at = start + digits.count();
        let is_year = matches!(
            bytes[start..at],
            [b'1', b'9', _, _] | [b'2', b'0' | b'1', _, _]
        );
        let goes_on = !matches!(bytes.get(at), Some(b'-' | b':' | b';' | b'(' | b')'));
        if is_year && (goes_on || numbers_before) {
            return true;
        }
        numbers_before = true;
    }
    false
}

/// The months' names in English and German; they are shortened to three letters and more.
const MONTHS: [&[&str]; 12] = [
    &["january", "januar", "jänner"],
    &["february", "februar"],
    &["march", "märz", "maerz"],
    &["april"],
    &["may", "mai"],
    &["june", "juni"],
    &["july", "juli"],
    &["august"],
    &["september"],
    &["october", "oktober"],
    &["november"],
    &["december", "dezember"],
];

/// Whether a small word names a month or a day of the week.
pub(crate) fn is_time(word: &str) -> bool {
    const DAYS: [&str; 33] = [
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
        "montag",
        "dienstag",
        "mittwoch",
        "donnerstag",
        "freitag",
        "samstag",
        "sonnabend",
        "sonntag",
        "weekend",
        "week",
        "month",
        "year",
        "today",
        "yesterday",
        "woche",
        "monat",
        "jahr",
        "wochenende",
        "월요일",
        "화요일",
        "수요일",
        "목요일",
        "금요일",
        "토요일",
        "일요일",
        "주말",
    ];
    month(word).is_some() || DAYS.contains(&word)
}

/// The month that a small word names, shortened (`okt`) or with an ending (`Januars`).
fn month(word: &str) -> Option<u32> {
    // Most words are none.
    let first = word.as_bytes().first()?;
    if word.len() < 3 || !b"jfmasond".contains(first) {
        return None;
    }
    let names = |name: &&str| {
        word.starts_with(*name) && word.len() <= name.len() + 2
            || word.chars().count() >= 3 && name.starts_with(word)
    };
    let found = (1..).zip(MONTHS).find(|(_, all)| all.iter().any(names));
    found.map(|(month, _)| month)
}

/// A word in small letters.
fn lower(word: &str) -> Cow<'_, str> {
    if word
        .bytes()
        .any(|byte| byte.is_ascii_uppercase() || !byte.is_ascii())
    {
        Cow::Owned(word.to_lowercase())
    } else {
        Cow::Borrowed(word)
    }
}

/// What stands in a text, as far as days are made of it.
#[derive(Clone, Copy)]
enum DayPart {
    /// A number and its digits.
    Number(u32, usize),
    Month(u32),
    Other,
}

/// The last of the days of a text, and of the months that it names with a year (`October 2028`,
/// `10/2028`, `2028년 10월`, `2028年10月`): of a month its last day.
pub(crate) fn last_day(text: &str) -> Option<NaiveDate> {
    let parts = day_parts(text);
    let end = |year: u32, month: u32| {
        let year = i32::try_from(year)
            .ok()
            .filter(|year| (1900..2200).contains(year))?;
        let first = NaiveDate::from_ymd_opt(year, month, 1)?;
        first.checked_add_months(chrono::Months::new(1))?.pred_opt()
    };
    let months = parts.windows(2).filter_map(|two| match *two {
        [
            DayPart::Number(month, 1 | 2) | DayPart::Month(month),
            DayPart::Number(year, 4),
        ]
        | [
            DayPart::Number(year, 4),
            DayPart::Number(month, 1 | 2) | DayPart::Month(month),
        ] => end(year, month),
        _ => None,
    });
    // The month of a whole day ends later than that.
    let days = days(text);
    let of_days = |day: NaiveDate| {
        days.iter()
            .any(|whole| (whole.year(), whole.month()) == (day.year(), day.month()))
    };
    let last = months.filter(|day| !of_days(*day)).max();
    days.iter().copied().max().max(last)
}

/// Days that are written otherwise than `YYYY-MM-DD`: three neighbours of which one is a year.
fn written_days(text: &str) -> Vec<NaiveDate> {
    let day = |year: u32, month: u32, day: u32| {
        let year = i32::try_from(year)
            .ok()
            .filter(|year| (1900..2200).contains(year))?;
        NaiveDate::from_ymd_opt(year, month, day)
    };
    day_parts(text)
        .windows(3)
        .filter_map(|three| match *three {
            [
                DayPart::Number(year, 4),
                DayPart::Number(month, _),
                DayPart::Number(at, _),
            ]
            | [
                DayPart::Number(at, _),
                DayPart::Number(month, _) | DayPart::Month(month),
                DayPart::Number(year, 4),
            ]
            | [
                DayPart::Month(month),
                DayPart::Number(at, _),
                DayPart::Number(year, 4),
            ] => day(year, month, at),
            _ => None,
        })
        .collect()
}

/// The days of a year that a text names, with or without the year: month and day.
pub(crate) fn month_days(text: &str) -> Vec<(u32, u32)> {
    if !text.bytes().any(|b| b.is_ascii_digit()) {
        return Vec::new();
    }
    let mut out: Vec<(u32, u32)> = days(text)
        .into_iter()
        .map(|day| (day.month(), day.day()))
        .collect();
    let month_first = text.contains(['월', '月']);
    let fits = |month: u32, day: u32| (1..=12).contains(&month) && (1..=31).contains(&day);
    out.extend(day_parts(text).windows(2).filter_map(|two| match *two {
        // `14. Juni`, `June 14`; a year stands apart.
        [DayPart::Number(day, 1 | 2), DayPart::Month(month)]
        | [DayPart::Month(month), DayPart::Number(day, 1 | 2)]
            if fits(month, day) =>
        {
            Some((month, day))
        }
        [DayPart::Number(month, 1 | 2), DayPart::Number(day, 1 | 2)]
            if month_first && fits(month, day) && marked(text, month, day) =>
        {
            Some((month, day))
        }
        _ => None,
    }));
    out.sort_unstable();
    out.dedup();
    out
}

/// Whether a folded text names a month.
pub(crate) fn names_month(text: &str, month: u32) -> bool {
    let with_sign = || {
        ['월', '月'].into_iter().any(|sign| {
            text.match_indices(sign).any(|(at, _)| {
                let before = text[..at].trim_end();
                let digits = before.bytes().rev().take_while(u8::is_ascii_digit).count();
                before[before.len() - digits..].parse() == Ok(month)
            })
        })
    };
    // `may` is more often no month.
    let written =
        |part: &DayPart| month != 5 && matches!(part, DayPart::Month(named) if *named == month);
    with_sign() || day_parts(text).iter().any(written)
}

/// A month and a day are written with their signs (`6월 14일`, `6月14日`).
fn marked(text: &str, month: u32, day: u32) -> bool {
    ['월', '月'].into_iter().any(|sign| {
        text.match_indices(sign).any(|(at, _)| {
            let before = &text[..at];
            let behind = text[at + sign.len_utf8()..].trim_start();
            let digits = behind.bytes().take_while(u8::is_ascii_digit).count();
            before.ends_with(&month.to_string())
                && behind[..digits].parse::<u32>() == Ok(day)
                && behind[digits..].starts_with(['일', '日', '号'])
        })
    })
}

fn day_parts(text: &str) -> Vec<DayPart> {
    use DayPart as Part;
    let mut parts: Vec<Part> = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if c.is_ascii_digit() {
            let end = rest
                .find(|c: char| !c.is_ascii_digit())
                .unwrap_or(rest.len());
            parts.push(
                rest[..end]
                    .parse()
                    .map_or(Part::Other, |number| Part::Number(number, end)),
            );
            end
        } else if c.is_alphabetic() {
            let end = rest
                .find(|c: char| !c.is_alphabetic())
                .unwrap_or(rest.len());
            let word = lower(&rest[..end]);
            // The signs behind the numbers of a day (`년 월 일`, `年月日`), and `the 5th`, say nothing.
            let mark = word.starts_with(['년', '월', '일', '年', '月', '日', '号']);
            if !mark && !matches!(&*word, "th" | "st" | "nd" | "rd") {
                parts.push(month(&word).map_or(Part::Other, Part::Month));
            }
            end
        } else {
            if matches!(c, '-' | ':' | ';' | '(' | ')') {
                parts.push(Part::Other);
            }
            c.len_utf8()
        };
        rest = &rest[length..];
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_of_issues_are_found() {
        assert_eq!(line_numbers("see #12, PR 40 and #3A7BD5 (#7)"), [7, 12, 40]);
        assert_eq!(line_numbers("MORU-141/queue").len(), 1);
        assert!(line_numbers("2026-11-30, utf-8, 12").is_empty());
    }

    #[test]
    fn links_leave_their_words() {
        assert_eq!(
            without_links("see [[a_b]] and [the plan](p.md) (x)"),
            "see  and [the plan] (x)"
        );
    }

    #[test]
    fn days_are_found() {
        assert_eq!(
            days("from 2026-10-15 to 2027-01-31, not 2026-13-01").len(),
            2
        );
        for text in [
            "2026년 3월 5일까지.",
            "2026年3月5日前。",
            "bis 05.03.2026.",
            "bis zum 5. märz 2026 fertig",
            "until march 5, 2026.",
            "on the 5th march 2026",
            "5 mar 2026",
        ] {
            assert_eq!(days(text), days("2026-03-05"), "{text}");
        }
        assert!(days("2.4.1 of 2026, 10 to 12, may we, 1.2.3").is_empty());
    }

    #[test]
    fn months_end_and_days_need_no_year() {
        for text in [
            "gültig bis oktober 2028",
            "valid until 10/2028",
            "2028년 10월까지",
            "有效期至2028年10月",
        ] {
            assert_eq!(last_day(text), day("2028-10-31"), "{text}");
        }
        assert_eq!(last_day("läuft am 3. oktober 2028 ab"), day("2028-10-03"));
        for text in [
            "am 14. juni",
            "on june 14",
            "6월 14일 결과",
            "6月14日的结果",
            "14.06.2026",
        ] {
            assert_eq!(month_days(text), [(6, 14)], "{text}");
        }
        assert!(month_days("6 bis 14 tage").is_empty());
    }

    proptest::proptest! {
        #[test]
        fn what_is_passed_over_names_no_day(
            text in "(2026|2027|1999|5|12|31|[ ./:;()-]|, |th|on |märz |june|년|월|年|月|日|x){0,9}",
        ) {
            if !may_name_a_written_day(&text) {
                proptest::prop_assert!(written_days(&text).is_empty());
            }
        }

        #[test]
        fn any_line_is_read(line in "\\PC{0,60}") {
            let _ = (line_numbers(&line), days(&line), without_links(&line));
            let _ = (last_day(&line), month_days(&line));
        }
    }
}
