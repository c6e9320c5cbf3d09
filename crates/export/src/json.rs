//! The range as one JSON object.

use crate::days::Days;
use crate::{Result, Told};
use mnemo_home::text::{escaped_json, overrides};
use serde::Serialize;
use std::io::Write;

#[derive(Serialize)]
struct Entry<'a> {
    time: String,
    role: &'a str,
    /// First 8 characters of the session's id; absent in entries of older tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    session: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    turn: Option<&'a str>,
    text: &'a str,
}

#[derive(Serialize)]
struct Day<'a> {
    date: String,
    entries: Vec<Entry<'a>>,
}

pub(crate) fn write(days: &mut Days<'_>, out: &mut dyn Write) -> Result<Told> {
    let mut told = Told::default();
    write!(
        out,
        "{{\"version\":1,\"project\":{},\"days\":[",
        text(&days.project())?
    )?;
    while let Some(day) = days.next() {
        let separator = if told.days == 0 { "\n" } else { ",\n" };
        told.days += 1;
        told.entries += day.entries.len();
        let day = Day {
            date: day.date.to_string(),
            entries: day
                .entries
                .iter()
                .map(|entry| Entry {
                    time: entry.time.format("%H:%M:%S").to_string(),
                    role: match entry.role {
                        claude_hook::Role::User => "user",
                        claude_hook::Role::Assistant => "assistant",
                    },
                    session: entry.session.as_deref(),
                    turn: entry.turn.as_deref(),
                    text: &entry.text,
                })
                .collect(),
        };
        write!(out, "{separator}{}", text(&day)?)?;
    }
    out.write_all(b"\n]}\n")?;
    Ok(told)
}

fn text(value: &(impl Serialize + ?Sized)) -> std::io::Result<String> {
    // In strings only, where an escape means the same.
    Ok(escaped_json(&serde_json::to_string(value)?, overrides).into_owned())
}
