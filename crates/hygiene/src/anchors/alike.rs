//! Where the content of a file that is gone lies now, under another name.

use super::shape::{is_alike, known_ending, last_part};
use std::cmp::Ordering;
use std::collections::HashMap;
use std::hash::{DefaultHasher, Hasher as _};
use std::path::Path;

/// Most files whose size is looked at for one that is gone.
const MOST_SIZES: usize = 20_000;
/// Most files that are read for one that is gone.
const MOST_READ: usize = 300;
/// Fewer lines that say something are no likeness.
const FEWEST_LINES: usize = 3;

/// The files that something that is gone may have become; what was read of one is kept for the next
/// question.
pub(crate) struct Candidates<'a> {
    root: &'a Path,
    sizes: HashMap<&'a str, usize>,
    lines: HashMap<&'a str, Option<Lines>>,
}

impl<'a> Candidates<'a> {
    /// Largest file that is compared, in bytes.
    pub(crate) const LARGEST: usize = 1 << 20;

    /// Files below `root`.
    pub(crate) fn below(root: &'a Path) -> Self {
        Self {
            root,
            sizes: HashMap::new(),
            lines: HashMap::new(),
        }
    }

    /// The file of `files` (relative to the root) that holds most of what `old` held: at least
    /// `least` (a share of its lines, and of theirs). The same ending, or one that it can be written
    /// anew in.
    pub(crate) fn likeliest(
        &mut self,
        files: impl Iterator<Item = &'a str>,
        path: &str,
        old: &[u8],
        least: f64,
    ) -> Option<&'a str> {
        let lines = Lines::of(old);
        if old.len() > Self::LARGEST || lines.hashes.len() < FEWEST_LINES {
            return None;
        }
        let ending = known_ending(path);
        let fits = |file: &&str| {
            let other = known_ending(file);
            *file != path
                && (other == ending || ending.zip(other).is_some_and(|(a, b)| is_alike(a, b)))
        };
        let mut best: Option<(f64, bool, &str)> = None;
        let mut read = 0;
        for file in files.filter(fits).take(MOST_SIZES) {
            let size = self.size(file);
            if size / 3 > old.len() || old.len() / 3 > size {
                continue;
            }
            read += 1;
            if read > MOST_READ {
                break;
            }
            let Some(theirs) = self.lines(file) else {
                continue;
            };
            let likeness = lines.likeness(theirs);
            let same_name = last_part(file) == last_part(path);
            if likeness >= least
                && best.is_none_or(|(most, named, _)| (likeness, same_name) > (most, named))
            {
                best = Some((likeness, same_name, file));
            }
        }
        best.map(|(_, _, file)| file)
    }

    fn size(&mut self, file: &'a str) -> usize {
        *self.sizes.entry(file).or_insert_with(|| {
            let size = std::fs::symlink_metadata(self.root.join(file)).map_or(0, |meta| meta.len());
            usize::try_from(size).unwrap_or(usize::MAX)
        })
    }

    fn lines(&mut self, file: &'a str) -> Option<&Lines> {
        let lines = self.lines.entry(file).or_insert_with(|| {
            let bytes = safe_file::read_real(&self.root.join(file), Self::LARGEST as u64);
            bytes.ok().flatten().map(|bytes| Lines::of(&bytes))
        });
        lines.as_ref()
    }
}

/// The lines of a file that say something.
struct Lines {
    /// One number for each, sorted.
    hashes: Vec<u64>,
}

impl Lines {
    fn of(bytes: &[u8]) -> Self {
        let says = |byte: &&u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
        let mut hashes: Vec<u64> = bytes
            .split(|byte| *byte == b'\n')
            .map(<[u8]>::trim_ascii)
            .filter(|line| line.iter().filter(says).nth(2).is_some())
            .map(|line| {
                let mut hasher = DefaultHasher::new();
                hasher.write(line);
                hasher.finish()
            })
            .collect();
        hashes.sort_unstable();
        Self { hashes }
    }

    /// The share of lines that both have, of the longer one's.
    #[allow(
        clippy::cast_precision_loss,
        reason = "a share of at most a million lines"
    )]
    fn likeness(&self, other: &Self) -> f64 {
        let (mut own, mut theirs) = (
            self.hashes.iter().peekable(),
            other.hashes.iter().peekable(),
        );
        let mut shared = 0_usize;
        while let (Some(a), Some(b)) = (own.peek(), theirs.peek()) {
            match a.cmp(b) {
                Ordering::Less => _ = own.next(),
                Ordering::Greater => _ = theirs.next(),
                Ordering::Equal => {
                    shared += 1;
                    own.next();
                    theirs.next();
                }
            }
        }
        shared as f64 / self.hashes.len().max(other.hashes.len()).max(1) as f64
    }
}

#[cfg(test)]
#[allow(clippy::disallowed_methods, reason = "a test makes files")]
mod tests {
    use super::*;

    const OLD: &[u8] = b"fn open() {\n}\nfn shut() {\n}\nfn look() {\n}\nfn wait() {\n}\n";

    fn found(files: &[(&str, &str)], least: f64) -> Option<String> {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            std::fs::write(folder.path().join(name), text).unwrap();
        }
        let names = files.iter().map(|(name, _)| *name);
        let mut candidates = Candidates::below(folder.path());
        let first = candidates.likeliest(names.clone(), "src/store.rs", OLD, least);
        // What is known from the first time changes nothing.
        let again = candidates.likeliest(names, "src/store.rs", OLD, least);
        assert_eq!(first, again);
        first.map(str::to_owned)
    }

    #[test]
    fn the_most_alike_is_found() {
        let half = "fn open() {\n}\nfn shut() {\n}\nfn more() {\n}\nfn last() {\n}\n";
        let most = "fn open() {\n}\nfn shut() {\n}\nfn look() {\n}\nfn last() {\n}\n";
        assert_eq!(
            found(&[("a.rs", half), ("b.rs", most)], 0.5).unwrap(),
            "b.rs"
        );
        assert_eq!(found(&[("a.rs", half)], 0.6), None);
        assert_eq!(found(&[("a.md", most)], 0.5), None);
        assert_eq!(found(&[("a.ts", most)], 0.5).unwrap(), "a.ts");
        assert_eq!(found(&[("a.rs", "}\n}\n}\n}\n}\n}\n")], 0.1), None);
    }
}
