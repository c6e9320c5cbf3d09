//! Reads JSON that a real client wrote on a bad day: byte order marks, bytes that are not UTF-8,
//! lone surrogates, NUL blocks, glued objects.

use std::borrow::Cow;

/// Bytes as text: a leading byte order mark is dropped, what is not UTF-8 becomes U+FFFD.
pub fn text(bytes: &[u8]) -> Cow<'_, str> {
    let _ = bytes;
    unimplemented!()
}

/// Parses one JSON value. Strict first (the fast path); on failure once more after lone surrogate
/// escapes became `\ufffd` and invalid UTF-8 became U+FFFD.
pub fn parse<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Result<T, serde_json::Error> {
    let _ = bytes;
    unimplemented!()
}

/// The members of the object at depth one, in order, as raw slices; strings and nested values are
/// skipped without being parsed. Ends at the first byte that is not JSON.
pub fn members(line: &[u8]) -> Members<'_> {
    Members { rest: line }
}

/// Iterator of [`members`]: `(key, raw value)`.
#[derive(Debug)]
pub struct Members<'a> {
    rest: &'a [u8],
}

impl<'a> Iterator for Members<'a> {
    type Item = (&'a [u8], &'a [u8]);
    fn next(&mut self) -> Option<Self::Item> {
        let _ = self.rest;
        unimplemented!()
    }
}

/// The whole top-level objects that can be recovered from a damaged line (objects glued together,
/// NUL bytes or rubbish around them), as slices, in order.
pub fn recover(line: &[u8]) -> Vec<&[u8]> {
    let _ = line;
    unimplemented!()
}
