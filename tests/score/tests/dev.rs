//! The scores on the labelled memory that lies with the project.

use mnemo_score::{Score, Scorer, Set, anchors, check, sensitive};
use std::path::Path;

fn reached(scorer: Scorer) {
    let archive = mnemo_tests::bins::workspace().join("crates/memory/tests/data/dev.tar.gz");
    let set = Set::unpack(Path::new(&archive));
    let score: Score = scorer(&set, &mnemo_tests::bin("mnemo"));
    assert!(score.reached(), "\n{score}");
}

#[test]
fn the_audit_agrees_with_every_mechanical_label() {
    reached(check::score);
}

#[test]
fn every_secret_is_reported_and_no_look_alike() {
    reached(sensitive::score);
}

#[test]
fn anchors_are_judged_as_labelled() {
    reached(anchors::score);
}
