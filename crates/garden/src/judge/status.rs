//! STATUS.md: whether a project is over.

use crate::corpus::{Bag, Corpus};
use crate::cues::{self, Cue};
use crate::evidence::Evidence;
use crate::prose::Part;
use crate::scan::{Doc, Scan};
use crate::sources::SourceKind;
use crate::view::{self, View};
use chrono::Datelike;
use memory::Kind;

/// What a STATUS.md says.
#[derive(Debug)]
pub(crate) struct Status {
    /// The words of its folder's name.
    slug: Vec<String>,
    /// The folder's name.
    name: String,
    /// The line that says how it stands.
    pub(crate) line: Evidence,
    /// It is over.
    pub(crate) closed: bool,
    /// The file, as it is named to people.
    path: String,
    /// Its words.
    bag: Bag,
}

/// Letters of a name that is no everyday word, if it stands alone.
const LONG: usize = 6;
/// Words beside its name that a status and an entry of the same project have in common.
const COMMON: usize = 3;

/// How surely a status is an entry's.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Covers {
    /// By a word of its name alone: it may be of another matter of that name.
    Perhaps,
    /// By its name, or by what the entry says.
    Surely,
}

/// Labels of the line that says how a project stands.
const LABELS: &[&str] = &[
    "status", "state", "zustand", "stand", "상태", "현황", "状态", "狀態", "phase", "stage",
];

pub(crate) fn read(scan: &Scan) -> Vec<Status> {
    scan.docs
        .iter()
        .filter(|doc| doc.source.kind == SourceKind::Status)
        .filter_map(|doc| of(doc, &scan.corpus))
        .collect()
}

/// The status that covers each project best, and how surely.
pub(crate) fn of_entries<'a>(
    statuses: &'a [Status],
    scan: &Scan,
) -> Vec<Option<(&'a Status, Covers)>> {
    scan.entries
        .iter()
        .map(|view| {
            let of_view = statuses.iter().filter(|_| view.kind == Some(Kind::Project));
            of_view
                .filter_map(|status| Some((status, status.covers(view, &scan.corpus)?)))
                .max_by_key(|(status, surely)| (status.named(view), *surely, status.slug.len()))
        })
        .collect()
}

/// Whether a line is a label and how something stands: `Some(true)` where that is over.
pub(crate) fn labelled(line: &str) -> Option<bool> {
    if !line.contains([':', '：']) {
        return None;
    }
    let folded = line
        .trim_start_matches(['-', '*', '#', '>', ' '])
        .to_lowercase()
        .replace("**", "");
    let (label, value) = folded.split_once([':', '：'])?;
    if !LABELS.contains(&label.trim()) {
        return None;
    }
    let over = closed(value);
    (over || cues::says(value, Cue::Running)).then_some(over)
}

fn of(doc: &Doc, corpus: &Corpus) -> Option<Status> {
    let project = doc.source.path.rsplit('/').nth(1)?;
    let labelled = doc.lines.iter().enumerate().find_map(|(at, line)| {
        let folded = line
            .trim_start_matches(['-', '*', '#', '>', ' '])
            .to_lowercase();
        let plain = folded.replace("**", "");
        let (label, value) = plain.split_once([':', '：'])?;
        LABELS.contains(&label.trim()).then(|| (at, closed(value)))
    });
    let (at, is_closed) = labelled.or_else(|| {
        doc.lines.iter().enumerate().find_map(|(at, line)| {
            let folded = line.to_lowercase();
            (closed(&folded) && !folded.trim_start().starts_with('#')).then_some((at, true))
        })
    })?;
    Some(Status {
        slug: words(project),
        name: project.to_lowercase(),
        line: Evidence::of(&doc.source.path, at + 1, &doc.lines[at]),
        closed: is_closed,
        path: doc.source.path.to_lowercase(),
        bag: corpus.union(&doc.bags),
    })
}

/// Whether the words of a status mean the end: they begin with it, and nothing takes it back.
fn closed(value: &str) -> bool {
    let Some(end) = cues::find(value, Cue::Closed) else {
        return false;
    };
    // What follows in another sentence is of something else.
    let sentence = value[end..]
        .find([';', '；', '。'])
        .or_else(|| value[end..].find(". "))
        .map_or(value.len(), |at| end + at);
    !cues::says(&value[..sentence], Cue::Running)
}

fn words(name: &str) -> Vec<String> {
    name.split(['-', '_', '.', ' '])
        .filter(|part| !part.is_empty())
        .map(str::to_lowercase)
        .collect()
}

impl Status {
    /// Whether an entry names this very file.
    fn named(&self, view: &View) -> bool {
        let lines = view.statements.iter();
        lines
            .into_iter()
            .any(|statement| statement.folded.contains(&self.path))
    }

    /// Whether an entry was written before the day that the status says it ended on, and names the
    /// month of that day as its own end or that of a part.
    fn ended_as_told(&self, view: &View) -> bool {
        let days = view::days(&self.line.quote.to_lowercase());
        let Some(end) = days.into_iter().max().filter(|_| self.closed) else {
            return false;
        };
        let before = view.written.is_some_and(|written| written <= end);
        let months = || {
            let mut said = view.statements.iter();
            said.any(|said| view::names_month(&said.folded, end.month()))
        };
        before && months()
    }

    /// Whether an entry is about this project: it names the file, the words of the folder's name
    /// stand in the entry's file name, or its description calls the folder by its name.
    fn covers(&self, view: &View, corpus: &Corpus) -> Option<Covers> {
        if self.slug.is_empty() {
            return None;
        }
        if self.named(view) {
            return Some(Covers::Surely);
        }
        let called = view
            .statements
            .iter()
            .any(|statement| statement.part == Part::Head && statement.folded.contains(&self.name));
        let in_name = self.slug.iter().all(|word| view.subject.contains(word));
        // One word of several may be that of another matter.
        if self.slug.len() > 1 && (in_name || called) || in_name && view.subject.len() == 1 {
            Some(Covers::Surely)
        } else {
            // Of one word only, what else they speak of tells.
            let common = || {
                let telling = |word: &&u32| {
                    !corpus.is_number(**word) && corpus.holds(&view.whole, **word) > 0.0
                };
                self.bag.words.iter().filter(telling).count()
            };
            let sure = |name: &String| name.chars().count() >= LONG && common() > COMMON;
            in_name.then(|| match self.slug.as_slice() {
                [name] if sure(name) => Covers::Surely,
                // Its name begins with it, and it tells of the time that the status says it ended.
                [name] if view.subject.first() == Some(name) && self.ended_as_told(view) => {
                    Covers::Surely
                }
                _ => Covers::Perhaps,
            })
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_closed_when_nothing_takes_it_back() {
        for value in [
            "completed",
            " 종료 (2026-10-02)",
            "abgeschlossen",
            "已完成",
            "done, can be archived",
            "completed. the next stage is planned elsewhere",
        ] {
            assert!(closed(value), "{value}");
        }
        for value in [
            "not completed",
            "in progress",
            "진행",
            "nicht abgeschlossen",
            "未完成",
            "almost done",
            "종료 예정",
            "completed (calibration), rest running",
            "abgeschlossen (teil 1), teil 2 in arbeit",
            "läuft",
        ] {
            assert!(!closed(value), "{value}");
        }
    }
}
