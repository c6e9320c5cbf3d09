//! Search over memory and conversations.
//!
//! [`search`] answers a [`Request`] over [`Places`]: a linear scan of day files, memory entries,
//! indexes or transcripts, without an index of its own. [`show`] prints one entry with its
//! neighbours.

mod chinese;
pub mod dates;
mod day;
mod decision;
mod finder;
mod items;
mod judge;
mod lately;
mod looks;
mod near;
mod opened;
mod passage;
mod places;
mod plan;
mod query;
mod quick;
mod rank;
mod said;
mod scan;
mod search;
mod show;
mod synonyms;

/// Text that is shown: as a record's export gives it.
fn clean(text: String) -> String {
    redact::clean_owned(text, redact::Policy { secrets: true }).into_string()
}

pub use passage::excerpt;
pub use places::{Layer, Places};
pub use search::{Answer, Hit, Request, search};
pub use show::{Neighbour, SHORTEST_ID, Shown, show};
pub use synonyms::parse as synonyms;
