//! A text as statements: sentences, items and cells, each with its line.

use crate::corpus::Corpus;
use crate::cues::{self, Cue, Cues};
use crate::quantity::{self, Quantity};
use crate::relations::compare::Pieces;
use crate::relations::things::{self, Narrowed, Poles};
use crate::spots::Spot;
use std::borrow::Cow;
use std::ops::Range;
use std::sync::OnceLock;

/// Where in a text a statement stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Part {
    /// The one-line description, or the name.
    Head,
    /// A heading.
    Heading,
    /// An item of a list.
    Item,
    /// Running text.
    Text,
    /// A row of a table.
    Row,
}

/// One sentence, item or cell.
#[derive(Debug, Clone)]
pub(crate) struct Statement {
    /// Line, from 1.
    pub(crate) line: usize,
    /// Bytes of that line.
    pub(crate) range: Range<usize>,
    /// Where it stands.
    pub(crate) part: Part,
    /// Its words, folded to lower case.
    pub(crate) folded: String,
    /// Where its words stand in its text, if they were read as they stand there.
    spots: Option<Box<[Spot]>>,
    /// What they tell of a state; looked for when first asked for.
    cues: OnceLock<Cues>,
    /// The numbers in it, with their units; read when first asked for.
    quantities: OnceLock<Vec<Quantity>>,
    /// Cut for comparing; when first asked for.
    pieces: OnceLock<Box<Pieces>>,
    /// The words that a name narrows down; when first asked for.
    narrowed: OnceLock<Vec<Narrowed>>,
    /// Whether it is open, whether it keeps something; asked for once.
    open: OnceLock<bool>,
    keeps: OnceLock<bool>,
    /// The words in it that have an opposite; looked for once.
    poles: OnceLock<Poles>,
}

impl Statement {
    pub(crate) fn new(line: usize, text: &str, range: Range<usize>, part: Part) -> Self {
        let words = &text[range.clone()];
        Self {
            line,
            part,
            folded: words.to_lowercase(),
            spots: None,
            cues: OnceLock::new(),
            quantities: OnceLock::new(),
            pieces: OnceLock::new(),
            narrowed: OnceLock::new(),
            open: OnceLock::new(),
            keeps: OnceLock::new(),
            poles: OnceLock::new(),
            range,
        }
    }

    /// The numbers in it, with their units. `words`: the text it was made of.
    pub(crate) fn quantities<'a>(&self, words: impl FnOnce() -> &'a str) -> &[Quantity] {
        self.quantities.get_or_init(|| quantity::of(words()))
    }

    /// It cut for comparing. `words`: the text it was made of.
    pub(crate) fn pieces<'a>(&self, corpus: &Corpus, words: impl FnOnce() -> &'a str) -> &Pieces {
        self.pieces.get_or_init(|| {
            let words = words();
            Box::new(Pieces::of(corpus, words, &self.spots(corpus, words)))
        })
    }

    /// The words that a name narrows down. `words`: the text it was made of.
    pub(crate) fn narrowed(&self, corpus: &Corpus, words: &str) -> &[Narrowed] {
        self.narrowed
            .get_or_init(|| things::narrowed(corpus, words))
    }

    /// Whether it only asks, weighs, plans or tells what somebody claims.
    pub(crate) fn is_open(&self) -> bool {
        *self.open.get_or_init(|| cues::is_open(&self.folded))
    }

    /// Whether it says that something stays as it was.
    pub(crate) fn keeps(&self) -> bool {
        *self.keeps.get_or_init(|| cues::keeps(&self.folded))
    }

    /// The words in it that have an opposite.
    pub(crate) fn poles(&self) -> Poles {
        *self.poles.get_or_init(|| Poles::of(&self.folded))
    }

    /// Takes note of where its words stand.
    pub(crate) fn stands_at(&mut self, spots: Box<[Spot]>) {
        self.spots = Some(spots);
    }

    /// Where its words stand. `words`: the text it was made of.
    pub(crate) fn spots(&self, corpus: &Corpus, words: &str) -> Cow<'_, [Spot]> {
        match &self.spots {
            Some(spots) => Cow::Borrowed(spots),
            None => Cow::Owned(corpus.spots(words)),
        }
    }

    /// Whether it says this.
    pub(crate) fn says(&self, cue: Cue) -> bool {
        self.cues.get_or_init(|| Cues::of(&self.folded)).has(cue)
    }
}

/// The statements of a text's lines, fences, comments and rules left out.
pub(crate) fn statements<'a>(lines: impl Iterator<Item = (usize, &'a str)>) -> Vec<Statement> {
    let mut out = Vec::new();
    let mut fence: Option<char> = None;
    for (number, line) in lines {
        let trimmed = line.trim_start();
        if let Some(mark) = ['`', '~']
            .into_iter()
            .find(|mark| trimmed.chars().take_while(|c| c == mark).count() >= 3)
        {
            match fence {
                None => fence = Some(mark),
                Some(open) if open == mark => fence = None,
                Some(_) => {}
            }
            continue;
        }
        if fence.is_some() || trimmed.is_empty() || trimmed.starts_with("<!--") {
            continue;
        }
        if trimmed
            .chars()
            .all(|c| matches!(c, '-' | '*' | '_' | '=' | '|' | ':' | ' '))
        {
            continue;
        }
        let start = line.len() - trimmed.len();
        let (part, skip) = part(trimmed);
        sentences(line, start + skip, |range| {
            out.push(Statement::new(number, line, range, part));
        });
    }
    out
}

/// What a line is, and how many bytes its mark takes.
fn part(line: &str) -> (Part, usize) {
    let bytes = line.as_bytes();
    if bytes[0] == b'#' {
        let marks = bytes.iter().take_while(|b| **b == b'#').count();
        if bytes.get(marks) == Some(&b' ') {
            return (Part::Heading, marks + 1);
        }
    }
    if bytes[0] == b'|' {
        return (Part::Row, 1);
    }
    if matches!(bytes[0], b'-' | b'*' | b'+') && bytes.get(1) == Some(&b' ') {
        return (Part::Item, 2);
    }
    let digits = bytes.iter().take_while(|b| b.is_ascii_digit()).count();
    if (1..=3).contains(&digits)
        && matches!(bytes.get(digits), Some(b'.' | b')'))
        && bytes.get(digits + 1) == Some(&b' ')
    {
        return (Part::Item, digits + 2);
    }
    (Part::Text, 0)
}

/// The sentences of a line from a byte on; marks of the end belong to the sentence before.
fn sentences(line: &str, from: usize, mut tell: impl FnMut(Range<usize>)) {
    let mut start = from;
    let mut code = false;
    for (at, c) in line[from..].char_indices() {
        let end = from + at + c.len_utf8();
        if c == '`' {
            code = !code;
        }
        let ends = !code
            && match c {
                '。' | '！' | '？' => true,
                '.' | '!' | '?' => {
                    let before = &line[from..end - 1];
                    // "z. B.", "e. g.", "2.": too short for the end of a sentence.
                    line[end..].starts_with(char::is_whitespace)
                        && (c != '.' || ends_with_a_word(before) || before.ends_with(wide))
                }
                _ => false,
            };
        if ends {
            trimmed(line, start..end).map(&mut tell);
            start = end;
        }
    }
    trimmed(line, start..line.len()).map(tell);
}

/// A part of a line without the blanks around it, if it says anything.
fn trimmed(line: &str, range: Range<usize>) -> Option<Range<usize>> {
    let text = &line[range.clone()];
    let lead = text.len() - text.trim_start().len();
    let text = text.trim();
    let start = range.start + lead;
    text.chars()
        .any(char::is_alphanumeric)
        .then(|| start..start + text.len())
}

/// A word of more than two letters.
fn ends_with_a_word(text: &str) -> bool {
    let word = text.chars().rev().take_while(|c| c.is_alphanumeric());
    word.take(3).count() == 3
}

/// Letters of scripts whose words are short.
fn wide(c: char) -> bool {
    c as u32 >= 0x1100
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<(usize, &str)> {
        let lines: Vec<&str> = text.split('\n').collect();
        statements(lines.iter().enumerate().map(|(i, line)| (i + 1, *line)))
            .into_iter()
            .map(|s| (s.line, &lines[s.line - 1][s.range]))
            .collect()
    }

    #[test]
    fn sentences_end_where_they_end() {
        assert_eq!(
            of("원인은 반올림이었다. 고쳤다.\n- z. B. ein Punkt. Und 2.5 mehr."),
            [
                (1, "원인은 반올림이었다."),
                (1, "고쳤다."),
                (2, "z. B. ein Punkt."),
                (2, "Und 2.5 mehr.")
            ]
        );
        assert_eq!(of("先看。再改。"), [(1, "先看。"), (1, "再改。")]);
        assert_eq!(of("see `a. b` there"), [(1, "see `a. b` there")]);
    }

    #[test]
    fn fences_and_rules_are_no_statements() {
        assert_eq!(
            of("# T\n```\nx\n```\n---\n| a | b |\n|---|---|\n"),
            [(1, "T"), (6, "a | b |")]
        );
    }

    proptest::proptest! {
        #[test]
        fn any_text_has_statements_on_its_lines(text in "\\PC{0,80}") {
            for (line, words) in of(&text) {
                proptest::prop_assert!(text.split('\n').nth(line - 1).is_some_and(|l| l.contains(words)));
            }
        }
    }
}
