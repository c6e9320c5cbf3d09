//! One entry or item, whole, with its neighbours.

use crate::day::{self, Entry};
use crate::items::{self, Item};
use crate::places::{self, Layer, Places, Source};
use crate::said;
use chrono::{NaiveDate, NaiveTime};
use claude_hook::Role;
use memory::record::Placed;
use memory::{Code, Store, StoreKind};
use safe_file::Boundary;
use std::ops::Range;
use std::path::{Path, PathBuf};
use unicode_normalization::UnicodeNormalization;

/// Larger files are not shown.
const LARGEST: u64 = 64 << 20;
/// Shortest beginning of a turn's id that is looked for.
pub const SHORTEST_ID: usize = 4;

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
    /// Further turns, of older days, whose id begins as it was asked for.
    pub others: usize,
}

/// Finds what a reference names: `path:line` (also of a transcript, where [`Places`] hold them), a turn's id or its beginning, or a code (`a:147`,
/// `g:3`, `l:12`, `h:SLUG`). `neighbours` is how many entries are given on both sides. `None` when
/// there is none.
///
/// What is private and what looks like a secret is taken out: day files of older tools may hold it.
pub fn show(places: &Places, reference: &str, neighbours: usize) -> Option<Shown> {
    let mut shown = find(places, reference.trim(), neighbours)?;
    let all = shown.before.iter_mut().chain(&mut shown.found);
    for neighbour in all.chain(&mut shown.after) {
        neighbour.text = crate::clean(std::mem::take(&mut neighbour.text));
        neighbour.title = neighbour.title.take().map(crate::clean);
    }
    // The first line of an item says what it is; it is cut only now, since a private block may
    // begin on it.
    for neighbour in shown.before.iter_mut().chain(&mut shown.after) {
        if neighbour.role.is_none() && neighbour.layer == Some(Layer::Memory) {
            let first = neighbour.text.lines().find(|line| !line.trim().is_empty());
            neighbour.text = first.unwrap_or_default().to_owned();
        }
    }
    Some(shown)
}

fn find(places: &Places, reference: &str, neighbours: usize) -> Option<Shown> {
    if let Some(wanted) = Code::of(reference) {
        return code(places, wanted, neighbours);
    }
    if let Some(slug) = reference.strip_prefix("h:") {
        return handoff(places, slug);
    }
    if let Some((path, line)) = reference.rsplit_once(':')
        && let Ok(line) = line.parse::<usize>()
        && let Some(shown) = place(places, path, Some(line), neighbours)
    {
        return Some(shown);
    }
    place(places, reference, None, neighbours).or_else(|| turn(places, reference, neighbours))
}

fn all_items(places: &Places) -> Vec<Item> {
    let mut unreadable = Vec::new();
    let mut out = Vec::new();
    if let Some(root) = &places.record {
        let sources = places::record_items(root, &mut unreadable);
        out.extend(items::of_record(root, sources, &mut unreadable));
    }
    if let Some(folder) = &places.auto {
        let sources = places::folder_items(folder, &mut unreadable);
        out.extend(items::read(sources, &mut unreadable));
    }
    out
}

fn code(places: &Places, wanted: Code, neighbours: usize) -> Option<Shown> {
    if let Some(shown) = places
        .record
        .as_ref()
        .and_then(|root| in_record(root, wanted, neighbours))
    {
        return Some(shown);
    }
    let items = all_items(places);
    let at = items.iter().position(|item| item.code == Some(wanted))?;
    Some(beside(&items, at, neighbours))
}

/// The record knows its codes best: MEMORY.md may give them to headings of a category's file.
fn in_record(root: &Path, wanted: Code, neighbours: usize) -> Option<Shown> {
    let store = Store::open(StoreKind::Record, root).ok()?;
    let items = store.items();
    let at = items.iter().position(|item| item.code == Some(wanted))?;
    let category = &items.get(at)?.category;
    let list = |range: Range<usize>| -> Vec<Neighbour> {
        items
            .get(range)
            .unwrap_or_default()
            .iter()
            .filter(|item| item.category == *category)
            .map(|item| of_placed(&store, item))
            .collect()
    };
    Some(Shown {
        before: list(at.saturating_sub(neighbours)..at),
        found: list(at..at + 1),
        after: list(at + 1..(at + 1).saturating_add(neighbours).min(items.len())),
        others: 0,
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
        title: Some(placed.shown_title(store)).filter(|title| !title.is_empty()),
        text: placed.shown(store),
    }
}

fn beside(items: &[Item], at: usize, neighbours: usize) -> Shown {
    let folder = |item: &Item| item.source.path.parent().map(Path::to_owned);
    let here = items.get(at).and_then(folder);
    let list = |range: Range<usize>| -> Vec<Neighbour> {
        items
            .get(range)
            .unwrap_or_default()
            .iter()
            .filter(|item| folder(item) == here)
            .map(of_item)
            .collect()
    };
    Shown {
        before: list(at.saturating_sub(neighbours)..at),
        found: list(at..at + 1),
        after: list(at + 1..(at + 1).saturating_add(neighbours).min(items.len())),
        others: 0,
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

/// The entry around a line of a file; without a line its first, of a file of memory items all of it.
/// Only files of the searched places are read.
fn place(
    places: &Places,
    path: &str,
    wanted_line: Option<usize>,
    neighbours: usize,
) -> Option<Shown> {
    let line = wanted_line.unwrap_or(1);
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
        if let Some(source) = places::days(root, &mut Vec::new())
            .into_iter()
            .find(|source| {
                target.as_ref().is_some_and(|target| source.path == *target) || named(source)
            })
        {
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
    if let Some(first) = items.iter().position(&fits) {
        // A category's file holds several.
        let here = |item: &&Item| {
            items
                .get(first)
                .is_some_and(|first| first.source.path == item.source.path)
        };
        let several = items.iter().filter(here).count() > 1;
        if let Some(item) = items
            .get(first)
            .filter(|_| several && wanted_line.is_none())
        {
            let root = item.source.path.parent()?;
            let name = item.source.path.file_name()?.to_str()?;
            let mut shown = whole(&Boundary::new(root).ok()?, name, Some(Layer::Memory))?;
            for found in &mut shown.found {
                found.path.clone_from(&item.source.label);
            }
            return Some(shown);
        }
        let at = items
            .iter()
            .rposition(|item| here(&item) && item.line <= line)
            .unwrap_or(first);
        return Some(beside(&items, at, neighbours));
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
    let (source, turns) = said::of_file(places, path)?;
    let bytes = safe_file::read(&source.path, LARGEST).ok()??;
    let lines = said::lines(&bytes);
    let mut halves: Vec<Neighbour> = Vec::new();
    for turn in &turns {
        for (role, part) in [
            (Role::User, &turn.question),
            (Role::Assistant, &turn.answer),
        ] {
            let Some((time, text)) = part else { continue };
            let named = turn.record(role).or(turn.id.as_deref());
            let line = match named.map(str::as_bytes) {
                // As a search gives it.
                Some(id) => lines
                    .get(id)
                    .copied()
                    .unwrap_or_else(|| said::line_of(&source, named)),
                None => halves.last().map_or(1, |half| half.line),
            };
            halves.push(Neighbour {
                path: source.label.clone(),
                line,
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
    let list = |range: Range<usize>| halves.get(range).unwrap_or_default().to_vec();
    Some(Shown {
        before: list(at.saturating_sub(neighbours)..at),
        found: list(at..at + 1),
        after: list(at + 1..(at + 1 + neighbours).min(halves.len())),
        others: 0,
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
    let Some(index) = entries.iter().rposition(|entry| entry.span.start <= at) else {
        return head_of(source, &bytes, &entries, neighbours);
    };
    Some(around(
        source,
        &bytes,
        &entries,
        index..index + 1,
        neighbours,
    ))
}

/// What stands before the first entry of a day; the first entry where that is nothing.
fn head_of(source: &Source, bytes: &[u8], entries: &[Entry], neighbours: usize) -> Option<Shown> {
    let first = entries
        .first()
        .map_or(bytes.len(), |entry| entry.span.start);
    let Some(head) = day::head(bytes, first) else {
        return (!entries.is_empty()).then(|| around(source, bytes, entries, 0..1, neighbours));
    };
    Some(Shown {
        found: vec![Neighbour {
            path: source.label.clone(),
            line: 1,
            date: source.date,
            time: None,
            role: None,
            layer: Some(Layer::Conversations),
            id: None,
            title: None,
            text: head.text(bytes),
        }],
        ..around(source, bytes, entries, 0..0, neighbours)
    })
}

fn around(
    source: &Source,
    bytes: &[u8],
    entries: &[Entry],
    found: Range<usize>,
    neighbours: usize,
) -> Shown {
    let list = |range: Range<usize>| {
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
    let behind = found.end.saturating_add(neighbours).min(entries.len());
    Shown {
        before: list(found.start.saturating_sub(neighbours)..found.start),
        after: list(found.end..behind),
        found: list(found),
        others: 0,
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
    let mut shown: Option<Shown> = None;
    let mut others: Vec<String> = Vec::new();
    for source in places::days(root, &mut Vec::new()).into_iter().rev() {
        let Ok(Some(bytes)) = safe_file::read(&source.path, LARGEST) else {
            continue;
        };
        if finder.find(&bytes).is_none() {
            continue;
        }
        let entries = day::entries(&bytes);
        let id_of = |entry: &Entry| {
            let found = entry.attribute(&bytes, "id")?;
            found.starts_with(id).then(|| found.to_owned())
        };
        if shown.is_some() {
            others.extend(entries.iter().filter_map(id_of));
            continue;
        }
        let is = |entry: &Entry| id_of(entry).is_some();
        if let Some(first) = entries.iter().position(is) {
            let last = entries.iter().rposition(is).unwrap_or(first);
            let range = first..last + 1;
            let turn = around(&source, &bytes, &entries, range, neighbours);
            let whole = |found: &Neighbour| found.id.as_deref() == Some(id);
            if turn.found.iter().all(whole) {
                return Some(turn);
            }
            shown = Some(turn);
        }
    }
    let mut shown = shown?;
    others.retain(|other| {
        !shown
            .found
            .iter()
            .any(|found| found.id.as_ref() == Some(other))
    });
    others.sort_unstable();
    others.dedup();
    shown.others = others.len();
    Some(shown)
}
