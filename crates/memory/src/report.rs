//! The audit in words: as text, as JSON, as one HTML page.
//!
//! The order is always budget, types, largest files, problems.

mod html;
mod json;
mod text;

pub use html::{GENERATOR, html};
pub use json::{json, summary};
pub use text::{Look, text};

use crate::audit::{CategoryShare, IndexOver, Issue};
use crate::entry::EntryId;
use crate::store::{Source, Store, StoreKind};
use crate::wording::{self, label};
use crate::{Audit, index};
use mnemo_home::Language;
use std::fmt::Write as _;

/// The file an issue is about, for people and scripts.
fn file_of<'a>(issue: &Issue, store: &'a Store) -> Option<&'a str> {
    let entry = |id: &EntryId| Some(store.entry(*id).file());
    let place = |source: &Source| match source {
        Source::Index => Some(index::FILE),
        Source::Entry(id) => entry(id),
        Source::Page(at) => store.pages().get(*at).map(crate::Entry::file),
    };
    match issue {
        Issue::Orphan(id)
        | Issue::Stale { entry: id, .. }
        | Issue::IndexedTwice { entry: id, .. }
        | Issue::WrongSuffix { entry: id, .. }
        | Issue::MissingSuffix { entry: id, .. }
        | Issue::TypeUnlikeName { entry: id, .. }
        | Issue::Entry { entry: id, .. } => entry(id),
        Issue::Unread { entry: id, .. } => id.as_ref().map_or(Some(index::FILE), entry),
        Issue::Sensitive { source, .. } | Issue::BrokenLink { source, .. } => place(source),
        Issue::IndexOver(_)
        | Issue::NoIndex
        | Issue::WrongBudgetComment { .. }
        | Issue::EmptySection { .. } => Some(index::FILE),
        Issue::Budget(_)
        | Issue::DuplicateName { .. }
        | Issue::DuplicateCode { .. }
        | Issue::ManyEntries { .. }
        | Issue::NoEntries(_) => None,
    }
}

/// The line an issue is about.
fn line_of(issue: &Issue) -> Option<usize> {
    match issue {
        Issue::Sensitive { line, .. }
        | Issue::BrokenLink { line, .. }
        | Issue::WrongSuffix { line, .. }
        | Issue::MissingSuffix { line, .. }
        | Issue::EmptySection { line, .. }
        | Issue::WrongBudgetComment { line, .. } => Some(*line),
        Issue::IndexedTwice { lines, .. } => lines.get(1).copied(),
        _ => None,
    }
}

/// What to do about an issue.
fn action_of(issue: &Issue, store: &Store, audit: &Audit, language: Language) -> String {
    let code = match issue {
        Issue::BrokenLink {
            source: Source::Entry(_) | Source::Page(_),
            ..
        } => "BROKEN LINK IN ENTRY",
        issue => wording::code(issue),
    };
    let largest = audit
        .largest
        .iter()
        .map(|id| store.entry(*id).file())
        .collect::<Vec<_>>()
        .join(", ");
    wording::action(
        code,
        file_of(issue, store).unwrap_or_default(),
        &largest,
        language,
    )
}

/// One line about an issue, without its label.
fn detail(issue: &Issue, store: &Store, language: Language) -> String {
    use wording as w;
    let names = |ids: &[EntryId]| {
        ids.iter()
            .map(|id| store.entry(*id).file())
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut out = String::new();
    if let Some(file) = file_of(issue, store) {
        // These name an entry and a line of the index.
        let in_index = matches!(
            issue,
            Issue::WrongSuffix { .. } | Issue::MissingSuffix { .. } | Issue::IndexedTwice { .. }
        );
        out.push_str(if in_index { index::FILE } else { file });
        if let Some(line) = line_of(issue) {
            let _ = write!(out, ":{line}");
        }
        if in_index {
            let _ = write!(out, " — {file}");
        }
    }
    let mut add = |what: &str| {
        if !out.is_empty() {
            out.push_str(" — ");
        }
        out.push_str(what);
    };
    match issue {
        Issue::Budget(_) | Issue::NoIndex | Issue::Orphan(_) | Issue::MissingSuffix { .. } => {}
        Issue::IndexOver(over) => {
            add(&over_limits(over, &names(&over.falls_off), language));
        }
        Issue::Unread { why, .. } => add(&w::unread(why, language)),
        Issue::Sensitive { kind, .. } => add(kind),
        Issue::Stale { days, .. } => add(&format!("{days} {}", w::DAYS.of(language))),
        Issue::BrokenLink {
            target,
            archived_at,
            ..
        } => {
            add(&match archived_at {
                Some(place) => format!("{target} ({}: {place})", w::ARCHIVED.of(language)),
                None => target.clone(),
            });
        }
        Issue::IndexedTwice { lines, .. } => {
            let lines: Vec<_> = lines.iter().map(usize::to_string).collect();
            add(&format!(
                "MEMORY.md {} {}",
                w::LINE.of(language),
                lines.join(", ")
            ));
        }
        Issue::WrongSuffix {
            entry, annotated, ..
        } => add(&format!(
            "{} ~{annotated}tk, {} ~{}tk",
            w::SAYS.of(language),
            w::REAL.of(language),
            store.entry(*entry).tokens()
        )),
        Issue::WrongBudgetComment {
            said,
            limit,
            percent,
            ..
        } => {
            let real = crate::Budget {
                tokens: store.entries().iter().map(crate::Entry::tokens).sum(),
                ..crate::Budget::default()
            };
            let number = |number: &Option<u64>| {
                number.map_or_else(|| "?".to_owned(), |number| number.to_string())
            };
            add(&format!(
                "{} ~{said}tk / {}tk ({}%), {} ~{}tk / {}tk ({}%)",
                w::SAYS.of(language),
                number(limit),
                number(percent),
                w::REAL.of(language),
                real.tokens,
                crate::budget::LIMIT,
                real.percent()
            ));
        }
        Issue::EmptySection { heading, .. } => add(heading),
        Issue::TypeUnlikeName { declared, .. } => add(&format!("type: {}", declared.name())),
        Issue::DuplicateName { name, entries } => add(&format!("{name}: {}", names(entries))),
        Issue::DuplicateCode { code, entries } => add(&format!("{code}: {}", names(entries))),
        Issue::Entry { problem, .. } => add(&w::problem(problem, language)),
        Issue::ManyEntries { count, .. } => add(&format!("{count} (> 80 / 100)")),
        Issue::NoEntries(kind) => add(kind.name()),
    }
    // A file's name or a heading may hold what breaks a line.
    out.replace(['\n', '\r', '\t'], " ")
}

fn over_limits(over: &IndexOver, falls_off: &str, language: Language) -> String {
    use wording as w;
    let counted = &over.counted;
    let mut text = format!(
        "{} / {} {}, {} / {} {}",
        counted.lines,
        counted.limits.lines,
        w::LINES.of(language),
        counted.bytes,
        counted.limits.bytes,
        w::BYTES.of(language)
    );
    if let Some(limit) = counted.limits.units {
        let _ = write!(
            text,
            ", {} / {limit} {}",
            counted.units,
            w::CHARACTERS.of(language)
        );
    }
    if let Some(cut) = counted.cut_line {
        let _ = write!(text, "; {}: {cut}", w::CUT_FROM.of(language));
    }
    if !falls_off.is_empty() {
        let _ = write!(text, "; {}: {falls_off}", w::FALLS_OFF.of(language));
    }
    text
}

/// What each type takes, in a record each category: the title, and name, number and tokens.
fn shares<'a>(
    store: &Store,
    audit: &'a Audit,
    language: Language,
) -> (&'static str, Vec<(&'a str, usize, u64)>) {
    use wording as w;
    if store.kind() == StoreKind::Record {
        let row = |share: &'a CategoryShare| {
            let name = share.name.as_deref();
            let name = name.unwrap_or(w::NO_CATEGORY.of(language));
            (name, share.count, share.tokens)
        };
        let rows = audit.categories.iter().map(row).collect();
        return (w::CATEGORIES.of(language), rows);
    }
    let rows = audit
        .types
        .iter()
        .filter(|share| share.kind.is_some() || share.count > 0)
        .map(|share| {
            let name = share
                .kind
                .map_or(w::NO_TYPE.of(language), crate::Kind::name);
            (name, share.count, share.tokens)
        })
        .collect();
    (w::TYPES.of(language), rows)
}

/// Issues of one label, in the report's order.
struct Group<'a> {
    code: &'static str,
    label: &'static str,
    issues: Vec<&'a Issue>,
}

fn groups(audit: &Audit, language: Language) -> Vec<Group<'_>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for issue in &audit.issues {
        let code = wording::code(issue);
        match groups.iter_mut().find(|group| group.code == code) {
            Some(group) => group.issues.push(issue),
            None => groups.push(Group {
                code,
                label: label(code, language),
                issues: vec![issue],
            }),
        }
    }
    // What only informs comes last.
    groups.sort_by_key(|group| group.issues.iter().all(|issue| issue.is_information()));
    groups
}

/// Tenths of a percent as a percentage.
fn percent(permille: u64) -> String {
    format!("{}.{}%", permille / 10, permille % 10)
}
