//! Items of a record: a new one with its lines in MEMORY.md and its category's list, another text
//! for one, and one that goes to the archive.

use super::add::{covered, decision_form};
use super::place;
use super::remove::{Remove, archive_path, archived_text};
use super::rules::{self, Allow};
use super::table::{self, Listed};
use super::update::{Body, Update, lines_of};
use super::{Plan, Refusal, Warning, index_text, set_of, size_warnings, tokens_without};
use crate::code::{self, Code};
use crate::edit::{self, Edit};
use crate::entry::{Kind, stem};
use crate::index::{self, Index};
use crate::items::{self, Form, Item};
use crate::limits::Counted;
use crate::lines::{lines, newline};
use crate::overlap::Known;
use crate::record::{self, PAGE, Placed};
use crate::{Entry, EntryId, Frontmatter, Source, Store, StoreKind, Target, tokens};
use chrono::NaiveDate;
use mnemo_home::text::steers;
use mnemo_home::{Env, Language};
use std::fmt::Write as _;

/// Digits of a code where no other says how many.
const DIGITS: usize = 3;

/// The most sections that are named when MEMORY.md is full.
const NAMED: usize = 3;

/// A category of a record: the folder or file below `memory/`, and the letter of its codes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Category(String);

impl Category {
    /// As a person gives it, `memory/` and `.md` left out or not.
    pub fn named(text: &str) -> Result<Self, Refusal> {
        let unfit = |why: &str| Refusal::Unfit {
            what: "category",
            why: why.to_owned(),
        };
        let text = text.trim().trim_end_matches('/');
        let text = stem(text.strip_prefix("memory/").unwrap_or(text));
        let name = rules::FileName::named(text)?;
        let name = stem(name.as_str()).to_owned();
        let lower = name.to_lowercase();
        if lower == "archive" || lower == stem(PAGE) {
            return Err(unfit("is none: the name has another use"));
        }
        if !lower.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err(unfit(
                "must begin with a letter a–z, which its codes begin with",
            ));
        }
        if lower.starts_with(code::HANDOFF) {
            return Err(unfit(
                "must not begin with h, which names handoffs in codes",
            ));
        }
        if name.contains(' ') {
            return Err(unfit("is one word"));
        }
        Ok(Self(name))
    }

    /// Where something of a type goes when nobody names a category.
    pub fn of(kind: Kind) -> Self {
        Self(
            match kind {
                Kind::Decision => "architecture",
                Kind::Reference => "tools",
                Kind::Feedback => "patterns",
                Kind::User | Kind::Project => "learned",
            }
            .to_owned(),
        )
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.0
    }

    fn letter(&self) -> char {
        self.0.chars().next().unwrap_or('x').to_ascii_lowercase()
    }
}

/// What somebody wants to keep in a record.
#[derive(Debug, Clone)]
pub struct AddItem {
    /// Where.
    pub category: Category,
    /// Its type, if it was named: a decision has its form. The item itself has none.
    pub kind: Option<Kind>,
    /// The category was named too, so that nothing is left of the type.
    pub category_named: bool,
    /// A short name: of the file, or of the heading.
    pub name: String,
    /// One line: the title, or the first line below the heading.
    pub description: String,
    /// Its text; `None`: the description is all there is to say.
    pub body: Option<String>,
    /// What it is found by; empty: its name's words.
    pub keywords: Vec<String>,
    /// When a decision is looked at again.
    pub revisit: Option<NaiveDate>,
    /// The day.
    pub today: NaiveDate,
    /// What is let through.
    pub allow: Allow,
    /// The language of headings and forms.
    pub language: Language,
    /// Who writes it.
    pub author: Author,
}

/// Who writes an item, as its `source:` says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Author {
    /// The assistant.
    Claude,
    /// The person.
    User,
}

impl Author {
    /// By what the client sets in the shells it starts (2.1.59 to 2.1.332).
    pub fn of(env: &Env) -> Self {
        let started = ["CLAUDECODE", "CLAUDE_CODE_ENTRYPOINT"];
        if started.iter().any(|name| env.get_os(name).is_some()) {
            Self::Claude
        } else {
            Self::User
        }
    }

    fn name(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::User => "user",
        }
    }
}

/// Plans a new item: one more heading where its category is a file, else a file of its own with a
/// line in the category's list; and its code in the keyword index of MEMORY.md.
#[allow(
    clippy::too_many_lines,
    reason = "one plan: the item, its list, its row, in the order in which they depend on each other"
)]
pub fn add(store: &Store, wanted: &AddItem, known: &Known) -> Result<Plan, Refusal> {
    let name = rules::name(&wanted.name)?;
    let description = rules::description(&wanted.description)?;
    let keywords = keywords_of(wanted, &name)?;
    let given = wanted.body.as_deref().unwrap_or(&description);
    let body = rules::body(given, newline(given))?;
    if Frontmatter::parse(&body).is_closed() {
        return Err(Refusal::Unfit {
            what: "body",
            why: "begins with frontmatter, which items of a record do not have; leave it out"
                .to_owned(),
        });
    }
    let mut warnings = rules::sensitive(
        &[
            ("category", wanted.category.name()),
            ("name", &name),
            ("description", &description),
            ("keywords", &keywords.join(", ")),
            ("body", &body),
        ],
        wanted.allow,
    )?;
    if let Some(kind) = wanted.kind.filter(|_| wanted.category_named) {
        warnings.push(Warning::TypeNotKept { kind: kind.name() });
    }
    if wanted.kind == Some(Kind::Decision) {
        decision_form(&body, wanted.revisit.is_some(), wanted.language)?;
    }
    covered(
        &name,
        &description,
        &body,
        known,
        wanted.allow,
        &mut warnings,
    )?;

    let mut set = set_of(store, "memory add")?;
    let code = next_code(store, &wanted.category)?;
    let day = format!("conversations/{}-claude.md", wanted.today);
    let talked = set.root().join(day).is_file();
    let mut item = Item {
        form: Form::Heading,
        code: None,
        title: name.clone(),
        title_range: None,
        line: 1,
        keywords,
        date: Some(wanted.today),
        source: Some(wanted.author.name().to_owned()),
        conversations: talked.then_some(wanted.today).into_iter().collect(),
        superseded: false,
        revisit: wanted.revisit,
        range: 0..0,
        body: 0..0,
    };
    let file = format!("memory/{}.md", wanted.category.name());
    let folder = format!("memory/{}", wanted.category.name());
    let page = format!("{folder}/{PAGE}");
    let is_folder = all_files(store).any(|entry| entry.file().starts_with(&format!("{folder}/")));
    let single = all_files(store).find(|entry| entry.file() == file && !is_folder);
    let words = item.keywords.join(", ");
    let (path, link, cost) = if let Some(entry) = single {
        let text = text_of(entry)?;
        taken(store, entry, &name)?;
        let end = newline(text);
        let said = format!("- {description}{end}");
        let rest = match &wanted.body {
            Some(_) => format!("{said}{end}{}", rules::body(given, end)?),
            None => said,
        };
        let new = item.render(&rest, end);
        let mut added = String::new();
        if !text.is_empty() && !text.ends_with('\n') {
            added.push_str(end);
        }
        if lines(text)
            .last()
            .is_some_and(|line| !line.text.trim().is_empty())
        {
            added.push_str(end);
        }
        added.push_str(&new);
        let after = edit::apply(text, vec![Edit::insert(text.len(), added)])?;
        check_heading(&after, &name)?;
        set.replace(&file, text.as_bytes().to_vec(), after.into_bytes());
        let link = format!("{file}#{}", items::anchor(&name));
        (file.clone(), Some(link), tokens(new.len() as u64))
    } else {
        item.form = Form::File;
        item.code = Some(code);
        item.title.clone_from(&description);
        let slug = rules::slug(&name);
        if slug.is_empty() {
            return Err(Refusal::Unfit {
                what: "name",
                why: "gives no file name (it has no letters or digits); give another".to_owned(),
            });
        }
        let file_name = format!("{:03}-{slug}.md", code.number());
        let path = format!("{folder}/{file_name}");
        let text = item.render(&body, newline(given));
        let listed = Listed {
            code,
            title: &description,
            keywords: &words,
            file: &file_name,
            date: wanted.today.to_string(),
        };
        if let Some(entry) = store.pages().iter().find(|entry| entry.file() == page) {
            let old = text_of(entry)?;
            let new = edit::apply(old, vec![listed.edit(old)])?;
            set.replace(&page, old.as_bytes().to_vec(), new.into_bytes());
        } else {
            let new = table::page(wanted.category.name(), &[listed], wanted.language);
            set.create(&page, new.into_bytes());
        }

        let cost = tokens(text.len() as u64);
        set.create(&path, text.into_bytes());
        (path, None, cost)
    };
    let before = match index_text(store)? {
        "" => title(wanted.language),
        text => text,
    };
    let (edit, row) = table::keyword_row(
        before,
        code,
        &words,
        link.as_deref(),
        &path,
        wanted.language,
    );
    let mut edits = vec![edit];
    if link.is_none() {
        edits.extend(category_line(store, &wanted.category, &page));
    }
    let after = edit::apply(before, edits)?;
    check_row(before, &after, code)?;
    within_limits(before, &after, &wanted.category)?;
    warnings.extend(size_warnings(
        store.kind(),
        tokens_without(store, "") + cost,
        None,
        &body,
    ));
    let old = store.index().map(|index| index.text().as_bytes().to_vec());
    set.put(index::FILE, old, Some(after.into_bytes()));
    Ok(Plan {
        set,
        file: path,
        index_line: Some(row),
        tokens: cost,
        warnings,
    })
}

/// A new MEMORY.md of a record.
fn title(language: Language) -> &'static str {
    match language {
        Language::Ko => "# 메모리\n",
        Language::En => place::TITLE,
        Language::De => "# Gedächtnis\n",
        Language::Zh => "# 记忆\n",
    }
}

/// A line for a category in MEMORY.md, where others have one that leads to their list.
fn category_line(store: &Store, category: &Category, page: &str) -> Option<Edit> {
    let index = store.index()?;
    if store.pages().iter().any(|entry| entry.file() == page) {
        return None;
    }
    let other = index.entries().iter().rev().find(|line| {
        let path = &index.link_of(line).path;
        path.starts_with("memory/") && path.ends_with(&format!("/{PAGE}"))
    })?;
    let name = category.name();
    let line = format!("- [{name}](memory/{name}/{PAGE}) `{}:`", category.letter());
    Some(index.insert_line(other.range.end, &line))
}

/// Entries and pages.
fn all_files(store: &Store) -> impl Iterator<Item = &Entry> {
    store.entries().iter().chain(store.pages())
}

fn text_of(entry: &Entry) -> Result<&str, Refusal> {
    if entry.is_text() {
        Ok(entry.text())
    } else {
        Err(Refusal::unreadable(entry))
    }
}

fn keywords_of(wanted: &AddItem, name: &str) -> Result<Vec<String>, Refusal> {
    if wanted.keywords.is_empty() {
        return Ok(vec![
            name.split(['-', '_', ',', ' '])
                .filter(|word| !word.is_empty())
                .collect::<Vec<_>>()
                .join(" "),
        ]);
    }
    wanted
        .keywords
        .iter()
        .flat_map(|word| items::list(word))
        .map(|word| {
            let fits = !word.contains(steers) && !word.contains(['`', '[', ']', '|', '\n', '<']);
            if fits && code::codes_in(&word).next().is_none() {
                Ok(word)
            } else {
                Err(Refusal::Unfit {
                    what: "keywords",
                    why: "are words, divided by commas, without code marks, links and bars"
                        .to_owned(),
                })
            }
        })
        .collect()
}

/// Refuses a heading that is there already.
fn taken(store: &Store, entry: &Entry, name: &str) -> Result<(), Refusal> {
    let same = |item: &&Placed| {
        store.entry(item.entry).file() == entry.file()
            && items::anchor(&item.item.title) == items::anchor(name)
    };
    match store.items().iter().find(same) {
        Some(_) => Err(Refusal::Exists {
            file: entry.file().to_owned(),
            by_name: true,
        }),
        None => Ok(()),
    }
}

/// The next code of a category: never one that was used before.
fn next_code(store: &Store, category: &Category) -> Result<Code, Refusal> {
    let letter = category.letter();
    let items = store.items().iter().flat_map(|item| {
        let by_path = Code::of_path(store.entry(item.entry).file());
        item.code.into_iter().chain(by_path)
    });
    let index = store.index().map(Index::text).unwrap_or_default();
    let said: Vec<Code> = lines(index)
        .flat_map(|line| code::codes_in(line.text))
        .map(|(code, _)| code)
        .collect();
    let archive = store.read_archive();
    let archived = archive.iter().filter_map(|entry| {
        entry
            .field("code")
            .and_then(Code::of)
            .or_else(|| items::of_file(entry.text()).code)
    });
    let titled = store.items().iter().filter_map(|item| item.item.code);
    let digits = said
        .iter()
        .copied()
        .chain(titled)
        .filter(|code| code.letter() == letter)
        .map(Code::digits)
        .max()
        .or_else(|| said.iter().map(|code| code.digits()).max())
        .unwrap_or(DIGITS);
    let last = items
        .chain(said.iter().copied())
        .chain(archived)
        .filter(|code| code.letter() == letter)
        .map(Code::number)
        .max()
        .unwrap_or(0);
    Code::new(letter, last + 1, digits).ok_or_else(|| Refusal::Unfit {
        what: "category",
        why: "has no number left for a code; split it in two".to_owned(),
    })
}

/// The heading must be read back as an item: an open fence above would swallow it.
fn check_heading(after: &str, name: &str) -> Result<(), Refusal> {
    let last = items::of_category(after).pop();
    if last.is_some_and(|item| item.title == name) {
        return Ok(());
    }
    Err(Refusal::Unfit {
        what: "name",
        why: "would not be read as an item of its file (a code block that is not closed, or headings of another level)".to_owned(),
    })
}

/// The code must stand in a table's row afterwards, and every other as before.
fn check_row(before: &str, after: &str, code: Code) -> Result<(), Refusal> {
    let all = |text: &str| -> Vec<Code> {
        let mut all: Vec<Code> = table::tables(text)
            .iter()
            .flat_map(|table| &table.rows)
            .flat_map(|row| table::codes(text, row))
            .map(|(code, _)| code)
            .collect();
        all.sort_unstable();
        all
    };
    let mut expected = all(before);
    expected.push(code);
    expected.sort_unstable();
    if all(after) == expected {
        return Ok(());
    }
    Err(Refusal::BreaksIndex(
        "a code block or comment of MEMORY.md is not closed",
    ))
}

/// Refuses what would make MEMORY.md larger than a record's index may be.
fn within_limits(before: &str, after: &str, category: &Category) -> Result<(), Refusal> {
    let counted = Counted::of(StoreKind::Record, after);
    if !counted.is_over() {
        return Ok(());
    }
    let index = Index::parse(before);
    let size = |start: usize, end: usize| -> usize {
        lines(before)
            .filter(|line| line.number >= start && line.number < end)
            .map(|line| line.next - line.start)
            .sum()
    };
    // Each part up to the next heading.
    let mut parts: Vec<(usize, usize, usize, &str)> = index
        .sections()
        .iter()
        .enumerate()
        .map(|(at, section)| {
            let end = index
                .sections()
                .get(at + 1)
                .map_or(index.line_count() + 1, |next| next.line);
            (
                size(section.line, end),
                section.line,
                end - 1,
                section.heading.as_str(),
            )
        })
        .collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.0));
    let mut what = String::new();
    for (bytes, from, to, heading) in parts.into_iter().take(NAMED) {
        let _ = write!(what, "\n  lines {from}–{to}, {bytes} bytes: {heading}");
    }
    Err(Refusal::IndexFull {
        lines: counted.lines,
        bytes: counted.bytes,
        limits: counted.limits,
        category: category.name().to_owned(),
        what,
    })
}

/// Plans another description or text of an item.
#[allow(
    clippy::too_many_lines,
    reason = "one part of the item after the other, in the order in which they depend on each other"
)]
pub(super) fn update(store: &Store, placed: &Placed, wanted: &Update) -> Result<Plan, Refusal> {
    let entry = store.entry(placed.entry);
    let text = text_of(entry)?;
    let item = &placed.item;
    let end = newline(text);
    let mut edits = Vec::new();
    let mut warnings = Vec::new();
    let mut body = &text[item.body.clone()];
    let mut lead = body.len() - body.trim_start_matches(['\r', '\n']).len();
    let mut set = set_of(store, "memory update")?;
    let description = wanted
        .description
        .as_deref()
        .map(rules::description)
        .transpose()?;
    let mut said = String::new();
    if let Some(description) = &description {
        warnings.extend(rules::sensitive(
            &[("description", description)],
            wanted.allow,
        )?);
        match (item.form, &item.title_range) {
            (Form::File, Some(range)) => {
                edits.push(Edit::replace(range.clone(), description.clone()));
                relabel(store, placed, description, &mut set)?;
            }
            (Form::File, None) => {
                return Err(Refusal::Unfit {
                    what: "description",
                    why: "is the title of an item, and this one has no heading; write one by hand"
                        .to_owned(),
                });
            }
            (Form::Heading, _) => {
                said = format!("- {description}{end}");
                // What was said in the first line goes.
                let first = lines(&body[lead..]).next();
                if let Some(first) = first.filter(|first| first.text.starts_with("- ")) {
                    let start = item.body.start + lead;
                    edits.push(Edit::replace(start..start + first.next, ""));
                    lead += first.next;
                    body = &text[item.body.clone()];
                }
            }
        }
    }
    let start = item.body.start + lead;
    let tail = body.trim_end().len().max(lead);
    let stop = item.body.start + tail;
    match &wanted.body {
        Some(given) => {
            let (Body::Replace(new) | Body::Append(new)) = given;
            warnings.extend(rules::sensitive(&[("body", new)], wanted.allow)?);
            let new = rules::new_body(new, end)?;
            let new = new.trim_end_matches(['\r', '\n']);
            match given {
                Body::Replace(_) => {
                    let gap = if said.is_empty() {
                        String::new()
                    } else {
                        format!("{said}{end}")
                    };
                    // A text where none was: the blank line stays before it, a line end behind.
                    let (gap, behind) = if body.trim().is_empty() && said.is_empty() && lead == 0 {
                        (end.to_owned(), end)
                    } else {
                        (gap, if tail == lead { end } else { "" })
                    };
                    edits.push(Edit::replace(start..stop, format!("{gap}{new}{behind}")));
                }
                Body::Append(_) => {
                    if !said.is_empty() {
                        edits.push(Edit::insert(start, said.clone()));
                    }
                    edits.push(Edit::insert(stop, format!("{end}{end}{new}")));
                }
            }
        }
        None if !said.is_empty() => edits.push(Edit::insert(start, said.clone())),
        None => {}
    }
    rules::whole(text, &edits, wanted.allow, &mut warnings)?;
    let after = edit::apply(text, edits)?;
    let item_after = after.len() + item.range.len() - text.len();
    let cost = tokens(item_after as u64);
    let new_body = wanted.body.as_ref().map_or("", |body| {
        let (Body::Replace(new) | Body::Append(new)) = body;
        new
    });
    let all = tokens_without(store, entry.file()) + tokens(after.len() as u64);
    warnings.extend(size_warnings(store.kind(), all, None, new_body));
    let row = row_of(store, placed);
    if row.is_none() && !is_reached(store, placed.entry) {
        warnings.push(Warning::NotIndexed);
    }
    counts(store, placed.entry, tokens(after.len() as u64), &mut set)?;
    set.replace(entry.file(), text.as_bytes().to_vec(), after.into_bytes());
    Ok(Plan {
        set,
        file: entry.file().to_owned(),
        index_line: row,
        tokens: cost,
        warnings,
    })
}

/// Token counts that MEMORY.md gives already follow.
fn counts(
    store: &Store,
    id: EntryId,
    cost: u64,
    set: &mut changes::ChangeSet,
) -> Result<(), Refusal> {
    let Some(index) = store.index() else {
        return Ok(());
    };
    let edits: Vec<Edit> = lines_of(store, index, id)
        .into_iter()
        .filter(|line| {
            line.suffix
                .as_ref()
                .is_some_and(|suffix| suffix.tokens != cost)
        })
        .map(|line| index.set_suffix(line, cost))
        .collect();
    if edits.is_empty() {
        return Ok(());
    }
    let old = index_text(store)?;
    let new = edit::apply(old, edits)?;
    set.replace(index::FILE, old.as_bytes().to_vec(), new.into_bytes());
    Ok(())
}

fn is_reached(store: &Store, id: EntryId) -> bool {
    store.links().iter().any(|link| {
        link.target == Target::Entry(id) && matches!(link.source, Source::Index | Source::Page(_))
    })
}

/// The row of MEMORY.md that holds an item's code.
fn row_of(store: &Store, placed: &Placed) -> Option<String> {
    let text = store.index()?.text();
    let code = placed.code?;
    table::tables(text)
        .iter()
        .flat_map(|table| &table.rows)
        .find(|row| {
            table::codes(text, row)
                .iter()
                .any(|(other, _)| *other == code)
        })
        .map(|row| text[row.range.clone()].trim_end().to_owned())
}

/// A new title in the category's list, where the old one stands there.
fn relabel(
    store: &Store,
    placed: &Placed,
    title: &str,
    set: &mut changes::ChangeSet,
) -> Result<(), Refusal> {
    let title = title.replace('|', "\\|");
    for (at, page) in store
        .pages()
        .iter()
        .enumerate()
        .filter(|(_, page)| page.is_text())
    {
        let edits: Vec<Edit> = store
            .links()
            .iter()
            .filter(|link| {
                link.source == Source::Page(at) && link.target == Target::Entry(placed.entry)
            })
            .filter_map(|link| page.links().get(link.place))
            .filter(|link| page.text().get(link.label.clone()) == Some(placed.item.title.as_str()))
            .map(|link| Edit::replace(link.label.clone(), title.clone()))
            .collect();
        if !edits.is_empty() {
            let new = edit::apply(page.text(), edits)?;
            set.replace(page.file(), page.bytes().to_vec(), new.into_bytes());
        }
    }
    Ok(())
}

/// Plans the move of an item to the archive.
pub(super) fn remove(store: &Store, placed: &Placed, wanted: &Remove) -> Result<Plan, Refusal> {
    let entry = store.entry(placed.entry);
    let text = text_of(entry)?;
    let mut set = set_of(store, "memory remove")?;
    let mut warnings = Vec::new();
    let (file, after) = match placed.item.form {
        Form::File => {
            let after = archived_text(entry, wanted)?;
            let file = archive_path(store, entry, wanted.today);
            set.rename(
                entry.file(),
                &file,
                entry.bytes().to_vec(),
                after.clone().into_bytes(),
            )
            .keep_time();
            (file, after)
        }
        Form::Heading => {
            // A block that goes on beyond the item hides what it parts.
            if edit::parts_private(text, &placed.item.range) {
                return Err(Refusal::Reveals);
            }
            let slug = rules::slug(&placed.item.title);
            let slug = if slug.is_empty() {
                "entry".to_owned()
            } else {
                slug
            };
            let own = Entry::of_bytes(
                format!("{}/{slug}.md", entry.file().trim_end_matches(".md")),
                placed.text(store).as_bytes().to_vec(),
                None,
            );
            let mut after = archived_text(
                &own,
                &Remove {
                    entry: String::new(),
                    ..wanted.clone()
                },
            )?;
            if let Some(code) = placed.code {
                let at = after.find("archived:").unwrap_or(0);
                after.insert_str(
                    at,
                    &format!(
                        "code: {}{}",
                        crate::frontmatter::scalar(&code.to_string()),
                        newline(text)
                    ),
                );
            }
            let file = archive_path(store, &own, wanted.today);
            set.create(&file, after.clone().into_bytes());
            let rest = edit::apply(text, vec![Edit::replace(placed.item.range.clone(), "")])?;
            set.replace(entry.file(), text.as_bytes().to_vec(), rest.into_bytes());
            (file, after)
        }
    };
    from_index(store, placed, &mut set)?;
    if placed.item.form == Form::File {
        from_pages(store, placed.entry, &mut set)?;
        for link in store.links() {
            if let (Source::Entry(from), Target::Entry(to)) = (link.source, &link.target)
                && *to == placed.entry
                && from != placed.entry
            {
                warnings.push(Warning::BrokenLink {
                    path: store.entry(from).file().to_owned(),
                    line: link.line,
                });
            }
        }
    }
    let cost = tokens(after.len() as u64);
    Ok(Plan {
        set,
        file,
        index_line: None,
        tokens: cost,
        warnings,
    })
}

/// The lines of MEMORY.md that speak of an item.
fn from_index(store: &Store, placed: &Placed, set: &mut changes::ChangeSet) -> Result<(), Refusal> {
    let Some(index) = store.index() else {
        return Ok(());
    };
    let old = index_text(store)?;
    let mut edits: Vec<(usize, Edit)> = placed
        .code
        .map(|code| table::without_code(old, code))
        .unwrap_or_default();
    if placed.item.form == Form::File {
        edits.extend(index_lines(store, index, placed.entry));
    }
    edits.sort_by_key(|(line, _)| *line);
    edits.dedup_by_key(|(line, _)| *line);
    let new = edit::apply(old, edits.into_iter().map(|(_, edit)| edit).collect())?;
    set.replace(index::FILE, old.as_bytes().to_vec(), new.into_bytes());
    Ok(())
}

/// The lines and rows of MEMORY.md that lead to an item's file, with what takes them out.
pub fn index_lines(store: &Store, index: &Index, id: EntryId) -> Vec<(usize, Edit)> {
    let mut edits: Vec<(usize, Edit)> = lines_of(store, index, id)
        .into_iter()
        .filter_map(|line| super::remove::item(store, index, id, line))
        .flatten()
        .map(|(line, range)| (line, Edit::replace(range, "")))
        .collect();
    let linked: Vec<usize> = store
        .links()
        .iter()
        .filter(|link| link.source == Source::Index && link.target == Target::Entry(id))
        .filter(|link| link.kind == crate::LinkKind::Markdown)
        .map(|link| link.line)
        .collect();
    for row in table::tables(index.text())
        .iter()
        .flat_map(|table| &table.rows)
    {
        if linked.contains(&row.line) {
            edits.push((row.line, Edit::replace(row.range.clone(), "")));
        }
    }
    edits
}

/// A text of MEMORY.md without an item's code.
pub fn without_code(text: &str, code: Code) -> Result<String, edit::Error> {
    let edits = table::without_code(text, code).into_iter();
    edit::apply(text, edits.map(|(_, edit)| edit).collect())
}

/// The category lists that lead to a file, each by its place in [`Store::pages`], with what takes
/// the lines out.
pub fn page_lines(store: &Store, id: EntryId) -> Vec<(usize, Vec<Edit>)> {
    let mut out = Vec::new();
    for (at, page) in store
        .pages()
        .iter()
        .enumerate()
        .filter(|(_, page)| page.is_text())
    {
        let gone: Vec<usize> = store
            .links()
            .iter()
            .filter(|link| link.source == Source::Page(at) && link.target == Target::Entry(id))
            .map(|link| link.line)
            .collect();
        let edits: Vec<Edit> = lines(page.text())
            .filter(|line| gone.contains(&line.number))
            .filter(|line| line.text.trim_start().starts_with(['|', '-', '*', '+']))
            .map(|line| Edit::replace(line.start..line.next, ""))
            .collect();
        if !edits.is_empty() {
            out.push((at, edits));
        }
    }
    out
}

/// The lines of category lists that lead to a file.
fn from_pages(store: &Store, id: EntryId, set: &mut changes::ChangeSet) -> Result<(), Refusal> {
    for (at, edits) in page_lines(store, id) {
        let page = &store.pages()[at];
        let new = edit::apply(page.text(), edits)?;
        set.replace(page.file(), page.bytes().to_vec(), new.into_bytes());
    }
    Ok(())
}

/// The item that a name means, for a change: `None` where the store has entries only. A file of
/// several items is none of them.
pub(super) fn wanted<'a>(store: &'a Store, name: &str) -> Result<Option<&'a Placed>, Refusal> {
    if store.kind() != StoreKind::Record {
        return Ok(None);
    }
    match store.item(name) {
        Some(placed) if placed.category.is_some() => Ok(Some(placed)),
        Some(_) => Ok(None),
        None => match store.find(name) {
            Some(id) => Err(Refusal::SeveralItems(store.entry(id).file().to_owned())),
            None => Err(Refusal::NoEntry(name.to_owned())),
        },
    }
}

/// A list (`index.md`) for each folder of items that has none: its path and its text.
pub fn missing_pages(store: &Store, language: Language) -> Vec<(String, String)> {
    record::categories(store)
        .into_iter()
        .filter_map(|category| {
            let folder = format!("memory/{category}/");
            let page = format!("{folder}{PAGE}");
            if store
                .pages()
                .iter()
                .any(|entry| entry.file().eq_ignore_ascii_case(&page))
            {
                return None;
            }
            let words: Vec<(Code, &Placed, String)> = store
                .items()
                .iter()
                .filter(|item| store.entry(item.entry).file().starts_with(&folder))
                .filter_map(|item| Some((item.code?, item, item.item.keywords.join(", "))))
                .collect();
            let listed: Vec<Listed<'_>> = words
                .iter()
                .map(|(code, placed, keywords)| {
                    let file = store.entry(placed.entry).file();
                    let title = placed.item.title.as_str();
                    let date = placed
                        .item
                        .date
                        .or(placed.item.conversations.iter().max().copied());
                    Listed {
                        code: *code,
                        title: if title.is_empty() {
                            stem(file.rsplit('/').next().unwrap_or(file))
                        } else {
                            title
                        },
                        keywords,
                        file: file.strip_prefix(&folder).unwrap_or(file),
                        date: date.map(|date| date.to_string()).unwrap_or_default(),
                    }
                })
                .collect();
            (!listed.is_empty()).then(|| (page, table::page(&category, &listed, language)))
        })
        .collect()
}
