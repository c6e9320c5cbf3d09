//! What a handoff says in tables and bullets: files, decisions, where the work came from.

use crate::doc::{Document, Line, Section};

/// A file that a handoff names, and what it says of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRow {
    /// As written, without backticks and link marks; of a rename the new name.
    pub path: String,
    /// What changed (in `Critical Files`: what it is for). Empty where nothing is said or the
    /// placeholder still stands.
    pub changes: String,
    /// Why. Empty as above.
    pub rationale: String,
    /// Line in the file, from 1.
    pub line: usize,
}

/// A decision and why it was taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// What was decided.
    pub decision: String,
    /// What else was looked at.
    pub options: String,
    /// Why this.
    pub rationale: String,
    /// Line in the file, from 1.
    pub line: usize,
}

/// Where the work came from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origin {
    /// What was asked for.
    pub requirement: Option<String>,
    /// What problem it solves.
    pub problem: Option<String>,
    /// Where that stands.
    pub source: Option<String>,
}

/// Words of the first column of an origin, in the languages that handoffs were written in.
const REQUIREMENT: &[&str] = &[
    "requirement",
    "requirements",
    "request",
    "요구사항",
    "요구",
    "요청",
    "anforderung",
    "需求",
    "要求",
];
const PROBLEM: &[&str] = &["problem", "문제", "문제점", "问题"];
const SOURCE: &[&str] = &["source", "출처", "quelle", "来源"];

impl Document {
    /// Rows of `Files Modified`, else of `Critical Files`. A cell with several paths gives several
    /// rows.
    pub fn files(&self) -> Vec<FileRow> {
        let modified = self.rows_of("Files Modified");
        if modified.is_empty() {
            self.rows_of("Critical Files")
        } else {
            modified
        }
    }

    /// Rows of the section of this name, read as files.
    pub fn rows_of(&self, name: &str) -> Vec<FileRow> {
        let mut rows = Vec::new();
        for cells in self
            .section(name)
            .map(|s| self.table(s))
            .unwrap_or_default()
        {
            let said = |index: usize| filled(cells.text.get(index).map_or("", String::as_str));
            for path in paths_in(cells.text.first().map_or("", String::as_str)) {
                rows.push(FileRow {
                    path,
                    changes: said(1),
                    rationale: said(2),
                    line: cells.line,
                });
            }
        }
        rows
    }

    /// Rows of `Decisions Made` and of `Decision Records`, placeholders left out.
    pub fn decisions(&self) -> Vec<Decision> {
        let mut decisions = Vec::new();
        for name in ["Decisions Made", "Decision Records"] {
            for cells in self
                .section(name)
                .map(|s| self.table(s))
                .unwrap_or_default()
            {
                let said = |index: usize| filled(cells.text.get(index).map_or("", String::as_str));
                let (options, rationale) = if cells.text.len() == 2 {
                    (String::new(), said(1))
                } else {
                    (said(1), said(2))
                };
                if !said(0).is_empty() && !says_none(&said(0)) {
                    decisions.push(Decision {
                        decision: said(0),
                        options,
                        rationale,
                        line: cells.line,
                    });
                }
            }
        }
        decisions
    }

    /// What `Origin` says; `None` where it is absent or nothing of it is filled in.
    pub fn origin(&self) -> Option<Origin> {
        let section = self.section("Origin")?;
        let mut origin = Origin::default();
        for cells in self.table(section) {
            let label = cells.text.first().map_or("", String::as_str).to_lowercase();
            let label = label.trim().trim_end_matches(':');
            let value = filled(&cells.text.get(1..).unwrap_or_default().join(" | "));
            if value.is_empty() {
                continue;
            }
            let place = if REQUIREMENT.contains(&label) {
                &mut origin.requirement
            } else if PROBLEM.contains(&label) {
                &mut origin.problem
            } else if SOURCE.contains(&label) {
                &mut origin.source
            } else {
                continue;
            };
            place.get_or_insert(value);
        }
        if origin == Origin::default() {
            // Written as a paragraph.
            let prose: Vec<&str> = self
                .lines(section)
                .iter()
                .map(|line| line.text.trim())
                .filter(|line| !line.is_empty() && !line.starts_with(['|', '>', '#']))
                .collect();
            let prose = filled(&prose.join(" "));
            origin.requirement = (!prose.is_empty()).then_some(prose);
        }
        (origin != Origin::default()).then_some(origin)
    }

    /// Rows of `Implemented Features` that name a feature: such a handoff is about features, and
    /// must say where they came from and how they fit together. What is told in sentences instead of
    /// a table or bullets counts too.
    pub fn features(&self) -> Vec<String> {
        let Some(section) = self.section("Implemented Features") else {
            return Vec::new();
        };
        let rows = self.table(section);
        if rows.is_empty() {
            let told: Vec<&str> = self
                .lines(section)
                .iter()
                .map(|line| line.text.trim())
                .filter(|line| line.contains(char::is_alphanumeric))
                .filter(|line| !line.starts_with(['|', '>', '#', '<']))
                .collect();
            let told = told.join(" ");
            let open = told.to_lowercase().contains("todo") || filled(&told).is_empty();
            let is_one = !open && !says_none(&told) && !denies(&told);
            return if is_one { vec![told] } else { Vec::new() };
        }
        rows.into_iter()
            .filter_map(|cells| cells.text.into_iter().next())
            .filter(|cell| {
                !filled(cell).is_empty()
                    && !cell.to_lowercase().contains("todo")
                    && !says_none(cell)
            })
            .collect()
    }

    /// The file that this one continues: the target of the link behind `Continues from`.
    pub fn continues_from(&self) -> Option<&str> {
        let body = self.body_of("Handoff Chain")?;
        let line = body
            .lines()
            .find(|line| line.to_lowercase().contains("continues from"))?;
        let (_, target) = line.split_once("](")?;
        let (target, _) = target.split_once(')')?;
        (!target.trim().is_empty()).then(|| target.trim().trim_matches(['<', '>']))
    }

    /// Table rows (header and separator left out) and bullets of a section.
    pub(crate) fn table(&self, section: &Section) -> Vec<Cells> {
        let lines = self.lines(section);
        let mut rows = Vec::new();
        for (index, line) in lines.iter().enumerate() {
            let text = line.text.trim();
            if text.starts_with('|') {
                let next = lines.get(index + 1).map(|next| next.text.trim());
                let is_header = next.is_some_and(is_separator);
                if !is_header && !is_separator(text) {
                    rows.push(Cells {
                        text: cells(text),
                        line: line.number,
                    });
                }
            } else if let Some(cells) = bullet(*line) {
                rows.push(cells);
            }
        }
        rows.retain(|row| row.text.iter().any(|cell| !cell.is_empty()));
        rows
    }
}

/// One row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Cells {
    pub(crate) text: Vec<String>,
    pub(crate) line: usize,
}

fn is_separator(line: &str) -> bool {
    line.starts_with('|')
        && line.contains('-')
        && line
            .chars()
            .all(|c| matches!(c, '|' | '-' | ':' | ' ' | '\t'))
}

/// Cells of a table row; `\|` is a bar in a cell.
pub(crate) fn cells(row: &str) -> Vec<String> {
    let row = row.trim();
    let row = row.strip_prefix('|').unwrap_or(row);
    let mut cells = vec![String::new()];
    let mut chars = row.chars().peekable();
    while let Some(c) = chars.next() {
        let Some(cell) = cells.last_mut() else {
            break;
        };
        match c {
            '\\' if chars.next_if_eq(&'|').is_some() => cell.push('|'),
            '|' => cells.push(String::new()),
            c => cell.push(c),
        }
    }
    // What follows the last bar is no cell.
    if cells.len() > 1 && cells.last().is_some_and(|cell| cell.trim().is_empty()) {
        cells.pop();
    }
    cells.iter().map(|cell| cell.trim().to_owned()).collect()
}

/// `- path: what`, `- path — what`, `- **label**: value`.
fn bullet(line: Line<'_>) -> Option<Cells> {
    let text = line.text.trim_start();
    let rest = text
        .strip_prefix("- ")
        .or_else(|| text.strip_prefix("* "))
        .or_else(|| text.strip_prefix("+ "))?
        .trim();
    let rest = rest.replace("**", "");
    for mark in [" — ", " – ", ": ", " - ", " -- "] {
        if let Some((first, second)) = rest.split_once(mark) {
            return Some(Cells {
                text: vec![first.trim().to_owned(), second.trim().to_owned()],
                line: line.number,
            });
        }
    }
    Some(Cells {
        text: vec![rest],
        line: line.number,
    })
}

/// The text of a cell; empty for a dash and for a placeholder.
fn filled(cell: &str) -> String {
    let cell = cell.trim();
    let dash = matches!(cell, "-" | "–" | "—" | "...");
    if dash || crate::placeholders::is_placeholder(cell) {
        String::new()
    } else {
        cell.to_owned()
    }
}

/// `none` and the like, in the languages handoffs are written in.
pub(crate) fn says_none(cell: &str) -> bool {
    let cell = cell
        .trim()
        .trim_matches(['*', '_', '(', ')', '.'])
        .to_lowercase();
    let first = cell
        .split(|c: char| {
            c.is_whitespace() || matches!(c, ',' | '.' | ';' | ':' | '(' | '。' | '，')
        })
        .next()
        .unwrap_or_default();
    matches!(
        first,
        "none"
            | "n/a"
            | "na"
            | "nothing"
            | "없음"
            | "없습니다"
            | "해당"
            | "keine"
            | "keins"
            | "nichts"
            | "无"
            | "没有"
            | "不适用"
    )
}

/// Whether the first sentence of a text says that there is nothing: `there are no features`.
fn denies(text: &str) -> bool {
    let end = text.find(['.', '。', ';', '\n']).unwrap_or(text.len());
    let first = text.get(..end).unwrap_or(text).to_lowercase();
    let negates = |word: &str| {
        let word = word.trim_matches(|c: char| !c.is_alphanumeric());
        matches!(
            word,
            "no" | "not" | "none" | "nothing" | "kein" | "keine" | "keinen" | "nichts"
        )
    };
    first.split_whitespace().take(4).any(negates)
        || ["없음", "없습니다", "없다", "없었"]
            .iter()
            .any(|word| first.contains(word))
        || ["没有", "无新", "未新增", "未实现"]
            .iter()
            .any(|word| first.contains(word))
}

/// The paths of a cell: backticks and links taken off, split at commas, of a rename the new name.
/// What stands in brackets behind a name is a note.
fn paths_in(cell: &str) -> Vec<String> {
    if says_none(cell) {
        return Vec::new();
    }
    let cell = filled(cell);
    if cell.starts_with("...") || cell.starts_with('…') {
        return Vec::new();
    }
    let mut paths = Vec::new();
    let mut rest = cell.as_str();
    // A rename's old name gives way to the new one.
    let mut renamed = false;
    while !rest.is_empty() {
        let (name, behind) = name_at(rest);
        if !name.is_empty() {
            if renamed {
                paths.pop();
            }
            paths.push(name.to_owned());
        }
        let behind = behind.trim_start();
        let behind = match behind
            .strip_prefix('(')
            .and_then(|note| note.split_once(')'))
        {
            Some((_, behind)) => behind.trim_start(),
            None => behind,
        };
        let arrow = ["→", "->", "=>"]
            .iter()
            .find_map(|arrow| behind.strip_prefix(arrow));
        renamed = arrow.is_some();
        rest = arrow
            .unwrap_or_else(|| behind.trim_start_matches([',', '、', ' ']))
            .trim_start();
        // Whatever it is, it must not be met again.
        if rest.len() >= cell.len() {
            break;
        }
    }
    paths
}

/// A name at the beginning of a text, and what follows it.
fn name_at(text: &str) -> (&str, &str) {
    if let Some((name, behind)) = text.strip_prefix('`').and_then(|rest| rest.split_once('`')) {
        return (name.trim(), behind);
    }
    if let Some((name, behind)) = text
        .strip_prefix('[')
        .and_then(|rest| rest.split_once("]("))
    {
        let behind = behind.split_once(')').map_or("", |(_, behind)| behind);
        return (name.trim_matches(['`', ' ']), behind);
    }
    let end = [",", "、", "→", "->", "=>", " ("]
        .iter()
        .filter_map(|mark| text.find(mark))
        .min()
        .unwrap_or(text.len());
    let (name, behind) = text.split_at(end);
    (name.trim_matches(['`', '*', ' ']), behind)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_and_bullets_give_the_same_rows() {
        let table = "### Files Modified\n| File | Changes | Rationale |\n|---|---|---|\n\
            | `src/pay.rs` | new | asked for |\n| a.rs, `b/c.rs` | x \\| y | [TODO: why] |\n\
            | old.md → `새 이름.md` | renamed | - |\n| ... and 4 more files | | |\n";
        let rows = Document::parse(table).files();
        let told: Vec<_> = rows
            .iter()
            .map(|r| (&*r.path, &*r.changes, &*r.rationale, r.line))
            .collect();
        assert_eq!(
            told,
            [
                ("src/pay.rs", "new", "asked for", 4),
                ("a.rs", "x | y", "", 5),
                ("b/c.rs", "x | y", "", 5),
                ("새 이름.md", "renamed", "", 6),
            ]
        );
        let bullets = "## Critical Files\n- `src/pay.rs`: new\n* b.rs — gone\n- c.rs\n";
        let rows = Document::parse(bullets).files();
        let told: Vec<_> = rows.iter().map(|r| (&*r.path, &*r.changes)).collect();
        assert_eq!(
            told,
            [("src/pay.rs", "new"), ("b.rs", "gone"), ("c.rs", "")]
        );
    }

    #[test]
    fn features_told_in_sentences_count() {
        for (body, count) in [
            ("Cards can be paid with.\n", 1),
            ("1. Cards\n2. Refunds\n", 1),
            ("카드 결제를 추가했다.\n", 1),
            ("There are no new features.\n", 0),
            ("Diesmal keine.\n", 0),
            ("기능 변경 없음\n", 0),
            ("本次没有新功能。\n", 0),
            ("none\n", 0),
            ("[TODO: each feature]\n", 0),
            (
                "| Feature | What |\n|---|---|\n| none | |\n\nRefactoring only.\n",
                0,
            ),
            ("---\n", 0),
        ] {
            let doc = Document::parse(&format!("### Implemented Features\n\n{body}"));
            assert_eq!(doc.features().len(), count, "{body}");
        }
    }

    #[test]
    fn a_cell_names_one_file_or_several() {
        for (cell, expected) in [
            ("`a, b.rs` (new)", vec!["a, b.rs"]),
            ("a.rs (new), b.rs (gone)", vec!["a.rs", "b.rs"]),
            ("`old.md` → `new.md` (renamed)", vec!["new.md"]),
            ("[x.rs](../x.rs), y.rs", vec!["x.rs", "y.rs"]),
            ("", vec![]),
            ("none so far", vec![]),
            (",,", vec![]),
        ] {
            assert_eq!(paths_in(cell), expected, "{cell}");
        }
    }

    #[test]
    fn decisions_are_read_from_both_sections() {
        let doc = Document::parse(
            "### Decisions Made\n| Decision | Options Considered | Rationale |\n|-|-|-|\n\
             | SQLite | Postgres, files | one user |\n| [TODO: what] | [TODO: x] | [TODO: y] |\n\
             ### Decision Records\n- Keep the old API — clients use it\n",
        );
        let told: Vec<_> = doc
            .decisions()
            .into_iter()
            .map(|d| (d.decision, d.options, d.rationale))
            .collect();
        assert_eq!(
            told,
            [
                ("SQLite".into(), "Postgres, files".into(), "one user".into()),
                (
                    "Keep the old API".into(),
                    String::new(),
                    "clients use it".into()
                ),
            ]
        );
    }

    #[test]
    fn an_origin_is_a_table_bullets_or_prose() {
        let table = "## Origin\n| 항목 | 내용 |\n|---|---|\n| 요구사항 | 카드 결제 |\n| 문제 | [TODO: x] |\n";
        let bullets = "## Origin\n- **Requirement**: 카드 결제\n";
        let prose = "## Origin\n카드 결제\n";
        for text in [table, bullets, prose] {
            let origin = Document::parse(text).origin().unwrap();
            assert_eq!(origin.requirement.as_deref(), Some("카드 결제"), "{text}");
            assert_eq!(origin.problem, None);
        }
        assert_eq!(
            Document::parse("## Origin\n| a | b |\n|-|-|\n| Problem | [TODO: x] |\n").origin(),
            None
        );
    }

    #[test]
    fn features_need_a_real_first_cell() {
        let doc = |cell: &str| {
            Document::parse(&format!(
                "## Implemented Features\n| Feature | b |\n|---|---|\n| {cell} | x |\n"
            ))
        };
        assert_eq!(doc("Card payment").features(), ["Card payment"]);
        for none in [
            "none",
            "N/A",
            "없음",
            "해당 없음",
            "-",
            "",
            "[TODO: name]",
            "keine",
            "无",
        ] {
            assert!(doc(none).features().is_empty(), "{none}");
        }
        assert_eq!(doc("Nonsense filter").features().len(), 1);
    }

    #[test]
    fn the_chain_is_a_link() {
        let doc = Document::parse(
            "## Handoff Chain\n- **Continues from**: [a.md](./a.md)\n  - Previous title: x\n",
        );
        assert_eq!(doc.continues_from(), Some("./a.md"));
    }

    proptest::proptest! {
        #[test]
        fn cells_come_back(text in proptest::collection::vec("[^\n\r|\\\\]{0,12}", 1..5)) {
            let row = format!("| {} |", text.join(" | "));
            let expected: Vec<String> = text.iter().map(|cell| cell.trim().to_owned()).collect();
            proptest::prop_assert_eq!(cells(&row), expected);
        }

        #[test]
        fn any_text_is_read(text in "(?s)(## Origin\n|### Files Modified\n|[|`\\-*\\[\\]():a한\n]|.){0,120}") {
            let doc = Document::parse(&text);
            let _ = (doc.files(), doc.decisions(), doc.origin(), doc.features(), doc.continues_from());
        }
    }
}
