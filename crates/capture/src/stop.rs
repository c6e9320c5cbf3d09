//! The stop counter, and the way a due checkpoint reaches the assistant.

use crate::memory::Memory;
use crate::pending;
use crate::place::Place;
use checkpoint::{Due, WhenDue};
use chrono::Utc;
use claude_hook::{Answer, Common, Event, Outcome};
use mnemo_home::{Config, Deliver, Env};

/// The first client that takes context from a Stop hook; older ones show it as an error.
const CONTEXT_AT_STOP_SINCE: [u32; 3] = [2, 1, 163];

/// Variables that 2.1.59 does not set for its hooks and 2.1.197 does (measured).
const NEWER_SET: [&str; 2] = ["CLAUDECODE", "CLAUDE_CODE_SESSION_ATTENDED"];

pub(crate) fn count(event: &Event, env: &Env) -> Outcome {
    let mut outcome = Outcome::silent();
    let Event::Stop {
        common,
        continuation,
        background,
        ..
    } = event
    else {
        return outcome;
    };
    // A continued turn is the same turn, and a subagent's end is not a stop of the main thread.
    if *continuation || common.agent_id.is_some() {
        return outcome;
    }
    let Some(place) = Place::of(common, None, env, &mut outcome.log) else {
        return outcome;
    };
    let memory = Memory::of(place.record.root(), &place.start, env);
    let Some(file) = memory.counter() else {
        return outcome;
    };
    let due = Due {
        stops: place.config.checkpoint_stops,
        minutes: place.config.checkpoint_minutes,
    };
    let mut decided = WhenDue::Wait;
    let result = file.count(env.now().with_timezone(&Utc), due, || {
        decided = decide(common, *background, &place.config, env);
        decided
    });
    match result {
        Ok(counted) => {
            outcome.log.extend(counted.healed);
            if decided == WhenDue::Emit && counted.due {
                outcome.answer = Answer::Context {
                    event: "Stop",
                    text: memory.checkpoint_prompt(place.record.root(), &place.config, env),
                };
            } else if decided == WhenDue::HandOver
                && let Err(error) = pending::note(place.record.root(), env)
            {
                outcome.log.push(error.to_string());
            }
        }
        Err(error) => outcome.log.push(error.to_string()),
    }
    outcome
}

/// What happens to a checkpoint that is due at this stop.
fn decide(common: &Common, background: Option<bool>, config: &Config, env: &Env) -> WhenDue {
    if !attended(env) {
        return WhenDue::Wait;
    }
    match config.deliver {
        Deliver::Off => WhenDue::Wait,
        Deliver::Stop if background == Some(true) => WhenDue::Wait,
        Deliver::Stop if takes_context_at_stop(common, background.is_some(), env) => WhenDue::Emit,
        Deliver::Stop | Deliver::NextPrompt => WhenDue::HandOver,
    }
}

/// Whether a person is there. In print mode a continuation would replace the printed result.
pub(crate) fn attended(env: &Env) -> bool {
    match env.get("CLAUDE_CODE_SESSION_ATTENDED") {
        Some(value) => value == "1",
        None => !env
            .get("CLAUDE_CODE_ENTRYPOINT")
            .is_some_and(|entry| entry.starts_with("sdk-")),
    }
}

/// The version stands on the transcript's lines, but a client under load writes them after its
/// first Stop hook has run. Then what only newer clients hand over tells: the list of background
/// tasks (2.1.145) or one of the variables in [`NEWER_SET`]. A hook run by hand counts as current.
fn takes_context_at_stop(common: &Common, tells_tasks: bool, env: &Env) -> bool {
    let version = common
        .transcript
        .as_deref()
        .and_then(transcript::client_version)
        .and_then(|version| parse_version(&version));
    match version {
        Some(version) => version >= CONTEXT_AT_STOP_SINCE,
        None => {
            tells_tasks
                || env.get("CLAUDE_CODE_ENTRYPOINT").is_none()
                || NEWER_SET.iter().any(|name| env.get(name).is_some())
        }
    }
}

fn parse_version(text: &str) -> Option<[u32; 3]> {
    let mut parts = text.trim().splitn(3, '.').map(|part| {
        let digits: &str = part.split(|c: char| !c.is_ascii_digit()).next()?;
        digits.parse().ok()
    });
    Some([parts.next()??, parts.next()??, parts.next()??])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_is_there_unless_the_client_says_otherwise() {
        let with = |pairs: &[(&str, &str)]| attended(&Env::from_pairs(pairs.iter().copied()));
        assert!(with(&[]));
        assert!(with(&[("CLAUDE_CODE_ENTRYPOINT", "cli")]));
        assert!(!with(&[("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")]));
        assert!(!with(&[("CLAUDE_CODE_ENTRYPOINT", "sdk-ts")]));
        assert!(with(&[
            ("CLAUDE_CODE_SESSION_ATTENDED", "1"),
            ("CLAUDE_CODE_ENTRYPOINT", "sdk-cli")
        ]));
        assert!(!with(&[
            ("CLAUDE_CODE_SESSION_ATTENDED", "0"),
            ("CLAUDE_CODE_ENTRYPOINT", "cli")
        ]));
    }

    #[test]
    fn versions_compare_by_number() {
        assert!(parse_version("2.1.59").unwrap() < CONTEXT_AT_STOP_SINCE);
        assert!(parse_version("2.1.163").unwrap() >= CONTEXT_AT_STOP_SINCE);
        assert!(parse_version("2.1.1000-beta").unwrap() >= CONTEXT_AT_STOP_SINCE);
        assert_eq!(parse_version("new"), None);
    }
}
