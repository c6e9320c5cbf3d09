//! Whether a CLAUDE.md, a rule or a skill says what feedback says.

use crate::corpus::{Bag, Corpus};
use crate::evidence::Evidence;
use crate::prose::{Part, Statement};
use crate::scan::{Doc, Scan};
use crate::view::View;

/// Where it stands, and how surely.
#[derive(Debug, Clone)]
pub(crate) struct TakenOver {
    /// From 0 to 1.
    pub(crate) score: f32,
    /// The line.
    pub(crate) evidence: Evidence,
    /// Of several rules in the entry one is not taken over: its place in the statements.
    pub(crate) left: Option<usize>,
}

/// A part of a rule says less than a whole one.
const CLAUSE: f32 = 0.95;

/// A single rule of an entry counts as taken over from here on.
const ITEM: f32 = 0.42;

/// The line of the binding sources that says it best.
pub(crate) fn best(scan: &Scan, view: &View) -> Option<TakenOver> {
    let corpus = &scan.corpus;
    let claims: Vec<&Bag> = view
        .head()
        .filter(|(statement, _)| statement.part != Part::Heading)
        .map(|(_, bag)| bag)
        .collect();
    let claim = Bag::union(claims.iter().copied());
    if claim.is_empty() {
        return None;
    }
    let mut best: Option<(f32, Evidence)> = None;
    for (doc, statement, bag, clauses) in rules(scan) {
        let score = clauses
            .iter()
            .map(|clause| alike(corpus, &claims, &claim, &view.whole, clause) * CLAUSE)
            .fold(alike(corpus, &claims, &claim, &view.whole, bag), f32::max);
        if best.as_ref().is_none_or(|(most, _)| score > *most) {
            best = Some((score, doc.evidence(statement)));
        }
    }
    let (score, evidence) = best?;
    Some(TakenOver {
        score,
        evidence,
        left: left(scan, view),
    })
}

/// How much a rule says what the claims say.
fn alike(corpus: &Corpus, claims: &[&Bag], claim: &Bag, whole: &Bag, rule: &Bag) -> f32 {
    if rule.words.len() < 3 {
        return 0.0;
    }
    // How much of the rule the entry says, and how much of the entry's clearest sentence the rule.
    let of_rule = corpus.coverage(rule, claim) * 0.7 + corpus.coverage(rule, whole) * 0.3;
    let of_claim = claims
        .iter()
        .filter(|bag| bag.words.len() > 2)
        .map(|bag| corpus.coverage(bag, rule))
        .fold(0.0, f32::max);
    // Two words in common are a coincidence, however rare.
    let common = rule
        .words
        .iter()
        .filter(|word| corpus.holds(claim, **word) > 0.0)
        .count();
    let enough = if common >= 3 { 1.0 } else { 0.6 };
    (of_rule * of_claim).sqrt() * enough
}

/// Of an entry that lists rules: the first that no binding source says, if others are said.
fn left(scan: &Scan, view: &View) -> Option<usize> {
    // Items below a rule say how it is applied; only a body that begins with one is a list of rules.
    let claim = view.claim()?;
    if view.statements[claim].part != Part::Item {
        return None;
    }
    let items: Vec<(usize, &Bag)> = view
        .all()
        .enumerate()
        .filter(|(_, (statement, _))| statement.part == Part::Item)
        .map(|(at, (_, bag))| (at, bag))
        .filter(|(_, bag)| bag.words.len() > 2)
        .collect();
    if items.len() < 2 {
        return None;
    }
    items
        .iter()
        .find(|(_, item)| {
            rules(scan).all(|(_, _, rule, _)| alike(&scan.corpus, &[item], item, item, rule) < ITEM)
        })
        .map(|(at, _)| *at)
}

fn rules(scan: &Scan) -> impl Iterator<Item = (&Doc, &Statement, &Bag, &[Bag])> {
    scan.docs
        .iter()
        .filter(|doc| doc.source.kind.binds())
        .flat_map(|doc| {
            doc.statements
                .iter()
                .zip(&doc.bags)
                .zip(&doc.clauses)
                .filter(|((statement, _), _)| statement.part != Part::Heading)
                .map(move |((statement, bag), clauses)| (doc, statement, bag, clauses.as_slice()))
        })
}
