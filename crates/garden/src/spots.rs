//! Where the words of a text stand. A text is cut once; what a word tells as it is written is worked
//! out once, however often it is written.

use crate::corpus::WordId;
use crate::quick::Quick;
use crate::relations::compare::Shape;
use std::hash::Hasher;
use std::num::NonZero;
use std::ops::Range;
use std::sync::OnceLock;
use words::{Kind, Token};

/// The number of a word as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FormId(NonZero<u32>);

/// A word as it is written.
#[derive(Debug)]
pub(crate) struct Form {
    /// Where it stands in [`Forms::letters`].
    start: u32,
    end: u32,
    /// The word that it is a form of; `None` for one that says nothing.
    pub(crate) word: Option<WordId>,
    /// What it is as a piece of a statement; when first asked for.
    pub(crate) shape: OnceLock<Box<Shape>>,
}

/// Words as they are written, each once: close together, since every word of every text is looked up
/// here.
#[derive(Debug, Default)]
pub(crate) struct Forms {
    all: Vec<Form>,
    /// All of them, one behind the other.
    letters: String,
    /// An open table, half of it empty: one half of a word's hash, and its number.
    slots: Vec<(u32, Option<FormId>)>,
}

impl Forms {
    /// The number of a word, if it was added.
    pub(crate) fn find(&self, word: &str) -> Option<FormId> {
        let last = self.slots.len().checked_sub(1)?;
        let (mut at, mark) = hash(word);
        loop {
            let (known, form) = self.slots[at & last];
            let form = form?;
            if known == mark && self.written(self.get(form)) == word {
                return Some(form);
            }
            at += 1;
        }
    }

    pub(crate) fn get(&self, form: FormId) -> &Form {
        &self.all[form.0.get() as usize - 1]
    }

    fn written(&self, form: &Form) -> &str {
        &self.letters[form.start as usize..form.end as usize]
    }

    /// Adds a word that was not found. `None` if there are too many.
    pub(crate) fn add(&mut self, form: &str, word: Option<WordId>) -> Option<FormId> {
        const FEWEST: usize = 1 << 10;
        let start = u32::try_from(self.letters.len()).ok()?;
        let end = u32::try_from(self.letters.len() + form.len()).ok()?;
        let id = NonZero::new(u32::try_from(self.all.len() + 1).ok()?).map(FormId)?;
        self.letters.push_str(form);
        self.all.push(Form {
            start,
            end,
            word,
            shape: OnceLock::new(),
        });
        if self.all.len() * 2 > self.slots.len() {
            self.slots = vec![(0, None); (self.slots.len() * 2).max(FEWEST)];
            for number in (1..=id.0.get()).filter_map(NonZero::new) {
                self.place(FormId(number));
            }
        } else {
            self.place(id);
        }
        Some(id)
    }

    fn place(&mut self, form: FormId) {
        let (mut at, mark) = hash(self.written(self.get(form)));
        // The number of slots is a power of two.
        let last = self.slots.len() - 1;
        while self.slots[at & last].1.is_some() {
            at += 1;
        }
        self.slots[at & last] = (mark, Some(form));
    }
}

/// Where a word is looked for first, and what it is told by there.
fn hash(word: &str) -> (usize, u32) {
    let mut quick = Quick::default();
    quick.write(word.as_bytes());
    let hash = quick.finish();
    #[allow(clippy::cast_possible_truncation, reason = "halves of a hash")]
    let halves = (hash as u32 as usize, (hash >> 32) as u32);
    halves
}

/// A token of a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spot {
    start: u32,
    end: u32,
    pub(crate) kind: Kind,
    /// `None` for what was never read, and for a [`Kind::Symbol`].
    pub(crate) form: Option<FormId>,
}

impl Spot {
    /// `None` far behind in a very long line.
    pub(crate) fn of(token: &Token<'_>, form: Option<FormId>) -> Option<Self> {
        Some(Self {
            start: u32::try_from(token.range.start).ok()?,
            end: u32::try_from(token.range.end).ok()?,
            kind: token.kind,
            form,
        })
    }

    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// It stands in a part of its text.
    pub(crate) fn is_in(self, part: &Range<usize>) -> bool {
        part.start <= self.start as usize && self.end as usize <= part.end
    }

    /// It stands in a part of its text and goes beyond it.
    pub(crate) fn crosses(self, part: &Range<usize>) -> bool {
        let cuts = |at: usize| (self.start as usize) < at && at < self.end as usize;
        cuts(part.start) || cuts(part.end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    proptest::proptest! {
        #[test]
        fn what_was_added_is_found(words in proptest::collection::hash_set("[a-c가나]{0,6}", 0..900)) {
            let mut forms = Forms::default();
            let added: Vec<(&String, Option<FormId>)> =
                words.iter().map(|word| (word, forms.add(word, None))).collect();
            for (word, form) in added {
                proptest::prop_assert_eq!(forms.find(word), form);
                let longer = format!("{word}x");
                proptest::prop_assert!(forms.find(&longer).is_none());
            }
        }
    }
}
