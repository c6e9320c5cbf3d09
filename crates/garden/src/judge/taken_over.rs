//! Whether a CLAUDE.md, a rule or a skill says what feedback says.

use super::TURNED;
use crate::corpus::{Bag, Corpus};
use crate::evidence::Evidence;
use crate::prose::{Part, Statement};
use crate::relations::sketch::{ANYWHERE, Laid};
use crate::scan::{Doc, Scan};
use crate::sources::SourceKind;
use crate::view::{self, View};
use memory::overlap::{self, Proposal, Topics};
use std::cell::{OnceCell, RefCell};
use words::Lexicon;

/// Where it stands, and how surely.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TakenOver {
    /// From 0 to 1.
    pub(crate) score: f32,
}

/// A line that is quoted for an entry may say it from here on.
const MAY_SAY: f64 = 0.08;

/// A part of a rule says less than a whole one.
const CLAUSE: f32 = 0.95;

/// A single rule of an entry counts as taken over from here on.
const ITEM: f32 = 0.42;

/// Words of a rule that must be an entry's as well: two in common are a coincidence, however rare.
const COMMON: usize = 3;

/// What the assistant works by.
#[derive(Debug)]
pub(crate) struct Rules<'a> {
    corpus: &'a Corpus,
    all: Vec<Rule<'a>>,
    /// Those that are struck out: no rules any more.
    struck: Vec<(&'a Doc, &'a Statement)>,
    struck_said: OnceCell<RefCell<overlap::Rules>>,
    /// The entry that is looked at.
    laid: RefCell<Laid<'a>>,
    /// The same statements, read for what exactly they say.
    said: OnceCell<RefCell<overlap::Rules>>,
    /// Skills, in the order of `all`.
    skills: Vec<&'a Doc>,
    topics: OnceCell<RefCell<Topics>>,
}

/// An entry, read for being held against the rules.
#[derive(Debug)]
pub(crate) struct Reading {
    proposal: Proposal,
    claims: overlap::Claims,
}

/// What the rules make of an entry.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Taken {
    /// A rule says it.
    Whole(Evidence),
    /// A rule says a part of it: the rule, and what none says.
    Part(Evidence, String),
    /// No rule says just this, but one is most like it: how likely it says it, and whether it has
    /// words of all of it.
    Like {
        /// The rule.
        rule: Evidence,
        /// From 0 to 1.
        score: f64,
        /// It leaves nothing out.
        whole: bool,
        /// It denies what the entry says.
        turned: bool,
        /// It is of another language.
        translated: bool,
    },
    /// A rule says the opposite.
    Opposed(Evidence),
    /// None is about it.
    Not,
}

/// How an entry stands to the lines that are quoted for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Held {
    /// They say it, or may say it in other words.
    Said,
    /// They say the opposite.
    Turned,
    /// They say something else.
    Another,
    /// They are no rules: a heading, what is struck out, what is not in force.
    NoRule,
}

/// One statement of a binding source.
#[derive(Debug)]
struct Rule<'a> {
    doc: &'a Doc,
    statement: &'a Statement,
    bag: &'a Bag,
    clauses: &'a [Bag],
    /// What it stands under.
    heading: &'a str,
    /// Which skill it stands in.
    skill: Option<usize>,
}

/// The statements of an entry that a rule is held against.
struct Claims<'a> {
    bags: Vec<&'a Bag>,
    /// Their bits in the entry's sketch.
    bits: u64,
}

impl<'a> Rules<'a> {
    pub(crate) fn of(scan: &'a Scan) -> Self {
        let corpus = &scan.corpus;
        let mut all = Vec::new();
        let mut struck = Vec::new();
        let mut skills = Vec::new();
        for doc in scan.docs.iter().filter(|doc| doc.source.kind.binds()) {
            let skill = (doc.source.kind == SourceKind::Skill).then_some(skills.len());
            if skill.is_some() {
                skills.push(doc);
            }
            let mut heading = "";
            let said = doc.statements.iter().zip(&doc.bags);
            for ((statement, bag), clauses) in said.zip(doc.clauses(corpus)) {
                if statement.part == Part::Heading {
                    heading = doc.text(statement);
                    continue;
                }
                // What is struck out is no rule any more.
                if let Some(rest) = doc.text(statement).strip_prefix("~~") {
                    if rest.starts_with(char::is_alphanumeric) {
                        struck.push((doc, statement));
                    }
                    continue;
                }
                all.push(Rule {
                    doc,
                    statement,
                    bag,
                    clauses,
                    heading,
                    skill,
                });
            }
        }
        Self {
            corpus,
            all,
            struck,
            struck_said: OnceCell::new(),
            laid: RefCell::new(Laid::new(corpus)),
            said: OnceCell::new(),
            skills,
            topics: OnceCell::new(),
        }
    }

    /// Reads an entry for being held against the rules.
    pub(crate) fn read(&self, view: &View) -> Reading {
        let proposal = proposal(view);
        let claims = self.said().borrow_mut().read(&proposal);
        Reading { proposal, claims }
    }

    /// The statements, read; when first asked for.
    fn said(&self) -> &RefCell<overlap::Rules> {
        self.said.get_or_init(|| {
            let lines = self
                .all
                .iter()
                .map(|rule| (rule.heading, rule.doc.text(rule.statement)));
            RefCell::new(overlap::Rules::new(Lexicon::builtin(), lines))
        })
    }

    /// Whether the rules say just what an entry says.
    pub(crate) fn taken(&self, entry: &Reading) -> Taken {
        let on_topic = self.on_topic(&entry.proposal);
        let counts = |place: usize| {
            let skill = self.all.get(place).and_then(|rule| rule.skill);
            skill.is_none_or(|skill| on_topic.get(skill).copied().unwrap_or(false))
        };
        match self.said().borrow_mut().judge(&entry.claims, counts) {
            overlap::Taken::Whole(rule) => Taken::Whole(self.line(rule)),
            overlap::Taken::Part { rule, left } => Taken::Part(self.line(rule), left),
            overlap::Taken::Opposed(rule) => Taken::Opposed(self.line(rule)),
            overlap::Taken::Not => Taken::Not,
        }
    }

    /// A rule that says what an entry says and is struck out.
    pub(crate) fn struck_out(&self, view: &View, entry: &Reading) -> Option<Evidence> {
        if self.struck.is_empty() {
            return None;
        }
        let mut said = self
            .struck_said
            .get_or_init(|| {
                let texts = self.struck.iter().map(|(doc, statement)| {
                    let text = doc.text(statement).trim_start_matches("~~");
                    ("", text.split("~~").next().unwrap_or(text))
                });
                RefCell::new(overlap::Rules::new(Lexicon::builtin(), texts))
            })
            .borrow_mut();
        let claims = said.read(&entry.proposal);
        let place = match said.judge(&claims, |_| true) {
            overlap::Taken::Whole(place) | overlap::Taken::Part { rule: place, .. } => Some(place),
            _ => None,
        };
        let (doc, statement) = self.struck.get(place?)?;
        // What was written since then is of the time after it.
        let since = view::days(&doc.lines[statement.line - 1].to_lowercase());
        let later = since
            .into_iter()
            .max()
            .zip(view.written)
            .is_some_and(|(struck, written)| written > struck);
        (!later).then(|| doc.evidence(statement))
    }

    /// How an entry stands to the rules on some lines, whatever the others say.
    pub(crate) fn held(&self, view: &View, on: impl Fn(&Doc, &Statement) -> bool) -> Held {
        let quoted: Vec<bool> = self
            .all
            .iter()
            .map(|rule| on(rule.doc, rule.statement))
            .collect();
        if !quoted.contains(&true) {
            return Held::NoRule;
        }
        let counts = |place: usize| quoted.get(place).copied().unwrap_or(false);
        let entry = self.read(view);
        let mut said = self.said().borrow_mut();
        match said.judge(&entry.claims, counts) {
            overlap::Taken::Whole(_) => return Held::Said,
            overlap::Taken::Opposed(_) => return Held::Turned,
            overlap::Taken::Part { .. } | overlap::Taken::Not => {}
        }
        match said.nearest(&entry.claims, counts) {
            Some(near) if near.turned && near.score >= TURNED => Held::Turned,
            // What another language says in other words is for a reader to tell.
            Some(near) if near.translated => Held::Said,
            None => Held::Said,
            Some(_) if said.says_another(&entry.claims, counts) => Held::Another,
            Some(near) if near.score >= MAY_SAY => Held::Said,
            Some(_) => Held::Another,
        }
    }

    /// The rule that is most like an entry, in whatever words.
    pub(crate) fn like(&self, entry: &Reading) -> Taken {
        match self.said().borrow_mut().nearest(&entry.claims, |_| true) {
            Some(near) => Taken::Like {
                rule: self.line(near.rule),
                score: near.score,
                whole: near.whole,
                turned: near.turned,
                translated: near.translated,
            },
            None => Taken::Not,
        }
    }

    /// Of each skill, whether it is about what the entry is about.
    fn on_topic(&self, entry: &Proposal) -> Vec<bool> {
        if self.skills.is_empty() {
            return Vec::new();
        }
        let topics = self.topics.get_or_init(|| {
            let texts = self.skills.iter().map(|doc| &*doc.source.text);
            RefCell::new(Topics::of(texts))
        });
        topics.borrow_mut().shared_with(entry)
    }

    fn line(&self, rule: usize) -> Evidence {
        let rule = &self.all[rule];
        rule.doc.evidence(rule.statement)
    }

    /// The line of the binding sources that says an entry best; `None` where none has a word of it.
    pub(crate) fn best(&self, view: &'a View) -> Option<TakenOver> {
        let mut claims = Claims {
            bags: Vec::new(),
            bits: 0,
        };
        for (at, (statement, bag)) in view.head().enumerate() {
            if statement.part != Part::Heading {
                claims.bags.push(bag);
                claims.bits |= 1 << at;
            }
        }
        let mut laid = self.laid.borrow_mut();
        laid.lay(view);
        let mut best: Option<TakenOver> = None;
        for rule in &self.all {
            for (bag, factor) in std::iter::once((rule.bag, 1.0))
                .chain(rule.clauses.iter().map(|clause| (clause, CLAUSE)))
            {
                let most = best.map_or(0.0, |best| best.score);
                let score = self.alike(&laid, &claims, bag, most / factor) * factor;
                if score > most {
                    best = Some(TakenOver { score });
                }
            }
        }
        best
    }

    /// How much a rule says what the claims say; 0 if that is less than `most`.
    fn alike(&self, laid: &Laid<'_>, claims: &Claims<'_>, rule: &Bag, most: f32) -> f32 {
        let corpus = self.corpus;
        if rule.words.len() < COMMON || rule.mass <= 0.0 {
            return 0.0;
        }
        let (mut in_claims, mut in_whole, mut common) = (0.0, 0.0, 0);
        for word in &rule.words {
            let held = laid.held(*word);
            if held.meant == 0 {
                continue;
            }
            let weight = corpus.weight(*word);
            let surely = held.surely(claims.bits);
            common += usize::from(surely > 0.0);
            in_claims += weight * surely;
            in_whole += weight * held.surely(ANYWHERE);
        }
        if common == 0 {
            return 0.0;
        }
        // How much of the rule the entry says, and how much of the entry's clearest sentence the rule.
        let of_rule = in_claims / rule.mass * 0.7 + in_whole / rule.mass * 0.3;
        let enough = if common >= COMMON { 1.0 } else { 0.6 };
        if of_rule.sqrt() * enough * 1.001 < most {
            return 0.0;
        }
        let of_claim = claims
            .bags
            .iter()
            .filter(|bag| bag.words.len() > 2)
            .map(|bag| corpus.coverage(bag, rule))
            .fold(0.0, f32::max);
        (of_rule * of_claim).sqrt() * enough
    }

    /// Of an entry that lists rules: the first that no binding source says, if others are said.
    pub(crate) fn left(&self, view: &View) -> Option<usize> {
        // Items below a rule say how it is applied; only a body that begins with one is a list of rules.
        let claim = view.claim()?;
        if view.statements[claim].part != Part::Item {
            return None;
        }
        let items: Vec<(usize, &Bag)> = view
            .all()
            .enumerate()
            .filter(|(_, (statement, _))| statement.part == Part::Item)
            .map(|(at, (_, bag))| (at, bag))
            .filter(|(_, bag)| bag.words.len() > 2)
            .collect();
        if items.len() < 2 {
            return None;
        }
        items
            .iter()
            .find(|(_, item)| {
                self.all
                    .iter()
                    .all(|rule| says(self.corpus, item, rule.bag) < ITEM)
            })
            .map(|(at, _)| *at)
    }
}

/// An entry as it would be proposed.
fn proposal(view: &View) -> Proposal {
    let description = view
        .statements
        .first()
        .filter(|statement| statement.part == Part::Head);
    let body = view.lines.len().saturating_sub(view.body_lines);
    Proposal {
        title: view.subject.join(" "),
        description: description.map_or_else(String::new, |said| view.text(said).to_owned()),
        body: view.lines.get(body..).unwrap_or_default().join("\n"),
    }
}

/// How much a rule says what an item says.
fn says(corpus: &Corpus, item: &Bag, rule: &Bag) -> f32 {
    if rule.words.len() < COMMON {
        return 0.0;
    }
    let common = rule
        .words
        .iter()
        .filter(|word| corpus.holds(item, **word) > 0.0)
        .count();
    let enough = if common >= COMMON { 1.0 } else { 0.6 };
    (corpus.coverage(rule, item) * corpus.coverage(item, rule)).sqrt() * enough
}
