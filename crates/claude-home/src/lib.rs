//! Where Claude Code keeps its settings, transcripts and auto memory.

use mnemo_home::Env;
use std::path::{Path, PathBuf};

/// The client's configuration directory: `CLAUDE_CONFIG_DIR`, else `~/.claude`.
#[derive(Debug, Clone)]
pub struct ClaudeHome {
    dir: PathBuf,
}

impl ClaudeHome {
    /// `None` without a home directory.
    pub fn of(env: &Env) -> Option<Self> {
        let _ = env;
        unimplemented!()
    }
    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }
    /// `<dir>/settings.json`
    pub fn settings_file(&self) -> PathBuf {
        self.dir.join("settings.json")
    }
    /// `<dir>/projects`
    pub fn projects(&self) -> PathBuf {
        self.dir.join("projects")
    }
    /// The transcript folders that may hold sessions of a project: the folder of
    /// `transcript_path`, those whose slug is that of one of `roots` (the root and its worktrees)
    /// or begins with it and `-`. Candidates only: `cwd` in the records decides.
    pub fn transcript_folders(&self, roots: &[&Path], transcript: Option<&Path>) -> Vec<PathBuf> {
        let _ = (roots, transcript);
        unimplemented!()
    }
    /// The auto-memory directory of a project (`git_root`: the main worktree's root, or the start
    /// directory outside git); `None` when auto memory is off by setting or environment.
    pub fn auto_memory(&self, git_root: &Path, settings: &Settings, env: &Env) -> Option<PathBuf> {
        let _ = (git_root, settings, env);
        unimplemented!()
    }
}

/// The slug of a directory, as the client forms it (FACTS.md section 3).
pub fn slug(path: &Path) -> String {
    let _ = path;
    unimplemented!()
}

/// What mnemo reads of the client's settings (user file, then project and local files where the
/// client trusts them for the key).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// `language`, as the user wrote it.
    pub language: Option<String>,
    /// `autoMemoryDirectory` of the user's file.
    pub auto_memory_directory: Option<String>,
    /// `autoMemoryEnabled: false` anywhere.
    pub auto_memory_off: bool,
    /// Files that set `disableAllHooks` (or managed-hooks-only), for status.
    pub hooks_disabled_by: Vec<PathBuf>,
}

impl Settings {
    /// Reads what is there; damaged files count as absent.
    pub fn load(home: &ClaudeHome, start: Option<&Path>) -> Self {
        let _ = (home, start);
        unimplemented!()
    }
}

/// The language by config, then the client's setting, then the locale; English when none says.
pub fn language(
    config: &mnemo_home::Config,
    settings: &Settings,
    env: &Env,
) -> mnemo_home::Language {
    let _ = (config, settings, env);
    unimplemented!()
}
