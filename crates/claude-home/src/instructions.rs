//! What the client's files say of the instructions it loads at a start. No hook needs this.

use crate::ClaudeHome;
use serde_json::Value;
use std::path::{Path, PathBuf};

/// Where instructions come from and which are left out.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Instructions {
    /// The administrator's folder, with its own `CLAUDE.md` and rules.
    pub managed: PathBuf,
    /// `claudeMd` of the managed settings.
    pub managed_text: Option<String>,
    /// `claudeMdExcludes` of all settings files (user, project, local, managed), in this order.
    pub excludes: Vec<String>,
    /// Directories whose imports from outside were approved in the client's dialogue.
    pub approved: Vec<PathBuf>,
}

/// Larger files count as absent, bytes: the client keeps much in its own.
const LARGEST: u64 = 64 << 20;

impl Instructions {
    /// Reads what is there; damaged files count as absent. `start` as in
    /// [`Settings::load`](crate::Settings::load).
    pub fn load(home: &ClaudeHome, start: &Path) -> Self {
        Self::of(home, start, managed_folder())
    }

    /// As [`Instructions::load`], with another folder of the administrator.
    pub fn of(home: &ClaudeHome, start: &Path, managed: &Path) -> Self {
        let mut found = Self {
            managed: managed.to_owned(),
            ..Self::default()
        };
        let own = start.join(".claude");
        let others = [
            home.settings_file(),
            own.join("settings.json"),
            own.join("settings.local.json"),
        ];
        for file in others {
            found.exclude(&json(&file));
        }
        for file in managed_files(managed) {
            let settings = json(&file);
            found.exclude(&settings);
            if let Some(text) = settings.get("claudeMd").and_then(Value::as_str) {
                found.managed_text = Some(text.to_owned());
            }
        }
        found.approved = approved(&json(&home.state_file()));
        found
    }

    fn exclude(&mut self, settings: &Value) {
        let patterns = settings.get("claudeMdExcludes").and_then(Value::as_array);
        let patterns = patterns.into_iter().flatten().filter_map(Value::as_str);
        self.excludes.extend(patterns.map(str::to_owned));
    }
}

fn json(path: &Path) -> Value {
    let bytes = crate::settings::read(path, LARGEST).unwrap_or_default();
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes);
    serde_json::from_slice(bytes).unwrap_or_default()
}

fn approved(state: &Value) -> Vec<PathBuf> {
    let projects = state.get("projects").and_then(Value::as_object);
    projects
        .into_iter()
        .flatten()
        .filter(|(_, project)| {
            project.get("hasClaudeMdExternalIncludesApproved") == Some(&Value::Bool(true))
        })
        .map(|(directory, _)| PathBuf::from(directory))
        .collect()
}

/// The administrator's settings files: the main one, then those of its folder by name.
fn managed_files(managed: &Path) -> Vec<PathBuf> {
    let mut more: Vec<PathBuf> = std::fs::read_dir(managed.join("managed-settings.d"))
        .into_iter()
        .flatten()
        .flatten()
        .take(1000)
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "json"))
        .collect();
    more.sort();
    more.insert(0, managed.join("managed-settings.json"));
    more
}

/// The administrator's folder on this platform.
pub(crate) fn managed_folder() -> &'static Path {
    Path::new(if cfg!(target_os = "macos") {
        "/Library/Application Support/ClaudeCode"
    } else if cfg!(windows) {
        r"C:\Program Files\ClaudeCode"
    } else {
        "/etc/claude-code"
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use mnemo_home::Env;
    use std::fs;

    fn place(files: &[(&str, &str)]) -> (tempfile::TempDir, Instructions) {
        let dir = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = dir.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let env = Env::from_pairs([("HOME", dir.path().to_str().unwrap())]);
        let home = ClaudeHome::of(&env).unwrap();
        let found = Instructions::of(&home, &dir.path().join("proj"), &dir.path().join("managed"));
        (dir, found)
    }

    #[test]
    fn patterns_of_all_files_count_and_the_last_managed_text() {
        let (_dir, found) = place(&[
            (
                ".claude/settings.json",
                r#"{"claudeMdExcludes":["a",5],"claudeMd":"no"}"#,
            ),
            (
                "proj/.claude/settings.json",
                "\u{feff}{\"claudeMdExcludes\":[\"b\"]}",
            ),
            (
                "proj/.claude/settings.local.json",
                r#"{"claudeMdExcludes":["c"]}"#,
            ),
            (
                "managed/managed-settings.json",
                r#"{"claudeMd":"one","claudeMdExcludes":["d"]}"#,
            ),
            (
                "managed/managed-settings.d/b.json",
                r#"{"claudeMd":"three"}"#,
            ),
            ("managed/managed-settings.d/a.json", r#"{"claudeMd":"two"}"#),
            ("managed/managed-settings.d/c.txt", r#"{"claudeMd":"four"}"#),
            (
                ".claude.json",
                r#"{"projects":{"/a":{"hasClaudeMdExternalIncludesApproved":true},"/b":{}}}"#,
            ),
        ]);
        assert_eq!(found.excludes, ["a", "b", "c", "d"]);
        assert_eq!(found.managed_text.as_deref(), Some("three"));
        assert_eq!(found.approved, [PathBuf::from("/a")]);
    }

    #[test]
    fn damaged_files_count_as_absent() {
        let (dir, found) = place(&[
            (".claude/settings.json", "{,"),
            (".claude.json", "[]"),
            (
                "managed/managed-settings.json",
                r#"{"claudeMd":5,"claudeMdExcludes":"x"}"#,
            ),
        ]);
        let expected = Instructions {
            managed: dir.path().join("managed"),
            ..Instructions::default()
        };
        assert_eq!(found, expected);
    }
}
