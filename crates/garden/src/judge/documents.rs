//! What documents say of an entry: that it is done, or that it is otherwise.

use super::{Bench, Found};
use crate::corpus::{Bag, Corpus, WordId};
use crate::cues::{Cue, Cues};
use crate::evidence::Evidence;
use crate::prose::{Part, Statement};
use crate::quantity;
use crate::quick::QuickMap;
use crate::scan::Doc;
use crate::sources::SourceKind;
use crate::verdict::{Confidence, Verdict};
use crate::view::{self, View};
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
        let Some(done) = self.closed_number(view) else {
            return;
        };
        let sure = !goes_on();
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

    /// A line of a change log or status that names one of the entry's own numbers as done.
    pub(super) fn closed_number(&self, view: &View) -> Option<Evidence> {
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
        let (doc, line) = own.iter().filter_map(|number| closed.get(number)).min()?;
        let doc = &self.scan.docs[*doc];
        Some(Evidence::of(&doc.source.path, line + 1, &doc.lines[*line]))
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

/// The first line of the documents that says a number is done, by number.
pub(super) fn closed_numbers(docs: &[Doc]) -> QuickMap<u64, (usize, usize)> {
    let mut out = QuickMap::default();
    for (at, doc) in docs.iter().enumerate() {
        let kind = doc.source.kind;
        if kind.binds() {
            continue;
        }
        let log = kind == SourceKind::Document && is_log(&doc.source.path);
        for (line, text) in doc.lines.iter().enumerate() {
            let numbers = view::line_numbers(text);
            if numbers.is_empty() {
                continue;
            }
            let said = Cues::of(&text.to_lowercase());
            let over = said.has(Cue::Ended) && !said.has(Cue::NotYet);
            if over || (log && !said.has(Cue::Trouble) && !said.has(Cue::NotYet)) {
                for number in numbers {
                    out.entry(number).or_insert((at, line));
                }
            }
        }
    }
    out
}

/// A change log by its name.
fn is_log(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or(path).to_uppercase();
    ["CHANGELOG", "CHANGES", "HISTORY", "NEWS", "RELEASES"]
        .iter()
        .any(|start| name.starts_with(start))
}
