//! What an entry claims, cut for holding it against another: the language it speaks, what it denies,
//! what it puts first.

use super::compare::{clauses, says_no};
use crate::corpus::{Corpus, WordId};
use crate::cues::{Cue, Finder};
use crate::prose::{Part, Statement};
use crate::view::View;
use std::sync::LazyLock;
use words::Language;

/// Statements of an entry that are looked into.
const MOST: usize = 24;
/// Words of a clause that denies: a longer one tells of too much.
const LONGEST: usize = 9;

/// What words stand for, sorted.
type Stems = Vec<Box<str>>;

/// What one entry claims.
#[derive(Debug, Default)]
pub(crate) struct Claims {
    pub(super) language: Option<Language>,
    /// How long it is, in letters: a sign stands for several.
    pub(super) size: usize,
    pub(super) denied: Vec<Denied>,
    pub(super) orders: Vec<Order>,
    /// The first statement of the head that tells whether somebody is asked before something is
    /// done.
    pub(crate) stance: Option<(usize, Stance)>,
    /// The first statement of the head that tells whether something is done by hand.
    pub(super) by_hand: Option<(usize, bool)>,
}

/// Whether somebody is asked before something is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stance {
    /// Somebody has to agree.
    Asks,
    /// It is done without asking.
    Freely,
}

impl Stance {
    /// What a statement tells of it.
    pub(crate) fn of(statement: &Statement) -> Option<Self> {
        // What denies as a whole, not the word that says `without`.
        const NEVER: [&str; 22] = [
            "never",
            "not ",
            "n't ",
            "no one",
            "nobody",
            "nie ",
            "niemals",
            "nicht",
            "kein",
            "않는다",
            "안 된다",
            "안된다",
            "금지",
            "말 것",
            "마라",
            "못 한다",
            "않기",
            "不得",
            "不能",
            "不要",
            "不许",
            "禁止",
        ];
        if statement.says(Cue::Freely) {
            let turned = NEVER.iter().any(|word| statement.folded.contains(word));
            return Some(if turned { Self::Asks } else { Self::Freely });
        }
        statement.says(Cue::Asks).then_some(Self::Asks)
    }
}

/// Whether a statement says that something is done by hand, or that a machine does it.
fn by_hand(statement: &Statement) -> Option<bool> {
    const BY_ITSELF: [&str; 4] = ["automatically", "automatisch", "자동으로", "自动"];
    let denied = || says_no(&statement.folded) || statement.says(Cue::Past);
    if statement.says(Cue::ByHand) {
        return Some(!denied());
    }
    let by_itself =
        statement.says(Cue::Freely) && BY_ITSELF.iter().any(|word| statement.folded.contains(word));
    (by_itself && !denied()).then_some(false)
}

/// A clause that says what is not so, or not to be done.
#[derive(Debug)]
pub(super) struct Denied {
    pub(super) statement: usize,
    /// Sorted.
    pub(super) words: Vec<WordId>,
}

/// A statement that puts one thing before another.
#[derive(Debug)]
pub(super) struct Order {
    pub(super) statement: usize,
    /// What comes first: stems, of Chinese single characters.
    pub(super) first: Stems,
    /// Everything else that the statement names.
    pub(super) rest: Stems,
}

impl Claims {
    pub(crate) fn of(view: &View, corpus: &Corpus) -> Self {
        let mut out = Self::default();
        let mut head = String::new();
        for statement in &view.statements[..view.head_len] {
            head.push_str(view.text(statement));
            head.push('\n');
        }
        out.language = words::language(&head);
        for (at, statement) in view.statements.iter().enumerate().take(MOST) {
            if statement.part == Part::Heading {
                continue;
            }
            if out.stance.is_none() && at < view.head_len {
                out.stance = Stance::of(statement).map(|stance| (at, stance));
            }
            if out.by_hand.is_none() && at < view.head_len {
                out.by_hand = by_hand(statement).map(|by_hand| (at, by_hand));
            }
            let text = view.text(statement);
            out.size += size(text);
            if let Some((first, rest)) = order(text, &statement.folded) {
                out.orders.push(Order {
                    statement: at,
                    first,
                    rest,
                });
            }
            if !view.denies(corpus, statement) || statement.says(Cue::NotYet) {
                continue;
            }
            for clause in parts(text) {
                if forbids(&clause.to_lowercase()) {
                    let mut words = corpus.known(clause);
                    let denying = denying(corpus, clause);
                    words.retain(|word| !corpus.is_number(*word) && !denying.contains(word));
                    if !words.is_empty() && words.len() <= LONGEST {
                        out.denied.push(Denied {
                            statement: at,
                            words,
                        });
                    }
                }
            }
        }
        out
    }
}

/// The clauses of a text, also those that a Korean verb joins.
pub(super) fn parts(text: &str) -> Vec<&str> {
    clauses(text)
        .into_iter()
        .flat_map(|clause| text[clause].split_inclusive("고 "))
        .collect()
}

/// About how many Latin letters a text has.
fn size(text: &str) -> usize {
    if text.is_ascii() {
        text.bytes().filter(u8::is_ascii_alphanumeric).count()
    } else {
        text.chars().map(letters).sum()
    }
}

/// About how many Latin letters a letter stands for.
fn letters(c: char) -> usize {
    match c {
        '가'..='힣' => 2,
        '\u{2e80}'..='\u{ffff}' => 3,
        c => usize::from(c.is_alphanumeric()),
    }
}

/// The words of a clause that do nothing but deny.
fn denying(corpus: &Corpus, clause: &str) -> Vec<WordId> {
    words::tokens(clause)
        .iter()
        .filter(|token| {
            !matches!(token.kind, words::Kind::Han) && says_no(&token.text.to_lowercase())
        })
        .flat_map(|token| corpus.known(token.text))
        .collect()
}

/// Whether a clause denies as a whole: `without a lid` denies the lid only.
fn forbids(clause: &str) -> bool {
    const PARTLY: [&str; 6] = ["without", "ohne ", "weder ", "neither", " off", "avoid"];
    says_no(clause) && !PARTLY.iter().any(|word| clause.contains(word))
}

/// Words behind what comes first, standing alone or before a word that goes on.
const FIRST_BEHIND: [&str; 15] = [
    "first",
    "comes first",
    "before",
    "zuerst",
    "zunächst",
    "vor",
    "voran",
    "oben",
    "먼저",
    "앞에",
    "우선",
    "在前",
    "在先",
    "优先",
    "放前面",
];
/// Before what comes first.
const FIRST_AHEAD: [&str; 4] = ["zuerst", "first", "先", "먼저"];

/// What a text puts first, and what else it names. `folded`: the text in small letters.
fn order(text: &str, folded: &str) -> Option<(Stems, Stems)> {
    if folded.len() != text.len() || !may_order(folded) {
        return None;
    }
    let ranges = clauses(folded);
    for range in &ranges {
        let clause = &folded[range.clone()];
        let found = FIRST_BEHIND
            .iter()
            .find_map(|mark| {
                let at = stands(clause, mark)?;
                let before = clause[..at].trim_end();
                let start = last_words(before);
                (start < before.len()).then_some(start..before.len())
            })
            .or_else(|| {
                FIRST_AHEAD.iter().find_map(|mark| {
                    let at = if mark.is_ascii() {
                        let rest = clause.trim_start().strip_prefix(mark)?;
                        rest.starts_with(' ').then(|| clause.len() - rest.len())?
                    } else {
                        clause.find(mark)? + mark.len()
                    };
                    let end = first_words(&clause[at..]);
                    (end > 0).then_some(at..at + end)
                })
            });
        if let Some(found) = found {
            let (start, end) = (range.start + found.start, range.start + found.end);
            let first = stems(&folded[start..end]);
            let mut rest = stems(&folded[..start]);
            rest.extend(stems(&folded[end..]));
            return (!first.is_empty() && !rest.is_empty()).then_some((first, rest));
        }
    }
    None
}

/// Whether some of the words stands in a text; most hold none.
fn may_order(folded: &str) -> bool {
    static FINDER: LazyLock<Finder<()>> = LazyLock::new(|| {
        let words = FIRST_BEHIND.iter().chain(&FIRST_AHEAD);
        Finder::new(words.map(|word| ((), *word)))
    });
    FINDER.finds(folded)
}

/// Where a mark stands as a word: in Latin letters before what goes on or at the end, since `the
/// first line` puts nothing first.
fn stands(clause: &str, mark: &str) -> Option<usize> {
    const GO_ON: [&str; 14] = [
        "and ", "then ", "in ", "on ", "with ", "second", "und ", "dann ", "auf ", "the ", "dem ",
        "der ", "den ", "mit ",
    ];
    clause.match_indices(mark).map(|(at, _)| at).find(|at| {
        if !mark.is_ascii() && !mark.starts_with(|c: char| c.is_ascii()) {
            return true;
        }
        let before = clause[..*at].chars().next_back();
        let after = clause[at + mark.len()..].trim_start();
        let whole = before.is_none_or(|c| !c.is_alphanumeric())
            && !clause[at + mark.len()..].starts_with(char::is_alphanumeric);
        let ends = after.is_empty() || after.starts_with(['.', '!', ',']);
        // A preposition stands before the second thing.
        let binds = matches!(mark, &_ if mark == "before" || mark == "vor");
        whole && (ends || binds || GO_ON.iter().any(|word| after.starts_with(word)))
    })
}

/// Where the last words of a text begin that one thing may be named by.
fn last_words(text: &str) -> usize {
    let wide = text.ends_with(|c: char| c as u32 >= 0x2e80 && !('가'..='힣').contains(&c));
    if wide {
        return text
            .char_indices()
            .rev()
            .take(4)
            .take_while(|(_, c)| c.is_alphanumeric())
            .last()
            .map_or(text.len(), |(at, _)| at);
    }
    let mut starts = text.rmatch_indices(' ').map(|(at, _)| at + 1);
    starts.nth(2).unwrap_or(0)
}

/// Where the first words of a text end that one thing may be named by.
fn first_words(text: &str) -> usize {
    let wide = text.starts_with(|c: char| c as u32 >= 0x2e80 && !('가'..='힣').contains(&c));
    if wide {
        return text
            .char_indices()
            .take(4)
            .take_while(|(_, c)| c.is_alphanumeric() && !"后再然最".contains(*c))
            .last()
            .map_or(0, |(at, c)| at + c.len_utf8());
    }
    let rest = text.trim_start();
    let skipped = text.len() - rest.len();
    skipped
        + rest
            .match_indices(' ')
            .nth(1)
            .map_or(rest.len(), |(at, _)| at)
}

/// What words stand for, of Chinese each character by itself.
fn stems(text: &str) -> Stems {
    let mut out = Stems::new();
    for token in &words::tokens(text) {
        match token.kind {
            words::Kind::Symbol | words::Kind::Part => {}
            words::Kind::Han => {
                out.extend(
                    token
                        .text
                        .chars()
                        .map(|c| Box::from(c.encode_utf8(&mut [0; 4]) as &str)),
                );
            }
            _ => out.extend(token.stem().map(|stem| Box::from(&*stem))),
        }
    }
    out.sort_unstable();
    out.dedup();
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn first(text: &str) -> Stems {
        order(text, &text.to_lowercase())
            .map(|(first, _)| first)
            .unwrap_or_default()
    }

    #[test]
    fn what_comes_first_is_found() {
        for (text, expected) in [
            (
                "Product labels show inches first and the metric size in brackets.",
                "inch",
            ),
            ("The label has French before German.", "french"),
            ("In Briefen steht Deutsch vor Polnisch.", "deutsch"),
            ("邮件里中文在前，英文在后。", "中"),
            ("名牌先写姓后写名。", "姓"),
            ("메일에는 한국어를 먼저 쓰고 영어를 뒤에 쓴다.", "한국어"),
        ] {
            assert!(
                first(text).iter().any(|stem| &**stem == expected),
                "{text}: {:?}",
                order(text, &text.to_lowercase())
            );
        }
        for text in [
            "Answer in the first line.",
            "사람이 많다",
            "vorher anrufen",
            "Read the draft.",
        ] {
            assert!(
                first(text).is_empty(),
                "{text}: {:?}",
                order(text, &text.to_lowercase())
            );
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_has_an_order_or_none(text in "(first|before|vor|先|在前|먼저|[a-zÀ-ÿ一-丏가-간 ,]){0,12}") {
            order(&text, &text.to_lowercase());
        }
    }
}
