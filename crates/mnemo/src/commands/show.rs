//! `mnemo show`: one entry or item, whole.
#![allow(clippy::format_push_string, reason = "a report is put together once")]

use super::Outcome;
use super::search::{layer_name, places, role_name};
use super::store::StoreArgs;
use crate::exit::{Exit, Failure};
use crate::terminal::{self, Piece};
use mnemo_home::Env;
use recall::Neighbour;
use serde_json::{Value, json};

/// Lines that are shown of a neighbour.
const LINES: usize = 3;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo show conversations/2026-10-05-claude.md:14    the entry around that line
  mnemo show 7c2e41f0                                 a turn by its id, or the beginning of it
  mnemo show g:3                                      an item of the memory (a: g: l: ...)
  mnemo show h:checkout-refactoring                   the newest handoff of that name

Exit codes: 0 done, 3 there is no such entry.")]
pub(crate) struct Args {
    /// PATH:LINE, a turn's id, or a code
    reference: String,
    /// How many neighbours to print before and after it
    #[arg(long, default_value_t = 1, value_name = "N")]
    context: u16,
    #[command(flatten)]
    store: StoreArgs,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    // Transcripts are looked for only where one is named.
    let transcript = args.reference.contains(".jsonl");
    let places = places(&args.store, transcript, env)?;
    let Some(shown) = recall::show(&places, &args.reference, usize::from(args.context)) else {
        let few = args.reference.len() < recall::SHORTEST_ID
            && args.reference.bytes().all(|b| b.is_ascii_alphanumeric());
        let hint = if few {
            format!(
                "of a turn's id at least {} characters are needed",
                recall::SHORTEST_ID
            )
        } else {
            "`mnemo search` gives references as PATH:LINE, `mnemo memory list --store record` the codes, `mnemo handoff list` the handoffs".to_owned()
        };
        return Err(Failure::input(format!(
            "there is no entry or item \"{}\"; {hint}",
            args.reference
        )));
    };
    if args.json {
        let list = |list: &[Neighbour]| list.iter().map(to_json).collect::<Vec<_>>();
        terminal::say_json(&json!({
            "before": list(&shown.before),
            "found": list(&shown.found),
            "after": list(&shown.after),
            "others": shown.others,
        }));
        return Ok(Exit::Done);
    }
    let mut out = Vec::new();
    for neighbour in &shown.before {
        write(neighbour, true, &mut out);
    }
    for found in &shown.found {
        write(found, false, &mut out);
    }
    for neighbour in &shown.after {
        write(neighbour, true, &mut out);
    }
    if shown.others > 0 {
        let turns = if shown.others == 1 {
            "turn of an older day begins"
        } else {
            "turns of older days begin"
        };
        out.push(Piece::Plain(format!(
            "{} more {turns} with \"{}\".\n",
            shown.others, args.reference
        )));
    }
    terminal::say_pieces(&out, env);
    Ok(Exit::Done)
}

fn to_json(entry: &Neighbour) -> Value {
    json!({
        "path": entry.path,
        "line": entry.line,
        "date": entry.date.map(|date| date.to_string()),
        "time": entry.time.map(|time| time.to_string()),
        "role": entry.role.map(role_name),
        "layer": entry.layer.map(layer_name),
        "id": entry.id,
        "title": entry.title,
        "text": entry.text,
    })
}

fn write(entry: &Neighbour, brief: bool, out: &mut Vec<Piece>) {
    let mut head = format!("{}:{}", entry.path, entry.line);
    if let Some(date) = entry.date {
        head.push_str(&format!("  {date}"));
    }
    if let Some(time) = entry.time {
        head.push_str(&format!(" {}", time.format("%H:%M")));
    }
    if let Some(role) = entry.role {
        head.push_str(&format!("  {}", role_name(role)));
    }
    if let Some(id) = &entry.id {
        head.push_str(&format!("  {id}"));
    }
    out.push(if brief {
        Piece::Plain(head)
    } else {
        Piece::Head(head)
    });
    let mut text = String::from("\n");
    let lines: Vec<&str> = entry.text.trim_end().lines().collect();
    let shown = if brief {
        LINES.min(lines.len())
    } else {
        lines.len()
    };
    for line in lines.iter().take(shown) {
        text.push_str(if brief { "  | " } else { "" });
        text.push_str(line);
        text.push('\n');
    }
    if shown < lines.len() {
        text.push_str(&format!("  | ... {} more lines\n", lines.len() - shown));
    }
    text.push('\n');
    out.push(Piece::Plain(text));
}
