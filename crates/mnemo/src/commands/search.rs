//! `mnemo search`: finds what was said and noted.
#![allow(clippy::format_push_string, reason = "a report is put together once")]

use super::store::{Named, StoreArgs};
use super::{Outcome, days, directory, why_not};
use crate::exit::{Exit, Failure};
use crate::terminal::{self, Piece};
use chrono::NaiveDate;
use claude_home::ClaudeHome;
use claude_hook::Role;

use mnemo_home::{Env, one_line};
use recall::{Answer, Hit, Layer, Places, Request};
use record::root::Root;
use serde_json::{Value, json};
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo search \"what did we decide about deployment last month\"
  mnemo search 지난주 배포 실패 원인
  mnemo search parse_order_id --role assistant
  mnemo search '\"lock timeout\"' --since 2026-10-01
  mnemo search --tag flaky-test tests
  mnemo search --tag flaky-test                 all that carries the tag, the newest first
  mnemo search \"last week\"                     what was asked in those days, the newest first

Words are found in their other forms and by words that mean the same, also in other languages; more
of these can stand in memory/synonyms.yaml. Words in quotation marks have to occur as they are. A
date in the query limits the days. `mnemo show PATH:LINE` prints a result whole.

Exit codes: 0 done, also when nothing was found; 2 usage; 3 nothing here to search.")]
pub(crate) struct Args {
    /// What to look for
    #[arg(required_unless_present_any = ["tag", "since", "until"], num_args = 1.., value_name = "QUERY")]
    query: Vec<String>,
    /// Not before this day: 2026-10-01, 3d, 2w, "last week", 어제 ...
    #[arg(long, value_name = "DAY")]
    since: Option<String>,
    /// Not after this day
    #[arg(long, value_name = "DAY")]
    until: Option<String>,
    /// Only what the user or the assistant said
    #[arg(long, value_parser = ["user", "assistant"], value_name = "user|assistant")]
    role: Option<String>,
    /// Only one layer; `transcripts` are Claude Code's own files and searched only so
    #[arg(long, default_value = "all", value_parser = ["index", "memory", "conversations", "transcripts", "all"], value_name = "LAYER")]
    layer: String,
    /// Only answers with this tag; may be given again
    #[arg(long, value_name = "TAG")]
    tag: Vec<String>,
    /// Show at most so many results
    #[arg(long, default_value_t = 10, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1000))]
    limit: u16,
    /// Lines around the best line of a result
    #[arg(long, default_value_t = 2, value_name = "N")]
    context: u16,
    /// The words as typed: no synonyms, other forms, corrections or dates
    #[arg(long, visible_alias = "no-synonyms")]
    exact: bool,
    #[command(flatten)]
    store: StoreArgs,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    let places = places(&args.store, args.layer == "transcripts", env)?;
    let request = request(args, &places, env)?;
    let answer = recall::search(&places, &request);
    if args.json {
        terminal::say_json(&to_json(&request, &answer, usize::from(args.context)));
    } else {
        for unread in &answer.unreadable {
            terminal::note(&format!("mnemo: not searched: {unread}"));
        }
        print(&answer, &request, usize::from(args.context), env);
    }
    Ok(Exit::Done)
}

/// Where to search: both stores, or the one that is named.
pub(crate) fn places(args: &StoreArgs, transcripts: bool, env: &Env) -> Result<Places, Failure> {
    let start = directory(args.project_root.as_deref())?;
    let mut places = Places::default();
    let root = Root::find(&start, env);
    match &args.store {
        None => {
            if let Ok(root) = &root {
                places.record = Some(root.path().to_owned());
            }
            places.auto = args.place(Named::Auto, env).ok().map(|place| place.root);
            // With auto memory off, its place is the record's.
            if places.auto == places.record {
                places.auto = None;
            }
            places.auto = places.auto.filter(|folder| folder.is_dir());
        }
        Some(Named::Record) => places.record = Some(args.place(Named::Record, env)?.root),
        Some(named) => {
            let folder = args.place(named.clone(), env)?.root;
            if matches!(named, Named::Folder(_)) && !folder.is_dir() {
                return Err(Failure::input(format!(
                    "{} is not a folder",
                    folder.display()
                )));
            }
            places.auto = Some(folder);
        }
    }
    if transcripts
        && let Ok(root) = &root
        && let Some(home) = ClaudeHome::of(env)
    {
        let mut roots: Vec<PathBuf> = vec![root.path().to_owned()];
        roots.extend(root.worktrees());
        let roots: Vec<_> = roots.iter().map(PathBuf::as_path).collect();
        places.transcripts = home.transcript_folders(&roots, None);
        places.record = Some(root.path().to_owned());
    }
    match (&places.record, &places.auto, root) {
        (None, None, Err(none)) => {
            let (why, command) = why_not(&none);
            Err(Failure::input(format!(
                "there is nothing here to search: {why}; `{command}` changes that"
            )))
        }
        _ => Ok(places),
    }
}

fn request(args: &Args, places: &Places, env: &Env) -> Result<Request, Failure> {
    let limited = !args.tag.is_empty() || args.since.is_some() || args.until.is_some();
    if !limited && args.query.iter().all(|word| word.trim().is_empty()) {
        return Err(Failure::usage(
            "the query is empty; say what to look for, --tag or --since".to_owned(),
        ));
    }
    let today = env.now().date_naive();
    let span = days::between(args.since.as_deref(), args.until.as_deref(), today)?;
    let synonyms = places.record.as_deref().and_then(super::store::synonyms);
    Ok(Request {
        query: args.query.join(" "),
        span,
        role: match args.role.as_deref() {
            Some("user") => Some(Role::User),
            Some(_) => Some(Role::Assistant),
            None => None,
        },
        layer: match args.layer.as_str() {
            "index" => Some(Layer::Index),
            "memory" => Some(Layer::Memory),
            "conversations" => Some(Layer::Conversations),
            "transcripts" => Some(Layer::Transcripts),
            _ => None,
        },
        tags: args.tag.clone(),
        limit: usize::from(args.limit),
        exact: args.exact,
        today,
        synonyms,
    })
}

pub(crate) fn layer_name(layer: Layer) -> &'static str {
    match layer {
        Layer::Index => "index",
        Layer::Memory => "memory",
        Layer::Conversations => "conversations",
        Layer::Transcripts => "transcripts",
    }
}

pub(crate) fn role_name(role: Role) -> &'static str {
    match role {
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}

fn to_json(request: &Request, answer: &Answer, context: usize) -> Value {
    let hit = |hit: &Hit| {
        let excerpt = recall::excerpt(&hit.text, &hit.marks, context);
        let marks: Vec<[usize; 2]> = hit
            .marks
            .iter()
            .map(|mark| [mark.start, mark.end])
            .collect();
        json!({
            "path": hit.path,
            "line": hit.line,
            "ref": format!("{}:{}", hit.path, hit.line),
            "date": hit.date.map(|date| date.to_string()),
            "time": hit.time.map(|time| time.to_string()),
            "role": hit.role.map(role_name),
            "layer": layer_name(hit.layer),
            "id": hit.id,
            "title": hit.title,
            "score": hit.score,
            "cover": hit.cover,
            "excerpt": hit.text.get(excerpt),
            "text": hit.text,
            "marks": marks,
        })
    };
    let day = |day: Option<NaiveDate>| day.map(|day| day.to_string());
    json!({
        "query": request.query,
        "time": { "text": answer.time, "since": day(answer.since), "until": day(answer.until) },
        "results": answer.hits.iter().map(hit).collect::<Vec<_>>(),
        "near": answer.near.iter().map(hit).collect::<Vec<_>>(),
        "absent": answer.absent,
        "elsewhere": answer.elsewhere.iter().map(|(word, newest)| json!({ "word": word, "newest": day(*newest) })).collect::<Vec<_>>(),
        "corrected": answer.corrected.iter().map(|(typed, word)| json!({ "typed": typed, "word": word })).collect::<Vec<_>>(),
        "listed": answer.listed,
        "not_searched": answer.unreadable,
        "searched": { "files": answer.files, "bytes": answer.bytes },
    })
}

fn print(answer: &Answer, request: &Request, context: usize, env: &Env) {
    let mut out: Vec<Piece> = Vec::new();
    if let Some(line) = about_time(answer) {
        out.push(Piece::Plain(line + "\n"));
    }
    for (typed, word) in &answer.corrected {
        out.push(Piece::Plain(format!(
            "\"{typed}\" does not occur; searched for \"{word}\" too.\n"
        )));
    }
    for name in answer.absent.iter().filter(|_| !answer.hits.is_empty()) {
        if words::parts(name).len() > 1 {
            out.push(Piece::Plain(format!(
                "\"{name}\" does not occur; found by its parts.\n"
            )));
        }
    }
    if !out.is_empty() {
        out.push(Piece::Plain("\n".to_owned()));
    }
    for hit in &answer.hits {
        write_hit(hit, context, &mut out);
    }
    if let Some(all) = answer.listed.filter(|all| *all > answer.hits.len()) {
        let (shown, limit) = (answer.hits.len(), all.min(1000));
        out.push(Piece::Plain(format!(
            "The newest {shown} of {all}; --limit {limit} shows more.\n"
        )));
    }
    if answer.empty {
        let nothing = match request.layer {
            None => "Nothing is recorded here yet.",
            Some(Layer::Conversations) => "No conversations are recorded here yet.",
            Some(Layer::Memory) => "The memory holds no entries yet; try without --layer.",
            Some(Layer::Index) => "MEMORY.md lists nothing yet; try without --layer.",
            Some(Layer::Transcripts) => {
                "There are no transcripts of this project; try without --layer."
            }
        };
        out.push(Piece::Plain(format!("{nothing}\n")));
    } else if answer.hits.is_empty() {
        out.push(Piece::Plain(nothing(answer, request)));
        if !answer.near.is_empty() {
            out.push(Piece::Plain(
                "\nNearest, but probably not it:\n\n".to_owned(),
            ));
        }
        for hit in &answer.near {
            write_hit(hit, 0, &mut out);
        }
    }
    terminal::say_pieces(&out, env);
}

fn about_time(answer: &Answer) -> Option<String> {
    let days = match (answer.since, answer.until) {
        (Some(since), Some(until)) if since == until => format!("{since} only"),
        (Some(since), Some(until)) => format!("{since} to {until} only"),
        (Some(since), None) => format!("from {since} on"),
        (None, Some(until)) => format!("until {until}"),
        (None, None) => return None,
    };
    Some(match &answer.time {
        Some(named) => format!("\"{named}\": {days}."),
        None => format!("Limited: {days}."),
    })
}

fn nothing(answer: &Answer, request: &Request) -> String {
    let quoted = |words: &[String]| {
        let words: Vec<String> = words.iter().map(|word| format!("\"{word}\"")).collect();
        words.join(", ")
    };
    let mut text = if request.query.trim().is_empty() {
        let tags = if request.tags.len() == 1 {
            "tag"
        } else {
            "tags"
        };
        format!("Nothing carries the {tags} {}.\n", quoted(&request.tags))
    } else {
        format!("Nothing found for \"{}\".\n", request.query)
    };
    if !answer.absent.is_empty() {
        text.push_str(&format!("Nowhere here: {}.\n", quoted(&answer.absent)));
    }
    if !answer.elsewhere.is_empty() {
        let words: Vec<String> = answer
            .elsewhere
            .iter()
            .map(|(word, day)| match day {
                Some(day) => format!("\"{word}\" (it occurs on {day})"),
                None => format!("\"{word}\" (it occurs elsewhere)"),
            })
            .collect();
        text.push_str(&format!("Not in those days: {}.\n", words.join(", ")));
    }
    let mut advice: Vec<&str> = Vec::new();
    if answer.since.is_some() || answer.until.is_some() {
        advice.push("without the limit of days");
    }
    if request.exact {
        advice.push("without --exact");
    }
    if request.role.is_some() {
        advice.push("without --role");
    }
    if !request.tags.is_empty() {
        advice.push("without --tag (no tag does not mean no talk)");
    }
    if !request.query.trim().is_empty() {
        advice.push("fewer or other words");
    }
    if request.layer != Some(Layer::Transcripts) {
        advice.push("--layer transcripts for what was never recorded");
    }
    text.push_str(&format!("Try {}.\n", advice.join("; or ")));
    text
}

fn write_hit(hit: &Hit, context: usize, out: &mut Vec<Piece>) {
    let mut head = format!("{}:{}", one_line(&hit.path, usize::MAX), hit.line);
    if let Some(date) = hit.date {
        head.push_str(&format!("  {date}"));
    }
    if let Some(time) = hit.time {
        head.push_str(&format!(" {}", time.format("%H:%M")));
    }
    head.push_str("  ");
    if let Some(role) = hit.role {
        head.push_str(role_name(role));
    } else {
        head.push_str(hit.id.as_deref().unwrap_or_else(|| layer_name(hit.layer)));
    }
    out.push(Piece::Head(head));
    out.push(Piece::Plain("\n".to_owned()));
    let range = recall::excerpt(&hit.text, &hit.marks, context);
    let mut at = range.start;
    let mut text = String::from("    ");
    // A line that is cut says so.
    let cut = |at: usize| {
        let line = |text: Option<&str>| text.is_some_and(|text| !text.is_empty());
        line(
            hit.text
                .get(..at)
                .and_then(|before| before.rsplit('\n').next()),
        ) && line(hit.text.get(at..).and_then(|after| after.lines().next()))
    };
    if cut(range.start) {
        text.push_str("... ");
    }
    let push = |part: &str, text: &mut String| text.push_str(&part.replace('\n', "\n    "));
    for mark in &hit.marks {
        if mark.start < at || mark.end > range.end {
            continue;
        }
        push(hit.text.get(at..mark.start).unwrap_or_default(), &mut text);
        out.push(Piece::Plain(std::mem::take(&mut text)));
        out.push(Piece::Mark(
            hit.text.get(mark.clone()).unwrap_or_default().to_owned(),
        ));
        at = mark.end;
    }
    push(hit.text.get(at..range.end).unwrap_or_default(), &mut text);
    if cut(range.end) {
        text.push_str(" ...");
    }
    text.push_str("\n\n");
    out.push(Piece::Plain(text));
}
