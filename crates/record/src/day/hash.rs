//! Stable hashes of bodies, computed piece by piece.

/// Where both hashes begin, and what they are multiplied with (the golden ratio, odd).
const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;

/// A hash that takes eight bytes at a time: stable over versions and machines, quick enough for
/// files of hundreds of megabytes, nothing to set up.
#[derive(Debug)]
struct Lane {
    hash: u64,
    /// The beginning of the next word.
    begun: [u8; 8],
    length: u64,
}

impl Lane {
    fn feed(&mut self, mut bytes: &[u8]) {
        let filled = self.filled();
        self.length += bytes.len() as u64;
        if filled > 0 {
            let room = self.begun.get_mut(filled..).unwrap_or_default();
            let (part, rest) = bytes.split_at(room.len().min(bytes.len()));
            for (to, from) in room.iter_mut().zip(part) {
                *to = *from;
            }
            if part.len() < 8 - filled {
                return;
            }
            self.mix(self.begun);
            bytes = rest;
        }
        let (words, rest) = bytes.as_chunks::<8>();
        for word in words {
            self.mix(*word);
        }
        for (to, from) in self.begun.iter_mut().zip(rest) {
            *to = *from;
        }
    }

    /// How many bytes of the next word are there.
    fn filled(&self) -> usize {
        usize::try_from(self.length % 8).unwrap_or_default()
    }

    fn mix(&mut self, word: [u8; 8]) {
        self.hash = (self.hash ^ u64::from_le_bytes(word)).wrapping_mul(FACTOR);
        self.hash ^= self.hash >> 29;
    }

    fn finish(mut self) -> u64 {
        let filled = self.filled();
        let mut last = [0; 8];
        for (to, from) in last.iter_mut().zip(self.begun).take(filled) {
            *to = from;
        }
        self.mix(last);
        self.mix(self.length.to_le_bytes());
        self.hash ^ (self.hash >> 32)
    }
}

impl Default for Lane {
    fn default() -> Self {
        Self {
            hash: BASIS,
            begun: [0; 8],
            length: 0,
        }
    }
}

/// The hash of a text to its last character.
pub(crate) fn exact(text: &str) -> u64 {
    let mut lane = Lane::default();
    lane.feed(text.as_bytes());
    lane.finish()
}

/// Both hashes of one body. Bytes that are not UTF-8 count as U+FFFD, as reading gives them.
#[derive(Debug, Default)]
pub(crate) struct Hasher {
    strict: Lane,
    /// Where it is wanted.
    loose: Option<Lane>,
    /// LFs that count only if something follows them.
    waiting: u64,
    /// The beginning of a character whose end is still to come.
    cut: Vec<u8>,
}

impl Hasher {
    /// `loose`: whether the second hash is wanted too.
    pub(crate) fn new(loose: bool) -> Self {
        Self {
            loose: loose.then(Lane::default),
            ..Self::default()
        }
    }

    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while !self.cut.is_empty() {
            let Some((byte, more)) = rest.split_first() else {
                return;
            };
            // A character has at most four bytes, so this ends soon.
            self.cut.push(*byte);
            rest = more;
            let cut = std::mem::take(&mut self.cut);
            self.decode(&cut);
        }
        self.decode(rest);
    }

    /// The strict and the loose hash; 0 for one that was not wanted.
    pub(crate) fn finish(mut self) -> (u64, u64) {
        if !self.cut.is_empty() {
            self.push("\u{fffd}");
        }
        (self.strict.finish(), self.loose.map_or(0, Lane::finish))
    }

    fn decode(&mut self, mut bytes: &[u8]) {
        loop {
            let error = match std::str::from_utf8(bytes) {
                Ok(text) => return self.push(text),
                Err(error) => error,
            };
            let (valid, rest) = bytes.split_at(error.valid_up_to());
            self.push(std::str::from_utf8(valid).unwrap_or_default());
            let Some(bad) = error.error_len() else {
                self.cut = rest.to_vec();
                return;
            };
            self.push("\u{fffd}");
            bytes = rest.get(bad..).unwrap_or_default();
        }
    }

    pub(crate) fn push(&mut self, text: &str) {
        let said = text.trim_end_matches('\n');
        if !said.is_empty() {
            for _ in 0..std::mem::take(&mut self.waiting) {
                self.strict.feed(b"\n");
            }
            self.strict.feed(said.as_bytes());
            if let Some(loose) = &mut self.loose {
                feed_loosely(loose, said);
            }
        }
        self.waiting += (text.len() - said.len()) as u64;
    }
}

/// All but white space and backslashes.
fn feed_loosely(lane: &mut Lane, text: &str) {
    let bytes = text.as_bytes();
    let mut kept = 0;
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let dropped = match byte {
            b'\\' | b' ' | b'\t'..=b'\r' => 1,
            // Only characters that begin so can be white space.
            0xc2 | 0xe1..=0xe3 => {
                let c = text.get(at..).and_then(|rest| rest.chars().next());
                c.filter(|c| c.is_whitespace()).map_or(0, char::len_utf8)
            }
            _ => 0,
        };
        if dropped > 0 {
            lane.feed(bytes.get(kept..at).unwrap_or_default());
            kept = at + dropped;
            at = kept;
        } else {
            at += 1;
        }
    }
    lane.feed(bytes.get(kept..).unwrap_or_default());
}

#[cfg(test)]
mod tests {
    use super::{Hasher, exact};
    use proptest::prelude::*;

    #[test]
    fn every_white_space_begins_as_expected() {
        for c in ('\0'..=char::MAX).filter(|c| c.is_whitespace()) {
            let text = format!("a{c}b");
            let mut hasher = Hasher::new(true);
            hasher.push(&text);
            assert_eq!(hasher.finish(), (exact(&text), exact("ab")), "{c:?}");
        }
    }

    proptest! {
        #[test]
        fn pieces_tell_what_the_whole_tells(
            text in "[a \\\\\n한\u{a0}\u{3000}\u{2028}é]{0,60}",
            cuts in prop::collection::vec(0_usize..9, 0..40),
        ) {
            let mut hasher = Hasher::new(true);
            let mut rest = text.as_bytes();
            for cut in cuts {
                let (part, more) = rest.split_at(cut.min(rest.len()));
                hasher.feed(part);
                rest = more;
            }
            hasher.feed(rest);
            let bare: String = text.chars().filter(|c| !c.is_whitespace() && *c != '\\').collect();
            prop_assert_eq!(hasher.finish(), (exact(text.trim_end_matches('\n')), exact(&bare)));
        }
    }
}
