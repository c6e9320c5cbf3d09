//! `mnemo completions`

use crate::cli::{Cli, Completions};
use clap::CommandFactory;

pub(crate) fn run(args: &Completions) {
    clap_complete::generate(
        args.shell,
        &mut Cli::command(),
        "mnemo",
        &mut std::io::stdout(),
    );
}
