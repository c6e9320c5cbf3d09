//! `mnemo anchors`

use super::{Outcome, directory, root_and_config};
use crate::commands::store::{Named, StoreArgs};
use crate::exit::{Exit, Failure};
use crate::terminal;
use clap::ValueHint;
use hygiene::anchors::{Anchor, Status};
use hygiene::survey::{self, Counts, Examined, Text};
use memory::{Store, StoreKind};
use mnemo_home::{Env, counted};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Most broken anchors that are shown without --all.
const SHOWN: usize = 60;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo anchors                       both memories of this project
  mnemo anchors memory/tools.md       one file
  mnemo anchors --store auto --all    also what is there, and what is no path

Every path and symbol is looked for in the project, its documents and its git history. A mention
whose sentence says that it was removed is not counted as broken.
Exit codes: 0 nothing broken, 1 something moved or gone, 3 a named file is missing or unreadable.")]
pub(crate) struct Args {
    /// Files to examine [default: the index and the entries of both memories]
    #[arg(value_hint = ValueHint::FilePath)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    store: StoreArgs,
    /// Show every mention, not only the broken ones
    #[arg(long)]
    all: bool,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    let start = directory(args.store.project_root.as_deref())?;
    let (root, _, _) = root_and_config(&start, env);
    let root = root.map_or_else(|_| start.clone(), |root| root.path().to_owned());
    let (texts, memories) = texts(args, &root, env)?;
    if texts.is_empty() {
        return Ok(nothing(args, &memories));
    }
    let outside = memories
        .into_iter()
        .filter(|memory| !root.starts_with(memory))
        .collect();
    let examined = survey::examine(&root, outside, &texts, env, || {
        handoff::History::at(&root, env)
    });
    let counts = Counts::of(&examined);
    if args.json {
        terminal::say_json(&report(&root, &examined, &counts));
    } else {
        terminal::say(&text(&root, &examined, &counts, args.all));
    }
    Ok(if counts.broken() == 0 {
        Exit::Done
    } else {
        Exit::Findings
    })
}

/// What is examined, and the folders of the memories.
fn texts(args: &Args, root: &Path, env: &Env) -> Result<(Vec<Text>, Vec<PathBuf>), Failure> {
    let whiches: &[Named] = match args.store.store {
        Some(_) => &[Named::Auto],
        None => &[Named::Record, Named::Auto],
    };
    let mut texts = Vec::new();
    let mut memories = Vec::new();
    for which in whiches {
        let place = match args.store.place(which.clone(), env) {
            Ok(place) => place,
            // Both are looked at by default: one that cannot be is none.
            Err(_) if args.store.store.is_none() => continue,
            Err(failure) => return Err(failure),
        };
        if memories.contains(&place.root) {
            continue;
        }
        match Store::open(place.kind, &place.root) {
            Ok(store) => {
                if args.files.is_empty() {
                    texts.extend(survey::texts_of(&store));
                }
            }
            Err(memory::Error::NoStore(_)) if args.store.store.is_none() => {}
            Err(error) => return Err(Failure::input(error.to_string())),
        }
        // The record's folder is the root itself: what it holds is the project's.
        memories.push(match place.kind {
            StoreKind::Record => place.root.join("memory"),
            StoreKind::Auto => place.root,
        });
    }
    for file in &args.files {
        // As reports name it: from the root.
        let from_root = root.join(file);
        let file = if !file.exists() && from_root.exists() {
            &from_root
        } else {
            file
        };
        texts.push(survey::text_of_file(file).map_err(|error| Failure::input(error.to_string()))?);
    }
    Ok((texts, memories))
}

fn nothing(args: &Args, memories: &[PathBuf]) -> Exit {
    if args.json {
        terminal::say_json(&json!({ "anchors": [], "counts": Counts::default(), "broken": 0 }));
    } else {
        let looked: Vec<String> = memories
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        terminal::say(&format!(
            "there is no memory here yet ({}); `mnemo anchors FILE` examines any file",
            looked.join(", ")
        ));
    }
    Exit::Done
}

fn report(root: &Path, examined: &[Examined], counts: &Counts) -> Value {
    let anchors: Vec<Value> = examined
        .iter()
        .flat_map(|text| text.anchors.iter().map(|anchor| one(&text.file, anchor)))
        .collect();
    json!({
        "root": root,
        "anchors": anchors,
        "counts": counts,
        "broken": counts.broken(),
    })
}

fn one(file: &str, anchor: &Anchor) -> Value {
    let (mut at, mut candidates, mut reason) = (None, None, None);
    match &anchor.status {
        Status::Exists(place) => at.clone_from(place),
        Status::Moved(places) => candidates = Some(places.clone()),
        Status::NotAPath(why) => reason = Some(why.name()),
        Status::Gone => {}
    }
    json!({
        "file": file,
        "line": anchor.line,
        "text": anchor.text,
        "kind": anchor.kind,
        "status": anchor.status.name(),
        "at": at,
        "candidates": candidates,
        "reason": reason,
        "lines": anchor.lines,
        "said_absent": anchor.said_absent,
    })
}

fn text(root: &Path, examined: &[Examined], counts: &Counts, all: bool) -> String {
    let mut text = String::new();
    let lead = format!("{}/", root.display());
    let mut shown = 0;
    for file in examined {
        for anchor in &file.anchors {
            if !all && (!anchor.is_broken() || shown == SHOWN) {
                continue;
            }
            shown += 1;
            let name = file.file.strip_prefix(&lead).unwrap_or(&file.file);
            let more = match &anchor.status {
                Status::Moved(places) => format!(" -> {}", short(&places.join(" or "))),
                Status::NotAPath(reason) => format!(" ({})", reason.name()),
                _ if anchor.said_absent => " (as the text says)".to_owned(),
                _ => anchor.lines.map_or_else(String::new, |lines| {
                    format!(" (the file has only {})", counted(lines, "line"))
                }),
            };
            let _ = writeln!(
                text,
                "{name}:{}: {} {}{more}",
                anchor.line,
                anchor.status.name(),
                short(&anchor.text)
            );
        }
    }
    if counts.broken() > shown {
        let _ = writeln!(
            text,
            "... and {} more; --json has them all",
            counts.broken() - shown
        );
    }
    let _ = writeln!(
        text,
        "{} exist, {} moved, {} gone{}; {} look like paths but are not",
        counts.exists,
        counts.moved,
        counts.gone,
        match counts.said_absent {
            0 => String::new(),
            count => format!(", {count} absent as the text says"),
        },
        counts.not_a_path
    );
    text
}

/// As much of a text as fits a line.
pub(super) fn short(text: &str) -> std::borrow::Cow<'_, str> {
    const LONGEST: usize = 160;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", text.get(..at).unwrap_or_default()).into(),
        None => text.into(),
    }
}
