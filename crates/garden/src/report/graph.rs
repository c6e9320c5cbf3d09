//! The relations drawn: entries on a circle, those that belong together beside each other.

use crate::relations::RelationKind;
use crate::scan::Scan;
use mnemo_home::text::escaped_html;
use std::collections::{BTreeMap, BTreeSet};
use std::f64::consts::TAU;
use std::fmt::Write as _;

/// Entries drawn at most: more cannot be read.
const MOST: usize = 120;
/// Characters of a label.
const LABEL: usize = 28;
/// Room for labels around the circle.
const MARGIN: f64 = 210.0;

/// The drawing; empty where nothing is related.
pub(super) fn svg(scan: &Scan) -> String {
    let relations = &scan.relations().all;
    let mut degree: BTreeMap<usize, usize> = BTreeMap::new();
    for relation in relations {
        *degree.entry(relation.a).or_default() += 1;
        *degree.entry(relation.b).or_default() += 1;
    }
    let mut most: Vec<usize> = degree.keys().copied().collect();
    most.sort_by_key(|at| (std::cmp::Reverse(degree[at]), *at));
    let shown: BTreeSet<usize> = most.iter().take(MOST).copied().collect();
    let order = order(scan, &shown);
    if order.is_empty() {
        return String::new();
    }
    let count = f64::from(u32::try_from(order.len()).unwrap_or(1));
    let radius = (count * 18.0 / TAU).max(120.0);
    let middle = radius + MARGIN;
    let places: BTreeMap<usize, (f64, f64, f64)> = order
        .iter()
        .zip(0_u32..)
        .map(|(at, n)| {
            let angle = TAU * f64::from(n) / count;
            (
                *at,
                (
                    middle + radius * angle.cos(),
                    middle + radius * angle.sin(),
                    angle,
                ),
            )
        })
        .collect();
    let size = 2.0 * middle;
    let mut out = format!(
        "<svg viewBox=\"0 0 {size:.0} {size:.0}\" role=\"img\" aria-label=\"relations between entries\">\n<defs>"
    );
    for kind in KINDS {
        let _ = write!(
            out,
            "<marker id=\"{0}\" viewBox=\"0 0 8 8\" refX=\"12\" refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" orient=\"auto\"><path d=\"M0 0L8 4L0 8\" class=\"edge {0}\"/></marker>",
            kind.name()
        );
    }
    out.push_str("</defs>\n");
    for relation in relations {
        let (Some(a), Some(b)) = (places.get(&relation.a), places.get(&relation.b)) else {
            continue;
        };
        // Bent to the middle, so that lines between neighbours are seen.
        let bend = |x: f64, y: f64| f64::midpoint(f64::midpoint(x, y), middle);
        let kind = relation.kind.name();
        let arrow = if relation.kind == RelationKind::Contradiction {
            String::new()
        } else {
            format!(" marker-end=\"url(#{kind})\"")
        };
        let _ = writeln!(
            out,
            "<path class=\"edge {kind}\" d=\"M{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}\"{arrow}><title>{} {kind} {}</title></path>",
            a.0,
            a.1,
            bend(a.0, b.0),
            bend(a.1, b.1),
            b.0,
            b.1,
            escaped_html(&scan.entries[relation.a].file),
            escaped_html(&scan.entries[relation.b].file)
        );
    }
    for at in &order {
        let (x, y, angle) = places[at];
        let left = angle.cos() < 0.0;
        let turn = angle.to_degrees() + if left { 180.0 } else { 0.0 };
        let (anchor, dx) = if left {
            ("end", -10.0)
        } else {
            ("start", 10.0)
        };
        let file = &scan.entries[*at].file;
        let _ = writeln!(
            out,
            "<g transform=\"translate({x:.1} {y:.1}) rotate({turn:.1})\"><circle class=\"node\" r=\"4\"/><text x=\"{dx}\" y=\"4\" text-anchor=\"{anchor}\">{}<title>{}</title></text></g>",
            escaped_html(&label(file)),
            escaped_html(file)
        );
    }
    out.push_str("</svg>\n<p class=\"dim\">");
    for kind in KINDS {
        let _ = write!(
            out,
            "<svg viewBox=\"0 0 30 8\" style=\"width:30px\" aria-hidden=\"true\"><path class=\"edge {0}\" d=\"M0 4H30\"/></svg> {0} ",
            kind.name()
        );
    }
    if most.len() > MOST {
        let _ = write!(out, "({MOST} of {} entries are drawn)", most.len());
    }
    out.push_str("</p>\n");
    out
}

const KINDS: [RelationKind; 4] = [
    RelationKind::Contradiction,
    RelationKind::Succession,
    RelationKind::Containment,
    RelationKind::Reference,
];

/// What belongs together beside each other: one connected part after the other.
fn order(scan: &Scan, shown: &BTreeSet<usize>) -> Vec<usize> {
    let mut next: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for relation in &scan.relations().all {
        if shown.contains(&relation.a) && shown.contains(&relation.b) {
            next.entry(relation.a).or_default().push(relation.b);
            next.entry(relation.b).or_default().push(relation.a);
        }
    }
    let mut seen = BTreeSet::new();
    let mut out = Vec::new();
    for start in next.keys() {
        let mut waiting = vec![*start];
        while let Some(at) = waiting.pop() {
            if seen.insert(at) {
                out.push(at);
                waiting.extend(
                    next[&at]
                        .iter()
                        .rev()
                        .filter(|other| !seen.contains(*other)),
                );
            }
        }
    }
    out
}

fn label(file: &str) -> String {
    let name = file.rsplit('/').next().unwrap_or(file);
    let name = name.strip_suffix(".md").unwrap_or(name);
    if name.chars().count() <= LABEL {
        return name.to_owned();
    }
    name.chars().take(LABEL - 1).chain(['…']).collect()
}
