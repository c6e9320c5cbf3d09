//! Which transcripts may hold turns of this record, and which of them have anything new.

use std::fs::Metadata;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A transcript and its state.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub(crate) path: PathBuf,
    /// Its name in the index.
    pub(crate) key: String,
    pub(crate) size: u64,
    pub(crate) inode: u64,
    pub(crate) changed: Option<SystemTime>,
    pub(crate) born: Option<SystemTime>,
}

impl Candidate {
    /// The session: the file's stem.
    pub(crate) fn session(&self) -> &str {
        self.path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or_default()
    }
}

/// All transcripts directly inside `folders` (each named once), and `own`. One listing a folder, one
/// stat a file.
pub(crate) fn list(projects: &Path, folders: &[PathBuf], own: Option<&Path>) -> Vec<Candidate> {
    let mut all = Vec::new();
    for folder in folders {
        let Ok(listing) = std::fs::read_dir(folder) else {
            continue;
        };
        let prefix = key_of(projects, folder);
        for entry in listing.flatten() {
            let name = entry.file_name();
            if !name.as_encoded_bytes().ends_with(b".jsonl") {
                continue;
            }
            // Asks the open folder, not the whole path again; only a link has to be followed.
            let meta = match entry.metadata() {
                Ok(meta) if meta.is_symlink() => std::fs::metadata(entry.path()),
                meta => meta,
            };
            let Ok(meta) = meta else { continue };
            let key = format!("{prefix}/{}", name.to_string_lossy());
            all.extend(candidate(entry.path(), key, &meta));
        }
    }
    if let Some(own) = own
        && own.extension().is_some_and(|end| end == "jsonl")
        && !folders.iter().any(|folder| own.parent() == Some(folder))
        && let Ok(meta) = std::fs::metadata(own)
    {
        all.extend(candidate(own.to_owned(), key_of(projects, own), &meta));
    }
    all
}

/// A number for the state of all of them: the same as long as none changes, comes or goes.
pub(crate) fn state(candidates: &[Candidate]) -> u64 {
    // Added up, so that the order of a listing does not matter.
    candidates.iter().fold(0, |sum: u64, one| {
        let mut hasher = DefaultHasher::new();
        (&one.key, one.size, one.inode, one.changed).hash(&mut hasher);
        sum.wrapping_add(hasher.finish())
    })
}

/// A name in the index: relative to the client's projects folder.
fn key_of(projects: &Path, path: &Path) -> String {
    let path = path.strip_prefix(projects).unwrap_or(path);
    path.to_string_lossy().into_owned()
}

fn candidate(path: PathBuf, key: String, meta: &Metadata) -> Option<Candidate> {
    meta.is_file().then(|| Candidate {
        key,
        size: meta.len(),
        inode: inode(meta),
        changed: meta.modified().ok(),
        born: meta.created().ok(),
        path,
    })
}

#[cfg(unix)]
fn inode(meta: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(meta)
}

#[cfg(not(unix))]
fn inode(_: &Metadata) -> u64 {
    0
}
