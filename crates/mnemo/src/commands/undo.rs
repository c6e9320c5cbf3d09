//! `mnemo undo`

use super::Outcome;
use crate::exit::Exit;
use crate::terminal;
use changes::undo::{self, Done, Entry};
use mnemo_home::Env;
use serde_json::json;
use std::fmt::Write as _;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo undo --list           what can be taken back, newest first
  mnemo undo --dry-run        what the next undo would change
  mnemo undo                  take the last change back; again: the one before it

Files come back byte for byte, with their modes and times. If one was changed since, nothing is
done and it is named (exit code 4). The newest 20 changes (100 MB) are kept.")]
pub(crate) struct Args {
    /// List what was changed, and what of it was taken back
    #[arg(long, conflicts_with = "dry_run")]
    list: bool,
    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    if args.list {
        let sets = undo::list(env)?;
        if args.json {
            terminal::say_json(&json!({ "sets": sets }));
        } else {
            terminal::say(&listed(&sets));
        }
        return Ok(Exit::Done);
    }
    let undone = undo::last(env, args.dry_run)?;
    if args.json {
        terminal::say_json(&json!({ "undone": undone, "dry_run": args.dry_run }));
        return Ok(Exit::Done);
    }
    let Some(undone) = undone else {
        terminal::say(
            "there is nothing to take back: no command has changed files since the last undo",
        );
        return Ok(Exit::Done);
    };
    let verb = if args.dry_run {
        "would take back"
    } else {
        "took back"
    };
    let entry = &undone.entry;
    let mut text = format!(
        "{verb} `mnemo {}` of {} in {}\n",
        entry.command,
        entry.time,
        entry.root.display()
    );
    if args.dry_run {
        text.push_str(&undone.diff);
    } else {
        text.push_str(&files(entry, true));
    }
    terminal::say(&text);
    Ok(Exit::Done)
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
            "{}  mnemo {}  {}{undone}",
            set.time,
            set.command,
            set.root.display()
        );
        text.push_str(&files(set, false));
    }
    text
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
