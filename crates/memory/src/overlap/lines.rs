//! Lines that statements are compared with, found by the words they have.
//!
//! Most statements have no word in common with most lines. What a word meets is looked up once,
//! however many statements it stands in.

use super::agree::{Beginning, Met, begins_with, meets};
use super::clause::Said;
use super::score::{ALIKE, nearness, pairs, real};
use std::rc::Rc;
use words::Concept;
use words::meaning::{Kind, Word};
use words::quick::QuickMap;

/// The number of a distinct word of the lines.
type WordId = usize;

/// What a word is told by, wherever it stands.
type Key = (Rc<str>, Kind, Rc<[Concept]>);

/// Lines, read.
#[derive(Debug, Default)]
pub(super) struct Lines {
    said: Vec<Said>,
    /// The distinct words, and where they stand: which line, which of its words.
    words: Vec<(Word, Vec<(usize, usize)>)>,
    ids: QuickMap<Key, WordId>,
    by_stem: QuickMap<Rc<str>, Vec<WordId>>,
    by_concept: QuickMap<Concept, Vec<WordId>>,
    by_beginning: QuickMap<Beginning, Vec<WordId>>,
    /// Where the words stand that a word meets, in order.
    met: QuickMap<Key, Rc<[(usize, usize)]>>,
    /// The words of each line, by their numbers, in order.
    of_line: Vec<Vec<WordId>>,
    /// The words that the lexicon does not know, by neighbouring letters.
    by_pair: QuickMap<(char, char), Vec<WordId>>,
    /// The words that a word is near, and how near.
    near: QuickMap<Key, Rc<[(WordId, f64)]>>,
}

/// A line, and the words that a statement has in common with it: in the statement's order.
pub(super) struct Meeting {
    pub(super) line: usize,
    pub(super) words: Vec<Met>,
}

impl Lines {
    pub(super) fn of(said: Vec<Said>) -> Self {
        let mut lines = Self::default();
        for (line, one) in said.iter().enumerate() {
            let mut ids = Vec::with_capacity(one.terms.len());
            for (at, term) in one.terms.iter().enumerate() {
                let id = lines.id(&term.word);
                lines.words[id].1.push((line, at));
                ids.push(id);
            }
            lines.of_line.push(ids);
        }
        lines.said = said;
        lines
    }

    fn id(&mut self, word: &Word) -> WordId {
        let next = self.words.len();
        let id = *self.ids.entry(key(word)).or_insert(next);
        if id == next {
            self.words.push((word.clone(), Vec::new()));
            if word.kind == Kind::Unknown {
                for pair in pairs(&word.stem) {
                    self.by_pair.entry(pair).or_default().push(id);
                }
            }
            let stem = Rc::clone(&word.stem);
            self.by_stem.entry(stem).or_default().push(id);
            for concept in word.concepts.iter() {
                self.by_concept.entry(*concept).or_default().push(id);
            }
            if let Some(beginning) = begins_with(word) {
                self.by_beginning.entry(beginning).or_default().push(id);
            }
        }
        id
    }

    /// What a line says.
    pub(super) fn said(&self, line: usize) -> &Said {
        &self.said[line]
    }

    /// The lines that have a word in common with a statement, in order.
    pub(super) fn met(&mut self, ours: &Said) -> Vec<Meeting> {
        let mut all: Vec<(usize, Met)> = Vec::new();
        for (at, term) in ours.terms.iter().enumerate() {
            let places = self.places(&term.word);
            all.extend(places.iter().map(|(line, place)| {
                let met = Met {
                    ours: at,
                    theirs: *place,
                };
                (*line, met)
            }));
        }
        // The words stay in order.
        all.sort_by_key(|(line, _)| *line);
        all.chunk_by(|(a, _), (b, _)| a == b)
            .filter_map(|chunk| {
                Some(Meeting {
                    line: chunk.first()?.0,
                    words: chunk.iter().map(|(_, met)| *met).collect(),
                })
            })
            .collect()
    }

    /// The words of a line, by their numbers, in order.
    pub(super) fn words_of(&self, line: usize) -> &[WordId] {
        &self.of_line[line]
    }

    /// How many distinct words the lines have.
    pub(super) fn count(&self) -> usize {
        self.words.len()
    }

    /// The words of the lines with the meaning or the stem of a word.
    fn same<'a>(&'a self, word: &'a Word) -> impl Iterator<Item = &'a Vec<WordId>> {
        let meaning = word
            .concepts
            .iter()
            .filter_map(|concept| self.by_concept.get(concept));
        meaning.chain(self.by_stem.get(&word.stem))
    }

    /// The words of the lines that a word is near, and how near.
    pub(super) fn near(&mut self, word: &Word) -> Rc<[(WordId, f64)]> {
        let key = key(word);
        if let Some(known) = self.near.get(&key) {
            return Rc::clone(known);
        }
        let mut ids: Vec<WordId> = self.same(word).flatten().copied().collect();
        if word.kind == Kind::Unknown {
            ids.extend(self.spelled_alike(&word.stem));
        }
        ids.sort_unstable();
        ids.dedup();
        let near: Rc<[(WordId, f64)]> = ids
            .into_iter()
            .map(|id| (id, nearness(word, &self.words[id].0)))
            .filter(|(_, near)| *near > 0.0)
            .collect();
        self.near.insert(key, Rc::clone(&near));
        near
    }

    /// Words that the lexicon does not know and that may be spelled like one: no more neighbouring
    /// letters are the same than are met here.
    fn spelled_alike(&self, stem: &str) -> Vec<WordId> {
        let mut met: Vec<WordId> = pairs(stem)
            .filter_map(|pair| self.by_pair.get(&pair))
            .flatten()
            .copied()
            .collect();
        met.sort_unstable();
        let own = pairs(stem).count();
        let enough = |chunk: &&[WordId]| {
            let theirs = pairs(&self.words[chunk[0]].0.stem).count();
            2.0 * real(chunk.len()) >= ALIKE * real(own + theirs)
        };
        let words = met.chunk_by(|a, b| a == b).filter(enough);
        words.map(|chunk| chunk[0]).collect()
    }

    /// Where the words stand that one meets.
    fn places(&mut self, word: &Word) -> Rc<[(usize, usize)]> {
        let key = key(word);
        if let Some(known) = self.met.get(&key) {
            return Rc::clone(known);
        }
        let alike = begins_with(word).and_then(|beginning| self.by_beginning.get(&beginning));
        let same = self.same(word).chain(alike);
        let mut ids: Vec<WordId> = same.flatten().copied().collect();
        ids.sort_unstable();
        ids.dedup();
        let mut places: Vec<(usize, usize)> = ids
            .into_iter()
            .map(|id| &self.words[id])
            .filter(|(known, _)| meets(word, known))
            .flat_map(|(_, places)| places.iter().copied())
            .collect();
        places.sort_unstable();
        let places: Rc<[(usize, usize)]> = places.into();
        self.met.insert(key, Rc::clone(&places));
        places
    }
}

fn key(word: &Word) -> Key {
    (Rc::clone(&word.stem), word.kind, Rc::clone(&word.concepts))
}

#[cfg(test)]
mod tests {
    use super::super::agree::met;
    use super::super::clause::Clauses;
    use super::*;
    use words::Lexicon;

    proptest::proptest! {
        #[test]
        fn what_is_looked_up_is_what_is_compared(
            texts in proptest::collection::vec(
                "((Tests|test|laufen|gelaufen|lauf|verlaufen|배포|배포를|deploys|deployment|部署|npm|3|parse_id|qwertz|qwertzen|gequertz|qwer)( |, never )){0,9}",
                1..6
            ),
        ) {
            let mut clauses = Clauses::new(Lexicon::builtin());
            let mut read = |text: &String| clauses.read(text);
            let ours = read(&texts[0]);
            let said: Vec<Said> = texts.iter().map(&mut read).collect();
            let one_by_one: Vec<Vec<Met>> = said.iter().map(|line| met(&ours, line)).collect();
            let mut lines = Lines::of(said);
            for _ in 0..2 {
                let mut found = vec![Vec::new(); texts.len()];
                for meeting in lines.met(&ours) {
                    found[meeting.line] = meeting.words;
                }
                proptest::prop_assert_eq!(&found, &one_by_one);
            }
            for term in &ours.terms {
                let near = lines.near(&term.word);
                let words = lines.words.iter().enumerate();
                let compared: Vec<(WordId, f64)> = words
                    .map(|(id, (known, _))| (id, nearness(&term.word, known)))
                    .filter(|(_, near)| *near > 0.0)
                    .collect();
                proptest::prop_assert_eq!(&near[..], &compared[..]);
            }
        }
    }
}
