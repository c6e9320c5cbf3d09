//! The garden in words: Markdown for files and terminals, one page of HTML with a drawn graph.

mod graph;
mod html;

pub use html::html;

use crate::judge::Judgements;
use crate::plan;
use crate::scan::Scan;
use crate::verdict::Verdict;
use std::fmt::Write as _;

/// Quotes shown of each entry.
const QUOTES: usize = 2;

/// The whole report as Markdown.
pub fn markdown(scan: &Scan, judged: &Judgements) -> String {
    let mut out = format!(
        "# Memory garden\n\n`{}` · {} · {} entries\n",
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
    changes::plain(&text).into_owned()
}
