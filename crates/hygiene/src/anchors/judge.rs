//! What became of one mention.

use super::cues;
use super::ground::{Ground, first_segment, variants};
use super::mention::{Mention, Shape, Where};
use super::moves::last_segment;
use super::shape::{is_data, known_ending, last_part, without_line};
use super::tree::ends_with_parts;
use super::{Anchor, Kind, Reason, Status};
use std::path::PathBuf;

/// Most places that are named for something that moved.
const MOST_CANDIDATES: usize = 3;

pub(super) fn judge(ground: &Ground, mention: &Mention) -> Anchor {
    let (kind, status) = match mention.shape {
        Shape::Path => path(ground, mention),
        Shape::Symbol => symbol(ground, mention),
    };
    let kind = match status {
        Status::NotAPath(_) => Kind::NotAPath,
        _ => kind,
    };
    Anchor {
        line: mention.line,
        text: mention.text.to_owned(),
        kind,
        said_absent: status.is_broken() && cues::says_absent(clause(mention)),
        status,
    }
}

/// The sentence around a mention.
fn clause<'a>(mention: &Mention<'a>) -> &'a str {
    let line = mention.whole;
    let ends = ["。", "！", "？", ". ", "! ", "? ", "; ", "；"];
    let before = line.get(..mention.at).unwrap_or_default();
    let start = ends
        .iter()
        .filter_map(|end| before.rfind(end).map(|at| at + end.len()))
        .max()
        .unwrap_or(0);
    let behind = mention.at + mention.text.len();
    let rest = line.get(behind..).unwrap_or_default();
    let end = ends
        .iter()
        .filter_map(|end| rest.find(end))
        .min()
        .map_or(line.len(), |at| behind + at);
    line.get(start..end).unwrap_or(line)
}

// ---- paths

/// A path as a mention writes it, taken apart.
struct Named {
    /// With `/`, without `./`, the line and a slash at the end; below the root where the text names
    /// the project's folder.
    path: String,
    line: Option<usize>,
    /// It ended with a slash.
    folder: bool,
    /// It is absolute and does not lead through the project.
    foreign: bool,
}

impl Named {
    fn parts(&self) -> Vec<&str> {
        self.path
            .split('/')
            .filter(|part| !part.is_empty())
            .collect()
    }
}

fn path(ground: &Ground, mention: &Mention) -> (Kind, Status) {
    let written = Written::of(ground, mention.text);
    for named in &written.readings {
        if let Some(place) = resolve(ground, named) {
            return (Kind::Path, Status::Exists(Some(place)));
        }
    }
    if let Some(place) = &written.at_the_client {
        return (
            Kind::Path,
            if place.exists() {
                Status::Exists(Some(mention.text.to_owned()))
            } else if GENERAL_FILES.contains(&last_part(mention.text)) {
                Status::NotAPath(Reason::OutsideProject)
            } else {
                Status::Gone
            },
        );
    }
    let Some(named) = written.readings.first() else {
        return (Kind::Path, Status::NotAPath(Reason::Prose));
    };
    // `a.b` may be a member: the sources know it then.
    if mention.place == Where::Span && is_member(mention.text) {
        let last = last_segment(mention.text);
        if ground.found.contains(last) && !ground.deleted_tail(&named.path) {
            return (Kind::Symbol, Status::Exists(None));
        }
    }
    if !named.foreign {
        let sure = told_elsewhere(ground, named);
        if !sure.is_empty() {
            return (Kind::Path, Status::Moved(sure));
        }
        if ground.deleted_tail(&named.path) {
            let likely = found_elsewhere(ground, named);
            return (
                Kind::Path,
                if likely.is_empty() {
                    Status::Gone
                } else {
                    Status::Moved(likely)
                },
            );
        }
    }
    if let Some(reason) = no_path(ground, mention, named) {
        return (Kind::Path, Status::NotAPath(reason));
    }
    let likely = found_elsewhere(ground, named);
    if likely.is_empty() {
        (Kind::Path, Status::Gone)
    } else {
        (Kind::Path, Status::Moved(likely))
    }
}

/// The ways to read what is written.
struct Written {
    /// The likeliest first: as it stands, then without letters of another script at its end.
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
            .is_none_or(|line| ground.lines_of(&file).is_some_and(|lines| lines >= line))
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

impl Ground {
    /// Whether the repository once held a path that ends so.
    fn deleted_tail(&self, path: &str) -> bool {
        self.deleted.contains(path)
            || (!path.is_empty()
                && self
                    .deleted
                    .iter()
                    .any(|deleted| ends_with_parts(deleted, path)))
    }
}

/// Where documents and history say that it went.
fn told_elsewhere(ground: &Ground, named: &Named) -> Vec<String> {
    let path = named.path.as_str();
    let tree = &ground.project;
    let mut found = Vec::new();
    let mut add = |candidate: &str| {
        if candidate != path && !found.iter().any(|other| other == candidate) {
            found.push(candidate.to_owned());
        }
    };
    let once: Vec<&str> = std::iter::once(path)
        .chain(ground.moves.once_called(path))
        .collect();
    for old in once {
        if let Some(new) = ground.moves.followed(old)
            && tree.has(new)
        {
            add(new);
        }
    }
    if let Some(folder) = ground.moves.folder_followed(path)
        && tree.has_folder(&folder)
    {
        add(&folder);
    }
    for said in ground.moves.said_of_path(path) {
        let target = match said.below {
            Some(below) => format!("{}/{below}", said.name),
            None => said.name.to_owned(),
        };
        // A file becomes a file, a folder a folder.
        if known_ending(&target).is_some() != known_ending(path).is_some() {
            continue;
        }
        if let Some(place) = nearest(ground, &target, path) {
            add(&place);
        }
    }
    found.truncate(MOST_CANDIDATES);
    found
}

/// The place that `name` is the end of, the nearest to `path`.
fn nearest(ground: &Ground, name: &str, path: &str) -> Option<String> {
    let name = name.replace('\\', "/");
    let name = name.trim_start_matches("./");
    let tree = &ground.project;
    if tree.has(name) {
        return Some(name.to_owned());
    }
    tree.named(last_part(name))
        .filter(|file| ends_with_parts(file, name))
        .max_by_key(|file| shared_parts(file, path))
        .or_else(|| tree.tail(name))
        .map(str::to_owned)
}

/// How many parts two paths share from the front, and then from the back.
fn shared_parts(a: &str, b: &str) -> (usize, usize) {
    let front = a
        .split('/')
        .zip(b.split('/'))
        .take_while(|(a, b)| a == b)
        .count();
    let back = a
        .rsplit('/')
        .zip(b.rsplit('/'))
        .take_while(|(a, b)| a == b)
        .count();
    (front, back)
}

/// File names that many folders have: alike, they say nothing.
fn is_common_name(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or(name).to_ascii_lowercase();
    matches!(
        stem.as_str(),
        "index"
            | "mod"
            | "main"
            | "lib"
            | "readme"
            | "__init__"
            | "package"
            | "cargo"
            | "types"
            | "utils"
            | "util"
            | "config"
            | "setup"
            | "test"
            | "tests"
            | "helpers"
            | "constants"
            | "build"
            | "run"
            | "makefile"
            | "dockerfile"
            | "conftest"
            | "routes"
            | "models"
            | "views"
            | "schema"
            | "status"
            | "skill"
            | "claude"
            | "changelog"
            | "license"
            | "go"
            | "app"
            | "server"
            | "client"
            | "error"
            | "errors"
            | "common"
            | "style"
            | "settings"
            | "doc"
            | "pom"
            | "tsconfig"
            | "pyproject"
            | "template"
    )
}

/// Where something of its name, or nearly, lies.
fn found_elsewhere(ground: &Ground, named: &Named) -> Vec<String> {
    let path = named.path.as_str();
    let tree = &ground.project;
    let name = last_part(path);
    let parent = path.rsplit_once('/').map_or("", |(parent, _)| parent);
    if path.contains('*') || named.foreign {
        return Vec::new();
    }
    let mut found: Vec<&str> = Vec::new();
    if named.line.is_none() || !tree.has_file(path) {
        // The same name in another folder.
        let mut alike: Vec<&str> = tree
            .named(name)
            .filter(|file| !is_common_name(name) || last_two(file) == last_two(path))
            .collect();
        alike.sort_by_key(|file| std::cmp::Reverse(shared_parts(file, path)));
        if alike.len() <= MOST_CANDIDATES {
            found.extend(alike);
        }
        // A file that became a folder of its own.
        if let Some((stem, ending)) = path.rsplit_once('.') {
            for index in ["mod", "__init__", "index"] {
                let inside = format!("{stem}/{index}.{ending}");
                if let Some(file) = tree.tail(&inside).filter(|_| tree.has_file(&inside)) {
                    found.push(file);
                }
            }
        }
        // The same stem in the same folder, written in another language.
        if let Some((stem, ending)) = name.rsplit_once('.')
            && !stem.is_empty()
            && super::shape::is_ending(ending)
        {
            let same_stem = |file: &&str| {
                last_part(file)
                    .rsplit_once('.')
                    .is_some_and(|(other, kind)| {
                        other == stem
                            && kind != ending
                            && super::shape::is_ending(kind)
                            && is_data(kind) == is_data(ending)
                            && (kind == "md") == (ending == "md")
                    })
            };
            if path.contains('/') {
                let folder = if tree.has_folder(parent) {
                    Some(parent)
                } else {
                    tree.tail(parent).filter(|folder| tree.has_folder(folder))
                };
                if let Some(folder) = folder {
                    found.extend(tree.in_folder(folder).filter(same_stem));
                }
            }
        }
    }
    let mut once = Vec::new();
    for file in found {
        if file != path && !once.iter().any(|other| other == file) {
            once.push(file.to_owned());
        }
    }
    once.truncate(MOST_CANDIDATES);
    once
}

fn last_two(path: &str) -> Option<(&str, &str)> {
    let (above, name) = path.rsplit_once('/')?;
    Some((last_part(above), name))
}

// ---- what is no path

/// Branches are called so in most projects.
const BRANCH_LEADS: &[&str] = &[
    "feature",
    "features",
    "feat",
    "fix",
    "bugfix",
    "hotfix",
    "chore",
    "refactor",
    "origin",
    "upstream",
    "dependabot",
    "renovate",
    "revert",
    "wip",
    "spike",
    "refs",
    "heads",
    "remotes",
    "topic",
    "backport",
];
/// These are branches where the words around say so.
const BRANCH_LEADS_AT_TIMES: &[&str] = &[
    "release",
    "releases",
    "docs",
    "doc",
    "test",
    "tests",
    "ci",
    "perf",
    "style",
    "user",
    "users",
    "build",
    "dev",
    "develop",
    "main",
    "master",
    "issue",
    "issues",
    "task",
    "experiment",
    "exp",
    "support",
    "story",
    "bug",
    "improvement",
    "fork",
];
/// Tops of file systems.
const SYSTEM_TOPS: &[&str] = &[
    "usr",
    "etc",
    "var",
    "home",
    "Users",
    "opt",
    "tmp",
    "root",
    "mnt",
    "proc",
    "dev",
    "bin",
    "sbin",
    "lib",
    "lib64",
    "srv",
    "Volumes",
    "Library",
    "Applications",
    "private",
    "System",
    "run",
    "sys",
    "boot",
    "media",
    "snap",
    "nix",
    "data",
    "workspace",
    "workspaces",
    "cygdrive",
];
/// Folders that builds, tests and runs make.
const OUTPUTS: &[&str] = &[
    "dist",
    "build",
    "out",
    "output",
    "outputs",
    "target",
    "coverage",
    "logs",
    "log",
    "tmp",
    "temp",
    "cache",
    ".cache",
    "artifacts",
    "node_modules",
    ".venv",
    "venv",
    "__pycache__",
    "site-packages",
    ".next",
    ".turbo",
    "htmlcov",
    "obj",
    ".gradle",
    "DerivedData",
    "Pods",
    "vendor",
    "wandb",
    "mlruns",
    "checkpoints",
    ".pytest_cache",
    ".mypy_cache",
    ".svelte-kit",
    "storybook-static",
];
/// Folders that git and mnemo make.
const TOOL_FOLDERS: &[&str] = &[".git", "conversations", "memory"];
/// Words in capitals that stand for something in a file's name.
const STANDS_FOR: &[&str] = &[
    "DATE",
    "NAME",
    "TARGET",
    "FILE",
    "DIR",
    "PATH",
    "USER",
    "HOST",
    "VERSION",
    "SLUG",
    "UUID",
    "HASH",
    "TIMESTAMP",
    "BRANCH",
    "PROJECT",
    "STEM",
];
/// Subtypes that make `type/…` a MIME type where the type is an ordinary word.
const MIME_SUBTYPES: &[&str] = &[
    "plain",
    "html",
    "css",
    "csv",
    "javascript",
    "xml",
    "markdown",
    "event-stream",
    "calendar",
    "png",
    "jpeg",
    "jpg",
    "gif",
    "webp",
    "svg",
    "avif",
    "bmp",
    "tiff",
    "heic",
    "mpeg",
    "mp4",
    "ogg",
    "webm",
    "wav",
    "aac",
    "flac",
    "opus",
    "quicktime",
    "woff",
    "woff2",
    "ttf",
    "otf",
    "form-data",
    "mixed",
    "alternative",
    "related",
    "byteranges",
    "gltf",
    "stl",
    "rfc822",
    "vcard",
    "tab-separated-values",
];
/// Products whose name ends as a file would.
const DOTTED_PRODUCTS: &[&str] = &[
    "node",
    "vue",
    "next",
    "nuxt",
    "express",
    "react",
    "three",
    "d3",
    "chart",
    "moment",
    "discord",
    "backbone",
    "ember",
    "angular",
    "alpine",
    "solid",
    "electron",
    "p5",
    "socket",
    "nest",
    "deno",
    "bun",
    "docs",
    "day",
    "fastify",
    "koa",
    "gatsby",
    "handlebars",
    "knockout",
    "plotly",
    "ethers",
];
/// Files of the client and of conventions that texts speak of in general.
const GENERAL_FILES: &[&str] = &[
    "CLAUDE.md",
    "CLAUDE.local.md",
    "MEMORY.md",
    "SKILL.md",
    "AGENTS.md",
    "GEMINI.md",
    "settings.json",
    "settings.local.json",
    ".env",
    ".npmrc",
    ".mcp.json",
    ".claude.json",
];
/// Hosts of packages, repositories and images.
const PACKAGE_HOSTS: &[&str] = &[
    "github.com",
    "gitlab.com",
    "bitbucket.org",
    "codeberg.org",
    "ghcr.io",
    "docker.io",
    "quay.io",
    "gcr.io",
    "golang.org",
    "gopkg.in",
    "pkg.go.dev",
    "npmjs.com",
    "crates.io",
    "pypi.org",
];
/// Ends of host names.
const HOST_ENDS: &[&str] = &[
    "com",
    "net",
    "org",
    "io",
    "dev",
    "app",
    "ai",
    "co",
    "kr",
    "jp",
    "cn",
    "de",
    "at",
    "ch",
    "fr",
    "uk",
    "eu",
    "us",
    "local",
    "internal",
    "localhost",
    "cloud",
    "tech",
    "info",
    "gov",
    "edu",
    "test",
    "example",
    "lan",
];

/// Why a path that is not there need not be there.
fn no_path(ground: &Ground, mention: &Mention, named: &Named) -> Option<Reason> {
    let parts = named.parts();
    let text = mention.text;
    let first = *parts.first()?;
    let ending = known_ending(&named.path);
    let in_tree = !named.foreign && is_rooted(ground, &parts);
    if named.foreign {
        return Some(foreign(ground, mention, &parts, ending));
    }
    // Behind a bracket it is the end of a pattern: `{a,b}/c`, `<name>/c`.
    let before = mention.whole.get(..mention.at).unwrap_or_default();
    if is_pattern(text, ending) || is_placeholder(&parts) || before.ends_with(['}', '>']) {
        return Some(Reason::Prose);
    }
    if named.path.contains('*') {
        let made = TOOL_FOLDERS.contains(&first) && !ground.project.has_folder(first);
        return (made || first.contains('*')).then_some(Reason::Prose);
    }
    if named.path.starts_with("../") {
        return Some(Reason::OutsideProject);
    }
    if is_mime(&parts) {
        return Some(Reason::MimeType);
    }
    if let Some(reason) = packages(ground, mention, &parts, ending, in_tree) {
        return Some(reason);
    }
    if parts.len() == 1 && !named.folder && !text.contains(['/', '\\']) {
        return bare_name(mention, &named.path, ending);
    }
    if ground.is_ignored(&named.path, named.folder) {
        return Some(Reason::OutsideProject);
    }
    let made = OUTPUTS.contains(&first) || TOOL_FOLDERS.contains(&first);
    let settings = ending.is_none() && first.starts_with('.') && first.len() > 2;
    if (made || settings) && !ground.project.has_folder(first) {
        return Some(Reason::OutsideProject);
    }
    let announced = cues::announces_an_example(mention.whole.get(..mention.at).unwrap_or_default());
    if ending.is_none() {
        if let Some(reason) = branch(mention, &parts, in_tree) {
            return Some(reason);
        }
        if !in_tree {
            if is_version(first) || first == "api" || first == "graphql" {
                return Some(Reason::UrlPath);
            }
            if cues::speaks_of_requests(mention.whole.get(..mention.at).unwrap_or_default()) {
                return Some(Reason::UrlPath);
            }
        }
        if let Some(reason) = prose(mention, named, &parts, in_tree) {
            return Some(reason);
        }
        if !in_tree && announced {
            return Some(Reason::Prose);
        }
    } else if announced && !in_tree {
        return Some(Reason::Prose);
    }
    None
}

/// Whether the tree knows the folders that a path begins with.
fn is_rooted(ground: &Ground, parts: &[&str]) -> bool {
    let Some(first) = parts.first() else {
        return false;
    };
    parts.len() > 1 && ground.project.has_folder_named(first)
}

/// An absolute path that leads elsewhere: a place of a machine, or of an address.
fn foreign(ground: &Ground, mention: &Mention, parts: &[&str], ending: Option<&str>) -> Reason {
    let text = mention.text;
    if !text.starts_with('/') || text.starts_with("//") {
        return Reason::OutsideProject;
    }
    let first = parts.first().copied().unwrap_or_default();
    let asked = cues::speaks_of_requests(mention.whole.get(..mention.at).unwrap_or_default());
    if asked {
        return Reason::UrlPath;
    }
    if SYSTEM_TOPS.contains(&first)
        || ground
            .places
            .home
            .as_ref()
            .is_some_and(|home| home.ends_with(first))
    {
        return Reason::OutsideProject;
    }
    if parts.len() == 1 && ending.is_none() && mention.place != Where::Span {
        return if cues::speaks_of_addresses(mention.whole) {
            Reason::UrlPath
        } else {
            Reason::Prose
        };
    }
    match ending {
        Some(ending) if !is_data(ending) => Reason::OutsideProject,
        _ => Reason::UrlPath,
    }
}

/// Signs that no path of a project has: expressions, escapes, commands.
fn is_pattern(text: &str, ending: Option<&str>) -> bool {
    if text.starts_with('-') || text.contains("...") || text.contains('…') {
        return true;
    }
    if let Some(rest) = text.strip_prefix('\\')
        && !rest.starts_with('\\')
        && ending.is_none()
    {
        return true;
    }
    ending.is_none()
        && text.chars().any(|c| {
            matches!(
                c,
                '|' | ';' | ',' | '!' | '?' | '&' | '^' | '[' | ']' | '$' | '%' | '+'
            )
        })
}

fn is_placeholder(parts: &[&str]) -> bool {
    let stem = |part: &&str| part.split('.').next().unwrap_or(part).to_ascii_lowercase();
    let made_up = parts.iter().any(|part| {
        let stem = stem(part);
        matches!(
            stem.as_str(),
            "foo"
                | "bar"
                | "baz"
                | "qux"
                | "xxx"
                | "yyy"
                | "example"
                | "beispiel"
                | "dein"
                | "your"
        ) || stem.starts_with("your-")
            || stem.starts_with("my-")
            || part.contains("YYYY")
            || part.contains("NNN")
            || part.contains("XXX")
            || part
                .split(|c: char| !c.is_ascii_alphabetic())
                .any(|word| STANDS_FOR.contains(&word))
    });
    made_up || parts.windows(2).any(|pair| matches!(pair, ["path", "to"]))
}

fn is_version(part: &str) -> bool {
    part.strip_prefix('v')
        .is_some_and(|digits| !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()))
}

fn is_mime(parts: &[&str]) -> bool {
    let [kind, subtype] = parts else {
        return false;
    };
    match *kind {
        "application" => {
            subtype.starts_with("x-")
                || subtype.starts_with("vnd.")
                || subtype.contains('+')
                || (known_ending(subtype).is_none()
                    && subtype.chars().all(|c| {
                        c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.' | '*')
                    }))
        }
        "text" | "image" | "audio" | "video" | "font" | "multipart" | "model" | "message" => {
            *subtype == "*"
                || subtype.contains('+')
                || subtype.starts_with("x-")
                || subtype.starts_with("vnd.")
                || MIME_SUBTYPES.contains(subtype)
        }
        _ => false,
    }
}

fn packages(
    ground: &Ground,
    mention: &Mention,
    parts: &[&str],
    ending: Option<&str>,
    in_tree: bool,
) -> Option<Reason> {
    let first = *parts.first()?;
    if let Some(scope) = first.strip_prefix('@') {
        // `@/x` and `~/x` are aliases of bundlers for the source folder.
        return (!scope.is_empty() && ending.is_none()).then_some(Reason::PackageName);
    }
    if in_tree || parts.len() < 2 {
        return None;
    }
    if let Some((_, end)) = first.rsplit_once('.')
        && HOST_ENDS.contains(&end)
        && !first.starts_with('.')
    {
        return Some(if PACKAGE_HOSTS.contains(&first) {
            Reason::PackageName
        } else {
            Reason::UrlPath
        });
    }
    if parts
        .last()
        .is_some_and(|last| last.find('@').is_some_and(|at| at > 0))
    {
        return Some(Reason::PackageName);
    }
    if ground.packages.contains(first) {
        return Some(Reason::PackageName);
    }
    let speaks_of_packages = [
        "github",
        "gitlab",
        "docker",
        "npm",
        "crate",
        "repo",
        "저장소",
        "레포",
        "이미지",
        "패키지",
        "image",
        "paket",
        "仓库",
        "镜像",
        "action",
    ];
    let line = mention.whole.to_lowercase();
    (parts.len() == 2
        && ending.is_none()
        && mention.place == Where::Span
        && !mention.text.ends_with('/')
        && speaks_of_packages.iter().any(|word| line.contains(word)))
    .then_some(Reason::PackageName)
}

/// A file name alone that no file of the project has.
fn bare_name(mention: &Mention, name: &str, ending: Option<&str>) -> Option<Reason> {
    let ending = ending?;
    let stem = name.strip_suffix(ending)?.trim_end_matches('.');
    if stem.is_empty() || GENERAL_FILES.contains(&name) {
        // `.md` as the name of an ending, `.env` as what nobody keeps in a repository.
        return Some(if stem.is_empty() && name != ".env" {
            Reason::Prose
        } else {
            Reason::OutsideProject
        });
    }
    if matches!(ending, "js" | "rs" | "ts")
        && DOTTED_PRODUCTS.contains(&stem.to_ascii_lowercase().as_str())
    {
        return Some(Reason::Prose);
    }
    if ending == "env" || ending == "log" || ending == "lock" {
        return Some(Reason::OutsideProject);
    }
    if is_data(ending)
        && (cues::speaks_of_products(mention.whole) || !cues::speaks_of_places(mention.whole))
    {
        return Some(Reason::OutsideProject);
    }
    cues::announces_an_example(mention.whole.get(..mention.at).unwrap_or_default())
        .then_some(Reason::Prose)
}

fn branch(mention: &Mention, parts: &[&str], in_tree: bool) -> Option<Reason> {
    if mention.text.ends_with('/') || mention.text.starts_with(['.', '\\']) || parts.len() < 2 {
        return None;
    }
    let first = parts.first().copied().unwrap_or_default();
    let ticket = first.split_once('-').is_some_and(|(key, number)| {
        key.len() >= 2
            && key
                .chars()
                .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
            && !number.is_empty()
            && number.chars().all(|c| c.is_ascii_digit())
    });
    let said = cues::speaks_of_branches(mention.whole);
    let lead = first.to_ascii_lowercase();
    let is_branch = ticket
        || (!in_tree && BRANCH_LEADS.contains(&lead.as_str()))
        || (said
            && (BRANCH_LEADS.contains(&lead.as_str())
                || BRANCH_LEADS_AT_TIMES.contains(&lead.as_str())
                || (!in_tree && mention.place == Where::Span)));
    is_branch.then_some(Reason::BranchName)
}

/// A slash of ordinary writing.
fn prose(mention: &Mention, named: &Named, parts: &[&str], in_tree: bool) -> Option<Reason> {
    let text = mention.text;
    let clearly_a_path = named.folder || text.starts_with("./") || text.starts_with('.');
    let numbers = parts.iter().all(|part| {
        part.chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | '-'))
    });
    let short = parts.iter().all(|part| part.chars().count() == 1);
    let capitals = parts.iter().all(|part| {
        part.chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
            && part.chars().any(|c| c.is_ascii_uppercase())
    });
    let foreign_script = parts.iter().all(|part| !part.is_ascii());
    if numbers || short || ((capitals || foreign_script) && !in_tree) {
        return Some(Reason::Prose);
    }
    if clearly_a_path {
        return None;
    }
    match mention.place {
        Where::Span => {
            let rooted = in_tree || parts.len() > 2 || cues::speaks_of_places(mention.whole);
            (!rooted).then_some(Reason::Prose)
        }
        Where::Text | Where::Fence => (parts.len() == 2 || !in_tree).then_some(Reason::Prose),
    }
}

// ---- symbols

/// Roots of standard libraries and of the handles that tutorials use.
const STANDARD_ROOTS: &[&str] = &[
    "std",
    "core",
    "alloc",
    "os",
    "sys",
    "re",
    "json",
    "time",
    "math",
    "random",
    "datetime",
    "collections",
    "itertools",
    "functools",
    "pathlib",
    "subprocess",
    "logging",
    "typing",
    "asyncio",
    "threading",
    "fmt",
    "http",
    "context",
    "errors",
    "strings",
    "strconv",
    "sync",
    "sort",
    "bytes",
    "bufio",
    "io",
    "ioutil",
    "console",
    "document",
    "window",
    "process",
    "np",
    "pd",
    "plt",
    "tf",
    "torch",
    "JSON",
    "Math",
    "Object",
    "Array",
    "Promise",
    "Date",
    "String",
    "Number",
    "Intl",
    "System",
    "java",
    "javax",
    "kotlin",
    "decimal",
    "shutil",
    "socket",
    "unittest",
    "pytest",
    "user",
    "git",
    "crypto",
];
/// Names that every reader knows from a language, a system or a product. Sorted is not needed: it is
/// short.
const KNOWN_NAMES: &[&str] = &[
    "useState",
    "useEffect",
    "useMemo",
    "useCallback",
    "useRef",
    "useContext",
    "useReducer",
    "setTimeout",
    "setInterval",
    "clearTimeout",
    "requestAnimationFrame",
    "addEventListener",
    "querySelector",
    "localStorage",
    "sessionStorage",
    "innerHTML",
    "structuredClone",
    "queueMicrotask",
    "setImmediate",
    "print",
    "println",
    "printf",
    "len",
    "range",
    "open",
    "sleep",
    "malloc",
    "free",
    "fetch",
    "require",
    "eval",
    "unwrap",
    "expect",
    "clone",
    "isinstance",
    "getattr",
    "setattr",
    "hasattr",
    "toString",
    "hashCode",
    "equals",
    "hasOwnProperty",
    "preventDefault",
    "forEach",
    "indexOf",
    "parseInt",
    "parseFloat",
    "isNaN",
    "now",
    "fsync",
    "mmap",
    "fork",
    "exec",
    "ioctl",
    "epoll_wait",
    "kill",
    "main",
    "NotImplementedError",
    "ValueError",
    "TypeError",
    "KeyError",
    "RuntimeError",
    "ImportError",
    "AttributeError",
    "IndexError",
    "ModuleNotFoundError",
    "FileNotFoundError",
    "PermissionError",
    "TimeoutError",
    "KeyboardInterrupt",
    "NullPointerException",
    "IllegalArgumentException",
    "ReferenceError",
    "SyntaxError",
    "__init__",
    "__main__",
    "__name__",
    "__pycache__",
    "site_packages",
    "node_modules",
    "GitHub",
    "GitLab",
    "JavaScript",
    "TypeScript",
    "PostgreSQL",
    "MySQL",
    "SQLite",
    "NoSQL",
    "MongoDB",
    "GraphQL",
    "OpenAPI",
    "WebSocket",
    "WebSockets",
    "macOS",
    "iOS",
    "iPhone",
    "iPad",
    "LaTeX",
    "PowerShell",
    "IntelliJ",
    "PyTorch",
    "TensorFlow",
    "NumPy",
    "FastAPI",
    "DuckDB",
    "ClickHouse",
    "RabbitMQ",
    "OAuth",
    "DevTools",
    "YouTube",
    "LinkedIn",
    "OpenAI",
    "ChatGPT",
    "BigQuery",
    "DynamoDB",
    "CloudFront",
    "VSCode",
    "WebAssembly",
    "x86_64",
    "aarch64",
    "utf8mb4",
    "snake_case",
    "camelCase",
    "PascalCase",
    "kebab_case",
];
/// Beginnings of variables that tools and systems define.
const FOREIGN_LEADS: &[&str] = &[
    "AWS_",
    "GITHUB_",
    "GH_",
    "CI_",
    "NODE_",
    "NPM_",
    "RUST_",
    "RUSTFLAGS",
    "CARGO_",
    "PYTHON",
    "PIP_",
    "JAVA_",
    "DOCKER_",
    "COMPOSE_",
    "KUBE",
    "CLAUDE_",
    "ANTHROPIC_",
    "OPENAI_",
    "XDG_",
    "LC_",
    "LD_",
    "DYLD_",
    "SSH_",
    "GIT_",
    "PG",
    "POSTGRES_",
    "MYSQL_",
    "GOOGLE_",
    "AZURE_",
    "ANDROID_",
    "CUDA_",
    "NVIDIA_",
    "OMP_",
    "HF_",
    "WSL",
    "MNEMO_",
    "SIG",
    "O_",
    "EPOLL",
    "ERR_",
    "SQLITE_",
    "GL_",
    "VK_",
    "HTTP_",
    "HTTPS_",
    "NO_COLOR",
    "NO_PROXY",
];

fn symbol(ground: &Ground, mention: &Mention) -> (Kind, Status) {
    let text = mention.text;
    let last = last_segment(text);
    if ground.found.contains(last) {
        return (Kind::Symbol, Status::Exists(None));
    }
    let mut candidates: Vec<String> = Vec::new();
    for name in ground.moves.said_of_symbol(last) {
        let new = last_segment(name);
        if new != last
            && ground.found.contains(new)
            && !candidates.iter().any(|known| known == name)
        {
            candidates.push(name.to_owned());
        }
    }
    if candidates.is_empty() {
        candidates.extend(
            variants(last)
                .into_iter()
                .filter(|variant| ground.found.contains(variant)),
        );
    }
    candidates.truncate(MOST_CANDIDATES);
    if !candidates.is_empty() {
        return (Kind::Symbol, Status::Moved(candidates));
    }
    if is_external(ground, mention, last) {
        return (Kind::Symbol, Status::NotAPath(Reason::ExternalSymbol));
    }
    (Kind::Symbol, Status::Gone)
}

fn is_external(ground: &Ground, mention: &Mention, last: &str) -> bool {
    let text = mention.text;
    let line = mention.whole;
    let qualified = text.contains("::") || text.contains('.');
    if (!qualified && KNOWN_NAMES.contains(&last)) || OUTPUTS.contains(&last) {
        return true;
    }
    let first = first_segment(text);
    if qualified {
        if STANDARD_ROOTS.contains(&first) || depends_on(ground, first) || HOST_ENDS.contains(&last)
        {
            return true;
        }
        // A handle that the project does not have either is somebody else's.
        if first.starts_with(|c: char| c.is_ascii_lowercase())
            && !ground.found.contains(first)
            && !cues::speaks_of_code(line)
        {
            return true;
        }
    }
    let capitals = last
        .chars()
        .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    if capitals
        && (FOREIGN_LEADS.iter().any(|lead| last.starts_with(lead))
            || cues::speaks_of_environment(line))
    {
        return true;
    }
    let plain_capitals = last.chars().all(|c| c.is_ascii_uppercase());
    let numbered = last.ends_with(|c: char| c.is_ascii_digit())
        && last
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    if !qualified && (plain_capitals || numbered) && !text.ends_with("()") {
        return numbered || !cues::speaks_of_code(line);
    }
    if is_owned(ground, mention) {
        return true;
    }
    cues::speaks_of_libraries(line)
}

fn depends_on(ground: &Ground, name: &str) -> bool {
    ground.packages.contains(name) || ground.packages.contains(&name.replace('_', "-"))
}

/// The word in front of a mention, outside code, and whether it is said to own what follows.
pub(super) fn owner<'a>(mention: &Mention<'a>) -> (&'a str, bool) {
    let before = mention.whole.get(..mention.at).unwrap_or_default();
    let before = before.strip_suffix('`').unwrap_or(before).trim_end();
    let owned = ["'s", "\u{2019}s", "의", "的"]
        .iter()
        .find_map(|of| before.strip_suffix(of));
    let owner = owned
        .unwrap_or(before)
        .rsplit(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '`')))
        .next()
        .unwrap_or_default();
    (owner, owned.is_some())
}

/// Whether the words beside a symbol name a package that the project depends on (`tokio's x`,
/// `x from tokio`).
fn is_owned(ground: &Ground, mention: &Mention) -> bool {
    let (owner, possessive) = owner(mention);
    if possessive
        && owner.starts_with(|c: char| c.is_ascii_uppercase())
        && !ground.found.contains(owner)
    {
        return true;
    }
    let behind = mention
        .whole
        .get(mention.at + mention.text.len()..)
        .unwrap_or_default()
        .trim_start_matches(|c: char| c.is_whitespace() || c == '`');
    let source = ["from ", "of ", "von ", "aus ", "in "]
        .iter()
        .find_map(|of| behind.strip_prefix(of))
        .map(|rest| {
            rest.trim_start_matches('`')
                .split(|c: char| c.is_whitespace() || matches!(c, '`' | ',' | ')' | '.'))
                .next()
                .unwrap_or_default()
        });
    [Some(owner), source]
        .into_iter()
        .flatten()
        .any(|name| !name.is_empty() && depends_on(ground, &name.to_lowercase()))
}
