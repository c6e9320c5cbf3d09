//! The observation logs as lines: what they hold, how far distilling has come, and what an older
//! hook called a failure only because its output held a word like "error".

use crate::{Error, Result};
use mnemo_home::Env;
use record::Record;
use serde::Deserialize;

/// Failures.
pub const GOTCHAS: &str = "memory/gotchas/observations.jsonl";
/// Successes.
pub const LEARNED: &str = "memory/learned/observations.jsonl";
/// How far distilling has come.
pub const OFFSET: &str = "memory/.mnemo-distill-offset";
/// Largest log that is read, in bytes. The hooks move them away at 10 MB, older ones never did.
pub(crate) const LARGEST: u64 = 256 << 20;
/// Largest offset file, in bytes.
const LARGEST_OFFSET: u64 = 1024;

/// One line, as far as it can be read.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Observation {
    /// When, RFC 3339.
    pub timestamp: String,
    /// `tool_error` or `tool_success`.
    pub event: String,
    /// The tool; sister tools of the original leave it out.
    pub tool: String,
    /// Its input, compact JSON, cut.
    pub input: String,
    /// Its output, cut.
    pub output: String,
}

impl Observation {
    /// Reads a line; `None` for what is no observation.
    pub fn parse(line: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(line);
        serde_json::from_str(&text).ok()
    }

    /// Whether it is filed as a failure although it says itself that it was none: the client's own
    /// field says so, the exit code is 0, or it is the whole acknowledgement of an edit.
    pub fn is_misfiled(&self) -> bool {
        self.event == "tool_error" && succeeded(&self.tool, &self.output)
    }
}

/// Explicit proof of success; words in the output never count.
fn succeeded(tool: &str, output: &str) -> bool {
    let output = output.trim();
    if output.starts_with('{') {
        let mut proof = false;
        let (mut file, mut edit) = (false, false);
        for (key, value) in lenient_json::members(output.as_bytes()) {
            match key {
                b"is_error" | b"isError" | b"interrupted" if lenient_json::is_true(value) => {
                    return false;
                }
                b"is_error" | b"isError" => proof |= value == b"false",
                b"exit_code" | b"exitCode" | b"returncode" | b"returnCode" => {
                    if value != b"0" {
                        return false;
                    }
                    proof = true;
                }
                b"filePath" => file = true,
                b"structuredPatch" | b"oldString" | b"newString" | b"originalFile" | b"content" => {
                    edit = true;
                }
                _ => {}
            }
        }
        return proof || (is_editor(tool) && file && edit);
    }
    is_editor(tool) && is_acknowledged(output)
}

fn is_editor(tool: &str) -> bool {
    matches!(tool, "Edit" | "Write" | "MultiEdit" | "NotebookEdit")
}

/// What the client answers to an edit that worked.
fn is_acknowledged(output: &str) -> bool {
    let first = output.lines().next().unwrap_or_default();
    first.starts_with("File created successfully at: ")
        || (first.starts_with("The file ")
            && (first.contains(" has been updated successfully")
                || first.contains(" has been updated.")))
        || first.starts_with("Applied ") && first.contains(" edit") && first.contains(" to ")
        || first.starts_with("Updated cell ")
}

/// The folder into which the hooks move a log that has grown large.
pub(crate) fn archive_of(log: &str) -> String {
    log.replace("observations.jsonl", "archive")
}

/// One log's bytes and lines.
#[derive(Debug, Default)]
pub struct Log {
    /// Its bytes; empty when there is none.
    pub bytes: Vec<u8>,
    /// Whether there is a file.
    pub exists: bool,
    /// Lines that moved to the archive before they were distilled.
    pub moved: Vec<u8>,
}

impl Log {
    /// Reads a log of a record.
    pub fn read(record: &Record, file: &str) -> Result<Self> {
        let path = record.resolve(file)?;
        if std::fs::metadata(&path).is_ok_and(|meta| meta.is_file() && meta.len() > LARGEST) {
            return Err(Error::Refused(format!(
                "{file} is larger than {} MB; `mnemo doctor` says how to move it away",
                LARGEST >> 20
            )));
        }
        let bytes = safe_file::read(&path, LARGEST)?;
        Ok(Self {
            exists: bytes.is_some(),
            bytes: bytes.unwrap_or_default(),
            moved: Vec::new(),
        })
    }

    /// Reads the last `count` lines that were moved to the archive of this log, as far as they are
    /// there and do not come to more than is read at once.
    fn read_moved(&mut self, record: &Record, file: &str, count: u64) -> Result<()> {
        let folder = archive_of(file);
        let Ok(entries) = std::fs::read_dir(record.resolve(&folder)?) else {
            return Ok(());
        };
        let mut names: Vec<String> = entries
            .flatten()
            .filter_map(|entry| entry.file_name().into_string().ok())
            .filter(|name| {
                let stamp = name.strip_prefix("observations-");
                stamp.is_some_and(|stamp| stamp.strip_suffix(".jsonl").is_some())
            })
            .collect();
        // Their names hold the time at which they were moved.
        names.sort_unstable();
        let mut wanted = usize::try_from(count).unwrap_or(usize::MAX);
        let mut parts: Vec<Vec<u8>> = Vec::new();
        let mut size = 0;
        for name in names.iter().rev() {
            if wanted == 0 || size > LARGEST {
                break;
            }
            let path = record.resolve(&format!("{folder}/{name}"))?;
            let mut bytes = safe_file::read(&path, LARGEST)?.unwrap_or_default();
            let lines = memchr::memchr_iter(b'\n', &bytes).count();
            if let Some(more) = lines.checked_sub(wanted).filter(|more| *more > 0) {
                let before = memchr::memchr_iter(b'\n', &bytes).nth(more - 1);
                bytes.drain(..before.map_or(0, |at| at + 1));
            }
            wanted = wanted.saturating_sub(lines);
            size += bytes.len() as u64;
            parts.push(bytes);
        }
        parts.reverse();
        self.moved = parts.concat();
        Ok(())
    }

    /// The lines behind an offset of this log, with those that were moved away before they were
    /// distilled.
    pub fn since(&self, offset: i64) -> impl Iterator<Item = &[u8]> {
        let moved = self.moved.split_inclusive(|byte| *byte == b'\n');
        moved.chain(self.lines().skip(usize::try_from(offset).unwrap_or(0)))
    }

    /// Its lines with their ends; a torn last one included.
    pub fn lines(&self) -> impl Iterator<Item = &[u8]> {
        self.bytes.split_inclusive(|byte| *byte == b'\n')
    }

    /// Complete lines.
    pub fn count(&self) -> i64 {
        i64::try_from(memchr::memchr_iter(b'\n', &self.bytes).count()).unwrap_or(i64::MAX)
    }
}

/// How far distilling has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Offset {
    /// Lines of the failures; negative when lines were moved away that were never distilled.
    pub gotchas: i64,
    /// Lines of the successes.
    pub learned: i64,
    /// When, seconds since 1970.
    pub epoch: i64,
}

impl Offset {
    /// Reads `gotchas learned epoch`.
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(bytes).ok()?;
        let mut numbers = text.split_whitespace().map(str::parse::<i64>);
        let offset = Self {
            gotchas: numbers.next()?.ok()?,
            learned: numbers.next()?.ok()?,
            epoch: numbers.next()?.ok()?,
        };
        numbers.next().is_none().then_some(offset)
    }

    /// As the original writes it.
    pub fn render(self) -> Vec<u8> {
        format!("{} {} {}\n", self.gotchas, self.learned, self.epoch).into_bytes()
    }
}

/// Both logs and the offset, read at one moment.
#[derive(Debug)]
pub struct Logs {
    /// Failures.
    pub gotchas: Log,
    /// Successes.
    pub learned: Log,
    /// The offset's bytes, if there is a file.
    pub offset_bytes: Option<Vec<u8>>,
    /// What they say, if they can be read.
    pub offset: Option<Offset>,
}

impl Logs {
    /// Reads what a record has.
    pub fn read(record: &Record) -> Result<Self> {
        let offset_bytes = safe_file::read(&record.resolve(OFFSET)?, LARGEST_OFFSET)?;
        let offset = offset_bytes.as_deref().and_then(Offset::parse);
        let mut gotchas = Log::read(record, GOTCHAS)?;
        let mut learned = Log::read(record, LEARNED)?;
        if let Some(offset) = offset {
            for (log, file, lines) in [
                (&mut gotchas, GOTCHAS, offset.gotchas),
                (&mut learned, LEARNED, offset.learned),
            ] {
                if lines < 0 {
                    log.read_moved(record, file, lines.unsigned_abs())?;
                }
            }
        }
        Ok(Self {
            gotchas,
            learned,
            offset_bytes,
            offset,
        })
    }

    /// New lines of the failures and the successes since the offset; negative when it lies beyond
    /// the file.
    pub fn backlog(&self) -> (i64, i64) {
        let (gotchas, learned) = self
            .offset
            .map_or((0, 0), |offset| (offset.gotchas, offset.learned));
        (
            self.gotchas.count() - gotchas,
            self.learned.count() - learned,
        )
    }

    /// Whether the offset lies beyond a file: what is new would not be seen.
    pub fn is_offset_beyond(&self) -> bool {
        let (gotchas, learned) = self.backlog();
        gotchas < 0 || learned < 0
    }

    /// Whether the offset cannot be read: everything counts as new.
    pub fn is_offset_damaged(&self) -> bool {
        self.offset.is_none() && self.offset_bytes.is_some()
    }

    /// The offset at the present ends.
    pub fn at_end(&self, env: &Env) -> Offset {
        Offset {
            gotchas: self.gotchas.count(),
            learned: self.learned.count(),
            epoch: env.now().timestamp(),
        }
    }

    /// The lines (from 1) of failures that were none.
    pub fn misfiled(&self) -> Vec<usize> {
        self.gotchas
            .lines()
            .enumerate()
            .filter(|(_, line)| {
                // Cheap first: most lines need not be parsed.
                memchr::memmem::find(line, b"tool_error").is_some()
                    && Observation::parse(line).is_some_and(|observation| observation.is_misfiled())
            })
            .map(|(index, _)| index + 1)
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn only_explicit_proof_counts() {
        for (tool, output) in [
            (
                "Bash",
                "{\n  \"stdout\": \"0 errors\",\n  \"is_error\": false\n}",
            ),
            (
                "Bash",
                "{\"stdout\":\"error: none\",\"exit_code\":0,\"interrupted\":false}",
            ),
            (
                "Edit",
                "{\"filePath\":\"/a\",\"oldString\":\"Err(e)\",\"newString\":\"cut he",
            ),
            ("Write", "File created successfully at: /a/error.rs"),
        ] {
            assert!(succeeded(tool, output), "{tool} {output}");
        }
        for (tool, output) in [
            ("Bash", "0 errors, 0 failed"),
            ("Bash", "{\"stdout\":\"error\",\"interrupted\":false}"),
            ("Bash", "{\"is_error\":false,\"exit_code\":1}"),
            ("Bash", "{\"is_error\":false,\"interrupted\":true}"),
            ("Bash", "File created successfully at: x"),
            ("Edit", "Error: String to replace not found in file."),
            ("Bash", "{\"filePath\":\"/a\",\"oldString\":\"x\"}"),
        ] {
            assert!(!succeeded(tool, output), "{tool} {output}");
        }
    }

    proptest! {
        #[test]
        fn offsets_come_back(gotchas: i64, learned: i64, epoch: i64) {
            let offset = Offset { gotchas, learned, epoch };
            prop_assert_eq!(Offset::parse(&offset.render()), Some(offset));
        }

        #[test]
        fn any_bytes_are_read(bytes: Vec<u8>) {
            let _ = Offset::parse(&bytes);
            let _ = Observation::parse(&bytes).map(|one| one.is_misfiled());
        }
    }
}
