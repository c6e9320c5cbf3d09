//! The candidates as a plan.

use super::{Action, Gate, Item, LineEdit, Plan, Proof, VERSION, hash};
use crate::judge::Judgements;
use crate::scan::Scan;
use crate::verdict::{Candidate, Confidence, Judgement, Verdict};
use crate::view::View;
use hygiene::anchors::Status;
use memory::index;
use std::collections::BTreeMap;

/// Contradictions from which on no entry in one is judged without its own number.
pub const CONTRADICTIONS: usize = 3;

/// A plan of the candidates, and what the file's comments say of each number.
#[derive(Debug)]
pub struct Draft {
    /// The plan.
    pub plan: Plan,
    /// Comments by number.
    pub remarks: BTreeMap<u32, Vec<String>>,
}

impl Draft {
    /// As YAML.
    pub fn render(&self) -> String {
        self.plan
            .render(&|id| self.remarks.get(&id).cloned().unwrap_or_default())
    }
}

impl Plan {
    /// The candidates, the first in priority first.
    pub fn draft(scan: &Scan, judged: &Judgements) -> Draft {
        let mut order: Vec<usize> = (0..judged.all.len()).collect();
        order.sort_by_key(|at| (judged.all[*at].proposed().verdict, *at));
        let mut remarks = BTreeMap::new();
        let mut entries = Vec::with_capacity(order.len());
        for (at, id) in order.into_iter().zip(1..) {
            let judgement = &judged.all[at];
            remarks.insert(id, self::remarks(judgement));
            entries.push(item(scan, judged, at, id));
        }
        let first = u32::try_from(entries.len()).unwrap_or(u32::MAX - 1000) + 1;
        let gates: Vec<Gate> = judged
            .groups
            .iter()
            .zip(first..)
            .map(|(group, id)| gate(scan, &group.name, &group.members, id))
            .collect();
        let mut hashes: BTreeMap<String, String> = scan
            .store
            .entries()
            .iter()
            .filter(|entry| entry.why_unread().is_none())
            .map(|entry| (entry.file().to_owned(), hash(entry.bytes())))
            .collect();
        if let Some(index) = scan.store.index().filter(|index| index.is_text()) {
            hashes.insert(index::FILE.to_owned(), hash(index.text().as_bytes()));
        }
        let plan = Plan {
            version: VERSION,
            store: scan.store.root().display().to_string(),
            date: scan.now.date_naive(),
            warnings: warnings(scan),
            sensitive: sensitive(scan),
            hashes,
            gates,
            entries,
        };
        Draft { plan, remarks }
    }
}

fn remarks(judgement: &Judgement) -> Vec<String> {
    judgement.candidates[1..]
        .iter()
        .map(|other| {
            format!(
                "or {} ({:?}): {}",
                other.verdict.name(),
                other.confidence,
                other.note
            )
        })
        .collect()
}

fn item(scan: &Scan, judged: &Judgements, at: usize, id: u32) -> Item {
    let view = &scan.entries[at];
    let candidate = judged.all[at].proposed();
    let mut action = Action::of(candidate.verdict);
    // What a person is goes by nobody's judgement but the person's; of a file of several items one
    // is taken out, not the file.
    let own = view.kind == Some(memory::Kind::User);
    if action.removes() && (own || scan.holds_items(at)) {
        action = Action::Keep;
    }
    // A decision that says by itself what took its place is history that is kept.
    let entry = scan.store.entry(view.id);
    let told = view.kind == Some(memory::Kind::Decision) && entry.field("superseded_by").is_some();
    if told && action == Action::Edit {
        action = Action::Keep;
    }
    let editing = action == Action::Edit;
    Item {
        id,
        entry: view.file.clone(),
        verdict: candidate.verdict,
        confidence: candidate.confidence,
        action: Some(action),
        target: (candidate.verdict == Verdict::Duplicate)
            .then(|| candidate.other.clone())
            .flatten(),
        append: None,
        group: candidate.group.clone(),
        also: also(&judged.all[at]),
        evidence: candidate.evidence.iter().map(Proof::from).collect(),
        edits: if editing {
            edits(view, &judged.anchors[at], candidate)
        } else {
            Vec::new()
        },
        description: None,
        note: Some(candidate.note.clone()).filter(|note| !note.is_empty()),
    }
}

/// What surely holds beside the first and changes what is done: a duplicate that is outdated too.
fn also(judgement: &Judgement) -> Vec<Verdict> {
    let first = judgement.proposed().verdict;
    judgement.candidates[1..]
        .iter()
        .filter(|other| other.confidence == Confidence::High)
        .map(|other| other.verdict)
        .filter(|other| matches!((first, other), (Verdict::Duplicate, Verdict::Outdated)))
        .collect()
}

/// The lines that are no longer so. Where the new place of a path is known it is proposed; what
/// else is true now is left to the editor.
fn edits(
    view: &View,
    anchors: &[hygiene::anchors::Anchor],
    candidate: &Candidate,
) -> Vec<LineEdit> {
    let mut edits: Vec<LineEdit> = Vec::new();
    for anchor in anchors.iter().filter(|anchor| anchor.is_broken()) {
        let Status::Moved(places) = &anchor.status else {
            continue;
        };
        let Some(line) = view.lines.get(anchor.line.saturating_sub(1)) else {
            continue;
        };
        if line.matches(&anchor.text).count() == 1
            && !fixed(view, anchor.line)
            && edits.iter().all(|edit| edit.line != anchor.line)
            && !is_sensitive(line)
        {
            edits.push(LineEdit {
                line: anchor.line,
                old: anchor.text.clone(),
                new: Some(places[0].clone()),
                remove: false,
            });
        }
    }
    for evidence in &candidate.evidence {
        if evidence.path == view.path
            && !evidence.quote.is_empty()
            && !fixed(view, evidence.line)
            && edits.iter().all(|edit| edit.line != evidence.line)
        {
            edits.push(LineEdit {
                line: evidence.line,
                old: evidence.quote.clone(),
                new: None,
                remove: false,
            });
        }
    }
    edits.sort_by_key(|edit| edit.line);
    edits
}

/// A line that no tool changes.
fn fixed(view: &View, line: usize) -> bool {
    view.lines.get(line.saturating_sub(1)).is_some_and(|text| {
        let key = text.split(':').next().unwrap_or_default().trim();
        line < 12 && matches!(key, "name" | "type" | "metadata")
    })
}

fn is_sensitive(text: &str) -> bool {
    redact::clean(text, redact::Policy { secrets: true }).as_str() != text
}

fn gate(scan: &Scan, name: &str, members: &[usize], id: u32) -> Gate {
    let kind = kind_of(scan, members);
    let called = format!("{name} overview");
    let file = memory::capture::FileName::of(kind, &called).map_or_else(
        |_| format!("{}_overview-{id}.md", kind.name()),
        |file| file.as_str().to_owned(),
    );
    Gate {
        id,
        group: name.to_owned(),
        file,
        name: called,
        description: format!("{name}: where its {} entries are", members.len()),
        members: members
            .iter()
            .map(|at| scan.entries[*at].file.clone())
            .collect(),
        summary: None,
    }
}

/// The type most members have.
pub(crate) fn kind_of(scan: &Scan, members: &[usize]) -> memory::Kind {
    let count = |kind: memory::Kind| {
        members
            .iter()
            .filter(|at| scan.entries[**at].kind == Some(kind))
            .count()
    };
    memory::Kind::ALL
        .into_iter()
        .rev()
        .max_by_key(|kind| count(*kind))
        .unwrap_or(memory::Kind::Project)
}

/// What a person should know before anything else.
pub fn warnings(scan: &Scan) -> Vec<String> {
    let mut out = Vec::new();
    let contradictions: Vec<_> = scan
        .relations()
        .all
        .iter()
        .filter(|relation| relation.kind == crate::RelationKind::Contradiction)
        .collect();
    if contradictions.len() >= CONTRADICTIONS {
        let pairs: Vec<String> = contradictions
            .iter()
            .map(|r| format!("{} / {}", scan.entries[r.a].file, scan.entries[r.b].file))
            .collect();
        out.push(format!(
            "{} contradictions: none of these entries is judged by itself, each needs its own number in --approve ({})",
            contradictions.len(),
            pairs.join("; ")
        ));
    }
    out.extend(scan.not_there());
    out
}

/// Where text stands that looks like a secret, never the text.
pub fn sensitive(scan: &Scan) -> Vec<String> {
    scan.store
        .entries()
        .iter()
        .flat_map(|entry| {
            memory::audit::secrets(entry.text())
                .map(move |(line, kind)| format!("{}:{line} ({kind})", entry.file()))
        })
        .collect()
}
