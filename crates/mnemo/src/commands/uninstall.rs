//! `mnemo uninstall`

use super::{Outcome, install};
use crate::cli::Uninstall;
use crate::exit::{Exit, Failure};
use mnemo_home::Env;
use wiring::Options;

pub(crate) fn run(args: &Uninstall, env: &Env) -> Outcome {
    let options = Options {
        dry_run: args.dry_run,
        ..Options::default()
    };
    let wired = wiring::uninstall(&options, env)?;
    let skills = guidance::skills::uninstall(args.dry_run, env);
    let rules = guidance::rules::uninstall_all(args.dry_run, env);
    let (skills, rules) = match (skills, rules) {
        (Ok(skills), Ok(rules)) => (skills, rules),
        (Err(error), _) | (_, Err(error)) => {
            install::report(&wired, &[], &[], args.json);
            return Err(Failure::with_code(
                if wired.changed { 5 } else { error.exit_code() },
                format!("skills or rules are not taken out: {error}"),
            ));
        }
    };
    install::report(&wired, &skills, &rules, args.json);
    Ok(Exit::Done)
}
