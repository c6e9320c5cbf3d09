//! The days of a range, read one at a time.

use crate::{Format, Request, Result, steering};
use chrono::{NaiveDate, NaiveTime};
use claude_hook::Role;
use record::Record;
use redact::Policy;

/// Largest day file that is read, in bytes.
const LIMIT: u64 = 4 << 30;

/// The days of a range, oldest first.
pub(crate) struct Days<'a> {
    record: &'a Record,
    dates: std::vec::IntoIter<NaiveDate>,
    policy: Policy,
    /// Whether what is written is shown as it stands, so that nothing in it may steer who shows it.
    shown: bool,
    left_out: Vec<String>,
}

/// One day.
pub(crate) struct Day {
    pub(crate) date: NaiveDate,
    pub(crate) entries: Vec<Entry>,
}

/// One entry, filtered.
pub(crate) struct Entry {
    pub(crate) time: NaiveTime,
    pub(crate) role: Role,
    pub(crate) session: Option<String>,
    pub(crate) turn: Option<String>,
    pub(crate) text: String,
}

impl<'a> Days<'a> {
    pub(crate) fn new(record: &'a Record, request: &Request) -> Result<Self> {
        let mut dates = record.days()?;
        dates.retain(|date| {
            request.since.is_none_or(|since| *date >= since)
                && request.until.is_none_or(|until| *date <= until)
        });
        Ok(Self {
            record,
            dates: dates.into_iter(),
            policy: request.policy,
            shown: request.format != Format::Json,
            left_out: Vec::new(),
        })
    }

    /// The project's name.
    pub(crate) fn project(&self) -> String {
        let name = self.record.root().path().file_name().unwrap_or_default();
        mnemo_home::one_line(&name.to_string_lossy(), 200)
    }

    /// The files that could not be read, and why.
    pub(crate) fn left_out(self) -> Vec<String> {
        self.left_out
    }

    /// The next day that has entries.
    pub(crate) fn next(&mut self) -> Option<Day> {
        for date in self.dates.by_ref() {
            let read = self
                .record
                .day_path(date)
                .and_then(|path| Ok(safe_file::read(&path, LIMIT)?));
            let bytes = match read {
                Ok(Some(bytes)) => bytes,
                Ok(None) => continue,
                Err(error) => {
                    self.left_out.push(error.to_string());
                    continue;
                }
            };
            let entries: Vec<Entry> = record::day::parse(&bytes)
                .into_iter()
                .map(|located| {
                    let entry = located.entry;
                    let (session, turn) = entry
                        .marker
                        .map_or((None, None), |marker| (marker.session, marker.turn));
                    Entry {
                        time: entry.time,
                        role: entry.role,
                        session,
                        turn,
                        text: {
                            let text = redact::clean_owned(entry.body, self.policy).into_string();
                            if self.shown {
                                steering::replaced(text)
                            } else {
                                text
                            }
                        },
                    }
                })
                .collect();
            if !entries.is_empty() {
                return Some(Day { date, entries });
            }
        }
        None
    }
}

impl Entry {
    /// `User` or `Assistant`.
    pub(crate) fn who(&self) -> &'static str {
        match self.role {
            Role::User => "User",
            Role::Assistant => "Assistant",
        }
    }
}
