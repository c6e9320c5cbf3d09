//! Measures the hooks against an empty program, against shell scripts that do the least such a hook
//! must do, and against themselves with far more data around them. Prints Markdown tables; ends
//! with 1 if a ratio is over its bar.
//!
//! `mnemo-bench-pairs FOLDER [--quick] [--runs N] [--only TEXT] [--empty PROGRAM] [--shell
//! SCRIPTS]`: FOLDER holds the release build, and the empty program unless another one is named;
//! SCRIPTS the shell scripts.
//! `mnemo-bench-pairs FOLDER --instructions [--runs N]`: instead, the hooks' instructions in their
//! standard cases, counted by valgrind: `hook count`, the lowest of N runs (and to standard error
//! how far the highest lies above it).
//! `mnemo-bench-pairs --pair STDIN [--runs N] A B`: only these two programs.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for the terminal"
)]

mod measure;
mod workload;

use measure::{Start, Times, program};
use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use workload::{MEGABYTE, Size, World};

struct Options {
    runs: usize,
    quick: bool,
    only: String,
    pair: Option<PathBuf>,
    empty: Option<PathBuf>,
    shell: Option<PathBuf>,
    instructions: bool,
    rest: Vec<PathBuf>,
}

fn options() -> Option<Options> {
    let mut options = Options {
        runs: 0,
        quick: false,
        only: String::new(),
        pair: None,
        empty: None,
        shell: None,
        instructions: false,
        rest: Vec::new(),
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--runs" => options.runs = args.next()?.parse().ok()?,
            "--quick" => options.quick = true,
            "--only" => options.only = args.next()?,
            "--empty" => options.empty = Some(std::path::absolute(args.next()?).ok()?),
            "--shell" => options.shell = Some(std::path::absolute(args.next()?).ok()?),
            "--instructions" => options.instructions = true,
            "--pair" => options.pair = Some(args.next()?.into()),
            _ => options.rest.push(arg.into()),
        }
    }
    if options.runs == 0 {
        options.runs = match (options.instructions, options.quick) {
            (true, _) => 3,
            (false, true) => 50,
            (false, false) => 200,
        };
    }
    Some(options)
}

fn main() -> ExitCode {
    let result = match options() {
        Some(Options {
            pair: Some(stdin),
            runs,
            rest,
            ..
        }) if rest.len() == 2 => pair(&stdin, &rest, runs),
        Some(options) if options.pair.is_none() && options.rest.len() == 1 => {
            if options.instructions {
                instructions(&options)
            } else {
                all(&options)
            }
        }
        _ => Err(io::Error::other(
            "usage: mnemo-bench-pairs FOLDER [--quick] [--runs N] [--only TEXT] \
             [--empty PROGRAM] [--shell SCRIPTS]\n   or: \
             mnemo-bench-pairs FOLDER --instructions [--runs N]\n   or: \
             mnemo-bench-pairs --pair STDIN [--runs N] A B",
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

fn pair(stdin: &Path, programs: &[PathBuf], runs: usize) -> io::Result<bool> {
    let starts: Vec<Start> = programs
        .iter()
        .map(|program| {
            let words = program.to_string_lossy();
            let mut words = words.split(' ').map(str::to_owned);
            Start {
                program: words.next().unwrap_or_default().into(),
                args: words.collect(),
                stdin: stdin.to_owned(),
                cwd: std::env::temp_dir(),
                env: Vec::new(),
                reset: Vec::new(),
            }
        })
        .collect();
    if let [a, b] = starts.as_slice() {
        let times = Times::of(&[a, b], runs)?;
        println!("| case | A | B | ratio |\n|---|---|---|---|");
        println!(
            "| pair | {} | {} | {:.2} |",
            times.cell(0),
            times.cell(1),
            times.ratio(0, 1)
        );
    }
    Ok(true)
}

/// What a ratio may be at most, and whether it is.
fn verdict(ratio: f64, bar: Option<f64>) -> (String, bool) {
    match bar {
        None => ("–".to_owned(), true),
        Some(bar) if ratio <= bar => (format!("{bar:.1}"), true),
        Some(bar) => (format!("{bar:.1} **over**"), false),
    }
}

/// How often `session-reconcile` is started before it is measured: it takes up old transcripts
/// within a time budget a start.
const STARTS: usize = 40;

struct Bench<'a> {
    options: &'a Options,
    folder: PathBuf,
    empty: PathBuf,
    world: World,
}

impl Bench<'_> {
    fn wants(&self, name: &str) -> bool {
        name.contains(&self.options.only)
    }

    /// The hook in its case, warm.
    fn start(&self, hook: &str, size: Size) -> io::Result<Start> {
        let start = self
            .world
            .start(&program(&self.folder, hook)?, hook, size)?;
        if hook == "session-reconcile" {
            for _ in 0..STARTS {
                start.run()?;
            }
        }
        Ok(start)
    }

    /// One line of the first table.
    fn against_empty(&self, hook: &str, what: &str, bar: f64, size: Size) -> io::Result<bool> {
        let name = format!("{hook}, {what}");
        if !self.wants(&name) {
            return Ok(true);
        }
        let start = self.start(hook, size)?;
        let mut empty = Start {
            program: self.empty.clone(),
            ..start.clone()
        };
        empty.reset.clear();
        let script = self.options.shell.as_ref().filter(|_| !size.configured);
        let script = script.map(|scripts| Start {
            program: scripts.join(format!("{hook}.sh")),
            ..start.clone()
        });
        let times = Times::of(&[&empty, &start], self.options.runs)?;
        let (bar, within) = verdict(times.ratio(0, 1), Some(bar));
        // In a run of its own: what a shell leaves in the caches is no part of the first ratio.
        let shell = match &script {
            Some(script) => {
                let times = Times::of(&[&start, script], self.options.runs.div_ceil(4))?;
                format!("{} | {:.1}", times.cell(1), times.ratio(0, 1))
            }
            None => "– | –".to_owned(),
        };
        println!(
            "| {name} | {} | {} | {:.2} | {bar} | {shell} |",
            times.cell(0),
            times.cell(1),
            times.ratio(0, 1)
        );
        Ok(within)
    }

    /// One line of the second table.
    fn against_itself(
        &self,
        hook: &str,
        what: &str,
        bar: Option<f64>,
        sizes: [Size; 2],
    ) -> io::Result<bool> {
        let name = format!("{hook}, {what}");
        if !self.wants(&name) {
            return Ok(true);
        }
        let small = self.start(hook, sizes[0])?;
        let large = self.start(hook, sizes[1])?;
        let times = Times::of(&[&small, &large], self.options.runs)?;
        let (bar, within) = verdict(times.ratio(0, 1), bar);
        println!(
            "| {name} | {} | {} | {:.2} | {bar} |",
            times.cell(0),
            times.cell(1),
            times.ratio(0, 1)
        );
        Ok(within)
    }
}

/// The standard case of each hook, its bar, and how much lies around it.
fn standard() -> [(&'static str, &'static str, f64, Size); 5] {
    let transcripts = Size {
        more_transcripts: 200,
        ..Size::SMALL
    };
    [
        ("prompt-save", "prompt of 1 KB", 1.5, Size::SMALL),
        ("tool-log", "Bash call", 1.5, Size::SMALL),
        ("stop-trigger", "stop", 1.5, Size::SMALL),
        ("response-save", "transcript of 1 MB", 2.0, Size::SMALL),
        (
            "session-reconcile",
            "nothing new in 200 transcripts of 1 MB",
            2.0,
            transcripts,
        ),
    ]
}

/// The tables of all cases.
fn all(options: &Options) -> io::Result<bool> {
    let folder = options.rest.first().map(PathBuf::as_path);
    let folder = std::path::absolute(folder.unwrap_or(Path::new(".")))?;
    let empty = match &options.empty {
        Some(empty) => empty.clone(),
        None => program(&folder, "mnemo-bench-empty")?,
    };
    let bench = Bench {
        options,
        folder,
        empty,
        world: World::new()?,
    };
    let mut within = true;

    println!("### Against an empty program, and against shell and jq\n");
    println!("| case | empty program | hook | ratio | bar | shell and jq | times the hook |");
    println!("|---|---|---|---|---|---|---|");
    for (hook, what, bar, size) in standard() {
        within &= bench.against_empty(hook, what, bar, size)?;
    }
    let configured = Size {
        configured: true,
        ..Size::SMALL
    };
    for hook in ["prompt-save", "tool-log", "stop-trigger"] {
        within &= bench.against_empty(hook, "with a configuration file", 2.0, configured)?;
    }

    println!("\n### Against itself with more around it\n");
    println!("| case | little | much | ratio | bar |");
    println!("|---|---|---|---|---|");
    let gigabyte = if options.quick { 64 } else { 1024 } * MEGABYTE;
    let transcript = |transcript| Size {
        transcript,
        ..Size::SMALL
    };
    let day = |day_file| Size {
        day_file,
        ..Size::SMALL
    };
    let archive = |days| Size {
        days,
        ..Size::SMALL
    };
    let memory = |memories| Size {
        memories,
        ..Size::SMALL
    };
    let others = |more_transcripts, of_each| Size {
        more_transcripts,
        of_each,
        ..Size::SMALL
    };
    let what = format!("transcript of 1 MB and of {} MB", gigabyte / MEGABYTE);
    let sizes = [transcript(MEGABYTE), transcript(gigabyte)];
    within &= bench.against_itself("response-save", &what, Some(1.2), sizes)?;
    for hook in ["prompt-save", "tool-log"] {
        let sizes = [day(MEGABYTE), day(100 * MEGABYTE)];
        within &= bench.against_itself(
            hook,
            "file of the day of 1 MB and of 100 MB",
            Some(1.2),
            sizes,
        )?;
    }
    for hook in ["prompt-save", "response-save", "session-reconcile"] {
        let sizes = [archive(10), archive(3000)];
        within &= bench.against_itself(hook, "archive of 10 days and of 3000", Some(1.2), sizes)?;
    }
    for hook in ["prompt-save", "stop-trigger"] {
        let sizes = [memory(10), memory(1000)];
        within &=
            bench.against_itself(hook, "memory of 10 entries and of 1000", Some(1.2), sizes)?;
    }
    let sizes = [others(200, MEGABYTE / 16), others(200, 4 * MEGABYTE)];
    let sizes = if options.quick {
        [sizes[0], others(200, MEGABYTE)]
    } else {
        sizes
    };
    let what = format!(
        "200 transcripts of 64 KB and of {} MB",
        sizes[1].of_each / MEGABYTE
    );
    within &= bench.against_itself("session-reconcile", &what, Some(1.2), sizes)?;
    let sizes = [others(20, MEGABYTE / 16), others(2000, MEGABYTE / 16)];
    within &= bench.against_itself("session-reconcile", "20 transcripts and 2000", None, sizes)?;
    Ok(within)
}

/// `hook count` of the standard cases.
fn instructions(options: &Options) -> io::Result<bool> {
    let folder = options.rest.first().map(PathBuf::as_path);
    let folder = std::path::absolute(folder.unwrap_or(Path::new(".")))?;
    let bench = Bench {
        options,
        empty: program(&folder, "mnemo-bench-empty")?,
        folder,
        world: World::new()?,
    };
    for (hook, _, _, mut size) in standard() {
        // Nothing of a transcript is read where nothing is new; making small ones is quick.
        size.of_each = 16 << 10;
        let start = bench.start(hook, size)?;
        let mut counts = Vec::new();
        for _ in 0..options.runs {
            counts.push(start.instructions()?);
        }
        let low = counts.iter().min().copied().unwrap_or_default();
        let high = counts.iter().max().copied().unwrap_or_default();
        println!("{hook} {low}");
        eprintln!(
            "{hook}: {} runs, the highest {} above",
            counts.len(),
            high - low
        );
    }
    Ok(true)
}
