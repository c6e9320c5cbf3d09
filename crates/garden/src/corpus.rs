//! The words of all texts at hand: what they mean, how rare they are, how much of one statement
//! another one says.

use crate::quick::{Quick, QuickMap};
use crate::relations::compare::Shape;
use crate::relations::things::Naming;
use crate::spots::{Form, FormId, Forms, Spot};
use std::hash::Hasher;
use std::ops::Range;
use std::sync::OnceLock;
use words::{Concept, Lexicon, Sense, compound};

/// A word, by its stem: its place in [`Corpus::words`].
pub(crate) type WordId = u32;

/// A word means itself (its own number), the concepts of the lexicon, and the parts of compounds.
pub(crate) type Meaning = u32;

/// What a statement is about: its words and what they mean, each once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Bag {
    /// Sorted.
    pub(crate) words: Vec<WordId>,
    /// Sorted.
    pub(crate) means: Vec<Meaning>,
    /// The weight of all its words.
    pub(crate) mass: f32,
}

impl Bag {
    pub(crate) fn is_empty(&self) -> bool {
        self.words.is_empty()
    }
}

/// The words of all texts.
#[derive(Debug, Default)]
pub(crate) struct Corpus {
    lexicon: Lexicon,
    /// By stem; two words that mean something together stand with one space between.
    ids: QuickMap<Box<str>, WordId>,
    /// By the word as written.
    forms: Forms,
    /// Two words in a row that were met before, and what they are together.
    phrases: QuickMap<(WordId, WordId), Option<WordId>>,
    words: Vec<Word>,
    /// What each word means, one word behind the other; known from [`Corpus::settle`] on.
    means: Vec<Meaning>,
    /// What all texts tell of each word; known from then on, too.
    told: Vec<Told>,
    texts: u32,
    /// How many meanings there are.
    meanings: usize,
}

#[derive(Debug)]
struct Word {
    stem: Box<str>,
    concepts: Vec<Concept>,
    /// It may begin a phrase of the lexicon.
    begins: bool,
    /// It stands for a thing, as far as the lexicon tells.
    thing: bool,
    texts: u32,
    /// The last text that it was counted for.
    counted: u32,
    /// Whether it names one of several things; told when first asked for.
    naming: OnceLock<Naming>,
}

/// What all texts tell of a word.
#[derive(Debug, Clone, Copy)]
struct Told {
    /// Where its meanings begin and end in [`Corpus::means`].
    from: u32,
    to: u32,
    /// See [`Corpus::weight`], [`Corpus::tells`], [`Corpus::renders`].
    weight: f32,
    tells: f32,
    renders: f32,
    number: bool,
}

impl Told {
    const NOTHING: Self = Self {
        from: 0,
        to: 0,
        weight: 0.0,
        tells: 0.0,
        renders: 0.0,
        number: false,
    };
}

/// How much a word counts that is only meant, not said.
pub(crate) const MEANT: f32 = 0.85;

impl Corpus {
    /// The words of a text, not yet weighed.
    pub(crate) fn read(&mut self, text: &str) -> Vec<WordId> {
        self.read_spots(text).0
    }

    /// The same, and where they stand.
    pub(crate) fn read_spots(&mut self, text: &str) -> (Vec<WordId>, Box<[Spot]>) {
        let tokens = words::tokens(text);
        let mut out: Vec<WordId> = Vec::with_capacity(tokens.len());
        let mut spots = Vec::with_capacity(tokens.len());
        let mut before: Option<(WordId, usize)> = None;
        for token in tokens {
            let form = (token.kind != words::Kind::Symbol).then(|| self.form(&token));
            let form = form.flatten();
            spots.extend(Spot::of(&token, form));
            let Some(id) = form.and_then(|form| self.forms.get(form).word) else {
                continue;
            };
            out.push(id);
            if let Some((before, end)) = before
                && end < token.range.start
                && token.range.start - end <= 3
                && self.words[before as usize].begins
            {
                out.extend(self.phrase(before, id));
            }
            before = Some((id, token.range.end));
        }
        out.sort_unstable();
        out.dedup();
        (out, spots.into())
    }

    /// Where the words of a text stand of which all that is read was read before.
    pub(crate) fn spots(&self, text: &str) -> Vec<Spot> {
        let tokens = words::tokens(text);
        let spots = tokens.iter().filter_map(|token| {
            let read = token.kind != words::Kind::Symbol;
            let form = read.then(|| self.forms.find(token.text));
            Spot::of(token, form.flatten())
        });
        spots.collect()
    }

    fn form(&mut self, token: &words::Token<'_>) -> Option<FormId> {
        if let Some(known) = self.forms.find(token.text) {
            return Some(known);
        }
        let word = token.stem().map(|stem| {
            if let Some(id) = self.ids.get(&*stem) {
                return *id;
            }
            let concepts = self.lexicon.concepts_of_stemmed(token.text, &stem);
            self.add(&stem, concepts)
        });
        self.forms.add(token.text, word)
    }

    /// What is known of a token, if it was read.
    fn form_of(&self, token: &words::Token<'_>) -> Option<&Form> {
        self.forms.find(token.text).map(|form| self.forms.get(form))
    }

    /// The word that a token of a text that was read stands for.
    pub(crate) fn word_of(&self, token: &words::Token<'_>) -> Option<WordId> {
        match self.form_of(token) {
            Some(known) => known.word,
            None => self.id(&token.stem()?),
        }
    }

    /// What a word is as a piece of a statement, if it was read.
    pub(crate) fn shape(&self, spot: Spot, word: &str) -> Option<&Shape> {
        let form = self.forms.get(spot.form?);
        let shape = || {
            let stem = form.word.map(|id| self.stem(id));
            Box::new(Shape::of(self, word, stem))
        };
        Some(form.shape.get_or_init(shape))
    }

    /// Two words that mean something together.
    fn phrase(&mut self, first: WordId, second: WordId) -> Option<WordId> {
        if let Some(known) = self.phrases.get(&(first, second)) {
            return *known;
        }
        let both = format!("{} {}", self.stem(first), self.stem(second));
        let id = self.ids.get(both.as_str()).copied().or_else(|| {
            let concepts = self.lexicon.concepts(&both);
            (!concepts.is_empty()).then(|| self.add(&both, concepts))
        });
        self.phrases.insert((first, second), id);
        id
    }

    fn add(&mut self, stem: &str, concepts: Vec<Concept>) -> WordId {
        let id = WordId::try_from(self.words.len()).unwrap_or(WordId::MAX);
        let doing = |concept: &Concept| self.lexicon.sense(*concept) == Sense::Doing;
        let thing = !stem.starts_with(|c: char| c.is_ascii_digit())
            && (concepts.is_empty() || !concepts.iter().all(doing));
        self.words.push(Word {
            stem: stem.into(),
            concepts,
            begins: self.lexicon.begins_apart(stem),
            thing,
            texts: 0,
            counted: 0,
            naming: OnceLock::new(),
        });
        self.ids.insert(stem.into(), id);
        id
    }

    /// The words of a text in order, those that were never read (of a link) by a number behind all
    /// others. Parts of names and joined words are left out, the words they consist of stand there.
    pub(crate) fn sequence(&self, text: &str) -> Vec<WordId> {
        let unread = |stem: &str| {
            let mut quick = Quick::default();
            quick.write(stem.as_bytes());
            #[allow(clippy::cast_possible_truncation, reason = "one number for one word")]
            let hash = quick.finish() as WordId;
            hash | 1 << 31
        };
        words::tokens(text)
            .iter()
            .filter(|token| !matches!(token.kind, words::Kind::Symbol | words::Kind::Part))
            .filter_map(|token| {
                if let Some(known) = self.form_of(token) {
                    return known.word;
                }
                let stem = token.stem()?;
                let known = self.ids.get(&*stem).copied();
                Some(known.unwrap_or_else(|| unread(&stem)))
            })
            .collect()
    }

    /// The words of a text that was read before as a part of another.
    pub(crate) fn known(&self, text: &str) -> Vec<WordId> {
        let mut out: Vec<WordId> = words::tokens(text)
            .iter()
            .filter(|token| token.kind != words::Kind::Symbol)
            .filter_map(|token| match self.form_of(token) {
                Some(known) => known.word,
                None => self.ids.get(&*token.stem()?).copied(),
            })
            .collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// The words of a part of a text, of which is known where they stand.
    pub(crate) fn known_in(&self, text: &str, spots: &[Spot], part: Range<usize>) -> Vec<WordId> {
        let here = || spots.iter().filter(|spot| spot.kind != words::Kind::Symbol);
        let is_whole = |spot: &Spot| !spot.crosses(&part) && spot.form.is_some();
        if !here().all(is_whole) {
            return self.known(&text[part]);
        }
        let here = here().filter(|spot| spot.is_in(&part));
        let mut out: Vec<WordId> = here
            .filter_map(|spot| self.forms.get(spot.form?).word)
            .collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Takes note of one text: the words of all its statements.
    pub(crate) fn count<'a>(&mut self, words: impl IntoIterator<Item = &'a WordId>) {
        self.texts += 1;
        for id in words {
            if let Some(word) = self.words.get_mut(*id as usize)
                && word.counted != self.texts
            {
                word.counted = self.texts;
                word.texts += 1;
            }
        }
    }

    /// Knows all texts now: splits compounds, weighs the words.
    pub(crate) fn settle(&mut self) {
        self.find_meanings();
        let mut meant = vec![0_u32; self.meanings];
        for (id, word) in (0..).zip(&self.words) {
            for meaning in self.meanings(id) {
                meant[*meaning as usize] += word.texts;
            }
        }
        let texts = self.texts.max(1);
        for (id, word) in (0..).zip(&self.words) {
            let often = self
                .meanings(id)
                .iter()
                .map(|meaning| meant[*meaning as usize])
                .min()
                .unwrap_or(0)
                .max(word.texts)
                .min(texts);
            let weight = weight(often, texts);
            let told = Told {
                weight,
                tells: if word.thing {
                    told_by(weight, texts)
                } else {
                    0.0
                },
                renders: rendered(word, self.meanings(id).len()),
                number: word.stem.starts_with(|c: char| c.is_ascii_digit()),
                ..self.told[id as usize]
            };
            self.told[id as usize] = told;
        }
    }

    fn find_meanings(&mut self) {
        let mut numbers = Numbers::behind(self.words.len());
        let mut all = Vec::with_capacity(2 * self.words.len());
        let mut told = Vec::with_capacity(self.words.len());
        let place = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        for (own, word) in (0..).zip(&self.words) {
            // Every word means itself, so that a compound's part meets the word alone.
            let mut means: Vec<Meaning> = vec![own];
            means.extend(word.concepts.iter().map(|concept| numbers.of(*concept)));
            for part in self.parts(&word.stem) {
                means.push(match self.ids.get(part) {
                    Some(id) => *id,
                    None => numbers.of_part(part),
                });
                means.extend(
                    self.lexicon
                        .concepts(part)
                        .into_iter()
                        .map(|concept| numbers.of(concept)),
                );
            }
            means.sort_unstable();
            means.dedup();
            let from = place(all.len());
            all.extend(means);
            told.push(Told {
                from,
                to: place(all.len()),
                ..Told::NOTHING
            });
        }
        self.meanings = numbers.next as usize;
        self.means = all;
        self.told = told;
    }

    /// The parts of a compound; none of any other word.
    fn parts<'a>(&self, stem: &'a str) -> Vec<&'a str> {
        let latin = stem
            .chars()
            .all(|c| c.is_alphabetic() && (c as u32) < 0x250);
        if !latin || stem.len() < 2 * compound::SHORTEST {
            return Vec::new();
        }
        let known = |part: &str| {
            part.len() >= compound::SHORTEST
                && part.len() < stem.len()
                && (self.ids.contains_key(part) || self.lexicon.knows(part))
        };
        compound::split(stem, &known)
            .into_iter()
            .flatten()
            .map(|range| &stem[range])
            .collect()
    }

    /// A bag of words that were read before [`Corpus::settle`].
    pub(crate) fn bag(&self, words: Vec<WordId>) -> Bag {
        let mut means: Vec<Meaning> = Vec::with_capacity(words.len() + words.len() / 2);
        for word in &words {
            means.extend_from_slice(self.meanings(*word));
        }
        means.sort_unstable();
        means.dedup();
        let mass = words.iter().map(|word| self.weight(*word)).sum();
        Bag { words, means, mass }
    }

    /// One bag of several.
    pub(crate) fn union<'a>(&self, bags: impl IntoIterator<Item = &'a Bag> + Clone) -> Bag {
        let count = bags.clone().into_iter().map(|bag| bag.words.len()).sum();
        let mut words = Vec::with_capacity(count);
        for bag in bags {
            words.extend_from_slice(&bag.words);
        }
        words.sort_unstable();
        words.dedup();
        self.bag(words)
    }

    /// Whether the lexicon knows what a word means.
    pub(crate) fn has_concepts(&self, word: WordId) -> bool {
        let word = self.words.get(word as usize);
        word.is_some_and(|word| !word.concepts.is_empty())
    }

    /// The word of a stem, if some text has it.
    pub(crate) fn id(&self, stem: &str) -> Option<WordId> {
        self.ids.get(stem).copied()
    }

    /// Whether two words are one, or mean one thing by the lexicon.
    pub(crate) fn same(&self, x: WordId, y: WordId) -> bool {
        let of = |word: WordId| self.words.get(word as usize).map(|word| &word.concepts);
        x == y
            || of(x)
                .zip(of(y))
                .is_some_and(|(x, y)| x.iter().any(|concept| y.contains(concept)))
    }

    fn told(&self, word: WordId) -> &Told {
        self.told.get(word as usize).unwrap_or(&Told::NOTHING)
    }

    /// How rare a word is.
    pub(crate) fn weight(&self, word: WordId) -> f32 {
        self.told(word).weight
    }

    /// Whether a word stands for a thing: what is done, how and when tells no subject.
    pub(crate) fn is_thing(&self, word: WordId) -> bool {
        self.words.get(word as usize).is_some_and(|word| word.thing)
    }

    /// Whether a word names one of several things, as `of` tells of its stem the first time.
    pub(crate) fn naming(&self, word: WordId, of: impl FnOnce(&str) -> Naming) -> Naming {
        self.words
            .get(word as usize)
            .map_or(Naming::Nothing, |word| {
                *word.naming.get_or_init(|| of(&word.stem))
            })
    }

    /// How much a word tells of what a text is about: a thing that few texts speak of is 1.
    pub(crate) fn tells(&self, word: WordId) -> f32 {
        self.told(word).tells
    }

    /// How likely it is that another language says this word so that it is found there: what the
    /// lexicon knows is, and a name in Latin letters among those of another script.
    pub(crate) fn renders(&self, word: WordId) -> f32 {
        self.told(word).renders
    }

    /// Whether a word begins with a digit.
    pub(crate) fn is_number(&self, word: WordId) -> bool {
        self.told(word).number
    }

    /// The word itself.
    pub(crate) fn stem(&self, word: WordId) -> &str {
        self.words.get(word as usize).map_or("", |word| &word.stem)
    }

    /// What makes a word meet others: itself and its meanings.
    pub(crate) fn meanings(&self, word: WordId) -> &[Meaning] {
        let told = self.told(word);
        &self.means[told.from as usize..told.to as usize]
    }

    /// How many words and meanings there are: tables by word or meaning have this size.
    pub(crate) fn sizes(&self) -> (usize, usize) {
        (self.words.len(), self.meanings)
    }

    /// Whether a bag holds a word, or one that means the same, and how surely.
    pub(crate) fn holds(&self, bag: &Bag, word: WordId) -> f32 {
        if bag.words.binary_search(&word).is_ok() {
            return 1.0;
        }
        if self
            .meanings(word)
            .iter()
            .any(|meaning| bag.means.binary_search(meaning).is_ok())
        {
            MEANT
        } else {
            0.0
        }
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
        if part.mass <= 0.0 {
            return 0.0;
        }
        self.shared(part, whole) / part.mass
    }
}

/// Numbers of meanings that are no word's own.
struct Numbers {
    next: Meaning,
    concepts: QuickMap<Concept, Meaning>,
    parts: QuickMap<Box<str>, Meaning>,
}

impl Numbers {
    /// Those behind the words' own.
    fn behind(words: usize) -> Self {
        Self {
            next: Meaning::try_from(words).unwrap_or(Meaning::MAX),
            concepts: QuickMap::default(),
            parts: QuickMap::default(),
        }
    }

    fn of(&mut self, concept: Concept) -> Meaning {
        *self
            .concepts
            .entry(concept)
            .or_insert_with(|| count(&mut self.next))
    }

    fn of_part(&mut self, part: &str) -> Meaning {
        if let Some(number) = self.parts.get(part) {
            return *number;
        }
        let number = count(&mut self.next);
        self.parts.insert(part.into(), number);
        number
    }
}

fn count(next: &mut Meaning) -> Meaning {
    let number = *next;
    *next = next.saturating_add(1);
    number
}

/// How much a thing of some weight tells of what a text is about.
#[allow(clippy::cast_precision_loss, reason = "counts of files")]
fn told_by(weight: f32, texts: u32) -> f32 {
    let rare = (1.0 + texts as f32 / 3.5).ln();
    (weight / rare).min(1.0)
}

/// See [`Corpus::renders`].
fn rendered(word: &Word, meanings: usize) -> f32 {
    // Parts of a compound mean something too.
    if !word.concepts.is_empty() || meanings > 1 {
        1.0
    } else if word.stem.starts_with(|c: char| (c as u32) < 0x250) {
        0.4
    } else {
        0.15
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts of files")]
fn weight(often: u32, texts: u32) -> f32 {
    (1.0 + texts as f32 / (often as f32 + 0.5)).ln().max(0.3)
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
        assert!(corpus.weight(bags[2].words[0]) < bags[1].mass);
    }
}
