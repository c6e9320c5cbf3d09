//! A statement cut into what is compared: words, numbers and characters, each with what it does.

mod shape;

use shape::Said;
pub(crate) use shape::Shape;

use super::Slot;
use crate::corpus::{Corpus, WordId};
use crate::quantity;
use crate::quick::QuickMap;
use crate::spots::Spot;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

/// A statement cut for comparing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pieces {
    all: Vec<Piece>,
    /// Numbers and labels, in their order, as they are compared.
    numbers: Vec<Box<str>>,
    /// Places in `all` of those that carry meaning.
    content: Vec<usize>,
    /// Their keys.
    keys: Vec<u64>,
    /// A bit for each of the keys; some share one.
    bits: u64,
    /// Those of them that mean something by the lexicon.
    meant: Vec<(usize, WordId)>,
    /// The last of them, if it is Korean: the first two sounds, which tell the verb.
    verb: Option<(char, char)>,
}

#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) role: Role,
    pub(super) script: Script,
    /// Its clause denies.
    pub(super) denied: bool,
    /// A verb that carries meaning: what stands before it is spoken of.
    binds: bool,
    /// It begins with a capital.
    capital: bool,
    /// The character that it is.
    character: Option<char>,
}

/// Whose letters a word is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    Latin,
    Hangul,
    Other,
}

impl Script {
    /// That of a word's first letter.
    fn of(word: &str) -> Self {
        match word.chars().next().map_or(0, u32::from) {
            0..0x1100 => Self::Latin,
            0xac00..0xd7b0 => Self::Hangul,
            _ => Self::Other,
        }
    }
}

/// What a piece does in its sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Role {
    /// Carries meaning.
    Word,
    /// A number, a label or a value.
    Number,
    /// A character of a script without spaces.
    Han,
    /// A form of to be, to have, may: what stands before it is spoken of.
    Verb,
    /// Binds a place, a time, a means: what stands before it is spoken of.
    Binder,
    /// `we`, `you`, or behind a verb that commands: nothing else is spoken of.
    Speaker,
    /// Any other word that carries no meaning.
    Filler,
    /// A Korean particle after what is spoken of.
    Topic,
}

/// Verbs of every trade: they carry meaning, and what stands before them is spoken of.
const DEEDS: &str = " uses used use needs need gets costs cost runs run takes gives goes go lies stands kostet kosten braucht \
 nutzt nutzen liegt steht gehort lauft ";
/// Verbs that command at the beginning of a sentence: nothing else is spoken of.
const COMMANDS: &str = " use prefer keep write run send put store add make call name set choose verwende nutze \
 schreibe benutze nimm ";
/// Forms of to be, to have, may.
const VERBS: &str = " is are was were be been has have had can could will would shall should must may might do does did \
 ist sind war waren wird werden wurde wurden hat haben hatte kann konnen muss mussen soll sollen darf \
 durfen gibt ";
/// Prepositions.
const BINDERS: &str = " to on in at with for from by into under over until till before after since through via without as than \
 mit im am an auf bei bis nach um uber unter von vom zu zum zur fur aus durch ohne seit vor ab gegen als ";
/// Pronouns that a sentence is not about.
const SPEAKERS: &str = " we i you they it please wir ich man sie er es du ihr bitte ";
/// Words that strengthen and say nothing else.
const FILLERS: &str = " always all every each any please currently now only still again already decision note \
 immer stets alle jede jeden jedes jetzt aktuell derzeit schon noch wieder entscheidung beschluss \
 항상 늘 반드시 꼭 지금 현재 모든 모두 매번 결정 다시 ";
/// Latin words that deny.
const DENYING: &str = " not no never none nobody cannot neither nor without off avoid forbidden nicht niemand kein keine keinen keinem keiner keines nie niemals \
 keinesfalls weder ohne verboten untersagt vermeiden ";
/// What denies wherever it stands, by the character that it begins with.
const DENYING_PARTS: [(char, &[&str]); 13] = [
    ('n', &["'t", "’t"]),
    ('지', &[" 않", "않", " 말", "말", " 마", "마"]),
    ('금', &["지"]),
    ('안', &[" "]),
    ('못', &[" "]),
    ('없', &[""]),
    ('아', &["니"]),
    (
        '不',
        &[
            "要", "得", "能", "可", "再", "用", "使用", "许", "准", "应", "会", "是", "在", "写",
            "显",
        ],
    ),
    ('没', &["有"]),
    ('勿', &[""]),
    ('禁', &["止"]),
    ('严', &["禁"]),
    ('别', &["用"]),
];
/// Chinese words with 不 that deny nothing.
const NO_DENIAL: [&str; 10] = [
    "不仅", "不但", "不断", "不过", "不同", "不锈", "不止", "不只", "不少", "不错",
];
/// Characters that carry no meaning by themselves.
const HAN_FILLERS: &str = "的了和与也都就于已将被每请要不勿没别";
/// Characters before which something is spoken of.
const HAN_BINDERS: &str = "在是从由用为有可能必从由以放存到开使听收花叫向由应须";
/// Pieces of a statement that are compared.
pub(super) const MOST: usize = 48;

/// What a Latin word is in a sentence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Class {
    Deed,
    Command,
    /// A verb of the first list that also commands.
    Both,
    Verb,
    Binder,
    Speaker,
    Filler,
    Denying,
}

fn class(word: &str) -> Option<Class> {
    static TABLE: OnceLock<QuickMap<&'static str, Class>> = OnceLock::new();
    let table = TABLE.get_or_init(|| {
        let mut table = QuickMap::default();
        for (list, class) in [
            (FILLERS, Class::Filler),
            (SPEAKERS, Class::Speaker),
            (BINDERS, Class::Binder),
            (VERBS, Class::Verb),
            (DEEDS, Class::Deed),
            (DENYING, Class::Denying),
        ] {
            table.extend(list.split_whitespace().map(|word| (word, class)));
        }
        for word in COMMANDS.split_whitespace() {
            let class = match table.get(word) {
                Some(Class::Deed) => Class::Both,
                _ => Class::Command,
            };
            table.insert(word, class);
        }
        table
    });
    table.get(word).copied()
}

/// Whether a clause denies what it says.
pub(crate) fn says_no(clause: &str) -> bool {
    denies_by_letters(clause)
        || words::tokens(clause)
            .iter()
            .filter(|token| token.kind == words::Kind::Word)
            .any(|token| class(&words::plain(&token.folded())) == Some(Class::Denying))
}

/// The same of a text, or a part of one, whose words are known. `letters`: it, in any case.
pub(crate) fn denies(corpus: &Corpus, letters: &str, spots: &[Spot], text: &str) -> bool {
    denies_by_letters(letters)
        || spots
            .iter()
            .filter(|spot| spot.kind == words::Kind::Word)
            .any(|spot| shape(corpus, *spot, text).denies())
}

/// What a word is that stands at a spot of a text.
fn shape<'a>(corpus: &'a Corpus, spot: Spot, text: &str) -> Cow<'a, Shape> {
    let word = &text[spot.range()];
    match corpus.shape(spot, word) {
        Some(known) => Cow::Borrowed(known),
        None => Cow::Owned(Shape::of_unread(corpus, word)),
    }
}

fn denies_by_letters(clause: &str) -> bool {
    if clause.is_ascii() {
        return clause.contains('\'') && denies_by_a_part(clause);
    }
    denies_by_a_part(clause)
        || clause.contains('不') && !NO_DENIAL.iter().any(|word| clause.contains(word))
}

/// Whether some of [`DENYING_PARTS`] stands in it.
fn denies_by_a_part(clause: &str) -> bool {
    clause.char_indices().any(|(at, c)| {
        let c = c.to_ascii_lowercase();
        (c == 'n' || !c.is_ascii())
            && DENYING_PARTS.iter().any(|(first, rest)| {
                let behind = &clause.as_bytes()[at + c.len_utf8()..];
                *first == c
                    && rest.iter().any(|rest| {
                        let part = behind.get(..rest.len());
                        part.is_some_and(|part| part.eq_ignore_ascii_case(rest.as_bytes()))
                    })
            })
    })
}

impl Pieces {
    /// Cuts a text whose words stand at some spots.
    pub(crate) fn of(corpus: &Corpus, text: &str, spots: &[Spot]) -> Self {
        let most = spots.len().min(MOST);
        let mut out = Self {
            all: Vec::with_capacity(spots.len() + 1),
            content: Vec::with_capacity(most),
            keys: Vec::with_capacity(most),
            ..Self::default()
        };
        let labelled = text.len() - without_label(text).len();
        // What stands before has been looked at.
        let mut rest = spots;
        let mut reach = 0;
        for clause in clauses(&text[labelled..]) {
            let clause = clause.start + labelled..clause.end + labelled;
            let before = rest.partition_point(|spot| spot.range().start < clause.start);
            let (before, behind) = rest.split_at(before);
            let within = behind.partition_point(|spot| spot.range().start < clause.end);
            let (here, behind) = behind.split_at(within);
            rest = behind;
            let ends = |spots: &[Spot]| spots.iter().map(|spot| spot.range().end).max();
            reach = reach.max(ends(before).unwrap_or(0));
            let (started, ended) = (reach, ends(here).unwrap_or(0));
            reach = reach.max(ended);
            if started > clause.start || ended > clause.end {
                // A joined word is cut in two.
                let part = &text[clause];
                out.clause(corpus, part, 0..part.len(), &corpus.spots(part));
            } else {
                out.clause(corpus, text, clause, here);
            }
        }
        out
    }

    /// A piece that carries no meaning.
    fn push(&mut self, piece: Piece) {
        self.all.push(piece);
    }

    /// A piece that carries meaning.
    fn carry(&mut self, piece: Piece, said: &Said) {
        if self.keys.len() < MOST {
            self.meant
                .extend(said.meant.map(|word| (self.keys.len(), word)));
            self.keys.push(said.key);
            self.bits |= bit(said.key);
            self.content.push(self.all.len());
            self.verb = said.verb;
        }
        self.all.push(piece);
    }

    /// A number, or a label.
    fn number(&mut self, corpus: &Corpus, number: &str, denied: bool) {
        self.numbers.push(number.into());
        let piece = Piece::new(Role::Number, Script::Latin, denied);
        self.carry(piece, &Said::of(corpus, number));
    }

    /// Takes the last number away.
    fn take_number(&mut self) -> Option<Box<str>> {
        let number = self.numbers.pop()?;
        self.all.pop();
        if self.content.pop_if(|at| *at == self.all.len()).is_some() {
            self.keys.pop();
            self.meant.pop_if(|(at, _)| *at == self.keys.len());
        }
        Some(number)
    }

    /// What carries no meaning.
    fn bare(&mut self, role: Role, denied: bool) {
        self.push(Piece::new(role, Script::Latin, denied));
    }

    /// A clause of a text, with what stands in it.
    fn clause(&mut self, corpus: &Corpus, text: &str, clause: Range<usize>, spots: &[Spot]) {
        let denied = denies(corpus, &text[clause.clone()], spots, text);
        let mut passed = 0;
        // Where the last number ended: 4,20 and 18:00 are one.
        let mut number_end = usize::MAX;
        for spot in spots {
            let range = spot.range();
            if range.start < passed {
                continue;
            }
            let word = &text[range.clone()];
            let (before, behind) = (
                &text[clause.start..range.start],
                &text[range.end..clause.end],
            );
            match spot.kind {
                // A day says when, not what.
                words::Kind::Symbol if crate::view::day(word).is_some() => {
                    passed = range.end;
                }
                words::Kind::Symbol | words::Kind::Part => {}
                words::Kind::Han => {
                    for (offset, c) in word.char_indices() {
                        let at = range.start + offset;
                        // Neighbours overlap.
                        if at < passed {
                            continue;
                        }
                        if let Some((value, used)) = quantity::chinese_count(&text[at..clause.end])
                        {
                            passed = at + used;
                            self.number(corpus, &value.to_string(), denied);
                            continue;
                        }
                        passed = at + c.len_utf8();
                        self.character(corpus, c, denied);
                    }
                }
                words::Kind::Hangul => self.korean(corpus, &shape(corpus, *spot, text), denied),
                // Both halves of `don't`.
                words::Kind::Word if is_half(before, behind) => self.bare(Role::Filler, denied),
                words::Kind::Word => {
                    if word.as_bytes()[0].is_ascii_digit() {
                        let joins = number_end == range.start.wrapping_sub(1)
                            && before.ends_with(['.', ',', ':']);
                        number_end = range.end;
                        if joins && let Some(first) = self.take_number() {
                            self.number(corpus, &format!("{first}.{word}"), denied);
                            continue;
                        }
                    }
                    self.latin(corpus, word, &shape(corpus, *spot, text), denied);
                }
            }
        }
    }

    fn character(&mut self, corpus: &Corpus, c: char, denied: bool) {
        let role = if HAN_FILLERS.contains(c) {
            Role::Filler
        } else if "在是从由自".contains(c) {
            Role::Binder
        } else {
            Role::Han
        };
        let mut buffer = [0; 4];
        let written: &str = c.encode_utf8(&mut buffer);
        let piece = Piece {
            character: Some(c),
            ..Piece::new(role, Script::of(written), denied)
        };
        if role == Role::Han {
            self.carry(piece, &Said::of(corpus, written));
        } else {
            self.push(piece);
        }
    }

    fn korean(&mut self, corpus: &Corpus, shape: &Shape, denied: bool) {
        match shape {
            Shape::Number(number) => self.number(corpus, number, denied),
            Shape::Topic => self.bare(Role::Topic, denied),
            Shape::Korean { said, topic } => {
                match said {
                    Some(said) => self.carry(Piece::new(Role::Word, said.script, denied), said),
                    None => self.bare(Role::Filler, denied),
                }
                if *topic {
                    self.bare(Role::Topic, denied);
                }
            }
            Shape::Latin { .. } => {}
        }
    }

    fn latin(&mut self, corpus: &Corpus, word: &str, shape: &Shape, denied: bool) {
        // A capital alone is a label (`Lab A`).
        let label = word.len() == 1 && word != "I" && is_capital(word) && !self.all.is_empty();
        let (class, said, carries) = match shape {
            _ if label => {
                self.number(corpus, &word.to_ascii_lowercase(), denied);
                return;
            }
            Shape::Number(number) => {
                self.number(corpus, number, denied);
                return;
            }
            Shape::Latin {
                class,
                said,
                carries,
            } => (*class, said, *carries),
            Shape::Korean { .. } | Shape::Topic => return,
        };
        let first = self.all.iter().all(|piece| piece.role == Role::Filler);
        let commands = first && matches!(class, Some(Class::Command | Class::Both));
        let does = matches!(class, Some(Class::Deed | Class::Both));
        if commands || does {
            let piece = Piece {
                binds: !first,
                ..Piece::new(Role::Word, said.script, denied)
            };
            self.carry(piece, said);
            if commands {
                self.bare(Role::Speaker, denied);
            }
            return;
        }
        let role = match class {
            Some(Class::Filler | Class::Denying) => Role::Filler,
            Some(Class::Verb) => Role::Verb,
            Some(Class::Binder) => Role::Binder,
            Some(Class::Speaker) => Role::Speaker,
            _ if !carries => Role::Filler,
            _ => Role::Word,
        };
        let piece = Piece {
            capital: is_capital(word),
            ..Piece::new(role, said.script, denied)
        };
        if role == Role::Word {
            self.carry(piece, said);
        } else {
            self.push(piece);
        }
    }

    /// Whether one that carries meaning may have this key.
    pub(super) fn may_hold(&self, key: u64) -> bool {
        self.bits & bit(key) != 0
    }

    /// The keys of those that carry meaning.
    pub(super) fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// Those that carry meaning and mean something by the lexicon.
    pub(super) fn meant(&self) -> &[(usize, WordId)] {
        &self.meant
    }

    /// What tells the Korean verb that it ends with.
    pub(super) fn verb(&self) -> Option<(char, char)> {
        self.verb
    }

    /// How many of its pieces carry meaning.
    pub(crate) fn len(&self) -> usize {
        self.content.len()
    }

    /// One of those that carry meaning.
    pub(super) fn piece(&self, at: usize) -> &Piece {
        &self.all[self.content[at]]
    }

    /// Those that carry meaning, of a slot.
    pub(super) fn of_slot(&self, slot: &Slot) -> impl Iterator<Item = &Piece> {
        self.content[slot.clone()].iter().map(|at| &self.all[*at])
    }

    /// Numbers and labels, days left out.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = &str> {
        self.numbers.iter().map(|number| &**number)
    }

    /// Where a slot begins and ends among all pieces.
    fn place(&self, slot: &Slot) -> Option<(usize, usize)> {
        let first = *self.content.get(slot.start)?;
        let last = *self.content.get(slot.end.checked_sub(1)?)?;
        Some((first, last))
    }

    /// What stands right behind a slot.
    fn behind(&self, last: usize) -> Option<Role> {
        self.all.get(last + 1).map(|piece| piece.role)
    }

    /// Whether a slot stands in what is spoken of.
    pub(super) fn is_subject(&self, slot: &Slot) -> bool {
        let Some((first, last)) = self.place(slot) else {
            return false;
        };
        if let Some(topic) = self.all.iter().position(|piece| piece.role == Role::Topic) {
            return first <= topic;
        }
        let before = &self.all[..first];
        let some = |role: Role| before.iter().any(|piece| piece.role == role);
        if some(Role::Speaker) {
            return false;
        }
        if self.behind(last) == Some(Role::Verb) && !some(Role::Verb) {
            return true;
        }
        // `the check of van 3 costs`: what stands before a verb, however far from the beginning.
        let deed = self.all.get(last + 1).is_some_and(|piece| piece.binds);
        if deed
            && !before
                .iter()
                .any(|piece| piece.binds || piece.role == Role::Verb)
        {
            return true;
        }
        let bound = before.iter().enumerate().any(|(at, piece)| {
            let binds = piece.binds
                || matches!(piece.role, Role::Verb | Role::Binder)
                || piece.role == Role::Han && piece.is_one_of(HAN_BINDERS);
            binds && carried(&before[..at]) > 0
        });
        if bound {
            return false;
        }
        let han = before.iter().filter(|piece| piece.role == Role::Han);
        match han.count() {
            0 => carried(before) < 2,
            // Without a verb seen, three characters and a number of something are said of it.
            han => {
                let piece = &self.all[first];
                let number =
                    piece.role == Role::Number || piece.is_one_of("一二两三四五六七八九十");
                !(number && han >= 3)
            }
        }
    }

    /// A slot behind a first word, in small letters and bound to what follows: a verb.
    pub(super) fn is_verb(&self, slot: &Slot) -> bool {
        let small = |piece: &Piece| {
            piece.role == Role::Word && !piece.capital && piece.script == Script::Latin
        };
        let Some((_, last)) = self.place(slot) else {
            return false;
        };
        slot.start > 0 && self.of_slot(slot).all(small) && self.behind(last) == Some(Role::Binder)
    }

    /// What is done with a thing is another thing to say of it (`is milled by`, `is sold by`).
    pub(super) fn is_deed(&self, slot: &Slot) -> bool {
        let Some((first, last)) = self.place(slot) else {
            return false;
        };
        first > 0
            && self.all[first - 1].role == Role::Verb
            && self.all[first].role == Role::Word
            && self.behind(last) == Some(Role::Binder)
    }
}

impl Piece {
    fn new(role: Role, script: Script, denied: bool) -> Self {
        Self {
            role,
            script,
            denied,
            binds: false,
            capital: false,
            character: None,
        }
    }

    fn is_one_of(&self, characters: &str) -> bool {
        self.character.is_some_and(|c| characters.contains(c))
    }
}

/// A bit for a key.
fn bit(key: u64) -> u64 {
    1 << (key & 63)
}

/// Whether a word is one half of another that an apostrophe cuts (`don't`).
fn is_half(before: &str, behind: &str) -> bool {
    let (last, next) = (before.as_bytes().last(), behind.as_bytes().first());
    // What most words stand between.
    if matches!((last, next), (None | Some(b' '), None | Some(b' '))) {
        return false;
    }
    ["'t", "’t"].iter().any(|half| behind.starts_with(half)) || before.ends_with(['\'', '’'])
}

/// Whether a word begins with a capital.
fn is_capital(word: &str) -> bool {
    match word.as_bytes().first() {
        Some(first) if first.is_ascii() => first.is_ascii_uppercase(),
        _ => word.starts_with(char::is_uppercase),
    }
}

/// How many words pieces amount to.
fn carried(pieces: &[Piece]) -> usize {
    let count = |fits: fn(Role) -> bool| pieces.iter().filter(|piece| fits(piece.role)).count();
    count(|role| matches!(role, Role::Word | Role::Number))
        + count(|role| role == Role::Han).div_ceil(2)
}

/// A text without a label before it (`Decision: …`).
fn without_label(text: &str) -> &str {
    let label = if text.is_ascii() {
        text.split_once(':')
    } else {
        text.split_once([':', '：'])
    };
    match label {
        Some((label, rest))
            if label.split_whitespace().count() == 1
                && label.chars().all(char::is_alphabetic)
                && rest.trim().chars().count() > 8 =>
        {
            rest
        }
        _ => text,
    }
}

/// The parts of a text between commas and the like.
pub(crate) fn clauses(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = 0;
    let bytes = text.as_bytes();
    let digit = |place: usize| bytes.get(place).is_some_and(u8::is_ascii_digit);
    let mut next = 0;
    while let Some(byte) = bytes.get(next) {
        let at = next;
        next += 1;
        if byte.is_ascii_alphanumeric() {
            continue;
        }
        let Some(c) = text[at..].chars().next() else {
            break;
        };
        next = at + c.len_utf8();
        let ends = match c {
            ';' | '(' | ')' | '—' | '–' | '，' | '；' | '：' => true,
            ',' | ':' => !(at > 0 && digit(at - 1) && digit(at + 1)),
            // What denies after them denies no more than that.
            ' ' => {
                let latin = at == 0 || bytes[at - 1].is_ascii();
                bytes.get(at + 1).is_some_and(|b| b"abus".contains(b))
                    && [" but ", " and ", " und ", " aber ", " sondern "]
                        .iter()
                        .any(|word| text[at..].starts_with(word))
                    || !latin
                        && ["않고", "말고", "지만", "하고", "하며"]
                            .iter()
                            .any(|end| text[..at].ends_with(end))
            }
            _ => false,
        };
        if ends {
            out.push(start..at);
            start = next;
        }
    }
    out.push(start..text.len());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clause_denies_by_its_words() {
        let none = Corpus::default();
        for clause in [
            "do not use it",
            "we don't use it",
            "nie benutzen",
            "keine umlaute",
            "쓰지 않는다",
            "쓰지 말 것",
            "不要用",
            "禁止使用",
            "不使用mqtt",
            "DON’T",
        ] {
            assert!(says_no(clause), "{clause}");
            assert!(
                denies(&none, clause, &none.spots(clause), clause),
                "{clause}"
            );
        }
        for clause in ["note it", "kennen wir", "쓴다", "不锈钢的门", "knot"] {
            assert!(!says_no(clause), "{clause}");
            assert!(
                !denies(&none, clause, &none.spots(clause), clause),
                "{clause}"
            );
        }
    }

    #[test]
    fn numbers_are_whole_and_days_are_none() {
        let of = |text: &str| -> Vec<String> {
            let corpus = Corpus::default();
            let pieces = Pieces::of(&corpus, text, &corpus.spots(text));
            pieces.numbers().map(str::to_owned).collect()
        };
        assert_eq!(
            of("Ein Brot kostet 4,20 Euro, ab 18:00 nur 3."),
            ["4.20", "18.00", "3"]
        );
        assert_eq!(of("On 2026-10-05 Lab A has two doors"), ["a", "2"]);
    }
}
