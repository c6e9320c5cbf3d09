//! How entries belong together: the types of relations, and finding them.

mod across;
mod against;
pub(crate) mod alike;
pub(crate) mod claims;
pub(crate) mod compare;
mod links;
pub(crate) mod over;
mod pairs;
pub(crate) mod sketch;
pub(crate) mod things;

use crate::corpus::Corpus;
use crate::evidence::Evidence;
use crate::view::View;
use alike::{Likely, Table};
pub(crate) use alike::{Told, told};
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
/// Into how many shares the pairs are cut for the cores there are.
const SHARES: usize = 4;
/// Fewer pairs are compared at once.
const MANY: usize = 64;
/// Bytes that comparing takes for an entry, about.
const ROOM: usize = 6 << 10;

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
        for likely in inferred(views, corpus, &linked) {
            let of = |view: usize, place: usize| {
                let view = &views[view];
                view.evidence(&view.statements[place])
            };
            keep(Relation {
                a: likely.a,
                b: likely.b,
                kind: likely.kind,
                strength: likely.strength,
                evidence: vec![of(likely.a, likely.places.0), of(likely.b, likely.places.1)],
            });
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

/// What rests on likeness alone, the surest first, few an entry.
fn inferred(
    views: &[View],
    corpus: &Corpus,
    linked: &BTreeMap<(usize, usize), RelationKind>,
) -> Vec<Likely> {
    let pairs = pairs::candidates(views, corpus);
    // Few enough shares that laying out a table for each costs nothing.
    let shares: Vec<_> = pairs.chunks(pairs.len().div_ceil(SHARES).max(1)).collect();
    let found = memory::parallel::map_with_room(
        &shares,
        if pairs.len() < MANY { usize::MAX } else { 2 },
        views.len() * ROOM,
        |share| {
            let mut table = Table::new(corpus, views);
            share
                .iter()
                .filter_map(|(a, b)| table.judge(*a, *b, linked.get(&(*a, *b)).copied()))
                .collect::<Vec<_>>()
        },
    );
    let mut inferred: Vec<Likely> = found.into_iter().flatten().collect();
    inferred.sort_by(|x, y| y.strength.total_cmp(&x.strength));
    let mut count = vec![0_usize; views.len()];
    inferred.retain(|likely| {
        let few = count[likely.a] < MOST_INFERRED && count[likely.b] < MOST_INFERRED;
        if few {
            count[likely.a] += 1;
            count[likely.b] += 1;
        }
        few
    });
    inferred
}

impl Relation {
    /// How sure, as reports show it: two places behind the point.
    pub fn shown_strength(&self) -> f64 {
        (f64::from(self.strength.min(1.0)) * 100.0).round() / 100.0
    }
}

impl fmt::Display for RelationKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
