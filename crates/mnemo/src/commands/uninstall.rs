//! `mnemo uninstall`

use super::{Outcome, install};
use crate::cli::Uninstall;
use crate::exit::Exit;
use mnemo_home::Env;
use wiring::Options;

pub(crate) fn run(args: &Uninstall, env: &Env) -> Outcome {
    let options = Options {
        dry_run: args.dry_run,
        ..Options::default()
    };
    install::report(&wiring::uninstall(&options, env)?, args.json);
    Ok(Exit::Done)
}
