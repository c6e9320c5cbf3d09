//! The command line.
#![allow(
    clippy::struct_excessive_bools,
    reason = "a switch of the command line is a bool"
)]

use clap::{
    ArgMatches, Args, Command as Clap, CommandFactory, FromArgMatches, Parser, Subcommand,
    ValueHint,
};
use std::path::PathBuf;

/// Keeps, searches and tends what you and Claude Code said and decided, in plain Markdown.
#[derive(Debug, Parser)]
#[command(
    name = "mnemo",
    version,
    about,
    arg_required_else_help = true,
    after_help = "\
Examples:
  mnemo status                what is recorded here, and whether the hooks are wired
  mnemo reconcile --days 30   bring missed turns of the last 30 days into the record
  mnemo search deploy last week  what was said about it, with dates understood
  mnemo check                 what the memory costs, and what is wrong with it
  mnemo install --dry-run     show what would change in Claude Code's settings

Exit codes: 0 done, 1 done, with findings, 2 usage, 3 input missing or unreadable, 4 refused for
safety, 5 changed in part. With 2, 3 and 4 nothing was changed."
)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// For the commands that give no codes a meaning of their own.
const EXIT_CODES: &str = "\
Exit codes: 0 done, 2 usage, 3 input missing or unreadable, 4 refused for safety, 5 changed in part.
With 2, 3 and 4 nothing was changed.";

impl Cli {
    /// The command line of this process, read and as it was given; the error holds what `--help`
    /// and `--version` print, or what is wrong with it.
    pub(crate) fn parse() -> Result<(Self, ArgMatches), clap::Error> {
        let matches = with_exit_codes(Self::command()).try_get_matches()?;
        Ok((Self::from_arg_matches(&matches)?, matches))
    }
}

/// Every command's help ends with exit codes: its own, else those that hold for all.
fn with_exit_codes(command: Clap) -> Clap {
    if command.has_subcommands() {
        return command.mut_subcommands(with_exit_codes);
    }
    let help = match command.get_after_help() {
        Some(help) => help.to_string(),
        None => return command.after_help(flowing(EXIT_CODES)),
    };
    if help.contains("Exit codes:") {
        return command.after_help(flowing(&help));
    }
    command.after_help(flowing(&format!("{help}\n\n{EXIT_CODES}")))
}

/// A help text whose paragraphs are one line each: the terminal's width decides where they are
/// broken, not that of the source. Lists and examples (indented, or under a line that ends with a
/// colon) stay as they are.
fn flowing(help: &str) -> String {
    let mut out = String::new();
    let mut joins = false;
    for line in help.lines() {
        let prose = !line.is_empty() && !line.starts_with(' ');
        out.push_str(match (out.is_empty(), joins && prose) {
            (true, _) => "",
            (false, true) => " ",
            (false, false) => "\n",
        });
        out.push_str(line);
        joins = prose && !line.ends_with(':');
    }
    out
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Wire the hooks into Claude Code's settings, and put the skills in place
    Install(Install),
    /// Take hooks, skills and rules out again; records and memories stay
    Uninstall(Uninstall),
    /// Mark a directory as the root of a record (not needed inside a git repository)
    Init(Init),
    /// Show what is recorded here and whether everything works
    Status(Status),
    /// Bring turns that the hooks missed from Claude Code's transcripts into the record
    Reconcile(Reconcile),
    /// Take back the last command that changed memory or record files
    Undo(crate::commands::undo::Args),
    /// Show what a memory costs and what is wrong with it
    Check(crate::commands::check::Args),
    /// Look at and change the entries of a memory
    Memory(crate::commands::memory::Args),
    /// Write the record as one Markdown, JSON or HTML file
    Export(crate::commands::export::ExportArgs),
    /// Hand work over to the next session, and take it up
    Handoff(crate::commands::handoff::HandoffArgs),
    /// Examine everything, with evidence and the command that helps
    Doctor(crate::commands::doctor::Args),
    /// Tidy a memory, with evidence for each change
    Garden(crate::commands::garden::Args),
    /// Find paths and symbols in memories that moved or are gone
    Anchors(crate::commands::anchors::Args),
    /// Find what was said and noted
    Search(crate::commands::search::Args),
    /// Print one entry or item whole
    Show(crate::commands::show::Args),
    /// Show when, why and how a file changed
    Lineage(crate::commands::lineage::Args),
    /// Split an overgrown memory file into one file per entry
    Split(crate::commands::split::Args),
    /// Move observations that were wrongly filed as failures
    Reclassify(crate::commands::reclassify::Args),
    /// Group what the observation logs hold that is new
    Distill(crate::commands::distill::Args),
    /// Show what Claude Code loads when it starts here, in order, and what it costs
    Context(crate::commands::context::Args),
    /// Put standing rules into a CLAUDE.md that you name, or take them out
    Rules(crate::commands::rules::Args),
    /// Print shell completions
    Completions(Completions),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mnemo install --dry-run     show the change as a diff, write nothing
  mnemo install               write it (a backup is kept); a second run changes nothing
  mnemo install --record-only also turn Claude Code's own auto memory off")]
pub(crate) struct Install {
    /// Show what would change, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Also turn Claude Code's own auto memory off; uninstall turns it on again
    #[arg(long)]
    pub(crate) record_only: bool,
    /// Take out the hooks of the older shell version of mnemo, where they are wired
    #[arg(long)]
    pub(crate) replace_original: bool,
    /// Leave the skills out
    #[arg(long)]
    pub(crate) no_skills: bool,
    /// Report as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mnemo uninstall --dry-run
  mnemo uninstall")]
pub(crate) struct Uninstall {
    /// Show what would change, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Report as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mnemo init                  mark this directory, and make MEMORY.md and memory/ where absent
  mnemo init --dry-run        only list what would be made
  mnemo init ~/notes          mark another one

Nothing that is there is ever overwritten. The files are those that the first recorded prompt makes
too, in your language; `scaffold: false` in the configuration is heeded as --no-scaffold is.")]
pub(crate) struct Init {
    /// The directory [default: the current one]
    #[arg(value_hint = ValueHint::DirPath)]
    pub(crate) directory: Option<PathBuf>,
    /// Mark the directory only; make no MEMORY.md and no memory/
    #[arg(long)]
    pub(crate) no_scaffold: bool,
    /// Show what would change, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Report as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mnemo status
  mnemo status --json | jq .root")]
pub(crate) struct Status {
    /// Look from this directory [default: the current one]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) project_root: Option<PathBuf>,
    /// Report as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mnemo reconcile --dry-run             what the last 7 days lack, without writing it
  mnemo reconcile --date 2026-11-30     one day
  mnemo reconcile --all                 everything that Claude Code still keeps
  mnemo reconcile --all --from ~/old    after the project moved here from ~/old")]
pub(crate) struct Reconcile {
    /// The project [default: the one around the current directory]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) project_root: Option<PathBuf>,
    /// Only turns of this local date
    #[arg(long, value_name = "YYYY-MM-DD", conflicts_with_all = ["days", "all"], value_parser = day)]
    pub(crate) date: Option<chrono::NaiveDate>,
    /// Turns of the last N days, today included [default: 7]
    #[arg(long, value_name = "N", conflicts_with = "all", value_parser = days)]
    pub(crate) days: Option<u32>,
    /// Turns of all days
    #[arg(long)]
    pub(crate) all: bool,
    /// Also turns of the place that this project was moved from
    #[arg(long, value_name = "OLD_ROOT", value_hint = ValueHint::DirPath)]
    pub(crate) from: Option<PathBuf>,
    /// Also last turns that may still be running
    #[arg(long)]
    pub(crate) finished: bool,
    /// Show what would be written, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// Report as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mkdir -p ~/.local/share/bash-completion/completions
  mnemo completions bash > ~/.local/share/bash-completion/completions/mnemo
  mnemo completions zsh > ~/.zfunc/_mnemo        with ~/.zfunc in fpath
  mnemo completions fish > ~/.config/fish/completions/mnemo.fish")]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

/// A day of the calendar.
pub(crate) fn day(text: &str) -> Result<chrono::NaiveDate, String> {
    let day = text.parse::<chrono::NaiveDate>();
    day.map_err(|_| "it is no day; write it as 2026-11-30".to_owned())
}

/// A count of days.
fn days(text: &str) -> Result<u32, String> {
    let days = text.parse().ok().filter(|days| *days > 0);
    days.ok_or_else(|| "it is no number of days, 1 or more".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn look(command: &Clap, path: &str, lacking: &mut Vec<String>) {
        let path = format!("{path} {}", command.get_name());
        let mut below = command.get_subcommands().peekable();
        if below.peek().is_none() {
            let help = command.get_after_help().map(ToString::to_string);
            let help = help.unwrap_or_default();
            for part in ["Example", "Exit codes:"] {
                if help.matches(part).count() != 1 {
                    lacking.push(format!("{path}: {part}"));
                }
            }
        }
        for sub in below {
            look(sub, &path, lacking);
        }
    }

    #[test]
    fn prose_flows_and_lists_stay() {
        let given = "\
Examples:
  mnemo x   a
            b

One sentence that
goes on. Exit codes: 0,
1.

Files:
  a
Last.";
        let wanted = "\
Examples:
  mnemo x   a
            b

One sentence that goes on. Exit codes: 0, 1.

Files:
  a
Last.";
        assert_eq!(flowing(given), wanted);
    }

    #[test]
    fn the_help_of_every_command_has_examples_and_exit_codes() {
        let mut lacking = Vec::new();
        look(&with_exit_codes(Cli::command()), "", &mut lacking);
        assert!(lacking.is_empty(), "{lacking:#?}");
        with_exit_codes(Cli::command()).debug_assert();
    }
}
