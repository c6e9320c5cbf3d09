//! Paths: how they are written, where they lead, what became of them.

use super::elsewhere::{found_elsewhere, told_elsewhere};
use super::ground::Ground;
use super::judge::clause;
use super::known::GENERAL_FILES;
use super::mention::{Mention, Where};
use super::moves::last_segment;
use super::no_path::no_path;
use super::shape::{is_data, known_ending, last_part, without_line};
use super::{Kind, Reason, Status, cues};
use std::path::PathBuf;
use unicode_normalization::UnicodeNormalization as _;

/// A path as a mention writes it, taken apart.
pub(super) struct Named {
    /// With `/`, without `./`, the line and a slash at the end; below the root where the text names
    /// the project's folder.
    pub(super) path: String,
    pub(super) line: Option<usize>,
    /// It ended with a slash.
    pub(super) folder: bool,
    /// It is absolute and does not lead through the project.
    pub(super) foreign: bool,
}

impl Named {
    pub(super) fn parts(&self) -> Vec<&str> {
        self.path
            .split('/')
            .filter(|part| !part.is_empty())
            .collect()
    }
}

/// Where a path with blanks leads, if there is one.
pub(super) fn of_spaced(ground: &Ground, text: &str) -> Option<String> {
    Written::of(ground, text)
        .readings
        .iter()
        .filter(|named| named.path.contains(' '))
        .find_map(|named| resolve(ground, named))
}

/// What is known of a path by its text alone.
pub(super) struct Known {
    /// What of the text is the path, where words of another script run into it.
    core: Option<String>,
    /// The file is there and has only so many lines.
    lines: Option<usize>,
    /// As it stands.
    named: Named,
    /// Where it leads.
    there: Option<String>,
    /// What became of a place that the text calls `~/.claude/…`.
    at_the_client: Option<Status>,
    /// In a code span it is a member that the sources know.
    member: bool,
    /// Where documents and history say that it went.
    told: Vec<String>,
    /// The repository once held it.
    deleted: bool,
    /// Where something of its name, or nearly, lies.
    alike: Vec<String>,
}

impl Known {
    pub(super) fn of(ground: &Ground, text: &str) -> Self {
        let mut written = Written::of(ground, text);
        let there = written
            .readings
            .iter()
            .find_map(|named| resolve(ground, named));
        // `文档/x.md` as it stands may be there; what is not there is judged by the path in it.
        let core = path_in(text).filter(|_| {
            let whole = written.readings.first();
            whole.is_none_or(|whole| there.is_none() || there.as_ref() != Some(&whole.path))
        });
        let named = match core {
            Some(core) => Named::of(ground, core),
            None => written.readings.swap_remove(0),
        };
        let lines = named.line.filter(|_| there.is_none()).and_then(|_| {
            let is_file = ground.project.has_file(&named.path);
            is_file
                .then(|| Ground::lines_of(&ground.places.root.join(&named.path)))
                .flatten()
        });
        let mut known = Self {
            core: core.map(str::to_owned),
            lines,
            named,
            there,
            at_the_client: None,
            member: false,
            told: Vec::new(),
            deleted: false,
            alike: Vec::new(),
        };
        if known.there.is_some() {
            return known;
        }
        if let Some(place) = written.at_the_client {
            known.at_the_client = Some(if place.exists() {
                Status::Exists(Some(text.to_owned()))
            } else if GENERAL_FILES.contains(&last_part(text)) {
                Status::NotAPath(Reason::OutsideProject)
            } else {
                Status::Gone
            });
            return known;
        }
        let named = &known.named;
        let deleted = ground.deleted_tail(&named.path);
        known.member = is_member(text) && !deleted && ground.found.contains(last_segment(text));
        if !named.foreign {
            known.told = told_elsewhere(ground, named);
            known.deleted = deleted;
        }
        if known.told.is_empty() {
            known.alike = found_elsewhere(ground, named);
        }
        known
    }

    pub(super) fn core(&self) -> Option<&str> {
        self.core.as_deref()
    }

    pub(super) fn lines(&self) -> Option<usize> {
        self.lines
    }

    pub(super) fn is_there(&self, place: Where) -> bool {
        self.there.is_some()
            || matches!(self.at_the_client, Some(Status::Exists(_)))
            || self.member && place == Where::Span
    }
}

pub(super) fn judge(ground: &Ground, mention: &Mention, known: &Known) -> (Kind, Status) {
    if let Some(place) = &known.there {
        return (Kind::Path, Status::Exists(Some(place.clone())));
    }
    if let Some(status) = &known.at_the_client {
        return (Kind::Path, status.clone());
    }
    // `a.b` may be a member: the sources know it then.
    if known.is_there(mention.place) {
        return (Kind::Symbol, Status::Exists(None));
    }
    if !known.told.is_empty() {
        return (Kind::Path, Status::Moved(known.told.clone()));
    }
    if !known.deleted
        && let Some(reason) = no_path(ground, mention, &known.named)
    {
        return (Kind::Path, Status::NotAPath(reason));
    }
    if !known.deleted && known.lines.is_none() {
        let clause = clause(mention);
        if cues::forbids_or_plans(clause) {
            return (Kind::Path, Status::NotAPath(Reason::Prose));
        }
        if cues::speaks_of_others(clause) {
            return (Kind::Path, Status::NotAPath(Reason::OutsideProject));
        }
    }
    let status = if known.alike.is_empty() {
        Status::Gone
    } else {
        Status::Moved(known.alike.clone())
    };
    (Kind::Path, status)
}

/// The ways to read what is written.
struct Written {
    /// Never empty, the likeliest first: as it stands, then without letters of another script at its end.
    readings: Vec<Named>,
    /// What the text calls `~/.claude/…`.
    at_the_client: Option<PathBuf>,
}

impl Written {
    fn of(ground: &Ground, text: &str) -> Self {
        let mut readings = vec![Named::of(ground, text)];
        let without = text.trim_end_matches(|c: char| !c.is_ascii() && c.is_alphanumeric());
        if without.len() < text.len() && without.contains(['/', '.']) {
            readings.push(Named::of(ground, without));
        }
        readings.extend(path_in(text).map(|core| Named::of(ground, core)));
        readings.extend(before_a_word(text).map(|path| Named::of(ground, path)));
        // File systems keep names composed or taken apart (Hangul, umlauts); texts hold either.
        if !text.is_ascii() {
            for other in [text.nfc().collect::<String>(), text.nfd().collect()] {
                if other != text {
                    readings.push(Named::of(ground, &other));
                }
            }
        }
        let (path, _) = without_line(text);
        let path = path.replace('\\', "/");
        let at_the_client = path
            .strip_prefix("~/.claude/")
            .zip(ground.places.claude.as_ref())
            .map(|(below, claude)| claude.join(below.trim_end_matches('/')));
        Self {
            readings,
            at_the_client,
        }
    }
}

/// The path that Han characters run into: Chinese sets no blanks between words.
fn path_in(text: &str) -> Option<&str> {
    let is_han = |c: char| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}');
    let core = text.trim_start_matches(is_han);
    if core.len() == text.len() || !core.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        return None;
    }
    let core = core.trim_end_matches(is_han);
    (core.contains('/') || known_ending(core).is_some()).then_some(core)
}

/// The path in a German compound: `src/a.py-Datei`.
fn before_a_word(text: &str) -> Option<&str> {
    let (path, word) = text.rsplit_once('-')?;
    let is_word = word.starts_with(char::is_uppercase) && word.chars().all(char::is_alphabetic);
    (is_word && known_ending(path).is_some()).then_some(path)
}

impl Named {
    fn of(ground: &Ground, text: &str) -> Self {
        let (path, line) = without_line(text);
        let path = path.replace('\\', "/");
        let folder = path.ends_with('/');
        let mut foreign = false;
        let mut path = path.as_str();
        if is_absolute(path) {
            match below_project(ground, path) {
                Some(below) => path = below,
                None => foreign = true,
            }
        }
        let mut path = path.trim_end_matches('/');
        if !foreign {
            while let Some(rest) = path.strip_prefix("./") {
                path = rest;
            }
        }
        Self {
            path: path.to_owned(),
            line,
            folder,
            foreign,
        }
    }
}

/// `/a`, `C:/a`, `~/a`, `$HOME/a`, `%APPDATA%/a`.
fn is_absolute(path: &str) -> bool {
    let bytes = path.as_bytes();
    path.starts_with(['/', '~', '$', '%'])
        || matches!(bytes, [drive, b':', ..] if drive.is_ascii_alphabetic())
}

/// What lies behind the project's folder in an absolute path.
fn below_project<'a>(ground: &Ground, path: &'a str) -> Option<&'a str> {
    if let Some(root) = ground.places.root.to_str()
        && let Some(below) = path.strip_prefix(root)
        && (below.is_empty() || below.starts_with('/'))
    {
        return Some(below.trim_start_matches('/'));
    }
    let mut at = 0;
    for part in path.split('/') {
        let end = at + part.len();
        if at > 0
            && ground
                .names
                .iter()
                .any(|name| name.eq_ignore_ascii_case(part))
        {
            return Some(path.get(end..).unwrap_or_default().trim_start_matches('/'));
        }
        at = end + 1;
    }
    // A clone of another name: so long a tail is no chance.
    let mut rest = path;
    while let Some((_, below)) = rest.split_once('/') {
        if below.matches('/').count() < 2 {
            break;
        }
        if ground.project.has(below.trim_end_matches('/')) {
            return Some(below);
        }
        rest = below;
    }
    None
}

/// Where a path leads, if it is there.
fn resolve(ground: &Ground, named: &Named) -> Option<String> {
    if named.foreign {
        return None;
    }
    if named.path.is_empty() {
        return (named.folder || named.line.is_none()).then(|| ".".to_owned());
    }
    let path = named.path.as_str();
    if path.contains('*') {
        return ground.project.glob(path).map(str::to_owned);
    }
    let long_enough = |file: PathBuf| {
        named
            .line
            .is_none_or(|line| Ground::lines_of(&file).is_some_and(|lines| lines >= line))
    };
    let root = &ground.places.root;
    if ground.project.has(path) {
        return long_enough(root.join(path)).then(|| path.to_owned());
    }
    for (tree, folder) in ground.memory.iter().zip(&ground.places.memory) {
        if tree.has(path) {
            return long_enough(folder.join(path)).then(|| folder.join(path).display().to_string());
        }
    }
    // What the tree left out (ignored, or too large a tree) may be there all the same.
    let steps_out = path.split('/').any(|part| part == "..");
    if path.contains('/') && !steps_out && root.join(path).exists() {
        return long_enough(root.join(path)).then(|| path.to_owned());
    }
    let inside = path.trim_start_matches("../");
    if let Some(found) = ground.project.tail(inside) {
        return long_enough(root.join(found)).then(|| found.to_owned());
    }
    None
}

/// `a.b` in small letters.
fn is_member(text: &str) -> bool {
    text.split_once('.').is_some_and(|(a, b)| {
        !a.is_empty() && !b.is_empty() && a.chars().chain(b.chars()).all(|c| c.is_ascii_lowercase())
    }) && known_ending(text).is_none_or(is_data)
}
