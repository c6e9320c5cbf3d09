//! A plan as YAML that a person likes to edit.

use super::{Item, Plan, Proof};
use mnemo_home::text::steers;
use std::fmt::Write as _;

const HEAD: &str = "\
# What the memory garden proposes. Edit it, then:
#   mnemo garden check FILE      are the quotes true, do the verdicts follow
#   mnemo garden preview FILE    what would change
#   mnemo garden apply FILE --approve 1,3-5
# verdict: Completed | Resolved | Promoted | Consolidate | Duplicate | Outdated | Stale | Active
# action:  archive | delete | merge | edit | keep      also: [verdicts that hold too]
# evidence needs a place and words that stand there:   at: path:line, quote: \"…\"
";

impl Plan {
    /// As YAML; [`Plan::parse`] reads the same plan back. `remarks` of an item's number become
    /// comments.
    pub fn render(&self, remarks: &dyn Fn(u32) -> Vec<String>) -> String {
        let mut out = String::from(HEAD);
        let _ = writeln!(out, "version: {}", self.version);
        let _ = writeln!(out, "store: {}", scalar(&self.store));
        let _ = writeln!(out, "date: {}", self.date);
        list(&mut out, "warnings", &self.warnings);
        list(&mut out, "sensitive", &self.sensitive);
        if !self.gates.is_empty() {
            out.push_str("gates:\n");
        }
        for gate in &self.gates {
            let _ = writeln!(out, "  - id: {}", gate.id);
            let _ = writeln!(out, "    group: {}", scalar(&gate.group));
            let _ = writeln!(out, "    file: {}", scalar(&gate.file));
            let _ = writeln!(out, "    name: {}", scalar(&gate.name));
            let _ = writeln!(out, "    description: {}", scalar(&gate.description));
            if !gate.members.is_empty() {
                out.push_str("    members:\n");
                for member in &gate.members {
                    let _ = writeln!(out, "      - {}", scalar(member));
                }
            }
            optional(&mut out, "    ", "summary", gate.summary.as_deref());
        }
        out.push_str(if self.entries.is_empty() {
            "entries: []\n"
        } else {
            "entries:\n"
        });
        for item in &self.entries {
            for remark in remarks(item.id) {
                let _ = writeln!(out, "  # {}", one_line(&remark));
            }
            self::item(&mut out, item);
        }
        if !self.hashes.is_empty() {
            out.push_str("# What the files held when they were judged.\nhashes:\n");
            for (file, hash) in &self.hashes {
                let _ = writeln!(out, "  {}: {}", scalar(file), scalar(hash));
            }
        }
        out
    }
}

fn item(out: &mut String, item: &Item) {
    let _ = writeln!(out, "  - id: {}", item.id);
    let _ = writeln!(out, "    entry: {}", scalar(&item.entry));
    let _ = writeln!(out, "    verdict: {}", item.verdict.name());
    let _ = writeln!(out, "    confidence: {:?}", item.confidence);
    if let Some(action) = item.action {
        let _ = writeln!(out, "    action: {}", action.name());
    }
    optional(out, "    ", "target", item.target.as_deref());
    optional(out, "    ", "append", item.append.as_deref());
    optional(out, "    ", "group", item.group.as_deref());
    if !item.also.is_empty() {
        let names: Vec<_> = item.also.iter().map(|verdict| verdict.name()).collect();
        let _ = writeln!(out, "    also: [{}]", names.join(", "));
    }
    if !item.evidence.is_empty() {
        out.push_str("    evidence:\n");
    }
    for proof in &item.evidence {
        match proof {
            Proof::Words(words) => {
                let _ = writeln!(out, "      - {}", scalar(words));
            }
            Proof::Line(quoted) => {
                let _ = writeln!(out, "      - at: {}", scalar(&quoted.at));
                optional(out, "        ", "quote", quoted.quote.as_deref());
            }
        }
    }
    if !item.edits.is_empty() {
        out.push_str("    edits:\n");
    }
    for edit in &item.edits {
        let _ = writeln!(out, "      - line: {}", edit.line);
        let _ = writeln!(out, "        old: {}", scalar(&edit.old));
        match &edit.new {
            Some(new) => {
                let _ = writeln!(out, "        new: {}", scalar(new));
            }
            None if edit.remove => out.push_str("        remove: true\n"),
            None => out.push_str("        new:\n"),
        }
    }
    optional(out, "    ", "description", item.description.as_deref());
    optional(out, "    ", "note", item.note.as_deref());
}

fn optional(out: &mut String, indent: &str, key: &str, value: Option<&str>) {
    if let Some(value) = value {
        let _ = writeln!(out, "{indent}{key}: {}", scalar(value));
    }
}

fn list(out: &mut String, key: &str, items: &[String]) {
    if items.is_empty() {
        return;
    }
    let _ = writeln!(out, "{key}:");
    for item in items {
        let _ = writeln!(out, "  - {}", scalar(item));
    }
}

/// Plain where that is certainly read as the same text, else in double quotes.
fn scalar(text: &str) -> String {
    let simple = text.chars().next().is_some_and(char::is_alphabetic)
        && text
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '/'))
        && !matches!(
            text.to_ascii_lowercase().as_str(),
            "true" | "false" | "yes" | "no" | "on" | "off" | "null" | "y" | "n"
        );
    if simple {
        return text.to_owned();
    }
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '\r' => out.push_str("\\r"),
            // A person reads what is written here, and approves it.
            c if steers(c)
                || matches!(
                    c,
                    '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{fffe}' | '\u{ffff}'
                ) =>
            {
                let _ = write!(out, "\\u{:04x}", u32::from(c));
            }
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

fn one_line(text: &str) -> String {
    text.chars()
        .map(|c| {
            if steers(c) || matches!(c, '\n' | '\t' | '\u{2028}' | '\u{2029}' | '\u{feff}') {
                ' '
            } else {
                c
            }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::{Action, Gate, LineEdit, Quoted};
    use super::*;
    use crate::verdict::{Confidence, Verdict};
    use proptest::prelude::*;

    fn any_plan(texts: &[String], numbers: (u32, usize)) -> Plan {
        let text = |at: usize| texts[at % texts.len()].clone();
        Plan {
            version: super::super::VERSION,
            store: text(0),
            date: chrono::NaiveDate::from_ymd_opt(2026, 11, 30).unwrap(),
            warnings: vec![text(1)],
            sensitive: vec![text(2), text(3)],
            hashes: [(text(4), text(5))].into(),
            gates: vec![Gate {
                id: numbers.0,
                group: text(6),
                file: text(7),
                name: text(8),
                description: text(9),
                members: vec![text(1)],
                summary: Some(text(2)),
            }],
            entries: vec![Item {
                id: numbers.0,
                entry: text(3),
                verdict: Verdict::Duplicate,
                confidence: Confidence::Med,
                action: Some(Action::Merge),
                target: Some(text(4)),
                append: Some(text(5)),
                group: Some(text(6)),
                also: vec![Verdict::Outdated],
                evidence: vec![
                    Proof::Words(text(7)),
                    Proof::Line(Quoted {
                        at: text(8),
                        quote: Some(text(9)),
                    }),
                ],
                edits: vec![
                    LineEdit {
                        line: numbers.1,
                        old: text(0),
                        new: Some(text(1)),
                        remove: false,
                    },
                    LineEdit {
                        line: 1,
                        old: text(2),
                        new: None,
                        remove: numbers.1.is_multiple_of(2),
                    },
                ],
                description: Some(text(3)),
                note: None,
            }],
        }
    }

    proptest! {
        #[test]
        fn what_is_written_is_read_back(
            texts in proptest::collection::vec("(?s).{0,24}", 1..10),
            id in 1_u32..9999,
            line in 1_usize..999,
        ) {
            let plan = any_plan(&texts, (id, line));
            let yaml = plan.render(&|_| texts.clone());
            prop_assert_eq!(Plan::parse(&yaml).map_err(|e| TestCaseError::fail(format!("{e}\n{yaml}")))?, plan);
        }

        #[test]
        fn any_text_is_read_or_refused(text in "(?s).{0,200}") {
            let _ = Plan::parse(&text);
        }
    }
}
