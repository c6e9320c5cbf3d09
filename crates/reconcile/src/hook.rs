//! What happens at a session's start and before a compaction.

use crate::{Job, Summary, Window, repair};
use claude_hook::{Event, Outcome};
use mnemo_home::{Config, Env, notes};
use record::Record;
use record::root::Root;
use std::time::Duration;

/// Days that are repaired at a session's start.
const DAYS: u32 = 7;
/// How long a session's start may wait for repair.
const BUDGET: Duration = Duration::from_millis(500);

pub(crate) fn on_event(event: &Event, env: &Env) -> Outcome {
    let mut outcome = Outcome::silent();
    let (common, starts) = match event {
        // The session that starts or is resumed cannot have a turn going on; after a compaction it
        // can.
        Event::SessionStart { common, source } => (
            common,
            matches!(source.as_str(), "startup" | "resume" | "fork"),
        ),
        Event::PreCompact { common } => (common, false),
        _ => return outcome,
    };
    let Some(start) = common.start(env) else {
        return outcome;
    };
    let Ok(root) = Root::find(&start, env) else {
        return outcome;
    };
    let (config, problems) = Config::load(env, Some(root.path()));
    outcome.log.extend(problems);
    let Ok(root) = root.allowed(&config) else {
        return outcome;
    };
    let job = Job {
        window: Window::Days(DAYS),
        not_before: notes::installed_at(env),
        finished: false,
        own_session: starts.then(|| common.session.clone()).flatten(),
        transcript: common.transcript.clone(),
        moved_from: None,
        dry_run: false,
        budget: Some(BUDGET),
        from_start: false,
    };
    let summary = Record::open(root)
        .map_err(crate::Error::from)
        .and_then(|record| repair(&record, &job, &config, env, None));
    match summary {
        Ok(summary) => {
            outcome.log.extend(complaint(&summary));
            outcome.log.extend(summary.index_problem);
        }
        Err(error) => outcome.log.push(error.to_string()),
    }
    outcome
}

/// One line about lines that could not be read; it names the first place, no text.
fn complaint(summary: &Summary) -> Option<String> {
    let first = summary.unreadable_lines.first()?;
    Some(if summary.unreadable == 1 {
        format!("could not read a transcript line: {first}")
    } else {
        format!(
            "could not read {} transcript lines, the first: {first}",
            summary.unreadable
        )
    })
}
