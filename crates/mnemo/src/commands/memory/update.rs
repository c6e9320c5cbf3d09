//! `mnemo memory update`

use super::change::{self, Manner};
use crate::commands::Outcome;
use crate::commands::store;
use memory::capture::{self, Allow, Body, Update};
use mnemo_home::Env;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(
    group = clap::ArgGroup::new("what").required(true).multiple(true).args(["description", "from"]),
    after_help = "\
Examples:
  mnemo memory update user_role --description 'Backend and, since May, on call'
  mnemo memory update project_kiosk.md --from kiosk.md --dry-run
  echo 'Since 2.3 it needs a token.' | mnemo memory update reference_api --from - --append

The name and the type stay; the line in MEMORY.md follows."
)]
pub(super) struct Args {
    /// The entry: its file or name; in a record its code or title
    entry: String,
    #[command(flatten)]
    manner: Manner,
    /// A new description (of a record's item: its title, or the first line below its heading)
    #[arg(long)]
    description: Option<String>,
    /// A new text, `-` for standard input
    #[arg(long, value_name = "FILE|-", value_hint = clap::ValueHint::FilePath)]
    from: Option<PathBuf>,
    /// Put the text after the old one instead of in its place
    #[arg(long, requires = "from")]
    append: bool,
    /// Write what looks like a secret
    #[arg(long)]
    allow_sensitive: bool,
}

pub(super) fn run(args: &Args, env: &Env) -> Outcome {
    let body = change::body_of(args.from.as_ref())?.map(|text| {
        if args.append {
            Body::Append(text)
        } else {
            Body::Replace(text)
        }
    });
    let verb = ["update", "updated"];
    change::run(&args.manner, verb, env, |place, store| {
        let wanted = Update {
            entry: args.entry.clone(),
            description: args.description.clone(),
            body: body.clone(),
            allow: Allow {
                sensitive: args.allow_sensitive,
                force: false,
            },
            language: store::language(Some(&place.project), env),
        };
        capture::update(store, &wanted)
    })
}
