//! The index under headings: only entry lines move, headings come, empty ones go.

use crate::scan::Scan;
use changes::ChangeSet;
use memory::capture::{Refusal, index_lines};
use memory::edit::{self, Edit};
use memory::{EntryId, Index, Kind, Target, index, lines};
use mnemo_home::text::steers;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// Lines of MEMORY.md up to which it stays flat.
const FLAT_LINES: usize = 100;
/// Entries up to which it stays flat.
const FLAT_ENTRIES: usize = 40;
/// Lines above which grouping is recommended.
const MANY_LINES: usize = 180;
/// Entries above which grouping is recommended.
const MANY_ENTRIES: usize = 80;
/// Lines it may have with headings.
pub const MOST_LINES: usize = 200;
/// Days without a change after which an entry counts as stalled.
const STALLED: i64 = 30;

/// By what lines are grouped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Axis {
    /// The entry's type: start here.
    Type,
    /// Gate, active, stalled.
    Activity,
    /// A person's own domains: heading and patterns of file names, the first that fits.
    Domains(Vec<(String, Vec<String>)>),
}

/// Whether headings help.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Advice {
    /// Small enough to be read without.
    Flat,
    /// A matter of taste.
    Optional,
    /// Large enough to need them.
    Recommended,
    /// Every line stands where it belongs.
    AlreadyGrouped,
}

/// A grouping, not carried out.
#[derive(Debug)]
pub struct Grouping {
    /// The change of MEMORY.md, empty when nothing moves.
    pub set: ChangeSet,
    /// Whether it helps.
    pub advice: Advice,
    /// Headings and how many lines stand under each.
    pub groups: Vec<(String, usize)>,
    /// Lines that move.
    pub moved: usize,
    /// Lines of MEMORY.md before and after.
    pub lines: (usize, usize),
    /// Lines (from 1) that stay where they are, since a comment or private block goes on below them.
    pub left: Vec<usize>,
}

/// Why an index is not grouped.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no index.
    #[error("there is no MEMORY.md that could be grouped")]
    NoIndex,
    /// It would be too long.
    #[error(
        "MEMORY.md would have {0} lines with headings, and {MOST_LINES} are loaded; archive or merge entries first"
    )]
    TooLong(usize),
    /// The domains cannot be read.
    #[error("the domains cannot be read: {0}; write `Heading: [pattern, …]` lines")]
    Domains(String),
    /// Something of the store stands against it.
    #[error(transparent)]
    Store(#[from] Refusal),
}

impl Error {
    /// 3 for what is missing or unreadable, 4 for what is refused.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::NoIndex | Self::Domains(_) => 3,
            Self::TooLong(_) => 4,
            Self::Store(refusal) => refusal.exit_code(),
        }
    }
}

impl Axis {
    /// Domains from YAML: a map of headings to lists of patterns (a word of the name, `settle*`).
    pub fn domains(text: &str) -> Result<Self, Error> {
        let bad = |why: String| Error::Domains(why);
        mnemo_home::scans_in_time(text).map_err(bad)?;
        if !crate::plan::weight::is_within(text, 16 << 20) {
            return Err(bad("its aliases come to too much".to_owned()));
        }
        let value: serde_yaml::Mapping =
            serde_yaml::from_str(text).map_err(|error| bad(error.to_string()))?;
        let mut out = Vec::new();
        for (heading, patterns) in value {
            let heading = heading.as_str().unwrap_or_default().trim().to_owned();
            if heading.is_empty()
                || heading.starts_with('#')
                || heading.contains(['\n', '\r'])
                || heading.contains(steers)
            {
                return Err(bad(format!("`{heading}` is not a heading")));
            }
            if !redact::private_blocks(&heading).is_empty()
                || memory::audit::secrets(&heading).next().is_some()
            {
                return Err(bad("a heading holds what must not be written".to_owned()));
            }
            // A comment or a fence that it opened would hide the lines below.
            let index = Index::parse(&format!("## {heading}\n- [a](a.md)\n\n## b\n"));
            let first = index.sections().first();
            if index.entries().len() != 1
                || index.sections().len() != 2
                || first.is_none_or(|section| section.heading != heading)
            {
                return Err(bad(format!("`{heading}` is not a heading")));
            }
            let patterns: Vec<String> = serde_yaml::from_value(patterns)
                .map_err(|error| bad(format!("{heading}: {error}")))?;
            out.push((heading, patterns));
        }
        Ok(Self::Domains(out))
    }

    /// The headings, in the order in which new ones come.
    fn headings(&self) -> Vec<String> {
        match self {
            Self::Type => Kind::ALL
                .iter()
                .map(|kind| kind.name().to_owned())
                .collect(),
            Self::Activity => ["★ gate", "active", "stalled"].map(str::to_owned).into(),
            Self::Domains(domains) => domains.iter().map(|(name, _)| name.clone()).collect(),
        }
    }

    /// Which heading an entry belongs under; `None`: it stays where it is.
    fn of(&self, scan: &Scan, id: EntryId) -> Option<usize> {
        let view = scan.entries.get(id.index())?;
        let entry = scan.store.entry(id);
        match self {
            Self::Type => Kind::ALL.iter().position(|kind| Some(*kind) == view.kind),
            Self::Activity if view.gate => Some(0),
            Self::Activity => {
                let age = entry
                    .modified()
                    .map(|time| scan.now.signed_duration_since(time).num_days());
                Some(if age.is_some_and(|age| age > STALLED) {
                    2
                } else {
                    1
                })
            }
            Self::Domains(domains) => domains.iter().position(|(_, patterns)| {
                patterns.iter().any(|pattern| fits(pattern, entry.stem()))
            }),
        }
    }
}

/// A word of the name or the whole name; `*` stands for any letters.
fn fits(pattern: &str, stem: &str) -> bool {
    let (pattern, stem) = (pattern.trim().to_lowercase(), stem.to_lowercase());
    let pattern = pattern.strip_suffix(".md").unwrap_or(&pattern);
    if pattern.is_empty() {
        return false;
    }
    let mut words = stem.split(['-', '_', ' ', '.']);
    is_like(pattern, &stem) || words.any(|word| is_like(pattern, word))
}

fn is_like(pattern: &str, name: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| name.strip_prefix(first)) else {
        return false;
    };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else {
        return rest.is_empty();
    };
    for part in middle {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(*last)
}

/// Plans the grouping of an index.
pub fn plan(scan: &Scan, axis: &Axis) -> Result<Grouping, Error> {
    let store = &scan.store;
    let index = store.index().ok_or(Error::NoIndex)?;
    if !index.is_text() {
        return Err(Refusal::unreadable_index(store).into());
    }
    let text = index.text();
    let headings = axis.headings();
    let mut moves: BTreeMap<usize, Vec<std::ops::Range<usize>>> = BTreeMap::new();
    let mut counts = vec![0; headings.len()];
    let mut free_from = 0;
    let mut left = index.torn().to_vec();
    for line in index.entries() {
        let Some(Target::Entry(id)) = store.target_of_line(line) else {
            continue;
        };
        // What is nested under a line goes with it.
        if line.range.start < free_from {
            continue;
        }
        let Some(group) = axis.of(scan, *id) else {
            continue;
        };
        let range = line.range.start..index_lines::end(text, line);
        free_from = range.end;
        if index.is_open_at(range.end) {
            left.push(line.line);
            continue;
        }
        counts[group] += 1;
        let under = line.section.map(|at| &index.sections()[at]);
        let there = under
            .is_some_and(|section| section.level > 1 && same(&section.heading, &headings[group]));
        if !there {
            moves.entry(group).or_default().push(range);
        }
    }
    let count = moves.values().map(Vec::len).sum();
    let mut set = ChangeSet::inside("garden group", store.root()).map_err(Refusal::from)?;
    let after = if moves.is_empty() {
        text.to_owned()
    } else {
        rebuilt(index, &headings, &moves)?
    };
    let after = if moves.is_empty() {
        after
    } else {
        without_empty(&after)?
    };
    let lines = (index.line_count(), lines::lines(&after).count());
    if count > 0 && lines.1 > MOST_LINES {
        return Err(Error::TooLong(lines.1));
    }
    set.replace(index::FILE, text.as_bytes().to_vec(), after.into_bytes());
    let entries = store.entries().len();
    let advice = if count == 0 && counts.iter().any(|count| *count > 0) {
        Advice::AlreadyGrouped
    } else if lines.0 <= FLAT_LINES || entries <= FLAT_ENTRIES {
        Advice::Flat
    } else if lines.0 > MANY_LINES || entries > MANY_ENTRIES {
        Advice::Recommended
    } else {
        Advice::Optional
    };
    Ok(Grouping {
        set,
        advice,
        groups: headings
            .into_iter()
            .zip(counts)
            .filter(|(_, count)| *count > 0)
            .collect(),
        moved: count,
        lines,
        left,
    })
}

fn same(heading: &str, name: &str) -> bool {
    let bare = |text: &str| text.trim_matches(['/', ' ', '★']).to_lowercase();
    bare(heading) == bare(name)
}

fn rebuilt(
    index: &Index,
    headings: &[String],
    moves: &BTreeMap<usize, Vec<std::ops::Range<usize>>>,
) -> Result<String, Error> {
    let text = index.text();
    let end = lines::newline(text);
    let gone: Vec<_> = moves.values().flatten().cloned().collect();
    let mut edits: Vec<Edit> = gone
        .iter()
        .map(|range| Edit::replace(range.clone(), ""))
        .collect();
    let mut behind = String::new();
    for (group, ranges) in moves {
        let mut block = String::new();
        for range in ranges {
            let lines = text.get(range.clone()).unwrap_or_default();
            block.push_str(lines);
            if !lines.ends_with('\n') {
                block.push_str(end);
            }
        }
        let section = index
            .sections()
            .iter()
            .position(|section| section.level > 1 && same(&section.heading, &headings[*group]));
        let Some(section) = section else {
            let _ = write!(behind, "{end}## {}{end}{block}", headings[*group]);
            continue;
        };
        let last = index
            .entries()
            .iter()
            .rfind(|line| {
                line.section == Some(section)
                    && !gone.iter().any(|range| range.contains(&line.range.start))
            })
            .map_or(index.sections()[section].range.end, |line| {
                index_lines::end(text, line)
            });
        let torn = last > 0 && !text.get(..last).is_some_and(|text| text.ends_with('\n'));
        let before = if torn { end } else { "" };
        edits.push(Edit::insert(last, format!("{before}{block}")));
    }
    let mut after = edit::apply(text, edits).map_err(Refusal::from)?;
    if !behind.is_empty() {
        if !after.is_empty() && !after.ends_with('\n') {
            after.push_str(end);
        }
        let blank = lines::lines(&after)
            .last()
            .is_none_or(|line| line.text.trim().is_empty());
        after.push_str(if blank {
            behind.strip_prefix(end).unwrap_or(&behind)
        } else {
            &behind
        });
    }
    Ok(after)
}

/// Headings under which nothing stands go, with the blank lines after them.
fn without_empty(text: &str) -> Result<String, Error> {
    let mut text = text.to_owned();
    loop {
        let index = Index::parse(&text);
        let empty = index
            .sections()
            .iter()
            .enumerate()
            .find(|(place, section)| {
                let next = index.sections().get(place + 1);
                let end = next.map_or(text.len(), |next| next.range.start);
                let nothing = text
                    .get(section.range.end..end)
                    .is_some_and(|inner| inner.trim().is_empty());
                let title = *place == 0 && section.level == 1;
                let parent = next.is_some_and(|next| next.level > section.level);
                nothing && !title && !parent
            });
        let Some((place, section)) = empty else {
            return Ok(text);
        };
        let end = index
            .sections()
            .get(place + 1)
            .map_or(text.len(), |next| next.range.start);
        let edit = Edit::replace(section.range.start..end, "");
        text = edit::apply(&text, vec![edit]).map_err(Refusal::from)?;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns_fit_words_and_stars() {
        for (pattern, stem, expected) in [
            ("settle", "reference_settle_cutoff", true),
            ("sett", "reference_settle_cutoff", false),
            ("reference_settle*", "reference_settle_cutoff", true),
            ("settle*", "reference_settlement_gate", true),
            ("vat*", "decision-vat-half-up", true),
            ("va*t", "decision-vaults", false),
            ("*settle*off", "reference_settle_cutoff", true),
            ("*settle*on", "reference_settle_cutoff", false),
            ("Reference_X.md", "reference_x", true),
            ("*", "anything", true),
            ("", "anything", false),
        ] {
            assert_eq!(fits(pattern, stem), expected, "{pattern} {stem}");
        }
        assert!(Axis::domains("정산: [settle, 'vat*']\nTSE: [tse]\n").is_ok());
        for bad in ["- a", "a: b", "'': [x]", "a: [[x]]"] {
            assert!(Axis::domains(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn empty_headings_go_and_parents_stay() {
        let text = "# T\n\n## a\n\n## b\n- x\n### c\n\n## d\n### e\n- y\n\n## f\n";
        assert_eq!(
            without_empty(text).unwrap(),
            "# T\n\n## b\n- x\n## d\n### e\n- y\n\n"
        );
    }
}
