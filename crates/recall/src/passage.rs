//! The part of a text that is shown.

use crate::judge::{Cursor, Judge, behind};
use std::io::Read;
use std::ops::Range;
use std::path::Path;

/// What matched in a text, in order.
pub(crate) fn marks(text: &str, judge: &mut Judge<'_>) -> Vec<Range<usize>> {
    let mut out: Vec<Range<usize>> = Vec::new();
    let (mut cursor, mut low) = (Cursor::default(), Vec::new());
    let given = judge.text(text.as_bytes(), &mut low);
    let mut at = 0;
    while let Some((word, _)) = judge.next(&mut cursor, given, at) {
        at = behind(text.as_bytes(), &word);
        if let Some(last) = out.last_mut().filter(|last| word.start < last.end) {
            last.end = last.end.max(word.end);
        } else if text.is_char_boundary(word.start) && text.is_char_boundary(word.end) {
            out.push(word);
        }
    }
    out
}

/// The line (from 1) that begins at a byte of a file.
pub(crate) fn line_at(path: &Path, at: u64) -> usize {
    let Ok(Some(file)) = safe_file::open_regular(path) else {
        return 1;
    };
    let mut file = file.take(at);
    let mut buffer = vec![0; 1 << 16];
    let mut lines = 1;
    while let Ok(read) = file.read(&mut buffer) {
        if read == 0 {
            break;
        }
        lines += memchr::memchr_iter(b'\n', buffer.get(..read).unwrap_or_default()).count();
    }
    lines
}

/// The lines of a text with the most matches, `context` lines around them, and where they begin.
pub fn excerpt(text: &str, marks: &[Range<usize>], context: usize) -> Range<usize> {
    let lines: Vec<Range<usize>> = {
        let mut at = 0;
        text.split_inclusive('\n')
            .map(|line| {
                let range = at..at + line.trim_end().len();
                at += line.len();
                range
            })
            .collect()
    };
    let holds = |line: &Range<usize>| {
        marks
            .iter()
            .filter(|mark| line.start <= mark.start && mark.start < line.end)
            .count()
    };
    let best = lines
        .iter()
        .enumerate()
        .max_by_key(|(index, line)| (holds(line), usize::MAX - index))
        .map_or(0, |(index, _)| index);
    let first = best.saturating_sub(context);
    let last = (best + context).min(lines.len().saturating_sub(1));
    match (lines.get(first), lines.get(last)) {
        (Some(first), Some(last)) => first.start..last.end.max(first.start),
        _ => 0..text.len(),
    }
}
