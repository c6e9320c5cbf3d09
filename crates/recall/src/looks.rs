//! A few megabytes are looked at once for all that a search may ask for, word after word: a sample
//! of them tells which questions will follow.

use crate::finder::Finder;
use crate::judge::Learned;
use crate::query::{Query, Target};
use crate::scan::{Job, Scan, merge, scan};
use std::rc::Rc;
use std::sync::Mutex;

/// One file of so many is the sample.
const PART: usize = 5;
/// Fewer files are not sampled.
const LEAST_FILES: usize = 8;

/// What was looked for.
#[derive(Debug)]
struct Aim {
    targets: Vec<Target>,
    finder: Finder,
    learned: Mutex<Vec<Learned>>,
}

/// Day files, and what is known of them.
#[derive(Debug)]
struct Share {
    files: Vec<usize>,
    known: Vec<(Rc<Aim>, Scan)>,
}

/// What was seen so far: the sample, and the rest.
#[derive(Debug)]
pub(crate) struct Looks {
    sample: Share,
    rest: Share,
    aims: Vec<Rc<Aim>>,
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
            aims: Vec::new(),
        })
    }

    /// What the sample holds of the targets, as it is read from there.
    pub(crate) fn sample<T>(
        &mut self,
        targets: &[Target],
        query: &Query,
        job: Job<'_>,
        read: impl FnOnce(&Scan) -> T,
    ) -> T {
        let aim = self.aim(targets);
        let scan = self.sample.scan(&aim, query, job);
        let out = read(&scan);
        self.sample.known.push((aim, scan));
        out
    }

    /// How many times the sample all files are.
    pub(crate) fn times(&self) -> usize {
        (self.sample.files.len() + self.rest.files.len()) / self.sample.files.len().max(1)
    }

    /// Looks for all that will be asked for in the rest.
    pub(crate) fn expect(&mut self, targets: &[Target], query: &Query, job: Job<'_>) {
        let aim = self.aim(targets);
        let scan = self.rest.scan(&aim, query, job);
        self.rest.known.push((aim, scan));
    }

    /// All that holds one of the targets.
    pub(crate) fn find(&mut self, targets: &[Target], query: &Query, job: Job<'_>) -> Scan {
        let aim = self.aim(targets);
        let mut parts = vec![
            self.sample.find(&aim, query, job),
            self.rest.find(&aim, query, job),
        ];
        if !(job.items.is_empty() && job.said.is_empty()) {
            parts.append(&mut scan(&Job {
                files: &[],
                ..aim.job(query, job)
            }));
        }
        merge(parts)
    }

    /// The same as before for the same targets.
    fn aim(&mut self, targets: &[Target]) -> Rc<Aim> {
        if let Some(aim) = self.aims.iter().find(|aim| aim.is_at(targets)) {
            return Rc::clone(aim);
        }
        let aim = Rc::new(Aim {
            targets: targets.to_vec(),
            finder: Finder::new(targets),
            learned: Mutex::default(),
        });
        self.aims.push(Rc::clone(&aim));
        aim
    }
}

impl Aim {
    fn is_at(&self, targets: &[Target]) -> bool {
        let pairs = || self.targets.iter().zip(targets);
        self.targets.len() == targets.len() && pairs().all(|(a, b)| a.finds_as(b))
    }

    fn job<'a>(&'a self, query: &'a Query, job: Job<'a>) -> Job<'a> {
        Job {
            targets: &self.targets,
            groups: &query.groups,
            finder: &self.finder,
            ..job
        }
    }
}

impl Share {
    fn find(&mut self, aim: &Rc<Aim>, query: &Query, job: Job<'_>) -> Scan {
        let known = self.known.iter();
        // What is asked for once is not asked for again.
        if let Some(place) = known.clone().position(|(known, _)| Rc::ptr_eq(known, aim)) {
            return self.known.swap_remove(place).1;
        }
        let wider = known.rev().find_map(|(known, scan)| {
            let places = places(&aim.targets, &known.targets)?;
            (!scan.pruned).then(|| scan.only(&places))
        });
        wider.unwrap_or_else(|| self.scan(aim, query, job))
    }

    fn scan(&self, aim: &Aim, query: &Query, job: Job<'_>) -> Scan {
        merge(scan(&Job {
            files: &self.files,
            items: &[],
            said: &[],
            learned: Some(&aim.learned),
            ..aim.job(query, job)
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

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "a test reads its files")]
mod tests {
    use super::*;
    use crate::places;
    use crate::scan::Rooms;
    use std::path::Path;

    /// What a scan found, however its kinds are numbered.
    fn told(scan: &Scan) -> (Vec<String>, Vec<(String, u32)>, [u64; 3]) {
        let kind = |at: u16| {
            let kind = &scan.kinds[usize::from(at)];
            format!("{} {:?}", kind.target, kind.part)
        };
        let exchanges = scan.exchanges.iter().map(|exchange| {
            let halves = [&exchange.question, &exchange.answer].into_iter().flatten();
            let found = halves.map(|half| (half.span.clone(), half.time, &half.found));
            let found: Vec<_> = found
                .chain([(0..0, None, &exchange.day)])
                .map(|(span, time, found)| {
                    let found = found.iter();
                    let found: Vec<_> = found
                        .map(|found| (kind(found.kind), found.count, found.strength))
                        .collect();
                    (span, time, found)
                })
                .collect();
            format!("{} {found:?}", exchange.source)
        });
        let mut holds: Vec<(String, u32)> = (0_u16..)
            .zip(&scan.stats.holds)
            .filter(|(_, holds)| **holds > 0)
            .map(|(at, holds)| (kind(at), *holds))
            .collect();
        holds.sort();
        let stats = &scan.stats;
        (
            exchanges.collect(),
            holds,
            [stats.bytes, stats.sampled, stats.entries],
        )
    }

    #[test]
    fn what_was_expected_is_what_is_found_by_itself() {
        let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
        let today = chrono::NaiveDate::from_ymd_opt(2026, 11, 30).unwrap();
        let lexicon = words::Lexicon::builtin();
        let (rooms, nothing) = (Rooms::default(), Finder::default());
        for set in ["shop", "harbour", "greenhouse"] {
            let root = std::fs::canonicalize(data.join(set).join("project")).unwrap();
            let days = places::days(&root, &mut Vec::new());
            let queries = std::fs::read_to_string(data.join(set).join("queries.json")).unwrap();
            let queries: serde_json::Value = serde_json::from_str(&queries).unwrap();
            let queries = queries.as_array().unwrap().iter().step_by(3);
            for text in queries.map(|query| query["query"].as_str().unwrap()) {
                // Words of headings and of what stands above them are no hits, but files hold them.
                for text in [text.to_owned(), format!("user {text} 2026 keywords")] {
                    let query = Query::parse(&text, today, &lexicon, false);
                    let mut all = query.targets.clone();
                    let own = query.targets.iter().filter(|target| target.own);
                    let slips: Vec<Target> = own
                        .filter(|target| !target.form.holds_digit())
                        .map(|slip| Target {
                            fuzzy: true,
                            ..slip.clone()
                        })
                        .collect();
                    all.extend_from_slice(&slips);
                    let job = Job {
                        targets: &[],
                        groups: &query.groups,
                        finder: &nothing,
                        plan: None,
                        days: &days,
                        files: &[],
                        items: &[],
                        first_item: days.len(),
                        said: &[],
                        rooms: &rooms,
                        learned: None,
                    };
                    let mut looks = Looks::of(days.len()).unwrap();
                    looks.sample(&all, &query, job, |_| ());
                    looks.expect(&all, &query, job);
                    let own = query.groups.len().min(query.targets.len());
                    let files: Vec<usize> = (0..days.len()).collect();
                    for asked in [&query.targets[..own], &query.targets, &slips, &all] {
                        // By the same needles: some hold words that others' do not.
                        let finder = Finder::new(&all);
                        let plain = merge(scan(&Job {
                            targets: asked,
                            finder: &finder,
                            files: &files,
                            ..job
                        }));
                        let found = looks.find(asked, &query, job);
                        assert_eq!(told(&found), told(&plain), "{text}");
                    }
                }
            }
        }
    }
}
