//! Files that a person names and a command writes: made for this user only, never over what is
//! there unless that is wished, never among the entries of a memory.

use crate::exit::Failure;
use std::path::{Path, PathBuf};

/// A diff as it is shown: the files may hold private text and secrets, also in the lines around a
/// change. What is done is not changed by it.
pub(super) fn shown_diff(diff: &str) -> String {
    // Line by line, or a tag that is open in one hunk hides all that follow.
    let mut text = String::with_capacity(diff.len());
    for line in diff.split_inclusive('\n') {
        let end = line.len() - line.trim_end_matches(['\r', '\n']).len();
        let (line, end) = line.split_at(line.len() - end);
        text.push_str(redact::clean(line, redact::Policy { secrets: false }).as_str());
        text.push_str(end);
    }
    redact::clean_owned(text, redact::Policy { secrets: true }).into_string()
}

/// How much of a file is looked at to tell whose it is, bytes.
const HEAD: usize = 1024;

/// What stands in the way of a file that is there already.
#[derive(Debug, Clone, Copy)]
pub(super) enum Over<'a> {
    /// Everything is overwritten, since `--force` says so.
    Anything,
    /// Only what holds this mark in its head: what the same command wrote before.
    Own(&'a str),
    /// The same, and `--force` was said: whoever may run the command may not overwrite all there is.
    ForcedOwn(&'a str),
    /// Nothing is.
    Nothing,
}

/// Writes `text` to `file`. `store` is the memory it is about.
pub(super) fn write(file: &Path, store: &Path, text: &str, over: Over<'_>) -> Result<(), Failure> {
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let real = folder_of(&file)?;
    let root = std::fs::canonicalize(store).unwrap_or_else(|_| store.to_owned());
    if is_markdown(&file) && real.starts_with(root) {
        return Err(Failure::refused(format!(
            "{} lies in the memory; write it elsewhere",
            file.display()
        )));
    }
    if std::fs::symlink_metadata(&file).is_ok_and(|meta| meta.is_symlink()) {
        return Err(Failure::refused(format!(
            "{} is a link; name the file itself",
            file.display()
        )));
    }
    let replaces = match over {
        Over::Anything => true,
        Over::Own(mark) | Over::ForcedOwn(mark) => is_own(&file, mark),
        Over::Nothing => false,
    };
    safe_file::sweep_beside(&file);
    if replaces {
        safe_file::replace(&file, text.as_bytes())?;
    } else if !safe_file::create_whole(&file, text.as_bytes())? {
        return Err(Failure::refused(match over {
            Over::ForcedOwn(_) => format!(
                "{} is there already and is nothing that this command wrote; name another file",
                file.display()
            ),
            _ => format!(
                "{} is there already; name another file, or say --force to overwrite it",
                file.display()
            ),
        }));
    }
    super::note_in_git(&file);
    Ok(())
}

/// The real folder that a file may be made in; where there is none, or the file would be taken for a
/// part of a record, what to do.
pub(super) fn folder_of(file: &Path) -> Result<PathBuf, Failure> {
    let file = std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let folder = file.parent().unwrap_or(Path::new("/"));
    match std::fs::canonicalize(folder) {
        Ok(real) if is_markdown(&file) && record::is_inside(&real) => {
            Err(Failure::refused(format!(
                "{} would be read as a part of the project's record; write it elsewhere",
                file.display()
            )))
        }
        Ok(real) => Ok(real),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Err(Failure::input(format!(
            "the folder {} does not exist; make it first",
            folder.display()
        ))),
        Err(error) => Err(Failure::input(format!(
            "cannot write into {}: {error}",
            folder.display()
        ))),
    }
}

fn is_markdown(file: &Path) -> bool {
    file.extension()
        .is_some_and(|ending| ending.eq_ignore_ascii_case("md"))
}

/// Whether a file is one that the command itself wrote, or has nothing in it.
fn is_own(file: &Path, mark: &str) -> bool {
    use std::io::Read as _;
    let Ok(Some(open)) = safe_file::open_regular(file) else {
        return false;
    };
    let mut head = Vec::new();
    open.take(HEAD as u64).read_to_end(&mut head).is_ok()
        && (head.is_empty() || head.windows(mark.len()).any(|part| part == mark.as_bytes()))
}
