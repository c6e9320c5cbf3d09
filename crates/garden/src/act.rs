//! What of a proven plan is approved, as one set of changes.

use crate::check::{Checked, CheckedGate, CheckedItem, edits};
use crate::plan::{Action, Gate, Plan};
use crate::runs;
use crate::scan::Scan;
use crate::verdict::Verdict;
use changes::ChangeSet;
use memory::capture::{Reason, Refusal, Remove, index_lines, record};
use memory::edit::{self, Edit};
use memory::frontmatter::scalar;
use memory::{
    Entry, EntryId, Kind, LinkKind, ResolvedLink, Source, StoreKind, Target, index, lines, tokens,
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// What would be done, and what follows from it.
#[derive(Debug)]
pub struct Built {
    /// All files.
    pub set: ChangeSet,
    /// The same without the garden's own notes: what a person is shown.
    pub shown: ChangeSet,
    /// What is done, in order.
    pub acted: Vec<Acted>,
    /// Links to what goes; they lead nowhere afterwards.
    pub dead: Vec<DeadLink>,
    /// Lines of MEMORY.md before and after.
    pub index_lines: Option<(usize, usize)>,
    /// What a person should know.
    pub notes: Vec<String>,
}

/// One number that is carried out.
#[derive(Debug, Clone, Serialize)]
pub struct Acted {
    /// The number.
    pub id: u32,
    /// The verdict.
    pub verdict: Verdict,
    /// What is done.
    pub action: Action,
    /// The entry.
    pub entry: String,
    /// Where it goes, what takes it over, or the new file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub to: Option<String>,
    /// Its size before, bytes.
    pub bytes: u64,
}

/// A link that leads nowhere afterwards.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct DeadLink {
    /// Where it stands.
    pub file: String,
    /// The line.
    pub line: usize,
    /// To what.
    pub to: String,
}

/// Why a set cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// Something of the store stands against it.
    #[error(transparent)]
    Store(#[from] Refusal),
    /// An edit does not fit any more.
    #[error("number {0}: {1}")]
    Edit(u32, String),
}

impl Error {
    /// 3 for what cannot be read, 4 for what is refused.
    pub fn exit_code(&self) -> u8 {
        match self {
            Self::Store(refusal) => refusal.exit_code(),
            Self::Edit(..) => 4,
        }
    }
}

impl From<changes::Error> for Error {
    fn from(error: changes::Error) -> Self {
        Self::Store(error.into())
    }
}

impl From<edit::Error> for Error {
    fn from(error: edit::Error) -> Self {
        Self::Store(error.into())
    }
}

/// The file that keeps the garden's runs, from the store's root.
pub(crate) fn runs_file(kind: StoreKind) -> String {
    match kind {
        StoreKind::Auto => runs::FILE.to_owned(),
        StoreKind::Record => format!("memory/{}", runs::FILE),
    }
}

impl Built {
    /// The files that are touched and their bytes now, for [`crate::fingerprint::Fingerprint`].
    pub fn touched(&self) -> impl Iterator<Item = (String, Option<&[u8]>)> {
        self.shown
            .changes()
            .map(|change| (change.path().display().to_string(), change.before()))
    }

    /// What takes over the entries that are merged, and its bytes: an entry goes only for what it says.
    pub fn kept<'a>(&self, scan: &'a Scan) -> Vec<(String, Option<&'a [u8]>)> {
        let keepers = self
            .acted
            .iter()
            .filter(|done| done.action == Action::Merge)
            .filter_map(|done| scan.store.find(done.to.as_deref()?));
        keepers
            .map(|id| scan.store.entry(id))
            .map(|entry| (entry.file().to_owned(), Some(entry.bytes())))
            .collect()
    }

    /// Plans what is approved. Numbers that are not ready are left out.
    pub fn of(
        scan: &Scan,
        plan: &Plan,
        checked: &Checked,
        approved: &BTreeSet<u32>,
    ) -> Result<Self, Error> {
        let mut work = Work::new(scan, plan)?;
        let items: BTreeMap<u32, &CheckedItem> =
            checked.items.iter().map(|item| (item.id, item)).collect();
        let gates: BTreeMap<u32, &CheckedGate> =
            checked.gates.iter().map(|gate| (gate.id, gate)).collect();
        for id in checked.order.iter().filter(|id| approved.contains(id)) {
            if let Some(item) = items.get(id) {
                work.item(item)?;
            } else if let Some(gate) = gates.get(id) {
                work.gate(gate, &plan.gates[gate.place]);
            }
        }
        work.finish(checked)
    }
}

struct Work<'a> {
    scan: &'a Scan,
    plan: &'a Plan,
    set: ChangeSet,
    acted: Vec<Acted>,
    edits: BTreeMap<EntryId, Vec<Edit>>,
    told: BTreeMap<EntryId, String>,
    gone: BTreeMap<EntryId, Option<String>>,
    new_lines: BTreeMap<Kind, Vec<String>>,
    taken: BTreeSet<String>,
    dead: Vec<DeadLink>,
    notes: Vec<String>,
}

impl<'a> Work<'a> {
    fn new(scan: &'a Scan, plan: &'a Plan) -> Result<Self, Error> {
        Ok(Self {
            scan,
            plan,
            set: ChangeSet::inside("garden apply", scan.store.root())?,
            acted: Vec::new(),
            edits: BTreeMap::new(),
            told: BTreeMap::new(),
            gone: BTreeMap::new(),
            new_lines: BTreeMap::new(),
            taken: BTreeSet::new(),
            dead: Vec::new(),
            notes: Vec::new(),
        })
    }

    fn entry(&self, file: &str) -> Result<(EntryId, &'a Entry), Error> {
        let found = self
            .scan
            .store
            .with_ids()
            .find(|(_, entry)| entry.file() == file);
        found.ok_or_else(|| Refusal::NoEntry(file.to_owned()).into())
    }

    fn item(&mut self, item: &CheckedItem) -> Result<(), Error> {
        let (id, entry) = self.entry(&item.entry)?;
        let written = &self.plan.entries[item.place];
        if entry.why_unread().is_some() {
            return Err(Refusal::unreadable(entry).into());
        }
        let mut to = None;
        match item.action {
            Action::Keep | Action::Gate => return Ok(()),
            Action::Edit => {
                let own = edits::of(entry, written).map_err(|why| Error::Edit(item.id, why))?;
                self.edits.entry(id).or_default().extend(own);
                if let Some(description) = &written.description {
                    self.told.insert(id, description.clone());
                }
            }
            Action::Delete => {
                self.gone.insert(id, None);
                self.set.remove(entry.file(), entry.bytes().to_vec());
            }
            Action::Archive => {
                let reason = match item.verdict {
                    Verdict::Resolved => Reason::Resolved,
                    Verdict::Promoted => Reason::Promoted,
                    _ => Reason::Completed,
                };
                to = Some(self.archive(id, entry, reason)?);
            }
            Action::Merge => {
                let keeper = item.target.clone().unwrap_or_default();
                let (keeper_id, keeper_entry) = self.entry(&keeper)?;
                if let Some(text) = written
                    .append
                    .as_deref()
                    .filter(|text| !text.trim().is_empty())
                {
                    if !keeper_entry.is_text() {
                        return Err(Refusal::unreadable(keeper_entry).into());
                    }
                    let at = keeper_entry.text().len();
                    let addition = appended(keeper_entry.text(), text);
                    let own = self.edits.entry(keeper_id).or_default();
                    own.push(Edit::insert(at, addition));
                }
                self.archive(id, entry, Reason::Duplicate)?;
                to = Some(keeper);
            }
        }
        self.acted.push(Acted {
            id: item.id,
            verdict: item.verdict,
            action: item.action,
            entry: item.entry.clone(),
            to,
            bytes: entry.size(),
        });
        Ok(())
    }

    fn archive(&mut self, id: EntryId, entry: &Entry, reason: Reason) -> Result<String, Error> {
        let wanted = Remove {
            entry: entry.file().to_owned(),
            reason,
            today: self.scan.now.date_naive(),
        };
        let after = if entry.is_text() {
            memory::capture::remove::archived_text(entry, &wanted)?.into_bytes()
        } else {
            self.notes.push(format!(
                "{} is not UTF-8, so it is archived as it is",
                entry.file()
            ));
            entry.bytes().to_vec()
        };
        let free = memory::capture::remove::archive_path(&self.scan.store, entry, wanted.today);
        let mut path = free.clone();
        let mut number = 2;
        // Two entries of one name, from two folders.
        while !self.taken.insert(path.clone()) {
            path = format!("{}-{number}.md", free.trim_end_matches(".md"));
            number += 1;
        }
        // When it was last tended still tells how long it lived.
        self.set
            .rename(entry.file(), &path, entry.bytes().to_vec(), after)
            .keep_time();
        self.gone.insert(id, Some(path.clone()));
        Ok(path)
    }

    fn gate(&mut self, gate: &CheckedGate, written: &Gate) {
        let members: Vec<usize> = (0..self.scan.entries.len())
            .filter(|at| gate.members.contains(&self.scan.entries[*at].file))
            .collect();
        let kind = crate::plan::kind_of(self.scan, &members);
        let text = gate_text(self.scan, written, &members, kind);
        let cost = tokens(text.len() as u64);
        let line = index_lines::line(&gate.file, &written.description, cost);
        let line = format!("- ★ {}", line.strip_prefix("- ").unwrap_or(&line));
        self.new_lines.entry(kind).or_default().push(line);
        self.acted.push(Acted {
            id: gate.id,
            verdict: Verdict::Consolidate,
            action: Action::Gate,
            entry: gate.file.clone(),
            to: None,
            bytes: 0,
        });
        self.set.create(&gate.file, text.into_bytes());
    }

    fn finish(mut self, checked: &Checked) -> Result<Built, Error> {
        let store = &self.scan.store;
        let mut costs: BTreeMap<EntryId, u64> = BTreeMap::new();
        for (id, edits) in std::mem::take(&mut self.edits) {
            let entry = store.entry(id);
            let after = edit::apply(entry.text(), edits)?;
            costs.insert(id, tokens(after.len() as u64));
            self.set
                .replace(entry.file(), entry.bytes().to_vec(), after.into_bytes());
        }
        self.pages()?;
        let index_lines = self.index(&costs)?;
        for link in store.links() {
            if let Source::Entry(from) = link.source
                && !self.gone.contains_key(&from)
            {
                self.leads_nowhere(store.entry(from).file(), link);
            }
        }
        let shown = self.set.clone();
        let path = runs_file(store.kind());
        let before = self.set.read(path.as_ref())?;
        let noted = runs::appended(
            before.as_deref(),
            self.scan,
            self.plan,
            checked,
            &self.acted,
        );
        if let Some(after) = noted {
            self.set.put(&path, before, Some(after)).set_mode(0o600);
        }
        Ok(Built {
            set: self.set,
            shown,
            acted: self.acted,
            dead: self.dead,
            index_lines,
            notes: self.notes,
        })
    }

    /// Takes note of a link to what goes.
    fn leads_nowhere(&mut self, file: &str, link: &ResolvedLink) {
        if let Target::Entry(to) = &link.target
            && self.gone.contains_key(to)
        {
            self.dead.push(DeadLink {
                file: file.to_owned(),
                line: link.line,
                to: self.scan.store.entry(*to).file().to_owned(),
            });
        }
    }

    /// The lists of a record's categories no longer name what goes.
    fn pages(&mut self) -> Result<(), Error> {
        let store = &self.scan.store;
        let mut pages: BTreeMap<usize, Vec<Edit>> = BTreeMap::new();
        for id in self.gone.keys() {
            for (page, edits) in record::page_lines(store, *id) {
                pages.entry(page).or_default().extend(edits);
            }
        }
        for (page, mut edits) in pages {
            let at = page;
            let page = &store.pages()[at];
            once(&mut edits);
            for link in store
                .links()
                .iter()
                .filter(|link| link.source == Source::Page(at))
            {
                let written = page.links().get(link.place);
                if written.is_some_and(|written| !in_one(&edits, written.range.start)) {
                    self.leads_nowhere(page.file(), link);
                }
            }
            let after = edit::apply(page.text(), edits)?;
            self.set
                .replace(page.file(), page.bytes().to_vec(), after.into_bytes());
        }
        Ok(())
    }

    fn index(&mut self, costs: &BTreeMap<EntryId, u64>) -> Result<Option<(usize, usize)>, Error> {
        let store = &self.scan.store;
        let index = match (store.index(), store.index_unread()) {
            (Some(index), _) if index.is_text() => index,
            (None, None) => {
                if !self.new_lines.is_empty() {
                    self.notes
                        .push("there is no MEMORY.md that could point to what is new".to_owned());
                }
                return Ok(None);
            }
            _ => return Err(Refusal::unreadable_index(store).into()),
        };
        let mut edits = Vec::new();
        for line in index.entries() {
            let Some(Target::Entry(id)) = store.target_of_line(line) else {
                continue;
            };
            // A line that speaks of another entry too is the person's text.
            if !index_lines::lines_of(store, index, *id).contains(&line) {
                if self.gone.contains_key(id) || self.told.contains_key(id) {
                    self.notes.push(format!(
                        "MEMORY.md:{} links to {} and to another entry, and was left as it is",
                        line.line,
                        store.entry(*id).file()
                    ));
                }
            } else if self.gone.contains_key(id) {
                match index_lines::item(store, index, *id, line) {
                    Some(lines) => {
                        let lines = lines.into_iter();
                        edits.extend(lines.map(|(_, range)| Edit::replace(range, "")));
                    }
                    None => self.notes.push(format!(
                        "MEMORY.md:{} links to {} and goes on with a line about another entry or with a comment that goes on below, and was left as it is",
                        line.line,
                        store.entry(*id).file()
                    )),
                }
            } else if let Some(cost) = costs.get(id) {
                let told = self.told.get(id).map(String::as_str);
                // A count that is missing is put there on request only.
                let cost = line.suffix.as_ref().map(|_| *cost);
                edits.extend(index_lines::line_edits(index, line, told, cost));
            }
        }
        if store.kind() == StoreKind::Record {
            for id in self.gone.keys() {
                let lines = record::index_lines(store, index, *id).into_iter();
                edits.extend(lines.map(|(_, edit)| edit));
            }
        }
        edits.extend(index_lines::insertions(store, index, &self.new_lines));
        once(&mut edits);
        // Codes are taken out below, wherever they stand.
        let links = store.index_links().iter();
        for link in links.filter(|link| link.kind != LinkKind::Code) {
            let written = index.links().get(link.place);
            if written.is_some_and(|written| !in_one(&edits, written.range.start)) {
                self.leads_nowhere(index::FILE, link);
            }
        }
        let mut after = edit::apply(index.text(), edits)?;
        for item in store
            .items()
            .iter()
            .filter(|item| self.gone.contains_key(&item.entry))
        {
            if let Some(code) = item.code {
                after = record::without_code(&after, code)?;
            }
        }
        let counts = (index.line_count(), lines::lines(&after).count());
        self.set.replace(
            index::FILE,
            index.text().as_bytes().to_vec(),
            after.into_bytes(),
        );
        Ok(Some(counts))
    }
}

/// Whether a byte goes or is replaced.
fn in_one(edits: &[Edit], at: usize) -> bool {
    edits.iter().any(|edit| edit.range.contains(&at))
}

/// Two entries may stand on one line that goes.
fn once(edits: &mut Vec<Edit>) {
    edits.sort_by_key(|edit| (edit.range.start, edit.range.end));
    edits.dedup_by(|later, kept| {
        later.range == kept.range && !kept.range.is_empty() && later.with == kept.with
    });
}

/// What is put behind a text: a blank line before it, the text's line ends.
pub(crate) fn appended(text: &str, new: &str) -> String {
    let end = lines::newline(text);
    let mut out = String::new();
    if !text.is_empty() && !text.ends_with('\n') {
        out.push_str(end);
    }
    let blank = lines::lines(text)
        .last()
        .is_none_or(|line| line.text.trim().is_empty());
    if !blank {
        out.push_str(end);
    }
    for line in lines::lines(new.trim_end()) {
        out.push_str(line.text);
        out.push_str(end);
    }
    out
}

/// A new entry that lists its members and says what they say.
fn gate_text(scan: &Scan, gate: &Gate, members: &[usize], kind: Kind) -> String {
    let mut out = format!(
        "---\nname: {}\ndescription: {}\ntype: {}\nmeta_gate: true\n---\n\n# {}\n",
        scalar(&gate.name),
        scalar(&gate.description),
        kind.name(),
        gate.name.trim()
    );
    if let Some(summary) = gate
        .summary
        .as_deref()
        .map(str::trim)
        .filter(|s| !s.is_empty())
    {
        let _ = write!(out, "\n{summary}\n");
    }
    out.push('\n');
    for at in members {
        let entry = scan.store.entry(scan.entries[*at].id);
        let target = entry
            .file()
            .strip_prefix("memory/")
            .filter(|_| scan.store.kind() == StoreKind::Record)
            .unwrap_or(entry.file());
        let target = if target.contains([' ', '(', ')']) {
            format!("<{target}>")
        } else {
            target.to_owned()
        };
        let _ = write!(out, "- [{}]({target})", entry.file_name());
        // A secret in a description is not written a second time.
        let said = entry
            .description()
            .filter(|said| memory::audit::secrets(said).next().is_none());
        if let Some(said) = said {
            let _ = write!(out, " — {}", said.replace(['\n', '\r'], " "));
        }
        out.push('\n');
    }
    out
}
