//! Whether a handoff says what a successor needs.

use crate::place::{self, Handoff};
use crate::placeholders;
use crate::refs::{self, Places, code_spans};
use crate::rows::says_none;
use record::root::Root;
use redact::Policy;
use serde::Serialize;
use std::ops::Range;

/// What a handoff is fit for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Verdict {
    /// Somebody can go on from it.
    Ready,
    /// Something is missing.
    NeedsWork,
    /// It must not be handed on: it holds a secret.
    Blocked,
}

impl std::fmt::Display for Verdict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Ready => "READY",
            Self::NeedsWork => "NEEDS WORK",
            Self::Blocked => "BLOCKED",
        })
    }
}

/// What a reason is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum About {
    /// A placeholder is left.
    Placeholder,
    /// A required section is missing, or too short.
    Required,
    /// A recommended section is missing or empty.
    Recommended,
    /// A secret, or a private block.
    Secret,
    /// A file that is referred to is not there.
    Path,
    /// The bytes are no text.
    Bytes,
}

/// One reason, with what it cost.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// What it is about.
    pub about: About,
    /// Line in the file, from 1; absent for what is not there.
    pub line: Option<usize>,
    /// A sentence.
    pub text: String,
    /// Points that it took off; those of one kind are counted with the first.
    pub points: u32,
}

/// The result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Validation {
    /// Fit for what.
    pub verdict: Verdict,
    /// 0 to 100.
    pub score: u32,
    /// Excellent from 90, Good from 70, Fair from 50, else Poor.
    pub rating: &'static str,
    /// Whether features were made: then origin and composition must be told.
    pub feature_bearing: bool,
    /// They were, and one of the two is not told.
    #[serde(skip)]
    pub lacks_what_features_need: bool,
    /// Why it is not perfect.
    pub reasons: Vec<Reason>,
}

/// Points off.
const PLACEHOLDERS: u32 = 30;
const REQUIRED: u32 = 10;
const SECRETS: u32 = 20;
const PATH: u32 = 5;
const PATHS_COUNTED: u32 = 4;
const RECOMMENDED: u32 = 2;
/// A score below this is never ready.
const READY: u32 = 70;
/// How much a section must say, in columns: a letter is one, a Hangul syllable or an ideograph two.
const PROSE: usize = 50;
const STEPS: usize = 20;

/// Sections that every handoff needs, and how much they must say.
const NEEDED: [(&str, usize); 3] = [
    ("Current State Summary", PROSE),
    ("Important Context", PROSE),
    ("Immediate Next Steps", STEPS),
];
const FEATURES: &str = "Implemented Features";
const DIAGRAM: &str = "Composition Diagram";
const ORIGIN: &str = "Origin";
const WISHED: [&str; 6] = [
    "Architecture Overview",
    "Critical Files",
    "Files Modified",
    "Decisions Made",
    "Assumptions Made",
    "Potential Gotchas",
];
/// Sections that only work on features has to fill in.
const FEATURES_ONLY: [&str; 5] = [
    ORIGIN,
    DIAGRAM,
    "Flow Diagram",
    "Feature Boundary",
    "Menu / Screen Map",
];
/// Sections that quote: what stands there is the record's and git's.
const QUOTED: [&str; 2] = ["Raw Material", "Recent Commits"];
/// Characters of a placeholder that are shown.
const SHOWN: usize = 60;

/// Judges a handoff. `root` is the project whose files it refers to; without one they are looked for
/// beside the file.
pub fn validate(handoff: &Handoff, root: Option<&Root>) -> Validation {
    let document = &handoff.document;
    let feature_bearing = !document.features().is_empty();
    let mut judge = Judge {
        handoff,
        feature_bearing,
        reasons: Vec::new(),
        off: 0,
    };
    judge.bytes();
    judge.secrets();
    judge.placeholders();
    judge.required();
    judge.recommended();
    judge.paths(root);
    let Judge { reasons, off, .. } = judge;
    let has = |about: About| reasons.iter().any(|reason| reason.about == about);
    let score = 100u32.saturating_sub(off);
    let verdict = if has(About::Secret) {
        Verdict::Blocked
    } else if has(About::Placeholder) || has(About::Required) || has(About::Bytes) || score < READY
    {
        Verdict::NeedsWork
    } else {
        Verdict::Ready
    };
    Validation {
        verdict,
        score,
        rating: match score {
            90.. => "Excellent",
            70.. => "Good",
            50.. => "Fair",
            _ => "Poor",
        },
        feature_bearing,
        lacks_what_features_need: feature_bearing
            && reasons.iter().any(|reason| {
                reason.about == About::Required
                    && [DIAGRAM, ORIGIN]
                        .iter()
                        .any(|name| reason.text.contains(name))
            }),
        reasons,
    }
}

/// How many places of a handoff are still to be filled in.
pub(crate) fn to_fill_in(handoff: &Handoff) -> usize {
    let mut judge = Judge {
        handoff,
        feature_bearing: !handoff.document.features().is_empty(),
        reasons: Vec::new(),
        off: 0,
    };
    judge.placeholders();
    judge.reasons.len()
}

struct Judge<'a> {
    handoff: &'a Handoff,
    feature_bearing: bool,
    reasons: Vec<Reason>,
    off: u32,
}

impl Judge<'_> {
    fn add(&mut self, about: About, line: Option<usize>, points: u32, text: String) {
        self.off += points;
        // It may quote.
        let text = redact::clean_owned(text, Policy { secrets: true }).into_string();
        self.reasons.push(Reason {
            about,
            line,
            text,
            points,
        });
    }

    fn bytes(&mut self) {
        if let Some(problem) = &self.handoff.problem {
            self.add(About::Bytes, None, REQUIRED, problem.clone());
        } else if self.handoff.document.text().trim().is_empty() {
            self.add(About::Bytes, None, REQUIRED, "the file is empty".to_owned());
        }
    }

    fn secrets(&mut self) {
        let text = self.handoff.document.text();
        let mut first = SECRETS;
        for secret in redact::secrets_in(text) {
            let line = line_of(text, secret.range.start);
            let sentence = format!(
                "a secret ({}); take it out, name only where it is kept",
                secret.kind
            );
            self.add(
                About::Secret,
                Some(line),
                std::mem::take(&mut first),
                sentence,
            );
        }
        for line in crate::doc::outside_fences(text, 1) {
            let mut bare = line.text.to_lowercase();
            for span in code_spans(line.text) {
                bare = bare.replace(&format!("`{}`", span.to_lowercase()), "");
            }
            if bare.contains("<private") {
                self.add(
                    About::Secret,
                    Some(line.number),
                    std::mem::take(&mut first),
                    "a private block; take it out, a handoff is read by others".to_owned(),
                );
            }
        }
    }

    /// Sections whose placeholders do not count.
    fn free(&self) -> Vec<Range<usize>> {
        let document = &self.handoff.document;
        let mut free: Vec<_> = QUOTED
            .iter()
            .filter_map(|name| document.range_of(name))
            .collect();
        if !self.feature_bearing {
            free.extend(
                FEATURES_ONLY
                    .iter()
                    .filter_map(|name| document.range_of(name)),
            );
        }
        free
    }

    fn placeholders(&mut self) {
        let document = &self.handoff.document;
        let text = document.text();
        let free = self.free();
        let metadata = document.range_of("Session Metadata");
        let counts = |at: usize| !free.iter().any(|range| range.contains(&at));
        let mut found: Vec<(usize, String)> = Vec::new();
        let mut at = 0;
        for line in text.split_inclusive('\n') {
            let start = at;
            at += line.len();
            if !counts(start) {
                continue;
            }
            let visible = without_code(line);
            let mut rest = visible.as_str();
            while let Some(open) = rest.find('[') {
                let here = rest.get(open..).unwrap_or_default();
                if placeholders::starts(here) {
                    found.push((line_of(text, start), excerpt(here)));
                }
                rest = here.get(1..).unwrap_or_default();
            }
            let noted = metadata
                .as_ref()
                .is_some_and(|range| range.contains(&start));
            if !noted {
                for cell in values(line) {
                    if placeholders::is_placeholder(cell) && !placeholders::starts(cell.trim()) {
                        found.push((line_of(text, start), excerpt(cell.trim())));
                    }
                }
            }
        }
        let mut first = PLACEHOLDERS;
        for (line, what) in found {
            self.add(
                About::Placeholder,
                Some(line),
                std::mem::take(&mut first),
                format!("left to fill in: {what}"),
            );
        }
    }

    fn required(&mut self) {
        let document = &self.handoff.document;
        for (name, least) in NEEDED {
            match document.section(name) {
                None => self.missing(name, "is missing"),
                Some(section) => {
                    let said = columns(document.body(section));
                    if said < least {
                        let line = section.line;
                        let why = if said == 0 {
                            "is empty"
                        } else {
                            "says too little"
                        };
                        self.lacking(name, line, why);
                    }
                }
            }
        }
        // The older scaffold did not have it.
        if !self.handoff.old {
            match document.section(FEATURES) {
                None => self.missing(FEATURES, "is missing (write \"none\" where there are none)"),
                Some(section) if columns(document.body(section)) == 0 => {
                    let line = section.line;
                    self.lacking(
                        FEATURES,
                        line,
                        "is empty (write \"none\" where there are none)",
                    );
                }
                Some(_) => {}
            }
        }
        if !self.feature_bearing {
            return;
        }
        match document.section(DIAGRAM) {
            None => self.missing(DIAGRAM, "is missing, and features were made"),
            Some(section) if !has_diagram(document.body(section)) => {
                let line = section.line;
                self.lacking(
                    DIAGRAM,
                    line,
                    "holds no Mermaid diagram with a connection in it",
                );
            }
            Some(_) => {}
        }
        let told = document
            .origin()
            .is_some_and(|origin| origin.requirement.is_some() || origin.problem.is_some());
        match document.section(ORIGIN) {
            None => self.missing(ORIGIN, "is missing, and features were made"),
            Some(section) if !told => {
                let line = section.line;
                self.lacking(ORIGIN, line, "does not say what was asked for");
            }
            Some(_) => {}
        }
    }

    fn missing(&mut self, name: &str, why: &str) {
        self.add(
            About::Required,
            None,
            REQUIRED,
            format!("section {name} {why}"),
        );
    }

    fn lacking(&mut self, name: &str, line: usize, why: &str) {
        self.add(
            About::Required,
            Some(line),
            REQUIRED,
            format!("section {name} {why}"),
        );
    }

    fn recommended(&mut self) {
        let document = &self.handoff.document;
        for name in WISHED {
            let (line, why) = match document.section(name) {
                None => (None, "is missing"),
                Some(section) if is_blank(document.body(section)) => {
                    (Some(section.line), "is empty")
                }
                Some(_) => continue,
            };
            self.add(
                About::Recommended,
                line,
                RECOMMENDED,
                format!("section {name} {why}"),
            );
        }
    }

    fn paths(&mut self, root: Option<&Root>) {
        let places = Places::of(self.handoff, root);
        let missing = refs::missing(self.handoff, &places);
        for (count, reference) in (0u32..).zip(missing) {
            let points = if count < PATHS_COUNTED { PATH } else { 0 };
            self.add(
                About::Path,
                Some(reference.line),
                points,
                format!(
                    "{} is not there",
                    mnemo_home::one_line(&reference.path, 200)
                ),
            );
        }
    }
}

fn line_of(text: &str, at: usize) -> usize {
    place::line_of(text.as_bytes(), at)
}

/// A line whose code spans are blanked.
fn without_code(line: &str) -> String {
    let mut visible = line.to_owned();
    for span in code_spans(line) {
        visible = visible.replacen(&format!("`{span}`"), "", 1);
    }
    visible
}

/// The beginning of a placeholder, up to its bracket.
fn excerpt(text: &str) -> String {
    let end = text.find(']').map_or(text.len(), |end| end + 1);
    let text = text.get(..end).unwrap_or(text);
    let short = mnemo_home::one_line(text, SHOWN);
    if short.chars().count() < mnemo_home::one_line(text, SHOWN + 1).chars().count() {
        format!("{short}…")
    } else {
        short
    }
}

/// The values of a line where a placeholder may stand alone: cells, a bullet, a heading.
fn values(line: &str) -> Vec<&str> {
    let line = line.trim();
    if line.starts_with('|') {
        return line.split('|').collect();
    }
    let bare = line.trim_start_matches(['#', '-', '*', '+', ' ']);
    if bare.len() == line.len() {
        return vec![line];
    }
    match bare.split_once(": ") {
        Some((_, value)) => vec![bare, value],
        None => vec![bare],
    }
}

/// How much a section says, in columns: headings, rules, placeholders and table headers say nothing.
fn columns(body: &str) -> usize {
    let mut total = 0;
    let lines: Vec<&str> = body.lines().collect();
    for (index, line) in lines.iter().enumerate() {
        let line = line.trim();
        let next = lines.get(index + 1).map_or("", |next| next.trim());
        let is_rule = |line: &str| {
            !line.is_empty()
                && line
                    .chars()
                    .all(|c| matches!(c, '|' | '-' | ':' | ' ' | '_' | '*'))
        };
        let is_header = line.starts_with('|') && is_rule(next) && next.starts_with('|');
        let is_comment = line.starts_with("<!--") && line.ends_with("-->");
        if line.starts_with('#') || is_rule(line) || is_header || is_comment {
            continue;
        }
        for value in values(line) {
            if placeholders::starts(value.trim()) || placeholders::is_placeholder(value) {
                continue;
            }
            total += value.trim().chars().map(width).sum::<usize>();
            if !line.starts_with('|') {
                break;
            }
        }
    }
    total
}

fn width(c: char) -> usize {
    match u32::from(c) {
        0x1100..=0x115f
        | 0x2e80..=0xa4cf
        | 0xac00..=0xd7a3
        | 0xf900..=0xfaff
        | 0xfe30..=0xfe6f
        | 0xff00..=0xff60
        | 0x20000..=0x3fffd => 2,
        _ => 1,
    }
}

/// Whether nothing stands there, not even a placeholder (which is counted by itself) or `none`.
fn is_blank(body: &str) -> bool {
    columns(body) == 0 && !body.contains('[') && !body.lines().any(says_none)
}

/// A Mermaid block in which something leads to something.
fn has_diagram(body: &str) -> bool {
    let mut rest = body;
    while let Some(start) = rest.find("```mermaid").or_else(|| rest.find("~~~mermaid")) {
        let inner = rest.get(start + 10..).unwrap_or_default();
        let end = inner
            .find("```")
            .or_else(|| inner.find("~~~"))
            .unwrap_or(inner.len());
        let block = inner.get(..end).unwrap_or_default();
        let connected = ["--", "->", "==", "-.", "<|", "..>"];
        if block
            .lines()
            .filter(|line| !line.trim_start().starts_with("%%"))
            .any(|line| connected.iter().any(|mark| line.contains(mark)))
        {
            return true;
        }
        rest = inner.get(end..).unwrap_or_default();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_section_says_what_is_not_scaffold() {
        assert_eq!(columns("[TODO: where things stand]\n"), 0);
        assert_eq!(
            columns("| Feature | What |\n|---|---|\n| [TODO: x] | [TODO] |\n"),
            0
        );
        assert_eq!(columns("| Feature | What |\n|---|---|\n| none | |\n"), 4);
        assert_eq!(columns("한글 ab\n"), 7);
        assert_eq!(columns("### x\n---\n<!-- y -->\n"), 0);
        assert_eq!(columns("1. go on\n"), 8);
    }

    #[test]
    fn a_diagram_connects() {
        assert!(has_diagram("```mermaid\nflowchart LR\n  A --> B\n```\n"));
        assert!(has_diagram("```mermaid\nsequenceDiagram\n A->>B: x\n```\n"));
        assert!(!has_diagram("```mermaid\nflowchart LR\n  A\n```\n"));
        assert!(!has_diagram("A --> B"));
    }

    #[test]
    fn a_placeholder_is_shown_short() {
        assert_eq!(excerpt("[TODO: x] more"), "[TODO: x]");
        assert!(excerpt(&format!("[TODO: {}]", "y".repeat(100))).ends_with("y…"));
    }
}
