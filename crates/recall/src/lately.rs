//! Days without a matter (`last week`, `지난주에 뭐 했지?`): what was said in them, the newest first.

use crate::places::{Layer, Source};
use crate::search::{Answer, Hit, Request, Searched, tags_of};
use crate::{day, said};
use chrono::{NaiveDate, NaiveTime};
use claude_hook::Role;

/// Larger day files are not listed.
const LARGEST: u64 = 64 << 20;

/// Words of a question for all that was done, beside the stopwords; as they stand and as stems.
const DONE: &str = " did do done doing work worked working happen happened happening talk talked talking discuss discussed spoke said \
 went going been accomplished achieved finished conversation conversations session sessions chat chats activity activities summary recap \
 history everything list show tell \
 gemacht machen machten habe hab haben getan tun gearbeitet arbeiten passiert geschehen besprochen geredet gesprochen reden erledigt \
 geschafft los lief gelaufen zusammenfassung gesprach gesprache sitzung sitzungen verlauf zeige zeig \
 일 일들 일이 일을 일은 일도 작업 작업들 진행 얘기 이야기 대화 말 논의 내용 뭐 뭘 뭐했 뭘했 기록 요약 세션 활동 나눈 나눴 한일 한거 한게 있었 했었 모든 전부 ";

/// Whether the words of a question, without its days, only ask what was done at all.
pub(crate) fn asks_nothing(text: &str) -> bool {
    let asks = |word: &str| {
        words::is_stopword(word)
            || words::only_joins(word)
            || DONE
                .split_whitespace()
                .any(|done| done == words::plain(word))
    };
    crate::chinese::asks_nothing(text)
        && words::tokens(text)
            .iter()
            .filter(|token| token.kind != words::Kind::Han)
            .all(|token| {
                let folded = token.folded();
                asks(&folded) || asks(&words::stem(&folded))
            })
}

/// Lists what was said, as far as the request wants it: the questions, or what carries the tags.
pub(crate) fn list(searched: &Searched, request: &Request, answer: &mut Answer) {
    let mut found: Vec<Hit> = Vec::new();
    for source in &searched.days {
        match safe_file::read(&source.path, LARGEST) {
            Ok(Some(bytes)) => {
                answer.bytes += bytes.len() as u64;
                of_day(source, &bytes, request, &mut found);
            }
            Ok(None) => {}
            Err(error) => answer.unreadable.push(error.to_string()),
        }
    }
    if request
        .layer
        .is_some_and(|layer| layer != Layer::Conversations)
    {
        found.extend(searched.items.iter().map(|item| Hit {
            line: item.line,
            id: item.code.map(|code| code.to_string()),
            title: Some(crate::clean(item.title.clone())).filter(|title| !title.is_empty()),
            text: crate::clean(item.text.get(..item.own).unwrap_or(&item.text).to_owned()),
            ..of(&item.source, item.source.date, None, None)
        }));
    }
    for said in &searched.said {
        let Some(source) = searched.source(said.source) else {
            continue;
        };
        let halves = [
            (Role::User, &said.question),
            (Role::Assistant, &said.answer),
        ];
        for (role, half) in halves {
            let Some((time, text)) = half else { continue };
            let first = role == Role::User || said.question.is_none();
            if !wanted(request, role, first, text) {
                continue;
            }
            let record = said.record(role).or(said.id.as_deref());
            found.push(Hit {
                line: said::line_of(source, record),
                id: said.id.clone(),
                text: text.clone(),
                ..of(source, said.day, Some(*time), Some(role))
            });
        }
    }
    found.retain(|hit| !hit.text.trim().is_empty());
    // Of one time the later stands behind.
    found.sort_by(|a, b| {
        (b.date, b.time)
            .cmp(&(a.date, a.time))
            .then_with(|| b.line.cmp(&a.line))
    });
    answer.listed = Some(found.len());
    found.truncate(request.limit.max(1));
    answer.hits = found;
}

fn of_day(source: &Source, bytes: &[u8], request: &Request, found: &mut Vec<Hit>) {
    let (mut counted, mut lines) = (0, 0);
    let mut asked = false;
    for entry in day::entries(bytes) {
        let before = bytes.get(counted..entry.span.start).unwrap_or_default();
        lines += memchr::memchr_iter(b'\n', before).count();
        counted = entry.span.start;
        let first = entry.role == Role::User || !asked;
        asked = entry.role == Role::User || asked;
        let text = entry.text(bytes);
        if wanted(request, entry.role, first, &text) {
            found.push(Hit {
                line: lines + 1,
                id: entry.attribute(bytes, "id").map(str::to_owned),
                text: crate::clean(text),
                ..of(source, source.date, Some(entry.time), Some(entry.role))
            });
        }
    }
}

/// Questions; all that one side said, or that carries the tags, where that is asked for. `first`: no
/// question stands before it.
fn wanted(request: &Request, role: Role, first: bool, text: &str) -> bool {
    if request.role.is_some_and(|only| only != role) {
        return false;
    }
    if request.tags.is_empty() {
        return first || request.role.is_some();
    }
    let carried = tags_of(text);
    request.tags.iter().all(|tag| {
        let tag = words::fold(tag.trim_start_matches('#'));
        carried.iter().any(|carried| *carried == tag)
    })
}

fn of(
    source: &Source,
    date: Option<NaiveDate>,
    time: Option<NaiveTime>,
    role: Option<Role>,
) -> Hit {
    Hit {
        path: source.label.clone(),
        line: 1,
        date,
        time,
        role,
        layer: source.layer,
        id: None,
        title: None,
        score: 0.0,
        cover: 1.0,
        text: String::new(),
        marks: Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn questions_for_all_that_was_done_have_no_matter() {
        for text in [
            "",
            "what did we do",
            "what have we worked on?",
            "what happened",
            "was habe ich gemacht",
            "Was haben wir besprochen?",
            "뭐 했지?",
            "에 뭐 했더라",
            "뭐했나요",
            "무슨 일이 있었지",
            "작업한 내용 알려줘",
            "우리 무슨 얘기 했지",
            "做了什么",
            "我们都聊了些什么",
            "发生了什么事情",
        ] {
            assert!(asks_nothing(text), "{text}");
        }
        for text in [
            "deploy",
            "what did we do about backups",
            "what problems did we have",
            "Was haben wir zur Sicherung besprochen",
            "배포 작업",
            "무슨 오류가 있었지",
            "部署做了什么",
            "数据库",
        ] {
            assert!(!asks_nothing(text), "{text}");
        }
    }
}
