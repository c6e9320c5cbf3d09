//! `--since` and `--until`: days as a person writes them.

use crate::exit::Failure;
use chrono::NaiveDate;
use recall::dates::{self, Span};

/// The days between the two options. An expression may mean more than one day: the range begins with
/// the first of `--since` and ends with the last of `--until`.
pub(super) fn between(
    since: Option<&str>,
    until: Option<&str>,
    today: NaiveDate,
) -> Result<Span, Failure> {
    let read = |name: &str, text: Option<&str>| match text {
        None => Ok(Span::default()),
        Some(text) => dates::parse(text, today).ok_or_else(|| {
            Failure::usage(format!(
                "--{name}: cannot tell which day \"{text}\" is; write it as {today}"
            ))
        }),
    };
    let span = Span {
        since: read("since", since)?.since,
        until: read("until", until)?.until,
    };
    if let (Some(since), Some(until)) = (span.since, span.until)
        && since > until
    {
        return Err(Failure::usage(format!(
            "--since {since} is later than --until {until}"
        )));
    }
    Ok(span)
}
