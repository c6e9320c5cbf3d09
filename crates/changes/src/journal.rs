//! The undo folder: one set after the other, under one lock.

use crate::set::{self, Manifest, Opened, Set, State};
use crate::tree::{self, Disk, Found, Image, Step};
use crate::{ChangeSet, Difference, Error, Result, Summary};
use chrono::{DateTime, Local, SecondsFormat, Utc};
use mnemo_home::{Env, Folders};
use safe_file::{Boundary, Error as FileError, Lock};
use serde::Serialize;
use std::fmt::Write as _;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Sets that are kept.
pub(crate) const KEPT: usize = 20;
/// Bytes that are kept; the newest set is, whatever its size.
pub(crate) const KEPT_BYTES: u64 = 100 * 1000 * 1000;
/// How long another mnemo may take before this one gives up.
const WAIT: Duration = Duration::from_secs(30);
/// The same for a command that may only want to look.
const SHORT_WAIT: Duration = Duration::from_secs(2);

const LOCK: &str = ".lock";
const PENDING: &str = ".pending";

/// The undo folder, locked: nobody else applies, undoes or recovers while this lives.
pub struct Journal {
    folder: PathBuf,
    now: DateTime<Local>,
    disk: Disk,
    recovered: Vec<Recovered>,
    waiting: Vec<Waiting>,
    _lock: Lock,
}

/// A set that a killed command left and that cannot be brought to an end now.
struct Waiting {
    /// The folder that it changes.
    root: PathBuf,
    command: String,
    set: PathBuf,
    why: Error,
}

/// A set that was carried out.
#[derive(Debug, Clone, Serialize)]
pub struct Applied {
    /// Its name in the undo folder; `None` when nothing had to change.
    pub set: Option<String>,
    /// The folder that the paths below are relative to.
    pub root: PathBuf,
    /// What changed.
    pub changes: Vec<Summary>,
}

/// A set that a killed command left, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Recovered {
    /// Its name in the undo folder.
    pub set: String,
    /// The command; empty when its description cannot be read.
    pub command: String,
    /// What became of it.
    pub outcome: Outcome,
    /// Files that somebody else changed since, which were left as they are.
    pub left: Vec<Difference>,
}

/// What became of a set that a killed command left.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Outcome {
    /// It is carried out now.
    Finished,
    /// Everything is as before it.
    TakenBack,
    /// It is damaged and stays as it is.
    Damaged,
}

impl std::fmt::Display for Recovered {
    /// A sentence for the user.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { set, command, .. } = self;
        match self.outcome {
            Outcome::Finished => {
                write!(f, "an interrupted `mnemo {command}` was finished ({set})")?;
            }
            Outcome::TakenBack => {
                write!(f, "an interrupted `mnemo {command}` was taken back ({set})")?;
            }
            Outcome::Damaged => write!(f, "the undo set {set} is damaged and left as it is")?,
        }
        for file in &self.left {
            write!(f, "; {} was left alone ({})", file.path.display(), file.how)?;
        }
        Ok(())
    }
}

/// Finishes or takes back what a killed command left, so that every file is as before that
/// command or as after it. Every command calls this first; it costs one `stat` when there is
/// nothing to do. While another mnemo is at work it waits for it, 2 s at most, and then does nothing.
pub fn recover(env: &Env) -> Result<Vec<Recovered>> {
    let Some(folder) = folder(env) else {
        return Ok(Vec::new());
    };
    if std::fs::symlink_metadata(folder.join(PENDING)).is_err() {
        return Ok(Vec::new());
    }
    let lock = match Lock::acquire(&folder.join(LOCK), SHORT_WAIT) {
        Ok(lock) => lock,
        Err(FileError::Busy { .. }) => return Ok(Vec::new()),
        Err(error) => return Err(error.into()),
    };
    Ok(Journal::new(folder, lock, env, None)?.recovered)
}

/// `<state>/mnemo/undo`
pub(crate) fn folder(env: &Env) -> Option<PathBuf> {
    Some(Folders::of(env).state?.join("undo"))
}

impl Journal {
    /// Waits for the lock (at most 30 s) and recovers what a killed command left.
    pub fn open(env: &Env) -> Result<Self> {
        Self::open_with(env, None)
    }

    /// For tests: `hook` is called before each change to the disk; its error is that change's.
    #[doc(hidden)]
    pub fn open_with(env: &Env, hook: Option<tree::Hook>) -> Result<Self> {
        let folder = folder(env).ok_or(Error::NoStateFolder)?;
        safe_file::create_private_dir(&folder)?;
        let lock = Lock::acquire(&folder.join(LOCK), WAIT)?;
        Self::new(folder, lock, env, hook)
    }

    fn new(folder: PathBuf, lock: Lock, env: &Env, hook: Option<tree::Hook>) -> Result<Self> {
        let mut journal = Self {
            folder,
            now: env.now(),
            disk: Disk { hook },
            recovered: Vec::new(),
            waiting: Vec::new(),
            _lock: lock,
        };
        journal.recover()?;
        Ok(journal)
    }

    /// What was recovered when this was opened.
    pub fn recovered(&self) -> &[Recovered] {
        &self.recovered
    }

    /// Carries out a set: checks that every file is as planned, keeps both sides of each, changes
    /// the files one after the other. On an error everything is put back; only where that fails
    /// too is the error [`Error::Part`].
    pub fn apply(&self, plan: &ChangeSet) -> Result<Applied> {
        let mut applied = Applied {
            set: None,
            root: plan.root().to_owned(),
            changes: plan.summary(),
        };
        let steps = steps_of(plan)?;
        if steps.is_empty() {
            return Ok(applied);
        }
        self.is_free(plan.root())?;
        let boundary = plan.boundary();
        let differences = tree::differences(boundary, &steps)?;
        if !differences.is_empty() {
            return Err(Error::Changed(differences));
        }
        let mut set = self.prepare(plan, &steps)?;
        if let Err(failed) = self.disk.carry_out(boundary, &steps) {
            return Err(self.put_back(set, failed));
        }
        if let Err(source) = set.turn(&self.disk, State::Applied) {
            // Everything is done but for the note of it, which the next command writes.
            return Err(Error::Part {
                source: Box::new(source),
                done: steps.into_iter().map(|step| step.path).collect(),
                set: set.folder,
            });
        }
        applied.set = Some(set.id());
        self.settled();
        self.prune();
        Ok(applied)
    }

    /// Refuses what would come over a set that waits.
    fn is_free(&self, root: &Path) -> Result<()> {
        let inside =
            |waiting: &&Waiting| root.starts_with(&waiting.root) || waiting.root.starts_with(root);
        let Some(waiting) = self.waiting.iter().find(inside) else {
            return Ok(());
        };
        Err(Error::Waiting {
            command: waiting.command.clone(),
            root: waiting.root.clone(),
            set: waiting.set.clone(),
            why: waiting.why.to_string(),
        })
    }

    /// Everything that is needed to go either way, on the disk.
    fn prepare(&self, plan: &ChangeSet, steps: &[Step]) -> Result<Set> {
        let manifest = Manifest {
            version: 0,
            sequence: self
                .sets()?
                .iter()
                .map(|s| s.manifest.sequence)
                .max()
                .unwrap_or(0)
                + 1,
            command: plan.command().to_owned(),
            time: self.now.to_rfc3339_opts(SecondsFormat::Secs, false),
            root: plan.root().to_owned(),
            folders: tree::missing_folders(
                steps
                    .iter()
                    .filter(|step| step.to.is_some())
                    .map(|step| step.real.as_path()),
            ),
            files: Vec::new(),
        };
        let folder = self.new_folder(plan.command())?;
        let written = self
            .pending()
            .and_then(|()| Set::write(&self.disk, &folder, steps, manifest));
        if written.is_err() {
            // Half a set is none; what cannot be removed now goes with the next recovery.
            let _ = set::discard(&self.disk, &folder);
            self.settled();
        }
        written
    }

    fn new_folder(&self, command: &str) -> Result<PathBuf> {
        let time = self.now.with_timezone(&Utc).format("%Y%m%dT%H%M%SZ");
        let command: String = command
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .take(40)
            .collect();
        let mut folder = self.folder.join(format!("{time}-{command}"));
        for number in 2.. {
            match std::fs::symlink_metadata(&folder) {
                Ok(_) => folder = self.folder.join(format!("{time}-{command}-{number}")),
                Err(error) if error.kind() == ErrorKind::NotFound => break,
                Err(error) => return Err(FileError::io("look at", &folder, error).into()),
            }
        }
        self.disk.before("make the folder", &folder)?;
        safe_file::create_private_dir(&folder)?;
        Ok(folder)
    }

    /// From here on the next command has to look; this process's temporary files are known to it.
    fn pending(&self) -> Result<()> {
        let file = self.folder.join(PENDING);
        self.disk.before("write", &file)?;
        let mut text = String::new();
        for pid in self.pids()?.into_iter().chain([std::process::id()]) {
            let _ = writeln!(text, "{pid}");
        }
        // Durably, which also makes the set's new folder last.
        Ok(safe_file::put(&file, text.as_bytes(), None, None)?)
    }

    /// The processes that died at work.
    fn pids(&self) -> Result<Vec<u32>> {
        let bytes = safe_file::read_real(&self.folder.join(PENDING), 1 << 20)?.unwrap_or_default();
        Ok(String::from_utf8_lossy(&bytes)
            .lines()
            .filter_map(|line| line.parse().ok())
            .collect())
    }

    fn settled(&self) {
        if !self.waiting.is_empty() {
            return;
        }
        if self.disk.before("remove", &self.folder).is_ok() {
            // One that stays costs the next command a look.
            let _ = safe_file::remove(&self.folder.join(PENDING));
        }
    }

    /// A set could not be carried out: what its error is.
    fn put_back(&self, mut set: Set, failed: tree::Failed) -> Error {
        let source = Box::new(failed.error);
        // Renames need no room: after a crash from here on it is put back too.
        let noted = set.turn(&self.disk, State::Reverting);
        if !failed.left.is_empty() {
            return Error::Part {
                source,
                done: failed.left,
                set: set.folder,
            };
        }
        tree::remove_empty(&set.manifest.folders);
        match set::discard(&self.disk, &set.folder) {
            Ok(()) => self.settled(),
            // It would be carried out by the next command: say so.
            Err(_) if noted.is_err() => {
                return Error::Part {
                    source,
                    done: Vec::new(),
                    set: set.folder,
                };
            }
            Err(_) => {}
        }
        Error::PutBack { source }
    }

    /// The last set that is carried out, not taken back, and `wanted`.
    pub(crate) fn last(&self, wanted: impl Fn(&Set) -> bool) -> Result<Option<Set>> {
        Ok(self
            .sets()?
            .into_iter()
            .rev()
            .find(|set| set.state == State::Applied && wanted(set)))
    }

    /// Takes a set back.
    pub(crate) fn undo(&self, set: &mut Set) -> Result<()> {
        self.is_free(&set.manifest.root)?;
        let boundary = set.boundary();
        let _still = set.hold(SHORT_WAIT)?;
        let steps = set.steps_back()?;
        check_unchanged(set, &boundary, &steps)?;
        self.pending()?;
        set.turn(&self.disk, State::Undoing)?;
        if let Err(failed) = self.disk.carry_out(&boundary, &steps) {
            let source = Box::new(failed.error);
            if !failed.left.is_empty() {
                return Err(Error::Part {
                    source,
                    done: failed.left,
                    set: set.folder.clone(),
                });
            }
            if set.turn(&self.disk, State::Applied).is_ok() {
                self.settled();
            }
            return Err(Error::PutBack { source });
        }
        tree::remove_empty(&set.manifest.folders);
        set.turn(&self.disk, State::Undone)?;
        self.settled();
        Ok(())
    }

    /// The sets, oldest first.
    fn sets(&self) -> Result<Vec<Set>> {
        sets(&self.folder)
    }

    fn recover(&mut self) -> Result<()> {
        for folder in folders(&self.folder)? {
            let recovered = match Set::open(&folder)? {
                Opened::Incomplete => {
                    set::discard(&self.disk, &folder)?;
                    continue;
                }
                // One that is settled, perhaps of a newer version, needs nothing.
                Opened::Damaged if set::is_settled(&folder) => continue,
                Opened::Damaged => Self::give_up(&folder, "")?,
                Opened::Set(set) => match set.state {
                    State::Applied | State::Undone | State::Damaged => continue,
                    State::Applying | State::Undoing | State::Reverting => {
                        let (root, command) =
                            (set.manifest.root.clone(), set.manifest.command.clone());
                        match self.settle(set) {
                            Ok(recovered) => recovered,
                            // One project that cannot be reached keeps no other from its work.
                            Err(why) => {
                                let set = folder.clone();
                                self.waiting.push(Waiting {
                                    root,
                                    command,
                                    set,
                                    why,
                                });
                                continue;
                            }
                        }
                    }
                },
            };
            self.recovered.push(recovered);
        }
        if std::fs::symlink_metadata(self.folder.join(PENDING)).is_ok() {
            self.settled();
        }
        Ok(())
    }

    fn give_up(folder: &Path, command: &str) -> Result<Recovered> {
        set::mark_damaged(folder)?;
        Ok(Recovered {
            set: set::name_of(folder),
            command: command.to_owned(),
            outcome: Outcome::Damaged,
            left: Vec::new(),
        })
    }

    /// Brings a set that was under way to one of its ends.
    fn settle(&self, mut set: Set) -> Result<Recovered> {
        let undoing = set.state == State::Undoing;
        // A folder that was moved away is not made anew; one that the set makes need not be there.
        let mut above = set.manifest.root.ancestors();
        if let Some(there) =
            above.find(|folder| !set.manifest.folders.iter().any(|new| new == folder))
            && let Err(error) = std::fs::read_dir(there)
        {
            return Err(FileError::io("look into", there, error).into());
        }
        let _still = set.hold(SHORT_WAIT)?;
        let steps = if undoing {
            set.steps_back()
        } else {
            set.steps()
        };
        let steps = match steps {
            Ok(steps) => steps,
            Err(Error::Damaged { .. }) => return Self::give_up(&set.folder, &set.manifest.command),
            Err(error) => return Err(error),
        };
        let pids = self.pids()?;
        for folder in steps.iter().filter_map(|step| step.real.parent()) {
            for pid in &pids {
                safe_file::sweep_temps_of(folder, *pid)?;
            }
        }
        self.pending()?;
        let boundary = set.boundary();
        let found = steps
            .iter()
            .map(|step| step.find(&boundary))
            .collect::<Result<Vec<_>>>()?;
        let left = steps
            .iter()
            .zip(&found)
            .filter_map(|(step, found)| match found {
                Found::Other(how) => Some(Difference {
                    path: step.path.clone(),
                    how: *how,
                }),
                Found::From | Found::To => None,
            })
            .collect();
        // A line that left one log may stand in the other only: where one cannot be found any more,
        // neither is touched. It may stand in both then.
        let grows = |step: &Step| step.grows_under.is_some();
        let lost = steps
            .iter()
            .zip(&found)
            .any(|(step, found)| grows(step) && matches!(found, Found::Other(_)));
        let forward = set.state != State::Reverting
            && (goes_on(&found) || lost && found.contains(&Found::To));
        if !forward && !undoing && set.state != State::Reverting {
            set.turn(&self.disk, State::Reverting)?;
        }
        let (steps, found): (Vec<Step>, Vec<Found>) = steps
            .into_iter()
            .zip(found)
            .filter(|(step, _)| !(lost && grows(step)))
            .unzip();
        if forward {
            let rest: Vec<Step> = steps
                .into_iter()
                .zip(&found)
                .filter(|(_, found)| **found == Found::From)
                .map(|(step, _)| step)
                .collect();
            if let Err(failed) = self.disk.carry_out(&boundary, &rest) {
                return Err(failed.error);
            }
        } else if let Some(left) = self.disk.put_back(&boundary, &steps).into_iter().next() {
            let error = std::io::Error::other("it could not be put back");
            return Err(FileError::io("write", &left, error).into());
        }
        // To the end that was chosen.
        let applied = forward != undoing;
        if !applied {
            tree::remove_empty(&set.manifest.folders);
        }
        set.turn(
            &self.disk,
            if applied {
                State::Applied
            } else {
                State::Undone
            },
        )?;
        Ok(Recovered {
            set: set.id(),
            command: if undoing {
                "undo".to_owned()
            } else {
                set.manifest.command.clone()
            },
            outcome: if forward {
                Outcome::Finished
            } else {
                Outcome::TakenBack
            },
            left,
        })
    }

    fn prune(&self) {
        // A set too many is no reason to fail after everything is done.
        let Ok(sets) = self.sets() else { return };
        let mut bytes = 0;
        for (age, set) in sets.iter().rev().enumerate() {
            bytes += set.size();
            let settled = matches!(set.state, State::Applied | State::Undone);
            if age > 0 && (age >= KEPT || bytes > KEPT_BYTES) && settled {
                let _ = set::discard(&self.disk, &set.folder);
            }
        }
    }
}

/// Whether a set that was under way is carried on, by what lies at its paths. What somebody else
/// changed since is left as it is: if the set had come further than that file, it goes on around
/// it, else it is taken back.
fn goes_on(found: &[Found]) -> bool {
    found
        .iter()
        .enumerate()
        .all(|(at, one)| !matches!(one, Found::Other(_)) || found[at + 1..].contains(&Found::To))
}

/// The steps of a plan, with the stamps of the files as they are.
fn steps_of(plan: &ChangeSet) -> Result<Vec<Step>> {
    let mut steps = Vec::new();
    for (change, real) in plan.ordered()? {
        let stamp = safe_file::stamp(&real)?;
        let modified = stamp.map(|stamp| stamp.modified);
        let mode = stamp.and_then(|stamp| stamp.mode);
        // What a moved file keeps it has from its old place.
        let kept = match change.moved_from() {
            Some(from) => safe_file::stamp(&plan.boundary().resolve(from)?)?,
            None => stamp,
        };
        steps.push(Step {
            path: change.path().to_owned(),
            real,
            from: change.before().map(|bytes| Image {
                bytes: bytes.to_vec(),
                mode,
                modified,
            }),
            to: change.after().map(|bytes| Image {
                bytes: bytes.to_vec(),
                mode: change.mode().or(kept.and_then(|stamp| stamp.mode)),
                modified: kept
                    .map(|stamp| stamp.modified)
                    .filter(|_| change.keeps_time()),
            }),
            grows_under: change.lock().map(Path::to_owned),
            moves_into: change.archive().map(Path::to_owned),
            counts: change.counted().to_vec(),
        });
    }
    Ok(steps)
}

/// Whether the files are as the set left them; an error names those that are not.
pub(crate) fn check(set: &Set) -> Result<()> {
    check_unchanged(set, &set.boundary(), &set.steps_back()?)
}

fn check_unchanged(set: &Set, boundary: &Boundary, steps: &[Step]) -> Result<()> {
    let files = tree::differences(boundary, steps)?;
    if files.is_empty() {
        Ok(())
    } else {
        Err(Error::ChangedSince {
            set: set.id(),
            files,
        })
    }
}

/// The folders of all sets.
fn folders(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = match std::fs::read_dir(folder) {
        Ok(entries) => entries,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(FileError::io("list", folder, error).into()),
    };
    let mut folders: Vec<PathBuf> = entries
        .flatten()
        .filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir()))
        .map(|entry| entry.path())
        .collect();
    folders.sort();
    Ok(folders)
}

/// The sets of a folder.
#[derive(Debug, Default)]
pub(crate) struct Kept {
    /// Those that can be read, oldest first.
    pub(crate) sets: Vec<Set>,
    /// Folders of those whose list of files is damaged or of a newer version, oldest first.
    pub(crate) unreadable: Vec<PathBuf>,
}

/// Reads the sets of a folder.
pub(crate) fn kept(folder: &Path) -> Result<Kept> {
    let mut kept = Kept::default();
    for folder in folders(folder)? {
        match Set::open(&folder)? {
            Opened::Set(set) => kept.sets.push(set),
            // One that a command marked as damaged was told of then.
            Opened::Damaged if set::is_settled(&folder) && !set::is_marked_damaged(&folder) => {
                kept.unreadable.push(folder);
            }
            Opened::Damaged | Opened::Incomplete => {}
        }
    }
    kept.sets.sort_by_key(|set| set.manifest.sequence);
    Ok(kept)
}

/// All sets that can be read, oldest first.
pub(crate) fn sets(folder: &Path) -> Result<Vec<Set>> {
    kept(folder).map(|kept| kept.sets)
}
