//! `mnemo garden verdicts`

use garden::{Scan, Verdict};
use serde_json::{Value, json};
use std::fmt::Write as _;

pub(super) fn json(scan: &Scan) -> Value {
    let judged = garden::judge(scan);
    json!({
        "store": scan.store.root(),
        "verdicts": judged.all,
        "groups": judged.groups.iter().map(|group| json!({
            "name": group.name,
            "entries": group.members.iter().map(|at| &scan.entries[*at].file).collect::<Vec<_>>(),
        })).collect::<Vec<_>>(),
        "missing": scan.missing,
    })
}

pub(super) fn text(scan: &Scan) -> String {
    let judged = garden::judge(scan);
    let mut out = String::new();
    for verdict in Verdict::ALL {
        let of: Vec<_> = judged
            .all
            .iter()
            .filter(|judgement| judgement.proposed().verdict == verdict)
            .collect();
        if of.is_empty() {
            continue;
        }
        let _ = writeln!(out, "{} ({})", verdict.name(), of.len());
        for judgement in of {
            let first = judgement.proposed();
            let _ = writeln!(
                out,
                "  {} [{:?}] {}",
                judgement.entry, first.confidence, first.note
            );
            if verdict != Verdict::Active {
                for evidence in first.evidence.iter().take(2) {
                    let _ = writeln!(out, "      {}", super::line(evidence));
                }
            }
        }
    }
    if out.is_empty() {
        out.push_str("no entries to judge\n");
    }
    for line in scan.not_there() {
        let _ = writeln!(out, "{line}");
    }
    out
}
