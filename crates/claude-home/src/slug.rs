//! The name a directory has below `projects`.

use std::path::{Path, PathBuf};
use unicode_normalization::{UnicodeNormalization as _, is_nfc};

/// The longest slug without a hash, in characters (all are ASCII).
pub(crate) const LONGEST: usize = 200;

/// The slug of a directory, as the client forms it.
///
/// Every UTF-16 unit of the path (composed, NFC) that is not an ASCII letter or digit becomes `-`.
/// What is longer than 200 is cut there and followed by `-` and a hash of the path: Java's string
/// hash, absolute, in base 36. Lossy: never decode it. (Claude Code 2.1.59, 2.1.197, 2.1.332,
/// measured.) The client takes the real path: resolve links first.
pub fn slug(path: &Path) -> String {
    let text = path.to_string_lossy();
    if is_nfc(&text) {
        of_text(&text)
    } else {
        of_text(&text.nfc().collect::<String>())
    }
}

fn of_text(path: &str) -> String {
    let mut slug: String = path
        .encode_utf16()
        .map(|unit| match u8::try_from(unit) {
            Ok(byte) if byte.is_ascii_alphanumeric() => char::from(byte),
            _ => '-',
        })
        .collect();
    if slug.len() > LONGEST {
        slug.truncate(LONGEST);
        slug.push('-');
        slug.push_str(&base36(java_hash(path).unsigned_abs()));
    }
    slug
}

/// `h = h * 31 + unit` over the UTF-16 units, in 32 bits.
fn java_hash(text: &str) -> i32 {
    text.encode_utf16().fold(0_i32, |hash, unit| {
        hash.wrapping_mul(31).wrapping_add(i32::from(unit))
    })
}

fn base36(mut number: u32) -> String {
    let mut digits = Vec::new();
    loop {
        digits.push(char::from_digit(number % 36, 36).unwrap_or('0'));
        number /= 36;
        if number == 0 {
            return digits.iter().rev().collect();
        }
    }
}

/// The path with its characters composed, as the client does with every path it keeps.
pub(crate) fn composed(path: PathBuf) -> PathBuf {
    match path.to_str() {
        Some(text) if !is_nfc(text) => text.nfc().collect::<String>().into(),
        _ => path,
    }
}

/// The path with links resolved; as it is when it cannot be resolved.
pub(crate) fn real(path: &Path) -> PathBuf {
    let Ok(real) = std::fs::canonicalize(path) else {
        return path.to_path_buf();
    };
    // Windows answers with a verbatim path, which the client never uses.
    if cfg!(windows)
        && let Some(plain) = real.to_str().and_then(|text| text.strip_prefix(r"\\?\"))
        && plain.as_bytes().get(1) == Some(&b':')
    {
        return plain.into();
    }
    real
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn of(path: &str) -> String {
        slug(Path::new(path))
    }

    #[test]
    fn letters_and_digits_stay_and_all_else_is_a_dash() {
        assert_eq!(of("/home/dev/work/demo"), "-home-dev-work-demo");
        assert_eq!(of("/home/dev/My_App v1.2"), "-home-dev-My-App-v1-2");
    }

    #[test]
    fn each_utf16_unit_is_one_dash() {
        assert_eq!(of("/a/가나다"), "-a----");
        assert_eq!(of("/a/😀b"), "-a---b");
    }

    #[test]
    fn decomposed_names_are_composed_first() {
        // 가 as two jamo, ü as u and a combining mark: one unit each when composed.
        assert_eq!(of("/a/\u{1100}\u{1161}"), of("/a/가"));
        assert_eq!(of("/a/u\u{308}ber"), of("/a/über"));
    }

    #[test]
    fn a_name_of_200_characters_has_no_hash() {
        let path = format!("/{}", "a".repeat(199));
        assert_eq!(of(&path).len(), 200);
        assert!(!of(&path)[1..].contains('-'));
    }

    #[test]
    fn a_longer_name_is_cut_and_hashed() {
        let path = format!("/{}", "a".repeat(200));
        let name = of(&path);
        assert!(name.starts_with(&format!("-{}-", "a".repeat(199))));
        assert_eq!(&name[..200], &of(&format!("/{}", "a".repeat(199))));
        assert_ne!(name, of(&format!("/{}b", "a".repeat(199))));
    }

    #[test]
    fn long_paths_have_the_clients_own_hash() {
        let korean = format!("/home/개발자/{}", "긴 이름😀/".repeat(60));
        assert!(of(&korean).ends_with("-----hyni80"));
        let english = format!("/home/dev/{}", "long-name/".repeat(30));
        assert!(of(&english).ends_with("-name--a6757"));
    }

    #[test]
    fn the_hash_is_javas() {
        assert_eq!(java_hash("hello"), 99_162_322);
        assert_eq!(java_hash("polygenelubricants"), i32::MIN);
        assert_eq!(java_hash("가"), 0xAC00);
        assert_eq!(base36(99_162_322), "1n1e4y");
        assert_eq!(base36(i32::MIN.unsigned_abs()), "zik0zk");
        assert_eq!(base36(0), "0");
    }

    proptest! {
        #[test]
        fn any_path_gives_a_safe_name(path in "\\PC{0,300}") {
            let name = of(&path);
            prop_assert!(name.len() <= LONGEST + 1 + 6);
            prop_assert!(name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-'));
        }
    }
}
