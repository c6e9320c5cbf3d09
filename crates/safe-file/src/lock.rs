//! Kernel locks on open files, with a bounded wait.

use crate::append::open_or_create;
use crate::platform::{self, Access};
use crate::{Error, Result};
use std::fs::{File, TryLockError};
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::Path;
use std::time::{Duration, Instant};

/// First pause between two tries.
const FIRST_PAUSE: Duration = Duration::from_micros(50);
/// Longest pause between two tries.
const LONGEST_PAUSE: Duration = Duration::from_millis(20);

/// A held kernel lock. Dropped = released; also when the process dies, however it dies.
#[derive(Debug)]
pub struct Lock {
    _file: Option<File>,
    supported: bool,
}

/// One try to lock an open file. A parameter so that tests can play a file system without locks.
type TryLock = fn(&File) -> std::result::Result<(), TryLockError>;

impl Lock {
    /// Takes the lock on `path` (created 0600 if absent), trying with growing pauses for at most
    /// `wait`; checks after taking it that the file was not unlinked meanwhile. Where the file
    /// system has no locks the lock is granted and [`Lock::supported`] is false.
    pub fn acquire(path: &Path, wait: Duration) -> Result<Self> {
        acquire_by(path, wait, File::try_lock)
    }

    /// One try: `None` when another process holds it.
    pub fn try_acquire(path: &Path) -> Result<Option<Self>> {
        try_by(path, &mut None, File::try_lock)
    }

    /// False where the file system has no locks.
    pub fn supported(&self) -> bool {
        self.supported
    }
}

fn acquire_by(path: &Path, wait: Duration, try_lock: TryLock) -> Result<Lock> {
    let mut opened = None;
    // The good path reads no clock.
    if let Some(lock) = try_by(path, &mut opened, try_lock)? {
        return Ok(lock);
    }
    let start = Instant::now();
    let mut pause = FIRST_PAUSE;
    let mut jitter = Jitter::new();
    loop {
        let left = wait.saturating_sub(start.elapsed());
        if left.is_zero() {
            return Err(Error::Busy {
                path: path.to_owned(),
            });
        }
        std::thread::sleep(jitter.around(pause).min(left));
        if let Some(lock) = try_by(path, &mut opened, try_lock)? {
            return Ok(lock);
        }
        pause = (pause * 2).min(LONGEST_PAUSE);
    }
}

/// One try; `opened` keeps the open file for the next one.
fn try_by(path: &Path, opened: &mut Option<File>, try_lock: TryLock) -> Result<Option<Lock>> {
    // A file that was unlinked or replaced before we had its lock guards nothing: open anew. Only
    // a process that keeps unlinking could make this fail, and then it counts as held.
    for _ in 0..16 {
        let file = match opened.take() {
            Some(file) => file,
            None => open_or_create("lock", path, Access::ReadWrite)?,
        };
        match try_lock(&file) {
            Ok(()) => {
                if platform::same_file(&file, path)
                    .map_err(|error| Error::io("lock", path, error))?
                {
                    return Ok(Some(Lock {
                        _file: Some(file),
                        supported: true,
                    }));
                }
            }
            Err(TryLockError::WouldBlock) => {
                *opened = Some(file);
                return Ok(None);
            }
            Err(TryLockError::Error(error)) if platform::is_lock_unsupported(&error) => {
                return Ok(Some(Lock {
                    _file: None,
                    supported: false,
                }));
            }
            Err(TryLockError::Error(error)) if error.kind() == std::io::ErrorKind::Interrupted => {
                *opened = Some(file);
            }
            Err(TryLockError::Error(error)) => return Err(Error::io("lock", path, error)),
        }
    }
    Ok(None)
}

/// Spreads the tries of processes that began to wait at the same moment.
struct Jitter(u64);

impl Jitter {
    fn new() -> Self {
        // The standard library seeds this at random in each process.
        Self(RandomState::new().build_hasher().finish() | 1)
    }

    /// Between half of `pause` and one and a half of it.
    fn around(&mut self, pause: Duration) -> Duration {
        // xorshift64
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        let part = u32::try_from(self.0 % 1024).unwrap_or(0);
        pause / 2 + pause * part / 1024
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io;

    fn folder() -> tempfile::TempDir {
        tempfile::tempdir().unwrap()
    }

    #[test]
    fn a_file_system_without_locks_grants_and_says_so() {
        let folder = folder();
        let path = folder.path().join("lock");
        let unsupported: TryLock = |_| Err(TryLockError::Error(io::ErrorKind::Unsupported.into()));
        let lock = acquire_by(&path, Duration::ZERO, unsupported).unwrap();
        assert!(!lock.supported());
        let second = acquire_by(&path, Duration::ZERO, unsupported).unwrap();
        assert!(!second.supported());
    }

    #[cfg(unix)]
    #[test]
    fn the_codes_of_network_file_systems_mean_unsupported() {
        use rustix::io::Errno;
        for code in [Errno::NOLCK, Errno::NOSYS, Errno::OPNOTSUPP] {
            assert!(
                platform::is_lock_unsupported(&io::Error::from(code)),
                "{code}"
            );
        }
        for code in [Errno::ACCESS, Errno::IO, Errno::BADF] {
            assert!(!platform::is_lock_unsupported(&io::Error::from(code)));
        }
    }

    #[test]
    fn another_failure_of_the_lock_call_is_an_error() {
        let folder = folder();
        let failing: TryLock = |_| Err(TryLockError::Error(io::Error::other("broken")));
        let error = acquire_by(&folder.path().join("lock"), Duration::ZERO, failing).unwrap_err();
        assert!(matches!(error, Error::Io { action: "lock", .. }), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn a_file_unlinked_between_open_and_lock_is_opened_anew() {
        let folder = folder();
        let path = folder.path().join("lock");
        let stale = open_or_create("lock", &path, Access::ReadWrite).unwrap();
        std::fs::remove_file(&path).unwrap();
        let mut opened = Some(stale);
        let lock = try_by(&path, &mut opened, File::try_lock).unwrap().unwrap();
        assert!(lock.supported());
        assert!(Lock::try_acquire(&path).unwrap().is_none());
    }

    #[cfg(unix)]
    #[test]
    fn a_file_replaced_between_open_and_lock_is_opened_anew() {
        let folder = folder();
        let path = folder.path().join("lock");
        let stale = open_or_create("lock", &path, Access::ReadWrite).unwrap();
        let other = folder.path().join("other");
        std::fs::write(&other, b"").unwrap();
        std::fs::rename(&other, &path).unwrap();
        let lock = try_by(&path, &mut Some(stale), File::try_lock)
            .unwrap()
            .unwrap();
        assert!(lock.supported());
        assert!(Lock::try_acquire(&path).unwrap().is_none());
    }

    #[test]
    fn pauses_stay_around_what_was_asked() {
        let mut jitter = Jitter::new();
        let pause = Duration::from_millis(10);
        let pauses: Vec<_> = (0..1000).map(|_| jitter.around(pause)).collect();
        assert!(
            pauses
                .iter()
                .all(|p| *p >= pause / 2 && *p <= pause * 3 / 2)
        );
        assert!(pauses.iter().any(|p| *p < pause) && pauses.iter().any(|p| *p > pause));
    }
}
