//! `mnemo memory add`

use super::change::{self, Manner};
use crate::commands::Outcome;
use crate::commands::store::{self, Place};
use crate::exit::Failure;
use memory::Kind;
use memory::StoreKind;
use memory::capture::{self, Add, AddItem, Allow, Author, Category, FileName, Refusal, Section};
use mnemo_home::Env;
use std::path::PathBuf;

#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  mnemo memory add --type feedback --name short-answers \\
      --description 'Conclusion first, reasons after' --from note.md
  echo 'The staging key rotates monthly.' | mnemo memory add --type reference \\
      --name staging-key --description 'Staging key rotates monthly' --from - --dry-run
  mnemo memory add --type decision --name queue-sqlite --description 'SQLite for the queue' \\
      --from decision.md --revisit 2027-06-01 --supersedes decision_queue-leveldb.md

In a project's record (--store record) an item is memory/CATEGORY/NNN-name.md with a line in the
category's index.md, or a heading of memory/CATEGORY.md while that is a file; the description is its
title, and its code goes to the keyword index of MEMORY.md:
  mnemo memory add --store record --category gotchas --name port-8080 --keywords port,docker \\
      --description 'Port 8080 is taken on the build hosts' --from note.md

Refused (exit code 4, nothing changed): a file or name that is there, what an entry or rule says
already, secrets, a description that would break MEMORY.md, a decision without its form, a record's
MEMORY.md that would have more than 100 lines or 5 KB.")]
#[allow(
    clippy::struct_excessive_bools,
    reason = "a switch of the command line is a bool"
)]
pub(super) struct Args {
    #[command(flatten)]
    manner: Manner,
    /// user, feedback, project, reference or decision
    #[arg(long = "type", value_name = "TYPE", value_parser = kind, required_unless_present = "category")]
    kind: Option<Kind>,
    /// In a record: where it goes (architecture, patterns, tools, gotchas, learned or another)
    /// [default: by the type]
    #[arg(long, value_name = "NAME")]
    category: Option<String>,
    /// In a record: what it is found by, divided by commas [default: the name]
    #[arg(long, value_name = "WORDS", value_delimiter = ',')]
    keywords: Vec<String>,
    /// A short name; the file's name is made of it
    #[arg(long)]
    name: String,
    /// One line that says enough to know when to read the entry
    #[arg(long)]
    description: String,
    /// The text, `-` for standard input [default: the description alone]
    #[arg(long, value_name = "FILE|-", value_hint = clap::ValueHint::FilePath)]
    from: Option<PathBuf>,
    /// The heading in MEMORY.md [default: the one that holds the type]
    #[arg(long)]
    section: Option<String>,
    /// The file's name [default: `TYPE_name.md`]
    #[arg(long, value_name = "NAME")]
    file: Option<String>,
    /// When a decision is to be looked at again
    #[arg(long, value_name = "YYYY-MM-DD", value_parser = crate::cli::day)]
    revisit: Option<chrono::NaiveDate>,
    /// The decision that this one replaces; both say so then
    #[arg(long, value_name = "ENTRY")]
    supersedes: Option<String>,
    /// Write what looks like a secret
    #[arg(long)]
    allow_sensitive: bool,
    /// Write what is said already
    #[arg(long)]
    force: bool,
}

fn kind(text: &str) -> Result<Kind, String> {
    Kind::of(text).ok_or_else(|| {
        let names: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
        format!("the types are {}", names.join(", "))
    })
}

pub(super) fn run(args: &Args, env: &Env) -> Outcome {
    let file = args
        .file
        .as_deref()
        .map(FileName::named)
        .transpose()
        .map_err(|refusal| Failure::with_code(refusal.exit_code(), refusal.to_string()))?;
    let body = change::body_of(args.from.as_ref())?;
    let verb = ["add", "added"];
    change::run(&args.manner, verb, env, |place, store| {
        if store.kind() == StoreKind::Record {
            let known = place.known(Some(store), env);
            return capture::add_item(store, &item(args, body.as_deref(), place, env)?, &known);
        }
        let Some(kind) = args
            .kind
            .filter(|_| args.category.is_none() && args.keywords.is_empty())
        else {
            return Err(Refusal::Unfit {
                what: "category or keyword list",
                why: "is for a project's record: say --store record, or --type alone".to_owned(),
            });
        };
        let wanted = Add {
            kind,
            name: args.name.clone(),
            description: args.description.clone(),
            body: body.clone(),
            section: args.section.clone().map_or(Section::OfType, Section::Named),
            file: file.clone(),
            revisit: args.revisit,
            supersedes: args.supersedes.clone(),
            allow: Allow {
                sensitive: args.allow_sensitive,
                force: args.force,
            },
            language: store::language(Some(&place.project), env),
        };
        capture::add(store, &wanted, &place.known(Some(store), env))
    })
}

/// The same for a record, which has categories in place of types, sections and chosen file names.
fn item(args: &Args, body: Option<&str>, place: &Place, env: &Env) -> Result<AddItem, Refusal> {
    let given = [
        ("section", args.section.is_some()),
        ("file name", args.file.is_some()),
        ("superseded entry", args.supersedes.is_some()),
    ];
    if let Some((what, _)) = given.into_iter().find(|(_, given)| *given) {
        return Err(Refusal::Unfit {
            what,
            why: "is not for items of a record; the category and the name say where it goes, and what replaces what is written by hand (`superseded-by:`)".to_owned(),
        });
    }
    let category = match (&args.category, args.kind) {
        (Some(name), _) => Category::named(name)?,
        (None, Some(kind)) => Category::of(kind),
        // The command line demands one of them.
        (None, None) => Category::of(Kind::Project),
    };
    Ok(AddItem {
        category,
        kind: args.kind,
        category_named: args.category.is_some(),
        name: args.name.clone(),
        description: args.description.clone(),
        body: body.map(str::to_owned),
        keywords: args.keywords.clone(),
        revisit: args.revisit,
        today: env.now().date_naive(),
        allow: Allow {
            sensitive: args.allow_sensitive,
            force: args.force,
        },
        language: store::language(Some(&place.project), env),
        author: Author::of(env),
    })
}
