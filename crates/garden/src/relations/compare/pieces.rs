//! A statement cut into what is compared: words, numbers and characters, each with what it does.

use super::Slot;
use crate::corpus::{Corpus, WordId};
use crate::quantity;
use crate::quick::{Quick, QuickMap};
use std::hash::Hasher;
use std::ops::Range;
use std::sync::OnceLock;

/// A statement cut for comparing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pieces {
    all: Vec<Piece>,
    /// Places in `all` of those that carry meaning.
    content: Vec<usize>,
    /// Their keys.
    keys: Vec<u64>,
    /// Those of them that mean something by the lexicon.
    meant: Vec<(usize, WordId)>,
    /// The last of them, if it is Korean: the first two sounds, which tell the verb.
    verb: Option<(char, char)>,
}

#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) stem: Box<str>,
    /// A number for the stem.
    pub(super) key: u64,
    pub(super) role: Role,
    pub(super) script: Script,
    /// Its clause denies.
    pub(super) denied: bool,
    /// A verb that carries meaning: what stands before it is spoken of.
    binds: bool,
    /// It begins with a capital.
    capital: bool,
}

/// Whose letters a word is written in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    Latin,
    Hangul,
    Other,
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
enum Class {
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
    denies(clause, &words::tokens(clause))
}

/// The same of one that is cut into tokens.
fn denies(clause: &str, tokens: &[words::Token<'_>]) -> bool {
    denies_by_a_part(clause)
        || clause.contains('不') && !NO_DENIAL.iter().any(|word| clause.contains(word))
        || tokens
            .iter()
            .filter(|token| token.kind == words::Kind::Word)
            .any(|token| class(&words::plain(&token.folded())) == Some(Class::Denying))
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
    /// Cuts a text.
    pub(crate) fn of(corpus: &Corpus, text: &str) -> Self {
        let mut out = Self::default();
        let text = without_label(text);
        for clause in clauses(text) {
            out.clause(corpus, &text[clause]);
        }
        out.content = (0..out.all.len())
            .filter(|at| matches!(out.all[*at].role, Role::Word | Role::Number | Role::Han))
            .take(MOST)
            .collect();
        let content = || out.content.iter().map(|at| &out.all[*at]);
        out.keys = content().map(|piece| piece.key).collect();
        out.meant = content()
            .enumerate()
            .filter_map(|(at, piece)| Some((at, corpus.id(&piece.stem)?)))
            .filter(|(_, word)| corpus.has_concepts(*word))
            .collect();
        out.verb = content().next_back().and_then(Piece::verb);
        out
    }

    fn push(&mut self, stem: &str, role: Role, denied: bool) -> &mut Piece {
        let mut quick = Quick::default();
        quick.write(stem.as_bytes());
        let script = match stem.chars().next().map_or(0, u32::from) {
            0..0x1100 => Script::Latin,
            0xac00..0xd7b0 => Script::Hangul,
            _ => Script::Other,
        };
        let at = self.all.len();
        self.all.push(Piece {
            stem: stem.into(),
            key: quick.finish(),
            role,
            script,
            denied,
            binds: false,
            capital: false,
        });
        &mut self.all[at]
    }

    fn clause(&mut self, corpus: &Corpus, clause: &str) {
        let tokens = words::tokens(clause);
        let denied = denies(clause, &tokens);
        let mut passed = 0;
        // Where the last number ended: 4,20 and 18:00 are one.
        let mut number_end = usize::MAX;
        for token in &tokens {
            if token.range.start < passed {
                continue;
            }
            match token.kind {
                // A day says when, not what.
                words::Kind::Symbol if crate::view::day(token.text).is_some() => {
                    passed = token.range.end;
                }
                words::Kind::Symbol | words::Kind::Part => {}
                words::Kind::Han => {
                    for (offset, c) in token.text.char_indices() {
                        let at = token.range.start + offset;
                        // Neighbours overlap.
                        if at < passed {
                            continue;
                        }
                        if let Some((value, used)) = quantity::chinese_count(&clause[at..]) {
                            passed = at + used;
                            self.push(&value.to_string(), Role::Number, denied);
                            continue;
                        }
                        passed = at + c.len_utf8();
                        self.character(c, denied);
                    }
                }
                words::Kind::Hangul => self.korean(corpus, token, denied),
                // Both halves of `don't`.
                words::Kind::Word
                    if ["'t", "’t"]
                        .iter()
                        .any(|half| clause[token.range.end..].starts_with(half))
                        || clause[..token.range.start].ends_with(['\'', '’']) =>
                {
                    self.push(token.text, Role::Filler, denied);
                }
                words::Kind::Word => {
                    let joins = number_end == token.range.start.wrapping_sub(1)
                        && clause[..token.range.start].ends_with(['.', ',', ':']);
                    if token.text.starts_with(|c: char| c.is_ascii_digit()) {
                        number_end = token.range.end;
                        if let Some(before) = self.all.last().filter(|_| joins) {
                            let whole = format!("{}.{}", before.stem, token.text);
                            self.all.pop();
                            self.push(&whole, Role::Number, denied);
                            continue;
                        }
                    }
                    self.latin(corpus, token, denied);
                }
            }
        }
    }

    fn character(&mut self, c: char, denied: bool) {
        let role = if HAN_FILLERS.contains(c) {
            Role::Filler
        } else if "在是从由自".contains(c) {
            Role::Binder
        } else {
            Role::Han
        };
        self.push(c.encode_utf8(&mut [0; 4]), role, denied);
    }

    fn korean(&mut self, corpus: &Corpus, token: &words::Token<'_>, denied: bool) {
        let word = token.text;
        if let Some(number) = quantity::of_word(word) {
            self.push(&number.to_string(), Role::Number, denied);
            return;
        }
        if matches!(word, "은" | "는" | "이" | "가") {
            self.push(word, Role::Topic, denied);
            return;
        }
        let denying = ["않", "말", "마라", "금지"];
        let filler = class(word).is_some() || denying.iter().any(|start| word.starts_with(start));
        match corpus.stem_of(token) {
            Some(stem) if !filler => self.push(&stem, Role::Word, denied),
            _ => self.push(word, Role::Filler, denied),
        };
        if word.chars().count() > 1 && word.ends_with(['은', '는', '이', '가']) {
            self.push("", Role::Topic, denied);
        }
    }

    fn latin(&mut self, corpus: &Corpus, token: &words::Token<'_>, denied: bool) {
        let folded = token.folded();
        let plain = words::plain(&folded);
        // A capital alone is a label (`Lab A`).
        let label = token.text.len() == 1
            && token.text != "I"
            && token.text.starts_with(char::is_uppercase)
            && !self.all.is_empty();
        if label || plain.starts_with(|c: char| c.is_ascii_digit()) {
            self.push(&plain, Role::Number, denied);
            return;
        }
        if let Some(number) = quantity::of_word(&folded) {
            self.push(&number.to_string(), Role::Number, denied);
            return;
        }
        let first = self.all.iter().all(|piece| piece.role == Role::Filler);
        let class = class(&plain);
        let stem = corpus.stem_of(token);
        let commands = first && matches!(class, Some(Class::Command | Class::Both));
        let does = matches!(class, Some(Class::Deed | Class::Both));
        if commands || does {
            let stem = stem.unwrap_or(folded);
            self.push(&stem, Role::Word, denied).binds = !first;
            if commands {
                self.push("", Role::Speaker, denied);
            }
            return;
        }
        let role = match class {
            Some(Class::Filler | Class::Denying) => Role::Filler,
            Some(Class::Verb) => Role::Verb,
            Some(Class::Binder) => Role::Binder,
            Some(Class::Speaker) => Role::Speaker,
            _ if stem.is_none() => Role::Filler,
            _ => Role::Word,
        };
        let stem = stem.unwrap_or_else(|| plain.clone());
        self.push(&stem, role, denied).capital = token.text.starts_with(char::is_uppercase);
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
        let all = self.all.iter().filter(|piece| piece.role == Role::Number);
        all.map(|piece| &*piece.stem)
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
        let bound = before.iter().enumerate().any(|(at, piece)| {
            let binds = piece.binds
                || matches!(piece.role, Role::Verb | Role::Binder)
                || piece.role == Role::Han && HAN_BINDERS.contains(&*piece.stem);
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
                    piece.role == Role::Number || "一二两三四五六七八九十".contains(&*piece.stem);
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
    /// Its first two sounds, if it is Korean and has as many.
    fn verb(&self) -> Option<(char, char)> {
        if self.script != Script::Hangul {
            return None;
        }
        let sounds = words::jamo(&self.stem);
        let mut sounds = sounds.chars();
        sounds.next().zip(sounds.next())
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
    match text.split_once([':', '：']) {
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
    for (at, c) in text.char_indices() {
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
            start = at + c.len_utf8();
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
            assert!(denies(clause, &words::tokens(clause)), "{clause}");
        }
        for clause in ["note it", "kennen wir", "쓴다", "不锈钢的门", "knot"] {
            assert!(!denies(clause, &words::tokens(clause)), "{clause}");
        }
    }

    #[test]
    fn numbers_are_whole_and_days_are_none() {
        let of = |text: &str| -> Vec<String> {
            let pieces = Pieces::of(&Corpus::default(), text);
            pieces.numbers().map(str::to_owned).collect()
        };
        assert_eq!(
            of("Ein Brot kostet 4,20 Euro, ab 18:00 nur 3."),
            ["4.20", "18.00", "3"]
        );
        assert_eq!(of("On 2026-10-05 Lab A has two doors"), ["a", "2"]);
    }
}
