//! Measures the hooks against an empty program, and against themselves with far more data around
//! them. Prints a Markdown table; ends with 1 if a ratio is over its bar.
//!
//! `mnemo-bench-pairs FOLDER [--quick] [--runs N] [--only TEXT] [--empty PROGRAM]`: FOLDER holds the
//! release build, and the empty program unless another one is named.
//! `mnemo-bench-pairs --pair STDIN [--runs N] A B`: only these two programs.

#![allow(
    clippy::print_stdout,
    clippy::print_stderr,
    reason = "a program for the terminal"
)]

mod measure;
mod workload;

use measure::{Medians, Start, program};
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
    rest: Vec<PathBuf>,
}

fn options() -> Option<Options> {
    let mut options = Options {
        runs: 0,
        quick: false,
        only: String::new(),
        pair: None,
        empty: None,
        rest: Vec::new(),
    };
    let mut args = std::env::args().skip(1);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--runs" => options.runs = args.next()?.parse().ok()?,
            "--quick" => options.quick = true,
            "--only" => options.only = args.next()?,
            "--empty" => options.empty = Some(std::path::absolute(args.next()?).ok()?),
            "--pair" => options.pair = Some(args.next()?.into()),
            _ => options.rest.push(arg.into()),
        }
    }
    if options.runs == 0 {
        options.runs = if options.quick { 50 } else { 200 };
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
        Some(options) if options.pair.is_none() && options.rest.len() == 1 => all(&options),
        _ => Err(io::Error::other(
            "usage: mnemo-bench-pairs FOLDER [--quick] [--runs N] [--only TEXT] \
             [--empty PROGRAM]\n   or: \
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
        let medians = Medians::of(a, b, runs)?;
        head("A", "B");
        row("pair", medians, None);
    }
    Ok(true)
}

fn head(a: &str, b: &str) {
    println!("| case | {a} | {b} | ratio | bar | |");
    println!("|---|---|---|---|---|---|");
}

fn row(name: &str, medians: Medians, bar: Option<f64>) -> bool {
    let within = bar.is_none_or(|bar| medians.ratio() <= bar);
    println!(
        "| {name} | {:.0} us | {:.0} us | {:.2} | {} | {} |",
        medians.a.as_secs_f64() * 1e6,
        medians.b.as_secs_f64() * 1e6,
        medians.ratio(),
        bar.map_or_else(|| "-".to_owned(), |bar| format!("{bar:.1}")),
        if within { "ok" } else { "OVER" },
    );
    within
}

/// The table of all cases.
fn all(options: &Options) -> io::Result<bool> {
    let folder = options.rest.first().map(PathBuf::as_path);
    let folder = std::path::absolute(folder.unwrap_or(Path::new(".")))?;
    let world = World::new()?;
    let empty = match &options.empty {
        Some(empty) => empty.clone(),
        None => program(&folder, "mnemo-bench-empty")?,
    };
    let mut within = true;
    let wanted = |name: &str| name.contains(&options.only);

    println!(
        "Against an empty program ({} runs each, medians)\n",
        options.runs
    );
    head("empty", "hook");
    let plain: &[(&str, &str, f64, bool)] = &[
        ("prompt-save", "prompt of 1 KB", 1.5, false),
        ("tool-log", "Bash call", 1.5, false),
        ("stop-trigger", "stop", 1.5, false),
        ("response-save", "transcript of 1 MB", 1.5, false),
        ("prompt-save", "with a configuration file", 2.0, true),
        ("tool-log", "with a configuration file", 2.0, true),
        ("stop-trigger", "with a configuration file", 2.0, true),
    ];
    for (hook, what, bar, configured) in plain {
        let name = format!("{hook}, {what}");
        if !wanted(&name) {
            continue;
        }
        let mut size = Size::SMALL;
        size.configured = *configured;
        let hook = world.start(&program(&folder, hook)?, hook, size)?;
        let mut empty = Start {
            program: empty.clone(),
            ..hook.clone()
        };
        empty.reset.clear();
        within &= row(&name, Medians::of(&empty, &hook, options.runs)?, Some(*bar));
    }
    let name = "session-reconcile, nothing new in 200 transcripts of 1 MB";
    if wanted(name) {
        let mut size = Size::SMALL;
        size.more_transcripts = 200;
        let hook = world.start(
            &program(&folder, "session-reconcile")?,
            "session-reconcile",
            size,
        )?;
        // It takes up old transcripts within a time budget a start, so it needs several.
        for _ in 0..40 {
            hook.run()?;
        }
        let mut empty = Start {
            program: empty,
            ..hook.clone()
        };
        empty.reset.clear();
        within &= row(name, Medians::of(&empty, &hook, options.runs)?, None);
    }

    println!("\nAgainst itself with more data around it\n");
    head("small", "large");
    let gigabyte = if options.quick {
        64 * MEGABYTE
    } else {
        1024 * MEGABYTE
    };
    let mut large = Size::SMALL;
    large.transcript = gigabyte;
    let mut day = Size::SMALL;
    day.day_file = 100 * MEGABYTE;
    for (hook, what, large) in [
        (
            "response-save",
            format!("transcript of 1 MB and {} MB", gigabyte / MEGABYTE),
            large,
        ),
        ("prompt-save", "day file of 1 MB and 100 MB".to_owned(), day),
    ] {
        let name = format!("{hook}, {what}");
        if !wanted(&name) {
            continue;
        }
        let mut small = Size::SMALL;
        if large.day_file > 0 {
            small.day_file = MEGABYTE;
        }
        let path = program(&folder, hook)?;
        let small = world.start(&path, hook, small)?;
        let large = world.start(&path, hook, large)?;
        within &= row(&name, Medians::of(&small, &large, options.runs)?, Some(1.2));
    }
    Ok(within)
}
