//! `mnemo memory`

mod list;
mod show;
mod tokens;

use super::Outcome;
use mnemo_home::Env;

#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Examples:
  mnemo memory list --type feedback     the entries of one type
  mnemo memory show user_role           one entry, by file or name
  mnemo memory tokens                   what each entry costs, the largest first"
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
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    match &args.command {
        Command::List(args) => list::run(args, env),
        Command::Show(args) => show::run(args, env),
        Command::Tokens(args) => tokens::run(args, env),
    }
}
