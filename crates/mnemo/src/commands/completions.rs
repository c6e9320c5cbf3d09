//! `mnemo completions`

use crate::cli::{Cli, Completions};
use crate::terminal;
use clap::CommandFactory;

pub(crate) fn run(args: &Completions) {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "mnemo", &mut script);
    terminal::say(&String::from_utf8_lossy(&script));
}
