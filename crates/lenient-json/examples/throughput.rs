//! How fast members are walked: `cargo run --release --example throughput -- transcript.jsonl`.
//! On a busy machine compare processor time instead: `perf stat -e user_time`. Repeats the file until a gigabyte was walked, and prints gigabytes a second.

#![allow(clippy::print_stdout, reason = "a program for the terminal")]

use std::time::Instant;

fn main() -> std::io::Result<()> {
    let Some(path) = std::env::args_os().nth(1) else {
        return Err(std::io::Error::other("name a file of JSON lines"));
    };
    let bytes = std::fs::read(path)?;
    let lines: Vec<&[u8]> = bytes.split(|b| *b == b'\n').collect();
    let rounds = 1_000_000_000 / bytes.len().max(1) + 1;
    for (name, walk) in [
        ("members", walk as fn(&[u8]) -> usize),
        ("first_object", |line| {
            lenient_json::first_object(line).map_or(0, <[u8]>::len)
        }),
    ] {
        let start = Instant::now();
        let mut sum = 0;
        for _ in 0..rounds {
            sum += lines.iter().map(|line| walk(line)).sum::<usize>();
        }
        let took = start.elapsed().as_secs_f64();
        let walked = u32::try_from(bytes.len() * rounds / 1_000_000).unwrap_or(u32::MAX);
        println!(
            "{name}: {:.2} GB/s (check {sum})",
            f64::from(walked) / 1000.0 / took
        );
    }
    Ok(())
}

fn walk(line: &[u8]) -> usize {
    lenient_json::members(line)
        .map(|(key, value)| key.len() + value.len())
        .sum()
}
