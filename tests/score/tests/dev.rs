//! The scores on the labelled memory that lies with the project.

use mnemo_score::{
    Score, Scorer, Set, anchors, check, overlap, relations, search, sensitive, verdicts,
};
use std::path::Path;

fn reached(scorer: Scorer) {
    reached_on("dev", scorer);
}

/// On one of the archives.
fn reached_on(set: &str, scorer: Scorer) {
    let archive = format!("crates/memory/tests/data/{set}.tar.gz");
    let archive = mnemo_tests::bins::workspace().join(archive);
    of(scorer, &Set::unpack(Path::new(&archive)));
}

/// As [`reached`], on a set of another domain and other languages in front.
fn reached_elsewhere(scorer: Scorer) {
    of(scorer, &Set::of_text(include_str!("data/clinic.set")));
}

fn of(scorer: Scorer, set: &Set) {
    let score: Score = scorer(set, &mnemo_tests::bin("mnemo"));
    assert!(score.reached(), "\n{score}");
}

#[test]
fn relations_are_found_as_labelled() {
    reached(relations::score);
    reached_elsewhere(relations::score);
}

#[test]
fn verdicts_are_proposed_as_labelled() {
    reached(verdicts::score);
    reached_elsewhere(verdicts::score);
}

#[test]
fn search_ranks_the_labelled_queries() {
    for set in ["shop", "harbour"] {
        let folder = format!("crates/recall/tests/data/{set}");
        let folder = mnemo_tests::bins::workspace().join(folder);
        let score = search::score(&Set::open(&folder), &mnemo_tests::bin("mnemo"));
        assert!(score.reached(), "{set}\n{score}");
    }
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

#[test]
fn what_is_said_already_is_named_and_refused() {
    reached(overlap::score);
}

#[test]
fn what_is_said_already_is_named_and_refused_in_another_domain() {
    reached_on("rota", overlap::score);
}
