//! Day files read without the lock: nothing is made, not even the folder. What is found may be out
//! of date a moment later; [`Conversations::apply`](crate::Conversations::apply) notices.

use crate::day::{self, Brief, Digest, layout};
use crate::file::Opened;
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
