//! The range as one Markdown file.
//!
//! What a message holds must not end it: a line of it that looks like one of the file's own headings
//! gets a backslash, and a code fence that it leaves open is closed behind it.

use crate::days::{Day, Days};
use crate::{Result, Told};
use std::io::Write;

pub(crate) fn write(days: &mut Days<'_>, out: &mut dyn Write) -> Result<Told> {
    let mut told = Told::default();
    writeln!(out, "# {}", days.project())?;
    while let Some(day) = days.next() {
        told.days += 1;
        told.entries += day.entries.len();
        write_day(&day, out)?;
    }
    Ok(told)
}

fn write_day(day: &Day, out: &mut dyn Write) -> std::io::Result<()> {
    writeln!(out, "\n## {}", day.date)?;
    for entry in &day.entries {
        writeln!(
            out,
            "\n### [{}] {}\n",
            entry.time.format("%H:%M:%S"),
            entry.who()
        )?;
        let mut body = String::with_capacity(entry.text.len() + 16);
        for line in entry.text.split_inclusive('\n') {
            if looks_like_ours(line) {
                body.push('\\');
            }
            body.push_str(line);
        }
        let body = body.trim_end_matches('\n');
        writeln!(out, "{body}")?;
        if let Some(fence) = left_open(body) {
            writeln!(out, "{fence}")?;
        }
    }
    Ok(())
}

/// `## DATE` and `### [TIME] …`, after any number of backslashes.
fn looks_like_ours(line: &str) -> bool {
    let line = line.trim_start_matches('\\');
    let date = line.strip_prefix("## ").is_some_and(|rest| {
        rest.get(..10)
            .is_some_and(|date| date.parse::<chrono::NaiveDate>().is_ok())
    });
    date || line.starts_with("### [")
}

/// The fence that closes what a text leaves open.
fn left_open(text: &str) -> Option<String> {
    let mut open: Option<(char, usize)> = None;
    for line in text.lines() {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let line = line.trim();
        let Some(mark) = line.chars().next().filter(|c| matches!(c, '`' | '~')) else {
            continue;
        };
        let run = line.chars().take_while(|c| *c == mark).count();
        let rest = line.get(run..).unwrap_or_default();
        match open {
            None if run >= 3 && indent < 4 && !(mark == '`' && rest.contains('`')) => {
                open = Some((mark, run));
            }
            Some((opened, length)) if mark == opened && run >= length && rest.is_empty() => {
                open = None;
            }
            _ => {}
        }
    }
    open.map(|(mark, run)| mark.to_string().repeat(run))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_open_fence_is_closed_and_a_closed_one_is_not() {
        assert_eq!(left_open("a\n```rust\nx"), Some("```".into()));
        assert_eq!(left_open("~~~~\n```\n~~~\n"), Some("~~~~".into()));
        assert_eq!(left_open("```\n```\nb"), None);
        assert_eq!(left_open("``` a `b` ```"), None);
    }

    #[test]
    fn our_own_headings_are_known() {
        for line in ["## 2026-11-30\n", "### [14:03:22] User", "\\### [x"] {
            assert!(looks_like_ours(line), "{line}");
        }
        for line in ["## Plan", "#### [x]", "# 2026-11-30", "text"] {
            assert!(!looks_like_ours(line), "{line}");
        }
    }
}
