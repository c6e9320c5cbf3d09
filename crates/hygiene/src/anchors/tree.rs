//! The names of a project's files and folders, listed once.

use super::shape::last_part;
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// Most files that are listed; what lies behind them is asked for by name.
const MOST_FILES: usize = 400_000;
/// Deepest folder that is entered.
const DEEPEST: usize = 64;
/// Largest list of what git ignores that is read, in bytes.
const LONGEST_IGNORES: u64 = 1024 * 1024;
/// Folders of tools: never a project's own text, and large.
#[rustfmt::skip]
const SKIPPED: &[&str] = &[
    ".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", "venv", ".tox", ".mypy_cache",
    ".pytest_cache", ".ruff_cache", ".gradle", ".next", ".nuxt", ".svelte-kit", ".turbo",
    ".cache", ".terraform", ".dart_tool", ".idea",
];

/// The files and folders below a place, by their paths relative to it with `/`.
#[derive(Debug, Clone, Default)]
pub struct Tree {
    files: Vec<String>,
    by_name: HashMap<String, Vec<usize>>,
    folders: HashSet<String>,
    folders_by_name: HashMap<String, Vec<String>>,
    /// Where it was cut for its size.
    whole: bool,
}

impl Tree {
    /// Of paths relative to the root, with `/`. The order does not matter.
    pub fn of(paths: impl IntoIterator<Item = String>) -> Self {
        let mut files: Vec<String> = paths.into_iter().collect();
        files.sort();
        files.dedup();
        let mut tree = Self {
            whole: files.len() < MOST_FILES,
            ..Self::default()
        };
        for (index, file) in files.iter().enumerate() {
            tree.by_name
                .entry(last_part(file).to_owned())
                .or_default()
                .push(index);
            let mut folder = file.as_str();
            while let Some((above, _)) = folder.rsplit_once('/') {
                if !tree.folders.insert(above.to_owned()) {
                    break;
                }
                folder = above;
            }
        }
        let mut folders: Vec<&String> = tree.folders.iter().collect();
        folders.sort();
        for folder in folders {
            tree.folders_by_name
                .entry(last_part(folder).to_owned())
                .or_default()
                .push(folder.clone());
        }
        tree.files = files;
        tree
    }

    /// What lies below `root`. Build outputs, what the project's `.gitignore` files name and
    /// `skipped` folders (relative, with `/`) are left out; links are not followed.
    pub fn walk(root: &Path, skipped: &[&str]) -> Self {
        let outside: Vec<std::path::PathBuf> =
            skipped.iter().map(|folder| root.join(folder)).collect();
        let walk = ignore::WalkBuilder::new(root)
            .hidden(false)
            .parents(false)
            .ignore(false)
            .git_global(false)
            .git_exclude(false)
            // The walker reads those of the folders above as well, whatever `parents` says.
            .git_ignore(root.ancestors().all(has_readable_ignores))
            .require_git(false)
            .follow_links(false)
            .max_depth(Some(DEEPEST))
            .filter_entry(move |entry| {
                let name = entry.file_name().to_str().unwrap_or_default();
                !(SKIPPED.contains(&name)
                    || outside.iter().any(|folder| folder == entry.path())
                    || is_output(entry)
                    || is_folder(entry) && !has_readable_ignores(entry.path()))
            })
            .build();
        let files = walk
            .flatten()
            .filter(|entry| entry.file_type().is_some_and(|kind| !kind.is_dir()))
            .take(MOST_FILES)
            .filter_map(|entry| {
                let relative = entry.path().strip_prefix(root).ok()?;
                Some(relative.to_str()?.replace('\\', "/"))
            });
        Self::of(files)
    }

    /// All files, sorted.
    pub fn files(&self) -> &[String] {
        &self.files
    }

    /// Whether nothing was left out for its size.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// Whether a file or folder has this very path.
    pub fn has(&self, path: &str) -> bool {
        self.folders.contains(path) || self.has_file(path)
    }

    /// Whether a file has this very path.
    pub fn has_file(&self, path: &str) -> bool {
        self.files
            .binary_search_by(|file| file.as_str().cmp(path))
            .is_ok()
    }

    /// Whether a folder has this very path.
    pub fn has_folder(&self, path: &str) -> bool {
        self.folders.contains(path)
    }

    /// Whether any folder has this name.
    pub fn has_folder_named(&self, name: &str) -> bool {
        self.folders_by_name.contains_key(name)
    }

    /// The files called `name`.
    pub fn named<'a>(&'a self, name: &str) -> impl Iterator<Item = &'a str> {
        self.by_name
            .get(name)
            .into_iter()
            .flatten()
            .filter_map(|index| self.files.get(*index))
            .map(String::as_str)
    }

    /// The first file or folder whose path is `tail` or ends with it, whole parts only. A folder by
    /// one bare name counts only at the top.
    pub fn tail(&self, tail: &str) -> Option<&str> {
        if let Some(file) = self
            .named(last_part(tail))
            .find(|file| ends_with_parts(file, tail))
        {
            return Some(file);
        }
        if let Some(folder) = self.folders.get(tail) {
            return Some(folder);
        }
        if !tail.contains('/') {
            return None;
        }
        self.folders_by_name
            .get(last_part(tail))?
            .iter()
            .find(|folder| ends_with_parts(folder, tail))
            .map(String::as_str)
    }

    /// The first file that a pattern with `*` fits, from the root or in any folder.
    pub fn glob(&self, pattern: &str) -> Option<&str> {
        let compiled: Vec<_> = [pattern.to_owned(), format!("**/{pattern}")]
            .iter()
            .filter_map(|pattern| {
                globset::GlobBuilder::new(pattern)
                    .literal_separator(pattern.contains("**"))
                    .build()
                    .ok()
            })
            .map(|glob| glob.compile_matcher())
            .collect();
        self.files
            .iter()
            .find(|file| compiled.iter().any(|glob| glob.is_match(file.as_str())))
            .map(String::as_str)
    }

    /// The files directly in `folder` (empty for the top).
    pub fn in_folder<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = &'a str> {
        let lead = if folder.is_empty() {
            String::new()
        } else {
            format!("{folder}/")
        };
        let from = self
            .files
            .partition_point(|file| file.as_str() < lead.as_str());
        self.files
            .get(from..)
            .unwrap_or_default()
            .iter()
            .map(String::as_str)
            .take_while({
                let lead = lead.clone();
                move |file| file.starts_with(&lead)
            })
            .filter(move |file| {
                file.get(lead.len()..)
                    .is_some_and(|rest| !rest.contains('/'))
            })
    }
}

/// Whether `path` ends with `tail`, whole parts only.
pub(super) fn ends_with_parts(path: &str, tail: &str) -> bool {
    path.strip_suffix(tail)
        .is_some_and(|lead| lead.is_empty() || lead.ends_with('/'))
}

fn is_folder(entry: &ignore::DirEntry) -> bool {
    entry.file_type().is_some_and(|kind| kind.is_dir())
}

/// Whether a folder's `.gitignore`, if it has one, can be read to its end: a hostile repository may
/// hold a FIFO there, or a link to a device.
pub(super) fn has_readable_ignores(folder: &Path) -> bool {
    std::fs::metadata(folder.join(".gitignore"))
        .map_or(true, |meta| meta.is_file() && meta.len() <= LONGEST_IGNORES)
}

/// A folder that a build tool marked, or that bears the name of its output beside its manifest.
fn is_output(entry: &ignore::DirEntry) -> bool {
    if !is_folder(entry) || entry.depth() == 0 {
        return false;
    }
    let path = entry.path();
    if path.join("CACHEDIR.TAG").is_file() {
        return true;
    }
    let Some(above) = path.parent() else {
        return false;
    };
    let beside = |names: &[&str]| names.iter().any(|name| above.join(name).is_file());
    match entry.file_name().to_str() {
        Some("target") => beside(&["Cargo.toml", "pom.xml", "build.sbt"]),
        Some("bin" | "obj") => std::fs::read_dir(above).is_ok_and(|entries| {
            entries.flatten().any(|entry| {
                entry
                    .path()
                    .extension()
                    .is_some_and(|ending| ending == "csproj" || ending == "fsproj")
            })
        }),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tree() -> Tree {
        Tree::of(
            [
                "src/io/reader.go",
                "src/io/writer.go",
                "src/main.go",
                "README.md",
                "docs/io.md",
            ]
            .map(str::to_owned),
        )
    }

    #[test]
    fn tails_are_whole_parts() {
        let tree = tree();
        assert_eq!(tree.tail("reader.go"), Some("src/io/reader.go"));
        assert_eq!(tree.tail("io/reader.go"), Some("src/io/reader.go"));
        assert_eq!(tree.tail("o/reader.go"), None);
        assert_eq!(tree.tail("src/io"), Some("src/io"));
        assert_eq!(tree.tail("io"), None);
        assert_eq!(tree.tail("docs"), Some("docs"));
    }

    #[test]
    fn patterns_need_one_hit() {
        let tree = tree();
        assert!(tree.glob("src/io/*.go").is_some());
        assert!(tree.glob("io/*.go").is_some());
        assert!(tree.glob("src/**/*.go").is_some());
        assert_eq!(tree.glob("src/*.rs"), None);
    }

    #[test]
    fn a_folder_lists_its_own_files() {
        let tree = tree();
        let found: Vec<_> = tree.in_folder("src").collect();
        assert_eq!(found, ["src/main.go"]);
        let found: Vec<_> = tree.in_folder("").collect();
        assert_eq!(found, ["README.md"]);
    }
}
