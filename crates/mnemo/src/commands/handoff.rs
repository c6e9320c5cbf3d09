//! `mnemo handoff`

use super::{Outcome, directory, root_and_config, why_not};
use crate::exit::{Exit, Failure};
use crate::terminal;
use clap::{Args, Subcommand, ValueHint};
use handoff::{Handoff, LATEST, Staleness, Validation, Verdict};
use hygiene::doctor::{self, Patient};
use mnemo_home::Env;
use record::Record;
use record::root::Root;
use redact::Policy;
use serde::Serialize;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// Reasons of one kind that are shown to a person.
const SHOWN: usize = 20;

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mnemo handoff create pay-by-card                 a scaffold filled with what is known
  mnemo handoff create --continues-from latest     the next link of a chain
  mnemo handoff validate FILE                      is it fit to be handed on?
  mnemo handoff resume                             a checklist from the newest one

A handoff is named by its path, its name or slug, a part of that (the newest that holds it), or
`latest`.")]
pub(crate) struct HandoffArgs {
    #[command(subcommand)]
    pub(crate) command: HandoffCommand,
}

#[derive(Debug, Subcommand)]
pub(crate) enum HandoffCommand {
    /// Make a handoff: what record, git and memory know, and places to fill in
    Create(Create),
    /// Judge a handoff: what is left to fill in, secrets, dead paths
    Validate(Validate),
    /// Show the project's handoffs, the newest first
    List(List),
    /// Say how far the project has moved on since a handoff
    Staleness(StalenessArgs),
    /// Print a checklist for whoever goes on
    Resume(ResumeArgs),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mnemo handoff create pay-by-card
  mnemo handoff create pay-by-card --dry-run       print it, write nothing
  mnemo handoff create refunds --continues-from pay-by-card

Nothing is ever overwritten, so there is nothing for `mnemo undo`: to take it back, delete the file.
It is private to you, and git does not see it unless you delete its line from .git/info/exclude.")]
pub(crate) struct Create {
    /// A few words for the file's name
    pub(crate) slug: Option<String>,
    /// The handoff that this one continues: its origin is taken over
    #[arg(long, value_name = "FILE")]
    pub(crate) continues_from: Option<String>,
    /// Print what would be written, and write nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
    /// The project [default: the one around the current directory]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) project_root: Option<PathBuf>,
    /// Report as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mnemo handoff validate                  the newest
  mnemo handoff validate docs/handoffs/2026-11-30-140322-pay-by-card.md

Exit codes: 0 READY, 1 NEEDS WORK or BLOCKED, 2 usage, 3 no such file.")]
pub(crate) struct Validate {
    /// The handoff [default: the newest]
    #[arg(value_hint = ValueHint::FilePath, default_value = LATEST, hide_default_value = true)]
    pub(crate) file: String,
    /// The project [default: the one around the current directory]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) project_root: Option<PathBuf>,
    /// Report as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Example:
  mnemo handoff list --json | jq -r '.handoffs[0].file'")]
pub(crate) struct List {
    /// The project [default: the one around the current directory]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) project_root: Option<PathBuf>,
    /// Report as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mnemo handoff staleness                 of the newest
  mnemo handoff staleness --all

Exit codes: 0 FRESH or SLIGHTLY_STALE, 1 anything else (with --all: of any), 2 usage, 3 no such file.")]
pub(crate) struct StalenessArgs {
    /// The handoff [default: the newest]
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<String>,
    /// Every handoff of the project
    #[arg(long, conflicts_with = "file")]
    pub(crate) all: bool,
    /// The project [default: the one around the current directory]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) project_root: Option<PathBuf>,
    /// Report as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mnemo handoff resume                 from the newest handoff
  mnemo handoff resume pay-by-card")]
pub(crate) struct ResumeArgs {
    /// The handoff [default: the newest]
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<String>,
    /// The project [default: the one around the current directory]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) project_root: Option<PathBuf>,
    /// Report as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

impl From<handoff::Error> for Failure {
    fn from(error: handoff::Error) -> Self {
        match error {
            handoff::Error::File(error) => error.into(),
            handoff::Error::Record(error) => error.into(),
            other => Self::input(other.to_string()),
        }
    }
}

pub(crate) fn run(args: &HandoffArgs, env: &Env) -> Outcome {
    match &args.command {
        HandoffCommand::Create(args) => create(args, env),
        HandoffCommand::Validate(args) => validate(args, env),
        HandoffCommand::List(args) => list(args, env),
        HandoffCommand::Staleness(args) => staleness(args, env),
        HandoffCommand::Resume(args) => resume(args, env),
    }
}

/// The project, or why there is none.
fn project(named: Option<&Path>, env: &Env) -> Result<(PathBuf, Root, Policy), Failure> {
    let start = directory(named)?;
    let (root, config, problems) = root_and_config(&start, env);
    for problem in problems {
        terminal::complain(&problem);
    }
    let root = root.map_err(|none| {
        let (why, command) = why_not(&none);
        Failure::input(format!("no project here: {why}; `{command}` changes that"))
    })?;
    let policy = Policy {
        secrets: config.redact_secrets,
    };
    Ok((start, root, policy))
}

#[derive(Serialize)]
struct Created {
    /// Relative to the root.
    file: String,
    path: PathBuf,
    dry_run: bool,
    continues_from: Option<String>,
    /// How many handoffs there were, and the newest of them.
    others: usize,
    newest: Option<String>,
    git: handoff::Via,
    /// Only with `--dry-run`.
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<String>,
}

fn create(args: &Create, env: &Env) -> Outcome {
    let (start, root, policy) = project(args.project_root.as_deref(), env)?;
    let record = Record::open(root.clone())?;
    // Where nothing covers the architecture, more may be wrong with the memory: the doctor looks once.
    let doctor = handoff::MemoryCheck::of(&root)
        .is_bare()
        .then(|| doctor(&start, env));
    let draft = handoff::draft(
        &handoff::Request {
            record: &record,
            directory: &start,
            slug: args.slug.as_deref(),
            continues_from: args.continues_from.as_deref(),
            policy,
            doctor: doctor.as_deref(),
        },
        env,
    )?;
    let file = if args.dry_run {
        draft.file.clone()
    } else {
        draft.write(&record)?
    };
    for warning in record.take_warnings() {
        terminal::complain(&warning);
    }
    let report = Created {
        path: root.path().join(&file),
        file,
        dry_run: args.dry_run,
        continues_from: draft.continues.clone(),
        others: draft.count,
        newest: draft.newest.clone(),
        git: draft.via.clone(),
        text: args.dry_run.then(|| draft.text.clone()),
    };
    if args.json {
        terminal::say_json(&report);
        return Ok(Exit::Done);
    }
    if args.dry_run {
        terminal::note(&format!("would write {}", report.file));
        terminal::say(&draft.text);
        return Ok(Exit::Done);
    }
    let mut text = format!("made {}\n", report.path.display());
    let _ = writeln!(text, "git: {}", report.git);
    match (&report.continues_from, &report.newest) {
        (Some(previous), _) => {
            let _ = writeln!(text, "continues {previous}");
        }
        (None, Some(newest)) => {
            let _ = writeln!(
                text,
                "a fresh start; to continue {newest} instead: --continues-from latest"
            );
        }
        (None, None) => {}
    }
    let _ = write!(
        text,
        "next: fill in every TODO in brackets, then `mnemo handoff validate {}`",
        report.file
    );
    terminal::say(&text);
    Ok(Exit::Done)
}

/// What the doctor says of the project, in one line.
fn doctor(start: &Path, env: &Env) -> String {
    let report = Patient::at(start, env, env!("CARGO_PKG_VERSION"), false).examine();
    let named = |level: doctor::Level| {
        let names: Vec<&str> = report
            .checks
            .iter()
            .filter(|row| row.level == level)
            .map(|row| row.check)
            .collect();
        names.join(", ")
    };
    let parts: Vec<String> = [("FAIL", doctor::Level::Fail), ("WARN", doctor::Level::Warn)]
        .into_iter()
        .map(|(word, level)| (word, named(level)))
        .filter(|(_, names)| !names.is_empty())
        .map(|(word, names)| format!("{word} {names}"))
        .collect();
    if parts.is_empty() {
        "all OK".to_owned()
    } else {
        format!("{} (`mnemo doctor` says more)", parts.join("; "))
    }
}

#[derive(Serialize)]
struct Validated<'a> {
    file: &'a str,
    #[serde(flatten)]
    result: &'a Validation,
}

fn validate(args: &Validate, env: &Env) -> Outcome {
    let start = directory(args.project_root.as_deref())?;
    // A handoff can be judged outside of any project too.
    let root = root_and_config(&start, env).0.ok();
    let found = handoff::find(
        &args.file,
        &base(args.project_root.as_deref(), &start)?,
        root.as_ref(),
    )?;
    let result = handoff::validate(&found, root.as_ref());
    if args.json {
        terminal::say_json(&Validated {
            file: &found.file,
            result: &result,
        });
    } else {
        terminal::say(&verdict(&found, &result));
    }
    Ok(match result.verdict {
        Verdict::Ready => Exit::Done,
        Verdict::NeedsWork | Verdict::Blocked => Exit::Findings,
    })
}

/// Where relative names count from: the current directory, whatever project is named.
fn base(named: Option<&Path>, start: &Path) -> Result<PathBuf, Failure> {
    match named {
        None => Ok(start.to_owned()),
        Some(_) => directory(None),
    }
}

fn verdict(found: &Handoff, result: &Validation) -> String {
    let mut text = format!(
        "{}: {} of 100 ({}) {}\n",
        result.verdict, result.score, result.rating, found.file
    );
    if result.lacks_what_features_need {
        text.push_str("features were made: origin and composition diagram are needed\n");
    }
    // What costs most first; equal ones in the order of the file.
    let mut reasons: Vec<_> = result.reasons.iter().collect();
    reasons.sort_by_key(|reason| std::cmp::Reverse(reason.points));
    for reason in reasons.into_iter().take(SHOWN) {
        let place = reason
            .line
            .map_or_else(String::new, |line| format!("line {line}: "));
        let points = match reason.points {
            0 => String::new(),
            points => format!(" (-{points})"),
        };
        let _ = writeln!(text, "  - {place}{}{points}", reason.text);
    }
    let more = result.reasons.len().saturating_sub(SHOWN);
    if more > 0 {
        let _ = writeln!(text, "  - and {more} more (--json shows all)");
    }
    text
}

#[derive(Serialize)]
struct Listed {
    root: PathBuf,
    handoffs: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    file: String,
    /// Local time.
    created: Option<String>,
    title: Option<String>,
    continues_from: Option<String>,
    /// Placeholders that are left.
    to_fill_in: usize,
    verdict: Verdict,
    score: u32,
    problem: Option<String>,
}

fn list(args: &List, env: &Env) -> Outcome {
    let (_, root, policy) = project(args.project_root.as_deref(), env)?;
    let rows: Vec<Row> = handoff::list(&root)?
        .iter()
        .map(|found| {
            let result = handoff::validate(found, Some(&root));
            Row {
                file: found.file.clone(),
                created: found
                    .created
                    .map(|at| at.format("%Y-%m-%d %H:%M").to_string()),
                title: found.clean(policy).title().map(str::to_owned),
                continues_from: found.document.continues_from().map(str::to_owned),
                to_fill_in: result
                    .reasons
                    .iter()
                    .filter(|reason| reason.about == handoff::About::Placeholder)
                    .count(),
                verdict: result.verdict,
                score: result.score,
                problem: found.problem.clone(),
            }
        })
        .collect();
    if args.json {
        terminal::say_json(&Listed {
            root: root.path().to_owned(),
            handoffs: rows,
        });
        return Ok(Exit::Done);
    }
    if rows.is_empty() {
        terminal::say("no handoffs here yet; `mnemo handoff create SLUG` makes one");
        return Ok(Exit::Done);
    }
    let mut text = String::new();
    for row in &rows {
        let created = row.created.as_deref().unwrap_or("unknown date    ");
        let state = match (&row.problem, row.to_fill_in) {
            (Some(_), _) => "damaged".to_owned(),
            (None, 0) => row.verdict.to_string(),
            (None, count) => format!("{count} to fill in"),
        };
        let title = row.title.as_deref().unwrap_or("(untitled)");
        let _ = writeln!(
            text,
            "{created}  {state:<14} {title}\n{:18}{}",
            "", row.file
        );
    }
    terminal::say(&text);
    Ok(Exit::Done)
}

#[derive(Serialize)]
struct Measured<'a> {
    file: &'a str,
    advice: String,
    #[serde(flatten)]
    staleness: &'a Staleness,
}

fn staleness(args: &StalenessArgs, env: &Env) -> Outcome {
    let (start, root, policy) = project(args.project_root.as_deref(), env)?;
    let mut handoffs = if let Some(file) = &args.file {
        let base = base(args.project_root.as_deref(), &start)?;
        vec![handoff::find(file, &base, Some(&root))?]
    } else {
        handoff::list(&root)?
    };
    if !args.all {
        handoffs.truncate(1);
    }
    for found in &mut handoffs {
        *found = found.clean(policy);
    }
    let results = handoff::staleness_of_all(&handoffs, &root, env);
    let measured: Vec<Measured<'_>> = handoffs
        .iter()
        .zip(&results)
        .map(|(found, staleness)| Measured {
            file: &found.file,
            advice: staleness.advice(),
            staleness,
        })
        .collect();
    if args.json {
        match (args.all, measured.first()) {
            (false, only) => terminal::say_json(&only),
            (true, _) => terminal::say_json(&measured),
        }
    } else if measured.is_empty() {
        terminal::say("no handoffs here yet; `mnemo handoff create SLUG` makes one");
    } else if args.all {
        let mut text = String::new();
        for one in &measured {
            let _ = writeln!(
                text,
                "{:<15} {:<9} {}{}",
                one.staleness.level.to_string(),
                age(one.staleness),
                one.file,
                match one.staleness.to_fill_in {
                    0 => String::new(),
                    count => format!("  ({count} to fill in)"),
                }
            );
        }
        terminal::say(&text);
    } else if let Some(one) = measured.first() {
        terminal::say(&told(one));
    }
    let good = results.iter().all(|one| one.level.is_good());
    Ok(if good { Exit::Done } else { Exit::Findings })
}

fn age(staleness: &Staleness) -> String {
    match staleness.age_hours {
        None => "unknown".to_owned(),
        Some(hours) if hours < 48 => format!("{hours} h"),
        Some(hours) => format!("{} days", hours / 24),
    }
}

fn told(one: &Measured<'_>) -> String {
    let staleness = one.staleness;
    let mut text = format!("{}: {} ({})\n", staleness.level, one.file, one.advice);
    let mut line = |label: &str, value: &str| {
        let _ = writeln!(text, "{label:<9}{value}");
    };
    line("Age", &age(staleness));
    line("Git", &staleness.git.to_string());
    let count = |count: Option<u64>| count.map_or_else(|| "unknown".to_owned(), |n| n.to_string());
    line("Commits", &count(staleness.commits));
    let changed = staleness
        .changed_files
        .as_ref()
        .map(|files| files.len() as u64);
    line("Changed", &count(changed));
    line("Missing", &staleness.missing.len().to_string());
    let groups = [
        ("Why:", &staleness.issues),
        ("Not known:", &staleness.unknown),
        ("Commits since:", &staleness.newest_commits),
        ("Not there:", &staleness.missing),
    ];
    for (title, items) in groups {
        if items.is_empty() {
            continue;
        }
        let _ = writeln!(text, "{title}");
        for item in items.iter().take(SHOWN) {
            let _ = writeln!(text, "  - {item}");
        }
    }
    text
}

fn resume(args: &ResumeArgs, env: &Env) -> Outcome {
    let (start, root, policy) = project(args.project_root.as_deref(), env)?;
    let found = match &args.file {
        Some(file) => {
            let base = base(args.project_root.as_deref(), &start)?;
            Some(handoff::find(file, &base, Some(&root))?)
        }
        None => handoff::list(&root)?.into_iter().next(),
    };
    let Some(found) = found else {
        if args.json {
            terminal::say_json(&serde_json::Value::Null);
        } else {
            terminal::say("no handoffs here yet; `mnemo handoff create SLUG` makes one");
        }
        return Ok(Exit::Done);
    };
    let checklist = handoff::resume(&found.clean(policy), &root, env);
    if args.json {
        terminal::say_json(&checklist);
    } else {
        terminal::say(&checklist.render());
    }
    Ok(Exit::Done)
}
