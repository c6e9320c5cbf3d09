//! A hash for tables of words and numbers: fast, and the same in every run. What is hashed are the
//! person's own words; nobody gains from making two of them meet.

use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, Hasher};

/// A map with this hash.
pub type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<Quick>>;

/// A set with this hash.
pub type QuickSet<T> = HashSet<T, BuildHasherDefault<Quick>>;

/// Multiplies and folds, eight bytes at a time.
#[derive(Debug, Default, Clone, Copy)]
pub struct Quick(u64);

impl Quick {
    fn add(&mut self, value: u64) {
        const ODD: u64 = 0x9e37_79b9_7f4a_7c15;
        let mixed = u128::from(self.0 ^ value) * u128::from(ODD);
        #[allow(
            clippy::cast_possible_truncation,
            reason = "both halves are folded into one"
        )]
        let folded = mixed as u64 ^ (mixed >> 64) as u64;
        self.0 = folded.rotate_left(23);
    }
}

impl Hasher for Quick {
    fn write(&mut self, bytes: &[u8]) {
        let (whole, rest) = bytes.as_chunks::<8>();
        for chunk in whole {
            self.add(u64::from_le_bytes(*chunk));
        }
        let mut last = [0; 8];
        last[..rest.len()].copy_from_slice(rest);
        self.add(u64::from_le_bytes(last) ^ ((bytes.len() as u64) << 56));
    }

    fn write_u8(&mut self, value: u8) {
        self.add(u64::from(value));
    }

    fn write_u32(&mut self, value: u32) {
        self.add(u64::from(value));
    }

    fn write_u64(&mut self, value: u64) {
        self.add(value);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn different_words_have_different_hashes() {
        let mut seen = HashSet::new();
        for word in (0..20_000).map(|n| format!("word{n}")) {
            let mut quick = Quick::default();
            quick.write(word.as_bytes());
            assert!(seen.insert(quick.finish()), "{word}");
        }
        let mut zero = Quick::default();
        zero.write(&[0; 3]);
        let mut longer = Quick::default();
        longer.write(&[0; 4]);
        assert_ne!(zero.finish(), longer.finish());
    }
}
