//! `What did we decide about …` finds what was decided, in the language of the question and others,
//! among much that only speaks of the same.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    clippy::format_push_string,
    reason = "a test makes the files it reads"
)]

mod common;

use recall::{Answer, Places};
use std::path::Path;

fn ask(root: &Path, query: &str) -> Answer {
    let places = Places {
        record: Some(root.to_owned()),
        ..Places::default()
    };
    common::ask(&places, query, false, "2026-11-16")
}

fn day(root: &Path, date: &str, talks: &[(&str, &str)]) {
    let mut text = format!("---\ndate: {date}\n---\n\n# {date}\n");
    for (index, (question, answer)) in talks.iter().enumerate() {
        text.push_str(&format!(
            "\n## [10:{index:02}:00] User\n\n{question}\n\n## [10:{index:02}:30] Assistant\n\n{answer}\n"
        ));
    }
    let folder = root.join("conversations");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join(format!("{date}-claude.md")), text).unwrap();
}

/// Talk of deployments and vouchers, and one decision on each in each language.
fn record() -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    let root = place.path();
    day(
        root,
        "2026-10-06",
        &[
            (
                "Our deployment of the deployment scripts failed again",
                "The deployment needs the deployment key; the deployment log says so.",
            ),
            (
                "How do we do deployments from now on?",
                "We chose blue-green for every deployment, because a rollback takes seconds.",
            ),
            (
                "What is decided about vouchers?",
                "Nothing is decided yet on vouchers; ask the shop team.",
            ),
            (
                "배포 스크립트가 배포 중에 멈췄어",
                "배포 로그를 보면 배포 키가 없습니다. 배포 키를 넣으세요.",
            ),
            (
                "쿠폰은 어떻게 할까?",
                "쿠폰은 한 주문에 하나만 쓰기로 했습니다. 합산은 계산이 어렵습니다.",
            ),
            (
                "쿠폰 쿠폰 화면이 깨져",
                "쿠폰 화면의 쿠폰 목록 높이를 고쳤습니다. 쿠폰 이름이 길면 줄입니다.",
            ),
        ],
    );
    day(
        root,
        "2026-10-20",
        &[
            (
                "Die Sicherung der Datenbank läuft nicht, die Sicherung bricht ab",
                "Die Sicherung brauchte mehr Platz; die Sicherung läuft wieder.",
            ),
            (
                "Wohin mit der Sicherung?",
                "Wir haben uns für einen zweiten Standort entschieden: die Sicherung geht nach Kiel.\n\n#tags: backup",
            ),
            (
                "缓存 缓存 总是过期",
                "缓存的时间太短，缓存键也不对，缓存已修好。",
            ),
            (
                "缓存放哪里？",
                "我们决定把缓存放在本机内存里，不用外部服务。",
            ),
            (
                "Which colours does the label have, label and label text?",
                "The label is grey, the label text is black, the label border is gone.",
            ),
            (
                "And the label printer?",
                "Thermal, 203 dpi for each label.\n\n#tags: label, decision",
            ),
        ],
    );
    place
}

#[test]
fn what_was_decided_comes_first() {
    let place = record();
    let mut wrong = Vec::new();
    for (query, holds) in [
        (
            "what did we decide about deployment last month?",
            "blue-green",
        ),
        ("deployment decision", "blue-green"),
        ("쿠폰 어떻게 하기로 결정했지?", "하나만"),
        ("what was decided on coupons", "하나만"),
        (
            "Was haben wir letzten Monat zur Sicherung entschieden?",
            "Kiel",
        ),
        ("Entscheidung Sicherung", "Kiel"),
        ("what did we decide about backups", "Kiel"),
        ("上个月我们关于缓存决定了什么", "本机内存"),
        ("which label printer was decided", "203 dpi"),
        ("쿠폰은 몇 개까지 쓰기로 했어?", "하나만"),
        ("쿠폰 어떻게 쓰기로 정했나요", "하나만"),
        ("쿠폰은 뭘로 갔더라", "하나만"),
        ("백업은 어디에 두기로 했지", "Kiel"),
        ("백업 위치 어디로 정했어요?", "Kiel"),
        ("배포를 어떤 걸로 했나요", "blue-green"),
        ("배포는 무엇으로 바꾸기로 했어?", "blue-green"),
        ("Welchen Ort haben wir für die Sicherung gewählt?", "Kiel"),
        (
            "Worauf haben wir uns bei der Sicherung verständigt?",
            "Kiel",
        ),
        ("缓存最后选了哪个", "本机内存"),
        ("缓存是怎么定的", "本机内存"),
        ("what did we go with for deployments", "blue-green"),
    ] {
        let answer = ask(place.path(), query);
        let first = answer.hits.first().map(|hit| hit.text.clone());
        if !first.as_deref().is_some_and(|text| text.contains(holds)) {
            let all: Vec<String> = answer
                .hits
                .iter()
                .chain(&answer.near)
                .take(4)
                .map(|hit| format!("{:.1} {}", hit.score, hit.text))
                .collect();
            wrong.push(format!("{query}: {all:#?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A question for a decision on one thing is not answered by decisions on others.
#[test]
fn decisions_on_other_matters_are_no_results() {
    let place = record();
    for (query, other) in [
        ("Was haben wir zur Sicherung entschieden", "203 dpi"),
        ("쿠폰 어떻게 하기로 결정했지?", "203 dpi"),
        ("what did we decide about deployment", "本机内存"),
        ("关于缓存我们决定了什么", "203 dpi"),
    ] {
        let answer = ask(place.path(), query);
        assert!(!answer.hits.is_empty(), "{query}");
        assert!(
            !answer.hits.iter().any(|hit| hit.text.contains(other)),
            "{query}: {:#?}",
            answer.hits
        );
    }
}

#[test]
fn a_decision_in_another_language_is_not_far() {
    let place = record();
    for (query, holds) in [
        ("지난달에 배포에 대해 뭐라고 결정했지?", "blue-green"),
        ("关于优惠券我们决定了什么", "하나만"),
        ("what did we decide about the cache", "本机内存"),
    ] {
        let answer = ask(place.path(), query);
        assert!(
            answer
                .hits
                .iter()
                .take(3)
                .any(|hit| hit.text.contains(holds)),
            "{query}: {:#?}",
            answer.hits
        );
    }
}

#[test]
fn all_decisions_of_a_time_are_found_where_no_matter_is_named() {
    let place = record();
    for query in [
        "what did we decide last month?",
        "지난달에 뭘 결정했지?",
        "Was haben wir letzten Monat entschieden?",
        "上个月决定了什么",
    ] {
        let answer = ask(place.path(), query);
        let texts: Vec<&str> = answer.hits.iter().map(|hit| hit.text.as_str()).collect();
        for holds in ["Kiel", "本机内存"] {
            assert!(
                texts.iter().take(6).any(|text| text.contains(holds)),
                "{query}: {holds} is not among {texts:#?}"
            );
        }
    }
}
