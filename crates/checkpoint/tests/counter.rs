//! The counter through its public face.
#![allow(clippy::disallowed_methods, reason = "tests make files and wait")]
#![allow(
    clippy::unwrap_used,
    clippy::similar_names,
    reason = "helpers of a test; `counter` and `counted` are what they are"
)]

use checkpoint::{Counted, Counter, Due, State, WhenDue};
use chrono::{DateTime, TimeDelta, Utc};
use proptest::prelude::*;
use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

const DUE: Due = Due {
    stops: 20,
    minutes: 30,
};

fn time(text: &str) -> DateTime<Utc> {
    DateTime::parse_from_rfc3339(text)
        .unwrap()
        .with_timezone(&Utc)
}

fn noon() -> DateTime<Utc> {
    time("2026-11-30T12:00:00Z")
}

fn written(counter: &Counter) -> String {
    fs::read_to_string(counter.path()).unwrap()
}

fn put(folder: &Path, text: &str) -> Counter {
    let counter = Counter::in_folder(folder);
    fs::write(counter.path(), text).unwrap();
    counter
}

fn count(counter: &Counter, now: DateTime<Utc>) -> Counted {
    counter.count(now, DUE, || WhenDue::Emit).unwrap()
}

fn put_aside(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.contains("damaged"))
        .collect();
    names.sort();
    names
}

#[test]
fn first_stop_makes_the_folder_and_the_file() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("projects/-a/memory");
    let counter = Counter::in_folder(&folder);
    assert_eq!(counter.peek().unwrap(), State::default());
    assert!(!counter.take_pending(noon()).unwrap());
    assert!(!folder.exists(), "looking makes nothing");
    let counted = count(&counter, time("2026-11-30T04:31:00.75Z"));
    assert!(!counted.due);
    assert_eq!(counted.healed, None);
    assert_eq!(
        written(&counter),
        r#"{"version":1,"stops":1,"first_stop":"2026-11-30T04:31:00Z","last_trigger":null}"#
    );
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(&folder), 0o700);
        assert_eq!(mode(counter.path()), 0o600);
    }
}

#[test]
fn due_needs_both_thresholds() {
    let home = tempfile::tempdir().unwrap();
    // Enough stops, one second too early.
    let counter = put(
        home.path(),
        r#"{"version":1,"stops":19,"first_stop":"2026-11-30T11:30:01Z","last_trigger":null}"#,
    );
    assert!(!count(&counter, noon()).due);
    assert!(count(&counter, noon() + TimeDelta::seconds(1)).due);
    assert_eq!(
        written(&counter),
        r#"{"version":1,"stops":0,"first_stop":null,"last_trigger":"2026-11-30T12:00:01Z"}"#
    );
    // Enough minutes, one stop too few; then the last trigger counts, not the first stop.
    let later = noon() + TimeDelta::minutes(31);
    for _ in 0..19 {
        assert!(!count(&counter, later).due);
    }
    assert!(count(&counter, later).due);
    // Never twice.
    assert!(!count(&counter, later).due);
}

#[test]
fn when_due_is_asked_only_when_due() {
    let home = tempfile::tempdir().unwrap();
    let counter = Counter::in_folder(home.path());
    counter
        .count(noon(), DUE, || unreachable!("not due"))
        .unwrap();
    let zero = Due {
        stops: 0,
        minutes: 0,
    };
    let mut asked = false;
    counter
        .count(noon(), zero, || {
            asked = true;
            WhenDue::Wait
        })
        .unwrap();
    assert!(asked);
}

#[test]
fn waiting_stays_due() {
    let home = tempfile::tempdir().unwrap();
    let counter = put(
        home.path(),
        r#"{"version":1,"stops":40,"first_stop":"2026-11-30T09:00:00Z","last_trigger":null}"#,
    );
    let counted = counter.count(noon(), DUE, || WhenDue::Wait).unwrap();
    assert!(!counted.due);
    assert_eq!(counted.state.stops, 41);
    assert!(count(&counter, noon()).due);
}

#[test]
fn handed_over_once() {
    let home = tempfile::tempdir().unwrap();
    let counter = put(
        home.path(),
        r#"{"version":1,"stops":40,"first_stop":"2026-11-30T09:00:00Z","last_trigger":null}"#,
    );
    let counted = counter.count(noon(), DUE, || WhenDue::HandOver).unwrap();
    assert!(!counted.due);
    assert!(counted.state.pending);
    assert_eq!(
        written(&counter),
        r#"{"version":1,"stops":0,"first_stop":null,"last_trigger":"2026-11-30T12:00:00Z","pending":true}"#
    );
    // A stop in between does not lose it.
    count(&counter, noon());
    assert!(counter.peek().unwrap().pending);
    assert!(counter.take_pending(noon()).unwrap());
    assert!(!counter.take_pending(noon()).unwrap());
    assert_eq!(
        written(&counter),
        r#"{"version":1,"stops":1,"first_stop":"2026-11-30T12:00:00Z","last_trigger":"2026-11-30T12:00:00Z"}"#
    );
}

#[test]
fn fifty_at_once_count_fifty_and_one_emits() {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("memory");
    let emitted = AtomicUsize::new(0);
    let due = Due {
        stops: 50,
        minutes: 0,
    };
    std::thread::scope(|scope| {
        for _ in 0..50 {
            scope.spawn(|| {
                let counter = Counter::in_folder(&folder);
                if counter.count(noon(), due, || WhenDue::Emit).unwrap().due {
                    emitted.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(emitted.load(Ordering::Relaxed), 1);
    assert_eq!(Counter::in_folder(&folder).peek().unwrap().stops, 0);

    let never = Due {
        stops: 1000,
        minutes: 0,
    };
    std::thread::scope(|scope| {
        for _ in 0..50 {
            scope.spawn(|| {
                Counter::in_folder(&folder)
                    .count(noon(), never, || WhenDue::Emit)
                    .unwrap();
            });
        }
    });
    assert_eq!(Counter::in_folder(&folder).peek().unwrap().stops, 50);
}

#[test]
fn a_pending_checkpoint_is_taken_by_one() {
    let home = tempfile::tempdir().unwrap();
    put(
        home.path(),
        r#"{"version":1,"stops":0,"first_stop":null,"last_trigger":null,"pending":true}"#,
    );
    let taken = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..20 {
            scope.spawn(|| {
                if Counter::in_folder(home.path())
                    .take_pending(noon())
                    .unwrap()
                {
                    taken.fetch_add(1, Ordering::Relaxed);
                }
            });
        }
    });
    assert_eq!(taken.load(Ordering::Relaxed), 1);
}

#[test]
fn damaged_states_heal_and_are_kept() {
    for text in [
        "garbage",
        "{",
        "[]",
        "17",
        "null",
        "{\"version\":1,\"stops\":1",
        "{\"version\":2,\"stops\":5,\"shape\":\"new\"}",
        "{\"version\":18446744073709551615,\"stops\":5}",
        "\u{0}\u{0}\u{0}\u{0}",
    ] {
        let home = tempfile::tempdir().unwrap();
        let counter = put(home.path(), text);
        let counted = count(&counter, noon());
        let healed = counted.healed.expect(text);
        assert!(healed.contains(".consolidate-state"), "{healed}");
        assert!(counted.state.stops >= 1);
        assert!(written(&counter).starts_with("{\"version\":1,\"stops\":"));
        let asides = put_aside(home.path());
        assert_eq!(asides, [".consolidate-state.damaged-20261130-120000"]);
        assert_eq!(
            fs::read_to_string(home.path().join(&asides[0])).unwrap(),
            text
        );
        assert_eq!(count(&counter, noon()).healed, None, "healed once");
    }
}

#[test]
fn wrong_values_heal_in_place() {
    for text in [
        "",
        "  \n",
        r#"{"version":1,"stops":-3,"first_stop":null,"last_trigger":null}"#,
        r#"{"version":1,"stops":"many","first_stop":null,"last_trigger":null}"#,
        r#"{"version":1,"stops":1.5,"first_stop":null,"last_trigger":null}"#,
        r#"{"version":-1,"stops":1,"first_stop":null,"last_trigger":null}"#,
        r#"{"stops":1}"#,
        r#"{"version":1}"#,
        r#"{"version":1,"stops":1,"first_stop":"yesterday","last_trigger":null}"#,
        r#"{"version":1,"stops":1,"first_stop":null,"last_trigger":1764504000}"#,
        r#"{"version":1,"stops":1,"first_stop":null,"last_trigger":null,"pending":"yes"}"#,
        r#"{"version":1,"stops":1,"first_stop":"2999-01-01T00:00:00Z","last_trigger":null}"#,
        r#"{"version":1,"stops":1,"first_stop":null,"last_trigger":"2026-11-30T12:05:00Z"}"#,
    ] {
        let home = tempfile::tempdir().unwrap();
        let counter = put(home.path(), text);
        let counted = count(&counter, noon());
        assert!(counted.healed.is_some(), "{text}");
        assert!((1..=2).contains(&counted.state.stops), "{text}");
        assert_eq!(count(&counter, noon()).healed, None, "{text}");
        assert!(put_aside(home.path()).is_empty());
        // Half an hour later it works as ever.
        let due = Due {
            stops: 2,
            minutes: 30,
        };
        let later = noon() + TimeDelta::minutes(30);
        assert!(
            counter.count(later, due, || WhenDue::Emit).unwrap().due,
            "{text}"
        );
    }
}

#[test]
fn a_folder_in_its_place_is_moved_aside_whole() {
    let home = tempfile::tempdir().unwrap();
    let counter = Counter::in_folder(home.path());
    fs::create_dir(counter.path()).unwrap();
    fs::write(counter.path().join("mine.txt"), "keep").unwrap();
    assert_eq!(counter.peek().unwrap(), State::default());
    assert!(!counter.take_pending(noon()).unwrap());
    let counted = count(&counter, noon());
    assert!(counted.healed.unwrap().contains("damaged-20261130-120000"));
    assert_eq!(counted.state.stops, 1);
    let kept = home
        .path()
        .join(".consolidate-state.damaged-20261130-120000/mine.txt");
    assert_eq!(fs::read_to_string(kept).unwrap(), "keep");
    // The same once more in the same second.
    fs::remove_file(counter.path()).unwrap();
    fs::create_dir(counter.path()).unwrap();
    count(&counter, noon());
    assert_eq!(put_aside(home.path()).len(), 2);
}

#[test]
fn a_small_slip_of_the_clock_is_no_damage() {
    let home = tempfile::tempdir().unwrap();
    let counter = put(
        home.path(),
        r#"{"version":1,"stops":1,"first_stop":"2026-11-30T12:00:30Z","last_trigger":null}"#,
    );
    let counted = count(&counter, noon());
    assert_eq!(counted.healed, None);
    assert_eq!(counted.state.first_stop, Some(noon()));
}

#[test]
fn keys_of_others_stay() {
    let home = tempfile::tempdir().unwrap();
    let counter = put(
        home.path(),
        "{ \"note\": \"한글 \\\"x\\\"\", \"version\": 1, \"stops\": 3, \"first_stop\": null, \"last_trigger\": null, \"more\": {\"a\": [1]} }\r\n",
    );
    count(&counter, noon());
    assert_eq!(
        written(&counter),
        r#"{"version":1,"stops":4,"first_stop":"2026-11-30T12:00:00Z","last_trigger":null,"more":{"a":[1]},"note":"한글 \"x\""}"#
    );
}

#[test]
fn huge_counts_do_not_overflow() {
    let home = tempfile::tempdir().unwrap();
    let counter = put(
        home.path(),
        r#"{"version":1,"stops":18446744073709551615,"first_stop":null,"last_trigger":"2026-11-30T11:59:00Z"}"#,
    );
    count(&counter, noon());
    assert!(counter.peek().unwrap().stops < u32::MAX);
    let far = Due {
        stops: u32::MAX,
        minutes: u32::MAX,
    };
    assert!(!counter.count(noon(), far, || WhenDue::Emit).unwrap().due);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// Whatever the file holds and however the clock jumped: after the threshold's number of stops
    /// spread over the threshold's time (the clock going forward) the checkpoint comes.
    #[test]
    fn never_freezes(start in ".{0,80}", jumps in prop::collection::vec(-4_000_000_000_i64..4_000_000_000, 0..12)) {
        let home = tempfile::tempdir().unwrap();
        let counter = put(home.path(), &start);
        let due = Due { stops: 5, minutes: 30 };
        let mut now = noon();
        for jump in jumps {
            now = noon() + TimeDelta::seconds(jump);
            counter.count(now, due, || WhenDue::Emit).unwrap();
        }
        let mut emitted = false;
        // One stop more: the first one brings stamps of the future down to now.
        for _ in 0..=5 {
            emitted |= counter.count(now, due, || WhenDue::Emit).unwrap().due;
            now += TimeDelta::minutes(6);
        }
        prop_assert!(emitted);
    }

    #[test]
    fn any_bytes_heal(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let home = tempfile::tempdir().unwrap();
        let counter = Counter::in_folder(home.path());
        fs::write(counter.path(), &bytes).unwrap();
        counter.peek().unwrap();
        counter.take_pending(noon()).unwrap();
        prop_assert!(count(&counter, noon()).healed.is_some());
        prop_assert!(count(&counter, noon()).healed.is_none());
    }
}
