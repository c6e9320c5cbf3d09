//! Words of Korean, English, German and Chinese texts: folding, stems, parts of symbols, synonyms.
//!
//! ```
//! let text = "배포를 했더니 parse_order_id failed";
//! let stems: Vec<String> = words::terms(text).map(|term| term.stem).collect();
//! assert!(stems.contains(&"배포".to_owned()));
//! assert!(stems.contains(&"order".to_owned()));
//! ```
//!
//! Nothing here reads a file. Byte ranges always refer to the text as given and lie on character
//! boundaries.

mod base;
pub mod compound;
mod language;
mod lexicon;
pub mod meaning;
mod numeral;
pub mod quick;
mod stop;
mod tokens;
mod typo;

pub use base::fold::fold;
pub use base::korean::letters;
pub use base::latin::{is_of_verb, plain, separable, verb_base};
pub use base::script::{Script, of as script};
pub use base::{LONGEST, root, root_of_stem, stem};
pub use language::{Language, language};
pub use lexicon::{Concept, Lexicon, Member, Sense};
pub use numeral::value as number;
pub use stop::{is_stopword, only_asks, only_joins};
pub use tokens::{Kind, Term, Token, parts, terms, tokens};
pub use typo::{one_edit, one_edit_prefix};

/// What the forms of a Korean verb or adjective begin with, from its dictionary form (`지우다`):
/// spelled in conjoining jamo. Empty for what is none.
pub fn verb_stems(dictionary_form: &str) -> Vec<String> {
    base::verbs::stems(dictionary_form)
}

/// A word (of Hangul) in conjoining jamo, as [`verb_stems`] are spelled.
pub fn jamo(word: &str) -> String {
    base::verbs::jamo(word)
}

/// Whether a word, as [`jamo`], is a form of a verb that has one of these stems.
pub fn is_verb_form(word: &str, stems: &[String]) -> bool {
    stems.iter().any(|stem| {
        word.strip_prefix(stem.as_str())
            .is_some_and(base::verbs::is_ending)
    })
}
