//! What is proposed for an entry, and on what it rests.

use crate::evidence::Evidence;
use serde::{Deserialize, Serialize};

/// What an entry is judged to be, in the order of priority.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Verdict {
    /// Its project ended and is history.
    Completed,
    /// The block, problem or expiry it warns of is over.
    Resolved,
    /// Feedback whose meaning stands in a CLAUDE.md, rule or skill.
    Promoted,
    /// One of three or more entries of a domain without a way in.
    Consolidate,
    /// Another entry says it.
    Duplicate,
    /// A path, a value or a state is no longer so.
    Outdated,
    /// Nothing decides it.
    Stale,
    /// Valid.
    Active,
}

impl Verdict {
    /// All, the first in priority first.
    pub const ALL: [Self; 8] = [
        Self::Completed,
        Self::Resolved,
        Self::Promoted,
        Self::Consolidate,
        Self::Duplicate,
        Self::Outdated,
        Self::Stale,
        Self::Active,
    ];

    /// As plans and reports name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Completed => "Completed",
            Self::Resolved => "Resolved",
            Self::Promoted => "Promoted",
            Self::Consolidate => "Consolidate",
            Self::Duplicate => "Duplicate",
            Self::Outdated => "Outdated",
            Self::Stale => "Stale",
            Self::Active => "Active",
        }
    }

    /// The inverse of [`Verdict::name`], any case.
    pub fn of(name: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|verdict| verdict.name().eq_ignore_ascii_case(name.trim()))
    }

    /// Whether its action takes the entry away from where it is (archive, delete, merge).
    pub fn removes(self) -> bool {
        matches!(
            self,
            Self::Completed | Self::Resolved | Self::Promoted | Self::Duplicate
        )
    }
}

/// How sure a verdict is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Confidence {
    /// Mechanical: a person who reads the evidence sees it.
    High,
    /// Likely.
    Med,
    /// A guess; only with Stale.
    Low,
}

/// One verdict that may be right for an entry.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Candidate {
    /// Which.
    pub verdict: Verdict,
    /// How sure.
    pub confidence: Confidence,
    /// What it rests on.
    pub evidence: Vec<Evidence>,
    /// One sentence why, in English.
    pub note: String,
    /// The other entry it concerns (keeper, successor, opponent), its file from the store's root.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub other: Option<String>,
    /// The domain, for Consolidate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub group: Option<String>,
    /// Only what would be next to ask, where nothing speaks for another verdict: it proves nothing.
    #[serde(skip)]
    pub guess: bool,
}

/// All verdicts that may be right for one entry, the proposed one first, at least one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judgement {
    /// The entry's file from the store's root.
    pub entry: String,
    /// The proposed one first.
    pub candidates: Vec<Candidate>,
}

impl Judgement {
    /// The proposed one.
    pub fn proposed(&self) -> &Candidate {
        &self.candidates[0]
    }
}
