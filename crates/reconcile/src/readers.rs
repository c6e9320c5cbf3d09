//! Transcripts read ahead by threads of their own, handed over in the order they are wanted in.
//!
//! Only for a repair by hand with much to read: a session's start has half a second in all, and
//! mostly nothing to read.

use crate::said::Ready;
use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use transcript::{Position, Report, Turn};

/// What is read ahead, in bytes, of all transcripts together.
const AHEAD: usize = 4 << 20;
/// So much is handed over at once.
const BATCH: usize = 256 << 10;
/// More threads than this only wait for the one that compares and writes.
const MOST: usize = 4;
/// How often the one that waits is told how far the others are.
const PAUSE: Duration = Duration::from_millis(100);

/// A transcript to be read.
pub(crate) struct Wanted {
    pub(crate) path: PathBuf,
    pub(crate) from: Position,
}

/// What comes from a transcript.
pub(crate) enum Step {
    Turns(Vec<Ready>),
    /// Nothing new yet; bytes read so far of all.
    Waiting(u64),
    End(Result<Report, transcript::Error>),
}

#[derive(Default)]
struct State {
    /// The next one that nobody reads yet.
    next: usize,
    /// The one whose turns are wanted now.
    current: usize,
    /// Bytes that wait in all queues.
    held: usize,
    /// Bytes read of all.
    read: u64,
    stopped: bool,
    queues: Vec<VecDeque<(usize, Step)>>,
}

/// What the threads share.
pub(crate) struct Readers<'a> {
    wanted: &'a [Wanted],
    state: Mutex<State>,
    changed: Condvar,
}

impl<'a> Readers<'a> {
    pub(crate) fn new(wanted: &'a [Wanted]) -> Self {
        let mut queues = Vec::new();
        queues.resize_with(wanted.len(), VecDeque::new);
        Self {
            wanted,
            state: Mutex::new(State {
                queues,
                ..State::default()
            }),
            changed: Condvar::new(),
        }
    }

    /// How many threads are worth it; 0 where there is but one processor.
    pub(crate) fn threads(files: usize) -> usize {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        if processors < 2 {
            return 0;
        }
        processors.min(MOST).min(files)
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a reading thread does: one transcript after the other until there are none left.
    pub(crate) fn work(&self, step: u64, ready: &(dyn Fn(Turn) -> Ready + Sync)) {
        while let Some((number, wanted)) = self.take() {
            let mut batch = Vec::new();
            let mut weight = 0;
            let report = transcript::read(
                &wanted.path,
                &wanted.from,
                &mut |turn| {
                    let turn = ready(turn);
                    weight += turn.weight();
                    batch.push(turn);
                    if weight >= BATCH {
                        let turns = Step::Turns(std::mem::take(&mut batch));
                        self.put(number, std::mem::take(&mut weight), turns);
                    }
                },
                &mut || {
                    let mut state = self.lock();
                    state.read += step;
                    !state.stopped
                },
            );
            if !batch.is_empty() {
                self.put(number, weight, Step::Turns(batch));
            }
            self.put(number, 0, Step::End(report));
        }
    }

    fn take(&self) -> Option<(usize, &'a Wanted)> {
        let mut state = self.lock();
        let number = state.next;
        let wanted = self.wanted.get(number).filter(|_| !state.stopped)?;
        state.next += 1;
        Some((number, wanted))
    }

    fn put(&self, number: usize, weight: usize, step: Step) {
        let mut state = self.lock();
        // The one that is waited for may always hand over, or nothing would ever go on.
        while !state.stopped
            && state.held + weight > AHEAD
            && !(state.current == number && state.queues.get(number).is_none_or(VecDeque::is_empty))
        {
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
        if state.stopped {
            return;
        }
        state.held += weight;
        if let Some(queue) = state.queues.get_mut(number) {
            queue.push_back((weight, step));
        }
        drop(state);
        self.changed.notify_all();
    }

    /// The next step of a transcript. They are asked for in order, each until its end.
    pub(crate) fn next(&self, number: usize) -> Step {
        let mut state = self.lock();
        if state.current != number {
            state.current = number;
            self.changed.notify_all();
        }
        loop {
            let first = state.queues.get_mut(number).and_then(VecDeque::pop_front);
            if let Some((weight, step)) = first {
                state.held -= weight;
                drop(state);
                self.changed.notify_all();
                return step;
            }
            let (again, waited) = self
                .changed
                .wait_timeout(state, PAUSE)
                .unwrap_or_else(PoisonError::into_inner);
            state = again;
            if waited.timed_out() {
                return Step::Waiting(state.read);
            }
        }
    }

    /// Lets the threads end, whatever is left to read.
    pub(crate) fn stop(&self) {
        self.lock().stopped = true;
        self.changed.notify_all();
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "tests make files")]
mod tests {
    use super::*;
    use redact::Policy;
    use std::fmt::Write as _;

    fn turns(path: &std::path::Path, session: usize, count: usize) -> Vec<String> {
        let mut text = String::new();
        let mut said = Vec::new();
        for turn in 0..count {
            let prompt = format!("{session}.{turn} {}", "x".repeat(turn * 97 % 5000));
            let _ = writeln!(
                text,
                "{{\"parentUuid\":null,\"type\":\"user\",\"message\":{{\"role\":\"user\",\"content\":\"{prompt}\"}},\
                 \"uuid\":\"u{session}.{turn}\",\"timestamp\":\"2026-11-30T03:26:09.053Z\",\
                 \"promptSource\":\"typed\",\"cwd\":\"/p\",\"sessionId\":\"s{session}\"}}"
            );
            said.push(prompt);
        }
        std::fs::write(path, text).unwrap();
        said
    }

    #[test]
    fn all_turns_come_in_order_whoever_reads_them() {
        let dir = tempfile::tempdir().unwrap();
        let mut expected = Vec::new();
        let mut wanted = Vec::new();
        for session in 0..12 {
            let path = dir.path().join(format!("{session}.jsonl"));
            // Some larger than what may wait, one that is not there.
            if session == 7 {
                expected.push(Vec::new());
            } else {
                expected.push(turns(&path, session, [3, 900, 0][session % 3]));
            }
            wanted.push(Wanted {
                path,
                from: Position::default(),
            });
        }
        for threads in [1, 2, 5] {
            for stop_at in [usize::MAX, 4] {
                let readers = Readers::new(&wanted);
                std::thread::scope(|scope| {
                    for _ in 0..threads {
                        scope.spawn(|| {
                            readers.work(1, &|turn| {
                                Ready::of(turn, Policy { secrets: true }, |_| true)
                            });
                        });
                    }
                    for (number, expected) in expected.iter().enumerate().take(stop_at) {
                        let mut found = Vec::new();
                        loop {
                            match readers.next(number) {
                                Step::Turns(turns) => found.extend(
                                    turns
                                        .into_iter()
                                        .flat_map(|one| one.turn.said)
                                        .map(|said| said.text),
                                ),
                                Step::Waiting(_) => {}
                                Step::End(report) => {
                                    assert_eq!(report.is_err(), number == 7);
                                    break;
                                }
                            }
                        }
                        assert_eq!(&found, expected, "{number}");
                    }
                    readers.stop();
                });
            }
        }
    }
}
