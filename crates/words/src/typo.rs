//! Slips of the finger: one letter wrong, missing, too many, or two swapped.

use crate::base::korean::letters;

/// Whether two folded words differ by at most one edit (a swap of neighbours is one). Hangul
/// counts by letter: `며등` and `멱등` differ by one. Words of fewer than five letters are too
/// short to tell a slip from another word: only equal ones match. Two syllables with another first
/// consonant are another word too (`동반`, `동안`).
pub fn one_edit(a: &str, b: &str) -> bool {
    if a.is_ascii() && b.is_ascii() {
        return if a.len().min(b.len()) < 5 {
            a == b
        } else {
            distance_is_one(a.as_bytes(), b.as_bytes())
        };
    }
    if !starts_alike(a, b) {
        return false;
    }
    let (a, b) = (spelled(a), spelled(b));
    if a.len().min(b.len()) < 5 {
        return a == b;
    }
    distance_is_one(&a, &b)
}

/// Whether the beginning of a text (a word with its particles) is one edit from a word.
pub fn one_edit_prefix(word: &str, text: &str) -> bool {
    let count = word.chars().count();
    let mut ends = text.char_indices().map(|(at, c)| at + c.len_utf8());
    let Some(end) = ends.nth(count.saturating_sub(1)) else {
        return one_edit(word, text);
    };
    text.get(..end).is_some_and(|prefix| one_edit(word, prefix))
}

/// Whether the syllables of two words of two syllables begin with the same consonants; true of all
/// other words.
fn starts_alike(a: &str, b: &str) -> bool {
    let initials = |word: &str| -> Option<Vec<u32>> {
        word.chars()
            .map(|c| {
                ('가'..='힣')
                    .contains(&c)
                    .then(|| (u32::from(c) - 0xac00) / 588)
            })
            .collect()
    };
    match (initials(a), initials(b)) {
        (Some(a), Some(b)) if a.len() == 2 && b.len() == 2 => a == b,
        _ => true,
    }
}

fn spelled(word: &str) -> Vec<char> {
    let mut out = Vec::with_capacity(word.len());
    letters(word, &mut out);
    out
}

fn distance_is_one<T: PartialEq>(a: &[T], b: &[T]) -> bool {
    let (short, long) = if a.len() <= b.len() { (a, b) } else { (b, a) };
    if long.len() - short.len() > 1 {
        return false;
    }
    let same = short.iter().zip(long).take_while(|(x, y)| x == y).count();
    let (rest_short, rest_long) = (
        short.get(same..).unwrap_or_default(),
        long.get(same..).unwrap_or_default(),
    );
    match (rest_short, rest_long) {
        ([], _) => true,
        (_, [_, tail @ ..]) if short.len() < long.len() => rest_short == tail,
        ([x, tail_x @ ..], [y, tail_y @ ..]) => {
            tail_x == tail_y
                || matches!((tail_x, tail_y), ([x2, after_x @ ..], [y2, after_y @ ..])
                    if x == y2 && y == x2 && after_x == after_y)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_slip_is_forgiven() {
        for (a, b) in [
            ("replicaton", "replication"),
            ("idempotancy", "idempotency"),
            ("며등", "멱등"),
            ("웹훜", "웹훅"),
            ("recieve", "receive"),
        ] {
            assert!(one_edit(a, b), "{a} {b}");
        }
        assert!(!one_edit("동반", "동안"));
        assert!(!one_edit("kyes", "keys"));
        assert!(!one_edit("deploy", "destroy"));
        assert!(one_edit_prefix("며등", "멱등을"));
    }
}
