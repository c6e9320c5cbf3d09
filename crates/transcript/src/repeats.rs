//! Turns that stand in a file a second time under fresh uuids: a resumed session can repeat what
//! was said before. A message's id and its text tell.

use crate::chain::name_of;
use crate::record::Made;
use crate::turn::{OpenTurn, Text, What};
use std::collections::{HashMap, VecDeque};

/// How many texts are remembered.
const KEPT: usize = 65_536;
/// How many of them a [`crate::Position`] takes along.
const CARRIED: usize = 16;

/// The texts of turns that were handed out: name, and name of the turn's prompt.
#[derive(Debug, Default)]
pub(crate) struct Repeats {
    prompts: HashMap<u64, u64>,
    order: VecDeque<(u64, u64)>,
}

impl Repeats {
    pub(crate) fn new(carried: &[(u64, u64)]) -> Self {
        Self {
            prompts: carried.iter().copied().collect(),
            order: carried.iter().copied().collect(),
        }
    }

    /// A text's name.
    pub(crate) fn name(message: &str, text: &str) -> u64 {
        name_of(message.as_bytes()) ^ name_of(text.as_bytes()).rotate_left(1)
    }

    /// Whether an earlier turn said it.
    pub(crate) fn knows(&self, text: &Text) -> bool {
        text.name
            .is_some_and(|name| self.prompts.contains_key(&name))
    }

    /// Whether an earlier turn said all of it: the same prompt, and no text that is new.
    pub(crate) fn is_repeat(&self, turn: &OpenTurn) -> bool {
        let prompt = prompt_of(turn);
        let mut texts = texts_of(turn).peekable();
        texts.peek().is_some()
            && texts.all(|text| {
                text.name
                    .is_some_and(|name| self.prompts.get(&name) == Some(&prompt))
            })
    }

    /// Remembers what a turn said.
    pub(crate) fn remember(&mut self, turn: &OpenTurn) {
        let prompt = prompt_of(turn);
        for name in texts_of(turn).filter_map(|text| text.name) {
            if self.prompts.insert(name, prompt).is_none() {
                self.order.push_back((name, prompt));
            }
        }
        while self.order.len() > KEPT {
            if let Some((name, _)) = self.order.pop_front() {
                self.prompts.remove(&name);
            }
        }
    }

    /// The last ones, oldest first.
    pub(crate) fn carried(&self) -> Vec<(u64, u64)> {
        let from = self.order.len().saturating_sub(CARRIED);
        self.order.range(from..).copied().collect()
    }
}

fn prompt_of(turn: &OpenTurn) -> u64 {
    turn.prompt_text()
        .map_or(0, |text| name_of(text.as_bytes()))
}

fn texts_of(turn: &OpenTurn) -> impl Iterator<Item = &Text> {
    turn.items.iter().filter_map(|item| match &item.what {
        What::Text(text) if text.made == Made::Model => Some(text),
        _ => None,
    })
}
