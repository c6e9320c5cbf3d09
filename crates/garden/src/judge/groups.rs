//! Entries of one domain without a way in.

use crate::view::View;
use memory::Kind;
use std::collections::BTreeMap;

/// Several entries of one domain.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Group {
    /// The word of the file names that they share.
    pub name: String,
    /// Their places.
    pub members: Vec<usize>,
}

/// Entries from which on a domain needs a way in.
pub(crate) const LEAST: usize = 3;

/// Words of file names that name no domain.
const NO_DOMAIN: &[&str] = &[
    "no",
    "not",
    "the",
    "a",
    "an",
    "of",
    "to",
    "and",
    "or",
    "in",
    "on",
    "for",
    "with",
    "is",
    "use",
    "using",
    "old",
    "new",
    "note",
    "notes",
    "copy",
    "draft",
    "plan",
    "list",
    "log",
    "rule",
    "rules",
    "md",
    "v1",
    "v2",
    "v3",
    "en",
    "de",
    "ko",
    "zh",
    "first",
    "before",
    "after",
    "always",
    "never",
    "ask",
    "one",
    "two",
    "how",
    "project",
    "feedback",
    "user",
    "reference",
    "decision",
    "memory",
];

/// The domains of the entries that `fits` lets in: knowledge and feedback, not work with a life of
/// its own. A domain that has a gate is none.
pub(crate) fn find(
    views: &[View],
    linked_by_gate: &[bool],
    fits: impl Fn(usize) -> bool,
) -> Vec<Group> {
    let mut by_word: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
    for (at, view) in views.iter().enumerate() {
        let knowledge = matches!(view.kind, Some(Kind::Reference | Kind::Feedback));
        if !knowledge || view.gate || linked_by_gate[at] || !fits(at) {
            continue;
        }
        for word in &view.subject {
            let list = by_word.entry(word).or_default();
            if list.last() != Some(&at) {
                list.push(at);
            }
        }
    }
    let gates_there: Vec<&View> = views.iter().filter(|view| view.gate).collect();
    let mut groups: Vec<Group> = by_word
        .into_iter()
        .filter(|(word, members)| {
            members.len() >= LEAST
                && word.chars().count() > 1
                && !word.chars().all(|c| c.is_ascii_digit())
                && !NO_DOMAIN.contains(word)
                // Feedback alone with one word in common is manners, not a domain.
                && members.iter().any(|at| views[*at].kind == Some(Kind::Reference))
                && !gates_there.iter().any(|gate| gates(gate, word))
        })
        .map(|(word, members)| Group {
            name: word.to_owned(),
            members,
        })
        .collect();
    // An entry belongs to the largest of its domains.
    groups.sort_by(|x, y| {
        y.members
            .len()
            .cmp(&x.members.len())
            .then(x.name.cmp(&y.name))
    });
    let mut taken = vec![false; views.len()];
    groups.retain_mut(|group| {
        group.members.retain(|at| !taken[*at]);
        let enough = group.members.len() >= LEAST;
        if enough {
            for at in &group.members {
                taken[*at] = true;
            }
        }
        enough
    });
    groups
}

/// Whether a gate's own name is about the word (`settlement` and `settle`).
fn gates(gate: &View, word: &str) -> bool {
    gate.subject.iter().any(|own| {
        own == word
            || (word.len() >= 4 && own.starts_with(word))
            || (own.len() >= 4 && word.starts_with(own.as_str()))
    })
}
