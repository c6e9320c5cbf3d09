//! Texts cut into words.

use crate::base::fold::fold;
use crate::base::script::{Script, of};
use crate::base::stem;
use crate::stop::is_stopword;
use std::borrow::Cow;
use std::ops::Range;

/// What a token is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A word of letters and digits, underscores inside (`parse_order_id`, `Größe`, `503`).
    Word,
    /// A part of a [`Kind::Word`] made of several (`order` of `parseOrderId`).
    Part,
    /// A run of Hangul.
    Hangul,
    /// Two neighbouring characters of a run of Han or Kana (one, if the run is one long).
    Han,
    /// Words joined without a space, as one: a path, a namespaced name, a hyphened word
    /// (`src/a/b.rs`, `std::fs`, `lock-free`).
    Symbol,
}

/// A piece of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Token<'a> {
    /// What it is.
    pub kind: Kind,
    /// As it stands in the text.
    pub text: &'a str,
    /// Where it stands, in bytes.
    pub range: Range<usize>,
}

impl<'a> Token<'a> {
    fn at(text: &'a str, range: Range<usize>, kind: Kind) -> Option<Self> {
        Some(Self {
            kind,
            text: text.get(range.clone())?,
            range,
        })
    }

    /// The folded text.
    pub fn folded(&self) -> Cow<'a, str> {
        fold(self.text)
    }

    /// Its stem as a [`Term`] has it; `None` for a stopword.
    pub fn stem(&self) -> Option<Cow<'a, str>> {
        let folded = self.folded();
        if is_stopword(&folded) {
            return None;
        }
        let stem = match (self.kind, folded) {
            (Kind::Symbol, folded) => folded,
            (_, Cow::Borrowed(folded)) => stem(folded),
            (_, Cow::Owned(folded)) => Cow::Owned(stem(&folded).into_owned()),
        };
        (!stem.is_empty() && !is_stopword(&stem)).then_some(stem)
    }
}

/// Words that are joined so far.
struct Run {
    start: usize,
    end: usize,
    /// Something stands between some of them.
    apart: bool,
    /// Where the first stands among the tokens.
    place: usize,
}

/// All tokens of a text in order; a whole stands before its parts.
pub fn tokens(text: &str) -> Vec<Token<'_>> {
    // About as many as there are words.
    let mut out = Vec::with_capacity(text.len() / 5 + 1);
    let mut run: Option<Run> = None;
    let mut at = 0;
    while let Some(byte) = text.as_bytes().get(at) {
        let start = at;
        let script = if byte.is_ascii() {
            at += 1;
            of(char::from(*byte))
        } else {
            let Some(c) = text[at..].chars().next() else {
                break;
            };
            at += c.len_utf8();
            of(c)
        };
        if script == Script::None {
            continue;
        }
        let end = end_of_run(text, at, script);
        at = end;
        match &mut run {
            Some(run) if joined(text, run.end, start) => {
                run.apart |= run.end != start;
                run.end = end;
            }
            _ => {
                let place = out.len();
                let next = Run {
                    start,
                    end,
                    apart: false,
                    place,
                };
                if let Some(whole) = run.replace(next).and_then(|run| symbol(text, &run)) {
                    out.insert(whole.0, whole.1);
                    if let Some(run) = &mut run {
                        run.place += 1;
                    }
                }
            }
        }
        push(text, start..end, script, &mut out);
    }
    if let Some((place, whole)) = run.and_then(|run| symbol(text, &run)) {
        out.insert(place, whole);
    }
    out
}

/// What joined words are as one, and its place; a word and its Korean particle are none.
fn symbol<'a>(text: &'a str, run: &Run) -> Option<(usize, Token<'a>)> {
    let whole = || Token::at(text, run.start..run.end, Kind::Symbol);
    Some((run.place, run.apart.then(whole).flatten()?))
}

/// Where a run of one script ends that goes on at `from`.
fn end_of_run(text: &str, from: usize, script: Script) -> usize {
    let mut end = from;
    loop {
        if script == Script::Latin {
            let rest = text.as_bytes()[end..].iter();
            end += rest
                .take_while(|b| b.is_ascii_alphanumeric() || **b == b'_')
                .count();
        }
        // What is left of ASCII is of no script, or of another.
        if text.as_bytes().get(end).is_none_or(u8::is_ascii) {
            return end;
        }
        match text[end..].chars().next() {
            Some(next) if of(next) == script || is_mark(next) => end += next.len_utf8(),
            _ => return end,
        }
    }
}

fn is_mark(c: char) -> bool {
    ('\u{300}'..='\u{36f}').contains(&c)
}

/// Whether what stands between two words joins them: nothing, or signs of names and paths.
fn joined(text: &str, end: usize, start: usize) -> bool {
    let between = text.get(end..start).unwrap_or(" ");
    between.len() <= 2
        && between.bytes().all(|b| {
            matches!(
                b,
                b'/' | b'.' | b':' | b'-' | b'+' | b'@' | b'\\' | b'#' | b'>' | b'$'
            )
        })
}

/// Adds a run of one script, and its parts.
fn push<'a>(text: &'a str, range: Range<usize>, script: Script, out: &mut Vec<Token<'a>>) {
    let base = range.start;
    let Some(word) = text.get(range.clone()) else {
        return;
    };
    match script {
        Script::Hangul => out.extend(Token::at(text, range, Kind::Hangul)),
        Script::Han => {
            let mut ends = word.char_indices().map(|(at, c)| base + at + c.len_utf8());
            let (mut start, mut middle) = (base, ends.next().unwrap_or(base));
            if middle == range.end {
                out.extend(Token::at(text, range, Kind::Han));
            }
            for end in ends {
                out.extend(Token::at(text, start..end, Kind::Han));
                start = std::mem::replace(&mut middle, end);
            }
        }
        Script::Latin | Script::None => {
            out.extend(Token::at(text, range, Kind::Word));
            // Most words are one piece.
            if !word.bytes().skip(1).any(may_divide) {
                return;
            }
            let pieces = parts(word);
            if pieces.len() > 1 {
                out.extend(pieces.into_iter().filter_map(|piece| {
                    Token::at(text, base + piece.start..base + piece.end, Kind::Part)
                }));
            }
        }
    }
}

/// A word without such a byte has one part: its own.
fn may_divide(byte: u8) -> bool {
    byte == b'_' || byte.is_ascii_uppercase() || !byte.is_ascii()
}

/// The parts of a name by `_` and by case: `parse_order_id`, `parseOrderId` and `HTTPServer2`.
/// One range for a word that is one piece.
pub fn parts(word: &str) -> Vec<Range<usize>> {
    // What most words are.
    if let [first, rest @ ..] = word.as_bytes()
        && first.is_ascii_alphabetic()
        && rest.iter().all(u8::is_ascii_lowercase)
    {
        return std::iter::once(0..word.len()).collect();
    }
    let mut out = Vec::new();
    let mut start = None;
    let mut chars = word.char_indices().peekable();
    let mut before: Option<char> = None;
    while let Some((at, c)) = chars.next() {
        if c == '_' {
            if let Some(start) = start.take() {
                out.push(start..at);
            }
            before = None;
            continue;
        }
        // Only asked for where it decides: behind a letter stand any number of marks.
        let next_lower = || {
            chars
                .clone()
                .map(|(_, next)| next)
                .find(|next| !is_mark(*next))
                .is_some_and(char::is_lowercase)
        };
        let cut = before.is_some_and(|before| {
            (before.is_lowercase() && c.is_uppercase())
                || (before.is_uppercase() && c.is_uppercase() && next_lower())
                || (before.is_ascii_digit() && c.is_uppercase())
        });
        if cut && let Some(start) = start.take() {
            out.push(start..at);
        }
        start.get_or_insert(at);
        if !is_mark(c) {
            before = Some(c);
        }
    }
    if let Some(start) = start {
        out.push(start..word.len());
    }
    out
}

/// A word that carries meaning, by its stem.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Term {
    /// The stem; for Han two characters, for a symbol the folded whole.
    pub stem: String,
    /// Where the word stands, in bytes.
    pub range: Range<usize>,
    /// What it is.
    pub kind: Kind,
}

/// The terms of a text: tokens without stopwords, by stem.
pub fn terms(text: &str) -> impl Iterator<Item = Term> {
    tokens(text).into_iter().filter_map(|token| {
        let stem = token.stem()?.into_owned();
        Some(Term {
            stem,
            range: token.range,
            kind: token.kind,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str) -> Vec<&str> {
        tokens(text).into_iter().map(|token| token.text).collect()
    }

    #[test]
    fn names_stand_whole_and_by_part() {
        assert_eq!(
            texts("parse_order_id"),
            ["parse_order_id", "parse", "order", "id"]
        );
        assert_eq!(
            texts("parseOrderId"),
            ["parseOrderId", "parse", "Order", "Id"]
        );
        assert_eq!(texts("HTTPServer"), ["HTTPServer", "HTTP", "Server"]);
        assert_eq!(
            texts("src/a1/b.rs"),
            ["src/a1/b.rs", "src", "a1", "b", "rs"]
        );
        assert_eq!(texts("end. Next"), ["end", "Next"]);
    }

    #[test]
    fn scripts_are_cut_apart() {
        assert_eq!(texts("Redis를 배포"), ["Redis", "를", "배포"]);
        assert_eq!(texts("部署失败"), ["部署", "署失", "失败"]);
        assert_eq!(texts("v1.2로"), ["v1.2로", "v1", "2", "로"]);
    }
}
