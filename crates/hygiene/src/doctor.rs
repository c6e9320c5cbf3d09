//! The doctor: every judgement on one project, each with evidence and the command that helps.
//!
//! Nothing is decided here that another place decides already: the wiring, the audit, the anchors,
//! the handoffs and the logs are asked. Only `--deep` reads transcripts and the bodies of day files.

mod handoffs;
mod hooks;
mod logs;
mod memories;
mod mirror;
mod place;

use capture::Memory;
use claude_home::{ClaudeHome, Settings};
use handoff::History;
use memory::{Store, StoreKind, parallel};
use mnemo_home::{Config, Env};
use record::Record;
use record::root::Root;
use serde::Serialize;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// How a check came out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum Level {
    /// Well, or for information.
    Ok,
    /// It should be looked after.
    Warn,
    /// Something does not work, or will be lost.
    Fail,
}

impl Level {
    /// As reports name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ok => "OK",
            Self::Warn => "WARN",
            Self::Fail => "FAIL",
        }
    }
}

/// Where something stands.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Evidence {
    /// The file, relative to the root where it lies in it.
    pub path: String,
    /// Line, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// What is there.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub what: String,
}

impl Evidence {
    fn new(path: impl Into<String>, line: Option<usize>, what: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            line,
            what: what.into(),
        }
    }
}

/// One check.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Row {
    /// Its name.
    pub check: &'static str,
    /// How it came out.
    pub level: Level,
    /// A sentence.
    pub detail: String,
    /// Where.
    pub evidence: Vec<Evidence>,
    /// What helps: a command first, words behind it.
    pub help: Option<String>,
}

impl Row {
    fn ok(check: &'static str, detail: impl Into<String>) -> Self {
        Self {
            check,
            level: Level::Ok,
            detail: detail.into(),
            evidence: Vec::new(),
            help: None,
        }
    }

    fn warn(check: &'static str, detail: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            level: Level::Warn,
            help: Some(help.into()),
            ..Self::ok(check, detail)
        }
    }

    fn fail(check: &'static str, detail: impl Into<String>, help: impl Into<String>) -> Self {
        Self {
            level: Level::Fail,
            ..Self::warn(check, detail, help)
        }
    }

    fn with(mut self, evidence: Vec<Evidence>) -> Self {
        self.evidence = evidence;
        self
    }
}

/// A path as one word of a command.
fn quoted(path: &str) -> String {
    let plain = |c: char| c.is_alphanumeric() || "_./-+:,@%".contains(c);
    if !path.is_empty() && path.chars().all(plain) {
        path.to_owned()
    } else {
        format!("'{}'", path.replace('\'', r"'\''"))
    }
}

/// The first line of a small file that holds a text.
fn line_with(file: &Path, text: &str) -> Option<usize> {
    let bytes = safe_file::read(file, 4 << 20).ok().flatten()?;
    let mut lines = bytes.split(|byte| *byte == b'\n');
    lines
        .position(|line| memchr::memmem::find(line, text.as_bytes()).is_some())
        .map(|index| index + 1)
}

/// Everything that was found.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The project; `null` where nothing is recorded.
    pub root: Option<PathBuf>,
    /// Whether transcripts and bodies were read.
    pub deep: bool,
    /// The checks, in order.
    pub checks: Vec<Row>,
}

impl Report {
    /// How many came out so.
    pub fn count(&self, level: Level) -> usize {
        self.checks.iter().filter(|row| row.level == level).count()
    }
}

/// Who is examined.
pub struct Patient<'a> {
    pub(crate) env: &'a Env,
    pub(crate) start: &'a Path,
    pub(crate) root: Option<Root>,
    pub(crate) record: Option<Record>,
    pub(crate) config: Config,
    /// What is wrong with the configuration.
    pub(crate) problems: Vec<String>,
    pub(crate) home: Option<ClaudeHome>,
    pub(crate) memory: Option<Memory>,
    pub(crate) settings: Settings,
    pub(crate) record_store: Option<Store>,
    pub(crate) auto_store: Option<Store>,
    /// The version of the command that asks.
    pub(crate) version: &'a str,
    pub(crate) deep: bool,
    history: OnceLock<Option<History>>,
}

impl<'a> Patient<'a> {
    /// Looks at a directory. `version` is the asking command's own.
    pub fn at(start: &'a Path, env: &'a Env, version: &'a str, deep: bool) -> Self {
        let found = Root::find(start, env);
        let path = found.as_ref().ok().map(|root| root.path().to_owned());
        let (config, problems) = Config::load(env, path.as_deref());
        let root = found.and_then(|root| root.allowed(&config)).ok();
        let home = ClaudeHome::of(env);
        let memory = root.as_ref().map(|root| Memory::of(root, start, env));
        let settings = match (&memory, &home) {
            (Some(memory), _) => memory.settings().clone(),
            (None, Some(home)) => Settings::load(home, Some(start)),
            (None, None) => Settings::default(),
        };
        let record = root.clone().and_then(|root| Record::open(root).ok());
        let record_store = root
            .as_ref()
            .and_then(|root| Store::open(StoreKind::Record, root.path()).ok());
        let auto_store = memory
            .as_ref()
            .and_then(Memory::auto)
            .and_then(|folder| Store::open(StoreKind::Auto, folder).ok());
        Self {
            env,
            start,
            root,
            record,
            config,
            problems,
            home,
            memory,
            settings,
            record_store,
            auto_store,
            version,
            deep,
            history: OnceLock::new(),
        }
    }

    /// Whether there is a project.
    pub fn has_root(&self) -> bool {
        self.root.is_some()
    }

    /// The record, if there is a project.
    pub fn record(&self) -> Option<&Record> {
        self.record.as_ref()
    }

    /// Both memories that are there.
    pub(crate) fn stores(&self) -> impl Iterator<Item = &Store> {
        self.record_store.iter().chain(&self.auto_store)
    }

    /// The repository, where there is one and a program to ask. It is looked for once.
    pub(crate) fn history(&self) -> Option<&History> {
        self.history
            .get_or_init(|| History::at(self.root.as_ref()?.path(), self.env))
            .as_ref()
    }

    /// A path as reports name it: relative to the root where it lies in it.
    pub(crate) fn shown(&self, path: &Path) -> String {
        let inside = self
            .root
            .as_ref()
            .and_then(|root| path.strip_prefix(root.path()).ok());
        inside.unwrap_or(path).display().to_string()
    }

    /// All checks.
    pub fn examine(&self) -> Report {
        let general = || {
            let mut rows = vec![place::root(self)];
            if self.root.is_some() {
                rows.push(place::layers(self));
            }
            rows.push(place::config(self));
            rows.extend(hooks::all(self));
            rows
        };
        let checks = if let (Some(root), Some(record)) = (&self.root, &self.record) {
            // The two that take long, beside each other and all else.
            let anchors = || memories::anchors(self, root);
            let mirror = || mirror::mirror(self, record);
            let (anchors, (mirror, (general, history, place, memories, rest))) =
                parallel::both(anchors, || {
                    parallel::both(mirror, || {
                        let general = general();
                        let history = mirror::history(self, record);
                        let place = [place::git(self, root), place::permissions(self, record)];
                        let memories = memories::but_anchors(self, record);
                        let mut rest = logs::all(self, record);
                        rest.extend(handoffs::all(self, root, record));
                        rest.push(place::checkpoint(self));
                        (general, history, place, memories, rest)
                    })
                });
            let mut checks = general;
            checks.extend([mirror, history]);
            checks.extend(place);
            checks.extend(memories);
            checks.push(anchors);
            checks.extend(rest);
            checks
        } else {
            general()
        };
        Report {
            root: self.root.as_ref().map(|root| root.path().to_owned()),
            deep: self.deep,
            checks,
        }
    }
}
