//! `mnemo garden preview`

use super::super::output::shown_diff;
use super::Outcome;
use super::proven::{PlanArgs, Proven, on_top};
use crate::exit::{Exit, Failure};
use crate::terminal;
use garden::act::{Acted, Built};
use garden::fingerprint::Fingerprint;
use mnemo_home::Env;
use serde_json::json;
use std::fmt::Write as _;
use std::path::Path;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo garden preview plan.yaml    what would change, to the byte

The memory is not changed. What was shown is noted, and `mnemo garden apply` does exactly that or
nothing. Exit codes: 0 done, 3 the plan cannot be read, 4 it is refused.")]
pub(crate) struct Args {
    #[command(flatten)]
    plan: PlanArgs,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    let proven = Proven::read(&args.plan, env)?;
    if let Some(exit) = proven.refused(args.plan.json) {
        return Ok(exit);
    }
    let built = proven.everything()?;
    let print = proven.fingerprint(&built);
    let file = Fingerprint::file(proven.scan.store.root(), env).ok_or_else(|| {
        Failure::input("there is no folder for mnemo's state; set HOME or XDG_STATE_HOME")
    })?;
    let checked = &proven.checked;
    let own: Vec<u32> = checked
        .items
        .iter()
        .filter(|item| item.own_number && item.is_ready())
        .map(|item| item.id)
        .collect();
    let open: Vec<_> = checked.items.iter().filter(|item| item.is_open()).collect();
    if args.plan.json {
        terminal::say_json(&json!({
            "plan": print.plan,
            "warnings": checked.warnings,
            "sensitive": checked.sensitive,
            "actions": built.acted,
            "changes": built.shown.summary(),
            "diff": shown_diff(&built.shown.diff(redact::by_line)),
            "dead_links": built.dead,
            "index_lines": built.index_lines.map(|(before, after)| json!({ "before": before, "after": after })),
            "own_number": own,
            "open": open.iter().map(|item| item.id).collect::<Vec<_>>(),
            "notes": built.notes,
        }));
        return seen(&print, &file);
    }
    let mut out = on_top(checked);
    if built.acted.is_empty() {
        out.push_str("nothing of this plan would change a file\n");
    } else {
        out.push_str(&actions(&built.acted));
        out.push('\n');
        out.push_str(&shown_diff(&built.shown.diff(redact::by_line)));
        out.push('\n');
        out.push_str(&after(&built));
    }
    if !open.is_empty() {
        let _ = writeln!(
            out,
            "still open (no new text in the plan): {}",
            numbers(open.iter().map(|item| item.id))
        );
    }
    if !own.is_empty() {
        let _ = writeln!(
            out,
            "in a contradiction, only by their own number: {}",
            numbers(own.into_iter())
        );
    }
    if !built.acted.is_empty() {
        let _ = write!(
            out,
            "nothing was changed; to do it: mnemo garden apply {}{} --approve NUMBERS|VERDICT|all",
            args.plan.file.display(),
            args.plan.store.again()
        );
    }
    terminal::say(&out);
    seen(&print, &file)
}

/// Notes what was shown: what nobody could see is not approved.
fn seen(print: &Fingerprint, file: &Path) -> Outcome {
    if !terminal::lost() {
        print.keep(file)?;
    }
    Ok(Exit::Done)
}

pub(super) fn numbers(ids: impl Iterator<Item = u32>) -> String {
    ids.map(|id| id.to_string()).collect::<Vec<_>>().join(", ")
}

/// One line a number.
pub(super) fn actions(acted: &[Acted]) -> String {
    let mut out = String::new();
    for one in acted {
        let _ = write!(
            out,
            "{:>4} {:<8} {} [{}]",
            one.id,
            one.action.name(),
            one.entry,
            one.verdict.name()
        );
        match &one.to {
            Some(to) => {
                let _ = writeln!(out, " -> {to}");
            }
            None if one.action == garden::plan::Action::Delete => {
                let _ = writeln!(out, " ({} bytes)", one.bytes);
            }
            None => out.push('\n'),
        }
    }
    out
}

/// What follows.
pub(super) fn after(built: &Built) -> String {
    let mut out = String::new();
    if let Some((before, after)) = built.index_lines {
        let _ = writeln!(out, "MEMORY.md: {before} -> {after} lines");
    }
    for link in &built.dead {
        let _ = writeln!(
            out,
            "{}:{} links to {}, which leads nowhere then (`mnemo garden finish` mends it)",
            link.file, link.line, link.to
        );
    }
    for note in &built.notes {
        let _ = writeln!(out, "note: {note}");
    }
    out
}
