//! The observation logs and absolute paths.

use super::{Evidence, Patient, Row, quoted};
use crate::fix;
use crate::observations::{GOTCHAS, LEARNED, Log, Logs, OFFSET};
use mnemo_home::counted;
use record::Record;

/// Failures since the last distilling that are worth a look.
const BACKLOG: i64 = 200;
/// Evidence that is kept of one check.
const KEPT: usize = 50;

pub(super) fn all(patient: &Patient, record: &Record) -> Vec<Row> {
    let mut rows = match Logs::read(record) {
        Ok(logs) => vec![distilled(&logs), misfiled(&logs)],
        Err(error) => vec![
            unreadable(record, &error),
            Row::ok(
                "misfiled-observations",
                "not looked at: the logs cannot be read",
            ),
        ],
    };
    rows.push(absolute(patient, record));
    rows
}

fn unreadable(record: &Record, error: &crate::Error) -> Row {
    const NAME: &str = "observations";
    const DETAIL: &str = "the observation logs cannot be read";
    let culprit = [GOTCHAS, LEARNED, OFFSET]
        .into_iter()
        .find(|file| Log::read(record, file).is_err());
    let Some(file) = culprit else {
        return Row::fail(NAME, DETAIL, "mnemo status").with(vec![Evidence::new(
            "memory",
            None,
            error.to_string(),
        )]);
    };
    let path = record.root().path().join(file);
    let is_file = std::fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_file());
    let is_readable = is_file && std::fs::File::open(&path).is_ok();
    let help = if !is_file {
        format!("rm -r {file}  (it is no file; the hooks make one)")
    } else if is_readable {
        // Too large to be looked at: the hooks move a log away at 10 MB.
        let aside = file.replace("observations.jsonl", "archive");
        format!("mkdir -p {aside} && mv {file} {aside}/")
    } else {
        format!("chmod u+rw {}", quoted(file))
    };
    Row::fail(NAME, DETAIL, help).with(vec![Evidence::new(file, None, error.to_string())])
}

fn distilled(logs: &Logs) -> Row {
    const NAME: &str = "observations";
    let (failures, successes) = logs.backlog();
    if logs.is_offset_damaged() {
        return Row::fail(
            NAME,
            "the distill offset cannot be read, so all there is counts as new",
            format!("rm {OFFSET}  (or `mnemo distill --done`, when what `mnemo distill` shows is in the memory)"),
        )
        .with(vec![Evidence::new(OFFSET, Some(1), "not `FAILURES SUCCESSES SECONDS`")]);
    }
    if logs.is_offset_beyond() {
        return Row::fail(
            NAME,
            "the distill offset lies beyond the logs, so nothing new would be seen",
            "mnemo doctor --fix",
        )
        .with(vec![Evidence::new(
            OFFSET,
            Some(1),
            format!("{failures} and {successes} lines since it"),
        )]);
    }
    let bytes = logs.gotchas.bytes.len() + logs.learned.bytes.len();
    let detail = format!(
        "{} and {} since the last distilling, {} KB",
        counted(failures, "failure"),
        counted(successes, "success"),
        bytes / 1024
    );
    if failures >= BACKLOG {
        return Row::warn(
            NAME,
            detail,
            "mnemo distill --done  (when what `mnemo distill` shows is in the memory)",
        )
        .with(vec![Evidence::new(
            GOTCHAS,
            None,
            format!("{failures} new lines, {BACKLOG} are many"),
        )]);
    }
    Row::ok(NAME, detail)
}

fn misfiled(logs: &Logs) -> Row {
    const NAME: &str = "misfiled-observations";
    let lines = logs.misfiled();
    if lines.is_empty() {
        return Row::ok(NAME, "no success is filed as a failure");
    }
    let evidence = lines
        .iter()
        .take(KEPT)
        .map(|line| Evidence::new(GOTCHAS, Some(*line), "a success by its own words"))
        .collect();
    Row::warn(
        NAME,
        format!(
            "{} among {}",
            counted(lines.len(), "success"),
            counted(logs.gotchas.count(), "failure")
        ),
        "mnemo reclassify --apply",
    )
    .with(evidence)
}

fn absolute(patient: &Patient, record: &Record) -> Row {
    const NAME: &str = "absolute-paths";
    let spots = match fix::absolute_paths(record) {
        Ok(spots) => spots,
        Err(error) => {
            return Row::warn(NAME, "the logs could not be looked at", "mnemo status").with(vec![
                Evidence::new("conversations", None, error.to_string()),
            ]);
        }
    };
    if spots.is_empty() {
        let prose = if patient.deep { in_prose(record) } else { 0 };
        return Row::ok(
            NAME,
            match prose {
                0 => "none in logs and handoffs".to_owned(),
                count => format!(
                    "none in logs and handoffs; {} in their own words, which stay",
                    counted(count, "day file")
                ),
            },
        );
    }
    let evidence = spots
        .iter()
        .take(KEPT)
        .map(|spot| Evidence::new(spot.file.clone(), Some(spot.line), spot.text.clone()))
        .collect();
    Row::warn(
        NAME,
        format!(
            "{} inside the project, useless when it moves",
            counted(spots.len(), "absolute path")
        ),
        "mnemo doctor --fix",
    )
    .with(evidence)
}

/// Day files in whose text the root's path stands.
fn in_prose(record: &Record) -> usize {
    let Some(root) = record.root().path().to_str() else {
        return 0;
    };
    record
        .days()
        .unwrap_or_default()
        .into_iter()
        .filter_map(|date| record.day_path(date).ok())
        .filter(|path| {
            safe_file::read(path, 1 << 30)
                .ok()
                .flatten()
                .is_some_and(|bytes| memchr::memmem::find(&bytes, root.as_bytes()).is_some())
        })
        .count()
}
