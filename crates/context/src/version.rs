//! Which client will start, and by which rules it loads.

use claude_home::ClaudeHome;
use memory::loaded::{Reading, UNITS};
use mnemo_home::Env;
use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::time::SystemTime;

/// A version of Claude Code.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Version(u32, u32, u32);

impl Version {
    /// The newest whose loading was measured; its rules hold where the version is not known.
    pub const NEWEST_MEASURED: Self = Self(2, 1, 332);

    /// From its three numbers.
    pub const fn new(major: u32, minor: u32, patch: u32) -> Self {
        Self(major, minor, patch)
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.0, self.1, self.2)
    }
}

/// What is no version.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} is not a version of Claude Code; write it as 2.1.332")]
pub struct NotAVersion(String);

impl FromStr for Version {
    type Err = NotAVersion;

    /// `2.1.332`; what follows the third number after `-` or `+` is left out.
    fn from_str(text: &str) -> Result<Self, NotAVersion> {
        let plain = text.trim();
        let plain = plain.strip_prefix('v').unwrap_or(plain);
        let numbers = plain.split(['-', '+', ' ']).next().unwrap_or_default();
        let mut parts = numbers.split('.').map(number);
        match (parts.next(), parts.next(), parts.next(), parts.next()) {
            (Some(Some(major)), Some(Some(minor)), Some(Some(patch)), None) => {
                Ok(Self(major, minor, patch))
            }
            _ => Err(NotAVersion(text.to_owned())),
        }
    }
}

fn number(text: &str) -> Option<u32> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}

/// How the version was found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    /// A person named it.
    Named,
    /// It is that of the `claude` on the search path, which lies here.
    OnPath(PathBuf),
    /// The newest transcript of this directory says so.
    Transcript(PathBuf),
    /// Nothing says it: the rules of the newest measured version are taken.
    Unknown,
}

impl Found {
    /// One word for reports.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Named => "named",
            Self::OnPath(_) => "path",
            Self::Transcript(_) => "transcript",
            Self::Unknown => "unknown",
        }
    }
}

/// The version of the client that would start in `start`. No process is started: the installed
/// package, or the path of a native installation, says it; else the newest transcript.
pub fn find(start: &Path, home: Option<&ClaudeHome>, env: &Env) -> (Version, Found) {
    if let Some((version, place)) = on_path(env) {
        return (version, Found::OnPath(place));
    }
    if let Some((version, file)) = home.and_then(|home| in_transcripts(start, home)) {
        return (version, Found::Transcript(file));
    }
    (Version::NEWEST_MEASURED, Found::Unknown)
}

/// Largest `package.json` that is read, bytes.
const PACKAGE_LIMIT: u64 = 1 << 20;

fn on_path(env: &Env) -> Option<(Version, PathBuf)> {
    let name = if cfg!(windows) {
        "claude.exe"
    } else {
        "claude"
    };
    let found = std::env::split_paths(env.get_os("PATH")?)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(name))
        .find(|file| file.is_file())?;
    let real = std::fs::canonicalize(&found).ok()?;
    // A native installation is a file named after its version.
    let by_name = real.file_name()?.to_str()?.parse().ok();
    let version = by_name.or_else(|| real.ancestors().skip(1).take(4).find_map(of_package))?;
    Some((version, found))
}

fn of_package(folder: &Path) -> Option<Version> {
    let bytes = safe_file::read(&folder.join("package.json"), PACKAGE_LIMIT).ok()??;
    let package: serde_json::Value = serde_json::from_slice(&bytes).ok()?;
    if package.get("name")?.as_str()? != "@anthropic-ai/claude-code" {
        return None;
    }
    package.get("version")?.as_str()?.parse().ok()
}

/// How much of a transcript's end is looked at, bytes.
const TAIL: u64 = 256 * 1024;
/// Most files of a folder that are looked at.
const MOST_FILES: usize = 10_000;

fn in_transcripts(start: &Path, home: &ClaudeHome) -> Option<(Version, PathBuf)> {
    let folder = home.projects().join(claude_home::slug(start));
    let newest = std::fs::read_dir(folder)
        .ok()?
        .flatten()
        .take(MOST_FILES)
        .filter(|entry| entry.path().extension().is_some_and(|e| e == "jsonl"))
        .filter_map(|entry| {
            let meta = entry.metadata().ok().filter(std::fs::Metadata::is_file)?;
            let time = meta.modified().unwrap_or(SystemTime::UNIX_EPOCH);
            Some((time, entry.path()))
        })
        .max()?
        .1;
    let (_, bytes) = safe_file::tail(&newest, TAIL).ok()??;
    bytes
        .rsplit(|byte| *byte == b'\n')
        .filter_map(|line| serde_json::from_slice::<serde_json::Value>(line).ok())
        .find_map(|line| line.get("version")?.as_str()?.parse().ok())
        .map(|version| (version, newest))
}

/// The rules of one version. Borders named by the client's change log where it names them; what
/// it does not name is taken as new in the first version after the older measured one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(
    clippy::struct_excessive_bools,
    reason = "each is a rule that one version has and another has not"
)]
pub(crate) struct Rules {
    /// How a file's text is read.
    pub(crate) reading: Reading,
    /// Values with `: ` in them do not cost the whole frontmatter.
    pub(crate) mends_colons: bool,
    /// One file reached by two names is one file.
    pub(crate) one_file_once: bool,
    /// Links that lead out of the start directory count as outside.
    pub(crate) links_stay_inside: bool,
    /// Rules in alphabetical order; else in the order in which the folder lists them.
    pub(crate) alphabetical: bool,
    /// In a worktree inside its main one, the main one's project files are left out.
    pub(crate) skips_main_above_worktree: bool,
    /// `AGENTS.md` where no `CLAUDE.md` is.
    pub(crate) agents: bool,
    /// `claudeMd` of the managed settings.
    pub(crate) managed_key: bool,
    /// Larger files are not loaded, bytes.
    pub(crate) largest: Option<u64>,
    /// `claudeMdExcludes` knows a linked file by both names.
    pub(crate) excludes_by_link: bool,
    /// All worktrees share one auto memory, which a setting may move.
    pub(crate) memory_is_shared: bool,
    pub(crate) memory_moves: bool,
}

impl Rules {
    pub(crate) fn of(version: Version) -> Self {
        let since = |patch| version >= Version(2, 1, patch);
        Self {
            reading: Reading {
                tidies: since(72),
                keeps_line_ends: since(198),
                mark_before_frontmatter: since(198),
                memory_units: since(83).then_some(UNITS),
                memory_line_ends: since(198),
                cuts_whole_characters: since(198),
            },
            mends_colons: since(60),
            one_file_once: since(60),
            links_stay_inside: since(198),
            alphabetical: !since(113),
            skips_main_above_worktree: since(69),
            agents: since(241),
            managed_key: since(60),
            largest: since(198).then_some(4 << 20),
            excludes_by_link: since(239),
            memory_is_shared: since(63),
            memory_moves: since(74),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn versions_are_three_numbers() {
        assert_eq!("2.1.332".parse(), Ok(Version(2, 1, 332)));
        assert_eq!(" v2.1.59\n".parse(), Ok(Version(2, 1, 59)));
        assert_eq!("2.1.332 (Claude Code)".parse(), Ok(Version(2, 1, 332)));
        assert_eq!("3.0.0-beta.1".parse(), Ok(Version(3, 0, 0)));
        for text in [
            "",
            "2",
            "2.1",
            "2.1.",
            "2.1.x",
            "2.1.3.4",
            "claude",
            "2.1.99999999999",
            "+2.1.3",
        ] {
            assert!(text.parse::<Version>().is_err(), "{text:?}");
        }
        assert!(Version(2, 1, 59) < Version(2, 1, 197));
        assert!(Version(2, 10, 0) > Version(2, 9, 400));
    }

    #[test]
    fn the_package_around_the_executable_says_its_version() {
        let dir = tempfile::tempdir().unwrap();
        let package = dir.path().join("node_modules/@anthropic-ai/claude-code");
        std::fs::create_dir_all(package.join("bin")).unwrap();
        std::fs::write(
            package.join("package.json"),
            r#"{"name":"@anthropic-ai/claude-code","version":"2.1.332"}"#,
        )
        .unwrap();
        std::fs::write(package.join("bin/claude"), "").unwrap();
        let bin = package.join("bin");
        let env = Env::from_pairs([("PATH", bin.to_str().unwrap())]);
        let (version, found) = find(dir.path(), None, &env);
        assert_eq!(version, Version(2, 1, 332));
        assert_eq!(found, Found::OnPath(bin.join("claude")));
    }

    #[cfg(unix)]
    #[test]
    fn a_native_installation_is_named_after_its_version() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("2.1.240"), "").unwrap();
        let bin = dir.path().join("bin");
        std::fs::create_dir(&bin).unwrap();
        std::os::unix::fs::symlink("../2.1.240", bin.join("claude")).unwrap();
        let env = Env::from_pairs([("PATH", bin.to_str().unwrap())]);
        assert_eq!(find(dir.path(), None, &env).0, Version(2, 1, 240));
    }

    #[test]
    fn else_the_newest_transcript_says_it() {
        let dir = tempfile::tempdir().unwrap();
        let env = Env::from_pairs([("HOME", dir.path().to_str().unwrap())]);
        let home = ClaudeHome::of(&env).unwrap();
        assert_eq!(
            find(dir.path(), Some(&home), &env),
            (Version::NEWEST_MEASURED, Found::Unknown)
        );
        let folder = home.projects().join(claude_home::slug(dir.path()));
        std::fs::create_dir_all(&folder).unwrap();
        let file = folder.join("a.jsonl");
        std::fs::write(
            &file,
            "{\"version\":\"2.1.58\"}\n{\"version\":\"2.1.59\"}\n{\"type\":\"mode\"}\n{\"ver",
        )
        .unwrap();
        assert_eq!(
            find(dir.path(), Some(&home), &env),
            (Version(2, 1, 59), Found::Transcript(file))
        );
    }

    #[test]
    fn the_ends_of_what_is_supported_read_as_measured() {
        assert_eq!(Rules::of(Version::NEWEST_MEASURED).reading, Reading::NEWEST);
        assert_eq!(Rules::of(Version::new(2, 1, 59)).reading, Reading::OLDEST);
    }

    proptest! {
        #[test]
        fn what_is_shown_is_read(a in 0..9999_u32, b in 0..9999_u32, c in 0..9999_u32) {
            let version = Version(a, b, c);
            prop_assert_eq!(version.to_string().parse(), Ok(version));
        }

        #[test]
        fn no_text_panics(text in "\\PC{0,40}") {
            let _ = text.parse::<Version>();
        }
    }
}
