//! A home with one project, its transcripts and its record.
#![allow(dead_code, reason = "each test file uses what it needs")]
#![allow(clippy::unwrap_used, reason = "a test may panic")]

use chrono::{DateTime, Local, NaiveDate, TimeDelta, Utc};
use claude_hook::{PromptId, Role, SessionId};
use mnemo_home::{Config, Env};
use reconcile::{Job, Summary, Window};
use record::Record;
use record::day::{self, Marker, NewEntry};
use record::root::Root;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

pub(crate) const ONE: &str = "11111111-aaaa-4aaa-8aaa-aaaaaaaaaaaa";
pub(crate) const TWO: &str = "22222222-bbbb-4bbb-8bbb-bbbbbbbbbbbb";
pub(crate) const FORK: &str = "33333333-cccc-4ccc-8ccc-cccccccccccc";

pub(crate) struct World {
    _home: TempDir,
    home: PathBuf,
    root: PathBuf,
    begin: DateTime<Utc>,
}

impl World {
    pub(crate) fn new() -> Self {
        Self::in_project("demo")
    }

    pub(crate) fn in_project(name: &str) -> Self {
        let dir = tempfile::tempdir().unwrap();
        let home = dir.path().canonicalize().unwrap();
        let root = home.join("work").join(name);
        fs::create_dir_all(root.join(".git")).unwrap();
        // Talks are held at noon of the local day, whatever the machine's clock says.
        let noon = Local::now()
            .date_naive()
            .and_hms_opt(12, 0, 0)
            .unwrap()
            .and_local_timezone(Local)
            .unwrap();
        Self {
            _home: dir,
            home,
            root,
            begin: noon.with_timezone(&Utc),
        }
    }

    /// Talks begin ten seconds before midnight.
    pub(crate) fn at_midnight() -> Self {
        let mut world = Self::new();
        let midnight = Local::now()
            .date_naive()
            .and_hms_opt(0, 0, 0)
            .unwrap()
            .and_local_timezone(Local)
            .earliest()
            .unwrap();
        world.begin = midnight.with_timezone(&Utc) - TimeDelta::seconds(10);
        world
    }

    /// Talks begin an hour ago.
    pub(crate) fn an_hour_ago() -> Self {
        Self {
            begin: Utc::now() - TimeDelta::hours(1),
            ..Self::new()
        }
    }

    pub(crate) fn env(&self) -> Env {
        let home = self.home.to_str().unwrap();
        Env::from_pairs([("HOME", home)])
    }

    pub(crate) fn home(&self) -> &Path {
        &self.home
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn today(&self) -> NaiveDate {
        self.begin.with_timezone(&Local).date_naive()
    }

    pub(crate) fn project_beside(&self, name: &str) -> PathBuf {
        let root = self.home.join("work").join(name);
        fs::create_dir_all(root.join(".git")).unwrap();
        root
    }

    pub(crate) fn talk(&self, session: &'static str) -> Talk {
        Talk {
            session,
            lines: Vec::new(),
            now: self.begin,
            began: self.begin,
            cwd: self.root.clone(),
            version: "2.1.332",
            parent: None,
            count: 0,
        }
    }

    pub(crate) fn transcript(&self, session: &str) -> PathBuf {
        self.folder(&self.root).join(format!("{session}.jsonl"))
    }

    fn folder(&self, start: &Path) -> PathBuf {
        self.home
            .join(".claude/projects")
            .join(claude_home::slug(start))
    }

    pub(crate) fn save(&self, talk: &Talk) {
        self.save_under(talk, &self.root);
    }

    pub(crate) fn save_under(&self, talk: &Talk, start: &Path) {
        let folder = self.folder(start);
        fs::create_dir_all(&folder).unwrap();
        let mut text = talk.lines.join("\n");
        text.push('\n');
        fs::write(folder.join(format!("{}.jsonl", talk.session)), text).unwrap();
    }

    /// Makes a transcript look as if it had last changed so long ago.
    pub(crate) fn age(&self, session: &str, by: Duration) {
        let file = fs::File::options()
            .write(true)
            .open(self.transcript(session))
            .unwrap();
        file.set_modified(SystemTime::now() - by).unwrap();
    }

    pub(crate) fn record(&self) -> Record {
        Record::open(Root::find(&self.root, &self.env()).unwrap()).unwrap()
    }

    /// What a hook would have written.
    pub(crate) fn hook(
        &self,
        role: Role,
        session: &str,
        turn: Option<&str>,
        body: &str,
        at: DateTime<Utc>,
    ) {
        let record = self.record();
        let marker = Marker::new(
            &SessionId::new(session).unwrap(),
            turn.and_then(PromptId::new).as_ref(),
            None,
        );
        let entry = NewEntry {
            role,
            time: None,
            marker,
            body: redact::clean(body, redact::Policy { secrets: true }),
        };
        record
            .conversations()
            .unwrap()
            .append(at.with_timezone(&Local), &[entry])
            .unwrap();
    }

    pub(crate) fn repair(&self, change: impl FnOnce(&mut Job)) -> Summary {
        let mut job = Job {
            window: Window::All,
            not_before: None,
            finished: false,
            own_session: None,
            transcript: None,
            moved_from: None,
            dry_run: false,
            budget: None,
            from_start: true,
        };
        change(&mut job);
        let (config, _) = Config::load(&self.env(), Some(&self.root));
        reconcile::repair(&self.record(), &job, &config, &self.env(), None).unwrap()
    }

    pub(crate) fn conversations(&self) -> PathBuf {
        self.root.join("conversations")
    }

    pub(crate) fn write_day(&self, text: &str) {
        fs::create_dir_all(self.conversations()).unwrap();
        let name = format!("{}-claude.md", self.today());
        fs::write(self.conversations().join(name), text).unwrap();
    }

    pub(crate) fn day_file(&self) -> String {
        let name = format!("{}-claude.md", self.today());
        fs::read_to_string(self.conversations().join(name)).unwrap()
    }

    /// All entries of all days, in order.
    pub(crate) fn bodies(&self) -> Vec<String> {
        let record = self.record();
        let mut bodies = Vec::new();
        for date in record.days().unwrap() {
            let bytes = fs::read(record.day_path(date).unwrap()).unwrap();
            bodies.extend(day::parse(&bytes).into_iter().map(|one| one.entry.body));
        }
        bodies
    }

    /// Names, sizes and times of what is in the conversations folder.
    pub(crate) fn listing(&self) -> Vec<(PathBuf, u64, SystemTime)> {
        let mut all: Vec<_> = fs::read_dir(self.conversations())
            .unwrap()
            .map(|entry| {
                let entry = entry.unwrap();
                let meta = entry.metadata().unwrap();
                (entry.path(), meta.len(), meta.modified().unwrap())
            })
            .collect();
        all.sort();
        all
    }
}

/// A transcript in the making, in the shape that Claude Code writes.
#[derive(Clone)]
pub(crate) struct Talk {
    session: &'static str,
    lines: Vec<String>,
    now: DateTime<Utc>,
    began: DateTime<Utc>,
    cwd: PathBuf,
    version: &'static str,
    parent: Option<String>,
    count: u32,
}

impl Talk {
    pub(crate) fn began(&self) -> DateTime<Utc> {
        self.began
    }
    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.now
    }
    pub(crate) fn wait(&mut self, seconds: i64) {
        self.now += TimeDelta::seconds(seconds);
    }
    pub(crate) fn cwd(&mut self, cwd: &Path) {
        self.cwd = cwd.to_path_buf();
    }
    /// Goes on with uuids that were not used yet.
    pub(crate) fn other_uuids(&mut self) {
        self.count += 5000;
    }
    pub(crate) fn version(&mut self, version: &'static str) {
        self.version = version;
    }
    pub(crate) fn raw(&mut self, line: &str) {
        self.lines.push(line.to_owned());
    }

    fn stamp(&self) -> String {
        self.now
            .to_rfc3339_opts(chrono::SecondsFormat::Millis, true)
    }

    fn line(&mut self, mut value: Value) {
        let uuid = format!("{}-{:04}", &self.session[..8], self.count);
        self.count += 1;
        let map = value.as_object_mut().unwrap();
        map.insert("parentUuid".into(), json!(self.parent));
        map.insert("uuid".into(), json!(uuid));
        map.insert("isSidechain".into(), json!(false));
        map.insert("timestamp".into(), json!(self.stamp()));
        map.insert("sessionId".into(), json!(self.session));
        map.insert("cwd".into(), json!(self.cwd));
        map.insert("version".into(), json!(self.version));
        self.parent = Some(uuid);
        self.lines.push(value.to_string());
    }

    pub(crate) fn prompt(&mut self, turn: &str, text: &str) -> &mut Self {
        self.now += TimeDelta::seconds(1);
        let mut value = json!({
            "type": "user", "message": {"role": "user", "content": text},
            "permissionMode": "default",
        });
        if !turn.is_empty() {
            value["promptId"] = json!(turn);
            value["promptSource"] = json!("typed");
        }
        self.line(value);
        self
    }

    fn message(&mut self, content: &Value, stop: &str) {
        self.now += TimeDelta::seconds(1);
        let id = format!("msg_{}_{}", &self.session[..8], self.count);
        self.line(json!({
            "type": "assistant", "requestId": format!("req_{id}"),
            "message": {"id": id, "role": "assistant", "model": "claude-opus-5-5",
                "content": [content], "stop_reason": stop},
        }));
    }

    /// A text that a tool call follows.
    pub(crate) fn say(&mut self, _turn: &str, text: &str) -> &mut Self {
        self.message(&json!({"type": "text", "text": text}), "tool_use");
        self
    }

    /// A text that ends the turn.
    pub(crate) fn answer(&mut self, _turn: &str, text: &str) -> &mut Self {
        self.message(&json!({"type": "text", "text": text}), "end_turn");
        self
    }

    pub(crate) fn tool(&mut self, turn: &str) -> &mut Self {
        let id = format!("toolu_{}", self.count);
        self.message(
            &json!({"type": "tool_use", "id": id, "name": "Bash", "input": {"command": "true"}}),
            "tool_use",
        );
        let mut value = json!({
            "type": "user", "toolUseResult": {"stdout": ""},
            "message": {"role": "user", "content": [
                {"type": "tool_result", "tool_use_id": id, "content": "", "is_error": false}]},
        });
        if !turn.is_empty() {
            value["promptId"] = json!(turn);
        }
        self.line(value);
        self
    }

    /// A prompt absorbed by a running turn, as 2.1.59 leaves it.
    pub(crate) fn queued_only(&mut self, text: &str) -> &mut Self {
        self.now += TimeDelta::seconds(1);
        let stamp = self.stamp();
        self.lines.push(
            json!({"type": "queue-operation", "operation": "enqueue", "timestamp": stamp,
                "sessionId": self.session, "content": text})
            .to_string(),
        );
        self.lines.push(
            json!({"type": "queue-operation", "operation": "remove", "timestamp": stamp,
                "sessionId": self.session})
            .to_string(),
        );
        self
    }

    /// `--fork-session` of 2.1.332: the same records under a new session and prompt id.
    pub(crate) fn fork(&self, session: &'static str, turn: &str) -> Self {
        let mut fork = self.copy(session, |value| {
            if value.get("promptId").is_some() {
                value["promptId"] = json!(turn);
            }
        });
        fork.count = 1000;
        fork
    }

    /// History repeated by a resumed session: fresh uuids, the same messages.
    pub(crate) fn repeated(&self, session: &'static str) -> Self {
        let fresh = |old: &Value| {
            old.as_str()
                .map_or(Value::Null, |old| json!(format!("fresh-{old}")))
        };
        let mut copy = self.copy(session, |value| {
            value["uuid"] = fresh(&value["uuid"]);
            value["parentUuid"] = fresh(&value["parentUuid"]);
        });
        copy.parent = self.parent.as_ref().map(|old| format!("fresh-{old}"));
        copy.count = 1000;
        copy
    }

    fn copy(&self, session: &'static str, change: impl Fn(&mut Value)) -> Self {
        let lines = self.lines.iter().map(|line| {
            let mut value: Value = serde_json::from_str(line).unwrap();
            value["sessionId"] = json!(session);
            change(&mut value);
            value.to_string()
        });
        Self {
            session,
            lines: lines.collect(),
            ..self.clone()
        }
    }
}
