//! What of a file's text reaches the model: without frontmatter, and in newer clients without
//! block comments and blank ends.

use crate::version::Rules;
use pulldown_cmark::{Event, Parser, Tag, TagEnd};
use std::borrow::Cow;
use std::ops::Range;

/// A file's text in the parts that matter.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Parts<'a> {
    /// What stands between the marks of a frontmatter.
    pub(crate) front: Option<&'a str>,
    /// The rest.
    pub(crate) body: &'a str,
}

/// Splits the frontmatter off: `---` at the very start and the next `---` wherever it stands, as
/// the client has it (measured: `title: a---b` ends it too).
pub(crate) fn parts<'a>(text: &'a str, rules: &Rules) -> Parts<'a> {
    let unmarked = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text_without_mark = if rules.tidies { unmarked } else { text };
    let looked_at = if rules.mark_before_frontmatter {
        unmarked
    } else {
        text
    };
    match front(looked_at) {
        Some((front, body)) => Parts {
            front: Some(front),
            body,
        },
        None => Parts {
            front: None,
            body: text_without_mark,
        },
    }
}

fn front(text: &str) -> Option<(&str, &str)> {
    let after = text.strip_prefix("---")?;
    let blank = after.len() - trim_start(after).len();
    let line_end = after.get(..blank)?.rfind('\n')?;
    let inside = after.get(line_end + 1..)?;
    let end = inside.find("---")?;
    Some((
        inside.get(..end)?,
        trim_start(inside.get(end + "---".len()..)?),
    ))
}

/// White space as the client's language has it: a byte order mark is part of it, NEL is not.
fn is_space(c: char) -> bool {
    (c.is_whitespace() && c != '\u{85}') || c == '\u{feff}'
}

pub(crate) fn trim(text: &str) -> &str {
    text.trim_matches(is_space)
}

pub(crate) fn trim_start(text: &str) -> &str {
    text.trim_start_matches(is_space)
}

pub(crate) fn trim_end(text: &str) -> &str {
    text.trim_end_matches(is_space)
}

/// The text as the model gets it; empty when nothing of it is loaded.
pub(crate) fn tidy<'a>(body: &'a str, rules: &Rules) -> Cow<'a, str> {
    if trim(body).is_empty() {
        return Cow::Borrowed("");
    }
    if !rules.tidies {
        return Cow::Borrowed(body);
    }
    match without_comments(body, rules) {
        Cow::Borrowed(text) => Cow::Borrowed(trim(text)),
        Cow::Owned(text) => Cow::Owned(trim(&text).to_owned()),
    }
}

/// Takes out the comments that stand as blocks of their own at the outermost level, with the line
/// ends behind them; what stands on their lines beside them stays.
fn without_comments<'a>(text: &'a str, rules: &Rules) -> Cow<'a, str> {
    if !text.contains("<!--") {
        return Cow::Borrowed(text);
    }
    let original = text;
    let text: Cow<'_, str> = if text.contains('\r') {
        Cow::Owned(text.replace("\r\n", "\n").replace('\r', "\n"))
    } else {
        Cow::Borrowed(text)
    };
    let blocks = comment_blocks(&text);
    if blocks.is_empty() {
        return if rules.keeps_line_ends {
            Cow::Borrowed(original)
        } else {
            text
        };
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for block in blocks {
        out.push_str(text.get(at..block.start).unwrap_or_default());
        let rest = without_spans(text.get(block.clone()).unwrap_or_default());
        if !trim(&rest).is_empty() {
            out.push_str(&rest);
        }
        at = block.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    Cow::Owned(out)
}

/// `text` without `<!-- … -->`.
pub(crate) fn without_spans(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find("<!--") {
        let Some(end) = rest.get(at + 4..).and_then(|inside| inside.find("-->")) else {
            break;
        };
        out.push_str(rest.get(..at).unwrap_or_default());
        rest = rest.get(at + 4 + end + 3..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

/// Whether an HTML block is a comment that ends.
pub(crate) fn is_comment(block: &str) -> bool {
    trim_start(block).starts_with("<!--") && without_spans(block).len() < block.len()
}

/// The outermost comment blocks, each with the line ends that follow it.
fn comment_blocks(text: &str) -> Vec<Range<usize>> {
    let mut depth = 0_usize;
    let mut blocks = Vec::new();
    let mut paragraph_end = 0;
    for (event, range) in Parser::new(text).into_offset_iter() {
        match event {
            Event::Start(Tag::HtmlBlock) if depth == 0 => {
                let start = line_start(text, range.start);
                let indented = text
                    .get(start..)
                    .is_some_and(|line| line.starts_with([' ', '\t']));
                // What is indented cannot end a paragraph in the client's parser.
                let inside_paragraph = indented && start > 0 && start == paragraph_end;
                let end = range.end;
                let more = text.get(end..).unwrap_or_default();
                let end = end + (more.len() - more.trim_start_matches('\n').len());
                let block = start..end;
                if !inside_paragraph && text.get(block.clone()).is_some_and(is_comment) {
                    blocks.push(block);
                }
                depth += 1;
            }
            Event::Start(_) => depth += 1,
            Event::End(tag) => {
                depth = depth.saturating_sub(1);
                if tag == TagEnd::Paragraph && depth == 0 {
                    paragraph_end = range.end;
                }
            }
            _ => {}
        }
    }
    blocks
}

fn line_start(text: &str, at: usize) -> usize {
    text.get(..at)
        .and_then(|before| before.rfind('\n'))
        .map_or(0, |end| end + 1)
}

/// Whether a rule's frontmatter narrows it to some paths, so that it is not loaded at the start.
pub(crate) fn narrows(front: &str, rules: &Rules) -> bool {
    let Some(paths) = yaml(front, rules).and_then(|value| value.get("paths").cloned()) else {
        return false;
    };
    let patterns: Vec<String> = match &paths {
        serde_yaml::Value::String(list) => split(list),
        serde_yaml::Value::Sequence(list) => list
            .iter()
            .filter_map(serde_yaml::Value::as_str)
            .flat_map(split)
            .collect(),
        _ => Vec::new(),
    };
    let named = patterns
        .iter()
        .map(|pattern| pattern.strip_suffix("/**").unwrap_or(pattern))
        .filter(|pattern| !pattern.is_empty());
    // `**` alone means everywhere, which is no narrowing.
    named.clone().count() > 0 && !named.clone().all(|pattern| pattern == "**")
}

/// At commas outside braces, blanks around each taken off.
fn split(list: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let mut parts = vec![String::new()];
    for c in list.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    parts
        .iter()
        .map(|part| trim(part).to_owned())
        .filter(|part| !part.is_empty())
        .collect()
}

/// Longest frontmatter that is parsed, bytes.
const FRONT_LIMIT: usize = 256 * 1024;

/// YAML as people write it: where it is none, values with signs in them are taken as plain text.
fn yaml(front: &str, rules: &Rules) -> Option<serde_yaml::Value> {
    if front.len() > FRONT_LIMIT {
        return None;
    }
    serde_yaml::from_str(front).ok().or_else(|| {
        let quoted: Vec<String> = front.lines().map(|line| quoted(line, rules)).collect();
        serde_yaml::from_str(&quoted.join("\n")).ok()
    })
}

fn quoted(line: &str, rules: &Rules) -> String {
    let keep = || line.to_owned();
    let Some((key, value)) = line.split_once(':') else {
        return keep();
    };
    let is_key = !key.is_empty()
        && key
            .bytes()
            .all(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b'-'));
    let value = value.trim();
    let signs = value.contains([
        '{', '}', '[', ']', '*', '&', '#', '!', '|', '>', '%', '@', '`',
    ]);
    let colon = rules.mends_colons && value.contains(": ");
    if !is_key || value.is_empty() || value.starts_with(['"', '\'']) || !(signs || colon) {
        return keep();
    }
    let text = serde_json::Value::String(value.to_owned());
    format!("{key}: {text}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Version;
    use proptest::prelude::*;

    fn newest() -> Rules {
        Rules::of(Version::NEWEST_MEASURED)
    }

    fn oldest() -> Rules {
        Rules::of(Version::new(2, 1, 59))
    }

    fn tidied(text: &str) -> String {
        tidy(parts(text, &newest()).body, &newest()).into_owned()
    }

    // Each pair was seen in a request of Claude Code 2.1.332.
    #[test]
    fn comments_that_are_blocks_are_taken_out() {
        for (text, loaded) in [
            (
                "<!-- a -->\nx\n<!-- b --> tail\ny <!-- c -->\n",
                "x\n tail\ny <!-- c -->",
            ),
            (
                "x\n\n<!-- multi\nline -->\nz\n  <!-- two -->\n    <!-- four -->\n",
                "x\n\nz\n  <!-- two -->\n    <!-- four -->",
            ),
            (
                "- item\n  <!-- in item -->\n- item2\n<!-- after -->\n\n> <!-- q -->\n",
                "- item\n  <!-- in item -->\n- item2\n> <!-- q -->",
            ),
            (
                "<!-- one --><!-- two -->\n\n<!-- unclosed\nend\n",
                "<!-- unclosed\nend",
            ),
            (
                "para\n<!-- mid -->\npara2\n\n<!-- with\n\nblank -->\nend\n",
                "para\npara2\n\nend",
            ),
            (
                "<div>\n<!-- in div -->\n</div>\n\n```\n<!-- f -->\n```\n",
                "<div>\n<!-- in div -->\n</div>\n\n```\n<!-- f -->\n```",
            ),
            ("<!-- only -->\n", ""),
            (
                "\n\n  lead\n\ttab  \r\ncrlf\r\n\r\n<!-- crlf -->\r\nend\r\n\r\n",
                "lead\n\ttab  \ncrlf\n\nend",
            ),
            ("\u{feff}bom text\n", "bom text"),
            ("a\n\n<!-- c -->\n\nb\n\n\n\nd\n", "a\n\nb\n\n\n\nd"),
            (
                "a\n<!-- c -->\n<!-- d -->\nb <!-- x\ny --> z\n\n# h <!-- i -->\n<!-- e --> \nq\n",
                "a\nb <!-- x\ny --> z\n\n# h <!-- i -->\nq",
            ),
            ("x\n\n  <!-- ind -->\n\ny\n", "x\n\ny"),
            ("<!-- a --><b>x</b>\ny\n", "<b>x</b>\ny"),
            ("<!-->\nx\n-->\ny\n", "<!-->\nx\n-->\ny"),
            ("- a\n\n<!-- c -->\n- b\n", "- a\n\n- b"),
            ("a\n<!-- c -->  \n  \nb\n", "a\n  \nb"),
            ("\t<!-- t -->\nx\n", "<!-- t -->\nx"),
            (
                "```\n<!-- open\n```\nx\n<!-- c -->\ny",
                "```\n<!-- open\n```\nx\ny",
            ),
            ("text <!-- a\n<!-- b -->\ny", "text <!-- a\ny"),
            (
                "<pre>\n<!-- c -->\n</pre>\n<!-- d -->\nz",
                "<pre>\n<!-- c -->\n</pre>\nz",
            ),
            ("<!-- c -->\n    code\n\tx\n", "code\n\tx"),
            ("> q\n<!-- c -->\nx", "> q\nx"),
            ("<!-- a\n--> x\n\ny", "x\n\ny"),
            (
                "- x\n\n   <!-- d -->\n\nw\n<!-- e -->",
                "- x\n\n   <!-- d -->\n\nw",
            ),
            ("<?php x ?>\n<!-- d -->\nw", "<?php x ?>\nw"),
            (
                "1. a\n   ```\n   <!-- x -->\n   ```\n<!-- e -->\nb",
                "1. a\n   ```\n   <!-- x -->\n   ```\nb",
            ),
            (" \r\n  lead\r\nb\r\n\r\n", "lead\r\nb"),
            ("a <!-- inline -->\r\nb\r\n", "a <!-- inline -->\r\nb"),
        ] {
            assert_eq!(tidied(text), loaded, "{text:?}");
        }
    }

    #[test]
    fn the_old_client_changes_nothing() {
        let text = "\u{feff}\n<!-- a -->\r\nx \n\n";
        assert_eq!(tidy(parts(text, &oldest()).body, &oldest()), text);
        assert_eq!(tidy(" \n\t", &oldest()), "");
    }

    #[test]
    fn a_frontmatter_ends_where_the_client_ends_it() {
        for (text, body) in [
            ("---\na: b\n---\n\n\nx\n", "x\n"),
            ("---\na: b\n---", ""),
            ("---\na: b\n---x\ny", "x\ny"),
            (
                "---\ntitle: a---b\nx: y\n---\nbody\n",
                "b\nx: y\n---\nbody\n",
            ),
            ("---   \na: b\n---   \n  x", "x"),
            ("---\r\na: b\r\n---\r\nx", "x"),
            ("\n---\na: b\n---\nx", "\n---\na: b\n---\nx"),
            ("----\na: b\n---\nx", "----\na: b\n---\nx"),
            ("---\na: b\nx", "---\na: b\nx"),
        ] {
            assert_eq!(parts(text, &newest()).body, body, "{text:?}");
            assert_eq!(parts(text, &oldest()).body, body, "{text:?}");
        }
    }

    // Which rules were loaded at the start by 2.1.332 (first), 2.1.59 (second).
    #[test]
    fn paths_narrow_a_rule() {
        for (text, new, old) in [
            ("paths: src/**\n", true, true),
            ("paths: \"**\"\n", false, false),
            ("paths:\n", false, false),
            ("paths: []\n", false, false),
            ("paths: \"**/*\"\n", true, true),
            ("globs: src/**\n", false, false),
            ("paths: a, b\n", true, true),
            ("paths: [a, b]\n", true, true),
            ("paths: **/*.ts\n", true, true),
            ("paths: a\r\n", true, true),
            ("Paths: a\n", false, false),
            ("paths: 5\n", false, false),
            ("paths: {a: b}\n", false, false),
            ("paths: \"/**\"\n", false, false),
            ("paths: \"\"\n", false, false),
            ("paths: [\"\"]\n", false, false),
            ("paths: [\"**\"]\n", false, false),
            ("paths: [\"**\", \"a\"]\n", true, true),
            ("paths: a\nbad: [x\n", true, true),
            ("paths: \",\"\n", false, false),
            ("paths: {a,b}/**\n", true, true),
            ("\npaths: a\n", true, true),
            ("description: a: b: c\npaths: a\n", true, false),
            ("paths: *.ts\n", true, true),
            ("paths: @x/y\n", true, true),
            ("\"paths\": a\n", true, true),
            ("paths:\n  - **/*.ts\n  - src/*\n", false, false),
            ("paths:\n  - \"**/*.rs\"\n", true, true),
        ] {
            assert_eq!(narrows(text, &newest()), new, "{text:?}");
            assert_eq!(narrows(text, &oldest()), old, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(---|<!--|-->|\n|\r| |a|\\PC){0,60}") {
            for rules in [newest(), oldest()] {
                let parts = parts(&text, &rules);
                let _ = tidy(parts.body, &rules);
                let _ = parts.front.map(|front| narrows(front, &rules));
            }
        }

        #[test]
        fn text_without_comments_is_only_trimmed(text in "(\n| |a|b|-|#|`|\\PC){0,60}") {
            prop_assume!(!text.contains("<!--") && !text.starts_with("---"));
            let loaded = tidy(&text, &newest());
            prop_assert_eq!(loaded.as_ref(), trim(&text));
        }
    }
}
