//! Where a claim stands: a line of a file, and the words on it.

use serde::{Deserialize, Serialize};
use std::fmt;

/// One line of a file, and what it says there.
///
/// `path` is how the file is named to people and in plans: `memory/NAME.md` for an entry of the
/// store, `~/.claude/…` for the user's own files, otherwise relative to the project's root. `quote`
/// is a verbatim part of that one line.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Evidence {
    /// The file, as named to people.
    pub path: String,
    /// The line, counted from 1.
    pub line: usize,
    /// What stands there, a verbatim part of that line.
    pub quote: String,
}

impl Evidence {
    /// A whole line as evidence, trimmed.
    pub fn of(path: &str, line: usize, text: &str) -> Self {
        Self {
            path: path.to_owned(),
            line,
            quote: short(without_secret(text)),
        }
    }
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{} \"{}\"", self.path, self.line, self.quote)
    }
}

/// The part of a text that may be shown: what stands before a secret or a private block, else what
/// stands behind it. Still a verbatim part of the text.
fn without_secret(text: &str) -> &str {
    let clean = redact::clean(text, redact::Policy { secrets: true });
    let clean = clean.as_str();
    if clean == text {
        return text;
    }
    let same: usize = text
        .chars()
        .zip(clean.chars())
        .take_while(|(x, y)| x == y)
        .map(|(c, _)| c.len_utf8())
        .sum();
    if text[..same].chars().any(char::is_alphanumeric) {
        return &text[..same];
    }
    let same: usize = text
        .chars()
        .rev()
        .zip(clean.chars().rev())
        .take_while(|(x, y)| x == y)
        .map(|(c, _)| c.len_utf8())
        .sum();
    &text[text.len() - same..]
}

/// The longest quote, in characters: enough to find a line, short enough to read in a list.
const QUOTE: usize = 160;

/// The beginning of a text, trimmed: still a verbatim part of it.
fn short(text: &str) -> String {
    let text = text.trim();
    match text.char_indices().nth(QUOTE) {
        Some((end, _)) => text[..end].trim_end().to_owned(),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_is_a_part_of_its_line() {
        let line = format!("  {}  ", "가나 ".repeat(200));
        let evidence = Evidence::of("memory/a.md", 3, &line);
        assert!(line.contains(&evidence.quote));
        assert!(evidence.quote.chars().count() <= QUOTE);
        let secret = format!("Key: AKIA{} here", "FAKEFAKEFAKE0001");
        let evidence = Evidence::of("a", 1, &secret);
        assert!(secret.contains(&evidence.quote) && !evidence.quote.contains("AKIA"));
        assert_eq!(Evidence::of("a", 1, " x ").to_string(), "a:1 \"x\"");
    }
}
