//! What the repository's history says of files, and where the content of those that are gone lies.

use crate::anchors::Tree;
use crate::anchors::alike::Candidates;
use handoff::{History, Removed};
use std::collections::HashSet;
use std::path::Path;

/// Removed files whose content is looked for: each costs a question to git.
const MOST: usize = 24;
/// What git takes for a rename, for a file that it does not know yet.
const LIKE_A_RENAME: f64 = 0.5;
/// For any file: many of a project are half alike.
const NEARLY_THE_SAME: f64 = 0.8;

/// What is known of moves and removals.
#[derive(Debug, Default)]
pub(crate) struct Known {
    /// Old and new paths, newest first.
    pub(crate) renames: Vec<(String, String)>,
    /// Paths that were removed.
    pub(crate) removed: Vec<String>,
}

/// Asks the repository that holds `root`. `missing` is what texts name
/// and the tree does not have: of that the content is looked for.
pub(crate) fn of(root: &Path, history: &History, tree: &Tree, missing: &[&str]) -> Known {
    let changes = history.changes();
    let mut renames = changes.renames;
    let moved: HashSet<String> = renames.iter().map(|(old, _)| old.clone()).collect();
    let named: HashSet<&str> = missing.iter().map(|text| file_name(text)).collect();
    let mut seen = HashSet::new();
    let lost: Vec<&Removed> = changes
        .removed
        .iter()
        .filter(|one| named.contains(file_name(&one.path)))
        .filter(|one| !moved.contains(&one.path) && !tree.has(&one.path))
        .filter(|one| seen.insert(one.path.as_str()))
        .take(MOST)
        .collect();
    let unknown = if lost.iter().any(|one| one.lately) {
        history.unknown()
    } else {
        Vec::new()
    };
    let mut candidates = Candidates::below(root);
    let contents = history.contents(&lost, Candidates::LARGEST);
    for (one, old) in lost.iter().zip(contents) {
        let Some(old) = old else {
            continue;
        };
        let new = unknown.iter().map(String::as_str);
        let mut found = candidates.likeliest(new, &one.path, &old, LIKE_A_RENAME);
        if found.is_none() {
            let all = tree.files().iter().map(String::as_str);
            found = candidates.likeliest(all, &one.path, &old, NEARLY_THE_SAME);
        }
        renames.extend(found.map(|new| (one.path.clone(), new.to_owned())));
    }
    Known {
        renames,
        removed: changes.removed.into_iter().map(|one| one.path).collect(),
    }
}

/// The last part of a path, without `:line`.
fn file_name(path: &str) -> &str {
    let path = path.trim_end_matches(['/', '\\']);
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    match name.rsplit_once(':') {
        Some((name, line)) if line.chars().all(|c| c.is_ascii_digit()) => name,
        _ => name,
    }
}
