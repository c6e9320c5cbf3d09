//! Words that mean the same, across languages.
//!
//! The table is sorted by stem when the crate is built: looking up needs no loading.

use crate::base::fold::fold;
use crate::base::{LONGEST, derived, key, latin, root_with, script, slots, stem, verbs};
use std::borrow::Cow;
use std::collections::HashMap;

const CONCEPTS: &str = include_str!(concat!(env!("OUT_DIR"), "/concepts.txt"));
const STEMS: &str = include_str!(concat!(env!("OUT_DIR"), "/stems.txt"));
/// What each concept is, one letter each.
const SENSES: &str = include_str!(concat!(env!("OUT_DIR"), "/senses.txt"));
/// Where the line of each stem begins.
const STEM_SLOTS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/stems.slots"));
/// Where the first line begins of those that begin with a word and a blank.
const PHRASE_SLOTS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/phrases.slots"));
#[allow(clippy::unreadable_literal, reason = "made by the build script")]
const OPPOSITES: &[(u32, u32)] = include!(concat!(env!("OUT_DIR"), "/opposites.rs"));
#[allow(clippy::unreadable_literal, reason = "made by the build script")]
const STARTS: &[u32] = include!(concat!(env!("OUT_DIR"), "/starts.rs"));

/// One meaning: a number that is stable within one version of mnemo only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Concept(u32);

/// What kind of meaning a concept is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Sense {
    /// What is done, how something is, when, how many.
    Doing,
    /// A thing, and what is done with it (`Sicherung`, `sichern`).
    Both,
    /// A thing.
    Thing,
    /// A name, as of a product: it is said in no other way.
    Name,
}

/// A word, or a few words in order, for a concept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Member<'a> {
    /// Folded, not stemmed; several words are separated by one space.
    pub text: &'a str,
    /// It means nearly the same; else it is only near (marked `~` in the table).
    pub close: bool,
}

/// The built-in table and what a user adds to it.
#[derive(Debug, Clone, Default)]
pub struct Lexicon {
    /// Members of the added concepts, folded.
    added: Vec<Vec<String>>,
    /// Their stems.
    stems: HashMap<String, Vec<u32>>,
}

impl Lexicon {
    /// The table that comes with mnemo.
    pub fn builtin() -> Self {
        Self::default()
    }

    /// Adds words that mean the same. A leading `~` marks one that is only near.
    pub fn add<'a>(&mut self, words: impl IntoIterator<Item = &'a str>) {
        let members: Vec<String> = words
            .into_iter()
            .map(|word| fold(word.trim()).into_owned())
            .filter(|word| !word.is_empty())
            .collect();
        let Ok(id) = u32::try_from(Self::builtin_count() + self.added.len()) else {
            return;
        };
        for member in &members {
            let ids = self
                .stems
                .entry(key(member.trim_start_matches('~')))
                .or_default();
            if ids.last() != Some(&id) {
                ids.push(id);
            }
        }
        self.added.push(members);
    }

    /// The concepts of a stem (or of several stems, separated by one space). A Latin word that is
    /// not found is tried by its [`root`].
    pub fn concepts(&self, stem: &str) -> Vec<Concept> {
        let mut out: Vec<Concept> = Vec::new();
        if let Some(ids) = builtin_ids(stem) {
            out.extend(ids.split(',').filter_map(|id| id.parse().ok()).map(Concept));
        }
        if let Some(ids) = self.stems.get(stem) {
            out.extend(ids.iter().copied().map(Concept));
        }
        out
    }

    /// The concepts of a word as it stands in a text: by its stem, else by what else it may be a
    /// form of.
    pub fn concepts_of(&self, word: &str) -> Vec<Concept> {
        let out = self.by_stem(word);
        if out.is_empty() {
            return self.dictionary_form(&fold(word));
        }
        out
    }

    /// The same, where what its stem and its root do not tell is left out.
    fn by_stem(&self, word: &str) -> Vec<Concept> {
        let folded = fold(word);
        if folded.contains(char::is_whitespace) && (folded.contains(' ') || !is_hangul(&folded)) {
            let out = self.concepts(&key(&folded));
            return if out.is_empty() {
                self.by_root(&folded, stem(&folded))
            } else {
                out
            };
        }
        self.of_folded(&folded, stem(&folded))
    }

    /// The same of one word whose stem is known: [`crate::stem`] of it folded.
    pub fn concepts_of_stemmed(&self, word: &str, stem: &str) -> Vec<Concept> {
        self.of_folded(&fold(word), Cow::Borrowed(stem))
    }

    fn of_folded(&self, folded: &str, stem: Cow<'_, str>) -> Vec<Concept> {
        if is_hangul(folded) {
            return self.korean(folded);
        }
        let out = self.concepts(&stem);
        if out.is_empty() {
            self.by_root(folded, stem)
        } else {
            out
        }
    }

    /// The concepts of a word by its root, else by what its family begins with.
    fn by_root(&self, folded: &str, stem: Cow<'_, str>) -> Vec<Concept> {
        let root = root_with(folded, stem);
        let out = self.concepts(&root);
        if out.is_empty()
            && let Some(derived) = derived(folded, &root)
        {
            return self.concepts(&derived);
        }
        out
    }

    /// A form that its stem does not tell (`liefert`, `gespielt`, `abzuholen`, `largest`), where the
    /// dictionary form of it stands in the table as it is.
    fn dictionary_form(&self, folded: &str) -> Vec<Concept> {
        let stands = |word: &str| {
            let mut concepts = self.concepts(&key(word));
            let plain = latin::plain(word);
            concepts.retain(|concept| {
                let mut members = self.members(*concept).into_iter();
                // `fällt` is of `fallen`.
                members.any(|member| member.text == word || member.text == plain)
            });
            concepts
        };
        latin::dictionary_forms(folded)
            .iter()
            .map(|word| stands(word))
            .find(|concepts| !concepts.is_empty())
            .unwrap_or_default()
    }

    /// A noun as it stands, or before its particles; a word by its stem; a verb with its ending.
    fn korean(&self, folded: &str) -> Vec<Concept> {
        if folded.len() > LONGEST {
            return self.concepts(folded);
        }
        let known = |word: &str| {
            let concepts = self.concepts(word);
            (!concepts.is_empty()).then_some(concepts)
        };
        // What follows a name, written apart or after a sign, is no form of a verb (`는` of `늘다`).
        if verbs::PARTICLES
            .split_whitespace()
            .any(|particle| particle == folded)
        {
            return known(folded).unwrap_or_default();
        }
        // `줄이고` is a form of `줄이다` sooner than the noun `줄` with a particle.
        known(folded)
            .or_else(|| self.before_particles(folded, 2).and_then(known))
            .or_else(|| known(&key(folded)))
            .or_else(|| self.verb(folded))
            .or_else(|| self.before_particles(folded, 1).and_then(known))
            .or_else(|| self.before_particles(&key(folded), 1).and_then(known))
            .or_else(|| {
                // `충분히` says how something is that is `충분하다`.
                let how = folded.strip_suffix('히')?;
                (how.chars().count() >= 2).then(|| known(how)).flatten()
            })
            .unwrap_or_default()
    }

    /// Whether a Korean word is in the lexicon as a form of a verb only (`고르기` of `고르다`).
    pub fn is_verb_form(&self, word: &str) -> bool {
        let folded = fold(word);
        !self.knows(&folded)
            && self.before_particles(&folded, 2).is_none()
            && !self.knows(&key(&folded))
            && self.verb(&folded).is_some()
    }

    /// The known noun, of so many syllables at least, that stands before a particle.
    fn before_particles<'a>(&self, folded: &'a str, least: usize) -> Option<&'a str> {
        verbs::PARTICLES
            .split_whitespace()
            .filter_map(|particle| folded.strip_suffix(particle))
            .find(|noun| noun.chars().count() >= least && self.knows(noun))
    }

    fn verb(&self, folded: &str) -> Option<Vec<Concept>> {
        let letters = verbs::jamo(folded);
        let cuts = letters.char_indices().map(|(at, _)| at).skip(2);
        let ends: Vec<usize> = cuts.chain([letters.len()]).collect();
        ends.into_iter()
            .rev()
            .map(|end| letters.split_at(end))
            .find(|(stem, rest)| self.knows(stem) && verbs::is_ending(rest))
            .map(|(stem, _)| self.concepts(stem))
    }

    /// What kind of meaning a concept is. What a user adds is a thing.
    pub fn sense(&self, concept: Concept) -> Sense {
        match SENSES.as_bytes().get(concept.0 as usize) {
            Some(b'D') => Sense::Doing,
            Some(b'M') => Sense::Both,
            Some(b'N') => Sense::Name,
            _ => Sense::Thing,
        }
    }

    /// What means the opposite of a concept.
    pub fn opposites(&self, concept: Concept) -> impl Iterator<Item = Concept> {
        let start = OPPOSITES.partition_point(|(of, _)| *of < concept.0);
        OPPOSITES
            .iter()
            .skip(start)
            .take_while(move |(of, _)| *of == concept.0)
            .map(|(_, opposite)| Concept(*opposite))
    }

    /// Whether the table holds a stem.
    pub fn knows(&self, stem: &str) -> bool {
        builtin_ids(stem).is_some() || self.stems.contains_key(stem)
    }

    /// Whether several words that the table holds as one may begin with this stem.
    pub(crate) fn begins(&self, stem: &str) -> bool {
        if stem.len() > LONGEST {
            return false;
        }
        if stem.chars().next().map(script::of) != Some(script::Script::Hangul) {
            return self.begins_apart(stem);
        }
        // Korean words that are written apart may stand together in the table.
        let longer = |other: &str| {
            other
                .strip_prefix(stem)
                .is_some_and(|rest| !rest.is_empty())
        };
        next_stem(stem).is_some_and(longer) || self.stems.keys().any(|other| longer(other))
    }

    /// Whether several words, written apart, that the table holds as one begin with this stem.
    pub fn begins_apart(&self, stem: &str) -> bool {
        let apart = |line: &str| {
            line.strip_prefix(stem)
                .is_some_and(|rest| rest.starts_with(' '))
        };
        slots::places(PHRASE_SLOTS, stem).any(|place| STEMS.get(place..).is_some_and(apart))
            || self.stems.keys().any(|other| apart(other))
    }

    /// The words of a concept.
    pub fn members(&self, concept: Concept) -> Vec<Member<'_>> {
        let index = concept.0 as usize;
        let close = |text: &'_ str| !text.starts_with('~');
        if let (Some(start), Some(end)) = (STARTS.get(index), STARTS.get(index + 1)) {
            return CONCEPTS
                .get(*start as usize..*end as usize)
                .unwrap_or_default()
                .lines()
                .map(|text| Member {
                    text: text.trim_start_matches('~'),
                    close: close(text),
                })
                .collect();
        }
        self.added
            .get(index.saturating_sub(Self::builtin_count()))
            .map(|members| {
                members
                    .iter()
                    .map(|text| Member {
                        text: text.trim_start_matches('~'),
                        close: close(text),
                    })
                    .collect()
            })
            .unwrap_or_default()
    }

    fn builtin_count() -> usize {
        STARTS.len() - 1
    }
}

/// Whether a word begins with a syllable of Hangul.
fn is_hangul(word: &str) -> bool {
    word.chars().next().map(script::of) == Some(script::Script::Hangul)
}

/// The ids of a stem in the table.
fn builtin_ids(stem: &str) -> Option<&'static str> {
    // No word of the table is so long, and a key is made of all of it.
    if stem.len() > LONGEST {
        return None;
    }
    slots::places(STEM_SLOTS, stem).find_map(|place| {
        let rest = STEMS.get(place..)?.strip_prefix(stem)?;
        let ids = rest.strip_prefix('\t')?;
        Some(&ids[..ids.find('\n')?])
    })
}

/// The first stem of the sorted table that is greater than this one.
fn next_stem(stem: &str) -> Option<&'static str> {
    let bytes = STEMS.as_bytes();
    let line_end = |from: usize| {
        let rest = bytes.get(from..).unwrap_or_default();
        rest.iter()
            .position(|b| *b == b'\n')
            .map_or(bytes.len(), |at| from + at + 1)
    };
    let stem_at = |start: usize| {
        STEMS
            .get(start..line_end(start))?
            .split_once('\t')
            .map(|(stem, _)| stem)
    };
    // `low` and `high` are where lines begin.
    let (mut low, mut high) = (0, bytes.len());
    while low < high {
        let start = bytes
            .get(..usize::midpoint(low, high))?
            .iter()
            .rposition(|b| *b == b'\n')
            .map_or(0, |at| at + 1);
        let found = stem_at(start)?;
        if found <= stem {
            low = line_end(start);
        } else {
            high = start;
        }
    }
    stem_at(low)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_line_of_the_table_is_found() {
        for line in STEMS.lines() {
            let (stem, ids) = line.split_once('\t').unwrap();
            assert_eq!(builtin_ids(stem), Some(ids), "{stem}");
        }
        assert_eq!(builtin_ids("zzzz"), None);
        assert_eq!(builtin_ids(""), None);
    }

    #[test]
    fn things_deeds_and_names_are_told_apart() {
        let lexicon = Lexicon::builtin();
        let sense = |word: &str| {
            let concepts = lexicon.concepts_of(word);
            concepts.iter().map(|concept| lexicon.sense(*concept)).min()
        };
        for (word, expected) in [
            ("레디스", Sense::Name),
            ("중국", Sense::Thing),
            ("aufteilen", Sense::Doing),
            ("배포", Sense::Both),
        ] {
            assert_eq!(sense(word), Some(expected), "{word}");
        }
        assert!(lexicon.is_verb_form("고르기"));
        assert!(!lexicon.is_verb_form("배포"));
        // A form of `줄이다`, not the noun `줄` with particles.
        assert!(lexicon.is_verb_form("줄이고"));
    }

    #[test]
    fn what_begins_a_phrase_is_known() {
        let lexicon = Lexicon::builtin();
        for stem in STEMS.lines().filter_map(|line| line.split('\t').next()) {
            if let Some((first, _)) = stem.split_once(' ') {
                assert!(lexicon.begins(first), "{stem}");
                assert!(lexicon.begins_apart(first), "{stem}");
            }
        }
        assert!(!lexicon.begins("zzzz"));
        assert!(!lexicon.begins("가나다라"));
        assert!(!lexicon.begins_apart("zzzz"));
        assert!(!lexicon.begins_apart(""));
        let mut lexicon = Lexicon::builtin();
        lexicon.add(["zzzz server"]);
        assert!(lexicon.begins("zzzz"));
        assert!(lexicon.begins_apart("zzzz"));
    }

    #[test]
    fn languages_meet() {
        let lexicon = Lexicon::builtin();
        let deploy = lexicon.concepts_of("deployments");
        assert!(!deploy.is_empty());
        assert!(
            lexicon
                .concepts_of("배포했던")
                .iter()
                .any(|id| deploy.contains(id))
        );
        assert!(
            lexicon
                .concepts_of("ausgerollt")
                .iter()
                .any(|id| deploy.contains(id))
        );
        assert!(
            lexicon
                .members(deploy[0])
                .iter()
                .any(|member| member.text == "배포")
        );
    }

    #[test]
    fn a_users_words_are_added() {
        let mut lexicon = Lexicon::builtin();
        lexicon.add(["Blauwal", "고래 서버", "~whale"]);
        let ids = lexicon.concepts_of("blauwal");
        assert_eq!(ids.len(), 1);
        assert_eq!(lexicon.members(ids[0]).len(), 3);
        assert!(!lexicon.members(ids[0])[2].close);
        assert_eq!(lexicon.concepts_of("고래 서버를"), ids);
    }
}
