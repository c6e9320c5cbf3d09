//! Whether a word of a text stands for a word of the query, and how well.
//!
//! Texts are not cut into words: an automaton finds bytes that a matching word must hold, the word
//! around them is looked at once and remembered.

use crate::finder::{Cursor, Finder, within_number};
use crate::query::Target;
use std::cell::OnceCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;
use unicode_normalization::UnicodeNormalization;
use words::{Kind, Script};

/// Words remembered before the memory is emptied.
const REMEMBERED: usize = 100_000;
/// Needles of so many bytes are found without a look at every byte.
const LONG: usize = 5;
/// Letters of a word that is hardly one slip from another.
const SURE_LENGTH: usize = 7;
/// Longest word that is looked at.
const LONGEST_WORD: usize = 256;

/// A word to look for.
#[derive(Debug, Clone, Default, PartialEq)]
pub(crate) struct Form {
    /// Folded.
    pub(crate) folded: String,
    pub(crate) stem: String,
    pub(crate) root: String,
    /// Folded without diacritics and underscores.
    pub(crate) plain: String,
    /// Folded parts of a name made of several words.
    pub(crate) parts: Vec<String>,
    /// The words that have to follow.
    pub(crate) rest: Vec<Form>,
    /// Of a Korean verb in its dictionary form: what its forms begin with, in jamo.
    verb: Vec<String>,
    /// The first consonant and vowel of each.
    verb_heads: Vec<Option<(char, char)>>,
    /// Syllables of the stem.
    syllables: usize,
    /// Each two of them in a row, where there are three and more.
    pairs: Vec<String>,
    script: Option<Script>,
    /// Any bytes, not a word.
    literal: bool,
    /// It holds a digit.
    digits: bool,
    /// The letters that stand in every word that holds its stem, and its root.
    letters: [Letters; 2],
    firsts: Firsts,
    /// The stems of its parts.
    part_stems: Vec<String>,
    /// It is long enough to be a compound.
    compound: bool,
    /// What the plural of a German noun begins with, where it has an umlaut (`äpfel`, `büch`).
    plural: Option<String>,
    /// As typed, where that is in wide letters (`ＡＰＩ`).
    wide: Option<String>,
}

impl Form {
    /// A word as typed and folded; several words are a phrase.
    pub(crate) fn of(typed: &str, folded: &str) -> Self {
        let words: Vec<&str> = words::tokens(typed)
            .into_iter()
            .filter(|token| matches!(token.kind, Kind::Word | Kind::Hangul))
            .map(|token| token.text)
            .collect();
        match words.as_slice() {
            [first, rest @ ..] if words.len() > 1 => Self {
                rest: rest.iter().map(|word| Self::of_word(word, word)).collect(),
                ..Self::of_word(first, first)
            },
            [only, ..] => Self::of_word(only, if typed == *only { folded } else { only }),
            [] => Self::of_word(typed, folded),
        }
    }

    fn of_word(typed: &str, folded: &str) -> Self {
        let folded = words::fold(folded).into_owned();
        let script = folded.chars().next().map(words::script);
        let pieces = words::parts(typed);
        let parts = if pieces.len() > 1 {
            pieces
                .into_iter()
                .filter_map(|piece| Some(words::fold(typed.get(piece)?).into_owned()))
                .filter(|part| part.len() > 1)
                .collect()
        } else {
            Vec::new()
        };
        let stem = words::stem(&folded).into_owned();
        let syllables: Vec<char> = stem.chars().collect();
        let root = words::root(&folded).into_owned();
        let plain = words::plain(&folded).replace('_', "");
        let first = |word: &str| word.as_bytes().first().copied();
        let verb = if script == Some(Script::Hangul) {
            words::verb_stems(&folded)
        } else {
            Vec::new()
        };
        Self {
            verb_heads: verb.iter().map(|stem| open_syllable(stem)).collect(),
            verb,
            letters: [Letters::of(&stem), Letters::of(&root)],
            part_stems: parts
                .iter()
                .map(|part: &String| words::stem(part).into_owned())
                .collect(),
            firsts: [first(&folded), first(&stem), first(&root), first(&plain)],
            root,
            plain,
            parts,
            rest: Vec::new(),
            syllables: syllables.len(),
            pairs: if script == Some(Script::Hangul) && syllables.len() >= 3 {
                syllables
                    .windows(2)
                    .map(|pair| pair.iter().collect())
                    .collect()
            } else {
                Vec::new()
            },
            stem,
            script,
            literal: false,
            digits: folded.bytes().any(|b| b.is_ascii_digit()),
            compound: folded.len() >= 10 && folded.chars().all(char::is_alphabetic),
            wide: wide(typed),
            plural: plural(typed),
            folded,
        }
    }

    /// Bytes to be found as they are, case aside.
    pub(crate) fn literal(typed: &str) -> Self {
        Self {
            folded: words::fold(typed).into_owned(),
            literal: true,
            wide: wide(typed),
            ..Self::default()
        }
    }

    /// Whether a word that begins with this byte may stand for it, as far as an ASCII letter tells:
    /// stems and roots begin as their words do.
    fn may_begin_with(&self, byte: u8) -> bool {
        let begins = |word: &String| word.as_bytes().first().copied();
        !byte.is_ascii()
            || [&self.folded, &self.stem, &self.root]
                .into_iter()
                .filter_map(begins)
                .any(|first| !first.is_ascii() || first == byte.to_ascii_lowercase())
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.folded.is_empty()
    }

    /// Whether it holds a digit: half of a number stands in other numbers, where it counts for nothing.
    pub(crate) fn holds_digit(&self) -> bool {
        self.digits
    }

    /// Whether it is a single Hangul syllable and no more.
    pub(crate) fn is_one_syllable(&self) -> bool {
        self.script == Some(Script::Hangul)
            && self.rest.is_empty()
            && self.syllables == 1
            && self.verb.is_empty()
    }

    /// Whether letters of other shapes may stand for its own.
    pub(crate) fn is_latin(&self) -> bool {
        self.script == Some(Script::Latin) || self.literal
    }

    /// Whether words that differ from it in one letter are often other words.
    pub(crate) fn is_short_word(&self) -> bool {
        self.script == Some(Script::Latin) && self.folded.len() < SURE_LENGTH
    }

    /// Whether two forms look for the same word.
    pub(crate) fn same_word(&self, other: &Self) -> bool {
        self.literal == other.literal
            && self.rest.len() == other.rest.len()
            && (self.folded == other.folded || (!self.stem.is_empty() && self.stem == other.stem))
            && self
                .rest
                .iter()
                .zip(&other.rest)
                .all(|(a, b)| a.same_word(b))
    }

    /// Bytes of which every word that matches holds one. ASCII letters match in both cases.
    pub(crate) fn needles(&self, own: bool, fuzzy: bool, out: &mut Vec<Vec<u8>>) {
        if let Some(wide) = &self.wide {
            push_all_forms(wide, out);
        }
        if self.literal {
            push_all_forms(&self.folded, out);
            return;
        }
        match self.script {
            Some(Script::Hangul) => {
                let syllables: Vec<char> = self.stem.chars().collect();
                if !fuzzy && !self.verb.is_empty() {
                    self.verb_needles(own, out);
                }
                if fuzzy {
                    let middle = syllables.len().div_ceil(2);
                    let (a, b) = syllables.split_at(middle.min(syllables.len()));
                    for half in [a, b] {
                        push_all_forms(&half.iter().collect::<String>(), out);
                    }
                } else if syllables.len() >= 3 && own {
                    for pair in &self.pairs {
                        push_all_forms(pair, out);
                    }
                } else {
                    push_all_forms(&self.stem, out);
                }
            }
            Some(Script::Latin) => self.latin_needles(own, fuzzy, out),
            _ => push_all_forms(&self.folded, out),
        }
    }

    /// Whether a look at every byte is needed to find it.
    pub(crate) fn is_short(&self, own: bool) -> bool {
        let mut needles = Vec::new();
        self.needles(own, false, &mut needles);
        needles.iter().any(|needle| needle.len() < LONG)
    }

    /// The beginnings of a verb's forms; an ending may add a final to the last syllable.
    fn verb_needles(&self, own: bool, out: &mut Vec<Vec<u8>>) {
        for stem in &self.verb {
            let composed: String = stem.nfc().collect();
            let syllables: Vec<char> = composed.chars().collect();
            match syllables.as_slice() {
                [] => {}
                // One syllable stands in too many other words to be looked for as a synonym.
                [_] if !own => {}
                [one] => {
                    // Open: none, ㄴ, ㄹ, ㅁ, ㅂ, ㅆ may follow.
                    let code = u32::from(*one);
                    let open = (0xac00..=0xd7a3).contains(&code) && (code - 0xac00) % 28 == 0;
                    let finals: &[u32] = if open { &[0, 4, 8, 16, 17, 20] } else { &[0] };
                    for last in finals {
                        let syllable = char::from_u32(code + last).unwrap_or(*one);
                        push_all_forms(&syllable.to_string(), out);
                    }
                }
                [head @ .., _] => push_all_forms(&head.iter().collect::<String>(), out),
            }
        }
    }

    fn latin_needles(&self, own: bool, fuzzy: bool, out: &mut Vec<Vec<u8>>) {
        if fuzzy {
            let letters: Vec<char> = self.plain.chars().collect();
            let middle = letters.len() / 2;
            for half in [0..middle, middle..letters.len()] {
                // The letter at the seam may be the one that changed places with its neighbour.
                let length = half.len();
                let kept = if length > 3 {
                    3.max(length - 1)
                } else {
                    length
                };
                push_ascii_piece(&piece(&letters, half.start..half.start + kept), out);
            }
            return;
        }
        if own && !self.parts.is_empty() {
            for part in &self.parts {
                push_ascii_piece(part, out);
            }
            push_ascii_piece(&self.plain, out);
            return;
        }
        // What the word shares with its coarsest stem stands in all its forms.
        let plain: Vec<char> = words::plain(&self.folded).chars().collect();
        let shared = plain
            .iter()
            .zip(self.root.chars())
            .take_while(|(a, b)| **a == *b)
            .count()
            .max(3);
        // `copies` and `copy` part before the last letter of their stem.
        let kept = if shared > 5 || (shared > 3 && self.root.ends_with('i')) {
            shared - 1
        } else {
            shared
        };
        let folded: Vec<char> = self.folded.chars().collect();
        let base: String = if plain.len() == folded.len() {
            piece(&folded, 0..kept.min(folded.len()))
        } else {
            self.folded.clone()
        };
        push_ascii_piece(&base, out);
        // `Bäume` and `Baum`: the plural alone has the umlaut.
        let flat = words::plain(&base);
        if own && flat != base.as_str() {
            push_ascii_piece(&flat, out);
            // `Kühlhäuser` and `Kühlhaus`: its last one.
            if let Some(singular) = without_last_umlaut(&base) {
                push_all_forms(&singular, out);
            }
        }
        if own && let Some(plural) = &self.plural {
            push_all_forms(plural, out);
        }
        if own && self.compound {
            // Any word of five letters and more that the compound holds has one of these.
            let letters: Vec<char> = folded;
            for window in letters.windows(5) {
                let window: String = window.iter().collect();
                if window.is_ascii() && !is_ending(&window) {
                    push_all_forms(&window, out);
                }
            }
        }
    }
}

/// What the plural of a word that may be a German noun begins with: its last `a`, `o` or `u` with an
/// umlaut, and what follows it up to the ending.
fn plural(typed: &str) -> Option<String> {
    let mut letters = typed.chars();
    let noun = letters.next().is_some_and(char::is_uppercase)
        && letters.all(char::is_lowercase)
        && (4..=14).contains(&typed.len());
    if !noun {
        return None;
    }
    let small = words::fold(typed);
    let mut at = small.rfind(['a', 'o', 'u'])?;
    if small.get(..at).is_some_and(|before| before.ends_with('a')) {
        at -= 1;
    }
    let (head, tail) = small.split_at_checked(at)?;
    let umlaut = match tail.chars().next()? {
        'a' => 'ä',
        'o' => 'ö',
        _ => 'ü',
    };
    Some(format!("{head}{umlaut}{}", tail.get(1..)?))
}

/// A word with several umlauts without the last of them.
fn without_last_umlaut(word: &str) -> Option<String> {
    let at = word.rfind(['ä', 'ö', 'ü'])?;
    let (head, tail) = word.split_at_checked(at)?;
    let mut rest = tail.chars();
    let last = words::plain(rest.next()?.encode_utf8(&mut [0; 4])).into_owned();
    (!head.is_ascii()).then(|| format!("{head}{last}{}", rest.as_str()))
}

/// A word in wide letters, small.
fn wide(typed: &str) -> Option<String> {
    typed
        .contains(|c: char| ('\u{ff01}'..='\u{ff5e}').contains(&c))
        .then(|| typed.to_lowercase())
}

/// Five letters that many words end with.
fn is_ending(window: &str) -> bool {
    const ENDINGS: [&str; 16] = [
        "ation", "ction", "ition", "ungen", "ement", "ments", "tions", "ising", "izing", "ating",
        "tions", "ities", "ieren", "ierun", "lichk", "ierte",
    ];
    ENDINGS.contains(&window)
}

/// Most spellings of one normal form that are looked for each by itself.
const SPELLINGS: usize = 32;

/// All that a folded text may stand for: both normal forms, both cases beyond ASCII, `ß` for `ss`.
fn push_all_forms(text: &str, out: &mut Vec<Vec<u8>>) {
    if text.is_empty() {
        return;
    }
    if text.is_ascii() && !text.contains("ss") {
        out.push(text.as_bytes().to_vec());
        return;
    }
    let composed: String = text.nfc().collect();
    let apart: String = text.nfd().collect();
    push_spellings(&composed, out);
    if apart != composed {
        push_spellings(&apart, out);
    }
}

fn push_spellings(text: &str, out: &mut Vec<Vec<u8>>) {
    // What each place may be: as it is first, then as a capital, then in other letters.
    let mut places: Vec<Vec<String>> = Vec::new();
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        let upper: String = c.to_uppercase().collect();
        places.push(if c == 's' && rest.next_if_eq(&'s').is_some() {
            vec!["ss".into(), "ß".into(), "ẞ".into()]
        } else if c == 'i' && rest.next_if_eq(&'\u{307}').is_some() {
            vec!["i\u{307}".into(), "İ".into()]
        } else if !c.is_ascii() && upper.chars().flat_map(char::to_lowercase).eq([c]) {
            let mut both = vec![c.to_string(), upper];
            both.dedup();
            both
        } else {
            vec![c.to_string()]
        });
    }
    let count = places
        .iter()
        .try_fold(1_usize, |count, place| count.checked_mul(place.len()));
    if count.is_some_and(|count| count <= SPELLINGS) {
        let mut all = vec![String::new()];
        for place in &places {
            all = all
                .iter()
                .flat_map(|begun| place.iter().map(move |next| format!("{begun}{next}")))
                .collect();
        }
        out.extend(all.into_iter().map(String::into_bytes));
        return;
    }
    // Too many: small, with a capital in front, or in capitals; `ss` or `ß` throughout.
    for sharp in [0, 1] {
        for capitals in [0, 1, places.len()] {
            let spelt: String = places
                .iter()
                .enumerate()
                .filter_map(|(at, place)| {
                    let which = if place.first().is_some_and(|first| first == "ss") {
                        sharp
                    } else {
                        usize::from(at < capitals)
                    };
                    place.get(which).or_else(|| place.first())
                })
                .map(String::as_str)
                .collect();
            out.push(spelt.into_bytes());
        }
    }
}

/// A piece of a word that cuts no `ss` in two: it may be one letter in a text.
fn piece(letters: &[char], range: Range<usize>) -> String {
    let is = |at: Option<usize>| at.and_then(|at| letters.get(at)) == Some(&'s');
    let Range { mut start, mut end } = range;
    if is(start.checked_sub(1)) && is(Some(start)) {
        start += 1;
    }
    if is(end.checked_sub(1)) && is(Some(end)) {
        end -= 1;
    }
    letters.get(start..end).unwrap_or_default().iter().collect()
}

/// The longest run of ASCII: case and normal form cannot change it. Where it is too short, the
/// text in its forms.
fn push_ascii_piece(text: &str, out: &mut Vec<Vec<u8>>) {
    let longest = text
        .split(|c: char| !c.is_ascii())
        .max_by_key(|piece| piece.len())
        .unwrap_or_default();
    if longest.len() >= LONG || text.is_ascii() {
        push_all_forms(longest, out);
        return;
    }
    push_all_forms(text, out);
    // Without its marks, which is as short as the text.
    let flat = words::plain(text);
    if longest.len() >= 3 && flat.is_ascii() {
        push_all_forms(&flat, out);
    }
}

/// Which bytes a word holds, each two of them that are 64 apart as one.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Letters(u64);

impl Letters {
    fn of(word: &str) -> Self {
        Self(word.bytes().fold(0, |set, byte| set | 1 << (byte & 63)))
    }

    /// Whether a word of these letters can hold one of the others.
    fn may_hold(self, other: Self) -> bool {
        other.0 & !self.0 == 0
    }
}

/// A word of a text.
struct Word {
    folded: String,
    stem: String,
    /// Of a Latin word, once somebody asks.
    root: OnceCell<String>,
    /// Of a Latin word.
    plain: String,
    /// Of that.
    letters: Letters,
    /// Of a Latin word, its root aside.
    firsts: Firsts,
    /// The parts of a name, with their stems.
    parts: Vec<(String, String)>,
    /// Syllables of the stem of a Korean word.
    syllables: usize,
    /// A Korean word in jamo, once somebody asks.
    jamo: OnceCell<String>,
    script: Script,
}

impl Word {
    fn of(text: &str) -> Option<Self> {
        let folded = words::fold(text).into_owned();
        let script = words::script(folded.chars().next()?);
        let stem = words::stem(&folded).into_owned();
        let mut word = Self {
            root: OnceCell::new(),
            plain: String::new(),
            letters: Letters::default(),
            firsts: Firsts::default(),
            parts: Vec::new(),
            syllables: 0,
            jamo: OnceCell::new(),
            script,
            stem,
            folded,
        };
        match script {
            Script::Latin => {
                word.plain = words::plain(&word.folded).replace('_', "");
                word.letters = Letters::of(&word.plain);
                let first = |word: &str| word.as_bytes().first().copied();
                word.firsts = [
                    first(&word.folded),
                    first(&word.stem),
                    None,
                    first(&word.plain),
                ];
                let pieces = words::parts(text);
                if pieces.len() > 1 {
                    word.parts = pieces
                        .into_iter()
                        .filter_map(|piece| {
                            let part = words::fold(text.get(piece)?).into_owned();
                            let stem = words::stem(&part).into_owned();
                            Some((part, stem))
                        })
                        .collect();
                }
            }
            Script::Hangul => word.syllables = word.stem.chars().count(),
            Script::Han | Script::None => {}
        }
        Some(word)
    }

    /// Whether it has this root, which begins as the stem does.
    fn has_root(&self, root: &str) -> bool {
        self.stem.as_bytes().get(..3) == root.as_bytes().get(..3)
            && self
                .root
                .get_or_init(|| words::root_of_stem(&self.stem).into_owned())
                == root
    }

    /// What was meant where this word stands and a slip was typed.
    fn taken_for(&self, form: &Form) -> String {
        match self.script {
            // The word without what follows it.
            Script::Hangul => self.folded.chars().take(form.syllables).collect(),
            _ => self
                .parts
                .iter()
                .find(|(part, _)| words::one_edit(&form.plain, part))
                .map_or(&self.folded, |(part, _)| part)
                .clone(),
        }
    }
}

/// How a word of a text relates to a form.
#[derive(Debug, Clone, PartialEq)]
enum Relation {
    /// It stands for it, with this strength.
    Whole(f32),
    /// It is a part of it: this share.
    Part(f32),
}

fn relate(word: &Word, target: &Target) -> Option<Relation> {
    let form = &target.form;
    if form.literal {
        return Some(Relation::Whole(1.0));
    }
    if target.fuzzy {
        return fuzzy(word, form);
    }
    match (form.script?, word.script) {
        (Script::Hangul, Script::Hangul) => hangul(word, form, target.own),
        (Script::Latin, Script::Latin) => latin(word, form, target.own),
        (a, b) if a == b => (word.folded == form.folded).then_some(Relation::Whole(1.0)),
        _ => None,
    }
}

fn fuzzy(word: &Word, form: &Form) -> Option<Relation> {
    let close = match word.script {
        Script::Hangul => words::one_edit_prefix(&form.stem, &word.folded),
        Script::Latin => {
            words::one_edit(&form.plain, &word.plain)
                || words::one_edit(&form.stem, &word.stem)
                || word
                    .parts
                    .iter()
                    .any(|(part, _)| words::one_edit(&form.plain, part))
        }
        _ => false,
    };
    close.then_some(Relation::Whole(0.8))
}

/// The first consonant and vowel of a text in jamo.
fn open_syllable(jamo: &str) -> Option<(char, char)> {
    let mut letters = jamo.chars();
    let (first, vowel) = (letters.next()?, letters.next()?);
    let both =
        ('\u{1100}'..='\u{1112}').contains(&first) && ('\u{1161}'..='\u{1175}').contains(&vowel);
    both.then_some((first, vowel))
}

/// The same of a syllable.
fn open_part(syllable: char) -> Option<(char, char)> {
    const SYLLABLES: u32 = 0xac00;
    let place = u32::from(syllable)
        .checked_sub(SYLLABLES)
        .filter(|place| *place < 19 * 21 * 28)?;
    let first = char::from_u32(0x1100 + place / (21 * 28))?;
    Some((first, char::from_u32(0x1161 + place / 28 % 21)?))
}

fn hangul(word: &Word, form: &Form, own: bool) -> Option<Relation> {
    let length = form.syllables;
    if word.folded == form.folded || word.stem == form.stem {
        return Some(Relation::Whole(1.0));
    }
    let count = word.syllables;
    let head = word.folded.chars().next().and_then(open_part);
    // Most words are told apart without being spelled in jamo.
    let may_be = |verb: &Option<(char, char)>| head.is_none() || verb.is_none() || *verb == head;
    if form.verb_heads.iter().any(may_be) {
        let jamo = word.jamo.get_or_init(|| words::jamo(&word.folded));
        if words::is_verb_form(jamo, &form.verb) {
            return Some(Relation::Whole(0.95));
        }
    }
    if !form.verb.is_empty() && form.folded.ends_with('다') && !own {
        return None;
    }
    if length == 1 {
        return (count <= 2 && word.stem.starts_with(&form.stem)).then_some(Relation::Whole(0.5));
    }
    if word.folded.starts_with(&form.stem) {
        return Some(Relation::Whole(0.9));
    }
    if holds(&word.folded, &form.stem) {
        return Some(Relation::Whole(0.75));
    }
    if !own || length < 3 {
        return None;
    }
    if count >= 2 && holds(&form.stem, &word.stem) {
        return Some(Relation::Part(
            0.9 * crate::query::as_f32(count) / crate::query::as_f32(length),
        ));
    }
    // Shared pairs of syllables, as far as they go.
    let shared = form
        .pairs
        .iter()
        .filter(|pair| holds(&word.folded, *pair))
        .count();
    (shared > 0).then(|| {
        Relation::Part(0.7 * crate::query::as_f32(shared) / crate::query::as_f32(length - 1))
    })
}

/// The first bytes of a word as it is, of its stem, its root and its plain form.
type Firsts = [Option<u8>; 4];

/// The targets that a word of one script may stand for. Most Latin words are told apart from them by a
/// few bits of each.
#[derive(Debug, Default)]
struct Sieve {
    latin: Vec<Latin>,
    hangul: Vec<usize>,
    others: Vec<usize>,
}

/// What a Latin word has to be like, so that it may stand for a target.
#[derive(Debug)]
struct Latin {
    target: usize,
    firsts: Firsts,
    letters: [Letters; 2],
    /// Any word may.
    any: bool,
}

impl Sieve {
    fn of(targets: &[Target]) -> Self {
        let mut sieve = Self::default();
        for (index, target) in targets.iter().enumerate() {
            let form = &target.form;
            match form.script {
                Some(Script::Latin) => sieve.latin.push(Latin {
                    target: index,
                    firsts: form.firsts,
                    letters: form.letters,
                    any: target.fuzzy || target.own && (form.compound || !form.parts.is_empty()),
                }),
                Some(Script::Hangul) => sieve.hangul.push(index),
                Some(_) => sieve.others.push(index),
                None => {}
            }
        }
        sieve
    }
}

impl Latin {
    /// Whether a word is none that [`latin`] relates to the target: it begins otherwise in every respect
    /// and cannot hold its stem or root.
    fn is_far(&self, word: &Word) -> bool {
        let [folded, stem, root, plain] = self.firsts;
        let [folds_to, stems_to, _, is_plain] = word.firsts;
        !self.any
            && folds_to != folded
            && stems_to != stem
            && stems_to != root
            && is_plain != plain
            && !self
                .letters
                .iter()
                .any(|letters| word.letters.may_hold(*letters))
            && word.parts.is_empty()
    }
}

fn latin(word: &Word, form: &Form, own: bool) -> Option<Relation> {
    if word.folded == form.folded || (word.stem == form.stem && form.stem.len() > 1) {
        return Some(Relation::Whole(1.0));
    }
    if form.plain.len() > 3 && word.plain == form.plain {
        return Some(Relation::Whole(1.0));
    }
    // The beginning of a commit's hash.
    if own
        && is_hash(&form.folded)
        && is_hash(&word.folded)
        && word.folded.starts_with(&form.folded)
    {
        return Some(Relation::Whole(1.0));
    }
    let digits = form.digits;
    if let Some(base) = words::verb_base(&form.plain) {
        // The participle of a synonym is often said of other things: those that are not stand in the
        // lexicon.
        let participle = || own.then(|| word.plain.strip_prefix("ge")).flatten();
        if words::is_of_verb(&word.plain, base)
            || participle().is_some_and(|form| words::is_of_verb(form, base))
        {
            return Some(Relation::Whole(0.95));
        }
    }
    if form.root.len() >= 4
        && !digits
        && word.has_root(&form.root)
        && !are_doer_and_deed(&form.stem, &word.stem)
    {
        return Some(Relation::Whole(0.85));
    }
    let named = |stem: &str| {
        word.parts
            .iter()
            .any(|(part, of_part)| *part == stem || *of_part == stem)
    };
    if named(&form.stem) {
        return Some(Relation::Whole(0.85));
    }
    if own && !form.parts.is_empty() {
        let total: usize = form.parts.iter().map(String::len).sum();
        let found: usize = form
            .parts
            .iter()
            .zip(&form.part_stems)
            .filter(|(_, stem)| {
                word.stem == **stem || word.parts.iter().any(|(_, other)| other == *stem)
            })
            .map(|(part, _)| part.len())
            .sum();
        return (found > 0).then(|| {
            Relation::Part(0.8 * crate::query::as_f32(found) / crate::query::as_f32(total.max(1)))
        });
    }
    if digits {
        return None;
    }
    let least = if own { 4 } else { 5 };
    if form.stem.len() >= least && words::compound::covers(&form.stem, &word.plain).is_some() {
        return holds_part(word, &form.stem);
    }
    // `Häuser` in `Gewächshaus`.
    if own
        && form.root.len() >= 4
        && form.root.len() < form.stem.len()
        && form.stem.strip_prefix(&*form.root) == Some("er")
        && !form.folded.is_ascii()
        && words::compound::covers(&form.root, &word.plain).is_some()
    {
        return holds_part(word, &form.root);
    }
    if own
        && form.compound
        && word.stem.len() >= 5
        && let Some(share) = words::compound::covers(&word.stem, &form.plain)
    {
        return Some(Relation::Part(share.max(0.35)));
    }
    None
}

/// Whether two German nouns of one verb are what does it and what is done: a `Rechner` is no
/// `Rechnung`, an `Ordner` no `Ordnung`.
fn are_doer_and_deed(a: &str, b: &str) -> bool {
    let one = |a: &str, b: &str| a.ends_with("er") && b.ends_with("ung");
    one(a, b) || one(b, a)
}

/// What a word that holds a part is worth for it: at its edge, or within.
fn holds_part(word: &Word, part: &str) -> Option<Relation> {
    // `essen` ends `vergessen`, which is no compound.
    if part.len() < 6 && !rest_is_a_word(&word.plain, part) {
        return None;
    }
    let ends = word.plain.rfind(part).is_some_and(|at| {
        let ending = word.plain.get(at + part.len()..).unwrap_or_default();
        INFLECTIONS.contains(&ending)
    });
    if ends || word.plain.starts_with(part) {
        Some(Relation::Whole(0.7))
    } else {
        (part.len() >= 6).then_some(Relation::Whole(0.5))
    }
}

/// Endings of German nouns.
const INFLECTIONS: [&str; 9] = ["", "e", "en", "er", "ern", "n", "s", "es", "ens"];

/// Whether what a word has before or behind a short part is a word, or may be one by its length.
fn rest_is_a_word(word: &str, part: &str) -> bool {
    let lexicon = words::Lexicon::builtin();
    word.match_indices(part).any(|(at, _)| {
        let before = word.get(..at).unwrap_or_default();
        let after = word.get(at + part.len()..).unwrap_or_default();
        let is_word = |rest: &str| {
            rest.len() >= words::compound::SHORTEST
                && (lexicon.knows(&words::stem(rest))
                    || rest
                        .strip_suffix('s')
                        .is_some_and(|rest| lexicon.knows(&words::stem(rest))))
        };
        // What stands behind it may be its ending.
        is_word(before)
            || before.is_empty()
                && (after.len() <= 3 || is_word(after.trim_start_matches('s')) || is_word(after))
    })
}

/// Whether a word may be a commit's hash, whole or the beginning of one.
fn is_hash(word: &str) -> bool {
    (7..=64).contains(&word.len())
        && word.bytes().all(|b| b.is_ascii_hexdigit())
        && word.bytes().any(|b| b.is_ascii_digit())
        && word.bytes().any(|b| b.is_ascii_alphabetic())
}

/// Whether a word holds a piece: words are short, a searcher costs more to make than this.
pub(crate) fn holds(word: impl AsRef<[u8]>, piece: impl AsRef<[u8]>) -> bool {
    let piece = piece.as_ref();
    let end = piece.last();
    piece.is_empty()
        || word
            .as_ref()
            .windows(piece.len())
            .any(|window| window.last() == end && window == piece)
}

/// What a word found in a text means for the query.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Hit {
    /// Which of [`Judge::kinds`].
    pub(crate) kind: u16,
    pub(crate) strength: f32,
}

/// A way in which a target was found: counted apart, since its rarity is its own.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct HitKind {
    pub(crate) target: u16,
    /// The stem of the word that is only a part of the target; for a slip, the word that stands
    /// there.
    pub(crate) part: Option<String>,
}

/// What a judge knows of words that it saw.
#[derive(Debug, Default)]
pub(crate) struct Learned {
    known: HashMap<Box<[u8]>, (u32, u32), BuildHasherDefault<Fast>>,
    meanings: Vec<Hit>,
    kinds: Vec<HitKind>,
    kind_of: HashMap<HitKind, u16>,
}

/// Finds words in texts. One per thread.
#[derive(Debug)]
pub(crate) struct Judge<'a> {
    targets: &'a [Target],
    finder: &'a Finder,
    sieve: Sieve,
    /// Words seen, with where their meanings stand.
    known: HashMap<Box<[u8]>, (u32, u32), BuildHasherDefault<Fast>>,
    meanings: Vec<Hit>,
    pub(crate) kinds: Vec<HitKind>,
    kind_of: HashMap<HitKind, u16>,
}

impl<'a> Judge<'a> {
    pub(crate) fn new(targets: &'a [Target], finder: &'a Finder) -> Self {
        Self::with(targets, finder, Learned::default())
    }

    /// The same with what was learned of the same targets.
    pub(crate) fn with(targets: &'a [Target], finder: &'a Finder, learned: Learned) -> Self {
        Self {
            targets,
            finder,
            sieve: Sieve::of(targets),
            known: learned.known,
            meanings: learned.meanings,
            kinds: learned.kinds,
            kind_of: learned.kind_of,
        }
    }

    /// What it learned, but for the kinds a copy of it.
    pub(crate) fn forget(&mut self) -> Learned {
        Learned {
            known: std::mem::take(&mut self.known),
            meanings: std::mem::take(&mut self.meanings),
            kinds: self.kinds.clone(),
            kind_of: std::mem::take(&mut self.kind_of),
        }
    }

    /// The next word at or after `at` that means something: its range and what it means.
    pub(crate) fn next(
        &mut self,
        cursor: &mut Cursor,
        text: &[u8],
        at: usize,
    ) -> Option<(Range<usize>, &[Hit])> {
        self.next_by(self.finder, cursor, text, at..text.len())
    }

    /// The same of what another finder looks for, where it begins in a part of the text.
    pub(crate) fn next_by(
        &mut self,
        finder: &Finder,
        cursor: &mut Cursor,
        text: &[u8],
        part: Range<usize>,
    ) -> Option<(Range<usize>, &[Hit])> {
        self.next_of(finder, cursor, text, part, |_| true)
    }

    /// The same of words that may stand for a wanted target.
    pub(crate) fn next_of(
        &mut self,
        finder: &Finder,
        cursor: &mut Cursor,
        text: &[u8],
        part: Range<usize>,
        wanted: impl Fn(u16) -> bool,
    ) -> Option<(Range<usize>, &[Hit])> {
        let mut at = part.start;
        let mut from = at;
        loop {
            let found = finder
                .find(cursor, text, from)
                .filter(|found| found.start < part.end)?;
            if within_number(text, &found) {
                from = found.start + 1;
                continue;
            }
            let word = word_around(text, &found, at);
            at = behind(text, &word);
            from = at;
            let bytes = text.get(word.clone())?;
            let slot = match self.known.get(bytes) {
                Some((start, end)) => *start as usize..*end as usize,
                None => self.learn(bytes),
            };
            if slot.is_empty() {
                continue;
            }
            let hits = self.meanings.get(slot.clone()).unwrap_or_default();
            let counts = |hit: &Hit| !self.is_phrase(*hit) || self.goes_on(*hit, text, word.end);
            let wanted = |hit: &Hit| {
                self.kinds
                    .get(usize::from(hit.kind))
                    .is_some_and(|kind| wanted(kind.target))
            };
            if hits.iter().any(wanted) && hits.iter().any(counts) {
                return Some((word, self.meanings.get(slot)?));
            }
        }
    }

    /// Looks at a word for the first time.
    fn learn(&mut self, bytes: &[u8]) -> Range<usize> {
        if self.known.len() >= REMEMBERED {
            self.known.clear();
            self.meanings.clear();
        }
        let hits = self.look(bytes);
        let start = self.meanings.len();
        self.meanings.extend(hits);
        let end = self.meanings.len();
        let narrow = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
        self.known
            .insert(bytes.into(), (narrow(start), narrow(end)));
        start..end
    }

    /// Whether a hit counts only with words behind it.
    pub(crate) fn is_phrase(&self, hit: Hit) -> bool {
        self.target_of(hit)
            .is_some_and(|target| !target.form.rest.is_empty())
    }

    /// Whether the words that have to follow do.
    pub(crate) fn goes_on(&self, hit: Hit, text: &[u8], end: usize) -> bool {
        self.target_of(hit)
            .is_some_and(|target| follows(text, end, &target.form.rest))
    }

    pub(crate) fn target_of(&self, hit: Hit) -> Option<&'a Target> {
        let kind = self.kinds.get(usize::from(hit.kind))?;
        self.targets.get(usize::from(kind.target))
    }

    fn look(&mut self, bytes: &[u8]) -> Vec<Hit> {
        let mut hits: Vec<Hit> = Vec::new();
        let Ok(text) = std::str::from_utf8(bytes) else {
            return hits;
        };
        let literal = self
            .targets
            .first()
            .is_some_and(|target| target.form.literal);
        if literal {
            let folded = words::fold(text);
            for (index, target) in self.targets.iter().enumerate() {
                if folded == target.form.folded
                    && let Some(kind) = self.kind(index, None)
                {
                    hits.push(Hit {
                        kind,
                        strength: 1.0,
                    });
                }
            }
            return hits;
        }
        let Some(word) = Word::of(text) else {
            return hits;
        };
        // `them` is not `theme`, whatever their stems.
        let stopword = word.script == Script::Latin && words::is_stopword(&word.folded);
        let sieve = std::mem::take(&mut self.sieve);
        match word.script {
            Script::Latin => {
                let near = sieve.latin.iter().filter(|latin| !latin.is_far(&word));
                self.compare(&word, near.map(|latin| latin.target), stopword, &mut hits);
            }
            Script::Hangul => self.compare(&word, sieve.hangul.iter().copied(), false, &mut hits),
            _ => self.compare(&word, sieve.others.iter().copied(), false, &mut hits),
        }
        self.sieve = sieve;
        hits
    }

    /// Compares a word with targets; a stopword stands only for itself.
    fn compare(
        &mut self,
        word: &Word,
        among: impl Iterator<Item = usize>,
        stopword: bool,
        hits: &mut Vec<Hit>,
    ) {
        let targets = self.targets;
        for index in among {
            let Some(target) = targets.get(index) else {
                continue;
            };
            if stopword && word.folded != target.form.folded {
                continue;
            }
            let (strength, part) = match relate(word, target) {
                Some(Relation::Whole(strength)) => {
                    (strength, target.fuzzy.then(|| word.taken_for(&target.form)))
                }
                Some(Relation::Part(share)) => (share, Some(word.stem.clone())),
                None => continue,
            };
            if let Some(kind) = self.kind(index, part) {
                hits.push(Hit { kind, strength });
            }
        }
    }

    fn kind(&mut self, target: usize, part: Option<String>) -> Option<u16> {
        let kind = HitKind {
            target: u16::try_from(target).ok()?,
            part,
        };
        if let Some(found) = self.kind_of.get(&kind) {
            return Some(*found);
        }
        let id = u16::try_from(self.kinds.len()).ok()?;
        self.kinds.push(kind.clone());
        self.kind_of.insert(kind, id);
        Some(id)
    }
}

/// Whether words follow each other from `end` on, with at most a few signs between.
fn follows(text: &[u8], mut end: usize, rest: &[Form]) -> bool {
    for form in rest {
        let gap = text
            .get(end..)
            .unwrap_or_default()
            .iter()
            .take(3)
            .take_while(|b| !b.is_ascii_alphanumeric() && b.is_ascii() && **b != b'\n')
            .count();
        let start = end + gap;
        if gap == 0 && text.get(start).is_none_or(u8::is_ascii) {
            return false;
        }
        if !form.may_begin_with(text.get(start).copied().unwrap_or_default()) {
            return false;
        }
        let word = word_around(text, &(start..start), start);
        let Some(found) = text
            .get(word.clone())
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
        else {
            return false;
        };
        let folded = words::fold(found);
        let fits = folded == form.folded
            || words::stem(&folded) == form.stem
            || (form.script == Some(Script::Hangul) && folded.starts_with(&form.stem))
            || (form.root.len() >= 4 && words::root(&folded) == form.root);
        if !fits {
            return false;
        }
        end = word.end;
    }
    true
}

/// The word around a place: letters of the script that stands there. For Han, and for what is no
/// word, the place itself.
pub(crate) fn word_around(text: &[u8], place: &Range<usize>, least: usize) -> Range<usize> {
    let Some((first, length)) = char_at(text, place.start) else {
        return place.clone();
    };
    let script = words::script(first);
    if matches!(script, Script::None | Script::Han) {
        // What a letter begins with may begin a sign.
        return place.start..place.end.max(place.start + length);
    }
    let mut start = place.start;
    while start > least && place.start - start < LONGEST_WORD {
        let Some(byte) = text.get(start - 1) else {
            break;
        };
        if byte.is_ascii() {
            if script != Script::Latin || !in_word(*byte) {
                break;
            }
            start -= 1;
            continue;
        }
        if script == Script::Hangul && start >= least + 3 && is_syllable(text, start - 3) {
            start -= 3;
            continue;
        }
        let mut before = start - 1;
        while before > least
            && start - before < 4
            && text.get(before).is_some_and(|b| b & 0xc0 == 0x80)
        {
            before -= 1;
        }
        match char_at(text, before) {
            Some((c, length)) if words::script(c) == script && before + length == start => {
                start = before;
            }
            _ => break,
        }
    }
    let mut end = place.start;
    while end - place.start < LONGEST_WORD {
        let Some(byte) = text.get(end) else {
            break;
        };
        if byte.is_ascii() {
            if script != Script::Latin || !in_word(*byte) {
                break;
            }
            end += 1;
            continue;
        }
        if script == Script::Hangul && is_syllable(text, end) {
            end += 3;
            continue;
        }
        match char_at(text, end) {
            Some((c, length)) if words::script(c) == script => end += length,
            _ => break,
        }
    }
    // Literals run over signs.
    start..end.max(place.end)
}

/// Whether a syllable of Hangul, as most texts write it, stands at a place.
fn is_syllable(text: &[u8], at: usize) -> bool {
    match text.get(at..at + 3) {
        Some([0xeb | 0xec, second, third]) => *second & 0xc0 == 0x80 && *third & 0xc0 == 0x80,
        Some([0xea, 0xb0..=0xbf, third] | [0xed, 0x80..=0x9d, third]) => *third & 0xc0 == 0x80,
        _ => false,
    }
}

/// Whether an ASCII character is a part of words.
fn in_word(byte: u8) -> bool {
    const IN_WORD: [bool; 256] = {
        let mut table = [false; 256];
        let mut byte = 0;
        while byte < 128_u8 {
            table[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_';
            byte += 1;
        }
        table
    };
    IN_WORD.get(usize::from(byte)).copied().unwrap_or(false)
}

/// Where the next word may begin: pairs of Han characters overlap.
pub(crate) fn behind(text: &[u8], word: &Range<usize>) -> usize {
    match char_at(text, word.start) {
        Some((first, length)) if words::script(first) == Script::Han => word.start + length,
        _ => word.end,
    }
}

/// The character that begins at a place, and its length.
fn char_at(text: &[u8], at: usize) -> Option<(char, usize)> {
    let first = *text.get(at)?;
    if first.is_ascii() {
        return Some((char::from(first), 1));
    }
    let next = |offset: usize| {
        text.get(at + offset)
            .filter(|byte| **byte & 0xc0 == 0x80)
            .map(|byte| u32::from(byte & 0x3f))
    };
    let (length, code) = match first {
        0xc2..=0xdf => (2, (u32::from(first & 0x1f) << 6) | next(1)?),
        0xe0..=0xef => {
            let code = (u32::from(first & 0x0f) << 12) | (next(1)? << 6) | next(2)?;
            (3, Some(code).filter(|code| *code >= 0x800)?)
        }
        0xf0..=0xf4 => {
            let head = (u32::from(first & 0x07) << 18) | (next(1)? << 12);
            let code = head | (next(2)? << 6) | next(3)?;
            (4, Some(code).filter(|code| *code >= 0x1_0000)?)
        }
        _ => return None,
    };
    Some((char::from_u32(code)?, length))
}

/// A hash that is quick for short keys; nobody can choose the words of one's own memory.
#[derive(Debug, Default, Clone, Copy)]
pub(crate) struct Fast(u64);

impl Hasher for Fast {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        const PRIME: u64 = 0x517c_c1b7_2722_0a95;
        let (chunks, rest) = bytes.as_chunks::<8>();
        for chunk in chunks {
            self.0 = (self.0.rotate_left(5) ^ u64::from_le_bytes(*chunk)).wrapping_mul(PRIME);
        }
        for byte in rest {
            self.0 = (self.0.rotate_left(5) ^ u64::from(*byte)).wrapping_mul(PRIME);
        }
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "a test reads its files")]
mod tests {
    use super::*;
    use crate::finder::{STRANGE, needles_of, needs_all};
    use aho_corasick::{AhoCorasick, AhoCorasickKind, MatchKind};
    use proptest::prelude::*;

    fn target(word: &str, own: bool) -> Target {
        Target {
            groups: vec![0],
            weight: 1.0,
            form: Form::of(word, &words::fold(word)),
            own,
            fuzzy: false,
            piece: 0,
        }
    }

    fn found(word: &str, text: &str) -> Vec<String> {
        let targets = [target(word, true)];
        let finder = Finder::new(&targets);
        let mut judge = Judge::new(&targets, &finder);
        let mut cursor = Cursor::default();
        let mut at = 0;
        let mut out = Vec::new();
        while let Some((range, _)) = judge.next(&mut cursor, text.as_bytes(), at) {
            at = range.end;
            out.push(text[range].to_owned());
        }
        out
    }

    #[test]
    fn forms_of_a_word_are_found() {
        assert_eq!(
            found("배포를", "자동배포 뒤 배포했던 것"),
            ["자동배포", "배포했던"]
        );
        assert_eq!(found("copies", "Copy of COPIED files"), ["Copy", "COPIED"]);
        assert_eq!(
            found("parseOrderId", "fn parse_order_id(order: u8)"),
            ["parse_order_id", "order"]
        );
        assert_eq!(
            found("Versandetikettendrucker", "die Versandetiketten im Drucker"),
            ["Versandetiketten", "Drucker"]
        );
        assert_eq!(
            found("Rückgabe", "RÜCKGABE und Rückgaben"),
            ["RÜCKGABE", "Rückgaben"]
        );
        assert_eq!(found("거래명세서", "거래명세서.pdf"), ["거래명세서"]);
    }

    #[test]
    fn parts_of_compounds_are_found_in_their_forms() {
        for (typed, text) in [
            ("Baum", "die Obstbäume blühen"),
            ("Baum", "ein Obstbaum"),
            ("Bäume", "ein Obstbaum"),
            ("Haus", "zwei Kühlhäuser"),
            ("Haus", "im Kühlhaus"),
            ("Häuser", "das Kühlhaus"),
            ("Kühlhaus", "alle Kühlhäuser"),
            ("Kühlhäuser", "im Kühlhaus"),
            ("Vertrag", "die Mietverträge"),
            ("Verträge", "der Mietvertrag"),
            ("Pumpe", "die Wärmepumpen"),
            ("Schlüssel", "des Hauptschlüssels"),
            ("Straße", "die Bundesstrassen"),
            ("Strasse", "die Bundesstraßen"),
        ] {
            assert_eq!(found(typed, text).len(), 1, "{typed} in {text}");
        }
        for (typed, text) in [
            ("Essen", "vergessen und gemessen"),
            ("Rechner", "die Rechnung"),
            ("Ordner", "die Ordnung"),
            ("theme", "all of them"),
            ("Haus", "haustürlich"),
        ] {
            assert!(found(typed, text).is_empty(), "{typed} in {text}");
        }
    }

    fn literally(word: &str, text: &str) -> bool {
        let targets = [Target {
            form: Form::literal(word),
            ..target(word, true)
        }];
        let finder = Finder::new(&targets);
        let mut judge = Judge::new(&targets, &finder);
        judge
            .next(&mut Cursor::default(), text.as_bytes(), 0)
            .is_some()
    }

    #[test]
    fn what_folds_alike_is_found() {
        for (typed, text) in [
            ("Straße", "Die Straße ist gesperrt"),
            ("Strasse", "Die Straße ist gesperrt"),
            ("Straße", "Die STRASSE ist gesperrt"),
            ("Straße", "DIE STRAẞE IST GESPERRT"),
            ("STRASSE", "Die Straße ist gesperrt"),
            ("Größe", "die Größe zählt"),
            ("Größe", "die Gro\u{308}ße zählt"),
            ("Gro\u{308}ße", "DIE GRÖẞE ZÄHLT"),
            ("Grüße", "viele Grüße"),
            ("Maßnahme", "eine Maßnahme"),
            ("Fußnote", "siehe Fußnote 3"),
            ("heißt", "das heißt nichts"),
            ("Maßstab", "im Maßstab eins"),
            ("schließen", "das Fenster schließen"),
            ("Übermäßig", "Übermäßig viel"),
            ("Straßenschlussstein", "ein Straßenschlußstein"),
            ("Überprüfung", "Die Überprüfung"),
            ("overflow", "ein OVERFLOW"),
            ("İstanbul", "in İstanbul"),
            ("ﬁle", "one ﬁle"),
            ("ＡＰＩ", "die ＡＰＩ hier"),
            ("ＡＰＩ", "die api hier"),
            ("배포", "자동 \u{1107}\u{1162}\u{1111}\u{1169} 끝"),
            ("\u{1107}\u{1162}\u{1111}\u{1169}", "자동 배포 끝"),
            ("миграция", "Миграция готова"),
            ("миграция", "МИГРАЦИЯ готова"),
            ("api", "die ＡＰＩ hier"),
            ("API2", "die ａｐｉ２ hier"),
            ("file", "one ﬁle"),
            ("offline", "an oﬄine note"),
        ] {
            assert_eq!(found(typed, text).len(), 1, "{typed} in {text}");
            assert!(literally(typed, text), "{typed} exactly in {text}");
        }
        for (typed, text) in [
            ("Straßen", "die Straße"),
            ("Größen", "die Größe"),
            ("Fußnoten", "die Fußnote"),
            ("Pass", "der Paß"),
            ("Straßensperrung", "die Straße"),
            ("Bäume", "ein Baum"),
            ("Häuser", "ein Haus"),
            ("Städte", "die Stadt"),
            ("Verträge", "der Vertrag"),
            ("indices", "an index"),
            ("matrices", "the matrix"),
            ("vertices", "one vertex"),
            ("criteria", "a criterion"),
            ("Strøm", "strom an Land"),
            ("strom", "Strøm på land"),
            ("Łódź", "a trip to Lodz"),
            ("lodz", "wyjazd do Łódź"),
            ("Đorđe", "asked Dorde"),
            ("dorde", "pitaj Đorđe"),
            ("Kızılay", "the Kizilay office"),
            ("kizilay", "the Kızılay office"),
            ("œuvre", "an oeuvre"),
            ("oeuvre", "une ŒUVRE"),
            ("Æther", "the aether"),
            ("aether", "the Æther"),
            ("naive", "a naïve idea"),
            ("naïve", "a naive idea"),
            ("Šibenik", "via Sibenik"),
            ("sibenik", "via Šibenik"),
            ("thora", "saga of Þóra"),
        ] {
            assert_eq!(found(typed, text).len(), 1, "{typed} in {text}");
        }
    }

    /// The words of a text that mean something, and what: by all places where a needle stands.
    fn plainly(targets: &[Target], text: &str) -> Vec<(Range<usize>, Vec<HitKind>)> {
        let automaton = AhoCorasick::builder()
            .ascii_case_insensitive(true)
            .match_kind(MatchKind::Standard)
            .kind(Some(AhoCorasickKind::ContiguousNFA))
            .build(
                needles_of(targets).into_iter().chain(
                    STRANGE
                        .iter()
                        .filter(|_| needs_all(text.as_bytes()))
                        .map(|needle| needle.to_vec()),
                ),
            )
            .unwrap();
        let finder = Finder::default();
        let mut judge = Judge::new(targets, &finder);
        let mut words: Vec<Range<usize>> = automaton
            .find_overlapping_iter(text)
            .map(|found| word_around(text.as_bytes(), &found.range(), 0))
            .collect();
        words.sort_by_key(|word| (word.start, word.end));
        words.dedup();
        let mut out = Vec::new();
        for word in words {
            let hits = judge.look(text[word.clone()].as_bytes());
            if !hits.is_empty() {
                let kinds = hits.iter().map(|hit| &judge.kinds[usize::from(hit.kind)]);
                out.push((word, kinds.cloned().collect()));
            }
        }
        out
    }

    fn quickly(targets: &[Target], text: &str) -> Vec<(Range<usize>, Vec<HitKind>)> {
        let finder = Finder::new(targets);
        let mut judge = Judge::new(targets, &finder);
        let mut cursor = Cursor::default();
        let (mut at, mut out) = (0, Vec::new());
        while let Some(found) = finder.find(&mut cursor, text.as_bytes(), at) {
            let word = word_around(text.as_bytes(), &found, at);
            at = behind(text.as_bytes(), &word);
            let hits = judge.look(text[word.clone()].as_bytes());
            if !hits.is_empty() {
                let kinds = hits.iter().map(|hit| &judge.kinds[usize::from(hit.kind)]);
                out.push((word, kinds.cloned().collect()));
            }
        }
        out
    }

    #[test]
    fn the_quick_way_finds_what_the_plain_one_does() {
        let data = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        let today = chrono::NaiveDate::from_ymd_opt(2026, 11, 30).unwrap();
        let lexicon = words::Lexicon::builtin();
        for set in ["shop", "harbour", "greenhouse"] {
            let set = data.join(set);
            let mut days: Vec<_> = std::fs::read_dir(set.join("project/conversations"))
                .unwrap()
                .map(|day| day.unwrap().path())
                .collect();
            days.sort();
            let texts: Vec<String> = days
                .iter()
                .take(12)
                .map(|day| std::fs::read_to_string(day).unwrap())
                .collect();
            let mut texts = vec![texts.concat()];
            let apart = texts[0].nfd().collect();
            texts.push(apart);
            let queries = std::fs::read_to_string(set.join("queries.json")).unwrap();
            let queries: serde_json::Value = serde_json::from_str(&queries).unwrap();
            for query in queries.as_array().unwrap() {
                let query = query["query"].as_str().unwrap();
                let parsed = crate::query::Query::parse(query, today, &lexicon, false);
                for text in &texts {
                    let targets = &parsed.targets;
                    assert_eq!(quickly(targets, text), plainly(targets, text), "{query}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn characters_are_read_as_they_are(text in "\\PC{0,9}", bytes in any::<[u8; 5]>()) {
            let mut at = 0;
            for c in text.chars() {
                prop_assert_eq!(char_at(text.as_bytes(), at), Some((c, c.len_utf8())));
                at += c.len_utf8();
            }
            let lossy = String::from_utf8_lossy(&bytes);
            let first = lossy.chars().next().filter(|c| *c != char::REPLACEMENT_CHARACTER);
            prop_assert_eq!(char_at(&bytes, 0).map(|(c, _)| c), first);
        }
    }

    #[test]
    fn phrases_have_to_go_on() {
        assert_eq!(
            found("zero downtime", "zero-downtime deploy, zero cost"),
            ["zero"]
        );
    }
}
