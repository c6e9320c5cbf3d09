//! The record's files that repair reads and locks.

use crate::Error;
use chrono::NaiveDate;
use record::Record;
use record::day::{self, Brief, Digest};
use safe_file::Lock;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::path::PathBuf;

/// `conversations/`, resolved inside the record's boundary.
fn folder(record: &Record) -> Result<Option<PathBuf>, Error> {
    let file = record.day_path(NaiveDate::default())?;
    Ok(file.parent().map(PathBuf::from))
}

/// Whether there is a folder for conversations.
pub(crate) fn exists(record: &Record) -> Result<bool, Error> {
    Ok(folder(record)?.is_some_and(|folder| folder.is_dir()))
}

/// The lock that lets one repair work at a time; `None` when another holds it. Makes the folder
/// where there is none.
pub(crate) fn lock(record: &Record) -> Result<Option<Lock>, Error> {
    if !exists(record)? {
        drop(record.conversations()?);
    }
    let folder = folder(record)?.unwrap_or_default();
    Ok(Lock::try_acquire(&folder.join(".mnemo-repair.lock"))?)
}

/// The entries of a day file, without its bodies; none when there is no file.
pub(crate) fn digest(record: &Record, date: NaiveDate) -> Result<Digest, Error> {
    if !record.day_path(date)?.exists() {
        return Ok(Digest::default());
    }
    Ok(record.conversations()?.digest(date)?)
}

/// The body of one entry; `None` when it does not stand there any more.
pub(crate) fn body(record: &Record, date: NaiveDate, brief: &Brief) -> Option<String> {
    let mut file = File::open(record.day_path(date).ok()?).ok()?;
    file.seek(SeekFrom::Start(brief.span.start)).ok()?;
    let length = brief.span.end.checked_sub(brief.span.start)?;
    let mut bytes = Vec::new();
    file.take(length).read_to_end(&mut bytes).ok()?;
    let entry = day::parse(&bytes).into_iter().next()?.entry;
    (day::hash(&entry.body) == brief.hash).then_some(entry.body)
}
