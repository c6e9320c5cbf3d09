//! `mnemo garden apply`

use super::Outcome;
use super::preview::{actions, after, numbers};
use super::proven::{PlanArgs, Proven};
use crate::exit::{Exit, Failure};
use crate::terminal;
use changes::Journal;
use garden::act::Built;
use garden::approval::{Approval, Approved};
use garden::fingerprint::Fingerprint;
use mnemo_home::Env;
use serde_json::json;
use std::fmt::Write as _;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo garden apply plan.yaml --approve 1,3-5
  mnemo garden apply plan.yaml --approve Completed
  mnemo garden apply plan.yaml --approve all --dry-run
  mnemo undo                                             take it back

Does what was previewed or nothing: a plan edited since, or files changed since, are refused.
Entries in three or more contradictions are taken only by their own number. What is Stale is never
touched. Exit codes: 0 done, 3 the plan cannot be read, 4 refused (nothing changed).")]
pub(crate) struct Args {
    #[command(flatten)]
    plan: PlanArgs,
    /// What the person approved: numbers, ranges, a verdict, or all
    #[arg(long, value_name = "1,3-5|VERDICT|all")]
    approve: Approval,
    /// Show what would be done, and change nothing
    #[arg(long)]
    dry_run: bool,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    // Nobody else of mnemo's changes anything from the proof to the last file.
    let journal = if args.dry_run {
        None
    } else {
        let journal = Journal::open(env)?;
        for recovered in journal.recovered() {
            terminal::note(&format!("mnemo: {recovered}"));
        }
        Some(journal)
    };
    let proven = Proven::read(&args.plan, env)?;
    if let Some(exit) = proven.refused(args.plan.json) {
        return Ok(exit);
    }
    let everything = proven.everything()?;
    let kept = Fingerprint::file(proven.scan.store.root(), env);
    let previewed = kept
        .as_deref()
        .map(Fingerprint::read)
        .transpose()?
        .flatten();
    if let Err(differs) = proven
        .fingerprint(&everything)
        .held_against(previewed.as_ref())
    {
        return refused(
            args,
            &format!(
                "{differs}; look at what would change first: mnemo garden preview {}{}",
                args.plan.file.display(),
                args.plan.store.again()
            ),
        );
    }
    let approved = match args.approve.of(&proven.plan, &proven.checked) {
        Ok(approved) => approved,
        Err(why) => return refused(args, &why),
    };
    let built = proven.build(&approved.ids)?;
    let set = match journal {
        Some(journal) if !built.set.is_empty() => journal.apply(&built.set)?.set,
        _ => None,
    };
    if let (Some(_), Some(file), Some(previewed)) = (&set, kept, previewed) {
        previewed.was_applied(&file);
    }
    let left = left(&proven, &approved);
    if args.plan.json {
        terminal::say_json(&json!({
            "actions": built.acted,
            "skipped": skipped_json(&approved),
            "left": left,
            "changes": built.set.summary(),
            "dead_links": built.dead,
            "index_lines": built.index_lines.map(|(before, after)| json!({ "before": before, "after": after })),
            "notes": built.notes,
            "dry_run": args.dry_run,
            "undo_set": set,
        }));
        return Ok(Exit::Done);
    }
    terminal::say(&text(args, &built, &approved, left, set.as_deref()));
    Ok(Exit::Done)
}

fn text(
    args: &Args,
    built: &Built,
    approved: &Approved,
    left: Vec<u32>,
    set: Option<&str>,
) -> String {
    let mut out = String::new();
    if built.acted.is_empty() {
        out.push_str("nothing that was approved changes a file\n");
        if let Some(set) = set {
            let _ = writeln!(
                out,
                "what was judged is noted for the next run ({} takes that back)",
                args.plan.store.undo(set)
            );
        }
    } else {
        out.push_str(if args.dry_run {
            "would do:\n"
        } else {
            "done:\n"
        });
        out.push_str(&actions(&built.acted));
        out.push_str(&after(built));
    }
    for (id, why) in &approved.skipped {
        let _ = writeln!(out, "left out {id}: {why}");
    }
    if !left.is_empty() && !args.dry_run && !built.acted.is_empty() {
        let _ = writeln!(
            out,
            "left in the plan: {}; for any of it look again first: mnemo garden preview {}{}",
            numbers(left.into_iter()),
            args.plan.file.display(),
            args.plan.store.again()
        );
    }
    if args.dry_run {
        out.push_str("nothing was changed (dry run)");
    } else if !built.acted.is_empty() {
        let _ = write!(
            out,
            "to take it back: {}; to look after links and limits: mnemo garden finish{}",
            args.plan.store.undo(set.unwrap_or_default()),
            args.plan.store.again()
        );
    }
    out
}

/// What could be done as well, after another look: what is previewed names every file as it was.
fn left(proven: &Proven, approved: &Approved) -> Vec<u32> {
    let order = proven.checked.order.iter();
    let mut left: Vec<u32> = order
        .filter(|id| !approved.ids.contains(id))
        .copied()
        .collect();
    left.sort_unstable();
    left
}

fn skipped_json(approved: &Approved) -> Vec<serde_json::Value> {
    approved
        .skipped
        .iter()
        .map(|(id, why)| json!({ "id": id, "why": why }))
        .collect()
}

fn refused(args: &Args, why: &str) -> Outcome {
    if args.plan.json {
        terminal::say_json(&json!({ "refused": [{ "id": null, "why": why }], "changed": false }));
        return Ok(Exit::Refused);
    }
    Err(Failure::refused(format!("{why}; nothing was changed")))
}
