//! A strict JSON reader that keeps where everything stands, so that text can be edited in place.
//!
//! As strict as the client's own reader (ECMAScript's `JSON.parse`): no comments, no trailing
//! commas, no `NaN`, no raw control characters in strings. What it refuses, the client ignores.

use std::ops::Range;

/// Deeper nesting is refused: no settings file needs it, and the stack has an end.
const DEEPEST: usize = 200;

/// Where and why a text is not JSON. Line and column count from 1, the column in characters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fault {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) what: &'static str,
}

/// A value and the bytes it stands on.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Node {
    pub(crate) span: Range<usize>,
    pub(crate) value: Value,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Value {
    Object(Vec<Member>),
    Array(Vec<Node>),
    String(String),
    Bool(bool),
    /// A number or `null`.
    Other,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Member {
    /// Where the key with its quotes begins.
    pub(crate) start: usize,
    pub(crate) key: String,
    pub(crate) value: Node,
}

impl Member {
    pub(crate) fn span(&self) -> Range<usize> {
        self.start..self.value.span.end
    }
}

impl Node {
    pub(crate) fn members(&self) -> Option<&[Member]> {
        match &self.value {
            Value::Object(members) => Some(members),
            _ => None,
        }
    }
    pub(crate) fn items(&self) -> Option<&[Node]> {
        match &self.value {
            Value::Array(items) => Some(items),
            _ => None,
        }
    }
    pub(crate) fn text(&self) -> Option<&str> {
        match &self.value {
            Value::String(text) => Some(text),
            _ => None,
        }
    }
    /// The member that counts: of equal keys the last, as in the client.
    pub(crate) fn member(&self, key: &str) -> Option<&Member> {
        self.members()?.iter().rev().find(|m| m.key == key)
    }
    pub(crate) fn get(&self, key: &str) -> Option<&Node> {
        self.member(key).map(|m| &m.value)
    }
    /// How often the key stands there.
    pub(crate) fn count(&self, key: &str) -> usize {
        self.members()
            .map_or(0, |members| members.iter().filter(|m| m.key == key).count())
    }
}

/// Parses a whole text.
pub(crate) fn parse(text: &str) -> Result<Node, Fault> {
    let mut reader = Reader { text, at: 0 };
    let parsed = reader.document();
    parsed.map_err(|what| {
        let before = text.get(..reader.at).unwrap_or(text);
        let line_start = before.rfind('\n').map_or(0, |at| at + 1);
        Fault {
            line: before.matches('\n').count() + 1,
            column: before.get(line_start..).unwrap_or("").chars().count() + 1,
            what,
        }
    })
}

type Parsed<T> = Result<T, &'static str>;

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn document(&mut self) -> Parsed<Node> {
        self.blanks();
        let node = self.value(0)?;
        self.blanks();
        match self.peek() {
            None => Ok(node),
            Some(b'/') => Err("comments are not allowed"),
            Some(_) => Err("something follows the end of the object"),
        }
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.at).copied()
    }

    fn blanks(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.at += 1;
        }
    }

    fn value(&mut self, depth: usize) -> Parsed<Node> {
        if depth > DEEPEST {
            return Err("nested too deeply");
        }
        let start = self.at;
        let value = match self.peek() {
            None => return Err("the text ends too early"),
            Some(b'{') => Value::Object(self.object(depth)?),
            Some(b'[') => Value::Array(self.array(depth)?),
            Some(b'"') => Value::String(self.string()?),
            Some(b't') => self.word("true", Value::Bool(true))?,
            Some(b'f') => self.word("false", Value::Bool(false))?,
            Some(b'n') => self.word("null", Value::Other)?,
            Some(b'-' | b'0'..=b'9') => self.number()?,
            Some(b'/') => return Err("comments are not allowed"),
            Some(b'\'') => return Err("strings stand in double quotes"),
            Some(_) => return Err("a value is expected here"),
        };
        Ok(Node {
            span: start..self.at,
            value,
        })
    }

    fn object(&mut self, depth: usize) -> Parsed<Vec<Member>> {
        let mut members = Vec::new();
        self.at += 1;
        self.blanks();
        if self.take(b'}') {
            return Ok(members);
        }
        loop {
            let start = self.at;
            match self.peek() {
                Some(b'"') => {}
                Some(b'/') => return Err("comments are not allowed"),
                Some(b'}') => return Err("a comma before the closing brace is not allowed"),
                None => return Err("the text ends too early"),
                Some(_) => return Err("a key in double quotes is expected here"),
            }
            let key = self.string()?;
            self.blanks();
            if !self.take(b':') {
                return Err("a colon is expected here");
            }
            self.blanks();
            let value = self.value(depth + 1)?;
            members.push(Member { start, key, value });
            self.blanks();
            if self.take(b'}') {
                return Ok(members);
            }
            self.comma()?;
        }
    }

    fn array(&mut self, depth: usize) -> Parsed<Vec<Node>> {
        let mut items = Vec::new();
        self.at += 1;
        self.blanks();
        if self.take(b']') {
            return Ok(items);
        }
        loop {
            if self.peek() == Some(b']') {
                return Err("a comma before the closing bracket is not allowed");
            }
            items.push(self.value(depth + 1)?);
            self.blanks();
            if self.take(b']') {
                return Ok(items);
            }
            self.comma()?;
        }
    }

    fn comma(&mut self) -> Parsed<()> {
        match self.peek() {
            Some(b',') => {
                self.at += 1;
                self.blanks();
                Ok(())
            }
            Some(b'/') => Err("comments are not allowed"),
            None => Err("the text ends too early"),
            Some(_) => Err("a comma is expected here"),
        }
    }

    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    fn word(&mut self, word: &str, value: Value) -> Parsed<Value> {
        if self
            .text
            .get(self.at..)
            .is_some_and(|t| t.starts_with(word))
        {
            self.at += word.len();
            Ok(value)
        } else {
            Err("a value is expected here")
        }
    }

    fn number(&mut self) -> Parsed<Value> {
        self.take(b'-');
        if self.take(b'0') {
            if matches!(self.peek(), Some(b'0'..=b'9')) {
                return Err("a number must not begin with 0");
            }
        } else {
            self.digits()?;
        }
        if self.take(b'.') {
            self.digits()?;
        }
        if matches!(self.peek(), Some(b'e' | b'E')) {
            self.at += 1;
            if !self.take(b'+') {
                self.take(b'-');
            }
            self.digits()?;
        }
        Ok(Value::Other)
    }

    fn digits(&mut self) -> Parsed<()> {
        let start = self.at;
        while matches!(self.peek(), Some(b'0'..=b'9')) {
            self.at += 1;
        }
        if self.at == start {
            Err("a digit is expected here")
        } else {
            Ok(())
        }
    }

    fn string(&mut self) -> Parsed<String> {
        self.at += 1;
        let mut text = String::new();
        loop {
            let rest = self.text.get(self.at..).unwrap_or("");
            let plain = rest
                .bytes()
                .position(|b| b == b'"' || b == b'\\' || b < 0x20)
                .unwrap_or(rest.len());
            text.push_str(rest.get(..plain).unwrap_or(""));
            self.at += plain;
            match self.peek() {
                None => return Err("a string is not closed"),
                Some(b'"') => {
                    self.at += 1;
                    return Ok(text);
                }
                Some(b'\\') => text.push(self.escape()?),
                Some(b'\n' | b'\r') => return Err("a string must end on its line"),
                Some(_) => return Err("a control character must be escaped"),
            }
        }
    }

    /// One escape; a surrogate without its partner becomes U+FFFD.
    fn escape(&mut self) -> Parsed<char> {
        self.at += 1;
        let kind = self.peek().ok_or("a string is not closed")?;
        self.at += 1;
        Ok(match kind {
            b'"' | b'\\' | b'/' => char::from(kind),
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'u' => {
                let first = self.hex()?;
                if !(0xd800..0xdc00).contains(&first) {
                    return Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER));
                }
                let after = self.at;
                if self.take(b'\\') && self.take(b'u') {
                    let second = self.hex()?;
                    if (0xdc00..0xe000).contains(&second) {
                        let code = 0x1_0000 + ((first - 0xd800) << 10) + (second - 0xdc00);
                        return Ok(char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER));
                    }
                }
                self.at = after;
                char::REPLACEMENT_CHARACTER
            }
            _ => {
                self.at -= 1;
                return Err("this escape does not exist");
            }
        })
    }

    fn hex(&mut self) -> Parsed<u32> {
        let digits = self.text.get(self.at..self.at + 4).unwrap_or("");
        if digits.len() != 4 || !digits.bytes().all(|b| b.is_ascii_hexdigit()) {
            return Err("four hexadecimal digits are expected here");
        }
        self.at += 4;
        u32::from_str_radix(digits, 16).map_err(|_| "four hexadecimal digits are expected here")
    }
}

/// A string as JSON, quotes included.
pub(crate) fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn fault(text: &str) -> (usize, usize, &'static str) {
        let fault = parse(text).unwrap_err();
        (fault.line, fault.column, fault.what)
    }

    #[test]
    fn spans_are_exact() {
        let text = r#" {"a": [1, {"b":"x"}], "ß" : true} "#;
        let root = parse(text).unwrap();
        assert_eq!(&text[root.span.clone()], text.trim());
        let a = root.member("a").unwrap();
        assert_eq!(&text[a.span()], r#""a": [1, {"b":"x"}]"#);
        assert_eq!(
            &text[a.value.items().unwrap()[1].span.clone()],
            r#"{"b":"x"}"#
        );
        assert_eq!(&text[root.member("ß").unwrap().span()], r#""ß" : true"#);
    }

    #[test]
    fn faults_say_where() {
        assert_eq!(
            fault("{\n  \"가\": 1, // x\n}"),
            (2, 11, "comments are not allowed")
        );
        assert_eq!(
            fault("{\"a\":1,}"),
            (1, 8, "a comma before the closing brace is not allowed")
        );
        assert_eq!(
            fault("{\"a\":[1,\n]}"),
            (2, 1, "a comma before the closing bracket is not allowed")
        );
        assert_eq!(fault("{\"a\":NaN}"), (1, 6, "a value is expected here"));
        assert_eq!(
            fault("{'a':1}"),
            (1, 2, "a key in double quotes is expected here")
        );
        assert_eq!(
            fault("{\"a\":1} x").2,
            "something follows the end of the object"
        );
        assert_eq!(fault("").2, "the text ends too early");
        assert_eq!(fault("{\"a\":\"x\n\"}").2, "a string must end on its line");
        assert_eq!(fault(&"[".repeat(100_000)).2, "nested too deeply");
        for text in [
            "{",
            "{\"a\"",
            "{\"a\":",
            "[1 2]",
            "01",
            "1.",
            "-",
            "1e",
            "tru",
            "\"\\x\"",
            "\"\\u12g4\"",
            "{\"a\" 1}",
            "\u{feff}{}",
            "\"\t\"",
            "+1",
            ".5",
        ] {
            assert!(parse(text).is_err(), "{text}");
        }
    }

    #[test]
    fn escapes_are_read() {
        let text = r#""\u0068ooks \ud83d\ude00 \ud83d \ud83dA \/""#;
        assert_eq!(
            parse(text).unwrap().text(),
            Some("hooks 😀 \u{fffd} \u{fffd}A /")
        );
    }

    #[test]
    fn the_last_of_equal_keys_counts() {
        let root = parse(r#"{"a":"x","a":"y"}"#).unwrap();
        assert_eq!(root.get("a").unwrap().text(), Some("y"));
        assert_eq!(root.count("a"), 2);
    }

    proptest! {
        #[test]
        fn agrees_with_serde(text in r#"[\[\]{}",: \\u0-9a-f.eE+-]{0,40}"#) {
            // serde_json refuses numbers out of range and lone surrogates, the client does not.
            let ours = parse(&text).is_ok();
            if serde_json::from_str::<serde_json::Value>(&text).is_ok() {
                prop_assert!(ours, "{text}");
            } else if ours {
                let why = serde_json::from_str::<serde_json::Value>(&text).unwrap_err().to_string();
                prop_assert!(
                    ["out of range", "surrogate", "hex escape", "code point"].iter().any(|w| why.contains(w)),
                    "{text}: {why}"
                );
            }
        }
        #[test]
        fn any_text_is_safe(text in any::<String>()) {
            let _ = parse(&text);
        }
        #[test]
        fn strings_survive(text in any::<String>()) {
            let quoted = quote(&text);
            let node = parse(&quoted).unwrap();
            prop_assert_eq!(node.text(), Some(text.as_str()));
        }
    }
}
