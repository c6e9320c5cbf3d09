//! Many byte strings, found by looking at every few bytes only: a table tells whether the four
//! (three, two) bytes there may belong to one of them, and only then they are compared.

use std::ops::Range;

/// Bits of a place in the table: it fits into the first cache.
const BITS: u32 = 15;
/// Buckets for what the table lets through.
const BUCKETS: u32 = 10;
/// Places of the table. A byte each: a bit would have to be shifted out, which is most of the work.
const TABLE: usize = 1 << BITS;
/// Shortest needle.
pub(crate) const SHORTEST: usize = 2;
/// Looks at once.
const LOOKS: usize = 8;
/// Longest stride: the looks at once, and the last one's bytes, fill [`AHEAD`].
const LONGEST_STRIDE: usize = 4;
/// Bytes that are looked at in one go.
const AHEAD: usize = 32;

/// Where a gram stands in a needle.
#[derive(Debug, Clone, Copy)]
struct Place {
    gram: u32,
    needle: u16,
    offset: u8,
}

/// Finds needles.
#[derive(Debug)]
pub(crate) struct Sieve {
    /// Every needle holds a known gram at one of so many places in a row.
    stride: usize,
    /// Bytes of a gram that count.
    width: usize,
    table: Box<[u8]>,
    /// Where each bucket's places begin.
    starts: Vec<u16>,
    places: Vec<Place>,
    needles: Vec<Vec<u8>>,
}

impl Sieve {
    /// `None` where one of the needles is too short, or there are too many.
    pub(crate) fn new(needles: &[Vec<u8>]) -> Option<Self> {
        let least = needles.iter().map(Vec::len).min()?;
        if least < SHORTEST || needles.len() > 4_000 {
            return None;
        }
        let width = match least {
            2 => 2,
            3..=5 => 3,
            _ => 4,
        };
        let stride = (least - width + 1).min(LONGEST_STRIDE);
        let mut sieve = Self {
            stride,
            width,
            table: vec![0; TABLE].into_boxed_slice(),
            starts: Vec::new(),
            places: Vec::new(),
            needles: needles.to_vec(),
        };
        for (index, needle) in needles.iter().enumerate() {
            let window = rarest(needle, stride + width - 1);
            for offset in window..window + stride {
                let gram = sieve.gram(needle, offset)?;
                if let Some(place) = sieve.table.get_mut(hash(gram, BITS)) {
                    *place = 1;
                }
                sieve.places.push(Place {
                    gram,
                    needle: u16::try_from(index).ok()?,
                    offset: u8::try_from(offset).ok()?,
                });
            }
        }
        sieve
            .places
            .sort_by_key(|place| (hash(place.gram, BUCKETS), place.needle));
        for bucket in 0..=1 << BUCKETS {
            let start = sieve
                .places
                .partition_point(|place| hash(place.gram, BUCKETS) < bucket);
            sieve.starts.push(u16::try_from(start).ok()?);
        }
        Some(sieve)
    }

    /// The gram at a place of a text; bytes behind its end are none.
    fn gram(&self, text: &[u8], at: usize) -> Option<u32> {
        let bytes = text.get(at..)?;
        let four = match bytes.first_chunk::<4>() {
            Some(four) => *four,
            None if bytes.len() < self.width => return None,
            None => {
                let mut four = [0; 4];
                four.get_mut(..bytes.len())?.copy_from_slice(bytes);
                four
            }
        };
        Some(u32::from_le_bytes(four) & mask(self.width))
    }

    /// The next needle that begins at or after `at`.
    pub(crate) fn find(&self, text: &[u8], at: usize) -> Option<Range<usize>> {
        // One loop for each: with both known, the looks cost no checks.
        match (self.width, self.stride) {
            (2, _) => self.find_by::<2, 1>(text, at),
            (3, 1) => self.find_by::<3, 1>(text, at),
            (3, 2) => self.find_by::<3, 2>(text, at),
            (3, _) => self.find_by::<3, 3>(text, at),
            (_, 3) => self.find_by::<4, 3>(text, at),
            _ => self.find_by::<4, LONGEST_STRIDE>(text, at),
        }
    }

    fn find_by<const WIDTH: usize, const STRIDE: usize>(
        &self,
        text: &[u8],
        at: usize,
    ) -> Option<Range<usize>> {
        let mut from = at;
        // Of a known size: the looks cost no checks.
        let table = self.table.first_chunk::<TABLE>()?;
        let mark = |gram: u32| table[hash(gram, BITS)];
        while let Some(ahead) = text.get(from..).and_then(<[u8]>::first_chunk::<AHEAD>) {
            let gram = |look: usize| {
                let start = look * STRIDE;
                let four = [
                    ahead[start],
                    ahead[start + 1],
                    ahead[start + 2],
                    ahead[start + 3],
                ];
                u32::from_le_bytes(four) & mask(WIDTH)
            };
            let mut any = 0;
            for look in 0..LOOKS {
                any |= mark(gram(look));
            }
            if any != 0 {
                for look in 0..LOOKS {
                    if mark(gram(look)) != 0 {
                        let found = self.confirm(gram(look), text, from + look * STRIDE, at);
                        if found.is_some() {
                            return found;
                        }
                    }
                }
            }
            from += LOOKS * STRIDE;
        }
        loop {
            let gram = self.gram(text, from)?;
            if mark(gram) != 0 {
                let found = self.confirm(gram, text, from, at);
                if found.is_some() {
                    return found;
                }
            }
            from += STRIDE;
        }
    }

    /// The needle that has this gram and stands here whole.
    fn confirm(&self, gram: u32, text: &[u8], place: usize, at: usize) -> Option<Range<usize>> {
        let bucket = hash(gram, BUCKETS);
        let start = usize::from(*self.starts.get(bucket)?);
        let end = usize::from(*self.starts.get(bucket + 1)?);
        for known in self.places.get(start..end)? {
            if known.gram != gram {
                continue;
            }
            let Some(begin) = place
                .checked_sub(usize::from(known.offset))
                .filter(|begin| *begin >= at)
            else {
                continue;
            };
            let needle = self.needles.get(usize::from(known.needle))?;
            let end = begin + needle.len();
            if text.get(begin..end).is_some_and(|bytes| bytes == needle) {
                return Some(begin..end);
            }
        }
        None
    }
}

/// The bytes of a gram that count.
const fn mask(width: usize) -> u32 {
    match width {
        2 => 0xffff,
        3 => 0x00ff_ffff,
        _ => u32::MAX,
    }
}

#[inline]
fn hash(gram: u32, bits: u32) -> usize {
    (gram.wrapping_mul(0x9e37_79b1) >> (32 - bits)) as usize
}

/// Where in a needle the part begins that texts hold most rarely.
fn rarest(needle: &[u8], length: usize) -> usize {
    needle
        .windows(length)
        // Offsets are kept small.
        .take(200)
        .enumerate()
        .min_by_key(|(_, window)| {
            window
                .iter()
                .map(|byte| crate::quick::frequency(*byte))
                .sum::<u32>()
        })
        .map_or(0, |(at, _)| at)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn what_stands_there_is_found(
            needles in proptest::collection::vec("[a-c가나다]{1,6}", 1..12),
            text in "[a-d가나다라 ]{0,80}",
            from in 0usize..6,
        ) {
            let mut needles: Vec<Vec<u8>> = needles.into_iter().map(String::into_bytes).collect();
            needles.retain(|needle| needle.len() >= SHORTEST);
            prop_assume!(!needles.is_empty());
            let sieve = Sieve::new(&needles).unwrap();
            let text = text.as_bytes();
            let stands = (from..text.len()).any(|at| needles.iter().any(|needle| {
                text.get(at..at + needle.len()).is_some_and(|found| found == needle)
            }));
            let found = sieve.find(text, from);
            prop_assert_eq!(found.is_some(), stands);
            if let Some(range) = found {
                prop_assert!(range.start >= from);
                prop_assert!(needles.iter().any(|needle| **needle == text[range.clone()]));
            }
        }
    }

    #[test]
    fn short_needles_are_left_to_others() {
        assert!(Sieve::new(&[b"a".to_vec(), b"abcd".to_vec()]).is_none());
        assert!(Sieve::new(&[]).is_none());
    }
}
