//! How entries belong together: the types of relations, and finding them.

pub(crate) mod alike;
mod links;
mod pairs;

use crate::corpus::Corpus;
use crate::evidence::Evidence;
use crate::view::View;
use memory::Store;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt;

/// Kinds of relations, the strongest first: a pair has one only.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RelationKind {
    /// A and B exclude each other; no direction.
    Contradiction,
    /// A follows or updates the older B.
    Succession,
    /// A says what B says, and more.
    Containment,
    /// A cites B and stands alone.
    Reference,
}

impl RelationKind {
    /// As reports name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Contradiction => "contradiction",
            Self::Succession => "succession",
            Self::Containment => "containment",
            Self::Reference => "reference",
        }
    }
}

/// One relation between two entries.
#[derive(Debug, Clone, PartialEq)]
pub struct Relation {
    /// Place of A in [`crate::Scan::entries`].
    pub a: usize,
    /// Place of B.
    pub b: usize,
    /// Which.
    pub kind: RelationKind,
    /// How sure, from 0 to 1: what is written as a link is 1.
    pub strength: f32,
    /// What it rests on, at least one line.
    pub evidence: Vec<Evidence>,
}

/// All relations of a store, by pair.
#[derive(Debug, Clone, Default)]
pub struct Relations {
    /// Sorted by A and B.
    pub all: Vec<Relation>,
}

/// Relations that rest on likeness alone, at most so many an entry.
const MOST_INFERRED: usize = 3;

impl Relations {
    pub(crate) fn find(store: &Store, views: &[View], corpus: &Corpus) -> Self {
        let mut found: BTreeMap<(usize, usize), Relation> = BTreeMap::new();
        let mut keep = |relation: Relation| {
            let pair = (relation.a.min(relation.b), relation.a.max(relation.b));
            match found.get(&pair) {
                Some(there)
                    if (there.kind, -there.strength) <= (relation.kind, -relation.strength) => {}
                _ => {
                    found.insert(pair, relation);
                }
            }
        };
        let cited = links::find(store, views);
        let linked: BTreeMap<(usize, usize), RelationKind> = cited
            .iter()
            .map(|r| ((r.a.min(r.b), r.a.max(r.b)), r.kind))
            .collect();
        for relation in cited {
            keep(relation);
        }
        let mut inferred = Vec::new();
        for (a, b) in pairs::candidates(views, corpus) {
            let link = linked.get(&(a.min(b), a.max(b))).copied();
            inferred.extend(alike::judge(views, corpus, a, b, link));
        }
        inferred.sort_by(|x, y| y.strength.total_cmp(&x.strength));
        let mut count = vec![0_usize; views.len()];
        for relation in inferred {
            if count[relation.a] < MOST_INFERRED && count[relation.b] < MOST_INFERRED {
                count[relation.a] += 1;
                count[relation.b] += 1;
                keep(relation);
            }
        }
        Self {
            all: found.into_values().collect(),
        }
    }

    /// The relations of one entry.
    pub fn of(&self, entry: usize) -> impl Iterator<Item = &Relation> {
        self.all
            .iter()
            .filter(move |relation| relation.a == entry || relation.b == entry)
    }
}

impl fmt::Display for RelationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
