//! The note that a checkpoint waits for the next prompt of a project, so that `prompt-save` finds
//! out with one `stat` and reads the client's settings only when there is one.

use mnemo_home::{Env, Folders};
use record::root::Root;
use std::path::PathBuf;

/// Leaves the note.
pub(crate) fn note(root: &Root, env: &Env) -> safe_file::Result<()> {
    let Some(path) = path(root, env) else {
        return Ok(());
    };
    if let Some(folder) = path.parent() {
        safe_file::create_private_dir(folder)?;
    }
    safe_file::replace(&path, b"")
}

/// Takes the note away. One that stays costs the next prompt a look at the counter, no more.
pub(crate) fn take(root: &Root, env: &Env) {
    let _ = path(root, env).map(|path| safe_file::remove(&path));
}

/// Whether there is one.
pub(crate) fn noted(root: &Root, env: &Env) -> bool {
    path(root, env).is_some_and(|path| path.exists())
}

fn path(root: &Root, env: &Env) -> Option<PathBuf> {
    let folder = Folders::of(env).state?.join("pending");
    let name = record::day::hash(&root.path().to_string_lossy());
    Some(folder.join(format!("{name:016x}")))
}
