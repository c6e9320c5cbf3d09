//! The files that a handoff refers to, and whether they are there.

use crate::doc::{Document, outside_fences};
use crate::place::Handoff;
use record::root::Root;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Most references that are looked at.
const MOST: usize = 500;

/// Sections whose files need not be there yet.
const FUTURE: [&str; 4] = [
    "Pending Work",
    "Immediate Next Steps",
    "Deferred Items",
    "Raw Material",
];

/// A word that says a file is gone stands within so many words of it.
const NEAR: usize = 4;
/// Words that say a file is gone on purpose, in the languages handoffs are written in.
const GONE: [&str; 19] = [
    "delete",
    "remove",
    "renamed",
    "moved",
    "dropped",
    "gone",
    "삭제",
    "제거",
    "이동",
    "변경됨",
    "gelöscht",
    "entfernt",
    "umbenannt",
    "verschoben",
    "删除",
    "移除",
    "重命名",
    "移动",
    "superseded",
];

/// A reference.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Reference {
    pub(crate) path: String,
    pub(crate) line: usize,
}

/// Where references are looked for.
#[derive(Debug)]
pub(crate) struct Places {
    folders: Vec<PathBuf>,
    beside: Option<PathBuf>,
}

impl Places {
    /// The root, the repository's worktrees (work is often in one of them), and for links the
    /// handoff's own folder.
    pub(crate) fn of(handoff: &Handoff, root: Option<&Root>) -> Self {
        let mut folders = Vec::new();
        if let Some(root) = root {
            folders.push(root.path().to_owned());
            folders.extend(root.worktrees());
        } else if let Some(folder) = handoff.path.parent() {
            folders.push(folder.to_owned());
        }
        Self {
            folders,
            beside: handoff.path.parent().map(Path::to_owned),
        }
    }

    fn has(&self, path: &str) -> bool {
        let path = Path::new(path);
        let absolute = path.is_absolute();
        self.folders.iter().any(|folder| {
            if absolute {
                path.starts_with(folder) && path.exists()
            } else {
                folder.join(path).exists()
            }
        })
    }

    fn has_beside(&self, path: &str) -> bool {
        self.beside
            .as_ref()
            .is_some_and(|folder| folder.join(path).exists())
    }

    /// Whether an absolute path is one of ours to judge.
    fn judges(&self, path: &str) -> bool {
        let path = Path::new(path);
        !path.is_absolute() || self.folders.iter().any(|folder| path.starts_with(folder))
    }

    /// Whether the path's first part is a folder of the project.
    fn knows_first_part(&self, path: &str) -> bool {
        let first = path.split('/').next().unwrap_or_default();
        !first.is_empty()
            && self
                .folders
                .iter()
                .any(|folder| folder.join(first).is_dir())
    }
}

/// References that lead nowhere: whoever goes on finds no such file, whatever another branch holds.
pub(crate) fn missing(handoff: &Handoff, places: &Places) -> Vec<Reference> {
    let mut missing: Vec<Reference> = all(&handoff.document, places)
        .into_iter()
        .filter(|reference| {
            let path = reference.path.as_str();
            !places.has(path) && !places.has_beside(path)
        })
        .collect();
    missing.dedup_by(|a, b| a.path == b.path);
    missing
}

/// What the document refers to, each path once.
fn all(document: &Document, places: &Places) -> Vec<Reference> {
    let mut seen = BTreeSet::new();
    let mut found = Vec::new();
    let mut take = |path: String, line: usize| {
        if found.len() < MOST && seen.insert(path.clone()) {
            found.push(Reference { path, line });
        }
    };
    let lines: Vec<&str> = document.text().lines().collect();
    let line_at = |line: usize| {
        lines
            .get(line.saturating_sub(1))
            .copied()
            .unwrap_or_default()
    };
    // In these tables whatever stands in the first column is a file.
    for name in ["Files Modified", "Critical Files"] {
        for row in document.rows_of(name) {
            let path = without_line(&row.path);
            if is_plain(path)
                && places.judges(path)
                && looks_like(path)
                && !Told::of(line_at(row.line)).says_gone(path, usize::MAX)
            {
                take(path.to_owned(), row.line);
            }
        }
    }
    let future: Vec<(usize, usize)> = FUTURE
        .iter()
        .filter_map(|name| {
            let section = document.section(name)?;
            let length = document.body(section).lines().count();
            Some((section.line, section.line + length))
        })
        .collect();
    for line in outside_fences(document.text(), 1) {
        let is_future = future
            .iter()
            .any(|(first, last)| (*first..=*last).contains(&line.number));
        if is_future {
            continue;
        }
        let told = Told::of(line.text);
        for code in code_spans(line.text) {
            let path = without_line(code.trim());
            if is_plain(path)
                && path.contains('/')
                && places.judges(path)
                && is_certain(path, places)
                && !told.says_gone(path, NEAR)
            {
                take(path.to_owned(), line.number);
            }
        }
        for path in linked(line.text) {
            let path = without_line(&path);
            if is_plain(path)
                && places.judges(path)
                && looks_like(path)
                && !told.says_gone(path, NEAR)
            {
                take(path.to_owned(), line.number);
            }
        }
        for path in placed(line.text) {
            if is_plain(path) && is_certain(path, places) && !told.says_gone(path, NEAR) {
                take(path.to_owned(), line.number);
            }
        }
    }
    found.sort_by(|a, b| a.line.cmp(&b.line).then(a.path.cmp(&b.path)));
    found
}

/// The files that a line's Markdown links lead to.
fn linked(line: &str) -> Vec<String> {
    if !line.contains("](") {
        return Vec::new();
    }
    memory::links::parse(line)
        .into_iter()
        .filter(|link| link.kind == memory::links::LinkKind::Markdown && !link.is_external())
        .map(|link| link.path)
        .collect()
}

/// `path/file.ext:12` outside code spans and links, without the place in the file.
fn placed(line: &str) -> Vec<&str> {
    line.split(|c: char| {
        c.is_whitespace() || matches!(c, '|' | '`' | '(' | ')' | '[' | ']' | '<' | '>' | ',' | '"')
    })
    .filter_map(|word| {
        let word = word.trim_end_matches(|c: char| !c.is_alphanumeric());
        // A word may go on behind the number: `src/x.rs:12에서`.
        let colon = word.match_indices(':').find(|(at, _)| {
            let behind = word.get(at + 1..).unwrap_or_default();
            behind.starts_with(|c: char| c.is_ascii_digit())
        })?;
        let path = word.get(..colon.0)?;
        let path =
            path.trim_start_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '.' | '/'));
        (path.contains('/') && extension(path).is_some()).then(|| without_line(path))
    })
    .collect()
}

/// A line, and where it says that something is gone.
struct Told<'a> {
    words: Vec<&'a str>,
    /// Places in `words` of those that say so. What stands in paths and other code does not.
    gone: Vec<usize>,
}

impl<'a> Told<'a> {
    fn of(line: &'a str) -> Self {
        let words: Vec<&str> = line
            .split([' ', '\t', '|'])
            .filter(|w| !w.is_empty())
            .collect();
        let gone = |word: &str| {
            let word = word.to_lowercase();
            let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
            !word.contains(['`', '/', '_'])
                && GONE.iter().any(|gone| {
                    if gone.is_ascii() {
                        bare.strip_prefix(gone)
                            .is_some_and(|rest| matches!(rest, "" | "d" | "s" | "ed" | "es"))
                    } else {
                        bare.contains(gone)
                    }
                })
        };
        let gone = (0..words.len()).filter(|at| gone(words[*at])).collect();
        Self { words, gone }
    }

    /// Whether it says that `path` is gone: a word for it stands within so many words of the path.
    fn says_gone(&self, path: &str, within: usize) -> bool {
        self.gone.iter().any(|at| {
            let first = at.saturating_sub(within);
            let last = at.saturating_add(within).min(self.words.len() - 1);
            !self.words[*at].contains(path)
                && self.words[first..=last]
                    .iter()
                    .any(|word| word.contains(path))
        })
    }
}

/// A cell that is a file's name rather than a word about files.
fn looks_like(path: &str) -> bool {
    path.contains('/') || extension(path).is_some()
}

/// A code span that can only be a path of this project.
fn is_certain(path: &str, places: &Places) -> bool {
    if places.knows_first_part(path) || Path::new(path).is_absolute() {
        return true;
    }
    let first = path.split('/').next().unwrap_or_default();
    // `example.com/x.html` is no file.
    let domain = first.contains('.') && !first.starts_with('.');
    !domain && extension(path).is_some() && !path.contains(char::is_whitespace)
}

/// What a file's name ends with, if it looks like a kind of file.
fn extension(path: &str) -> Option<&str> {
    let name = path.rsplit('/').next()?;
    let (stem, extension) = name.rsplit_once('.')?;
    let plain = (1..=10).contains(&extension.len())
        && extension.bytes().all(|b| b.is_ascii_alphanumeric())
        && extension.bytes().any(|b| b.is_ascii_alphabetic());
    (plain && !stem.is_empty()).then_some(extension)
}

/// No pattern, address, placeholder, option or home path.
fn is_plain(path: &str) -> bool {
    !path.is_empty()
        && path.len() < 500
        && !path.contains("://")
        && !path.contains("...")
        && !path.contains('…')
        && !path.contains([
            '*', '?', '{', '}', '$', '<', '>', '|', '"', '[', ']', '\\', '=', ';', '%',
        ])
        && !path.starts_with(['~', '-', '@', '#', '!'])
}

/// `src/x.rs:12`, `src/x.rs:12-20`, `src/x.rs#L3` without the place in the file.
fn without_line(path: &str) -> &str {
    let path = path.split('#').next().unwrap_or(path);
    let mut path = path;
    while let Some((before, number)) = path.rsplit_once(':') {
        let digits = !number.is_empty()
            && number
                .bytes()
                .all(|b| b.is_ascii_digit() || matches!(b, b'-' | b','));
        if !digits {
            break;
        }
        path = before;
    }
    path.strip_prefix("./").unwrap_or(path)
}

/// The insides of a line's code spans.
pub(crate) fn code_spans(line: &str) -> Vec<&str> {
    let mut spans = Vec::new();
    let mut rest = line;
    while let Some(start) = rest.find('`') {
        let behind = rest.get(start..).unwrap_or_default();
        let ticks = behind.bytes().take_while(|b| *b == b'`').count();
        let inner = behind.get(ticks..).unwrap_or_default();
        let Some(end) = inner.find(&"`".repeat(ticks)) else {
            rest = inner;
            continue;
        };
        spans.push(inner.get(..end).unwrap_or_default());
        rest = inner.get(end + ticks..).unwrap_or_default();
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_in_a_file_are_taken_off() {
        for (path, expected) in [
            ("src/x.rs:12", "src/x.rs"),
            ("src/x.rs:12:3", "src/x.rs"),
            ("src/x.rs:12-20", "src/x.rs"),
            ("src/x.rs#L3", "src/x.rs"),
            ("./a b.md", "a b.md"),
            ("c:", "c:"),
        ] {
            assert_eq!(without_line(path), expected);
        }
    }

    #[test]
    fn what_is_no_path_is_not_looked_for() {
        let places = Places {
            folders: vec![std::env::temp_dir()],
            beside: None,
        };
        for text in [
            "https://example.com/a.html",
            "example.com/a.html",
            "origin/main",
            "application/json",
            "and/or",
            "src/*.rs",
            "~/x.rs",
            "@scope/pkg.js",
            "$HOME/x.rs",
            "cargo run a/b.rs",
        ] {
            let doc = Document::parse(&format!("## Work\n`{text}`\n"));
            assert_eq!(all(&doc, &places), [], "{text}");
        }
        let doc = Document::parse("## Work\nsee `src/pay.rs:3` and ``b/c.md``, deleted `x/y.rs`\n");
        // The line says that something is gone: none of it is judged.
        assert_eq!(all(&doc, &places), []);
        let doc = Document::parse("## Work\nsee `src/pay.rs:3` and ``b/c.md``\n");
        let paths: Vec<_> = all(&doc, &places).into_iter().map(|r| r.path).collect();
        assert_eq!(paths, ["b/c.md", "src/pay.rs"]);
    }

    #[test]
    fn places_and_links_in_sentences_are_references() {
        for (line, expected) in [
            ("It fails in src/gone.rs:12, at night.", vec!["src/gone.rs"]),
            ("(src/gone.rs:12-20)", vec!["src/gone.rs"]),
            ("src/gone.rs:12에서 멈춘다", vec!["src/gone.rs"]),
            ("at 10:30 or localhost:8080/x.html:3", vec![]),
            ("see https://example.com/a.html:80", vec![]),
            ("src/gone.rs is told of without a line", vec![]),
            (
                "see [it](docs/gone.md) and [b](<docs/a b.md>)",
                vec!["docs/a b.md", "docs/gone.md"],
            ),
            (
                "[a](https://example.com/x.md) [b](#part) [c](mailto:a@b.cc)",
                vec![],
            ),
        ] {
            let places = Places {
                folders: vec![std::env::temp_dir()],
                beside: None,
            };
            let doc = Document::parse(&format!("## Work\n{line}\n"));
            let paths: Vec<_> = all(&doc, &places).into_iter().map(|r| r.path).collect();
            assert_eq!(paths, expected, "{line}");
        }
    }

    #[test]
    fn only_words_near_a_path_say_that_it_is_gone() {
        for (line, path, gone) in [
            ("| src/gone.py | helper | core |", "src/gone.py", false),
            (
                "| src/deleted_users.py | new |",
                "src/deleted_users.py",
                false,
            ),
            ("| src/pay.py | removed in this work |", "src/pay.py", true),
            ("| src/pay.py | 삭제됨 |", "src/pay.py", true),
        ] {
            assert_eq!(Told::of(line).says_gone(path, usize::MAX), gone, "{line}");
        }
        for (line, gone) in [
            ("We added `src/nope.py` so the error is gone.", false),
            ("Deleted `src/nope.py`; `src/removed/x.py` stays.", true),
            ("`src/nope.py` wurde gelöscht", true),
            ("`src/nope.py`를 제거", true),
            ("see `src/removed.ts` and `src/nope.py`", false),
        ] {
            assert_eq!(
                Told::of(line).says_gone("src/nope.py", NEAR),
                gone,
                "{line}"
            );
        }
    }

    proptest::proptest! {
        #[test]
        fn any_line_is_read(line in "[`a/.:#한 ]{0,80}") {
            let _ = code_spans(&line);
            let _ = placed(&line);
            let _ = linked(&line);
            let _ = without_line(&line);
        }
    }
}
