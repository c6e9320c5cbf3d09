//! What entries are compared by: their words and meanings, each with the statements that hold it as
//! bits of one number, so that an entry meets all statements of another one at a time.

use super::over;
use crate::corpus::{Bag, Corpus, MEANT, Meaning, WordId};
use crate::cues::{self, Cue};
use crate::prose::{Part, Statement};
use crate::view::{self, View};
use chrono::NaiveDate;
use memory::Kind;
use std::ops::RangeInclusive;

/// Statements of an entry that are looked into: a log of many lines is not read to its end.
pub(crate) const MOST: usize = 40;
/// The bit of what stands anywhere in an entry, the name included.
pub(crate) const ANYWHERE: u64 = 1 << 63;

/// One entry.
#[derive(Debug)]
pub(crate) struct Sketch {
    /// The weight of the words of each statement of the head, numbers left out.
    pub(crate) head: Vec<f32>,
    /// From the first to the last of the days that the sentences of its head tell.
    pub(crate) days: Option<RangeInclusive<NaiveDate>>,
    /// The numbers of some size in its head.
    pub(crate) numbers: Vec<f64>,
    /// What it turns down.
    pub(crate) rejected: Vec<Rejected>,
    /// The statements of the head that turn something down themselves, as bits.
    pub(crate) rejects: u64,
    /// Statements of the head that say what is no longer so or was not chosen, and its words.
    pub(crate) down: Vec<(usize, Vec<WordId>)>,
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
            if !(in_head || chooses) || !said.says(Cue::Rejects) {
                continue;
            }
            let Some(range) = cues::rejected(view.text(said), &said.folded) else {
                continue;
            };
            if in_head {
                rejects |= 1 << statement;
            }
            let mut words = view.known(corpus, said, range);
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
            head,
            rejected,
            rejects,
            down: turned_down(view, corpus),
            days: days(view),
            numbers: view
                .head()
                .flat_map(|(statement, _)| view.quantities(statement))
                .map(|quantity| quantity.value)
                .filter(|value| *value >= 10.0)
                .collect(),
        }
    }
}

fn days(view: &View) -> Option<RangeInclusive<NaiveDate>> {
    let head = view.head().filter(|(said, _)| said.part != Part::Heading);
    let mut days: Vec<NaiveDate> = head
        .flat_map(|(said, _)| view::days(&said.folded))
        .collect();
    days.sort_unstable();
    Some(*days.first()?..=*days.last()?)
}

fn turned_down(view: &View, corpus: &Corpus) -> Vec<(usize, Vec<WordId>)> {
    let all = view.statements.iter().enumerate().take(MOST);
    // What was decided is told behind what it was about.
    let tells = |(at, said): &(usize, &Statement)| {
        *at < view.head_len || view.kind == Some(Kind::Decision) && over::decides(said)
    };
    all.filter(tells)
        .filter(|(_, said)| !matches!(said.part, Part::Heading))
        .filter_map(|(at, said)| {
            let down = cues::turned_down(view.text(said), &said.folded)?;
            Some((at, view.known(corpus, said, down)))
        })
        .collect()
}

/// One entry, laid out so that what it holds of a word is read at once.
#[derive(Debug)]
pub(crate) struct Laid<'a> {
    corpus: &'a Corpus,
    /// By word and meaning: a word's own meaning has its number.
    held: Vec<Held>,
    there: Option<&'a View>,
}

/// Which statements hold a word.
#[derive(Debug, Clone, Copy, Default)]
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

    /// Whether it stands anywhere.
    pub(crate) fn is_there(self) -> bool {
        self.meant & ANYWHERE != 0
    }

    /// The first statements alone.
    pub(crate) fn before(self, count: usize) -> Self {
        let mask = (1 << count) - 1;
        Self {
            said: self.said & mask,
            meant: self.meant & mask,
        }
    }

    /// Each statement that holds it, and how surely. (Every word means itself.)
    pub(crate) fn each(self, mut tell: impl FnMut(usize, f32)) {
        Self::places(self.meant, |place| tell(place, self.surely(1 << place)));
    }

    /// The places of a number's bits, in order.
    pub(crate) fn places(mut bits: u64, mut tell: impl FnMut(usize)) {
        while bits != 0 {
            tell(bits.trailing_zeros() as usize);
            bits &= bits - 1;
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
        Self {
            corpus,
            held: vec![Held::default(); corpus.sizes().1],
            there: None,
        }
    }

    /// Takes away what was laid out and lays out this.
    pub(crate) fn lay(&mut self, view: &'a View) {
        if let Some(there) = self.there.replace(view) {
            // Every word means itself.
            for meaning in &there.whole.means {
                self.held[*meaning as usize] = Held::default();
            }
        }
        self.mark(&view.whole, ANYWHERE);
        for (at, bag) in view.bags.iter().enumerate().take(MOST) {
            self.mark(bag, 1 << at);
        }
    }

    fn mark(&mut self, bag: &Bag, bit: u64) {
        for word in &bag.words {
            self.held[*word as usize].said |= bit;
        }
        for meaning in &bag.means {
            self.held[*meaning as usize].meant |= bit;
        }
    }

    /// Which of its statements hold a word.
    pub(crate) fn held(&self, word: WordId) -> Held {
        let own = self.held[word as usize];
        let meanings = self.corpus.meanings(word);
        if meanings.len() < 2 {
            return own;
        }
        let meant = |bits, meaning: &Meaning| bits | self.held[*meaning as usize].meant;
        Held {
            said: own.said,
            meant: meanings.iter().fold(0, meant),
        }
    }
}
