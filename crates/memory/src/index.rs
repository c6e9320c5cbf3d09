//! MEMORY.md: its budget comment, sections and entry lines.

use crate::budget::tokens;
use crate::edit::Edit;
use crate::lines::{BOM, Line, lines, newline};
use crate::links::{self, Link, Visible};
use chrono::NaiveDate;
use std::ops::Range;

/// What the file is called.
pub const FILE: &str = "MEMORY.md";

/// An index, read once.
#[derive(Debug, Clone)]
pub struct Index {
    text: String,
    damaged: bool,
    size: u64,
    budget: Option<BudgetComment>,
    sections: Vec<Section>,
    entries: Vec<EntryLine>,
    links: Vec<Link>,
    line_count: usize,
    torn: Vec<usize>,
    open: Vec<usize>,
}

/// `<!-- budget: ~NNNNtk / 40000tk (NN%) | updated: YYYY-MM-DD -->`: mnemo puts it into the first
/// line; people move it, so the first line of this form is it, wherever it stands outside fences.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BudgetComment {
    /// Line, from 1.
    pub line: usize,
    /// What it says the entries take.
    pub tokens: u64,
    /// What it says the limit is; `None` when that cannot be read.
    pub limit: Option<u64>,
    /// What it says in percent; `None` when that cannot be read.
    pub percent: Option<u64>,
    /// The date, as written.
    pub updated: String,
    /// The comment, bytes.
    pub range: Range<usize>,
    /// The word before the date (`updated`, `aktualisiert`, `업데이트`).
    pub word: String,
}

/// A heading.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Number of `#`.
    pub level: usize,
    /// Its words.
    pub heading: String,
    /// Line, from 1.
    pub line: usize,
    /// The first line that is not its own any more: the next heading of its level or above.
    pub end_line: usize,
    /// The heading's line with its line end, bytes.
    pub range: Range<usize>,
}

/// A list line with a link: a pointer to an entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EntryLine {
    /// Line, from 1.
    pub line: usize,
    /// The line with its line end, bytes.
    pub range: Range<usize>,
    /// Its heading, the nearest above; a place in [`Index::sections`].
    pub section: Option<usize>,
    /// Its first link; a place in [`Index::links`].
    pub link: usize,
    /// Marked with ★ as a gate.
    pub star: bool,
    /// What is said of the entry, without the suffix.
    pub description: String,
    /// `~NNNtk` at the end.
    pub suffix: Option<Suffix>,
    /// Where the line's text ends, without blanks: where a suffix would go.
    pub end: usize,
}

/// The token count at the end of an entry line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suffix {
    /// The number it says.
    pub tokens: u64,
    /// The digits, bytes.
    pub digits: Range<usize>,
}

impl Index {
    /// Reads any bytes.
    pub fn of_bytes(bytes: Vec<u8>) -> Self {
        let size = bytes.len() as u64;
        match String::from_utf8(bytes) {
            Ok(text) => Self::read(text, size, false),
            Err(error) => Self::read(
                String::from_utf8_lossy(error.as_bytes()).into_owned(),
                size,
                true,
            ),
        }
    }

    /// Reads any text.
    pub fn parse(text: &str) -> Self {
        Self::read(text.to_owned(), text.len() as u64, false)
    }

    fn read(text: String, size: u64, damaged: bool) -> Self {
        let links = links::parse(&text);
        let private = redact::private_blocks(&text);
        let mut sections: Vec<Section> = Vec::new();
        let mut open_sections = Vec::new();
        let mut entries = Vec::new();
        let mut line_count = 0;
        let mut next_link = 0;
        let mut budget = None;
        let (mut torn, mut open) = (Vec::new(), Vec::new());
        for (line, visible) in lines(&text).zip(Visible::of(&text)) {
            line_count = line.number;
            let (is_torn, is_open) = within(&private, &line);
            if is_open || visible.open {
                open.push(line.next);
            }
            if visible.fenced || is_torn {
                if is_torn && is_item(line.text) {
                    torn.push(line.number);
                }
                continue;
            }
            budget = budget.or_else(|| budget_comment(&line));
            if let Some((level, heading)) = heading(&visible.text, line.text) {
                // Those that are open lie in each other.
                while let Some(open) = open_sections
                    .last()
                    .and_then(|at: &usize| sections.get_mut(*at))
                    .filter(|open| open.level >= level)
                {
                    open.end_line = line.number;
                    open_sections.pop();
                }
                open_sections.push(sections.len());
                sections.push(Section {
                    level,
                    heading: heading.to_owned(),
                    line: line.number,
                    end_line: 0,
                    range: line.start..line.next,
                });
                continue;
            }
            while links
                .get(next_link)
                .is_some_and(|link| link.line < line.number)
            {
                next_link += 1;
            }
            let Some(link) = links.get(next_link).filter(|link| link.line == line.number) else {
                continue;
            };
            if !is_item(&visible.text) {
                continue;
            }
            // Without its beginning the rest of the comment would be text, without its end the text
            // below a comment.
            if visible.open {
                torn.push(line.number);
                continue;
            }
            let before = text.get(line.start..link.range.start).unwrap_or_default();
            let end = line.start + line.text.trim_end().len();
            let suffix = suffix(
                text.get(link.range.end..end).unwrap_or_default(),
                link.range.end,
            );
            let said = match &suffix {
                // Words behind the count are the description where there are none before it.
                Some((_, place)) if description(&text[link.range.end..place.start]).is_empty() => {
                    place.end..end
                }
                Some((_, place)) => link.range.end..place.start,
                None => link.range.end..end.max(link.range.end),
            };
            entries.push(EntryLine {
                line: line.number,
                range: line.start..line.next,
                section: sections.len().checked_sub(1),
                link: next_link,
                star: before.contains('★'),
                description: description(text.get(said).unwrap_or_default()).to_owned(),
                suffix: suffix.map(|(suffix, _)| suffix),
                end,
            });
        }
        for open in sections.iter_mut().filter(|s| s.end_line == 0) {
            open.end_line = line_count + 1;
        }
        Self {
            text,
            damaged,
            size,
            budget,
            sections,
            entries,
            links,
            line_count,
            torn,
            open,
        }
    }

    /// The whole text, byte order mark and line ends as they are.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether the file is UTF-8, so that it can be edited.
    pub fn is_text(&self) -> bool {
        !self.damaged
    }

    /// Bytes of the file.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// Estimated tokens.
    pub fn tokens(&self) -> u64 {
        tokens(self.size)
    }

    /// Lines.
    pub fn line_count(&self) -> usize {
        self.line_count
    }

    /// The budget comment, if there is one.
    pub fn budget(&self) -> Option<&BudgetComment> {
        self.budget.as_ref()
    }

    /// The headings, in order.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The lines that point to entries, in order.
    pub fn entries(&self) -> &[EntryLine] {
        &self.entries
    }

    /// Lines (from 1) of lists that no entry line is made of, since a private block or a comment goes over
    /// more than the line: they are left where they stand.
    pub fn torn(&self) -> &[usize] {
        &self.torn
    }

    /// Whether a private block or a comment goes on behind the line that ends at this byte: what stands
    /// before it cannot be taken away by itself.
    pub fn is_open_at(&self, end: usize) -> bool {
        self.open.binary_search(&end).is_ok()
    }

    /// Every link, in order.
    pub fn links(&self) -> &[Link] {
        &self.links
    }

    /// The link of an entry line.
    pub fn link_of(&self, line: &EntryLine) -> &Link {
        &self.links[line.link]
    }

    /// Headings without an entry line below them. The document's title is no section.
    pub fn empty_sections(&self) -> impl Iterator<Item = &Section> {
        self.sections
            .iter()
            .enumerate()
            .filter_map(|(place, section)| {
                let title = place == 0 && section.level == 1;
                // Entry lines stand in the order of the file.
                let below = self
                    .entries
                    .partition_point(|entry| entry.line <= section.line);
                let filled = self
                    .entries
                    .get(below)
                    .is_some_and(|entry| entry.line < section.end_line);
                (!title && !filled).then_some(section)
            })
    }

    /// Sets a line's `~NNNtk` suffix, or adds one.
    pub fn set_suffix(&self, line: &EntryLine, tokens: u64) -> Edit {
        match &line.suffix {
            Some(suffix) => Edit::replace(suffix.digits.clone(), tokens.to_string()),
            None => Edit::insert(line.end, format!(" `~{tokens}tk`")),
        }
    }

    /// Sets the budget comment, or adds one as the first line. The word before the date stays.
    pub fn set_budget(&self, tokens: u64, limit: u64, percent: u64, today: NaiveDate) -> Edit {
        let word = self
            .budget
            .as_ref()
            .map_or("updated", |budget| &budget.word);
        let comment =
            format!("<!-- budget: ~{tokens}tk / {limit}tk ({percent}%) | {word}: {today} -->");
        if let Some(budget) = &self.budget {
            return Edit::replace(budget.range.clone(), comment);
        }
        let start = if self.text.starts_with(BOM) {
            BOM.len()
        } else {
            0
        };
        Edit::insert(start, comment + newline(&self.text))
    }

    /// Takes whole lines out.
    pub fn remove_line(line: &EntryLine) -> Edit {
        Edit::replace(line.range.clone(), "")
    }

    /// Puts `new` (without line end) after the line that ends at `after` (an end of a `range`).
    pub fn insert_line(&self, after: usize, new: &str) -> Edit {
        let end = newline(&self.text);
        let torn = after > 0
            && !self
                .text
                .get(..after)
                .is_some_and(|text| text.ends_with('\n') || text == BOM);
        if torn {
            Edit::insert(after, format!("{end}{new}"))
        } else {
            Edit::insert(after, format!("{new}{end}"))
        }
    }
}

/// Whether a line is a part of a private block that is more than the line, so that it stays there and
/// nothing is done with it; and whether such a block goes on behind it.
fn within(private: &[Range<usize>], line: &Line<'_>) -> (bool, bool) {
    let mut within = (false, false);
    for block in private {
        let touches = block.start < line.next && line.start < block.end;
        within.0 |= touches && (block.start < line.start || line.next < block.end);
        within.1 |= block.start < line.next && line.next < block.end;
    }
    within
}

/// Level and words of a heading. `visible` decides, so that comments are none.
fn heading<'a>(visible: &str, text: &'a str) -> Option<(usize, &'a str)> {
    let level = visible.bytes().take_while(|b| *b == b'#').count();
    if !(1..=6).contains(&level) || !visible[level..].starts_with([' ', '\t']) {
        return None;
    }
    Some((level, text[level..].trim().trim_end_matches('#').trim_end()))
}

/// A line of a list, at any depth.
fn is_item(text: &str) -> bool {
    let text = text.trim_start();
    let bullet = text.strip_prefix(['-', '*', '+']);
    let rest = bullet.or_else(|| {
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        (1..=9)
            .contains(&digits)
            .then(|| text[digits..].strip_prefix(['.', ')']))?
    });
    rest.is_some_and(|rest| rest.starts_with([' ', '\t']))
}

/// The count in what follows a line's link, and where it stands with its marks. At the end it may
/// be written in any way; with words behind it only as code, since people write of tokens too.
fn suffix(text: &str, start: usize) -> Option<(Suffix, Range<usize>)> {
    let place = at_end(text).or_else(|| as_code(text))?;
    let digits = place.digits;
    let suffix = Suffix {
        tokens: text.get(digits.clone())?.parse().ok()?,
        digits: start + digits.start..start + digits.end,
    };
    Some((suffix, start + place.whole.start..start + place.whole.end))
}

/// Where a count stands.
struct Count {
    digits: Range<usize>,
    whole: Range<usize>,
}

/// `~280tk`, as code or in brackets, at the end of a text; comments behind it do not count.
fn at_end(text: &str) -> Option<Count> {
    let mut text = text.trim_end();
    while let Some(open) = text
        .strip_suffix("-->")
        .and_then(|comment| comment.rfind("<!--"))
    {
        text = text[..open].trim_end();
    }
    let bracket = text
        .strip_suffix(')')
        .filter(|inner| inner.contains("(~") || inner.contains("(`~"));
    let inner = bracket.unwrap_or(text);
    let bare = inner.strip_suffix('`').unwrap_or(inner);
    let number = bare.strip_suffix("tk")?;
    let first = number.len() - number.bytes().rev().take_while(u8::is_ascii_digit).count();
    let before = number[..first].strip_suffix('~')?;
    let before = before.strip_suffix('`').unwrap_or(before);
    let before = match bracket {
        Some(_) => before.strip_suffix('(')?,
        None => before,
    };
    is_boundary(before).then_some(Count {
        digits: first..number.len(),
        whole: before.len()..text.len(),
    })
}

/// The last `` `~280tk` `` of a text.
fn as_code(text: &str) -> Option<Count> {
    text.rmatch_indices("`~").find_map(|(at, mark)| {
        let number = &text[at + mark.len()..];
        let digits = number.bytes().take_while(u8::is_ascii_digit).count();
        let first = at + mark.len();
        let closed = digits > 0 && number[digits..].starts_with("tk`");
        (closed && is_boundary(&text[..at])).then(|| Count {
            digits: first..first + digits,
            whole: at..first + digits + "tk`".len(),
        })
    })
}

/// Whether a count may follow.
fn is_boundary(before: &str) -> bool {
    before.is_empty() || before.ends_with([' ', '\t', ')', ']'])
}

/// What follows the link, without the dash before it.
fn description(text: &str) -> &str {
    let text = text.trim();
    text.strip_prefix(['—', '–', '-', ':'])
        .unwrap_or(text)
        .trim_start()
}

fn budget_comment(line: &Line<'_>) -> Option<BudgetComment> {
    let text = line.text;
    let indent = text.len() - text.trim_start().len();
    let inner = text.trim_start().strip_prefix("<!--")?;
    let close = inner.find("-->")?;
    let body = inner[..close].trim();
    let said = body.get("budget:".len()..).filter(|_| {
        body.get(.."budget:".len())
            .is_some_and(|word| word.eq_ignore_ascii_case("budget:"))
    })?;
    let (numbers, date) = said.split_once('|').unwrap_or((said, ""));
    let (tokens, rest) = number(numbers.trim_start().trim_start_matches('~'))?;
    // The rest may be written in any way; what cannot be read is wrong.
    let rest = rest.trim_start().strip_prefix("tk")?.trim_start();
    let limit = rest.strip_prefix('/').and_then(|rest| {
        let (limit, rest) = number(rest.trim_start())?;
        Some((limit, rest.trim_start().strip_prefix("tk")?.trim_start()))
    });
    let percent = limit
        .and_then(|(_, rest)| number(rest.strip_prefix('(')?.trim_start()))
        .filter(|(_, rest)| {
            let rest = rest.trim_start().strip_prefix('%');
            rest.is_some_and(|rest| rest.trim() == ")")
        });
    let (word, updated) = match date.trim() {
        "" => ("updated", ""),
        date => date.split_once([':', '：']).unwrap_or((date, "")),
    };
    let start = line.start + indent;
    Some(BudgetComment {
        line: line.number,
        tokens,
        limit: limit.map(|(limit, _)| limit),
        percent: percent.map(|(percent, _)| percent),
        updated: updated.trim().to_owned(),
        range: start..start + "<!--".len() + close + "-->".len(),
        word: word.trim().to_owned(),
    })
}

fn number(text: &str) -> Option<(u64, &str)> {
    let end = text.bytes().take_while(u8::is_ascii_digit).count();
    Some((text[..end].parse().ok()?, &text[end..]))
}
