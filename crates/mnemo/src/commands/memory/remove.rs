//! `mnemo memory remove`

use super::change::{self, Manner};
use crate::commands::Outcome;
use memory::capture::{self, Reason, Remove};
use mnemo_home::Env;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo memory remove project_kiosk.md --reason completed --dry-run
  mnemo memory remove feedback_short-answers --reason promoted
  mnemo memory remove g:3 --store record --reason resolved

Nothing is deleted: the entry moves to _archive/YYYY-MM/.")]
pub(super) struct Args {
    /// The entry: its file or name; in a record its code or title
    entry: String,
    #[command(flatten)]
    manner: Manner,
    /// Why it goes
    #[arg(long, value_enum, default_value_t = Why::Completed)]
    reason: Why,
}

#[derive(Debug, Clone, Copy, clap::ValueEnum)]
enum Why {
    /// The work ended and is history
    Completed,
    /// The problem is over
    Resolved,
    /// A rule or skill has taken it over
    Promoted,
    /// Another entry says the same
    Duplicate,
}

pub(super) fn run(args: &Args, env: &Env) -> Outcome {
    let wanted = Remove {
        entry: args.entry.clone(),
        reason: match args.reason {
            Why::Completed => Reason::Completed,
            Why::Resolved => Reason::Resolved,
            Why::Promoted => Reason::Promoted,
            Why::Duplicate => Reason::Duplicate,
        },
        today: env.now().date_naive(),
    };
    let verb = ["archive", "archived"];
    change::run(&args.manner, verb, env, |_, store| {
        capture::remove(store, &wanted)
    })
}
