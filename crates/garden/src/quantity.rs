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
    /// A length, a weight, a power and the like, by its name in English.
    Measure(&'static str),
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
/// Measures of every trade: their name here, in how many of it one is counted, how they are written.
const MEASURES: &[(&str, f64, &[&str])] = &[
    ("watt", 1e3, &["kw", "kilowatt", "킬로와트", "千瓦"]),
    ("watt", 1e6, &["mw", "megawatt", "메가와트", "兆瓦"]),
    ("watt", 1.0, &["w", "watt", "와트", "瓦"]),
    (
        "gram",
        1e3,
        &[
            "kg",
            "kilo",
            "kilogram",
            "kilogramm",
            "킬로그램",
            "公斤",
            "千克",
        ],
    ),
    ("gram", 1.0, &["g", "gram", "gramm", "그램", "克"]),
    ("gram", 1e6, &["t", "ton", "tonne", "톤", "吨"]),
    (
        "metre",
        1e3,
        &["km", "kilometer", "kilometre", "킬로미터", "公里", "千米"],
    ),
    (
        "metre",
        0.01,
        &[
            "cm",
            "centimeter",
            "centimetre",
            "zentimeter",
            "센티미터",
            "센티",
            "厘米",
        ],
    ),
    ("metre", 1.0, &["m", "meter", "metre", "미터", "米"]),
    (
        "litre",
        100.0,
        &[
            "hl",
            "hektoliter",
            "hectolitre",
            "hectoliter",
            "헥토리터",
            "百升",
        ],
    ),
    (
        "litre",
        0.001,
        &["ml", "milliliter", "millilitre", "밀리리터", "毫升"],
    ),
    // Behind those of a thousandth: it may stand for a millimetre alone.
    (
        "metre",
        0.001,
        &["mm", "millimeter", "millimetre", "밀리", "毫米"],
    ),
    ("litre", 1.0, &["l", "liter", "litre", "리터", "升"]),
    ("degree", 1.0, &["°c", "°", "grad", "degree", "도", "度"]),
    (
        "person",
        1.0,
        &["person", "people", "persone", "명", "人", "名"],
    ),
    ("character", 1.0, &["zeichen", "character", "글자", "字"]),
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
    if !may_hold_some(text) {
        return out;
    }
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
        if chinese_digit(c)
            // A little.
            && !text[at..].starts_with("一点")
            && !before.is_some_and(|before| ORDINAL.contains(before) || chinese_digit(before))
            && let Some((value, used)) = chinese(&text[at..])
            && let Some((quantity, more)) = with_unit(value, &text[at + used..], true)
            && (!before.is_some_and(char::is_alphanumeric) || is_measure(&quantity))
        {
            out.push(quantity);
            at += used + more;
            before = text[..at].chars().next_back();
            continue;
        }
        if c.is_alphabetic() && !before.is_some_and(char::is_alphanumeric) {
            if may_be_spelled(c)
                && let Some((quantity, used)) = spelled(&text[at..])
            {
                out.push(quantity);
                at += used;
                before = text[..at].chars().next_back();
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

/// Whether a digit or a word that may be a number stands in a text.
fn may_hold_some(text: &str) -> bool {
    if !text.is_ascii() || text.bytes().any(|byte| byte.is_ascii_digit()) {
        return true;
    }
    let mut words = text.split(|c: char| !c.is_ascii_alphabetic());
    words.any(|word| word.starts_with(may_begin) && may_end(word))
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
        .find(|c: char| !(c.is_alphabetic() || matches!(c, '%' | '€' | '$' | '°')))
        .unwrap_or(after.len());
    let word = after[..word_end].to_lowercase();
    if word.is_empty() {
        return None;
    }
    let first = word.chars().next()?;
    let wide = first as u32 >= 0x1100;
    let used = |name: &str| blank + if wide { name.len() } else { word_end };
    // A small letter may be shorter than its capital.
    let sign = match after.chars().next() {
        Some(written) if wide => blank + written.len_utf8(),
        _ => blank + word_end,
    };
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
        return Some((
            Quantity {
                value: (value + half) * 60.0,
                unit: Unit::Clock,
            },
            sign,
        ));
    }
    let of = |units: &[&'static str]| {
        units
            .iter()
            .find(|unit| is_unit(&word, unit, wide))
            .copied()
    };
    let found = |value: f64, unit: Unit, name: &str| Some((Quantity { value, unit }, used(name)));
    if let Some(name) = of(PERCENT) {
        return found(value, Unit::Percent, name);
    }
    // "12월 31일" is a date, and so is "2026년".
    if word.starts_with('월')
        || word.starts_with('月')
        || word.starts_with('号')
        || word.starts_with('日')
    {
        return Some((
            Quantity {
                value,
                unit: Unit::Of("date".to_owned()),
            },
            sign,
        ));
    }
    for (factor, units) in DURATIONS {
        if let Some(name) = of(units) {
            if *factor > 1e7 && value > 1000.0 {
                return found(value, Unit::Of("year".to_owned()), name);
            }
            return found(value * factor, Unit::Duration, name);
        }
    }
    for (factor, units) in BYTES {
        if let Some(name) = of(units) {
            return found(value * factor, Unit::Bytes, name);
        }
    }
    for (unit, factor, names) in MEASURES {
        if let Some(name) = of(names) {
            return found(value * factor, Unit::Measure(unit), name);
        }
    }
    if let Some(name) = of(TIMES) {
        return found(value, Unit::Times, name);
    }
    if let Some(name) = of(MONEY) {
        return found(value, Unit::Money, name);
    }
    if word_needed && !wide {
        return None;
    }
    let name: String = if wide {
        word.chars().take(1).collect()
    } else {
        word.chars().take(4).collect()
    };
    Some((
        Quantity {
            value,
            unit: Unit::Of(name),
        },
        sign,
    ))
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

/// Whether a number written as a word may begin so.
fn may_be_spelled(c: char) -> bool {
    if c.is_ascii() {
        return may_begin(c);
    }
    "한두세네다여일아열이스서마쉰예삼사오육칠팔구십백".contains(c)
}

fn may_begin(c: char) -> bool {
    matches!(
        c.to_ascii_lowercase(),
        'a' | 'd' | 'e' | 'f' | 'n' | 'o' | 's' | 't' | 'v' | 'z'
    )
}

/// Whether a word of Latin letters may be a number, by its last two. Most words are told so.
fn may_end(word: &str) -> bool {
    let [.., a, b] = word.as_bytes() else {
        return false;
    };
    let last = [a.to_ascii_lowercase(), b.to_ascii_lowercase()];
    !last.is_ascii()
        || matches!(
            &last,
            b"ne"
                | b"wo"
                | b"ee"
                | b"ur"
                | b"ve"
                | b"ix"
                | b"en"
                | b"ht"
                | b"in"
                | b"ei"
                | b"er"
                | b"nf"
                | b"hs"
                | b"un"
                | b"hn"
                | b"lf"
                | b"ty"
                | b"ig"
                | b"rt"
        )
}

/// A number written as a word that is nothing else: no article, no ending. In small letters.
pub(crate) fn of_word(word: &str) -> Option<f64> {
    if matches!(word, "ein" | "eine" | "한" | "이틀") {
        return None;
    }
    let wide = word.starts_with(|c: char| c as u32 >= 0x1100);
    if !wide && !may_end(word) {
        return None;
    }
    let known = WORDS.iter().find(|(name, _)| *name == word);
    known.map(|(_, value)| *value).or_else(|| longer(word))
}

/// Ends of numbers that [`WORDS`] does not hold.
const ENDS: [&str; 9] = [
    "ty", "teen", "zig", "ßig", "ssig", "zehn", "elf", "eleven", "hundert",
];

/// What else is a number written out.
fn longer(word: &str) -> Option<f64> {
    let wide = word.starts_with(|c: char| c as u32 >= 0x1100);
    let may_be = if wide {
        word.chars().nth(1).is_some()
    } else {
        ENDS.iter().any(|end| word.ends_with(end))
    };
    let small = || {
        #[allow(
            clippy::cast_precision_loss,
            reason = "numbers that are written out are small"
        )]
        let value = words::number(&word.replace('ß', "ss"))? as f64;
        Some(value)
    };
    may_be.then(small).flatten()
}

/// Signs before a Chinese digit that make it a number in a row, or a day of the week.
const ORDINAL: &str = "第周期拜之初";
/// What Chinese counts besides units, without a blank.
const COUNTED: &str = "个人名位件台张份页条只米度斤箱瓶层行列";

fn chinese_digit(c: char) -> bool {
    CHINESE.iter().any(|(digit, _)| *digit == c) || matches!(c, '百' | '千' | '万')
}

/// A number in Chinese signs at the beginning of a text.
fn chinese(text: &str) -> Option<(f64, usize)> {
    let end = text.find(|c| !chinese_digit(c)).unwrap_or(text.len());
    let signs = &text[..end];
    let mut each = signs.chars();
    match (each.next()?, each.next()) {
        (one, None) => {
            let known = CHINESE.iter().find(|(digit, _)| *digit == one);
            known.map(|(_, value)| (*value, end))
        }
        // Longer ones are identifiers.
        _ if end > 24 => None,
        _ => Some((longer(signs)?, end)),
    }
}

/// Whether it surely counts something: a sign of a number is also a part of other words.
fn is_measure(quantity: &Quantity) -> bool {
    match &quantity.unit {
        Unit::Of(name) => name.chars().next().is_some_and(|c| COUNTED.contains(c)),
        _ => true,
    }
}

/// A number in Chinese signs that counts something, at the beginning of a text: its value and the
/// bytes of its signs.
pub(crate) fn chinese_count(text: &str) -> Option<(f64, usize)> {
    let (value, used) = text
        .starts_with(chinese_digit)
        .then(|| chinese(text))
        .flatten()?;
    let (quantity, _) = with_unit(value, &text[used..], true)?;
    is_measure(&quantity).then_some((value, used))
}

/// A number written as a word at the beginning of a text, with its unit.
fn spelled(text: &str) -> Option<(Quantity, usize)> {
    let end = text
        .find(|c: char| !c.is_alphabetic())
        .unwrap_or(text.len());
    let word = &text[..end];
    let wide = text.starts_with(|c: char| c as u32 >= 0x1100);
    if !wide && !may_end(word) {
        return None;
    }
    // No capital letter of these names is longer than the small one.
    let known = (word.len() <= LONGEST_WORD)
        .then(|| {
            let lower = word.to_lowercase();
            WORDS.iter().find(|(name, _)| *name == lower)
        })
        .flatten();
    if let Some((_, value)) = known {
        let (quantity, more) = with_unit(*value, &text[end..], true)?;
        return Some((quantity, end + more));
    }
    if wide {
        return korean(text, word);
    }
    if word.len() > 20 {
        return None;
    }
    let value = longer(&word.to_lowercase())?;
    // `twenty-five`
    let (value, end) = text[end..]
        .strip_prefix('-')
        .and_then(|rest| {
            let rest = &rest[..rest
                .find(|c: char| !c.is_alphabetic())
                .unwrap_or(rest.len())];
            let (_, ones) = WORDS.iter().find(|(name, _)| *name == rest)?;
            Some((value + ones, end + 1 + rest.len()))
        })
        .unwrap_or((value, end));
    let (quantity, more) = with_unit(value, &text[end..], true)?;
    Some((quantity, end + more))
}

/// A Korean number that its unit may follow without a blank (`삼십분`), or of one syllable before
/// a unit of time (`사 주`).
fn korean(text: &str, word: &str) -> Option<(Quantity, usize)> {
    const ONE: [(&str, f64); 8] = [
        ("삼", 3.0),
        ("사", 4.0),
        ("오", 5.0),
        ("육", 6.0),
        ("칠", 7.0),
        ("팔", 8.0),
        ("구", 9.0),
        ("십", 10.0),
    ];
    if let Some((_, value)) = ONE.iter().find(|(name, _)| *name == word) {
        let (quantity, more) = with_unit(*value, &text[word.len()..], true)?;
        return (quantity.unit == Unit::Duration).then_some((quantity, word.len() + more));
    }
    let ends: Vec<usize> = word
        .char_indices()
        .map(|(at, _)| at)
        .skip(2)
        .take(4)
        .collect();
    let whole = word.chars().count().lt(&6).then_some(word.len());
    ends.into_iter().chain(whole).rev().find_map(|end| {
        let value = longer(&word[..end])?;
        let (quantity, more) = with_unit(value, &text[end..], true)?;
        is_measure(&quantity).then_some((quantity, end + more))
    })
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
    fn every_number_written_out_is_looked_at() {
        let latin = WORDS
            .iter()
            .map(|(word, _)| *word)
            .filter(|word| word.len() > 2);
        for word in latin.filter(|word| word.starts_with(|c: char| c.is_ascii())) {
            assert!(word.starts_with(may_be_spelled) && may_end(word), "{word}");
        }
        assert!(ENDS.iter().all(|end| may_end(end)));
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
        for text in [
            "höchstens 450 Kilowatt",
            "450 kW",
            "450킬로와트다",
            "最多450千瓦",
        ] {
            assert_eq!(one(text), (450e3, Unit::Measure("watt")), "{text}");
        }
        for text in ["4 mm", "4밀리보다", "4밀리미터보다", "4毫米", "0.4 cm"] {
            let (value, _) = one(text);
            assert!((value - 0.004).abs() < 1e-9, "{text}");
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
        assert_eq!(one("ZWÖLF Tage"), (1_036_800.0, Unit::Duration));
    }

    #[test]
    fn numbers_are_written_out_in_four_languages() {
        for (text, minutes) in [
            ("stays for thirty minutes", 30.0),
            ("twenty-five minutes at most", 25.0),
            ("nach fünfundvierzig Minuten", 45.0),
            ("dreißig Minuten", 30.0),
            ("elf Minuten", 11.0),
            ("eleven minutes", 11.0),
            ("삼십 분 동안", 30.0),
            ("삼십분 동안", 30.0),
            ("열한 시간", 660.0),
            ("사 주 동안", 40_320.0),
            ("先占位三十分钟", 30.0),
            ("至少隔十一小时", 660.0),
            ("两小时后", 120.0),
            ("每天等三十分钟才放开", 30.0),
        ] {
            assert_eq!(one(text), (minutes * 60.0, Unit::Duration), "{text}");
        }
        assert_eq!(of("下一次排练至少隔十一小时").len(), 2);
        for text in [
            "统一标准",
            "周三开会",
            "第三次",
            "万一",
            "사람 둘이",
            "이분은",
            "party seventh",
            "一点也不",
        ] {
            assert!(of(text).is_empty(), "{text}: {:?}", of(text));
        }
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
