//! Whether a line says what a statement says: the same words alone do not.
//!
//! A rule that forbids what an entry demands shares all its words with it, and so does one with
//! another number, another order, or another thing in the same place (`Deploys happen on Monday`).
//! Whoever takes such a rule for the entry's takes a memory away from its person.

use super::clause::{Clauses, Said, Term, When};
use super::score::real;
use words::meaning::{Kind, Word};
use words::{Script, script};

/// How much of the longer of two words their common beginning must be, for them to be forms of one.
const BEGINNING: f64 = 0.7;

/// Letters that such a beginning has at least.
const LEAST: usize = 4;

/// The first letters of a word.
pub(super) type Beginning = [char; LEAST];

/// How much of both sides must be the same where both say something more.
const SHARE: f64 = 0.6;

/// The same of the side that says less of an opposite.
const LESS: f64 = 0.9;

/// Words by which a statement may differ from a line to be the same sentence about another thing.
const ANOTHER: usize = 2;

/// Words that must be the same where both say something more.
const FEWEST: usize = 3;

/// How a statement and a line stand to each other.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Agreement {
    /// The line says it.
    Same,
    /// The line says a part of it; the other part stands in clauses of its own.
    Part,
    /// The line says the opposite: how surely, from 0 to 1.
    Opposite(f64),
    /// Another number, thing, or order in the same place.
    Other,
    /// One denies what the other does not speak of (`not in English`, `in Korean`).
    Beside,
    /// They have some words in common, worth so much.
    Near(f64),
}

/// A pair of words that are the same.
struct Pair {
    ours: usize,
    theirs: usize,
    /// They are opposites in a pair of clauses that is the same otherwise.
    turned: bool,
}

/// Two words that are one: the place of each in its statement.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Met {
    pub(super) ours: usize,
    pub(super) theirs: usize,
}

/// All words of two statements that are one, in the order of ours, then theirs.
pub(super) fn met(ours: &Said, theirs: &Said) -> Vec<Met> {
    let mut all = Vec::new();
    for (at, our) in ours.terms.iter().enumerate() {
        for (place, their) in theirs.terms.iter().enumerate() {
            if meets(&our.word, &their.word) {
                all.push(Met {
                    ours: at,
                    theirs: place,
                });
            }
        }
    }
    all
}

/// Compares a statement with a line, of which is known which words they have in common.
pub(super) fn compare(clauses: &Clauses, ours: &Said, theirs: &Said, met: &[Met]) -> Agreement {
    let mut pairs = matched(ours, theirs, met);
    let near = pairs
        .iter()
        .map(|pair| worth(&ours.terms[pair.ours].word))
        .sum();
    if pairs.is_empty() {
        return Agreement::Near(near);
    }
    turn(clauses, ours, theirs, &mut pairs);
    if only_near(ours, theirs, &pairs) {
        return Agreement::Near(near);
    }

    let flipped = |pair: &Pair| {
        let (our, their) = (&ours.terms[pair.ours], &theirs.terms[pair.theirs]);
        let turned = pairs.iter().any(|other| {
            other.turned
                && ours.terms[other.ours].clause == our.clause
                && theirs.terms[other.theirs].clause == their.clause
        });
        (ours.denies(our) != theirs.denies(their)) != turned
    };
    let flips: Vec<&Pair> = pairs.iter().filter(|pair| flipped(pair)).collect();
    let swapped = swapped(&pairs, ours, theirs);

    let left_ours = left(&ours.terms, |at| pairs.iter().any(|pair| pair.ours == at));
    // Clauses of the line that have nothing to do with it do not count.
    let touched = |clause: usize| {
        pairs
            .iter()
            .any(|pair| theirs.terms[pair.theirs].clause == clause)
    };
    let left_theirs: Vec<&Term> = left(&theirs.terms, |at| {
        pairs.iter().any(|pair| pair.theirs == at)
    })
    .into_iter()
    .filter(|term| touched(term.clause))
    .collect();

    if !flips.is_empty() || swapped {
        let beside = !swapped && !left_ours.is_empty() && !left_theirs.is_empty();
        return opposite(ours, theirs, &pairs, &flips, swapped, &left_ours).unwrap_or(if beside {
            Agreement::Beside
        } else {
            Agreement::Other
        });
    }
    let translated = ours.is_translated(theirs);
    // Another language needs more words for the same, but not a clause of its own.
    let beside_it = |more: &[&Term]| {
        let within = more.iter().all(|term| {
            pairs
                .iter()
                .any(|pair| ours.terms[pair.ours].clause == term.clause)
        });
        if translated && within { 2 } else { 1 }
    };
    let sure = |term: &&&Term| matches!(term.word.kind, Kind::Number | Kind::Name);
    let found = pairs.len();
    match (left_ours.as_slice(), left_theirs.as_slice()) {
        ([], []) => Agreement::Same,
        ([], more) => {
            let share = real(found) / real(found + more.len());
            if found >= 2 && more.len() == 1 && !more.iter().any(|term| sure(&term))
                || found >= FEWEST && share >= SHARE
            {
                Agreement::Same
            } else {
                Agreement::Near(near)
            }
        }
        (more, []) => {
            if more.len() <= beside_it(more) && found >= 2 && !more.iter().any(|term| sure(&term)) {
                Agreement::Same
            } else if found >= 2 {
                Agreement::Part
            } else {
                Agreement::Near(near)
            }
        }
        (more, theirs_more) => {
            let all = (found + more.len()).max(found + theirs_more.len());
            let share = real(found) / real(all);
            let numbers = |terms: &[&Term]| terms.iter().any(|term| sure(&term));
            if numbers(more) && numbers(theirs_more) && share >= 0.4
                || found >= 2
                    && written(more).max(written(theirs_more)) <= ANOTHER
                    && !translated
                    && replaced(ours, theirs, &pairs)
            {
                Agreement::Other
            } else if found >= FEWEST && share >= SHARE && !numbers(more) {
                Agreement::Same
            } else {
                Agreement::Near(near)
            }
        }
    }
}

/// Whether one word is all that they have in common, with the same sign and at the same time, and both
/// say so much more that it decides nothing.
fn only_near(ours: &Said, theirs: &Said, pairs: &[Pair]) -> bool {
    let [pair] = pairs else {
        return false;
    };
    let (our, their) = (&ours.terms[pair.ours], &theirs.terms[pair.theirs]);
    let (more, theirs_more) = (ours.terms.len() - 1, theirs.words_of(their.clause) - 1);
    ours.denies(our) == theirs.denies(their)
        && !swapped(pairs, ours, theirs)
        && more.max(theirs_more) > 1
}

/// How many words some terms are: Chinese signs that stand together are one.
fn written(terms: &[&Term]) -> usize {
    let sign = |term: &Term| term.word.stem.starts_with(|c| script(c) == Script::Han);
    let joined = terms.windows(2).filter(|pair| {
        sign(pair[0]) && sign(pair[1]) && pair[0].word.range.end == pair[1].word.range.start
    });
    terms.len() - joined.count()
}

/// What a word in common is worth: names, and words of no dictionary, are seldom met by chance.
pub(super) fn worth(word: &Word) -> f64 {
    match word.kind {
        Kind::Name | Kind::Unknown => 1.5,
        _ => 1.0,
    }
}

/// Whether two words are one.
pub(super) fn meets(a: &Word, b: &Word) -> bool {
    if a.meets(b) {
        return true;
    }
    (a.kind == Kind::Unknown || b.kind == Kind::Unknown)
        && is_plain(a)
        && is_plain(b)
        && begin_alike(&a.stem, &b.stem)
}

fn is_plain(word: &Word) -> bool {
    matches!(word.kind, Kind::Known | Kind::Unknown)
}

/// What a word begins with, if it may be the same as another that begins alike.
pub(super) fn begins_with(word: &Word) -> Option<Beginning> {
    if !is_plain(word) {
        return None;
    }
    let mut letters = bare(&word.stem).chars();
    let mut beginning = ['\0'; LEAST];
    for letter in &mut beginning {
        *letter = letters.next()?;
    }
    Some(beginning)
}

/// A word without a participle's `ge`.
fn bare(word: &str) -> &str {
    word.strip_prefix("ge").unwrap_or(word)
}

/// Whether two words of an alphabet begin alike, a participle's `ge` left out.
fn begin_alike(a: &str, b: &str) -> bool {
    let (a, b) = (bare(a), bare(b));
    let both = a.chars().zip(b.chars());
    let common = both.take_while(|(a, b)| a == b).count();
    if common < LEAST {
        return false;
    }
    let longer = a.chars().count().max(b.chars().count());
    real(common) >= BEGINNING * real(longer)
}

/// The words that both have, each once; where a word stands on both sides of a denial, those that
/// agree.
fn matched(ours: &Said, theirs: &Said, met: &[Met]) -> Vec<Pair> {
    let mut pairs: Vec<Pair> = Vec::new();
    for agreeing in [true, false] {
        for met in met {
            let (our, their) = (&ours.terms[met.ours], &theirs.terms[met.theirs]);
            let taken = |pair: &Pair| pair.ours == met.ours || pair.theirs == met.theirs;
            if (ours.denies(our) == theirs.denies(their)) == agreeing && !pairs.iter().any(taken) {
                pairs.push(Pair {
                    ours: met.ours,
                    theirs: met.theirs,
                    turned: false,
                });
            }
        }
    }
    pairs
}

/// Words that mean the opposite of each other, where the rest of their clauses is the same.
fn turn(clauses: &Clauses, ours: &Said, theirs: &Said, pairs: &mut Vec<Pair>) {
    let free_ours = |pairs: &[Pair], clause: usize| {
        only_one(ours, clause, |at| pairs.iter().any(|pair| pair.ours == at))
    };
    let free_theirs = |pairs: &[Pair], clause: usize| {
        only_one(theirs, clause, |at| {
            pairs.iter().any(|pair| pair.theirs == at)
        })
    };
    for clause in 0..ours.denied.len() {
        for other in 0..theirs.denied.len() {
            let together = pairs.iter().any(|pair| {
                ours.terms[pair.ours].clause == clause && theirs.terms[pair.theirs].clause == other
            });
            if !together {
                continue;
            }
            if let (Some(a), Some(b)) = (free_ours(pairs, clause), free_theirs(pairs, other))
                && opposed(clauses, &ours.terms[a].word, &theirs.terms[b].word)
            {
                pairs.push(Pair {
                    ours: a,
                    theirs: b,
                    turned: true,
                });
            }
        }
    }
}

/// The word of a clause that is not matched, if it is the only one.
fn only_one(said: &Said, clause: usize, matched: impl Fn(usize) -> bool) -> Option<usize> {
    let mut free = said
        .terms
        .iter()
        .enumerate()
        .filter(|(at, term)| term.clause == clause && !matched(*at))
        .map(|(at, _)| at);
    let one = free.next()?;
    free.next().is_none().then_some(one)
}

fn opposed(clauses: &Clauses, a: &Word, b: &Word) -> bool {
    a.concepts.iter().any(|concept| {
        clauses
            .lexicon()
            .opposites(*concept)
            .any(|opposite| b.concepts.contains(&opposite))
    })
}

/// Whether what comes first here comes later there.
fn swapped(pairs: &[Pair], ours: &Said, theirs: &Said) -> bool {
    let is = |a: When, b: When| {
        pairs
            .iter()
            .any(|pair| ours.terms[pair.ours].when == a && theirs.terms[pair.theirs].when == b)
    };
    is(When::Later, When::Earlier)
        || is(When::Earlier, When::Later)
        || is(When::Later, When::Untold) && is(When::Untold, When::Later)
}

fn left(terms: &[Term], matched: impl Fn(usize) -> bool) -> Vec<&Term> {
    terms
        .iter()
        .enumerate()
        .filter(|(at, _)| !matched(*at))
        .map(|(_, term)| term)
        .collect()
}

/// What differs in sign only is the opposite, if nothing more is said that could explain it.
fn opposite(
    ours: &Said,
    theirs: &Said,
    pairs: &[Pair],
    flips: &[&Pair],
    swapped: bool,
    left_ours: &[&Term],
) -> Option<Agreement> {
    let all_theirs = theirs.terms.len();
    if left_ours.is_empty() && pairs.len() == all_theirs && pairs.len() >= 2 {
        return Some(Agreement::Opposite(1.0));
    }
    if swapped {
        return None;
    }
    // Clause by clause: one of the two is said by the other, with another sign.
    let mut best: Option<f64> = None;
    for pair in flips {
        let (clause, other) = (
            ours.terms[pair.ours].clause,
            theirs.terms[pair.theirs].clause,
        );
        let shared: Vec<&&Pair> = flips
            .iter()
            .filter(|pair| {
                ours.terms[pair.ours].clause == clause && theirs.terms[pair.theirs].clause == other
            })
            .collect();
        let (of_ours, of_theirs) = (ours.words_of(clause), theirs.words_of(other));
        let (a, b) = (
            real(shared.len()) / real(of_ours),
            real(shared.len()) / real(of_theirs),
        );
        let sure = |term: &Term, known: bool| {
            !known && matches!(term.word.kind, Kind::Number | Kind::Name)
        };
        let numbers = ours.terms.iter().enumerate().any(|(at, term)| {
            term.clause == clause && sure(term, pairs.iter().any(|pair| pair.ours == at))
        }) || theirs.terms.iter().enumerate().any(|(at, term)| {
            term.clause == other && sure(term, pairs.iter().any(|pair| pair.theirs == at))
        });
        let whole = shared.len() >= 2 && a.max(b) >= LESS && a.min(b) >= SHARE;
        // `never tabs` beside `tabs for indentation`, which the line speaks of as well.
        let single = shared.len() == 1
            && of_theirs.min(of_ours) == 1
            && pairs.len() >= 2
            && left_ours.is_empty();
        if (whole || single) && !numbers {
            let strength = if single { a.max(b) * 0.9 } else { a.min(b) };
            best = Some(best.map_or(strength, |best: f64| best.max(strength)));
        }
    }
    best.map(Agreement::Opposite)
}

/// Whether another word stands in the place of one: between the same neighbours.
fn replaced(ours: &Said, theirs: &Said, pairs: &[Pair]) -> bool {
    let partner = |at: usize| pairs.iter().find(|pair| pair.ours == at);
    let matched_theirs = |at: usize| pairs.iter().any(|pair| pair.theirs == at);
    (0..ours.terms.len())
        .filter(|at| partner(*at).is_none())
        .any(|at| {
            let before = at.checked_sub(1).and_then(partner);
            let after = partner(at + 1);
            let free = |place: usize| place < theirs.terms.len() && !matched_theirs(place);
            before.is_some_and(|pair| free(pair.theirs + 1))
                || after.is_some_and(|pair| pair.theirs.checked_sub(1).is_some_and(free))
        })
}
