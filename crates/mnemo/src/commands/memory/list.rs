//! `mnemo memory list`

use crate::commands::Outcome;
use crate::commands::store::{Named, StoreArgs};
use crate::exit::Exit;
use crate::terminal;
use memory::entry::Declared;
use memory::{Entry, EntryId, Kind, Store, report};
use mnemo_home::Env;
use serde_json::{Value, json};
use std::fmt::Write as _;

#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreArgs,
    /// Only entries of this type (`unknown`: of none of the five)
    #[arg(long = "type", value_name = "TYPE", value_parser = [
        "user", "feedback", "project", "reference", "decision", "unknown"])]
    kind: Option<String>,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    let (place, store) = args.store.open(Named::Auto, env)?;
    if let Some(note) = &place.note {
        terminal::note(note);
    }
    let Some(store) = store else {
        if args.json {
            terminal::say_json(&json!({ "store": null, "entries": [], "note": place.none() }));
        } else {
            terminal::say(&place.none());
        }
        return Ok(Exit::Done);
    };
    let chosen = store.with_ids().filter(|(_, entry)| {
        args.kind
            .as_deref()
            .is_none_or(|kind| kind == kind_name(entry))
    });
    if args.json {
        let pairs = store.link_pairs();
        terminal::say_json(&json!({
            "store": report::summary(&store),
            "entries": chosen.map(|(id, entry)| of_entry(&store, id, entry, &pairs)).collect::<Vec<_>>(),
        }));
        return Ok(Exit::Done);
    }
    let mut text = String::new();
    for (_, entry) in chosen {
        let _ = writeln!(
            text,
            "{:<10} {:>8}  {} — {}",
            kind_name(entry),
            format!("~{}tk", entry.tokens()),
            entry.file(),
            entry
                .description()
                .or(entry.name())
                .unwrap_or("(no description)")
                .replace('\n', " "),
        );
    }
    if text.is_empty() {
        text.push_str("no entry of that type");
    }
    terminal::say(&text);
    Ok(Exit::Done)
}

/// The declared type, `unknown` for none of the five.
pub(super) fn kind_name(entry: &Entry) -> &'static str {
    entry.kind().map_or("unknown", Kind::name)
}

/// An entry for scripts.
pub(super) fn of_entry(
    store: &Store,
    id: EntryId,
    entry: &Entry,
    pairs: &[(EntryId, EntryId)],
) -> Value {
    json!({
        "file": entry.file(),
        "name": entry.name(),
        "description": entry.description(),
        "type": kind_name(entry),
        "declared_type": match entry.declared() {
            Declared::Known(kind) => Some(kind.name().to_owned()),
            Declared::Unknown(word) => Some(word),
            Declared::Missing => None,
        },
        "type_under_metadata": entry.field("type").is_none() && entry.field("metadata.type").is_some(),
        "bytes": entry.size(),
        "tokens": entry.tokens(),
        "modified": entry.modified().map(|time| time.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)),
        "links_to": pairs.iter().filter(|(source, _)| *source == id)
            .map(|(_, target)| store.entry(*target).file()).collect::<Vec<_>>(),
    })
}
