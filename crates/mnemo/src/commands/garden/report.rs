//! `mnemo garden report`

use super::{Outcome, read};
use crate::commands::store::StoreArgs;
use crate::exit::{Exit, Failure};
use crate::terminal;
use clap::ValueHint;
use mnemo_home::Env;
use std::path::{Path, PathBuf};

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
    /// Overwrite files that are there
    #[arg(long)]
    force: bool,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    let scan = match read(&args.store, env)? {
        Ok(scan) => scan,
        Err(place) => {
            terminal::say(&place.none());
            return Ok(Exit::Done);
        }
    };
    let judged = garden::judge(&scan);
    if args.output.is_none() && args.html.is_none() {
        terminal::say(&garden::report::markdown(&scan, &judged));
        return Ok(Exit::Done);
    }
    let mut said = Vec::new();
    if let Some(file) = &args.output {
        let text = garden::report::markdown(&scan, &judged);
        write(file, scan.store.root(), &text, args.force)?;
        said.push(format!("wrote {}", file.display()));
    }
    if let Some(file) = &args.html {
        let text = garden::report::html(&scan, &judged);
        write(file, scan.store.root(), &text, args.force)?;
        said.push(format!("wrote {}", file.display()));
    }
    terminal::say(&said.join("\n"));
    Ok(Exit::Done)
}

/// Writes a file for this user only; never over what is there, never among the entries.
pub(super) fn write(file: &Path, store: &Path, text: &str, force: bool) -> Result<(), Failure> {
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let folder = file.parent().unwrap_or(Path::new("/"));
    let real = std::fs::canonicalize(folder).map_err(|error| {
        Failure::input(format!("cannot write into {}: {error}", folder.display()))
    })?;
    let root = std::fs::canonicalize(store).unwrap_or_else(|_| store.to_owned());
    let is_entry = file
        .extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("md"));
    if is_entry && real.starts_with(root) {
        return Err(Failure::refused(format!(
            "{} lies in the memory; write it elsewhere",
            file.display()
        )));
    }
    if force {
        safe_file::replace(&file, text.as_bytes())?;
    } else if !safe_file::create_new(&file, text.as_bytes())? {
        return Err(Failure::refused(format!(
            "{} is there already; name another file, or say --force to overwrite it",
            file.display()
        )));
    }
    Ok(())
}
