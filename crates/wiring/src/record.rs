//! `<state>/wiring.json`: what install wrote where, so that uninstall takes out exactly that.

use crate::plan::Undo;
use crate::{Error, Result};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

const VERSION: u32 = 1;
const LARGEST: u64 = 16 << 20;

/// The whole note. One settings file each, since `CLAUDE_CONFIG_DIR` can name several.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Records {
    pub(crate) version: u32,
    pub(crate) files: Vec<Record>,
}

/// What install did to one settings file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Record {
    pub(crate) settings: PathBuf,
    /// The exact commands that are ours.
    pub(crate) commands: Vec<String>,
    /// Install made the file.
    pub(crate) made_file: bool,
    /// Install made the folder.
    pub(crate) made_folder: bool,
    /// The file in the backup folder that holds the bytes from before, if they can be given back.
    pub(crate) before: Option<String>,
    /// Fingerprint of the bytes that install left.
    pub(crate) after: String,
    #[serde(flatten)]
    pub(crate) undo: Undo,
}

impl Records {
    pub(crate) fn path(state: &Path) -> PathBuf {
        state.join("wiring.json")
    }

    /// A damaged note counts as none: entries of ours are still known by their present commands.
    pub(crate) fn load(state: &Path) -> Result<Self> {
        let path = Self::path(state);
        let Some(bytes) = safe_file::read(&path, LARGEST)? else {
            return Ok(Self::default());
        };
        let records: Self = serde_json::from_slice(&bytes).unwrap_or_default();
        if records.version > VERSION {
            return Err(Error::Newer(path));
        }
        Ok(records)
    }

    pub(crate) fn save(&self, state: &Path) -> Result<()> {
        let path = Self::path(state);
        if self.files.is_empty() {
            safe_file::remove(&path)?;
            return Ok(());
        }
        let whole = Self {
            version: VERSION,
            files: self.files.clone(),
        };
        let mut bytes = serde_json::to_vec_pretty(&whole).unwrap_or_default();
        bytes.push(b'\n');
        Ok(safe_file::replace_durably(&path, &bytes)?)
    }

    pub(crate) fn of(&self, settings: &Path) -> Option<&Record> {
        self.files.iter().find(|r| r.settings == settings)
    }

    pub(crate) fn with(&self, record: Record) -> Self {
        let mut records = self.without(&record.settings);
        records.files.push(record);
        records
    }

    pub(crate) fn without(&self, settings: &Path) -> Self {
        let mut records = self.clone();
        records.files.retain(|r| r.settings != settings);
        records
    }
}

impl Record {
    pub(crate) fn own(&self) -> BTreeSet<String> {
        self.commands.iter().cloned().collect()
    }
}

/// Tells one content from another (FNV-1a, 128 bits, and the length). Not against forgery: whoever
/// can write here can write the settings too.
pub(crate) fn fingerprint(bytes: &[u8]) -> String {
    const OFFSET: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    const PRIME: u128 = 0x0000_0000_0100_0000_0000_0000_0000_013b;
    let hash = bytes.iter().fold(OFFSET, |hash, byte| {
        (hash ^ u128::from(*byte)).wrapping_mul(PRIME)
    });
    format!("{hash:032x}-{}", bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fingerprints_are_fnv_1a() {
        assert_eq!(fingerprint(b""), "6c62272e07bb014262b821756295c58d-0");
        assert_eq!(fingerprint(b"foobar"), "343e1662793c64bf6f0d3597ba446f18-6");
    }

    #[test]
    fn a_note_survives_and_a_damaged_or_newer_one_does_no_harm() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(Records::load(dir.path()).unwrap(), Records::default());
        let record = Record {
            settings: "/a/settings.json".into(),
            commands: vec!["'/a b/prompt-save'".to_owned()],
            before: Some("settings-1.json".to_owned()),
            undo: Undo {
                made_hooks: true,
                removed: vec![("Stop".to_owned(), "{}".to_owned())],
                auto_memory: Some(crate::plan::AutoMemory { before: None }),
                ..Undo::default()
            },
            ..Record::default()
        };
        let records = Records::default().with(record.clone());
        records.save(dir.path()).unwrap();
        let loaded = Records::load(dir.path()).unwrap();
        assert_eq!(loaded.of(Path::new("/a/settings.json")), Some(&record));
        loaded.without(&record.settings).save(dir.path()).unwrap();
        assert!(!Records::path(dir.path()).exists());

        std::fs::write(Records::path(dir.path()), "{").unwrap();
        assert_eq!(Records::load(dir.path()).unwrap(), Records::default());
        std::fs::write(Records::path(dir.path()), r#"{"version":2,"files":[]}"#).unwrap();
        assert_eq!(Records::load(dir.path()).unwrap_err().exit_code(), 4);
    }
}
