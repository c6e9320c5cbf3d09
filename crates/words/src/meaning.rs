//! What a text is about: its words as concepts, numbers and names, whatever the language.
//!
//! ```
//! let mut reader = words::meaning::Reader::default();
//! let korean = reader.read("오프라인 주문은 7일 보관");
//! let english = reader.read("offline orders are kept for 7 days");
//! let shared = english.iter().filter(|word| korean.iter().any(|other| word.meets(other))).count();
//! assert!(shared >= 4);
//! ```

use crate::base::{LONGEST, key, root, script::Script, script::of as script};
use crate::lexicon::{Concept, Lexicon};
use crate::quick::QuickMap;
use crate::stop::is_stopword;
use crate::{compound, fold, numeral};
use std::ops::Range;
use std::rc::Rc;

/// What a [`Word`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// A number, in digits or written out; the stem holds the digits.
    Number,
    /// A name of code: with `_`, with inner capitals, with letters and digits, or a path.
    Name,
    /// A word of the lexicon.
    Known,
    /// Any other word.
    Unknown,
    /// A word of the lexicon that says little by itself (`only`, `nach`, `다시`).
    Function,
}

/// A word, or a few that are one (`pull request`), and what it may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Word {
    /// What it is.
    pub kind: Kind,
    /// Its stem; for a name and a number the whole.
    pub stem: Rc<str>,
    /// What it may mean, sorted; empty for what the lexicon does not know.
    pub concepts: Rc<[Concept]>,
    /// Where it stands, in bytes.
    pub range: Range<usize>,
}

impl Word {
    /// Whether two words are the same or have a meaning in common.
    pub fn meets(&self, other: &Self) -> bool {
        self.stem == other.stem
            || self
                .concepts
                .iter()
                .any(|concept| other.concepts.contains(concept))
    }
}

/// A word of one token: kind, stem, meanings.
type Entry = (Kind, Rc<str>, Rc<[Concept]>);

/// What is known of a token.
#[derive(Debug)]
struct Known {
    /// Its words; empty for a separator that phrases do not cross.
    words: Rc<[Entry]>,
    /// Its key for phrases.
    key: Rc<str>,
    /// Whether a phrase begins with it.
    begins: bool,
}

/// Reads texts; what it found out about a word it remembers.
#[derive(Debug, Default)]
pub struct Reader {
    lexicon: Lexicon,
    seen: QuickMap<Box<str>, Rc<Known>>,
    /// What whole tokens of an alphabet consist of, counted from where they begin.
    whole: QuickMap<Box<str>, Rc<[Piece]>>,
    phrases: QuickMap<Box<str>, Rc<[Concept]>>,
}

/// A token of the text on its way.
#[derive(Debug, Clone)]
struct Piece {
    known: Rc<Known>,
    range: Range<usize>,
}

impl Reader {
    /// A reader with a user's words as well.
    pub fn new(lexicon: Lexicon) -> Self {
        Self {
            lexicon,
            ..Self::default()
        }
    }

    /// The lexicon it goes by.
    pub fn lexicon(&self) -> &Lexicon {
        &self.lexicon
    }

    /// The words of a text in order. Stopwords that the lexicon does not know are left out.
    pub fn read(&mut self, text: &str) -> Vec<Word> {
        let pieces = self.pieces(text);
        let mut out = Vec::new();
        let mut at = 0;
        while let Some(piece) = pieces.get(at) {
            if let Some((length, concepts)) = self.phrase(&pieces, at) {
                let end = pieces
                    .get(at + length - 1)
                    .map_or(piece.range.end, |last| last.range.end);
                let stem = text.get(piece.range.start..end).unwrap_or_default();
                out.push(Word {
                    kind: Kind::Known,
                    stem: fold(stem).into(),
                    concepts,
                    range: piece.range.start..end,
                });
                at += length;
                continue;
            }
            for (kind, stem, concepts) in piece.known.words.iter() {
                // `three hundred`, `5천`
                if *kind == Kind::Number
                    && let Some(last) = out.last_mut()
                    && last.kind == Kind::Number
                    && let (Ok(before), Ok(after)) = (last.stem.parse(), stem.parse())
                    && let Some(product) = numeral::product(before, after)
                {
                    last.stem = product.to_string().into();
                    last.range.end = piece.range.end;
                    continue;
                }
                out.push(Word {
                    kind: *kind,
                    stem: Rc::clone(stem),
                    concepts: Rc::clone(concepts),
                    range: piece.range.clone(),
                });
            }
            at += 1;
        }
        out
    }

    /// The longest phrase that begins here, of two to four tokens.
    fn phrase(&mut self, pieces: &[Piece], at: usize) -> Option<(usize, Rc<[Concept]>)> {
        // Few words begin one.
        if !pieces.get(at)?.known.begins {
            return None;
        }
        let mut key = String::new();
        let mut found = None;
        for length in 1..=4 {
            let piece = pieces.get(at + length - 1)?;
            if piece.known.key.is_empty() {
                break;
            }
            if length > 1 {
                key.push(' ');
            }
            key.push_str(&piece.known.key);
            if length == 1 {
                continue;
            }
            let concepts = if let Some(concepts) = self.phrases.get(key.as_str()) {
                Rc::clone(concepts)
            } else {
                let mut concepts = self.lexicon.concepts(&key);
                // Korean spaces are loose.
                if concepts.is_empty() && length == 2 && script_of(&key) == Script::Hangul {
                    concepts = self.lexicon.concepts(&key.replace(' ', ""));
                }
                let concepts: Rc<[Concept]> = concepts.into();
                self.phrases
                    .insert(key.as_str().into(), Rc::clone(&concepts));
                concepts
            };
            if !concepts.is_empty() {
                found = Some((length, concepts));
            }
            if pieces.get(at + length).is_none() {
                break;
            }
        }
        found
    }

    fn pieces(&mut self, text: &str) -> Vec<Piece> {
        let mut out: Vec<Piece> = Vec::new();
        let separator = Rc::new(Known::apart(Rc::from([])));
        let mut chars = text.char_indices().peekable();
        while let Some((start, c)) = chars.next() {
            let kind = script(c);
            if kind == Script::None {
                if matches!(
                    c,
                    '.' | '!' | '?' | ';' | ':' | '\n' | '(' | ')' | '。' | '，' | '|'
                ) {
                    out.push(Piece {
                        known: Rc::clone(&separator),
                        range: start..start,
                    });
                }
                continue;
            }
            let mut end = start + c.len_utf8();
            while let Some(&(at, next)) = chars.peek() {
                let same = script(next) == kind;
                // `5,000`, `src/a.rs`, `v1.2`, `well-known`
                let joined = kind == Script::Latin
                    && match next {
                        ',' => c.is_ascii_digit() && thousands(text.get(at + 1..)),
                        '.' | '/' | '-' | '_' | ':' | '\\' => text
                            .get(at + next.len_utf8()..)
                            .and_then(|rest| rest.chars().next())
                            .is_some_and(|after| {
                                script(after) == Script::Latin || (next == ':' && after == ':')
                            }),
                        _ => false,
                    };
                if !same && !joined {
                    break;
                }
                end = at + next.len_utf8();
                chars.next();
            }
            let token = text.get(start..end).unwrap_or_default();
            match kind {
                Script::Latin => self.latin(token, start, &mut out),
                Script::Han => self.han(token, start, &mut out),
                _ => {
                    // `5만`, `3천 원`
                    if let Some(last) = out.last_mut()
                        && last.range.end == start
                        && let [(Kind::Number, digits, _)] = &*last.known.words
                        && let Some(factor) = token.chars().next().and_then(numeral::unit)
                        && let Some(value) = digits
                            .parse::<u64>()
                            .ok()
                            .and_then(|n| n.checked_mul(factor))
                    {
                        last.known = Rc::new(Known {
                            words: Rc::from([(
                                Kind::Number,
                                value.to_string().into(),
                                Rc::from([]),
                            )]),
                            key: Rc::clone(&last.known.key),
                            begins: last.known.begins,
                        });
                        last.range.end = end;
                        continue;
                    }
                    out.push(Piece {
                        known: self.word(token, Self::hangul),
                        range: start..end,
                    });
                }
            }
        }
        out
    }

    /// What is known of a token, worked out once.
    fn word(&mut self, token: &str, read: fn(&mut Self, &str) -> Vec<Entry>) -> Rc<Known> {
        if let Some(known) = self.seen.get(token) {
            return Rc::clone(known);
        }
        if token.len() > LONGEST {
            let word: Entry = (Kind::Unknown, fold(token).into(), Rc::from([]));
            return Rc::new(Known::apart(Rc::from([word])));
        }
        let words: Rc<[Entry]> = read(self, token).into();
        let known = self.known(words, token);
        self.seen.insert(token.into(), Rc::clone(&known));
        known
    }

    fn known(&self, words: Rc<[Entry]>, token: &str) -> Rc<Known> {
        let key = key(&fold(token));
        Rc::new(Known {
            words,
            begins: self.lexicon.begins(&key),
            key: key.into(),
        })
    }

    fn latin(&mut self, token: &str, start: usize, out: &mut Vec<Piece>) {
        let token = token.trim_end_matches(['.', '-', ':', '/', '\\']);
        let pieces = if let Some(pieces) = self.whole.get(token) {
            Rc::clone(pieces)
        } else {
            let pieces: Rc<[Piece]> = self.latin_pieces(token).into();
            // What is longer is hardly met twice.
            if token.len() <= LONGEST {
                self.whole.insert(token.into(), Rc::clone(&pieces));
            }
            pieces
        };
        out.extend(pieces.iter().map(|piece| Piece {
            known: Rc::clone(&piece.known),
            range: start + piece.range.start..start + piece.range.end,
        }));
    }

    /// What a token consists of, with ranges within it.
    fn latin_pieces(&mut self, token: &str) -> Vec<Piece> {
        let mut out = Vec::new();
        if token
            .bytes()
            .all(|b| b.is_ascii_digit() || matches!(b, b',' | b'.' | b':' | b'-' | b'/'))
        {
            let mut at = 0;
            for part in token.split(['.', ':', '-', '/']) {
                let digits: String = part.chars().filter(char::is_ascii_digit).collect();
                let digits = digits.trim_start_matches('0');
                if !part.is_empty() {
                    let stem = if digits.is_empty() { "0" } else { digits };
                    out.push(Piece {
                        known: self.word(stem, Self::number),
                        range: at..at + part.len(),
                    });
                }
                at += part.len() + 1;
            }
            return out;
        }
        if token.len() > LONGEST {
            let known = self.word(token, Self::latin_word);
            let range = 0..token.len();
            out.push(Piece { known, range });
            return out;
        }
        let name = is_name(token);
        if name {
            let stem: Rc<str> = fold(token).into();
            out.push(Piece {
                known: Rc::new(Known::apart(Rc::from([(Kind::Name, stem, Rc::from([]))]))),
                range: 0..token.len(),
            });
        }
        let mut at = 0;
        for part in token.split(['.', '/', '-', ':', '\\', ',']) {
            for piece in crate::parts(part) {
                let word = part.get(piece.clone()).unwrap_or_default();
                let known = self.word(word, Self::latin_word);
                // A name that is one piece is no word as well.
                if !(name && known.words.iter().all(|(kind, ..)| *kind == Kind::Unknown)) {
                    out.push(Piece {
                        known,
                        range: at + piece.start..at + piece.end,
                    });
                }
            }
            at += part.len() + 1;
        }
        out
    }

    #[allow(clippy::unused_self, reason = "read as the words of a script are")]
    fn number(&mut self, digits: &str) -> Vec<Entry> {
        vec![(Kind::Number, digits.into(), Rc::from([]))]
    }

    fn latin_word(&mut self, word: &str) -> Vec<Entry> {
        let folded = fold(word);
        if let Some(n) = numeral::value(&folded) {
            return vec![(Kind::Number, n.to_string().into(), Rc::from([]))];
        }
        if folded.bytes().all(|b| b.is_ascii_digit()) {
            return vec![(Kind::Number, folded.into(), Rc::from([]))];
        }
        let stem = crate::stem(&folded);
        let function = is_stopword(&folded) || is_stopword(&stem);
        let concepts = self.lexicon.concepts_of_stemmed(&folded, &stem);
        if concepts.is_empty() && !function && folded.len() >= 2 * compound::SHORTEST {
            let known = |part: &str| {
                let part = key(part);
                self.lexicon.knows(&part) && !is_stopword(&part)
            };
            if let Some(parts) = compound::split(&folded, &known) {
                return parts
                    .into_iter()
                    .filter_map(|range| folded.get(range))
                    .filter_map(|part| {
                        let concepts = self.lexicon.concepts_of(part);
                        entry(part, concepts, false)
                    })
                    .collect();
            }
            // `Dienstplanoptimierer`: a known head before what is not known.
            if let Some((head, tail)) = self.half_known(&folded) {
                let concepts = self.lexicon.concepts_of(head);
                let rest = self.lexicon.concepts_of(tail);
                return entry(head, concepts, false)
                    .into_iter()
                    .chain(entry(tail, rest, false))
                    .collect();
            }
        }
        if folded.len() < 2 && concepts.is_empty() {
            return Vec::new();
        }
        entry(&folded, concepts, function).into_iter().collect()
    }

    /// A compound of which one part is known: the longest such part of five letters and more.
    fn half_known<'a>(&self, folded: &'a str) -> Option<(&'a str, &'a str)> {
        let cuts = folded.char_indices().map(|(at, _)| at).collect::<Vec<_>>();
        let halves = |at: usize| {
            let (head, tail) = folded.split_at(at);
            (head, tail)
        };
        let fits = |part: &str| part.chars().count() >= 5 && self.lexicon.knows(&key(part));
        let fits_rest = |part: &str| part.chars().count() >= 4;
        cuts.iter()
            .map(|at| halves(*at))
            .filter(|(head, tail)| fits_rest(head) && fits_rest(tail))
            .filter(|(head, tail)| fits(head) || fits(tail))
            .max_by_key(|(head, tail)| {
                let known = |part: &str| if fits(part) { part.len() } else { 0 };
                known(head).max(known(tail))
            })
    }

    fn hangul(&mut self, token: &str) -> Vec<Entry> {
        let folded = fold(token);
        let stem = key(&folded);
        if let Some(n) = numeral::value(&folded).or_else(|| numeral::value(&stem)) {
            return vec![(Kind::Number, n.to_string().into(), Rc::from([]))];
        }
        let function = is_stopword(&folded) || is_stopword(&stem);
        let concepts = self.lexicon.concepts_of(&folded);
        if !concepts.is_empty() || function {
            return entry(&folded, concepts, function).into_iter().collect();
        }
        // `커밋제목`: nouns written together, each of two syllables and more.
        if let Some(parts) = self.nouns(&stem) {
            return parts
                .into_iter()
                .filter_map(|part| entry(part, self.lexicon.concepts(part), false))
                .collect();
        }
        vec![(Kind::Unknown, stem.into(), Rc::from([]))]
    }

    /// Cuts a run of Hangul at known nouns, all of it but for at most one unknown part.
    fn nouns<'a>(&self, stem: &'a str) -> Option<Vec<&'a str>> {
        let ends: Vec<usize> = stem
            .char_indices()
            .map(|(at, _)| at)
            .skip(1)
            .chain([stem.len()])
            .collect();
        if ends.len() < 3 {
            return None;
        }
        let mut parts = Vec::new();
        let (mut start, mut unknown) = (0, None);
        let mut known = 0;
        while start < stem.len() {
            let hit = ends
                .iter()
                .rev()
                .filter(|end| **end >= start + 6)
                .filter_map(|end| stem.get(start..*end).map(|part| (*end, part)))
                .find(|(_, part)| self.lexicon.knows(part));
            if let Some((end, part)) = hit {
                if let Some(from) = unknown.take() {
                    // One syllable by itself is no word: the cut is wrong.
                    parts.push(stem.get(from..start).filter(|part| part.len() > 3)?);
                }
                parts.push(part);
                known += 1;
                start = end;
            } else {
                unknown.get_or_insert(start);
                start += stem.get(start..)?.chars().next()?.len_utf8();
            }
        }
        if let Some(from) = unknown {
            // One syllable at the end is most likely a particle.
            parts.extend(stem.get(from..).filter(|rest| rest.len() > 3));
        }
        (known > 0).then_some(parts)
    }

    fn han(&mut self, token: &str, start: usize, out: &mut Vec<Piece>) {
        let mut at = 0;
        while let Some(rest) = token.get(at..).filter(|rest| !rest.is_empty()) {
            let ends: Vec<usize> = rest
                .char_indices()
                .map(|(at, c)| at + c.len_utf8())
                .take(6)
                .collect();
            let number = ends
                .iter()
                .rev()
                .filter_map(|end| rest.get(..*end))
                .find_map(|part| numeral::value(part).map(|n| (part, n)));
            let (part, words): (&str, Rc<[Entry]>) = if let Some((part, n)) = number {
                (
                    part,
                    Rc::from([(Kind::Number, n.to_string().into(), Rc::from([]))]),
                )
            } else if let Some(part) = ends
                .iter()
                .rev()
                .filter_map(|end| rest.get(..*end))
                .find(|part| self.lexicon.knows(part))
            {
                let concepts = self.lexicon.concepts(part);
                let function = is_stopword(part);
                (part, entry(part, concepts, function).into_iter().collect())
            } else {
                let part = ends
                    .first()
                    .and_then(|end| rest.get(..*end))
                    .unwrap_or(rest);
                if is_stopword(part) {
                    at += part.len();
                    continue;
                }
                (part, Rc::from([(Kind::Unknown, part.into(), Rc::from([]))]))
            };
            out.push(Piece {
                known: self.known(words, part),
                range: start + at..start + at + part.len(),
            });
            at += part.len();
        }
    }
}

impl Known {
    /// What no phrase holds.
    fn apart(words: Rc<[Entry]>) -> Self {
        Self {
            words,
            key: "".into(),
            begins: false,
        }
    }
}

fn entry(folded: &str, mut concepts: Vec<Concept>, function: bool) -> Option<Entry> {
    concepts.sort_unstable();
    concepts.dedup();
    let kind = match (concepts.is_empty(), function) {
        (true, true) => return None,
        (true, false) => Kind::Unknown,
        (false, true) => Kind::Function,
        (false, false) => Kind::Known,
    };
    let stem = if concepts.is_empty() {
        root(folded).into_owned()
    } else {
        key(folded)
    };
    Some((kind, stem.into(), concepts.into()))
}

/// Three digits and no fourth.
fn thousands(rest: Option<&str>) -> bool {
    let digits = rest
        .unwrap_or_default()
        .bytes()
        .take_while(u8::is_ascii_digit)
        .count();
    digits == 3
}

/// Whether a token can only be a name of code or of a file.
fn is_name(token: &str) -> bool {
    let inner = token.get(1..).unwrap_or_default();
    let letters = token.chars().any(char::is_alphabetic);
    letters
        && (token.contains(['_', '/', '\\'])
            || token.contains("::")
            || (inner.contains('.') && !token.ends_with('.'))
            || (token.chars().any(char::is_lowercase) && inner.chars().any(char::is_uppercase))
            || (token.bytes().any(|b| b.is_ascii_digit())
                && token.bytes().all(|b| b.is_ascii_alphanumeric())))
}

fn script_of(text: &str) -> Script {
    text.chars().next().map_or(Script::None, script)
}
