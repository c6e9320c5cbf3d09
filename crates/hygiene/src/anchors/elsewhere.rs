//! Where something went: told by documents and history, or found by its name.

use super::ground::Ground;
use super::judge::MOST_CANDIDATES;
use super::path::Named;
use super::shape::{known_ending, last_part};
use super::tree::ends_with_parts;

/// Where documents and history say that it went.
pub(super) fn told_elsewhere(ground: &Ground, named: &Named) -> Vec<String> {
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
pub(super) fn found_elsewhere(ground: &Ground, named: &Named) -> Vec<String> {
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
            .filter(|file| is_test(file) == is_test(path))
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
                            && super::shape::is_alike(kind, ending)
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

/// Whether a path is that of a test: a test of the same name is not what became of a file.
fn is_test(path: &str) -> bool {
    path.split('/').any(|part| {
        let part = part.to_ascii_lowercase();
        matches!(
            part.as_str(),
            "test" | "tests" | "__tests__" | "spec" | "specs" | "e2e" | "fixtures"
        ) || part.contains("_test.")
            || part.contains(".test.")
            || part.contains(".spec.")
            || part.starts_with("test_")
    })
}

fn last_two(path: &str) -> Option<(&str, &str)> {
    let (above, name) = path.rsplit_once('/')?;
    Some((last_part(above), name))
}
