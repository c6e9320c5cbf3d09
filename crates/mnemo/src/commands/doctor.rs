//! `mnemo doctor`
#![allow(
    clippy::struct_excessive_bools,
    reason = "a switch of the command line is a bool"
)]

use super::anchors::short;
use super::hygiene::{carry_out, how_to_go_on};
use super::output::shown_diff;
use super::{Outcome, directory};
use crate::exit::{Exit, Failure};
use crate::terminal;
use clap::ValueHint;
use hygiene::doctor::{Level, Patient, Report};
use mnemo_home::Env;
use serde_json::json;
use std::fmt::Write as _;
use std::path::PathBuf;

/// Places that are shown of one check.
const SHOWN: usize = 5;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo doctor                   every check, with evidence and the command that helps
  mnemo doctor --deep            also compares all transcripts with the record
  mnemo doctor --fix --dry-run   what --fix would change
  mnemo doctor --fix             reset an offset beyond its log, turn a #slug link with one match
                                 into [[NNN-slug]], make absolute paths inside the project relative

Exit codes: 0 all OK (with --fix: done), 1 something to look after, 3 there is no project here.")]
pub(crate) struct Args {
    /// Fix the three things that can be fixed mechanically
    #[arg(long)]
    fix: bool,
    /// Also read every transcript and every body
    #[arg(long)]
    deep: bool,
    /// With --fix: show what would change, and change nothing
    #[arg(long, requires = "fix")]
    dry_run: bool,
    /// The project [default: the one around the current directory]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    project_root: Option<PathBuf>,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    let start = directory(args.project_root.as_deref())?;
    if args.fix {
        return fix(args, &start, env);
    }
    let patient = Patient::at(&start, env, env!("CARGO_PKG_VERSION"), args.deep);
    let report = patient.examine();
    if args.json {
        terminal::say_json(&report);
    } else {
        terminal::say(&text(&report));
    }
    Ok(if !patient.has_root() {
        Exit::Input
    } else if report.count(Level::Warn) + report.count(Level::Fail) > 0 {
        Exit::Findings
    } else {
        Exit::Done
    })
}

fn fix(args: &Args, start: &std::path::Path, env: &Env) -> Outcome {
    let patient = Patient::at(start, env, env!("CARGO_PKG_VERSION"), false);
    let record = patient
        .record()
        .ok_or_else(|| Failure::input("there is no record here; `mnemo init` makes one"))?;
    let done = carry_out(
        record,
        !args.dry_run,
        env,
        || hygiene::fix::plan(record, env),
        |set| set,
    )?;
    let applied = done.applied.is_some();
    if args.json {
        terminal::say_json(&json!({
            "changes": done.plan.summary(),
            "applied": applied,
            "undo_set": done.applied.and_then(|applied| applied.set),
        }));
    } else if done.plan.is_empty() {
        terminal::say(
            "nothing to mend: the offset is right, no #slug link has exactly one match, no path is absolute",
        );
    } else if applied {
        let mut text = String::new();
        for change in done.plan.summary() {
            let _ = writeln!(text, "mended {}", change.path.display());
        }
        text.push_str(&how_to_go_on(true, ""));
        terminal::say(&text);
    } else {
        terminal::say(&format!(
            "{}{}",
            shown_diff(&done.plan.diff(redact::by_line)),
            how_to_go_on(false, "mnemo doctor --fix")
        ));
    }
    Ok(Exit::Done)
}

fn text(report: &Report) -> String {
    let mut text = String::new();
    for row in &report.checks {
        let _ = writeln!(
            text,
            "{:<5}{:<22}{}",
            row.level.name(),
            row.check,
            row.detail
        );
        if row.level == Level::Ok {
            continue;
        }
        for evidence in row.evidence.iter().take(SHOWN) {
            let line = evidence
                .line
                .map(|line| format!(":{line}"))
                .unwrap_or_default();
            let _ = writeln!(
                text,
                "       {}{line}  {}",
                short(&evidence.path),
                short(&evidence.what)
            );
        }
        if row.evidence.len() > SHOWN {
            let _ = writeln!(text, "       ... and more; --json has them");
        }
        if let Some(help) = &row.help {
            let _ = writeln!(text, "       -> {help}");
        }
    }
    let _ = writeln!(
        text,
        "{} OK, {} to look after, {} broken",
        report.count(Level::Ok),
        report.count(Level::Warn),
        report.count(Level::Fail)
    );
    text
}
