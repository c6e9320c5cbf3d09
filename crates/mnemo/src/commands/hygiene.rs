//! What the commands share that change a record's own files: shown first, changed on request.

use super::{directory, root_and_config, why_not};
use crate::exit::Failure;
use crate::terminal;
use changes::{Applied, ChangeSet, Journal};
use mnemo_home::Env;
use record::Record;
use std::path::Path;

impl From<hygiene::Error> for Failure {
    fn from(error: hygiene::Error) -> Self {
        match error {
            hygiene::Error::File(error) => error.into(),
            hygiene::Error::Record(error) => error.into(),
            hygiene::Error::Memory(error) => error.into(),
            hygiene::Error::Changes(error) => error.into(),
            hygiene::Error::Refused(_) => Self::refused(error.to_string()),
            hygiene::Error::Handoff(error) => error.into(),
            other => Self::input(other.to_string()),
        }
    }
}

/// The record around a directory.
pub(super) fn record(project_root: Option<&Path>, env: &Env) -> Result<Record, Failure> {
    let start = directory(project_root)?;
    let (root, _, _) = root_and_config(&start, env);
    let root = root.map_err(|none| {
        let (why, command) = why_not(&none);
        Failure::input(format!(
            "there is no record: {why}; `{command}` changes that"
        ))
    })?;
    Ok(Record::open(root)?)
}

/// A plan, and what became of it.
pub(super) struct Done<P> {
    /// The plan.
    pub(super) plan: P,
    /// What was carried out; `None` when it was only looked at, or nothing would change.
    pub(super) applied: Option<Applied>,
}

/// Plans, and with `apply` plans again and carries out while neither a hook nor another mnemo
/// writes.
pub(super) fn carry_out<P>(
    record: &Record,
    apply: bool,
    env: &Env,
    plan: impl Fn() -> hygiene::Result<P>,
    set: impl Fn(&P) -> &ChangeSet,
) -> Result<Done<P>, Failure> {
    let planned = plan()?;
    if !apply || set(&planned).is_empty() {
        return Ok(Done {
            plan: planned,
            applied: None,
        });
    }
    let journal = Journal::open(env)?;
    for recovered in journal.recovered() {
        terminal::note(&format!("mnemo: {recovered}"));
    }
    // Where nothing is recorded there is nothing to keep still, and no folder is made.
    let has_conversations = record.root().path().join("conversations").exists();
    let _conversations = if has_conversations {
        Some(record.conversations()?)
    } else {
        None
    };
    let _memory = record.lock_memory()?;
    let planned = plan()?;
    let applied = journal.apply(set(&planned))?;
    Ok(Done {
        plan: planned,
        applied: Some(applied),
    })
}

/// The last line of a report on a change.
pub(super) fn how_to_go_on(applied: bool, command: &str) -> String {
    if applied {
        "to take it back: mnemo undo".to_owned()
    } else {
        format!("nothing was changed; to do it: {command}")
    }
}
