//! Whole processes, timed from spawn to wait.

use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// One program with all it is started with.
#[derive(Debug, Clone)]
pub(crate) struct Start {
    pub(crate) program: PathBuf,
    pub(crate) args: Vec<String>,
    pub(crate) stdin: PathBuf,
    pub(crate) cwd: PathBuf,
    /// The whole environment.
    pub(crate) env: Vec<(String, String)>,
    /// Put back before each run, outside of the measured time: copied from the first path to the
    /// second, or removed where there is no first.
    pub(crate) reset: Vec<(Option<PathBuf>, PathBuf)>,
}

impl Start {
    /// Runs once. Any other end than exit code 0 is an error: a number for it would be a lie.
    pub(crate) fn run(&self) -> io::Result<Duration> {
        for (from, to) in &self.reset {
            match from {
                Some(from) => drop(std::fs::copy(from, to)?),
                None => drop(std::fs::remove_file(to)),
            }
        }
        let mut command = Command::new(&self.program);
        command
            .args(&self.args)
            .current_dir(&self.cwd)
            .env_clear()
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .stdin(File::open(&self.stdin)?)
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        let start = Instant::now();
        let status = command.spawn()?.wait()?;
        let took = start.elapsed();
        if status.success() {
            Ok(took)
        } else {
            Err(io::Error::other(format!(
                "{} ended with {status}",
                self.program.display()
            )))
        }
    }
}

/// Medians of two programs that were run in turn, so that whatever slows the machine down meets
/// both.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Medians {
    pub(crate) a: Duration,
    pub(crate) b: Duration,
}

impl Medians {
    pub(crate) fn of(a: &Start, b: &Start, runs: usize) -> io::Result<Self> {
        for _ in 0..5 {
            a.run()?;
            b.run()?;
        }
        let mut times = (Vec::with_capacity(runs), Vec::with_capacity(runs));
        for run in 0..runs {
            if run % 2 == 0 {
                times.0.push(a.run()?);
                times.1.push(b.run()?);
            } else {
                times.1.push(b.run()?);
                times.0.push(a.run()?);
            }
        }
        Ok(Self {
            a: median(times.0),
            b: median(times.1),
        })
    }

    pub(crate) fn ratio(self) -> f64 {
        self.b.as_secs_f64() / self.a.as_secs_f64()
    }
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

/// The path of a program that is there, or what to do about it.
pub(crate) fn program(folder: &Path, name: &str) -> io::Result<PathBuf> {
    let path = folder.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if path.is_file() {
        Ok(path)
    } else {
        Err(io::Error::other(format!(
            "{} is not there: build it with `cargo build --release --workspace`",
            path.display()
        )))
    }
}
