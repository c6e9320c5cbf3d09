//! Classes of bytes, and what tells a token from a word.

/// A set of the classes below.
pub(super) type Class = u16;

/// ASCII letters and digits.
pub(super) const ALNUM: Class = 1;
/// Letters, digits, `_`, `-`.
pub(super) const WORD: Class = 2;
/// `.`
pub(super) const DOT: Class = 4;
/// `+`, `/`, `=`
pub(super) const BASE64: Class = 8;
/// `/`
pub(super) const PATH: Class = 16;
/// `%`
pub(super) const PERCENT: Class = 32;
/// `$`
pub(super) const DOLLAR: Class = 64;
/// Hexadecimal digits.
pub(super) const HEX: Class = 128;
/// Capitals and digits.
pub(super) const UPPER: Class = 256;
/// `~`
pub(super) const TILDE: Class = 512;

const CLASSES: [Class; 256] = {
    let mut table = [0; 256];
    let mut i = 0;
    while i < 128 {
        #[allow(clippy::cast_possible_truncation, reason = "below 128")]
        let byte = i as u8;
        let mut class = 0;
        if byte.is_ascii_alphanumeric() {
            class |= ALNUM | WORD;
        }
        if byte.is_ascii_hexdigit() {
            class |= HEX;
        }
        if byte.is_ascii_digit() || byte.is_ascii_uppercase() {
            class |= UPPER;
        }
        class |= match byte {
            b'_' | b'-' => WORD,
            b'.' => DOT,
            b'/' => BASE64 | PATH,
            b'+' | b'=' => BASE64,
            b'%' => PERCENT,
            b'$' => DOLLAR,
            b'~' => TILDE,
            _ => 0,
        };
        table[i] = class;
        i += 1;
    }
    table
};

/// Whether `byte` is in one of `classes`.
pub(super) fn is(byte: u8, classes: Class) -> bool {
    CLASSES
        .get(usize::from(byte))
        .is_some_and(|c| c & classes != 0)
}

/// The end of the run of `classes` that begins at `at`, at most `limit` bytes.
pub(super) fn run(bytes: &[u8], at: usize, classes: Class, limit: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    let rest = rest.get(..limit).unwrap_or(rest);
    at + rest
        .iter()
        .position(|b| !is(*b, classes))
        .unwrap_or(rest.len())
}

/// Whether a token may begin at `at`: not behind a letter, a digit, `_` or `-`. The letter of an
/// escape (`\n` written out, as in a JSON string) does not count. `floor` is where the last
/// redaction ended.
pub(super) fn before(bytes: &[u8], at: usize, floor: usize) -> bool {
    if at <= floor {
        return true;
    }
    let Some(previous) = at.checked_sub(1).and_then(|i| bytes.get(i)) else {
        return true;
    };
    // What joins words joins a token to a name as well (`prod-`, `KEY_`).
    if !is(*previous, ALNUM) {
        return true;
    }
    let head = bytes.get(floor..at).unwrap_or_default();
    let escaped =
        matches!(previous, b'n' | b'r' | b't') && head.iter().rev().nth(1) == Some(&b'\\');
    escaped || ends_in_percent_code(head) || ends_in_colour_code(head)
}

/// `%20`
fn ends_in_percent_code(head: &[u8]) -> bool {
    matches!(head, [.., b'%', one, two] if is(*one, HEX) && is(*two, HEX))
}

/// `ESC[1;32m`, the escape itself or as it is written in source and in JSON.
fn ends_in_colour_code(head: &[u8]) -> bool {
    const LONGEST: usize = 24;
    const ESCAPES: [&[u8]; 6] = [b"\x1b", b"u001b", b"u001B", b"x1b", b"\\e", b"033"];
    let Some(head) = head.strip_suffix(b"m") else {
        return false;
    };
    let head = head
        .get(head.len().saturating_sub(LONGEST)..)
        .unwrap_or(head);
    let codes = head
        .iter()
        .rev()
        .take_while(|b| b.is_ascii_digit() || **b == b';')
        .count();
    let head = head.get(..head.len() - codes).unwrap_or_default();
    let Some(head) = head.strip_suffix(b"[") else {
        return false;
    };
    ESCAPES.iter().any(|escape| head.ends_with(escape))
}

/// Whether these first characters of a token could be random: some variety, digits or both cases,
/// and no placeholder.
pub(super) fn plausible(head: &[u8]) -> bool {
    let head = head.get(..64).unwrap_or(head);
    let mut seen = 0_u128;
    let (mut digit, mut upper, mut lower) = (false, false, false);
    for byte in head {
        seen |= 1 << (byte & 127);
        digit |= byte.is_ascii_digit();
        upper |= byte.is_ascii_uppercase();
        lower |= byte.is_ascii_lowercase();
    }
    if seen.count_ones() < 5 || !(digit || (upper && lower)) {
        return false;
    }
    is_no_placeholder(head)
}

/// As [`plausible`], for tokens of capitals and few digits: of sixteen such characters one in thirty
/// times none is a digit.
pub(super) fn plausible_capitals(head: &[u8]) -> bool {
    let seen = head.iter().fold(0_u128, |seen, b| seen | 1 << (b & 127));
    seen.count_ones() >= 8 && is_no_placeholder(head)
}

fn is_no_placeholder(head: &[u8]) -> bool {
    let starts = |word: &str| {
        head.get(..word.len())
            .is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes()))
    };
    let all_same = |window: &[u8]| {
        matches!(window.first(), Some(b'x' | b'X' | b'*' | b'.'))
            && window.iter().all(|b| Some(b) == window.first())
    };
    !starts("your") && !head.windows(6).any(all_same)
}
