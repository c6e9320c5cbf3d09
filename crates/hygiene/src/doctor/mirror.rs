//! Whether the record holds what was said, and for how long the client keeps it.

use super::{Evidence, Patient, Row};
use mnemo_home::counted;
use reconcile::{Job, Window};
use record::Record;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// What the client keeps when nothing is said, days.
const CLEANUP_DAYS: u32 = 30;
/// Missing turns younger than this are worth a warning, days.
const RECENT: u32 = 7;

/// A transcript of the project's folders.
pub(super) struct Transcript {
    pub(super) path: PathBuf,
    pub(super) size: u64,
    pub(super) changed: Option<SystemTime>,
}

/// The transcripts in the folders that may be this project's.
pub(super) fn transcripts(patient: &Patient) -> Vec<Transcript> {
    let (Some(home), Some(root)) = (&patient.home, &patient.root) else {
        return Vec::new();
    };
    let worktrees = root.worktrees();
    let mut roots = vec![root.path()];
    roots.extend(worktrees.iter().map(PathBuf::as_path));
    home.transcript_folders(&roots, None)
        .into_iter()
        .flat_map(|folder| in_folder(&folder))
        .collect()
}

/// The transcripts of a folder.
pub(super) fn in_folder(folder: &Path) -> impl Iterator<Item = Transcript> + use<> {
    std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter(|entry| {
            entry
                .path()
                .extension()
                .is_some_and(|ending| ending == "jsonl")
        })
        .filter_map(|entry| {
            let meta = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
            Some(Transcript {
                path: entry.path(),
                size: meta.len(),
                changed: meta.modified().ok(),
            })
        })
}

pub(super) fn mirror(patient: &Patient, record: &Record) -> Row {
    const NAME: &str = "mirror";
    let files = transcripts(patient);
    if files.is_empty() {
        return Row::ok(NAME, "no transcript of this project is kept by the client");
    }
    let keeps = patient.settings.cleanup_days.unwrap_or(CLEANUP_DAYS);
    let now = SystemTime::from(patient.env.now());
    let oldest = files
        .iter()
        .filter_map(|file| now.duration_since(file.changed?).ok())
        .map(|age| age.as_secs() / 86_400)
        .max()
        .unwrap_or(0);
    let megabytes = files.iter().map(|file| file.size).sum::<u64>() / (1 << 20);
    let kept = format!(
        "{}, {megabytes} MB, the oldest of {}; the client keeps them {keeps}",
        counted(files.len(), "transcript"),
        counted(oldest, "day")
    );
    if !patient.deep {
        return Row::ok(
            NAME,
            format!("{kept} (--deep compares them with the record)"),
        );
    }
    let missing = |window| {
        let job = Job {
            window,
            not_before: None,
            finished: false,
            own_session: None,
            transcript: None,
            moved_from: None,
            dry_run: true,
            budget: None,
            from_start: true,
        };
        reconcile::repair(record, &job, &patient.config, patient.env, None)
            .map(|summary| summary.written + summary.completed)
    };
    let all = match missing(Window::All) {
        Ok(all) => all,
        Err(error) => {
            return Row::warn(
                NAME,
                "the transcripts could not be compared",
                "mnemo reconcile --all --dry-run",
            )
            .with(vec![Evidence::new(
                "conversations",
                None,
                error.to_string(),
            )]);
        }
    };
    if all == 0 {
        return Row::ok(NAME, format!("complete; {kept}"));
    }
    let recent = missing(Window::Days(RECENT)).unwrap_or(0);
    let ends = u64::from(keeps).saturating_sub(oldest);
    if recent > 0 || ends <= 3 {
        return Row::warn(
            NAME,
            format!(
                "{} in transcripts and not in the record; {kept}",
                counted(all, "turn")
            ),
            "mnemo reconcile --all",
        )
        .with(vec![Evidence::new(
            "conversations",
            None,
            format!("{recent} of them of the last {RECENT} days"),
        )]);
    }
    Row::ok(
        NAME,
        format!(
            "{} in transcripts only (`mnemo reconcile --all` brings them in); {kept}",
            counted(all, "older turn")
        ),
    )
}

/// For information only: how far back things go.
pub(super) fn history(patient: &Patient, record: &Record) -> Row {
    const NAME: &str = "history";
    let days = record.days().unwrap_or_default();
    let mut parts = match (days.first(), days.last()) {
        (Some(first), Some(last)) => {
            vec![format!(
                "{} recorded, {first} to {last}",
                counted(days.len(), "day")
            )]
        }
        _ => vec!["no day recorded yet".to_owned()],
    };
    if let Some(history) = patient.history() {
        let (first, subjects) = history.span();
        if let Some(first) = first {
            parts.push(format!("first commit {first}"));
        }
        let conventional = subjects
            .iter()
            .filter(|subject| is_conventional(subject))
            .count();
        if let Some(share) = (conventional * 100).checked_div(subjects.len()) {
            parts.push(format!(
                "{share} % of the last {} with a kind (`fix: …`)",
                counted(subjects.len(), "commit")
            ));
        }
    }
    Row::ok(NAME, parts.join("; "))
}

/// `kind(scope)!: subject`
fn is_conventional(subject: &str) -> bool {
    subject.split_once(':').is_some_and(|(kind, _)| {
        let kind = kind
            .split('(')
            .next()
            .unwrap_or_default()
            .trim_end_matches('!');
        !kind.is_empty() && kind.len() <= 12 && kind.chars().all(|c| c.is_ascii_lowercase())
    })
}
