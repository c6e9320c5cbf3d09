//! Which memory a checkpoint speaks of, and where its counter lies.

use checkpoint::Counter;
use claude_home::{ClaudeHome, Settings};
use mnemo_home::{Config, Env, Folders, Language};
use record::root::Root;
use std::path::{Path, PathBuf};

/// The memory of a project, as the client's settings have it.
#[derive(Debug)]
pub struct Memory {
    settings: Settings,
    auto: Option<PathBuf>,
    counter: Option<Counter>,
}

impl Memory {
    /// Reads the client's settings. `start` is the directory the client was started in.
    pub fn of(root: &Root, start: &Path, env: &Env) -> Self {
        let Some(home) = ClaudeHome::of(env) else {
            return Self {
                settings: Settings::default(),
                auto: None,
                counter: None,
            };
        };
        let settings = Settings::load(&home, Some(start));
        // The client keys its auto memory by the main worktree; outside git by the start directory.
        let owner = if root.git_dir().is_some() {
            root.path()
        } else {
            start
        };
        let auto = home.auto_memory(owner, &settings, env);
        let counter = match &auto {
            Some(folder) => Some(Counter::in_folder(folder)),
            // With the auto memory off the client makes no folder there, and neither do we.
            None => Folders::of(env).state.map(|state| {
                Counter::in_folder(&state.join("checkpoint").join(claude_home::slug(owner)))
            }),
        };
        Self {
            settings,
            auto,
            counter,
        }
    }

    /// The client's auto-memory folder; `None` when it is off.
    pub fn auto(&self) -> Option<&Path> {
        self.auto.as_deref()
    }

    /// What was read of the client's settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The stop counter; `None` without a home directory.
    pub fn counter(&self) -> Option<&Counter> {
        self.counter.as_ref()
    }

    /// The language to speak here.
    pub fn language(&self, config: &Config, env: &Env) -> Language {
        claude_home::language(config, &self.settings, env)
    }

    /// The checkpoint prompt for this memory.
    pub fn checkpoint_prompt(&self, root: &Root, config: &Config, env: &Env) -> String {
        let folder = self.auto.as_deref().unwrap_or(root.path());
        checkpoint::prompt(self.language(config, env), &config.rules_dir, Some(folder))
    }
}
