//! Decisions: questions for one (`what did we decide about …`), and texts that hold one.

/// Words by which a question asks for a decision; folded, as they stand and as stems. Of Korean
/// verbs the nouns: their forms are [`DECIDED`].
const ASKS: &str = " decide decides decided decid decision decisions decis agreed agree settled chose chosen \
 entscheiden entscheidet entschied entschieden entscheidung entscheidungen beschlossen beschluss beschlusse beschlusses \
 vereinbart festgelegt geeinigt \
 결정 결정사항 의사결정 합의 채택 확정 \
 决定 决策 决议 选定 商定 敲定 ";

/// What the forms of Korean verbs begin with by which something has been decided (`정했나요`).
const DECIDED: [&str; 25] = [
    "결정했",
    "결정하였",
    "결정한",
    "결정된",
    "결정됐",
    "결정되었",
    "결정하기로",
    "정했",
    "정하였",
    "정한",
    "정해진",
    "정해졌",
    "정하기로",
    "골랐",
    "고른",
    "고르기로",
    "택했",
    "택하기로",
    "선택했",
    "선택하기로",
    "채택했",
    "채택된",
    "확정했",
    "확정된",
    "합의했",
];

/// Ways to ask for a decision that take several words; folded. What begins with a letter begins a word.
const PUT: [&str; 34] = [
    "did we choose",
    "did we pick",
    "have we picked",
    "we picked",
    "did we go with",
    "we went with",
    "did we settle",
    "did we opt",
    "we opted",
    "did we agree",
    "did we land on",
    "we landed on",
    "wir uns geeinigt",
    "wir uns verständigt",
    "fiel die wahl",
    "wahl gefallen",
    "我们选了",
    "选了什么",
    "选了哪",
    "选的是",
    "选用了",
    "选择了什么",
    "选择了哪",
    "定了什么",
    "定了哪",
    "定的是",
    "定下来",
    "怎么定的",
    "说好",
    "约定了",
    "最后用了",
    "最终用了",
    "最后选",
    "最终选",
];

/// What a German question that has `wir` ends with, where it asks for a decision.
const CHOSEN: [&str; 9] = [
    "gewählt",
    "ausgewählt",
    "ausgesucht",
    "ausgemacht",
    "abgemacht",
    "festgelegt",
    "verständigt",
    "vereinbart",
    "verabredet",
];

/// Behind `-기로`, a Korean verb's form of what is meant to be done: it was decided (`쓰기로 했지`).
const MEANT: [&str; 10] = [
    "했", "하였", "한 ", "한거", "정했", "정한", "결정", "합의", "약속", "됐",
];

/// Korean nouns that end so too (`크기로 정렬`).
const NO_VERB: [&str; 14] = [
    "크기", "주기", "초기", "경기", "전기", "단기", "장기", "중기", "무기", "시기", "여기", "저기",
    "거기", "분기",
];

/// Korean questions for one of several things (`뭘로 갔더라`), before a verb of [`WENT`].
const WHICH: [&str; 17] = [
    "무엇으로",
    "뭘로",
    "뭐로",
    "무얼로",
    "어떤 걸로",
    "어떤걸로",
    "어느 걸로",
    "어느걸로",
    "어떤 것으로",
    "어느 것으로",
    "어떤 거로",
    "어느 거로",
    "어느 쪽으로",
    "어떤 방식으로",
    "어느 방식으로",
    "어떤 방법으로",
    "어떤 방향으로",
];

/// Verbs by which one of several things was taken.
const WENT: [&str; 6] = ["했", "갔", "정해", "정했", "가기로", "결정"];

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
const SAYS: [&str; 62] = [
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
    "기로 하였",
    "기로 됐",
    "선택했",
    "확정했",
    "확정됐",
    "택했",
    "골랐",
    "채택",
    "决定",
    "选择了",
    "选了",
    "选定",
    "敲定",
    "定为",
    "采用了",
    "确定用",
    "确定使用",
    "确定采用",
    "说好",
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
        || DECIDED.iter().any(|verb| {
            word.starts_with(verb) && words::is_verb_form(&words::jamo(word), &[words::jamo(verb)])
        })
}

/// Whether a query, folded with one space between words, asks for a decision by how it is put, whatever
/// its verb: `무엇으로 바꾸기로 했어`, `what did we go with`, `welche haben wir gewählt`, `选了哪个`.
pub(crate) fn asked_in(query: &str) -> bool {
    let put = PUT.iter().any(|put| {
        let ascii = put.starts_with(|c: char| c.is_ascii());
        query.match_indices(put).any(|(at, _)| {
            !(ascii
                && query
                    .get(..at)
                    .is_some_and(|before| before.ends_with(char::is_alphanumeric)))
        })
    });
    let german = || {
        let mut words = query.split(|c: char| !c.is_alphanumeric());
        words.any(|word| word == "wir") && words.any(chosen)
    };
    put || meant(query) || taken(query) || german()
}

/// Whether a word of a query for a decision only asks for it.
pub(crate) fn chosen(word: &str) -> bool {
    CHOSEN.contains(&word)
}

/// `쓰기로 했지`, `쓰기로했나요`.
fn meant(query: &str) -> bool {
    query.match_indices("기로").any(|(at, gi)| {
        let before = query.get(..at).unwrap_or_default();
        let after = query.get(at + gi.len()..).unwrap_or_default().trim_start();
        let verb = before
            .chars()
            .next_back()
            .is_some_and(|c| words::script(c) == words::Script::Hangul);
        let noun = NO_VERB.iter().any(|noun| {
            let head = noun.strip_suffix('기').unwrap_or(noun);
            before
                .strip_suffix(head)
                .is_some_and(|before| before.is_empty() || before.ends_with(char::is_whitespace))
        });
        verb && !noun && MEANT.iter().any(|meant| after.starts_with(meant))
    })
}

/// `데이터베이스는 뭘로 했지`: one of several things, and at the end a verb that takes it.
fn taken(query: &str) -> bool {
    WHICH.iter().any(|which| {
        query.match_indices(which).any(|(at, which)| {
            let after = query
                .get(at + which.len()..)
                .unwrap_or_default()
                .trim_start();
            let mut words = after.split_whitespace();
            let verb = words.next().unwrap_or_default();
            words.next().is_none() && WENT.iter().any(|went| verb.starts_with(went))
        })
    })
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
            "정했나요",
            "정했어",
            "정했던가요",
            "골랐더라",
            "결정된",
            "선택했죠",
            "决定",
        ] {
            assert!(asked_by(word), "{word}");
        }
        for word in ["deploy", "정한수", "고르는", "선택"] {
            assert!(!asked_by(word), "{word}");
        }
        for query in [
            "데이터베이스 무엇으로 바꾸기로 했어?",
            "큐는 뭘 쓰기로 했더라",
            "배포는 카나리로 하기로했나요",
            "로그는 어디에 남기기로 정했지",
            "언제 옮기기로 한 거야",
            "디비 뭘로 갔지?",
            "인증은 어떤 걸로 했나요",
            "what did we go with for the queue",
            "which broker did we pick",
            "welche datenbank haben wir gewählt",
            "worauf haben wir uns verständigt",
            "数据库我们选了哪个",
            "缓存最后用了什么",
        ] {
            assert!(asked_in(query), "{query}");
        }
        for query in [
            "크기로 한 번 정렬",
            "파일 크기로 정렬했지",
            "경기로 했",
            "뭘로 고쳤지",
            "뭘로 로그를 남기는 설정",
            "gewählte zeile",
            "redid we choose",
        ] {
            assert!(!asked_in(query), "{query}");
        }
    }
}
