//! One utterance of a transcript, made ready to be compared with the day files.

use chrono::{DateTime, Local, NaiveDate, NaiveDateTime, Utc};
use claude_hook::{RecordId, Role};
use record::day::{self, Key, Marker};
use redact::{Clean, Policy};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use transcript::{Turn, Utterance};

/// How a body's parts are joined in an entry.
pub(crate) const JOINT: &str = "\n\n";

/// An utterance after redaction, with what is needed to know its entry again.
#[derive(Debug, Clone)]
pub(crate) struct Said {
    pub(crate) role: Role,
    /// What its entry holds.
    pub(crate) body: Clean,
    /// The text before redaction, kept only where redaction changed it. Never written.
    raw: Option<Box<str>>,
    /// Lengths of the blocks in the text before redaction; empty for a text that is one piece.
    lengths: Box<[usize]>,
    pub(crate) at: DateTime<Utc>,
    /// `at` by the local clock: where its entry belongs.
    pub(crate) when: NaiveDateTime,
    /// When a prompt that waited was typed.
    pub(crate) typed: Option<NaiveDateTime>,
    /// When what was said before it in its turn was said: its first block cannot be older.
    pub(crate) since: NaiveDateTime,
    /// First 8 characters of the session id, as markers hold it.
    pub(crate) session: Key,
    /// The client's prompt id, as markers hold it.
    pub(crate) turn: Option<Key>,
    /// The marker of its entry.
    pub(crate) marker: Marker,
    pub(crate) records: Box<[RecordId]>,
    /// The transcript it was read from (number within the run).
    pub(crate) source: usize,
    /// Whether it may be written. What is read only so that entries find their owner may not.
    pub(crate) wanted: bool,
    pub(crate) hash: u64,
}

/// What an utterance's surroundings say about it.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Setting {
    pub(crate) source: usize,
    pub(crate) since: DateTime<Utc>,
    pub(crate) wanted: bool,
}

/// What is found out about an utterance before it is known whether anybody wants it: nothing but
/// its own text and time counts, so any thread may do it.
#[derive(Debug)]
pub(crate) struct Heard {
    pub(crate) when: NaiveDateTime,
    /// The body and its hash; not of what was said outside the dates that count.
    body: Option<(Clean, u64)>,
}

impl Heard {
    fn of(utterance: &Utterance, policy: Policy, counts: impl Fn(NaiveDate) -> bool) -> Self {
        let when = local(utterance.at);
        let body = counts(when.date()).then(|| {
            let body = redact::clean(&utterance.text, policy);
            let hash = day::hash(body.as_str());
            (body, hash)
        });
        Self { when, body }
    }
}

/// A turn, and what was found out about each thing said in it.
pub(crate) struct Ready {
    pub(crate) turn: Turn,
    pub(crate) heard: Vec<Heard>,
    /// Of all that was said, with the ids of its messages.
    pub(crate) print: u64,
}

impl Ready {
    pub(crate) fn of(turn: Turn, policy: Policy, counts: impl Fn(NaiveDate) -> bool) -> Self {
        let heard: Vec<Heard> = turn
            .said
            .iter()
            .map(|said| Heard::of(said, policy, &counts))
            .collect();
        let mut hasher = DefaultHasher::new();
        for (said, heard) in turn.said.iter().zip(&heard) {
            // The body's hash will do where it is the text's.
            let hash = match &heard.body {
                Some((body, hash)) if body.as_str() == said.text => *hash,
                _ => day::hash(&said.text),
            };
            (said.role, hash, said.text.len(), &said.messages).hash(&mut hasher);
        }
        Self {
            print: hasher.finish(),
            turn,
            heard,
        }
    }

    /// About how much memory it holds, in bytes.
    pub(crate) fn weight(&self) -> usize {
        let said = self.turn.said.iter();
        said.map(|said| 3 * said.text.len() + 400).sum()
    }
}

impl Said {
    #[cfg(test)]
    pub(crate) fn new(utterance: Utterance, setting: Setting, policy: Policy) -> Self {
        let heard = Heard::of(&utterance, policy, |_| true);
        Self::of(utterance, heard, setting, policy)
    }

    pub(crate) fn of(utterance: Utterance, heard: Heard, setting: Setting, policy: Policy) -> Self {
        let when = heard.when;
        let (body, hash) = heard.body.unwrap_or_else(|| {
            let body = redact::clean(&utterance.text, policy);
            let hash = day::hash(body.as_str());
            (body, hash)
        });
        let joined: usize = utterance.blocks.iter().map(String::len).sum::<usize>()
            + JOINT.len() * utterance.blocks.len().saturating_sub(1);
        let lengths = if utterance.blocks.len() > 1 && joined == utterance.text.len() {
            utterance.blocks.iter().map(String::len).collect()
        } else {
            Box::default()
        };
        let marker = Marker::new(
            &utterance.session,
            utterance.turn.as_ref(),
            utterance.records.first(),
        );
        Self {
            role: utterance.role,
            hash,
            raw: (body.as_str() != utterance.text).then(|| utterance.text.into_boxed_str()),
            body,
            lengths,
            at: utterance.at,
            typed: utterance.typed.map(local),
            when,
            since: local(setting.since.min(utterance.at)).min(when),
            session: Key::of(marker.session.as_deref().unwrap_or_default()),
            turn: marker.turn.as_deref().map(Key::of),
            marker,
            records: utterance.records.into_boxed_slice(),
            source: setting.source,
            wanted: setting.wanted,
        }
    }

    /// The local date whose file it belongs to.
    pub(crate) fn date(&self) -> NaiveDate {
        self.when.date()
    }

    /// About how much memory it holds, in bytes.
    pub(crate) fn weight(&self) -> usize {
        let ids: usize = self.records.iter().map(|id| id.as_str().len() + 24).sum();
        self.body.as_str().len() + self.raw.as_ref().map_or(0, |raw| raw.len()) + ids + 400
    }

    /// The text before redaction.
    fn text(&self) -> &str {
        self.raw.as_deref().unwrap_or(self.body.as_str())
    }

    /// The blocks before redaction; the whole text when it is one piece.
    fn blocks(&self) -> Vec<&str> {
        let text = self.text();
        let mut blocks = Vec::with_capacity(self.lengths.len().max(1));
        let mut from = 0;
        for length in &self.lengths {
            match text.get(from..from + length) {
                Some(block) => blocks.push(block),
                None => return vec![text],
            }
            from += length + JOINT.len();
        }
        if blocks.is_empty() {
            blocks.push(text);
        }
        blocks
    }

    /// The blocks each redacted by itself, if together they are the entry's body: only then can
    /// one of them be left out without showing what the whole hides.
    pub(crate) fn separable(&self, policy: Policy) -> Option<Vec<Clean>> {
        if self.lengths.is_empty() {
            return None;
        }
        let blocks: Vec<Clean> = self
            .blocks()
            .into_iter()
            .map(|block| redact::clean(block, policy))
            .collect();
        (join(&blocks) == self.body.as_str()).then_some(blocks)
    }

    /// Loose hashes that an entry of this utterance may have when another tool wrote it.
    pub(crate) fn loose(&self) -> BTreeSet<u64> {
        let mut all = BTreeSet::new();
        for_each_old_form(self.body.as_str(), self.role, &mut all);
        if let Some(raw) = &self.raw {
            let without_private = redact::clean(raw, Policy { secrets: false });
            for_each_old_form(without_private.as_str(), self.role, &mut all);
        }
        all
    }

    /// Loose hashes of the same prompt as a payload shows its images: left out, or numbered.
    pub(crate) fn with_images_told_otherwise(&self) -> Vec<u64> {
        let body = self.body.as_str();
        if self.role != Role::User || !body.contains("[image]") {
            return Vec::new();
        }
        let mut numbered = String::with_capacity(body.len() + 16);
        for (count, part) in body.split("[image]").enumerate() {
            if count > 0 {
                let _ = write!(numbered, "[Image #{count}]");
            }
            numbered.push_str(part);
        }
        vec![
            day::hash_loose(&body.replace("[image]", "")),
            day::hash_loose(&numbered),
            day::hash_loose(body),
        ]
    }

    /// Whether `entry` is what remains of this utterance when something is missing: blocks that
    /// the hook could not see, or the end that a crash cut off.
    pub(crate) fn is_part(&self, entry: &str, policy: Policy) -> bool {
        let whole = self.body.as_str();
        if entry == whole {
            return false;
        }
        if whole.starts_with(entry) || whole.starts_with(entry.trim_end_matches('\n')) {
            return true;
        }
        if self.role == Role::User || self.lengths.is_empty() {
            return false;
        }
        let raw = self.blocks();
        let clean: Vec<Clean> = raw.iter().map(|one| redact::clean(one, policy)).collect();
        if is_selection(entry, &clean) {
            return true;
        }
        // Where redaction reaches over several blocks: what a look at the beginning or at the end
        // alone would have given.
        self.raw.is_some()
            && (1..raw.len().min(64)).any(|cut| {
                redact::clean(&raw[cut..].join(JOINT), policy).as_str() == entry
                    || redact::clean(&raw[..cut].join(JOINT), policy).as_str() == entry
            })
    }
}

/// Joins blocks as an entry does.
pub(crate) fn join(blocks: &[Clean]) -> String {
    let blocks: Vec<&str> = blocks.iter().map(Clean::as_str).collect();
    blocks.join(JOINT)
}

/// Whether `text` is some of `blocks`, in order, joined.
fn is_selection(text: &str, blocks: &[Clean]) -> bool {
    // Ends of the text's beginnings that the blocks so far can form.
    let mut ends = BTreeSet::new();
    for block in blocks {
        let block = block.as_str();
        let mut more = Vec::new();
        if text.starts_with(block) {
            more.push(block.len());
        }
        for &end in &ends {
            if let Some(rest) = text.get(end..)
                && let Some(rest) = rest.strip_prefix(JOINT)
                && rest.starts_with(block)
            {
                more.push(end + JOINT.len() + block.len());
            }
        }
        ends.extend(more);
        if ends.contains(&text.len()) {
            return true;
        }
    }
    false
}

fn for_each_old_form(text: &str, role: Role, all: &mut BTreeSet<u64>) {
    all.insert(day::hash_loose(text));
    if role == Role::User && text.contains('\\') {
        all.insert(day::hash_loose(&as_echoed(text)));
    }
}

/// A prompt as the original's shell script stored it: its `echo -e` took backslash sequences for
/// control characters.
fn as_echoed(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        let digits = |chars: &mut std::iter::Peekable<std::str::Chars<'_>>, radix, most| {
            let mut value = 0u32;
            let mut count = 0;
            while count < most
                && let Some(digit) = chars.peek().and_then(|c| c.to_digit(radix))
            {
                value = value * radix + digit;
                chars.next();
                count += 1;
            }
            (count > 0).then(|| char::from_u32(value).unwrap_or('\u{fffd}'))
        };
        match chars.next() {
            Some('a') => out.push('\u{7}'),
            Some('b') => out.push('\u{8}'),
            Some('e' | 'E') => out.push('\u{1b}'),
            Some('f' | 'n' | 'r' | 't' | 'v') => out.push(' '),
            Some('c') => break,
            Some('0') => out.push(digits(&mut chars, 8, 3).unwrap_or('\0')),
            Some('x') => match digits(&mut chars, 16, 2) {
                Some(c) => out.push(c),
                None => out.push_str("\\x"),
            },
            Some(other) => {
                out.push('\\');
                out.push(other);
            }
            None => out.push('\\'),
        }
    }
    out
}

/// A moment by the local clock.
pub(crate) fn local(at: DateTime<Utc>) -> NaiveDateTime {
    at.with_timezone(&Local).naive_local()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clean(text: &str) -> Clean {
        Clean::fixed(text)
    }

    #[test]
    fn a_selection_keeps_order_and_whole_blocks() {
        let blocks = [clean("a"), clean("b\n\nc"), clean("a"), clean("d")];
        for yes in [
            "a",
            "b\n\nc",
            "a\n\nb\n\nc",
            "a\n\na",
            "a\n\nd",
            "b\n\nc\n\nd",
        ] {
            assert!(is_selection(yes, &blocks), "{yes:?}");
        }
        for no in ["", "b", "c", "d\n\na", "a\nd", "a\n\n", "ad", "a\n\na\n\na"] {
            assert!(!is_selection(no, &blocks), "{no:?}");
        }
    }

    #[test]
    fn echo_takes_backslashes_for_control_characters() {
        assert_eq!(as_echoed(r"C:\new\table"), "C: ew able");
        assert_eq!(as_echoed(r"\x41\0102\q\\"), r"AB\q\\");
        assert_eq!(as_echoed(r"keep\cdrop"), "keep");
        assert_eq!(as_echoed("plain"), "plain");
    }
}
