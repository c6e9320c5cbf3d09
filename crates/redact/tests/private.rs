//! `<private>` blocks, as a person may type them.

use redact::{Policy, by_line, clean, private_blocks};

fn hide(text: &str) -> String {
    clean(text, Policy { secrets: false }).into_string()
}

#[track_caller]
fn assert_hidden(text: &str, expected: &str) {
    let once = hide(text);
    assert_eq!(once, expected, "of {text:?}");
    assert_eq!(hide(&once), once, "a second pass changed {once:?}");
}

#[test]
fn plain_block() {
    assert_hidden("a <private>X</private> b", "a [PRIVATE] b");
    assert_hidden("<private></private>", "[PRIVATE]");
    assert_hidden("a <private>X\nY\r\n\nZ</private> b", "a [PRIVATE] b");
    assert_hidden(
        "a <private>1</private> b <private>2</private> c",
        "a [PRIVATE] b [PRIVATE] c",
    );
    assert_hidden(
        "한글<private>비밀</private>뒤 🦀<private>é</private>",
        "한글[PRIVATE]뒤 🦀[PRIVATE]",
    );
}

#[test]
fn of_a_block_every_line_is_marked_and_stays_in_its_place() {
    for (text, shown) in [
        ("a\nb\n", "a\nb\n"),
        ("a <private>X</private> b", "a [PRIVATE] b"),
        (
            "a <private>X\nY\r\n\n  Z</private> b\nc",
            "a [PRIVATE]\n[PRIVATE]\r\n\n[PRIVATE] b\nc",
        ),
        ("a\n<private>\nb\n", "a\n[PRIVATE]\n[PRIVATE]\n"),
        (
            "-----BEGIN RSA PRIVATE KEY-----\nbUBgOywcGZUqbUBg\n-----END RSA PRIVATE KEY-----\nb",
            "[REDACTED:private-key]\n[REDACTED:private-key]\n[REDACTED:private-key]\nb",
        ),
    ] {
        assert_eq!(by_line(text), shown);
    }
    let text = "a <private>x\n</private> b <PRIVATE>c";
    let blocks = private_blocks(text);
    let inside: Vec<&str> = blocks.iter().map(|block| &text[block.clone()]).collect();
    assert_eq!(inside, ["<private>x\n</private>", "<PRIVATE>c"]);
}

#[test]
fn case_blanks_attributes() {
    for open in [
        "<PRIVATE>",
        "<Private>",
        "<pRiVaTe>",
        "<private >",
        "<private\t>",
        "<private\n>",
        "<private\r\n  >",
        "< private>",
        "<\nprivate>",
        "< private >",
        "<private x=1>",
        "<private x='1' y=\"2\">",
        "<private x=\"a>b\">",
        "<private x='a>b'>",
        "<private x = 'a > b'>",
        "<private x=\"</private>\">",
        "<private x=\\\"a>b\\\">",
        "<private don't>",
        "<private =>",
        "<private,>",
        "<private\u{a0}>",
        "<private\u{3000}reason>",
    ] {
        for close in [
            "</private>",
            "</PRIVATE>",
            "</private >",
            "</ private >",
            "< / private >",
            "</private\n>",
            "</private x=\"1\">",
        ] {
            assert_hidden(
                &format!("before {open}secret\nmore{close} after"),
                "before [PRIVATE] after",
            );
        }
    }
}

#[test]
fn nested_blocks_are_one() {
    assert_hidden(
        "<private>o <private>S</private> TAIL</private> end",
        "[PRIVATE] end",
    );
    assert_hidden(
        "<private>1<PRIVATE a='b'>2< private >3</private>4</private>5</private>6",
        "[PRIVATE]6",
    );
    // One end is missing: all that follows is hidden.
    assert_hidden("a <private>o <private>S</private> TAIL", "a [PRIVATE]");
}

#[test]
fn unclosed_hides_the_rest() {
    for tail in [
        "<private>S and more",
        "<private",
        "<PRIVATE\n",
        "<private S without an end",
        "<private x=\"S",
        "<private x=\"a>S</private> more",
        "<private/>S",
        "<private />S",
        "<private>S</private",
        "<private>S</privat>",
        "<private>S</privates>",
        "<private>S</private-key>",
        "<private>S<\\/private>",
        "<private>S&lt;/private&gt;",
        "<private>S</pri\u{200b}vate> more",
    ] {
        assert_hidden(&format!("a {tail}"), "a [PRIVATE]");
    }
}

#[test]
fn a_tag_without_its_bracket_begins_a_block() {
    assert_hidden("a <private S</private> b", "a [PRIVATE] b");
    assert_hidden("a <private\nS\n</private> b", "a [PRIVATE] b");
    assert_hidden("a <private<b>S</b></private> c", "a [PRIVATE] c");
}

#[test]
fn code_fences_and_quotes_hide_nothing_from_us() {
    assert_hidden(
        "```html\n<private>S</private>\n```\nrest",
        "```html\n[PRIVATE]\n```\nrest",
    );
    assert_hidden("`<private>` S", "`[PRIVATE]");
    assert_hidden("\"<private>S</private>\"", "\"[PRIVATE]\"");
    assert_hidden("<!-- <private>S</private> -->", "<!-- [PRIVATE] -->");
    assert_hidden("<<private>S</private>private>T", "<[PRIVATE]private>T");
}

#[test]
fn invisible_and_full_width_characters_do_not_open_a_gap() {
    assert_hidden("a <pri\u{200b}vate>S</private> b", "a [PRIVATE] b");
    assert_hidden("a <\u{feff}private\u{200d}>S</private> b", "a [PRIVATE] b");
    assert_hidden("a <p\u{ad}rivate>S</private> b", "a [PRIVATE] b");
    assert_hidden("a ＜private＞S＜/private＞ b", "a [PRIVATE] b");
    assert_hidden("a ＜PRIVATE＞S＜／private＞ b", "a [PRIVATE] b");
    assert_hidden("a ＜private>S</private> b", "a [PRIVATE] b");
    // What an ordinary tag began, a full-width one does not end.
    assert_hidden("a <private>S＜/private＞T</private> b", "a [PRIVATE] b");
}

#[test]
fn other_text_stays() {
    for text in [
        "",
        "private",
        "a </private> b",
        "</ PRIVATE >",
        "<privates>S</privates>",
        "<private-key>S</private-key>",
        "<private_note>",
        "<private.h>",
        "<private:x>",
        "<privaté>",
        "<private비밀>",
        "&lt;private&gt;S&lt;/private&gt;",
        "#include <privat",
        "<priv",
        "<p",
        "<",
        "<<<>>> a < b > c",
        "public < protected < private",
        "public < protected < private, as in Vec<String>",
        "if level < private { return }",
        "\\u003cprivate\\u003e",
        "[PRIVATE]",
        "<div class=\"private\">text</div>",
        "＜개인＞ ＜priv＞ ＜",
    ] {
        assert_hidden(text, text);
    }
}

#[test]
fn adversarial_input_takes_linear_time() {
    // A quadratic scan of these takes hours, not seconds.
    for pattern in [
        "<private",
        "<private ",
        "<private x=\"",
        "<private x='a\"",
        "< private ",
        "</private",
        "</private ",
        "<",
        "＜",
        "＜private",
        "<\u{200b}",
        "< ",
        "<privatea",
        "<private></private>",
        "< private =\"< private \"=\"",
        "</private =\"</private \"=\"",
    ] {
        let text = pattern.repeat(3_000_000 / pattern.len());
        let cleaned = hide(&text);
        assert!(cleaned.len() <= text.len() + 9, "{pattern:?}");
    }
    // One bracket and an endless blank.
    let text = format!("<{}", " ".repeat(8_000_000));
    assert_eq!(hide(&text), text);
}
