//! Two statements held against each other word by word: whether one says what the other says, the
//! opposite, or the same of something else.
//!
//! Words that carry meaning are aligned in order. Where two sentences are built alike and differ in
//! one place, that place decides: in what is spoken of they speak of different things (`Room Birch
//! seats 12`, `Room Maple seats 30`), in what is said of it they exclude each other (`signed by
//! Weiss`, `signed by Lang`).

use crate::corpus::{Corpus, WordId};
use crate::quantity;
use crate::view::View;
use std::ops::Range;

/// What two statements are to each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Met {
    /// Built alike, and nothing in the way of saying the same.
    Same,
    /// Built alike, of different things or with different facts: neither the same nor opposed.
    Apart,
    /// Of one thing, and both cannot be so; how much they have in common.
    Excludes(f32),
    /// Too differently built to be held against each other.
    Loose,
}

/// A statement cut for comparing.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pieces {
    all: Vec<Piece>,
    /// Places in `all` of those that carry meaning.
    content: Vec<usize>,
}

#[derive(Debug, Clone)]
struct Piece {
    stem: Box<str>,
    role: Role,
    /// Its clause denies.
    denied: bool,
    /// A verb: what stands before it is spoken of.
    binds: bool,
    /// It begins with a capital.
    capital: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
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
    /// `we`, `you`: nothing else is spoken of.
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
const DENYING: &str = " not no never none cannot neither nor without off avoid forbidden nicht kein keine keinen keinem keiner keines nie niemals \
 keinesfalls weder ohne verboten untersagt vermeiden ";
/// What denies in Korean and Chinese, wherever it stands.
const DENYING_PARTS: [&str; 33] = [
    "n't",
    "n’t",
    "지 않",
    "지않",
    "지 말",
    "지말",
    "지 마",
    "지마",
    "금지",
    "안 ",
    "못 ",
    "없",
    "아니",
    "不要",
    "不得",
    "不能",
    "不可",
    "不再",
    "不用",
    "不使用",
    "不许",
    "不准",
    "不应",
    "不会",
    "不是",
    "不在",
    "没有",
    "勿",
    "禁止",
    "严禁",
    "别用",
    "不写",
    "不显",
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
const MOST: usize = 48;
/// Words of one slot.
const SLOT: usize = 3;

fn listed(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|other| other == word)
}

/// Whether a clause denies what it says.
fn denies(clause: &str) -> bool {
    if DENYING_PARTS.iter().any(|part| clause.contains(part)) {
        return true;
    }
    if clause.contains('不') && !NO_DENIAL.iter().any(|word| clause.contains(word)) {
        return true;
    }
    words::tokens(clause)
        .iter()
        .filter(|token| token.kind == words::Kind::Word)
        .any(|token| listed(DENYING, &words::plain(&token.folded())))
}

impl Pieces {
    /// Cuts a text.
    pub(crate) fn of(text: &str) -> Self {
        let mut out = Self::default();
        let text = without_label(text);
        for clause in clauses(text) {
            let clause = &text[clause];
            out.clause(clause, denies(&clause.to_lowercase()));
        }
        out.content = (0..out.all.len())
            .filter(|at| matches!(out.all[*at].role, Role::Word | Role::Number | Role::Han))
            .take(MOST)
            .collect();
        out
    }

    fn push(&mut self, stem: &str, role: Role, denied: bool) {
        self.all.push(Piece {
            stem: stem.into(),
            role,
            denied,
            binds: false,
            capital: false,
        });
    }

    fn clause(&mut self, clause: &str, denied: bool) {
        let tokens = words::tokens(clause);
        let mut passed = 0;
        let mut last_number: Option<usize> = None;
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
                        if at >= passed {
                            passed = at + c.len_utf8();
                            let role = if HAN_FILLERS.contains(c) {
                                Role::Filler
                            } else if "在是从由自".contains(c) {
                                Role::Binder
                            } else {
                                Role::Han
                            };
                            self.push(c.encode_utf8(&mut [0; 4]), role, denied);
                        }
                    }
                }
                words::Kind::Hangul => {
                    let word = token.text;
                    if let Some(number) = quantity::of_word(word) {
                        self.push(&number.to_string(), Role::Number, denied);
                        continue;
                    }
                    if matches!(word, "은" | "는" | "이" | "가") {
                        self.push(word, Role::Topic, denied);
                        continue;
                    }
                    let denies = ["않", "말", "마라", "금지"]
                        .iter()
                        .any(|start| word.starts_with(start));
                    let role = if denies || listed(FILLERS, word) {
                        Role::Filler
                    } else {
                        Role::Word
                    };
                    match token.stem() {
                        Some(stem) => self.push(&stem, role, denied),
                        None => self.push(word, Role::Filler, denied),
                    }
                    if word.chars().count() > 1 && word.ends_with(['은', '는', '이', '가']) {
                        self.push("", Role::Topic, denied);
                    }
                }
                words::Kind::Word => {
                    let folded = token.folded();
                    let plain = words::plain(&folded);
                    if plain.starts_with(|c: char| c.is_ascii_digit()) {
                        // 4,20 and 18:00 are one number.
                        let joined = last_number == token.range.start.checked_sub(1)
                            && matches!(
                                clause[..token.range.start].chars().next_back(),
                                Some('.' | ',' | ':')
                            );
                        last_number = Some(token.range.end);
                        if joined && let Some(before) = self.all.last_mut() {
                            before.stem = format!("{}.{plain}", before.stem).into();
                            continue;
                        }
                        self.push(&plain, Role::Number, denied);
                        continue;
                    }
                    if let Some(number) = quantity::of_word(&plain) {
                        self.push(&number.to_string(), Role::Number, denied);
                        continue;
                    }
                    // A capital alone is a label (`Lab A`).
                    if token.text.len() == 1
                        && token.text != "I"
                        && token.text.chars().all(char::is_uppercase)
                        && !self.all.is_empty()
                    {
                        self.push(&plain, Role::Number, denied);
                        continue;
                    }
                    let first = self.all.iter().all(|piece| piece.role == Role::Filler);
                    if listed(DEEDS, &plain) || first && listed(COMMANDS, &plain) {
                        let stem = token.stem().unwrap_or_else(|| folded.clone());
                        self.push(&stem, Role::Word, denied);
                        if let Some(piece) = self.all.last_mut() {
                            piece.binds = !first;
                        }
                        if first && listed(COMMANDS, &plain) {
                            self.push("", Role::Speaker, denied);
                        }
                        continue;
                    }
                    let role = if listed(DENYING, &plain) || listed(FILLERS, &plain) {
                        Role::Filler
                    } else if listed(VERBS, &plain) {
                        Role::Verb
                    } else if listed(BINDERS, &plain) {
                        Role::Binder
                    } else if listed(SPEAKERS, &plain) {
                        Role::Speaker
                    } else {
                        Role::Word
                    };
                    let capital = token.text.starts_with(char::is_uppercase);
                    match token.stem() {
                        Some(stem) => {
                            self.push(&stem, role, denied);
                            if let Some(piece) = self.all.last_mut() {
                                piece.capital = capital;
                            }
                        }
                        None if role == Role::Word => self.push(&plain, Role::Filler, denied),
                        None => self.push(&plain, role, denied),
                    }
                }
            }
        }
    }

    /// How many of its pieces carry meaning.
    pub(crate) fn len(&self) -> usize {
        self.content.len()
    }

    /// Numbers that are no days.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = &str> {
        self.all
            .iter()
            .filter(|piece| piece.role == Role::Number)
            .map(|piece| &*piece.stem)
    }

    /// Whether a slot stands in what is spoken of.
    fn is_subject(&self, slot: &Range<usize>) -> bool {
        let (Some(first), Some(last)) = (
            self.content.get(slot.start).copied(),
            slot.end
                .checked_sub(1)
                .and_then(|at| self.content.get(at))
                .copied(),
        ) else {
            return false;
        };
        let before = &self.all[..first];
        let carried = |pieces: &[Piece]| {
            let (words, han) = pieces
                .iter()
                .fold((0, 0), |(words, han), piece| match piece.role {
                    Role::Word | Role::Number => (words + 1, han),
                    Role::Han => (words, han + 1),
                    _ => (words, han),
                });
            words + han.div_ceil(2)
        };
        if let Some(topic) = self.all.iter().position(|piece| piece.role == Role::Topic) {
            return first <= topic;
        }
        if before.iter().any(|piece| piece.role == Role::Speaker) {
            return false;
        }
        let verb = |piece: &Piece| piece.role == Role::Verb;
        if self.all.get(last + 1).is_some_and(verb) && !before.iter().any(verb) {
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
        let han = before
            .iter()
            .filter(|piece| piece.role == Role::Han)
            .count();
        // Without a verb seen, three characters and a number of something are said of it.
        let number = self.content.get(slot.start).is_some_and(|at| {
            let piece = &self.all[*at];
            piece.role == Role::Number || "一二两三四五六七八九十".contains(&*piece.stem)
        });
        if han > 0 {
            return !(number && han >= 3);
        }
        carried(before) < 2
    }

    /// A slot behind a first word, in small letters and bound to what follows: a verb.
    fn is_verb(&self, slot: &Range<usize>) -> bool {
        let pieces = self.content.get(slot.clone()).unwrap_or_default();
        let Some(last) = pieces.last() else {
            return false;
        };
        slot.start > 0
            && pieces.iter().all(|at| {
                let piece = &self.all[*at];
                piece.role == Role::Word && !piece.capital && script(&piece.stem) == 0
            })
            && self
                .all
                .get(last + 1)
                .is_some_and(|piece| piece.role == Role::Binder)
    }

    /// What is done with a thing is another thing to say of it (`is milled by`, `is sold by`).
    fn is_deed(&self, slot: &Range<usize>) -> bool {
        let (Some(first), Some(last)) = (
            self.content.get(slot.start).copied(),
            slot.end
                .checked_sub(1)
                .and_then(|at| self.content.get(at))
                .copied(),
        ) else {
            return false;
        };
        let verb_before = first > 0 && self.all[first - 1].role == Role::Verb;
        let bound = self
            .all
            .get(last + 1)
            .is_some_and(|piece| piece.role == Role::Binder);
        verb_before && bound && self.all[first].role == Role::Word
    }
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
fn clauses(text: &str) -> Vec<Range<usize>> {
    let mut out = Vec::new();
    let mut start = 0;
    let bytes = text.as_bytes();
    for (at, c) in text.char_indices() {
        let digit = |place: Option<usize>| {
            place
                .and_then(|place| bytes.get(place))
                .is_some_and(u8::is_ascii_digit)
        };
        let ends = match c {
            ';' | '(' | ')' | '—' | '–' | '，' | '；' | '：' => true,
            ',' | ':' => !(digit(at.checked_sub(1)) && digit(Some(at + 1))),
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

/// Where two lists of pieces agree, in order: pairs of places in their contents.
fn align(corpus: &Corpus, x: &Pieces, y: &Pieces) -> Vec<(usize, usize)> {
    let ids = |pieces: &Pieces| -> Vec<Option<WordId>> {
        let stems = pieces.content.iter().map(|at| &*pieces.all[*at].stem);
        stems.map(|stem| corpus.id(stem)).collect()
    };
    let (xs, ys) = (ids(x), ids(y));
    let (n, m) = (x.content.len(), y.content.len());
    let equal = |i: usize, j: usize| {
        let (a, b) = (&x.all[x.content[i]], &y.all[y.content[j]]);
        a.stem == b.stem
            // Of one language, what is near in meaning can still be the alternative.
            || script(&a.stem) != script(&b.stem)
                && xs[i].zip(ys[j]).is_some_and(|(a, b)| corpus.same(a, b))
            || i + 1 == n && j + 1 == m && ends_alike(&a.stem, &b.stem)
    };
    let width = m + 1;
    let mut best = vec![0_u16; (n + 1) * width];
    let mut alike = vec![false; n * m];
    for i in (0..n).rev() {
        for j in (0..m).rev() {
            let same = equal(i, j);
            alike[i * m + j] = same;
            best[i * width + j] = if same {
                best[(i + 1) * width + j + 1] + 1
            } else {
                best[(i + 1) * width + j].max(best[i * width + j + 1])
            };
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut out = Vec::new();
    while i < n && j < m {
        if alike[i * m + j] {
            out.push((i, j));
            i += 1;
            j += 1;
        } else if best[(i + 1) * width + j] >= best[i * width + j + 1] {
            i += 1;
        } else {
            j += 1;
        }
    }
    out
}

/// Whose script a word is in.
fn script(word: &str) -> u8 {
    match word.chars().next().map_or(0, u32::from) {
        0..0x1100 => 0,
        0xac00..0xd7b0 => 1,
        _ => 2,
    }
}

/// Two forms of a Korean verb at the end of a sentence.
fn ends_alike(x: &str, y: &str) -> bool {
    let hangul = |word: &str| {
        word.chars()
            .next()
            .is_some_and(|c| ('가'..='힣').contains(&c))
    };
    if !hangul(x) || !hangul(y) {
        return false;
    }
    let (x, y) = (words::jamo(x), words::jamo(y));
    x.chars().zip(y.chars()).take_while(|(x, y)| x == y).count() >= 2
}

/// Compares two statements.
pub(crate) fn meet(corpus: &Corpus, a: (&View, usize), b: (&View, usize)) -> Met {
    let (s, t) = (&a.0.statements[a.1], &b.0.statements[b.1]);
    let (x, y) = (a.0.pieces(s), b.0.pieces(t));
    let (qx, qy) = (a.0.quantities(s), b.0.quantities(t));
    compared(corpus, x, y, (qx, qy))
}

#[allow(clippy::cast_precision_loss, reason = "counts of words")]
fn compared(
    corpus: &Corpus,
    x: &Pieces,
    y: &Pieces,
    (qx, qy): (&[quantity::Quantity], &[quantity::Quantity]),
) -> Met {
    let pairs = align(corpus, x, y);
    let han = pairs
        .iter()
        .filter(|(i, _)| x.all[x.content[*i]].role == Role::Han)
        .count();
    let (n, m) = (x.content.len(), y.content.len());
    if pairs.len() - han + han / 2 < 2 && !(han >= 3) || n == 0 || m == 0 {
        return Met::Loose;
    }
    let (short, long) = (
        pairs.len() as f32 / n.min(m) as f32,
        pairs.len() as f32 / n.max(m) as f32,
    );
    if short < 0.5 || long < 0.34 {
        return Met::Loose;
    }
    // Where both say something else between two words that agree.
    let mut slots: Vec<(Range<usize>, Range<usize>)> = Vec::new();
    let (mut i, mut j) = (0, 0);
    for (next_i, next_j) in pairs.iter().copied().chain([(n, m)]) {
        if i < next_i && j < next_j {
            slots.push((i..next_i, j..next_j));
        }
        i = next_i + 1;
        j = next_j + 1;
    }
    let numeric = |pieces: &Pieces, slot: &Range<usize>| {
        pieces.content[slot.clone()]
            .iter()
            .any(|at| pieces.all[*at].role == Role::Number)
    };
    // 30 minutes are 1800 seconds.
    if !qx.is_empty() && quantity::all_alike(qx, qy) && quantity::all_alike(qy, qx) {
        slots.retain(|(p, q)| !(numeric(x, p) && numeric(y, q)));
    }
    let turned: Vec<bool> = pairs
        .iter()
        .map(|(i, j)| x.all[x.content[*i]].denied != y.all[y.content[*j]].denied)
        .collect();
    let opposed = turned.iter().filter(|turned| **turned).count() * 2 > pairs.len();
    let size = |pieces: &Pieces, slot: &Range<usize>| {
        let han = pieces.content[slot.clone()]
            .iter()
            .filter(|at| pieces.all[**at].role == Role::Han)
            .count();
        slot.len() - han + han.div_ceil(2)
    };
    if slots
        .iter()
        .any(|(p, q)| size(x, p) > SLOT || size(y, q) > SLOT)
    {
        return Met::Loose;
    }
    // The same in another order.
    let said_there = |of: &Pieces, slot: &Range<usize>, other: &Pieces| {
        of.content[slot.clone()].iter().any(|at| {
            let stem = &of.all[*at].stem;
            other
                .content
                .iter()
                .any(|there| other.all[*there].stem == *stem)
        })
    };
    if slots
        .iter()
        .any(|(p, q)| said_there(x, p, y) || said_there(y, q, x))
    {
        return Met::Loose;
    }
    if slots.is_empty() {
        // What is denied must be what the other says, not something beside.
        let beside = |pieces: &Pieces, there: &dyn Fn(usize) -> bool| {
            let denied = (0..pieces.content.len()).filter(|at| !there(*at));
            denied
                .filter(|at| pieces.all[pieces.content[*at]].denied)
                .count()
        };
        let more = beside(x, &|at| pairs.iter().any(|(i, _)| *i == at))
            + beside(y, &|at| pairs.iter().any(|(_, j)| *j == at));
        return if !opposed {
            Met::Same
        } else if more > 1 {
            Met::Loose
        } else if short >= 0.6 && long >= 0.4 {
            Met::Excludes(long)
        } else {
            Met::Apart
        };
    }
    // `backups lie on`, `backups are written to`: verbs, not what is spoken of.
    if !opposed && slots.iter().any(|(p, q)| x.is_verb(p) && y.is_verb(q)) {
        return Met::Loose;
    }
    if opposed
        || slots
            .iter()
            .any(|(p, q)| x.is_subject(p) || y.is_subject(q))
        || slots.iter().any(|(p, q)| x.is_deed(p) || y.is_deed(q))
    {
        return Met::Apart;
    }
    let words = slots
        .iter()
        .filter(|(p, q)| !(numeric(x, p) && numeric(y, q)))
        .count();
    let closes = slots
        .last()
        .zip(pairs.last())
        .is_some_and(|((p, _), (i, _))| *i >= p.end);
    let least = if closes { 0.4 } else { 0.5 };
    if words > 1 || words == 1 && long < least {
        return Met::Loose;
    }
    Met::Excludes(long)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(x: &str, y: &str) -> Met {
        let mut corpus = Corpus::default();
        for text in [x, y] {
            let words = corpus.read(text);
            corpus.count(&words);
        }
        corpus.settle();
        let met = |x: &str, y: &str| {
            let numbers = (quantity::of(x), quantity::of(y));
            compared(
                &corpus,
                &Pieces::of(x),
                &Pieces::of(y),
                (&numbers.0, &numbers.1),
            )
        };
        let (one, other) = (met(x, y), met(y, x));
        assert_eq!(
            std::mem::discriminant(&one),
            std::mem::discriminant(&other),
            "{x} | {y}: {one:?}, {other:?}"
        );
        one
    }

    #[test]
    fn one_place_in_what_is_said_excludes() {
        for (x, y) in [
            (
                "The API listens on port 8080.",
                "The API listens on port 9090.",
            ),
            (
                "The parcel office is in room 204.",
                "The parcel office is in room 310.",
            ),
            ("We use React 18.", "We use React 19."),
            (
                "Contracts are signed by Hannah Weiss.",
                "Contracts are signed by Peter Lang.",
            ),
            ("Sensors use MQTT.", "Sensors do not use MQTT."),
            (
                "In Dateinamen immer Umlaute verwenden.",
                "In Dateinamen keine Umlaute verwenden.",
            ),
            (
                "커밋 메시지는 한국어로 쓴다.",
                "커밋 메시지는 한국어로 쓰지 않는다.",
            ),
            (
                "팀 회의는 3층 회의실에서 한다.",
                "팀 회의는 5층 회의실에서 한다.",
            ),
            ("变量名要用拼音。", "变量名不要用拼音。"),
            ("周会在上午9点开始。", "周会在上午10点开始。"),
        ] {
            assert!(
                matches!(of(x, y), Met::Excludes(_)),
                "{x} | {y}: {:?}",
                of(x, y)
            );
        }
    }

    #[test]
    fn another_thing_is_another_statement() {
        for (x, y) in [
            (
                "Room Birch seats 12 people and has a beamer.",
                "Room Maple seats 30 people and has a beamer.",
            ),
            (
                "The staging shop runs on port 8080.",
                "The production shop runs on port 443.",
            ),
            (
                "Drehbank 1 läuft mit 1200 Umdrehungen.",
                "Drehbank 2 läuft mit 800 Umdrehungen.",
            ),
            ("강남점은 밤 10시에 닫는다.", "홍대점은 밤 12시에 닫는다."),
            ("东门早上6点开，晚上9点关。", "西门早上8点开，晚上7点关。"),
            (
                "Rye is milled by Huber in Linz.",
                "Spelt is milled by Huber in Linz.",
            ),
            (
                "Rye bread is milled by Huber.",
                "Rye bread is sold by Huber.",
            ),
        ] {
            assert!(
                matches!(of(x, y), Met::Apart | Met::Loose),
                "{x} | {y}: {:?}",
                of(x, y)
            );
        }
    }

    #[test]
    fn the_same_is_the_same() {
        for (x, y) in [
            (
                "Sessions end after 30 minutes.",
                "Sessions end after 1800 seconds.",
            ),
            (
                "The winch needs grease every spring.",
                "The winch needs grease every spring.",
            ),
        ] {
            assert_eq!(of(x, y), Met::Same, "{x} | {y}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_texts_meet(x in "\\PC{0,60}", y in "\\PC{0,60}") {
            of(&x, &y);
        }
    }
}
