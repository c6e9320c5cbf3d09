//! Notes the hooks and the companion leave for each other in the state folder: off switch,
//! installation time, wiring. Without a home directory there is no place for notes: writing does
//! nothing and reading finds nothing.

use crate::{Env, folders};
use chrono::{DateTime, SecondsFormat, Utc};
use std::path::{Path, PathBuf};

/// A note is one line.
const LIMIT: u64 = 4096;

/// Longest file name made of a session id.
const NAME: usize = 100;

/// Notes that this session was told to stay off until `at` (`<state>/off/<session id>`). A later
/// time that is noted already stays.
pub fn mark_off(env: &Env, session: &str, at: DateTime<Utc>) -> safe_file::Result<()> {
    let Some(path) = off_path(env, session) else {
        return Ok(());
    };
    if off_until(env, session).is_some_and(|noted| noted >= at) {
        return Ok(());
    }
    write_time(&path, at)
}

/// Until when the session was off, if it ever was.
pub fn off_until(env: &Env, session: &str) -> Option<DateTime<Utc>> {
    let path = off_path(env, session)?;
    match safe_file::read(&path, LIMIT) {
        Ok(None) => None,
        Ok(Some(bytes)) => parse_time(&bytes).or_else(|| changed_at(&path)),
        Err(_) => changed_at(&path),
    }
}

/// A note that cannot be read still says that the session was off, at the latest when the note was
/// last written.
fn changed_at(path: &Path) -> Option<DateTime<Utc>> {
    let time = std::fs::symlink_metadata(path).ok()?.modified().ok()?;
    Some(time.into())
}

fn off_path(env: &Env, session: &str) -> Option<PathBuf> {
    Some(folders::state(env)?.join("off").join(file_name(session)))
}

/// When mnemo was installed (`<state>/installed`); written by install only.
pub fn installed_at(env: &Env) -> Option<DateTime<Utc>> {
    let path = folders::state(env)?.join("installed");
    parse_time(&safe_file::read(&path, LIMIT).ok().flatten()?)
}

/// Notes the installation; an earlier note is kept.
pub fn mark_installed(env: &Env, at: DateTime<Utc>) -> safe_file::Result<()> {
    let Some(state) = folders::state(env) else {
        return Ok(());
    };
    if installed_at(env).is_some_and(|noted| noted <= at) {
        return Ok(());
    }
    write_time(&state.join("installed"), at)
}

/// Takes that note away.
pub fn unmark_installed(env: &Env) -> safe_file::Result<()> {
    let Some(state) = folders::state(env) else {
        return Ok(());
    };
    safe_file::remove(&state.join("installed")).map(|_| ())
}

/// When the plugin's hooks last started a session (`<state>/plugin`).
pub fn plugin_started(env: &Env) -> Option<DateTime<Utc>> {
    let path = folders::state(env)?.join("plugin");
    parse_time(&safe_file::read(&path, LIMIT).ok().flatten()?)
}

/// Notes that the plugin's hooks start a session: a client started with `--plugin-dir` says so in
/// no settings file.
pub fn mark_plugin_started(env: &Env, at: DateTime<Utc>) -> safe_file::Result<()> {
    folders::state(env).map_or(Ok(()), |state| write_time(&state.join("plugin"), at))
}

/// Whether the settings wire the hook `program` (a file `<state>/wired/<program>`: one stat).
pub fn wired(env: &Env, program: &str) -> bool {
    wired_path(env, program).is_some_and(|path| path.is_file())
}

/// Writes or removes that note for each of `programs`.
pub fn set_wired(env: &Env, programs: &[&str], wired: bool) -> safe_file::Result<()> {
    for program in programs {
        let Some(path) = wired_path(env, program) else {
            return Ok(());
        };
        if wired {
            make_folder_of(&path)?;
            safe_file::create_new(&path, b"")?;
        } else {
            safe_file::remove(&path)?;
        }
    }
    Ok(())
}

fn wired_path(env: &Env, program: &str) -> Option<PathBuf> {
    Some(folders::state(env)?.join("wired").join(file_name(program)))
}

fn write_time(path: &Path, at: DateTime<Utc>) -> safe_file::Result<()> {
    make_folder_of(path)?;
    let line = format!("{}\n", at.to_rfc3339_opts(SecondsFormat::AutoSi, true));
    safe_file::replace(path, line.as_bytes())
}

fn parse_time(bytes: &[u8]) -> Option<DateTime<Utc>> {
    let text = std::str::from_utf8(bytes).ok()?;
    Some(DateTime::parse_from_rfc3339(text.trim()).ok()?.to_utc())
}

fn make_folder_of(path: &Path) -> safe_file::Result<()> {
    path.parent().map_or(Ok(()), safe_file::create_private_dir)
}

/// A file name of any text: letters, digits, `-`, `_` and `.` stay, the rest becomes `_`; at most
/// 100 characters, and never a name that means a folder.
fn file_name(text: &str) -> String {
    let name: String = text
        .chars()
        .take(NAME)
        .map(|c| {
            if c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.') {
                c
            } else {
                '_'
            }
        })
        .collect();
    if name.bytes().all(|b| b == b'.') {
        "_".to_owned()
    } else {
        name
    }
}

#[cfg(test)]
mod tests {
    use super::file_name;

    #[test]
    fn names_stay_inside_the_folder() {
        assert_eq!(
            file_name("1f0c2d3e-7c2e-4a5b_v1.2"),
            "1f0c2d3e-7c2e-4a5b_v1.2"
        );
        assert_eq!(file_name("../../etc/passwd"), ".._.._etc_passwd");
        for text in ["", ".", "..", "..."] {
            assert_eq!(file_name(text), "_", "{text}");
        }
        assert_eq!(file_name("a\0b\nc\\d한"), "a_b_c_d_");
        assert_eq!(file_name(&"x".repeat(1000)).len(), 100);
    }
}
