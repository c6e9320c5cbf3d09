//! What one entry says about another by name: links, bare file names, shared issue numbers.

use super::{Relation, RelationKind, over};
use crate::cues::{self, Cue};
use crate::prose::{Part, Statement};
use crate::view::View;
use chrono::Duration;
use memory::{Kind, Source, Store, Target};
use std::collections::{BTreeMap, HashMap};

/// One place where an entry names another.
struct Citation {
    from: usize,
    to: usize,
    line: usize,
    /// Byte of the line.
    at: usize,
}

pub(super) fn find(store: &Store, views: &[View]) -> Vec<Relation> {
    let mut by_pair: BTreeMap<(usize, usize), Vec<Citation>> = BTreeMap::new();
    for citation in links(store, views).into_iter().chain(bare(views)) {
        by_pair
            .entry((citation.from, citation.to))
            .or_default()
            .push(citation);
    }
    let mut out: Vec<Relation> = by_pair
        .values()
        .filter_map(|citations| {
            let (kind, citation, place) = citations
                .iter()
                .filter_map(|citation| judge(views, citation))
                .min_by_key(|(kind, ..)| *kind)?;
            let from = &views[citation.from];
            let evidence = match place {
                Some(place) => from.evidence(&from.statements[place]),
                None => {
                    crate::Evidence::of(&from.path, citation.line, &from.lines[citation.line - 1])
                }
            };
            Some(Relation {
                a: citation.from,
                b: citation.to,
                kind,
                strength: 1.0,
                evidence: vec![evidence],
            })
        })
        .collect();
    out.extend(declared(store, views));
    out.extend(by_number(views));
    out
}

fn links(store: &Store, views: &[View]) -> Vec<Citation> {
    let mut out = Vec::new();
    for link in store.links() {
        let (Source::Entry(from), Target::Entry(to)) = (link.source, &link.target) else {
            continue;
        };
        let entry = store.entry(from);
        let at = entry.links().get(link.place).map_or(0, |written| {
            let before = &entry.text().as_bytes()[..written.range.start];
            match before.iter().rposition(|b| *b == b'\n') {
                Some(end) => before.len() - end - 1,
                None => entry
                    .lines()
                    .next()
                    .map_or(0, |line| before.len() - line.start),
            }
        });
        if from != *to && views.len() > from.index().max(to.index()) {
            out.push(Citation {
                from: from.index(),
                to: to.index(),
                line: link.line,
                at,
            });
        }
    }
    out
}

/// The shortest file name that is one wherever it stands.
const SHORTEST: usize = 8;

/// File names and stems in running text, without a link.
fn bare(views: &[View]) -> Vec<Citation> {
    let stems: HashMap<String, usize> = views
        .iter()
        .enumerate()
        .map(|(at, view)| (stem(&view.file).to_lowercase(), at))
        .filter(|(stem, _)| stem.len() >= SHORTEST && stem.contains(['-', '_']))
        .collect();
    let mut out = Vec::new();
    let in_a_name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
    for (from, view) in views.iter().enumerate() {
        for statement in &view.statements {
            let text = view.text(statement);
            // Letters of other scripts end a name; they are no ASCII byte, nor is a part of them.
            for run in text.as_bytes().split(|b| !in_a_name(*b)) {
                if run.len() < SHORTEST || !run.iter().any(|b| matches!(b, b'-' | b'_')) {
                    continue;
                }
                let place = run.as_ptr() as usize - text.as_ptr() as usize;
                let run = &text[place..place + run.len()];
                let name = stem(run.trim_end_matches('.')).to_lowercase();
                if let Some(to) = stems.get(&name)
                    && *to != from
                {
                    out.push(Citation {
                        from,
                        to: *to,
                        line: statement.line,
                        at: statement.range.start + place,
                    });
                }
            }
        }
    }
    out
}

fn stem(file: &str) -> &str {
    let name = file.rsplit('/').next().unwrap_or(file);
    name.strip_suffix(".md").unwrap_or(name)
}

/// `supersedes:` and `superseded_by:` in the frontmatter.
fn declared(store: &Store, views: &[View]) -> Vec<Relation> {
    let mut out = Vec::new();
    for (from, view) in views.iter().enumerate() {
        let entry = store.entry(view.id);
        for (key, follows) in [("supersedes", true), ("superseded_by", false)] {
            for name in entry.frontmatter().list(key) {
                let name = name.trim_matches(['[', ']', '"', '\'', ' ']);
                let Some(to) = store.find(name).map(memory::EntryId::index) else {
                    continue;
                };
                let line = entry.frontmatter().field(key).map_or(1, |field| field.line);
                let (a, b) = if follows { (from, to) } else { (to, from) };
                if a != b {
                    out.push(Relation {
                        a,
                        b,
                        kind: RelationKind::Succession,
                        strength: 1.0,
                        evidence: vec![crate::Evidence::of(
                            &view.path,
                            line,
                            &view.lines[line - 1],
                        )],
                    });
                }
            }
        }
    }
    out
}

/// What a citation makes of two entries, and the statement that it stands in.
fn judge<'a>(
    views: &[View],
    citation: &'a Citation,
) -> Option<(RelationKind, &'a Citation, Option<usize>)> {
    let (from, to) = (&views[citation.from], &views[citation.to]);
    let place = from.statement_at(citation.line, citation.at);
    if place.is_none() && from.lines.len() < citation.line {
        return None;
    }
    let kind = match place {
        Some(place) if follows(from, to, &from.statements[place], place, citation) => {
            RelationKind::Succession
        }
        _ => RelationKind::Reference,
    };
    Some((kind, citation, place))
}

/// Whether the sentence around a citation says that its entry follows the cited one.
fn follows(
    from: &View,
    to: &View,
    statement: &Statement,
    place: usize,
    citation: &Citation,
) -> bool {
    // A way into a domain lists what there is.
    if from.gate || !newer(from, to) {
        return false;
    }
    let replaces = statement.says(Cue::Replaces);
    let ended = statement.says(Cue::Ended) && !statement.says(Cue::NotYet);
    let goes_on = statement.says(Cue::Follows);
    let said = match (from.kind, to.kind) {
        (Some(a), Some(b)) if a == b => match a {
            Kind::Feedback => replaces,
            _ => replaces || ended || goes_on,
        },
        (Some(Kind::Project | Kind::Decision), Some(Kind::Project | Kind::Decision)) => {
            replaces || ended || goes_on
        }
        (Some(Kind::Feedback | Kind::User), _) | (_, Some(Kind::Feedback | Kind::User)) => false,
        _ => replaces || ended,
    };
    if said && !label(from, statement, citation) && (replaces || !statement.says(Cue::Pointer)) {
        return true;
    }
    if from.kind != to.kind || from.kind == Some(Kind::Feedback) || label(from, statement, citation)
    {
        return false;
    }
    // A decision that says it replaces another and names one only.
    if from.kind == Some(Kind::Decision)
        && from
            .statements
            .iter()
            .any(|other| other.says(Cue::Replaces))
        && !statement.says(Cue::Pointer)
        && alike_names(from, to)
    {
        return true;
    }
    // It begins with the older one of the same name.
    let first = from
        .statements
        .iter()
        .position(|other| !matches!(other.part, Part::Head | Part::Heading));
    first == Some(place)
        && alike_names(from, to)
        && from.written > to.written
        && !statement.says(Cue::Pointer)
        && !statement.says(Cue::Ahead)
}

/// `label: [[link]]` and nothing more.
fn label(from: &View, statement: &Statement, citation: &Citation) -> bool {
    let line = &from.lines[citation.line - 1];
    let before = &line[statement.range.start
        ..citation
            .at
            .clamp(statement.range.start, statement.range.end)];
    let labelled = before.trim_end().ends_with([':', '：']);
    labelled && !cues::says(&before.to_lowercase(), Cue::Replaces)
}

/// The files' names share a word after the type.
pub(super) fn alike_names(a: &View, b: &View) -> bool {
    a.subject
        .iter()
        .any(|word| word.chars().count() > 1 && b.subject.contains(word))
}

/// `a` was not written before `b`, as far as one can tell.
fn newer(a: &View, b: &View) -> bool {
    match (a.written, b.written) {
        (Some(a), Some(b)) => a + Duration::days(1) >= b,
        _ => true,
    }
}

/// Entries that name one issue or pull request, where few do.
fn by_number(views: &[View]) -> Vec<Relation> {
    const FEW: usize = 4;
    let mut holders: BTreeMap<u64, Vec<(usize, usize)>> = BTreeMap::new();
    for (at, view) in views.iter().enumerate() {
        for (number, line) in &view.numbers {
            let holders = holders.entry(*number).or_default();
            if holders.last().is_none_or(|(last, _)| *last != at) {
                holders.push((at, *line));
            }
        }
    }
    let mut out = Vec::new();
    for holders in holders.values().filter(|h| (2..=FEW).contains(&h.len())) {
        for (at, first) in holders.iter().enumerate() {
            for second in &holders[at + 1..] {
                out.extend(of_number(views, *first, *second));
            }
        }
    }
    out
}

fn of_number(views: &[View], x: (usize, usize), y: (usize, usize)) -> Option<Relation> {
    let (a, b) = if (views[x.0].written, x.0) >= (views[y.0].written, y.0) {
        (x, y)
    } else {
        (y, x)
    };
    let (from, to) = (&views[a.0], &views[b.0]);
    let (citing, cited) = (from.statement_on(a.1)?, to.statement_on(b.1)?);
    // The number must be the cited one's own: it stands in its head.
    if cited > to.head_len {
        return (citing <= from.head_len).then(|| Relation {
            a: b.0,
            b: a.0,
            kind: RelationKind::Reference,
            strength: 0.8,
            evidence: vec![
                to.evidence(&to.statements[cited]),
                from.evidence(&from.statements[citing]),
            ],
        });
    }
    let statement = &from.statements[citing];
    let work = |view: &View| {
        matches!(
            view.kind,
            Some(Kind::Project | Kind::Decision | Kind::Reference)
        )
    };
    let troubled = to.statements[..to.head_len].iter().any(over::says_trouble);
    let goes_on = [
        Cue::Follows,
        Cue::Ended,
        Cue::After,
        Cue::Replaces,
        Cue::Past,
    ]
    .iter()
    .any(|cue| statement.says(*cue))
        || troubled && over::says_over(statement);
    let kind = if work(from)
        && work(to)
        && !from.gate
        && !to.gate
        && goes_on
        && citing <= from.head_len
        && from.written > to.written
    {
        RelationKind::Succession
    } else {
        RelationKind::Reference
    };
    Some(Relation {
        a: a.0,
        b: b.0,
        kind,
        strength: 0.9,
        evidence: vec![from.evidence(statement), to.evidence(&to.statements[cited])],
    })
}
