//! `mnemo lineage`

use super::Outcome;
use super::hygiene::record;
use super::split::relative;
use crate::exit::Exit;
use crate::terminal;
use clap::ValueHint;
use hygiene::lineage::Lineage;
use mnemo_home::Env;
use serde_json::json;
use std::fmt::Write as _;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo lineage --file src/store.rs          when, why and how it changed, newest first
  mnemo lineage --file src/store.rs --json

Asked are the handoffs (Files Modified, Decisions, Origin), the tool logs with the prompts before
the edits, and git. A reason that is not said of this very change is marked with ~.")]
pub(crate) struct Args {
    /// The file; it need not exist any more
    #[arg(long, value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// Show at most so many changes
    #[arg(long, value_name = "N", default_value_t = 40)]
    limit: usize,
    /// The project [default: the one around the current directory]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    project_root: Option<PathBuf>,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    let record = record(args.project_root.as_deref(), env)?;
    let file = relative(&args.file, record.root().path())?;
    let known = hygiene::lineage::lineage(&record, &file, env)?;
    for left in &known.left_out {
        terminal::complain(&format!("left out: {left}"));
    }
    if args.json {
        terminal::say_json(&json!({
            "file": file,
            "steps": known.steps,
            "git_trouble": known.git_trouble,
            "left_out": known.left_out,
        }));
    } else {
        terminal::say(&text(&file, &known, args.limit));
    }
    Ok(Exit::Done)
}

fn text(file: &str, known: &Lineage, limit: usize) -> String {
    let steps = &known.steps;
    let mut text = match (&known.git_trouble, steps.is_empty()) {
        (None, true) => {
            return format!(
                "nothing is recorded of {file}: no handoff names it, no logged edit, no commit; is it spelt as in the project?"
            );
        }
        (Some(why), true) => {
            return format!(
                "no handoff names {file}, no logged edit; its commits are not known: {why}"
            );
        }
        (Some(why), false) => format!("its commits are not known: {why}\n"),
        (None, false) => String::new(),
    };
    for step in steps.iter().take(limit) {
        let when = if step.when.is_empty() {
            "(no date)".to_owned()
        } else {
            step.when.replace('T', " ")
        };
        let _ = writeln!(
            text,
            "{when}  {} {}  {}",
            step.source.name(),
            step.evidence,
            step.what
        );
        match &step.why {
            Some(why) => {
                let _ = writeln!(text, "    {}{why}", if step.is_guess { "~ " } else { "" });
            }
            None => text.push_str("    no reason recorded\n"),
        }
    }
    if steps.len() > limit {
        let _ = writeln!(
            text,
            "... and {} more; --limit shows them",
            steps.len() - limit
        );
    }
    text
}
