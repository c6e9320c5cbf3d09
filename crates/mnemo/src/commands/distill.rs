//! `mnemo distill`

use super::Outcome;
use super::hygiene::{carry_out, how_to_go_on, record};
use crate::exit::Exit;
use crate::terminal;
use chrono::{DateTime, Local};
use clap::ValueHint;
use hygiene::distill::{self, Distillate};
use hygiene::observations::Logs;
use mnemo_home::{Env, counted};
use serde_json::json;
use std::fmt::Write as _;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo distill            what tool calls taught since the last time, grouped
  mnemo distill --done     it is in the memory now: begin after it next time

Failures are grouped by what was called and the shape of the error, successes by what was called.
Nothing is written but, with --done, the offset.")]
pub(crate) struct Args {
    /// Everything up to now is distilled
    #[arg(long)]
    done: bool,
    /// Show at most so many groups
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..))]
    limit: u16,
    /// The project [default: the one around the current directory]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    project_root: Option<PathBuf>,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    let record = record(args.project_root.as_deref(), env)?;
    if args.done {
        let done = carry_out(
            &record,
            true,
            env,
            || distill::done(&record, &Logs::read(&record)?, env),
            |set| set,
        )?;
        let logs = Logs::read(&record)?;
        if done.plan.is_empty() && !args.json {
            terminal::say("there is nothing to distill: no tool call is logged here yet");
            return Ok(Exit::Done);
        }
        if args.json {
            terminal::say_json(&json!({
                "failures": logs.gotchas.count(),
                "successes": logs.learned.count(),
                "undo_set": done.applied.and_then(|applied| applied.set),
            }));
        } else {
            terminal::say(&format!(
                "{} and {} count as distilled\n{}",
                counted(logs.gotchas.count(), "failure"),
                counted(logs.learned.count(), "success"),
                how_to_go_on(true, "")
            ));
        }
        return Ok(Exit::Done);
    }
    let found = distill::distill(&Logs::read(&record)?);
    if args.json {
        terminal::say_json(&found);
    } else {
        terminal::say(&text(&found, usize::from(args.limit)));
    }
    Ok(Exit::Done)
}

fn text(found: &Distillate, limit: usize) -> String {
    if found.offset_beyond {
        return "the distill offset lies beyond the logs, so what is new cannot be told; `mnemo doctor --fix` resets it"
            .to_owned();
    }
    if found.groups.is_empty() {
        return "nothing new since the last distilling; tool calls are logged as you work"
            .to_owned();
    }
    let mut text = format!(
        "{} and {} since the last distilling\n",
        counted(found.new_failures, "failure"),
        counted(found.new_successes, "success")
    );
    for group in found.groups.iter().take(limit) {
        let kind = if group.failed { "failed" } else { "worked" };
        let _ = writeln!(
            text,
            "\n{}x {kind}: {} {}{}",
            group.count,
            group.tool,
            group.what,
            match (local(&group.first), local(&group.last)) {
                (first, _) if first.is_empty() => String::new(),
                (first, last) if first == last => format!("  ({first})"),
                (first, last) => format!("  ({first} to {last})"),
            }
        );
        if group.failed {
            let _ = writeln!(text, "    {}", flat(&group.output));
        }
        let _ = writeln!(text, "    e.g. {}", flat(&group.input));
    }
    if found.groups.len() > limit {
        let _ = writeln!(
            text,
            "\n... and {} more groups; --limit shows them",
            found.groups.len() - limit
        );
    }
    text.push_str("\nkeep what is worth it (`mnemo memory add`), then: mnemo distill --done");
    text
}

/// The time of an observation as a person's clock shows it.
fn local(time: &str) -> String {
    DateTime::parse_from_rfc3339(time).map_or_else(
        |_| time.to_owned(),
        |at| {
            at.with_timezone(&Local)
                .format("%Y-%m-%d %H:%M")
                .to_string()
        },
    )
}

fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
