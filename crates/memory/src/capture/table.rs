//! Tables of MEMORY.md and of a category's list: where a row goes, and which rows speak of an item.

use crate::code::{self, Code};
use crate::edit::Edit;
use crate::index::Index;
use crate::lines::{lines, newline};
use crate::links::Visible;
use crate::{Store, Target};
use mnemo_home::Language;
use std::collections::HashSet;
use std::fmt::Write as _;
use std::ops::Range;

/// A row; ranges are bytes of the whole text.
#[derive(Debug, Clone)]
pub(super) struct Row {
    /// Its line, from 1.
    pub(super) line: usize,
    /// With its line end.
    pub(super) range: Range<usize>,
    /// Without the blanks around.
    pub(super) cells: Vec<Range<usize>>,
}

/// A table.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) header: Row,
    pub(super) rows: Vec<Row>,
    /// The end of its last line.
    end: usize,
    /// The heading above it.
    heading: String,
}

/// The tables of a text, outside fences.
pub(super) fn tables(text: &str) -> Vec<Table> {
    let mut found: Vec<Table> = Vec::new();
    let mut heading = String::new();
    let mut before: Option<Row> = None;
    let mut open = false;
    for (line, visible) in lines(text).zip(Visible::of(text)) {
        if visible.text.starts_with('#') && !visible.fenced {
            line.text.trim_matches(['#', ' ']).clone_into(&mut heading);
        }
        let cells = cells(line.text, line.start);
        if visible.fenced || cells.is_empty() {
            open = false;
            before = None;
            continue;
        }
        let row = Row {
            line: line.number,
            range: line.start..line.next,
            cells,
        };
        let rule = |cell: &Range<usize>| {
            let cell = &text[cell.clone()];
            cell.contains('-') && cell.bytes().all(|byte| matches!(byte, b'-' | b':' | b' '))
        };
        if open {
            if let Some(table) = found.last_mut() {
                table.end = row.range.end;
                table.rows.push(row);
            }
        } else if let Some(header) = before.take().filter(|_| row.cells.iter().all(rule)) {
            open = true;
            found.push(Table {
                header,
                rows: Vec::new(),
                end: row.range.end,
                heading: heading.clone(),
            });
        } else {
            before = Some(row);
        }
    }
    found
}

/// The numbers of the lines of an index that are rows of tables.
pub(super) fn row_lines(text: &str) -> HashSet<usize> {
    tables(text)
        .iter()
        .flat_map(|table| &table.rows)
        .map(|row| row.line)
        .collect()
}

/// Whether a table of the index links to entries.
pub(super) fn speaks_of_entries(store: &Store, index: &Index) -> bool {
    let rows = row_lines(index.text());
    !rows.is_empty()
        && store
            .index_links()
            .iter()
            .any(|link| matches!(link.target, Target::Entry(_)) && rows.contains(&link.line))
}

/// The cells of a row that begins with a bar; none for another line.
fn cells(line: &str, start: usize) -> Vec<Range<usize>> {
    let lead = line.len() - line.trim_start().len();
    let bare = line.trim();
    let Some(inner) = bare.strip_prefix('|') else {
        return Vec::new();
    };
    let mut cells = Vec::new();
    let inner_start = start + lead + 1;
    let mut from = 0;
    let mut escaped = false;
    let mut push = |range: Range<usize>| {
        let cell = &inner[range.clone()];
        let lead = cell.len() - cell.trim_start().len();
        let begin = inner_start + range.start + lead;
        cells.push(begin..begin + cell.trim().len());
    };
    for (at, c) in inner.char_indices() {
        if c == '|' && !escaped {
            push(from..at);
            from = at + 1;
        }
        escaped = c == '\\' && !escaped;
    }
    if !inner[from..].trim().is_empty() {
        push(from..inner.len());
    }
    cells
}

/// Words that a column or section of keywords is called by.
const KEYWORDS: [&str; 7] = [
    "keyword",
    "tags",
    "키워드",
    "stichw",
    "schlagw",
    "关键词",
    "태그",
];

fn is_keywords(text: &str) -> bool {
    let text = text.to_lowercase();
    KEYWORDS.iter().any(|word| text.contains(word))
}

/// Whether a cell holds a code.
fn has_code(text: &str, cell: &Range<usize>) -> bool {
    code::only_codes(&text[cell.clone()])
}

/// The codes of a row's cells of codes.
pub(super) fn codes(text: &str, row: &Row) -> Vec<(Code, Range<usize>)> {
    row.cells
        .iter()
        .filter(|cell| has_code(text, cell))
        .flat_map(|cell| {
            code::codes_in(&text[cell.clone()])
                .map(|(code, range)| (code, cell.start + range.start..cell.start + range.end))
        })
        .collect()
}

fn cell_of(text: &str) -> String {
    text.replace('\\', "\\\\").replace('|', "\\|")
}

fn line_of(cells: &[String]) -> String {
    let mut line = String::from("|");
    for cell in cells {
        let _ = write!(line, " {cell} |");
    }
    line
}

/// A new row of the keyword index of MEMORY.md, and the row. `file` is where a link leads, for an
/// item whose code does not say that by itself.
pub(super) fn keyword_row(
    text: &str,
    code: Code,
    keywords: &str,
    file: Option<&str>,
    target: &str,
    language: Language,
) -> (Edit, String) {
    let tables = tables(text);
    let coded = |table: &Table| table.rows.iter().any(|row| !codes(text, row).is_empty());
    let of_letter = |row: &&Row| {
        codes(text, row)
            .iter()
            .any(|(other, _)| other.letter() == code.letter())
    };
    let table = tables
        .iter()
        .rev()
        .find(|table| table.rows.iter().any(|row| of_letter(&row)))
        .or_else(|| tables.iter().rev().find(|table| coded(table)))
        .or_else(|| tables.iter().find(|table| is_keywords(&table.heading)))
        .or_else(|| {
            tables.iter().find(|table| {
                table
                    .header
                    .cells
                    .iter()
                    .any(|cell| is_keywords(&text[cell.clone()]))
            })
        });
    let Some(table) = table else {
        let [heading, keyword, detail] = match language {
            Language::Ko => ["키워드 인덱스", "키워드", "상세 파일"],
            Language::En => ["Keyword index", "Keyword", "Details"],
            Language::De => ["Stichwortverzeichnis", "Stichwort", "Details"],
            Language::Zh => ["关键词索引", "关键词", "详细文件"],
        };
        let end = newline(text);
        // A bare code is no path: a new table links.
        let said = link(code, file.or(Some(target)));
        let row = line_of(&[cell_of(keywords), said]);
        let mut new = String::new();
        if !text.is_empty() && !text.ends_with('\n') {
            new.push_str(end);
        }
        if lines(text)
            .last()
            .is_some_and(|line| !line.text.trim().is_empty())
        {
            new.push_str(end);
        }
        let _ = write!(
            new,
            "## {heading}{end}{end}| {keyword} | {detail} |{end}|---|---|{end}{row}{end}"
        );
        return (Edit::insert(text.len(), new), row);
    };
    let like = table.rows.iter().rev().find(of_letter).or_else(|| {
        table
            .rows
            .iter()
            .rev()
            .find(|row| !codes(text, row).is_empty())
    });
    let columns = table.header.cells.len();
    let code_column = like
        .and_then(|row| row.cells.iter().position(|cell| has_code(text, cell)))
        .unwrap_or(columns.saturating_sub(1));
    let linked = like
        .and_then(|row| row.cells.get(code_column))
        .is_none_or(|cell| text[cell.clone()].contains("]("));
    let word_column = usize::from(code_column == 0);
    let cells: Vec<String> = (0..columns.max(2))
        .map(|column| {
            if column == code_column {
                link(code, file.or(linked.then_some(target)))
            } else if column == word_column {
                cell_of(keywords)
            } else {
                String::new()
            }
        })
        .collect();
    let row = line_of(&cells);
    let after = table
        .rows
        .iter()
        .rev()
        .find(of_letter)
        .map_or(table.end, |row| row.range.end);
    (Index::parse(text).insert_line(after, &row), row)
}

fn link(code: Code, file: Option<&str>) -> String {
    match file {
        Some(file) => format!("[{code}]({file})"),
        None => code.to_string(),
    }
}

/// What a category's list says about an item.
pub(super) struct Listed<'a> {
    pub(super) code: Code,
    pub(super) title: &'a str,
    pub(super) keywords: &'a str,
    pub(super) file: &'a str,
    pub(super) date: String,
}

/// The columns of a category's list: code, item, keywords and date, and the heading it stood under.
pub fn columns(language: Language) -> [&'static str; 5] {
    match language {
        Language::Ko => ["코드", "항목", "키워드", "날짜", "구역"],
        Language::En => ["code", "item", "keywords", "date", "section"],
        Language::De => ["Code", "Eintrag", "Stichwörter", "Datum", "Abschnitt"],
        Language::Zh => ["代码", "条目", "关键词", "日期", "章节"],
    }
}

/// A new list of a category, with `items` in it.
pub(super) fn page(category: &str, items: &[Listed<'_>], language: Language) -> String {
    let [code, item, keywords, date, _] = columns(language);
    let mut letters = category.chars();
    let title: String = letters
        .next()
        .into_iter()
        .flat_map(char::to_uppercase)
        .chain(letters)
        .collect();
    let mut text =
        format!("# {title}\n\n| {code} | {item} | {keywords} | {date} |\n|---|---|---|---|\n");
    for item in items {
        let _ = writeln!(text, "{}", line_of(&item.cells()));
    }
    text
}

impl Listed<'_> {
    fn link(&self) -> String {
        let title = self.title.replace(['[', ']'], "");
        format!("[{}]({})", cell_of(&title), self.file)
    }

    fn cells(&self) -> [String; 4] {
        [
            self.code.to_string(),
            self.link(),
            cell_of(self.keywords),
            self.date.clone(),
        ]
    }

    /// A new row, or list line, of a category's list as it is.
    pub(super) fn edit(&self, text: &str) -> Edit {
        let index = Index::parse(text);
        let tables = tables(text);
        let Some(table) = tables.iter().rev().find(|table| {
            table.rows.is_empty()
                || table
                    .rows
                    .iter()
                    .any(|row| Self::shape(text, row).contains(&Role::Link))
        }) else {
            let line = format!("- {} {} — {}", self.code, self.link(), self.keywords);
            let after = index
                .entries()
                .last()
                .map_or(text.len(), |line| line.range.end);
            return index.insert_line(after, &line);
        };
        let names = Self::by_name(text, &table.header);
        let roles = match table.rows.last() {
            // What a row shows says more than what its column is called.
            Some(row) => Self::shape(text, row)
                .into_iter()
                .zip(names.iter().copied().chain(std::iter::repeat(Role::Other)))
                .map(|(shape, name)| if shape == Role::Other { name } else { shape })
                .collect(),
            None => names,
        };
        let mut used = Vec::new();
        let cells: Vec<String> = (0..table.header.cells.len())
            .map(|column| {
                let role = roles.get(column).copied().unwrap_or(Role::Other);
                if used.contains(&role) {
                    return String::new();
                }
                used.push(role);
                match role {
                    Role::Code => self.code.to_string(),
                    Role::Link => self.link(),
                    Role::Keywords => cell_of(self.keywords),
                    Role::Date => self.date.clone(),
                    Role::Other => String::new(),
                }
            })
            .collect();
        index.insert_line(table.end, &line_of(&cells))
    }

    fn shape(text: &str, row: &Row) -> Vec<Role> {
        row.cells
            .iter()
            .map(|cell| {
                let said = &text[cell.clone()];
                if has_code(text, cell) {
                    Role::Code
                } else if said.starts_with('[') && said.contains("](") {
                    Role::Link
                } else if said.parse::<chrono::NaiveDate>().is_ok() {
                    Role::Date
                } else {
                    Role::Other
                }
            })
            .collect()
    }

    fn by_name(text: &str, header: &Row) -> Vec<Role> {
        header
            .cells
            .iter()
            .map(|cell| {
                let name = text[cell.clone()].to_lowercase();
                let any = |words: &[&str]| words.iter().any(|word| name.contains(word));
                if is_keywords(&name) {
                    Role::Keywords
                } else if any(&["code", "코드", "代码"]) {
                    Role::Code
                } else if any(&[
                    "item", "entry", "title", "항목", "제목", "eintrag", "titel", "条目", "标题",
                ]) {
                    Role::Link
                } else if any(&[
                    "date",
                    "conversation",
                    "날짜",
                    "대화",
                    "datum",
                    "gespräch",
                    "日期",
                    "对话",
                ]) {
                    Role::Date
                } else {
                    Role::Other
                }
            })
            .collect()
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Role {
    Code,
    Link,
    Keywords,
    Date,
    Other,
}

/// Takes one code out of the rows that hold it: the row where it is the only one, else its word
/// with the comma beside it.
pub(super) fn without_code(text: &str, code: Code) -> Vec<(usize, Edit)> {
    let mut edits = Vec::new();
    for row in tables(text).iter().flat_map(|table| &table.rows) {
        let all = codes(text, row);
        let Some(at) = all.iter().position(|(other, _)| *other == code) else {
            continue;
        };
        if all.iter().all(|(other, _)| *other == code) {
            edits.push((row.line, Edit::replace(row.range.clone(), "")));
            continue;
        }
        // From the end of the one before, or to the start of the one behind.
        let range = match (
            at.checked_sub(1).and_then(|before| all.get(before)),
            all.get(at + 1),
        ) {
            (Some((_, before)), _) => before.end..all[at].1.end,
            (None, Some((_, behind))) => all[at].1.start..behind.start,
            (None, None) => continue,
        };
        let plain = !text[range.clone()].contains(['[', ']', '`', '|', '(']);
        if plain {
            edits.push((row.line, Edit::replace(range, "")));
        }
    }
    edits
}
