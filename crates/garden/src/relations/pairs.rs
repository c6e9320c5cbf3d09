//! Which pairs of entries are worth comparing: those whose heads share rare words.

use crate::corpus::Corpus;
use crate::view::View;

/// A word in more heads than this tells nothing; it also bounds the work.
const COMMON: usize = 40;
/// Pairs an entry is looked at in, by likeness.
const MOST: usize = 12;
/// The least share of the smaller head that must be common.
const LEAST: f32 = 0.2;

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
    out.sort_unstable();
    out.dedup();
    out
}
