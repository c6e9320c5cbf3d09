//! Which transcripts may hold turns of this record, and which of them have anything new.

use std::collections::HashSet;
use std::fs::Metadata;
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

/// All transcripts directly inside `folders`, and `own`. One listing a folder, one stat a file.
pub(crate) fn list(projects: &Path, folders: &[PathBuf], own: Option<&Path>) -> Vec<Candidate> {
    let mut all = Vec::new();
    let mut seen = HashSet::new();
    let listed = folders
        .iter()
        .filter_map(|folder| std::fs::read_dir(folder).ok())
        .flat_map(|listing| listing.flatten().map(|entry| entry.path()));
    for path in listed.chain(own.map(Path::to_path_buf)) {
        if path
            .extension()
            .is_none_or(|extension| extension != "jsonl")
        {
            continue;
        }
        let Ok(meta) = std::fs::metadata(&path) else {
            continue;
        };
        if !meta.is_file() || !seen.insert(path.clone()) {
            continue;
        }
        let key = path.strip_prefix(projects).unwrap_or(&path);
        all.push(Candidate {
            key: key.to_string_lossy().into_owned(),
            size: meta.len(),
            inode: inode(&meta),
            changed: meta.modified().ok(),
            born: meta.created().ok(),
            path,
        });
    }
    all
}

#[cfg(unix)]
fn inode(meta: &Metadata) -> u64 {
    std::os::unix::fs::MetadataExt::ino(meta)
}

#[cfg(not(unix))]
fn inode(_: &Metadata) -> u64 {
    0
}
