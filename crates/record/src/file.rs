//! Day files as the disk has them: their state, and reading from any place.

use crate::day::layout::Source;
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::SystemTime;

/// By what a file is known to be unchanged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct State {
    pub(crate) length: u64,
    inode: u64,
    modified: Option<SystemTime>,
}

impl State {
    pub(crate) fn of(meta: &Metadata) -> Self {
        Self {
            length: meta.len(),
            inode: inode(meta),
            modified: meta.modified().ok(),
        }
    }

    /// Whether it is the same file, at least as long as it was.
    pub(crate) fn continues(&self, before: &Self) -> bool {
        self.inode == before.inode && self.length >= before.length
    }

    /// `None`: there is no file.
    pub(crate) fn now(path: &Path) -> safe_file::Result<Option<Self>> {
        match std::fs::symlink_metadata(path) {
            Ok(meta) => Ok(Some(Self::of(&meta))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(safe_file::Error::io("look at", path, error)),
        }
    }
}

#[cfg(unix)]
fn inode(meta: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(meta)
}

#[cfg(not(unix))]
fn inode(_: &Metadata) -> u64 {
    0
}

/// An open file, as long as it was when it was opened.
#[derive(Debug)]
pub(crate) struct Opened {
    file: File,
    pub(crate) state: State,
}

impl Opened {
    /// `None`: there is no file.
    pub(crate) fn open(path: &Path) -> safe_file::Result<Option<Self>> {
        let Some(file) = safe_file::open_regular(path)? else {
            return Ok(None);
        };
        let meta = file
            .metadata()
            .map_err(|error| safe_file::Error::io("look at", path, error))?;
        Ok(Some(Self {
            file,
            state: State::of(&meta),
        }))
    }

    /// Copies a range to `out`.
    pub(crate) fn copy(&mut self, from: u64, to: u64, out: &mut dyn io::Write) -> io::Result<()> {
        if to <= from {
            return Ok(());
        }
        self.file.seek(SeekFrom::Start(from))?;
        let copied = io::copy(&mut (&mut self.file).take(to - from), out)?;
        if copied == to - from {
            Ok(())
        } else {
            Err(io::ErrorKind::UnexpectedEof.into())
        }
    }

    /// The bytes of a range, which must be small.
    pub(crate) fn bytes(&mut self, from: u64, to: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.copy(from, to, &mut bytes)?;
        Ok(bytes)
    }
}

impl Source for Opened {
    fn size(&self) -> u64 {
        self.state.length
    }

    fn read_at(&mut self, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.state.length.saturating_sub(at)).unwrap_or(usize::MAX);
        let want = left.min(buffer.len());
        let Some(buffer) = buffer.get_mut(..want) else {
            return Ok(0);
        };
        self.file.seek(SeekFrom::Start(at))?;
        loop {
            match self.file.read(buffer) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                other => return other,
            }
        }
    }
}

/// The real path of a file that may not exist, in a folder that does.
pub(crate) fn real(path: &Path) -> Option<std::path::PathBuf> {
    if let Ok(real) = std::fs::canonicalize(path) {
        return Some(real);
    }
    let folder = std::fs::canonicalize(path.parent()?).ok()?;
    Some(folder.join(path.file_name()?))
}
