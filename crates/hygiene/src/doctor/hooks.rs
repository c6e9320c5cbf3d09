//! The hooks, the client, and what went wrong lately.

use super::{Evidence, Patient, Row};
use chrono::Duration;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// How long hook errors are shown.
const ERROR_DAYS: i64 = 7;
/// The oldest client that is supported.
const OLDEST: [u32; 3] = [2, 1, 59];
/// From here on a checkpoint can come at a stop (changelog of the client).
const STOP_CONTEXT: [u32; 3] = [2, 1, 163];
/// From here on `autoMemoryDirectory` counts; 2.1.59 ignores it (measured).
const MEMORY_DIRECTORY: [u32; 3] = [2, 1, 60];

pub(super) fn all(patient: &Patient) -> Vec<Row> {
    vec![wired(patient), client(patient), errors(patient)]
}

fn wired(patient: &Patient) -> Row {
    const NAME: &str = "hooks";
    let state = match wiring::inspect(patient.env) {
        Ok(state) => state,
        Err(error) => return Row::fail(NAME, error.to_string(), "mnemo status"),
    };
    let mut findings = state.findings();
    let known = state.disabled_by.clone();
    let disabled: Vec<&PathBuf> = patient
        .settings
        .hooks_disabled_by
        .iter()
        .filter(|file| !known.contains(file))
        .collect();
    findings.extend(disabled.iter().map(|file| {
        format!(
            "hooks are switched off by {} (disableAllHooks)",
            file.display()
        )
    }));
    let settings = state.settings.display().to_string();
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let programs: BTreeMap<&str, &PathBuf> = state
        .hooks
        .iter()
        .filter(|hook| hook.runnable)
        .filter_map(|hook| Some((hook.program.as_str(), hook.executable.as_ref()?)))
        .collect();
    for (program, path) in programs {
        let said = wiring::version_line(path).unwrap_or_default();
        let version = said
            .split_whitespace()
            .last()
            .unwrap_or("unknown")
            .to_owned();
        versions
            .entry(version)
            .or_default()
            .push(program.to_owned());
    }
    let others: Vec<String> = versions
        .iter()
        .filter(|(version, _)| *version != patient.version)
        .map(|(version, programs)| format!("{} {version}", programs.join(", ")))
        .collect();
    if !others.is_empty() {
        findings.push(format!(
            "not of this mnemo's version {}: {}; build and install all of them again (./install.sh)",
            patient.version,
            others.join("; ")
        ));
    }
    if findings.is_empty() {
        let how = if state.is_wired() {
            "wired"
        } else {
            "by the plugin"
        };
        return Row::ok(NAME, format!("{how}, version {}", patient.version));
    }
    let dead = state.problem.is_some()
        || !state.disabled_by.is_empty()
        || !disabled.is_empty()
        || !state.original.is_empty()
        || (!state.is_wired() && !state.plugin)
        || (state.is_wired()
            && state
                .hooks
                .iter()
                .any(|hook| hook.commands.is_empty() || !hook.runnable));
    let help = if !state.original.is_empty() {
        "mnemo install --replace-original".to_owned()
    } else if let Some(file) = state.disabled_by.first().or(disabled.first().copied()) {
        format!("take `disableAllHooks` out of {}", file.display())
    } else if state.problem.is_some() {
        format!("correct {settings}")
    } else if !others.is_empty()
        || state
            .hooks
            .iter()
            .any(|hook| !hook.commands.is_empty() && !hook.runnable)
    {
        "./install.sh".to_owned()
    } else {
        "mnemo install".to_owned()
    };
    let evidence = findings
        .iter()
        .map(|finding| Evidence::new(settings.clone(), None, finding.clone()))
        .collect();
    let detail = if dead {
        "hooks do not run as they should"
    } else {
        "the wiring should be looked after"
    };
    let row = if dead {
        Row::fail(NAME, detail, help)
    } else {
        Row::warn(NAME, detail, help)
    };
    row.with(evidence)
}

fn client(patient: &Patient) -> Row {
    const NAME: &str = "client";
    let newest = super::mirror::transcripts(patient)
        .into_iter()
        .max_by_key(|file| file.changed)
        .and_then(|file| transcript::client_version(&file.path));
    let version = if patient.deep {
        wiring::client_version(patient.env).or(newest)
    } else {
        newest
    };
    if let Some(file) = &patient.settings.untrusted_memory_directory {
        return Row::warn(
            NAME,
            "a project's settings name an autoMemoryDirectory, which is not trusted there",
            format!(
                "move `autoMemoryDirectory` from {} to the user's settings, if it is yours",
                file.display()
            ),
        )
        .with(vec![Evidence::new(
            patient.shown(file),
            None,
            "autoMemoryDirectory",
        )]);
    }
    let Some(version) = version else {
        return Row::ok(NAME, "its version is not known yet: there is no transcript");
    };
    let numbers = numbers(&version);
    if numbers < OLDEST {
        return Row::warn(
            NAME,
            format!("Claude Code {version} is older than 2.1.59, with which mnemo was never tried"),
            "claude update",
        );
    }
    if numbers < MEMORY_DIRECTORY && patient.settings.auto_memory_directory.is_some() {
        return Row::warn(
            NAME,
            format!(
                "Claude Code {version} ignores autoMemoryDirectory and keeps a memory per worktree"
            ),
            "claude update",
        );
    }
    let note = if numbers < STOP_CONTEXT {
        "; the checkpoint comes with the next prompt there"
    } else {
        ""
    };
    Row::ok(NAME, format!("Claude Code {version}{note}"))
}

fn numbers(version: &str) -> [u32; 3] {
    let mut parts = version
        .split(['.', '-', '+'])
        .map(|part| part.parse().unwrap_or(0));
    [(); 3].map(|()| parts.next().unwrap_or(0))
}

fn errors(patient: &Patient) -> Row {
    const NAME: &str = "hook-errors";
    let since = patient.env.now() - Duration::days(ERROR_DAYS);
    let errors = mnemo_home::errors_since(patient.env, since);
    if errors.is_empty() {
        return Row::ok(NAME, format!("none in {ERROR_DAYS} days"));
    }
    let log = mnemo_home::Folders::of(patient.env)
        .state
        .map(|folder| folder.join("errors.log").display().to_string())
        .unwrap_or_default();
    let evidence = errors
        .iter()
        .rev()
        .take(5)
        .map(|(at, program, message)| {
            Evidence::new(
                log.clone(),
                None,
                format!("{} {program}: {message}", at.format("%Y-%m-%d %H:%M:%S")),
            )
        })
        .collect();
    Row::warn(
        NAME,
        format!("{} in {ERROR_DAYS} days", if errors.len() == 1 { "1 error".to_owned() } else { format!("{} errors", errors.len()) }),
        format!("rm {log}  (when what the lines name is mended; `mnemo reconcile` brings back what was missed)"),
    )
    .with(evidence)
}
