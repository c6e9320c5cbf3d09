//! Transcripts as Claude Code 2.1.332 writes them: its line types, their order and their sizes.

use crate::words::{Dice, Style, text};
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// How much of a transcript is what.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Mix {
    /// Bytes of conversation text in a turn.
    pub(crate) text: usize,
    /// Bytes of tool results in a turn.
    pub(crate) tools: usize,
    /// Bytes of what the client notes for itself: prompts, schemas, requests.
    pub(crate) notes: usize,
}

/// What is to be written.
#[derive(Debug, Clone)]
pub(crate) struct Plan {
    pub(crate) mix: Mix,
    /// Bytes in all.
    pub(crate) size: u64,
    /// How many transcripts.
    pub(crate) files: u64,
    /// Days that they are spread over; the last is `until`.
    pub(crate) days: u64,
    /// Seconds since 1970 of the last day's noon.
    pub(crate) until: u64,
    /// The directory that the sessions were started in.
    pub(crate) cwd: PathBuf,
    pub(crate) seed: u64,
}

/// Writes the transcripts into `folder`.
pub(crate) fn write(folder: &Path, plan: &Plan) -> io::Result<Vec<PathBuf>> {
    std::fs::create_dir_all(folder)?;
    let mut dice = Dice::new(plan.seed);
    let stock = Stock::new(&mut dice, plan.mix.notes);
    let mut paths = Vec::new();
    for number in 0..plan.files {
        // Several on a day, some minutes apart: what they say stands interleaved.
        let day = number * plan.days / plan.files;
        let per_day = plan.files.div_ceil(plan.days);
        let apart = 1200.min(6 * 3600 / per_day);
        let begin = plan.until - (plan.days - 1 - day) * 86_400 + number % per_day * apart;
        let name = dice.uuid();
        let path = folder.join(format!("{name}.jsonl"));
        let out = BufWriter::with_capacity(1 << 20, File::create_new(&path)?);
        let mut session = Session {
            out,
            written: 0,
            dice: dice.clone(),
            parent: "null".to_owned(),
            clock: begin * 1000,
            // Some hours a session, whatever its length.
            pause: 5 * 3_600_000 / (plan.size / plan.files / plan.mix.size() + 1),
            tail: format!(
                "\"userType\":\"external\",\"entrypoint\":\"cli\",\"cwd\":\"{}\",\"sessionId\":\"{name}\",\
                 \"version\":\"2.1.332\",\"gitBranch\":\"main\"}}\n",
                plan.cwd.display()
            ),
            name,
        };
        while session.written < plan.size / plan.files {
            session.turn(plan.mix, &stock)?;
        }
        session.out.flush()?;
        dice = session.dice;
        paths.push(path);
    }
    Ok(paths)
}

impl Mix {
    /// About how many bytes a turn has.
    fn size(self) -> u64 {
        (self.text + self.tools + self.notes) as u64
    }
}

/// Bulky contents, made once: only their size and their kind count.
struct Stock {
    /// A list of tools, as JSON.
    shape: String,
    /// A system prompt, as strings of a JSON array.
    prompt: String,
    instructions: String,
    request: String,
}

impl Stock {
    fn new(dice: &mut Dice, notes: usize) -> Self {
        let mut shape = String::new();
        while shape.len() < notes * 34 / 100 {
            let what = text(dice, 1200, Style::Talk);
            let one = text(dice, 90, Style::Talk);
            let two = text(dice, 60, Style::Talk);
            let _ = write!(
                shape,
                "{{\"name\":\"Tool{}\",\"description\":\"{what}\",\"input_schema\":{{\"$schema\":\
                 \"https://json-schema.org/draft/2020-12/schema\",\"type\":\"object\",\"properties\":\
                 {{\"command\":{{\"description\":\"{one}\",\"type\":\"string\"}},\"timeout\":\
                 {{\"description\":\"{two}\",\"type\":\"number\"}}}},\"required\":[\"command\"],\
                 \"additionalProperties\":false}}}},",
                dice.below(100)
            );
        }
        shape.pop();
        let mut prompt = String::new();
        for _ in 0..10 {
            let _ = write!(
                prompt,
                "\"{}\",",
                text(dice, notes * 43 / 1000, Style::Talk)
            );
        }
        prompt.pop();
        Self {
            shape,
            prompt,
            instructions: text(dice, notes * 8 / 100, Style::Talk),
            request: text(dice, notes * 8 / 100, Style::Talk),
        }
    }
}

struct Session<W> {
    out: W,
    written: u64,
    dice: Dice,
    /// As JSON.
    parent: String,
    /// Milliseconds since 1970.
    clock: u64,
    /// Between two turns.
    pause: u64,
    /// What every record of the chain ends with.
    tail: String,
    name: String,
}

impl<W: Write> Session<W> {
    fn put(&mut self, line: &str) -> io::Result<()> {
        self.written += line.len() as u64;
        self.out.write_all(line.as_bytes())
    }

    /// A record of the chain: what comes before its uuid, and what comes behind its time.
    fn record(&mut self, head: &str, behind: &str) -> io::Result<()> {
        let uuid = self.dice.uuid();
        self.clock += 7;
        let line = format!(
            "{{\"parentUuid\":{},\"isSidechain\":false,{head},\"uuid\":\"{uuid}\",\"timestamp\":\"{}\",{behind}{}",
            self.parent,
            stamp(self.clock),
            self.tail
        );
        self.parent = format!("\"{uuid}\"");
        self.put(&line)
    }

    fn note(&mut self, kind: &str, rest: &str) -> io::Result<()> {
        let line = format!(
            "{{\"type\":\"{kind}\",\"sessionId\":\"{}\",{rest}}}\n",
            self.name
        );
        self.put(&line)
    }

    fn attachment(&mut self, kind: &str, rest: &str) -> io::Result<()> {
        self.record(
            &format!("\"attachment\":{{\"type\":\"{kind}\",{rest}}},\"type\":\"attachment\""),
            "\"rendered\":[{\"content\":\"\"}],\"renderedRole\":\"system\",",
        )
    }

    fn assistant(&mut self, message: &str, content: &str, stop: &str) -> io::Result<()> {
        self.record(
            &format!(
                "\"message\":{{\"id\":\"msg_{message}\",\"type\":\"message\",\"role\":\"assistant\",\
                 \"model\":\"claude-opus-5-5\",\"content\":[{content}],\"stop_reason\":\"{stop}\",\
                 \"stop_sequence\":null,\"usage\":{{\"input_tokens\":12473,\
                 \"cache_creation_input_tokens\":0,\"cache_read_input_tokens\":0,\"output_tokens\":49,\
                 \"service_tier\":\"standard\",\"cache_creation\":{{\"ephemeral_1h_input_tokens\":0}}}},\
                 \"stop_details\":null}},\"apiBlockIndex\":0,\"requestId\":\"req_{message}\",\
                 \"type\":\"assistant\""
            ),
            "\"effort\":\"medium\",\"madeBy\":\"model\",",
        )
    }

    fn turn(&mut self, mix: Mix, stock: &Stock) -> io::Result<()> {
        self.clock += self.pause;
        let prompt_id = self.dice.uuid();
        let prompt = mix.text / 10;
        let prompt = self.dice.about(prompt);
        let said = text(&mut self.dice, prompt, Style::Talk);
        self.record(
            &format!(
                "\"promptId\":\"{prompt_id}\",\"type\":\"user\",\"message\":{{\"role\":\"user\",\
                 \"content\":\"{said}\"}}"
            ),
            "\"permissionMode\":\"default\",\"promptSource\":\"typed\",\"turnOrigin\":\"human\",",
        )?;
        if mix.notes > 4096 {
            self.attachment(
                "environment",
                "\"snapshot\":{\"platform\":\"linux\",\"shell\":\"bash\"}",
            )?;
            self.attachment(
                "instructions",
                &format!(
                    "\"files\":[{{\"path\":\"CLAUDE.md\",\"content\":\"{}\"}}]",
                    stock.instructions
                ),
            )?;
            self.attachment("date", "\"date\":\"2026-11-30\"")?;
            self.attachment(
                "prompt_snapshot",
                &format!("\"systemPrompt\":[{}],\"reminderFold\":false", stock.prompt),
            )?;
            let shape = format!("\"shapeHash\":\"{prompt_id}\",\"tools\":[{}]", stock.shape);
            self.note("api-request-shape", &shape)?;
            let blob = format!(
                "\"message\":{{\"role\":\"user\",\"content\":[{{\"type\":\"text\",\"text\":\"{}\"}}]}}",
                stock.request
            );
            self.note("api-request-blob", &blob)?;
        }
        self.note("last-prompt", "\"leafUuid\":null")?;
        for call in 0..3 {
            let part = mix.tools / 3;
            let size = self.dice.about(part / 2);
            let printed = text(&mut self.dice, size, Style::Code);
            let id = self.dice.uuid();
            self.note(
                "api-request",
                &format!("\"id\":\"{id}\",\"messages\":[\"{id}\",\"{id}\"]"),
            )?;
            if call == 0 {
                let size = self.dice.about(mix.text * 3 / 10);
                let said = text(&mut self.dice, size, Style::Talk);
                self.assistant(
                    &id,
                    &format!("{{\"type\":\"text\",\"text\":\"{said}\"}}"),
                    "tool_use",
                )?;
            }
            let input = format!(
                "{{\"type\":\"tool_use\",\"id\":\"toolu_{id}\",\"name\":\"Bash\",\
                 \"input\":{{\"command\":\"cargo test --workspace\",\"description\":\"Test\"}}}}"
            );
            self.assistant(&id, &input, "tool_use")?;
            self.record(
                &format!(
                    "\"promptId\":\"{prompt_id}\",\"type\":\"user\",\"message\":{{\"role\":\"user\",\
                     \"content\":[{{\"tool_use_id\":\"toolu_{id}\",\"type\":\"tool_result\",\
                     \"content\":\"{printed}\",\"is_error\":false}}]}}"
                ),
                &format!(
                    "\"toolUseResult\":{{\"stdout\":\"{printed}\",\"stderr\":\"\",\
                     \"interrupted\":false,\"isImage\":false}},"
                ),
            )?;
        }
        let id = self.dice.uuid();
        let size = self.dice.about(mix.text * 6 / 10);
        let said = text(&mut self.dice, size, Style::Talk);
        self.assistant(
            &id,
            &format!("{{\"type\":\"text\",\"text\":\"{said}\"}}"),
            "end_turn",
        )?;
        self.record(
            "\"type\":\"system\",\"subtype\":\"stop_hook_summary\",\"hookCount\":1",
            "\"level\":\"suggestion\",",
        )?;
        self.note("cost-state", "\"totalCostUSD\":0.36")
    }
}

/// RFC 3339 of milliseconds since 1970.
fn stamp(ms: u64) -> String {
    let (days, rest) = (ms / 86_400_000, ms % 86_400_000);
    // Civil date from days, after Howard Hinnant.
    let z = days + 719_468;
    let era = z / 146_097;
    let doe = z % 146_097;
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153;
    let day = doy - (153 * mp + 2) / 5 + 1;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    let year = yoe + era * 400 + u64::from(month <= 2);
    format!(
        "{year:04}-{month:02}-{day:02}T{:02}:{:02}:{:02}.{:03}Z",
        rest / 3_600_000,
        rest / 60_000 % 60,
        rest / 1000 % 60,
        rest % 1000
    )
}
