//! A record as one Markdown, JSON or HTML file.
//!
//! [`write`] streams the day files of a range to any writer, one day at a time. What is private and
//! what looks like a secret is taken out once more on the way: archives of older tools may hold it.

mod code;
mod days;
mod html;
mod json;
mod markdown;
mod message;
mod steering;

use chrono::NaiveDate;
use mnemo_home::Language;
use record::Record;
use redact::Policy;
use std::io::Write;

/// What the file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// One Markdown file.
    Markdown,
    /// One JSON object.
    Json,
    /// One page that needs nothing else: no network, no other file.
    Html,
}

/// What goes in.
#[derive(Debug, Clone)]
pub struct Request {
    /// First local date; `None`: from the beginning.
    pub since: Option<NaiveDate>,
    /// Last local date; `None`: to the end.
    pub until: Option<NaiveDate>,
    /// Form of the file.
    pub format: Format,
    /// What is taken out of the text.
    pub policy: Policy,
    /// Language of the page's own words.
    pub language: Language,
}

/// What went out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Told {
    /// Days with at least one entry.
    pub days: usize,
    /// Entries.
    pub entries: usize,
    /// Day files that could not be read, and why.
    pub left_out: Vec<String>,
}

/// Errors of this crate.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A day file could not be read.
    #[error(transparent)]
    File(#[from] safe_file::Error),
    /// The record could not be read.
    #[error(transparent)]
    Record(#[from] record::Error),
    /// The output could not be written.
    #[error("cannot write the export: {0}")]
    Output(#[from] std::io::Error),
}

/// Result of this crate.
pub type Result<T> = std::result::Result<T, Error>;

/// Writes the entries of a range. A day file that cannot be read is left out, and told.
pub fn write(record: &Record, request: &Request, out: &mut dyn Write) -> Result<Told> {
    let mut days = days::Days::new(record, request)?;
    let mut told = match request.format {
        Format::Markdown => markdown::write(&mut days, out),
        Format::Json => json::write(&mut days, out),
        Format::Html => html::write(&mut days, request.language, out),
    }?;
    told.left_out = days.left_out();
    Ok(told)
}
