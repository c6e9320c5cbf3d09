//! What must not reach the disk does not, wherever it stands in what the hooks and the repair see,
//! and what only looks like a secret stays as it was.
//!
//! Every place has secrets of its own, put together here, so that a find tells which place leaks.
#![allow(
    clippy::unwrap_used,
    clippy::too_many_lines,
    reason = "tests, and the tables they go through"
)]

use mnemo_tests::tree::{Node, Tree};
use mnemo_tests::{Session, TestEnv, assistant, user};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const NOW: &str = "2026-11-30T14:03:22Z";

/// Letters and digits that look random, always the same for a seed.
struct Dice(u64);

impl Dice {
    fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ 0x2545_F491_4F6C_DD1D)
    }

    fn draw(&mut self, n: usize, from: &[u8]) -> String {
        (0..n)
            .map(|_| {
                self.0 = self
                    .0
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let at = usize::try_from(self.0 >> 33).unwrap() % from.len();
                char::from(from[at])
            })
            .collect()
    }

    fn mixed(&mut self, n: usize) -> String {
        const ALL: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
        // A digit and both cases in each, as real ones have.
        let mut text = self.draw(n.saturating_sub(3), ALL);
        text.push_str(&self.draw(1, b"23456789"));
        text.push_str(&self.draw(1, b"KLMNPQRS"));
        text.push_str(&self.draw(1, b"ghijkmnp"));
        text
    }

    fn hex(&mut self, n: usize) -> String {
        self.draw(n, b"0123456789abcdef")
    }

    fn upper(&mut self, n: usize) -> String {
        self.draw(n, b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
    }
}

/// Something secret: how it is written, and what of it must not be found.
#[derive(Debug, Clone)]
struct Secret {
    name: String,
    text: String,
    cores: Vec<String>,
}

/// `~` in a template stands for something random.
fn secret(template: &str, cores: &[String]) -> Secret {
    let mut text = String::new();
    let mut cores_left = cores.iter();
    for part in template.split('~') {
        text.push_str(part);
        text.push_str(cores_left.next().map_or("", String::as_str));
    }
    Secret {
        name: template.to_owned(),
        text,
        cores: cores.to_vec(),
    }
}

/// One of each kind.
fn secrets(seed: u64) -> Vec<Secret> {
    let mut dice = Dice::new(seed + 1);
    let mut all = Vec::new();
    for (template, lengths) in [
        ("ghp_~", &[36][..]),
        ("gho_~", &[36]),
        ("ghs_~", &[36]),
        ("ghr_~", &[76]),
        ("github_pat_~_~", &[22, 59]),
        ("glpat-~", &[20]),
        ("gldt-~", &[20]),
        ("xoxb-123456789012-1234567890123-~", &[24]),
        ("xoxp-123456789012-123456789012-~", &[32]),
        ("sk_live_~", &[24]),
        ("rk_live_~", &[99]),
        ("whsec_~", &[32]),
        ("sk-proj-~-~_~", &[40, 20, 40]),
        ("sk-~", &[48]),
        ("sk-ant-api03-~-~AA", &[60, 32]),
        ("AIza~", &[35]),
        ("ya29.~", &[60]),
        ("GOCSPX-~", &[28]),
        ("npm_~", &[36]),
        ("pypi-AgEIcHlwaS5vcmc~", &[80]),
        ("dckr_pat_~", &[27]),
        ("hf_~", &[34]),
        ("SG.~.~", &[22, 43]),
        ("sq0atp-~", &[22]),
        ("lin_api_~", &[40]),
        ("ntn_~", &[46]),
        ("figd_~", &[40]),
        ("hvs.~", &[90]),
        ("dp.pt.~", &[43]),
        ("gsk_~", &[52]),
        ("ATATT3~", &[180]),
        ("123456789:AA~", &[33]),
        ("eyJhbGciOiJIUzI1NiJ9.eyJ~.~", &[40, 43]),
        ("DB_PASSWORD=~", &[24]),
        ("export API_TOKEN='~'", &[24]),
        ("password: ~", &[16]),
        ("{\"client_secret\": \"~\"}", &[24]),
        ("{\\\"password\\\":\\\"~\\\"}", &[20]),
        ("tool --password ~ db", &[18]),
        ("비밀번호: ~", &[14]),
        ("密码：~。", &[16]),
        ("Passwort: ~", &[16]),
        ("curl -H \"Authorization: Bearer ~\"", &[30]),
        ("curl -u admin:~ https://example.com", &[20]),
        ("postgres://app:~@db.example.com:5432/x", &[24]),
        ("https://oauth2:~@gitlab.com/a/b.git", &[24]),
        ("https://example.com/cb?access_token=~&state=1", &[24]),
        (
            "https://hooks.slack.com/services/T0ABCDEF0/B0ABCDEF0/~",
            &[24],
        ),
        ("AccountName=a;AccountKey=~==;EndpointSuffix=x", &[60]),
        ("aws_secret_access_key = ~", &[40]),
        ("mysql -uroot -p~ shop", &[20]),
        ("sshpass -p '~' ssh me@h", &[16]),
        ("docker login -u me -p ~ r.example.com", &[24]),
        ("echo \"root:~\" | sudo chpasswd", &[18]),
        ("htpasswd -nb me ~", &[18]),
        ("Cookie: sid=~; theme=dark", &[32]),
        ("ALTER ROLE app WITH PASSWORD '~';", &[18]),
        ("https://~@github.com/a/b.git", &[24]),
        ("password: |\n  ~", &[24]),
        ("| user | password |\n|---|---|\n| me | ~ |", &[16]),
        ("password = \"\"\"~\"\"\"", &[18]),
        ("<add key=\"DbPassword\" value=\"~\" />", &[18]),
        ("the password is ~.", &[16]),
        ("https://b.s3.amazonaws.com/k?X-Amz-Signature=~&x=1", &[64]),
        ("db.example.com:5432:shop:app:~", &[18]),
    ] {
        let cores: Vec<String> = lengths.iter().map(|n| dice.mixed(*n)).collect();
        all.push(secret(template, &cores));
    }
    for (template, lengths) in [
        ("SK~", &[32][..]),
        ("key-~", &[32]),
        ("shpat_~", &[32]),
        ("dapi~", &[32]),
        ("dop_v1_~", &[64]),
        ("sbp_~", &[40]),
        ("PMAK-~-~", &[24, 34]),
    ] {
        let cores: Vec<String> = lengths.iter().map(|n| dice.hex(*n)).collect();
        all.push(secret(template, &cores));
    }
    for (template, length) in [("AKIA~", 16), ("ASIA~", 16), ("AGE-SECRET-KEY-1~", 58)] {
        let core = dice.upper(length);
        all.push(secret(template, &[core]));
    }
    for label in ["RSA PRIVATE KEY", "OPENSSH PRIVATE KEY"] {
        let begin = format!("-----{} {label}-----", "BEGIN");
        let template = format!("{begin}\n~\n~\n-----{} {label}-----", "END");
        let cores = [dice.mixed(64), dice.mixed(40)];
        all.push(secret(&template, &cores));
    }
    all
}

/// What is no secret.
fn look_alikes() -> Vec<String> {
    let mut dice = Dice::new(99);
    let mut all = vec![
        format!("commit {}", dice.hex(40)),
        format!("git show {}", dice.hex(7)),
        format!("sha256:{}", dice.hex(64)),
        format!("SHA256:{}", dice.mixed(43)),
        format!("\"integrity\": \"sha512-{}==\"", dice.mixed(86)),
        format!("checksum = \"{}\"", dice.hex(64)),
        format!("pk_live_{}", dice.mixed(24)),
        format!("AC{}", dice.hex(32)),
        format!("etag: W/\"{}\"", dice.hex(32)),
        format!("{}{}", "AKIA", dice.upper(12)),
        format!("ghp_{}", "x".repeat(36)),
        format!("sk-{}", "x".repeat(48)),
        format!("cache_key: {}", dice.hex(32)),
        format!("public_key = \"{}\"", dice.mixed(44)),
        format!(
            "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{} me@host",
            dice.mixed(43)
        ),
        format!(
            "![shot](data:image/png;base64,iVBORw0KGgo{})",
            dice.mixed(300)
        ),
        format!(
            "-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----",
            dice.mixed(64)
        ),
    ];
    all.extend(
        [
            "550e8400-e29b-41d4-a716-446655440000",
            "token: <your-token>",
            "password: xxxx",
            "PASSWORD=changeme",
            "TOKEN=${TOKEN}",
            "password: $PASSWORD",
            "token: \"{{ secrets.TOKEN }}\"",
            "GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}",
            "api_key = process.env.API_KEY",
            "API_KEY = os.environ.get(\"API_KEY\")",
            "token = get_token()",
            "password: ********",
            "API_KEY=YOUR_API_KEY",
            "token: null",
            "\"password\": \"\"",
            "password: string",
            "token: &'a str,",
            "fn login(user: &str, password: &str) -> Token {",
            "use Bearer tokens for that",
            "Authorization: Bearer $TOKEN",
            "authorization: required for all routes",
            "the password: see vault",
            "max_tokens: 4096",
            "input_tokens=1234567890",
            "<input type=\"password\" name=\"password\">",
            "task-list-of-all-my-important-things-2024",
            "risk-assessment1234567890abcdef",
            "https://user@example.com/x",
            "npm i @scope/pkg@1.2.3",
            "git@github.com:a/b.git",
            "postgres://user:<password>@host/db",
            "postgres://$USER:$PASS@host",
            "PWD=/home/me/project",
            "password_file: /run/secrets/db",
            "secret: op://vault/item/field",
            "login(user, password=password)",
            "password === confirmPassword",
            "비밀번호를 잊었어요",
            "Passwort vergessen? Hier klicken",
            "password: must be at least 8 characters",
            "docker run -u 1000:1000 x",
            "docker run -p 8080:80 x",
            "mysql -u root -p shop",
            "ssh -p 2222 me@h",
            "sshpass -p $PASS ssh h",
            "Cookie: none",
            "| password | required |",
            "the password is sha256 hashed",
            "ALTER ROLE app WITH PASSWORD '<password>'",
            "curl -u $USER:$PASS https://example.com",
            "echo \"root:$PASS\" | chpasswd",
            "docker login --password-stdin",
            "tests pass: 120/120",
            "[REDACTED:password]",
            "sk-...",
            "secret_name: prod-db",
        ]
        .map(str::to_owned),
    );
    all
}

/// A text for each place; the number is the place's.
type Texts<'a> = &'a dyn Fn(u64) -> String;

/// The places, for the reports.
const PLACES: [&str; 31] = [
    "prompt",
    "text before a tool",
    "last text",
    "Bash command",
    "Bash description",
    "tool output",
    "deep in a tool output",
    "in a list of a tool output",
    "key of a tool output",
    "error of a failed command",
    "command that failed",
    "agent description",
    "agent prompt",
    "agent output",
    "file content",
    "edit, old string",
    "edit, new string",
    "address",
    "search",
    "skill's arguments",
    "server tool, input",
    "server tool, error",
    "path inside",
    "path outside",
    "repaired prompt",
    "repaired command's arguments",
    "repaired queued prompt",
    "repaired answer",
    "repaired refusal",
    "repaired text before a tool",
    "repaired last text",
];

/// Whether a text can be part of a file's name.
fn names_a_file(text: &str) -> bool {
    !text.contains(['/', '\n', ' ', '"', '\\', '<', '>', '$', '{', '='])
}

/// What the hooks are told in one turn; what the tools were called with.
fn turn(env: &TestEnv, session: &mut Session, turn: &str, text: Texts<'_>) -> Vec<Told> {
    let prompt = format!("please use {} here", text(0));
    env.hook("prompt-save", &session.prompt(turn, &prompt))
        .silent();
    session.says(turn, &prompt);
    session.answers(&format!("first {} block", text(1)), Some("tool_use"));
    let mut told = Vec::new();
    let mut ok = |session: &mut Session, tool: &str, input: Value, output: Value| {
        let (_, call) = session.calls(tool, &input);
        session.result(turn, &call, &output.to_string(), false);
        env.hook("tool-log", &session.tool(turn, tool, &input, &output))
            .silent();
        told.push(Told::new(tool, input, output, false));
    };
    ok(
        session,
        "Bash",
        json!({"command": format!("echo {}", text(3)), "description": text(4)}),
        json!({
            "stdout": format!("out {}\n", text(5)),
            "nested": {"a": [{"deep": text(6)}], "list": [text(7), "after"]},
            text(8): 1,
        }),
    );
    ok(
        session,
        "Agent",
        json!({"subagent_type": "Explore", "description": format!("look {}", text(11)), "prompt": text(12)}),
        json!({"content": [{"type": "text", "text": text(13)}]}),
    );
    let (inside, outside) = (text(22), text(23));
    let inside = if names_a_file(&inside) {
        inside
    } else {
        "plain".to_owned()
    };
    let outside = if names_a_file(&outside) {
        outside
    } else {
        "plain".to_owned()
    };
    ok(
        session,
        "Write",
        json!({"file_path": env.project().join(format!("conf/{inside}")), "content": text(14)}),
        json!({"type": "create"}),
    );
    ok(
        session,
        "Edit",
        json!({"file_path": format!("/srv/{outside}/x"), "old_string": text(15), "new_string": text(16)}),
        json!({}),
    );
    ok(
        session,
        "WebFetch",
        json!({"url": format!("https://example.com/?q={}", text(17))}),
        json!("page"),
    );
    ok(
        session,
        "WebSearch",
        json!({"query": text(18)}),
        json!("found"),
    );
    ok(
        session,
        "Skill",
        json!({"skill": "deploy", "args": text(19)}),
        json!({"success": true}),
    );
    let mut fail = |session: &mut Session, tool: &str, input: Value, error: String| {
        env.hook("tool-log", &session.tool_failed(turn, tool, &input, &error))
            .silent();
        told.push(Told::new(tool, input, json!(error), true));
    };
    fail(
        session,
        "Bash",
        json!({"command": text(10)}),
        format!("Exit code 1\n{}", text(9)),
    );
    fail(
        session,
        "mcp__db__query",
        json!({"a": {"b": [{"c": text(20)}]}}),
        text(21),
    );
    let last = format!("last {} block", text(2));
    env.hook("response-save", &session.stop(turn, &last))
        .silent();
    env.hook("stop-trigger", &session.stop(turn, &last)).ok();
    session.answers(&last, Some("end_turn"));
    told
}

/// A tool call, as an observation should have it.
#[derive(Debug)]
struct Told {
    tool: String,
    input: Value,
    output: Value,
    failed: bool,
}

impl Told {
    fn new(tool: &str, input: Value, output: Value, failed: bool) -> Self {
        let tool = tool.to_owned();
        Self {
            tool,
            input,
            output,
            failed,
        }
    }

    fn is_observed(&self) -> bool {
        self.failed || !matches!(self.tool.as_str(), "WebFetch" | "WebSearch")
    }
}

/// A turn that only the transcript knows; what the record should say of it.
fn unseen(session: &mut Session, turn: &str, text: Texts<'_>) -> Vec<mnemo_tests::Turn> {
    let prompt = format!("please use {} here", text(24));
    session.says(turn, &prompt);
    session.answers(&format!("first {} block", text(29)), Some("tool_use"));
    let (_, call) = session.calls("Bash", &json!({"command": "sleep 9"}));
    let queued = format!("and {} too", text(26));
    session.line(json!({
        "type": "attachment",
        "attachment": {"type": "queued_command", "prompt": queued, "commandMode": "prompt", "timestamp": session.clock},
    }));
    session.result(turn, &call, "x", false);
    let question = json!({"questions": [{"question": "Which?", "options": [{"label": "Red"}]}]});
    let (_, call) = session.calls("AskUserQuestion", &question);
    let answer = format!("mine: {}", text(27));
    session.line(json!({
        "type": "user",
        "promptId": turn,
        "toolUseResult": {"questions": question["questions"], "answers": {"Which?": answer}},
        "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call, "content": "answered"}]},
    }));
    let (_, call) = session.calls("Bash", &json!({"command": "rm x"}));
    let refusal = format!("no, {} first", text(28));
    session.result(
        turn,
        &call,
        &format!(
            "The user doesn't want to proceed with this tool use. The tool use was rejected \
             (eg. if it was a file edit, the new_string was NOT written to the file). To tell you \
             how to proceed, the user said:\n{refusal}"
        ),
        true,
    );
    session.answers(&format!("last {} block", text(30)), Some("end_turn"));
    let command = format!("{turn}-c");
    let arguments = text(25);
    session.line(json!({
        "type": "user",
        "promptId": command,
        "message": {"role": "user", "content": format!(
            "<command-message>deploy</command-message>\n<command-name>/deploy</command-name>\n\
             <command-args>{arguments}</command-args>")},
    }));
    session.line(json!({
        "type": "user", "isMeta": true, "promptId": command,
        "message": {"role": "user", "content": [{"type": "text", "text": "The skill's text."}]},
    }));
    session.answers("Deployed.", Some("end_turn"));
    vec![
        user(prompt),
        user(queued),
        user(format!("> Which?\n\n{answer}")),
        user(refusal),
        assistant(format!(
            "first {} block\n\nlast {} block",
            text(29),
            text(30)
        )),
        user(format!("/deploy {arguments}")),
        assistant("Deployed."),
    ]
}

/// All that mnemo wrote, or could have: everything but the client's transcripts and git's objects.
fn written(env: &TestEnv) -> Tree {
    let mut tree = Tree::of(env.base());
    tree.0.retain(|name, _| {
        let transcript = name.starts_with("home/.claude/projects/")
            && Path::new(name)
                .extension()
                .is_some_and(|end| end == "jsonl");
        !transcript && !name.contains(".git/objects")
    });
    tree
}

/// The length of a part that must not be found.
const PART: usize = 12;

/// What must not be found, by part.
#[derive(Default)]
struct Hunt(HashMap<Vec<u8>, String>);

impl Hunt {
    fn add(&mut self, core: &str, whose: &str) {
        for part in core.as_bytes().windows(PART.min(core.len())) {
            assert_eq!(part.len(), PART, "{core:?} is too short to be told apart");
            self.0
                .entry(part.to_vec())
                .or_insert_with(|| whose.to_owned());
        }
    }

    /// In bytes as they are, with JSON's and URLs' escapes taken off, and with what may stand
    /// between two halves taken out.
    fn search(&self, place: &str, bytes: &[u8], found: &mut BTreeSet<String>) {
        for (form, bytes) in [
            ("as it is", bytes.to_vec()),
            ("unescaped", unescaped(bytes)),
            ("percent-decoded", percent_decoded(bytes)),
            ("joined", joined(bytes)),
        ] {
            let mut at = 0;
            while let Some(part) = bytes.get(at..at + PART) {
                if let Some(whose) = self.0.get(part) {
                    let around = bytes
                        .get(at.saturating_sub(60)..bytes.len().min(at + 60))
                        .unwrap();
                    found.insert(format!(
                        "{whose} stands in {place} ({form}): …{}…",
                        String::from_utf8_lossy(around).escape_debug()
                    ));
                    at += 200;
                }
                at += 1;
            }
        }
    }

    fn search_tree(&self, tree: &Tree, found: &mut BTreeSet<String>) {
        for (name, node) in &tree.0 {
            self.search(&format!("the name {name}"), name.as_bytes(), found);
            match node {
                Node::File(_, bytes) => self.search(name, bytes, found),
                Node::Link(to) => self.search(name, to.as_os_str().as_encoded_bytes(), found),
                _ => {}
            }
        }
    }
}

fn unescaped(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let hex = |range: std::ops::Range<usize>| {
            let digits = std::str::from_utf8(bytes.get(range)?).ok()?;
            u8::from_str_radix(digits, 16).ok()
        };
        if byte == b'\\'
            && bytes.get(at + 1..at + 4) == Some(b"u00")
            && hex(at + 4..at + 6).is_some()
        {
            out.extend(hex(at + 4..at + 6));
            at += 6;
            continue;
        }
        if byte != b'\\' {
            out.push(byte);
        }
        at += 1;
    }
    out
}

fn percent_decoded(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let code = bytes
            .get(at + 1..at + 3)
            .filter(|_| byte == b'%')
            .and_then(|digits| u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok());
        out.push(code.unwrap_or(byte));
        at += if code.is_some() { 3 } else { 1 };
    }
    out
}

fn joined(bytes: &[u8]) -> Vec<u8> {
    bytes
        .iter()
        .copied()
        .filter(|b| !b.is_ascii_whitespace() && !matches!(b, b'\\' | b'"' | b'\''))
        .collect()
}

#[track_caller]
fn nothing(found: &BTreeSet<String>) {
    let mut text = String::new();
    for line in found.iter().take(40) {
        let _ = writeln!(text, "{line}");
    }
    assert!(found.is_empty(), "{} finds:\n{text}", found.len());
}

fn installed() -> TestEnv {
    let mut env = TestEnv::new();
    env.umask(0o000).now("2026-11-28T00:00:00Z");
    env.mnemo(&["install"]).ok();
    env.now(NOW);
    env
}

fn other(env: &TestEnv, n: u32) -> Session {
    Session::new(env, &format!("{n:08x}-0000-4000-8000-00000000000{n}"))
}

/// Modes of all that mnemo made.
fn check_modes(env: &TestEnv) {
    let state = env
        .state()
        .strip_prefix(env.base())
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned();
    let mut seen = 0;
    for (name, node) in &Tree::of(env.base()).0 {
        let of_record = ["proj/conversations", "proj/memory", "proj/MEMORY.md"]
            .iter()
            .any(|ours| Path::new(name).starts_with(ours));
        let of_auto =
            name.contains("/memory/.consolidate-state") || name.ends_with(".consolidate-state");
        if !of_record && !of_auto && !Path::new(name).starts_with(&state) {
            continue;
        }
        seen += 1;
        match node {
            Node::Dir(mode) => assert_eq!(*mode, 0o700, "{name}"),
            Node::File(mode, _) => assert_eq!(*mode, 0o600, "{name}"),
            _ => panic!("{name} is no file"),
        }
    }
    assert!(seen > 15, "{seen} files and folders");
}

#[test]
fn secrets_of_known_shape_reach_no_file() {
    let env = installed();
    let tables: Vec<Vec<Secret>> = (0..PLACES.len() as u64 + 10).map(secrets).collect();
    let count = tables[0].len();
    assert!(count >= 40);
    let mut hunt = Hunt::default();
    for (place, table) in tables.iter().enumerate() {
        let place = PLACES.get(place).unwrap_or(&"an odd place");
        for secret in table {
            for core in &secret.cores {
                hunt.add(core, &format!("{:?} ({place})", secret.name));
            }
        }
    }
    let mut found = BTreeSet::new();
    let text = |i: usize| {
        let tables = &tables;
        move |place: u64| tables[usize::try_from(place).unwrap()][i].text.clone()
    };
    let mut session = env.session();
    for i in 0..count {
        turn(&env, &mut session, &format!("turn-{i}"), &text(i));
    }
    // Off, damaged, cut in the middle.
    let odd = |place: usize, i: usize| tables[PLACES.len() + place][i].text.clone();
    for i in 0..count {
        let payload = session.prompt("off", &odd(0, i)).to_string();
        for hook in [
            "prompt-save",
            "response-save",
            "tool-log",
            "stop-trigger",
            "session-reconcile",
        ] {
            env.cmd(hook)
                .env("MNEMO_DISABLE", "1")
                .stdin(payload.clone())
                .run()
                .silent();
        }
        let mut payload = session.prompt("cut", &odd(1, i)).to_string();
        payload.truncate(payload.len() - 20);
        for hook in ["prompt-save", "tool-log"] {
            env.cmd(hook).stdin(payload.clone()).run().silent();
            env.cmd(hook).stdin(odd(2, i)).run().silent();
        }
    }
    let errors = fs::read(env.state().join("errors.log")).unwrap();
    hunt.search("the error log", &errors, &mut found);
    // Repair: looked at, by the hook, by hand.
    let mut hidden = other(&env, 7);
    for i in 0..count {
        hidden.raw(format!(
            "{{\"type\":\"user\",\"message\":{{\"content\":\"{} {}\n",
            i,
            joined_line(&odd(3, i))
        ));
        unseen(&mut hidden, &format!("unseen-{i}"), &text(i));
    }
    let mut printed = |args: &[&str]| {
        let done = env.mnemo(args).ok();
        hunt.search(&format!("{args:?}, stdout"), &done.stdout, &mut found);
        hunt.search(&format!("{args:?}, stderr"), &done.stderr, &mut found);
        done
    };
    let plan = printed(&["reconcile", "--dry-run", "--all", "--finished"]);
    assert!(
        plan.out().matches("would write").count() >= count,
        "{plan:?}"
    );
    let plan = printed(&["reconcile", "--dry-run", "--json", "--all", "--finished"]);
    assert!(
        plan.json()["planned"].as_array().unwrap().len() >= 4 * count,
        "{plan:?}"
    );
    env.hook("session-reconcile", &other(&env, 8).start("startup"))
        .silent();
    hunt.search_tree(&written(&env), &mut found);
    let mut printed = |args: &[&str]| {
        let done = env.mnemo(args).ok();
        hunt.search(&format!("{args:?}, stdout"), &done.stdout, &mut found);
        hunt.search(&format!("{args:?}, stderr"), &done.stderr, &mut found);
    };
    printed(&["reconcile", "--all", "--finished"]);
    printed(&["reconcile", "--all", "--finished", "--json"]);
    printed(&["status"]);
    printed(&["status", "--json"]);
    assert_eq!(env.turns().len(), count * (2 + 7));
    // The day files from nothing but transcripts.
    fs::remove_dir_all(env.project().join("conversations")).unwrap();
    printed(&["reconcile", "--all", "--finished"]);
    // Observations that move to the archive.
    for kind in ["gotchas", "learned"] {
        let path = env
            .project()
            .join(format!("memory/{kind}/observations.jsonl"));
        let mut bytes = fs::read(&path).unwrap();
        while bytes.len() < 10 << 20 {
            bytes.extend_from_slice(
                &[b"{\"filler\":\"".as_slice(), &[b'x'; 4000], b"\"}\n"].concat(),
            );
        }
        fs::write(&path, bytes).unwrap();
    }
    for i in 0..3 {
        let command = json!({"command": odd(4, i)});
        env.hook("tool-log", &session.tool("t", "Bash", &command, &json!({})))
            .silent();
        env.hook(
            "tool-log",
            &session.tool_failed("t", "Bash", &command, &odd(5, i)),
        )
        .silent();
    }
    let tree = written(&env);
    let archives = tree
        .names()
        .iter()
        .filter(|name| name.contains("/archive/"))
        .count();
    assert!(archives == 2, "{:?}", tree.names());
    hunt.search_tree(&tree, &mut found);
    nothing(&found);
    check_modes(&env);
    let left: Vec<&str> = tree
        .names()
        .into_iter()
        .filter(|name| name.starts_with("tmp/"))
        .collect();
    assert_eq!(left, Vec::<&str>::new());
}

fn joined_line(text: &str) -> String {
    text.replace('\n', " ")
}

/// The first 80 characters of a command, on one line.
fn flat(text: &str) -> String {
    let head: String = text.trim().chars().take(80).collect();
    head.replace(char::is_control, " ").trim_end().to_owned()
}

#[test]
fn look_alikes_stay_byte_for_byte() {
    let env = installed();
    let all = look_alikes();
    assert!(all.len() >= 40);
    let mut session = env.session();
    let mut turns = Vec::new();
    let mut told = Vec::new();
    for (i, text) in all.iter().enumerate() {
        told.extend(turn(&env, &mut session, &format!("turn-{i}"), &|_| {
            text.clone()
        }));
        turns.push(user(format!("please use {text} here")));
        turns.push(assistant(format!(
            "first {text} block\n\nlast {text} block"
        )));
    }
    assert_eq!(env.turns(), turns);
    // Tool log: commands, descriptions, addresses.
    let calls = env.calls();
    assert_eq!(calls.len(), told.len());
    let mut wrong = Vec::new();
    for (call, told) in calls.iter().zip(&told) {
        let want = match told.tool.as_str() {
            "Bash" => flat(told.input["command"].as_str().unwrap()),
            "Agent" => {
                let text = format!("Explore: {}", told.input["description"].as_str().unwrap());
                text.replace(char::is_control, " ").trim_end().to_owned()
            }
            "WebFetch" => told.input["url"].as_str().unwrap().replace('\n', " "),
            "WebSearch" => told.input["query"]
                .as_str()
                .unwrap()
                .trim()
                .replace('\n', " "),
            "Skill" => "deploy".to_owned(),
            "Write" => {
                let path = told.input["file_path"].as_str().unwrap();
                path.strip_prefix(&format!("{}/", env.project().display()))
                    .unwrap()
                    .to_owned()
            }
            "Edit" => told.input["file_path"].as_str().unwrap().to_owned(),
            _ => String::new(),
        };
        let want = if told.failed {
            format!("{want} — failed").trim().to_owned()
        } else {
            want
        };
        if call.detail != want {
            wrong.push(format!("tool log: {want:?} became {:?}", call.detail));
        }
    }
    // Observations: input and output are the JSON they were.
    let tree = env.tree();
    let mut lines: BTreeMap<bool, Vec<Value>> = BTreeMap::new();
    for (failed, kind) in [(true, "gotchas"), (false, "learned")] {
        let bytes = tree.file(&format!("memory/{kind}/observations.jsonl"));
        let of_kind = std::str::from_utf8(bytes).unwrap().lines();
        lines.insert(
            failed,
            of_kind.map(|l| serde_json::from_str(l).unwrap()).collect(),
        );
    }
    let mut at = BTreeMap::from([(true, 0), (false, 0)]);
    for told in told.iter().filter(|told| told.is_observed()) {
        let next = at.get_mut(&told.failed).unwrap();
        let line = &lines[&told.failed][*next];
        *next += 1;
        assert_eq!(line["tool"], json!(told.tool));
        let mut input = told.input.clone();
        if let Some(path) = input["file_path"].as_str().map(str::to_owned) {
            let root = format!("{}/", env.project().display());
            input["file_path"] = json!(path.strip_prefix(&root).unwrap_or(&path));
        }
        for (name, whole) in [("input", &input), ("output", &told.output)] {
            let kept = line[name].as_str().unwrap();
            let same = match serde_json::from_str::<Value>(kept) {
                Ok(value) => value == *whole || json!(kept) == *whole,
                Err(_) => json!(kept) == *whole,
            };
            if !same {
                wrong.push(format!("{}, {name}: {whole} became {kept}", told.tool));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} of them:\n{}",
        wrong.len(),
        wrong.join("\n")
    );

    // Repaired, and shown before it is.
    let env = installed();
    let mut hidden = other(&env, 7);
    let mut turns = Vec::new();
    for (i, text) in all.iter().enumerate() {
        turns.extend(unseen(&mut hidden, &format!("unseen-{i}"), &|_| {
            text.clone()
        }));
    }
    let plan = env
        .mnemo(&["reconcile", "--dry-run", "--all", "--finished"])
        .ok()
        .out();
    for text in all
        .iter()
        .filter(|text| !text.contains('\n') && text.chars().count() < 45)
    {
        assert!(
            plan.contains(&format!("User please use {text} ")),
            "{text} in\n{plan}"
        );
    }
    env.mnemo(&["reconcile", "--all", "--finished"]).ok();
    assert_eq!(env.turns(), turns);
}

/// Where a text is cut, a secret lies on both sides of the cut.
#[test]
fn a_cut_through_a_secret_leaves_no_half_of_it() {
    let env = installed();
    let session = env.session();
    let mut hunt = Hunt::default();
    let mut seed = 1000;
    let picks = [
        "ghp_~",
        "DB_PASSWORD=~",
        "sk-ant-api03-~-~AA",
        "postgres://app:~@db.example.com:5432/x",
        "AKIA~",
        "curl -H \"Authorization: Bearer ~\"",
        "hvs.~",
    ];
    let mut fresh = |pick: &str, whose: String| {
        seed += 1;
        let one = secrets(seed)
            .into_iter()
            .find(|one| one.name == pick)
            .unwrap();
        for core in &one.cores {
            hunt.add(core, &whose);
        }
        one.text
    };
    let mut runs = 0;
    for pick in picks {
        let length = fresh(pick, String::new()).len();
        // The command's first 80 characters.
        for pad in (80_usize.saturating_sub(length + 2)..=81).step_by(3) {
            let text = fresh(pick, format!("{pick} behind {pad} characters of a command"));
            let command = format!("{} {text} tail", "x".repeat(pad.max(1) - 1));
            let wide = format!("{} {text} tail", "한".repeat(pad.max(1) - 1));
            for command in [command, wide] {
                let input = json!({"command": command});
                env.hook("tool-log", &session.tool("t", "Bash", &input, &json!({})))
                    .silent();
                runs += 1;
            }
        }
        // The 3,000 bytes of an observation, and the window that is looked at for it.
        for (limit, step) in [(3000_usize, 7), (65_536, 11)] {
            for pad in (limit - length - 40..=limit + 12).step_by(step) {
                let text = fresh(pick, format!("{pick} behind {pad} bytes of an output"));
                let deep = fresh(
                    pick,
                    format!("{pick} behind {pad} bytes, deep in an output"),
                );
                let error = fresh(pick, format!("{pick} behind {pad} bytes of an error"));
                let filler = "word ".repeat(pad / 5) + &"x".repeat(pad % 5);
                let output = json!({"stdout": format!("{filler} {text} tail")});
                let nested = json!({"a": {"b": [&filler, {"c": deep}]}});
                env.hook("tool-log", &session.tool("t", "Bash", &output, &output))
                    .silent();
                env.hook("tool-log", &session.tool("t", "Bash", &nested, &nested))
                    .silent();
                env.hook(
                    "tool-log",
                    &session.tool_failed("t", "Bash", &nested, &format!("{filler} {error} tail")),
                )
                .silent();
                runs += 3;
            }
        }
        // What shrinks brings the window's end into what is kept.
        for pad in (65_536 - length - 60..=65_536 + 4).step_by(9) {
            let text = fresh(pick, format!("{pick} at the window's end, {pad}"));
            let hidden = format!(
                "<private>{}</private> {text} tail",
                "y ".repeat((pad - 20) / 2)
            );
            env.hook(
                "tool-log",
                &session.tool(
                    "t",
                    "Bash",
                    &json!({"command": "x"}),
                    &json!({"stdout": hidden}),
                ),
            )
            .silent();
            let bare = fresh(
                pick,
                format!("{pick} at the window's end without blanks, {pad}"),
            );
            let bare = format!("<private>{}</private>,{bare},tail", "y".repeat(pad - 19));
            env.hook(
                "tool-log",
                &session.tool(
                    "t",
                    "Bash",
                    &json!({"command": "x"}),
                    &json!({"stdout": bare}),
                ),
            )
            .silent();
            runs += 2;
        }
    }
    assert!(runs > 500, "{runs}");
    let mut found = BTreeSet::new();
    hunt.search_tree(&written(&env), &mut found);
    nothing(&found);
}

/// Shapes of private blocks, and what becomes of them. `~` is what must not be found.
const BLOCKS: [(&str, &str); 58] = [
    ("a <private>~</private> b", "a [PRIVATE] b"),
    ("<private>~</private>", "[PRIVATE]"),
    ("a <PRIVATE>~</PRIVATE> b", "a [PRIVATE] b"),
    ("a <Private>~</pRIVATE> b", "a [PRIVATE] b"),
    ("a <private >~</private > b", "a [PRIVATE] b"),
    ("a < private >~</ private > b", "a [PRIVATE] b"),
    ("a < private>~< / private > b", "a [PRIVATE] b"),
    ("a <private\n>~</private\n> b", "a [PRIVATE] b"),
    ("a <private\t>~</private\t> b", "a [PRIVATE] b"),
    ("a <private\r\n>~</private\r\n> b", "a [PRIVATE] b"),
    ("a <\nprivate>~</private> b", "a [PRIVATE] b"),
    ("a <private x=1>~</private> b", "a [PRIVATE] b"),
    ("a <private why='~' x=\"2\">~</private> b", "a [PRIVATE] b"),
    ("a <private why=\"~ > ~\">~</private> b", "a [PRIVATE] b"),
    ("a <private why='~>~'>~</private> b", "a [PRIVATE] b"),
    (
        "a <private why=\"</private>\">~</private> b",
        "a [PRIVATE] b",
    ),
    ("a <private why='<private>'>~</private> b", "a [PRIVATE] b"),
    ("a <private =>~</private> b", "a [PRIVATE] b"),
    ("a <private don't>~</private> b", "a [PRIVATE] b"),
    ("a <private>~\n~\r\n\n~</private> b", "a [PRIVATE] b"),
    (
        "a <private>~</private> b <private>~</private> c",
        "a [PRIVATE] b [PRIVATE] c",
    ),
    (
        "a <private>~<private>~</private>~</private> b",
        "a [PRIVATE] b",
    ),
    (
        "a <private>~<PRIVATE x='y'>~< private >~</private>~</private>~</private> b",
        "a [PRIVATE] b",
    ),
    ("a <private>~<private>~</private>~", "a [PRIVATE]"),
    (
        "```html\n<private>~</private>\n```\nb",
        "```html\n[PRIVATE]\n```\nb",
    ),
    (
        "```\n<private>\n```\n~\n```\n</private>\n```",
        "```\n[PRIVATE]\n```",
    ),
    ("````\n```\n<private>~\n````\n~", "````\n```\n[PRIVATE]"),
    ("a `<private>` ~", "a `[PRIVATE]"),
    ("> <private>~</private>", "> [PRIVATE]"),
    ("<!-- <private>~</private> -->", "<!-- [PRIVATE] -->"),
    ("a <private>~ and no end", "a [PRIVATE]"),
    ("a <private", "a [PRIVATE]"),
    ("a <private x=\"~", "a [PRIVATE]"),
    ("a <private x=\"~>~</private> ~", "a [PRIVATE]"),
    ("a <private ~ without a bracket", "a [PRIVATE]"),
    ("a <private ~</private> b", "a [PRIVATE] b"),
    ("a <private/>~", "a [PRIVATE]"),
    ("a <private />~", "a [PRIVATE]"),
    ("a <private>~</private", "a [PRIVATE]"),
    ("a <private>~</privat>~", "a [PRIVATE]"),
    ("a <private>~</privates>~", "a [PRIVATE]"),
    ("a <private>~<\\/private>~", "a [PRIVATE]"),
    ("a <private>~&lt;/private&gt;~", "a [PRIVATE]"),
    ("a <pri\u{200b}vate>~</private> b", "a [PRIVATE] b"),
    ("a <\u{feff}private>~</private> b", "a [PRIVATE] b"),
    ("a <p\u{ad}rivate>~</private> b", "a [PRIVATE] b"),
    ("a <private\u{a0}>~</private> b", "a [PRIVATE] b"),
    ("a ＜private＞~＜/private＞ b", "a [PRIVATE] b"),
    ("a ＜PRIVATE＞~＜／private＞ b", "a [PRIVATE] b"),
    ("a <private>~＜/private＞~</private> b", "a [PRIVATE] b"),
    ("한글<private>~비밀~</private>뒤", "한글[PRIVATE]뒤"),
    (
        "a <private>~</private><private>~</private> b",
        "a [PRIVATE][PRIVATE] b",
    ),
    ("<<private>~</private>b", "<[PRIVATE]b"),
    (
        "a <b>x</b> <private><b>~</b></private> <i>y</i>",
        "a <b>x</b> [PRIVATE] <i>y</i>",
    ),
    (
        "a <private>~\n## [10:00:00] User\n~</private> b",
        "a [PRIVATE] b",
    ),
    (
        "a <private>~\n<!-- mnemo s=1 -->\n~</private> b",
        "a [PRIVATE] b",
    ),
    (
        "{\"a\": \"<private>~</private>\"}",
        "{\"a\": \"[PRIVATE]\"}",
    ),
    (
        "{\\\"a\\\": \\\"<private x=\\\\\\\"1\\\\\\\">~</private>\\\"}",
        "{\\\"a\\\": \\\"[PRIVATE]\\\"}",
    ),
];

/// A block's text with words that no other has.
fn block(number: usize, place: u64, hunt: &mut Hunt) -> String {
    let mut dice = Dice::new(50_000 + 100 * number as u64 + place);
    let mut text = String::new();
    for (i, part) in BLOCKS[number].0.split('~').enumerate() {
        if i > 0 {
            let word = dice.draw(16, b"bcdfghjklmnpqrstvwxz");
            let place = PLACES
                .get(usize::try_from(place).unwrap())
                .unwrap_or(&"an odd place");
            hunt.add(&word, &format!("{:?} ({place})", BLOCKS[number].0));
            text.push_str(&word);
        }
        text.push_str(part);
    }
    text
}

#[test]
fn private_blocks_of_any_shape_reach_no_file() {
    for configured in ["", "redact:\n  secrets: false\n"] {
        let env = installed();
        if !configured.is_empty() {
            env.configure(configured);
        }
        let mut hunt = Hunt::default();
        let mut session = env.session();
        let mut hidden = other(&env, 7);
        let mut want = Vec::new();
        for (number, (_, cleaned)) in BLOCKS.iter().enumerate() {
            let texts: Vec<String> = (0..PLACES.len() as u64)
                .map(|p| block(number, p, &mut hunt))
                .collect();
            // A quote that stays open in one text ends in the next one of the same reply.
            let quote = texts[0].matches('"').count() % 2 == 1;
            let text = |place: u64| match place {
                1 | 29 if quote => "nothing".to_owned(),
                _ => texts[usize::try_from(place).unwrap()].clone(),
            };
            turn(&env, &mut session, &format!("turn-{number}"), &text);
            unseen(&mut hidden, &format!("unseen-{number}"), &text);
            // Alone, as a person would type it.
            let alone = block(number, 40, &mut hunt);
            env.hook(
                "prompt-save",
                &session.prompt(&format!("alone-{number}"), &alone),
            )
            .silent();
            let last = block(number, 41, &mut hunt);
            session.says(&format!("alone-{number}"), &alone);
            env.hook(
                "response-save",
                &session.stop(&format!("alone-{number}"), &last),
            )
            .silent();
            session.answers(&last, Some("end_turn"));
            let reply = cleaned.trim_end();
            want.push((user(*cleaned), assistant(reply)));
        }
        let turns = env.turns();
        for (i, (said, replied)) in want.iter().enumerate() {
            assert_eq!(&turns[4 * i + 2], said, "{:?}", BLOCKS[i].0);
            assert_eq!(&turns[4 * i + 3], replied, "{:?}", BLOCKS[i].0);
        }
        let mut found = BTreeSet::new();
        for args in [
            &["reconcile", "--dry-run", "--all", "--finished"][..],
            &["reconcile", "--dry-run", "--json", "--all", "--finished"],
            &["status"],
        ] {
            let done = env.mnemo(args).ok();
            hunt.search(&format!("{args:?}"), &done.stdout, &mut found);
            hunt.search(&format!("{args:?}"), &done.stderr, &mut found);
        }
        env.hook("session-reconcile", &other(&env, 8).start("startup"))
            .silent();
        env.mnemo(&["reconcile", "--all", "--finished"]).ok();
        hunt.search_tree(&written(&env), &mut found);
        nothing(&found);
    }
}

const WORD: &str = "zqvxwordhidden";

#[track_caller]
fn word_is_nowhere(env: &TestEnv, what: &str) {
    let mut hunt = Hunt::default();
    hunt.add(WORD, what);
    let mut found = BTreeSet::new();
    hunt.search_tree(&written(env), &mut found);
    nothing(&found);
}

/// A block that one text opens and another one closes; the entry is filtered as a whole.
#[test]
fn a_block_over_several_texts_of_a_reply_is_one() {
    for (texts, want) in [
        (&["a <private>W", "W</private> b"][..], "a [PRIVATE] b"),
        (&["a <private>W", "W", "W</private> b"], "a [PRIVATE] b"),
        (&["a <private>W", "W and no end"], "a [PRIVATE]"),
        (
            &["a", "<private>W", "W</private>", "b"],
            "a\n\n[PRIVATE]\n\nb",
        ),
        (&["a <private", ">W</private> b"], "a [PRIVATE] b"),
        (
            &["```\n<private>W", "W\n```\n</private>b"],
            "```\n[PRIVATE]b",
        ),
        (&["a <private x=\"W", "W\">W</private> b"], "a [PRIVATE] b"),
        (&["a <private>W</private", "> b"], "a [PRIVATE] b"),
    ] {
        let texts: Vec<String> = texts.iter().map(|text| text.replace('W', WORD)).collect();
        let (last, before) = texts.split_last().unwrap();
        let say = |session: &mut Session| {
            session.says("t", "go");
            for text in before {
                session.answers(text, Some("tool_use"));
                let (_, call) = session.calls("Bash", &json!({"command": "ls"}));
                session.result("t", &call, "x", false);
            }
        };
        let env = installed();
        let mut session = env.session();
        env.hook("prompt-save", &session.prompt("t", "go")).silent();
        say(&mut session);
        env.hook("response-save", &session.stop("t", last)).silent();
        assert_eq!(env.turns(), [user("go"), assistant(want)], "{texts:?}");
        session.answers(last, Some("end_turn"));
        env.mnemo(&["reconcile", "--all", "--finished"]).ok();
        assert_eq!(
            env.turns(),
            [user("go"), assistant(want)],
            "{texts:?} after a repair"
        );
        word_is_nowhere(&env, "a reply");
        // Nothing but the transcript.
        let env = installed();
        let mut session = env.session();
        say(&mut session);
        session.answers(last, Some("end_turn"));
        env.mnemo(&["reconcile", "--all", "--finished"]).ok();
        assert_eq!(
            env.turns(),
            [user("go"), assistant(want)],
            "{texts:?} repaired"
        );
        word_is_nowhere(&env, "a repaired reply");
        // A reply that was stored when it was half, then completed.
        let env = installed();
        let mut session = env.session();
        env.hook("prompt-save", &session.prompt("t", "go")).silent();
        session.says("t", "go");
        for text in &texts {
            env.hook("response-save", &session.stop("t", text)).silent();
            session.answers(text, Some("end_turn"));
        }
        env.mnemo(&["reconcile", "--all", "--finished"]).ok();
        assert_eq!(
            env.turns(),
            [user("go"), assistant(want)],
            "{texts:?} step by step"
        );
        word_is_nowhere(&env, "a reply in steps");
    }
}

/// In questions and answers, and in what a person says inside a turn.
#[test]
fn a_block_over_question_and_answer_is_one() {
    for (question, answer, want) in [
        (
            "which <private>W?",
            "W</private> it",
            "> which [PRIVATE] it",
        ),
        ("which\n<private>W?", "W", "> which\n> [PRIVATE]"),
        (
            "which?",
            "<private>W</private> it",
            "> which?\n\n[PRIVATE] it",
        ),
        ("which?", "it <private>W", "> which?\n\nit [PRIVATE]"),
    ] {
        let (question, answer) = (question.replace('W', WORD), answer.replace('W', WORD));
        for by_hook in [true, false] {
            let env = installed();
            let mut session = env.session();
            session.says("t", "go");
            let input =
                json!({"questions": [{"question": question, "options": [{"label": "Red"}]}]});
            let (_, call) = session.calls("AskUserQuestion", &input);
            let response =
                json!({"questions": input["questions"], "answers": {question.clone(): answer}});
            session.line(json!({
                "type": "user", "promptId": "t", "toolUseResult": response,
                "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": call, "content": "answered"}]},
            }));
            if by_hook {
                env.hook("prompt-save", &session.prompt("t", "go")).silent();
                env.hook(
                    "tool-log",
                    &session.tool("t", "AskUserQuestion", &input, &response),
                )
                .silent();
                env.hook("response-save", &session.stop("t", "Done."))
                    .silent();
            }
            session.answers("Done.", Some("end_turn"));
            env.mnemo(&["reconcile", "--all", "--finished"]).ok();
            assert_eq!(env.turns(), [user("go"), user(want), assistant("Done.")]);
            word_is_nowhere(&env, "an answer");
        }
    }
}

/// Blocks in keys and strings of tool values, some open.
#[test]
fn a_block_in_a_tools_values_hides_what_follows() {
    let w = WORD;
    for input in [
        json!({"command": format!("echo '<private>{w}</private>'")}),
        json!({"command": format!("echo '<private>{w}'"), "note": w}),
        json!({format!("<private>{w}</private>"): 1, "command": "ls"}),
        json!({format!("<private>{w}"): 1, "z": {"deep": [w]}}),
        json!({"a": [{"b": format!("<private>{w}</private> shown")}, {"c": format!("x <PRIVATE a='b'>{w}")}], "z": w}),
        json!({"a": "<private>", "b": w, "c": "</private>"}),
        json!({"a": "{\"b\": \"<private>\\n".to_owned() + w + "</private>\"}"}),
        json!({"a": "<private x=\"1\">".to_owned() + w + "</private>", "q": 1}),
    ] {
        let env = installed();
        let session = env.session();
        for tool in ["Bash", "Agent", "Edit", "Skill"] {
            env.hook("tool-log", &session.tool("t", tool, &input, &input))
                .silent();
            env.hook(
                "tool-log",
                &session.tool_failed("t", tool, &input, &input.to_string()),
            )
            .silent();
            let error = format!("Exit code 1\n<private>{w}");
            env.hook("tool-log", &session.tool_failed("t", tool, &input, &error))
                .silent();
        }
        word_is_nowhere(&env, &input.to_string());
    }
    // Escaped as JSON may be.
    let env = installed();
    let payload = env
        .session()
        .tool(
            "t",
            "Bash",
            &json!({"command": format!("echo <private>{w}</private>")}),
            &json!({}),
        )
        .to_string()
        .replace('<', "\\u003c")
        .replace("private", "pr\\u0069vate");
    env.cmd("tool-log")
        .env("CLAUDE_PROJECT_DIR", env.project())
        .stdin(payload)
        .run()
        .silent();
    assert_eq!(env.calls()[0].detail, "echo [PRIVATE]");
    word_is_nowhere(&env, "an escaped tag");
}

#[test]
fn the_user_may_keep_secrets_and_a_project_may_not() {
    let token = secrets(1).swap_remove(0).text;
    let text = format!("use {token} <private>{WORD}</private> password=hunter2");
    let run = |env: &TestEnv| {
        let mut session = env.session();
        env.hook("prompt-save", &session.prompt("t", &text))
            .silent();
        session.says("t", &text);
        let input = json!({"command": format!("echo {token} <private>{WORD}</private>")});
        env.hook("tool-log", &session.tool("t", "Bash", &input, &input))
            .silent();
        env.hook("response-save", &session.stop("t", &text))
            .silent();
        session.answers(&text, Some("end_turn"));
        let mut hidden = other(env, 7);
        hidden.says("u", &text);
        hidden.answers(&text, Some("end_turn"));
        env.mnemo(&["reconcile", "--all", "--finished"]).ok();
        assert_eq!(env.turns().len(), 4);
        word_is_nowhere(env, "a private block");
    };
    let kept = format!("use {token} [PRIVATE] password=hunter2");
    for yaml in [
        "redact:\n  secrets: false\n",
        "redact.secrets: false\n",
        "redact: {secrets: false}\n",
    ] {
        let env = installed();
        env.configure(yaml);
        run(&env);
        assert_eq!(
            env.turns(),
            [user(&kept), assistant(&kept), user(&kept), assistant(&kept)]
        );
        assert_eq!(
            env.calls()[0].detail,
            flat(&format!("echo {token} [PRIVATE]"))
        );
    }
    for (own, project) in [
        ("", "redact: {secrets: false}\n"),
        ("", "redact:\n  secrets: false\n"),
        ("", "redact.secrets: false\n"),
        ("", "{redact: {secrets: no}"),
        ("redact: {secrets: maybe}\n", ""),
        ("redact: {secrets: false", ""),
        ("redact: {secrets: false}\n", "redact: {secrets: true}\n"),
    ] {
        let env = installed();
        if !own.is_empty() {
            env.configure(own);
        }
        env.write(".mnemo.yaml", project);
        run(&env);
        let tree = written(&env).without(&["home/.config"]);
        tree.nowhere(&token[4..]);
        tree.nowhere("hunter2");
    }
}

/// A memory is read line by line, its private blocks go over many.
#[test]
fn a_block_over_several_lines_of_a_memory_is_shown_nowhere() {
    let mut env = installed();
    let memory = env.claude().join("projects");
    let slug = env
        .project()
        .to_str()
        .unwrap()
        .replace(|c: char| !c.is_ascii_alphanumeric(), "-");
    let memory = memory.join(slug).join("memory");
    fs::create_dir_all(&memory).unwrap();
    let rule =
        |word: &str| format!("Always run the zulu {word}tests before a merge request is opened.");
    let entry = |name: &str, body: &str| {
        let text =
            format!("---\nname: {name}\ndescription: run tests\ntype: feedback\n---\n\n{body}\n");
        env.write(memory.join(format!("feedback_{name}.md")), text);
    };
    entry("z", &format!("<private>\n{}\n</private>", rule("ZEBRA ")));
    entry("y", &rule(""));
    env.write(memory.join("MEMORY.md"), "# Memory\n\n- [y](feedback_y.md) — tests\n\n<private>\n\n- [z](feedback_z.md) — ZEBRA tests zulu\n\n</private>\n\n## empty\n");
    env.write("memory/gotchas.md", "# G\n\n### one\n- date: 2026-10-01\n\nopen <private>\n\n### ZEBRA merger zulu\n- date: 2026-10-02\n\nZEBRA body zulu `src/ZEBRA.ts`\n\n</private>\n\n### three\n- date: 2026-10-01\n\nlast\n\n### four\n\nzulu\n");
    env.write(
        "CLAUDE.md",
        format!("# R\n<private>\n\n- {}\n\n</private>\n", rule("ZEBRA ")),
    );
    env.write("docs/handoffs/2026-11-28-120000-old.md", "# Handoff: old\n\n## Files Modified\n<private>\n| File | Changes | Rationale |\n|--|--|--|\n| src/x.ts | none | ZEBRA |\n</private>\n");
    env.write("src/x.ts", "x\n");
    env.git(&["add", "src"]).ok();
    env.git(&["commit", "-qm", "more <private>\n\nZEBRA message"])
        .ok();
    env.now(NOW);
    let mut leaks = String::new();
    for args in [
        &["search", "zulu"][..],
        &["search", "zulu", "--json"],
        &["search", "--layer", "index", "tests"],
        &["show", "g:2"],
        &["show", "g:1", "--json"],
        &["memory", "list", "--store", "record"],
        &["memory", "list", "--store", "record", "--json"],
        &["memory", "show", "z"],
        &["memory", "show", "g:2", "--store", "record", "--json"],
        &[
            "memory",
            "add",
            "--type",
            "feedback",
            "--name",
            "n",
            "--description",
            &rule(""),
            "--dry-run",
        ],
        &["memory", "overlap", "--description", &rule("")],
        &["anchors", "--json"],
        &["doctor", "--json"],
        &["lineage", "--file", "src/x.ts", "--json"],
        &["garden", "scan", "--json"],
        &["garden", "scan", "--store", "record"],
        &["garden", "relations", "--json"],
        &["garden", "verdicts", "--json"],
        &["garden", "plan"],
        &["garden", "report"],
        &["garden", "finish"],
        &["garden", "group", "--by", "type", "--force"],
        &["check", "--update-budget", "--dry-run"],
    ] {
        let done = env.mnemo(args);
        let told = format!("{}{}", done.out(), done.err());
        if told.contains("ZEBRA") {
            let lines: Vec<&str> = told.lines().filter(|line| line.contains("ZEBRA")).collect();
            let _ = writeln!(leaks, "{args:?}: {lines:?}");
        }
    }
    assert!(leaks.is_empty(), "{leaks}");
    // What is moved takes nothing out of its block.
    let index = fs::read_to_string(memory.join("MEMORY.md")).unwrap();
    let block = &index[index.find("<private>").unwrap()..=index.find("</private>").unwrap()];
    env.mnemo(&["garden", "group", "--by", "type", "--force", "--apply"])
        .ok();
    assert!(
        fs::read_to_string(memory.join("MEMORY.md"))
            .unwrap()
            .contains(block)
    );
    env.mnemo(&["split", "memory/gotchas.md", "--apply"]).ok();
    let names: Vec<String> = fs::read_dir(env.project().join("memory/gotchas"))
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .collect();
    assert!(
        names.iter().all(|name| !name.contains("zebra")),
        "{names:?}"
    );
    let one = fs::read_to_string(env.project().join("memory/gotchas/001-one.md")).unwrap();
    assert!(one.contains("<private>") && one.contains("ZEBRA body") && one.contains("</private>"));
}
