//! Secrets of known shape.
//!
//! One pass from anchor to anchor ([`anchors`]); at each of them a hand-written reader decides. No
//! reader looks at a stretch of text more than a bounded number of times.

mod anchors;
mod assigned;
mod chars;
mod commands;
mod documents;
mod headers;
mod names;
mod shapes;
mod structured;
mod values;

use std::borrow::Cow;

/// A secret, as a range of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) start: usize,
    pub(crate) end: usize,
    pub(crate) kind: &'static str,
}

/// What a place turned out to be.
enum Place {
    /// A secret.
    Secret(Found),
    /// Nothing up to here can be one.
    Skip(usize),
    /// Nothing.
    Nothing,
}

/// What the pass remembers.
struct Pass<'a> {
    bytes: &'a [u8],
    /// Where the last redaction ended. Nothing before it counts any more.
    floor: usize,
    /// Names up to here were judged.
    names: usize,
    /// The end of the first private key block's END line at or behind the last place asked for.
    key_end: Option<(usize, Option<usize>)>,
    /// The places of `kind: Secret` before and behind the last place asked for.
    kinds: Option<(Option<usize>, Option<usize>)>,
    /// Commands up to here were read.
    commands: usize,
    /// Cookies up to here were read.
    cookies: usize,
    /// Secrets that were noted on the way to an earlier place, in order.
    pending: Vec<Found>,
}

/// Puts `[REDACTED:kind]` in the place of every secret.
pub(crate) fn redact(text: &str) -> Cow<'_, str> {
    let mut out = String::new();
    let mut kept = 0;
    each(text, |found| {
        out.push_str(text.get(kept..found.start).unwrap_or_default());
        out.push_str("[REDACTED:");
        out.push_str(found.kind);
        out.push(']');
        kept = found.end;
    });
    if kept == 0 {
        return Cow::Borrowed(text);
    }
    out.push_str(text.get(kept..).unwrap_or_default());
    Cow::Owned(out)
}

/// Whether a secret of a text could be one by what stands on another line: key blocks, tables,
/// property lists, blocks of YAML.
pub(crate) fn may_need_more_than_a_line(text: &str) -> bool {
    let signs: [&[u8]; 4] = [b"|", b"-----BEGIN", b"<key>", b": >"];
    let finds = |sign: &&[u8]| memchr::memmem::find(text.as_bytes(), sign).is_some();
    signs.iter().any(finds)
}

/// Calls `tell` with every secret, in order; its ends are boundaries of characters.
pub(crate) fn each(text: &str, mut tell: impl FnMut(Found)) {
    let mut pass = Pass {
        bytes: text.as_bytes(),
        floor: 0,
        names: 0,
        key_end: None,
        kinds: None,
        commands: 0,
        cookies: 0,
        pending: Vec::new(),
    };
    let mut at = 0;
    let mut kept = 0;
    loop {
        let anchor = anchors::next(pass.bytes, at);
        let place = match (pass.noted(anchor), anchor) {
            (Some(found), _) => Place::Secret(found),
            (None, Some(anchor)) => pass.look(anchor),
            (None, None) => break,
        };
        let anchor = anchor.unwrap_or(at);
        match place {
            Place::Secret(found) if found.start >= kept && found.end > found.start => {
                let end = boundary(text, found.end, 1);
                tell(Found {
                    start: boundary(text, found.start, -1),
                    end,
                    kind: found.kind,
                });
                kept = end;
                at = end;
                pass.floor = end;
            }
            Place::Skip(to) if to > anchor => {
                at = to;
                pass.floor = to;
            }
            _ => at = anchor + 1,
        }
    }
}

/// The next character boundary at `at` or in steps of `step` from it. Every reader ends at an ASCII
/// character anyway; this is the guard.
fn boundary(text: &str, mut at: usize, step: isize) -> usize {
    at = at.min(text.len());
    while !text.is_char_boundary(at) {
        at = at.saturating_add_signed(step);
    }
    at
}

impl Pass<'_> {
    /// Remembers a secret that stands further on.
    fn note(&mut self, found: Found) {
        let place = self
            .pending
            .partition_point(|other| other.start <= found.start);
        self.pending.insert(place, found);
    }

    /// The secret that was noted and begins at or before the next place to look at.
    fn noted(&mut self, anchor: Option<usize>) -> Option<Found> {
        if self.pending.is_empty() {
            return None;
        }
        let floor = self.floor;
        self.pending.retain_mut(|found| {
            found.start = found.start.max(floor);
            found.start < found.end
        });
        let first = self.pending.first()?;
        if anchor.is_some_and(|anchor| anchor < first.start) {
            return None;
        }
        Some(self.pending.remove(0))
    }

    fn look(&mut self, at: usize) -> Place {
        commands::read(self, at);
        match self.bytes.get(at) {
            Some(b'c' | b'C') => headers::cookie(self, at),
            Some(b'a') => documents::kube(self, at),
            _ => {}
        }
        if let Some(place) = structured::at(self, at) {
            return place;
        }
        if let Some(found) = shapes::at(self.bytes, at, self.floor) {
            return Place::Secret(found);
        }
        assigned::at(self, at).map_or(Place::Nothing, Place::Secret)
    }
}
