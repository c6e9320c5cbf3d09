//! What documents say of an entry: that it is done, or that it is otherwise.

use super::{Bench, Found};
use crate::corpus::{Bag, Corpus, WordId};
use crate::cues::{Cue, Cues};
use crate::evidence::Evidence;
use crate::prose::{Part, Statement};
use crate::quantity;
use crate::quick::QuickMap;
use crate::relations::over;
use crate::scan::Doc;
use crate::sources::SourceKind;
use crate::verdict::{Confidence, Verdict};
use crate::view::{self, View};
use chrono::NaiveDate;
use memory::Kind;

/// Words that a line must have in common with a statement to be about the same.
const COMMON: usize = 3;
/// How much of an entry's statement the line must say, its numbers apart.
const SAID: f32 = 0.75;
/// And how much of the line the statement.
const OF_LINE: f32 = 0.5;

impl Bench<'_> {
    /// A project about a number that a document says is done, though it tells of no trouble.
    pub(super) fn number_done(&self, at: usize, found: &mut Found) {
        let view = self.view(at);
        let goes_on = || {
            view.statements.iter().any(|said| {
                let ahead = view::days(&said.folded).iter().any(|day| *day > self.today);
                ahead || said.says(Cue::Plans) || said.says(Cue::Ahead) || said.says(Cue::Ended)
            })
        };
        if view.kind != Some(Kind::Project) || self.status(at).is_some() || view.numbers.is_empty()
        {
            return;
        }
        let Some((done, day)) = self.closed_number(view) else {
            return;
        };
        let sure = !goes_on() && !self.knows_the_end(view, day);
        let candidate = self.candidate(
            Verdict::Resolved,
            if sure {
                Confidence::Med
            } else {
                Confidence::Low
            },
            std::iter::once(done).chain(view.first()).collect(),
            "a document says that this number is done",
            None,
        );
        if sure {
            found.add(candidate);
        } else {
            found.perhaps(candidate);
        }
    }

    /// A document that says the same with another number.
    pub(super) fn told_otherwise(&self, at: usize, found: &mut Found) {
        let view = self.view(at);
        if view.gate
            || !matches!(view.kind, Some(Kind::Reference | Kind::Decision) | None)
            || self.alive(at).is_some()
        {
            return;
        }
        let corpus = &self.scan.corpus;
        let mut best: Option<(f32, &Statement, &Doc, &Statement)> = None;
        for (said, bag) in view.head() {
            let mine = view.quantities(said);
            if said.part == Part::Heading || mine.is_empty() {
                continue;
            }
            for doc in &self.scan.docs {
                for (line, whole) in doc.statements.iter().zip(&doc.bags) {
                    let theirs = doc.quantities(line);
                    if theirs.is_empty()
                        || !quantity::conflict(mine, theirs)
                        || line.says(Cue::NotYet)
                    {
                        continue;
                    }
                    let share = about(corpus, bag, whole);
                    if share > best.map_or(0.0, |(most, ..)| most) {
                        best = Some((share, said, doc, line));
                    }
                }
            }
        }
        let Some((_, said, doc, line)) = best else {
            return;
        };
        let candidate = self.candidate(
            Verdict::Outdated,
            Confidence::Med,
            vec![doc.evidence(line), view.evidence(said)],
            "a document says the same with another number",
            None,
        );
        found.add(candidate);
    }

    /// A line of a change log or status that names one of the entry's own numbers as done, and the
    /// day that was, as far as it is told there.
    pub(super) fn closed_number(&self, view: &View) -> Option<(Evidence, Option<NaiveDate>)> {
        let head_lines: Vec<usize> = view.statements[..view.head_len]
            .iter()
            .map(|s| s.line)
            .collect();
        let own: Vec<u64> = view
            .numbers
            .iter()
            .filter(|(_, line)| head_lines.contains(line))
            .map(|(number, _)| *number)
            .collect();
        let closed = self.closed.get_or_init(|| closed_numbers(&self.scan.docs));
        let done = own.iter().filter_map(|number| closed.get(number)).min()?;
        let doc = &self.scan.docs[done.doc];
        let line = Evidence::of(&doc.source.path, done.line + 1, &doc.lines[done.line]);
        Some((line, done.day))
    }

    /// Whether an entry was written when what it tells of was done already, so that it is no word of
    /// the trouble.
    pub(super) fn knows_the_end(&self, view: &View, done: Option<NaiveDate>) -> bool {
        let told = view
            .statements
            .iter()
            .flat_map(|said| view::days(&said.folded))
            .filter(|day| *day <= self.today)
            .max()
            .or(view.written);
        let over = || {
            let head = view.statements[..view.head_len].iter();
            head.into_iter().any(over::says_over)
        };
        done.zip(told).is_some_and(|(done, told)| told > done) && over()
    }

    /// A line of a document that gives the thing of a title, by its number or letter, a later day
    /// than the entry does.
    pub(super) fn renewed(&self, view: &View, day: NaiveDate) -> Option<Evidence> {
        let corpus = &self.scan.corpus;
        let labels = over::title_labels(corpus, view);
        if labels.is_empty() {
            return None;
        }
        let named = |line: &str| {
            let mut words = line.split(|c: char| !c.is_alphanumeric());
            words.any(|word| labels.iter().any(|label| label.eq_ignore_ascii_case(word)))
        };
        for doc in self.scan.docs.iter().filter(|doc| !doc.source.kind.binds()) {
            // What the file is about is told by its headings and the first row of its table.
            let about = || {
                let heads = doc.statements.iter().zip(&doc.bags).filter(|(said, _)| {
                    said.part == Part::Heading
                        || said.part == Part::Row && view::last_day(&said.folded).is_none()
                });
                heads.into_iter().any(|(_, bag)| {
                    let mut words = bag.words.iter().filter(|word| corpus.is_thing(**word));
                    words.any(|word| corpus.holds(&view.head, *word) > 0.0)
                })
            };
            let line = doc.lines.iter().position(|line| {
                named(line) && view::last_day(&line.to_lowercase()).is_some_and(|until| until > day)
            });
            if let Some(at) = line.filter(|_| about()) {
                return Some(Evidence::of(&doc.source.path, at + 1, &doc.lines[at]));
            }
        }
        None
    }

    /// A line of a document that is about the same and says it is over.
    pub(super) fn said_over(&self, at: usize) -> Option<Evidence> {
        let view = self.view(at);
        let corpus = &self.scan.corpus;
        let over = self.over.get_or_init(|| {
            let docs = self.scan.docs.iter();
            docs.filter(|doc| !doc.source.kind.binds())
                .flat_map(|doc| {
                    let all = doc.statements.iter().zip(&doc.bags);
                    all.map(move |(statement, bag)| (doc, statement, bag))
                })
                .filter(|(_, said, _)| said.says(Cue::Ended) && !said.says(Cue::NotYet))
                .collect()
        });
        let mut best: Option<(f32, &Doc, &Statement)> = None;
        for (doc, statement, bag) in over {
            let score = corpus.coverage(bag, &view.head);
            if score > 0.4 && best.is_none_or(|(most, ..)| score > most) {
                best = Some((score, doc, statement));
            }
        }
        best.map(|(_, doc, statement)| doc.evidence(statement))
    }
}

/// How much of a statement a line says, the numbers apart; 0 where they are about other things.
fn about(corpus: &Corpus, said: &Bag, line: &Bag) -> f32 {
    let telling = |word: &&WordId| !corpus.is_number(**word);
    let share = |part: &Bag, whole: &Bag| -> (f32, usize) {
        let (mut held, mut all, mut count) = (0.0, 0.0, 0);
        for word in part.words.iter().filter(telling) {
            let there = corpus.holds(whole, *word);
            held += corpus.weight(*word) * there;
            all += corpus.weight(*word);
            count += usize::from(there > 0.0);
        }
        (held / f32::max(all, f32::EPSILON), count)
    };
    let ((mine, common), (theirs, _)) = (share(said, line), share(line, said));
    if common >= COMMON && mine >= SAID && theirs >= OF_LINE {
        mine + theirs
    } else {
        0.0
    }
}

/// Where a document says that a number is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Done {
    doc: usize,
    /// From 0.
    line: usize,
    /// The day that its heading tells.
    day: Option<NaiveDate>,
}

/// The first line of the documents that says a number is done, by number.
pub(super) fn closed_numbers(docs: &[Doc]) -> QuickMap<u64, Done> {
    let mut out = QuickMap::default();
    for (doc, read) in docs.iter().enumerate() {
        let kind = read.source.kind;
        if kind.binds() {
            continue;
        }
        let named = kind == SourceKind::Document && is_log(read);
        // The depth of the heading of a version, if the line stands below one.
        let (mut version, mut open, mut day) = (None, false, None);
        for (line, text) in read.lines.iter().enumerate() {
            if text.starts_with('#') {
                let folded = text.to_lowercase();
                let depth = text.bytes().take_while(|b| *b == b'#').count();
                if version.is_none_or(|version| depth <= version) {
                    day = view::days(&folded).into_iter().max();
                    version = is_version(&folded).then_some(depth);
                }
                open = is_open(&folded);
            }
            let numbers = view::line_numbers(text);
            if numbers.is_empty() || open {
                continue;
            }
            let said = Cues::of(&text.to_lowercase());
            if said.has(Cue::NotYet) {
                continue;
            }
            let logged = named || kind == SourceKind::Document && version.is_some();
            if said.has(Cue::Ended) || logged && !said.has(Cue::Trouble) {
                for number in numbers {
                    out.entry(number).or_insert(Done { doc, line, day });
                }
            }
        }
    }
    out
}

/// Whether what stands below a heading is not done.
fn is_open(heading: &str) -> bool {
    const OPEN: [&str; 9] = [
        "known",
        "issues",
        "todo",
        "backlog",
        "bekannt",
        "알려진",
        "남은",
        "已知",
        "遗留",
    ];
    let said = Cues::of(heading);
    OPEN.iter().any(|word| heading.contains(word))
        || [Cue::Running, Cue::NotYet, Cue::Trouble, Cue::Ahead]
            .iter()
            .any(|cue| said.has(*cue))
}

/// Whether a heading is that of a version: one of its words is a number with a point.
fn is_version(heading: &str) -> bool {
    heading.split_whitespace().any(|word| {
        let number = word
            .trim_start_matches(['v', '['])
            .trim_end_matches([']', ':']);
        number.contains('.')
            && number.starts_with(|c: char| c.is_ascii_digit())
            && number.bytes().all(|b| b.is_ascii_digit() || b == b'.')
            && view::days(number).is_empty()
    })
}

/// A change log by its name or its title.
fn is_log(doc: &Doc) -> bool {
    const NAMES: [&str; 16] = [
        "CHANGELOG",
        "CHANGES",
        "HISTORY",
        "NEWS",
        "RELEASES",
        "RELEASE NOTES",
        "ÄNDERUNGEN",
        "AENDERUNGEN",
        "NEUERUNGEN",
        "VERSIONEN",
        "변경",
        "릴리스",
        "릴리즈",
        "更新",
        "变更",
        "版本",
    ];
    let path = &doc.source.path;
    let name = path.rsplit('/').next().unwrap_or(path).to_uppercase();
    let title = doc.lines.iter().find_map(|line| line.strip_prefix("# "));
    let title = title.unwrap_or_default().trim().to_uppercase();
    NAMES
        .iter()
        .any(|start| name.starts_with(start) || title.starts_with(start))
}
