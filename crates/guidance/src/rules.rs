//! Blocks of rules in a CLAUDE.md that the user names.
//!
//! A skill is read when it is called for, not in an ordinary turn; what shall hold always stands in
//! a CLAUDE.md.

use crate::blocks::{self, Fate};
use crate::note::Note;
use crate::{Block, Error, Result};
use changes::ChangeSet;
use mnemo_home::{Env, Language};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// Largest file that is edited.
const LARGEST: u64 = 16 << 20;

/// The text of a block, lines that end with LF.
pub fn text(block: Block, language: Language) -> &'static str {
    match (block, language) {
        (Block::Checkpoint, Language::En) => include_str!("text/checkpoint.en.md"),
        (Block::Checkpoint, Language::Ko) => include_str!("text/checkpoint.ko.md"),
        (Block::Checkpoint, Language::De) => include_str!("text/checkpoint.de.md"),
        (Block::Checkpoint, Language::Zh) => include_str!("text/checkpoint.zh.md"),
        (Block::Standing, Language::En) => include_str!("text/standing.en.md"),
        (Block::Standing, Language::Ko) => include_str!("text/standing.ko.md"),
        (Block::Standing, Language::De) => include_str!("text/standing.de.md"),
        (Block::Standing, Language::Zh) => include_str!("text/standing.zh.md"),
    }
}

/// What becomes of one file.
#[derive(Debug, Clone, Serialize)]
pub struct Report {
    /// The file.
    pub file: PathBuf,
    /// Nothing was written.
    pub dry_run: bool,
    /// Whether the file changed, or would.
    pub changed: bool,
    /// Whether the file was not there before.
    pub made: bool,
    /// What became of each block.
    pub blocks: Vec<(Block, Fate)>,
    /// The change as a unified diff; empty when there is none.
    pub diff: String,
}

impl Report {
    /// Whether a block was left alone because somebody changed it.
    pub fn left_alone(&self) -> bool {
        self.blocks.iter().any(|(_, fate)| *fate == Fate::Changed)
    }
}

/// Puts the blocks into `file` (made if it is absent), or renews them.
pub fn install(file: &Path, language: Language, dry_run: bool, env: &Env) -> Result<Report> {
    edit("rules install", file, dry_run, env, |text, block| {
        blocks::put(text, block, self::text(block, language))
    })
}

/// Takes them out: the bytes from before, where nobody changed the blocks.
pub fn uninstall(file: &Path, dry_run: bool, env: &Env) -> Result<Report> {
    if !file.exists() {
        return Err(Error::Absent(file.to_owned()));
    }
    edit("rules uninstall", file, dry_run, env, blocks::take_out)
}

/// A file that was left as it is.
#[derive(Debug, Clone, Serialize)]
pub struct Left {
    /// The file.
    pub file: PathBuf,
    /// Why, and what to do.
    pub why: String,
}

/// Takes the blocks out of every file that they were put into and that is still there. One that
/// cannot be read or holds other marks is left as it is.
pub fn uninstall_all(dry_run: bool, env: &Env) -> Result<(Vec<Report>, Vec<Left>)> {
    let note = Note::load(&Note::folder(env)?)?;
    let (mut reports, mut left) = (Vec::new(), Vec::new());
    for file in note.rules {
        match uninstall(&file, dry_run, env) {
            Ok(report) if report.changed || report.left_alone() => reports.push(report),
            Ok(_) | Err(Error::Absent(_)) => {}
            Err(error) => left.push(Left {
                file,
                why: error.to_string(),
            }),
        }
    }
    Ok((reports, left))
}

/// The one path of a file, whatever way leads to it, and whether or not it is there.
fn resolved(file: &Path) -> PathBuf {
    // A CLAUDE.md is often a link to another tool's file; the user named it.
    if let Ok(real) = std::fs::canonicalize(file) {
        return real;
    }
    let folder = file
        .parent()
        .and_then(|folder| std::fs::canonicalize(folder).ok());
    match (folder, file.file_name()) {
        (Some(folder), Some(name)) => folder.join(name),
        _ => file.to_owned(),
    }
}

fn edit(
    command: &str,
    file: &Path,
    dry_run: bool,
    env: &Env,
    apply: impl Fn(&str, Block) -> std::result::Result<(String, Fate), crate::Fault>,
) -> Result<Report> {
    let absolute =
        std::path::absolute(file).map_err(|error| safe_file::Error::io("find", file, error))?;
    let file = resolved(&absolute);
    let (Some(folder), Some(name)) = (file.parent(), file.file_name()) else {
        return Err(Error::Absent(file));
    };
    if !folder.is_dir() {
        return Err(Error::NoFolder(folder.to_owned()));
    }
    let state = Note::folder(env)?;
    let _lock = (!dry_run).then(|| Note::lock(&state)).transpose()?;
    let before = safe_file::read(&file, LARGEST)?;
    let text = match &before {
        Some(bytes) => std::str::from_utf8(bytes).map_err(|_| Error::NotText(file.clone()))?,
        None => "",
    };
    let mut after = text.to_owned();
    let mut fates = Vec::new();
    // Taken out in the other order than put in, each finds the line ends that are its own.
    let mut order = Block::ALL;
    if command == "rules uninstall" {
        order.reverse();
    }
    for block in order {
        let (next, fate) = apply(&after, block).map_err(|fault| Error::marks(&file, fault))?;
        after = next;
        fates.push((block, fate));
    }
    fates.sort_unstable_by_key(|(block, _)| *block);
    let mut note = Note::load(&state)?;
    for files in [&mut note.rules, &mut note.made] {
        *files = files.iter().map(|file| resolved(file)).collect();
    }
    let mut plan = ChangeSet::inside(command, folder)?;
    let gone = after.is_empty() && note.made.contains(&file) && command == "rules uninstall";
    let change = plan.put(
        name,
        before.clone(),
        (!gone).then(|| after.clone().into_bytes()),
    );
    if before.is_none() {
        change.set_mode(0o644);
    }
    let report = Report {
        dry_run,
        changed: !plan.is_empty(),
        made: before.is_none() && !plan.is_empty(),
        blocks: fates,
        diff: plan.diff(redact::by_line),
        file: file.clone(),
    };
    if dry_run {
        return Ok(report);
    }
    // A swap would get past what its owner forbade.
    if report.changed && std::fs::metadata(&file).is_ok_and(|meta| meta.permissions().readonly()) {
        return Err(Error::ReadOnly(file));
    }
    let there = report.blocks.iter().any(|(_, fate)| fate.is_there());
    let mut next = note.clone();
    if there {
        next.rules.insert(file.clone());
        // What the note says of an earlier file of that name no longer holds.
        if before.is_none() {
            next.made.insert(file);
        } else if report.blocks.iter().all(|(_, fate)| *fate == Fate::Added) {
            next.made.remove(&file);
        }
    } else {
        next.rules.remove(&file);
        next.made.remove(&file);
    }
    // A block that no note knows would stay for ever: the note comes first, and goes last.
    if there && next != note {
        next.save(&state)?;
    }
    if report.changed {
        plan.apply(env)?;
    }
    if !there && next != note {
        next.save(&state)?;
    }
    Ok(report)
}
