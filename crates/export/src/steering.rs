//! Characters that steer a terminal or turn the direction of what stands around them.

use std::fmt::Write as _;

/// Control codes but for tabs and ends of lines; overrides and isolates of direction. The plain marks
/// of direction stay: Arabic and Hebrew need them, and they turn nothing but themselves.
fn steers(c: char) -> bool {
    (c.is_control() && !matches!(c, '\n' | '\t'))
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// The text with U+FFFD in their place; a CR that ends a line stays.
pub(crate) fn replaced(text: String) -> String {
    if !text.contains(steers) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let ends_line = c == '\r' && chars.peek() == Some(&'\n');
        out.push(if steers(c) && !ends_line {
            char::REPLACEMENT_CHARACTER
        } else {
            c
        });
    }
    out
}

/// JSON in which they are escaped. All of them are one UTF-16 unit.
pub(crate) fn escaped(json: String) -> String {
    if !json.contains(steers) {
        return json;
    }
    let mut out = String::with_capacity(json.len() + 64);
    for c in json.chars() {
        if steers(c) {
            let _ = write!(out, "\\u{:04x}", u32::from(c));
        } else {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_is_taken_out_and_nothing_else() {
        for (text, expected) in [
            ("a\tb\r\nc\u{200f}\u{5d0}", "a\tb\r\nc\u{200f}\u{5d0}"),
            ("\u{1b}[31m\r", "\u{fffd}[31m\u{fffd}"),
            ("x\u{202e}y\u{2066}\u{9b}", "x\u{fffd}y\u{fffd}\u{fffd}"),
        ] {
            assert_eq!(replaced(text.to_owned()), expected);
        }
        assert_eq!(escaped("\"a\u{202e}\"".into()), "\"a\\u202e\"");
    }
}
