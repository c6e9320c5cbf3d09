//! Which transcript folders may hold sessions of a project.

use crate::slug::{LONGEST, real, slug};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

pub(crate) fn of(projects: &Path, roots: &[&Path], transcript: Option<&Path>) -> Vec<PathBuf> {
    let own = transcript
        .and_then(Path::parent)
        .filter(|folder| folder.is_dir())
        .map(Path::to_path_buf);
    let mut own_real = None;
    let found = named_after(projects, roots).into_iter().filter(|folder| {
        let Some(own) = &own else { return true };
        // By its name mostly; only what is called otherwise has to be looked at on the disk.
        own != folder && *own_real.get_or_insert_with(|| real(own)) != real(folder)
    });
    let found: Vec<PathBuf> = found.collect();
    own.into_iter().chain(found).collect()
}

fn named_after(projects: &Path, roots: &[&Path]) -> BTreeSet<PathBuf> {
    let wanted = wanted(roots);
    let Ok(listing) = fs::read_dir(projects) else {
        return BTreeSet::new();
    };
    listing
        .flatten()
        .filter(|entry| {
            entry
                .file_name()
                .to_str()
                .is_some_and(|name| wanted.iter().any(|slug| slug.fits(name)))
        })
        .map(|entry| entry.path())
        .filter(|path| path.is_dir())
        .collect()
}

/// What a folder of a root or of one of its sub-directories is called.
struct Wanted {
    exact: String,
    prefix: String,
}

impl Wanted {
    fn fits(&self, name: &str) -> bool {
        name == self.exact || name.starts_with(&self.prefix)
    }
}

fn wanted(roots: &[&Path]) -> Vec<Wanted> {
    let slugs: BTreeSet<String> = roots
        .iter()
        .flat_map(|root| [slug(root), slug(&real(root))])
        .collect();
    slugs
        .into_iter()
        // A root of only dashes (`/`) would take in every folder there is.
        .filter(|slug| slug.bytes().any(|b| b != b'-') || slug.len() > 1)
        .map(|exact| {
            // A cut slug ends in a hash that its sub-directories do not share.
            let stem = exact.get(..LONGEST).unwrap_or(&exact);
            Wanted {
                prefix: format!("{stem}-"),
                exact,
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn projects(names: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for name in names {
            fs::create_dir(dir.path().join(name)).unwrap();
        }
        dir
    }

    fn names(folders: &[PathBuf]) -> Vec<&str> {
        folders
            .iter()
            .map(|f| f.file_name().unwrap().to_str().unwrap())
            .collect()
    }

    #[test]
    fn the_root_its_subdirectories_and_its_worktrees_are_candidates() {
        let dir = projects(&[
            "-w-shop",
            "-w-shop-api",
            "-w-shopping",
            "-w",
            "-x-shop",
            "-w-tree",
        ]);
        fs::write(dir.path().join("-w-shop-file"), "").unwrap();
        let found = of(
            dir.path(),
            &[Path::new("/w/shop"), Path::new("/w/tree")],
            None,
        );
        assert_eq!(names(&found), ["-w-shop", "-w-shop-api", "-w-tree"]);
    }

    #[test]
    fn the_payloads_own_folder_comes_first_and_once() {
        let dir = projects(&["-w-shop", "-w-shop-api", "elsewhere"]);
        let transcript = dir.path().join("-w-shop-api/1.jsonl");
        let found = of(dir.path(), &[Path::new("/w/shop")], Some(&transcript));
        assert_eq!(names(&found), ["-w-shop-api", "-w-shop"]);
        let transcript = dir.path().join("elsewhere/1.jsonl");
        let found = of(dir.path(), &[Path::new("/w/shop")], Some(&transcript));
        assert_eq!(names(&found), ["elsewhere", "-w-shop", "-w-shop-api"]);
    }

    #[test]
    fn nothing_there_is_no_error() {
        let dir = tempfile::tempdir().unwrap();
        let absent = dir.path().join("absent");
        assert!(of(&absent, &[Path::new("/w")], Some(&absent.join("x/1.jsonl"))).is_empty());
    }

    #[test]
    fn a_cut_slug_finds_its_subdirectories() {
        let root = format!("/{}", "d".repeat(250));
        let below = format!("{root}/sub");
        let (a, b) = (slug(Path::new(&root)), slug(Path::new(&below)));
        assert_ne!(a, b);
        let dir = projects(&[&a, &b]);
        assert_eq!(of(dir.path(), &[Path::new(&root)], None).len(), 2);
    }

    #[test]
    fn the_file_systems_root_is_not_everything() {
        let dir = projects(&["-", "-w-shop"]);
        assert!(of(dir.path(), &[Path::new("/")], None).is_empty());
    }

    #[cfg(unix)]
    #[test]
    fn a_root_reached_through_a_link_has_the_slug_of_its_real_path() {
        let place = tempfile::tempdir().unwrap();
        let target = fs::canonicalize(place.path()).unwrap().join("real");
        fs::create_dir(&target).unwrap();
        let link = place.path().join("link");
        std::os::unix::fs::symlink(&target, &link).unwrap();
        let name = slug(&target);
        let dir = projects(&[&name]);
        assert_eq!(names(&of(dir.path(), &[&link], None)), [name.as_str()]);
    }

    #[cfg(unix)]
    #[test]
    fn one_folder_under_two_names_is_one() {
        let dir = projects(&["-w-shop"]);
        let other = tempfile::tempdir().unwrap();
        std::os::unix::fs::symlink(dir.path(), other.path().join("p")).unwrap();
        let transcript = other.path().join("p/-w-shop/1.jsonl");
        let found = of(dir.path(), &[Path::new("/w/shop")], Some(&transcript));
        assert_eq!(found, [other.path().join("p/-w-shop")]);
    }
}
