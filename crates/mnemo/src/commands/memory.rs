//! `mnemo memory`

mod add;
mod change;
mod due;
mod list;
mod overlap;
mod remove;
mod show;
mod tokens;
mod update;

use super::Outcome;
use mnemo_home::Env;

#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Examples:
  mnemo memory list --type feedback     the entries of one type
  mnemo memory show user_role           one entry, by file or name
  mnemo memory tokens                   what each entry costs, the largest first
  mnemo memory show a:147 --store record  one item of the project's record, by its code
  mnemo memory add --help               keep something new
  mnemo memory due                      decisions to look at again"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List the entries
    List(list::Args),
    /// Show one entry
    Show(show::Args),
    /// What each entry costs, the largest first
    Tokens(tokens::Args),
    /// Add an entry and its line in MEMORY.md
    Add(Box<add::Args>),
    /// Change an entry's description or body; its line in MEMORY.md follows
    Update(update::Args),
    /// Move an entry to the archive and take its line out of MEMORY.md
    Remove(remove::Args),
    /// Whether an entry or a rule says already what is to be kept
    Overlap(overlap::Args),
    /// List decisions whose date to revisit has come
    Due(due::Args),
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    match &args.command {
        Command::List(args) => list::run(args, env),
        Command::Show(args) => show::run(args, env),
        Command::Tokens(args) => tokens::run(args, env),
        Command::Add(args) => add::run(args, env),
        Command::Update(args) => update::run(args, env),
        Command::Remove(args) => remove::run(args, env),
        Command::Overlap(args) => overlap::run(args, env),
        Command::Due(args) => due::run(args, env),
    }
}
