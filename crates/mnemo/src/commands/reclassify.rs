//! `mnemo reclassify`

use super::Outcome;
use super::hygiene::{carry_out, how_to_go_on, record};
use crate::exit::Exit;
use crate::terminal;
use clap::ValueHint;
use hygiene::observations::Logs;
use mnemo_home::Env;
use serde_json::json;
use std::path::PathBuf;

/// Lines that are named one by one.
const SHOWN: usize = 10;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo reclassify            which failures were none
  mnemo reclassify --apply    move them to memory/learned

An older hook called every call a failure whose output held a word like \"error\". Only what says
itself that it succeeded moves (is_error false, exit code 0, an edit's acknowledgement); all other
lines keep their bytes, and the distill offset is moved along.")]
pub(crate) struct Args {
    /// Do it; without this it is only shown
    #[arg(long)]
    apply: bool,
    /// The project [default: the one around the current directory]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    project_root: Option<PathBuf>,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    let record = record(args.project_root.as_deref(), env)?;
    let done = carry_out(
        &record,
        args.apply,
        env,
        || hygiene::reclassify::plan(&record, &Logs::read(&record)?),
        |plan| &plan.set,
    )?;
    let plan = &done.plan;
    let applied = done.applied.is_some();
    if args.json {
        terminal::say_json(&json!({
            "lines": plan.lines,
            "of": plan.of,
            "changes": plan.set.summary(),
            "applied": applied,
            "undo_set": done.applied.and_then(|applied| applied.set),
        }));
        return Ok(Exit::Done);
    }
    if plan.lines.is_empty() {
        terminal::say(&format!(
            "none of {} turned out to be a success; nothing to move",
            mnemo_home::counted(plan.of, "failure")
        ));
        return Ok(Exit::Done);
    }
    let lines: Vec<String> = plan
        .lines
        .iter()
        .take(SHOWN)
        .map(ToString::to_string)
        .collect();
    let more = if plan.lines.len() > SHOWN {
        ", …"
    } else {
        ""
    };
    terminal::say(&format!(
        "{} {} of {} failures to {}: lines {}{more} of {}\n{}",
        if applied { "moved" } else { "would move" },
        plan.lines.len(),
        plan.of,
        hygiene::observations::LEARNED,
        lines.join(", "),
        hygiene::observations::GOTCHAS,
        how_to_go_on(applied, "mnemo reclassify --apply")
    ));
    Ok(Exit::Done)
}
