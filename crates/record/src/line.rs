//! Text that must stay on one line and harmless wherever it is shown.

use mnemo_home::text::steers;

/// Characters that show nothing themselves and change how others are shown: bidirectional
/// controls, line and paragraph separators, the byte order mark, tags, control codes.
pub(crate) fn is_format(c: char) -> bool {
    steers(c)
        || matches!(
            c,
            '\u{2028}' | '\u{2029}' | '\u{feff}' | '\u{e0001}' | '\u{e0020}'..='\u{e007f}'
        )
}

/// Names and paths: what is no visible character becomes U+FFFD; at most `most` characters.
pub(crate) fn name(text: &str, most: usize) -> String {
    text.chars()
        .take(most)
        .map(|c| {
            if c.is_control() || is_format(c) {
                '\u{fffd}'
            } else {
                c
            }
        })
        .collect()
}

/// Commands and descriptions: line ends and control codes become spaces; at most `most` characters.
pub(crate) fn flat(text: &str, most: usize) -> String {
    text.trim()
        .chars()
        .take(most)
        .map(|c| match c {
            '\u{2028}' | '\u{2029}' => ' ',
            c if c.is_control() => ' ',
            c if is_format(c) => '\u{fffd}',
            c => c,
        })
        .collect::<String>()
        .trim_end()
        .to_owned()
}
