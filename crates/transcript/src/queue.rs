//! Prompts that wait in the client's queue, as the queue's own lines tell it. Only clients that
//! write no attachments (2.1.59) leave no other trace of a prompt that a running turn took in.

use crate::record::Queue;
use chrono::{DateTime, Utc};
use std::collections::VecDeque;

/// A prompt in the queue, or taken out of it by a running turn.
#[derive(Debug)]
pub(crate) struct Waiting {
    pub(crate) offset: u64,
    pub(crate) at: DateTime<Utc>,
    pub(crate) text: String,
    /// The turn that ran when it was typed.
    pub(crate) turn: Option<u32>,
    /// Taken in by the running turn.
    pub(crate) absorbed: bool,
}

impl Waiting {
    /// Whether a person typed it. The queue's lines have nothing but the text to tell.
    pub(crate) fn is_typed(&self) -> bool {
        !self.text.trim().is_empty() && !self.text.starts_with("<task-notification>")
    }
}

/// The queue.
#[derive(Debug, Default)]
pub(crate) struct WaitingPrompts(VecDeque<Waiting>);

impl WaitingPrompts {
    /// What a queue line does.
    pub(crate) fn apply(
        &mut self,
        operation: Queue,
        offset: u64,
        at: DateTime<Utc>,
        turn: Option<u32>,
    ) {
        match operation {
            Queue::Enqueue(text) => self.0.push_back(Waiting {
                offset,
                at,
                text,
                turn,
                absorbed: false,
            }),
            // It runs now: its own line follows, or the client answers it itself.
            Queue::Dequeue => self.drop_first(|one| !one.absorbed),
            Queue::Remove(text) => {
                let named = |one: &Waiting| text.as_ref().is_none_or(|text| *text == one.text);
                let found = self.0.iter_mut().find(|one| !one.absorbed && named(one));
                if let Some(found) = found {
                    found.absorbed = true;
                }
            }
            Queue::Clear => self.0.retain(|one| one.absorbed),
        }
    }

    /// A prompt that waited has a line of its own.
    pub(crate) fn has_line(&mut self, text: &str) {
        self.drop_first(|one| !one.absorbed && one.text == text);
    }

    /// An attachment tells that a turn took a prompt in.
    pub(crate) fn has_attachment(&mut self, text: &str) {
        self.drop_first(|one| one.text == text);
    }

    fn drop_first(&mut self, which: impl Fn(&Waiting) -> bool) {
        if let Some(at) = self.0.iter().position(which) {
            self.0.remove(at);
        }
    }

    /// Takes out those that were typed in a turn.
    pub(crate) fn take(&mut self, turn: impl Fn(u32) -> bool) -> Vec<Waiting> {
        let (mine, others): (VecDeque<_>, _) = std::mem::take(&mut self.0)
            .into_iter()
            .partition(|one| one.turn.is_some_and(&turn));
        self.0 = others;
        mine.into()
    }

    /// Drops those that were typed in no turn that is open.
    pub(crate) fn keep(&mut self, open: impl Fn(u32) -> bool) {
        self.0.retain(|one| one.turn.is_some_and(&open));
    }

    /// Offset of the first line that still counts.
    pub(crate) fn first_offset(&self) -> Option<u64> {
        self.0.front().map(|one| one.offset)
    }
}
