//! What add, update and remove have in common: reading a body, carrying a plan out, saying so.

use super::super::output::shown_diff;
use crate::commands::Outcome;
use crate::commands::store::{Named, Place, StoreArgs};
use crate::exit::{Exit, Failure};
use crate::terminal;
use changes::Journal;
use memory::capture::{LARGEST_BODY, Plan, Refusal};
use memory::{Store, StoreKind};
use mnemo_home::Env;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::io::Read;
use std::path::{Path, PathBuf};

/// The options of every command that changes a memory.
#[derive(Debug, clap::Args)]
pub(super) struct Manner {
    #[command(flatten)]
    pub(super) store: StoreArgs,
    /// Show what would change, and change nothing
    #[arg(long)]
    pub(super) dry_run: bool,
    /// Report as JSON
    #[arg(long)]
    pub(super) json: bool,
}

/// Plans, and carries the plan out unless it is a dry run. The plan is made again once nobody else
/// can change the memory, so that many at once all get through.
pub(super) fn run(
    manner: &Manner,
    verb: [&str; 2],
    env: &Env,
    plan: impl Fn(&Place, &Store) -> Result<Plan, Refusal>,
) -> Outcome {
    let place = manner.store.place(Named::Auto, env)?;
    if let Some(note) = &place.note {
        terminal::note(note);
    }
    match carry_out(manner, &place, env, plan) {
        Ok((plan, set)) => {
            report(manner, &place, verb, &plan, set.as_deref());
            Ok(Exit::Done)
        }
        Err(Problem::Failure(failure)) => Err(failure),
        Err(Problem::Refusal(refusal)) => refused(manner, &refusal),
    }
}

enum Problem {
    Failure(Failure),
    Refusal(Refusal),
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Self {
        Self::Refusal(refusal)
    }
}

fn carry_out(
    manner: &Manner,
    place: &Place,
    env: &Env,
    plan: impl Fn(&Place, &Store) -> Result<Plan, Refusal>,
) -> Result<(Plan, Option<String>), Problem> {
    let planned = plan(place, &store(place)?)?;
    if manner.dry_run || planned.set.is_empty() {
        return Ok((planned, None));
    }
    let journal = Journal::open(env).map_err(Refusal::from)?;
    for recovered in journal.recovered() {
        terminal::note(&format!("mnemo: {recovered}"));
    }
    let planned = plan(place, &store(place)?)?;
    let missing = missing(place);
    let applied = journal.apply(&planned.set).map_err(Refusal::from)?;
    keep_private(place, &missing, env);
    Ok((planned, applied.set))
}

/// The memory; an empty one where there is none yet.
fn store(place: &Place) -> Result<Store, Failure> {
    Ok(place
        .open()?
        .unwrap_or_else(|| Store::empty(place.kind, place.root.clone())))
}

/// What of a record's memory is not there yet.
fn missing(place: &Place) -> Vec<&'static str> {
    ["memory/", "MEMORY.md"]
        .into_iter()
        .filter(|name| place.kind == StoreKind::Record && !place.root.join(name).exists())
        .collect()
}

/// What mnemo makes in a repository is named in git's own list of what it leaves out.
fn keep_private(place: &Place, made: &[&str], env: &Env) {
    if made.is_empty() {
        return;
    }
    let Ok(root) = record::root::Root::find(&place.root, env) else {
        return;
    };
    if root.path() == place.root
        && let Ok(record) = record::Record::open(root)
    {
        record.exclude(made);
    }
}

fn report(manner: &Manner, place: &Place, verb: [&str; 2], plan: &Plan, set: Option<&str>) {
    if manner.json {
        terminal::say_json(&json!({
            "file": plan.file,
            "path": place.root.join(&plan.file),
            "tokens": plan.tokens,
            "index_line": plan.index_line,
            "changes": plan.set.summary(),
            "warnings": warnings(plan),
            "dry_run": manner.dry_run,
            "undo_set": set,
        }));
        return;
    }
    for warning in &plan.warnings {
        terminal::note(&format!("note: {warning}"));
    }
    if plan.set.is_empty() {
        terminal::say(&format!("{} is so already; nothing changes", plan.file));
        return;
    }
    if manner.dry_run {
        terminal::say(&format!(
            "would {} in {}\n\n{}",
            verb[0],
            place.root.display(),
            shown_diff(&plan.set.diff(redact::by_line))
        ));
        return;
    }
    let mut text = format!(
        "{}: {} (~{}tk)",
        verb[1],
        place.root.join(&plan.file).display(),
        plan.tokens
    );
    if let Some(line) = &plan.index_line {
        let _ = write!(text, "\nMEMORY.md: {line}");
    }
    let undo = set.map_or_else(|| "mnemo undo".to_owned(), |set| manner.store.undo(set));
    let _ = write!(text, "\nto take it back: {undo}");
    terminal::say(&text);
}

/// With their sentences, for whoever passes them on to a person.
fn warnings(plan: &Plan) -> Vec<Value> {
    plan.warnings
        .iter()
        .map(|warning| {
            let mut value = json!(warning);
            value["text"] = Value::String(warning.to_string());
            value
        })
        .collect()
}

fn refused(manner: &Manner, refusal: &Refusal) -> Outcome {
    if !manner.json {
        return Err(Failure::with_code(refusal.exit_code(), refusal.to_string()));
    }
    let mut error = json!({ "kind": refusal.kind(), "text": refusal.to_string() });
    match refusal {
        Refusal::Covered {
            path,
            line,
            quote,
            is_rule,
            opposite,
        } => {
            error["path"] = json!(path);
            error["line"] = json!(line);
            error["quote"] = json!(quote);
            error["is_rule"] = json!(is_rule);
            error["opposite"] = json!(opposite);
        }
        Refusal::Exists { file, .. } => error["file"] = json!(file),
        Refusal::Form { missing, form } => {
            error["missing"] = json!(missing);
            error["form"] = json!(form);
        }
        _ => {}
    }
    terminal::say_json(&json!({ "error": error }));
    Ok(Exit::from_code(refusal.exit_code()))
}

/// Reads a body: a file, or standard input for `-`.
pub(super) fn body(from: &Path) -> Result<String, Failure> {
    let (name, bytes) = if from == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin()
            .lock()
            .take(LARGEST_BODY + 1)
            .read_to_end(&mut bytes)
            .map_err(|error| Failure::input(format!("cannot read standard input: {error}")))?;
        ("standard input".to_owned(), bytes)
    } else {
        let bytes = safe_file::read(from, LARGEST_BODY)
            .map_err(|error| too_large(from).unwrap_or_else(|| Failure::unreadable(&error)))?
            .ok_or_else(|| Failure::input(format!("there is no file {}", from.display())))?;
        (from.display().to_string(), bytes)
    };
    if bytes.len() as u64 > LARGEST_BODY {
        return Err(large(&name));
    }
    String::from_utf8(bytes).map_err(|error| {
        Failure::input(format!(
            "{name} is not UTF-8 text (byte {}); convert it first",
            error.utf8_error().valid_up_to()
        ))
    })
}

fn too_large(from: &Path) -> Option<Failure> {
    let length = std::fs::metadata(from)
        .ok()
        .filter(std::fs::Metadata::is_file)?
        .len();
    (length > LARGEST_BODY).then(|| large(&from.display().to_string()))
}

fn large(name: &str) -> Failure {
    Failure::refused(format!(
        "{name} is larger than {LARGEST_BODY} bytes, which no memory entry needs; keep the essence"
    ))
}

/// `--from`, read once.
pub(super) fn body_of(from: Option<&PathBuf>) -> Result<Option<String>, Failure> {
    from.map(|from| body(from)).transpose()
}
