//! `mnemo garden plan`

use super::{Outcome, read};
use crate::commands::output::{self, Over};
use crate::commands::store::StoreArgs;
use crate::exit::Exit;
use crate::terminal;
use clap::ValueHint;
use garden::plan::Plan;
use mnemo_home::Env;
use serde_json::json;
use std::path::PathBuf;

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
    /// Overwrite a plan that exists; no other file
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
            return place.say_none(args.json, args.output.as_deref());
        }
    };
    let judged = garden::judge(&scan);
    let draft = Plan::draft(&scan, &judged);
    let text = draft.render();
    super::at_the_end(judged);
    let Some(file) = &args.output else {
        terminal::say(&text);
        super::at_the_end((scan, draft));
        return Ok(Exit::Done);
    };
    let over = if args.force {
        Over::ForcedOwn(garden::plan::MARK)
    } else {
        Over::Nothing
    };
    output::write(file, scan.store.root(), &text, over)?;
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
        "wrote {} ({} entries, {} gates); edit it, then: mnemo garden check {0}{}",
        file.display(),
        plan.entries.len(),
        plan.gates.len(),
        args.store.again()
    ));
    Ok(Exit::Done)
}
