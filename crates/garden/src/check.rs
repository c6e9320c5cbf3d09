//! Proves a plan: what of it may be done, what is demoted and why, and what is refused.

mod conflicts;
pub(crate) mod edits;
mod evidence;
mod names;

use crate::judge::{Judgements, Rules};
use crate::lacks;
use crate::plan::{self, Action, Item, Plan, Proof};
use crate::proof::{Proven, Prover};
use crate::relations::RelationKind;
use crate::runs;
use crate::scan::Scan;
use crate::verdict::{Confidence, Verdict};
use memory::Kind;
use serde::Serialize;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A proven plan.
#[derive(Debug, Default, Serialize)]
pub struct Checked {
    /// What a person should know first.
    pub warnings: Vec<String>,
    /// Where text stands that looks like a secret.
    pub sensitive: Vec<String>,
    /// Why nothing of the plan is done.
    pub refusals: Vec<Refusal>,
    /// The items, in the plan's order.
    pub items: Vec<CheckedItem>,
    /// The new entries.
    pub gates: Vec<CheckedGate>,
    /// Numbers in the order in which they are carried out.
    pub order: Vec<u32>,
    /// What is worth a second look; changes nothing.
    pub look_again: Vec<String>,
}

/// Why a plan is refused as a whole.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Refusal {
    /// The number, if it is about one.
    pub id: Option<u32>,
    /// The reason.
    pub why: String,
}

/// One item, proven.
#[derive(Debug, Clone, Serialize)]
pub struct CheckedItem {
    /// Its number.
    pub id: u32,
    /// The entry.
    pub entry: String,
    /// As it was written.
    pub written: Verdict,
    /// As it holds.
    pub verdict: Verdict,
    /// As it holds.
    pub confidence: Confidence,
    /// What would be done.
    pub action: Action,
    /// The entry that stays, for a merge.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// Only its own number approves it.
    pub own_number: bool,
    /// What the check found.
    pub findings: Vec<Finding>,
    /// Its place among the plan's items.
    #[serde(skip)]
    pub(crate) place: usize,
}

/// A new entry, proven.
#[derive(Debug, Clone, Serialize)]
pub struct CheckedGate {
    /// Its number.
    pub id: u32,
    /// Its file.
    pub file: String,
    /// The members' files.
    pub members: Vec<String>,
    /// It would be made.
    pub ready: bool,
    /// What the check found.
    pub findings: Vec<Finding>,
    /// Its place among the plan's gates.
    #[serde(skip)]
    pub(crate) place: usize,
}

/// One thing that the check found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// What kind.
    pub kind: Cause,
    /// In words.
    pub text: String,
}

/// Kinds of findings.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Cause {
    /// The quote stands on another line now. A note only.
    MovedLine,
    /// The quote stands nowhere in that file.
    FalseQuote,
    /// Words instead of a place.
    Abstract,
    /// A place without a quote.
    NoQuote,
    /// No evidence at all.
    NoEvidence,
    /// Evidence of another kind than the verdict asks for.
    WrongEvidence,
    /// The evidence's file is not there.
    MissingPath,
    /// The evidence's file cannot be read.
    Unreadable,
    /// Low confidence.
    Low,
    /// Two verdicts hold; the rules say which counts. A note only.
    Conflict,
    /// The entry was changed after it was judged.
    Changed,
    /// The entry is not there.
    Gone,
    /// The entry is a file of several items.
    Several,
    /// The target is missing or goes too.
    Target,
    /// Nobody has said yet what comes. A note only.
    Open,
    /// The line that is to be edited does not stand there.
    Edit,
    /// Too few members, or it is there already.
    Gate,
    /// An earlier part of the plan did it. A note only.
    Done,
    /// More could be said. A note only.
    Note,
}

impl Cause {
    /// It changes no exit code.
    pub fn is_note(self) -> bool {
        matches!(
            self,
            Self::MovedLine | Self::Conflict | Self::Open | Self::Done | Self::Note
        )
    }
}

impl Checked {
    /// Something was demoted.
    pub fn has_findings(&self) -> bool {
        let findings = self.items.iter().map(|item| &item.findings);
        findings
            .chain(self.gates.iter().map(|gate| &gate.findings))
            .flatten()
            .any(|finding| !finding.kind.is_note())
    }

    /// Proves a plan against what is at hand now.
    pub fn of(plan: &Plan, scan: &Scan) -> Self {
        let mut check = Check::new(plan, scan);
        check.whole();
        let mut items: Vec<CheckedItem> = Vec::with_capacity(plan.entries.len());
        for (place, item) in plan.entries.iter().enumerate() {
            items.push(check.item(place, item));
        }
        check.targets(&mut items);
        let gates = check.gates(&mut items);
        let order = order(&items, &gates);
        let look_again = check.look_again(&items);
        Self {
            warnings: plan::warnings(scan),
            sensitive: plan::sensitive(scan),
            refusals: check.refusals,
            items,
            gates,
            order,
            look_again,
        }
    }
}

impl CheckedItem {
    fn find(&mut self, kind: Cause, text: impl Into<String>) {
        self.findings.push(Finding {
            kind,
            text: text.into(),
        });
    }

    fn demote(&mut self, to: Verdict, kind: Cause, text: impl Into<String>) {
        self.verdict = to;
        if to == Verdict::Stale {
            self.confidence = Confidence::Low;
        }
        self.action = Action::Keep;
        self.target = None;
        self.find(kind, text);
    }

    /// It claims words that stand nowhere.
    pub fn is_false(&self) -> bool {
        self.findings
            .iter()
            .any(|finding| finding.kind == Cause::FalseQuote)
    }

    /// An edit whose new text is still to be written.
    pub fn is_open(&self) -> bool {
        self.findings
            .iter()
            .any(|finding| finding.kind == Cause::Open)
    }

    /// Something would be done.
    pub fn is_ready(&self) -> bool {
        self.action != Action::Keep && !self.is_open()
    }
}

/// A quote that stands where it is said to.
struct Shown {
    path: String,
    quote: String,
}

/// What an item's evidence comes to.
struct Weighed {
    /// Quotes that stand there.
    proven: Vec<Shown>,
    /// What demotes by itself, and to what.
    worst: Option<(Verdict, Cause, String)>,
    /// What proves nothing.
    weak: Vec<(Cause, String)>,
}

struct Check<'a> {
    plan: &'a Plan,
    scan: &'a Scan,
    prover: Prover<'a>,
    /// Places of entries by their files.
    by_file: HashMap<&'a str, usize>,
    /// Entries in contradictions, when there are too many of those.
    disputed: BTreeSet<usize>,
    /// What an earlier part of the plan did, by entry.
    done: HashMap<String, String>,
    refusals: Vec<Refusal>,
    /// What the program itself would propose; when first asked for.
    judged: OnceCell<Judgements>,
    /// What the assistant works by; when first asked for.
    rules: OnceCell<Rules<'a>>,
}

impl<'a> Check<'a> {
    fn new(plan: &'a Plan, scan: &'a Scan) -> Self {
        let contradictions: Vec<_> = scan
            .relations()
            .all
            .iter()
            .filter(|relation| relation.kind == RelationKind::Contradiction)
            .collect();
        let disputed = if contradictions.len() >= plan::CONTRADICTIONS {
            contradictions.iter().flat_map(|r| [r.a, r.b]).collect()
        } else {
            BTreeSet::new()
        };
        Self {
            plan,
            scan,
            prover: Prover::new(scan),
            by_file: scan
                .entries
                .iter()
                .enumerate()
                .map(|(at, view)| (view.file.as_str(), at))
                .collect(),
            disputed,
            done: runs::done(&runs::read(scan), plan),
            refusals: Vec::new(),
            judged: OnceCell::new(),
            rules: OnceCell::new(),
        }
    }

    fn refuse(&mut self, id: Option<u32>, why: impl Into<String>) {
        self.refusals.push(Refusal {
            id,
            why: why.into(),
        });
    }

    /// What is wrong with the plan as such.
    fn whole(&mut self) {
        let real = |path: &std::path::Path| {
            std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
        };
        let meant = std::path::Path::new(&self.plan.store);
        let root = self.scan.store.root();
        if meant != root && real(meant) != real(root) {
            let why = format!(
                "the plan is for the memory in {}, not for {}; name it with --store",
                meant.display(),
                root.display()
            );
            self.refuse(None, why);
        }
        let mut ids: BTreeMap<u32, usize> = BTreeMap::new();
        let all = self.plan.entries.iter().map(|item| item.id);
        for id in all.chain(self.plan.gates.iter().map(|gate| gate.id)) {
            *ids.entry(id).or_default() += 1;
        }
        for (id, count) in ids {
            if count > 1 {
                self.refuse(
                    Some(id),
                    format!("the number stands {count} times; approving it would be ambiguous"),
                );
            }
            if id == 0 {
                self.refuse(Some(id), "numbers begin with 1");
            }
        }
        let mut entries: BTreeMap<String, Vec<u32>> = BTreeMap::new();
        for item in &self.plan.entries {
            entries
                .entry(names::tidy(self.scan, &item.entry))
                .or_default()
                .push(item.id);
        }
        for (entry, ids) in entries {
            if ids.len() > 1 {
                self.refuse(Some(ids[1]), format!("{entry} is judged more than once"));
            }
        }
    }

    /// The place of the entry that a plan names; refuses what is no entry of the store.
    fn entry(&mut self, id: u32, what: &str, name: &str) -> Option<usize> {
        let file = names::tidy(self.scan, name);
        match names::refused(self.scan, &file) {
            Some(why) => {
                self.refuse(Some(id), format!("{what} {name}: {why}"));
                None
            }
            None => self.by_file.get(file.as_str()).copied(),
        }
    }

    fn item(&mut self, place: usize, item: &Item) -> CheckedItem {
        let at = self.entry(item.id, "entry", &item.entry);
        let file = names::tidy(self.scan, &item.entry);
        let mut out = CheckedItem {
            id: item.id,
            entry: file,
            written: item.verdict,
            verdict: item.verdict,
            confidence: item.confidence,
            action: item.wanted(),
            target: item.target.clone(),
            own_number: at.is_some_and(|at| self.disputed.contains(&at)),
            findings: Vec::new(),
            place,
        };
        if !item.wanted().fits(item.verdict) {
            self.refuse(
                Some(item.id),
                format!(
                    "{} is not done with an entry that is {}",
                    item.wanted().name(),
                    item.verdict.name()
                ),
            );
        }
        conflicts::resolve(item, &mut out);
        if let Some(action) = self.done.get(&out.entry)
            && (at.is_none() || self.is_changed(&out.entry))
        {
            out.action = Action::Keep;
            out.find(Cause::Done, format!("done already ({action})"));
            return out;
        }
        let Some(at) = at else {
            out.demote(
                Verdict::Stale,
                Cause::Gone,
                "there is no such entry, or no longer",
            );
            return out;
        };
        let kind = self.scan.entries[at].kind;
        if kind == Some(Kind::User) && out.action.removes() {
            self.refuse(
                Some(item.id),
                "what a person is, is kept: an entry of type user is not removed, only what is outdated in it is edited, on evidence",
            );
        }
        if out.action.removes() && self.scan.holds_items(at) {
            out.demote(
                Verdict::Stale,
                Cause::Several,
                "it holds several items; one of them is taken out by its code: mnemo memory remove CODE --store record --reason REASON",
            );
        } else if self.is_changed(&self.scan.entries[at].file) && out.action != Action::Keep {
            out.demote(
                Verdict::Stale,
                Cause::Changed,
                "it was changed after it was judged; make the plan anew",
            );
        } else {
            self.evidence(at, item, &mut out);
        }
        if let Some(why) = edits::refused(&self.scan.store, &self.scan.entries[at], item) {
            self.refuse(Some(item.id), why);
        }
        if out.action == Action::Edit {
            edits::prove(&self.scan.entries[at], item, &mut out);
        }
        out
    }

    /// An entry that is not as it was when the plan was made, or not there any more.
    fn is_changed(&self, file: &str) -> bool {
        let Some(hash) = self.plan.hashes.get(file) else {
            return false;
        };
        let entry = self
            .by_file
            .get(file)
            .map(|at| self.scan.store.entry(self.scan.entries[*at].id));
        entry.is_none_or(|entry| *hash != plan::hash(entry.bytes()))
    }

    /// Proves each piece of evidence.
    fn weigh(&mut self, item: &Item, out: &mut CheckedItem) -> Weighed {
        let mut proven: Vec<Shown> = Vec::new();
        let mut worst: Option<(Verdict, Cause, String)> = None;
        let mut weak: Vec<(Cause, String)> = Vec::new();
        for proof in &item.evidence {
            let quoted = match proof {
                Proof::Words(words) => {
                    weak.push((
                        Cause::Abstract,
                        format!(
                            "“{}” names no place and no words that stand there",
                            short(words)
                        ),
                    ));
                    continue;
                }
                Proof::Line(quoted) => quoted,
            };
            let proven_now = self.prover.prove(quoted);
            let about = names::tidy(self.scan, quoted.place().0);
            if matches!(proven_now, Proven::False | Proven::NoFile(_)) && self.is_changed(&about) {
                weak.push((
                    Cause::Changed,
                    format!("{about} was changed after it was quoted; make the plan anew"),
                ));
                continue;
            }
            match proven_now {
                Proven::True { path, line, said } => {
                    if let Some(said) = said {
                        out.find(
                            Cause::MovedLine,
                            format!("{path}:{said}: it stands in line {line} now"),
                        );
                    }
                    proven.push(Shown {
                        path,
                        quote: quoted.quote.clone().unwrap_or_default(),
                    });
                }
                Proven::Words => {
                    weak.push((
                        Cause::Abstract,
                        format!("“{}” is no file", short(&quoted.at)),
                    ));
                }
                Proven::False => {
                    let text = format!(
                        "{}: “{}” does not stand there, nor elsewhere in that file",
                        short(&quoted.at),
                        short(quoted.quote.as_deref().unwrap_or_default())
                    );
                    worst = Some((Verdict::Stale, Cause::FalseQuote, text));
                }
                Proven::NoFile(path) => {
                    let text = format!("{path} does not exist, so what names it is outdated");
                    if worst.is_none() {
                        worst = Some((Verdict::Outdated, Cause::MissingPath, text));
                    }
                }
                Proven::Unreadable(path) => {
                    weak.push((Cause::Unreadable, format!("{path} cannot be read")));
                }
                Proven::Outside(path) => {
                    self.refuse(
                        Some(item.id),
                        format!(
                            "evidence {path}: it leads out of the project, the memory and ~/.claude"
                        ),
                    );
                }
                Proven::NoQuote => {
                    weak.push((
                        Cause::NoQuote,
                        format!("{}: no words are quoted that would prove it", quoted.at),
                    ));
                }
            }
        }
        Weighed {
            proven,
            worst,
            weak,
        }
    }

    fn evidence(&mut self, at: usize, item: &Item, out: &mut CheckedItem) {
        let Weighed {
            mut proven,
            worst,
            weak,
        } = self.weigh(item, out);
        if matches!(out.verdict, Verdict::Active | Verdict::Stale) {
            // Nothing is done with it: what is wrong is told, nothing follows.
            if let Some((_, cause, text)) = worst {
                out.find(cause, text);
            }
            return;
        }
        match worst {
            Some((Verdict::Outdated, cause, text)) if out.verdict != Verdict::Outdated => {
                out.demote(Verdict::Outdated, cause, text);
                return;
            }
            // That the path is gone is what makes it outdated.
            Some((Verdict::Outdated, _, text)) => {
                out.find(Cause::Note, text);
                proven.push(Shown {
                    path: String::new(),
                    quote: String::new(),
                });
            }
            Some((to, cause, text)) => {
                out.demote(to, cause, text);
                return;
            }
            None => {}
        }
        if proven.is_empty() {
            match weak.into_iter().next() {
                Some((cause, text)) => out.demote(Verdict::Stale, cause, text),
                None => out.demote(
                    Verdict::Stale,
                    Cause::NoEvidence,
                    "nothing is given that it rests on",
                ),
            }
            return;
        }
        for (_, text) in weak {
            out.find(Cause::Note, format!("proves nothing: {text}"));
        }
        if out.confidence == Confidence::Low {
            out.demote(
                Verdict::Stale,
                Cause::Low,
                "a guess is asked about, never acted on",
            );
            return;
        }
        self.kind_of_evidence(at, item, &proven, out);
    }

    /// Some verdicts ask for evidence of a kind, and all for lines that are about the entry.
    fn kind_of_evidence(&self, at: usize, item: &Item, proven: &[Shown], out: &mut CheckedItem) {
        let wrong = evidence::Asked {
            scan: self.scan,
            at,
            proven,
            target: out.target.as_deref(),
            append: item.append.as_deref(),
            judged: &self.judged,
            rules: &self.rules,
        }
        .wrong(out.verdict);
        if let Some(why) = wrong {
            out.demote(Verdict::Stale, Cause::WrongEvidence, why);
        } else if out.verdict == Verdict::Completed
            && out.confidence == Confidence::High
            && !proven.iter().any(|shown| shown.path.ends_with("STATUS.md"))
        {
            out.confidence = Confidence::Med;
            out.find(Cause::Note, "no STATUS.md says so: Med at most");
        }
    }

    /// Merges: the entry that stays must be there and stay.
    fn targets(&mut self, items: &mut [CheckedItem]) {
        for item in items.iter_mut() {
            let plan = self.plan;
            let Some(target) = &plan.entries[item.place].target else {
                if item.action == Action::Merge {
                    item.demote(
                        Verdict::Stale,
                        Cause::Target,
                        "it names no target that stays",
                    );
                }
                continue;
            };
            // What must not be touched is refused whatever becomes of the verdict.
            let found = self.entry(item.id, "target", target);
            let file = names::tidy(self.scan, target);
            if item.action != Action::Merge {
                item.target = None;
            } else if file == item.entry {
                self.refuse(Some(item.id), "an entry is not a duplicate of itself");
            } else if found.is_none() {
                item.demote(
                    Verdict::Stale,
                    Cause::Target,
                    format!("its target {target} is not there"),
                );
            } else {
                item.target = Some(file);
            }
        }
        self.newest(items);
        let next: HashMap<String, (Action, Option<String>)> = items
            .iter()
            .filter(|item| item.action.removes())
            .map(|item| (item.entry.clone(), (item.action, item.target.clone())))
            .collect();
        for item in items.iter_mut().filter(|item| item.action == Action::Merge) {
            let mut keeper = item.target.clone().unwrap_or_default();
            let mut steps = 0;
            let fate = loop {
                match next.get(&keeper) {
                    Some((Action::Merge, Some(further))) if steps <= next.len() => {
                        keeper.clone_from(further);
                        steps += 1;
                    }
                    other => break other,
                }
            };
            if steps > next.len() {
                self.refusals.push(Refusal {
                    id: Some(item.id),
                    why: "entries are duplicates of each other in a circle; one must stay"
                        .to_owned(),
                });
            } else if fate.is_some() {
                item.demote(
                    Verdict::Stale,
                    Cause::Target,
                    format!("{keeper}, which should stay, goes too"),
                );
            } else {
                let append = self.plan.entries[item.place].append.as_deref();
                if let Some(lost) = self.lost(&item.entry, &keeper, append) {
                    item.find(Cause::Note, lost);
                }
                item.target = Some(keeper);
            }
        }
    }

    /// What a merge would leave behind in the archive, in words.
    fn lost(&self, entry: &str, keeper: &str, append: Option<&str>) -> Option<String> {
        const SHOWN: usize = 3;
        let (part, whole) = (*self.by_file.get(entry)?, *self.by_file.get(keeper)?);
        let (part, whole) = (&self.scan.entries[part], &self.scan.entries[whole]);
        let quotes: Vec<String> = lacks::of(&self.scan.corpus, part, whole)
            .iter()
            .map(|lacking| part.evidence(&part.statements[lacking.statement]).quote)
            .filter(|quote| !append.is_some_and(|text| text.contains(quote.as_str())))
            .collect();
        let shown: Vec<String> = quotes
            .iter()
            .take(SHOWN)
            .map(|q| format!("“{q}”"))
            .collect();
        let more = match quotes.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (!quotes.is_empty()).then(|| {
            format!(
                "{keeper} does not say {}{more}; `append:` takes it over",
                shown.join(", ")
            )
        })
    }

    /// A duplicate that is outdated too: the newer of both stays.
    fn newest(&mut self, items: &mut [CheckedItem]) {
        for place in 0..items.len() {
            let item = &items[place];
            let plan = &self.plan.entries[item.place];
            let outdated =
                plan.also.contains(&Verdict::Outdated) || plan.verdict == Verdict::Outdated;
            let Some(target) = item
                .target
                .clone()
                .filter(|_| item.action == Action::Merge && outdated)
            else {
                continue;
            };
            let written = |file: &str| {
                let view = self.by_file.get(file).map(|at| &self.scan.entries[*at]);
                view.and_then(|view| {
                    view.written
                        .max(view.modified.map(|time| time.date_naive()))
                })
            };
            if written(&item.entry) <= written(&target) {
                items[place].find(
                    Cause::Conflict,
                    format!("Duplicate and Outdated: merged into {target}, the newer"),
                );
                continue;
            }
            let entry = item.entry.clone();
            let is_user = self
                .by_file
                .get(target.as_str())
                .is_some_and(|at| self.scan.entries[*at].kind == Some(Kind::User));
            let other = items.iter().position(|other| other.entry == target);
            let busy = other.is_some_and(|other| items[other].action != Action::Keep);
            let lost = self.lost(&target, &entry, None);
            if let Some(lost) = lost.filter(|_| !busy && !is_user && other.is_some()) {
                items[place].demote(
                    Verdict::Stale,
                    Cause::Conflict,
                    format!("Duplicate and Outdated: it is newer than {target} and would stay, but {lost}"),
                );
                continue;
            }
            if busy || is_user || other.is_none() {
                items[place].demote(
                    Verdict::Stale,
                    Cause::Conflict,
                    format!("Duplicate and Outdated: it is newer than {target}, which cannot give way; decide by hand"),
                );
                continue;
            }
            if let Some(other) = other {
                items[place].demote(
                    Verdict::Active,
                    Cause::Conflict,
                    format!("Duplicate and Outdated: it is newer than {target} and stays"),
                );
                let other = &mut items[other];
                other.verdict = Verdict::Duplicate;
                other.action = Action::Merge;
                other.target = Some(entry.clone());
                other.find(
                    Cause::Conflict,
                    format!("Duplicate and Outdated: merged into {entry}, the newer"),
                );
            }
        }
    }

    fn gates(&mut self, items: &mut [CheckedItem]) -> Vec<CheckedGate> {
        let mut out = Vec::new();
        let mut files = BTreeSet::new();
        for (place, gate) in self.plan.gates.iter().enumerate() {
            let mut findings = Vec::new();
            let mut find = |text: String| {
                findings.push(Finding {
                    kind: Cause::Gate,
                    text,
                });
            };
            if let Err(why) = names::gate(gate) {
                self.refusals.push(Refusal {
                    id: Some(gate.id),
                    why,
                });
            }
            let file = names::in_folder(self.scan, &gate.file);
            if !files.insert(file.clone()) {
                self.refuse(Some(gate.id), format!("{file} is made more than once"));
            }
            let belong: BTreeSet<String> = items
                .iter()
                .filter(|item| {
                    item.verdict == Verdict::Consolidate
                        && self.plan.entries[item.place].group.as_deref() == Some(&gate.group)
                })
                .map(|item| item.entry.clone())
                .collect();
            let mut members = Vec::new();
            for member in &gate.members {
                let name = names::tidy(self.scan, member);
                if self.entry(gate.id, "member", member).is_some() && belong.contains(&name) {
                    members.push(name);
                }
            }
            if gate.members.is_empty() {
                members = belong.into_iter().collect();
            }
            members.sort();
            members.dedup();
            if members.len() < LEAST {
                find(format!(
                    "{} members are Consolidate in {}; a gate needs {LEAST}",
                    members.len(),
                    gate.group
                ));
            }
            let there = self.scan.store.folder().join(&gate.file);
            if std::fs::symlink_metadata(&there).is_ok() {
                find(format!("{file} is there already"));
            }
            let ready = findings.is_empty();
            if self.done.contains_key(&file) {
                findings = vec![Finding {
                    kind: Cause::Done,
                    text: "done already".to_owned(),
                }];
            }
            out.push(CheckedGate {
                id: gate.id,
                file,
                ready,
                members,
                findings,
                place,
            });
        }
        for item in items
            .iter_mut()
            .filter(|item| item.verdict == Verdict::Consolidate)
        {
            let made = out
                .iter()
                .find(|gate| gate.ready && gate.members.contains(&item.entry));
            match made {
                Some(gate) => {
                    let id = gate.id;
                    item.find(
                        Cause::Note,
                        format!("its text stays; approve the gate, number {id}"),
                    );
                }
                None => item.find(Cause::Note, "no gate of this plan lists it"),
            }
        }
        out
    }

    /// What relations and verdicts say together.
    fn look_again(&self, items: &[CheckedItem]) -> Vec<String> {
        let verdicts: HashMap<&str, Verdict> = items
            .iter()
            .map(|item| (item.entry.as_str(), item.verdict))
            .collect();
        let of = |at: usize| verdicts.get(self.scan.entries[at].file.as_str()).copied();
        let mut out = Vec::new();
        for relation in &self.scan.relations().all {
            let (a, b) = (
                &self.scan.entries[relation.a].file,
                &self.scan.entries[relation.b].file,
            );
            match (relation.kind, of(relation.a), of(relation.b)) {
                (RelationKind::Succession, _, Some(Verdict::Active)) => {
                    out.push(format!("{a} follows {b}, yet {b} is Active"));
                }
                (RelationKind::Contradiction, Some(Verdict::Active), Some(Verdict::Active)) => {
                    out.push(format!(
                        "{a} and {b} exclude each other, yet both are Active: Stale?"
                    ));
                }
                _ => {}
            }
        }
        out
    }
}

/// Members from which on a domain needs a way in.
const LEAST: usize = 3;

/// Edits first, then what is taken over, then what leads to it, then what goes.
fn order(items: &[CheckedItem], gates: &[CheckedGate]) -> Vec<u32> {
    let mut all: Vec<(Action, u32)> = items
        .iter()
        .filter(|item| item.is_ready())
        .map(|item| (item.action, item.id))
        .chain(
            gates
                .iter()
                .filter(|gate| gate.ready)
                .map(|gate| (Action::Gate, gate.id)),
        )
        .collect();
    all.sort_unstable();
    all.into_iter().map(|(_, id)| id).collect()
}

/// What a plan says, in a message: it can be long.
fn short(text: &str) -> String {
    const SHOWN: usize = 160;
    let line = mnemo_home::one_line(text, SHOWN + 1);
    match line.char_indices().nth(SHOWN) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
