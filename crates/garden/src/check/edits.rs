//! Whether lines can be edited as a plan says.

use super::{Cause, CheckedItem, short};
use crate::plan::{Item, LineEdit};
use crate::verdict::Verdict;
use crate::view::View;
use memory::edit::{self, Edit};
use memory::{Entry, Frontmatter, Store, lines};
use mnemo_home::text::overrides;

/// Why an item's edits are never made, whatever is approved.
pub(super) fn refused(store: &Store, view: &View, item: &Item) -> Option<String> {
    let entry = store.entry(view.id);
    for edit in &item.edits {
        if edit.remove && edit.new.is_some() {
            return Some(format!(
                "the edit of line {} has both `new:` and `remove: true`; leave one out",
                edit.line
            ));
        }
        let new = edit.new.as_deref();
        if let Some(why) = new.and_then(|text| never_written("new text", text)) {
            return Some(why);
        }
    }
    for (what, text) in [
        ("append", item.append.as_deref()),
        ("description", item.description.as_deref()),
    ] {
        if let Some(why) = text.and_then(|text| never_written(what, text)) {
            return Some(why);
        }
    }
    if let Some(description) = &item.description
        && let Err(why) = memory::capture::description(description)
    {
        return Some(why.to_string());
    }
    let edits = of(entry, item).ok()?;
    let after = edit::apply(entry.text(), edits.clone()).ok()?;
    if keeps_names(entry.text(), &after).is_err() {
        return Some("name and type are never changed; edit the file by hand".to_owned());
    }
    if edit::reveals(entry.text(), &edits) {
        return Some(format!(
            "what stands in a <private> block of {} could be read then; edit the file by hand, and take out the block as a whole",
            view.file
        ));
    }
    if let Some(why) = made(&view.file, entry.text(), &after) {
        return Some(why);
    }
    let keeper = item.target.as_deref().zip(item.append.as_deref());
    let keeper =
        keeper.and_then(|(target, append)| Some((store.entry(store.find(target)?), append)));
    let (keeper, append) = keeper.filter(|(keeper, _)| keeper.is_text())?;
    let after = keeper.text().to_owned() + &crate::act::appended(keeper.text(), append);
    made(keeper.file(), keeper.text(), &after)
}

/// Harmless pieces can make one secret together, and one with what stands around them.
fn made(file: &str, before: &str, after: &str) -> Option<String> {
    if let Some((line, kind)) = memory::audit::secret_made(before, after) {
        return Some(format!(
            "line {line} of {file} would hold what looks like a secret then ({kind}); take it out"
        ));
    }
    let hides = |text: &str| !redact::private_blocks(text).is_empty();
    (hides(after) && !hides(before))
        .then(|| format!("{file} would hold a <private> block then, which never reaches a file"))
}

/// What no tool writes into a memory.
pub(crate) fn never_written(what: &str, text: &str) -> Option<String> {
    if redact::clean(text, redact::Policy { secrets: false }).as_str() != text {
        return Some(format!(
            "the {what} holds a <private> block, which never reaches a file"
        ));
    }
    if text.replace("\r\n", "\n").contains(overrides) {
        return Some(format!(
            "the {what} holds control characters, which are not shown; take them out"
        ));
    }
    let (line, kind) = memory::audit::secrets(text).next()?;
    Some(format!(
        "the {what}, line {line}, holds what looks like a secret ({kind}); take it out"
    ))
}

/// The lines say the same name and type as before, and the frontmatter is as readable.
fn keeps_names(before: &str, after: &str) -> Result<(), ()> {
    let (old, new) = (Frontmatter::parse(before), Frontmatter::parse(after));
    let same = ["name", "type", "metadata.type"].into_iter().all(|key| {
        let all = |front: &Frontmatter| -> Vec<String> {
            front
                .fields()
                .iter()
                .filter(|field| field.key == key)
                .map(|field| field.text.clone())
                .collect()
        };
        all(&old) == all(&new)
    });
    if same && old.state() == new.state() && (old.yaml().is_err() || new.yaml().is_ok()) {
        Ok(())
    } else {
        Err(())
    }
}

/// Says which edits are open and which do not fit; moved lines are found again.
pub(super) fn prove(view: &View, item: &Item, out: &mut CheckedItem) {
    if item.edits.is_empty() && item.description.is_none() {
        out.find(
            Cause::Open,
            "no edit says what is true now: fill in `edits:`",
        );
        return;
    }
    for wanted in &item.edits {
        match place(view, wanted) {
            Err(why) => {
                out.demote(Verdict::Stale, Cause::Edit, why);
                return;
            }
            Ok(line) if line != wanted.line => out.find(
                Cause::MovedLine,
                format!(
                    "{}:{}: it stands in line {line} now",
                    view.path, wanted.line
                ),
            ),
            Ok(_) => {}
        }
        if wanted.is_open() {
            out.find(
                Cause::Open,
                format!("line {}: `new:` is still to be written", wanted.line),
            );
        }
    }
}

/// The line that an edit means: where it says, else the only one that holds the old words.
fn place(view: &View, wanted: &LineEdit) -> Result<usize, String> {
    let number = locate(view.lines.iter().map(String::as_str), wanted)?;
    Ok(number)
}

fn locate<'a>(all: impl Iterator<Item = &'a str>, wanted: &LineEdit) -> Result<usize, String> {
    let old = wanted.old.as_str();
    if old.trim().is_empty() || old.contains('\n') {
        return Err(format!(
            "line {}: `old:` must be words of that line",
            wanted.line
        ));
    }
    let holding: Vec<(usize, usize)> = all
        .enumerate()
        .map(|(at, text)| (at + 1, text.matches(old).count()))
        .filter(|(_, count)| *count > 0)
        .collect();
    let said = holding.iter().find(|(line, _)| *line == wanted.line);
    match (said, holding.as_slice()) {
        (Some((line, 1)), _) | (None, [(line, 1)]) => Ok(*line),
        (_, []) => Err(format!(
            "line {}: “{}” stands nowhere in it",
            wanted.line,
            short(old)
        )),
        _ => Err(format!(
            "line {}: “{}” stands there more than once or on several other lines",
            wanted.line,
            short(old)
        )),
    }
}

/// The edits of an item, as edits of the entry's bytes; open ones are left out.
pub(crate) fn of(entry: &Entry, item: &Item) -> Result<Vec<Edit>, String> {
    if !entry.is_text() {
        return Err(format!(
            "{} cannot be read as UTF-8 text; convert it first",
            entry.file()
        ));
    }
    let text = entry.text();
    let end = lines::newline(text);
    let mut edits = Vec::new();
    for wanted in item.edits.iter().filter(|edit| !edit.is_open()) {
        let number = locate(entry.lines().map(|line| line.text), wanted)?;
        let Some(line) = entry.lines().nth(number - 1) else {
            continue;
        };
        if wanted.remove {
            edits.push(Edit::replace(line.start..line.next, ""));
            continue;
        }
        let Some(new) = &wanted.new else { continue };
        let Some(at) = line.text.find(&wanted.old) else {
            continue;
        };
        let start = line.start + at;
        let new = new.replace("\r\n", "\n").replace('\n', end);
        edits.push(Edit::replace(start..start + wanted.old.len(), new));
    }
    if let Some(description) = &item.description
        && entry.description() != Some(description)
    {
        edits.push(edit::set_field(entry, "description", description).map_err(|e| e.to_string())?);
    }
    Ok(edits)
}
