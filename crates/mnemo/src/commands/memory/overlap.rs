//! `mnemo memory overlap`

use super::change;
use crate::commands::Outcome;
use crate::commands::store::{Named, StoreArgs};
use crate::exit::{Exit, Failure};
use crate::terminal;
use memory::Frontmatter;
use memory::overlap::{self, Candidate, Kind, Proposal, Verdict};
use mnemo_home::Env;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo memory overlap --title short-answers --description 'Conclusion first, reasons after'
  mnemo memory overlap --title T --description D --from -      with a body from standard input
  mnemo memory overlap --from draft.md                         a draft with name and description

Compared with the memory's entries and with the lines of CLAUDE.md, of rules folders and skills,
the project's and your own; other words and other languages count. Nothing is changed.

Exit codes: 0 nothing says it, 1 something says it already, 3 input missing.")]
pub(super) struct Args {
    /// The entry's name or title
    #[arg(long, required_unless_present = "from")]
    title: Option<String>,
    /// Its one-line description
    #[arg(long, requires = "title")]
    description: Option<String>,
    /// The text, `-` for standard input; its frontmatter may hold name and description
    #[arg(long, value_name = "FILE|-", value_hint = clap::ValueHint::FilePath)]
    from: Option<PathBuf>,
    #[command(flatten)]
    store: StoreArgs,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args, env: &Env) -> Outcome {
    let proposal = proposal(args)?;
    let (place, store) = args.store.open(Named::Auto, env)?;
    if let Some(note) = &place.note {
        terminal::note(note);
    }
    let verdict = overlap::verdict(&proposal, &place.known(store.as_ref(), env));
    if args.json {
        terminal::say_json(&as_json(&verdict));
    } else {
        terminal::say(&as_text(&verdict));
    }
    Ok(if verdict.refuses() {
        Exit::Findings
    } else {
        Exit::Done
    })
}

fn proposal(args: &Args) -> Result<Proposal, Failure> {
    let text = change::body_of(args.from.as_ref())?.unwrap_or_default();
    let front = Frontmatter::parse(&text);
    let field = |key: &str| front.get(key).unwrap_or_default().to_owned();
    let proposal = Proposal {
        title: args.title.clone().unwrap_or_else(|| field("name")),
        description: args
            .description
            .clone()
            .unwrap_or_else(|| field("description")),
        body: text.get(front.body()..).unwrap_or_default().to_owned(),
    };
    let said = [&proposal.title, &proposal.description, &proposal.body];
    if said.iter().all(|text| text.trim().is_empty()) {
        return Err(Failure::input("there is no text to compare"));
    }
    Ok(proposal)
}

fn as_json(verdict: &Verdict) -> Value {
    let candidate = |found: &Candidate| {
        let evidence: Vec<Value> = found
            .evidence
            .iter()
            .map(|evidence| {
                json!({
                    "line": evidence.line,
                    "quote": evidence.quote,
                    "proposal": evidence.ours,
                    "score": rounded(evidence.score),
                })
            })
            .collect();
        json!({
            "path": found.path,
            "kind": kind(found.kind),
            "line": found.evidence.first().map(|evidence| evidence.line),
            "score": rounded(found.score),
            "evidence": evidence,
        })
    };
    json!({
        "overlaps": verdict.refuses(),
        "opposite": verdict.opposite.as_ref().map(|found| json!({
            "path": found.path,
            "kind": kind(found.kind),
            "line": found.evidence.line,
            "quote": found.evidence.quote,
            "proposal": found.evidence.ours,
            "score": rounded(found.evidence.score),
        })),
        "threshold": overlap::REFUSED,
        "candidates": verdict.candidates.iter().map(candidate).collect::<Vec<_>>(),
    })
}

fn as_text(verdict: &Verdict) -> String {
    let mut out = String::new();
    let covered = verdict.covered_by().is_some();
    if let Some(found) = &verdict.opposite {
        let evidence = &found.evidence;
        let _ = writeln!(out, "{}:{} says the opposite", found.path, evidence.line);
        let _ = writeln!(out, "      {}: {}", evidence.line, evidence.quote);
        let _ = writeln!(out, "         ~ {}", evidence.ours);
    } else if !covered {
        out.push_str("nothing says this yet\n");
    }
    for (place, found) in verdict.candidates.iter().take(3).enumerate() {
        let line = found.evidence.first().map_or(1, |evidence| evidence.line);
        let says = match (place, covered) {
            (0, true) => " says this already",
            (0, false) => " is nearest",
            _ => "",
        };
        let _ = writeln!(out, "{:.2}  {}:{line}{says}", found.score, found.path);
        for evidence in &found.evidence {
            let _ = writeln!(out, "      {}: {}", evidence.line, evidence.quote);
            let _ = writeln!(out, "         ~ {}", evidence.ours);
        }
    }
    out
}

fn kind(kind: Kind) -> &'static str {
    match kind {
        Kind::Entry => "entry",
        Kind::Rule => "rule",
        Kind::Skill => "skill",
    }
}

/// Three digits: more would say more than is known.
fn rounded(score: f64) -> f64 {
    (score * 1000.0).round() / 1000.0
}
