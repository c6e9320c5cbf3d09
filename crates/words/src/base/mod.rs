//! Folding and stems: what both the crate and its build script (which sorts the lexicon by stem)
//! need.

pub(crate) mod fold;
pub(crate) mod korean;
pub(crate) mod latin;
pub(crate) mod script;

use std::borrow::Cow;

/// The stem of one folded word, whatever its script: particles and endings off in Korean,
/// inflection off in English and German, anything else as it is.
pub fn stem(folded: &str) -> Cow<'_, str> {
    match folded.chars().next().map(script::of) {
        Some(script::Script::Hangul) => Cow::Borrowed(korean::stem(folded)),
        Some(script::Script::Latin) => latin::stem(folded),
        _ => Cow::Borrowed(folded),
    }
}

/// A coarser stem: derivation off too (`cancellation` and `cancel` meet). Korean as [`stem`].
pub fn root(folded: &str) -> Cow<'_, str> {
    match folded.chars().next().map(script::of) {
        Some(script::Script::Latin) => Cow::Owned(latin::root(folded)),
        _ => stem(folded),
    }
}
