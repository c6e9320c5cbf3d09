//! `mnemo init`

use super::{Outcome, directory};
use crate::cli::Init;
use crate::exit::Exit;
use crate::terminal;
use mnemo_home::Env;
use serde::Serialize;
use std::path::PathBuf;

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
}

pub(crate) fn run(args: &Init, env: &Env) -> Outcome {
    let directory = directory(args.directory.as_deref())?;
    let boundary = safe_file::Boundary::new(&directory)?;
    let marker = boundary.resolve(std::path::Path::new(MARKER))?;
    let was = super::root_and_config(&directory, env).0.ok();
    let exists = marker.exists();
    if !exists && !args.dry_run {
        safe_file::replace(&marker, b"")?;
    }
    let report = Report {
        root: boundary.root().to_owned(),
        marker,
        created: !exists && !args.dry_run,
        dry_run: args.dry_run,
        was: was.map(|root| root.path().to_owned()),
    };
    if args.json {
        terminal::say_json(&report);
    } else {
        terminal::say(&text(&report, exists));
    }
    Ok(Exit::Done)
}

fn text(report: &Report, existed: bool) -> String {
    let root = report.root.display();
    if existed {
        return format!("{root} is marked already");
    }
    let verb = if report.dry_run {
        "would mark"
    } else {
        "marked"
    };
    let mut text = format!("{verb} {root} as the root of a record ({MARKER})");
    match &report.was {
        Some(was) if *was == report.root => {
            text.push_str("\nit was recorded before too, as a git repository");
        }
        Some(was) => {
            text.push_str("\nuntil now this directory was recorded in ");
            text.push_str(&was.display().to_string());
        }
        None => {}
    }
    if !report.dry_run {
        text.push_str("\nto undo it: delete that file");
    }
    text
}
