//! `mnemo garden scan`

use chrono::SecondsFormat;
use garden::{Claim, Outline};
use serde_json::{Value, json};
use std::fmt::Write as _;

pub(super) fn json(scan: &Outline) -> Value {
    let claims = garden::claims(scan);
    json!({
        "store": scan.store.root(),
        "project": scan.places.project,
        "now": scan.now.to_rfc3339_opts(SecondsFormat::Secs, true),
        "entries": scan.entries.iter().zip(&claims).map(|(view, claims)| {
            let entry = scan.store.entry(view.id);
            json!({
                "file": view.file,
                "type": view.kind.map_or("unknown", |kind| kind.name()),
                "type_declared": view.declared,
                "gate": view.gate,
                "written": view.written.map(|day| day.to_string()),
                "modified": view.modified.map(|time| time.to_rfc3339_opts(SecondsFormat::Secs, true)),
                "bytes": entry.size(),
                "tokens": entry.tokens(),
                "body_lines": view.body_lines,
                "claims": claims,
            })
        }).collect::<Vec<_>>(),
        "sources": scan.docs.iter().map(|doc| json!({
            "path": doc.source.path,
            "kind": doc.source.kind,
        })).collect::<Vec<_>>(),
        "missing": scan.missing,
        "archive": scan.archive.iter().map(|old| json!({
            "file": old.file,
            "type": old.kind,
            "archived": old.archived.map(|day| day.to_string()),
            "reason": old.reason,
        })).collect::<Vec<_>>(),
    })
}

pub(super) fn text(scan: &Outline) -> String {
    let claims = garden::claims(scan);
    let mut out = format!(
        "{}: {} entries\n",
        scan.store.root().display(),
        scan.entries.len()
    );
    for (view, claims) in scan.entries.iter().zip(&claims) {
        let _ = writeln!(
            out,
            "{:<10} {}  {} lines, {}{}",
            view.kind.map_or("unknown", |kind| kind.name()),
            view.file,
            view.body_lines,
            view.written
                .map_or_else(|| "no date".to_owned(), |day| day.to_string()),
            if view.gate { ", gate" } else { "" },
        );
        for claim in claims.iter().filter(|claim| claim.broken()) {
            let _ = writeln!(
                out,
                "             line {}: {} is not there",
                claim.line, claim.text
            );
        }
        let named = claims.iter().filter(|claim| Claim::names(claim)).count();
        if named > 0 {
            let _ = writeln!(
                out,
                "             {named} paths and symbols, {} other claims",
                claims.len() - named
            );
        }
    }
    let _ = writeln!(out, "\nSources");
    for doc in &scan.docs {
        let _ = writeln!(out, "  {}", doc.source.path);
    }
    for missing in &scan.missing {
        let _ = writeln!(
            out,
            "  not there: {} ({})",
            missing.source, missing.consequence
        );
    }
    let _ = writeln!(out, "\n{} archived entries", scan.archive.len());
    out
}
