//! Decisions that are to be looked at again.

use crate::Store;
use crate::entry::{Entry, Kind};
use chrono::NaiveDate;
use serde::Serialize;

/// A decision whose `revisit` date has come, or cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Due {
    /// The entry.
    pub file: String,
    /// Its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its description.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// The date as written.
    pub revisit: String,
    /// Days since then, 0 today; `None` when what is written is no date.
    pub days: Option<i64>,
}

/// The decisions to look at again on `today`, the longest overdue first, those without a readable
/// date last. Superseded ones are not.
pub fn due(store: &Store, today: NaiveDate) -> Vec<Due> {
    let mut due: Vec<Due> = store
        .entries()
        .iter()
        .filter(|entry| is_standing_decision(entry))
        .filter_map(|entry| {
            let revisit = entry.said("revisit")?;
            let days = revisit
                .parse::<NaiveDate>()
                .ok()
                .map(|date| (today - date).num_days());
            days.is_none_or(|days| days >= 0).then(|| Due {
                file: entry.file().to_owned(),
                name: entry.name().map(str::to_owned),
                description: entry.description().map(str::to_owned),
                revisit: revisit.to_owned(),
                days,
            })
        })
        .collect();
    due.extend(store.items().iter().filter_map(|placed| {
        let item = &placed.item;
        let revisit = item
            .revisit
            .filter(|_| !item.superseded && placed.category.is_some())?;
        let days = (today - revisit).num_days();
        (days >= 0).then(|| Due {
            file: store.entry(placed.entry).file().to_owned(),
            name: placed.code.map(|code| code.to_string()),
            description: Some(item.title.clone()).filter(|title| !title.is_empty()),
            revisit: revisit.to_string(),
            days: Some(days),
        })
    }));
    due.sort_by(|a, b| b.days.cmp(&a.days).then_with(|| a.file.cmp(&b.file)));
    due
}

fn is_standing_decision(entry: &Entry) -> bool {
    let kind = entry.kind().or_else(|| entry.kind_by_name());
    kind == Some(Kind::Decision) && !entry.is_superseded()
}
