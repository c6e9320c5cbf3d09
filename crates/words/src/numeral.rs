//! Numbers in words: `삼백`, `dreihundert` and `three hundred` are 300.

/// The value of a folded word that is a number written out. Words that mean something else as well
/// (`일`, `ein`) are none.
pub fn value(word: &str) -> Option<u64> {
    if word.is_empty() {
        None
    } else if word.starts_with(|c: char| ('가'..='힣').contains(&c)) {
        korean(word)
    } else if word.starts_with(|c: char| c.is_ascii_alphabetic() || c == 'ü' || c == 'ö') {
        latin(word)
    } else {
        chinese(word)
    }
}

/// What a Korean or Chinese unit that follows digits multiplies them by.
pub(crate) fn unit(c: char) -> Option<u64> {
    Some(match c {
        '백' | '百' => 100,
        '천' | '千' => 1_000,
        '만' | '万' | '萬' => 10_000,
        '억' | '亿' => 100_000_000,
        _ => return None,
    })
}

fn korean(word: &str) -> Option<u64> {
    const NATIVE: &[(&str, u64)] = &[
        ("하나", 1),
        ("한", 1),
        ("둘", 2),
        ("두", 2),
        ("셋", 3),
        ("세", 3),
        ("넷", 4),
        ("네", 4),
        ("다섯", 5),
        ("여섯", 6),
        ("일곱", 7),
        ("여덟", 8),
        ("아홉", 9),
    ];
    const TENS: &[(&str, u64)] = &[
        ("열", 10),
        ("스물", 20),
        ("스무", 20),
        ("서른", 30),
        ("마흔", 40),
        ("쉰", 50),
        ("예순", 60),
        ("일흔", 70),
        ("여든", 80),
        ("아흔", 90),
    ];
    let native = |word: &str| {
        NATIVE
            .iter()
            .find(|(name, _)| *name == word)
            .map(|(_, n)| *n)
    };
    for (name, ten) in TENS {
        match word.strip_prefix(name) {
            Some("") => return Some(*ten),
            Some(rest) => {
                if let Some(n) = native(rest) {
                    return Some(ten + n);
                }
            }
            None => {}
        }
    }
    native(word).or_else(|| places(word, "일이삼사오육칠팔구", "십백천", "만억"))
}

fn chinese(word: &str) -> Option<u64> {
    match word {
        "两" => return Some(2),
        "一" | "二" | "三" | "四" | "五" | "六" | "七" | "八" | "九" => {}
        _ => return places(word, "一二三四五六七八九", "十百千", "万亿"),
    }
    "一二三四五六七八九"
        .chars()
        .zip(1..)
        .find(|(c, _)| word.starts_with(*c))
        .map(|(_, n)| n)
}

/// Digits and units of a place-value language. One sign alone is no number: it means too much else.
fn places(word: &str, digits: &str, small: &str, large: &str) -> Option<u64> {
    if word.chars().count() < 2 {
        return None;
    }
    let place = |signs: &str, c| {
        signs
            .chars()
            .zip(1u32..)
            .find(|(sign, _)| *sign == c)
            .map(|(_, n)| n)
    };
    let (mut total, mut part, mut digit) = (0u64, 0u64, None);
    let mut units = false;
    for c in word.chars() {
        if let Some(n) = place(digits, c) {
            if digit.replace(u64::from(n)).is_some() {
                return None;
            }
        } else if let Some(n) = place(small, c) {
            units = true;
            part = part.checked_add(digit.take().unwrap_or(1).checked_mul(10u64.pow(n))?)?;
        } else if let Some(n) = place(large, c) {
            units = true;
            let before = (part + digit.take().unwrap_or(0)).max(1);
            total = total.checked_add(before.checked_mul(10_000u64.checked_pow(n)?)?)?;
            part = 0;
        } else {
            return None;
        }
    }
    units.then(|| total + part + digit.unwrap_or(0))
}

fn latin(word: &str) -> Option<u64> {
    const SMALL: &[(&str, u64)] = &[
        ("zwei", 2),
        ("two", 2),
        ("drei", 3),
        ("three", 3),
        ("vier", 4),
        ("four", 4),
        ("fünf", 5),
        ("fuenf", 5),
        ("five", 5),
        ("sechs", 6),
        ("six", 6),
        ("sieben", 7),
        ("seven", 7),
        ("acht", 8),
        ("eight", 8),
        ("neun", 9),
        ("nine", 9),
        ("zehn", 10),
        ("ten", 10),
        ("elf", 11),
        ("eleven", 11),
        ("zwölf", 12),
        ("twelve", 12),
        ("thirteen", 13),
        ("fifteen", 15),
        ("sechzehn", 16),
        ("siebzehn", 17),
        ("zwanzig", 20),
        ("twenty", 20),
        ("dreissig", 30),
        ("thirty", 30),
        ("vierzig", 40),
        ("forty", 40),
        ("fünfzig", 50),
        ("fifty", 50),
        ("sechzig", 60),
        ("sixty", 60),
        ("siebzig", 70),
        ("seventy", 70),
        ("achtzig", 80),
        ("eighty", 80),
        ("neunzig", 90),
        ("ninety", 90),
        ("hundert", 100),
        ("hundred", 100),
        ("tausend", 1_000),
        ("thousand", 1_000),
    ];
    let small = |word: &str| {
        SMALL
            .iter()
            .find(|(name, _)| *name == word)
            .map(|(_, n)| *n)
    };
    let one = |word: &str| match word {
        "" | "ein" | "eine" => Some(1),
        _ => latin(word),
    };
    if let Some(n) = small(word) {
        return Some(n);
    }
    for (name, factor) in [("tausend", 1_000), ("hundert", 100)] {
        if let Some((before, after)) = word.split_once(name) {
            let rest = if after.is_empty() { 0 } else { latin(after)? };
            return one(before)?.checked_mul(factor)?.checked_add(rest);
        }
    }
    if let Some(before) = word.strip_suffix("zehn").or(word.strip_suffix("teen")) {
        return small(before).filter(|n| *n < 10).map(|n| n + 10);
    }
    let (before, after) = word.split_once("und")?;
    Some(one(before).filter(|n| *n < 10)? + small(after).filter(|n| *n >= 20)?)
}

/// Joins `three` and `hundred`, `2` and `thousand`.
pub(crate) fn product(before: u64, after: u64) -> Option<u64> {
    if matches!(after, 100 | 1_000) && before < 100 {
        before.checked_mul(after)
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn numbers_in_words() {
        for (word, n) in [
            ("삼백", 300),
            ("이천", 2_000),
            ("이십일", 21),
            ("팔십", 80),
            ("만이천", 12_000),
            ("스물다섯", 25),
            ("열한", 11),
            ("세", 3),
            ("dreihundert", 300),
            ("zweitausend", 2_000),
            ("fünfundzwanzig", 25),
            ("einundzwanzig", 21),
            ("fünfzehn", 15),
            ("fourteen", 14),
            ("hundert", 100),
            ("三百", 300),
            ("十二", 12),
            ("两", 2),
        ] {
            assert_eq!(value(word), Some(n), "{word}");
        }
        for word in [
            "이상",
            "일",
            "천",
            "만",
            "und",
            "hund",
            "wunderbar",
            "grund",
            "",
            "천장",
        ] {
            assert_eq!(value(word), None, "{word}");
        }
    }

    proptest! {
        #[test]
        fn any_word_is_read(word in "\\PC{0,12}|[일이삼백천만억十百万亿]{0,40}|(und|ein|hundert|zehn){0,9}") {
            let _ = value(&word);
        }
    }
}
