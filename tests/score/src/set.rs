//! A folder of labelled data, copied.

use serde_json::Value;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, SystemTime};

/// A set: `memory/`, `project/`, `home/`, `labels.json`, `mtimes.json`. The copy goes when this
/// value does.
#[derive(Debug)]
pub struct Set {
    copy: tempfile::TempDir,
    labels: Value,
}

impl Set {
    /// Copies the set in `folder` and gives the files of its memory the times it names.
    pub fn open(folder: &Path) -> Self {
        let copy = tempfile::tempdir().unwrap();
        copy_all(folder, copy.path());
        let set = Self {
            labels: json(&copy.path().join("labels.json")),
            copy,
        };
        for (file, time) in json(&set.path("mtimes.json"))
            .as_object()
            .into_iter()
            .flatten()
        {
            let time = seconds(time.as_str().unwrap());
            if let Ok(file) = File::options().write(true).open(set.memory().join(file)) {
                file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(time))
                    .unwrap();
            }
        }
        set
    }

    /// A set that is one text: `#### PATH [DAY]` begins a file, `DAY` is that of its last change.
    pub fn of_text(text: &str) -> Self {
        let place = tempfile::tempdir().unwrap();
        let mut times = serde_json::Map::new();
        for part in format!("\n{text}").split("\n#### ").skip(1) {
            let (head, content) = part.split_once('\n').unwrap();
            let (path, day) = head.split_once(' ').unwrap_or((head, ""));
            let file = place.path().join(path);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, format!("{}\n", content.trim_end())).unwrap();
            if let Some(name) = path.strip_prefix("memory/").filter(|_| !day.is_empty()) {
                times.insert(name.to_owned(), format!("{day}T09:00:00+09:00").into());
            }
        }
        let times = serde_json::to_vec(&times).unwrap();
        fs::write(place.path().join("mtimes.json"), times).unwrap();
        Self::open(place.path())
    }

    /// Unpacks an archive that holds one set, with the `tar` program, and opens that.
    pub fn unpack(archive: &Path) -> Self {
        let place = tempfile::tempdir().unwrap();
        let done = Command::new("tar")
            .arg("xzf")
            .arg(archive)
            .arg("-C")
            .arg(place.path())
            .status()
            .unwrap();
        assert!(done.success(), "tar could not unpack {}", archive.display());
        let folder = fs::read_dir(place.path())
            .unwrap()
            .next()
            .unwrap()
            .unwrap()
            .path();
        Self::open(&folder)
    }

    /// `labels.json`
    pub fn labels(&self) -> &Value {
        &self.labels
    }

    /// The time that counts as now, RFC 3339.
    pub fn now(&self) -> &str {
        self.labels["now"]
            .as_str()
            .unwrap_or("2026-11-30T12:00:00+09:00")
    }

    /// A file or folder of the copy.
    pub fn path(&self, name: &str) -> PathBuf {
        self.copy.path().join(name)
    }

    /// The memory folder.
    pub fn memory(&self) -> PathBuf {
        self.path("memory")
    }

    /// The project that entries speak of.
    pub fn project(&self) -> PathBuf {
        self.path("project")
    }

    /// The person's home.
    pub fn home(&self) -> PathBuf {
        self.path("home")
    }

    /// Runs `mnemo` in the project with the set's home and clock and nothing else of this
    /// process's environment.
    pub fn run(&self, mnemo: &Path, arguments: &[&str]) -> Output {
        self.run_at(mnemo, self.now(), arguments)
    }

    fn run_at(&self, mnemo: &Path, now: &str, arguments: &[&str]) -> Output {
        Command::new(mnemo)
            .args(arguments)
            .current_dir(self.project())
            .env_clear()
            .env("HOME", self.home())
            .env("MNEMO_NOW", now)
            .env("LANG", "en_US.UTF-8")
            .env("TZ", "Asia/Seoul")
            .output()
            .unwrap()
    }

    /// As [`Set::run`] with `--json`: what it printed.
    pub fn ask(&self, mnemo: &Path, arguments: &[&str]) -> Value {
        self.ask_at(mnemo, self.now(), arguments)
    }

    /// As [`Set::ask`] at another time.
    pub fn ask_at(&self, mnemo: &Path, now: &str, arguments: &[&str]) -> Value {
        let mut all = arguments.to_vec();
        // Behind `--` everything is text.
        let end = all
            .iter()
            .position(|word| *word == "--")
            .unwrap_or(all.len());
        all.insert(end, "--json");
        let done = self.run_at(mnemo, now, &all);
        serde_json::from_slice(&done.stdout).unwrap_or_else(|error| {
            panic!(
                "mnemo {all:?}: {error}: {}",
                String::from_utf8_lossy(&done.stderr)
            )
        })
    }
}

/// A file of the set; null where this kind of set has none.
fn json(path: &Path) -> Value {
    fs::read(path).map_or(Value::Null, |bytes| serde_json::from_slice(&bytes).unwrap())
}

fn copy_all(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for item in fs::read_dir(from).unwrap() {
        let item = item.unwrap();
        let target = to.join(item.file_name());
        if item.path().is_dir() {
            copy_all(&item.path(), &target);
        } else {
            fs::copy(item.path(), target).unwrap();
        }
    }
}

/// Seconds since 1970 of `YYYY-MM-DDTHH:MM:SS+HH:MM`, by counting days.
fn seconds(text: &str) -> u64 {
    let number = |from: usize, to: usize| text[from..to].parse::<i64>().unwrap();
    let (year, month, day) = (number(0, 4), number(5, 7), number(8, 10));
    let shifted = if month <= 2 { year - 1 } else { year };
    let era = shifted.div_euclid(400);
    let of_era = shifted - era * 400;
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    let offset = match &text[19..20] {
        "Z" => 0,
        sign => (number(20, 22) * 60 + number(23, 25)) * if sign == "-" { -60 } else { 60 },
    };
    let time = number(11, 13) * 3600 + number(14, 16) * 60 + number(17, 19);
    u64::try_from(days * 86_400 + time - offset).unwrap()
}
