//! Waiting for a condition instead of sleeping.

use std::time::{Duration, Instant};

/// Asks `check` every 20 ms until it gives a value; `None` after `limit`.
pub fn until<T>(limit: Duration, mut check: impl FnMut() -> Option<T>) -> Option<T> {
    let end = Instant::now() + limit;
    loop {
        if let Some(value) = check() {
            return Some(value);
        }
        if Instant::now() >= end {
            return None;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// As [`until`], for a condition.
pub fn holds(limit: Duration, mut check: impl FnMut() -> bool) -> bool {
    until(limit, || check().then_some(())).is_some()
}
