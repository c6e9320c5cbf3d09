//! Which of two verdicts counts.

use super::{Cause, CheckedItem};
use crate::plan::{Action, Item};
use crate::verdict::Verdict;

/// Settles an item's verdict where it names others that hold too.
pub(super) fn resolve(item: &Item, out: &mut CheckedItem) {
    if item.also.is_empty() {
        return;
    }
    let holds = |verdict| item.verdict == verdict || item.also.contains(&verdict);
    let both = |a, b| holds(a) && holds(b);
    let (verdict, why) = if both(Verdict::Completed, Verdict::Resolved) {
        (Verdict::Completed, "Completed and Resolved: Completed")
    } else if both(Verdict::Promoted, Verdict::Active) {
        (
            Verdict::Active,
            "Promoted and Active: it stays, what was taken over is cut from it",
        )
    } else if both(Verdict::Consolidate, Verdict::Duplicate) {
        (
            Verdict::Consolidate,
            "Consolidate and Duplicate: Consolidate",
        )
    } else if both(Verdict::Duplicate, Verdict::Outdated) {
        // Which of both stays is settled when all targets are known.
        (Verdict::Duplicate, "")
    } else {
        let first = item.also.iter().copied().chain([item.verdict]).min();
        (
            first.unwrap_or(item.verdict),
            "the first in priority counts",
        )
    };
    if !why.is_empty() {
        out.find(Cause::Conflict, why);
    }
    if verdict == item.verdict
        && !(verdict == Verdict::Active && item.also.contains(&Verdict::Promoted))
    {
        return;
    }
    out.verdict = verdict;
    let chosen = item.action == Some(Action::Keep);
    out.action = if verdict == Verdict::Active && !item.edits.is_empty() {
        Action::Edit
    } else if chosen {
        Action::Keep
    } else {
        Action::of(verdict)
    };
}
