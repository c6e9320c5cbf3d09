//! Entries that ask for opposite things: one denies what the other demands, one puts first what the
//! other puts behind.

use super::alike::Clash;
use super::claims::{Denied, Order, parts};
use super::compare::says_no;
use super::sketch::{Laid, MOST};
use crate::corpus::{Bag, Corpus};
use crate::cues::{Cue, Cues};
use crate::prose::Part;
use crate::view::View;
use memory::Kind;

/// So much of what is denied must be said.
const SAID: f32 = 0.6;

/// Two entries that tell how things are to be.
pub(super) fn may_oppose(a: &View, b: &View) -> bool {
    let rules = |view: &View| {
        matches!(
            view.kind,
            Some(Kind::Feedback | Kind::Reference | Kind::Decision) | None
        ) && !view.gate
    };
    rules(a) && rules(b)
}

/// The statements that exclude each other, if there are such. `laid`: the words of `b`.
pub(super) fn denied(corpus: &Corpus, a: &View, b: &View, laid: &Laid<'_>) -> Option<Clash> {
    let across = a.claims(corpus).language != b.claims(corpus).language;
    let of = &a.claims(corpus).denied;
    of.iter()
        .find_map(|denied| said(corpus, a, b, denied, laid, across))
}

fn said(
    corpus: &Corpus,
    a: &View,
    b: &View,
    denied: &Denied,
    laid: &Laid<'_>,
    across: bool,
) -> Option<Clash> {
    let deeds = !denied.words.iter().any(|word| corpus.is_thing(*word));
    let weigh = |word: u32| {
        let found = if across { corpus.renders(word) } else { 1.0 };
        // What is done is said in many ways.
        corpus.weight(word)
            * found
            * if deeds || corpus.is_thing(word) {
                1.0
            } else {
                0.4
            }
    };
    let mass: f32 = denied.words.iter().map(|word| weigh(*word)).sum();
    let mut sums = [0.0_f32; MOST];
    for word in &denied.words {
        let weight = weigh(*word);
        laid.held(*word)
            .before(MOST)
            .each(|place, surely| sums[place] += weight * surely);
    }
    let (place, most) = sums.iter().enumerate().max_by(|x, y| x.1.total_cmp(y.1))?;
    if *most <= 0.0 || *most < SAID * mass {
        return None;
    }
    let statement = b.statements.get(place)?;
    if statement.part == Part::Heading {
        return None;
    }
    let text = b.text(statement);
    parts(text).into_iter().find(|clause| {
        let bag = corpus.bag(corpus.known(clause));
        let there: f32 = denied
            .words
            .iter()
            .map(|word| weigh(*word) * corpus.holds(&bag, *word))
            .sum();
        there >= SAID * mass && !says_no(&clause.to_lowercase())
    })?;
    // What they are both about besides.
    let beside = |bag: &crate::corpus::Bag, view: &View| {
        let words = bag.words.iter().filter(|word| {
            !denied.words.contains(word)
                && corpus.is_thing(**word)
                && corpus.holds(&view.head, **word) > 0.0
        });
        words.count()
    };
    let context = beside(&b.bags[place], a);
    let about = beside(&a.head, b).min(beside(&b.head, a));
    let hits = denied
        .words
        .iter()
        .filter(|word| laid.held(**word).meant != 0 && (deeds || corpus.is_thing(**word)));
    // What is done is said of many things.
    let telling = if deeds {
        hits.count().min(1)
    } else {
        hits.count()
    };
    let enough = match telling {
        0 => false,
        1 => !across && context >= 1 && about >= 2,
        _ => about >= 1 || telling > 2,
    };
    enough.then_some(Clash {
        strength: 0.55 + (most / mass).min(1.0) * 0.2,
        a: denied.statement,
        b: place,
    })
}

/// Of the smaller head, what both must speak of for one to ask where the other does not.
const ASKED: f32 = 0.2;
/// Words of it.
const ASKED_WORDS: usize = 2;

/// One asks somebody before what the other does without asking, or has by hand what the other
/// leaves to a machine.
pub(super) fn stances(corpus: &Corpus, a: &View, b: &View) -> Option<Clash> {
    let (of_a, of_b) = (a.claims(corpus), b.claims(corpus));
    let asked = of_a.stance.zip(of_b.stance);
    let asked = asked.filter(|((_, one), (_, other))| one != other);
    let done = of_a.by_hand.zip(of_b.by_hand);
    let done = done.filter(|((_, one), (_, other))| one != other);
    if asked.is_none() && done.is_none() {
        return None;
    }
    let share = |one: &View, other: &View| {
        let (mass, found, _) = super::across::shared(corpus, &one.head, &other.head);
        found / mass.max(f32::EPSILON)
    };
    let share = share(a, b).max(share(b, a));
    if share < ASKED {
        return None;
    }
    let clash = |a: usize, b: usize| Clash {
        strength: 0.5 + share * 0.3,
        a,
        b,
    };
    if let Some(((place_a, _), (place_b, _))) = asked {
        let titles = a.bags.first().zip(b.bags.first());
        let in_titles = titles.map_or(0, |(one, other)| common(corpus, one, other));
        if in_titles > 0 && common(corpus, &a.head, &b.head) >= ASKED_WORDS {
            return Some(clash(place_a, place_b));
        }
    }
    let ((place_a, _), (place_b, _)) = done?;
    // What is done by hand and what is not is one thing.
    let (one, other) = (
        common(corpus, &a.bags[place_a], &b.head),
        common(corpus, &b.bags[place_b], &a.head),
    );
    (one.min(other) > 0 && one.max(other) >= ASKED_WORDS).then(|| clash(place_a, place_b))
}

/// How many words two texts have in common at least, those of asking and of hands left out.
fn common(corpus: &Corpus, one: &Bag, other: &Bag) -> usize {
    const HANDS: [&str; 3] = ["hand", "손", "手"];
    const CUES: [Cue; 3] = [Cue::Asks, Cue::Freely, Cue::ByHand];
    let tells_no_matter = |word: u32| {
        let stem = corpus.stem(word);
        let said = Cues::of(stem);
        HANDS.contains(&stem) || CUES.iter().any(|cue| said.has(*cue))
    };
    let count = |one: &Bag, other: &Bag| {
        let words = one
            .words
            .iter()
            .filter(|word| !corpus.is_number(**word) && corpus.holds(other, **word) > 0.0);
        words.filter(|word| !tells_no_matter(**word)).count()
    };
    count(one, other).min(count(other, one))
}

/// Statements of which one puts first what the other puts behind.
pub(super) fn turned(corpus: &Corpus, a: &View, b: &View) -> Option<Clash> {
    let (of_a, of_b) = (&a.claims(corpus).orders, &b.claims(corpus).orders);
    of_a.iter().find_map(|x| {
        let y = of_b
            .iter()
            .find(|y| are_turned(x, y) && about_one(corpus, (a, x), (b, y)))?;
        Some(Clash {
            strength: 0.75,
            a: x.statement,
            b: y.statement,
        })
    })
}

fn are_turned(x: &Order, y: &Order) -> bool {
    let moved = |x: &Order, y: &Order| {
        x.first
            .iter()
            .any(|stem| y.rest.contains(stem) && !y.first.contains(stem) && !x.rest.contains(stem))
    };
    moved(x, y) && moved(y, x)
}

/// Half of what the shorter statement names stands in the other, or the titles are of one thing.
fn about_one(corpus: &Corpus, (a, x): (&View, &Order), (b, y): (&View, &Order)) -> bool {
    let (one, other) = (&a.bags[x.statement], &b.bags[y.statement]);
    let shared = corpus.shared(one, other).min(corpus.shared(other, one));
    shared >= 0.45 * one.mass.min(other.mass)
}
