//! What was previewed, so that nothing else is applied.

use chrono::NaiveDate;
use mnemo_home::{Env, Folders};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

const VERSION: u32 = 1;
/// Largest fingerprint that is read, bytes.
const LARGEST: u64 = 64 << 20;

/// SHA-256 in hexadecimal digits.
pub fn sha256(bytes: &[u8]) -> String {
    let digest = Sha256::digest(bytes);
    let digit = |value: u8| char::from_digit(u32::from(value), 16).unwrap_or('0');
    let mut text = String::with_capacity(64);
    for byte in digest {
        text.push(digit(byte >> 4));
        text.push(digit(byte & 15));
    }
    text
}

/// The plan and the files that a preview showed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fingerprint {
    version: u32,
    /// The store's folder.
    pub store: String,
    /// SHA-256 of the plan's bytes.
    pub plan: String,
    /// The day: it stands in what is archived.
    pub date: String,
    /// SHA-256 of every file that would be touched; `None` for one that is not there.
    pub files: BTreeMap<String, Option<String>>,
    /// Something of the plan was applied since.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub applied: bool,
}

/// Why what was previewed is not what would be applied.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Differs {
    /// There is no preview of this store.
    NoPreview,
    /// The plan is another one.
    Plan,
    /// A day has passed.
    Day,
    /// These files are others.
    Files(Vec<String>),
    /// They are, since a part of the plan was applied.
    Applied,
    /// Something else would be done with these files: what the plan rests on has changed.
    Ground(Vec<String>),
}

impl std::fmt::Display for Differs {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::NoPreview => f.write_str("this plan was not previewed yet"),
            Self::Plan => f.write_str("the plan was edited after its preview"),
            Self::Day => {
                f.write_str("the preview is of another day, which stands in what is archived")
            }
            Self::Applied => f.write_str(
                "a part of this plan was applied since its preview, which changed files",
            ),
            Self::Files(files) => write!(f, "changed since the preview: {}", files.join(", ")),
            Self::Ground(files) => write!(
                f,
                "something else would be done with {} than was previewed, since what the plan rests on has changed",
                files.join(", ")
            ),
        }
    }
}

impl Fingerprint {
    /// Of a plan's bytes and the bytes that are there now.
    pub fn of<'a>(
        store: &Path,
        plan: &[u8],
        date: NaiveDate,
        files: impl IntoIterator<Item = (String, Option<&'a [u8]>)>,
    ) -> Self {
        Self {
            version: VERSION,
            store: store.display().to_string(),
            plan: sha256(plan),
            date: date.to_string(),
            files: files
                .into_iter()
                .map(|(path, bytes)| (path, bytes.map(sha256)))
                .collect(),
            applied: false,
        }
    }

    /// Where apply finds it; `None` without a state folder.
    pub fn file(store: &Path, env: &Env) -> Option<PathBuf> {
        let mut name = sha256(store.display().to_string().as_bytes());
        name.truncate(24);
        Some(
            Folders::of(env)
                .state?
                .join("garden")
                .join(format!("{name}.json")),
        )
    }

    /// Keeps it for apply, for this user only.
    pub fn keep(&self, file: &Path) -> safe_file::Result<()> {
        let text = serde_json::to_vec(self).unwrap_or_default();
        if let Some(folder) = file.parent() {
            safe_file::create_private_dir(folder)?;
        }
        safe_file::put(file, &text, Some(0o600), None)
    }

    /// Notes that something of the plan was applied; it only makes the next refusal say more.
    pub fn was_applied(mut self, file: &Path) {
        self.applied = true;
        let _ = self.keep(file);
    }

    /// Whether what would be applied now is what `previewed` holds.
    pub fn held_against(&self, previewed: Option<&Self>) -> Result<(), Differs> {
        let previewed = previewed.ok_or(Differs::NoPreview)?;
        if previewed.store != self.store {
            return Err(Differs::NoPreview);
        }
        if previewed.plan != self.plan {
            return Err(Differs::Plan);
        }
        // What is not touched any more may have changed too.
        let on_disk = |path: &String| {
            let bytes = safe_file::read(&Path::new(&self.store).join(path), LARGEST);
            bytes.ok().flatten().map(|bytes| sha256(&bytes))
        };
        let changed = previewed.files.iter().filter(|(path, hash)| {
            let now = self.files.get(*path);
            now.map_or_else(|| on_disk(path) != **hash, |now| now != *hash)
        });
        let changed: Vec<String> = changed.map(|(path, _)| path.clone()).collect();
        if !changed.is_empty() {
            return Err(if previewed.applied {
                Differs::Applied
            } else {
                Differs::Files(changed)
            });
        }
        let (then, now) = (&previewed.files, &self.files);
        let mut others: Vec<String> = then
            .keys()
            .filter(|path| !now.contains_key(*path))
            .chain(now.keys().filter(|path| !then.contains_key(*path)))
            .cloned()
            .collect();
        others.sort();
        if !others.is_empty() {
            return Err(Differs::Ground(others));
        }
        if previewed.date != self.date {
            return Err(Differs::Day);
        }
        Ok(())
    }

    /// Reads what was kept.
    pub fn read(file: &Path) -> safe_file::Result<Option<Self>> {
        Ok(safe_file::read(file, LARGEST)?
            .and_then(|bytes| serde_json::from_slice(&bytes).ok())
            .filter(|print: &Self| print.version == VERSION))
    }
}
