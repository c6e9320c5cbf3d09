//! Numbers in a text, with their units.

/// A number and what it counts.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Quantity {
    /// The value, times in minutes of the day, durations in seconds.
    pub(crate) value: f64,
    /// What it counts.
    pub(crate) unit: Unit,
}

/// What a number counts.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Unit {
    /// A duration.
    Duration,
    /// A time of the day.
    Clock,
    /// A date: days since the year 0, roughly.
    Date,
    /// How often.
    Times,
    /// A share.
    Percent,
    /// Bytes.
    Bytes,
    /// A version: only its first two numbers count.
    Version,
    /// Money.
    Money,
    /// Any other word that follows.
    Of(String),
    /// Nothing follows.
    Bare,
}

const DURATIONS: &[(f64, &[&str])] = &[
    (
        0.001,
        &["ms", "밀리초", "毫秒", "millisekunde", "millisecond"],
    ),
    (1.0, &["s", "sec", "second", "sek", "sekunde", "초", "秒"]),
    (60.0, &["min", "minute", "분", "分钟", "分鐘"]),
    (3600.0, &["h", "hour", "stunde", "시간", "小时", "小時"]),
    (86_400.0, &["day", "tag", "일", "天"]),
    (604_800.0, &["week", "woche", "주", "周", "星期"]),
    (2_592_000.0, &["month", "monat", "개월", "달", "个月"]),
    (31_536_000.0, &["year", "jahr", "년", "年"]),
];
const TIMES: &[&str] = &[
    "times", "time", "mal", "회", "번", "차례", "次", "attempt", "versuch", "retries", "tries",
];
const PERCENT: &[&str] = &["%", "percent", "prozent", "퍼센트"];
const BYTES: &[(f64, &[&str])] = &[
    (1.0, &["byte", "바이트", "字节"]),
    (1e3, &["kb", "kib"]),
    (1e6, &["mb", "mib"]),
    (1e9, &["gb", "gib"]),
    (1e12, &["tb", "tib"]),
];
const MONEY: &[&str] = &["원", "euro", "eur", "€", "$", "usd", "元", "dollar", "won"];

/// Small numbers written as words, where a unit follows.
const WORDS: &[(&str, f64)] = &[
    ("one", 1.0),
    ("two", 2.0),
    ("three", 3.0),
    ("four", 4.0),
    ("five", 5.0),
    ("six", 6.0),
    ("seven", 7.0),
    ("eight", 8.0),
    ("nine", 9.0),
    ("ten", 10.0),
    ("twelve", 12.0),
    ("ein", 1.0),
    ("eine", 1.0),
    ("zwei", 2.0),
    ("drei", 3.0),
    ("vier", 4.0),
    ("fünf", 5.0),
    ("sechs", 6.0),
    ("sieben", 7.0),
    ("acht", 8.0),
    ("neun", 9.0),
    ("zehn", 10.0),
    ("zwölf", 12.0),
    ("한", 1.0),
    ("두", 2.0),
    ("세", 3.0),
    ("네", 4.0),
    ("다섯", 5.0),
    ("여섯", 6.0),
    ("일곱", 7.0),
    ("여덟", 8.0),
    ("아홉", 9.0),
    ("열", 10.0),
    ("이틀", 2.0),
];
/// Bytes of the longest of [`WORDS`].
const LONGEST_WORD: usize = 9;
const CHINESE: &[(char, f64)] = &[
    ('一', 1.0),
    ('两', 2.0),
    ('二', 2.0),
    ('三', 3.0),
    ('四', 4.0),
    ('五', 5.0),
    ('六', 6.0),
    ('七', 7.0),
    ('八', 8.0),
    ('九', 9.0),
    ('十', 10.0),
];

/// The numbers of a text. Numbers glued to Latin letters before them (`p99`, `v3`), issue numbers
/// (`#12`) and parts of paths are none.
pub(crate) fn of(text: &str) -> Vec<Quantity> {
    let mut out = Vec::new();
    let mut before: Option<char> = None;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c.is_ascii_digit() && !before.is_some_and(glues) {
            let (quantity, used) = number(&text[at..]);
            out.extend(quantity);
            before = text[at..at + used].chars().next_back();
            at += used;
            continue;
        }
        if c.is_alphabetic() && !before.is_some_and(char::is_alphanumeric) {
            if may_be_spelled(c)
                && let Some((value, used)) = spelled(&text[at..])
                && let Some((quantity, more)) = with_unit(value, &text[at + used..], true)
            {
                out.push(quantity);
                at += used + more;
                before = Some(' ');
                continue;
            }
            // A Latin word is passed as a whole, letters and digits.
            if c.is_ascii() {
                let letters = text.as_bytes()[at..].iter();
                let word = letters.take_while(|b| b.is_ascii_alphanumeric()).count();
                let behind = &text[at + word..];
                let word = word
                    + if behind.starts_with(|c: char| !c.is_ascii()) {
                        behind
                            .find(|c: char| !c.is_alphanumeric())
                            .unwrap_or(behind.len())
                    } else {
                        0
                    };
                before = text[at..at + word].chars().next_back();
                at += word.max(1);
                continue;
            }
        }
        before = Some(c);
        at += c.len_utf8();
    }
    out
}

fn glues(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '#' | '_' | '/' | '\\' | '.' | '-' | '$' | '@')
}

/// A number at the beginning of a text, and the bytes that it and its unit take.
fn number(text: &str) -> (Option<Quantity>, usize) {
    let bytes = text.as_bytes();
    let mut end = 0;
    let mut dots = 0;
    let mut digits = String::new();
    while let Some(&byte) = bytes.get(end) {
        let next_digit = bytes.get(end + 1).is_some_and(u8::is_ascii_digit);
        match byte {
            b'0'..=b'9' => digits.push(char::from(byte)),
            b',' | b'_' if next_digit && digits_ahead(bytes, end + 1) == 3 => {}
            b'.' | b',' if next_digit => {
                dots += 1;
                digits.push('.');
            }
            _ => break,
        }
        end += 1;
    }
    let rest = &text[end..];
    // 04:10, 2026-11-30, 2026/11
    if let Some(minutes) = rest.strip_prefix(':')
        && digits_ahead(minutes.as_bytes(), 0) == 2
        && digits.len() <= 2
    {
        let value = digits.parse::<f64>().unwrap_or(0.0) * 60.0
            + minutes[..2].parse::<f64>().unwrap_or(0.0);
        return (
            Some(Quantity {
                value,
                unit: Unit::Clock,
            }),
            end + 3,
        );
    }
    if digits.len() == 4
        && rest.starts_with('-')
        && let Some((value, used)) = date(text)
    {
        return (
            Some(Quantity {
                value,
                unit: Unit::Date,
            }),
            used,
        );
    }
    if dots >= 2 {
        return (version(&digits), end);
    }
    let Ok(value) = digits.parse::<f64>() else {
        return (None, end.max(1));
    };
    match with_unit(value, rest, false) {
        Some((quantity, used)) => (Some(quantity), end + used),
        None if dots == 1 => (version(&digits), end),
        None => (
            Some(Quantity {
                value,
                unit: Unit::Bare,
            }),
            end,
        ),
    }
}

fn digits_ahead(bytes: &[u8], from: usize) -> usize {
    bytes[from..]
        .iter()
        .take_while(|b| b.is_ascii_digit())
        .count()
}

fn version(digits: &str) -> Option<Quantity> {
    let mut parts = digits
        .split('.')
        .filter_map(|part| part.parse::<f64>().ok());
    let value = parts.next()? * 1000.0 + parts.next().unwrap_or(0.0);
    Some(Quantity {
        value,
        unit: Unit::Version,
    })
}

/// `YYYY-MM-DD` as a number that grows with time.
fn date(text: &str) -> Option<(f64, usize)> {
    let day = text.get(..10)?;
    let date = chrono::NaiveDate::parse_from_str(day, "%Y-%m-%d").ok()?;
    Some((f64::from(chrono::Datelike::num_days_from_ce(&date)), 10))
}

/// A number with the unit that follows it, and the bytes of both after the number.
fn with_unit(value: f64, rest: &str, word_needed: bool) -> Option<(Quantity, usize)> {
    let blank = rest.len() - rest.trim_start_matches([' ', '\u{a0}', '-']).len();
    if blank > 1 {
        return None;
    }
    let after = &rest[blank..];
    let word_end = after
        .find(|c: char| !(c.is_alphabetic() || matches!(c, '%' | '€' | '$')))
        .unwrap_or(after.len());
    let word = after[..word_end].to_lowercase();
    if word.is_empty() {
        return None;
    }
    let used = blank + word_end;
    let found = |value: f64, unit: Unit| Some((Quantity { value, unit }, used));
    let wide = word.chars().next().is_some_and(|c| c as u32 >= 0x1100);
    // A clock: "새벽 4시", "4 uhr", "4点", but not "4시간".
    if (word.starts_with('시') && !word.starts_with("시간"))
        || word == "uhr"
        || word.starts_with('点')
        || word == "am"
        || word == "pm"
    {
        let half = if word == "pm" && value < 12.0 {
            12.0
        } else {
            0.0
        };
        return found((value + half) * 60.0, Unit::Clock);
    }
    if PERCENT.iter().any(|unit| is_unit(&word, unit, wide)) {
        return found(value, Unit::Percent);
    }
    // "12월 31일" is a date, and so is "2026년".
    if word.starts_with('월')
        || word.starts_with('月')
        || word.starts_with('号')
        || word.starts_with('日')
    {
        return found(value, Unit::Of("date".to_owned()));
    }
    for (factor, units) in DURATIONS {
        if units.iter().any(|unit| is_unit(&word, unit, wide)) {
            if *factor > 1e7 && value > 1000.0 {
                return found(value, Unit::Of("year".to_owned()));
            }
            return found(value * factor, Unit::Duration);
        }
    }
    for (factor, units) in BYTES {
        if units.iter().any(|unit| is_unit(&word, unit, wide)) {
            return found(value * factor, Unit::Bytes);
        }
    }
    if TIMES.iter().any(|unit| is_unit(&word, unit, wide)) {
        return found(value, Unit::Times);
    }
    if MONEY.iter().any(|unit| is_unit(&word, unit, wide)) {
        return found(value, Unit::Money);
    }
    if word_needed && !wide {
        return None;
    }
    let name: String = if wide {
        word.chars().take(1).collect()
    } else {
        word.chars().take(4).collect()
    };
    found(value, Unit::Of(name))
}

/// In Korean and Chinese the unit is followed by particles; in Latin script by an ending.
fn is_unit(word: &str, unit: &str, wide: bool) -> bool {
    if wide {
        return word.starts_with(unit);
    }
    word == unit
        || word
            .strip_prefix(unit)
            .is_some_and(|ending| unit.len() > 2 && matches!(ending, "s" | "n" | "en" | "e" | "es"))
}

/// Whether a word of [`WORDS`] or [`CHINESE`] may begin so.
fn may_be_spelled(c: char) -> bool {
    matches!(
        c.to_ascii_lowercase(),
        'a' | 'd' | 'e' | 'f' | 'n' | 'o' | 's' | 't' | 'v' | 'z'
    ) || matches!(
        c,
        '한' | '두' | '세' | '네' | '다' | '여' | '일' | '아' | '열' | '이'
    ) || matches!(
        c,
        '一' | '两' | '二' | '三' | '四' | '五' | '六' | '七' | '八' | '九' | '十'
    )
}

/// A number written as a word that is nothing else: no article, no ending.
pub(crate) fn of_word(word: &str) -> Option<f64> {
    const MORE: [(&str, f64); 2] = [("thirty", 30.0), ("twenty", 20.0)];
    if matches!(word, "ein" | "eine" | "한" | "이틀") {
        return None;
    }
    let mut all = WORDS.iter().chain(&MORE);
    all.find(|(name, _)| *name == word).map(|(_, value)| *value)
}

/// A number written as a word at the beginning of a text.
fn spelled(text: &str) -> Option<(f64, usize)> {
    let first = text.chars().next()?;
    if let Some((_, value)) = CHINESE.iter().find(|(c, _)| *c == first) {
        return Some((*value, first.len_utf8()));
    }
    let end = text
        .find(|c: char| !c.is_alphabetic())
        .unwrap_or(text.len());
    let word = &text[..end];
    // No capital letter of these names is longer than the small one.
    if word.len() > LONGEST_WORD {
        return None;
    }
    let value = |word: &str| {
        let begins = word.as_bytes().first()?.to_ascii_lowercase();
        let like = |name: &str| {
            name.len() == word.len()
                && name.as_bytes()[0] == begins
                && name.eq_ignore_ascii_case(word)
        };
        let found = WORDS.iter().find(|(name, _)| like(name));
        found.map(|(_, value)| *value)
    };
    let value = if word.is_ascii() {
        value(word)
    } else {
        value(&word.to_lowercase())
    };
    Some((value?, end))
}

/// Whether two statements give different numbers for one thing, and none alike.
pub(crate) fn conflict(a: &[Quantity], b: &[Quantity]) -> bool {
    let counts = |q: &&Quantity| !matches!(q.unit, Unit::Bare | Unit::Date);
    let mut shared_unit = false;
    for x in a.iter().filter(counts) {
        for y in b.iter().filter(counts).filter(|y| y.unit == x.unit) {
            if same(x, y) {
                return false;
            }
            shared_unit = true;
        }
    }
    shared_unit
}

/// Whether a number of `a` stands in `b` with the same unit.
pub(crate) fn any_alike(a: &[Quantity], b: &[Quantity]) -> bool {
    a.iter()
        .any(|x| b.iter().any(|y| x.unit == y.unit && same(x, y)))
}

/// Whether every number of `a` stands in `b` with the same unit.
pub(crate) fn all_alike(a: &[Quantity], b: &[Quantity]) -> bool {
    a.iter()
        .all(|x| b.iter().any(|y| x.unit == y.unit && same(x, y)))
}

fn same(x: &Quantity, y: &Quantity) -> bool {
    (x.value - y.value).abs() < 1e-9
}

#[cfg(test)]
#[allow(clippy::float_cmp, reason = "whole numbers, read and not computed")]
mod tests {
    use super::*;

    fn one(text: &str) -> (f64, Unit) {
        let all = of(text);
        assert_eq!(all.len(), 1, "{text}: {all:?}");
        (all[0].value, all[0].unit.clone())
    }

    #[test]
    fn units_of_four_languages_mean_the_same() {
        for text in [
            "10분 간격으로",
            "every 10 minutes",
            "alle 10 Minuten",
            "每10分钟",
            "ten minutes",
            "zehn Minuten",
        ] {
            assert_eq!(one(text), (600.0, Unit::Duration), "{text}");
        }
        for text in ["마감은 04:00", "새벽 4시", "um 4 Uhr"] {
            assert_eq!(one(text), (240.0, Unit::Clock), "{text}");
        }
        assert_eq!(one("두 시간마다"), (7200.0, Unit::Duration));
        assert_eq!(one("1,000건").0, 1000.0);
        assert_eq!(one("1.5 MB"), (1.5e6, Unit::Bytes));
        assert_eq!(one("pinned to 2.4.1"), (2004.0, Unit::Version));
        assert_eq!(one("2026-10-15").1, Unit::Date);
    }

    #[test]
    fn no_word_is_longer_than_is_looked_for() {
        for (word, _) in WORDS {
            assert!(word.len() <= LONGEST_WORD);
            assert!(word.starts_with(may_be_spelled));
        }
        for (c, _) in CHINESE {
            assert!(may_be_spelled(*c));
        }
        assert_eq!(one("ZWÖLF Tage"), (1_036_800.0, Unit::Duration));
    }

    #[test]
    fn names_are_no_numbers() {
        assert!(
            of("PR #297 p99 v3 a/42/b utf8").is_empty(),
            "{:?}",
            of("PR #297 p99 v3 a/42/b utf8")
        );
    }

    #[test]
    fn numbers_contradict_when_none_agree() {
        assert!(conflict(&of("10분 간격으로 3회"), &of("30분 간격으로 5회")));
        assert!(!conflict(&of("10분 간격으로 3회"), &of("10분 뒤 5회")));
        assert!(!conflict(&of("7일"), &of("3회")));
    }

    proptest::proptest! {
        #[test]
        fn any_text_has_numbers_or_none(text in "\\PC{0,60}") {
            let _ = of(&text);
        }
    }
}
