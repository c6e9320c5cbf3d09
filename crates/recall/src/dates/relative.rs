//! Days counted from today: `yesterday`, `last week`, `vor 3 Tagen`, `지난주`, `上周`.

use super::Span;
use super::lexicon::{Unit, korean_count, month, number, strip_particle, unit, unit_head, weekday};
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

    pub(super) fn chinese_head(&self) -> Step {
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

    /// `last week`, `diesen Monat`, `지난주`, `이번 달`.
    pub(super) fn unit_word(&self) -> Step {
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
