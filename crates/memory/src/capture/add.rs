//! A new entry and its line in MEMORY.md.

use super::rules::{self, Allow, FileName};
use super::update::{line_edits, own_line};
use super::{
    Plan, Refusal, Warning, form, index_text, place, set_of, size_warnings, tokens_without,
};
use crate::edit::{self, Edit};
use crate::entry::{Kind, composed};
use crate::frontmatter::scalar;
use crate::index;
use crate::overlap::{self, Known, Proposal};
use crate::{Store, StoreKind, tokens};
use changes::ChangeSet;
use chrono::NaiveDate;
use mnemo_home::Language;
use std::borrow::Cow;
use std::fmt::Write as _;

/// What somebody wants to keep.
#[derive(Debug, Clone)]
pub struct Add {
    /// Its type.
    pub kind: Kind,
    /// Its name, for the frontmatter and the file.
    pub name: String,
    /// One line, for the frontmatter and MEMORY.md.
    pub description: String,
    /// Its text; `None`: the description is all there is to say.
    pub body: Option<String>,
    /// The heading in MEMORY.md.
    pub section: Section,
    /// The file's name.
    pub file: Option<FileName>,
    /// When a decision is looked at again.
    pub revisit: Option<NaiveDate>,
    /// The decision that it replaces: file or name.
    pub supersedes: Option<String>,
    /// What is let through.
    pub allow: Allow,
    /// The language of the form.
    pub language: Language,
}

/// Under which heading a new line goes.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Section {
    /// The one that holds the type, else a new one named after it.
    #[default]
    OfType,
    /// This one, made at the end if it is not there.
    Named(String),
}

/// Plans a new entry. `known` is what may say it already: entries, rules, skills.
pub fn add(store: &Store, wanted: &Add, known: &Known) -> Result<Plan, Refusal> {
    let name = rules::name(&wanted.name)?;
    let description = rules::description(&wanted.description)?;
    let section = match &wanted.section {
        Section::OfType => None,
        Section::Named(words) => Some(rules::section(words)?),
    };
    let file_name = match &wanted.file {
        Some(file) => file.clone(),
        None => FileName::of(wanted.kind, &name)?,
    };
    decision_only(wanted)?;
    let given = wanted.body.as_deref().unwrap_or(&description);
    let body = rules::new_body(given, crate::lines::newline(given))?;
    let mut warnings = rules::sensitive(
        &[
            ("name", &name),
            ("description", &description),
            ("body", &body),
            ("section", section.as_deref().unwrap_or_default()),
            ("file name", file_name.as_str()),
        ],
        wanted.allow,
    )?;
    let file = path_of(store, file_name.as_str());
    free(store, &file, &name)?;
    replaces_a_decision(store, wanted)?;
    follows_form(wanted, &body)?;
    covered(
        &name,
        &description,
        &body,
        &standing(store, wanted.supersedes.as_deref(), known),
        wanted.allow,
        &mut warnings,
    )?;

    let mut set = set_of(store, "memory add")?;
    let superseded = match &wanted.supersedes {
        None => Superseded::default(),
        Some(old) => supersede(store, old, file_name.as_str(), &mut set)?,
    };
    let old = superseded.file.as_deref();
    let text = entry_text(wanted, &name, &description, old, &body);
    let cost = tokens(text.len() as u64);
    let entry = place::Wanted {
        file: &file,
        description: &description,
        tokens: cost,
        section: section.as_deref(),
        kind: wanted.kind,
    };
    let before = index_text(store)?;
    let placed = place::insert(store, before, &entry, superseded.index)?;
    let (after, line) = (placed.index, placed.line);
    warnings.extend(placed.warnings);
    let all = tokens_without(store, &file) + superseded.tokens + cost;
    warnings.extend(size_warnings(store.kind(), all, Some(&after), &body));
    if let Some(other) = Kind::of(
        file_name
            .as_str()
            .split(['-', '_'])
            .next()
            .unwrap_or_default(),
    )
    .filter(|other| *other != wanted.kind)
    {
        warnings.push(Warning::OtherType {
            prefix: other.name(),
        });
    }
    set.create(&file, text.into_bytes());
    let old_index = store.index().map(|index| index.text().as_bytes().to_vec());
    set.put(index::FILE, old_index, Some(after.into_bytes()));
    Ok(Plan {
        set,
        file,
        index_line: Some(line),
        tokens: cost,
        warnings,
    })
}

fn replaces_a_decision(store: &Store, wanted: &Add) -> Result<(), Refusal> {
    if let Some(id) = wanted.supersedes.as_deref().and_then(|old| store.find(old)) {
        let old = store.entry(id);
        if old.kind().or_else(|| old.kind_by_name()) != Some(Kind::Decision) {
            return Err(Refusal::Unfit {
                what: "superseded entry",
                why: format!(
                    "({}) is not a decision; other entries are updated or removed",
                    old.file()
                ),
            });
        }
    }
    Ok(())
}

/// What is known without the entry that is to be replaced.
fn standing<'a>(store: &Store, supersedes: Option<&str>, known: &'a Known) -> Cow<'a, Known> {
    let Some(id) = supersedes.and_then(|old| store.find(old)) else {
        return Cow::Borrowed(known);
    };
    let old = store.entry(id).file();
    let mut known = known.clone();
    known
        .documents
        .retain(|document| document.kind != overlap::Kind::Entry || document.path != old);
    Cow::Owned(known)
}

fn follows_form(wanted: &Add, body: &str) -> Result<(), Refusal> {
    if wanted.kind != Kind::Decision {
        return Ok(());
    }
    let has_date = wanted.revisit.is_some();
    decision_form(body, has_date, wanted.language)
}

/// Refuses a decision without its form.
pub(super) fn decision_form(body: &str, has_date: bool, language: Language) -> Result<(), Refusal> {
    let missing = form::missing(body, has_date);
    if missing.is_empty() {
        return Ok(());
    }
    Err(Refusal::Form {
        missing,
        form: form::form(language),
    })
}

/// What follows from a decision that is replaced.
#[derive(Default)]
struct Superseded {
    /// Its file's name.
    file: Option<String>,
    /// Its lines in MEMORY.md: the token counts.
    index: Vec<Edit>,
    /// How many tokens more it takes.
    tokens: u64,
}

/// Notes in the old decision that another one replaces it.
fn supersede(
    store: &Store,
    old: &str,
    by: &str,
    set: &mut ChangeSet,
) -> Result<Superseded, Refusal> {
    let id = store
        .find(old)
        .ok_or_else(|| Refusal::NoEntry(old.to_owned()))?;
    let entry = store.entry(id);
    let edits = vec![
        edit::set_field(entry, "status", "superseded")?,
        edit::set_field(entry, "superseded_by", by)?,
    ];
    let text = edit::apply(entry.text(), edits)?;
    let cost = tokens(text.len() as u64);
    let index = store.index().map_or_else(Vec::new, |index| {
        own_line(store, index, id)
            .map(|line| line_edits(index, line, None, Some(cost)))
            .unwrap_or_default()
    });
    // A note that it is over does not make it look tended.
    set.replace(entry.file(), entry.bytes().to_vec(), text.into_bytes())
        .keep_time();
    Ok(Superseded {
        file: Some(entry.file_name().to_owned()),
        index,
        tokens: cost.saturating_sub(entry.tokens()),
    })
}

fn decision_only(wanted: &Add) -> Result<(), Refusal> {
    let what = match (&wanted.revisit, &wanted.supersedes) {
        (Some(_), _) => "revisit date",
        (_, Some(_)) => "superseded entry",
        _ => return Ok(()),
    };
    if wanted.kind == Kind::Decision {
        return Ok(());
    }
    Err(Refusal::Unfit {
        what,
        why: "belongs to a decision; leave it out, or say --type decision".to_owned(),
    })
}

/// The path from the index's folder.
fn path_of(store: &Store, file: &str) -> String {
    match store.kind() {
        StoreKind::Auto => file.to_owned(),
        StoreKind::Record => format!("memory/{file}"),
    }
}

/// Refuses a file or a name that is taken. Case does not set files apart everywhere.
fn free(store: &Store, file: &str, name: &str) -> Result<(), Refusal> {
    let same = |a: &str, b: &str| composed(a).to_lowercase() == composed(b).to_lowercase();
    if let Some(entry) = store
        .entries()
        .iter()
        .find(|entry| same(entry.file(), file))
    {
        return Err(Refusal::Exists {
            file: entry.file().to_owned(),
            by_name: false,
        });
    }
    if std::fs::symlink_metadata(store.root().join(file)).is_ok() {
        return Err(Refusal::Exists {
            file: file.to_owned(),
            by_name: false,
        });
    }
    match store
        .entries()
        .iter()
        .find(|entry| entry.name().is_some_and(|other| same(other, name)))
    {
        Some(entry) => Err(Refusal::Exists {
            file: entry.file().to_owned(),
            by_name: true,
        }),
        None => Ok(()),
    }
}

pub(super) fn covered(
    name: &str,
    description: &str,
    body: &str,
    known: &Known,
    allow: Allow,
    warnings: &mut Vec<Warning>,
) -> Result<(), Refusal> {
    let proposal = Proposal {
        title: name.to_owned(),
        description: description.to_owned(),
        body: body.to_owned(),
    };
    let verdict = overlap::verdict(&proposal, known);
    // What one file says as well as its opposite is the opposite first.
    let (path, kind, evidence, opposite) = match (&verdict.opposite, verdict.covered_by()) {
        (Some(found), covered) if covered.is_none_or(|covered| covered.path == found.path) => {
            (&found.path, found.kind, Some(&found.evidence), true)
        }
        (_, Some(found)) => (&found.path, found.kind, found.evidence.first(), false),
        _ => return Ok(()),
    };
    let path = path.clone();
    let (line, quote) =
        evidence.map_or((1, ""), |evidence| (evidence.line, evidence.quote.as_str()));
    if allow.force {
        warnings.push(if opposite {
            Warning::Opposed { path, line }
        } else {
            Warning::Covered { path, line }
        });
        return Ok(());
    }
    Err(Refusal::Covered {
        path,
        line,
        quote: quote.to_owned(),
        is_rule: kind != overlap::Kind::Entry,
        opposite,
    })
}

fn entry_text(
    wanted: &Add,
    name: &str,
    description: &str,
    supersedes: Option<&str>,
    body: &str,
) -> String {
    let mut fields = vec![
        ("name", scalar(name)),
        ("description", scalar(description)),
        ("type", wanted.kind.name().to_owned()),
    ];
    if let Some(date) = wanted.revisit {
        fields.push(("revisit", date.to_string()));
    }
    if let Some(old) = supersedes {
        fields.push(("supersedes", scalar(old)));
    }
    let end = crate::lines::newline(body);
    let mut text = format!("---{end}");
    for (key, value) in fields {
        let _ = write!(text, "{key}: {value}{end}");
    }
    let _ = write!(text, "---{end}{end}{body}");
    text
}
