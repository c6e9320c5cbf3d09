//! An overgrown file of the record becomes a folder: one file per entry and an index.

use crate::{Error, Result};
use changes::ChangeSet;
use memory::code::Code;
use memory::links::{self, LinkKind};
use memory::record::Placed;
use memory::{Store, StoreKind};
use mnemo_home::Language;
use record::Record;
use safe_file::Boundary;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::Path;

/// Largest file that is split, in bytes.
const LARGEST: u64 = 64 << 20;
/// Digits of a code at least, as of the files' numbers.
const DIGITS: usize = 3;
/// Longest slug, in characters.
const SLUG: usize = 48;

/// What comes out.
#[derive(Debug)]
pub struct Plan {
    /// The changes.
    pub set: ChangeSet,
    /// The folder, relative to the root, with `/`.
    pub folder: String,
    /// The new files, relative to the root.
    pub files: Vec<String>,
    /// Files whose links were rewritten, relative to the root.
    pub relinked: Vec<String>,
}

/// One entry of the file: bytes of its text from its heading on.
struct Part<'a> {
    heading: &'a str,
    text: &'a str,
    /// The heading above it.
    section: &'a str,
    name: String,
    /// The code that it has, or its file's number.
    code: Option<Code>,
}

/// Plans the split of `file` (relative to the root, `memory/X.md`). `language`: that of the list.
pub fn plan(record: &Record, file: &str, language: Language) -> Result<Plan> {
    let root = record.root().path().to_owned();
    let refused = |why: &str| Error::Refused(format!("{file}: {why}"));
    let Some(stem) = file
        .strip_prefix("memory/")
        .and_then(|name| name.strip_suffix(".md"))
        .filter(|stem| !stem.contains('/') && !stem.is_empty())
    else {
        return Err(refused("only a file memory/NAME.md can be split"));
    };
    let mut set = ChangeSet::new("split", Boundary::of_resolved(root.clone()));
    let path = record.resolve(file)?;
    let bytes = safe_file::read(&path, LARGEST)?.ok_or_else(|| Error::Missing(path.clone()))?;
    let text = std::str::from_utf8(&bytes)
        .map_err(|_| refused("it is not UTF-8; save it as UTF-8 first"))?;
    let folder = format!("memory/{stem}");
    let folder_path = record.resolve(&folder)?;
    if std::fs::read_dir(&folder_path).is_ok_and(|entries| {
        entries.flatten().any(|entry| {
            entry
                .path()
                .extension()
                .is_some_and(|ending| ending.eq_ignore_ascii_case("md"))
        })
    }) {
        return Err(refused(&format!("{folder}/ holds Markdown files already")));
    }
    let Some((lead, mut parts, between)) = parts(text) else {
        return Err(refused(
            "it has no two entries of one heading level (`### ` or `## `) to be split at",
        ));
    };
    let newline = memory::lines::newline(text);
    name_codes(&root, file, text, &folder, &mut parts);
    for part in &parts {
        let moved = rebased(part.text, stem, &parts, false);
        set.create(format!("{folder}/{}", part.name), moved.into_bytes());
    }
    let index = index(stem, lead, &parts, &between, newline, language);
    set.create(format!("{folder}/index.md"), index.into_bytes());
    let mut relinked = Vec::new();
    for other in markdown_of(record, file) {
        let Some(before) = set.read(Path::new(&other))? else {
            continue;
        };
        let Ok(old) = std::str::from_utf8(&before) else {
            continue;
        };
        let new = relink(old, &other, stem, &parts);
        if new != old {
            set.replace(&other, before.clone(), new.into_bytes())
                .keep_time();
            relinked.push(other);
        }
    }
    set.remove(file, bytes.clone());
    Ok(Plan {
        files: parts
            .iter()
            .map(|part| format!("{folder}/{}", part.name))
            .chain([format!("{folder}/index.md")])
            .collect(),
        set,
        folder,
        relinked,
    })
}

/// Tells each part the code that leads to it now, so that the list and `show` go on knowing it.
fn name_codes(root: &Path, file: &str, text: &str, folder: &str, parts: &mut [Part<'_>]) {
    let store = Store::open(StoreKind::Record, root).ok();
    let placed = store.iter().flat_map(|store| {
        let own = |placed: &&Placed| store.entry(placed.entry).file() == file;
        store.items().iter().filter(own)
    });
    let codes: BTreeMap<usize, Code> = placed
        .filter_map(|placed| Some((placed.item.line, placed.code?)))
        .collect();
    let (mut at, mut line) = (0, 1);
    for part in parts {
        let start = part.text.as_ptr().addr() - text.as_ptr().addr();
        let before = text.get(at..start).unwrap_or_default();
        line += before.matches('\n').count();
        at = start;
        part.code = codes
            .get(&line)
            .copied()
            .or_else(|| Code::of_path(&format!("{folder}/{}", part.name)))
            .and_then(|code| Code::new(code.letter(), code.number(), code.digits().max(DIGITS)));
    }
}

/// Whether a text has entries at which it can be split.
pub(crate) fn has_parts(text: &str) -> bool {
    parts(text).is_some()
}

/// What stands before the first entry, the entries, and what stands between them (section headings
/// and notes), each with the number of entries before it. `None` where there are not two entries.
#[allow(
    clippy::type_complexity,
    reason = "three parts of one text, taken apart at once"
)]
fn parts(text: &str) -> Option<(&str, Vec<Part<'_>>, Vec<(usize, &str)>)> {
    let heads = headings(text);
    let level = [3, 2]
        .into_iter()
        .find(|level| heads.iter().filter(|head| head.level == *level).count() >= 2)?;
    let first = heads.iter().position(|head| head.level == level)?;
    // A section heading directly above the first entry belongs to what is between.
    let lead_end = heads
        .get(..first)
        .unwrap_or_default()
        .iter()
        .rev()
        .find(|head| head.level < level && head.level > 1)
        .map_or(heads.get(first)?.at, |head| head.at);
    let mut parts: Vec<Part<'_>> = Vec::new();
    let mut between = Vec::new();
    let mut section = "";
    let mut names: BTreeMap<String, usize> = BTreeMap::new();
    let relevant: Vec<&Head<'_>> = heads
        .iter()
        .filter(|head| head.level <= level && head.at >= lead_end)
        .collect();
    for (index, head) in relevant.iter().enumerate() {
        let end = relevant.get(index + 1).map_or(text.len(), |next| next.at);
        let body = text.get(head.at..end).unwrap_or_default();
        if head.level < level {
            section = head.title;
            between.push((parts.len(), body));
            continue;
        }
        let slug = slug(&shown(head.title));
        *names.entry(slug.clone()).or_default() += 1;
        let number = parts.len() + 1;
        parts.push(Part {
            heading: head.title,
            text: body,
            section,
            name: format!("{number:03}-{slug}.md"),
            code: None,
        });
    }
    Some((text.get(..lead_end).unwrap_or_default(), parts, between))
}

struct Head<'a> {
    at: usize,
    level: usize,
    title: &'a str,
}

/// The headings outside fences, private blocks and frontmatter.
fn headings(text: &str) -> Vec<Head<'_>> {
    let mut heads = Vec::new();
    let mut fence: Option<(char, usize)> = None;
    let body = memory::Frontmatter::parse(text).body();
    // What is private stays in one piece: a part of it would be open to all.
    let private = redact::private_blocks(text);
    let is_private = |at: usize| {
        private
            .iter()
            .any(|block| block.start < at && at < block.end)
    };
    for line in memory::lines::lines(text) {
        if line.start < body || is_private(line.start) {
            continue;
        }
        let trimmed = line.text.trim_start_matches(' ');
        let mark = trimmed.chars().next().filter(|c| matches!(c, '`' | '~'));
        let run = mark.map_or(0, |mark| trimmed.chars().take_while(|c| *c == mark).count());
        match fence {
            Some((mark, least)) => {
                if run >= least
                    && trimmed.starts_with(mark)
                    && trimmed.trim_matches(mark).trim().is_empty()
                {
                    fence = None;
                }
                continue;
            }
            None if run >= 3 => {
                fence = mark.map(|mark| (mark, run));
                continue;
            }
            None => {}
        }
        let level = line.text.chars().take_while(|c| *c == '#').count();
        if (1..=6).contains(&level)
            && let Some(title) = line.text.get(level..)
            && title.starts_with([' ', '\t'])
        {
            heads.push(Head {
                at: line.start,
                level,
                title: title.trim(),
            });
        }
    }
    heads
}

/// A heading without private text and secrets.
fn shown(heading: &str) -> String {
    redact::clean(heading, redact::Policy { secrets: true }).into_string()
}

/// Lower case letters and digits of any script, `-` between.
fn slug(title: &str) -> String {
    let mut out = String::new();
    let mut gap = false;
    let mut length = 0;
    for c in title.chars().flat_map(char::to_lowercase) {
        if c.is_alphanumeric() {
            if gap && !out.is_empty() {
                out.push('-');
                length += 1;
            }
            if length >= SLUG {
                break;
            }
            out.push(c);
            length += 1;
            gap = false;
        } else {
            gap = true;
        }
    }
    if out.is_empty() {
        "entry".to_owned()
    } else {
        out.trim_end_matches('-').to_owned()
    }
}

/// The file that an anchor leads to: of headings that are alike the second has `-1` at its end, as in
/// a page made of them; else exactly one entry's.
fn target<'a>(anchor: &str, parts: &'a [Part<'_>]) -> Option<&'a str> {
    let wanted = anchor.to_lowercase();
    let mut times: BTreeMap<String, usize> = BTreeMap::new();
    for part in parts {
        let own = memory::items::anchor(part.heading);
        let before = times.entry(own.clone()).or_default();
        let is_it = match *before {
            0 => own == wanted,
            before => format!("{own}-{before}") == wanted,
        };
        if is_it {
            return Some(&part.name);
        }
        *before += 1;
    }
    let mut hits = parts.iter().filter(|part| {
        memory::items::anchor(part.heading) == wanted || slug(part.heading) == wanted
    });
    let hit = hits.next()?;
    hits.next().is_none().then_some(hit.name.as_str())
}

/// A text of the file, moved one folder down: relative links lead where they led.
fn rebased(text: &str, stem: &str, parts: &[Part<'_>], lead: bool) -> String {
    edit_links(text, |link, raw| {
        if link.kind == LinkKind::Wiki || link.is_external() {
            return None;
        }
        let (path, anchor) = cut(raw);
        if path.is_empty() || path == format!("{stem}.md") || path == format!("./{stem}.md") {
            let file = anchor.and_then(|anchor| target(anchor, parts));
            return match file {
                Some(file) => Some(file.to_owned()),
                // An anchor of the title: that is the index now.
                None if !lead => Some("index.md".to_owned()),
                None => None,
            };
        }
        if path.starts_with('/') {
            return None;
        }
        let plain = path.strip_prefix("./").unwrap_or(path);
        let inside = plain.strip_prefix(&format!("{stem}/"));
        let moved = inside.map_or_else(|| format!("../{plain}"), str::to_owned);
        Some(match anchor {
            Some(anchor) => format!("{moved}#{anchor}"),
            None => moved,
        })
    })
}

/// Another file's links to the file that was split.
fn relink(text: &str, other: &str, stem: &str, parts: &[Part<'_>]) -> String {
    let folder = other.rsplit_once('/').map_or("", |(folder, _)| folder);
    edit_links(text, |link, raw| {
        if link.kind == LinkKind::Wiki || link.is_external() {
            // A name leads to the index, which bears it.
            return None;
        }
        let (path, anchor) = cut(raw);
        let from_root = join(folder, path)?;
        if from_root != format!("memory/{stem}.md") {
            return None;
        }
        let lead = path.strip_suffix(&format!("{stem}.md"))?;
        let file = anchor.and_then(|anchor| target(anchor, parts));
        Some(match (file, anchor) {
            (Some(file), _) => format!("{lead}{stem}/{file}"),
            (None, Some(anchor)) => format!("{lead}{stem}/index.md#{anchor}"),
            (None, None) => format!("{lead}{stem}/index.md"),
        })
    })
}

fn cut(raw: &str) -> (&str, Option<&str>) {
    match raw.split_once('#') {
        Some((path, anchor)) => (path, Some(anchor)),
        None => (raw, None),
    }
}

/// A relative path from the root, `.` and `..` taken out.
fn join(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// The text with the targets of its links changed. Each target is given with its anchor.
fn edit_links(text: &str, change: impl Fn(&links::Link, &str) -> Option<String>) -> String {
    let mut out = String::new();
    let mut from = 0;
    for link in links::parse(text) {
        let mut range = link.target.clone();
        // The anchor belongs to what is replaced.
        if text
            .get(range.end..)
            .is_some_and(|rest| rest.starts_with('#'))
        {
            let rest = text.get(range.end..).unwrap_or_default();
            range.end += rest
                .find(|c: char| c.is_whitespace() || matches!(c, ')' | ']' | '>' | '|'))
                .unwrap_or(rest.len());
        }
        let Some(raw) = text.get(range.clone()) else {
            continue;
        };
        if range.start < from {
            continue;
        }
        if let Some(new) = change(&link, raw) {
            // A link that shows its target goes on doing so.
            let label = link.label.clone();
            if label.end <= range.start
                && label.start >= from
                && text.get(label.clone()) == Some(raw)
            {
                out.push_str(text.get(from..label.start).unwrap_or_default());
                out.push_str(&new);
                from = label.end;
            }
            out.push_str(text.get(from..range.start).unwrap_or_default());
            out.push_str(&new);
            from = range.end;
        }
    }
    out.push_str(text.get(from..).unwrap_or_default());
    out
}

/// The folder's index: what stood before the entries, then a table, then the sections' notes.
fn index(
    stem: &str,
    lead: &str,
    parts: &[Part<'_>],
    between: &[(usize, &str)],
    newline: &str,
    language: Language,
) -> String {
    let mut out = String::new();
    let has_name = memory::Frontmatter::parse(lead).get("name").is_some();
    let frontmatter = memory::Frontmatter::parse(lead);
    if frontmatter.is_closed() || has_name {
        out.push_str(&rebased(lead, stem, parts, true));
    } else {
        // So that a link by name still leads here.
        let _ = write!(
            out,
            "---{newline}name: {}{newline}---{newline}{newline}",
            memory::frontmatter::scalar(stem)
        );
        out.push_str(&rebased(
            lead.strip_prefix('\u{feff}').unwrap_or(lead),
            stem,
            parts,
            true,
        ));
    }
    // One blank line before the table, and one between the frontmatter and what follows it.
    out.truncate(out.trim_end_matches(['\r', '\n']).len());
    out.push_str(newline);
    let cell = |text: &str| text.replace('|', "\\|");
    let sections = parts.iter().any(|part| !part.section.is_empty());
    let columns = memory::capture::list_columns(language);
    let columns = &columns[..if sections { 5 } else { 4 }];
    let _ = write!(
        out,
        "{newline}| {} |{newline}|{}{newline}",
        columns.join(" | "),
        "---|".repeat(columns.len())
    );
    for part in parts {
        let _ = write!(
            out,
            "| {} | [{}]({}) | {} | {} |",
            part.code.map_or_else(String::new, |code| code.to_string()),
            // What the rows copy is no place for private text; the bodies keep it.
            cell(&shown(part.heading).replace(['[', ']'], "")),
            part.name,
            cell(&field(part.text, "tags")),
            field(part.text, "date"),
        );
        if sections {
            let _ = write!(out, " {} |", cell(part.section));
        }
        out.push_str(newline);
    }
    for (_, notes) in between {
        let _ = write!(out, "{newline}{}", rebased(notes, stem, parts, true));
    }
    while out.ends_with(&format!("{newline}{newline}")) {
        out.truncate(out.len() - newline.len());
    }
    out
}

/// `date: …` or `- **date**: …` of an entry.
pub(crate) fn field(text: &str, key: &str) -> String {
    text.lines()
        .find_map(|line| metadata(line).filter(|(name, _)| name.eq_ignore_ascii_case(key)))
        .map(|(_, value)| value.trim().trim_matches('`').to_owned())
        .unwrap_or_default()
}

/// `key: value` of a metadata line, with or without list mark and emphasis.
pub(crate) fn metadata(line: &str) -> Option<(&str, &str)> {
    let line = line.trim().trim_start_matches(['-', '*', '#', '`', ' ']);
    let (key, value) = line.split_once(':')?;
    let key = key.trim_matches(|c: char| matches!(c, '*' | '`' | ' '));
    let plain = !key.is_empty()
        && key.len() <= 20
        && key
            .chars()
            .all(|c| c.is_ascii_alphabetic() || matches!(c, '-' | '_'));
    plain.then(|| (key, value.trim_start_matches('*')))
}

/// Every Markdown file of the record that may link: the index, the memory, the handoffs.
fn markdown_of(record: &Record, except: &str) -> Vec<String> {
    let mut found = Vec::new();
    let root = record.root().path();
    if root.join("MEMORY.md").is_file() {
        found.push("MEMORY.md".to_owned());
    }
    let mut open = vec![
        "memory".to_owned(),
        "docs/handoffs".to_owned(),
        ".claude/handoffs".to_owned(),
    ];
    while let Some(folder) = open.pop() {
        let Ok(path) = record.resolve(&folder) else {
            continue;
        };
        let Ok(entries) = std::fs::read_dir(path) else {
            continue;
        };
        for entry in entries.flatten() {
            let Some(name) = entry.file_name().to_str().map(str::to_owned) else {
                continue;
            };
            let relative = format!("{folder}/{name}");
            match entry.file_type() {
                Ok(kind) if kind.is_dir() => open.push(relative),
                Ok(kind)
                    if kind.is_file()
                        && entry
                            .path()
                            .extension()
                            .is_some_and(|ending| ending == "md")
                        && relative != except =>
                {
                    found.push(relative);
                }
                _ => {}
            }
        }
    }
    found.sort();
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn slugs_keep_every_script() {
        assert_eq!(slug("Port 8080 is taken!"), "port-8080-is-taken");
        assert_eq!(slug("한글 제목: 둘"), "한글-제목-둘");
        assert_eq!(slug("***"), "entry");
    }

    #[test]
    fn fences_hide_headings() {
        let text = "# T\n\n### a\n```\n### no\n```\n### b\n";
        let (lead, parts, _) = parts(text).unwrap();
        assert_eq!(lead, "# T\n\n");
        assert_eq!(parts.len(), 2);
        assert_eq!(parts[0].text, "### a\n```\n### no\n```\n");
    }

    proptest! {
        #[test]
        fn nothing_is_lost(text in "(# T\n)?(### [a-c]\n|## S\n|x\n|```\n|\n){0,12}") {
            if let Some((lead, parts, between)) = parts(&text) {
                let mut whole = lead.to_owned();
                for (index, part) in parts.iter().enumerate() {
                    between.iter().filter(|(at, _)| *at == index).for_each(|(_, note)| whole.push_str(note));
                    whole.push_str(part.text);
                }
                between.iter().filter(|(at, _)| *at == parts.len()).for_each(|(_, note)| whole.push_str(note));
                prop_assert_eq!(whole, text);
            }
        }
    }
}
