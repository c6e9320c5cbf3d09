//! The checkpoint prompt: what the assistant is asked to do when a checkpoint is due.

use mnemo_home::Language;
use std::path::Path;

/// Paths longer than this are not named, so that the prompt stays far below the 10,000 characters
/// that Claude Code passes on whole (2.1.59, 2.1.197 and 2.1.332, measured).
const LONGEST_PATH: usize = 1000;

/// The prompt. `rules_dir` is the folder it names; `memory` the folder whose `MEMORY.md` it names.
pub fn prompt(language: Language, rules_dir: &str, memory: Option<&Path>) -> String {
    let text = match language {
        Language::Ko => include_str!("prompt/ko.txt"),
        Language::En => include_str!("prompt/en.txt"),
        Language::De => include_str!("prompt/de.txt"),
        Language::Zh => include_str!("prompt/zh.txt"),
    };
    let rules_dir = named(rules_dir).unwrap_or_else(|| ".claude/rules".to_owned());
    let index = memory
        .and_then(|folder| named(&folder.join("MEMORY.md").to_string_lossy()))
        .unwrap_or_else(|| "MEMORY.md".to_owned());
    // In one go, so that nothing in a path is taken for a place to fill.
    let mut filled = String::with_capacity(text.len() + rules_dir.len() + index.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('{') {
        filled.push_str(before);
        rest = if let Some(after) = after.strip_prefix("rules_dir}") {
            filled.push_str(&rules_dir);
            after
        } else if let Some(after) = after.strip_prefix("memory}") {
            filled.push('`');
            filled.push_str(&index);
            filled.push('`');
            after
        } else {
            filled.push('{');
            after
        };
    }
    filled.push_str(rest);
    filled.truncate(filled.trim_end().len());
    filled
}

/// A path as it can stand in the text: one line, `/` everywhere, nothing that ends the code span.
fn named(path: &str) -> Option<String> {
    let clean: String = path
        .trim()
        .chars()
        .filter(|c| !c.is_control() && *c != '`')
        .map(|c| if cfg!(windows) && c == '\\' { '/' } else { c })
        .collect();
    (!clean.is_empty() && clean.chars().count() <= LONGEST_PATH).then_some(clean)
}
