//! One form for what means the same: NFC, lower case (`ß` as `ss`), full-width characters narrow,
//! ligatures (`ﬁ`) as their letters.

use std::borrow::Cow;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// The folded form of a text. Folding twice changes nothing.
pub fn fold(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return if text.bytes().any(|b| b.is_ascii_uppercase()) {
            Cow::Owned(text.to_ascii_lowercase())
        } else {
            Cow::Borrowed(text)
        };
    }
    let normal = is_normal(text);
    if normal && text.chars().all(stays) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    if normal {
        text.chars().for_each(|c| push(c, &mut out));
    } else {
        text.nfc().for_each(|c| push(c, &mut out));
    }
    // Lower case may bring a combining mark of its own (`İ`), or meet one that now composes.
    if is_normal(&out) {
        Cow::Owned(out)
    } else {
        Cow::Owned(out.nfc().collect())
    }
}

/// Whether a text is in NFC, as far as one look at each character tells.
fn is_normal(text: &str) -> bool {
    text.chars().all(|c| c < '\u{300}' || is_caseless(c))
        || is_nfc_quick(text.chars()) == IsNormalized::Yes
}

/// Syllables, ideographs and kana: most of what is not Latin. They are normal and have no case.
fn is_caseless(c: char) -> bool {
    matches!(c, '\u{ac00}'..='\u{d7a3}' | '\u{4e00}'..='\u{9fff}' | '\u{3041}'..='\u{3096}' | '\u{30a1}'..='\u{30fa}')
}

fn push(c: char, out: &mut String) {
    match c {
        _ if c.is_ascii() => out.push(c.to_ascii_lowercase()),
        _ if is_caseless(c) => out.push(c),
        'ß' | 'ẞ' => out.push_str("ss"),
        '\u{fb00}'..='\u{fb06}' => out.push_str(letters_of(c)),
        _ => out.extend(narrow(c).to_lowercase()),
    }
}

fn stays(c: char) -> bool {
    if c.is_ascii() {
        return !c.is_ascii_uppercase();
    }
    is_caseless(c)
        || narrow(c) == c && !matches!(c, 'ß' | 'ẞ' | '\u{fb00}'..='\u{fb06}') && {
            let mut lower = c.to_lowercase();
            lower.next() == Some(c) && lower.next().is_none()
        }
}

/// The letters of a ligature.
fn letters_of(ligature: char) -> &'static str {
    match ligature {
        '\u{fb00}' => "ff",
        '\u{fb01}' => "fi",
        '\u{fb02}' => "fl",
        '\u{fb03}' => "ffi",
        '\u{fb04}' => "ffl",
        _ => "st",
    }
}

fn narrow(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        _ => c,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_taken_as_caseless_is() {
        for c in ('\0'..='\u{1ffff}').filter(|c| *c < '\u{300}' || is_caseless(*c)) {
            assert_eq!(is_nfc_quick(std::iter::once(c)), IsNormalized::Yes, "{c}");
            let lower: String = c.to_lowercase().collect();
            assert!(
                !is_caseless(c) || (lower == c.to_string() && narrow(c) == c),
                "{c}"
            );
        }
    }
}
