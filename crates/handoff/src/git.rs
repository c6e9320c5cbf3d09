//! What git says of a place, read through the `git` program: one that may hold a repository nobody
//! trusts. Where there is no program, the files of `.git` still tell branch and commit.
//!
//! A repository's configuration can name programs (a file monitor, hooks, filters, signature
//! checkers, pagers, transports). None of them runs here: what git lets us switch off is switched
//! off, and the filters are set to nothing by name. The caller's `GIT_*` variables do not count.

use mnemo_home::Env;
use serde::Serialize;
use std::ffi::OsString;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

/// Longest wait for one call of the program.
const WAIT: Duration = Duration::from_secs(5);
/// Most that is read of an answer, in bytes.
const MOST: u64 = 8 << 20;
/// Longest of the small files of `.git` that are read, in bytes.
const SMALL: u64 = 64 << 10;
/// Longest `packed-refs` that is read, in bytes.
const PACKED: u64 = 16 << 20;

/// How git was read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(tag = "by", content = "detail", rename_all = "lowercase")]
pub enum Via {
    /// The `git` program, of this version.
    Program(String),
    /// The files of `.git`; the program could not be asked, for this reason.
    Files(String),
    /// There is no repository.
    Nothing,
}

impl std::fmt::Display for Via {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Program(version) => write!(f, "the git program ({version})"),
            Self::Files(why) => write!(f, "the files of .git only ({why})"),
            Self::Nothing => f.write_str("not a git repository"),
        }
    }
}

/// Where `HEAD` is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Head {
    /// On a branch.
    Branch(String),
    /// On a branch without commits.
    Unborn(String),
    /// On a commit.
    Detached(String),
    /// Not known.
    Unknown,
}

impl Head {
    /// The branch, if it is on one.
    pub(crate) fn branch(&self) -> Option<&str> {
        match self {
            Self::Branch(name) | Self::Unborn(name) => Some(name),
            Self::Detached(_) | Self::Unknown => None,
        }
    }
}

/// A commit as a person reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Commit {
    pub(crate) short: String,
    pub(crate) subject: String,
}

/// How a file differs from the last commit.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    New,
    Changed,
    Renamed,
    Deleted,
}

impl Kind {
    pub(crate) fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Changed => "changed",
            Self::Renamed => "renamed",
            Self::Deleted => "deleted",
        }
    }
}

/// A file that differs from the last commit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Change {
    /// Relative to the directory that was asked for, with `/`.
    pub(crate) path: String,
    /// Of a rename.
    pub(crate) old: Option<String>,
    pub(crate) kind: Kind,
}

/// Git at one directory.
#[derive(Debug)]
pub(crate) struct Git {
    directory: PathBuf,
    /// The directory below the worktree's top, with `/` at the end; empty at the top.
    prefix: String,
    program: Option<Program>,
    marker: Option<PathBuf>,
    via: Via,
}

#[derive(Debug)]
struct Program {
    path: PathBuf,
    vars: Vec<(&'static str, OsString)>,
    /// `filter.NAME.clean` and so on, to be set to nothing.
    filters: Vec<String>,
    /// Whether the work tree may be compared: every filter can be switched off.
    tree: bool,
}

impl Git {
    /// Looks at a directory. Never fails: what cannot be told is unknown.
    pub(crate) fn at(directory: &Path, env: &Env) -> Self {
        let mut git = Self {
            directory: directory.to_owned(),
            prefix: String::new(),
            program: None,
            marker: None,
            via: Via::Nothing,
        };
        let Some(top) = directory
            .ancestors()
            .find(|top| std::fs::symlink_metadata(top.join(".git")).is_ok())
        else {
            return git;
        };
        git.marker = Some(top.join(".git"));
        if let Ok(below) = directory.strip_prefix(top)
            && !below.as_os_str().is_empty()
        {
            git.prefix = format!("{}/", crate::place::slashes(below));
        }
        git.via = match Program::find(env) {
            Err(why) => Via::Files(why),
            Ok((program, version)) => {
                git.program = Some(program);
                match git.believe(top) {
                    Ok(()) => Via::Program(version),
                    Err(why) => {
                        git.program = None;
                        Via::Files(why)
                    }
                }
            }
        };
        git
    }

    /// The directory that paths count from.
    pub(crate) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Whether the work tree may be compared: no filter of the repository's would run.
    pub(crate) fn compares_tree(&self) -> bool {
        self.program.as_ref().is_some_and(|program| program.tree)
    }

    /// How it is read.
    pub(crate) fn via(&self) -> &Via {
        &self.via
    }

    /// The program must see the same worktree as we do, and say which filters there are.
    fn believe(&mut self, top: &Path) -> Result<(), String> {
        let told = self.run(&["rev-parse", "--show-toplevel"])?;
        let told = PathBuf::from(line(&told));
        if std::fs::canonicalize(&told).ok() != std::fs::canonicalize(top).ok() {
            return Err("its configuration names another work tree".to_owned());
        }
        let keys = self.run(&["config", "--list", "--name-only", "-z"])?;
        if let Some(program) = &mut self.program {
            program.tree = true;
            for key in records(&keys) {
                let is_filter = key
                    .get(..7)
                    .is_some_and(|lead| lead.eq_ignore_ascii_case("filter."));
                if !is_filter {
                    continue;
                }
                // `-c` cannot name such a key.
                if key.contains(['=', '\n', '\u{fffd}']) {
                    program.tree = false;
                } else if let Some((name, _)) = key.rsplit_once('.') {
                    program.filters.push(name.to_owned());
                }
            }
            program.filters.sort();
            program.filters.dedup();
        }
        Ok(())
    }

    /// Where `HEAD` is.
    pub(crate) fn head(&self) -> Head {
        if self.program.is_some() {
            let branch = self.run(&["symbolic-ref", "--quiet", "--short", "HEAD"]);
            let commit = self.commit();
            return match (branch, commit) {
                (Ok(branch), Some(_)) => Head::Branch(line(&branch)),
                (Ok(branch), None) => Head::Unborn(line(&branch)),
                (Err(_), Some(commit)) => Head::Detached(commit),
                (Err(_), None) => Head::Unknown,
            };
        }
        match self.head_file() {
            Some(HeadFile::Ref(name)) => {
                let branch = name.strip_prefix("refs/heads/").unwrap_or(&name).to_owned();
                if self.ref_file(&name).is_some() {
                    Head::Branch(branch)
                } else {
                    Head::Unborn(branch)
                }
            }
            Some(HeadFile::Commit(hash)) => Head::Detached(hash),
            None => Head::Unknown,
        }
    }

    /// The commit that `HEAD` is on, as hexadecimal digits.
    pub(crate) fn commit(&self) -> Option<String> {
        if self.program.is_some() {
            let told = self
                .run(&["rev-parse", "--verify", "--quiet", "HEAD^{commit}"])
                .ok()?;
            return hash(&line(&told));
        }
        match self.head_file()? {
            HeadFile::Ref(name) => self.ref_file(&name),
            HeadFile::Commit(hash) => Some(hash),
        }
    }

    /// The newest commits; empty where there are none or they are unknown.
    pub(crate) fn recent(&self, count: usize) -> Vec<Commit> {
        let count = format!("--max-count={count}");
        let Ok(told) = self.run(&[
            "log",
            &count,
            "--no-show-signature",
            "--no-decorate",
            "--no-ext-diff",
            "--format=%h %s",
            "-z",
        ]) else {
            return Vec::new();
        };
        records(&told)
            .filter_map(|record| {
                let (short, subject) = record.split_once(' ')?;
                Some(Commit {
                    short: short.to_owned(),
                    subject: subject.trim().to_owned(),
                })
            })
            .collect()
    }

    /// Files below the directory that differ from the last commit, untracked ones included.
    /// `None`: unknown.
    pub(crate) fn changes(&self) -> Option<Vec<Change>> {
        if !self.compares_tree() {
            return None;
        }
        let told = self
            .run(&[
                "status",
                "--porcelain=v1",
                "-z",
                "--untracked-files=all",
                "--find-renames",
                "--ignore-submodules=dirty",
                "--",
                ".",
            ])
            .ok()?;
        let mut changes = status(&told);
        for change in &mut changes {
            self.strip(&mut change.path);
            if let Some(old) = &mut change.old {
                self.strip(old);
            }
        }
        changes.sort_by(|a, b| a.path.cmp(&b.path));
        changes.dedup_by(|a, b| a.path == b.path);
        Some(changes)
    }

    fn strip(&self, path: &mut String) {
        if let Some(below) = path.strip_prefix(&self.prefix) {
            *path = below.to_owned();
        }
    }

    /// How many commits `HEAD` has that `base` has not (all, without a base). `None`: unknown.
    pub(crate) fn commits_since(&self, base: Option<&str>) -> Option<u64> {
        let range = match base {
            Some(base) => format!("{base}..HEAD"),
            None => "HEAD".to_owned(),
        };
        match self.run(&["rev-list", "--count", &range, "--"]) {
            Ok(told) => line(&told).parse().ok(),
            // The program is there and there is no commit.
            Err(_) if self.program.is_some() && self.commit().is_none() => Some(0),
            Err(_) => None,
        }
    }

    /// Subjects of those commits, the newest first.
    pub(crate) fn subjects_since(&self, base: Option<&str>, count: usize) -> Vec<Commit> {
        let range = base.map_or_else(|| "HEAD".to_owned(), |base| format!("{base}..HEAD"));
        let count = format!("--max-count={count}");
        let told = self.run(&[
            "log",
            &count,
            "--no-show-signature",
            "--no-decorate",
            "--no-ext-diff",
            "--format=%h %s",
            "-z",
            &range,
            "--",
        ]);
        let told = told.unwrap_or_default();
        records(&told)
            .filter_map(|record| {
                let (short, subject) = record.split_once(' ')?;
                Some(Commit {
                    short: short.to_owned(),
                    subject: subject.trim().to_owned(),
                })
            })
            .collect()
    }

    /// Files that differ between `base` and `HEAD` (every file, without a base), below the
    /// directory. `None`: unknown.
    pub(crate) fn files_since(&self, base: Option<&str>) -> Option<Vec<String>> {
        self.commit()?;
        let told = match base {
            Some(base) => self.run(&[
                "diff-tree",
                "-r",
                "-z",
                "--name-only",
                "--no-renames",
                "--no-ext-diff",
                "--no-textconv",
                "--ignore-submodules=dirty",
                base,
                "HEAD",
                "--",
                ".",
            ]),
            None => self.run(&["ls-tree", "-r", "-z", "--name-only", "--full-name", "HEAD"]),
        };
        let told = told.ok()?;
        Some(
            records(&told)
                .filter(|path| path.starts_with(&self.prefix))
                .map(|mut path| {
                    self.strip(&mut path);
                    path
                })
                .collect(),
        )
    }

    /// The hash of a commit that a file names, if the repository has it.
    pub(crate) fn known(&self, commit: &str) -> Option<String> {
        let commit = hash(commit)?;
        let told = self
            .run(&[
                "rev-parse",
                "--verify",
                "--quiet",
                &format!("{commit}^{{commit}}"),
            ])
            .ok()?;
        hash(&line(&told))
    }

    /// The last commit of `HEAD` that is not younger than a moment (seconds since 1970).
    pub(crate) fn before(&self, moment: i64) -> Option<String> {
        let before = format!("--before={moment}");
        let told = self
            .run(&["rev-list", "--max-count=1", &before, "HEAD", "--"])
            .ok()?;
        hash(&line(&told))
    }

    /// Runs the program. An error is a sentence without the program's own words where those could
    /// hold names.
    pub(crate) fn run(&self, args: &[&str]) -> Result<Vec<u8>, String> {
        self.run_on(args, Vec::new())
    }

    /// The same, with what the program reads.
    pub(crate) fn run_on(&self, args: &[&str], input: Vec<u8>) -> Result<Vec<u8>, String> {
        let Some(program) = &self.program else {
            return Err("there is no git program".to_owned());
        };
        let mut command = Command::new(&program.path);
        command
            .env_clear()
            .envs(program.vars.iter().map(|(name, value)| (*name, value)))
            .envs(FIXED_VARS.iter().copied())
            .arg("-C")
            .arg(&self.directory)
            .args(["--no-pager", "--no-optional-locks"]);
        // The one command that refuses it; what it is asked for holds no magic.
        if args.first() != Some(&"check-ignore") {
            command.arg("--literal-pathspecs");
        }
        for setting in FIXED_SETTINGS {
            command.args(["-c", setting]);
        }
        for filter in &program.filters {
            for (key, value) in [
                ("clean", ""),
                ("smudge", ""),
                ("process", ""),
                ("required", "false"),
            ] {
                command.arg("-c").arg(format!("{filter}.{key}={value}"));
            }
        }
        command.args(args);
        if HUNG.lock().is_ok_and(|hung| hung.contains(&self.directory)) {
            return Err(Trouble::Hung.to_string());
        }
        answer(command, input).map_err(|trouble| {
            if matches!(trouble, Trouble::Hung)
                && let Ok(mut hung) = HUNG.lock()
            {
                hung.push(self.directory.clone());
            }
            trouble.to_string()
        })
    }

    fn head_file(&self) -> Option<HeadFile> {
        let bytes = safe_file::read(&self.git_dir()?.join("HEAD"), SMALL).ok()??;
        let text = line(&bytes);
        match text.strip_prefix("ref:") {
            Some(name) => {
                let name = name.trim();
                let plain =
                    name.starts_with("refs/") && !name.contains("..") && !name.contains('\\');
                plain.then(|| HeadFile::Ref(name.to_owned()))
            }
            None => hash(&text).map(HeadFile::Commit),
        }
    }

    /// The worktree's own git directory.
    fn git_dir(&self) -> Option<PathBuf> {
        let dot_git = self.marker.as_ref()?;
        if dot_git.is_dir() {
            return Some(dot_git.clone());
        }
        let bytes = safe_file::read(dot_git, SMALL).ok()??;
        let text = line(&bytes);
        let path = dot_git.parent()?.join(text.strip_prefix("gitdir:")?.trim());
        path.is_dir().then_some(path)
    }

    /// The commit of a ref, from its own file or the packed ones.
    fn ref_file(&self, name: &str) -> Option<String> {
        let own = self.git_dir()?;
        let common = safe_file::read(&own.join("commondir"), SMALL)
            .ok()
            .flatten()
            .map_or_else(|| own.clone(), |bytes| own.join(line(&bytes)));
        for folder in [&own, &common] {
            if let Ok(Some(bytes)) = safe_file::read(&folder.join(name), SMALL) {
                return hash(&line(&bytes));
            }
        }
        let packed = safe_file::read(&common.join("packed-refs"), PACKED).ok()??;
        String::from_utf8_lossy(&packed).lines().find_map(|line| {
            let (commit, packed) = line.split_once(' ')?;
            (packed == name).then(|| hash(commit)).flatten()
        })
    }
}

enum HeadFile {
    Ref(String),
    Commit(String),
}

/// Settings of the command line win over every file.
const FIXED_SETTINGS: [&str; 11] = [
    // A look writes nothing, the index neither.
    "diff.autoRefreshIndex=false",
    "core.fsmonitor=false",
    "core.hooksPath=/dev/null",
    "core.untrackedCache=false",
    "core.quotePath=false",
    "log.showSignature=false",
    "log.mailmap=false",
    "protocol.allow=never",
    "color.ui=false",
    "i18n.logOutputEncoding=UTF-8",
    "core.pager=cat",
];

const FIXED_VARS: [(&str, &str); 7] = [
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
    // No transport is called so: a partial clone's missing objects are not fetched.
    ("GIT_ALLOW_PROTOCOL", "none"),
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    ("GIT_CEILING_DIRECTORIES", ""),
    ("LC_ALL", "C"),
];

impl Program {
    /// The program on the path, and its version. Only absolute folders count: a relative one would
    /// mean a program of the repository's.
    fn find(env: &Env) -> Result<(Self, String), String> {
        let none = || "there is no git program".to_owned();
        let name = if cfg!(windows) { "git.exe" } else { "git" };
        let path = std::env::split_paths(env.get_os("PATH").ok_or_else(none)?)
            .filter(|folder| folder.is_absolute())
            .map(|folder| folder.join(name))
            .find(|path| path.is_file())
            .ok_or_else(none)?;
        let vars: Vec<(&'static str, OsString)> = [
            "PATH",
            "HOME",
            "XDG_CONFIG_HOME",
            "USERPROFILE",
            "SYSTEMROOT",
        ]
        .into_iter()
        .filter_map(|name| Some((name, env.get_os(name)?.to_owned())))
        .collect();
        let mut command = Command::new(&path);
        command
            .env_clear()
            .envs(vars.iter().map(|(name, value)| (*name, value)))
            .envs(FIXED_VARS.iter().copied())
            .arg("--version");
        let told = answer(command, Vec::new()).map_err(|trouble| match trouble {
            Trouble::Hung => trouble.to_string(),
            Trouble::Said(_) => none(),
        })?;
        let version = line(&told);
        let version = version.strip_prefix("git version ").unwrap_or(&version);
        let version: String = version
            .chars()
            .filter(|c| !c.is_control())
            .take(40)
            .collect();
        let program = Self {
            path,
            vars,
            filters: Vec::new(),
            tree: false,
        };
        Ok((program, version))
    }
}

/// Directories in which the program did not answer in time. It is not asked there again: every
/// further question would wait as long.
static HUNG: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Why there is no answer.
enum Trouble {
    /// It took too long.
    Hung,
    /// A sentence.
    Said(String),
}

impl std::fmt::Display for Trouble {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Hung => write!(f, "git did not answer within {} s", WAIT.as_secs()),
            Self::Said(why) => f.write_str(why),
        }
    }
}

/// Runs a program to its end, within the wait, and gives what it wrote.
fn answer(mut command: Command, input: Vec<u8>) -> Result<Vec<u8>, Trouble> {
    let mut child = command
        .stdin(if input.is_empty() {
            Stdio::null()
        } else {
            Stdio::piped()
        })
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| Trouble::Said(format!("git cannot be started: {error}")))?;
    if let Some(mut pipe) = child.stdin.take() {
        // It writes while it reads: neither may wait for the other.
        std::thread::spawn(move || {
            let _ = pipe.write_all(&input);
        });
    }
    let out = child.stdout.take().map(|pipe| reader(pipe, MOST));
    let err = child.stderr.take().map(|pipe| reader(pipe, SMALL));
    let end = Instant::now() + WAIT;
    let status = loop {
        match child.try_wait() {
            Ok(Some(status)) => break Some(status),
            Ok(None) if Instant::now() < end => std::thread::sleep(Duration::from_millis(1)),
            _ => {
                let _ = child.kill();
                let _ = child.wait();
                break None;
            }
        }
    };
    let Some(status) = status else {
        // A grandchild may hold the pipes open: they are not waited for.
        return Err(Trouble::Hung);
    };
    let text = |reader: Option<std::thread::JoinHandle<Vec<u8>>>| {
        reader
            .and_then(|reader| reader.join().ok())
            .unwrap_or_default()
    };
    let (out, err) = (text(out), text(err));
    if out.len() as u64 >= MOST {
        return Err(Trouble::Said("git's answer is too long".to_owned()));
    }
    if status.success() {
        return Ok(out);
    }
    let why = String::from_utf8_lossy(&err);
    Err(Trouble::Said(if why.contains("dubious ownership") {
        "git refuses it: the folder belongs to another user".to_owned()
    } else {
        "git cannot read it".to_owned()
    }))
}

fn reader(pipe: impl Read + Send + 'static, most: u64) -> std::thread::JoinHandle<Vec<u8>> {
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = pipe.take(most).read_to_end(&mut bytes);
        bytes
    })
}

/// The first line of an answer.
fn line(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    text.lines()
        .next()
        .unwrap_or_default()
        .trim_end()
        .to_owned()
}

/// The records of an answer with `-z`.
pub(crate) fn records(bytes: &[u8]) -> impl Iterator<Item = String> {
    bytes
        .split(|byte| *byte == 0)
        .filter(|record| !record.is_empty())
        .map(|record| String::from_utf8_lossy(record).into_owned())
}

/// A commit's name: 4 to 64 hexadecimal digits.
fn hash(text: &str) -> Option<String> {
    let text = text.trim();
    let is_hash = (4..=64).contains(&text.len()) && text.bytes().all(|b| b.is_ascii_hexdigit());
    is_hash.then(|| text.to_ascii_lowercase())
}

/// What `git status --porcelain=v1 -z` says.
fn status(bytes: &[u8]) -> Vec<Change> {
    let mut changes = Vec::new();
    let mut told = records(bytes);
    while let Some(record) = told.next() {
        let (Some(code), Some(path)) = (record.get(..2), record.get(3..)) else {
            continue;
        };
        // Of a rename or copy the old name follows.
        let old = code.contains(['R', 'C']).then(|| told.next()).flatten();
        let kind = if code.contains('R') {
            Kind::Renamed
        } else if code.contains(['?', 'A', 'C']) && !code.ends_with('D') {
            Kind::New
        } else if code.contains('D') {
            Kind::Deleted
        } else {
            Kind::Changed
        };
        changes.push(Change {
            path: path.to_owned(),
            old: old.filter(|_| kind == Kind::Renamed),
            kind,
        });
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_status_is_read_with_renames_and_any_name() {
        let told =
            "R  새 이름.md\0old \"name\".md\0?? a b\nc\0 D gone\0AM new\0 M src/x.rs\0UU both\0";
        let told: Vec<_> = status(told.as_bytes())
            .into_iter()
            .map(|c| (c.path, c.old, c.kind))
            .collect();
        assert_eq!(
            told,
            [
                (
                    "새 이름.md".into(),
                    Some("old \"name\".md".into()),
                    Kind::Renamed
                ),
                ("a b\nc".into(), None, Kind::New),
                ("gone".into(), None, Kind::Deleted),
                ("new".into(), None, Kind::New),
                ("src/x.rs".into(), None, Kind::Changed),
                ("both".into(), None, Kind::Changed),
            ]
        );
    }

    #[test]
    fn only_hexadecimal_digits_name_a_commit() {
        assert_eq!(hash("ABCDEF12"), Some("abcdef12".into()));
        for text in ["", "abc", "--help", "HEAD", "abcd..ef", &"a".repeat(65)] {
            assert_eq!(hash(text), None, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_answer_is_read(bytes in proptest::collection::vec(proptest::prelude::any::<u8>(), 0..200)) {
            let _ = status(&bytes);
        }
    }
}
