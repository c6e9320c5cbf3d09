//! What a store costs and what is wrong with it: a pure function of the store and the clock.

use crate::budget::{self, Budget, Level};
use crate::code::Code;
use crate::entry::{Declared, Entry, EntryId, Kind, Unread};
use crate::frontmatter::State;
use crate::index::Index;
use crate::limits::Counted;
use crate::lines::lines;
use crate::links::LinkKind;
use crate::store::{Source, Store, StoreKind, Target};
use chrono::{DateTime, NaiveDate, Utc};
use std::collections::{BTreeMap, HashSet};

/// Older than this is STALE, seconds.
pub const STALE_AFTER: i64 = 30 * 86_400;

/// How many of the largest entries are shown.
pub const LARGEST_SHOWN: usize = 5;

/// From more lines of body than this on there is a note, and more than a note.
pub const BODY_LINES: Threshold = Threshold {
    note: 60,
    force: 100,
};

/// The same for the number of entries.
pub const ENTRIES: Threshold = Threshold {
    note: 80,
    force: 100,
};

/// Two limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Threshold {
    /// Above it: a note.
    pub note: usize,
    /// Above it: more than a note.
    pub force: usize,
}

impl Threshold {
    /// Which one is passed.
    pub fn passed(self, value: usize) -> Option<Passed> {
        if value > self.force {
            Some(Passed::Force)
        } else if value > self.note {
            Some(Passed::Note)
        } else {
            None
        }
    }
}

/// Which limit is passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Passed {
    /// The lower.
    Note,
    /// The upper.
    Force,
}

/// What an entry's age goes by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dates {
    /// The file's time.
    #[default]
    Modified,
    /// `modified` or `updated` of the frontmatter where there is one: git keeps no file times.
    Frontmatter,
}

/// What the audit found.
#[derive(Debug, Clone, PartialEq)]
pub struct Audit {
    /// What the entries take.
    pub budget: Budget,
    /// By declared type; `None` for entries without one of the five.
    pub types: Vec<Share>,
    /// As `types`; entries without a type counted by their name's prefix.
    pub types_by_prefix: Vec<Share>,
    /// A record's categories, by name; empty for the client's own memory.
    pub categories: Vec<CategoryShare>,
    /// The largest entries, ties by name.
    pub largest: Vec<EntryId>,
    /// What is wrong, in the order of the report.
    pub issues: Vec<Issue>,
}

/// One type's part.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Share {
    /// The type; `None`: none of the five.
    pub kind: Option<Kind>,
    /// Entries.
    pub count: usize,
    /// Their tokens.
    pub tokens: u64,
}

/// One category's part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CategoryShare {
    /// The category; `None`: entries beside them.
    pub name: Option<String>,
    /// Items.
    pub count: usize,
    /// Their tokens.
    pub tokens: u64,
}

/// What can be wrong with frontmatter and body.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum EntryProblem {
    /// The file begins with a byte order mark.
    Bom,
    /// Lines end with CR LF.
    CrLf,
    /// The first line is not `---`.
    NoFrontmatter,
    /// No second `---`.
    Unclosed,
    /// A YAML parser rejects it; its words.
    InvalidYaml(String),
    /// No `name`.
    MissingName,
    /// No `description`.
    MissingDescription,
    /// No `type`.
    MissingType,
    /// A type that is none of the five.
    UnknownType(String),
    /// Nothing but frontmatter.
    EmptyBody,
    /// More lines than an entry should have.
    LongBody {
        /// Lines after the frontmatter.
        lines: usize,
        /// Which limit.
        passed: Passed,
    },
    /// Bytes that are not UTF-8.
    NotUtf8,
}

/// One thing that is wrong, or worth knowing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Issue {
    /// The sum is at 80 % or above.
    Budget(Level),
    /// The index passes what is loaded at a start.
    IndexOver(IndexOver),
    /// There is no index although there are entries.
    NoIndex,
    /// Something could not be read: the entry, or the index for `None`.
    Unread {
        /// The entry.
        entry: Option<EntryId>,
        /// Why.
        why: Unread,
    },
    /// Text that looks like a secret; the text itself is nowhere in the report.
    Sensitive {
        /// Where.
        source: Source,
        /// Line, from 1.
        line: usize,
        /// What kind of secret.
        kind: &'static str,
    },
    /// Not changed for more than 30 days.
    Stale {
        /// The entry.
        entry: EntryId,
        /// Whole days.
        days: i64,
        /// When it was last changed.
        since: DateTime<Utc>,
    },
    /// No link of the index leads to it.
    Orphan(EntryId),
    /// A link to nothing.
    BrokenLink {
        /// Where.
        source: Source,
        /// Line, from 1.
        line: usize,
        /// How it is written.
        kind: LinkKind,
        /// As written.
        target: String,
        /// An archived file of that name.
        archived_at: Option<String>,
    },
    /// Another entry line already points there.
    IndexedTwice {
        /// The entry.
        entry: EntryId,
        /// The lines, at least two.
        lines: Vec<usize>,
    },
    /// A suffix that is not the entry's real count.
    WrongSuffix {
        /// The entry.
        entry: EntryId,
        /// Line of the index.
        line: usize,
        /// What it says.
        annotated: u64,
    },
    /// An entry line without a suffix.
    MissingSuffix {
        /// The entry.
        entry: EntryId,
        /// Line of the index.
        line: usize,
    },
    /// The budget comment is not the real sum, limit and share.
    WrongBudgetComment {
        /// Line of the index.
        line: usize,
        /// What it says of the sum.
        said: u64,
        /// What it says of the limit.
        limit: Option<u64>,
        /// What it says of the share, percent.
        percent: Option<u64>,
    },
    /// A heading of the index without an entry line.
    EmptySection {
        /// Line.
        line: usize,
        /// Its words.
        heading: String,
    },
    /// The file's name begins with another type than the declared one.
    TypeUnlikeName {
        /// The entry.
        entry: EntryId,
        /// The name's.
        by_name: Kind,
        /// The declared.
        declared: Kind,
    },
    /// Several entries of one frontmatter name.
    DuplicateName {
        /// The name.
        name: String,
        /// The entries, at least two.
        entries: Vec<EntryId>,
    },
    /// Several items of a record with one code.
    DuplicateCode {
        /// The code.
        code: Code,
        /// Their files, at least two.
        entries: Vec<EntryId>,
    },
    /// Something about one entry's form.
    Entry {
        /// The entry.
        entry: EntryId,
        /// What.
        problem: EntryProblem,
    },
    /// More entries than can be kept in view.
    ManyEntries {
        /// How many.
        count: usize,
        /// Which limit.
        passed: Passed,
    },
    /// A type without entries; not every type needs one.
    NoEntries(Kind),
}

/// By how much the index is too long, and what that costs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct IndexOver {
    /// What of it counts.
    pub counted: Counted,
    /// Entries whose line lies at or behind the first one that is not loaded, and nowhere before it.
    pub falls_off: Vec<EntryId>,
}

impl Issue {
    /// Whether it only informs: it never changes an exit code.
    pub fn is_information(&self) -> bool {
        matches!(
            self,
            Self::NoEntries(_)
                | Self::MissingSuffix { .. }
                | Self::Entry {
                    problem: EntryProblem::Bom | EntryProblem::CrLf,
                    ..
                }
        )
    }
}

impl Audit {
    /// Issues that ask for something to be done.
    pub fn findings(&self) -> impl Iterator<Item = &Issue> {
        self.issues.iter().filter(|issue| !issue.is_information())
    }
}

/// Looks at everything.
pub fn audit(store: &Store, now: DateTime<Utc>, dates: Dates) -> Audit {
    let budget = Budget {
        tokens: store.entries().iter().map(Entry::tokens).sum(),
        index_tokens: store.index().map_or(0, Index::tokens),
        bytes: store.entries().iter().map(Entry::size).sum(),
    };
    let types = shares(store, Entry::kind);
    let types_by_prefix = shares(store, |entry| entry.kind().or_else(|| entry.kind_by_name()));
    let mut largest: Vec<EntryId> = store.with_ids().map(|(id, _)| id).collect();
    largest.sort_by_key(|id| std::cmp::Reverse(store.entry(*id).size()));
    largest.truncate(LARGEST_SHOWN);

    let mut issues = Vec::new();
    if budget.level() != Level::Within {
        issues.push(Issue::Budget(budget.level()));
    }
    of_index(store, &budget, &mut issues);
    unread(store, &mut issues);
    sensitive(store, &mut issues);
    broken(store, &mut issues);
    orphans(store, &mut issues);
    stale(store, now, dates, &mut issues);
    index_lines(store, &mut issues);
    for (id, entry) in store.with_ids() {
        form(store.kind(), id, entry, &mut issues);
    }
    duplicate_names(store, &mut issues);
    duplicate_codes(store, &mut issues);
    // A record's items have categories in place of types, and are read only when needed.
    if store.kind() == StoreKind::Auto {
        if let Some(passed) = ENTRIES.passed(store.entries().len()) {
            issues.push(Issue::ManyEntries {
                count: store.entries().len(),
                passed,
            });
        }
        issues.extend(
            types
                .iter()
                .filter(|share| share.count == 0)
                .filter_map(|share| share.kind)
                .map(Issue::NoEntries),
        );
    }
    Audit {
        budget,
        categories: categories(store),
        types,
        types_by_prefix,
        largest,
        issues,
    }
}

fn shares(store: &Store, kind_of: impl Fn(&Entry) -> Option<Kind>) -> Vec<Share> {
    let mut shares: Vec<Share> = Kind::ALL
        .into_iter()
        .map(Some)
        .chain([None])
        .map(|kind| Share {
            kind,
            count: 0,
            tokens: 0,
        })
        .collect();
    for entry in store.entries() {
        let kind = kind_of(entry);
        if let Some(share) = shares.iter_mut().find(|share| share.kind == kind) {
            share.count += 1;
            share.tokens += entry.tokens();
        }
    }
    shares
}

fn of_index(store: &Store, budget: &Budget, issues: &mut Vec<Issue>) {
    let Some(index) = store.index() else {
        if let Some(why) = store.index_unread() {
            issues.push(Issue::Unread {
                entry: None,
                why: why.clone(),
            });
        } else if !store.entries().is_empty() {
            issues.push(Issue::NoIndex);
        }
        return;
    };
    let counted = Counted::of(store.kind(), index.text());
    if counted.is_over() {
        let loaded = |line: usize| counted.cut_line.is_none_or(|cut| line < cut);
        let (kept, lost): (Vec<_>, Vec<_>) = store
            .index_links()
            .iter()
            .filter_map(|link| match link.target {
                Target::Entry(id) => Some((id, link.line)),
                _ => None,
            })
            .partition(|(_, line)| loaded(*line));
        let kept: HashSet<EntryId> = kept.into_iter().map(|(id, _)| id).collect();
        let mut falls_off: Vec<EntryId> = lost
            .into_iter()
            .map(|(id, _)| id)
            .filter(|id| !kept.contains(id))
            .collect();
        falls_off.sort_unstable();
        falls_off.dedup();
        issues.push(Issue::IndexOver(IndexOver { counted, falls_off }));
    }
    if let Some(comment) = index.budget().filter(|comment| !budget.is_said_by(comment)) {
        issues.push(Issue::WrongBudgetComment {
            line: comment.line,
            said: comment.tokens,
            limit: comment.limit,
            percent: comment.percent,
        });
    }
}

fn unread(store: &Store, issues: &mut Vec<Issue>) {
    for (id, entry) in store.with_ids() {
        if let Some(why) = entry.why_unread() {
            issues.push(Issue::Unread {
                entry: Some(id),
                why: why.clone(),
            });
        }
    }
}

fn sensitive(store: &Store, issues: &mut Vec<Issue>) {
    let index = store.index().map(|index| (Source::Index, index.text()));
    let entries = store
        .with_ids()
        .map(|(id, entry)| (Source::Entry(id), entry.text()));
    let pages = store
        .pages()
        .iter()
        .enumerate()
        .map(|(at, page)| (Source::Page(at), page.text()));
    let texts: Vec<_> = index.into_iter().chain(entries).chain(pages).collect();
    let found = crate::parallel::map(&texts, MANY_TEXTS, |(source, text)| {
        secrets(text)
            .map(|(line, kind)| Issue::Sensitive {
                source: *source,
                line,
                kind,
            })
            .collect::<Vec<_>>()
    });
    issues.extend(found.into_iter().flatten());
}

/// From this many texts on a second thread is worth its start.
const MANY_TEXTS: usize = 200;

/// Lines and kinds of what looks like a secret in a text.
pub fn secrets(text: &str) -> impl Iterator<Item = (usize, &'static str)> + use<'_> {
    let mut at = 0;
    let mut line = 1;
    redact::secrets_in(text).into_iter().map(move |secret| {
        line += memchr::memchr_iter(b'\n', &text.as_bytes()[at..secret.range.start]).count();
        at = secret.range.start;
        (line, secret.kind)
    })
}

/// The line and kind of a secret that a text holds and an earlier one did not: harmless pieces can make
/// one together.
pub fn secret_made(before: &str, after: &str) -> Option<(usize, &'static str)> {
    let texts = |text: &str| -> HashSet<String> {
        let found = redact::secrets_in(text).into_iter();
        found
            .map(|secret| text.get(secret.range).unwrap_or_default().to_owned())
            .collect()
    };
    let known = texts(before);
    let found = redact::secrets_in(after);
    let new = found.iter().position(|secret| {
        let secret = after.get(secret.range.clone()).unwrap_or_default();
        !known.contains(secret)
    })?;
    secrets(after).nth(new)
}

fn broken(store: &Store, issues: &mut Vec<Issue>) {
    for link in store.links() {
        if let Target::Missing { archived_at } = &link.target {
            issues.push(Issue::BrokenLink {
                source: link.source,
                line: link.line,
                kind: link.kind,
                target: link.shown().to_owned(),
                archived_at: archived_at.clone().filter(|_| !link.hidden),
            });
        }
    }
}

fn orphans(store: &Store, issues: &mut Vec<Issue>) {
    if store.index().is_none() {
        return;
    }
    let mut indexed = vec![false; store.entries().len()];
    for link in store.links() {
        if let (Source::Index, Target::Entry(id)) = (link.source, &link.target) {
            indexed[id.index()] = true;
        }
    }
    // A category's list leads on to its items, where MEMORY.md leads to the list or its folder.
    let reached: HashSet<usize> = store
        .pages()
        .iter()
        .enumerate()
        .filter(|(_, page)| {
            let folder = page.file().trim_end_matches(page.file_name());
            store
                .index()
                .into_iter()
                .flat_map(Index::links)
                .map(|link| link.path.trim_start_matches("./"))
                .any(|path| {
                    path == page.file() || path == folder || path == folder.trim_end_matches('/')
                })
        })
        .map(|(at, _)| at)
        .collect();
    for link in store.links() {
        if let (Source::Page(page), Target::Entry(id)) = (link.source, &link.target)
            && reached.contains(&page)
        {
            indexed[id.index()] = true;
        }
    }
    issues.extend(
        store
            .with_ids()
            .filter(|(id, _)| !indexed[id.index()])
            .map(|(id, _)| Issue::Orphan(id)),
    );
}

fn stale(store: &Store, now: DateTime<Utc>, dates: Dates, issues: &mut Vec<Issue>) {
    for (id, entry) in store.with_ids() {
        let Some(since) = changed(entry, dates) else {
            continue;
        };
        let age = now.signed_duration_since(since);
        if age.num_seconds() > STALE_AFTER {
            issues.push(Issue::Stale {
                entry: id,
                days: age.num_days(),
                since,
            });
        }
    }
}

/// When an entry was last changed.
pub fn changed(entry: &Entry, dates: Dates) -> Option<DateTime<Utc>> {
    let written = || {
        ["modified", "updated"]
            .into_iter()
            .find_map(|key| date(entry.said(key)?))
    };
    match dates {
        Dates::Modified => entry.modified(),
        Dates::Frontmatter => written().or(entry.modified()),
    }
}

/// A date or a time as frontmatter has it.
fn date(text: &str) -> Option<DateTime<Utc>> {
    DateTime::parse_from_rfc3339(text)
        .map(|time| time.to_utc())
        .ok()
        .or_else(|| {
            let day = text.get(..10)?.parse::<NaiveDate>().ok()?;
            Some(day.and_hms_opt(0, 0, 0)?.and_utc())
        })
}

fn index_lines(store: &Store, issues: &mut Vec<Issue>) {
    let Some(index) = store.index() else { return };
    let mut seen: BTreeMap<EntryId, Vec<usize>> = BTreeMap::new();
    let mut suffixes = Vec::new();
    for (line, id) in entry_lines(store, index) {
        seen.entry(id).or_default().push(line.line);
        match &line.suffix {
            Some(suffix) if suffix.tokens != store.entry(id).tokens() => {
                suffixes.push(Issue::WrongSuffix {
                    entry: id,
                    line: line.line,
                    annotated: suffix.tokens,
                });
            }
            Some(_) => {}
            // Nobody counts a record's items in its index.
            None if store.kind() == StoreKind::Record => {}
            None => suffixes.push(Issue::MissingSuffix {
                entry: id,
                line: line.line,
            }),
        }
    }
    issues.extend(
        seen.into_iter()
            .filter(|(_, lines)| lines.len() > 1)
            .map(|(entry, lines)| Issue::IndexedTwice { entry, lines }),
    );
    issues.extend(suffixes);
    let sections = index.empty_sections().filter(|section| {
        // A record's index has tables and words too.
        store.kind() == StoreKind::Auto || says_nothing(index, section)
    });
    issues.extend(sections.map(|section| Issue::EmptySection {
        line: section.line,
        heading: section.heading.clone(),
    }));
}

/// Whether nothing but headings and rules stands below a heading.
fn says_nothing(index: &Index, section: &crate::index::Section) -> bool {
    lines(index.text())
        .filter(|line| line.number > section.line && line.number < section.end_line)
        .all(|line| {
            let said = line.text.trim();
            said.starts_with('#') || said.bytes().all(|byte| byte == b'-')
        })
}

/// The index's lines that lead to an entry, with it.
pub(crate) fn entry_lines<'a>(
    store: &'a Store,
    index: &'a Index,
) -> impl Iterator<Item = (&'a crate::index::EntryLine, EntryId)> {
    let mut links = store.index_links().iter().peekable();
    index.entries().iter().filter_map(move |line| {
        while links.next_if(|link| link.place < line.link).is_some() {}
        let link = links.peek().filter(|link| link.place == line.link)?;
        match link.target {
            Target::Entry(id) => Some((line, id)),
            _ => None,
        }
    })
}

fn categories(store: &Store) -> Vec<CategoryShare> {
    let mut shares: BTreeMap<Option<&str>, (usize, u64)> = BTreeMap::new();
    let names = crate::record::categories(store);
    if store.kind() == StoreKind::Record {
        shares.extend(names.iter().map(|name| (Some(name.as_str()), (0, 0))));
    }
    for item in store.items() {
        let share = shares.entry(item.category.as_deref()).or_default();
        share.0 += 1;
        share.1 += budget::tokens(item.item.range.len() as u64);
    }
    shares
        .into_iter()
        .map(|(name, (count, tokens))| CategoryShare {
            name: name.map(str::to_owned),
            count,
            tokens,
        })
        .collect()
}

fn duplicate_codes(store: &Store, issues: &mut Vec<Issue>) {
    let mut codes: BTreeMap<Code, Vec<EntryId>> = BTreeMap::new();
    for item in store.items() {
        if let Some(code) = item.code {
            codes.entry(code).or_default().push(item.entry);
        }
    }
    issues.extend(
        codes
            .into_iter()
            .filter(|(_, entries)| entries.len() > 1)
            .map(|(code, entries)| Issue::DuplicateCode { code, entries }),
    );
}

fn form(kind: StoreKind, id: EntryId, entry: &Entry, issues: &mut Vec<Issue>) {
    if entry.why_unread().is_some() {
        return;
    }
    let mut tell = |problem| issues.push(Issue::Entry { entry: id, problem });
    if entry.is_damaged() {
        tell(EntryProblem::NotUtf8);
    }
    if entry.has_bom() {
        tell(EntryProblem::Bom);
    }
    if entry.has_crlf() {
        tell(EntryProblem::CrLf);
    }
    // Items say what they are by heading and metadata; frontmatter is for entries beside them.
    let is_item = kind == StoreKind::Record && crate::record::category_of(entry).is_some();
    match entry.frontmatter().state() {
        State::Absent | State::Closed if is_item => {}
        State::Absent => tell(EntryProblem::NoFrontmatter),
        State::Unclosed => tell(EntryProblem::Unclosed),
        State::Closed => {
            if let Err(words) = entry.frontmatter().yaml() {
                tell(EntryProblem::InvalidYaml(words.to_owned()));
            }
            if entry.name().is_none() {
                tell(EntryProblem::MissingName);
            }
            if entry.description().is_none() {
                tell(EntryProblem::MissingDescription);
            }
            match entry.declared() {
                Declared::Known(_) => {}
                Declared::Unknown(word) => tell(EntryProblem::UnknownType(word)),
                Declared::Missing => tell(EntryProblem::MissingType),
            }
        }
    }
    let item = is_item.then(|| crate::items::of_file(entry.text()));
    let is_file = entry.file().matches('/').count() > 1;
    let body = match &item {
        Some(item) if is_file => &entry.text()[item.body.clone()],
        _ => entry.body(),
    };
    if body.trim().is_empty() {
        tell(EntryProblem::EmptyBody);
    } else {
        let count = lines(body).count();
        // A category's file is as long as its items need.
        if let Some(passed) = BODY_LINES
            .passed(count)
            .filter(|_| item.is_none() || is_file)
        {
            tell(EntryProblem::LongBody {
                lines: count,
                passed,
            });
        }
    }
    if let (Some(declared), Some(by_name)) = (entry.kind(), entry.kind_by_name())
        && declared != by_name
    {
        issues.push(Issue::TypeUnlikeName {
            entry: id,
            by_name,
            declared,
        });
    }
}

fn duplicate_names(store: &Store, issues: &mut Vec<Issue>) {
    let mut names: BTreeMap<&str, Vec<EntryId>> = BTreeMap::new();
    for (id, entry) in store.with_ids() {
        if let Some(name) = entry.name() {
            names.entry(name).or_default().push(id);
        }
    }
    issues.extend(
        names
            .into_iter()
            .filter(|(_, entries)| entries.len() > 1)
            .map(|(name, entries)| Issue::DuplicateName {
                name: name.to_owned(),
                entries,
            }),
    );
}

/// The index with the real sum in its budget comment and the real count in every suffix that is
/// wrong or missing; every other byte as it was. `None` without an index that can be edited.
pub fn updated_index(store: &Store, today: NaiveDate) -> Option<String> {
    let index = store.index().filter(|index| index.is_text())?;
    let total: u64 = store.entries().iter().map(Entry::tokens).sum();
    let mut edits = Vec::new();
    for (line, id) in entry_lines(store, index) {
        let real = store.entry(id).tokens();
        if line
            .suffix
            .as_ref()
            .is_none_or(|suffix| suffix.tokens != real)
        {
            edits.push(index.set_suffix(line, real));
        }
    }
    let budget = Budget {
        tokens: total,
        ..Budget::default()
    };
    let as_it_is = index
        .budget()
        .is_some_and(|comment| budget.is_said_by(comment));
    // The date alone is no reason to change the file.
    if !as_it_is {
        edits.push(index.set_budget(total, budget::LIMIT, budget.percent(), today));
    }
    crate::edit::apply(index.text(), edits).ok()
}
