//! A file's text as the model gets it.

use super::{Reading, line_ends};
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use std::borrow::Cow;
use std::ops::Range;

/// A file's text in the parts that matter.
#[derive(Debug, PartialEq, Eq)]
pub struct Parts<'a> {
    /// What stands between the marks of a frontmatter.
    pub front: Option<&'a str>,
    /// The rest.
    pub body: &'a str,
}

/// Splits the frontmatter off: `---` at the very start and the next `---` wherever it stands, as
/// the client has it (measured: `title: a---b` ends it too).
pub fn parts<'a>(text: &'a str, reading: &Reading) -> Parts<'a> {
    let unmarked = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text_without_mark = if reading.tidies { unmarked } else { text };
    let looked_at = if reading.mark_before_frontmatter {
        unmarked
    } else {
        text
    };
    match front(looked_at) {
        Some((front, body)) => Parts {
            front: Some(front),
            body,
        },
        None => Parts {
            front: None,
            body: text_without_mark,
        },
    }
}

fn front(text: &str) -> Option<(&str, &str)> {
    let after = text.strip_prefix("---")?;
    let blank = after.len() - trim_start(after).len();
    let line_end = after.get(..blank)?.rfind('\n')?;
    let inside = after.get(line_end + 1..)?;
    let end = inside.find("---")?;
    Some((
        inside.get(..end)?,
        trim_start(inside.get(end + "---".len()..)?),
    ))
}

/// White space as the client's language has it: a byte order mark is part of it, NEL is not.
fn is_space(c: char) -> bool {
    (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}'
}

/// A text without white space at its ends.
pub fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

/// As [`trim`], at the start only.
pub(super) fn trim_start(text: &str) -> &str {
    text.trim_start_matches(is_space)
}

/// As [`trim`], at the end only.
pub(super) fn trim_end(text: &str) -> &str {
    text.trim_end_matches(is_space)
}

/// A text as the model gets it; empty when nothing of it is loaded.
pub fn tidy<'a>(body: &'a str, reading: &Reading) -> Cow<'a, str> {
    tidied(body, reading).text
}

/// A text as the model gets it, and where its lines stood, from 0.
pub(super) struct Tidied<'a> {
    pub(super) text: Cow<'a, str>,
    pub(super) numbers: Numbers,
}

/// Where the lines of a tidied text stood.
pub(super) struct Numbers {
    /// Lines left out before the first one.
    left_out: usize,
    /// Of each line, those at the start that are left out included; `None`: one after the other.
    lines: Option<Vec<usize>>,
}

impl Numbers {
    pub(super) fn of(&self, line: usize) -> usize {
        let line = self.left_out + line;
        match &self.lines {
            Some(lines) => lines.get(line).copied().unwrap_or(line),
            None => line,
        }
    }
}

pub(super) fn tidied<'a>(body: &'a str, reading: &Reading) -> Tidied<'a> {
    let plain = |text| Tidied {
        text: Cow::Borrowed(text),
        numbers: Numbers {
            left_out: 0,
            lines: None,
        },
    };
    if trim(body).is_empty() {
        return plain("");
    }
    if !reading.tidies {
        return plain(body);
    }
    let (text, lines) = without_comments(body, reading);
    let start = text.len() - trim_start(&text).len();
    let left_out = line_ends(text.get(..start).unwrap_or_default());
    Tidied {
        text: match text {
            Cow::Borrowed(text) => Cow::Borrowed(trim(text)),
            Cow::Owned(text) => Cow::Owned(trim(&text).to_owned()),
        },
        numbers: Numbers { left_out, lines },
    }
}

/// Takes out the comments that stand as blocks of their own at the outermost level, with the line
/// ends behind them; what stands on their lines beside them stays. With the old numbers of the lines
/// that are left, from 0, where some were taken out.
fn without_comments<'a>(text: &'a str, reading: &Reading) -> (Cow<'a, str>, Option<Vec<usize>>) {
    if !text.contains("<!--") {
        return (Cow::Borrowed(text), None);
    }
    let original = text;
    let text: Cow<'_, str> = if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    };
    let blocks = comment_blocks(&text);
    if blocks.is_empty() {
        let text = if reading.keeps_line_ends {
            Cow::Borrowed(original)
        } else {
            text
        };
        return (text, None);
    }
    let mut out = String::with_capacity(text.len());
    let mut numbers = vec![0];
    let mut number = 0;
    let mut at = 0;
    for block in blocks {
        let kept = text.get(at..block.start).unwrap_or_default();
        out.push_str(kept);
        numbers.extend((1..=line_ends(kept)).map(|line| number + line));
        let whole = text.get(block.clone()).unwrap_or_default();
        number += line_ends(kept) + line_ends(whole);
        let rest = without_spans(whole);
        if !trim(&rest).is_empty() {
            out.push_str(&rest);
            let last = line_ends(&rest);
            numbers.extend((1..=last).map(|line| number + line - last));
        } else if let Some(last) = numbers.last_mut() {
            // The line that the block began on begins behind it now.
            *last = number;
        }
        at = block.end;
    }
    let kept = text.get(at..).unwrap_or_default();
    out.push_str(kept);
    numbers.extend((1..=line_ends(kept)).map(|line| number + line));
    (Cow::Owned(out), Some(numbers))
}

/// `text` without `<!-- … -->`.
pub fn without_spans(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("<!--") {
        let Some(end) = rest.get(at + 4..).and_then(|inside| inside.find("-->")) else {
            break;
        };
        out.push_str(rest.get(..at).unwrap_or_default());
        rest = rest.get(at + 4 + end + 3..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// Whether an HTML block is a comment that ends.
pub fn is_comment(block: &str) -> bool {
    trim_start(block).starts_with("<!--") && without_spans(block).len() < block.len()
}

/// The outermost comment blocks, each with the line ends that follow it.
fn comment_blocks(text: &str) -> Vec<Range<usize>> {
    let mut depth = 0_usize;
    let mut blocks = Vec::new();
    let mut paragraph_end = 0;
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Start(Tag::HtmlBlock) if depth == 0 => {
                let start = line_start(text, range.start);
                let indented = text
                    .get(start..)
                    .is_some_and(|line| line.starts_with([' ', '\t']));
                // What is indented cannot end a paragraph in the client's parser.
                let inside_paragraph = indented && start > 0 && start == paragraph_end;
                let end = range.end;
                let more = text.get(end..).unwrap_or_default();
                let end = end + (more.len() - more.trim_start_matches('\n').len());
                let block = start..end;
                if !inside_paragraph && text.get(block.clone()).is_some_and(is_comment) {
                    blocks.push(block);
                }
                depth += 1;
            }
            Event::Start(_) => depth += 1,
            Event::End(tag) => {
                depth = depth.saturating_sub(1);
                if tag == TagEnd::Paragraph && depth == 0 {
                    paragraph_end = range.end;
                }
            }
            _ => {}
        }
    }
    blocks
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tidy_all(text: &str) -> String {
        tidy(parts(text, &Reading::NEWEST).body, &Reading::NEWEST).into_owned()
    }

    // Each pair was seen in a request of Claude Code 2.1.332.
    #[test]
    fn comments_that_are_blocks_are_taken_out() {
        for (text, loaded) in [
            (
                "<!-- a -->\nx\n<!-- b --> tail\ny <!-- c -->\n",
                "x\n tail\ny <!-- c -->",
            ),
            (
                "x\n\n<!-- multi\nline -->\nz\n  <!-- two -->\n    <!-- four -->\n",
                "x\n\nz\n  <!-- two -->\n    <!-- four -->",
            ),
            (
                "- item\n  <!-- in item -->\n- item2\n<!-- after -->\n\n> <!-- q -->\n",
                "- item\n  <!-- in item -->\n- item2\n> <!-- q -->",
            ),
            (
                "<!-- one --><!-- two -->\n\n<!-- unclosed\nend\n",
                "<!-- unclosed\nend",
            ),
            (
                "para\n<!-- mid -->\npara2\n\n<!-- with\n\nblank -->\nend\n",
                "para\npara2\n\nend",
            ),
            (
                "<div>\n<!-- in div -->\n</div>\n\n```\n<!-- f -->\n```\n",
                "<div>\n<!-- in div -->\n</div>\n\n```\n<!-- f -->\n```",
            ),
            ("<!-- only -->\n", ""),
            (
                "\n\n  lead\n\ttab  \r\ncrlf\r\n\r\n<!-- crlf -->\r\nend\r\n\r\n",
                "lead\n\ttab  \ncrlf\n\nend",
            ),
            ("\u{feff}bom text\n", "bom text"),
            ("a\n\n<!-- c -->\n\nb\n\n\n\nd\n", "a\n\nb\n\n\n\nd"),
            (
                "a\n<!-- c -->\n<!-- d -->\nb <!-- x\ny --> z\n\n# h <!-- i -->\n<!-- e --> \nq\n",
                "a\nb <!-- x\ny --> z\n\n# h <!-- i -->\nq",
            ),
            ("x\n\n  <!-- ind -->\n\ny\n", "x\n\ny"),
            ("<!-- a --><b>x</b>\ny\n", "<b>x</b>\ny"),
            ("<!-->\nx\n-->\ny\n", "<!-->\nx\n-->\ny"),
            ("- a\n\n<!-- c -->\n- b\n", "- a\n\n- b"),
            ("a\n<!-- c -->  \n  \nb\n", "a\n  \nb"),
            ("\t<!-- t -->\nx\n", "<!-- t -->\nx"),
            (
                "```\n<!-- open\n```\nx\n<!-- c -->\ny",
                "```\n<!-- open\n```\nx\ny",
            ),
            ("text <!-- a\n<!-- b -->\ny", "text <!-- a\ny"),
            (
                "<pre>\n<!-- c -->\n</pre>\n<!-- d -->\nz",
                "<pre>\n<!-- c -->\n</pre>\nz",
            ),
            ("<!-- c -->\n    code\n\tx\n", "code\n\tx"),
            ("> q\n<!-- c -->\nx", "> q\nx"),
            ("<!-- a\n--> x\n\ny", "x\n\ny"),
            (
                "- x\n\n   <!-- d -->\n\nw\n<!-- e -->",
                "- x\n\n   <!-- d -->\n\nw",
            ),
            ("<?php x ?>\n<!-- d -->\nw", "<?php x ?>\nw"),
            (
                "1. a\n   ```\n   <!-- x -->\n   ```\n<!-- e -->\nb",
                "1. a\n   ```\n   <!-- x -->\n   ```\nb",
            ),
            (" \r\n  lead\r\nb\r\n\r\n", "lead\r\nb"),
            ("a <!-- inline -->\r\nb\r\n", "a <!-- inline -->\r\nb"),
        ] {
            assert_eq!(tidy_all(text), loaded, "{text:?}");
        }
    }

    #[test]
    fn the_old_client_changes_nothing() {
        let text = "\u{feff}\n<!-- a -->\r\nx \n\n";
        assert_eq!(
            tidy(parts(text, &Reading::OLDEST).body, &Reading::OLDEST),
            text
        );
        assert_eq!(tidy(" \n\t", &Reading::OLDEST), "");
    }

    #[test]
    fn a_frontmatter_ends_where_the_client_ends_it() {
        for (text, body) in [
            ("---\na: b\n---\n\n\nx\n", "x\n"),
            ("---\na: b\n---", ""),
            ("---\na: b\n---x\ny", "x\ny"),
            (
                "---\ntitle: a---b\nx: y\n---\nbody\n",
                "b\nx: y\n---\nbody\n",
            ),
            ("---   \na: b\n---   \n  x", "x"),
            ("---\r\na: b\r\n---\r\nx", "x"),
            ("\n---\na: b\n---\nx", "\n---\na: b\n---\nx"),
            ("----\na: b\n---\nx", "----\na: b\n---\nx"),
            ("---\na: b\nx", "---\na: b\nx"),
        ] {
            assert_eq!(parts(text, &Reading::NEWEST).body, body, "{text:?}");
            assert_eq!(parts(text, &Reading::OLDEST).body, body, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(---|<!--|-->|\n|\r| |a|\\PC){0,60}") {
            for reading in [Reading::NEWEST, Reading::OLDEST] {
                let _ = tidy(parts(&text, &reading).body, &reading);
            }
        }

        #[test]
        fn text_without_comments_is_only_trimmed(text in "(\n| |a|b|-|#|`|\\PC){0,60}") {
            prop_assume!(!text.contains("<!--") && !text.starts_with("---"));
            let loaded = tidy(&text, &Reading::NEWEST);
            prop_assert_eq!(loaded.as_ref(), trim(&text));
        }
    }
}
