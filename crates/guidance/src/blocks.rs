//! Blocks between marks in a text that is somebody else's.
//!
//! ```text
//! <!-- mnemo:checkpoint begin 1 0123456789abcdef-321 -->
//! ...
//! <!-- mnemo:checkpoint end -->
//! ```
//!
//! The number says how many line ends were put before the block, so that taking it out gives back
//! the bytes; the fingerprint of what was written tells whether somebody changed it since. Claude
//! Code 2.1.332 strips HTML comments from what it loads, 2.1.59 keeps them (measured).

use crate::note::fingerprint;
use std::borrow::Cow;
use std::ops::Range;

/// Which block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Block {
    /// When to suggest what to remember.
    Checkpoint,
    /// The standing rules: tags, search order, private things, handoff.
    Standing,
}

impl Block {
    /// All, in the order in which they stand.
    pub const ALL: [Self; 2] = [Self::Checkpoint, Self::Standing];

    /// As it stands in the marks.
    pub fn name(self) -> &'static str {
        match self {
            Self::Checkpoint => "checkpoint",
            Self::Standing => "standing",
        }
    }
}

/// Marks that do not fit together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault {
    /// From 1.
    pub line: usize,
    /// What is wrong.
    pub what: &'static str,
}

/// What became of a block.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Fate {
    /// Put in.
    Added,
    /// Replaced by a newer text.
    Renewed,
    /// It stands there as it should.
    Present,
    /// Taken out.
    Removed,
    /// It is not there.
    Absent,
    /// Somebody changed it; left alone.
    Changed,
}

impl Fate {
    /// Whether the block stands in the text afterwards.
    pub fn is_there(self) -> bool {
        matches!(
            self,
            Self::Added | Self::Renewed | Self::Present | Self::Changed
        )
    }
}

/// A block as it stands in a text.
struct Found {
    /// From the first byte of its first mark to behind the line end of its last.
    whole: Range<usize>,
    /// Between the marks.
    inside: Range<usize>,
    /// Line ends put before it.
    before: usize,
    /// Whether it is as it was written.
    intact: bool,
}

/// Where a block stands, its marks included, where they fit together.
pub(crate) fn place(text: &str, block: Block) -> Option<Range<usize>> {
    Some(find(text, block).ok()??.whole)
}

/// The text with `block` holding `content` (lines that end with LF).
pub(crate) fn put(text: &str, block: Block, content: &str) -> Result<(String, Fate), Fault> {
    let end = line_end(text);
    let content = with_ends(content, end);
    if let Some(found) = find(text, block)? {
        if !found.intact {
            return Ok((text.to_owned(), Fate::Changed));
        }
        if text[found.inside.clone()] == *content {
            return Ok((text.to_owned(), Fate::Present));
        }
        let new = render(block, found.before, &content, end);
        return Ok((replaced(text, found.whole, &new), Fate::Renewed));
    }
    let body = text.strip_prefix('\u{feff}').unwrap_or(text);
    let before = match body {
        "" => 0,
        body if body.ends_with('\n') => 1,
        _ => 2,
    };
    let mut whole = text.to_owned();
    for _ in 0..before {
        whole.push_str(end);
    }
    whole.push_str(&render(block, before, &content, end));
    Ok((whole, Fate::Added))
}

/// The text without `block`.
pub(crate) fn take_out(text: &str, block: Block) -> Result<(String, Fate), Fault> {
    let Some(found) = find(text, block)? else {
        return Ok((text.to_owned(), Fate::Absent));
    };
    if !found.intact {
        return Ok((text.to_owned(), Fate::Changed));
    }
    let mut start = found.whole.start;
    let follows = found.whole.end < text.len();
    let crlf = text[..found.inside.start].ends_with("\r\n");
    for number in 0..found.before {
        // What was written behind it since stays on a line of its own.
        if follows && number + 1 == found.before && found.before == 2 {
            break;
        }
        let head = &text[..start];
        start = match head.strip_suffix('\n') {
            Some(rest) if crlf => rest.strip_suffix('\r').unwrap_or(rest).len(),
            Some(rest) => rest.len(),
            None => break,
        };
    }
    Ok((replaced(text, start..found.whole.end, ""), Fate::Removed))
}

fn render(block: Block, before: usize, content: &str, end: &str) -> String {
    let name = block.name();
    let print = fingerprint(content.as_bytes());
    format!(
        "<!-- mnemo:{name} begin {before} {print} -->{end}{content}<!-- mnemo:{name} end -->{end}"
    )
}

fn replaced(text: &str, range: Range<usize>, new: &str) -> String {
    let mut whole = String::with_capacity(text.len() + new.len());
    whole.push_str(&text[..range.start]);
    whole.push_str(new);
    whole.push_str(&text[range.end..]);
    whole
}

fn find(text: &str, block: Block) -> Result<Option<Found>, Fault> {
    let first = format!("<!-- mnemo:{} begin", block.name());
    let last = format!("<!-- mnemo:{} end", block.name());
    let mut begun: Option<(usize, usize, usize, &str)> = None;
    let mut found = None;
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let fault = |what| Fault {
            line: number + 1,
            what,
        };
        let bare = line.trim_start_matches('\u{feff}');
        if bare.starts_with(&first) {
            if begun.is_some() || found.is_some() {
                return Err(fault("a second beginning of a block of mnemo's"));
            }
            let start = at + (line.len() - bare.len());
            begun = Some((number + 1, start, at + line.len(), bare));
        } else if bare.starts_with(&last) {
            let Some((_, start, inside, mark)) = begun.take() else {
                return Err(fault("an end of a block of mnemo's that never began"));
            };
            let mut words = mark.split_whitespace().skip(3);
            let before = words.next().and_then(|word| word.parse().ok());
            let print = words.next();
            let inside = inside..at;
            found = Some(Found {
                intact: before.is_some_and(|before| before <= 2)
                    && print == Some(&fingerprint(text[inside.clone()].as_bytes())),
                whole: start..at + line.len(),
                before: before.unwrap_or(0),
                inside,
            });
        }
        at += line.len();
    }
    match begun {
        Some((line, ..)) => Err(Fault {
            line,
            what: "a block of mnemo's begins and never ends",
        }),
        None => Ok(found),
    }
}

/// The line end that a text uses.
fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(at) if text[..at].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

fn with_ends<'a>(content: &'a str, end: &str) -> Cow<'a, str> {
    if end == "\n" {
        Cow::Borrowed(content)
    } else {
        Cow::Owned(content.replace('\n', end))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const RULE: &str = "## Rule\n\n- one\n";

    fn both(text: &str) -> String {
        let (one, fate) = put(text, Block::Checkpoint, RULE).unwrap();
        assert_eq!(fate, Fate::Added);
        let (two, fate) = put(&one, Block::Standing, "- two\n").unwrap();
        assert_eq!(fate, Fate::Added);
        two
    }

    fn without(text: &str) -> String {
        let (one, _) = take_out(text, Block::Standing).unwrap();
        take_out(&one, Block::Checkpoint).unwrap().0
    }

    #[test]
    fn what_is_put_in_and_taken_out_leaves_the_bytes() {
        for text in [
            "",
            "x",
            "x\n",
            "x\n\n",
            "# T\r\n\r\ny\r\n",
            "# T\r\ny",
            "\u{feff}# T\n",
            "\u{feff}",
        ] {
            let with = both(text);
            assert_eq!(without(&with), text, "{with:?}");
            let (again, fate) = put(&with, Block::Checkpoint, RULE).unwrap();
            assert_eq!((again.as_str(), fate), (with.as_str(), Fate::Present));
            if text.contains("\r\n") {
                assert!(!with.replace("\r\n", "").contains('\n'), "{with:?}");
            }
        }
    }

    #[test]
    fn what_was_written_behind_it_stays_on_its_own_line() {
        for (text, left) in [("x", "x\nmore\n"), ("x\n", "x\nmore\n"), ("", "more\n")] {
            let with = format!("{}more\n", both(text));
            assert_eq!(without(&with), left, "{text:?}");
        }
    }

    #[test]
    fn a_newer_text_replaces_ours_and_nobody_elses() {
        let with = both("x\n");
        let (new, fate) = put(&with, Block::Checkpoint, "## Rule\n\n- other\n").unwrap();
        assert_eq!(fate, Fate::Renewed);
        assert_eq!(without(&new), "x\n");
        let edited = with.replace("- one", "- one, mine");
        for (text, fate) in [
            put(&edited, Block::Checkpoint, RULE).unwrap(),
            take_out(&edited, Block::Checkpoint).unwrap(),
        ] {
            assert_eq!((text.as_str(), fate), (edited.as_str(), Fate::Changed));
        }
    }

    #[test]
    fn marks_that_do_not_fit_are_refused() {
        let with = both("x\n");
        let end = "<!-- mnemo:checkpoint end -->\n";
        for text in [
            with.replace(end, ""),
            format!("{end}{with}"),
            format!("{with}{with}"),
        ] {
            assert!(put(&text, Block::Checkpoint, RULE).is_err(), "{text}");
            assert!(take_out(&text, Block::Checkpoint).is_err(), "{text}");
        }
    }

    proptest! {
        #[test]
        fn any_text_comes_back(text in "[a-z가-힣\r\n<!> -]{0,60}") {
            prop_assert_eq!(without(&both(&text)), text);
        }

        #[test]
        fn no_text_is_a_panic(text in "(<!-- mnemo:(checkpoint|standing) (begin|end)|[a 1\n>-]){0,12}") {
            let _ = put(&text, Block::Checkpoint, RULE);
            let _ = take_out(&text, Block::Standing);
        }
    }
}
