//! The real client, driven against the scripted API in a home of its own.
//!
//! [`scenario`] prepares a [`World`] and hands it to the test: a temporary home with settings that
//! already hold somebody else's hooks, a project, the stand-in for the API, and no network but
//! loopback where the machine allows that. [`World::print`] runs the client with `-p`,
//! [`World::tui`] in a terminal.

use crate::day::{Role, Turn};
use crate::env::{Cmd, Done};
use crate::{Api, TestEnv, bins, netns, wait};
use serde_json::{Value, json};
use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, SystemTime};

/// The versions that the tests drive, newest first.
pub const VERSIONS: [&str; 3] = ["2.1.332", "2.1.197", "2.1.59"];

/// Events that every supported client knows: each has a foreign hook that keeps the payload.
pub const EVENTS: [&str; 8] = [
    "SessionStart",
    "SessionEnd",
    "UserPromptSubmit",
    "PostToolUse",
    "PostToolUseFailure",
    "SubagentStop",
    "Stop",
    "PreCompact",
];

const LIMIT: Duration = Duration::from_secs(90);

/// Runs a scenario with one version of the client, in a thread whose network is loopback only.
///
/// The client is looked for in `$MNEMO_CLIENTS/<version>`, then in `clients/<version>` of the
/// target folder, where `tests/client/fetch.sh` puts it. Where it is missing the scenario is left
/// out, saying so; with `MNEMO_REAL_CLIENT=required` that is a failure.
pub fn scenario(version: &str, test: impl FnOnce(&mut World) + Send) {
    scenario_in(version, "proj", test);
}

/// As [`scenario`], the project's folder called so.
pub fn scenario_in(version: &str, project: &str, test: impl FnOnce(&mut World) + Send) {
    scenario_with(version, project, |_| {}, test);
}

/// As [`scenario_in`], the environment being prepared before the client's configuration is
/// written.
pub fn scenario_with(
    version: &str,
    project: &str,
    prepare: impl FnOnce(&mut TestEnv) + Send,
    test: impl FnOnce(&mut World) + Send,
) {
    let Some(exe) = find(version) else { return };
    let name = std::thread::current().name().unwrap_or_default().to_owned();
    let result = std::thread::scope(|scope| {
        std::thread::Builder::new()
            .name(name)
            .spawn_scoped(scope, || {
                netns::enter();
                let mut world = World::new(version, exe, project, prepare);
                test(&mut world);
                world.close();
            })
            .expect("a thread")
            .join()
    });
    if let Err(panic) = result {
        std::panic::resume_unwind(panic);
    }
}

fn find(version: &str) -> Option<PathBuf> {
    let named = std::env::var_os("MNEMO_CLIENTS").map(|dir| bins::workspace().join(dir));
    let folders = named.into_iter().chain([bins::target().join("clients")]);
    let mut tried = Vec::new();
    let mut why = String::new();
    for folder in folders {
        let exe = folder.join(version).join("node_modules/.bin/claude");
        if exe.is_file() {
            if on_path("tmux").is_some() && on_path("git").is_some() {
                return Some(exe);
            }
            "tmux and git are needed to drive the client".clone_into(&mut why);
            break;
        }
        tried.push(exe.display().to_string());
    }
    if why.is_empty() {
        why = format!(
            "no client {version} at {}; get it with `tests/client/fetch.sh {version}`",
            tried.join(" or ")
        );
    }
    let required = std::env::var("MNEMO_REAL_CLIENT").is_ok_and(|v| v == "required");
    assert!(!required, "{why}");
    // Past the test harness, which would swallow it.
    let _ = writeln!(std::io::stderr(), "left out: {why}");
    None
}

/// The folder of a program on the test's own path.
fn on_path(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).find(|dir| dir.join(program).is_file())
}

/// A home, a project, the client and the API it talks to.
pub struct World {
    /// The temporary folders and the environment.
    pub env: TestEnv,
    /// What the client takes for the Messages API.
    pub api: Api,
    /// The client's version.
    pub version: String,
    exe: PathBuf,
    settings: Vec<u8>,
    /// Requests beyond the script are allowed.
    pub loose: bool,
}

impl World {
    fn new(version: &str, exe: PathBuf, project: &str, prepare: impl FnOnce(&mut TestEnv)) -> Self {
        let mut env = TestEnv::named(project);
        prepare(&mut env);
        let api = Api::start();
        // In two parts, so that it does not look like a real key.
        let key = format!("{}-{}", "sk-ant", "scripted-0000000000000000000000000000");
        let mut path = OsString::from(exe.parent().expect("a folder"));
        for dir in ["node", "git", "tmux"].into_iter().filter_map(on_path) {
            path.push(":");
            path.push(dir);
        }
        path.push(":/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin");
        env.set("PATH", path)
            .set("SHELL", "/bin/bash")
            .set("TERM", "xterm-256color")
            .set("ANTHROPIC_BASE_URL", api.url())
            .set("ANTHROPIC_API_KEY", &key)
            .set("NO_PROXY", "127.0.0.1")
            .set("CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION", "false")
            .set("CLAUDE_CODE_MAX_RETRIES", "1");
        for flag in [
            "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC",
            "DISABLE_AUTOUPDATER",
            "DISABLE_TELEMETRY",
            "DISABLE_ERROR_REPORTING",
            "DISABLE_BUG_COMMAND",
        ] {
            env.set(flag, "1");
        }
        let seed = json!({
            "hasCompletedOnboarding": true,
            "theme": "dark",
            "numStartups": 3,
            "customApiKeyResponses": { "approved": [&key[key.len() - 20..]], "rejected": [] },
        });
        env.write(seed_file(&env), seed.to_string());
        let settings = foreign_settings(&env);
        env.write(env.claude().join("settings.json"), &settings);
        let mut world = Self {
            env,
            api,
            version: version.to_owned(),
            exe,
            settings,
            loose: false,
        };
        let project = world.env.project().to_owned();
        world.trust(&project);
        world
    }

    /// Installs mnemo with the built executables.
    pub fn install(&self) -> &Self {
        self.env.mnemo(&["install"]).ok();
        self
    }

    /// As [`World::install`], but some time ago: repair leaves alone what was over by then.
    pub fn install_earlier(&self, ago: Duration) -> &Self {
        let then = SystemTime::now() - ago;
        let then = then
            .duration_since(SystemTime::UNIX_EPOCH)
            .expect("a time after 1970");
        let install = self.env.cmd("mnemo").arg("install");
        install
            .env("MNEMO_NOW", then.as_secs().to_string())
            .run()
            .ok();
        self
    }

    /// The settings file as it was before mnemo came.
    pub fn settings_before(&self) -> &[u8] {
        &self.settings
    }

    /// The settings file as it is.
    pub fn settings_now(&self) -> Vec<u8> {
        std::fs::read(self.env.claude().join("settings.json")).expect("settings")
    }

    /// Marks a folder as trusted, as a person does once in a dialogue.
    pub fn trust(&mut self, dir: &Path) {
        let path = seed_file(&self.env);
        let mut seed: Value =
            serde_json::from_slice(&std::fs::read(&path).expect("seed")).expect("JSON");
        seed["projects"][dir.to_str().expect("UTF-8")] = json!({
            "hasTrustDialogAccepted": true,
            "hasCompletedProjectOnboarding": true,
            "allowedTools": [],
        });
        std::fs::write(&path, seed.to_string()).expect("seed");
    }

    /// The client in print mode, answering in JSON. A long prompt goes through standard input.
    pub fn print(&self, prompt: &str) -> Cmd {
        let cmd = self.env.program(&self.exe).limit(LIMIT).arg("-p");
        let cmd = if prompt.len() < 100_000 {
            cmd.arg(prompt)
        } else {
            cmd.stdin(prompt)
        };
        cmd.args(&["--output-format", "json"])
    }

    /// The client in a terminal.
    pub fn tui(&self, args: &[&str]) -> Tui {
        Tui::start(self, args)
    }

    /// Payloads that hooks of an event got so far, in order.
    pub fn payloads(&self, event: &str) -> Vec<Value> {
        let folder = self.env.base().join("payloads");
        let mut files = list(&folder);
        files.retain(|f| f.extension().is_some_and(|e| e == "json"));
        files.sort();
        let read = |f: &PathBuf| serde_json::from_slice::<Value>(&std::fs::read(f).ok()?).ok();
        let all = files.iter().filter_map(read);
        all.filter(|p| p["hook_event_name"] == event).collect()
    }

    /// Waits until an event was raised so often.
    #[track_caller]
    pub fn wait_event(&self, event: &str, count: usize) {
        let there = wait::holds(LIMIT, || self.payloads(event).len() >= count);
        let seen = self.payloads(event).len();
        assert!(
            there,
            "{event} was raised {seen} times, not {count}\n{}",
            self.report()
        );
    }

    /// Fails unless the day files hold exactly these turns; gives hooks that still run a moment.
    ///
    /// On a busy machine the client's file lags behind its hooks. What only the file tells (what
    /// was said inside a turn, texts before its last) is then left to repair.
    #[track_caller]
    pub fn expect(&self, turns: &[Turn]) {
        let mut there = wait::holds(Duration::from_secs(10), || self.env.turns() == turns);
        if !there && self.hooks_did_theirs(turns, &self.env.turns()) {
            self.env.mnemo(&["reconcile", "--all"]).ok();
            there = self.env.turns() == turns;
        }
        for day in self.env.days() {
            let times: Vec<&str> = day.entries.iter().map(|e| &*e.time).collect();
            assert!(times.is_sorted(), "entries stand in time order: {times:?}");
        }
        if !there {
            let now = self.env.turns();
            panic!(
                "the record differs\nexpected {turns:#?}\nrecorded {now:#?}\n{}",
                self.report()
            );
        }
    }

    /// Whether every prompt that a hook was given and the end of every reply are there, in order,
    /// and nothing else.
    fn hooks_did_theirs(&self, turns: &[Turn], now: &[Turn]) -> bool {
        let given = self.payloads("UserPromptSubmit");
        let given = |text: &str| given.iter().any(|one| one["prompt"].as_str() == Some(text));
        let mut now = now.iter().peekable();
        let all = turns.iter().all(|turn| {
            let found = now.next_if(|one| {
                let end = one.role == Role::Assistant && turn.body.ends_with(&one.body);
                one.role == turn.role && (one.body == turn.body || end)
            });
            found.is_some() || turn.role == Role::User && !given(&turn.body)
        });
        all && now.next().is_none()
    }

    /// What helps to understand a failure.
    pub fn report(&self) -> String {
        let errors = self.env.errors().join("\n");
        let order: Vec<String> = EVENTS
            .iter()
            .map(|e| format!("{e} {}", self.payloads(e).len()))
            .collect();
        format!(
            "events: {}\nerror log: {errors}\nbeyond the script: {:?}\nunknown requests: {:?}",
            order.join(", "),
            self.api.unscripted(),
            self.api.strange()
        )
    }

    /// The client's transcripts.
    pub fn transcripts(&self) -> Vec<PathBuf> {
        let folders = list(&self.env.claude().join("projects"));
        let files = folders.iter().flat_map(|folder| list(folder));
        files
            .filter(|f| f.extension().is_some_and(|e| e == "jsonl"))
            .collect()
    }

    /// What must hold however a scenario ends: the client had nothing to complain about.
    fn close(&self) {
        for transcript in self.transcripts() {
            let text = std::fs::read_to_string(&transcript).expect("transcript");
            for line in text.lines() {
                let record: Value = serde_json::from_str(line).unwrap_or_default();
                let kind = record["attachment"]["type"].as_str().unwrap_or_default();
                let failed = ["hook_non_blocking_error", "hook_cancelled"].contains(&kind);
                assert!(!failed, "a hook failed: {line}");
            }
        }
        assert_eq!(
            self.api.strange(),
            [""; 0],
            "requests the stand-in does not know"
        );
        if !self.loose {
            let (beyond, left) = (self.api.unscripted(), self.api.unsaid());
            assert!(
                beyond.is_empty(),
                "the client asked beyond the script: {beyond:#?}"
            );
            assert_eq!(left, 0, "answers that the client never asked for");
        }
    }
}

fn list(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|e| e.path()).collect()
}

/// Where the client keeps what it asked its user once.
fn seed_file(env: &TestEnv) -> PathBuf {
    match env.var("CLAUDE_CONFIG_DIR") {
        Some(dir) => Path::new(dir).join(".claude.json"),
        None => env.home().join(".claude.json"),
    }
}

/// The session id that a run in print mode reports.
pub fn session_of(done: &Done) -> String {
    let answer = done.json();
    // Some versions print the list of all messages, the result being the last.
    let last = answer
        .as_array()
        .and_then(|list| list.last())
        .unwrap_or(&answer);
    last["session_id"]
        .as_str()
        .unwrap_or_else(|| panic!("no session id: {done:?}"))
        .to_owned()
}

/// The text that a run in print mode reports.
pub fn result_of(done: &Done) -> String {
    let answer = done.json();
    let last = answer
        .as_array()
        .and_then(|list| list.last())
        .unwrap_or(&answer);
    last["result"].as_str().unwrap_or_default().to_owned()
}

/// A settings file as people have them: hand-made layout, and hooks of somebody else.
fn foreign_settings(env: &TestEnv) -> Vec<u8> {
    let base = env.base().display();
    let script = format!(
        "f=\"{base}/payloads/$(date +%s%N)-$$\"\ncat > \"$f.tmp\" && mv \"$f.tmp\" \"$f.json\"\n"
    );
    std::fs::create_dir_all(env.base().join("payloads")).expect("folder");
    env.write(env.base().join("record.sh"), script);
    let hook =
        json!([{ "hooks": [{ "type": "command", "command": format!("sh '{base}/record.sh'") }] }]);
    let hooks: Vec<String> = EVENTS
        .iter()
        .map(|event| format!("\t\t\"{event}\": {hook}"))
        .collect();
    let allow = [
        "Bash", "Write", "Edit", "Read", "Glob", "Grep", "Agent", "Task",
    ];
    format!(
        "{{\n\t\"permissions\": {{ \"allow\": {}, \"ask\": [\"Bash(touch:*)\"], \"defaultMode\": \"default\" }},\n\t\"hooks\":   {{\n{}\n\t}},\n\
         \t\"한글\": \"a && b\"\n}}",
        json!(allow),
        hooks.join(",\n")
    )
    .into_bytes()
}

/// The client in a terminal of its own (tmux).
pub struct Tui {
    socket: PathBuf,
    vars: Vec<(String, OsString)>,
}

impl Tui {
    fn start(world: &World, args: &[&str]) -> Self {
        let env = &world.env;
        let socket = env.base().join("tmux");
        let conf = "set -g remain-on-exit on\nset -g history-limit 20000\nset -g status off\nset -s escape-time 0\n";
        let conf = env.write(env.base().join("tmux.conf"), conf);
        let vars = env
            .vars()
            .iter()
            .map(|(k, v)| (k.clone(), v.clone()))
            .collect();
        let tui = Self { socket, vars };
        let mut cmd = tui.tmux();
        cmd.arg("-f")
            .arg(conf)
            .args(["new-session", "-d", "-x", "160", "-y", "50"]);
        cmd.arg("-c").arg(env.project());
        cmd.arg("--").arg(&world.exe).args(args);
        let out = cmd.output().expect("tmux");
        assert!(
            out.status.success(),
            "tmux: {}",
            String::from_utf8_lossy(&out.stderr)
        );
        tui.wait_for("❯");
        tui
    }

    fn tmux(&self) -> Command {
        let mut cmd = Command::new("tmux");
        cmd.env_clear().envs(self.vars.iter().cloned());
        cmd.arg("-S").arg(&self.socket);
        cmd
    }

    fn call(&self, args: &[&str]) -> String {
        let out = self.tmux().args(args).output().expect("tmux");
        String::from_utf8_lossy(&out.stdout).into_owned()
    }

    /// What stands on the screen, with what was scrolled off.
    pub fn screen(&self) -> String {
        self.call(&["capture-pane", "-p", "-S", "-500"])
    }

    /// Waits until a text stands on the screen (white space ignored: the client breaks lines).
    #[track_caller]
    pub fn wait_for(&self, text: &str) {
        let there = wait::holds(LIMIT, || self.shows(text));
        assert!(
            there,
            "{text:?} did not come up on the screen:\n{}",
            self.screen()
        );
    }

    /// Whether a text stands on the screen.
    pub fn shows(&self, text: &str) -> bool {
        squeeze(&self.screen()).contains(&squeeze(text))
    }

    /// Types a text, waits until it is in the input, and sends it.
    #[track_caller]
    pub fn send(&self, text: &str) {
        self.text(text);
        self.key("Enter");
    }

    /// Types a text and waits until it is in the input.
    #[track_caller]
    pub fn text(&self, text: &str) {
        let before = squeeze(&self.screen()).matches(&squeeze(text)).count();
        let echo = || squeeze(&self.screen()).matches(&squeeze(text)).count() > before;
        // A dialogue that has just opened drops what is typed into it; a client that starts keeps it
        // for later, and then it is taken out again.
        let echoed = (0..4).any(|again| {
            if again > 0 {
                self.key("C-u");
            }
            self.call(&["send-keys", "-l", text]);
            wait::holds(LIMIT / 4, echo)
        });
        assert!(echoed, "{text:?} was not echoed:\n{}", self.screen());
        // Keys that follow faster than a person types are taken for a paste, line end included.
        std::thread::sleep(Duration::from_millis(250));
    }

    /// Presses a key, by tmux's name for it.
    pub fn key(&self, key: &str) {
        self.call(&["send-keys", key]);
    }

    /// Presses a key until a text comes up: a dialogue that has just opened may not listen yet.
    #[track_caller]
    pub fn key_until(&self, key: &str, text: &str) {
        for _ in 0..5 {
            self.key(key);
            if wait::holds(Duration::from_secs(3), || self.shows(text)) {
                return;
            }
        }
        panic!("{key} does not bring {text:?} up:\n{}", self.screen());
    }

    /// Whether the client has ended.
    pub fn ended(&self) -> bool {
        self.call(&["list-panes", "-F", "#{pane_dead}"]).trim() != "0"
    }

    /// Leaves the client with `/exit` and waits for its end.
    #[track_caller]
    pub fn exit(self) {
        self.send("/exit");
        let ended = wait::holds(LIMIT, || self.ended());
        assert!(ended, "the client does not end:\n{}", self.screen());
    }
}

impl Drop for Tui {
    fn drop(&mut self) {
        if std::thread::panicking() {
            let screen = self.screen();
            let _ = writeln!(std::io::stderr(), "--- screen\n{}", screen.trim_end());
        }
        self.call(&["kill-server"]);
    }
}

fn squeeze(text: &str) -> String {
    text.chars().filter(|c| !c.is_whitespace()).collect()
}
