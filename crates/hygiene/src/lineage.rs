//! When, why and how a file changed, from what the record and the repository say of it.

use crate::anchors::Tree;
use crate::{Result, to_show};
use chrono::NaiveDate;
use handoff::History;
use mnemo_home::Env;
use record::Record;
use redact::Policy;
use serde::Serialize;
use std::path::Path;

/// Largest tool log that is read, in bytes.
const LARGEST_LOG: u64 = 64 << 20;
/// Largest day file that is read for what was asked, in bytes.
const LARGEST_DAY: u64 = 64 << 20;
/// Most files of one name that git is asked for.
const MOST_OF_A_NAME: usize = 8;
/// Characters of a prompt that are shown.
const PROMPT: usize = 160;

/// Where a change is told of.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// A handoff.
    Handoff,
    /// The tool log and the conversation around it.
    Conversation,
    /// A commit.
    Commit,
}

impl Source {
    /// As reports name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Handoff => "handoff",
            Self::Conversation => "conversation",
            Self::Commit => "commit",
        }
    }
}

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Step {
    /// `YYYY-MM-DD`, with `THH:MM:SS` where it is known; empty where it is not.
    pub when: String,
    /// Where it is told.
    pub source: Source,
    /// The file and line, or the commit.
    pub evidence: String,
    /// What was done; may be empty.
    pub what: String,
    /// Why; `None` where no reason is recorded.
    pub why: Option<String>,
    /// The reason is not said of this change: it is the session's decision, requirement or prompt.
    pub is_guess: bool,
}

/// What is known of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Lineage {
    /// Its changes, newest first.
    pub steps: Vec<Step>,
    /// Why git could not be asked, where there is a repository.
    pub git_trouble: Option<String>,
    /// Tool logs that could not be read, and why.
    pub left_out: Vec<String>,
}

/// Gathers it.
pub fn lineage(record: &Record, file: &str, env: &Env) -> Result<Lineage> {
    let file = file.trim_start_matches("./").replace('\\', "/");
    let mut steps = Vec::new();
    handoffs(record, &file, &mut steps)?;
    let mut left_out = Vec::new();
    conversations(record, &file, &mut steps, &mut left_out)?;
    for step in &mut steps {
        step.what = to_show(&step.what);
        step.why = step.why.as_deref().map(to_show);
    }
    let git_trouble = commits(record, &file, env, &mut steps).err();
    steps.sort_by(|a, b| b.when.cmp(&a.when));
    Ok(Lineage {
        steps,
        git_trouble,
        left_out,
    })
}

/// Whether a path that somebody wrote is this file.
fn is_same(written: &str, file: &str) -> bool {
    let written = written.trim_start_matches("./").replace('\\', "/");
    let written = written.split(':').next().unwrap_or_default();
    let tail = |long: &str, short: &str| {
        long.strip_suffix(short)
            .is_some_and(|lead| lead.is_empty() || lead.ends_with('/'))
    };
    !written.is_empty() && (tail(file, written) || tail(written, file))
}

fn handoffs(record: &Record, file: &str, steps: &mut Vec<Step>) -> Result<()> {
    for handoff in handoff::list(record.root())? {
        let document = handoff.clean(Policy { secrets: true }).document;
        // What is only to be read first did not change.
        for row in document.rows_of("Files Modified") {
            if !is_same(&row.path, file) {
                continue;
            }
            let origin = document.origin();
            let decisions = document.decisions();
            let decision = decisions
                .iter()
                .find(|decision| {
                    format!("{} {}", decision.decision, decision.rationale).contains(&row.path)
                })
                .or(if decisions.len() == 1 {
                    decisions.first()
                } else {
                    None
                });
            let given = |text: &str| (!text.trim().is_empty()).then(|| text.trim().to_owned());
            let said = given(&row.rationale);
            let is_guess = said.is_none();
            let why = said
                .or_else(|| {
                    decision.and_then(|decision| {
                        given(&decision.rationale)
                            .map(|why| format!("{}: {why}", decision.decision))
                    })
                })
                .or_else(|| origin.and_then(|origin| origin.requirement.or(origin.problem)));
            steps.push(Step {
                when: handoff
                    .created
                    .map(|at| at.format("%Y-%m-%dT%H:%M:%S").to_string())
                    .unwrap_or_default(),
                source: Source::Handoff,
                evidence: format!("{}:{}", handoff.file, row.line),
                what: row.changes.clone(),
                is_guess: is_guess && why.is_some(),
                why,
            });
        }
    }
    Ok(())
}

/// Edits of the tool logs, with what was asked before them.
fn conversations(
    record: &Record,
    file: &str,
    steps: &mut Vec<Step>,
    left_out: &mut Vec<String>,
) -> Result<()> {
    for date in tool_days(record)? {
        let name = format!("conversations/{date}-toollog.md");
        let read = record
            .resolve(&name)
            .and_then(|path| Ok(safe_file::read(&path, LARGEST_LOG)?));
        let bytes = match read {
            Ok(Some(bytes)) => bytes,
            Ok(None) => continue,
            Err(error) => {
                left_out.push(error.to_string());
                continue;
            }
        };
        let text = String::from_utf8_lossy(&bytes);
        let edits: Vec<(usize, &str, &str)> = text
            .lines()
            .enumerate()
            .filter_map(|(index, line)| {
                let (time, tool, detail) = call(line)?;
                let edits = matches!(tool, "Edit" | "Write" | "MultiEdit" | "NotebookEdit");
                let path = detail
                    .split(" (agent: ")
                    .next()?
                    .trim_end_matches(" — failed");
                (edits && is_same(path, file) && !detail.ends_with("— failed")).then_some((
                    index + 1,
                    time,
                    tool,
                ))
            })
            .collect();
        if edits.is_empty() {
            continue;
        }
        let asked = prompts(record, date);
        // Edits that one prompt led to are one change.
        let mut last: Option<(usize, usize)> = None;
        for (line, time, tool) in edits {
            let prompt = asked.iter().rposition(|(at, _)| at.as_str() <= time);
            if let (Some((known, step)), Some(prompt)) = (last, prompt)
                && known == prompt
            {
                if let Some(step) = steps.get_mut(step) {
                    step.when = format!("{date}T{time}");
                    step.what = tool.to_owned() + ", several times";
                }
                continue;
            }
            last = prompt.map(|prompt| (prompt, steps.len()));
            let why = prompt
                .and_then(|prompt| asked.get(prompt))
                .map(|(_, text)| text.clone());
            steps.push(Step {
                when: format!("{date}T{time}"),
                source: Source::Conversation,
                evidence: format!("{name}:{line}"),
                what: tool.to_owned(),
                is_guess: why.is_some(),
                why,
            });
        }
    }
    Ok(())
}

/// Days that have a tool log, by the names in the folder.
pub(crate) fn tool_days(record: &Record) -> Result<Vec<NaiveDate>> {
    let folder = record.resolve("conversations")?;
    let Ok(entries) = std::fs::read_dir(folder) else {
        return Ok(Vec::new());
    };
    let mut days: Vec<NaiveDate> = entries
        .flatten()
        .filter_map(|entry| {
            let name = entry.file_name();
            name.to_str()?.strip_suffix("-toollog.md")?.parse().ok()
        })
        .collect();
    days.sort_unstable();
    Ok(days)
}

/// ``- `[HH:MM:SS]` **TOOL** detail``
pub(crate) fn call(line: &str) -> Option<(&str, &str, &str)> {
    let rest = line.strip_prefix("- `[")?;
    let (time, rest) = rest.split_once("]` **")?;
    let (tool, detail) = rest.split_once("**")?;
    Some((time, tool, detail.trim()))
}

/// The prompts of a day: when, and how they begin.
fn prompts(record: &Record, date: NaiveDate) -> Vec<(String, String)> {
    let Ok(path) = record.day_path(date) else {
        return Vec::new();
    };
    let Ok(Some(bytes)) = safe_file::read(&path, LARGEST_DAY) else {
        return Vec::new();
    };
    let mut prompts: Vec<(String, String)> = record::day::parse(&bytes)
        .into_iter()
        .filter(|located| located.entry.role == claude_hook::Role::User)
        .map(|located| {
            let body = to_show(&located.entry.body);
            let text: Vec<&str> = body.split_whitespace().collect();
            let text = text.join(" ");
            let mut short: String = text.chars().take(PROMPT).collect();
            if short.len() < text.len() {
                short.push('…');
            }
            (located.entry.time.format("%H:%M:%S").to_string(), short)
        })
        .collect();
    prompts.sort();
    prompts
}

fn commits(
    record: &Record,
    file: &str,
    env: &Env,
    steps: &mut Vec<Step>,
) -> std::result::Result<(), String> {
    let root = record.root().path();
    // A repository inside of the project (a sub-module, a worktree) has commits of its own.
    let above = Path::new(file).ancestors().skip(1);
    let inner = above
        .filter(|folder| !folder.as_os_str().is_empty())
        .find(|folder| root.join(folder).join(".git").exists());
    let (root, file) = match inner.and_then(|folder| folder.to_str()) {
        Some(folder) => (
            root.join(folder),
            file.get(folder.len() + 1..).unwrap_or_default(),
        ),
        None => (root.to_owned(), file),
    };
    let Some(history) = History::ask(&root, env)? else {
        return Ok(());
    };
    let mut commits = Vec::new();
    for path in paths_of(&root, file, &history) {
        for commit in history.of_file(&path)? {
            if !commits.contains(&commit) {
                commits.push(commit);
            }
        }
    }
    for commit in commits {
        // A block may begin in the one and end in the other.
        let message = format!("{}\n\n{}", commit.subject, commit.body);
        let message = to_show(&redact::by_line(&message));
        let (subject, body) = message.split_once('\n').unwrap_or((&message, ""));
        let reason = body
            .split("\n\n")
            .map(str::trim)
            .find(|paragraph| !paragraph.is_empty() && !is_trailer(paragraph))
            .map(|paragraph| paragraph.replace('\n', " "));
        steps.push(Step {
            // Local times of commits sort by their day well enough.
            when: commit.at.get(..19).unwrap_or(&commit.at).to_owned(),
            source: Source::Commit,
            evidence: commit.hash,
            what: subject.to_owned(),
            why: reason,
            is_guess: false,
        });
    }
    Ok(())
}

/// What git knows the file by: a name alone is that of every file called so, as in handoffs and logs.
fn paths_of(root: &Path, file: &str, history: &History) -> Vec<String> {
    let here = vec![file.to_owned()];
    if file.contains('/') || root.join(file).exists() {
        return here;
    }
    let tree = Tree::walk(root, &["conversations"]);
    let mut paths: Vec<String> = tree.named(file).map(str::to_owned).collect();
    if paths.is_empty() {
        let gone = history.changes().removed.into_iter().map(|one| one.path);
        paths.extend(gone.filter(|path| path.ends_with(&format!("/{file}"))));
        paths.dedup();
    }
    paths.truncate(MOST_OF_A_NAME);
    if paths.is_empty() { here } else { paths }
}

/// `Signed-off-by: …` and the like, and what a tool signs with (`🤖 Generated with [Claude Code](…)`).
fn is_trailer(paragraph: &str) -> bool {
    paragraph.lines().all(|line| {
        let signed = line.trim_start_matches(|c: char| !c.is_alphanumeric());
        signed.starts_with("Generated with ")
            || line.split_once(": ").is_some_and(|(key, _)| {
                key.contains('-') && key.chars().all(|c| c.is_ascii_alphabetic() || c == '-')
            })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn signatures_are_no_reasons() {
        for text in [
            "Signed-off-by: A <a@example.com>",
            "\u{1f916} Generated with [Claude Code](https://claude.com/claude-code)",
            "Generated with a tool\nCo-Authored-By: B <b@example.com>",
        ] {
            assert!(is_trailer(text), "{text}");
        }
        assert!(!is_trailer("Generated names clashed."));
        assert!(!is_trailer("The cache: it was stale."));
    }
}
