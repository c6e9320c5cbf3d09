//! How far the project has moved on since a handoff.

use crate::create::{NAME_CHARS, UNBORN, is_record, worktree};
use crate::git::{Git, Head, Kind, Via};
use crate::place::Handoff;
use crate::raw::shown;
use crate::refs::{self, Places};
use crate::validate;
use chrono::{DateTime, Local, NaiveDateTime};
use mnemo_home::Env;
use record::root::Root;
use redact::Policy;
use serde::Serialize;
use std::collections::BTreeSet;
use std::path::Path;

/// How stale a handoff is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Level {
    /// Go on from it.
    Fresh,
    /// Look at what changed first.
    SlightlyStale,
    /// Check its claims before relying on them.
    Stale,
    /// Write a new one.
    VeryStale,
    /// Nobody knows when it was made, or what it says.
    Unknown,
}

impl Level {
    /// Whether one can go on from it.
    pub fn is_good(self) -> bool {
        matches!(self, Self::Fresh | Self::SlightlyStale)
    }

    /// What to do.
    pub fn advice(self) -> &'static str {
        match self {
            Self::Fresh => "go on from it",
            Self::SlightlyStale => "look at what changed, then go on",
            Self::Stale => "check its claims against the code before relying on them",
            Self::VeryStale => "read it for the reasons only, and write a new one",
            Self::Unknown => "add a line `- Created: YYYY-MM-DD HH:MM:SS`, then ask again",
        }
    }
}

impl std::fmt::Display for Level {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Fresh => "FRESH",
            Self::SlightlyStale => "SLIGHTLY_STALE",
            Self::Stale => "STALE",
            Self::VeryStale => "VERY_STALE",
            Self::Unknown => "UNKNOWN",
        })
    }
}

/// What was measured. `None` is unknown, never zero.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Staleness {
    /// How stale.
    pub level: Level,
    /// 0 is fresh; 1–2 slightly stale, 3–4 stale, more very stale.
    pub points: u32,
    /// When it was made, local time.
    #[serde(serialize_with = "as_text")]
    pub created: Option<NaiveDateTime>,
    /// Hours since.
    pub age_hours: Option<i64>,
    /// How git was read.
    pub git: Via,
    /// The branch it was made on, and the one of now.
    pub branch: BranchThen,
    /// Commits since.
    pub commits: Option<u64>,
    /// Subjects of the newest of them.
    pub newest_commits: Vec<String>,
    /// Files changed since, committed or not. Without git: those it names that were changed.
    pub changed_files: Option<Vec<String>>,
    /// Files it refers to that are not there.
    pub missing: Vec<String>,
    /// What the points are for.
    pub issues: Vec<String>,
    /// What could not be told, and why.
    pub unknown: Vec<String>,
    /// Places of it that are still to be filled in.
    pub to_fill_in: usize,
    /// Why it could not be read.
    pub unread: Option<String>,
}

/// Furthest in the future that a handoff may be dated, in hours: clocks and time zones differ.
const AHEAD: i64 = 24;

/// Branch then and now.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct BranchThen {
    /// When it was made; absent where it does not say.
    pub then: Option<String>,
    /// Now; absent where it is unknown or no branch is checked out.
    pub now: Option<String>,
}

/// Commits whose subjects are told.
const COMMITS: usize = 5;

/// Looks at one handoff of a project.
pub fn staleness(handoff: &Handoff, root: &Root, env: &Env) -> Staleness {
    let git = Git::at(&worktree(root), env);
    of(handoff, root, &git, env.now())
}

/// As [`staleness`], for every handoff, newest first; git is opened once.
pub fn staleness_of_all(handoffs: &[Handoff], root: &Root, env: &Env) -> Vec<Staleness> {
    let git = Git::at(&worktree(root), env);
    handoffs
        .iter()
        .map(|handoff| of(handoff, root, &git, env.now()))
        .collect()
}

fn of(handoff: &Handoff, root: &Root, git: &Git, now: DateTime<Local>) -> Staleness {
    let mut told = Staleness {
        level: Level::Unknown,
        points: 0,
        created: handoff.created,
        age_hours: None,
        git: git.via().clone(),
        branch: BranchThen::default(),
        commits: None,
        newest_commits: Vec::new(),
        changed_files: None,
        missing: Vec::new(),
        issues: Vec::new(),
        unknown: Vec::new(),
        to_fill_in: validate::to_fill_in(handoff),
        unread: handoff.problem.clone().filter(|_| is_empty(handoff)),
    };
    if let Some(why) = &told.unread {
        told.unknown.push(format!("what it says: {why}"));
        return told;
    }
    told.age(now);
    told.branch(handoff, git);
    told.history(handoff, root, git);
    let places = Places::of(handoff, Some(root));
    told.missing = refs::missing(handoff, &places)
        .into_iter()
        .map(|reference| quoted(&reference.path))
        .collect();
    let missing = told.missing.len() as u64;
    told.steps(missing, &[(1, 1), (6, 2)], |count| {
        format!(
            "{} it refers to {} not there",
            files(count),
            if count == 1 { "is" } else { "are" }
        )
    });
    told.level = match told.points {
        _ if told.age_hours.is_none_or(|hours| hours < -AHEAD) => Level::Unknown,
        0 => Level::Fresh,
        1..=2 => Level::SlightlyStale,
        3..=4 => Level::Stale,
        _ => Level::VeryStale,
    };
    told
}

fn is_empty(handoff: &Handoff) -> bool {
    handoff.document.text().trim().is_empty()
}

/// A name or subject that git or a file says, as it may be told: the handoff's own text is filtered
/// in the same way.
fn quoted(text: &str) -> String {
    shown(text, NAME_CHARS, Policy { secrets: true })
}

impl Staleness {
    /// What to do.
    pub fn advice(&self) -> String {
        if self.unread.is_some() {
            return "it cannot be read; look at it before anything else".to_owned();
        }
        if self.age_hours.is_some_and(|hours| hours < -AHEAD) {
            return "it says it was made in the future: correct its `Created:` line or the clock"
                .to_owned();
        }
        match self.to_fill_in {
            0 => self.level.advice().to_owned(),
            count => format!(
                "but not filled in: {count} place{}; `mnemo handoff validate` shows them",
                if count == 1 { "" } else { "s" }
            ),
        }
    }

    /// Level and advice in one phrase.
    pub fn headline(&self) -> String {
        let mark = if self.advice().starts_with("but ") {
            ","
        } else {
            ":"
        };
        format!("{}{mark} {}", self.level, self.advice())
    }

    /// Points for a measure: those of the last step that it reaches.
    fn steps(&mut self, measure: u64, steps: &[(u64, u32)], why: impl Fn(u64) -> String) {
        let reached = steps.iter().rev().find(|(least, _)| measure >= *least);
        if let Some((_, points)) = reached {
            self.points += points;
            self.issues.push(why(measure));
        }
    }

    fn age(&mut self, now: DateTime<Local>) {
        let Some(created) = self.created else {
            self.unknown.push(
                "age: neither its name nor a `Created:` line says when it was made".to_owned(),
            );
            return;
        };
        let hours = (now.naive_local() - created).num_hours();
        self.age_hours = Some(hours);
        if hours < 0 {
            self.unknown
                .push("age: it says it was made in the future; check the clock".to_owned());
            return;
        }
        // More than one, seven, thirty days.
        let hours = u64::try_from(hours).unwrap_or_default();
        self.steps(
            hours,
            &[(25, 1), (7 * 24 + 1, 2), (30 * 24 + 1, 3)],
            |hours| match hours / 24 {
                1 => "made 1 day ago".to_owned(),
                days => format!("made {days} days ago"),
            },
        );
    }

    fn branch(&mut self, handoff: &Handoff, git: &Git) {
        let then = handoff
            .document
            .metadata("Branch")
            .and_then(|branch| branch.split_whitespace().next())
            .map(str::to_owned);
        let head = git.head();
        self.branch = BranchThen {
            then,
            now: head.branch().map(quoted),
        };
        // It was written down as it may be told, or as it is.
        let same =
            |then: &str| head.branch() == Some(then) || self.branch.now.as_deref() == Some(then);
        match (&self.branch.then, &head) {
            (Some(_), Head::Unknown) => {
                self.unknown.push(format!("branch: {}", self.git));
            }
            (Some(then), head) if !same(then) => {
                let now = match head {
                    Head::Detached(commit) => {
                        format!("no branch ({})", commit.get(..7).unwrap_or(commit))
                    }
                    _ => self
                        .branch
                        .now
                        .clone()
                        .unwrap_or_else(|| "unknown".to_owned()),
                };
                let issue = format!("made on branch {then}, now on {now}");
                self.points += 2;
                self.issues.push(issue);
            }
            _ => {}
        }
        if let (Some(then), Some(now)) = (&self.branch.then, head.branch())
            && then == now
        {
            self.branch.then = self.branch.now.clone();
        }
    }

    fn history(&mut self, handoff: &Handoff, root: &Root, git: &Git) {
        let moment = self
            .created
            .and_then(|created| Some(created.and_local_timezone(Local).earliest()?.timestamp()));
        match git.via() {
            Via::Program(_) => self.by_program(handoff, git, moment),
            Via::Files(why) => {
                // The files still tell whether HEAD moved.
                let then = handoff.document.metadata("Commit");
                match (then, git.commit()) {
                    (Some(then), Some(now)) if now.starts_with(&then.to_lowercase()) => {
                        self.commits = Some(0);
                    }
                    (Some(_), Some(_)) => {
                        self.points += 1;
                        self.issues
                            .push("HEAD is on another commit than then".to_owned());
                        self.unknown.push(format!("number of commits since: {why}"));
                    }
                    _ => self.unknown.push(format!("commits since: {why}")),
                }
                self.unknown
                    .push(format!("changed files, but for those it names: {why}"));
                self.by_times(handoff, root, moment);
            }
            Via::Nothing => {
                self.unknown
                    .push("commits and branch: this is not a git repository".to_owned());
                self.by_times(handoff, root, moment);
            }
        }
        if let Some(commits) = self.commits {
            self.steps(commits, &[(6, 1), (21, 2), (51, 3)], |count| {
                format!("{count} commits since")
            });
        }
        if let Some(changed) = &self.changed_files {
            let count = changed.len() as u64;
            self.steps(count, &[(6, 1), (21, 2)], |count| {
                format!("{} changed since", files(count))
            });
        }
    }

    fn by_program(&mut self, handoff: &Handoff, git: &Git, moment: Option<i64>) {
        let named = handoff.document.metadata("Commit");
        let mut base = named.and_then(|commit| git.known(commit));
        if base.is_none() {
            let Some(moment) = moment else {
                self.unknown
                    .push("commits and changed files: it is not known since when".to_owned());
                return;
            };
            if named.is_some() {
                self.unknown.push(
                    "commit: the one it names is not in this repository; counted by time"
                        .to_owned(),
                );
            }
            // Made before the first commit: every one came later.
            let first = handoff
                .document
                .metadata_raw("Branch")
                .is_some_and(|branch| branch.ends_with(UNBORN));
            base = if first { None } else { git.before(moment) };
        }
        let base = base.as_deref();
        self.commits = git.commits_since(base);
        if self.commits.is_none() {
            self.unknown
                .push("commits since: git cannot read the history".to_owned());
        }
        if self.commits.is_some_and(|count| count > 0) {
            self.newest_commits = git
                .subjects_since(base, COMMITS)
                .into_iter()
                .map(|commit| {
                    format!(
                        "{} {}",
                        commit.short,
                        mnemo_home::one_line(&quoted(&commit.subject), 120)
                    )
                })
                .collect();
        }
        let committed = match git.commit() {
            Some(_) => git.files_since(base),
            None => Some(Vec::new()),
        };
        let (Some(committed), Some(changes)) = (committed, git.changes()) else {
            self.unknown
                .push("changed files: git cannot tell them here".to_owned());
            return;
        };
        let listed: Vec<String> = handoff
            .document
            .files()
            .into_iter()
            .map(|row| row.path)
            .collect();
        let mut files: BTreeSet<String> = committed.into_iter().collect();
        for change in changes {
            // What was there, uncommitted, when the handoff was made is its own work.
            let later = match modified(&git.directory().join(&change.path)) {
                Some(time) => moment.is_none_or(|moment| time > moment),
                None => change.kind == Kind::Deleted && !listed.contains(&change.path),
            };
            if later {
                files.insert(change.path);
            }
        }
        files.retain(|path| !is_record(path));
        self.changed_files = Some(files.iter().map(|file| quoted(file)).collect());
    }

    /// Which of the files it names were changed since, by their times.
    fn by_times(&mut self, handoff: &Handoff, root: &Root, moment: Option<i64>) {
        let Some(moment) = moment else {
            return;
        };
        let mut named = handoff.document.files();
        named.extend(handoff.document.rows_of("Critical Files"));
        let changed: BTreeSet<String> = named
            .into_iter()
            .map(|row| row.path)
            .filter(|path| !Path::new(path).is_absolute())
            .filter(|path| modified(&root.path().join(path)).is_some_and(|time| time > moment))
            .collect();
        self.changed_files = Some(changed.iter().map(|file| quoted(file)).collect());
    }
}

#[allow(clippy::ref_option, reason = "serde hands it so")]
fn as_text<S: serde::Serializer>(
    moment: &Option<NaiveDateTime>,
    serializer: S,
) -> std::result::Result<S::Ok, S::Error> {
    match moment {
        Some(moment) => serializer.collect_str(&moment.format("%Y-%m-%dT%H:%M:%S")),
        None => serializer.serialize_none(),
    }
}

fn files(count: u64) -> String {
    format!("{count} file{}", if count == 1 { "" } else { "s" })
}

/// When a file was last changed, in seconds since 1970.
fn modified(path: &Path) -> Option<i64> {
    let time = std::fs::symlink_metadata(path).ok()?.modified().ok()?;
    let since = time.duration_since(std::time::UNIX_EPOCH).ok()?;
    i64::try_from(since.as_secs()).ok()
}
