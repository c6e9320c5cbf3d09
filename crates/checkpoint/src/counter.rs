//! The state file: changed under a lock, replaced whole, healed when it is not what it should be.

use crate::state::{self, Parsed};
use crate::{Counted, Due, State, WhenDue};
use chrono::{DateTime, Utc};
use safe_file::{Error, Lock, Result};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long a stop waits for others that count at the same time.
const WAIT: Duration = Duration::from_secs(2);
/// A state file is some hundred bytes; nothing larger is one.
const LONGEST: u64 = 64 * 1024;
/// How many things are put aside under one time before giving up.
const MOST_ASIDE: u32 = 100;

/// The counter's file.
#[derive(Debug, Clone)]
pub struct Counter {
    path: PathBuf,
}

/// What stands in the file's place.
struct Loaded {
    parsed: Parsed,
    /// It is no file that can be read as one (a folder, a device, much too long).
    foreign: bool,
    exists: bool,
}

impl Counter {
    /// `<folder>/.consolidate-state`; the folder is made 0700 when the counter is first written.
    pub fn in_folder(folder: &Path) -> Self {
        Self {
            path: folder.join(".consolidate-state"),
        }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Counts one stop under the lock. `when_due` is asked only when it is due.
    ///
    /// A state that is damaged, negative, ahead of the clock, from a newer version or no file at all
    /// is healed and [`Counted::healed`] says how; what could be of use to someone is put aside as
    /// `.consolidate-state.damaged-<time>`, never deleted.
    pub fn count(
        &self,
        now: DateTime<Utc>,
        due: Due,
        when_due: impl FnOnce() -> WhenDue,
    ) -> Result<Counted> {
        let _lock = self.lock(true)?;
        let mut loaded = self.load();
        let mut healed = self.put_aside(&mut loaded, now)?;
        let state = &mut loaded.parsed.state;
        if let Some(what) = state::heal_times(state, now) {
            loaded.parsed.wrong.push(what);
        }
        state::count(state, now);
        let mut emit = false;
        if state::is_due(state, now, due) {
            match when_due() {
                WhenDue::Emit => {
                    state::trigger(state, now, false);
                    emit = true;
                }
                WhenDue::HandOver => state::trigger(state, now, true),
                WhenDue::Wait => {}
            }
        }
        self.store(&loaded.parsed)?;
        if !loaded.parsed.wrong.is_empty() {
            let said = format!(
                "healed {}: {}",
                self.path.display(),
                loaded.parsed.wrong.join(", ")
            );
            healed = Some(match healed {
                Some(aside) => format!("{said}; {aside}"),
                None => said,
            });
        }
        Ok(Counted {
            state: loaded.parsed.state,
            due: emit,
            healed,
        })
    }

    /// Takes a pending checkpoint (once). Costs one failed open when there is no state, and one read
    /// without a lock when nothing is pending.
    pub fn take_pending(&self, now: DateTime<Utc>) -> Result<bool> {
        if !self.load().parsed.state.pending {
            return Ok(false);
        }
        let _lock = self.lock(false)?;
        let mut loaded = self.load();
        if loaded.foreign || loaded.parsed.put_aside || !loaded.parsed.state.pending {
            // Another prompt took it, or the next stop has to heal the file first.
            return Ok(false);
        }
        loaded.parsed.state.pending = false;
        state::heal_times(&mut loaded.parsed.state, now);
        self.store(&loaded.parsed)?;
        Ok(true)
    }

    /// Reads without changing. What cannot be read counts as nothing counted yet.
    pub fn peek(&self) -> Result<State> {
        Ok(self.load().parsed.state)
    }

    /// The lock beside the file; its name is hidden as the state's is.
    fn lock(&self, make_folder: bool) -> Result<Lock> {
        let path = self.path.with_file_name(".consolidate-state.lock");
        match Lock::acquire(&path, WAIT) {
            Err(Error::Io { source, .. })
                if make_folder && source.kind() == std::io::ErrorKind::NotFound =>
            {
                if let Some(folder) = self.path.parent() {
                    safe_file::create_private_dir(folder)?;
                }
                Lock::acquire(&path, WAIT)
            }
            other => other,
        }
    }

    fn load(&self) -> Loaded {
        match safe_file::read(&self.path, LONGEST) {
            Ok(Some(bytes)) => Loaded {
                parsed: state::parse(&bytes),
                foreign: false,
                exists: true,
            },
            Ok(None) => Loaded {
                parsed: Parsed::default(),
                foreign: false,
                exists: false,
            },
            Err(_) => Loaded {
                parsed: Parsed {
                    wrong: vec!["it could not be read as a file"],
                    put_aside: true,
                    ..Parsed::default()
                },
                foreign: true,
                exists: true,
            },
        }
    }

    /// Moves away what must not be written over. A file that is merely damaged may stay when it
    /// cannot be moved; a folder may not.
    fn put_aside(&self, loaded: &mut Loaded, now: DateTime<Utc>) -> Result<Option<String>> {
        if !loaded.exists || !loaded.parsed.put_aside {
            return Ok(None);
        }
        let stamp = now.format("%Y%m%d-%H%M%S");
        for n in 0..MOST_ASIDE {
            let suffix = if n == 0 {
                String::new()
            } else {
                format!("-{n}")
            };
            let aside = self
                .path
                .with_file_name(format!(".consolidate-state.damaged-{stamp}{suffix}"));
            if aside.symlink_metadata().is_ok() {
                continue;
            }
            return match safe_file::move_aside(&self.path, &aside) {
                Ok(()) => Ok(Some(format!("kept it as {}", aside.display()))),
                Err(_) if !loaded.foreign => Ok(None),
                Err(error) => Err(error),
            };
        }
        Ok(None)
    }

    fn store(&self, parsed: &Parsed) -> Result<()> {
        let text = state::render(&parsed.state, &parsed.others);
        safe_file::replace_cheaply(&self.path, text.as_bytes())
    }
}
