//! Memory entries and the lines of `MEMORY.md` that point to them.

use crate::places::{Layer, Source};
use chrono::NaiveDate;
use memory::code::{self, Code};
use memory::{Store, StoreKind};
use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;

/// Larger entries are not memory entries.
const LARGEST: u64 = 1 << 20;

/// A memory entry (or a line of an index), ready to be searched.
#[derive(Debug, Clone)]
pub(crate) struct Item {
    pub(crate) source: Source,
    /// The file's text, then what the index says about it.
    pub(crate) text: String,
    /// How much of the text is the file's.
    pub(crate) own: usize,
    /// Title, keywords, description, index line: words here count more.
    pub(crate) fields: Vec<Range<usize>>,
    /// `a:147`
    pub(crate) code: Option<Code>,
    pub(crate) title: String,
    /// Keywords, as the entry and the index list them: one list each.
    pub(crate) keywords: Vec<Vec<String>>,
    /// Days of the conversations that it links.
    pub(crate) days: Vec<NaiveDate>,
    /// Line in the file, from 1.
    pub(crate) line: usize,
    /// Its file holds others too.
    pub(crate) several: bool,
}

/// Reads entries; what cannot be read is told.
pub(crate) fn read(sources: Vec<Source>, unreadable: &mut Vec<String>) -> Vec<Item> {
    sources
        .into_iter()
        .filter_map(|source| match safe_file::read(&source.path, LARGEST) {
            Ok(bytes) => {
                let text = bytes?;
                let text = String::from_utf8_lossy(&text);
                // Several items may lie in one private block.
                Some(of_text(source, &redact::by_line(&text)))
            }
            Err(error) => {
                unreadable.push(format!("{}: {error}", source.label));
                None
            }
        })
        .collect()
}

/// The same of a record, where a category's file holds several items, one below each heading.
pub(crate) fn of_record(
    root: &Path,
    sources: Vec<Source>,
    unreadable: &mut Vec<String>,
) -> Vec<Item> {
    let mut out = Vec::new();
    let mut split = false;
    for item in read(sources, unreadable) {
        let parts = if is_category(&item) {
            apart(&item)
        } else {
            None
        };
        match parts {
            Some(parts) => {
                split = true;
                out.extend(parts);
            }
            None => out.push(item),
        }
    }
    // The record knows their codes: MEMORY.md may give them.
    if split && let Ok(store) = Store::open(StoreKind::Record, root) {
        let codes: HashMap<(&str, usize), Code> = store
            .items()
            .iter()
            .filter_map(|placed| {
                let file = store.entry(placed.entry).file();
                Some(((file, placed.item.line), placed.code?))
            })
            .collect();
        for item in &mut out {
            if item.code.is_none() {
                item.code = codes.get(&(item.source.label.as_str(), item.line)).copied();
            }
        }
    }
    out
}

/// Whether a file of a record is a category: beside the folders, without frontmatter.
fn is_category(item: &Item) -> bool {
    let below = item.source.label.strip_prefix("memory/");
    below.is_some_and(|file| !file.contains('/')) && !item.text.starts_with("---")
}

/// The items of a category's file, and what stands between them. `None` where it has no headings.
fn apart(whole: &Item) -> Option<Vec<Item>> {
    let text = whole.text.as_str();
    if memory::items::is_scaffold(text) {
        return Some(Vec::new());
    }
    let items = memory::items::of_category(text);
    if items.is_empty() {
        return None;
    }
    let line_of = |at: usize| {
        let before = text.as_bytes().get(..at).unwrap_or_default();
        memchr::memchr_iter(b'\n', before).count() + 1
    };
    let mut out = Vec::new();
    let mut at = 0;
    for item in items {
        out.extend(between(whole, at..item.range.start, line_of(at)));
        let mut part = of_text(
            whole.source.clone(),
            text.get(item.range.clone()).unwrap_or_default(),
        );
        at = item.range.end;
        part.code = item.code;
        part.title = item.title;
        part.line = item.line;
        part.several = true;
        if !item.keywords.is_empty() {
            part.keywords = vec![item.keywords];
        }
        part.days = item.conversations;
        part.source.date = part
            .days
            .iter()
            .max()
            .copied()
            .or(item.date)
            .or(part.source.date);
        out.push(part);
    }
    out.extend(between(whole, at..text.len(), line_of(at)));
    Some(out)
}

/// Text between items, if it says anything.
fn between(whole: &Item, range: Range<usize>, line: usize) -> Option<Item> {
    let text = whole.text.get(range)?;
    if text.trim().is_empty() || memory::items::is_scaffold(text) {
        return None;
    }
    Some(Item {
        line,
        several: true,
        code: None,
        ..of_text(whole.source.clone(), text)
    })
}

fn of_text(mut source: Source, text: &str) -> Item {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).to_owned();
    let mut item = Item {
        own: text.len(),
        fields: Vec::new(),
        code: None,
        title: String::new(),
        keywords: Vec::new(),
        days: Vec::new(),
        line: 1,
        several: false,
        text: String::new(),
        source: source.clone(),
    };
    let mut updated = None;
    let mut head = text.starts_with("---");
    let mut at = 0;
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let range = at..at + line.trim_end().len();
        at += line.len();
        let line = line.trim();
        if head && number > 0 && line == "---" {
            head = false;
            continue;
        }
        let bare = line.trim_start_matches("- ").trim_matches('`');
        let value = |names: &[&str]| {
            names
                .iter()
                .find_map(|name| bare.strip_prefix(name)?.trim_start().strip_prefix(':'))
                .map(|value| value.trim().trim_matches(['"', '\'']))
        };
        if let Some(title) = line.strip_prefix("# ").filter(|_| !head) {
            if item.title.is_empty() || item.code.is_none() {
                let (code, rest) = Code::of_title(title);
                item.code = item.code.or(code);
                rest.clone_into(&mut item.title);
            }
            item.fields.push(range);
        } else if line.starts_with("## ") {
            item.fields.push(range);
        } else if let Some(list) = value(&[
            "keywords",
            "tags",
            "Keywords",
            "키워드",
            "Stichwörter",
            "关键词",
        ]) {
            let list: Vec<String> = list
                .trim_matches(['[', ']'])
                .split(',')
                .map(cell)
                .filter(|word| !word.is_empty())
                .collect();
            item.keywords.push(list);
            item.fields.push(range);
        } else if head {
            if let Some(name) = value(&["description", "name", "title"]) {
                if item.title.is_empty() {
                    name.clone_into(&mut item.title);
                }
                item.fields.push(range);
            } else if let Some(date) = value(&["updated", "modified", "date", "created"]) {
                updated = updated.max(date.get(..10).and_then(|date| date.parse().ok()));
            }
        } else if let Some(date) = value(&["date", "날짜", "Datum", "日期"])
            && (line.starts_with("- ") || line.starts_with('`'))
        {
            updated = updated.or_else(|| date.get(..10).and_then(|date| date.parse().ok()));
        }
    }
    item.days = linked_days(&text);
    if item.code.is_none() {
        item.code = Code::of_path(&source.label);
    }
    source.date = item
        .days
        .iter()
        .max()
        .copied()
        .or(updated)
        .or_else(|| modified(&source.path));
    item.source = source;
    item.text = text;
    item
}

fn modified(path: &Path) -> Option<NaiveDate> {
    let time = std::fs::metadata(path).ok()?.modified().ok()?;
    Some(chrono::DateTime::<chrono::Local>::from(time).date_naive())
}

fn cell(text: &str) -> String {
    text.trim()
        .trim_matches(['"', '\'', '`', '#'])
        .trim()
        .to_owned()
}

fn linked_days(text: &str) -> Vec<NaiveDate> {
    let mut days: Vec<NaiveDate> = text
        .match_indices("-claude.md")
        .filter_map(|(at, _)| text.get(at.checked_sub(10)?..at)?.parse().ok())
        .collect();
    days.sort_unstable();
    days.dedup();
    days
}

/// What `MEMORY.md` says about entries is added to them; the lines that point to none of them are
/// given back as items of their own.
pub(crate) fn add_index(items: &mut [Item], index: &Source, text: &str) -> Vec<Item> {
    let mut alone = Vec::new();
    let pointers = Pointers::to(items);
    for (number, line) in text.split_inclusive('\n').enumerate() {
        let trimmed = line.trim();
        if trimmed.is_empty()
            || trimmed.starts_with("<!--")
            || trimmed.trim_matches(['|', '-', ' ', ':']).is_empty()
        {
            continue;
        }
        let pointed = pointers.of(trimmed);
        for item in &pointed {
            let Some(item) = items.get_mut(*item) else {
                continue;
            };
            let said = said_about(trimmed, item);
            if !said.is_empty() {
                let start = item.text.len() + 1;
                item.text.push('\n');
                item.text.push_str(&said);
                item.fields.push(start..item.text.len());
                if trimmed.starts_with('|') {
                    item.keywords.push(
                        said.split(',')
                            .map(cell)
                            .filter(|word| !word.is_empty())
                            .collect(),
                    );
                }
            }
        }
        if pointed.is_empty() {
            alone.push(Item {
                source: index.clone(),
                own: trimmed.len(),
                text: trimmed.to_owned(),
                fields: Vec::new(),
                code: None,
                title: String::new(),
                keywords: Vec::new(),
                days: Vec::new(),
                line: number + 1,
                several: false,
            });
        }
    }
    alone
}

/// Items by what a line may call them.
struct Pointers {
    codes: HashMap<Code, Vec<usize>>,
    names: HashMap<String, Vec<usize>>,
}

impl Pointers {
    fn to(items: &[Item]) -> Self {
        let mut pointers = Self {
            codes: HashMap::new(),
            names: HashMap::new(),
        };
        for (index, item) in items.iter().enumerate() {
            if let Some(code) = item.code {
                pointers.codes.entry(code).or_default().push(index);
            }
            // A link to the whole file says nothing about one of several items in it.
            if item.several {
                continue;
            }
            let name = item.source.label.rsplit('/').next().unwrap_or_default();
            pointers
                .names
                .entry(name.to_owned())
                .or_default()
                .push(index);
        }
        pointers
    }

    /// The items that a line points to, by code (`a:147`) or by a link (`(name.md)`,
    /// `(folder/name.md)`), in order.
    fn of(&self, line: &str) -> Vec<usize> {
        let mut found: Vec<usize> = code::codes_in(line)
            .filter_map(|(code, _)| self.codes.get(&code))
            .flatten()
            .copied()
            .collect();
        for (end, _) in line.match_indices(".md)") {
            let Some(target) = line.get(..end + 3) else {
                continue;
            };
            // A name may hold brackets itself.
            for (before, _) in target.rmatch_indices(['(', '/']).take(16) {
                let name = target.get(before + 1..).unwrap_or_default();
                found.extend(self.names.get(name).into_iter().flatten());
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// What an index line says, without links and codes.
fn said_about(line: &str, item: &Item) -> String {
    let mut out = String::new();
    for part in line.split('|') {
        let part = part.trim().trim_start_matches("- ");
        let is_code = item.code.is_some() && Code::of(part.trim_matches('`')) == item.code;
        if part.is_empty() || is_code {
            continue;
        }
        let mut rest = part;
        while let Some(open) = rest.find("](") {
            let (before, after) = rest.split_at(open);
            out.push_str(before.trim_start_matches('['));
            out.push(' ');
            rest = after
                .find(')')
                .and_then(|close| after.get(close + 1..))
                .unwrap_or_default();
        }
        out.push_str(rest);
        out.push(' ');
    }
    out.trim().to_owned()
}

/// Lists of keywords of all items, for words that may stand for each other here.
pub(crate) fn thesaurus(items: &[Item]) -> impl Iterator<Item = &[String]> {
    items
        .iter()
        .filter(|item| item.source.layer == Layer::Memory)
        .flat_map(|item| item.keywords.iter().map(Vec::as_slice))
}
