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
    /// Where the record lies: the root, or the main worktree of a linked one.
    record: PathBuf,
    /// Files that were made there, or would be.
    scaffold: Vec<String>,
}

pub(crate) fn run(args: &Init, env: &Env) -> Outcome {
    let directory = directory(args.directory.as_deref())?;
    let boundary = safe_file::Boundary::new(&directory)?;
    let marker = boundary.resolve(Path::new(MARKER))?;
    let was = Root::find(&directory, env).ok();
    let exists = marker.exists();
    if !exists && !args.dry_run {
        safe_file::replace(&marker, b"")?;
    }
    let record = Record::open(match &was {
        Some(root) if matches!(root.why(), Why::MainOfWorktree(_)) => root.clone(),
        _ => Root::find(&directory, env)
            .ok()
            .filter(|root| root.path() == boundary.root())
            .unwrap_or_else(|| Root::to_mark(boundary.root())),
    })?;
    let (config, _) = Config::load(env, Some(record.root().path()));
    let scaffold = if args.no_scaffold || !config.scaffold {
        Vec::new()
    } else {
        scaffold(&record, args.dry_run, env)?
    };
    let report = Report {
        root: boundary.root().to_owned(),
        marker,
        created: !exists && !args.dry_run,
        dry_run: args.dry_run,
        was: was.map(|root| root.path().to_owned()),
        record: record.root().path().to_owned(),
        scaffold,
    };
    if args.json {
        terminal::say_json(&report);
    } else {
        terminal::say(&text(&report, exists));
    }
    Ok(Exit::Done)
}

/// Makes what is absent of MEMORY.md, the categories' files, and the lists of those categories that
/// are folders already.
fn scaffold(record: &Record, dry_run: bool, env: &Env) -> Result<Vec<String>, Failure> {
    let root = record.root().path();
    let language = store::language(Some(root), env);
    let today = env.now().date_naive();
    let pages = match Store::open(StoreKind::Record, root) {
        Ok(store) => memory::capture::missing_pages(&store, language),
        Err(_) => Vec::new(),
    };
    if dry_run {
        let files = record.scaffold_files(language, today).into_iter();
        return Ok(files.chain(pages).map(|(file, _)| file).collect());
    }
    let mut made = record.make_scaffold(language, today)?;
    for (file, text) in pages {
        if safe_file::create_new(&record.resolve(&file)?, text.as_bytes())? {
            made.push(file);
        }
    }
    for warning in record.take_warnings() {
        terminal::note(&format!("note: {warning}"));
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
    let mut text = if existed {
        format!("{root} is marked already")
    } else {
        format!("{mark} {root} as the root of a record ({MARKER})")
    };
    match report.was.as_ref().filter(|_| !existed) {
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
    if !report.dry_run && !existed {
        text.push_str("\nto undo it: delete ");
        text.push_str(if report.scaffold.is_empty() {
            "that file"
        } else {
            "these files"
        });
    }
    text
}
