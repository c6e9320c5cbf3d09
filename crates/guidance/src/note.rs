//! `<state>/guidance.json`: what was made where, so that uninstall takes out exactly that.

use crate::{Error, Result};
use mnemo_home::{Env, Folders};
use safe_file::Lock;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::time::Duration;

const VERSION: u32 = 1;
const LARGEST: u64 = 4 << 20;
/// Longest wait for the lock.
const PATIENCE: Duration = Duration::from_secs(10);

/// The whole note.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Note {
    version: u32,
    /// By skill folder: its files (relative, with `/`) and what was written into them.
    pub(crate) skills: BTreeMap<PathBuf, BTreeMap<String, String>>,
    /// Folders above those that were not there before.
    pub(crate) folders: BTreeSet<PathBuf>,
    /// Files that hold blocks of ours.
    pub(crate) rules: BTreeSet<PathBuf>,
    /// Those of them that were not there before.
    pub(crate) made: BTreeSet<PathBuf>,
}

impl Note {
    /// The state folder.
    pub(crate) fn folder(env: &Env) -> Result<PathBuf> {
        Folders::of(env).state.ok_or(Error::NoHome)
    }

    fn path(state: &Path) -> PathBuf {
        state.join("guidance.json")
    }

    /// One at a time reads the note, changes things and writes it.
    pub(crate) fn lock(state: &Path) -> Result<Lock> {
        safe_file::create_private_dir(state)?;
        Ok(Lock::acquire(&state.join("guidance.lock"), PATIENCE)?)
    }

    /// A damaged note counts as none: what it spoke of is left alone then.
    pub(crate) fn load(state: &Path) -> Result<Self> {
        let path = Self::path(state);
        let Some(bytes) = safe_file::read(&path, LARGEST)? else {
            return Ok(Self::default());
        };
        let note: Self = serde_json::from_slice(&bytes).unwrap_or_default();
        if note.version > VERSION {
            return Err(Error::Newer(path));
        }
        Ok(note)
    }

    pub(crate) fn save(&mut self, state: &Path) -> Result<()> {
        let path = Self::path(state);
        if self.skills.is_empty() && self.rules.is_empty() {
            safe_file::remove(&path)?;
            return Ok(());
        }
        self.version = VERSION;
        safe_file::create_private_dir(state)?;
        let mut bytes = serde_json::to_vec_pretty(self)
            .map_err(|error| safe_file::Error::io("write", &path, error.into()))?;
        bytes.push(b'\n');
        Ok(safe_file::replace_durably(&path, &bytes)?)
    }
}

/// Tells whether somebody changed what was written: a checksum and the length.
pub(crate) fn fingerprint(bytes: &[u8]) -> String {
    format!("{:016x}-{}", mnemo_home::checksum(bytes), bytes.len())
}
