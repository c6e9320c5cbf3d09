//! `mnemo garden relations`

use garden::{Relation, RelationKind, Scan};
use serde_json::{Value, json};
use std::fmt::Write as _;

pub(super) fn json(scan: &Scan) -> Value {
    json!({
        "store": scan.store.root(),
        "relations": scan.relations().all.iter().map(|relation| json!({
            "a": scan.entries[relation.a].file,
            "b": scan.entries[relation.b].file,
            "type": relation.kind.name(),
            "strength": relation.shown_strength(),
            "evidence": relation.evidence,
        })).collect::<Vec<_>>(),
    })
}

pub(super) fn text(scan: &Scan) -> String {
    let mut out = String::new();
    for kind in [
        RelationKind::Contradiction,
        RelationKind::Succession,
        RelationKind::Containment,
        RelationKind::Reference,
    ] {
        for relation in scan
            .relations()
            .all
            .iter()
            .filter(|relation| relation.kind == kind)
        {
            let _ = writeln!(out, "{}", one(scan, relation));
        }
    }
    if out.is_empty() {
        out.push_str("no relations between entries");
    }
    out
}

fn one(scan: &Scan, relation: &Relation) -> String {
    let arrow = if relation.kind == RelationKind::Contradiction {
        "<--contradiction-->".to_owned()
    } else {
        format!("--{}-->", relation.kind)
    };
    let evidence: Vec<String> = relation.evidence.iter().map(super::line).collect();
    format!(
        "{} {arrow} {} ({})",
        scan.entries[relation.a].file,
        scan.entries[relation.b].file,
        evidence.join("; ")
    )
}
