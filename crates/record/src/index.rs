//! `conversations/.mnemo-index.json`: what repair remembers of transcripts. A cache: deleting or
//! damaging it costs time, never an entry or a duplicate.

use crate::{CONVERSATIONS, Record, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;

/// The file.
const INDEX: Cache = Cache(".mnemo-index.json");
/// Largest index that is read; ten thousand transcripts need about 3 MB.
const LIMIT: u64 = 64 << 20;
/// The version that is written.
const VERSION: u32 = 2;
/// Keys that are ours: the version, the transcripts, and the original's list of saved replies.
const OURS: [&str; 3] = ["version", "transcripts", "claude"];

/// What is remembered of one transcript.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Seen<P> {
    /// Its size when it was last read.
    pub size: u64,
    /// Its inode (0 where there is none).
    pub inode: u64,
    /// Where to go on (the transcript crate's position).
    pub position: P,
}

/// The index: per transcript path what was seen; the original's version-1 lists and foreign keys
/// are kept.
#[derive(Debug, Clone, Default)]
pub struct Index<P> {
    /// By file name (relative to the client's projects folder).
    pub transcripts: BTreeMap<String, Seen<P>>,
    /// Uuids that the original's index lists, by local date; each counts only if that day holds a
    /// legacy entry with the same text.
    pub legacy: BTreeMap<String, Vec<String>>,
    foreign: BTreeMap<String, Box<RawValue>>,
}

impl<P: PartialEq> PartialEq for Index<P> {
    fn eq(&self, other: &Self) -> bool {
        let raw = |index: &Self| -> Vec<(String, String)> {
            let foreign = index.foreign.iter();
            foreign
                .map(|(key, value)| (key.clone(), value.get().to_owned()))
                .collect()
        };
        self.transcripts == other.transcripts
            && self.legacy == other.legacy
            && raw(self) == raw(other)
    }
}

/// A file of the record that lies beside the index and can be made again like it.
#[derive(Debug, Clone, Copy)]
pub struct Cache(&'static str);

/// How chains of records that cross a reading position go on: too much to be read at each start.
pub const CHAINS: Cache = Cache(".mnemo-chains.json");

impl Cache {
    /// Its bytes; `None` when it is absent or cannot be read.
    pub fn load(self, record: &Record) -> Option<Vec<u8>> {
        let path = record
            .resolve(&format!("{CONVERSATIONS}/{}", self.0))
            .ok()?;
        safe_file::read(&path, LIMIT).ok().flatten()
    }

    /// Writes it; without `conversations/` there is nothing to remember, and nothing is written.
    pub fn save(self, record: &Record, bytes: &[u8]) -> Result<()> {
        if record.resolve(CONVERSATIONS)?.is_dir() {
            let path = record.resolve(&format!("{CONVERSATIONS}/{}", self.0))?;
            safe_file::replace_cheaply(&path, bytes)?;
        }
        Ok(())
    }
}

impl<P: DeserializeOwned> Index<P> {
    /// Reads the index of a record. Absent, damaged or unreadable: an empty one. Parts that are not
    /// understood are left out, foreign keys kept.
    pub fn load(record: &Record) -> Self {
        INDEX
            .load(record)
            .map_or_else(Self::empty, |bytes| Self::parse(&bytes))
    }

    fn empty() -> Self {
        Self {
            transcripts: BTreeMap::new(),
            legacy: BTreeMap::new(),
            foreign: BTreeMap::new(),
        }
    }

    fn parse(bytes: &[u8]) -> Self {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        let mut index = Self::empty();
        let Ok(keys) = serde_json::from_slice::<BTreeMap<String, &RawValue>>(bytes) else {
            return index;
        };
        let read = |key: &str| keys.get(key).map_or("", |value| value.get());
        let version = serde_json::from_str::<u32>(read("version")).unwrap_or(0);
        if version == VERSION {
            index.transcripts = serde_json::from_str(read("transcripts")).unwrap_or_default();
        }
        index.legacy = serde_json::from_str(read("claude")).unwrap_or_default();
        index.foreign = keys
            .into_iter()
            .filter(|(key, _)| !OURS.contains(&key.as_str()))
            .map(|(key, value)| (key, value.to_owned()))
            .collect();
        index
    }
}

impl<P: Serialize> Index<P> {
    /// Writes the index; `conversations/` must be there (without it there is nothing to remember,
    /// and nothing is written).
    pub fn save(&self, record: &Record) -> Result<()> {
        let path = record.resolve(&format!("{CONVERSATIONS}/{}", INDEX.0))?;
        let failed = |error| safe_file::Error::io("write", &path, error);
        let text = self.render().map_err(|error| failed(error.into()))?;
        INDEX.save(record, &text)
    }

    fn render(&self) -> serde_json::Result<Vec<u8>> {
        #[derive(Serialize)]
        struct File<'a, P> {
            version: u32,
            transcripts: &'a BTreeMap<String, Seen<P>>,
            #[serde(skip_serializing_if = "BTreeMap::is_empty")]
            claude: &'a BTreeMap<String, Vec<String>>,
            #[serde(flatten)]
            foreign: &'a BTreeMap<String, Box<RawValue>>,
        }
        let mut bytes = serde_json::to_vec(&File {
            version: VERSION,
            transcripts: &self.transcripts,
            claude: &self.legacy,
            foreign: &self.foreign,
        })?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}
