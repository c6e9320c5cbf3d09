//! What a rule's frontmatter says.

use crate::version::Rules;
use memory::loaded::trim;

/// Whether a rule's frontmatter narrows it to some paths, so that it is not loaded at the start.
pub(crate) fn narrows(front: &str, rules: &Rules) -> bool {
    let Some(paths) = yaml(front, rules).and_then(|value| value.get("paths").cloned()) else {
        return false;
    };
    let patterns: Vec<String> = match &paths {
        serde_yaml::Value::String(list) => split(list),
        serde_yaml::Value::Sequence(list) => list
            .iter()
            .filter_map(serde_yaml::Value::as_str)
            .flat_map(split)
            .collect(),
        _ => Vec::new(),
    };
    let named = patterns
        .iter()
        .map(|pattern| pattern.strip_suffix("/**").unwrap_or(pattern))
        .filter(|pattern| !pattern.is_empty());
    // `**` alone means everywhere, which is no narrowing.
    named.clone().count() > 0 && !named.clone().all(|pattern| pattern == "**")
}

/// At commas outside braces, blanks around each taken off.
fn split(list: &str) -> Vec<String> {
    let mut depth = 0_usize;
    let mut parts = vec![String::new()];
    for c in list.chars() {
        match c {
            '{' => depth += 1,
            '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                parts.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = parts.last_mut() {
            last.push(c);
        }
    }
    parts
        .iter()
        .map(|part| trim(part).to_owned())
        .filter(|part| !part.is_empty())
        .collect()
}

/// Longest frontmatter that is parsed, bytes.
const FRONT_LIMIT: usize = 256 * 1024;

/// YAML as people write it: where it is none, values with signs in them are taken as plain text.
fn yaml(front: &str, rules: &Rules) -> Option<serde_yaml::Value> {
    if front.len() > FRONT_LIMIT || mnemo_home::scans_in_time(front).is_err() {
        return None;
    }
    serde_yaml::from_str(front).ok().or_else(|| {
        let quoted: Vec<String> = front.lines().map(|line| quoted(line, rules)).collect();
        serde_yaml::from_str(&quoted.join("\n")).ok()
    })
}

fn quoted(line: &str, rules: &Rules) -> String {
    let keep = || line.to_owned();
    let Some((key, value)) = line.split_once(':') else {
        return keep();
    };
    let is_key = !key.is_empty()
        && key
            .bytes()
            .all(|b| b.is_ascii_alphabetic() || matches!(b, b'_' | b'-'));
    let value = value.trim();
    let signs = value.contains([
        '{', '}', '[', ']', '*', '&', '#', '!', '|', '>', '%', '@', '`',
    ]);
    let colon = rules.mends_colons && value.contains(": ");
    if !is_key || value.is_empty() || value.starts_with(['"', '\'']) || !(signs || colon) {
        return keep();
    }
    let text = serde_json::Value::String(value.to_owned());
    format!("{key}: {text}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Version;
    use proptest::prelude::*;

    fn newest() -> Rules {
        Rules::of(Version::NEWEST_MEASURED)
    }

    fn oldest() -> Rules {
        Rules::of(Version::new(2, 1, 59))
    }

    // Which rules were loaded at the start by 2.1.332 (first), 2.1.59 (second).
    #[test]
    fn paths_narrow_a_rule() {
        for (text, new, old) in [
            ("paths: src/**\n", true, true),
            ("paths: \"**\"\n", false, false),
            ("paths:\n", false, false),
            ("paths: []\n", false, false),
            ("paths: \"**/*\"\n", true, true),
            ("globs: src/**\n", false, false),
            ("paths: a, b\n", true, true),
            ("paths: [a, b]\n", true, true),
            ("paths: **/*.ts\n", true, true),
            ("paths: a\r\n", true, true),
            ("Paths: a\n", false, false),
            ("paths: 5\n", false, false),
            ("paths: {a: b}\n", false, false),
            ("paths: \"/**\"\n", false, false),
            ("paths: \"\"\n", false, false),
            ("paths: [\"\"]\n", false, false),
            ("paths: [\"**\"]\n", false, false),
            ("paths: [\"**\", \"a\"]\n", true, true),
            ("paths: a\nbad: [x\n", true, true),
            ("paths: \",\"\n", false, false),
            ("paths: {a,b}/**\n", true, true),
            ("\npaths: a\n", true, true),
            ("description: a: b: c\npaths: a\n", true, false),
            ("paths: *.ts\n", true, true),
            ("paths: @x/y\n", true, true),
            ("\"paths\": a\n", true, true),
            ("paths:\n  - **/*.ts\n  - src/*\n", false, false),
            ("paths:\n  - \"**/*.rs\"\n", true, true),
        ] {
            assert_eq!(narrows(text, &newest()), new, "{text:?}");
            assert_eq!(narrows(text, &oldest()), old, "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "(---|\n|\r| |a|:|\\PC){0,60}") {
            for rules in [newest(), oldest()] {
                let _ = narrows(&text, &rules);
            }
        }
    }
}
