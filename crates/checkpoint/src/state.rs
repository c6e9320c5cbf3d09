//! The state file's text: read whatever it holds, write it in one form.

use crate::{Due, State};
use chrono::{DateTime, SecondsFormat, TimeDelta, Utc};
use serde_json::{Map, Value};

/// The format this version writes.
const VERSION: u64 = 1;
/// The count stops here.
const MOST_STOPS: u32 = 1_000_000;
/// A stamp this far ahead of the clock is taken for a slip between two machines, not for damage.
const SLACK: TimeDelta = TimeDelta::minutes(1);
/// Our own keys, in the order they are written.
const KEYS: [&str; 5] = ["version", "stops", "first_stop", "last_trigger", "pending"];

/// What a file held.
#[derive(Debug, Default)]
pub(crate) struct Parsed {
    pub(crate) state: State,
    /// Keys of others, kept.
    pub(crate) others: Map<String, Value>,
    /// What was wrong.
    pub(crate) wrong: Vec<&'static str>,
    /// The file should be put aside before it is written over.
    pub(crate) put_aside: bool,
}

/// Reads a state; anything at all becomes one.
pub(crate) fn parse(bytes: &[u8]) -> Parsed {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let mut parsed = Parsed::default();
    if bytes.trim_ascii().is_empty() {
        parsed.wrong.push("it was empty");
        return parsed;
    }
    let Ok(Value::Object(mut map)) = serde_json::from_slice(bytes) else {
        parsed.wrong.push("it was damaged");
        parsed.put_aside = true;
        return parsed;
    };
    match map.get("version").map(Value::as_u64) {
        Some(Some(VERSION)) => {}
        Some(Some(version)) if version > VERSION => {
            parsed.wrong.push("it was from a newer version");
            parsed.put_aside = true;
        }
        _ => parsed.wrong.push("it had no valid version"),
    }
    if let Some(value) = map.get("stops") {
        if let Some(stops) = value.as_u64() {
            parsed.state.stops = u32::try_from(stops).unwrap_or(MOST_STOPS).min(MOST_STOPS);
        } else {
            parsed.wrong.push("its count was not a number of stops");
        }
    } else {
        parsed.wrong.push("its count was missing");
    }
    let mut stamp = |key: &str, wrong: &'static str| match map.get(key) {
        None | Some(Value::Null) => None,
        Some(value) => {
            let time = value
                .as_str()
                .and_then(|text| DateTime::parse_from_rfc3339(text).ok())
                .map(|time| time.with_timezone(&Utc));
            if time.is_none() {
                parsed.wrong.push(wrong);
            }
            time
        }
    };
    parsed.state.first_stop = stamp("first_stop", "its first stop was not a time");
    parsed.state.last_trigger = stamp("last_trigger", "its last trigger was not a time");
    parsed.state.pending = match map.get("pending") {
        None | Some(Value::Null) => false,
        Some(Value::Bool(pending)) => *pending,
        Some(_) => {
            parsed
                .wrong
                .push("its pending mark was neither true nor false");
            false
        }
    };
    for key in KEYS {
        map.remove(key);
    }
    if !parsed.put_aside {
        parsed.others = map;
    }
    parsed
}

/// Writes a state: one line, our keys first.
pub(crate) fn render(state: &State, others: &Map<String, Value>) -> String {
    let stamp = |time: Option<DateTime<Utc>>| match time {
        Some(time) => format!("\"{}\"", time.to_rfc3339_opts(SecondsFormat::Secs, true)),
        None => "null".to_owned(),
    };
    let mut text = format!(
        "{{\"version\":{VERSION},\"stops\":{},\"first_stop\":{},\"last_trigger\":{}",
        state.stops,
        stamp(state.first_stop),
        stamp(state.last_trigger)
    );
    if state.pending {
        text.push_str(",\"pending\":true");
    }
    for (key, value) in others {
        text.push(',');
        text.push_str(&Value::from(key.as_str()).to_string());
        text.push(':');
        text.push_str(&value.to_string());
    }
    text.push('}');
    text
}

/// Takes stamps that lie ahead of the clock to now, so that a clock that was set back, or a stamp
/// that is wrong, holds nothing up for longer than the threshold. Says what it changed.
pub(crate) fn heal_times(state: &mut State, now: DateTime<Utc>) -> Option<&'static str> {
    let mut healed = false;
    for stamp in [&mut state.first_stop, &mut state.last_trigger] {
        if let Some(time) = stamp
            && *time > now
        {
            healed |= *time > now + SLACK;
            *time = now;
        }
    }
    healed.then_some("a time in it lay in the future")
}

/// Counts one stop.
pub(crate) fn count(state: &mut State, now: DateTime<Utc>) {
    state.stops = state.stops.saturating_add(1).min(MOST_STOPS);
    if state.first_stop.is_none() {
        state.first_stop = Some(now);
    }
}

/// Whether enough stops and enough whole seconds have passed.
pub(crate) fn is_due(state: &State, now: DateTime<Utc>, due: Due) -> bool {
    if state.stops < due.stops {
        return false;
    }
    match state.last_trigger.or(state.first_stop) {
        Some(since) => now.timestamp() - since.timestamp() >= i64::from(due.minutes) * 60,
        None => true,
    }
}

/// Notes a trigger.
pub(crate) fn trigger(state: &mut State, now: DateTime<Utc>, pending: bool) {
    *state = State {
        stops: 0,
        first_stop: None,
        last_trigger: Some(now),
        pending,
    };
}
