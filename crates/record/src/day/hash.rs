//! Stable hashes of bodies, computed piece by piece.

/// The constants of FNV-1a, 64 bits.
const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// A hash in the manner of FNV-1a that takes eight bytes at a time: stable over versions and
/// machines, quick enough for files of hundreds of megabytes, nothing to set up.
#[derive(Debug)]
struct Lane {
    hash: u64,
    word: u64,
    length: u64,
}

impl Lane {
    fn push(&mut self, byte: u8) {
        self.word = self.word << 8 | u64::from(byte);
        self.length += 1;
        if self.length.is_multiple_of(8) {
            self.mix();
        }
    }

    fn mix(&mut self) {
        self.hash = (self.hash ^ self.word).wrapping_mul(PRIME);
        self.hash ^= self.hash >> 29;
        self.word = 0;
    }

    fn finish(mut self) -> u64 {
        self.mix();
        self.word = self.length;
        self.mix();
        self.hash
    }
}

impl Default for Lane {
    fn default() -> Self {
        Self {
            hash: BASIS,
            word: 0,
            length: 0,
        }
    }
}

/// Both hashes of one body. Bytes that are not UTF-8 count as U+FFFD, as reading gives them.
#[derive(Debug, Default)]
pub(crate) struct Hasher {
    strict: Lane,
    loose: Lane,
    /// LFs that count only if something follows them.
    waiting: u64,
    /// The beginning of a character whose end is still to come.
    cut: Vec<u8>,
}

impl Hasher {
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

    /// The strict and the loose hash.
    pub(crate) fn finish(mut self) -> (u64, u64) {
        if !self.cut.is_empty() {
            self.push("\u{fffd}");
        }
        (self.strict.finish(), self.loose.finish())
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

    fn push(&mut self, text: &str) {
        for c in text.chars() {
            if c == '\n' {
                self.waiting += 1;
                continue;
            }
            for _ in 0..std::mem::take(&mut self.waiting) {
                self.strict.push(b'\n');
            }
            let counts = c != '\\' && !c.is_whitespace();
            let mut buffer = [0; 4];
            for byte in c.encode_utf8(&mut buffer).bytes() {
                self.strict.push(byte);
                if counts {
                    self.loose.push(byte);
                }
            }
        }
    }
}
