//! What mnemo reads of the client's settings files.

use crate::ClaudeHome;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use std::fmt;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

/// Larger files count as absent, bytes.
const LARGEST: u64 = 4 << 20;

/// What mnemo reads of the client's settings (user file, then project and local files where the
/// client trusts them for the key).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Settings {
    /// `language`, as the user wrote it.
    pub language: Option<String>,
    /// `autoMemoryDirectory` of the user's file.
    pub auto_memory_directory: Option<String>,
    /// `autoMemoryEnabled: false`; of several files that name the key, the last decides, as in
    /// the client (user, project, local, managed).
    pub auto_memory_off: bool,
    /// Files that set `disableAllHooks` (or managed-hooks-only), for status.
    pub hooks_disabled_by: Vec<PathBuf>,
    /// `cleanupPeriodDays`: after so many days the client deletes transcripts (30 when nothing is
    /// said).
    pub cleanup_days: Option<u32>,
    /// A project's own file that names an `autoMemoryDirectory`, which is not trusted there; for
    /// the doctor.
    pub untrusted_memory_directory: Option<PathBuf>,
}

impl Settings {
    /// Reads what is there; damaged files count as absent, as they do for the client.
    ///
    /// `start` is the directory the client was started in: only its own `.claude` folder counts,
    /// not that of a folder above (2.1.197, measured).
    pub fn load(home: &ClaudeHome, start: Option<&Path>) -> Self {
        let managed = crate::instructions::managed_folder().join("managed-settings.json");
        Self::from_files(&home.settings_file(), start, &managed)
    }

    fn from_files(user: &Path, start: Option<&Path>, managed: &Path) -> Self {
        let project = |name| start.map(|dir| dir.join(".claude").join(name));
        let files = [
            (Source::User, Some(user.to_path_buf())),
            (Source::Project, project("settings.json")),
            (Source::Project, project("settings.local.json")),
            (Source::Managed, Some(managed.to_path_buf())),
        ];
        let mut settings = Self::default();
        for (source, path) in files {
            if let Some(path) = path
                && let Some(bytes) = read(&path, LARGEST)
                && let Some(keys) = Keys::parse(&bytes)
            {
                settings.take(source, path, keys);
            }
        }
        settings
    }

    fn take(&mut self, source: Source, path: PathBuf, keys: Keys) {
        if keys.language.is_some() {
            self.language = keys.language;
        }
        if keys.cleanup_days.is_some() {
            self.cleanup_days = keys.cleanup_days;
        }
        if let Some(enabled) = keys.auto_memory_enabled {
            self.auto_memory_off = !enabled;
        }
        if keys.auto_memory_directory.is_some() {
            match source {
                Source::Project => self.untrusted_memory_directory = Some(path.clone()),
                Source::User | Source::Managed => {
                    self.auto_memory_directory = keys.auto_memory_directory;
                }
            }
        }
        let managed_only = keys.managed_hooks_only && matches!(source, Source::Managed);
        if keys.disable_all_hooks || managed_only {
            self.hooks_disabled_by.push(path);
        }
    }
}

#[derive(Clone, Copy)]
enum Source {
    User,
    Project,
    Managed,
}

/// Looks before it opens: a FIFO planted in a project must not hang a hook.
pub(crate) fn read(path: &Path, largest: u64) -> Option<Vec<u8>> {
    let size = fs::metadata(path).ok().filter(fs::Metadata::is_file)?.len();
    if size > largest {
        return None;
    }
    let mut bytes = Vec::with_capacity(usize::try_from(size).ok()? + 1);
    let file = File::open(path).ok()?;
    file.take(largest).read_to_end(&mut bytes).ok()?;
    Some(bytes)
}

/// The keys that matter; values of another type count as not set.
#[derive(Default)]
struct Keys {
    language: Option<String>,
    auto_memory_directory: Option<String>,
    auto_memory_enabled: Option<bool>,
    cleanup_days: Option<u32>,
    disable_all_hooks: bool,
    managed_hooks_only: bool,
}

impl Keys {
    fn parse(bytes: &[u8]) -> Option<Self> {
        let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
        serde_json::from_slice(bytes).ok()
    }
}

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_map(KeysVisitor)
    }
}

struct KeysVisitor;

impl<'de> Visitor<'de> for KeysVisitor {
    type Value = Keys;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Keys, A::Error> {
        let mut keys = Keys::default();
        while let Some(key) = map.next_key::<std::borrow::Cow<'de, str>>()? {
            // Raw: a value of an unexpected type must not cost the rest of the file.
            let value = map.next_value::<&RawValue>()?.get();
            match key.as_ref() {
                "language" => keys.language = string(value),
                "autoMemoryDirectory" => keys.auto_memory_directory = string(value),
                "autoMemoryEnabled" => keys.auto_memory_enabled = boolean(value),
                "cleanupPeriodDays" => keys.cleanup_days = value.parse().ok(),
                "disableAllHooks" => keys.disable_all_hooks = boolean(value) == Some(true),
                "allowManagedHooksOnly" => keys.managed_hooks_only = boolean(value) == Some(true),
                _ => {}
            }
        }
        Ok(keys)
    }
}

fn string(value: &str) -> Option<String> {
    serde_json::from_str(value).ok()
}

fn boolean(value: &str) -> Option<bool> {
    value.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Place(tempfile::TempDir);

    impl Place {
        fn new(files: &[(&str, &str)]) -> Self {
            let dir = tempfile::tempdir().unwrap();
            for (name, text) in files {
                let path = dir.path().join(name);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, text).unwrap();
            }
            Self(dir)
        }
        fn path(&self, name: &str) -> PathBuf {
            self.0.path().join(name)
        }
        fn load(&self) -> Settings {
            Settings::from_files(
                &self.path("user.json"),
                Some(&self.path("project")),
                &self.path("managed.json"),
            )
        }
    }

    const PROJECT: &str = "project/.claude/settings.json";
    const LOCAL: &str = "project/.claude/settings.local.json";

    #[test]
    fn absent_files_are_the_defaults() {
        assert_eq!(Place::new(&[]).load(), Settings::default());
    }

    #[test]
    fn the_users_file_is_read() {
        let place = Place::new(&[(
            "user.json",
            "\u{feff}{\"language\":\"한국어\",\"autoMemoryDirectory\":\"~/m\",\"hooks\":{\"Stop\":[]}}",
        )]);
        let settings = place.load();
        assert_eq!(settings.language.as_deref(), Some("한국어"));
        assert_eq!(settings.auto_memory_directory.as_deref(), Some("~/m"));
        assert!(!settings.auto_memory_off);
    }

    #[test]
    fn the_last_file_that_names_the_switch_decides() {
        let off = r#"{"autoMemoryEnabled":false}"#;
        let on = r#"{"autoMemoryEnabled":true}"#;
        for file in ["user.json", PROJECT, LOCAL, "managed.json"] {
            assert!(Place::new(&[(file, off)]).load().auto_memory_off, "{file}");
        }
        assert!(
            !Place::new(&[("user.json", off), (LOCAL, on)])
                .load()
                .auto_memory_off
        );
        assert!(
            Place::new(&[(LOCAL, on), ("managed.json", off)])
                .load()
                .auto_memory_off
        );
    }

    #[test]
    fn a_projects_memory_directory_is_not_trusted() {
        let place = Place::new(&[(LOCAL, r#"{"autoMemoryDirectory":"/etc"}"#)]);
        let settings = place.load();
        assert_eq!(settings.auto_memory_directory, None);
        assert_eq!(settings.untrusted_memory_directory, Some(place.path(LOCAL)));
    }

    #[test]
    fn files_that_turn_hooks_off_are_named() {
        let off = r#"{"disableAllHooks":true}"#;
        let only = r#"{"allowManagedHooksOnly":true}"#;
        let place = Place::new(&[("user.json", off), (PROJECT, only), ("managed.json", only)]);
        assert_eq!(
            place.load().hooks_disabled_by,
            [place.path("user.json"), place.path("managed.json")]
        );
        let place = Place::new(&[("user.json", r#"{"disableAllHooks":"true"}"#)]);
        assert!(place.load().hooks_disabled_by.is_empty());
    }

    #[test]
    fn damaged_files_count_as_absent_and_odd_values_as_not_set() {
        for text in [
            "",
            "{",
            "[]",
            "null",
            "// x\n{\"autoMemoryEnabled\":false}",
            "{\"autoMemoryEnabled\":false,}",
            "{\"autoMemoryEnabled\":false} x",
        ] {
            let place = Place::new(&[("user.json", text)]);
            assert_eq!(place.load(), Settings::default(), "{text:?}");
        }
        let place = Place::new(&[(
            "user.json",
            r#"{"language":7,"autoMemoryDirectory":{"a":[1,{"b":"}"}]},"autoMemoryEnabled":false,"autoMemoryEnabled":false}"#,
        )]);
        let settings = place.load();
        assert!(settings.auto_memory_off);
        assert_eq!(settings.language, None);
    }

    #[cfg(unix)]
    #[test]
    fn what_is_not_a_file_is_not_opened() {
        let place = Place::new(&[]);
        fs::create_dir_all(place.path("user.json")).unwrap();
        fs::create_dir_all(place.path("project/.claude")).unwrap();
        let made = std::process::Command::new("mkfifo")
            .arg(place.path(PROJECT))
            .status();
        assert!(made.is_ok_and(|status| status.success()));
        assert_eq!(place.load(), Settings::default());
    }

    #[test]
    fn a_huge_file_is_left_alone() {
        let place = Place::new(&[("user.json", "{}")]);
        let file = File::options()
            .write(true)
            .open(place.path("user.json"))
            .unwrap();
        file.set_len(LARGEST + 1).unwrap();
        assert_eq!(place.load(), Settings::default());
    }
}
