//! Where the entries of a day file stand.

use super::Marker;
use chrono::NaiveTime;
use claude_hook::Role;
use std::collections::VecDeque;
use std::io;
use std::ops::Range;

/// How a marker line begins.
pub(crate) const MARKER: &str = "<!-- mnemo";
/// Attribute of the note that a writer leaves behind torn text: how many bytes before the note's
/// line (and the LF in front of it) are torn.
const TORN: &str = "torn";
/// Longest line that is taken for a heading or a marker.
const LONGEST_LINE: usize = 8 * 1024;
/// Bytes read at once.
const CHUNK: usize = 64 * 1024;

/// Bytes that can be read from any place.
pub(crate) trait Source {
    /// How many there are.
    fn size(&self) -> u64;
    /// Fills `buffer` as far as there are bytes; returns how many.
    fn read_at(&mut self, at: u64, buffer: &mut [u8]) -> io::Result<usize>;
}

impl Source for &[u8] {
    fn size(&self) -> u64 {
        self.len() as u64
    }

    fn read_at(&mut self, at: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let from = usize::try_from(at).unwrap_or(usize::MAX);
        let rest = self.get(from..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        if let (Some(to), Some(from)) = (buffer.get_mut(..count), rest.get(..count)) {
            to.copy_from_slice(from);
        }
        Ok(count)
    }
}

/// One entry's place.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Piece {
    pub(crate) role: Role,
    pub(crate) time: NaiveTime,
    pub(crate) marker: Option<Marker>,
    /// From the leading LF to before the next entry's, or before torn text.
    pub(crate) span: Range<u64>,
    /// The heading line with its LF.
    pub(crate) heading: Range<u64>,
    /// The marker line without its LF; empty for a legacy entry.
    pub(crate) marker_line: Range<u64>,
    /// The body as it stands (legacy: without blank lines around it).
    pub(crate) body: Range<u64>,
}

/// The entries of a file, or of its end (`whole` false: the first line may be a part of one).
pub(crate) fn layout(source: &mut impl Source, whole: bool) -> io::Result<Vec<Piece>> {
    let mut pieces = Vec::new();
    each(source, whole, |_, piece| {
        pieces.push(piece);
        Ok(())
    })?;
    Ok(pieces)
}

/// Gives the entries to `take` one by one, while the file is being read.
pub(crate) fn each<S: Source>(
    source: &mut S,
    whole: bool,
    mut take: impl FnMut(&mut S, Piece) -> io::Result<()>,
) -> io::Result<()> {
    let size = source.size();
    let mut walk = Walk::new(whole);
    let mut buffer = vec![0; CHUNK];
    let mut line: Vec<u8> = Vec::new();
    let (mut at, mut line_start) = (0, 0);
    while at < size {
        let read = source.read_at(at, &mut buffer)?;
        let chunk = buffer.get(..read).unwrap_or_default();
        if chunk.is_empty() {
            break;
        }
        let mut rest = chunk;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let (part, more) = rest.split_at(end + 1);
            let next = at + (chunk.len() - more.len()) as u64;
            let part = part.get(..end).unwrap_or_default();
            let note = if line.is_empty() {
                walk.line(part, line_start, next)
            } else {
                hold(&mut line, part);
                let note = walk.line(&line, line_start, next);
                line.clear();
                note
            };
            if let Some(torn) = note {
                walk.note(source, line_start, torn)?;
            }
            line_start = next;
            rest = more;
        }
        hold(&mut line, rest);
        at += chunk.len() as u64;
        while let Some(piece) = walk.surely_whole() {
            let piece = piece.trimmed(source)?;
            take(source, piece)?;
        }
    }
    if at > line_start || walk.before == Before::Heading {
        walk.tail_at(source, line_start, at)?;
    }
    walk.close(at);
    for piece in walk.pieces {
        let piece = piece.trimmed(source)?;
        take(source, piece)?;
    }
    Ok(())
}

/// Keeps the beginning of a line that goes on in the next chunk: one byte more than counts, so that
/// a longer line is known as such.
fn hold(line: &mut Vec<u8>, part: &[u8]) {
    let room = (LONGEST_LINE + 1).saturating_sub(line.len());
    line.extend_from_slice(part.get(..room.min(part.len())).unwrap_or_default());
}

struct Walk {
    pieces: VecDeque<Piece>,
    /// The piece at the end is still open (its end is not known).
    open: bool,
    before: Before,
    start: Start,
}

/// What the line before was.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Before {
    Other,
    Empty,
    /// What follows decides what entry it heads.
    Heading,
    Marker,
}

/// What is known of the line that comes next, in the end of a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Start {
    /// It may be the rest of a line.
    Unknown,
    /// It is a line; whether the one before was empty is not known.
    AfterRest,
    /// Everything.
    Known,
}

impl Walk {
    fn new(whole: bool) -> Self {
        Self {
            pieces: VecDeque::new(),
            open: false,
            before: Before::Other,
            start: if whole { Start::Known } else { Start::Unknown },
        }
    }

    /// One line without its LF; `next` is where the next one begins. The answer is the count of a
    /// note of torn text, to be checked by [`Walk::note`].
    fn line(&mut self, line: &[u8], start: u64, next: u64) -> Option<u64> {
        let now = if line.is_empty() {
            Before::Empty
        } else {
            Before::Other
        };
        let before = std::mem::replace(&mut self.before, now);
        match std::mem::replace(&mut self.start, Start::Known) {
            Start::Unknown => {
                self.before = Before::Other;
                if line.is_empty() {
                    self.start = Start::AfterRest;
                }
                return None;
            }
            // Its leading LF may or may not be its own.
            Start::AfterRest if heading(line).is_some() => return None,
            _ => {}
        }
        match line.first() {
            Some(b'<') if line.starts_with(MARKER.as_bytes()) && line.len() <= LONGEST_LINE => {
                return self.marker(line, start, next, before);
            }
            Some(b'#') if line.len() <= LONGEST_LINE => {
                if let Some((time, role)) = heading(line) {
                    let lead = start - u64::from(before == Before::Empty);
                    self.open_piece(time, role, lead, start..next);
                }
            }
            None | Some(b'\r') if before == Before::Marker && matches!(line, b"" | b"\r") => {
                if let Some(piece) = self.pieces.back_mut() {
                    piece.body.start = next;
                }
            }
            _ => {}
        }
        None
    }

    fn open_piece(&mut self, time: NaiveTime, role: Role, lead: u64, heading: Range<u64>) {
        self.close(lead);
        self.pieces.push_back(Piece {
            role,
            time,
            marker: None,
            span: lead..heading.end,
            marker_line: heading.end..heading.end,
            body: heading.end..heading.end,
            heading,
        });
        self.open = true;
        self.before = Before::Heading;
    }

    fn marker(&mut self, line: &[u8], start: u64, next: u64, before: Before) -> Option<u64> {
        let marker = parse_marker(line);
        let torn = torn_count(&marker);
        if torn.is_none()
            && before == Before::Heading
            && let Some(piece) = self.pieces.back_mut()
        {
            piece.marker = Some(marker);
            piece.marker_line = start..start + line.len() as u64;
            piece.body.start = next;
            self.before = Before::Marker;
        }
        torn
    }

    /// A note at `start` says that `count` bytes before it are torn. It counts if they are.
    fn note(&mut self, source: &mut impl Source, start: u64, count: u64) -> io::Result<()> {
        let end = start.saturating_sub(1);
        if torn(&tail_of(source, end)?) as u64 == count {
            self.cut(end - count);
        }
        Ok(())
    }

    /// What stands from `at` on belongs to no entry, until the next heading.
    fn cut(&mut self, at: u64) {
        while self
            .pieces
            .back()
            .is_some_and(|piece| piece.span.start >= at)
        {
            self.pieces.pop_back();
            // The one before was closed where this one began, at or after `at`.
            self.open = !self.pieces.is_empty();
        }
        if self.open {
            self.close(at);
        }
    }

    fn close(&mut self, at: u64) {
        if self.open
            && let Some(piece) = self.pieces.back_mut()
        {
            piece.span.end = at;
            self.open = false;
        }
    }

    /// The last line has no LF: a crash may have torn it.
    fn tail_at(&mut self, source: &mut impl Source, line_start: u64, end: u64) -> io::Result<()> {
        let tail = tail_of(source, end)?;
        let from = end - tail.len() as u64;
        let torn = torn(&tail) as u64;
        if torn > 0 {
            self.cut(end - torn);
            return Ok(());
        }
        let line_at = usize::try_from(line_start.saturating_sub(from)).unwrap_or_default();
        if (from..end).contains(&line_start)
            && let Some(line) = tail.get(line_at..)
        {
            self.line(line, line_start, end);
        }
        Ok(())
    }

    /// The first entry, unless a note could still say that it is torn: that concerns the last one
    /// only, and its end the one before.
    fn surely_whole(&mut self) -> Option<Piece> {
        if self.pieces.len() > 2 {
            self.pieces.pop_front()
        } else {
            None
        }
    }
}

impl Piece {
    /// Finds where the body ends, once the span is known.
    fn trimmed(mut self, source: &mut impl Source) -> io::Result<Self> {
        self.body.end = self.span.end;
        self.body.start = self.body.start.min(self.body.end);
        if self.marker.is_none() {
            trim_blank_lines(source, &mut self.body)?;
        } else if ends_with_lf(source, &self.body)? {
            self.body.end -= 1;
        }
        Ok(self)
    }
}

/// The bytes before `end`, at most [`TAIL_LIMIT`] of them.
fn tail_of(source: &mut impl Source, end: u64) -> io::Result<Vec<u8>> {
    let from = end.saturating_sub(TAIL_LIMIT);
    let mut tail = vec![0; usize::try_from(end - from).unwrap_or_default()];
    fill(source, from, &mut tail)?;
    Ok(tail)
}

/// Reads until the buffer is full.
fn fill(source: &mut impl Source, at: u64, buffer: &mut [u8]) -> io::Result<()> {
    let mut filled = 0;
    while let Some(room) = buffer.get_mut(filled..).filter(|room| !room.is_empty()) {
        match source.read_at(at + filled as u64, room)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            read => filled += read,
        }
    }
    Ok(())
}

fn ends_with_lf(source: &mut impl Source, range: &Range<u64>) -> io::Result<bool> {
    let mut last = [0];
    Ok(!range.is_empty() && source.read_at(range.end - 1, &mut last)? == 1 && last == *b"\n")
}

/// Takes blank lines off both ends of a legacy body, and the LF of its last line.
fn trim_blank_lines(source: &mut impl Source, range: &mut Range<u64>) -> io::Result<()> {
    let mut buffer = [0; 512];
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\r' | b'\n');
    // Forward: the last LF before the first character that is not blank.
    let mut at = range.start;
    'forward: while at < range.end {
        let read = source.read_at(at, &mut buffer)?;
        let left = usize::try_from(range.end - at).unwrap_or(usize::MAX);
        let part = buffer.get(..read.min(left)).unwrap_or_default();
        if part.is_empty() {
            break;
        }
        for (index, byte) in part.iter().enumerate() {
            if !blank(byte) {
                break 'forward;
            }
            if *byte == b'\n' {
                range.start = at + index as u64 + 1;
            }
        }
        at += part.len() as u64;
        if at >= range.end {
            // Blank throughout.
            range.start = range.end;
        }
    }
    // Backward: the first LF behind the last character that is not blank.
    let mut end = range.end;
    'backward: while end > range.start {
        let from = end.saturating_sub(buffer.len() as u64).max(range.start);
        let want = usize::try_from(end - from).unwrap_or_default();
        let Some(part) = buffer.get_mut(..want) else {
            break;
        };
        fill(source, from, part)?;
        for (index, byte) in part.iter().enumerate().rev() {
            if !blank(byte) {
                break 'backward;
            }
            if *byte == b'\n' {
                range.end = from + index as u64;
            }
        }
        end = from;
    }
    // A CRLF file.
    let mut last = [0];
    if !range.is_empty() && source.read_at(range.end - 1, &mut last)? == 1 && last == *b"\r" {
        range.end -= 1;
    }
    Ok(())
}

/// A heading line's time and role; blanks at its end do not matter.
pub(crate) fn heading(line: &[u8]) -> Option<(NaiveTime, Role)> {
    if !is_heading_shape(line) {
        return None;
    }
    let digit = |at: usize| line.get(at).map_or(0, |byte| u32::from(byte - b'0'));
    let with_second = line.get(9) == Some(&b':');
    let second = if with_second {
        digit(10) * 10 + digit(11)
    } else {
        0
    };
    let time = NaiveTime::from_hms_opt(digit(4) * 10 + digit(5), digit(7) * 10 + digit(8), second)?;
    let role = line.get(if with_second { 14 } else { 11 });
    Some((
        time,
        if role == Some(&b'U') {
            Role::User
        } else {
            Role::Assistant
        },
    ))
}

/// `## [dd:dd] ` or `## [dd:dd:dd] `, a role, and blanks; any digits.
pub(crate) fn is_heading_shape(line: &[u8]) -> bool {
    let Some(role) = after_time(line) else {
        return false;
    };
    let rest = role
        .strip_prefix(b"User")
        .or_else(|| role.strip_prefix(b"Assistant"));
    rest.is_some_and(|rest| rest.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'\r')))
}

fn after_time(line: &[u8]) -> Option<&[u8]> {
    [b"## [00:00:00] ".as_slice(), b"## [00:00] "]
        .into_iter()
        .find_map(|shape| {
            let (head, rest) = line.split_at_checked(shape.len())?;
            fits(head, shape).then_some(rest)
        })
}

/// Whether `text` is the beginning of `shape`, in which a zero stands for any digit.
fn fits(text: &[u8], shape: &[u8]) -> bool {
    text.len() <= shape.len()
        && text.iter().zip(shape).all(|(byte, shape)| match shape {
            b'0' => byte.is_ascii_digit(),
            shape => byte == shape,
        })
}

/// Whether a heading line can begin so, or is one.
pub(crate) fn could_be_heading(begun: &[u8]) -> bool {
    is_heading_shape(begun)
        || [
            b"## [00:00:00] User".as_slice(),
            b"## [00:00:00] Assistant",
            b"## [00:00] User",
            b"## [00:00] Assistant",
        ]
        .into_iter()
        .any(|shape| fits(begun, shape))
}

/// Whether a line is a marker that is all there.
pub(crate) fn is_whole_marker(line: &[u8]) -> bool {
    line.starts_with(MARKER.as_bytes()) && line.trim_ascii_end().ends_with(b"-->")
}

/// The attributes of a marker line. Of one that was cut the last attribute does not count.
fn parse_marker(line: &[u8]) -> Marker {
    let text = String::from_utf8_lossy(line);
    let inner = text.strip_prefix(MARKER).unwrap_or_default();
    match inner.trim_end().strip_suffix("-->") {
        Some(inner) => Marker::parse(inner),
        None => Marker::parse(inner.rsplit_once(' ').map_or("", |(whole, _)| whole)),
    }
}

fn torn_count(marker: &Marker) -> Option<u64> {
    let only = matches!(
        marker,
        Marker {
            session: None,
            turn: None,
            uuid: None,
            ..
        }
    );
    match marker.more.as_slice() {
        [(key, count)] if only && key == TORN => count.parse().ok(),
        _ => None,
    }
}

/// How much of a file's end is looked at to find what a crash tore.
pub(crate) const TAIL_LIMIT: u64 = 64 * 1024;

/// How many bytes at the end of `tail` are the torn beginning of an entry, or a run of NUL that a
/// crash of the machine left. A body that was merely cut is not counted: it is an entry's still.
fn torn(tail: &[u8]) -> usize {
    let Some(last) = tail.iter().rposition(|byte| *byte != 0) else {
        return tail.len();
    };
    let whole = tail.get(..=last).unwrap_or_default();
    let nul = tail.len() - whole.len();
    let (before, line) = split_last_line(whole);
    if line.is_empty() {
        // A heading that nothing follows yet.
        let (before, line) = split_last_line(before.strip_suffix(b"\n").unwrap_or(before));
        let lonely = heading(line).is_some() && before.ends_with(b"\n\n");
        return nul + if lonely { line.len() + 2 } else { 0 };
    }
    if could_be_heading(line) && before.ends_with(b"\n\n") {
        return nul + line.len() + 1;
    }
    let marker = line.len().min(MARKER.len());
    if MARKER.as_bytes().get(..marker) == line.get(..marker) {
        let (before, previous) = split_last_line(before.strip_suffix(b"\n").unwrap_or(before));
        if heading(previous).is_some() {
            let lead = usize::from(before.ends_with(b"\n\n"));
            return nul + line.len() + 1 + previous.len() + lead;
        }
    }
    nul
}

/// The last line, and what stands before it with its LF.
fn split_last_line(bytes: &[u8]) -> (&[u8], &[u8]) {
    bytes.split_at(memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1))
}

/// What a writer puts between the end of a file and the next entry: a note of what is torn, else
/// an LF where there is none. `tail` is the file's end, at most [`TAIL_LIMIT`] bytes of it.
pub(crate) fn mend(tail: &[u8]) -> Vec<u8> {
    match torn(tail) {
        0 if tail.is_empty() || tail.ends_with(b"\n") => Vec::new(),
        0 => b"\n".to_vec(),
        count => format!("\n{MARKER} {TORN}={count} -->\n").into_bytes(),
    }
}
