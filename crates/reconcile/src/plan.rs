//! What has to change in the day files so that they hold what was said.

use crate::identity::{self, Context, Fate, Place, Verdict};
use crate::placement;
use crate::said::Said;
use chrono::{NaiveDate, Timelike};
use record::day::{Change, Digest, NewEntry};
use redact::Clean;
use std::collections::BTreeMap;

/// Changes by day, and what became of each utterance of the pool.
#[derive(Debug, Default)]
pub(crate) struct Plan {
    pub(crate) days: BTreeMap<NaiveDate, Vec<Change>>,
    pub(crate) verdicts: Vec<Verdict>,
}

/// Plans for `pool`, which is in conversation order within a source. `days` are the day files
/// that matter, ascending: each utterance's own day, and the days before and after it, since a
/// hook writes by its own clock. `body` reads an entry's text.
pub(crate) fn plan(
    days: &[(NaiveDate, &Digest)],
    pool: &[Said],
    context: &Context,
    body: &mut dyn FnMut(Place) -> Option<String>,
) -> Plan {
    let verdicts = identity::match_up(days, pool, context, body);
    let mut changes: BTreeMap<NaiveDate, Vec<Change>> = BTreeMap::new();
    for (number, &(date, digest)) in days.iter().enumerate() {
        let mut missing = Vec::new();
        for (said, verdict) in verdicts.iter().enumerate() {
            if !pool[said].wanted {
                continue;
            }
            match (&verdict.fate, verdict.place) {
                (Fate::Missing(_), _) if pool[said].date() == date => missing.push(said),
                (Fate::Incomplete(whole), Some((day, at))) if day == number => {
                    changes.entry(date).or_default().push(Change::Complete {
                        at,
                        body: whole.as_ref().unwrap_or(&pool[said].body).clone(),
                        uuid: pool[said].records.first().cloned(),
                    });
                }
                _ => {}
            }
        }
        if missing.is_empty() {
            continue;
        }
        let entry_of = |said: usize| {
            let (day, at) = verdicts.get(said)?.place?;
            (day == number).then_some(at)
        };
        let inserts = placement::place(digest, pool, entry_of, &missing)
            .into_iter()
            .filter_map(|(before, said)| {
                let Fate::Missing(rest) = &verdicts[said].fate else {
                    return None;
                };
                let body = rest.as_ref().unwrap_or(&pool[said].body);
                Some(Change::Insert {
                    before,
                    entry: entry(&pool[said], body.clone()),
                })
            });
        changes.entry(date).or_default().extend(inserts);
    }
    Plan {
        days: changes,
        verdicts,
    }
}

fn entry(said: &Said, body: Clean) -> NewEntry {
    let time = said.when.time();
    NewEntry {
        role: said.role,
        time: Some(time.with_nanosecond(0).unwrap_or(time)),
        marker: said.marker.clone(),
        body,
    }
}
