//! The test support itself: what the other end-to-end tests rely on.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests: a panic is how a test fails"
)]

use mnemo_tests::api::Kind;
use mnemo_tests::day::{self, Role};
use mnemo_tests::session::slug;
use mnemo_tests::{Api, Reply, TestEnv, assistant, netns, user};
use serde_json::json;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpStream};
use std::path::Path;

const DAY: &str =
    "---\ndate: 2026-11-30\nproject: shop-api\nkeywords: []\nsummary: \"\"\n---\n\n# 2026-11-30\n";

#[test]
fn a_day_file_is_read_byte_for_byte() {
    let text = format!(
        "{DAY}\n## [14:03:22] User\n<!-- mnemo s=1f0c2d3e id=7c2e -->\n\nhello\n\n\\## [14:03:22] User\n\\\\<!-- mnemo x\n\n\
         \n## [14:04:10] Assistant\n<!-- mnemo s=1f0c2d3e id=7c2e u=9 -->\n\nyes\r\n\n#tags: a, b\n"
    );
    let day = day::parse(text.as_bytes()).unwrap();
    assert_eq!(day.date, "2026-11-30");
    assert_eq!(
        day.turns(),
        [
            user("hello\n\n## [14:03:22] User\n\\<!-- mnemo x\n"),
            assistant("yes\r\n\n#tags: a, b"),
        ]
    );
    assert_eq!(day.entries[1].attr("u"), Some("9"));
    assert_eq!(day.entries[1].turn.role, Role::Assistant);
}

#[test]
fn a_day_file_without_entries_is_well_formed() {
    assert_eq!(day::parse(DAY.as_bytes()).unwrap().entries, []);
}

#[test]
fn faults_of_a_day_file_are_named() {
    for (text, why) in [
        ("hello", "---"),
        (&*format!("{DAY}stray\n"), "before the first entry"),
        (
            &*format!("{DAY}\n## [14:03:22] User\n<!-- mnemo s=1 -->\n\nno line end"),
            "does not end",
        ),
        (
            &*format!("{DAY}\n## [14:03:22] User\n<!-- mnemo s=1 -->\nglued\n"),
            "no blank line",
        ),
        (
            &*format!(
                "{DAY}\n## [14:03:22] User\n<!-- mnemo s=1 -->\n\na\n## [14:03:23] User\n<!-- mnemo s=1 -->\n\nb\n"
            ),
            "does not end",
        ),
    ] {
        let fault = day::parse(text.as_bytes()).unwrap_err();
        assert!(fault.contains(why), "{fault:?} should name {why:?}");
    }
}

#[test]
fn a_tool_log_is_read_line_for_line() {
    let log = "---\ndate: 2026-11-30\ntype: tool-log\n---\n\n# Tool Usage Log - 2026-11-30\n\n\
               - `[14:03:40]` **Bash** cargo test — failed\n- `[14:03:41]` **mcp__x__y**\n";
    let calls = day::parse_tools(log.as_bytes()).unwrap();
    assert_eq!(calls.len(), 2);
    assert_eq!(
        (calls[0].tool.as_str(), calls[0].detail.as_str()),
        ("Bash", "cargo test — failed")
    );
    assert_eq!(
        (calls[1].tool.as_str(), calls[1].detail.as_str()),
        ("mcp__x__y", "")
    );
}

#[test]
fn slugs_are_those_of_the_client() {
    assert_eq!(
        slug(Path::new("/home/dev/work.x/데모 é🙂")),
        "-home-dev-work-x-------"
    );
    let long = slug(Path::new(&format!("/{}", "a/".repeat(150))));
    assert_eq!(long.as_bytes()[200], b'-');
    assert!(long.len() > 201 && long.len() < 210, "{long}");
}

#[test]
fn programs_run_with_the_given_environment_only() {
    let mut env = TestEnv::new();
    env.set("MARK", "x y").umask(0o077);
    let done = env
        .program("/bin/sh")
        .args(&["-c", "umask; env; cat"])
        .stdin("bytes")
        .run()
        .ok();
    let out = done.out();
    assert!(out.starts_with("0077\n"), "{out}");
    assert!(
        out.contains("MARK=x y\n") && out.ends_with("bytes"),
        "{out}"
    );
    assert!(!out.contains("CARGO"), "{out}");
    let late = env
        .program("/bin/sh")
        .args(&["-c", "sleep 0.05; echo done"])
        .keep_stdin_open()
        .run();
    assert_eq!(late.ok().out(), "done\n");
}

#[test]
fn a_program_that_does_not_read_is_found_out() {
    let env = TestEnv::new();
    let done = env
        .program("/bin/true")
        .stdin(vec![b'x'; 1 << 20])
        .run()
        .silent();
    assert!(!done.read_all);
}

#[test]
fn a_tree_shows_modes_links_and_bytes() {
    let env = TestEnv::bare("p");
    env.write("a/b.txt", "b");
    std::os::unix::fs::symlink("b.txt", env.project().join("a/l")).unwrap();
    let tree = env.tree();
    assert_eq!(tree.names(), ["a", "a/b.txt", "a/l"]);
    assert_eq!(tree.file("a/b.txt"), b"b");
    assert_eq!(tree.clone().without(&["a/b.txt"]).names(), ["a", "a/l"]);
    tree.nowhere("zzz");
}

#[test]
fn a_network_namespace_is_entered_or_left_alone() {
    let inside = std::thread::spawn(|| {
        let entered = netns::enter();
        let api = Api::start();
        (
            entered,
            TcpStream::connect(&api.url()["http://".len()..]).is_ok(),
        )
    });
    let (entered, loopback) = inside.join().unwrap();
    println!("own network namespace: {entered}");
    assert!(loopback);
}

/// Sends one request to the stand-in and gives the whole answer.
fn ask(api: &Api, body: &serde_json::Value) -> String {
    let body = body.to_string();
    let mut stream = TcpStream::connect(&api.url()["http://".len()..]).unwrap();
    let head = format!(
        "POST /v1/messages HTTP/1.1\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).unwrap();
    stream.write_all(body.as_bytes()).unwrap();
    stream.shutdown(Shutdown::Write).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

#[test]
fn the_stand_in_answers_from_its_script() {
    let api = Api::start();
    let prompt = |text: &str, stream: bool| {
        json!({
            "model": "m", "stream": stream, "tools": [{ "name": "Bash" }],
            "messages": [{ "role": "user", "content": [{ "type": "text", "text": text }] }],
        })
    };
    api.say([
        Reply::text("one").and_bash("echo 1"),
        Reply::error(529, "overloaded_error", "busy"),
        Reply::text("three"),
    ]);
    api.say_to("sideways", [Reply::text("aside")]);
    let first = ask(&api, &prompt("a", true));
    for part in [
        "event: message_start",
        "\"text\":\"one\"",
        "echo 1",
        "\"stop_reason\":\"tool_use\"",
    ] {
        assert!(first.contains(part), "{part:?} in {first}");
    }
    assert!(ask(&api, &prompt("go sideways", true)).contains("aside"));
    let busy = ask(&api, &prompt("a", true));
    assert!(
        busy.starts_with("HTTP/1.1 529 ") && busy.contains("overloaded_error"),
        "{busy}"
    );
    assert!(ask(&api, &prompt("a", false)).contains("\"text\":\"three\""));
    assert_eq!((api.unsaid(), api.unscripted()), (0, vec![]));
    assert!(ask(&api, &prompt("more", false)).contains("beyond the script"));
    assert_eq!(api.unscripted(), ["more\n"]);
    // A request without tools is not part of the conversation.
    let title = json!({ "messages": [{ "role": "user", "content": "title?" }] });
    assert!(ask(&api, &title).contains("Scripted title"));
    assert_eq!((api.count(), api.requests(Kind::Utility).len()), (5, 1));
}
