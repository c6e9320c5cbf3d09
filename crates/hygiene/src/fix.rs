//! The three things that are mended without a person: an offset beyond its log, a `#slug` link with
//! exactly one match, and absolute paths inside the root.

use crate::Result;
use crate::lineage::{call, tool_days};
use crate::observations::{GOTCHAS, LARGEST, LEARNED, Logs, OFFSET};
use crate::split::metadata;
use changes::ChangeSet;
use memory::{Store, StoreKind};
use mnemo_home::Env;
use record::Record;
use safe_file::Boundary;
use std::ops::Range;

/// Keys of lines that lead to what replaced, or was replaced.
const LIFECYCLE: [&str; 3] = ["superseded-by", "superseded_by", "supersedes"];
/// Path fields of an observation's input.
const PATH_FIELDS: [&str; 3] = ["file_path", "notebook_path", "path"];

/// A place in a file that leads nowhere, or is absolute, and what would stand there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    /// The file, relative to the root, with `/`.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// What stands there.
    pub text: String,
    /// Where, in bytes.
    pub range: Range<usize>,
    /// What belongs there; `None` where only a person can tell.
    pub with: Option<String>,
    /// Names of several files that it could mean.
    pub several: Vec<String>,
}

/// The links of lifecycle lines that lead nowhere as they stand: `#slug`, or a name that no file
/// bears.
pub fn lifecycle_links(store: &Store) -> Vec<Spot> {
    let mut spots = Vec::new();
    for entry in store.entries() {
        let folder = entry
            .file()
            .rsplit_once('/')
            .map_or("", |(folder, _)| folder);
        let mut fenced = false;
        for line in entry.lines() {
            let start = line.text.trim_start();
            fenced ^= start.starts_with("```") || start.starts_with("~~~");
            if fenced {
                continue;
            }
            let Some((key, value)) = metadata(line.text) else {
                continue;
            };
            if !LIFECYCLE
                .iter()
                .any(|known| known.eq_ignore_ascii_case(key))
            {
                continue;
            }
            let from = line.start + (value.as_ptr() as usize - line.text.as_ptr() as usize);
            for token in value.split([',', ' ', ';']) {
                let at = from + (token.as_ptr() as usize - value.as_ptr() as usize);
                let name = token.trim_matches(|c: char| matches!(c, '`' | '"' | '\'' | '*' | '.'));
                let at = at + (name.as_ptr() as usize - token.as_ptr() as usize);
                if let Some(spot) = spot(
                    store,
                    entry.text(),
                    entry.file(),
                    folder,
                    name,
                    at,
                    line.number,
                ) {
                    spots.push(spot);
                }
            }
        }
    }
    spots
}

fn spot(
    store: &Store,
    text: &str,
    file: &str,
    folder: &str,
    name: &str,
    at: usize,
    line: usize,
) -> Option<Spot> {
    let found = |with: Option<String>| Spot {
        file: file.to_owned(),
        line,
        text: name.to_owned(),
        range: at..at + name.len(),
        with,
        several: Vec::new(),
    };
    if let Some(slug) = name.strip_prefix('#') {
        // A heading of the file itself is a good target.
        let here = text.lines().any(|line| {
            line.starts_with('#')
                && memory::items::anchor(line.trim_start_matches('#').trim()) == slug.to_lowercase()
        });
        if here || slug.is_empty() {
            return None;
        }
        let matches: Vec<&str> = store
            .entries()
            .iter()
            .filter(|entry| {
                entry
                    .file()
                    .rsplit_once('/')
                    .map_or("", |(folder, _)| folder)
                    == folder
            })
            .filter(|entry| is_numbered(entry.stem(), slug))
            .map(memory::Entry::stem)
            .collect();
        return Some(match matches.as_slice() {
            [one] => found(Some(format!("[[{one}]]"))),
            several => Spot {
                several: several.iter().map(|stem| (*stem).to_owned()).collect(),
                ..found(None)
            },
        });
    }
    if memory::code::Code::of(name).is_some() {
        return store.item(name).is_none().then(|| found(None));
    }
    // A number is that of a file beside this one.
    if name.len() == 3 && name.bytes().all(|byte| byte.is_ascii_digit()) {
        let lead = match folder {
            "" => format!("{name}-"),
            folder => format!("{folder}/{name}-"),
        };
        let is_there = store
            .entries()
            .iter()
            .any(|entry| entry.file().starts_with(&lead));
        return (!is_there).then(|| found(None));
    }
    // Links in brackets are judged with all other links.
    let is_name = std::path::Path::new(name)
        .extension()
        .is_some_and(|ending| ending == "md")
        || name.split_once('-').is_some_and(|(number, _)| {
            number.len() == 3 && number.chars().all(|c| c.is_ascii_digit())
        });
    (is_name
        && !name.contains(['[', '('])
        && store
            .find(name.rsplit('/').next().unwrap_or(name))
            .is_none())
    .then(|| found(None))
}

fn is_numbered(stem: &str, slug: &str) -> bool {
    stem.split_once('-').is_some_and(|(number, rest)| {
        number.len() == 3 && number.chars().all(|c| c.is_ascii_digit()) && rest == slug
    })
}

/// Absolute paths inside the root, where a path stands by itself: `- Project:` of handoffs, edits of
/// the tool log, path fields of observations.
pub fn absolute_paths(record: &Record) -> Result<Vec<Spot>> {
    let mut spots = Vec::new();
    let Some(root) = record.root().path().to_str() else {
        return Ok(spots);
    };
    for handoff in handoff::list(record.root())? {
        for line in memory::lines::lines(handoff.document.text()) {
            let start = line.text.trim_start();
            let Some(rest) = ["- Project:", "- **Project**:", "- **Project:**"]
                .iter()
                .find_map(|lead| start.strip_prefix(lead))
            else {
                continue;
            };
            let path = rest.trim().trim_matches('`');
            if let Some(with) = below(path, root) {
                let at = line.start + (path.as_ptr() as usize - line.text.as_ptr() as usize);
                spots.push(Spot {
                    file: handoff.file.clone(),
                    line: line.number,
                    text: path.to_owned(),
                    range: at..at + path.len(),
                    with: Some(with),
                    several: Vec::new(),
                });
            }
        }
    }
    for date in tool_days(record)? {
        let file = format!("conversations/{date}-toollog.md");
        if let Some(bytes) = holding(record, &file, root)? {
            of_tool_log(&file, &bytes, root, &mut spots);
        }
    }
    for file in [GOTCHAS, LEARNED] {
        if let Some(bytes) = holding(record, file, root)? {
            of_observations(file, &bytes, root, &mut spots);
        }
    }
    Ok(spots)
}

/// Whether a path goes up somewhere: it may lead out.
fn steps_up(path: &str) -> bool {
    path.split('/')
        .any(|part| part.split(' ').next() == Some(".."))
}

/// The path relative to the root, if it lies in it.
fn below(path: &str, root: &str) -> Option<String> {
    if steps_up(path) {
        return None;
    }
    let rest = path.strip_prefix(root)?;
    match rest.strip_prefix('/') {
        Some("") => Some(".".to_owned()),
        Some(rest) => Some(rest.to_owned()),
        None => rest.is_empty().then(|| ".".to_owned()),
    }
}

/// A file's bytes, if the root's path stands anywhere in it.
fn holding(record: &Record, file: &str, root: &str) -> Result<Option<Vec<u8>>> {
    let bytes = safe_file::read(&record.resolve(file)?, LARGEST)?;
    Ok(bytes.filter(|bytes| memchr::memmem::find(bytes, root.as_bytes()).is_some()))
}

fn of_tool_log(file: &str, bytes: &[u8], root: &str, spots: &mut Vec<Spot>) {
    let mut at = 0;
    for (index, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let start = at;
        at += line.len();
        let Ok(text) = std::str::from_utf8(line) else {
            continue;
        };
        let Some((_, tool, detail)) = call(text) else {
            continue;
        };
        if !matches!(tool, "Edit" | "Write" | "MultiEdit" | "NotebookEdit") {
            continue;
        }
        let lead = format!("{root}/");
        if detail.starts_with(&lead) && !steps_up(detail) {
            let from = start + (detail.as_ptr() as usize - text.as_ptr() as usize);
            spots.push(Spot {
                file: file.to_owned(),
                line: index + 1,
                text: detail.to_owned(),
                range: from..from + lead.len(),
                with: Some(String::new()),
                several: Vec::new(),
            });
        }
    }
}

/// In an observation the input is JSON inside a JSON string.
fn of_observations(file: &str, bytes: &[u8], root: &str, spots: &mut Vec<Spot>) {
    // Such a root would be escaped in ways that are not worth knowing.
    if root.contains(['"', '\\']) {
        return;
    }
    let mut at = 0;
    for (index, line) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        for field in PATH_FIELDS {
            for blank in ["", " "] {
                let lead = format!("\\\"{field}\\\":{blank}\\\"");
                let whole = format!("{lead}{root}/");
                let path = |found: usize| {
                    let rest = line.get(found + lead.len()..).unwrap_or_default();
                    let end = memchr::memchr(b'\\', rest).unwrap_or(rest.len());
                    String::from_utf8_lossy(rest.get(..end).unwrap_or_default())
                };
                if let Some(found) = memchr::memmem::find(line, whole.as_bytes())
                    && !steps_up(&path(found))
                {
                    let from = at + found + lead.len();
                    spots.push(Spot {
                        file: file.to_owned(),
                        line: index + 1,
                        text: format!("{field}: {root}/…"),
                        range: from..from + root.len() + 1,
                        with: Some(String::new()),
                        several: Vec::new(),
                    });
                }
            }
        }
        at += line.len();
    }
}

/// Plans all three. To be carried out while [`Record::lock_memory`] is held.
pub fn plan(record: &Record, env: &Env) -> Result<ChangeSet> {
    let boundary = Boundary::of_resolved(record.root().path().to_owned());
    let mut set = ChangeSet::new("doctor --fix", boundary);
    let logs = Logs::read(record)?;
    if logs.is_offset_beyond() {
        set.put(
            OFFSET,
            logs.offset_bytes.clone(),
            Some(logs.at_end(env).render()),
        );
    }
    let mut spots = absolute_paths(record)?;
    if let Ok(store) = Store::open(StoreKind::Record, record.root().path()) {
        spots.extend(lifecycle_links(&store));
    }
    spots.retain(|spot| spot.with.is_some());
    spots.sort_by(|a, b| (&a.file, a.range.start).cmp(&(&b.file, b.range.start)));
    for same in spots.chunk_by(|a, b| a.file == b.file) {
        let Some(file) = same.first().map(|spot| spot.file.clone()) else {
            continue;
        };
        let Some(before) = set.read(file.as_ref())? else {
            continue;
        };
        // Handoffs are read without a byte order mark.
        let shift = if before.starts_with(b"\xef\xbb\xbf") && file.contains("handoffs/") {
            3
        } else {
            0
        };
        let mut after = Vec::with_capacity(before.len());
        let mut from = 0;
        for spot in same {
            let range = spot.range.start + shift..spot.range.end + shift;
            if range.start < from {
                continue;
            }
            after.extend_from_slice(before.get(from..range.start).unwrap_or_default());
            after.extend_from_slice(spot.with.as_deref().unwrap_or_default().as_bytes());
            from = range.end;
        }
        after.extend_from_slice(before.get(from..).unwrap_or_default());
        set.replace(&file, before, after).keep_time();
    }
    Ok(set)
}
