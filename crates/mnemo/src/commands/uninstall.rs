//! `mnemo uninstall`

use super::Outcome;
use super::install::{self, Guided};
use crate::cli::Uninstall;
use crate::exit::{Exit, Failure};
use guidance::skills::Fate;
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
    if let Some(folder) = wired.made_folder.as_ref().filter(|_| !args.dry_run) {
        // The skills lay in it until now; what is not empty stays.
        let _ = std::fs::remove_dir(folder);
    }
    let mut guided = Guided::default();
    let changed = wired.changed
        || skills
            .as_ref()
            .is_ok_and(|skills| skills.iter().any(|skill| skill.fate == Fate::Removed));
    let failed = match (skills, rules) {
        (Ok(skills), Ok((rules, left))) => {
            guided = Guided {
                skills,
                rules,
                left,
            };
            None
        }
        (Err(error), _) | (_, Err(error)) => Some(error),
    };
    install::report(&wired, &guided, args.json);
    match failed {
        None => Ok(Exit::Done),
        Some(error) => Err(Failure::with_code(
            if changed && !args.dry_run {
                5
            } else {
                error.exit_code()
            },
            format!("skills or rules are not taken out: {error}"),
        )),
    }
}
