//! The test support itself: what the other end-to-end tests rely on.

use mnemo_tests::day::{self, Role};
use mnemo_tests::session::slug;
use mnemo_tests::{TestEnv, assistant, netns, user};
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
        let api = mnemo_tests::Api::start();
        (
            entered,
            std::net::TcpStream::connect(&api.url()["http://".len()..]).is_ok(),
        )
    });
    let (entered, loopback) = inside.join().unwrap();
    println!("own network namespace: {entered}");
    assert!(loopback);
}
