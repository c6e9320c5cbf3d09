//! `mnemo garden report`

use super::{Outcome, read};
use crate::commands::output::{self, Over};
use crate::commands::store::StoreArgs;
use crate::exit::{Exit, Failure};
use crate::terminal;
use clap::ValueHint;
use garden::report;
use mnemo_home::Env;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo garden report                     verdicts, evidence, relations
  mnemo garden report -o garden.md        as Markdown
  mnemo garden report --html garden.html  with the relations drawn
  mnemo garden report --json | jq '.verdicts[] | select(.verdict == \"Stale\") | .entry'

Files are made for this user only. The memory is not changed.
Exit codes: 0 done, 3 no such memory, 4 the file is there already (see --force), 5 only the first of two files is written.")]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreArgs,
    /// Write Markdown to this file
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Write a page with the relations drawn to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    html: Option<PathBuf>,
    /// Overwrite reports that exist; no other file
    #[arg(long)]
    force: bool,
    /// Report as JSON
    #[arg(long, conflicts_with_all = ["output", "html"])]
    json: bool,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    let scan = match read(&args.store, env)? {
        Ok(scan) => scan,
        Err(place) => {
            let file = args.output.as_deref().or(args.html.as_deref());
            return place.say_none(args.json, file);
        }
    };
    let judged = garden::judge(&scan);
    if args.json {
        terminal::say_json(&report::json(&scan, &judged));
        return Ok(Exit::Done);
    }
    if args.output.is_none() && args.html.is_none() {
        terminal::say(&report::markdown(&scan, &judged));
        return Ok(Exit::Done);
    }
    let over = |mark| {
        if args.force {
            Over::ForcedOwn(mark)
        } else {
            Over::Nothing
        }
    };
    let mut said = Vec::new();
    if let Some(file) = &args.output {
        let text = report::markdown(&scan, &judged);
        output::write(file, scan.store.root(), &text, over(report::MARK))?;
        said.push(format!("wrote {}", file.display()));
    }
    if let Some(file) = &args.html {
        let text = report::html(&scan, &judged);
        let written = output::write(file, scan.store.root(), &text, over(report::HTML_MARK));
        if let (Err(why), Some(first)) = (&written, &args.output) {
            return Err(Failure::with_code(
                5,
                format!("{} is written, the page is not: {why}", first.display()),
            ));
        }
        written?;
        said.push(format!("wrote {}", file.display()));
    }
    terminal::say(&said.join("\n"));
    Ok(Exit::Done)
}
