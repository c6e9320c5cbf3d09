//! The command-line companion of mnemo's hooks.

mod cli;
mod commands;
mod exit;
mod terminal;

use clap::ArgMatches;
use std::process::ExitCode;

fn main() -> ExitCode {
    let (cli, changes) = match cli::Cli::parse() {
        Ok((cli, matches)) => (cli, changes_files(&matches)),
        Err(told) => return help_or_usage(&told),
    };
    let env = mnemo_home::Env::of_process();
    mnemo_home::leave_unreadable_zone(&env);
    match commands::run(cli.command, &env) {
        Ok(_) if terminal::lost() && changes => {
            terminal::complain(
                "what there was to change is changed; `mnemo undo --list` says what can be taken back",
            );
            exit::Exit::Part.into()
        }
        Ok(_) if terminal::lost() => exit::Exit::Input.into(),
        Ok(exit) => exit.into(),
        Err(failure) => {
            terminal::complain(&failure.to_string());
            failure.exit().into()
        }
    }
}

/// Prints what clap has to say: help and version are results, all else is talk.
fn help_or_usage(told: &clap::Error) -> ExitCode {
    let done = told.print();
    if told.use_stderr() {
        return exit::Exit::Usage.into();
    }
    terminal::written(done);
    if terminal::lost() {
        exit::Exit::Input.into()
    } else {
        exit::Exit::Done.into()
    }
}

/// Whether the command line asks for changes to memory, record or settings.
fn changes_files(matches: &ArgMatches) -> bool {
    let mut path = Vec::new();
    let mut inner = matches;
    while let Some((name, below)) = inner.subcommand() {
        path.push(name);
        inner = below;
    }
    let has = |switch: &str| matches!(inner.try_get_one::<bool>(switch), Ok(Some(true)));
    let asked = match path.as_slice() {
        ["install" | "uninstall" | "init" | "reconcile"]
        | ["memory", "add" | "update" | "remove"]
        | ["rules", "install" | "uninstall"]
        | ["handoff", "create"]
        | ["garden", "apply"] => true,
        ["undo"] => !has("list"),
        _ => ["apply", "fix", "update_budget", "done"]
            .into_iter()
            .any(has),
    };
    asked && !has("dry_run")
}
