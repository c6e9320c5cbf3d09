//! `mnemo rules`

use super::{Outcome, store};
use crate::exit::{Exit, Failure};
use crate::terminal;
use clap::ValueHint;
use guidance::rules::{self, Report};
use guidance::{Block, Fate};
use mnemo_home::Env;
use std::fmt::Write as _;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo rules show                            what the blocks say, in your language
  mnemo rules install ./CLAUDE.md --dry-run   the change as a diff, nothing is written
  mnemo rules install ~/.claude/CLAUDE.md     for all projects
  mnemo rules uninstall ./CLAUDE.md           gives back the bytes from before

Exit codes: 0 done, 1 a block was changed by hand and left alone, 3 no such file or folder, or
not text, 4 the marks in the file do not fit together, or it is read-only. Nothing outside the two blocks is ever changed.")]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Put two marked blocks into a CLAUDE.md: when to suggest, and the standing rules
    #[command(after_help = "\
Examples:
  mnemo rules install ./CLAUDE.md --dry-run     the change as a diff, nothing is written
  mnemo rules install ~/.claude/CLAUDE.md       for all projects

Exit codes: 0 done, 1 a block was changed by hand and left alone, 3 no such file or folder, or not
text, 4 the marks in the file do not fit together, or it is read-only.")]
    Install(Target),
    /// Take the blocks out again
    #[command(after_help = "\
Examples:
  mnemo rules uninstall ./CLAUDE.md --dry-run   the change as a diff, nothing is written
  mnemo rules uninstall ~/.claude/CLAUDE.md     gives back the bytes from before

Exit codes: 0 done, 1 a block was changed by hand and left alone, 3 no such file or folder, or not
text, 4 the marks in the file do not fit together, or it is read-only.")]
    Uninstall(Target),
    /// Print what the blocks say
    Show(Show),
}

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo rules show
  MNEMO_LANGUAGE=de mnemo rules show")]
struct Show {
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Debug, clap::Args)]
struct Target {
    /// The file, such as ./CLAUDE.md
    #[arg(value_hint = ValueHint::FilePath)]
    file: PathBuf,
    /// Show what would change, and change nothing
    #[arg(long)]
    dry_run: bool,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    let language = store::language(None, env);
    match &args.what {
        What::Install(target) => {
            let report = rules::install(&target.file, language, target.dry_run, env)?;
            Ok(tell(&report, target.json))
        }
        What::Uninstall(target) => {
            let report = rules::uninstall(&target.file, target.dry_run, env)?;
            Ok(tell(&report, target.json))
        }
        What::Show(Show { json: true }) => {
            let texts = Block::ALL.map(|block| (block.name(), rules::text(block, language)));
            terminal::say_json(&serde_json::json!({
                "language": language.code(),
                "blocks": std::collections::BTreeMap::from(texts),
            }));
            Ok(Exit::Done)
        }
        What::Show(Show { json: false }) => {
            let texts = Block::ALL.map(|block| rules::text(block, language));
            terminal::say(&texts.join("\n"));
            Ok(Exit::Done)
        }
    }
}

fn tell(report: &Report, json: bool) -> Exit {
    if json {
        terminal::say_json(report);
    } else {
        let last = match (report.changed, report.dry_run) {
            (_, true) => "Nothing was written.\n",
            (true, false) => "`mnemo undo` takes this back.\n",
            (false, false) => "Nothing to do.\n",
        };
        terminal::say(&(in_words(report) + last));
    }
    if report.left_alone() {
        Exit::Findings
    } else {
        Exit::Done
    }
}

/// What became of one file, a line a block; with a dry run the change as a diff too.
pub(super) fn in_words(report: &Report) -> String {
    let mut text = String::new();
    if report.dry_run && !report.diff.is_empty() {
        text.push_str(&report.diff.replace("\r\n", "\n"));
        text.push('\n');
    }
    let made = match (report.made, report.dry_run) {
        (false, _) => "",
        (true, false) => " (made: it was not there)",
        (true, true) => " (would be made: it is not there)",
    };
    let _ = writeln!(text, "{}{made}", report.file.display());
    for (block, fate) in &report.blocks {
        let would = if report.dry_run { "would be " } else { "" };
        let says = match fate {
            Fate::Added => format!("{would}added"),
            Fate::Renewed => format!("{would}renewed"),
            Fate::Present => "there already".to_owned(),
            Fate::Removed => format!("{would}taken out"),
            Fate::Absent => "not there".to_owned(),
            Fate::Changed => "changed by hand since, left alone".to_owned(),
        };
        let _ = writeln!(text, "  {:<10} {says}", block.name());
    }
    text
}

impl From<guidance::Error> for Failure {
    fn from(error: guidance::Error) -> Self {
        Self::with_code(error.exit_code(), error.to_string())
    }
}
