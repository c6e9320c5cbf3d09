//! What the repository's history says of files.

use mnemo_home::Env;
use std::path::Path;

/// Renames and removals.
#[derive(Debug, Default)]
pub(crate) struct History {
    /// Old and new paths, newest first.
    pub(crate) renames: Vec<(String, String)>,
    /// Paths that were removed.
    pub(crate) deleted: Vec<String>,
}

/// Of the repository that holds `root`; empty where there is none.
pub(crate) fn of(_root: &Path, _env: &Env) -> History {
    History::default()
}
