//! What the repository's history says of files, and where the content of those that are gone lies.

use crate::anchors::{Tree, alike};
use handoff::{History, Removed};
use mnemo_home::Env;
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

/// Asks the repository that holds `root`; nothing where there is none. `missing` is what texts name
/// and the tree does not have: of that the content is looked for.
pub(crate) fn of(root: &Path, tree: &Tree, missing: &[&str], env: &Env) -> Known {
    let Some(history) = History::at(root, env) else {
        return Known::default();
    };
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
    for one in lost {
        let Some(old) = history.content(one) else {
            continue;
        };
        let new = unknown.iter().map(String::as_str);
        let found = alike::likeliest(root, new, &one.path, &old, LIKE_A_RENAME).or_else(|| {
            let all = tree.files().iter().map(String::as_str);
            alike::likeliest(root, all, &one.path, &old, NEARLY_THE_SAME)
        });
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
