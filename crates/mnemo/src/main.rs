//! The command-line companion of mnemo's hooks.

mod cli;
mod commands;
mod exit;
mod terminal;

use std::process::ExitCode;

fn main() -> ExitCode {
    let cli = cli::Cli::parse();
    let env = mnemo_home::Env::of_process();
    mnemo_home::leave_unreadable_zone(&env);
    match commands::run(cli.command, &env) {
        Ok(_) if terminal::lost() => exit::Exit::Part.into(),
        Ok(exit) => exit.into(),
        Err(failure) => {
            terminal::complain(&failure.to_string());
            failure.exit().into()
        }
    }
}
