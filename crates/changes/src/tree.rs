//! The files themselves: how they are found, carried from one state to another, and put back.

use crate::plan::LARGEST;
use crate::{Difference, Error, How, Result};
use safe_file::{Boundary, Error as FileError};
use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Newest files of an archive that are looked at for one that was moved there.
const ARCHIVED: usize = 20;

/// A file as it was or shall be.
#[derive(Debug, Clone)]
pub(crate) struct Image {
    pub(crate) bytes: Vec<u8>,
    /// `None`: that of the file which is replaced, 0600 for a new one.
    pub(crate) mode: Option<u32>,
    /// `None`: now.
    pub(crate) modified: Option<SystemTime>,
}

/// One file's way from one state to another; `None` is "no such file".
#[derive(Debug)]
pub(crate) struct Step {
    /// Relative to the set's folder.
    pub(crate) path: PathBuf,
    /// Where it really lies.
    pub(crate) real: PathBuf,
    pub(crate) from: Option<Image>,
    pub(crate) to: Option<Image>,
    /// The lock under which others append to it.
    pub(crate) grows_under: Option<PathBuf>,
    /// The folder, relative to the set's, into which they move it once it is large.
    pub(crate) moves_into: Option<PathBuf>,
    /// The files whose lines its numbers count.
    pub(crate) counts: Vec<PathBuf>,
}

/// What lies at a step's path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Found {
    From,
    To,
    Other(How),
}

/// Called before each change to the disk; tests count, fail or die there.
pub(crate) type Hook = Box<dyn Fn() -> io::Result<()>>;

/// Where everything that changes the disk passes through.
#[derive(Default)]
pub(crate) struct Disk {
    pub(crate) hook: Option<Hook>,
}

impl Disk {
    pub(crate) fn before(&self, action: &'static str, path: &Path) -> Result<()> {
        match &self.hook {
            Some(hook) => hook().map_err(|error| FileError::io(action, path, error).into()),
            None => Ok(()),
        }
    }

    /// Brings a step's file to an image, if `still` says right before that it is as it was. A rename
    /// takes no time, but writing the new file does, and somebody may write to the old one meanwhile.
    fn put(
        &self,
        real: &Path,
        image: Option<&Image>,
        still: impl FnOnce() -> Result<Option<Difference>>,
    ) -> Result<()> {
        let still = || match still()? {
            Some(difference) => Err(Error::Changed(vec![difference])),
            None => Ok(()),
        };
        if let Some(image) = image {
            if let Some(folder) = real.parent() {
                self.before("make the folder", folder)?;
                safe_file::create_private_dir(folder)?;
            }
            self.before("write", real)?;
            let mut why = None;
            let put = safe_file::put_if(real, &image.bytes, image.mode, image.modified, || {
                let is = self.before("swap in", real).and_then(|()| still());
                is.map_err(|error| {
                    why = Some(error);
                    FileError::refused(real, "it was changed meanwhile")
                })
            });
            if let Some(why) = why {
                return Err(why);
            }
            put?;
        } else {
            self.before("remove", real)?;
            still()?;
            safe_file::remove_durably(real)?;
        }
        // So that a test can also stop right after the change.
        self.before("go on after", real)
    }

    /// Carries out the steps in order; on an error all are put back as far as that goes, and the
    /// answer says whether it went.
    pub(crate) fn carry_out(
        &self,
        boundary: &Boundary,
        steps: &[Step],
    ) -> std::result::Result<(), Failed> {
        for (at, step) in steps.iter().enumerate() {
            // Once more: an editor needs no lock.
            let carried = match step.differs(boundary) {
                Ok(None) => self.put(&step.real, step.to.as_ref(), || step.differs(boundary)),
                Ok(Some(difference)) => Err(Error::Changed(vec![difference])),
                Err(error) => Err(error),
            };
            if let Err(error) = carried {
                let left = self.put_back(boundary, &steps[..=at]);
                return Err(Failed { error, left });
            }
        }
        Ok(())
    }

    /// Puts back what has been carried out, last first. Gives the files that stayed changed.
    pub(crate) fn put_back(&self, boundary: &Boundary, steps: &[Step]) -> Vec<PathBuf> {
        let mut left = Vec::new();
        for step in steps.iter().rev() {
            let back = match step.find(boundary) {
                Ok(Found::To) => self.put(&step.real, step.from.as_ref(), || {
                    Ok(match step.find(boundary)? {
                        Found::To => None,
                        Found::From | Found::Other(_) => Some(Difference {
                            path: step.path.clone(),
                            how: How::Changed,
                        }),
                    })
                }),
                Ok(Found::From | Found::Other(_)) => Ok(()),
                Err(error) => Err(error),
            };
            if back.is_err() {
                left.push(step.path.clone());
            }
        }
        left.reverse();
        left
    }
}

/// Steps that could not be carried out.
pub(crate) struct Failed {
    pub(crate) error: crate::Error,
    /// The files that could not be put back either.
    pub(crate) left: Vec<PathBuf>,
}

impl Step {
    /// The step with what others appended to the file, on both sides, at the place to which they
    /// moved it.
    pub(crate) fn grown(mut self, boundary: &Boundary) -> Result<Self> {
        // Most files are not looked at here: nobody appends to them.
        if self.grows_under.is_none() {
            return Ok(self);
        }
        let mut now = safe_file::read_real(&self.real, LARGEST).unwrap_or_default();
        let mut known = now.as_deref().and_then(|now| self.begins(now));
        // Every file begins with nothing: that tells nothing.
        if known.is_none_or(|known| known == 0)
            && let Some((path, real, bytes)) = self.moved(boundary)
        {
            known = self.begins(&bytes);
            now = Some(bytes);
            (self.path, self.real) = (path, real);
        }
        let (Some(now), Some(known)) = (now, known) else {
            return Ok(self);
        };
        if matches!(self.find(boundary)?, Found::From | Found::To) {
            return Ok(self);
        }
        let Some(tail) = now.get(known..) else {
            return Ok(self);
        };
        let mode = [&self.from, &self.to].into_iter().flatten().next();
        let mode = mode.and_then(|image| image.mode);
        for side in [&mut self.from, &mut self.to] {
            // A file that was not there, or would be gone: only what was appended is left.
            let image = side.get_or_insert_with(|| Image {
                bytes: Vec::new(),
                mode,
                modified: None,
            });
            let is_cut = image.bytes.last().is_some_and(|last| *last != b'\n');
            if is_cut && image.bytes.len() != known && !tail.starts_with(b"\n") {
                image.bytes.push(b'\n');
            }
            image.bytes.extend_from_slice(tail);
            image.modified = None;
        }
        Ok(self)
    }

    /// The length of the side that a file begins with. Of two that it begins with the longer one is
    /// meant: the other lacks a part of it.
    fn begins(&self, now: &[u8]) -> Option<usize> {
        let sides = [&self.from, &self.to].into_iter().flatten();
        sides
            .filter(|image| now.starts_with(&image.bytes))
            .map(|image| image.bytes.len())
            .max()
    }

    /// The file where others moved it: its path, its real path, its bytes.
    fn moved(&self, boundary: &Boundary) -> Option<(PathBuf, PathBuf, Vec<u8>)> {
        let folder = self.moves_into.as_ref()?;
        let entries = std::fs::read_dir(boundary.resolve(folder).ok()?).ok()?;
        let mut names: Vec<OsString> = entries.flatten().map(|entry| entry.file_name()).collect();
        // Their names hold the time: the newest first.
        names.sort_unstable();
        names.iter().rev().take(ARCHIVED).find_map(|name| {
            let path = folder.join(name);
            let real = boundary.resolve(&path).ok()?;
            let bytes = safe_file::read_real(&real, LARGEST).ok()??;
            self.begins(&bytes).filter(|known| *known > 0)?;
            Some((path, real, bytes))
        })
    }

    /// Lines of both sides.
    pub(crate) fn lines(&self) -> [i64; 2] {
        [&self.from, &self.to].map(|image| {
            let bytes = image.as_ref().map_or(&[][..], |image| &image.bytes);
            let lines = bytes.split(|byte| *byte == b'\n').count() - 1;
            i64::try_from(lines).unwrap_or(i64::MAX)
        })
    }

    /// Takes the lines of files that were moved away off the numbers of this one, as whoever moved
    /// them did. `moved`: their lines on either side; `back`: the side to come to is the first one.
    pub(crate) fn counted(
        &mut self,
        boundary: &Boundary,
        moved: &HashMap<&Path, [i64; 2]>,
        back: bool,
    ) -> Result<()> {
        if self.counts.is_empty() || !matches!(self.find(boundary)?, Found::Other(How::Changed)) {
            return Ok(());
        }
        let now = safe_file::read_real(&self.real, LARGEST)?.unwrap_or_default();
        let read = numbers(&now);
        let off: Vec<[i64; 2]> = self
            .counts
            .iter()
            .map(|file| moved.get(file.as_path()).copied().unwrap_or_default())
            .collect();
        let of = |at: usize| off.get(at).copied().unwrap_or_default();
        // The file was moved as it was on either side.
        let fits = |image: &Option<Image>| {
            let was = numbers(&image.as_ref()?.bytes)?;
            let same = was.len() == read.as_ref()?.len();
            let mut pairs = was.iter().zip(read.as_ref()?).enumerate();
            let fits = same
                && pairs.all(|(at, (was, now))| {
                    of(at)
                        .iter()
                        .any(|lines| was.saturating_sub(*lines) == *now)
                });
            fits.then_some(())
        };
        if fits(&self.from).or_else(|| fits(&self.to)).is_none() {
            return Ok(());
        }
        let [from, to] = [&mut self.from, &mut self.to];
        let ((start, end), side) = if back {
            ((to, from), 0)
        } else {
            ((from, to), 1)
        };
        if let Some(end) = end
            && let Some(numbers) = numbers(&end.bytes)
        {
            let less = numbers.iter().enumerate().map(|(at, number)| {
                let lines = of(at).get(side).copied().unwrap_or_default();
                number.saturating_sub(lines).to_string()
            });
            end.bytes = (less.collect::<Vec<_>>().join(" ") + "\n").into_bytes();
            end.modified = None;
            if let Some(start) = start.as_mut().filter(|_| end.bytes != now) {
                start.bytes = now;
                start.modified = None;
            }
        }
        Ok(())
    }

    /// How what lies there differs from what the step starts from.
    pub(crate) fn differs(&self, boundary: &Boundary) -> Result<Option<Difference>> {
        let how = match self.find(boundary)? {
            Found::From => return Ok(None),
            Found::To => match (&self.from, &self.to) {
                (None, _) => How::Appeared,
                (_, None) => How::Gone,
                _ => How::Changed,
            },
            Found::Other(how) => how,
        };
        Ok(Some(Difference {
            path: self.path.clone(),
            how,
        }))
    }

    /// What lies there now. An error only where that cannot be told.
    pub(crate) fn find(&self, boundary: &Boundary) -> Result<Found> {
        let real = match boundary.resolve(&self.path) {
            Ok(real) => real,
            Err(FileError::Refused { .. }) => return Ok(Found::Other(How::Elsewhere)),
            Err(error) => return Err(error.into()),
        };
        if real != self.real {
            return Ok(Found::Other(How::Elsewhere));
        }
        let now = match safe_file::read_real(&real, LARGEST) {
            Ok(now) => now,
            Err(FileError::Refused { .. }) => return Ok(Found::Other(How::Elsewhere)),
            Err(error) => return Err(error.into()),
        };
        let is = |image: &Option<Image>| image.as_ref().map(|image| &image.bytes) == now.as_ref();
        Ok(if is(&self.from) {
            Found::From
        } else if is(&self.to) {
            Found::To
        } else if now.is_none() {
            Found::Other(How::Gone)
        } else if self.from.is_none() {
            Found::Other(How::Appeared)
        } else {
            Found::Other(How::Changed)
        })
    }
}

/// The numbers of a file that holds nothing else.
fn numbers(bytes: &[u8]) -> Option<Vec<i64>> {
    let text = std::str::from_utf8(bytes).ok()?;
    let numbers = text.split_ascii_whitespace();
    numbers.map(|number| number.parse().ok()).collect()
}

/// The files that are not as the steps start from.
pub(crate) fn differences(boundary: &Boundary, steps: &[Step]) -> Result<Vec<Difference>> {
    let mut differences = Vec::new();
    for step in steps {
        differences.extend(step.differs(boundary)?);
    }
    Ok(differences)
}

/// The folders that would have to be made for these files, outermost first.
pub(crate) fn missing_folders<'a>(files: impl Iterator<Item = &'a Path>) -> Vec<PathBuf> {
    let mut missing: Vec<PathBuf> = Vec::new();
    for file in files {
        let new: Vec<&Path> = file
            .ancestors()
            .skip(1)
            .take_while(|folder| std::fs::symlink_metadata(folder).is_err())
            .collect();
        for folder in new.into_iter().rev() {
            if !missing.iter().any(|known| known == folder) {
                missing.push(folder.to_owned());
            }
        }
    }
    missing
}

/// Removes those of the folders that are empty, innermost first.
pub(crate) fn remove_empty(folders: &[PathBuf]) {
    for folder in folders.iter().rev() {
        // One that holds something, or is gone, is nobody's business here.
        let _ = std::fs::remove_dir(folder);
    }
}
