//! What a run found and did.

use mnemo_home::text::steers;
use std::fmt::Write as _;

/// So many unreadable lines are named.
const NAMED: usize = 20;

/// What was found and done. Serialises as the companion's `--json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, serde::Serialize)]
pub struct Summary {
    /// Transcripts looked at: read, unchanged, or left for next time.
    pub transcripts: u64,
    /// Of these, read (changed since last time).
    pub read: u64,
    /// User entries in the window.
    pub user_turns: u64,
    /// Assistant entries in the window.
    pub assistant_turns: u64,
    /// Already in the day files.
    pub present: u64,
    /// Newly written (in a dry run: would be).
    pub written: u64,
    /// Completed in place (in a dry run: would be).
    pub completed: u64,
    /// Turns still running, left alone.
    pub running: u64,
    /// Unreadable lines.
    pub unreadable: u64,
    /// `path: offset: why`, at most 20.
    pub unreadable_lines: Vec<String>,
    /// Local dates whose files changed (`YYYY-MM-DD`), ascending.
    pub dates: Vec<String>,
    /// Why the index could not be saved: the next run takes longer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index_problem: Option<String>,
    /// True when the budget ran out.
    pub unfinished: bool,
    /// True when another repair was running, so nothing was done.
    pub busy: bool,
    /// Dry run: `DATE HH:MM:SS Role first 60 characters`, control codes removed.
    pub planned: Vec<String>,
}

impl Summary {
    /// For people: what is planned (dry run), what was brought in, what was left alone and what
    /// could not be read.
    pub fn text(&self, dry_run: bool) -> String {
        let mut text = String::new();
        if self.busy {
            return "another repair of this project is running; nothing was done".to_owned();
        }
        for planned in &self.planned {
            let _ = writeln!(text, "[dry-run] would write {planned}");
        }
        text.push_str(&self.outcome(dry_run));
        if self.running > 0 {
            let turns = if self.running == 1 { "turn" } else { "turns" };
            let _ = write!(
                text,
                "\n{} {turns} still running, left alone (--finished takes them)",
                self.running
            );
        }
        if self.unfinished {
            text.push_str("\nnot finished in the time given; the next run goes on from there");
        }
        if let Some(problem) = &self.index_problem {
            let _ = write!(
                text,
                "\nthe index was not saved, so the next run takes longer: {problem}"
            );
        }
        for line in &self.unreadable_lines {
            let _ = write!(text, "\nunreadable: {line}");
        }
        if self.unreadable > self.unreadable_lines.len() as u64 {
            let _ = write!(
                text,
                "\nand {} more unreadable lines",
                self.unreadable - self.unreadable_lines.len() as u64
            );
        }
        text
    }

    fn outcome(&self, dry_run: bool) -> String {
        let looked_at = self.user_turns + self.assistant_turns;
        if self.written + self.completed == 0 {
            return format!(
                "Nothing was missing: {} looked at in {}.",
                entries(looked_at),
                match self.transcripts {
                    1 => "1 transcript".to_owned(),
                    many => format!("{many} transcripts"),
                }
            );
        }
        let [add, complete] = if dry_run {
            ["Would add", "would complete"]
        } else {
            ["Added", "completed"]
        };
        let mut text = match (self.written, self.completed) {
            (0, completed) => format!("{} {}", capital(complete), entries(completed)),
            (written, 0) => format!("{add} {}", entries(written)),
            (written, completed) => format!("{add} {}, {complete} {completed}", entries(written)),
        };
        let _ = write!(
            text,
            " ({}); {} of {} {} there already.",
            self.dates.join(", "),
            self.present,
            entries(looked_at),
            if self.present == 1 { "was" } else { "were" }
        );
        text
    }

    pub(crate) fn could_not_read(&mut self, path: &std::path::Path, offset: u64, why: &str) {
        if self.unreadable_lines.len() < NAMED {
            self.unreadable_lines.push(visible(
                &format!("{}: {offset}: {why}", path.display()),
                usize::MAX,
            ));
        }
    }
}

fn entries(count: u64) -> String {
    mnemo_home::counted(count, "entry")
}

fn capital(word: &str) -> String {
    let mut chars = word.chars();
    let first = chars.next().map(|c| c.to_ascii_uppercase());
    first.into_iter().chain(chars).collect()
}

/// At most `most` characters on one line, without what would control a terminal.
pub(crate) fn visible(text: &str, most: usize) -> String {
    text.chars()
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .filter(|&c| !steers(c) && !is_unseen(c))
        .take(most)
        .collect()
}

/// Characters that nobody sees.
fn is_unseen(c: char) -> bool {
    matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_line_says_what_happened() {
        let summary = Summary {
            user_turns: 3,
            assistant_turns: 2,
            present: 1,
            written: 3,
            completed: 1,
            running: 1,
            dates: vec!["2026-11-29".into(), "2026-11-30".into()],
            ..Summary::default()
        };
        assert_eq!(
            summary.text(false),
            "Added 3 entries, completed 1 (2026-11-29, 2026-11-30); 1 of 5 entries was there already.\n\
             1 turn still running, left alone (--finished takes them)"
        );
        assert!(
            summary
                .text(true)
                .starts_with("Would add 3 entries, would complete 1 (")
        );
        assert_eq!(
            Summary::default().text(false),
            "Nothing was missing: 0 entries looked at in 0 transcripts."
        );
    }

    #[test]
    fn nothing_controls_the_terminal() {
        assert_eq!(visible("a\u{1b}[31m\nb\u{202e}c", 60), "a[31m bc");
        assert_eq!(visible("한글과컴퓨터", 2), "한글");
    }
}
