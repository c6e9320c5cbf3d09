//! Puts members and elements into a JSON text and takes them out, in the style of their
//! neighbours, without touching any other byte.

use crate::json::{Node, Value};
use std::ops::Range;

/// A value to be written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum New {
    Object(Vec<(String, New)>),
    Array(Vec<New>),
    /// JSON text as it is.
    Raw(String),
}

impl New {
    pub(crate) fn string(text: &str) -> Self {
        Self::Raw(crate::json::quote(text))
    }
}

/// How a text is laid out.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Style {
    newline: &'static str,
    /// One step of indentation.
    unit: String,
    /// Everything on one line.
    one_line: bool,
    /// A blank after the colons and commas of a line.
    spaced: bool,
}

impl Style {
    pub(crate) fn of(text: &str, root: &Node) -> Self {
        let first = text.find('\n');
        let newline = match first {
            Some(at) if text.get(..at).is_some_and(|t| t.ends_with('\r')) => "\r\n",
            _ => "\n",
        };
        let members = root.members().unwrap_or_default();
        let unit = members.iter().find_map(|m| own_line(text, m.start));
        let one_line = !members.is_empty() && unit.is_none();
        let spaced = members.first().is_none_or(|m| {
            text.get(..m.value.span.start)
                .is_some_and(|t| t.ends_with([' ', '\t']))
        });
        Self {
            newline,
            unit: unit.filter(|u| !u.is_empty()).unwrap_or("  ").to_owned(),
            one_line,
            spaced,
        }
    }

    fn blank(&self) -> &'static str {
        if self.spaced { " " } else { "" }
    }

    /// `base`: the indentation of the line that the value begins on; `None`: all on one line.
    pub(crate) fn render(&self, value: &New, base: Option<&str>) -> String {
        let (open, close, parts): (_, _, Vec<(Option<&str>, &New)>) = match value {
            New::Raw(text) => return text.clone(),
            New::Object(members) => {
                let parts = members.iter().map(|(k, v)| (Some(k.as_str()), v));
                ('{', '}', parts.collect())
            }
            New::Array(items) => ('[', ']', items.iter().map(|v| (None, v)).collect()),
        };
        let mut text = String::from(open);
        let inner = base.map(|base| format!("{base}{}", self.unit));
        let count = parts.len();
        for (index, (key, value)) in parts.into_iter().enumerate() {
            if let Some(inner) = &inner {
                text.push_str(self.newline);
                text.push_str(inner);
            }
            text.push_str(&self.entry(key, value, inner.as_deref()));
            if index + 1 < count {
                text.push(',');
                if inner.is_none() {
                    text.push_str(self.blank());
                }
            }
        }
        if let Some(base) = base
            && count > 0
        {
            text.push_str(self.newline);
            text.push_str(base);
        }
        text.push(close);
        text
    }

    fn entry(&self, key: Option<&str>, value: &New, base: Option<&str>) -> String {
        let value = self.render(value, base);
        match key {
            Some(key) => {
                let blank = if base.is_some() { " " } else { self.blank() };
                format!("{}:{blank}{value}", crate::json::quote(key))
            }
            None => value,
        }
    }
}

/// The text with `value` at the end of `container` (under `key` in an object).
pub(crate) fn append(
    text: &str,
    style: &Style,
    container: &Node,
    key: Option<&str>,
    value: &New,
) -> String {
    let Some(last) = children(container).pop() else {
        let base = (!style.one_line).then(|| indentation(text, container.span.start));
        let inside = match base {
            Some(base) => {
                let inner = format!("{base}{}", style.unit);
                let entry = style.entry(key, value, Some(&inner));
                format!("{0}{inner}{entry}{0}{base}", style.newline)
            }
            None => style.entry(key, value, None),
        };
        return replace(
            text,
            container.span.start + 1..container.span.end - 1,
            &inside,
        );
    };
    let new = match own_line(text, last.start) {
        Some(base) => {
            let entry = style.entry(key, value, Some(base));
            format!(",{}{base}{entry}", style.newline)
        }
        None => format!(",{}{}", style.blank(), style.entry(key, value, None)),
    };
    replace(text, last.end..last.end, &new)
}

/// The text without the child number `index` of `container`.
pub(crate) fn remove(text: &str, container: &Node, index: usize) -> String {
    let children = children(container);
    let Some(child) = children.get(index) else {
        return text.to_owned();
    };
    let gone = match (
        index.checked_sub(1).and_then(|i| children.get(i)),
        children.get(index + 1),
    ) {
        (Some(before), _) => before.end..child.end,
        (None, Some(after)) => child.start..after.start,
        (None, None) => container.span.start + 1..container.span.end - 1,
    };
    replace(text, gone, "")
}

pub(crate) fn replace(text: &str, range: Range<usize>, new: &str) -> String {
    let before = text.get(..range.start).unwrap_or("");
    let after = text.get(range.end..).unwrap_or("");
    format!("{before}{new}{after}")
}

fn children(container: &Node) -> Vec<Range<usize>> {
    match &container.value {
        Value::Object(members) => members.iter().map(crate::json::Member::span).collect(),
        Value::Array(items) => items.iter().map(|item| item.span.clone()).collect(),
        _ => Vec::new(),
    }
}

/// The blanks before `at` when nothing else stands before it on its line, and there is a line
/// before that.
fn own_line(text: &str, at: usize) -> Option<&str> {
    let before = text.get(..at)?;
    let line = before.get(before.rfind('\n')? + 1..)?;
    line.bytes()
        .all(|b| b == b' ' || b == b'\t')
        .then_some(line)
}

/// The blanks that the line of `at` begins with.
fn indentation(text: &str, at: usize) -> &str {
    let before = text.get(..at).unwrap_or("");
    let line = before.rfind('\n').map_or(0, |n| n + 1);
    let rest = text.get(line..).unwrap_or("");
    let blanks = rest
        .bytes()
        .take_while(|b| *b == b' ' || *b == b'\t')
        .count();
    rest.get(..blanks).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::json::parse;

    fn value() -> New {
        New::Object(vec![(
            "x".to_owned(),
            New::Array(vec![New::Raw("1".to_owned())]),
        )])
    }

    fn put(text: &str) -> String {
        let root = parse(text).unwrap();
        append(text, &Style::of(text, &root), &root, Some("k"), &value())
    }

    #[test]
    fn a_new_member_looks_like_its_neighbours() {
        for (before, after) in [
            ("{}", "{\n  \"k\": {\n    \"x\": [\n      1\n    ]\n  }\n}"),
            (
                "{\n}\n",
                "{\n  \"k\": {\n    \"x\": [\n      1\n    ]\n  }\n}\n",
            ),
            (
                "{\n  \"a\": 1\n}\n",
                "{\n  \"a\": 1,\n  \"k\": {\n    \"x\": [\n      1\n    ]\n  }\n}\n",
            ),
            (
                "{\n\t\"a\": 1\n}",
                "{\n\t\"a\": 1,\n\t\"k\": {\n\t\t\"x\": [\n\t\t\t1\n\t\t]\n\t}\n}",
            ),
            (
                "{\r\n    \"a\": 1\r\n}\r\n",
                "{\r\n    \"a\": 1,\r\n    \"k\": {\r\n        \"x\": [\r\n            1\r\n        ]\r\n    }\r\n}\r\n",
            ),
            ("{\"a\":1}", "{\"a\":1,\"k\":{\"x\":[1]}}"),
            ("{\"a\": 1}", "{\"a\": 1, \"k\": {\"x\": [1]}}"),
            ("{ \"a\": 1 }", "{ \"a\": 1, \"k\": {\"x\": [1]} }"),
            (
                "{\n\"a\": 1\n}",
                "{\n\"a\": 1,\n\"k\": {\n  \"x\": [\n    1\n  ]\n}\n}",
            ),
        ] {
            assert_eq!(put(before), after, "{before}");
        }
    }

    #[test]
    fn what_was_put_in_comes_out_again() {
        for before in [
            "{\"a\":1}",
            "{\n  \"a\": 1\n}\n",
            "{ \"a\" : 1 }",
            "{\r\n\t\"a\": 1 }",
            "{}",
        ] {
            let after = put(before);
            let root = parse(&after).unwrap();
            let index = root.members().unwrap().len() - 1;
            assert_eq!(remove(&after, &root, index), before);
        }
    }

    #[test]
    fn the_first_and_the_middle_can_be_taken_out() {
        let text = "[\n  1,\n  2,\n  3\n]";
        let root = parse(text).unwrap();
        assert_eq!(remove(text, &root, 0), "[\n  2,\n  3\n]");
        assert_eq!(remove(text, &root, 1), "[\n  1,\n  3\n]");
        assert_eq!(remove(text, &root, 2), "[\n  1,\n  2\n]");
    }
}
