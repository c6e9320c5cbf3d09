//! Days by name or number: `2026-10-05`, `5. Oktober`, `early October`, `10월 초`, `十月`.

use super::Span;
use super::lexicon::{
    Third, Unit, korean_month, month, ordinal, strip_particle, third, unit, weekday,
};
use super::reader::{Reader, Step};
use super::relative::end_of_month;
use chrono::{Datelike, Months, NaiveDate};

impl Reader<'_> {
    /// `2025년`, `im Jahr 2025`, `in 2025`.
    pub(super) fn year_alone(&self) -> Step {
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
            let back = u32::try_from(self.today.year() - year).ok();
            let third = back.and_then(|back| self.from(2).thirds_of(Unit::Year, back));
            return third.or(Some((self.at + 2, self.whole_year(year)?)));
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

    pub(super) fn whole_year(&self, year: i32) -> Option<Span> {
        let first = NaiveDate::from_ymd_opt(year, 1, 1)?;
        let last = NaiveDate::from_ymd_opt(year, 12, 31)?;
        Some(Span::days(first, last.min(self.today).max(first)))
    }

    /// The last day of this number: `20일에`, `on the 20th`, `am 20.`, `20号`.
    pub(super) fn day_of_month(&self) -> Step {
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

    /// Days and months by name or number.
    pub(super) fn named(&self) -> Step {
        self.in_calendar().or_else(|| {
            let word = strip_particle(self.word(0));
            let day = weekday(word)?;
            self.one(self.last_weekday(day))
        })
    }

    /// A day, a month or a third of it.
    pub(super) fn in_calendar(&self) -> Step {
        self.iso()
            .or_else(|| self.third_first())
            .or_else(|| self.month_first())
            .or_else(|| self.day_first())
            .or_else(|| self.asian_month())
    }

    /// `2026-10-05`, `2026-10`, `5.10.2026`, `5.10.`
    pub(super) fn iso(&self) -> Step {
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
            // `Python 3.11.` at the end of a sentence
            if self.follows_a_name() {
                return None;
            }
            let day = self.recent(month, Some(day))?;
            return Some((self.at + 4, Span::days(day, day)));
        }
        None
    }

    /// Whether a Latin word stands before that a date does not follow: what looks like a day is a version.
    fn follows_a_name(&self) -> bool {
        const BEFORE: &[&str] = &[
            "am", "ab", "an", "bis", "dem", "den", "der", "die", "im", "in", "mit", "nach", "on",
            "seit", "since", "to", "und", "until", "von", "vom", "vor", "zum", "zur", "zwischen",
        ];
        let before = self.at.checked_sub(1).and_then(|at| self.words.get(at));
        before.is_some_and(|word| {
            let text = word.text.as_str();
            let latin = text.starts_with(|c| words::script(c) == words::Script::Latin);
            latin && !BEFORE.contains(&text) && weekday(text).is_none()
        })
    }

    /// `2026/11/20`, `2026.11.20`, `2026. 11. 20.`
    pub(super) fn year_first(&self) -> Step {
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
    pub(super) fn slashed(&self) -> Step {
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
    pub(super) fn recent(&self, month: u32, day: Option<u32>) -> Option<NaiveDate> {
        let of = |year: i32| NaiveDate::from_ymd_opt(year, month, day.unwrap_or(1));
        if let Some(year) = self.year {
            return of(year);
        }
        of(self.today.year())
            .filter(|day| *day <= self.today)
            .or_else(|| of(self.today.year() - 1))
    }

    pub(super) fn span_of(
        &self,
        month: u32,
        year: Option<i32>,
        third: Option<Third>,
    ) -> Option<Span> {
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

    pub(super) fn year_at(&self, ahead: usize) -> Option<i32> {
        let word = self.word(ahead);
        (word.len() == 4)
            .then(|| word.parse().ok())
            .flatten()
            .filter(|year| (1990..2100).contains(year))
    }

    /// `early October`, `Anfang Oktober`, `end of October`.
    pub(super) fn third_first(&self) -> Step {
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
        // `Ende 2025`, `early in 2025`
        let sure = ahead > 1 || !self.is(0, &["start", "end"]);
        if let Some(back) = self
            .year_at(ahead)
            .filter(|_| sure)
            .and_then(|year| u32::try_from(self.today.year() - year).ok())
        {
            return Some((self.at + ahead + 1, self.third_of(third, Unit::Year, back)));
        }
        // `early this month`, `Anfang letzten Monats`, `end of last year`, `Anfang des Jahres`.
        let ahead = ahead + usize::from(self.is(ahead, &["the", "der", "dem"]));
        let (end, unit, back) = match self.from(ahead).unit_back() {
            Some(found) => found,
            None if third == Third::Early && ahead > 1 => {
                let unit = unit(self.word(ahead)).filter(|unit| *unit != Unit::Day)?;
                (self.at + ahead + 1, unit, 0)
            }
            None => return None,
        };
        Some((end, self.third_of(third, unit, back)))
    }

    /// `October`, `October 5th`, `October 2026`. Words that are also others (`may`, `march`) need
    /// something beside them.
    pub(super) fn month_first(&self) -> Step {
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
        (!unsure || after_preposition || self.year.is_some())
            .then(|| self.span_of(month, None, None))
            .flatten()
            .map(|span| (self.at + 1, span))
    }

    /// `5 October`, `5. Oktober 2026`, `5th of October`.
    pub(super) fn day_first(&self) -> Step {
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
    pub(super) fn asian_month(&self) -> Step {
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
