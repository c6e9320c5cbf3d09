//! Which memory a command means: `--store`.

use super::{Outcome, why_not};
use crate::exit::{Exit, Failure};
use crate::terminal;
use claude_home::{ClaudeHome, Off, Settings};
use memory::overlap::{self, Known};
use memory::{Store, StoreKind};
use mnemo_home::{Config, Env, Language};
use record::root::Root;
use serde_json::json;
use std::convert::Infallible;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The options that name a memory.
#[derive(Debug, Clone, clap::Args)]
pub(crate) struct StoreArgs {
    /// Which memory: `auto` (Claude Code's own), `record` (this project's), or its folder
    #[arg(long, value_name = "auto|record|PATH")]
    pub(crate) store: Option<Named>,
    /// Look from this directory instead of the current one
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub(crate) project_root: Option<PathBuf>,
}

/// What `--store` can name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Named {
    /// The client's own.
    Auto,
    /// The project's.
    Record,
    /// The folder that holds MEMORY.md.
    Folder(PathBuf),
}

impl FromStr for Named {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "auto" => Self::Auto,
            "record" => Self::Record,
            folder => Self::Folder(folder.into()),
        })
    }
}

/// Where the memory lies.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    /// Which store.
    pub(crate) kind: StoreKind,
    /// The folder that holds MEMORY.md.
    pub(crate) root: PathBuf,
    /// The record's root, the git root or the start directory.
    pub(crate) project: PathBuf,
    /// Why it is another one than was asked for.
    pub(crate) note: Option<String>,
    /// Whether a person named the folder, so that its absence is an error.
    named: bool,
}

impl StoreArgs {
    /// The options as they were given, for a line that says what to run next.
    pub(crate) fn again(&self) -> String {
        let mut out = String::new();
        if let Some(store) = &self.store {
            let store = match store {
                Named::Auto => "auto".to_owned(),
                Named::Record => "record".to_owned(),
                Named::Folder(folder) => quoted(folder),
            };
            let _ = write!(out, " --store {store}");
        }
        if let Some(root) = &self.project_root {
            let _ = write!(out, " --project-root {}", quoted(root));
        }
        out
    }

    /// What takes a change back: elsewhere the last one may be another project's.
    pub(crate) fn undo(&self, set: &str) -> String {
        if self.project_root.is_some() || matches!(self.store, Some(Named::Folder(_))) {
            format!("mnemo undo {set}")
        } else {
            "mnemo undo".to_owned()
        }
    }

    /// Where the memory lies; `default` when nothing is named.
    pub(crate) fn place(&self, default: Named, env: &Env) -> Result<Place, Failure> {
        let start = super::directory(self.project_root.as_deref())?;
        match self.store.clone().unwrap_or(default) {
            Named::Auto => auto(&start, env),
            Named::Record => record(&start, env, None),
            Named::Folder(folder) => {
                let root = std::path::absolute(&folder).unwrap_or(folder);
                Ok(Place {
                    kind: Store::kind_of(&root),
                    root,
                    project: Root::find(&start, env).map_or(start, |root| root.path().to_owned()),
                    note: None,
                    named: true,
                })
            }
        }
    }

    /// The memory; `None` with what to say when there is none yet.
    pub(crate) fn open(
        &self,
        default: Named,
        env: &Env,
    ) -> Result<(Place, Option<Store>), Failure> {
        let place = self.place(default, env)?;
        let store = place.open()?;
        Ok((place, store))
    }

    /// The memory whose entries are to be told of. `None`: there is none, and that was said.
    pub(crate) fn entries(&self, json: bool, env: &Env) -> Result<Option<Store>, Failure> {
        let (place, store) = self.open(Named::Auto, env)?;
        if let Some(note) = &place.note {
            terminal::note(note);
        }
        if store.is_none() {
            place.say_none(json, None)?;
        }
        Ok(store)
    }
}

/// A path as a shell takes it.
fn quoted(path: &Path) -> String {
    let path = path.display().to_string();
    let plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '+');
    if !path.is_empty() && path.chars().all(plain) {
        return path;
    }
    format!("'{}'", path.replace('\'', "'\\''"))
}

impl Place {
    /// Reads it; `None` when there is none yet and nobody named the folder.
    pub(crate) fn open(&self) -> Result<Option<Store>, Failure> {
        match Store::open(self.kind, &self.root) {
            Ok(store) => {
                let nothing = store.entries().is_empty()
                    && store.index().is_none()
                    && store.index_unread().is_none();
                Ok(Some(store).filter(|_| self.named || !nothing))
            }
            Err(memory::Error::NoStore(_)) if !self.named => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// What may say already what is to be kept: the memory's entries, and the rules that hold here.
    pub(crate) fn known(&self, store: Option<&Store>, env: &Env) -> Known {
        let (config, _) = Config::load(env, Some(&self.project));
        let places = overlap::Places {
            project: Some(self.project.clone()),
            config: ClaudeHome::of(env).map(|home| home.dir().to_owned()),
            rules_dirs: config
                .rules_dirs
                .iter()
                .map(|folder| match (folder.strip_prefix("~/"), env.home()) {
                    (Some(rest), Some(home)) => home.join(rest),
                    _ => self.project.join(folder),
                })
                .collect(),
        };
        let mut documents = store.map(overlap::entries).unwrap_or_default();
        documents.extend(overlap::rules(&places));
        let synonyms = match synonyms(&self.project).as_deref().map(recall::synonyms) {
            None => Vec::new(),
            Some(Ok(lists)) => lists,
            Some(Err(error)) => {
                terminal::note(&format!("memory/synonyms.yaml: {error}"));
                Vec::new()
            }
        };
        Known {
            documents,
            synonyms,
        }
    }

    /// Says that there is none: nothing more is to be told of it. A file that was to be written about
    /// it is missed.
    pub(crate) fn say_none(&self, json: bool, file: Option<&Path>) -> Outcome {
        if file.is_some() {
            return Err(Failure::input(self.none()));
        }
        if json {
            let none = json!({ "store": null, "entries": [], "note": self.none() });
            terminal::say_json(&none);
        } else {
            terminal::say(&self.none());
        }
        Ok(Exit::Done)
    }

    /// What to say when there is none.
    pub(crate) fn none(&self) -> String {
        match self.kind {
            StoreKind::Auto => format!(
                "there is no memory yet in {}; Claude Code makes it when it first remembers \
                 something, or add an entry with `mnemo memory add`{}",
                self.root.display(),
                if self.project.join(memory::index::FILE).is_file() {
                    " (the project's record has one: --store record)"
                } else {
                    ""
                }
            ),
            StoreKind::Record => format!(
                "there is no memory yet in {}; the first recorded prompt makes it, or add an entry \
                 with `mnemo memory add --store record`",
                self.root.display()
            ),
        }
    }
}

fn auto(start: &Path, env: &Env) -> Result<Place, Failure> {
    let Some(home) = ClaudeHome::of(env) else {
        return record(start, env, Some("no home directory is set"));
    };
    let settings = Settings::load(&home, Some(start));
    match claude_home::off_by(&settings, env) {
        Some(Off::Environment) => record(
            start,
            env,
            Some("Claude Code's auto memory is off (CLAUDE_CODE_DISABLE_AUTO_MEMORY)"),
        ),
        Some(Off::Setting) => record(
            start,
            env,
            Some("Claude Code's auto memory is off (autoMemoryEnabled)"),
        ),
        None => {
            // The client keys its memory by the main worktree; outside git by the start directory.
            let project = Root::find(start, env)
                .ok()
                .filter(|root| root.git_dir().is_some())
                .map_or_else(|| start.to_owned(), |root| root.path().to_owned());
            Ok(Place {
                kind: StoreKind::Auto,
                root: home.auto_memory_place(&project, &settings),
                project,
                note: None,
                named: false,
            })
        }
    }
}

fn record(start: &Path, env: &Env, instead: Option<&str>) -> Result<Place, Failure> {
    match Root::find(start, env) {
        Ok(root) => Ok(Place {
            kind: StoreKind::Record,
            root: root.path().to_owned(),
            project: root.path().to_owned(),
            note: instead.map(|why| format!("{why}; this is the project's record")),
            named: false,
        }),
        Err(none) => {
            let (why, command) = why_not(&none);
            let instead = instead.map_or(String::new(), |instead| format!("{instead}, and "));
            Err(Failure::input(format!(
                "{instead}there is no record here: {why}; `{command}` changes that"
            )))
        }
    }
}

/// Largest `memory/synonyms.yaml` that is read, bytes.
const SYNONYMS: u64 = 16 << 20;

/// The text of a record's `memory/synonyms.yaml`: a person's own words that mean the same.
pub(crate) fn synonyms(root: &Path) -> Option<String> {
    let boundary = safe_file::Boundary::new(root).ok()?;
    let path = boundary.resolve("memory/synonyms.yaml".as_ref()).ok()?;
    let bytes = safe_file::read(&path, SYNONYMS).ok()??;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The language of reports for people: of a project, or with `None` the user's own.
pub(crate) fn language(start: Option<&Path>, env: &Env) -> Language {
    let (config, _) = Config::load(env, start);
    let settings = ClaudeHome::of(env)
        .map(|home| Settings::load(&home, start))
        .unwrap_or_default();
    claude_home::language(&config, &settings, env)
}
