//! Which directory a session's record belongs to. CONTRACTS section 2.

use mnemo_home::Env;
use std::path::{Path, PathBuf};

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
    /// A linked worktree of a bare repository.
    WorktreeOfBare,
    /// A `.git` file that leads to a repository of its own (a submodule).
    GitFile,
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
    /// Walks up from `start`. Reads files only: no `git`, no `GIT_*`.
    pub fn find(start: &Path, env: &Env) -> Result<Self, NoRoot> {
        let _ = (start, env);
        unimplemented!()
    }
    /// The root of a turn: that of the session's start directory, unless the prompt's `cwd` lies
    /// outside it; then that of the `cwd`.
    pub fn of_turn(start: &Path, prompt_cwd: Option<&Path>, env: &Env) -> Result<Self, NoRoot> {
        let _ = (start, prompt_cwd, env);
        unimplemented!()
    }
    /// Whether it holds `.mnemo-root`.
    pub fn marked(&self) -> bool {
        unimplemented!()
    }
    /// `[NoRoot::NotMarked]` when the configuration wants a marker and there is none.
    pub fn allowed(self, config: &mnemo_home::Config) -> Result<Self, NoRoot> {
        let _ = config;
        unimplemented!()
    }
    /// The common git directory, if it is a git root.
    pub fn git_dir(&self) -> Option<PathBuf> {
        unimplemented!()
    }
    /// The linked worktrees that the repository lists (`.git/worktrees/*/gitdir`).
    pub fn worktrees(&self) -> Vec<PathBuf> {
        unimplemented!()
    }
}
