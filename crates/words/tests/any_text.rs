//! What holds for any text.
#![allow(
    clippy::unwrap_used,
    reason = "a test fails where something is missing"
)]

use proptest::prelude::*;
use words::{Kind, fold, root, stem, terms, tokens};

/// Letters of the four languages, signs of names and paths, marks, and anything.
fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-zA-Z0-9_./:\\-+@# ]{0,40}",
        "[가-힣a-zA-Z_ ]{0,24}",
        "[äöüÄÖÜßéa-zA-Z\u{300}-\u{30a} ]{0,24}",
        "[一-龥가-힣ぁ-ん ]{0,24}",
        "\\PC{0,40}",
        any::<String>(),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn tokens_lie_on_characters(text in text()) {
        for token in tokens(&text) {
            prop_assert_eq!(text.get(token.range.clone()), Some(token.text));
            prop_assert!(!token.text.is_empty());
        }
    }

    #[test]
    fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let text = String::from_utf8_lossy(&bytes);
        for term in terms(&text) {
            prop_assert!(text.get(term.range).is_some());
            prop_assert!(!term.stem.is_empty());
        }
    }

    #[test]
    fn folding_twice_changes_nothing(text in text()) {
        let once = fold(&text).into_owned();
        prop_assert_eq!(fold(&once).into_owned(), once);
    }

    #[test]
    fn normal_forms_do_not_matter(text in "[가-힣äöüÄÖÜéa-z_ ]{0,30}") {
        use unicode_normalization::UnicodeNormalization;
        let apart: String = text.nfd().collect();
        let of = |text: &str| terms(text).map(|term| term.stem).collect::<Vec<_>>();
        prop_assert_eq!(of(&text), of(&apart));
    }

    #[test]
    fn a_stem_is_never_empty(word in "[a-zäöüß]{1,20}|[가-힣]{1,10}") {
        let folded = fold(&word).into_owned();
        prop_assert!(!stem(&folded).is_empty());
        prop_assert!(!root(&folded).is_empty());
    }

    #[test]
    fn a_whole_stands_before_its_parts(text in text()) {
        let mut whole = 0..0;
        for token in tokens(&text) {
            match token.kind {
                Kind::Word => whole = token.range,
                Kind::Part => prop_assert!(whole.start <= token.range.start && token.range.end <= whole.end),
                _ => {}
            }
        }
    }
}

/// A list of digits, a minified line: no word, and no work that grows faster than it does.
#[test]
fn what_is_too_long_for_a_word_is_taken_as_it_is() {
    for text in [
        "0a1b".repeat(50_000),
        "가나다라".repeat(20_000),
        "rechnungs".repeat(20_000),
    ] {
        let read = words::meaning::Reader::default().read(&text);
        let unknown = words::meaning::Kind::Unknown;
        assert!(read.iter().all(|word| word.kind == unknown), "{read:?}");
    }
}
