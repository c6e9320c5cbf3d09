//! Which pairs of entries are worth comparing: those whose heads share rare words.

use crate::corpus::Corpus;
use crate::view::View;

/// A word in more heads than this tells nothing; it also bounds the work.
const COMMON: usize = 40;
/// Pairs an entry is looked at in, by likeness.
const MOST: usize = 12;
/// The least share of the smaller head that must be common.
const LEAST: f32 = 0.14;

/// Pairs of places in `views`, the smaller first, sorted.
pub(super) fn candidates(views: &[View], corpus: &Corpus) -> Vec<(usize, usize)> {
    let mut holders: Vec<Vec<u32>> = vec![Vec::new(); corpus.sizes().1];
    for (at, view) in (0..).zip(views) {
        for meaning in &view.head.means {
            // One more than counts, so that the common are known as such.
            let list = &mut holders[*meaning as usize];
            if list.len() <= COMMON {
                list.push(at);
            }
        }
    }
    let mut out = Vec::new();
    let mut shared = vec![0.0_f32; views.len()];
    let mut seen: Vec<u32> = Vec::new();
    let mut met: Vec<u32> = Vec::new();
    let mut best: Vec<(f32, usize)> = Vec::new();
    for (at, view) in views.iter().enumerate() {
        for word in &view.head.words {
            met.clear();
            for meaning in corpus.meanings(*word) {
                let list = &holders[*meaning as usize];
                if list.len() <= COMMON {
                    met.extend(list);
                }
            }
            if corpus.meanings(*word).len() > 1 {
                met.sort_unstable();
                met.dedup();
            }
            let weight = corpus.weight(*word);
            for other in &met {
                let sum = &mut shared[*other as usize];
                if *sum == 0.0 {
                    seen.push(*other);
                }
                *sum += weight;
            }
        }
        best.clear();
        for other in seen.drain(..).map(|other| other as usize) {
            let weight = std::mem::take(&mut shared[other]);
            let smaller = view.head.mass.min(views[other].head.mass).max(f32::EPSILON);
            if other != at && weight / smaller >= LEAST {
                best.push((weight / smaller, other));
            }
        }
        let likelier = |x: &(f32, usize), y: &(f32, usize)| y.0.total_cmp(&x.0).then(x.1.cmp(&y.1));
        if best.len() > MOST {
            best.select_nth_unstable_by(MOST, likelier);
            best.truncate(MOST);
        }
        out.extend(
            best.iter()
                .map(|(_, other)| (at.min(*other), at.max(*other))),
        );
    }
    out.extend(told_elsewhere(views, corpus));
    out.sort_unstable();
    out.dedup();
    out
}

/// Words of a main claim, the rarest, by which it is looked for in the bodies of others.
const RAREST: usize = 4;
/// A claim of fewer words may stand anywhere.
const FEWEST: usize = 3;
/// Entries that hold a word at most: in more, it tells nothing.
const FEW: usize = 12;

/// Pairs of which one holds the rarest words of the other's main claim, wherever they stand: an
/// entry of few sentences within one of many.
fn told_elsewhere(views: &[View], corpus: &Corpus) -> Vec<(usize, usize)> {
    let rarest: Vec<Vec<u32>> = views
        .iter()
        .map(|view| {
            let Some(claim) = view.claim().filter(|_| !view.gate) else {
                return Vec::new();
            };
            let mut words: Vec<u32> = view.bags[claim].words.clone();
            words.retain(|word| !corpus.is_number(*word));
            words.sort_by(|x, y| corpus.weight(*y).total_cmp(&corpus.weight(*x)));
            words.truncate(RAREST);
            words
        })
        .collect();
    let mut holders: Vec<Vec<u32>> = vec![Vec::new(); corpus.sizes().0];
    let mut wanted = vec![false; holders.len()];
    for word in rarest.iter().filter_map(|words| words.first()) {
        wanted[*word as usize] = true;
    }
    for (at, view) in (0..).zip(views) {
        for word in &view.whole.words {
            let list = &mut holders[*word as usize];
            if wanted[*word as usize] && list.len() <= FEW {
                list.push(at);
            }
        }
    }
    let mut out = Vec::new();
    for (at, words) in rarest.iter().enumerate() {
        let Some(first) = words.first().filter(|_| words.len() >= FEWEST) else {
            continue;
        };
        let list = &holders[*first as usize];
        if list.len() > FEW {
            continue;
        }
        for other in list.iter().map(|other| *other as usize) {
            let whole = &views[other].whole.words;
            if other != at && words.iter().all(|word| whole.binary_search(word).is_ok()) {
                out.push((at.min(other), at.max(other)));
            }
        }
    }
    out
}
