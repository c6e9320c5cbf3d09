//! Items of a record's categories, in both forms: one file each (`# g:012 Title`, `- keywords: …`),
//! or one heading each in the category's file (`### Title`, `` `tags: …` ``).

use crate::code::Code;
use crate::frontmatter::Frontmatter;
use crate::lines::lines;
use crate::links::Visible;
use chrono::NaiveDate;
use std::fmt::Write as _;
use std::ops::Range;

/// How an item is kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// It is the file.
    File,
    /// It begins at a heading of the category's file.
    Heading,
}

/// One item of a text. Ranges are bytes of the whole text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Item {
    /// How it is kept.
    pub form: Form,
    /// The code that its title begins with.
    pub code: Option<Code>,
    /// Its title, without the code. Empty for a file without a heading.
    pub title: String,
    /// The title's bytes, without the code; `None` without a heading.
    pub title_range: Option<Range<usize>>,
    /// Its heading's line, from 1; the file's first line without one.
    pub line: usize,
    /// What it is found by.
    pub keywords: Vec<String>,
    /// When it was written, as it says.
    pub date: Option<NaiveDate>,
    /// Who wrote it, as it says.
    pub source: Option<String>,
    /// Days of conversations that its metadata links.
    pub conversations: Vec<NaiveDate>,
    /// Another item has taken its place, as it says.
    pub superseded: bool,
    /// When it is to be looked at again.
    pub revisit: Option<NaiveDate>,
    /// The whole item.
    pub range: Range<usize>,
    /// What follows the metadata, blank lines included.
    pub body: Range<usize>,
}

/// A heading outside fences and frontmatter.
struct Head {
    level: usize,
    line: usize,
    start: usize,
    next: usize,
    title: Range<usize>,
}

/// The item that a file is.
pub fn of_file(text: &str) -> Item {
    let front = Frontmatter::parse(text);
    let range = 0..text.len();
    match heads(text).first() {
        Some(head) => read(text, Form::File, head, range),
        None => Item {
            form: Form::File,
            code: None,
            title: front.get("name").unwrap_or_default().to_owned(),
            title_range: None,
            line: 1,
            keywords: front.get("keywords").map(list).unwrap_or_default(),
            date: None,
            source: None,
            conversations: Vec::new(),
            superseded: false,
            revisit: None,
            range,
            body: front.body()..text.len(),
        },
    }
}

/// The items of a category's file: one for each heading of the level that carries metadata, else
/// for each `### `, else for each `## `.
pub fn of_category(text: &str) -> Vec<Item> {
    let heads = heads(text);
    let items = |level: usize| -> Vec<Item> {
        heads
            .iter()
            .enumerate()
            .filter(|(_, head)| head.level == level)
            .map(|(at, head)| {
                let end = heads[at + 1..]
                    .iter()
                    .find(|next| next.level <= level)
                    .map_or(text.len(), |next| next.start);
                read(text, Form::Heading, head, head.start..end)
            })
            .collect()
    };
    let by_level: Vec<Vec<Item>> = [3, 2, 4].into_iter().map(items).collect();
    by_level
        .iter()
        .find(|items| items.iter().any(Item::has_metadata))
        .or_else(|| by_level.iter().find(|items| !items.is_empty()))
        .cloned()
        .unwrap_or_default()
}

impl Item {
    fn has_metadata(&self) -> bool {
        !self.keywords.is_empty() || self.date.is_some() || self.source.is_some()
    }
}

/// Whether a category's file holds nothing but what it was made with: headings, rules, comments,
/// and the quote that names MEMORY.md.
pub fn is_scaffold(text: &str) -> bool {
    let mut titled = false;
    let nothing = Visible::of(text).all(|line| {
        let said = line.text.trim();
        let heading = said.starts_with('#') && !line.fenced;
        titled |= heading;
        heading
            || said.is_empty() && !line.fenced
            || said.starts_with('>') && said.contains(crate::index::FILE)
            || said.len() >= 3 && said.bytes().all(|byte| byte == b'-')
    });
    titled && nothing
}

fn heads(text: &str) -> Vec<Head> {
    let front = Frontmatter::parse(text).body();
    Visible::of(text)
        .zip(lines(text))
        .filter(|(visible, line)| !visible.fenced && line.start >= front)
        .filter_map(|(visible, line)| {
            let level = visible
                .text
                .bytes()
                .take_while(|byte| *byte == b'#')
                .count();
            let rest = line.text.get(level..)?;
            if !(1..=6).contains(&level) || !visible.text[level..].starts_with([' ', '\t']) {
                return None;
            }
            let lead = rest.len() - rest.trim_start().len();
            let start = line.start + level + lead;
            Some(Head {
                level,
                line: line.number,
                start: line.start,
                next: line.next,
                title: start..start + rest.trim().len(),
            })
        })
        .collect()
}

fn read(text: &str, form: Form, head: &Head, range: Range<usize>) -> Item {
    let whole = &text[head.title.clone()];
    let (code, title) = Code::of_title(whole);
    let title_range = head.title.end - title.len()..head.title.end;
    let mut item = Item {
        form,
        code,
        title: title.to_owned(),
        title_range: Some(title_range),
        line: head.line,
        keywords: Vec::new(),
        date: None,
        source: None,
        conversations: Vec::new(),
        superseded: false,
        revisit: None,
        body: head.next.min(range.end)..range.end,
        range,
    };
    let after = item.body.start;
    for line in lines(&text[item.body.clone()]) {
        if line.text.trim().is_empty() {
            continue;
        }
        let Some(pairs) = metadata(line.text) else {
            break;
        };
        for (key, value) in pairs {
            item.take(key, value);
        }
        item.body.start = after + line.next;
    }
    item
}

/// What an item says of itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Keywords,
    Conversations,
    Date,
    Source,
    Revisit,
    SupersededBy,
    Status,
    /// How it stands to others; kept, and of no matter here.
    Other,
}

/// The names of a key: as tools write them, and in the languages that people write.
const KEYS: [(&[&str], Key); 8] = [
    (
        &[
            "keywords",
            "tags",
            "키워드",
            "태그",
            "stichwörter",
            "stichworte",
            "schlagwörter",
            "关键词",
            "标签",
        ],
        Key::Keywords,
    ),
    (
        &["conversations", "conversation", "대화", "gespräche", "对话"],
        Key::Conversations,
    ),
    (&["date", "날짜", "datum", "日期"], Key::Date),
    (&["revisit"], Key::Revisit),
    (&["source", "출처", "quelle", "来源"], Key::Source),
    (&["superseded-by", "superseded_by"], Key::SupersededBy),
    (&["status"], Key::Status),
    (&["supersedes"], Key::Other),
];

fn key(text: &str) -> Option<Key> {
    let text = text.trim_matches(['*', '_', ' ']).to_lowercase();
    KEYS.iter()
        .find(|(names, _)| names.contains(&text.as_str()))
        .map(|(_, key)| *key)
}

/// Whether a line holds metadata of an item: `- key: value`, or code spans of `key: value`.
pub fn is_metadata(line: &str) -> bool {
    metadata(line).is_some()
}

/// The pairs of a metadata line: `- key: value`, or code spans of `key: value`. `None` for text.
fn metadata(line: &str) -> Option<Vec<(Key, &str)>> {
    let line = line.trim();
    let pair = |text: &'_ str| -> Option<(Key, usize)> {
        let colon = text.find(':')?;
        Some((key(&text[..colon])?, colon + 1))
    };
    if line.starts_with('`') && line.ends_with('`') {
        let mut pairs = Vec::new();
        for (place, part) in line.split('`').enumerate() {
            if place % 2 == 0 {
                if !part.trim().is_empty() {
                    return None;
                }
                continue;
            }
            let (key, value) = pair(part)?;
            pairs.push((key, part[value..].trim()));
        }
        return Some(pairs).filter(|pairs| !pairs.is_empty());
    }
    let said = line.strip_prefix(['-', '*']).map_or(line, str::trim_start);
    let (key, value) = pair(said)?;
    Some(vec![(key, said[value..].trim_start_matches('*').trim())])
}

impl Item {
    fn take(&mut self, key: Key, value: &str) {
        match key {
            Key::Keywords => self.keywords.extend(list(value)),
            Key::Conversations => self.conversations.extend(days(value)),
            Key::Date => self.date = self.date.or_else(|| value.get(..10)?.parse().ok()),
            Key::Revisit => self.revisit = self.revisit.or_else(|| value.get(..10)?.parse().ok()),
            Key::Source => {
                if self.source.is_none() && !value.is_empty() {
                    self.source = Some(value.to_owned());
                }
            }
            Key::SupersededBy => self.superseded |= !value.is_empty(),
            Key::Status => self.superseded |= value.to_lowercase().contains("superseded"),
            Key::Other => {}
        }
    }

    /// How its text stands in a file: for [`Form::File`] with its code (`links` is how the
    /// conversations are reached), for [`Form::Heading`] with date and source.
    pub fn render(&self, body: &str, newline: &str) -> String {
        let mut out = String::new();
        let keywords = self.keywords.join(", ");
        let days = |up: &str| {
            let links: Vec<String> = self
                .conversations
                .iter()
                .map(|day| format!("[{day}]({up}conversations/{day}-claude.md)"))
                .collect();
            links.join(", ")
        };
        match self.form {
            Form::File => {
                let code = self.code.map(|code| format!("{code} ")).unwrap_or_default();
                let _ = write!(out, "# {code}{}{newline}{newline}", self.title);
                if !keywords.is_empty() {
                    let _ = write!(out, "- keywords: {keywords}{newline}");
                }
                if !self.conversations.is_empty() {
                    let _ = write!(out, "- conversations: {}{newline}", days("../../"));
                }
                if let Some(day) = self.revisit {
                    let _ = write!(out, "- revisit: {day}{newline}");
                }
            }
            Form::Heading => {
                let _ = write!(out, "### {}{newline}", self.title);
                if !keywords.is_empty() {
                    let _ = write!(out, "`tags: {keywords}`{newline}");
                }
                if let Some(date) = self.date {
                    let _ = write!(out, "`date: {date}`{newline}");
                }
                if let Some(source) = &self.source {
                    let _ = write!(out, "`source: {source}`{newline}");
                }
                if let Some(day) = self.revisit {
                    let _ = write!(out, "`revisit: {day}`{newline}");
                }
                if !self.conversations.is_empty() {
                    let _ = write!(out, "- conversations: {}{newline}", days("../"));
                }
            }
        }
        if !out.ends_with(&format!("{newline}{newline}")) {
            out.push_str(newline);
        }
        out.push_str(body);
        out
    }
}

/// A list of words as metadata and tables have it.
pub fn list(text: &str) -> Vec<String> {
    text.trim()
        .trim_start_matches('[')
        .trim_end_matches(']')
        .split([',', '、', '，'])
        .map(|word| word.trim().trim_matches(['"', '\'', '`', '#']).trim())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

/// Days of the conversations that a text links.
fn days(text: &str) -> Vec<NaiveDate> {
    let mut days: Vec<NaiveDate> = text
        .match_indices("-claude.md")
        .filter_map(|(at, _)| text.get(at.checked_sub(10)?..at)?.parse().ok())
        .collect();
    days.dedup();
    days
}

/// An anchor as renderers make it from a heading: lower case, blanks to `-`, marks dropped.
pub fn anchor(title: &str) -> String {
    title
        .chars()
        .flat_map(char::to_lowercase)
        .filter_map(|c| match c {
            ' ' => Some('-'),
            c if c.is_alphanumeric() || matches!(c, '-' | '_') => Some(c),
            _ => None,
        })
        .collect()
}
