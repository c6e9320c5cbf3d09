//! Which rule is most like an entry, in whatever words and language.

use super::agree::{self, Agreement, compare};
use super::clause::{Clauses, Said, Term};
use super::lines::Lines;
use super::score::{likelihood, nearness, rarity, real};
use super::taken::Spoken;
use std::collections::HashMap;
use std::rc::Rc;
use words::Concept;
use words::meaning::{Kind, Word};

/// How much what tells why or what happened counts beside what is asked for.
const TOLD: f64 = 0.4;

/// A name of code is seldom met by chance.
const NAME: f64 = 1.3;

/// Of each thing that an entry asks for, the rule must say so much.
const SAID: f64 = 0.15;

/// Words that a demand has at least.
const OWN: usize = 2;

/// The rule that is most like an entry.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Nearest {
    /// Which.
    pub rule: usize,
    /// How likely it is that it says the same, from 0 to 1.
    pub score: f64,
    /// It has words of everything that the entry asks for, and turns none of it round.
    pub whole: bool,
    /// It denies what the entry says.
    pub turned: bool,
    /// It is of another language than the entry.
    pub translated: bool,
}

/// In how many lines words and meanings stand.
#[derive(Debug, Default)]
pub(super) struct Counts {
    lines: f64,
    stems: HashMap<Rc<str>, f64>,
    concepts: HashMap<Concept, f64>,
}

impl Counts {
    pub(super) fn of(lines: &[Said]) -> Self {
        let mut out = Self {
            lines: real(lines.len()),
            ..Self::default()
        };
        for line in lines {
            for (at, term) in line.terms.iter().enumerate() {
                let before = &line.terms[..at];
                if before.iter().all(|other| other.word.stem != term.word.stem) {
                    *out.stems.entry(Rc::clone(&term.word.stem)).or_default() += 1.0;
                }
                for concept in term.word.concepts.iter() {
                    let known = before.iter().any(|o| o.word.concepts.contains(concept));
                    if !known {
                        *out.concepts.entry(*concept).or_default() += 1.0;
                    }
                }
            }
        }
        out
    }

    /// How much a word tells.
    fn weight(&self, word: &Word) -> f64 {
        let of = |concept| self.concepts.get(concept).copied().unwrap_or_default();
        let meant = word.concepts.iter().map(of).reduce(f64::min);
        let stem = self.stems.get(&word.stem).copied().unwrap_or_default();
        let kind = if word.kind == Kind::Name { NAME } else { 1.0 };
        rarity(self.lines, stem.max(meant.unwrap_or_default())) * kind
    }

    /// Weight that no word says: a few words prove little.
    fn doubt(&self) -> f64 {
        rarity(self.lines, 1.0)
    }

    /// How much of some words a text says: of each its weight, and how near it comes.
    fn part(&self, of: impl Iterator<Item = (f64, f64)>) -> f64 {
        let (mut said, mut all) = (0.0, 0.0);
        for (weight, met) in of {
            all += weight;
            said += weight * met;
        }
        if all > 0.0 {
            said / (all + self.doubt())
        } else {
            0.0
        }
    }
}

fn nearest(word: &Word, by: &[Term]) -> f64 {
    by.iter()
        .map(|term| nearness(word, &term.word))
        .fold(0.0, f64::max)
}

/// Finds it among some of the lines.
pub(super) fn find(
    clauses: &Clauses,
    counts: &Counts,
    spoken: &[Spoken],
    lines: &mut Lines,
    among: &[usize],
) -> Option<Nearest> {
    let mut words: Vec<(&Word, f64)> = Vec::new();
    for one in spoken {
        let field = if one.demands || one.describes {
            1.0
        } else {
            TOLD
        };
        for term in &one.said.terms {
            let known = words
                .iter_mut()
                .find(|(word, _)| word.stem == term.word.stem && word.kind == term.word.kind);
            match known {
                Some((_, strength)) => *strength = strength.max(field),
                None => words.push((&term.word, field)),
            }
        }
    }
    // What of the entry each word of the lines is near, and how near.
    let mut near: Vec<Vec<(usize, f64)>> = vec![Vec::new(); lines.count()];
    for (at, (word, _)) in words.iter().enumerate() {
        for (id, nearness) in lines.near(word).iter() {
            near[*id].push((at, *nearness));
        }
    }
    let weights: Vec<f64> = words
        .iter()
        .map(|(word, field)| counts.weight(word) * field)
        .collect();
    let lines = &*lines;
    let mut met = vec![0.0_f64; words.len()];
    let (score, rule, line) = among
        .iter()
        .map(|rule| (*rule, lines.said(*rule)))
        .filter(|(_, line)| line.terms.len() >= OWN)
        .map(|(rule, line)| {
            met.fill(0.0);
            let near = || lines.words_of(rule).iter().map(|id| &near[*id]);
            for (at, nearness) in near().flatten() {
                met[*at] = met[*at].max(*nearness);
            }
            let covered = counts.part(weights.iter().copied().zip(met.iter().copied()));
            if covered == 0.0 {
                return (0.0, rule, line);
            }
            let theirs = line.terms.iter().zip(near()).map(|(term, near)| {
                let each = near
                    .iter()
                    .map(|(at, nearness)| nearness * words[*at].1.sqrt());
                (counts.weight(&term.word), each.fold(0.0, f64::max))
            });
            let about = counts.part(theirs);
            let translated = spoken.iter().any(|one| one.said.is_translated(line));
            (
                likelihood(covered, (covered * about).sqrt(), about, translated),
                rule,
                line,
            )
        })
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .filter(|(score, ..)| *score > 0.0)?;
    let demands = || spoken.iter().filter(|one| one.demands);
    let said = |one: &Spoken| {
        let terms = &one.said.terms;
        let own = terms
            .iter()
            .map(|term| (counts.weight(&term.word), nearest(&term.word, &line.terms)));
        terms.len() < OWN || counts.part(own) >= SAID
    };
    let other = |one: &Spoken| {
        let met = agree::met(&one.said, line);
        matches!(
            compare(clauses, &one.said, line, &met),
            Agreement::Opposite(_) | Agreement::Other
        )
    };
    let stated = || spoken.iter().filter(|one| !one.names).map(|one| &one.said);
    // What one statement says as the line does, another only says in other words.
    let turned = stated().any(|said| turns(said, line) == Some(true))
        && !stated().any(|said| turns(said, line) == Some(false));
    Some(Nearest {
        rule,
        score,
        whole: !turned && demands().count() > 0 && demands().all(|one| said(one) && !other(one)),
        turned,
        translated: spoken.iter().any(|one| one.said.is_translated(line)),
    })
}

/// Whether a line denies most of what it has in common with a statement, or the other way round;
/// `None` where that is not most of the statement.
fn turns(said: &Said, line: &Said) -> Option<bool> {
    let met = agree::met(said, line);
    // A limit is told with a denial or without: `at most 3`, `never exceeds 3`.
    let number = |met: &agree::Met| said.terms[met.ours].word.kind == Kind::Number;
    if met.iter().any(number) {
        return Some(false);
    }
    // A word that stands on both sides of a denial agrees with one of them.
    let agrees = |ours: usize| {
        met.iter()
            .filter(|met| met.ours == ours)
            .any(|met| said.denies(&said.terms[met.ours]) == line.denies(&line.terms[met.theirs]))
    };
    let mut words: Vec<usize> = met.iter().map(|met| met.ours).collect();
    words.dedup();
    let turned = words.iter().filter(|ours| !agrees(**ours)).count();
    // Of most of a statement, not of a word or two of it.
    let most = words.len() >= OWN && words.len() * 2 >= said.terms.len();
    most.then_some(turned >= OWN && turned * 2 > words.len())
}
