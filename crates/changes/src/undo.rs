//! Taking sets back, the last one first.

use crate::Shown;
use crate::journal::{self, check, folder};
use crate::set::{Set, State, Stored};
use crate::{ChangeSet, Journal, Result};
use mnemo_home::Env;
use serde::Serialize;
use std::path::PathBuf;

/// A set, as it is listed.
#[derive(Debug, Clone, Serialize)]
pub struct Entry {
    /// Its name in the undo folder.
    pub set: String,
    /// The command.
    pub command: String,
    /// When, RFC 3339, local.
    pub time: String,
    /// Whether it was taken back.
    pub undone: bool,
    /// The folder that the files are relative to.
    pub root: PathBuf,
    /// The files.
    pub files: Vec<File>,
}

/// A file of a set.
#[derive(Debug, Clone, Serialize)]
pub struct File {
    /// Relative to the set's folder.
    pub path: PathBuf,
    /// What the set did to it.
    pub change: Done,
}

/// What a set did to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Done {
    /// It made it.
    Created,
    /// It changed its bytes.
    Changed,
    /// It removed it.
    Removed,
}

/// What [`last`] took back, or would.
#[derive(Debug, Clone, Serialize)]
pub struct Undone {
    /// The set.
    #[serde(flatten)]
    pub entry: Entry,
    /// What taking it back changes, for people.
    #[serde(skip)]
    pub diff: String,
}

/// What is kept of changes.
#[derive(Debug, Default)]
pub struct Kept {
    /// The sets, newest first.
    pub sets: Vec<Entry>,
    /// Folders of those whose list of files is damaged or of a newer version, oldest first. They are
    /// left as they are.
    pub unreadable: Vec<PathBuf>,
}

/// What is kept of changes. Changes nothing, needs no lock.
pub fn kept(env: &Env) -> Result<Kept> {
    let Some(folder) = folder(env) else {
        return Ok(Kept::default());
    };
    let kept = journal::kept(&folder)?;
    Ok(Kept {
        sets: kept.sets.iter().rev().map(Entry::of).collect(),
        unreadable: kept.unreadable,
    })
}

/// Takes back the last set that is not taken back yet and that `wanted` says yes to: bytes, modes
/// and times of change come back, folders made for it go if they are empty. `None` when there is
/// none. If a file changed since, nothing is done and the error names it
/// ([`crate::Error::ChangedSince`]). `dry_run` looks and changes nothing.
pub fn last(
    env: &Env,
    dry_run: bool,
    shown: Shown,
    wanted: impl Fn(&Entry) -> bool,
) -> Result<Option<Undone>> {
    if folder(env).is_none_or(|folder| !folder.exists()) {
        return Ok(None);
    }
    let journal = Journal::open(env)?;
    let Some(mut set) = journal.last(|set| wanted(&Entry::of(set)))? else {
        return Ok(None);
    };
    let mut undone = Undone {
        entry: Entry::of(&set),
        diff: diff(&set, shown)?,
    };
    if dry_run {
        check(&set)?;
    } else {
        journal.undo(&mut set)?;
        undone.entry.undone = true;
    }
    Ok(Some(undone))
}

fn diff(set: &Set, shown: Shown) -> Result<String> {
    let mut back = ChangeSet::new("undo", set.boundary());
    for step in set.steps()? {
        let bytes = |image: Option<crate::tree::Image>| image.map(|image| image.bytes);
        back.put(&step.path, bytes(step.to), bytes(step.from));
    }
    Ok(back.diff(shown))
}

impl Entry {
    fn of(set: &Set) -> Self {
        let manifest = &set.manifest;
        Self {
            set: set.id(),
            command: manifest.command.clone(),
            time: manifest.time.clone(),
            undone: matches!(set.state, State::Undone | State::Reverting),
            root: manifest.root.clone(),
            files: manifest.files.iter().map(File::of).collect(),
        }
    }
}

impl File {
    fn of(stored: &Stored) -> Self {
        Self {
            path: stored.path.clone(),
            change: match (&stored.before, &stored.after) {
                (None, _) => Done::Created,
                (_, None) => Done::Removed,
                _ => Done::Changed,
            },
        }
    }
}
