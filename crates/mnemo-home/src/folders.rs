//! mnemo's own folders.

use crate::Env;
use std::path::PathBuf;

/// mnemo's own folders. `None` where there is no home directory.
///
/// On Windows, where nothing of XDG is set, they lie in `%APPDATA%` (configuration) and
/// `%LOCALAPPDATA%`.
#[derive(Debug, Clone, Default)]
pub struct Folders {
    /// `<XDG_STATE_HOME or ~/.local/state>/mnemo`
    pub state: Option<PathBuf>,
    /// `<XDG_CONFIG_HOME or ~/.config>/mnemo`
    pub config: Option<PathBuf>,
    /// `<XDG_DATA_HOME or ~/.local/share>/mnemo`
    pub data: Option<PathBuf>,
}

impl Folders {
    /// From the environment; relative XDG values are ignored, as the XDG specification says.
    pub fn of(env: &Env) -> Self {
        Self {
            state: state(env),
            config: config(env),
            data: folder(env, "XDG_DATA_HOME", "LOCALAPPDATA", ".local/share"),
        }
    }
}

/// [`Folders::state`] alone.
pub(crate) fn state(env: &Env) -> Option<PathBuf> {
    let folder = folder(env, "XDG_STATE_HOME", "LOCALAPPDATA", ".local/state")?;
    // There state and data have one parent.
    Some(if cfg!(windows) && env.path("XDG_STATE_HOME").is_none() {
        folder.join("state")
    } else {
        folder
    })
}

/// [`Folders::config`] alone.
pub(crate) fn config(env: &Env) -> Option<PathBuf> {
    folder(env, "XDG_CONFIG_HOME", "APPDATA", ".config")
}

fn folder(env: &Env, xdg: &str, windows: &str, below_home: &str) -> Option<PathBuf> {
    env.path(xdg)
        .or_else(|| {
            if cfg!(windows) {
                env.path(windows)
            } else {
                None
            }
        })
        .or_else(|| Some(env.home()?.join(below_home)))
        .map(|base| base.join("mnemo"))
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn xdg_wins_where_it_is_absolute() {
        let folders = Folders::of(&Env::from_pairs([
            ("HOME", "/home/u"),
            ("XDG_STATE_HOME", "/s"),
            ("XDG_CONFIG_HOME", "relative"),
            ("XDG_DATA_HOME", ""),
        ]));
        assert_eq!(folders.state, Some("/s/mnemo".into()));
        assert_eq!(folders.config, Some("/home/u/.config/mnemo".into()));
        assert_eq!(folders.data, Some("/home/u/.local/share/mnemo".into()));
    }

    #[test]
    fn without_a_home_there_is_what_xdg_names() {
        let folders = Folders::of(&Env::from_pairs([("XDG_CONFIG_HOME", "/c")]));
        assert_eq!(folders.state, None);
        assert_eq!(folders.config, Some("/c/mnemo".into()));
        assert_eq!(
            Folders::of(&Env::from_pairs([("HOME", "/home/u")])).state,
            Some("/home/u/.local/state/mnemo".into())
        );
    }
}
