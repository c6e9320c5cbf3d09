//! Whether a turn belongs to this record.

use mnemo_home::Env;
use record::root::Root;
use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

pub(crate) struct Belonging<'a> {
    root: &'a Root,
    /// Places that count as the root: a former place of the project.
    former: Option<PathBuf>,
    /// The root's linked worktrees, also those that were thrown away.
    worktrees: Vec<PathBuf>,
    /// Start directories that belonged to the root when they were there.
    remembered: BTreeSet<PathBuf>,
    env: &'a Env,
    known: HashMap<(PathBuf, Option<PathBuf>), bool>,
}

impl<'a> Belonging<'a> {
    pub(crate) fn new(
        root: &'a Root,
        worktrees: Vec<PathBuf>,
        remembered: BTreeSet<PathBuf>,
        former: Option<&Path>,
        env: &'a Env,
    ) -> Self {
        Self {
            root,
            former: former.map(Path::to_path_buf),
            worktrees,
            remembered,
            env,
            known: HashMap::new(),
        }
    }

    /// `start`: the session's first directory; `cwd`: where the turn's prompt was given. Neither
    /// known: it belongs nowhere, since a transcript's folder name says nothing for certain.
    pub(crate) fn holds(&mut self, start: Option<&Path>, cwd: Option<&Path>) -> bool {
        let Some(start) = start.or(cwd) else {
            return false;
        };
        let key = (start.to_path_buf(), cwd.map(Path::to_path_buf));
        if let Some(&known) = self.known.get(&key) {
            return known;
        }
        let holds = self.decide(start, cwd);
        self.known.insert(key, holds);
        holds
    }

    fn decide(&self, start: &Path, cwd: Option<&Path>) -> bool {
        if let Some(former) = &self.former {
            // What still is (or was in) another project there is that one's.
            let anothers = |path: &Path| {
                Root::of_turn(path, None, self.env).is_ok_and(|there| {
                    there.path() != self.root.path()
                        && (there.path().starts_with(former) || path.exists())
                })
            };
            let inside = |path: &Path| path.starts_with(former) && !anothers(path);
            if cwd.map_or_else(|| inside(start), inside) {
                return true;
            }
        }
        if let Ok(root) = Root::of_turn(start, cwd, self.env)
            && root.path() == self.root.path()
        {
            return true;
        }
        // A worktree that is gone, outside the root: only its old path tells.
        let gone = |path: &Path| {
            !path.exists()
                && self
                    .worktrees
                    .iter()
                    .chain(&self.remembered)
                    .any(|worktree| !worktree.exists() && path.starts_with(worktree))
        };
        match cwd {
            Some(cwd) if !gone(cwd) => !cwd.exists() && gone(start),
            _ => gone(cwd.unwrap_or(start)),
        }
    }
}
