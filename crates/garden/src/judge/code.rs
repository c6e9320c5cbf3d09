//! Where the sources give a name its value.

use crate::evidence::Evidence;
use crate::quantity::{self, Quantity};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// A line that gives a name its value.
#[derive(Debug, Clone)]
pub(crate) struct Definition {
    /// The line.
    pub(crate) evidence: Evidence,
    /// The numbers in the value.
    pub(crate) numbers: Vec<Quantity>,
}

/// Largest source that is read, bytes.
const LARGEST: u64 = 512 << 10;
/// All sources together, bytes.
const ALL: u64 = 48 << 20;

/// Endings of files that hold no values.
const NO_SOURCE: &[&str] = &[
    "md", "rst", "png", "jpg", "jpeg", "gif", "svg", "ico", "pdf", "zip", "gz", "lock", "woff",
    "woff2", "ttf", "mp3", "mp4", "wasm", "so", "dll", "exe", "bin", "db", "sqlite", "csv", "tsv",
    "map", "jsonl",
];

/// The first definition of each wanted name: `name = value`, `name: value`, `name(…)` after a word
/// that defines.
pub(crate) fn definitions(
    root: &Path,
    files: &[String],
    wanted: &HashSet<String>,
) -> HashMap<String, Definition> {
    let mut out: HashMap<String, Definition> = HashMap::new();
    if wanted.is_empty() {
        return out;
    }
    let mut read = 0_u64;
    for file in files {
        let ending = file.rsplit('.').next().unwrap_or_default().to_lowercase();
        if NO_SOURCE.contains(&ending.as_str())
            || file.starts_with("conversations/")
            || file.starts_with("memory/")
        {
            continue;
        }
        let Ok(Some(bytes)) = safe_file::read_real(&root.join(file), LARGEST) else {
            continue;
        };
        read += bytes.len() as u64;
        if read > ALL || out.len() == wanted.len() {
            break;
        }
        let Ok(text) = String::from_utf8(bytes) else {
            continue;
        };
        for (at, line) in text.lines().enumerate() {
            if line.len() > 400 {
                continue;
            }
            for (name, rest) in names(line) {
                if !wanted.contains(name) || out.contains_key(name) {
                    continue;
                }
                if let Some(value) = value(rest) {
                    out.insert(
                        name.to_owned(),
                        Definition {
                            evidence: Evidence::of(file, at + 1, line),
                            numbers: numbers(value),
                        },
                    );
                }
            }
        }
    }
    out
}

/// Names of a line with what follows them.
fn names(line: &str) -> impl Iterator<Item = (&str, &str)> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let rest = &line[at..];
        let start = at + rest.find(|c: char| c.is_alphanumeric() || c == '_')?;
        let length = line[start..]
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(line.len() - start);
        at = start + length;
        Some((&line[start..at], &line[at..]))
    })
}

/// What is assigned.
fn value(rest: &str) -> Option<&str> {
    let rest = rest.trim_start_matches(['"', '\'']).trim_start();
    if let Some(value) = rest.strip_prefix("==") {
        let _ = value;
        return None;
    }
    if let Some(value) = rest.strip_prefix('=').or_else(|| rest.strip_prefix(":=")) {
        return Some(value);
    }
    if let Some(value) = rest.strip_prefix(':') {
        // A type may stand between: `name: u32 = 3`.
        return Some(value.split_once('=').map_or(value, |(_, value)| value));
    }
    None
}

/// Numbers of a value; those of a call's arguments together may be a time of the day.
fn numbers(value: &str) -> Vec<Quantity> {
    quantity::of(value.split(['#', ';']).next().unwrap_or(value))
}

/// Whether a definition's value is what an entry says.
pub(crate) fn confirms(definition: &Definition, said: &[Quantity]) -> bool {
    const FACTORS: [f64; 5] = [1.0, 60.0, 1000.0, 3600.0, 86_400.0];
    definition.numbers.iter().any(|value| {
        said.iter().any(|number| {
            FACTORS.iter().any(|factor| {
                (value.value * factor - number.value).abs() < 1e-6
                    || (value.value - number.value * factor).abs() < 1e-6
            })
        })
    })
}
