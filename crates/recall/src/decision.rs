//! Decisions: questions for one (`what did we decide about …`), and texts that hold one.

/// Words by which a question asks for a decision; folded, as they stand and as stems.
const ASKS: &str = " decide decides decided decid decision decisions decis agreed agree settled chose chosen \
 entscheiden entscheidet entschied entschieden entscheidung entscheidungen beschlossen beschluss beschlusse beschlusses \
 vereinbart festgelegt geeinigt \
 결정 결정한 결정했 결정했지 결정된 결정사항 의사결정 정했 정했지 정했나 정했더라 정한 정해진 합의 채택 확정 택했지 골랐지 \
 决定 决策 决议 选定 商定 敲定 ";

/// Tags that name a decision.
const TAGS: [&str; 15] = [
    "decision",
    "decisions",
    "decided",
    "adr",
    "entscheidung",
    "entscheidungen",
    "entschieden",
    "beschluss",
    "결정",
    "결정사항",
    "의사결정",
    "决定",
    "决策",
    "决议",
    "決定",
];

/// What a decision says of itself, folded. What begins with a letter begins a word.
const SAYS: [&str; 52] = [
    "decided",
    "we decide",
    "decision:",
    "decision is",
    "decision was",
    "the decision",
    "we chose",
    "we choose",
    "chosen",
    "we picked",
    "went with",
    "go with",
    "going with",
    "settled on",
    "settle on",
    "opted for",
    "agreed on",
    "agreed to",
    "we agreed",
    "entschieden",
    "entscheidung:",
    "die entscheidung",
    "entscheiden uns",
    "beschlossen",
    "festgelegt",
    "geeinigt",
    "vereinbart",
    "wir nehmen",
    "fiel auf",
    "fiel die wahl",
    "gewählt",
    "결정했",
    "결정함",
    "결정:",
    "결정은",
    "결정됐",
    "결정되었",
    "으로 결정",
    "정했",
    "기로 했",
    "기로 함",
    "기로 하자",
    "기로 합의",
    "택했",
    "골랐",
    "채택",
    "决定",
    "选择了",
    "选了",
    "选定",
    "敲定",
    "定为",
];

/// What turns what stands right before or behind into the contrary.
const NOT: [&str; 20] = [
    "nothing ",
    "nichts ",
    "no decision",
    "keine ",
    "not ",
    "n't ",
    "never ",
    "yet to ",
    "nicht ",
    "noch kein",
    "haven't ",
    "아직",
    "지 않",
    "지 못",
    "안 ",
    "못 ",
    "没",
    "未",
    "尚",
    "不",
];

/// How far around it such a word stands, in bytes.
const AROUND: usize = 24;

/// Whether a word of a query, folded or as a stem, asks for a decision.
pub(crate) fn asked_by(word: &str) -> bool {
    let plain = words::plain(word);
    ASKS.split_whitespace().any(|asks| asks == plain)
}

/// Whether a text, folded with one space between words, is or holds a decision that was made.
pub(crate) fn is_held_by(folded: &str, tags: &[String]) -> bool {
    tags.iter().any(|tag| TAGS.contains(&tag.as_str()))
        || is_of_type(folded)
        || SAYS.iter().any(|says| {
            folded
                .match_indices(says)
                .any(|(at, _)| says_so(folded, at, at + says.len()))
        })
}

/// Whether frontmatter calls the entry one.
fn is_of_type(folded: &str) -> bool {
    folded
        .strip_prefix("--- ")
        .and_then(|rest| rest.split_once(" --- "))
        .is_some_and(|(head, _)| {
            head.split("type: ")
                .skip(1)
                .any(|value| value.starts_with("decision"))
        })
}

/// Whether what stands here is said, neither asked nor denied.
fn says_so(text: &str, start: usize, end: usize) -> bool {
    let before = text.get(..start).unwrap_or_default();
    let after = text.get(end..).unwrap_or_default();
    let inside = text
        .get(start..)
        .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()))
        && before.ends_with(char::is_alphanumeric);
    let sentence = after
        .find(['.', '!', '?', '。', '！', '？', '#'])
        .and_then(|at| after.get(at..));
    let asked = sentence.is_some_and(|rest| rest.starts_with(['?', '？']));
    let near_before = before
        .char_indices()
        .rev()
        .find(|(at, _)| start - at >= AROUND)
        .map_or(before, |(at, _)| before.get(at..).unwrap_or_default());
    // `결정하지 않았다`: Korean denies behind the verb.
    let near_after = after
        .char_indices()
        .find(|(at, _)| *at >= AROUND / 2)
        .map_or(after, |(at, _)| after.get(..at).unwrap_or_default());
    let korean = text
        .get(start..)
        .and_then(|rest| rest.chars().next())
        .is_some_and(|c| words::script(c) == words::Script::Hangul);
    let denied_before = |not: &str| {
        let rest = near_before.rfind(not).and_then(|at| near_before.get(at..));
        rest.is_some_and(|rest| !rest.contains(['.', ',', ';', '。', '，']))
    };
    let denied = near_after.starts_with(" yet")
        || NOT
            .iter()
            .any(|not| denied_before(not) || korean && near_after.contains(not));
    !inside && !asked && !denied
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_decided_is_told_from_what_was_asked_or_left_open() {
        for text in [
            "we chose postgres over mysql because of json columns",
            "decided: canary first",
            "wir haben uns für die blaue variante entschieden",
            "배포는 카나리로 하기로 했습니다",
            "인증은 토큰으로 결정했어요",
            "我们决定用蓝绿部署",
            "--- name: x type: decision --- blue green",
        ] {
            assert!(is_held_by(text, &[]), "{text}");
        }
        assert!(is_held_by("canary", &["decision".to_owned()]));
        for text in [
            "what have we decided about the queue?",
            "that is not decided yet",
            "nothing is decided yet on vouchers",
            "das ist noch nicht entschieden",
            "아직 결정하지 않았습니다",
            "我们还没决定",
            "an undecided user",
            "--- name: x type: project --- blue green",
        ] {
            assert!(!is_held_by(text, &[]), "{text}");
        }
    }

    #[test]
    fn questions_for_a_decision_are_known_by_their_words() {
        for word in [
            "decide",
            "decided",
            "entschieden",
            "결정했지",
            "정했지",
            "决定",
        ] {
            assert!(asked_by(word), "{word}");
        }
        assert!(!asked_by("deploy"));
    }
}
