//! The conversations folder with its lock held: the one way to write day files.

use crate::day::layout::{self, Piece, TAIL_LIMIT};
use crate::day::{self, Brief, Change, Digest, Located, NewEntry};
use crate::file::{Opened, State};
use crate::{Record, Result};
use chrono::{DateTime, Local, NaiveDate, NaiveTime};
use claude_hook::RecordId;
use redact::Clean;
use safe_file::Error;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::ops::Range;
use std::path::Path;

/// How much of a file's end an append reads: enough to see a header that a crash tore.
const APPEND_TAIL: u64 = 4 * 1024;

/// The conversations folder with its lock held.
#[derive(Debug)]
pub struct Conversations<'a> {
    record: &'a Record,
    lock: safe_file::Lock,
}

impl<'a> Conversations<'a> {
    pub(crate) fn new(record: &'a Record, lock: safe_file::Lock) -> Self {
        Self { record, lock }
    }

    /// False where the file system has no locks (some network homes): then nothing keeps two
    /// writers apart but the single write of each.
    pub fn lock_supported(&self) -> bool {
        self.lock.supported()
    }

    /// The record.
    pub fn record(&self) -> &'a Record {
        self.record
    }

    /// Appends entries to the day file of `now` by one write (header included when new; a torn
    /// tail is closed off first). Take `now` while this lock is held.
    pub fn append(&mut self, now: DateTime<Local>, entries: &[NewEntry]) -> Result<()> {
        if entries.is_empty() {
            return Ok(());
        }
        let date = now.date_naive();
        self.append_entries(date, now.time(), entries.iter())?;
        Ok(())
    }

    /// Answers where the first entry begins in what was written, unless something before it had to
    /// be mended, and how many bytes each entry has.
    fn append_entries<'e>(
        &self,
        date: NaiveDate,
        time: NaiveTime,
        entries: impl Iterator<Item = &'e NewEntry>,
    ) -> Result<(Option<usize>, Vec<usize>)> {
        let path = self.record.day_path(date)?;
        let header = || (self.header(date).into_bytes(), false);
        let closed_off = |mend: Vec<u8>| {
            let mended = !mend.is_empty();
            (mend, mended)
        };
        let (mut block, mended) = match safe_file::tail(&path, APPEND_TAIL)? {
            None => header(),
            Some((0, bytes)) if bytes.is_empty() => header(),
            Some((0, bytes)) => match self.torn_header(&path, date, &bytes)? {
                Some(rest) => (rest, true),
                None => closed_off(layout::mend(&bytes)),
            },
            Some((_, bytes)) if bytes.ends_with(b"\n") => closed_off(layout::mend(&bytes)),
            Some(_) => closed_off(Self::mend(&path)?),
        };
        let first = block.len();
        let mut lengths = Vec::new();
        for entry in entries {
            let before = block.len();
            day::render_into(&mut block, entry, time);
            lengths.push(block.len() - before);
        }
        safe_file::append(&path, &block)?;
        Ok(((!mended).then_some(first), lengths))
    }

    /// What closes off the end of a file.
    fn mend(path: &Path) -> Result<Vec<u8>> {
        let tail = safe_file::tail(path, TAIL_LIMIT)?;
        Ok(layout::mend(
            &tail.map(|(_, bytes)| bytes).unwrap_or_default(),
        ))
    }

    fn header(&self, date: NaiveDate) -> String {
        let name = self.record.root().path().file_name().unwrap_or_default();
        day::header(date, &name.to_string_lossy())
    }

    /// A small file, read whole, in which a crash left less than a header: `Some` is what completes
    /// it. Where something else stands instead of one, the header is put in front.
    fn torn_header(&self, path: &Path, date: NaiveDate, bytes: &[u8]) -> Result<Option<Vec<u8>>> {
        let header = self.header(date);
        if let Some(rest) = header.as_bytes().strip_prefix(bytes) {
            return Ok(Some(rest.to_vec()));
        }
        let title = format!("# {date}");
        let has_title = bytes
            .split(|byte| *byte == b'\n')
            .any(|line| line.trim_ascii_end() == title.as_bytes());
        if has_title || !day::parse(bytes).is_empty() || has_heading(bytes) {
            return Ok(None);
        }
        let mut whole = header.into_bytes();
        whole.push(b'\n');
        whole.extend_from_slice(bytes);
        if !whole.ends_with(b"\n") {
            whole.push(b'\n');
        }
        safe_file::replace(path, &whole)?;
        Ok(Some(Vec::new()))
    }

    /// The last entries of a day file: at most `limit` bytes of it, whole entries only, with
    /// their spans in the file.
    pub fn tail(&self, date: NaiveDate, limit: u64) -> Result<Vec<Located>> {
        let path = self.record.day_path(date)?;
        Ok(match safe_file::tail(&path, limit)? {
            None => Vec::new(),
            Some((offset, bytes)) => day::parse_from(&bytes, offset),
        })
    }

    /// Completes an entry that [`Conversations::tail`] found: `body` begins with what it holds.
    /// The file's last entry grows by one append; another one by a prepared file swapped in.
    pub fn complete(&mut self, date: NaiveDate, entry: &Located, body: &Clean) -> Result<()> {
        let path = self.record.day_path(date)?;
        let Some(mut file) = Opened::open(&path)? else {
            return Err(Error::Changed { path }.into());
        };
        let (piece, bytes) = Self::piece_at(&path, &mut file, &entry.span)?;
        if piece.time != entry.entry.time || piece.role != entry.entry.role {
            return Err(Error::Changed { path }.into());
        }
        let (start, end) = (entry.span.start, entry.span.end);
        let whole = day::escaped(body.as_str());
        if piece.marker.is_some() && end == file.state.length {
            let held = slice(&bytes, piece.body.start - start, piece.body.end - start);
            // What follows the body: its LF, or nothing when a crash took that.
            let behind = slice(&bytes, piece.body.end - start, end - start);
            if let Some(more) = whole.strip_prefix(held).and_then(|more| {
                [more, b"\n"]
                    .concat()
                    .strip_prefix(behind)
                    .map(<[u8]>::to_vec)
            }) {
                if !more.is_empty() {
                    safe_file::append(&path, &more)?;
                }
                return Ok(());
            }
        }
        let mut edits = Edits::default();
        edits
            .complete(&mut file, &piece, &whole, None)
            .map_err(|error| Error::io("read", &path, error))?;
        self.swap(&path, &mut file, &edits)
    }

    /// The entry at a place, and its bytes. It must be there as it was told.
    fn piece_at(path: &Path, file: &mut Opened, span: &Range<u64>) -> Result<(Piece, Vec<u8>)> {
        let changed = || Error::Changed {
            path: path.to_owned(),
        };
        if span.end > file.state.length {
            return Err(changed().into());
        }
        let read = |error| Error::io("read", path, error);
        let bytes = file.bytes(span.start, span.end).map_err(read)?;
        let mut pieces = layout::layout(&mut bytes.as_slice(), true).map_err(read)?;
        match (pieces.pop(), pieces.is_empty()) {
            (Some(mut piece), true) if piece.span == (0..bytes.len() as u64) => {
                shift(&mut piece, span.start);
                Ok((piece, bytes))
            }
            _ => Err(changed().into()),
        }
    }

    /// Applies changes to a day file by a prepared file swapped in (a pure append where all come
    /// at the end and nothing is completed). Streams; the file may be larger than memory.
    /// `seen` is what [`Conversations::digest`] told when the plan was made; if the file changed
    /// since: `safe_file::Error::Changed`.
    pub fn apply(&mut self, date: NaiveDate, seen: &Digest, changes: &[Change]) -> Result<()> {
        self.change(date, seen, changes)?;
        Ok(())
    }

    /// As [`Conversations::apply`], and gives the digest of the file as it is then. What was
    /// written is known and not read again, unless something had to be mended or completed.
    pub fn renew(
        &mut self,
        date: NaiveDate,
        mut seen: Digest,
        changes: &[Change],
    ) -> Result<Digest> {
        let new = self.change(date, &seen, changes)?;
        if changes.is_empty() {
            return Ok(seen);
        }
        let state = State::now(&self.record.day_path(date)?)?;
        if let Some(new) = new
            && state
                .as_ref()
                .is_some_and(|state| state.length == new.length)
        {
            seen.insert(new.entries);
            seen.state = state;
            return Ok(seen);
        }
        self.record.digest_again(date, seen)
    }

    /// Answers what came in, if nothing else changed.
    fn change(
        &mut self,
        date: NaiveDate,
        seen: &Digest,
        changes: &[Change],
    ) -> Result<Option<News>> {
        let path = self.record.day_path(date)?;
        if State::now(&path)? != seen.state {
            return Err(Error::Changed { path }.into());
        }
        if changes.is_empty() {
            return Ok(None);
        }
        let count = seen.entries.len();
        let at_end: Vec<&NewEntry> = changes
            .iter()
            .filter_map(|change| match change {
                Change::Insert { before, entry } => (*before >= count).then_some(entry),
                Change::Complete { .. } => None,
            })
            .collect();
        if at_end.len() == changes.len() {
            let written = self.append_entries(date, NaiveTime::MIN, at_end.iter().copied())?;
            let (Some(first), lengths) = written else {
                return Ok(None);
            };
            let mut news = News::default();
            let length = seen.state.as_ref().map_or(0, |state| state.length);
            news.length = length + first as u64;
            for (entry, length) in at_end.into_iter().zip(lengths) {
                news.add(count, entry, length as u64);
            }
            return Ok(Some(news));
        }
        let Some(mut file) = Opened::open(&path)? else {
            return Err(Error::Changed { path }.into());
        };
        let mut edits = Edits::default();
        let mut closed = false;
        let mut only_inserts = true;
        let mut inserts = Vec::with_capacity(changes.len());
        for change in changes {
            match change {
                Change::Insert { before, entry } => {
                    let next = seen.entries.get(*before);
                    let at = next.map_or(file.state.length, |entry| entry.span.start);
                    if at == file.state.length && !closed {
                        closed = true;
                        let mend = Self::mend(&path)?;
                        only_inserts &= mend.is_empty();
                        edits.insert(at, &mend);
                    }
                    let rendered = day::render(entry, NaiveTime::MIN);
                    edits.insert(at, &rendered);
                    inserts.push((at, *before, entry, rendered.len() as u64));
                }
                Change::Complete { at, body, uuid } => {
                    let Some(entry) = seen.entries.get(*at) else {
                        return Err(Error::Changed { path }.into());
                    };
                    let (piece, _) = Self::piece_at(&path, &mut file, &entry.span)?;
                    let whole = day::escaped(body.as_str());
                    edits
                        .complete(&mut file, &piece, &whole, uuid.as_ref())
                        .map_err(|error| Error::io("read", &path, error))?;
                    only_inserts = false;
                }
            }
        }
        self.swap(&path, &mut file, &edits)?;
        if !only_inserts {
            return Ok(None);
        }
        // As the edits were written: by place, and those of one place as they came.
        inserts.sort_by_key(|(at, ..)| *at);
        let mut news = News::default();
        let mut copied = 0;
        for (at, before, entry, length) in inserts {
            news.length += at - copied;
            copied = at;
            news.add(before, entry, length);
        }
        news.length += file.state.length - copied;
        Ok(Some(news))
    }

    #[allow(clippy::unused_self, reason = "only who holds the lock may swap")]
    fn swap(&self, path: &Path, file: &mut Opened, edits: &Edits) -> Result<()> {
        let before = file.state.clone();
        safe_file::replace_with(
            path,
            |out| edits.write(file, out),
            || {
                if State::now(path)?.as_ref() == Some(&before) {
                    Ok(())
                } else {
                    Err(Error::Changed {
                        path: path.to_owned(),
                    })
                }
            },
        )?;
        Ok(())
    }

    /// Reads a day file as what repair needs to match entries, without keeping bodies.
    pub fn digest(&self, date: NaiveDate) -> Result<Digest> {
        self.record.digest(date)
    }
}

/// What came into a file.
#[derive(Debug, Default)]
struct News {
    /// Before which entry each stands, in file order.
    entries: Vec<(usize, Brief)>,
    /// How long the file is then.
    length: u64,
}

impl News {
    /// An entry at what is the end so far.
    fn add(&mut self, before: usize, entry: &NewEntry, length: u64) {
        let brief = Brief::of(entry, NaiveTime::MIN, self.length, length);
        self.entries.push((before, brief));
        self.length += length;
    }
}

impl Digest {
    /// Takes in what came, and moves what stands behind it.
    fn insert(&mut self, new: Vec<(usize, Brief)>) {
        let Some(first) = new.first().map(|(before, _)| *before) else {
            return;
        };
        if first >= self.entries.len() {
            self.entries.extend(new.into_iter().map(|(_, brief)| brief));
            return;
        }
        let behind = self.entries.split_off(first);
        self.entries.reserve(behind.len() + new.len());
        let mut new = new.into_iter().peekable();
        let mut moved = 0;
        let mut put = |entries: &mut Vec<Brief>, moved: &mut u64, upto: usize| {
            while let Some((_, brief)) = new.next_if(|(before, _)| *before <= upto) {
                *moved += brief.span.end - brief.span.start;
                entries.push(brief);
            }
        };
        for (number, mut entry) in behind.into_iter().enumerate() {
            put(&mut self.entries, &mut moved, first + number);
            entry.span = entry.span.start + moved..entry.span.end + moved;
            self.entries.push(entry);
        }
        put(&mut self.entries, &mut moved, usize::MAX);
    }
}

/// Whether a line looks like a heading, torn or not.
fn has_heading(bytes: &[u8]) -> bool {
    bytes
        .split(|byte| *byte == b'\n')
        .any(|line| line.starts_with(b"## ["))
}

fn slice(bytes: &[u8], from: u64, to: u64) -> &[u8] {
    let from = usize::try_from(from).unwrap_or(usize::MAX);
    let to = usize::try_from(to).unwrap_or(usize::MAX);
    bytes.get(from..to).unwrap_or_default()
}

/// From places in an entry to places in the file.
fn shift(piece: &mut Piece, by: u64) {
    for range in [
        &mut piece.span,
        &mut piece.heading,
        &mut piece.marker_line,
        &mut piece.body,
    ] {
        range.start += by;
        range.end += by;
    }
}

/// What is put in place of which bytes of a file, by where they begin and whether something stays
/// in front of it: what is inserted at a place comes before what replaces the bytes there.
#[derive(Debug, Default)]
struct Edits {
    at: BTreeMap<(u64, bool), Edit>,
}

#[derive(Debug, Default)]
struct Edit {
    /// Where the replaced bytes end.
    until: u64,
    text: Vec<u8>,
}

impl Edits {
    fn insert(&mut self, at: u64, text: &[u8]) {
        let edit = self.at.entry((at, false)).or_default();
        edit.until = at;
        edit.text.extend_from_slice(text);
    }

    /// New body and marker of an entry.
    fn complete(
        &mut self,
        file: &mut Opened,
        piece: &Piece,
        escaped: &[u8],
        uuid: Option<&RecordId>,
    ) -> io::Result<()> {
        let line = file.bytes(piece.marker_line.start, piece.marker_line.end)?;
        let line = String::from_utf8_lossy(&line);
        let line = piece.marker.is_some().then_some(&*line);
        let mut text = day::completed_marker(line, piece.marker.as_ref(), uuid).into_bytes();
        text.extend_from_slice(b"\n\n");
        text.extend_from_slice(escaped);
        text.push(b'\n');
        let key = (piece.heading.end, true);
        self.at.insert(
            key,
            Edit {
                until: piece.span.end,
                text,
            },
        );
        Ok(())
    }

    fn write(&self, file: &mut Opened, out: &mut dyn Write) -> io::Result<()> {
        let mut copied = 0;
        for (&(at, _), edit) in &self.at {
            file.copy(copied, at, out)?;
            out.write_all(&edit.text)?;
            copied = copied.max(edit.until);
        }
        let length = file.state.length;
        file.copy(copied, length, out)
    }
}
