//! Everything at hand, read once: entries, their sources, the archive.

use crate::corpus::{Bag, Corpus};
use crate::prose::{self, Statement};
use crate::relations::Relations;
use crate::sources::{Places, Source, SourceKind, Sources};
use crate::view::View;
use chrono::{DateTime, Local, NaiveDate};
use memory::{Store, parallel};
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

/// A store with everything that its claims are held against.
#[derive(Debug)]
pub struct Scan {
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
    pub(crate) corpus: Corpus,
    relations: OnceLock<Relations>,
}

/// Fewer entries than this are cut into statements at once.
const MANY: usize = 32;

impl Scan {
    /// How the entries belong together; worked out when first asked for.
    pub fn relations(&self) -> &Relations {
        self.relations
            .get_or_init(|| Relations::find(&self.store, &self.entries, &self.corpus))
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

    /// Reads everything.
    pub fn of(store: Store, places: &Places, now: DateTime<Local>) -> Self {
        let sources = Sources::read(places);
        let mut corpus = Corpus::default();
        let all: Vec<_> = store.with_ids().collect();
        let drafts = parallel::map(&all, MANY, |(id, entry)| View::draft(*id, entry));
        let drafts: Vec<_> = drafts
            .into_iter()
            .map(|draft| draft.read(&mut corpus))
            .collect();
        let read: Vec<_> = sources
            .all
            .into_iter()
            .map(|source| {
                let lines: Vec<String> = memory::lines::lines(&source.text)
                    .map(|line| line.text.to_owned())
                    .collect();
                let first = body_line(&lines);
                let statements = prose::statements(
                    lines
                        .iter()
                        .enumerate()
                        .map(|(at, line)| (at + 1, line.as_str()))
                        .filter(|(number, _)| *number >= first),
                );
                let words: Vec<_> = statements
                    .iter()
                    .map(|s| corpus.read(&lines[s.line - 1][s.range.clone()]))
                    .collect();
                (source, lines, statements, words)
            })
            .collect();
        corpus.settle();
        let entries: Vec<View> = drafts
            .into_iter()
            .map(|draft| draft.settle(&corpus))
            .collect();
        let mut docs: Vec<Doc> = read
            .into_iter()
            .map(|(source, lines, statements, words)| Doc {
                clauses: OnceLock::new(),
                source,
                lines,
                statements,
                bags: words.into_iter().map(|words| corpus.bag(words)).collect(),
            })
            .collect();
        docs.retain(|doc| doc.source.kind != SourceKind::Skill || on_topic(&corpus, doc, &entries));
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
            corpus,
            relations: OnceLock::new(),
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

/// Whether a skill is about what some entry is about. A person's own skills are of every topic;
/// those of the project count anyway.
fn on_topic(corpus: &Corpus, doc: &Doc, entries: &[View]) -> bool {
    const ENOUGH: f32 = 0.2;
    if !doc.source.path.starts_with("~/") {
        return true;
    }
    let whole = corpus.union(&doc.bags);
    entries
        .iter()
        .any(|entry| corpus.coverage(&entry.head, &whole) >= ENOUGH)
}
