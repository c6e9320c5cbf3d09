//! Whether auto memory is on, and where it lies.

use crate::Settings;
use mnemo_home::Env;
use std::path::{Component, Path, PathBuf};

/// What turned the client's auto memory off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Off {
    /// `CLAUDE_CODE_DISABLE_AUTO_MEMORY`
    Environment,
    /// `autoMemoryEnabled: false`
    Setting,
}

/// What turned auto memory off; `None` when it is on.
///
/// The variable wins in both directions, as in the client: `1`, `true`, `yes` and `on` turn it
/// off, `0`, `false`, `no` and `off` keep it on whatever the settings say.
pub fn off_by(settings: &Settings, env: &Env) -> Option<Off> {
    let word = env
        .get("CLAUDE_CODE_DISABLE_AUTO_MEMORY")
        .map(|value| value.trim().to_ascii_lowercase());
    match word.as_deref() {
        Some("1" | "true" | "yes" | "on") => Some(Off::Environment),
        Some("0" | "false" | "no" | "off") => None,
        _ => settings.auto_memory_off.then_some(Off::Setting),
    }
}

/// `autoMemoryDirectory` as a path. The client ignores what is relative, and what would make the
/// home directory, one above it, or a file system's root the memory; so `None` for those.
pub(crate) fn configured(value: &str, home: Option<&Path>) -> Option<PathBuf> {
    if value.contains('\0') {
        return None;
    }
    let tail = value
        .strip_prefix("~/")
        .or_else(|| value.strip_prefix("~\\").filter(|_| cfg!(windows)));
    let path = match tail {
        Some(rest) => {
            let rest = tidy(Path::new(rest));
            if rest.as_os_str().is_empty() || rest.starts_with("..") || rest.has_root() {
                return None;
            }
            home?.join(rest)
        }
        None => PathBuf::from(value),
    };
    if !path.is_absolute() {
        return None;
    }
    let path = tidy(&path);
    let named = path.components().any(|c| matches!(c, Component::Normal(_)));
    named.then(|| crate::slug::composed(path))
}

/// Takes out `.` and `..` by the text alone, as the client does.
fn tidy(path: &Path) -> PathBuf {
    let mut tidy = PathBuf::new();
    for component in path.components() {
        match component {
            Component::CurDir => {}
            Component::ParentDir => match tidy.components().next_back() {
                Some(Component::Normal(_)) => {
                    tidy.pop();
                }
                Some(Component::RootDir | Component::Prefix(_)) => {}
                _ => tidy.push(".."),
            },
            other => tidy.push(other),
        }
    }
    tidy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_environment_wins_over_the_settings() {
        let on = Settings::default();
        let off = Settings {
            auto_memory_off: true,
            ..Settings::default()
        };
        let env = |value| Env::from_pairs([("CLAUDE_CODE_DISABLE_AUTO_MEMORY", value)]);
        assert_eq!(off_by(&on, &Env::default()), None);
        assert_eq!(off_by(&off, &Env::default()), Some(Off::Setting));
        assert_eq!(off_by(&on, &env("1")), Some(Off::Environment));
        assert_eq!(off_by(&on, &env(" True ")), Some(Off::Environment));
        assert_eq!(off_by(&off, &env("0")), None);
        assert_eq!(off_by(&off, &env("")), Some(Off::Setting));
        assert_eq!(off_by(&on, &env("maybe")), None);
    }

    #[cfg(unix)]
    #[test]
    fn absolute_and_home_paths_are_taken_and_no_others() {
        let home = Some(Path::new("/home/dev"));
        let of = |value| configured(value, home);
        assert_eq!(of("/srv/memory/"), Some("/srv/memory".into()));
        assert_eq!(
            of("~/notes/./memory"),
            Some("/home/dev/notes/memory".into())
        );
        assert_eq!(of("/srv/a/../b"), Some("/srv/b".into()));
        for refused in [
            "",
            "memory",
            "./memory",
            "../memory",
            "~",
            "~/",
            "~/.",
            "~/..",
            "~/../other",
            "~/a/../..",
            "~//etc",
            "~dev/memory",
            "/",
            "//",
            "/..",
            "/srv/\0x",
        ] {
            assert_eq!(of(refused), None, "{refused:?}");
        }
        assert_eq!(configured("~/notes", None), None);
        assert_eq!(configured("/srv/memory", None), Some("/srv/memory".into()));
    }
}
