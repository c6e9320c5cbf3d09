//! What an entry's claims are held against, and what cannot be judged where it is missing.

use claude_home::ClaudeHome;
use serde::Serialize;
use std::fs;
use std::path::{Path, PathBuf};

/// What kind of text a source is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum SourceKind {
    /// A CLAUDE.md, the project's or the person's own.
    Instructions,
    /// A file of a rules folder.
    Rules,
    /// A SKILL.md.
    Skill,
    /// A STATUS.md of a project.
    Status,
    /// Another document: change log, decision record, runbook.
    Document,
}

impl SourceKind {
    /// Whether it tells the assistant how to work, so that feedback can be taken over by it.
    pub fn binds(self) -> bool {
        matches!(self, Self::Instructions | Self::Rules | Self::Skill)
    }
}

/// One file that claims are held against.
#[derive(Debug, Clone)]
pub struct Source {
    /// As named to people: relative to the project's root, or `~/.claude/…`.
    pub path: String,
    /// Where it lies.
    pub file: PathBuf,
    /// What it is.
    pub kind: SourceKind,
    /// Its text.
    pub text: String,
}

/// A kind of source that is not there, and what follows.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Missing {
    /// Where it was looked for.
    pub source: String,
    /// What cannot be judged without it.
    pub consequence: &'static str,
}

/// Where to look.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// The project's root, where there is one.
    pub project: Option<PathBuf>,
    /// The client's folder, `~/.claude`.
    pub config: Option<PathBuf>,
    /// More folders whose rules count.
    pub rules_dirs: Vec<PathBuf>,
}

impl Places {
    /// The usual places of a project.
    pub fn of(project: Option<&Path>, claude: Option<&ClaudeHome>, rules_dirs: &[PathBuf]) -> Self {
        Self {
            project: project.map(Path::to_owned),
            config: claude.map(|claude| claude.dir().to_owned()),
            rules_dirs: rules_dirs.to_vec(),
        }
    }
}

/// All sources at hand.
#[derive(Debug, Clone, Default)]
pub struct Sources {
    /// In a stable order.
    pub all: Vec<Source>,
    /// What is not there.
    pub missing: Vec<Missing>,
}

/// Largest source that is read, bytes.
const LARGEST: u64 = 512 << 10;
/// Most documents of a folder.
const MOST: usize = 400;
/// How deep a folder of documents is looked into.
const DEPTH: usize = 5;

impl Sources {
    /// Reads them. What cannot be read is left out, as if it were not there.
    pub fn read(places: &Places) -> Self {
        let mut sources = Self::default();
        if let Some(root) = &places.project {
            sources.project(root);
        } else {
            sources.miss(
                "the project's root",
                "paths, code and documents: nothing is checked against them",
            );
        }
        if let Some(config) = &places.config {
            sources.personal(config);
        }
        for folder in &places.rules_dirs {
            let shown = folder.display().to_string();
            sources.folder(folder, &shown, SourceKind::Rules);
        }
        sources
            .all
            .sort_by(|a, b| (a.kind, &a.path).cmp(&(b.kind, &b.path)));
        sources.all.dedup_by(|a, b| a.file == b.file);
        sources.note_missing(places);
        sources
    }

    fn project(&mut self, root: &Path) {
        for name in ["CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"] {
            self.file(&root.join(name), name, SourceKind::Instructions);
        }
        for name in [".claude/rules", "rules"] {
            self.folder(&root.join(name), name, SourceKind::Rules);
        }
        self.skills(&root.join(".claude/skills"), ".claude/skills");
        let projects = ".local.claude/projects";
        for (name, folder) in folders(&root.join(projects)) {
            let shown = format!("{projects}/{name}/STATUS.md");
            self.file(&folder.join("STATUS.md"), &shown, SourceKind::Status);
        }
        self.folder(&root.join("docs"), "docs", SourceKind::Document);
        for (name, file) in files(root) {
            let upper = name.to_uppercase();
            if [
                "CHANGELOG",
                "CHANGES",
                "HISTORY",
                "NEWS",
                "README",
                "ROADMAP",
            ]
            .iter()
            .any(|start| upper.starts_with(start))
            {
                self.file(&file, &name, SourceKind::Document);
            }
        }
    }

    fn personal(&mut self, config: &Path) {
        self.file(
            &config.join("CLAUDE.md"),
            "~/.claude/CLAUDE.md",
            SourceKind::Instructions,
        );
        self.folder(&config.join("rules"), "~/.claude/rules", SourceKind::Rules);
        self.skills(&config.join("skills"), "~/.claude/skills");
    }

    fn skills(&mut self, folder: &Path, shown: &str) {
        for (name, folder) in folders(folder) {
            let shown = format!("{shown}/{name}/SKILL.md");
            self.file(&folder.join("SKILL.md"), &shown, SourceKind::Skill);
            self.all.pop_if(|last| {
                last.kind == SourceKind::Skill && guidance::own::is_skill(&name, &last.text)
            });
        }
    }

    fn folder(&mut self, folder: &Path, shown: &str, kind: SourceKind) {
        let mut waiting = vec![(folder.to_owned(), shown.to_owned(), DEPTH)];
        let mut read = 0;
        while let Some((folder, shown, depth)) = waiting.pop() {
            for (name, file) in files(&folder) {
                if read >= MOST || !name.to_lowercase().ends_with(".md") {
                    continue;
                }
                read += 1;
                self.file(&file, &format!("{shown}/{name}"), kind);
            }
            if depth > 0 {
                for (name, inner) in folders(&folder) {
                    // Handoffs tell the past, not the present.
                    if !name.starts_with('.') && name != "handoffs" && name != "node_modules" {
                        waiting.push((inner, format!("{shown}/{name}"), depth - 1));
                    }
                }
            }
        }
    }

    fn file(&mut self, file: &Path, shown: &str, kind: SourceKind) {
        let Ok(Some(bytes)) = safe_file::read(file, LARGEST) else {
            return;
        };
        let text = String::from_utf8_lossy(&bytes);
        self.all.push(Source {
            path: shown.to_owned(),
            file: file.to_owned(),
            kind,
            text: {
                // What mnemo itself put there is no rule of the person's.
                let text = guidance::own::without_blocks(&text);
                let text = if kind.binds() {
                    memory::overlap::in_force(&text)
                } else {
                    text
                };
                redact::by_line(&text).into_owned()
            },
        });
    }

    fn has(&self, kind: SourceKind, ours: bool) -> bool {
        self.all
            .iter()
            .any(|source| source.kind == kind && source.path.starts_with("~/") != ours)
    }

    fn note_missing(&mut self, places: &Places) {
        let no_promoted = "nothing is Promoted from it";
        if places.project.is_some() {
            if !self.has(SourceKind::Instructions, true) {
                self.miss("CLAUDE.md", no_promoted);
            }
            if !self.has(SourceKind::Rules, true) {
                self.miss(".claude/rules/*.md, rules/*.md", no_promoted);
            }
            if !self.has(SourceKind::Status, true) {
                self.miss(
                    ".local.claude/projects/*/STATUS.md",
                    "Completed is never given with more than Med confidence",
                );
            }
        }
        if places.config.is_some() {
            if !self.has(SourceKind::Instructions, false) {
                self.miss("~/.claude/CLAUDE.md", no_promoted);
            }
            if !self.has(SourceKind::Rules, false) {
                self.miss("~/.claude/rules/*.md", no_promoted);
            }
        }
        if !self
            .all
            .iter()
            .any(|source| source.kind == SourceKind::Skill)
        {
            self.miss("skills/*/SKILL.md", no_promoted);
        }
    }

    fn miss(&mut self, source: &str, consequence: &'static str) {
        self.missing.push(Missing {
            source: source.to_owned(),
            consequence,
        });
    }
}

fn listed(folder: &Path, of_folders: bool) -> Vec<(String, PathBuf)> {
    let Ok(entries) = fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut out: Vec<(String, PathBuf)> = entries
        .flatten()
        .filter(|entry| {
            entry
                .file_type()
                .is_ok_and(|kind| kind.is_dir() == of_folders)
        })
        .filter_map(|entry| Some((entry.file_name().into_string().ok()?, entry.path())))
        .collect();
    out.sort();
    out
}

fn files(folder: &Path) -> Vec<(String, PathBuf)> {
    listed(folder, false)
}

fn folders(folder: &Path) -> Vec<(String, PathBuf)> {
    listed(folder, true)
}
