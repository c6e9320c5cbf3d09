//! What the repository's history says of files.

use mnemo_home::Env;
use std::path::Path;

/// Renames and removals of the repository that holds `root`; empty where there is none.
pub(crate) fn of(root: &Path, env: &Env) -> handoff::Changes {
    handoff::History::at(root, env)
        .map(|history| history.changes())
        .unwrap_or_default()
}
