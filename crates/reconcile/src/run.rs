//! One run: reads what is new in the transcripts and brings what is missing into the record.

use crate::belonging::Belonging;
use crate::candidates::{self, Candidate};
use crate::identity::{Context, Fate};
use crate::index::{Found, Memory, Place};
use crate::readers::{Readers, Step, Wanted};
use crate::said::{Ready, Said, Setting};
use crate::{Error, Job, Progress, Summary, Window, plan, summary};
use chrono::{DateTime, Days, Local, NaiveDate, Utc};
use claude_home::ClaudeHome;
use claude_hook::{Role, SessionId};
use mnemo_home::{Config, Env, notes};
use record::Record;
use record::day::{self, Digest, Key};
use record::index::Settled;
use redact::Policy;
use safe_file::Lock;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};
use transcript::{Report, Turn};

/// A transcript that changed within this time may have a running turn at its end.
const RUNNING: Duration = Duration::from_secs(600);
/// Text is gathered up to this many bytes before it is compared with the day files.
const POOL: usize = 4 << 20;
/// From so many bytes on threads that read ahead are worth being started.
const WORTH_THREADS: u64 = 4 << 20;
/// The index is saved this often in a long run.
const SAVE_EVERY: Duration = Duration::from_secs(5);
/// How often a plan is made again because a hook wrote meanwhile.
const TRIES: usize = 8;
/// About so many bytes lie between two questions whether to go on reading.
const STEP: u64 = 256 << 10;
/// The beginnings of so many transcripts that are still to be read are looked at before comparing.
const BEGINNINGS: usize = 50;
/// So much of a dry run's text is shown.
const SHOWN: usize = 60;

/// Which dates are wanted.
#[derive(Debug, Clone, Copy)]
struct Dates {
    from: Option<NaiveDate>,
    to: Option<NaiveDate>,
    not_before: Option<DateTime<Utc>>,
}

impl Dates {
    fn of(job: &Job, today: NaiveDate) -> Self {
        let (from, to) = match job.window {
            Window::Days(0) => (Some(NaiveDate::MAX), None),
            Window::Days(days) => (
                Some(
                    today
                        .checked_sub_days(Days::new(u64::from(days) - 1))
                        .unwrap_or(NaiveDate::MIN),
                ),
                None,
            ),
            Window::Date(date) => (Some(date), Some(date)),
            Window::All => (None, None),
        };
        Self {
            from,
            to,
            not_before: job.not_before,
        }
    }

    fn want(&self, at: DateTime<Utc>, date: NaiveDate) -> bool {
        self.from.is_none_or(|from| date >= from)
            && self.to.is_none_or(|to| date <= to)
            && self.not_before.is_none_or(|moment| at >= moment)
    }

    /// Whether what was said on `date` can own an entry of a wanted day.
    fn touch(&self, date: NaiveDate) -> bool {
        let day = Days::new(1);
        self.from
            .and_then(|from| from.checked_sub_days(day))
            .is_none_or(|from| date >= from)
            && self
                .to
                .and_then(|to| to.checked_add_days(day))
                .is_none_or(|to| date <= to)
    }

    /// The moment since when a file must have changed to hold anything wanted.
    fn reach(&self, window: Window) -> Option<SystemTime> {
        // A zone's offset is less than a day: no file is left out by it.
        let first_day = match window {
            Window::Days(_) => self
                .from
                .and_then(|from| from.checked_sub_days(Days::new(2)))
                .and_then(|from| from.and_hms_opt(0, 0, 0))
                .map(|midnight| midnight.and_utc()),
            Window::Date(_) | Window::All => None,
        };
        first_day.max(self.not_before).map(SystemTime::from)
    }
}

/// What is known of one transcript in this run.
#[allow(
    clippy::struct_excessive_bools,
    reason = "four facts that depend on nothing else"
)]
struct Source {
    key: String,
    session: String,
    /// A running turn may stand at its end.
    recent: bool,
    /// Its own event says that nothing runs in it, or the person says so.
    finished: bool,
    start: Option<PathBuf>,
    /// Its beginning is still to come.
    begins: bool,
    /// Ids of its beginning, by which copies of it are known.
    first: Vec<String>,
    /// A turn was left alone.
    open: bool,
    /// Turns given in its start directory belong to the record.
    ours: bool,
}

pub(crate) struct Run<'a, 'p> {
    record: &'a Record,
    job: &'a Job,
    env: &'a Env,
    policy: Policy,
    dates: Dates,
    deadline: Option<Instant>,
    progress: Option<&'p mut dyn Progress>,
    belonging: Belonging<'a>,
    summary: Summary,
    changed: BTreeSet<NaiveDate>,
    sources: Vec<Source>,
    context: Context,
    family_of: HashMap<String, usize>,
    /// Transcripts still to be read, in that order, of which nothing is known: key, session, path.
    unread: VecDeque<(String, String, PathBuf)>,
    pool: Vec<Said>,
    weight: usize,
    /// Records that were met, as hashes, when more than one transcript is read.
    met: Option<HashSet<u64>>,
    /// Turns that were met, by what was said and the messages' ids.
    turns: HashMap<u64, (u64, u64)>,
    off: HashMap<SessionId, Option<DateTime<Utc>>>,
    /// Digests of the days last written, for the next round.
    digests: BTreeMap<NaiveDate, Digest>,
    memory: Memory,
    /// What the index may say once the pool is written.
    pending: Vec<Found>,
    saved: Instant,
    lock: Option<Lock>,
    failed: Option<Stop>,
}

/// What a run ends with besides errors.
enum Stop {
    Busy,
    Failed(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Self {
        Self::Failed(error)
    }
}
impl From<record::Error> for Stop {
    fn from(error: record::Error) -> Self {
        Self::Failed(error.into())
    }
}
impl From<safe_file::Error> for Stop {
    fn from(error: safe_file::Error) -> Self {
        Self::Failed(error.into())
    }
}

pub(crate) fn run(
    record: &Record,
    job: &Job,
    config: &Config,
    env: &Env,
    progress: Option<&mut dyn Progress>,
) -> Result<Summary, Error> {
    let started = Instant::now();
    let Some(home) = ClaudeHome::of(env) else {
        return Ok(Summary::default());
    };
    let now = env.now();
    let dates = Dates::of(job, now.date_naive());
    let worktrees = record.root().worktrees();
    let look = |remembered: &BTreeSet<PathBuf>| {
        let mut roots: Vec<&Path> = vec![record.root().path()];
        roots.extend(worktrees.iter().map(PathBuf::as_path));
        roots.extend(remembered.iter().map(PathBuf::as_path));
        roots.extend(job.moved_from.as_deref());
        let folders = home.transcript_folders(&roots, job.transcript.as_deref());
        candidates::list(&home.projects(), &folders, job.transcript.as_deref())
    };
    if !job.from_start
        && let Some(settled) = Settled::of(record)
    {
        let candidates = look(&settled.starts.iter().map(PathBuf::from).collect());
        if candidates::state(&candidates) == settled.state {
            return Ok(Summary {
                transcripts: candidates.len() as u64,
                ..Summary::default()
            });
        }
    }
    let memory = Memory::load(record);
    let remembered = memory.starts();
    let candidates = look(&remembered);
    let mut run = Run {
        record,
        job,
        env,
        policy: Policy {
            secrets: config.redact_secrets,
        },
        dates,
        // A part is kept for comparing and writing.
        deadline: job.budget.map(|budget| started + budget.mul_f64(0.6)),
        progress,
        belonging: Belonging::new(
            record.root(),
            worktrees.clone(),
            memory.confirmed_starts(&candidates),
            job.moved_from.as_deref(),
            env,
        ),
        summary: Summary {
            transcripts: candidates.len() as u64,
            ..Summary::default()
        },
        changed: BTreeSet::new(),
        sources: Vec::new(),
        context: Context::default(),
        family_of: HashMap::new(),
        unread: VecDeque::new(),
        pool: Vec::new(),
        weight: 0,
        met: None,
        turns: HashMap::new(),
        off: HashMap::new(),
        digests: BTreeMap::new(),
        memory,
        pending: Vec::new(),
        saved: started,
        lock: None,
        failed: None,
    };
    let todo = run.choose(&candidates, now);
    let done = if todo.is_empty() {
        Ok(())
    } else {
        run.all(&candidates, &todo)
    };
    match done.and_then(|()| run.settle(&candidates)) {
        Ok(()) => {}
        Err(Stop::Busy) => {
            return Ok(Summary {
                busy: true,
                ..Summary::default()
            });
        }
        Err(Stop::Failed(error)) => return Err(error),
    }
    run.summary.dates = run.changed.iter().map(NaiveDate::to_string).collect();
    Ok(run.summary)
}

/// A transcript to be read.
struct Todo {
    at: usize,
    from: transcript::Position,
    recent: bool,
}

impl Run<'_, '_> {
    /// What has to be read, in the order of reading.
    fn choose(&mut self, candidates: &[Candidate], now: DateTime<Local>) -> Vec<Todo> {
        let mut todo = Vec::new();
        let reach = self.dates.reach(self.job.window);
        let now = SystemTime::from(now);
        for (at, candidate) in candidates.iter().enumerate() {
            if reach.is_some() && candidate.changed.is_some() && candidate.changed < reach {
                continue;
            }
            let recent = candidate.changed.is_none_or(|changed| {
                let age = now
                    .duration_since(changed)
                    .unwrap_or_else(|ahead| ahead.duration());
                age <= RUNNING
            });
            let mut from = transcript::Position::default();
            if !self.job.from_start
                && let Some(seen) = self.memory.seen(&candidate.key)
                && seen.inode == candidate.inode
                && seen.size <= candidate.size
            {
                let unchanged = seen.position.complete && seen.size == candidate.size;
                let left_alone = seen.position.open && (!recent || self.is_over(candidate));
                if unchanged && !left_alone {
                    continue;
                }
                from = self.memory.position(&candidate.key, self.record);
            }
            todo.push(Todo { at, from, recent });
        }
        // Sessions that were off come first: what copies repeat of them is known then. By hand the
        // oldest is read first, so that originals come before their copies; with a budget the
        // session's own and what changed last.
        let own = self.job.transcript.as_deref();
        let budget = self.job.budget.is_some();
        let oldest = |one: &Candidate| one.born.min(one.changed).or(one.changed);
        todo.sort_by_cached_key(|one| {
            let candidate = &candidates[one.at];
            let on = notes::off_until(self.env, candidate.session()).is_none();
            let foreign = budget && own != Some(candidate.path.as_path());
            let newest = budget
                .then_some(candidate.changed)
                .flatten()
                .map(std::cmp::Reverse);
            (
                on,
                foreign,
                newest,
                oldest(candidate),
                candidate.key.clone(),
            )
        });
        todo
    }

    /// Saves the index, with the note whether anything is left to do in these transcripts.
    fn settle(&mut self, candidates: &[Candidate]) -> Result<(), Stop> {
        if self.job.dry_run || !self.record.has_conversations()? {
            return Ok(());
        }
        let reach = self.dates.reach(self.job.window);
        // What another window or an older installation leaves out is still to be done.
        let usual = self.job.budget.is_some() && !self.summary.unfinished;
        let nothing_left = usual
            && candidates.iter().all(|one| {
                let out_of_reach = reach.is_some() && one.changed.is_some() && one.changed < reach;
                out_of_reach
                    || self.memory.seen(&one.key).is_some_and(|seen| {
                        seen.size == one.size
                            && seen.inode == one.inode
                            && seen.position.complete
                            && !seen.position.open
                    })
            });
        let state = nothing_left.then(|| candidates::state(candidates));
        self.memory.settle(state, self.record.root().path());
        if self.memory.is_changed() {
            self.take_lock()?;
            self.save();
        }
        Ok(())
    }

    /// Saves the index. It is a cache: where that cannot be done the turns are written all the same.
    fn save(&mut self) {
        if let Err(error) = self.memory.save(self.record) {
            self.summary.index_problem = Some(error.to_string());
        }
    }

    /// Whether nothing can be running in a transcript, whatever its age.
    fn is_over(&self, candidate: &Candidate) -> bool {
        self.job.finished
            || self
                .job
                .own_session
                .as_ref()
                .is_some_and(|own| own.as_str() == candidate.session())
    }

    fn all(&mut self, candidates: &[Candidate], todo: &[Todo]) -> Result<(), Stop> {
        if !self.job.dry_run && self.record.has_conversations()? {
            self.take_lock()?;
        }
        if todo.len() > 1 {
            self.met = Some(HashSet::new());
        }
        self.context.policy = Some(self.policy);
        self.context.listed = self.memory.listed();
        self.context.sessions = candidates
            .iter()
            .filter_map(|candidate| SessionId::new(candidate.session()))
            .filter_map(|session| key_of_session(&session))
            .collect();
        let relations: Vec<(String, Vec<String>)> = self
            .memory
            .all()
            .map(|(key, seen)| (session_of_key(key), seen.first.clone()))
            .collect();
        for (session, first) in relations {
            self.relate(&session, &first);
        }
        self.unread = todo
            .iter()
            .map(|one| &candidates[one.at])
            .filter(|candidate| self.family(candidate.session()).is_none())
            .map(|one| (one.key.clone(), one.session().to_owned(), one.path.clone()))
            .collect();
        let total: u64 = todo
            .iter()
            .map(|one| candidates[one.at].size.saturating_sub(one.from.offset))
            .sum();
        let threads = if self.deadline.is_none() && total >= WORTH_THREADS {
            Readers::threads(todo.len())
        } else {
            0
        };
        if threads > 0 {
            self.all_by_threads(candidates, todo, threads, total)?;
            return self.flush();
        }
        let mut done = 0;
        for (at, one) in todo.iter().enumerate() {
            // Some of the first is read in any case: where listing them takes all the time, no start
            // would ever come further.
            if at > 0 && self.out_of_time() {
                self.summary.unfinished = true;
                break;
            }
            let candidate = &candidates[one.at];
            self.read(candidate, one, done, total);
            if let Some(stop) = self.failed.take() {
                return Err(stop);
            }
            done += candidate.size.saturating_sub(one.from.offset);
        }
        self.flush()
    }

    /// Other threads read, filter and hash; this one compares and writes, in the same order.
    fn all_by_threads(
        &mut self,
        candidates: &[Candidate],
        todo: &[Todo],
        threads: usize,
        total: u64,
    ) -> Result<(), Stop> {
        let wanted: Vec<Wanted> = todo
            .iter()
            .map(|one| Wanted {
                path: candidates[one.at].path.clone(),
                from: one.from.clone(),
            })
            .collect();
        let readers = Readers::new(&wanted);
        let (policy, dates) = (self.policy, self.dates);
        let ready = move |turn| Ready::of(turn, policy, |date| dates.touch(date));
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| readers.work(STEP, &ready));
            }
            let result = self.take_in_all(candidates, todo, &readers, total);
            readers.stop();
            result
        })
    }

    fn take_in_all(
        &mut self,
        candidates: &[Candidate],
        todo: &[Todo],
        readers: &Readers,
        total: u64,
    ) -> Result<(), Stop> {
        for (at, one) in todo.iter().enumerate() {
            let candidate = &candidates[one.at];
            let number = self.begin(candidate, one);
            let report = loop {
                match readers.next(at) {
                    Step::Turns(turns) => {
                        for turn in turns {
                            self.take_in(number, turn);
                        }
                    }
                    Step::Waiting(read) => {
                        if let Some(progress) = self.progress.as_mut() {
                            progress.step(read.min(total), total);
                        }
                    }
                    Step::End(report) => break report,
                }
                if let Some(stop) = self.failed.take() {
                    return Err(stop);
                }
            };
            self.end(number, candidate, one, report);
        }
        if let Some(progress) = self.progress.as_mut() {
            progress.step(total, total);
        }
        Ok(())
    }

    fn out_of_time(&self) -> bool {
        self.deadline.is_some_and(|end| Instant::now() >= end)
    }

    /// One repair at a time. Makes the folder if it is not there yet.
    fn take_lock(&mut self) -> Result<(), Stop> {
        if self.lock.is_none() {
            let path = self.record.repair_lock_file()?;
            self.lock = Some(Lock::try_acquire(&path)?.ok_or(Stop::Busy)?);
            // What killed repairs left; nothing depends on it.
            let _ = path.parent().map(safe_file::sweep_temps);
        }
        Ok(())
    }

    /// Notes which sessions begin alike.
    fn relate(&mut self, session: &str, first: &[String]) {
        let Some(session) = SessionId::new(session).and_then(|session| key_of_session(&session))
        else {
            return;
        };
        let fresh = self.family_of.len();
        let family = first
            .iter()
            .find_map(|id| self.family_of.get(id).copied())
            .unwrap_or(fresh);
        for id in first {
            self.family_of.entry(id.clone()).or_insert(family);
        }
        if !first.is_empty() {
            self.context.families.entry(session).or_insert(family);
        }
    }

    /// Notes what is known of a transcript before it is read; gives its number in this run.
    fn begin(&mut self, candidate: &Candidate, todo: &Todo) -> usize {
        let seen = self
            .memory
            .seen(&candidate.key)
            .filter(|_| todo.from.offset > 0);
        let start = seen
            .and_then(|seen| seen.position.start.clone())
            .or_else(|| transcript::start_cwd(&candidate.path));
        let first = seen
            .map(|seen| seen.position.first.clone())
            .unwrap_or_default();
        if self
            .unread
            .front()
            .is_some_and(|one| one.0 == candidate.key)
        {
            self.unread.pop_front();
        }
        let number = self.sources.len();
        self.context.from_start.push(todo.from.offset == 0);
        self.sources.push(Source {
            key: candidate.key.clone(),
            session: candidate.session().to_owned(),
            recent: todo.recent,
            finished: self.is_over(candidate),
            start,
            // Where no turn with an id was met yet, the beginning is still to come.
            begins: first.is_empty(),
            first,
            open: false,
            ours: seen.is_some_and(|seen| seen.position.ours),
        });
        self.summary.read += 1;
        number
    }

    fn read(&mut self, candidate: &Candidate, todo: &Todo, done: u64, total: u64) {
        let number = self.begin(candidate, todo);
        let (policy, dates) = (self.policy, self.dates);
        let steps = std::cell::Cell::new(0u64);
        let run = std::cell::RefCell::new(&mut *self);
        let report = transcript::read(
            &candidate.path,
            &todo.from,
            &mut |turn| {
                let turn = Ready::of(turn, policy, |date| dates.touch(date));
                run.borrow_mut().take_in(number, turn);
            },
            &mut || {
                steps.set(steps.get() + 1);
                let mut run = run.borrow_mut();
                let read =
                    (steps.get() * STEP).min(candidate.size - todo.from.offset.min(candidate.size));
                if let Some(progress) = run.progress.as_mut() {
                    progress.step(done + read, total);
                }
                run.failed.is_none() && !run.out_of_time()
            },
        );
        self.end(number, candidate, todo, report);
        if let Some(progress) = self.progress.as_mut() {
            progress.step(
                done + candidate.size.saturating_sub(todo.from.offset),
                total,
            );
        }
    }

    /// Takes in what reading a transcript found out.
    fn end(
        &mut self,
        number: usize,
        candidate: &Candidate,
        todo: &Todo,
        report: Result<Report, transcript::Error>,
    ) {
        let report = match report {
            Ok(report) => report,
            Err(error) => {
                self.summary.unreadable += 1;
                self.summary
                    .could_not_read(&candidate.path, todo.from.offset, &error.to_string());
                return;
            }
        };
        self.summary.unreadable += report.unreadable_count;
        for (offset, why) in &report.unreadable {
            self.summary.could_not_read(&candidate.path, *offset, why);
        }
        if !report.complete {
            self.summary.unfinished = true;
        }
        let source = &self.sources[number];
        self.pending.push(Found {
            key: source.key.clone(),
            size: candidate.size,
            inode: candidate.inode,
            changed: candidate.changed,
            place: Place {
                offset: report.position.offset,
                complete: report.complete,
                open: source.open,
                ours: source.ours,
                start: source.start.clone(),
                first: source.first.clone(),
            },
            at: report.position,
        });
    }

    /// Takes in what a turn says.
    fn take_in(&mut self, number: usize, ready: Ready) {
        let Ready { turn, heard, print } = ready;
        if self.failed.is_some() {
            return;
        }
        self.note_beginning(number, &turn);
        let source = &self.sources[number];
        if !self
            .belonging
            .holds(source.start.as_deref(), turn.cwd.as_deref())
        {
            return;
        }
        if source.start.is_some() && (turn.cwd.is_none() || turn.cwd == source.start) {
            self.sources[number].ours = true;
        }
        let source = &self.sources[number];
        if !turn.finished && source.recent && !source.finished {
            self.sources[number].open = true;
            if !turn.said.is_empty() {
                self.summary.running += 1;
            }
            return;
        }
        if self.is_repeated(&turn, print) {
            return;
        }
        let mut since = turn.said.first().map(|said| said.at).unwrap_or_default();
        for (utterance, heard) in turn.said.into_iter().zip(heard) {
            let at = utterance.at;
            let date = heard.when.date();
            let met = self.was_met(&utterance.records);
            if met || !self.dates.touch(date) {
                since = at;
                continue;
            }
            let off = *self
                .off
                .entry(utterance.session.clone())
                .or_insert_with_key(|session| notes::off_until(self.env, session.as_str()));
            let setting = Setting {
                source: number,
                since,
                wanted: self.dates.want(at, date) && off.is_none_or(|until| at > until),
            };
            since = at;
            let said = Said::of(utterance, heard, setting, self.policy);
            self.weight += said.weight();
            self.pool.push(said);
        }
        if self.weight >= POOL
            && let Err(stop) = self.flush()
        {
            self.failed = Some(stop);
        }
    }

    /// The ids of a transcript's first turn tell which others begin alike.
    fn note_beginning(&mut self, number: usize, turn: &Turn) {
        let source = &mut self.sources[number];
        if !std::mem::take(&mut source.begins) {
            return;
        }
        source.first = first_ids(turn);
        if source.first.is_empty() {
            source.begins = true;
            return;
        }
        let (session, first) = (source.session.clone(), source.first.clone());
        self.relate(&session, &first);
    }

    /// Whether another transcript of this run held these records: copies keep their uuid.
    fn was_met(&mut self, records: &[claude_hook::RecordId]) -> bool {
        let Some(met) = &mut self.met else {
            return false;
        };
        let ends = [records.first(), records.last()];
        let hashes: Vec<u64> = ends
            .into_iter()
            .flatten()
            .map(|record| fingerprint(record.as_str()))
            .collect();
        let known = hashes.iter().any(|hash| met.contains(hash));
        met.extend(hashes);
        known
    }

    /// Whether this turn was met before under other uuids: a resumed session can repeat turns so.
    /// What it then shares is the messages' ids; and a turn with a prompt id of its own in the same
    /// session is another turn all the same.
    fn is_repeated(&mut self, turn: &Turn, print: u64) -> bool {
        if !turn.said.iter().any(|said| !said.messages.is_empty()) {
            return false;
        }
        let Some(first) = turn.said.first() else {
            return false;
        };
        if self.met.is_none() && first.turn.is_some() {
            return false;
        }
        let own = (fingerprint(&first.session), fingerprint(&first.turn));
        let records = turn.said.iter().flat_map(|said| said.records.iter());
        let copied = self.met.as_ref().is_some_and(|met| {
            records
                .into_iter()
                .any(|id| met.contains(&fingerprint(id.as_str())))
        });
        if copied {
            // The uuids tell; a copy is no repetition of its own.
            return false;
        }
        match self.turns.entry(print) {
            std::collections::hash_map::Entry::Vacant(free) => {
                free.insert(own);
                false
            }
            std::collections::hash_map::Entry::Occupied(there) => {
                let (session, id) = *there.get();
                session != own.0 || id == own.1
            }
        }
    }

    /// Which sessions the transcripts begin like that are not read yet: what is a copy of them has
    /// their entries. (Without a budget originals are read before their copies.)
    fn relate_unread(&mut self) {
        let unread = std::mem::take(&mut self.unread);
        if self.deadline.is_none() {
            return;
        }
        for (_, session, path) in unread.into_iter().take(BEGINNINGS) {
            let mut first = Vec::new();
            let mut take_first = |turn: Turn| {
                if first.is_empty() {
                    first = first_ids(&turn);
                }
            };
            // One that cannot be read now says so when its turn comes.
            let from = transcript::Position::default();
            drop(transcript::read(&path, &from, &mut take_first, &mut || {
                false
            }));
            self.relate(&session, &first);
        }
    }

    /// Compares what was gathered with the day files and writes what they lack.
    fn flush(&mut self) -> Result<(), Stop> {
        self.relate_unread();
        let mut pool = std::mem::take(&mut self.pool);
        self.weight = 0;
        self.leave_out_what_was_off(&mut pool);
        let result = self.write(&pool);
        self.context.from_start.fill(false);
        result?;
        for found in std::mem::take(&mut self.pending) {
            self.memory.remember(found, self.record);
        }
        if !self.job.dry_run && self.saved.elapsed() >= SAVE_EVERY {
            self.save();
            self.saved = Instant::now();
        }
        Ok(())
    }

    /// A copy of a session that was off repeats what was said then.
    fn leave_out_what_was_off(&self, pool: &mut [Said]) {
        // Only of those that begin as something in the pool does is it asked: a project can have
        // thousands of sessions.
        let families = &self.context.families;
        let here: HashSet<usize> = pool
            .iter()
            .filter_map(|said| families.get(&said.session).copied())
            .collect();
        if here.is_empty() {
            return;
        }
        let mut off_of: HashMap<usize, DateTime<Utc>> = HashMap::new();
        let keys = self.memory.all().map(|(key, _)| session_of_key(key));
        let sessions = keys.chain(self.sources.iter().map(|source| source.session.clone()));
        for session in sessions.collect::<HashSet<String>>() {
            let Some(family) = self.family(&session).filter(|family| here.contains(family)) else {
                continue;
            };
            if let Some(until) = notes::off_until(self.env, &session) {
                let there = off_of.entry(family).or_insert(until);
                *there = until.max(*there);
            }
        }
        if off_of.is_empty() {
            return;
        }
        for said in pool {
            let family = self.context.families.get(&said.session);
            if let Some(until) = family.and_then(|family| off_of.get(family))
                && said.at <= *until
            {
                said.wanted = false;
            }
        }
    }

    fn family(&self, session: &str) -> Option<usize> {
        let session = key_of_session(&SessionId::new(session)?)?;
        self.context.families.get(&session).copied()
    }

    fn write(&mut self, pool: &[Said]) -> Result<(), Stop> {
        if pool.is_empty() {
            return Ok(());
        }
        let mut dates = BTreeSet::new();
        for said in pool {
            let date = said.date();
            dates.extend(
                [date.pred_opt(), Some(date), date.succ_opt()]
                    .into_iter()
                    .flatten(),
            );
        }
        let mut done: HashMap<usize, bool> = HashMap::new();
        for tries in 0.. {
            let mut digests = self.digests(&dates)?;
            let days: Vec<(NaiveDate, &Digest)> = digests
                .iter()
                .map(|(date, digest)| (*date, digest))
                .collect();
            let stale = std::cell::Cell::new(false);
            let mut body = |(day, at): (usize, usize)| {
                let (date, digest) = days.get(day)?;
                let brief = digest.entries.get(at)?;
                let text = self.record.body(*date, brief).ok().flatten();
                if text.is_none() {
                    stale.set(true);
                }
                text
            };
            let mut plan = plan::plan(&days, pool, &self.context, &mut body);
            if stale.get() && tries < TRIES {
                continue;
            }
            match self.apply(pool, &mut plan, &mut digests, &mut done) {
                Err(Stop::Failed(Error::Record(record::Error::File(
                    safe_file::Error::Changed { .. },
                )))) if tries < TRIES => {}
                Err(stop) => return Err(stop),
                Ok(()) => {
                    self.digests = digests;
                    self.count(pool, &plan, &done);
                    break;
                }
            }
        }
        Ok(())
    }

    /// The digests of `dates`, those of earlier rounds where nothing changed.
    fn digests(
        &mut self,
        dates: &BTreeSet<NaiveDate>,
    ) -> Result<BTreeMap<NaiveDate, Digest>, Stop> {
        let mut known = std::mem::take(&mut self.digests);
        let mut digests = BTreeMap::new();
        for &date in dates {
            let digest = match known.remove(&date) {
                Some(digest) if self.record.is_current(date, &digest)? => digest,
                _ => self.record.digest(date)?,
            };
            digests.insert(date, digest);
        }
        Ok(digests)
    }

    /// Writes day by day; `done` notes what was (written: true, completed: false).
    fn apply(
        &mut self,
        pool: &[Said],
        plan: &mut plan::Plan,
        digests: &mut BTreeMap<NaiveDate, Digest>,
        done: &mut HashMap<usize, bool>,
    ) -> Result<(), Stop> {
        if plan.days.is_empty() {
            return Ok(());
        }
        if !self.job.dry_run {
            self.take_lock()?;
        }
        let dates: Vec<NaiveDate> = digests.keys().copied().collect();
        for (date, changes) in std::mem::take(&mut plan.days) {
            if !self.job.dry_run
                && let Some(digest) = digests.remove(&date)
            {
                let mut conversations = self.record.conversations()?;
                digests.insert(date, conversations.renew(date, digest, &changes)?);
            }
            self.changed.insert(date);
            for (number, verdict) in plan.verdicts.iter().enumerate() {
                if !pool[number].wanted {
                    continue;
                }
                match (&verdict.fate, verdict.place) {
                    (Fate::Missing(_), _) if pool[number].date() == date => {
                        done.insert(number, true);
                    }
                    (Fate::Incomplete(_), Some((day, _))) if dates.get(day) == Some(&date) => {
                        done.insert(number, false);
                    }
                    _ => {}
                }
            }
        }
        Ok(())
    }

    fn count(&mut self, pool: &[Said], plan: &plan::Plan, done: &HashMap<usize, bool>) {
        for (number, said) in pool.iter().enumerate().filter(|(_, said)| said.wanted) {
            match said.role {
                Role::User => self.summary.user_turns += 1,
                Role::Assistant => self.summary.assistant_turns += 1,
            }
            match done.get(&number) {
                Some(true) => self.summary.written += 1,
                Some(false) => self.summary.completed += 1,
                None => self.summary.present += 1,
            }
            if self.job.dry_run
                && done.contains_key(&number)
                && let Some(Fate::Missing(rest) | Fate::Incomplete(rest)) =
                    plan.verdicts.get(number).map(|verdict| &verdict.fate)
            {
                let body = rest.as_ref().unwrap_or(&said.body);
                let role = match said.role {
                    Role::User => "User",
                    Role::Assistant => "Assistant",
                };
                self.summary.planned.push(format!(
                    "{} {role} {}",
                    said.when.format("%Y-%m-%d %H:%M:%S"),
                    summary::visible(body.as_str(), SHOWN)
                ));
            }
        }
    }
}

/// The ids of a transcript's first turn that has any.
fn first_ids(turn: &Turn) -> Vec<String> {
    let record = turn.said.iter().find_map(|said| said.records.first());
    let message = turn.said.iter().find_map(|said| said.messages.first());
    record
        .map(|id| id.as_str().to_owned())
        .into_iter()
        .chain(message.cloned())
        .collect()
}

/// A session as markers hold it.
fn key_of_session(session: &SessionId) -> Option<Key> {
    let session = day::Marker::new(session, None, None).session?;
    Some(Key::of(&session))
}

fn fingerprint(thing: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = DefaultHasher::new();
    thing.hash(&mut hasher);
    hasher.finish()
}

/// The session of a transcript by its name in the index.
fn session_of_key(key: &str) -> String {
    let stem = Path::new(key).file_stem().and_then(|stem| stem.to_str());
    stem.unwrap_or_default().to_owned()
}
