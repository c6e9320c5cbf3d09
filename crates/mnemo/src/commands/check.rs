//! `mnemo check`

use super::Outcome;
use super::output::shown_diff;
use super::output::{self, Over};
use super::store::{Named, Place, StoreArgs, language};
use crate::exit::{Exit, Failure};
use crate::terminal;
use changes::ChangeSet;
use memory::report::{self, Look};
use memory::{Dates, Store, audit, updated_index};
use mnemo_home::Env;
use serde_json::json;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "a switch of the command line is a bool"
)]
#[command(after_help = "\
Examples:
  mnemo check                           what Claude Code's memory of this project costs, and what is wrong with it
  mnemo check --store record            the same for the project's own record
  mnemo check --html report.html        as one page to open in a browser
  mnemo check --update-budget --dry-run show how the token counts in MEMORY.md would be corrected
  mnemo check --dates frontmatter       go by the dates entries name: git keeps no file times

A page that `mnemo check` made is replaced; any other file that is there is left alone (see --force).

Exit codes: 0 nothing to do, 1 findings, 3 no such store, 4 the file of --html is there already.
Empty types, missing token counts, byte order marks and CRLF are told but are no findings. Only
--update-budget changes anything in the memory.")]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreArgs,
    /// Report as JSON
    #[arg(long)]
    json: bool,
    /// Write the report as one HTML page
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    html: Option<PathBuf>,
    /// With --html: overwrite the file that is there, whatever it is
    #[arg(long, requires = "html")]
    force: bool,
    /// Correct the budget comment and wrong or missing token counts in MEMORY.md, nothing else
    #[arg(long, conflicts_with = "html")]
    update_budget: bool,
    /// With --update-budget: show the change, and change nothing
    #[arg(long, requires = "update_budget")]
    dry_run: bool,
    /// What an entry's age goes by
    #[arg(long, value_enum, default_value_t)]
    dates: DatesArg,
    /// Show every item, not only the first ten of each kind
    #[arg(long)]
    all: bool,
}

#[derive(Debug, Clone, Copy, Default, clap::ValueEnum)]
enum DatesArg {
    /// The file's time of change
    #[default]
    Mtime,
    /// `modified` or `updated` of the frontmatter, where there is one
    Frontmatter,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    let (place, store) = args.store.open(Named::Auto, env)?;
    if let Some(note) = &place.note {
        terminal::note(note);
    }
    let Some(store) = store else {
        return place.say_none(args.json, args.html.as_deref());
    };
    if args.update_budget {
        return update(args, &store, env);
    }
    look(args, &place, &store, env)
}

fn look(args: &Args, place: &Place, store: &Store, env: &Env) -> Outcome {
    let dates = match args.dates {
        DatesArg::Mtime => Dates::Modified,
        DatesArg::Frontmatter => Dates::Frontmatter,
    };
    let now = env.now();
    let audit = audit(store, now.to_utc(), dates);
    let language = language(Some(&place.project), env);
    if let Some(file) = &args.html {
        let made = now.format("%Y-%m-%d %H:%M").to_string();
        let over = if args.force {
            Over::Anything
        } else {
            Over::Own(report::GENERATOR)
        };
        let page = report::html(store, &audit, language, &made);
        output::write(file, store.root(), &page, over)?;
        terminal::note(&format!("wrote {}", file.display()));
    }
    if args.json {
        let mut value = report::json(store, &audit, language);
        value["note"] = json!(place.note);
        terminal::say_json(&value);
    } else {
        let look = Look {
            bar: terminal::shows_results_to_a_person(),
            all: args.all,
        };
        terminal::say(&report::text(store, &audit, language, look));
    }
    Ok(if audit.findings().next().is_some() {
        Exit::Findings
    } else {
        Exit::Done
    })
}

fn update(args: &Args, store: &Store, env: &Env) -> Outcome {
    let Some(index) = store.index() else {
        return Err(Failure::input(format!(
            "{} is missing or unreadable; nothing was changed",
            store.index_file().display()
        )));
    };
    let Some(new) = updated_index(store, env.now().date_naive()) else {
        return Err(Failure::input(format!(
            "{} is not valid UTF-8; nothing was changed",
            store.index_file().display()
        )));
    };
    let mut set = ChangeSet::inside("check --update-budget", store.root())?;
    set.replace(
        memory::index::FILE,
        index.text().as_bytes().to_vec(),
        new.into_bytes(),
    );
    if args.json {
        let diff = shown_diff(&set.diff(redact::by_line));
        let applied = if args.dry_run {
            None
        } else {
            Some(set.apply(env)?)
        };
        terminal::say_json(&json!({
            "store": report::summary(store),
            "dry_run": args.dry_run,
            "changes": set.summary(),
            "diff": diff,
            "undo": applied.and_then(|applied| applied.set),
        }));
        return Ok(Exit::Done);
    }
    if set.is_empty() {
        terminal::say("MEMORY.md says what the entries take; nothing to change");
        return Ok(Exit::Done);
    }
    terminal::say(&shown_diff(&set.diff(redact::by_line)));
    if args.dry_run {
        terminal::note("nothing was changed (--dry-run)");
    } else {
        let applied = set.apply(env)?;
        terminal::note(&format!(
            "changed MEMORY.md; `{}` takes it back",
            args.store.undo(applied.set.as_deref().unwrap_or_default())
        ));
    }
    Ok(Exit::Done)
}
