//! `memory/synonyms.yaml`: a user's own words that mean the same.
//!
//! ```yaml
//! - [커머스, shop-api, storefront]
//! ```
//! or by word:
//! ```yaml
//! storefront: [커머스, shop-api]
//! ```

use serde_yaml::Value;

/// Lists of words that mean the same, from the text of a `memory/synonyms.yaml`.
///
/// # Errors
/// What is wrong with it, in words.
pub fn parse(text: &str) -> Result<Vec<Vec<String>>, String> {
    if text.len() > 1 << 20 {
        return Err("it is larger than 1 MB".to_owned());
    }
    mnemo_home::scans_in_time(text)?;
    let value: Value = serde_yaml::from_str(text).map_err(|error| error.to_string())?;
    match value {
        Value::Null => Ok(Vec::new()),
        Value::Sequence(lists) => lists
            .iter()
            .map(|list| words(list).ok_or_else(|| "each item has to be a list of words".to_owned()))
            .collect(),
        Value::Mapping(map) => map
            .iter()
            .map(|(word, others)| {
                let mut list = words(word).unwrap_or_default();
                list.extend(words(others).unwrap_or_default());
                if list.len() > 1 {
                    Ok(list)
                } else {
                    Err("each word has to have a list of words".to_owned())
                }
            })
            .collect(),
        _ => Err("it has to be a list of lists of words, or words with lists".to_owned()),
    }
}

fn words(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::String(word) => Some(word.split(',').map(|word| word.trim().to_owned()).collect()),
        Value::Number(number) => Some(vec![number.to_string()]),
        Value::Sequence(list) => list
            .iter()
            .map(|word| match word {
                Value::String(word) => Some(word.clone()),
                Value::Number(number) => Some(number.to_string()),
                _ => None,
            })
            .collect(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read() {
        assert_eq!(
            parse("- [a, 나]\n- [b, c]\n").unwrap(),
            [["a", "나"], ["b", "c"]]
        );
        assert_eq!(
            parse("a: [나, b]\nc: d, e\n").unwrap(),
            [["a", "나", "b"], ["c", "d", "e"]]
        );
        assert!(parse("3").is_err());
        assert!(parse("").unwrap().is_empty());
    }
}
