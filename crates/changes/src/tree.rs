//! The files themselves: how they are found, carried from one state to another, and put back.

use crate::plan::LARGEST;
use crate::{Difference, Error, How, Result};
use safe_file::{Boundary, Error as FileError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

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

    fn put(&self, real: &Path, image: Option<&Image>) -> Result<()> {
        if let Some(image) = image {
            if let Some(folder) = real.parent() {
                self.before("make the folder", folder)?;
                safe_file::create_private_dir(folder)?;
            }
            self.before("write", real)?;
            safe_file::put(real, &image.bytes, image.mode, image.modified)?;
        } else {
            self.before("remove", real)?;
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
                Ok(None) => self.put(&step.real, step.to.as_ref()),
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
                Ok(Found::To) => self.put(&step.real, step.from.as_ref()),
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
    /// The step with what others appended to the file, on both sides.
    pub(crate) fn grown(mut self, boundary: &Boundary) -> Result<Self> {
        // Most files are not looked at here: nobody appends to them.
        if self.grows_under.is_none() || matches!(self.find(boundary)?, Found::From | Found::To) {
            return Ok(self);
        }
        let Ok(Some(now)) = safe_file::read_real(&self.real, LARGEST) else {
            return Ok(self);
        };
        // Of two that it begins with the longer one is meant: the other lacks a part of it.
        let sides = [&self.from, &self.to].into_iter().flatten();
        let known = sides
            .filter(|image| now.starts_with(&image.bytes))
            .map(|image| image.bytes.len())
            .max();
        let Some((known, tail)) = known.and_then(|known| Some((known, now.get(known..)?))) else {
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
