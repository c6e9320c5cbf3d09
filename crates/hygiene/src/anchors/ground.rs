//! What mentions are held against.

use super::judge::Known;
use super::mention::{Mention, Shape, Where, mentions};
use super::moves::{Moves, last_segment};
use super::shape::{known_ending, last_part};
use super::tree::{Tree, ends_with_parts, has_readable_ignores};
use super::words::Wanted;
use super::{Anchor, judge, moves, symbol, words};
use memory::parallel;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

/// Largest document that is read for what it says of moves, in bytes.
const LARGEST_DOCUMENT: u64 = 512 * 1024;
/// Most such documents.
const MOST_DOCUMENTS: usize = 3000;
/// Largest manifest that is read, in bytes.
const LARGEST_MANIFEST: u64 = 1 << 20;
/// Largest file whose lines are counted for a mention with a line number, in bytes.
const LARGEST_COUNTED: u64 = 8 << 20;
/// Fewer texts or names are looked at by one thread.
const MANY: usize = 48;
/// Manifests that say what the project is called and what it depends on.
const MANIFESTS: &[&str] = &["package.json", "Cargo.toml", "pyproject.toml", "go.mod"];

/// What a mention names, wherever it stands.
type Name<'a> = (Shape, &'a str);

fn name_of<'a>(mention: &Mention<'a>) -> Name<'a> {
    (mention.shape, mention.text)
}

fn known_of<'k, 'a>(
    known: &'k HashMap<Name<'a>, Known>,
    mention: &Mention<'a>,
) -> Option<&'k Known> {
    known.get(&name_of(mention))
}

/// Where things lie.
#[derive(Debug, Clone, Default)]
pub struct Places {
    /// The project's root.
    pub root: PathBuf,
    /// Memory folders outside the root: what their entries call by name is there too.
    pub memory: Vec<PathBuf>,
    /// The client's folder: what texts call `~/.claude`.
    pub claude: Option<PathBuf>,
    /// The home directory.
    pub home: Option<PathBuf>,
}

/// What mentions are held against.
#[derive(Debug, Default)]
pub struct Ground {
    pub(super) places: Places,
    pub(super) project: Tree,
    pub(super) memory: Vec<Tree>,
    /// What the project is called: its folder's name and what its manifests say.
    pub(super) names: Vec<String>,
    /// What its manifests depend on.
    pub(super) packages: HashSet<String>,
    pub(super) moves: Moves,
    /// Paths that the repository once held and holds no more, by their last parts.
    deleted: HashMap<String, Vec<String>>,
    pub(super) ignored: Option<ignore::gitignore::Gitignore>,
    /// The wanted words that occur in the sources.
    pub(super) found: HashSet<String>,
    /// Those that were looked for.
    searched: HashSet<String>,
}

impl Ground {
    /// Lists the project, reads its manifests and what its documents say of moves.
    pub fn of_project(places: Places) -> Self {
        let project = Tree::walk(&places.root, &["conversations"]);
        let memory = places
            .memory
            .iter()
            .map(|folder| Tree::walk(folder, &[]))
            .collect();
        let mut ground = Self {
            project,
            memory,
            ..Self::default()
        };
        ground.read_documents(&places.root);
        ground.read_manifests(&places.root);
        if has_readable_ignores(&places.root) {
            let (ignored, _) = ignore::gitignore::Gitignore::new(places.root.join(".gitignore"));
            ground.ignored = (!ignored.is_empty()).then_some(ignored);
        }
        ground.places = places;
        ground
    }

    /// Adds what the repository's history says: old and new paths, newest first, and paths that
    /// were removed.
    pub fn add_history(&mut self, renames: Vec<(String, String)>, removed: Vec<String>) {
        let once = renames.iter().map(|(old, _)| old.clone()).chain(removed);
        for path in once.filter(|path| !self.project.has(path)) {
            let name = path.rsplit('/').next().unwrap_or(&path).to_owned();
            self.deleted.entry(name).or_default().push(path);
        }
        self.moves.add_renames(renames);
    }

    /// Whether the repository once held a path that ends so.
    pub(super) fn deleted_tail(&self, path: &str) -> bool {
        let name = path.rsplit('/').next().unwrap_or(path);
        let here = self.deleted.get(name);
        here.is_some_and(|here| here.iter().any(|deleted| ends_with_parts(deleted, path)))
    }

    /// Another name that the project's folder has on other machines.
    pub fn also_called(&mut self, name: &str) {
        self.names.push(name.to_owned());
    }

    /// The project's names.
    pub fn tree(&self) -> &Tree {
        &self.project
    }

    /// What became of every mention of every text. The sources are read once, for all of them.
    pub fn judge(&mut self, texts: &[&str]) -> Vec<Vec<Anchor>> {
        self.judge_asking(texts, |_, _| false)
    }

    /// As [`Ground::judge`]; where something is not there, `ask` is told what and may add what else is
    /// known ([`Ground::add_history`]) and say so.
    pub fn judge_asking(
        &mut self,
        texts: &[&str],
        ask: impl FnOnce(&mut Self, &[&str]) -> bool,
    ) -> Vec<Vec<Anchor>> {
        if self.searched.is_empty() {
            for told in parallel::map(texts, MANY, |text| moves::told(text, false)) {
                self.moves.add(told);
            }
        }
        let mentioned: Vec<Vec<Mention>> = parallel::map(texts, MANY, |text| mentions(text));
        let mut once = HashSet::new();
        let mut names: Vec<Name> = mentioned
            .iter()
            .flatten()
            .map(name_of)
            .filter(|name| once.insert(*name))
            .collect();
        self.search(&names, mentioned.iter().flatten());
        let mut known = self.known(&names);
        let missing: Vec<&str> = mentioned
            .iter()
            .flatten()
            .filter(|mention| mention.shape != Shape::Spaced)
            .filter(|mention| {
                let known = known.get(&name_of(mention));
                known.is_some_and(|known| !known.is_there(mention.place))
            })
            .map(|mention| mention.text)
            .collect();
        if !missing.is_empty() && ask(self, &missing) {
            names.retain(|name| {
                let known = known.get(name);
                known.is_none_or(|known| !known.is_there(Where::Text))
            });
            known.extend(self.known(&names));
        }
        parallel::map(&mentioned, MANY, |mentions| {
            // What stands in a path with blanks is part of it.
            let spaced: Vec<&Mention> = mentions
                .iter()
                .filter(|one| matches!(known_of(&known, one), Some(Known::Spaced(Some(_)))))
                .collect();
            let is_part = |one: &Mention| {
                spaced.iter().any(|whole| {
                    whole.line == one.line
                        && (whole.at..whole.at + whole.text.len()).contains(&one.at)
                })
            };
            mentions
                .iter()
                .filter(|one| match one.shape {
                    Shape::Spaced => {
                        known_of(&known, one).is_some_and(|known| known.is_there(one.place))
                    }
                    Shape::Path | Shape::Symbol => !is_part(one),
                })
                .filter_map(|one| Some(judge::judge(self, one, known_of(&known, one)?)))
                .collect()
        })
    }

    fn known<'a>(&self, names: &[Name<'a>]) -> HashMap<Name<'a>, Known> {
        let known = parallel::map(names, MANY, |(shape, text)| Known::of(self, *shape, text));
        names.iter().copied().zip(known).collect()
    }

    /// Looks for the names that the mentions need in the sources, unless that was done already.
    fn search<'a>(&mut self, names: &[Name<'a>], mentions: impl Iterator<Item = &'a Mention<'a>>) {
        let is_needed = |shape: Shape, text: &str| match shape {
            Shape::Symbol => true,
            Shape::Path => !text.contains('/'),
            Shape::Spaced => false,
        };
        let mut wanted = Wanted::new();
        for (_, name) in names.iter().filter(|(shape, text)| is_needed(*shape, text)) {
            wanted.insert(last_segment(name).into());
            wanted.insert(first_segment(name).into());
            wanted.extend(variants(last_segment(name)).into_iter().map(Into::into));
        }
        if wanted.is_empty() {
            return;
        }
        wanted.extend(
            mentions
                .filter(|mention| is_needed(mention.shape, mention.text))
                .map(|mention| symbol::owner(mention).0.into()),
        );
        wanted.extend(self.moves.symbols().map(|name| last_segment(name).into()));
        wanted.retain(|word| !word.is_empty() && !self.searched.contains(word.as_ref()));
        let found = words::look_in_files(&self.places.root, self.project.files(), &wanted);
        let found: Vec<String> = found.into_iter().map(str::to_owned).collect();
        let wanted: Vec<String> = wanted.into_iter().map(Cow::into_owned).collect();
        self.found.extend(found);
        self.searched.extend(wanted);
    }

    fn read_documents(&mut self, root: &Path) {
        let documents: Vec<&String> = self
            .project
            .files()
            .iter()
            .filter(|file| matches!(known_ending(file), Some("md" | "rst" | "txt")))
            .filter(|file| !file.starts_with("memory/"))
            .take(MOST_DOCUMENTS)
            .collect();
        let told = parallel::map(&documents, MANY, |document| {
            let bytes = safe_file::read_real(&root.join(document), LARGEST_DOCUMENT);
            let bytes = bytes.ok().flatten().unwrap_or_default();
            moves::told(&String::from_utf8_lossy(&bytes), is_change_log(document))
        });
        for told in told {
            self.moves.add(told);
        }
    }

    fn read_manifests(&mut self, root: &Path) {
        if let Some(name) = root.file_name().and_then(|name| name.to_str()) {
            self.names.push(name.to_owned());
        }
        let manifests: Vec<String> = MANIFESTS
            .iter()
            .flat_map(|name| self.project.named(name))
            .take(300)
            .map(str::to_owned)
            .collect();
        for manifest in manifests {
            let Ok(Some(bytes)) = safe_file::read_real(&root.join(&manifest), LARGEST_MANIFEST)
            else {
                continue;
            };
            let text = String::from_utf8_lossy(&bytes);
            let (name, packages) = manifest_of(last_part(&manifest), &text);
            if !manifest.contains('/')
                && let Some(name) = name
            {
                self.names.push(name);
            }
            self.packages.extend(packages);
        }
        for document in ["README.md", "CLAUDE.md"] {
            if let Ok(Some(bytes)) = safe_file::read_real(&root.join(document), LARGEST_DOCUMENT) {
                self.names
                    .extend(title_of(&String::from_utf8_lossy(&bytes)));
            }
        }
        // What depends on itself is not somebody else's.
        for name in &self.names {
            self.packages.remove(name);
        }
    }

    /// How many lines a file of the project has, if it can be read.
    pub(super) fn lines_of(path: &Path) -> Option<usize> {
        let bytes = safe_file::read(path, LARGEST_COUNTED).ok()??;
        let breaks = memchr::memchr_iter(b'\n', &bytes).count();
        Some(breaks + usize::from(bytes.last().is_some_and(|last| *last != b'\n')))
    }

    /// Whether the project's `.gitignore` leaves `path` out.
    pub(super) fn is_ignored(&self, path: &str, folder: bool) -> bool {
        self.ignored.as_ref().is_some_and(|ignored| {
            ignored
                .matched_path_or_any_parents(Path::new(path), folder)
                .is_ignore()
        })
    }
}

/// A document's title, if it is one word: what the project is called.
fn title_of(text: &str) -> Option<String> {
    let title = text.lines().find_map(|line| line.strip_prefix("# "))?;
    let title = title
        .split([':', '(', '\u{2013}', '\u{2014}'])
        .next()
        .unwrap_or(title)
        .trim();
    let plain = title.len() >= 3
        && !title.contains(char::is_whitespace)
        && title
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '-' | '_' | '.'));
    let general = [
        "readme",
        "changelog",
        "claude",
        "project",
        "rules",
        "notes",
        "todo",
    ];
    (plain && !general.contains(&title.to_lowercase().as_str())).then(|| title.to_owned())
}

/// Whether a document's name says that it tells of changes.
fn is_change_log(path: &str) -> bool {
    let name = last_part(path).to_ascii_lowercase();
    [
        "change", "history", "news", "release", "migrat", "upgrad", "rename",
    ]
    .iter()
    .any(|lead| name.contains(lead))
}

/// The first segment of `a::b`, `a.b`.
pub(super) fn first_segment(symbol: &str) -> &str {
    let symbol = symbol.strip_suffix("()").unwrap_or(symbol);
    let symbol = symbol.split("::").next().unwrap_or(symbol);
    symbol.split('.').next().unwrap_or(symbol)
}

/// The same name in the other ways of writing names.
pub(super) fn variants(name: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut last: Option<char> = None;
    for c in name.chars() {
        let begins = c == '_'
            || (c.is_uppercase()
                && last.is_some_and(|last| last.is_lowercase() || last.is_numeric()));
        if begins || parts.is_empty() {
            parts.push(String::new());
        }
        if c != '_'
            && let Some(part) = parts.last_mut()
        {
            part.extend(c.to_lowercase());
        }
        last = Some(c);
    }
    parts.retain(|part| !part.is_empty());
    if parts.len() < 2 {
        return Vec::new();
    }
    let capital = |part: &String| {
        let mut letters = part.chars();
        letters.next().map_or_else(String::new, |first| {
            first.to_uppercase().chain(letters).collect()
        })
    };
    let pascal: String = parts.iter().map(capital).collect();
    let camel: String = parts
        .iter()
        .enumerate()
        .map(|(index, part)| {
            if index == 0 {
                part.clone()
            } else {
                capital(part)
            }
        })
        .collect();
    let snake = parts.join("_");
    let screaming = snake.to_uppercase();
    [pascal, camel, snake, screaming]
        .into_iter()
        .filter(|variant| variant != name)
        .collect()
}

/// The name and the dependencies that a manifest states. Read by the line: a manifest that is
/// slightly broken still says most of it.
fn manifest_of(kind: &str, text: &str) -> (Option<String>, Vec<String>) {
    let mut name = None;
    let mut packages = Vec::new();
    match kind {
        "package.json" => {
            let Ok(serde_json::Value::Object(manifest)) = serde_json::from_str(text) else {
                return (None, packages);
            };
            name = manifest
                .get("name")
                .and_then(serde_json::Value::as_str)
                .map(|name| last_part(name).to_owned());
            for key in [
                "dependencies",
                "devDependencies",
                "peerDependencies",
                "optionalDependencies",
            ] {
                if let Some(serde_json::Value::Object(some)) = manifest.get(key) {
                    packages.extend(some.keys().cloned());
                }
            }
        }
        "go.mod" => {
            for line in text.lines() {
                let line = line.trim();
                if let Some(module) = line.strip_prefix("module ") {
                    name = Some(last_part(module.trim()).to_owned());
                } else if let Some(module) = line.strip_prefix("require ").or(Some(line))
                    && let Some(module) = module.split_whitespace().next()
                    && module.contains('.')
                    && module.contains('/')
                {
                    packages.push(module.to_owned());
                    let unversioned = match module.rsplit_once("/v") {
                        Some((path, digits)) if digits.chars().all(|c| c.is_ascii_digit()) => path,
                        _ => module,
                    };
                    packages.push(last_part(unversioned).to_owned());
                }
            }
        }
        _ => {
            let mut section = String::new();
            for line in text.lines() {
                let line = line.trim();
                if let Some(header) = line.strip_prefix('[') {
                    header.trim_end_matches(']').clone_into(&mut section);
                    if let Some(package) = section.rsplit_once("dependencies.") {
                        packages.push(package.1.to_owned());
                    }
                    continue;
                }
                let value = |key: &str| {
                    let rest = line.strip_prefix(key)?.trim_start().strip_prefix('=')?;
                    Some(rest.trim().trim_matches('"').to_owned())
                };
                if matches!(section.as_str(), "package" | "project" | "tool.poetry")
                    && name.is_none()
                    && let Some(found) = value("name")
                {
                    name = Some(found);
                }
                if section.ends_with("dependencies")
                    && let Some((package, _)) = line.split_once('=')
                {
                    packages.push(package.trim().trim_matches('"').to_owned());
                } else if section == "project" || section.is_empty() || line.starts_with('"') {
                    // `dependencies = ["a>=1", "b"]`, on one line or several.
                    for quoted in line.split('"').skip(1).step_by(2) {
                        let end = quoted
                            .find(|c: char| !(c.is_alphanumeric() || matches!(c, '-' | '_' | '.')))
                            .unwrap_or(quoted.len());
                        if line.starts_with('"') || line.starts_with("dependencies") {
                            packages.extend(quoted.get(..end).map(str::to_owned));
                        }
                    }
                }
            }
        }
    }
    packages.retain(|package| !package.is_empty());
    (name, packages)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn manifests_name_the_project_and_its_packages() {
        let (name, packages) = manifest_of(
            "Cargo.toml",
            "[package]\nname = \"grid\"\n[dependencies]\nserde = \"1\"\n[dependencies.tokio]\nversion = \"1\"\n",
        );
        assert_eq!(name.as_deref(), Some("grid"));
        assert_eq!(packages, ["serde", "tokio"]);
        let (name, packages) = manifest_of(
            "go.mod",
            "module example.org/me/weir\n\nrequire (\n\tgithub.com/jackc/pgx/v5 v5.0.0\n)\n",
        );
        assert_eq!(name.as_deref(), Some("weir"));
        assert_eq!(packages, ["github.com/jackc/pgx/v5", "pgx"]);
        let (name, packages) = manifest_of(
            "pyproject.toml",
            "[project]\nname = \"kelp\"\ndependencies = [\"httpx>=0.27\", \"numpy\"]\n",
        );
        assert_eq!(name.as_deref(), Some("kelp"));
        assert_eq!(packages, ["httpx", "numpy"]);
    }

    #[test]
    fn names_are_written_in_other_ways() {
        assert_eq!(
            variants("round_total"),
            ["RoundTotal", "roundTotal", "ROUND_TOTAL"]
        );
        assert_eq!(variants("maxDelay"), ["MaxDelay", "max_delay", "MAX_DELAY"]);
        assert!(variants("plain").is_empty());
    }
}
