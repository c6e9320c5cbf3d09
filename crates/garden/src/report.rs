//! The garden in words: Markdown for files and terminals, one page of HTML with a drawn graph.

mod graph;
mod html;

pub use html::html;

use crate::judge::Judgements;
use crate::plan;
use crate::scan::Scan;
use crate::verdict::Verdict;
use chrono::SecondsFormat;
use mnemo_home::text::plain;
use serde_json::{Value, json};
use std::fmt::Write as _;

/// What a report in Markdown begins with.
pub const MARK: &str = "# Memory garden\n";
/// What stands in the head of a page.
pub const HTML_MARK: &str = "<title>Memory garden</title>";
/// Quotes shown of each entry.
const QUOTES: usize = 2;

/// The whole report as Markdown.
pub fn markdown(scan: &Scan, judged: &Judgements) -> String {
    let mut out = format!(
        "{MARK}\n`{}` · {} · {} entries\n",
        scan.store.root().display(),
        scan.now.format("%Y-%m-%d %H:%M"),
        scan.entries.len()
    );
    for warning in plan::warnings(scan) {
        let _ = write!(out, "\n> {}\n", line(&warning));
    }
    let sensitive = plan::sensitive(scan);
    if !sensitive.is_empty() {
        out.push_str("\n## Sensitive text\n\nTake it out by hand:\n\n");
        for place in sensitive {
            let _ = writeln!(out, "- {}", line(&place));
        }
    }
    out.push_str("\n## Verdicts\n\n| verdict | entries |\n|---|---:|\n");
    for (verdict, of) in by_verdict(judged) {
        let _ = writeln!(out, "| {} | {} |", verdict.name(), of.len());
    }
    for (verdict, of) in by_verdict(judged) {
        if verdict == Verdict::Active {
            continue;
        }
        let _ = write!(out, "\n### {}\n\n", verdict.name());
        for at in of {
            let judgement = &judged.all[at];
            let first = judgement.proposed();
            let _ = writeln!(
                out,
                "- **{}** ({:?}) {}",
                line(&judgement.entry),
                first.confidence,
                line(&first.note)
            );
            for evidence in first.evidence.iter().take(QUOTES) {
                let _ = writeln!(
                    out,
                    "  - {}:{} “{}”",
                    line(&evidence.path),
                    evidence.line,
                    line(&evidence.quote)
                );
            }
        }
    }
    if !scan.relations().all.is_empty() {
        out.push_str("\n## Relations\n\n");
        for relation in &scan.relations().all {
            let _ = writeln!(
                out,
                "- {} --{}--> {}",
                line(&scan.entries[relation.a].file),
                relation.kind,
                line(&scan.entries[relation.b].file)
            );
        }
    }
    if !judged.groups.is_empty() {
        out.push_str("\n## Subjects without a way in\n\n");
        for group in &judged.groups {
            let members: Vec<&str> = group
                .members
                .iter()
                .map(|at| scan.entries[*at].file.as_str())
                .collect();
            let _ = writeln!(
                out,
                "- {}: {}",
                line(&group.name),
                line(&members.join(", "))
            );
        }
    }
    out
}

/// The same as JSON: everything that [`markdown`] says, each entry with all its candidates.
pub fn json(scan: &Scan, judged: &Judgements) -> Value {
    let file = |at: usize| scan.entries[at].file.as_str();
    let counts: serde_json::Map<String, Value> = by_verdict(judged)
        .into_iter()
        .map(|(verdict, of)| (verdict.name().to_owned(), of.len().into()))
        .collect();
    json!({
        "store": scan.store.root(),
        "now": scan.now.to_rfc3339_opts(SecondsFormat::Secs, true),
        "entries": scan.entries.len(),
        "warnings": plan::warnings(scan),
        "missing": scan.missing,
        "sensitive": plan::sensitive(scan),
        "counts": counts,
        "verdicts": judged.all.iter().map(|judgement| {
            let first = judgement.proposed();
            json!({
                "entry": judgement.entry,
                "verdict": first.verdict,
                "confidence": first.confidence,
                "note": first.note,
                "candidates": judgement.candidates,
            })
        }).collect::<Vec<_>>(),
        "relations": scan.relations().all.iter().map(|relation| json!({
            "a": file(relation.a),
            "b": file(relation.b),
            "type": relation.kind.name(),
            "strength": relation.shown_strength(),
            "evidence": relation.evidence,
        })).collect::<Vec<_>>(),
        "groups": judged.groups.iter().map(|group| json!({
            "name": group.name,
            "entries": group.members.iter().map(|at| file(*at)).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
    })
}

/// Verdicts that are proposed, and for which entries.
fn by_verdict(judged: &Judgements) -> Vec<(Verdict, Vec<usize>)> {
    Verdict::ALL
        .into_iter()
        .map(|verdict| {
            let of = (0..judged.all.len())
                .filter(|at| judged.all[*at].proposed().verdict == verdict)
                .collect::<Vec<_>>();
            (verdict, of)
        })
        .filter(|(_, of)| !of.is_empty())
        .collect()
}

/// Text of a file in one line, harmless to Markdown and to terminals.
fn line(text: &str) -> String {
    let text = text.replace(['\n', '\r', '\t'], " ").replace('<', "&lt;");
    plain(&text).into_owned()
}
