//! The hooks, the client, and what went wrong lately.

use super::{Evidence, Patient, Row, line_with, quoted};
use chrono::Duration;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// How long hook errors are shown.
const ERROR_DAYS: i64 = 7;
/// The oldest client that is supported.
const OLDEST: [u32; 3] = [2, 1, 59];
/// From here on a checkpoint can come at a stop (changelog of the client).
const STOP_CONTEXT: [u32; 3] = [2, 1, 163];
/// From here on `autoMemoryDirectory` counts; 2.1.59 ignores it (measured).
const MEMORY_DIRECTORY: [u32; 3] = [2, 1, 60];
/// From here on an unknown event costs its own entry only (changelog of the client).
const UNKNOWN_EVENTS: [u32; 3] = [2, 1, 101];
/// From here on `args` makes a command run without a shell (changelog of the client).
const EXEC_FORM: [u32; 3] = [2, 1, 139];
/// The events that 2.1.59 knows (read from its sources); what later versions before 2.1.101 added
/// to them is not known one by one.
#[rustfmt::skip]
const OLD_EVENTS: [&str; 18] = [
    "PreToolUse", "PostToolUse", "PostToolUseFailure", "Notification", "UserPromptSubmit",
    "SessionStart", "SessionEnd", "Stop", "SubagentStart", "SubagentStop", "PreCompact",
    "PermissionRequest", "Setup", "TeammateIdle", "TaskCompleted", "ConfigChange",
    "WorktreeCreate", "WorktreeRemove",
];

pub(super) fn all(patient: &Patient) -> Vec<Row> {
    vec![
        wired(patient),
        command(patient),
        client(patient),
        errors(patient),
    ]
}

/// A finding, where it stands, and what helps.
struct Finding {
    evidence: Evidence,
    /// The hooks do not run as they should.
    fatal: bool,
    help: String,
}

fn wired(patient: &Patient) -> Row {
    const NAME: &str = "hooks";
    let state = match wiring::inspect(patient.env) {
        Ok(state) => state,
        Err(error) => {
            return Row::fail(NAME, error.to_string(), "mnemo status");
        }
    };
    let in_project: Vec<(PathBuf, wiring::Looked)> = ["settings.json", "settings.local.json"]
        .iter()
        .map(|name| patient.start.join(".claude").join(name))
        .filter(|file| *file != state.settings)
        .map(|file| (file.clone(), wiring::look(&file)))
        .collect();
    let by_project = !state.is_wired()
        && wiring::wanted().all(|(event, program)| {
            in_project.iter().any(|(_, looked)| {
                let mut entries = looked.entries.iter();
                entries.any(|entry| entry.event == event && entry.program == Some(program))
            })
        });
    let plugin = state.plugin || in_project.iter().any(|(_, looked)| looked.plugin);
    let by_plugin = plugin && !state.is_wired() && !by_project;
    let mut findings = in_settings(&state, by_project || by_plugin);
    findings.extend(switched_off(patient, &state));
    findings.extend(twice(patient, &state, &in_project, plugin));
    let programs = if by_plugin {
        let found = by_the_plugin(patient);
        if found.is_empty() {
            findings.push(Finding {
                evidence: Evidence::new(
                    state.settings.display().to_string(),
                    None,
                    "the plugin is enabled and finds no programs to run",
                ),
                fatal: true,
                help: "./install.sh --no-settings".to_owned(),
            });
        }
        found
    } else {
        state
            .hooks
            .iter()
            .filter(|hook| hook.runnable)
            .filter_map(|hook| Some((hook.program.clone(), hook.executable.clone()?)))
            .collect()
    };
    findings.extend(of_other_versions(patient, &state, programs));
    if findings.is_empty() {
        let how = if by_plugin {
            "by the plugin"
        } else if by_project {
            "wired in the project"
        } else {
            "wired"
        };
        return Row::ok(NAME, format!("{how}, version {}", patient.version));
    }
    // What keeps all from running comes first.
    findings.sort_by_key(|finding| !finding.fatal);
    let help = findings
        .first()
        .map(|finding| finding.help.clone())
        .unwrap_or_default();
    let fatal = findings.iter().any(|finding| finding.fatal);
    let evidence = findings
        .into_iter()
        .map(|finding| finding.evidence)
        .collect();
    if fatal {
        Row::fail(NAME, "hooks do not run as they should", help).with(evidence)
    } else {
        Row::warn(NAME, "the wiring should be looked after", help).with(evidence)
    }
}

/// Skills, rules and hints call `mnemo` by its name.
fn command(patient: &Patient) -> Row {
    const NAME: &str = "command";
    if let Some(program) = on_path(patient.env) {
        return Row::ok(NAME, program.display().to_string());
    }
    let wired = wiring::inspect(patient.env).ok().and_then(|state| {
        let mut hooks = state.hooks.into_iter();
        hooks.find_map(|hook| hook.executable)
    });
    let plugin = || Some(by_the_plugin(patient).into_iter().next()?.1);
    let Some(own) = wired
        .or_else(plugin)
        .map(|program| program.with_file_name("mnemo"))
    else {
        return Row::ok(NAME, "`mnemo` is not on the PATH, and no hook is wired");
    };
    let link = patient.env.home().map_or_else(
        || PathBuf::from("/usr/local/bin"),
        |home| home.join(".local/bin"),
    );
    let folder = quoted(&link.display().to_string());
    let evidence = Evidence::new("PATH", None, "holds no program `mnemo`");
    Row::warn(
        NAME,
        "the skills and rules call `mnemo`, which is not on the PATH",
        format!(
            "mkdir -p {folder} && ln -sf {} {folder}/mnemo  (and have that folder on the PATH that Claude Code is started with)",
            quoted(&own.display().to_string())
        ),
    )
    .with(vec![evidence])
}

/// The `mnemo` that a shell would run.
fn on_path(env: &mnemo_home::Env) -> Option<PathBuf> {
    env.get_os("PATH")
        .into_iter()
        .flat_map(std::env::split_paths)
        .map(|folder| folder.join("mnemo"))
        .find(|program| program.is_file())
}

/// What is wrong with the entries of the user's settings.
fn in_settings(state: &wiring::WiringState, elsewhere: bool) -> Vec<Finding> {
    let looked = wiring::look(&state.settings);
    let settings = state.settings.display().to_string();
    let finding = |line, what: &str, fatal, help: &str| Finding {
        evidence: Evidence::new(settings.clone(), line, what),
        fatal,
        help: help.to_owned(),
    };
    if let Some(problem) = &state.problem {
        let line = problem
            .split_once(" at line ")
            .and_then(|(_, rest)| rest.split(' ').next()?.parse().ok());
        return vec![finding(line, problem, true, &format!("correct {settings}"))];
    }
    let mut findings = Vec::new();
    let original = looked.entries.iter().filter(|entry| entry.original);
    findings.extend(original.map(|entry| {
        let what = format!(
            "a hook of the original mnemo, {}, is wired too: two tools would write one day file",
            entry.command
        );
        let help = "mnemo install --replace-original";
        finding(Some(entry.line), &what, true, help)
    }));
    if !state.is_wired() {
        if !elsewhere {
            let what =
                "no hook is wired; run `mnemo install`, or start Claude Code with the plugin";
            findings.push(finding(None, what, true, "mnemo install"));
        }
        return findings;
    }
    for hook in &state.hooks {
        let Some(what) = state.finding_on(hook) else {
            continue;
        };
        let last = hook.commands.last();
        let mut entries = looked.entries.iter().rev();
        let line = entries
            .find(|entry| entry.event == hook.event && Some(&entry.command) == last)
            .map(|entry| entry.line);
        let help = if hook.commands.len() > 1 {
            format!("take the extra entries out of {settings}")
        } else if !hook.commands.is_empty() && !hook.runnable {
            "./install.sh".to_owned()
        } else {
            "mnemo install".to_owned()
        };
        let fatal = hook.commands.is_empty() || !hook.runnable;
        findings.push(finding(line, &what, fatal, &help));
    }
    findings
}

/// The files that switch all hooks off.
fn switched_off(patient: &Patient, state: &wiring::WiringState) -> Vec<Finding> {
    let mut files: Vec<&PathBuf> = state.disabled_by.iter().collect();
    files.extend(&patient.settings.hooks_disabled_by);
    files.sort();
    files.dedup();
    let keys = ["disableAllHooks", "allowManagedHooksOnly"];
    let found = |file: &&PathBuf| {
        keys.iter()
            .find_map(|key| Some((*key, line_with(file, key)?)))
            .map_or(("disableAllHooks", None), |(key, line)| (key, Some(line)))
    };
    files
        .iter()
        .map(|file| {
            let (key, line) = found(file);
            Finding {
                evidence: Evidence::new(
                    patient.shown(file),
                    line,
                    format!("hooks are switched off ({key})"),
                ),
                fatal: true,
                help: format!("take `{key}` out of {}", file.display()),
            }
        })
        .collect()
}

/// What runs twice: a project's settings beside the user's, a plugin enabled there. The same command
/// in both runs once (2.1.59 to 2.1.332, measured).
fn twice(
    patient: &Patient,
    state: &wiring::WiringState,
    in_project: &[(PathBuf, wiring::Looked)],
    plugin: bool,
) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (file, looked) in in_project {
        for entry in &looked.entries {
            let other = state.hooks.iter().find(|hook| {
                hook.event == entry.event
                    && Some(hook.program.as_str()) == entry.program
                    && !hook.commands.is_empty()
                    && !hook.commands.contains(&entry.command)
            });
            if let Some(hook) = other {
                findings.push(Finding {
                    evidence: Evidence::new(
                        patient.shown(file),
                        Some(entry.line),
                        format!(
                            "{} at {} is wired here and in the user's settings and runs twice",
                            hook.program, hook.event
                        ),
                    ),
                    fatal: false,
                    help: format!("take the extra entries out of {}", file.display()),
                });
            } else if entry.original {
                findings.push(Finding {
                    evidence: Evidence::new(
                        patient.shown(file),
                        Some(entry.line),
                        format!(
                            "a hook of the original mnemo, {}, is wired too: two tools would write one day file",
                            entry.command
                        ),
                    ),
                    fatal: true,
                    help: format!("take it out of {}", file.display()),
                });
            }
        }
    }
    let unnoted = state
        .hooks
        .iter()
        .any(|hook| !hook.commands.is_empty() && !hook.noted);
    // The user's own plugin is told of hook by hook.
    if plugin && !state.plugin && unnoted {
        let file = in_project.iter().find(|(_, looked)| looked.plugin);
        findings.extend(file.map(|(file, _)| Finding {
            evidence: Evidence::new(
                patient.shown(file),
                line_with(file, "mnemo@"),
                "the plugin is enabled here and would run the hooks a second time",
            ),
            fatal: false,
            help: "mnemo install".to_owned(),
        }));
    }
    findings
}

/// The programs that the plugin's `hooks/run` starts: from `MNEMO_BIN`, else where install.sh puts
/// them, else beside the `mnemo` on the path.
fn by_the_plugin(patient: &Patient) -> Vec<(String, PathBuf)> {
    let env = patient.env;
    let data = env
        .path("XDG_DATA_HOME")
        .or_else(|| Some(env.home()?.join(".local/share")));
    let on_path = on_path(env).map(|program| wiring::programs_beside(&program));
    let folders: Vec<PathBuf> = env
        .path("MNEMO_BIN")
        .into_iter()
        .chain(data.map(|data| data.join("mnemo/bin")))
        .chain(on_path)
        .collect();
    wiring::PROGRAMS
        .iter()
        .filter_map(|program| {
            let mut paths = folders.iter().map(|folder| folder.join(program));
            let path = paths.find(|path| path.is_file())?;
            Some(((*program).to_owned(), path))
        })
        .collect()
}

/// Programs that are not of the asking command's version.
fn of_other_versions(
    patient: &Patient,
    state: &wiring::WiringState,
    programs: Vec<(String, PathBuf)>,
) -> Vec<Finding> {
    let programs: BTreeSet<(String, PathBuf)> = programs.into_iter().collect();
    let mut others = Vec::new();
    for (program, path) in programs {
        let said = wiring::version_line(&path).unwrap_or_default();
        let version = said.split_whitespace().last().unwrap_or("unknown");
        if version != patient.version {
            others.push(format!("{program} {version}"));
        }
    }
    if others.is_empty() {
        return Vec::new();
    }
    vec![Finding {
        evidence: Evidence::new(
            state.settings.display().to_string(),
            None,
            format!(
                "not of this mnemo's version {}: {}; build and install all of them again",
                patient.version,
                others.join(", ")
            ),
        ),
        fatal: false,
        help: "./install.sh".to_owned(),
    }]
}

fn client(patient: &Patient) -> Row {
    const NAME: &str = "client";
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
            line_with(file, "autoMemoryDirectory"),
            "autoMemoryDirectory",
        )]);
    }
    let newest = super::mirror::transcripts(patient)
        .into_iter()
        .max_by_key(|file| file.changed)
        .and_then(|file| Some((transcript::client_version(&file.path)?, file.path)));
    let asked = if patient.deep {
        wiring::client_version(patient.env)
    } else {
        None
    };
    let (version, source) = match (asked, newest) {
        (Some(version), _) => (version, "claude --version".to_owned()),
        (None, Some((version, path))) => (version, path.display().to_string()),
        (None, None) => {
            return Row::ok(NAME, "its version is not known yet: there is no transcript");
        }
    };
    let numbers = numbers(&version);
    if numbers < OLDEST {
        return Row::warn(
            NAME,
            format!("Claude Code {version} is older than 2.1.59, with which mnemo was never tried"),
            "claude update",
        )
        .with(vec![Evidence::new(source, None, version)]);
    }
    if let Some(row) = trapped(patient, &version, numbers) {
        return row;
    }
    let note = if numbers < STOP_CONTEXT {
        "; the checkpoint comes with the next prompt there"
    } else {
        ""
    };
    Row::ok(NAME, format!("Claude Code {version}{note}"))
}

/// What this version of the client does with these settings, and newer ones do not.
fn trapped(patient: &Patient, version: &str, numbers: [u32; 3]) -> Option<Row> {
    const NAME: &str = "client";
    let file = patient.home.as_ref()?.settings_file();
    let shown = file.display().to_string();
    let looked = wiring::look(&file);
    let ours = looked.entries.iter().any(|entry| entry.program.is_some());
    let mut events = looked.events.iter();
    if ours
        && numbers < UNKNOWN_EVENTS
        && let Some((event, line)) = events.find(|(event, _)| !OLD_EVENTS.contains(&event.as_str()))
    {
        let detail = format!(
            "Claude Code {version} ignores the whole settings file, if it does not know one event in it"
        );
        let evidence = vec![Evidence::new(shown, Some(*line), event.clone())];
        let help = format!("claude update  (or take `{event}` out)");
        let row = if numbers == OLDEST {
            Row::fail(NAME, detail, help)
        } else {
            Row::warn(NAME, detail, help)
        };
        return Some(row.with(evidence));
    }
    let mut entries = looked.entries.iter();
    if numbers < EXEC_FORM
        && let Some(entry) = entries.find(|entry| entry.program.is_some() && entry.needs_exec)
    {
        let row = Row::fail(
            NAME,
            format!("Claude Code {version} hands the path of a hook to a shell, which breaks it"),
            "mnemo install",
        );
        let evidence = Evidence::new(shown, Some(entry.line), entry.command.clone());
        return Some(row.with(vec![evidence]));
    }
    if numbers < MEMORY_DIRECTORY && patient.settings.auto_memory_directory.is_some() {
        let row = Row::warn(
            NAME,
            format!(
                "Claude Code {version} ignores autoMemoryDirectory and keeps a memory per worktree"
            ),
            "claude update",
        );
        let line = line_with(&file, "autoMemoryDirectory");
        return Some(row.with(vec![Evidence::new(shown, line, "autoMemoryDirectory")]));
    }
    None
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
            let what = format!("{} {program}: {message}", at.format("%Y-%m-%d %H:%M:%S"));
            let line = line_with(Path::new(&log), &format!("] {message}"));
            Evidence::new(log.clone(), line, what)
        })
        .collect();
    Row::warn(
        NAME,
        format!("{} in {ERROR_DAYS} days", if errors.len() == 1 { "1 error".to_owned() } else { format!("{} errors", errors.len()) }),
        format!("rm -f {}  (when what the lines name is mended; `mnemo reconcile` brings back what was missed)", quoted(&log) + "*"),
    )
    .with(evidence)
}
