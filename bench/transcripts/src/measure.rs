//! What a process costs, as Linux tells it.

use std::io;
use std::process::Command;
use std::time::{Duration, Instant};

/// Length of a tick of the kernel's accounts, in microseconds (100 a second everywhere).
const TICK: u64 = 10_000;

/// Microseconds and KB.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Cost {
    pub(crate) wall: u64,
    /// User and system, all threads.
    pub(crate) cpu: u64,
    /// The peak; 0 where the system does not tell.
    pub(crate) memory: u64,
}

/// Several runs.
#[derive(Debug, Default)]
pub(crate) struct Sum(Vec<Cost>);

impl Sum {
    pub(crate) fn add(&mut self, cost: Cost) {
        self.0.push(cost);
    }

    /// Median of the times, the mean of what is counted in ticks, the highest peak.
    pub(crate) fn middle(&self) -> Cost {
        let mut walls: Vec<u64> = self.0.iter().map(|cost| cost.wall).collect();
        walls.sort_unstable();
        Cost {
            wall: walls.get(walls.len() / 2).copied().unwrap_or_default(),
            cpu: self.0.iter().map(|cost| cost.cpu).sum::<u64>() / (self.0.len() as u64).max(1),
            memory: self
                .0
                .iter()
                .map(|cost| cost.memory)
                .max()
                .unwrap_or_default(),
        }
    }
}

/// Runs it to its end. An exit code of 2 or more is an error.
pub(crate) fn run(command: &mut Command) -> io::Result<Cost> {
    let before = children();
    let start = Instant::now();
    let mut child = command.spawn()?;
    let status = format!("/proc/{}/status", child.id());
    let watch = std::thread::spawn(move || {
        let mut peak = 0;
        // The kernel keeps the peak itself: only what comes within the last pause is missed.
        while let Some(now) = high_water(&status) {
            peak = now.max(peak);
            std::thread::sleep(Duration::from_millis(3));
        }
        peak
    });
    let code = child.wait()?.code();
    let wall = u64::try_from(start.elapsed().as_micros()).unwrap_or(u64::MAX);
    let memory = watch.join().unwrap_or_default();
    if code.is_none_or(|code| code > 1) {
        return Err(io::Error::other(format!("{command:?} failed")));
    }
    Ok(Cost {
        wall,
        cpu: children().saturating_sub(before),
        memory,
    })
}

fn high_water(status: &str) -> Option<u64> {
    let text = std::fs::read_to_string(status).ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse().ok()
}

/// Time of all children that ended.
fn children() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // Behind the name, which may hold anything: fields 3 and up; 16 and 17 are meant.
    let rest = stat.rsplit_once(')').map_or("", |(_, rest)| rest);
    let ticks = rest.split_whitespace().skip(13).take(2);
    ticks
        .filter_map(|ticks| ticks.parse::<u64>().ok())
        .sum::<u64>()
        * TICK
}
