//! `mnemo reconcile`

use super::{Outcome, directory, root_and_config, why_not};
use crate::cli::Reconcile;
use crate::exit::{Exit, Failure};
use crate::terminal;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use mnemo_home::Env;
use reconcile::{Job, Progress, Window};
use record::Record;
use record::root::Root;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Days that are repaired when the command line names none.
const DAYS: u32 = 7;

pub(crate) fn run(args: &Reconcile, env: &Env) -> Outcome {
    let start = directory(args.project_root.as_deref())?;
    let (root, config, problems) = root_and_config(&start, env);
    for problem in &problems {
        terminal::complain(problem);
    }
    let root = root.map_err(|none| {
        let (why, hint) = why_not(&none);
        Failure::input(format!(
            "nothing is recorded here: {why}; `{hint}` changes that"
        ))
    })?;
    let moved_from = args
        .from
        .as_deref()
        .map(|from| left(from, &root, env))
        .transpose()?;
    let record = Record::open(root)?;
    let job = Job {
        window: match (args.all, args.date, args.days) {
            (true, _, _) => Window::All,
            (_, Some(date), _) => Window::Date(date),
            (_, _, days) => Window::Days(days.unwrap_or(DAYS)),
        },
        not_before: None,
        finished: args.finished,
        own_session: None,
        transcript: None,
        moved_from,
        dry_run: args.dry_run,
        budget: None,
        from_start: true,
    };
    let mut bar = Bar::new();
    let summary = reconcile::repair(&record, &job, &config, env, Some(&mut bar))?;
    bar.finish();
    if args.json {
        terminal::say_json(&summary);
    } else {
        terminal::say(&summary.text(args.dry_run));
    }
    Ok(Exit::Done)
}

/// The place that the project was moved from. One where a project lives keeps its conversations.
fn left(from: &Path, root: &Root, env: &Env) -> Result<PathBuf, Failure> {
    let from =
        std::path::absolute(from).map_err(|error| Failure::usage(format!("--from: {error}")))?;
    match Root::find(&from, env) {
        Ok(there) if there.path().starts_with(&from) && there.path() != root.path() => {
            Err(Failure::refused(format!(
                "a project still lives in {}: its conversations are its own; --from takes the place that this project was moved away from",
                there.path().display()
            )))
        }
        _ => Ok(from),
    }
}

/// A progress bar that shows itself once the work takes longer than a second.
struct Bar {
    started: Instant,
    bar: Option<ProgressBar>,
}

impl Bar {
    const QUIET: Duration = Duration::from_secs(1);

    fn new() -> Self {
        Self {
            started: Instant::now(),
            bar: None,
        }
    }

    fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Progress for Bar {
    fn step(&mut self, done: u64, total: u64) {
        if self.bar.is_none() && terminal::draws_progress() && self.started.elapsed() >= Self::QUIET
        {
            let bar = ProgressBar::with_draw_target(Some(total), ProgressDrawTarget::stderr());
            if let Ok(style) =
                ProgressStyle::with_template("{wide_bar} {bytes}/{total_bytes} {eta}")
            {
                bar.set_style(style);
            }
            self.bar = Some(bar);
        }
        if let Some(bar) = &self.bar {
            bar.set_length(total);
            bar.set_position(done);
        }
    }
}
