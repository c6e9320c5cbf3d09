//! Which directory a session's record belongs to.
//!
//! The nearest ancestor with `.git` or `.mnemo-root` is the root; a linked worktree leads to its
//! main worktree. Everything is found by reading files, and what those files say is believed only
//! as far as the other side confirms it: a cloned or unpacked folder must never choose another
//! project's record.

use crate::git;
use mnemo_home::Env;
use std::ffi::OsStr;
use std::fs::Metadata;
use std::path::{Component, Path, PathBuf};

/// The file that makes a directory a root.
pub(crate) const MARKER: &str = ".mnemo-root";

/// The root of a record: an existing directory, links resolved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Root {
    path: PathBuf,
    why: Why,
}

/// Why a directory is the root.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Why {
    /// It holds a `.git` folder.
    Git,
    /// It holds `.mnemo-root`.
    Marker,
    /// It is the main worktree of the linked worktree at this path.
    MainOfWorktree(PathBuf),
    /// A linked worktree whose repository has no main worktree (it is bare).
    WorktreeOfBare,
    /// A `.git` file that leads to a repository of its own (a submodule), or nowhere believable.
    GitFile,
    /// A person named the directory.
    Named,
}

/// Why nothing is recorded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoRoot {
    /// Neither marker in the directory or above it.
    NoMarker,
    /// The nearest marked directory is the home or the temp directory without `.mnemo-root`.
    HomeOrTemp(PathBuf),
    /// `capture: marked` and no `.mnemo-root` there.
    NotMarked(PathBuf),
    /// The start directory does not exist.
    Missing(PathBuf),
}

impl Root {
    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Why.
    pub fn why(&self) -> &Why {
        &self.why
    }

    /// Walks up from `start`, an absolute path (a relative one counts as missing, since it would
    /// mean the process's own folder). Reads files only: no `git`, no `GIT_*`.
    ///
    /// # Errors
    /// Why there is none.
    pub fn find(start: &Path, env: &Env) -> Result<Self, NoRoot> {
        let start = directory(start).ok_or_else(|| NoRoot::Missing(start.to_owned()))?;
        above(&start, env)
    }

    /// The root for a directory that a person named: the root around it, or where there is none,
    /// the directory itself.
    ///
    /// # Errors
    /// [`NoRoot::Missing`].
    pub fn of_dir(named: &Path, env: &Env) -> Result<Self, NoRoot> {
        let path = directory(named).ok_or_else(|| NoRoot::Missing(named.to_owned()))?;
        above(&path, env).or(Ok(Self {
            path,
            why: Why::Named,
        }))
    }

    /// A directory (absolute, links resolved) that is going to be marked.
    pub fn to_mark(path: &Path) -> Self {
        Self {
            path: path.to_owned(),
            why: Why::Named,
        }
    }

    /// The root of a turn: that of the session's start directory, unless the prompt's `cwd` lies
    /// outside it; then that of the `cwd`.
    ///
    /// A start directory that is gone by now (a worktree inside the project that was thrown away)
    /// belongs to the root around its place; a `cwd` that is gone and whose place lies under no
    /// root belongs to the session's root.
    ///
    /// # Errors
    /// Why nothing is recorded.
    pub fn of_turn(start: &Path, prompt_cwd: Option<&Path>, env: &Env) -> Result<Self, NoRoot> {
        let session = match directory(start) {
            Some(start) => above(&start, env),
            None => existing(start)
                .ok_or(())
                .and_then(|place| above(&place.ancestor, env).map_err(|_| ()))
                .map_err(|()| NoRoot::Missing(start.to_owned())),
        };
        let Some(cwd) = prompt_cwd.filter(|cwd| *cwd != start) else {
            return session;
        };
        let (Some(cwd), Some(home)) = (existing(cwd), existing(start)) else {
            return session;
        };
        let inside = |folder: &Path| cwd.full().starts_with(folder);
        if inside(&home.full()) {
            return session;
        }
        let Ok(root) = session else {
            // Nothing is recorded where the session began; only a real other root changes that.
            return above(&cwd.ancestor, env).or(session);
        };
        let here = match &root.why {
            Why::MainOfWorktree(worktree) => inside(worktree) || inside(&root.path),
            _ => inside(&root.path),
        };
        // A linked worktree of the same repository, or a repository nested in one.
        if here || every_above(&cwd.ancestor).any(|other| other.path == root.path) {
            return Ok(root);
        }
        match above(&cwd.ancestor, env) {
            Err(_) if cwd.gone.is_some() => Ok(root),
            other => other,
        }
    }

    /// Whether it holds `.mnemo-root`.
    pub fn marked(&self) -> bool {
        is_marked(&self.path)
    }

    /// [`NoRoot::NotMarked`] when the configuration wants a marker and there is none.
    ///
    /// # Errors
    /// As said.
    pub fn allowed(self, config: &mnemo_home::Config) -> Result<Self, NoRoot> {
        if config.marked_only && !self.marked() {
            Err(NoRoot::NotMarked(self.path))
        } else {
            Ok(self)
        }
    }

    /// The common git directory, if it is a git root and the directory is this root's beyond doubt.
    pub fn git_dir(&self) -> Option<PathBuf> {
        git::common_dir(&self.path)
    }

    /// The linked worktrees that the repository lists (`.git/worktrees/*/gitdir`), also those whose
    /// folder is gone. Sorted.
    pub fn worktrees(&self) -> Vec<PathBuf> {
        self.git_dir()
            .map(|common| git::worktrees(&common))
            .unwrap_or_default()
    }
}

/// The git work tree around a directory, whatever else marks roots.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkTree {
    /// Its top directory, which holds `.git`.
    pub top: PathBuf,
    /// The top directory of the main work tree; `top` itself unless this is a linked one.
    pub main: PathBuf,
}

/// The git work tree around `start`, an absolute path; `None` outside git.
pub fn work_tree(start: &Path) -> Option<WorkTree> {
    let start = directory(start)?;
    start.ancestors().find_map(|folder| {
        let top = folder.to_owned();
        match of_directory(folder)?.why {
            Why::Marker | Why::Named => None,
            Why::Git | Why::GitFile | Why::WorktreeOfBare => Some(WorkTree {
                main: top.clone(),
                top,
            }),
            Why::MainOfWorktree(_) => Some(WorkTree {
                main: of_directory(folder)?.path,
                top,
            }),
        }
    })
}

/// The real path of an existing directory.
fn directory(path: &Path) -> Option<PathBuf> {
    if !path.is_absolute() {
        return None;
    }
    let real = std::fs::canonicalize(path).ok()?;
    real.is_dir().then_some(real)
}

/// A path whose end may not exist.
struct Place {
    /// The nearest existing directory, links resolved.
    ancestor: PathBuf,
    /// What follows it and does not exist.
    gone: Option<PathBuf>,
}

impl Place {
    fn full(&self) -> PathBuf {
        match &self.gone {
            Some(gone) => self.ancestor.join(gone),
            None => self.ancestor.clone(),
        }
    }
}

/// `None` for relative paths and those with `..` behind what exists.
fn existing(path: &Path) -> Option<Place> {
    if !path.is_absolute() {
        return None;
    }
    for ancestor in path.ancestors() {
        let Some(real) = directory(ancestor) else {
            continue;
        };
        let gone = path.strip_prefix(ancestor).ok()?;
        if gone
            .components()
            .any(|part| !matches!(part, Component::Normal(_) | Component::CurDir))
        {
            return None;
        }
        return Some(Place {
            ancestor: real,
            gone: (!gone.as_os_str().is_empty()).then(|| gone.to_owned()),
        });
    }
    None
}

/// The root of a directory whose path is resolved.
fn above(start: &Path, env: &Env) -> Result<Root, NoRoot> {
    let root = every_above(start).next().ok_or(NoRoot::NoMarker)?;
    if !root.marked() && is_home_or_temp(&root.path, env) {
        return Err(NoRoot::HomeOrTemp(root.path));
    }
    Ok(root)
}

/// What each marked directory at or above `start` leads to, the nearest first.
fn every_above(start: &Path) -> impl Iterator<Item = Root> {
    start.ancestors().filter_map(of_directory)
}

/// What a directory says of itself, if it is marked.
fn of_directory(folder: &Path) -> Option<Root> {
    let root = |why| Root {
        path: folder.to_owned(),
        why,
    };
    // A marker file that is under version control is in every worktree: `.git` comes first.
    match std::fs::metadata(folder.join(".git")) {
        Ok(meta) if meta.is_dir() => return Some(root(Why::Git)),
        Ok(meta) if meta.is_file() => {
            return Some(match git::linked(folder) {
                Some(git::Linked {
                    main: Some(main), ..
                }) => Root {
                    path: main,
                    why: Why::MainOfWorktree(folder.to_owned()),
                },
                Some(git::Linked { main: None, .. }) => root(Why::WorktreeOfBare),
                None => root(Why::GitFile),
            });
        }
        _ => {}
    }
    is_marked(folder).then(|| root(Why::Marker))
}

fn is_marked(folder: &Path) -> bool {
    std::fs::symlink_metadata(folder.join(MARKER)).is_ok()
}

/// Directories that hold everybody's things, not a project.
fn is_home_or_temp(path: &Path, env: &Env) -> bool {
    let Ok(meta) = std::fs::metadata(path) else {
        return false;
    };
    let variables = ["TMPDIR", "TEMP", "TMP"]
        .into_iter()
        .filter_map(|name| env.get(name).map(PathBuf::from));
    let fixed = ["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp"]
        .into_iter()
        .filter(|_| cfg!(unix))
        .map(PathBuf::from);
    env.home()
        .into_iter()
        .chain(variables)
        .chain(fixed)
        .filter(|folder| folder.is_absolute())
        .any(|folder| {
            std::fs::metadata(&folder).is_ok_and(|other| same(path, &meta, &folder, &other))
        })
}

/// Whether two paths lead to one thing, however they are spelt (case, Unicode form, links).
#[cfg(unix)]
pub(crate) fn same(_: &Path, a: &Metadata, _: &Path, b: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    a.dev() == b.dev() && a.ino() == b.ino()
}

/// Whether two paths lead to one thing, however they are spelt.
#[cfg(not(unix))]
pub(crate) fn same(a: &Path, _: &Metadata, b: &Path, _: &Metadata) -> bool {
    match (std::fs::canonicalize(a), std::fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        _ => false,
    }
}

/// Whether a path's last part is `name`.
pub(crate) fn is_named(path: &Path, name: &str) -> bool {
    path.file_name() == Some(OsStr::new(name))
}
