//! What earlier runs found out about the transcripts. A cache: losing it costs time only.

use crate::Error;
use chrono::NaiveDate;
use record::Record;
use record::index::{Index, Seen};
use serde_json::value::RawValue;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::PathBuf;

/// What is remembered of one transcript besides its size and inode.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Place {
    /// Where reading goes on, as JSON: it is understood only when it is needed.
    pub(crate) at: Raw,
    /// Whether it was read to its end.
    pub(crate) complete: bool,
    /// Whether a turn that may have been running was left alone.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) open: bool,
    /// The session's start directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) start: Option<PathBuf>,
    /// Ids of its beginning: copies share them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) first: Vec<String>,
    /// Whether turns given in its start directory were found to belong to the record: a worktree
    /// that is thrown away later cannot be asked any more.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(crate) ours: bool,
}

#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
#[serde(transparent)]
pub(crate) struct Raw(Box<RawValue>);

impl PartialEq for Raw {
    fn eq(&self, other: &Self) -> bool {
        self.0.get() == other.0.get()
    }
}

impl Place {
    /// A place without anything else known. `None`: the position cannot be told in JSON.
    pub(crate) fn new(at: &transcript::Position) -> Option<Self> {
        Some(Self {
            at: Raw(serde_json::value::to_raw_value(at).ok()?),
            complete: false,
            open: false,
            start: None,
            first: Vec::new(),
            ours: false,
        })
    }

    /// Where reading goes on; from the beginning if that is not understood.
    pub(crate) fn position(&self) -> transcript::Position {
        serde_json::from_str(self.at.0.get()).unwrap_or_default()
    }
}

/// The index, and whether it has to be saved.
#[derive(Debug)]
pub(crate) struct Memory {
    index: Index<Place>,
    changed: bool,
}

impl Memory {
    pub(crate) fn load(record: &Record) -> Self {
        Self {
            index: Index::load(record),
            changed: false,
        }
    }

    /// Start directories that belonged to the record when they were there.
    pub(crate) fn starts(&self) -> BTreeSet<PathBuf> {
        self.all()
            .filter(|(_, place)| place.ours)
            .filter_map(|(_, place)| place.start.clone())
            .collect()
    }

    pub(crate) fn seen(&self, key: &str) -> Option<&Seen<Place>> {
        self.index.transcripts.get(key)
    }

    pub(crate) fn all(&self) -> impl Iterator<Item = (&str, &Place)> {
        self.index
            .transcripts
            .iter()
            .map(|(key, seen)| (key.as_str(), &seen.position))
    }

    /// Uuids that the original's index lists, by date.
    pub(crate) fn listed(&self) -> HashMap<NaiveDate, HashSet<String>> {
        self.index
            .legacy
            .iter()
            .filter_map(|(date, uuids)| Some((date.parse().ok()?, uuids.iter().cloned().collect())))
            .collect()
    }

    pub(crate) fn remember(&mut self, key: String, size: u64, inode: u64, place: Place) {
        let seen = Seen {
            size,
            inode,
            position: place,
        };
        if self.index.transcripts.get(&key) != Some(&seen) {
            self.index.transcripts.insert(key, seen);
            self.changed = true;
        }
    }

    /// Saves it if anything changed (and there is a folder for it).
    pub(crate) fn save(&mut self, record: &Record) -> Result<(), Error> {
        if self.changed {
            self.index.save(record)?;
            self.changed = false;
        }
        Ok(())
    }
}
