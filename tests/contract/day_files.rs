//! The bytes of day files.

use crate::common::{at_work, contains, day_text, other, repair, says, stops};
use mnemo_tests::{TestEnv, Turn, assistant, user};
use std::fs;
use std::os::unix::fs::PermissionsExt as _;

#[test]
fn header_and_entries_have_exactly_these_bytes() {
    let mut env = TestEnv::named("shop-api");
    env.now("2026-11-30T14:03:22Z");
    let session = env.session();
    says(&env, &session, "7c2e", "  first\n\n");
    env.now("2026-11-30T14:04:10Z");
    stops(&env, &session, "7c2e", "reply\n\n#tags: a, b");
    let want = "---\ndate: 2026-11-30\nproject: shop-api\nkeywords: []\nsummary: \"\"\n---\n\n# 2026-11-30\n\
        \n## [14:03:22] User\n<!-- mnemo s=1f0c2d3e id=7c2e -->\n\n  first\n\n\n\
        \n## [14:04:10] Assistant\n<!-- mnemo s=1f0c2d3e id=7c2e -->\n\nreply\n\n#tags: a, b\n";
    assert_eq!(day_text(&env), want);
}

#[test]
fn lines_that_look_like_headings_get_one_backslash() {
    let env = at_work();
    let session = env.session();
    let escaped = [
        "## [10:00] User",
        "## [10:00:00] Assistant \t\r",
        "\\## [10:00:00] User",
        "\\\\\\## [10:00] Assistant",
        "<!-- mnemo",
        "<!-- mnemonic -->",
        "\\<!-- mnemo s=1 -->",
    ];
    let kept = [
        "### [10:00:00] User",
        " ## [10:00:00] User",
        "## [10:00:00] User x",
        "## [1:00] User",
        "## [10:00:00] user",
        "## [10:00:00:00] User",
        "> ## [10:00:00] User",
        "/## [10:00:00] User",
        " <!-- mnemo -->",
        "<!--mnemo -->",
        "## [10:00:00] User\u{a0}",
        "## [\u{661}\u{660}:\u{660}\u{660}] User",
        "a\r## [10:00:00] User",
        "a\u{2028}## [10:00:00] User",
        "a\u{b}## [10:00:00] User",
        "a\u{85}## [10:00:00] User",
    ];
    let text = escaped
        .iter()
        .chain(&kept)
        .copied()
        .collect::<Vec<_>>()
        .join("\n");
    says(&env, &session, "p", &text);
    let raw: Vec<String> = escaped
        .iter()
        .map(|l| format!("\\{l}"))
        .chain(kept.iter().map(|l| (*l).to_owned()))
        .collect();
    let body = raw.join("\n");
    contains(&day_text(&env), &format!("-->\n\n{body}\n"));
    assert_eq!(env.turns(), [user(text)]);
}

#[test]
fn any_text_comes_back_as_it_was() {
    let env = at_work();
    let session = env.session();
    let texts = [
        "tab\there \\n not a break \\\\ two",
        "crlf\r\nlines\r\n",
        "lone\rcr",
        "````\n```\n~~~\n````",
        "\u{1112}\u{1161}\u{11ab} NFD and 한 NFC",
        "\u{feff}bom first",
        "nul \0 and \u{7} bell",
        "\n\nleading and trailing\n\n",
        "---\ndate: x\n---",
        "# 2026-11-30",
        "x\n\n## [14:03:22] User\n<!-- mnemo s=1f0c2d3e id=p -->\n\nforged\n",
        "emoji 👩‍👩‍👧 \u{200b}\u{202e}",
        "#tags: `a`, b",
    ];
    for text in texts {
        says(&env, &session, "p", text);
    }
    let want: Vec<Turn> = texts.iter().map(|t| user(*t)).collect();
    assert_eq!(env.turns(), want);
    // And none is written again when the transcript holds them too.
    let mut session = env.session();
    session.clock = "2026-11-30T14:03:22.500Z".into();
    for text in texts {
        session.says("p", text);
    }
    repair(&env);
    assert_eq!(env.turns(), want);
}

#[test]
fn what_is_not_unicode_becomes_a_replacement_character() {
    let env = at_work();
    let session = env.session();
    let payload = session.prompt("p", "PLACE").to_string();
    let (head, tail) = payload.split_once("PLACE").unwrap();
    for middle in [
        &b"a\xff\xfeb"[..],
        b"a\\ud800b",
        b"a\\udc00\\ud800b",
        b"\xed\xa0\x80",
    ] {
        let bytes = [head.as_bytes(), middle, tail.as_bytes()].concat();
        env.cmd("prompt-save")
            .env("CLAUDE_PROJECT_DIR", env.project())
            .stdin(bytes)
            .run()
            .silent();
    }
    let turns = env.turns();
    assert_eq!(turns.len(), 4);
    assert_eq!(turns[1], user("a\u{fffd}b"));
    assert_eq!(turns[2], user("a\u{fffd}\u{fffd}b"));
    for turn in [&turns[0], &turns[3]] {
        contains(&turn.body, "\u{fffd}");
    }
    assert_eq!(env.errors(), Vec::<String>::new());
}

#[test]
fn a_marker_is_one_line_whatever_the_payload_holds() {
    let env = at_work();
    let mut session = env.session();
    session.id = "a b\n-->c/d\"é".into();
    says(&env, &session, "x y\n--> ## z=1", "hello");
    let day = &env.days()[0];
    assert_eq!(day.entries.len(), 1);
    assert_eq!(day.entries[0].turn, user("hello"));
    let id = day.entries[0].attr("id").unwrap();
    assert_eq!(id, "xy--z1");
    let ok = |v: &str| {
        v.chars()
            .all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
    };
    assert!(ok(day.entries[0].attr("s").unwrap_or_default()));
}

#[test]
fn a_torn_tail_is_kept_and_never_glued_to_the_next_heading() {
    for cut in [1, 2, 5, 17, 40, 60, 66] {
        let env = at_work();
        let session = env.session();
        says(&env, &session, "p1", "whole");
        says(&env, &session, "p2", "torn text here");
        let path = env.project().join("conversations/2026-11-30-claude.md");
        let bytes = fs::read(&path).unwrap();
        fs::write(&path, &bytes[..bytes.len() - cut]).unwrap();
        says(&env, &session, "p3", "after");
        let text = day_text(&env);
        let kept = String::from_utf8(bytes[..bytes.len() - cut].to_vec()).unwrap();
        assert!(text.starts_with(&kept), "cut {cut}: {text}");
        contains(
            &text,
            "\n\n## [14:03:22] User\n<!-- mnemo s=1f0c2d3e id=p3 -->\n\nafter\n",
        );
        assert_eq!(text.matches("-->\n\nwhole\n").count(), 1);
    }
}

#[test]
fn legacy_files_are_read_and_left_as_they_were() {
    let mut env = at_work();
    let old = "---\ndate: 2026-11-30\nproject: proj\nkeywords: []\nsummary: \"\"\n---\n\n# 2026-11-30\n\n\n## [05:03] User\n\nold prompt\n\n\n## [05:03:40] Assistant\n\nold\nreply\n";
    env.write("conversations/2026-11-30-claude.md", old);
    let mut session = env.session();
    session.says("p", "old prompt");
    session.clock = "2026-11-30T05:03:40.000Z".into();
    // The older tool stripped the lines' blanks.
    session.answers("old\n  reply", Some("end_turn"));
    env.now("2026-11-30T14:00:00Z");
    repair(&env);
    let text = day_text(&env);
    assert!(text.starts_with(old), "{text}");
    assert_eq!(text, old, "the same turns stand there already");
    says(&env, &session, "p2", "new");
    contains(
        &day_text(&env),
        "\n## [14:00:00] User\n<!-- mnemo s=1f0c2d3e id=p2 -->\n\nnew\n",
    );
}

#[test]
fn the_day_is_the_local_day_and_midnight_starts_a_file() {
    let mut env = TestEnv::new();
    env.tz("Asia/Seoul").now("2026-11-30T14:59:59Z");
    let session = env.session();
    says(&env, &session, "p1", "late");
    env.now("2026-11-30T15:00:00Z");
    stops(&env, &session, "p1", "early");
    let days = env.days();
    let seen: Vec<_> = days
        .iter()
        .map(|d| (d.date.as_str(), d.entries[0].time.as_str(), d.entries.len()))
        .collect();
    assert_eq!(
        seen,
        [("2026-11-30", "23:59:59", 1), ("2026-12-01", "00:00:00", 1)]
    );
    // Repair finds both, over midnight.
    let mut session = env.session();
    session.clock = "2026-11-30T14:59:59.000Z".into();
    session.says("p1", "late");
    session.clock = "2026-11-30T15:00:00.000Z".into();
    session.answers("early", Some("end_turn"));
    repair(&env);
    assert_eq!(env.turns(), [user("late"), assistant("early")]);
}

#[test]
fn repair_uses_the_local_time_of_the_record_with_its_daylight_saving() {
    for (zone, stamp, date, time) in [
        (
            "Europe/Berlin",
            "2026-10-25T00:30:00.000Z",
            "2026-10-25",
            "02:30:00",
        ),
        (
            "Europe/Berlin",
            "2026-10-25T01:30:00.000Z",
            "2026-10-25",
            "02:30:00",
        ),
        (
            "Europe/Berlin",
            "2026-03-29T00:59:59.999Z",
            "2026-03-29",
            "01:59:59",
        ),
        (
            "Europe/Berlin",
            "2026-03-29T01:00:00.000Z",
            "2026-03-29",
            "03:00:00",
        ),
        (
            "America/St_Johns",
            "2026-07-01T02:00:00Z",
            "2026-06-30",
            "23:30:00",
        ),
        (
            "Pacific/Kiritimati",
            "2026-11-30T10:00:00.5Z",
            "2026-12-01",
            "00:00:00",
        ),
        (
            "Pacific/Pago_Pago",
            "2026-11-30T10:59:59Z",
            "2026-11-29",
            "23:59:59",
        ),
        ("UTC", "2024-02-29T23:59:59.999Z", "2024-02-29", "23:59:59"),
    ] {
        let mut env = TestEnv::new();
        env.tz(zone).now("2026-12-02T00:00:00Z");
        let mut session = env.session();
        session.clock = stamp.into();
        session.says("p", "x");
        repair(&env);
        let day = &env.days()[0];
        assert_eq!(
            (day.date.as_str(), day.entries[0].time.as_str()),
            (date, time),
            "{zone} {stamp}"
        );
    }
}

#[test]
fn entries_of_the_hour_that_comes_twice_keep_the_order_of_the_talk() {
    let mut env = TestEnv::new();
    env.tz("Europe/Berlin").now("2026-10-26T00:00:00Z");
    let mut session = env.session();
    let mut want = Vec::new();
    for (stamp, text) in [
        ("2026-10-25T00:10:00Z", "one"),
        ("2026-10-25T00:50:00Z", "two"),
        ("2026-10-25T01:05:00Z", "three"),
        ("2026-10-25T01:55:00Z", "four"),
        ("2026-10-25T02:05:00Z", "five"),
    ] {
        session.clock = stamp.into();
        session.says(text, text);
        want.push(user(text));
    }
    repair(&env);
    assert_eq!(env.turns(), want);
}

#[test]
fn repair_inserts_where_the_time_belongs_and_keeps_all_other_bytes() {
    let mut env = TestEnv::new();
    let talk = env.session();
    env.now("2026-11-30T05:00:00Z");
    says(&env, &talk, "a", "first");
    env.now("2026-11-30T09:00:00Z");
    says(&env, &talk, "b", "third");
    let path = env.project().join("conversations/2026-11-30-claude.md");
    // What a person changed in the frontmatter stays.
    let text = fs::read_to_string(&path).unwrap();
    let text = text.replace("keywords: []", "keywords: [deploy, \"a: b\"]  # mine");
    fs::write(&path, &text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
    let mut lost = other(&env, 7);
    lost.clock = "2026-11-30T07:00:00.000Z".into();
    lost.says("c", "second");
    env.now("2026-11-30T14:00:00Z");
    repair(&env);
    assert_eq!(env.turns(), [user("first"), user("second"), user("third")]);
    let now = day_text(&env);
    let entry = now
        .split("\n## [")
        .find(|e| e.contains("second"))
        .map(|e| format!("\n## [{e}"))
        .unwrap();
    assert_eq!(now.replacen(&entry, "", 1), text);
    assert_eq!(env.tree().mode("conversations/2026-11-30-claude.md"), 0o640);
}

#[test]
fn unknown_marker_attributes_survive_an_insertion() {
    let mut env = TestEnv::new();
    let head =
        "---\ndate: 2026-11-30\nproject: proj\nkeywords: []\nsummary: \"\"\n---\n\n# 2026-11-30\n";
    let kept = "\n## [09:00:00] User\n<!-- mnemo s=aaaaaaaa id=zz new=1 u=u-1 -->\n\nkept\n";
    env.write(
        "conversations/2026-11-30-claude.md",
        format!("{head}{kept}"),
    );
    let mut lost = env.session();
    lost.says("c", "earlier");
    env.now("2026-11-30T14:00:00Z");
    repair(&env);
    let text = day_text(&env);
    assert!(text.ends_with(kept), "{text}");
    assert_eq!(env.turns(), [user("earlier"), user("kept")]);
}

#[test]
fn a_project_name_that_yaml_would_misread_leaves_the_header_readable() {
    for name in ["a: b", "[x]", "#no", "'q", "-", "한글 프로젝트", "true"] {
        let mut env = TestEnv::named(name);
        env.now("2026-11-30T14:03:22Z");
        says(&env, &env.session(), "p", "x");
        let days = env.days();
        assert_eq!(days[0].turns(), [user("x")], "{name}");
        let line = days[0]
            .front
            .iter()
            .find(|l| l.starts_with("project: "))
            .unwrap();
        contains(line, name.trim_matches('\''));
    }
}
