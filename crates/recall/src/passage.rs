//! The part of a text that is shown.

use crate::finder::Cursor;
use crate::judge::{Judge, behind};
use memory::items::is_metadata;
use std::ops::Range;

/// What matched in a text, in order.
pub(crate) fn marks(text: &str, judge: &mut Judge<'_>) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let mut cursor = Cursor::default();
    let mut at = 0;
    while let Some((word, _)) = judge.next(&mut cursor, text.as_bytes(), at) {
        at = behind(text.as_bytes(), &word);
        if let Some(last) = out.last_mut().filter(|last| word.start < last.end) {
            last.end = last.end.max(word.end);
        } else if text.is_char_boundary(word.start) && text.is_char_boundary(word.end) {
            out.push(word);
        }
    }
    out
}

/// Most bytes of an excerpt.
const LONGEST: usize = 2_000;

/// The line of a text with the most matches and `context` lines around it. A line that says something
/// goes before headings, fields, frontmatter and tags; where only these match, the first such line is
/// shown too. Of more than 2,000 bytes, the lines nearest to the best one; of a longer line, the part around its
/// first match.
pub fn excerpt(text: &str, marks: &[Range<usize>], context: usize) -> Range<usize> {
    let lines: Vec<Range<usize>> = {
        let mut at = 0;
        text.split_inclusive('\n')
            .map(|line| {
                let range = at..at + line.trim_end().len();
                at += line.len();
                range
            })
            .collect()
    };
    let within = |line: &Range<usize>| {
        let line = line.clone();
        marks.iter().filter(move |mark| line.contains(&mark.start))
    };
    let is_item = text.starts_with(['#', '-']);
    // Of an entry's frontmatter, up to the line that ends it.
    let is_bar = |line: &&Range<usize>| text.get((**line).clone()) == Some("---");
    let front = lines
        .first()
        .filter(is_bar)
        .and_then(|_| lines.iter().skip(1).find(is_bar))
        .map_or(0, |bar| bar.end);
    let says = |line: &Range<usize>| {
        if line.start < front {
            return false;
        }
        let line = text.get(line.clone()).unwrap_or_default();
        let bare = line.trim_start_matches('`');
        !bare.starts_with("#tags:")
            && !(is_item && (line.trim().is_empty() || line.starts_with('#') || is_metadata(line)))
    };
    let rank = |(index, line): &(usize, &Range<usize>)| {
        let hits = within(line).count();
        let described = line.start < front
            && text
                .get((*line).clone())
                .is_some_and(|line| line.starts_with("description:"));
        (
            hits > 0 && says(line),
            hits > 0 && described,
            hits,
            usize::MAX - index,
        )
    };
    let Some((best, line)) = lines.iter().enumerate().max_by_key(rank) else {
        return 0..text.len();
    };
    if line.len() > LONGEST {
        let first = within(line).next().map_or(line.start, |mark| mark.start);
        let start = first.saturating_sub(LONGEST / 4).max(line.start);
        let end = (start + LONGEST).min(line.end);
        return boundary(text, start)..boundary(text, end);
    }
    let mut out = line.clone();
    if is_item
        && !says(line)
        && let Some(first) = lines.iter().find(|line| says(line))
    {
        let more = out.start.min(first.start)..out.end.max(first.end);
        if more.len() <= LONGEST {
            out = more;
        }
    }
    for away in 1..=context {
        let before = best.checked_sub(away).and_then(|at| lines.get(at));
        let behind = lines.get(best.saturating_add(away));
        if before.is_none() && behind.is_none() {
            break;
        }
        for near in [before, behind].into_iter().flatten() {
            // Nor the empty line behind it.
            if front > 0 && (near.start < front || near.is_empty() && near.start <= front + 1) {
                continue;
            }
            let more = out.start.min(near.start)..out.end.max(near.end);
            if more.len() > LONGEST {
                return out;
            }
            out = more;
        }
    }
    out
}

/// The place of a character, at or before a byte.
fn boundary(text: &str, at: usize) -> usize {
    (0..=at)
        .rev()
        .find(|at| text.is_char_boundary(*at))
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_excerpt_is_the_best_line_and_those_around_it() {
        let text = "one\ntwo\nthree hit\nfour\nfive\n";
        let hit = text.find("hit").unwrap();
        let marks = vec![Range {
            start: hit,
            end: hit + 3,
        }];
        assert_eq!(&text[excerpt(text, &marks, 0)], "three hit");
        assert_eq!(&text[excerpt(text, &marks, 1)], "two\nthree hit\nfour");
        assert_eq!(excerpt(text, &marks, 9), 0..text.len() - 1);
        assert_eq!(excerpt("", &[], 2), 0..0);
    }

    #[test]
    fn what_an_item_says_goes_before_its_fields() {
        let marks = |text: &str| -> Vec<Range<usize>> {
            let hits = text.match_indices("port");
            hits.map(|(at, _)| at..at + 4).collect()
        };
        let text = "### port-80\n`tags: port, docker`\n`date: 2026-11-30`\n\n- The port is taken\n";
        assert_eq!(&text[excerpt(text, &marks(text), 0)], "- The port is taken");
        let text = "### port-80\n`tags: port, ports`\n\n- It is taken\n\nand more\n";
        let shown = &text[excerpt(text, &marks(text), 0)];
        assert_eq!(shown, "`tags: port, ports`\n\n- It is taken");
        let text = "The port is taken.\n\n#tags: port, ports\n";
        assert_eq!(&text[excerpt(text, &marks(text), 0)], "The port is taken.");
    }

    #[test]
    fn what_an_entry_says_goes_before_its_frontmatter() {
        let marks = |text: &str, word: &str| -> Vec<Range<usize>> {
            let hits = text.match_indices(word);
            hits.map(|(at, _)| at..at + word.len()).collect()
        };
        let text = "---\nname: queue\ndescription: Jobs go by a queue\ntype: decision\n---\n\nMails were lost.\n\nWe use BullMQ.\n";
        let shown = |word: &str, context| &text[excerpt(text, &marks(text, word), context)];
        assert_eq!(shown("lost", 2), "Mails were lost.\n\nWe use BullMQ.");
        assert_eq!(
            shown("queue", 0),
            "description: Jobs go by a queue\ntype: decision\n---\n\nMails were lost."
        );
        assert!(!shown("queue", 2).contains("name:"));
        // A line of a talk is none.
        let text = "---\nqueue\n";
        assert_eq!(&text[excerpt(text, &marks(text, "queue"), 0)], "queue");
    }

    #[test]
    fn a_long_line_is_cut_around_its_match() {
        let text = format!("a\n{}hit{}\nb\n", "가".repeat(90_000), "나 ".repeat(90_000));
        let hit = text.find("hit").unwrap();
        let marks = vec![Range {
            start: hit,
            end: hit + 3,
        }];
        let range = excerpt(&text, &marks, 2);
        assert!(range.len() <= LONGEST && range.contains(&hit), "{range:?}");
        // What is near and long is left out.
        let text = format!("{}\nhit\n{}\n", "x".repeat(5_000), "y".repeat(50));
        let marks = vec![Range {
            start: 5_001,
            end: 5_004,
        }];
        assert_eq!(&text[excerpt(&text, &marks, 2)], "hit");
    }
}
