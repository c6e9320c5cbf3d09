//! Reading, bounded, from regular files only.

use crate::{Error, Result, open_error, platform, regular};
use std::fs::{File, Metadata};
use std::io::{ErrorKind, Read, Seek, SeekFrom};
use std::path::Path;

/// Opens a regular file for reading (links are followed); `None` when it does not exist. Never
/// blocks on a FIFO or a device: those are refused.
pub fn open_regular(path: &Path) -> Result<Option<File>> {
    Ok(open(path, true)?.map(|(file, _)| file))
}

fn open(path: &Path, follow: bool) -> Result<Option<(File, u64)>> {
    Ok(open_with(path, follow)?.map(|(file, meta)| (file, meta.len())))
}

fn open_with(path: &Path, follow: bool) -> Result<Option<(File, Metadata)>> {
    let file = loop {
        match platform::open_read(path, follow) {
            Ok(file) => break file,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error)
                if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) =>
            {
                return Ok(None);
            }
            Err(error) if follow => {
                // A socket cannot be opened at all; a link is fine here, so look behind it.
                return Err(match std::fs::metadata(path) {
                    Ok(meta) if !meta.is_file() => {
                        Error::refused(path, crate::why_not_regular(meta.file_type()))
                    }
                    _ => Error::io("read", path, error),
                });
            }
            Err(error) => return Err(open_error("read", path, error)),
        }
    };
    let meta = regular("read", path, &file)?;
    Ok(Some((file, meta)))
}

/// The last `limit` bytes of a file and the offset they start at; `None` when there is no file.
pub fn tail(path: &Path, limit: u64) -> Result<Option<(u64, Vec<u8>)>> {
    let Some((mut file, length)) = open(path, true)? else {
        return Ok(None);
    };
    let start = length.saturating_sub(limit);
    let mut bytes = Vec::with_capacity(capacity(length - start));
    file.seek(SeekFrom::Start(start))
        // What is appended meanwhile is not part of this answer.
        .and_then(|_| file.take(length - start).read_to_end(&mut bytes))
        .map_err(|error| Error::io("read", path, error))?;
    Ok(Some((start, bytes)))
}

/// The whole file, `None` when it does not exist. Refuses what is not a regular file, and files
/// larger than `limit` bytes.
pub fn read(path: &Path, limit: u64) -> Result<Option<Vec<u8>>> {
    read_opened(path, limit, open(path, true)?)
}

/// As [`read`], but a link at the final component is refused too.
pub fn read_real(path: &Path, limit: u64) -> Result<Option<Vec<u8>>> {
    read_opened(path, limit, open(path, false)?)
}

fn read_opened(path: &Path, limit: u64, opened: Option<(File, u64)>) -> Result<Option<Vec<u8>>> {
    Ok(match opened {
        Some((file, length)) => Some(whole(path, limit, file, length)?),
        None => None,
    })
}

/// As [`read_real`], with the file's metadata from the moment it was opened.
pub fn read_with_metadata(path: &Path, limit: u64) -> Result<Option<(Vec<u8>, Metadata)>> {
    let Some((file, meta)) = open_with(path, false)? else {
        return Ok(None);
    };
    let bytes = whole(path, limit, file, meta.len())?;
    Ok(Some((bytes, meta)))
}

fn whole(path: &Path, limit: u64, mut file: File, length: u64) -> Result<Vec<u8>> {
    const TOO_LARGE: &str = "it is larger than such a file may be";
    if length > limit {
        return Err(Error::refused(path, TOO_LARGE));
    }
    let failed = |error| Error::io("read", path, error);
    // One byte more than there should be: a read that does not fill it has seen the end.
    let mut bytes = vec![0; capacity(length) + 1];
    let first = loop {
        match file.read(&mut bytes) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            first => break first.map_err(failed)?,
        }
    };
    let full = first == bytes.len();
    bytes.truncate(first);
    if full {
        let rest = limit.saturating_add(1).saturating_sub(first as u64);
        file.take(rest).read_to_end(&mut bytes).map_err(failed)?;
    }
    if bytes.len() as u64 > limit {
        return Err(Error::refused(path, TOO_LARGE));
    }
    Ok(bytes)
}

/// What to reserve for `length` bytes: a sparse file's length is no reason to take gigabytes.
fn capacity(length: u64) -> usize {
    const MOST: usize = 1 << 20;
    usize::try_from(length).map_or(MOST, |length| length.min(MOST))
}
