//! Privacy by default in git: what mnemo makes is named in the repository's own `info/exclude`,
//! which nobody else sees, and never in a `.gitignore`.

use crate::{Error, Record, git};
use safe_file::Boundary;
use std::ffi::OsStr;
use std::path::{Component, Path};

/// Stands above the lines.
const HEADING: &str = "# mnemo: private by default";
/// Largest exclude file that is read.
const LIMIT: u64 = 1 << 20;

impl Record {
    /// Names what was just made (paths relative to the root, folders with `/` at the end) in the
    /// repository's exclude file. Only to be called when something was made: a line that a person
    /// deleted is not written again. Failures become warnings; there is nothing to do outside git.
    pub fn exclude(&self, made: &[&str]) {
        if let Err(error) = self.try_exclude(made) {
            self.warnings().push(error.to_string());
        }
    }

    fn try_exclude(&self, made: &[&str]) -> Result<(), Error> {
        let root = self.root().path();
        let Some((top, common)) = git::around(root) else {
            return Ok(());
        };
        let Some(below) = root.strip_prefix(&top).ok().and_then(pattern_of) else {
            return Ok(());
        };
        let boundary = Boundary::new(&common)?;
        let path = boundary.resolve(Path::new("info/exclude"))?;
        let old = safe_file::read(&path, LIMIT)?.unwrap_or_default();
        let has = |line: &str| {
            old.split(|byte| *byte == b'\n')
                .any(|old| old.trim_ascii_end() == line.as_bytes())
        };
        let mut block = String::new();
        for name in made {
            let line = format!("{below}/{name}");
            // Two hooks may both have found nothing there and be here one after the other.
            if !has(&line) {
                block.push_str(&line);
                block.push('\n');
            }
        }
        if block.is_empty() {
            return Ok(());
        }
        if !has(HEADING) {
            block.insert_str(0, &format!("{HEADING}\n"));
        }
        if old.last().is_some_and(|last| *last != b'\n') {
            block.insert(0, '\n');
        }
        if let Some(info) = path.parent() {
            safe_file::create_private_dir(info)?;
        }
        safe_file::append(&path, block.as_bytes())?;
        Ok(())
    }
}

/// A path below the worktree's top as the beginning of an exclude pattern: `/` before each part,
/// what is special to git escaped. `None` for what cannot be written there.
fn pattern_of(below: &Path) -> Option<String> {
    let mut pattern = String::new();
    for part in below.components() {
        let Component::Normal(part) = part else {
            return None;
        };
        pattern.push('/');
        pattern.push_str(&escaped(part)?);
    }
    Some(pattern)
}

fn escaped(part: &OsStr) -> Option<String> {
    let part = part.to_str().filter(|part| !part.contains(['\n', '\r']))?;
    let mut out = String::with_capacity(part.len());
    for c in part.chars() {
        if matches!(c, '*' | '?' | '[' | ']' | '\\' | '!' | '#' | ' ') {
            out.push('\\');
        }
        out.push(c);
    }
    Some(out)
}
