//! How good a hit is.
//!
//! Each word of the query counts by its rarity, saturating with repetition (as BM25 does) and less
//! when a synonym or a part stands for it. The two halves of an exchange support each other: an
//! answer need not repeat the words of its question.

use crate::judge::HitKind;
use crate::query::{ASKS, Group, MOST_GROUPS, PIECES, Target, as_f32};
use crate::scan::{Exchange, Found, Half};
use claude_hook::Role;
use words::Sense;

/// The numbers of the formula.
mod weigh {
    /// Saturation of repetition.
    pub(super) const K1: f32 = 1.2;
    /// Influence of length.
    pub(super) const B: f32 = 0.55;
    /// What a word in the other half counts.
    pub(super) const OTHER: f32 = 0.55;
    /// What a word in the day's keywords counts.
    pub(super) const DAY: f32 = 0.3;
    /// How far it covers a word of the query.
    pub(super) const DAY_COVERS: f32 = 0.6;
    /// What a second way of saying the same adds.
    pub(super) const AGAIN: f32 = 0.12;
    /// How much the share of the query that is covered counts.
    pub(super) const COVER: f32 = 0.65;
    /// An answer is what is looked for.
    pub(super) const ANSWER: f32 = 1.12;
    /// Rarity of an ordinary word that is not there, against a name that is not there.
    pub(super) const ABSENT: f32 = 0.4;
    /// The same of a compound, which says more than one word.
    pub(super) const ABSENT_COMPOUND: f32 = 0.8;
    /// What a word that says what is done, how or when counts for whether the answer is there.
    pub(super) const DOING: f32 = 0.65;
    /// What a thing counts that the lexicon knows and that occurs nowhere by any of its words.
    pub(super) const THING_NOWHERE: f32 = 2.2;
    /// The same of a name.
    pub(super) const NAME_NOWHERE: f32 = 1.5;
    /// The same of a word that the lexicon does not know: it may be said otherwise.
    pub(super) const UNKNOWN_NOWHERE: f32 = 0.7;
    /// What standing together counts for whether the answer is there.
    pub(super) const NEAR: f32 = 0.4;
    /// What an exchange being about it counts for whether the answer is there.
    pub(super) const TOPIC: f32 = 0.5;
    /// How far a synonym covers a word of the query: so many times its weight.
    pub(super) const STANDS: f32 = 1.5;
    /// Less than this is a small part.
    pub(super) const SMALL: f32 = 0.28;
}

/// Counts over all that was searched.
#[derive(Debug, Clone, Default)]
pub(crate) struct Stats {
    pub(crate) bytes: u64,
    /// Bytes of which the entries were counted.
    pub(crate) sampled: u64,
    pub(crate) entries: u64,
    /// Entries that hold a kind of hit.
    pub(crate) holds: Vec<u32>,
}

impl Stats {
    pub(crate) fn count(&mut self, found: &[Found]) {
        for found in found {
            let at = usize::from(found.kind);
            if self.holds.len() <= at {
                self.holds.resize(at + 1, 0);
            }
            if let Some(count) = self.holds.get_mut(at) {
                *count += 1;
            }
        }
    }

    pub(crate) fn add(&mut self, other: &Self, map: &[u16]) {
        self.bytes += other.bytes;
        self.sampled += other.sampled;
        self.entries += other.entries;
        for (kind, count) in other.holds.iter().enumerate() {
            let at = map.get(kind).copied().map_or(usize::MAX, usize::from);
            if at > 1 << 16 {
                continue;
            }
            if self.holds.len() <= at {
                self.holds.resize(at + 1, 0);
            }
            if let Some(sum) = self.holds.get_mut(at) {
                *sum += count;
            }
        }
    }

    /// Entries of all that was searched.
    #[allow(clippy::cast_precision_loss, reason = "an estimate")]
    pub(crate) fn total(&self) -> f32 {
        if self.sampled == 0 {
            return 1.0;
        }
        (self.entries as f32 * (self.bytes as f32 / self.sampled as f32)).max(1.0)
    }

    #[allow(clippy::cast_precision_loss, reason = "an estimate")]
    fn length(&self) -> f32 {
        (self.sampled as f32 / (self.entries.max(1)) as f32).max(1.0)
    }
}

/// Scores exchanges of one search.
pub(crate) struct Scorer<'a> {
    groups: &'a [Group],
    targets: &'a [Target],
    kinds: &'a [HitKind],
    /// Rarity of each kind.
    rarity: Vec<f32>,
    /// Rarity of each word of the query.
    worth: Vec<f32>,
    length: f32,
    /// Words of which parts of compounds are added up: all or none.
    pieces: usize,
}

/// What one half is worth.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Score {
    pub(crate) value: f32,
    /// Share of the query's weight that the exchange covers.
    pub(crate) cover: f32,
    /// The share that the half covers itself.
    pub(crate) own: f32,
}

#[derive(Debug, Clone, Copy, Default)]
struct Cell {
    value: f32,
    quality: f32,
}

/// For each word of a query.
type Cells = [Cell; MOST_GROUPS];

const NOTHING: Cells = [Cell {
    value: 0.0,
    quality: 0.0,
}; MOST_GROUPS];

impl<'a> Scorer<'a> {
    pub(crate) fn new(
        groups: &'a [Group],
        targets: &'a [Target],
        kinds: &'a [HitKind],
        stats: &Stats,
    ) -> Self {
        let total = stats.total();
        let rare = |holds: u32| rare(holds, total);
        let holds = |kind: usize| stats.holds.get(kind).copied().unwrap_or(0);
        let rarity: Vec<f32> = (0..kinds.len()).map(|kind| rare(holds(kind))).collect();
        let mut occurs = Vec::with_capacity(groups.len());
        let mut worth: Vec<f32> = groups
            .iter()
            .enumerate()
            .map(|(group, words)| {
                let mut own: Option<f32> = None;
                let mut other: Option<f32> = None;
                for (index, kind) in kinds.iter().enumerate() {
                    let Some(target) = targets.get(usize::from(kind.target)) else {
                        continue;
                    };
                    if !target
                        .groups
                        .iter()
                        .any(|other| usize::from(*other) == group)
                        || holds(index) == 0
                    {
                        continue;
                    }
                    let rarity = rarity.get(index).copied().unwrap_or(0.0);
                    if target.own && kind.part.is_none() {
                        own = Some(own.map_or(rarity, |known| known.min(rarity)));
                    } else if target.weight > 0.5 {
                        other = Some(other.map_or(rarity, |known| known.min(rarity)));
                    }
                }
                let absent = rare(0)
                    * match (words.known, words.compound) {
                        (true, false) => weigh::ABSENT,
                        (true, true) => weigh::ABSENT_COMPOUND,
                        _ => 1.0,
                    };
                occurs.push(own.is_some());
                words.weight * own.or(other).unwrap_or(absent)
            })
            .collect();
        let typed = groups.iter().map(|group| group.typed.as_str());
        let seams = crate::chinese::seams(typed, &occurs);
        for (worth, _) in worth.iter_mut().zip(seams).filter(|(_, seam)| *seam) {
            *worth = 0.0;
        }
        Self {
            groups,
            targets,
            kinds,
            rarity,
            worth,
            length: stats.length(),
            pieces: if targets.iter().any(|target| target.piece > 0) {
                groups.len()
            } else {
                0
            },
        }
    }

    /// How much each word of the query counts for whether the answer is there at all: things more
    /// than what is done with them. A thing that stands nowhere, nor anything for it, weighs more
    /// where its concept is known, since the other ways to say it do not occur either, or where it is
    /// a name; an unknown word may be said otherwise.
    pub(crate) fn stakes(&self, stats: &Stats) -> Vec<f32> {
        let nowhere = self.nowhere(stats);
        let rarest = rare(0, stats.total());
        self.groups
            .iter()
            .zip(&self.worth)
            .enumerate()
            .map(|(index, (group, worth))| {
                let sense = match group.sense {
                    Sense::Doing => weigh::DOING,
                    Sense::Both | Sense::Thing | Sense::Name => 1.0,
                };
                // A seam between Chinese words is worth nothing.
                if *worth <= 0.0 || !nowhere.contains(&index) {
                    return sense * worth;
                }
                // An answer need not repeat how was asked.
                if group.weight <= ASKS {
                    return 0.0;
                }
                let absent = match (group.name, group.known && !group.compound, group.sense) {
                    (true, ..) => weigh::NAME_NOWHERE,
                    (_, true, Sense::Thing) => weigh::THING_NOWHERE,
                    (_, true, _) => 1.0,
                    _ => weigh::UNKNOWN_NOWHERE,
                };
                sense * absent * group.weight * rarest
            })
            .collect()
    }

    /// How far these stakes are covered by an exchange, and by what it is about: its question, its
    /// tags, the title and keywords of an item. 0 to 1.5. `near` is how well each word is stood for
    /// where most of them stand together.
    pub(crate) fn sureness(&self, exchange: &Exchange, near: &[f32], stakes: &[f32]) -> f32 {
        let [question, answer, day] = self.all_cells(exchange);
        let fields: Vec<Found> = [&exchange.question, &exchange.answer]
            .into_iter()
            .flatten()
            .flat_map(|half| &half.found)
            .filter(|found| found.field)
            .copied()
            .collect();
        let fields = self.cells(&fields, self.length);
        let near = |group: usize| near.get(group).copied().unwrap_or_default();
        let topic = |group: usize| {
            cell(&question, group)
                .quality
                .max(cell(&fields, group).quality)
        };
        (1.0 - weigh::NEAR) * share(stakes, |group| held(group, &question, &answer, &day))
            + weigh::NEAR * share(stakes, near)
            + weigh::TOPIC * share(stakes, topic)
    }

    /// The better half's value.
    pub(crate) fn best(&self, exchange: &Exchange) -> f32 {
        let [question, answer] = self.scores(exchange);
        question.value.max(answer.value)
    }

    /// What the question and the answer are worth. Nothing if they are not there.
    pub(crate) fn scores(&self, exchange: &Exchange) -> [Score; 2] {
        let [question, answer, day] = &self.all_cells(exchange);
        let score = |half: &Option<Half>, own, other, role| {
            half.as_ref()
                .map_or_else(Score::default, |_| self.score(own, other, day, role))
        };
        [
            score(&exchange.question, question, answer, Role::User),
            score(&exchange.answer, answer, question, Role::Assistant),
        ]
    }

    /// What the question, the answer and the day's keywords hold.
    fn all_cells(&self, exchange: &Exchange) -> [Cells; 3] {
        let cells = |half: &Option<Half>| {
            half.as_ref()
                .map_or(NOTHING, |half| self.cells(&half.found, length_of(half)))
        };
        [
            cells(&exchange.question),
            cells(&exchange.answer),
            self.cells(&exchange.day, self.length),
        ]
    }

    fn score(&self, own: &Cells, other: &Cells, day: &Cells, role: Role) -> Score {
        let mut value = 0.0;
        for (group, words) in self.groups.iter().enumerate() {
            let value_in = |cells: &Cells| cell(cells, group).value;
            let (a, b) = (value_in(own), value_in(other));
            let supported = a.max(weigh::OTHER * b) + 0.15 * a.min(b);
            value += words.weight * (supported + weigh::DAY * value_in(day));
        }
        let mut score = Score {
            value: 0.0,
            cover: share(&self.worth, |group| held(group, own, other, day)),
            own: share(&self.worth, |group| cell(own, group).quality),
        };
        score.value = value * (1.0 - weigh::COVER + weigh::COVER * score.cover);
        if role == Role::Assistant {
            score.value *= weigh::ANSWER;
        }
        score
    }

    /// For each word of the query: what the hits of a text are worth.
    fn cells(&self, found: &[Found], length: f32) -> Cells {
        let mut best = NOTHING;
        if found.is_empty() {
            return best;
        }
        let mut sum = [0.0_f32; MOST_GROUPS];
        let mut parts = NOTHING;
        // Of compounds only, which are few.
        let mut pieces = vec![[Cell::default(); PIECES]; self.pieces];
        let norm = weigh::K1 * (1.0 - weigh::B + weigh::B * (length / self.length).min(8.0));
        for found in found {
            let kind = usize::from(found.kind);
            let (Some(hit), Some(rarity)) = (self.kinds.get(kind), self.rarity.get(kind)) else {
                continue;
            };
            let Some(target) = self.targets.get(usize::from(hit.target)) else {
                continue;
            };
            let quality = target.weight * found.strength;
            let value = quality * rarity * found.count * (weigh::K1 + 1.0) / (found.count + norm);
            for group in &target.groups {
                let group = usize::from(*group);
                if hit.part.is_some() {
                    if let Some(cell) = parts.get_mut(group) {
                        cell.value += value;
                        cell.quality += quality;
                    }
                    continue;
                }
                let piece = usize::from(target.piece).checked_sub(1);
                if let Some(cell) =
                    piece.and_then(|piece| pieces.get_mut(group)?.get_mut(piece.min(PIECES - 1)))
                {
                    cell.value = cell.value.max(value);
                    cell.quality = cell.quality.max(quality);
                    continue;
                }
                if let (Some(cell), Some(sum)) = (best.get_mut(group), sum.get_mut(group)) {
                    *sum += value;
                    cell.value = cell.value.max(value);
                    cell.quality = cell.quality.max(quality);
                }
            }
        }
        let words = best.iter_mut().take(self.groups.len());
        for (at, ((cell, sum), part)) in words.zip(&sum).zip(&parts).enumerate() {
            // What stands for the parts of a compound stands for it together.
            let pieces = pieces.get(at).into_iter().flatten();
            let (value, quality) = pieces.fold((0.0, 0.0), |(value, quality), piece| {
                (value + piece.value, quality + piece.quality)
            });
            cell.value = cell.value.max(value);
            cell.quality = cell.quality.max(quality);
            let sum = sum.max(cell.value);
            cell.value += weigh::AGAIN * (sum - cell.value).min(2.0 * cell.value);
            // Many parts are not more than the whole.
            let most = if part.quality > 0.9 {
                0.9 / part.quality
            } else {
                1.0
            };
            if part.value * most > cell.value {
                cell.value = part.value * most;
            }
            cell.quality = cell.quality.max((part.quality * most).min(0.9));
        }
        best
    }

    /// Words of the query that occur nowhere themselves, by index.
    pub(crate) fn missing(&self, stats: &Stats) -> Vec<usize> {
        self.without(stats, |target, kind| target.own && kind.part.is_none())
    }

    /// Words of the query that neither occur nor have anything that stands for them, by index.
    pub(crate) fn nowhere(&self, stats: &Stats) -> Vec<usize> {
        self.without(stats, |target, kind| {
            kind.part.is_none() && target.weight > 0.35
        })
    }

    fn without(&self, stats: &Stats, counts: impl Fn(&Target, &HitKind) -> bool) -> Vec<usize> {
        let mut found = vec![false; self.groups.len()];
        for (index, kind) in self.kinds.iter().enumerate() {
            if stats.holds.get(index).is_none_or(|holds| *holds == 0) {
                continue;
            }
            let Some(target) = self
                .targets
                .get(usize::from(kind.target))
                .filter(|target| counts(target, kind))
            else {
                continue;
            };
            for group in &target.groups {
                if let Some(found) = found.get_mut(usize::from(*group)) {
                    *found = true;
                }
            }
        }
        (0..found.len())
            .filter(|group| !found.get(*group).copied().unwrap_or(true))
            .collect()
    }
}

#[allow(clippy::cast_precision_loss, reason = "lengths")]
fn length_of(half: &Half) -> f32 {
    half.span.end.saturating_sub(half.span.start) as f32
}

fn cell(cells: &Cells, group: usize) -> Cell {
    cells.get(group).copied().unwrap_or_default()
}

/// How well a word of the query is stood for in an exchange and by its day's keywords.
fn held(group: usize, half: &Cells, other: &Cells, day: &Cells) -> f32 {
    let quality = |cells: &Cells| cell(cells, group).quality;
    quality(half)
        .max(quality(other))
        .max(weigh::DAY_COVERS * quality(day))
}

/// The share of the words' worth that is covered by what stands for them; 0 to 1.
fn share(worth: &[f32], quality: impl Fn(usize) -> f32) -> f32 {
    let all: f32 = worth.iter().sum();
    let part: f32 = worth
        .iter()
        .enumerate()
        .map(|(group, worth)| worth * covered(quality(group)))
        .sum();
    part / all.max(f32::MIN_POSITIVE)
}

/// How rare what so many of all entries hold is.
#[allow(clippy::cast_precision_loss, reason = "counts")]
fn rare(holds: u32, total: f32) -> f32 {
    let holds = holds as f32;
    (1.0 + (total - holds + 0.5).max(0.0) / (holds + 0.5)).ln()
}

/// How far a word of the query is covered by what stands for it. A small part covers next to
/// nothing.
fn covered(quality: f32) -> f32 {
    if quality < weigh::SMALL {
        0.5 * quality
    } else {
        (quality * weigh::STANDS).min(1.0)
    }
}

/// How much the order of words adds, from how many neighbours of the query stand together.
pub(crate) fn together(pairs: usize, groups: usize) -> f32 {
    if groups < 2 {
        return 1.0;
    }
    1.0 + 0.25 * as_f32(pairs) / as_f32(groups - 1)
}
