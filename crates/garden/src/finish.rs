//! After the garden was tended: is everything whole, what should be done otherwise next time.

mod feedback;
mod mend;

pub use feedback::{Feedback, Suggestion};
pub use mend::{Mended, mend};

use crate::judge::Judgements;
use crate::runs::{self, Line};
use crate::scan::Scan;
use crate::verdict::Verdict;
use memory::audit::EntryProblem;
use memory::{Dates, Issue, LinkKind, Source, Target};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// Dead links above which they are mended only on request.
pub const MANY_DEAD: usize = 10;
/// Lines of the index: worth a note, and too many.
const INDEX: [usize; 2] = [180, 200];
/// Entries: worth a note, and too many.
const ENTRIES: [usize; 2] = [80, 100];
/// Lines of an entry: worth a note, and too many.
const BODY: [usize; 2] = [60, 100];

/// What a store is like after its garden was tended.
#[derive(Debug, Serialize)]
pub struct Finish {
    /// Links that lead nowhere.
    pub dead_links: Vec<Dead>,
    /// What may have made so many of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    /// Entries that MEMORY.md does not name.
    pub orphans: Vec<String>,
    /// Entries whose frontmatter is damaged.
    pub frontmatter: Vec<Problem>,
    /// What is near a limit or above it.
    pub limits: Vec<Limit>,
    /// Archived entries without `archived` or `archive_reason`.
    pub archive: Vec<String>,
    /// Stale in the last two runs: delete, or find better evidence.
    pub stale_again: Vec<String>,
    /// Stale in the last run.
    pub open_stale: Vec<String>,
    /// What the last run did: action and count.
    pub last_run: BTreeMap<String, usize>,
    /// Lines of MEMORY.md.
    pub index_lines: usize,
    /// Lines of MEMORY.md before the last run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index_lines_before: Option<usize>,
    /// Entries.
    pub entries: usize,
    /// What could be done otherwise.
    pub feedback: Feedback,
}

/// A link that leads nowhere.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Dead {
    /// Where it stands.
    pub file: String,
    /// The line.
    pub line: usize,
    /// As written.
    pub target: String,
    /// Where it lies in the archive, or what took it over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub archived_at: Option<String>,
    /// It is a code (`a:12`), and only a person knows which item is meant now.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_hand: bool,
}

/// A damaged frontmatter.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// The entry.
    pub entry: String,
    /// What is wrong.
    pub what: String,
}

/// Something near its limit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Limit {
    /// What.
    pub what: String,
    /// How much of it there is.
    pub count: usize,
    /// The limit that was reached.
    pub limit: usize,
    /// It is too much, not only worth a note.
    pub over: bool,
}

impl Finish {
    /// Looks at everything.
    pub fn of(scan: &Scan, judged: &Judgements) -> Self {
        let store = &scan.store;
        let runs = runs::read(scan);
        let audit = memory::audit(store, scan.now.to_utc(), Dates::Modified);
        let mut frontmatter = Vec::new();
        let mut orphans = Vec::new();
        for issue in &audit.issues {
            match issue {
                Issue::Orphan(id) => orphans.push(store.entry(*id).file().to_owned()),
                Issue::Entry { entry, problem } => {
                    if let Some(what) = damage(problem) {
                        frontmatter.push(Problem {
                            entry: store.entry(*entry).file().to_owned(),
                            what,
                        });
                    }
                }
                _ => {}
            }
        }
        let dead_links = dead(scan, &Archive::of(scan, &runs));
        let stale = stale_of(&runs);
        let index_lines_before = last(&runs).find_map(|line| line.index);
        let mut last_run = BTreeMap::new();
        for line in last(&runs) {
            let done = line.action.clone().unwrap_or_else(|| "none".to_owned());
            *last_run.entry(done).or_default() += 1;
        }
        Self {
            cause: (dead_links.len() > MANY_DEAD).then(|| cause(&dead_links, &runs)),
            dead_links,
            orphans,
            frontmatter,
            limits: limits(scan),
            archive: scan
                .archive
                .iter()
                .filter(|one| one.archived.is_none() || one.reason.is_none())
                .map(|one| one.file.clone())
                .collect(),
            stale_again: stale.1,
            open_stale: stale.0,
            last_run,
            index_lines: store.index().map_or(0, memory::Index::line_count),
            index_lines_before,
            entries: store.entries().len(),
            feedback: Feedback::of(scan, judged, &runs),
        }
    }

    /// Nothing is left to be mended.
    pub fn is_whole(&self) -> bool {
        self.dead_links.is_empty()
            && self.orphans.is_empty()
            && self.frontmatter.is_empty()
            && self.limits.iter().all(|limit| !limit.over)
    }
}

/// What is damage; line ends and the like are none.
fn damage(problem: &EntryProblem) -> Option<String> {
    Some(match problem {
        EntryProblem::NoFrontmatter => "no frontmatter".to_owned(),
        EntryProblem::Unclosed => "the frontmatter is not closed".to_owned(),
        EntryProblem::InvalidYaml(words) => format!("the frontmatter is not valid YAML ({words})"),
        EntryProblem::MissingName => "no name".to_owned(),
        EntryProblem::MissingDescription => "no description".to_owned(),
        _ => return None,
    })
}

/// Where entries went that are no longer there.
#[derive(Debug, Default)]
pub(crate) struct Archive {
    /// By the name that their frontmatter says.
    names: HashMap<String, String>,
    /// What took them over, by file and by stem, if that is still there.
    merged: HashMap<String, String>,
    /// What the garden took away, by file and by stem.
    tended: HashSet<String>,
}

impl Archive {
    pub(crate) fn of(scan: &Scan, runs: &[Line]) -> Self {
        let store = &scan.store;
        let mut out = Self::default();
        let is_missing = |link: &memory::ResolvedLink| {
            matches!(link.target, Target::Missing { .. }) && link.kind != LinkKind::Code
        };
        if !store.links().iter().any(is_missing) {
            return out;
        }
        for entry in store.read_archive() {
            if let Some(name) = entry.name() {
                out.names
                    .entry(name.to_owned())
                    .or_insert_with(|| entry.file().to_owned());
            }
        }
        for line in runs {
            if matches!(line.action.as_deref(), Some("delete" | "archive" | "merge")) {
                let stem = line.entry.trim_end_matches(".md").to_owned();
                out.tended.extend([line.entry.clone(), stem]);
            }
            let keeper = line.to.as_deref().and_then(|to| store.find(to));
            if let (Some("merge"), Some(keeper)) = (line.action.as_deref(), keeper) {
                let keeper = store.entry(keeper).file();
                let stem = line.entry.trim_end_matches(".md");
                let name = stem.rsplit('/').next().unwrap_or(stem);
                for key in [line.entry.as_str(), stem, name] {
                    out.merged.insert(key.to_owned(), keeper.to_owned());
                }
            }
        }
        out
    }

    /// Whether it is known what became of a link's entry.
    pub(crate) fn knows(&self, link: &memory::ResolvedLink) -> bool {
        let target = link.raw.split('#').next().unwrap_or_default();
        self.now(link).is_some() || self.tended.contains(target.trim_start_matches("./"))
    }

    /// Where a link that leads nowhere should lead: to what took its entry over, else into the
    /// archive.
    pub(crate) fn now<'a>(&'a self, link: &'a memory::ResolvedLink) -> Option<&'a str> {
        let Target::Missing { archived_at } = &link.target else {
            return None;
        };
        if link.kind == LinkKind::Code {
            return None;
        }
        let target = link.raw.split('#').next().unwrap_or_default();
        let target = target.trim_start_matches("./");
        let merged = self.merged.get(target);
        merged
            .or(archived_at.as_ref())
            .or_else(|| self.names.get(target))
            .map(String::as_str)
    }
}

/// Links that lead nowhere, in order.
fn dead(scan: &Scan, archive: &Archive) -> Vec<Dead> {
    let store = &scan.store;
    store
        .links()
        .iter()
        .filter_map(|link| {
            if !matches!(link.target, Target::Missing { .. }) {
                return None;
            }
            Some(Dead {
                file: match link.source {
                    Source::Index => memory::index::FILE.to_owned(),
                    Source::Entry(id) => store.entry(id).file().to_owned(),
                    Source::Page(at) => store.pages()[at].file().to_owned(),
                },
                line: link.line,
                target: link.shown().to_owned(),
                archived_at: archive
                    .now(link)
                    .filter(|_| !link.hidden)
                    .map(str::to_owned),
                by_hand: link.kind == LinkKind::Code,
            })
        })
        .collect()
}

/// A guess at what made so many dead links.
fn cause(dead: &[Dead], runs: &[Line]) -> String {
    let archived = dead
        .iter()
        .filter(|link| link.archived_at.is_some())
        .count();
    let removed: BTreeSet<&str> = runs
        .iter()
        .filter(|line| line.action.as_deref() == Some("delete"))
        .map(|line| line.entry.as_str())
        .collect();
    let name = |target: &str| format!("{}.md", target.trim_end_matches(".md"));
    let deleted = dead
        .iter()
        .filter(|link| link.archived_at.is_none() && removed.contains(name(&link.target).as_str()))
        .count();
    let rest = dead.len() - archived - deleted;
    let mut parts = Vec::new();
    for (count, why) in [
        (archived, "lead to entries that were archived"),
        (deleted, "lead to entries that the garden deleted"),
        (
            rest,
            "name what was never an entry here or was renamed or moved by hand",
        ),
    ] {
        if count > 0 {
            parts.push(format!("{count} {why}"));
        }
    }
    parts.join(", ")
}

fn limits(scan: &Scan) -> Vec<Limit> {
    let mut out = Vec::new();
    let mut look = |what: String, count: usize, [note, force]: [usize; 2]| {
        if count > note {
            out.push(Limit {
                what,
                count,
                limit: if count > force { force } else { note },
                over: count > force,
            });
        }
    };
    let lines = scan.store.index().map_or(0, memory::Index::line_count);
    look("lines of MEMORY.md".to_owned(), lines, INDEX);
    look("entries".to_owned(), scan.entries.len(), ENTRIES);
    for view in &scan.entries {
        look(format!("lines of {}", view.file), view.body_lines, BODY);
    }
    out
}

/// The lines of the last run.
fn last(runs: &[Line]) -> impl Iterator<Item = &Line> {
    let run = runs.last().map(run_of);
    runs.iter().filter(move |line| Some(run_of(line)) == run)
}

/// Which run a line is of: its time, else its day.
fn run_of(line: &Line) -> String {
    if line.run.is_empty() {
        line.date.to_string()
    } else {
        line.run.clone()
    }
}

/// Entries that are Stale in the last run, and those that were so in the run before too.
fn stale_of(runs: &[Line]) -> (Vec<String>, Vec<String>) {
    let mut order: Vec<String> = Vec::new();
    let mut stale: BTreeMap<String, BTreeSet<&str>> = BTreeMap::new();
    for line in runs {
        let run = run_of(line);
        if order.last() != Some(&run) {
            order.push(run.clone());
        }
        let of = stale.entry(run).or_default();
        if line.verdict == Verdict::Stale {
            of.insert(&line.entry);
        }
    }
    let mut newest = order.iter().rev().filter_map(|run| stale.get(run));
    let (last, before) = (newest.next(), newest.next());
    let last: Vec<String> = last
        .into_iter()
        .flatten()
        .map(|entry| (*entry).to_owned())
        .collect();
    let again = last
        .iter()
        .filter(|entry| before.is_some_and(|before| before.contains(entry.as_str())))
        .cloned()
        .collect();
    (last, again)
}
