//! Asks the client for its version. Only install does: the one place that runs another program.

use crate::hooks::Version;
use mnemo_home::Env;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// A client that does not answer by then has no version.
const PATIENCE: Duration = Duration::from_secs(3);

/// The version of the `claude` on the path; `None` when there is none or it does not say.
pub(crate) fn version(env: &Env) -> Option<Version> {
    Version::parse(&says(&on_path(env.get("PATH")?)?)?)
}

/// The version of the `claude` on the path, as `2.1.197`.
pub fn client_version(env: &Env) -> Option<String> {
    says(&on_path(env.get("PATH")?)?)?
        .split_whitespace()
        .next()
        .map(str::to_owned)
}

/// What a program answers to `--version`: one line.
pub fn says(program: &Path) -> Option<String> {
    let mut child = Command::new(program)
        .arg("--version")
        .env("DISABLE_AUTOUPDATER", "1")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .ok()?;
    let start = Instant::now();
    let ended = loop {
        match child.try_wait() {
            Ok(Some(status)) => break status.success(),
            Ok(None) if start.elapsed() < PATIENCE => {
                std::thread::sleep(Duration::from_millis(10));
            }
            _ => break false,
        }
    };
    if !ended {
        let _ = child.kill();
        let _ = child.wait();
        return None;
    }
    let mut text = Vec::new();
    // The answer is one line, so it fits the pipe; a child it left behind may hold the pipe open,
    // so one read and no waiting for its end.
    let mut buffer = [0; 256];
    let count = child.stdout.take()?.read(&mut buffer).ok()?;
    text.extend_from_slice(buffer.get(..count)?);
    Some(String::from_utf8_lossy(&text).into_owned())
}

fn on_path(path: &str) -> Option<PathBuf> {
    let names: &[&str] = if cfg!(windows) {
        &["claude.exe", "claude.cmd"]
    } else {
        &["claude"]
    };
    std::env::split_paths(path)
        .filter(|folder| folder.is_absolute())
        .flat_map(|folder| names.iter().map(move |name| folder.join(name)))
        .find(|program| runnable(program))
}

/// A file that may be run.
pub(crate) fn runnable(path: &Path) -> bool {
    let Ok(meta) = std::fs::metadata(path) else {
        return false;
    };
    #[cfg(unix)]
    let allowed = std::os::unix::fs::PermissionsExt::mode(&meta.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let allowed = true;
    meta.is_file() && allowed
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt as _;

    fn client(script: &str) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("claude");
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        dir
    }

    fn asked(script: &str) -> Option<Version> {
        let dir = client(script);
        let path = format!("relative:/nonexistent:{}", dir.path().display());
        version(&Env::from_pairs([("PATH", path.as_str())]))
    }

    #[test]
    fn the_client_is_asked() {
        assert_eq!(
            asked("echo '2.1.197 (Claude Code)'"),
            Some(Version(2, 1, 197))
        );
        assert_eq!(asked("echo 2.1.197; exit 1"), None);
        assert_eq!(asked("echo no"), None);
        assert_eq!(version(&Env::from_pairs([("PATH", "/nonexistent")])), None);
        assert_eq!(version(&Env::default()), None);
    }

    #[test]
    fn a_client_that_hangs_has_no_version() {
        let start = Instant::now();
        assert_eq!(asked("exec sleep 60"), None);
        assert!(start.elapsed() < Duration::from_secs(30));
    }
}
