//! A few megabytes are looked at once for all that a search may ask for, word after word: a sample
//! of them tells which questions will follow.

use crate::judge::Finder;
use crate::query::{Query, Target};
use crate::scan::{Job, Scan, merge, scan};

/// One file of so many is the sample.
const PART: usize = 5;
/// Fewer files are not sampled.
const LEAST_FILES: usize = 8;

/// Day files, and what is known of them.
#[derive(Debug)]
struct Share {
    files: Vec<usize>,
    known: Vec<(Vec<Target>, Scan)>,
}

/// What was seen so far: the sample, and the rest.
#[derive(Debug)]
pub(crate) struct Looks {
    sample: Share,
    rest: Share,
}

impl Looks {
    /// `None` where it does not pay.
    pub(crate) fn of(files: usize) -> Option<Self> {
        if files < LEAST_FILES {
            return None;
        }
        // Evenly over the days: words come and go.
        let (sample, rest) = (0..files).partition(|index| index % PART == PART / 2);
        let share = |files| Share {
            files,
            known: Vec::new(),
        };
        Some(Self {
            sample: share(sample),
            rest: share(rest),
        })
    }

    /// What the sample holds of the targets.
    pub(crate) fn sample(&mut self, targets: &[Target], query: &Query, job: Job<'_>) -> Scan {
        self.sample.find(targets, query, job)
    }

    /// How many times the sample all files are.
    pub(crate) fn times(&self) -> usize {
        (self.sample.files.len() + self.rest.files.len()) / self.sample.files.len().max(1)
    }

    /// Looks for all that will be asked for in the rest.
    pub(crate) fn expect(&mut self, targets: &[Target], query: &Query, job: Job<'_>) {
        self.rest.look(targets, query, job);
    }

    /// All that holds one of the targets.
    pub(crate) fn find(&mut self, targets: &[Target], query: &Query, job: Job<'_>) -> Scan {
        let sample = self.sample.find(targets, query, job);
        let rest = self.rest.find(targets, query, job);
        let finder = Finder::new(targets);
        let mut parts = vec![sample, rest];
        parts.append(&mut scan(&Job {
            targets,
            groups: &query.groups,
            finder: &finder,
            files: &[],
            remembers: false,
            ..job
        }));
        merge(parts)
    }
}

impl Share {
    fn find(&mut self, targets: &[Target], query: &Query, job: Job<'_>) -> Scan {
        let known = |share: &Self| {
            share
                .known
                .iter()
                .rev()
                .find_map(|(all, scan)| Some(scan.only(&places(targets, all)?)))
        };
        if let Some(scan) = known(self) {
            return scan;
        }
        self.look(targets, query, job);
        known(self).unwrap_or_else(|| self.scan(targets, query, job))
    }

    fn look(&mut self, targets: &[Target], query: &Query, job: Job<'_>) {
        let scan = self.scan(targets, query, job);
        // What was thrown away cannot be asked for.
        if !scan.pruned {
            self.known.push((targets.to_vec(), scan));
        }
    }

    fn scan(&self, targets: &[Target], query: &Query, job: Job<'_>) -> Scan {
        let finder = Finder::new(targets);
        merge(scan(&Job {
            targets,
            groups: &query.groups,
            finder: &finder,
            files: &self.files,
            items: &[],
            said: &[],
            remembers: true,
            ..job
        }))
    }
}

/// Where among others targets stand, in the same order.
fn places(targets: &[Target], all: &[Target]) -> Option<Vec<usize>> {
    let mut left = all.iter().enumerate();
    targets
        .iter()
        .map(|target| {
            left.find(|(_, other)| target.finds_as(other))
                .map(|(place, _)| place)
        })
        .collect()
}
