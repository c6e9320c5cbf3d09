//! `mnemo garden check`

use super::Outcome;
use super::proven::{PlanArgs, Proven, lines, on_top};
use crate::exit::Exit;
use crate::terminal;
use garden::check::{Checked, Finding};
use mnemo_home::Env;
use serde_json::json;
use std::fmt::Write as _;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo garden check plan.yaml           are the quotes true, do the verdicts follow
  mnemo garden check plan.yaml --json

Exit codes: 0 all proven, 1 something was demoted, 3 the plan cannot be read, 4 it is refused
(numbers twice, paths out of the memory, the archive, name or type, a user entry removed).
Nothing is changed.")]
pub(crate) struct Args {
    #[command(flatten)]
    plan: PlanArgs,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    let proven = Proven::read(&args.plan, env)?;
    let checked = &proven.checked;
    let exit = if !checked.refusals.is_empty() {
        Exit::Refused
    } else if checked.has_findings() {
        Exit::Findings
    } else {
        Exit::Done
    };
    if args.plan.json {
        let mut value = json!(checked);
        value["clean"] = json!(exit == Exit::Done);
        terminal::say_json(&value);
    } else {
        terminal::say(&text(checked, &args.plan));
    }
    Ok(exit)
}

fn text(checked: &Checked, plan: &PlanArgs) -> String {
    let mut out = on_top(checked);
    if !checked.refusals.is_empty() {
        let _ = writeln!(out, "refused:\n{}\n", lines(&checked.refusals));
    }
    let mut demoted = 0;
    for item in &checked.items {
        if item.findings.is_empty() {
            continue;
        }
        let became = if item.written == item.verdict {
            item.verdict.name().to_owned()
        } else {
            demoted += 1;
            format!("{} -> {}", item.written.name(), item.verdict.name())
        };
        let _ = writeln!(out, "{:>4} {} [{became}]", item.id, item.entry);
        findings(&mut out, &item.findings);
    }
    for gate in checked
        .gates
        .iter()
        .filter(|gate| !gate.findings.is_empty())
    {
        let _ = writeln!(out, "{:>4} {} [gate]", gate.id, gate.file);
        findings(&mut out, &gate.findings);
    }
    if !checked.look_again.is_empty() {
        let _ = writeln!(out, "look again:");
        for line in &checked.look_again {
            let _ = writeln!(out, "  {line}");
        }
    }
    let own: Vec<String> = checked
        .items
        .iter()
        .filter(|item| item.own_number && item.is_ready())
        .map(|item| item.id.to_string())
        .collect();
    if !own.is_empty() {
        let _ = writeln!(out, "only by their own number: {}", own.join(", "));
    }
    let _ = writeln!(
        out,
        "{} entries, {} could be done, {demoted} judged otherwise",
        checked.items.len(),
        checked.order.len()
    );
    if checked.refusals.is_empty() {
        let (file, again) = (plan.file.display(), plan.store.again());
        let _ = write!(out, "next: mnemo garden preview {file}{again}");
    }
    out
}

fn findings(out: &mut String, findings: &[Finding]) {
    for finding in findings {
        let mark = if finding.kind.is_note() { '-' } else { '!' };
        let _ = writeln!(out, "     {mark} {}", finding.text);
    }
}
