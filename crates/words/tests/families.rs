//! Words that are one: derived from each other, or written with other letters.

use words::{Lexicon, fold, only_joins, plain, stem};

#[test]
fn derived_words_meet_in_the_lexicon() {
    let lexicon = Lexicon::builtin();
    for (derived, word) in [
        ("investigation", "investigate"),
        ("cancellations", "cancel"),
        ("failure", "fail"),
        ("adjustment", "adjust"),
        ("Bezahlung", "bezahlen"),
    ] {
        let of = lexicon.concepts_of(word);
        assert!(
            lexicon
                .concepts_of(derived)
                .iter()
                .any(|concept| of.contains(concept)),
            "{derived} and {word}"
        );
    }
}

#[test]
fn a_verb_of_doing_is_no_noun_with_its_end() {
    for (word, expected) in [
        ("삭제한", "삭제"),
        ("결제할", "결제"),
        ("해제해", "해제"),
        ("제한", "제한"),
        ("역할", "역할"),
        ("접근제한", "접근제한"),
    ] {
        assert_eq!(stem(word), expected, "{word}");
    }
}

#[test]
fn letters_of_other_shapes_fold() {
    for (written, folded) in [
        ("ＡＰＩ", "api"),
        ("oﬄine", "offline"),
        ("ﬁle", "file"),
        ("Straße", "strasse"),
    ] {
        assert_eq!(fold(written), folded, "{written}");
    }
    for (written, bare) in [
        ("smørrebrød", "smorrebrod"),
        ("łódź", "lodz"),
        ("đorđe", "dorde"),
        ("kızılay", "kizilay"),
        ("œuvre", "oeuvre"),
        ("þóra", "thora"),
        ("đặng", "dang"),
        ("größe", "große"),
    ] {
        assert_eq!(plain(written), bare, "{written}");
    }
}

#[test]
fn words_that_join_say_nothing_of_the_matter() {
    for word in ["although", "anybody", "gemacht", "dafür", "되던"] {
        assert!(only_joins(word), "{word}");
    }
    for word in ["although2", "deploy", "배포", "never"] {
        assert!(!only_joins(word), "{word}");
    }
}
