//! Many forms, looked for in a text all at once.

use aho_corasick::{AhoCorasick, AhoCorasickKind};

/// Forms that are looked for together.
#[derive(Debug)]
pub(super) struct Forms(Option<AhoCorasick>);

impl Forms {
    pub(super) fn of<const N: usize>(forms: [&str; N]) -> Self {
        // Texts are short: what is made in no time is faster than what reads faster.
        let mut builder = AhoCorasick::builder();
        builder.kind(Some(AhoCorasickKind::ContiguousNFA));
        // A few short words are never too many for it.
        Self(builder.build(forms).ok())
    }

    /// Whether one of them stands in a text.
    pub(super) fn stand_in(&self, text: &str) -> bool {
        self.0
            .as_ref()
            .is_some_and(|automaton| automaton.is_match(text))
    }

    /// Which of them begin where, form by form, each once where it overlaps itself.
    pub(super) fn places(&self, text: &str) -> Vec<(usize, usize)> {
        let mut found: Vec<(usize, usize, usize)> = self
            .0
            .iter()
            .flat_map(|automaton| automaton.find_overlapping_iter(text))
            .map(|hit| (hit.pattern().as_usize(), hit.start(), hit.end()))
            .collect();
        found.sort_unstable();
        let mut last = (usize::MAX, 0);
        found.retain(|(form, start, end)| {
            let apart = last.0 != *form || last.1 <= *start;
            if apart {
                last = (*form, *end);
            }
            apart
        });
        found
            .into_iter()
            .map(|(form, start, _)| (form, start))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn they_are_found_as_one_after_the_other(text in "( before |before|vor| vor |아|nach |\\PC){0,20}") {
            let forms = [" before ", "before ", " vor ", "vor ", "아", "nach "];
            let one_by_one: Vec<(usize, usize)> = forms
                .iter()
                .enumerate()
                .flat_map(|(form, word)| text.match_indices(word).map(move |(at, _)| (form, at)))
                .collect();
            let found = Forms::of(forms);
            proptest::prop_assert_eq!(found.stand_in(&text), !one_by_one.is_empty());
            proptest::prop_assert_eq!(found.places(&text), one_by_one);
        }
    }
}
