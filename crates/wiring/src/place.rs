//! The files that install and uninstall work on.

use crate::{Error, Options, Result};
use claude_home::ClaudeHome;
use mnemo_home::{Env, Folders};
use std::path::{Path, PathBuf};

/// Larger settings files are refused.
const LARGEST: u64 = 4 << 20;
/// Links followed from one name before giving up.
const MAX_LINKS: usize = 40;

#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub(crate) home: ClaudeHome,
    pub(crate) state: PathBuf,
    /// mnemo's data folder, where install.sh puts the programs.
    pub(crate) data: Option<PathBuf>,
    /// As the user names it.
    pub(crate) settings: PathBuf,
    /// The file behind the links.
    pub(crate) target: PathBuf,
}

impl Place {
    pub(crate) fn of(env: &Env) -> Result<Self> {
        let home = ClaudeHome::of(env).ok_or(Error::NoHome)?;
        let folders = Folders::of(env);
        let state = folders.state.ok_or(Error::NoHome)?;
        let settings = home.settings_file();
        let target = behind_links(&settings);
        Ok(Self {
            home,
            state,
            data: folders.data,
            settings,
            target,
        })
    }

    pub(crate) fn read(&self) -> Result<Option<Vec<u8>>> {
        Ok(safe_file::read(&self.target, LARGEST)?)
    }

    /// Refuses a file that its owner made read-only: a swap would get past that.
    pub(crate) fn writable(&self) -> Result<()> {
        match std::fs::metadata(&self.target) {
            Ok(meta) if meta.permissions().readonly() => {
                Err(Error::ReadOnly(self.settings.clone()))
            }
            _ => Ok(()),
        }
    }

    /// Writes the settings if they still hold `before`, right before the new ones are swapped in.
    pub(crate) fn write(&self, before: Option<&[u8]>, after: &[u8]) -> Result<()> {
        let still = || {
            if safe_file::read(&self.target, LARGEST)?.as_deref() == before {
                return Ok(());
            }
            Err(safe_file::Error::Changed {
                path: self.settings.clone(),
            })
        };
        still()?;
        Ok(safe_file::put_if(&self.target, after, None, None, still)?)
    }

    pub(crate) fn backups(&self) -> PathBuf {
        self.state.join("backups")
    }

    /// Keeps the bytes under a name with the time; the name comes back.
    pub(crate) fn back_up(&self, env: &Env, bytes: &[u8]) -> Result<String> {
        let folder = self.backups();
        safe_file::create_private_dir(&folder)?;
        let time = env.now().format("%Y%m%d-%H%M%S");
        let mut name = format!("settings-{time}.json");
        let mut number = 0_u32;
        while folder.join(&name).exists() {
            number += 1;
            name = format!("settings-{time}-{number}.json");
        }
        safe_file::replace_durably(&folder.join(&name), bytes)?;
        Ok(name)
    }

    pub(crate) fn backup(&self, name: &str) -> Result<Option<Vec<u8>>> {
        Ok(safe_file::read(&self.backups().join(name), LARGEST)?)
    }

    /// One install or uninstall at a time.
    pub(crate) fn lock(&self) -> Result<safe_file::Lock> {
        safe_file::create_private_dir(&self.state)?;
        let wait = std::time::Duration::from_secs(10);
        Ok(safe_file::Lock::acquire(
            &self.state.join("wiring.lock"),
            wait,
        )?)
    }
}

impl Options {
    /// The folder of the hook programs, tidied.
    pub(crate) fn folder(&self) -> Result<&Path> {
        if self.programs.is_absolute() && self.programs.to_str().is_some() {
            Ok(&self.programs)
        } else {
            Err(Error::Path(self.programs.clone()))
        }
    }
}

fn behind_links(path: &Path) -> PathBuf {
    let mut target = path.to_owned();
    for _ in 0..MAX_LINKS {
        match std::fs::read_link(&target) {
            Ok(link) => target = target.parent().unwrap_or(Path::new("/")).join(link),
            Err(_) => break,
        }
    }
    target
}
