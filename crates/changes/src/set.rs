//! One set in the undo folder: what it is, and the bytes of both sides.

use crate::tree::{Disk, Image, Step};
use crate::{Error, Result};
use safe_file::{Boundary, Error as FileError, Lock};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// The file with the bytes of all sides, one after the other.
const BYTES: &str = "bytes";

/// A set larger than this was not written by mnemo.
const LARGEST: u64 = 4 * 1024 * 1024 * 1024;

/// Where a set stands: the name of its description.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum State {
    /// Being carried out; after a crash it is finished.
    Applying,
    /// Carried out.
    Applied,
    /// Being taken back; after a crash that is finished.
    Undoing,
    /// Taken back.
    Undone,
    /// Failed, being put back; after a crash that is finished.
    Reverting,
    /// Its bytes cannot be read.
    Damaged,
}

impl State {
    const ALL: [Self; 6] = [
        Self::Applying,
        Self::Applied,
        Self::Undoing,
        Self::Undone,
        Self::Reverting,
        Self::Damaged,
    ];

    fn file(self) -> &'static str {
        match self {
            Self::Applying => "applying.json",
            Self::Applied => "applied.json",
            Self::Undoing => "undoing.json",
            Self::Undone => "undone.json",
            Self::Reverting => "reverting.json",
            Self::Damaged => "damaged.json",
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Manifest {
    pub(crate) version: u32,
    /// Later sets have larger numbers, whatever the clock says.
    pub(crate) sequence: u64,
    pub(crate) command: String,
    /// RFC 3339, local.
    pub(crate) time: String,
    pub(crate) root: PathBuf,
    /// Folders that were made for it, outermost first.
    pub(crate) folders: Vec<PathBuf>,
    pub(crate) files: Vec<Stored>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Stored {
    pub(crate) path: PathBuf,
    pub(crate) real: PathBuf,
    pub(crate) before: Option<StoredImage>,
    pub(crate) after: Option<StoredImage>,
    /// The lock under which others append to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    grows_under: Option<PathBuf>,
    /// The folder into which they move it once it is large.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    moves_into: Option<PathBuf>,
    /// The files whose lines its numbers count.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    counts: Vec<PathBuf>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct StoredImage {
    offset: u64,
    pub(crate) length: u64,
    mode: Option<u32>,
    /// Seconds and nanoseconds since 1970.
    modified: Option<(i64, u32)>,
}

const VERSION: u32 = 1;

/// A set on the disk.
#[derive(Debug)]
pub(crate) struct Set {
    pub(crate) folder: PathBuf,
    pub(crate) state: State,
    pub(crate) manifest: Manifest,
}

/// What a folder in the undo folder holds.
pub(crate) enum Opened {
    Set(Set),
    /// Nothing was changed yet when its process died.
    Incomplete,
    /// Its description cannot be read.
    Damaged,
}

impl Set {
    pub(crate) fn open(folder: &Path) -> Result<Opened> {
        for state in State::ALL {
            let Some(bytes) = safe_file::read_real(&folder.join(state.file()), LARGEST)? else {
                continue;
            };
            if state == State::Damaged {
                return Ok(Opened::Damaged);
            }
            return Ok(match serde_json::from_slice::<Manifest>(&bytes) {
                Ok(manifest) if manifest.version == VERSION => Opened::Set(Self {
                    folder: folder.to_owned(),
                    state,
                    manifest,
                }),
                _ => Opened::Damaged,
            });
        }
        Ok(Opened::Incomplete)
    }

    /// Writes both sides of `steps` and then the description, which makes the set count.
    pub(crate) fn write(
        disk: &Disk,
        folder: &Path,
        steps: &[Step],
        manifest: Manifest,
    ) -> Result<Self> {
        let mut bytes = Vec::new();
        let mut store = |image: &Option<Image>| {
            image.as_ref().map(|image| {
                let offset = bytes.len() as u64;
                bytes.extend_from_slice(&image.bytes);
                StoredImage {
                    offset,
                    length: image.bytes.len() as u64,
                    mode: image.mode,
                    modified: image.modified.map(to_pair),
                }
            })
        };
        let files = steps
            .iter()
            .map(|step| Stored {
                path: step.path.clone(),
                real: step.real.clone(),
                before: store(&step.from),
                after: store(&step.to),
                grows_under: step.grows_under.clone(),
                moves_into: step.moves_into.clone(),
                counts: step.counts.clone(),
            })
            .collect();
        let manifest = Manifest {
            version: VERSION,
            files,
            ..manifest
        };
        let text = serde_json::to_vec_pretty(&manifest).map_err(|error| Error::Damaged {
            path: folder.to_owned(),
            why: error.to_string(),
        })?;
        let file = folder.join(BYTES);
        disk.before("write", &file)?;
        safe_file::put(&file, &bytes, None, None)?;
        let file = folder.join(State::Applying.file());
        disk.before("write", &file)?;
        safe_file::put(&file, &text, None, None)?;
        Ok(Self {
            folder: folder.to_owned(),
            state: State::Applying,
            manifest,
        })
    }

    pub(crate) fn id(&self) -> String {
        name_of(&self.folder)
    }

    pub(crate) fn boundary(&self) -> Boundary {
        Boundary::of_resolved(self.manifest.root.clone())
    }

    /// Keeps others from appending to its files; a lock in a folder that is gone keeps nobody.
    pub(crate) fn hold(&self, wait: Duration) -> Result<Vec<Lock>> {
        let locks: BTreeSet<&PathBuf> = self
            .manifest
            .files
            .iter()
            .filter_map(|file| file.grows_under.as_ref())
            .filter(|lock| lock.parent().is_some_and(Path::is_dir))
            .collect();
        locks
            .into_iter()
            .map(|lock| Ok(Lock::acquire(lock, wait)?))
            .collect()
    }

    /// The steps of carrying it out, with the bytes. What others appended to a file meanwhile is
    /// on both sides, and a file that they moved away is followed.
    pub(crate) fn steps(&self) -> Result<Vec<Step>> {
        let file = self.folder.join(BYTES);
        let bytes = safe_file::read_real(&file, LARGEST)?
            .ok_or_else(|| damaged(&self.folder, "its bytes are gone"))?;
        let image = |stored: &Option<StoredImage>| -> Result<Option<Image>> {
            let Some(stored) = stored else {
                return Ok(None);
            };
            let part = usize::try_from(stored.offset)
                .ok()
                .zip(usize::try_from(stored.length).ok())
                .and_then(|(start, length)| bytes.get(start..start.checked_add(length)?))
                .ok_or_else(|| damaged(&self.folder, "its bytes are cut off"))?;
            Ok(Some(Image {
                bytes: part.to_vec(),
                mode: stored.mode,
                modified: stored.modified.and_then(from_pair),
            }))
        };
        let boundary = self.boundary();
        let mut steps = Vec::with_capacity(self.manifest.files.len());
        let mut moved: HashMap<&Path, [i64; 2]> = HashMap::new();
        for stored in &self.manifest.files {
            let step = Step {
                path: stored.path.clone(),
                real: stored.real.clone(),
                from: image(&stored.before)?,
                to: image(&stored.after)?,
                grows_under: stored.grows_under.clone(),
                moves_into: stored.moves_into.clone(),
                counts: stored.counts.clone(),
            };
            let step = step.grown(&boundary)?;
            if step.path != stored.path {
                moved.insert(&stored.path, step.lines());
            }
            steps.push(step);
        }
        if !moved.is_empty() {
            let back = !matches!(self.state, State::Applying);
            for step in &mut steps {
                step.counted(&boundary, &moved, back)?;
            }
        }
        Ok(steps)
    }

    /// The steps of taking it back, last first; what is there now keeps its stamp for the case
    /// that it must be put back.
    pub(crate) fn steps_back(&self) -> Result<Vec<Step>> {
        let mut steps = self.steps()?;
        steps.reverse();
        // What had been removed comes back first.
        steps.sort_by_key(|step| step.from.is_none());
        for step in &mut steps {
            std::mem::swap(&mut step.from, &mut step.to);
            if let (Some(image), Ok(Some(stamp))) = (&mut step.from, safe_file::stamp(&step.real)) {
                image.mode = stamp.mode;
                image.modified = Some(stamp.modified);
            }
        }
        Ok(steps)
    }

    pub(crate) fn turn(&mut self, disk: &Disk, state: State) -> Result<()> {
        let file = self.folder.join(self.state.file());
        disk.before("rename", &file)?;
        safe_file::rename_durably(&file, state.file())?;
        self.state = state;
        Ok(())
    }

    /// Bytes on the disk.
    pub(crate) fn size(&self) -> u64 {
        let images = |stored: &Stored| {
            let length = |image: &Option<StoredImage>| image.as_ref().map_or(0, |i| i.length);
            length(&stored.before) + length(&stored.after)
        };
        self.manifest.files.iter().map(images).sum()
    }
}

/// Whether a set that cannot be read is at one of its ends.
pub(crate) fn is_settled(folder: &Path) -> bool {
    [State::Applied, State::Undone, State::Damaged]
        .into_iter()
        .any(|state| folder.join(state.file()).exists())
}

/// Whether [`mark_damaged`] marked it.
pub(crate) fn is_marked_damaged(folder: &Path) -> bool {
    folder.join(State::Damaged.file()).exists()
}

/// Marks a set that cannot be read, so that it is looked at once; its bytes stay.
pub(crate) fn mark_damaged(folder: &Path) -> Result<()> {
    for state in State::ALL {
        let file = folder.join(state.file());
        if state != State::Damaged && file.exists() {
            safe_file::rename_durably(&file, State::Damaged.file())?;
        }
    }
    Ok(())
}

/// Removes a set's folder: first what makes it count.
pub(crate) fn discard(disk: &Disk, folder: &Path) -> Result<()> {
    for state in State::ALL {
        disk.before("remove", folder)?;
        safe_file::remove(&folder.join(state.file()))?;
    }
    disk.before("remove", folder)?;
    match std::fs::remove_dir_all(folder) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
            Err(FileError::io("remove", folder, error).into())
        }
        _ => Ok(()),
    }
}

pub(crate) fn name_of(folder: &Path) -> String {
    folder
        .file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

fn damaged(folder: &Path, why: &str) -> Error {
    Error::Damaged {
        path: folder.to_owned(),
        why: why.to_owned(),
    }
}

fn to_pair(time: SystemTime) -> (i64, u32) {
    match time.duration_since(UNIX_EPOCH) {
        Ok(since) => (
            i64::try_from(since.as_secs()).unwrap_or(i64::MAX),
            since.subsec_nanos(),
        ),
        Err(error) => {
            let before = error.duration();
            let seconds = i64::try_from(before.as_secs()).unwrap_or(i64::MAX);
            match before.subsec_nanos() {
                0 => (-seconds, 0),
                nanos => (-seconds - 1, 1_000_000_000 - nanos),
            }
        }
    }
}

fn from_pair((seconds, nanos): (i64, u32)) -> Option<SystemTime> {
    let nanos = Duration::from_nanos(u64::from(nanos));
    if seconds >= 0 {
        UNIX_EPOCH.checked_add(Duration::from_secs(seconds.unsigned_abs()) + nanos)
    } else {
        UNIX_EPOCH
            .checked_sub(Duration::from_secs(seconds.unsigned_abs()))?
            .checked_add(nanos)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_survive_writing_and_reading() {
        for time in [
            UNIX_EPOCH,
            UNIX_EPOCH + Duration::new(1_796_015_002, 123_456_789),
            UNIX_EPOCH - Duration::new(1, 0),
            UNIX_EPOCH - Duration::new(5, 250_000_000),
        ] {
            assert_eq!(from_pair(to_pair(time)), Some(time));
        }
    }
}
