//! The files that may say it already.

use super::force::in_force;
use super::{Document, Kind};
use crate::{EntryId, Store};
use std::borrow::Cow;
use std::path::{Path, PathBuf};

/// Where rules may lie.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// The project's root.
    pub project: Option<PathBuf>,
    /// The client's configuration folder (`~/.claude`).
    pub config: Option<PathBuf>,
    /// More folders whose rules count.
    pub rules_dirs: Vec<PathBuf>,
}

/// How deep folders of rules are looked into.
const DEEPEST: usize = 6;

/// Largest file of rules that is read, bytes.
const LARGEST: u64 = 1 << 20;

/// A store's entries. Superseded ones say nothing that still holds.
pub fn entries(store: &Store) -> Vec<Document> {
    store
        .with_ids()
        .filter(|(_, entry)| !entry.is_superseded())
        .map(|(id, entry)| Document {
            path: entry.file().to_owned(),
            kind: Kind::Entry,
            text: statements(store, id),
        })
        .collect()
}

/// An entry's text; of a record's items without their metadata, whose words are no statements.
/// Lines keep their numbers.
fn statements(store: &Store, id: EntryId) -> String {
    let text = store.entry(id).text();
    let mut out = String::with_capacity(text.len());
    let mut from = 0;
    // Items stand by entry.
    let items = store.items();
    let first = items.partition_point(|item| item.entry < id);
    for placed in items[first..].iter().take_while(|item| item.entry == id) {
        let item = &placed.item;
        let Some(title) = &item.title_range else {
            continue;
        };
        let lines = text.get(title.end..item.body.start).unwrap_or_default();
        out.push_str(text.get(from..title.end).unwrap_or_default());
        out.extend(lines.chars().filter(|c| *c == '\n'));
        from = item.body.start.max(title.end);
    }
    out.push_str(text.get(from..).unwrap_or_default());
    // What is private is not quoted as saying it already.
    match redact::by_line(&out) {
        Cow::Borrowed(_) => out,
        Cow::Owned(shown) => shown,
    }
}

/// CLAUDE.md files, rules folders and skills. What cannot be read is left out, and so is what mnemo
/// itself put there.
pub fn rules(places: &Places) -> Vec<Document> {
    let mut out = Vec::new();
    if let Some(project) = &places.project {
        for file in ["CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md"] {
            one(&project.join(file), file, Kind::Rule, &mut out);
        }
        for folder in [".claude/rules", "rules"] {
            all(&project.join(folder), folder, 0, &mut out);
        }
        skills(&project.join(".claude/skills"), ".claude/skills", &mut out);
    }
    if let Some(config) = &places.config {
        one(
            &config.join("CLAUDE.md"),
            "~/.claude/CLAUDE.md",
            Kind::Rule,
            &mut out,
        );
        all(&config.join("rules"), "~/.claude/rules", 0, &mut out);
        skills(&config.join("skills"), "~/.claude/skills", &mut out);
    }
    for folder in &places.rules_dirs {
        let shown = folder.to_string_lossy().replace('\\', "/");
        all(folder, &shown, 0, &mut out);
    }
    out
}

fn one(path: &Path, shown: &str, kind: Kind, out: &mut Vec<Document>) {
    if let Ok(Some((bytes, _))) = safe_file::read_with_metadata(path, LARGEST) {
        let text = String::from_utf8_lossy(&bytes);
        out.push(Document {
            path: shown.to_owned(),
            kind,
            text: redact::by_line(&in_force(&guidance::own::without_blocks(&text))).into_owned(),
        });
    }
}

/// Names of a folder in order.
fn names(folder: &Path) -> Vec<(String, bool)> {
    let Ok(items) = std::fs::read_dir(folder) else {
        return Vec::new();
    };
    let mut names: Vec<(String, bool)> = items
        .filter_map(Result::ok)
        .filter_map(|item| {
            let folder = item.file_type().ok()?.is_dir();
            Some((item.file_name().into_string().ok()?, folder))
        })
        .collect();
    names.sort();
    names
}

fn all(folder: &Path, shown: &str, depth: usize, out: &mut Vec<Document>) {
    for (name, is_folder) in names(folder) {
        let path = folder.join(&name);
        let shown = format!("{shown}/{name}");
        if is_folder && depth < DEEPEST {
            all(&path, &shown, depth + 1, out);
        } else if Path::new(&name).extension().is_some_and(|ext| ext == "md") {
            one(&path, &shown, Kind::Rule, out);
        }
    }
}

fn skills(folder: &Path, shown: &str, out: &mut Vec<Document>) {
    for (name, _) in names(folder) {
        let path = folder.join(&name).join("SKILL.md");
        one(&path, &format!("{shown}/{name}/SKILL.md"), Kind::Skill, out);
        out.pop_if(|last| last.kind == Kind::Skill && guidance::own::is_skill(&name, &last.text));
    }
}
