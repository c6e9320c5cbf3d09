//! How large MEMORY.md may be, and how large one is: what counts is in one place.

use crate::lines::lines;
use crate::loaded::{LINES, Memory, Reading, UNITS};
use crate::store::StoreKind;

/// How large MEMORY.md may be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct IndexLimits {
    /// Lines.
    pub lines: usize,
    /// Bytes.
    pub bytes: u64,
    /// UTF-16 units, where the client counts those (2.1.197 and 2.1.332, measured).
    pub units: Option<usize>,
}

/// What of a MEMORY.md counts against its limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counted {
    /// Lines.
    pub lines: usize,
    /// Bytes.
    pub bytes: u64,
    /// UTF-16 units.
    pub units: usize,
    /// What it may have.
    pub limits: IndexLimits,
    /// The first line that is not loaded, as the file counts them; `None` while all is loaded,
    /// though the bytes may be too many.
    pub cut_line: Option<usize>,
}

impl StoreKind {
    /// What the index may take before its end is no longer loaded.
    pub fn index_limits(self) -> IndexLimits {
        match self {
            Self::Auto => IndexLimits {
                lines: LINES,
                bytes: UNITS as u64,
                units: Some(UNITS),
            },
            Self::Record => IndexLimits {
                lines: 100,
                bytes: 5 * 1024,
                units: None,
            },
        }
    }
}

impl Counted {
    /// Counts the text of a MEMORY.md: the client's as its newest measured version does, without
    /// frontmatter, block comments and blank ends; a record's whole.
    pub fn of(kind: StoreKind, text: &str) -> Self {
        let limits = kind.index_limits();
        match kind {
            StoreKind::Auto => {
                let memory = Memory::of(text, &Reading::NEWEST);
                Self {
                    lines: memory.lines,
                    bytes: memory.bytes as u64,
                    units: memory.units,
                    limits,
                    cut_line: memory.cut.map(|cut| cut.file_line),
                }
            }
            StoreKind::Record => Self {
                lines: lines(text).count(),
                bytes: text.len() as u64,
                units: text.encode_utf16().count(),
                limits,
                cut_line: lines(text)
                    .find(|line| line.number > limits.lines || line.end() as u64 > limits.bytes)
                    .map(|line| line.number),
            },
        }
    }

    /// Whether one of the limits is passed.
    pub fn is_over(&self) -> bool {
        self.lines > self.limits.lines
            || self.bytes > self.limits.bytes
            || self.limits.units.is_some_and(|limit| self.units > limit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_loaded_does_not_count() {
        let body = "- x\n".repeat(200);
        for text in [
            body.clone(),
            format!("<!-- budget: ~1tk / 40000tk (0%) -->\n\n{body}\n\n"),
            format!("---\na: b\n---\n{body}"),
            format!("<!--\n{}-->\n{body}", "c\n".repeat(20_000)),
        ] {
            assert!(!Counted::of(StoreKind::Auto, &text).is_over());
            assert!(Counted::of(StoreKind::Auto, &format!("{text}- y\n")).is_over());
            assert!(Counted::of(StoreKind::Record, &text).is_over());
        }
    }

    #[test]
    fn bytes_are_told_although_only_characters_are_cut() {
        let text = "가".repeat(10_000);
        let counted = Counted::of(StoreKind::Auto, &text);
        assert!(counted.is_over());
        assert_eq!(counted.cut_line, None);
    }
}
