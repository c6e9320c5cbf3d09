//! What entries of two languages have in common. A word that the lexicon does not know cannot be
//! found in another language: that it is missing there proves little, what is found proves more.

use super::alike::Clash;
use super::over;
use super::sketch::{Laid, MOST};
use crate::corpus::{Bag, Corpus};
use crate::prose::Part;
use crate::quantity;
use crate::view::View;

/// Statements of an entry that are looked for in another.
const MOST_PART: usize = 14;
/// From here on an entry of another language is taken to be contained.
const CONTAINED: f32 = 0.48;
/// Entries of which neither holds so much of the other are not looked through.
pub(super) const HOPELESS: f32 = 0.3;
/// Things of one statement that both must speak of, and the share of it: one makes up for the other.
const TOGETHER: f32 = 2.4;
/// So much of the main claim must stand there.
const CLAIMED: f32 = 0.45;
/// Two items that stand beside each other say a little less than one.
const BESIDE: f32 = 0.95;
/// What a label or a number weighs that both hold.
const MARK: f32 = 2.0;

/// One entry within another of another language.
#[derive(Debug, Clone, Copy)]
pub(super) struct Within {
    pub(super) share: f32,
    /// That is enough to say so.
    pub(super) enough: bool,
    /// The statement that stands there best, and where.
    pub(super) place: (usize, usize),
}

/// Whether two entries are of different languages, as far as one can tell.
pub(super) fn differ(corpus: &Corpus, a: &View, b: &View) -> bool {
    let (one, other) = (a.claims(corpus).language, b.claims(corpus).language);
    one.is_some() && other.is_some() && one != other
}

/// What of a bag another one holds, by what could be found there, and how many things that are.
pub(super) fn shared(corpus: &Corpus, part: &Bag, whole: &Bag) -> (f32, f32, f32) {
    let (mut mass, mut found, mut things) = (0.0, 0.0, 0.0);
    for word in &part.words {
        if corpus.is_number(*word) {
            continue;
        }
        let weight = corpus.weight(*word);
        if corpus.holds(whole, *word) > 0.0 {
            mass += weight;
            found += weight;
            things += corpus.tells(*word);
        } else {
            mass += weight * corpus.renders(*word);
        }
    }
    (mass, found, things)
}

/// The same of one that is laid out: what stands anywhere in it.
pub(super) fn there(corpus: &Corpus, part: &Bag, laid: &Laid<'_>) -> (f32, f32) {
    let (mut mass, mut found) = (0.0, 0.0);
    for word in part.words.iter().filter(|word| !corpus.is_number(**word)) {
        let weight = corpus.weight(*word);
        if laid.held(*word).is_there() {
            mass += weight;
            found += weight;
        } else {
            mass += weight * corpus.renders(*word);
        }
    }
    (mass, found)
}

/// Of each statement of one that is laid out, what it holds of a bag, and how many things that are.
fn by_statement(corpus: &Corpus, part: &Bag, laid: &Laid<'_>) -> [(f32, f32); MOST] {
    let mut out = [(0.0, 0.0); MOST];
    for word in part.words.iter().filter(|word| !corpus.is_number(**word)) {
        let (weight, tells) = (corpus.weight(*word), corpus.tells(*word));
        laid.held(*word).before(MOST).each(|place, _| {
            out[place].0 += weight;
            out[place].1 += tells;
        });
    }
    out
}

/// How much of `part` stands in `whole`, which is laid out.
pub(super) fn within(
    corpus: &Corpus,
    part: &View,
    whole: &View,
    laid: &Laid<'_>,
) -> Option<Within> {
    let (mut mass, mut found) = (0.0, 0.0);
    let mut best: Option<(f32, usize, usize)> = None;
    let (mut counted, mut claimed) = (0.0_f32, false);
    for (at, (statement, bag)) in part.all().enumerate().take(MOST_PART) {
        if statement.part == Part::Heading || bag.is_empty() {
            continue;
        }
        let (here, there) = there(corpus, bag, laid);
        // Where most of that stands together.
        let place = whole
            .statements
            .iter()
            .zip(by_statement(corpus, bag, laid))
            .enumerate()
            .filter(|(_, (other, _))| other.part != Part::Heading)
            .map(|(place, (_, shared))| (shared, place))
            .max_by(|((x, _), _), ((y, _), _)| x.total_cmp(y));
        let Some(((mut together, mut things), place)) = place else {
            continue;
        };
        let other = &whole.statements[place];
        // Items of a list share out what one sentence says.
        if together > 0.0
            && together < there
            && other.part == Part::Item
            && let Some(both) = beside(corpus, bag, (whole, laid), place)
        {
            together = together.max(both.0 * BESIDE);
            things = things.max(both.1 * BESIDE);
        }
        let marks = marks(corpus, part, at, whole);
        let mut here_found = (together * 2.0 + there).min(there * 3.0) / 3.0 + marks.1;
        let here_mass = here + marks.0;
        if quantity::conflict(part.quantities(statement), whole.quantities(other)) {
            here_found *= 0.4;
        }
        mass += here_mass;
        found += here_found;
        claimed |= part.claim() == Some(at) && here_found >= CLAIMED * here_mass;
        counted = counted.max(things + marks.1 / MARK * 0.5);
        let score = here_found;
        if best.is_none_or(|(most, ..)| score > most) {
            best = Some((score, at, place));
        }
    }
    let (_, at, place) = best?;
    let share = if mass > 0.0 { found / mass } else { 0.0 };
    Some(Within {
        share,
        enough: claimed && share >= CONTAINED && counted + share >= TOGETHER,
        place: (at, place),
    })
}

/// What of a bag an item and the one before or behind it hold together, and how many things that are.
fn beside(
    corpus: &Corpus,
    bag: &Bag,
    (whole, laid): (&View, &Laid<'_>),
    place: usize,
) -> Option<(f32, f32)> {
    let item = |at: &usize| {
        let said = whole.statements.get(*at).filter(|_| *at < MOST);
        said.is_some_and(|said| said.part == Part::Item)
    };
    let places = [place.checked_sub(1), Some(place + 1)];
    let both = places.into_iter().flatten().filter(item).map(|next| {
        let bits = 1_u64 << place | 1 << next;
        let (mut found, mut things) = (0.0, 0.0);
        for word in bag.words.iter().filter(|word| !corpus.is_number(**word)) {
            if laid.held(*word).meant & bits != 0 {
                found += corpus.weight(*word);
                things += corpus.tells(*word);
            }
        }
        (found, things)
    });
    both.max_by(|x, y| x.0.total_cmp(&y.0))
}

/// What the labels and numbers of a statement weigh, and those of them that stand anywhere in the
/// other entry.
fn marks(corpus: &Corpus, part: &View, at: usize, whole: &View) -> (f32, f32) {
    let mut all: Vec<&str> = part
        .pieces(corpus, &part.statements[at])
        .numbers()
        .collect();
    all.sort_unstable();
    all.dedup();
    let there = |mark: &str| {
        let statements = whole.statements.iter().take(MOST);
        let mut statements = statements.filter(|other| other.part != Part::Heading);
        statements.any(|other| {
            whole
                .pieces(corpus, other)
                .numbers()
                .any(|number| number == mark)
        })
    };
    let (mut mass, mut found) = (0.0, 0.0);
    for mark in all {
        mass += MARK;
        if there(mark) {
            found += MARK;
        }
    }
    (mass, found)
}

/// Two statements that give different numbers for one thing.
pub(super) fn clash(corpus: &Corpus, a: &View, b: &View) -> Option<Clash> {
    let (mass_a, found_a, things_a) = shared(corpus, &a.head, &b.head);
    let (mass_b, found_b, things_b) = shared(corpus, &b.head, &a.head);
    let share = (found_a / mass_a.max(f32::EPSILON)).max(found_b / mass_b.max(f32::EPSILON));
    if things_a.min(things_b) < 1.8 || share < 0.2 {
        return None;
    }
    let mut best: Option<Clash> = None;
    for (i, (s, x)) in a.head().enumerate() {
        for (j, (t, y)) in b.head().enumerate() {
            if s.part == Part::Heading
                || t.part == Part::Heading
                || !quantity::conflict(a.quantities(s), b.quantities(t))
            {
                continue;
            }
            let (one, other) = (shared(corpus, x, y), shared(corpus, y, x));
            let alike = (one.1 / one.0.max(f32::EPSILON)).max(other.1 / other.0.max(f32::EPSILON));
            if one.2.min(other.2) >= 0.9
                && alike >= 0.2
                && best.is_none_or(|best| alike > best.strength)
            {
                best = Some(Clash {
                    strength: alike,
                    a: i,
                    b: j,
                });
            }
        }
    }
    let best = best.filter(|_| !over::labelled_alone(corpus, a, b));
    best.map(|clash| Clash {
        strength: 0.5 + clash.strength * 0.4,
        ..clash
    })
}
