//! Where handoffs lie, and how their files are called.

use crate::{Document, Error, Result};
use chrono::{NaiveDate, NaiveDateTime, NaiveTime};
use record::root::Root;
use safe_file::Boundary;
use std::path::{Component, Path, PathBuf};

/// Where handoffs are written.
pub const FOLDER: &str = "docs/handoffs";
/// Where the shell version of mnemo wrote them. Read, never written.
pub const OLD_FOLDER: &str = ".claude/handoffs";
/// The name that stands for the newest handoff.
pub const LATEST: &str = "latest";
/// Largest handoff that is read, in bytes.
pub(crate) const LIMIT: u64 = 4 << 20;
/// The slug where none was given.
const NAMELESS: &str = "handoff";
/// Longest slug, in characters.
const SLUG_CHARS: usize = 60;
/// Longest slug, in bytes: a file's name has 255 at most.
const SLUG_BYTES: usize = 180;

/// One handoff of a project.
#[derive(Debug, Clone)]
pub struct Handoff {
    /// Relative to the root, with `/`.
    pub file: String,
    /// Where it is.
    pub path: PathBuf,
    /// From its name, else `Created:`; `None` where neither says.
    pub created: Option<NaiveDateTime>,
    /// Whether it lies in the older folder.
    pub old: bool,
    /// What it says. Bytes that are no UTF-8 stand as U+FFFD.
    pub document: Document,
    /// Why it could not be read in whole; the document is what could be.
    pub problem: Option<String>,
}

impl Handoff {
    /// The file's name.
    pub fn name(&self) -> &str {
        self.file.rsplit('/').next().unwrap_or(&self.file)
    }

    /// Its title; where it has none yet, the slug of its name. `None` where that says nothing
    /// either.
    pub fn title(&self) -> Option<&str> {
        let slug = || {
            let slug = slug_of(self.name());
            (slug != NAMELESS && !slug.is_empty()).then_some(slug)
        };
        self.document.title().or_else(slug)
    }

    /// As it may be quoted: `<private>` blocks and secrets are taken out of its text, which a hand
    /// may have put there. Lines keep their numbers.
    #[must_use]
    pub fn clean(&self, policy: redact::Policy) -> Self {
        let text = redact::by_line(self.document.text());
        let text = redact::clean(&text, policy).into_string();
        Self {
            document: Document::parse(&text),
            ..self.clone()
        }
    }
}

/// The slug of a file's name: what stands between `YYYY-MM-DD-HHMMSS-` and `.md`.
fn slug_of(name: &str) -> &str {
    let stem = stem(name);
    let digits = |range: std::ops::Range<usize>| {
        stem.get(range)
            .is_some_and(|part| part.bytes().all(|b| b.is_ascii_digit() || b == b'-'))
    };
    match stem.get(18..) {
        Some(slug) if digits(0..18) && stem.get(17..18) == Some("-") => slug,
        _ => stem,
    }
}

/// A name without `.md`.
fn stem(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((stem, end)) if end.eq_ignore_ascii_case("md") => stem,
        _ => name,
    }
}

/// Every handoff below `docs/handoffs` and `.claude/handoffs` of the root, newest first. Without
/// either folder there is none.
pub fn list(root: &Root) -> Result<Vec<Handoff>> {
    let boundary = Boundary::of_resolved(root.path().to_owned());
    let mut found = Vec::new();
    for folder in [FOLDER, OLD_FOLDER] {
        let path = match boundary.resolve(Path::new(folder)) {
            Ok(path) => path,
            // `.claude` often is a link to a folder of its own elsewhere: not this project's.
            Err(safe_file::Error::Refused { .. }) if folder == OLD_FOLDER => continue,
            Err(error) => return Err(error.into()),
        };
        let entries = match std::fs::read_dir(&path) {
            Ok(entries) => entries,
            Err(error)
                if matches!(
                    error.kind(),
                    std::io::ErrorKind::NotFound | std::io::ErrorKind::NotADirectory
                ) =>
            {
                continue;
            }
            Err(error) => return Err(safe_file::Error::io("list", &path, error).into()),
        };
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            let is_markdown = Path::new(&name)
                .extension()
                .is_some_and(|ext| ext.eq_ignore_ascii_case("md"));
            let is_other = name.starts_with('.')
                || name.eq_ignore_ascii_case("readme.md")
                || name.eq_ignore_ascii_case("index.md");
            if is_markdown && !is_other {
                found.push(of_listed(&boundary, folder, &name, &entry.path()));
            }
        }
    }
    found.sort_by(|a, b| (b.created, &b.file).cmp(&(a.created, &a.file)));
    Ok(found)
}

fn of_listed(boundary: &Boundary, folder: &str, name: &str, path: &Path) -> Handoff {
    let file = format!("{folder}/{name}");
    let read = boundary
        .resolve(Path::new(&file))
        .and_then(|path| safe_file::read(&path, LIMIT));
    let (bytes, problem) = match read {
        Ok(Some(bytes)) => (bytes, None),
        Ok(None) => (Vec::new(), Some("it is gone".to_owned())),
        Err(error) => (Vec::new(), Some(error.to_string())),
    };
    let (text, damaged) = decode(&bytes);
    let document = Document::parse(&text);
    Handoff {
        created: created(name, &document),
        old: folder == OLD_FOLDER,
        file,
        path: path.to_owned(),
        document,
        problem: problem.or(damaged),
    }
}

/// Bytes as text, and what is wrong with them.
pub(crate) fn decode(bytes: &[u8]) -> (String, Option<String>) {
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    match std::str::from_utf8(bytes) {
        Ok(text) if !text.contains('\0') => (text.to_owned(), None),
        Ok(text) => {
            let line = line_of(bytes, text.find('\0').unwrap_or(0));
            (
                text.replace('\0', "\u{fffd}"),
                Some(format!(
                    "line {line} holds a NUL byte: this is not a text file, or a damaged one"
                )),
            )
        }
        Err(error) => {
            let line = line_of(bytes, error.valid_up_to());
            (
                String::from_utf8_lossy(bytes).replace('\0', "\u{fffd}"),
                Some(format!(
                    "line {line} holds bytes that are not UTF-8; save the file as UTF-8"
                )),
            )
        }
    }
}

/// Number, from 1, of the line that a byte is on.
pub(crate) fn line_of(bytes: &[u8], at: usize) -> usize {
    let before = bytes.get(..at).unwrap_or_default();
    1 + memchr::memchr_iter(b'\n', before).count()
}

/// When a handoff was made: `Created:`, else its name.
pub(crate) fn created(name: &str, document: &Document) -> Option<NaiveDateTime> {
    document
        .metadata("Created")
        .and_then(moment)
        .or_else(|| named(name))
}

/// `YYYY-MM-DD HH:MM[:SS]` at the beginning of a value.
fn moment(value: &str) -> Option<NaiveDateTime> {
    let date: NaiveDate = value.get(..10)?.parse().ok()?;
    let rest = value.get(10..).unwrap_or_default();
    let rest = rest.trim_start_matches(['T', ' ']);
    let time = rest
        .get(..8)
        .and_then(|text| NaiveTime::parse_from_str(text, "%H:%M:%S").ok())
        .or_else(|| NaiveTime::parse_from_str(rest.get(..5)?, "%H:%M").ok());
    Some(date.and_time(time.unwrap_or_default()))
}

/// `YYYY-MM-DD-HHMMSS-…`.
fn named(name: &str) -> Option<NaiveDateTime> {
    let date: NaiveDate = name.get(..10)?.parse().ok()?;
    let time = name
        .get(10..17)
        .and_then(|text| NaiveTime::parse_from_str(text, "-%H%M%S").ok());
    Some(date.and_time(time.unwrap_or_default()))
}

/// A slug as it stands in a file's name: lower case, letters and digits of any script, `-` for
/// blanks and `_`. `handoff` where nothing is left.
pub fn slug(text: &str) -> String {
    let mut slug = String::new();
    for c in text.chars().flat_map(char::to_lowercase) {
        if slug.chars().count() >= SLUG_CHARS || slug.len() + c.len_utf8() > SLUG_BYTES {
            break;
        }
        if c.is_alphanumeric() || is_mark(c) && !slug.is_empty() {
            slug.push(c);
        } else if (c.is_whitespace() || matches!(c, '-' | '_' | '/' | '.' | ':'))
            && !slug.is_empty()
            && !slug.ends_with('-')
        {
            slug.push('-');
        }
    }
    let slug = slug.trim_end_matches('-');
    if slug.is_empty() {
        NAMELESS.to_owned()
    } else {
        slug.to_owned()
    }
}

/// Accents that stand as characters of their own.
fn is_mark(c: char) -> bool {
    matches!(c, '\u{300}'..='\u{36f}' | '\u{3099}' | '\u{309a}')
}

/// The handoff that a person named: a path as it stands, the name of one in the project's folders
/// (whole, without `.md`, or its slug), a part of such a name (the newest of several), or `latest`.
/// The nearer a name is, the more it counts: `refund` is `…-refund.md` though `…-refund-api.md` is
/// newer.
pub fn find(named: &str, base: &Path, root: Option<&Root>) -> Result<Handoff> {
    let direct = base.join(named);
    match std::fs::metadata(&direct) {
        Ok(meta) if meta.is_dir() => return Err(Error::Folder(direct)),
        Ok(_) => return of_path(&direct, root),
        Err(_) => {}
    }
    let listed = root.map(list).transpose()?.unwrap_or_default();
    let is_path = named.contains(['/', '\\']) && !named.starts_with("./");
    let wanted = named.trim_start_matches("./");
    if listed.is_empty() && !is_path {
        return Err(Error::NoneYet);
    }
    let mut matching = listed.into_iter();
    let found = if wanted == LATEST {
        matching.next()
    } else if is_path {
        matching.find(|handoff| handoff.file == wanted)
    } else {
        let all: Vec<Handoff> = matching.collect();
        let part = wanted.to_lowercase();
        // As it was asked for when it was made.
        let spelt = Some(slug(wanted)).filter(|slug| slug != NAMELESS);
        let spelt = spelt.as_deref().unwrap_or(wanted);
        let nearness: [&dyn Fn(&str) -> bool; 5] = [
            &|name| name == wanted,
            &|name| stem(name) == wanted,
            &|name| slug_of(name) == wanted,
            &|name| slug_of(name).to_lowercase() == part || slug_of(name) == spelt,
            &|name| !part.is_empty() && name.to_lowercase().contains(&part),
        ];
        let at = nearness
            .iter()
            .find_map(|is| all.iter().position(|handoff| is(handoff.name())));
        at.and_then(|at| all.into_iter().nth(at))
    };
    let found = found.ok_or_else(|| Error::Missing(named.to_owned()))?;
    // Read as if its path had been given, so that what is refused there is refused here.
    of_path(&found.path, root)
}

fn of_path(path: &Path, root: Option<&Root>) -> Result<Handoff> {
    if let Some(root) = root
        && leads_out(path, root.path())
    {
        let why = "its link leads out of the project; name the file itself";
        return Err(safe_file::Error::refused(path, why).into());
    }
    let bytes =
        safe_file::read(path, LIMIT)?.ok_or_else(|| Error::Missing(path.display().to_string()))?;
    let (text, problem) = decode(&bytes);
    let document = Document::parse(&text);
    let real = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let inside = root.and_then(|root| real.strip_prefix(root.path()).ok());
    let file = inside.map_or_else(|| path.display().to_string(), slashes);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    Ok(Handoff {
        created: created(&name, &document),
        old: slashes(&real).contains(OLD_FOLDER),
        file,
        path: path.to_owned(),
        document,
        problem,
    })
}

/// Whether a path inside a root is a link, or goes through one, to something outside.
fn leads_out(path: &Path, root: &Path) -> bool {
    let Ok(real) = std::fs::canonicalize(path) else {
        return false;
    };
    // The folder's links are those of the way to the project too.
    let placed = path
        .parent()
        .and_then(|folder| std::fs::canonicalize(folder).ok());
    let straight = !path.components().any(|part| part == Component::ParentDir);
    let inside =
        straight && path.starts_with(root) || placed.is_some_and(|folder| folder.starts_with(root));
    inside && !real.starts_with(root)
}

/// A relative path with `/`.
pub(crate) fn slashes(path: &Path) -> String {
    let parts: Vec<_> = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy())
        .collect();
    parts.join("/").replace("//", "/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_keep_every_script() {
        for (text, expected) in [
            ("Pay by Card", "pay-by-card"),
            ("결제_카드 2", "결제-카드-2"),
            ("../../etc/passwd", "etc-passwd"),
            ("  --  ", "handoff"),
            ("", "handoff"),
            ("Größe!", "größe"),
            ("a\u{1b}[31m\nb", "a31m-b"),
        ] {
            assert_eq!(slug(text), expected, "{text:?}");
        }
        assert!(slug(&"한".repeat(500)).len() <= SLUG_BYTES);
    }

    #[test]
    fn a_name_without_its_moment_is_the_slug() {
        for (name, expected) in [
            ("2026-11-30-140322-pay-by-card.md", "pay-by-card"),
            ("2026-11-30-140322-결제.md", "결제"),
            ("2026-11-30-140322-.md", ""),
            ("2026-11-30.md", "2026-11-30"),
            ("notes.md", "notes"),
            ("한글한글한글한글.md", "한글한글한글한글"),
        ] {
            assert_eq!(slug_of(name), expected, "{name}");
        }
    }

    #[test]
    fn the_moment_is_in_the_text_or_the_name() {
        let at =
            |name: &str, text: &str| created(name, &Document::parse(text)).map(|t| t.to_string());
        let name = "2026-11-30-140322-x.md";
        assert_eq!(at(name, "").as_deref(), Some("2026-11-30 14:03:22"));
        assert_eq!(
            at(name, "- Created: 2026-11-29 01:02\n").as_deref(),
            Some("2026-11-29 01:02:00")
        );
        assert_eq!(
            at("2026-11-30.md", "").as_deref(),
            Some("2026-11-30 00:00:00")
        );
        assert_eq!(at("notes.md", "- Created: [date]\n"), None);
    }

    #[test]
    fn damaged_bytes_are_named_by_line() {
        assert_eq!(decode(b"a\nb").1, None);
        assert!(decode(b"a\n\xff").1.unwrap().starts_with("line 2"));
        assert!(decode(b"a\n\n\0").1.unwrap().starts_with("line 3"));
    }
}
