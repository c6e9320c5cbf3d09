//! What of a query stands together in a text: words of one answer stand in one sentence, words that
//! a text happens to hold stand anywhere.

use crate::finder::Cursor;
use crate::judge::{Judge, behind};
use crate::query::PIECES;

/// Bytes of a sentence or two.
const NEAR: usize = 100;

/// Of the place where the most of a query stands together, by what its words are worth: how well
/// each of them is stood for there.
pub(crate) fn together(text: &str, judge: &mut Judge<'_>, worth: &[f32]) -> Vec<f32> {
    let found = hits(text, judge);
    let mut best = vec![0.0; worth.len()];
    let mut most = 0.0;
    for (index, (start, ..)) in found.iter().enumerate() {
        let mut held = vec![[0.0_f32; 1 + PIECES]; worth.len()];
        let place = found.iter().skip(index);
        for (_, group, piece, quality) in place.take_while(|(at, ..)| *at <= start + NEAR) {
            if let Some(known) = held.get_mut(*group).and_then(|held| held.get_mut(*piece)) {
                *known = known.max(*quality);
            }
        }
        let here: Vec<f32> = held
            .iter()
            .map(|[whole, pieces @ ..]| whole.max(pieces.iter().sum()))
            .collect();
        let sum: f32 = here
            .iter()
            .zip(worth)
            .map(|(quality, worth)| quality * worth)
            .sum();
        if sum > most {
            most = sum;
            best = here;
        }
    }
    best
}

/// Where a word of the query is stood for, which, which part of it, and how well.
fn hits(text: &str, judge: &mut Judge<'_>) -> Vec<(usize, usize, usize, f32)> {
    let mut found = Vec::new();
    let mut cursor = Cursor::default();
    let (mut at, mut here) = (0, Vec::new());
    while let Some((word, hits)) = judge.next(&mut cursor, text.as_bytes(), at) {
        here.clear();
        here.extend_from_slice(hits);
        at = behind(text.as_bytes(), &word);
        for hit in &here {
            let Some(target) = judge.target_of(*hit) else {
                continue;
            };
            let quality = hit.strength * target.weight;
            let groups = target.groups.iter().copied().map(usize::from);
            let piece = usize::from(target.piece).min(PIECES);
            found.extend(groups.map(|group| (word.start, group, piece, quality)));
        }
    }
    found
}
