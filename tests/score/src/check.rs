//! The mechanical labels: what `mnemo check`, `memory list` and `memory tokens` report must be
//! what the set says, all of it.

use crate::{Score, Set};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

/// Compares every label of `check`.
pub fn score(set: &Set, mnemo: &Path) -> Score {
    let mut score = Score::default();
    let memory = set.memory();
    let place = ["--store", memory.to_str().unwrap()];
    let report = set.ask(mnemo, &["check", place[0], place[1]]);
    let list = set.ask(mnemo, &["memory", "list", place[0], place[1]]);
    let label = &set.labels()["check"];
    let ours = Ours { report: &report };

    totals(&mut score, &report, label);
    entries(&mut score, &list, label);
    let listed = |key: &str| label[key].as_array().cloned().unwrap_or_default();

    score.same(
        "stale",
        &sorted(ours.of("STALE", &["file", "days"])),
        &sorted(picked(&listed("stale"), &["file", "days"])),
    );
    score.same(
        "orphans",
        &sorted(ours.values("ORPHAN", "file")),
        &sorted(listed("orphans")),
    );
    let fields = ["source", "line", "kind", "target", "archived_at"];
    let broken: Vec<Value> = ours
        .issues("BROKEN LINK")
        .map(|issue| {
            let mut issue = issue.clone();
            issue["source"] = issue["file"].clone();
            issue
        })
        .collect();
    score.same(
        "broken links",
        &sorted(picked(&broken, &fields)),
        &sorted(picked(&listed("broken_links"), &fields)),
    );
    let fields = ["file", "annotated", "actual", "line"];
    score.same(
        "wrong annotations",
        &sorted(ours.of("WRONG SUFFIX", &fields)),
        &sorted(picked(&listed("wrong_annotations"), &fields)),
    );
    let fields = ["file", "line"];
    score.same(
        "missing annotations",
        &sorted(ours.of("MISSING SUFFIX", &fields)),
        &sorted(picked(&listed("missing_annotations"), &fields)),
    );
    score.same(
        "indexed twice",
        &sorted(ours.values("INDEXED TWICE", "file")),
        &sorted(listed("indexed_twice")),
    );
    let fields = ["heading", "line"];
    score.same(
        "empty sections",
        &sorted(ours.of("EMPTY SECTION", &fields)),
        &sorted(picked(&listed("empty_sections"), &fields)),
    );
    score.same(
        "empty types",
        &sorted(ours.values("NO ENTRIES", "type")),
        &sorted(listed("empty_types")),
    );
    score.same(
        "frontmatter issues",
        &sorted(ours.forms()),
        &sorted(listed("frontmatter_issues")),
    );
    let fields = ["name", "files"];
    score.same(
        "duplicate names",
        &sorted(ours.of("DUPLICATE NAME", &fields)),
        &sorted(picked(&listed("duplicate_names"), &fields)),
    );
    let fields = ["file", "prefix", "type"];
    score.same(
        "type and prefix",
        &sorted(ours.of("TYPE UNLIKE NAME", &fields)),
        &sorted(picked(&listed("type_prefix_mismatch"), &fields)),
    );
    score
}

fn totals(score: &mut Score, report: &Value, label: &Value) {
    let budget = &report["budget"];
    for (name, ours, theirs) in [
        ("files", &report["files"], "files"),
        ("bytes", &report["total_bytes"], "total_bytes"),
        ("tokens", &budget["tokens"], "tokens_total"),
        (
            "tokens with index",
            &budget["tokens_with_index"],
            "tokens_total_with_index",
        ),
        ("limit", &budget["limit"], "budget_limit"),
        ("percent", &budget["percent"], "budget_pct"),
        (
            "percent with index",
            &budget["percent_with_index"],
            "budget_pct_with_index",
        ),
    ] {
        score.same(name, ours, &label[theirs]);
    }
    for name in ["lines", "bytes", "tokens"] {
        score.same(
            &format!("index {name}"),
            &report["index"][name],
            &label["index"][name],
        );
    }
    score.same("largest", &report["largest"], &label["top5"]);
    for (ours, theirs) in [
        ("types", "per_type"),
        ("types_by_prefix", "per_type_prefix_fallback"),
    ] {
        let shares: serde_json::Map<String, Value> = report[ours]
            .as_array()
            .unwrap()
            .iter()
            .map(|share| {
                let numbers = json!({ "count": share["count"], "tokens": share["tokens"] });
                (share["type"].as_str().unwrap().to_owned(), numbers)
            })
            .collect();
        score.same(ours, &Value::Object(shares), &label[theirs]);
    }
    let comment = &report["index"]["budget_comment"];
    let ours = if comment.is_null() {
        Value::Null
    } else {
        json!({
            "line": comment["line"], "tokens": comment["tokens"], "limit": comment["limit"],
            "pct": comment["percent"], "updated": comment["updated"],
            "matches_actual": comment["matches"],
        })
    };
    score.same("budget comment", &ours, &label["budget_comment"]);
}

fn entries(score: &mut Score, list: &Value, label: &Value) {
    let entries = list["entries"].as_array().unwrap();
    let by_file = |value: fn(&Value) -> Value| -> Value {
        let map: BTreeMap<String, Value> = entries
            .iter()
            .map(|entry| (entry["file"].as_str().unwrap().to_owned(), value(entry)))
            .collect();
        json!(map)
    };
    score.same(
        "tokens of entries",
        &by_file(|entry| entry["tokens"].clone()),
        &label["tokens"],
    );
    score.same(
        "types of entries",
        &by_file(|entry| entry["type"].clone()),
        &label["type_of"],
    );
    let metadata: Vec<Value> = entries
        .iter()
        .filter(|entry| entry["type_under_metadata"] == true)
        .map(|entry| entry["file"].clone())
        .collect();
    score.same(
        "type under metadata",
        &json!(metadata),
        &label["metadata_form"],
    );
    let pairs: Vec<Value> = entries
        .iter()
        .flat_map(|entry| {
            entry["links_to"]
                .as_array()
                .unwrap()
                .iter()
                .map(|target| json!([entry["file"], target]))
        })
        .collect();
    score.same(
        "links between entries",
        &sorted(pairs),
        &sorted(label["link_pairs"].as_array().unwrap().clone()),
    );
}

struct Ours<'a> {
    report: &'a Value,
}

impl Ours<'_> {
    fn issues(&self, label: &str) -> impl Iterator<Item = &Value> {
        self.report["issues"]
            .as_array()
            .unwrap()
            .iter()
            .filter(move |issue| issue["label"] == label)
    }

    fn of(&self, label: &str, fields: &[&str]) -> Vec<Value> {
        let issues: Vec<Value> = self.issues(label).cloned().collect();
        picked(&issues, fields)
    }

    fn values(&self, label: &str, field: &str) -> Vec<Value> {
        self.issues(label)
            .map(|issue| issue[field].clone())
            .collect()
    }

    /// What is wrong with an entry's form, in the words of the labels.
    fn forms(&self) -> Vec<Value> {
        self.report["issues"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|issue| {
                let problem = issue["problem"].as_str()?;
                let problem = match problem {
                    "unknown_type" => format!("unknown_type:{}", issue["type"].as_str()?),
                    "body_over_100_lines" => "body_over_60_lines".to_owned(),
                    other => other.to_owned(),
                };
                Some(json!({ "file": issue["file"], "issue": problem }))
            })
            .collect()
    }
}

/// Only these fields of each; absent ones stay out.
fn picked(values: &[Value], fields: &[&str]) -> Vec<Value> {
    values
        .iter()
        .map(|value| {
            fields
                .iter()
                .filter_map(|field| Some(((*field).to_owned(), value.get(*field)?.clone())))
                .collect::<serde_json::Map<_, _>>()
                .into()
        })
        .collect()
}

fn sorted(mut values: Vec<Value>) -> Vec<Value> {
    values.sort_by_key(Value::to_string);
    values
}
