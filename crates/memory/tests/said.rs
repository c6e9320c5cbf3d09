//! What rules say already, of entries in four languages: a table of cases.
#![allow(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "tests read files, fail by panicking, and tell what they measured"
)]

use memory::overlap::{Document, Kind, Known, Proposal, Rules, Taken, verdict};
use words::Lexicon;

/// A line of the table.
struct Case {
    expected: String,
    entry: Proposal,
    rule: String,
}

fn cases(text: &str) -> Vec<Case> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.is_empty())
        .map(|line| {
            let fields: Vec<&str> = line.split('\t').collect();
            let (description, body) = fields[1]
                .split_once(" || ")
                .unwrap_or((fields[1], fields[1]));
            Case {
                expected: fields[0].to_owned(),
                entry: Proposal {
                    title: "note".to_owned(),
                    description: description.split('¶').next().unwrap().to_owned(),
                    body: body.replace('¶', "\n"),
                },
                rule: fields[2].replace('¶', "\n"),
            }
        })
        .collect()
}

/// What `mnemo memory overlap` makes of it.
fn overlap(case: &Case) -> &'static str {
    let rules = Document {
        path: "rules.md".to_owned(),
        kind: Kind::Rule,
        text: format!("# Rules\n\n{}\n", case.rule),
    };
    let found = verdict(&case.entry, &Known::from(vec![rules]));
    match (found.opposite.is_some(), found.covered_by().is_some()) {
        (true, _) => "opposite",
        (_, true) => "said",
        _ => "none",
    }
}

/// What the garden's Promoted rests on.
fn taken(case: &Case) -> &'static str {
    let lines = case.rule.lines().map(|line| ("", line));
    let mut rules = Rules::new(Lexicon::builtin(), lines);
    let entry = rules.read(&case.entry);
    match rules.judge(&entry, |_| true) {
        Taken::Whole(_) => "said",
        Taken::Part { .. } => "partly",
        Taken::Opposed(_) => "opposite",
        Taken::Not => "none",
    }
}

#[test]
fn only_what_rules_say_is_taken_for_said() {
    for (name, judge) in [
        ("overlap", overlap as fn(&Case) -> &'static str),
        ("taken", taken),
    ] {
        let (mut right, mut claimed, mut all) = (0, 0, 0);
        let mut wrong = Vec::new();
        let mut turned = Vec::new();
        for case in cases(include_str!("data/said.tsv")) {
            let found = judge(&case);
            let expected = case.expected.as_str();
            all += usize::from(expected == "said");
            claimed += usize::from(found == "said");
            right += usize::from(found == "said" && expected == "said");
            let line = format!(
                "{expected}, not {found}: {} | {}",
                case.entry.body, case.rule
            );
            match (expected, found) {
                ("said", "said") | ("partly" | "opposite", "none") => {}
                (_, "opposite") if expected != "opposite" => turned.push(line),
                _ if expected != found => wrong.push(line),
                _ => {}
            }
        }
        println!("{name}: precision {right}/{claimed}, recall {right}/{all}");
        for line in wrong.iter().chain(&turned) {
            println!("  {line}");
        }
        let precision = f64::from(u32::try_from(right).unwrap()) / claimed as f64;
        assert!(precision >= 0.95, "{name}: {precision}");
        assert!(right * 10 >= all * 7, "{name}: {right} of {all}");
        assert!(turned.len() <= 1, "{name}: {turned:?}");
    }
}
