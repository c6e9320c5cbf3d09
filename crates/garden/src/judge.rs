//! Which verdicts may be right for each entry.
//!
//! A verdict is proposed only on evidence; what nothing decides is Stale or stays Active. What
//! takes an entry away (Completed, Resolved, Promoted, Duplicate) needs more than likeness.

mod code;
mod documents;
mod groups;
mod second;
pub(crate) mod status;
mod taken_over;

pub use groups::Group;
pub(crate) use status::labelled as labelled_status;

use crate::corpus::Bag;
use crate::cues::{self, Cue, Cues};
use crate::evidence::Evidence;
use crate::prose::{Part, Statement};
use crate::quantity;
use crate::quick::QuickMap;
use crate::relations::alike::Table;
use crate::relations::claims::Stance;
use crate::relations::{Relation, RelationKind, over};
use crate::scan::{Doc, Outline, Scan};
use crate::sources::SourceKind;
use crate::verdict::{Candidate, Confidence, Judgement, Verdict};
use crate::view::{self, View};
use chrono::{Datelike, Days, NaiveDate};
use code::Definition;
use hygiene::anchors::{Anchor, Ground, Status as AnchorStatus};
use memory::{Kind, parallel};
use status::{Covers, Status};
use std::cell::{OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::Range;
pub(crate) use taken_over::{Held, Rules};
use taken_over::{Reading, Taken};

/// Fewer entries are judged on one core.
const MANY: usize = 64;
/// Feedback is Promoted from here on.
const PROMOTED: f32 = 0.45;
/// A rule that turns it round makes it Outdated from here on.
const LIKELY: f64 = 0.5;
/// And may from here on: of few words in common it tells nothing that one is denied.
const TURNED: f64 = 0.25;
/// The same where another judgement says so too.
const SAID: f64 = 0.3;
/// Of another language, one judgement is enough from here on: hardly a word is met by chance.
const SURELY: f64 = 0.8;
/// And may from here on.
const PERHAPS: f64 = 0.08;
/// A contained entry is Duplicate from here on.
const DUPLICATE: f32 = 0.6;
/// What a later entry must have in common with a trouble to be surely its end.
const SURELY_OVER: f32 = 0.5;
/// Days after which something true "for now" is no longer believed.
const FOR_NOW: u64 = 45;
/// Days after which a project that nothing speaks of is no longer believed.
const SILENT: u64 = 120;

/// Sentences of a reference that is a warning and nothing more.
const MOST_OF_A_WARNING: usize = 3;

/// Words of what stands around a rule and is none of it.
const MOST_OF_A_FRAME: usize = 4;
/// Sentences of a note of one matter.
const MOST_OF_A_NOTE: usize = 4;

/// Members of a domain whose lines stand as evidence beside an entry's own.
const MOST_MEMBERS: usize = 20;

/// The verdicts of all entries, in the store's order, and the domains without a way in.
#[derive(Debug)]
pub struct Judgements {
    /// One an entry.
    pub all: Vec<Judgement>,
    /// Domains of three or more entries without a gate.
    pub groups: Vec<Group>,
    /// What each entry names and what became of it.
    pub anchors: Vec<Vec<Anchor>>,
}

/// Judges every entry.
pub fn judge(scan: &Scan) -> Judgements {
    let (anchors, definitions) = defined(scan);
    let statuses = status::read(scan);
    let by_entry = by_entry(scan);
    let bench = || Bench {
        scan,
        anchors: &anchors,
        definitions: &definitions,
        status_of: status::of_entries(&statuses, scan),
        by_entry: by_entry.clone(),
        today: scan.now.date_naive(),
        rules: taken_over::Rules::of(scan),
        table: RefCell::new(Table::new(&scan.corpus, &scan.entries)),
        closed: OnceCell::new(),
        over: OnceCell::new(),
        named: RefCell::default(),
    };
    let of = |bench: &Bench<'_>, entries: Range<usize>| -> Vec<Found> {
        entries.map(|at| bench.of(at)).collect()
    };
    // What a bench remembers is its own: each half of the entries has one.
    let count = scan.entries.len();
    let half = if count < MANY { 0 } else { count / 2 };
    let (mut found, (bench, rest)) = parallel::both(
        || match half {
            0 => Vec::new(),
            half => of(&bench(), 0..half),
        },
        || {
            let bench = bench();
            let rest = of(&bench, half..count);
            (bench, rest)
        },
    );
    found.extend(rest);
    let linked = bench.linked_by_gate();
    let groups = groups::find(&scan.entries, &linked, |at| found[at].is_free());
    for group in &groups {
        for at in &group.members {
            let candidate = bench.consolidate(group, *at);
            found[*at].add(candidate);
        }
    }
    let all = found
        .into_iter()
        .enumerate()
        .map(|(at, found)| bench.settle(at, found))
        .collect();
    Judgements {
        all,
        groups,
        anchors,
    }
}

/// Whether a statement says what is to be done from now on.
fn still_rules(statement: &Statement) -> bool {
    const MUST: [&str; 20] = [
        "must",
        "never",
        "always",
        "only use",
        "do not",
        "don't",
        "muss",
        "müssen",
        "nie ",
        "niemals",
        "immer",
        "반드시",
        "항상",
        "해야",
        "금지",
        "必须",
        "不得",
        "禁止",
        "不要",
        "一律",
    ];
    const STILL: [&str; 24] = [
        "remain",
        "still",
        "from now on",
        "all new",
        "any more",
        "anymore",
        "in future",
        "bleibt",
        "weiterhin",
        "künftig",
        "ab sofort",
        "alle neuen",
        "nicht mehr",
        "앞으로",
        "여전히",
        "계속",
        "이제부터",
        "남는",
        "남은",
        "今后",
        "以后",
        "仍",
        "保留",
        "所有新",
    ];
    let text = &statement.folded;
    MUST.iter().any(|word| text.contains(word)) && STILL.iter().any(|word| text.contains(word))
}

/// What speaks for an entry's verdicts, before they are put in order.
#[derive(Debug, Default)]
struct Found {
    candidates: Vec<(f32, Candidate)>,
}

impl Found {
    fn add(&mut self, candidate: Candidate) {
        let weight = match candidate.confidence {
            Confidence::High => 1.0,
            Confidence::Med => 0.6,
            Confidence::Low => 0.5,
        };
        self.candidates.push((weight, candidate));
    }

    /// One that is only possible, but likelier than that nothing is the matter.
    fn next(&mut self, mut candidate: Candidate) {
        candidate.confidence = Confidence::Low;
        self.candidates.push((0.25, candidate));
    }

    /// One that is only possible: never the first.
    fn perhaps(&mut self, mut candidate: Candidate) {
        candidate.confidence = Confidence::Low;
        self.candidates.push((0.1, candidate));
    }

    /// The first of those that are only possible.
    fn likely(&mut self, mut candidate: Candidate) {
        candidate.confidence = Confidence::Low;
        self.candidates.push((0.15, candidate));
    }

    /// The next to ask for: it takes nothing from what is surer.
    fn guess(&mut self, mut candidate: Candidate) {
        candidate.guess = true;
        self.candidates.push((0.04, candidate));
    }

    /// Nothing but Active speaks for it so far.
    fn is_free(&self) -> bool {
        self.candidates
            .iter()
            .all(|(weight, candidate)| *weight <= 0.3 || candidate.verdict == Verdict::Active)
    }
}

struct Bench<'a> {
    scan: &'a Scan,
    anchors: &'a [Vec<Anchor>],
    definitions: &'a HashMap<String, Definition>,
    /// Its project's status, for each project.
    status_of: Vec<Option<(&'a Status, Covers)>>,
    by_entry: Vec<Vec<usize>>,
    today: NaiveDate,
    rules: taken_over::Rules<'a>,
    table: RefCell<Table<'a>>,
    /// Numbers that a document says are done: the first line that says so.
    closed: OnceCell<QuickMap<u64, documents::Done>>,
    /// The statements of documents that say something is over.
    over: OnceCell<Vec<(&'a Doc, &'a Statement, &'a Bag)>>,
    /// Lines of documents that name what is gone.
    named: RefCell<HashMap<String, Option<Evidence>>>,
}

fn by_entry(scan: &Scan) -> Vec<Vec<usize>> {
    let mut out = vec![Vec::new(); scan.entries.len()];
    for (at, relation) in scan.relations().all.iter().enumerate() {
        out[relation.a].push(at);
        out[relation.b].push(at);
    }
    out
}

/// What entries name and what became of it, in the store's order.
pub(crate) fn anchors(scan: &Outline) -> Vec<Vec<Anchor>> {
    match ground(scan) {
        Some(mut ground) => judged(scan, &mut ground),
        None => vec![Vec::new(); scan.entries.len()],
    }
}

/// The project that entries speak of.
fn ground(scan: &Outline) -> Option<Ground> {
    Some(Ground::of_project(hygiene::anchors::Places {
        root: scan.places.project.clone()?,
        memory: vec![scan.store.root().to_owned()],
        claude: scan.places.config.clone(),
        home: scan
            .places
            .config
            .as_ref()
            .and_then(|config| config.parent())
            .map(Into::into),
    }))
}

fn judged(scan: &Outline, ground: &mut Ground) -> Vec<Vec<Anchor>> {
    let entries = scan.store.entries().iter();
    let shown: Vec<_> = entries.map(|entry| redact::by_line(entry.text())).collect();
    ground.judge(&shown.iter().map(AsRef::as_ref).collect::<Vec<&str>>())
}

/// What entries name, and where the sources define it.
fn defined(scan: &Outline) -> (Vec<Vec<Anchor>>, HashMap<String, Definition>) {
    let (Some(root), Some(mut ground)) = (&scan.places.project, ground(scan)) else {
        return (vec![Vec::new(); scan.entries.len()], HashMap::new());
    };
    let anchors = judged(scan, &mut ground);
    let wanted = anchors
        .iter()
        .flatten()
        .filter(|anchor| {
            anchor.kind == hygiene::anchors::Kind::Symbol
                && matches!(anchor.status, AnchorStatus::Exists(_))
        })
        .map(|anchor| last_name(&anchor.text).to_owned())
        .collect();
    let definitions = code::definitions(root, ground.tree().files(), &wanted);
    (anchors, definitions)
}

/// The last name of a symbol, without its call.
fn last_name(symbol: &str) -> &str {
    let symbol = symbol.split('(').next().unwrap_or(symbol);
    symbol.rsplit(['.', ':']).next().unwrap_or(symbol)
}

/// Whether a gate names an entry.
fn leads_to(gate: &View, entry: &View) -> bool {
    let stem = entry.file.rsplit('/').next().unwrap_or_default();
    let stem = stem.strip_suffix(".md").unwrap_or(stem);
    gate.gate && gate.lines.iter().any(|line| line.contains(stem))
}

impl<'a> Bench<'a> {
    fn view(&self, at: usize) -> &'a View {
        &self.scan.entries[at]
    }

    fn relations(&self, at: usize) -> impl Iterator<Item = &Relation> {
        self.by_entry[at]
            .iter()
            .map(|place| &self.scan.relations().all[*place])
    }

    /// The relation by which a later entry follows this one.
    fn successor(&self, at: usize) -> Option<&Relation> {
        self.relations(at)
            .find(|relation| relation.b == at && relation.kind == RelationKind::Succession)
    }

    fn linked_by_gate(&self) -> Vec<bool> {
        let mut out = vec![false; self.scan.entries.len()];
        for relation in &self.scan.relations().all {
            if self.view(relation.a).gate {
                out[relation.b] = true;
            }
        }
        out
    }

    fn of(&self, at: usize) -> Found {
        let mut found = Found::default();
        self.empty(at, &mut found);
        self.completed(at, &mut found);
        self.resolved(at, &mut found);
        self.promoted(at, &mut found);
        self.duplicate(at, &mut found);
        self.gone(at, &mut found);
        self.superseded(at, &mut found);
        self.told_otherwise(at, &mut found);
        self.contradicted(at, &mut found);
        self.for_now(at, &mut found);
        self.silent(at, &mut found);
        found
    }

    fn candidate(
        &self,
        verdict: Verdict,
        confidence: Confidence,
        evidence: Vec<Evidence>,
        note: impl Into<String>,
        other: Option<usize>,
    ) -> Candidate {
        Candidate {
            verdict,
            confidence,
            evidence,
            note: note.into(),
            other: other.map(|other| self.view(other).file.clone()),
            group: None,
            guess: false,
        }
    }

    fn empty(&self, at: usize, found: &mut Found) {
        let view = self.view(at);
        if view.body().next().is_none() {
            found.add(self.candidate(
                Verdict::Stale,
                Confidence::Low,
                view.first().into_iter().collect(),
                "there is no body, so nothing is claimed",
                None,
            ));
        }
    }

    fn status(&self, at: usize) -> Option<&Status> {
        self.status_of[at].map(|(status, _)| status)
    }

    fn completed(&self, at: usize, found: &mut Found) {
        let view = self.view(at);
        if view.kind != Some(Kind::Project) {
            return;
        }
        if let Some((status, surely)) = self.status_of[at].filter(|(status, _)| status.closed) {
            let ahead = view
                .statements
                .iter()
                .any(|s| view::days(&s.folded).iter().any(|day| *day > self.today));
            let doubt = if ahead {
                Some("its project's STATUS.md says that it is over, but it names a day to come")
            } else if view.statements.iter().any(still_rules) {
                Some(
                    "its project's STATUS.md says that it is over, but it says what is to be done still",
                )
            } else if surely == Covers::Perhaps {
                Some("a STATUS.md of a like name says that its project is over")
            } else {
                None
            };
            let evidence = vec![status.line.clone()];
            match doubt {
                Some(why) => found.perhaps(self.candidate(
                    Verdict::Completed,
                    Confidence::Low,
                    evidence,
                    why,
                    None,
                )),
                None => found.add(self.candidate(
                    Verdict::Completed,
                    Confidence::High,
                    evidence,
                    "its project's STATUS.md says that it is over",
                    None,
                )),
            }
            return;
        }
        if self.status(at).is_none()
            && let Some(line) = self.said_completed(view)
        {
            found.add(self.candidate(
                Verdict::Completed,
                Confidence::Med,
                vec![line],
                "it says itself that its project is over; no STATUS.md says so",
                None,
            ));
            return;
        }
        if let Some(relation) = self.successor(at) {
            found.perhaps(self.candidate(
                Verdict::Completed,
                Confidence::Low,
                relation.evidence.clone(),
                "a later entry goes on from it; no STATUS.md says that it is over",
                Some(relation.a),
            ));
        }
    }

    /// The line of a project that says itself that the project is over, on a day that is past.
    fn said_completed(&self, view: &View) -> Option<Evidence> {
        const PROJECT: [&str; 5] = ["project", "projekt", "vorhaben", "프로젝트", "项目"];
        let ahead = |s: &Statement| view::days(&s.folded).iter().any(|day| *day > self.today);
        if view.statements.iter().any(|s| ahead(s) || still_rules(s)) {
            return None;
        }
        let line = view.statements[..view.head_len].iter().find(|s| {
            s.says(Cue::Closed)
                && !s.says(Cue::Running)
                && !s.says(Cue::Plans)
                && !s.says(Cue::NotYet)
                && PROJECT.iter().any(|word| s.folded.contains(word))
                && !view::days(&s.folded).is_empty()
        })?;
        Some(view.evidence(line))
    }

    /// A project that says on a day that is past what was mended: that was a trouble, whatever the
    /// words it was told in.
    fn mended(&self, at: usize, found: &mut Found) -> bool {
        const MENDED: [&str; 14] = [
            "fixed",
            "solved",
            "resolved",
            "repaired",
            "behoben",
            "gelöst",
            "repariert",
            "고쳤",
            "고쳐졌",
            "해결",
            "수리",
            "修好",
            "修复",
            "解决",
        ];
        let view = self.view(at);
        if view.kind != Some(Kind::Project) {
            return false;
        }
        let mends = |s: &Statement| {
            let past = || {
                let days = view::days(&s.folded);
                !days.is_empty() && days.iter().all(|day| *day <= self.today)
            };
            MENDED.iter().any(|word| s.folded.contains(word))
                && past()
                && ![
                    Cue::NotYet,
                    Cue::Plans,
                    Cue::Until,
                    Cue::Ahead,
                    Cue::Trouble,
                ]
                .iter()
                .any(|cue| s.says(*cue))
        };
        let body: Vec<&Statement> = view
            .statements
            .iter()
            .filter(|s| !matches!(s.part, Part::Head | Part::Heading))
            .collect();
        let Some(end) = body.iter().skip(1).position(|s| mends(s)).map(|at| at + 1) else {
            return false;
        };
        let goes_on = |s: &&Statement| {
            s.says(Cue::NotYet) || over::says_trouble(s) || still_rules(s) || s.says(Cue::Plans)
        };
        if body[end + 1..].iter().any(goes_on) {
            return false;
        }
        found.add(self.candidate(
            Verdict::Resolved,
            Confidence::Med,
            vec![view.evidence(body[end]), view.evidence(body[0])],
            "it says itself that this is over",
            None,
        ));
        true
    }

    /// The line by which an entry itself says that the trouble it tells of is over.
    fn own_end(&self, view: &View, trouble: usize) -> Option<Evidence> {
        let over = |s: &Statement| {
            s.part != Part::Heading
                && s.says(Cue::Ended)
                && !s.says(Cue::Trouble)
                && !s.says(Cue::NotYet)
                && !s.says(Cue::Plans)
                && !s.says(Cue::Until)
                && !s.says(Cue::Ahead)
        };
        let dated = |s: &Statement| {
            let days = view::days(&s.folded);
            !days.is_empty() && days.iter().all(|day| *day <= self.today)
        };
        let rest = &view.statements[trouble + 1..];
        let end = rest.iter().position(|s| over(s) && dated(s))?;
        let again = rest[end + 1..].iter().any(over::says_trouble);
        (!again).then(|| view.evidence(&rest[end]))
    }

    /// One that tells of no trouble, and what followed: its number is done, it says so itself, a
    /// later entry says so.
    fn over_without_trouble(&self, at: usize, found: &mut Found) {
        let view = self.view(at);
        self.number_done(at, found);
        let _ = self.mended(at, found);
        if view.kind == Some(Kind::Project)
            && let Some(relation) = self.successor(at)
        {
            let said = Cues::of(&relation.evidence[0].quote.to_lowercase());
            let told = relation.strength >= 1.0
                    && said.has(Cue::Ended)
                    && ![Cue::Replaces, Cue::NotYet, Cue::Ahead, Cue::Follows, Cue::Plans]
                        .iter()
                        .any(|cue| said.has(*cue))
                    // A note of one matter, not a project of many.
                    && view.body().count() <= MOST_OF_A_NOTE
                    && self.status(at).is_none()
                    && !view.statements.iter().any(still_rules);
            let candidate = |confidence, note| {
                let evidence = relation.evidence.clone();
                self.candidate(
                    Verdict::Resolved,
                    confidence,
                    evidence,
                    note,
                    Some(relation.a),
                )
            };
            if told {
                let note = "a later entry that names it says that this is over";
                found.add(candidate(Confidence::Med, note));
            } else {
                found.perhaps(candidate(Confidence::Low, "a later entry goes on from it"));
            }
        }
    }

    fn resolved(&self, at: usize, found: &mut Found) {
        let view = self.view(at);
        if view.gate || !matches!(view.kind, Some(Kind::Project | Kind::Reference) | None) {
            return;
        }
        let Some((trouble, expiry)) = self.trouble(view) else {
            self.over_without_trouble(at, found);
            return;
        };
        let passed = expiry.is_some_and(|day| day < self.today);
        let own = view.evidence(&view.statements[trouble]);
        if view.kind == Some(Kind::Project)
            && let Some(end) = self.own_end(view, trouble)
        {
            found.add(self.candidate(
                Verdict::Resolved,
                Confidence::Med,
                vec![end, own],
                "it says itself that this is over",
                None,
            ));
            return;
        }
        // What followed: a later entry.
        if let Some(relation) = self.successor(at) {
            let text = relation.evidence[0].quote.to_lowercase();
            let said = Cues::of(&text);
            let over = (said.has(Cue::Ended) || said.has(Cue::Replaces) || said.has(Cue::Back))
                && !said.has(Cue::NotYet)
                && relation.strength >= SURELY_OVER;
            let mut evidence = relation.evidence.clone();
            evidence.push(own.clone());
            let reference = view.kind == Some(Kind::Reference);
            let candidate = self.candidate(
                Verdict::Resolved,
                if over || passed {
                    Confidence::High
                } else {
                    Confidence::Med
                },
                evidence,
                "a later entry says what became of it",
                Some(relation.a),
            );
            if reference {
                found.perhaps(candidate);
            } else {
                found.add(candidate);
            }
            return;
        }
        // What followed: a document that names the same number and says it is over.
        if let Some((evidence, day)) = self.closed_number(view) {
            let candidate = self.candidate(
                Verdict::Resolved,
                Confidence::High,
                vec![evidence, own],
                "a document says that this number is done",
                None,
            );
            // One that was written when it was done tells what came of it.
            if self.knows_the_end(view, day) {
                found.perhaps(candidate);
            } else {
                found.add(candidate);
            }
            return;
        }
        if self.expired(at, expiry, &own, found) {
            return;
        }
        if view.kind == Some(Kind::Project)
            && !self.mended(at, found)
            && let Some(evidence) = self.said_over(at)
        {
            found.perhaps(self.candidate(
                Verdict::Resolved,
                Confidence::Low,
                vec![evidence, own],
                "a document may say that this is over",
                None,
            ));
        }
    }

    /// A warning of a day that is past, or that a document tells a later day than.
    fn expired(
        &self,
        at: usize,
        expiry: Option<NaiveDate>,
        own: &Evidence,
        found: &mut Found,
    ) -> bool {
        let view = self.view(at);
        let passed = expiry.is_some_and(|day| day < self.today);
        let renewed = expiry.and_then(|day| self.renewed(view, day));
        if let Some(evidence) = renewed {
            let (verdict, note) = if view.kind == Some(Kind::Project) {
                (Verdict::Resolved, "a document tells a later day")
            } else {
                (Verdict::Outdated, "a document tells a later day")
            };
            let evidence = vec![evidence, own.clone()];
            found.add(self.candidate(verdict, Confidence::Med, evidence, note, None));
            return true;
        }
        if passed {
            let candidate = self.candidate(
                Verdict::Resolved,
                Confidence::Med,
                vec![own.clone()],
                "the day it warns of is past",
                None,
            );
            if view.kind == Some(Kind::Reference) && view.body().count() > MOST_OF_A_WARNING {
                found.perhaps(candidate);
            } else {
                found.add(candidate);
            }
            return true;
        }
        false
    }

    /// The statement that tells of a trouble or of something that ends, and the day of the end.
    fn trouble(&self, view: &View) -> Option<(usize, Option<NaiveDate>)> {
        view.statements[..view.head_len]
            .iter()
            .enumerate()
            .find_map(|(at, statement)| {
                if statement.says(Cue::Expires) {
                    let day = view::last_day(&statement.folded);
                    // Valid until a day to come: nothing to warn of yet.
                    return match day {
                        Some(day) if day >= self.today => None,
                        _ => Some((at, day)),
                    };
                }
                (over::says_trouble(statement) && view.kind == Some(Kind::Project))
                    .then_some((at, None))
            })
    }

    /// A rule and what an entry says beside it.
    fn of_rule(view: &View, rule: Evidence) -> Vec<Evidence> {
        let claim = view
            .claim()
            .map(|claim| view.evidence(&view.statements[claim]));
        std::iter::once(rule).chain(claim).collect()
    }

    fn promoted(&self, at: usize, found: &mut Found) {
        let view = self.view(at);
        if view.kind != Some(Kind::Feedback) {
            return;
        }
        let place = self.rules.best(view).map_or(0.0, |best| best.score);
        // The rule may say the opposite of this, and what another entry says.
        let opposed = self
            .relations(at)
            .filter(|relation| relation.kind == RelationKind::Contradiction)
            .map(|relation| {
                if relation.a == at {
                    relation.b
                } else {
                    relation.a
                }
            })
            .filter_map(|other| self.rules.best(self.view(other)))
            .any(|other| other.score > place);
        if opposed {
            return;
        }
        let candidate = |verdict, rule, confidence, note: String| {
            self.candidate(verdict, confidence, Self::of_rule(view, rule), note, None)
        };
        let promoted = |rule, confidence, note: &str| {
            candidate(Verdict::Promoted, rule, confidence, note.to_owned())
        };
        let complete = self.rules.left(view).is_none();
        let entry = self.rules.read(view);
        let taken = self.rules.taken(&entry);
        if let Some(rule) = self.rules.struck_out(view, &entry)
            && !matches!(taken, Taken::Whole(_))
        {
            let note = "a rule that said it is struck out".to_owned();
            found.add(candidate(Verdict::Outdated, rule, Confidence::Med, note));
            return;
        }
        // Two judgements of it agree.
        let said = matches!(taken, Taken::Whole(_));
        match taken {
            Taken::Whole(rule) if place >= PROMOTED && complete => {
                if self.is_framed(view, &rule) {
                    let note = "a rule says it, beside words that may take it back".to_owned();
                    found.perhaps(candidate(Verdict::Promoted, rule, Confidence::Low, note));
                    return;
                }
                let confidence = if place > 0.6 {
                    Confidence::High
                } else {
                    Confidence::Med
                };
                found.add(promoted(rule, confidence, "a rule says it"));
                return;
            }
            Taken::Part(rule, left) => {
                let note = format!("a rule says a part of it, none says “{left}”");
                found.perhaps(candidate(Verdict::Promoted, rule, Confidence::Low, note));
                return;
            }
            Taken::Opposed(rule) => {
                let note = "a rule forbids it".to_owned();
                found.add(candidate(Verdict::Outdated, rule, Confidence::Med, note));
                return;
            }
            _ => {}
        }
        self.in_other_words(at, &entry, said, complete, found);
    }

    /// Whether a rule is only asked, weighed or planned, or stands behind a label, or before a remark in
    /// brackets, of which an entry does not speak: such words may say that it is no rule any more, or
    /// none yet.
    fn is_framed(&self, view: &View, rule: &Evidence) -> bool {
        let mut docs = self.scan.docs.iter();
        let Some(line) = docs
            .find(|doc| doc.source.path == rule.path)
            .and_then(|doc| doc.lines.get(rule.line.checked_sub(1)?))
        else {
            return false;
        };
        let line = line.trim_matches([' ', '-', '*', '+', '>', '.', '。', '\t']);
        let label = line
            .split_once([':', '：'])
            .map(|(label, _)| label)
            .filter(|label| !label.contains('`'));
        let remark = line
            .strip_suffix([')', '）'])
            .and_then(|line| line.rsplit_once(['(', '（']))
            .map(|(_, remark)| remark);
        let foreign = |frame: &str| {
            let corpus = &self.scan.corpus;
            let words = corpus.known(frame);
            (1..=MOST_OF_A_FRAME).contains(&words.len())
                && !words
                    .iter()
                    .any(|word| corpus.holds(&view.whole, *word) > 0.0)
        };
        let folded = line.to_lowercase();
        label.into_iter().chain(remark).any(foreign)
            || cues::is_open(&folded)
            || self.is_of_years_to_come(&folded)
    }

    /// Whether a rule names a year that is to come: it does not hold yet.
    fn is_of_years_to_come(&self, rule: &str) -> bool {
        let digits = rule.split(|c: char| !c.is_ascii_digit());
        let mut years = digits.filter(|digits| digits.len() == 4 && digits.starts_with("20"));
        years.any(|year| year.parse().is_ok_and(|year: i32| year > self.today.year()))
    }

    /// Feedback that a rule may say in other words. `said`: another judgement says it does;
    /// `complete`: it lists nothing that no rule says.
    fn in_other_words(
        &self,
        at: usize,
        entry: &Reading,
        said: bool,
        complete: bool,
        found: &mut Found,
    ) {
        let view = self.view(at);
        let candidate = |verdict, rule, confidence, note: &str| {
            self.candidate(verdict, confidence, Self::of_rule(view, rule), note, None)
        };
        let promoted =
            |rule, confidence, note: &str| candidate(Verdict::Promoted, rule, confidence, note);
        match self.rules.like(entry) {
            Taken::Like {
                rule,
                score,
                turned,
                ..
            } if turned && score >= TURNED => {
                let note = "a rule may forbid it";
                let outdated = candidate(Verdict::Outdated, rule, Confidence::Med, note);
                if score >= LIKELY {
                    found.add(outdated);
                } else {
                    found.perhaps(outdated);
                }
            }
            Taken::Like {
                rule,
                score,
                whole,
                translated,
                ..
            } if whole
                && complete
                && (said && score >= SAID || translated && score >= SURELY)
                && !self.is_framed(view, &rule) =>
            {
                found.add(promoted(
                    rule,
                    Confidence::Med,
                    "a rule says it in other words",
                ));
            }
            Taken::Like { rule, score, .. } if score >= PERHAPS => {
                found.perhaps(promoted(
                    rule,
                    Confidence::Low,
                    "a rule may say it, or a part of it",
                ));
            }
            Taken::Like { rule, .. } => {
                found.guess(promoted(
                    rule,
                    Confidence::Low,
                    "the rule that is nearest to it",
                ));
            }
            _ => {}
        }
    }

    fn duplicate(&self, at: usize, found: &mut Found) {
        let view = self.view(at);
        if view.gate {
            return;
        }
        let Some(relation) = self
            .relations(at)
            .filter(|relation| relation.b == at && relation.kind == RelationKind::Containment)
            // A gate repeats a line of each entry that it leads to.
            .filter(|relation| !leads_to(self.view(relation.a), view))
            .max_by(|x, y| x.strength.total_cmp(&y.strength))
        else {
            return;
        };
        let candidate = self.candidate(
            Verdict::Duplicate,
            if relation.strength > 0.7 {
                Confidence::High
            } else {
                Confidence::Med
            },
            relation.evidence.clone(),
            "another entry says the same and more",
            Some(relation.a),
        );
        if relation.strength >= DUPLICATE && view.kind == self.view(relation.a).kind {
            found.add(candidate);
        } else {
            found.likely(candidate);
        }
    }

    /// Paths and symbols that are no longer there.
    fn gone(&self, at: usize, found: &mut Found) {
        let view = self.view(at);
        let broken: Vec<&Anchor> = self.anchors[at]
            .iter()
            .filter(|anchor| anchor.is_broken() && !self.told_to_have_moved(at, anchor))
            .collect();
        let Some(first) = broken.first() else {
            return;
        };
        let mut evidence = Vec::new();
        for anchor in broken.iter().take(3) {
            if let Some(line) = view.lines.get(anchor.line - 1) {
                evidence.push(Evidence::of(&view.path, anchor.line, line));
            }
        }
        evidence.dedup();
        evidence.extend(broken.iter().find_map(|anchor| self.named(&anchor.text)));
        let note = match &first.status {
            AnchorStatus::Moved(to) if !to.is_empty() => {
                format!("`{}` is now `{}`", first.text, to[0])
            }
            _ => format!("`{}` is not there", first.text),
        };
        let candidate = self.candidate(Verdict::Outdated, Confidence::High, evidence, note, None);
        if view.kind == Some(Kind::User) {
            found.perhaps(candidate);
        } else {
            found.add(candidate);
        }
    }

    /// The line that names what is gone says where it went, and there it is.
    fn told_to_have_moved(&self, at: usize, gone: &Anchor) -> bool {
        let line = self.view(at).lines.get(gone.line - 1);
        let there = |anchor: &Anchor| {
            anchor.line == gone.line && matches!(anchor.status, AnchorStatus::Exists(_))
        };
        line.is_some_and(|line| hygiene::anchors::tells_of_a_move(line))
            && self.anchors[at].iter().any(there)
    }

    /// A line of the documents that speaks of what is gone.
    fn named(&self, anchor: &str) -> Option<Evidence> {
        let name = anchor
            .rsplit(['/', '\\'])
            .next()?
            .split([':', '('])
            .next()?;
        if name.len() < 4 {
            return None;
        }
        if let Some(known) = self.named.borrow().get(name) {
            return known.clone();
        }
        let documents = self.scan.docs.iter();
        let found = documents
            .filter(|doc| doc.source.kind == SourceKind::Document)
            .find_map(|doc| {
                let at = doc.lines.iter().position(|line| line.contains(name))?;
                Some(Evidence::of(&doc.source.path, at + 1, &doc.lines[at]))
            });
        self.named
            .borrow_mut()
            .insert(name.to_owned(), found.clone());
        found
    }

    /// A later entry took its place.
    fn superseded(&self, at: usize, found: &mut Found) {
        let view = self.view(at);
        let Some(relation) = self.successor(at) else {
            let entry = self.scan.store.entry(view.id);
            let superseded = entry
                .frontmatter()
                .field("status")
                .filter(|field| field.text.trim().eq_ignore_ascii_case("superseded"));
            if view.kind == Some(Kind::Decision)
                && let Some(field) = superseded
                && let Some(line) = view.lines.get(field.line - 1)
            {
                found.add(self.candidate(
                    Verdict::Outdated,
                    Confidence::High,
                    vec![Evidence::of(&view.path, field.line, line)],
                    "it says itself that it is superseded",
                    None,
                ));
            }
            return;
        };
        let later = self.view(relation.a);
        let replaces = relation
            .evidence
            .iter()
            .any(|evidence| cues::says(&evidence.quote.to_lowercase(), Cue::Replaces))
            || (later.kind == Some(Kind::Decision)
                && later.statements.iter().any(|s| s.says(Cue::Replaces)));
        let mut evidence = relation.evidence.clone();
        if let Some(claim) = view.claim() {
            evidence.push(view.evidence(&view.statements[claim]));
        }
        let candidate = |confidence| {
            self.candidate(
                Verdict::Outdated,
                confidence,
                evidence.clone(),
                "a later entry took its place",
                Some(relation.a),
            )
        };
        match view.kind {
            Some(Kind::Decision) => found.add(candidate(Confidence::High)),
            Some(Kind::User | Kind::Feedback) if replaces => found.add(candidate(Confidence::High)),
            Some(Kind::Reference) => found.add(candidate(if replaces {
                Confidence::High
            } else {
                Confidence::Med
            })),
            Some(Kind::Project) if replaces => found.perhaps(candidate(Confidence::Med)),
            _ => found.perhaps(candidate(Confidence::Low)),
        }
    }

    fn contradicted(&self, at: usize, found: &mut Found) {
        for relation in self
            .relations(at)
            .filter(|r| r.kind == RelationKind::Contradiction)
        {
            let other = if relation.a == at {
                relation.b
            } else {
                relation.a
            };
            let (mine, theirs) = (self.support(at, other), self.support(other, at));
            let evidence = relation.evidence.clone();
            match (mine, theirs) {
                (None, Some(theirs)) => {
                    let mut evidence = evidence;
                    evidence.insert(0, theirs);
                    found.add(self.candidate(
                        Verdict::Outdated,
                        Confidence::High,
                        evidence,
                        "another entry says the opposite, and the project agrees with that one",
                        Some(other),
                    ));
                }
                (Some(mine), None) => {
                    let mut evidence = evidence;
                    evidence.insert(0, mine);
                    found.add(self.candidate(
                        Verdict::Active,
                        Confidence::High,
                        evidence,
                        "another entry says the opposite, and the project agrees with this one",
                        Some(other),
                    ));
                }
                _ => {
                    found.add(self.candidate(
                        Verdict::Stale,
                        Confidence::Low,
                        evidence.clone(),
                        "another entry says the opposite, and nothing decides between them",
                        Some(other),
                    ));
                    let older = self.view(at).written < self.view(other).written;
                    let verdict = if older {
                        Verdict::Outdated
                    } else {
                        Verdict::Active
                    };
                    found.next(self.candidate(
                        verdict,
                        Confidence::Low,
                        evidence,
                        if older {
                            "the other one is newer"
                        } else if self.view(at).written > self.view(other).written {
                            "the other one is older"
                        } else {
                            "neither is the newer"
                        },
                        Some(other),
                    ));
                }
            }
        }
    }

    /// What in the project speaks for an entry and against another that says the opposite.
    fn support(&self, at: usize, against: usize) -> Option<Evidence> {
        let view = self.view(at);
        let broken = |at: usize| self.anchors[at].iter().any(Anchor::is_broken);
        if broken(at) {
            return None;
        }
        // A value in the sources.
        let said: Vec<_> = view.statements[..view.head_len]
            .iter()
            .flat_map(|statement| view.quantities(statement).iter().cloned())
            .collect();
        for anchor in &self.anchors[at] {
            if let Some(definition) = self.definitions.get(last_name(&anchor.text))
                && code::confirms(definition, &said)
            {
                return Some(definition.evidence.clone());
            }
        }
        // The other names what is gone, this one what is there.
        if broken(against)
            && let Some(evidence) = self.alive(at)
        {
            return Some(evidence);
        }
        self.said_in_a_document(at, against)
            .or_else(|| self.asked_by_a_rule(at, against))
    }

    /// A rule that asks somebody first, or does not, as an entry has it and another has not.
    fn asked_by_a_rule(&self, at: usize, against: usize) -> Option<Evidence> {
        let corpus = &self.scan.corpus;
        let (_, mine) = self.view(at).claims(corpus).stance?;
        let (_, theirs) = self.view(against).claims(corpus).stance?;
        if mine == theirs {
            return None;
        }
        let both = |bag: &Bag| {
            let words = bag.words.iter().filter(|word| {
                corpus.is_thing(**word)
                    && corpus.holds(&self.view(at).head, **word) > 0.0
                    && corpus.holds(&self.view(against).head, **word) > 0.0
            });
            words.count()
        };
        let docs = self.scan.docs.iter().filter(|doc| doc.source.kind.binds());
        let said = docs.flat_map(|doc| {
            let all = doc.statements.iter().zip(&doc.bags);
            all.map(move |(said, bag)| (doc, said, bag))
        });
        let found = said
            .filter(|(_, said, _)| Stance::of(said) == Some(mine))
            .map(|(doc, said, bag)| (both(bag), doc, said))
            .max_by_key(|(both, ..)| *both)
            .filter(|(both, ..)| *both > 0)?;
        Some(found.1.evidence(found.2))
    }

    /// A line of the documents that says what an entry says, and not what another says against it.
    fn said_in_a_document(&self, at: usize, against: usize) -> Option<Evidence> {
        let corpus = &self.scan.corpus;
        let (view, other) = (self.view(at), self.view(against));
        let clash = self.table.borrow_mut().clash(at, against)?;
        let (mine, theirs) = (&view.statements[clash.a], &other.statements[clash.b]);
        let (my_bag, their_bag) = (&view.bags[clash.a], &other.bags[clash.b]);
        let (my_numbers, their_numbers) = (view.quantities(mine), other.quantities(theirs));
        let numbers = quantity::conflict(my_numbers, their_numbers);
        let only = |of: &Bag, not: &Bag| -> Vec<u32> {
            of.words
                .iter()
                .copied()
                // Words alone, not meanings: what is near in meaning can still be the alternative.
                .filter(|word| not.words.binary_search(word).is_err() && !corpus.is_number(*word))
                .collect()
        };
        let (own, others) = (only(my_bag, their_bag), only(their_bag, my_bag));
        let common: Vec<u32> = my_bag
            .words
            .iter()
            .copied()
            .filter(|word| corpus.holds(their_bag, *word) > 0.0 && !corpus.is_number(*word))
            .collect();
        let weight = |words: &[u32], bag: &Bag| -> f32 {
            words
                .iter()
                .map(|word| corpus.weight(*word) * corpus.holds(bag, *word))
                .sum()
        };
        let all: f32 = common.iter().map(|word| corpus.weight(*word)).sum();
        let mut best: Option<(f32, &Doc, &Statement)> = None;
        for doc in &self.scan.docs {
            for (place, statement) in doc.statements.iter().enumerate() {
                if statement.part == Part::Heading {
                    continue;
                }
                let whole = &doc.bags[place];
                let shared = weight(&common, whole);
                if shared < 2.0 || shared < all * 0.5 {
                    continue;
                }
                let says = if numbers {
                    let said = doc.quantities(statement);
                    quantity::any_alike(my_numbers, said)
                        && !quantity::any_alike(their_numbers, said)
                } else {
                    doc.clauses(corpus)[place].iter().chain([whole]).any(|bag| {
                        let (mine, others) = (weight(&own, bag), weight(&others, bag));
                        weight(&common, bag) > 1.0 && mine > 1.0 && mine > others * 1.5
                    })
                };
                if says && best.is_none_or(|(most, ..)| shared > most) {
                    best = Some((shared, doc, statement));
                }
            }
        }
        best.map(|(_, doc, statement)| doc.evidence(statement))
    }

    /// Something the entry names that is there, with the line that says so.
    fn alive(&self, at: usize) -> Option<Evidence> {
        let view = self.view(at);
        self.anchors[at].iter().find_map(|anchor| {
            if let Some(definition) = self.definitions.get(last_name(&anchor.text)) {
                return Some(definition.evidence.clone());
            }
            matches!(anchor.status, AnchorStatus::Exists(_))
                .then(|| {
                    Some(Evidence::of(
                        &view.path,
                        anchor.line,
                        view.lines.get(anchor.line - 1)?,
                    ))
                })
                .flatten()
        })
    }

    /// What the entry names is there and was read, and says no number that the entry gives beside
    /// its name: the name and what stands there.
    fn unread(&self, at: usize) -> Option<(String, Option<Evidence>)> {
        let view = self.view(at);
        self.anchors[at].iter().find_map(|anchor| {
            let AnchorStatus::Exists(place) = &anchor.status else {
                return None;
            };
            let statement = &view.statements[view.statement_on(anchor.line)?];
            let on_line = view.statements.iter().filter(|s| s.line == statement.line);
            let said: Vec<_> = on_line
                .filter(|s| view.text(s).contains(&*anchor.text))
                .flat_map(|s| view.quantities(s))
                .filter(|number| number.unit != quantity::Unit::Date)
                .cloned()
                .collect();
            if said.is_empty() {
                return None;
            }
            if let Some(definition) = self.definitions.get(last_name(&anchor.text)) {
                let differs = !definition.numbers.is_empty() && !code::confirms(definition, &said);
                return differs.then(|| (anchor.text.clone(), Some(definition.evidence.clone())));
            }
            let text = self.read(place.as_deref()?)?;
            let there = quantity::of(&text);
            let told = said
                .iter()
                .any(|x| there.iter().any(|y| (x.value - y.value).abs() < 1e-9));
            (!told && !there.is_empty()).then(|| (anchor.text.clone(), None))
        })
    }

    /// A file that an entry names, if it is short.
    fn read(&self, place: &str) -> Option<String> {
        const LARGEST: u64 = 64 << 10;
        let root = self.scan.places.project.as_ref()?;
        let bytes = safe_file::read_real(&root.join(place), LARGEST).ok()??;
        String::from_utf8(bytes).ok()
    }

    fn for_now(&self, at: usize, found: &mut Found) {
        let view = self.view(at);
        let Some(statement) = view.head_says(Cue::ForNow) else {
            return;
        };
        let old = view
            .written
            .is_none_or(|day| day + Days::new(FOR_NOW) < self.today);
        let ends = view
            .statements
            .iter()
            .any(|s| view::days(&s.folded).iter().any(|day| *day >= self.today));
        let candidate = self.candidate(
            Verdict::Stale,
            Confidence::Low,
            vec![view.evidence(statement)],
            "true for a while, with no end said, and a while ago",
            None,
        );
        if old && !ends && self.alive(at).is_none() {
            found.add(candidate);
        } else {
            found.perhaps(candidate);
        }
    }

    /// A project that nothing speaks of any more.
    fn silent(&self, at: usize, found: &mut Found) {
        let view = self.view(at);
        if view.kind != Some(Kind::Project) || view.gate || self.status(at).is_some() {
            return;
        }
        let days: Vec<NaiveDate> = view
            .statements
            .iter()
            .flat_map(|s| view::days(&s.folded))
            .collect();
        let ahead = days.iter().any(|day| *day >= self.today);
        let old = view
            .written
            .is_some_and(|day| day + Days::new(SILENT) < self.today)
            && view
                .modified
                .is_some_and(|time| time.date_naive() + Days::new(SILENT) < self.today);
        if old && !ahead && self.alive(at).is_none() && self.relations(at).next().is_none() {
            found.add(self.candidate(
                Verdict::Stale,
                Confidence::Low,
                view.first().into_iter().collect(),
                "nothing at hand speaks of it any more",
                None,
            ));
        }
    }

    fn consolidate(&self, group: &Group, at: usize) -> Candidate {
        let mut evidence: Vec<Evidence> = self.view(at).first().into_iter().collect();
        evidence.extend(
            group
                .members
                .iter()
                .filter(|member| **member != at)
                .take(MOST_MEMBERS)
                .filter_map(|member| self.view(*member).first()),
        );
        let mut candidate = self.candidate(
            Verdict::Consolidate,
            Confidence::High,
            evidence,
            format!(
                "{} entries on {} and no way in",
                group.members.len(),
                group.name
            ),
            None,
        );
        candidate.group = Some(group.name.clone());
        candidate
    }

    /// Puts the candidates in order; Active is always among them.
    fn settle(&self, at: usize, found: Found) -> Judgement {
        let view = self.view(at);
        let active = found
            .candidates
            .iter()
            .any(|(_, c)| c.verdict == Verdict::Active);
        let mut list = found.candidates;
        let doubted = list.iter().any(|(weight, _)| *weight > 0.3);
        if !active {
            let evidence = self.active_evidence(at);
            let confidence = if evidence.1 && !list.iter().any(|(w, _)| *w > 0.05) {
                Confidence::High
            } else {
                Confidence::Med
            };
            list.push((
                if doubted { 0.2 } else { 0.4 },
                self.candidate(
                    Verdict::Active,
                    confidence,
                    evidence.0.into_iter().collect(),
                    evidence.2,
                    None,
                ),
            ));
        }
        list.sort_by(|x, y| {
            let sure = |w: f32| w > 0.3;
            sure(y.0).cmp(&sure(x.0)).then_with(|| {
                if sure(x.0) {
                    x.1.verdict.cmp(&y.1.verdict)
                } else {
                    y.0.total_cmp(&x.0)
                }
            })
        });
        let mut candidates: Vec<Candidate> = Vec::new();
        for (_, candidate) in list {
            if candidates
                .iter()
                .all(|there| there.verdict != candidate.verdict)
            {
                candidates.push(candidate);
            }
        }
        candidates.truncate(3);
        if candidates.len() == 1 {
            candidates.push(self.second(at, candidates[0].verdict));
        }
        Judgement {
            entry: view.file.clone(),
            candidates,
        }
    }

    /// What speaks for an entry's being valid, whether it is mechanical, and in words.
    fn active_evidence(&self, at: usize) -> (Option<Evidence>, bool, &'static str) {
        let view = self.view(at);
        if let Some(status) = self
            .status(at)
            .filter(|status| !status.closed && view.kind == Some(Kind::Project))
        {
            return (
                Some(status.line.clone()),
                true,
                "its project's STATUS.md says that it goes on",
            );
        }
        if let Some(evidence) = self.alive(at) {
            return match self.unread(at) {
                None => (Some(evidence), true, "what it names is there"),
                Some(_) => (
                    Some(evidence),
                    false,
                    "what it names is there, but does not say the number that it gives",
                ),
            };
        }
        if view.gate {
            return (view.first(), true, "it is the way into its domain");
        }
        (view.first(), false, "nothing speaks against it")
    }
}
