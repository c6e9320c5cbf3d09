//! Writing below the size that the system allows a file: at that size a write would not fail, but
//! end the process with a signal.

use crate::platform;
use std::fs::File;
use std::io::{self, ErrorKind, Write};

/// A file that is written from where it ends, or a stream.
pub struct Bounded<W> {
    to: W,
    /// How many bytes still fit, where there is a limit.
    room: Option<u64>,
}

impl<'a> Bounded<&'a mut File> {
    /// A new file.
    pub(crate) fn new(file: &'a mut File) -> Self {
        Self {
            to: file,
            room: platform::largest_file(),
        }
    }
}

impl Bounded<io::StdoutLock<'static>> {
    /// Standard output, which may be a file.
    pub fn stdout() -> Self {
        let to = io::stdout().lock();
        let room = platform::largest_file().and_then(|largest| {
            let length = platform::length_if_file(&to)?;
            Some(largest.saturating_sub(length))
        });
        Self { to, room }
    }
}

impl<W: Write> Write for Bounded<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.room == Some(0) && !bytes.is_empty() {
            return Err(too_large());
        }
        let most = self.room.map_or(bytes.len(), |room| {
            usize::try_from(room).map_or(bytes.len(), |room| room.min(bytes.len()))
        });
        let written = self.to.write(bytes.get(..most).unwrap_or(bytes))?;
        self.room = self.room.map(|room| room.saturating_sub(written as u64));
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.to.flush()
    }
}

/// Refuses to write to the end of a file that has the size allowed already.
pub(crate) fn has_room(file: &File) -> io::Result<()> {
    match platform::largest_file() {
        Some(largest) if file.metadata()?.len() >= largest => Err(too_large()),
        _ => Ok(()),
    }
}

fn too_large() -> io::Error {
    io::Error::new(
        ErrorKind::FileTooLarge,
        "the file would be larger than the limit of this session allows (`ulimit -f`); raise it",
    )
}
