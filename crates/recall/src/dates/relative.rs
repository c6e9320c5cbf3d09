//! Days counted from today: `yesterday`, `last week`, `vor 3 Tagen`, `지난주`, `上周`.

use super::Span;
use super::lexicon::{
    Third, Unit, korean_count, month, number, strip_particle, third, unit, unit_head, weekday,
};
use super::reader::{Reader, Step};
use chrono::{Datelike, Days, Months, NaiveDate, Weekday};

impl Reader<'_> {
    #[allow(clippy::unnecessary_wraps, reason = "a step like the others")]
    pub(super) fn one(&self, span: Span) -> Step {
        Some((self.at + 1, span))
    }

    pub(super) fn back(&self, days: u64) -> NaiveDate {
        self.today
            .checked_sub_days(Days::new(days))
            .unwrap_or(self.today)
    }

    pub(super) fn day_word(&self) -> Step {
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
            "yesterday" | "gestern" | "어제" | "어젯밤" | "어제밤" | "간밤" | "엊저녁" | "昨天"
            | "昨晚" | "昨夜" => day(1),
            "vorgestern" | "그제" | "그저께" | "엊그제" | "前天" => day(2),
            "大前天" => day(3),
            _ => return self.chinese_week(),
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

    /// A week, or a day of it, as Chinese says them: `上周`, `上周五`, `上周末`.
    pub(super) fn chinese_week(&self) -> Step {
        let (back, tail) = [
            ("上上个星期", 2),
            ("上上周", 2),
            ("上个星期", 1),
            ("上个礼拜", 1),
            ("上星期", 1),
            ("上礼拜", 1),
            ("上个周", 1),
            ("上周", 1),
            ("这个星期", 0),
            ("这个礼拜", 0),
            ("本星期", 0),
            ("这个周", 0),
            ("本周", 0),
            ("这周", 0),
        ]
        .iter()
        .find_map(|(head, back)| Some((*back, self.word(0).strip_prefix(head)?)))?;
        let week = self.week(back);
        let span = match tail {
            "" => week,
            "末" => self.weekend(back),
            _ => {
                let day = weekday(&format!("周{}", if tail == "天" { "日" } else { tail }))?;
                let ahead = u64::from(day.num_days_from_monday());
                let day = week.since?.checked_add_days(Days::new(ahead))?;
                Span::days(day, day)
            }
        };
        self.one(span)
    }

    pub(super) fn week(&self, back: u64) -> Span {
        let monday = self.back(u64::from(self.today.weekday().num_days_from_monday()) + 7 * back);
        let sunday = monday.checked_add_days(Days::new(6)).unwrap_or(monday);
        Span::days(monday, if back == 0 { self.today } else { sunday })
    }

    pub(super) fn month(&self, back: u32) -> Span {
        let first = self.today.with_day(1).unwrap_or(self.today);
        let first = first.checked_sub_months(Months::new(back)).unwrap_or(first);
        Span::days(first, end_of_month(first).min(self.today))
    }

    pub(super) fn year(&self, back: i32) -> Span {
        let year = self.today.year() - back;
        let day = |month, day| NaiveDate::from_ymd_opt(year, month, day).unwrap_or(self.today);
        Span::days(day(1, 1), day(12, 31).min(self.today))
    }

    pub(super) fn whole(&self, unit: Unit, back: u32) -> Span {
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

    /// What says which one: `last`, `diesen`, `지난`.
    fn how_far_back(&self) -> Option<u32> {
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
            "vorigem",
            "vergangene",
            "vergangenen",
            "vergangener",
            "vergangenes",
            "vergangenem",
            "지난",
            "저번",
        ];
        const THIS: &[&str] = &[
            "this", "current", "diese", "diesen", "dieser", "diesem", "dieses", "이번",
        ];
        let word = strip_particle(self.word(0));
        if LAST.contains(&word) {
            Some(1)
        } else if THIS.contains(&word) {
            Some(0)
        } else {
            (word == "지지난" || word.starts_with("vorletzte")).then_some(2)
        }
    }

    /// A week, a month ... and how many back: `last week`, `diesen Monat`, `지난주`, `上个月`. Gives the
    /// index behind it.
    pub(super) fn unit_back(&self) -> Option<(usize, Unit, u32)> {
        let word = strip_particle(self.word(0));
        let known = match word {
            "지난주" | "저번주" => Some((Unit::Week, 1)),
            "지지난주" | "저저번주" => Some((Unit::Week, 2)),
            "이번주" | "금주" => Some((Unit::Week, 0)),
            "지난달" | "저번달" | "上个月" | "上月" => Some((Unit::Month, 1)),
            "지지난달" | "上上个月" | "上上月" => Some((Unit::Month, 2)),
            "이번달" | "이달" | "这个月" | "本月" => Some((Unit::Month, 0)),
            "上个季度" | "上季度" => Some((Unit::Quarter, 1)),
            "这个季度" | "本季度" => Some((Unit::Quarter, 0)),
            "올해" | "금년" | "今年" | "本年" | "heuer" => Some((Unit::Year, 0)),
            "작년" | "지난해" | "去年" | "vorjahr" | "vorjahres" | "vorjahrs" => {
                Some((Unit::Year, 1))
            }
            "재작년" | "지지난해" | "前年" => Some((Unit::Year, 2)),
            "大前年" => Some((Unit::Year, 3)),
            _ => None,
        };
        if let Some((unit, back)) = known {
            return Some((self.at + 1, unit, back));
        }
        // `the week before last`
        if let Some(unit) = unit(word)
            && unit != Unit::Day
            && self.is(1, &["before"])
            && self.is(2, &["last"])
        {
            return Some((self.at + 3, unit, 2));
        }
        let back = self.how_far_back()?;
        let unit = unit(strip_particle(self.word(1))).filter(|unit| *unit != Unit::Day)?;
        Some((self.at + 2, unit, back))
    }

    /// `last week`, `diesen Monat`, `지난주`, `이번 달 초`, `上个月底`.
    pub(super) fn unit_word(&self) -> Step {
        if let Some((end, unit, back)) = self.unit_back() {
            let rest = self.from(end - self.at);
            return Some(
                rest.thirds_of(unit, back)
                    .unwrap_or((end, self.whole(unit, back))),
            );
        }
        if matches!(strip_particle(self.word(0)), "지난주말" | "저번주말") {
            return self.one(self.weekend(1));
        }
        let back = self.how_far_back()?;
        if self.is(
            1,
            &[
                "weekend",
                "wochenende",
                "wochenendes",
                "주말",
                "주말에",
                "周末",
            ],
        ) {
            return Some((self.at + 2, self.weekend(u64::from(back))));
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

    /// What stands behind a month or a year and narrows it: `초`, `底`, `年底`; `중` does not.
    pub(super) fn thirds_of(&self, unit: Unit, back: u32) -> Step {
        if self.is(0, &["중", "중에", "中"]) {
            return self.one(self.whole(unit, back));
        }
        let third = third(self.word(0)).or_else(|| match self.word(0) {
            "年初" => Some(Third::Early),
            "年中" => Some(Third::Middle),
            "年底" | "年末" => Some(Third::Late),
            _ => None,
        });
        self.one(self.third_of(third?, unit, back))
    }

    /// A third of a month, a quarter or a year. A week is not divided.
    pub(super) fn third_of(&self, third: Third, unit: Unit, back: u32) -> Span {
        let whole = self.whole(unit, back);
        let Some(first) = whole.since else {
            return whole;
        };
        let months = match unit {
            Unit::Month => {
                let day = |day| first.with_day(day).unwrap_or(first);
                return match third {
                    Third::Early => Span::days(first, day(10)),
                    Third::Middle => Span::days(day(11), day(20)),
                    Third::Late => Span::days(day(21), end_of_month(first)),
                };
            }
            Unit::Quarter => 1,
            Unit::Year => 4,
            Unit::Day | Unit::Week => return whole,
        };
        let before = match third {
            Third::Early => 0,
            Third::Middle => 1,
            Third::Late => 2,
        };
        let later = |months| {
            first
                .checked_add_months(Months::new(months))
                .unwrap_or(first)
        };
        Span::days(
            later(months * before),
            end_of_month(later(months * before + months - 1)),
        )
    }

    fn weekend(&self, back: u64) -> Span {
        let week = self.week(back);
        let day = |ahead| {
            let monday = week.since.unwrap_or(self.today);
            monday.checked_add_days(Days::new(ahead)).unwrap_or(monday)
        };
        Span::days(day(5), day(6))
    }

    pub(super) fn last_weekday(&self, day: Weekday) -> Span {
        let back =
            (7 + self.today.weekday().num_days_from_monday() - day.num_days_from_monday()) % 7;
        let back = if back == 0 { 7 } else { back };
        let day = self.back(u64::from(back));
        Span::days(day, day)
    }

    /// `3 days ago`, `last two weeks`, `vor 3 Tagen`, `der letzten zwei Wochen`, `3일 전`, `最近3天`.
    pub(super) fn counted(&self) -> Step {
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
    pub(super) fn stretch(&self, unit: Unit, count: u32) -> Span {
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
}

pub(super) fn end_of_month(first: NaiveDate) -> NaiveDate {
    first
        .checked_add_months(Months::new(1))
        .and_then(|next| next.with_day(1))
        .and_then(|next| next.checked_sub_days(Days::new(1)))
        .unwrap_or(first)
}
