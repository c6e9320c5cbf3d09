//! What of a file of instructions reaches the model: without frontmatter, and in newer clients
//! without block comments and blank ends; of MEMORY.md only as much as fits. Measured in the requests
//! of Claude Code 2.1.59, 2.1.197 and 2.1.332.

mod tidy;

pub use tidy::{Parts, is_comment, parts, tidy, trim, without_spans};

use std::borrow::Cow;
use tidy::{Tidied, tidied, trim_end};

/// Lines of MEMORY.md that are loaded at most.
pub const LINES: usize = 200;

/// UTF-16 units of it that newer clients load at most. Their documents speak of bytes.
pub const UNITS: usize = 25_000;

/// How a version of the client reads a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a rule that one version has and another has not"
)]
pub struct Reading {
    /// HTML comments that stand as blocks of their own are taken out, and the text is trimmed.
    pub tidies: bool,
    /// Where nothing is taken out, CR LF stays although there are comments.
    pub keeps_line_ends: bool,
    /// A byte order mark does not hide a frontmatter.
    pub mark_before_frontmatter: bool,
    /// MEMORY.md is cut at this many UTF-16 units too.
    pub memory_units: Option<usize>,
    /// CR LF in MEMORY.md becomes LF.
    pub memory_line_ends: bool,
    /// A cut inside a character leaves nothing of it.
    pub cuts_whole_characters: bool,
}

impl Reading {
    /// As 2.1.59, the oldest supported version, reads.
    pub const OLDEST: Self = Self {
        tidies: false,
        keeps_line_ends: false,
        mark_before_frontmatter: false,
        memory_units: None,
        memory_line_ends: false,
        cuts_whole_characters: false,
    };

    /// As 2.1.332, the newest measured version, reads.
    pub const NEWEST: Self = Self {
        tidies: true,
        keeps_line_ends: true,
        mark_before_frontmatter: true,
        memory_units: Some(UNITS),
        memory_line_ends: true,
        cuts_whole_characters: true,
    };
}

/// MEMORY.md as it is loaded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Memory {
    /// The part that is loaded.
    pub text: String,
    /// Lines that count.
    pub lines: usize,
    /// Bytes that count.
    pub bytes: usize,
    /// UTF-16 units that count.
    pub units: usize,
    /// Where it is cut, if it is.
    pub cut: Option<Cut>,
}

/// Why and where an index was cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// Lines that the loadable text has.
    pub lines: usize,
    /// Its UTF-16 units.
    pub units: usize,
    /// Lines that are loaded whole; what follows is not.
    pub loaded_lines: usize,
    /// The file's line where the first that is not loaded whole stands, from 1.
    pub file_line: usize,
}

impl Memory {
    /// How much of a MEMORY.md is loaded: 200 lines, then (2.1.83 and newer) 25,000 UTF-16 units up
    /// to the last line end, or right there when the first line is longer. The notice that the
    /// client puts behind a cut is not part of it.
    pub fn of(text: &str, reading: &Reading) -> Self {
        let body = parts(text, reading).body;
        let above = line_ends(text.get(..text.len() - body.len()).unwrap_or_default());
        let Tidied { text, numbers } = tidied(body, reading);
        let loadable = if reading.memory_line_ends && text.contains("\r\n") {
            Cow::Owned(text.replace("\r\n", "\n"))
        } else {
            text
        };
        let counted = if reading.tidies {
            trim(&loadable)
        } else {
            trim_end(&loadable)
        };
        let lines = if counted.is_empty() {
            0
        } else {
            line_ends(counted) + 1
        };
        let units = counted.encode_utf16().count();
        let bytes = counted.len();
        let most = reading.memory_units.unwrap_or(usize::MAX);
        let (text, cut) = if lines <= LINES && units <= most {
            (loadable.into_owned(), None)
        } else {
            let (part, loaded_lines) = part(counted, most, reading);
            let cut = Cut {
                lines,
                units,
                loaded_lines,
                file_line: above + numbers.of(loaded_lines) + 1,
            };
            (part, Some(cut))
        };
        Self {
            text,
            lines,
            bytes,
            units,
            cut,
        }
    }
}

/// What fits of a text, and how many lines of it are whole.
fn part(whole: &str, most: usize, reading: &Reading) -> (String, usize) {
    let mut part: String = whole.split('\n').take(LINES).collect::<Vec<_>>().join("\n");
    if part.encode_utf16().count() > most {
        part = within(&part, most, reading);
    }
    // A line that was cut inside is not whole.
    let inside = !whole
        .get(part.len()..)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('\n'));
    let loaded_lines = line_ends(&part) + 1 - usize::from(inside);
    (part, loaded_lines)
}

fn line_ends(text: &str) -> usize {
    memchr::memchr_iter(b'\n', text.as_bytes()).count()
}

fn within(text: &str, most: usize, reading: &Reading) -> String {
    let mut units = 0;
    let mut last_line_end = None;
    for (at, c) in text.char_indices() {
        // A line end may be the first unit that does not fit.
        if c == '\n' && units <= most && at > 0 {
            last_line_end = Some(at);
        }
        if units + c.len_utf16() > most {
            if let Some(end) = last_line_end {
                return text.get(..end).unwrap_or_default().to_owned();
            }
            let mut part = text.get(..at).unwrap_or_default().to_owned();
            if units < most && !reading.cuts_whole_characters {
                part.push(char::REPLACEMENT_CHARACTER);
            }
            return part;
        }
        units += c.len_utf16();
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn lines(count: usize, width: usize) -> String {
        format!("- {}\n", "x".repeat(width - 3)).repeat(count)
    }

    /// Units loaded by 2.1.332.
    fn loaded(text: &str) -> (usize, bool) {
        let memory = Memory::of(text, &Reading::NEWEST);
        (memory.text.encode_utf16().count(), memory.cut.is_some())
    }

    #[test]
    fn two_hundred_lines() {
        assert_eq!(loaded(&lines(199, 10)), (1989, false));
        assert_eq!(loaded(&lines(200, 10)), (1999, false));
        assert_eq!(loaded(&lines(201, 10)), (1999, true));
        assert_eq!(
            Memory::of(&lines(203, 10), &Reading::NEWEST).cut,
            Some(Cut {
                lines: 203,
                units: 2029,
                loaded_lines: 200,
                file_line: 201,
            })
        );
    }

    // As measured with 2.1.197 and 2.1.332.
    #[test]
    fn twenty_five_thousand_units() {
        let body = lines(124, 200);
        let with = |count: usize| format!("{body}{}", "y".repeat(count));
        assert_eq!(loaded(&with(199)), (24_999, false));
        assert_eq!(loaded(&with(200)), (25_000, false));
        assert_eq!(loaded(&format!("{}\n", with(200))), (25_000, false));
        assert_eq!(loaded(&with(201)), (24_799, true));
        assert_eq!(loaded(&format!("{}y", lines(125, 200))), (24_999, true));
        let line = |count: usize, rest: &str| format!("{}\n{rest}", "y".repeat(count));
        assert_eq!(loaded(&line(24_999, "z")), (24_999, true));
        assert_eq!(loaded(&line(25_000, "z")), (25_000, true));
        assert_eq!(loaded(&line(25_001, "z")), (25_000, true));
        assert_eq!(loaded(&line(1, &"y".repeat(30_000))), (1, true));
        let korean = format!("- {}\n", "가".repeat(197)).repeat(125);
        assert_eq!(loaded(&format!("{korean}나")), (24_999, true));
    }

    #[test]
    fn a_cut_inside_a_character() {
        let text = format!("a{}", "😀".repeat(13_000));
        let newest = Memory::of(&text, &Reading::NEWEST);
        assert_eq!(newest.text.encode_utf16().count(), 24_999);
        assert_eq!(newest.cut.map(|cut| cut.loaded_lines), Some(0));
        // 2.1.197
        let older = Reading {
            cuts_whole_characters: false,
            ..Reading::NEWEST
        };
        assert!(Memory::of(&text, &older).text.ends_with("😀\u{fffd}"));
    }

    #[test]
    fn the_old_client_counts_lines_only_and_keeps_blank_ends() {
        for text in ["y".repeat(30_000), format!("\n\n{}\n\n\n", lines(198, 10))] {
            let memory = Memory::of(&text, &Reading::OLDEST);
            assert_eq!((memory.text, memory.cut), (text, None));
        }
        let memory = Memory::of(&format!("\n\n{}", lines(201, 10)), &Reading::OLDEST);
        let cut = memory.cut.unwrap();
        assert_eq!((cut.lines, cut.file_line), (203, 201));
        assert_eq!(memory.text.lines().count(), 200);
        assert!(memory.text.starts_with("\n\n- "));
    }

    #[test]
    fn a_cut_names_the_line_of_the_file() {
        let of = |text: &str| {
            let memory = Memory::of(text, &Reading::NEWEST);
            (memory.lines, memory.cut.map(|cut| cut.file_line))
        };
        let body = lines(200, 10);
        let late = "- late\n";
        assert_eq!(of(&format!("{body}\n\n\n")), (200, None));
        assert_eq!(of(&format!("\n\n{body}{late}")), (201, Some(203)));
        assert_eq!(of(&format!("<!-- a -->\n{body}")), (200, None));
        assert_eq!(
            of(&format!("<!-- a\nb -->\n\n{body}{late}")),
            (201, Some(204))
        );
        assert_eq!(
            of(&format!("---\na: b\n---\n\n<!-- c -->\n{body}{late}")),
            (201, Some(206))
        );
        let (head, tail) = body.split_at(1000);
        assert_eq!(
            of(&format!("{head}\n<!-- x\ny -->\n\n{tail}{late}")),
            (202, Some(204))
        );
        assert_eq!(
            of(&format!("{head}<!-- x --> z\n{tail}{late}").replace('\n', "\r\n")),
            (202, Some(201))
        );
    }

    proptest! {
        #[test]
        fn never_more_than_the_limits(text in "(\n|a|가|😀|<!-- b -->\n|\\PC{0,900}){0,300}") {
            let memory = Memory::of(&text, &Reading::NEWEST);
            prop_assert!(memory.text.split('\n').count() <= LINES);
            prop_assert!(memory.text.encode_utf16().count() <= UNITS);
            let whole = tidy(parts(&text, &Reading::NEWEST).body, &Reading::NEWEST);
            prop_assert!(whole.starts_with(&memory.text));
            prop_assert_eq!(memory.cut.is_none(), memory.text == whole.as_ref());
            if let Some(cut) = memory.cut {
                // The lines before it hold what is loaded whole.
                let file: Vec<&str> = text.split('\n').collect();
                let first = whole.split('\n').nth(cut.loaded_lines).unwrap_or_default();
                prop_assert!(file[cut.file_line - 1].ends_with(first) || first.is_empty());
            }
        }
    }
}
