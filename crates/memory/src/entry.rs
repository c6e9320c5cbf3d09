//! One memory entry.

use crate::budget;
use crate::frontmatter::Frontmatter;
use crate::lines::{self, BOM, Line, Lines};
use crate::links::{self, Link};
use chrono::{DateTime, Utc};
use serde::Serialize;
use std::borrow::Cow;
use std::ops::Range;
use unicode_normalization::{UnicodeNormalization, is_nfc};

/// Which entry of a store; only of the store it came from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EntryId(pub(crate) usize);

impl EntryId {
    /// Its place in [`crate::Store::entries`].
    pub fn index(self) -> usize {
        self.0
    }
}

/// The five types.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Identity, preferences, values, knowledge of the person.
    User,
    /// How to work with the person.
    Feedback,
    /// Current work, deadlines, goals.
    Project,
    /// Outside knowledge, settings of tools, pointers.
    Reference,
    /// Why X and not Y.
    Decision,
}

impl Kind {
    /// All, in the order of reports.
    pub const ALL: [Self; 5] = [
        Self::User,
        Self::Feedback,
        Self::Project,
        Self::Reference,
        Self::Decision,
    ];

    /// As the frontmatter has it.
    pub fn name(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::Feedback => "feedback",
            Self::Project => "project",
            Self::Reference => "reference",
            Self::Decision => "decision",
        }
    }

    /// The inverse of [`Kind::name`].
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// What an entry says of its type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Declared {
    /// One of the five.
    Known(Kind),
    /// Another word.
    Unknown(String),
    /// Nothing, or there is no readable frontmatter.
    Missing,
}

/// Why an entry's text was not read. Its name, size and time are known nevertheless.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unread {
    /// Larger than [`crate::store::LARGEST`] bytes.
    TooLarge,
    /// A link that leads out of the store, or to nothing.
    LinkOutside,
    /// A device, a FIFO, a socket.
    NotAFile,
    /// The system refused; its words.
    Failed(String),
}

impl std::fmt::Display for Unread {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&crate::wording::unread(self, mnemo_home::Language::En))
    }
}

/// One entry, read once.
#[derive(Debug, Clone)]
pub struct Entry {
    pub(crate) file: String,
    pub(crate) size: u64,
    pub(crate) modified: Option<DateTime<Utc>>,
    pub(crate) text: String,
    /// Set when the file's bytes are not UTF-8: `text` then holds U+FFFD in their place.
    pub(crate) damaged: Option<Vec<u8>>,
    pub(crate) unread: Option<Unread>,
    pub(crate) front: Frontmatter,
    pub(crate) links: Vec<Link>,
}

impl Entry {
    pub(crate) fn of_bytes(file: String, bytes: Vec<u8>, modified: Option<DateTime<Utc>>) -> Self {
        let size = bytes.len() as u64;
        let (text, damaged) = match String::from_utf8(bytes) {
            Ok(text) => (text, None),
            Err(error) => {
                let bytes = error.into_bytes();
                (String::from_utf8_lossy(&bytes).into_owned(), Some(bytes))
            }
        };
        Self {
            front: Frontmatter::parse(&text),
            links: links::parse(&text),
            file,
            size,
            modified,
            text,
            damaged,
            unread: None,
        }
    }

    pub(crate) fn unread(
        file: String,
        size: u64,
        modified: Option<DateTime<Utc>>,
        why: Unread,
    ) -> Self {
        Self {
            file,
            size,
            modified,
            text: String::new(),
            damaged: None,
            unread: Some(why),
            front: Frontmatter::parse(""),
            links: Vec::new(),
        }
    }

    /// The path from the index's folder, with `/`: `user_role.md`, in a record
    /// `memory/gotchas/012-port.md`.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The file's own name.
    pub fn file_name(&self) -> &str {
        self.file.rsplit('/').next().unwrap_or(&self.file)
    }

    /// The file's name without `.md`.
    pub fn stem(&self) -> &str {
        stem(self.file_name())
    }

    /// Frontmatter `name`, not empty.
    pub fn name(&self) -> Option<&str> {
        self.field("name")
    }

    /// Frontmatter `description`, not empty.
    pub fn description(&self) -> Option<&str> {
        self.field("description")
    }

    /// A frontmatter value by key (`metadata.type` for a nested one) that is not empty.
    pub fn field(&self, key: &str) -> Option<&str> {
        self.front.get(key).filter(|value| !value.is_empty())
    }

    /// As [`Entry::field`], else of `metadata`, where newer clients write keys of their own.
    pub fn said(&self, key: &str) -> Option<&str> {
        self.field(key)
            .or_else(|| self.field(&format!("metadata.{key}")))
    }

    /// Whether it says that another one has taken its place.
    pub fn is_superseded(&self) -> bool {
        self.said("status") == Some("superseded")
            || self.said("superseded_by").is_some()
            || !self.front.list("superseded_by").is_empty()
    }

    /// Its type, by `type` or `metadata.type`.
    pub fn declared(&self) -> Declared {
        match self.field("type").or_else(|| self.field("metadata.type")) {
            None => Declared::Missing,
            Some(word) => {
                Kind::of(word).map_or_else(|| Declared::Unknown(word.to_owned()), Declared::Known)
            }
        }
    }

    /// The declared type, if it is one of the five.
    pub fn kind(&self) -> Option<Kind> {
        match self.declared() {
            Declared::Known(kind) => Some(kind),
            _ => None,
        }
    }

    /// The type that the file's name begins with (`feedback_…`, `project-…`).
    pub fn kind_by_name(&self) -> Option<Kind> {
        Kind::of(self.file_name().split(['-', '_']).next()?)
    }

    /// Bytes of the file.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Estimated tokens.
    pub fn tokens(&self) -> u64 {
        budget::tokens(self.size)
    }

    /// When the file was last changed.
    pub fn modified(&self) -> Option<DateTime<Utc>> {
        self.modified
    }

    /// The whole text, byte order mark and line ends as they are. Empty when it was not read; with
    /// U+FFFD where the file is not UTF-8.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The file's bytes, as far as they were read.
    pub fn bytes(&self) -> &[u8] {
        self.damaged.as_deref().unwrap_or(self.text.as_bytes())
    }

    /// Whether it was read and is UTF-8, so that it can be edited.
    pub fn is_text(&self) -> bool {
        self.unread.is_none() && self.damaged.is_none()
    }

    /// Why it was not read.
    pub fn why_unread(&self) -> Option<&Unread> {
        self.unread.as_ref()
    }

    /// Whether the file was read but is not UTF-8.
    pub fn is_damaged(&self) -> bool {
        self.damaged.is_some()
    }

    /// Whether it begins with a byte order mark.
    pub fn has_bom(&self) -> bool {
        self.text.starts_with(BOM)
    }

    /// Whether any line ends with CR LF.
    pub fn has_crlf(&self) -> bool {
        memchr::memmem::find(self.text.as_bytes(), b"\r\n").is_some()
    }

    /// Its frontmatter.
    pub fn frontmatter(&self) -> &Frontmatter {
        &self.front
    }

    /// The text after the frontmatter (all of it when there is none), bytes.
    pub fn body_range(&self) -> Range<usize> {
        self.front.body()..self.text.len()
    }

    /// The text after the frontmatter.
    pub fn body(&self) -> &str {
        &self.text[self.body_range()]
    }

    /// The number of the body's first line.
    pub fn body_line(&self) -> usize {
        self.front.body_line()
    }

    /// The lines of the body, with their numbers and places in the file.
    pub fn body_lines(&self) -> impl Iterator<Item = Line<'_>> {
        let first = self.body_line();
        self.lines().skip_while(move |line| line.number < first)
    }

    /// All lines.
    pub fn lines(&self) -> Lines<'_> {
        lines::lines(&self.text)
    }

    /// A part of the file as it may be shown: without what is private and without secrets, also where
    /// these begin before it.
    pub fn shown(&self, part: Range<usize>) -> String {
        let text = self.text.get(part.clone()).unwrap_or_default();
        let text = match redact::by_line(&self.text) {
            Cow::Borrowed(_) => Cow::Borrowed(text),
            Cow::Owned(whole) => {
                let before = self.text.get(..part.start).unwrap_or_default();
                let before = before.matches('\n').count();
                let lines = whole.split_inclusive('\n').skip(before);
                let count = text.split_inclusive('\n').count();
                Cow::Owned(lines.take(count).collect())
            }
        };
        redact::clean(&text, redact::Policy { secrets: true }).into_string()
    }

    /// One line's text, from 1.
    pub fn line(&self, number: usize) -> Option<&str> {
        self.lines()
            .nth(number.checked_sub(1)?)
            .map(|line| line.text)
    }

    /// Links in the text, as written; [`crate::Store::links`] has them with their targets.
    pub fn links(&self) -> &[Link] {
        &self.links
    }
}

/// A file name without `.md`.
pub(crate) fn stem(name: &str) -> &str {
    name.strip_suffix(".md").unwrap_or(name)
}

/// A name in the one form in which names are compared: file systems and people differ in how they
/// compose Hangul and umlauts.
pub(crate) fn composed(name: &str) -> Cow<'_, str> {
    if name.is_ascii() || is_nfc(name) {
        Cow::Borrowed(name)
    } else {
        Cow::Owned(name.nfc().collect())
    }
}
