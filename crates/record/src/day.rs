//! Day files: entries rendered and parsed. CONTRACTS section 3 has the exact bytes.

use chrono::NaiveTime;
use claude_hook::{PromptId, RecordId, Role, SessionId};
use redact::Clean;
use std::ops::Range;

/// The hidden second line of an entry. Attributes that are not ours are kept in `more`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marker {
    /// First 8 characters of the session id.
    pub session: Option<String>,
    /// The turn.
    pub turn: Option<String>,
    /// Record uuid, written by repair (`u=`).
    pub uuid: Option<String>,
    /// Other attributes, in order.
    pub more: Vec<(String, String)>,
}

impl Marker {
    /// Values are cut down to letters, digits, `-`, `_`, `.`.
    pub fn new(session: &SessionId, turn: Option<&PromptId>, uuid: Option<&RecordId>) -> Self {
        let _ = (session, turn, uuid);
        unimplemented!()
    }
}

/// An entry to be written. Its body is filtered by type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEntry {
    /// Who.
    pub role: Role,
    /// Heading time; `None` = the time of the append.
    pub time: Option<NaiveTime>,
    /// Marker.
    pub marker: Marker,
    /// Body before escaping.
    pub body: Clean,
}

/// A parsed entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Who.
    pub role: Role,
    /// Heading time (legacy `HH:MM` has second 0).
    pub time: NaiveTime,
    /// `None`: a legacy entry.
    pub marker: Option<Marker>,
    /// Body with escapes taken off (legacy: as it stands).
    pub body: String,
}

/// A parsed entry and where it stands in the file, from its leading LF to before the next one's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The entry.
    pub entry: Entry,
    /// Bytes in the file.
    pub span: Range<u64>,
}

/// What repair needs of one entry, without its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brief {
    /// Who.
    pub role: Role,
    /// Heading time.
    pub time: NaiveTime,
    /// `None`: legacy.
    pub marker: Option<Marker>,
    /// [`hash`] of the unescaped body.
    pub hash: u64,
    /// [`hash_loose`] of the unescaped body.
    pub loose: u64,
    /// Bytes in the file.
    pub span: Range<u64>,
}

/// A day file read for matching, and its state (length, inode, mtime) when it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Digest {
    /// In file order.
    pub entries: Vec<Brief>,
    // implementation: length, inode and mtime of the file
}

/// One change of a day file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A new entry before entry number `before` of the digest (its length = at the end).
    /// Several at one place come in the order given.
    Insert {
        /// Entry number.
        before: usize,
        /// With `time` set.
        entry: NewEntry,
    },
    /// New body (and `u=`) for entry number `at`; heading and other attributes stay.
    Complete {
        /// Entry number.
        at: usize,
        /// Whole body before escaping.
        body: Clean,
        /// Added as `u=` when the entry has none.
        uuid: Option<RecordId>,
    },
}

/// A stable 64-bit hash of a body.
pub fn hash(body: &str) -> u64 {
    let _ = body;
    unimplemented!()
}

/// As [`hash`], white space and backslashes left out (to know legacy entries again).
pub fn hash_loose(body: &str) -> u64 {
    let _ = body;
    unimplemented!()
}

/// Renders one entry: LF, heading LF, marker LF, LF, escaped body, LF.
pub fn render(entry: &NewEntry, time: NaiveTime) -> Vec<u8> {
    let _ = (entry, time);
    unimplemented!()
}

/// Parses a whole day file.
pub fn parse(bytes: &[u8]) -> Vec<Located> {
    let _ = bytes;
    unimplemented!()
}
