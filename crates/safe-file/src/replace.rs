//! Replacing a file as a whole: a prepared file in the same folder, swapped in by a rename.

use crate::bounded::Bounded;
use crate::platform::{self, Access};
use crate::{Error, Result, folder_of, why_not_regular};
use std::fs::{File, Metadata};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, SystemTime};

/// End of the names of temporary files; they begin with a dot.
const TEMP_END: &str = ".mnemo-tmp";

/// A temporary file of a process that is no more is swept away after this long.
const TEMP_AGE: Duration = Duration::from_secs(10 * 60);

/// After this long it is swept away even if a process has that number (again).
const ANY_TEMP_AGE: Duration = Duration::from_secs(24 * 60 * 60);

/// Links followed from one name before giving up (what Linux does).
const MAX_LINKS: usize = 40;

/// Replaces the content of `path` (created 0600 if absent, else its mode is kept; a link at the
/// final component is followed) atomically: a temporary file in the same folder, then a rename.
pub fn replace(path: &Path, content: &[u8]) -> Result<()> {
    swap(
        path,
        How::Plainly,
        |file| Bounded::new(file).write_all(content),
        || Ok(()),
    )
}

/// As [`replace`], and it survives a power cut: the content is on the disk before the old file
/// goes. For files of the user's that nothing could bring back.
pub fn replace_durably(path: &Path, content: &[u8]) -> Result<()> {
    swap(
        path,
        How::Durably,
        |file| Bounded::new(file).write_all(content),
        || Ok(()),
    )
}

/// As [`replace`], for what can be made again. A rename over a file makes some file systems (ext4)
/// put the new one's blocks on the disk first, some milliseconds; here the two change places, and
/// the old one goes. Readers see one or the other, as ever; a power cut may leave it empty.
pub fn replace_cheaply(path: &Path, content: &[u8]) -> Result<()> {
    swap(
        path,
        How::Cheaply,
        |file| Bounded::new(file).write_all(content),
        || Ok(()),
    )
}

/// As [`replace`], the content written by `write` to a buffered temporary file; `check` runs right
/// before the rename and its error keeps the old file. For files too large for memory.
pub fn replace_with(
    path: &Path,
    write: impl FnOnce(&mut dyn std::io::Write) -> std::io::Result<()>,
    check: impl FnOnce() -> Result<()>,
) -> Result<()> {
    swap(
        path,
        How::Plainly,
        |file| {
            let mut buffered = BufWriter::with_capacity(64 * 1024, Bounded::new(file));
            write(&mut buffered)?;
            buffered.flush()
        },
        check,
    )
}

/// As [`create_new`](crate::create_new), and whoever looks sees the whole file or none, also after a
/// kill in between. Where the file system knows no second names for a file it is as `create_new`.
pub fn create_whole(path: &Path, content: &[u8]) -> Result<bool> {
    let failed = |error| Error::io("create", path, error);
    if std::fs::symlink_metadata(path).is_ok() {
        return Ok(false);
    }
    let (mut file, temp) = Temp::create(folder_of(path)).map_err(failed)?;
    platform::set_private(&file).map_err(failed)?;
    Bounded::new(&mut file).write_all(content).map_err(failed)?;
    drop(file);
    match temp.name_also(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Ok(false),
        Err(_) => crate::create_new(path, content),
    }
}

/// What is kept of a file beside its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stamp {
    /// Permission bits (the last nine); `None` where the system has none.
    pub mode: Option<u32>,
    /// When it was changed last.
    pub modified: SystemTime,
}

/// The stamp of a regular file (a link itself is refused); `None` when there is no file.
pub fn stamp(path: &Path) -> Result<Option<Stamp>> {
    let meta = match std::fs::symlink_metadata(path) {
        Ok(meta) => meta,
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        Err(error) => return Err(Error::io("look at", path, error)),
    };
    if !meta.is_file() {
        return Err(Error::refused(path, why_not_regular(meta.file_type())));
    }
    let modified = meta
        .modified()
        .map_err(|error| Error::io("look at", path, error))?;
    Ok(Some(Stamp {
        mode: platform::mode_of(&meta),
        modified,
    }))
}

/// As [`replace_durably`], with these permission bits and this time of change; `None` keeps the
/// old file's mode (0600 if there was none), and lets the time be now.
pub fn put(
    path: &Path,
    content: &[u8],
    mode: Option<u32>,
    modified: Option<SystemTime>,
) -> Result<()> {
    put_if(path, content, mode, modified, || Ok(()))
}

/// As [`put`]; `check` runs when the new file lies on the disk, right before it is swapped in, and its
/// error keeps the old one.
pub fn put_if(
    path: &Path,
    content: &[u8],
    mode: Option<u32>,
    modified: Option<SystemTime>,
    check: impl FnOnce() -> Result<()>,
) -> Result<()> {
    swap(
        path,
        How::Durably,
        |file| {
            Bounded::new(file).write_all(content)?;
            if let Some(mode) = mode {
                platform::set_mode(file, mode)?;
            }
            modified.map_or(Ok(()), |time| file.set_modified(time))
        },
        check,
    )
}

/// Removes a file (a link itself), and that survives a power cut; false when there was none.
pub fn remove_durably(path: &Path) -> Result<bool> {
    let removed = remove(path)?;
    if removed {
        platform::sync_folder(folder_of(path)).map_err(|error| Error::io("remove", path, error))?;
    }
    Ok(removed)
}

/// Gives a file or folder another name in its folder, atomically, and that survives a power cut.
/// Needs no room on the disk.
pub fn rename_durably(path: &Path, name: &str) -> Result<()> {
    let failed = |error| Error::io("rename", path, error);
    std::fs::rename(path, path.with_file_name(name)).map_err(failed)?;
    platform::sync_folder(folder_of(path)).map_err(failed)
}

/// Removes the temporary files that the process `pid`, which was killed, left in `folder`. Returns
/// how many; 0 when there is no such folder. Hold the lock that the process held.
pub fn sweep_temps_of(folder: &Path, pid: u32) -> Result<usize> {
    let start = format!(".{pid}-");
    sweep(folder, |name, _| name.starts_with(start.as_bytes()))
}

/// What the new file costs, and what it survives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum How {
    Cheaply,
    Plainly,
    Durably,
}

fn swap(
    path: &Path,
    how: How,
    write: impl FnOnce(&mut File) -> io::Result<()>,
    check: impl FnOnce() -> Result<()>,
) -> Result<()> {
    let failed = |error| Error::io("replace", path, error);
    let (target, old) = target_of(path)?;
    let (mut file, temp) = Temp::create(folder_of(&target)).map_err(failed)?;
    match &old {
        Some(old) => platform::keep_mode_and_owner(&file, old),
        None => platform::set_private(&file),
    }
    .map_err(failed)?;
    write(&mut file).map_err(failed)?;
    if how == How::Durably {
        file.sync_all().map_err(failed)?;
    }
    drop(file);
    check()?;
    if how != How::Cheaply || !temp.exchange(&target) {
        temp.rename(&target).map_err(failed)?;
    }
    if how == How::Durably {
        platform::sync_folder(folder_of(&target)).map_err(failed)?;
    }
    Ok(())
}

/// The file behind the links at the end of `path`, and what it is now if it exists.
fn target_of(path: &Path) -> Result<(PathBuf, Option<Metadata>)> {
    let mut target = path.to_owned();
    for _ in 0..=MAX_LINKS {
        let meta = match std::fs::symlink_metadata(&target) {
            Ok(meta) => meta,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok((target, None)),
            Err(error) => return Err(Error::io("replace", path, error)),
        };
        if meta.is_symlink() {
            let link = std::fs::read_link(&target)
                .map_err(|error| Error::io("follow the link", &target, error))?;
            target = folder_of(&target).join(link);
        } else if meta.is_file() {
            return Ok((target, Some(meta)));
        } else {
            return Err(Error::refused(path, why_not_regular(meta.file_type())));
        }
    }
    Err(Error::refused(path, crate::LINK_LOOP))
}

/// A temporary file's name: the file is removed when this is dropped before the rename.
struct Temp(Option<PathBuf>);

impl Temp {
    fn create(folder: &Path) -> io::Result<(File, Self)> {
        static COUNTER: AtomicU32 = AtomicU32::new(0);
        let mut last = io::Error::from(ErrorKind::AlreadyExists);
        // Names repeat only where containers share a folder and a process id, or after a kill.
        for _ in 0..1000 {
            let number = COUNTER.fetch_add(1, Ordering::Relaxed);
            let path = folder.join(format!(".{}-{number}{TEMP_END}", std::process::id()));
            match platform::open_new(&path, Access::ReadWrite) {
                Ok(file) => return Ok((file, Self(Some(path)))),
                Err(error)
                    if matches!(
                        error.kind(),
                        ErrorKind::AlreadyExists | ErrorKind::Interrupted
                    ) =>
                {
                    last = error;
                }
                Err(error) => return Err(error),
            }
        }
        Err(last)
    }

    /// Lets the two files change places: the name is the old file's then, and goes with this value.
    /// False where that cannot be done; nothing is changed then.
    fn exchange(&self, target: &Path) -> bool {
        self.0
            .as_ref()
            .is_some_and(|path| platform::exchange(path, target).is_ok())
    }

    /// Gives the file a second name that is free; the first one goes with this value.
    fn name_also(&self, target: &Path) -> io::Result<()> {
        match &self.0 {
            Some(path) => std::fs::hard_link(path, target),
            None => Ok(()),
        }
    }

    fn rename(mut self, target: &Path) -> io::Result<()> {
        if let Some(path) = &self.0 {
            std::fs::rename(path, target)?;
        }
        self.0 = None;
        Ok(())
    }
}

impl Drop for Temp {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            // What cannot be removed now is swept away later.
            let _ = std::fs::remove_file(path);
        }
    }
}

/// Removes what killed processes left in `folder`: regular files with the names of this crate's
/// temporary files, untouched for ten minutes, whose process is no more (where that can be told
/// without a system call of its own: on Linux), or for a day. Returns how many; 0 when there is no
/// such folder.
pub fn sweep_temps(folder: &Path) -> Result<usize> {
    sweep(folder, |name, meta| {
        let Some(age) = meta.modified().ok().and_then(|time| time.elapsed().ok()) else {
            return false;
        };
        age > ANY_TEMP_AGE || age > TEMP_AGE && !owner_of(name).is_some_and(is_alive)
    })
}

/// [`sweep_temps`] in the folder where a file is going to be made. What cannot be swept stays.
pub fn sweep_beside(file: &Path) {
    let _ = sweep_temps(folder_of(file));
}

/// The process in the name of a temporary file: `.PID-NUMBER.mnemo-tmp`.
fn owner_of(name: &[u8]) -> Option<u32> {
    let name = std::str::from_utf8(name).ok()?;
    let (pid, number) = name
        .strip_prefix('.')?
        .strip_suffix(TEMP_END)?
        .split_once('-')?;
    number.parse::<u32>().ok()?;
    pid.parse().ok()
}

fn is_alive(pid: u32) -> bool {
    cfg!(target_os = "linux") && Path::new("/proc").join(pid.to_string()).exists()
}

/// Removes the temporary files in `folder` for which `is_left` says so.
fn sweep(folder: &Path, is_left: impl Fn(&[u8], &Metadata) -> bool) -> Result<usize> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
        Err(error) => return Err(Error::io("list", folder, error)),
    };
    let mut removed = 0;
    for entry in entries.flatten() {
        let name = entry.file_name();
        let name = name.as_encoded_bytes();
        if owner_of(name).is_none() {
            continue;
        }
        let left = entry
            .metadata()
            .is_ok_and(|meta| meta.is_file() && is_left(name, &meta));
        if left && std::fs::remove_file(entry.path()).is_ok() {
            removed += 1;
        }
    }
    Ok(removed)
}

/// Removes a file (a link itself, not what it leads to); false when there was none.
pub fn remove(path: &Path) -> Result<bool> {
    match std::fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
        Err(error) => Err(Error::io("remove", path, error)),
    }
}
