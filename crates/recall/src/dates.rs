//! Dates in a query: `지난주`, `early October`, `letzte Woche`, `上周`, `since Tuesday`.
//!
//! Weeks begin on Monday. Early in a month is the 1st to the 10th, the middle the 11th to the
//! 20th, late the 21st to the end. A month without a year is the last one that has begun.

use chrono::{Datelike, Days, Months, NaiveDate, Weekday};
use std::ops::Range;

/// A stretch of days, both ends included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Span {
    /// First day; open if there is none.
    pub since: Option<NaiveDate>,
    /// Last day; open if there is none.
    pub until: Option<NaiveDate>,
}

impl Span {
    /// Whether a day lies within.
    pub fn holds(&self, day: NaiveDate) -> bool {
        self.since.is_none_or(|since| since <= day) && self.until.is_none_or(|until| day <= until)
    }

    /// Whether nothing is left out.
    pub fn is_open(&self) -> bool {
        self.since.is_none() && self.until.is_none()
    }

    /// What lies in both.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            since: self.since.max(other.since),
            until: match (self.until, other.until) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            },
        }
    }

    fn days(since: NaiveDate, until: NaiveDate) -> Self {
        Self {
            since: Some(since),
            until: Some(until),
        }
    }
}

/// An expression found in a query.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Where it stands in the query, in bytes.
    pub range: Range<usize>,
    /// The days it means.
    pub span: Span,
}

/// The expression that stands first in a query, with its prepositions; ranges are in bytes of the
/// query.
pub fn find(query: &str, today: NaiveDate) -> Option<Found> {
    let words = words_of(query);
    let mut start = 0;
    while start < words.len() {
        let reader = Reader {
            words: &words,
            at: start,
            today,
        };
        if let Some((used, span)) = reader.expression()
            && used > start
        {
            let first = words.get(start)?.range.start;
            let last = words.get(used - 1)?.range.end;
            if within_name(query, &(first..last)) {
                // Nor is what is left of the name.
                let end = query.get(last..).map_or(last, |rest| {
                    last + rest.find(char::is_whitespace).unwrap_or(rest.len())
                });
                start = words.partition_point(|word| word.range.start < end);
                continue;
            }
            if reader.recurs(used) {
                start = used;
                continue;
            }
            return Some(Found {
                range: first..last,
                span,
            });
        }
        start += 1;
    }
    None
}

/// Whether what looks like a date is a part of a name: of a file (`yesterday.js`), a branch
/// (`release-2026-10-06`), a call (`today()`), a site (`monday.com`); or the time in a line of a log.
fn within_name(query: &str, range: &Range<usize>) -> bool {
    let before = query.get(..range.start).unwrap_or_default();
    let after = query.get(range.end..).unwrap_or_default();
    // Korean and Chinese are written together with what stands beside them.
    let named = query.get(range.clone()).unwrap_or_default();
    let latin = |c: Option<char>| c.is_some_and(|c| c.is_ascii());
    let (opens, closes) = (
        latin(named.chars().next()),
        latin(named.chars().next_back()),
    );
    if before.ends_with("::")
        || before
            .ends_with(|c: char| "_-./\\@#$%=&+~".contains(c) || opens && c.is_ascii_alphanumeric())
    {
        return true;
    }
    let mut next = after.chars();
    match next.next() {
        Some('_' | '@' | '\\' | '=') => return true,
        Some('(') => return closes,
        Some('.' | '-' | '/' | ':') => {
            return next.next().is_some_and(char::is_alphanumeric);
        }
        Some('\'' | '’') => return named.eq_ignore_ascii_case("today"),
        Some(c) if closes && c.is_ascii_alphanumeric() => return true,
        _ => {}
    }
    // `2026-10-06 09:07:12 ERROR ...`
    let clock = after.trim_start().as_bytes();
    clock.len() >= 8
        && clock.iter().take(8).enumerate().all(|(at, b)| match at {
            2 | 5 => *b == b':',
            _ => b.is_ascii_digit(),
        })
}

/// The days of an option's value (`--since`): an ISO date, `3d`, `2w`, or any expression.
pub fn parse(text: &str, today: NaiveDate) -> Option<Span> {
    let text = text.trim();
    if let Ok(day) = text.parse::<NaiveDate>() {
        return Some(Span::days(day, day));
    }
    if let Some(day) = ago(text, today) {
        return Some(Span::days(day, day));
    }
    let found = find(text, today)?;
    (found.range == (0..text.len())).then_some(found.span)
}

/// The day that lies `3d`, `2w`, `1m` or `1y` back.
fn ago(text: &str, today: NaiveDate) -> Option<NaiveDate> {
    let unit = text.chars().next_back()?;
    let count: u32 = text.strip_suffix(unit)?.parse().ok()?;
    match unit.to_ascii_lowercase() {
        'd' => today.checked_sub_days(Days::new(count.into())),
        'w' => today.checked_sub_days(Days::new(u64::from(count) * 7)),
        'm' => today.checked_sub_months(Months::new(count)),
        'y' => today.checked_sub_months(Months::new(count.checked_mul(12)?)),
        _ => None,
    }
}

#[derive(Debug)]
struct Word {
    text: String,
    range: Range<usize>,
}

/// Runs of letters, of digits, and single signs; Hangul and Han apart from the rest.
fn words_of(text: &str) -> Vec<Word> {
    #[derive(PartialEq, Clone, Copy)]
    enum Class {
        Digit,
        Letter(words::Script),
        Sign,
    }
    let mut out: Vec<(Class, Range<usize>)> = Vec::new();
    for (at, c) in text.char_indices() {
        let class = if c.is_ascii_digit() {
            Class::Digit
        } else if c.is_whitespace() {
            continue;
        } else {
            match words::script(c) {
                words::Script::None => Class::Sign,
                script => Class::Letter(script),
            }
        };
        let end = at + c.len_utf8();
        match out.last_mut() {
            Some((last, range)) if *last == class && class != Class::Sign && range.end == at => {
                range.end = end;
            }
            _ => out.push((class, at..end)),
        }
    }
    let mut pieces: Vec<(Range<usize>, Option<u32>)> = Vec::new();
    for (index, (class, range)) in out.iter().enumerate() {
        let numbered = index
            .checked_sub(1)
            .and_then(|before| out.get(before))
            .is_some_and(|(before, at)| *before == Class::Digit && at.end == range.start);
        match class {
            Class::Letter(words::Script::Hangul) => {
                unglue(text, range.clone(), numbered, &mut pieces);
            }
            Class::Letter(words::Script::Han) => {
                chinese(text, range.clone(), numbered, &mut pieces);
            }
            _ => pieces.push((range.clone(), None)),
        }
    }
    pieces
        .into_iter()
        .filter_map(|(range, number)| {
            Some(Word {
                text: match number {
                    Some(number) => number.to_string(),
                    None => words::fold(text.get(range.clone())?).into_owned(),
                },
                range,
            })
        })
        .collect()
}

/// Cuts off what bounds a time and is written together with it: `일부터`, `어제까지`.
fn unglue(
    text: &str,
    range: Range<usize>,
    numbered: bool,
    out: &mut Vec<(Range<usize>, Option<u32>)>,
) {
    const BEHIND: [&str; 6] = ["부터", "까지", "이후", "이전", "이래", "에서"];
    let word = text.get(range.clone()).unwrap_or_default();
    for end in BEHIND {
        if let Some(head) = word.strip_suffix(end)
            && !head.is_empty()
            && (end != "에서" || numbered)
        {
            let cut = range.start + head.len();
            out.extend([(range.start..cut, None), (cut..range.end, None)]);
            return;
        }
    }
    out.push((range, None));
}

/// Chinese has no spaces: a run is cut where something in it may be a time. Numbers in words are
/// read (`三天前`, `十月`).
fn chinese(
    text: &str,
    range: Range<usize>,
    numbered: bool,
    out: &mut Vec<(Range<usize>, Option<u32>)>,
) {
    let mut at = range.start;
    let mut plain = at;
    // Whether what stands right before is a part of a time, and whether it is a month.
    let mut time = numbered;
    let mut month = false;
    let mut number = numbered;
    while at < range.end {
        let rest = text.get(at..range.end).unwrap_or_default();
        let before = text.get(range.start..at).unwrap_or_default();
        // What stands here, its bytes, and the number that it is.
        let (length, count, is_month) = if number && let Some(unit) = chinese_unit(rest) {
            (unit.len(), None, unit.starts_with('月'))
        } else if time && let Some(bound) = chinese_bound(rest, month) {
            (bound.len(), None, false)
        } else if let Some((length, count)) = chinese_number(rest)
            && !before.ends_with(['第', '每'])
            && rest.get(length..).and_then(chinese_unit).is_some()
        {
            (length, Some(count), false)
        } else {
            (chinese_time(before, rest).unwrap_or(0), None, false)
        };
        if length == 0 {
            at += rest.chars().next().map_or(1, char::len_utf8);
            (time, month, number) = (false, false, false);
            continue;
        }
        if plain < at {
            out.push((plain..at, None));
        }
        out.push((at..at + length, count));
        at += length;
        plain = at;
        (time, month, number) = (true, is_month, count.is_some());
    }
    if plain < range.end {
        out.push((plain..range.end, None));
    }
}

fn chinese_unit(rest: &str) -> Option<&'static str> {
    [
        "个星期",
        "个礼拜",
        "个季度",
        "个月",
        "星期",
        "礼拜",
        "季度",
        "月份",
        "周",
        "天",
        "日",
        "号",
        "月",
        "年",
    ]
    .into_iter()
    .find(|unit| rest.starts_with(unit))
}

/// What may stand right behind a time; not where it begins another word (`前端`, `中国`).
fn chinese_bound(rest: &str, month: bool) -> Option<&'static str> {
    const BOUNDS: [(&str, &str); 18] = [
        ("以后", ""),
        ("之后", ""),
        ("以来", ""),
        ("以前", ""),
        ("之前", ""),
        ("为止", ""),
        ("早上", ""),
        ("上午", ""),
        ("中午", ""),
        ("下午", ""),
        ("晚上", ""),
        ("凌晨", ""),
        ("到", ""),
        ("至", "少今于"),
        ("起", "来草步点"),
        ("前", "端后面提缀往置言沿景台缘者"),
        ("的", "确士"),
        ("内", "存容部网核"),
    ];
    const THIRDS: [(&str, &str); 7] = [
        ("上旬", ""),
        ("中旬", ""),
        ("下旬", ""),
        ("初", "始级次学衷步"),
        ("中", "国文心午间途断"),
        ("底", "层部座线"),
        ("末", "尾"),
    ];
    let fits = |(bound, not): &&(&'static str, &str)| {
        rest.strip_prefix(bound)
            .is_some_and(|tail| !tail.starts_with(|c| not.contains(c)))
    };
    if month && let Some((third, _)) = THIRDS.iter().find(fits) {
        return Some(third);
    }
    BOUNDS.iter().find(fits).map(|(bound, _)| *bound)
}

/// A number up to 99 in words: its bytes and what it is.
fn chinese_number(rest: &str) -> Option<(usize, u32)> {
    let digit = |c: char| {
        "一二三四五六七八九"
            .chars()
            .position(|other| other == c)
            .and_then(|at| u32::try_from(at + 1).ok())
            .or((c == '两').then_some(2))
    };
    let (mut tens, mut ones, mut length) = (None, None, 0);
    for c in rest.chars() {
        match (c, digit(c)) {
            ('十', _) if tens.is_none() => tens = Some(ones.take().unwrap_or(1)),
            (_, Some(value)) if ones.is_none() => ones = Some(value),
            _ => break,
        }
        length += c.len_utf8();
    }
    let count = 10 * tens.unwrap_or(0) + ones.unwrap_or(0);
    (length > 0).then_some((length, count))
}

/// The bytes of a time that begins here.
fn chinese_time(before: &str, rest: &str) -> Option<usize> {
    const WEEKS: [&str; 12] = [
        "上上个星期",
        "上个星期",
        "这个星期",
        "上个礼拜",
        "这个礼拜",
        "上上周",
        "上星期",
        "本星期",
        "上礼拜",
        "上周",
        "本周",
        "这周",
    ];
    const OTHERS: [&str; 23] = [
        "上上个月",
        "上个季度",
        "这个季度",
        "上个月",
        "这个月",
        "上季度",
        "本季度",
        "上上月",
        "大前天",
        "上月",
        "本月",
        "今天",
        "昨天",
        "前天",
        "今早",
        "今晚",
        "昨晚",
        "去年",
        "前年",
        "今年",
        "最近",
        "过去",
        "自从",
    ];
    const WEEKDAY: [char; 8] = ['一', '二', '三', '四', '五', '六', '日', '天'];
    // `上周一次` is `last week`, `周一次` no day.
    let weekday = |tail: &str| {
        let mut tail = tail.chars();
        tail.next()
            .filter(|c| WEEKDAY.contains(c) && !tail.as_str().starts_with(['次', '个', '起', '遍']))
            .map_or(0, char::len_utf8)
    };
    for week in WEEKS {
        if let Some(tail) = rest.strip_prefix(week) {
            // `本周期`, `上周边` are other words.
            if week.ends_with('周') && tail.starts_with(['期', '边', '围', '岁', '转']) {
                return None;
            }
            return Some(week.len() + weekday(tail));
        }
    }
    for other in OTHERS {
        if rest.starts_with(other) {
            let another = other.starts_with('前') && before.ends_with(['以', '之', '目', '日']);
            return (!another).then_some(other.len());
        }
    }
    for head in ["星期", "礼拜", "周"] {
        if let Some(tail) = rest.strip_prefix(head) {
            let day = weekday(tail);
            let counted = before.ends_with(['一', '两', '几', '多', '四']);
            return (day > 0 && !counted).then_some(head.len() + day);
        }
    }
    None
}

const MONTHS: [&[&str]; 12] = [
    &["january", "jan", "januar", "janner"],
    &["february", "feb", "februar"],
    &["march", "mar", "marz", "märz", "maerz"],
    &["april", "apr"],
    &["may", "mai"],
    &["june", "jun", "juni"],
    &["july", "jul", "juli"],
    &["august", "aug"],
    &["september", "sep", "sept"],
    &["october", "oct", "oktober", "okt"],
    &["november", "nov"],
    &["december", "dec", "dezember", "dez"],
];

const WEEKDAYS: [(&[&str], Weekday); 7] = [
    (
        &["monday", "montag", "월요일", "周一", "星期一", "礼拜一"],
        Weekday::Mon,
    ),
    (
        &["tuesday", "dienstag", "화요일", "周二", "星期二", "礼拜二"],
        Weekday::Tue,
    ),
    (
        &[
            "wednesday",
            "mittwoch",
            "수요일",
            "周三",
            "星期三",
            "礼拜三",
        ],
        Weekday::Wed,
    ),
    (
        &[
            "thursday",
            "donnerstag",
            "목요일",
            "周四",
            "星期四",
            "礼拜四",
        ],
        Weekday::Thu,
    ),
    (
        &["friday", "freitag", "금요일", "周五", "星期五", "礼拜五"],
        Weekday::Fri,
    ),
    (
        &[
            "saturday",
            "samstag",
            "sonnabend",
            "토요일",
            "周六",
            "星期六",
            "礼拜六",
        ],
        Weekday::Sat,
    ),
    (
        &[
            "sunday",
            "sonntag",
            "일요일",
            "周日",
            "星期日",
            "星期天",
            "礼拜天",
        ],
        Weekday::Sun,
    ),
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Unit {
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Third {
    Early,
    Middle,
    Late,
}

struct Reader<'a> {
    words: &'a [Word],
    at: usize,
    today: NaiveDate,
}

/// How many days, weeks ... back, from what the expression says.
type Step = Option<(usize, Span)>;

impl Reader<'_> {
    fn word(&self, ahead: usize) -> &str {
        self.words
            .get(self.at + ahead)
            .map_or("", |word| word.text.as_str())
    }

    fn is(&self, ahead: usize, any: &[&str]) -> bool {
        any.contains(&self.word(ahead))
    }

    fn glued(&self, ahead: usize) -> bool {
        match (
            self.words.get(self.at + ahead),
            self.words.get(self.at + ahead + 1),
        ) {
            (Some(a), Some(b)) => a.range.end == b.range.start,
            _ => false,
        }
    }

    /// Whether a letter, a digit, or a full stop stands right before.
    fn follows_glued(&self) -> bool {
        let (Some(before), Some(here)) = (
            self.at.checked_sub(1).and_then(|at| self.words.get(at)),
            self.words.get(self.at),
        ) else {
            return false;
        };
        before.range.end == here.range.start
            && before
                .text
                .ends_with(|c: char| c.is_alphanumeric() || c == '.')
    }

    /// Whether a day that comes again or is still to come is meant: `every friday`, `매주 월요일`,
    /// `jeden Montag`, `下周五`. `end` is the index behind it.
    fn recurs(&self, end: usize) -> bool {
        const AGAIN: &[&str] = &[
            "every",
            "each",
            "per",
            "other",
            "jede",
            "jeden",
            "jeder",
            "jedem",
            "jedes",
            "pro",
            "alle",
            "매주",
            "매월",
            "매달",
            "매년",
            "매",
            "격주",
            "격월",
            "next",
            "coming",
            "nachste",
            "nachsten",
            "nachster",
            "nächste",
            "nächsten",
            "nächster",
            "kommende",
            "kommenden",
            "다음",
            "다음주",
            "다음달",
            "내년",
            "明年",
        ];
        let word = |back: usize| {
            self.at
                .checked_sub(back)
                .and_then(|at| self.words.get(at))
                .map_or("", |word| word.text.as_str())
        };
        // `다음 주 월요일`
        let before = if unit(word(1)).is_some() {
            word(2)
        } else {
            word(1)
        };
        let marked = AGAIN.contains(&before)
            || before.ends_with(['每', '下'])
            || before.ends_with("每个")
            || before.ends_with("下个");
        // `by friday` is still to come.
        let ahead = self.is(0, &["by"]) && weekday(self.word(1)).is_some();
        let behind = self.words.get(end).is_some_and(|word| word.text == "마다");
        marked || ahead || behind
    }

    fn from(&self, ahead: usize) -> Reader<'_> {
        Reader {
            words: self.words,
            at: self.at + ahead,
            today: self.today,
        }
    }

    /// An expression with what stands before and after it. Gives the index behind it.
    #[allow(
        clippy::too_many_lines,
        reason = "a list of ways to say it, in the order they are tried"
    )]
    fn expression(&self) -> Step {
        if let Some(step) = self.stretch_between() {
            return Some(step);
        }
        if self.is(
            0,
            &[
                "since", "seit", "ab", "after", "nach", "from", "von", "vom", "从", "自",
            ],
        ) {
            let article = usize::from(
                self.is(1, &["dem", "der", "the", "last"])
                    && !self.is(2, &["week", "month", "year"]),
            );
            if let Some((end, span)) = self
                .from(1)
                .moment()
                .or_else(|| self.from(1 + article).moment())
            {
                let rest = self.from(end - self.at);
                if self.is(0, &["from", "von", "vom", "从"]) {
                    if rest.is(0, &["to", "until", "till", "bis", "到", "至"])
                        && let Some((end, last)) = rest.from(1).moment()
                    {
                        return Some((
                            end,
                            Span {
                                since: span.since,
                                until: last.until,
                            },
                        ));
                    }
                    if self.is(0, &["from", "von", "vom"]) {
                        return Some((end, span));
                    }
                }
                let end = end + usize::from(rest.is(0, &["以来", "起", "以后", "之后"]));
                return Some((
                    end,
                    Span {
                        since: span.since,
                        until: Some(self.today),
                    },
                ));
            }
        }
        if self.is(0, &["before", "until", "till", "by", "vor", "bis"])
            && let Some((end, span)) = self.from(1).moment().or_else(|| {
                self.is(1, &["dem", "den", "der", "zum", "zur", "the"])
                    .then(|| self.from(2).moment())
                    .flatten()
            })
        {
            let until = if self.is(0, &["before", "vor"]) {
                span.since
                    .and_then(|day| day.checked_sub_days(Days::new(1)))
            } else {
                span.until
            };
            return Some((end, Span { since: None, until }));
        }
        if self.is(0, &["between", "zwischen"])
            && let Some((end, first)) = self.from(1).moment()
        {
            let rest = self.from(end - self.at);
            if rest.is(0, &["and", "und"])
                && let Some((end, last)) = rest.from(1).moment()
            {
                return Some((
                    end,
                    Span {
                        since: first.since,
                        until: last.until,
                    },
                ));
            }
        }
        let leading = usize::from(self.is(
            0,
            &[
                "in", "im", "on", "am", "during", "aus", "around", "of", "der", "den", "the",
                "within",
            ],
        ));
        let mut step = self.moment();
        if step.is_none() && leading > 0 {
            step = self.from(leading).moment();
            if step.is_none() && self.is(1, &["the", "den", "der", "dem"]) {
                step = self.from(2).moment();
            }
        }
        let (end, span) = step?;
        let rest = self.from(end - self.at);
        // Korean and Chinese say it behind.
        let since = ["부터", "이후", "이래", "以来", "以后", "之后", "起"];
        let until = ["까지", "이전", "之前", "以前", "为止"];
        if rest.is(0, &since) || rest.is(0, &["이후로", "이후에"]) {
            let after = rest.from(1);
            if let Some((end, last)) = after.moment()
                && self.from(end - self.at).is(0, &until)
            {
                return Some((
                    end + 1,
                    Span {
                        since: span.since,
                        until: last.until,
                    },
                ));
            }
            return Some((
                end + 1,
                Span {
                    since: span.since,
                    until: Some(self.today),
                },
            ));
        }
        if rest.is(0, &["까지"]) {
            return Some((
                end + 1,
                Span {
                    since: None,
                    until: span.until,
                },
            ));
        }
        if rest.is(0, &["이전", "이전에", "전", "전에", "之前", "以前", "前"])
            && span.since != Some(self.today)
        {
            return Some((
                end + 1,
                Span {
                    since: None,
                    until: span
                        .since
                        .and_then(|day| day.checked_sub_days(Days::new(1))),
                },
            ));
        }
        let particle = rest.is(0, &["에", "에는", "의", "에서", "은", "는", "에도", "的"])
            && rest.at > 0
            && self.from(end - self.at - 1).glued(0);
        Some((end + usize::from(particle), span))
    }

    /// From one day to another, where one may lack its month: `zwischen 1. und 3. Oktober`,
    /// `October 1-3`, `10월 1일부터 3일까지`, `10月1日到3日`.
    fn stretch_between(&self) -> Step {
        const BETWEEN: &[&str] = &["between", "zwischen", "from", "von", "vom", "从"];
        const JOINTS: &[&str] = &[
            "to", "until", "till", "through", "bis", "-", "–", "—", "~", "～", "到", "至", "부터",
            "에서",
        ];
        let opened = self.is(0, BETWEEN);
        let mut start = self.from(usize::from(opened));
        if opened && start.is(0, &["dem", "den", "the"]) {
            start = self.from(2);
        }
        let joint = |reader: &Reader<'_>| {
            reader.is(0, JOINTS) || opened && reader.is(0, &["and", "und", "zum"])
        };
        let behind = |end: usize| {
            let reader = self.from(end - self.at);
            let joined = 1 + usize::from(reader.is(1, &["dem", "den", "zum", "the"]));
            joint(&reader).then(|| self.from(end - self.at + joined))
        };
        let (end, since, until) = if let Some((end, first)) = start.named() {
            let since = first.since?;
            let last = behind(end)?;
            // The day alone goes before a whole date only where no month follows it.
            if let Some((end, span)) = last.named() {
                (end, since, span.until?)
            } else if first.since == first.until {
                let (end, day) = last.day_alone()?;
                (end, since, since.with_day(day)?)
            } else {
                return None;
            }
        } else {
            let (end, day) = start.day_alone()?;
            let (end, span) = behind(end)?.named()?;
            let until = span.until.filter(|_| span.since == span.until)?;
            (end, until.with_day(day)?, until)
        };
        let used = end + usize::from(self.from(end - self.at).is(0, &["까지", "为止"]));
        (since <= until).then_some((used, Span::days(since, until)))
    }

    /// A day of a month that is named elsewhere: `1.`, `3rd`, `3일`.
    fn day_alone(&self) -> Option<(usize, u32)> {
        let day = ordinal(self.word(0))?;
        let signed = self.glued(0) && self.is(1, &[".", "st", "nd", "rd", "th", "일", "日", "号"]);
        // `10-3` behind a date, or `3.5`, is something else.
        let end = self.at + 1 + usize::from(signed);
        let number = |ahead: usize| self.word(ahead).starts_with(|c: char| c.is_ascii_digit());
        (!(signed && self.glued(1) && number(2))).then_some((end, day))
    }

    /// A day, a week, a month ... without what stands around it.
    fn moment(&self) -> Step {
        self.day_word()
            .or_else(|| self.unit_word())
            .or_else(|| self.counted())
            .or_else(|| self.named())
            .or_else(|| self.year_alone())
            .or_else(|| self.day_of_month())
    }

    /// `2025년`, `im Jahr 2025`, `in 2025`.
    fn year_alone(&self) -> Step {
        const BEFORE: &[&str] = &[
            "in", "im", "since", "seit", "during", "until", "till", "bis", "before", "vor",
            "after", "nach", "from", "von", "ab",
        ];
        if self.is(0, &["jahr", "year"])
            && let Some(year) = self.year_at(1)
        {
            return Some((self.at + 2, self.whole_year(year)?));
        }
        let year = self.year_at(0)?;
        if self.follows_glued() {
            return None;
        }
        if self.glued(0) && matches!(strip_particle(self.word(1)), "년" | "년도" | "年") {
            return Some((self.at + 2, self.whole_year(year)?));
        }
        let before = self
            .at
            .checked_sub(1)
            .and_then(|at| self.words.get(at))
            .map_or("", |word| word.text.as_str());
        // `in 2000 steps`, `in 2048 bytes` are numbers.
        let plausible = (2001..=self.today.year()).contains(&year);
        (plausible && BEFORE.contains(&before))
            .then(|| self.whole_year(year))
            .flatten()
            .map(|span| (self.at + 1, span))
    }

    fn whole_year(&self, year: i32) -> Option<Span> {
        let first = NaiveDate::from_ymd_opt(year, 1, 1)?;
        let last = NaiveDate::from_ymd_opt(year, 12, 31)?;
        Some(Span::days(first, last.min(self.today).max(first)))
    }

    /// The last day of this number: `20일에`, `on the 20th`, `am 20.`, `20号`.
    fn day_of_month(&self) -> Step {
        let day = ordinal(self.word(0))?;
        if !self.glued(0) || self.follows_glued() {
            return None;
        }
        let before = self
            .at
            .checked_sub(1)
            .and_then(|at| self.words.get(at))
            .map_or("", |word| word.text.as_str());
        // `on the 2nd attempt` is no day; `on the 20th` is.
        let alone = day > 12 || self.words.get(self.at + 2).is_none();
        let fits = match self.word(1) {
            "일에" | "일날" | "号" => true,
            "일" => self.is(2, &["부터", "까지", "이후", "이전"]),
            "st" | "nd" | "rd" | "th" => {
                alone && matches!(before, "the" | "on" | "since" | "until")
            }
            "." => {
                alone && matches!(before, "am" | "dem" | "seit" | "vom" | "zum") && !self.glued(1)
            }
            _ => false,
        };
        if !fits {
            return None;
        }
        let mut first = self.today.with_day(1)?;
        loop {
            if let Some(found) = first.with_day(day)
                && found <= self.today
            {
                return Some((self.at + 2, Span::days(found, found)));
            }
            first = first.checked_sub_months(Months::new(1))?;
        }
    }

    #[allow(clippy::unnecessary_wraps, reason = "a step like the others")]
    fn one(&self, span: Span) -> Step {
        Some((self.at + 1, span))
    }

    fn back(&self, days: u64) -> NaiveDate {
        self.today
            .checked_sub_days(Days::new(days))
            .unwrap_or(self.today)
    }

    fn day_word(&self) -> Step {
        let word = strip_particle(self.word(0));
        let day = |back: u64| Span::days(self.back(back), self.back(back));
        if self.is(0, &["day"]) && self.is(1, &["before"]) && self.is(2, &["yesterday"]) {
            return Some((self.at + 3, day(2)));
        }
        if self.is(0, &["this"]) && self.is(1, &["morning", "afternoon", "evening"]) {
            return Some((self.at + 2, day(0)));
        }
        if self.is(0, &["last"]) && self.is(1, &["night"]) {
            return Some((self.at + 2, day(1)));
        }
        let span = match word {
            "today" | "tonight" | "heute" | "오늘" | "今天" | "今早" | "今晚" => day(0),
            "yesterday" | "gestern" | "어제" | "昨天" | "昨晚" => day(1),
            "vorgestern" | "그제" | "그저께" | "엊그제" | "前天" => day(2),
            "大前天" => day(3),
            _ => return self.chinese_head(),
        };
        let hour = matches!(
            strip_particle(self.word(1)),
            "morning"
                | "afternoon"
                | "evening"
                | "night"
                | "morgen"
                | "fruh"
                | "früh"
                | "vormittag"
                | "mittag"
                | "nachmittag"
                | "abend"
                | "nacht"
                | "새벽"
                | "아침"
                | "오전"
                | "점심"
                | "오후"
                | "저녁"
                | "밤"
                | "早上"
                | "上午"
                | "中午"
                | "下午"
                | "晚上"
                | "凌晨"
        );
        Some((self.at + 1 + usize::from(hour), span))
    }

    fn chinese_head(&self) -> Step {
        let word = self.word(0);
        let span = match word {
            "上上个月" | "上上月" => self.month(2),
            "上个月" | "上月" => self.month(1),
            "这个月" | "本月" => self.month(0),
            "上个季度" | "上季度" => self.whole(Unit::Quarter, 1),
            "这个季度" | "本季度" => self.whole(Unit::Quarter, 0),
            "前年" => self.year(2),
            "去年" => self.year(1),
            "今年" => self.year(0),
            _ => {
                let (back, tail) = [
                    ("上上个星期", 2),
                    ("上上周", 2),
                    ("上个星期", 1),
                    ("上个礼拜", 1),
                    ("上星期", 1),
                    ("上礼拜", 1),
                    ("上周", 1),
                    ("这个星期", 0),
                    ("这个礼拜", 0),
                    ("本星期", 0),
                    ("本周", 0),
                    ("这周", 0),
                ]
                .iter()
                .find_map(|(head, back)| Some((*back, word.strip_prefix(head)?)))?;
                let week = self.week(back);
                if tail.is_empty() {
                    week
                } else {
                    let day = weekday(&format!("周{}", if tail == "天" { "日" } else { tail }))?;
                    let ahead = u64::from(day.num_days_from_monday());
                    let day = week.since?.checked_add_days(Days::new(ahead))?;
                    Span::days(day, day)
                }
            }
        };
        self.one(span)
    }

    fn week(&self, back: u64) -> Span {
        let monday = self.back(u64::from(self.today.weekday().num_days_from_monday()) + 7 * back);
        let sunday = monday.checked_add_days(Days::new(6)).unwrap_or(monday);
        Span::days(monday, if back == 0 { self.today } else { sunday })
    }

    fn month(&self, back: u32) -> Span {
        let first = self.today.with_day(1).unwrap_or(self.today);
        let first = first.checked_sub_months(Months::new(back)).unwrap_or(first);
        Span::days(first, end_of_month(first).min(self.today))
    }

    fn year(&self, back: i32) -> Span {
        let year = self.today.year() - back;
        let day = |month, day| NaiveDate::from_ymd_opt(year, month, day).unwrap_or(self.today);
        Span::days(day(1, 1), day(12, 31).min(self.today))
    }

    fn whole(&self, unit: Unit, back: u32) -> Span {
        match unit {
            Unit::Day => Span::days(self.back(u64::from(back)), self.back(u64::from(back))),
            Unit::Week => self.week(u64::from(back)),
            Unit::Month => self.month(back),
            Unit::Quarter => {
                let into = self.today.month0() % 3;
                let first = self.month(into + 3 * back).since.unwrap_or(self.today);
                let last = first.checked_add_months(Months::new(2)).unwrap_or(first);
                Span::days(first, end_of_month(last).min(self.today))
            }
            Unit::Year => self.year(i32::try_from(back).unwrap_or(0)),
        }
    }

    /// `last week`, `diesen Monat`, `지난주`, `이번 달`.
    fn unit_word(&self) -> Step {
        const LAST: &[&str] = &[
            "last",
            "past",
            "previous",
            "letzte",
            "letzten",
            "letzter",
            "letztem",
            "letztes",
            "vorige",
            "vorigen",
            "voriger",
            "voriges",
            "vergangene",
            "vergangenen",
            "vergangener",
            "vergangenes",
            "지난",
            "저번",
        ];
        const THIS: &[&str] = &[
            "this", "current", "diese", "diesen", "dieser", "diesem", "dieses", "이번",
        ];
        let word = strip_particle(self.word(0));
        match word {
            "지난주" | "저번주" => return self.one(self.week(1)),
            "지지난주" | "저저번주" => return self.one(self.week(2)),
            "이번주" | "금주" => return self.one(self.week(0)),
            "지난달" | "저번달" => return self.one(self.month(1)),
            "이번달" | "이달" => return self.one(self.month(0)),
            "올해" => return self.one(self.year(0)),
            "작년" | "지난해" => return self.one(self.year(1)),
            "재작년" => return self.one(self.whole(Unit::Year, 2)),
            _ => {}
        }
        // `the week before last`
        if let Some(unit) = unit(word)
            && unit != Unit::Day
            && self.is(1, &["before"])
            && self.is(2, &["last"])
        {
            return Some((self.at + 3, self.whole(unit, 2)));
        }
        let back = if LAST.contains(&word) {
            1
        } else if THIS.contains(&word) {
            0
        } else if word == "지지난" || word.starts_with("vorletzte") {
            2
        } else {
            return None;
        };
        if let Some(unit) = unit(strip_particle(self.word(1)))
            && unit != Unit::Day
        {
            return Some((self.at + 2, self.whole(unit, back)));
        }
        if back == 1
            && let Some(day) = weekday(self.word(1))
        {
            return Some((self.at + 2, self.last_weekday(day)));
        }
        // `last October`: the last one.
        if back == 1 && month(self.word(1)).is_some() {
            return self.from(1).named();
        }
        None
    }

    fn last_weekday(&self, day: Weekday) -> Span {
        let back =
            (7 + self.today.weekday().num_days_from_monday() - day.num_days_from_monday()) % 7;
        let back = if back == 0 { 7 } else { back };
        let day = self.back(u64::from(back));
        Span::days(day, day)
    }

    /// `3 days ago`, `last two weeks`, `vor 3 Tagen`, `der letzten zwei Wochen`, `3일 전`, `最近3天`.
    fn counted(&self) -> Step {
        const LAST: &[&str] = &[
            "last",
            "past",
            "letzten",
            "letzte",
            "vergangenen",
            "vergangene",
            "최근",
            "지난",
            "最近",
            "过去",
        ];
        if LAST.contains(&self.word(0)) {
            if let Some(count) = number(self.word(1))
                && let Some((unit, rest)) = unit_head(self.word(2))
            {
                let _ = rest;
                return Some((self.at + 3, self.stretch(unit, count)));
            }
            if let Some((count, unit)) = korean_count(self.word(1)) {
                return Some((self.at + 2, self.stretch(unit, count)));
            }
        }
        // `vor 3 Tagen`, `seit 3 Tagen` (the caller has taken `seit`).
        if self.is(0, &["vor"])
            && let Some(count) = number(self.word(1))
            && let Some(unit) = unit(self.word(2))
        {
            return Some((self.at + 3, self.whole(unit, count)));
        }
        if let Some(count) = number(self.word(0))
            && let Some((unit, rest)) = unit_head(self.word(1))
        {
            if matches!(rest, "전" | "전에" | "前") {
                return Some((self.at + 2, self.whole(unit, count)));
            }
            // `10月前` is before October.
            let month = self.is(1, &["月"]);
            if rest.is_empty()
                && !month
                && self.is(2, &["ago", "전", "전에", "前", "以前", "之前", "back"])
            {
                return Some((self.at + 3, self.whole(unit, count)));
            }
            // `seit 3 Tagen`, `since 2 weeks`.
            if rest.is_empty()
                && self.at > 0
                && matches!(
                    self.words.get(self.at - 1).map(|word| word.text.as_str()),
                    Some("seit" | "since")
                )
            {
                return Some((self.at + 2, self.stretch(unit, count)));
            }
        }
        if let Some((count, unit)) = korean_count(self.word(0))
            && self.is(1, &["전", "전에"])
        {
            return Some((self.at + 2, self.whole(unit, count)));
        }
        if self.is(0, &["한"]) && self.is(1, &["달", "주"]) && self.is(2, &["전", "전에"]) {
            return Some((self.at + 3, self.whole(unit(self.word(1))?, 1)));
        }
        None
    }

    /// The last so many units up to today.
    fn stretch(&self, unit: Unit, count: u32) -> Span {
        let since = match unit {
            Unit::Day => self.back(u64::from(count)),
            Unit::Week => self.back(u64::from(count) * 7),
            Unit::Month => self
                .today
                .checked_sub_months(Months::new(count))
                .unwrap_or(self.today),
            Unit::Quarter => self
                .today
                .checked_sub_months(Months::new(count.saturating_mul(3)))
                .unwrap_or(self.today),
            Unit::Year => self
                .today
                .checked_sub_months(Months::new(count.saturating_mul(12)))
                .unwrap_or(self.today),
        };
        Span::days(since, self.today)
    }

    /// Days and months by name or number.
    fn named(&self) -> Step {
        self.iso()
            .or_else(|| self.third_first())
            .or_else(|| self.month_first())
            .or_else(|| self.day_first())
            .or_else(|| self.asian_month())
            .or_else(|| {
                let word = strip_particle(self.word(0));
                let day = weekday(word)?;
                self.one(self.last_weekday(day))
            })
    }

    /// `2026-10-05`, `2026-10`, `5.10.2026`, `5.10.`
    fn iso(&self) -> Step {
        let digits = |ahead: usize| self.word(ahead).parse::<u32>().ok();
        if self.word(0).len() == 4 && self.word(1) == "-" && self.glued(0) && self.glued(1) {
            let year = i32::try_from(digits(0)?).ok()?;
            let month = digits(2)?;
            if self.word(3) == "-" && self.glued(2) && self.glued(3) {
                let day = NaiveDate::from_ymd_opt(year, month, digits(4)?)?;
                return Some((self.at + 5, Span::days(day, day)));
            }
            let first = NaiveDate::from_ymd_opt(year, month, 1)?;
            return Some((self.at + 3, Span::days(first, end_of_month(first))));
        }
        if let Some(step) = self.year_first() {
            return Some(step);
        }
        if let Some(step) = self.slashed() {
            return Some(step);
        }
        if self.word(1) == "."
            && self.word(3) == "."
            && self.glued(0)
            && self.glued(1)
            && self.glued(2)
        {
            // `2.1.332`, `v1.2.3`, `1.2.3.4` are versions.
            let digit = |ahead| self.word(ahead).starts_with(|c: char| c.is_ascii_digit());
            let year = self.glued(3) && digit(4);
            let behind = if year { 5 } else { 4 };
            if self.follows_glued()
                || year && self.word(4).len() != 4
                || year && self.glued(4) && self.is(5, &["."]) && self.glued(5) && digit(6)
                || self.glued(behind - 1) && self.word(behind).starts_with(char::is_alphabetic)
            {
                return None;
            }
            let (day, month) = (digits(0)?, digits(2)?);
            if year {
                let year = i32::try_from(digits(4)?).ok()?;
                let day = NaiveDate::from_ymd_opt(year, month, day)?;
                return Some((self.at + 5, Span::days(day, day)));
            }
            let day = self.recent(month, Some(day))?;
            return Some((self.at + 4, Span::days(day, day)));
        }
        None
    }

    /// `2026/11/20`, `2026.11.20`, `2026. 11. 20.`
    fn year_first(&self) -> Step {
        let sign = self.word(1);
        let year = self.year_at(0)?;
        if !matches!(sign, "/" | ".") || self.word(3) != sign || !self.glued(0) || !self.glued(2) {
            return None;
        }
        let apart = !self.glued(1);
        if self.follows_glued() || self.glued(3) == apart || apart && sign != "." {
            return None;
        }
        let digits = |ahead: usize| self.word(ahead).parse::<u32>().ok();
        let day = NaiveDate::from_ymd_opt(year, digits(2)?, digits(4)?)?;
        let dot = sign == "." && self.glued(4) && self.is(5, &["."]);
        // `2026.11.20.4` is a version.
        let digit = self.word(6).starts_with(|c: char| c.is_ascii_digit());
        if dot && self.glued(5) && digit {
            return None;
        }
        Some((self.at + 5 + usize::from(dot), Span::days(day, day)))
    }

    /// `11/20`, `20/11`, `11/20/2026`: where only one can be the month. What counts something else
    /// (`11/20 tests`) is no day.
    fn slashed(&self) -> Step {
        const COUNTED: &[&str] = &[
            "tests",
            "test",
            "passed",
            "failed",
            "checks",
            "steps",
            "files",
            "items",
            "pages",
            "done",
            "points",
            "of",
            "개",
            "명",
            "건",
            "점",
            "통과",
            "실패",
            "성공",
            "个",
            "分",
            "bestanden",
        ];
        if self.word(1) != "/" || !self.glued(0) || !self.glued(1) || self.follows_glued() {
            return None;
        }
        let two = |ahead: usize| {
            let word = self.word(ahead);
            (word.len() <= 2)
                .then(|| word.parse::<u32>().ok())
                .flatten()
        };
        let (first, second) = (two(0)?, two(2)?);
        let (month, day) = match (first, second) {
            (1..=12, 13..=31) => (first, second),
            (13..=31, 1..=12) if self.word(2).len() == 2 => (second, first),
            _ => return None,
        };
        if self.glued(2) && self.is(3, &["/"]) && self.glued(3) {
            let year = self.year_at(4)?;
            let day = NaiveDate::from_ymd_opt(year, month, day)?;
            return Some((self.at + 5, Span::days(day, day)));
        }
        if COUNTED.contains(&self.word(3)) {
            return None;
        }
        let day = self.recent(month, Some(day))?;
        Some((self.at + 3, Span::days(day, day)))
    }

    /// The last day of this name that has begun, or the first of the month.
    fn recent(&self, month: u32, day: Option<u32>) -> Option<NaiveDate> {
        let of = |year: i32| NaiveDate::from_ymd_opt(year, month, day.unwrap_or(1));
        of(self.today.year())
            .filter(|day| *day <= self.today)
            .or_else(|| of(self.today.year() - 1))
    }

    fn span_of(&self, month: u32, year: Option<i32>, third: Option<Third>) -> Option<Span> {
        let first = match year {
            Some(year) => NaiveDate::from_ymd_opt(year, month, 1)?,
            None => self.recent(month, None)?,
        };
        let day = |day| first.with_day(day).unwrap_or(first);
        let end = end_of_month(first);
        Some(match third {
            None => Span::days(first, end),
            Some(Third::Early) => Span::days(first, day(10)),
            Some(Third::Middle) => Span::days(day(11), day(20)),
            Some(Third::Late) => Span::days(day(21), end),
        })
    }

    fn year_at(&self, ahead: usize) -> Option<i32> {
        let word = self.word(ahead);
        (word.len() == 4)
            .then(|| word.parse().ok())
            .flatten()
            .filter(|year| (1990..2100).contains(year))
    }

    /// `early October`, `Anfang Oktober`, `end of October`.
    fn third_first(&self) -> Step {
        let third = match self.word(0) {
            "early" | "anfang" | "beginning" | "start" => Third::Early,
            "mid" | "mitte" | "middle" => Third::Middle,
            "late" | "ende" | "end" => Third::Late,
            _ => return None,
        };
        let mut ahead = 1;
        while self.is(ahead, &["of", "des", "-", "in"]) {
            ahead += 1;
        }
        if let Some(month) = month(self.word(ahead)) {
            let year = self.year_at(ahead + 1);
            let used = ahead + 1 + usize::from(year.is_some());
            return Some((self.at + used, self.span_of(month, year, Some(third))?));
        }
        // `early this month`, `Anfang letzten Monats`, `end of last month`.
        let (end, span) = self.from(ahead).unit_word()?;
        let first = span.since.filter(|first| first.day() == 1)?;
        let day = |day| first.with_day(day).unwrap_or(first);
        let span = match third {
            Third::Early => Span::days(first, day(10)),
            Third::Middle => Span::days(day(11), day(20)),
            Third::Late => Span::days(day(21), end_of_month(first)),
        };
        Some((end, span))
    }

    /// `October`, `October 5th`, `October 2026`. Words that are also others (`may`, `march`) need
    /// something beside them.
    fn month_first(&self) -> Step {
        let month = month(self.word(0))?;
        let year = self.year_at(1);
        let after_preposition = self.at > 0
            && matches!(
                self.words.get(self.at - 1).map(|word| word.text.as_str()),
                Some(
                    "in" | "im"
                        | "since"
                        | "seit"
                        | "until"
                        | "bis"
                        | "before"
                        | "after"
                        | "from"
                        | "during"
                        | "last"
                        | "of"
                        | "to"
                        | "von"
                        | "ab"
                        | "and"
                        | "und"
                        | "by"
                )
            );
        if let Some(year) = year {
            return Some((self.at + 2, self.span_of(month, Some(year), None)?));
        }
        if let Some(day) = ordinal(self.word(1)).filter(|_| !self.is(2, &["."])) {
            let suffix = usize::from(self.glued(1) && self.is(2, &["st", "nd", "rd", "th"]));
            let mut used = 2 + suffix;
            let comma = usize::from(self.is(used, &[","]));
            let year = self.year_at(used + comma);
            if year.is_some() {
                used += comma + 1;
            }
            let day = match year {
                Some(year) => NaiveDate::from_ymd_opt(year, month, day)?,
                None => self.recent(month, Some(day))?,
            };
            return Some((self.at + used, Span::days(day, day)));
        }
        let unsure = matches!(
            self.word(0),
            "may" | "march" | "mar" | "jan" | "sep" | "dec" | "jun" | "mai" | "august"
        );
        (!unsure || after_preposition)
            .then(|| self.span_of(month, None, None))
            .flatten()
            .map(|span| (self.at + 1, span))
    }

    /// `5 October`, `5. Oktober 2026`, `5th of October`.
    fn day_first(&self) -> Step {
        let day = ordinal(self.word(0))?;
        let mut ahead = 1;
        while self.is(ahead, &[".", "st", "nd", "rd", "th", "of"]) {
            ahead += 1;
        }
        let month = month(self.word(ahead))?;
        let year = self.year_at(ahead + 1);
        let day = match year {
            Some(year) => NaiveDate::from_ymd_opt(year, month, day)?,
            None => self.recent(month, Some(day))?,
        };
        Some((
            self.at + ahead + 1 + usize::from(year.is_some()),
            Span::days(day, day),
        ))
    }

    /// `10월`, `10월 초`, `2026년 10월 5일`, `10月上旬`, `10月5日`.
    fn asian_month(&self) -> Step {
        if let Some(month) = korean_month(strip_particle(self.word(0))) {
            let third = third(self.word(1));
            let span = self.span_of(month, None, third)?;
            return Some((self.at + 1 + usize::from(third.is_some()), span));
        }
        let mut ahead = 0;
        let mut year = None;
        if let Some(found) = self.year_at(0)
            && self.glued(0)
            && self.is(1, &["년", "年"])
        {
            year = Some(found);
            ahead = 2;
        }
        let month = self
            .word(ahead)
            .parse::<u32>()
            .ok()
            .filter(|month| (1..=12).contains(month))?;
        if !self.glued(ahead) {
            return None;
        }
        let tail = self.word(ahead + 1);
        let rest = tail
            .strip_prefix('월')
            .or_else(|| tail.strip_prefix('月'))?;
        ahead += 2;
        if rest.is_empty()
            && let Some(day) = self
                .word(ahead)
                .parse::<u32>()
                .ok()
                .filter(|day| (1..=31).contains(day))
            && self.glued(ahead)
            && self.word(ahead + 1).starts_with(['일', '日', '号'])
        {
            let day = match year {
                Some(year) => NaiveDate::from_ymd_opt(year, month, day)?,
                None => self.recent(month, Some(day))?,
            };
            return Some((self.at + ahead + 2, Span::days(day, day)));
        }
        let behind = matches!(strip_particle(rest), "" | "中" | "份" | "월")
            || matches!(rest, "에" | "부터" | "까지" | "의" | "에는");
        let found = third(rest);
        if found.is_some() {
            return Some((self.at + ahead, self.span_of(month, year, found)?));
        }
        if !behind {
            return None;
        }
        if rest.is_empty()
            && let Some(found) = third(self.word(ahead))
        {
            return Some((self.at + ahead + 1, self.span_of(month, year, Some(found))?));
        }
        let span = self.span_of(month, year, None)?;
        let span = match rest {
            "부터" => Span {
                since: span.since,
                until: Some(self.today),
            },
            "까지" => Span {
                since: None,
                until: span.until,
            },
            _ => span,
        };
        Some((self.at + ahead, span))
    }
}

fn end_of_month(first: NaiveDate) -> NaiveDate {
    first
        .checked_add_months(Months::new(1))
        .and_then(|next| next.with_day(1))
        .and_then(|next| next.checked_sub_days(Days::new(1)))
        .unwrap_or(first)
}

/// A third of a month, as Korean and Chinese say it behind.
fn third(word: &str) -> Option<Third> {
    match strip_particle(word) {
        "초" | "초순" | "상순" | "초반" | "初" | "上旬" => Some(Third::Early),
        "중순" | "중반" | "중" | "中旬" | "中" => Some(Third::Middle),
        "하순" | "말" | "후반" | "말경" | "底" | "末" | "下旬" => Some(Third::Late),
        _ => None,
    }
}

/// Months that Korean writes out. `이월` and `일월` are other words too.
fn korean_month(word: &str) -> Option<u32> {
    Some(match word {
        "삼월" => 3,
        "사월" => 4,
        "오월" => 5,
        "유월" => 6,
        "칠월" => 7,
        "팔월" => 8,
        "구월" => 9,
        "시월" => 10,
        "십일월" => 11,
        "십이월" => 12,
        _ => return None,
    })
}

fn month(word: &str) -> Option<u32> {
    let index = MONTHS.iter().position(|names| names.contains(&word))?;
    u32::try_from(index + 1).ok()
}

fn weekday(word: &str) -> Option<Weekday> {
    WEEKDAYS
        .iter()
        .find(|(names, _)| names.contains(&word))
        .map(|(_, day)| *day)
}

fn ordinal(word: &str) -> Option<u32> {
    word.parse().ok().filter(|day| (1..=31).contains(day))
}

fn unit(word: &str) -> Option<Unit> {
    Some(match word {
        "day" | "days" | "tag" | "tage" | "tagen" | "일" | "天" | "日" => Unit::Day,
        "week" | "weeks" | "woche" | "wochen" | "주" | "주일" | "주간" | "周" | "星期"
        | "个星期" | "礼拜" | "个礼拜" => Unit::Week,
        "month" | "months" | "monat" | "monate" | "monaten" | "monats" | "달" | "개월" | "月"
        | "个月" => Unit::Month,
        "quarter" | "quarters" | "quartal" | "quartale" | "quartalen" | "quartals" | "분기"
        | "季度" | "个季度" => Unit::Quarter,
        "year" | "years" | "jahr" | "jahre" | "jahren" | "jahres" | "년" | "해" | "年" => {
            Unit::Year
        }
        _ => return None,
    })
}

/// A unit at the beginning of a word, and the rest of it (`일전`, `天前`).
fn unit_head(word: &str) -> Option<(Unit, &str)> {
    if let Some(unit) = unit(word) {
        return Some((unit, ""));
    }
    [
        "일",
        "주일",
        "주간",
        "주",
        "개월",
        "달",
        "년",
        "天",
        "周",
        "个月",
        "个星期",
        "年",
    ]
    .iter()
    .find_map(|head| {
        let rest = word.strip_prefix(head)?;
        let unit = if *head == "个星期" {
            Unit::Week
        } else {
            unit(head)?
        };
        matches!(rest, "전" | "전에" | "前" | "동안" | "간").then_some((unit, rest))
    })
}

fn number(word: &str) -> Option<u32> {
    if let Ok(count) = word.parse::<u32>() {
        return (1..=1000).contains(&count).then_some(count);
    }
    Some(match word {
        "a" | "an" | "one" | "ein" | "eine" | "einem" | "einer" | "einen" | "한" | "一" => 1,
        "two" | "zwei" | "couple" | "두" | "两" | "二" => 2,
        "three" | "drei" | "세" | "三" => 3,
        "four" | "vier" | "네" | "四" => 4,
        "five" | "funf" | "fünf" | "다섯" | "五" => 5,
        "six" | "sechs" | "여섯" | "六" => 6,
        "seven" | "sieben" | "일곱" | "七" => 7,
        "ten" | "zehn" | "열" | "十" => 10,
        _ => return None,
    })
}

/// Days that Korean counts with words of their own.
fn korean_count(word: &str) -> Option<(u32, Unit)> {
    Some(match word {
        "하루" => (1, Unit::Day),
        "이틀" => (2, Unit::Day),
        "사흘" => (3, Unit::Day),
        "나흘" => (4, Unit::Day),
        "일주일" => (1, Unit::Week),
        "보름" => (15, Unit::Day),
        "한달" => (1, Unit::Month),
        _ => return None,
    })
}

fn strip_particle(word: &str) -> &str {
    for particle in ["에는", "에서", "부터", "까지", "에", "의", "은", "는", "도"] {
        if let Some(rest) = word.strip_suffix(particle)
            && !rest.is_empty()
            && !matches!(particle, "부터" | "까지")
        {
            return rest;
        }
    }
    word
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(text: &str) -> NaiveDate {
        text.parse().unwrap()
    }

    #[test]
    #[allow(clippy::too_many_lines, reason = "a list")]
    fn expressions_of_four_languages() {
        // A Wednesday.
        let today = day("2026-10-14");
        for (query, since, until, rest) in [
            (
                "지난주 배포 실패 원인",
                "2026-10-05",
                "2026-10-11",
                " 배포 실패 원인",
            ),
            (
                "9월 하순 배포가 죽던 문제",
                "2026-09-21",
                "2026-09-30",
                " 배포가 죽던 문제",
            ),
            (
                "이번 주 배포 문제",
                "2026-10-12",
                "2026-10-14",
                " 배포 문제",
            ),
            (
                "flaky tests since October",
                "2026-10-01",
                "2026-10-14",
                "flaky tests ",
            ),
            (
                "redis incident in early September",
                "2026-09-01",
                "2026-09-10",
                "redis incident ",
            ),
            (
                "10월 초 레디스 문제",
                "2026-10-01",
                "2026-10-10",
                " 레디스 문제",
            ),
            (
                "DHL-Probleme der letzten zwei Wochen",
                "2026-09-30",
                "2026-10-14",
                "DHL-Probleme ",
            ),
            (
                "slow database queries last week",
                "2026-10-05",
                "2026-10-11",
                "slow database queries ",
            ),
            (
                "what broke yesterday",
                "2026-10-13",
                "2026-10-13",
                "what broke ",
            ),
            ("어제 고친 것", "2026-10-13", "2026-10-13", " 고친 것"),
            (
                "since Tuesday builds",
                "2026-10-13",
                "2026-10-14",
                " builds",
            ),
            (
                "letzte Woche Ausfall",
                "2026-10-05",
                "2026-10-11",
                " Ausfall",
            ),
            (
                "Ausfall Anfang Oktober",
                "2026-10-01",
                "2026-10-10",
                "Ausfall ",
            ),
            ("上周 部署", "2026-10-05", "2026-10-11", " 部署"),
            ("deploy 3 days ago", "2026-10-11", "2026-10-11", "deploy "),
            ("3일 전 배포", "2026-10-11", "2026-10-11", " 배포"),
            ("vor 3 Tagen", "2026-10-11", "2026-10-11", ""),
            (
                "decided about deployment last month",
                "2026-09-01",
                "2026-09-30",
                "decided about deployment ",
            ),
            ("지난달에 정한 것", "2026-09-01", "2026-09-30", " 정한 것"),
            ("2026년 3월 5일 회의", "2026-03-05", "2026-03-05", " 회의"),
            ("am 5. Oktober", "2026-10-05", "2026-10-05", ""),
            (
                "on October 5th, at noon",
                "2026-10-05",
                "2026-10-05",
                ", at noon",
            ),
            (
                "from 2026-10-01 to 2026-10-03",
                "2026-10-01",
                "2026-10-03",
                "",
            ),
            ("12월 계획", "2025-12-01", "2025-12-31", " 계획"),
            ("최근 2주 장애", "2026-09-30", "2026-10-14", " 장애"),
            ("seit Dienstag", "2026-10-13", "2026-10-14", ""),
            ("10月上旬 故障", "2026-10-01", "2026-10-10", " 故障"),
            (
                "10월부터 느린 쿼리",
                "2026-10-01",
                "2026-10-14",
                " 느린 쿼리",
            ),
        ] {
            let found = find(query, today).unwrap_or_else(|| panic!("{query}"));
            assert_eq!(found.span, Span::days(day(since), day(until)), "{query}");
            let mut left = query.to_owned();
            left.replace_range(found.range, "");
            assert_eq!(left, rest, "{query}");
        }
    }

    #[test]
    fn bounds_of_four_languages() {
        let today = day("2026-10-14");
        for (query, since, until) in [
            ("vor dem 5. Oktober", "", "2026-10-04"),
            ("bis zum 5. Oktober", "", "2026-10-05"),
            ("bis gestern", "", "2026-10-13"),
            ("before October 5", "", "2026-10-04"),
            ("until yesterday", "", "2026-10-13"),
            ("10월 5일부터", "2026-10-05", "2026-10-14"),
            ("10월 1일까지", "", "2026-10-01"),
            ("어제까지", "", "2026-10-13"),
            ("지난주부터", "2026-10-05", "2026-10-14"),
            ("10월 5일 이전", "", "2026-10-04"),
            ("10월 5일이후", "2026-10-05", "2026-10-14"),
            ("10월 1일부터 3일까지", "2026-10-01", "2026-10-03"),
            ("9월 28일부터 10월 3일까지", "2026-09-28", "2026-10-03"),
            ("10월 1일에서 3일까지", "2026-10-01", "2026-10-03"),
            ("10월 1일~3일", "2026-10-01", "2026-10-03"),
            ("10월 1일 - 10월 3일", "2026-10-01", "2026-10-03"),
            ("zwischen 1. und 3. Oktober", "2026-10-01", "2026-10-03"),
            (
                "zwischen dem 1. und dem 3. Oktober",
                "2026-10-01",
                "2026-10-03",
            ),
            ("vom 1. bis 3. Oktober", "2026-10-01", "2026-10-03"),
            ("vom 1. bis zum 3. Oktober", "2026-10-01", "2026-10-03"),
            ("1.-3. Oktober", "2026-10-01", "2026-10-03"),
            ("between October 1 and 3", "2026-10-01", "2026-10-03"),
            ("October 1-3", "2026-10-01", "2026-10-03"),
            ("from October 1 to October 3", "2026-10-01", "2026-10-03"),
            ("10月1日到3日", "2026-10-01", "2026-10-03"),
            ("10月5日之前", "", "2026-10-04"),
            ("10月以来", "2026-10-01", "2026-10-14"),
            ("지난해", "2025-01-01", "2025-12-31"),
            ("작년", "2025-01-01", "2025-12-31"),
            ("지난 해", "2025-01-01", "2025-12-31"),
            ("letztes Jahr", "2025-01-01", "2025-12-31"),
        ] {
            let found = find(query, today).unwrap_or_else(|| panic!("{query}"));
            let span = Span {
                since: (!since.is_empty()).then(|| day(since)),
                until: Some(day(until)),
            };
            assert_eq!(found.span, span, "{query}");
            assert_eq!(found.range, 0..query.len(), "{query}");
        }
    }

    #[test]
    fn values_of_options() {
        let today = day("2026-10-14");
        for (text, since) in [
            ("3d", Some("2026-10-11")),
            ("2w", Some("2026-09-30")),
            ("1m", Some("2026-09-14")),
            ("1y", Some("2025-10-14")),
            ("2026-10-01", Some("2026-10-01")),
            ("5.10.", Some("2026-10-05")),
            ("last week", Some("2026-10-05")),
            ("d", None),
            ("3", None),
            ("99999999999d", None),
            ("4294967295y", None),
            ("3é", None),
        ] {
            let found = parse(text, today).and_then(|span| span.since);
            assert_eq!(found, since.map(day), "{text}");
        }
    }

    #[test]
    fn words_that_only_look_like_dates() {
        let today = day("2026-10-14");
        for query in [
            "how may I deploy",
            "march of progress",
            "last 5 items",
            "5 retries",
            "월별 정산",
            "초과 발급",
            "일주일 한도",
            "vor dem Deploy",
            "from a to b",
            "mar",
            "client 2.1.332",
            "18.2.0",
            "python 3.12.1",
            "1.2.3.4.",
            "v2.1.",
            "1.2.2026.4",
            "5.10.x",
        ] {
            assert_eq!(find(query, today), None, "{query}");
        }
    }
}
