//! `mnemo memory due`

use crate::commands::Outcome;
use crate::commands::store::{Named, StoreArgs};
use crate::exit::Exit;
use crate::terminal;
use memory::capture::{self, Due};
use mnemo_home::Env;
use serde_json::json;
use std::fmt::Write as _;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Example:
  mnemo memory due --json")]
pub(super) struct Args {
    #[command(flatten)]
    store: StoreArgs,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, env: &Env) -> Outcome {
    let (place, store) = args.store.open(Named::Auto, env)?;
    if let Some(note) = &place.note {
        terminal::note(note);
    }
    let today = env.now().date_naive();
    let due = store.map_or_else(Vec::new, |store| capture::due(&store, today));
    if args.json {
        terminal::say_json(&json!({ "today": today.to_string(), "due": due }));
    } else {
        terminal::say(&text(&due, &today.to_string()));
    }
    Ok(Exit::Done)
}

fn text(due: &[Due], today: &str) -> String {
    if due.is_empty() {
        return format!(
            "no decision is to be looked at again yet ({today}); `revisit: YYYY-MM-DD` in an entry sets the day"
        );
    }
    let mut text = String::new();
    for decision in due {
        let when = match decision.days {
            Some(0) => "today".to_owned(),
            Some(1) => "1 day ago".to_owned(),
            Some(days) => format!("{days} days ago"),
            None => "no date".to_owned(),
        };
        let said = decision
            .description
            .as_deref()
            .or(decision.name.as_deref())
            .unwrap_or_default();
        let _ = writeln!(
            text,
            "{} ({when})  {} — {}",
            decision.revisit,
            decision.file,
            said.replace('\n', " ")
        );
    }
    text
}
