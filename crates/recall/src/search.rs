//! One search, from the request to the answer.

use crate::dates::Span;
use crate::finder::{Cursor, Finder, needs_all};
use crate::items::{self, Item};
use crate::judge::{HitKind, Judge, behind};
use crate::looks::Looks;
use crate::opened::Opened;
use crate::places::{self, Layer, Places, Source};
use crate::plan::{self, Plan};
use crate::query::{ASKS, Group, Query, Target, as_f32, collapse};
use crate::rank::{Scorer, together};
use crate::scan::{Exchange, Half, Job, Rooms, Said, Scan, merge, scan, tag_line};
use crate::{day, decision, near, passage, said};
use chrono::{NaiveDate, NaiveTime};
use claude_hook::Role;
use std::cell::{OnceCell, RefCell};
use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};
use std::ops::Range;
use words::Lexicon;

/// Hits whose text is looked at again.
const POOL: usize = 60;
/// The same where the text decides whether it is a hit at all.
const WIDE_POOL: usize = 2_000;
/// Largest text that is read for one hit.
const LARGEST: u64 = 4 << 20;
/// Hits of which one has to cover enough of the query.
const BEST: usize = 3;
/// How far one of the best hits has to cover the stakes of a query of [`USUAL`] words.
const LEAST_COVER: f32 = 0.52;
/// What is added where a name in the query occurs nowhere.
const WITHOUT_NAME: f32 = 0.22;
/// What is taken off where the query is e times as long: who writes a sentence says much that an
/// answer need not repeat.
const SENTENCE: f32 = 0.12;
/// Words of an ordinary query.
const USUAL: f32 = 3.0;
/// Hits far below the best one are left out.
const LEAST_SHARE: f32 = 0.18;
/// What counts of a text that holds a name without its signs (`C` for `C#`).
const UNSIGNED: f32 = 0.15;
/// What a decision counts against other texts, where one is asked for.
const DECISION: f32 = 6.0;
/// Hits whose text is looked at again where a decision is asked for.
const DECISION_POOL: usize = 240;
/// What the head of a day counts against an entry: it names what they hold.
const HEAD: f32 = 0.2;
/// Weight of a word that this project's keywords give for another.
const KEYWORD: f32 = 0.4;
/// From so many bytes on, weak words are looked for only where strong ones find too little.
const LARGE: u64 = 4 << 20;
/// Weight from which a word is strong.
const STRONG: f32 = 0.5;
/// So many exchanges are enough.
const ENOUGH: usize = 100;
/// Weight from which a word is said to stand for another.
const STANDS_FOR: f32 = 0.5;
/// Entries of a sample that hold a word, so that a word near to it, which stands nowhere, is a slip.
const SURE: u32 = 5;
/// Corrections that are tried for one word.
const CORRECTIONS: usize = 3;

/// What to search for.
#[derive(Debug, Clone)]
pub struct Request {
    /// As typed. Where it is empty, all that carries the tags, or all of the days, is listed, the newest
    /// first.
    pub query: String,
    /// Only these days, beside what the query says.
    pub span: Span,
    /// Only what this one said.
    pub role: Option<Role>,
    /// Only this layer; `None` is all but transcripts.
    pub layer: Option<Layer>,
    /// Only what carries all these tags.
    pub tags: Vec<String>,
    /// Most results.
    pub limit: usize,
    /// The words as typed: no synonyms, other forms, slips, dates.
    pub exact: bool,
    /// Today, for dates in the query.
    pub today: NaiveDate,
    /// More synonyms: the text of `memory/synonyms.yaml`.
    pub synonyms: Option<String>,
}

/// A hit.
#[derive(Debug, Clone, PartialEq)]
pub struct Hit {
    /// File, relative to the record's root where it lies inside.
    pub path: String,
    /// Line of the heading, from 1.
    pub line: usize,
    /// Day of the entry; of a memory entry, that of its newest conversation or change.
    pub date: Option<NaiveDate>,
    /// Local time of the entry.
    pub time: Option<NaiveTime>,
    /// Who said it; nobody in a memory entry.
    pub role: Option<Role>,
    /// Where it lies.
    pub layer: Layer,
    /// The client's prompt id of the turn, or the item's code.
    pub id: Option<String>,
    /// Title of a memory entry.
    pub title: Option<String>,
    /// Comparable within one answer only.
    pub score: f32,
    /// Share of the query that it covers, with the other half of its exchange; 0 to 1.
    pub cover: f32,
    /// The whole text.
    pub text: String,
    /// What matched, in bytes of `text`.
    pub marks: Vec<Range<usize>>,
}

/// What a search found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Answer {
    /// The hits, best first.
    pub hits: Vec<Hit>,
    /// Where nothing is good enough: what comes nearest.
    pub near: Vec<Hit>,
    /// The expression in the query that was taken as a time.
    pub time: Option<String>,
    /// The first day that was searched, if limited.
    pub since: Option<NaiveDate>,
    /// The last one.
    pub until: Option<NaiveDate>,
    /// Words that occur nowhere, as typed.
    pub absent: Vec<String>,
    /// Words that do not occur in the days that were searched, and the newest day that they occur
    /// on, if it is known.
    pub elsewhere: Vec<(String, Option<NaiveDate>)>,
    /// There is nothing to be searched at all.
    pub empty: bool,
    /// Those of them that look like names, and for which nothing else stands anywhere.
    pub unknown: Vec<String>,
    /// Words that were taken for slips, and what was searched instead.
    pub corrected: Vec<(String, String)>,
    /// What could not be read.
    pub unreadable: Vec<String>,
    /// Bytes that were searched.
    pub bytes: u64,
    /// Files that were searched.
    pub files: usize,
    /// Where days are all that is asked for: how much there is of them, of which the newest are the
    /// hits.
    pub listed: Option<usize>,
}

pub(crate) struct Searched {
    pub(crate) days: Vec<Source>,
    pub(crate) items: Vec<Item>,
    transcripts: Vec<Source>,
    pub(crate) said: Vec<Said>,
    rooms: Rooms,
}

impl Searched {
    pub(crate) fn source(&self, index: usize) -> Option<&Source> {
        if let Some(source) = self.days.get(index) {
            return Some(source);
        }
        let index = index - self.days.len();
        if let Some(item) = self.items.get(index) {
            return Some(&item.source);
        }
        self.transcripts.get(index - self.items.len())
    }

    /// What is to be found in all of it but the day files, of which none is named.
    fn job<'a>(&'a self, targets: &'a [Target], query: &'a Query, finder: &'a Finder) -> Job<'a> {
        Job {
            targets,
            groups: &query.groups,
            finder,
            plan: None,
            days: &self.days,
            files: &[],
            items: &self.items,
            first_item: self.days.len(),
            said: &self.said,
            rooms: &self.rooms,
            learned: None,
        }
    }

    fn item(&self, index: usize) -> Option<&Item> {
        self.items.get(index.checked_sub(self.days.len())?)
    }
}

/// A half of an exchange that is ranked.
#[derive(Debug, Clone, Copy)]
struct Ranked {
    exchange: usize,
    role: Role,
    value: f32,
    cover: f32,
    when: (Option<NaiveDate>, Option<NaiveTime>),
}

/// Searches.
pub fn search(places: &Places, request: &Request) -> Answer {
    let mut answer = Answer::default();
    // Tags without a query: all that carries them, the newest first.
    let listing = request.query.trim().is_empty() && !request.tags.is_empty();
    let listed;
    let request = if listing {
        let tags: Vec<&str> = request
            .tags
            .iter()
            .map(|tag| tag.trim_start_matches('#'))
            .collect();
        listed = Request {
            query: tags.join(" "),
            exact: true,
            ..request.clone()
        };
        &listed
    } else {
        request
    };
    let lexicon = lexicon(request, &mut answer);
    let mut query = Query::parse(&request.query, request.today, &lexicon, request.exact);
    let span = query
        .time
        .as_ref()
        .map_or(request.span, |(_, span)| span.and(request.span));
    answer.time = query.time.as_ref().map(|(named, _)| named.clone());
    answer.since = span.since;
    answer.until = span.until;

    let searched = gather(places, request, span, &mut answer);
    answer.files = searched.days.len() + searched.items.len() + searched.transcripts.len();
    // Days and no matter: all that was said in them.
    let empty = request.query.trim().is_empty();
    if !listing && !span.is_open() && (empty || !request.exact && query.is_days_only()) {
        crate::lately::list(&searched, request, &mut answer);
        if answer.files == 0 {
            without_days(places, request, &query, span, &mut answer);
        }
        return answer;
    }
    if !request.exact {
        expand(&mut query, &searched.items);
    }
    for name in query.signed.clone() {
        if signed_in(&name, &searched).next().is_none() {
            query.leave_unsigned(&name);
        }
    }
    let (query, result) = run(query, &searched, &lexicon, request, &mut answer);
    answer.bytes = result.stats.bytes;
    answer.unreadable.extend(result.unreadable.iter().cloned());
    rank(&query, &searched, &result, request, listing, &mut answer);
    if !listing {
        name_missing_tags(places, request, &query, &mut answer);
    }
    if answer.files == 0 || !answer.absent.is_empty() {
        without_days(places, request, &query, span, &mut answer);
    }
    answer
}

/// What can be said of words that were not found only by a look at all days: that they occur
/// nowhere, that nothing was recorded yet.
fn without_days(
    places: &Places,
    request: &Request,
    query: &Query,
    span: Span,
    answer: &mut Answer,
) {
    if span.is_open() {
        answer.empty = answer.files == 0 && answer.unreadable.is_empty();
        return;
    }
    let mut all = Answer::default();
    let searched = gather(places, request, Span::default(), &mut all);
    answer.empty = searched.days.len() + searched.items.len() + searched.transcripts.len() == 0
        && all.unreadable.is_empty();
    let targets: Vec<Target> = query
        .targets
        .iter()
        .filter(|target| !target.fuzzy && (target.own || target.weight >= STANDS_FOR))
        .cloned()
        .collect();
    let mut result = pass(&targets, query, &searched);
    hide(&mut result, &targets, &searched);
    let scorer = Scorer::new(&query.groups, &targets, &result.kinds, &result.stats);
    let absent = query.as_typed(&scorer.missing(&result.stats));
    for word in std::mem::take(&mut answer.absent) {
        let name = words::fold(&word).into_owned();
        if query.signed.contains(&name) {
            let days: Vec<_> = signed_in(&name, &searched).collect();
            if days.is_empty() {
                answer.absent.push(word);
            } else {
                answer
                    .elsewhere
                    .push((word, days.into_iter().flatten().max()));
            }
            continue;
        }
        // Itself on any day, or else what stands for it on one of the days that were left out.
        let own = !absent.contains(&word);
        let days = days_of(&word, query, &targets, own, &searched, &result);
        let newest = if own {
            days.into_iter().flatten().max()
        } else {
            let other = days.into_iter().flatten().filter(|day| !span.holds(*day));
            let Some(newest) = other.max() else {
                answer.absent.push(word);
                continue;
            };
            Some(newest)
        };
        answer.elsewhere.push((word, newest));
    }
    let elsewhere = &answer.elsewhere;
    answer
        .unknown
        .retain(|word| !elsewhere.iter().any(|(other, _)| other == word));
}

/// Tags that were asked for and that nothing carries are named with their sign.
fn name_missing_tags(places: &Places, request: &Request, query: &Query, answer: &mut Answer) {
    let given = request.tags.iter().map(|tag| tag.trim_start_matches('#'));
    for tag in given.chain(query.tags.iter().map(String::as_str)) {
        let folded = words::fold(tag);
        let carried = |hit: &Hit| tags_of(&hit.text).iter().any(|tag| *tag == folded);
        if answer.hits.iter().any(carried) {
            continue;
        }
        let listing = Request {
            query: String::new(),
            span: Span::default(),
            tags: vec![tag.to_owned()],
            limit: 1,
            ..request.clone()
        };
        if search(places, &listing).hits.is_empty() {
            answer.absent.retain(|word| *words::fold(word) != *folded);
            answer.absent.push(format!("#{tag}"));
        }
    }
}

/// The days of all that holds a word of the query itself, or what stands for it.
fn days_of(
    word: &str,
    query: &Query,
    targets: &[Target],
    own: bool,
    searched: &Searched,
    result: &Scan,
) -> Vec<Option<NaiveDate>> {
    let is_of = |target: &&Target| {
        target.own == own
            && target
                .groups
                .iter()
                .filter_map(|group| query.groups.get(usize::from(*group)))
                .any(|group| word.contains(&group.typed))
    };
    let holds = |exchange: &&Exchange| {
        [&exchange.question, &exchange.answer]
            .into_iter()
            .flatten()
            .flat_map(|half| &half.found)
            .filter_map(|found| result.kinds.get(usize::from(found.kind)))
            .filter(|kind| own || kind.part.is_none())
            .filter_map(|kind| targets.get(usize::from(kind.target)))
            .any(|target| is_of(&target))
    };
    result
        .exchanges
        .iter()
        .filter(holds)
        .filter_map(|exchange| {
            let source = searched.source(exchange.source)?;
            let half = exchange.answer.as_ref().or(exchange.question.as_ref())?;
            Some(source.date.or_else(|| said_in(searched, source, half)?.day))
        })
        .collect()
}

fn lexicon(request: &Request, answer: &mut Answer) -> Lexicon {
    let mut lexicon = Lexicon::builtin();
    if let Some(text) = request.synonyms.as_deref().filter(|_| !request.exact) {
        match crate::synonyms::parse(text) {
            Ok(lists) => {
                for list in lists {
                    lexicon.add(list.iter().map(String::as_str));
                }
            }
            Err(error) => answer
                .unreadable
                .push(format!("memory/synonyms.yaml: {error}")),
        }
    }
    lexicon
}

fn gather(places: &Places, request: &Request, span: Span, answer: &mut Answer) -> Searched {
    let wants = |layer| request.layer.is_none_or(|only| only == layer);
    let mut searched = Searched {
        days: Vec::new(),
        items: Vec::new(),
        transcripts: Vec::new(),
        said: Vec::new(),
        rooms: Rooms::default(),
    };
    if let Some(root) = &places.record
        && wants(Layer::Conversations)
    {
        searched.days = places::days(root, &mut answer.unreadable);
        searched
            .days
            .retain(|source| source.date.is_none_or(|date| span.holds(date)));
    }
    if request.role.is_none()
        && request.tags.is_empty()
        && (wants(Layer::Memory) || wants(Layer::Index))
    {
        let only_index = request.layer == Some(Layer::Index);
        for (folder, record) in [(&places.record, true), (&places.auto, false)] {
            let Some(folder) = folder else { continue };
            let unreadable = &mut answer.unreadable;
            let mut found = if only_index {
                Vec::new()
            } else if record {
                let sources = places::record_items(folder, unreadable);
                items::of_record(folder, sources, unreadable)
            } else {
                let sources = places::folder_items(folder, unreadable);
                items::read(sources, unreadable)
            };
            let index = folder.join("MEMORY.md");
            let source = Source {
                label: if record {
                    "MEMORY.md".to_owned()
                } else {
                    index.to_string_lossy().into_owned()
                },
                path: index,
                layer: Layer::Index,
                date: None,
            };
            if let Ok(Some(bytes)) = safe_file::read(&source.path, 1 << 20) {
                let text = String::from_utf8_lossy(&bytes);
                let lines = items::add_index(&mut found, &source, &redact::by_line(&text));
                if only_index || request.layer.is_none() {
                    found.extend(lines);
                }
            }
            searched.items.append(&mut found);
        }
        searched.items.retain(|item| match item.source.date {
            Some(date) => span.holds(date),
            None => span.is_open(),
        });
    }
    if request.layer == Some(Layer::Transcripts) {
        let first = searched.days.len() + searched.items.len();
        (searched.transcripts, searched.said) =
            said::read(places, span, first, &mut answer.unreadable);
    }
    searched
}

/// Keywords that this project lists together may stand for each other, where the query holds one
/// of them whole.
fn expand(query: &mut Query, items: &[Item]) {
    let own: Vec<(u8, String, String)> = query
        .targets
        .iter()
        .filter(|target| target.own && target.form.rest.is_empty())
        .filter_map(|target| {
            Some((
                *target.groups.first()?,
                target.form.stem.clone(),
                target.form.root.clone(),
            ))
        })
        .collect();
    let mut more: Vec<(String, Vec<usize>)> = Vec::new();
    for list in items::thesaurus(items) {
        for keyword in list {
            let words: Vec<_> = words::terms(keyword)
                .filter(|term| !matches!(term.kind, words::Kind::Symbol | words::Kind::Part))
                .collect();
            let groups: Vec<usize> = words
                .iter()
                .filter_map(|term| {
                    own.iter()
                        .find(|(_, stem, root)| {
                            *stem == term.stem
                                || (root.len() > 3 && *root == words::root(&term.stem))
                        })
                        .map(|(group, ..)| usize::from(*group))
                })
                .collect();
            // One word says too little in a question of many.
            let enough = groups.len() == words.len()
                && (groups.len() >= 2 || (groups.len() == 1 && own.len() <= 2));
            if !enough {
                continue;
            }
            // A secret among the keywords leads to nothing.
            if crate::clean(keyword.clone()) != *keyword {
                continue;
            }
            for other in list.iter().filter(|other| *other != keyword) {
                more.push((words::fold(other).into_owned(), groups.clone()));
            }
        }
    }
    for (word, groups) in more.iter().take(24) {
        query.add_other(word, groups, KEYWORD);
    }
}

/// The pass over the files; a second and third one where words occur nowhere and may be slips.
fn run(
    mut query: Query,
    searched: &Searched,
    lexicon: &Lexicon,
    request: &Request,
    answer: &mut Answer,
) -> (Query, Scan) {
    let sizes = sizes_of(&searched.days);
    // In much text the strong words find enough; the weak ones only cost time.
    let much = sizes.iter().sum::<u64>() > LARGE;
    let mut weak = Vec::new();
    if much {
        let (strong, others): (Vec<_>, Vec<_>) = std::mem::take(&mut query.targets)
            .into_iter()
            .partition(|target| target.own || target.weight >= STRONG);
        query.targets = strong;
        weak = others;
    }
    let split = if much && !request.exact {
        plan::split(&sizes)
    } else {
        None
    };
    let looks = if much && split.is_none() && !request.exact {
        let looks = Looks::of(searched.days.len());
        looks.map(|looks| look_ahead(looks, &query, &weak, searched, lexicon))
    } else {
        None
    };
    let looks = RefCell::new(looks);
    let all_of = |targets: &[Target], query: &Query| match &mut *looks.borrow_mut() {
        Some(looks) => looks.find(
            targets,
            query,
            searched.job(targets, query, &Finder::default()),
        ),
        None => pass(targets, query, searched),
    };
    if let Some((sample, rest)) = &split {
        foresee(&mut query, searched, lexicon, (sample, rest), answer);
    }
    // Where more decides than the words' worth, every hit is needed.
    let planned = split
        .as_ref()
        .filter(|_| request.role.is_none() && !filtered(request, &query));
    let pass = |query: &Query| {
        planned
            .and_then(|(sample, rest)| {
                by_sample(query, searched, (sample, rest), POOL.max(request.limit))
            })
            .unwrap_or_else(|| {
                let result = all_of(&query.targets, query);
                let enough = result.exchanges.len() >= ENOUGH;
                (result, enough)
            })
    };
    let (mut result, enough) = pass(&query);
    hide(&mut result, &query.targets, searched);
    let again = !weak.is_empty() && !enough;
    let slips = if request.exact {
        Vec::new()
    } else {
        slips(&query, &result, answer)
    };
    if again {
        query.targets.append(&mut weak);
    }
    let before = answer.corrected.len();
    if again && planned.is_none() && !slips.is_empty() {
        // One look for both.
        let own = query.targets.len();
        let mut targets = query.targets.clone();
        targets.extend(slips.iter().cloned());
        result = all_of(&targets, &query);
        hide(&mut result, &targets, searched);
        correct(
            &mut query,
            lexicon,
            &slips,
            &result.corrections(own),
            1,
            answer,
        );
    } else {
        if again {
            result = pass(&query).0;
            hide(&mut result, &query.targets, searched);
        }
        if !slips.is_empty() {
            let mut found = all_of(&slips, &query);
            hide(&mut found, &slips, searched);
            correct(
                &mut query,
                lexicon,
                &slips,
                &found.corrections(0),
                1,
                answer,
            );
        }
    }
    if answer.corrected.len() > before {
        expand(&mut query, &searched.items);
        result = pass(&query).0;
        hide(&mut result, &query.targets, searched);
    }
    (query, result)
}

/// Looks at a sample of a few megabytes, and then at the rest for all that it lets expect: weak words
/// where the strong ones will find too little, slips, and what they were meant to be.
fn look_ahead(
    mut looks: Looks,
    query: &Query,
    weak: &[Target],
    searched: &Searched,
    lexicon: &Lexicon,
) -> Looks {
    let finder = Finder::default();
    let job = searched.job(&[], query, &finder);
    let mut answer = Answer::default();
    let mut expected = query.clone();
    let (count, mut slips) = looks.sample(&query.targets, query, job, |seen| {
        (seen.exchanges.len(), slips(query, seen, &answer))
    });
    // Beside the halves of a number, the number itself would not be seen.
    slips.retain(|slip| !slip.form.holds_digit());
    if count * looks.times() < ENOUGH {
        expected.targets.extend_from_slice(weak);
    }
    let with_slips = |query: &Query| {
        let mut targets = query.targets.clone();
        targets.extend_from_slice(&slips);
        targets
    };
    if !slips.is_empty() {
        let own = expected.targets.len();
        looks.sample(&with_slips(&expected), query, job, |seen| {
            let found = seen.corrections(own);
            correct(&mut expected, lexicon, &slips, &found, 1, &mut answer);
        });
        if !answer.corrected.is_empty() {
            expand(&mut expected, &searched.items);
        }
    }
    looks.expect(&with_slips(&expected), query, job);
    looks
}

/// Words of the query that occur nowhere and may be slips: what they are near to is looked for.
fn slips(query: &Query, result: &Scan, answer: &Answer) -> Vec<Target> {
    let scorer = Scorer::new(&query.groups, &query.targets, &result.kinds, &result.stats);
    let nowhere = scorer.nowhere(&result.stats);
    scorer
        .missing(&result.stats)
        .iter()
        .filter_map(|group| {
            let words = query.groups.get(*group)?;
            let mut letters = Vec::new();
            words::letters(&words.word, &mut letters);
            let own = query.targets.get(*group)?;
            // An ordinary word may be a slip too, where nothing stands for it and it is long.
            let ordinary = words.known && (own.form.is_short_word() || !nowhere.contains(group));
            let known = ordinary
                || answer
                    .corrected
                    .iter()
                    .any(|(typed, _)| *typed == words.typed);
            if known || letters.len() < 5 {
                return None;
            }
            Some(Target {
                fuzzy: true,
                ..own.clone()
            })
        })
        .collect()
}

/// Takes words for slips of what was found near to them, in at least so many entries.
fn correct(
    query: &mut Query,
    lexicon: &Lexicon,
    slips: &[Target],
    found: &[(usize, &str, u32)],
    least: u32,
    answer: &mut Answer,
) {
    let mut taken: HashMap<usize, usize> = HashMap::new();
    // What a short word is near to by chance is several words; a slip is of one.
    let several = |slip: usize| {
        let mut stems = found
            .iter()
            .filter(|(other, ..)| *other == slip)
            .map(|(_, word, _)| words::stem(word));
        let first = stems.next();
        stems.any(|stem| Some(stem) != first)
    };
    let by_chance: Vec<bool> = slips
        .iter()
        .enumerate()
        .map(|(at, slip)| slip.form.is_short_word() && several(at))
        .collect();
    for &(slip, word, holds) in found {
        if by_chance.get(slip) == Some(&true) {
            continue;
        }
        let Some(group) = slips
            .get(slip)
            .and_then(|slip| slip.groups.first())
            .filter(|_| holds >= least)
        else {
            continue;
        };
        // What was typed itself is no correction.
        let same = query
            .groups
            .get(usize::from(*group))
            .is_some_and(|group| group.word == word);
        if same {
            continue;
        }
        let taken = taken.entry(slip).or_default();
        *taken += 1;
        if *taken > CORRECTIONS {
            continue;
        }
        let typed = query
            .groups
            .get(usize::from(*group))
            .map(|group| group.typed.clone())
            .unwrap_or_default();
        query.correct(lexicon, usize::from(*group), word);
        answer.corrected.push((typed, word.to_owned()));
    }
}

/// Slips that a sample already gives away: what they were meant to be is frequent in it, and they
/// themselves stand nowhere else either.
fn foresee(
    query: &mut Query,
    searched: &Searched,
    lexicon: &Lexicon,
    (sample, rest): (&[usize], &[usize]),
    answer: &mut Answer,
) {
    let look = |targets: &[Target], query: &Query, files: &[usize], items: &[Item]| {
        let finder = Finder::new(targets);
        let job = searched.job(targets, query, &finder);
        merge(scan(&Job {
            files,
            items,
            ..job
        }))
    };
    // The query's own words come first.
    let own = query.targets.get(..query.groups.len()).unwrap_or_default();
    let unknown = |target: &&Target| {
        target
            .groups
            .first()
            .and_then(|group| query.groups.get(usize::from(*group)))
            .is_some_and(|group| !group.known && !group.name)
    };
    if !own.iter().any(|target| unknown(&target)) {
        return;
    }
    let seen = look(own, query, sample, &searched.items);
    let slips = slips(query, &seen, answer);
    if slips.is_empty() {
        return;
    }
    let found = look(&slips, query, sample, &searched.items);
    let sure: Vec<usize> = found
        .corrections(0)
        .into_iter()
        .filter(|(.., holds)| *holds >= SURE)
        .map(|(slip, ..)| slip)
        .collect();
    let slips: Vec<Target> = slips
        .into_iter()
        .enumerate()
        .filter(|(index, _)| sure.iter().any(|slip| slip == index))
        .map(|(_, slip)| slip)
        .collect();
    if slips.is_empty() {
        return;
    }
    let typed: Vec<Target> = slips
        .iter()
        .map(|slip| Target {
            fuzzy: false,
            ..slip.clone()
        })
        .collect();
    let elsewhere = look(&typed, query, rest, &[]);
    let missing: Vec<Target> = slips
        .into_iter()
        .enumerate()
        .filter(|(index, _)| {
            !elsewhere
                .kinds
                .iter()
                .zip(&elsewhere.stats.holds)
                .any(|(kind, holds)| {
                    usize::from(kind.target) == *index && kind.part.is_none() && *holds > 0
                })
        })
        .map(|(_, slip)| slip)
        .collect();
    if missing.is_empty() {
        return;
    }
    let mut found = look(&missing, query, sample, &searched.items);
    hide(&mut found, &missing, searched);
    correct(
        query,
        lexicon,
        &missing,
        &found.corrections(0),
        SURE,
        answer,
    );
    expand(query, &searched.items);
}

/// All that holds one of the targets.
fn pass(targets: &[Target], query: &Query, searched: &Searched) -> Scan {
    let files: Vec<usize> = (0..searched.days.len()).collect();
    let finder = Finder::new(targets);
    let job = searched.job(targets, query, &finder);
    merge(scan(&Job {
        files: &files,
        ..job
    }))
}

/// The same of much text, as far as it can be among the best, and whether that is enough. `None`
/// where that does not pay.
fn by_sample(
    query: &Query,
    searched: &Searched,
    (sample, rest): (&[usize], &[usize]),
    kept: usize,
) -> Option<(Scan, bool)> {
    let finder = Finder::new(&query.targets);
    let job = searched.job(&query.targets, query, &finder);
    let sampled = merge(scan(&Job {
        files: sample,
        items: &[],
        said: &[],
        ..job
    }));
    let share = as_f32(sample.len()) / as_f32(sample.len() + rest.len());
    let plan = Plan::of(query, &sampled, share, kept);
    let mut parts = vec![sampled];
    let mut more = scan(&Job {
        files: rest,
        plan: plan.as_ref(),
        ..job
    });
    parts.append(&mut more);
    let mut result = merge(parts);
    let Some(plan) = plan else {
        let enough = result.exchanges.len() >= ENOUGH;
        return Some((result, enough));
    };
    plan.complete(&mut result.stats, &result.kinds);
    let scorer = Scorer::new(&query.groups, &query.targets, &result.kinds, &result.stats);
    let good = result
        .exchanges
        .iter()
        .filter(|exchange| scorer.best(exchange) >= plan.least)
        .count();
    (good >= kept).then_some((result, true))
}

/// Bytes of files, as far as they can be told.
fn sizes_of(sources: &[Source]) -> Vec<u64> {
    sources
        .iter()
        .map(|source| std::fs::metadata(&source.path).map_or(0, |meta| meta.len()))
        .collect()
}

/// Whether a hit's text decides if it is one.
fn filtered(request: &Request, query: &Query) -> bool {
    !request.tags.is_empty()
        || !query.phrases.is_empty()
        || !query.tags.is_empty()
        || !query.signed.is_empty()
}

#[allow(
    clippy::too_many_lines,
    reason = "one way from the hits to the answer, step by step"
)]
fn rank(
    query: &Query,
    searched: &Searched,
    result: &Scan,
    request: &Request,
    listing: bool,
    answer: &mut Answer,
) {
    let scorer = Scorer::new(&query.groups, &query.targets, &result.kinds, &result.stats);
    // What is asked about; how it is asked only where that is all.
    let asks = |group: &usize| {
        let asks = |group: &Group| group.weight <= ASKS;
        query.groups.get(*group).is_some_and(asks) && !query.groups.iter().all(asks)
    };
    let mut missing = scorer.missing(&result.stats);
    missing.retain(|group| !asks(group));
    answer.absent = query.as_typed(&missing);
    let nowhere: Vec<usize> = scorer
        .nowhere(&result.stats)
        .into_iter()
        .filter(|group| query.groups.get(*group).is_some_and(|group| group.name))
        .collect();
    answer.unknown = query.as_typed(&nowhere);
    // A decision on something else is no answer to the question for one.
    let about = |exchange: &Exchange| !query.decision || is_about(query, result, exchange);
    let any_about = result.exchanges.iter().any(about);
    let mut ranked: Vec<Ranked> = Vec::new();
    for (index, exchange) in result.exchanges.iter().enumerate() {
        let Some(source) = searched.source(exchange.source) else {
            continue;
        };
        if any_about && !about(exchange) {
            continue;
        }
        let halves = [Role::User, Role::Assistant];
        for (role, score) in halves.into_iter().zip(scorer.scores(exchange)) {
            let half = half(exchange, role);
            let Some(half) = half.filter(|_| request.role.is_none_or(|only| only == role)) else {
                continue;
            };
            // The head of a day: nobody said it.
            let nobody = source.layer == Layer::Conversations && half.time.is_none();
            if nobody && request.role.is_some() {
                continue;
            }
            let whole = if request.exact {
                score.cover > 0.999 && score.own > 0.0
            } else {
                score.value > 0.0
            };
            if whole {
                ranked.push(Ranked {
                    exchange: index,
                    role,
                    value: if nobody {
                        HEAD * score.value
                    } else if source.layer == Layer::Index && request.layer.is_none() {
                        0.4 * score.value
                    } else {
                        score.value
                    },
                    cover: score.cover,
                    when: (
                        source
                            .date
                            .or_else(|| said_in(searched, source, half).and_then(|said| said.day)),
                        half.time,
                    ),
                });
            }
        }
    }
    support(&mut ranked, searched, result);
    let pool = if filtered(request, query) {
        WIDE_POOL
    } else if query.decision {
        DECISION_POOL.max(request.limit)
    } else {
        POOL.max(request.limit)
    };
    if ranked.len() > pool {
        ranked.select_nth_unstable_by(pool, order);
        ranked.truncate(pool);
    }
    let mut texts: Vec<(Ranked, Text)> = Vec::new();
    let mut opened = Opened::default();
    let finder = Finder::new(&query.targets);
    let mut judge = Judge::new(&query.targets, &finder);
    for mut hit in ranked {
        let Some(text) = text_of(&hit, searched, result, &mut opened) else {
            continue;
        };
        if let Some(factor) = looked_at(query, &text, request, &mut judge) {
            hit.value *= factor;
            texts.push((hit, text));
        }
    }
    texts.sort_by(|(a, _), (b, _)| {
        if listing {
            b.when.cmp(&a.when).then_with(|| order(a, b))
        } else {
            order(a, b)
        }
    });
    let best = texts.first().map_or(0.0, |(hit, _)| hit.value);
    let stakes = scorer.stakes(&result.stats);
    let cover = texts
        .iter()
        .take(BEST)
        .filter_map(|(hit, text)| {
            let exchange = result.exchanges.get(hit.exchange)?;
            let near = near::together(&text.body, &mut judge, &stakes);
            Some(scorer.sureness(exchange, &near, &stakes))
        })
        .fold(0.0, f32::max);
    let least = least_cover(query, !answer.unknown.is_empty());
    let enough = request.exact || !query.phrases.is_empty() || cover >= least;
    // Beside a decision, what else is said of its matter is not far below.
    let least_share = if query.decision {
        LEAST_SHARE / DECISION
    } else {
        LEAST_SHARE
    };
    let mut hits: Vec<Hit> = Vec::new();
    for (mut ranked, text) in texts {
        let worse = !listing && ranked.value < least_share * best;
        if worse || hits.len() >= request.limit.max(1) {
            break;
        }
        if let Some(open) = in_the_open(&ranked, searched, result, &mut judge, &mut opened) {
            let [question, answer] = scorer.scores(&open);
            let score = match ranked.role {
                Role::User => question,
                Role::Assistant => answer,
            };
            if score.value <= 0.0 || request.exact && score.cover <= 0.999 {
                continue;
            }
            ranked.cover = score.cover;
        }
        hits.extend(hit_of(
            ranked,
            text,
            searched,
            result,
            &mut judge,
            &mut opened,
        ));
    }
    if enough {
        answer.hits = hits;
    } else {
        hits.truncate(3);
        answer.near = hits;
    }
}

/// Whether an exchange holds a word of what a decision is asked for on. Where that is not said, all do.
fn is_about(query: &Query, result: &Scan, exchange: &Exchange) -> bool {
    let matter = |group: &Group| group.weight > ASKS;
    if !query.groups.iter().any(matter) {
        return true;
    }
    [&exchange.question, &exchange.answer]
        .into_iter()
        .flatten()
        .flat_map(|half| &half.found)
        .chain(&exchange.day)
        .filter_map(|found| result.kinds.get(usize::from(found.kind)))
        .filter_map(|kind| query.targets.get(usize::from(kind.target)))
        .flat_map(|target| &target.groups)
        .any(|group| query.groups.get(usize::from(*group)).is_some_and(matter))
}

/// How far the stakes of a query have to be covered, so that it has an answer.
fn least_cover(query: &Query, without_name: bool) -> f32 {
    let words: f32 = query.groups.iter().map(|group| group.weight).sum();
    let length = (words.max(1.0) / USUAL).ln();
    let name = if without_name { WITHOUT_NAME } else { 0.0 };
    LEAST_COVER - SENTENCE * length + name
}

/// A value in steps of three per cent: less is no difference.
#[allow(clippy::cast_possible_truncation, reason = "a logarithm is small")]
fn grade(value: f32) -> i32 {
    (value.max(f32::MIN_POSITIVE).ln() * 33.0).round() as i32
}

/// Better first; of equals the newer.
fn order(a: &Ranked, b: &Ranked) -> Ordering {
    grade(b.value)
        .cmp(&grade(a.value))
        .then_with(|| b.when.cmp(&a.when))
        .then_with(|| a.exchange.cmp(&b.exchange))
        .then_with(|| b.role.cmp(&a.role))
}

fn half(exchange: &Exchange, role: Role) -> Option<&Half> {
    match role {
        Role::User => exchange.question.as_ref(),
        Role::Assistant => exchange.answer.as_ref(),
    }
}

/// A memory entry speaks for the conversations that it links, if they hold words of the query too.
fn support(ranked: &mut [Ranked], searched: &Searched, result: &Scan) {
    let best = ranked.iter().map(|hit| hit.value).fold(0.0, f32::max);
    let mut days: HashMap<NaiveDate, f32> = HashMap::new();
    for hit in ranked.iter() {
        let Some(item) = result
            .exchanges
            .get(hit.exchange)
            .and_then(|exchange| searched.item(exchange.source))
        else {
            continue;
        };
        if hit.value < 0.5 * best {
            continue;
        }
        for day in &item.days {
            let known = days.entry(*day).or_default();
            *known = known.max(hit.value);
        }
    }
    for hit in ranked.iter_mut() {
        let Some(source) = result
            .exchanges
            .get(hit.exchange)
            .and_then(|exchange| searched.source(exchange.source))
        else {
            continue;
        };
        if source.layer == Layer::Conversations
            && let Some(value) = source.date.and_then(|date| days.get(&date))
        {
            hit.value += 0.15 * value.min(hit.value);
        }
    }
}

/// The text of a hit.
struct Text {
    body: String,
    id: Option<String>,
    /// Bytes of the file before it.
    at: u64,
    /// Of a transcript: the record that it begins with.
    record: Option<String>,
}

/// The turn of a transcript that a half stands for.
fn said_in<'a>(searched: &'a Searched, source: &Source, half: &Half) -> Option<&'a Said> {
    if source.layer != Layer::Transcripts {
        return None;
    }
    searched.said.get(usize::try_from(half.span.start).ok()?)
}

/// A text of a day file without its private blocks.
fn without_private(text: String) -> String {
    redact::clean_owned(text, redact::Policy { secrets: false }).into_string()
}

/// An exchange whose halves hold what is looked for in secrets only, which nobody is shown: without
/// that. `None` where nothing is hidden.
fn in_the_open(
    hit: &Ranked,
    searched: &Searched,
    result: &Scan,
    judge: &mut Judge<'_>,
    opened: &mut Opened,
) -> Option<Exchange> {
    let exchange = result.exchanges.get(hit.exchange)?;
    let mut open: Option<Exchange> = None;
    for role in [Role::User, Role::Assistant] {
        let half = Ranked { role, ..*hit };
        let Some(text) = text_of(&half, searched, result, opened) else {
            continue;
        };
        let clean = crate::clean(text.body.clone());
        if clean == text.body {
            continue;
        }
        let open = open.get_or_insert_with(|| exchange.clone());
        let half = match role {
            Role::User => &mut open.question,
            Role::Assistant => &mut open.answer,
        };
        let left = kinds_in(&clean, judge);
        if let Some(half) = half {
            half.found.retain(|found| {
                let kind = result.kinds.get(usize::from(found.kind));
                kind.is_some_and(|kind| left.contains(kind))
            });
        }
    }
    open
}

/// Places of a word that are looked at for one that is not in a secret.
const LOOKED_AT: usize = 8;

/// Takes out of what was found the words that stand in secrets only: to tell that they occur, or to show
/// how they are spelt, would tell the secret. Words of whose spelling nothing depends are left.
fn hide(scan: &mut Scan, targets: &[Target], searched: &Searched) {
    let mut opened = Opened::default();
    let finder = OnceCell::new();
    let mut hidden: Vec<u16> = Vec::new();
    for (kind, of) in (0_u16..).zip(&scan.kinds) {
        let asked = |target: &Target| target.own || target.fuzzy;
        let holds = scan.stats.holds.get(usize::from(kind)).copied();
        if holds.unwrap_or(0) == 0 || !targets.get(usize::from(of.target)).is_some_and(asked) {
            continue;
        }
        let places = scan
            .exchanges
            .iter()
            .enumerate()
            .flat_map(|(at, exchange)| {
                let halves = [
                    (Role::User, &exchange.question),
                    (Role::Assistant, &exchange.answer),
                ];
                let holds = move |half: &Option<Half>| {
                    let mut found = half.iter().flat_map(|half| &half.found);
                    found.any(|found| found.kind == kind)
                };
                halves
                    .into_iter()
                    .filter(move |(_, half)| holds(half))
                    .map(move |(role, _)| (at, role))
            });
        let mut open = None;
        for (exchange, role) in places.take(LOOKED_AT) {
            let hit = Ranked {
                exchange,
                role,
                value: 0.0,
                cover: 0.0,
                when: (None, None),
            };
            let Some(text) = text_of(&hit, searched, scan, &mut opened) else {
                continue;
            };
            let clean = crate::clean(text.body.clone());
            open = Some(
                clean == text.body || {
                    let finder = finder.get_or_init(|| Finder::new(targets));
                    kinds_in(&clean, &mut Judge::new(targets, finder)).contains(of)
                },
            );
            if open == Some(true) {
                break;
            }
        }
        if open == Some(false) {
            hidden.push(kind);
        }
    }
    if hidden.is_empty() {
        return;
    }
    for exchange in &mut scan.exchanges {
        let halves = [&mut exchange.question, &mut exchange.answer];
        for half in halves.into_iter().flatten() {
            half.found.retain(|found| !hidden.contains(&found.kind));
        }
    }
    for kind in hidden {
        if let Some(holds) = scan.stats.holds.get_mut(usize::from(kind)) {
            *holds = 0;
        }
    }
}

/// What of the query a text holds.
fn kinds_in(text: &str, judge: &mut Judge<'_>) -> HashSet<HitKind> {
    let mut held = HashSet::new();
    let mut cursor = Cursor::default();
    let (mut at, mut here) = (0, Vec::new());
    while let Some((word, hits)) = judge.next(&mut cursor, text.as_bytes(), at) {
        here.clear();
        here.extend(hits.iter().map(|hit| hit.kind));
        at = behind(text.as_bytes(), &word);
        for kind in &here {
            held.extend(judge.kinds.get(usize::from(*kind)).cloned());
        }
    }
    held
}

fn text_of(hit: &Ranked, searched: &Searched, result: &Scan, opened: &mut Opened) -> Option<Text> {
    let exchange = result.exchanges.get(hit.exchange)?;
    let half = half(exchange, hit.role)?;
    let source = searched.source(exchange.source)?;
    match source.layer {
        Layer::Conversations => {
            let length = (half.span.end - half.span.start).min(LARGEST);
            let bytes = opened.read(exchange.source, source, half.span.start, length)?;
            if half.time.is_none() {
                let head = day::head(&bytes, bytes.len())?;
                return Some(Text {
                    body: without_private(head.text(&bytes)),
                    id: None,
                    at: 0,
                    record: None,
                });
            }
            let entry = day::entries(&bytes).into_iter().next()?;
            Some(Text {
                body: without_private(entry.text(&bytes)),
                id: entry.attribute(&bytes, "id").map(str::to_owned),
                at: half.span.start,
                record: None,
            })
        }
        Layer::Transcripts => {
            let said = said_in(searched, source, half)?;
            let (_, text) = match hit.role {
                Role::User => said.question.as_ref(),
                Role::Assistant => said.answer.as_ref(),
            }?;
            Some(Text {
                body: text.clone(),
                id: said.id.clone(),
                at: 0,
                record: said
                    .record(hit.role)
                    .or(said.id.as_deref())
                    .map(str::to_owned),
            })
        }
        Layer::Index | Layer::Memory => {
            let item = searched.item(exchange.source)?;
            Some(Text {
                body: item.text.clone(),
                id: item.code.map(|code| code.to_string()),
                at: 0,
                record: None,
            })
        }
    }
}

/// Looks at a hit's text: whether phrases and tags are there, and what the order of words adds.
fn looked_at(query: &Query, text: &Text, request: &Request, judge: &mut Judge<'_>) -> Option<f32> {
    let mut factor = 1.0;
    let tagged = !request.tags.is_empty() || !query.tags.is_empty();
    // What is asked for to the letter is told of what is shown: a guess at a secret finds nothing.
    let shown = (tagged || !query.phrases.is_empty() || !query.signed.is_empty())
        .then(|| crate::clean(text.body.clone()));
    let body = shown.as_ref().unwrap_or(&text.body);
    if tagged {
        let carried = tags_of(body);
        if !request
            .tags
            .iter()
            .all(|tag| carried.contains(&words::fold(tag.trim_start_matches('#')).into_owned()))
        {
            return None;
        }
        if !query.tags.is_empty() {
            if query.tags.iter().all(|tag| carried.contains(tag)) {
                factor *= 3.0;
            } else {
                factor *= 0.6;
            }
        }
    }
    let near = if query.groups.len() > 1 {
        neighbours(body, judge)
    } else {
        Near::default()
    };
    // Where it stands as typed, all its words do; the first and the last may be parts of others.
    let literal = query.groups.len() > 1
        && !query.literal.is_empty()
        && (!query.tags.is_empty() || near.groups + 2 >= query.groups.len())
        && may_hold(body, &query.literal);
    if literal || !query.phrases.is_empty() || !query.signed.is_empty() || query.decision {
        let folded = collapse(&words::fold(body));
        if !query
            .phrases
            .iter()
            .all(|phrase| folded.contains(phrase.as_str()))
        {
            return None;
        }
        for signed in &query.signed {
            if !holds_signed(&folded, signed) {
                factor *= UNSIGNED;
            }
        }
        if literal && folded.contains(&query.literal) {
            factor *= 1.3;
        }
        if query.decision && decision::is_held_by(&folded, &tags_of(body)) {
            factor *= DECISION;
        }
    }
    if query.groups.len() > 1 {
        factor *= together(near.pairs, query.groups.len());
    }
    Some(factor)
}

/// Whether a text may hold a folded one, as far as its longest ASCII word tells: folding a text costs
/// more.
fn may_hold(text: &str, folded: &str) -> bool {
    let words = folded.split(|c: char| c.is_whitespace() || !c.is_ascii());
    let longest = words.max_by_key(|word| word.len()).unwrap_or_default();
    let [first, ..] = longest.as_bytes() else {
        return true;
    };
    // Other letters may be folded to these.
    if longest.contains("ss") || needs_all(text.as_bytes()) {
        return true;
    }
    let (low, high) = (*first, first.to_ascii_uppercase());
    memchr::memchr2_iter(low, high, text.as_bytes()).any(|at| {
        text.as_bytes()
            .get(at..at + longest.len())
            .is_some_and(|found| found.eq_ignore_ascii_case(longest.as_bytes()))
    })
}

/// Whether a name with its signs (`c#`) stands in a text, and not within another (`c++` in `c+++`).
fn holds_signed(text: &str, signed: &str) -> bool {
    text.match_indices(signed).any(|(at, _)| {
        let before = text.get(..at).unwrap_or_default();
        let after = text.get(at + signed.len()..).unwrap_or_default();
        let within = |c: char| c.is_ascii_alphanumeric() || c == '_';
        !before.ends_with(within)
            && !after.starts_with(['+', '#'])
            && (!signed.starts_with('.') || !after.starts_with(within))
    })
}

/// The days of all that holds a name with its signs (folded).
fn signed_in<'a>(
    name: &'a str,
    searched: &'a Searched,
) -> impl Iterator<Item = Option<NaiveDate>> + 'a {
    let query = Query::parse(name, NaiveDate::MIN, &Lexicon::default(), true);
    let result = pass(&query.targets, &query, searched);
    let mut opened = Opened::default();
    (0..result.exchanges.len()).filter_map(move |index| {
        let source = searched.source(result.exchanges.get(index)?.source)?;
        let roles = [Role::User, Role::Assistant].into_iter();
        let mut halves = roles.filter_map(|role| {
            let half = half(result.exchanges.get(index)?, role)?;
            let day = source.date.or_else(|| said_in(searched, source, half)?.day);
            let hit = Ranked {
                exchange: index,
                role,
                value: 0.0,
                cover: 0.0,
                when: (day, half.time),
            };
            let text = text_of(&hit, searched, &result, &mut opened)?;
            let shown = crate::clean(text.body);
            holds_signed(&collapse(&words::fold(&shown)), name).then_some(day)
        });
        halves.next()
    })
}

/// The tags of a text, folded.
pub(crate) fn tags_of(text: &str) -> Vec<String> {
    let Some(line) = tag_line(text.as_bytes(), &(0..text.len())).and_then(|range| text.get(range))
    else {
        return Vec::new();
    };
    let line = line.trim_start_matches('`').trim_start_matches("#tags:");
    // Some write them with spaces only.
    let spaced = !line.contains(',');
    line.split(|c: char| c == ',' || spaced && c.is_whitespace())
        .map(|tag| words::fold(tag.trim().trim_matches(['`', '#'])).into_owned())
        .filter(|tag| !tag.is_empty())
        .collect()
}

/// What a text holds of the query.
#[derive(Debug, Default)]
struct Near {
    /// Neighbours of the query that stand together.
    pairs: usize,
    /// Words of the query that something stands for.
    groups: usize,
}

fn neighbours(text: &str, judge: &mut Judge<'_>) -> Near {
    let mut held: Vec<u8> = Vec::new();
    let mut seen: Vec<u8> = Vec::new();
    let mut last: (usize, Vec<u8>) = (0, Vec::new());
    let mut groups: Vec<u8> = Vec::new();
    let mut at = 0;
    let mut hits = Vec::new();
    let mut cursor = Cursor::default();
    while let Some((word, new)) = judge.next(&mut cursor, text.as_bytes(), at) {
        hits.clear();
        hits.extend_from_slice(new);
        at = behind(text.as_bytes(), &word);
        groups.clear();
        for hit in &hits {
            let Some(target) = judge.target_of(*hit) else {
                continue;
            };
            for group in &target.groups {
                if !held.contains(group) {
                    held.push(*group);
                }
            }
            if hit.strength > 0.6 {
                groups.extend_from_slice(&target.groups);
            }
        }
        let gap = text.get(last.0..word.start).unwrap_or_default();
        if last.0 > 0 && gap.len() <= 10 && !gap.contains('\n') {
            for group in &groups {
                if *group > 0 && last.1.contains(&(group - 1)) && !seen.contains(group) {
                    seen.push(*group);
                }
            }
        }
        last.0 = word.end;
        std::mem::swap(&mut last.1, &mut groups);
    }
    Near {
        pairs: seen.len(),
        groups: held.len(),
    }
}

fn hit_of(
    ranked: Ranked,
    text: Text,
    searched: &Searched,
    result: &Scan,
    judge: &mut Judge<'_>,
    opened: &mut Opened,
) -> Option<Hit> {
    let index = result.exchanges.get(ranked.exchange)?.source;
    let source = searched.source(index);
    let item = searched.item(index);
    let layer = source.map_or(Layer::Conversations, |source| source.layer);
    let own = item.map_or(text.body.len(), |item| item.own.min(text.body.len()));
    let mut shown = text.body;
    shown.truncate(own);
    let mut marks = passage::marks(&shown, judge);
    let clean = crate::clean(shown.clone());
    if clean != shown {
        shown = clean;
        marks = passage::marks(&shown, judge);
        // It may stand in what is hidden only: whether it does is told by nothing.
        if marks.is_empty() {
            return None;
        }
    }
    Some(Hit {
        path: source
            .map(|source| source.label.clone())
            .unwrap_or_default(),
        line: match (layer, source, item) {
            (_, _, Some(item)) => item.line,
            (Layer::Transcripts, Some(source), _) => said::line_of(source, text.record.as_deref()),
            (_, Some(source), _) => opened.line_at(index, source, text.at),
            _ => 1,
        },
        date: ranked.when.0,
        time: ranked.when.1,
        role: (item.is_none() && ranked.when.1.is_some()).then_some(ranked.role),
        layer,
        id: text.id,
        title: item
            .map(|item| crate::clean(item.title.clone()))
            .filter(|title| !title.is_empty()),
        score: ranked.value,
        cover: ranked.cover,
        text: shown,
        marks,
    })
}
