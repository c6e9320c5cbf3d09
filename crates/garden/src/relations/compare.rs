//! Two statements held against each other word by word: whether one says what the other says, the
//! opposite, or the same of something else.
//!
//! Words that carry meaning are aligned in order. Where two sentences are built alike and differ in
//! one place, that place decides: in what is spoken of they speak of different things (`Room Birch
//! seats 12`, `Room Maple seats 30`), in what is said of it they exclude each other (`signed by
//! Weiss`, `signed by Lang`).

mod pieces;

pub(crate) use pieces::{Pieces, Shape, clauses, denies, says_no};

use crate::corpus::Corpus;
use crate::quantity::{self, Quantity};
use crate::view::View;
use pieces::Role;
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

/// Pieces that carry meaning, one after the other.
type Slot = Range<usize>;

/// Words of one slot.
const SLOT: usize = 3;

/// Compares two statements.
pub(crate) fn meet(corpus: &Corpus, a: (&View, usize), b: (&View, usize)) -> Met {
    let (of_a, of_b) = (&a.0.statements[a.1], &b.0.statements[b.1]);
    let x = a.0.pieces(corpus, of_a);
    if a.0.text(of_a) == b.0.text(of_b) {
        return if may_meet(x, x.len(), 0..x.len()) {
            Met::Same
        } else {
            Met::Loose
        };
    }
    let y = b.0.pieces(corpus, of_b);
    match Meeting::of(corpus, x, y) {
        Some(meeting) => meeting.comes_to(a.0.quantities(of_a), b.0.quantities(of_b)),
        None => Met::Loose,
    }
}

/// Two statements, aligned.
struct Meeting<'a> {
    x: &'a Pieces,
    y: &'a Pieces,
    /// Places that agree, in order.
    pairs: Vec<(usize, usize)>,
    /// Where both say something else between two that agree.
    slots: Vec<(Slot, Slot)>,
}

impl<'a> Meeting<'a> {
    /// `None` if they are built too differently, or have too few words in common.
    fn of(corpus: &Corpus, x: &'a Pieces, y: &'a Pieces) -> Option<Self> {
        let least = least(x, y).filter(|least| may_agree(x, y, *least))?;
        let pairs = align(corpus, x, y, least)?;
        if !may_meet(x, pairs.len(), pairs.iter().map(|(i, _)| *i)) {
            return None;
        }
        let mut slots: Vec<(Slot, Slot)> = Vec::new();
        let (mut i, mut j) = (0, 0);
        for (next_i, next_j) in pairs.iter().copied().chain([(x.len(), y.len())]) {
            if i < next_i && j < next_j {
                slots.push((i..next_i, j..next_j));
            }
            i = next_i + 1;
            j = next_j + 1;
        }
        Some(Self { x, y, pairs, slots })
    }

    #[allow(clippy::cast_precision_loss, reason = "counts of words")]
    fn comes_to(mut self, in_x: &[Quantity], in_y: &[Quantity]) -> Met {
        let (x, y) = (self.x, self.y);
        let agree = self.pairs.len();
        let (less, more) = (x.len().min(y.len()), x.len().max(y.len()));
        let (short, long) = (agree as f32 / less as f32, agree as f32 / more as f32);
        // 30 minutes are 1800 seconds.
        let same_numbers =
            !in_x.is_empty() && quantity::all_alike(in_x, in_y) && quantity::all_alike(in_y, in_x);
        if same_numbers {
            self.slots
                .retain(|(p, q)| !(numeric(x, p) && numeric(y, q)));
        }
        if self.is_rebuilt() {
            return Met::Loose;
        }
        let opposed = self.is_opposed();
        if self.slots.is_empty() {
            return if !opposed {
                Met::Same
            } else if self.denied_beside() > 1 {
                // What is denied must be what the other says, not something beside.
                Met::Loose
            } else if short >= 0.6 && long >= 0.4 {
                Met::Excludes(long)
            } else {
                Met::Apart
            };
        }
        let some = |fits: fn(&Pieces, &Slot) -> bool| {
            self.slots.iter().any(|(p, q)| fits(x, p) || fits(y, q))
        };
        // `backups lie on`, `backups are written to`: verbs, not what is spoken of.
        if !opposed && self.slots.iter().any(|(p, q)| x.is_verb(p) && y.is_verb(q)) {
            return Met::Loose;
        }
        if opposed || some(Pieces::is_subject) || some(Pieces::is_deed) {
            return Met::Apart;
        }
        let words = self
            .slots
            .iter()
            .filter(|(p, q)| !(numeric(x, p) && numeric(y, q)));
        // `Van 1 ends in October`, `Van 4 ends in March`: a number and something else besides are of
        // two things.
        if words.clone().count() > 0 && words.clone().count() < self.slots.len() {
            return Met::Loose;
        }
        let closes = self
            .slots
            .last()
            .zip(self.pairs.last())
            .is_some_and(|((p, _), (i, _))| *i >= p.end);
        let least = if closes { 0.4 } else { 0.5 };
        match words.count() {
            0 => Met::Excludes(long),
            1 if long >= least => Met::Excludes(long),
            _ => Met::Loose,
        }
    }

    /// Much is said between what agrees, or the same in another order.
    fn is_rebuilt(&self) -> bool {
        let long = |of: &Pieces, slot: &Slot| {
            let characters = of
                .of_slot(slot)
                .filter(|piece| piece.role == Role::Han)
                .count();
            slot.len() - characters + characters.div_ceil(2) > SLOT
        };
        let there = |of: &Pieces, slot: &Slot, other: &Pieces| {
            let keys = &of.keys()[slot.clone()];
            keys.iter().any(|key| other.keys().contains(key))
        };
        self.slots.iter().any(|(p, q)| {
            long(self.x, p)
                || long(self.y, q)
                || there(self.x, p, self.y)
                || there(self.y, q, self.x)
        })
    }

    /// One denies what the other says.
    fn is_opposed(&self) -> bool {
        let turned = self
            .pairs
            .iter()
            .filter(|(i, j)| self.x.piece(*i).denied != self.y.piece(*j).denied);
        turned.count() * 2 > self.pairs.len()
    }

    /// Denied pieces that are only in one.
    fn denied_beside(&self) -> usize {
        let only = |of: &Pieces, there: &dyn Fn(usize) -> bool| {
            let rest = (0..of.len()).filter(|at| !there(*at));
            rest.filter(|at| of.piece(*at).denied).count()
        };
        only(self.x, &|at| self.pairs.iter().any(|(i, _)| *i == at))
            + only(self.y, &|at| self.pairs.iter().any(|(_, j)| *j == at))
    }
}

fn numeric(of: &Pieces, slot: &Slot) -> bool {
    of.of_slot(slot).any(|piece| piece.role == Role::Number)
}

/// Whether so many places that agree are enough: two words, or three characters.
fn may_meet(x: &Pieces, count: usize, places: impl Iterator<Item = usize>) -> bool {
    let characters = places.filter(|at| x.piece(*at).role == Role::Han).count();
    count - characters + characters / 2 >= 2 || characters >= 3
}

/// How many places of two statements must agree at least, that they can be held against each other:
/// half of the shorter one's, and a third of the longer one's. `None` if the shorter has not as many.
fn least(x: &Pieces, y: &Pieces) -> Option<usize> {
    let (less, more) = (x.len().min(y.len()), x.len().max(y.len()));
    let least = less.div_ceil(2).max((more * 34).div_ceil(100)).max(2);
    (least <= less).then_some(least)
}

/// Whether so many pieces of one list may agree with some of the other.
fn may_agree(x: &Pieces, y: &Pieces, least: usize) -> bool {
    let same = x.keys().iter().filter(|key| y.may_hold(**key)).count();
    same >= least || !x.meant().is_empty() || x.verb().is_some()
}

/// Where two lists of pieces agree, in order: the longest common one. `None` if that is shorter
/// than `least`.
fn align(corpus: &Corpus, x: &Pieces, y: &Pieces, least: usize) -> Option<Vec<(usize, usize)>> {
    let mut agreeing = [0; pieces::MOST];
    if !agree(corpus, x, y, &mut agreeing, least) {
        return None;
    }
    let (rows, columns) = (x.len(), y.len());
    // The lengths of the longest common lists, a row in one number: of what begins at `i` in one,
    // and takes the last `n` of the other, it is as long as there are zeros in the last `n` bits.
    let mut lengths = [u64::MAX; pieces::MOST + 1];
    for i in (0..rows).rev() {
        let below = lengths[i + 1];
        let met = below & agreeing[i];
        lengths[i] = below.wrapping_add(met) | (below ^ met);
    }
    let longest = |i: usize, j: usize| {
        let behind = !(u64::MAX << (columns - j));
        (!lengths[i] & behind).count_ones() as usize
    };
    let count = longest(0, 0);
    if count < least {
        return None;
    }
    let mut out = Vec::with_capacity(count);
    let (mut i, mut j) = (0, 0);
    while i < rows && j < columns {
        if agreeing[i] & bit(columns, j) != 0 {
            out.push((i, j));
            i += 1;
            j += 1;
        } else if longest(i + 1, j) >= longest(i, j + 1) {
            i += 1;
        } else {
            j += 1;
        }
    }
    Some(out)
}

/// The bit of the piece at `j`: the last piece has the first.
fn bit(columns: usize, j: usize) -> u64 {
    1 << (columns - 1 - j)
}

/// For each piece of one list those of the other that agree with it, as bits. Whether as many as
/// `least` have one.
fn agree(
    corpus: &Corpus,
    x: &Pieces,
    y: &Pieces,
    out: &mut [u64; pieces::MOST],
    least: usize,
) -> bool {
    let (rows, columns) = (x.len(), y.len());
    let keys = x.keys().iter().zip(out.iter_mut());
    for (key, out) in keys.filter(|(key, _)| y.may_hold(**key)) {
        let same = |bits, other: &u64| bits << 1 | u64::from(other == key);
        *out = y.keys().iter().fold(0, same);
    }
    // Of one language, what is near in meaning can still be the alternative.
    for (i, one) in x.meant() {
        for (j, other) in y.meant() {
            if x.piece(*i).script != y.piece(*j).script && corpus.same(*one, *other) {
                out[*i] |= bit(columns, *j);
            }
        }
    }
    // Two forms of a Korean verb at the end of a sentence.
    if x.verb().is_some() && x.verb() == y.verb() {
        out[rows - 1] |= bit(columns, columns - 1);
    }
    out.iter().filter(|bits| **bits != 0).count() >= least
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
            let pieces = |text: &str| Pieces::of(&corpus, text, &corpus.spots(text));
            let (one, other) = (pieces(x), pieces(y));
            Meeting::of(&corpus, &one, &other).map_or(Met::Loose, |meeting| {
                meeting.comes_to(&quantity::of(x), &quantity::of(y))
            })
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
