//! Standard input, to its end.

use std::time::Duration;

/// A hook ends within a second of the last byte even if nobody closes its input; this much of it
/// is spent on waiting for more.
const QUIET: Duration = Duration::from_millis(800);

/// How long the first byte may take. On a busy machine the client needs its time between starting
/// a hook and writing to it; an input that never says anything is not waited for longer.
const FIRST: Duration = Duration::from_secs(5);

/// More than this is read to the end but not kept. The longest real payloads are tool results and
/// prompts of some megabytes.
const MOST: usize = 1 << 30;

/// What was read.
pub(crate) struct Input {
    pub(crate) bytes: Vec<u8>,
    /// It was more than fits; `bytes` is its beginning.
    pub(crate) too_long: bool,
}

impl Input {
    fn new() -> Self {
        Self {
            bytes: Vec::new(),
            too_long: false,
        }
    }

    /// Room for the next `chunk`. Where there can be none, what was read is given up to make it.
    fn make_room(&mut self, chunk: usize) {
        if self.bytes.capacity() - self.bytes.len() >= chunk / 4 {
            return;
        }
        // Doubles for long inputs; a pipe gives at most 64 KB at once.
        let more = self.bytes.len().max(chunk);
        if self.bytes.len() >= MOST || self.bytes.try_reserve_exact(more).is_err() {
            self.too_long = true;
            self.bytes.truncate(chunk);
        }
    }
}

#[cfg(unix)]
mod system {
    use super::{FIRST, Input, QUIET};
    use rustix::buffer::spare_capacity;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::io::{Errno, read};

    const CHUNK: usize = 64 * 1024;

    /// Reads until the end, an error, or a silence. Waiting with a time limit and reading from the
    /// same thread: a second thread would cost more than all the rest of a hook's start.
    pub(crate) fn drain() -> Input {
        let stdin = rustix::stdio::stdin();
        let quiet = Timespec {
            tv_sec: 0,
            tv_nsec: QUIET.subsec_nanos().into(),
        };
        let first = Timespec {
            tv_sec: FIRST.as_secs().cast_signed(),
            tv_nsec: 0,
        };
        let mut input = Input::new();
        let mut seen = [PollFd::new(&stdin, PollFlags::IN)];
        loop {
            let limit = if input.bytes.is_empty() {
                &first
            } else {
                &quiet
            };
            match poll(&mut seen, Some(limit)) {
                Ok(0) => break,
                Ok(_) => {}
                Err(Errno::INTR) => continue,
                Err(_) => break,
            }
            input.make_room(CHUNK);
            // Also after an error flag: reading tells (macOS has one for /dev/null).
            match read(stdin, spare_capacity(&mut input.bytes)) {
                Ok(0) => break,
                Ok(_) | Err(Errno::INTR | Errno::AGAIN) => {}
                Err(_) => break,
            }
        }
        input
    }
}

#[cfg(not(unix))]
mod system {
    use super::{FIRST, Input, QUIET};
    use std::io::Read as _;
    use std::sync::mpsc;

    const CHUNK: usize = 64 * 1024;

    /// A thread reads; it is left behind when the input falls silent.
    pub(crate) fn drain() -> Input {
        let (send, chunks) = mpsc::channel::<Vec<u8>>();
        let reader = std::thread::Builder::new().spawn(move || {
            let mut stdin = std::io::stdin().lock();
            loop {
                let mut chunk = vec![0; CHUNK];
                match stdin.read(&mut chunk) {
                    Ok(0) | Err(_) => break,
                    Ok(length) => chunk.truncate(length),
                }
                if send.send(chunk).is_err() {
                    break;
                }
            }
        });
        let mut input = Input::new();
        if reader.is_ok() {
            let mut limit = FIRST;
            while let Ok(chunk) = chunks.recv_timeout(limit) {
                limit = QUIET;
                input.make_room(CHUNK);
                input.bytes.extend_from_slice(&chunk);
            }
        }
        input
    }
}

pub(crate) use system::drain;
