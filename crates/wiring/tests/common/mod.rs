//! A home directory of its own for each test, with programs in it.
#![allow(dead_code, reason = "each test file uses its own part")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test ends where it cannot go on"
)]

use mnemo_home::Env;
use std::fs;
use std::path::{Path, PathBuf};
use wiring::{Error, Options, PROGRAMS, Report, install, uninstall};

pub(crate) struct Home {
    dir: tempfile::TempDir,
    pub(crate) programs: PathBuf,
}

impl Home {
    pub(crate) fn new() -> Self {
        Self::with_programs_in("mnemo/bin")
    }

    pub(crate) fn with_programs_in(folder: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let programs = fs::canonicalize(dir.path()).unwrap().join(folder);
        make_programs(&programs);
        fs::create_dir(dir.path().join(".claude")).unwrap();
        Self { dir, programs }
    }

    pub(crate) fn path(&self) -> &Path {
        self.dir.path()
    }
    pub(crate) fn settings(&self) -> PathBuf {
        self.path().join(".claude/settings.json")
    }
    pub(crate) fn state(&self) -> PathBuf {
        self.path().join(".local/state/mnemo")
    }
    pub(crate) fn write(&self, bytes: impl AsRef<[u8]>) {
        fs::write(self.settings(), bytes).unwrap();
    }
    pub(crate) fn read(&self) -> Option<Vec<u8>> {
        fs::read(self.settings()).ok()
    }
    pub(crate) fn text(&self) -> String {
        String::from_utf8(self.read().unwrap()).unwrap()
    }
    pub(crate) fn json(&self) -> serde_json::Value {
        // Two things that the client reads and serde_json does not.
        let text = self
            .text()
            .replace(" \\ud83d\"", "\"")
            .replace("1e999", "1");
        serde_json::from_str(text.trim_start_matches('\u{feff}')).unwrap()
    }
    pub(crate) fn env(&self) -> Env {
        self.env_with(&[])
    }
    pub(crate) fn env_with(&self, more: &[(&str, &str)]) -> Env {
        let home = self.path().to_str().unwrap();
        let pairs = [
            ("HOME", home),
            ("PATH", "/nonexistent"),
            ("MNEMO_NOW", "2026-11-30T14:03:22"),
        ];
        Env::from_pairs(pairs.into_iter().chain(more.iter().copied()))
    }
    pub(crate) fn options(&self) -> Options {
        Options {
            programs: self.programs.clone(),
            ..Options::default()
        }
    }
    pub(crate) fn install(&self) -> Result<Report, Error> {
        install(&self.options(), &self.env())
    }
    pub(crate) fn uninstall(&self) -> Result<Report, Error> {
        uninstall(&self.options(), &self.env())
    }
    pub(crate) fn dry_run(&self) -> Result<Report, Error> {
        let options = Options {
            dry_run: true,
            ..self.options()
        };
        install(&options, &self.env())
    }
    /// Every file below the home with its bytes.
    pub(crate) fn tree(&self) -> Vec<(PathBuf, Vec<u8>)> {
        let mut files = Vec::new();
        let mut folders = vec![self.path().to_path_buf()];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).unwrap() {
                let path = entry.unwrap().path();
                if path.is_dir() {
                    folders.push(path);
                } else {
                    files.push((path.clone(), fs::read(&path).unwrap()));
                }
            }
        }
        files.sort();
        files
    }
    /// A `claude` that says this version; its folder, for `PATH`.
    #[cfg(unix)]
    pub(crate) fn client(&self, version: &str) -> String {
        let folder = self.path().join("client");
        fs::create_dir_all(&folder).unwrap();
        let script = format!("#!/bin/sh\necho '{version} (Claude Code)'\n");
        write_program(&folder.join("claude"), &script);
        folder.to_str().unwrap().to_owned()
    }
}

pub(crate) fn make_programs(folder: &Path) {
    fs::create_dir_all(folder).unwrap();
    for program in PROGRAMS {
        let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
        write_program(&folder.join(name), "#!/bin/sh\n");
    }
}

fn write_program(path: &Path, text: &str) {
    fs::write(path, text).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
    }
}

/// The commands under an event, in order.
pub(crate) fn commands(settings: &serde_json::Value, event: &str) -> Vec<String> {
    settings["hooks"][event]
        .as_array()
        .into_iter()
        .flatten()
        .flat_map(|group| group["hooks"].as_array().into_iter().flatten())
        .filter_map(|hook| hook["command"].as_str().map(str::to_owned))
        .collect()
}

/// Applies a unified diff without looking at anything but its lines.
pub(crate) fn patched(before: &str, diff: &str) -> String {
    let old: Vec<&str> = before.split_inclusive('\n').collect();
    let mut new = String::new();
    let mut at = 0;
    let mut lines = diff.split_inclusive('\n').peekable();
    while let Some(line) = lines.next() {
        if line.starts_with("--- ") || line.starts_with("+++ ") {
            continue;
        }
        if let Some(hunk) = line.strip_prefix("@@ -") {
            let start = hunk.split([',', ' ']).next().unwrap();
            let start: usize = start.parse().unwrap();
            let empty = hunk.starts_with(&format!("{start},0 "));
            let start = if empty {
                start
            } else {
                start.saturating_sub(1)
            };
            while at < start {
                new.push_str(old[at]);
                at += 1;
            }
            continue;
        }
        if line.starts_with('\\') {
            continue;
        }
        let no_newline = lines.peek().is_some_and(|next| next.starts_with('\\'));
        let mut body = &line[1..];
        if no_newline {
            body = body.strip_suffix('\n').unwrap();
        }
        match &line[..1] {
            " " => {
                assert_eq!(body, old[at]);
                new.push_str(body);
                at += 1;
            }
            "-" => {
                assert_eq!(body, old[at]);
                at += 1;
            }
            "+" => new.push_str(body),
            other => panic!("{other:?}"),
        }
    }
    new.extend(old[at..].iter().copied());
    new
}
