//! The words of all texts at hand: what they mean, how rare they are, how much of one statement
//! another one says.

use std::collections::HashMap;
use words::{Lexicon, compound};

/// A word, by its stem.
pub(crate) type WordId = u32;

/// Meanings are concepts of the lexicon, and the parts of compounds, as words of their own.
type Meaning = u64;

/// What a statement is about: its words and what they mean, each once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bag {
    /// Sorted.
    pub(crate) words: Vec<WordId>,
    /// Sorted.
    means: Vec<Meaning>,
}

impl Bag {
    /// One bag of several.
    pub(crate) fn union<'a>(bags: impl IntoIterator<Item = &'a Bag>) -> Self {
        let mut out = Self::default();
        for bag in bags {
            out.words.extend_from_slice(&bag.words);
            out.means.extend_from_slice(&bag.means);
        }
        out.words.sort_unstable();
        out.words.dedup();
        out.means.sort_unstable();
        out.means.dedup();
        out
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

/// The words of all texts.
#[derive(Debug, Default)]
pub(crate) struct Corpus {
    lexicon: Lexicon,
    ids: HashMap<String, WordId>,
    words: Vec<Word>,
    texts: u32,
}

#[derive(Debug)]
struct Word {
    stem: String,
    means: Vec<Meaning>,
    texts: u32,
    weight: f32,
}

/// How much a word counts that is only meant, not said.
const MEANT: f32 = 0.85;

impl Corpus {
    /// The words of a text, not yet weighed.
    pub(crate) fn read(&mut self, text: &str) -> Vec<WordId> {
        let mut out: Vec<WordId> = Vec::new();
        let mut before: Option<words::Term> = None;
        for term in words::terms(text).filter(|term| term.kind != words::Kind::Symbol) {
            out.push(self.id(&term.stem, &text[term.range.clone()]));
            if let Some(before) = &before
                && before.range.end < term.range.start
                && term.range.start - before.range.end <= 3
            {
                out.extend(self.phrase(&before.stem, &term.stem));
            }
            before = Some(term);
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    fn id(&mut self, stem: &str, written: &str) -> WordId {
        if let Some(id) = self.ids.get(stem) {
            return *id;
        }
        let concepts = self.lexicon.concepts_of(written);
        self.add(stem, &concepts)
    }

    /// Two words that mean something together.
    fn phrase(&mut self, first: &str, second: &str) -> Option<WordId> {
        let both = format!("{first} {second}");
        if let Some(id) = self.ids.get(&both) {
            return Some(*id);
        }
        let concepts = self.lexicon.concepts(&both);
        (!concepts.is_empty()).then(|| self.add(&both, &concepts))
    }

    fn add(&mut self, stem: &str, concepts: &[words::Concept]) -> WordId {
        let id = WordId::try_from(self.words.len()).unwrap_or(WordId::MAX);
        self.words.push(Word {
            stem: stem.to_owned(),
            means: concepts.iter().map(hash_of).collect(),
            texts: 0,
            weight: 0.0,
        });
        self.ids.insert(stem.to_owned(), id);
        id
    }

    /// The words of a text that was read before as a part of another.
    pub(crate) fn known(&self, text: &str) -> Vec<WordId> {
        words::terms(text)
            .filter(|term| term.kind != words::Kind::Symbol)
            .filter_map(|term| self.ids.get(&term.stem).copied())
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .collect()
    }

    /// Takes note of one text: the words of all its statements.
    pub(crate) fn count(&mut self, words: &[WordId]) {
        let mut all = words.to_vec();
        all.sort_unstable();
        all.dedup();
        self.texts += 1;
        for id in all {
            if let Some(word) = self.words.get_mut(id as usize) {
                word.texts += 1;
            }
        }
    }

    /// Knows all texts now: splits compounds, weighs the words.
    pub(crate) fn settle(&mut self) {
        self.split_compounds();
        let mut meant: HashMap<Meaning, u32> = HashMap::new();
        for word in &self.words {
            for meaning in &word.means {
                *meant.entry(*meaning).or_default() += word.texts;
            }
        }
        let texts = self.texts.max(1);
        for word in &mut self.words {
            let often = word
                .means
                .iter()
                .filter_map(|meaning| meant.get(meaning))
                .copied()
                .min()
                .unwrap_or(0)
                .max(word.texts)
                .min(texts);
            word.weight = weight(often, texts);
        }
    }

    fn split_compounds(&mut self) {
        let mut parts: Vec<(usize, Vec<Meaning>)> = Vec::new();
        for (at, word) in self.words.iter().enumerate() {
            let latin = word
                .stem
                .chars()
                .all(|c| c.is_alphabetic() && (c as u32) < 0x250);
            if !latin || word.stem.len() < 2 * compound::SHORTEST {
                continue;
            }
            let known = |part: &str| {
                part.len() >= compound::SHORTEST
                    && part.len() < word.stem.len()
                    && (self.ids.contains_key(part) || self.lexicon.knows(part))
            };
            if let Some(ranges) = compound::split(&word.stem, &known) {
                let mut means = Vec::new();
                for range in ranges {
                    let part = &word.stem[range];
                    means.push(text_hash(part));
                    means.extend(self.lexicon.concepts(part).into_iter().map(hash_of));
                }
                parts.push((at, means));
            }
        }
        for (at, means) in parts {
            self.words[at].means.extend(means);
        }
        // Every word means itself, so that a compound's part meets the word alone.
        for word in &mut self.words {
            let own = text_hash(&word.stem);
            word.means.push(own);
            word.means.sort_unstable();
            word.means.dedup();
        }
    }

    /// A bag of words that were read before [`Corpus::settle`].
    pub(crate) fn bag(&self, words: Vec<WordId>) -> Bag {
        let mut means: Vec<Meaning> = words
            .iter()
            .filter_map(|id| self.words.get(*id as usize))
            .flat_map(|word| word.means.iter().copied())
            .collect();
        means.sort_unstable();
        means.dedup();
        Bag { words, means }
    }

    /// How rare a word is.
    pub(crate) fn weight(&self, word: WordId) -> f32 {
        self.words
            .get(word as usize)
            .map_or(0.0, |word| word.weight)
    }

    /// Whether a word begins with a digit.
    pub(crate) fn is_number(&self, word: WordId) -> bool {
        self.stem(word).starts_with(|c: char| c.is_ascii_digit())
    }

    /// The word itself.
    pub(crate) fn stem(&self, word: WordId) -> &str {
        self.words.get(word as usize).map_or("", |word| &word.stem)
    }

    /// What makes a word meet others: itself and its meanings.
    pub(crate) fn meanings(&self, word: WordId) -> &[u64] {
        self.words
            .get(word as usize)
            .map_or(&[], |word| &word.means)
    }

    /// Whether a bag holds a word, or one that means the same, and how surely.
    pub(crate) fn holds(&self, bag: &Bag, word: WordId) -> f32 {
        if bag.words.binary_search(&word).is_ok() {
            return 1.0;
        }
        let Some(word) = self.words.get(word as usize) else {
            return 0.0;
        };
        if word
            .means
            .iter()
            .any(|meaning| bag.means.binary_search(meaning).is_ok())
        {
            MEANT
        } else {
            0.0
        }
    }

    /// The weight of all words of a bag.
    pub(crate) fn mass(&self, bag: &Bag) -> f32 {
        bag.words.iter().map(|word| self.weight(*word)).sum()
    }

    /// The weight of those words of `part` that `whole` holds too.
    pub(crate) fn shared(&self, part: &Bag, whole: &Bag) -> f32 {
        part.words
            .iter()
            .map(|word| self.weight(*word) * self.holds(whole, *word))
            .sum()
    }

    /// How much of `part` is said in `whole`, from 0 to 1.
    pub(crate) fn coverage(&self, part: &Bag, whole: &Bag) -> f32 {
        let mass = self.mass(part);
        if mass <= 0.0 {
            return 0.0;
        }
        self.shared(part, whole) / mass
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts of files")]
fn weight(often: u32, texts: u32) -> f32 {
    (1.0 + texts as f32 / (often as f32 + 0.5)).ln().max(0.3)
}

fn hash_of(value: impl std::hash::Hash) -> Meaning {
    use std::hash::{DefaultHasher, Hasher};
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

fn text_hash(text: &str) -> Meaning {
    hash_of(("word", text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rare_words_count_more_and_compounds_meet_their_parts() {
        let mut corpus = Corpus::default();
        let texts = [
            "Testzertifikat der Kasse",
            "Zertifikat erneuert",
            "Kasse kaputt",
            "Test der Kasse",
        ];
        let read: Vec<_> = texts.iter().map(|text| corpus.read(text)).collect();
        for words in &read {
            corpus.count(words);
        }
        corpus.settle();
        let bags: Vec<_> = read.into_iter().map(|words| corpus.bag(words)).collect();
        assert!(corpus.coverage(&bags[1], &bags[0]) > 0.3);
        assert!(corpus.coverage(&bags[2], &bags[1]) < 0.1);
        assert!(corpus.weight(bags[2].words[0]) < corpus.mass(&bags[1]));
    }
}
