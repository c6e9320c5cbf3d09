//! `<private>` blocks.
//!
//! The rule is to fail closed: what might be the beginning of a block is one, what might not be its
//! end is none.

use memchr::{memchr, memmem};
use std::borrow::Cow;
use std::ops::Range;

/// What stands for a block.
pub(crate) const MARK: &str = "[PRIVATE]";
/// Full-width `<`, as East Asian input methods type it.
const WIDE_LESS: &[u8] = "＜".as_bytes();
/// Full-width `>`.
const WIDE_GREATER: &[u8] = "＞".as_bytes();
/// Full-width `/`.
const WIDE_SLASH: &[u8] = "／".as_bytes();
/// The tag's name.
const NAME: &[u8] = b"private";

/// Puts [`MARK`] in the place of every private block.
///
/// - Case does not matter, nor do blanks, line breaks and attributes inside the tag, nor full-width
///   brackets, nor invisible characters inside an opening tag's name.
/// - Nested blocks are one. A block that is never closed, and a tag that is cut off, hide all that
///   follows. `<private/>` opens a block, as it does in HTML.
/// - A closing tag outside a block is text, so are `<privates>`, `<private-key>` and
///   `&lt;private&gt;`.
pub(crate) fn hide(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut kept = 0;
    each(text.as_bytes(), |block| {
        out.push_str(text.get(kept..block.start).unwrap_or_default());
        out.push_str(MARK);
        kept = block.end;
    });
    if kept == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(kept..).unwrap_or_default());
    Cow::Owned(out)
}

/// The same bytes with blanks in the place of every private block; line breaks stay. `None` where
/// there is none.
pub(crate) fn blank(bytes: &[u8]) -> Option<Vec<u8>> {
    let mut out = None;
    each(bytes, |block| {
        let out: &mut Vec<u8> = out.get_or_insert_with(|| bytes.to_vec());
        for byte in out.get_mut(block).into_iter().flatten() {
            if *byte != b'\n' {
                *byte = b' ';
            }
        }
    });
    out
}

/// Tells of every private block, tags included, in order.
pub(crate) fn each(bytes: &[u8], mut tell: impl FnMut(Range<usize>)) {
    let mut at = 0;
    let mut angles = Angles::new(bytes);
    while let Some(found) = angles.next(at) {
        match tag(bytes, found) {
            Some(Tag::Open { end, wide }) => {
                at = block_end(bytes, &mut angles, end, wide);
                tell(found..at);
            }
            Some(Tag::Close { .. }) | None => at = found + 1,
        }
    }
}

/// Where the block ends whose opening tag ends at `at`: behind the closing tag, or with the text.
fn block_end(bytes: &[u8], angles: &mut Angles<'_>, mut at: usize, opened_wide: bool) -> usize {
    let mut depth = 1_usize;
    while let Some(found) = angles.next(at) {
        match tag(bytes, found) {
            Some(Tag::Open { end, .. }) => {
                depth += 1;
                at = end;
            }
            // A full-width end closes only what a full-width tag began.
            Some(Tag::Close { end, wide }) if opened_wide || !wide => {
                depth -= 1;
                at = end;
                if depth == 0 {
                    return at;
                }
            }
            Some(Tag::Close { .. }) | None => at = found + 1,
        }
    }
    bytes.len()
}

/// Finds the next `<` of either width, each byte looked at once.
struct Angles<'a> {
    bytes: &'a [u8],
    /// The next full-width one at or behind the last position asked for; the length = none.
    wide: usize,
}

impl<'a> Angles<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let wide = memmem::find(bytes, WIDE_LESS).unwrap_or(bytes.len());
        Self { bytes, wide }
    }

    fn next(&mut self, at: usize) -> Option<usize> {
        let rest = self.bytes.get(at..)?;
        if self.wide < at {
            self.wide = memmem::find(rest, WIDE_LESS).map_or(self.bytes.len(), |i| at + i);
        }
        let limit = self.wide.saturating_sub(at).min(rest.len());
        match memchr(b'<', rest.get(..limit)?) {
            Some(narrow) => Some(at + narrow),
            None if self.wide < self.bytes.len() => Some(self.wide),
            None => None,
        }
    }
}

/// A tag named `private`.
enum Tag {
    /// An opening one; `end` is where its block's content begins.
    Open { end: usize, wide: bool },
    /// A closing one; `end` is behind it.
    Close { end: usize, wide: bool },
}

/// The tag that begins at `start`, if its name is `private`.
fn tag(bytes: &[u8], start: usize) -> Option<Tag> {
    let wide = bytes.get(start) != Some(&b'<');
    let mut at = start + if wide { WIDE_LESS.len() } else { 1 };
    let name_first = at;
    let mut veiled = false;
    at = blanks(bytes, at, &mut veiled);
    let closing = if bytes.get(at) == Some(&b'/') {
        at = blanks(bytes, at + 1, &mut veiled);
        true
    } else if starts_with(bytes, at, WIDE_SLASH) {
        at = blanks(bytes, at + WIDE_SLASH.len(), &mut veiled);
        true
    } else {
        false
    };
    let spaced = at > name_first;
    for letter in NAME {
        at = invisible(bytes, at, &mut veiled);
        if !bytes.get(at)?.eq_ignore_ascii_case(letter) {
            return None;
        }
        at += 1;
    }
    at = invisible(bytes, at, &mut veiled);
    if name_goes_on(bytes, at) {
        return None;
    }
    if closing {
        // Whatever stands between the name and `>` is hidden with the block.
        return match tag_end(bytes, at, false) {
            (End::Closed(end), _) if !veiled => Some(Tag::Close { end, wide }),
            _ => None,
        };
    }
    match tag_end(bytes, at, true) {
        // `a < private` in a formula or in code is no tag unless it is finished like one. With
        // quoted values it is one; looking through them again and again would not be linear.
        (End::Interrupted(_) | End::CutOff, false) if spaced => None,
        (End::Closed(end) | End::Interrupted(end), _) => Some(Tag::Open { end, wide }),
        (End::CutOff, _) => Some(Tag::Open {
            end: bytes.len(),
            wide,
        }),
    }
}

/// How a tag ends.
enum End {
    /// Behind its `>`.
    Closed(usize),
    /// Another `<` comes first.
    Interrupted(usize),
    /// The text ends first.
    CutOff,
}

/// The end of the tag whose name ends at `at`, and whether quoted values were passed. With `quotes`
/// a `>` or `<` in a quoted attribute value does not count.
fn tag_end(bytes: &[u8], mut at: usize, quotes: bool) -> (End, bool) {
    let mut after_equals = false;
    let mut passed = false;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'>' => return (End::Closed(at + 1), passed),
            b'<' => return (End::Interrupted(at), passed),
            b'"' | b'\'' if after_equals && quotes => {
                passed = true;
                after_equals = false;
                let rest = bytes.get(at + 1..).unwrap_or_default();
                match memchr(byte, rest) {
                    Some(quote) => at += quote + 2,
                    None => return (End::CutOff, passed),
                }
            }
            b'=' => {
                after_equals = true;
                at += 1;
            }
            // A backslash stands before the quotes of a tag inside a JSON string.
            b' ' | b'\t' | b'\r' | b'\n' | b'\\' => at += 1,
            // What was hidden before stands for a tag that came first: filtering twice is filtering
            // once.
            b'[' if starts_with(bytes, at, MARK.as_bytes()) => {
                return (End::Interrupted(at), passed);
            }
            0xEF if starts_with(bytes, at, WIDE_GREATER) => {
                return (End::Closed(at + WIDE_GREATER.len()), passed);
            }
            0xEF if starts_with(bytes, at, WIDE_LESS) => return (End::Interrupted(at), passed),
            _ => {
                after_equals = false;
                at += 1;
            }
        }
    }
    (End::CutOff, passed)
}

fn starts_with(bytes: &[u8], at: usize, what: &[u8]) -> bool {
    bytes.get(at..).is_some_and(|rest| rest.starts_with(what))
}

/// Skips white space and invisible characters.
fn blanks(bytes: &[u8], mut at: usize, veiled: &mut bool) -> usize {
    loop {
        let before = at;
        at = invisible(bytes, at, veiled);
        match bytes.get(at) {
            Some(b) if b.is_ascii_whitespace() || *b == 0x0B => at += 1,
            // No-break space, ideographic space.
            Some(0xC2) if bytes.get(at + 1) == Some(&0xA0) => at += 2,
            Some(0xE3) if starts_with(bytes, at, "\u{3000}".as_bytes()) => at += 3,
            _ => {}
        }
        if at == before {
            return at;
        }
    }
}

/// Skips characters that nobody sees: soft hyphen, zero-width and direction marks.
fn invisible(bytes: &[u8], mut at: usize, veiled: &mut bool) -> usize {
    loop {
        let width = match (bytes.get(at), bytes.get(at + 1), bytes.get(at + 2)) {
            (Some(0xC2), Some(0xAD), _) => 2,
            (Some(0xE2), Some(0x80), Some(0x8B..=0x8F | 0xAA..=0xAE))
            | (Some(0xE2), Some(0x81), Some(0xA0..=0xAF))
            | (Some(0xEF), Some(0xBB), Some(0xBF)) => 3,
            _ => return at,
        };
        *veiled = true;
        at += width;
    }
}

/// Whether the name is longer than `private`.
fn name_goes_on(bytes: &[u8], at: usize) -> bool {
    match bytes.get(at) {
        Some(b) if b.is_ascii() => {
            b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.' | b':')
        }
        Some(_) => {
            let rest = bytes.get(at..).unwrap_or_default();
            let head = rest.get(..rest.len().min(4)).unwrap_or_default();
            let valid = match std::str::from_utf8(head) {
                Ok(text) => text,
                Err(e) => head
                    .get(..e.valid_up_to())
                    .and_then(|b| std::str::from_utf8(b).ok())
                    .unwrap_or_default(),
            };
            valid.chars().next().is_some_and(char::is_alphanumeric)
        }
        None => false,
    }
}
