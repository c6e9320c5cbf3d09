//! mnemo's skills in the client's folder.

use crate::note::{Note, fingerprint};
use crate::{Error, Result};
use claude_home::ClaudeHome;
use mnemo_home::Env;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Largest file of a skill that is compared.
const LARGEST: u64 = 4 << 20;

/// A file of a skill: its path below the skill's folder, and its text.
type File = (&'static str, &'static str);

/// The skills, as they lie in `skills/` of the repository.
pub const SKILLS: [(&str, &[File]); 3] = [
    (
        "memory-check",
        &[(
            "SKILL.md",
            include_str!("../../../skills/memory-check/SKILL.md"),
        )],
    ),
    (
        "memory-engine",
        &[
            (
                "SKILL.md",
                include_str!("../../../skills/memory-engine/SKILL.md"),
            ),
            (
                "references/decision-type-spec.md",
                include_str!("../../../skills/memory-engine/references/decision-type-spec.md"),
            ),
        ],
    ),
    (
        "mnemo",
        &[
            ("SKILL.md", include_str!("../../../skills/mnemo/SKILL.md")),
            (
                "references/search.md",
                include_str!("../../../skills/mnemo/references/search.md"),
            ),
            (
                "references/layers.md",
                include_str!("../../../skills/mnemo/references/layers.md"),
            ),
        ],
    ),
];

/// What became of a skill.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Fate {
    /// Put in place.
    Added,
    /// Replaced by this version's.
    Renewed,
    /// It is there as it should be.
    Present,
    /// Taken out.
    Removed,
    /// Somebody changed it since; left alone.
    Changed,
    /// A folder of that name is somebody else's; left alone.
    Foreign,
}

/// One skill.
#[derive(Debug, Clone, Serialize)]
pub struct Skill {
    /// Its name, as the client lists it.
    pub name: String,
    /// Its folder.
    pub folder: PathBuf,
    /// What became of it, or would.
    pub fate: Fate,
}

/// Puts the skills into the client's folder. With `dry_run` it only tells.
pub fn install(dry_run: bool, env: &Env) -> Result<Vec<Skill>> {
    let home = ClaudeHome::of(env).ok_or(Error::NoHome)?;
    let state = Note::folder(env)?;
    let mut note = Note::load(&state)?;
    let mut skills = Vec::new();
    for (name, files) in SKILLS {
        let folder = home.dir().join("skills").join(name);
        let wanted: BTreeMap<String, String> = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), fingerprint(text.as_bytes())))
            .collect();
        let fate = match Standing::of(&folder, note.skills.get(&folder), &wanted)? {
            Standing::Absent => Fate::Added,
            Standing::AsWanted => Fate::Present,
            Standing::Older => Fate::Renewed,
            Standing::Changed => Fate::Changed,
            Standing::Foreign => Fate::Foreign,
        };
        if !dry_run && matches!(fate, Fate::Added | Fate::Renewed | Fate::Present) {
            // First the note: files that no note knows would stay for ever.
            let old = note.skills.insert(folder.clone(), wanted.clone());
            note.clone().save(&state)?;
            if fate != Fate::Present {
                write(&folder, files)?;
                for gone in old.unwrap_or_default().into_keys() {
                    if !wanted.contains_key(&gone) {
                        safe_file::remove(&folder.join(gone))?;
                    }
                }
            }
        }
        skills.push(Skill {
            name: name.to_owned(),
            folder,
            fate,
        });
    }
    Ok(skills)
}

/// Takes out the skills that install put into the client's folders and nobody changed.
pub fn uninstall(dry_run: bool, env: &Env) -> Result<Vec<Skill>> {
    let state = Note::folder(env)?;
    let mut note = Note::load(&state)?;
    let mut skills = Vec::new();
    for (folder, files) in note.skills.clone() {
        let fate = match Standing::of(&folder, Some(&files), &files)? {
            Standing::Absent | Standing::AsWanted | Standing::Older => Fate::Removed,
            Standing::Changed | Standing::Foreign => Fate::Changed,
        };
        if !dry_run {
            if fate == Fate::Removed {
                for file in files.keys() {
                    safe_file::remove(&folder.join(file))?;
                }
                // Only where they are empty; `skills` itself too.
                for dir in [folder.join("references").as_path(), &folder] {
                    let _ = std::fs::remove_dir(dir);
                }
                if let Some(parent) = folder.parent() {
                    let _ = std::fs::remove_dir(parent);
                }
            }
            note.skills.remove(&folder);
        }
        skills.push(Skill {
            name: folder
                .file_name()
                .map(|name| name.to_string_lossy().into_owned())
                .unwrap_or_default(),
            folder,
            fate,
        });
    }
    if !dry_run && !skills.is_empty() {
        note.save(&state)?;
    }
    Ok(skills)
}

/// How a skill's folder stands to what is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Absent,
    AsWanted,
    /// As an earlier install left it.
    Older,
    /// Not as an earlier install left it.
    Changed,
    /// No install made it.
    Foreign,
}

impl Standing {
    fn of(
        folder: &Path,
        noted: Option<&BTreeMap<String, String>>,
        wanted: &BTreeMap<String, String>,
    ) -> Result<Self> {
        let meta = match std::fs::symlink_metadata(folder) {
            Ok(meta) => meta,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Self::Absent),
            Err(error) => return Err(safe_file::Error::io("read", folder, error).into()),
        };
        if !meta.is_dir() {
            return Ok(Self::Foreign);
        }
        if holds(folder, wanted)? {
            return Ok(Self::AsWanted);
        }
        Ok(match noted {
            Some(noted) if holds(folder, noted)? => Self::Older,
            Some(_) => Self::Changed,
            None => Self::Foreign,
        })
    }
}

/// Whether every file is there as it was written.
fn holds(folder: &Path, files: &BTreeMap<String, String>) -> Result<bool> {
    for (name, print) in files {
        let bytes = safe_file::read(&folder.join(name), LARGEST)?;
        if bytes.is_none_or(|bytes| fingerprint(&bytes) != *print) {
            return Ok(false);
        }
    }
    Ok(true)
}

fn write(folder: &Path, files: &[File]) -> Result<()> {
    for (name, text) in files {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            safe_file::create_private_dir(parent)?;
        }
        safe_file::replace_durably(&path, text.as_bytes())?;
    }
    Ok(())
}
