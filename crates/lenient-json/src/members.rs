//! The members of one object, raw.

use crate::scan::{skip_blanks, skip_lead, skip_value, string_end};

/// The members of the object at depth one, in order, as raw slices; strings and nested values are
/// skipped without being parsed. Ends at the first byte that is not JSON; afterwards
/// [`Members::closed`] tells whether that was the object's own end.
///
/// Blanks, NUL bytes and a byte order mark before the object are skipped. Brackets of nested
/// values are counted, not matched by kind. Keys come without their quotes and with escapes as
/// they are written.
pub fn members(line: &[u8]) -> Members<'_> {
    Members {
        line,
        at: skip_lead(line),
        state: State::Before,
    }
}

/// Iterator of [`members`]: `(key, raw value)`.
#[derive(Debug, Clone)]
pub struct Members<'a> {
    line: &'a [u8],
    at: usize,
    state: State,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum State {
    Before,
    Inside,
    Closed,
    Broken,
}

impl<'a> Members<'a> {
    /// The object's closing brace was reached: nothing of it is missing.
    pub fn closed(&self) -> bool {
        self.state == State::Closed
    }
    /// What follows the last member, or the object once it is closed.
    pub fn rest(&self) -> &'a [u8] {
        self.line.get(self.at..).unwrap_or_default()
    }

    /// Steps to the next member's key. `None` at the end of the object or of the JSON.
    #[inline]
    fn key_start(&mut self) -> Option<usize> {
        let mut at = skip_blanks(self.line, self.at);
        match (self.state, self.line.get(at)?) {
            (State::Before, b'{') => {
                at = skip_blanks(self.line, at + 1);
                self.state = State::Inside;
                if self.line.get(at) == Some(&b'}') {
                    self.close(at);
                    return None;
                }
            }
            (State::Inside, b',') => at = skip_blanks(self.line, at + 1),
            (State::Inside, b'}') => {
                self.close(at);
                return None;
            }
            _ => return None,
        }
        (self.line.get(at) == Some(&b'"')).then_some(at)
    }

    fn close(&mut self, brace: usize) {
        self.at = brace + 1;
        self.state = State::Closed;
    }

    #[inline]
    fn member(&mut self) -> Option<(&'a [u8], &'a [u8])> {
        let key = self.key_start()?;
        let key_end = string_end(self.line, key)?;
        let mut at = key_end;
        // The client writes compact JSON: no blanks around the colon.
        if self.line.get(at) != Some(&b':') {
            at = skip_blanks(self.line, at);
            if self.line.get(at) != Some(&b':') {
                return None;
            }
        }
        let value = skip_blanks(self.line, at + 1);
        let end = skip_value(self.line, value)?;
        self.at = end;
        Some((
            self.line.get(key + 1..key_end - 1)?,
            self.line.get(value..end)?,
        ))
    }
}

impl<'a> Iterator for Members<'a> {
    type Item = (&'a [u8], &'a [u8]);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        if matches!(self.state, State::Closed | State::Broken) {
            return None;
        }
        let member = self.member();
        if member.is_none() && self.state != State::Closed {
            self.state = State::Broken;
        }
        member
    }
}

impl std::iter::FusedIterator for Members<'_> {}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Member<'a> = (&'a [u8], &'a [u8]);

    fn all(line: &[u8]) -> (Vec<Member<'_>>, bool) {
        let mut members = members(line);
        let found = members.by_ref().collect();
        (found, members.closed())
    }

    #[test]
    fn values_are_skipped_raw() {
        let line =
            br#"{"a":1,"b":"x\"}","c":{"d":["]}",{}]},"e":[],"f":true,"g":null,"h":-1.5e+3}"#;
        let (found, closed) = all(line);
        assert!(closed);
        let found: Vec<_> = found
            .iter()
            .map(|(k, v)| (str::from_utf8(k).unwrap(), str::from_utf8(v).unwrap()))
            .collect();
        assert_eq!(
            found,
            [
                ("a", "1"),
                ("b", r#""x\"}""#),
                ("c", r#"{"d":["]}",{}]}"#),
                ("e", "[]"),
                ("f", "true"),
                ("g", "null"),
                ("h", "-1.5e+3"),
            ]
        );
    }

    #[test]
    fn blanks_marks_and_nuls_around_are_skipped() {
        let (found, closed) = all(b"\0\0\xEF\xBB\xBF {\r\n \"a\" : 1 ,\t\"b\":[ ] } x");
        assert_eq!(found, [(&b"a"[..], &b"1"[..]), (b"b", b"[ ]")]);
        assert!(closed);
        assert_eq!(all(b"{}"), (vec![], true));
        assert_eq!(all(b" { } "), (vec![], true));
    }

    #[test]
    fn it_ends_where_the_json_ends() {
        for (line, count) in [
            (&b""[..], 0),
            (b"[1]", 0),
            (b"\"a\"", 0),
            (b"{\"a\":1", 1),
            (b"{\"a\":1,", 1),
            (b"{\"a\":1,}", 1),
            (b"{\"a\":1,\"b\":\"tor", 1),
            (b"{\"a\":1,\"b\":{\"c\":[1,2", 1),
            (b"{\"a\":1 \"b\":2}", 1),
            (b"{\"a\":1,\"b\"}", 1),
            (b"{\"a\":1,b:2}", 1),
            (b"{\"a\":1,\"b\":x}", 1),
            (b"{\"a\":1,\"b\":\0}", 1),
        ] {
            let (found, closed) = all(line);
            assert_eq!(
                (found.len(), closed),
                (count, false),
                "{}",
                line.escape_ascii()
            );
        }
    }

    #[test]
    fn the_rest_of_a_glued_line() {
        let mut first = members(b"{\"a\":1}{\"b\":2}");
        assert_eq!(first.by_ref().count(), 1);
        assert_eq!(first.rest(), b"{\"b\":2}");
        assert_eq!(first.next(), None);
    }

    fn json() -> impl Strategy<Value = serde_json::Value> {
        let leaf = prop_oneof![
            Just(serde_json::Value::Null),
            any::<bool>().prop_map(Into::into),
            any::<i64>().prop_map(Into::into),
            any::<String>().prop_map(Into::into),
            "[\\\\\"{}\\[\\]:, ]{0,40}".prop_map(Into::into),
        ];
        leaf.prop_recursive(4, 64, 6, |inner| {
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..6).prop_map(Into::into),
                prop::collection::btree_map("[a-z\"\\\\{]{0,40}", inner, 0..6)
                    .prop_map(|map| serde_json::Value::Object(map.into_iter().collect())),
            ]
        })
    }

    proptest! {
        #[test]
        fn any_object_is_walked_as_it_was_written(
            map in prop::collection::btree_map("[ -~]{0,40}", json(), 0..8),
            pretty in any::<bool>(),
        ) {
            let text = if pretty {
                serde_json::to_string_pretty(&map).unwrap()
            } else {
                serde_json::to_string(&map).unwrap()
            };
            let mut walk = members(text.as_bytes());
            let mut found = std::collections::BTreeMap::new();
            for (key, value) in walk.by_ref() {
                let key: String =
                    serde_json::from_str(&format!("\"{}\"", str::from_utf8(key).unwrap())).unwrap();
                found.insert(key, serde_json::from_slice::<serde_json::Value>(value).unwrap());
            }
            prop_assert!(walk.closed());
            prop_assert_eq!(found, map);
            prop_assert_eq!(crate::first_object(text.as_bytes()), Ok(text.as_bytes()));
        }

        #[test]
        fn any_bytes_are_walked_to_an_end(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
            members(&bytes).for_each(drop);
            let _ = crate::first_object(&bytes);
        }

        #[test]
        fn any_near_json_is_walked_to_an_end(text in "[{}\\[\\]\":,\\\\a0 \\x00]{0,120}") {
            let closed = {
                let mut walk = members(text.as_bytes());
                walk.by_ref().for_each(drop);
                walk.closed()
            };
            // What is whole by the checked grammar is whole for the fast walk.
            if crate::first_object(text.as_bytes()).is_ok() {
                prop_assert!(closed);
            }
        }
    }
}
