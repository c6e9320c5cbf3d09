//! One entry or item, whole, with its neighbours.

use crate::day::{self, Entry};
use crate::items::{self, Item};
use crate::places::{self, Layer, Places, Source};
use chrono::{NaiveDate, NaiveTime};
use claude_hook::Role;
use memory::record::Placed;
use memory::{Code, Store, StoreKind};
use safe_file::Boundary;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use unicode_normalization::UnicodeNormalization;

/// Larger files are not shown.
const LARGEST: u64 = 64 << 20;
/// Shortest beginning of a turn's id that is looked for.
const SHORTEST_ID: usize = 4;

/// An entry, an item or a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Neighbour {
    /// File, relative to the record's root where it lies inside.
    pub path: String,
    /// First line, from 1.
    pub line: usize,
    /// Its day.
    pub date: Option<NaiveDate>,
    /// Local time.
    pub time: Option<NaiveTime>,
    /// Who said it; nobody in a memory entry.
    pub role: Option<Role>,
    /// Where it lies; `None` for a handoff.
    pub layer: Option<Layer>,
    /// The turn's id, or the item's code.
    pub id: Option<String>,
    /// Title of an item.
    pub title: Option<String>,
    /// The whole text.
    pub text: String,
}

/// What a reference names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Shown {
    /// What stands before.
    pub before: Vec<Neighbour>,
    /// What was asked for: an entry or item; both halves for a turn's id.
    pub found: Vec<Neighbour>,
    /// What stands after.
    pub after: Vec<Neighbour>,
}

/// Finds what a reference names: `path:line` (also of a transcript, where [`Places`] hold them), a turn's id or its beginning, or a code (`a:147`,
/// `g:3`, `l:12`, `h:SLUG`). `neighbours` is how many entries are given on both sides. `None` when
/// there is none.
pub fn show(places: &Places, reference: &str, neighbours: usize) -> Option<Shown> {
    let reference = reference.trim();
    if let Some(wanted) = Code::of(reference) {
        return code(places, wanted);
    }
    if let Some(slug) = reference.strip_prefix("h:") {
        return handoff(places, slug);
    }
    if let Some((path, line)) = reference.rsplit_once(':')
        && let Ok(line) = line.parse::<usize>()
        && let Some(shown) = place(places, path, line, neighbours)
    {
        return Some(shown);
    }
    place(places, reference, 1, neighbours).or_else(|| turn(places, reference, neighbours))
}

fn all_items(places: &Places) -> Vec<Item> {
    let mut sources = Vec::new();
    if let Some(root) = &places.record {
        sources.extend(places::record_items(root));
    }
    if let Some(folder) = &places.auto {
        sources.extend(places::folder_items(folder));
    }
    items::read(sources, &mut Vec::new())
}

fn code(places: &Places, wanted: Code) -> Option<Shown> {
    if let Some(shown) = places
        .record
        .as_ref()
        .and_then(|root| in_record(root, wanted))
    {
        return Some(shown);
    }
    let items = all_items(places);
    let at = items.iter().position(|item| item.code == Some(wanted))?;
    Some(beside(&items, at))
}

/// The record knows its codes best: MEMORY.md may give them to headings of a category's file.
fn in_record(root: &Path, wanted: Code) -> Option<Shown> {
    let store = Store::open(StoreKind::Record, root).ok()?;
    let items = store.items();
    let at = items.iter().position(|item| item.code == Some(wanted))?;
    let category = &items.get(at)?.category;
    let near = |index: Option<usize>| {
        index
            .and_then(|index| items.get(index))
            .filter(|item| item.category == *category)
            .map(|item| {
                let mut brief = of_placed(&store, item);
                brief.text = brief.text.lines().next().unwrap_or_default().to_owned();
                brief
            })
            .into_iter()
            .collect()
    };
    Some(Shown {
        before: near(at.checked_sub(1)),
        found: items
            .get(at)
            .map(|item| of_placed(&store, item))
            .into_iter()
            .collect(),
        after: near(Some(at + 1)),
    })
}

fn of_placed(store: &Store, placed: &Placed) -> Neighbour {
    let entry = store.entry(placed.entry);
    let item = &placed.item;
    let modified = entry
        .modified()
        .map(|time| time.with_timezone(&chrono::Local).date_naive());
    Neighbour {
        path: entry.file().to_owned(),
        line: item.line,
        date: item
            .conversations
            .iter()
            .max()
            .copied()
            .or(item.date)
            .or(modified),
        time: None,
        role: None,
        layer: Some(Layer::Memory),
        id: placed.code.map(|code| code.to_string()),
        title: Some(item.title.clone()).filter(|title| !title.is_empty()),
        text: placed.text(store).to_owned(),
    }
}

fn beside(items: &[Item], at: usize) -> Shown {
    let folder = |item: &Item| item.source.path.parent().map(Path::to_owned);
    let here = items.get(at).and_then(folder);
    let near = |index: Option<usize>| {
        index
            .and_then(|index| items.get(index))
            .filter(|item| folder(item) == here)
            .map(|item| {
                let mut brief = of_item(item);
                // Its first line says what it is.
                brief.text = brief.text.lines().next().unwrap_or_default().to_owned();
                brief
            })
            .into_iter()
            .collect()
    };
    Shown {
        before: near(at.checked_sub(1)),
        found: items.get(at).map(of_item).into_iter().collect(),
        after: near(Some(at + 1)),
    }
}

fn of_item(item: &Item) -> Neighbour {
    Neighbour {
        path: item.source.label.clone(),
        line: item.line,
        date: item.source.date,
        time: None,
        role: None,
        layer: Some(Layer::Memory),
        id: item.code.map(|code| code.to_string()),
        title: Some(item.title.clone()).filter(|title| !title.is_empty()),
        text: item.text.clone(),
    }
}

fn handoff(places: &Places, slug: &str) -> Option<Shown> {
    let root = places.record.as_ref()?;
    let file = memory::record::handoff(root, slug)?;
    whole(&Boundary::of_resolved(root.clone()), &file, None)
}

fn whole(boundary: &Boundary, label: &str, layer: Option<Layer>) -> Option<Shown> {
    let path = boundary.resolve(Path::new(label)).ok()?;
    let bytes = safe_file::read(&path, LARGEST).ok()??;
    Some(Shown {
        found: vec![Neighbour {
            path: label.to_owned(),
            line: 1,
            date: None,
            time: None,
            role: None,
            layer,
            id: None,
            title: None,
            text: String::from_utf8_lossy(&bytes).into_owned(),
        }],
        ..Shown::default()
    })
}

/// The entry around a line of a file. Only files of the searched places are read.
fn place(places: &Places, path: &str, line: usize, neighbours: usize) -> Option<Shown> {
    let wanted = Path::new(path);
    if wanted.extension().is_some_and(|ext| ext == "jsonl") {
        return transcript_at(places, wanted, line, neighbours);
    }
    let absolute = |root: &PathBuf| {
        if wanted.is_absolute() {
            wanted.to_owned()
        } else {
            root.join(wanted)
        }
    };
    let named = |source: &Source| {
        same_name(&source.label, path)
            || [&places.record, &places.auto]
                .into_iter()
                .flatten()
                .any(|root| {
                    same_name(
                        &source.path.to_string_lossy(),
                        &absolute(root).to_string_lossy(),
                    )
                })
    };
    if let Some(root) = &places.record {
        let target = std::fs::canonicalize(absolute(root)).ok();
        if let Some(source) = places::days(root).into_iter().find(|source| {
            target.as_ref().is_some_and(|target| source.path == *target) || named(source)
        }) {
            return entry_at(&source, line, neighbours);
        }
    }
    let items = all_items(places);
    let fits = |item: &Item| {
        named(&item.source)
            || [&places.record, &places.auto]
                .into_iter()
                .flatten()
                .any(|root| {
                    std::fs::canonicalize(absolute(root))
                        .is_ok_and(|target| target == item.source.path)
                })
    };
    if let Some(at) = items.iter().position(fits) {
        return Some(beside(&items, at));
    }
    for root in [&places.record, &places.auto].into_iter().flatten() {
        let index = root.join("MEMORY.md");
        if absolute(root) == index {
            return whole(&Boundary::new(root).ok()?, "MEMORY.md", Some(Layer::Index));
        }
    }
    None
}

/// Whether two names are the same to a reader: some systems take letters apart in names.
fn same_name(a: &str, b: &str) -> bool {
    a == b || a.nfc().eq(b.nfc())
}

/// What was said at a line of a transcript, or last before it.
fn transcript_at(places: &Places, path: &Path, line: usize, neighbours: usize) -> Option<Shown> {
    let (source, turns) = crate::said::of_file(places, path)?;
    let bytes = safe_file::read(&source.path, LARGEST).ok()??;
    let mut lines: HashMap<&[u8], usize> = HashMap::new();
    for (index, record) in bytes.split(|b| *b == b'\n').enumerate() {
        const KEY: &[u8] = b"\"uuid\":\"";
        // In what a record quotes, the quotation marks are escaped.
        for at in memchr::memmem::find_iter(record, KEY) {
            let id = record
                .get(at + KEY.len()..)
                .and_then(|rest| rest.split(|b| *b == b'"').next())
                .unwrap_or_default();
            lines.entry(id).or_insert(index + 1);
        }
    }
    let mut halves: Vec<Neighbour> = Vec::new();
    for turn in &turns {
        for (role, part) in [
            (Role::User, &turn.question),
            (Role::Assistant, &turn.answer),
        ] {
            let Some((time, text)) = part else { continue };
            let known = turn
                .record(role)
                .and_then(|id| lines.get(id.as_bytes()))
                .copied();
            halves.push(Neighbour {
                path: source.label.clone(),
                line: known.or(halves.last().map(|half| half.line)).unwrap_or(1),
                date: turn.day,
                time: Some(*time),
                role: Some(role),
                layer: Some(Layer::Transcripts),
                id: turn.id.clone(),
                title: None,
                text: text.clone(),
            });
        }
    }
    halves.sort_by_key(|half| half.line);
    let at = halves
        .iter()
        .rposition(|half| half.line <= line)
        .or_else(|| (!halves.is_empty()).then_some(0))?;
    let list = |range: std::ops::Range<usize>| halves.get(range).unwrap_or_default().to_vec();
    Some(Shown {
        before: list(at.saturating_sub(neighbours)..at),
        found: list(at..at + 1),
        after: list(at + 1..(at + 1 + neighbours).min(halves.len())),
    })
}

fn entry_at(source: &Source, line: usize, neighbours: usize) -> Option<Shown> {
    let bytes = safe_file::read(&source.path, LARGEST).ok()??;
    let entries = day::entries(&bytes);
    // The byte at which the line begins.
    let at = if line <= 1 {
        0
    } else {
        memchr::memchr_iter(b'\n', &bytes).nth(line - 2)? + 1
    };
    let index = entries.iter().rposition(|entry| entry.span.start <= at)?;
    Some(around(
        source,
        &bytes,
        &entries,
        index..index + 1,
        neighbours,
    ))
}

fn around(
    source: &Source,
    bytes: &[u8],
    entries: &[Entry],
    found: std::ops::Range<usize>,
    neighbours: usize,
) -> Shown {
    let list = |range: std::ops::Range<usize>| {
        entries
            .get(range)
            .unwrap_or_default()
            .iter()
            .map(|entry| Neighbour {
                path: source.label.clone(),
                line: memchr::memchr_iter(b'\n', bytes.get(..entry.span.start).unwrap_or_default())
                    .count()
                    + 1,
                date: source.date,
                time: Some(entry.time),
                role: Some(entry.role),
                layer: Some(Layer::Conversations),
                id: entry.attribute(bytes, "id").map(str::to_owned),
                title: None,
                text: entry.text(bytes),
            })
            .collect()
    };
    Shown {
        before: list(found.start.saturating_sub(neighbours)..found.start),
        after: list(found.end..(found.end + neighbours).min(entries.len())),
        found: list(found),
    }
}

/// All entries of a turn, by the beginning of its id.
fn turn(places: &Places, id: &str, neighbours: usize) -> Option<Shown> {
    let root = places.record.as_ref()?;
    if id.len() < SHORTEST_ID
        || !id
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
    {
        return None;
    }
    let needle = format!(" id={id}");
    let finder = memchr::memmem::Finder::new(&needle);
    for source in places::days(root).into_iter().rev() {
        let Ok(Some(bytes)) = safe_file::read(&source.path, LARGEST) else {
            continue;
        };
        if finder.find(&bytes).is_none() {
            continue;
        }
        let entries = day::entries(&bytes);
        let is = |entry: &Entry| {
            entry
                .attribute(&bytes, "id")
                .is_some_and(|found| found.starts_with(id))
        };
        if let Some(first) = entries.iter().position(is) {
            let last = entries.iter().rposition(is).unwrap_or(first);
            return Some(around(
                &source,
                &bytes,
                &entries,
                first..last + 1,
                neighbours,
            ));
        }
    }
    None
}
