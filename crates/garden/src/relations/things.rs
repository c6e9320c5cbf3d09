//! Whether two entries speak of two things of one sort: `the charger at the harbour` and `the
//! charger at the station` share nearly all their words and are two chargers.
//!
//! Looked for only where a relation was found already, so it may take its time.

use crate::corpus::{Corpus, WordId};
use crate::cues::Cues;
use crate::prose::{Part, Statement};
use crate::view::{self, View};
use std::borrow::Cow;
use words::{Kind, Token};

/// A word that is narrowed down to one thing by a name: right before it, or bound to it by a
/// preposition.
#[derive(Debug, Clone)]
pub(crate) struct Narrowed {
    word: WordId,
    bound: bool,
    by: WordId,
}

/// Prepositions that say where something is or what it belongs to; times and means tell no thing.
const OF: [&str; 27] = [
    "of", "at", "in", "for", "from", "on", "to", "am", "an", "im", "auf", "bei", "beim", "von",
    "vom", "fur", "zu", "zum", "zur", "aus", "vor", "der", "des", "uber", "unter", "near", "about",
];

/// Letters of the longest of [`OF`] and [`ARTICLES`].
const SHORT: usize = 8;

/// What a word beside another one does for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Naming {
    /// It names one of several things.
    Name,
    /// It tells of what sort or state it is.
    Sort,
    /// None of these.
    Nothing,
}

/// Words between a preposition and what it binds.
const ARTICLES: [&str; 38] = [
    "the", "a", "an", "this", "that", "these", "our", "your", "their", "his", "her", "its", "my",
    "all", "die", "der", "das", "den", "dem", "des", "ein", "eine", "einen", "einem", "einer",
    "eines", "unser", "unsere", "unserem", "unseren", "unserer", "ihr", "ihre", "ihrem", "ihren",
    "diese", "dieser", "diesem",
];

/// Days that come again and again: what is so on some of them is not said of others.
const RECURRING: [&str; 44] = [
    "weekday",
    "weekdays",
    "weekend",
    "weekends",
    "mondays",
    "tuesdays",
    "wednesdays",
    "thursdays",
    "fridays",
    "saturdays",
    "sundays",
    "holidays",
    "werktags",
    "wochentags",
    "montags",
    "dienstags",
    "mittwochs",
    "donnerstags",
    "freitags",
    "samstags",
    "sonntags",
    "feiertags",
    "wochenende",
    "wochenenden",
    "feiertagen",
    "werktagen",
    "sommer",
    "winter",
    "summer",
    "평일",
    "주말",
    "공휴일",
    "휴일",
    "여름",
    "겨울",
    "工作日",
    "周末",
    "节假日",
    "假期",
    "夏季",
    "冬季",
    "夏天",
    "冬天",
    "平日",
];

/// Words of which each pair says opposite things of what they stand with: limits, leave and duty, the
/// time before and behind, halves of a day.
const POLES: [[&[&str]; 2]; 7] = [
    [
        &[
            "at least",
            "no less than",
            "mindestens",
            "wenigstens",
            "이상",
            "최소",
            "至少",
            "不少于",
        ],
        &[
            "at most",
            "no more than",
            "höchstens",
            "maximal",
            "이하",
            "최대",
            "至多",
            "最多",
            "不超过",
        ],
    ],
    [
        &[
            "may",
            "can",
            "optional",
            "darf",
            "dürfen",
            "kann",
            "해도 된다",
            "할 수 있다",
            "可以",
        ],
        &[
            "must",
            "mandatory",
            "muss",
            "müssen",
            "해야 한다",
            "필수",
            "必须",
        ],
    ],
    [
        &["before", "vor", "bevor", "하기 전", "전에", "之前", "以前"],
        &[
            "after", "nach", "nachdem", "한 뒤", "한 후", "후에", "뒤에", "之后", "以后",
        ],
    ],
    [
        &["above", "over", "über", "초과", "超过", "高于"],
        &["below", "under", "unter", "미만", "低于"],
    ],
    [
        &[
            "am",
            "a.m",
            "morning",
            "morgens",
            "vormittags",
            "오전",
            "上午",
            "早上",
        ],
        &[
            "pm",
            "p.m",
            "evening",
            "abends",
            "nachmittags",
            "오후",
            "下午",
            "晚上",
        ],
    ],
    [&["minimum", "minimal"], &["maximum"]],
    [
        &["first", "zuerst", "먼저", "先"],
        &["last", "zuletzt", "나중에", "最后"],
    ],
];

/// Which of [`POLES`] a text in small letters holds: two bits for each pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Poles(u16);

impl Poles {
    pub(crate) fn of(text: &str) -> Self {
        let words = POLES.iter().flatten().enumerate();
        Self(words.fold(0, |held, (at, words)| {
            let holds = words.iter().any(|word| stands(text, word));
            held | u16::from(holds) << at
        }))
    }

    /// Whether they hold opposite words of a pair, and neither the other's.
    pub(super) fn oppose(self, other: Self) -> bool {
        (0..POLES.len()).any(|pair| {
            let of = |poles: Self| poles.0 >> (2 * pair) & 3;
            matches!((of(self), of(other)), (1, 2) | (2, 1))
        })
    }
}

/// Whether a word stands in a text; one in Latin script not within another.
fn stands(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        let letter = |c: Option<char>| c.is_some_and(|c| c.is_alphabetic() && c < '\u{300}');
        !word.starts_with(|c: char| c < '\u{300}')
            || !letter(text[..at].chars().next_back())
                && !letter(text[at + word.len()..].chars().next())
    })
}

/// Whether both texts, in small letters, name recurring days and no common one.
pub(super) fn on_other_days(a: &str, b: &str) -> bool {
    let days = |text: &str| -> Vec<&str> {
        let named = RECURRING.into_iter();
        named.filter(|day| stands(text, day)).collect()
    };
    let (of_a, of_b) = (days(a), days(b));
    !of_a.is_empty() && !of_b.is_empty() && !of_a.iter().any(|day| of_b.contains(day))
}

/// Words that tell of what sort or state a thing is, not which one it is.
const SORTS: [&str; 62] = [
    "new",
    "old",
    "first",
    "last",
    "next",
    "second",
    "other",
    "same",
    "whole",
    "main",
    "current",
    "spare",
    "same",
    "big",
    "small",
    "long",
    "short",
    "good",
    "bad",
    "final",
    "latest",
    "recent",
    "replacement",
    "problem",
    "issue",
    "error",
    "fault",
    "neu",
    "alt",
    "erst",
    "letzt",
    "nachst",
    "zweit",
    "ander",
    "ganz",
    "gross",
    "klein",
    "aktuell",
    "problem",
    "sache",
    "thema",
    "새",
    "옛",
    "다른",
    "첫",
    "다음",
    "지난",
    "이번",
    "같은",
    "전체",
    "모든",
    "최근",
    "현재",
    "문제",
    "새로",
    "다시",
    "또",
    "여전히",
    "지금",
    "이제",
    "아직",
    "관련",
];

/// Characters that begin or join words and name nothing.
const JOINING: &str = "的了在是和与把被将新旧该本此这那后前已又再从对给为让由于有各每全个台只位名都也就还可要不没未请及或其因当使用时到得地着过向往并而但若如等才很最第";

/// Words that are narrowed down, of a text.
const MOST_NARROWED: usize = 64;

/// Whether the statements, or the titles, of two entries name two things in one place, of which
/// neither entry names the other's.
pub(crate) fn are_two(corpus: &Corpus, (a, i): (&View, usize), (b, j): (&View, usize)) -> bool {
    let (of_a, of_b) = (lines(a, i), lines(b, j));
    let alone = |view: &View, at: usize, other: &View| -> Vec<(WordId, bool)> {
        let all = view.narrowed(corpus, &view.statements[at]).iter();
        all.filter(|narrowed| corpus.holds(&other.whole, narrowed.by) <= 0.0)
            .map(|narrowed| (narrowed.word, narrowed.bound))
            .collect()
    };
    let in_a: Vec<_> = of_a.clone().flat_map(|at| alone(a, at, b)).collect();
    let by_words = !in_a.is_empty() && {
        let in_b: Vec<_> = of_b.clone().flat_map(|at| alone(b, at, a)).collect();
        in_a.iter().any(|(x, bound)| {
            let mut others = in_b.iter().filter(|(_, other)| other == bound);
            others.any(|(y, _)| corpus.same(*x, *y))
        })
    };
    by_words
        || by_letters(corpus, (a, of_a.clone()), (b, of_b.clone()))
        || of_a.into_iter().any(|i| {
            let mut others = of_b.clone();
            others.any(|j| by_signs((a, &a.statements[i]), (b, &b.statements[j])))
        })
}

/// The same of things that a letter names: `Room A` and `Room B`, `가 강의실` and `나 강의실`.
fn by_letters(
    corpus: &Corpus,
    (a, of_a): (&View, impl Iterator<Item = usize>),
    (b, of_b): (&View, impl Iterator<Item = usize>),
) -> bool {
    let mine = letters(corpus, a, of_a);
    if mine.is_empty() {
        return false;
    }
    let theirs = letters(corpus, b, of_b);
    !theirs.is_empty() && !mine.iter().any(|letter| theirs.contains(letter))
}

/// The letters and syllables by which some lines name a thing.
fn letters(corpus: &Corpus, view: &View, lines: impl Iterator<Item = usize>) -> Vec<String> {
    let mut all = Vec::new();
    for said in lines.map(|at| &view.statements[at]) {
        let labels = view.pieces(corpus, said).numbers();
        let letters = labels.filter(|label| label.chars().all(char::is_alphabetic));
        all.extend(letters.map(str::to_owned));
        all.extend(syllables(view.text(said)));
    }
    all
}

/// The single syllables of the Korean order of letters by which things are named (`가 강의실`).
fn syllables(text: &str) -> Vec<String> {
    const ORDER: &str = "가나다라마바사아자차카타파하";
    let mut words = text.split(' ').peekable();
    let mut out = Vec::new();
    while let Some(word) = words.next() {
        let mut letters = word.chars();
        let (first, more) = (letters.next(), letters.next());
        if let (Some(first), None, Some(next)) = (first, more, words.peek())
            && ORDER.contains(first)
            && next.chars().next().is_some_and(is_hangul)
        {
            out.push(first.to_string());
        }
    }
    out
}

fn is_hangul(c: char) -> bool {
    ('\u{ac00}'..='\u{d7a3}').contains(&c)
}

/// A statement's place, and that of the title.
fn lines(view: &View, at: usize) -> impl Iterator<Item = usize> + Clone + use<> {
    let title = view
        .statements
        .iter()
        .position(|said| said.part == Part::Head)
        .filter(|title| *title != at);
    std::iter::once(at).chain(title)
}

/// The words of a text that a name narrows down.
pub(crate) fn narrowed(corpus: &Corpus, text: &str) -> Vec<Narrowed> {
    let naming = |word: WordId| {
        corpus.naming(word, |stem| {
            if SORTS.contains(&stem) {
                Naming::Sort
            } else if corpus.is_thing(word)
                && !corpus.is_number(word)
                && Cues::of(stem) == Cues::default()
                && !view::is_time(stem)
            {
                Naming::Name
            } else {
                Naming::Nothing
            }
        })
    };
    let all = all_narrowed(corpus, text).into_iter();
    all.filter_map(|(word, bound, by)| {
        let mut telling = by.into_iter().filter(|word| naming(*word) != Naming::Sort);
        let by = telling
            .next()
            .filter(|word| naming(*word) == Naming::Name)?;
        Some(Narrowed { word, bound, by })
    })
    .collect()
}

/// The words of a text that are narrowed down, whether a preposition does it, and by which words.
fn all_narrowed(corpus: &Corpus, text: &str) -> Vec<(WordId, bool, Vec<WordId>)> {
    let mut out: Vec<(WordId, bool, Vec<WordId>)> = Vec::new();
    // The last word, and where it ends.
    let mut last: Option<(WordId, usize)> = None;
    // What a preposition binds to.
    let mut bound: Option<WordId> = None;
    let mut open = false;
    for token in words::tokens(text) {
        if matches!(token.kind, Kind::Part | Kind::Symbol | Kind::Han) {
            continue;
        }
        // No sentence says so much: it is a list, or a word without end.
        if out.len() >= MOST_NARROWED {
            break;
        }
        let between = last.map(|(_, end)| text.get(end..token.range.start).unwrap_or_default());
        let folded = plain(&token);
        if between.is_some_and(|between| !between.trim_matches([' ', '-', '`', '"']).is_empty()) {
            (last, bound, open) = (None, None, false);
        }
        let genitive = matches!(&*folded, "der" | "des");
        let short = token.kind == Kind::Word && folded.len() <= SHORT;
        if short && OF.contains(&&*folded) && (last.is_some() || !genitive) {
            // `the check in the hall of the town`
            bound = last.map(|(word, _)| word).or(bound);
            open = false;
            last = last.map(|(word, _)| (word, token.range.end));
            if bound.is_some() {
                continue;
            }
        }
        if short && ARTICLES.contains(&&*folded) {
            last = last.map(|(word, _)| (word, token.range.end));
            continue;
        }
        let Some(word) = corpus.word_of(&token) else {
            (last, bound, open) = (None, None, false);
            continue;
        };
        let own = corpus.stem(word);
        if let Some(head) = bound {
            match out.last_mut().filter(|_| open) {
                Some((.., by)) => by.push(word),
                None => out.push((head, true, vec![word])),
            }
            open = true;
        } else if let Some((before, _)) = last {
            out.push((word, false, vec![before]));
        }
        // With a particle a Korean word stands by itself.
        let ends = token.kind == Kind::Hangul && own != token.text && !token.text.ends_with('의');
        if ends {
            (last, bound, open) = (None, None, false);
        } else {
            last = Some((word, token.range.end));
        }
    }
    out
}

fn plain<'a>(token: &Token<'a>) -> Cow<'a, str> {
    match token.folded() {
        Cow::Borrowed(folded) => words::plain(folded),
        Cow::Owned(folded) => Cow::Owned(words::plain(&folded).into_owned()),
    }
}

/// The same of signs that stand without blanks: before what both have in common stands another sign
/// (`东区水泵`, `西区水泵`), or another word of two.
fn by_signs((a, said): (&View, &Statement), (b, other): (&View, &Statement)) -> bool {
    let (x, y) = (a.text(said), b.text(other));
    // Most texts hold none, as their bytes tell.
    let holds = |text: &str| text.bytes().any(|byte| (0xe4..=0xe9).contains(&byte));
    if !holds(x) || !holds(y) {
        return false;
    }
    let signs = |text: &str| -> Vec<char> { text.chars().take(MOST_SIGNS).collect() };
    let (x, y) = (signs(x), signs(y));
    let names = |c: char| is_sign(c) && !JOINING.contains(c);
    let there = |view: &View, pair: &[char]| {
        let pair: String = pair.iter().collect();
        view.lines.iter().any(|line| line.contains(&pair))
    };
    // The two signs before a place, or the one and what follows.
    let word = |of: &[char], at: usize| {
        let start = at.saturating_sub(2);
        if is_sign(of[start]) {
            of[start..at].to_vec()
        } else {
            of[at - 1..=at].to_vec()
        }
    };
    // Where signs that are common may begin: most texts have no such place.
    let places = |of: &[char]| -> Vec<usize> {
        let begins = |at: &usize| is_sign(of[*at]) && names(of[*at - 1]);
        (1..of.len()).filter(begins).collect()
    };
    let others = places(&y);
    places(&x).into_iter().any(|at| {
        others.iter().any(|&to| {
            // What begins here is common, and what stands before differs.
            let common = x[at..].iter().zip(&y[to..]).take(COMMON_SIGNS);
            let length = common.take_while(|(c, d)| c == d && is_sign(**c)).count();
            length >= COMMON_SIGNS
                && x[at - 1] != y[to - 1]
                && !there(b, &word(&x, at))
                && !there(a, &word(&y, to))
                && !there(b, &x[at - 1..=at])
                && !there(a, &y[to - 1..=to])
        })
    })
}

/// Signs of a text that are looked at.
const MOST_SIGNS: usize = 2_000;
/// Signs in a row that two texts must have in common.
const COMMON_SIGNS: usize = 3;

fn is_sign(c: char) -> bool {
    ('\u{4e00}'..='\u{9fff}').contains(&c)
}
