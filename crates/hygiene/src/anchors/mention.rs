//! What in a text looks like a path or a symbol.

use super::shape::{known_ending, without_line};
use std::collections::HashSet;

/// So many bytes of a line on each side of a mention tell what it is.
const CONTEXT: usize = 2048;

/// What a mention looks like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Shape {
    /// With a slash, a backslash or a known ending.
    Path,
    /// `foo()`, `a::b`, `a.b`, `snake_case`, `camelCase`, `CAPITALS`, `letters1`.
    Symbol,
    /// A code span with blanks: one path if there is such a file, else what stands in it counts.
    Spaced,
}

/// Where in the text a mention stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Where {
    /// In a code span of its own.
    Span,
    /// In running text, or between other words in a code span.
    Text,
    /// In a fenced block.
    Fence,
}

/// One mention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Mention<'a> {
    /// Line, from 1.
    pub line: usize,
    /// The line as it stands, without its end; of a very long one what stands around the mention.
    pub whole: &'a str,
    /// Where in `whole` it begins, in bytes.
    pub at: usize,
    /// The mention.
    pub text: &'a str,
    /// What it looks like.
    pub shape: Shape,
    /// Where it stands.
    pub place: Where,
}

/// Every mention of a text, frontmatter included, once per line and text. Addresses, link targets
/// and wikilinks are none. Lines break at LF; a CR before it and a BOM are not part of the text.
pub fn mentions(text: &str) -> Vec<Mention<'_>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut found = Vec::new();
    let mut fenced = false;
    for (index, line) in text.split('\n').enumerate() {
        let line = line.strip_suffix('\r').unwrap_or(line);
        let start = line.trim_start();
        if start.starts_with("```") || start.starts_with("~~~") {
            fenced = !fenced;
            continue;
        }
        of_line(index + 1, line, fenced, &mut found);
    }
    found
}

/// Whether a line can hold a mention at all: a slash, a code span, or a dot before a word.
fn is_worth_a_look(line: &str) -> bool {
    memchr::memchr(b'`', line.as_bytes()).is_some() || marks(line).next().is_some()
}

/// Where a line has what every path has: a slash, or a dot before a word.
fn marks(line: &str) -> impl Iterator<Item = usize> {
    let bytes = line.as_bytes();
    memchr::memchr3_iter(b'/', b'\\', b'.', bytes).filter(|at| {
        let next = bytes.get(at + 1);
        bytes.get(*at) != Some(&b'.')
            || next.is_some_and(|next| {
                next.is_ascii_alphanumeric() || *next == b'_' || !next.is_ascii()
            })
    })
}

fn of_line<'a>(number: usize, line: &'a str, fenced: bool, found: &mut Vec<Mention<'a>>) {
    if !is_worth_a_look(line) {
        return;
    }
    let mut known = HashSet::new();
    let mut mask = Mask::new(line);
    mask.addresses();
    mask.links();
    let mut add = |at: usize, text: &'a str, shape, place| {
        if !text.is_empty() && known.insert(text) {
            let (whole, at) = around(line, at, text.len());
            found.push(Mention {
                line: number,
                whole,
                at,
                text,
                shape,
                place,
            });
        }
    };
    if !fenced {
        let mut from = 0;
        while let Some((open, close)) = mask.span(from) {
            from = close + 1;
            let inner = line.get(open + 1..close).unwrap_or_default();
            let hidden = mask
                .text
                .get(open + 1..close)
                .unwrap_or_default()
                .trim()
                .is_empty();
            let text = inner.trim();
            let at = open + 1 + (inner.len() - inner.trim_start().len());
            let shape = if hidden {
                None
            } else if is_pathlike(text) {
                Some(Shape::Path)
            } else if is_symlike(text) {
                Some(Shape::Symbol)
            } else {
                None
            };
            if let Some(shape) = shape {
                add(at, text, shape, Where::Span);
                mask.hide(open..close + 1);
            } else {
                // What stands in it is looked at as text.
                if !hidden && line.len() <= CONTEXT && is_spaced(text) {
                    add(at, text, Shape::Spaced, Where::Span);
                }
                mask.hide_ticks(open, close);
            }
        }
    }
    let place = if fenced { Where::Fence } else { Where::Text };
    let masked = mask.text;
    let bytes = masked.as_bytes();
    let is_blank = |byte: &u8| matches!(byte, b' ' | b'\t');
    // A path holds no blank and has a mark: only the runs between blanks that have one are gone through.
    let mut done = 0;
    for mark in marks(&masked) {
        if mark < done {
            continue;
        }
        let start = bytes
            .get(..mark)
            .and_then(|run| run.iter().rposition(is_blank));
        let start = start.map_or(0, |at| at + 1);
        let end = bytes
            .get(mark..)
            .and_then(|run| run.iter().position(is_blank));
        let end = end.map_or(masked.len(), |at| mark + at);
        done = end;
        let mut at = start;
        let mut before = None;
        while at < end
            && let Some(c) = masked.get(at..).and_then(|rest| rest.chars().next())
        {
            if let Some(end) = bare(&masked, at, before) {
                let text = line.get(at..end).unwrap_or_default();
                add(at, text.trim_end_matches('.'), Shape::Path, place);
                at = end;
            } else {
                // No path begins inside of a word.
                at = run(&masked, at, is_word).max(at + c.len_utf8());
            }
            before = masked.get(..at).and_then(|text| text.chars().next_back());
        }
    }
}

/// What of a line tells of a mention, and where in it the mention begins: all, unless it is as long as
/// no sentence is.
fn around(line: &str, at: usize, length: usize) -> (&str, usize) {
    if line.len() <= 2 * CONTEXT + length {
        return (line, at);
    }
    let is_boundary = |at: &usize| line.is_char_boundary(*at);
    let start = (at.saturating_sub(CONTEXT)..at).find(is_boundary);
    let start = start.unwrap_or(at);
    let end = (at + length + CONTEXT..line.len()).find(is_boundary);
    line.get(start..end.unwrap_or(line.len()))
        .map_or((line, at), |part| (part, at - start))
}

/// A copy of a line in which what must not be looked at is blank, byte for byte as long.
struct Mask {
    text: String,
}

impl Mask {
    fn new(line: &str) -> Self {
        Self {
            text: line.to_owned(),
        }
    }

    fn hide(&mut self, range: std::ops::Range<usize>) {
        let blank = " ".repeat(range.len());
        if self.text.get(range.clone()).is_some() {
            self.text.replace_range(range, &blank);
        }
    }

    fn hide_ticks(&mut self, open: usize, close: usize) {
        self.hide(open..open + 1);
        self.hide(close..close + 1);
    }

    /// `scheme://…`, `data:…/…` and `user@host:…`.
    fn addresses(&mut self) {
        if memchr::memchr(b':', self.text.as_bytes()).is_none() {
            return;
        }
        let mut hide = Vec::new();
        for (at, token) in tokens(&self.text).filter(|(_, token)| token.contains(':')) {
            if let Some(colon) = token.find("://") {
                let scheme = token.get(..colon).unwrap_or_default();
                let start = scheme
                    .rfind(|c: char| !(c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.')))
                    .map_or(0, |at| at + 1);
                let start = token.get(start..).map_or(start, |_| start.min(token.len()));
                hide.push(at + start..at + token.len());
            } else if let Some(data) = token.find("data:")
                && token.get(data..).is_some_and(|rest| rest.contains('/'))
            {
                hide.push(at + data..at + token.len());
            } else if let Some(sign) = token.find('@')
                && sign > 0
                && token.get(sign..).is_some_and(|rest| {
                    rest.find(':').is_some_and(|colon| {
                        rest.get(..colon).is_some_and(|host| host.contains('.'))
                    })
                })
            {
                hide.push(at..at + token.len());
            }
        }
        for range in hide {
            if self.text.is_char_boundary(range.start) && self.text.is_char_boundary(range.end) {
                self.hide(range);
            }
        }
    }

    /// `](target)`, `[[wikilink]]` and `[file.md]`.
    fn links(&mut self) {
        if memchr::memchr(b'[', self.text.as_bytes()).is_none() {
            return;
        }
        let mut from = 0;
        while let Some(open) = self.text.get(from..).and_then(|rest| rest.find("](")) {
            let open = from + open + 1;
            let Some(close) = self.text.get(open..).and_then(|rest| rest.find(')')) else {
                break;
            };
            self.hide(open..open + close + 1);
            from = open + close + 1;
        }
        from = 0;
        while let Some(open) = self.text.get(from..).and_then(|rest| rest.find("[[")) {
            let open = from + open;
            let Some(close) = self.text.get(open..).and_then(|rest| rest.find("]]")) else {
                break;
            };
            self.hide(open..open + close + 2);
            from = open + close + 2;
        }
        from = 0;
        while let Some(open) = self.text.get(from..).and_then(|rest| rest.find('[')) {
            let open = from + open;
            from = open + 1;
            let rest = self.text.get(open + 1..).unwrap_or_default();
            let Some(close) = rest.find(['[', ']']).map(|at| at + 1) else {
                break;
            };
            // Of several that open only the innermost can hold a name.
            if !rest
                .get(close - 1..)
                .is_some_and(|rest| rest.starts_with(']'))
            {
                continue;
            }
            let inner = self.text.get(open + 1..open + close).unwrap_or_default();
            if known_ending(inner) == Some("md")
                && inner.chars().all(|c| is_word(c) || matches!(c, '.' | '-'))
            {
                self.hide(open..open + close + 1);
            }
        }
    }

    /// The next code span at or after `from`: where its two ticks stand.
    fn span(&self, from: usize) -> Option<(usize, usize)> {
        let tick = |from: usize| Some(from + self.text.get(from..)?.find('`')?);
        let mut open = tick(from)?;
        loop {
            let close = tick(open + 1)?;
            if close > open + 1 {
                return Some((open, close));
            }
            open = close;
        }
    }
}

/// The runs between blanks, ticks, quotes and brackets, with their offsets.
fn tokens(line: &str) -> impl Iterator<Item = (usize, &str)> {
    let ends = |c: char| c.is_whitespace() || matches!(c, '`' | '"' | '<' | '>' | '(' | ')');
    line.split(ends)
        .filter(|token| !token.is_empty())
        .map(|token| {
            // Both are parts of one string.
            (token.as_ptr() as usize - line.as_ptr() as usize, token)
        })
}

pub(super) fn is_word(c: char) -> bool {
    // Hangul syllables and Han first: the tables are slow, and these are most of such texts.
    matches!(c, '_' | '\u{ac00}'..='\u{d7a3}' | '\u{4e00}'..='\u{9fff}') || c.is_alphanumeric()
}

fn is_pathlike(text: &str) -> bool {
    let plain = !text.is_empty()
        && !text.chars().any(|c| {
            c.is_whitespace() || matches!(c, '(' | ')' | '{' | '}' | '=' | '<' | '>' | '"' | '\'')
        });
    plain && (text.contains(['/', '\\']) || known_ending(without_line(text).0).is_some())
}

/// Whether a span could be a path with blanks in it.
fn is_spaced(text: &str) -> bool {
    text.contains(' ')
        && is_pathlike(&text.replace(' ', "_"))
        && !text.contains(['|', '&', ';', '$', '*', '`'])
}

fn is_symlike(text: &str) -> bool {
    let called = text.ends_with("()");
    let name = text.strip_suffix("()").unwrap_or(text);
    let parts: Vec<&str> = name.split("::").flat_map(|part| part.split('.')).collect();
    let identifiers = parts.iter().all(|part| {
        part.chars().all(is_word)
            && part
                .chars()
                .next()
                .is_some_and(|c| c.is_ascii_alphabetic() || c == '_')
    });
    if !identifiers {
        return false;
    }
    if parts.len() == 1 {
        let capitals = name.len() >= 4 && name.chars().all(|c| c.is_ascii_uppercase());
        let letters = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let numbered = letters.len() < name.len()
            && !letters.is_empty()
            && letters.chars().all(|c| c.is_ascii_lowercase());
        if capitals || numbered {
            return true;
        }
    }
    let lowercase = |part: &&str| part.chars().all(|c| c.is_ascii_lowercase());
    if parts.len() == 2 && !name.contains("::") && parts.iter().all(lowercase) {
        return true;
    }
    let last = parts.last().copied().unwrap_or_default();
    called
        || name.contains("::")
        || last.trim_matches('_').contains('_')
        || last
            .as_bytes()
            .windows(2)
            .any(|pair| matches!(pair, [a, b] if a.is_ascii_lowercase() && b.is_ascii_uppercase()))
}

/// Where the path that begins at `at` in running text ends, if one does. `before` is the character
/// in front of it.
fn bare(text: &str, at: usize, before: Option<char>) -> Option<usize> {
    let follows = |also: &[char]| {
        before.is_some_and(|c| {
            is_word(c) || matches!(c, '/' | '\\' | '.' | '@' | '-') || also.contains(&c)
        })
    };
    if follows(&[]) {
        return None;
    }
    if !follows(&[':', '#'])
        && let Some(end) = with_slashes(text, at)
    {
        return Some(end);
    }
    file_name(text, at)
}

fn run(text: &str, at: usize, is: impl Fn(char) -> bool) -> usize {
    text.get(at..).map_or(at, |rest| {
        at + rest.find(|c: char| !is(c)).unwrap_or(rest.len())
    })
}

fn line_number(text: &str, at: usize) -> usize {
    if text.get(at..).is_some_and(|rest| rest.starts_with(':')) {
        let end = run(text, at + 1, |c| c.is_ascii_digit());
        if end > at + 1 {
            return end;
        }
    }
    at
}

/// `a/b`, `./a`, `C:\a`, `~/a`, `/a`.
fn with_slashes(text: &str, at: usize) -> Option<usize> {
    let part = |c: char| is_word(c) || matches!(c, '.' | '@' | '*' | '-');
    let rest = text.get(at..)?;
    let mut end = at;
    let mut letters = rest.chars();
    match (letters.next()?, letters.next()) {
        (c, Some(':'))
            if c.is_ascii_alphabetic()
                && rest.get(2..).is_some_and(|r| r.starts_with(['/', '\\'])) =>
        {
            end += 2;
        }
        ('~', _) => end += 1,
        _ => {}
    }
    end = run(text, end, part);
    let mut parts = 0;
    while text
        .get(end..)
        .is_some_and(|rest| rest.starts_with(['/', '\\']))
    {
        let next = run(text, end + 1, part);
        if next == end + 1 {
            break;
        }
        end = next;
        parts += 1;
    }
    if parts == 0 {
        return None;
    }
    if text
        .get(end..)
        .is_some_and(|rest| rest.starts_with(['/', '\\']))
    {
        end += 1;
    }
    Some(line_number(text, end))
}

/// `name.ending`.
fn file_name(text: &str, at: usize) -> Option<usize> {
    let mut end = None;
    let mut here = run(text, at, |c| is_word(c) || c == '-');
    if here == at {
        return None;
    }
    while text.get(here..).is_some_and(|rest| rest.starts_with('.')) {
        let word = run(text, here + 1, is_word);
        if let Some(ending) = text.get(here + 1..word)
            && super::shape::is_ending(ending)
        {
            end = Some(word);
        }
        let next = run(text, here + 1, |c| is_word(c) || c == '-');
        if next == here + 1 {
            break;
        }
        here = next;
    }
    let end = line_number(text, end?);
    Some(end)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn texts(line: &str) -> Vec<(&str, Shape)> {
        mentions(line)
            .into_iter()
            .filter(|mention| mention.shape != Shape::Spaced)
            .map(|mention| (mention.text, mention.shape))
            .collect()
    }

    #[test]
    fn spans_and_running_text() {
        use Shape::{Path, Symbol};
        assert_eq!(
            texts("Der Parser `src/parse.rs:12` ruft `walk_tree()`; siehe docs/a.md und CI/CD."),
            [
                ("src/parse.rs:12", Path),
                ("walk_tree()", Symbol),
                ("docs/a.md", Path),
                ("CI/CD", Path)
            ]
        );
        assert_eq!(
            texts("run `make -C tools/gen all` in C:\\src\\x and ~/bin/y, not `db` or `version`"),
            [("tools/gen", Path), ("C:\\src\\x", Path), ("~/bin/y", Path)]
        );
    }

    #[test]
    fn symbols_by_their_shape() {
        for symbol in [
            "foo()",
            "a::b",
            "log.info",
            "snake_case",
            "camelCase",
            "CAPS",
            "MAX_LEN",
            "utf8",
            "Store.open()",
            "OrderQueue",
        ] {
            assert!(is_symlike(symbol), "{symbol}");
        }
        for word in [
            "db", "version", "Store", "ABC", "Foo.bar", "a-b_c", "1a", "x y", "",
        ] {
            assert!(!is_symlike(word), "{word}");
        }
    }

    #[test]
    fn addresses_and_links_are_no_mentions() {
        for line in [
            "see https://a.example/b/c.ts and `http://x.y/z`",
            "[text](docs/a.md) [[some-note.md]] [other.md](other.md)",
            "clone git@forge.example:me/it.git from ssh://h/x/y",
            "data:image/png;base64,AAAA/BBBB",
        ] {
            assert_eq!(texts(line), [], "{line}");
        }
        assert_eq!(
            texts("`https://a.example/b` then `src/a.ts`"),
            [("src/a.ts", Shape::Path)]
        );
    }

    #[test]
    fn names_with_endings_stop_where_the_ending_does() {
        assert_eq!(
            texts("main.go, old.json.bak? v1.2.3 e.g. x.py:3."),
            [
                ("main.go", Shape::Path),
                ("old.json", Shape::Path),
                ("x.py:3", Shape::Path),
            ]
        );
    }

    proptest! {
        #[test]
        fn any_text_is_read(text in "(?s).{0,300}") {
            for mention in mentions(&text) {
                prop_assert!(mention.whole.get(mention.at..).unwrap().starts_with(mention.text));
            }
        }

        #[test]
        fn any_line_of_signs_is_read(text in "[`\\[\\]()/\\\\.:@a-z가 ~#*-]{0,60}") {
            for mention in mentions(&text) {
                prop_assert!(mention.whole.get(mention.at..).unwrap().starts_with(mention.text));
            }
        }
    }
}
