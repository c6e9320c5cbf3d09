//! A home and a project to read from, emptied before each run.

use mnemo_home::Env;
use record::Record;
use record::root::Root;
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

/// The clock of all targets.
pub(crate) const NOW: &str = "2026-11-30T12:00:00Z";

/// Gone at the end of its run.
pub(crate) struct Scratch {
    dir: TempDir,
}

impl Scratch {
    pub(crate) fn new() -> Self {
        // In memory where there is such a folder: thousands of runs a second.
        let memory = Path::new("/dev/shm");
        let made = if memory.is_dir() {
            TempDir::with_prefix_in("mnemo-fuzz-", memory)
        } else {
            TempDir::with_prefix("mnemo-fuzz-")
        };
        let scratch = Self { dir: made.unwrap() };
        fs::create_dir_all(scratch.root().join(".git")).unwrap();
        scratch
    }

    pub(crate) fn home(&self) -> &Path {
        self.dir.path()
    }

    pub(crate) fn root(&self) -> PathBuf {
        self.dir.path().join("work/demo")
    }

    pub(crate) fn env(&self) -> Env {
        let root = self.root();
        Env::from_pairs([
            ("HOME", self.home().to_str().unwrap()),
            ("PATH", "/nonexistent"),
            ("CLAUDE_PROJECT_DIR", root.to_str().unwrap()),
            ("CLAUDE_CODE_ENTRYPOINT", "cli"),
            ("MNEMO_NOW", NOW),
        ])
    }

    pub(crate) fn record(&self) -> Record {
        let root = Root::find(&self.root(), &self.env()).unwrap_or_else(|_| unreachable!());
        Record::open(root).unwrap()
    }

    /// Writes a file below the home, its folders included.
    pub(crate) fn write(&self, relative: &str, bytes: &[u8]) -> PathBuf {
        let path = self.home().join(relative);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// The day files with their bytes.
    pub(crate) fn days(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let Ok(listing) = fs::read_dir(self.root().join("conversations")) else {
            return Vec::new();
        };
        let mut days: Vec<_> = listing
            .map(|entry| entry.unwrap().path())
            .filter(|path| path.to_str().unwrap().ends_with("-claude.md"))
            .map(|path| (path.clone(), fs::read(&path).unwrap()))
            .collect();
        days.sort();
        days
    }
}
