//! What earlier runs found out about the transcripts. A cache: losing it costs time only.

use crate::Error;
use crate::candidates::Candidate;
use chrono::NaiveDate;
use record::Record;
use record::index::{CHAINS, Index, Seen, Settled};
use serde_json::value::RawValue;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

/// How many transcripts can be read on from where they were left; those that changed last. Others
/// are read from their beginning if they ever change again.
const CHAINED: usize = 100;

/// What is remembered of one transcript besides its size and inode.
#[derive(Debug, Clone, PartialEq, serde::Serialize, serde::Deserialize)]
pub(crate) struct Place {
    /// Offset where reading goes on.
    pub(crate) offset: u64,
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

/// How reading goes on, kept apart from the index: it is needed only when a transcript changed.
#[derive(Debug, Clone, serde::Serialize, serde::Deserialize)]
struct Chain {
    /// When the transcript changed last, seconds since 1970.
    changed: u64,
    /// The position as JSON: it is understood only when it is needed.
    at: Box<RawValue>,
}

type Chains = BTreeMap<String, Chain>;

/// The index, and whether it has to be saved.
#[derive(Debug)]
pub(crate) struct Memory {
    index: Index<Place>,
    /// Read when the first of them is asked for.
    chains: OnceCell<Chains>,
    changed: bool,
}

impl Memory {
    pub(crate) fn load(record: &Record) -> Self {
        Self {
            index: Index::load(record),
            chains: OnceCell::new(),
            changed: false,
        }
    }

    /// Where reading a transcript goes on; from its beginning if that is not known any more.
    pub(crate) fn position(&self, key: &str, record: &Record) -> transcript::Position {
        let known = self.seen(key).map(|seen| seen.position.offset);
        self.chains(record)
            .get(key)
            .and_then(|chain| serde_json::from_str(chain.at.get()).ok())
            .filter(|at: &transcript::Position| Some(at.offset) == known)
            .unwrap_or_default()
    }

    fn chains(&self, record: &Record) -> &Chains {
        self.chains.get_or_init(|| {
            CHAINS
                .load(record)
                .and_then(|bytes| serde_json::from_slice(&bytes).ok())
                .unwrap_or_default()
        })
    }

    /// Start directories that belonged to the record when they were there.
    pub(crate) fn starts(&self) -> BTreeSet<PathBuf> {
        // Compared as text first: hundreds of sessions start in a handful of places.
        let starts: BTreeSet<&OsStr> = self
            .all()
            .filter(|(_, place)| place.ours)
            .filter_map(|(_, place)| place.start.as_deref().map(Path::as_os_str))
            .collect();
        starts.into_iter().map(PathBuf::from).collect()
    }

    /// Those of [`Memory::starts`] that an index of our own vouches for. One that came with a
    /// repository may claim other projects' directories, but cannot know the files' inodes.
    pub(crate) fn confirmed_starts(&self, candidates: &[Candidate]) -> BTreeSet<PathBuf> {
        let starts: BTreeSet<&OsStr> = candidates
            .iter()
            .filter_map(|one| {
                let seen = self.seen(&one.key)?;
                let same = seen.inode == one.inode && seen.size <= one.size;
                let start = seen.position.start.as_deref()?;
                (same && seen.position.ours).then_some(start.as_os_str())
            })
            .collect();
        starts.into_iter().map(PathBuf::from).collect()
    }

    /// Notes that nothing is left to do in the transcripts as they are, or that something is.
    pub(crate) fn settle(&mut self, state: Option<u64>, root: &Path) {
        let settled = state.map(|state| Settled {
            state,
            starts: self
                .starts()
                .into_iter()
                .filter(|start| !start.starts_with(root))
                .filter_map(|start| start.into_os_string().into_string().ok())
                .collect(),
        });
        if self.index.settled != settled {
            self.index.settled = settled;
            self.changed = true;
        }
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

    pub(crate) fn remember(&mut self, found: Found, record: &Record) {
        let seen = Seen {
            size: found.size,
            inode: found.inode,
            position: found.place,
        };
        if self.index.transcripts.get(&found.key) == Some(&seen) {
            return;
        }
        self.changed = true;
        self.index.transcripts.insert(found.key.clone(), seen);
        self.chains(record);
        if let (Some(chains), Ok(at)) = (
            self.chains.get_mut(),
            serde_json::value::to_raw_value(&found.at),
        ) {
            let changed = found
                .changed
                .and_then(|time| time.duration_since(UNIX_EPOCH).ok())
                .map_or(0, |time| time.as_secs());
            chains.insert(found.key, Chain { changed, at });
        }
    }

    /// Whether it has to be saved.
    pub(crate) fn is_changed(&self) -> bool {
        self.changed
    }

    /// Saves it if anything changed (and there is a folder for it).
    pub(crate) fn save(&mut self, record: &Record) -> Result<(), Error> {
        if self.changed {
            // First what the index speaks of.
            if let Some(chains) = self.chains.get_mut() {
                let transcripts = &self.index.transcripts;
                forget_oldest(chains, |key| {
                    transcripts
                        .get(key)
                        .is_some_and(|seen| !seen.position.complete)
                });
                if let Ok(bytes) = serde_json::to_vec(chains) {
                    CHAINS.save(record, &bytes)?;
                }
            }
            self.index.save(record)?;
            self.changed = false;
        }
        Ok(())
    }
}

/// What a reading found out about its transcript.
#[derive(Debug)]
pub(crate) struct Found {
    pub(crate) key: String,
    pub(crate) size: u64,
    pub(crate) inode: u64,
    /// When it changed last.
    pub(crate) changed: Option<SystemTime>,
    /// Where reading goes on.
    pub(crate) at: transcript::Position,
    pub(crate) place: Place,
}

/// Keeps the chains of what changed last and of what was not read to its end.
fn forget_oldest(chains: &mut Chains, is_needed: impl Fn(&str) -> bool) {
    if chains.len() <= CHAINED {
        return;
    }
    let mut times: Vec<u64> = chains.values().map(|chain| chain.changed).collect();
    times.sort_unstable_by_key(|time| std::cmp::Reverse(*time));
    let oldest = times.get(CHAINED - 1).copied().unwrap_or_default();
    chains.retain(|key, chain| chain.changed >= oldest || is_needed(key));
}
