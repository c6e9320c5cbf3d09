//! The report for scripts. Labels are the English ones in every language.

use super::{action_of, detail, file_of, line_of};
use crate::audit::{Audit, EntryProblem, IndexOver, Issue, Share};
use crate::budget::{LIMIT, Level};
use crate::entry::EntryId;
use crate::links::LinkKind;
use crate::store::{Source, Store, StoreKind};
use crate::wording;
use mnemo_home::Language;
use serde_json::{Map, Value, json as value};

/// The whole report.
#[allow(clippy::cast_precision_loss, reason = "tenths of a percent")]
pub fn json(store: &Store, audit: &Audit, language: Language) -> Value {
    let tenth = |permille: u64| permille as f64 / 10.0;
    let shares = |shares: &[Share]| -> Vec<Value> {
        shares
            .iter()
            .map(|share| {
                value!({
                    "type": share.kind.map_or("unknown", crate::Kind::name),
                    "count": share.count,
                    "tokens": share.tokens,
                })
            })
            .collect()
    };
    value!({
        "store": summary(store),
        "files": store.entries().len(),
        "total_bytes": audit.budget.bytes,
        "budget": {
            "tokens": audit.budget.tokens,
            "limit": LIMIT,
            "percent": tenth(audit.budget.permille()),
            "tokens_with_index": audit.budget.tokens + audit.budget.index_tokens,
            "percent_with_index": tenth(audit.budget.permille_with_index()),
            "level": match audit.budget.level() {
                Level::Within => "WITHIN",
                Level::Warning => "BUDGET WARNING",
                Level::Over => "OVER BUDGET",
            },
        },
        "index": index(store),
        "types": shares(&audit.types),
        "types_by_prefix": shares(&audit.types_by_prefix),
        "categories": audit.categories.iter().map(|share| value!({
            "category": share.name,
            "count": share.count,
            "tokens": share.tokens,
        })).collect::<Vec<_>>(),
        "largest": audit.largest.iter().map(|id| {
            let entry = store.entry(*id);
            value!({ "file": entry.file(), "bytes": entry.size(), "tokens": entry.tokens() })
        }).collect::<Vec<_>>(),
        "findings": audit.findings().count(),
        "issues": audit.issues.iter().map(|issue| of_issue(issue, store, audit, language)).collect::<Vec<_>>(),
    })
}

/// Which store it is.
pub fn summary(store: &Store) -> Value {
    value!({
        "kind": match store.kind() {
            StoreKind::Auto => "auto",
            StoreKind::Record => "record",
        },
        "path": store.root(),
    })
}

fn index(store: &Store) -> Value {
    let Some(index) = store.index() else {
        return Value::Null;
    };
    let total: u64 = store.entries().iter().map(crate::Entry::tokens).sum();
    value!({
        "file": store.index_file(),
        "lines": index.line_count(),
        "bytes": index.size(),
        "tokens": index.tokens(),
        "budget_comment": index.budget().map(|comment| value!({
            "line": comment.line,
            "tokens": comment.tokens,
            "limit": comment.limit,
            "percent": comment.percent,
            "updated": comment.updated,
            "matches": crate::Budget { tokens: total, ..crate::Budget::default() }.is_said_by(comment),
        })),
    })
}

#[allow(clippy::too_many_lines, reason = "one arm for each issue")]
fn of_issue(issue: &Issue, store: &Store, audit: &Audit, language: Language) -> Value {
    let mut map = Map::new();
    let mut put = |key: &str, value: Value| {
        map.insert(key.to_owned(), value);
    };
    let files = |ids: &[EntryId]| -> Value {
        ids.iter()
            .map(|id| store.entry(*id).file())
            .collect::<Vec<_>>()
            .into()
    };
    put("label", wording::code(issue).into());
    put("information", issue.is_information().into());
    if let Some(file) = file_of(issue, store) {
        put("file", file.into());
    }
    if let Some(line) = line_of(issue) {
        put("line", line.into());
    }
    match issue {
        Issue::Stale { days, since, .. } => {
            put("days", (*days).into());
            put(
                "since",
                since
                    .to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
                    .into(),
            );
        }
        Issue::BrokenLink {
            source,
            kind,
            target,
            archived_at,
            ..
        } => {
            put(
                "kind",
                match (source, kind) {
                    (Source::Index, LinkKind::Markdown) => "index-markdown",
                    (Source::Index, LinkKind::Wiki) => "index-wikilink",
                    (Source::Index, LinkKind::Code) => "index-code",
                    (Source::Entry(_) | Source::Page(_), LinkKind::Code) => "code",
                    (Source::Page(_), LinkKind::Markdown) => "page-markdown",
                    (Source::Page(_), LinkKind::Wiki) => "page-wikilink",
                    (Source::Entry(_), LinkKind::Markdown) => "markdown",
                    (Source::Entry(_), LinkKind::Wiki) => "wikilink",
                }
                .into(),
            );
            put("target", target.as_str().into());
            if let Some(place) = archived_at {
                put("archived_at", place.as_str().into());
            }
        }
        Issue::WrongSuffix {
            entry, annotated, ..
        } => {
            put("annotated", (*annotated).into());
            put("actual", store.entry(*entry).tokens().into());
        }
        Issue::WrongBudgetComment {
            said,
            limit,
            percent,
            ..
        } => {
            put("annotated", (*said).into());
            put("annotated_limit", (*limit).into());
            put("annotated_percent", (*percent).into());
            put("actual", audit.budget.tokens.into());
            put("actual_percent", audit.budget.percent().into());
        }
        Issue::DuplicateCode { code, entries } => {
            put("code", code.to_string().into());
            put(
                "files",
                entries
                    .iter()
                    .map(|id| store.entry(*id).file())
                    .collect::<Vec<_>>()
                    .into(),
            );
        }
        Issue::IndexedTwice { lines, .. } => put("lines", lines.clone().into()),
        Issue::EmptySection { heading, .. } => put("heading", heading.as_str().into()),
        Issue::TypeUnlikeName {
            by_name, declared, ..
        } => {
            put("prefix", by_name.name().into());
            put("type", declared.name().into());
        }
        Issue::DuplicateName { name, entries } => {
            put("name", name.as_str().into());
            put("files", files(entries));
        }
        Issue::Entry { problem, .. } => {
            put("problem", wording::problem_code(problem).into());
            match problem {
                EntryProblem::InvalidYaml(why) => put("why", why.as_str().into()),
                EntryProblem::UnknownType(word) => put("type", word.as_str().into()),
                EntryProblem::LongBody { lines, .. } => put("lines", (*lines).into()),
                _ => {}
            }
        }
        Issue::Sensitive { kind, .. } => put("kind", (*kind).into()),
        Issue::IndexOver(over) => {
            for (key, value) in over_limits(over, files(&over.falls_off)) {
                put(key, value);
            }
        }
        Issue::ManyEntries { count, .. } => put("count", (*count).into()),
        Issue::NoEntries(kind) => put("type", kind.name().into()),
        Issue::Unread { .. }
        | Issue::Budget(_)
        | Issue::NoIndex
        | Issue::Orphan(_)
        | Issue::MissingSuffix { .. } => {}
    }
    put("text", detail(issue, store, language).into());
    put("action", action_of(issue, store, audit, language).into());
    Value::Object(map)
}

fn over_limits(over: &IndexOver, falls_off: Value) -> [(&'static str, Value); 7] {
    let counted = &over.counted;
    [
        ("lines", counted.lines.into()),
        ("bytes", counted.bytes.into()),
        ("characters", counted.units.into()),
        ("limit_lines", counted.limits.lines.into()),
        ("limit_bytes", counted.limits.bytes.into()),
        ("cut_line", counted.cut_line.into()),
        ("falls_off", falls_off),
    ]
}
