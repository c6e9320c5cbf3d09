//! `mnemo init`

use super::{Outcome, directory, store};
use crate::cli::Init;
use crate::exit::{Exit, Failure};
use crate::terminal;
use memory::{Store, StoreKind};
use mnemo_home::{Config, Env};
use record::Record;
use record::root::{Root, Why};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The file that makes a directory a root.
const MARKER: &str = ".mnemo-root";

#[derive(Serialize)]
struct Report {
    root: PathBuf,
    marker: PathBuf,
    created: bool,
    dry_run: bool,
    /// The root that holds here without the marker.
    #[serde(skip_serializing_if = "Option::is_none")]
    was: Option<PathBuf>,
    /// Where the record lies: the root, or the main worktree of a linked one, which a mark in the linked
    /// one would not change.
    record: PathBuf,
    #[serde(skip)]
    linked: bool,
    /// Files that were made there, or would be.
    scaffold: Vec<String>,
}

pub(crate) fn run(args: &Init, env: &Env) -> Outcome {
    let directory = directory(args.directory.as_deref())?;
    let boundary = safe_file::Boundary::new(&directory)?;
    let marker = boundary.resolve(Path::new(MARKER))?;
    let was = Root::find(&directory, env).ok();
    let exists = marker.exists();
    let record = Record::open(match &was {
        Some(root) if matches!(root.why(), Why::MainOfWorktree(_)) => root.clone(),
        Some(root) if root.path() == boundary.root() => root.clone(),
        _ => Root::to_mark(boundary.root()),
    })?;
    let (config, _) = Config::load(env, Some(record.root().path()));
    let planned = if args.no_scaffold || !config.scaffold {
        Vec::new()
    } else {
        planned(&record, env)?
    };
    if boundary.root().parent().is_none() || is_home(boundary.root(), env) {
        terminal::note(&format!(
            "note: {} is {}: everything below it that is in no git repository of its own is recorded here from then on; `mnemo init DIR` marks one folder instead",
            boundary.root().display(),
            if is_home(boundary.root(), env) {
                "your home directory"
            } else {
                "the top of the file system"
            },
        ));
    }
    let linked = matches!(&was, Some(root) if matches!(root.why(), Why::MainOfWorktree(_)));
    let marks = !exists && !linked;
    // Before it is marked.
    let was = was.and_then(|root| root.allowed(&config).ok());
    let scaffold = if args.dry_run {
        planned
    } else {
        make(&record, marks.then_some(&marker), &planned, env)?
    };
    let report = Report {
        root: boundary.root().to_owned(),
        marker,
        created: marks && !args.dry_run,
        dry_run: args.dry_run,
        was: was.map(|root| root.path().to_owned()),
        record: record.root().path().to_owned(),
        linked,
        scaffold,
    };
    if args.json {
        terminal::say_json(&report);
    } else {
        terminal::say(&text(&report, exists));
    }
    Ok(Exit::Done)
}

fn is_home(directory: &Path, env: &Env) -> bool {
    env.home()
        .and_then(|home| std::fs::canonicalize(home).ok())
        .is_some_and(|home| home == directory)
}

/// What is absent of MEMORY.md, the categories' files, and the lists of those categories that are
/// folders already. Refuses what cannot be made, before anything is.
fn planned(record: &Record, env: &Env) -> Result<Vec<String>, Failure> {
    let language = store::language(Some(record.root().path()), env);
    let files = record.scaffold_files(language, env.now().date_naive());
    let planned: Vec<String> = files
        .into_iter()
        .chain(pages(record, env))
        .map(|(file, _)| file)
        .collect();
    for file in &planned {
        let path = record.resolve(file)?;
        if let Some(folder) = path.parent()
            && std::fs::symlink_metadata(folder).is_ok_and(|meta| !meta.is_dir())
        {
            return Err(Failure::refused(format!(
                "{} is in the way: it is no folder; move it, or use --no-scaffold",
                folder.display()
            )));
        }
    }
    Ok(planned)
}

fn pages(record: &Record, env: &Env) -> Vec<(String, String)> {
    let root = record.root().path();
    let language = store::language(Some(root), env);
    match Store::open(StoreKind::Record, root) {
        Ok(store) => memory::capture::missing_pages(&store, language),
        Err(_) => Vec::new(),
    }
}

/// Makes the mark and the scaffold. A failure between them says what is made by then.
fn make(
    record: &Record,
    marker: Option<&PathBuf>,
    planned: &[String],
    env: &Env,
) -> Result<Vec<String>, Failure> {
    // What a killed one left.
    for file in ["MEMORY.md", "memory/index.md"] {
        if let Ok(file) = record.resolve(file) {
            safe_file::sweep_beside(&file);
        }
    }
    if let Some(marker) = marker {
        safe_file::replace(marker, b"")?;
        if let Some(folder) = marker.parent() {
            let place = Record::open(Root::to_mark(folder))?;
            place.exclude(&[MARKER]);
            warn(&place);
        }
    }
    let made = if planned.is_empty() {
        Ok(Vec::new())
    } else {
        scaffold(record, env)
    };
    warn(record);
    made.map_err(|failure| {
        let root = record.root().path();
        let there = planned.iter().map(|file| root.join(file));
        let made: Vec<String> = marker
            .cloned()
            .into_iter()
            .chain(there)
            .filter(|path| path.exists())
            .map(|path| path.display().to_string())
            .collect();
        if made.is_empty() {
            return failure;
        }
        Failure::with_code(
            Exit::Part as u8,
            format!(
                "{failure}; made by then, to be deleted by hand: {}",
                made.join(", ")
            ),
        )
    })
}

fn warn(record: &Record) {
    for warning in record.take_warnings() {
        terminal::note(&format!("note: {warning}"));
    }
}

fn scaffold(record: &Record, env: &Env) -> Result<Vec<String>, Failure> {
    let language = store::language(Some(record.root().path()), env);
    let pages = pages(record, env);
    let mut made = record.make_scaffold(language, env.now().date_naive())?;
    for (file, text) in pages {
        if safe_file::create_whole(&record.resolve(&file)?, text.as_bytes())? {
            made.push(file);
        }
    }
    Ok(made)
}

fn text(report: &Report, existed: bool) -> String {
    let root = report.root.display();
    let [mark, make] = if report.dry_run {
        ["would mark", "would make"]
    } else {
        ["marked", "made"]
    };
    let mut text = if report.linked {
        let main = report.record.display();
        format!(
            "{root} is a linked worktree: what is said here goes into the record of {main}, and there is nothing to mark (`mnemo init {main}` marks that one)"
        )
    } else if existed {
        format!("{root} is marked already")
    } else {
        format!("{mark} {root} as the root of a record ({MARKER})")
    };
    match report.was.as_ref().filter(|_| !existed && !report.linked) {
        Some(was) if *was == report.root => {
            text.push_str("\nit was recorded before too, as a git repository");
        }
        Some(was) => {
            text.push_str("\nuntil now this directory was recorded in ");
            text.push_str(&was.display().to_string());
        }
        None => {}
    }
    if !report.scaffold.is_empty() {
        let files = report.scaffold.join(", ");
        let _ = write!(text, "\n{make} in {}: {files}", report.record.display());
    }
    let nothing = existed || report.linked && report.scaffold.is_empty();
    if !report.dry_run && !nothing {
        text.push_str("\nto undo it: delete ");
        text.push_str(if report.scaffold.is_empty() {
            "that file"
        } else {
            "these files"
        });
        let one = report.scaffold.is_empty();
        if record::root::work_tree(&report.root).is_some() {
            text.push_str(if one {
                ", and its line in .git/info/exclude (it only keeps that file out of git)"
            } else {
                ", and their lines in .git/info/exclude (they only keep such files out of git)"
            });
        }
        text.push_str("; `mnemo undo` does not know ");
        text.push_str(if one { "it" } else { "them" });
    }
    text
}
