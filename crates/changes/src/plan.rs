//! What a command wants to change.

use crate::{Applied, Error, Journal, Result, diff};
use mnemo_home::Env;
use safe_file::Boundary;
use serde::Serialize;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Largest file that a plan reads, in bytes.
pub(crate) const LARGEST: u64 = 256 * 1024 * 1024;

/// The changes of one command to the files below one folder, in order. All are carried out or
/// none.
#[derive(Debug, Clone)]
pub struct ChangeSet {
    command: String,
    boundary: Boundary,
    changes: Vec<Change>,
    /// Where in `changes` a file's change stands.
    places: HashMap<PathBuf, usize>,
}

/// A text of which single lines are shown, line for line.
pub type Shown = fn(&str) -> Cow<'_, str>;

/// One file's change.
#[derive(Debug, Clone)]
pub struct Change {
    path: PathBuf,
    before: Option<Vec<u8>>,
    after: Option<Vec<u8>>,
    mode: Option<u32>,
    keeps_time: bool,
    moved_from: Option<PathBuf>,
    grows_under: Option<PathBuf>,
    moves_into: Option<PathBuf>,
    counts: Vec<PathBuf>,
}

impl Change {
    /// The file, relative to the set's folder.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Its bytes before; `None`: there is no such file.
    pub fn before(&self) -> Option<&[u8]> {
        self.before.as_deref()
    }

    /// Its bytes afterwards; `None`: it is removed.
    pub fn after(&self) -> Option<&[u8]> {
        self.after.as_deref()
    }

    /// Permission bits of the changed file (default: those of the old one, 0600 for a new one).
    pub fn set_mode(&mut self, mode: u32) -> &mut Self {
        self.mode = Some(mode);
        self
    }

    /// The file keeps its time of change: for mechanical edits that must not make an old entry
    /// look tended (staleness is judged by that time).
    pub fn keep_time(&mut self) -> &mut Self {
        self.keeps_time = true;
        self
    }

    /// Other programs append to the file, each holding this lock. What they append after a crash, or
    /// after the change and before its undo, is kept: it belongs to either side of the change. The
    /// caller holds the lock while the set is applied.
    pub fn grows_under(&mut self, lock: PathBuf) -> &mut Self {
        self.grows_under = Some(lock);
        self
    }

    /// Who appends also moves the file into this folder (relative to the set's) once it is large, and
    /// begins a new one: the change follows it there.
    pub fn moves_into(&mut self, folder: impl AsRef<Path>) -> &mut Self {
        self.moves_into = Some(folder.as_ref().to_owned());
        self
    }

    /// The file holds numbers, and the first of them count lines of these files. Who moves one of
    /// those away takes its lines off the number.
    pub fn counts<P: AsRef<Path>>(&mut self, files: impl IntoIterator<Item = P>) -> &mut Self {
        self.counts = files
            .into_iter()
            .map(|file| file.as_ref().to_owned())
            .collect();
        self
    }

    pub(crate) fn lock(&self) -> Option<&Path> {
        self.grows_under.as_deref()
    }

    pub(crate) fn archive(&self) -> Option<&Path> {
        self.moves_into.as_deref()
    }

    pub(crate) fn counted(&self) -> &[PathBuf] {
        &self.counts
    }

    pub(crate) fn moved_from(&self) -> Option<&Path> {
        self.moved_from.as_deref()
    }

    pub(crate) fn mode(&self) -> Option<u32> {
        self.mode
    }

    pub(crate) fn keeps_time(&self) -> bool {
        self.keeps_time
    }

    fn is_nothing(&self) -> bool {
        self.before == self.after
    }
}

impl ChangeSet {
    /// An empty set of `command` (as the user types it, such as `memory add`) for files below a
    /// boundary, out of which no link leads.
    pub fn new(command: &str, boundary: Boundary) -> Self {
        Self {
            command: command.to_owned(),
            boundary,
            changes: Vec::new(),
            places: HashMap::new(),
        }
    }

    /// As [`ChangeSet::new`] for a folder that need not exist yet.
    pub fn inside(command: &str, folder: &Path) -> Result<Self> {
        let folder = if folder.as_os_str().is_empty() {
            Path::new(".")
        } else {
            folder
        };
        let folder = std::path::absolute(folder)
            .map_err(|error| safe_file::Error::io("find", folder, error))?;
        let mut missing: Vec<OsString> = Vec::new();
        let mut there = folder.as_path();
        let boundary = loop {
            match Boundary::new(there) {
                Ok(found) => break found,
                Err(error) => match (there.file_name(), there.parent(), is_absent(&error)) {
                    (Some(name), Some(parent), true) => {
                        missing.push(name.to_owned());
                        there = parent;
                    }
                    _ => return Err(error.into()),
                },
            }
        };
        if missing.is_empty() {
            return Ok(Self::new(command, boundary));
        }
        let relative: PathBuf = missing.iter().rev().collect();
        // Refuses a name that is a link into nothing leading elsewhere, a file in the way.
        let root = boundary.resolve(&relative)?;
        Ok(Self::new(command, Boundary::of_resolved(root)))
    }

    /// The command.
    pub fn command(&self) -> &str {
        &self.command
    }

    /// The folder, links resolved.
    pub fn root(&self) -> &Path {
        self.boundary.root()
    }

    pub(crate) fn boundary(&self) -> &Boundary {
        &self.boundary
    }

    /// The changes that change something, in the order in which they were planned.
    pub fn changes(&self) -> impl Iterator<Item = &Change> {
        self.changes.iter().filter(|change| !change.is_nothing())
    }

    /// Nothing would change.
    pub fn is_empty(&self) -> bool {
        self.changes().next().is_none()
    }

    /// A file as it would be after what is planned so far: the planned bytes, else those on the
    /// disk. `None` when there is no such file. Paths are relative to the folder, or absolute
    /// below it.
    pub fn read(&self, path: &Path) -> Result<Option<Vec<u8>>> {
        let path = self.relative(path);
        if let Some(change) = self.of(&path) {
            return Ok(change.after.clone());
        }
        Ok(safe_file::read(&self.boundary.resolve(&path)?, LARGEST)?)
    }

    /// Plans that the file, whose bytes are `before` now (`None`: it is absent), holds `after`
    /// afterwards (`None`: it is removed). A second plan for one file keeps the first `before`.
    pub fn put(
        &mut self,
        path: impl AsRef<Path>,
        before: Option<Vec<u8>>,
        after: Option<Vec<u8>>,
    ) -> &mut Change {
        let path = self.relative(path.as_ref());
        let at = if let Some(at) = self.places.get(&path) {
            self.changes[*at].after = after;
            *at
        } else {
            self.places.insert(path.clone(), self.changes.len());
            self.changes.push(Change {
                path,
                before,
                after,
                mode: None,
                keeps_time: false,
                moved_from: None,
                grows_under: None,
                moves_into: None,
                counts: Vec::new(),
            });
            self.changes.len() - 1
        };
        &mut self.changes[at]
    }

    /// Plans a new file; applying is refused if there is one by then.
    pub fn create(&mut self, path: impl AsRef<Path>, after: Vec<u8>) -> &mut Change {
        self.put(path, None, Some(after))
    }

    /// Plans other bytes for a file.
    pub fn replace(
        &mut self,
        path: impl AsRef<Path>,
        before: Vec<u8>,
        after: Vec<u8>,
    ) -> &mut Change {
        self.put(path, Some(before), Some(after))
    }

    /// Plans that a file goes away.
    pub fn remove(&mut self, path: impl AsRef<Path>, before: Vec<u8>) -> &mut Change {
        self.put(path, Some(before), None)
    }

    /// Plans that a file moves, its bytes becoming `after`. The mode goes with it, the time of
    /// change only with [`Change::keep_time`].
    pub fn rename(
        &mut self,
        from: impl AsRef<Path>,
        to: impl AsRef<Path>,
        before: Vec<u8>,
        after: Vec<u8>,
    ) -> &mut Change {
        let from = self.relative(from.as_ref());
        self.remove(&from, before);
        let change = self.create(to, after);
        change.moved_from = Some(from);
        change
    }

    /// What changes, file by file; a move is one line.
    pub fn summary(&self) -> Vec<Summary> {
        let moved: HashSet<&Path> = self
            .changes()
            .filter_map(|change| change.moved_from.as_deref())
            .collect();
        self.changes()
            .filter_map(|change| {
                let before = change.before.as_deref();
                let kind = match (before, change.after.as_deref(), &change.moved_from) {
                    (_, Some(_), Some(from)) => Kind::Moved { from: from.clone() },
                    (None, ..) => Kind::Created,
                    (Some(_), Some(_), None) => Kind::Changed,
                    // Told with the new place.
                    (Some(_), None, _) if moved.contains(change.path.as_path()) => return None,
                    (Some(_), None, _) => Kind::Removed,
                };
                let before = match &kind {
                    Kind::Moved { from } => self.before_of(from),
                    _ => before,
                };
                Some(Summary {
                    path: change.path.clone(),
                    kind,
                    bytes_before: before.map(<[u8]>::len),
                    bytes_after: change.after.as_ref().map(Vec::len),
                })
            })
            .collect()
    }

    fn of(&self, path: &Path) -> Option<&Change> {
        self.changes.get(*self.places.get(path)?)
    }

    pub(crate) fn before_of(&self, path: &Path) -> Option<&[u8]> {
        self.of(path)?.before()
    }

    pub(crate) fn after_of(&self, path: &Path) -> Option<&[u8]> {
        self.of(path)?.after()
    }

    /// Unified diffs for people: moves named as such, removals with their size, nothing in it that
    /// steers a terminal. Empty when nothing would change. `shown`: a file's text as its lines may be
    /// shown, each in its place.
    pub fn diff(&self, shown: Shown) -> String {
        diff::of(self, shown)
    }

    /// [`Journal::open`] and [`Journal::apply`] in one. A command whose plan depends on files that
    /// another mnemo may change at the same time opens the journal first and plans then.
    pub fn apply(&self, env: &Env) -> Result<Applied> {
        Journal::open(env)?.apply(self)
    }

    fn relative(&self, path: &Path) -> PathBuf {
        path.strip_prefix(self.root()).unwrap_or(path).to_owned()
    }

    /// The real paths of the changes, removals last so that nothing is away before its new place
    /// holds it.
    pub(crate) fn ordered(&self) -> Result<Vec<(&Change, PathBuf)>> {
        let mut ordered = Vec::new();
        let mut taken = HashSet::new();
        for change in self.changes() {
            let real = self.boundary.resolve(&change.path)?;
            let named = self.root().join(&change.path);
            if change.after.is_none()
                && std::fs::symlink_metadata(&named).is_ok_and(|meta| meta.is_symlink())
            {
                let why =
                    "it is a link, so what it leads to is not removed; remove the link by hand";
                return Err(safe_file::Error::refused(&named, why).into());
            }
            if !taken.insert(real.clone()) {
                return Err(Error::Twice(change.path.clone()));
            }
            ordered.push((change, real));
        }
        ordered.sort_by_key(|(change, _)| change.after.is_none());
        Ok(ordered)
    }
}

fn is_absent(error: &safe_file::Error) -> bool {
    matches!(error, safe_file::Error::Io { source, .. } if source.kind() == std::io::ErrorKind::NotFound)
}

/// One line of what changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Summary {
    /// The file, relative to the set's folder.
    pub path: PathBuf,
    /// What happens to it.
    #[serde(flatten)]
    pub kind: Kind,
    /// Its size before, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_before: Option<usize>,
    /// Its size afterwards, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bytes_after: Option<usize>,
}

/// What happens to a file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "change", rename_all = "lowercase")]
pub enum Kind {
    /// It is new.
    Created,
    /// Its bytes change.
    Changed,
    /// It goes away.
    Removed,
    /// It gets another name, and perhaps other bytes.
    Moved {
        /// Its old name.
        from: PathBuf,
    },
}
