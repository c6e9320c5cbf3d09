//! Physical lines.

use memchr::memchr;

/// The byte order mark of UTF-8.
pub const BOM: &str = "\u{feff}";

/// One physical line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line<'a> {
    /// From 1.
    pub number: usize,
    /// Where its text starts, bytes from the start of the whole text.
    pub start: usize,
    /// Without LF, a CR before it, and the byte order mark.
    pub text: &'a str,
    /// Where the next line starts (the text's length for the last one).
    pub next: usize,
}

impl Line<'_> {
    /// Where its text ends.
    pub fn end(&self) -> usize {
        self.start + self.text.len()
    }
}

/// The lines of a text. A last LF ends a line and begins none; an empty text has none.
pub fn lines(text: &str) -> Lines<'_> {
    Lines {
        text,
        at: if text.starts_with(BOM) { BOM.len() } else { 0 },
        number: 0,
    }
}

/// See [`lines`].
#[derive(Debug, Clone)]
pub struct Lines<'a> {
    text: &'a str,
    at: usize,
    number: usize,
}

impl Lines<'_> {
    /// Goes on to the line that holds the byte at `at` of the whole text, without looking at those
    /// before it.
    pub(crate) fn skip_to(&mut self, at: usize) {
        let Some(between) = self.text.as_bytes().get(self.at..at) else {
            return;
        };
        if let Some(end) = memchr::memrchr(b'\n', between) {
            self.number += memchr::memchr_iter(b'\n', &between[..=end]).count();
            self.at += end + 1;
        }
    }

    /// What is left of the text, and where it starts.
    pub(crate) fn rest(&self) -> (usize, &[u8]) {
        (
            self.at,
            self.text.as_bytes().get(self.at..).unwrap_or_default(),
        )
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let (line, step) = match memchr(b'\n', rest.as_bytes()) {
            Some(end) => (&rest[..end], end + 1),
            None => (rest, rest.len()),
        };
        self.number += 1;
        let start = self.at;
        self.at += step;
        Some(Line {
            number: self.number,
            start,
            text: line.strip_suffix('\r').unwrap_or(line),
            next: self.at,
        })
    }
}

/// How a text ends its lines: as its first line does, LF for a text of one line.
pub fn newline(text: &str) -> &'static str {
    match memchr(b'\n', text.as_bytes()) {
        Some(end) if end > 0 && text.as_bytes()[end - 1] == b'\r' => "\r\n",
        _ => "\n",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Vec<(usize, &str)> {
        lines(text).map(|line| (line.number, line.text)).collect()
    }

    #[test]
    fn a_last_newline_begins_no_line() {
        assert!(of("").is_empty());
        assert!(of("\u{feff}").is_empty());
        assert_eq!(of("a"), [(1, "a")]);
        assert_eq!(of("a\n"), [(1, "a")]);
        assert_eq!(of("a\n\n"), [(1, "a"), (2, "")]);
        assert_eq!(of("\u{feff}a\r\nb\r\n"), [(1, "a"), (2, "b")]);
        assert_eq!(of("a\r\r\nb"), [(1, "a\r"), (2, "b")]);
    }

    #[test]
    fn starts_and_ends_are_those_of_the_whole_text() {
        let text = "\u{feff}가\r\nb";
        let spans: Vec<_> = lines(text)
            .map(|l| (&text[l.start..l.end()], l.next))
            .collect();
        assert_eq!(spans, [("가", 8), ("b", 9)]);
    }

    #[test]
    fn the_first_line_says_how_lines_end() {
        assert_eq!(newline("a\r\nb\n"), "\r\n");
        assert_eq!(newline("a\nb\r\n"), "\n");
        assert_eq!(newline("a"), "\n");
        assert_eq!(newline("\n"), "\n");
    }
}
