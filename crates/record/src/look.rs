//! Day files read without the lock: nothing is made, not even the folder. What is found may be out
//! of date a moment later; [`Conversations::apply`](crate::Conversations::apply) notices.

use crate::day::layout::{self, Source};
use crate::day::{self, Brief, Digest};
use crate::file::{Opened, State};
use crate::{Record, Result};
use chrono::NaiveDate;
use safe_file::Error;

/// Bytes read at once when bodies are hashed.
const CHUNK: usize = 64 * 1024;

impl Record {
    /// Reads a day file as what repair needs to match entries, without keeping bodies; empty when
    /// there is none.
    pub fn digest(&self, date: NaiveDate) -> Result<Digest> {
        let path = self.day_path(date)?;
        let Some(mut file) = Opened::open(&path)? else {
            return Ok(Digest::default());
        };
        let read = |error| Error::io("read", &path, error);
        let mut buffer = vec![0; CHUNK];
        let mut entries = Vec::new();
        layout::each(&mut file, true, |file, piece| {
            entries.push(day::brief(file, piece, &mut buffer)?);
            Ok(())
        })
        .map_err(read)?;
        Ok(Digest {
            entries,
            state: Some(file.state),
        })
    }

    /// Whether the day file is still what `seen` tells.
    pub fn is_current(&self, date: NaiveDate, seen: &Digest) -> Result<bool> {
        Ok(State::now(&self.day_path(date)?)? == seen.state)
    }

    /// The digest after a change of what `seen` tells, to be asked for while the lock is held. Where
    /// the file only grew, only what came is read.
    pub(crate) fn digest_again(&self, date: NaiveDate, mut seen: Digest) -> Result<Digest> {
        let path = self.day_path(date)?;
        let (Some(mut file), Some(state)) = (Opened::open(&path)?, &seen.state) else {
            return self.digest(date);
        };
        if !file.state.continues(state) {
            return self.digest(date);
        }
        // The last entry may have been closed off.
        let base = seen.entries.pop().map_or(0, |last| last.span.start);
        let mut buffer = vec![0; CHUNK];
        let mut end = End {
            file: &mut file,
            base,
        };
        layout::each(&mut end, true, |end, piece| {
            let mut entry = day::brief(end, piece, &mut buffer)?;
            entry.span = entry.span.start + base..entry.span.end + base;
            seen.entries.push(entry);
            Ok(())
        })
        .map_err(|error| Error::io("read", &path, error))?;
        seen.state = Some(file.state);
        Ok(seen)
    }

    /// The body of an entry that [`Record::digest`] told of; `None` when it does not stand there any
    /// more.
    pub fn body(&self, date: NaiveDate, entry: &Brief) -> Result<Option<String>> {
        let path = self.day_path(date)?;
        let Some(mut file) = Opened::open(&path)? else {
            return Ok(None);
        };
        let bytes = file
            .bytes(entry.span.start, entry.span.end)
            .map_err(|error| Error::io("read", &path, error))?;
        let found = day::parse(&bytes).into_iter().next();
        Ok(found
            .map(|found| found.entry.body)
            .filter(|body| day::hash(body) == entry.hash))
    }

    /// Whether there is a folder for conversations.
    pub fn has_conversations(&self) -> Result<bool> {
        Ok(self.resolve(crate::CONVERSATIONS)?.is_dir())
    }

    /// The file whose lock lets one repair work at a time (`conversations/.mnemo-repair.lock`). The
    /// folder is made if absent.
    pub fn repair_lock_file(&self) -> Result<std::path::PathBuf> {
        if !self.has_conversations()? {
            drop(self.conversations()?);
        }
        self.resolve(&format!("{}/.mnemo-repair.lock", crate::CONVERSATIONS))
    }
}

/// A file from some place on.
struct End<'a> {
    file: &'a mut Opened,
    base: u64,
}

impl Source for End<'_> {
    fn size(&self) -> u64 {
        self.file.size().saturating_sub(self.base)
    }

    fn read_at(&mut self, at: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.file.read_at(at + self.base, buffer)
    }
}
