//! Lines of a body that would be taken for a heading or a marker get one more backslash in front.

use super::layout::{MARKER, could_be_heading, is_heading_shape};

/// Whether a body line is escaped: a heading or a marker, after any number of backslashes.
fn is_special(line: &[u8]) -> bool {
    let bare = without_backslashes(line);
    bare.starts_with(MARKER.as_bytes()) || is_heading_shape(bare)
}

fn without_backslashes(line: &[u8]) -> &[u8] {
    let bare = line
        .iter()
        .position(|byte| *byte != b'\\')
        .unwrap_or(line.len());
    line.get(bare..).unwrap_or_default()
}

/// Writes `body` as it stands in the file.
pub(crate) fn escape_into(out: &mut Vec<u8>, body: &str) {
    let bytes = body.as_bytes();
    let mut copied = 0;
    let mut start = 0;
    while start < bytes.len() {
        let rest = bytes.get(start..).unwrap_or_default();
        let end = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        if matches!(rest.first(), Some(b'\\' | b'#' | b'<'))
            && is_special(rest.get(..end).unwrap_or_default())
        {
            out.extend_from_slice(bytes.get(copied..start).unwrap_or_default());
            out.push(b'\\');
            copied = start;
        }
        start += end + 1;
    }
    out.extend_from_slice(bytes.get(copied..).unwrap_or_default());
}

/// Takes the escapes off again, piece by piece. Holds back only a line that begins with a backslash
/// and may still turn out to be special.
#[derive(Debug, Default)]
pub(crate) struct Unescape {
    held: Vec<u8>,
    inside_line: bool,
}

impl Unescape {
    pub(crate) fn feed(&mut self, mut bytes: &[u8], out: &mut impl FnMut(&[u8])) {
        while !bytes.is_empty() {
            let end = memchr::memchr(b'\n', bytes);
            if self.inside_line {
                // The rest of a line that was let through.
                let (part, rest) = bytes.split_at(end.map_or(bytes.len(), |end| end + 1));
                out(part);
                self.inside_line = end.is_none();
                bytes = rest;
                continue;
            }
            if self.held.is_empty() && bytes.first() != Some(&b'\\') {
                self.inside_line = true;
                continue;
            }
            let (part, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
            self.held.extend_from_slice(part);
            bytes = rest;
            if end.is_some() || !could_be_special(&self.held) {
                self.let_go(out);
                self.inside_line = true;
            }
        }
    }

    pub(crate) fn finish(mut self, out: &mut impl FnMut(&[u8])) {
        self.let_go(out);
    }

    fn let_go(&mut self, out: &mut impl FnMut(&[u8])) {
        let line = match self.held.split_first() {
            Some((b'\\', rest)) if is_special(&self.held) => rest,
            _ => &self.held,
        };
        out(line);
        self.held.clear();
    }
}

/// Whether the beginning of a line can become a special one that is not decided yet. (One that is
/// a marker already can be let go.)
fn could_be_special(begun: &[u8]) -> bool {
    let bare = without_backslashes(begun);
    could_be_heading(bare) || (bare.len() < MARKER.len() && MARKER.as_bytes().starts_with(bare))
}
