//! Projects, homes, payloads and transcripts like those of Claude Code 2.1.332.

use crate::measure::Start;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

pub(crate) const MEGABYTE: u64 = 1024 * 1024;

const SESSION: &str = "5f8d1a34-64d4-4c5a-9f43-0b6a4b0f3f10";

/// A time of day far from midnight, so that all runs write to one day file.
const NOW: &str = "2026-11-30T12:00:00Z";
const DAY_FILE: &str = "conversations/2026-11-30-claude.md";
const TOOL_LOG: &str = "conversations/2026-11-30-toollog.md";

/// How much lies around a hook.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Size {
    /// Bytes of the session's own transcript.
    pub(crate) transcript: u64,
    /// Bytes of the day file before the first run; 0 for the one the hook makes itself.
    pub(crate) day_file: u64,
    /// Other transcripts of the project.
    pub(crate) more_transcripts: usize,
    /// Bytes of each of these.
    pub(crate) of_each: u64,
    /// Days before this one that have a day file and a tool log.
    pub(crate) days: u64,
    /// Memory entries of the project, and of the client's auto memory.
    pub(crate) memories: usize,
    /// There is a configuration file.
    pub(crate) configured: bool,
}

impl Size {
    pub(crate) const SMALL: Self = Self {
        transcript: MEGABYTE,
        day_file: 0,
        more_transcripts: 0,
        of_each: MEGABYTE,
        days: 0,
        memories: 0,
        configured: false,
    };
}

/// A folder for everything, removed at the end.
#[derive(Debug)]
pub(crate) struct World {
    folder: PathBuf,
    count: std::cell::Cell<u32>,
}

impl Drop for World {
    fn drop(&mut self) {
        // What cannot be removed stays in the system's folder for such files.
        drop(fs::remove_dir_all(&self.folder));
    }
}

impl World {
    /// Its name has the same length whenever it is made: some work depends on the length of paths.
    pub(crate) fn new() -> io::Result<Self> {
        let folder = std::env::temp_dir().join(format!("mnemo-bench-{:010}", std::process::id()));
        fs::create_dir_all(&folder)?;
        Ok(Self {
            folder: fs::canonicalize(folder)?,
            count: std::cell::Cell::new(0),
        })
    }

    /// A fresh home and project for one case, and the hook that is started in it.
    pub(crate) fn start(&self, program: &Path, hook: &str, size: Size) -> io::Result<Start> {
        self.count.set(self.count.get() + 1);
        let folder = self.folder.join(self.count.get().to_string());
        let home = folder.join("home");
        let project = folder.join("project");
        fs::create_dir_all(project.join(".git/info"))?;
        fs::write(project.join(".git/HEAD"), "ref: refs/heads/main\n")?;
        if size.configured {
            fs::create_dir_all(home.join(".config/mnemo"))?;
            fs::write(
                home.join(".config/mnemo/config.yaml"),
                "language: en\ncheckpoint:\n  stops: 20\n  minutes: 30\n",
            )?;
        }
        let transcripts = home.join(".claude/projects").join(slug(&project));
        fs::create_dir_all(&transcripts)?;
        let transcript = transcripts.join(format!("{SESSION}.jsonl"));
        let prompt = write_transcript(&transcript, SESSION, &project, size.transcript)?;
        for number in 0..size.more_transcripts {
            let session = format!("{number:08x}-64d4-4c5a-9f43-0b6a4b0f3f10");
            let path = transcripts.join(format!("{session}.jsonl"));
            write_transcript(&path, &session, &project, size.of_each)?;
        }
        let stdin = folder.join("payload.json");
        fs::write(&stdin, payload(hook, &transcript, &project, &prompt))?;
        let mut start = Start {
            program: program.to_owned(),
            args: Vec::new(),
            stdin,
            cwd: project.clone(),
            env: [
                ("HOME", text(&home)),
                ("PATH", "/usr/bin:/bin".to_owned()),
                ("TZ", "UTC".to_owned()),
                ("LANG", "en_US.UTF-8".to_owned()),
                ("CLAUDE_PROJECT_DIR", text(&project)),
                ("CLAUDECODE", "1".to_owned()),
                ("CLAUDE_CODE_ENTRYPOINT", "cli".to_owned()),
                ("MNEMO_NOW", NOW.to_owned()),
            ]
            .map(|(name, value)| (name.to_owned(), value))
            .to_vec(),
            reset: Vec::new(),
        };
        // Warm: everything that is made once is there.
        fs::create_dir_all(project.join("conversations"))?;
        if size.day_file > 0 {
            write_day_file(&project.join(DAY_FILE), size.day_file)?;
            write_tool_log(&project.join(TOOL_LOG), size.day_file)?;
        }
        write_archive(&project.join("conversations"), size.days)?;
        write_memories(&project.join("memory"), size.memories)?;
        write_memories(&transcripts.join("memory"), size.memories)?;
        start.run()?;
        start.run()?;
        if hook == "response-save" {
            // The same reply is written once only: each run begins without it.
            start.reset.push((None, project.join(DAY_FILE)));
            start.run()?;
        }
        settle(&start);
        Ok(start)
    }
}

/// Dirty pages of a large file would be written back during the measurement.
fn settle(start: &Start) {
    let sync = Command::new("sync")
        .current_dir(&start.cwd)
        .stdin(Stdio::null())
        .status();
    drop(sync);
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// The client's folder name of a project: each UTF-16 unit that is no ASCII letter or digit
/// becomes a dash.
fn slug(project: &Path) -> String {
    text(project)
        .encode_utf16()
        .map(|unit| match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii_alphanumeric() => char::from(byte),
            _ => '-',
        })
        .collect()
}

/// JSON text of a string without characters that need an escape, which is all there is here.
fn payload(hook: &str, transcript: &Path, project: &Path, prompt: &str) -> String {
    let common = format!(
        r#""session_id":"{SESSION}","transcript_path":"{}","cwd":"{}","prompt_id":"{prompt}","permission_mode":"default""#,
        text(transcript).replace('\\', "\\\\"),
        text(project).replace('\\', "\\\\"),
    );
    let rest = match hook {
        "prompt-save" => format!(
            r#""hook_event_name":"UserPromptSubmit","prompt":"{}""#,
            "Please look at the cart and tell me what is wrong. ".repeat(20)
        ),
        "tool-log" => r#""hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"cargo test --workspace","description":"Run the tests"},"tool_response":{"stdout":"test result: ok. 12 passed","stderr":"","interrupted":false,"isImage":false},"tool_use_id":"toolu_1","duration_ms":16"#.to_owned(),
        "session-reconcile" => r#""hook_event_name":"SessionStart","source":"startup""#.to_owned(),
        _ => format!(
            r#""hook_event_name":"Stop","stop_hook_active":false,"last_assistant_message":"{REPLY}","background_tasks":[],"session_crons":[]"#
        ),
    };
    format!("{{{common},{rest}}}\n")
}

const REPLY: &str = "The cart adds up the prices before the discount is known. I moved the sum behind it, and all tests pass.";

/// Turns of a prompt, a tool call with 6 KB of output, and a reply; the last turn ends the file.
/// Returns the last prompt's id.
fn write_transcript(path: &Path, session: &str, project: &Path, size: u64) -> io::Result<String> {
    let project = text(project).replace('\\', "\\\\");
    let output = "test cart::discount ... ok\\n".repeat(220);
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    let mut written = 0;
    let mut turn = 0_u64;
    let mut parent = "null".to_owned();
    let mut prompt = String::new();
    while written < size {
        let id = |part: u32| format!("{}-{turn:08x}-{part}", session.get(..8).unwrap_or_default());
        let second = turn % 60;
        let minute = turn / 60 % 60;
        let common = |part: u32, parent: &str| {
            format!(
                r#""parentUuid":{parent},"isSidechain":false,"uuid":"{}","timestamp":"2026-11-30T09:{minute:02}:{second:02}.{part}00Z","userType":"external","entrypoint":"cli","cwd":"{project}","sessionId":"{session}","version":"2.1.332","gitBranch":"main""#,
                id(part)
            )
        };
        let quoted = |part: u32| format!("\"{}\"", id(part));
        let lines = [
            format!(
                r#"{{{},"promptId":"{}","type":"user","message":{{"role":"user","content":"What is wrong with discount {turn}?"}},"permissionMode":"default","promptSource":"typed","origin":{{"kind":"human"}}}}"#,
                common(1, &parent),
                id(0)
            ),
            format!(
                r#"{{{},"type":"assistant","message":{{"model":"claude-opus-5-5","id":"msg_{turn}_1","type":"message","role":"assistant","content":[{{"type":"tool_use","id":"toolu_{turn}","name":"Bash","input":{{"command":"cargo test","description":"Run the tests"}}}}],"stop_reason":"tool_use","usage":{{"input_tokens":1000,"output_tokens":100}}}},"requestId":"req_{turn}_1"}}"#,
                common(2, &quoted(1))
            ),
            format!(
                r#"{{{},"promptId":"{}","type":"user","message":{{"role":"user","content":[{{"tool_use_id":"toolu_{turn}","type":"tool_result","content":"{output}","is_error":false}}]}},"toolUseResult":{{"stdout":"{output}","stderr":"","interrupted":false,"isImage":false}},"sourceToolAssistantUUID":"{}"}}"#,
                common(3, &quoted(2)),
                id(0),
                id(2)
            ),
            format!(
                r#"{{{},"type":"assistant","message":{{"model":"claude-opus-5-5","id":"msg_{turn}_2","type":"message","role":"assistant","content":[{{"type":"text","text":"{REPLY}"}}],"stop_reason":"end_turn","usage":{{"input_tokens":1000,"output_tokens":100}}}},"requestId":"req_{turn}_2"}}"#,
                common(4, &quoted(3))
            ),
        ];
        parent = quoted(4);
        prompt = id(0);
        for line in lines {
            file.write_all(line.as_bytes())?;
            file.write_all(b"\n")?;
            written += line.len() as u64 + 1;
        }
        turn += 1;
    }
    file.flush()?;
    Ok(prompt)
}

/// A day file as the hooks write it.
fn write_day_file(path: &Path, size: u64) -> io::Result<()> {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    file.write_all(
        b"---\ndate: 2026-11-30\nproject: project\nkeywords: []\nsummary: \"\"\n---\n\n# 2026-11-30\n",
    )?;
    let body = "What is wrong with this discount? ".repeat(30);
    let mut written = 0;
    let mut turn = 0_u64;
    while written < size {
        let entry = format!(
            "\n## [00:{:02}:{:02}] User\n<!-- mnemo s={} id={turn:08x} -->\n\n{body}\n",
            turn / 60 % 60,
            turn % 60,
            SESSION.get(..8).unwrap_or_default()
        );
        file.write_all(entry.as_bytes())?;
        written += entry.len() as u64;
        turn += 1;
    }
    file.flush()
}

/// A tool log as the hook writes it.
fn write_tool_log(path: &Path, size: u64) -> io::Result<()> {
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path)?);
    file.write_all(
        b"---\ndate: 2026-11-30\ntype: tool-log\n---\n\n# Tool Usage Log - 2026-11-30\n\n",
    )?;
    let line = b"- `[00:00:01]` **Bash** cargo test --workspace --all-targets --locked\n";
    for _ in 0..size / line.len() as u64 {
        file.write_all(line)?;
    }
    file.flush()
}

/// Day files and tool logs of earlier days, counted back from 2026.
fn write_archive(folder: &Path, days: u64) -> io::Result<()> {
    for day in 0..days {
        let (year, month, date) = (2025 - day / 336, 1 + day / 28 % 12, 1 + day % 28);
        let name = format!("{year}-{month:02}-{date:02}");
        fs::write(
            folder.join(format!("{name}-claude.md")),
            format!(
                "---\ndate: {name}\n---\n\n# {name}\n\n## [10:00:00] User\n<!-- mnemo s=5f8d1a34 id=a -->\n\nhello\n"
            ),
        )?;
        fs::write(
            folder.join(format!("{name}-toollog.md")),
            "- `[10:00:01]` **Bash** ls\n",
        )?;
    }
    Ok(())
}

/// Memory entries and their index.
fn write_memories(folder: &Path, count: usize) -> io::Result<()> {
    if count == 0 {
        return Ok(());
    }
    fs::create_dir_all(folder)?;
    let mut index = String::new();
    let body = "Discounts are taken off before the sum is built.\n".repeat(40);
    for number in 0..count {
        let name = format!("entry-{number}.md");
        let entry =
            format!("---\nname: entry {number}\ndescription: a rule\ntype: project\n---\n\n{body}");
        fs::write(folder.join(&name), entry)?;
        let _ = writeln!(index, "- [{name}]({name}) — a rule `~600tk`");
    }
    fs::write(folder.join("MEMORY.md"), index)
}
