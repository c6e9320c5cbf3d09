//! Codes of a record's items: a category's letter and a number (`a:147`, `g:3`), or `h:` and a
//! handoff's name. They are read here and nowhere else.

use std::fmt;
use std::hash::{Hash, Hasher};

/// Most digits of a number.
const DIGITS: usize = 6;

/// The letter that names handoffs; no category begins with it.
pub const HANDOFF: char = 'h';

/// An item's code. `g:3` and `G:003` are equal; each is written as it was read.
#[derive(Debug, Clone, Copy, Eq)]
pub struct Code {
    letter: char,
    number: u32,
    digits: usize,
}

impl PartialEq for Code {
    fn eq(&self, other: &Self) -> bool {
        (self.letter, self.number) == (other.letter, other.number)
    }
}

impl Hash for Code {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.letter, self.number).hash(state);
    }
}

impl PartialOrd for Code {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Code {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.letter, self.number).cmp(&(other.letter, other.number))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}:{:0width$}",
            self.letter,
            self.number,
            width = self.digits
        )
    }
}

impl Code {
    /// A code with at least `digits` digits. `None` when the letter is no ASCII letter, or the
    /// number has more than six digits.
    pub fn new(letter: char, number: u32, digits: usize) -> Option<Self> {
        let code = Self {
            letter: letter.to_ascii_lowercase(),
            number,
            digits: digits.min(DIGITS),
        };
        (letter.is_ascii_alphabetic() && number < 10_u32.pow(6)).then_some(code)
    }

    /// A word that is a code and nothing else.
    pub fn of(word: &str) -> Option<Self> {
        let (letter, number) = word.split_once(':')?;
        let mut letters = letter.chars();
        let letter = letters.next().filter(|_| letters.next().is_none())?;
        let plain = (1..=DIGITS).contains(&number.len())
            && number.bytes().all(|byte| byte.is_ascii_digit());
        if !plain {
            return None;
        }
        Self::new(letter, number.parse().ok()?, number.len())
    }

    /// The code that a title begins with, and the rest: `a:147 Title`.
    pub fn of_title(title: &str) -> (Option<Self>, &str) {
        let (first, rest) = title.split_once(' ').unwrap_or((title, ""));
        match Self::of(first.trim_matches('`')) {
            Some(code) => (Some(code), rest.trim()),
            None => (None, title),
        }
    }

    /// The code of a file of a category: `memory/gotchas/012-slug.md` is `g:012`.
    pub fn of_path(path: &str) -> Option<Self> {
        let (folder, file) = path.rsplit_once('/')?;
        let category = folder.rsplit('/').next()?;
        if category == "memory" {
            return None;
        }
        let digits = file.bytes().take_while(u8::is_ascii_digit).count();
        if !(1..=DIGITS).contains(&digits) {
            return None;
        }
        Self::new(
            category.chars().next()?,
            file[..digits].parse().ok()?,
            digits,
        )
    }

    /// The category's letter, lower case.
    pub fn letter(self) -> char {
        self.letter
    }

    /// The number.
    pub fn number(self) -> u32 {
        self.number
    }

    /// How many digits it is written with at least.
    pub fn digits(self) -> usize {
        self.digits
    }
}

/// Every code in a line, with its bytes: a word of its own, between blanks, bars, brackets, commas
/// and backticks.
pub fn codes_in(line: &str) -> impl Iterator<Item = (Code, std::ops::Range<usize>)> + '_ {
    let mut at = 0;
    line.split(is_border).filter_map(move |word| {
        let range = at..at + word.len();
        at = range.end
            + line
                .get(range.end..)
                .and_then(|rest| rest.chars().next())
                .map_or(0, char::len_utf8);
        // A sentence may end with a code.
        let word = word.trim_end_matches(['.', ':', '!', '?']);
        Some((Code::of(word)?, range.start..range.start + word.len()))
    })
}

/// Whether a text holds codes and nothing else, and at least one: `a:147`, `` `a:1`, g:3 ``,
/// `[g:1](memory/gotchas.md#port)`.
pub fn only_codes(text: &str) -> bool {
    let mut rest = String::new();
    let mut link = text;
    // The targets of links are no words.
    while let Some(open) = link.find("](") {
        rest.push_str(&link[..=open]);
        match link[open..].find(')') {
            Some(close) => link = &link[open + close + 1..],
            None => return false,
        }
    }
    rest.push_str(link);
    let mut words = rest
        .split(is_border)
        .filter(|word| !word.is_empty())
        .peekable();
    words.peek().is_some() && words.all(|word| Code::of(word).is_some())
}

fn is_border(c: char) -> bool {
    c.is_whitespace()
        || matches!(
            c,
            '|' | '`' | '(' | ')' | '[' | ']' | ',' | ';' | '、' | '，'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_a_letter_and_a_number() {
        for (text, shown) in [("a:147", "a:147"), ("G:003", "g:003"), ("l:0", "l:0")] {
            assert_eq!(Code::of(text).unwrap().to_string(), shown);
        }
        assert_eq!(Code::of("g:3"), Code::of("G:0003"));
        for no in [
            "",
            "a:",
            ":1",
            "ab:1",
            "a:1x",
            "a: 1",
            "가:1",
            "a:1234567",
            "h:slug",
        ] {
            assert_eq!(Code::of(no), None, "{no}");
        }
    }

    #[test]
    fn paths_and_titles_have_codes() {
        let path = |path| Code::of_path(path).map(|code| code.to_string());
        assert_eq!(path("memory/gotchas/012-port.md").as_deref(), Some("g:012"));
        assert_eq!(path("memory/012-port.md"), None);
        assert_eq!(path("memory/gotchas/index.md"), None);
        assert_eq!(path("012-port.md"), None);
        let (code, rest) = Code::of_title("a:147 The title");
        assert_eq!((code, rest), (Code::of("a:147"), "The title"));
        assert_eq!(Code::of_title("The title"), (None, "The title"));
    }

    #[test]
    fn cells_of_codes_are_told_from_words() {
        for yes in [
            "a:1",
            "`a:1`, g:3",
            "[g:1](memory/gotchas.md#x-y)",
            "a:1 g:2",
        ] {
            assert!(only_codes(yes), "{yes}");
        }
        for no in ["", "a:1 and more", "x", "[x](a:1)", "[g:1](open"] {
            assert!(!only_codes(no), "{no}");
        }
        let found: Vec<_> = codes_in("| 한글, b | `a:147`,g:3 |")
            .map(|(code, range)| (code.to_string(), range))
            .collect();
        assert_eq!(found[0].0, "a:147");
        assert_eq!(&"| 한글, b | `a:147`,g:3 |"[found[1].1.clone()], "g:3");
    }
}
