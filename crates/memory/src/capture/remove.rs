//! An entry goes to the archive, and its lines out of MEMORY.md.

use super::place;
use super::update::{lines_to, links_elsewhere, own_line};
use super::{Plan, Refusal, Warning, index_text, set_of};
use crate::edit::{self, Edit};
use crate::frontmatter::scalar;
use crate::index::{self, EntryLine, Index};
use crate::lines::{BOM, newline};
use crate::{Entry, EntryId, Source, Store, Target, tokens};
use chrono::NaiveDate;
use std::fmt::Write as _;
use std::ops::Range;

/// Which entry goes, and why.
#[derive(Debug, Clone)]
pub struct Remove {
    /// The entry: file or name.
    pub entry: String,
    /// Why.
    pub reason: Reason,
    /// The day.
    pub today: NaiveDate,
}

/// Why an entry is archived.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// The project ended and is history.
    Completed,
    /// The problem is over.
    Resolved,
    /// A rule or skill has taken it over.
    Promoted,
    /// Another entry says the same.
    Duplicate,
}

impl Reason {
    /// As the frontmatter has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Resolved => "resolved",
            Self::Promoted => "promoted",
            Self::Duplicate => "duplicate",
        }
    }
}

/// Plans the move of an entry to `_archive/YYYY-MM/`.
pub fn remove(store: &Store, wanted: &Remove) -> Result<Plan, Refusal> {
    if let Some(placed) = super::record::wanted(store, &wanted.entry)? {
        return super::record::remove(store, placed, wanted);
    }
    let id = store
        .find(&wanted.entry)
        .ok_or_else(|| Refusal::NoEntry(wanted.entry.clone()))?;
    let entry = store.entry(id);
    if entry.why_unread().is_some() {
        return Err(Refusal::unreadable(entry));
    }
    let mut warnings = Vec::new();
    let after = if entry.is_text() {
        archived_text(entry, wanted)?.into_bytes()
    } else {
        warnings.push(Warning::NotEdited);
        entry.bytes().to_vec()
    };
    let cost = tokens(after.len() as u64);
    let file = archive_path(store, entry, wanted.today);
    let mut set = set_of(store, "memory remove")?;
    // When it was last tended still tells how long it lived.
    set.rename(entry.file(), &file, entry.bytes().to_vec(), after)
        .keep_time();
    let old = index_text(store)?;
    if let Some(index) = store.index() {
        let gone = own_line(store, index, id).and_then(|line| item(store, index, id, line));
        let gone = gone.unwrap_or_default();
        let edits = gone
            .iter()
            .map(|(_, range)| Edit::replace(range.clone(), ""))
            .collect();
        let new = edit::apply(old, edits)?;
        for line in lines_to(store, id).filter(|line| gone.iter().all(|(own, _)| own != line)) {
            warnings.push(Warning::BrokenLink {
                path: index::FILE.to_owned(),
                line: line - gone.iter().filter(|(own, _)| *own < line).count(),
            });
        }
        set.replace(index::FILE, old.as_bytes().to_vec(), new.into_bytes());
    }
    for link in store.links() {
        if let (Source::Entry(from), Target::Entry(to)) = (link.source, &link.target)
            && *to == id
            && from != id
        {
            warnings.push(Warning::BrokenLink {
                path: store.entry(from).file().to_owned(),
                line: link.line,
            });
        }
    }
    Ok(Plan {
        set,
        file,
        index_line: None,
        tokens: cost,
        warnings,
    })
}

/// An entry's line with those that go on with it, up to the next entry's: numbers and bytes; `None`
/// when one of them speaks of another entry, or a comment or private block goes on below them, so that
/// nothing can be taken out.
pub fn item(
    store: &Store,
    index: &Index,
    id: EntryId,
    line: &EntryLine,
) -> Option<Vec<(usize, Range<usize>)>> {
    let mut gone = vec![(line.line, line.range.clone())];
    for (number, range) in place::continuation(index.text(), line) {
        if links_elsewhere(store, id, number) {
            if index.entries().iter().any(|entry| entry.line == number) {
                break;
            }
            return None;
        }
        gone.push((number, range));
    }
    // Blank lines before the next entry's are not its own.
    while gone.len() > 1
        && gone.last().is_some_and(|(_, range)| {
            let line = index.text().get(range.clone()).unwrap_or_default();
            line.trim().is_empty()
        })
    {
        gone.pop();
    }
    let end = gone.last().map_or(0, |(_, range)| range.end);
    (!index.is_open_at(end)).then_some(gone)
}

/// `_archive/YYYY-MM/name.md` beside the entries, `-2` and so on if that is taken.
pub fn archive_path(store: &Store, entry: &Entry, today: NaiveDate) -> String {
    let folder = store
        .archive_folder()
        .join(today.format("%Y-%m").to_string());
    let relative = |path: std::path::PathBuf| {
        let path = path
            .strip_prefix(store.root())
            .map(std::path::Path::to_owned)
            .unwrap_or(path);
        let parts: Vec<_> = path
            .components()
            .map(|part| part.as_os_str().to_string_lossy().into_owned())
            .collect();
        parts.join("/")
    };
    let mut path = folder.join(entry.file_name());
    let mut number = 2;
    while std::fs::symlink_metadata(&path).is_ok() {
        path = folder.join(format!("{}-{number}.md", entry.stem()));
        number += 1;
    }
    relative(path)
}

/// The text with `archived`, `archive_reason` and `original_name` in its frontmatter.
pub fn archived_text(entry: &Entry, wanted: &Remove) -> Result<String, Refusal> {
    let day = wanted.today.to_string();
    let fields = [
        ("archived", day.as_str()),
        ("archive_reason", wanted.reason.name()),
        ("original_name", entry.file_name()),
    ];
    if entry.frontmatter().is_closed() {
        let edits = fields
            .iter()
            .map(|(key, value)| edit::set_field(entry, key, value))
            .collect::<Result<Vec<_>, _>>()?;
        return Ok(edit::apply(entry.text(), edits)?);
    }
    let text = entry.text();
    let end = newline(text);
    let mut front = format!("---{end}");
    for (key, value) in fields {
        let _ = write!(front, "{key}: {}{end}", scalar(value));
    }
    let _ = write!(front, "---{end}");
    let start = if text.starts_with(BOM) { BOM.len() } else { 0 };
    Ok(edit::apply(text, vec![Edit::insert(start, front)])?)
}
