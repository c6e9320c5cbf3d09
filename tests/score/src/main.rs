//! `mnemo-score KIND DIR [--mnemo PATH]`: scores the built program against a set of labelled data.
#![allow(
    clippy::print_stdout,
    clippy::expect_used,
    reason = "a command that tells what came out"
)]

use clap::Parser;
use mnemo_score::{SCORERS, Set};
use std::path::PathBuf;
use std::process::ExitCode;

/// Scores the built mnemo against labelled data.
#[derive(Debug, Parser)]
struct Arguments {
    /// What to score: one of the names, or `all`
    #[arg(value_parser = clap::builder::PossibleValuesParser::new(
        SCORERS.iter().map(|(name, _)| *name).chain(["all"])))]
    kind: String,
    /// Folder of the set (unpacked: labels.json, memory/, project/ ...)
    folder: PathBuf,
    /// The program to score; without it the one built beside this command
    #[arg(long)]
    mnemo: Option<PathBuf>,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let mnemo = arguments.mnemo.unwrap_or_else(|| {
        let own = std::env::current_exe().expect("this program has a path");
        own.with_file_name(format!("mnemo{}", std::env::consts::EXE_SUFFIX))
    });
    let set = Set::open(&arguments.folder);
    let mut reached = true;
    for (name, scorer) in SCORERS {
        let fits = (*name == "search") == set.path("queries.json").is_file();
        if arguments.kind == *name || arguments.kind == "all" && fits {
            let score = scorer(&set, &mnemo);
            let word = if score.reached() { "reached" } else { "missed" };
            println!("{name}: {word}\n{score}");
            reached &= score.reached();
        }
    }
    if reached {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}
