//! Finds bytes of which a word has to hold some, so that it may stand for a word of the query.

use crate::judge::holds;
use crate::query::Target;
use crate::quick::{self, Quick};
use aho_corasick::{AhoCorasick, AhoCorasickKind, Anchored, Input, MatchKind, StartKind};
use std::ops::Range;
use std::sync::OnceLock;

/// Most automata for needles of four bytes and more.
const GROUPS: usize = 5;
/// Most automata of a finder.
const AUTOMATA: usize = 3 + GROUPS;
/// Bytes that are looked at at a time: they stay in the nearest memory while each automaton does.
const BLOCK: usize = 8192;
/// Bytes of the longest beginning of a letter that is asked for.
const LETTER: usize = 3;

/// Finds the needles of targets.
#[derive(Debug, Default)]
pub(crate) struct Finder {
    /// For a part of a text without [`apart`] bytes and [`strange`] letters.
    composed: Automata,
    /// All needles, where a part with them needs more.
    all: Vec<Vec<u8>>,
    /// The automata for these, once a text needs them.
    apart: OnceLock<Automata>,
    /// Bytes of the longest needle, or letter that is asked for.
    longest: usize,
}

/// Whether a byte stands in what is decomposed: a combining mark, a letter of Hangul. (And in a few
/// other characters.) Hardly any text has one, and half of all needles do.
fn apart(byte: u8) -> bool {
    matches!(byte, 0xcc | 0xcd | 0xe1)
}

/// What the letters begin with that are written in ASCII in many ways, or are ASCII in another shape:
/// with marks (`é`), on their own (`ø`), wide (`Ａ`), joined (`ﬁ`). In a part of a text with [`strange`] ones
/// each word that holds one is looked at.
pub(crate) const STRANGE: [&[u8]; 6] = [
    b"\xc3",
    b"\xc4",
    b"\xc5",
    b"\xef\xac",
    b"\xef\xbc",
    b"\xef\xbd",
];

/// Whether a text holds letters that stand for ASCII ones, German ones aside: needles know these.
fn strange(bytes: &[u8]) -> bool {
    memchr::memchr3_iter(0xc3, 0xc4, 0xef, bytes).any(|at| {
        match bytes.get(at..).unwrap_or_default() {
            [0xc3, next, ..] => !matches!(
                next,
                0x84 | 0x96 | 0x97 | 0x9c | 0x9f | 0xa4 | 0xb6 | 0xb7 | 0xbc
            ),
            [0xc4, ..] => true,
            [0xef, 0xac, next, ..] => *next <= 0x86,
            [0xef, 0xbc, next, ..] => matches!(next, 0x90..=0x99 | 0xa1..=0xba),
            [0xef, 0xbd, next, ..] => matches!(next, 0x81..=0x9a),
            _ => false,
        }
    }) || memchr::memchr(0xc5, bytes).is_some()
}

/// Whether all needles are needed for a part of a text.
pub(crate) fn needs_all(bytes: &[u8]) -> bool {
    memchr::memchr3(0xcc, 0xcd, 0xe1, bytes).is_some() || strange(bytes)
}

/// Automata over needles. An automaton takes as many bytes of each as its shortest has: short ones,
/// which would spoil the look at four, have automata of their own.
#[derive(Debug, Default)]
struct Automata {
    list: Vec<Automaton>,
    /// They look at the text with small letters.
    folds: bool,
}

#[derive(Debug)]
enum Automaton {
    All(Box<AhoCorasick>),
    Bytes([u8; 3]),
    Quick(Quick),
}

/// Where a walk through one text stands: what each automaton found last.
#[derive(Debug, Default)]
pub(crate) struct Cursor {
    found: [Next; AUTOMATA],
    /// The part that is looked at with small ASCII letters, for automata that ask for that.
    low: Vec<u8>,
    /// Where in the text it stands; every needle that begins there is held whole.
    window: Range<usize>,
    /// The end of what is held.
    held: usize,
    /// All needles are looked for.
    all: bool,
    /// From here up to the window no needle begins.
    passed: usize,
}

impl Cursor {
    /// To the beginning of another text.
    pub(crate) fn reset(&mut self) {
        self.found = Default::default();
        self.window = 0..0;
        self.passed = 0;
    }

    /// Goes on to the part of a text that begins at a place.
    fn slide(&mut self, text: &[u8], at: usize, finder: &Finder) {
        let end = at.saturating_add(BLOCK).min(text.len());
        self.held = end.saturating_add(finder.longest).min(text.len());
        self.window = at..end;
        let part = text.get(at..self.held).unwrap_or_default();
        let all = !finder.all.is_empty() && needs_all(part);
        if all != self.all {
            self.all = all;
            self.found = Default::default();
        }
        if finder.automata(all).folds {
            self.low.clear();
            self.low.extend(part.iter().map(u8::to_ascii_lowercase));
        }
        for next in &mut self.found {
            if matches!(next, Next::Nowhere) {
                *next = Next::Unknown;
            }
        }
    }
}

#[derive(Debug, Default, Clone)]
enum Next {
    #[default]
    Unknown,
    At(Range<usize>),
    Nowhere,
}

/// Bytes of which every word that matches holds one.
pub(crate) fn needles_of<'t>(targets: impl IntoIterator<Item = &'t Target>) -> Vec<Vec<u8>> {
    let mut needles = Vec::new();
    for target in targets {
        target.form.needles(target.own, target.fuzzy, &mut needles);
    }
    needles
}

/// Needles without those that are found by another one which they hold. A number does not find a
/// longer one: where both stand, the longer comes first.
fn without_longer(mut needles: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    needles.sort_unstable();
    needles.dedup();
    let is_number = |needle: &[u8]| {
        let ends = [needle.first(), needle.last()];
        ends.into_iter().flatten().any(u8::is_ascii_digit)
    };
    let all = needles.clone();
    needles.retain(|needle| {
        !all.iter()
            .any(|other| other.len() < needle.len() && !is_number(other) && holds(needle, other))
    });
    needles.reverse();
    needles
}

impl Finder {
    pub(crate) fn new<'t>(targets: impl IntoIterator<Item = &'t Target>) -> Self {
        let mut latin = false;
        let needles = needles_of(targets.into_iter().inspect(|target| {
            latin |= target.form.is_latin();
        }));
        let needles = without_longer(needles);
        let composed: Vec<Vec<u8>> = needles
            .iter()
            .filter(|needle| !needle.iter().any(|byte| apart(*byte)))
            .cloned()
            .collect();
        let more = latin || composed.len() < needles.len();
        let mut all = if more { needles } else { Vec::new() };
        if latin {
            all.extend(STRANGE.map(<[u8]>::to_vec));
            all = without_longer(all);
        }
        let longest = all.iter().chain(&composed).map(Vec::len).max();
        Self {
            all,
            composed: Automata::new(composed),
            apart: OnceLock::new(),
            longest: longest.unwrap_or(0).max(LETTER),
        }
    }

    fn automata(&self, all: bool) -> &Automata {
        if all {
            self.apart.get_or_init(|| Automata::new(self.all.clone()))
        } else {
            &self.composed
        }
    }

    /// The next place at or after `at` where a needle stands. A cursor walks one text, forwards.
    pub(crate) fn find(&self, cursor: &mut Cursor, text: &[u8], at: usize) -> Option<Range<usize>> {
        if self.all.is_empty() && !self.composed.folds {
            return self.composed.first(&mut cursor.found, text, 0, at);
        }
        let mut at = at;
        if (cursor.passed..cursor.window.start).contains(&at) {
            at = cursor.window.start;
        } else {
            cursor.passed = at;
        }
        while at < text.len() {
            if !cursor.window.contains(&at) {
                cursor.slide(text, at, self);
            }
            let automata = self.automata(cursor.all);
            let part = if automata.folds {
                cursor.low.as_slice()
            } else {
                text.get(cursor.window.start..cursor.held)?
            };
            let first = automata.first(&mut cursor.found, part, cursor.window.start, at);
            // What begins behind the window may have others before it.
            match first.filter(|first| first.start < cursor.window.end) {
                Some(first) => return Some(first),
                None => at = cursor.window.end,
            }
        }
        None
    }
}

impl Automata {
    fn new(mut needles: Vec<Vec<u8>>) -> Self {
        if let Some(few) = Quick::new(&needles, quick::FEW, true) {
            return Self {
                list: vec![Automaton::Quick(few)],
                folds: false,
            };
        }
        for needle in &mut needles {
            needle.make_ascii_lowercase();
        }
        let [one, two, three, four] = by_length(needles);
        let mut list: Vec<Automaton> = Vec::new();
        list.extend(Automaton::single(&one));
        for set in [two, three] {
            list.extend(Automaton::quick(&set));
        }
        // In turn: neighbours in the order of bytes are of one language, whose bytes are alike.
        let groups = four.len().div_ceil(quick::MOST).clamp(1, GROUPS);
        for first in 0..groups {
            let group: Vec<_> = four.iter().skip(first).step_by(groups).cloned().collect();
            list.extend(Automaton::quick(&group));
        }
        Self { list, folds: true }
    }

    /// The first place at or after `at` that an automaton finds, from what each found last. `part` of
    /// the text begins at `base`.
    fn first(
        &self,
        found: &mut [Next],
        part: &[u8],
        base: usize,
        at: usize,
    ) -> Option<Range<usize>> {
        let mut first: Option<Range<usize>> = None;
        for (automaton, next) in self.list.iter().zip(found) {
            let known = match next {
                Next::Nowhere => continue,
                Next::At(range) => range.start >= at,
                Next::Unknown => false,
            };
            if !known {
                *next = automaton
                    .find(part, at.saturating_sub(base))
                    .map_or(Next::Nowhere, |range| {
                        Next::At(range.start + base..range.end + base)
                    });
            }
            if let Next::At(range) = next
                && first.as_ref().is_none_or(|first| {
                    range.start < first.start || range.start == first.start && range.end > first.end
                })
            {
                first = Some(range.clone());
            }
        }
        first
    }
}

/// Needles of one, two, three bytes, and of more: so many of them are looked at. A few short ones
/// are found along with the next shorter or longer ones.
fn by_length(needles: Vec<Vec<u8>>) -> [Vec<Vec<u8>>; 4] {
    let mut sets: [Vec<Vec<u8>>; 4] = Default::default();
    for needle in needles {
        let at = needle.len().clamp(1, sets.len()) - 1;
        if let Some(set) = sets.get_mut(at) {
            set.push(needle);
        }
    }
    let [_, two, three, four] = &mut sets;
    if three.len() + four.len() <= quick::TOGETHER {
        three.append(four);
    }
    if !two.is_empty() && two.len() + three.len() <= quick::TOGETHER {
        two.append(three);
    }
    sets
}

impl Automaton {
    /// For needles of one byte each.
    fn single(needles: &[Vec<u8>]) -> Option<Self> {
        match *needles.concat() {
            [] => None,
            [a] => Some(Self::Bytes([a; 3])),
            [a, b] => Some(Self::Bytes([a, b, b])),
            [a, b, c] => Some(Self::Bytes([a, b, c])),
            _ => Self::of(needles),
        }
    }

    /// A quick one, where there can be one.
    fn quick(needles: &[Vec<u8>]) -> Option<Self> {
        if needles.is_empty() {
            return None;
        }
        Quick::new(needles, usize::MAX, false)
            .map(Self::Quick)
            .or_else(|| Self::of(needles))
    }

    fn of(needles: &[Vec<u8>]) -> Option<Self> {
        if needles.is_empty() {
            return None;
        }
        AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::LeftmostFirst)
            .start_kind(StartKind::Unanchored)
            .kind((needles.len() < 400).then_some(AhoCorasickKind::DFA))
            .build(needles)
            .ok()
            .map(|automaton| Self::All(Box::new(automaton)))
    }

    fn find(&self, text: &[u8], at: usize) -> Option<Range<usize>> {
        match self {
            Self::All(automaton) => automaton
                .find(Input::new(text).range(at..).anchored(Anchored::No))
                .map(|found| found.range()),
            Self::Quick(quick) => quick.find(text, at),
            // Most digits are within numbers.
            Self::Bytes([a, b, c]) => memchr::memchr3_iter(*a, *b, *c, text.get(at..)?)
                .map(|found| at + found..at + found + 1)
                .find(|found| !within_number(text, found)),
        }
    }
}

/// Whether a number was found inside of a longer one, which is another.
pub(crate) fn within_number(text: &[u8], found: &Range<usize>) -> bool {
    let digit = |at: usize| text.get(at).is_some_and(u8::is_ascii_digit);
    digit(found.start)
        && (found.start > 0 && digit(found.start - 1) || digit(found.end))
        && found.clone().all(digit)
}
