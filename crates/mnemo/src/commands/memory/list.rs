//! `mnemo memory list`

use crate::commands::Outcome;
use crate::commands::store::StoreArgs;
use crate::exit::{Exit, Failure};
use crate::terminal;
use memory::entry::Declared;
use memory::record::Placed;
use memory::{Entry, EntryId, Kind, Store, StoreKind, report};
use mnemo_home::{Env, one_line};
use serde_json::{Value, json};
use std::fmt::Write as _;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo memory list                     every entry, with its type and size
  mnemo memory list --store record      the items of this project's record")]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreArgs,
    /// Only entries of this type (`unknown`: of none of the five)
    #[arg(long = "type", value_name = "TYPE", value_parser = [
        "user", "feedback", "project", "reference", "decision", "unknown"])]
    kind: Option<String>,
    /// In a record: only items of this category
    #[arg(long, value_name = "NAME")]
    category: Option<String>,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    let Some(store) = args.store.entries(args.json, env)? else {
        return Ok(Exit::Done);
    };
    if store.kind() == StoreKind::Record {
        return items(args, &store);
    }
    if args.category.is_some() {
        return Err(Failure::usage(
            "--category is for a project's record: say --store record; entries have types (--type)",
        ));
    }
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
            one_line(entry.file(), usize::MAX),
            shown(
                entry
                    .description()
                    .or(entry.name())
                    .unwrap_or("(no description)")
            )
            .replace('\n', " "),
        );
    }
    if text.is_empty() {
        text.push_str("no entry of that type");
    }
    terminal::say(&text);
    Ok(Exit::Done)
}

/// What a record holds: items with codes, in categories.
#[allow(clippy::unnecessary_wraps, reason = "a command, like the others")]
fn items(args: &Args, store: &Store) -> Outcome {
    let chosen: Vec<&Placed> = store
        .items()
        .iter()
        .filter(|item| {
            let wanted = args.category.as_deref();
            wanted.is_none_or(|name| item.category.as_deref() == Some(name))
        })
        .filter(|item| {
            let kind = kind_name(store.entry(item.entry));
            args.kind.as_deref().is_none_or(|wanted| wanted == kind)
        })
        .collect();
    if args.json {
        let pairs = store.link_pairs();
        let mut seen = Vec::new();
        let mut entries = Vec::new();
        for item in &chosen {
            if !seen.contains(&item.entry) {
                seen.push(item.entry);
                entries.push(of_entry(store, item.entry, store.entry(item.entry), &pairs));
            }
        }
        terminal::say_json(&json!({
            "store": report::summary(store),
            "items": chosen.iter().map(|item| of_item(store, item)).collect::<Vec<_>>(),
            "entries": entries,
        }));
        return Ok(Exit::Done);
    }
    let mut text = String::new();
    for placed in chosen {
        let entry = store.entry(placed.entry);
        let code = placed.code.map_or("-".to_owned(), |code| code.to_string());
        let tokens = memory::tokens(placed.item.range.len() as u64);
        let title = match placed.shown_title(store) {
            title if title.is_empty() => shown(entry.description().unwrap_or("(no title)")),
            title => title,
        };
        let _ = writeln!(
            text,
            "{code:<8} {:>7}  {}:{} — {title}",
            format!("~{tokens}tk"),
            one_line(entry.file(), usize::MAX),
            placed.item.line,
        );
    }
    if text.is_empty() {
        text.push_str(if store.items().is_empty() {
            "no items yet; `mnemo memory add --store record` makes one"
        } else {
            "no item of that kind"
        });
    }
    terminal::say(&text);
    Ok(Exit::Done)
}

/// An item for scripts.
pub(super) fn of_item(store: &Store, placed: &Placed) -> Value {
    let item = &placed.item;
    json!({
        "code": placed.code.map(|code| code.to_string()),
        "category": placed.category,
        "title": placed.shown_title(store),
        "keywords": item.keywords,
        "date": item.date.map(|day| day.to_string()),
        "source": item.source,
        "conversations": item.conversations.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "revisit": item.revisit.map(|day| day.to_string()),
        "superseded": item.superseded,
        "file": store.entry(placed.entry).file(),
        "line": item.line,
        "bytes": item.range.len(),
        "tokens": memory::tokens(item.range.len() as u64),
    })
}

/// The declared type, `unknown` for none of the five.
pub(super) fn kind_name(entry: &Entry) -> &'static str {
    entry.kind().map_or("unknown", Kind::name)
}

/// A description as it may be shown: an entry of another tool can hold private text and secrets.
fn shown(text: &str) -> String {
    redact::clean(text, redact::Policy { secrets: true }).into_string()
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
        "name": entry.name().map(shown),
        "description": entry.description().map(shown),
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
