//! Folding and stems: what both the crate and its build script (which sorts the lexicon by stem)
//! need.

pub(crate) mod fold;
pub(crate) mod korean;
pub(crate) mod latin;
pub(crate) mod script;
pub(crate) mod slots;
pub(crate) mod verbs;

use std::borrow::Cow;

/// A run of letters that is longer, in bytes, is no word (a list of digits, a minified line): it is
/// taken as it is. Taking one apart costs more than its length.
pub const LONGEST: usize = 256;

/// The stem of one folded word, whatever its script: particles and endings off in Korean,
/// inflection off in English and German, anything else as it is.
pub fn stem(folded: &str) -> Cow<'_, str> {
    match folded.chars().next().map(script::of) {
        _ if folded.len() > LONGEST => Cow::Borrowed(folded),
        Some(script::Script::Hangul) => Cow::Borrowed(korean::stem(folded)),
        Some(script::Script::Latin) => latin::stem(folded),
        _ => Cow::Borrowed(folded),
    }
}

/// A coarser stem: derivation off too (`cancellation` and `cancel` meet). Korean as [`stem`].
pub fn root(folded: &str) -> Cow<'_, str> {
    root_with(folded, stem(folded))
}

/// The [`root`] of a folded word whose [`stem`] is known.
pub(crate) fn root_with<'a>(folded: &str, stem: Cow<'a, str>) -> Cow<'a, str> {
    match folded.chars().next().map(script::of) {
        Some(script::Script::Latin) if folded.len() <= LONGEST => {
            Cow::Owned(latin::root_of_stem(stem.into_owned()))
        }
        _ => stem,
    }
}

/// The key of a folded Latin word's [`root`], which is found only where its stem is not. `None` for
/// what has none.
pub(crate) fn derived(folded: &str, root: &str) -> Option<String> {
    let latin = folded.chars().next().map(script::of) == Some(script::Script::Latin);
    if !latin || folded.contains(' ') {
        return None;
    }
    let family = latin::family(root);
    (family.len() >= 4).then(|| ["^", family].concat())
}

/// The [`root`] of a word of which the [`stem`] is known.
pub fn root_of_stem(stem: &str) -> Cow<'_, str> {
    match stem.chars().next().map(script::of) {
        Some(script::Script::Latin) => Cow::Owned(latin::root_of_stem(stem.to_owned())),
        _ => Cow::Borrowed(stem),
    }
}

/// The key of a folded word, or of several: their stems, with one space between.
pub(crate) fn key(folded: &str) -> String {
    let mut out = String::with_capacity(folded.len());
    for word in folded.split_whitespace() {
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(&stem(word));
    }
    out
}
