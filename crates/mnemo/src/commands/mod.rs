//! The commands, one file each.

pub(crate) mod anchors;
pub(crate) mod check;
mod completions;
pub(crate) mod context;
mod days;
pub(crate) mod distill;
pub(crate) mod doctor;
pub(crate) mod export;
pub(crate) mod garden;
pub(crate) mod handoff;
mod hygiene;
mod init;
mod install;
mod leftovers;
pub(crate) mod lineage;
pub(crate) mod memory;
mod output;
pub(crate) mod reclassify;
mod reconcile;
pub(crate) mod rules;
pub(crate) mod search;
pub(crate) mod show;
pub(crate) mod split;
mod status;
pub(crate) mod store;
pub(crate) mod undo;
mod uninstall;

use crate::cli::Command;
use crate::exit::{Exit, Failure};
use mnemo_home::{Config, Env};
use record::root::{NoRoot, Root};
use std::path::{Path, PathBuf};

/// What every command gives back.
pub(crate) type Outcome = Result<Exit, Failure>;

pub(crate) fn run(command: Command, env: &Env) -> Outcome {
    recover(env);
    if !matches!(command, Command::Completions(_)) {
        leftovers::sweep(env);
    }
    tell_of_configuration(&command, env);
    match command {
        Command::Install(args) => install::run(&args, env),
        Command::Uninstall(args) => uninstall::run(&args, env),
        Command::Init(args) => init::run(&args, env),
        Command::Status(args) => status::run(&args, env),
        Command::Reconcile(args) => reconcile::run(&args, env),
        Command::Undo(args) => undo::run(&args, env),
        Command::Check(args) => check::run(&args, env),
        Command::Memory(args) => memory::run(&args, env),
        Command::Export(args) => export::run(&args, env),
        Command::Handoff(args) => handoff::run(&args, env),
        Command::Doctor(args) => doctor::run(&args, env),
        Command::Garden(args) => garden::run(&args, env),
        Command::Anchors(args) => anchors::run(&args, env),
        Command::Search(args) => search::run(&args, env),
        Command::Show(args) => show::run(&args, env),
        Command::Lineage(args) => lineage::run(&args, env),
        Command::Split(args) => split::run(&args, env),
        Command::Reclassify(args) => reclassify::run(&args, env),
        Command::Distill(args) => distill::run(&args, env),
        Command::Context(args) => context::run(&args, env),
        Command::Rules(args) => rules::run(&args, env),
        Command::Completions(args) => {
            completions::run(&args);
            Ok(Exit::Done)
        }
    }
}

/// What a killed command left is brought to an end before anything else is done.
fn recover(env: &Env) {
    match changes::recover(env) {
        Ok(recovered) => recovered
            .iter()
            .for_each(|set| crate::terminal::note(&format!("mnemo: {set}"))),
        Err(error) => crate::terminal::complain(&error.to_string()),
    }
}

/// Says what is wrong with the user's configuration, where the command itself does not.
fn tell_of_configuration(command: &Command, env: &Env) {
    let says_itself = matches!(
        command,
        Command::Install(_)
            | Command::Init(_)
            | Command::Status(_)
            | Command::Reconcile(_)
            | Command::Export(_)
            | Command::Handoff(_)
            | Command::Doctor(_)
            | Command::Completions(_)
    );
    if !says_itself {
        for problem in Config::load(env, None).1 {
            crate::terminal::note(&problem);
        }
    }
}

/// The directory a command looks from.
pub(crate) fn directory(named: Option<&Path>) -> Result<PathBuf, Failure> {
    let directory = match named {
        Some(path) => std::path::absolute(path),
        None => std::env::current_dir(),
    };
    let directory = directory
        .map_err(|error| Failure::input(format!("cannot tell the current directory: {error}")))?;
    if directory.is_dir() {
        Ok(directory)
    } else {
        Err(Failure::input(format!(
            "{} is not a directory",
            directory.display()
        )))
    }
}

/// Says of a file that holds what was said, made where git may see it, that it is not for a commit.
pub(crate) fn note_in_git(file: &Path) {
    let Ok(file) = std::path::absolute(file) else {
        return;
    };
    if file.parent().and_then(record::root::work_tree).is_some() {
        crate::terminal::note(&format!(
            "note: {} lies in a git work tree and quotes your private record or memory: keep it out of commits",
            file.display()
        ));
    }
}

/// The root around a directory, its configuration, and what is wrong with that.
pub(crate) fn root_and_config(
    start: &Path,
    env: &Env,
) -> (Result<Root, NoRoot>, Config, Vec<String>) {
    match Root::find(start, env) {
        Ok(root) => {
            let (config, problems) = Config::load(env, Some(root.path()));
            leftovers::sweep_project(root.path());
            (root.allowed(&config), config, problems)
        }
        Err(none) => {
            let (config, problems) = Config::load(env, None);
            (Err(none), config, problems)
        }
    }
}

/// Why nothing is recorded, and what changes that.
fn why_not(none: &NoRoot) -> (String, &'static str) {
    match none {
        NoRoot::NoMarker => (
            "this directory is in no git repository and under no .mnemo-root".to_owned(),
            "mnemo init",
        ),
        NoRoot::HomeOrTemp(path) => (
            format!(
                "{} is the home or the temporary directory, which is recorded only when marked",
                path.display()
            ),
            "mnemo init",
        ),
        NoRoot::NotMarked(path) => (
            format!(
                "the configuration says `capture: marked`, and {} holds no .mnemo-root",
                path.display()
            ),
            "mnemo init",
        ),
        NoRoot::Missing(path) => (
            format!("{} does not exist", path.display()),
            "mnemo status --project-root DIR",
        ),
    }
}
