//! What a word is as a piece, as far as it tells by itself: worked out once for each word as it is
//! written.

use super::{Class, Script, class};
use crate::corpus::{Corpus, WordId};
use crate::quantity;
use crate::quick::Quick;
use std::hash::Hasher;

/// What a word is as a piece.
#[derive(Debug, Clone)]
pub(crate) enum Shape {
    /// A number in digits or written out, as it is compared.
    Number(Box<str>),
    /// A Korean particle that stands alone.
    Topic,
    /// A word of Hangul.
    Korean {
        /// `None` for one that carries no meaning.
        said: Option<Said>,
        /// It ends with a particle after what is spoken of.
        topic: bool,
    },
    /// Any other word.
    Latin {
        class: Option<Class>,
        said: Said,
        /// It carries meaning in most places.
        carries: bool,
    },
}

/// What a word says.
#[derive(Debug, Clone)]
pub(crate) struct Said {
    /// A number for what it stands for.
    pub(super) key: u64,
    pub(super) script: Script,
    /// What it means by the lexicon.
    pub(super) meant: Option<WordId>,
    /// What tells the verb, if it is a Korean word: its first two sounds.
    pub(super) verb: Option<(char, char)>,
}

impl Shape {
    /// Of a word and its stem; `None` for one that says nothing.
    pub(crate) fn of(corpus: &Corpus, word: &str, stem: Option<&str>) -> Self {
        if Script::of(word) == Script::Hangul {
            Self::of_korean(corpus, word, stem)
        } else {
            Self::of_latin(corpus, word, stem)
        }
    }

    /// Of a word that was never read.
    pub(super) fn of_unread(corpus: &Corpus, word: &str) -> Self {
        let tokens = words::tokens(word);
        let stem = tokens.first().and_then(words::Token::stem);
        Self::of(corpus, word, stem.as_deref())
    }

    fn of_korean(corpus: &Corpus, word: &str, stem: Option<&str>) -> Self {
        if let Some(number) = quantity::of_word(word) {
            return Self::Number(number.to_string().into());
        }
        if matches!(word, "은" | "는" | "이" | "가") {
            return Self::Topic;
        }
        let denying = ["않", "말", "마라", "금지"];
        let filler = class(word).is_some() || denying.iter().any(|start| word.starts_with(start));
        Self::Korean {
            said: stem.filter(|_| !filler).map(|stem| Said::of(corpus, stem)),
            topic: word.chars().nth(1).is_some() && word.ends_with(['은', '는', '이', '가']),
        }
    }

    fn of_latin(corpus: &Corpus, word: &str, stem: Option<&str>) -> Self {
        let folded = words::fold(word);
        let plain = words::plain(&folded);
        if plain.starts_with(|c: char| c.is_ascii_digit()) {
            return Self::Number(plain.into());
        }
        if let Some(number) = quantity::of_word(&folded) {
            return Self::Number(number.to_string().into());
        }
        Self::Latin {
            class: class(&plain),
            said: Said::of(corpus, stem.unwrap_or(&folded)),
            carries: stem.is_some(),
        }
    }

    /// A word that denies its clause.
    pub(super) fn denies(&self) -> bool {
        matches!(
            self,
            Self::Latin {
                class: Some(Class::Denying),
                ..
            }
        )
    }
}

impl Said {
    pub(super) fn of(corpus: &Corpus, stem: &str) -> Self {
        let script = Script::of(stem);
        Self {
            key: key(stem),
            script,
            // What the lexicon knows of a stem that some text has.
            meant: corpus.id(stem).filter(|word| corpus.has_concepts(*word)),
            verb: (script == Script::Hangul).then(|| verb(stem)).flatten(),
        }
    }
}

/// The first two sounds of a Korean word, if it has as many.
fn verb(stem: &str) -> Option<(char, char)> {
    let sounds = words::jamo(stem);
    let mut sounds = sounds.chars();
    sounds.next().zip(sounds.next())
}

/// A number for what a piece stands for.
fn key(stem: &str) -> u64 {
    let mut quick = Quick::default();
    quick.write(stem.as_bytes());
    quick.finish()
}
