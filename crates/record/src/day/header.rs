//! The head of a day file.

use chrono::NaiveDate;
use std::fmt::Write as _;

/// The header of a new day file.
pub(crate) fn header(date: NaiveDate, project: &str) -> String {
    format!(
        "---\ndate: {date}\nproject: {}\nkeywords: []\nsummary: \"\"\n---\n\n# {date}\n",
        yaml(project)
    )
}

/// A text as a YAML scalar: plain where every reader takes it as that text, else in quotes.
pub(crate) fn yaml(text: &str) -> String {
    if is_plain(text) {
        return text.to_owned();
    }
    let mut quoted = String::with_capacity(text.len() + 2);
    quoted.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(c);
            }
            '\n' => quoted.push_str("\\n"),
            '\t' => quoted.push_str("\\t"),
            '\r' => quoted.push_str("\\r"),
            c if c.is_control() || crate::line::is_format(c) => {
                let _ = if u32::from(c) > 0xffff {
                    write!(quoted, "\\U{:08x}", u32::from(c))
                } else {
                    write!(quoted, "\\u{:04x}", u32::from(c))
                };
            }
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

fn is_plain(text: &str) -> bool {
    const WORDS: [&str; 9] = ["true", "false", "null", "yes", "no", "on", "off", "y", "n"];
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
        && !text.ends_with(' ')
        && text.chars().all(|c| {
            c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '+' | ' ' | '(' | ')')
        })
        && !WORDS.iter().any(|word| text.eq_ignore_ascii_case(word))
}
