//! Moving a log that has grown large out of the way.

use crate::platform::{self, Access};
use crate::{Error, Result, create_private_dir, folder_of, why_not_regular};
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Moves `path` away once it holds `limit` bytes or more; true when it did. `archive` names the
/// new place (asked only then; missing folders are made 0700); if that name is taken, `-2`, `-3`
/// … is put before the extension: nothing is ever overwritten. Hold the log's lock.
pub fn rotate(path: &Path, limit: u64, archive: impl FnOnce() -> PathBuf) -> Result<bool> {
    if !is_due(path, limit)? {
        return Ok(false);
    }
    let wanted = archive();
    create_private_dir(folder_of(&wanted))?;
    let free = claim(&wanted)?;
    match std::fs::rename(path, &free) {
        Ok(()) => Ok(true),
        Err(error) => {
            // The empty file that held the name.
            let _ = std::fs::remove_file(&free);
            if error.kind() == ErrorKind::NotFound {
                Ok(false)
            } else {
                Err(Error::io("move away", path, error))
            }
        }
    }
}

/// As [`rotate`], but the one older generation `older` is overwritten. Hold the log's lock.
pub fn rotate_over(path: &Path, limit: u64, older: &Path) -> Result<bool> {
    if !is_due(path, limit)? {
        return Ok(false);
    }
    match std::fs::rename(path, older) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Error::io("move away", path, error)),
    }
}

fn is_due(path: &Path, limit: u64) -> Result<bool> {
    match std::fs::symlink_metadata(path) {
        Ok(meta) if meta.is_file() => Ok(meta.len() >= limit),
        Ok(meta) => Err(Error::refused(path, why_not_regular(meta.file_type()))),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Error::io("look at", path, error)),
    }
}

/// Takes a free name by an empty file, so that no second process can take it too; the rename then
/// replaces that file. Works on every file system, hard links or not.
fn claim(wanted: &Path) -> Result<PathBuf> {
    let mut name = wanted.to_owned();
    for number in 2..10_000_u32 {
        match platform::open_new(&name, Access::ReadWrite) {
            Ok(_) => return Ok(name),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {
                name = numbered(wanted, number);
            }
            Err(error) => return Err(Error::io("create", &name, error)),
        }
    }
    Err(Error::io("create", wanted, ErrorKind::AlreadyExists.into()))
}

/// `a/b.jsonl` and 2 → `a/b-2.jsonl`.
fn numbered(path: &Path, number: u32) -> PathBuf {
    let mut name = OsString::from(path.file_stem().unwrap_or_default());
    name.push(format!("-{number}"));
    if let Some(extension) = path.extension() {
        name.push(".");
        name.push(extension);
    }
    path.with_file_name(name)
}

/// Gives a thing in the way, whatever it is, another name in its folder.
pub fn move_aside(path: &Path, aside: &Path) -> Result<()> {
    std::fs::rename(path, aside).map_err(|error| Error::io("move aside", path, error))
}
