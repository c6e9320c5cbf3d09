//! Lines of a file of rules that are no rule now: asked, planned, proposed or withdrawn.

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
];

/// The text with such lines empty, every line in its place.
pub fn in_force(text: &str) -> Cow<'_, str> {
    if !text.lines().any(is_none) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for line in text.split_inclusive('\n') {
        let said = line.trim_end_matches(['\n', '\r']);
        out.push_str(if is_none(said) {
            line.get(said.len()..).unwrap_or_default()
        } else {
            line
        });
    }
    Cow::Owned(out)
}

fn is_none(line: &str) -> bool {
    let said = line.trim_start_matches(|c: char| c.is_whitespace() || "-*+>#".contains(c));
    let said = said.trim_start_matches('*');
    if said.trim_end().ends_with(['?', '？']) {
        return true;
    }
    // Only the beginning is looked at.
    let head: String = said.chars().take(24).flat_map(char::to_lowercase).collect();
    BEGINNINGS
        .iter()
        .any(|beginning| head.starts_with(beginning))
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
}
