//! Where Claude Code keeps its settings, transcripts and auto memory.
//!
//! ```text
//! <config>/                    CLAUDE_CONFIG_DIR, else ~/.claude
//!   settings.json              the user's settings
//!   projects/<slug>/*.jsonl    transcripts, by the directory the client was started in
//!   projects/<slug>/memory/    auto memory, by the main worktree's git root
//! ```
//!
//! What this crate knows about the client was measured on Claude Code 2.1.59, 2.1.197 and 2.1.332.
#![cfg_attr(test, allow(clippy::disallowed_methods, reason = "tests make files"))]

mod folders;
mod instructions;
mod language;
mod memory;
mod settings;
mod slug;

pub use instructions::Instructions;
pub use language::language;
pub use settings::Settings;
pub use slug::slug;

use mnemo_home::Env;
use std::path::{Path, PathBuf};

/// The client's configuration directory: `CLAUDE_CONFIG_DIR`, else `~/.claude`.
#[derive(Debug, Clone)]
pub struct ClaudeHome {
    dir: PathBuf,
    user_home: Option<PathBuf>,
}

impl ClaudeHome {
    /// `None` without a home directory.
    ///
    /// A relative `CLAUDE_CONFIG_DIR` means a folder of the directory the client was started in
    /// (`CLAUDE_PROJECT_DIR` in a hook, whose own working directory may have moved on).
    pub fn of(env: &Env) -> Option<Self> {
        let user_home = env.home();
        let dir = match env.get("CLAUDE_CONFIG_DIR").map(Path::new) {
            Some(dir) if dir.is_absolute() => dir.to_path_buf(),
            Some(dir) => env
                .get("CLAUDE_PROJECT_DIR")
                .map_or_else(|| dir.to_path_buf(), |start| Path::new(start).join(dir)),
            None => user_home.as_ref()?.join(".claude"),
        };
        Some(Self {
            dir: slug::composed(dir),
            user_home,
        })
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// `<dir>/settings.json`
    pub fn settings_file(&self) -> PathBuf {
        self.dir.join("settings.json")
    }

    /// The file in which the client keeps what it asked its user once: `.claude.json` in the
    /// configuration directory if that was moved, else in the home directory.
    pub fn state_file(&self) -> PathBuf {
        let default = self.user_home.as_ref().map(|home| home.join(".claude"));
        match &self.user_home {
            Some(home) if default.as_ref() == Some(&self.dir) => home.join(".claude.json"),
            _ => self.dir.join(".claude.json"),
        }
    }

    /// The user's home directory.
    pub fn user_home(&self) -> Option<&Path> {
        self.user_home.as_deref()
    }

    /// `<dir>/projects`
    pub fn projects(&self) -> PathBuf {
        self.dir.join("projects")
    }

    /// The transcript folders that may hold sessions of a project: the folder of
    /// `transcript_path`, those whose slug is that of one of `roots` (the root and its worktrees)
    /// or begins with it and `-`. Candidates only: `cwd` in the records decides.
    ///
    /// The folder of `transcript` comes first, the others follow by name; each once. One listing
    /// of `projects`, whatever it holds: only folders whose name fits are looked at.
    pub fn transcript_folders(&self, roots: &[&Path], transcript: Option<&Path>) -> Vec<PathBuf> {
        folders::of(&self.projects(), roots, transcript)
    }

    /// The auto-memory directory of a project (`git_root`: the main worktree's root, or the start
    /// directory outside git); `None` when auto memory is off by setting or environment.
    ///
    /// Claude Code 2.1.59 differs: it ignores `autoMemoryDirectory` and gives each worktree a
    /// directory of its own.
    pub fn auto_memory(&self, git_root: &Path, settings: &Settings, env: &Env) -> Option<PathBuf> {
        memory::off_by(settings, env).is_none().then(|| {
            self.configured_memory(settings)
                .unwrap_or_else(|| self.default_memory(git_root))
        })
    }

    /// As [`ClaudeHome::auto_memory`], but says where it would lie even when it is off.
    pub fn auto_memory_place(&self, git_root: &Path, settings: &Settings) -> PathBuf {
        self.configured_memory(settings)
            .unwrap_or_else(|| self.default_memory(git_root))
    }

    fn configured_memory(&self, settings: &Settings) -> Option<PathBuf> {
        memory::configured(
            settings.auto_memory_directory.as_deref()?,
            self.user_home.as_deref(),
        )
    }

    fn default_memory(&self, git_root: &Path) -> PathBuf {
        self.projects()
            .join(slug(&slug::real(git_root)))
            .join("memory")
    }
}

pub use memory::{Off, off_by};
