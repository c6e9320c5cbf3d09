//! The report for a terminal.

use super::{action_of, detail, groups, percent, shares};
use crate::audit::Audit;
use crate::budget::LIMIT;
use crate::store::{Store, StoreKind};
use crate::wording as w;
use crate::wording::code;
use mnemo_home::Language;
use std::fmt::Write as _;

/// Cells of the bar.
const BAR: u64 = 30;

/// Items of one label that are shown without `--all`.
const SHOWN: usize = 10;

/// How it looks.
#[derive(Debug, Clone, Copy)]
pub struct Look {
    /// A bar, where a terminal shows it.
    pub bar: bool,
    /// Every item of every label.
    pub all: bool,
}

/// The whole report.
pub fn text(store: &Store, audit: &Audit, language: Language, look: Look) -> String {
    let mut out = String::new();
    let kind = match store.kind() {
        StoreKind::Auto => "auto",
        StoreKind::Record => "record",
    };
    let count = store.entries().len();
    let space = if matches!(language, Language::Ko | Language::Zh) {
        ""
    } else {
        " "
    };
    let _ = writeln!(
        out,
        "{}: {} ({kind}, {count}{space}{})",
        w::MEMORY.of(language),
        store.root().display(),
        w::ENTRIES.of(language)
    );
    let _ = writeln!(
        out,
        "{}: ~{}tk / {LIMIT}tk ({}) — {}",
        w::BUDGET.of(language),
        audit.budget.tokens,
        percent(audit.budget.permille()),
        w::ESTIMATE.of(language)
    );
    if look.bar {
        let full = (audit.budget.tokens * BAR / LIMIT).min(BAR);
        let _ = writeln!(
            out,
            "  [{}{}]",
            "█".repeat(usize::try_from(full).unwrap_or(0)),
            "░".repeat(usize::try_from(BAR - full).unwrap_or(0))
        );
    }
    if let Some(index) = store.index() {
        let _ = writeln!(
            out,
            "  MEMORY.md: ~{}tk, {} {}, {} {}",
            index.tokens(),
            index.line_count(),
            w::LINES.of(language),
            index.size(),
            w::BYTES.of(language)
        );
    }
    let (title, rows) = shares(store, audit, language);
    let _ = writeln!(out, "\n{title}:");
    for (name, count, tokens) in rows {
        // Letters of Korean and Chinese take two cells.
        let cells: usize = name
            .chars()
            .map(|c| if c < '\u{1100}' { 1 } else { 2 })
            .sum();
        let pad = " ".repeat(13_usize.saturating_sub(cells));
        let _ = writeln!(out, "  {name}{pad} {count:>2}  ~{tokens}tk");
    }
    if !audit.largest.is_empty() {
        let _ = writeln!(out, "\n{}:", w::LARGEST.of(language));
    }
    for id in &audit.largest {
        let entry = store.entry(*id);
        let tokens = format!("~{}tk", entry.tokens());
        let _ = writeln!(
            out,
            "  {tokens:>8}  {}",
            entry.file().replace(['\n', '\r', '\t'], " ")
        );
    }
    problems(&mut out, store, audit, language, look);
    out
}

fn problems(out: &mut String, store: &Store, audit: &Audit, language: Language, look: Look) {
    let findings = audit.findings().count();
    if findings == 0 {
        let _ = writeln!(out, "\n{}", w::NO_PROBLEMS.of(language));
    } else {
        let _ = writeln!(out, "\n{} ({findings}):", w::PROBLEMS.of(language));
    }
    for group in groups(audit, language) {
        let _ = writeln!(out, "\n{} ({})", group.label, group.issues.len());
        let shown = if look.all { group.issues.len() } else { SHOWN };
        let mut last = String::new();
        for (place, issue) in group.issues.iter().take(shown).enumerate() {
            let action = action_of(issue, store, audit, language);
            let detail = detail(issue, store, language);
            if code(issue) == "STALE" {
                // The action names the file.
                let days = detail.rsplit(" — ").next().unwrap_or_default();
                let _ = writeln!(
                    out,
                    "  {} ({days})",
                    action.replace(['\n', '\r', '\t'], " ")
                );
                continue;
            }
            if place > 0 && action != last {
                let _ = writeln!(out, "  → {last}");
            }
            if !detail.is_empty() {
                let _ = writeln!(out, "  {detail}");
            }
            last = action;
        }
        if group.issues.len() > shown {
            let _ = writeln!(
                out,
                "  … {} {}",
                group.issues.len() - shown,
                w::MORE.of(language)
            );
        }
        if !last.is_empty() {
            let _ = writeln!(out, "  → {last}");
        }
    }
}
