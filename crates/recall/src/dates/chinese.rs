//! Chinese has no spaces between words: cuts a run where something in it may be a time.

use std::ops::Range;

/// Cuts a run of Han at the times in it. Numbers in words are read (`三天前`, `十月`).
pub(super) fn cut(
    text: &str,
    range: Range<usize>,
    numbered: bool,
    out: &mut Vec<(Range<usize>, Option<u32>)>,
) {
    let mut at = range.start;
    let mut plain = at;
    // Whether what stands right before is a part of a time, and whether that has thirds.
    let mut time = numbered;
    let mut month = false;
    let mut number = numbered;
    while at < range.end {
        let rest = text.get(at..range.end).unwrap_or_default();
        let before = text.get(range.start..at).unwrap_or_default();
        // What stands here: its bytes, the number that it is, whether it has thirds.
        let (length, count, is_month) = if number && let Some(unit) = unit_at(rest) {
            (unit.len(), None, unit.starts_with(['月', '年']))
        } else if time && let Some(bound) = bound_at(rest, month) {
            (bound.len(), None, false)
        } else if let Some((length, count)) = number_at(rest)
            && !before.ends_with(['第', '每'])
            && rest.get(length..).and_then(unit_at).is_some()
        {
            (length, Some(count), false)
        } else {
            let length = time_at(before, rest).unwrap_or(0);
            let last = rest.get(..length).and_then(|time| time.chars().next_back());
            (length, None, matches!(last, Some('月' | '年' | '度')))
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

fn unit_at(rest: &str) -> Option<&'static str> {
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
fn bound_at(rest: &str, month: bool) -> Option<&'static str> {
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
    const THIRDS: [(&str, &str); 11] = [
        ("年初", ""),
        ("年中", ""),
        ("年底", ""),
        ("年末", ""),
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
            .is_some_and(|tail| !tail.starts_with(|c| not.contains(c)) || tail.starts_with("部署"))
    };
    if month && let Some((third, _)) = THIRDS.iter().find(fits) {
        return Some(third);
    }
    BOUNDS.iter().find(fits).map(|(bound, _)| *bound)
}

/// A number up to 99 in words: its bytes and what it is.
fn number_at(rest: &str) -> Option<(usize, u32)> {
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
fn time_at(before: &str, rest: &str) -> Option<usize> {
    const WEEKS: [&str; 14] = [
        "上上个星期",
        "上个星期",
        "这个星期",
        "上个礼拜",
        "这个礼拜",
        "上上周",
        "上星期",
        "本星期",
        "上礼拜",
        "上个周",
        "这个周",
        "上周",
        "本周",
        "这周",
    ];
    const OTHERS: [&str; 28] = [
        "上上个月",
        "上个季度",
        "这个季度",
        "上个月",
        "这个月",
        "上季度",
        "本季度",
        "上上月",
        "大前天",
        "大前年",
        "上月",
        "本月",
        "今天",
        "昨天",
        "前天",
        "今早",
        "今晚",
        "昨晚",
        "昨夜",
        "去年",
        "前年",
        "今年",
        "本年",
        "明年",
        "来年",
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
            if week.ends_with('周') && tail.starts_with('末') {
                return Some(week.len() + '末'.len_utf8());
            }
            return Some(week.len() + weekday(tail));
        }
    }
    for other in OTHERS {
        if rest.starts_with(other) {
            // `说明年份`, `版本年费`, `未来年度`, `前年度`
            let another = match other.chars().next() {
                Some('前') => before.ends_with(['以', '之', '目', '日']),
                Some('明') => before.ends_with(|c| "说声表证透阐标注文聪发".contains(c)),
                Some('来') => before.ends_with(|c| "未原本以近从历".contains(c)),
                Some('本') => before.ends_with(|c| "版成基样文脚副资".contains(c)),
                _ => false,
            };
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
