//! A few byte strings, found at the speed of the machine: a short window of each is looked for, in
//! all its cases at once or in a text whose letters are small.

use aho_corasick::packed::{Config, MatchKind, Searcher};
use std::ops::Range;

/// So many windows are found at once in a text as it stands, with all cases of each.
pub(crate) const FEW: usize = 16;
/// More windows are found quicker by two, in a text whose letters are small.
pub(crate) const MOST: usize = 24;
/// So few are quick even where the shortest has less than four bytes.
pub(crate) const TOGETHER: usize = 6;
/// Longest window.
const WINDOW: usize = 4;

/// The needles that have a window, and where in them it begins.
type Owners = Vec<(usize, usize)>;

/// Finds needles.
#[derive(Debug)]
pub(crate) struct Quick {
    searcher: Searcher,
    /// For each pattern: the needles that have it, and where in them.
    owners: Vec<Owners>,
    needles: Vec<Vec<u8>>,
}

impl Quick {
    /// `None` where there are none or too many, or the processor cannot.
    /// With `cases`, ASCII letters are found in both.
    pub(crate) fn new(needles: &[Vec<u8>], most: usize, cases: bool) -> Option<Self> {
        let mut patterns: Vec<(Vec<u8>, Owners)> = Vec::new();
        for (index, needle) in needles.iter().enumerate() {
            if needle.len() < 2 {
                return None;
            }
            let (offset, window) = rarest(needle);
            let patterns_of = if cases {
                all_cases(window)
            } else {
                vec![window.to_vec()]
            };
            for pattern in patterns_of {
                match patterns.iter_mut().find(|(known, _)| *known == pattern) {
                    Some((_, owners)) => owners.push((index, offset)),
                    None => patterns.push((pattern, vec![(index, offset)])),
                }
            }
            if patterns.len() > most {
                return None;
            }
        }
        let mut config = Config::new();
        config.match_kind(MatchKind::LeftmostFirst);
        let searcher = config
            .builder()
            .extend(patterns.iter().map(|(pattern, _)| pattern))
            .build()?;
        Some(Self {
            searcher,
            owners: patterns.into_iter().map(|(_, owners)| owners).collect(),
            needles: needles.to_vec(),
        })
    }

    /// The next needle whose window stands at or after `at`.
    pub(crate) fn find(&self, text: &[u8], at: usize) -> Option<Range<usize>> {
        let mut from = at;
        if at > text.len() {
            return None;
        }
        loop {
            let found = self.searcher.find_in(
                text,
                aho_corasick::Span {
                    start: from,
                    end: text.len(),
                },
            )?;
            for (needle, offset) in self
                .owners
                .get(found.pattern().as_usize())
                .into_iter()
                .flatten()
            {
                let Some(needle) = self.needles.get(*needle) else {
                    continue;
                };
                let Some(start) = found
                    .start()
                    .checked_sub(*offset)
                    .filter(|start| *start >= at)
                else {
                    continue;
                };
                if text
                    .get(start..start + needle.len())
                    .is_some_and(|bytes| bytes.eq_ignore_ascii_case(needle))
                {
                    return Some(start..start + needle.len());
                }
            }
            from = found.start() + 1;
        }
    }
}

/// The window of a needle that texts hold most rarely, and where it begins. Han words may overlap:
/// theirs begins in the first character, so that the first word is found first.
fn rarest(needle: &[u8]) -> (usize, &[u8]) {
    let length = WINDOW.min(needle.len());
    let most = match needle.first() {
        Some(0xe3..=0xe9) => 3,
        Some(0xf0..) => 4,
        _ => usize::MAX,
    };
    needle
        .windows(length)
        .take(most)
        .enumerate()
        .min_by_key(|(_, window)| window.iter().map(|b| frequency(*b)).sum::<u32>())
        .unwrap_or((0, needle))
}

/// How often a byte stands in prose and code, roughly. Letters cost more: each doubles the cases.
fn frequency(byte: u8) -> u32 {
    match byte.to_ascii_lowercase() {
        b' ' | b'\n' => 60,
        b'e' | b't' | b'a' | b'o' | b'i' | b'n' | b's' | b'r' => 50,
        b'l' | b'd' | b'h' | b'c' | b'u' | b'm' | b'p' | b'g' | 0xe0..=0xef => 40,
        b'f' | b'y' | b'w' | b'b' | b'v' => 34,
        b'k' | b'x' | b'j' | b'q' | b'z' => 26,
        b'0'..=b'9' => 12,
        b'_' | b'-' | b'.' | b'/' | b':' => 14,
        0x80..=0xbf => 20,
        _ => 10,
    }
}

/// A byte string in all cases of its letters.
fn all_cases(window: &[u8]) -> Vec<Vec<u8>> {
    let mut out = vec![Vec::with_capacity(window.len())];
    for byte in window {
        let (low, high) = (byte.to_ascii_lowercase(), byte.to_ascii_uppercase());
        if low == high {
            for pattern in &mut out {
                pattern.push(low);
            }
        } else {
            let mut more = out.clone();
            for (small, large) in out.iter_mut().zip(&mut more) {
                small.push(low);
                large.push(high);
            }
            out.append(&mut more);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_stands_there_is_found(
            needles in proptest::collection::vec("[a-c가나다会話]{2,6}", 1..40),
            text in "[A-Da-d가나다라会話中 ]{0,200}",
            from in 0usize..6,
            cases in any::<bool>(),
        ) {
            let needles: Vec<Vec<u8>> = needles.into_iter().map(String::into_bytes).collect();
            let most = if cases { 2_000 } else { usize::MAX };
            let text = if cases { text } else { text.to_ascii_lowercase() };
            let Some(quick) = Quick::new(&needles, most, cases) else {
                return Ok(());
            };
            let text = text.as_bytes();
            let stands = (from..text.len()).any(|at| needles.iter().any(|needle| {
                text.get(at..at + needle.len()).is_some_and(|found| found.eq_ignore_ascii_case(needle))
            }));
            let found = quick.find(text, from);
            prop_assert_eq!(found.is_some(), stands);
            if let Some(range) = found {
                prop_assert!(range.start >= from);
                prop_assert!(needles.iter().any(|needle| needle.eq_ignore_ascii_case(&text[range.clone()])));
            }
        }
    }

    #[test]
    fn needles_are_found_in_any_case() {
        let quick =
            Quick::new(&[b"zq_881".to_vec(), "배포".as_bytes().to_vec()], FEW, true).unwrap();
        let text =
            "aaaa ZQ_882 then Zq_881 and 자동배포 in a text long enough for vectors".as_bytes();
        let first = quick.find(text, 0).unwrap();
        assert_eq!(&text[first.clone()], b"Zq_881");
        let second = quick.find(text, first.end).unwrap();
        assert_eq!(&text[second.clone()], "배포".as_bytes());
        assert_eq!(quick.find(text, second.end), None);
    }
}
