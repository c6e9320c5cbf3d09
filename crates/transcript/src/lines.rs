//! The lines of a file that may hold anything: raw, in bounded memory.

use memchr::memchr;
use std::io::{self, Read};
use std::ops::Range;

/// Longest line that is read. The client's own limit for one message is far below.
pub(crate) const LONGEST: usize = 32 << 20;

const CHUNK: usize = 256 << 10;

/// What stands at an offset of the file.
#[derive(Debug)]
pub(crate) enum Line<'a> {
    /// A line without its line feed.
    Whole { offset: u64, bytes: &'a [u8] },
    /// What follows the last line feed: a line that is still being written, or the file's last.
    Unterminated { offset: u64, bytes: &'a [u8] },
    /// A line over [`LONGEST`], passed over.
    TooLong { offset: u64 },
    /// Nothing more. `offset` is that of a too long line without an end, else the end.
    End { offset: u64 },
}

/// Reads lines that end at LF.
#[derive(Debug)]
pub(crate) struct Lines<R> {
    source: R,
    buffer: Vec<u8>,
    /// What is filled and not yet handed out.
    filled: Range<usize>,
    /// Up to here no line feed was found.
    searched: usize,
    /// File offset of `filled.start`.
    offset: u64,
    ended: bool,
    longest: usize,
}

impl<R: Read> Lines<R> {
    /// `offset`: where in the file `source` stands.
    pub(crate) fn new(source: R, offset: u64) -> Self {
        Self::with_longest(source, offset, LONGEST)
    }

    fn with_longest(source: R, offset: u64, longest: usize) -> Self {
        Self {
            source,
            buffer: vec![0; CHUNK],
            filled: 0..0,
            searched: 0,
            offset,
            ended: false,
            longest,
        }
    }

    /// The next line.
    pub(crate) fn next(&mut self) -> io::Result<Line<'_>> {
        loop {
            let fresh = self.slice(self.searched..self.filled.end);
            if let Some(found) = memchr(b'\n', fresh) {
                let end = self.searched + found;
                let (offset, line) = self.take(end, end + 1);
                if line.len() > self.longest {
                    return Ok(Line::TooLong { offset });
                }
                return Ok(Line::Whole {
                    offset,
                    bytes: self.slice(line),
                });
            }
            self.searched = self.filled.end;
            if self.ended {
                let (offset, line) = self.take(self.filled.end, self.filled.end);
                return Ok(if line.is_empty() {
                    Line::End { offset }
                } else {
                    Line::Unterminated {
                        offset,
                        bytes: self.slice(line),
                    }
                });
            }
            if self.filled.len() > self.longest {
                return self.pass_over();
            }
            self.fill()?;
        }
    }

    /// Bytes read so far, handed out or not.
    pub(crate) fn offset(&self) -> u64 {
        self.offset
    }

    fn slice(&self, range: Range<usize>) -> &[u8] {
        self.buffer.get(range).unwrap_or_default()
    }

    fn take(&mut self, end: usize, next: usize) -> (u64, Range<usize>) {
        let offset = self.offset;
        let line = self.filled.start..end;
        self.offset += (next - self.filled.start) as u64;
        self.filled.start = next;
        self.searched = next;
        (offset, line)
    }

    fn fill(&mut self) -> io::Result<()> {
        if self.filled.start > 0 {
            self.buffer.copy_within(self.filled.clone(), 0);
            self.searched -= self.filled.start;
            self.filled = 0..self.filled.len();
        }
        if self.filled.end == self.buffer.len() {
            // One byte more than the longest line tells that a line is too long.
            let enough = self.longest.saturating_add(CHUNK);
            self.buffer.resize((self.buffer.len() * 2).min(enough), 0);
        }
        let room = self.buffer.get_mut(self.filled.end..).unwrap_or_default();
        let read = loop {
            match self.source.read(room) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => break other?,
            }
        };
        self.filled.end += read;
        self.ended = read == 0;
        Ok(())
    }

    /// Drops a line that is too long, up to its line feed.
    fn pass_over(&mut self) -> io::Result<Line<'_>> {
        let offset = self.offset;
        loop {
            let all = self.filled.end;
            self.take(all, all);
            self.fill()?;
            if self.ended {
                return Ok(Line::End { offset });
            }
            if let Some(found) = memchr(b'\n', self.slice(self.filled.clone())) {
                let next = self.filled.start + found + 1;
                self.take(next, next);
                return Ok(Line::TooLong { offset });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(bytes: &[u8], longest: usize) -> Vec<String> {
        let mut lines = Lines::with_longest(bytes, 0, longest);
        let mut found = Vec::new();
        loop {
            match lines.next().unwrap() {
                Line::Whole { offset, bytes } => {
                    found.push(format!("{offset} {}", String::from_utf8_lossy(bytes)));
                }
                Line::Unterminated { offset, bytes } => {
                    found.push(format!("{offset}… {}", String::from_utf8_lossy(bytes)));
                }
                Line::TooLong { offset } => found.push(format!("{offset} too long")),
                Line::End { offset } => {
                    found.push(format!("{offset} end"));
                    return found;
                }
            }
        }
    }

    #[test]
    fn lines_end_at_a_line_feed_only() {
        assert_eq!(
            all(b"a\r\n\n\xe2\x80\xa8b\nrest", 100),
            ["0 a\r", "3 ", "4 \u{2028}b", "9… rest", "13 end"]
        );
    }

    #[test]
    fn lines_that_are_too_long_are_passed_over() {
        let mut bytes = b"first\n".to_vec();
        bytes.extend(vec![b'x'; CHUNK * 3]);
        bytes.extend(b"\nsecond\n");
        let end = bytes.len();
        assert_eq!(
            all(&bytes, CHUNK),
            [
                "0 first".to_owned(),
                "6 too long".to_owned(),
                format!("{} second", end - 7),
                format!("{end} end"),
            ]
        );
        // One without its end is not passed: it may still be being written.
        bytes.extend(vec![b'x'; CHUNK * 3]);
        assert_eq!(all(&bytes, CHUNK).last().unwrap(), &format!("{end} end"));
    }

    #[test]
    fn a_long_line_is_read_whole() {
        let mut bytes = vec![b'x'; CHUNK * 3 + 1];
        bytes.push(b'\n');
        assert_eq!(all(&bytes, LONGEST).len(), 2);
    }
}
