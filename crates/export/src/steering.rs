//! Characters that steer a terminal or turn the direction of what stands around them.

use mnemo_home::text::overrides;

/// The text with U+FFFD for what overrides how text is shown; a CR that ends a line stays.
pub(crate) fn replaced(text: String) -> String {
    if !text.contains(overrides) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let ends_line = c == '\r' && chars.peek() == Some(&'\n');
        out.push(if overrides(c) && !ends_line {
            char::REPLACEMENT_CHARACTER
        } else {
            c
        });
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
    }
}
