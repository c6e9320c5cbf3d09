//! A query cut into what its dates are written with.

use super::chinese;
use std::ops::Range;

#[derive(Debug)]
pub(super) struct Word {
    pub(super) text: String,
    pub(super) range: Range<usize>,
}

/// Runs of letters, of digits, and single signs; Hangul and Han apart from the rest.
pub(super) fn words_of(text: &str) -> Vec<Word> {
    #[derive(PartialEq, Clone, Copy)]
    enum Class {
        Digit,
        Letter(words::Script),
        Sign,
    }
    let mut out: Vec<(Class, Range<usize>)> = Vec::new();
    for (at, c) in text.char_indices() {
        let class = if c.is_ascii_digit() {
            Class::Digit
        } else if c.is_whitespace() {
            continue;
        } else {
            match words::script(c) {
                words::Script::None => Class::Sign,
                script => Class::Letter(script),
            }
        };
        let end = at + c.len_utf8();
        match out.last_mut() {
            Some((last, range)) if *last == class && class != Class::Sign && range.end == at => {
                range.end = end;
            }
            _ => out.push((class, at..end)),
        }
    }
    let mut pieces: Vec<(Range<usize>, Option<u32>)> = Vec::new();
    for (index, (class, range)) in out.iter().enumerate() {
        let numbered = index
            .checked_sub(1)
            .and_then(|before| out.get(before))
            .is_some_and(|(before, at)| *before == Class::Digit && at.end == range.start);
        match class {
            Class::Letter(words::Script::Hangul) => {
                unglue(text, range.clone(), numbered, &mut pieces);
            }
            Class::Letter(words::Script::Han) => {
                chinese::cut(text, range.clone(), numbered, &mut pieces);
            }
            _ => pieces.push((range.clone(), None)),
        }
    }
    pieces
        .into_iter()
        .filter_map(|(range, number)| {
            Some(Word {
                text: match number {
                    Some(number) => number.to_string(),
                    None => words::fold(text.get(range.clone())?).into_owned(),
                },
                range,
            })
        })
        .collect()
}

/// Cuts off what bounds a time and is written together with it: `일부터`, `어제까지`.
fn unglue(
    text: &str,
    range: Range<usize>,
    numbered: bool,
    out: &mut Vec<(Range<usize>, Option<u32>)>,
) {
    const BEHIND: [&str; 6] = ["부터", "까지", "이후", "이전", "이래", "에서"];
    let word = text.get(range.clone()).unwrap_or_default();
    for end in BEHIND {
        if let Some(head) = word.strip_suffix(end)
            && !head.is_empty()
            && (end != "에서" || numbered)
        {
            let cut = range.start + head.len();
            out.extend([(range.start..cut, None), (cut..range.end, None)]);
            return;
        }
    }
    out.push((range, None));
}
