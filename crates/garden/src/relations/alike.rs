//! What two entries have in common by their words: one says what the other says, or the opposite.

use super::{Relation, RelationKind};
use crate::corpus::{Bag, Corpus, WordId};
use crate::cues;
use crate::prose::{Part, Statement};
use crate::quantity;
use crate::view::View;
use memory::Kind;

/// What speaks for one entry saying what the other says.
#[derive(Debug, Clone, Default)]
pub(crate) struct Said {
    /// How much of all its statements, from 0 to 1.
    pub(crate) all: f32,
    /// How much of its head.
    pub(crate) head: f32,
    /// Its main claim stands there in one sentence, that says hardly more.
    pub(crate) claim: bool,
    /// Its statements and where they stand in the other, the best first.
    pub(crate) places: Vec<(usize, usize)>,
}

/// Two statements that exclude each other.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clash {
    /// How alike they are besides.
    pub(crate) strength: f32,
    /// The statement of the first entry.
    pub(crate) a: usize,
    /// The statement of the second.
    pub(crate) b: usize,
}

/// Statements of an entry that are looked into: a log of many lines is not read to its end.
const MOST: usize = 40;
/// Statements of an entry that are looked for in another.
const MOST_PART: usize = 14;
/// From here on an entry is taken to be contained in another.
const CONTAINED: f32 = 0.47;
/// The same for one that the other cites: a citation is the more likely relation.
const CONTAINED_CITED: f32 = 0.7;

pub(super) fn judge(
    views: &[View],
    corpus: &Corpus,
    a: usize,
    b: usize,
    link: Option<RelationKind>,
) -> Option<Relation> {
    if link == Some(RelationKind::Succession) {
        return None;
    }
    let (va, vb) = (&views[a], &views[b]);
    if link.is_none()
        && let Some(clash) = clash(corpus, va, vb)
    {
        return Some(Relation {
            a,
            b,
            kind: RelationKind::Contradiction,
            strength: clash.strength,
            evidence: vec![
                va.evidence(&va.statements[clash.a]),
                vb.evidence(&vb.statements[clash.b]),
            ],
        });
    }
    if most_said(corpus, vb, va).max(most_said(corpus, va, vb)) + 0.1 < CONTAINED {
        return None;
    }
    let (b_in_a, a_in_b) = (said(corpus, vb, va), said(corpus, va, vb));
    let larger = corpus.mass(&va.whole) >= corpus.mass(&vb.whole);
    let b_is_part = if (b_in_a.all - a_in_b.all).abs() > 0.2 {
        b_in_a.all > a_in_b.all
    } else {
        larger
    };
    let (whole, part, said) = if b_is_part {
        (a, b, b_in_a)
    } else {
        (b, a, a_in_b)
    };
    let enough = if link.is_some() {
        said.all >= CONTAINED_CITED || (said.claim && !views[whole].gate)
    } else {
        let bonus =
            if agree(va, vb) { 0.1 } else { 0.0 } - if va.kind == vb.kind { 0.0 } else { 0.1 };
        said.all + bonus >= CONTAINED
    };
    let (i, j) = *said.places.first()?;
    enough.then(|| Relation {
        a: whole,
        b: part,
        kind: RelationKind::Containment,
        strength: said.all.max(if said.claim { CONTAINED_CITED } else { 0.0 }),
        evidence: vec![
            views[whole].evidence(&views[whole].statements[j]),
            views[part].evidence(&views[part].statements[i]),
        ],
    })
}

/// More than this of `part` cannot stand in `whole`: a quick look, word by word.
fn most_said(corpus: &Corpus, part: &View, whole: &View) -> f32 {
    let (mut mass, mut found) = (0.0, 0.0);
    for (statement, bag) in part.all().take(MOST_PART) {
        if statement.part != Part::Heading {
            mass += corpus.mass(bag);
            found += corpus.shared(bag, &whole.whole);
        }
    }
    if mass > 0.0 { found / mass } else { 0.0 }
}

/// Their heads hold one number of some size.
fn agree(a: &View, b: &View) -> bool {
    let numbers = |view: &View| -> Vec<f64> {
        view.head()
            .flat_map(|(statement, _)| &statement.quantities)
            .map(|quantity| quantity.value)
            .filter(|value| *value >= 10.0)
            .collect()
    };
    let there = numbers(b);
    numbers(a)
        .iter()
        .any(|x| there.iter().any(|y| (x - y).abs() < 1e-9))
}

/// How much of `part` stands in `whole`.
pub(crate) fn said(corpus: &Corpus, part: &View, whole: &View) -> Said {
    let mut out = Said::default();
    let (mut mass, mut found) = (0.0, 0.0);
    let (mut head_mass, mut head_found) = (0.0, 0.0);
    let places: Vec<(&Statement, &Bag)> = whole.all().take(MOST).collect();
    let mut best: Vec<(f32, usize, usize)> = Vec::new();
    let claim = part.claim();
    for (i, (statement, bag)) in part.all().enumerate().take(MOST_PART) {
        if statement.part == Part::Heading || bag.is_empty() {
            continue;
        }
        let weight = corpus.mass(bag);
        let (mut most, mut at) = (0.0, 0);
        for (j, (other, there)) in places.iter().enumerate() {
            let alone = corpus.coverage(bag, there);
            let mut here = alone;
            if let Some((_, next)) = places.get(j + 1)
                && alone > 0.2
            {
                here = here.max(corpus.coverage(bag, &Bag::union([*there, *next])) * 0.97);
            }
            if quantity::conflict(&statement.quantities, &other.quantities) {
                here *= 0.5;
            }
            if here > most {
                most = here;
                at = j;
            }
            let back = corpus.coverage(there, bag);
            if claim == Some(i)
                && alone.max(back) > 0.9
                && alone.min(back) > 0.7
                && bag.words.len() > 3
            {
                out.claim = true;
            }
        }
        mass += weight;
        found += weight * most;
        if i < part.head_len {
            head_mass += weight;
            head_found += weight * most;
        }
        if most > 0.0 {
            best.push((most * weight, i, at));
        }
    }
    best.sort_by(|x, y| y.0.total_cmp(&x.0));
    out.places = best.into_iter().map(|(_, i, j)| (i, j)).collect();
    let share = |found: f32, mass: f32| if mass > 0.0 { found / mass } else { 0.0 };
    out.all = share(found, mass);
    out.head = share(head_found, head_mass);
    out
}

/// The two statements of their heads that exclude each other, if there are such.
pub(crate) fn clash(corpus: &Corpus, a: &View, b: &View) -> Option<Clash> {
    let mut best: Option<Clash> = None;
    let mut keep = |strength: f32, i: usize, j: usize| {
        if best.is_none_or(|best| strength > best.strength) {
            best = Some(Clash {
                strength,
                a: i,
                b: j,
            });
        }
    };
    for (i, (s, sbag)) in a.head().enumerate() {
        for (j, (t, tbag)) in b.head().enumerate() {
            if s.part == Part::Heading || t.part == Part::Heading {
                continue;
            }
            let (sbag, tbag) = (wordy(corpus, sbag), wordy(corpus, tbag));
            let (ms, mt) = (corpus.mass(&sbag), corpus.mass(&tbag));
            if ms <= 0.0 || mt <= 0.0 {
                continue;
            }
            let shared = corpus
                .shared(&sbag, &tbag)
                .max(corpus.shared(&tbag, &sbag))
                .min(ms.min(mt));
            let (short, long) = (shared / ms.min(mt), shared / ms.max(mt));
            if quantity::conflict(&s.quantities, &t.quantities) && short > 0.6 && long > 0.4 {
                keep(long + 0.2, i, j);
            }
            let same_place = (s.part == Part::Head) == (t.part == Part::Head)
                && (s.part == Part::Head || (a.claim() == Some(i) && b.claim() == Some(j)));
            if same_place
                && a.kind == b.kind
                && long > 0.35
                && one_slot(a.text(s), b.text(t), &s.folded, &t.folded)
            {
                keep(long, i, j);
            }
        }
    }
    if best.is_none() {
        best = rejected(corpus, a, b).or_else(|| {
            rejected(corpus, b, a).map(|clash| Clash {
                strength: clash.strength,
                a: clash.b,
                b: clash.a,
            })
        });
    }
    best
}

/// A bag without numbers.
fn wordy(corpus: &Corpus, bag: &Bag) -> Bag {
    let mut bag = bag.clone();
    bag.words
        .retain(|word| !corpus.stem(*word).starts_with(|c: char| c.is_ascii_digit()));
    bag
}

/// Two sentences that are the same but for one slot, which is not their subject: they begin alike,
/// then each says something else, none of it in the other, and may end alike.
fn one_slot(a: &str, b: &str, a_folded: &str, b_folded: &str) -> bool {
    const LONGEST: usize = 3;
    if cues::says(a_folded, cues::Cue::Follows) || cues::says(b_folded, cues::Cue::Follows) {
        return false;
    }
    let stems = |text: &str| -> Vec<String> {
        words::terms(text)
            .filter(|term| {
                matches!(
                    term.kind,
                    words::Kind::Word | words::Kind::Hangul | words::Kind::Han
                )
            })
            .map(|term| term.stem)
            .collect()
    };
    let (x, y) = (stems(a), stems(b));
    let begin = x.iter().zip(&y).take_while(|(x, y)| x == y).count();
    let end = x[begin..]
        .iter()
        .rev()
        .zip(y[begin..].iter().rev())
        .take_while(|(x, y)| x == y)
        .count();
    let (mx, my) = (&x[begin..x.len() - end], &y[begin..y.len() - end]);
    let numbers = |words: &[String]| {
        words
            .iter()
            .any(|word| word.starts_with(|c: char| c.is_ascii_digit()))
    };
    begin > 0
        && !mx.is_empty()
        && !my.is_empty()
        && mx.len() <= LONGEST
        && my.len() <= LONGEST
        && !numbers(mx)
        && !numbers(my)
        && mx.iter().all(|word| !my.contains(word))
}

/// `chooser` turns something down that `other` says is so: "X instead of Y", "discarded: Y".
fn rejected(corpus: &Corpus, chooser: &View, other: &View) -> Option<Clash> {
    if other.written > chooser.written {
        return None;
    }
    for (i, statement) in chooser.statements.iter().enumerate() {
        if !matches!(statement.part, Part::Head) && chooser.kind != Some(Kind::Decision) {
            continue;
        }
        let text = chooser.text(statement);
        let Some(range) = cues::rejected(text) else {
            continue;
        };
        let mut turned_down: Vec<WordId> = corpus.known(&text[range]);
        turned_down.retain(|word| corpus.weight(*word) > 1.0);
        let mass: f32 = turned_down.iter().map(|word| corpus.weight(*word)).sum();
        if mass < 1.5 {
            continue;
        }
        for (j, (claim, bag)) in other.head().enumerate() {
            if claim.part == Part::Heading || cues::rejected(other.text(claim)).is_some() {
                continue;
            }
            let said: f32 = turned_down
                .iter()
                .map(|word| corpus.weight(*word) * corpus.holds(bag, *word))
                .sum();
            // What they are both about besides.
            let subject: f32 = bag
                .words
                .iter()
                .filter(|word| {
                    !turned_down.contains(word) && corpus.holds(&chooser.head, **word) > 0.0
                })
                .map(|word| corpus.weight(*word))
                .sum();
            if said / mass > 0.6 && subject > 1.2 {
                return Some(Clash {
                    strength: 0.5 + said / mass * 0.3,
                    a: i,
                    b: j,
                });
            }
        }
    }
    None
}
