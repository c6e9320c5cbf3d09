//! The checkpoint's counter.

use crate::scratch::{NOW, Scratch};
use checkpoint::{Counter, Due, WhenDue};
use chrono::{DateTime, Utc};

/// Any state counts on, is healed by the first stop, and is due again within the thresholds.
pub(crate) fn checkpoint(bytes: &[u8]) {
    let scratch = Scratch::new();
    scratch.write("memory/.consolidate-state", bytes);
    let counter = Counter::in_folder(&scratch.home().join("memory"));
    let now: DateTime<Utc> = NOW.parse().unwrap();
    let due = Due {
        stops: 20,
        minutes: 30,
    };
    drop(counter.peek());
    let first = counter.count(now, due, || WhenDue::Emit).unwrap();
    assert!(first.due == (first.state.stops == 0));
    let second = counter.count(now, due, || WhenDue::Emit).unwrap();
    assert_eq!(second.healed, None, "after {:?}", first.healed);
    counter.take_pending(now).unwrap();
    assert!(!counter.take_pending(now).unwrap());

    let later = now + chrono::TimeDelta::minutes(31);
    let emitted = (0..21).filter(|_| counter.count(later, due, || WhenDue::Emit).unwrap().due);
    assert_eq!(emitted.count(), 1);
}
