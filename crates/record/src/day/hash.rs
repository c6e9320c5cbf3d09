//! Stable hashes of bodies, computed piece by piece.

/// FNV-1a, 64 bits: stable over versions and machines, and quick enough to start.
const BASIS: u64 = 0xcbf2_9ce4_8422_2325;
const PRIME: u64 = 0x0000_0100_0000_01b3;

/// Both hashes of one body. Bytes that are not UTF-8 count as U+FFFD, as reading gives them.
#[derive(Debug)]
pub(crate) struct Hasher {
    strict: u64,
    loose: u64,
    /// LFs that count only if something follows them.
    waiting: u64,
    /// The beginning of a character whose end is still to come.
    cut: Vec<u8>,
}

impl Default for Hasher {
    fn default() -> Self {
        Self {
            strict: BASIS,
            loose: BASIS,
            waiting: 0,
            cut: Vec::new(),
        }
    }
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
        (self.strict, self.loose)
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
                self.strict = (self.strict ^ u64::from(b'\n')).wrapping_mul(PRIME);
            }
            let counts = c != '\\' && !c.is_whitespace();
            let mut buffer = [0; 4];
            for byte in c.encode_utf8(&mut buffer).bytes() {
                self.strict = (self.strict ^ u64::from(byte)).wrapping_mul(PRIME);
                if counts {
                    self.loose = (self.loose ^ u64::from(byte)).wrapping_mul(PRIME);
                }
            }
        }
    }
}
