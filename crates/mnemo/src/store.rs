//! Which memory a command means: `--store auto|record|PATH`.

use crate::commands::{directory, root_and_config};
use crate::exit::Failure;
use claude_home::{ClaudeHome, Settings};
use memory::StoreKind;
use mnemo_home::{Config, Env, Language};
use record::root::Root;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// What `--store` names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Which {
    /// The client's auto memory of this project.
    Auto,
    /// This project's record.
    Record,
    /// A folder that holds a MEMORY.md.
    Folder(PathBuf),
}

impl FromStr for Which {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "auto" => Self::Auto,
            "record" => Self::Record,
            path => Self::Folder(path.into()),
        })
    }
}

/// The options of every command that works on a memory.
#[derive(Debug, Clone, Default, clap::Args)]
pub(crate) struct StoreArgs {
    /// The memory: Claude Code's own (auto), the project's (record), or a folder [default: auto,
    /// or record where auto memory is off]
    #[arg(long, value_name = "auto|record|PATH", value_hint = clap::ValueHint::DirPath)]
    pub(crate) store: Option<Which>,
    /// The project [default: the one around the current directory]
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub(crate) project_root: Option<PathBuf>,
}

/// A memory and the project it belongs to.
#[derive(Debug)]
pub(crate) struct Place {
    /// How its files lie.
    pub(crate) kind: StoreKind,
    /// The folder that holds MEMORY.md; need not exist.
    pub(crate) root: PathBuf,
    /// The directory that the command looks from.
    pub(crate) start: PathBuf,
    /// The project's root, where there is one.
    pub(crate) project: Option<Root>,
    /// The configuration that holds here.
    pub(crate) config: Config,
    /// The language to speak.
    pub(crate) language: Language,
}

impl StoreArgs {
    /// Finds the memory; with `otherwise` when `--store` is not given and auto memory is on.
    pub(crate) fn place(&self, otherwise: &Which, env: &Env) -> Result<Place, Failure> {
        let start = directory(self.project_root.as_deref())?;
        let (project, config, _) = root_and_config(&start, env);
        let project = project.ok();
        let home = ClaudeHome::of(env);
        let settings = home
            .as_ref()
            .map_or_else(Settings::default, |home| Settings::load(home, Some(&start)));
        let off = claude_home::off_by(&settings, env).is_some();
        let which = match &self.store {
            Some(which) => which,
            None if off => &Which::Record,
            None => otherwise,
        };
        let (kind, root) = match which {
            Which::Auto => {
                let home = home.ok_or_else(|| {
                    Failure::input("there is no home directory: set HOME or CLAUDE_CONFIG_DIR")
                })?;
                let owner = owner(project.as_ref(), &start);
                (StoreKind::Auto, home.auto_memory_place(owner, &settings))
            }
            Which::Record => {
                let project = project.as_ref().ok_or_else(|| {
                    Failure::input(format!(
                        "{} belongs to no project with a record; `mnemo init` makes it one, --store names another memory",
                        start.display()
                    ))
                })?;
                (StoreKind::Record, project.path().to_owned())
            }
            Which::Folder(path) => folder(path)?,
        };
        Ok(Place {
            kind,
            root,
            language: claude_home::language(&config, &settings, env),
            start,
            project,
            config,
        })
    }
}

/// The client keys its auto memory by the main worktree; outside git by the start directory.
fn owner<'a>(project: Option<&'a Root>, start: &'a Path) -> &'a Path {
    match project {
        Some(root) if root.git_dir().is_some() => root.path(),
        _ => start,
    }
}

/// A folder named on the command line: a project's root is one that keeps a record.
fn folder(path: &Path) -> Result<(StoreKind, PathBuf), Failure> {
    let path = directory(Some(path)).map_err(|_| {
        Failure::input(format!(
            "no memory at {}: --store takes auto, record, or a folder that holds MEMORY.md",
            path.display()
        ))
    })?;
    let is_record = [".mnemo-root", "conversations", "memory"]
        .iter()
        .any(|name| path.join(name).exists());
    Ok(if is_record {
        (StoreKind::Record, path)
    } else {
        (StoreKind::Auto, path)
    })
}
