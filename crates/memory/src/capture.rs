//! Adding, changing and removing entries: plans only, which [`changes`] shows, carries out and
//! takes back. Bytes that nobody asked to change stay.

pub mod add;
pub mod due;
mod form;
mod place;
pub mod record;
mod refusal;
pub mod remove;
mod rules;
mod table;
pub mod update;

pub use add::{Add, Section, add};
pub use due::{Due, due};
pub(crate) use form::is_form_label;
pub use form::{Part, form};
pub use record::{AddItem, Author, Category, add as add_item, missing_pages};
pub use refusal::{Refusal, Unreadable};
pub use remove::{Reason, Remove, remove};
pub use rules::{Allow, FileName, description};
pub use table::columns as list_columns;
pub use update::{Body, Update, update};

/// Lines of MEMORY.md, for plans that change many at once.
pub mod index_lines {
    pub use super::place::{are_read, end, goes_on, insertions, line};
    pub use super::remove::item;
    pub use super::update::{line_edits, lines_of};
}

use crate::limits::Counted;
use crate::{Budget, Store, StoreKind, budget};
use changes::ChangeSet;
use serde::Serialize;

/// Most bytes of a body.
pub const LARGEST_BODY: u64 = 1 << 20;

/// Lines of a body from which an entry is better split: a note, and what is too many.
const LONG: [usize; 2] = [60, 100];

/// A change to a store, not carried out yet.
#[derive(Debug)]
pub struct Plan {
    /// The files.
    pub set: ChangeSet,
    /// The entry, its path from the folder of MEMORY.md (of a removed one where it will lie).
    pub file: String,
    /// Its line in MEMORY.md, if it has one afterwards.
    pub index_line: Option<String>,
    /// Its estimated tokens afterwards.
    pub tokens: u64,
    /// What the person should know.
    pub warnings: Vec<Warning>,
}

/// What is allowed but worth knowing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "warning", rename_all = "kebab-case")]
pub enum Warning {
    /// The body has 60 lines or more.
    Long {
        /// Its lines.
        lines: usize,
        /// From here on it is too long.
        limit: usize,
    },
    /// MEMORY.md is larger than what is loaded of it.
    IndexTooLarge {
        /// Its lines.
        lines: usize,
        /// Its bytes.
        bytes: u64,
    },
    /// The entries take 80 % of the budget or more.
    Budget {
        /// Their tokens together.
        tokens: u64,
        /// Tokens that they may take.
        limit: u64,
    },
    /// What looks like a secret is written, as allowed.
    Sensitive {
        /// What.
        kind: String,
    },
    /// Something says it already; written all the same, as forced.
    Covered {
        /// Where.
        path: String,
        /// The line.
        line: usize,
    },
    /// Something says the opposite; written all the same, as forced.
    Opposed {
        /// Where.
        path: String,
        /// The line.
        line: usize,
    },
    /// Links to a removed entry that lead nowhere now.
    BrokenLink {
        /// Where it stands.
        path: String,
        /// The line.
        line: usize,
    },
    /// No line of MEMORY.md points to the entry.
    NotIndexed,
    /// The file's name begins with another type.
    OtherType {
        /// That type.
        prefix: &'static str,
    },
    /// Items of a record have no type.
    TypeNotKept {
        /// That was named.
        kind: &'static str,
    },
    /// It was archived as it is, since it cannot be edited.
    NotEdited,
    /// A row of a table in MEMORY.md that speaks of it.
    RowLeft {
        /// The line.
        line: usize,
    },
    /// MEMORY.md keeps its entries in a table, and the new line went into a list behind it.
    TableLeft,
    /// A line of MEMORY.md that links to it and is not its own.
    LineLeft {
        /// The line.
        line: usize,
        /// Whether there is a line of its own beside it.
        has_own: bool,
    },
}

impl std::fmt::Display for Warning {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Long { lines, limit } => write!(
                f,
                "the body has {lines} lines ({limit} is {}): consider condensing or splitting it",
                if *limit == LONG[1] {
                    "too many"
                } else {
                    "much"
                }
            ),
            Self::IndexTooLarge { lines, bytes } => write!(
                f,
                "MEMORY.md has {lines} lines and {bytes} bytes, more than is loaded at a start: `mnemo check` names what falls off"
            ),
            Self::Budget { tokens, limit } => write!(
                f,
                "the entries take ~{tokens} of {limit} tokens: `mnemo check` names the largest"
            ),
            Self::Sensitive { kind } => write!(f, "it holds what looks like a secret ({kind})"),
            Self::Covered { path, line } => write!(f, "{path}:{line} says it already"),
            Self::Opposed { path, line } => write!(f, "{path}:{line} says the opposite"),
            Self::BrokenLink { path, line } => {
                write!(f, "{path}:{line} links to it and leads nowhere now")
            }
            Self::NotIndexed => f.write_str("no line of MEMORY.md points to it"),
            Self::OtherType { prefix } => {
                write!(f, "the file's name begins with another type ({prefix})")
            }
            Self::TypeNotKept { kind } => write!(
                f,
                "items of a record have no type, so `{kind}` is not kept: the category says what it is (types are for --store auto)"
            ),
            Self::NotEdited => f.write_str("it cannot be edited, so it was archived as it is"),
            Self::RowLeft { line } => write!(
                f,
                "MEMORY.md:{line} is a row of a table, which is left as it is: change what it says by hand"
            ),
            Self::TableLeft => f.write_str(
                "MEMORY.md keeps its entries in a table, which is left as it is: the new line stands in a list at its end",
            ),
            Self::LineLeft { line, has_own } => {
                if !has_own {
                    f.write_str("no line of MEMORY.md is its own; ")?;
                }
                write!(f, "MEMORY.md:{line} links to it too and was left as it is")
            }
        }
    }
}

/// Warnings about sizes after a change: `entries` and `index` as they will be.
fn size_warnings(kind: StoreKind, tokens: u64, index: Option<&str>, body: &str) -> Vec<Warning> {
    let mut warnings = Vec::new();
    let lines = crate::lines::lines(body).count();
    if let Some(limit) = LONG.into_iter().rev().find(|limit| lines >= *limit) {
        warnings.push(Warning::Long { lines, limit });
    }
    if let Some(counted) = index
        .map(|index| Counted::of(kind, index))
        .filter(Counted::is_over)
    {
        warnings.push(Warning::IndexTooLarge {
            lines: counted.lines,
            bytes: counted.bytes,
        });
    }
    let sum = Budget {
        tokens,
        ..Budget::default()
    };
    if sum.level() != budget::Level::Within {
        warnings.push(Warning::Budget {
            tokens,
            limit: budget::LIMIT,
        });
    }
    warnings
}

/// The estimated tokens of all entries but one.
fn tokens_without(store: &Store, file: &str) -> u64 {
    store
        .entries()
        .iter()
        .filter(|entry| entry.file() != file)
        .map(crate::Entry::tokens)
        .sum()
}

/// The text of MEMORY.md, empty when there is none yet.
fn index_text(store: &Store) -> Result<&str, Refusal> {
    match (store.index(), store.index_unread()) {
        (Some(index), _) if index.is_text() => Ok(index.text()),
        (None, None) => Ok(""),
        _ => Err(Refusal::unreadable_index(store)),
    }
}

/// A set for the store's files; the folder need not exist yet.
fn set_of(store: &Store, command: &str) -> Result<ChangeSet, Refusal> {
    Ok(ChangeSet::inside(command, store.root())?)
}
