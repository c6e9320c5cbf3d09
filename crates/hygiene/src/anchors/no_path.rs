//! What looks like a path and need not be there: by shape, by the words around it, by the tree.

use super::ground::Ground;
use super::known::{
    BRANCH_LEADS, BRANCH_LEADS_AT_TIMES, DOTTED_PRODUCTS, GENERAL_FILES, HOST_ENDS, MIME_SUBTYPES,
    OUTPUTS, PACKAGE_HOSTS, STANDS_FOR, SYSTEM_TOPS, TOOL_FOLDERS,
};
use super::mention::{Mention, Where};
use super::path::Named;
use super::shape::{is_data, known_ending};
use super::{Reason, cues};

/// Why a path that is not there need not be there.
pub(super) fn no_path(ground: &Ground, mention: &Mention, named: &Named) -> Option<Reason> {
    let parts = named.parts();
    let text = mention.text;
    let first = *parts.first()?;
    let ending = known_ending(&named.path);
    let in_tree = !named.foreign && is_rooted(ground, &parts);
    if named.foreign {
        return Some(foreign(ground, mention, &parts, ending));
    }
    // Behind a bracket it is the end of a pattern: `{a,b}/c`, `<name>/c`.
    let before = mention.whole.get(..mention.at).unwrap_or_default();
    if is_pattern(text, ending) || is_placeholder(&parts) || before.ends_with(['}', '>']) {
        return Some(Reason::Prose);
    }
    if named.path.contains('*') {
        let made = TOOL_FOLDERS.contains(&first) && !ground.project.has_folder(first);
        return (made || first.contains('*')).then_some(Reason::Prose);
    }
    if named.path.starts_with("../") || first.contains('@') && first.ends_with(':') {
        return Some(Reason::OutsideProject);
    }
    if is_mime(&parts) {
        return Some(Reason::MimeType);
    }
    if let Some(reason) = packages(ground, mention, &parts, ending, in_tree) {
        return Some(reason);
    }
    if parts.len() == 1 && !named.folder && !text.contains(['/', '\\']) {
        return bare_name(mention, &named.path, ending);
    }
    if ground.is_ignored(&named.path, named.folder) {
        return Some(Reason::OutsideProject);
    }
    let made = OUTPUTS.contains(&first) || TOOL_FOLDERS.contains(&first);
    let settings = ending.is_none() && first.starts_with('.') && first.len() > 2;
    if (made || settings) && !ground.project.has_folder(first) {
        return Some(Reason::OutsideProject);
    }
    let announced = cues::announces_an_example(mention.whole.get(..mention.at).unwrap_or_default());
    if ending.is_none() {
        if let Some(reason) = branch(mention, &parts, in_tree) {
            return Some(reason);
        }
        if !in_tree {
            if is_version(first) || first == "api" || first == "graphql" {
                return Some(Reason::UrlPath);
            }
            if cues::speaks_of_requests(mention.whole.get(..mention.at).unwrap_or_default()) {
                return Some(Reason::UrlPath);
            }
        }
        if let Some(reason) = prose(mention, named, &parts, in_tree) {
            return Some(reason);
        }
        if !in_tree && announced {
            return Some(Reason::Prose);
        }
    } else if announced && !in_tree {
        return Some(Reason::Prose);
    }
    None
}

/// Whether the tree knows the folders that a path begins with.
fn is_rooted(ground: &Ground, parts: &[&str]) -> bool {
    let Some(first) = parts.first() else {
        return false;
    };
    parts.len() > 1 && ground.project.has_folder_named(first)
}

/// An absolute path that leads elsewhere: a place of a machine, or of an address.
fn foreign(ground: &Ground, mention: &Mention, parts: &[&str], ending: Option<&str>) -> Reason {
    let text = mention.text;
    if !text.starts_with('/') || text.starts_with("//") {
        return Reason::OutsideProject;
    }
    let first = parts.first().copied().unwrap_or_default();
    let asked = cues::speaks_of_requests(mention.whole.get(..mention.at).unwrap_or_default());
    if asked {
        return Reason::UrlPath;
    }
    if SYSTEM_TOPS.contains(&first)
        || ground
            .places
            .home
            .as_ref()
            .is_some_and(|home| home.ends_with(first))
    {
        return Reason::OutsideProject;
    }
    if parts.len() == 1 && ending.is_none() && mention.place != Where::Span {
        return if cues::speaks_of_addresses(mention.whole) {
            Reason::UrlPath
        } else {
            Reason::Prose
        };
    }
    match ending {
        Some(ending) if !is_data(ending) => Reason::OutsideProject,
        _ => Reason::UrlPath,
    }
}

/// Signs that no path of a project has: expressions, escapes, commands.
fn is_pattern(text: &str, ending: Option<&str>) -> bool {
    if text.starts_with('-') || text.contains("...") || text.contains('…') {
        return true;
    }
    if let Some(rest) = text.strip_prefix('\\')
        && !rest.starts_with('\\')
        && ending.is_none()
    {
        return true;
    }
    ending.is_none()
        && text.chars().any(|c| {
            matches!(
                c,
                '|' | ';' | ',' | '!' | '?' | '&' | '^' | '[' | ']' | '$' | '%' | '+'
            )
        })
}

fn is_placeholder(parts: &[&str]) -> bool {
    let stem = |part: &&str| part.split('.').next().unwrap_or(part).to_ascii_lowercase();
    let made_up = parts.iter().any(|part| {
        let stem = stem(part);
        matches!(
            stem.as_str(),
            "foo"
                | "bar"
                | "baz"
                | "qux"
                | "xxx"
                | "yyy"
                | "example"
                | "beispiel"
                | "dein"
                | "your"
        ) || stem.starts_with("your-")
            || stem.starts_with("my-")
            || part.contains("YYYY")
            || part.contains("NNN")
            || part.contains("XXX")
            || part
                .split(|c: char| !c.is_ascii_alphabetic())
                .any(|word| STANDS_FOR.contains(&word))
    });
    made_up || parts.windows(2).any(|pair| matches!(pair, ["path", "to"]))
}

fn is_version(part: &str) -> bool {
    part.strip_prefix('v')
        .is_some_and(|digits| !digits.is_empty() && digits.chars().all(|c| c.is_ascii_digit()))
}

fn is_mime(parts: &[&str]) -> bool {
    let [kind, subtype] = parts else {
        return false;
    };
    match *kind {
        "application" => {
            subtype.starts_with("x-")
                || subtype.starts_with("vnd.")
                || subtype.contains('+')
                || (known_ending(subtype).is_none()
                    && subtype.chars().all(|c| {
                        c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '.' | '*')
                    }))
        }
        "text" | "image" | "audio" | "video" | "font" | "multipart" | "model" | "message" => {
            *subtype == "*"
                || subtype.contains('+')
                || subtype.starts_with("x-")
                || subtype.starts_with("vnd.")
                || MIME_SUBTYPES.contains(subtype)
        }
        _ => false,
    }
}

fn packages(
    ground: &Ground,
    mention: &Mention,
    parts: &[&str],
    ending: Option<&str>,
    in_tree: bool,
) -> Option<Reason> {
    let first = *parts.first()?;
    if let Some(scope) = first.strip_prefix('@') {
        // `@/x` and `~/x` are aliases of bundlers for the source folder.
        return (!scope.is_empty() && ending.is_none()).then_some(Reason::PackageName);
    }
    if in_tree || parts.len() < 2 {
        return None;
    }
    if let Some((_, end)) = first.rsplit_once('.')
        && HOST_ENDS.contains(&end)
        && !first.starts_with('.')
    {
        return Some(if PACKAGE_HOSTS.contains(&first) {
            Reason::PackageName
        } else {
            Reason::UrlPath
        });
    }
    if parts
        .last()
        .is_some_and(|last| last.find('@').is_some_and(|at| at > 0))
    {
        return Some(Reason::PackageName);
    }
    if ground.packages.contains(first) {
        return Some(Reason::PackageName);
    }
    (parts.len() == 2
        && ending.is_none()
        && mention.place == Where::Span
        && !mention.text.ends_with('/')
        && cues::speaks_of_packages(mention.whole))
    .then_some(Reason::PackageName)
}

/// A file name alone that no file of the project has.
fn bare_name(mention: &Mention, name: &str, ending: Option<&str>) -> Option<Reason> {
    let ending = ending?;
    let stem = name.strip_suffix(ending)?.trim_end_matches('.');
    if stem.is_empty() || GENERAL_FILES.contains(&name) {
        // `.md` as the name of an ending, `.env` as what nobody keeps in a repository.
        return Some(if stem.is_empty() && name != ".env" {
            Reason::Prose
        } else {
            Reason::OutsideProject
        });
    }
    if matches!(ending, "js" | "rs" | "ts")
        && DOTTED_PRODUCTS.contains(&stem.to_ascii_lowercase().as_str())
    {
        return Some(Reason::Prose);
    }
    if ending == "env" || ending == "log" || ending == "lock" {
        return Some(Reason::OutsideProject);
    }
    if is_data(ending)
        && (cues::speaks_of_products(mention.whole) || !cues::speaks_of_places(mention.whole))
    {
        return Some(Reason::OutsideProject);
    }
    cues::announces_an_example(mention.whole.get(..mention.at).unwrap_or_default())
        .then_some(Reason::Prose)
}

fn branch(mention: &Mention, parts: &[&str], in_tree: bool) -> Option<Reason> {
    if mention.text.ends_with('/') || mention.text.starts_with(['.', '\\']) || parts.len() < 2 {
        return None;
    }
    let first = parts.first().copied().unwrap_or_default();
    let ticket = first.split_once('-').is_some_and(|(key, number)| {
        key.len() >= 2
            && key
                .chars()
                .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
            && !number.is_empty()
            && number.chars().all(|c| c.is_ascii_digit())
    });
    let said = cues::speaks_of_branches(mention.whole);
    let lead = first.to_ascii_lowercase();
    let is_branch = ticket
        || (!in_tree && BRANCH_LEADS.contains(&lead.as_str()))
        || (said
            && (BRANCH_LEADS.contains(&lead.as_str())
                || BRANCH_LEADS_AT_TIMES.contains(&lead.as_str())
                || (!in_tree && mention.place == Where::Span)));
    is_branch.then_some(Reason::BranchName)
}

/// A slash of ordinary writing.
fn prose(mention: &Mention, named: &Named, parts: &[&str], in_tree: bool) -> Option<Reason> {
    let text = mention.text;
    let clearly_a_path = named.folder || text.starts_with("./") || text.starts_with('.');
    let numbers = parts.iter().all(|part| {
        part.chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | '-'))
    });
    let short = parts.iter().all(|part| part.chars().count() == 1);
    let capitals = parts.iter().all(|part| {
        part.chars()
            .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit())
            && part.chars().any(|c| c.is_ascii_uppercase())
    });
    let foreign_script = parts.iter().all(|part| !part.is_ascii());
    if numbers || short || ((capitals || foreign_script) && !in_tree) {
        return Some(Reason::Prose);
    }
    if clearly_a_path {
        return None;
    }
    match mention.place {
        Where::Span => {
            let rooted = in_tree || parts.len() > 2 || cues::speaks_of_places(mention.whole);
            (!rooted).then_some(Reason::Prose)
        }
        Where::Text | Where::Fence => (parts.len() == 2 || !in_tree).then_some(Reason::Prose),
    }
}
