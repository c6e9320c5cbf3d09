//! Words that are one: derived from each other, or written with other letters.

#![allow(
    clippy::unwrap_used,
    reason = "a test fails where something is missing"
)]

use words::{Lexicon, fold, is_of_verb, only_joins, plain, stem, verb_base};

#[test]
fn derived_words_meet_in_the_lexicon() {
    let lexicon = Lexicon::builtin();
    for (derived, word) in [
        ("investigation", "investigate"),
        ("cancellations", "cancel"),
        ("failure", "fail"),
        ("adjustment", "adjust"),
        ("Bezahlung", "bezahlen"),
        ("protection", "protect"),
        ("selection", "select"),
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
fn forms_of_german_verbs_and_of_adjectives_meet_in_the_lexicon() {
    let lexicon = Lexicon::builtin();
    for (form, word) in [
        ("liefert", "liefern"),
        ("kostete", "kosten"),
        ("wartet", "warten"),
        ("öffnete", "öffnen"),
        ("rechnet", "rechnen"),
        ("wechselten", "wechseln"),
        ("spricht", "sprechen"),
        ("hilft", "helfen"),
        ("gespielt", "spielen"),
        ("ausgewählt", "auswählen"),
        ("abzuholen", "abholen"),
        ("Ergebnisse", "Ergebnis"),
        ("Patientinnen", "Patient"),
        ("schnellste", "schnell"),
        ("cheapest", "cheap"),
        ("급격히", "급격하다"),
    ] {
        let of = lexicon.concepts_of(word);
        let mut meant = lexicon.concepts_of(form).into_iter();
        assert!(
            meant.any(|concept| of.contains(&concept)),
            "{form} of {word}"
        );
    }
    for other in ["는", "against", "least", "shit", "saint", "burnt"] {
        assert!(lexicon.concepts_of(other).is_empty(), "{other}");
    }
}

#[test]
fn a_german_verb_is_found_by_its_infinitive() {
    for (word, infinitive) in [
        ("liefert", "liefern"),
        ("kostete", "kosten"),
        ("wechselten", "wechseln"),
    ] {
        let base = verb_base(infinitive).unwrap();
        assert!(is_of_verb(word, base), "{word} of {infinitive}");
    }
    let base = verb_base("kosten").unwrap();
    for other in ["kosten", "kostbar", "kostenlos", "gekostet", "kostüm"] {
        assert!(!is_of_verb(other, base), "{other}");
    }
    assert_eq!(verb_base("open"), None);
    assert_eq!(verb_base("kostet"), None);
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
fn questions_share_the_stem_of_what_they_ask() {
    for (words, expected) in [
        (
            "고쳤습니다 고쳤나요 고쳤니 고쳤지 고쳤죠 고쳤어 고쳤다 고쳤네요 고쳤는데요 고쳤을까요 고쳤던가요",
            "고쳤",
        ),
        (
            "배포했습니다 배포했나요 배포했죠 배포할까요 배포하나요 배포한대요 배포됐나요 배포되나요 배포했더라고요",
            "배포",
        ),
        ("작은가요 작을까요 작죠 작지요", "작"),
    ] {
        for word in words.split(' ') {
            assert_eq!(stem(word), expected, "{word}");
        }
    }
    for noun in [
        "하나",
        "페이지",
        "바지",
        "아버지",
        "어머니",
        "상대",
        "언어",
        "광고",
    ] {
        assert_eq!(stem(noun), noun);
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
