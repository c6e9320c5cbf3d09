//! Whether a quote stands where it is said to stand.

use crate::plan::Quoted;
use crate::scan::Scan;
use safe_file::Boundary;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use unicode_normalization::UnicodeNormalization;

/// Largest file that evidence is looked for in, bytes.
const LARGEST: u64 = 8 << 20;
/// Characters of a quote that say something, letters or digits, at least.
const LEAST: usize = 2;
/// Characters of a quote at least: a shorter one stands anywhere.
const SHORTEST: usize = 4;

/// What became of one piece of evidence.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proven {
    /// It stands there.
    True {
        /// The file.
        path: String,
        /// Where it stands now.
        line: usize,
        /// Where it was said to stand, if elsewhere.
        said: Option<usize>,
    },
    /// It stands nowhere in that file.
    False,
    /// There is no such file.
    NoFile(String),
    /// Words where a path should stand.
    Words,
    /// The file could not be read, or is a folder.
    Unreadable(String),
    /// The path leads out of what evidence may come from.
    Outside(String),
    /// No quote, or one that says nothing.
    NoQuote,
}

/// Reads files of evidence, each once.
pub(crate) struct Prover<'a> {
    scan: &'a Scan,
    docs: HashMap<&'a str, &'a [String]>,
    read: HashMap<String, Source>,
}

#[derive(Debug, Clone)]
enum Source {
    Lines(Vec<String>),
    None,
    Outside,
    Failed,
}

impl<'a> Prover<'a> {
    pub(crate) fn new(scan: &'a Scan) -> Self {
        let mut docs: HashMap<&str, &[String]> = scan
            .docs
            .iter()
            .map(|doc| (doc.source.path.as_str(), doc.lines.as_slice()))
            .collect();
        for view in &scan.entries {
            docs.insert(view.path.as_str(), view.lines.as_slice());
        }
        Self {
            scan,
            docs,
            read: HashMap::new(),
        }
    }

    pub(crate) fn prove(&mut self, quoted: &Quoted) -> Proven {
        let (path, line) = quoted.place();
        let path = tidy(path);
        let source = self.source(&path);
        let lines = match source {
            Found::Lines(lines) => lines,
            Found::Outside => return Proven::Outside(path),
            Found::None if !is_path(&path) => return Proven::Words,
            Found::None => return Proven::NoFile(path),
            Found::Failed => return Proven::Unreadable(path),
        };
        let quote = quoted.quote.as_deref().unwrap_or_default().trim();
        let says = quote.chars().filter(|c| c.is_alphanumeric()).count();
        if says < LEAST || quote.chars().count() < SHORTEST.min(says.max(LEAST)) {
            return Proven::NoQuote;
        }
        match find(lines, quote, line) {
            Some(at) => Proven::True {
                path,
                line: at,
                said: line.filter(|said| *said != at),
            },
            None => Proven::False,
        }
    }

    fn source(&mut self, path: &str) -> Found<'_> {
        if let Some(lines) = self.docs.get(path) {
            return Found::Lines(lines);
        }
        if !self.read.contains_key(path) {
            let source = self.load(path);
            self.read.insert(path.to_owned(), source);
        }
        match self.read.get(path) {
            Some(Source::Lines(lines)) => Found::Lines(lines),
            Some(Source::Outside) => Found::Outside,
            Some(Source::Failed) => Found::Failed,
            _ => Found::None,
        }
    }

    fn load(&self, path: &str) -> Source {
        let mut source = Source::Outside;
        for (root, rest) in self.places(path) {
            let resolved = Boundary::new(&root).and_then(|boundary| boundary.resolve(&rest));
            source = match resolved.and_then(|file| safe_file::read(&file, LARGEST)) {
                Ok(Some(bytes)) => {
                    let text = String::from_utf8_lossy(&bytes);
                    return Source::Lines(
                        memory::lines::lines(&text)
                            .map(|line| line.text.to_owned())
                            .collect(),
                    );
                }
                Ok(None) if root.join(&rest).is_dir() => return Source::Failed,
                Ok(None) => Source::None,
                Err(safe_file::Error::Io { source, .. })
                    if matches!(
                        source.kind(),
                        std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
                    ) =>
                {
                    Source::None
                }
                Err(_) if root.join(&rest).is_dir() => return Source::Failed,
                Err(_) => Source::Failed,
            };
        }
        source
    }

    /// Where a path may lie: folders that evidence may come from, and the rest of the path.
    fn places(&self, path: &str) -> Vec<(PathBuf, PathBuf)> {
        let scan = self.scan;
        let project = scan.places.project.as_deref();
        if path.split('/').any(|part| part == "..") || path.is_empty() {
            return Vec::new();
        }
        if let Some(rest) = path.strip_prefix("~/") {
            let rest = rest.strip_prefix(".claude/");
            return scan
                .places
                .config
                .iter()
                .filter_map(|config| Some((config.clone(), rest?.into())))
                .collect();
        }
        if Path::new(path).is_absolute() {
            return [
                Some(scan.store.root()),
                project,
                scan.places.config.as_deref(),
            ]
            .into_iter()
            .flatten()
            .chain(scan.places.rules_dirs.iter().map(PathBuf::as_path))
            .filter_map(|root| {
                let rest = Path::new(path).strip_prefix(root).ok()?;
                Some((root.to_owned(), rest.to_owned()))
            })
            .collect();
        }
        let mut places = Vec::new();
        if let Some(rest) = path.strip_prefix("memory/") {
            places.push((scan.store.folder(), rest.into()));
            places.push((scan.store.root().to_owned(), rest.into()));
        }
        places.extend(project.map(|root| (root.to_owned(), path.into())));
        places.push((scan.store.folder(), path.into()));
        places
    }
}

enum Found<'a> {
    Lines(&'a [String]),
    None,
    Outside,
    Failed,
}

/// Whether a text may be the path of a file: it has a folder, or an ending.
fn is_path(text: &str) -> bool {
    let name = text.rsplit(['/', '\\']).next().unwrap_or(text);
    let ending = name.rsplit_once('.').is_some_and(|(stem, ending)| {
        !stem.is_empty()
            && (1..=8).contains(&ending.len())
            && ending.chars().all(|c| c.is_ascii_alphanumeric())
    });
    ending || text.contains(['/', '\\']) && !text.contains(char::is_whitespace)
}

fn tidy(path: &str) -> String {
    let path = path.replace('\\', "/");
    path.strip_prefix("./").unwrap_or(&path).to_owned()
}

/// The line that holds the quote: the one that is said, else the nearest to it.
fn find(lines: &[String], quote: &str, said: Option<usize>) -> Option<usize> {
    let there = |line: usize, holds: &dyn Fn(&str) -> bool| {
        lines
            .get(line.checked_sub(1)?)
            .filter(|text| holds(text))
            .map(|_| line)
    };
    let plain = |text: &str| text.contains(quote);
    let even = evened(quote);
    // Two ways of composing a letter, and blanks, are no difference that a reader sees.
    let close = |text: &str| evened(text).contains(&even);
    for holds in [&plain as &dyn Fn(&str) -> bool, &close] {
        if let Some(line) = said.and_then(|line| there(line, holds)) {
            return Some(line);
        }
        let nearest = (1..=lines.len())
            .filter(|line| there(*line, holds).is_some())
            .min_by_key(|line| line.abs_diff(said.unwrap_or(1)));
        if nearest.is_some() {
            return nearest;
        }
    }
    None
}

fn evened(text: &str) -> String {
    let composed: String = text.nfc().collect();
    composed.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quote_is_found_where_it_stands_and_where_it_moved() {
        let lines: Vec<String> = ["a one", "two  three", "한글 문장", "a one"]
            .map(str::to_owned)
            .into();
        assert_eq!(find(&lines, "one", Some(1)), Some(1));
        assert_eq!(find(&lines, "one", Some(3)), Some(4));
        assert_eq!(find(&lines, "two three", Some(2)), Some(2));
        let apart: String = "한글".nfd().collect();
        assert_eq!(find(&lines, &apart, Some(1)), Some(3));
        assert_eq!(find(&lines, "four", Some(1)), None);
        assert_eq!(find(&lines, "one", Some(99)), Some(4));
    }

    #[test]
    fn words_are_no_path() {
        for path in [
            "a/b",
            "src/x.py",
            "x.md",
            "docs/Lab Notes.md",
            "a\\b.rs",
            ".env.local",
        ] {
            assert!(is_path(path), "{path}");
        }
        for words in [
            "checked the system",
            "default",
            "시스템 확인",
            "System geprüft",
            "yes/no, and so",
            "done.",
        ] {
            assert!(!is_path(words), "{words}");
        }
    }
}
