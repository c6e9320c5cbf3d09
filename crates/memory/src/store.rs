//! A memory folder, read once.

use crate::code::Code;
use crate::entry::{Entry, EntryId, Unread, composed, stem};
use crate::index::{self, Index};
use crate::links::{Link, LinkKind};
use crate::record::{self, Placed};
use crate::{Error, Result};
use chrono::{DateTime, Utc};
use safe_file::Boundary;
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Largest file that is read, bytes.
pub const LARGEST: u64 = 8 << 20;

/// The folder of what is kept but no longer loaded.
pub const ARCHIVE: &str = "_archive";

/// Which of the two stores, for limits and links.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StoreKind {
    /// The client's own: entries beside MEMORY.md.
    Auto,
    /// A project's record: MEMORY.md in the root, entries in `memory/` and its categories.
    Record,
}

/// A store, read once. Nothing in it changes; read it again after a change.
#[derive(Debug)]
pub struct Store {
    kind: StoreKind,
    root: PathBuf,
    entries: Vec<Entry>,
    /// Files of a record that are no entries.
    pages: Vec<Entry>,
    items: OnceLock<Vec<Placed>>,
    index: Option<Index>,
    index_unread: Option<Unread>,
    /// Paths from the root, with `/`.
    archive: Vec<String>,
    links: OnceLock<Vec<ResolvedLink>>,
    names: OnceLock<Names>,
}

/// Where a link stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Source {
    /// In MEMORY.md.
    Index,
    /// In an entry.
    Entry(EntryId),
    /// In a record's file that is no entry; a place in [`Store::pages`].
    Page(usize),
}

/// Where a link leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// To an entry.
    Entry(EntryId),
    /// To the index.
    Index,
    /// To an archived file by its path; the path from the root.
    Archived(String),
    /// To another file or folder that exists.
    File,
    /// To nothing.
    Missing {
        /// An archived file of that name.
        archived_at: Option<String>,
    },
}

/// A link and where it leads. Links to the web, to mail addresses and within a file are none.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ResolvedLink {
    /// Where it stands.
    pub source: Source,
    /// Line, from 1.
    pub line: usize,
    /// How it is written.
    pub kind: LinkKind,
    /// As written, without anchor and alias.
    pub raw: String,
    /// Its place among the links of its source.
    pub place: usize,
    /// Where it leads.
    pub target: Target,
    /// It leads nowhere and stands in a private block: what it says is not told.
    pub hidden: bool,
}

impl ResolvedLink {
    /// What it says, as it may be told.
    pub fn shown(&self) -> &str {
        if self.hidden { "[PRIVATE]" } else { &self.raw }
    }
}

/// Entries by path, stem and name.
#[derive(Debug, Default)]
struct Names {
    files: HashMap<String, EntryId>,
    stems: HashMap<String, EntryId>,
    named: HashMap<String, EntryId>,
    /// By stem.
    archived: HashMap<String, String>,
    /// By path.
    archive: HashMap<String, String>,
}

impl Store {
    /// Reads the store in `root`: the folder that holds MEMORY.md (for a record the project's root).
    ///
    /// A file that cannot be read is an entry that says so; only a folder that cannot be listed is
    /// an error.
    pub fn open(kind: StoreKind, root: &Path) -> Result<Self> {
        match fs::metadata(root) {
            Ok(meta) if meta.is_dir() => {}
            Ok(_) => return Err(Error::NotAFolder(root.to_owned())),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
                return Err(Error::NoStore(root.to_owned()));
            }
            Err(error) => return Err(safe_file::Error::io("read", root, error).into()),
        }
        read::open(kind, root)
    }

    /// A store of a folder that a person named: a record where there is `memory/` beside MEMORY.md
    /// and no entry beside it, else as the client's.
    pub fn open_path(folder: &Path) -> Result<Self> {
        Self::open(Self::kind_of(folder), folder)
    }

    /// See [`Store::open_path`].
    pub fn kind_of(folder: &Path) -> StoreKind {
        let record = folder.join("memory").is_dir()
            && folder.join(index::FILE).is_file()
            && !fs::read_dir(folder).is_ok_and(|mut entries| {
                entries.any(|entry| {
                    entry.is_ok_and(|entry| {
                        entry.file_name().to_str().is_some_and(|name| {
                            crate::Kind::of(name.split(['-', '_']).next().unwrap_or_default())
                                .is_some()
                                && is_markdown(name)
                        })
                    })
                })
            });
        if record {
            StoreKind::Record
        } else {
            StoreKind::Auto
        }
    }

    /// A store of files in memory, for pure tests: names from the root and bytes; `MEMORY.md` is
    /// the index, `_archive/…` the archive. No file has a time.
    pub fn of_files<'a>(
        kind: StoreKind,
        files: impl IntoIterator<Item = (&'a str, &'a [u8])>,
    ) -> Self {
        let mut store = Self::empty(kind, PathBuf::new());
        for (name, bytes) in files {
            if name == index::FILE {
                store.index = Some(Index::of_bytes(bytes.to_vec()));
            } else if name.starts_with("_archive/") || name.contains("/_archive/") {
                store.archive.push(name.to_owned());
            } else {
                store
                    .entries
                    .push(Entry::of_bytes(name.to_owned(), bytes.to_vec(), None));
            }
        }
        store.sort();
        store
    }

    /// A store without anything in it: one that is still to be made.
    pub fn empty(kind: StoreKind, root: PathBuf) -> Self {
        Self {
            kind,
            root,
            entries: Vec::new(),
            pages: Vec::new(),
            items: OnceLock::new(),
            index: None,
            index_unread: None,
            archive: Vec::new(),
            links: OnceLock::new(),
            names: OnceLock::new(),
        }
    }

    fn sort(&mut self) {
        if self.kind == StoreKind::Record {
            let all = std::mem::take(&mut self.entries);
            (self.pages, self.entries) = all.into_iter().partition(record::is_page);
        }
        self.pages.sort_by(|a, b| a.file.cmp(&b.file));
        self.entries.sort_by(|a, b| a.file.cmp(&b.file));
        self.archive.sort();
    }

    /// Which store it is.
    pub fn kind(&self) -> StoreKind {
        self.kind
    }

    /// The folder that holds MEMORY.md.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The folder that entries lie in: the root, in a record `memory/` below it.
    pub fn folder(&self) -> PathBuf {
        match self.kind {
            StoreKind::Auto => self.root.clone(),
            StoreKind::Record => self.root.join("memory"),
        }
    }

    /// The archive's folder, whether it exists or not.
    pub fn archive_folder(&self) -> PathBuf {
        self.folder().join(ARCHIVE)
    }

    /// `<root>/MEMORY.md`
    pub fn index_file(&self) -> PathBuf {
        self.root.join(index::FILE)
    }

    /// The index; `None` without one, and when it could not be read.
    pub fn index(&self) -> Option<&Index> {
        self.index.as_ref()
    }

    /// Why the index was not read although something is there.
    pub fn index_unread(&self) -> Option<&Unread> {
        self.index_unread.as_ref()
    }

    /// All entries by name.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// A record's files that are no entries, by name: the lists of its categories (`index.md`) and
    /// files without any content yet.
    pub fn pages(&self) -> &[Entry] {
        &self.pages
    }

    /// A record's items, by file and line; worked out when first asked for. The client's own
    /// memory has none: there an entry is all there is.
    pub fn items(&self) -> &[Placed] {
        self.items.get_or_init(|| record::items_of(self))
    }

    /// The item that a code (`g:3`), a path, a file's stem or a title means.
    pub fn item(&self, name: &str) -> Option<&Placed> {
        let name = name.trim();
        if let Some(code) = Code::of(name) {
            return self.items().iter().find(|item| item.code == Some(code));
        }
        if let Some(id) = self.find(name) {
            let mut own = self.items().iter().filter(|item| item.entry == id);
            let first = own.next()?;
            // A file of several items is none of them.
            return (own.next().is_none()).then_some(first);
        }
        let same = |title: &str| composed(title).to_lowercase() == composed(name).to_lowercase();
        self.items().iter().find(|item| same(&item.item.title))
    }

    /// As [`Store::entries`], with the ids.
    pub fn with_ids(&self) -> impl Iterator<Item = (EntryId, &Entry)> {
        self.entries
            .iter()
            .enumerate()
            .map(|(place, entry)| (EntryId(place), entry))
    }

    /// One entry.
    ///
    /// # Panics
    /// With the id of another store.
    pub fn entry(&self, id: EntryId) -> &Entry {
        &self.entries[id.0]
    }

    /// The entry's file.
    pub fn path_of(&self, entry: &Entry) -> PathBuf {
        self.root.join(&entry.file)
    }

    /// The entry that a name means: a path from the root, a stem, or a frontmatter name, in this
    /// order; `.md` may be left out.
    pub fn find(&self, name: &str) -> Option<EntryId> {
        let name = composed(name);
        let names = self.names();
        names
            .files
            .get(&*name)
            .or_else(|| names.stems.get(stem(&name)))
            .or_else(|| names.named.get(&*name))
            .copied()
    }

    /// Archived files, paths from the root; not read.
    pub fn archive(&self) -> &[String] {
        &self.archive
    }

    /// Reads the archive. Entries that cannot be read say so.
    pub fn read_archive(&self) -> Vec<Entry> {
        let Ok(boundary) = Boundary::new(&self.root) else {
            return Vec::new();
        };
        self.archive
            .iter()
            .filter_map(|file| read::entry(&boundary, file.clone(), true))
            .collect()
    }

    /// Every link of the index and the entries, in this order; worked out when first asked for.
    pub fn links(&self) -> &[ResolvedLink] {
        self.links.get_or_init(|| {
            let mut all = Vec::new();
            if let Some(index) = &self.index {
                self.resolve_all(Source::Index, "", index.links(), index.text(), &mut all);
                if self.kind == StoreKind::Record {
                    let first = index.links().len();
                    let codes = record::mentions(self, index).into_iter().enumerate();
                    all.extend(codes.map(|(place, mention)| ResolvedLink {
                        source: Source::Index,
                        line: mention.line,
                        kind: LinkKind::Code,
                        raw: mention.raw,
                        place: first + place,
                        target: mention.target,
                        hidden: false,
                    }));
                }
            }
            let entries = self
                .with_ids()
                .map(|(id, entry)| (Source::Entry(id), entry));
            let pages = self
                .pages
                .iter()
                .enumerate()
                .map(|(at, page)| (Source::Page(at), page));
            for (source, entry) in entries.chain(pages) {
                let folder = entry.file.rsplit_once('/').map_or("", |(folder, _)| folder);
                self.resolve_all(source, folder, entry.links(), entry.text(), &mut all);
            }
            all
        })
    }

    /// The links between different entries, each pair once.
    pub fn link_pairs(&self) -> Vec<(EntryId, EntryId)> {
        let mut pairs: Vec<_> = self
            .links()
            .iter()
            .filter_map(|link| match (link.source, &link.target) {
                (Source::Entry(source), Target::Entry(target)) if source != *target => {
                    Some((source, *target))
                }
                _ => None,
            })
            .collect();
        pairs.sort_unstable();
        pairs.dedup();
        pairs
    }

    /// Where an index's entry line leads.
    pub fn target_of_line(&self, line: &index::EntryLine) -> Option<&Target> {
        let links = self.index_links();
        let at = links.binary_search_by_key(&line.link, |link| link.place);
        at.ok().map(|at| &links[at].target)
    }

    /// The links of the index, by their places.
    pub fn index_links(&self) -> &[ResolvedLink] {
        let all = self.links();
        &all[..all.partition_point(|link| link.source == Source::Index)]
    }

    fn resolve_all(
        &self,
        source: Source,
        folder: &str,
        links: &[Link],
        text: &str,
        all: &mut Vec<ResolvedLink>,
    ) {
        let mut private = None;
        for (place, link) in links.iter().enumerate() {
            if link.path.is_empty() || link.is_external() {
                continue;
            }
            let target = self.resolve(link, folder);
            // Only what leads nowhere is told of.
            let hidden = matches!(target, Target::Missing { .. })
                && private
                    .get_or_insert_with(|| redact::private_blocks(text))
                    .iter()
                    .any(|block| block.contains(&link.range.start));
            all.push(ResolvedLink {
                source,
                line: link.line,
                kind: link.kind,
                raw: link.raw(text).to_owned(),
                place,
                target,
                hidden,
            });
        }
    }

    fn resolve(&self, link: &Link, folder: &str) -> Target {
        let names = self.names();
        let path = composed(&link.path);
        if link.kind == LinkKind::Wiki {
            let bare = stem(&path);
            let page = |page: &Entry| page.name() == Some(&*path) || stem(page.file_name()) == bare;
            let hit = names
                .stems
                .get(bare)
                .or_else(|| names.named.get(&*path))
                .or_else(|| names.files.get(&*format!("{bare}.md")));
            if let Some(id) = hit {
                return Target::Entry(*id);
            }
            if bare == stem(index::FILE) {
                return Target::Index;
            }
            if self.pages.iter().any(page) {
                return Target::File;
            }
            if bare.contains('/')
                && let Some(file) = self.archived(&format!("{bare}.md"))
            {
                return Target::Archived(file);
            }
            return Target::Missing {
                archived_at: names.archived.get(last(bare)).cloned(),
            };
        }
        let from_root = normal(folder, &path);
        if let Some(from_root) = &from_root {
            if let Some(id) = names.files.get(from_root) {
                return Target::Entry(*id);
            }
            if from_root == index::FILE {
                return Target::Index;
            }
            if let Some(file) = self.archived(from_root) {
                return Target::Archived(file);
            }
            if self
                .pages
                .iter()
                .any(|page| composed(&page.file) == *from_root)
            {
                return Target::File;
            }
        }
        let on_disk = self.root.join(folder).join(&link.path);
        if !self.root.as_os_str().is_empty() && fs::metadata(on_disk).is_ok() {
            return Target::File;
        }
        Target::Missing {
            archived_at: names.archived.get(stem(last(&path))).cloned(),
        }
    }

    fn archived(&self, path: &str) -> Option<String> {
        self.names().archive.get(path).cloned()
    }

    fn names(&self) -> &Names {
        self.names.get_or_init(|| {
            let mut names = Names::default();
            for (id, entry) in self.with_ids() {
                names.files.insert(composed(&entry.file).into_owned(), id);
                names
                    .stems
                    .entry(composed(entry.stem()).into_owned())
                    .or_insert(id);
                if let Some(name) = entry.name() {
                    names.named.entry(composed(name).into_owned()).or_insert(id);
                }
            }
            for file in &self.archive {
                names
                    .archive
                    .entry(composed(file).into_owned())
                    .or_insert_with(|| file.clone());
                names
                    .archived
                    .insert(composed(stem(last(file))).into_owned(), file.clone());
            }
            names
        })
    }
}

/// `.md` as the client has it; on no system is another spelling an entry.
fn is_markdown(name: &str) -> bool {
    name.as_bytes().ends_with(b".md")
}

fn last(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

/// A path from the root without `.` and `..`; `None` when it leads out of the root.
fn normal(folder: &str, path: &str) -> Option<String> {
    if path.starts_with('/') {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in folder.split('/').chain(path.split(['/', '\\'])) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

mod read {
    use super::{
        ARCHIVE, Boundary, DateTime, Entry, Index, LARGEST, Path, Result, Store, StoreKind, Unread,
        Utc, fs, index,
    };
    use std::fs::Metadata;

    /// How deep the archive and a record's categories are looked into.
    const DEEPEST: usize = 4;

    /// From this many files on a second thread is worth its start.
    const MANY: usize = 100;

    /// A file found by listing.
    struct Listed {
        file: String,
        link: bool,
    }

    pub(super) fn open(kind: StoreKind, root: &Path) -> Result<Store> {
        let boundary = Boundary::new(root)?;
        let mut store = Store::empty(kind, root.to_owned());
        let mut listed = Vec::new();
        match kind {
            StoreKind::Auto => {
                list(&boundary, "", 0, &mut listed)
                    .map_err(|error| safe_file::Error::io("list", root, error))?;
                archive(&boundary, ARCHIVE, &mut store.archive);
            }
            StoreKind::Record => {
                match list(&boundary, "memory", DEEPEST, &mut listed) {
                    Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                        return Err(
                            safe_file::Error::io("list", &root.join("memory"), error).into()
                        );
                    }
                    _ => {}
                }
                archive(&boundary, "memory/_archive", &mut store.archive);
            }
        }
        store.entries = entries(&boundary, &listed);
        match one(&boundary, index::FILE, true) {
            Read::Bytes(bytes, _) => store.index = Some(Index::of_bytes(bytes)),
            Read::Not(why, _) => store.index_unread = Some(why),
            Read::Gone => {}
        }
        store.sort();
        Ok(store)
    }

    /// `*.md` of a folder without the index, and of its folders down to `depth`.
    fn list(
        boundary: &Boundary,
        folder: &str,
        depth: usize,
        into: &mut Vec<Listed>,
    ) -> std::io::Result<()> {
        for item in fs::read_dir(boundary.root().join(folder))? {
            let Ok(item) = item else { continue };
            let name = item.file_name();
            // A name that is not UTF-8 cannot be linked to by any text.
            let Some(name) = name.to_str() else { continue };
            let Ok(kind) = item.file_type() else { continue };
            let file = if folder.is_empty() {
                name.to_owned()
            } else {
                format!("{folder}/{name}")
            };
            if kind.is_dir() {
                if depth > 0 && !name.starts_with(['.', '_']) && name != "archive" {
                    // A folder that cannot be listed costs its own entries only.
                    let _ = list(boundary, &file, depth - 1, into);
                }
            } else if super::is_markdown(name) && !name.starts_with('.') && file != index::FILE {
                into.push(Listed {
                    file,
                    link: kind.is_symlink(),
                });
            }
        }
        Ok(())
    }

    fn archive(boundary: &Boundary, folder: &str, into: &mut Vec<String>) {
        let mut listed = Vec::new();
        // Its real folder only; a link in its place is not followed.
        let path = boundary.root().join(folder);
        if fs::symlink_metadata(&path).is_ok_and(|meta| meta.is_dir())
            && list(boundary, folder, DEEPEST, &mut listed).is_ok()
        {
            into.extend(listed.into_iter().map(|listed| listed.file));
        }
    }

    fn entries(boundary: &Boundary, listed: &[Listed]) -> Vec<Entry> {
        crate::parallel::map(listed, MANY, |listed| {
            entry(boundary, listed.file.clone(), listed.link)
        })
        .into_iter()
        .flatten()
        .collect()
    }

    /// `None` when the file is gone meanwhile.
    pub(super) fn entry(boundary: &Boundary, file: String, link: bool) -> Option<Entry> {
        match one(boundary, &file, link) {
            Read::Bytes(bytes, modified) => Some(Entry::of_bytes(file, bytes, modified)),
            Read::Not(why, meta) => {
                let (size, modified) = meta.map_or((0, None), |meta| (meta.len(), time(&meta)));
                Some(Entry::unread(file, size, modified, why))
            }
            Read::Gone => None,
        }
    }

    enum Read {
        Bytes(Vec<u8>, Option<DateTime<Utc>>),
        Not(Unread, Option<Metadata>),
        Gone,
    }

    /// Reads one file; `link` when it may be one, which is then resolved inside the boundary.
    fn one(boundary: &Boundary, file: &str, link: bool) -> Read {
        let path = if link {
            match boundary.resolve(Path::new(file)) {
                Ok(path) => path,
                Err(error) => return Read::Not(why_not(&boundary.root().join(file), &error), None),
            }
        } else {
            boundary.root().join(file)
        };
        match safe_file::read_with_metadata(&path, LARGEST) {
            Ok(Some((bytes, meta))) => Read::Bytes(bytes, time(&meta)),
            Ok(None) if link && fs::symlink_metadata(boundary.root().join(file)).is_ok() => {
                Read::Not(Unread::LinkOutside, None)
            }
            Ok(None) => Read::Gone,
            Err(error) => {
                let meta = fs::metadata(&path).ok();
                let why = match (&error, &meta) {
                    (_, Some(meta)) if !meta.is_file() => Unread::NotAFile,
                    (_, Some(meta)) if meta.len() > LARGEST => Unread::TooLarge,
                    (safe_file::Error::Io { source, .. }, _) => Unread::Failed(source.to_string()),
                    (error, _) => Unread::Failed(error.to_string()),
                };
                Read::Not(why, meta)
            }
        }
    }

    /// Why a file that may be a link was not resolved.
    fn why_not(path: &Path, error: &safe_file::Error) -> Unread {
        match (fs::symlink_metadata(path), error) {
            (Ok(meta), _) if meta.is_symlink() => Unread::LinkOutside,
            (Ok(meta), _) if !meta.is_file() => Unread::NotAFile,
            (_, safe_file::Error::Io { source, .. }) => Unread::Failed(source.to_string()),
            (_, error) => Unread::Failed(error.to_string()),
        }
    }

    fn time(meta: &Metadata) -> Option<DateTime<Utc>> {
        meta.modified().ok().map(DateTime::<Utc>::from)
    }
}
