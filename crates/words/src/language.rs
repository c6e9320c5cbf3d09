//! Which language a text is most likely in.

use crate::base::script::{Script, of};
use crate::fold;
use crate::quick::QuickMap;
use std::sync::LazyLock;

/// A language the lexicon knows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Language {
    /// Korean.
    Korean,
    /// English.
    English,
    /// German.
    German,
    /// Chinese.
    Chinese,
}

const GERMAN: &str = " der die das den dem des ein eine einer einen einem und oder nicht kein keine ist sind war wird werden im am zum zur mit \
 fur für auf aus von vom bei nach nur noch wenn als auch sich er sie es wir ich uns immer nie muss müssen darf kann soll statt über vor ohne bis \
 pro jede jeder jeden alle zwischen seit ab wie was ";
const ENGLISH: &str = " the a an and or not no is are was were be been of to for with from by on in at it its this that these we you they he she our \
 your do does dont never always only must should may can after before when if as than then into per each every all instead without ";

/// Bytes of the longest of them.
const LONGEST: usize = 8;

/// Whether each of the words is German, and whether it is English.
static KNOWN: LazyLock<QuickMap<&str, (bool, bool)>> = LazyLock::new(|| {
    let mut known: QuickMap<&str, (bool, bool)> = QuickMap::default();
    for word in GERMAN.split_whitespace() {
        known.entry(word).or_default().0 = true;
    }
    for word in ENGLISH.split_whitespace() {
        known.entry(word).or_default().1 = true;
    }
    known
});

/// The language most of the text is in; `None` when nothing tells. Names of code and English terms
/// inside Korean do not make it English.
pub fn language(text: &str) -> Option<Language> {
    let (mut hangul, mut han, mut german, mut english, mut latin) = (0u32, 0u32, 0u32, 0u32, 0u32);
    for c in text.chars() {
        if c.is_ascii() {
            latin += u32::from(c.is_ascii_alphabetic());
            continue;
        }
        match of(c) {
            Script::Hangul => hangul += 1,
            Script::Han => han += 1,
            Script::Latin if c.is_alphabetic() => {
                latin += 1;
                if matches!(c, 'ä' | 'ö' | 'ü' | 'ß' | 'Ä' | 'Ö' | 'Ü') {
                    german += 2;
                }
            }
            _ => {}
        }
    }
    // A syllable and a sign stand for about two and three letters.
    if hangul * 3 >= latin && hangul >= han && hangul > 0 {
        return Some(Language::Korean);
    }
    if han * 4 >= latin && han > 0 {
        return Some(Language::Chinese);
    }
    for word in text
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| !(word.is_empty() || word.is_ascii() && word.len() > LONGEST))
    {
        if let Some((in_german, in_english)) = KNOWN.get(&*fold(word)) {
            german += u32::from(*in_german) * 2;
            english += u32::from(*in_english) * 2;
        }
    }
    match german.cmp(&english) {
        std::cmp::Ordering::Greater => Some(Language::German),
        std::cmp::Ordering::Less => Some(Language::English),
        std::cmp::Ordering::Equal => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_word_is_longer() {
        assert!(KNOWN.keys().all(|word| word.len() <= LONGEST));
    }

    #[test]
    fn languages_are_told_apart() {
        for (text, expected) in [
            ("커밋은 한국어로, PR 전에 pnpm test", Some(Language::Korean)),
            ("Never log names or phone numbers.", Some(Language::English)),
            (
                "Kein Push auf main, immer über einen Pull Request.",
                Some(Language::German),
            ),
            ("每次提交前先运行 tests", Some(Language::Chinese)),
            ("cargo build", None),
            ("", None),
        ] {
            assert_eq!(language(text), expected, "{text}");
        }
    }
}
