//! Temporary files that killed processes left, swept away wherever mnemo writes. The hooks do not
//! look for them: a kill is rare, and a look costs.

use claude_home::{ClaudeHome, Settings};
use mnemo_home::{Env, Folders};
use record::root::Root;
use std::path::{Path, PathBuf};

/// Folders of a project that mnemo writes into.
const OF_PROJECT: [&str; 7] = [
    "conversations",
    "memory",
    "memory/gotchas",
    "memory/learned",
    "docs/handoffs",
    ".claude",
    ".claude/rules",
];

/// Sweeps mnemo's own folders, the client's, and those of the project around the current directory.
/// What cannot be swept now is left for the next command.
pub(super) fn sweep(env: &Env) {
    let folders = Folders::of(env);
    if let Some(state) = folders.state {
        let undo = state.join("undo");
        each([state.join("backups"), state]);
        each(subfolders(&undo));
        each([undo]);
    }
    let home = ClaudeHome::of(env);
    if let Some(home) = &home {
        let skills = home.dir().join("skills");
        each(subfolders(&skills));
        each([skills, home.dir().to_owned()]);
        // Settings that are a link are replaced where they lie.
        let settings = home.settings_file().canonicalize().ok();
        each(settings.and_then(|file| file.parent().map(Path::to_owned)));
    }
    let Ok(start) = std::env::current_dir() else {
        return;
    };
    let root = Root::find(&start, env).ok();
    if let Some(root) = &root {
        sweep_project(root.path());
    }
    if let Some(home) = home {
        let project = root
            .filter(|root| root.git_dir().is_some())
            .map_or(start, |root| root.path().to_owned());
        let settings = Settings::load(&home, Some(&project));
        each([home.auto_memory_place(&project, &settings)]);
    }
}

/// Sweeps what mnemo writes in a project: its root, and folders in it that no link leads to.
pub(super) fn sweep_project(root: &Path) {
    let Ok(boundary) = safe_file::Boundary::new(root) else {
        return;
    };
    each([boundary.root().to_owned()]);
    for folder in OF_PROJECT {
        let real = boundary.resolve(Path::new(folder));
        each(
            real.ok()
                .filter(|real| *real == boundary.root().join(folder)),
        );
    }
}

fn each(folders: impl IntoIterator<Item = PathBuf>) {
    for folder in folders {
        let _ = safe_file::sweep_temps(&folder);
    }
}

/// The folders in a folder, links left out.
fn subfolders(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    entries
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect()
}
