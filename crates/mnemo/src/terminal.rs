//! What reaches the terminal: results on stdout, talk on stderr, no control codes from files.
#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "the one place of the companion that prints"
)]

use mnemo_home::text::{escaped_json, plain, steers};
use safe_file::Bounded;
use std::fmt::Write as _;
use std::io::{ErrorKind, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a part of a result could not be written.
static LOST: AtomicBool = AtomicBool::new(false);

/// Whether a part of a result could not be written; that was said then.
pub(crate) fn lost() -> bool {
    LOST.load(Ordering::Relaxed)
}

/// Says, once, that a result could not be written. A reader that went away is no error.
pub(crate) fn written(result: std::io::Result<()>) {
    if let Err(error) = result
        && error.kind() != ErrorKind::BrokenPipe
        && !LOST.swap(true, Ordering::Relaxed)
    {
        complain(&format!("cannot write the whole result: {error}"));
    }
}

/// Prints a result.
pub(crate) fn say(text: &str) {
    let mut out = Bounded::stdout();
    let end: &[u8] = if text.ends_with('\n') { b"" } else { b"\n" };
    let all = out.write_all(plain(text).as_bytes());
    written(
        all.and_then(|()| out.write_all(end))
            .and_then(|()| out.flush()),
    );
}

/// Prints a result as JSON.
pub(crate) fn say_json(value: &impl serde::Serialize) {
    if let Ok(text) = serde_json::to_string_pretty(value) {
        let mut out = Bounded::stdout();
        written(writeln!(out, "{}", escaped_json(&text, steers)).and_then(|()| out.flush()));
    }
}

/// Hands out standard output for what is too long to be held. On a terminal what steers it is taken
/// out; elsewhere it is data.
pub(crate) fn stream<T>(write: impl FnOnce(&mut dyn Write) -> T) -> T {
    let mut out = std::io::BufWriter::with_capacity(64 * 1024, Out(Bounded::stdout()));
    if is_shown() {
        let mut text = Vec::new();
        let done = write(&mut text);
        let all = out.write_all(plain(&String::from_utf8_lossy(&text)).as_bytes());
        written(all.and_then(|()| out.flush()));
        return done;
    }
    let done = write(&mut out);
    written(out.flush());
    done
}

/// Standard output that keeps its errors to itself: they are said, and whoever writes goes on.
struct Out(Bounded<std::io::StdoutLock<'static>>);

impl Write for Out {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        written(self.0.write_all(bytes));
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        written(self.0.flush());
        Ok(())
    }
}

/// Whether a person reads standard output.
pub(crate) fn is_shown() -> bool {
    std::io::stdout().is_terminal()
}

/// A part of a result that may look different on a terminal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Piece {
    /// As it is.
    Plain(String),
    /// What was looked for: bold.
    Mark(String),
    /// Where it stands: dim colour.
    Head(String),
}

/// Prints a result in pieces; they look different on a terminal only, and never with `NO_COLOR`.
pub(crate) fn say_pieces(pieces: &[Piece], env: &mnemo_home::Env) {
    let styled = is_shown() && env.get("NO_COLOR").is_none_or(str::is_empty);
    let mut text = String::new();
    for piece in pieces {
        let (part, style) = match piece {
            Piece::Plain(part) => (part, None),
            Piece::Mark(part) => (part, Some("1")),
            Piece::Head(part) => (part, Some("36")),
        };
        match style.filter(|_| styled) {
            Some(style) => {
                let _ = write!(text, "\x1b[{style}m{}\x1b[0m", plain(part));
            }
            None => text.push_str(&plain(part)),
        }
    }
    let mut out = Bounded::stdout();
    written(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}

/// Talk beside the result.
pub(crate) fn note(text: &str) {
    let mut err = std::io::stderr().lock();
    let _ = writeln!(err, "{}", plain(text));
}

/// An error.
pub(crate) fn complain(text: &str) {
    note(&format!("mnemo: {text}"));
}

/// Whether progress may be drawn.
pub(crate) fn draws_progress() -> bool {
    std::io::stderr().is_terminal()
}

/// Whether results go to a terminal.
pub(crate) fn shows_results_to_a_person() -> bool {
    std::io::stdout().is_terminal()
}
