//! What the files of a git repository say of worktrees. Hostile input: a folder that was unpacked
//! may hold any `.git` file, so nothing is believed that only one side says.

use crate::root::{is_named, same};
use std::path::{Path, PathBuf};

/// Longest `.git`, `commondir` or `gitdir` file that is read: a path and a word.
const POINTER_LIMIT: u64 = 8 * 1024;
/// Largest `config` that is read; one with thousands of branches has less.
const CONFIG_LIMIT: u64 = 1 << 20;
/// Most worktrees that are listed.
const MOST_WORKTREES: usize = 1000;

/// A linked worktree.
pub(crate) struct Linked {
    /// The main worktree; `None` where the repository has none.
    pub(crate) main: Option<PathBuf>,
    /// The common git directory.
    pub(crate) common: PathBuf,
}

/// Reads the `.git` file of `folder` as that of a linked worktree. `None` unless the repository
/// knows this worktree: its administrative folder lies in the repository's `worktrees` and names
/// this very `.git` file.
pub(crate) fn linked(folder: &Path) -> Option<Linked> {
    let dot_git = folder.join(".git");
    let admin = target_of(&dot_git)?;
    let common = pointer(&admin.join("commondir"), b"")?;
    let common = std::fs::canonicalize(admin.join(common)).ok()?;
    let shelf = admin.parent()?;
    if !is_named(shelf, "worktrees") || shelf.parent()? != common {
        return None;
    }
    let back = admin.join(pointer(&admin.join("gitdir"), b"")?);
    let (here, there) = (
        std::fs::metadata(&dot_git).ok()?,
        std::fs::metadata(&back).ok()?,
    );
    if !is_named(&back, ".git") || !same(&dot_git, &here, &back, &there) {
        return None;
    }
    Some(Linked {
        main: main_worktree(&common),
        common,
    })
}

/// The main worktree of a common git directory; `None` when it has none, or none that is sure.
fn main_worktree(common: &Path) -> Option<PathBuf> {
    let config = Config::read(common);
    if config.bare {
        return None;
    }
    if let Some(worktree) = config.worktree {
        // A submodule's repository names its worktree; that one must lead back here.
        let worktree = std::fs::canonicalize(common.join(worktree)).ok()?;
        return (target_of(&worktree.join(".git"))? == common).then_some(worktree);
    }
    if is_named(common, ".git") {
        return common.parent().map(Path::to_owned);
    }
    None
}

/// The common git directory of the worktree at `top`, if it surely belongs to it.
pub(crate) fn common_dir(top: &Path) -> Option<PathBuf> {
    let dot_git = top.join(".git");
    let meta = std::fs::symlink_metadata(&dot_git).ok()?;
    if meta.is_dir() {
        return Some(dot_git);
    }
    if meta.is_symlink() {
        let real = std::fs::canonicalize(&dot_git).ok()?;
        return (real.starts_with(top) && real.is_dir()).then_some(real);
    }
    if let Some(linked) = linked(top) {
        return Some(linked.common);
    }
    let git_dir = target_of(&dot_git)?;
    let is_repository = git_dir.join("HEAD").is_file()
        && git_dir.join("objects").is_dir()
        && git_dir.join("refs").is_dir();
    if !is_repository || git_dir.join("commondir").exists() {
        return None;
    }
    if git_dir.starts_with(top) {
        return Some(git_dir);
    }
    let config = Config::read(&git_dir);
    let ours = match config.worktree {
        Some(worktree) => std::fs::canonicalize(git_dir.join(worktree)).ok()? == top,
        // `git init --separate-git-dir` leaves no back link. Such a directory is nobody else's:
        // another worktree's own would be called `.git`, a bare repository says so.
        None => !config.bare && !is_named(&git_dir, ".git"),
    };
    ours.then_some(git_dir)
}

/// The worktrees that the common git directory lists. Sorted.
pub(crate) fn worktrees(common: &Path) -> Vec<PathBuf> {
    let Ok(shelf) = std::fs::read_dir(common.join("worktrees")) else {
        return Vec::new();
    };
    let mut found: Vec<PathBuf> = shelf
        .flatten()
        .take(MOST_WORKTREES)
        .filter_map(|entry| {
            let admin = entry.path();
            let dot_git = admin.join(pointer(&admin.join("gitdir"), b"")?);
            let worktree = dot_git.parent()?;
            // Relative ones (git 2.48 and newer) go up through the administrative folder.
            Some(std::fs::canonicalize(worktree).unwrap_or_else(|_| lexically(worktree)))
        })
        .collect();
    found.sort();
    found.dedup();
    found
}

/// The directory that a `.git` file leads to, links resolved.
fn target_of(dot_git: &Path) -> Option<PathBuf> {
    let target = pointer(dot_git, b"gitdir:")?;
    let target = std::fs::canonicalize(dot_git.parent()?.join(target)).ok()?;
    target.is_dir().then_some(target)
}

/// The path that a one-line file holds after `lead`.
fn pointer(file: &Path, lead: &[u8]) -> Option<PathBuf> {
    let bytes = safe_file::read_real(file, POINTER_LIMIT).ok()??;
    let path = bytes.strip_prefix(lead)?;
    let path = path.strip_prefix(b" ").unwrap_or(path);
    let end = path
        .iter()
        .rposition(|byte| !matches!(byte, b'\n' | b'\r'))
        .map_or(0, |at| at + 1);
    let path = path.get(..end)?;
    if path.contains(&b'\n') {
        return None;
    }
    path_of(path)
}

/// Bytes as a path; `None` for what no path can be.
fn path_of(bytes: &[u8]) -> Option<PathBuf> {
    if bytes.is_empty() || bytes.contains(&0) {
        return None;
    }
    #[cfg(unix)]
    let path: &std::ffi::OsStr = std::os::unix::ffi::OsStrExt::from_bytes(bytes);
    #[cfg(not(unix))]
    let path: &std::ffi::OsStr = std::str::from_utf8(bytes).ok()?.as_ref();
    Some(PathBuf::from(path))
}

/// Takes `.` and `..` out of a path without looking at the disk.
pub(crate) fn lexically(path: &Path) -> PathBuf {
    use std::path::Component;
    let mut clean = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            part => clean.push(part),
        }
    }
    clean
}

/// The two settings that tell where the main worktree is.
#[derive(Debug, Default, PartialEq, Eq)]
struct Config {
    bare: bool,
    worktree: Option<PathBuf>,
}

impl Config {
    fn read(common: &Path) -> Self {
        let mut config = Self::default();
        // With worktrees of a bare repository git moves `core.bare` to the second file.
        for name in ["config", "config.worktree"] {
            if let Ok(Some(bytes)) = safe_file::read_real(&common.join(name), CONFIG_LIMIT) {
                config.parse(&bytes);
            }
        }
        config
    }

    fn parse(&mut self, bytes: &[u8]) {
        let mut in_core = false;
        for line in bytes.split(|byte| *byte == b'\n') {
            let mut line = line.trim_ascii();
            if let Some(section) = line.strip_prefix(b"[") {
                let Some(end) = memchr::memchr(b']', section) else {
                    continue;
                };
                let (name, rest) = section.split_at(end);
                in_core = name.trim_ascii().eq_ignore_ascii_case(b"core");
                line = rest.get(1..).unwrap_or_default().trim_ascii();
            }
            if !in_core || line.is_empty() {
                continue;
            }
            let (key, value) = match memchr::memchr(b'=', line) {
                Some(at) => {
                    let (key, value) = line.split_at(at);
                    (
                        key.trim_ascii(),
                        Some(plain(value.get(1..).unwrap_or_default())),
                    )
                }
                None => (line, None),
            };
            if key.eq_ignore_ascii_case(b"bare") {
                self.bare = match &value {
                    None => true,
                    Some(value) => {
                        let value = value.to_ascii_lowercase();
                        matches!(value.as_slice(), b"true" | b"yes" | b"on" | b"1")
                    }
                };
            } else if key.eq_ignore_ascii_case(b"worktree") {
                self.worktree = value.and_then(|value| path_of(&value));
            }
        }
    }
}

/// A value of git's configuration: quotes and escapes off, comment cut.
fn plain(value: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(value.len());
    let mut quoted = false;
    let mut kept = 0;
    let mut bytes = value.trim_ascii().iter();
    while let Some(&byte) = bytes.next() {
        match byte {
            b'"' => quoted = !quoted,
            b'#' | b';' if !quoted => break,
            b'\\' => out.push(match bytes.next() {
                Some(b'n') => b'\n',
                Some(b't') => b'\t',
                Some(&other) => other,
                None => break,
            }),
            byte => out.push(byte),
        }
        if quoted || !byte.is_ascii_whitespace() {
            kept = out.len();
        }
    }
    out.truncate(kept);
    out
}

/// The nearest git worktree at or above `folder`: its top and common git directory.
pub(crate) fn around(folder: &Path) -> Option<(PathBuf, PathBuf)> {
    let top = folder
        .ancestors()
        .find(|top| std::fs::symlink_metadata(top.join(".git")).is_ok())?;
    Some((top.to_owned(), common_dir(top)?))
}
