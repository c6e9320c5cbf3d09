//! The memory check: what of the project's memory a successor can build on.

use record::root::Root;
use safe_file::Boundary;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

/// The index.
const INDEX: &str = "MEMORY.md";
/// The folder of the items.
const FOLDER: &str = "memory";
/// Limits of the index, as the record's index has them.
const INDEX_LINES: usize = 100;
const INDEX_BYTES: usize = 5 * 1024;
/// Largest file that is read, in bytes.
const LIMIT: u64 = 1 << 20;
/// Most items that are looked at.
const MOST_ITEMS: usize = 1000;
/// Most names that one line shows.
const SHOWN: usize = 5;

/// What the memory holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct MemoryCheck {
    /// Lines and bytes of the index; `None`: there is none.
    pub index: Option<(usize, usize)>,
    /// Files that say something about the architecture, and how many lines of it.
    pub architecture: Vec<(String, usize)>,
    /// Links of the index that lead to files there are.
    pub links: usize,
    /// Links of the index that lead nowhere.
    pub dead: Vec<String>,
    /// Items that nothing in the index leads to, itself or the folder's own index.
    pub orphans: Vec<String>,
}

impl MemoryCheck {
    /// Looks at the record's memory.
    pub fn of(root: &Root) -> Self {
        let boundary = Boundary::of_resolved(root.path().to_owned());
        let read = |relative: &str| -> Option<String> {
            let path = boundary.resolve(Path::new(relative)).ok()?;
            let bytes = safe_file::read(&path, LIMIT).ok()??;
            Some(String::from_utf8_lossy(&bytes).into_owned())
        };
        let items = items(&boundary);
        let mut check = Self::default();
        for item in &items {
            let is_architecture = item == "memory/architecture.md"
                || item.starts_with("memory/architecture/") && !item.ends_with("/index.md");
            if is_architecture {
                let lines = read(item).map_or(0, |text| substance(&text));
                if lines > 0 {
                    check.architecture.push((item.clone(), lines));
                }
            }
        }
        let Some(index) = read(INDEX) else {
            check.orphans = items.into_iter().collect();
            return check;
        };
        check.index = Some((index.lines().count(), index.len()));
        let mut reached = BTreeSet::new();
        for target in targets(&index, "") {
            if items.contains(&target) || boundary.root().join(&target).exists() {
                check.links += 1;
                reached.insert(target);
            } else {
                check.dead.push(target);
            }
        }
        // A category's own index leads on to its items.
        let indexes: Vec<String> = reached
            .iter()
            .filter(|path| path.ends_with("/index.md"))
            .cloned()
            .collect();
        for path in indexes {
            let folder = path.trim_end_matches("index.md").to_owned();
            for target in read(&path)
                .map(|text| targets(&text, &folder))
                .unwrap_or_default()
            {
                reached.insert(target);
            }
        }
        let by_folder = |item: &str| {
            reached
                .iter()
                .any(|target| target.ends_with('/') && item.starts_with(target.as_str()))
        };
        check.orphans = items
            .into_iter()
            .filter(|item| !reached.contains(item) && !by_folder(item))
            .collect();
        check
    }

    /// Whether nothing in the memory covers the architecture.
    pub fn is_bare(&self) -> bool {
        self.architecture.is_empty()
    }

    /// The lines of the section.
    pub(crate) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        lines.push(match self.index {
            None => format!("Index: there is no {INDEX}"),
            Some((count, bytes)) => {
                let over = if count > INDEX_LINES || bytes > INDEX_BYTES {
                    ", over the limit"
                } else {
                    ""
                };
                format!(
                    "Index: {INDEX}, {count} lines, {bytes} bytes (limit {INDEX_LINES} lines, {INDEX_BYTES} bytes{over})"
                )
            }
        });
        lines.push(if self.architecture.is_empty() {
            "Architecture: no memory covers it".to_owned()
        } else {
            let files = self
                .architecture
                .iter()
                .map(|(file, lines)| format!("{file} ({})", mnemo_home::counted(lines, "line")));
            format!("Architecture: {}", some(files))
        });
        let mut connection = format!(
            "Connection: {} from the index to items",
            mnemo_home::counted(self.links, "working link"),
        );
        for (names, what) in [
            (&self.dead, "lead nowhere"),
            (&self.orphans, "not reached from the index"),
        ] {
            if !names.is_empty() {
                let named = some(names.iter().cloned());
                let _ = write!(connection, "; {} {what}: {named}", names.len());
            }
        }
        lines.push(connection);
        lines
    }
}

fn some(names: impl ExactSizeIterator<Item = String>) -> String {
    let more = names.len().saturating_sub(SHOWN);
    let shown: Vec<String> = names
        .take(SHOWN)
        .map(|name| mnemo_home::one_line(&name, 120))
        .collect();
    let mut text = shown.join(", ");
    if more > 0 {
        let _ = write!(text, " and {more} more");
    }
    text
}

/// `memory/*.md` and `memory/*/*.md`, archives left out.
fn items(boundary: &Boundary) -> BTreeSet<String> {
    let mut items = BTreeSet::new();
    let mut folders = vec![(FOLDER.to_owned(), 0)];
    while let Some((folder, depth)) = folders.pop() {
        let Some(entries) = boundary
            .resolve(Path::new(&folder))
            .ok()
            .and_then(|path| std::fs::read_dir(path).ok())
        else {
            continue;
        };
        for entry in entries.flatten() {
            if items.len() >= MOST_ITEMS {
                return items;
            }
            let name = entry.file_name().to_string_lossy().into_owned();
            let path = format!("{folder}/{name}");
            let Ok(kind) = entry.file_type() else {
                continue;
            };
            if name.starts_with(['.', '_']) || name == "archive" {
                continue;
            }
            if kind.is_dir() && depth == 0 {
                folders.push((path, 1));
            } else if kind.is_file()
                && Path::new(&name)
                    .extension()
                    .is_some_and(|ext| ext.eq_ignore_ascii_case("md"))
            {
                items.insert(path);
            }
        }
    }
    items
}

/// The files that a text in `folder` (empty or with `/` at the end) links to, relative to the root.
fn targets(text: &str, folder: &str) -> Vec<String> {
    memory::links::parse(text)
        .iter()
        .filter(|link| !link.is_external() && !link.path.is_empty())
        .filter(|link| link.kind == memory::links::LinkKind::Markdown)
        .filter_map(|link| inside(folder, &link.path))
        .collect()
}

/// `path` as seen from `folder`, without `.` and `..`; `None` where it leads out of the project.
fn inside(folder: &str, path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    let whole = format!("{folder}{path}");
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    if path.starts_with('/') || parts.is_empty() {
        return None;
    }
    let mut path = parts.join("/");
    if whole.ends_with('/') {
        path.push('/');
    }
    Some(path)
}

/// Lines that say something: no heading, quote, rule, metadata, placeholder or bare link.
fn substance(text: &str) -> usize {
    let mut in_front = text.starts_with("---\n");
    let mut count = 0;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if in_front {
            in_front = number == 0 || line != "---";
            continue;
        }
        let bare = line.trim_start_matches(['-', '*', '+', ' ']);
        let is_link = (bare.starts_with('[') && bare.ends_with(')')
            || bare.starts_with("[[") && bare.ends_with("]]"))
            && bare.matches('[').count() <= 2;
        let is_metadata = bare.starts_with('`')
            && ["`tags:", "`date:", "`source:"]
                .iter()
                .any(|lead| bare.starts_with(lead));
        let nothing = line.is_empty()
            || line.starts_with(['#', '>'])
            || line.starts_with("<!--")
            || line
                .chars()
                .all(|c| matches!(c, '-' | '*' | '_' | '|' | ':' | ' '))
            || line.to_lowercase().contains("todo")
            || is_link
            || is_metadata;
        if !nothing {
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scaffold_says_nothing() {
        let scaffold = "# Architecture - 설계와 구조\n\n> MEMORY.md 키워드 인덱스에서 이 파일로 연결됩니다.\n\n---\n";
        assert_eq!(substance(scaffold), 0);
        assert_eq!(
            substance("---\nname: x\n---\n# A\n- [b](b.md)\n`tags: a`\n- TODO: more\n"),
            0
        );
        assert_eq!(
            substance("# A\nThe shop talks to the bank by a queue.\n"),
            1
        );
    }

    #[test]
    fn paths_stay_inside() {
        assert_eq!(
            inside("memory/a/", "../b.md").as_deref(),
            Some("memory/b.md")
        );
        assert_eq!(inside("", "memory/a/").as_deref(), Some("memory/a/"));
        assert_eq!(inside("", "../x.md"), None);
        assert_eq!(inside("", "/etc/passwd"), None);
    }
}
