//! The client's own way through the files, in its order.

use crate::excludes::Excludes;
use crate::imports::{Mention, mentions};
use crate::narrow::narrows;
use crate::report::{Import, Kind, Loaded, Warning, WarningKind};
use crate::version::Rules;
use claude_home::{ClaudeHome, Instructions};
use memory::loaded::{parts, tidy};
use record::root::WorkTree;
use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Hops that imports are followed: a file, and four imports in a row.
const HOPS: u8 = 4;
/// Files that are loaded at most. The client knows no such limit; nobody has so many.
const MOST_FILES: usize = 2000;
/// Folders and entries of a rules tree that are looked at, at most.
const MOST_ENTRIES: usize = 20_000;
/// Largest file that is read for a client that has no limit of its own, bytes.
const LARGEST: u64 = 64 << 20;

/// What is the same for all files.
pub(crate) struct Place<'a> {
    pub(crate) rules: Rules,
    /// The directory the client is started in, links resolved.
    pub(crate) start: &'a Path,
    pub(crate) home: Option<&'a ClaudeHome>,
    pub(crate) tree: Option<&'a WorkTree>,
    pub(crate) instructions: &'a Instructions,
}

/// Where a file comes from, and what it may import.
#[derive(Clone, Copy)]
struct Way<'a> {
    kind: Kind,
    /// Imports from outside the start directory are allowed.
    outside: bool,
    by: Option<&'a Path>,
    hop: u8,
    /// The file's path through links, where `path` is the resolved one.
    link: Option<&'a Path>,
}

/// What has been found so far.
pub(crate) struct Walk<'a> {
    place: &'a Place<'a>,
    excludes: Excludes,
    approved: bool,
    seen: HashSet<PathBuf>,
    pub(crate) files: Vec<Loaded>,
    pub(crate) warnings: Vec<Warning>,
    /// A `CLAUDE.md` of a project had something in it.
    found: bool,
    stopped: bool,
}

impl<'a> Walk<'a> {
    /// The instructions of a start, without the auto memory.
    pub(crate) fn all(place: &'a Place<'a>) -> Self {
        let mut walk = Self::new(place);
        walk.run(false);
        if walk.place.rules.agents && !walk.found {
            walk = Self::new(place);
            walk.run(true);
        }
        walk
    }

    fn new(place: &'a Place<'a>) -> Self {
        let top = place.tree.map(|tree| tree.main.as_path());
        let approved = place.instructions.approved.iter();
        Self {
            place,
            excludes: Excludes::new(&place.instructions.excludes),
            approved: approved
                .map(PathBuf::as_path)
                .any(|directory| directory == place.start || Some(directory) == top),
            seen: HashSet::new(),
            files: Vec::new(),
            warnings: Vec::new(),
            found: false,
            stopped: false,
        }
    }

    fn run(&mut self, agents: bool) {
        let place = self.place;
        let managed = &place.instructions.managed;
        let way = |kind, outside| Way {
            kind,
            outside,
            by: None,
            hop: 0,
            link: None,
        };
        self.file(&managed.join("CLAUDE.md"), way(Kind::Managed, false));
        if place.rules.managed_key
            && let Some(text) = &place.instructions.managed_text
            && !text.is_empty()
        {
            self.files.push(Loaded::of_setting(text));
        }
        self.rules(
            &managed.join(".claude/rules"),
            way(Kind::ManagedRule, self.approved),
        );
        if let Some(home) = place.home {
            self.file(&home.dir().join("CLAUDE.md"), way(Kind::User, true));
            self.rules(&home.dir().join("rules"), way(Kind::UserRule, true));
        }
        let mut chain: Vec<&Path> = place.start.ancestors().collect();
        // The file system's root is no place for instructions.
        chain.pop();
        for folder in chain.into_iter().rev() {
            self.folder(folder, agents);
        }
    }

    fn folder(&mut self, folder: &Path, agents: bool) {
        let here = folder == self.place.start;
        let own = |kind| if here { kind } else { Kind::Parent };
        let way = |kind| Way {
            kind,
            outside: self.approved,
            by: None,
            hop: 0,
            link: None,
        };
        let (project, dot, local) = (
            way(own(Kind::Project)),
            way(own(Kind::ProjectDotClaude)),
            way(Kind::Local),
        );
        let (rule, agent) = (way(Kind::ProjectRule), way(Kind::Agents));
        let skipped = self.place.rules.skips_main_above_worktree
            && self.place.tree.is_some_and(|tree| {
                tree.main != tree.top
                    && folder.starts_with(&tree.main)
                    && !folder.starts_with(&tree.top)
            });
        if !skipped {
            self.file(&folder.join("CLAUDE.md"), project);
            self.file(&folder.join(".claude/CLAUDE.md"), dot);
            self.rules(&folder.join(".claude/rules"), rule);
        }
        self.file(&folder.join("CLAUDE.local.md"), local);
        if agents && !skipped {
            self.file(&folder.join("AGENTS.md"), agent);
            self.file(&folder.join(".claude/AGENTS.md"), agent);
        }
    }

    /// Loads a file and what it imports. Gives back which of them are narrowed to paths.
    fn file(&mut self, path: &Path, way: Way<'_>) -> Vec<usize> {
        if self.files.len() >= MOST_FILES {
            self.stop(path);
            return Vec::new();
        }
        let root = way.hop == 0;
        let real = std::fs::canonicalize(path).ok();
        let known = self.seen.contains(path)
            || (self.place.rules.one_file_once
                && real.as_ref().is_some_and(|real| self.seen.contains(real)));
        // Even one that is known tells that the project has instructions.
        if known && !(root && way.kind.is_claude_md()) {
            return Vec::new();
        }
        let managed = matches!(way.kind, Kind::Managed | Kind::ManagedRule);
        if !managed && real.is_some() && self.excluded(path, real.as_deref(), way.link) {
            if !known && path.is_file() {
                self.warn(WarningKind::Excluded, path, way.by, String::new());
            }
            return Vec::new();
        }
        let Some((bytes, text)) = self.read(path, way.by) else {
            return Vec::new();
        };
        let parts = parts(&text, &self.place.rules.reading);
        let loaded = tidy(parts.body, &self.place.rules.reading);
        if root && way.kind.is_claude_md() && !loaded.is_empty() {
            self.found = true;
        }
        if known {
            return Vec::new();
        }
        self.seen.insert(path.to_owned());
        // Old clients know a linked file by both names from here on, but ask by one only.
        self.seen.extend(real.clone());
        if loaded.is_empty() {
            return Vec::new();
        }
        let mut narrowed = Vec::new();
        if parts
            .front
            .is_some_and(|front| narrows(front, &self.place.rules))
        {
            narrowed.push(self.files.len());
        }
        let import = way.by.map(|by| Import {
            by: by.to_owned(),
            hop: way.hop,
        });
        let kind = if import.is_some() {
            Kind::Import
        } else {
            way.kind
        };
        self.files.push(Loaded::new(
            path,
            kind,
            bytes,
            text.lines().count(),
            loaded.into_owned(),
            import,
        ));
        let folder = real.as_deref().unwrap_or(path).parent().map(Path::to_owned);
        for mention in mentions(parts.body, &self.place.rules) {
            narrowed.extend(self.import(&mention, path, folder.as_deref(), way));
        }
        narrowed
    }

    fn import(
        &mut self,
        mention: &Mention,
        by: &Path,
        folder: Option<&Path>,
        way: Way<'_>,
    ) -> Vec<usize> {
        let user_home = self.place.home.and_then(ClaudeHome::user_home);
        let target =
            |mention: &Mention| folder.and_then(|folder| mention.target(folder, user_home));
        let Some(path) = target(mention) else {
            return Vec::new();
        };
        if !mention.loadable() {
            // `see @docs/a.md,`: the comma is part of the name for the client.
            if let Some(plain) = mention.without_punctuation()
                && plain.means_a_file()
                && target(&plain).is_some_and(|path| path.is_file())
            {
                self.warn(
                    WarningKind::ImportPunctuation,
                    by,
                    None,
                    mention.written.clone(),
                );
            }
            return Vec::new();
        }
        if self.seen.contains(&path) {
            return Vec::new();
        }
        if way.hop >= HOPS {
            if path.is_file() && !self.seen_as(&path) {
                self.warn(
                    WarningKind::ImportTooDeep,
                    by,
                    None,
                    mention.written.clone(),
                );
            }
            return Vec::new();
        }
        if !way.outside && self.is_outside(&path) {
            if path.exists() && mention.means_a_file() {
                self.warn(
                    WarningKind::ImportOutside,
                    by,
                    None,
                    mention.written.clone(),
                );
            }
            return Vec::new();
        }
        if !path.exists() {
            if mention.means_a_file() {
                self.warn(
                    WarningKind::ImportMissing,
                    by,
                    None,
                    mention.written.clone(),
                );
            }
            return Vec::new();
        }
        if path.is_dir() {
            return Vec::new();
        }
        self.file(
            &path,
            Way {
                by: Some(by),
                hop: way.hop + 1,
                link: None,
                ..way
            },
        )
    }

    fn seen_as(&self, path: &Path) -> bool {
        std::fs::canonicalize(path).is_ok_and(|real| self.seen.contains(&real))
    }

    /// Whether a path lies outside the start directory, as far as the version looks.
    fn is_outside(&self, path: &Path) -> bool {
        let inside = |path: &Path| path.starts_with(self.place.start);
        if !inside(path) {
            return true;
        }
        self.place.rules.links_stay_inside
            && std::fs::canonicalize(path).is_ok_and(|real| !inside(&real))
    }

    /// All `*.md` of a rules folder and below that are for no paths in particular.
    fn rules(&mut self, folder: &Path, way: Way<'_>) {
        let mut visited = HashSet::new();
        let mut left = MOST_ENTRIES;
        let Ok(real) = std::fs::canonicalize(folder) else {
            return;
        };
        let linked = real != folder;
        self.rules_below(folder, &real, way, linked, &mut visited, &mut left);
    }

    /// `real` is the folder with its links resolved: to resolve it anew at each depth would cost the
    /// cube of the depth.
    fn rules_below(
        &mut self,
        folder: &Path,
        real: &Path,
        way: Way<'_>,
        through_link: bool,
        visited: &mut HashSet<PathBuf>,
        left: &mut usize,
    ) {
        if !visited.insert(real.to_owned()) {
            return;
        }
        let Ok(listing) = std::fs::read_dir(real) else {
            return;
        };
        let mut names: Vec<OsString> = Vec::new();
        for entry in listing.flatten() {
            if *left == 0 {
                self.stop(folder);
                break;
            }
            *left -= 1;
            names.push(entry.file_name());
        }
        if self.place.rules.alphabetical {
            names.sort();
        }
        for name in names {
            let entry = folder.join(&name);
            let here = real.join(&name);
            // What stands behind a link is known by its own name from here on.
            let linked = std::fs::symlink_metadata(&here).is_ok_and(|meta| meta.is_symlink());
            let real = if linked {
                let Ok(real) = std::fs::canonicalize(&here) else {
                    continue;
                };
                real
            } else {
                here
            };
            let path = if linked { &real } else { &entry };
            let through_link = through_link || linked;
            if real.is_dir() {
                self.rules_below(path, &real, way, through_link, visited, left);
                continue;
            }
            let is_rule = entry.extension().is_some_and(|ending| ending == "md");
            if !is_rule || !real.is_file() {
                continue;
            }
            if self.place.rules.links_stay_inside
                && !way.outside
                && through_link
                && !real.starts_with(self.place.start)
            {
                self.warn(WarningKind::RuleOutside, &entry, None, String::new());
                continue;
            }
            let link = linked.then_some(entry.as_path());
            let mut narrowed = self.file(path, Way { link, ..way });
            narrowed.sort_unstable();
            for at in narrowed.into_iter().rev() {
                self.files.remove(at);
            }
        }
    }

    fn excluded(&self, path: &Path, real: Option<&Path>, link: Option<&Path>) -> bool {
        self.excludes.matches(path)
            || (self.place.rules.excludes_by_link
                && real
                    .into_iter()
                    .chain(link)
                    .any(|other| self.excludes.matches(other)))
    }

    /// Size and text of a file; `None` when it is not there or not loaded.
    fn read(&mut self, path: &Path, by: Option<&Path>) -> Option<(u64, String)> {
        let (found, warning) = read(path, &self.place.rules);
        if let Some((kind, detail)) = warning {
            self.warn(kind, path, by, detail);
        }
        found
    }

    fn stop(&mut self, at: &Path) {
        if !std::mem::replace(&mut self.stopped, true) {
            self.warn(WarningKind::Stopped, at, None, String::new());
        }
    }

    fn warn(&mut self, kind: WarningKind, file: &Path, by: Option<&Path>, detail: String) {
        let warning = Warning {
            kind,
            file: Some(file.to_owned()),
            by: by.map(Path::to_owned),
            detail,
        };
        if !self.warnings.contains(&warning) {
            self.warnings.push(warning);
        }
    }
}

type Read = (Option<(u64, String)>, Option<(WarningKind, String)>);

/// Reads a file as the client would, never more than a bound and never a FIFO.
pub(crate) fn read(path: &Path, rules: &Rules) -> Read {
    let Ok(meta) = std::fs::metadata(path) else {
        return (None, None);
    };
    if meta.is_dir() {
        return (None, None);
    }
    let most = rules.largest.unwrap_or(LARGEST);
    if meta.is_file() && meta.len() > most {
        let size = meta.len().to_string();
        return (None, Some((WarningKind::TooLarge, size)));
    }
    match safe_file::read(path, most) {
        Ok(Some(bytes)) => {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            (Some((bytes.len() as u64, text)), None)
        }
        Ok(None) => (None, None),
        Err(error) => (None, Some((WarningKind::Unreadable, error.to_string()))),
    }
}
