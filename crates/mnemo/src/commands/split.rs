//! `mnemo split`

use super::Outcome;
use super::hygiene::{carry_out, how_to_go_on, record};
use crate::exit::{Exit, Failure};
use crate::terminal;
use clap::ValueHint;
use mnemo_home::Env;
use serde_json::json;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use unicode_normalization::UnicodeNormalization as _;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo split memory/gotchas.md            show what would come out
  mnemo split memory/gotchas.md --apply    do it

Each entry (`### `, else `## `) becomes memory/gotchas/NNN-slug.md, byte for byte but for its
relative links; memory/gotchas/index.md lists them, and links of the record lead there.
Exit codes: 0 done, 3 no such file, 4 refused (the folder holds Markdown files already).")]
pub(crate) struct Args {
    /// The file, memory/NAME.md
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// Do it; without this it is only shown
    #[arg(long)]
    apply: bool,
    /// The project [default: the one around the current directory]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    project_root: Option<PathBuf>,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    let record = record(args.project_root.as_deref(), env)?;
    let file = relative(&args.file, record.root().path())?;
    let language = super::store::language(Some(record.root().path()), env);
    let done = carry_out(
        &record,
        args.apply,
        env,
        || hygiene::split::plan(&record, &file, language),
        |plan| &plan.set,
    )?;
    let plan = &done.plan;
    let applied = done.applied.is_some();
    if args.json {
        terminal::say_json(&json!({
            "file": file,
            "folder": plan.folder,
            "files": plan.files,
            "relinked": plan.relinked,
            "changes": plan.set.summary(),
            "applied": applied,
            "undo_set": done.applied.and_then(|applied| applied.set),
        }));
        return Ok(Exit::Done);
    }
    let mut text = format!(
        "{} {file} into {} files in {}/\n",
        if applied { "split" } else { "would split" },
        plan.files.len(),
        plan.folder
    );
    for file in &plan.files {
        let _ = writeln!(text, "  {file}");
    }
    if !plan.relinked.is_empty() {
        let _ = writeln!(text, "links in {}", plan.relinked.join(", "));
    }
    text.push_str(&how_to_go_on(
        applied,
        &format!("mnemo split {file} --apply"),
    ));
    terminal::say(&text);
    Ok(Exit::Done)
}

/// A path as the user gave it, from the root on.
pub(super) fn relative(file: &Path, root: &Path) -> Result<String, Failure> {
    let from_here = std::path::absolute(file)
        .ok()
        .and_then(|path| {
            let folder = std::fs::canonicalize(path.parent()?).ok()?;
            Some(folder.join(path.file_name()?))
        })
        .and_then(|path| path.strip_prefix(root).ok().map(Path::to_owned));
    let path = match from_here {
        Some(path) => path,
        None if file.is_relative() => file.to_owned(),
        None => {
            return Err(Failure::input(format!(
                "{} does not lie in {}",
                file.display(),
                root.display()
            )));
        }
    };
    // Seen from a sub-directory a path from the root does not exist: then it is meant from there.
    let path = if !root.join(&path).exists() && file.is_relative() && root.join(file).exists() {
        file.to_owned()
    } else {
        path
    };
    let path = as_it_is_there(root, path);
    path.to_str()
        .map(|path| path.replace('\\', "/"))
        .ok_or_else(|| Failure::input(format!("{} is not UTF-8", path.display())))
}

/// A name that is there in another normal form (Hangul and umlauts composed or taken apart) is meant.
fn as_it_is_there(root: &Path, path: PathBuf) -> PathBuf {
    let Some(text) = path.to_str().filter(|text| !text.is_ascii()) else {
        return path;
    };
    let others = [text.nfc().collect::<String>(), text.nfd().collect()];
    let there = |path: &Path| std::fs::symlink_metadata(root.join(path)).is_ok();
    if there(&path) {
        return path;
    }
    let mut others = others.into_iter().map(PathBuf::from);
    others.find(|other| there(other)).unwrap_or(path)
}
