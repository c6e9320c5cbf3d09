//! `mnemo garden group`
#![allow(
    clippy::struct_excessive_bools,
    reason = "a switch of the command line is a bool"
)]

use super::super::output::shown_diff;
use super::{Outcome, read};
use crate::commands::store::StoreArgs;
use crate::exit::{Exit, Failure};
use crate::terminal;
use changes::Journal;
use clap::ValueHint;
use garden::Scan;
use garden::grouping::{self, Advice, Axis, Grouping};
use mnemo_home::Env;
use serde_json::json;
use std::fmt::Write as _;
use std::path::Path;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo garden group --by type              what would move
  mnemo garden group --by activity --apply  gates, active, stalled
  mnemo garden group --by domains.yaml      own headings: `Billing: [settle, vat*]`

Only lines of entries move and headings come; empty headings go. Up to 100 lines or 40 entries an
index is best left flat (--force groups it all the same). Exit codes: 0 done, 3 no MEMORY.md or
domains that cannot be read, 4 refused (more than 200 lines). mnemo undo takes it back.")]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreArgs,
    /// The axis: type, activity, or a file of domains
    #[arg(long, value_name = "type|activity|FILE", value_hint = ValueHint::FilePath)]
    by: String,
    /// Do it; without this it is only shown
    #[arg(long, conflicts_with = "dry_run")]
    apply: bool,
    /// Show what would move, and change nothing (as without --apply)
    #[arg(long)]
    dry_run: bool,
    /// Group the index even if it is best left flat
    #[arg(long)]
    force: bool,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    let axis = match args.by.as_str() {
        "type" => Axis::Type,
        "activity" => Axis::Activity,
        file => domains(Path::new(file))?,
    };
    let plan = || -> Result<Grouping, Failure> {
        let scan: Scan = read(&args.store, env)?.map_err(|place| Failure::input(place.none()))?;
        grouping::plan(&scan, &axis)
            .map_err(|error| Failure::with_code(error.exit_code(), error.to_string()))
    };
    let mut planned = plan()?;
    let flat = planned.advice == Advice::Flat && !args.force;
    let mut set = None;
    if args.apply && !flat && !planned.set.is_empty() {
        let journal = Journal::open(env)?;
        for recovered in journal.recovered() {
            terminal::note(&format!("mnemo: {recovered}"));
        }
        planned = plan()?;
        set = journal.apply(&planned.set)?.set;
    }
    if args.json {
        terminal::say_json(&json!({
            "advice": planned.advice,
            "groups": planned.groups.iter().map(|(name, count)| json!({ "heading": name, "lines": count })).collect::<Vec<_>>(),
            "moved": planned.moved,
            "left": planned.left,
            "lines": { "before": planned.lines.0, "after": planned.lines.1 },
            "diff": shown_diff(&planned.set.diff(redact::by_line)),
            "applied": set.is_some(),
            "undo_set": set,
        }));
        return Ok(Exit::Done);
    }
    let mut out = String::new();
    let _ = writeln!(out, "{}", advice(planned.advice));
    for (name, count) in &planned.groups {
        let _ = writeln!(out, "  {count:>4} {name}");
    }
    if planned.moved > 0 {
        let _ = writeln!(
            out,
            "{} lines move, MEMORY.md: {} -> {} lines",
            planned.moved, planned.lines.0, planned.lines.1
        );
    }
    for line in &planned.left {
        let _ = writeln!(
            out,
            "MEMORY.md:{line} is left where it is: a comment or private block goes on below it"
        );
    }
    if let Some(set) = &set {
        let _ = write!(out, "done; to take it back: {}", args.store.undo(set));
    } else if flat {
        out.push_str("nothing was changed; --force groups it all the same");
    } else if planned.moved > 0 {
        out.push('\n');
        out.push_str(&shown_diff(&planned.set.diff(redact::by_line)));
        let _ = write!(
            out,
            "nothing was changed; to do it: mnemo garden group --by {} --apply",
            args.by
        );
    }
    terminal::say(&out);
    Ok(Exit::Done)
}

fn domains(file: &Path) -> Result<Axis, Failure> {
    let bytes = safe_file::read(file, 1 << 20)
        .map_err(|error| Failure::unreadable(&error))?
        .ok_or_else(|| {
            Failure::input(format!(
                "there is no file {}; --by takes type, activity, or a file of domains",
                file.display()
            ))
        })?;
    Axis::domains(&String::from_utf8_lossy(&bytes))
        .map_err(|error| Failure::with_code(error.exit_code(), error.to_string()))
}

fn advice(advice: Advice) -> &'static str {
    match advice {
        Advice::Flat => "flat is best: it has at most 100 lines or 40 entries",
        Advice::Optional => "headings are a matter of taste at this size",
        Advice::Recommended => "recommended: it has more than 180 lines or 80 entries",
        Advice::AlreadyGrouped => "already grouped: every line stands where it belongs",
    }
}
