//! Which of the wanted names occur as words in the sources: one pass.

use super::mention::is_word;
use std::collections::HashSet;
use std::path::Path;

/// Largest source file that is read, in bytes; what is larger was made by a tool.
const LARGEST: u64 = 2 << 20;

/// Marks the words of `bytes` that are in `wanted` as found.
pub(super) fn look(bytes: &[u8], wanted: &HashSet<String>, found: &mut HashSet<String>) {
    let mut mark = |word: &str| {
        if wanted.contains(word) && !found.contains(word) {
            found.insert(word.to_owned());
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

/// As [`look`], in the files of a tree; stops when all are found.
pub(super) fn look_in_files(
    root: &Path,
    files: &[String],
    wanted: &HashSet<String>,
    found: &mut HashSet<String>,
) {
    for file in files {
        if found.len() >= wanted.len() {
            return;
        }
        if super::shape::is_source(file)
            && let Ok(Some(bytes)) = safe_file::read_real(&root.join(file), LARGEST)
        {
            look(&bytes, wanted, found);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_words_only() {
        let wanted: HashSet<String> = ["alpha", "beta_two", "gamma"].map(str::to_owned).into();
        let mut found = HashSet::new();
        look(
            "alphabet(beta_two) // gamma를\n\u{300c}alpha\u{300d}".as_bytes(),
            &wanted,
            &mut found,
        );
        let mut found: Vec<_> = found.into_iter().collect();
        found.sort();
        assert_eq!(found, ["alpha", "beta_two"]);
    }
}
