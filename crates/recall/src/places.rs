//! What is searched: a project's record, the client's auto memory, transcripts.

use chrono::NaiveDate;
use safe_file::Boundary;
use std::path::{Path, PathBuf};

/// Deepest folder below `memory/` that is read.
const DEPTH: usize = 4;

/// Where to search. What is `None` or empty is left out.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// Root of the record.
    pub record: Option<PathBuf>,
    /// The client's auto-memory folder, or any folder of memory entries.
    pub auto: Option<PathBuf>,
    /// Transcript folders; only turns that belong to the record's root count.
    pub transcripts: Vec<PathBuf>,
}

/// The part of the memory that a result comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Layer {
    /// `MEMORY.md`.
    Index,
    /// A memory entry.
    Memory,
    /// A day file.
    Conversations,
    /// Claude Code's own transcript.
    Transcripts,
}

/// A file to be searched.
#[derive(Debug, Clone)]
pub(crate) struct Source {
    pub(crate) path: PathBuf,
    /// As results name it: relative to the record's root, else absolute.
    pub(crate) label: String,
    pub(crate) layer: Layer,
    /// Of a day file; of a memory entry, as far as it tells.
    pub(crate) date: Option<NaiveDate>,
}

/// Day files, oldest first. A folder that is there and cannot be read is told.
pub(crate) fn days(root: &Path, unreadable: &mut Vec<String>) -> Vec<Source> {
    const FOLDER: &str = "conversations";
    let boundary = Boundary::of_resolved(root.to_owned());
    let folder = match boundary.resolve(Path::new(FOLDER)) {
        Ok(folder) => folder,
        Err(error) => {
            if std::fs::symlink_metadata(root.join(FOLDER)).is_ok() {
                unreadable.push(format!("{FOLDER}/: {error}"));
            }
            return Vec::new();
        }
    };
    let listing = match std::fs::read_dir(&folder) {
        Ok(listing) => Some(listing),
        Err(error) => {
            if error.kind() != std::io::ErrorKind::NotFound {
                unreadable.push(format!("{FOLDER}/: {error}"));
            }
            None
        }
    };
    let mut out = Vec::new();
    for entry in listing.into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(date) = name
            .to_str()
            .and_then(|name| name.strip_suffix("-claude.md"))
            .and_then(|date| date.parse::<NaiveDate>().ok())
        else {
            continue;
        };
        // Links are followed inside the root only; what is no file is refused.
        let label = format!("conversations/{date}-claude.md");
        if let Ok(path) = boundary.resolve(Path::new(&label)) {
            out.push(Source {
                path,
                label,
                layer: Layer::Conversations,
                date: Some(date),
            });
        }
    }
    out.sort_by_key(|source| source.date);
    out
}

/// Memory entries of the record, by path. A folder that cannot be read is told.
pub(crate) fn record_items(root: &Path, unreadable: &mut Vec<String>) -> Vec<Source> {
    let boundary = Boundary::of_resolved(root.to_owned());
    let mut out = Vec::new();
    if let Ok(folder) = boundary.resolve(Path::new("memory"))
        && folder.is_dir()
    {
        walk(
            &boundary,
            Path::new("memory"),
            DEPTH,
            &mut |relative, path| {
                out.push(item(path, relative.to_string_lossy().replace('\\', "/")));
            },
            unreadable,
        );
    }
    out
}

/// Entries of a folder of memory entries.
pub(crate) fn folder_items(folder: &Path, unreadable: &mut Vec<String>) -> Vec<Source> {
    let Ok(boundary) = Boundary::new(folder) else {
        return Vec::new();
    };
    let mut out = Vec::new();
    let mut take = |relative: &Path, path| {
        out.push(item(
            path,
            folder.join(relative).to_string_lossy().into_owned(),
        ));
    };
    walk(&boundary, Path::new(""), 2, &mut take, unreadable);
    out
}

fn item(path: PathBuf, label: String) -> Source {
    Source {
        path,
        label,
        layer: Layer::Memory,
        date: None,
    }
}

/// Markdown files below a folder, indexes and archives aside.
fn walk(
    boundary: &Boundary,
    relative: &Path,
    depth: usize,
    take: &mut impl FnMut(&Path, PathBuf),
    unreadable: &mut Vec<String>,
) {
    let Ok(folder) = boundary.resolve(relative) else {
        return;
    };
    let listing = std::fs::read_dir(&folder).map_err(|error| {
        if error.kind() != std::io::ErrorKind::NotFound {
            unreadable.push(format!("{}: {error}", folder.display()));
        }
    });
    let mut names: Vec<_> = listing
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.file_name())
        .collect();
    names.sort();
    for name in names {
        let Some(text) = name.to_str() else {
            continue;
        };
        let index = text.eq_ignore_ascii_case("index.md") || text.eq_ignore_ascii_case("memory.md");
        if text.starts_with(['.', '_']) || text == "archive" || index {
            continue;
        }
        let below = relative.join(text);
        let Ok(path) = boundary.resolve(&below) else {
            continue;
        };
        if path.is_dir() {
            if depth > 1 {
                walk(boundary, &below, depth - 1, take, unreadable);
            }
        } else if Path::new(text).extension().is_some_and(|ext| ext == "md") {
            take(&below, path);
        }
    }
}
