//! The project itself: its root, what lies in it, git, permissions, configuration, the checkpoint.

use super::{Evidence, Patient, Row, quoted};
use mnemo_home::counted;
use record::Record;
use record::root::Root;

/// Where a problem stands that is in no file.
const ENVIRONMENT: &str = "environment";
/// What a record consists of.
const PARTS: [&str; 4] = ["conversations", "memory", "MEMORY.md", "docs/handoffs"];

pub(super) fn root(patient: &Patient) -> Row {
    const NAME: &str = "root";
    let Some(root) = &patient.root else {
        return Row::fail(
            NAME,
            format!(
                "nothing is recorded in {}: no repository, no .mnemo-root, or not allowed by the configuration",
                patient.start.display()
            ),
            "mnemo init",
        );
    };
    let Some(record) = &patient.record else {
        return Row::fail(
            NAME,
            format!("{} cannot be opened", root.path().display()),
            "mnemo status",
        );
    };
    let refused: Vec<Evidence> = PARTS
        .iter()
        .chain(&[
            "memory/gotchas/observations.jsonl",
            "memory/learned/observations.jsonl",
        ])
        .filter_map(|part| {
            let error = record.resolve(part).err()?;
            Some(Evidence::new(*part, None, error.to_string()))
        })
        .collect();
    if !refused.is_empty() {
        let first = refused
            .first()
            .map(|one| one.path.clone())
            .unwrap_or_default();
        return Row::fail(
            NAME,
            "a part of the record leads out of the project, so nothing is written there",
            format!(
                "rm {}  (it is a link or a special file; the hooks make a real one)",
                quoted(&first)
            ),
        )
        .with(refused);
    }
    if patient.env.disabled() {
        return Row::warn(
            NAME,
            "MNEMO_DISABLE is set: hooks started from here record nothing",
            "unset MNEMO_DISABLE",
        )
        .with(vec![Evidence::new(
            "MNEMO_DISABLE",
            None,
            "set in the environment",
        )]);
    }
    Row::ok(NAME, root.path().display().to_string())
}

pub(super) fn layers(patient: &Patient) -> Row {
    const NAME: &str = "layers";
    let Some(root) = &patient.root else {
        return Row::ok(NAME, "no project");
    };
    let there = |part: &str| root.path().join(part).exists();
    if !there("conversations") {
        // In a new project there is nothing to bring in.
        if super::mirror::transcripts(patient).is_empty() {
            return Row::ok(NAME, "nothing is recorded yet; the next prompt begins it");
        }
        return Row::warn(
            NAME,
            "nothing is recorded here yet",
            "mnemo reconcile --all  (brings in what was said before)",
        )
        .with(vec![Evidence::new("conversations", None, "missing")]);
    }
    let missing: Vec<Evidence> = ["MEMORY.md", "memory"]
        .iter()
        .filter(|part| patient.config.scaffold && !there(part))
        .map(|part| Evidence::new(*part, None, "missing"))
        .collect();
    if !missing.is_empty() {
        return Row::warn(
            NAME,
            "the record lacks its index or its memory",
            "send one prompt in Claude Code  (the hook makes both; `scaffold: false` says that none is wanted)",
        )
        .with(missing);
    }
    let handoffs = if handoff::list(root).is_ok_and(|list| !list.is_empty()) {
        ""
    } else {
        ", no handoffs yet"
    };
    Row::ok(NAME, format!("conversations, memory, index{handoffs}"))
}

pub(super) fn config(patient: &Patient) -> Row {
    const NAME: &str = "configuration";
    if patient.problems.is_empty() {
        let narrowed = &patient.config.narrowed_by_project;
        return Row::ok(
            NAME,
            if narrowed.is_empty() {
                "valid".to_owned()
            } else {
                format!("valid; .mnemo.yaml narrows {}", narrowed.join(", "))
            },
        );
    }
    let evidence: Vec<Evidence> = patient
        .problems
        .iter()
        .map(|problem| {
            // `FILE: what`, or what is wrong with a variable.
            let (place, what) = problem
                .split_once(": ")
                .filter(|(place, _)| std::path::Path::new(place).extension().is_some())
                .unwrap_or((ENVIRONMENT, problem));
            let line = problem.split_once(" line ").and_then(|(_, rest)| {
                rest.split(|c: char| !c.is_ascii_digit())
                    .next()?
                    .parse()
                    .ok()
            });
            Evidence::new(patient.shown(place.as_ref()), line, what)
        })
        .collect();
    // What stands in a file is corrected there, a variable where it is set.
    let files = |evidence: &[Evidence]| {
        let mut files: Vec<String> = Vec::new();
        for one in evidence.iter().filter(|one| one.path != ENVIRONMENT) {
            let file = quoted(&one.path);
            if !files.contains(&file) {
                files.push(file);
            }
        }
        files.join(" ")
    };
    // What the problem of a file that could not be read as a whole says.
    let unread = patient
        .problems
        .iter()
        .any(|problem| problem.contains("until it is corrected"));
    Row::warn(
        NAME,
        if unread {
            "a file of the configuration cannot be read: the defaults apply, for privacy the strictest"
        } else {
            "a part of the configuration is left out, all else applies"
        },
        match files(&evidence).as_str() {
            "" => "unset the variable, or set it to what docs/configuration.md names".to_owned(),
            files => format!("correct {files}"),
        },
    )
    .with(evidence)
}

pub(super) fn git(patient: &Patient, root: &Root) -> Row {
    const NAME: &str = "git";
    if root.git_dir().is_none() {
        return Row::ok(NAME, "not a git repository");
    }
    let Some(history) = patient.history() else {
        return Row::ok(
            NAME,
            "git cannot be asked here; what it tracks was not looked at",
        );
    };
    let tracked = history.tracked(&[
        "conversations",
        "memory/gotchas/observations.jsonl",
        "memory/learned/observations.jsonl",
    ]);
    if !tracked.is_empty() {
        let evidence = tracked
            .iter()
            .take(5)
            .map(|path| Evidence::new(path.clone(), None, "under version control"))
            .collect();
        return Row::warn(
            NAME,
            format!("{} of conversations and observations under version control, published with the repository", counted(tracked.len(), "file")),
            "git rm -r -q --cached --ignore-unmatch conversations memory/gotchas memory/learned  (the files stay on the disk)",
        )
        .with(evidence);
    }
    if !root.path().join("conversations").exists() {
        return Row::ok(NAME, "nothing of the record is tracked");
    }
    let ignored = history.ignored(&["conversations/x"]);
    match ignored.first() {
        None => Row::warn(
            NAME,
            "git would add the conversations: nothing leaves them out",
            "echo /conversations/ >> .git/info/exclude",
        )
        .with(vec![Evidence::new("conversations/", None, "not ignored")]),
        Some((_, source, line)) if source.ends_with(".gitignore") => Row::warn(
            NAME,
            "a .gitignore names the conversations, which hides them from the assistant's own search",
            "echo /conversations/ >> .git/info/exclude  (and take the line out of .gitignore)",
        )
        .with(vec![Evidence::new(source.clone(), *line, "names conversations")]),
        Some(_) => Row::ok(NAME, "nothing of the record is tracked"),
    }
}

/// Conversations are for nobody else on the machine.
pub(super) fn permissions(patient: &Patient, record: &Record) -> Row {
    const NAME: &str = "permissions";
    let mut open = Vec::new();
    for folder in ["conversations", "memory/gotchas", "memory/learned"] {
        let Ok(path) = record.resolve(folder) else {
            continue;
        };
        let Some(mode) = mode(&path) else {
            continue;
        };
        if is_private(mode) {
            continue;
        }
        open.push(Evidence::new(
            folder,
            None,
            format!("mode {mode:04o}, should be 0700"),
        ));
        let entries = std::fs::read_dir(&path).into_iter().flatten().flatten();
        for entry in entries {
            if let Some(mode) = self::mode(&entry.path())
                && !is_private(mode)
                && entry.path().is_file()
            {
                open.push(Evidence::new(
                    patient.shown(&entry.path()),
                    None,
                    format!("mode {mode:04o}, should be 0600"),
                ));
            }
        }
    }
    if open.is_empty() {
        return Row::ok(NAME, "private");
    }
    let folders: Vec<&str> = ["conversations", "memory/gotchas", "memory/learned"]
        .into_iter()
        .filter(|folder| open.iter().any(|one| one.path.starts_with(folder)))
        .collect();
    Row::warn(
        NAME,
        "others on this machine can read the conversations",
        format!("chmod -R go= {}", folders.join(" ")),
    )
    .with(open)
}

/// Nothing for the group and the others.
fn is_private(mode: u32) -> bool {
    mode.is_multiple_of(0o100)
}

#[cfg(unix)]
fn mode(path: &std::path::Path) -> Option<u32> {
    use std::os::unix::fs::PermissionsExt;
    Some(std::fs::symlink_metadata(path).ok()?.permissions().mode() & 0o7777)
}

#[cfg(not(unix))]
fn mode(_: &std::path::Path) -> Option<u32> {
    None
}

pub(super) fn checkpoint(patient: &Patient) -> Row {
    const NAME: &str = "checkpoint";
    let Some(counter) = patient.memory.as_ref().and_then(|memory| memory.counter()) else {
        return Row::ok(NAME, "no home directory, no counter");
    };
    let file = patient.shown(counter.path());
    match counter.peek() {
        Ok(state) => {
            let bytes = safe_file::read(counter.path(), 1 << 16).ok().flatten();
            let is_damaged = bytes
                .as_deref()
                .is_some_and(|bytes| serde_json::from_slice::<serde_json::Value>(bytes).is_err())
                || counter.path().is_dir();
            if is_damaged {
                return Row::warn(
                    NAME,
                    "the counter's state is damaged; the next stop puts it aside and begins again",
                    format!("rm -r {}", quoted(&counter.path().display().to_string())),
                )
                .with(vec![Evidence::new(file, None, "not readable as JSON")]);
            }
            Row::ok(
                NAME,
                format!(
                    "{} of {} replies",
                    state.stops, patient.config.checkpoint_stops
                ),
            )
        }
        Err(error) => Row::warn(
            NAME,
            "the counter's state cannot be read",
            format!("rm -r {}", quoted(&counter.path().display().to_string())),
        )
        .with(vec![Evidence::new(file, None, error.to_string())]),
    }
}
