//! Which turn a record belongs to: the tree of `uuid` and `parentUuid`, in bounded memory.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};

/// How many records before the oldest open turn are remembered.
const KEPT: usize = 4096;
/// How many of them a [`crate::Position`] takes along.
const CARRIED: usize = 48;

/// A stable 64-bit name of a text.
pub(crate) fn name_of(text: &[u8]) -> u64 {
    const FACTOR: u64 = 0xd6e8_feb8_6659_fd93;
    // Eight bytes at a time: multiply and turn, so that all bits count.
    let mut hash = (text.len() as u64).wrapping_mul(FACTOR);
    let mut words = text.chunks_exact(8);
    let mut mix = |word: [u8; 8]| {
        hash = (hash ^ u64::from_le_bytes(word)).wrapping_mul(FACTOR);
        hash = hash.rotate_left(29) ^ (hash >> 32);
    };
    for word in words.by_ref() {
        mix(word.try_into().unwrap_or_default());
    }
    let mut last = [0; 8];
    for (to, from) in last.iter_mut().zip(words.remainder()) {
        *to = *from;
    }
    mix(last);
    hash = hash.wrapping_mul(FACTOR);
    hash ^ (hash >> 32)
}

/// The names are hashes already.
#[derive(Debug, Default, Clone)]
struct AsIs(u64);

impl Hasher for AsIs {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 << 8) | u64::from(*byte);
        }
    }
    fn write_u64(&mut self, value: u64) {
        self.0 = value;
    }
}

type NameMap<V> = HashMap<u64, V, BuildHasherDefault<AsIs>>;

/// Whose a record is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Whose {
    /// Part of a turn.
    Turn(u32),
    /// Before any turn.
    Nobodys,
    /// Not seen (yet), or forgotten.
    Unknown,
}

/// The records seen, each with its turn.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    turns: NameMap<Option<u32>>,
    order: VecDeque<(u64, u64)>,
    /// Pieces of turns that became part of others.
    merged: HashMap<u32, u32>,
}

impl Chain {
    /// Whose the record is.
    pub(crate) fn whose(&self, record: u64) -> Whose {
        match self.turns.get(&record) {
            Some(Some(turn)) => Whose::Turn(self.resolve(*turn)),
            Some(None) => Whose::Nobodys,
            None => Whose::Unknown,
        }
    }

    /// The turn that a piece is part of now.
    pub(crate) fn resolve(&self, mut turn: u32) -> u32 {
        // A piece only ever becomes part of a turn that is no piece of it.
        for _ in 0..=self.merged.len() {
            match self.merged.get(&turn) {
                Some(into) => turn = *into,
                None => break,
            }
        }
        turn
    }

    pub(crate) fn merge(&mut self, piece: u32, into: u32) {
        if piece != into {
            self.merged.insert(piece, into);
        }
    }

    pub(crate) fn insert(&mut self, record: u64, offset: u64, turn: Option<u32>) {
        if self.turns.insert(record, turn).is_none() {
            self.order.push_back((record, offset));
        }
    }

    /// Puts a record of a part of no turn under one.
    pub(crate) fn assign(&mut self, record: u64, turn: u32) {
        self.turns.insert(record, Some(turn));
    }

    /// Forgets what is far before `start`.
    pub(crate) fn prune(&mut self, start: u64) {
        while self.order.len() > 2 * KEPT && self.order.get(KEPT).is_some_and(|(_, at)| *at < start)
        {
            if let Some((record, _)) = self.order.pop_front() {
                self.turns.remove(&record);
            }
        }
    }

    /// The last records before `start`, oldest first.
    pub(crate) fn carried(&self, start: u64) -> Vec<(u64, Option<u32>)> {
        let mut last: Vec<_> = self
            .order
            .iter()
            .rev()
            .filter(|(_, at)| *at < start)
            .take(CARRIED)
            .filter_map(|(record, _)| match self.whose(*record) {
                Whose::Turn(turn) => Some((*record, Some(turn))),
                Whose::Nobodys => Some((*record, None)),
                Whose::Unknown => None,
            })
            .collect();
        last.reverse();
        last
    }
}
