//! What a hostile or damaged file must not be able to do.

use super::{Node, parse};
use proptest::prelude::*;
use std::fmt::Write;

fn refused(text: &str) -> bool {
    parse(text.as_bytes()).is_err()
}

#[test]
fn values_have_their_types() {
    let node =
        parse(b"a: 1\nb: true\nc: off\nd: [x, 2]\ne:\n  f: 'true'\ng: -1\nh: 1.5\ni:\nj: !t x\n");
    let text = |text: &str| Node::Text(text.to_owned());
    let key = |key: &str, node: Node| (key.to_owned(), node);
    assert_eq!(
        node,
        Ok(Node::Map(vec![
            key("a", Node::Integer(1)),
            key("b", Node::Bool(true)),
            key("c", text("off")),
            key("d", Node::List(vec![text("x"), Node::Integer(2)])),
            key("e", Node::Map(vec![key("f", text("true"))])),
            key("g", Node::Other),
            key("h", Node::Other),
            key("i", Node::Null),
            key("j", Node::Other),
        ]))
    );
}

#[test]
fn empty_documents_are_nothing() {
    for text in [
        "",
        "\n",
        " \n \n",
        "# only a comment\n",
        "---\n",
        "\u{feff}",
        "\u{feff}# x\n",
    ] {
        assert_eq!(parse(text.as_bytes()), Ok(Node::Null), "{text:?}");
    }
}

#[test]
fn a_bom_and_crlf_do_not_matter() {
    let expected = parse(b"a: b\nc: [d]\n");
    assert_eq!(parse("\u{feff}a: b\r\nc: [d]\r\n".as_bytes()), expected);
}

#[test]
fn damaged_files_are_refused() {
    for text in [
        "a: [",
        "a: b: c",
        "\ta: b",
        "a: b\n---\nc: d\n",
        "a: *no",
        "a: 1\na: 2",
        "? [a]\n: b",
        "a: \"",
        "%",
    ] {
        assert!(refused(text), "{text:?}");
    }
    assert!(parse(b"a: \xff\xfe").is_err());
}

#[test]
fn aliases_cannot_multiply() {
    let mut bomb = String::from("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for level in 1..=6 {
        let previous = format!("*a{}, ", level - 1).repeat(10);
        writeln!(bomb, "a{level}: &a{level} [{previous}]").unwrap();
    }
    assert!(refused(&bomb));
    let wide = format!(
        "a: &a [{}]\nb: [{}]\n",
        "x,".repeat(4000),
        "*a,".repeat(4000)
    );
    assert!(refused(&wide));
    assert!(refused("a: &a [*a]"));

    // One alias is fine.
    assert!(!refused("a: &a [x]\nb: *a\n"));
}

#[test]
fn deep_nesting_is_refused() {
    for (open, close) in [
        ("[", "]"),
        ("{a: ", "}"),
        ("- ", ""),
        ("? ", ""),
        ("[{a: ", "}]"),
        ("!t [", "]"),
    ] {
        for depth in [20, 200, 20_000] {
            let text = format!("{}{}", open.repeat(depth), close.repeat(depth));
            let text = &text[..text.len().min(64 << 10)];
            assert!(refused(text), "{open} {depth}");
        }
    }
}

#[test]
fn long_monotonous_files_come_to_an_end() {
    for unit in [
        "a: b\n", "- x\n", "&a ", "*a ", "!a ", "? ", ": ", "\"", "'", "| ", "> ", "# ", "a", " ",
        "\n", "%a\n", "---\n", "...\n", "[", "{", "]", "}", ",", "&a [", "[a, ", "{a, ", "a: [\n",
        " a:\n", "\t", "\u{85}",
    ] {
        let text = unit.repeat((64 << 10) / unit.len());
        let _ = parse(text.as_bytes());
    }
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        let _ = parse(&bytes);
    }

    #[test]
    fn any_yaml_like_text_is_read_or_refused(text in "([a-c]|[:,&*!?|>'\"%#\\[\\]{}-]| |\n|  |: |- |\\? |<<: ){0,200}") {
        let _ = parse(text.as_bytes());
    }
}
