//! What is wired now, for `mnemo status`.

use crate::entries::{self, Found};
use crate::hooks::{self, EVENTS};
use crate::json::Node;
use crate::place::Place;
use crate::plan;
use crate::record::{Record, Records};
use crate::{Result, client};
use chrono::{Duration, Local};
use mnemo_home::{Config, Env, notes};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::PathBuf;

/// A plugin that started no session for so long is taken for gone.
const PLUGIN_DAYS: i64 = 14;

/// How the hooks stand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct WiringState {
    /// The client's settings file.
    pub settings: PathBuf,
    /// Whether the file is there.
    pub exists: bool,
    /// Why it cannot be read, if so.
    pub problem: Option<String>,
    /// One for each program and event that should be wired.
    pub hooks: Vec<HookState>,
    /// Hooks of the original mnemo: two tools would write one day file.
    pub original: Vec<String>,
    /// The plugin is enabled in the user's settings, or started a session in the last 14 days.
    pub plugin: bool,
    /// When the plugin last started a session: local time, `YYYY-MM-DDTHH:MM:SS`.
    pub plugin_started: Option<String>,
    /// Settings files that switch all hooks off.
    pub disabled_by: Vec<PathBuf>,
}

/// How one hook stands.
#[allow(
    clippy::struct_excessive_bools,
    reason = "independent observations of a report"
)]
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HookState {
    /// The program.
    pub program: String,
    /// The event.
    pub event: String,
    /// The commands of the entries that run it, as they stand there.
    pub commands: Vec<String>,
    /// The program's file, by the first of them.
    pub executable: Option<PathBuf>,
    /// Whether that file can be run.
    pub runnable: bool,
    /// Whether the matcher is what the configuration asks for.
    pub matcher_fits: bool,
    /// Whether install wrote it (not pasted by hand).
    pub recorded: bool,
    /// Whether the note that keeps a plugin's copy quiet is there.
    pub noted: bool,
}

impl HookState {
    /// Wired once, runnable, with the right matcher.
    pub fn is_well(&self) -> bool {
        self.commands.len() == 1 && self.runnable && self.matcher_fits
    }
}

impl WiringState {
    /// Every hook is wired well and nothing else writes the day files.
    pub fn is_well(&self) -> bool {
        self.findings().is_empty()
    }

    /// Whether any hook is wired in the settings.
    pub fn is_wired(&self) -> bool {
        self.hooks.iter().any(|hook| !hook.commands.is_empty())
    }

    /// What is wrong and what to do, one sentence each; empty when all is well.
    pub fn findings(&self) -> Vec<String> {
        let mut findings = Vec::new();
        if let Some(problem) = &self.problem {
            findings.push(problem.clone());
            return findings;
        }
        for file in &self.disabled_by {
            findings.push(format!(
                "hooks are switched off by {} (disableAllHooks)",
                file.display()
            ));
        }
        if !self.original.is_empty() {
            findings.push(format!(
                "hooks of the original mnemo are wired too ({}); two tools would write one day file: run `mnemo install --replace-original`",
                self.original.join("; ")
            ));
        }
        if !self.is_wired() {
            if !self.plugin {
                findings.push(
                    "no hook is wired; run `mnemo install`, or start Claude Code with the plugin"
                        .to_owned(),
                );
            }
            return findings;
        }
        findings.extend(self.hooks.iter().filter_map(|hook| self.finding_on(hook)));
        findings
    }

    /// What is wrong with one of the hooks and what to do, in one sentence.
    pub fn finding_on(&self, hook: &HookState) -> Option<String> {
        let name = format!("{} at {}", hook.program, hook.event);
        if hook.commands.is_empty() {
            return Some(format!("{name} is not wired; run `mnemo install`"));
        }
        if hook.commands.len() > 1 {
            return Some(format!(
                "{name} is wired {} times ({}); take the extra entries out",
                hook.commands.len(),
                hook.commands.join("; ")
            ));
        }
        if !hook.runnable {
            let path = hook.executable.as_ref().map(|p| p.display().to_string());
            return Some(format!(
                "{name}: {} is not there or cannot be run; build and install the hooks again (./install.sh)",
                path.unwrap_or_default()
            ));
        }
        if !hook.matcher_fits {
            return Some(format!(
                "{name}: the matcher is not what `tools.skip` asks for; run `mnemo install`"
            ));
        }
        (self.plugin && !hook.noted).then(|| {
            format!("{name}: the plugin is enabled too and would run it twice; run `mnemo install`")
        })
    }

    /// For a terminal.
    pub fn render(&self) -> String {
        let mut text = String::new();
        let findings = self.findings();
        if self.is_wired() {
            let wired = self.hooks.iter().filter(|h| !h.commands.is_empty());
            let ill = wired.clone().filter(|h| !h.is_well()).count();
            let mend = match ill {
                0 => String::new(),
                ill => format!(", {ill} of them to mend"),
            };
            let _ = writeln!(
                text,
                "Hooks: {} of {} wired in {}{mend}",
                wired.count(),
                self.hooks.len(),
                self.settings.display()
            );
        } else if self.plugin {
            let last = match &self.plugin_started {
                Some(at) => format!("run by the plugin, last started {}", at.replace('T', " ")),
                None => "the plugin is enabled, but has started no session yet".to_owned(),
            };
            let _ = writeln!(text, "Hooks: none in {}; {last}", self.settings.display());
        } else {
            let _ = writeln!(text, "Hooks: none in {}", self.settings.display());
        }
        for finding in findings {
            let _ = writeln!(text, "  - {finding}");
        }
        text
    }
}

/// Looks at the user's settings file; changes nothing.
pub fn inspect(env: &Env) -> Result<WiringState> {
    let place = Place::of(env)?;
    let record = Records::load(&place.state).unwrap_or_default();
    let own = record
        .of(&place.settings)
        .map(Record::own)
        .unwrap_or_default();
    let (config, _) = Config::load(env, None);
    let matcher = hooks::matcher(&config.tools_skip);
    let bytes = place.read();
    let started = notes::plugin_started(env);
    let mut state = WiringState {
        settings: place.settings.clone(),
        exists: !matches!(bytes, Ok(None)),
        problem: None,
        hooks: Vec::new(),
        original: Vec::new(),
        plugin: false,
        plugin_started: started.map(|at| {
            at.with_timezone(&Local)
                .format("%Y-%m-%dT%H:%M:%S")
                .to_string()
        }),
        disabled_by: claude_home::Settings::load(&place.home, None).hooks_disabled_by,
    };
    let root = match bytes {
        Ok(bytes) => match plan::read(&bytes.unwrap_or_default()) {
            Ok(root) => root,
            Err(refusal) => {
                state.problem = Some(crate::error::why_refused(&place.settings, &refusal));
                None
            }
        },
        Err(error) => {
            state.problem = Some(error.to_string());
            None
        }
    };
    let found = root.as_ref().map(entries::all).unwrap_or_default();
    let oldest = env.now().to_utc() - Duration::days(PLUGIN_DAYS);
    state.plugin =
        root.as_ref().is_some_and(plugin_enabled) || started.is_some_and(|at| at >= oldest);
    state.original = found
        .iter()
        .filter(|f| f.is_original())
        .map(|f| format!("{}: {}", f.event, f.whole_command()))
        .collect();
    for (event, programs) in EVENTS {
        for program in programs {
            let wanted = matcher
                .as_deref()
                .filter(|_| event.starts_with("PostToolUse"));
            state
                .hooks
                .push(hook(env, &found, event, program, wanted, &own));
        }
    }
    Ok(state)
}

fn hook(
    env: &Env,
    found: &[Found<'_>],
    event: &str,
    program: &str,
    matcher: Option<&str>,
    own: &BTreeSet<String>,
) -> HookState {
    let here: Vec<&Found<'_>> = found
        .iter()
        .filter(|f| f.event == event && f.program() == Some(program))
        .collect();
    let executable = here.first().and_then(|f| f.path()).map(PathBuf::from);
    HookState {
        program: program.to_owned(),
        event: event.to_owned(),
        commands: here.iter().map(|f| f.whole_command()).collect(),
        runnable: executable.as_deref().is_some_and(client::runnable),
        executable,
        matcher_fits: here.iter().all(|f| plan::same_matcher(f, matcher)),
        recorded: !here.is_empty() && here.iter().all(|f| f.is_one_of(own)),
        noted: notes::wired(env, program),
    }
}

/// Whether the settings enable a plugin called mnemo, from whatever marketplace.
pub(crate) fn plugin_enabled(root: &Node) -> bool {
    let plugins = root.get("enabledPlugins").and_then(Node::members);
    plugins.unwrap_or_default().iter().any(|member| {
        member.key.split('@').next() == Some("mnemo")
            && member.value.value == crate::json::Value::Bool(true)
    })
}
