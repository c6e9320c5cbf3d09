//! Takes private blocks and secrets out of text before it is stored.
//!
//! [`clean`] is the one way to make a [`Clean`] of what a person or a tool said, and `Clean` is the
//! only text that the record takes. Two scans, both linear in the length of the text:
//! `<private>` blocks become `[PRIVATE]`, secrets of known shape `[REDACTED:kind]`. Text that holds
//! neither comes back byte for byte.

mod private;
mod secrets;

use std::borrow::Cow;
use std::ops::Range;

/// Text from which everything private was taken. The only text that `record` accepts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Clean(String);

impl Clean {
    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
    /// Text that never held user content (fixed words, names of tools).
    pub fn fixed(text: &str) -> Self {
        Self(text.to_owned())
    }
    /// Gives the text away.
    pub fn into_string(self) -> String {
        self.0
    }
}

/// What is taken out. `<private>` always is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Policy {
    /// Secrets of known shape too.
    pub secrets: bool,
}

/// Filters one whole entry. Text without `<private` and without anything secret-like comes back
/// unchanged, byte for byte. Idempotent.
pub fn clean(text: &str, policy: Policy) -> Clean {
    Clean(filter(text, policy).into_owned())
}

/// As [`clean`]; text that needs no change is given back without being copied.
pub fn clean_owned(text: String, policy: Policy) -> Clean {
    let changed = match filter(&text, policy) {
        Cow::Borrowed(_) => None,
        Cow::Owned(changed) => Some(changed),
    };
    Clean(changed.unwrap_or(text))
}

/// The private blocks of a text, tags included, in order.
pub fn private_blocks(text: &str) -> Vec<Range<usize>> {
    let mut all = Vec::new();
    private::each(text.as_bytes(), |block| all.push(block));
    all
}

/// A text as it is looked through: blanks stand in the place of its private blocks, and all else
/// stays where it is. `None` where it has no such block, which is cheap to tell.
pub fn without_private(text: &[u8]) -> Option<Vec<u8>> {
    private::blank(text)
}

/// A file's text of which single lines are shown: what goes over several lines (private blocks, key
/// blocks, columns of a table) is marked on each of them, and every line stays in its place. A line
/// by itself still has to be filtered.
pub fn by_line(text: &str) -> Cow<'_, str> {
    let mut hidden: Vec<(Range<usize>, String)> = Vec::new();
    private::each(text.as_bytes(), |block| {
        hidden.push((block, private::MARK.to_owned()));
    });
    if secrets::may_need_more_than_a_line(text) {
        let mut blocks = 0;
        let inside = hidden.len();
        secrets::each(text, |found| {
            while blocks < inside && hidden[blocks].0.end <= found.start {
                blocks += 1;
            }
            if blocks >= inside || hidden[blocks].0.start >= found.end {
                let mark = format!("[REDACTED:{}]", found.kind);
                hidden.push((found.start..found.end, mark));
            }
        });
        hidden.sort_by_key(|(range, _)| range.start);
    }
    if hidden.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut kept = 0;
    for (range, mark) in hidden {
        out.push_str(text.get(kept..range.start).unwrap_or_default());
        for line in text
            .get(range.clone())
            .unwrap_or_default()
            .split_inclusive('\n')
        {
            let said = line.trim_end_matches(['\n', '\r']);
            if said.trim().is_empty() {
                out.push_str(line);
                continue;
            }
            out.push_str(&mark);
            out.push_str(line.get(said.len()..).unwrap_or_default());
        }
        kept = range.end;
    }
    out.push_str(text.get(kept..).unwrap_or_default());
    Cow::Owned(out)
}

/// A secret that stands in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Secret {
    /// Where, bytes.
    pub range: Range<usize>,
    /// What, as in `[REDACTED:kind]`.
    pub kind: &'static str,
}

/// The secrets that [`clean`] would take out of a text, in order; `<private>` blocks are not looked
/// at.
pub fn secrets_in(text: &str) -> Vec<Secret> {
    let mut all = Vec::new();
    secrets::each(text, |found| {
        all.push(Secret {
            range: found.start..found.end,
            kind: found.kind,
        });
    });
    all
}

/// Passes until nothing changes any more: what a mark replaced can make its neighbours look like
/// another secret, and an entry that is filtered again must stay as it is.
fn filter(text: &str, policy: Policy) -> Cow<'_, str> {
    let mut filtered = pass(text, policy);
    for _ in 1..PASSES {
        let Cow::Owned(before) = &filtered else {
            break;
        };
        let Cow::Owned(after) = pass(before, policy) else {
            break;
        };
        if after == *before {
            break;
        }
        filtered = Cow::Owned(after);
    }
    filtered
}

/// A bound for text that is made to change for ever; real text needs one pass, and one to see that
/// nothing changes.
const PASSES: usize = 8;

fn pass(text: &str, policy: Policy) -> Cow<'_, str> {
    let hidden = private::hide(text);
    if !policy.secrets {
        return hidden;
    }
    match hidden {
        Cow::Borrowed(text) => secrets::redact(text),
        Cow::Owned(text) => {
            let redacted = match secrets::redact(&text) {
                Cow::Borrowed(_) => None,
                Cow::Owned(redacted) => Some(redacted),
            };
            Cow::Owned(redacted.unwrap_or(text))
        }
    }
}
