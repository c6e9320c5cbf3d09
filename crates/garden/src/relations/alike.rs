//! What two entries have in common by their words: one says what the other says, or the opposite.

use super::RelationKind;
use super::compare::{self, Met};
use super::over;
use super::sketch::{ANYWHERE, Held, Laid, MOST, Rejected, Sketch};
use super::{across, against, claims, things};
use crate::corpus::{Bag, Corpus};
use crate::cues::Cue;
use crate::lacks;
use crate::prose::{Part, Statement};
use crate::quantity;
use crate::view::View;

/// What speaks for one entry saying what the other says.
#[derive(Debug, Clone, Default)]
struct Said {
    /// How much of all its statements, from 0 to 1.
    all: f32,
    /// Its main claim stands there in one sentence, that says hardly more.
    claim: bool,
    /// Its main claim stands against what is said there, or beside it.
    apart: bool,
    /// The statement that stands there best, and where.
    place: Option<(usize, usize)>,
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

/// A relation that rests on likeness, its evidence not written down yet.
#[derive(Debug, Clone, Copy)]
pub(super) struct Likely {
    pub(super) a: usize,
    pub(super) b: usize,
    pub(super) kind: RelationKind,
    pub(super) strength: f32,
    /// A statement of each.
    pub(super) places: (usize, usize),
}

impl Clash {
    fn between(self, a: usize, b: usize) -> Likely {
        Likely {
            a,
            b,
            kind: RelationKind::Contradiction,
            strength: self.strength,
            places: (self.a, self.b),
        }
    }
}

impl over::Follows {
    fn between(self, a: usize, b: usize) -> Likely {
        let (later, earlier) = if self.first { (a, b) } else { (b, a) };
        Likely {
            a: later,
            b: earlier,
            kind: RelationKind::Succession,
            strength: self.strength,
            places: (self.later, self.earlier),
        }
    }
}

/// Statements of an entry that are looked for in another.
const MOST_PART: usize = 14;
/// From here on an entry is taken to be contained in another.
const CONTAINED: f32 = 0.47;
/// From here on a statement of one entry is held against one of the other word by word.
const NEARLY: f32 = 0.4;
/// So much of the main claim must stand in what contains it.
const CLAIMED: f32 = 0.3;
/// And so many of its words, if it has that many.
const COMMON: usize = 3;
/// Statements that have so much in common may exclude each other.
const BUILT_ALIKE: f32 = 0.3;
/// The same for one that the other cites: a citation is the more likely relation.
const CONTAINED_CITED: f32 = 0.7;

/// Compares entries of one store, two at a time.
#[derive(Debug)]
pub(crate) struct Table<'a> {
    corpus: &'a Corpus,
    views: &'a [View],
    first: Option<usize>,
    a: Laid<'a>,
    b: Laid<'a>,
}

impl<'a> Table<'a> {
    pub(crate) fn new(corpus: &'a Corpus, views: &'a [View]) -> Self {
        Self {
            corpus,
            views,
            first: None,
            a: Laid::new(corpus),
            b: Laid::new(corpus),
        }
    }

    fn lay(&mut self, a: usize, b: usize) {
        if self.first.replace(a) != Some(a) {
            self.a.lay(&self.views[a]);
        }
        self.b.lay(&self.views[b]);
    }

    /// What two entries are to each other by their words. `link`: what they are by a citation.
    pub(super) fn judge(
        &mut self,
        a: usize,
        b: usize,
        link: Option<RelationKind>,
    ) -> Option<Likely> {
        if link == Some(RelationKind::Succession) {
            return None;
        }
        self.lay(a, b);
        let corpus = self.corpus;
        let (va, vb) = (&self.views[a], &self.views[b]);
        if let Some(follows) = over::find(corpus, va, vb) {
            return Some(follows.between(a, b));
        }
        if link.is_none()
            && let Some(follows) = over::find_past(corpus, va, vb, true)
        {
            return Some(follows.between(a, b));
        }
        if link.is_none()
            && let Some(clash) = self.clash_of(va, vb).or_else(|| self.turned(va, vb))
        {
            return Some(clash.between(a, b));
        }
        if let Some(contains) = self.contains(a, b, link.is_some()) {
            return Some(contains);
        }
        if link.is_some() {
            return None;
        }
        if let Some(follows) = over::find_past(corpus, va, vb, false) {
            return Some(follows.between(a, b));
        }
        self.opposed(va, vb).map(|clash| clash.between(a, b))
    }

    /// One of two entries that says what the other says, and more.
    fn contains(&self, a: usize, b: usize, linked: bool) -> Option<Likely> {
        let corpus = self.corpus;
        let (va, vb) = (&self.views[a], &self.views[b]);
        if across::differ(corpus, va, vb)
            && !va.gate
            && !vb.gate
            && let Some(within) = self.within((a, va), (b, vb), linked)
        {
            return Some(within);
        }
        let (reach_b, reach_a) = (
            Reach::of(corpus, vb, &self.a),
            Reach::of(corpus, va, &self.b),
        );
        if reach_b.share().max(reach_a.share()) + 0.1 < CONTAINED {
            return None;
        }
        let bonus = if numbers_agree(va.sketch(corpus), vb.sketch(corpus)) {
            0.1
        } else {
            0.0
        } - if va.kind == vb.kind { 0.0 } else { 0.1 };
        let least = if linked { 0.0 } else { CONTAINED - bonus };
        let b_said = |least| said(corpus, vb, va, &self.a, &reach_b, least);
        let a_said = |least| said(corpus, va, vb, &self.b, &reach_a, least);
        let (b_in_a, a_in_b) = match (b_said(least), a_said(least)) {
            (None, None) => return None,
            // Which of them is the part is told by both.
            (b, a) => (b.or_else(|| b_said(0.0))?, a.or_else(|| a_said(0.0))?),
        };
        let larger = va.whole.mass >= vb.whole.mass;
        let (whole, part, said) = if second_is_part(b_in_a.all, a_in_b.all, 0.2, larger) {
            (a, b, b_in_a)
        } else {
            (b, a, a_in_b)
        };
        let enough = !said.apart
            && if linked {
                said.all >= CONTAINED_CITED || (said.claim && !self.views[whole].gate)
            } else {
                said.all + bonus >= CONTAINED
            };
        let (i, j) = said.place?;
        let whole_view = &self.views[whole];
        let part_view = &self.views[part];
        let enough = enough
            && !stands_otherwise(corpus, (part_view, i), (whole_view, j))
            && !numbers_otherwise(corpus, part_view, whole_view);
        enough.then(|| Likely {
            a: whole,
            b: part,
            kind: RelationKind::Containment,
            strength: said.all.max(if said.claim { CONTAINED_CITED } else { 0.0 }),
            places: (j, i),
        })
    }

    /// One of two entries of different languages that says what the other says, and more.
    fn within(
        &self,
        (a, va): (usize, &View),
        (b, vb): (usize, &View),
        linked: bool,
    ) -> Option<Likely> {
        let corpus = self.corpus;
        let share = |part: &View, laid: &Laid<'_>| {
            let (mass, found) = across::there(corpus, &part.whole, laid);
            found / mass.max(f32::EPSILON)
        };
        // Statement by statement there is no more.
        if share(va, &self.b).max(share(vb, &self.a)) < across::HOPELESS {
            return None;
        }
        let b_in_a = across::within(corpus, vb, va, &self.a)?;
        let a_in_b = across::within(corpus, va, vb, &self.b)?;
        let longer = va.claims(corpus).size >= vb.claims(corpus).size;
        let (whole, part, said) = if second_is_part(b_in_a.share, a_in_b.share, 0.3, longer) {
            (a, b, b_in_a)
        } else {
            (b, a, a_in_b)
        };
        let kinds = va.kind == vb.kind || said.share >= 0.7;
        let kinds = kinds
            && !stands_otherwise(
                corpus,
                (&self.views[part], said.place.0),
                (&self.views[whole], said.place.1),
            );
        (said.enough && kinds && (!linked || said.share >= CONTAINED_CITED)).then_some(Likely {
            a: whole,
            b: part,
            kind: RelationKind::Containment,
            strength: said.share,
            places: (said.place.1, said.place.0),
        })
    }

    /// Statements of which one puts first what the other puts behind.
    fn turned(&self, a: &View, b: &View) -> Option<Clash> {
        against::may_oppose(a, b)
            .then(|| against::turned(self.corpus, a, b))
            .flatten()
    }

    /// One denies what the other demands, or says other numbers in another language.
    fn opposed(&self, a: &View, b: &View) -> Option<Clash> {
        let corpus = self.corpus;
        if !against::may_oppose(a, b) {
            return None;
        }
        let turned_round = |clash: Clash| Clash {
            strength: clash.strength,
            a: clash.b,
            b: clash.a,
        };
        let across = || across::differ(corpus, a, b).then(|| across::clash(corpus, a, b));
        let clash = against::denied(corpus, a, b, &self.b)
            .or_else(|| against::denied(corpus, b, a, &self.a).map(turned_round))
            .or_else(|| across().flatten())
            .or_else(|| against::stances(corpus, a, b));
        clash.filter(|clash| {
            Self::is_meant(a, b, *clash) && !things::are_two(corpus, (a, clash.a), (b, clash.b))
        })
    }

    /// The two statements of their heads that exclude each other, if there are such.
    pub(crate) fn clash(&mut self, a: usize, b: usize) -> Option<Clash> {
        self.lay(a, b);
        self.clash_of(&self.views[a], &self.views[b])
    }

    fn clash_of(&self, a: &View, b: &View) -> Option<Clash> {
        let (sketch_a, sketch_b) = (a.sketch(self.corpus), b.sketch(self.corpus));
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
        let a_in_b = heads(self.corpus, a, b, &self.b);
        let b_in_a = heads(self.corpus, b, a, &self.a);
        for (i, s) in a.statements[..a.head_len].iter().enumerate() {
            for (j, t) in b.statements[..b.head_len].iter().enumerate() {
                if s.part == Part::Heading || t.part == Part::Heading {
                    continue;
                }
                let (ms, mt) = (sketch_a.head[i], sketch_b.head[j]);
                if ms <= 0.0 || mt <= 0.0 {
                    continue;
                }
                let shared = a_in_b[i * b.head_len + j]
                    .max(b_in_a[j * a.head_len + i])
                    .min(ms.min(mt));
                let (short, long) = (shared / ms.min(mt), shared / ms.max(mt));
                let numbers = short > 0.6
                    && long > 0.4
                    && quantity::conflict(a.quantities(s), b.quantities(t));
                let same_place = (s.part == Part::Head) == (t.part == Part::Head);
                if !numbers && (long < BUILT_ALIKE || !same_place) {
                    continue;
                }
                match compare::meet(self.corpus, (a, i), (b, j)) {
                    Met::Excludes(alike) if numbers => keep(long.max(alike) + 0.2, i, j),
                    Met::Excludes(alike)
                        if same_place
                            && a.kind == b.kind
                            && !s.says(Cue::Follows)
                            && !t.says(Cue::Follows)
                            && (s.part != Part::Head || self.borne_out((a, i), (b, j))) =>
                    {
                        keep(alike, i, j);
                    }
                    // Built differently: what each begins with must be the other's subject too.
                    Met::Loose
                        if numbers
                            && a.pieces(self.corpus, s)
                                .len()
                                .min(b.pieces(self.corpus, t).len())
                                > 2
                            && self.of_one_thing(a, b, i, j)
                            && !things::are_two(self.corpus, (a, i), (b, j)) =>
                    {
                        keep(long + 0.2, i, j);
                    }
                    _ => {}
                }
            }
        }
        let best = best.filter(|clash| {
            Self::is_meant(a, b, *clash)
                && !over::of_another_scope(self.corpus, a, b)
                && !over::of_another_scope(self.corpus, b, a)
        });
        best.or_else(|| self.rejected(a, b, &sketch_a.rejected, sketch_b.rejects))
            .or_else(|| {
                let clash = self.rejected(b, a, &sketch_b.rejected, sketch_a.rejects)?;
                Some(Clash {
                    strength: clash.strength,
                    a: clash.b,
                    b: clash.a,
                })
            })
    }

    /// Two statements that seem to exclude each other are both meant: neither only asks or plans, and
    /// they are not of different days.
    fn is_meant(a: &View, b: &View, clash: Clash) -> bool {
        let (s, t) = (&a.statements[clash.a], &b.statements[clash.b]);
        !s.is_open() && !t.is_open() && !things::on_other_days(&s.folded, &t.folded)
    }

    /// Two statements are about one thing: what each is about by its first words the other entry
    /// speaks of too.
    fn of_one_thing(&self, a: &View, b: &View, i: usize, j: usize) -> bool {
        let corpus = self.corpus;
        let first = |view: &View, at: usize| {
            let mut words = corpus.sequence(view.text(&view.statements[at])).into_iter();
            words.find(|word| !corpus.is_number(*word))
        };
        let held = |word: Option<u32>, other: &View| {
            word.is_none_or(|word| corpus.holds(&other.head, word) > 0.0)
        };
        held(first(a, i), b) && held(first(b, j), a)
    }

    /// What two descriptions say against each other their bodies say too: titles of one form are
    /// of different things.
    fn borne_out(&self, a: (&View, usize), b: (&View, usize)) -> bool {
        let corpus = self.corpus;
        let own = |of: (&View, usize), not: (&View, usize)| {
            let bags: Vec<_> = of.0.body().take(MOST_PART).map(|(_, bag)| bag).collect();
            let body = corpus.union(bags);
            let not = &not.0.bags[not.1];
            let words = of.0.bags[of.1].words.iter();
            let mut words = words.filter(|word| not.words.binary_search(word).is_err());
            words.all(|word| corpus.holds(&body, *word) > 0.0)
        };
        own(a, b) && own(b, a)
    }

    /// `chooser` turns something down that `other` says is so: "X instead of Y", "discarded: Y".
    fn rejected(
        &self,
        chooser: &View,
        other: &View,
        rejected: &[Rejected],
        rejects: u64,
    ) -> Option<Clash> {
        if rejected.is_empty() || other.written > chooser.written {
            return None;
        }
        let corpus = self.corpus;
        if over::of_another_scope(corpus, chooser, other) {
            return None;
        }
        for down in rejected {
            if !over::settled(chooser, down.statement, &down.words) {
                continue;
            }
            for (j, (claim, bag)) in other.head().enumerate() {
                if claim.part == Part::Heading || rejects & (1 << j) != 0 {
                    continue;
                }
                let said: f32 = down
                    .words
                    .iter()
                    .map(|word| corpus.weight(*word) * corpus.holds(bag, *word))
                    .sum();
                if said / down.mass <= 0.6 {
                    continue;
                }
                // What they are both about besides.
                let subject: f32 = bag
                    .words
                    .iter()
                    .filter(|word| {
                        !down.words.contains(word) && corpus.holds(&chooser.head, **word) > 0.0
                    })
                    .map(|word| corpus.weight(*word))
                    .sum();
                if subject > 1.2 {
                    return Some(Clash {
                        strength: 0.5 + said / down.mass * 0.3,
                        a: down.statement,
                        b: j,
                    });
                }
            }
        }
        None
    }
}

/// A statement that shares its words with one of another entry that does not say it: that is of
/// another thing, or only asks, plans or tells what somebody claims.
fn stands_otherwise(corpus: &Corpus, part: (&View, usize), whole: (&View, usize)) -> bool {
    let (said, there) = (&part.0.statements[part.1], &whole.0.statements[whole.1]);
    let open = |said: &Statement| said.is_open() || said.says(Cue::Plans);
    open(there) && !open(said)
        || there.keeps() != said.keeps()
        || said.poles().oppose(there.poles())
        || things::are_two(corpus, part, whole)
        || is_denied(corpus, part, whole)
}

/// The main claim of an entry gives a thing another number than what is nearest to it.
fn numbers_otherwise(corpus: &Corpus, part: &View, whole: &View) -> bool {
    let Some(claim) = part.claim() else {
        return false;
    };
    let places = whole.bags.iter().enumerate();
    let shared = places.map(|(at, bag)| (corpus.shared(&part.bags[claim], bag), at));
    let best = shared.max_by(|x, y| x.0.total_cmp(&y.0));
    best.is_some_and(|(shared, at)| {
        shared >= part.bags[claim].mass * 0.5
            && counts_otherwise(corpus, (part, claim), (whole, at))
    })
}

/// A statement gives one thing the number that the other gives to another thing beside it (`20 MB for
/// films`, `20 MB for pictures and 200 MB for films`).
fn counts_otherwise(corpus: &Corpus, (a, i): (&View, usize), (b, j): (&View, usize)) -> bool {
    let counted = |view: &View, at: usize| -> Vec<String> {
        let text = view.text(&view.statements[at]);
        let all = compare::clauses(text).into_iter();
        all.map(|clause| text[clause].to_owned())
            .filter(|clause| !quantity::of(clause).is_empty())
            .collect()
    };
    let (mine, theirs) = (counted(a, i), counted(b, j));
    if theirs.len() < 2 {
        return false;
    }
    mine.iter().any(|clause| {
        let Some(thing) = counted_thing(corpus, clause) else {
            return false;
        };
        let mut there = theirs
            .iter()
            .filter(|other| corpus.holds(&corpus.bag(corpus.known(other)), thing) > 0.0);
        let of_it = there.next().filter(|_| there.next().is_none());
        of_it.is_some_and(|other| quantity::conflict(&quantity::of(clause), &quantity::of(other)))
    })
}

/// What the first number of a clause counts or limits: the first word behind it and its unit, or the
/// last before it.
fn counted_thing(corpus: &Corpus, clause: &str) -> Option<u32> {
    let start = clause.find(|c: char| c.is_ascii_digit())?;
    let (before, behind) = clause.split_at(start);
    let behind = behind.trim_start_matches(|c: char| c.is_ascii_digit() || ".,:".contains(c));
    let thing = |word: &u32| {
        let stem = corpus.stem(*word);
        // Units are short.
        !corpus.is_number(*word) && stem.len() > 2
    };
    let behind = corpus.sequence(behind).into_iter().find(thing);
    behind.or_else(|| corpus.sequence(before).into_iter().rev().find(thing))
}

/// One of two statements of one language denies in the clause that they have most in common.
fn is_denied(corpus: &Corpus, one: (&View, usize), other: (&View, usize)) -> bool {
    let denies = |(view, at): (&View, usize)| view.denies(corpus, &view.statements[at]);
    if denies(one) == denies(other) || across::differ(corpus, one.0, other.0) {
        return false;
    }
    let parts = |(view, at): (&View, usize)| -> Vec<(bool, Bag)> {
        let all = claims::parts(view.text(&view.statements[at])).into_iter();
        let read = |clause: &str| {
            let denies = compare::says_no(&clause.to_lowercase());
            (denies, corpus.bag(corpus.known(clause)))
        };
        all.map(read).collect()
    };
    let (mine, theirs) = (parts(one), parts(other));
    let pairs = mine.iter().flat_map(|x| theirs.iter().map(move |y| (x, y)));
    let shared = pairs.map(|(x, y)| (corpus.shared(&x.1, &y.1), x, y));
    let best = shared.max_by(|x, y| x.0.total_cmp(&y.0));
    best.is_some_and(|(shared, x, y)| x.0 != y.0 && shared >= x.1.mass * 0.5)
}

/// Whether one entry says what another says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Told {
    /// It does, as far as can be seen.
    Said,
    /// It says something else in its place.
    Otherwise,
    /// It does not say what the entry claims.
    Less,
}

/// Of an entry of another language so much must be found.
const RENDERED: f32 = 0.2;

/// Whether an entry says what another one claims, in whatever words.
pub(crate) fn told(corpus: &Corpus, part: &View, whole: &View) -> Told {
    let at = part.claim().unwrap_or(0);
    let Some(bag) = part.bags.get(at) else {
        return Told::Said;
    };
    let places = whole.bags.iter().enumerate();
    let best = places
        .filter(|(place, _)| whole.statements[*place].part != Part::Heading)
        .map(|(place, there)| (corpus.shared(bag, there), place))
        .max_by(|x, y| x.0.total_cmp(&y.0));
    let Some((shared, place)) = best else {
        return Told::Less;
    };
    if shared > 0.0 && stands_otherwise(corpus, (part, at), (whole, place)) {
        return Told::Otherwise;
    }
    if across::differ(corpus, part, whole) {
        let (mass, found, _) = across::shared(corpus, bag, &whole.whole);
        let numbers = part.quantities(&part.statements[at]);
        let counted = |said: &Statement| quantity::any_alike(numbers, whole.quantities(said));
        return if found >= RENDERED * mass || whole.statements.iter().any(counted) {
            Told::Said
        } else {
            Told::Less
        };
    }
    let lacking = lacks::of(corpus, part, whole);
    let mut hardly = lacking.iter().filter(|lacking| lacking.hardly);
    match hardly.find(|lacking| lacking.statement == at) {
        Some(_) => Told::Less,
        None => Told::Said,
    }
}

/// Which of two entries is the part of the other, if one is: the one of which more stands in the
/// other, or the smaller where that is no more than a margin.
fn second_is_part(in_first: f32, in_second: f32, margin: f32, first_is_larger: bool) -> bool {
    if (in_first - in_second).abs() > margin {
        in_first > in_second
    } else {
        first_is_larger
    }
}

/// The weight of what each statement of one head has in common with each of another, numbers left
/// out: row by row.
fn heads(corpus: &Corpus, one: &View, other: &View, laid: &Laid<'_>) -> Vec<f32> {
    let width = other.head_len;
    let mut out = vec![0.0; one.head_len * width];
    for (at, (_, bag)) in one.head().enumerate() {
        let row = &mut out[at * width..(at + 1) * width];
        for word in &bag.words {
            let held = laid.held(*word).before(width);
            if held.meant == 0 || corpus.is_number(*word) {
                continue;
            }
            let weight = corpus.weight(*word);
            held.each(|place, surely| {
                if let Some(sum) = row.get_mut(place) {
                    *sum += weight * surely;
                }
            });
        }
    }
    out
}

/// What of an entry can stand in what is laid out at most: a quick look, word by word.
struct Reach {
    /// The weight of its words that stand there, by statement.
    found: [f32; MOST_PART],
    /// Of all its words.
    mass: f32,
}

impl Reach {
    fn of(corpus: &Corpus, part: &View, laid: &Laid<'_>) -> Self {
        let (mut found, mut mass) = ([0.0; MOST_PART], 0.0);
        for ((statement, bag), found) in part.all().zip(&mut found) {
            if statement.part != Part::Heading {
                mass += bag.mass;
                *found = bag
                    .words
                    .iter()
                    .map(|word| corpus.weight(*word) * laid.held(*word).surely(ANYWHERE))
                    .sum();
            }
        }
        Self { found, mass }
    }

    /// From 0 to 1.
    fn share(&self) -> f32 {
        if self.mass > 0.0 {
            self.found.iter().sum::<f32>() / self.mass
        } else {
            0.0
        }
    }
}

/// Their heads hold one number of some size.
fn numbers_agree(a: &Sketch, b: &Sketch) -> bool {
    a.numbers
        .iter()
        .any(|x| b.numbers.iter().any(|y| (x - y).abs() < 1e-9))
}

/// How a statement meets the one it is most alike, or the one behind that.
fn met_at(corpus: &Corpus, one: (&View, usize), (whole, at): (&View, usize)) -> Option<Met> {
    [at, at + 1]
        .into_iter()
        .filter(|place| *place < whole.statements.len())
        .map(|place| compare::meet(corpus, one, (whole, place)))
        .find(|met| *met != Met::Loose)
}

/// Sums of the same weights in another order differ by less.
const ROUNDING: f32 = 1e-3;

/// How much of `part` stands in `whole`, which is laid out; `None` if that is less than `least`.
fn said(
    corpus: &Corpus,
    part: &View,
    whole: &View,
    laid: &Laid<'_>,
    reach: &Reach,
    least: f32,
) -> Option<Said> {
    let mut out = Said::default();
    let (mut mass, mut found) = (0.0, 0.0);
    let mut best = 0.0;
    let claim = part.claim();
    let mut held: Vec<(f32, Held)> = Vec::with_capacity(32);
    let mut ahead: f32 = reach.found.iter().sum();
    for (i, (statement, bag)) in part.all().enumerate().take(MOST_PART) {
        if found + ahead < (least - ROUNDING) * reach.mass {
            return None;
        }
        ahead -= reach.found[i];
        if statement.part == Part::Heading || bag.is_empty() {
            continue;
        }
        let numbers = part.quantities(statement);
        // The weight that each statement holds alone.
        let mut sums = [0.0; MOST];
        let mut there = 0_u64;
        held.clear();
        for word in &bag.words {
            let word_held = laid.held(*word).before(MOST);
            if word_held.meant != 0 {
                let weight = corpus.weight(*word);
                held.push((weight, word_held));
                there |= word_held.meant;
                word_held.each(|place, surely| sums[place] += weight * surely);
            }
        }
        if bag.mass <= 0.0 {
            continue;
        }
        // How much of it a statement says, as far as their numbers agree; looked at only if that is
        // more than `most`.
        let here = |j: usize, most: f32| -> f32 {
            let alone = sums[j] / bag.mass;
            let mut here = alone;
            if alone > 0.2 {
                // Sentences on the same are often two.
                let both: f32 = held
                    .iter()
                    .map(|(weight, held)| weight * held.with_next().surely(1 << j))
                    .sum();
                here = here.max(both / bag.mass * 0.97);
            }
            if here > most
                && !numbers.is_empty()
                && let Some(other) = whole.statements.get(j)
                && quantity::conflict(numbers, whole.quantities(other))
            {
                here *= 0.5;
            }
            here
        };
        let mut likeliest = 0;
        Held::places(there, |j| {
            if sums[j] > sums[likeliest] {
                likeliest = j;
            }
        });
        let enough = here(likeliest, 0.0) - ROUNDING;
        let (mut most, mut at) = (0.0, 0);
        Held::places(there, |j| {
            let alone = sums[j] / bag.mass;
            // Two together hold no more than each of them.
            let next = sums.get(j + 1).copied().unwrap_or_default();
            if alone + next / bag.mass > enough {
                let here = here(j, most);
                if here > most {
                    most = here;
                    at = j;
                }
            }
            if claim == Some(i) && alone > 0.7 && bag.words.len() > 3 {
                let back = corpus.coverage(&whole.bags[j], bag);
                out.claim |= alone.max(back) > 0.9 && alone.min(back) > 0.7;
            }
        });
        if most > NEARLY {
            // Other numbers, another name, the opposite: it does not stand there.
            match met_at(corpus, (part, i), (whole, at)) {
                Some(Met::Apart | Met::Excludes(_)) if claim == Some(i) => {
                    most *= 0.3;
                    out.claim = false;
                    out.apart = true;
                }
                Some(Met::Excludes(_)) => most *= 0.6,
                _ => {}
            }
        }
        if claim == Some(i) {
            let common = held
                .iter()
                .filter(|(_, held)| held.with_next().surely(1 << at) > 0.0);
            out.apart |= most < CLAIMED || common.count() < COMMON.min(bag.words.len());
        }
        mass += bag.mass;
        found += bag.mass * most;
        if most * bag.mass > best {
            best = most * bag.mass;
            out.place = Some((i, at));
        }
    }
    out.all = if mass > 0.0 { found / mass } else { 0.0 };
    Some(out)
}
