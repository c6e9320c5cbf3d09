//! What the runs and the archive say about how memories are written.

use crate::judge::Judgements;
use crate::runs::Line;
use crate::scan::Scan;
use crate::verdict::Verdict;
use serde::Serialize;
use std::collections::BTreeMap;

/// Days below which a memory lived short: too many are written.
const SHORT: i64 = 14;
/// Days above which a memory lived long: tended too rarely.
const LONG: i64 = 365;
/// Days after which nobody checks whether a rule took feedback over.
const LATE: i64 = 60;
/// A cause or verdict that comes so often is a habit.
const HABIT: usize = 3;

/// Figures about how memories live.
#[derive(Debug, Default, Serialize)]
pub struct Feedback {
    /// Verdicts by type, of the last run.
    pub verdicts: BTreeMap<String, BTreeMap<String, usize>>,
    /// Reasons by type, of the archive.
    pub archived: BTreeMap<String, BTreeMap<String, usize>>,
    /// Mean days from written to archived or deleted.
    pub mean_lifetime: Option<i64>,
    /// How many that mean is of.
    pub ended: usize,
    /// Causes of demotion, and how often.
    pub causes: BTreeMap<String, usize>,
    /// Mean days until feedback was taken over.
    pub days_to_promotion: Option<i64>,
    /// Subjects in three or more entries without a gate.
    pub without_gate: Vec<String>,
    /// Duplicates in the last run.
    pub duplicates: usize,
    /// What could be done otherwise.
    pub suggestions: Vec<Suggestion>,
}

/// A signal and what it suggests.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Suggestion {
    /// What was seen.
    pub signal: String,
    /// What could be done.
    pub advice: &'static str,
}

impl Feedback {
    pub(super) fn of(scan: &Scan, judged: &Judgements, runs: &[Line]) -> Self {
        let mut out = Self::default();
        let gate = |line: &&Line| line.action.as_deref() == Some("gate");
        for line in super::last(runs).filter(|line| !gate(line)) {
            let kind = line.kind.clone().unwrap_or_else(|| "unknown".to_owned());
            *out.verdicts
                .entry(kind)
                .or_default()
                .entry(line.verdict.name().to_owned())
                .or_default() += 1;
            if line.verdict == Verdict::Duplicate {
                out.duplicates += 1;
            }
        }
        for line in runs {
            if let Some(cause) = &line.cause {
                *out.causes.entry(cause.clone()).or_default() += 1;
            }
        }
        let mut lifetimes: Vec<i64> = Vec::new();
        let mut promotions: Vec<i64> = Vec::new();
        for line in runs {
            let days = match (
                line.date.day(),
                line.written
                    .as_ref()
                    .and_then(crate::runs::NaiveDateText::day),
            ) {
                (Some(end), Some(start)) => (end - start).num_days().max(0),
                _ => continue,
            };
            let ended = matches!(line.action.as_deref(), Some("archive" | "delete" | "merge"));
            if ended {
                lifetimes.push(days);
            }
            if line.verdict == Verdict::Promoted && ended {
                promotions.push(days);
            }
        }
        for entry in scan.store.read_archive() {
            let kind = entry.kind().map_or("unknown", memory::Kind::name);
            let reason = entry.field("archive_reason").unwrap_or("unknown");
            *out.archived
                .entry(kind.to_owned())
                .or_default()
                .entry(reason.to_owned())
                .or_default() += 1;
            let known = runs
                .iter()
                .any(|line| line.entry.rsplit('/').next() == entry.field("original_name"));
            let ended = entry
                .field("archived")
                .and_then(|day| day.parse::<chrono::NaiveDate>().ok());
            let started = ["decided", "date", "created", "written"]
                .into_iter()
                .find_map(|key| entry.field(key)?.parse().ok())
                .or_else(|| entry.modified().map(|time| time.date_naive()));
            if let (Some(end), Some(start), false) = (ended, started, known)
                // A later time of the file says when it was moved, not when it was written.
                && start < end
            {
                lifetimes.push((end - start).num_days());
            }
        }
        out.ended = lifetimes.len();
        out.mean_lifetime = mean(&lifetimes);
        out.days_to_promotion = mean(&promotions);
        out.without_gate = judged
            .groups
            .iter()
            .map(|group| group.name.clone())
            .collect();
        out.suggest();
        out
    }

    fn suggest(&mut self) {
        let mut add = |signal: String, advice: &'static str| {
            self.suggestions.push(Suggestion { signal, advice });
        };
        for (kind, verdicts) in &self.verdicts {
            let of = |name: &str| verdicts.get(name).copied().unwrap_or(0);
            let weak = of("Outdated") + of("Stale");
            if weak >= HABIT {
                add(
                    format!("{weak} {kind} entries are Outdated or Stale"),
                    "look at how entries of this type are written: fewer details that change, a date, a path",
                );
            }
        }
        match self.mean_lifetime {
            Some(days) if days < SHORT && self.ended >= HABIT => add(
                format!("entries live {days} days on average"),
                "too much is kept: what is only of today needs no entry",
            ),
            Some(days) if days > LONG && self.ended >= HABIT => add(
                format!("entries live {days} days on average"),
                "tend the garden more often",
            ),
            _ => {}
        }
        for (cause, count) in self.causes.iter().filter(|(_, count)| **count >= HABIT) {
            add(
                format!("{count} verdicts were demoted for the same cause ({cause})"),
                "write entries with a path, a date or a number that can be looked up",
            );
        }
        if let Some(days) = self.days_to_promotion.filter(|days| *days > LATE) {
            add(
                format!("feedback is found in a rule after {days} days on average"),
                "when a rule is written, look for the feedback that it takes over",
            );
        }
        if self.duplicates >= HABIT {
            add(
                format!("{} entries say what others say", self.duplicates),
                "search before writing: mnemo memory list, mnemo search",
            );
        }
        if !self.without_gate.is_empty() {
            add(
                format!(
                    "subjects without a way in: {}",
                    self.without_gate.join(", ")
                ),
                "when a third entry of a subject is written, write a gate",
            );
        }
    }
}

fn mean(days: &[i64]) -> Option<i64> {
    let count = i64::try_from(days.len()).ok().filter(|count| *count > 0)?;
    Some(days.iter().sum::<i64>() / count)
}
