//! The run loop of a hook executable.

use crate::answer::Outcome;
use crate::event::{Event, session_of};
use crate::ids::SessionId;
use crate::input;
use mnemo_home::{Env, log_error, notes};
use std::io::Write as _;
use std::panic::PanicHookInfo;
use std::process::ExitCode;
use std::sync::atomic::{AtomicBool, Ordering};

/// Runs a hook: `--version`/`--help` by hand; else reads stdin to its end (at most 1 s after the
/// last byte), parses, honours the off switch and a plugin copy's duplicate, calls `handle`,
/// prints its answer, logs its complaints; exit 0 always, panics included.
///
/// A payload that does not name its event counts as the first of `events`. An empty input is nothing to
/// handle and nothing to complain about.
pub fn run(
    program: &'static str,
    version: &'static str,
    events: &'static [&'static str],
    handle: impl FnOnce(&Event, &Env) -> Outcome,
) -> ExitCode {
    let default_event = events.first().copied().unwrap_or_default();
    if let Some(text) = asked_by_hand(program, version, &events.join(" and ")) {
        let _ = std::io::stdout().write_all(text.as_bytes());
        return ExitCode::SUCCESS;
    }
    std::panic::set_hook(Box::new(move |info| end_silently(program, info)));
    let env = Env::of_process();
    mnemo_home::leave_unreadable_zone(&env);
    let input = input::drain();
    work(program, default_event, input, &env, handle);
    // Not through the destructors: freeing a large payload takes time and serves nobody.
    std::process::exit(0)
}

fn work(
    program: &str,
    default_event: &str,
    input: input::Input,
    env: &Env,
    handle: impl FnOnce(&Event, &Env) -> Outcome,
) {
    if env.disabled() {
        note_off(program, &input.bytes, env);
        return;
    }
    // The settings' copy of this hook gets the same event.
    let by_plugin = env.get_os("CLAUDE_PLUGIN_ROOT").is_some();
    if by_plugin && notes::wired(env, program) {
        return;
    }
    if input.too_long {
        log(
            env,
            program,
            "event not handled, its payload is too long to be kept in memory",
        );
        return;
    }
    let parsed = Event::parse_as(&input.bytes, default_event);
    drop(input);
    match parsed {
        Ok(None) => {}
        Ok(Some(event)) => {
            if by_plugin
                && matches!(event, Event::SessionStart { .. })
                && let Err(error) = notes::mark_plugin_started(env, env.now().to_utc())
            {
                log(env, program, &error.to_string());
            }
            let outcome = handle(&event, env);
            outcome.answer.print();
            for message in &outcome.log {
                log(env, program, message);
            }
        }
        Err(complaint) => log(env, program, &complaint),
    }
}

/// Off means off: only which session, and when.
fn note_off(program: &str, payload: &[u8], env: &Env) {
    let session =
        session_of(payload).or_else(|| env.get("CLAUDE_CODE_SESSION_ID").and_then(SessionId::new));
    if let Some(session) = session
        && let Err(error) = notes::mark_off(env, session.as_str(), env.now().to_utc())
    {
        log(env, program, &error.to_string());
    }
}

/// The answer to `--version` or `--help`; all other arguments mean nothing.
fn asked_by_hand(program: &str, version: &str, events: &str) -> Option<String> {
    std::env::args_os().skip(1).find_map(|argument| {
        if argument == "--version" || argument == "-V" {
            Some(format!("{program} {version}\n"))
        } else if argument == "--help" || argument == "-h" {
            Some(format!(
                "{program} {version}: a hook of mnemo that Claude Code starts at {events} events.\n\
                 It reads one event as JSON from standard input; `mnemo install` wires it.\n\
                 Options: --version, --help. MNEMO_DISABLE=1 switches it off.\n"
            ))
        } else {
            None
        }
    })
}

/// A message is being logged: a panic now must not log again.
static LOGGING: AtomicBool = AtomicBool::new(false);

fn log(env: &Env, program: &str, message: &str) {
    LOGGING.store(true, Ordering::Relaxed);
    log_error(env, program, message);
    LOGGING.store(false, Ordering::Relaxed);
}

/// The panic hook. Ends the process itself, because `panic = "abort"` would end it with a signal,
/// which the client shows as an error. The panic's text may hold what the user wrote: only the
/// place is logged.
fn end_silently(program: &str, info: &PanicHookInfo<'_>) {
    if !LOGGING.swap(true, Ordering::Relaxed) {
        let place = info.location().map_or_else(
            || "an unknown place".to_owned(),
            |at| format!("{}:{}", at.file(), at.line()),
        );
        log_error(&Env::of_process(), program, &format!("panicked at {place}"));
    }
    std::process::exit(0)
}
