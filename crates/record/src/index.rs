//! `conversations/.mnemo-index.json`: what repair remembers of transcripts. A cache: deleting or
//! damaging it costs time, never an entry or a duplicate.

use crate::{CONVERSATIONS, Record, Result};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::io::Read as _;

/// The file.
const INDEX: Cache = Cache(".mnemo-index.json");
/// Largest index that is read; ten thousand transcripts need about 3 MB.
const LIMIT: u64 = 64 << 20;
/// The version that is written.
const VERSION: u32 = 2;
/// Keys that are ours: the version, the transcripts, the original's list of saved replies, the seal.
const OURS: [&str; 5] = ["version", "settled", "transcripts", "claude", "check"];
/// How a file's seal begins: the last member of the object, a hash of all bytes before it. A flipped
/// bit can leave a file that reads well and says something else.
const SEAL: &[u8] = b",\"check\":\"";
/// The version and what is settled stand within so many bytes.
const SETTLED_IN: usize = 8 << 10;

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

/// What an index says first, so that a start with nothing new reads no further.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Settled {
    /// Of the state of all transcripts when the last of them had been read to its end.
    pub state: u64,
    /// Directories outside the root, or gone by now, that sessions of this record were started in.
    pub starts: Vec<String>,
}

impl Settled {
    /// Reads the beginning of a record's index. `None`: something is left to do, or not known.
    pub fn of(record: &Record) -> Option<Self> {
        let path = record
            .resolve(&format!("{CONVERSATIONS}/{}", INDEX.0))
            .ok()?;
        let file = safe_file::open_regular(&path).ok()??;
        let mut bytes = Vec::with_capacity(SETTLED_IN);
        file.take(SETTLED_IN as u64).read_to_end(&mut bytes).ok()?;
        let mut members = lenient_json::members(&bytes);
        let version = members.next().filter(|(key, _)| *key == b"version")?.1;
        let (_, settled) = members.next().filter(|(key, _)| *key == b"settled")?;
        if serde_json::from_slice::<u32>(version).ok()? != VERSION {
            return None;
        }
        serde_json::from_slice(settled).ok()
    }
}

/// The index: per transcript path what was seen; the original's version-1 lists and foreign keys
/// are kept.
#[derive(Debug, Clone, Default)]
pub struct Index<P> {
    /// Set while nothing is left to do.
    pub settled: Option<Settled>,
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
        self.settled == other.settled
            && self.transcripts == other.transcripts
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
    /// Its JSON object, without the seal; `None` when it is absent, cannot be read or is not what was written.
    pub fn load(self, record: &Record) -> Option<Vec<u8>> {
        let mut bytes = self.read(record)?;
        if !is_sound(&bytes) {
            return None;
        }
        if let Some(at) = memchr::memmem::rfind(&bytes, SEAL) {
            bytes.truncate(at);
            bytes.push(b'}');
        }
        Some(bytes)
    }

    fn read(self, record: &Record) -> Option<Vec<u8>> {
        let path = record
            .resolve(&format!("{CONVERSATIONS}/{}", self.0))
            .ok()?;
        safe_file::read(&path, LIMIT).ok().flatten()
    }

    /// Writes a JSON object, with a seal; without `conversations/` there is nothing to remember, and
    /// nothing is written.
    pub fn save(self, record: &Record, object: &[u8]) -> Result<()> {
        if record.resolve(CONVERSATIONS)?.is_dir() {
            let path = record.resolve(&format!("{CONVERSATIONS}/{}", self.0))?;
            safe_file::replace_cheaply(&path, &sealed(object))?;
        }
        Ok(())
    }
}

/// The object with its seal as the last member. An empty object stays as it is.
fn sealed(object: &[u8]) -> Vec<u8> {
    let Some(body) = object
        .trim_ascii_end()
        .strip_suffix(b"}")
        .filter(|body| body.len() > 1)
    else {
        return object.to_vec();
    };
    let mut bytes = body.to_vec();
    bytes.extend_from_slice(SEAL);
    bytes.extend_from_slice(format!("{:016x}\"}}\n", mnemo_home::checksum(body)).as_bytes());
    bytes
}

/// Whether a file is as it was written. One without a seal is another tool's.
fn is_sound(bytes: &[u8]) -> bool {
    let Some(at) = memchr::memmem::rfind(bytes, SEAL) else {
        return true;
    };
    let (body, seal) = bytes.split_at(at);
    let digits = seal.get(SEAL.len()..SEAL.len() + 16).unwrap_or_default();
    let rest = seal.get(SEAL.len() + 16..).unwrap_or_default();
    digits == format!("{:016x}", mnemo_home::checksum(body)).as_bytes()
        && rest.trim_ascii_end() == b"\"}"
}

impl<P: DeserializeOwned> Index<P> {
    /// Reads the index of a record. Absent, damaged or unreadable: an empty one. Parts that are not
    /// understood are left out, foreign keys kept.
    pub fn load(record: &Record) -> Self {
        INDEX
            .read(record)
            .map_or_else(Self::empty, |bytes| Self::parse(&bytes))
    }

    fn empty() -> Self {
        Self {
            settled: None,
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
        if version == VERSION && is_sound(bytes) {
            index.transcripts = serde_json::from_str(read("transcripts")).unwrap_or_default();
            index.settled = serde_json::from_str(read("settled")).ok();
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
            #[serde(skip_serializing_if = "Option::is_none")]
            settled: Option<&'a Settled>,
            transcripts: &'a BTreeMap<String, Seen<P>>,
            #[serde(skip_serializing_if = "BTreeMap::is_empty")]
            claude: &'a BTreeMap<String, Vec<String>>,
            #[serde(flatten)]
            foreign: &'a BTreeMap<String, Box<RawValue>>,
        }
        serde_json::to_vec(&File {
            version: VERSION,
            settled: self.settled.as_ref(),
            transcripts: &self.transcripts,
            claude: &self.legacy,
            foreign: &self.foreign,
        })
    }
}
