//! `mnemo memory tokens`

use crate::commands::Outcome;
use crate::commands::store::StoreArgs;
use crate::exit::Exit;
use crate::terminal;
use memory::budget::LIMIT;
use memory::{Entry, report};
use mnemo_home::Env;
use serde_json::json;
use std::fmt::Write as _;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo memory tokens                   what each entry costs, the largest first
  mnemo memory tokens --json")]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreArgs,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    let Some(store) = args.store.entries(args.json, env)? else {
        return Ok(Exit::Done);
    };
    let total: u64 = store.entries().iter().map(Entry::tokens).sum();
    let mut entries: Vec<&Entry> = store.entries().iter().collect();
    entries.sort_by_key(|entry| std::cmp::Reverse(entry.size()));
    let index = store.index().map(memory::Index::tokens);
    if args.json {
        terminal::say_json(&json!({
            "store": report::summary(&store),
            "tokens": total,
            "limit": LIMIT,
            "index_tokens": index,
            "entries": entries.iter().map(|entry| json!({
                "file": entry.file(),
                "bytes": entry.size(),
                "tokens": entry.tokens(),
            })).collect::<Vec<_>>(),
        }));
        return Ok(Exit::Done);
    }
    let mut text = String::new();
    for entry in entries {
        let _ = writeln!(
            text,
            "{:>8}  {}",
            format!("~{}tk", entry.tokens()),
            entry.file()
        );
    }
    let _ = write!(
        text,
        "{:>8}  of {LIMIT}tk, estimated",
        format!("~{total}tk")
    );
    if let Some(index) = index {
        let _ = write!(text, "; MEMORY.md ~{index}tk beside it");
    }
    terminal::say(&text);
    Ok(Exit::Done)
}
