//! Where an event is recorded, and under which configuration.

use claude_hook::Common;
use mnemo_home::{Config, Env};
use record::Record;
use record::root::Root;
use redact::Policy;
use std::path::{Path, PathBuf};

/// A record that takes this event, with the configuration that holds there.
#[derive(Debug)]
pub(crate) struct Place {
    pub(crate) record: Record,
    pub(crate) config: Config,
    /// The directory the client was started in.
    pub(crate) start: PathBuf,
}

impl Place {
    /// The place of an event; `None` where nothing is recorded. `prompt_cwd` is the working
    /// directory at the turn's prompt. Complaints go to `log`.
    pub(crate) fn of(
        common: &Common,
        prompt_cwd: Option<&Path>,
        env: &Env,
        log: &mut Vec<String>,
    ) -> Option<Self> {
        let start = common.start(env)?;
        let root = Root::of_turn(&start, prompt_cwd, env).ok()?;
        let (config, problems) = Config::load(env, Some(root.path()));
        log.extend(problems);
        let root = root.allowed(&config).ok()?;
        match Record::open(root) {
            Ok(record) => Some(Self {
                record,
                config,
                start,
            }),
            Err(error) => {
                log.push(error.to_string());
                None
            }
        }
    }

    /// Hands the record's warnings to the error log.
    pub(crate) fn complain(&self, log: &mut Vec<String>) {
        log.extend(self.record.take_warnings());
    }

    /// What is taken out of text here.
    pub(crate) fn policy(&self) -> Policy {
        Policy {
            secrets: self.config.redact_secrets,
        }
    }
}
