//! Where an entry's line goes in MEMORY.md, and whether it is read back as meant.

use super::update::line_edits;
use super::{Refusal, Warning, table};
use crate::edit::{self, Edit};
use crate::entry::{Kind, composed, stem};
use crate::index::{EntryLine, Index};
use crate::lines::{BOM, lines, newline};
use crate::links::{LinkKind, fence};
use crate::{Store, Target};
use std::collections::{BTreeMap, HashSet};
use std::fmt::Write as _;
use std::ops::Range;

/// Why a line that was put into MEMORY.md is none.
const NOT_CLOSED: &str =
    "a code block or comment of MEMORY.md is not closed, or the file name is not a link";

/// An entry's line: ``- [file](file) — description `~280tk` ``.
pub fn line(file: &str, description: &str, tokens: u64) -> String {
    let target = if file.contains(' ') {
        format!("<{file}>")
    } else {
        file.to_owned()
    };
    format!("- [{file}]({target}) — {description} `~{tokens}tk`")
}

/// MEMORY.md of a store that has none.
pub(super) const TITLE: &str = "# Memory\n";

/// What a new entry's line says, and where it is wanted.
pub(super) struct Wanted<'a> {
    /// The path from the index.
    pub(super) file: &'a str,
    pub(super) description: &'a str,
    pub(super) tokens: u64,
    /// Under this heading.
    pub(super) section: Option<&'a str>,
    pub(super) kind: Kind,
}

/// A new MEMORY.md.
pub(super) struct Placed {
    pub(super) index: String,
    /// The entry's line in it.
    pub(super) line: String,
    pub(super) warnings: Vec<Warning>,
}

/// Puts a new entry's line where it belongs, and makes `more` edits (of the text as it is). A line
/// that links to its file already, which was not there, is taken over: it keeps its place and words.
pub(super) fn insert(
    store: &Store,
    text: &str,
    wanted: &Wanted<'_>,
    more: Vec<Edit>,
) -> Result<Placed, Refusal> {
    let fresh = text.strip_prefix(BOM).unwrap_or(text).is_empty();
    let titled = format!("{text}{TITLE}");
    let text = if fresh { titled.as_str() } else { text };
    // Of the store's own index the targets are known; a fresh one has no entries.
    let parsed;
    let index = match store.index() {
        Some(index) if !fresh => index,
        _ => {
            parsed = Index::parse(text);
            &parsed
        }
    };
    let mut warnings = Vec::new();
    let mut dead = if fresh {
        Vec::new()
    } else {
        dead_lines(store, index, wanted.file)
    };
    let taken = (!dead.is_empty()).then(|| dead.remove(0));
    warnings.extend(dead.iter().map(|line| Warning::LineLeft {
        line: line.line,
        has_own: true,
    }));
    let mut edits = more;
    let stays = |line: &EntryLine| {
        wanted.section.is_none_or(|words| {
            let heading = line.section.map(|at| &index.sections()[at].heading);
            heading.is_some_and(|heading| called(heading, words))
        })
    };
    let in_place = taken.filter(|line| stays(line));
    let mut path = wanted.file;
    if let Some(line) = in_place {
        path = &index.link_of(line).path;
        edits.extend(line_edits(
            index,
            line,
            Some(wanted.description),
            Some(wanted.tokens),
        ));
    } else {
        edits.extend(taken.map(Index::remove_line));
        let new = line(wanted.file, wanted.description, wanted.tokens);
        let place = find(store, index, wanted.section, wanted.kind);
        if place.is_none() && table::speaks_of_entries(store, index) {
            warnings.push(Warning::TableLeft);
        }
        edits.push(match place {
            Some(after) => index.insert_line(after, &new),
            None => at_the_end(text, wanted.section.unwrap_or(wanted.kind.name()), &new),
        });
    }
    let after = edit::apply(text, edits)?;
    let (description, tokens) = (wanted.description, wanted.tokens);
    let old = taken.map(|line| line.line);
    let own = check(text, old, &after, path, description, tokens)?;
    let line = lines(&after)
        .find(|line| line.number == own)
        .map(|line| line.text.to_owned());
    Ok(Placed {
        index: after,
        line: line.unwrap_or_default(),
        warnings,
    })
}

/// The lines of MEMORY.md that begin with a link to a file that is not there, and link to no entry.
fn dead_lines<'a>(store: &Store, index: &'a Index, file: &str) -> Vec<&'a EntryLine> {
    let names_it = |line: &EntryLine| {
        let link = index.link_of(line);
        let path = composed(&link.path);
        match link.kind {
            LinkKind::Markdown => path.trim_start_matches("./") == composed(file),
            LinkKind::Wiki => stem(&path) == stem(&composed(file)),
            LinkKind::Code => false,
        }
    };
    let mut dead: Vec<&EntryLine> = index
        .entries()
        .iter()
        .filter(|line| {
            names_it(line) && matches!(store.target_of_line(line), Some(Target::Missing { .. }))
        })
        .collect();
    dead.retain(|line| {
        !store
            .index_links()
            .iter()
            .any(|link| link.line == line.line && matches!(link.target, Target::Entry(_)))
    });
    dead
}

/// Whether a heading is called so.
fn called(heading: &str, words: &str) -> bool {
    let bare = |words: &str| words.trim_matches(['/', ' ']).to_lowercase();
    bare(heading) == bare(words)
}

/// Puts the lines of new entries where those of their types belong, as edits of the index as it is; new
/// headings come behind all that is there.
pub fn insertions(store: &Store, index: &Index, new: &BTreeMap<Kind, Vec<String>>) -> Vec<Edit> {
    let (mut edits, mut behind) = (Vec::new(), Vec::new());
    for (kind, lines) in new {
        let lines = lines.join(newline(index.text()));
        match find(store, index, None, *kind) {
            Some(after) => edits.push(index.insert_line(after, &lines)),
            None => behind.push(at_the_end(index.text(), kind.name(), &lines)),
        }
    }
    edits.append(&mut behind);
    edits
}

/// Refuses a text of MEMORY.md in which one of these files has no line: a code block or comment that is
/// not closed holds it.
pub fn are_read<'a>(after: &str, mut files: impl Iterator<Item = &'a str>) -> Result<(), Refusal> {
    let after = Index::parse(after);
    let listed: HashSet<&str> = after
        .entries()
        .iter()
        .map(|line| after.link_of(line).path.as_str())
        .collect();
    if files.all(|file| listed.contains(file)) {
        Ok(())
    } else {
        Err(Refusal::BreaksIndex(NOT_CLOSED))
    }
}

/// The end of the line that the new one goes after: below the heading that is named, or holds most
/// entries of the type, or is called like the type. `None` when there is no such heading.
fn find(store: &Store, index: &Index, section: Option<&str>, kind: Kind) -> Option<usize> {
    let called = |words: &str| {
        let mut sections = index.sections().iter();
        sections.position(|section| called(&section.heading, words))
    };
    let place = match section {
        Some(words) => Some(called(words)?),
        None => match fullest(store, index, kind) {
            Fullest::Heading(place) => Some(place),
            Fullest::AboveAll => None,
            Fullest::Nowhere => Some(called(kind.name())?),
        },
    };
    let own: Vec<&EntryLine> = index
        .entries()
        .iter()
        .filter(|line| line.section == place)
        .collect();
    match own.last() {
        Some(last) => Some(end_of_item(index.text(), last, &own)),
        None => Some(index.sections()[place?].range.end),
    }
}

/// Where most entries of a type stand.
enum Fullest {
    /// Below this heading, a place in [`Index::sections`].
    Heading(usize),
    /// Above all headings.
    AboveAll,
    /// There is none.
    Nowhere,
}

/// The heading with most entries of the type, the first of several.
fn fullest(store: &Store, index: &Index, kind: Kind) -> Fullest {
    let mut counts: Vec<(Option<usize>, usize)> = Vec::new();
    for line in index.entries() {
        let Some(Target::Entry(id)) = store.target_of_line(line) else {
            continue;
        };
        let entry = store.entry(*id);
        if entry.kind().or_else(|| entry.kind_by_name()) != Some(kind) {
            continue;
        }
        match counts.iter_mut().find(|(place, _)| *place == line.section) {
            Some((_, count)) => *count += 1,
            None => counts.push((line.section, 1)),
        }
    }
    // The first of those with most.
    match counts.iter().rev().max_by_key(|(_, count)| *count) {
        Some((Some(place), _)) => Fullest::Heading(*place),
        Some((None, _)) => Fullest::AboveAll,
        None => Fullest::Nowhere,
    }
}

/// Behind the last item of the list at its outermost depth, with the lines that belong to it.
fn end_of_item(text: &str, last: &EntryLine, own: &[&EntryLine]) -> usize {
    let outer = own.iter().map(|line| depth(text, line)).min().unwrap_or(0);
    deeper_lines(text, last, outer)
        .into_iter()
        .next_back()
        .map_or(last.range.end, |(_, range)| range.end)
}

fn depth(text: &str, line: &EntryLine) -> usize {
    let line = text.get(line.range.clone()).unwrap_or_default();
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// The lines right behind an item that are indented deeper than `outer`: numbers and bytes. A code
/// block that begins there belongs to it as a whole, blank lines too, and so does a paragraph behind a
/// blank line that is indented as the item's text is.
fn deeper_lines(text: &str, item: &EntryLine, outer: usize) -> Vec<(usize, Range<usize>)> {
    let start = item.range.end;
    let rest = text.get(start..).unwrap_or_default();
    let mut open = None;
    let mut blank = false;
    let mut out = Vec::new();
    // Blank lines behind the last that belongs to it do not.
    let mut belong = 0;
    for line in lines(rest) {
        let inner = bare(line.text);
        let range = start + line.start..start + line.next;
        let indent = &line.text[..line.text.len() - inner.len()];
        if let Some(mark) = open {
            if closes(inner, mark) {
                open = None;
            }
        } else if inner.trim().is_empty() {
            blank = true;
            out.push((item.line + line.number, range));
            continue;
        } else {
            let enough = if blank { outer + 2 } else { outer + 1 };
            if indent.len() < enough && !(indent.contains('\t') && indent.len() > outer) {
                break;
            }
            if let Some((mark, length, _)) = fence(inner) {
                // One that nothing closes is only a line.
                let behind = rest.get(line.next..).unwrap_or_default();
                open = lines(behind)
                    .any(|line| closes(bare(line.text), (mark, length)))
                    .then_some((mark, length));
            }
            blank = false;
        }
        out.push((item.line + line.number, range));
        belong = out.len();
    }
    out.truncate(belong);
    out
}

/// A line without its indentation.
fn bare(line: &str) -> &str {
    line.trim_start_matches([' ', '\t'])
}

/// Whether a line, without its indentation, ends the code block that begins with such a mark.
fn closes(line: &str, (mark, length): (u8, usize)) -> bool {
    fence(line).is_some_and(|(own, own_length, info)| {
        own == mark && own_length >= length && info.trim().is_empty()
    })
}

/// The lines that go on with an item: numbers and bytes.
pub(super) fn continuation(text: &str, item: &EntryLine) -> Vec<(usize, Range<usize>)> {
    deeper_lines(text, item, depth(text, item))
}

/// Where the lines that go on with an item end, bytes.
pub fn end(text: &str, item: &EntryLine) -> usize {
    deeper_lines(text, item, depth(text, item))
        .into_iter()
        .next_back()
        .map_or(item.range.end, |(_, range)| range.end)
}

/// Whether lines go on with an item.
pub fn goes_on(text: &str, item: &EntryLine) -> bool {
    !deeper_lines(text, item, depth(text, item)).is_empty()
}

/// A new heading with its line at the end, a blank line before it. A file without a line end at its
/// end keeps none.
fn at_the_end(text: &str, heading: &str, line: &str) -> Edit {
    let end = newline(text);
    let whole = text.is_empty() || text == BOM || text.ends_with('\n');
    let mut new = String::new();
    if !whole {
        new.push_str(end);
    }
    let blank = lines(text)
        .last()
        .is_none_or(|line| line.text.trim().is_empty());
    if !blank {
        new.push_str(end);
    }
    let _ = write!(new, "## {heading}{end}{line}");
    if whole {
        new.push_str(end);
    }
    Edit::insert(text.len(), new)
}

/// The number of the entry's line in a new text of MEMORY.md. Refuses one in which that line is not
/// read back as it was meant, or another is read otherwise than before. `old` is the number of its
/// line before, if it had one.
pub(super) fn check(
    before: &str,
    old: Option<usize>,
    after: &str,
    file: &str,
    description: &str,
    tokens: u64,
) -> Result<usize, Refusal> {
    let before = Index::parse(before);
    let after = Index::parse(after);
    let is_ours = |index: &Index, line: &EntryLine| index.link_of(line).path == file;
    let others = |index: &Index, own: Option<usize>| -> Vec<(String, String)> {
        index
            .entries()
            .iter()
            .filter(|line| own != Some(line.line))
            .map(|line| (index.link_of(line).path.clone(), line.description.clone()))
            .collect()
    };
    let as_meant = |line: &&EntryLine| {
        line.description == description
            && line.suffix.as_ref().map(|suffix| suffix.tokens) == Some(tokens)
    };
    let mut ours = after
        .entries()
        .iter()
        .filter(|line| is_ours(&after, line))
        .peekable();
    if ours.peek().is_none() {
        return Err(Refusal::BreaksIndex(NOT_CLOSED));
    }
    let candidates: Vec<usize> = ours.filter(as_meant).map(|line| line.line).collect();
    if candidates.is_empty() {
        return Err(Refusal::BreaksIndex(
            "its description would be read otherwise",
        ));
    }
    let rest = others(&before, old);
    candidates
        .into_iter()
        .find(|own| others(&after, Some(*own)) == rest)
        .ok_or(Refusal::BreaksIndex("other lines would be read otherwise"))
}
