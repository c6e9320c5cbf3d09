//! A handoff read as sections. Headings of every level count, those inside code fences do not.

use std::ops::Range;

/// A handoff's text and where its sections are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    text: String,
    sections: Vec<Section>,
}

/// One heading and what stands below it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// The heading without `#` and emphasis.
    pub title: String,
    /// 1 to 6.
    pub level: u8,
    /// Line of the heading, from 1.
    pub line: usize,
    /// Bytes from behind the heading to the next heading of any level.
    own: Range<usize>,
    /// Bytes from behind the heading to the next heading of its level or above.
    whole: Range<usize>,
}

/// A line of the text that stands outside code fences, and its number from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line<'a> {
    pub(crate) number: usize,
    pub(crate) text: &'a str,
}

impl Document {
    /// Reads any text; what has no headings is one without sections.
    pub fn parse(text: &str) -> Self {
        let mut found: Vec<(u8, String, usize, usize, usize)> = Vec::new();
        let mut fence = Fence::default();
        let mut at = 0;
        for (number, line) in text.split_inclusive('\n').enumerate() {
            let start = at;
            at += line.len();
            if fence.takes(line) {
                continue;
            }
            if let Some((level, title)) = heading(line) {
                found.push((level, title, number + 1, start, at));
            }
        }
        let mut sections = Vec::with_capacity(found.len());
        for (index, (level, title, line, _, behind)) in found.iter().enumerate() {
            let later = found.get(index + 1..).unwrap_or_default();
            let next = later.first().map_or(text.len(), |next| next.3);
            let end = later
                .iter()
                .find(|other| other.0 <= *level)
                .map_or(text.len(), |next| next.3);
            sections.push(Section {
                title: title.clone(),
                level: *level,
                line: *line,
                own: *behind..next,
                whole: *behind..end,
            });
        }
        Self {
            text: text.to_owned(),
            sections,
        }
    }

    /// The whole text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Every section, in file order.
    pub fn sections(&self) -> &[Section] {
        &self.sections
    }

    /// The first section of this name: case, emphasis and what follows the name in brackets do not
    /// count (`Recent Commits (for context)` is `recent commits`).
    pub fn section(&self, name: &str) -> Option<&Section> {
        self.sections.iter().find(|section| section.is(name))
    }

    /// What stands under a heading, its sub-headings included.
    pub fn body(&self, section: &Section) -> &str {
        self.text.get(section.whole.clone()).unwrap_or_default()
    }

    /// What stands under a heading up to the next heading of any level.
    pub fn own_body(&self, section: &Section) -> &str {
        self.text.get(section.own.clone()).unwrap_or_default()
    }

    /// [`Document::body`] of the section of this name.
    pub fn body_of(&self, name: &str) -> Option<&str> {
        Some(self.body(self.section(name)?))
    }

    /// The lines under a heading that stand outside code fences.
    pub(crate) fn lines(&self, section: &Section) -> Vec<Line<'_>> {
        outside_fences(self.body(section), section.line + 1)
    }

    /// The bytes of the section of this name, its heading line left out.
    pub(crate) fn range_of(&self, name: &str) -> Option<Range<usize>> {
        Some(self.section(name)?.whole.clone())
    }

    /// The first heading of level 1 without `Handoff:`; `None` where there is none, it is empty or
    /// still the scaffold's placeholder.
    pub fn title(&self) -> Option<&str> {
        let title = &self.sections.iter().find(|s| s.level == 1)?.title;
        let title = title
            .get(..8)
            .filter(|lead| lead.eq_ignore_ascii_case("handoff:"))
            .and_then(|_| title.get(8..))
            .unwrap_or(title)
            .trim();
        let placeholder = title.starts_with('[') && title.ends_with(']');
        (!title.is_empty() && !placeholder).then_some(title)
    }

    /// The value of a `- Key: value` bullet under `Session Metadata` (anywhere in files that lack
    /// that section). A bracketed value is a note, not a value.
    pub fn metadata(&self, key: &str) -> Option<&str> {
        let value = self.metadata_raw(key)?;
        (!value.is_empty() && !value.starts_with('[')).then_some(value)
    }

    /// As [`Document::metadata`], notes included.
    pub(crate) fn metadata_raw(&self, key: &str) -> Option<&str> {
        let scope = self.body_of("Session Metadata").unwrap_or(&self.text);
        scope.lines().find_map(|line| {
            let line = line.trim().trim_start_matches(['-', '*', ' ']);
            let (name, value) = line.split_once(':')?;
            let name = name.trim().trim_matches('*');
            name.eq_ignore_ascii_case(key)
                .then(|| value.trim().trim_start_matches('*').trim())
        })
    }
}

impl Section {
    /// Whether the heading is this name.
    pub fn is(&self, name: &str) -> bool {
        let title = self.title.as_bytes();
        let Some(lead) = title.get(..name.len()) else {
            return false;
        };
        if !lead.eq_ignore_ascii_case(name.as_bytes()) {
            return false;
        }
        let rest = self.title.get(name.len()..).unwrap_or_default().trim();
        rest.is_empty() || rest.starts_with(['(', ':', '['])
    }
}

/// `# Title` with its level; up to three blanks before it are allowed, as in Markdown.
fn heading(line: &str) -> Option<(u8, String)> {
    let line = line.trim_end();
    let indent = line.len() - line.trim_start_matches(' ').len();
    let rest = line.get(indent..).filter(|_| indent < 4)?;
    let level = rest.bytes().take_while(|byte| *byte == b'#').count();
    let title = rest.get(level..)?;
    if !(1..=6).contains(&level) || !(title.is_empty() || title.starts_with([' ', '\t'])) {
        return None;
    }
    let title = title.trim().trim_end_matches('#').trim();
    let title = title.replace("**", "");
    let title = title.trim();
    Some((u8::try_from(level).ok()?, title.to_owned()))
}

/// Which lines belong to a code fence.
#[derive(Debug, Default)]
pub(crate) struct Fence {
    open: Option<(u8, usize)>,
}

impl Fence {
    /// Whether the line is inside a fence, or opens or closes one.
    pub(crate) fn takes(&mut self, line: &str) -> bool {
        let trimmed = line.trim();
        let first = trimmed.bytes().next().unwrap_or(b' ');
        let run = trimmed.bytes().take_while(|byte| *byte == first).count();
        let is_fence = matches!(first, b'`' | b'~') && run >= 3;
        match self.open {
            None if is_fence => {
                let info = trimmed.get(run..).unwrap_or_default();
                if first == b'`' && info.contains('`') {
                    return false;
                }
                self.open = Some((first, run));
                true
            }
            None => false,
            Some((mark, length)) => {
                if is_fence && first == mark && run >= length && trimmed.len() == run {
                    self.open = None;
                }
                true
            }
        }
    }
}

/// The lines of `text` outside code fences; `first` is the number of its first line.
pub(crate) fn outside_fences(text: &str, first: usize) -> Vec<Line<'_>> {
    let mut fence = Fence::default();
    text.lines()
        .enumerate()
        .filter(|(_, line)| !fence.takes(line))
        .map(|(index, text)| Line {
            number: first + index,
            text,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "# Handoff: Pay by card\n\n- Created: 2026-11-30 14:03:22\n\n## Work\nhello\n\
        ### Files Modified\n```\n# no heading\n```\nrow\n#### Deep\nx\n## **Next** (soon)\nlast";

    #[test]
    fn sections_are_found_on_every_level_and_not_in_fences() {
        let doc = Document::parse(TEXT);
        let titles: Vec<_> = doc
            .sections()
            .iter()
            .map(|s| (s.level, &*s.title))
            .collect();
        assert_eq!(
            titles,
            [
                (1, "Handoff: Pay by card"),
                (2, "Work"),
                (3, "Files Modified"),
                (4, "Deep"),
                (2, "Next (soon)"),
            ]
        );
        assert_eq!(doc.title(), Some("Pay by card"));
        let files = doc.section("files modified").unwrap();
        assert_eq!(files.line, 7);
        assert_eq!(doc.own_body(files), "```\n# no heading\n```\nrow\n");
        assert!(doc.body(files).ends_with("#### Deep\nx\n"));
        let outside: Vec<_> = doc
            .lines(files)
            .iter()
            .map(|l| (l.number, l.text))
            .collect();
        assert_eq!(outside, [(11, "row"), (12, "#### Deep"), (13, "x")]);
        assert_eq!(doc.metadata("created"), Some("2026-11-30 14:03:22"));
    }

    #[test]
    fn a_name_must_be_the_whole_heading() {
        let doc = Document::parse("## Origins of it\n## Origin (what was asked)\n");
        assert_eq!(doc.section("Origin").unwrap().line, 2);
    }

    #[test]
    fn a_placeholder_is_no_title() {
        for text in [
            "",
            "## x",
            "# Handoff: [TASK_TITLE - replace this]",
            "# Handoff:",
        ] {
            assert_eq!(Document::parse(text).title(), None, "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_read(text in "(?s)([#`~ \\-*|\\[\\]:a한\r\n]|.){0,200}") {
            let doc = Document::parse(&text);
            for section in doc.sections() {
                proptest::prop_assert!(text.contains(doc.body(section)));
                proptest::prop_assert!(doc.body(section).starts_with(doc.own_body(section)));
            }
            let _ = (doc.title(), doc.metadata("x"));
        }
    }
}
