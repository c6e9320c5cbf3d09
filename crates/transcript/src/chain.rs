//! Which turn a record belongs to: the tree of `uuid` and `parentUuid`, in bounded memory.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};

/// How many records before the oldest open turn are remembered.
const KEPT: usize = 4096;
/// How many of them a [`crate::Position`] takes along.
const CARRIED: usize = 64;

/// A stable 64-bit name of a text.
pub(crate) fn name_of(text: &[u8]) -> u64 {
    // FNV-1a, then a mix so that all bits count.
    let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
    for byte in text {
        hash = (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
    }
    hash ^= hash >> 32;
    hash = hash.wrapping_mul(0xd6e8_feb8_6659_fd93);
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

/// The records seen, each with its turn.
#[derive(Debug, Default)]
pub(crate) struct Chain {
    turns: NameMap<Option<u32>>,
    order: VecDeque<(u64, u64)>,
    /// Pieces of turns that became part of others.
    merged: HashMap<u32, u32>,
}

impl Chain {
    /// The record's turn: `None` if the record is unknown, `Some(None)` if it is part of none.
    pub(crate) fn turn(&self, record: u64) -> Option<Option<u32>> {
        let turn = self.turns.get(&record)?;
        Some(turn.map(|turn| self.resolve(turn)))
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
        while self.order.len() > 2 * KEPT
            && self.order.get(KEPT).is_some_and(|(_, at)| *at < start)
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
            .filter_map(|(record, _)| Some((*record, self.turn(*record)?)))
            .collect();
        last.reverse();
        last
    }
}
