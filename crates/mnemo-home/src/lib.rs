//! Where mnemo keeps its own configuration, state and error log; the clock and the environment.

use chrono::{DateTime, Local};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The environment as a value: only what was there when it was taken. The one place that reads
/// process variables.
#[derive(Debug, Clone, Default)]
pub struct Env {
    vars: BTreeMap<String, String>,
}

impl Env {
    /// The variables of this process.
    pub fn of_process() -> Self {
        unimplemented!()
    }
    /// For tests.
    pub fn from_pairs<'a>(pairs: impl IntoIterator<Item = (&'a str, &'a str)>) -> Self {
        Self {
            vars: pairs
                .into_iter()
                .map(|(k, v)| (k.to_owned(), v.to_owned()))
                .collect(),
        }
    }
    /// A variable that is set and not empty.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.vars
            .get(name)
            .map(String::as_str)
            .filter(|v| !v.is_empty())
    }
    /// `MNEMO_DISABLE` holds a non-empty value other than `0`.
    pub fn disabled(&self) -> bool {
        self.get("MNEMO_DISABLE").is_some_and(|v| v != "0")
    }
    /// The user's home directory (`HOME`, on Windows `USERPROFILE`); `None` when unset or relative.
    pub fn home(&self) -> Option<PathBuf> {
        unimplemented!()
    }
    /// Now: `MNEMO_NOW` (RFC 3339, a local `YYYY-MM-DDTHH:MM:SS`, or seconds since 1970), else the
    /// system's clock, in local time.
    pub fn now(&self) -> DateTime<Local> {
        unimplemented!()
    }
}

/// mnemo's own folders. `None` where there is no home directory.
#[derive(Debug, Clone, Default)]
pub struct Folders {
    /// `<XDG_STATE_HOME or ~/.local/state>/mnemo`
    pub state: Option<PathBuf>,
    /// `<XDG_CONFIG_HOME or ~/.config>/mnemo`
    pub config: Option<PathBuf>,
    /// `<XDG_DATA_HOME or ~/.local/share>/mnemo`
    pub data: Option<PathBuf>,
}

impl Folders {
    /// From the environment; relative XDG values are ignored, as the XDG specification says.
    pub fn of(env: &Env) -> Self {
        let _ = env;
        unimplemented!()
    }
}

/// One line to `<state>/errors.log`, rotated at 1 MB; never fails, never holds user text.
/// Format: `[2026-11-30T14:03:22+09:00] [prompt-save 0.1.0] message`, control codes removed.
pub fn log_error(env: &Env, program: &str, message: &str) {
    let _ = (env, program, message);
    unimplemented!()
}

/// The languages mnemo speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Language {
    Ko,
    En,
    De,
    Zh,
}

/// How the checkpoint reaches the assistant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deliver {
    /// As context of the Stop event: the turn goes on at once.
    Stop,
    /// With the next prompt.
    NextPrompt,
    /// Never.
    Off,
}

/// Configuration: file, then the project's `.mnemo.yaml` (which may do less, never more), then
/// the environment. CONTRACTS section 8.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// `None` = auto.
    pub language: Option<Language>,
    /// `capture: marked`: only roots that hold `.mnemo-root` are recorded.
    pub marked_only: bool,
    /// Whether MEMORY.md and memory/ are scaffolded.
    pub scaffold: bool,
    /// Whether secrets of known shape are redacted.
    pub redact_secrets: bool,
    /// Stops before a checkpoint is due.
    pub checkpoint_stops: u32,
    /// Minutes before a checkpoint is due.
    pub checkpoint_minutes: u32,
    /// How the checkpoint reaches the assistant.
    pub deliver: Deliver,
    /// Rules folder that the checkpoint prompt names.
    pub rules_dir: String,
    /// More folders whose rules count as already covered.
    pub rules_dirs: Vec<String>,
    /// Tools that are never logged.
    pub tools_skip: Vec<String>,
    /// What the project's own file changed, as `key: value`, for `mnemo status`.
    pub narrowed_by_project: Vec<String>,
}

impl Default for Config {
    fn default() -> Self {
        unimplemented!()
    }
}

impl Config {
    /// Loads and merges. Problems come back as plain sentences naming the file and the key; the
    /// affected keys have their default (privacy settings: the strictest value). With no file at
    /// all this costs two failed opens.
    pub fn load(env: &Env, root: Option<&Path>) -> (Self, Vec<String>) {
        let _ = (env, root);
        unimplemented!()
    }
}

/// Notes the hooks and the companion leave for each other in the state folder: off switch, installation time, wiring.
pub mod notes {
    use super::Env;
    use chrono::{DateTime, Utc};
    use std::path::Path;

    /// Notes that this session was told to stay off until `at` (`<state>/off/<session id>`).
    pub fn mark_off(env: &Env, session: &str, at: DateTime<Utc>) -> safe_file::Result<()> {
        let _ = (env, session, at);
        unimplemented!()
    }
    /// Until when the session was off, if it ever was.
    pub fn off_until(env: &Env, session: &str) -> Option<DateTime<Utc>> {
        let _ = (env, session);
        unimplemented!()
    }
    /// When mnemo was installed (`<state>/installed`); written by install only.
    pub fn installed_at(env: &Env) -> Option<DateTime<Utc>> {
        let _ = env;
        unimplemented!()
    }
    /// Notes the installation; an earlier note is kept.
    pub fn mark_installed(env: &Env, at: DateTime<Utc>) -> safe_file::Result<()> {
        let _ = (env, at);
        unimplemented!()
    }
    /// Whether the settings wire the hook `program` (a file `<state>/wired/<program>`: one stat).
    pub fn wired(env: &Env, program: &str) -> bool {
        let _ = (env, program);
        unimplemented!()
    }
    /// Writes or removes that note for each of `programs`.
    pub fn set_wired(env: &Env, programs: &[&str], wired: bool) -> safe_file::Result<()> {
        let _ = (env, programs, wired, Path::new(""));
        unimplemented!()
    }
}
