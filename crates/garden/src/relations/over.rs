//! What one entry says became of what another says, without naming it: a trouble is over, a plan is
//! done, a choice was made anew.

use super::{across, things};
use crate::corpus::{Corpus, WordId};
use crate::cues::{self, Cue, Cues};
use crate::prose::{Part, Statement};
use crate::quantity::Unit;
use crate::view::{self, View};
use chrono::{Datelike, NaiveDate};
use memory::Kind;

/// A later entry and the earlier one that it follows, by their places in the pair.
#[derive(Debug, Clone, Copy)]
pub(super) struct Follows {
    /// The first of the pair is the later.
    pub(super) first: bool,
    /// How much of the earlier one's statement the later one speaks of.
    pub(super) strength: f32,
    /// The statement of the later one.
    pub(super) later: usize,
    /// The statement of the earlier one.
    pub(super) earlier: usize,
}

/// Least share of a trouble that the later entry must speak of.
const SHARED: f32 = 0.3;
/// Words they must have in common.
const COMMON: usize = 2;

/// A rule: how surely the first follows the second, and the statements of both that tell.
type Rule = fn(&Corpus, &View, &View) -> Option<(f32, usize, usize)>;

/// Which of two entries follows the other by what is over, done or chosen anew, if one does.
pub(super) fn find(corpus: &Corpus, a: &View, b: &View) -> Option<Follows> {
    [ended as Rule, renewed, done, chosen, came]
        .into_iter()
        .find_map(|rule| by(rule, corpus, a, b))
}

/// The same by what is no longer so; `surely`: by a word of that, not only by one of an end.
pub(super) fn find_past(corpus: &Corpus, a: &View, b: &View, surely: bool) -> Option<Follows> {
    by(if surely { surely_past } else { past }, corpus, a, b)
}

fn by(rule: Rule, corpus: &Corpus, a: &View, b: &View) -> Option<Follows> {
    if a.gate || b.gate {
        return None;
    }
    let turn = |first: bool, (strength, later, earlier): (f32, usize, usize)| Follows {
        first,
        strength,
        later,
        earlier,
    };
    [(a, b, true), (b, a, false)]
        .into_iter()
        .filter_map(|(later, earlier, first)| Some(turn(first, rule(corpus, later, earlier)?)))
        .max_by(|x, y| x.strength.total_cmp(&y.strength))
}

fn head(view: &View) -> impl Iterator<Item = (usize, &Statement)> {
    let head = view.statements[..view.head_len].iter().enumerate();
    head.filter(|(_, statement)| statement.part != Part::Heading)
}

/// Whether a statement says that something is over or works again.
pub(crate) fn says_over(statement: &Statement) -> bool {
    (statement.says(Cue::Ended) || statement.says(Cue::Back))
        && !statement.says(Cue::NotYet)
        && !statement.says(Cue::Plans)
        && !statement.is_open()
}

/// Whether a statement tells of a trouble that lasts: one that is told to be over lasts no longer,
/// unless it is only said until when.
pub(crate) fn says_trouble(statement: &Statement) -> bool {
    let lasts =
        !statement.says(Cue::Ended) || statement.says(Cue::NotYet) || statement.says(Cue::Until);
    statement.says(Cue::Trouble) && lasts
}

/// A trouble, and a later word that it is over.
fn ended(corpus: &Corpus, later: &View, earlier: &View) -> Option<(f32, usize, usize)> {
    let work = |view: &View| matches!(view.kind, Some(Kind::Project | Kind::Reference) | None);
    if !work(later) || later.kind != earlier.kind || !may_follow(corpus, later, earlier) {
        return None;
    }
    let (over, told) = head(later).find(|(_, told)| says_over(told))?;
    if named_apart(corpus, later, earlier) {
        return None;
    }
    // One that tells of another trouble beside is no end of this one.
    if head(later).any(|(_, told)| says_trouble(told) && !says_over(told))
        && told.part != Part::Head
    {
        return None;
    }
    head(earlier)
        .filter(|(_, statement)| says_trouble(statement))
        .filter_map(|(at, _)| {
            let strength = shared(corpus, later, earlier, at)?;
            let line = best_line(later, over);
            let two = things::are_two(corpus, (later, line), (earlier, at));
            (!two).then_some((strength, line, at))
        })
        .max_by(|x, y| x.0.total_cmp(&y.0))
}

/// What ends on a day, and a later word that it was renewed to a later day.
fn renewed(corpus: &Corpus, later: &View, earlier: &View) -> Option<(f32, usize, usize)> {
    if later.kind != earlier.kind || later.written < earlier.written {
        return None;
    }
    let mut expires = head(earlier).filter(|(_, said)| said.says(Cue::Expires));
    let (at, ends) = expires.find_map(|(at, said)| Some((at, view::last_day(&said.folded)?)))?;
    let (place, _) = head(later).find(|(_, said)| {
        said.part != Part::Head
            && said.says(Cue::Ended)
            && says_over(said)
            && view::last_day(&said.folded).is_some_and(|day| day > ends)
    })?;
    let (mass, found, things) = across::shared(corpus, &earlier.bags[at], &later.head);
    let share = found / mass.max(f32::EPSILON);
    (things >= 0.9
        && share >= SHARED
        && !other_label(corpus, later, earlier)
        && !things::are_two(corpus, (later, place), (earlier, at)))
    .then_some((0.5 + share * 0.4, place, at))
}

/// Their names begin alike and go on with two things of which neither entry speaks of the other's
/// (`permit-terrace`, `permit-sign`).
fn named_apart(corpus: &Corpus, a: &View, b: &View) -> bool {
    let alike = a.subject.first().zip(b.subject.first());
    if alike.is_none_or(|(one, other)| one != other) {
        return false;
    }
    let own = |one: &View, other: &View| {
        let rest = one.subject[1..].iter();
        let things: Vec<WordId> = rest
            .filter(|word| word.bytes().any(|b| b.is_ascii_alphabetic()))
            .flat_map(|word| corpus.known(word))
            .collect();
        let state = |word: WordId| Cues::of(corpus.stem(word)) != Cues::default();
        !things.is_empty()
            && things.iter().all(|word| {
                corpus.is_thing(*word) && !state(*word) && corpus.holds(&other.whole, *word) == 0.0
            })
    };
    own(a, b) && own(b, a)
}

/// The sentence of the body that says it is over, where the description only hints at it.
fn best_line(later: &View, over: usize) -> usize {
    head(later)
        .filter(|(_, statement)| says_over(statement))
        .find(|(_, statement)| statement.part != Part::Head)
        .map_or(over, |(at, _)| at)
}

/// How much of a statement the other entry's head speaks of; `None` where that is too little, or
/// where they number different things.
fn shared(corpus: &Corpus, later: &View, earlier: &View, at: usize) -> Option<f32> {
    let bag = &earlier.bags[at];
    let telling = |word: &&WordId| !corpus.is_number(**word);
    let held: Vec<WordId> = bag
        .words
        .iter()
        .filter(telling)
        .copied()
        .filter(|word| corpus.holds(&later.head, *word) > 0.0)
        .collect();
    let weigh = |words: &mut dyn Iterator<Item = WordId>| -> f32 {
        words.map(|word| corpus.weight(word)).sum()
    };
    let all = weigh(&mut bag.words.iter().filter(telling).copied());
    let share = weigh(&mut held.iter().copied()) / all.max(f32::EPSILON);
    if held.len() < COMMON || share < SHARED {
        return None;
    }
    (!apart(&labels(corpus, later), &labels(corpus, earlier))).then_some(share)
}

/// The later one may be the later: by the days in the texts, else by those of the files.
fn may_follow(corpus: &Corpus, later: &View, earlier: &View) -> bool {
    match (&later.sketch(corpus).days, &earlier.sketch(corpus).days) {
        (Some(mine), Some(theirs)) => mine.end() >= theirs.start(),
        _ => later.written >= earlier.written,
    }
}

/// A plan, and a later word that it is so.
fn done(corpus: &Corpus, later: &View, earlier: &View) -> Option<(f32, usize, usize)> {
    if later.kind != earlier.kind || later.written < earlier.written {
        return None;
    }
    let fits = |view: &View| matches!(view.kind, Some(Kind::Project | Kind::Reference) | None);
    let (plan, _) =
        head(earlier).find(|(_, said)| said.part != Part::Head && said.says(Cue::Plans))?;
    if !fits(later) || head(later).any(|(_, said)| said.says(Cue::Plans) || said.says(Cue::Trouble))
    {
        return None;
    }
    let share = shared(corpus, later, earlier, plan)?;
    let claim = later.claim()?;
    if share < 0.5 || head(later).any(|(_, said)| said.is_open()) {
        return None;
    }
    (!things::are_two(corpus, (later, claim), (earlier, plan))).then_some((share, claim, plan))
}

/// Names that two entries of one matter may share are longer.
const NAME: usize = 4;
/// A day to come and a word from after that day: what was planned, and what came of it.
fn came(corpus: &Corpus, later: &View, earlier: &View) -> Option<(f32, usize, usize)> {
    if later.kind != Some(Kind::Project) || later.kind != earlier.kind {
        return None;
    }
    let (before, after) = (earlier.written?, later.written?);
    if after <= before {
        return None;
    }
    let (place, at) = earlier.named_days().iter().find_map(|(day, at)| {
        let come = day_behind(before, *day).filter(|come| *come > before && *come <= after)?;
        let there = later
            .named_days()
            .iter()
            .find(|(day, _)| day_behind(before, *day) == Some(come))?;
        Some((*at, there.1))
    })?;
    // One that still waits for it goes on with it.
    if earlier.gate || head(later).any(|(_, said)| says_trouble(said) && !says_over(said)) {
        return None;
    }
    let named = earlier.subject.iter().any(|word| {
        word.chars().count() >= NAME
            && !word.bytes().any(|b| b.is_ascii_digit())
            && later.subject.contains(word)
    });
    let (mass, found, things) = across::shared(corpus, &earlier.head, &later.whole);
    let share = found / mass.max(f32::EPSILON);
    let telling = named && things >= 0.5 || things >= 1.8 && share >= SHARED;
    let one = || {
        !other_label(corpus, later, earlier)
            && !later.statements[at].is_open()
            && !things::are_two(corpus, (later, at), (earlier, place))
    };
    (telling && one()).then_some((0.5 + share * 0.3, at, place))
}

/// The first such day of a year behind another day.
fn day_behind(day: NaiveDate, (month, at): (u32, u32)) -> Option<NaiveDate> {
    let of = |year: i32| NaiveDate::from_ymd_opt(year, month, at);
    of(day.year())
        .filter(|found| *found > day)
        .or_else(|| of(day.year() + 1))
}

/// A choice, and a later one that turns down what was chosen.
fn chosen(corpus: &Corpus, later: &View, earlier: &View) -> Option<(f32, usize, usize)> {
    if later.kind != earlier.kind || matches!(later.kind, Some(Kind::Feedback | Kind::User)) {
        return None;
    }
    let newer = later.written > earlier.written
        || later.written == earlier.written && later.kind == Some(Kind::Decision);
    if !newer {
        return None;
    }
    let turned = &earlier.sketch(corpus).down;
    for (at, down) in &later.sketch(corpus).down {
        if !settled(later, *at, down) {
            continue;
        }
        if let Some(place) = chosen_alone(corpus, later, earlier, down) {
            return Some((0.8, *at, place));
        }
        if later.statements[*at].part == Part::Head {
            continue;
        }
        for (place, _) in head(earlier).filter(|(_, claim)| claim.part != Part::Head) {
            // What the earlier one itself turned down is not what it chose.
            let not = turned.iter().find(|(at, _)| *at == place);
            let bag = &earlier.bags[place];
            let hit = down.iter().any(|word| {
                bag.words.binary_search(word).is_ok()
                    && !not.is_some_and(|(_, not)| not.contains(word))
            });
            let mut about = bag
                .words
                .iter()
                .filter(|word| !down.contains(word) && corpus.holds(&later.head, **word) > 0.0);
            if hit && about.next().is_some() && !of_another_scope(corpus, later, earlier) {
                return Some((0.8, *at, place));
            }
        }
    }
    None
}

/// Whether a statement really turns something down: not one that asks or weighs it, or after which
/// it stays.
pub(super) fn settled(view: &View, at: usize, down: &[WordId]) -> bool {
    let said = &view.statements[at];
    if said.is_open() || said.keeps() {
        return false;
    }
    head(view).all(|(place, other)| {
        let bag = &view.bags[place];
        let of_it = || {
            down.iter()
                .any(|word| bag.words.binary_search(word).is_ok())
        };
        !(other.keeps() && of_it())
    })
}

/// Whether what turns something down does so only for something that another entry does not speak of
/// (`Kafka instead of Redis for the queue`).
pub(super) fn of_another_scope(corpus: &Corpus, chooser: &View, other: &View) -> bool {
    head(chooser).any(|(_, said)| {
        let text = chooser.text(said);
        let scope = cues::turned_down(text, &said.folded).map_or("", |down| {
            cues::scope_behind(text.get(down.end..).unwrap_or_default())
        });
        let mut words = corpus.known(scope).into_iter();
        words.any(|word| !corpus.is_number(word) && corpus.holds(&other.whole, word) <= 0.0)
    })
}

/// Whether a statement is labelled as what was decided.
pub(super) fn decides(said: &Statement) -> bool {
    const LABELS: [&str; 8] = [
        "decision",
        "decided",
        "entscheidung",
        "entschieden",
        "beschluss",
        "결정",
        "决定",
        "决策",
    ];
    LABELS.iter().any(|label| said.folded.starts_with(label))
}

/// Statements of a decision that are looked into.
const MOST: usize = 24;

/// Of two decisions, the statement of the earlier one that says that just this was chosen.
fn chosen_alone(corpus: &Corpus, later: &View, earlier: &View, down: &[WordId]) -> Option<usize> {
    if later.kind != Some(Kind::Decision) || down.is_empty() {
        return None;
    }
    let decided = |said: &Statement| said.part == Part::Head || decides(said);
    // What it turned down itself it did not choose.
    let turned = &earlier.sketch(corpus).down;
    let all = earlier.statements.iter().enumerate().take(MOST);
    let (place, _) = { all }.find(|(place, said)| {
        let bag = &earlier.bags[*place];
        decided(said)
            && !turned.iter().any(|(at, _)| at == place)
            && down.iter().all(|word| corpus.holds(bag, *word) > 0.0)
    })?;
    (!of_another_scope(corpus, later, earlier)).then_some(place)
}

/// Things that both heads speak of, for one to follow the other without a trouble named.
const THINGS: f32 = 2.5;
/// From here on they may be more than the title's.
const MANY: f32 = 4.0;
/// How much of the earlier title the later one speaks of.
const TITLED: f32 = 0.45;
/// How much of the earlier head that must be.
const SHARE: f32 = 0.28;

/// What was so, and a later word that it is no longer so.
fn surely_past(corpus: &Corpus, later: &View, earlier: &View) -> Option<(f32, usize, usize)> {
    let past = |said: &Statement| said.says(Cue::Past) || said.says(Cue::Replaces);
    // What both say is no news.
    if head(earlier).any(|(_, said)| past(said)) {
        return None;
    }
    told(corpus, later, earlier, past)
}

/// What was to last until something, and a later word that it is over.
fn past(corpus: &Corpus, later: &View, earlier: &View) -> Option<(f32, usize, usize)> {
    let open = head(earlier)
        .any(|(_, said)| says_trouble(said) || said.says(Cue::Until) || said.says(Cue::Expires));
    told(corpus, later, earlier, |said| {
        said.says(Cue::Past) || said.says(Cue::Replaces) || open && says_over(said)
    })
}

fn told(
    corpus: &Corpus,
    later: &View,
    earlier: &View,
    tells: impl Fn(&Statement) -> bool,
) -> Option<(f32, usize, usize)> {
    if !may_be_past(later.kind, earlier.kind) || later.written < earlier.written {
        return None;
    }
    // A change that is only asked for or was turned down is none, whatever the title says.
    let unsettled = |said: &Statement| said.is_open() || said.keeps();
    let titled = |said: &Statement| said.part == Part::Head && tells(said);
    if head(later).any(|(_, said)| tells(said) && unsettled(said))
        || head(later).any(|(_, said)| titled(said))
            && head(later).any(|(_, said)| said.part != Part::Head && unsettled(said))
    {
        return None;
    }
    // With a link it tells of what is linked.
    let tells = |said: &Statement| {
        tells(said) && !said.says(Cue::Plans) && !later.text(said).contains("[[")
    };
    if !head(later).any(|(_, said)| tells(said)) || !may_follow(corpus, later, earlier) {
        return None;
    }
    let (mass, found, things) = across::shared(corpus, &earlier.head, &later.whole);
    let share = found / mass.max(f32::EPSILON);
    let title = earlier.bags[..1].first().map_or((1.0, 0.0, 0.0), |title| {
        across::shared(corpus, title, &later.whole)
    });
    let titled = title.1 / title.0.max(f32::EPSILON);
    if things < THINGS
        || share < SHARE
        || things < MANY && titled < TITLED
        || other_label(corpus, later, earlier)
        || named_apart(corpus, later, earlier)
    {
        return None;
    }
    // What it tells of as past must be what the earlier one says.
    let (at, _) = head(later)
        .filter(|(_, said)| tells(said))
        .filter(|(at, _)| {
            let (mass, found, things) = across::shared(corpus, &later.bags[*at], &earlier.whole);
            things >= 0.9 || found >= SHARE * mass
        })
        .max_by_key(|(_, said)| said.part != Part::Head)?;
    let (place, _) = head(earlier).max_by(|x, y| {
        let weight = |place: usize| across::shared(corpus, &earlier.bags[place], &later.whole).1;
        weight(x.0).total_cmp(&weight(y.0))
    })?;
    (!things::are_two(corpus, (later, at), (earlier, place))).then_some((
        0.45 + share * 0.4,
        at,
        place,
    ))
}

/// They name different things by letters or by the numbers of their titles (`Vat A`, `Vat B`).
fn other_label(corpus: &Corpus, later: &View, earlier: &View) -> bool {
    let letters = |view: &View| -> Vec<String> {
        let mut all = labels(corpus, view);
        all.retain(|label| label.chars().all(char::is_alphabetic));
        all
    };
    let titles = |view: &View| -> Vec<String> {
        let title = head(view).find(|(_, statement)| statement.part == Part::Head);
        title.map_or_else(Vec::new, |(_, title)| labels_of(corpus, view, title))
    };
    apart(&letters(later), &letters(earlier)) || apart(&titles(later), &titles(earlier))
}

/// What a number is counted by beside itself: minutes, hours, days and so on in seconds, thousands.
const FACTORS: [f64; 12] = [
    0.001,
    0.01,
    100.0,
    1.0,
    60.0,
    3600.0,
    86_400.0,
    604_800.0,
    2_592_000.0,
    31_536_000.0,
    1e3,
    1e6,
];

/// The letters and numbers by which a title names one of several things.
pub(crate) fn title_labels(corpus: &Corpus, view: &View) -> Vec<String> {
    let title = head(view).find(|(_, statement)| statement.part == Part::Head);
    let mut all = title.map_or_else(Vec::new, |(_, title)| labels_of(corpus, view, title));
    // A number in signs of its own counts more often than it names.
    all.retain(|label| {
        label.chars().all(char::is_alphabetic)
            || title.is_some_and(|(_, title)| title.folded.contains(&**label))
    });
    all
}

/// The title of one of two entries names by a letter or a number what the other does not name.
pub(super) fn labelled_alone(corpus: &Corpus, a: &View, b: &View) -> bool {
    let alone = |one: &View, other: &View| {
        let all = labels(corpus, other);
        title_labels(corpus, one)
            .iter()
            .any(|label| !all.contains(label))
    };
    alone(a, b) || alone(b, a)
}

fn apart(mine: &[String], theirs: &[String]) -> bool {
    !mine.is_empty() && !theirs.is_empty() && !mine.iter().any(|label| theirs.contains(label))
}

/// The numbers and letters by which a head names one of several things (`Van 3`, `4번 발효조`).
fn labels(corpus: &Corpus, view: &View) -> Vec<String> {
    head(view)
        .flat_map(|(_, statement)| labels_of(corpus, view, statement))
        .collect()
}

/// Those of one statement: no days, no times, no sums.
fn labels_of(corpus: &Corpus, view: &View, statement: &Statement) -> Vec<String> {
    let numbers = view.pieces(corpus, statement).numbers();
    let mut numbers: Vec<String> = numbers
        .filter(|number| number.len() <= 4)
        .map(str::to_owned)
        .collect();
    if numbers.is_empty() {
        return numbers;
    }
    let days = view::month_days(&statement.folded);
    let measured = view.quantities(statement).iter().filter(|number| {
        matches!(
            number.unit,
            Unit::Duration
                | Unit::Clock
                | Unit::Percent
                | Unit::Bytes
                | Unit::Money
                | Unit::Date
                | Unit::Measure(_)
        )
    });
    let measured: Vec<f64> = measured.map(|number| number.value).collect();
    numbers.retain(|number| {
        let Ok(label) = number.parse::<u32>() else {
            return number.chars().all(char::is_alphabetic);
        };
        let of_a_day = || {
            days.iter()
                .any(|(month, day)| label == *month || label == *day)
        };
        let year = (1900..2200).contains(&label);
        let value = f64::from(label);
        let measure = || {
            let factors = measured.iter().map(|sum| sum / value);
            factors.into_iter().any(|factor| FACTORS.contains(&factor))
        };
        label > 0 && !year && !of_a_day() && !measure()
    });
    numbers
}

fn may_be_past(later: Option<Kind>, earlier: Option<Kind>) -> bool {
    let work = |kind| {
        matches!(
            kind,
            Some(Kind::Project | Kind::Decision | Kind::Reference) | None
        )
    };
    later == earlier && later != Some(Kind::User) || work(later) && work(earlier)
}
