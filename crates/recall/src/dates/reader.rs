//! Reads an expression word by word, with what stands before and after it.

use super::Span;
use super::lexicon::{ordinal, unit, weekday};
use super::spelling::Word;
use chrono::{Datelike, Days, NaiveDate};

pub(super) struct Reader<'a> {
    pub(super) words: &'a [Word],
    pub(super) at: usize,
    pub(super) today: NaiveDate,
    /// The year that is meant where none is said; without one the last that fits.
    pub(super) year: Option<i32>,
}

/// How many days, weeks ... back, from what the expression says.
pub(super) type Step = Option<(usize, Span)>;

impl Reader<'_> {
    pub(super) fn word(&self, ahead: usize) -> &str {
        self.words
            .get(self.at + ahead)
            .map_or("", |word| word.text.as_str())
    }

    pub(super) fn is(&self, ahead: usize, any: &[&str]) -> bool {
        any.contains(&self.word(ahead))
    }

    pub(super) fn glued(&self, ahead: usize) -> bool {
        match (
            self.words.get(self.at + ahead),
            self.words.get(self.at + ahead + 1),
        ) {
            (Some(a), Some(b)) => a.range.end == b.range.start,
            _ => false,
        }
    }

    /// Whether a letter, a digit, or a full stop stands right before.
    pub(super) fn follows_glued(&self) -> bool {
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
    pub(super) fn recurs(&self, end: usize) -> bool {
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

    pub(super) fn from(&self, ahead: usize) -> Reader<'_> {
        Reader {
            words: self.words,
            at: self.at + ahead,
            today: self.today,
            year: self.year,
        }
    }

    /// An expression with what stands before and after it. Gives the index behind it.
    #[allow(
        clippy::too_many_lines,
        reason = "a list of ways to say it, in the order they are tried"
    )]
    pub(super) fn expression(&self) -> Step {
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
        // `到昨天为止`
        if self.is(0, &["到", "至", "截至", "截止", "截止到", "直到"])
            && let Some((end, span)) = self.from(1).moment()
        {
            let end = end + usize::from(self.from(end - self.at).is(0, &["为止"]));
            let until = span.until;
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
    pub(super) fn stretch_between(&self) -> Step {
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
        let (end, since, until) = if let Some((end, first)) = start.dated() {
            let last = behind(end)?;
            // The day alone goes before a whole date only where no month follows it.
            if let Some((end, span)) = last.dated() {
                let (since, until) = start.one_year(first, &last, span)?;
                (end, since, until)
            } else if first.since == first.until {
                let (end, day) = last.day_alone()?;
                let since = first.since?;
                (end, since, since.with_day(day)?)
            } else {
                return None;
            }
        } else {
            let (end, day) = start.day_alone()?;
            let (end, span) = behind(end)?.dated()?;
            let until = span.until.filter(|_| span.since == span.until)?;
            (end, until.with_day(day)?, until)
        };
        let used = end + usize::from(self.from(end - self.at).is(0, &["까지", "为止"]));
        (since <= until).then_some((used, Span::days(since, until)))
    }

    /// A day of a month that is named elsewhere: `1.`, `3rd`, `3일`.
    pub(super) fn day_alone(&self) -> Option<(usize, u32)> {
        let day = ordinal(self.word(0))?;
        let signed = self.glued(0) && self.is(1, &[".", "st", "nd", "rd", "th", "일", "日", "号"]);
        // `10-3` behind a date, or `3.5`, is something else.
        let end = self.at + 1 + usize::from(signed);
        let number = |ahead: usize| self.word(ahead).starts_with(|c: char| c.is_ascii_digit());
        (!(signed && self.glued(1) && number(2))).then_some((end, day))
    }

    /// A day, a week, a month ... without what stands around it.
    pub(super) fn moment(&self) -> Step {
        self.day_word()
            .or_else(|| self.within_year())
            .or_else(|| self.unit_word())
            .or_else(|| self.counted())
            .or_else(|| self.named())
            .or_else(|| self.year_alone())
            .or_else(|| self.day_of_month())
    }
}
