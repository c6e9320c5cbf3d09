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
        self.put_back()?;
        let mut command = self.command(&self.program)?;
        command.args(&self.args).stderr(Stdio::null());
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

    fn command(&self, program: &Path) -> io::Result<Command> {
        let mut command = Command::new(program);
        command
            .current_dir(&self.cwd)
            .env_clear()
            .envs(self.env.iter().map(|(name, value)| (name, value)))
            .stdin(File::open(&self.stdin)?)
            .stdout(Stdio::null());
        Ok(command)
    }

    /// Runs once under valgrind, which counts the instructions of the whole process, those of the
    /// dynamic linker and of the C library included.
    pub(crate) fn instructions(&self) -> io::Result<u64> {
        self.put_back()?;
        let output = self
            .command(Path::new("valgrind"))?
            .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
            .arg(&self.program)
            .args(&self.args)
            .stderr(Stdio::piped())
            .output()?;
        let said = String::from_utf8_lossy(&output.stderr);
        let count = said
            .lines()
            .find_map(|line| line.split_once("Collected : ")?.1.trim().parse().ok());
        match count {
            Some(count) if output.status.success() => Ok(count),
            _ => Err(io::Error::other(format!(
                "{} under valgrind ended with {}:\n{said}",
                self.program.display(),
                output.status
            ))),
        }
    }

    fn put_back(&self) -> io::Result<()> {
        for (from, to) in &self.reset {
            match from {
                Some(from) => drop(std::fs::copy(from, to)?),
                None => drop(std::fs::remove_file(to)),
            }
        }
        Ok(())
    }
}

/// Times of programs that were run in turn, so that whatever slows the machine down meets all.
#[derive(Debug, Clone)]
pub(crate) struct Times(Vec<Vec<Duration>>);

impl Times {
    pub(crate) fn of(starts: &[&Start], runs: usize) -> io::Result<Self> {
        for _ in 0..5 {
            for start in starts {
                start.run()?;
            }
        }
        let mut times = vec![Vec::with_capacity(runs); starts.len()];
        for run in 0..runs {
            let mut order: Vec<usize> = (0..starts.len()).collect();
            if run % 2 == 1 {
                order.reverse();
            }
            for index in order {
                if let (Some(start), Some(times)) = (starts.get(index), times.get_mut(index)) {
                    times.push(start.run()?);
                }
            }
        }
        for times in &mut times {
            times.sort_unstable();
        }
        Ok(Self(times))
    }

    /// The time of program `index` that `part` of 100 runs were not slower than.
    fn at(&self, index: usize, part: usize) -> Duration {
        let times = self.0.get(index).map(Vec::as_slice).unwrap_or_default();
        let last = times.len().saturating_sub(1);
        times.get(last * part / 100).copied().unwrap_or_default()
    }

    pub(crate) fn median(&self, index: usize) -> Duration {
        self.at(index, 50)
    }

    /// How much slower program `b` is than program `a`.
    pub(crate) fn ratio(&self, a: usize, b: usize) -> f64 {
        self.median(b).as_secs_f64() / self.median(a).as_secs_f64()
    }

    /// Median and, in brackets, the middle half of the runs.
    pub(crate) fn cell(&self, index: usize) -> String {
        let [low, middle, high] = [25, 50, 75].map(|part| self.at(index, part).as_secs_f64() * 1e6);
        if middle < 10_000.0 {
            format!("{middle:.0} us ({low:.0}–{high:.0})")
        } else {
            let [low, middle, high] = [low, middle, high].map(|time| time / 1000.0);
            format!("{middle:.1} ms ({low:.1}–{high:.1})")
        }
    }
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
