//! What `mnemo search` and `mnemo show` say: where a result stands, which words of a query are days,
//! and what is not there.
#![allow(
    clippy::unwrap_used,
    clippy::disallowed_methods,
    reason = "tests make files, and a panic is how they fail"
)]

use mnemo_tests::TestEnv;
use serde_json::{Value, json};
use std::fs;

/// A project on Monday, 2026-11-30, with these day files.
fn place(days: &[(&str, &str)]) -> TestEnv {
    let mut env = TestEnv::bare("shop");
    env.now("2026-11-30T12:00:00");
    env.write(".mnemo-root", "");
    for (day, text) in days {
        env.write(format!("conversations/{day}-claude.md"), text);
    }
    env
}

/// A day with one question and its answer.
fn talk(question: &str, answer: &str) -> String {
    format!(
        "---\ndate: x\nkeywords: []\nsummary:\n---\n# x\n\n## [09:00:00] User\n\n{question}\n\n## [09:01:00] Assistant\n\n{answer}\n"
    )
}

fn find(env: &TestEnv, query: &str) -> Value {
    env.mnemo(&["search", query, "--json"]).ok().json()
}

fn texts(env: &TestEnv, query: &str) -> Vec<String> {
    let found = find(env, query);
    let hits = found["results"].as_array().unwrap();
    hits.iter()
        .map(|hit| hit["text"].as_str().unwrap().to_owned())
        .collect()
}

fn said(env: &TestEnv, args: &[&str]) -> String {
    env.mnemo(&[&["search"], args].concat()).ok().out()
}

/// Two numbers of which one begins with the other are two words.
#[test]
fn a_number_does_not_hide_a_longer_one() {
    let env = place(&[
        (
            "2026-11-20",
            &talk(
                "which ceiling",
                "The ceiling for 2026 is fixed at 20 euros.",
            ),
        ),
        ("2026-11-21", &talk("which lamp", "A lamp of 2031 candela.")),
    ]);
    for query in [
        "ceiling 2026",
        "20 2026 ceiling",
        "2026 ceiling 20",
        "ceiling 20 2026 fixed",
    ] {
        let found = find(&env, query);
        assert!(
            !found.to_string().contains("absent\":[\"20"),
            "{query}: {found}"
        );
        let first = found["results"][0]["text"].as_str().unwrap_or_default();
        assert!(first.contains("The ceiling for 2026"), "{query}: {found:#}");
    }
}

#[test]
fn a_transcripts_line_shows_the_turn_that_stands_there() {
    // With and without spaces: what other programs write is read too.
    for spaced in [false, true] {
        let env = place(&[]);
        let mut session = env.session();
        for (turn, word) in [("t1", "badger"), ("t2", "caracal"), ("t3", "dormouse")] {
            session.says(turn, &format!("question {word}"));
            session.answers(&format!("answer {word}"), Some("end_turn"));
        }
        if spaced {
            let text = fs::read_to_string(&session.transcript).unwrap();
            let text = text.replace("\":\"", "\": \"").replace("\",\"", "\", \"");
            fs::write(&session.transcript, text).unwrap();
        }
        let found = env
            .mnemo(&["search", "caracal", "--layer", "transcripts", "--json"])
            .ok()
            .json();
        let hits = found["results"].as_array().unwrap();
        assert_eq!(hits.len(), 2, "{found}");
        for hit in hits {
            let reference = hit["ref"].as_str().unwrap();
            let shown = env.mnemo(&["show", reference, "--json"]).ok().json();
            assert_eq!(shown["found"][0]["text"], hit["text"], "{reference}");
            assert_eq!(shown["found"][0]["line"], hit["line"], "{reference}");
        }
        let path = session.transcript.to_str().unwrap();
        let first = env.mnemo(&["show", &format!("{path}:1"), "--json"]).ok();
        assert_eq!(first.json()["found"][0]["text"], "question badger");
    }
}

#[test]
fn items_of_a_categorys_file_are_found_each_by_itself() {
    let mut env = place(&[]);
    env.set("MNEMO_LANGUAGE", "en");
    env.mnemo(&["init"]).ok();
    for (name, about) in [
        ("port-8080", "Port 8080 is taken"),
        ("port-9090", "Port 9090 is metrics"),
    ] {
        env.mnemo(&[
            "memory",
            "add",
            "--store",
            "record",
            "--category",
            "gotchas",
            "--name",
            name,
            "--description",
            about,
        ])
        .ok();
    }
    let file = env.project().join("memory/gotchas.md");
    let text = fs::read_to_string(&file).unwrap();
    let line = 1 + text
        .lines()
        .position(|line| line == "### port-9090")
        .unwrap();
    let (head, tail) = text.split_once("### port-9090").unwrap();
    let tail = tail.replacen("`date: 2026-11-30`", "`date: 2026-05-05`", 1);
    fs::write(&file, format!("{head}### port-9090{tail}")).unwrap();

    let found = find(&env, "9090");
    let hit = &found["results"][0];
    assert_eq!(hit["ref"], format!("memory/gotchas.md:{line}"), "{found}");
    assert_eq!(hit["id"], "g:002");
    assert_eq!(hit["date"], "2026-05-05");
    let text = hit["text"].as_str().unwrap();
    assert!(text.contains("9090") && !text.contains("8080"), "{text}");
    let late = env.mnemo(&[
        "search",
        "9090",
        "--layer",
        "memory",
        "--since",
        "2026-11-01",
        "--json",
    ]);
    assert_eq!(late.ok().json()["results"], json!([]));

    let shown = env
        .mnemo(&["show", &format!("memory/gotchas.md:{line}"), "--json"])
        .ok()
        .json();
    assert_eq!(shown["found"][0]["id"], "g:002", "{shown}");
    let whole = env.mnemo(&["show", "memory/gotchas.md"]).ok().out();
    assert!(whole.contains("8080") && whole.contains("9090"), "{whole}");
}

#[test]
fn show_gives_as_many_neighbours_of_an_item_as_are_asked_for() {
    let env = place(&[]);
    env.write("MEMORY.md", "# MEMORY\n");
    for number in 1..=5 {
        env.write(
            format!("memory/gotchas/{number:03}-n.md"),
            format!("# g:{number:03} Number {number}\n\n- keywords: n{number}\n\nText {number}.\n"),
        );
    }
    for (reference, context, before, after) in [
        ("g:3", "0", 0, 0),
        ("g:3", "1", 1, 1),
        ("g:3", "2", 2, 2),
        ("g:1", "9", 0, 4),
        ("memory/gotchas/003-n.md:1", "2", 2, 2),
    ] {
        let shown = env
            .mnemo(&["show", reference, "--context", context, "--json"])
            .ok()
            .json();
        let count = |side: &str| shown[side].as_array().unwrap().len();
        assert_eq!(
            (count("before"), count("after")),
            (before, after),
            "{reference} {context}"
        );
    }
}

#[test]
fn keywords_and_summary_of_a_day_are_found_and_lead_to_its_entries() {
    let day = "---\ndate: 2026-11-20\nkeywords: [quokka, deployment]\nsummary: The wallaby plan\n---\n# 2026-11-20\n\n## [09:00:00] User\n\nhow is the deployment\n\n## [09:01:00] Assistant\n\nfine\n";
    let other = talk("how is the deployment", "fine too");
    let env = place(&[("2026-11-20", day), ("2026-11-21", &other)]);
    for word in ["quokka", "wallaby"] {
        let found = find(&env, word);
        assert_eq!(
            found["results"][0]["path"], "conversations/2026-11-20-claude.md",
            "{word}"
        );
        assert_eq!(found["absent"], json!([]), "{word}");
    }
    let found = find(&env, "quokka deployment");
    assert_eq!(found["results"][0]["date"], "2026-11-20");
    assert_eq!(found["results"][0]["role"], "user", "{found}");
    // Nobody said it.
    let user = env
        .mnemo(&["search", "quokka", "--role", "user", "--json"])
        .ok()
        .json();
    assert_eq!(user["results"], json!([]));
    // The names of the fields are not what was said.
    assert_eq!(texts(&env, "summary"), Vec::<String>::new());
}

#[test]
fn text_without_a_heading_is_found_and_shown() {
    for (text, line) in [
        (
            "# 2026-11-20\n\nloose ocelot\n\n## [09:00:00] User\n\nhi\n",
            3,
        ),
        ("ocelot and nothing else\n", 1),
        ("## [25:99:00] User\n\nocelot\n", 3),
    ] {
        let env = place(&[("2026-11-20", text)]);
        let found = find(&env, "ocelot");
        let hit = &found["results"][0];
        assert_eq!(hit["ref"], "conversations/2026-11-20-claude.md:1", "{text}");
        assert_eq!(hit["role"], Value::Null);
        let reference = format!("conversations/2026-11-20-claude.md:{line}");
        let shown = env.mnemo(&["show", &reference]).ok().out();
        assert!(shown.contains("ocelot"), "{text}: {shown}");
    }
}

#[test]
fn a_word_that_other_days_hold_is_not_called_absent() {
    let env = place(&[
        ("2026-11-28", &talk("nächster Schritt?", "deploy 배포 끝")),
        ("2026-11-24", &talk("something else", "nothing here")),
    ]);
    for (query, word) in [
        ("deploy 2026-11-24", "deploy"),
        ("배포 2026-11-24", "배포"),
        ("deploy on November 24", "deploy"),
    ] {
        let out = said(&env, &[query]);
        assert!(
            out.contains(&format!(
                "Not in those days: \"{word}\" (it occurs on 2026-11-28)."
            )),
            "{query}: {out}"
        );
        assert!(!out.contains("Nowhere here"), "{query}: {out}");
    }
    let limited = env
        .mnemo(&[
            "search",
            "deploy zanzibar",
            "--until",
            "2026-11-25",
            "--json",
        ])
        .ok()
        .json();
    assert_eq!(limited["absent"], json!(["zanzibar"]));
    assert_eq!(
        limited["elsewhere"],
        json!([{ "word": "deploy", "newest": "2026-11-28" }])
    );
}

/// Query, first and last day.
const DAYS: &[(&str, &str, &str)] = &[
    ("2025년 배포", "2025-01-01", "2025-12-31"),
    ("Deployment im Jahr 2025", "2025-01-01", "2025-12-31"),
    ("deploy in 2026", "2026-01-01", "2026-11-30"),
    ("2025年的部署", "2025-01-01", "2025-12-31"),
    ("deploy 2026/11/20", "2026-11-20", "2026-11-20"),
    ("deploy 2026.11.20", "2026-11-20", "2026-11-20"),
    ("2026. 11. 20. 배포", "2026-11-20", "2026-11-20"),
    ("deploy 11/20", "2026-11-20", "2026-11-20"),
    ("20일에 배포", "2026-11-20", "2026-11-20"),
    ("deploy on the 20th", "2026-11-20", "2026-11-20"),
    ("Deploy am 20.", "2026-11-20", "2026-11-20"),
    ("20号的部署", "2026-11-20", "2026-11-20"),
    ("deploy by october", "", "2026-10-31"),
    ("vorletzte Woche Deploy", "2026-11-16", "2026-11-22"),
    ("the week before last", "2026-11-16", "2026-11-22"),
    ("시월 배포", "2026-10-01", "2026-10-31"),
    ("십일월 초 배포", "2026-11-01", "2026-11-10"),
    ("deploy last quarter", "2026-07-01", "2026-09-30"),
    ("지난 분기 배포", "2026-07-01", "2026-09-30"),
    ("letztes Quartal", "2026-07-01", "2026-09-30"),
    ("上个季度的部署", "2026-07-01", "2026-09-30"),
    ("deploy this morning", "2026-11-30", "2026-11-30"),
    ("Deploy heute früh", "2026-11-30", "2026-11-30"),
    ("오늘 아침 배포", "2026-11-30", "2026-11-30"),
    ("今天早上部署失败", "2026-11-30", "2026-11-30"),
    ("deploy last night", "2026-11-29", "2026-11-29"),
    ("上周部署的失败原因", "2026-11-23", "2026-11-29"),
    ("上个月番茄怎么浇水", "2026-10-01", "2026-10-31"),
    ("11月初番茄", "2026-11-01", "2026-11-10"),
    ("10月的部署", "2026-10-01", "2026-10-31"),
    ("十月的部署", "2026-10-01", "2026-10-31"),
    ("十一月二十日的部署", "2026-11-20", "2026-11-20"),
    ("三天前部署", "2026-11-27", "2026-11-27"),
    ("两周前的部署", "2026-11-16", "2026-11-22"),
    ("上周五部署失败", "2026-11-27", "2026-11-27"),
    ("我们上周部署了什么", "2026-11-23", "2026-11-29"),
    ("Redis上周Kafka", "2026-11-23", "2026-11-29"),
    ("昨天部署", "2026-11-29", "2026-11-29"),
    ("last week's deploy", "2026-11-23", "2026-11-29"),
    ("어젯밤 배포", "2026-11-29", "2026-11-29"),
    ("到昨天为止的部署", "", "2026-11-29"),
    ("截至昨天部署", "", "2026-11-29"),
    ("Deploy am 3.11.", "2026-11-03", "2026-11-03"),
    ("올해 10월 배포", "2026-10-01", "2026-10-31"),
    ("작년 12월 배포", "2025-12-01", "2025-12-31"),
    ("작년 12월에 한 배포", "2025-12-01", "2025-12-31"),
    ("작년 12월 초 배포", "2025-12-01", "2025-12-10"),
    ("작년 12월 5일 배포", "2025-12-05", "2025-12-05"),
    ("재작년 3월의 배포", "2024-03-01", "2024-03-31"),
    ("지난해 십이월 배포", "2025-12-01", "2025-12-31"),
    ("지난 해 12월 배포", "2025-12-01", "2025-12-31"),
    ("작년 12월부터 배포", "2025-12-01", "2026-11-30"),
    ("작년 10월부터 12월까지 배포", "2025-10-01", "2025-12-31"),
    ("작년 11월부터 2월까지 배포", "2025-11-01", "2026-02-28"),
    ("작년 12월까지 배포", "", "2025-12-31"),
    ("작년 말 배포", "2025-09-01", "2025-12-31"),
    ("올해 초 배포", "2026-01-01", "2026-04-30"),
    ("지난달 말 배포", "2026-10-21", "2026-10-31"),
    ("지난달 초에 배포", "2026-10-01", "2026-10-10"),
    ("지난 주말 배포", "2026-11-28", "2026-11-29"),
    ("지난주 초 배포", "2026-11-23", "2026-11-29"),
    ("2025년 말 배포", "2025-09-01", "2025-12-31"),
    ("去年12月部署", "2025-12-01", "2025-12-31"),
    ("去年的十二月的部署", "2025-12-01", "2025-12-31"),
    ("今年10月 部署", "2026-10-01", "2026-10-31"),
    ("今年十月上旬部署", "2026-10-01", "2026-10-10"),
    ("去年12月5日部署", "2025-12-05", "2025-12-05"),
    ("前年三月部署", "2024-03-01", "2024-03-31"),
    ("去年12月以来的部署", "2025-12-01", "2026-11-30"),
    ("去年10月到12月的部署", "2025-10-01", "2025-12-31"),
    ("去年底部署失败", "2025-09-01", "2025-12-31"),
    ("去年年底的部署", "2025-09-01", "2025-12-31"),
    ("上个月底部署", "2026-10-21", "2026-10-31"),
    ("上周末部署", "2026-11-28", "2026-11-29"),
    ("2025年底的部署", "2025-09-01", "2025-12-31"),
    ("deploy December last year", "2025-12-01", "2025-12-31"),
    (
        "deploy in December of last year",
        "2025-12-01",
        "2025-12-31",
    ),
    ("deploy october this year", "2026-10-01", "2026-10-31"),
    (
        "deploy in early December last year",
        "2025-12-01",
        "2025-12-10",
    ),
    ("deploy on December 5 last year", "2025-12-05", "2025-12-05"),
    (
        "deploy on 5th of December last year",
        "2025-12-05",
        "2025-12-05",
    ),
    ("last year in December deploy", "2025-12-01", "2025-12-31"),
    ("last year's December deploy", "2025-12-01", "2025-12-31"),
    (
        "deploy in March the year before last",
        "2024-03-01",
        "2024-03-31",
    ),
    ("deploy in May of last year", "2025-05-01", "2025-05-31"),
    ("deploy in October of 2025", "2025-10-01", "2025-10-31"),
    (
        "deploy since December last year",
        "2025-12-01",
        "2026-11-30",
    ),
    ("deploy before December last year", "", "2025-11-30"),
    (
        "deploy between October and December last year",
        "2025-10-01",
        "2025-12-31",
    ),
    (
        "deploy from November last year to February",
        "2025-11-01",
        "2026-02-28",
    ),
    ("deploy at the end of last year", "2025-09-01", "2025-12-31"),
    ("deploy early this year", "2026-01-01", "2026-04-30"),
    ("deploy late last month", "2026-10-21", "2026-10-31"),
    ("deploy early last quarter", "2026-07-01", "2026-07-31"),
    ("deploy end of 2025", "2025-09-01", "2025-12-31"),
    ("deploy last weekend", "2026-11-28", "2026-11-29"),
    (
        "Deploy im Dezember letzten Jahres",
        "2025-12-01",
        "2025-12-31",
    ),
    ("Deploy Dezember letztes Jahr", "2025-12-01", "2025-12-31"),
    (
        "Deploy im Oktober dieses Jahres",
        "2026-10-01",
        "2026-10-31",
    ),
    (
        "Deploy im Oktober des vergangenen Jahres",
        "2025-10-01",
        "2025-10-31",
    ),
    (
        "Deploy Anfang Dezember vorigen Jahres",
        "2025-12-01",
        "2025-12-10",
    ),
    (
        "Deploy am 5. Dezember letzten Jahres",
        "2025-12-05",
        "2025-12-05",
    ),
    (
        "letztes Jahr im Dezember Deploy",
        "2025-12-01",
        "2025-12-31",
    ),
    (
        "Deploy im März vorletzten Jahres",
        "2024-03-01",
        "2024-03-31",
    ),
    (
        "Deploy seit Dezember letzten Jahres",
        "2025-12-01",
        "2026-11-30",
    ),
    (
        "Deploy von Oktober bis Dezember letzten Jahres",
        "2025-10-01",
        "2025-12-31",
    ),
    ("Deploy Ende letzten Jahres", "2025-09-01", "2025-12-31"),
    ("Deploy Anfang des Jahres", "2026-01-01", "2026-04-30"),
    ("Deploy Ende letzten Monats", "2026-10-21", "2026-10-31"),
    ("Deploy letztes Wochenende", "2026-11-28", "2026-11-29"),
    ("Deploy Ende 2025", "2025-09-01", "2025-12-31"),
];

/// Queries without a day.
const NO_DAYS: &[&str] = &[
    "deploy every friday",
    "매주 월요일 배포",
    "월요일마다 배포",
    "jeden Montag deploy",
    "jeden letzten Freitag im Monat",
    "每周一部署",
    "每个星期五部署",
    "next friday deploy",
    "다음 주 월요일 배포",
    "nächsten Montag",
    "下周五部署",
    "올해 12월 배포 계획",
    "내년 3월 배포",
    "明年三月部署",
    "deploy December this year",
    "deploy in March next year",
    "deploy next year in March",
    "Deploy im März nächsten Jahres",
    "说明年份的部署",
    "do we need Python 3.11.",
    "monday.com deploy",
    "now() today() function",
    "yesterday.js",
    "heute-journal",
    "backup today's release",
    "release-2026-10-06",
    "conversations/2026-10-06-claude.md",
    "v2026.11.20",
    "logs/2026/11/20/app.log",
    "2026-11-30T05:03:22Z ERROR deploy",
    "2026-11-30 05:03:22 ERROR deploy",
    "11/20 tests passed",
    "24/7 support",
    "in 2000 requests",
    "in 2048 bytes",
    "on the 2nd attempt",
    "三天前端构建",
    "第三天的部署",
    "以上周期",
    "一周一次部署",
];

/// What the queries ask for, beside their days.
const MATTERS: &[&str] = &[
    "deploy",
    "deployment",
    "배포",
    "한",
    "部署",
    "失败",
    "失败原因",
    "部署失败",
    "原因",
    "redis",
    "kafka",
    "番茄",
    "浇水",
    "番茄怎么浇水",
];

/// A word that was not found, in small letters.
fn said_of(word: &Value) -> String {
    let word = word.get("word").unwrap_or(word);
    word.as_str().unwrap().to_lowercase()
}

#[test]
fn days_of_a_query_in_four_languages() {
    let env = place(&[("2026-11-20", &talk("deploy", "done"))]);
    let mut wrong = Vec::new();
    let day = |day: &str| (!day.is_empty()).then(|| day.to_owned());
    for (query, since, until) in DAYS {
        let time = &find(&env, query)["time"];
        if time["since"] != json!(day(since)) || time["until"] != json!(day(until)) {
            wrong.push(format!("{query}: {time}, not {since} to {until}"));
        }
        // All of the expression was taken for a time: nothing of it is left to be looked for.
        let left = find(&env, query);
        let words = left["absent"].as_array().unwrap().iter();
        let others: Vec<_> = words.chain(left["elsewhere"].as_array().unwrap()).collect();
        if !others
            .iter()
            .all(|word| MATTERS.contains(&said_of(word).as_str()))
        {
            wrong.push(format!("{query}: {others:?} is left"));
        }
    }
    for query in NO_DAYS {
        let time = &find(&env, query)["time"];
        if *time != json!({ "text": null, "since": null, "until": null }) {
            wrong.push(format!("{query}: {time}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn chinese_questions_find_their_answers() {
    let env = place(&[
        ("2026-11-10", &talk("番茄要怎么种", "每天早上浇水一次。")),
        (
            "2026-11-20",
            &talk("服务器的备份方案", "数据库每晚用 pg_dump 备份，保留七天。"),
        ),
        (
            "2026-11-21",
            &talk("操作系统定了吗", "选鸿蒙，因为设备便宜。"),
        ),
    ]);
    for (query, holds) in [
        ("数据库备份怎么做", "pg_dump"),
        ("我们为什么要选鸿蒙系统呢", "鸿蒙"),
        ("番茄怎么浇水", "浇水"),
    ] {
        let found = texts(&env, query);
        assert!(
            found.iter().any(|text| text.contains(holds)),
            "{query}: {found:?}"
        );
    }
    let out = said(&env, &["上个月黄瓜怎么浇水"]);
    assert!(
        !out.contains("\"个月\"") && !out.contains("\"月黄\""),
        "{out}"
    );
    assert_eq!(find(&env, "黄瓜大棚")["absent"], json!(["黄瓜大棚"]));
    assert_eq!(find(&env, "数据库大棚")["absent"], json!(["大棚"]));
}

#[test]
fn what_cannot_be_read_is_told() {
    use std::os::unix::fs::PermissionsExt;
    let env = place(&[("2026-11-20", &talk("deploy", "done"))]);
    let folder = env.project().join("conversations");
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o000)).unwrap();
    // Whoever may read everything sees no difference.
    let told = fs::read_dir(&folder).is_err();
    let done = env.mnemo(&["search", "deploy"]).ok();
    fs::set_permissions(&folder, fs::Permissions::from_mode(0o755)).unwrap();
    if told {
        assert!(
            done.err().contains("not searched: conversations/"),
            "{done:?}"
        );
    }
    // A file where the folder should be can be read by nobody.
    fs::remove_dir_all(&folder).unwrap();
    fs::write(&folder, "x").unwrap();
    let done = env.mnemo(&["search", "deploy"]).ok();
    assert!(
        done.err().contains("not searched: conversations/"),
        "{done:?}"
    );
    assert!(!done.out().contains("Nothing is recorded"), "{done:?}");
}

#[test]
fn private_text_and_secrets_are_never_shown() {
    let token = ["ghp", "_16C7e42F292c6912", "E7710c838347Ae178B4a"].concat();
    let text = format!(
        "lynx plan <private>hidden marten</private> and {token}\n<private>\nsecond marten\n</private>\nrest"
    );
    let env = place(&[("2026-11-20", &talk(&text, &text))]);
    env.write("MEMORY.md", "# MEMORY\n");
    env.write(
        "memory/gotchas/001-a.md",
        format!("# g:001 Lynx <private>marten</private>\n\n{text}\n"),
    );
    env.write("memory/gotchas/002-b.md", "# g:002 Other\n\nlynx\n");
    env.write(
        "docs/handoffs/2026-11-30-090000-lynx.md",
        format!("# Handoff: lynx\n\n## Immediate Next Steps\n\n1. {text}\n"),
    );
    for args in [
        &["search", "lynx"][..],
        &["search", "lynx", "--json"],
        &["search", "lynx", "--context", "9"],
        &["search", "marten"],
        &["search", "marten", "--json"],
        &["search", &token],
        &["show", "conversations/2026-11-20-claude.md:9"],
        &["show", "conversations/2026-11-20-claude.md:9", "--json"],
        &["show", "g:1"],
        &["show", "g:1", "--json"],
        &["show", "g:2"],
        &["show", "memory/gotchas/001-a.md:1"],
        &["show", "h:lynx"],
        &["handoff", "resume"],
        &["handoff", "resume", "--json"],
    ] {
        let out = env.mnemo(args).ok().out();
        // The query is the user's own.
        let out = out
            .replace(&format!("\"{token}\""), "")
            .replace("\"marten\"", "");
        let out = out.replace("for marten", "");
        assert!(
            !out.contains("marten") && !out.contains("ghp_16C7"),
            "{args:?}: {out}"
        );
    }
    assert!(said(&env, &["lynx"]).contains("lynx plan"));
}

#[test]
fn signs_of_a_name_are_a_part_of_it() {
    let env = place(&[
        (
            "2026-11-18",
            &talk("which standard", "we build with C++17 now"),
        ),
        ("2026-11-19", &talk("where is it", r"in C:\Users\me")),
        (
            "2026-11-20",
            &talk("which language", "the tool is written in C#"),
        ),
        ("2026-11-21", &talk("which runtime", "on .NET 8, netto")),
    ]);
    for (query, first) in [
        ("C#", "C#"),
        ("C++", "C++17"),
        ("what is written in C#?", "C#"),
        (".NET", ".NET"),
    ] {
        let found = texts(&env, query);
        assert!(
            found.first().is_some_and(|text| text.contains(first)),
            "{query}: {found:?}"
        );
    }
    assert_eq!(texts(&env, "C#").len(), 1);
}

#[test]
fn words_are_found_in_forms_that_fold_alike() {
    for (query, text) in [
        (
            "9fceb02",
            "the commit 9fceb02d0ae598e95dc970b74767f19372d61af8 broke it",
        ),
        ("Apfel", "zwei Äpfel im Korb"),
        ("Äpfel", "ein Apfel im Korb"),
        ("Buch", "drei Bücher gelesen"),
        ("Bücher", "ein Buch gelesen"),
        ("Haus", "zwei Häuser gebaut"),
        ("Waermepumpe", "die Luftwärmepumpe brummt"),
    ] {
        let env = place(&[
            ("2026-11-20", &talk("hm", text)),
            ("2026-11-21", &talk("anything", "something else")),
        ]);
        let found = texts(&env, query);
        assert!(
            found.iter().any(|found| found == text),
            "{query}: {}",
            said(&env, &[query])
        );
        assert!(!said(&env, &[query]).contains("does not occur"), "{query}");
    }
    // A correction is another word than the one typed, and is used.
    for query in ["capybara", "capibara"] {
        let env = place(&[("2026-11-20", &talk("hm", "two capybaras and myCapybara"))]);
        let out = said(&env, &[query]);
        assert!(!out.contains("Nothing found"), "{query}: {out}");
        let same = format!("\"{query}\" does not occur; searched for \"{query}\" too");
        assert!(!out.contains(&same), "{out}");
    }
}

#[test]
fn letters_of_other_shapes_are_found() {
    let text = "The Smørgås depot in Łódź lost its ＡＰＩ, Kızılay's line was oﬄine.";
    let env = place(&[
        ("2026-11-20", &talk("hm", text)),
        ("2026-11-21", &talk("anything", "something else")),
    ]);
    for query in ["smorgas", "Smørgås", "lodz", "api", "kizilay", "offline"] {
        assert_eq!(texts(&env, query).first().unwrap(), text, "{query}");
    }
    let plain = "The Smorgas depot in Lodz lost its API, the line was offline.";
    let env = place(&[("2026-11-20", &talk("hm", plain))]);
    for query in ["smørgås", "Łódź", "ａｐｉ", "oﬄine"] {
        assert_eq!(texts(&env, query).first().unwrap(), plain, "{query}");
    }
}

#[test]
fn how_is_asked_need_not_be_answered() {
    let env = place(&[(
        "2026-11-20",
        &talk(
            "How do we deploy?",
            "We go with blue/green on the two existing hosts.\n\n#tags: deploy, blue-green",
        ),
    )]);
    for query in [
        "what did we decide about the deploy?",
        "Was haben wir zum Deployment entschieden?",
        "배포는 어떻게 결정했지?",
    ] {
        let out = said(&env, &[query]);
        assert!(out.contains("blue/green"), "{query}: {out}");
        assert!(!out.contains("Nothing found"), "{query}: {out}");
    }
    let out = said(&env, &["what did we decide about zanzibar?"]);
    assert!(out.contains("Nowhere here: \"zanzibar\"."), "{out}");
}

#[test]
fn a_name_that_is_found_by_its_parts_is_told() {
    let answer = "order_id is the key of the table";
    let env = place(&[("2026-11-20", &talk("Where is order_id made?", answer))]);
    let out = said(&env, &["key frobnicate_order_id of the table"]);
    assert!(out.contains(answer), "{out}");
    let told = "\"frobnicate_order_id\" does not occur; found by its parts.";
    assert!(out.contains(told), "{out}");
    let out = said(&env, &["order_id"]);
    assert!(!out.contains("does not occur"), "{out}");
}

#[test]
fn a_short_word_is_no_slip_of_several() {
    let text = "A blink at the flint, which is blunt.";
    let env = place(&[("2026-11-20", &talk("hm", text))]);
    assert_eq!(find(&env, "blint")["corrected"], json!([]));
    // Of one it is.
    let env = place(&[("2026-11-20", &talk("hm", "A piece of flint."))]);
    assert_eq!(
        find(&env, "flnit")["corrected"],
        json!([{ "typed": "flnit", "word": "flint" }])
    );
}

#[test]
fn tags_may_stand_with_spaces() {
    let env = place(&[(
        "2026-11-20",
        &talk("hm", "done\n\n#tags: deploy rollback staging"),
    )]);
    for tag in ["deploy", "rollback", "staging"] {
        let found = env.mnemo(&["search", "--tag", tag, "--json"]).ok().json();
        assert_eq!(found["results"].as_array().unwrap().len(), 1, "{tag}");
    }
    let out = said(&env, &["--tag", "canary"]);
    assert!(out.contains("Nothing carries the tag \"canary\"."), "{out}");
    assert!(!out.contains("\"\""), "{out}");
}

#[test]
fn an_empty_record_says_so() {
    let env = place(&[]);
    for query in ["deploy", "지난주 배포"] {
        let out = said(&env, &[query]);
        assert!(out.contains("Nothing is recorded here yet."), "{out}");
        assert!(!out.contains("Nowhere here"), "{out}");
    }
}

#[test]
fn a_word_that_other_days_hold_by_another_word_is_not_called_absent() {
    let env = place(&[
        (
            "2026-11-03",
            &talk("Why does the staging deploy fail?", "The key is old."),
        ),
        ("2026-11-24", &talk("배포 일정", "내일 합니다.")),
    ]);
    let found = find(&env, "지난주 실패");
    assert_eq!(found["absent"], json!([]), "{found}");
    assert_eq!(
        found["elsewhere"],
        json!([{ "word": "실패", "newest": "2026-11-03" }]),
        "{found}"
    );
    let found = find(&env, "지난주 세금");
    assert_eq!(found["absent"], json!(["세금"]), "{found}");
}

#[test]
fn a_tag_that_nobody_carries_is_named() {
    let env = place(&[("2026-11-24", &talk("deploy it", "done\n\n#tags: release"))]);
    for args in [&["#nope deploy"][..], &["--tag", "nope", "deploy"]] {
        let found = env
            .mnemo(&[&["search", "--store", "record", "--json"], args].concat())
            .ok()
            .json();
        assert_eq!(found["absent"], json!(["#nope"]), "{found}");
    }
    for args in [&["#release deploy"][..], &["--tag", "release", "deploy"]] {
        let found = env
            .mnemo(&[&["search", "--store", "record", "--json"], args].concat())
            .ok()
            .json();
        assert_eq!(found["absent"], json!([]), "{found}");
    }
}

#[test]
fn what_is_absent_is_named_with_its_signs() {
    let env = place(&[("2026-11-24", &talk("deploy it", "done"))]);
    for name in ["C++", "C#", ".NET"] {
        assert_eq!(find(&env, name)["absent"], json!([name]));
    }
}

/// What has a name's letters only is something else.
#[test]
fn a_name_whose_signs_stand_nowhere_is_not_found_by_its_letters() {
    let env = place(&[
        (
            "2026-11-20",
            &talk(
                "which collation",
                "collation C, and psql -c 64 with net_minor, a network",
            ),
        ),
        ("2026-11-24", &talk("which language", "we build with C++17")),
    ]);
    for name in ["C#", ".NET", "F#", "C#로 빌드", "用C#写的"] {
        let found = find(&env, name);
        assert_eq!(found["results"], json!([]), "{name}: {found}");
        let shown = if name.contains("C#") { "C#" } else { name };
        let absent = found["absent"].as_array().unwrap();
        assert!(absent.contains(&json!(shown)), "{name}: {found}");
    }
    assert!(said(&env, &["C#"]).contains("Nowhere here: \"C#\"."));
    for name in ["C++", "C++로 빌드"] {
        assert!(texts(&env, name)[0].contains("C++17"), "{name}");
    }
    // On another day only.
    let out = said(&env, &["C++", "--until", "2026-11-21"]);
    assert!(
        out.contains("Not in those days: \"C++\" (it occurs on 2026-11-24)."),
        "{out}"
    );
    // A user's own word for it is one.
    env.write("memory/synonyms.yaml", "- [C#, collation]\n");
    assert!(texts(&env, "C#")[0].contains("collation"));
}

/// A day and no matter lists what was said then.
#[test]
fn days_alone_list_what_was_asked_the_newest_first() {
    let env = place(&[
        ("2026-11-20", &talk("old question", "old answer")),
        (
            "2026-11-24",
            &talk("first question", "first answer\n\n#tags: ferry"),
        ),
        (
            "2026-11-27",
            &(talk("second question", "second answer")
                + "\n## [10:00:00] User\n\nthird question <private>zebra</private>\n\n## [10:01:00] Assistant\n\nthird answer\n"),
        ),
    ]);
    let listed = ["third question", "second question", "first question"];
    for query in [
        "last week",
        "지난주",
        "letzte Woche",
        "上周",
        "what did we do last week",
        "지난주에 뭐 했지?",
        "지난주에 뭐 했나요",
        "was haben wir letzte Woche gemacht",
        "上周我们做了什么",
        "what happened last week?",
    ] {
        let texts: Vec<String> = texts(&env, query)
            .iter()
            .map(|text| text.trim().to_owned())
            .collect();
        assert_eq!(texts.len(), 3, "{query}: {texts:?}");
        for (text, question) in texts.iter().zip(listed) {
            assert!(
                text.starts_with(question) && !text.contains("zebra"),
                "{query}: {text}"
            );
        }
    }
    let json = |args: &[&str]| {
        env.mnemo(&[&["search", "--json"], args].concat())
            .ok()
            .json()
    };
    assert_eq!(json(&["--since", "5d"])["listed"], json!(2));
    assert_eq!(json(&["last week", "--limit", "1"])["listed"], json!(3));
    assert!(said(&env, &["last week", "--limit", "1"]).contains("The newest 1 of 3"));
    let tagged = json(&["last week", "--tag", "ferry"]);
    assert_eq!(tagged["results"].as_array().unwrap().len(), 1, "{tagged}");
    let answers = json(&["last week", "--role", "assistant"]);
    assert_eq!(
        answers["results"][0]["text"],
        json!("third answer"),
        "{answers}"
    );
    // Another matter is looked for.
    assert_eq!(texts(&env, "second last week").len(), 2);
    assert_eq!(find(&env, "yesterday")["results"], json!([]));
}

/// Questions end in many ways in Korean; what is asked is the same.
#[test]
fn korean_questions_are_found_whatever_their_ending() {
    let env = place(&[
        (
            "2026-11-20",
            &talk(
                "README 오류",
                "설치 절을 고쳤습니다. 밸브는 새벽에 안 열렸습니다.",
            ),
        ),
        ("2026-11-21", &talk("못 상태", "못이 꺾였습니다.")),
        (
            "2026-11-22",
            &talk("서버 상태", "서버에 배포했습니다. 색인이 재구축됐습니다."),
        ),
        ("2026-11-23", &talk("글꼴", "글꼴이 작습니다.")),
    ]);
    let mut wrong = Vec::new();
    for (stem, holds) in [
        ("고쳤", "고쳤"),
        ("열렸", "열렸"),
        ("꺾였", "꺾였"),
        ("배포했", "배포했"),
        ("재구축됐", "재구축됐"),
    ] {
        for end in [
            "나",
            "나요",
            "니",
            "는가",
            "는가요",
            "던가",
            "던가요",
            "을까",
            "을까요",
            "는지",
            "는지요",
            "지",
            "지요",
            "죠",
            "대",
            "대요",
            "어",
            "어요",
            "더라",
            "더라고요",
            "습니까",
            "네요",
            "는데요",
            "군요",
            "거든요",
            "잖아요",
        ] {
            let query = format!("{stem}{end}");
            let found = find(&env, &query);
            let first = &found["results"][0]["text"];
            if !first.as_str().is_some_and(|text| text.contains(holds))
                || found["absent"] != json!([])
            {
                wrong.push(format!("{query}: {found}"));
            }
        }
    }
    for (query, holds) in [
        ("밸브 안 열렸나요", "열렸"),
        ("글꼴이 작은가요", "작습"),
        ("글꼴 작을까요", "작습"),
        ("글꼴 작죠", "작습"),
        ("배포하나요", "배포했"),
        ("배포할까요", "배포했"),
        ("배포한대요", "배포했"),
        ("배포하셨나요", "배포했"),
        ("배포 어떻게 했나요", "배포했"),
        ("배포 언제 됐나요", "배포했"),
    ] {
        let found = find(&env, query);
        let first = &found["results"][0]["text"];
        if !first.as_str().is_some_and(|text| text.contains(holds)) || found["absent"] != json!([])
        {
            wrong.push(format!("{query}: {found}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A thing that stands nowhere is told from one that does, in every language.
#[test]
fn what_is_asked_of_a_thing_that_stands_nowhere_is_not_answered() {
    let env = place(&[
        (
            "2026-11-20",
            &talk(
                "펌프 교체 견적 받았어?",
                "네, 한일펌프 견적은 42만 원이고 수요일 교체 예정입니다.",
            ),
        ),
        (
            "2026-11-21",
            &talk(
                "상추는 하루 몇 시간이 적당해?",
                "상추는 하루 16시간이 적당합니다.",
            ),
        ),
        ("2026-11-22", &talk("문서 고쳐 줘", "설치 절을 고쳤습니다.")),
        ("2026-11-23", &talk("고마워", "네!")),
    ]);
    for (query, absent) in [
        ("펌프 보증서", "보증서"),
        ("pump warranty", "warranty"),
        ("Pumpe Garantie", "Garantie"),
        ("上次的水泵保修", "水泵保修"),
        ("상추 병충해", "병충해"),
    ] {
        let found = find(&env, query);
        assert_eq!(found["results"], json!([]), "{query}: {found}");
        let all = found["absent"].as_array().unwrap();
        assert!(all.contains(&json!(absent)), "{query}: {found}");
    }
    for query in ["펌프 견적서", "펌프 견적", "상추 시간"] {
        assert_ne!(find(&env, query)["results"], json!([]), "{query}");
    }
}

#[test]
fn who_does_it_is_not_what_is_done() {
    let env = place(&[(
        "2026-11-24",
        &talk(
            "Die Rechnung kommt per E-Mail",
            "Die Ordnung der Rechnungen bleibt.",
        ),
    )]);
    for query in ["server", "서버", "Rechner", "Ordner"] {
        let found = find(&env, query);
        assert_eq!(found["results"], json!([]), "{query}: {found}");
    }
    assert_ne!(find(&env, "Rechnungen")["results"], json!([]));
}

#[test]
fn umlauts_in_two_letters_are_found_in_compounds_too() {
    for (query, text) in [
        ("Wärmepumpe", "Die Luftwaermepumpe steht still."),
        ("Waermepumpe", "Die Luftwärmepumpe steht still."),
        ("Luftwaermepumpe", "Die Wärmepumpe steht still."),
        ("Luftwärmepumpe", "Die Waermepumpe steht still."),
        ("schluessel", "Der Hauptschlüssel fehlt."),
        ("Schlüssel", "Der Hauptschluessel fehlt."),
        ("Größe", "Die Schuhgroessen fehlen."),
        ("Groesse", "Die Schuhgrößen fehlen."),
        ("Strasse", "Die Bundesstraße ist zu."),
        ("Bundesstraße", "Die Strasse ist zu."),
    ] {
        let env = place(&[("2026-11-24", &talk("und nun?", text))]);
        let found = texts(&env, query);
        assert!(
            found.iter().any(|found| found.contains(text)),
            "{query} in {text}: {found:?}"
        );
    }
}

#[test]
fn an_empty_layer_is_not_an_empty_record() {
    let env = place(&[("2026-11-20", &talk("deploy?", "The deploy failed."))]);
    for (layer, says) in [
        (
            "memory",
            "The memory holds no entries yet; try without --layer.",
        ),
        ("index", "MEMORY.md lists nothing yet; try without --layer."),
        (
            "transcripts",
            "There are no transcripts of this project; try without --layer.",
        ),
    ] {
        let out = said(&env, &["deploy", "--layer", layer]);
        assert_eq!(out, format!("{says}\n"), "{layer}");
    }
}

#[test]
fn a_long_line_is_shown_around_what_was_found() {
    let long = |before: usize, after: usize| {
        format!(
            "{}needle{}",
            "{\"가\":1},".repeat(before),
            ",{\"b\":2}".repeat(after)
        )
    };
    for (before, after) in [(20_000, 20_000), (0, 40_000), (40_000, 0)] {
        let question = long(before, after);
        let env = place(&[("2026-11-20", &talk(&question, "Thanks."))]);
        for context in ["0", "2"] {
            let out = said(&env, &["needle", "--context", context]);
            assert!(out.contains("needle"), "{before} {after}");
            assert!(out.len() < 4_000, "{before} {after}: {} bytes", out.len());
            assert_eq!(out.contains("    ... "), before > 0, "{before} {after}");
            assert_eq!(out.contains(" ...\n"), after > 0, "{before} {after}");
        }
        let found = find(&env, "needle");
        let hit = &found["results"][0];
        let excerpt = hit["excerpt"].as_str().unwrap();
        assert!(excerpt.contains("needle") && excerpt.len() < 4_000);
        assert_eq!(hit["text"], question.as_str(), "the text is whole");
    }
}

#[test]
fn further_turns_whose_id_begins_so_are_counted() {
    let day = |id: &str, word: &str| {
        format!(
            "# x\n\n## [09:00:00] User\n<!-- mnemo s=1 id={id} -->\n\n{word}?\n\n## [09:01:00] Assistant\n<!-- mnemo s=1 id={id} -->\n\n{word}.\n"
        )
    };
    let env = place(&[
        ("2026-11-23", &day("7c2f15fc", "badger")),
        ("2026-11-28", &day("7c2f34eb", "caracal")),
        ("2026-11-29", &day("7c2f53da", "dormouse")),
    ]);
    let out = env.mnemo(&["show", "7c2f"]).ok().out();
    assert!(
        out.contains("dormouse.") && !out.contains("badger"),
        "{out}"
    );
    assert!(
        out.ends_with("2 more turns of older days begin with \"7c2f\".\n"),
        "{out}"
    );
    let json = env.mnemo(&["show", "7c2f", "--json"]).ok().json();
    assert_eq!(json["others"], 2);
    for (id, others) in [("7c2f3", 0), ("7c2f15fc", 0), ("7c2f53da", 0)] {
        let json = env.mnemo(&["show", id, "--json"]).ok().json();
        assert_eq!(json["others"], others, "{id}");
        assert_eq!(json["found"].as_array().unwrap().len(), 2, "{id}");
    }
    let few = env.mnemo(&["show", "7c2"]).code(3);
    assert!(
        few.err()
            .contains("of a turn's id at least 4 characters are needed"),
        "{}",
        few.err()
    );
}
