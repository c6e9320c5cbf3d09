//! Both memories: limits, links, entries, lifecycle, anchors.

use super::{Evidence, Patient, Row, mirror, quoted};
use crate::anchors::Status;
use crate::fix;
use crate::split::metadata;
use crate::survey::{self, Counts};
use memory::audit::{self, Audit, Dates, Issue};
use memory::{Entry, Source, Store, StoreKind};
use mnemo_home::counted;
use record::Record;
use record::root::Root;
use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::PathBuf;

/// A category file larger than this should be split, in bytes.
const OVERGROWN: u64 = 40 * 1024;
/// So many sessions are asked where they began, the newest first.
const SESSIONS: usize = 50;
/// Evidence that is kept of one check.
const KEPT: usize = 50;

/// All but [`anchors`].
pub(super) fn but_anchors(patient: &Patient, record: &Record) -> Vec<Row> {
    let audits: Vec<(&Store, Audit)> = patient
        .stores()
        .map(|store| {
            (
                store,
                audit::audit(store, patient.env.now().to_utc(), Dates::Modified),
            )
        })
        .collect();
    vec![
        shared(patient),
        limits(patient, &audits),
        links(patient, &audits),
        entries(patient),
        overgrown(patient, record),
        lifecycle(patient),
    ]
}

fn index_file(patient: &Patient, store: &Store) -> String {
    patient.shown(&store.index_file())
}

fn file_of(patient: &Patient, store: &Store, entry: &Entry) -> String {
    patient.shown(&store.path_of(entry))
}

/// Whether the folder of Claude Code's memory of this project is also that of another one: its name
/// keeps only the number of all letters beyond ASCII, so that two names of as many Hangul syllables are
/// one. Told by where the sessions of the folder began.
fn shared(patient: &Patient) -> Row {
    const NAME: &str = "shared-memory";
    let own = || {
        Row::ok(
            NAME,
            "no other project has Claude Code's memory of this one",
        )
    };
    let (Some(home), Some(root), Some(store)) = (&patient.home, &patient.root, &patient.auto_store)
    else {
        return own();
    };
    let slug = claude_home::slug(root.path());
    let folder = home.projects().join(&slug);
    if !store.root().starts_with(&folder) {
        return own();
    }
    let mut transcripts: Vec<_> = mirror::in_folder(&folder).collect();
    transcripts.sort_by_key(|transcript| Reverse(transcript.changed));
    let others: BTreeMap<PathBuf, PathBuf> = transcripts
        .into_iter()
        .take(SESSIONS)
        .filter_map(|found| Some((transcript::start_cwd(&found.path)?, found.path)))
        .filter(|(start, _)| start != root.path() && claude_home::slug(start) == slug)
        .filter(|(start, _)| {
            start
                .canonicalize()
                .map_or(true, |real| real != root.path())
        })
        .collect();
    if others.is_empty() {
        return own();
    }
    let evidence = others
        .into_iter()
        .map(|(start, transcript)| {
            let what = format!("a session that began in {}", start.display());
            Evidence::new(patient.shown(&transcript), None, what)
        })
        .collect();
    Row::warn(
        NAME,
        "Claude Code keeps one memory for this project and for another",
        "rename one of the two folders: only letters a to z and digits tell their memories apart",
    )
    .with(evidence)
}

fn limits(patient: &Patient, audits: &[(&Store, Audit)]) -> Row {
    const NAME: &str = "index-limits";
    let mut over = Vec::new();
    let mut help = "";
    for (store, audit) in audits {
        for issue in &audit.issues {
            match issue {
                Issue::IndexOver(index) => {
                    let size = index.counted;
                    let units = size
                        .limits
                        .units
                        .map(|units| format!(", {} of {units} UTF-16 units", size.units))
                        .unwrap_or_default();
                    over.push(Evidence::new(
                        index_file(patient, store),
                        Some(size.limits.lines.min(size.lines)),
                        format!(
                            "{} of {} lines, {} of {} bytes{units}",
                            size.lines, size.limits.lines, size.bytes, size.limits.bytes
                        ),
                    ));
                    help = match store.kind() {
                        StoreKind::Record => {
                            "move details from MEMORY.md into memory/, one line a subject"
                        }
                        StoreKind::Auto => {
                            "mnemo check --store auto  (what lies below is not loaded: merge or archive entries, see `mnemo garden --help`)"
                        }
                    };
                }
                // The budget is the client's memory's; a record is read when needed.
                Issue::Budget(_) if store.kind() == StoreKind::Auto => {
                    over.push(Evidence::new(
                        index_file(patient, store),
                        None,
                        format!(
                            "entries take about {} tk of {}",
                            audit.budget.tokens,
                            memory::budget::LIMIT
                        ),
                    ));
                    help = "mnemo check --store auto";
                }
                _ => {}
            }
        }
    }
    if over.is_empty() {
        return Row::ok(NAME, "within what is loaded");
    }
    Row::warn(
        NAME,
        "a memory is larger than what is loaded or budgeted",
        help,
    )
    .with(over)
}

fn links(patient: &Patient, audits: &[(&Store, Audit)]) -> Row {
    const NAME: &str = "links";
    let (mut dead, mut others, mut orphans) = (Vec::new(), Vec::new(), Vec::new());
    for (store, audit) in audits {
        for issue in &audit.issues {
            match issue {
                Issue::BrokenLink {
                    source,
                    line,
                    target,
                    ..
                } => match source {
                    Source::Index => dead.push(Evidence::new(
                        index_file(patient, store),
                        Some(*line),
                        target.clone(),
                    )),
                    Source::Entry(id) => others.push(Evidence::new(
                        file_of(patient, store, store.entry(*id)),
                        Some(*line),
                        target.clone(),
                    )),
                    Source::Page(at) => others.extend(store.pages().get(*at).map(|page| {
                        Evidence::new(file_of(patient, store, page), Some(*line), target.clone())
                    })),
                },
                Issue::Orphan(id) => {
                    orphans.push(Evidence::new(
                        file_of(patient, store, store.entry(*id)),
                        None,
                        "no link leads to it",
                    ));
                }
                _ => {}
            }
        }
    }
    let store = |evidence: &[Evidence]| {
        if evidence
            .first()
            .is_some_and(|one| one.path.starts_with('/'))
        {
            "auto"
        } else {
            "record"
        }
    };
    if !dead.is_empty() {
        let help = format!(
            "mnemo check --store {}  (each line: remove it, or make the file again)",
            store(&dead)
        );
        let mut detail = format!("{} in an index", counted(dead.len(), "dead link"));
        if !others.is_empty() {
            let _ = write!(detail, ", {} in entries", others.len());
        }
        if !orphans.is_empty() {
            let _ = write!(
                detail,
                ", {} that no index reaches",
                counted(orphans.len(), "entry")
            );
        }
        for more in [others, orphans] {
            dead.truncate(KEPT);
            dead.extend(more.into_iter().take(KEPT));
        }
        return Row::fail(NAME, detail, help).with(dead);
    }
    if others.is_empty() && orphans.is_empty() {
        return Row::ok(NAME, "every link leads somewhere, every entry is reached");
    }
    let detail = format!(
        "{} in entries, {} that no index reaches",
        counted(others.len(), "dead link"),
        counted(orphans.len(), "entry")
    );
    others.extend(orphans);
    others.truncate(KEPT);
    let help = format!("mnemo check --store {}", store(&others));
    Row::warn(NAME, detail, help).with(others)
}

/// Where some headings of a level carry date, tags or source, the others should.
fn entries(patient: &Patient) -> Row {
    const NAME: &str = "entry-metadata";
    const KEYS: [&str; 3] = ["date", "tags", "source"];
    let mut bare = Vec::new();
    let Some(store) = &patient.record_store else {
        return Row::ok(NAME, "no record");
    };
    for entry in store.entries() {
        // (level, line, carries)
        let mut heads: Vec<(usize, usize, bool)> = Vec::new();
        let mut fenced = false;
        for line in entry.body_lines() {
            let start = line.text.trim_start();
            if start.starts_with("```") || start.starts_with("~~~") {
                fenced = !fenced;
            }
            if fenced {
                continue;
            }
            let level = line.text.chars().take_while(|c| *c == '#').count();
            if (2..=6).contains(&level)
                && line
                    .text
                    .get(level..)
                    .is_some_and(|rest| rest.starts_with(' '))
            {
                heads.push((level, line.number, false));
            } else if let Some(head) = heads.last_mut()
                && metadata(line.text).is_some_and(|(key, value)| {
                    KEYS.iter().any(|known| known.eq_ignore_ascii_case(key))
                        && !value.trim().is_empty()
                })
            {
                head.2 = true;
            }
        }
        for level in 2..=6 {
            let here = || heads.iter().filter(|head| head.0 == level);
            if here().any(|head| head.2) {
                bare.extend(here().filter(|head| !head.2).map(|head| {
                    Evidence::new(
                        file_of(patient, store, entry),
                        Some(head.1),
                        "no date, tags or source",
                    )
                }));
            }
        }
    }
    if bare.is_empty() {
        return Row::ok(NAME, "entries say when and from where");
    }
    let count = bare.len();
    bare.truncate(KEPT);
    Row::warn(
        NAME,
        format!(
            "{} without date, tags and source, which those beside them have",
            counted(count, "entry")
        ),
        "add a line `- date: YYYY-MM-DD` below each heading named",
    )
    .with(bare)
}

fn overgrown(patient: &Patient, record: &Record) -> Row {
    const NAME: &str = "overgrown";
    let mut found = Vec::new();
    let Some(store) = &patient.record_store else {
        return Row::ok(NAME, "no record");
    };
    for entry in store.entries() {
        let file = entry.file();
        let Some(stem) = file
            .strip_prefix("memory/")
            .and_then(|name| name.strip_suffix(".md"))
        else {
            continue;
        };
        if stem.contains('/') {
            continue;
        }
        let beside = record
            .resolve(&format!("memory/{stem}/index.md"))
            .is_ok_and(|path| path.is_file());
        if beside {
            found.push(Evidence::new(
                file,
                None,
                format!("stands beside memory/{stem}/index.md: two places for one subject"),
            ));
        } else if entry.size() > OVERGROWN {
            found.push(Evidence::new(
                file,
                None,
                format!("{} KB, more than {}", entry.size() / 1024, OVERGROWN / 1024),
            ));
        }
    }
    let Some(first) = found.first() else {
        return Row::ok(NAME, "no file is larger than 40 KB");
    };
    let help = if first.what.starts_with("stands") {
        format!(
            "rm {}  (when its entries are in the folder)",
            quoted(&first.path)
        )
    } else if can_be_split(store, &first.path) {
        format!("mnemo split {} --apply", quoted(&first.path))
    } else {
        format!(
            "give its subjects headings (`## `), then: mnemo split {} --apply",
            quoted(&first.path)
        )
    };
    Row::warn(
        NAME,
        format!("{} too large or doubled", counted(found.len(), "file")),
        help,
    )
    .with(found)
}

fn can_be_split(store: &Store, file: &str) -> bool {
    let mut entries = store.entries().iter();
    entries.any(|entry| entry.file() == file && crate::split::has_parts(entry.text()))
}

fn lifecycle(patient: &Patient) -> Row {
    const NAME: &str = "lifecycle-links";
    let spots: Vec<fix::Spot> = patient
        .record_store
        .iter()
        .flat_map(fix::lifecycle_links)
        .collect();
    if spots.is_empty() {
        return Row::ok(NAME, "what replaced what can be found");
    }
    let help = if spots.iter().any(|spot| spot.with.is_some()) {
        "mnemo doctor --fix"
    } else {
        "name a file that is there, as [[NNN-slug]]"
    };
    let evidence = spots
        .iter()
        .map(|spot| {
            let what = match &spot.with {
                Some(with) => format!("{} could be {with}", spot.text),
                None if spot.several.is_empty() => format!("{} leads nowhere", spot.text),
                None => format!("{} could be {}", spot.text, spot.several.join(" or ")),
            };
            Evidence::new(spot.file.clone(), Some(spot.line), what)
        })
        .collect();
    Row::warn(
        NAME,
        format!(
            "{} to what replaced or was replaced without a place of its own",
            counted(spots.len(), "link")
        ),
        help,
    )
    .with(evidence)
}

pub(super) fn anchors(patient: &Patient, root: &Root) -> Row {
    const NAME: &str = "anchors";
    let texts: Vec<survey::Text> = patient.stores().flat_map(survey::texts_of).collect();
    if texts.is_empty() {
        return Row::ok(NAME, "no memory to examine");
    }
    let memories = patient
        .auto_store
        .iter()
        .map(|store| store.root().to_owned())
        .collect();
    let examined = survey::examine(root.path(), memories, &texts, patient.env, || {
        patient.history()
    });
    let counts = Counts::of(&examined);
    if counts.broken() == 0 {
        return Row::ok(
            NAME,
            format!(
                "{} paths and symbols are where the memories say",
                counts.exists
            ),
        );
    }
    let evidence = examined
        .iter()
        .flat_map(|text| {
            text.anchors
                .iter()
                .filter(|anchor| anchor.is_broken())
                .map(|anchor| {
                    let what = match &anchor.status {
                        Status::Moved(places) => {
                            format!("{} moved to {}", anchor.text, places.join(" or "))
                        }
                        _ => match anchor.lines {
                            Some(lines) => {
                                format!("{}: it has only {}", anchor.text, counted(lines, "line"))
                            }
                            None => format!("{} is gone", anchor.text),
                        },
                    };
                    Evidence::new(patient.shown(text.file.as_ref()), Some(anchor.line), what)
                })
        })
        .take(KEPT)
        .collect();
    Row::warn(
        NAME,
        format!(
            "{} moved, {} gone of what the memories name",
            counts.moved, counts.gone
        ),
        "mnemo anchors  (then correct or drop the lines named)",
    )
    .with(evidence)
}
