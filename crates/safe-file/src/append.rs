//! Appending one block, and making a file that must not exist yet.

use crate::bounded::{self, Bounded};
use crate::platform::{self, Access};
use crate::{Error, Result, open_error, regular};
use std::fs::File;
use std::io::{self, ErrorKind, Seek, Write};
use std::path::Path;

/// Opens `path` for `access`, created 0600 whatever the umask; refused unless a regular file.
/// An existing file, the common case, costs one `open` and one `fstat`, and keeps its mode.
pub(crate) fn open_or_create(action: &'static str, path: &Path, access: Access) -> Result<File> {
    // Two processes may create and unlink in turns; a few rounds are plenty.
    for _ in 0..16 {
        match platform::open_quick(path, access) {
            Ok(file) => {
                regular(action, path, &file)?;
                return Ok(file);
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(open_error(action, path, error)),
        }
        match platform::open_new(path, access) {
            Ok(file) => {
                platform::set_private(&file).map_err(|error| Error::io(action, path, error))?;
                return Ok(file);
            }
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::AlreadyExists | ErrorKind::Interrupted
                ) => {}
            Err(error) => return Err(open_error(action, path, error)),
        }
    }
    Err(open_error(action, path, ErrorKind::AlreadyExists.into()))
}

/// Appends `block` by one `write` to `path` (created 0600 whatever the umask; links at the final
/// component are not followed). When the write comes out short (full disk, quota) the file is cut
/// back to its old length and the error is returned: no torn block stays.
pub fn append(path: &Path, block: &[u8]) -> Result<()> {
    let mut file = open_or_create("append to", path, Access::Append)?;
    write_block(&mut file, block).map_err(|error| Error::io("append to", path, error))
}

fn write_block(file: &mut File, block: &[u8]) -> io::Result<()> {
    bounded::has_room(file)?;
    let written = loop {
        match file.write(block) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            other => break other?,
        }
    };
    if written == block.len() {
        return Ok(());
    }
    // The position after an appending write is where its bytes end. Someone who appends without
    // our lock may have added bytes behind them by now: those are not ours to cut off.
    let end = file.stream_position()?;
    if file.metadata()?.len() == end {
        file.set_len(end.saturating_sub(written as u64))?;
    }
    Err(io::Error::new(
        ErrorKind::StorageFull,
        format!(
            "only {written} of {} bytes fitted (disk full, quota or size limit); make room",
            block.len()
        ),
    ))
}

/// Makes `path` with `content`, 0600 whatever the umask, unless something has that name (a link
/// that leads nowhere counts): then nothing happens and the answer is false. On an error no part
/// of the file stays.
pub fn create_new(path: &Path, content: &[u8]) -> Result<bool> {
    let mut file = match platform::open_new(path, Access::ReadWrite) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::AlreadyExists => return Ok(false),
        Err(error) => return Err(Error::io("create", path, error)),
    };
    platform::set_private(&file)
        .and_then(|()| Bounded::new(&mut file).write_all(content))
        .map_err(|error| {
            // It is ours and whole nowhere; should removing fail too, the first error says more.
            let _ = std::fs::remove_file(path);
            Error::io("create", path, error)
        })?;
    Ok(true)
}
