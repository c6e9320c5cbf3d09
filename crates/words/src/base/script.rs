//! Which script a character is of.

/// The scripts that are treated apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Script {
    /// Latin and every other script that separates words: letters, digits, `_`, combining marks.
    Latin,
    /// Hangul, composed or decomposed.
    Hangul,
    /// Han and Kana: no spaces between words.
    Han,
    /// No part of a word.
    None,
}

/// The script of a character.
pub fn of(c: char) -> Script {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '_' => Script::Latin,
        '\0'..='\x7f' => Script::None,
        '\u{ac00}'..='\u{d7a3}'
        | '\u{1100}'..='\u{11ff}'
        | '\u{3131}'..='\u{318e}'
        | '\u{a960}'..='\u{a97c}'
        | '\u{d7b0}'..='\u{d7fb}' => Script::Hangul,
        '\u{3040}'..='\u{30ff}'
        | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}'
        | '\u{f900}'..='\u{faff}'
        | '\u{20000}'..='\u{3ffff}' => Script::Han,
        _ if ('\u{300}'..='\u{36f}').contains(&c) || c.is_alphanumeric() => Script::Latin,
        _ => Script::None,
    }
}
