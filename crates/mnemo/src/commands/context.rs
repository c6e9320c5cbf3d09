//! `mnemo context`

use crate::commands::{Outcome, directory};
use crate::exit::Exit;
use crate::terminal::{say, say_json};
use clap::ValueHint;
use claude_home::{ClaudeHome, Settings};
use context::{Context, Found, Loaded, Version, Warning};
use mnemo_home::{Env, counted};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo context                          what Claude Code loads when it starts here, in order
  mnemo context -C ~/work/shop           … there
  mnemo context --json | jq '.files[].path'
  mnemo context --client-version 2.1.59  … by the rules of an older Claude Code

Exit codes: 0 nothing to do, 1 something needs a look (a missing import, a file that is cut, …),
3 no such directory.")]
pub(crate) struct Args {
    /// The directory that Claude Code would be started in [default: the current one]
    #[arg(short = 'C', long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    project_root: Option<PathBuf>,
    /// The version of Claude Code [default: the one on the search path]
    #[arg(long, value_name = "VERSION")]
    client_version: Option<Version>,
    /// Report as JSON, with the text that is loaded
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    let start = directory(args.project_root.as_deref())?;
    let start = std::fs::canonicalize(&start).unwrap_or(start);
    let home = ClaudeHome::of(env);
    let settings = home
        .as_ref()
        .map_or_else(Settings::default, |home| Settings::load(home, Some(&start)));
    let (version, found) = match args.client_version {
        Some(version) => (version, Found::Named),
        None => context::find_version(&start, home.as_ref(), env),
    };
    let context = context::load(&start, home.as_ref(), &settings, version, env);
    if args.json {
        say_json(&context.json(&found));
    } else {
        say(&text(&context, &found, env.home().as_deref()));
    }
    Ok(if context.needs_action() {
        Exit::Findings
    } else {
        Exit::Done
    })
}

fn text(context: &Context, found: &Found, home: Option<&Path>) -> String {
    let short = |path: &Path| shown(path, &context.start, home);
    let mut out = format!(
        "Claude Code {} loads at a start in {}{}:\n",
        context.version,
        shown(&context.start, Path::new(""), home),
        match found {
            Found::Named => " (version as named)",
            Found::OnPath(_) => "",
            Found::Transcript(_) => " (version of the newest transcript)",
            Found::Unknown => " (newest rules known)",
        }
    );
    if context.files.is_empty() {
        out.push_str("  nothing\n");
    } else {
        let names: Vec<String> = context
            .files
            .iter()
            .map(|file| name(file, &short))
            .collect();
        let width = |texts: &[String]| texts.iter().map(|text| text.chars().count()).max();
        let tokens: Vec<String> = context
            .files
            .iter()
            .map(|file| format!("~{}tk", file.tokens()))
            .collect();
        let wide = width(&tokens).unwrap_or_default();
        let _ = writeln!(
            out,
            "  {:>wide$}  {:>8}  {:<18}  file",
            "tokens", "bytes", "kind"
        );
        for ((file, name), tokens) in context.files.iter().zip(&names).zip(&tokens) {
            let mark = if file.cut.is_some() { " (cut)" } else { "" };
            let _ = writeln!(
                out,
                "  {tokens:>wide$}  {:>8}  {:<18}  {name}{mark}",
                file.text.len(),
                file.kind.word(),
            );
        }
    }
    let _ = writeln!(
        out,
        "Total: {}, {} bytes, about {} tokens (bytes / 3.2, an estimate)",
        counted(context.files.len(), "file"),
        context.loaded_bytes(),
        context.tokens()
    );
    for warning in &context.warnings {
        let _ = writeln!(out, "{}", line(warning, &short));
    }
    out
}

fn name(file: &Loaded, short: &impl Fn(&Path) -> String) -> String {
    let depth = file.import.as_ref().map_or(0, |import| import.hop);
    let indent = "  ".repeat(usize::from(depth));
    format!("{indent}{}", short(&file.path))
}

fn line(warning: &Warning, short: &impl Fn(&Path) -> String) -> String {
    let head = if warning.kind.needs_action() {
        "WARNING"
    } else {
        "note"
    };
    match &warning.file {
        Some(file) => format!("{head}: {}: {}", short(file), warning.text()),
        None => format!("{head}: {}", warning.text()),
    }
}

/// A path as short as it is still clear: relative to the start, or to the home.
fn shown(path: &Path, start: &Path, home: Option<&Path>) -> String {
    if let Ok(rest) = path.strip_prefix(start)
        && start.is_absolute()
        && !rest.as_os_str().is_empty()
    {
        return rest.display().to_string();
    }
    match home.map(|home| path.strip_prefix(home)) {
        Some(Ok(rest)) if !rest.as_os_str().is_empty() => format!("~/{}", rest.display()),
        _ => path.display().to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_short_and_clear() {
        let home = Some(Path::new("/h"));
        let start = Path::new("/h/w");
        assert_eq!(shown(Path::new("/h/w/CLAUDE.md"), start, home), "CLAUDE.md");
        assert_eq!(shown(Path::new("/h/CLAUDE.md"), start, home), "~/CLAUDE.md");
        assert_eq!(
            shown(Path::new("/x/CLAUDE.md"), start, home),
            "/x/CLAUDE.md"
        );
        assert_eq!(shown(start, Path::new(""), home), "~/w");
    }
}
