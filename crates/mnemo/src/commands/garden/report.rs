//! `mnemo garden report`

use super::{Outcome, read};
use crate::commands::output::{self, Over};
use crate::commands::store::StoreArgs;
use crate::exit::Exit;
use crate::terminal;
use clap::ValueHint;
use mnemo_home::Env;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo garden report                     verdicts, evidence, relations
  mnemo garden report -o garden.md        as Markdown
  mnemo garden report --html garden.html  with the relations drawn

Files are made for this user only. The memory is not changed.
Exit codes: 0 done, 3 no such memory, 4 the file is there already (see --force).")]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreArgs,
    /// Write Markdown to this file
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Write a page with the relations drawn to this file
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    html: Option<PathBuf>,
    /// Overwrite files that exist
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    let scan = match read(&args.store, env)? {
        Ok(scan) => scan,
        Err(place) => {
            place.say_none(false);
            return Ok(Exit::Done);
        }
    };
    let judged = garden::judge(&scan);
    if args.output.is_none() && args.html.is_none() {
        terminal::say(&garden::report::markdown(&scan, &judged));
        return Ok(Exit::Done);
    }
    let over = if args.force {
        Over::Anything
    } else {
        Over::Nothing
    };
    let mut said = Vec::new();
    if let Some(file) = &args.output {
        let text = garden::report::markdown(&scan, &judged);
        output::write(file, scan.store.root(), &text, over)?;
        said.push(format!("wrote {}", file.display()));
    }
    if let Some(file) = &args.html {
        let text = garden::report::html(&scan, &judged);
        output::write(file, scan.store.root(), &text, over)?;
        said.push(format!("wrote {}", file.display()));
    }
    terminal::say(&said.join("\n"));
    Ok(Exit::Done)
}
