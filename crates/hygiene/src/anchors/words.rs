//! Which of the wanted names occur as words in the sources: one pass.

use super::mention::is_word;
use memory::parallel;
use std::borrow::Cow;
use std::collections::HashSet;
use std::path::Path;

/// Largest source file that is read, in bytes; what is larger was made by a tool.
const LARGEST: u64 = 2 << 20;
/// So many files keep the found words together.
const FILES_AT_ONCE: usize = 32;

/// Words that are looked for.
pub(super) type Wanted<'a> = HashSet<Cow<'a, str>>;

/// Those words of `bytes` that are wanted.
fn look<'a>(bytes: &[u8], wanted: &'a Wanted, found: &mut HashSet<&'a str>) {
    let mut mark = |word: &str| {
        if let Some(word) = wanted.get(word) {
            found.insert(word);
        }
    };
    let ends = |byte: &u8| !(byte.is_ascii_alphanumeric() || *byte == b'_' || !byte.is_ascii());
    for run in bytes.split(ends) {
        if run.is_empty() {
            continue;
        }
        let Ok(run) = std::str::from_utf8(run) else {
            continue;
        };
        if run.is_ascii() {
            mark(run);
        } else {
            run.split(|c| !is_word(c)).for_each(&mut mark);
        }
    }
}

/// Those of the wanted words that occur in the sources of a tree.
pub(super) fn look_in_files<'a>(
    root: &Path,
    files: &[String],
    wanted: &'a Wanted,
) -> HashSet<&'a str> {
    if wanted.is_empty() {
        return HashSet::new();
    }
    let files: Vec<&[String]> = files.chunks(FILES_AT_ONCE).collect();
    let found = parallel::map(&files, 2, |files| {
        let mut found = HashSet::new();
        for file in files.iter().filter(|file| super::shape::is_source(file)) {
            if let Ok(Some(bytes)) = safe_file::read_real(&root.join(file), LARGEST) {
                look(&bytes, wanted, &mut found);
            }
        }
        found
    });
    found.into_iter().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_only() {
        let wanted: Wanted = ["alpha", "beta_two", "gamma"].map(Cow::Borrowed).into();
        let mut found = HashSet::new();
        look(
            "alphabet(beta_two) // gamma를\n\u{300c}alpha\u{300d}".as_bytes(),
            &wanted,
            &mut found,
        );
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort_unstable();
        assert_eq!(found, ["alpha", "beta_two"]);
    }
}
