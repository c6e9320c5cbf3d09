//! The plan: what a person or Claude decides, in a file of YAML.
//!
//! [`Plan::draft`] writes the candidates down, an editor changes them, [`Plan::parse`] reads the
//! file strictly: an unknown key is an error with its line, never ignored.

mod draft;
pub(crate) mod weight;
mod write;

pub(crate) use draft::kind_of;
pub use draft::{CONTRADICTIONS, Draft, sensitive, warnings};

use crate::evidence::Evidence;
use crate::verdict::{Confidence, Verdict};
use chrono::NaiveDate;
use serde::de::{self, MapAccess, Visitor, value::MapAccessDeserializer};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

/// The version of the format.
pub const VERSION: u32 = 1;
/// What stands in the head of every plan that was written.
pub const MARK: &str = "version: 1\nstore: ";
/// Largest plan that is read, bytes.
pub const LARGEST: u64 = 8 << 20;

/// Most bytes that it comes to with its aliases written out.
const MOST: usize = 64 << 20;

/// A plan, as it stands in its file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Plan {
    /// Version of the format, [`VERSION`].
    pub version: u32,
    /// The folder that holds MEMORY.md.
    pub store: String,
    /// When it was made.
    #[serde(deserialize_with = "day")]
    pub date: NaiveDate,
    /// What a person should know first. Nothing depends on it.
    #[serde(default, deserialize_with = "or_default")]
    pub warnings: Vec<String>,
    /// Where text stands that looks like a secret. Nothing depends on it.
    #[serde(default, deserialize_with = "or_default")]
    pub sensitive: Vec<String>,
    /// What the judged files held: SHA-256, the first 16 digits.
    #[serde(default, deserialize_with = "or_default")]
    pub hashes: BTreeMap<String, String>,
    /// New entries that lead into a domain.
    #[serde(default, deserialize_with = "or_default")]
    pub gates: Vec<Gate>,
    /// One item an entry.
    #[serde(default, deserialize_with = "or_default")]
    pub entries: Vec<Item>,
}

/// What is decided for one entry.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Item {
    /// Its number, by which it is approved.
    pub id: u32,
    /// The entry's file, from the store's root.
    pub entry: String,
    /// What it is judged to be.
    pub verdict: Verdict,
    /// How sure.
    pub confidence: Confidence,
    /// What is done; the verdict's own action when it is left out.
    #[serde(default)]
    pub action: Option<Action>,
    /// Duplicate: the entry that stays.
    #[serde(default)]
    pub target: Option<String>,
    /// Duplicate: what the entry that stays lacks, put at its end.
    #[serde(default)]
    pub append: Option<String>,
    /// Consolidate: the domain.
    #[serde(default)]
    pub group: Option<String>,
    /// Other verdicts that hold too; conflicts are resolved by the rules.
    #[serde(default, deserialize_with = "or_default")]
    pub also: Vec<Verdict>,
    /// What it rests on.
    #[serde(default, deserialize_with = "or_default")]
    pub evidence: Vec<Proof>,
    /// Changes of single lines.
    #[serde(default, deserialize_with = "or_default")]
    pub edits: Vec<LineEdit>,
    /// A new description; it stands in MEMORY.md too.
    #[serde(default)]
    pub description: Option<String>,
    /// Why, in words. Nothing depends on it.
    #[serde(default)]
    pub note: Option<String>,
}

/// What a claim rests on.
#[derive(Debug, Clone, PartialEq)]
pub enum Proof {
    /// A quote at a line.
    Line(Quoted),
    /// Words without a place: proves nothing.
    Words(String),
}

/// A quote and where it stands.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quoted {
    /// `path:line`.
    pub at: String,
    /// A part of that line, as it stands there.
    #[serde(default)]
    pub quote: Option<String>,
}

impl Quoted {
    /// The path, and the line if one is given.
    pub fn place(&self) -> (&str, Option<usize>) {
        match self.at.rsplit_once(':') {
            Some((path, line)) => match line.trim().parse() {
                // There is no line 0; the file is meant.
                Ok(0) => (path.trim(), None),
                Ok(line) => (path.trim(), Some(line)),
                Err(_) => (self.at.trim(), None),
            },
            None => (self.at.trim(), None),
        }
    }
}

impl From<&Evidence> for Proof {
    fn from(evidence: &Evidence) -> Self {
        Self::Line(Quoted {
            at: format!("{}:{}", evidence.path, evidence.line),
            quote: Some(evidence.quote.clone()),
        })
    }
}

/// A change of one line.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LineEdit {
    /// The line, from 1.
    pub line: usize,
    /// What stands there and goes, a part of the line.
    pub old: String,
    /// What comes; left out: still open.
    #[serde(default)]
    pub new: Option<String>,
    /// The whole line goes.
    #[serde(default)]
    pub remove: bool,
}

impl LineEdit {
    /// Nobody has said yet what comes.
    pub fn is_open(&self) -> bool {
        self.new.is_none() && !self.remove
    }
}

/// A new entry that leads into a domain.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gate {
    /// Its number, by which it is approved.
    pub id: u32,
    /// The domain, as its members name it.
    pub group: String,
    /// The new file's name.
    pub file: String,
    /// The new entry's name.
    pub name: String,
    /// What stands in MEMORY.md.
    pub description: String,
    /// The members' files; the domain's items when it is left out.
    #[serde(default, deserialize_with = "or_default")]
    pub members: Vec<String>,
    /// What the members say together, in a few sentences.
    #[serde(default)]
    pub summary: Option<String>,
}

/// What is done with an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Nothing.
    Keep,
    /// Lines of it change.
    Edit,
    /// Another entry takes over what it says, and it goes to the archive.
    Merge,
    /// A new entry leads into its domain.
    Gate,
    /// It goes to the archive.
    Archive,
    /// It goes.
    Delete,
}

impl Action {
    /// As plans name it.
    pub fn name(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::Edit => "edit",
            Self::Merge => "merge",
            Self::Gate => "gate",
            Self::Archive => "archive",
            Self::Delete => "delete",
        }
    }

    /// What follows from a verdict.
    pub fn of(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Completed => Self::Archive,
            Verdict::Resolved | Verdict::Promoted => Self::Delete,
            Verdict::Duplicate => Self::Merge,
            Verdict::Outdated => Self::Edit,
            // The gate has its own number; members keep their text.
            Verdict::Consolidate | Verdict::Stale | Verdict::Active => Self::Keep,
        }
    }

    /// Whether a verdict allows it: its own action, a gentler one, or none.
    pub fn fits(self, verdict: Verdict) -> bool {
        self == Self::Keep
            || self == Self::of(verdict)
            || (self == Self::Archive && matches!(verdict, Verdict::Resolved | Verdict::Promoted))
    }

    /// The entry is not where it was afterwards.
    pub fn removes(self) -> bool {
        matches!(self, Self::Archive | Self::Delete | Self::Merge)
    }
}

impl Item {
    /// What is to be done as it is written, before anything is proven.
    pub fn wanted(&self) -> Action {
        self.action.unwrap_or_else(|| Action::of(self.verdict))
    }
}

/// Why a plan cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Unreadable(String);

impl Plan {
    /// The digits by which runs know a plan, however it is edited and in however many parts it is
    /// carried out: it is of one day, and of files as they were then.
    pub fn identity(&self) -> String {
        let mut text = format!("{}\n{}\n", self.store, self.date);
        for (file, hash) in &self.hashes {
            let _ = writeln!(text, "{hash} {file}");
        }
        if self.hashes.is_empty() {
            for item in &self.entries {
                let _ = writeln!(text, "{} {}", item.id, item.entry);
            }
        }
        hash(text.as_bytes())
    }

    /// Reads a plan.
    pub fn parse(text: &str) -> Result<Self, Unreadable> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        mnemo_home::scans_in_time(text).map_err(Unreadable)?;
        if !weight::is_within(text, MOST) {
            return Err(Unreadable(
                "its aliases come to more than a plan may hold; write out what they stand for"
                    .to_owned(),
            ));
        }
        let plan: Self =
            serde_yaml::from_str(text).map_err(|error| Unreadable(error.to_string()))?;
        if plan.version != VERSION {
            return Err(Unreadable(format!(
                "version {} of the format is not known here ({VERSION} is); make the plan anew with `mnemo garden plan`",
                plan.version
            )));
        }
        Ok(plan)
    }
}

/// The digits by which a plan knows the bytes of a file.
pub fn hash(bytes: &[u8]) -> String {
    let mut text = crate::fingerprint::sha256(bytes);
    text.truncate(16);
    text
}

impl<'de> Deserialize<'de> for Proof {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = Proof;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("`at: path:line` with a `quote:`")
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Proof, E> {
                Ok(Proof::Words(text.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Proof, A::Error> {
                Quoted::deserialize(MapAccessDeserializer::new(map)).map(Proof::Line)
            }
        }
        deserializer.deserialize_any(Either)
    }
}

/// A list whose items an editor took all out is `null`.
fn or_default<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de> + Default,
{
    Ok(Option::deserialize(deserializer)?.unwrap_or_default())
}

fn day<'de, D: Deserializer<'de>>(deserializer: D) -> Result<NaiveDate, D::Error> {
    let text = String::deserialize(deserializer)?;
    text.parse()
        .map_err(|_| de::Error::custom(format!("`{text}` is not a date (YYYY-MM-DD)")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_read_strictly() {
        let good = "version: 1\nstore: /m\ndate: 2026-11-30\nentries:\n  - id: 1\n    entry: a.md\n    verdict: Active\n    confidence: High\n    evidence:\n      - at: memory/a.md:3\n        quote: x\n      - looked at it\n";
        let plan = Plan::parse(good).unwrap();
        assert_eq!(plan.entries[0].evidence.len(), 2);
        assert_eq!(plan.entries[0].wanted(), Action::Keep);
        for (from, to, said) in [
            ("verdict: Active", "verdict: Gone", "line 7"),
            (
                "    confidence: High",
                "    confidence: High\n    colour: red",
                "colour",
            ),
            ("        quote: x", "        qoute: x", "qoute"),
            ("version: 1", "version: 2", "version 2"),
            ("date: 2026-11-30", "date: yesterday", "yesterday"),
            ("id: 1", "id: one", "line 5"),
        ] {
            let error = Plan::parse(&good.replace(from, to)).unwrap_err();
            assert!(error.to_string().contains(said), "{from}: {error}");
        }
        let long = format!(
            "sensitive: [&a {}{}]\n",
            "x".repeat(1 << 20),
            ", *a".repeat(99)
        );
        let error = Plan::parse(&format!("{good}{long}")).unwrap_err();
        assert!(error.to_string().contains("aliases"), "{error}");
        assert!(Plan::parse("").is_err());
        assert!(Plan::parse("- a\n").is_err());
    }

    #[test]
    fn places_are_read_from_the_end() {
        let place = |at: &str| {
            let quoted = Quoted {
                at: at.to_owned(),
                quote: None,
            };
            let (path, line) = quoted.place();
            (path.to_owned(), line)
        };
        assert_eq!(place("a:b.md:7"), ("a:b.md".to_owned(), Some(7)));
        assert_eq!(place("a.md"), ("a.md".to_owned(), None));
        assert_eq!(place("a.md:0"), ("a.md".to_owned(), None));
    }
}
