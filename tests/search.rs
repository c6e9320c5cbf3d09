//! `mnemo search` and `mnemo show` over a record made for the purpose: what is found, by which words,
//! within which limits, and what a terminal and a program get to see.
#![allow(
    clippy::unwrap_used,
    clippy::format_push_string,
    reason = "a panic is how tests fail, and a day file is put together once"
)]

use mnemo_tests::{Done, TestEnv};
use serde_json::Value;

/// A record of three days and a memory, seen on the 30th of November 2026, a Monday.
fn record() -> TestEnv {
    let mut env = TestEnv::bare("shop");
    env.now("2026-11-30T12:00:00");
    env.write(".mnemo-root", "");
    day(
        &env,
        "2026-10-05",
        &[
            ("09:00:00", "User", "a1", "배포를 자동으로 하고 싶어"),
            (
                "09:01:00",
                "Assistant",
                "a1",
                "배포했던 방식은 스크립트야. canary 로 바꾸자.\n\n#tags: deploy, canary",
            ),
            ("09:02:00", "User", "a2", "Wo drucken wir die Etiketten?"),
            (
                "09:03:00",
                "Assistant",
                "a2",
                "Der Versandetikettendrucker steht im Lager, zwei Bäume weiter.",
            ),
        ],
    );
    day(
        &env,
        "2026-11-24",
        &[
            (
                "10:00:00",
                "User",
                "b1c2d3e4",
                "Why did parse_order_id fail?",
            ),
            (
                "10:01:00",
                "Assistant",
                "b1c2d3e4",
                "parse_order_id failed with: canceling statement due to lock timeout.\n\n#tags: postgres",
            ),
        ],
    );
    day(
        &env,
        "2026-11-29",
        &[
            (
                "11:00:00",
                "User",
                "c1",
                "colours \u{1b}[31mred\u{202e}der\u{1b}[0m widget",
            ),
            (
                "11:01:00",
                "Assistant",
                "c1",
                "The idempotency key is a hash of the body.",
            ),
        ],
    );
    env.write(
        "memory/gotchas/001-pool.md",
        "# g:001 Connection pool runs dry\n\n- keywords: pool, postgres\n\nThe default of ten is too small.\n",
    );
    env.write(
        "MEMORY.md",
        "# MEMORY\n\n| keywords | item |\n|---|---|\n| pool, postgres | g:001 |\n",
    );
    env
}

fn day(env: &TestEnv, date: &str, entries: &[(&str, &str, &str, &str)]) {
    let mut text =
        format!("---\ndate: {date}\nproject: shop\nkeywords: []\nsummary: \"\"\n---\n\n# {date}\n");
    for (time, role, id, body) in entries {
        text.push_str(&format!(
            "\n## [{time}] {role}\n<!-- mnemo s=1f0c2d3e id={id} -->\n\n{body}\n"
        ));
    }
    env.write(format!("conversations/{date}-claude.md"), text);
}

fn search(env: &TestEnv, args: &[&str]) -> Done {
    env.cmd("mnemo")
        .arg("search")
        .args(&["--store", "record"])
        .args(args)
        .run()
}

fn told(env: &TestEnv, args: &[&str]) -> Value {
    search(env, &[args, &["--json"]].concat()).ok().json()
}

/// Where the results lie, best first.
fn found(env: &TestEnv, args: &[&str]) -> Vec<String> {
    told(env, args)["results"]
        .as_array()
        .unwrap()
        .iter()
        .map(|hit| hit["ref"].as_str().unwrap().to_owned())
        .collect()
}

const KOREAN: &str = "conversations/2026-10-05-claude.md:15";
const GERMAN: &str = "conversations/2026-10-05-claude.md:27";
const LOCK: &str = "conversations/2026-11-24-claude.md:15";
const HASH: &str = "conversations/2026-11-29-claude.md:15";
const POOL: &str = "memory/gotchas/001-pool.md:1";

#[test]
fn words_are_found_in_their_other_forms() {
    let env = record();
    for (query, place) in [
        ("배포는", KOREAN),
        ("Lager Bäume", GERMAN),
        ("Versandetiketten", GERMAN),
        ("parseOrderId", LOCK),
        ("connections", POOL),
    ] {
        let found = found(&env, &[query]);
        assert!(found.iter().any(|hit| hit == place), "{query}: {found:?}");
    }
}

#[test]
fn a_slip_is_forgiven_only_where_the_word_itself_is_not_there() {
    let env = record();
    let slip = told(&env, &["idempotancy"]);
    assert_eq!(slip["corrected"][0]["word"], "idempotency", "{slip}");
    assert_eq!(slip["results"][0]["ref"], HASH);
    let right = told(&env, &["idempotency"]);
    assert_eq!(right["corrected"].as_array().unwrap().len(), 0);
    let exact = told(&env, &["--exact", "idempotancy"]);
    assert_eq!(exact["results"].as_array().unwrap().len(), 0);
    let said = search(&env, &["idempotancy"]).ok().out();
    assert!(said.contains("\"idempotancy\" does not occur"), "{said}");
}

#[test]
fn dates_in_a_query_limit_the_days_and_the_answer_says_so() {
    let env = record();
    let last_week = told(&env, &["postgres last week"]);
    assert_eq!(last_week["time"]["text"], "last week");
    assert_eq!(last_week["time"]["since"], "2026-11-23");
    assert_eq!(last_week["time"]["until"], "2026-11-29");
    let said = search(&env, &["지난주", "lock timeout"]).ok().out();
    assert!(said.contains("2026-11-23 to 2026-11-29 only"), "{said}");
    assert!(found(&env, &["10월 초 배포"]).contains(&KOREAN.to_owned()));
    assert!(found(&env, &["배포", "--since", "2026-11-01"]).is_empty());
    assert!(found(&env, &["배포", "--until", "2026-10-31"]).contains(&KOREAN.to_owned()));
    search(
        &env,
        &["배포", "--since", "2026-11-02", "--until", "2026-11-01"],
    )
    .code(2);
    search(&env, &["배포", "--since", "nonsense"]).code(2);
}

#[test]
fn limits_leave_the_rest_out() {
    let env = record();
    for hit in told(&env, &["배포", "--role", "user"])["results"]
        .as_array()
        .unwrap()
    {
        assert_eq!(hit["role"], "user");
    }
    assert_eq!(found(&env, &["--tag", "postgres"]), [LOCK]);
    assert_eq!(found(&env, &["--tag", "#canary", "배포"]), [KOREAN]);
    assert_eq!(found(&env, &["pool", "--layer", "memory"]), [POOL]);
    assert!(found(&env, &["pool", "--layer", "conversations"]).is_empty());
    assert_eq!(found(&env, &["배포", "--limit", "1"]).len(), 1);
    assert_eq!(
        found(&env, &["\"due to lock timeout\""])
            .first()
            .map(String::as_str),
        Some(LOCK)
    );
    search(&env, &[" "]).code(2);
    search(&env, &["배포", "--limit", "0"]).code(2);
}

#[test]
fn nothing_found_is_said_and_is_no_failure() {
    let env = record();
    let said = search(&env, &["Kubernetes"]).ok().out();
    assert!(said.contains("Nothing found"), "{said}");
    assert!(said.contains("Kubernetes"), "{said}");
    let nowhere = TestEnv::bare("empty");
    nowhere.mnemo(&["search", "anything"]).code(3);
}

#[test]
fn what_is_hidden_when_shown_is_not_found_either() {
    let env = TestEnv::bare("ferries");
    env.write(".mnemo-root", "");
    let key = ["gh", "p_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"].concat();
    day(
        &env,
        "2026-10-01",
        &[
            (
                "09:00:00",
                "User",
                "a",
                "ferry <private>code 4711\nsecond zebra</private> please",
            ),
            ("09:00:30", "Assistant", "a", "The ferry leaves at nine."),
            ("09:01:00", "User", "b", "never closed <PRIVATE> giraffe"),
            ("09:02:00", "User", "c", &format!("the {key} is the key")),
            ("09:02:30", "Assistant", "c", "Thanks for it."),
            (
                "09:03:00",
                "User",
                "d",
                &["canoe pass", "word = Kayak7Qrst for it"].concat(),
            ),
        ],
    );
    env.write(
        "conversations/2026-10-02-claude.md",
        "---\ndate: 2026-10-02\nkeywords: [boats, \"<private>walrus</private>\"]\n---\n\n# 2026-10-02\n",
    );
    for hidden in [
        "zebra",
        "4711",
        "zebra code",
        "\"code 4711\"",
        "giraffe",
        "walrus",
    ] {
        let told = told(&env, &[hidden]);
        assert_eq!(told["results"], serde_json::json!([]), "{hidden}: {told}");
        assert_eq!(told["near"], serde_json::json!([]), "{hidden}: {told}");
    }
    let told_of_a_secret = told(&env, &["canoe Kayak7Qrst"]);
    assert_eq!(
        told_of_a_secret["absent"],
        serde_json::json!(["Kayak7Qrst"])
    );
    assert_eq!(
        told(&env, &["canoe Kayak8Qrst"])["absent"],
        serde_json::json!(["Kayak8Qrst"])
    );
    for slip in [
        "zebar",
        "girafe",
        "walrsu",
        "Kayak7Qrsd",
        "canoe Kayak8Qrst",
    ] {
        let told = told(&env, &[slip]);
        assert_eq!(told["corrected"], serde_json::json!([]), "{slip}: {told}");
    }
    assert_eq!(
        told(&env, &["ferry zebra"])["absent"],
        serde_json::json!(["zebra"])
    );
    let told = told(&env, &[&key]);
    assert_eq!(told["results"], serde_json::json!([]), "{told}");
    for open in ["ferry", "please", "closed", "boats", "key"] {
        assert!(!found(&env, &[open]).is_empty(), "{open}");
    }
}

/// Whatever is asked, a secret that stands there is answered as one that does not.
#[test]
fn a_guess_at_a_secret_is_told_nothing() {
    let env = TestEnv::bare("guesses");
    env.write(".mnemo-root", "");
    let key = |end: &str| ["gh", "p_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7", end].concat();
    let pass = |word: &str| ["pass", "word = ", word].concat();
    day(
        &env,
        "2026-11-20",
        &[
            (
                "09:00:00",
                "User",
                "a",
                &format!("some ships, token {}, {}", key("r8"), pass("Kayak7Qrst")),
            ),
            (
                "09:00:30",
                "Assistant",
                "a",
                &format!("fine harbour\n#tags: ok, {}", key("r8")),
            ),
        ],
    );
    env.write(
        "memory/learned.md",
        format!(
            "# Learned\n\n### Ferries\n- keywords: deploy, {}\n\nThey leave at nine.\n",
            key("r8")
        ),
    );
    let real = [key("r8"), "Kayak7Qrst".to_owned()];
    let wrong = [key("r9"), "Kayak7Qrsd".to_owned()];
    for (real, wrong) in real.iter().zip(&wrong) {
        let ways = |word: &str| {
            let quoted = format!("\"{word}\"");
            let tag = format!("#{word}");
            [
                vec![word.to_owned()],
                vec![quoted, "harbour".to_owned()],
                vec![tag.clone(), "harbour".to_owned()],
                vec!["--until".into(), "2026-11-01".into(), word.to_owned()],
                vec!["--since".into(), "2026-11-21".into(), word.to_owned()],
                vec!["--tag".into(), word.to_owned(), "harbour".to_owned()],
                vec!["--tag".into(), word.to_owned()],
                vec!["--exact".into(), word.to_owned()],
                vec![format!("deploy {word}")],
            ]
        };
        for (asked, guessed) in ways(real).into_iter().zip(ways(wrong)) {
            let answer = |args: &[String], word: &str| {
                let args: Vec<&str> = args.iter().map(String::as_str).collect();
                let told = told(&env, &args).to_string();
                told.replace(word, "WORD")
                    .replace(&word.to_lowercase(), "WORD")
            };
            assert_eq!(answer(&asked, real), answer(&guessed, wrong), "{asked:?}");
        }
    }
}

#[test]
fn a_person_sees_no_control_characters_and_a_program_sees_all() {
    let env = record();
    let said = search(&env, &["widget"]).ok().out();
    assert!(said.contains("widget"), "{said}");
    assert!(
        !said.contains('\u{1b}') && !said.contains('\u{202e}'),
        "{said:?}"
    );
    let told = told(&env, &["widget"]);
    let text = told["results"][0]["text"].as_str().unwrap();
    assert!(
        text.contains('\u{202e}') && text.contains('\u{1b}'),
        "{text:?}"
    );
}

#[test]
fn a_result_is_shown_whole_by_place_id_and_code() {
    let env = record();
    let show = |reference: &str| {
        env.cmd("mnemo")
            .args(&["show", reference, "--store", "record"])
            .run()
    };
    let place = show(LOCK).ok().out();
    assert!(
        place.contains("canceling statement due to lock timeout"),
        "{place}"
    );
    assert!(
        place.contains("Why did parse_order_id fail?"),
        "a neighbour: {place}"
    );
    assert!(show("b1c2d3e4").ok().out().contains("lock timeout"));
    assert!(
        show("g:1")
            .ok()
            .out()
            .contains("The default of ten is too small.")
    );
    show("g:99").code(3);
    show("conversations/2026-01-01-claude.md:1").code(3);
}
