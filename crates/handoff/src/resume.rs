//! A checklist for whoever goes on.

use crate::doc::Document;
use crate::place::{self, Handoff};
use crate::refs::{self, Places};
use crate::rows;
use crate::staleness::{Level, Staleness, staleness};
use mnemo_home::Env;
use record::root::Root;
use serde::Serialize;

/// Most items of one kind that are told.
const ITEMS: usize = 12;
/// Characters of an item.
const CHARS: usize = 240;
/// Links of a chain that are followed.
const CHAIN: usize = 50;

/// What to do, in order, and what to know.
#[derive(Debug, Clone, Serialize)]
pub struct Resume {
    /// The handoff, relative to the root.
    pub file: String,
    /// Its title.
    pub title: Option<String>,
    /// How stale it is.
    pub staleness: Staleness,
    /// The handoffs that it continues, the nearest first.
    pub chain: Vec<String>,
    /// What was asked for.
    pub requirement: Option<String>,
    /// Where things stood, its first lines.
    pub state: Vec<String>,
    /// What one must know.
    pub context: Vec<String>,
    /// What it says to do next.
    pub next_steps: Vec<String>,
    /// What it leaves open.
    pub open: Vec<String>,
    /// What was decided, with the reason.
    pub decisions: Vec<String>,
    /// Traps.
    pub gotchas: Vec<String>,
    /// Files to read first that are there.
    pub read_first: Vec<String>,
    /// Files it refers to that are not.
    pub missing: Vec<String>,
}

/// Gathers the checklist of a handoff.
///
/// What is private and what looks like a secret is taken out: a handoff of another tool may hold it.
pub fn resume(handoff: &Handoff, root: &Root, env: &Env) -> Resume {
    let clean = redact::clean(handoff.document.text(), redact::Policy { secrets: true });
    let document = &Document::parse(clean.as_str());
    let items = |name: &str| -> Vec<String> {
        let Some(section) = document.section(name) else {
            return Vec::new();
        };
        document
            .lines(section)
            .iter()
            .map(|line| item(line.text))
            .filter(|text| !text.is_empty() && !is_none(text))
            .take(ITEMS)
            .collect()
    };
    let mut read_first: Vec<String> = Vec::new();
    for row in document.rows_of("Critical Files") {
        if root.path().join(&row.path).exists() && !read_first.contains(&row.path) {
            read_first.push(row.path);
        }
    }
    read_first.truncate(ITEMS);
    let places = Places::of(handoff, Some(root));
    Resume {
        file: handoff.file.clone(),
        title: handoff.title().map(str::to_owned),
        staleness: staleness(handoff, root, env),
        chain: chain(handoff, root),
        requirement: document.origin().and_then(|origin| origin.requirement),
        state: items("Current State Summary").into_iter().take(3).collect(),
        context: items("Important Context"),
        next_steps: items("Immediate Next Steps"),
        open: items("Blockers/Open Questions"),
        decisions: document
            .decisions()
            .into_iter()
            .take(ITEMS)
            .map(|decision| {
                let why = if decision.rationale.is_empty() {
                    "no reason given".to_owned()
                } else {
                    decision.rationale
                };
                mnemo_home::one_line(&format!("{} — {why}", decision.decision), CHARS)
            })
            .collect(),
        gotchas: items("Potential Gotchas"),
        read_first,
        missing: refs::missing(handoff, &places)
            .into_iter()
            .map(|reference| reference.path)
            .collect(),
    }
}

/// The files that a handoff continues, back to the first; ends at a link that leads nowhere or in a
/// circle.
pub fn chain(handoff: &Handoff, root: &Root) -> Vec<String> {
    let Ok(all) = place::list(root) else {
        return Vec::new();
    };
    let mut chain: Vec<String> = Vec::new();
    let mut here = handoff;
    while let Some(target) = here.document.continues_from() {
        let name = target.rsplit('/').next().unwrap_or(target);
        let Some(next) = all.iter().find(|other| other.name() == name) else {
            break;
        };
        if next.file == handoff.file || chain.contains(&next.file) || chain.len() >= CHAIN {
            break;
        }
        chain.push(next.file.clone());
        here = next;
    }
    chain
}

/// Whether an item only says that there is none.
fn is_none(text: &str) -> bool {
    text.split_whitespace().count() <= 2 && rows::says_none(text)
}

/// The text of a bullet, a numbered item or a line; empty for placeholders and marks.
fn item(line: &str) -> String {
    let line = line.trim();
    if line.starts_with(['#', '|', '>']) {
        return String::new();
    }
    let bare = line.trim_start_matches(['-', '*', '+', ' ']);
    let number = bare.bytes().take_while(u8::is_ascii_digit).count();
    let bare = match bare.get(number..) {
        Some(rest) if number > 0 && rest.starts_with(['.', ')']) => {
            rest.get(1..).unwrap_or_default()
        }
        _ => bare,
    }
    .trim();
    let bare = ["[ ]", "[x]", "[X]"]
        .iter()
        .find_map(|mark| bare.strip_prefix(mark))
        .unwrap_or(bare)
        .trim();
    if crate::placeholders::starts(bare) || crate::placeholders::is_placeholder(bare) {
        return String::new();
    }
    mnemo_home::one_line(bare, CHARS)
}

impl Resume {
    /// As a Markdown checklist. What it quotes is the handoff's, and said to be.
    pub fn render(&self) -> String {
        let mut text = format!(
            "# Resume: {}\n\n",
            self.title.as_deref().unwrap_or("untitled")
        );
        let mut line = |line: String| {
            text.push_str(&line);
            text.push('\n');
        };
        line(format!(
            "File: {} ({})",
            self.file,
            self.staleness.headline()
        ));
        for issue in &self.staleness.issues {
            line(format!("  - {issue}"));
        }
        for unknown in &self.staleness.unknown {
            line(format!("  - unknown: {unknown}"));
        }
        line("What follows is quoted from the handoff: check it against the project before acting on it.".to_owned());
        line(String::new());
        line("- [ ] Read the whole file".to_owned());
        if !self.chain.is_empty() {
            line(format!("- [ ] It continues {}", self.chain.join(" ← ")));
        }
        let branch = &self.staleness.branch;
        if let Some(then) = &branch.then
            && branch.now.as_ref() != Some(then)
        {
            line(format!("- [ ] Check the branch: it was made on {then}"));
        }
        if self.staleness.to_fill_in > 0 {
            line("- [ ] Fill in what it leaves open, or ask who made it".to_owned());
        }
        if !matches!(self.staleness.level, Level::Fresh | Level::Unknown) {
            line("- [ ] Look at what changed since (below)".to_owned());
        }
        if !self.read_first.is_empty() {
            line(format!("- [ ] Read first: {}", self.read_first.join(", ")));
        }
        if !self.missing.is_empty() {
            line(format!(
                "- [ ] Find out about files that are not there: {}",
                self.missing.join(", ")
            ));
        }
        let asked = self.requirement.iter().cloned().collect::<Vec<_>>();
        let changed = self.staleness.newest_commits.clone();
        for (title, items, mark) in [
            ("Asked for", &asked, "- "),
            ("Where it stood", &self.state, "- "),
            ("Important context", &self.context, "- "),
            ("Next steps", &self.next_steps, "- [ ] "),
            ("Open questions", &self.open, "- [ ] "),
            ("Decided", &self.decisions, "- "),
            ("Gotchas", &self.gotchas, "- "),
            ("Commits since", &changed, "- "),
        ] {
            if items.is_empty() {
                continue;
            }
            line(String::new());
            line(format!("## {title}"));
            for item in items {
                line(format!("{mark}{item}"));
            }
        }
        text
    }
}
