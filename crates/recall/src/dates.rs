//! Dates in a query: `지난주`, `early October`, `letzte Woche`, `上周`, `since Tuesday`.
//!
//! Weeks begin on Monday. Early in a month is the 1st to the 10th, the middle the 11th to the
//! 20th, late the 21st to the end. A month without a year is the last one that has begun.

mod chinese;
mod lexicon;
mod named;
mod reader;
mod relative;
mod spelling;
mod years;

use chrono::{Days, Months, NaiveDate};
use reader::Reader;
use spelling::words_of;
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
            year: None,
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
            let to_come = span.since.is_some_and(|since| since > today);
            if to_come || reader.recurs(used) {
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

#[cfg(test)]
mod tests;
