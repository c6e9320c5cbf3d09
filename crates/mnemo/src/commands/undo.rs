//! `mnemo undo`

use super::Outcome;
use super::output::shown_diff;
use super::store::{Named, StoreArgs};
use crate::exit::{Exit, Failure};
use crate::terminal;
use changes::undo::{self, Done, Entry, Kept};
use claude_home::ClaudeHome;
use mnemo_home::Env;
use record::root::Root;
use serde_json::json;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo undo --list           what can be taken back, newest first, of every project
  mnemo undo --dry-run        what the next undo would change
  mnemo undo                  take this project's last change back; again: the one before it
  mnemo undo 20261130T130322Z-memory-add
                              take this change back, whatever project it is of

Inside a project the last change is that of the project, of Claude Code's memory of it, or of the
user's own rules; outside it is the last of all. Files come back byte for byte, with their modes and
times. If one was changed since, nothing is done and it is named. The newest 20 changes (100 MB) are
kept. What only made new files (`mnemo init`, `handoff create`, `export`, what the hooks write) is not
among them: delete those files. `mnemo uninstall` takes `mnemo install` back.

Exit codes: 0 done, or nothing to take back, 3 no such change, 4 files were changed since.")]
pub(crate) struct Args {
    /// The change to take back, as --list names it [default: the last one here]
    #[arg(value_name = "CHANGE", conflicts_with = "list")]
    set: Option<String>,
    /// List what was changed, and what of it was taken back
    #[arg(long, conflicts_with = "dry_run")]
    list: bool,
    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Report as JSON
    #[arg(long)]
    json: bool,
    /// The project whose last change is meant [default: the one around the current directory]
    #[arg(long, value_name = "DIR", value_hint = clap::ValueHint::DirPath, conflicts_with_all = ["list", "set"])]
    project_root: Option<PathBuf>,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    let Kept { sets, unreadable } = undo::kept(env)?;
    if args.list {
        if args.json {
            terminal::say_json(&json!({ "sets": sets, "unreadable": unreadable }));
        } else {
            terminal::say(&listed(&sets));
        }
        for folder in &unreadable {
            terminal::note(&format!("note: {}", cannot_read(folder)));
        }
        return Ok(Exit::Done);
    }
    let undone = if let Some(id) = &args.set {
        let found = sets.iter().find(|entry| entry.set == *id);
        let entry = found.ok_or_else(|| {
            Failure::input(format!(
                "there is no change {id}; `mnemo undo --list` names those that are kept"
            ))
        })?;
        if entry.undone {
            say_nothing(args, &format!("{id} was taken back already"));
            return Ok(Exit::Done);
        }
        undo::last(env, args.dry_run, redact::by_line, |entry| entry.set == *id)?
    } else {
        let here = Here::of(args, env)?;
        // Whose change the unreadable one was is not known: an older one is not taken for the last.
        let next = sets
            .iter()
            .find(|entry| !entry.undone && here.changed_by(entry, env));
        if let Some(folder) = unreadable.last()
            && let Some(name) = folder.file_name().and_then(|name| name.to_str())
            && next.is_none_or(|next| *name > *next.set)
        {
            return Err(Failure::refused(format!(
                "{}; nothing was taken back: `mnemo undo --list` names the changes that can be read, `mnemo undo CHANGE` takes one of them back",
                cannot_read(folder)
            )));
        }
        undo::last(env, args.dry_run, redact::by_line, |entry| {
            here.changed_by(entry, env)
        })?
    };
    let Some(undone) = undone else {
        let elsewhere = sets.iter().find(|entry| !entry.undone);
        let text = match elsewhere {
            None => {
                "there is nothing to take back: no command has changed files since the last undo\n\
                 (`mnemo init`, `handoff create` and `export` only make new files: delete those)"
                    .to_owned()
            }
            Some(other) => format!(
                "there is nothing of this project to take back; the last change elsewhere is `mnemo {}` in {}: `mnemo undo {}` takes it back",
                other.command,
                other.root.display(),
                other.set
            ),
        };
        say_nothing(args, &text);
        return Ok(Exit::Done);
    };
    if args.json {
        terminal::say_json(&json!({ "undone": undone, "dry_run": args.dry_run }));
        return Ok(Exit::Done);
    }
    let verb = if args.dry_run {
        "would take back"
    } else {
        "took back"
    };
    let entry = &undone.entry;
    let mut text = format!(
        "{verb} `mnemo {}` of {} in {}\n",
        entry.command,
        when(entry),
        entry.root.display()
    );
    if args.dry_run {
        text.push_str(&shown_diff(&undone.diff));
    } else {
        text.push_str(&files(entry, true));
    }
    terminal::say(&text);
    Ok(Exit::Done)
}

fn cannot_read(folder: &Path) -> String {
    format!(
        "the change kept in {} cannot be read: it is damaged, or of a newer version of mnemo",
        folder.display()
    )
}

fn say_nothing(args: &Args, why: &str) {
    if args.json {
        terminal::say_json(&json!({ "undone": null, "note": why, "dry_run": args.dry_run }));
    } else {
        terminal::say(why);
    }
}

/// The project around a directory, and what else a change made from there may mean.
struct Here {
    /// `None` outside every project: then all changes are meant.
    project: Option<PathBuf>,
    /// The client's memory of it.
    memory: Option<PathBuf>,
    /// The client's own folder, and its part that belongs to projects.
    client: Option<[PathBuf; 2]>,
}

impl Here {
    fn of(args: &Args, env: &Env) -> Result<Self, Failure> {
        let start = super::directory(args.project_root.as_deref())?;
        let project = Root::find(&start, env)
            .ok()
            .map(|root| root.path().to_owned());
        let memory = StoreArgs {
            store: None,
            project_root: Some(start),
        };
        Ok(Self {
            project,
            memory: memory
                .place(Named::Auto, env)
                .ok()
                .map(|place| real(&place.root)),
            client: ClaudeHome::of(env).map(|home| [real(home.dir()), real(&home.projects())]),
        })
    }

    fn changed_by(&self, entry: &Entry, env: &Env) -> bool {
        entry
            .files
            .iter()
            .any(|file| self.holds(&entry.root.join(&file.path), env))
    }

    fn holds(&self, file: &Path, env: &Env) -> bool {
        let Some(project) = &self.project else {
            return true;
        };
        let of_user = |[client, projects]: &[PathBuf; 2]| {
            file.starts_with(client) && !file.starts_with(projects)
        };
        if self
            .memory
            .as_ref()
            .is_some_and(|memory| file.starts_with(memory))
            || self.client.as_ref().is_some_and(of_user)
        {
            return true;
        }
        // Its folder may be gone.
        let folder = file.ancestors().skip(1).find(|folder| folder.is_dir());
        folder
            .and_then(|folder| Root::find(folder, env).ok())
            .is_some_and(|root| root.path() == project)
    }
}

/// With links resolved, as sets name their folders.
fn real(path: &Path) -> PathBuf {
    std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

fn listed(sets: &[Entry]) -> String {
    if sets.is_empty() {
        return "nothing was changed yet that could be taken back".to_owned();
    }
    let mut text = String::new();
    for set in sets {
        let undone = if set.undone { "  (taken back)" } else { "" };
        let _ = writeln!(
            text,
            "{}  {}  mnemo {}  {}{undone}",
            set.set,
            when(set),
            set.command,
            set.root.display()
        );
        text.push_str(&files(set, false));
    }
    text
}

/// The time of a change without what only machines need.
fn when(entry: &Entry) -> String {
    chrono::DateTime::parse_from_rfc3339(&entry.time).map_or_else(
        |_| entry.time.clone(),
        |time| time.format("%Y-%m-%d %H:%M:%S").to_string(),
    )
}

/// One line a file: what was done to it, or what taking it back did.
fn files(entry: &Entry, back: bool) -> String {
    let mut text = String::new();
    for file in &entry.files {
        let word = match (file.change, back) {
            (Done::Created, false) => "made",
            (Done::Changed, false) => "changed",
            (Done::Changed, true) => "as before",
            (Done::Created, true) | (Done::Removed, false) => "removed",
            (Done::Removed, true) => "back",
        };
        let _ = writeln!(text, "  {word:<9} {}", file.path.display());
    }
    text
}
