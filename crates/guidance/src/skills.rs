//! mnemo's skills in the client's folder.

use crate::note::{Note, fingerprint};
use crate::{Error, Result};
use claude_home::ClaudeHome;
use mnemo_home::Env;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// Largest file of a skill that is compared.
const LARGEST: u64 = 4 << 20;

/// A file of a skill: its path below the skill's folder, and its text.
type File = (&'static str, &'static str);

/// The skills, as they lie in `skills/` of the repository.
pub const SKILLS: [(&str, &[File]); 4] = [
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
        "memory-garden",
        &[
            (
                "SKILL.md",
                include_str!("../../../skills/memory-garden/SKILL.md"),
            ),
            (
                "references/examples.md",
                include_str!("../../../skills/memory-garden/references/examples.md"),
            ),
            (
                "references/report.md",
                include_str!("../../../skills/memory-garden/references/report.md"),
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

/// Puts the skills into the client's folder. With `dry_run` it only tells. Running it again brings
/// to its end what failed half-way ([`Error::Part`]).
pub fn install(dry_run: bool, env: &Env) -> Result<Vec<Skill>> {
    let mut begun = false;
    put_in_place(dry_run, env, &mut begun).map_err(|error| match error {
        Error::File(source) if begun => Error::Part(source),
        other => other,
    })
}

/// `begun` tells whether a skill was touched.
fn put_in_place(dry_run: bool, env: &Env, begun: &mut bool) -> Result<Vec<Skill>> {
    let home = ClaudeHome::of(env).ok_or(Error::NoHome)?;
    let state = Note::folder(env)?;
    let _lock = (!dry_run).then(|| Note::lock(&state)).transpose()?;
    let mut note = Note::load(&state)?;
    let above = home.dir().join("skills");
    let mut skills = Vec::new();
    for (name, files) in SKILLS {
        let folder = above.join(name);
        let wanted: Prints = files
            .iter()
            .map(|(path, text)| ((*path).to_owned(), fingerprint(text.as_bytes())))
            .collect();
        let noted = note.skills.get(&folder);
        let fate = match Standing::of(&folder, noted, &wanted)? {
            Standing::Absent => Fate::Added,
            Standing::AsWanted => Fate::Present,
            Standing::Older => Fate::Renewed,
            Standing::Changed => Fate::Changed,
            Standing::Foreign => Fate::Foreign,
        };
        if !dry_run && matches!(fate, Fate::Added | Fate::Renewed) {
            // First the note: files that no note knows would stay for ever. Both texts stand in it
            // until the new one is whole.
            let old = note.skills.get(&folder).cloned().unwrap_or_default();
            if fate == Fate::Added {
                note.skills.insert(folder.clone(), wanted.clone());
                if std::fs::symlink_metadata(&above).is_err() {
                    note.folders.insert(above.clone());
                }
                note.save(&state)?;
            }
            *begun = true;
            write(&folder, files)?;
            for gone in old.keys().filter(|name| !wanted.contains_key(*name)) {
                safe_file::remove(&folder.join(gone))?;
            }
            if note.skills.insert(folder.clone(), wanted.clone()) != Some(wanted) {
                note.save(&state)?;
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

/// Takes out the skills that install put into the client's folders and nobody changed. Files that
/// somebody laid beside them stay.
pub fn uninstall(dry_run: bool, env: &Env) -> Result<Vec<Skill>> {
    let state = Note::folder(env)?;
    // Without a state folder nothing was installed, and none is made to find that out.
    let _lock = (!dry_run && state.is_dir())
        .then(|| Note::lock(&state))
        .transpose()?;
    let mut note = Note::load(&state)?;
    let before = note.clone();
    let mut skills = Vec::new();
    for (folder, files) in &before.skills {
        let fate = match Standing::of(folder, Some(files), files)? {
            Standing::Absent => None,
            Standing::AsWanted | Standing::Older => Some(Fate::Removed),
            Standing::Changed | Standing::Foreign => Some(Fate::Changed),
        };
        if !dry_run && fate == Some(Fate::Removed) {
            take_out(folder, files)?;
        }
        if fate != Some(Fate::Changed) {
            note.skills.remove(folder);
        }
        if let Some(fate) = fate {
            skills.push(Skill {
                name: folder
                    .file_name()
                    .map(|name| name.to_string_lossy().into_owned())
                    .unwrap_or_default(),
                folder: folder.clone(),
                fate,
            });
        }
    }
    if !dry_run {
        for folder in &before.folders {
            // Only where it is empty.
            let _ = std::fs::remove_dir(folder);
        }
        note.folders.retain(|folder| folder.exists());
        if note != before {
            note.save(&state)?;
        }
    }
    Ok(skills)
}

fn take_out(folder: &Path, files: &Prints) -> Result<()> {
    let mut folders = BTreeSet::from([folder.to_owned()]);
    for file in files.keys() {
        let path = folder.join(file);
        safe_file::remove(&path)?;
        let within = path.ancestors().skip(1);
        folders.extend(
            within
                .take_while(|above| *above != folder)
                .map(Path::to_owned),
        );
    }
    // The inner ones first, and only where they are empty.
    for folder in folders.iter().rev() {
        let _ = std::fs::remove_dir(folder);
    }
    Ok(())
}

/// The files of a skill and what was written into them.
type Prints = BTreeMap<String, String>;

/// How a skill's folder stands to what is wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Standing {
    Absent,
    AsWanted,
    /// As an earlier install left it, perhaps one that was cut short.
    Older,
    /// Not as an earlier install left it.
    Changed,
    /// No install made it.
    Foreign,
}

impl Standing {
    fn of(folder: &Path, noted: Option<&Prints>, wanted: &Prints) -> Result<Self> {
        match found(folder)? {
            None => return Ok(Self::Absent),
            Some(meta) if !meta.is_dir() => return Ok(Self::Foreign),
            Some(_) => {}
        }
        let none = Prints::new();
        let noted_files = noted.unwrap_or(&none);
        let mut whole = true;
        for name in wanted.keys().chain(noted_files.keys()) {
            let want = wanted.get(name);
            match print_of(folder, name)? {
                Print::None => whole &= want.is_none(),
                Print::Of(print) if want == Some(&print) => {}
                Print::Of(print) if noted_files.get(name) == Some(&print) => whole = false,
                Print::Of(_) | Print::Other => {
                    return Ok(match noted {
                        Some(_) => Self::Changed,
                        None => Self::Foreign,
                    });
                }
            }
        }
        Ok(match (whole, noted) {
            (true, _) => Self::AsWanted,
            (false, Some(_)) => Self::Older,
            (false, None) => Self::Foreign,
        })
    }
}

/// What stands where a file of a skill should be.
enum Print {
    None,
    Of(String),
    /// A link, a folder, something that cannot be one of ours.
    Other,
}

fn print_of(folder: &Path, name: &str) -> Result<Print> {
    let mut path = folder.to_owned();
    let mut parts = name.split('/').peekable();
    while let Some(part) = parts.next() {
        path.push(part);
        let Some(meta) = found(&path)? else {
            return Ok(Print::None);
        };
        let fits = match parts.peek() {
            Some(_) => meta.is_dir(),
            None => meta.is_file() && meta.len() <= LARGEST,
        };
        if !fits {
            return Ok(Print::Other);
        }
    }
    let bytes = safe_file::read_real(&path, LARGEST)?;
    Ok(bytes.map_or(Print::None, |bytes| Print::Of(fingerprint(&bytes))))
}

/// What a name stands for, links not followed.
fn found(path: &Path) -> Result<Option<std::fs::Metadata>> {
    match std::fs::symlink_metadata(path) {
        Ok(meta) => Ok(Some(meta)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(safe_file::Error::io("look at", path, error).into()),
    }
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
