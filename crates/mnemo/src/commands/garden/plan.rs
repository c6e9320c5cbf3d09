//! `mnemo garden plan`

use super::{Outcome, read};
use crate::commands::store::StoreArgs;
use crate::exit::{Exit, Failure};
use crate::terminal;
use clap::ValueHint;
use garden::plan::Plan;
use mnemo_home::Env;
use serde_json::json;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo garden plan -o plan.yaml    write the candidates down, to be edited
  mnemo garden plan                 print them

Then: mnemo garden check, preview, apply. The memory itself is not changed.
Exit codes: 0 done, 3 no such memory, 4 the file is there already (see --force).")]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreArgs,
    /// Write it to this file
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    output: Option<PathBuf>,
    /// Overwrite a plan that is there
    #[arg(long, requires = "output")]
    force: bool,
    /// Report as JSON what was written
    #[arg(long, requires = "output")]
    json: bool,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    let scan = match read(&args.store, env)? {
        Ok(scan) => scan,
        Err(place) => {
            if args.json {
                terminal::say_json(&json!({ "store": null, "note": place.none() }));
            } else {
                terminal::say(&place.none());
            }
            return Ok(Exit::Done);
        }
    };
    let draft = Plan::draft(&scan, &garden::judge(&scan));
    let text = draft.render();
    let Some(file) = &args.output else {
        terminal::say(&text);
        return Ok(Exit::Done);
    };
    write(file, scan.store.root(), &text, args.force)?;
    let plan = &draft.plan;
    if args.json {
        terminal::say_json(&json!({
            "plan": file,
            "store": plan.store,
            "entries": plan.entries.len(),
            "gates": plan.gates.len(),
            "warnings": plan.warnings,
            "sensitive": plan.sensitive,
        }));
        return Ok(Exit::Done);
    }
    for warning in &plan.warnings {
        terminal::note(&format!("note: {warning}"));
    }
    terminal::say(&format!(
        "wrote {} ({} entries, {} gates); edit it, then: mnemo garden check {0}",
        file.display(),
        plan.entries.len(),
        plan.gates.len()
    ));
    Ok(Exit::Done)
}

/// Writes the plan, for this user only; never over what is there, never among the entries.
fn write(file: &Path, store: &Path, text: &str, force: bool) -> Result<(), Failure> {
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
            "{} lies in the memory; write the plan elsewhere, such as plan.yaml",
            file.display()
        )));
    }
    if force {
        safe_file::replace(&file, text.as_bytes())?;
    } else if !safe_file::create_new(&file, text.as_bytes())? {
        return Err(Failure::refused(format!(
            "{} is there already; its edits would be lost: name another file, or say --force",
            file.display()
        )));
    }
    Ok(())
}
