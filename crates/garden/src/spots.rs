//! Where the words of a text stand. A text is cut once; what a word tells as it is written is worked
//! out once, however often it is written.

use crate::corpus::WordId;
use crate::relations::compare::Shape;
use std::num::NonZero;
use std::ops::Range;
use std::sync::OnceLock;
use words::{Kind, Token};

/// The number of a word as it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct FormId(NonZero<u32>);

/// A word as it is written.
#[derive(Debug, Default)]
pub(crate) struct Form {
    /// The word that it is a form of; `None` for one that says nothing.
    pub(crate) word: Option<WordId>,
    /// What it is as a piece of a statement; when first asked for.
    pub(crate) shape: OnceLock<Box<Shape>>,
}

impl FormId {
    /// The number of the one at a place of a list.
    pub(crate) fn of(place: usize) -> Option<Self> {
        let number = u32::try_from(place + 1).ok()?;
        NonZero::new(number).map(Self)
    }

    pub(crate) fn place(self) -> usize {
        self.0.get() as usize - 1
    }
}

/// A token of a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Spot {
    start: u32,
    end: u32,
    pub(crate) kind: Kind,
    /// `None` for what was never read, and for a [`Kind::Symbol`].
    pub(crate) form: Option<FormId>,
}

impl Spot {
    /// `None` far behind in a very long line.
    pub(crate) fn of(token: &Token<'_>, form: Option<FormId>) -> Option<Self> {
        Some(Self {
            start: u32::try_from(token.range.start).ok()?,
            end: u32::try_from(token.range.end).ok()?,
            kind: token.kind,
            form,
        })
    }

    pub(crate) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// It stands in a part of its text.
    pub(crate) fn is_in(self, part: &Range<usize>) -> bool {
        part.start <= self.start as usize && self.end as usize <= part.end
    }

    /// It stands in a part of its text and goes beyond it.
    pub(crate) fn crosses(self, part: &Range<usize>) -> bool {
        let cuts = |at: usize| (self.start as usize) < at && at < self.end as usize;
        cuts(part.start) || cuts(part.end)
    }
}
