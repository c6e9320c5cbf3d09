//! What entries are compared by: their words and meanings, each with the statements that hold it as
//! bits of one number, so that an entry meets all statements of another one at a time.

use crate::corpus::{Corpus, MEANT, Meaning, WordId};
use crate::cues::{self, Cue};
use crate::prose::Part;
use crate::view::View;
use memory::Kind;

/// Statements of an entry that are looked into: a log of many lines is not read to its end.
pub(crate) const MOST: usize = 40;
/// The bit of what stands anywhere in an entry, the name included.
pub(crate) const ANYWHERE: u64 = 1 << 63;

/// One entry.
#[derive(Debug)]
pub(crate) struct Sketch {
    /// Sorted.
    words: Vec<(WordId, u64)>,
    /// Sorted.
    means: Vec<(Meaning, u64)>,
    /// The weight of the words of each statement of the head, numbers left out.
    pub(crate) head: Vec<f32>,
    /// The words of its description and of its main claim, in order.
    said: [Option<(usize, Vec<WordId>)>; 2],
    /// What it turns down.
    pub(crate) rejected: Vec<Rejected>,
    /// The statements of the head that turn something down themselves, as bits.
    pub(crate) rejects: u64,
}

/// What a statement turns down.
#[derive(Debug)]
pub(crate) struct Rejected {
    /// Which statement.
    pub(crate) statement: usize,
    /// The words that say something.
    pub(crate) words: Vec<WordId>,
    /// Their weight.
    pub(crate) mass: f32,
}

impl Sketch {
    pub(crate) fn of(view: &View, corpus: &Corpus) -> Self {
        let bits = |at: usize| {
            if at < MOST {
                ANYWHERE | 1 << at
            } else {
                ANYWHERE
            }
        };
        let mut words: Vec<(WordId, u64)> = Vec::new();
        let mut means: Vec<(Meaning, u64)> = Vec::new();
        for (at, bag) in view.bags.iter().enumerate().take(MOST) {
            words.extend(bag.words.iter().map(|word| (*word, bits(at))));
            means.extend(bag.means.iter().map(|meaning| (*meaning, bits(at))));
        }
        words.extend(view.whole.words.iter().map(|word| (*word, ANYWHERE)));
        means.extend(view.whole.means.iter().map(|meaning| (*meaning, ANYWHERE)));
        let head = view.bags[..view.head_len]
            .iter()
            .map(|bag| {
                let plain = bag.words.iter().filter(|word| !corpus.is_number(**word));
                plain.map(|word| corpus.weight(*word)).sum()
            })
            .collect();
        let mut rejects = 0;
        let mut rejected = Vec::new();
        for (statement, said) in view.statements.iter().enumerate() {
            let in_head = statement < view.head_len;
            let chooses = said.part == Part::Head || view.kind == Some(Kind::Decision);
            if !said.says(Cue::Rejects) || !(in_head || chooses) {
                continue;
            }
            let text = view.text(said);
            let Some(range) = cues::rejected(text) else {
                continue;
            };
            if in_head {
                rejects |= 1 << statement;
            }
            let mut words = corpus.known(&text[range]);
            words.retain(|word| corpus.weight(*word) > 1.0);
            let mass: f32 = words.iter().map(|word| corpus.weight(*word)).sum();
            if chooses && mass >= 1.5 {
                rejected.push(Rejected {
                    statement,
                    words,
                    mass,
                });
            }
        }
        Self {
            words: folded(words),
            means: folded(means),
            head,
            rejected,
            rejects,
            said: [
                view.statements
                    .first()
                    .filter(|statement| statement.part == Part::Head)
                    .map(|_| 0),
                view.claim(),
            ]
            .map(|at| Some((at?, corpus.sequence(view.text(&view.statements[at?]))))),
        }
    }

    /// The words of its description or its main claim, in order.
    pub(crate) fn in_order(&self, statement: usize) -> Option<&[WordId]> {
        let mut said = self.said.iter().flatten();
        said.find(|(at, _)| *at == statement)
            .map(|(_, words)| words.as_slice())
    }
}

/// The bits of each number together.
fn folded(mut all: Vec<(u32, u64)>) -> Vec<(u32, u64)> {
    all.sort_unstable_by_key(|(number, _)| *number);
    all.dedup_by(|later, kept| {
        let same = later.0 == kept.0;
        if same {
            kept.1 |= later.1;
        }
        same
    });
    all
}

/// One entry, laid out so that what it holds of a word is read at once.
#[derive(Debug)]
pub(crate) struct Laid<'a> {
    corpus: &'a Corpus,
    words: Vec<u64>,
    means: Vec<u64>,
    there: Option<&'a Sketch>,
}

/// Which statements hold a word.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Held {
    /// The word itself.
    pub(crate) said: u64,
    /// The word, or another that means the same.
    pub(crate) meant: u64,
}

impl Held {
    /// How surely the statement of a bit holds it.
    pub(crate) fn surely(self, bit: u64) -> f32 {
        if self.said & bit != 0 {
            1.0
        } else if self.meant & bit != 0 {
            MEANT
        } else {
            0.0
        }
    }

    /// Which of two neighbours hold it, told by the bit of the first.
    pub(crate) fn with_next(self) -> Self {
        Self {
            said: self.said | self.said >> 1,
            meant: self.meant | self.meant >> 1,
        }
    }
}

impl<'a> Laid<'a> {
    pub(crate) fn new(corpus: &'a Corpus) -> Self {
        let (words, means) = corpus.sizes();
        Self {
            corpus,
            words: vec![0; words],
            means: vec![0; means],
            there: None,
        }
    }

    /// Takes away what was laid out and lays out this.
    pub(crate) fn lay(&mut self, sketch: &'a Sketch) {
        if let Some(there) = self.there.replace(sketch) {
            for (word, _) in &there.words {
                self.words[*word as usize] = 0;
            }
            for (meaning, _) in &there.means {
                self.means[*meaning as usize] = 0;
            }
        }
        for (word, bits) in &sketch.words {
            self.words[*word as usize] = *bits;
        }
        for (meaning, bits) in &sketch.means {
            self.means[*meaning as usize] = *bits;
        }
    }

    /// Which of its statements hold a word.
    pub(crate) fn held(&self, word: WordId) -> Held {
        let meanings = self.corpus.meanings(word);
        Held {
            said: self.words[word as usize],
            meant: meanings
                .iter()
                .fold(0, |bits, meaning| bits | self.means[*meaning as usize]),
        }
    }
}
