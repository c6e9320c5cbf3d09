//! New bytes out of old ones; every byte outside an edit stays as it was.

use crate::entry::Entry;
use crate::frontmatter::{self, Frontmatter};
use crate::lines;
use std::ops::Range;

/// Why an edit cannot be made. Nothing was changed.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// `name` and `type` are the person's.
    #[error("{key} of {file} is never changed by a tool; edit the file by hand")]
    Fixed {
        /// The entry.
        file: String,
        /// The key.
        key: String,
    },
    /// There is no frontmatter that could be edited.
    #[error("{0} has no complete frontmatter; write one between two lines of `---` first")]
    NoFrontmatter(String),
    /// Frontmatter in a form that is not edited by the line (`{name: a, …}`, anchors and the like).
    #[error(
        "the frontmatter of {0} is written in a form that is not edited safely; write it as `key: value` lines first"
    )]
    Unusual(String),
    /// Bytes that are not UTF-8 cannot be edited by the character.
    #[error("{0} is not valid UTF-8 or was not read; convert it first")]
    NotText(String),
    /// Two edits overlap or lie outside the text.
    #[error("edits overlap or lie outside the text; read the file again")]
    Overlap,
}

/// One replacement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edit {
    /// What goes, bytes; empty for an insertion.
    pub range: Range<usize>,
    /// What comes.
    pub with: String,
}

impl Edit {
    /// An insertion before `at`.
    pub fn insert(at: usize, with: impl Into<String>) -> Self {
        Self {
            range: at..at,
            with: with.into(),
        }
    }

    /// A replacement.
    pub fn replace(range: Range<usize>, with: impl Into<String>) -> Self {
        Self {
            range,
            with: with.into(),
        }
    }
}

/// The text with all edits made. Insertions at one place come in the order given.
pub fn apply(text: &str, mut edits: Vec<Edit>) -> Result<String, Error> {
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let mut out =
        String::with_capacity(text.len() + edits.iter().map(|e| e.with.len()).sum::<usize>());
    let mut at = 0;
    for edit in &edits {
        if edit.range.start > edit.range.end {
            return Err(Error::Overlap);
        }
        out.push_str(text.get(at..edit.range.start).ok_or(Error::Overlap)?);
        out.push_str(&edit.with);
        at = edit.range.end;
    }
    out.push_str(text.get(at..).ok_or(Error::Overlap)?);
    Ok(out)
}

/// Whether a private block stands partly in a piece of a text and partly outside of it: by itself
/// neither would be hidden.
pub fn parts_private(text: &str, piece: &Range<usize>) -> bool {
    redact::private_blocks(text).iter().any(|block| {
        let meets = block.start < piece.end && piece.start < block.end;
        meets && (block.start < piece.start || piece.end < block.end)
    })
}

/// Whether something that stands in a private block could be read once these edits are made: the block
/// closes before it then, or does not open any more.
pub fn reveals(text: &str, edits: &[Edit]) -> bool {
    let hidden = redact::private_blocks(text);
    if hidden.is_empty() {
        return false;
    }
    let mut edits = edits.to_vec();
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    let Ok(after) = apply(text, edits.clone()) else {
        return false;
    };
    let still = redact::private_blocks(&after);
    // What stays, and where it stands afterwards.
    let mut kept = Vec::new();
    let (mut at, mut to) = (0, 0);
    for edit in &edits {
        let stays = edit.range.start.saturating_sub(at);
        kept.push((at..at + stays, to));
        to += stays + edit.with.len();
        at = edit.range.end;
    }
    kept.push((at..text.len(), to));
    kept.iter().any(|(part, to)| {
        hidden.iter().any(|block| {
            let (start, end) = (part.start.max(block.start), part.end.min(block.end));
            start < end
                && !still.iter().any(|still| {
                    still.start <= to + start - part.start && to + end - part.start <= still.end
                })
        })
    })
}

/// Sets one key of an entry's frontmatter: the value where the key stands, else a new line before
/// the closing `---`. Refuses `name` and `type`.
pub fn set_field(entry: &Entry, key: &str, value: &str) -> Result<Edit, Error> {
    let front = editable(entry, key)?;
    let value = frontmatter::scalar(value);
    Ok(match front.field(key) {
        Some(field) => Edit::replace(
            field.value.clone(),
            if field.spaced {
                value
            } else {
                format!(" {value}")
            },
        ),
        None => Edit::insert(
            front.end_of_fields(),
            format!("{key}: {value}{}", lines::newline(entry.text())),
        ),
    })
}

/// Takes one key and its value out of an entry's frontmatter; `None` when it is not there.
pub fn remove_field(entry: &Entry, key: &str) -> Result<Option<Edit>, Error> {
    let front = editable(entry, key)?;
    Ok(front
        .field(key)
        .map(|field| Edit::replace(field.whole.clone(), "")))
}

fn editable<'a>(entry: &'a Entry, key: &str) -> Result<&'a Frontmatter, Error> {
    let file = || entry.file().to_owned();
    if matches!(key, "name" | "type" | "metadata" | "metadata.type") {
        return Err(Error::Fixed {
            file: file(),
            key: key.to_owned(),
        });
    }
    if !entry.is_text() {
        return Err(Error::NotText(file()));
    }
    if !entry.frontmatter().is_closed() {
        return Err(Error::NoFrontmatter(file()));
    }
    if entry.frontmatter().is_flow(entry.text()) {
        return Err(Error::Unusual(file()));
    }
    Ok(entry.frontmatter())
}
