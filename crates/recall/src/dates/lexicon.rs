//! Words that name a day, a month, a unit or a number, in English, German, Korean and Chinese.

use chrono::Weekday;

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
pub(super) enum Unit {
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Third {
    Early,
    Middle,
    Late,
}

/// A third of a month, as Korean and Chinese say it behind.
pub(super) fn third(word: &str) -> Option<Third> {
    match strip_particle(word) {
        "초" | "초순" | "상순" | "초반" | "初" | "上旬" => Some(Third::Early),
        "중순" | "중반" | "중" | "中旬" | "中" => Some(Third::Middle),
        "하순" | "말" | "후반" | "말경" | "底" | "末" | "下旬" => Some(Third::Late),
        _ => None,
    }
}

/// Months that Korean writes out. `이월` and `일월` are other words too.
pub(super) fn korean_month(word: &str) -> Option<u32> {
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

pub(super) fn month(word: &str) -> Option<u32> {
    let index = MONTHS.iter().position(|names| names.contains(&word))?;
    u32::try_from(index + 1).ok()
}

pub(super) fn weekday(word: &str) -> Option<Weekday> {
    WEEKDAYS
        .iter()
        .find(|(names, _)| names.contains(&word))
        .map(|(_, day)| *day)
}

pub(super) fn ordinal(word: &str) -> Option<u32> {
    word.parse().ok().filter(|day| (1..=31).contains(day))
}

pub(super) fn unit(word: &str) -> Option<Unit> {
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
pub(super) fn unit_head(word: &str) -> Option<(Unit, &str)> {
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

pub(super) fn number(word: &str) -> Option<u32> {
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
pub(super) fn korean_count(word: &str) -> Option<(u32, Unit)> {
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

pub(super) fn strip_particle(word: &str) -> &str {
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
