//! Private folders.

use crate::{Error, Result, platform};
use std::io::ErrorKind;
use std::path::Path;

/// Makes `path` and its missing parents, each new one 0700 whatever the umask.
///
/// What exists keeps its mode; one `stat` when the folder is there already. Links to folders are
/// followed: resolve the path by a [`crate::Boundary`] first where that matters.
pub fn create_private_dir(path: &Path) -> Result<()> {
    match std::fs::metadata(path) {
        Ok(meta) if meta.is_dir() => return Ok(()),
        Ok(_) => return Err(Error::refused(path, "it is not a folder; move it away")),
        Err(error) if error.kind() == ErrorKind::NotFound => {}
        Err(error) if error.kind() == ErrorKind::NotADirectory => {
            return Err(Error::refused(path, crate::NO_FOLDER));
        }
        Err(error) => return Err(Error::io("look at", path, error)),
    }
    if let Some(parent) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
        create_private_dir(parent)?;
    }
    match platform::make_private_dir(path) {
        Ok(()) => Ok(()),
        // Another process was faster, or a link that leads nowhere has the name.
        Err(error) if error.kind() == ErrorKind::AlreadyExists => match std::fs::metadata(path) {
            Ok(meta) if meta.is_dir() => Ok(()),
            _ => Err(Error::refused(path, "it is not a folder; move it away")),
        },
        Err(error) => Err(Error::io("make the folder", path, error)),
    }
}
