//! Lines of a file of rules that are no rule now: asked, planned, proposed, withdrawn, or another
//! team's.

use std::borrow::Cow;

/// How such a line begins, in small letters, behind the signs of a list.
const BEGINNINGS: &[&str] = &[
    "we plan to ",
    "plan:",
    "planned:",
    "proposal:",
    "proposed:",
    "idea:",
    "draft:",
    "todo:",
    "no longer valid",
    "withdrawn:",
    "old rule",
    "former rule",
    "formerly:",
    "until now the rule was",
    "künftig soll",
    "früher galt",
    "früher:",
    "vorschlag:",
    "geplant:",
    "idee:",
    "entwurf:",
    "alte regel",
    "nicht mehr gültig",
    "gilt nicht mehr",
    "예전 규칙",
    "옛 규칙",
    "(검토 중)",
    "검토 중:",
    "제안:",
    "계획:",
    "초안:",
    "더는 유효하지",
    "以后计划",
    "旧规则",
    "建议：",
    "建议:",
    "提议：",
    "提议:",
    "计划：",
    "计划:",
    "草案：",
    "草案:",
    "已废除",
    "from next ",
    "starting next ",
    "as of next ",
    "ab nächste",
    "ab kommende",
    "내년부터",
    "다음 달부터",
    "다음 분기부터",
    "明年起",
    "明年开始",
    "从明年",
    "下个月起",
    "下季度起",
];

/// What such a line says anywhere: that the rule is still to be made, that it was one once, or that
/// others have it.
const ANYWHERE: &[&str] = &[
    "the rule was:",
    "the rule used to be",
    "used to be the rule",
    "was the rule until",
    "is withdrawn",
    "was withdrawn",
    "has been withdrawn",
    "is no longer valid",
    "no longer applies",
    "not agreed yet",
    "not yet agreed",
    "not decided yet",
    "not yet decided",
    "is still to be decided",
    "; we do not.",
    "; we don't.",
    ", we do not.",
    ", we don't.",
    ", not us.",
    "galt die regel",
    "war die regel",
    "lautete die regel",
    "gilt nicht mehr",
    "wurde zurückgezogen",
    "ist zurückgezogen",
    "ist aufgehoben",
    "wurde aufgehoben",
    "noch nicht beschlossen",
    "noch nicht entschieden",
    "noch nicht vereinbart",
    "wird noch entschieden",
    "; wir nicht.",
    ", wir nicht.",
    "; wir tun das nicht.",
    "규칙을 만들 예정",
    "규칙으로 할 예정",
    "규칙이었다",
    "규칙이었음",
    "하도록 할 예정",
    "하기로 할 예정",
    "아직 정하지 않",
    "아직 결정하지 않",
    "아직 합의하지 않",
    "할지는 나중에 정",
    "폐지했다",
    "폐지됐다",
    "폐지되었다",
    "더는 적용하지 않",
    "더 이상 적용하지 않",
    "우리는 하지 않는다",
    "우리는 안 한다",
    "우리 팀은 아니다",
    "尚未决定",
    "还没决定",
    "还没有决定",
    "尚未同意",
    "已经取消",
    "已废除",
    "已作废",
    "不再适用",
    "曾经的规定",
    "以前的规定",
    "我们不这样做",
    "我们不这么做",
    "我们没有这个规定",
];

/// A time to come; and that something is so then, which it is not yet.
const LATER: &[&str] = &[
    "next year",
    "next quarter",
    "next month",
    "nächstes jahr",
    "nächsten jahr",
    "nächstes quartal",
    "nächsten quartal",
    "nächsten monat",
    "kommenden jahr",
    "내년",
    "다음 분기",
    "다음 달",
    "明年",
    "下个季度",
    "下季度",
    "下个月",
];
const WILL: &[&str] = &[
    " may ",
    " might ",
    " will ",
    "going to",
    "plan to",
    "want to",
    "wollen",
    "werden",
    "wird",
    "soll",
    "möchten",
    "예정",
    "계획",
    "생각이",
    "하려고",
    "할 것이다",
    "将",
    "打算",
    "计划",
    "可能",
    "准备",
];

/// What a line says that makes it a rule only when something has come (`Once CI is faster: …`).
const ONCE: &[&str] = &[
    "once ",
    "when we have ",
    "as soon as ",
    "after we ",
    "until ",
    "sobald ",
    "bis ",
    "wenn wir erst ",
    "wenn erst ",
    "나중에 ",
    "等",
    "以后",
];

/// Headings under which nothing is a rule now, as a whole: a heading that says more may be of
/// anything (`Proposals to customers`).
const HEADINGS: &[&str] = &[
    "ideas",
    "idea",
    "proposals",
    "proposal",
    "proposed",
    "drafts",
    "draft",
    "planned",
    "plans",
    "plan",
    "later",
    "someday",
    "maybe",
    "withdrawn",
    "retired",
    "obsolete",
    "outdated",
    "deprecated",
    "discarded",
    "rejected",
    "former",
    "formerly",
    "old",
    "old rules",
    "former rules",
    "past rules",
    "earlier rules",
    "history",
    "archive",
    "under discussion",
    "to discuss",
    "open questions",
    "open points",
    "not agreed",
    "backlog",
    "wishlist",
    "todo",
    "undecided",
    "ideen",
    "idee",
    "vorschläge",
    "vorschlag",
    "entwürfe",
    "entwurf",
    "geplant",
    "pläne",
    "später",
    "zurückgezogen",
    "zurückgezogene regeln",
    "veraltet",
    "überholt",
    "verworfen",
    "abgelehnt",
    "früher",
    "frühere regeln",
    "alte regeln",
    "ehemals",
    "ehemalige regeln",
    "aufgehoben",
    "aufgehobene regeln",
    "in diskussion",
    "zur diskussion",
    "offene fragen",
    "offene punkte",
    "unentschieden",
    "nicht beschlossen",
    "noch nicht beschlossen",
    "abgeschafft",
    "außer kraft",
    "archiv",
    "아이디어",
    "제안",
    "초안",
    "계획",
    "예정",
    "폐기",
    "폐기된 규칙",
    "폐기 규칙",
    "폐지",
    "폐지된 규칙",
    "예전",
    "예전 규칙",
    "옛 규칙",
    "옛날 규칙",
    "이전 규칙",
    "지난 규칙",
    "검토 중",
    "검토중",
    "논의 중",
    "미정",
    "미결정",
    "보류",
    "나중에",
    "철회",
    "철회된 규칙",
    "더는 쓰지 않는 규칙",
    "아직 정하지 않음",
    "想法",
    "建议",
    "提议",
    "草案",
    "计划",
    "以后",
    "废弃",
    "已废弃",
    "废除",
    "已废除",
    "作废",
    "已作废",
    "旧规则",
    "旧规定",
    "以前的规则",
    "以前的规定",
    "过去的规则",
    "过时",
    "待定",
    "待讨论",
    "讨论中",
    "未决定",
    "尚未决定",
    "撤销",
    "已撤销",
    "已取消",
];

/// Words by which a heading says so whatever else it says.
const HEADED: &[&str] = &[
    "withdrawn",
    "not agreed",
    "no longer valid",
    "no longer in force",
    "not in force",
    "under discussion",
    "nicht mehr gültig",
    "außer kraft",
    "zurückgezogen",
    "noch nicht beschlossen",
    "더는 유효하지",
    "더 이상 유효하지",
    "폐기된",
    "폐지된",
    "검토 중인",
    "논의 중인",
    "已废除",
    "已废弃",
    "已作废",
    "不再有效",
    "尚未决定",
];

/// Headings that name another team, which has rules of its own.
const OTHERS: &[&str] = &[
    "other team",
    "another team",
    "other teams",
    "rules of the other",
    "of other teams",
    "anderes team",
    "andere teams",
    "anderer teams",
    "des anderen teams",
    "다른 팀",
    "타 팀",
    "别的团队",
    "其他团队",
    "其它团队",
    "别的组",
    "其他组",
];

/// The text with such lines empty, every line in its place.
pub fn in_force(text: &str) -> Cow<'_, str> {
    let gone: Vec<usize> = gone(text).collect();
    if gone.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut gone = gone.into_iter().peekable();
    for (at, line) in text.split_inclusive('\n').enumerate() {
        let said = line.trim_end_matches(['\n', '\r']);
        out.push_str(if gone.next_if_eq(&at).is_some() {
            line.get(said.len()..).unwrap_or_default()
        } else {
            line
        });
    }
    Cow::Owned(out)
}

/// The places of such lines.
fn gone(text: &str) -> impl Iterator<Item = usize> {
    // How deep the heading is under which nothing holds.
    let mut under: Option<usize> = None;
    let mut fenced = false;
    text.lines().enumerate().filter_map(move |(at, line)| {
        let bare = line.trim_start();
        if bare.starts_with("```") || bare.starts_with("~~~") {
            fenced = !fenced;
        }
        let depth = heading(bare).filter(|_| !fenced);
        if let Some(depth) = depth {
            if under.is_none_or(|above| depth <= above) {
                under = heads_nothing(bare).then_some(depth);
            }
            // The heading itself says nothing.
            return under.is_some().then_some(at);
        }
        (under.is_some() || is_none(line)).then_some(at)
    })
}

/// How deep a heading is.
fn heading(line: &str) -> Option<usize> {
    let depth = line.bytes().take_while(|byte| *byte == b'#').count();
    let behind = line.as_bytes().get(depth);
    ((1..=6).contains(&depth) && behind.is_none_or(|byte| matches!(byte, b' ' | b'\t')))
        .then_some(depth)
}

fn heads_nothing(line: &str) -> bool {
    let said = line.trim_matches(|c: char| c.is_whitespace() || "#*_:：".contains(c));
    let said = said.to_lowercase();
    // What stands in brackets or behind a dash explains.
    let name = said
        .split(['(', '（', ',', '，', '–', '—', ':', '：'])
        .next()
        .unwrap_or(&said)
        .trim();
    HEADINGS.contains(&name)
        || HEADED.iter().any(|words| said.contains(words))
        || OTHERS.iter().any(|words| said.contains(words))
}

fn is_none(line: &str) -> bool {
    let said = line.trim_start_matches(|c: char| c.is_whitespace() || "-*+>#".contains(c));
    let said = said.trim_start_matches('*');
    if said.trim_end().ends_with(['?', '？']) {
        return true;
    }
    if said.is_empty() {
        return false;
    }
    // Only the beginning is looked at.
    let head: String = said.chars().take(24).flat_map(char::to_lowercase).collect();
    if BEGINNINGS
        .iter()
        .any(|beginning| head.starts_with(beginning))
    {
        return true;
    }
    let often = ["once a", "once per ", "once every "];
    if ONCE.iter().any(|once| head.starts_with(once))
        && !often.iter().any(|often| head.starts_with(often))
        && is_conditional(said)
    {
        return true;
    }
    let lower = said.to_lowercase();
    let says = |all: &[&str]| all.iter().any(|words| lower.contains(words));
    if says(LATER) && says(WILL) {
        return true;
    }
    ANYWHERE.iter().any(|words| lower.contains(words))
}

/// Whether a condition stands before a colon: `Until 2025 the rule was: …`, `Sobald …: …`.
fn is_conditional(said: &str) -> bool {
    let Some((before, behind)) = said.split_once([':', '：']) else {
        return false;
    };
    // A time of day is no such sign.
    let time = before.ends_with(|c: char| c.is_ascii_digit())
        && behind.starts_with(|c: char| c.is_ascii_digit());
    let words = before.split_whitespace().count();
    !time
        && (words > 2 || before.chars().any(|c| c as u32 > 0x2e80))
        && !before.contains(['.', '。', ','])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_planned_or_withdrawn_is_no_rule() {
        for line in [
            "- We plan to write a failing test before each fix.",
            "- Should we write a failing test before each fix?",
            "* **Proposal:** tests first",
            "- No longer valid: write a failing test",
            "- Künftig soll freitags nicht ausgerollt werden.",
            "- Früher galt: freitags nicht ausrollen",
            "- (검토 중) 금요일에는 배포하지 않는다",
            "- 예전 규칙: 금요일에는 배포하지 않는다",
            "- 以后计划：周五不发布",
            "- 旧规则（已废除）：周五不发布",
        ] {
            assert_eq!(in_force(line), "", "{line}");
        }
        for line in [
            "- Once a day run the backup.",
            "- Plan migrations for the night.",
            "- Früher als acht Uhr wird nicht ausgerollt.",
            "- 계획을 먼저 공유한다",
            "- 建议先写测试",
        ] {
            assert_eq!(in_force(line), line);
        }
        assert_eq!(in_force("a\n- Really?\r\nb\n"), "a\n\r\nb\n");
    }

    #[test]
    fn what_was_or_will_be_a_rule_or_is_others_is_none() {
        for line in [
            "- Once CI is faster: write a failing test before each fix.",
            "- Until 2025 the rule was: write a failing test before each fix.",
            "- The mobile team writes a failing test first; we do not.",
            "- The old way 'never on Fridays' is withdrawn.",
            "- Sobald die CI schneller ist: erst einen Test schreiben.",
            "- Das Team Nord rollt freitags aus; wir nicht.",
            "- 바코드는 실물 스캐너로 확인하도록 할 예정.",
            "- 모바일 팀은 금요일에 배포한다. 우리는 하지 않는다.",
            "- 等流水线快了以后：先写测试",
        ] {
            assert_eq!(in_force(line), "", "{line}");
        }
        for line in [
            "- Once a day run the backup: full on Sundays.",
            "- Until 18:00 the desk is open.",
            "- Bis 18:00 ist jemand da.",
            "- 검토는 두 사람이 한다",
        ] {
            assert_eq!(in_force(line), line);
        }
    }

    #[test]
    fn what_stands_under_a_heading_that_says_so_is_no_rule() {
        for heading in [
            "Withdrawn",
            "Ideas, not agreed yet",
            "Old rules (until 2025)",
            "Früher",
            "Zurückgezogene Regeln",
            "Ideen",
            "폐기",
            "예전 규칙",
            "검토 중인 규칙",
            "想法",
            "旧规则",
            "已废除的规定",
            "Rules of other teams",
        ] {
            let text = format!(
                "# Rules\n\n- Keep.\n\n## {heading}\n\n- Gone.\n\n### More\n\nGone too.\n\n## Work\n- Kept.\n"
            );
            let left = in_force(&text);
            assert!(
                left.contains("- Keep.") && left.contains("- Kept."),
                "{heading}"
            );
            assert!(!left.contains("Gone"), "{heading}: {left}");
            assert_eq!(left.lines().count(), text.lines().count());
        }
        for heading in [
            "Proposals to customers",
            "Planning",
            "Pläne zeichnen",
            "계획 세우기",
            "历史数据",
            "Old browsers",
            "Idea board rules",
        ] {
            let text = format!("## {heading}\n\n- Kept.\n");
            assert_eq!(in_force(&text), text);
        }
    }
}
