//! Exports as a user meets them; the page is opened in a real browser.
//!
//! The browser is Chromium or one of its kind: `MNEMO_BROWSER` names it, else it is looked for on the
//! path. Where there is none the page's tests say so and end, unless `MNEMO_BROWSER=required`.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::print_stderr,
    clippy::disallowed_methods,
    reason = "tests: a panic is how they fail, what they say helps then, and they write files as users do"
)]

use mnemo_tests::{TestEnv, bins};
use serde_json::Value;
use std::fmt::Write as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

fn day(date: &str, entries: &[(&str, &str, &str)]) -> String {
    let mut text =
        format!("---\ndate: {date}\nproject: shop\nkeywords: []\nsummary: \"\"\n---\n\n# {date}\n");
    for (time, role, body) in entries {
        let _ = write!(
            text,
            "\n## [{time}] {role}\n<!-- mnemo s=1f0c2d3e id=t1 -->\n\n{body}\n"
        );
    }
    text
}

fn project() -> TestEnv {
    let env = TestEnv::named("shop");
    for (date, entries) in [
        ("2026-11-28", vec![("09:00:00", "User", "old words")]),
        (
            "2026-11-29",
            vec![
                ("10:00:00", "User", "카드 결제를 넣자\n```\nopen fence"),
                (
                    "10:01:00",
                    "Assistant",
                    "Done.\n## 2026-01-01\n### [x\n\n#tags: pay, 결제",
                ),
            ],
        ),
        ("2026-11-30", vec![("11:00:00", "User", "new words")]),
    ] {
        env.write(
            format!("conversations/{date}-claude.md"),
            day(date, &entries),
        );
    }
    env
}

#[test]
fn a_range_is_exported_in_each_form() {
    let env = project();
    let md = env
        .mnemo(&["export", "--since", "2026-11-29", "--until", "2026-11-29"])
        .ok();
    let text = md.out();
    assert!(
        text.contains("\n## 2026-11-29\n")
            && !text.contains("old words")
            && !text.contains("new words")
    );
    // What a message holds does not end it.
    assert!(
        text.contains("open fence\n```\n\n### [10:01:00] Assistant"),
        "{text}"
    );
    assert!(text.contains("\n\\## 2026-01-01\n\\### [x\n"), "{text}");
    assert!(md.err().contains("2 entries of 1 day\n"), "{md:?}");

    let json = env.mnemo(&["export", "--format", "json"]).ok().json();
    let days = json["days"].as_array().unwrap();
    assert_eq!(days.len(), 3, "{json:#}");
    assert_eq!(
        days[1]["entries"][0]["text"],
        "카드 결제를 넣자\n```\nopen fence"
    );
    assert_eq!(
        (
            &days[1]["entries"][1]["role"],
            &days[1]["entries"][1]["session"]
        ),
        (&"assistant".into(), &"1f0c2d3e".into())
    );

    let page = env.mnemo(&["export", "--format", "html"]).ok().out();
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("default-src 'none'"));
    let none = env.mnemo(&["export", "--since", "2030-01-01"]).ok();
    assert!(none.err().contains("no entries in that range"), "{none:?}");
    // Days as `mnemo search` takes them.
    let mut env = project();
    env.now("2026-11-30T14:03:22Z");
    for (since, entries) in [
        ("1d", "3 entries of 2 days"),
        ("어제", "3 entries of 2 days"),
        ("today", "1 entry of 1 day"),
    ] {
        let done = env.mnemo(&["export", "--since", since]).ok();
        assert!(done.err().contains(entries), "{since}: {done:?}");
    }
    env.mnemo(&["export", "--since", "soon"]).code(2);
    env.mnemo(&["export", "--since", "2026-12-01", "--until", "2026-11-01"])
        .code(2);
    TestEnv::bare("nowhere").mnemo(&["export"]).code(3);
}

#[test]
fn a_file_is_private_and_never_overwritten() {
    let mut env = project();
    env.umask(0);
    let out = env.mnemo(&["export", "-o", "record.html"]).ok().out();
    assert!(
        out.contains("wrote record.html: 4 entries of 3 days"),
        "{out}"
    );
    let path = env.project().join("record.html");
    assert_eq!(
        std::fs::metadata(&path).unwrap().permissions().mode() & 0o777,
        0o600
    );
    assert!(
        std::fs::read_to_string(&path)
            .unwrap()
            .starts_with("<!DOCTYPE html>")
    );
    std::fs::write(&path, "mine").unwrap();
    env.mnemo(&["export", "-o", "record.html"]).code(4);
    assert_eq!(std::fs::read_to_string(&path).unwrap(), "mine");
    let before = env.tree();
    let done = env.mnemo(&["export", "-o", "no-such-folder/x.md"]).code(3);
    assert!(
        done.err().contains("no-such-folder does not exist"),
        "{done:?}"
    );
    assert_eq!(env.tree(), before);
}

/// Markdown there is read as a day or an item from then on.
#[test]
fn no_file_is_made_where_the_record_is_read() {
    let env = project();
    env.write("memory/learned/001-x.md", "# l:001 x\n");
    let before = env.tree();
    for file in [
        "conversations/2026-12-05-claude.md",
        "conversations/notes.md",
        "memory/export.md",
        "memory/learned/002-export.md",
    ] {
        let done = env.mnemo(&["export", "-o", file]).code(4);
        assert!(
            done.err().contains("part of the project's record"),
            "{done:?}"
        );
    }
    assert_eq!(env.tree(), before);
    env.mnemo(&["export", "-o", "export.md"]).ok();
}

/// What an entry leaves open does not hide the days behind it.
#[test]
fn an_open_comment_of_a_message_ends_with_it() {
    let env = project();
    env.write(
        "conversations/2026-11-27-claude.md",
        day(
            "2026-11-27",
            &[("09:00:00", "Assistant", "see:\n<!-- aside\nmore")],
        ),
    );
    let md = env.mnemo(&["export", "--format", "md"]).ok().out();
    assert!(
        md.contains("<!-- aside\nmore\n-->\n\n## 2026-11-28\n"),
        "{md}"
    );
}

#[test]
fn a_day_that_cannot_be_read_is_left_out_and_named() {
    let env = project();
    std::fs::create_dir(env.project().join("conversations/2026-11-25-claude.md")).unwrap();
    std::os::unix::fs::symlink(
        "/etc/passwd",
        env.project().join("conversations/2026-11-26-claude.md"),
    )
    .unwrap();
    let fifo = env.project().join("conversations/2026-11-27-claude.md");
    env.program("mkfifo").arg(&fifo).run().ok();
    for form in ["md", "json", "html"] {
        let file = format!("out.{form}");
        let done = env.mnemo(&["export", "-o", &file]).ok();
        assert!(done.out().contains("4 entries of 3 days"), "{done:?}");
        for day in ["2026-11-25", "2026-11-26", "2026-11-27"] {
            assert!(done.err().contains(day), "{day}: {done:?}");
        }
        let text = std::fs::read_to_string(env.project().join(&file)).unwrap();
        assert!(
            text.contains("new words") && !text.contains("root:x:"),
            "{form}"
        );
    }
    let done = env.mnemo(&["export"]).ok();
    assert!(
        done.out().contains("old words") && done.err().contains("2026-11-27"),
        "{done:?}"
    );
}

#[test]
fn where_there_is_nothing_no_file_is_made() {
    let env = project();
    let before = env.tree();
    let done = env
        .mnemo(&["export", "--since", "2030-01-01", "-o", "e.md"])
        .ok();
    assert!(done.out().contains("nothing was written"), "{done:?}");
    assert_eq!(env.tree(), before);
}

#[test]
fn a_dash_is_standard_output() {
    let env = project();
    let before = env.tree();
    let done = env
        .mnemo(&["export", "-o", "-", "--since", "2026-11-30"])
        .ok();
    assert!(
        done.out().contains("new words") && done.err().contains("1 entry of 1 day\n"),
        "{done:?}"
    );
    assert_eq!(env.tree(), before);
}

#[test]
fn nothing_in_it_steers_who_shows_it() {
    let env = TestEnv::named("shop");
    let said = "a\u{1b}[2Jb \u{202e}gnirts\u{2066}x\u{9b}y \u{200f}\u{5d0}\n\n#tags: x\u{202e}y";
    env.write(
        "conversations/2026-11-30-claude.md",
        day("2026-11-30", &[("10:00:00", "Assistant", said)]),
    );
    let hostile = |text: &str| text.contains(['\u{1b}', '\u{202e}', '\u{2066}', '\u{9b}']);
    for form in ["md", "json", "html"] {
        let out = env.mnemo(&["export", "--format", form]).ok().out();
        assert!(!hostile(&out), "{form}: {out:?}");
        let file = format!("o.{form}");
        env.mnemo(&["export", "-o", &file]).ok();
        let text = std::fs::read_to_string(env.project().join(&file)).unwrap();
        assert!(
            !hostile(&text) && text.contains('\u{200f}'),
            "{form}: {text:?}"
        );
    }
    let json = env.mnemo(&["export", "--format", "json"]).ok().json();
    assert_eq!(json["days"][0]["entries"][0]["text"], said);
}

#[test]
fn what_does_not_get_out_is_no_success() {
    let env = project();
    let full = |args: &str| {
        let script = format!("'{}' {args} >/dev/full", bins::bin("mnemo").display());
        env.program("sh").args(&["-c", &script]).run()
    };
    for args in [
        "export",
        "export --format json",
        "search words",
        "status",
        "check --json",
        "completions bash",
        "--help",
        "search --help",
        "--version",
    ] {
        let done = full(args).code(3);
        assert!(
            done.err().contains("cannot write the whole result"),
            "{args}: {done:?}"
        );
    }
    // What was changed stays changed, and that is said.
    let done = full("init").code(5);
    assert!(
        done.err().contains("cannot write the whole result"),
        "{done:?}"
    );
    assert!(env.project().join(".mnemo-root").exists());
    full("init --dry-run").code(3);
    // A reader that has seen enough is no failure.
    for args in ["export", "search words", "completions bash"] {
        let script = format!(
            "'{}' {args} 2>err | true; cat err; exit ${{PIPESTATUS[0]}}",
            bins::bin("mnemo").display()
        );
        let done = env.program("bash").args(&["-c", &script]).run().ok();
        assert!(
            !done.out().contains("cannot write the whole result"),
            "{args}: {done:?}"
        );
    }
}

#[test]
fn an_older_archive_gives_no_secret_away() {
    let env = TestEnv::named("shop");
    let token = format!("{}{}", "ghp_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8");
    let text = format!("\n## [10:00] User\n\nuse {token}\n<private>the bank's code</private>\n\n");
    env.write("conversations/2026-04-07-claude.md", text);
    for form in ["md", "json", "html"] {
        let out = env.mnemo(&["export", "--format", form]).ok().out();
        assert!(
            !out.contains(&token)
                && !out.contains("bank's code")
                && !out.contains("bank&#39;s code"),
            "{form}: {out}"
        );
        assert!(out.contains("[PRIVATE]"), "{form}");
    }
}

// ---- the page in a browser

/// What a conversation could hold to take a page over.
const FORGED: &[&str] = &[
    "<script>forged++</script>",
    "</script><script>forged++</script><!--",
    "<img src=x onerror=\"forged++\"> <svg onload=forged++>",
    "<iframe srcdoc=\"<script>parent.forged++</script>\"></iframe>",
    "[click](javascript:forged++) [data](data:text/html,<script>forged++</script>)",
    "[x](https://example.com/\"onmouseover=\"forged++) <https://example.com/'onclick='forged++>",
    "![a picture](https://example.com/tracker.png) ![b](//example.com/b.png)",
    "<style>@import 'https://example.com/x.css'; body{background:url(https://example.com/b.png)}</style>",
    "<link rel=stylesheet href=https://example.com/x.css><meta http-equiv=refresh content='0;url=https://example.com'>",
    "<form action=https://example.com><button>go</button></form><base href=https://example.com>",
    "```html\n<script>forged++</script>\n</code></pre><img src=x onerror=forged++>\n```",
    "```\"><img src=x onerror=forged++>\nx\n```",
    "| a | b |\n|:-|-:|\n| <img src=x onerror=forged++> | <script>forged++</script> |",
    "`<img src=x onerror=forged++>` **<b onclick=forged++>bold</b>**\n\n#tags: <img src=x onerror=forged++>, ok",
    "\u{202e}txet desrever\u{202c} \u{0}\u{1b}[31m &lt;script&gt; \\u003cscript>forged++\\u003c/script>",
];

fn browser() -> Option<PathBuf> {
    let wanted = std::env::var("MNEMO_BROWSER").unwrap_or_default();
    if Path::new(&wanted).is_absolute() {
        return Some(wanted.into());
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    let names = [
        "chromium",
        "chromium-browser",
        "google-chrome",
        "google-chrome-stable",
        "chrome",
    ];
    let found = std::env::split_paths(&path)
        .flat_map(|folder| names.map(|name| folder.join(name)))
        .chain(["/Applications/Google Chrome.app/Contents/MacOS/Google Chrome".into()])
        .find(|path| path.is_file());
    assert!(
        found.is_some() || wanted != "required",
        "no browser: install Chromium, or name one by MNEMO_BROWSER"
    );
    if found.is_none() {
        eprintln!("skipped: no browser is there to open the page with");
    }
    found
}

/// Opens the page and gives back what happened. Pictures stay in the target folder.
fn open(browser: &Path, page: &Path, name: &str, query: &str) -> Value {
    open_and_count(browser, page, name, query, &[])
}

/// The same, with what other queries find as well.
fn open_and_count(browser: &Path, page: &Path, name: &str, query: &str, counted: &[&str]) -> Value {
    let pictures = bins::target().join("pages").join(name);
    std::fs::create_dir_all(&pictures).unwrap();
    let driver = bins::workspace().join("tests/browser/page.mjs");
    let out = Command::new("node")
        .args([&driver, browser, page, &pictures])
        .arg(query)
        .args(counted)
        .output()
        .expect("node");
    let text = String::from_utf8_lossy(&out.stdout);
    let told: Value = serde_json::from_str(&text).unwrap_or_else(|error| {
        panic!("{error}: {text}\n{}", String::from_utf8_lossy(&out.stderr))
    });
    eprintln!("{told:#}");
    told
}

/// What holds for every page.
#[track_caller]
fn is_sound(told: &Value) {
    assert_eq!(told["requests"], Value::Array(vec![]), "requests");
    assert_eq!(told["errors"], Value::Array(vec![]), "errors");
    assert_eq!(
        told["violations"],
        Value::Array(vec![]),
        "what the policy had to stop"
    );
    assert_eq!(told["dialogs"], Value::Array(vec![]), "dialogs");
    assert_eq!(told["forged"], 0, "a conversation ran script");
    for (name, contrast) in told["contrast"].as_object().unwrap() {
        assert!(
            contrast["ratio"].as_f64().unwrap() >= 4.5,
            "contrast {name}: {contrast}"
        );
        assert!(
            contrast["count"].as_u64().unwrap() > 5,
            "nothing was measured: {contrast}"
        );
    }
    for (width, over) in told["narrow"].as_object().unwrap() {
        assert!(
            over.as_i64().unwrap() <= 0,
            "{width} scrolls sideways by {over}"
        );
    }
    assert_eq!(
        (&told["toggled"], &told["stays"]),
        (&"light".into(), &"dark".into())
    );
    assert_eq!(told["menu"], true);
}

#[test]
fn nothing_that_was_said_runs_or_leaves_the_page() {
    let Some(browser) = browser() else { return };
    // The page's title and heading.
    let env = TestEnv::named("<img src=x onerror=forged++>");
    let mut entries: Vec<(&str, &str, &str)> = vec![(
        "09:00:00",
        "Assistant",
        "# Title\n\nSome **bold** words, a [link](https://example.com/a), `code`, 배포했다.\n\n> quoted\n\n- one\n- two\n\n\
         | a | b |\n|---|---|\n| 1 | 2 |\n\n```rust\n// why\nlet x = \"s\"; // 42\nfn f() -> u8 { 42 }\n```\n\n```diff\n+a\n-b\n@@ c\n```\n\n---\n\n#tags: pay, 결제",
    )];
    for text in FORGED {
        entries.push(("10:00:00", "User", text));
        entries.push(("10:00:01", "Assistant", text));
    }
    let long = format!("{} {}", "x".repeat(3000), "https://example.com/".repeat(60));
    entries.push(("11:00:00", "User", &long));
    entries.push(("11:00:01", "Assistant", &long));
    env.write(
        "conversations/2026-11-30-claude.md",
        day("2026-11-30", &entries),
    );
    env.write(
        "conversations/2026-10-01-claude.md",
        day(
            "2026-10-01",
            &[("10:00:00", "User", "an older day 배포하자")],
        ),
    );
    env.mnemo(&["export", "-o", "page.html"]).ok();
    let told = open(&browser, &env.project().join("page.html"), "forged", "배포");
    is_sound(&told);
    assert_eq!(told["days"], 2);
    assert_eq!(
        told["search"]["shown"], 2,
        "배포 is in 배포했다 and 배포하자"
    );
    assert_eq!(told["opened"]["marks"], serde_json::json!(["배포"]));
    assert_eq!(told["opened"]["visible"], true);
    assert_eq!(told["nothing"]["shown"], 0);
    let hostile = &told["hostile"];
    assert_eq!(hostile["handlers"], 0);
    for tag in hostile["tags"].as_array().unwrap() {
        let tag = tag.as_str().unwrap();
        assert!(
            ![
                "script", "img", "iframe", "style", "link", "meta", "form", "base", "svg", "object"
            ]
            .contains(&tag),
            "{tag} in a message"
        );
    }
    let links = hostile["links"].as_array().unwrap();
    assert!(!links.is_empty());
    for link in links {
        assert!(
            link.as_str().unwrap().starts_with("https://example.com/"),
            "{link}"
        );
    }
}

/// The one bound in seconds: no task may hold the page up for one.
const FROZEN: f64 = 1000.0;

#[test]
fn ten_thousand_entries_open_and_search_without_a_frozen_second() {
    let Some(browser) = browser() else { return };
    let env = TestEnv::named("shop");
    let reply = "## Plan\n\n".to_owned()
        + &"The worker reads the **queue** and writes `parse_order_id` back; 결제는 다음에 한다. "
            .repeat(4)
        + "\n\n```rust\nfn main() {\n    let total = \"sum\"; // of all\n    println!(\"{total} {}\", 42);\n}\n```\n\n\
           - first the index\n- then the cache\n\n#tags: deploy, 배포";
    // Half of them on one day.
    let mut count = 0;
    for (date, entries) in [
        ("2026-11-29", 2500),
        ("2026-11-30", 2500),
        ("2026-10-05", 5000),
    ] {
        let mut text = day(date, &[]);
        for number in 0..entries {
            let (minute, second) = (number / 60 % 60, number % 60);
            let (role, body) = if number % 2 == 0 {
                ("User", "the worker stops after a deploy, why?")
            } else {
                ("Assistant", &*reply)
            };
            let needle = if number % 997 == 1 {
                "zebrafish-결제모듈\n\n"
            } else {
                ""
            };
            let _ = write!(
                text,
                "\n## [{:02}:{minute:02}:{second:02}] {role}\n<!-- mnemo s=1f0c2d3e id=t{number} -->\n\n{needle}{body}\n",
                number / 3600
            );
            count += 1;
        }
        env.write(format!("conversations/{date}-claude.md"), text);
    }
    assert_eq!(count, 10_000);
    env.mnemo(&["export", "-o", "page.html"]).ok();
    let page = env.project().join("page.html");
    // A busy machine can hold a page up; what the page does by itself, it does each time.
    let mut told = Value::Null;
    for _ in 0..3 {
        told = open(&browser, &page, "large", "zebrafish-결제모듈");
        if longest(&told) < FROZEN {
            break;
        }
    }
    is_sound(&told);
    assert_eq!(told["older"]["hash"], "#2026-10-05");
    assert_eq!(told["older"]["current"], "#2026-10-05");
    assert_eq!(told["search"]["shown"], 12);
    assert!(told["scrolled"].as_u64().unwrap() > told["older"]["articles"].as_u64().unwrap());
    assert!(longest(&told) < FROZEN, "the page is held up: {told:#}");
}

/// What is written in several ways, as asked for and as it stands: the page and `mnemo search` fold
/// alike.
const WRITTEN: [(&str, &str, &str); 26] = [
    ("Wärmepumpe", "Die Waermepumpe brummt", "Waermepumpe"),
    ("Waermepumpe", "Die Wärmepumpe läuft", "Wärmepumpe"),
    ("wärmepumpe", "DIE WÄRMEPUMPE STEHT", "WÄRMEPUMPE"),
    ("Wa\u{308}rmepumpe", "Eine Wärmepumpe zählt", "Wärmepumpe"),
    ("Luftfilter", "ein LUFTFILTER fehlt", "LUFTFILTER"),
    ("Straßenbahn", "Die Strassenbahn fährt", "Strassenbahn"),
    ("Strassenbahn", "Die Straßenbahn hält", "Straßenbahn"),
    ("STRASSENBAHN", "Keine Straßenbahn kommt", "Straßenbahn"),
    ("Schluesselbund", "Der Schlüsselbund hängt", "Schlüsselbund"),
    (
        "Schlüsselbund",
        "Ein Schluesselbund liegt",
        "Schluesselbund",
    ),
    (
        "Schlüsselbund",
        "Der Schlu\u{308}sselbund klirrt",
        "Schlu\u{308}sselbund",
    ),
    (
        "결제모듈",
        "\u{1100}\u{1167}\u{11af}\u{110c}\u{1166}\u{1106}\u{1169}\u{1103}\u{1172}\u{11af} 점검",
        "\u{1100}\u{1167}\u{11af}\u{110c}\u{1166}\u{1106}\u{1169}\u{1103}\u{1172}\u{11af}",
    ),
    (
        "\u{1100}\u{1167}\u{11af}\u{110c}\u{1166}\u{1106}\u{1169}\u{1103}\u{1172}\u{11af}",
        "결제모듈 배포",
        "결제모듈",
    ),
    ("Smørrebrød", "Smorrebrod im Lager", "Smorrebrod"),
    ("Encyclopædia", "Encyclopaedia, Band 3", "Encyclopaedia"),
    ("ＧＡＴＥＷＡＹ", "ein gateway fällt aus", "gateway"),
    ("webshop", "Der ＷｅｂＳｈｏｐ steht", "ＷｅｂＳｈｏｐ"),
    ("smorgasbord", "Ein Smørgåsbord im Hof", "Smørgåsbord"),
    ("Wrocław", "Besuch in Wroclaw", "Wroclaw"),
    ("poznanska", "Poznańska ulica", "Poznańska"),
    ("slupsk", "Der Zug nach Słupsk", "Słupsk"),
    ("Đakovo", "Reise nach Dakovo", "Dakovo"),
    ("kizilay", "Das Büro Kızılay", "Kızılay"),
    ("oeuvre", "Sein Œuvre wächst", "Œuvre"),
    ("offline", "Der Dienst ist oﬄine", "oﬄine"),
    ("ﬁlter", "Ein filter klemmt", "filter"),
];

#[test]
fn the_page_finds_what_search_finds_however_it_is_written() {
    let Some(browser) = browser() else { return };
    let env = TestEnv::named("shop");
    let mut entries = Vec::new();
    for (number, (_, text, _)) in WRITTEN.iter().enumerate() {
        entries.push((number, *text));
    }
    let mut text = day("2026-11-30", &[]);
    for (number, said) in entries {
        let _ = write!(
            text,
            "\n## [10:{number:02}:00] User\n<!-- mnemo s=1f0c2d3e id=t{number} -->\n\n{said}\n"
        );
    }
    env.write("conversations/2026-11-30-claude.md", text);
    env.mnemo(&["export", "-o", "page.html"]).ok();
    let queries = WRITTEN.map(|(query, ..)| query);
    let page = env.project().join("page.html");
    let told = open_and_count(&browser, &page, "written", queries[0], &queries);
    for (query, said, stands) in WRITTEN {
        let [_, marks] = told["counted"][query].as_array().unwrap().as_slice() else {
            panic!("{query} was not searched for");
        };
        let marks: Vec<String> = marks
            .as_array()
            .unwrap()
            .iter()
            .map(|mark| mark.as_str().unwrap().to_owned())
            .collect();
        assert!(
            marks.iter().any(|mark| mark == stands),
            "the page: {query} in {said}: {marks:?}"
        );
        let found = env
            .mnemo(&[
                "search", "--store", "record", "--limit", "50", "--json", query,
            ])
            .ok()
            .json();
        let found: Vec<String> = found["results"]
            .as_array()
            .unwrap()
            .iter()
            .map(|hit| hit["text"].as_str().unwrap().trim().to_owned())
            .collect();
        assert!(
            found.iter().any(|text| text == said),
            "search: {query} in {said}: {found:?}"
        );
    }
}

/// The longest task while the page was opened, scrolled and searched, in milliseconds.
fn longest(told: &Value) -> f64 {
    ["open", "scroll", "search", "again", "nothing"]
        .map(|part| told[part]["longest"].as_f64().unwrap())
        .into_iter()
        .fold(0.0, f64::max)
}
