//! `mnemo install`

use super::Outcome;
use crate::cli::Install;
use crate::exit::{Exit, Failure};
use crate::terminal;
use guidance::rules::{Left, Report};
use guidance::skills::{self, Fate, Skill};
use mnemo_home::Env;
use serde::Serialize;
use std::fmt::Write as _;
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
    let wired = wiring::install(&options, env)?;
    let skills = if args.no_skills {
        Ok(Vec::new())
    } else {
        skills::install(args.dry_run, env)
    };
    let (skills, failed) = match skills {
        Ok(skills) => (skills, None),
        Err(error) => (Vec::new(), Some(error)),
    };
    let guided = Guided {
        skills,
        ..Guided::default()
    };
    report(&wired, &guided, args.json);
    match failed {
        None => Ok(Exit::Done),
        Some(error) if wired.changed && !args.dry_run => Err(Failure::with_code(
            5,
            format!("the hooks are wired, the skills are not in place: {error}"),
        )),
        Some(error) => Err(error.into()),
    }
}

/// Shows what install or uninstall did.
pub(super) fn report(wired: &wiring::Report, guided: &Guided, json: bool) {
    if json {
        terminal::say_json(&All { wired, guided });
        return;
    }
    let mut text = wired.render();
    for skill in &guided.skills {
        let says = match (skill.fate, wired.dry_run) {
            (Fate::Present, _) => continue,
            (Fate::Added, false) => "put in place",
            (Fate::Added, true) => "would be put in place",
            (Fate::Renewed, false) => "renewed",
            (Fate::Renewed, true) => "would be renewed",
            (Fate::Removed, false) => "taken out",
            (Fate::Removed, true) => "would be taken out",
            (Fate::Changed, _) => "changed by hand since, left alone",
            (Fate::Foreign, _) => "a folder of that name is not mnemo's, left alone",
        };
        let _ = writeln!(
            text,
            "Skill {}: {says} ({})",
            skill.name,
            skill.folder.display()
        );
    }
    for report in &guided.rules {
        text.push_str(&super::rules::in_words(report));
    }
    for left in &guided.left {
        let _ = writeln!(text, "Rules left where they are: {}", left.why);
    }
    text.push_str(wired.last_words());
    terminal::say(&text);
}

/// What became of skills and rules.
#[derive(Default, Serialize)]
pub(super) struct Guided {
    pub(super) skills: Vec<Skill>,
    pub(super) rules: Vec<Report>,
    /// Files whose rules stay.
    pub(super) left: Vec<Left>,
}

#[derive(Serialize)]
struct All<'a> {
    #[serde(flatten)]
    wired: &'a wiring::Report,
    #[serde(flatten)]
    guided: &'a Guided,
}
