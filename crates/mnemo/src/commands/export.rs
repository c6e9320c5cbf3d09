//! `mnemo export`

use super::{Outcome, days, directory, root_and_config, why_not};
use crate::exit::{Exit, Failure};
use crate::terminal;
use clap::{Args, ValueEnum, ValueHint};
use export::{Format, Request, Told};
use mnemo_home::Env;
use record::Record;
use redact::Policy;
use std::path::{Path, PathBuf};

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// One Markdown file
    Md,
    /// One JSON object
    Json,
    /// One page that needs nothing else
    Html,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  mnemo export -o record.html                           everything, as a page
  mnemo export --since 2026-11-01 --format md -o november.md
  mnemo export --format json | jq '.days | length'

The format is taken from the file's name where --format is not given. A file that is there is never
overwritten. The page loads nothing and sends nothing; what is private in the record stays out. A day
file that cannot be read is named and left out. Characters that steer a terminal or turn the direction
of writing stand as U+FFFD in Markdown and in the page, escaped in JSON.")]
pub(crate) struct ExportArgs {
    /// From this local day on: a date, `3d`, `2w`, or words (`last week`, `지난주`)
    #[arg(long, value_name = "DAY")]
    pub(crate) since: Option<String>,
    /// Up to this local day
    #[arg(long, value_name = "DAY")]
    pub(crate) until: Option<String>,
    /// Form of the file [default: by the file's name, else md]
    #[arg(long)]
    pub(crate) format: Option<Form>,
    /// The file; `-` is standard output [default: standard output]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// The project [default: the one around the current directory]
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub(crate) project_root: Option<PathBuf>,
}

impl From<export::Error> for Failure {
    fn from(error: export::Error) -> Self {
        match error {
            export::Error::File(error) => error.into(),
            export::Error::Record(error) => error.into(),
            other => Self::input(other.to_string()),
        }
    }
}

pub(crate) fn run(args: &ExportArgs, env: &Env) -> Outcome {
    let start = directory(args.project_root.as_deref())?;
    let (root, config, problems) = root_and_config(&start, env);
    for problem in problems {
        terminal::complain(&problem);
    }
    let root = root.map_err(|none| {
        let (why, command) = why_not(&none);
        Failure::input(format!("no project here: {why}; `{command}` changes that"))
    })?;
    let span = days::between(
        args.since.as_deref(),
        args.until.as_deref(),
        env.now().date_naive(),
    )?;
    let output = args
        .output
        .as_deref()
        .filter(|path| *path != Path::new("-"));
    let form = args.format.unwrap_or_else(|| by_name(output));
    let request = Request {
        since: span.since,
        until: span.until,
        format: match form {
            Form::Md => Format::Markdown,
            Form::Json => Format::Json,
            Form::Html => Format::Html,
        },
        policy: Policy {
            secrets: config.redact_secrets,
        },
        language: super::store::language(Some(&start), env),
    };
    let record = Record::open(root)?;
    let told = match output {
        None => {
            if form == Form::Html && terminal::is_shown() {
                return Err(Failure::usage(
                    "a page is not for a terminal: name a file with -o FILE",
                ));
            }
            terminal::stream(|out| export::write(&record, &request, out))?
        }
        Some(path) => to_file(&record, &request, path)?,
    };
    for left in &told.left_out {
        terminal::complain(&format!("left out: {left}"));
    }
    let range = match (told.days, told.entries) {
        (0, _) if span.is_open() => "nothing is recorded here yet".to_owned(),
        (0, _) => "no entries in that range".to_owned(),
        (days, entries) => format!(
            "{} of {}",
            mnemo_home::counted(entries, "entry"),
            mnemo_home::counted(days, "day")
        ),
    };
    match output {
        Some(_) if told.days == 0 => terminal::say(&format!("{range}: nothing was written")),
        Some(path) => {
            terminal::say(&format!("wrote {}: {range}", path.display()));
            super::note_in_git(path);
        }
        None => terminal::note(&format!("mnemo: {range}")),
    }
    Ok(Exit::Done)
}

fn by_name(output: Option<&Path>) -> Form {
    let extension = output.and_then(Path::extension).unwrap_or_default();
    match extension.to_string_lossy().to_ascii_lowercase().as_str() {
        "html" | "htm" => Form::Html,
        "json" => Form::Json,
        _ => Form::Md,
    }
}

/// Makes the file, private to its owner, unless something has its name. It appears whole or not at
/// all; not at all where there is nothing to write.
fn to_file(record: &Record, request: &Request, path: &Path) -> Result<Told, Failure> {
    let taken = || {
        std::fs::symlink_metadata(path).is_ok().then(|| {
            Failure::refused(format!(
                "{} is there already; name another file or remove it first",
                path.display()
            ))
        })
    };
    if let Some(failure) = taken() {
        return Err(failure);
    }
    super::output::folder_of(path)?;
    safe_file::sweep_beside(path);
    let mut told = None;
    let replaced = safe_file::replace_with(
        path,
        |out| {
            match told.insert(export::write(record, request, out)) {
                Ok(told) if told.days > 0 => Ok(()),
                // Why is told below.
                _ => Err(std::io::Error::other("nothing to write")),
            }
        },
        || match taken() {
            None => Ok(()),
            Some(_) => Err(safe_file::Error::Changed {
                path: path.to_owned(),
            }),
        },
    );
    match told.transpose()? {
        // Nothing to write is no failure of writing.
        Some(told) if told.days == 0 => Ok(told),
        told => {
            replaced?;
            Ok(told.unwrap_or_default())
        }
    }
}
