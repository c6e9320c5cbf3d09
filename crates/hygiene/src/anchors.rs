//! Anchors: the paths and symbols that a memory names, and whether they are still there.
//!
//! A memory is only as good as what it points to. [`Ground`] is what the mentions are held against
//! (the project's tree and sources, the memory folder, the client's folder, what is known of
//! moves); [`Ground::judge`] reads one text and says of each mention what became of it. What looks
//! like a path and is none (a branch, a MIME type, an URL's path, a package, a place on another
//! machine, a slash in prose) is told apart by its shape, its words and its neighbours in the tree,
//! never by a list of one project's names.
//!
//! The judging is pure; [`Ground::of_project`] alone reads the disk.

pub(crate) mod alike;
mod cues;
mod elsewhere;
mod ground;
mod judge;
mod known;
mod mention;
mod moves;
mod no_path;
mod path;
mod shape;
mod symbol;
mod tree;
mod words;

pub use ground::{Ground, Places};
pub use mention::{Mention, Shape, Where, mentions};
pub use moves::Moves;
pub use tree::Tree;

use serde::Serialize;

/// Whether a line says that something got another name or place (`a.rs moved to b.rs`).
pub fn tells_of_a_move(line: &str) -> bool {
    cues::tells_of_a_move(line)
}

/// What a mention is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Kind {
    /// A file or a folder.
    Path,
    /// A name in the sources.
    Symbol,
    /// It looks like one of them and is none.
    NotAPath,
}

/// Why a mention is no reference that could be checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Reason {
    /// A slash or a dot of ordinary writing (`and/or`, `24/7`), an example, a pattern.
    Prose,
    /// A branch of a repository.
    BranchName,
    /// A MIME type.
    MimeType,
    /// The path of an address.
    UrlPath,
    /// A package, an image or a repository of somebody else.
    PackageName,
    /// A name of a library, a tool or an operating system.
    ExternalSymbol,
    /// A place outside the project: another machine, a build output, a file that is made elsewhere.
    OutsideProject,
}

impl Reason {
    /// As reports name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Prose => "prose",
            Self::BranchName => "branch-name",
            Self::MimeType => "mime-type",
            Self::UrlPath => "url-path",
            Self::PackageName => "package-name",
            Self::ExternalSymbol => "external-symbol",
            Self::OutsideProject => "outside-project",
        }
    }
}

/// What became of what a mention names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Status {
    /// It is there; for a path, where (relative to the root unless it lies elsewhere).
    Exists(Option<String>),
    /// It is gone from there and found elsewhere: the likeliest place first, never empty.
    Moved(Vec<String>),
    /// Nowhere to be found.
    Gone,
    /// Nothing that could be there.
    NotAPath(Reason),
}

impl Status {
    /// As reports name it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Exists(_) => "exists",
            Self::Moved(_) => "moved",
            Self::Gone => "gone",
            Self::NotAPath(_) => "not-a-path",
        }
    }

    /// Moved or gone.
    pub fn is_broken(&self) -> bool {
        matches!(self, Self::Moved(_) | Self::Gone)
    }
}

/// One mention and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Anchor {
    /// Line, from 1.
    pub line: usize,
    /// The mention as it stands there.
    pub text: String,
    /// What it is.
    pub kind: Kind,
    /// What became of it.
    pub status: Status,
    /// The file is there and has only so many lines: the one that is named is not.
    pub lines: Option<usize>,
    /// The sentence itself says that it was removed: its absence makes nothing outdated.
    pub said_absent: bool,
}

impl Anchor {
    /// Moved or gone, and the text does not know it.
    pub fn is_broken(&self) -> bool {
        self.status.is_broken() && !self.said_absent
    }
}
