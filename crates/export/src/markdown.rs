//! The range as one Markdown file.
//!
//! What a message holds must not end it: a line of it that looks like one of the file's own headings
//! gets a backslash, and a code fence or a block of HTML that it leaves open is closed behind it.

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
        if let Some(end) = left_open(body) {
            writeln!(out, "{end}")?;
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

/// What a block is open until, that hides what follows (`CommonMark` 0.31: fences; HTML blocks 1 to 5,
/// which no blank line ends).
enum Open {
    Fence(char, usize),
    Html(&'static str),
}

/// The line that closes what a text leaves open.
fn left_open(text: &str) -> Option<String> {
    let mut open: Option<Open> = None;
    for line in text.lines() {
        let indent = line.len() - line.trim_start_matches(' ').len();
        let line = line.trim();
        match open {
            None if indent < 4 => {
                open = fence(line).or_else(|| html(line).map(Open::Html));
            }
            Some(Open::Html(end)) if contains(line, end) => open = None,
            Some(Open::Fence(mark, length)) if ends(line, mark, length) => open = None,
            _ => {}
        }
    }
    open.map(|open| match open {
        Open::Fence(mark, run) => mark.to_string().repeat(run),
        Open::Html(end) => end.to_owned(),
    })
}

fn fence(line: &str) -> Option<Open> {
    let mark = line.chars().next().filter(|c| matches!(c, '`' | '~'))?;
    let run = line.chars().take_while(|c| *c == mark).count();
    let rest = line.get(run..).unwrap_or_default();
    (run >= 3 && !(mark == '`' && rest.contains('`'))).then_some(Open::Fence(mark, run))
}

/// Whether a line is a fence of at least that length and nothing else.
fn ends(line: &str, mark: char, length: usize) -> bool {
    line.len() >= length && line.chars().all(|c| c == mark)
}

/// What ends the HTML block that a line begins and does not end.
fn html(line: &str) -> Option<&'static str> {
    const ENDS: [(&str, &str); 4] = [
        ("<!--", "-->"),
        ("<?", "?>"),
        ("<![CDATA[", "]]>"),
        ("<!", ">"),
    ];
    const TAGS: [(&str, &str); 4] = [
        ("<script", "</script>"),
        ("<pre", "</pre>"),
        ("<style", "</style>"),
        ("<textarea", "</textarea>"),
    ];
    let end = ENDS.iter().find_map(|(start, end)| {
        let rest = line.strip_prefix(start)?;
        let counts = *start != "<!" || rest.starts_with(|c: char| c.is_ascii_alphabetic());
        counts.then_some((rest, *end))
    });
    let (rest, end) = end.or_else(|| {
        TAGS.iter().find_map(|(start, end)| {
            let head = line.get(..start.len())?;
            let rest = line.get(start.len()..)?;
            let whole = rest.is_empty() || rest.starts_with(['>', ' ', '\t']);
            (whole && head.eq_ignore_ascii_case(start)).then_some((rest, *end))
        })
    })?;
    (!contains(rest, end)).then_some(end)
}

fn contains(line: &str, end: &str) -> bool {
    line.to_ascii_lowercase().contains(end)
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
    fn an_open_block_of_html_is_closed() {
        for (text, end) in [
            ("a\n<!-- aside", Some("-->")),
            ("<!-- a -->\nb", None),
            ("<!--\n```\n-->\nb", None),
            ("```\n<!-- code", Some("```")),
            ("    <!-- code", None),
            ("`<!--` is how one begins", None),
            ("<Script>\nlet a;", Some("</script>")),
            ("<script>a</script> <script>", None),
            ("<pre\n\na", Some("</pre>")),
            ("<prelude>", None),
            ("<?php", Some("?>")),
            ("<![CDATA[ x", Some("]]>")),
            ("<!DOCTYPE", Some(">")),
            ("<div>\nends with a blank line", None),
        ] {
            assert_eq!(left_open(text).as_deref(), end, "{text}");
        }
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
