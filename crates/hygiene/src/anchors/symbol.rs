//! Symbols: in the sources, renamed, gone, or somebody else's.

use super::ground::{Ground, first_segment, variants};
use super::judge::MOST_CANDIDATES;
use super::known::{FOREIGN_LEADS, HOST_ENDS, KNOWN_NAMES, OUTPUTS, STANDARD_ROOTS};
use super::mention::Mention;
use super::moves::last_segment;
use super::{Reason, Status, cues};

/// What is known of a symbol by its text alone.
pub(super) struct Known {
    found: bool,
    /// What it may be called now.
    now: Vec<String>,
}

impl Known {
    pub(super) fn of(ground: &Ground, text: &str) -> Self {
        let last = last_segment(text);
        let found = ground.found.contains(last);
        let now = if found { Vec::new() } else { now(ground, last) };
        Self { found, now }
    }

    pub(super) fn is_there(&self) -> bool {
        self.found
    }
}

fn now(ground: &Ground, last: &str) -> Vec<String> {
    let mut candidates: Vec<String> = Vec::new();
    for name in ground.moves.said_of_symbol(last) {
        let new = last_segment(name);
        if new != last
            && ground.found.contains(new)
            && !candidates.iter().any(|known| known == name)
        {
            candidates.push(name.to_owned());
        }
    }
    if candidates.is_empty() {
        candidates.extend(
            variants(last)
                .into_iter()
                .filter(|variant| ground.found.contains(variant.as_str())),
        );
    }
    candidates.truncate(MOST_CANDIDATES);
    candidates
}

pub(super) fn judge(ground: &Ground, mention: &Mention, known: &Known) -> Status {
    if known.found {
        return Status::Exists(None);
    }
    if !known.now.is_empty() {
        return Status::Moved(known.now.clone());
    }
    if is_external(ground, mention, last_segment(mention.text)) {
        return Status::NotAPath(Reason::ExternalSymbol);
    }
    Status::Gone
}

fn is_external(ground: &Ground, mention: &Mention, last: &str) -> bool {
    let text = mention.text;
    let line = mention.whole;
    let qualified = text.contains("::") || text.contains('.');
    if (!qualified && KNOWN_NAMES.contains(&last)) || OUTPUTS.contains(&last) {
        return true;
    }
    let first = first_segment(text);
    if qualified {
        if STANDARD_ROOTS.contains(&first) || depends_on(ground, first) || HOST_ENDS.contains(&last)
        {
            return true;
        }
        // A handle that the project does not have either is somebody else's.
        if first.starts_with(|c: char| c.is_ascii_lowercase())
            && !ground.found.contains(first)
            && !cues::speaks_of_code(line)
        {
            return true;
        }
    }
    let capitals = last
        .chars()
        .all(|c| c.is_ascii_uppercase() || c.is_ascii_digit() || c == '_');
    if capitals && FOREIGN_LEADS.iter().any(|lead| last.starts_with(lead)) {
        return true;
    }
    let plain_capitals = last.chars().all(|c| c.is_ascii_uppercase());
    let numbered = last.ends_with(|c: char| c.is_ascii_digit())
        && last
            .chars()
            .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit());
    if !qualified && (plain_capitals || numbered) && !text.ends_with("()") {
        return numbered || !cues::speaks_of_code(line);
    }
    if is_owned(ground, mention) {
        return true;
    }
    cues::speaks_of_libraries(line)
}

fn depends_on(ground: &Ground, name: &str) -> bool {
    ground.packages.contains(name) || ground.packages.contains(&name.replace('_', "-"))
}

/// The word in front of a mention, outside code, and whether it is said to own what follows.
pub(super) fn owner<'a>(mention: &Mention<'a>) -> (&'a str, bool) {
    let before = mention.whole.get(..mention.at).unwrap_or_default();
    let before = before.strip_suffix('`').unwrap_or(before).trim_end();
    let possessed = ["'s", "\u{2019}s", "의", "的"]
        .iter()
        .find_map(|of| before.strip_suffix(of));
    let word = possessed
        .unwrap_or(before)
        .rsplit(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '`')))
        .next()
        .unwrap_or_default();
    (word, possessed.is_some())
}

/// Whether the words beside a symbol name a package that the project depends on (`tokio's x`,
/// `x from tokio`).
fn is_owned(ground: &Ground, mention: &Mention) -> bool {
    let (owner, possessive) = owner(mention);
    if possessive
        && owner.starts_with(|c: char| c.is_ascii_uppercase())
        && !ground.found.contains(owner)
    {
        return true;
    }
    let behind = mention
        .whole
        .get(mention.at + mention.text.len()..)
        .unwrap_or_default()
        .trim_start_matches(|c: char| c.is_whitespace() || c == '`');
    let source = ["from ", "of ", "von ", "aus ", "in "]
        .iter()
        .find_map(|of| behind.strip_prefix(of))
        .map(|rest| {
            rest.trim_start_matches('`')
                .split(|c: char| c.is_whitespace() || matches!(c, '`' | ',' | ')' | '.'))
                .next()
                .unwrap_or_default()
        });
    [Some(owner), source]
        .into_iter()
        .flatten()
        .any(|name| !name.is_empty() && depends_on(ground, &name.to_lowercase()))
}
