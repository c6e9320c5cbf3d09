//! Where patterns begin in a text.

use crate::quick::QuickMap;
use std::ops::Range;

/// Patterns, found by the two bytes that they begin with: few places of a text have such two, and
/// one in Latin script is looked for at the beginnings of words only.
pub(crate) struct Finder<T> {
    patterns: QuickMap<u32, Vec<(T, Pattern)>>,
    /// A bit for each two bytes that a pattern begins with.
    begins: Vec<u64>,
}

/// A pattern, taken apart.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Pattern {
    /// What is looked for first: without its marks, and only the first half of a split one.
    pub(super) first: &'static str,
    /// No letter may follow it.
    pub(super) whole: bool,
    /// The other half of a split one.
    pub(super) second: Option<&'static str>,
}

impl Pattern {
    fn of(pattern: &'static str) -> Self {
        let (first, second) = match pattern.split_once(" … ") {
            Some((first, second)) => (first, Some(second)),
            None => (pattern, None),
        };
        Self {
            first: first.trim_end_matches('$'),
            whole: first.ends_with('$'),
            second,
        }
    }
}

/// The first two bytes as a number.
fn first_two(bytes: &[u8]) -> Option<u32> {
    match bytes {
        [first, second, ..] => Some(u32::from(*first) << 8 | u32::from(*second)),
        _ => None,
    }
}

/// Which number of [`Finder::begins`], and which of its bits.
fn place(two: u32) -> (usize, u64) {
    ((two >> 6) as usize, 1 << (two & 63))
}

impl<T: Copy> Finder<T> {
    /// Of patterns with something to tell them by.
    pub(crate) fn new(patterns: impl Iterator<Item = (T, &'static str)>) -> Self {
        let mut out = Self {
            patterns: QuickMap::default(),
            begins: vec![0; 1 << 10],
        };
        for (what, pattern) in patterns {
            let pattern = Pattern::of(pattern);
            let Some(two) = first_two(pattern.first.as_bytes()) else {
                continue;
            };
            let (at, bit) = place(two);
            out.begins[at] |= bit;
            out.patterns.entry(two).or_default().push((what, pattern));
        }
        out
    }

    /// Whether some pattern's beginning stands in a text.
    pub(crate) fn finds(&self, text: &str) -> bool {
        let mut found = false;
        self.each(text, |_, _, _| found = true);
        found
    }

    /// Tells each pattern whose beginning stands in a text, and where. One in Latin script that
    /// begins within a word may be left out.
    pub(crate) fn each(&self, text: &str, mut tell: impl FnMut(T, Pattern, Range<usize>)) {
        let bytes = text.as_bytes();
        let mut in_word = false;
        for at in 0..bytes.len() {
            let letter = bytes[at].is_ascii_alphanumeric();
            if letter && std::mem::replace(&mut in_word, true) {
                continue;
            }
            in_word = letter;
            let Some(two) = first_two(&bytes[at..]) else {
                break;
            };
            let (word, bit) = place(two);
            if self.begins[word] & bit == 0 {
                continue;
            }
            for &(what, pattern) in self.patterns.get(&two).into_iter().flatten() {
                if bytes[at..].starts_with(pattern.first.as_bytes()) {
                    tell(what, pattern, at..at + pattern.first.len());
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cues::is_latin;

    const PATTERNS: [&str; 6] = ["block", "is over$", "löst … ab", "끝났", "不再用", "für"];

    proptest::proptest! {
        #[test]
        fn all_that_begin_a_word_are_found(words in proptest::collection::vec(
            proptest::sample::select(vec![
                "block", "un", "is over", " ", "ß", "löst", "끝났", "다", "不再", "用", "für", ".", "1",
            ]), 0..12))
        {
            let text = words.concat();
            let finder = Finder::new(PATTERNS.into_iter().enumerate());
            let mut found = Vec::new();
            finder.each(&text, |which, pattern, range| {
                assert_eq!(pattern.first, Pattern::of(PATTERNS[which]).first);
                found.push((range.start, range.end, which));
            });
            let mut wanted = Vec::new();
            for (which, pattern) in PATTERNS.into_iter().enumerate() {
                for (at, first) in text.match_indices(Pattern::of(pattern).first) {
                    wanted.push((at, at + first.len(), which));
                }
            }
            let begins = |at: usize| {
                let before = text[..at].chars().next_back();
                !text[at..].starts_with(is_latin) || !before.is_some_and(is_latin)
            };
            wanted.retain(|(at, ..)| begins(*at));
            found.retain(|(at, ..)| begins(*at));
            wanted.sort_unstable();
            found.sort_unstable();
            proptest::prop_assert_eq!(found, wanted);
        }
    }
}
