//! What a repository's history says of its files, for those who look for what moved and why.

use crate::Via;
use crate::git::{Git, Head, records};
use mnemo_home::Env;
use std::collections::HashMap;
use std::path::Path;

/// Commits whose renames and removals are read.
const COMMITS: &str = "--max-count=4000";
/// Commits of one file that are read.
const COMMITS_OF_FILE: &str = "--max-count=500";

/// What an answer of git may hold, in bytes.
const AT_ONCE: usize = 7 << 20;

/// Files that moved and files that went. Paths are relative to the directory, with `/`.
#[derive(Debug, Clone, Default)]
pub struct Changes {
    /// Old and new paths, newest first.
    pub renames: Vec<(String, String)>,
    /// Files that were removed, also those that came back.
    pub removed: Vec<Removed>,
}

/// A file that was removed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    /// Its path.
    pub path: String,
    /// What it held at last, for [`History::contents`].
    pub blob: String,
    /// Since the newest commit.
    pub lately: bool,
}

/// One commit that changed a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileCommit {
    /// Abbreviated hash.
    pub hash: String,
    /// When it was made, RFC 3339 with its own offset.
    pub at: String,
    /// First line of its message.
    pub subject: String,
    /// The rest of its message.
    pub body: String,
}

impl Changes {
    /// Reads `:MODE MODE HASH HASH KIND<NUL>PATH<NUL>`, with two paths for a rename.
    fn read(&mut self, told: &[u8], lately: bool) {
        let mut fields = records(told);
        while let Some(field) = fields.next() {
            let mut words = field.trim_start_matches(':').split(' ').skip(2);
            let (Some(blob), Some(kind)) = (words.next(), words.nth(1)) else {
                continue;
            };
            let Some(path) = fields.next() else {
                return;
            };
            if kind.starts_with('R') {
                self.renames.extend(fields.next().map(|new| (path, new)));
            } else if kind == "D" {
                self.removed.push(Removed {
                    path,
                    blob: blob.to_owned(),
                    lately,
                });
            }
        }
    }
}

/// The size in `HASH KIND SIZE`; what is no file has none.
fn size_of(told: &[u8]) -> Option<usize> {
    let mut words = std::str::from_utf8(told).ok()?.split(' ').skip(1);
    (words.next() == Some("blob")).then_some(())?;
    words.next()?.parse().ok()
}

/// The contents in an answer to `cat-file --batch`: `HASH KIND SIZE<LF>CONTENT<LF>` each.
fn batch(mut told: &[u8]) -> Vec<Vec<u8>> {
    let mut contents = Vec::new();
    while let Some(end) = told.iter().position(|byte| *byte == b'\n') {
        let size = told.get(..end).and_then(size_of);
        let Some(content) = size.and_then(|size| told.get(end + 1..end + 1 + size)) else {
            break;
        };
        contents.push(content.to_vec());
        told = told.get(end + 2 + content.len()..).unwrap_or_default();
    }
    contents
}

/// The history of one directory's repository.
#[derive(Debug)]
pub struct History {
    git: Git,
}

impl History {
    /// Looks at a directory; `None` where there is no repository or no program to read it with.
    pub fn at(directory: &Path, env: &Env) -> Option<Self> {
        Self::ask(directory, env).ok().flatten()
    }

    /// The same; where there is a repository that cannot be read with the program, an error says why.
    pub fn ask(directory: &Path, env: &Env) -> Result<Option<Self>, String> {
        let git = Git::at(directory, env);
        match git.via() {
            Via::Program(_) => Ok(Some(Self { git })),
            Via::Files(why) => Err(why.clone()),
            Via::Nothing => Ok(None),
        }
    }

    /// Renames and removals since the newest commit, and of the newest commits.
    pub fn changes(&self) -> Changes {
        const HOW: [&str; 9] = [
            "--no-ext-diff",
            "--no-textconv",
            "--find-renames=40%",
            "-l300",
            "--diff-filter=RD",
            "--relative",
            "--raw",
            "--no-abbrev",
            "-z",
        ];
        let mut changes = Changes::default();
        let since: [&str; 3] = ["diff", "HEAD", "--ignore-submodules"];
        let ever: [&str; 4] = ["log", COMMITS, "--no-show-signature", "--format="];
        for (args, lately) in [(&since[..], true), (&ever[..], false)] {
            if lately && !self.git.compares_tree() {
                continue;
            }
            let told = self.git.run(&[args, &HOW].concat());
            changes.read(&told.unwrap_or_default(), lately);
        }
        changes
    }

    /// The files that git does not know and does not leave out.
    pub fn unknown(&self) -> Vec<String> {
        let told = self
            .git
            .run(&["ls-files", "-o", "--exclude-standard", "-z"]);
        records(&told.unwrap_or_default()).collect()
    }

    /// What removed files held; `None` for what cannot be told, or is larger than `largest` bytes.
    /// Two questions to git, however many they are.
    pub fn contents(&self, removed: &[&Removed], largest: usize) -> Vec<Option<Vec<u8>>> {
        let ask = |how: &str, blobs: &[&str]| {
            if blobs.is_empty() {
                return Vec::new();
            }
            let names: String = blobs.iter().flat_map(|blob| [*blob, "\n"]).collect();
            let told = self.git.run_on(&["cat-file", how], names.into_bytes());
            told.unwrap_or_default()
        };
        let blobs: Vec<&str> = removed.iter().map(|one| one.blob.as_str()).collect();
        let sizes = ask("--batch-check", &blobs);
        let small: Vec<&str> = sizes
            .split(|byte| *byte == b'\n')
            .zip(&blobs)
            .filter(|(told, _)| size_of(told).is_some_and(|size| size <= largest))
            .map(|(_, blob)| *blob)
            .collect();
        // As much at once as an answer may hold.
        let contents: HashMap<&str, Vec<u8>> = small
            .chunks((AT_ONCE / largest.max(1)).max(1))
            .flat_map(|some| {
                let told = ask("--batch", some);
                let found: Vec<_> = some.iter().copied().zip(batch(&told)).collect();
                found
            })
            .collect();
        blobs
            .iter()
            .map(|blob| contents.get(blob).cloned())
            .collect()
    }

    /// The commits that changed a file, newest first, followed through renames. An error says why
    /// git did not tell.
    pub fn of_file(&self, path: &str) -> Result<Vec<FileCommit>, String> {
        let told = self.git.run(&[
            "log",
            COMMITS_OF_FILE,
            "--follow",
            "--no-show-signature",
            "--no-decorate",
            "--no-ext-diff",
            "--no-textconv",
            "--format=%h%x00%cI%x00%s%x00%b%x00",
            "--",
            path,
        ]);
        let told = match told {
            Err(_) if matches!(self.git.head(), Head::Unborn(_)) => return Ok(Vec::new()),
            told => told?,
        };
        let text = String::from_utf8_lossy(&told);
        let fields: Vec<&str> = text.split('\0').collect();
        let commits = fields
            .chunks_exact(4)
            .filter_map(|fields| {
                let [hash, at, subject, body] = fields else {
                    return None;
                };
                Some(FileCommit {
                    hash: hash.trim().to_owned(),
                    at: (*at).to_owned(),
                    subject: subject.trim().to_owned(),
                    body: body.trim().to_owned(),
                })
            })
            .collect();
        Ok(commits)
    }

    /// Which of these files and folders hold something that is under version control: the files.
    pub fn tracked(&self, paths: &[&str]) -> Vec<String> {
        let mut args = vec!["ls-files", "-z", "--"];
        args.extend(paths);
        let told = self.git.run(&args).unwrap_or_default();
        records(&told).collect()
    }

    /// Which of these paths git leaves out, the file that says so (`.gitignore`,
    /// `.git/info/exclude`, the user's own) and its line.
    pub fn ignored(&self, paths: &[&str]) -> Vec<(String, String, Option<usize>)> {
        let mut args = vec!["check-ignore", "--no-index", "-v", "--"];
        args.extend(paths);
        let told = self.git.run(&args).unwrap_or_default();
        // `SOURCE:LINE:PATTERN<TAB>PATH`
        String::from_utf8_lossy(&told)
            .lines()
            .filter_map(|line| {
                let (rule, path) = line.rsplit_once('\t')?;
                let (mut source, mut line) = (rule, None);
                for (at, _) in rule.match_indices(':') {
                    let behind = rule.get(at + 1..).unwrap_or_default();
                    let number = behind.split(':').next().unwrap_or_default();
                    if !number.is_empty() && number.chars().all(|c| c.is_ascii_digit()) {
                        source = rule.get(..at).unwrap_or_default();
                        line = number.parse().ok();
                        break;
                    }
                }
                Some((path.to_owned(), source.to_owned(), line))
            })
            .collect()
    }

    /// The day of the first commit, and subjects of the newest.
    pub fn span(&self) -> (Option<chrono::NaiveDate>, Vec<String>) {
        let first = self
            .git
            .run(&[
                "log",
                "--max-parents=0",
                "--no-show-signature",
                "--format=%cs",
            ])
            .ok()
            .and_then(|told| {
                String::from_utf8_lossy(&told)
                    .lines()
                    .filter_map(|day| day.trim().parse().ok())
                    .min()
            });
        let newest = self
            .git
            .recent(200)
            .into_iter()
            .map(|commit| commit.subject)
            .collect();
        (first, newest)
    }
}
