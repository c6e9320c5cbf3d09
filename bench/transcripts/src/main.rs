//! Writes transcripts as Claude Code 2.1.332 does, and times a repair of them against one pass of
//! grep over the same files. Prints a Markdown table; ends with 1 if a ratio is over its bar.
//!
//! `mnemo-bench-transcripts MNEMO [--quick] [--runs N] [--mix TEXT]`: MNEMO is the program.
//! `mnemo-bench-transcripts --write FOLDER --cwd DIRECTORY [--size MB] [--files N] [--days N]
//! [--mix TEXT]`: only writes.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for the terminal"
)]

mod measure;
mod session;
mod words;

use measure::{Cost, Sum};
use session::{Mix, Plan};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

const MB: u64 = 1 << 20;
/// A repair may take so many times what grep takes, in per cent, and so many KB of memory.
const BAR: u64 = 200;
const MEMORY: u64 = 64 * 1024;

/// The mixes: name, whether there is a bar for it, what a turn holds.
const MIXES: [(&str, bool, Mix); 2] = [
    (
        "5 % text",
        true,
        Mix {
            text: 6_500,
            tools: 14_000,
            notes: 110_000,
        },
    ),
    (
        "60 % text",
        false,
        Mix {
            text: 6_500,
            tools: 1_000,
            notes: 0,
        },
    ),
];

#[derive(Debug)]
struct Options {
    mnemo: Option<PathBuf>,
    write: Option<PathBuf>,
    cwd: PathBuf,
    size: u64,
    files: u64,
    days: u64,
    runs: u64,
    mix: String,
}

fn options() -> Option<Options> {
    let mut options = Options {
        mnemo: None,
        write: None,
        cwd: PathBuf::from("/"),
        size: 1024,
        files: 90,
        days: 30,
        runs: 5,
        mix: String::new(),
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--quick" => options.size = 200,
            "--write" => options.write = Some(args.next()?.into()),
            "--cwd" => options.cwd = args.next()?.into(),
            "--size" => options.size = args.next()?.parse().ok()?,
            "--files" => options.files = args.next()?.parse().ok().filter(|files| *files > 0)?,
            "--days" => options.days = args.next()?.parse().ok().filter(|days| *days > 0)?,
            "--runs" => options.runs = args.next()?.parse().ok().filter(|runs| *runs > 0)?,
            "--mix" => options.mix = args.next()?,
            _ if options.mnemo.is_none() && !arg.starts_with('-') => {
                options.mnemo = Some(std::path::absolute(arg).ok()?);
            }
            _ => return None,
        }
    }
    (options.mnemo.is_some() != options.write.is_some()).then_some(options)
}

fn main() -> ExitCode {
    let result = match options() {
        Some(options) => match (&options.write, &options.mnemo) {
            (Some(folder), _) => write(folder, &options).map(|_| true),
            (_, Some(mnemo)) => compare(mnemo, &options),
            _ => Ok(true),
        },
        None => Err(io::Error::other(
            "usage: mnemo-bench-transcripts MNEMO [--quick] [--size MB] [--runs N] [--mix TEXT]\n   \
             or: mnemo-bench-transcripts --write FOLDER --cwd DIRECTORY [--size MB] [--files N] \
             [--days N] [--mix TEXT]",
        )),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        Err(error) => {
            eprintln!("bench: {error}");
            ExitCode::from(2)
        }
    }
}

fn plan(mix: Mix, cwd: &Path, options: &Options) -> Plan {
    Plan {
        mix,
        size: options.size * MB,
        files: options.files,
        days: options.days,
        // 2026-11-28, ten in the morning: no session reaches midnight in most places.
        until: 1_795_860_000,
        cwd: cwd.to_owned(),
        seed: 1,
    }
}

fn chosen(options: &Options) -> impl Iterator<Item = (&'static str, bool, Mix)> {
    MIXES
        .into_iter()
        .filter(|(name, ..)| name.contains(&options.mix))
}

fn write(folder: &Path, options: &Options) -> io::Result<Vec<PathBuf>> {
    let mix = chosen(options).next().map(|(_, _, mix)| mix);
    let mix = mix.ok_or_else(|| io::Error::other("there is no such mix"))?;
    session::write(folder, &plan(mix, &options.cwd, options))
}

/// A place for one comparison, taken away at the end.
struct World(PathBuf);

impl World {
    fn new() -> io::Result<Self> {
        let folder = std::env::temp_dir().join(format!("mnemo-repair-{}", std::process::id()));
        std::fs::create_dir(&folder)?;
        let folder = std::fs::canonicalize(folder)?;
        std::fs::create_dir_all(folder.join("project/.git"))?;
        Ok(Self(folder))
    }

    fn project(&self) -> PathBuf {
        self.0.join("project")
    }

    /// Where the client keeps the project's transcripts.
    fn transcripts(&self) -> PathBuf {
        let slug: String = self
            .project()
            .to_string_lossy()
            .chars()
            .map(|c| if c.is_ascii_alphanumeric() { c } else { '-' })
            .collect();
        self.0.join("home/.claude/projects").join(slug)
    }

    fn forget(&self) -> io::Result<()> {
        match std::fs::remove_dir_all(self.project().join("conversations")) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    fn repair(&self, mnemo: &Path) -> Command {
        let mut command = Command::new(mnemo);
        command
            .args(["reconcile", "--all", "--finished"])
            .current_dir(self.project())
            .env_clear()
            .env("HOME", self.0.join("home"))
            .stdin(Stdio::null())
            .stdout(Stdio::null());
        command
    }

    fn grep(&self, files: &[PathBuf]) -> io::Result<Command> {
        let mut command = Command::new("grep");
        command
            .args(["-c", "\"type\":\"assistant\""])
            .args(files)
            .env("LC_ALL", "C")
            .stdin(Stdio::null())
            .stdout(File::create(self.0.join("counts"))?);
        Ok(command)
    }
}

impl Drop for World {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn compare(mnemo: &Path, options: &Options) -> io::Result<bool> {
    println!(
        "Repair of {} MB in {} transcripts of {} days against `LC_ALL=C grep -c`, {} pairs, warm files",
        options.size, options.files, options.days, options.runs
    );
    println!();
    println!(
        "| transcripts | run | grep wall | repair wall | ratio | grep CPU | repair CPU | ratio | peak memory |"
    );
    println!("|---|---|---:|---:|---:|---:|---:|---:|---:|");
    let mut good = true;
    for (name, bar, mix) in chosen(options) {
        let world = World::new()?;
        let files = session::write(&world.transcripts(), &plan(mix, &world.project(), options))?;
        measure::run(&mut world.grep(&files)?)?;
        let mut first = (Sum::default(), Sum::default());
        let mut again = (Sum::default(), Sum::default());
        for _ in 0..options.runs {
            world.forget()?;
            first.0.add(measure::run(&mut world.grep(&files)?)?);
            first.1.add(measure::run(&mut world.repair(mnemo))?);
            again.0.add(measure::run(&mut world.grep(&files)?)?);
            again.1.add(measure::run(&mut world.repair(mnemo))?);
        }
        for (run, (grep, repair)) in [("first", first), ("again", again)] {
            let (grep, repair) = (grep.middle(), repair.middle());
            row(name, run, &grep, &repair);
            good &= !bar || repair.wall * 100 <= grep.wall * BAR && repair.memory <= MEMORY;
        }
    }
    Ok(good)
}

fn row(name: &str, run: &str, grep: &Cost, repair: &Cost) {
    println!(
        "| {name} | {run} | {} ms | {} ms | {} | {} ms | {} ms | {} | {} MB |",
        grep.wall / 1000,
        repair.wall / 1000,
        ratio(repair.wall, grep.wall),
        grep.cpu / 1000,
        repair.cpu / 1000,
        ratio(repair.cpu, grep.cpu),
        repair.memory.div_ceil(1024)
    );
}

/// With two digits behind the point.
fn ratio(one: u64, other: u64) -> String {
    let hundredths = one * 100 / other.max(1);
    format!("{}.{:02}", hundredths / 100, hundredths % 100)
}
