//! YAML that is not trusted, read into a small tree of bounded size.
//!
//! The values are built by a visitor of our own, which counts every value it is handed, those
//! behind aliases included: a file whose aliases multiply is refused after [`MOST_VALUES`].

use serde::de::{
    DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess, VariantAccess, Visitor,
};
use std::cell::Cell;
use std::fmt;

/// Values in one file, each repetition by an alias counted.
const MOST_VALUES: u32 = 5_000;

/// Keys in one map.
const MOST_KEYS: usize = 200;

/// Opening brackets and braces in one file.
const MOST_BRACKETS: usize = 500;

/// Lists and maps inside each other.
const DEEPEST: u32 = 8;

/// Brackets and braces that may be open at once in a text of any kind; [`scans_in_time`].
const MOST_OPEN: usize = 1_000;

/// Whether the YAML crate can scan a text in time. Its scanner takes time that grows with the square
/// of the brackets that are open at once, before it looks how deep they are (measured: 50,000 take
/// 13 seconds). They are counted wherever they stand: what a quote or a comment is, only the scanner
/// knows.
///
/// # Errors
/// Why not, for people.
pub fn scans_in_time(text: &str) -> Result<(), String> {
    let mut open = 0_usize;
    for byte in text.bytes() {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            _ => {}
        }
        if open > MOST_OPEN {
            return Err(format!("more than {MOST_OPEN} brackets are open at once"));
        }
    }
    Ok(())
}

/// One value.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Node {
    Null,
    Bool(bool),
    Integer(u64),
    Text(String),
    List(Vec<Node>),
    Map(Vec<(String, Node)>),
    /// What no setting takes: fractions, negative numbers, tagged values.
    Other,
}

/// Reads a document; an empty one is [`Node::Null`]. The error is for people.
pub(crate) fn parse(bytes: &[u8]) -> Result<Node, String> {
    // The YAML crate takes a byte order mark for a document of its own.
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Ok(Node::Null);
    }
    // Its scanner takes time that grows with the square of the open brackets. They are counted
    // wherever they stand: what a quote or a comment is, only the scanner knows.
    let brackets = bytes.iter().filter(|b| matches!(b, b'[' | b'{')).count();
    if brackets > MOST_BRACKETS {
        return Err("too many brackets".to_owned());
    }
    let left = Cell::new(MOST_VALUES);
    let seed = Seed {
        left: &left,
        depth: 0,
    };
    seed.deserialize(serde_yaml::Deserializer::from_slice(bytes))
        .map_err(|error| error.to_string())
}

#[derive(Clone, Copy)]
struct Seed<'a> {
    left: &'a Cell<u32>,
    depth: u32,
}

impl Seed<'_> {
    fn deeper<E: Error>(self) -> Result<Self, E> {
        if self.depth >= DEEPEST {
            return Err(E::custom("lists and maps are nested too deep"));
        }
        Ok(Self {
            depth: self.depth + 1,
            ..self
        })
    }
}

impl<'de> DeserializeSeed<'de> for Seed<'_> {
    type Value = Node;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Node, D::Error> {
        match self.left.get().checked_sub(1) {
            Some(left) => self.left.set(left),
            None => return Err(D::Error::custom("too many values")),
        }
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Seed<'_> {
    type Value = Node;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a setting")
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_none<E>(self) -> Result<Node, E> {
        Ok(Node::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Bool(value))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Integer(value))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(u64::try_from(value).map_or(Node::Other, Node::Integer))
    }

    fn visit_u128<E>(self, _: u128) -> Result<Node, E> {
        Ok(Node::Other)
    }

    fn visit_i128<E>(self, _: i128) -> Result<Node, E> {
        Ok(Node::Other)
    }

    fn visit_f64<E>(self, _: f64) -> Result<Node, E> {
        Ok(Node::Other)
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Node, A::Error> {
        let seed = self.deeper()?;
        let mut list = Vec::new();
        while let Some(node) = seq.next_element_seed(seed)? {
            list.push(node);
        }
        Ok(Node::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Node, A::Error> {
        let seed = self.deeper()?;
        let mut entries: Vec<(String, Node)> = Vec::new();
        while let Some(key) = map.next_key_seed(seed)? {
            let value = map.next_value_seed(seed)?;
            let Node::Text(key) = key else {
                return Err(A::Error::custom("a key is not a plain text"));
            };
            if entries.len() >= MOST_KEYS {
                return Err(A::Error::custom("too many keys"));
            }
            if entries.iter().any(|(known, _)| *known == key) {
                return Err(A::Error::custom("a key stands twice"));
            }
            entries.push((key, value));
        }
        Ok(Node::Map(entries))
    }

    /// `!tag value`
    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<Node, A::Error> {
        let seed = self.deeper()?;
        let (_, value) = data.variant_seed(seed)?;
        value.newtype_variant_seed(seed)?;
        Ok(Node::Other)
    }
}

#[cfg(test)]
#[path = "yaml_tests.rs"]
mod tests;
