//! Text that goes to a log or a terminal.

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
        if c.is_control() || is_direction(c) {
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

/// Marks that change the direction of what stands around them.
fn is_direction(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::one_line;

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
