//! `mnemo garden`

mod apply;
mod check;
mod finish;
mod group;
mod plan;
mod preview;
mod proven;
mod relations;
mod report;
mod scan;
mod verdicts;

use super::Outcome;
use super::store::{Named, Place, StoreArgs};
use crate::exit::{Exit, Failure};
use crate::terminal;
use chrono::{DateTime, Local};
use claude_home::ClaudeHome;
use garden::{Evidence, Outline, Places, Scan};
use memory::Store;
use mnemo_home::{Config, Env};
use serde_json::Value;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(
    arg_required_else_help = true,
    after_help = "\
Examples:
  mnemo garden scan         the entries, what they claim, and what they can be held against
  mnemo garden relations    which entry follows, holds, contradicts or cites which
  mnemo garden verdicts     what may be done with each entry, and on what that rests
  mnemo garden plan -o plan.yaml                   the verdicts as a file to edit
  mnemo garden check plan.yaml                     is it proven
  mnemo garden preview plan.yaml                   what would change
  mnemo garden apply plan.yaml --approve 1,3-5     do what was approved (mnemo undo takes it back)
  mnemo garden finish                              is everything whole, what to do otherwise
  mnemo garden group --by type                     headings for a long MEMORY.md
  mnemo garden report --html garden.html           with the relations drawn"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// List the entries, their claims, and the sources they can be held against
    #[command(after_help = "\
Examples:
  mnemo garden scan
  mnemo garden scan --store record
  mnemo garden scan --json | jq '.entries[].file'

Next: mnemo garden verdicts. Exit codes: 0 done, 2 usage, 3 no such store. Nothing is changed.")]
    Scan(Look),
    /// List how entries belong together
    #[command(after_help = "\
Examples:
  mnemo garden relations
  mnemo garden relations --json | jq '.relations[] | select(.type == \"contradiction\")'

Next: mnemo garden verdicts. Exit codes: 0 done, 2 usage, 3 no such store. Nothing is changed.")]
    Relations(Look),
    /// List the verdicts that may be right for each entry, with evidence
    #[command(after_help = "\
Examples:
  mnemo garden verdicts
  mnemo garden verdicts --json | jq '.verdicts[] | select(.candidates[0].confidence == \"High\")'

Next: mnemo garden plan -o plan.yaml. Exit codes: 0 done, 2 usage, 3 no such store. Nothing is changed.")]
    Verdicts(Look),
    /// Write the verdicts down as a plan to edit
    Plan(plan::Args),
    /// Prove a plan: every quote, every verdict
    Check(check::Args),
    /// Show what a plan would change, to the byte
    Preview(preview::Args),
    /// Do what was approved of a previewed plan
    Apply(apply::Args),
    /// Put the lines of MEMORY.md under headings
    Group(group::Args),
    /// Report everything: terminal, Markdown, or a page with the relations drawn
    Report(report::Args),
    /// See whether everything is whole, and mend links and orphans
    Finish(finish::Args),
}

/// Options of the commands that only look.
#[derive(Debug, clap::Args)]
pub(crate) struct Look {
    #[command(flatten)]
    store: StoreArgs,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    match &args.command {
        Command::Scan(look) => show(look, env, Outline::of, scan::json, scan::text),
        Command::Relations(look) => show(look, env, Scan::of, relations::json, relations::text),
        Command::Verdicts(look) => show(look, env, Scan::of, verdicts::json, verdicts::text),
        Command::Plan(args) => plan::run(args, env),
        Command::Check(args) => check::run(args, env),
        Command::Preview(args) => preview::run(args, env),
        Command::Apply(args) => apply::run(args, env),
        Command::Group(args) => group::run(args, env),
        Command::Report(args) => report::run(args, env),
        Command::Finish(args) => finish::run(args, env),
    }
}

fn show<S>(
    look: &Look,
    env: &Env,
    of: fn(Store, &Places, DateTime<Local>) -> S,
    json: fn(&S) -> Value,
    text: fn(&S) -> String,
) -> Outcome {
    match read_as(of, &look.store, env)? {
        Ok(scan) => {
            if look.json {
                terminal::say_json(&json(&scan));
            } else {
                terminal::say(&text(&scan));
            }
            at_the_end(scan);
        }
        Err(place) => return place.say_none(look.json, None),
    }
    Ok(Exit::Done)
}

/// The program ends now: thousands of texts are not taken apart first.
fn at_the_end<S>(scan: S) {
    std::mem::forget(scan);
}

/// Reads a memory and what its claims are held against; the place where there is no memory yet.
fn read(store: &StoreArgs, env: &Env) -> Result<Result<Scan, Place>, Failure> {
    read_as(Scan::of, store, env)
}

/// The same, as much of it as is asked for.
fn read_as<S>(
    of: fn(Store, &Places, DateTime<Local>) -> S,
    store: &StoreArgs,
    env: &Env,
) -> Result<Result<S, Place>, Failure> {
    let (place, store) = store.open(Named::Auto, env)?;
    if let Some(note) = &place.note {
        terminal::note(note);
    }
    let Some(store) = store else {
        return Ok(Err(place));
    };
    let claude = ClaudeHome::of(env);
    let (config, _) = Config::load(env, Some(&place.project));
    let rules: Vec<PathBuf> = config
        .rules_dirs
        .iter()
        .map(|folder| match folder.strip_prefix("~/") {
            Some(rest) => env.home().unwrap_or_default().join(rest),
            None => place.project.join(folder),
        })
        .collect();
    let places = Places::of(Some(&place.project), claude.as_ref(), &rules);
    Ok(Ok(of(store, &places, env.now())))
}

/// Evidence in one line.
fn line(evidence: &Evidence) -> String {
    format!("{}:{} “{}”", evidence.path, evidence.line, evidence.quote)
}
