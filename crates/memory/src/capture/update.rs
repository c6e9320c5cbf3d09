//! Another description or body for an entry. Its name and type stay.

use super::rules::{self, Allow};
use super::{
    Plan, Refusal, Warning, form, index_text, place, set_of, size_warnings, table, tokens_without,
};
use crate::edit::{self, Edit};
use crate::index::{self, EntryLine, Index};
use crate::lines::newline;
use crate::{Entry, EntryId, Kind, ResolvedLink, Store, Target, tokens};
use mnemo_home::Language;
use std::collections::HashSet;

/// What is to change.
#[derive(Debug, Clone)]
pub struct Update {
    /// The entry: file or name.
    pub entry: String,
    /// A new description.
    pub description: Option<String>,
    /// A new body.
    pub body: Option<Body>,
    /// What is let through.
    pub allow: Allow,
    /// The language of a decision's form.
    pub language: Language,
}

/// A new body.
#[derive(Debug, Clone)]
pub enum Body {
    /// In place of the old one.
    Replace(String),
    /// After the old one.
    Append(String),
}

/// Plans a change of an entry; the description and the token count of its lines in MEMORY.md
/// follow.
#[allow(
    clippy::too_many_lines,
    reason = "one check after the other, in the order they are told"
)]
pub fn update(store: &Store, wanted: &Update) -> Result<Plan, Refusal> {
    if let Some(placed) = super::record::wanted(store, &wanted.entry)? {
        return super::record::update(store, placed, wanted);
    }
    let id = store
        .find(&wanted.entry)
        .ok_or_else(|| Refusal::NoEntry(wanted.entry.clone()))?;
    let entry = store.entry(id);
    if !entry.is_text() {
        return Err(Refusal::unreadable(entry));
    }
    let mut edits = Vec::new();
    let mut warnings = Vec::new();
    let description = wanted
        .description
        .as_deref()
        .map(rules::description)
        .transpose()?;
    if let Some(description) = &description {
        warnings.extend(rules::sensitive(
            &[("description", description)],
            wanted.allow,
        )?);
        if entry.description() != Some(description) {
            edits.push(edit::set_field(entry, "description", description)?);
        }
    }
    if let Some(body) = &wanted.body {
        let (Body::Replace(new) | Body::Append(new)) = body;
        warnings.extend(rules::sensitive(&[("body", new)], wanted.allow)?);
        edits.push(body_edit(entry, body)?);
    }
    rules::whole(entry.text(), &edits, wanted.allow, &mut warnings)?;
    let text = edit::apply(entry.text(), edits)?;
    reads_as_meant(entry, &text, description.as_deref())?;
    if wanted.body.is_some() && keeps_form(entry) {
        let old = form::missing(entry.body(), entry.field("revisit").is_some());
        let body = &text[crate::Frontmatter::parse(&text).body()..];
        let missing: Vec<_> = form::missing(body, entry.field("revisit").is_some())
            .into_iter()
            .filter(|part| !old.contains(part))
            .collect();
        if !missing.is_empty() {
            return Err(Refusal::Form {
                missing,
                form: form::form(wanted.language),
            });
        }
    }
    let cost = tokens(text.len() as u64);

    let mut set = set_of(store, "memory update")?;
    let old_index = index_text(store)?;
    let mut new_index = None;
    let mut index_line = None;
    match store.index() {
        Some(index) => {
            let own = own_line(store, index, id);
            let others: Vec<usize> = lines_to(store, id)
                .filter(|line| own.is_none_or(|own| own.line != *line))
                .collect();
            if own.is_none() && others.is_empty() {
                warnings.push(Warning::NotIndexed);
            }
            let has_own = own.is_some();
            let rows = if others.is_empty() {
                HashSet::new()
            } else {
                table::row_lines(old_index)
            };
            warnings.extend(others.into_iter().map(|line| {
                if rows.contains(&line) {
                    Warning::RowLeft { line }
                } else {
                    Warning::LineLeft { line, has_own }
                }
            }));
            let edits = own.map_or_else(Vec::new, |line| {
                line_edits(index, line, description.as_deref(), Some(cost))
            });
            let after = edit::apply(old_index, edits)?;
            if let Some(line) = own {
                let path = &index.link_of(line).path;
                let told = description.as_deref().unwrap_or(&line.description);
                place::check(old_index, Some(line.line), &after, path, told, cost)?;
                index_line = crate::lines::lines(&after)
                    .find(|new| new.number == line.line)
                    .map(|new| new.text.to_owned());
            }
            new_index = Some(after);
        }
        None => warnings.push(Warning::NotIndexed),
    }
    let all = tokens_without(store, entry.file()) + cost;
    let body_start = crate::Frontmatter::parse(&text).body();
    warnings.extend(size_warnings(
        store.kind(),
        all,
        new_index.as_deref(),
        &text[body_start..],
    ));
    set.replace(entry.file(), entry.bytes().to_vec(), text.into_bytes());
    if let Some(after) = new_index {
        set.replace(
            index::FILE,
            old_index.as_bytes().to_vec(),
            after.into_bytes(),
        );
    }
    Ok(Plan {
        set,
        file: entry.file().to_owned(),
        index_line,
        tokens: cost,
        warnings,
    })
}

/// Every line of MEMORY.md that links to an entry, whatever else stands on it.
pub(super) fn lines_to(store: &Store, id: EntryId) -> impl Iterator<Item = usize> {
    let mut last = 0;
    store
        .index_links()
        .iter()
        .filter(move |link| link.target == Target::Entry(id))
        .map(|link| link.line)
        .filter(move |line| std::mem::replace(&mut last, *line) != *line)
}

/// The lines of MEMORY.md that begin with a link to an entry and link to no other.
pub fn lines_of<'a>(store: &Store, index: &'a Index, id: EntryId) -> Vec<&'a EntryLine> {
    let mut own: Vec<&EntryLine> = index
        .entries()
        .iter()
        .filter(|line| store.target_of_line(line) == Some(&Target::Entry(id)))
        .collect();
    let others: HashSet<usize> = if own.is_empty() {
        HashSet::new()
    } else {
        store
            .index_links()
            .iter()
            .filter(|link| leads_elsewhere(link, id))
            .map(|link| link.line)
            .collect()
    };
    own.retain(|line| !others.contains(&line.line));
    own
}

/// An entry's own line in MEMORY.md: the first that begins with a link to it and links to no
/// other. What else links to it is the person's text.
pub fn own_line<'a>(store: &Store, index: &'a Index, id: EntryId) -> Option<&'a EntryLine> {
    lines_of(store, index, id).into_iter().next()
}

/// Whether a line of MEMORY.md links to another entry than this one.
pub(super) fn links_elsewhere(store: &Store, id: EntryId, line: usize) -> bool {
    store
        .index_links()
        .iter()
        .any(|link| link.line == line && leads_elsewhere(link, id))
}

fn leads_elsewhere(link: &ResolvedLink, id: EntryId) -> bool {
    matches!(link.target, Target::Entry(other) if other != id)
}

/// Whether it is a decision, whose form an update must not lose.
fn keeps_form(entry: &Entry) -> bool {
    entry.kind().or_else(|| entry.kind_by_name()) == Some(Kind::Decision)
}

/// Refuses a text whose frontmatter would be read otherwise than meant.
fn reads_as_meant(entry: &Entry, text: &str, description: Option<&str>) -> Result<(), Refusal> {
    let new = crate::Frontmatter::parse(text);
    let keeps_the_rest = |front: &crate::Frontmatter| -> Vec<(String, String)> {
        front
            .fields()
            .iter()
            .filter(|field| field.key != "description")
            .map(|field| (field.key.clone(), field.text.clone()))
            .collect()
    };
    let as_meant = description.is_none_or(|told| new.get("description") == Some(told))
        && keeps_the_rest(&new) == keeps_the_rest(entry.frontmatter())
        && (new.yaml().is_ok() || entry.frontmatter().yaml().is_err());
    if as_meant {
        return Ok(());
    }
    Err(edit::Error::Unusual(entry.file().to_owned()).into())
}

/// A line's new description, if it differs, and its token count; `None`: that stays as it is.
pub fn line_edits(
    index: &Index,
    line: &EntryLine,
    description: Option<&str>,
    cost: Option<u64>,
) -> Vec<Edit> {
    let mut edits = Vec::new();
    if let Some(new) = description.filter(|new| *new != line.description) {
        let link_end = index.link_of(line).range.end;
        // What is said stands between the link and the count.
        let said = index
            .text()
            .get(link_end..line.end)
            .and_then(|text| text.find(&line.description))
            .filter(|_| !line.description.is_empty())
            .map(|at| link_end + at..link_end + at + line.description.len());
        edits.push(match said {
            Some(range) => Edit::replace(range, new),
            None => Edit::insert(link_end, format!(" — {new}")),
        });
    }
    if let Some(cost) = cost
        && line.suffix.as_ref().map(|suffix| suffix.tokens) != Some(cost)
    {
        edits.push(index.set_suffix(line, cost));
    }
    edits
}

fn body_edit(entry: &Entry, body: &Body) -> Result<Edit, Refusal> {
    if entry.frontmatter().state() == crate::frontmatter::State::Unclosed {
        return Err(edit::Error::NoFrontmatter(entry.file().to_owned()).into());
    }
    let text = entry.text();
    let end = newline(text);
    let range = entry.body_range();
    let torn = !text.is_empty() && !text.ends_with('\n');
    let cut = |mut new: String| {
        if torn {
            new.truncate(new.trim_end_matches(['\r', '\n']).len());
        }
        new
    };
    Ok(match body {
        Body::Replace(new) => {
            let new = cut(rules::new_body(new, end)?);
            let old = entry.body();
            // The blank lines after the frontmatter stay.
            let lead = old.len() - old.trim_start_matches(['\r', '\n']).len();
            if old.trim().is_empty() {
                let blank = if lead > 0 || range.start == 0 {
                    ""
                } else {
                    end
                };
                let start = range.start + lead.min(end.len());
                Edit::replace(start..range.end, format!("{blank}{new}"))
            } else {
                Edit::replace(range.start + lead..range.end, new)
            }
        }
        Body::Append(new) => {
            let new = rules::new_body(new, end)?;
            let before = if torn {
                format!("{end}{end}")
            } else if text.ends_with(&format!("{end}{end}")) || entry.body().trim().is_empty() {
                String::new()
            } else {
                end.to_owned()
            };
            Edit::insert(text.len(), before + &cut(new))
        }
    })
}
