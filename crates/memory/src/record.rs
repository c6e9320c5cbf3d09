//! What is a record's own: its categories, their items, and the codes that lead to these.

use crate::code::{self, Code};
use crate::entry::{Entry, EntryId, composed};
use crate::index::{self, Index};
use crate::items::{self, Form, Item};
use crate::links::{LinkKind, Visible, percent_decoded};
use crate::store::{Store, StoreKind, Target};
use safe_file::Boundary;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::path::Path;

/// The folder of the categories.
pub const FOLDER: &str = "memory";

/// What lists a category's items; no item itself.
pub const PAGE: &str = "index.md";

/// Where handoffs lie, the newer place first.
const HANDOFFS: [&str; 2] = ["docs/handoffs", ".claude/handoffs"];

/// An item of a record and where it lies.
#[derive(Debug, Clone)]
pub struct Placed {
    /// Its file.
    pub entry: EntryId,
    /// Its category; `None` for an entry with frontmatter beside the categories.
    pub category: Option<String>,
    /// Its code: what its title says, else what MEMORY.md says, else its file's number, else its
    /// place among the headings of its file.
    pub code: Option<Code>,
    /// What it says.
    pub item: Item,
}

impl Placed {
    /// Its text.
    pub fn text<'a>(&self, store: &'a Store) -> &'a str {
        let text = store.entry(self.entry).text();
        text.get(self.item.range.clone()).unwrap_or(text)
    }

    /// The same as it may be shown, [`Entry::shown`].
    pub fn shown(&self, store: &Store) -> String {
        store.entry(self.entry).shown(self.item.range.clone())
    }

    /// Its title as it may be shown; empty where it has none.
    pub fn shown_title(&self, store: &Store) -> String {
        let whole = redact::by_line(store.entry(self.entry).text());
        let line = whole.lines().nth(self.item.line.saturating_sub(1));
        let line = line.unwrap_or_default();
        let title = match whole {
            Cow::Owned(_) if !line.contains(&self.item.title) => {
                line.trim_start_matches('#').trim()
            }
            _ => &self.item.title,
        };
        redact::clean(title, redact::Policy { secrets: true }).into_string()
    }
}

/// Whether a file of `memory/` is none of the entries: a category's list, or a file without any
/// content yet.
pub(crate) fn is_page(entry: &Entry) -> bool {
    let below = entry.file().strip_prefix("memory/");
    entry.file_name().eq_ignore_ascii_case(PAGE)
        || below.is_some_and(|file| !file.contains('/'))
            && entry.is_text()
            && items::is_scaffold(entry.text())
}

/// The category of a file, by its path.
pub(crate) fn category_of(entry: &Entry) -> Option<&str> {
    let below = entry.file().strip_prefix("memory/")?;
    if let Some((folder, _)) = below.split_once('/') {
        return Some(folder);
    }
    let plain = entry.name().is_none() && entry.kind().is_none();
    plain.then(|| entry.stem())
}

/// All items, by file and line.
pub(crate) fn items_of(store: &Store) -> Vec<Placed> {
    if store.kind() != StoreKind::Record {
        return Vec::new();
    }
    let mut placed: Vec<Placed> = Vec::new();
    for (id, entry) in store.with_ids() {
        let category = category_of(entry).map(str::to_owned);
        let in_folder = entry.file().matches('/').count() > 1;
        let mut items = if category.is_some() && !in_folder {
            items::of_category(entry.text())
        } else {
            Vec::new()
        };
        if items.is_empty() {
            items.push(items::of_file(entry.text()));
        }
        placed.extend(items.into_iter().map(|item| Placed {
            entry: id,
            category: category.clone(),
            code: item.code,
            item,
        }));
    }
    let said = store.index().map(labels).unwrap_or_default();
    for item in placed.iter_mut().filter(|item| item.code.is_none()) {
        let file = composed(store.entry(item.entry).file());
        item.code = said
            .iter()
            .find(|label| {
                label.path == file
                    && (item.item.form == Form::File
                        || items::anchor(&item.item.title) == label.anchor.to_lowercase())
            })
            .map(|label| label.code)
            .or_else(|| {
                let by_path = item.item.form == Form::File;
                by_path.then(|| Code::of_path(&file)).flatten()
            });
    }
    by_place(&mut placed);
    placed
}

/// Items of a category's file that nothing gives a code have that of their place.
fn by_place(placed: &mut [Placed]) {
    let mut taken: HashSet<Code> = placed.iter().filter_map(|item| item.code).collect();
    let mut counts: BTreeMap<EntryId, u32> = BTreeMap::new();
    for item in placed
        .iter_mut()
        .filter(|item| item.item.form == Form::Heading)
    {
        let place = counts.entry(item.entry).or_default();
        *place += 1;
        let letter = item
            .category
            .as_deref()
            .and_then(|name| name.chars().next());
        if item.code.is_none()
            && let Some(code) = letter.and_then(|letter| Code::new(letter, *place, 1))
            && taken.insert(code)
        {
            item.code = Some(code);
        }
    }
}

/// A link of MEMORY.md that is called by a code.
struct Label {
    code: Code,
    path: String,
    anchor: String,
}

fn labels(index: &Index) -> Vec<Label> {
    let text = index.text();
    index
        .links()
        .iter()
        .filter(|link| link.kind == LinkKind::Markdown)
        .filter_map(|link| {
            let label = text.get(link.label.clone())?.trim().trim_matches('`');
            let rest = text
                .get(link.target.end..link.range.end)
                .unwrap_or_default();
            let anchor = rest.strip_prefix('#').unwrap_or_default();
            let end = anchor
                .find(|c: char| c.is_whitespace() || matches!(c, ')' | '>'))
                .unwrap_or(anchor.len());
            Some(Label {
                code: Code::of(label)?,
                path: composed(link.path.trim_start_matches("./")).into_owned(),
                anchor: percent_decoded(&anchor[..end]),
            })
        })
        .collect()
}

/// A code that stands in MEMORY.md, outside of a link.
pub(crate) struct Mention {
    pub(crate) line: usize,
    pub(crate) raw: String,
    pub(crate) target: Target,
}

/// The codes of MEMORY.md and where they lead. One that leads nowhere counts only where nothing
/// else can be meant: a table's cell of codes, with a letter of this record.
pub(crate) fn mentions(store: &Store, index: &Index) -> Vec<Mention> {
    let items = store.items();
    let letters: HashSet<char> = items
        .iter()
        .filter_map(|item| Some(item.code?.letter()))
        .chain(store.pages().iter().filter_map(|page| {
            let name = category_of(page)?;
            name.chars()
                .next()
                .map(|letter| letter.to_ascii_lowercase())
        }))
        .collect();
    let mut found = Vec::new();
    let mut links = index.links().iter().peekable();
    for line in Visible::of(index.text()) {
        if line.fenced {
            continue;
        }
        let raw = crate::lines::lines(&index.text()[line.start..]).next();
        let raw = raw.map_or("", |raw| raw.text);
        while links.next_if(|link| link.line < line.number).is_some() {}
        let in_link = |at: usize| {
            links
                .clone()
                .take_while(|link| link.line == line.number)
                .any(|link| link.range.contains(&(line.start + at)))
        };
        let is_row = raw.trim_start().starts_with('|');
        for (code, range) in code::codes_in(raw).filter(|(_, range)| !in_link(range.start)) {
            let word = raw[range.clone()].to_owned();
            let hit = items.iter().find(|item| item.code == Some(code));
            let target = match hit {
                Some(item) => Target::Entry(item.entry),
                None if is_row
                    && letters.contains(&code.letter())
                    && cell_is_codes(raw, range.start) =>
                {
                    Target::Missing { archived_at: None }
                }
                None => continue,
            };
            found.push(Mention {
                line: line.number,
                raw: word,
                target,
            });
        }
    }
    found
}

/// Whether the cell around a byte of a table's row holds codes only.
fn cell_is_codes(row: &str, at: usize) -> bool {
    let start = row[..at].rfind('|').map_or(0, |bar| bar + 1);
    let end = row[at..].find('|').map_or(row.len(), |bar| at + bar);
    code::only_codes(&row[start..end])
}

/// The handoff that `h:SLUG` means, from the root on: its slug is this one, else its name begins
/// with it or ends with it; the newest of several.
pub fn handoff(root: &Path, slug: &str) -> Option<String> {
    let boundary = Boundary::of_resolved(root.to_owned());
    let newest = HANDOFFS.into_iter().filter_map(|folder| {
        let listing = boundary
            .resolve(Path::new(folder))
            .map(std::fs::read_dir)
            .ok()?;
        let (is_it, name) = listing
            .into_iter()
            .flatten()
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter_map(|name| {
                let stem = name.strip_suffix(".md")?;
                // `YYYY-MM-DD-HHMMSS-` stands before it.
                let is_it = stem == slug || stem.get(18..) == Some(slug);
                (is_it || name.starts_with(slug) || stem.ends_with(slug)).then_some((is_it, name))
            })
            .max()?;
        Some((is_it, format!("{folder}/{name}")))
    });
    // Of two that are equally near the newer folder's.
    let (_, file) = newest.reduce(|a, b| if b.0 && !a.0 { b } else { a })?;
    Some(file)
}

/// The categories there are, by name: their folders and their files.
pub fn categories(store: &Store) -> Vec<String> {
    let mut names: Vec<String> = store
        .entries()
        .iter()
        .chain(store.pages())
        .filter_map(|entry| category_of(entry).map(str::to_owned))
        .filter(|name| name != crate::entry::stem(PAGE) && name != crate::entry::stem(index::FILE))
        .collect();
    names.sort();
    names.dedup();
    names
}
