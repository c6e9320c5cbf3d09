//! Does an entry, or a line of a rule file, already say what is to be saved?
//!
//! Texts are compared as words with meanings ([`words::meaning`]), so that other words and other
//! languages count; numbers and names of code count more, words that stand everywhere less. Two
//! things are measured: how much of the proposal the document says at all, and how well one
//! statement of the proposal and one of the document cover each other.

mod agree;
mod clause;
mod force;
mod forms;
mod gather;
mod lines;
mod nearest;
mod score;
mod taken;

pub use force::in_force;
pub use gather::{Places, entries, rules};
pub use nearest::Nearest;
pub use score::verdict;
pub use taken::{Claims, Rules, Taken, Topics};

/// What somebody wants to save.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Proposal {
    /// The entry's name or title.
    pub title: String,
    /// The one-line description.
    pub description: String,
    /// The body, without frontmatter.
    pub body: String,
}

/// What kind of file may say it already.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An entry of the memory.
    Entry,
    /// A CLAUDE.md or a file of a rules folder: each line stands for itself.
    Rule,
    /// A skill's SKILL.md: each line stands for itself.
    Skill,
}

/// A file that a proposal is compared with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// How the file is named to the user.
    pub path: String,
    /// What it is.
    pub kind: Kind,
    /// Its whole text.
    pub text: String,
}

/// What may say a proposal already, and how a person calls things.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Known {
    /// Entries, rules and skills.
    pub documents: Vec<Document>,
    /// Words that mean the same to the person, each list one meaning.
    pub synonyms: Vec<Vec<String>>,
}

impl From<Vec<Document>> for Known {
    fn from(documents: Vec<Document>) -> Self {
        Self {
            documents,
            synonyms: Vec::new(),
        }
    }
}

/// One line of a document and the part of the proposal that says the same.
#[derive(Debug, Clone, PartialEq)]
pub struct Evidence {
    /// The line in the document, counted from 1.
    pub line: usize,
    /// That line, trimmed.
    pub quote: String,
    /// The proposal's words it was compared with.
    pub ours: String,
    /// How much the two cover each other, from 0 to 1.
    pub score: f64,
}

/// A document that may say it already.
#[derive(Debug, Clone, PartialEq)]
pub struct Candidate {
    /// [`Document::path`].
    pub path: String,
    /// [`Document::kind`].
    pub kind: Kind,
    /// How likely it is that the proposal is said there, from 0 to 1.
    pub score: f64,
    /// The lines it rests on, the best first, at least one.
    pub evidence: Vec<Evidence>,
}

/// A document that says the opposite.
#[derive(Debug, Clone, PartialEq)]
pub struct Opposite {
    /// [`Document::path`].
    pub path: String,
    /// [`Document::kind`].
    pub kind: Kind,
    /// The line that does, and the proposal's.
    pub evidence: Evidence,
}

/// What the comparison found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Verdict {
    /// At most five, the best first; one that says the opposite among the first three.
    pub candidates: Vec<Candidate>,
    /// What says the opposite of the proposal: that is to be updated, or has authority.
    pub opposite: Option<Opposite>,
}

/// From this score on a proposal is taken to be said already.
pub const REFUSED: f64 = 0.5;

impl Verdict {
    /// The document that says it already, if one surely does: then nothing is to be saved.
    pub fn covered_by(&self) -> Option<&Candidate> {
        self.candidates
            .first()
            .filter(|candidate| candidate.score >= REFUSED)
    }

    /// Whether nothing is to be saved beside what is there.
    pub fn refuses(&self) -> bool {
        self.opposite.is_some() || self.covered_by().is_some()
    }
}
