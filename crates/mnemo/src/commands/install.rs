//! `mnemo install`

use super::Outcome;
use crate::cli::Install;
use crate::exit::{Exit, Failure};
use crate::terminal;
use mnemo_home::Env;
use wiring::Options;

pub(crate) fn run(args: &Install, env: &Env) -> Outcome {
    let own = std::env::current_exe()
        .map_err(|error| Failure::input(format!("cannot tell where mnemo itself lies: {error}")))?;
    let options = Options {
        programs: wiring::programs_beside(&own),
        dry_run: args.dry_run,
        record_only: args.record_only,
        replace_original: args.replace_original,
    };
    report(&wiring::install(&options, env)?, args.json);
    Ok(Exit::Done)
}

/// Shows what install or uninstall did.
pub(super) fn report(report: &wiring::Report, json: bool) {
    if json {
        terminal::say_json(report);
    } else {
        terminal::say(&report.render());
    }
}
