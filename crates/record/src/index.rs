//! `conversations/.mnemo-index.json`: a cache. CONTRACTS section 3, "Index".

use std::collections::BTreeMap;

/// What is remembered of one transcript.
#[derive(Debug, Clone, Default, PartialEq, serde::Serialize, serde::Deserialize)]
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
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Index<P> {
    /// By file name (relative to the client's projects folder).
    pub transcripts: BTreeMap<String, Seen<P>>,
    /// Uuids that the original's index lists, by local date; each counts only if that day holds a
    /// legacy entry with the same text.
    pub legacy: BTreeMap<String, Vec<String>>,
    // implementation: foreign keys
}
