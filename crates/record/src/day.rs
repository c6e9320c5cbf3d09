//! Day files: entries rendered and parsed.
//!
//! A file is a header (frontmatter and `# DATE`, LF) and entries: LF, heading LF, marker LF, LF,
//! body, LF. Lines break at LF only. Entries of the original mnemo have no marker ("legacy").

mod escape;
mod hash;
mod header;
pub(crate) mod layout;

pub(crate) use hash::Hasher;
pub(crate) use header::header;

use chrono::{NaiveTime, Timelike};
use claude_hook::{PromptId, RecordId, Role, SessionId};
use redact::Clean;
use std::fmt::Write as _;
use std::num::NonZeroU64;
use std::ops::Range;

/// Characters of the session id that a marker holds.
const SESSION_CHARS: usize = 8;
/// Longest value in a marker; the client's ids have 36 characters.
const VALUE_CHARS: usize = 128;

/// The hidden second line of an entry. Attributes that are not ours are kept in `more`.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marker {
    /// First 8 characters of the session id.
    pub session: Option<String>,
    /// The turn.
    pub turn: Option<String>,
    /// Record uuid, written by repair (`u=`).
    pub uuid: Option<String>,
    /// Other attributes, in order.
    pub more: Vec<(String, String)>,
}

impl Marker {
    /// Values are cut down to ASCII letters, digits, `-`, `_`, `.`, and to 128 characters.
    pub fn new(session: &SessionId, turn: Option<&PromptId>, uuid: Option<&RecordId>) -> Self {
        Self {
            session: value(session.as_str()).map(|mut id| {
                id.truncate(SESSION_CHARS);
                id
            }),
            turn: turn.and_then(|id| value(id.as_str())),
            uuid: uuid.and_then(|id| value(id.as_str())),
            more: Vec::new(),
        }
    }

    /// The line without its LF.
    fn render(&self) -> String {
        let mut line = String::from(layout::MARKER);
        let own = [("s", &self.session), ("id", &self.turn), ("u", &self.uuid)];
        let own = own
            .into_iter()
            .filter_map(|(key, text)| Some((key, text.as_deref()?)));
        let more = self.more.iter().map(|(k, v)| (k.as_str(), v.as_str()));
        for (key, text) in own.chain(more) {
            if let (Some(key), Some(text)) = (value(key), value(text)) {
                let _ = write!(line, " {key}={text}");
            }
        }
        line.push_str(" -->");
        line
    }

    /// What stands between `<!-- mnemo` and `-->`. Of a key that stands twice the first counts.
    fn parse(inner: &str) -> Self {
        let mut marker = Self::default();
        for pair in inner.split_ascii_whitespace() {
            let (key, text) = pair.split_once('=').unwrap_or((pair, ""));
            let place = match key {
                "s" => &mut marker.session,
                "id" => &mut marker.turn,
                "u" => &mut marker.uuid,
                _ => {
                    marker.more.push((key.to_owned(), text.to_owned()));
                    continue;
                }
            };
            if place.is_none() && !text.is_empty() {
                *place = Some(text.to_owned());
            }
        }
        marker
    }
}

/// What a marker may hold of a text; `None` if nothing.
fn value(text: &str) -> Option<String> {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.');
    // As the client's ids are.
    if (1..=VALUE_CHARS).contains(&text.len()) && text.bytes().all(|byte| allowed(byte.into())) {
        return Some(text.to_owned());
    }
    let kept: String = text
        .chars()
        .filter(|c| allowed(*c))
        .take(VALUE_CHARS)
        .collect();
    (!kept.is_empty()).then_some(kept)
}

/// An entry to be written. Its body is filtered by type.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewEntry {
    /// Who.
    pub role: Role,
    /// Heading time; `None` = the time of the append.
    pub time: Option<NaiveTime>,
    /// Marker.
    pub marker: Marker,
    /// Body before escaping.
    pub body: Clean,
}

/// A parsed entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Who.
    pub role: Role,
    /// Heading time (legacy `HH:MM` has second 0).
    pub time: NaiveTime,
    /// `None`: a legacy entry.
    pub marker: Option<Marker>,
    /// Body with escapes taken off (legacy: as it stands, without blank lines around it).
    pub body: String,
}

/// A parsed entry and where it stands in the file, from its leading LF to before the next one's.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Located {
    /// The entry.
    pub entry: Entry,
    /// Bytes in the file.
    pub span: Range<u64>,
}

/// A text's name: equal for equal texts, different for others. Days of hundreds of thousands of
/// entries are held by the names of what their markers say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Key(NonZeroU64);

impl Key {
    /// The name of a text.
    pub fn of(text: &str) -> Self {
        Self(NonZeroU64::new(hash::exact(text)).unwrap_or(NonZeroU64::MIN))
    }
}

/// Names of what a [`Marker`] says.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Keys {
    /// Of the session's first 8 characters.
    pub session: Option<Key>,
    /// Of the turn.
    pub turn: Option<Key>,
    /// Of the record's uuid.
    pub uuid: Option<Key>,
}

impl From<&Marker> for Keys {
    fn from(marker: &Marker) -> Self {
        let key = |text: &Option<String>| text.as_deref().map(Key::of);
        Self {
            session: key(&marker.session),
            turn: key(&marker.turn),
            uuid: key(&marker.uuid),
        }
    }
}

/// What repair needs of one entry, without its body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Brief {
    /// Who.
    pub role: Role,
    /// Heading time.
    pub time: NaiveTime,
    /// `None`: legacy.
    pub marker: Option<Keys>,
    /// [`hash`] of the unescaped body.
    pub hash: u64,
    /// [`hash_loose`] of the unescaped body; 0 for an Assistant entry with a marker, which nobody
    /// has to know again so.
    pub loose: u64,
    /// Bytes in the file.
    pub span: Range<u64>,
}

impl Brief {
    /// Of an entry that begins at `start` and has `length` bytes.
    pub(crate) fn of(entry: &NewEntry, time: NaiveTime, start: u64, length: u64) -> Self {
        let time = entry.time.unwrap_or(time);
        let mut hasher = Hasher::new(has_loose(entry.role, true));
        hasher.push(entry.body.as_str());
        let (hash, loose) = hasher.finish();
        Self {
            role: entry.role,
            time: time.with_nanosecond(0).unwrap_or(time),
            marker: Some(Keys::from(&entry.marker)),
            hash,
            loose,
            span: start..start + length,
        }
    }
}

/// Whether an entry may have to be known by its loose hash.
fn has_loose(role: Role, marker: bool) -> bool {
    role == Role::User || !marker
}

/// A day file read for matching, and its state (length, inode, mtime) when it was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Digest {
    /// In file order.
    pub entries: Vec<Brief>,
    /// `None`: there was no file.
    pub(crate) state: Option<crate::file::State>,
}

/// One change of a day file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    /// A new entry before entry number `before` of the digest (its length = at the end).
    /// Several at one place come in the order given.
    Insert {
        /// Entry number.
        before: usize,
        /// With `time` set.
        entry: NewEntry,
    },
    /// New body (and `u=`) for entry number `at`; heading and other attributes stay.
    Complete {
        /// Entry number.
        at: usize,
        /// Whole body before escaping.
        body: Clean,
        /// Added as `u=` when the entry has none.
        uuid: Option<RecordId>,
    },
}

/// A stable 64-bit hash of a body. LFs at its end do not count: a crash can cost an entry its last
/// ones, or give it one more.
pub fn hash(body: &str) -> u64 {
    hash::exact(body.trim_end_matches('\n'))
}

/// As [`hash`], white space and backslashes left out (to know legacy entries again).
pub fn hash_loose(body: &str) -> u64 {
    let mut hasher = Hasher::new(true);
    hasher.push(body);
    hasher.finish().1
}

/// Renders one entry: LF, heading LF, marker LF, LF, escaped body, LF.
pub fn render(entry: &NewEntry, time: NaiveTime) -> Vec<u8> {
    let body = entry.body.as_str();
    let mut out = Vec::with_capacity(body.len() + body.len() / 64 + 160);
    render_into(&mut out, entry, time);
    out
}

pub(crate) fn render_into(out: &mut Vec<u8>, entry: &NewEntry, time: NaiveTime) {
    let role = match entry.role {
        Role::User => "User",
        Role::Assistant => "Assistant",
    };
    let time = entry.time.unwrap_or(time);
    // Not by a format string: that shows a leap second as second 60, which no reader takes.
    let (hour, minute, second) = (time.hour(), time.minute(), time.second());
    let heading = format!("\n## [{hour:02}:{minute:02}:{second:02}] {role}\n");
    out.extend_from_slice(heading.as_bytes());
    out.extend_from_slice(entry.marker.render().as_bytes());
    out.extend_from_slice(b"\n\n");
    escape::escape_into(out, entry.body.as_str());
    out.push(b'\n');
}

/// A body as it stands in the file.
pub(crate) fn escaped(body: &str) -> Vec<u8> {
    let mut out = Vec::with_capacity(body.len() + body.len() / 64 + 16);
    escape::escape_into(&mut out, body);
    out
}

/// The marker line of a completed entry, without its LF: `line` as it stands with `u=` added where
/// it has none. `line` is `None` for a legacy entry.
pub(crate) fn completed_marker(
    line: Option<&str>,
    marker: Option<&Marker>,
    uuid: Option<&RecordId>,
) -> String {
    let mut marker = marker.cloned().unwrap_or_default();
    let uuid = uuid.and_then(|id| value(id.as_str()));
    match (line, uuid) {
        (Some(line), None) if layout::is_whole_marker(line.as_bytes()) => line.to_owned(),
        (Some(line), Some(uuid)) if layout::is_whole_marker(line.as_bytes()) => {
            match line.rfind("-->") {
                Some(at) if marker.uuid.is_none() => {
                    let (head, tail) = line.split_at(at);
                    format!("{} u={uuid} {tail}", head.trim_end())
                }
                _ => line.to_owned(),
            }
        }
        (_, uuid) => {
            marker.uuid = marker.uuid.or(uuid);
            marker.render()
        }
    }
}

/// Parses a whole day file. What is no entry (header, torn text) is passed over.
pub fn parse(bytes: &[u8]) -> Vec<Located> {
    parse_from(bytes, 0)
}

/// Parses the part of a day file that begins at `offset`.
pub(crate) fn parse_from(bytes: &[u8], offset: u64) -> Vec<Located> {
    let mut source: &[u8] = bytes;
    // Reading memory cannot fail.
    let pieces = layout::layout(&mut source, offset == 0).unwrap_or_default();
    pieces
        .into_iter()
        .map(|piece| Located {
            entry: Entry {
                role: piece.role,
                time: piece.time,
                body: body_of(bytes, &piece),
                marker: piece.marker,
            },
            span: piece.span.start + offset..piece.span.end + offset,
        })
        .collect()
}

fn body_of(bytes: &[u8], piece: &layout::Piece) -> String {
    let range = |range: &Range<u64>| {
        let start = usize::try_from(range.start).unwrap_or(usize::MAX);
        let end = usize::try_from(range.end).unwrap_or(usize::MAX);
        bytes.get(start..end).unwrap_or_default()
    };
    let raw = range(&piece.body);
    if piece.marker.is_none() {
        return String::from_utf8_lossy(raw).into_owned();
    }
    let mut body = Vec::with_capacity(raw.len());
    let mut unescape = escape::Unescape::default();
    unescape.feed(raw, &mut |part| body.extend_from_slice(part));
    unescape.finish(&mut |part| body.extend_from_slice(part));
    String::from_utf8(body)
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// Hashes the body of a piece without holding it.
pub(crate) fn brief(
    source: &mut impl layout::Source,
    piece: layout::Piece,
    buffer: &mut [u8],
) -> std::io::Result<Brief> {
    let mut hasher = Hasher::new(has_loose(piece.role, piece.marker.is_some()));
    let mut unescape = escape::Unescape::default();
    let mut at = piece.body.start;
    while at < piece.body.end {
        let left = usize::try_from(piece.body.end - at).unwrap_or(usize::MAX);
        let want = left.min(buffer.len());
        let read = source.read_at(at, buffer.get_mut(..want).unwrap_or_default())?;
        let part = buffer.get(..read).unwrap_or_default();
        if part.is_empty() {
            break;
        }
        at += part.len() as u64;
        if piece.marker.is_some() {
            unescape.feed(part, &mut |part| hasher.feed(part));
        } else {
            hasher.feed(part);
        }
    }
    unescape.finish(&mut |part| hasher.feed(part));
    let (hash, loose) = hasher.finish();
    Ok(Brief {
        role: piece.role,
        time: piece.time,
        marker: piece.marker.as_ref().map(Keys::from),
        hash,
        loose,
        span: piece.span,
    })
}

#[cfg(test)]
mod tests {
    use super::layout::Source;
    use super::{Keys, brief, hash, hash_loose, layout, parse};
    use claude_hook::Role;
    use proptest::prelude::*;

    /// Bytes that come a few at a time, as a file's may.
    struct Drip<'a>(&'a [u8], usize);

    impl Source for Drip<'_> {
        fn size(&self) -> u64 {
            self.0.len() as u64
        }
        fn read_at(&mut self, at: u64, buffer: &mut [u8]) -> std::io::Result<usize> {
            let most = buffer.len().min(self.1);
            self.0.read_at(at, &mut buffer[..most])
        }
    }

    fn text() -> impl Strategy<Value = Vec<u8>> {
        let piece = prop_oneof![
            Just(&b"\n## [10:00:00] User\n"[..]),
            Just(&b"\n## [10:00] Assistant \r\n"[..]),
            Just(&b"<!-- mnemo s=a id=b -->\n\n"[..]),
            Just(&b"<!-- mnemo torn=4 -->\n"[..]),
            Just(&b"\n\n## ["[..]),
            Just(&b"\\"[..]),
            Just(&b"## [10:00:00] User"[..]),
            Just(&b"<!-- mnemo"[..]),
            Just(&b"\n"[..]),
            Just(&b" "[..]),
            Just("한글\u{2028}".as_bytes()),
            Just(&b"\xed\x95\xff\xf0\x9f"[..]),
            Just(&b"\0"[..]),
        ];
        proptest::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn a_stream_tells_what_the_whole_tells(bytes in text(), step in 1_usize..40, room in 1_usize..40) {
            let mut briefs = Vec::new();
            let mut buffer = vec![0; room];
            layout::each(&mut Drip(&bytes, step), true, |source, piece| {
                briefs.push(brief(source, piece, &mut buffer)?);
                Ok(())
            })
            .unwrap();
            let whole = parse(&bytes);
            prop_assert_eq!(briefs.len(), whole.len());
            for (brief, located) in briefs.iter().zip(&whole) {
                prop_assert_eq!(&brief.span, &located.span);
                prop_assert_eq!(brief.marker, located.entry.marker.as_ref().map(Keys::from));
                prop_assert_eq!(brief.hash, hash(&located.entry.body));
                let wanted = brief.role == Role::User || brief.marker.is_none();
                let loose = if wanted { hash_loose(&located.entry.body) } else { 0 };
                prop_assert_eq!(brief.loose, loose);
            }
        }
    }
}
