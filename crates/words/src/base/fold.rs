//! One form for what means the same: NFC, lower case (`ß` as `ss`), full-width characters narrow.

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
    let normal = is_nfc_quick(text.chars()) == IsNormalized::Yes;
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
    if is_nfc_quick(out.chars()) == IsNormalized::Yes {
        Cow::Owned(out)
    } else {
        Cow::Owned(out.nfc().collect())
    }
}

fn push(c: char, out: &mut String) {
    match c {
        'ß' | 'ẞ' => out.push_str("ss"),
        _ => out.extend(narrow(c).to_lowercase()),
    }
}

fn stays(c: char) -> bool {
    narrow(c) == c && !matches!(c, 'ß' | 'ẞ') && {
        let mut lower = c.to_lowercase();
        lower.next() == Some(c) && lower.next().is_none()
    }
}

fn narrow(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(u32::from(c) - 0xfee0).unwrap_or(c),
        '\u{3000}' => ' ',
        _ => c,
    }
}
