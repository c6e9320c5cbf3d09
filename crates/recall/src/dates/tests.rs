use super::*;

fn day(text: &str) -> NaiveDate {
    text.parse().unwrap()
}

#[test]
#[allow(clippy::too_many_lines, reason = "a list")]
fn expressions_of_four_languages() {
    // A Wednesday.
    let today = day("2026-10-14");
    for (query, since, until, rest) in [
        (
            "지난주 배포 실패 원인",
            "2026-10-05",
            "2026-10-11",
            " 배포 실패 원인",
        ),
        (
            "9월 하순 배포가 죽던 문제",
            "2026-09-21",
            "2026-09-30",
            " 배포가 죽던 문제",
        ),
        (
            "이번 주 배포 문제",
            "2026-10-12",
            "2026-10-14",
            " 배포 문제",
        ),
        (
            "flaky tests since October",
            "2026-10-01",
            "2026-10-14",
            "flaky tests ",
        ),
        (
            "redis incident in early September",
            "2026-09-01",
            "2026-09-10",
            "redis incident ",
        ),
        (
            "10월 초 레디스 문제",
            "2026-10-01",
            "2026-10-10",
            " 레디스 문제",
        ),
        (
            "DHL-Probleme der letzten zwei Wochen",
            "2026-09-30",
            "2026-10-14",
            "DHL-Probleme ",
        ),
        (
            "slow database queries last week",
            "2026-10-05",
            "2026-10-11",
            "slow database queries ",
        ),
        (
            "what broke yesterday",
            "2026-10-13",
            "2026-10-13",
            "what broke ",
        ),
        ("어제 고친 것", "2026-10-13", "2026-10-13", " 고친 것"),
        (
            "since Tuesday builds",
            "2026-10-13",
            "2026-10-14",
            " builds",
        ),
        (
            "letzte Woche Ausfall",
            "2026-10-05",
            "2026-10-11",
            " Ausfall",
        ),
        (
            "Ausfall Anfang Oktober",
            "2026-10-01",
            "2026-10-10",
            "Ausfall ",
        ),
        ("上周 部署", "2026-10-05", "2026-10-11", " 部署"),
        ("deploy 3 days ago", "2026-10-11", "2026-10-11", "deploy "),
        ("3일 전 배포", "2026-10-11", "2026-10-11", " 배포"),
        ("vor 3 Tagen", "2026-10-11", "2026-10-11", ""),
        (
            "decided about deployment last month",
            "2026-09-01",
            "2026-09-30",
            "decided about deployment ",
        ),
        ("지난달에 정한 것", "2026-09-01", "2026-09-30", " 정한 것"),
        ("2026년 3월 5일 회의", "2026-03-05", "2026-03-05", " 회의"),
        ("am 5. Oktober", "2026-10-05", "2026-10-05", ""),
        (
            "on October 5th, at noon",
            "2026-10-05",
            "2026-10-05",
            ", at noon",
        ),
        (
            "from 2026-10-01 to 2026-10-03",
            "2026-10-01",
            "2026-10-03",
            "",
        ),
        ("12월 계획", "2025-12-01", "2025-12-31", " 계획"),
        ("최근 2주 장애", "2026-09-30", "2026-10-14", " 장애"),
        ("seit Dienstag", "2026-10-13", "2026-10-14", ""),
        ("10月上旬 故障", "2026-10-01", "2026-10-10", " 故障"),
        (
            "10월부터 느린 쿼리",
            "2026-10-01",
            "2026-10-14",
            " 느린 쿼리",
        ),
    ] {
        let found = find(query, today).unwrap_or_else(|| panic!("{query}"));
        assert_eq!(found.span, Span::days(day(since), day(until)), "{query}");
        let mut left = query.to_owned();
        left.replace_range(found.range, "");
        assert_eq!(left, rest, "{query}");
    }
}

#[test]
fn bounds_of_four_languages() {
    let today = day("2026-10-14");
    for (query, since, until) in [
        ("vor dem 5. Oktober", "", "2026-10-04"),
        ("bis zum 5. Oktober", "", "2026-10-05"),
        ("bis gestern", "", "2026-10-13"),
        ("before October 5", "", "2026-10-04"),
        ("until yesterday", "", "2026-10-13"),
        ("10월 5일부터", "2026-10-05", "2026-10-14"),
        ("10월 1일까지", "", "2026-10-01"),
        ("어제까지", "", "2026-10-13"),
        ("지난주부터", "2026-10-05", "2026-10-14"),
        ("10월 5일 이전", "", "2026-10-04"),
        ("10월 5일이후", "2026-10-05", "2026-10-14"),
        ("10월 1일부터 3일까지", "2026-10-01", "2026-10-03"),
        ("9월 28일부터 10월 3일까지", "2026-09-28", "2026-10-03"),
        ("10월 1일에서 3일까지", "2026-10-01", "2026-10-03"),
        ("10월 1일~3일", "2026-10-01", "2026-10-03"),
        ("10월 1일 - 10월 3일", "2026-10-01", "2026-10-03"),
        ("zwischen 1. und 3. Oktober", "2026-10-01", "2026-10-03"),
        (
            "zwischen dem 1. und dem 3. Oktober",
            "2026-10-01",
            "2026-10-03",
        ),
        ("vom 1. bis 3. Oktober", "2026-10-01", "2026-10-03"),
        ("vom 1. bis zum 3. Oktober", "2026-10-01", "2026-10-03"),
        ("1.-3. Oktober", "2026-10-01", "2026-10-03"),
        ("between October 1 and 3", "2026-10-01", "2026-10-03"),
        ("October 1-3", "2026-10-01", "2026-10-03"),
        ("from October 1 to October 3", "2026-10-01", "2026-10-03"),
        ("10月1日到3日", "2026-10-01", "2026-10-03"),
        ("10月5日之前", "", "2026-10-04"),
        ("10月以来", "2026-10-01", "2026-10-14"),
        ("지난해", "2025-01-01", "2025-12-31"),
        ("작년", "2025-01-01", "2025-12-31"),
        ("지난 해", "2025-01-01", "2025-12-31"),
        ("letztes Jahr", "2025-01-01", "2025-12-31"),
    ] {
        let found = find(query, today).unwrap_or_else(|| panic!("{query}"));
        let span = Span {
            since: (!since.is_empty()).then(|| day(since)),
            until: Some(day(until)),
        };
        assert_eq!(found.span, span, "{query}");
        assert_eq!(found.range, 0..query.len(), "{query}");
    }
}

#[test]
fn values_of_options() {
    let today = day("2026-10-14");
    for (text, since) in [
        ("3d", Some("2026-10-11")),
        ("2w", Some("2026-09-30")),
        ("1m", Some("2026-09-14")),
        ("1y", Some("2025-10-14")),
        ("2026-10-01", Some("2026-10-01")),
        ("5.10.", Some("2026-10-05")),
        ("last week", Some("2026-10-05")),
        ("d", None),
        ("3", None),
        ("99999999999d", None),
        ("4294967295y", None),
        ("3é", None),
    ] {
        let found = parse(text, today).and_then(|span| span.since);
        assert_eq!(found, since.map(day), "{text}");
    }
}

#[test]
fn words_that_only_look_like_dates() {
    let today = day("2026-10-14");
    for query in [
        "how may I deploy",
        "march of progress",
        "last 5 items",
        "5 retries",
        "월별 정산",
        "초과 발급",
        "일주일 한도",
        "vor dem Deploy",
        "from a to b",
        "mar",
        "client 2.1.332",
        "18.2.0",
        "python 3.12.1",
        "1.2.3.4.",
        "v2.1.",
        "1.2.2026.4",
        "5.10.x",
    ] {
        assert_eq!(find(query, today), None, "{query}");
    }
}
