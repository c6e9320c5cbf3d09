//! Much text is searched in two steps. A sample tells how frequent each word is and what good hits
//! hold. In the rest, frequent words without which no good hit was seen to come about are not
//! looked for: they are counted where one of the others stands.

use crate::finder::Finder;
use crate::judge::HitKind;
use crate::query::{Query, Target, as_f32};
use crate::rank::{Scorer, Stats};
use crate::scan::{Exchange, Scan};
use std::collections::HashMap;

/// Less text is looked at in one step.
const LARGE: u64 = 32 << 20;
/// Least bytes of a sample.
const SAMPLE: u64 = 2 << 20;
/// The sample is at least this part of all.
const PART: u64 = 32;
/// Fewer files are not sampled.
const LEAST_FILES: usize = 8;
/// What is worth so much of the last hit that will be kept is a good one.
const SLACK: f32 = 0.7;
/// Where more of the text would be looked at twice, it is better looked at once.
const MOST_TWICE: f32 = 0.6;
/// So many good hits of the sample decide at least.
const LEAST_GOOD: usize = 6;

/// Which files are the sample, and which the rest. `None` where it does not pay.
pub(crate) fn split(sizes: &[u64]) -> Option<(Vec<usize>, Vec<usize>)> {
    let all: u64 = sizes.iter().sum();
    let wanted = SAMPLE.max(all / PART);
    if sizes.len() < LEAST_FILES || all < LARGE {
        return None;
    }
    // Evenly over the days: words come and go.
    let step = all / wanted;
    let (mut passed, mut next) = (0, all / sizes.len() as u64 * step / 2);
    let (mut sample, mut rest) = (Vec::new(), Vec::new());
    for (index, size) in sizes.iter().enumerate() {
        passed += size;
        if passed > next {
            sample.push(index);
            next = passed + size * (step - 1);
        } else {
            rest.push(index);
        }
    }
    Some((sample, rest))
}

/// What is looked for outside the sample.
#[derive(Debug)]
pub(crate) struct Plan {
    pub(crate) finder: Finder,
    looks_for: Vec<bool>,
    /// Shares of entries that hold what is only counted.
    shares: HashMap<HitKind, f32>,
    /// What the last hit that will be kept is expected to be worth at least.
    pub(crate) least: f32,
}

impl Plan {
    /// `None` where every word has to be looked for. `share` is the sample's part of all,
    /// `kept` how many hits will be kept.
    pub(crate) fn of(query: &Query, sample: &Scan, share: f32, kept: usize) -> Option<Self> {
        let targets = &query.targets;
        let scorer = Scorer::new(&query.groups, targets, &sample.kinds, &sample.stats);
        let mut values: Vec<(f32, &Exchange)> = sample
            .exchanges
            .iter()
            .map(|exchange| (scorer.best(exchange), exchange))
            .collect();
        let count = part_of(kept, share).max(LEAST_GOOD);
        if values.len() <= 2 * count {
            return None;
        }
        values.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        let least = SLACK * values.get(count - 1)?.0;
        let good: Vec<Vec<usize>> = values
            .iter()
            .take_while(|(value, _)| *value >= least)
            .map(|(_, exchange)| held(exchange, sample))
            .collect();
        let looks_for = needed(targets, sample, &good)?;
        let looked_at: u64 = sample
            .exchanges
            .iter()
            .filter(|exchange| {
                held(exchange, sample)
                    .iter()
                    .any(|target| looks_for.get(*target) == Some(&true))
            })
            .flat_map(|exchange| [&exchange.question, &exchange.answer])
            .flatten()
            .map(|half| half.span.end - half.span.start)
            .sum();
        #[allow(clippy::cast_precision_loss, reason = "an estimate")]
        if looked_at as f32 > MOST_TWICE * sample.stats.bytes as f32 {
            return None;
        }
        let shares = sample
            .kinds
            .iter()
            .zip(&sample.stats.holds)
            .filter(|(kind, _)| looks_for.get(usize::from(kind.target)) == Some(&false))
            .map(|(kind, holds)| {
                #[allow(clippy::cast_precision_loss, reason = "an estimate")]
                let share = *holds as f32 / (sample.stats.entries.max(1)) as f32;
                (kind.clone(), share)
            })
            .collect();
        let finder = Finder::new(
            targets
                .iter()
                .zip(&looks_for)
                .filter_map(|(target, looked)| looked.then_some(target)),
        );
        Some(Self {
            finder,
            looks_for,
            shares,
            least,
        })
    }

    pub(crate) fn looks_for(&self, target: u16) -> bool {
        self.looks_for.get(usize::from(target)) == Some(&true)
    }

    /// Sets how frequent the words are that were not looked for.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an estimate"
    )]
    pub(crate) fn complete(&self, stats: &mut Stats, kinds: &[HitKind]) {
        let total = stats.total();
        for (kind, holds) in kinds.iter().zip(&mut stats.holds) {
            if let Some(share) = self.shares.get(kind) {
                *holds = (*holds).max((share * total) as u32);
            }
        }
    }
}

/// The targets that a hit holds.
fn held(exchange: &Exchange, sample: &Scan) -> Vec<usize> {
    let mut held: Vec<usize> = [&exchange.question, &exchange.answer]
        .into_iter()
        .flatten()
        .flat_map(|half| &half.found)
        .filter_map(|found| sample.kinds.get(usize::from(found.kind)))
        .map(|kind| usize::from(kind.target))
        .collect();
    held.sort_unstable();
    held.dedup();
    held
}

/// Which targets have to be looked for so that every good hit is found. `None` if that is all.
fn needed(targets: &[Target], sample: &Scan, good: &[Vec<usize>]) -> Option<Vec<bool>> {
    let mut looks_for = vec![true; targets.len()];
    let mut frequent = vec![0_u64; targets.len()];
    for (kind, holds) in sample.kinds.iter().zip(&sample.stats.holds) {
        if let Some(sum) = frequent.get_mut(usize::from(kind.target)) {
            *sum += u64::from(*holds);
        }
    }
    // The costliest first; what is rare costs nothing.
    let mut costly: Vec<(u64, usize)> = targets
        .iter()
        .zip(&frequent)
        .enumerate()
        .filter(|(_, (_, holds))| **holds >= 8 && **holds * 200 >= sample.stats.entries)
        .map(|(index, (target, holds))| {
            let short = target.form.is_short(target.own);
            (holds * if short { 8 } else { 1 }, index)
        })
        .collect();
    costly.sort_unstable_by(|a, b| b.cmp(a));
    let mut left: Vec<usize> = good.iter().map(Vec::len).collect();
    for (_, index) in costly {
        let with = || {
            good.iter()
                .enumerate()
                .filter(|(_, held)| held.contains(&index))
        };
        if with().any(|(hit, _)| left.get(hit).is_none_or(|left| *left < 2)) {
            continue;
        }
        for (hit, _) in with() {
            if let Some(left) = left.get_mut(hit) {
                *left -= 1;
            }
        }
        if let Some(looked) = looks_for.get_mut(index) {
            *looked = false;
        }
    }
    looks_for.contains(&false).then_some(looks_for)
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a share of a small count"
)]
fn part_of(count: usize, share: f32) -> usize {
    (as_f32(count) * share).ceil() as usize
}
