//! The newest handoff: whether it can be gone on from.

use super::{Evidence, Level, Patient, Row, quoted};
use handoff::Verdict;
use record::Record;
use record::root::Root;

pub(super) fn all(patient: &Patient, root: &Root, _record: &Record) -> Vec<Row> {
    vec![newest(patient, root)]
}

fn newest(patient: &Patient, root: &Root) -> Row {
    const NAME: &str = "handoffs";
    let handoffs = match handoff::list(root) {
        Ok(handoffs) => handoffs,
        Err(error) => {
            return Row::fail(NAME, "the handoffs cannot be read", "mnemo handoff list").with(
                vec![Evidence::new(handoff::FOLDER, None, error.to_string())],
            );
        }
    };
    let Some(newest) = handoffs.first() else {
        return Row::ok(
            NAME,
            "none yet; `mnemo handoff create` writes one before a context is full",
        );
    };
    let validation = handoff::validate(newest, Some(root));
    let mut row = Row::ok(
        NAME,
        format!("{} handoffs, the newest {}", handoffs.len(), newest.name()),
    );
    if validation.verdict != Verdict::Ready {
        row = Row::warn(
            NAME,
            format!("the newest handoff is {}", validation.verdict),
            format!("mnemo handoff validate {}", quoted(&newest.file)),
        );
        if validation.verdict == Verdict::Blocked {
            row.level = Level::Fail;
        }
        return row.with(
            validation
                .reasons
                .iter()
                .map(|reason| Evidence::new(newest.file.clone(), reason.line, reason.text.clone()))
                .collect(),
        );
    }
    let staleness = handoff::staleness(newest, root, patient.env);
    if staleness.level.is_good() {
        return row;
    }
    Row::warn(
        NAME,
        format!(
            "the newest handoff is {}: {}",
            staleness.level,
            staleness.level.advice()
        ),
        "mnemo handoff create",
    )
    .with(
        staleness
            .issues
            .iter()
            .map(|issue| Evidence::new(newest.file.clone(), None, issue.clone()))
            .collect(),
    )
}
