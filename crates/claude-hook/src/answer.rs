//! What a hook answers.

use std::io::Write as _;

/// Longer context is put into a file by the client, and the assistant gets a preview of 2 KB
/// (Claude Code 2.1.197, measured: more than 10,000 characters, counted in UTF-16 units).
const MOST_UNITS: usize = 9_999;

/// What a hook answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answer {
    /// Nothing is printed.
    Silent,
    /// Context for the assistant, printed as the client's JSON for the named event.
    Context {
        /// `Stop`, `UserPromptSubmit` or `SessionStart`.
        event: &'static str,
        /// Cut at a line's end below 10,000 UTF-16 units, which the client counts.
        text: String,
    },
}

impl Answer {
    /// Prints the answer, one line of JSON. A client that no longer listens is no fault.
    pub(crate) fn print(&self) {
        if let Some(line) = self.line() {
            let mut out = std::io::stdout().lock();
            let _ = out.write_all(line.as_bytes()).and_then(|()| out.flush());
        }
    }

    fn line(&self) -> Option<String> {
        let Self::Context { event, text } = self else {
            return None;
        };
        let text = capped(text);
        if text.trim().is_empty() {
            return None;
        }
        // Strings cannot fail to become JSON.
        let event = serde_json::to_string(event).ok()?;
        let text = serde_json::to_string(text).ok()?;
        Some(format!(
            "{{\"hookSpecificOutput\":{{\"hookEventName\":{event},\"additionalContext\":{text}}}}}\n"
        ))
    }
}

/// The text's beginning that the client takes whole, up to a line's end where there is one.
fn capped(text: &str) -> &str {
    let mut units = 0;
    let mut line_end = 0;
    for (at, char) in text.char_indices() {
        units += char.len_utf16();
        if units > MOST_UNITS {
            let end = if line_end > 0 { line_end } else { at };
            return text.get(..end).unwrap_or_default();
        }
        if char == '\n' {
            line_end = at;
        }
    }
    text
}

/// A handled event: the answer and what belongs in the error log.
#[derive(Debug)]
pub struct Outcome {
    /// What is printed.
    pub answer: Answer,
    /// One line of the error log each.
    pub log: Vec<String>,
}

impl Outcome {
    /// Nothing to say.
    pub fn silent() -> Self {
        Self {
            answer: Answer::Silent,
            log: Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn context(text: &str) -> Answer {
        Answer::Context {
            event: "Stop",
            text: text.to_owned(),
        }
    }

    #[test]
    fn one_line_of_json() {
        assert_eq!(Answer::Silent.line(), None);
        assert_eq!(context(" \n").line(), None);
        let line = context("a \"b\"\n한글").line().unwrap();
        assert_eq!(line.matches('\n').count(), 1);
        let value: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(
            value,
            serde_json::json!({"hookSpecificOutput":
                {"hookEventName": "Stop", "additionalContext": "a \"b\"\n한글"}})
        );
    }

    #[test]
    fn long_text_is_cut_at_a_line_end() {
        let units = |text: &str| text.encode_utf16().count();
        let lines = "0123456789 한글\n".repeat(2_000);
        let cut = capped(&lines);
        assert!(units(cut) < 10_000 && units(cut) > 9_900);
        assert!(cut.ends_with('글') && lines.starts_with(cut));
        let no_line = "😀".repeat(9_000);
        assert_eq!(units(capped(&no_line)), 9_998);
        let fits = "x".repeat(9_999);
        assert_eq!(capped(&fits), fits);
    }
}
