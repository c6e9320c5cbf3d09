//! `mnemo memory show`

use super::list::{of_entry, of_item};
use crate::commands::Outcome;
use crate::commands::store::{Named, StoreArgs};
use crate::exit::{Exit, Failure};
use crate::terminal;
use mnemo_home::Env;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo memory show user_role               by file or name
  mnemo memory show a:147 --store record    an item of the record, by its code

Private text and secrets are taken out of what is shown; the file has them.")]
pub(crate) struct Args {
    /// The entry: its file, its file's name without `.md`, or its name; in a record its code (`a:147`)
    /// or title too
    entry: String,
    #[command(flatten)]
    store: StoreArgs,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args, env: &Env) -> Outcome {
    let (place, store) = args.store.open(Named::Auto, env)?;
    if let Some(note) = &place.note {
        terminal::note(note);
    }
    let store = store.ok_or_else(|| Failure::input(place.none()))?;
    if let Some(placed) = store
        .item(&args.entry)
        .filter(|item| item.category.is_some())
    {
        let text = placed.shown(&store);
        if args.json {
            let mut value = of_item(&store, placed);
            value["path"] = store
                .path_of(store.entry(placed.entry))
                .display()
                .to_string()
                .into();
            value["text"] = text.into();
            terminal::say_json(&value);
        } else {
            terminal::say(text.trim_end());
        }
        return Ok(Exit::Done);
    }
    let Some(id) = store.find(&args.entry) else {
        return Err(Failure::input(format!(
            "there is no entry `{}` in {}; `mnemo memory list{}` shows them",
            args.entry,
            store.folder().display(),
            args.store.again()
        )));
    };
    let entry = store.entry(id);
    if let Some(why) = entry.why_unread() {
        return Err(Failure::input(format!(
            "{} could not be read: {why}",
            store.path_of(entry).display()
        )));
    }
    let text = entry.shown(0..entry.text().len());
    if args.json {
        let mut value = of_entry(&store, id, entry, &store.link_pairs());
        value["path"] = store.path_of(entry).display().to_string().into();
        value["text"] = text.into();
        terminal::say_json(&value);
    } else {
        terminal::say(&text);
    }
    Ok(Exit::Done)
}
