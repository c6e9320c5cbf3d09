//! How much a file of YAML comes to when its aliases are written out.

use serde::de::{DeserializeSeed, Deserializer, EnumAccess, Error, MapAccess, SeqAccess};
use serde::de::{VariantAccess, Visitor};
use std::cell::Cell;
use std::fmt;

/// Bytes that are left; `None`: there were more.
struct Left<'a>(&'a Cell<Option<usize>>);

impl Left<'_> {
    fn take<E: Error>(&self, bytes: usize) -> Result<(), E> {
        let left = self.0.get().and_then(|left| left.checked_sub(bytes + 1));
        self.0.set(left);
        left.map(|_| ()).ok_or_else(|| E::custom("too much"))
    }
}

/// Whether a text comes to at most so many bytes, each value counted as often as it is named.
pub(crate) fn is_within(text: &str, most: usize) -> bool {
    // Without an alias nothing is named twice.
    if !text.contains('&') || !text.contains('*') {
        return true;
    }
    let left = Cell::new(Some(most));
    // What else is wrong with it is told by who reads it.
    let _ = Left(&left).deserialize(serde_yaml::Deserializer::from_str(text));
    left.get().is_some()
}

impl<'de> DeserializeSeed<'de> for Left<'_> {
    type Value = ();

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<(), D::Error> {
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for Left<'_> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("anything")
    }

    fn visit_bool<E: Error>(self, _: bool) -> Result<(), E> {
        self.take(1)
    }

    fn visit_i64<E: Error>(self, _: i64) -> Result<(), E> {
        self.take(8)
    }

    fn visit_u64<E: Error>(self, _: u64) -> Result<(), E> {
        self.take(8)
    }

    fn visit_f64<E: Error>(self, _: f64) -> Result<(), E> {
        self.take(8)
    }

    fn visit_unit<E: Error>(self) -> Result<(), E> {
        self.take(1)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<(), E> {
        self.take(text.len())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        self.take(1)?;
        while items.next_element_seed(Left(self.0))?.is_some() {}
        Ok(())
    }

    fn visit_map<A: MapAccess<'de>>(self, mut items: A) -> Result<(), A::Error> {
        self.take(1)?;
        while items.next_key_seed(Left(self.0))?.is_some() {
            items.next_value_seed(Left(self.0))?;
        }
        Ok(())
    }

    fn visit_enum<A: EnumAccess<'de>>(self, data: A) -> Result<(), A::Error> {
        let ((), value) = data.variant_seed(Left(self.0))?;
        value.newtype_variant_seed(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn aliases_count_as_often_as_they_are_named() {
        let text = format!("a: &x {}\nb: [*x, *x, *x]\n", "y".repeat(100));
        assert!(is_within(&text, 500));
        assert!(!is_within(&text, 350));
        assert!(is_within("a: b & c * d\n", 100));
        assert!(is_within("a: *gone & [\n", 100));
        let depths = (1..4).map(|depth| {
            let before = format!("*a{}", depth - 1);
            format!(
                "a{depth}: &a{depth} [{}]\n",
                [before.as_str(); 9].join(", ")
            )
        });
        // Few enough names for the YAML crate, which counts them and not what they come to.
        let bomb: String = std::iter::once(format!("a0: &a0 {}\n", "x".repeat(10_000)))
            .chain(depths)
            .collect();
        assert!(serde_yaml::from_str::<serde_yaml::Value>(&bomb).is_ok());
        assert!(is_within(&bomb, 1 << 24) && !is_within(&bomb, 1 << 20));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_weighed(text in "(\\PC|[-&*:\\[\\] \n]){0,60}") {
            let _ = is_within(&text, 40);
        }
    }
}
