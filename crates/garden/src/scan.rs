//! Everything at hand, read once: entries, their sources, the archive.

use crate::corpus::{Bag, Corpus};
use crate::prose::{self, Statement};
use crate::quantity::Quantity;
use crate::relations::Relations;
use crate::sources::{Places, Source, SourceKind, Sources};
use crate::view::{Read, View};
use chrono::{DateTime, Local, NaiveDate};
use memory::{Store, parallel};
use std::ops::Deref;
use std::sync::OnceLock;

/// A source, read for judging.
#[derive(Debug)]
pub struct Doc {
    /// The file and what it is.
    pub source: Source,
    pub(crate) lines: Vec<String>,
    pub(crate) statements: Vec<Statement>,
    pub(crate) bags: Vec<Bag>,
    clauses: OnceLock<Vec<Vec<Bag>>>,
}

impl Doc {
    /// Cuts a source into statements; its words are not read yet.
    fn of(source: Source) -> Self {
        let lines: Vec<String> = memory::lines::lines(&source.text)
            .map(|line| line.text.to_owned())
            .collect();
        let first = body_line(&lines);
        let numbered = (1..).zip(lines.iter().map(String::as_str));
        let statements = prose::statements(numbered.filter(|(number, _)| *number >= first));
        Self {
            source,
            lines,
            statements,
            bags: Vec::new(),
            clauses: OnceLock::new(),
        }
    }

    /// The numbers of a statement, with their units.
    pub(crate) fn quantities<'a>(&self, statement: &'a Statement) -> &'a [Quantity] {
        statement.quantities(|| self.text(statement))
    }

    pub(crate) fn text(&self, statement: &Statement) -> &str {
        &self.lines[statement.line - 1][statement.range.clone()]
    }

    pub(crate) fn evidence(&self, statement: &Statement) -> crate::Evidence {
        crate::Evidence::of(&self.source.path, statement.line, self.text(statement))
    }

    /// The parts of each statement between commas, where there are several.
    pub(crate) fn clauses(&self, corpus: &Corpus) -> &[Vec<Bag>] {
        self.clauses.get_or_init(|| {
            self.statements
                .iter()
                .map(|statement| clauses(corpus, self.text(statement)))
                .collect()
        })
    }
}

/// An archived entry: what the history of a store is known from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Archived {
    /// From the store's root.
    pub file: String,
    /// Its type.
    pub kind: Option<&'static str>,
    /// When it was archived.
    pub archived: Option<NaiveDate>,
    /// Why.
    pub reason: Option<String>,
}

/// A store with everything that its claims are held against, the words of the entries not compared.
#[derive(Debug)]
pub struct Outline {
    /// The store.
    pub store: Store,
    /// Its entries, in the store's order.
    pub entries: Vec<View>,
    /// Its sources.
    pub docs: Vec<Doc>,
    /// What is not there.
    pub missing: Vec<crate::Missing>,
    /// What was archived before.
    pub archive: Vec<Archived>,
    /// Where it was looked.
    pub places: Places,
    /// When.
    pub now: DateTime<Local>,
}

/// An [`Outline`] and the words of its texts, weighed: what relations and verdicts are found by.
#[derive(Debug)]
pub struct Scan {
    outline: Outline,
    pub(crate) corpus: Corpus,
    relations: OnceLock<Relations>,
}

impl Deref for Scan {
    type Target = Outline;

    fn deref(&self) -> &Outline {
        &self.outline
    }
}

/// Fewer entries than this are cut into statements at once.
const MANY: usize = 32;
/// Bytes that an entry takes, about.
const ROOM: usize = 3 << 10;

impl Outline {
    /// Reads what there is to list: entries and sources.
    pub fn of(store: Store, places: &Places, now: DateTime<Local>) -> Self {
        let outline = Self::read(store, places, now);
        if outline.docs.iter().any(is_personal_skill) {
            // Which of them count is told by their words.
            return Scan::weigh(outline).outline;
        }
        outline
    }

    fn read(store: Store, places: &Places, now: DateTime<Local>) -> Self {
        let sources = Sources::read(places);
        let all: Vec<_> = store.with_ids().collect();
        let mut entries = parallel::map_with_room(&all, MANY, all.len() * ROOM, |(id, entry)| {
            View::of(*id, entry)
        });
        drop(all);
        without_frames(&store, &mut entries);
        let docs = sources.all.into_iter().map(Doc::of).collect();
        let archive = archive(&store);
        let mut missing = sources.missing;
        if archive.is_empty() {
            missing.push(crate::Missing {
                source: "_archive/**".to_owned(),
                consequence: "no lifetimes are known",
            });
        }
        if store.index().is_none() {
            missing.push(crate::Missing {
                source: "MEMORY.md".to_owned(),
                consequence: "the list of files stands for the index",
            });
        }
        Self {
            store,
            entries,
            docs,
            missing,
            archive,
            places: places.clone(),
            now,
        }
    }

    /// What is not there and what follows, a line for each consequence.
    pub fn not_there(&self) -> Vec<String> {
        let mut by_consequence: Vec<(&str, Vec<&str>)> = Vec::new();
        for missing in &self.missing {
            let known = by_consequence
                .iter_mut()
                .find(|(consequence, _)| *consequence == missing.consequence);
            match known {
                Some((_, sources)) => sources.push(&missing.source),
                None => by_consequence.push((missing.consequence, vec![&missing.source])),
            }
        }
        by_consequence
            .into_iter()
            .map(|(consequence, sources)| format!("without {}: {consequence}", sources.join(", ")))
            .collect()
    }

    /// Whether an entry is a record's file of several items under headings: what is true of one of
    /// them is not true of the file.
    pub(crate) fn holds_items(&self, at: usize) -> bool {
        let id = self.entries[at].id;
        self.store
            .items()
            .iter()
            .any(|placed| placed.entry == id && placed.item.form == memory::items::Form::Heading)
    }
}

impl Scan {
    /// Reads everything.
    pub fn of(store: Store, places: &Places, now: DateTime<Local>) -> Self {
        Self::weigh(Outline::read(store, places, now))
    }

    /// How the entries belong together; worked out when first asked for.
    pub fn relations(&self) -> &Relations {
        self.relations
            .get_or_init(|| Relations::find(&self.store, &self.entries, &self.corpus))
    }

    /// Reads the words and weighs them.
    fn weigh(mut outline: Outline) -> Self {
        let mut corpus = Corpus::default();
        let entries: Vec<Read> = outline
            .entries
            .iter()
            .map(|view| Read::of(view, outline.store.entry(view.id), &mut corpus))
            .collect();
        let docs: Vec<Vec<_>> = outline
            .docs
            .iter()
            .map(|doc| {
                let statements = doc.statements.iter();
                statements.map(|s| corpus.read(doc.text(s))).collect()
            })
            .collect();
        corpus.settle();
        for (read, view) in entries.into_iter().zip(&mut outline.entries) {
            read.settle(view, &corpus);
        }
        for (words, doc) in docs.into_iter().zip(&mut outline.docs) {
            doc.bags = words.into_iter().map(|words| corpus.bag(words)).collect();
        }
        let entries = &outline.entries;
        outline
            .docs
            .retain(|doc| !is_personal_skill(doc) || on_topic(&corpus, doc, entries));
        Self {
            outline,
            corpus,
            relations: OnceLock::new(),
        }
    }
}

/// In a record's file of several items nothing but the items is a claim.
fn without_frames(store: &Store, entries: &mut [View]) {
    // Items stand by entry and line.
    for placed in store.items().iter().rev() {
        if placed.item.form == memory::items::Form::Heading
            && let Some(view) = entries.get_mut(placed.entry.index())
        {
            view.begin_with(placed.item.line);
        }
    }
}

fn archive(store: &Store) -> Vec<Archived> {
    store
        .read_archive()
        .iter()
        .map(|entry| Archived {
            file: entry.file().to_owned(),
            kind: entry.kind().map(memory::Kind::name),
            archived: entry.field("archived").and_then(crate::view::day),
            reason: entry.field("archive_reason").map(str::to_owned),
        })
        .collect()
}

/// The parts of a sentence between commas, if there are several.
fn clauses(corpus: &Corpus, text: &str) -> Vec<Bag> {
    if !text.contains([',', ';', '，', '；', '、']) {
        return Vec::new();
    }
    text.split([',', ';', '，', '；', '、'])
        .map(|clause| corpus.bag(corpus.known(clause)))
        .filter(|bag| bag.words.len() > 1)
        .collect()
}

/// First line after a frontmatter, from 1.
fn body_line(lines: &[String]) -> usize {
    if lines.first().is_none_or(|line| line.trim() != "---") {
        return 1;
    }
    lines
        .iter()
        .skip(1)
        .position(|line| line.trim() == "---")
        .map_or(1, |end| end + 3)
}

/// A person's own skills are of every topic; those of the project count anyway.
fn is_personal_skill(doc: &Doc) -> bool {
    doc.source.kind == SourceKind::Skill && doc.source.path.starts_with("~/")
}

/// Whether a skill is about what some entry is about.
fn on_topic(corpus: &Corpus, doc: &Doc, entries: &[View]) -> bool {
    const ENOUGH: f32 = 0.2;
    let whole = corpus.union(&doc.bags);
    entries
        .iter()
        .any(|entry| corpus.coverage(&entry.head, &whole) >= ENOUGH)
}
