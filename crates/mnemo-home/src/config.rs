//! The configuration: the user's file, the project's, the environment.

use crate::text::one_line;
use crate::yaml::{self, Node};
use crate::{Env, Language, folders};
use safe_file::{Boundary, Error};
use std::path::Path;

/// Largest configuration of a user, in bytes.
const USER_LIMIT: u64 = 1 << 20;

/// Largest `.mnemo.yaml` of a project, in bytes.
const PROJECT_LIMIT: u64 = 64 << 10;

/// Longest name of a tool or folder that is taken from a file, in characters.
const NAME: usize = 300;

/// Most names in a list.
const MOST_NAMES: usize = 1000;

/// Tools that are not logged unless the configuration says otherwise: reading, listing and
/// planning, which change nothing.
pub const DEFAULT_TOOLS_SKIP: [&str; 14] = [
    "Read",
    "NotebookRead",
    "Glob",
    "Grep",
    "LS",
    "ToolSearch",
    "TodoWrite",
    "TaskCreate",
    "TaskUpdate",
    "TaskGet",
    "TaskList",
    "TaskOutput",
    "TaskStop",
    "SendMessage",
];

/// The rules folder that the checkpoint prompt names unless the configuration says otherwise.
pub const DEFAULT_RULES_DIR: &str = ".claude/rules";

/// How the checkpoint reaches the assistant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Deliver {
    /// As context of the Stop event: the turn goes on at once.
    Stop,
    /// With the next prompt.
    NextPrompt,
    /// Never.
    Off,
}

/// Configuration: file, then the project's `.mnemo.yaml` (which may do less, never more), then
/// the environment. The keys are described in `docs/configuration.md`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// `None` = auto.
    pub language: Option<Language>,
    /// `capture: marked`: only roots that hold `.mnemo-root` are recorded.
    pub marked_only: bool,
    /// Whether MEMORY.md and memory/ are scaffolded.
    pub scaffold: bool,
    /// Whether secrets of known shape are redacted.
    pub redact_secrets: bool,
    /// Stops before a checkpoint is due.
    pub checkpoint_stops: u32,
    /// Minutes before a checkpoint is due.
    pub checkpoint_minutes: u32,
    /// How the checkpoint reaches the assistant.
    pub deliver: Deliver,
    /// Rules folder that the checkpoint prompt names.
    pub rules_dir: String,
    /// More folders whose rules count as already covered.
    pub rules_dirs: Vec<String>,
    /// Tools that are never logged.
    pub tools_skip: Vec<String>,
    /// What the project's own file changed, as `key: value`, for `mnemo status`.
    pub narrowed_by_project: Vec<String>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            language: None,
            marked_only: false,
            scaffold: true,
            redact_secrets: true,
            checkpoint_stops: 20,
            checkpoint_minutes: 30,
            deliver: Deliver::Stop,
            rules_dir: DEFAULT_RULES_DIR.to_owned(),
            rules_dirs: Vec::new(),
            tools_skip: DEFAULT_TOOLS_SKIP.map(str::to_owned).to_vec(),
            narrowed_by_project: Vec::new(),
        }
    }
}

impl Config {
    /// Loads and merges. Problems come back as plain sentences naming the file and the key; the
    /// affected keys have their default (privacy settings: the strictest value). With no file at
    /// all this costs two failed opens.
    ///
    /// The privacy settings are `capture` (strictest: `marked`), `scaffold` (`false`) and
    /// `redact.secrets` (`true`). A file that is no YAML at all leaves recording and scaffold as
    /// they are by default, unless it speaks of `marked`. A `.mnemo.yaml` that is no regular file inside `root` (a link
    /// that leads out, a FIFO, a folder) is ignored.
    pub fn load(env: &Env, root: Option<&Path>) -> (Self, Vec<String>) {
        let mut config = Self::default();
        let mut problems = Vec::new();
        if let Some(folder) = folders::config(env) {
            config.take_user_file(&folder.join("config.yaml"), &mut problems);
        }
        if let Some(root) = root {
            config.take_project_file(root, &mut problems);
        }
        config.take_environment(env, &mut problems);
        (config, problems)
    }

    fn take_user_file(&mut self, path: &Path, problems: &mut Vec<String>) {
        let (settings, wants_marks) = match safe_file::read(path, USER_LIMIT) {
            Ok(None) => return,
            Ok(Some(bytes)) => (parse(&bytes), speaks_of_marks(&bytes)),
            Err(error) => (Err(why(&error)), true),
        };
        let complain = &mut |text: String| problems.push(about(path, &text));
        match settings {
            Ok(settings) => apply(&mut User(self), &settings, complain),
            Err(why) => {
                complain(format!(
                    "{why}; until it is corrected {}",
                    strictest(wants_marks)
                ));
                self.marked_only |= wants_marks;
                self.redact_secrets = true;
            }
        }
    }

    fn take_project_file(&mut self, root: &Path, problems: &mut Vec<String>) {
        let path = root.join(".mnemo.yaml");
        let complain = &mut |text: String| problems.push(about(&path, &text));
        let (settings, wants_marks) = match read_project_file(root, &path) {
            Ok(None) => return,
            Ok(Some(bytes)) => (parse(&bytes), speaks_of_marks(&bytes)),
            Err(error) => {
                if !std::fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_file()) {
                    complain(format!("ignored: {}", why(&error)));
                    return;
                }
                (Err(why(&error)), true)
            }
        };
        match settings {
            Ok(settings) => apply(&mut Project(self), &settings, complain),
            Err(why) => {
                complain(format!(
                    "{why}; until it is corrected {}",
                    strictest(wants_marks)
                ));
                let mut project = Project(self);
                if wants_marks {
                    project.invalid(Key::Capture);
                }
                project.invalid(Key::RedactSecrets);
            }
        }
    }

    fn take_environment(&mut self, env: &Env, problems: &mut Vec<String>) {
        if let Some(text) = env.get("MNEMO_LANGUAGE") {
            match language(text) {
                Some(Value::Language(language)) => self.language = language,
                _ => problems.push(format!(
                    "MNEMO_LANGUAGE must be {}; ignored",
                    Key::Language.takes()
                )),
            }
        }
        for (name, value) in [
            ("MNEMO_STOPS", &mut self.checkpoint_stops),
            ("MNEMO_MINUTES", &mut self.checkpoint_minutes),
        ] {
            if let Some(text) = env.get(name) {
                match text.trim().parse() {
                    Ok(number) => *value = number,
                    Err(_) => problems.push(format!("{name} must be a whole number; ignored")),
                }
            }
        }
    }

    fn narrowed(&mut self, key: Key, value: &str) {
        self.narrowed_by_project
            .push(format!("{}: {value}", key.name()));
    }
}

/// What holds while a file as a whole cannot be read.
fn strictest(marked: bool) -> &'static str {
    if marked {
        "the defaults hold, and for privacy the strictest: capture marked, redact.secrets true"
    } else {
        "the defaults hold, and for privacy the strictest: redact.secrets true"
    }
}

/// Whether a file that is no YAML may have asked for `capture: marked`. One that does not speak of
/// it must not end the recording everywhere.
fn speaks_of_marks(bytes: &[u8]) -> bool {
    String::from_utf8_lossy(bytes)
        .to_lowercase()
        .contains("marked")
}

/// A problem as a sentence of one line.
fn about(path: &Path, text: &str) -> String {
    one_line(&format!("{}: {text}", path.display()), 480)
}

/// The error without the path, which stands before it.
fn why(error: &Error) -> String {
    match error {
        Error::Refused { why, .. } => (*why).to_owned(),
        Error::Io { action, source, .. } => format!("cannot {action} it: {source}"),
        other => other.to_string(),
    }
}

fn parse(bytes: &[u8]) -> Result<Vec<(String, Node)>, String> {
    match yaml::parse(bytes) {
        Ok(Node::Null) => Ok(Vec::new()),
        Ok(Node::Map(settings)) => Ok(settings),
        Ok(_) => Err("it must hold `key: value` lines".to_owned()),
        Err(error) => Err(format!("it is not valid YAML ({})", one_line(&error, 200))),
    }
}

/// One failed open where there is no such file. A link inside the project is followed.
fn read_project_file(root: &Path, path: &Path) -> safe_file::Result<Option<Vec<u8>>> {
    match safe_file::read_real(path, PROJECT_LIMIT) {
        Err(Error::Refused { .. })
            if std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_symlink()) =>
        {
            let real = Boundary::new(root)?.resolve(Path::new(".mnemo.yaml"))?;
            safe_file::read_real(&real, PROJECT_LIMIT)
        }
        other => other,
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Language,
    Capture,
    Scaffold,
    RedactSecrets,
    Stops,
    Minutes,
    Deliver,
    RulesDir,
    RulesDirs,
    ToolsSkip,
}

const KEYS: [Key; 10] = [
    Key::Language,
    Key::Capture,
    Key::Scaffold,
    Key::RedactSecrets,
    Key::Stops,
    Key::Minutes,
    Key::Deliver,
    Key::RulesDir,
    Key::RulesDirs,
    Key::ToolsSkip,
];

/// The settings that decide what is kept of a person's words.
const PRIVACY: [Key; 3] = [Key::Capture, Key::Scaffold, Key::RedactSecrets];

/// The first parts of keys with a dot.
const GROUPS: [&str; 3] = ["redact", "checkpoint", "tools"];

impl Key {
    fn name(self) -> &'static str {
        match self {
            Self::Language => "language",
            Self::Capture => "capture",
            Self::Scaffold => "scaffold",
            Self::RedactSecrets => "redact.secrets",
            Self::Stops => "checkpoint.stops",
            Self::Minutes => "checkpoint.minutes",
            Self::Deliver => "checkpoint.deliver",
            Self::RulesDir => "checkpoint.rules_dir",
            Self::RulesDirs => "rules_dirs",
            Self::ToolsSkip => "tools.skip",
        }
    }

    fn takes(self) -> &'static str {
        match self {
            Self::Language => "auto, ko, en, de or zh",
            Self::Capture => "all or marked",
            Self::Scaffold | Self::RedactSecrets => "true or false",
            Self::Stops | Self::Minutes => "a whole number",
            Self::Deliver => "stop, next-prompt or off",
            Self::RulesDir => "a folder",
            Self::RulesDirs => "a list of folders",
            Self::ToolsSkip => "a list of tool names",
        }
    }

    /// What a project's own file may do with it, as the end of a sentence.
    fn narrows(self) -> &'static str {
        match self {
            Self::Capture => "may only be `marked`",
            Self::Scaffold => "may only be `false`",
            Self::RedactSecrets => "may only be `true`",
            Self::Stops | Self::Minutes => "may only be raised",
            Self::Deliver => "may only be `off`",
            Self::Language | Self::ToolsSkip => "may be set",
            Self::RulesDir | Self::RulesDirs => "cannot be set",
        }
    }
}

/// A value of the right type for its key.
enum Value {
    Language(Option<Language>),
    Switch(bool),
    Number(u32),
    Deliver(Deliver),
    Name(String),
    Names(Vec<String>),
}

/// `None`: not a value for this key.
fn value(key: Key, node: &Node) -> Option<Value> {
    Some(match (key, node) {
        (Key::Language, Node::Text(text)) => language(text)?,
        (Key::Capture, Node::Text(text)) => Value::Switch(match text.as_str() {
            "all" => false,
            "marked" => true,
            _ => return None,
        }),
        (Key::Scaffold | Key::RedactSecrets, Node::Bool(on)) => Value::Switch(*on),
        (Key::Stops | Key::Minutes, Node::Integer(number)) => {
            Value::Number(u32::try_from(*number).ok()?)
        }
        (Key::Deliver, Node::Text(text)) => Value::Deliver(match text.as_str() {
            "stop" => Deliver::Stop,
            "next-prompt" => Deliver::NextPrompt,
            "off" => Deliver::Off,
            _ => return None,
        }),
        // To many YAML readers `off` is the same as `false`.
        (Key::Deliver, Node::Bool(false)) => Value::Deliver(Deliver::Off),
        (Key::RulesDir, Node::Text(text)) => Value::Name(name(text)?),
        (Key::RulesDirs | Key::ToolsSkip, Node::Text(text)) => Value::Names(vec![name(text)?]),
        (Key::RulesDirs | Key::ToolsSkip, Node::List(list)) if list.len() <= MOST_NAMES => {
            Value::Names(
                list.iter()
                    .map(|node| match node {
                        Node::Text(text) => name(text),
                        _ => None,
                    })
                    .collect::<Option<_>>()?,
            )
        }
        _ => return None,
    })
}

fn language(text: &str) -> Option<Value> {
    let text = text.trim();
    if text.eq_ignore_ascii_case("auto") {
        return Some(Value::Language(None));
    }
    Language::of_code(text).map(|language| Value::Language(Some(language)))
}

/// A name that can be shown as it is.
fn name(text: &str) -> Option<String> {
    (!text.trim().is_empty() && one_line(text, NAME) == text).then(|| text.to_owned())
}

/// Who takes the settings of one file.
trait Taker {
    fn take(&mut self, key: Key, value: Value) -> Result<(), String>;
    /// The key is there, but its value is none.
    fn invalid(&mut self, key: Key);
}

fn apply(taker: &mut impl Taker, settings: &[(String, Node)], complain: &mut impl FnMut(String)) {
    for (name, node) in settings {
        if GROUPS.contains(&name.as_str()) {
            apply_group(taker, name, node, complain);
        } else {
            apply_one(taker, name, node, complain);
        }
    }
}

fn apply_group(
    taker: &mut impl Taker,
    group: &str,
    node: &Node,
    complain: &mut impl FnMut(String),
) {
    match node {
        Node::Null => {}
        Node::Map(settings) => {
            for (name, node) in settings {
                apply_one(taker, &format!("{group}.{name}"), node, complain);
            }
        }
        _ => {
            complain(format!("`{group}` must hold `key: value` lines; ignored"));
            for key in KEYS {
                if key.name().split('.').next() == Some(group) {
                    taker.invalid(key);
                }
            }
        }
    }
}

fn apply_one(taker: &mut impl Taker, name: &str, node: &Node, complain: &mut impl FnMut(String)) {
    let Some(key) = KEYS.into_iter().find(|key| key.name() == name) else {
        complain(format!(
            "`{}` is not a setting; ignored",
            one_line(name, 60)
        ));
        return;
    };
    if *node == Node::Null {
        return;
    }
    let Some(value) = value(key, node) else {
        complain(format!(
            "`{name}` must be {}; its {} holds",
            key.takes(),
            if PRIVACY.contains(&key) {
                "strictest value"
            } else {
                "default"
            }
        ));
        taker.invalid(key);
        return;
    };
    if let Err(why) = taker.take(key, value) {
        complain(why);
    }
}

/// The user's own file: all it says holds.
struct User<'a>(&'a mut Config);

impl Taker for User<'_> {
    fn take(&mut self, key: Key, value: Value) -> Result<(), String> {
        let config = &mut *self.0;
        match (key, value) {
            (Key::Capture, Value::Switch(marked)) => config.marked_only = marked,
            (Key::Scaffold, Value::Switch(on)) => config.scaffold = on,
            (_, Value::Switch(on)) => config.redact_secrets = on,
            (Key::Stops, Value::Number(number)) => config.checkpoint_stops = number,
            (_, Value::Number(number)) => config.checkpoint_minutes = number,
            (Key::RulesDirs, Value::Names(names)) => config.rules_dirs = names,
            (_, Value::Names(names)) => config.tools_skip = names,
            (_, Value::Name(name)) => config.rules_dir = name,
            (_, Value::Language(language)) => config.language = language,
            (_, Value::Deliver(deliver)) => config.deliver = deliver,
        }
        Ok(())
    }

    fn invalid(&mut self, key: Key) {
        // The others have their defaults already.
        match key {
            Key::Capture => self.0.marked_only = true,
            Key::Scaffold => self.0.scaffold = false,
            Key::RedactSecrets => self.0.redact_secrets = true,
            _ => {}
        }
    }
}

/// A project's file, which is not trusted: it may do less, never more.
struct Project<'a>(&'a mut Config);

impl Taker for Project<'_> {
    fn take(&mut self, key: Key, value: Value) -> Result<(), String> {
        let config = &mut *self.0;
        let refused = Err(format!(
            "`{}` {} in a project's own file; ignored",
            key.name(),
            key.narrows()
        ));
        match (key, value) {
            (Key::Language, Value::Language(language)) => {
                if config.language != language {
                    config.language = language;
                    config.narrowed(key, language.map_or("auto", Language::code));
                }
            }
            (Key::Capture, Value::Switch(marked)) => {
                if marked && !config.marked_only {
                    config.marked_only = true;
                    config.narrowed(key, "marked");
                } else if marked != config.marked_only {
                    return refused;
                }
            }
            (Key::Scaffold, Value::Switch(on)) => {
                if !on && config.scaffold {
                    config.scaffold = false;
                    config.narrowed(key, "false");
                } else if on != config.scaffold {
                    return refused;
                }
            }
            (Key::RedactSecrets, Value::Switch(on)) => {
                if on && !config.redact_secrets {
                    config.redact_secrets = true;
                    config.narrowed(key, "true");
                } else if on != config.redact_secrets {
                    return refused;
                }
            }
            (Key::Stops | Key::Minutes, Value::Number(number)) => {
                let current = if key == Key::Stops {
                    &mut config.checkpoint_stops
                } else {
                    &mut config.checkpoint_minutes
                };
                if number < *current {
                    return refused;
                }
                if number > *current {
                    *current = number;
                    config.narrowed(key, &number.to_string());
                }
            }
            (Key::Deliver, Value::Deliver(deliver)) => {
                if deliver == Deliver::Off && config.deliver != deliver {
                    config.deliver = deliver;
                    config.narrowed(key, "off");
                } else if deliver != config.deliver {
                    return refused;
                }
            }
            (Key::ToolsSkip, Value::Names(names)) => {
                let mut added: Vec<String> = Vec::new();
                for name in names {
                    if !config.tools_skip.contains(&name) && !added.contains(&name) {
                        added.push(name);
                    }
                }
                if !added.is_empty() {
                    config.narrowed(key, &added.join(", "));
                    config.tools_skip.append(&mut added);
                }
            }
            _ => return refused,
        }
        Ok(())
    }

    fn invalid(&mut self, key: Key) {
        let strictest = match key {
            Key::Capture | Key::RedactSecrets => true,
            Key::Scaffold => false,
            _ => return,
        };
        // These narrow, so they are never refused.
        let _ = self.take(key, Value::Switch(strictest));
    }
}
