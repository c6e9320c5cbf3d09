//! What install and uninstall say, for people and as JSON.

use serde::Serialize;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// What was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "the names say it")]
pub enum Action {
    Install,
    Uninstall,
}

/// What install or uninstall did; with `dry_run`, what it would do.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Report {
    /// What was asked for.
    pub action: Action,
    /// Nothing was written.
    pub dry_run: bool,
    /// The client's settings file.
    pub settings: PathBuf,
    /// Uninstall: the client's folder, if install had made it. It is removed if it is empty.
    #[serde(skip)]
    pub made_folder: Option<PathBuf>,
    /// Whether the settings file changed (or would).
    pub changed: bool,
    /// The change as a unified diff; empty when there is none.
    pub diff: String,
    /// Where the bytes from before are kept.
    pub backup: Option<PathBuf>,
    /// The client's version, if it said.
    pub client: Option<String>,
    /// What is wired now.
    pub hooks: Vec<Wired>,
    /// Hooks of the original mnemo that were found.
    pub original: Vec<Original>,
    /// The client's auto memory was asked to be off.
    pub auto_memory_off: bool,
    /// Transcripts of earlier conversations, over all projects.
    pub older_transcripts: Option<usize>,
    /// What else the user should know.
    pub remarks: Vec<String>,
}

/// One wired hook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Wired {
    pub event: String,
    pub program: String,
    pub command: String,
    pub matcher: Option<String>,
}

/// One hook of the original mnemo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[allow(missing_docs, reason = "the names say it")]
pub struct Original {
    pub event: String,
    pub command: String,
    pub taken_out: bool,
}

impl Report {
    /// For a terminal.
    pub fn render(&self) -> String {
        let mut text = String::new();
        if self.dry_run {
            // A terminal shows no carriage returns; the field `diff` keeps them.
            text.push_str(&self.diff.replace("\r\n", "\n"));
            if !self.diff.is_empty() {
                text.push('\n');
            }
        }
        let settings = self.settings.display();
        let line = match (self.action, self.changed, self.dry_run) {
            (Action::Install, true, false) => format!("Wired in {settings}:"),
            (Action::Install, true, true) => format!("Would wire in {settings}:"),
            (Action::Install, false, _) => {
                format!("Nothing to do: already wired in {settings}.")
            }
            (Action::Uninstall, true, false) => format!("Hooks taken out of {settings}."),
            (Action::Uninstall, true, true) => format!("Would take the hooks out of {settings}."),
            (Action::Uninstall, false, _) => {
                format!("Nothing to do: no hook of mnemo in {settings}.")
            }
        };
        text.push_str(&line);
        text.push('\n');
        if self.changed {
            text.push_str(&self.hook_lines());
        }
        if let Some(backup) = &self.backup {
            let _ = writeln!(text, "The file from before: {}", backup.display());
        }
        if self.auto_memory_off && self.changed {
            text.push_str(if self.dry_run {
                "Claude Code's own auto memory would be off; uninstall gives it back.\n"
            } else {
                "Claude Code's own auto memory is off; uninstall gives it back.\n"
            });
        }
        text.push_str(&self.original_lines());
        if let Some(count) = self.older_transcripts.filter(|count| *count > 0) {
            let noun = if count == 1 {
                "transcript"
            } else {
                "transcripts"
            };
            let _ = writeln!(
                text,
                "{count} {noun} of earlier conversations: `mnemo reconcile --all` inside a project brings its own into the record."
            );
        }
        for remark in &self.remarks {
            let _ = writeln!(text, "Note: {remark}.");
        }
        text
    }

    /// What is said behind all else.
    pub fn last_words(&self) -> &'static str {
        match (self.action, self.dry_run) {
            (_, true) => "Nothing was written.\n",
            (Action::Install, false) if self.changed => {
                "Sessions that are running now may need a restart.\n\
                 `mnemo status` inside a project says what is recorded there.\n"
            }
            (Action::Install, false) => "",
            (Action::Uninstall, false) => {
                "Conversations and memories stay. This command leaves the programs and mnemo's state folder\n\
                 (backups, the bytes for undo) where they are: see the README.\n"
            }
        }
    }

    fn hook_lines(&self) -> String {
        let mut text = String::new();
        for program in crate::hooks::PROGRAMS {
            let events: Vec<&str> = self
                .hooks
                .iter()
                .filter(|hook| hook.program == program)
                .map(|hook| hook.event.as_str())
                .collect();
            if !events.is_empty() {
                let _ = writeln!(text, "  {program:<18} {}", events.join(", "));
            }
        }
        text
    }

    fn original_lines(&self) -> String {
        let mut text = String::new();
        if self.original.is_empty() {
            return text;
        }
        let taken_out = self.original.iter().all(|o| o.taken_out);
        text.push_str(match (taken_out, self.dry_run) {
            (true, false) => "Hooks of the original mnemo taken out (uninstall gives them back):\n",
            (true, true) => "Hooks of the original mnemo that would be taken out:\n",
            (false, _) => {
                "Hooks of the original mnemo are wired too, and both would write one day file; \
                 run again with --replace-original to take them out:\n"
            }
        });
        for original in &self.original {
            let _ = writeln!(text, "  {}: {}", original.event, original.command);
        }
        text
    }
}

/// A unified diff; empty when both are equal.
pub(crate) fn diff(path: &Path, before: Option<&[u8]>, after: Option<&[u8]>) -> String {
    if before == after {
        return String::new();
    }
    let name = path.display().to_string();
    let label = |side: Option<&[u8]>| side.map_or_else(|| "/dev/null".to_owned(), |_| name.clone());
    let text = |side: Option<&[u8]>| String::from_utf8_lossy(side.unwrap_or_default()).into_owned();
    let (old, new) = (text(before), text(after));
    similar::TextDiff::from_lines(old.as_str(), new.as_str())
        .unified_diff()
        .context_radius(3)
        .header(&label(before), &label(after))
        .to_string()
}
