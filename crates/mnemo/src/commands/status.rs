//! `mnemo status`

use super::{Outcome, directory, root_and_config, why_not};
use crate::cli::Status;
use crate::exit::{Exit, Failure};
use crate::terminal;
use capture::Memory;
use checkpoint::Due;
use chrono::{Local, NaiveDateTime, NaiveTime, Utc};
use mnemo_home::{Config, Deliver, Env, Folders, Language, counted};
use record::Record;
use record::root::{NoRoot, Root, Why};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use wiring::WiringState;

/// How many of today's errors are shown.
const ERRORS_SHOWN: usize = 3;

#[derive(Serialize)]
struct Report {
    version: &'static str,
    /// `null` where nothing is recorded.
    root: Option<Place>,
    /// Why nothing is recorded, and what changes that.
    not_recorded: Option<Reason>,
    off_switch: bool,
    config: Configuration,
    wiring: Option<WiringState>,
    /// Why the wiring could not be looked at.
    wiring_problem: Option<String>,
    findings: Vec<String>,
    last: Last,
    errors_today: Errors,
    checkpoint: Option<Checkpoint>,
    auto_memory: Option<PathBuf>,
}

#[derive(Serialize)]
struct Place {
    path: PathBuf,
    why: String,
}

#[derive(Serialize)]
struct Reason {
    why: String,
    command: &'static str,
}

#[derive(Serialize)]
struct Configuration {
    file: Option<PathBuf>,
    exists: bool,
    problems: Vec<String>,
    narrowed_by_project: Vec<String>,
    language: &'static str,
}

/// Local times, `YYYY-MM-DDTHH:MM:SS`.
#[derive(Default, Serialize)]
struct Last {
    user: Option<String>,
    assistant: Option<String>,
    tool: Option<String>,
}

#[derive(Serialize)]
struct Errors {
    count: usize,
    newest: Vec<String>,
}

#[derive(Serialize)]
struct Checkpoint {
    file: PathBuf,
    deliver: &'static str,
    stops: u32,
    stops_needed: u32,
    stops_left: u32,
    minutes_left: i64,
    waits_for_next_prompt: bool,
    last_trigger: Option<String>,
}

pub(crate) fn run(args: &Status, env: &Env) -> Outcome {
    let start = directory(args.project_root.as_deref())?;
    let report = look(&start, env)?;
    if args.json {
        terminal::say_json(&report);
    } else {
        terminal::say(&text(&report));
    }
    Ok(Exit::Done)
}

fn look(start: &Path, env: &Env) -> Result<Report, Failure> {
    let (root, config, problems) = root_and_config(start, env);
    let file = Folders::of(env)
        .config
        .map(|folder| folder.join("config.yaml"));
    let (wiring, wiring_problem) = match wiring::inspect(env) {
        Ok(state) => (Some(state), None),
        Err(error) => (None, Some(error.to_string())),
    };
    let record = root.as_ref().ok().cloned().map(Record::open).transpose()?;
    let memory = root.as_ref().ok().map(|root| Memory::of(root, start, env));
    let mut findings = problems.clone();
    findings.extend(
        wiring
            .as_ref()
            .map(WiringState::findings)
            .unwrap_or_default(),
    );
    findings.extend(wiring_problem.clone());
    let last = match record.as_ref().map(Record::last_entries) {
        Some(Err(error)) => {
            findings.push(format!(
                "nothing can be recorded: {error}; put a folder of the project's own in its place"
            ));
            None
        }
        Some(Ok(last)) => Some(last),
        None => None,
    };
    if let Some(memory) = &memory {
        let known = wiring
            .as_ref()
            .map(|state| state.disabled_by.as_slice())
            .unwrap_or_default();
        findings.extend(
            memory
                .settings()
                .hooks_disabled_by
                .iter()
                .filter(|file| !known.contains(file))
                .map(|file| {
                    format!(
                        "hooks are switched off by {} (disableAllHooks)",
                        file.display()
                    )
                }),
        );
    }
    Ok(Report {
        version: env!("CARGO_PKG_VERSION"),
        off_switch: env.disabled(),
        not_recorded: root.as_ref().err().map(reason),
        config: Configuration {
            exists: file.as_ref().is_some_and(|file| file.exists()),
            file,
            problems,
            narrowed_by_project: config.narrowed_by_project.clone(),
            language: memory
                .as_ref()
                .map(|memory| memory.language(&config, env))
                .or(config.language)
                .unwrap_or(Language::En)
                .code(),
        },
        wiring,
        wiring_problem,
        findings,
        last: match last {
            Some(last) => {
                let iso = |at: NaiveDateTime| at.format("%Y-%m-%dT%H:%M:%S").to_string();
                Last {
                    user: last.user.map(iso),
                    assistant: last.assistant.map(iso),
                    tool: last.tool.map(iso),
                }
            }
            None => Last::default(),
        },
        errors_today: errors_today(env),
        checkpoint: memory
            .as_ref()
            .and_then(|memory| checkpoint(memory, &config, env)),
        auto_memory: memory.and_then(|memory| memory.auto().map(Path::to_path_buf)),
        root: root.ok().map(|root| Place {
            why: why(&root),
            path: root.path().to_owned(),
        }),
    })
}

fn why(root: &Root) -> String {
    match root.why() {
        Why::Git => "it is a git repository".to_owned(),
        Why::Marker => "it holds .mnemo-root".to_owned(),
        Why::MainOfWorktree(worktree) => {
            format!("it is the main worktree of {}", worktree.display())
        }
        Why::WorktreeOfBare => "it is a worktree of a bare repository".to_owned(),
        Why::GitFile => "it holds a .git file".to_owned(),
        Why::Named => "it was named".to_owned(),
    }
}

fn reason(none: &NoRoot) -> Reason {
    let (why, command) = why_not(none);
    Reason { why, command }
}

fn errors_today(env: &Env) -> Errors {
    let midnight = env
        .now()
        .date_naive()
        .and_time(NaiveTime::MIN)
        .and_local_timezone(Local)
        .earliest()
        .unwrap_or_else(|| env.now());
    let lines = mnemo_home::errors_since(env, midnight);
    Errors {
        count: lines.len(),
        newest: lines
            .iter()
            .rev()
            .take(ERRORS_SHOWN)
            .map(|(at, program, message)| format!("{} {program}: {message}", at.format("%H:%M:%S")))
            .collect(),
    }
}

fn checkpoint(memory: &Memory, config: &Config, env: &Env) -> Option<Checkpoint> {
    let counter = memory.counter()?;
    let state = counter.peek().unwrap_or_default();
    let due = Due {
        stops: config.checkpoint_stops,
        minutes: config.checkpoint_minutes,
    };
    let since = state.last_trigger.or(state.first_stop);
    let passed = since.map_or(0, |at| {
        (env.now().with_timezone(&Utc) - at).num_minutes().max(0)
    });
    Some(Checkpoint {
        file: counter.path().to_owned(),
        deliver: match config.deliver {
            Deliver::Stop => "stop",
            Deliver::NextPrompt => "next-prompt",
            Deliver::Off => "off",
        },
        stops: state.stops,
        stops_needed: due.stops,
        stops_left: due.stops.saturating_sub(state.stops),
        minutes_left: (i64::from(due.minutes) - passed).max(0),
        waits_for_next_prompt: state.pending,
        last_trigger: state
            .last_trigger
            .map(|at| at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)),
    })
}

fn text(report: &Report) -> String {
    let mut text = String::new();
    let mut line = |label: &str, value: &str| {
        let _ = writeln!(text, "{label:<12}{value}");
    };
    match (&report.root, &report.not_recorded) {
        (Some(root), _) => line("Record", &format!("{} ({})", root.path.display(), root.why)),
        (None, Some(reason)) => line(
            "Record",
            &format!("none: {}; `{}` changes that", reason.why, reason.command),
        ),
        (None, None) => {}
    }
    if report.off_switch {
        line(
            "Off switch",
            "MNEMO_DISABLE is set: hooks started from here record nothing",
        );
    }
    if let Some(state) = &report.wiring {
        line(
            "Hooks",
            state
                .render()
                .lines()
                .next()
                .unwrap_or_default()
                .trim_start_matches("Hooks: "),
        );
    }
    line("Version", report.version);
    if report.root.is_some() {
        let time = |at: &Option<String>| at.as_deref().unwrap_or("never").replace('T', " ");
        line("Last prompt", &time(&report.last.user));
        line("Last reply", &time(&report.last.assistant));
        line("Last tool", &time(&report.last.tool));
    }
    if let Some(checkpoint) = &report.checkpoint {
        line("Checkpoint", &when(checkpoint));
    }
    if !report.config.narrowed_by_project.is_empty() {
        line(".mnemo.yaml", &report.config.narrowed_by_project.join(", "));
    }
    line(
        "Errors",
        &match report.errors_today.count {
            0 => "none today".to_owned(),
            count => format!("{count} today"),
        },
    );
    for error in &report.errors_today.newest {
        let _ = writeln!(text, "  - {error}");
    }
    if !report.findings.is_empty() {
        text.push_str("\nTo fix:\n");
        for finding in &report.findings {
            let _ = writeln!(text, "  - {finding}");
        }
    } else if report.root.is_some() && report.last.user.is_none() && !report.off_switch {
        text.push_str(
            "\nNothing is recorded here yet: the next prompt begins it; `mnemo reconcile --all` brings in what was said before.\n",
        );
    }
    text
}

fn when(checkpoint: &Checkpoint) -> String {
    if checkpoint.deliver == "off" {
        return "off".to_owned();
    }
    if checkpoint.waits_for_next_prompt {
        return "comes with the next prompt".to_owned();
    }
    match (checkpoint.stops_left, checkpoint.minutes_left) {
        (0, 0) => "due after the next reply".to_owned(),
        (stops, 0) => format!("in {}", counted(stops, "reply")),
        (0, minutes) => format!("in {}", counted(minutes, "minute")),
        (stops, minutes) => format!(
            "in {} and {}",
            counted(stops, "reply"),
            counted(minutes, "minute")
        ),
    }
}
