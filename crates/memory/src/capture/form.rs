//! The form of a decision: context, options, decision, when to revisit.

use crate::lines::lines;
use crate::links::Visible;
use mnemo_home::Language;
use serde::Serialize;
use std::fmt::Write as _;

/// A part of the form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    /// Why there was something to decide.
    Context,
    /// What was compared.
    Options,
    /// What was chosen, and why.
    Decision,
    /// When to look at it again.
    Revisit,
}

/// What a label may say, in the order in which labels are tried: "when to revisit this decision"
/// is no decision.
const LABELS: [(Part, &[&str]); 4] = [
    (
        Part::Revisit,
        &[
            "revisit",
            "review",
            "reconsider",
            "re-evaluate",
            "reevaluate",
            "look again",
            "expires",
            "다시 볼",
            "다시 검토",
            "재검토",
            "재평가",
            "다시 논의",
            "wiedervorlage",
            "überprüf",
            "überdenk",
            "neu bewerten",
            "neubewertung",
            "erneut",
            "wann wieder",
            "wieder ansehen",
            "重新",
            "复查",
            "复审",
            "再议",
            "再评估",
            "回顾",
            "何时再",
            "重审",
        ],
    ),
    (
        Part::Options,
        &[
            "option",
            "alternative",
            "candidates",
            "choices",
            "trade-off",
            "tradeoff",
            "선택지",
            "대안",
            "옵션",
            "후보",
            "möglichkeit",
            "varianten",
            "kandidaten",
            "选项",
            "方案",
            "备选",
            "替代",
            "候选",
        ],
    ),
    (
        Part::Context,
        &[
            "context",
            "background",
            "situation",
            "problem",
            "why now",
            "맥락",
            "배경",
            "상황",
            "문제",
            "kontext",
            "hintergrund",
            "ausgangslage",
            "anlass",
            "背景",
            "上下文",
            "情境",
            "现状",
            "问题",
        ],
    ),
    (
        Part::Decision,
        &[
            "decision",
            "decided",
            "chosen",
            "choice",
            "outcome",
            "결정",
            "결론",
            "채택",
            "entscheidung",
            "entschieden",
            "beschluss",
            "wahl",
            "决定",
            "决策",
            "结论",
            "选择",
        ],
    ),
];

/// Longest label, characters: a longer one is a sentence.
const LABEL: usize = 40;

/// The parts that a body does not say under a heading or a label (`Context: …`, `**Context**`).
/// What stands in code or comments is no part, and a heading with nothing below it says nothing.
pub(super) fn missing(body: &str, has_date: bool) -> Vec<Part> {
    let mut found: Vec<Part> = Vec::new();
    // A label that still waits for its words.
    let mut open: Option<Part> = None;
    for (raw, line) in lines(body).zip(Visible::of(body)) {
        let raw = raw.text.trim();
        let told = if line.fenced {
            // What a fence below a heading holds is said there, its marks are not.
            !raw.is_empty() && !raw.starts_with("```") && !raw.starts_with("~~~")
        } else {
            // Code spans are words, comments are not.
            !line.text.trim().is_empty() || raw.contains('`')
        };
        match label(&line.text).and_then(|(words, says)| Some((part(words)?, says))) {
            Some((part, says)) => {
                open = Some(part);
                if says || raw.contains('`') {
                    found.extend(open.take());
                }
            }
            // A deeper heading goes on with the one above it.
            None if told && !is_heading(&line.text) => found.extend(open.take()),
            None => {}
        }
    }
    if has_date {
        found.push(Part::Revisit);
    }
    [Part::Context, Part::Options, Part::Decision, Part::Revisit]
        .into_iter()
        .filter(|part| !found.contains(part))
        .collect()
}

/// Whether a line only names a part of the form.
pub(crate) fn is_form_label(line: &str) -> bool {
    label(line).is_some_and(|(words, says)| !says && part(words).is_some())
}

fn is_heading(line: &str) -> bool {
    line.trim_start().starts_with('#')
}

/// The words of a heading, of a bold line, or before a colon; and whether something is said behind
/// them.
fn label(line: &str) -> Option<(&str, bool)> {
    let line = line.trim();
    let (words, rest) = if is_heading(line) {
        let line = line.trim_start_matches('#');
        line.split_once([':', '：']).unwrap_or((line, ""))
    } else {
        let line = line.trim_start_matches(['-', '*', '+', ' ']);
        let bold = line.split_once("**");
        let colon = line.split_once([':', '：']);
        match (bold, colon) {
            (Some(bold), Some(colon)) if bold.0.len() < colon.0.len() => bold,
            (_, Some(colon)) => colon,
            (Some(bold), None) => bold,
            (None, None) => return None,
        }
    };
    let marks = ['*', '_', ' ', '\t', ':', '：', '#'];
    let words = words.trim_matches(marks);
    (words.chars().count() <= LABEL).then_some((words, !rest.trim_matches(marks).is_empty()))
}

fn part(label: &str) -> Option<Part> {
    let label = label.to_lowercase();
    LABELS
        .iter()
        .find(|(_, words)| words.iter().any(|word| label.contains(word)))
        .map(|(part, _)| *part)
}

/// The form to fill in.
pub fn form(language: Language) -> String {
    let parts = match language {
        Language::Ko => [
            ("맥락", "왜 결정이 필요했나"),
            ("선택지", "무엇을 비교했나"),
            ("결정", "무엇을 골랐고 왜인가"),
            ("다시 볼 때", "어떤 날짜나 조건이면 다시 보나"),
        ],
        Language::En => [
            ("Context", "why there was something to decide"),
            ("Options", "what was compared"),
            ("Decision", "what was chosen, and why"),
            ("When to revisit", "the date or condition"),
        ],
        Language::De => [
            ("Kontext", "warum etwas zu entscheiden war"),
            ("Optionen", "was verglichen wurde"),
            ("Entscheidung", "was gewählt wurde und warum"),
            ("Wiedervorlage", "Datum oder Bedingung"),
        ],
        Language::Zh => [
            ("背景", "为什么需要决定"),
            ("选项", "比较了哪些方案"),
            ("决定", "选了什么，为什么"),
            ("何时重新审视", "日期或条件"),
        ],
    };
    parts
        .iter()
        .fold(String::new(), |mut form, (heading, hint)| {
            let _ = writeln!(form, "## {heading}\n{hint}");
            form
        })
}

/// The parts as a sentence names them.
pub(super) fn names(parts: &[Part]) -> String {
    let names: Vec<&str> = parts
        .iter()
        .map(|part| match part {
            Part::Context => "context",
            Part::Options => "options",
            Part::Decision => "decision",
            Part::Revisit => "when to revisit (a heading, or --revisit DATE)",
        })
        .collect();
    names.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_form_itself_is_complete_in_every_language() {
        for language in [Language::Ko, Language::En, Language::De, Language::Zh] {
            assert_eq!(missing(&form(language), false), [], "{language:?}");
        }
    }

    #[test]
    fn headings_labels_and_bold_words_count() {
        let body = "**Context:** two tools\n- Considered options: a, b\r\n### 3. The decision (why)\nb\n\nRevisit when it hurts: soon\n";
        assert_eq!(missing(body, false), []);
        assert_eq!(
            missing(
                "Context is a word in a sentence.\nThe decision was easy.",
                false
            ),
            [Part::Context, Part::Options, Part::Decision, Part::Revisit]
        );
        assert_eq!(
            missing(
                "## Context\n## Options\n\n## Decision\n<!-- later -->\n## Revisit\n",
                false
            ),
            [Part::Context, Part::Options, Part::Decision, Part::Revisit]
        );
        assert_eq!(
            missing(
                "```\n## Context\nc\n## Options\no\n## Decision\nd\n## Revisit\nr\n```\n",
                false
            ),
            [Part::Context, Part::Options, Part::Decision, Part::Revisit]
        );
        assert_eq!(
            missing(
                "## Options\n### LevelDB\nfast\n## Decision\n```\nsqlite\n```\n",
                true
            ),
            [Part::Context]
        );
        assert_eq!(
            missing("## When to revisit this decision\nlater\n", false),
            [Part::Context, Part::Options, Part::Decision]
        );
        assert_eq!(
            missing("## 맥락\n가\n## 선택지\n나\n## 결정\n다\n", true),
            []
        );
        assert_eq!(missing("## 맥락\n가\n## 결정\n다\n", true), [Part::Options]);
    }
}
