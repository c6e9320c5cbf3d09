//! Where in a sorted text a line stands, by the word that it begins with: an open table of slots,
//! made by the build script. Most words that are looked up are in no line; for them one or two slots
//! are read and no line.

/// Bits of a slot that say where the line begins; the others are taken from the word's hash. A slot
/// of zeros is empty.
pub(crate) const PLACE: u32 = 20;

/// Fowler, Noll and Vo's hash, folded to 32 bits.
pub(crate) fn hash(word: &str) -> u32 {
    let whole = word.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    #[allow(
        clippy::cast_possible_truncation,
        reason = "both halves are folded into one"
    )]
    let folded = (whole ^ (whole >> 32)) as u32;
    folded
}

/// What a slot holds of a word's hash.
pub(crate) fn mark(hash: u32) -> u32 {
    hash >> PLACE
}

/// Where lines begin that may be the word's own, likeliest first.
pub(crate) fn places<'a>(slots: &'a [u8], word: &str) -> impl Iterator<Item = usize> + 'a {
    let (slots, _) = slots.as_chunks::<4>();
    let hash = hash(word);
    let mut at = hash as usize;
    std::iter::from_fn(move || {
        loop {
            // The number of slots is a power of two, and half of them are empty.
            let slot = u32::from_le_bytes(*slots.get(at & (slots.len() - 1))?);
            at += 1;
            if slot == 0 {
                return None;
            }
            if slot >> PLACE == mark(hash) {
                return Some((slot & ((1 << PLACE) - 1)) as usize - 1);
            }
        }
    })
}
