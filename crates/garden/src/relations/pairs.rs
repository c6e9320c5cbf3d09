//! Which pairs of entries are worth comparing: those whose heads share rare words.

use crate::corpus::Corpus;
use crate::view::View;
use std::collections::{BTreeSet, HashMap};

/// A word in more heads than this tells nothing; it also bounds the work.
const COMMON: usize = 40;
/// Pairs an entry is looked at in, by likeness.
const MOST: usize = 12;
/// The least share of the smaller head that must be common.
const LEAST: f32 = 0.2;

/// Pairs of places in `views`, the smaller first.
pub(super) fn candidates(views: &[View], corpus: &Corpus) -> BTreeSet<(usize, usize)> {
    let mut holders: HashMap<u64, Vec<usize>> = HashMap::new();
    for (at, view) in views.iter().enumerate() {
        for word in &view.head.words {
            for meaning in corpus.meanings(*word) {
                let list = holders.entry(*meaning).or_default();
                if list.last() != Some(&at) {
                    list.push(at);
                }
            }
        }
    }
    let masses: Vec<f32> = views.iter().map(|view| corpus.mass(&view.head)).collect();
    let mut out = BTreeSet::new();
    let mut shared: HashMap<usize, f32> = HashMap::new();
    let mut met: Vec<usize> = Vec::new();
    for (at, view) in views.iter().enumerate() {
        shared.clear();
        for word in &view.head.words {
            met.clear();
            for meaning in corpus.meanings(*word) {
                if let Some(list) = holders.get(meaning).filter(|list| list.len() <= COMMON) {
                    met.extend(list);
                }
            }
            met.sort_unstable();
            met.dedup();
            for other in &met {
                *shared.entry(*other).or_default() += corpus.weight(*word);
            }
        }
        let mut best: Vec<(f32, usize)> = shared
            .iter()
            .filter(|(other, _)| **other != at)
            .map(|(other, weight)| {
                (
                    weight / masses[at].min(masses[*other]).max(f32::EPSILON),
                    *other,
                )
            })
            .filter(|(share, _)| *share >= LEAST)
            .collect();
        best.sort_by(|x, y| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1)));
        for (_, other) in best.into_iter().take(MOST) {
            out.insert((at.min(other), at.max(other)));
        }
    }
    out
}
