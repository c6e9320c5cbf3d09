//! Evidence: every quote stands at its line.

use crate::Set;
use serde_json::Value;
use std::fs;

/// What is wrong with a list of evidence.
pub fn problems(set: &Set, evidence: &Value) -> Vec<String> {
    let list = evidence.as_array().unwrap();
    if list.is_empty() {
        return vec!["no evidence".to_owned()];
    }
    list.iter().filter_map(|one| problem(set, one)).collect()
}

fn problem(set: &Set, evidence: &Value) -> Option<String> {
    let path = evidence["path"].as_str().unwrap();
    let line = usize::try_from(evidence["line"].as_u64().unwrap()).unwrap();
    let quote = evidence["quote"].as_str().unwrap();
    let file = if let Some(name) = path.strip_prefix("memory/") {
        set.memory().join(name)
    } else if let Some(name) = path.strip_prefix("~/") {
        set.home().join(name)
    } else {
        set.project().join(path)
    };
    let Ok(bytes) = fs::read(&file) else {
        return Some(format!("{path} is not there"));
    };
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let there = text
        .split('\n')
        .nth(line.checked_sub(1)?)
        .unwrap_or_default();
    (quote.is_empty() || !there.contains(quote))
        .then(|| format!("{path}:{line} does not say \"{quote}\""))
}
