//! Paths inside a folder that is not trusted.

use crate::{Error, Result, SPECIAL};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};

/// Links that lead nowhere, followed from one path before giving up (what Linux does).
const MAX_LINKS: usize = 40;

/// A directory outside which nothing is read or written through links.
///
/// It guards against what a repository holds, not against a process that swaps links while mnemo
/// runs: such a process has the user's rights anyway.
#[derive(Debug, Clone)]
pub struct Boundary {
    root: PathBuf,
}

impl Boundary {
    /// `root` must exist; it is resolved (links followed) here, once.
    pub fn new(root: &Path) -> Result<Self> {
        let resolved =
            std::fs::canonicalize(root).map_err(|error| Error::io("find", root, error))?;
        Ok(Self { root: resolved })
    }

    /// For a root that is resolved already (as `std::fs::canonicalize` gives it): touches nothing.
    pub fn of_resolved(root: PathBuf) -> Self {
        Self { root }
    }

    /// The resolved root.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The real path of `relative` below the root (which need not exist yet). Refuses links that
    /// lead outside, `..`, and an existing final component that is not a regular file or directory.
    ///
    /// Costs one `lstat` a component; only links cost more.
    pub fn resolve(&self, relative: &Path) -> Result<PathBuf> {
        let mut pending = VecDeque::new();
        for component in relative.components() {
            match component {
                Component::Normal(name) => pending.push_back(Step::Into(name.to_owned())),
                Component::CurDir => {}
                Component::ParentDir | Component::RootDir | Component::Prefix(_) => {
                    return Err(Error::refused(
                        relative,
                        "it must be a path below the project, without `..`",
                    ));
                }
            }
        }
        self.walk(relative, pending)
    }

    fn walk(&self, relative: &Path, mut pending: VecDeque<Step>) -> Result<PathBuf> {
        let refused = |why| Error::refused(&self.root.join(relative), why);
        // Always a real path at or below the root.
        let mut current = self.root.clone();
        let mut links = 0;
        while let Some(step) = pending.pop_front() {
            let name = match step {
                Step::Into(name) => name,
                Step::Up if current == self.root => return Err(refused(crate::OUTSIDE)),
                Step::Up => {
                    current.pop();
                    continue;
                }
            };
            current.push(name);
            let meta = match std::fs::symlink_metadata(&current) {
                Ok(meta) => meta,
                // Nothing there: what follows can only be made by us. (A link of the repository
                // that goes down into nothing and up again ends in the `Up` steps above.)
                Err(error) if error.kind() == ErrorKind::NotFound => continue,
                Err(error) if error.kind() == ErrorKind::NotADirectory => {
                    return Err(refused(crate::NO_FOLDER));
                }
                Err(error) => return Err(Error::io("look at", &current, error)),
            };
            if meta.is_symlink() {
                links += 1;
                if links > MAX_LINKS {
                    return Err(refused(crate::LINK_LOOP));
                }
                match std::fs::canonicalize(&current) {
                    Ok(real) if real.starts_with(&self.root) => {
                        let kind = std::fs::symlink_metadata(&real)
                            .map_err(|error| Error::io("look at", &real, error))?;
                        if !kind.is_file() && !kind.is_dir() {
                            return Err(refused(SPECIAL));
                        }
                        current = real;
                    }
                    Ok(_) => return Err(refused(crate::OUTSIDE)),
                    Err(error) if error.kind() == ErrorKind::NotFound => {
                        self.follow_dangling(relative, &mut current, &mut pending)?;
                    }
                    // A loop, a file taken for a folder, a folder we may not enter.
                    Err(_) => return Err(refused("its link cannot be followed")),
                }
            } else if !meta.is_file() && !meta.is_dir() {
                return Err(refused(SPECIAL));
            }
        }
        Ok(current)
    }

    /// `current` is a link whose target does not exist: its target's steps are walked instead, so
    /// that what would be created lies inside.
    fn follow_dangling(
        &self,
        relative: &Path,
        current: &mut PathBuf,
        pending: &mut VecDeque<Step>,
    ) -> Result<()> {
        let target =
            std::fs::read_link(&*current).map_err(|error| Error::io("follow", current, error))?;
        let inside = if target.is_absolute() {
            let Ok(inside) = target.strip_prefix(&self.root) else {
                return Err(Error::refused(&self.root.join(relative), crate::OUTSIDE));
            };
            current.clone_from(&self.root);
            inside
        } else {
            current.pop();
            target.as_path()
        };
        for component in inside.components().rev() {
            match component {
                Component::Normal(name) => pending.push_front(Step::Into(name.to_owned())),
                Component::ParentDir => pending.push_front(Step::Up),
                Component::CurDir => {}
                Component::RootDir | Component::Prefix(_) => {
                    return Err(Error::refused(&self.root.join(relative), crate::OUTSIDE));
                }
            }
        }
        Ok(())
    }
}

/// One step of a path.
enum Step {
    Into(OsString),
    Up,
}
