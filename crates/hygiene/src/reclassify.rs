//! Failures that were none move to the successes.

use crate::observations::{GOTCHAS, LEARNED, Logs, OFFSET, Offset, archive_of};
use crate::{Error, Result};
use changes::ChangeSet;
use record::Record;
use safe_file::Boundary;

/// What moves.
#[derive(Debug)]
pub struct Plan {
    /// The changes; empty when nothing is misfiled.
    pub set: ChangeSet,
    /// Lines (from 1) of the failures that move.
    pub lines: Vec<usize>,
    /// Lines of the failures before.
    pub of: i64,
}

/// Plans the move. To be carried out while [`Record::lock_memory`] is held, or the logs may have
/// grown.
///
/// Every other line keeps its bytes. What was distilled already goes before the successes that were
/// not, so that the offset, moved along, still stands between the two.
pub fn plan(record: &Record, logs: &Logs) -> Result<Plan> {
    let lines = logs.misfiled();
    let boundary = Boundary::of_resolved(record.root().path().to_owned());
    let mut set = ChangeSet::new("reclassify", boundary);
    let of = logs.gotchas.count();
    if lines.is_empty() {
        return Ok(Plan { set, lines, of });
    }
    let offset = logs.offset;
    if logs.is_offset_damaged() {
        return Err(Error::Refused(format!(
            "{OFFSET} cannot be read; delete it first, then all counts as not distilled"
        )));
    }
    if logs.is_offset_beyond() {
        return Err(Error::Refused(format!(
            "{OFFSET} lies beyond the logs; run `mnemo doctor --fix` first"
        )));
    }
    let distilled = offset.map_or(0, |offset| offset.gotchas.max(0));
    let (mut kept, mut old, mut new) = (Vec::new(), Vec::new(), Vec::new());
    let mut moved_old = 0;
    for (index, line) in logs.gotchas.lines().enumerate() {
        if lines.binary_search(&(index + 1)).is_err() {
            kept.extend_from_slice(line);
            continue;
        }
        let is_old = i64::try_from(index).unwrap_or(i64::MAX) < distilled;
        moved_old += i64::from(is_old);
        let into = if is_old { &mut old } else { &mut new };
        into.extend_from_slice(&refiled(line));
        if !line.ends_with(b"\n") {
            into.push(b'\n');
        }
    }
    // Where the successes that were distilled end.
    let border = match offset {
        Some(offset) if offset.learned > 0 => logs
            .learned
            .lines()
            .take(usize::try_from(offset.learned).unwrap_or(usize::MAX))
            .map(<[u8]>::len)
            .sum(),
        _ => 0,
    };
    let (before, behind) = logs.learned.bytes.split_at(border);
    let mut learned = before.to_vec();
    let close = |bytes: &mut Vec<u8>| {
        if bytes.last().is_some_and(|last| *last != b'\n') {
            bytes.push(b'\n');
        }
    };
    // A negative or absent offset says that nothing here was distilled: all goes to the end.
    let split = offset.is_some_and(|offset| offset.learned >= 0);
    if split {
        close(&mut learned);
        learned.extend_from_slice(&old);
    }
    learned.extend_from_slice(behind);
    close(&mut learned);
    if !split {
        learned.extend_from_slice(&old);
    }
    learned.extend_from_slice(&new);
    // The successes first: a line is never in neither log.
    let lock = record.memory_lock()?;
    set.put(
        LEARNED,
        logs.learned.exists.then(|| logs.learned.bytes.clone()),
        Some(learned),
    )
    .keep_time()
    .grows_under(lock.clone())
    .moves_into(archive_of(LEARNED));
    set.put(GOTCHAS, Some(logs.gotchas.bytes.clone()), Some(kept))
        .keep_time()
        .grows_under(lock)
        .moves_into(archive_of(GOTCHAS));
    if let (Some(offset), Some(bytes)) = (offset, &logs.offset_bytes)
        && moved_old > 0
    {
        let moved = Offset {
            gotchas: offset.gotchas - moved_old,
            learned: if split {
                offset.learned + moved_old
            } else {
                offset.learned
            },
            ..offset
        };
        set.replace(OFFSET, bytes.clone(), moved.render())
            .keep_time()
            .counts([GOTCHAS, LEARNED]);
    }
    Ok(Plan { set, lines, of })
}

/// The line as a success, with a note of where it came from.
fn refiled(line: &[u8]) -> Vec<u8> {
    for blank in ["", " "] {
        let was = format!("\"event\":{blank}\"tool_error\"");
        if let Some(at) = memchr::memmem::find(line, was.as_bytes()) {
            let mut out = line.get(..at).unwrap_or_default().to_vec();
            out.extend_from_slice(
                format!("\"event\":{blank}\"tool_success\",{blank}\"reclassified_from\":{blank}\"tool_error\"").as_bytes(),
            );
            out.extend_from_slice(line.get(at + was.len()..).unwrap_or_default());
            return out;
        }
    }
    line.to_vec()
}
