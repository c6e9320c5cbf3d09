//! Where the content of a file that is gone lies now, under another name.

use super::shape::{is_alike, known_ending, last_part};
use std::collections::HashMap;
use std::path::Path;

/// Most files whose size is looked at for one that is gone.
const MOST_SIZES: usize = 20_000;
/// Most files that are read for one that is gone.
const MOST_READ: usize = 300;
/// Largest file that is compared, in bytes.
const LARGEST: usize = 1 << 20;
/// Fewer lines that say something are no likeness.
const FEWEST_LINES: usize = 3;

/// The file of `files` (relative to `root`) that holds most of what `old` held: at least `least`
/// (a share of its lines, and of theirs). The same ending, or one that it can be written anew in.
pub(crate) fn likeliest<'a>(
    root: &Path,
    files: impl Iterator<Item = &'a str>,
    path: &str,
    old: &[u8],
    least: f64,
) -> Option<&'a str> {
    let lines = Lines::of(old);
    if old.len() > LARGEST || lines.count < FEWEST_LINES {
        return None;
    }
    let ending = known_ending(path);
    let fits = |file: &&str| {
        let other = known_ending(file);
        *file != path && (other == ending || ending.zip(other).is_some_and(|(a, b)| is_alike(a, b)))
    };
    let near = |file: &&str| {
        let size = std::fs::symlink_metadata(root.join(file)).map_or(0, |meta| meta.len());
        let size = usize::try_from(size).unwrap_or(usize::MAX);
        size / 3 <= old.len() && old.len() / 3 <= size
    };
    let mut best: Option<(f64, bool, &str)> = None;
    for file in files
        .filter(fits)
        .take(MOST_SIZES)
        .filter(near)
        .take(MOST_READ)
    {
        let Ok(Some(bytes)) = safe_file::read_real(&root.join(file), LARGEST as u64) else {
            continue;
        };
        let likeness = lines.likeness(&Lines::of(&bytes));
        let same_name = last_part(file) == last_part(path);
        if likeness >= least
            && best.is_none_or(|(most, named, _)| (likeness, same_name) > (most, named))
        {
            best = Some((likeness, same_name, file));
        }
    }
    best.map(|(_, _, file)| file)
}

/// The lines of a file that say something, and how often each stands there.
struct Lines<'a> {
    times: HashMap<&'a [u8], usize>,
    count: usize,
}

impl<'a> Lines<'a> {
    fn of(bytes: &'a [u8]) -> Self {
        let mut times = HashMap::new();
        let mut count = 0;
        for line in bytes.split(|byte| *byte == b'\n') {
            let line = line.trim_ascii();
            let says = |byte: &u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
            if line.iter().filter(|byte| says(byte)).count() >= 3 {
                *times.entry(line).or_insert(0) += 1;
                count += 1;
            }
        }
        Self { times, count }
    }

    /// The share of lines that both have, of the longer one's.
    #[allow(
        clippy::cast_precision_loss,
        reason = "a share of at most a million lines"
    )]
    fn likeness(&self, other: &Self) -> f64 {
        let shared: usize = self
            .times
            .iter()
            .map(|(line, times)| (*times).min(other.times.get(line).copied().unwrap_or(0)))
            .sum();
        shared as f64 / self.count.max(other.count).max(1) as f64
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
        likeliest(folder.path(), names, "src/store.rs", OLD, least).map(str::to_owned)
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
