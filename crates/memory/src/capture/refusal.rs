//! Why an entry is not written. Nothing was changed then.

use super::form::{self, Part};
use crate::edit;
use crate::entry::{Entry, Unread};
use crate::limits::IndexLimits;
use crate::store::Store;

/// Why a change to a store is refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Refusal {
    /// A name, description, file name or section that cannot stand where it belongs.
    #[error("the {what} {why}")]
    Unfit {
        /// Which text.
        what: &'static str,
        /// What is wrong, and what to do.
        why: String,
    },
    /// The body is empty.
    #[error("the body is empty; give it with --from FILE, or --from - for standard input")]
    NoBody,
    /// There is an entry of that file name or name.
    #[error("{file} is there already{}; change it with `mnemo memory update {file}`, or give another --file and --name", same_name(*.by_name))]
    Exists {
        /// The entry.
        file: String,
        /// Its frontmatter has the same name.
        by_name: bool,
    },
    /// There is no such entry.
    #[error("there is no entry {0} here; `mnemo memory list` names them")]
    NoEntry(String),
    /// Text between `<private>` tags is never written.
    #[error("the {0} holds a <private> block, which never reaches a file; take it out")]
    Private(&'static str),
    /// What is hidden now could be read then.
    #[error(
        "what stands in a <private> block there could be read then; edit the file by hand, and take out the block as a whole"
    )]
    Reveals,
    /// What looks like a secret.
    #[error(
        "the {what}, line {line}, holds what looks like a secret ({kind}); take it out, or say --allow-sensitive"
    )]
    Sensitive {
        /// Which text.
        what: &'static str,
        /// The line in it.
        line: usize,
        /// The kind of secret.
        kind: String,
    },
    /// Something says it already.
    #[error("{path}:{line} says {}: \"{quote}\"; {}, or say --force", it_says(*.opposite), instead(*.is_rule, *.opposite))]
    Covered {
        /// The file.
        path: String,
        /// The line.
        line: usize,
        /// The line's text.
        quote: String,
        /// It stands in a CLAUDE.md, a rule or a skill, which have authority.
        is_rule: bool,
        /// It says the opposite.
        opposite: bool,
    },
    /// A decision that lacks parts of the form.
    #[error("a decision says context, options, decision and when to revisit; missing: {}\n\n{form}", form::names(.missing))]
    Form {
        /// What is missing.
        missing: Vec<Part>,
        /// The form to fill in.
        form: String,
    },
    /// A record's MEMORY.md would be larger than it may be.
    #[error("MEMORY.md would have {lines} of {} lines and {bytes} of {} bytes; first move details out of it into memory/{category} (or another category). Its largest parts:{what}", .limits.lines, .limits.bytes)]
    IndexFull {
        /// Its lines.
        lines: usize,
        /// Its bytes.
        bytes: u64,
        /// What it may have.
        limits: IndexLimits,
        /// The category of the new item.
        category: String,
        /// Its largest parts, a line each.
        what: String,
    },
    /// A file of several items, of which one must be named.
    #[error(
        "{0} holds several items; name one by its code or title, `mnemo memory list --store record` shows them"
    )]
    SeveralItems(String),
    /// MEMORY.md cannot be read as text.
    #[error("MEMORY.md cannot be read: {0}")]
    UnreadableIndex(Unreadable),
    /// A line put into MEMORY.md would not be read back as it was meant.
    #[error("the line would not be read as an entry's in MEMORY.md ({0})")]
    BreaksIndex(&'static str),
    /// The entry cannot be read as text.
    #[error("{file} cannot be read: {why}")]
    UnreadableEntry {
        /// The entry.
        file: String,
        /// Why.
        why: Unreadable,
    },
    /// An edit does not fit.
    #[error(transparent)]
    Edit(#[from] edit::Error),
    /// A file.
    #[error(transparent)]
    Change(#[from] changes::Error),
}

/// Why a file's text is not there to be edited, and what to do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Unreadable {
    /// There is no such file.
    Missing,
    /// Bytes that are not UTF-8.
    NotUtf8,
    /// It was not read at all.
    Unread(Unread),
}

impl std::fmt::Display for Unreadable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Missing => f.write_str("it is not there"),
            Self::NotUtf8 => f.write_str("it is not UTF-8 text; convert it first"),
            Self::Unread(why) => {
                let what = match why {
                    Unread::TooLarge => "keep its essence and split it",
                    Unread::LinkOutside => "put the file itself in its place",
                    Unread::NotAFile => "put a file in its place",
                    Unread::Failed(_) => "see to its permissions and its disk",
                };
                write!(f, "{why}; {what}")
            }
        }
    }
}

impl Refusal {
    /// That an entry's text is not there to be edited.
    pub fn unreadable(entry: &Entry) -> Self {
        Self::UnreadableEntry {
            file: entry.file().to_owned(),
            why: entry
                .why_unread()
                .map_or(Unreadable::NotUtf8, |why| Unreadable::Unread(why.clone())),
        }
    }

    /// The same of a store's MEMORY.md.
    pub fn unreadable_index(store: &Store) -> Self {
        Self::UnreadableIndex(match (store.index(), store.index_unread()) {
            (_, Some(why)) => Unreadable::Unread(why.clone()),
            (Some(_), None) => Unreadable::NotUtf8,
            (None, None) => Unreadable::Missing,
        })
    }
}

fn same_name(by_name: bool) -> &'static str {
    if by_name { " under that name" } else { "" }
}

fn it_says(opposite: bool) -> &'static str {
    if opposite {
        "the opposite"
    } else {
        "it already"
    }
}

fn instead(is_rule: bool, opposite: bool) -> &'static str {
    match (is_rule, opposite) {
        (true, true) => "a rule has authority: change it there",
        (true, false) => "a rule needs no entry",
        (false, _) => "update that entry",
    }
}

impl Refusal {
    /// 2 for what the command line got wrong, 3 for what is missing or unreadable, 4 for what is
    /// refused for safety.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NoBody
            | Self::NoEntry(_)
            | Self::SeveralItems(_)
            | Self::UnreadableIndex(_)
            | Self::UnreadableEntry { .. } => 3,
            Self::Unfit { .. }
            | Self::Exists { .. }
            | Self::Private(_)
            | Self::Reveals
            | Self::Sensitive { .. }
            | Self::Covered { .. }
            | Self::Form { .. }
            | Self::IndexFull { .. }
            | Self::BreaksIndex(_)
            | Self::Edit(_) => 4,
            Self::Change(error) => error.exit_code(),
        }
    }

    /// One word for machines.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Unfit { .. } => "unfit",
            Self::NoBody => "no-body",
            Self::Exists { .. } => "exists",
            Self::NoEntry(_) => "no-entry",
            Self::SeveralItems(_) => "several-items",
            Self::IndexFull { .. } => "index-full",
            Self::Private(_) | Self::Reveals => "private",
            Self::Sensitive { .. } => "sensitive",
            Self::Covered { opposite: true, .. } => "opposed",
            Self::Covered { .. } => "covered",
            Self::Form { .. } => "decision-form",
            Self::UnreadableIndex(_) | Self::UnreadableEntry { .. } => "unreadable",
            Self::BreaksIndex(_) => "breaks-index",
            Self::Edit(_) => "edit",
            Self::Change(_) => "files",
        }
    }
}
