//! Does a document say the opposite of what is to be saved?
//!
//! Statements are compared clause by clause (`use tabs, not spaces` are two): two clauses of the same
//! words, of which one is denied (`never`, `금지`, `nicht`, `不`), exclude each other, and so do two
//! that differ in a word and its opposite (`enable`, `disable`).

use super::score::real;
use std::collections::BTreeSet;
use words::meaning::{Kind, Reader, Word};
use words::{Concept, Lexicon};

/// How much of the clause that says less must stand in the other.
const LESS: f64 = 0.9;

/// The same of the clause that says more.
const MORE: f64 = 0.6;

/// Words that a clause needs to be compared.
const FEWEST: usize = 2;

/// Clauses of one text that are looked at.
const MOST: usize = 200;

/// Words that deny, of which the lexicon knows the others.
const DENYING: [&str; 5] = ["not", "never", "forbidden", "avoid", "without"];

/// Forms that deny and are no words by themselves.
const MARKS: [&str; 6] = ["n't", "n’t", "勿", "不要", "别用", "严禁"];

/// What ends a clause.
const ENDS: [char; 14] = [
    ',', ';', ':', '(', ')', '—', '–', '.', '!', '?', '，', '。', '；', '、',
];

/// A clause, read.
pub(super) struct Clause {
    /// What it is about.
    said: Vec<Word>,
    /// How often it denies.
    denied: usize,
}

/// Two clauses that are about the same.
pub(super) struct Meeting {
    /// How much of the one that says more stands in the other.
    pub(super) strength: f64,
    /// One says the opposite of the other.
    pub(super) excludes: bool,
}

/// Reads clauses.
pub(super) struct Clauses {
    reader: Reader,
    denying: BTreeSet<Concept>,
}

impl Clauses {
    pub(super) fn new(lexicon: Lexicon) -> Self {
        let denying = DENYING
            .iter()
            .flat_map(|word| lexicon.concepts_of(word))
            .collect();
        Self {
            reader: Reader::new(lexicon),
            denying,
        }
    }

    /// The clauses of a statement that say enough. What stands under a heading that denies
    /// (`Don'ts`) is denied.
    pub(super) fn under(&mut self, heading: &str, text: &str) -> Vec<Clause> {
        let mut clauses: Vec<Clause> = text
            .split(ENDS)
            .take(MOST)
            .map(|clause| self.clause(clause))
            .filter(|clause| clause.said.len() >= FEWEST)
            .collect();
        if !heading.is_empty() && heading != text {
            let denied = self.clause(heading).denied;
            for clause in &mut clauses {
                clause.denied += denied;
            }
        }
        clauses
    }

    fn clause(&mut self, text: &str) -> Clause {
        let (denying, said): (Vec<Word>, Vec<Word>) =
            self.reader.read(text).into_iter().partition(|word| {
                word.concepts
                    .iter()
                    .any(|concept| self.denying.contains(concept))
            });
        let marks = if denying.is_empty() {
            MARKS.iter().filter(|mark| text.contains(**mark)).count()
        } else {
            0
        };
        Clause {
            said: said
                .into_iter()
                .filter(|word| word.kind != Kind::Function)
                .collect(),
            denied: denying.len() + marks,
        }
    }

    /// Whether two clauses are about the same, and how.
    pub(super) fn meet(&self, a: &Clause, b: &Clause) -> Option<Meeting> {
        let mut left: Vec<&Word> = b.said.iter().collect();
        let mut turned = 0;
        let mut found = 0;
        let mut rest: Vec<&Word> = Vec::new();
        for word in &a.said {
            match left.iter().position(|other| word.meets(other)) {
                Some(at) => {
                    left.swap_remove(at);
                    found += 1;
                }
                None => rest.push(word),
            }
        }
        for word in &rest {
            if let Some(at) = left.iter().position(|other| self.opposed(word, other)) {
                left.swap_remove(at);
                turned += 1;
                found += 1;
            } else if matches!(word.kind, Kind::Number | Kind::Name) {
                // Another number or name is another statement.
                return None;
            }
        }
        let sure = |word: &&&Word| matches!(word.kind, Kind::Number | Kind::Name);
        if found - turned == 0 || left.iter().any(|word| sure(&word)) {
            return None;
        }
        let (in_a, in_b) = (
            real(found) / real(a.said.len()),
            real(found) / real(b.said.len()),
        );
        (in_a.max(in_b) >= LESS && in_a.min(in_b) >= MORE).then(|| Meeting {
            strength: in_a.min(in_b),
            excludes: (a.denied + b.denied + turned) % 2 == 1,
        })
    }

    fn opposed(&self, a: &Word, b: &Word) -> bool {
        a.concepts.iter().any(|concept| {
            self.reader
                .lexicon()
                .opposites(*concept)
                .any(|opposite| b.concepts.contains(&opposite))
        })
    }
}
