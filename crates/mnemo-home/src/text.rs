//! Text that goes to a log, a page or a terminal.

use std::borrow::Cow;
use std::fmt::Write as _;

/// A number and what is counted: `1 entry`, `2 entries`.
pub fn counted(number: impl std::fmt::Display, of: &str) -> String {
    let number = number.to_string();
    match of.strip_suffix('y') {
        _ if number == "1" => format!("1 {of}"),
        // `entries`, but `days`.
        Some(stem) if !stem.ends_with(['a', 'e', 'o', 'u']) => format!("{number} {stem}ies"),
        _ if of.ends_with(['s', 'x']) || of.ends_with("ch") => format!("{number} {of}es"),
        _ => format!("{number} {of}s"),
    }
}

/// One line without control codes: line breaks and tabs become one blank, what else steers a
/// terminal or turns the direction of writing is left out. At most `limit` characters.
pub fn one_line(text: &str, limit: usize) -> String {
    let mut line = String::with_capacity(text.len().min(limit));
    let mut length = 0;
    let mut blank = false;
    for c in text.chars() {
        if matches!(c, '\n' | '\r' | '\t' | '\u{2028}' | '\u{2029}') {
            blank = true;
            continue;
        }
        if steers(c) {
            continue;
        }
        if length >= limit {
            break;
        }
        if std::mem::take(&mut blank) && !line.is_empty() {
            line.push(' ');
            length += 1;
            if length >= limit {
                break;
            }
        }
        line.push(c);
        length += 1;
    }
    line
}

/// Whether a character steers a terminal or changes the direction of what stands around it. Line
/// breaks and tabs do not.
pub fn steers(c: char) -> bool {
    overrides(c) || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}')
}

/// The same without the plain marks of direction: Arabic and Hebrew text needs them, and they turn
/// nothing but themselves.
pub fn overrides(c: char) -> bool {
    (c.is_control() && c != '\n' && c != '\t')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with U+FFFD for each character that [`steers`].
pub fn plain(text: &str) -> Cow<'_, str> {
    if text.contains(steers) {
        text.replace(steers, "\u{fffd}").into()
    } else {
        text.into()
    }
}

/// Text as it may stand in a page and in its attributes: no markup, and U+FFFD for what [`steers`].
pub fn escaped_html(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    escaped_html_into(&mut out, text, steers);
    out
}

/// The same with code where the text has it between backticks.
pub fn escaped_html_with_code(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    let parts: Vec<&str> = text.split('`').collect();
    for (place, part) in parts.iter().enumerate() {
        // Of an odd number of backticks the last is one.
        let closed = place + 1 < parts.len();
        match (place % 2 == 1, closed) {
            (true, true) => {
                out.push_str("<code>");
                escaped_html_into(&mut out, part, steers);
                out.push_str("</code>");
            }
            (true, false) => {
                out.push('`');
                escaped_html_into(&mut out, part, steers);
            }
            (false, _) => escaped_html_into(&mut out, part, steers),
        }
    }
    out
}

/// Writes text as it may stand in a page, with U+FFFD for each `unwanted` character.
pub fn escaped_html_into(out: &mut String, text: &str, unwanted: fn(char) -> bool) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c if unwanted(c) => out.push(char::REPLACEMENT_CHARACTER),
            c => out.push(c),
        }
    }
}

/// JSON in which the characters that are `unwanted` are escaped: serializers do so for the oldest
/// codes only. They can stand in strings only, and each must be one UTF-16 unit.
pub fn escaped_json(json: &str, unwanted: fn(char) -> bool) -> Cow<'_, str> {
    if !json.contains(unwanted) {
        return json.into();
    }
    let mut out = String::with_capacity(json.len() + 64);
    for c in json.chars() {
        if unwanted(c) {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_a_terminal_is_replaced_or_escaped() {
        assert_eq!(plain("a\tb\nc"), "a\tb\nc");
        assert_eq!(plain("\u{1b}[31mred"), "\u{fffd}[31mred");
        assert_eq!(plain("x\u{202e}y\u{9b}z\r"), "x\u{fffd}y\u{fffd}z\u{fffd}");
        assert_eq!(plain("\u{61c}\u{200e}"), "\u{fffd}\u{fffd}");
        assert_eq!(
            escaped_json("{\n  \"x\u{202e}\u{9b}\u{7f}\"}", steers),
            "{\n  \"x\\u202e\\u009b\\u007f\"}"
        );
        assert_eq!(
            escaped_html("<a href='x&y\">\u{1b}"),
            "&lt;a href=&#39;x&amp;y&quot;&gt;\u{fffd}"
        );
        assert_eq!(
            escaped_html_with_code("`a<b` and `c"),
            "<code>a&lt;b</code> and `c"
        );
        assert_eq!(escaped_json("\"\u{200f}\"", overrides), "\"\u{200f}\"");
    }

    #[test]
    fn control_codes_go_and_line_breaks_become_blanks() {
        assert_eq!(
            one_line("\na\r\n\tb\u{1b}[31mc\u{0}\u{202e}d\u{9b}\u{7f}\n", 100),
            "a b[31mcd"
        );
        assert_eq!(one_line("한글이다", 2), "한글");
        assert_eq!(one_line("ab\ncd", 3), "ab ");
        assert_eq!(one_line("x", 0), "");
    }
}
