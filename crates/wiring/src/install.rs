//! Install and uninstall: reading, writing and reporting around the pure plan.

use crate::entries;
use crate::hooks::{self, PROGRAMS};
use crate::place::Place;
use crate::plan::{self, Undo, Wanted};
use crate::record::{Record, Records, fingerprint};
use crate::report::{Action, Original, Report, Wired};
use crate::{Error, Options, Result, client};
use mnemo_home::{Config, Env, notes};
use std::collections::BTreeSet;
use std::path::Path;

/// Wires the hooks into the user's settings file.
///
/// A second run changes nothing. With `dry_run` nothing at all is written; the report holds the
/// very change that the real run makes.
pub fn install(options: &Options, env: &Env) -> Result<Report> {
    let place = Place::of(env)?;
    let folder = options.folder()?;
    for program in PROGRAMS {
        let path = hooks::program_path(folder, program);
        if !client::runnable(&path) {
            return Err(Error::Missing(path));
        }
    }
    let version = client::version(env);
    let (config, mut remarks) = Config::load(env, None);
    let groups = hooks::wanted(folder, version, &config.tools_skip)
        .ok_or_else(|| Error::Path(folder.to_owned()))?;

    let lock = (!options.dry_run).then(|| place.lock()).transpose()?;
    let records = Records::load(&place.state)?;
    let earlier = records.of(&place.settings);
    let before = place.read()?;

    let mut own: BTreeSet<String> = hooks::command_texts(folder).into_iter().collect();
    own.extend(earlier.map(Record::own).unwrap_or_default());
    let wanted = Wanted {
        groups,
        own,
        replace_original: options.replace_original,
        auto_memory_off: options.record_only,
    };
    let edit = plan::plan(before.as_deref(), &wanted)
        .map_err(|refusal| Error::refused(&place.settings, refusal))?;
    let changes = before.as_deref() != Some(edit.bytes.as_slice());

    remarks.extend(remarks_on(&place, &edit.bytes, &wanted));
    let mut report = Report {
        action: Action::Install,
        dry_run: options.dry_run,
        settings: place.settings.clone(),
        made_folder: None,
        changed: changes,
        diff: crate::report::diff(&place.settings, before.as_deref(), Some(&edit.bytes)),
        backup: None,
        client: version.map(|v| v.to_string()),
        hooks: wired(&wanted),
        original: originals(before.as_deref(), options.replace_original),
        auto_memory_off: options.record_only,
        older_transcripts: Some(transcripts(&place.home.projects())),
        remarks,
    };
    if options.dry_run {
        return Ok(report);
    }

    let state_of_old = Standing::of(earlier, before.as_deref(), &wanted.own);
    if changes {
        place.writable()?;
        let made_folder = make_folder(&place)?;
        if let Some(before) = &before {
            let name = place.back_up(env, before)?;
            report.backup = Some(place.backups().join(name));
        }
        let record = Record {
            settings: place.settings.clone(),
            commands: commands(&wanted),
            after: fingerprint(&edit.bytes),
            made_folder: made_folder || earlier.is_some_and(|e| e.made_folder),
            ..state_of_old.record(edit.undo, report.backup.as_deref())
        };
        // First the note, then the settings: an entry that no note knows would stay for ever.
        records.with(record).save(&place.state)?;
        if let Err(error) = place.write(before.as_deref(), &edit.bytes) {
            let _ = records.save(&place.state);
            return Err(error);
        }
    } else {
        // Pasted by hand, or the note got lost.
        let commands = commands(&wanted);
        let known = earlier.map(Record::own).unwrap_or_default();
        if !commands.iter().all(|command| known.contains(command)) {
            let record = Record {
                settings: place.settings.clone(),
                commands,
                ..earlier.cloned().unwrap_or_default()
            };
            records.with(record).save(&place.state)?;
        }
    }
    let noted = note(env);
    drop(lock);
    noted.map(|()| report).map_err(|source| {
        if changes {
            Error::Part {
                path: place.settings,
                undo: "run `mnemo install` again, or `mnemo uninstall` to go back",
                source,
            }
        } else {
            source.into()
        }
    })
}

/// Takes the hooks out again and gives back what install took out. Works when the programs are
/// gone; records and memories are never touched.
pub fn uninstall(options: &Options, env: &Env) -> Result<Report> {
    let place = Place::of(env)?;
    // Without a state folder nothing was installed, and none is made to find that out.
    let lock = (!options.dry_run && place.state.is_dir())
        .then(|| place.lock())
        .transpose()?;
    let records = Records::load(&place.state)?;
    let record = records.of(&place.settings);
    let before = place.read()?;
    let after = match &before {
        Some(bytes) => restored(&place, options, record, bytes)?,
        None => None,
    };
    let changes = before != after;
    let mut report = Report {
        action: Action::Uninstall,
        dry_run: options.dry_run,
        settings: place.settings.clone(),
        made_folder: record
            .filter(|r| r.made_folder)
            .map(|_| place.home.dir().to_owned()),
        changed: changes,
        diff: crate::report::diff(&place.settings, before.as_deref(), after.as_deref()),
        backup: None,
        client: None,
        hooks: Vec::new(),
        original: Vec::new(),
        auto_memory_off: false,
        older_transcripts: None,
        remarks: Vec::new(),
    };
    if options.dry_run {
        return Ok(report);
    }
    if changes {
        place.writable()?;
        if let Some(before) = &before {
            let name = place.back_up(env, before)?;
            report.backup = Some(place.backups().join(name));
        }
        match &after {
            Some(after) => place.write(before.as_deref(), after)?,
            None => {
                safe_file::remove(&place.target)?;
            }
        }
    }
    if let Some(folder) = &report.made_folder {
        // Only when it is empty again.
        let _ = std::fs::remove_dir(folder);
    }
    let rest = records.without(&place.settings);
    let done = rest.save(&place.state).and_then(|()| {
        if rest.files.is_empty() {
            notes::set_wired(env, &PROGRAMS, false)?;
            notes::unmark_installed(env)?;
        }
        Ok(())
    });
    drop(lock);
    match done {
        Err(Error::File(source)) if changes => Err(Error::Part {
            path: place.settings,
            undo: "the hooks are out; run `mnemo uninstall` again",
            source,
        }),
        done => done.map(|()| report),
    }
}

/// What uninstall leaves; `None` when the file goes.
fn restored(
    place: &Place,
    options: &Options,
    record: Option<&Record>,
    bytes: &[u8],
) -> Result<Option<Vec<u8>>> {
    if let Some(record) = record.filter(|r| r.after == fingerprint(bytes)) {
        if record.made_file {
            return Ok(None);
        }
        if let Some(name) = &record.before
            && let Some(before) = place.backup(name)?
        {
            return Ok(Some(before));
        }
    }
    let mut own: BTreeSet<String> = record.map(Record::own).unwrap_or_default();
    let folders = [
        Some(options.programs.clone()),
        place.data.as_ref().map(|d| d.join("bin")),
    ];
    for folder in folders.iter().flatten().filter(|f| f.is_absolute()) {
        own.extend(hooks::command_texts(folder));
    }
    let undo = record.map(|r| r.undo.clone()).unwrap_or_default();
    plan::unplan(bytes, &own, &undo)
        .map(Some)
        .map_err(|refusal| Error::refused(&place.settings, refusal))
}

/// How the file stands to the earlier installation.
enum Standing {
    /// Nothing of ours was in it.
    Fresh { was_there: bool },
    /// As install left it.
    Untouched(Record),
    /// Ours are in it, or something is owed, but somebody changed it since: the bytes from before
    /// are no longer the right ones to give back.
    Changed(Undo),
}

impl Standing {
    fn of(earlier: Option<&Record>, before: Option<&[u8]>, own: &BTreeSet<String>) -> Self {
        let print = before.map(fingerprint);
        if let Some(record) = earlier
            && print.as_ref() == Some(&record.after)
        {
            return Self::Untouched(record.clone());
        }
        let root = before.and_then(|bytes| plan::read(bytes).ok().flatten());
        let ours = root.is_some_and(|root| entries::all(&root).iter().any(|f| f.is_one_of(own)));
        let owed =
            earlier.is_some_and(|e| e.undo.auto_memory.is_some() || !e.undo.removed.is_empty());
        if before.is_some() && (ours || owed) {
            return Self::Changed(earlier.map(|e| e.undo.clone()).unwrap_or_default());
        }
        Self::Fresh {
            was_there: before.is_some(),
        }
    }

    fn record(self, undo: Undo, backup: Option<&Path>) -> Record {
        match self {
            Self::Fresh { was_there } => Record {
                made_file: !was_there,
                before: backup
                    .and_then(Path::file_name)
                    .and_then(|name| name.to_str())
                    .map(str::to_owned),
                undo,
                ..Record::default()
            },
            Self::Untouched(earlier) => Record {
                undo: undo.after(&earlier.undo),
                ..earlier
            },
            Self::Changed(earlier) => Record {
                undo: undo.after(&earlier),
                ..Record::default()
            },
        }
    }
}

fn make_folder(place: &Place) -> Result<bool> {
    let folder = place.target.parent().unwrap_or(place.home.dir());
    if folder.is_dir() {
        return Ok(false);
    }
    safe_file::create_private_dir(folder)?;
    Ok(folder == place.home.dir())
}

fn note(env: &Env) -> safe_file::Result<()> {
    if notes::installed_at(env).is_none() {
        notes::mark_installed(env, env.now().to_utc())?;
    }
    if PROGRAMS.iter().all(|program| notes::wired(env, program)) {
        return Ok(());
    }
    notes::set_wired(env, &PROGRAMS, true)
}

fn commands(wanted: &Wanted) -> Vec<String> {
    let all: BTreeSet<String> = wanted
        .groups
        .iter()
        .flat_map(|group| group.entries.iter().map(|e| e.command.clone()))
        .collect();
    all.into_iter().collect()
}

fn wired(wanted: &Wanted) -> Vec<Wired> {
    let of = |group: &hooks::Group| -> Vec<Wired> {
        let entries = group.entries.iter();
        entries
            .map(|entry| Wired {
                event: group.event.to_owned(),
                program: entry.program.to_owned(),
                command: entry.command.clone(),
                matcher: group.matcher.clone(),
            })
            .collect()
    };
    wanted.groups.iter().flat_map(of).collect()
}

fn originals(bytes: Option<&[u8]>, taken_out: bool) -> Vec<Original> {
    let Some(root) = bytes.and_then(|bytes| plan::read(bytes).ok().flatten()) else {
        return Vec::new();
    };
    entries::all(&root)
        .iter()
        .filter(|found| found.is_original())
        .map(|found| Original {
            event: found.event.to_owned(),
            command: found.whole_command(),
            taken_out,
        })
        .collect()
}

fn remarks_on(place: &Place, bytes: &[u8], wanted: &Wanted) -> Vec<String> {
    let mut remarks = Vec::new();
    if let Ok(Some(root)) = plan::read(bytes) {
        for found in entries::all(&root) {
            if let Some(program) = found.program()
                && !found.is_one_of(&wanted.own)
            {
                remarks.push(format!(
                    "another entry runs {program} too ({}: {}); if both stay, take one out",
                    found.event,
                    found.whole_command()
                ));
            }
        }
        if crate::inspect::plugin_enabled(&root) {
            remarks.push(
                "the mnemo plugin is enabled as well; its hooks do nothing as long as these are wired"
                    .to_owned(),
            );
        }
    }
    let settings = claude_home::Settings::load(&place.home, None);
    for file in settings.hooks_disabled_by {
        remarks.push(format!(
            "hooks are switched off by {} (disableAllHooks); none runs until that is changed",
            file.display()
        ));
    }
    remarks
}

/// How many transcripts there are; sub-agents' files lie deeper and are not counted.
fn transcripts(projects: &Path) -> usize {
    let inside = |folder: &Path| std::fs::read_dir(folder).into_iter().flatten().flatten();
    inside(projects)
        .flat_map(|project| {
            std::fs::read_dir(project.path())
                .into_iter()
                .flatten()
                .flatten()
        })
        .filter(|file| file.path().extension().is_some_and(|e| e == "jsonl"))
        .count()
}
