//! Dead links and orphans are mended: nothing else changes.

use super::{Archive, Finish, MANY_DEAD};
use crate::runs;
use crate::scan::Scan;
use changes::ChangeSet;
use memory::capture::{Refusal, index_lines};
use memory::edit::{self, Edit};
use memory::index::EntryLine;
use memory::links::{Link, LinkKind};
use memory::{EntryId, Index, Kind, Source, Target, index, tokens};
use std::collections::BTreeMap;

/// What would be mended.
#[derive(Debug)]
pub struct Mended {
    /// The files.
    pub set: ChangeSet,
    /// Dead links that lead somewhere or are words then.
    pub links: usize,
    /// Orphans that MEMORY.md names then.
    pub orphans: usize,
    /// Dead links that are left because there are so many of them.
    pub left: usize,
    /// Why MEMORY.md cannot name the orphans.
    pub unread: Option<Refusal>,
}

/// Plans it. More than [`MANY_DEAD`] dead links are mended with `many` only.
pub fn mend(scan: &Scan, finish: &Finish, many: bool) -> Result<Mended, Refusal> {
    let store = &scan.store;
    let mut set = ChangeSet::inside("garden finish", store.root())?;
    let all = finish.dead_links.len();
    let left = if all > MANY_DEAD && !many { all } else { 0 };
    let archive = Archive::of(scan, &runs::read(scan));
    let mut links = 0;
    let mut in_entries: BTreeMap<EntryId, Vec<Edit>> = BTreeMap::new();
    let mut in_index: Vec<Edit> = Vec::new();
    let text_index = store.index().filter(|index| index.is_text());
    if left == 0 {
        for link in store.links() {
            if !matches!(link.target, Target::Missing { .. }) {
                continue;
            }
            // A code of the record says which item is meant; only a person knows which it is now.
            if link.kind == LinkKind::Code {
                continue;
            }
            match link.source {
                Source::Entry(id) if store.entry(id).is_text() => {
                    let entry = store.entry(id);
                    let Some(written) = entry.links().get(link.place) else {
                        continue;
                    };
                    links += 1;
                    in_entries.entry(id).or_default().push(mended(
                        entry.text(),
                        written,
                        entry.file(),
                        archive.now(link),
                    ));
                }
                Source::Index => {
                    let Some(index) = text_index else { continue };
                    links += 1;
                    let line = index.entries().iter().find(|line| line.link == link.place);
                    let known = archive.knows(link);
                    in_index.push(match (line, index.links().get(link.place)) {
                        // What is said of a file that nobody knows stands nowhere else; a count
                        // tells that there was an entry.
                        (Some(line), _)
                            if only_lists(index, line)
                                && (known
                                    || line.suffix.is_some()
                                    || line.description.is_empty()) =>
                        {
                            Index::remove_line(line)
                        }
                        (_, Some(written)) => words(index.text(), written),
                        (_, None) => continue,
                    });
                }
                Source::Entry(_) | Source::Page(_) => {}
            }
        }
    }
    let (mut orphans, mut unread) = (0, None);
    let mut costs = BTreeMap::new();
    for (id, edits) in in_entries {
        let entry = store.entry(id);
        let after = apart(entry.text(), edits)?;
        costs.insert(id, tokens(after.len() as u64));
        // Mending a link is no tending of what it says.
        set.replace(entry.file(), entry.bytes().to_vec(), after.into_bytes())
            .keep_time();
    }
    if let Some(index) = text_index {
        match named(scan, finish, index, &costs, &in_index)? {
            Ok((count, edits)) => {
                orphans = count;
                in_index.extend(edits);
            }
            Err(why) => unread = Some(why),
        }
        for line in index.entries() {
            if let Some(Target::Entry(id)) = store.target_of_line(line)
                && let Some(cost) = costs.get(id)
                && line.suffix.is_some()
            {
                in_index.push(index.set_suffix(line, *cost));
            }
        }
        let after = apart(index.text(), in_index)?;
        set.replace(
            index::FILE,
            index.text().as_bytes().to_vec(),
            after.into_bytes(),
        );
    }
    Ok(Mended {
        set,
        links,
        orphans,
        left,
        unread,
    })
}

/// The lines of orphans that MEMORY.md is to name besides other edits, and how many there are; the inner
/// error says why it cannot.
#[allow(
    clippy::type_complexity,
    reason = "a look at what would be, not an error of its own"
)]
fn named(
    scan: &Scan,
    finish: &Finish,
    index: &Index,
    costs: &BTreeMap<EntryId, u64>,
    other: &[Edit],
) -> Result<Result<(usize, Vec<Edit>), Refusal>, Refusal> {
    let store = &scan.store;
    let mut new: BTreeMap<Kind, Vec<String>> = BTreeMap::new();
    let mut files: Vec<&str> = Vec::new();
    for view in &scan.entries {
        if !finish.orphans.contains(&view.file) {
            continue;
        }
        let entry = store.entry(view.id);
        let said = entry.description().or(entry.name()).unwrap_or(entry.stem());
        // What may not be written into a memory is not copied into what is loaded each time.
        let clean = redact::clean(said, redact::Policy { secrets: true });
        let said = memory::capture::description(said)
            .ok()
            .filter(|_| clean.as_str() == said)
            .unwrap_or_else(|| entry.stem().to_owned());
        let cost = costs.get(&view.id).copied().unwrap_or(entry.tokens());
        let line = index_lines::line(entry.file(), &said, cost);
        // A name that is no link stays an orphan.
        if index_lines::are_read(&line, std::iter::once(entry.file())).is_err() {
            continue;
        }
        files.push(entry.file());
        new.entry(view.kind.unwrap_or(Kind::Reference))
            .or_default()
            .push(line);
    }
    let edits = index_lines::insertions(store, index, &new);
    let all: Vec<Edit> = other.iter().chain(&edits).cloned().collect();
    let after = apart(index.text(), all)?;
    Ok(index_lines::are_read(&after, files.iter().copied()).map(|()| (files.len(), edits)))
}

/// Edits, without those inside of others (a link in a line that goes).
fn apart(text: &str, mut edits: Vec<Edit>) -> Result<String, Refusal> {
    edits.sort_by_key(|edit| (edit.range.start, std::cmp::Reverse(edit.range.end)));
    let mut end = 0;
    edits.retain(|edit| {
        let inside = edit.range.start < end;
        end = end.max(edit.range.end);
        !inside
    });
    Ok(edit::apply(text, edits)?)
}

/// The link leads into the archive, or is only its words.
fn mended(text: &str, link: &Link, file: &str, archived_at: Option<&str>) -> Edit {
    let Some(path) = archived_at else {
        return words(text, link);
    };
    match link.kind {
        LinkKind::Wiki => {
            let stem = path.strip_suffix(".md").unwrap_or(path);
            let label = text.get(link.label.clone()).unwrap_or_default();
            Edit::replace(link.range.clone(), format!("[[{stem}|{label}]]"))
        }
        LinkKind::Markdown | LinkKind::Code => {
            let up = "../".repeat(file.matches('/').count());
            let target: String = format!("{up}{path}")
                .chars()
                .map(|c| match c {
                    ' ' => "%20".to_owned(),
                    '(' => "%28".to_owned(),
                    ')' => "%29".to_owned(),
                    c => c.to_string(),
                })
                .collect();
            Edit::replace(link.target.clone(), target)
        }
    }
}

fn words(text: &str, link: &Link) -> Edit {
    let label = text.get(link.label.clone()).unwrap_or_default();
    let mut range = link.range.clone();
    // A picture's mark goes too.
    if link.kind == LinkKind::Markdown && text[..range.start].ends_with('!') {
        range.start -= 1;
    }
    Edit::replace(range, label)
}

/// A line that names an entry, says what it is, and nothing more; what a person wrote in another
/// form or below it stays.
fn only_lists(index: &Index, line: &EntryLine) -> bool {
    let place = &index.link_of(line).range;
    let text = index.text();
    let mark = text.get(line.range.start..place.start);
    let said = text.get(place.end..line.end).unwrap_or_default();
    let said = said.trim_start();
    let listed = said.is_empty() || said.starts_with(['—', '–', '-', ':', '`']);
    mark.is_some_and(|mark| !mark.contains(|c: char| c.is_alphanumeric() || c == '!'))
        && listed
        && !index_lines::goes_on(text, line)
}
