//! What is known of moves: what the project's own documents say, and the repository's history.

use super::cues;
use super::mention::is_word;
use super::shape::{known_ending, last_part};
use super::tree::ends_with_parts;
use std::collections::HashMap;

/// Most statements that are kept.
const MOST: usize = 20_000;

/// Statements like "`a.ts` was renamed to `b.ts`", and pairs of old and new paths.
#[derive(Debug, Clone, Default)]
pub struct Moves {
    /// The names that one line about a move holds, in their order.
    said: Vec<Vec<String>>,
    /// Which of them hold a name with this last part, this whole, or this as a symbol.
    said_by_last: Spots,
    said_by_whole: Spots,
    said_by_symbol: Spots,
    /// Old and new paths of the repository's history, newest first.
    renamed: Vec<(String, String)>,
    /// Which of them have this old path, one with this last part, or one below this folder.
    renamed_by_old: HashMap<String, usize>,
    renamed_by_last: Spots,
    renamed_by_folder: Spots,
}

/// Where in a list a name occurs, in order. Memories name thousands of paths, histories hold tens of
/// thousands: none is looked for by going through all.
type Spots = HashMap<String, Vec<usize>>;

fn note(places: &mut Spots, name: &str, at: usize) {
    match places.get_mut(name) {
        Some(known) if known.last() == Some(&at) => {}
        Some(known) => known.push(at),
        None => {
            places.insert(name.to_owned(), vec![at]);
        }
    }
}

fn noted<'a>(places: &'a Spots, name: &str) -> &'a [usize] {
    places.get(name).map_or(&[], Vec::as_slice)
}

/// What lies behind the last slash.
fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

/// The folders around a path, the nearest first.
fn folders(path: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(path.rsplit_once('/'), |(above, _)| above.rsplit_once('/'))
        .map(|(above, _)| above)
}

impl Moves {
    /// Takes in what a document says ([`told`]).
    pub(super) fn add(&mut self, told: Vec<Vec<String>>) {
        for names in told {
            if self.said.len() >= MOST {
                return;
            }
            self.say(names);
        }
    }

    fn say(&mut self, names: Vec<String>) {
        let at = self.said.len();
        for name in &names {
            let whole = name.trim_end_matches('/');
            note(&mut self.said_by_last, last(whole), at);
            note(&mut self.said_by_whole, whole, at);
            for symbol in [name, name.trim_end_matches("()"), last_segment(name)] {
                note(&mut self.said_by_symbol, symbol, at);
            }
        }
        self.said.push(names);
    }

    /// Adds renames of the history, newest first.
    pub fn add_renames(&mut self, pairs: impl IntoIterator<Item = (String, String)>) {
        for (old, new) in pairs.into_iter().take(MOST) {
            let at = self.renamed.len();
            note(&mut self.renamed_by_last, last(&old), at);
            for folder in folders(&old) {
                note(&mut self.renamed_by_folder, folder, at);
            }
            self.renamed_by_old.entry(old.clone()).or_insert(at);
            self.renamed.push((old, new));
        }
    }

    /// The names in lines about moves that are no paths.
    pub(super) fn symbols(&self) -> impl Iterator<Item = &str> {
        self.said
            .iter()
            .flatten()
            .filter(|name| !name.contains('/'))
            .map(String::as_str)
    }

    /// Where the history says that the folder `path` went.
    pub(super) fn folder_followed(&self, path: &str) -> Option<String> {
        let here = noted(&self.renamed_by_folder, path).iter();
        here.filter_map(|at| self.renamed.get(*at))
            .find_map(|(old, new)| {
                let below = old.strip_prefix(path)?.strip_prefix('/')?;
                new.strip_suffix(below)?
                    .strip_suffix('/')
                    .map(str::to_owned)
            })
    }

    /// Where the history says that `path` went, following later moves.
    pub(super) fn followed(&self, path: &str) -> Option<&str> {
        let mut here = path;
        let mut last = None;
        for _ in 0..32 {
            let at = self.renamed_by_old.get(here);
            let next = at
                .and_then(|at| self.renamed.get(*at))
                .map(|(_, new)| new.as_str());
            match next {
                Some(next) if next != path => {
                    last = Some(next);
                    here = next;
                }
                _ => break,
            }
        }
        last
    }

    /// Old paths of the history that end with `tail`.
    pub(super) fn once_called<'a>(&'a self, tail: &'a str) -> impl Iterator<Item = &'a str> {
        noted(&self.renamed_by_last, last(tail))
            .iter()
            .filter_map(|at| self.renamed.get(*at))
            .filter(move |(old, _)| ends_with_parts(old, tail))
            .map(|(old, _)| old.as_str())
    }

    /// What else stands in lines about a move that name `path` (by its whole or its end), the
    /// nearest name behind it first. With `true`, the name is a folder around it.
    pub(super) fn said_of_path<'a>(&'a self, path: &'a str) -> impl Iterator<Item = Said<'a>> {
        let mut lines = noted(&self.said_by_last, last(path)).to_vec();
        lines.extend(folders(path).flat_map(|folder| noted(&self.said_by_whole, folder)));
        lines.sort_unstable();
        lines.dedup();
        let lines = lines.into_iter().filter_map(|at| self.said.get(at));
        lines.flat_map(move |names| {
            let hit = names.iter().enumerate().find_map(|(index, name)| {
                let name = name.trim_end_matches('/');
                let same = ends_with_parts(path, name)
                    || (name.contains('/') && ends_with_parts(name, path));
                if same && (name.contains('/') || name.contains('.')) {
                    return Some((index, None));
                }
                let below = name.contains('/').then(|| {
                    path.strip_prefix(name)
                        .and_then(|rest| rest.strip_prefix('/'))
                })??;
                Some((index, Some(below)))
            });
            others(names, hit.map(|(index, _)| index)).map(move |name| Said {
                name,
                below: hit.and_then(|(_, below)| below),
            })
        })
    }

    /// The same for a symbol.
    pub(super) fn said_of_symbol<'a>(&'a self, symbol: &'a str) -> impl Iterator<Item = &'a str> {
        let lines = noted(&self.said_by_symbol, symbol).iter();
        let lines = lines.filter_map(|at| self.said.get(*at));
        lines.flat_map(move |names| {
            let hit = names.iter().position(|name| {
                name == symbol
                    || name.trim_end_matches("()") == symbol
                    || last_segment(name) == symbol
            });
            others(names, hit)
        })
    }
}

/// The names in each line of a document that has a word for moving: paths, file names and
/// identifiers. In a log of changes (`is_log`) an arrow between names is such a word.
pub(super) fn told(document: &str, is_log: bool) -> Vec<Vec<String>> {
    let mut lines = cues::lines_that_tell_of_a_move(document);
    if is_log {
        lines = document
            .lines()
            .filter(|line| cues::points(line) || cues::tells_of_a_move(line))
            .collect();
    }
    lines
        .into_iter()
        .map(|line| names(line).map(str::to_owned).collect::<Vec<_>>())
        .filter(|names| names.len() >= 2)
        .take(MOST)
        .collect()
}

/// A name beside another in a line about a move.
pub(super) struct Said<'a> {
    pub(super) name: &'a str,
    /// What was asked for lies so far below the folder that moved.
    pub(super) below: Option<&'a str>,
}

/// The names behind the one at `hit`, then those before it; none without a hit.
fn others(names: &[String], hit: Option<usize>) -> impl Iterator<Item = &str> {
    let (before, behind) = match hit {
        Some(hit) => (
            names.get(..hit).unwrap_or_default(),
            names.get(hit + 1..).unwrap_or_default(),
        ),
        None => (&[][..], &[][..]),
    };
    behind
        .iter()
        .chain(before.iter().rev())
        .map(|name| name.trim_end_matches('/'))
}

/// The last segment of `a::b`, `a.b`, without `()`.
pub(super) fn last_segment(symbol: &str) -> &str {
    let symbol = symbol.strip_suffix("()").unwrap_or(symbol);
    let symbol = symbol.rsplit("::").next().unwrap_or(symbol);
    symbol.rsplit('.').next().unwrap_or(symbol)
}

/// The names in a line: runs of ASCII that are no plain words.
fn names(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c: char| {
        !(c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '/' | '\\' | '-' | ':' | '(' | ')'))
    })
    .map(|name| name.trim_matches(|c: char| matches!(c, '.' | ':' | '(' | '-')))
    .map(|name| {
        if name.ends_with("()") {
            name
        } else {
            name.trim_matches(|c: char| matches!(c, '(' | ')'))
        }
    })
    .filter(|name| is_name(name))
}

fn is_name(name: &str) -> bool {
    let plain = name.trim_end_matches("()");
    let starts = plain
        .chars()
        .next()
        .is_some_and(|c| is_word(c) || matches!(c, '/' | '.'));
    starts
        && plain.len() >= 2
        && plain.chars().any(|c| c.is_ascii_alphabetic())
        && (plain.contains('/')
            || plain.contains("::")
            || plain.contains('_')
            || known_ending(plain).is_some()
            || name.ends_with("()")
            || plain.as_bytes().windows(2).any(
                |pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()),
            )
            || (plain.len() >= 4 && plain.chars().all(|c| c.is_ascii_uppercase()))
            || last_part(plain).contains('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(document: &str, path: &str) -> Vec<String> {
        let mut moves = Moves::default();
        moves.add(told(document, true));
        moves
            .said_of_path(path)
            .map(|said| said.name.to_owned())
            .collect()
    }

    #[test]
    fn four_languages_tell_of_moves() {
        for line in [
            "- `a/old.go` was renamed to `a/new.go`",
            "- moved a/old.go to a/new.go (#3)",
            "- `a/old.go` in `a/new.go` umbenannt",
            "- `old.go`를 `a/new.go`로 옮김",
            "- 将 `old.go` 重命名为 `a/new.go`",
            "- a/old.go -> a/new.go",
            "- `a/new.go` (formerly `a/old.go`)",
        ] {
            assert_eq!(said(line, "a/old.go"), ["a/new.go"], "{line}");
        }
        assert_eq!(
            said("- `a/old.go` and `a/new.go` are fine", "a/old.go"),
            [""; 0]
        );
    }

    #[test]
    fn history_is_followed() {
        let mut moves = Moves::default();
        moves.add_renames([
            ("b.rs".to_owned(), "c.rs".to_owned()),
            ("a.rs".to_owned(), "b.rs".to_owned()),
        ]);
        assert_eq!(moves.followed("a.rs"), Some("c.rs"));
        assert_eq!(moves.followed("c.rs"), None);
    }
}
