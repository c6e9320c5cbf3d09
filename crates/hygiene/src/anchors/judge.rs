//! What became of one mention.

use super::ground::Ground;
use super::mention::{Mention, Shape, Where};
use super::{Anchor, Kind, Status, cues, path, symbol};

/// Most places that are named for something that moved.
pub(super) const MOST_CANDIDATES: usize = 3;

/// What is known of a mention's text alone, wherever it stands. Memories name the same things often.
pub(super) enum Known {
    Path(path::Known),
    Symbol(symbol::Known),
    /// Where a path with blanks leads.
    Spaced(Option<String>),
}

impl Known {
    pub(super) fn of(ground: &Ground, shape: Shape, text: &str) -> Self {
        match shape {
            Shape::Path => Self::Path(path::Known::of(ground, text)),
            Shape::Symbol => Self::Symbol(symbol::Known::of(ground, text)),
            Shape::Spaced => Self::Spaced(path::of_spaced(ground, text)),
        }
    }

    /// Whether it is there, for a mention that stands so.
    pub(super) fn is_there(&self, place: Where) -> bool {
        match self {
            Self::Path(known) => known.is_there(place),
            Self::Symbol(known) => known.is_there(),
            Self::Spaced(there) => there.is_some(),
        }
    }
}

/// The rest is told by the words around it.
pub(super) fn judge(ground: &Ground, mention: &Mention, known: &Known) -> Anchor {
    let (kind, status) = match known {
        Known::Path(known) => path::judge(ground, mention, known),
        Known::Symbol(known) => (Kind::Symbol, symbol::judge(ground, mention, known)),
        Known::Spaced(there) => (Kind::Path, Status::Exists(there.clone())),
    };
    let (text, lines) = match known {
        Known::Path(known) => (known.core(), known.lines()),
        _ => (None, None),
    };
    let kind = match status {
        Status::NotAPath(_) => Kind::NotAPath,
        _ => kind,
    };
    Anchor {
        line: mention.line,
        text: text.unwrap_or(mention.text).to_owned(),
        kind,
        lines: if status == Status::Gone { lines } else { None },
        said_absent: status.is_broken() && cues::says_absent(clause(mention)),
        status,
    }
}

/// The sentence around a mention.
pub(super) fn clause<'a>(mention: &Mention<'a>) -> &'a str {
    let line = mention.whole;
    let before = line.get(..mention.at).unwrap_or_default();
    let start = before
        .char_indices()
        .rev()
        .find_map(|(at, _)| Some(at + sentence_end(before.get(at..)?)?))
        .unwrap_or(0);
    let behind = mention.at + mention.text.len();
    let rest = line.get(behind..).unwrap_or_default();
    let end = rest
        .char_indices()
        .find(|(at, _)| rest.get(*at..).and_then(sentence_end).is_some())
        .map_or(line.len(), |(at, _)| behind + at);
    line.get(start..end).unwrap_or(line)
}

/// How long the end of a sentence is that `text` begins with.
fn sentence_end(text: &str) -> Option<usize> {
    let mut letters = text.chars();
    match (letters.next()?, letters.next()) {
        (end @ ('。' | '！' | '？' | '；'), _) => Some(end.len_utf8()),
        ('.' | '!' | '?' | ';', Some(' ')) => Some(2),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_clause_is_the_sentence_around() {
        for (line, clause) in [
            ("One. Two a/b.rs three; four. Five", "Two a/b.rs three"),
            ("a/b.rs", "a/b.rs"),
            ("지움。a/b.rs 있음！끝", "a/b.rs 있음"),
            ("v1.2 of a/b.rs? Yes", "v1.2 of a/b.rs"),
        ] {
            let found = crate::anchors::mentions(line);
            let mention = found.iter().find(|one| one.text == "a/b.rs").unwrap();
            assert_eq!(super::clause(mention), clause, "{line}");
        }
    }
}
