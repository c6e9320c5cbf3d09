//! Day files in which hits lie: each is opened once.

use crate::places::Source;
use std::collections::HashMap;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};

/// Most files that are open at once.
const MOST: usize = 64;
/// Bytes of which lines are counted at a time.
const BLOCK: usize = 1 << 16;

/// Files, by the index of their source.
#[derive(Debug, Default)]
pub(crate) struct Opened {
    files: HashMap<usize, Day>,
    buffer: Vec<u8>,
}

#[derive(Debug)]
struct Day {
    file: File,
    /// A place, and the lines before it.
    counted: (u64, usize),
}

impl Opened {
    fn day(&mut self, index: usize, source: &Source) -> Option<&mut Day> {
        if !self.files.contains_key(&index) {
            if self.files.len() >= MOST {
                self.files.clear();
            }
            let file = safe_file::open_regular(&source.path).ok()??;
            self.files.insert(
                index,
                Day {
                    file,
                    counted: (0, 0),
                },
            );
        }
        self.files.get_mut(&index)
    }

    /// Bytes of a file from a place on, as far as there are so many.
    pub(crate) fn read(
        &mut self,
        index: usize,
        source: &Source,
        at: u64,
        length: u64,
    ) -> Option<Vec<u8>> {
        let day = self.day(index, source)?;
        day.file.seek(SeekFrom::Start(at)).ok()?;
        let mut bytes = Vec::with_capacity(usize::try_from(length).ok()?);
        (&day.file).take(length).read_to_end(&mut bytes).ok()?;
        Some(bytes)
    }

    /// The line (from 1) that begins at a byte of a file; 1 where that cannot be told.
    pub(crate) fn line_at(&mut self, index: usize, source: &Source, at: u64) -> usize {
        let mut buffer = std::mem::take(&mut self.buffer);
        buffer.resize(BLOCK, 0);
        let line = self
            .day(index, source)
            .and_then(|day| day.lines_before(at, &mut buffer));
        self.buffer = buffer;
        line.unwrap_or(0) + 1
    }
}

impl Day {
    fn lines_before(&mut self, at: u64, buffer: &mut [u8]) -> Option<usize> {
        let known = Some(self.counted).filter(|(from, _)| *from <= at);
        let (from, mut lines) = known.unwrap_or_default();
        self.file.seek(SeekFrom::Start(from)).ok()?;
        let mut part = (&self.file).take(at - from);
        while let Ok(read) = part.read(buffer) {
            if read == 0 {
                break;
            }
            lines += memchr::memchr_iter(b'\n', buffer.get(..read).unwrap_or_default()).count();
        }
        self.counted = (at, lines);
        Some(lines)
    }
}
