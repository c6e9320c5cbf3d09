//! German compounds: `Rechnungsnummer` is about a `Nummer` of a `Rechnung`.

use crate::base::LONGEST;
use std::ops::Range;

/// The shortest part that counts as a word.
pub const SHORTEST: usize = 4;

/// What may stand between the parts.
const JOINTS: [&str; 6] = ["", "s", "es", "n", "en", "er"];

/// Splits a folded word into known parts, the longest first part that works. `None` for a word that is no
/// compound of known words.
pub fn split(word: &str, known: &impl Fn(&str) -> bool) -> Option<Vec<Range<usize>>> {
    fn from(
        word: &str,
        start: usize,
        depth: usize,
        known: &impl Fn(&str) -> bool,
    ) -> Option<Vec<Range<usize>>> {
        let rest = word.get(start..)?;
        if depth > 0 && known(rest) {
            return Some(std::iter::once(start..word.len()).collect());
        }
        if depth > 3 {
            return None;
        }
        let cuts: Vec<usize> = rest
            .char_indices()
            .map(|(at, _)| at)
            .skip(SHORTEST)
            .collect();
        for cut in cuts.into_iter().rev() {
            let Some(head) = rest.get(..cut).filter(|head| known(head)) else {
                continue;
            };
            for joint in JOINTS {
                if rest.get(cut..).is_some_and(|tail| tail.starts_with(joint))
                    && let Some(mut tail) = from(word, start + cut + joint.len(), depth + 1, known)
                {
                    tail.insert(0, start..start + head.len());
                    return Some(tail);
                }
            }
        }
        None
    }
    if word.len() > LONGEST || word.chars().count() < 2 * SHORTEST {
        return None;
    }
    from(word, 0, 0, known)
}

/// Whether `part` (a stem) can be a part of the compound `whole`: at its start, or at its end, or
/// inside with room for another word on both sides. Gives the share of letters that it covers.
pub fn covers(part: &str, whole: &str) -> Option<f32> {
    if part.len() < SHORTEST || whole.len() < part.len() + 3 || whole.len() > LONGEST {
        return None;
    }
    // Most words do not hold it at all; a searcher costs more to make than this look.
    let (bytes, end) = (part.as_bytes(), part.as_bytes().last());
    if !whole
        .as_bytes()
        .windows(bytes.len())
        .any(|window| window.last() == end && window == bytes)
    {
        return None;
    }
    let fits = whole.match_indices(part).any(|(at, _)| {
        let after = whole.len() - at - part.len();
        (at == 0 || at >= 3) && (after <= 3 || after >= 3)
    });
    fits.then(|| {
        #[allow(clippy::cast_precision_loss, reason = "words are short")]
        let share = part.len() as f32 / whole.len() as f32;
        share
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn compounds_are_split_at_known_words() {
        let known =
            |word: &str| ["rechnung", "nummer", "versand", "etiketten", "drucker"].contains(&word);
        let parts = |word: &str| {
            split(word, &known).map(|parts| {
                parts
                    .into_iter()
                    .map(|part| word[part].to_owned())
                    .collect::<Vec<_>>()
            })
        };
        assert_eq!(parts("rechnungsnummer").unwrap(), ["rechnung", "nummer"]);
        assert_eq!(
            parts("versandetikettendrucker").unwrap(),
            ["versand", "etiketten", "drucker"]
        );
        assert_eq!(parts("rechnung"), None);
        assert!(covers("nummer", "rechnungsnummer").is_some());
        assert!(covers("rechnung", "rechnungsnummer").is_some());
    }
}
