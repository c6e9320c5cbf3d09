//! `mnemo garden finish`

use super::super::output::shown_diff;
use super::{Outcome, read};
use crate::commands::store::StoreArgs;
use crate::exit::{Exit, Failure};
use crate::terminal;
use changes::Journal;
use garden::Scan;
use garden::finish::{Finish, MANY_DEAD, Mended, mend};
use mnemo_home::Env;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo garden finish                        is everything whole, what should be done otherwise
  mnemo garden finish --apply                mend dead links and orphans
  mnemo garden finish --apply --dead-links   also where there are more than ten

In entries a link to what was archived leads into the archive then, one to what was merged to what
took it over, one to nothing becomes its words. In MEMORY.md the line of an entry that is gone goes;
one that says more keeps its words. Orphans get their line there. Exit codes: 0 whole, 1 something
is left, 3 no such memory. mnemo undo takes it back.")]
pub(crate) struct Args {
    #[command(flatten)]
    store: StoreArgs,
    /// Mend dead links and orphans; without this they are only shown
    #[arg(long)]
    apply: bool,
    /// Mend dead links even if there are more than ten
    #[arg(long, requires = "apply")]
    dead_links: bool,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    let look = || -> Result<(Scan, Finish), Failure> {
        let scan = read(&args.store, env)?.map_err(|place| Failure::input(place.none()))?;
        let finish = Finish::of(&scan, &garden::judge(&scan));
        Ok((scan, finish))
    };
    let plan = |scan: &Scan, finish: &Finish| -> Result<Mended, Failure> {
        mend(scan, finish, args.dead_links)
            .map_err(|error| Failure::with_code(error.exit_code(), error.to_string()))
    };
    let (mut scan, mut finish) = look()?;
    let mut mended = plan(&scan, &finish)?;
    let mut set = None;
    if args.apply && (!mended.set.is_empty() || mended.unread.is_some()) {
        let journal = Journal::open(env)?;
        for recovered in journal.recovered() {
            terminal::note(&format!("mnemo: {recovered}"));
        }
        (scan, finish) = look()?;
        mended = plan(&scan, &finish)?;
        if let Some(why) = &mended.unread {
            return Err(Failure::with_code(why.exit_code(), why.to_string()));
        }
        set = journal.apply(&mended.set)?.set;
        (scan, finish) = look()?;
    }
    let exit = if finish.is_whole() {
        Exit::Done
    } else {
        Exit::Findings
    };
    if args.json {
        let mut value = json!(finish);
        value["store"] = json!(scan.store.root());
        value["whole"] = json!(finish.is_whole());
        value["mended"] = json!({
            "applied": set.is_some(),
            "links": mended.links,
            "orphans": mended.orphans,
            "left": mended.left,
            "unread": mended.unread.as_ref().map(ToString::to_string),
            "changes": mended.set.summary(),
            "undo_set": set,
        });
        terminal::say_json(&value);
        return Ok(exit);
    }
    terminal::say(&text(args, &finish, &mended, set.as_deref()));
    Ok(exit)
}

/// `Stale 2, Outdated 1`
fn counts(all: &BTreeMap<String, usize>) -> String {
    let all: Vec<String> = all
        .iter()
        .map(|(what, count)| format!("{what} {count}"))
        .collect();
    all.join(", ")
}

#[allow(
    clippy::too_many_lines,
    reason = "one part of the report after the other"
)]
fn text(args: &Args, finish: &Finish, mended: &Mended, set: Option<&str>) -> String {
    let mut out = String::new();
    if !finish.last_run.is_empty() {
        let done: Vec<String> = finish
            .last_run
            .iter()
            .map(|(action, count)| match action.as_str() {
                "none" => format!("nothing done with {count}"),
                action => format!("{action} {count}"),
            })
            .collect();
        let _ = writeln!(out, "last run: {}", done.join(", "));
    }
    let before = finish.index_lines_before;
    let before = before.map_or_else(String::new, |lines| format!("{lines} -> "));
    let _ = writeln!(
        out,
        "{} entries, MEMORY.md {before}{} lines",
        finish.entries, finish.index_lines
    );
    if let Some(set) = set {
        let _ = writeln!(
            out,
            "mended {} links and {} orphans; to take it back: {}",
            mended.links,
            mended.orphans,
            args.store.undo(set)
        );
    }
    let _ = writeln!(
        out,
        "dead links {}, orphans {}, frontmatter {}, archive {}",
        finish.dead_links.len(),
        finish.orphans.len(),
        finish.frontmatter.len(),
        finish.archive.len()
    );
    for link in &finish.dead_links {
        let archived = link
            .archived_at
            .as_ref()
            .map_or(String::new(), |path| format!(" (now {path})"));
        let archived = if link.by_hand {
            " (a code: say by hand which item is meant now)".to_owned()
        } else {
            archived
        };
        let _ = writeln!(
            out,
            "  {}:{} {}{archived}",
            link.file, link.line, link.target
        );
    }
    if let Some(cause) = &finish.cause {
        let _ = writeln!(out, "  likely cause: {cause}");
    }
    for entry in &finish.orphans {
        let _ = writeln!(out, "  {entry} is not named in MEMORY.md");
    }
    if let Some(why) = &mended.unread {
        let _ = writeln!(out, "  MEMORY.md cannot name them: {why}");
    }
    for problem in &finish.frontmatter {
        let _ = writeln!(out, "  {}: {}", problem.entry, problem.what);
    }
    for file in &finish.archive {
        let _ = writeln!(out, "  {file} does not say when and why it was archived");
    }
    for limit in &finish.limits {
        let word = if limit.over { "too many" } else { "many" };
        let _ = writeln!(
            out,
            "  {}: {}; more than {} are {word}",
            limit.what, limit.count, limit.limit
        );
    }
    if !finish.stale_again.is_empty() {
        out.push_str("Stale again (delete, or find better evidence):\n");
        for entry in &finish.stale_again {
            let _ = writeln!(out, "  {entry}");
        }
    }
    let open: Vec<&str> = finish
        .open_stale
        .iter()
        .filter(|entry| !finish.stale_again.contains(entry))
        .map(String::as_str)
        .collect();
    if !open.is_empty() {
        let _ = writeln!(out, "Stale, to be asked about: {}", open.join(", "));
    }
    let feedback = &finish.feedback;
    for (kind, verdicts) in &feedback.verdicts {
        let _ = writeln!(out, "judged, {kind}: {}", counts(verdicts));
    }
    if !feedback.causes.is_empty() {
        let _ = writeln!(out, "demoted for: {}", counts(&feedback.causes));
    }
    if let Some(days) = feedback.mean_lifetime {
        let _ = writeln!(
            out,
            "entries lived {days} days on average ({})",
            feedback.ended
        );
    }
    for suggestion in &feedback.suggestions {
        let _ = writeln!(
            out,
            "suggestion: {} - {}",
            suggestion.signal, suggestion.advice
        );
    }
    if set.is_none() && !mended.set.is_empty() {
        out.push('\n');
        out.push_str(&shown_diff(&mended.set.diff(redact::by_line)));
        let again = args.store.again();
        let _ = writeln!(
            out,
            "nothing was changed; to do it: mnemo garden finish{again} --apply"
        );
    }
    if mended.left > 0 {
        let _ = writeln!(
            out,
            "more than {MANY_DEAD} dead links: look at the cause first, then mend them with --apply --dead-links{}",
            if args.apply {
                " (they were left as they are)"
            } else {
                ""
            }
        );
    }
    out
}
