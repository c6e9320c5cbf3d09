//! What a set changes, as people read it.

use crate::{ChangeSet, Kind, Shown};
use mnemo_home::text::plain;
use similar::{ChangeTag, DiffableStr, TextDiff};
use std::borrow::Cow;
use std::fmt::Write as _;
use std::time::Duration;

/// Lines of unchanged text around a change.
const CONTEXT: usize = 3;

/// Above this size a file is told, not shown.
const SHOWN: usize = 2 * 1024 * 1024;

/// A diff that takes longer is made coarser, not later.
const PATIENCE: Duration = Duration::from_millis(500);

/// The diffs of all changes. In `put` calls that were given a whole file only its changed lines
/// are shown; a file that goes away is told with its size.
pub(crate) fn of(set: &ChangeSet, shown: Shown) -> String {
    let mut out = String::new();
    for line in set.summary() {
        let path = line.path.display();
        let after = set.after_of(&line.path);
        match &line.kind {
            Kind::Created => {
                let _ = writeln!(out, "--- /dev/null\n+++ {path}");
                hunks(&mut out, b"", after.unwrap_or_default(), shown);
            }
            Kind::Changed => {
                let _ = writeln!(out, "--- {path}\n+++ {path}");
                let before = set.before_of(&line.path).unwrap_or_default();
                hunks(&mut out, before, after.unwrap_or_default(), shown);
            }
            Kind::Removed => {
                let bytes = line.bytes_before.unwrap_or(0);
                let _ = writeln!(out, "removed: {path} ({bytes} bytes)");
            }
            Kind::Moved { from } => {
                let _ = writeln!(out, "moved: {} -> {path}", from.display());
                let before = set.before_of(from).unwrap_or_default();
                hunks(&mut out, before, after.unwrap_or_default(), shown);
            }
        }
    }
    match plain(&out) {
        Cow::Borrowed(_) => out,
        Cow::Owned(out) => out,
    }
}

fn hunks(out: &mut String, before: &[u8], after: &[u8], shown: Shown) {
    if before.len().max(after.len()) > SHOWN {
        let _ = writeln!(out, "({} -> {} bytes)", before.len(), after.len());
        return;
    }
    let same_ends = ends(before).zip(ends(after)).is_none_or(|(a, b)| a == b);
    let before = text(before, same_ends);
    let after = text(after, same_ends);
    let diff = TextDiff::configure()
        .timeout(PATIENCE)
        .diff_lines(before.as_ref(), after.as_ref());
    let (old, new) = (shown(&before), shown(&after));
    let (old, new) = (old.tokenize_lines(), new.tokenize_lines());
    if old.len() != diff.old_len() || new.len() != diff.new_len() {
        let _ = writeln!(out, "({} -> {} bytes)", before.len(), after.len());
        return;
    }
    for hunk in diff.unified_diff().context_radius(CONTEXT).iter_hunks() {
        let _ = writeln!(out, "{}", hunk.header());
        for change in hunk.iter_changes() {
            let (sign, line) = match change.tag() {
                ChangeTag::Delete => ('-', change.old_index().and_then(|at| old.get(at))),
                ChangeTag::Insert => ('+', change.new_index().and_then(|at| new.get(at))),
                ChangeTag::Equal => (' ', change.new_index().and_then(|at| new.get(at))),
            };
            out.push(sign);
            out.push_str(line.copied().unwrap_or_default());
            if change.missing_newline() {
                out.push_str("\n\\ No newline at end of file\n");
            }
        }
    }
}

/// Whether the lines end in CRLF (all), LF (all); `None` when they do not agree.
fn ends(bytes: &[u8]) -> Option<bool> {
    let mut lines = bytes
        .split_inclusive(|b| *b == b'\n')
        .filter(|line| line.ends_with(b"\n"))
        .map(|line| line.ends_with(b"\r\n"));
    let first = lines.next()?;
    lines.all(|crlf| crlf == first).then_some(first)
}

/// For showing: line ends that do not differ are no matter; where they do a CR is seen.
fn text(bytes: &[u8], same_ends: bool) -> Cow<'_, str> {
    let text = String::from_utf8_lossy(bytes);
    if !text.contains('\r') {
        return text;
    }
    Cow::Owned(if same_ends {
        text.replace("\r\n", "\n")
    } else {
        text.replace('\r', "␍")
    })
}
