//! How much of the auto memory's `MEMORY.md` is loaded.

use crate::text::{trim, trim_end};
use crate::version::Rules;

/// Lines that are loaded at most.
pub const LINES: usize = 200;

/// Why and where an index was cut.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// Lines that the loadable text has.
    pub lines: usize,
    /// Its UTF-16 units.
    pub units: usize,
    /// Lines that are loaded whole; what follows is not.
    pub loaded_lines: usize,
}

/// The part of a text that is loaded, and the cut if there is one. `text` is as
/// [`tidy`](crate::text::tidy) leaves it.
///
/// 200 lines, then (2.1.83 and newer) 25,000 UTF-16 units up to the last line end, or right there
/// when the first line is longer. The notice that the client puts behind a cut is not part of it.
pub(crate) fn cut(text: &str, rules: &Rules) -> (String, Option<Cut>) {
    let whole = if rules.tidies {
        trim(text)
    } else {
        trim_end(text)
    };
    let lines = whole.split('\n').count();
    let units = whole.encode_utf16().count();
    let most = rules.memory_units.unwrap_or(usize::MAX);
    if lines <= LINES && units <= most {
        return (text.to_owned(), None);
    }
    let mut part: String = whole.split('\n').take(LINES).collect::<Vec<_>>().join("\n");
    if part.encode_utf16().count() > most {
        part = within(&part, most, rules);
    }
    // A line that was cut inside is not whole.
    let inside = !whole
        .get(part.len()..)
        .is_some_and(|rest| rest.is_empty() || rest.starts_with('\n'));
    let loaded_lines = part.split('\n').count() - usize::from(inside);
    let cut = Cut {
        lines,
        units,
        loaded_lines,
    };
    (part, Some(cut))
}

fn within(text: &str, most: usize, rules: &Rules) -> String {
    let mut units = 0;
    let mut last_line_end = None;
    for (at, c) in text.char_indices() {
        // A line end may be the first unit that does not fit.
        if c == '\n' && units <= most && at > 0 {
            last_line_end = Some(at);
        }
        if units + c.len_utf16() > most {
            if let Some(end) = last_line_end {
                return text.get(..end).unwrap_or_default().to_owned();
            }
            let mut part = text.get(..at).unwrap_or_default().to_owned();
            if units < most && !rules.cuts_whole_characters {
                part.push(char::REPLACEMENT_CHARACTER);
            }
            return part;
        }
        units += c.len_utf16();
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Version;
    use proptest::prelude::*;

    fn newest() -> Rules {
        Rules::of(Version::NEWEST_MEASURED)
    }

    fn lines(count: usize, width: usize) -> String {
        format!("- {}\n", "x".repeat(width - 3)).repeat(count)
    }

    /// Units loaded by 2.1.332.
    fn loaded(text: &str) -> (usize, bool) {
        let (part, cut) = cut(trim(text), &newest());
        (part.encode_utf16().count(), cut.is_some())
    }

    #[test]
    fn two_hundred_lines() {
        assert_eq!(loaded(&lines(199, 10)), (1989, false));
        assert_eq!(loaded(&lines(200, 10)), (1999, false));
        assert_eq!(loaded(&lines(201, 10)), (1999, true));
        let (_, cut) = cut(trim(&lines(203, 10)), &newest());
        assert_eq!(
            cut,
            Some(Cut {
                lines: 203,
                units: 2029,
                loaded_lines: 200
            })
        );
    }

    // As measured with 2.1.197 and 2.1.332.
    #[test]
    fn twenty_five_thousand_units() {
        let body = lines(124, 200);
        let with = |count: usize| format!("{body}{}", "y".repeat(count));
        assert_eq!(loaded(&with(199)), (24_999, false));
        assert_eq!(loaded(&with(200)), (25_000, false));
        assert_eq!(loaded(&format!("{}\n", with(200))), (25_000, false));
        assert_eq!(loaded(&with(201)), (24_799, true));
        assert_eq!(loaded(&format!("{}y", lines(125, 200))), (24_999, true));
        let line = |count: usize, rest: &str| format!("{}\n{rest}", "y".repeat(count));
        assert_eq!(loaded(&line(24_999, "z")), (24_999, true));
        assert_eq!(loaded(&line(25_000, "z")), (25_000, true));
        assert_eq!(loaded(&line(25_001, "z")), (25_000, true));
        assert_eq!(loaded(&line(1, &"y".repeat(30_000))), (1, true));
        let korean = format!("- {}\n", "가".repeat(197)).repeat(125);
        assert_eq!(loaded(&format!("{korean}나")), (24_999, true));
    }

    #[test]
    fn a_cut_inside_a_character() {
        let text = format!("a{}", "😀".repeat(13_000));
        let (part, found) = cut(&text, &newest());
        assert_eq!(part.encode_utf16().count(), 24_999);
        assert_eq!(found.map(|cut| cut.loaded_lines), Some(0));
        let (part, _) = cut(&text, &Rules::of(Version::new(2, 1, 197)));
        assert!(part.ends_with("😀\u{fffd}"));
    }

    #[test]
    fn the_old_client_counts_lines_only_and_keeps_blank_ends() {
        let rules = Rules::of(Version::new(2, 1, 59));
        let long = "y".repeat(30_000);
        assert_eq!(cut(&long, &rules), (long.clone(), None));
        let text = format!("\n\n{}\n\n\n", lines(198, 10));
        assert_eq!(cut(&text, &rules), (text.clone(), None));
        let text = format!("\n\n{}", lines(201, 10));
        let (part, found) = cut(&text, &rules);
        assert_eq!(found.map(|cut| cut.lines), Some(203));
        assert_eq!(part.lines().count(), 200);
        assert!(part.starts_with("\n\n- "));
    }

    proptest! {
        #[test]
        fn never_more_than_the_limits(text in "(\n|a|가|😀|\\PC{0,900}){0,300}") {
            let text = trim(&text);
            let (part, cut) = cut(text, &newest());
            prop_assert!(part.split('\n').count() <= LINES);
            prop_assert!(part.encode_utf16().count() <= 25_000);
            prop_assert!(text.starts_with(&part));
            prop_assert_eq!(cut.is_none(), part == text);
        }
    }
}
