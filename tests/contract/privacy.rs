//! What is private or secret reaches no file.

use crate::common::{
    at_work, bash, contains, installed, other, repair, rest, says, start_hook, stops, turn,
};
use mnemo_tests::tree::Tree;
use mnemo_tests::{Turn, assistant, user};
use serde_json::json;

/// Texts that hide WORD, and what is left of them.
const HIDDEN: [(&str, &str); 14] = [
    ("a <private>WORD</private> b", "a [PRIVATE] b"),
    ("a <PRIVATE>WORD</Private> b", "a [PRIVATE] b"),
    ("a < private >WORD</ private > b", "a [PRIVATE] b"),
    ("a <private reason=\"x\">WORD</private> b", "a [PRIVATE] b"),
    ("a <private\n>WORD\nWORD</private\n> b", "a [PRIVATE] b"),
    (
        "a <private>x <private>WORD</private> WORD</private> b",
        "a [PRIVATE] b",
    ),
    ("a <private>WORD b", "a [PRIVATE]"),
    ("```\n<private>WORD</private>\n```", "```\n[PRIVATE]\n```"),
    (
        "<private>WORD</private><private>WORD</private>",
        "[PRIVATE][PRIVATE]",
    ),
    ("`<private>` WORD", "`[PRIVATE]"),
    (
        "a <private>WORD</private> b <private>WORD",
        "a [PRIVATE] b [PRIVATE]",
    ),
    ("a <private/>WORD", "a [PRIVATE]"),
    ("a <private WORD", "a [PRIVATE]"),
    ("a <private>\0WORD</private> b", "a [PRIVATE] b"),
];

#[test]
fn private_blocks_reach_no_file_by_any_way() {
    for (text, left) in HIDDEN {
        let mut env = installed();
        let session = env.session();
        says(&env, &session, "p1", text);
        stops(&env, &session, "p1", text);
        let turns = env.turns();
        if text != "a <private WORD" {
            assert_eq!(turns, [user(left), assistant(left)], "{text:?}");
        }
        env.hook(
            "tool-log",
            &session.tool("p1", "Bash", &bash(text), &json!({"stdout": text})),
        )
        .silent();
        env.hook(
            "tool-log",
            &session.tool_failed("p1", "Bash", &bash(text), text),
        )
        .silent();
        env.hook(
            "tool-log",
            &session.tool("p1", "WebFetch", &json!({"url": text}), &json!(text)),
        )
        .silent();
        let mut session = other(&env, 4);
        turn(&mut session, "p2", text, text);
        rest(&session);
        env.now("2026-11-30T20:00:00Z");
        start_hook(&env);
        repair(&env);
        if text != "a <private WORD" {
            Tree::of(env.project()).nowhere("WORD");
            Tree::of(&env.state()).nowhere("WORD");
            assert_eq!(env.turns().len(), 4, "{text:?}");
        }
    }
}

#[test]
fn a_reply_is_filtered_as_a_whole_not_block_by_block() {
    for hook in [true, false] {
        let mut env = installed();
        env.now("2026-11-30T05:04:00Z");
        let mut session = env.session();
        session.says("p1", "go");
        session.answers("Open <private>WORD", Some("tool_use"));
        let (_, call) = session.calls("Bash", &bash("ls"));
        session.result("p1", &call, "x", false);
        session.answers("WORD still", Some("tool_use"));
        session.answers("WORD</private> end.", Some("end_turn"));
        if hook {
            says(&env, &session, "p1", "go");
            stops(&env, &session, "p1", "WORD</private> end.");
        }
        env.now("2026-11-30T20:00:00Z");
        repair(&env);
        assert_eq!(
            env.turns(),
            [user("go"), assistant("Open [PRIVATE] end.")],
            "hook: {hook}"
        );
        Tree::of(env.project()).nowhere("WORD");
    }
}

#[test]
fn a_reply_that_the_hook_saw_in_part_hides_what_an_earlier_block_opened() {
    // The file lacks the block that opens the private part when the stop comes.
    let mut env = installed();
    env.now("2026-11-30T05:04:00Z");
    let mut session = env.session();
    says(&env, &session, "p1", "go");
    session.says("p1", "go");
    session.answers("Open <private>WORD", Some("tool_use"));
    stops(&env, &session, "p1", "WORD2</private> end.");
    env.now("2026-11-30T20:00:00Z");
    session.answers("WORD2</private> end.", Some("end_turn"));
    repair(&env);
    assert_eq!(env.turns(), [user("go"), assistant("Open [PRIVATE] end.")]);
    Tree::of(env.project()).nowhere("WORD");
}

fn secrets() -> Vec<String> {
    let c = |parts: &[&str]| parts.concat();
    vec![
        c(&["gh", "p_", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8"]),
        c(&[
            "github",
            "_pat_",
            "11ABCDEFG0aBcDeFgHiJkL_",
            "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6a7B8c9D",
        ]),
        c(&["AK", "IA", "IOSFODNN7QXZMPLA"]),
        c(&["sk", "-ant-", "api03-", &"aB3dE5fG7h".repeat(9), "-AA"]),
        c(&["sk", "-proj-", &"aB3dE5fG7h".repeat(5)]),
        c(&[
            "xox",
            "b-",
            "123456789012-1234567890123-",
            "aB3dE5fG7hI9jK1lM3nO5pQ7",
        ]),
        c(&["sk", "_live_", "4eC39HqLyjWDarjtT1zdp7dc"]),
        c(&["gl", "pat-", "aB3dE5fG7hI9jK1lM3nO"]),
        c(&["np", "m_", "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5"]),
        c(&["AI", "za", "SyA1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q"]),
        c(&[
            "ey",
            "JhbGciOiJIUzI1NiJ9.",
            "eyJzdWIiOiIxMjM0NTY3ODkwIiwibmFtZSI6IkpvIn0.",
            "dBjftJeZ4CVPmB92K27uhbUJU1p1rwW1gFWFOEjXkQw",
        ]),
        c(&["hf", "_", "aBcDeFgHiJkLmNoPqRsTuVwXyZaBcDeFgH"]),
        c(&[
            "SG",
            ".aB3dE5fG7hI9jK1lM3nO5p.",
            "aB3dE5fG7hI9jK1lM3nO5pQ7rS9tU1vW3xY5zA7bC9d",
        ]),
    ]
}

#[test]
fn secrets_of_known_shape_reach_no_file() {
    let mut env = installed();
    let session = env.session();
    let key = format!(
        "-----BEGIN {}-----\nMIIEpAIBAAKCAQEAsecretkeybody\n-----END {0}-----",
        ["RSA PRIVATE", "KEY"].join(" ")
    );
    let mut all = secrets();
    let texts: Vec<String> = all.iter().map(|s| format!("use {s} now")).collect();
    for (n, text) in texts.iter().enumerate() {
        says(&env, &session, &format!("p{n}"), text);
        let turns = env.turns();
        let body = &turns.last().unwrap().body;
        assert!(
            body.starts_with("use [REDACTED:") && body.ends_with("] now"),
            "{n}: {body}"
        );
    }
    says(&env, &session, "k", &format!("a\n{key}\nb"));
    let body = env.turns().last().unwrap().body.clone();
    assert!(
        body.starts_with("a\n[REDACTED:") && body.ends_with("]\nb"),
        "{body}"
    );
    let url = format!("https://dev:{}@db.example.com/x", "hunter2secret");
    says(&env, &session, "u", &format!("see {url} ok"));
    let body = env.turns().last().unwrap().body.clone();
    contains(&body, "db.example.com/x ok");
    contains(&body, "[REDACTED:");
    for (n, line) in [
        "password = \"Tr0ub4dor&3xyz\"",
        "API_KEY=Tr0ub4dor3xyz99",
        "client_secret: 'Tr0ub4dor3xyz99'",
    ]
    .iter()
    .enumerate()
    {
        stops(&env, &session, &format!("v{n}"), line);
        let body = env.turns().last().unwrap().body.clone();
        contains(&body, "[REDACTED:");
        assert!(!body.contains("Tr0ub4dor"), "{body}");
    }
    for text in &texts {
        env.hook(
            "tool-log",
            &session.tool("p", "Bash", &bash(text), &json!({"stdout": text})),
        )
        .silent();
        env.hook(
            "tool-log",
            &session.tool_failed("p", "Bash", &bash("x"), text),
        )
        .silent();
    }
    let mut lost = other(&env, 4);
    turn(&mut lost, "p2", &texts.join("\n"), &format!("{key}\n{url}"));
    rest(&lost);
    env.now("2026-11-30T20:00:00Z");
    start_hook(&env);
    all.extend(["hunter2secret", "Tr0ub4dor", "secretkeybody"].map(str::to_owned));
    for secret in &all {
        Tree::of(env.project()).nowhere(secret);
        Tree::of(&env.state()).nowhere(secret);
    }
}

#[test]
fn look_alikes_stay() {
    let env = at_work();
    let session = env.session();
    let texts = [
        "commit 3f786850e387550fdab836ed7e6dc881de23001b",
        "sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
        "id 7c2e9a40-8d55-4a0b-9d0e-2f6f0f3a1b77",
        "![x](data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEklEQVR4nGP4z8CA)",
        "API_KEY=<your-token>",
        "password: ${PASSWORD}",
        "token = \"YOUR_TOKEN_HERE\"",
        "let password: string;",
        "fn token(secret: &str) -> String",
        "const token = getToken();",
        "password = os.environ[\"PASSWORD\"]",
        "git@github.com:user/repo.git",
        "https://example.com:8080/path@2x.png",
        "http://localhost:3000/a?b=c@d",
        "the secret of good code: patience",
        "tokens: 1234",
        "sk-learn and sk-toolbox",
        "max_tokens=4096",
        "비밀번호는 무엇인가요?",
        "password: ********",
        "API_KEY=xxxxxxxxxxxx",
    ];
    for (n, text) in texts.iter().enumerate() {
        says(&env, &session, &format!("p{n}"), text);
    }
    let want: Vec<Turn> = texts.iter().map(|t| user(*t)).collect();
    for (got, want) in env.turns().iter().zip(&want) {
        assert_eq!(got, want);
    }
}

#[test]
fn secrets_are_kept_only_when_the_user_says_so() {
    let secret = &secrets()[0];
    let text = format!("use {secret}");
    for (own, project, kept) in [
        ("redact:\n  secrets: false\n", "", true),
        ("", "redact:\n  secrets: false\n", false),
        (
            "redact:\n  secrets: false\n",
            "redact:\n  secrets: true\n",
            false,
        ),
        ("redact:\n  secrets: false\nbroken: [", "", false),
        ("redact:\n  secrets: \"maybe\"\n", "", false),
        ("redact:\n  secrets: false\n", "broken: [", false),
    ] {
        let env = at_work();
        if !own.is_empty() {
            env.configure(own);
        }
        if !project.is_empty() {
            env.write(".mnemo.yaml", project);
        }
        says(&env, &env.session(), "p", &text);
        assert_eq!(
            env.turns()[0].body.contains(secret.as_str()),
            kept,
            "{own:?} {project:?}"
        );
        if own.contains('[') || own.contains("maybe") || project.contains('[') {
            assert!(
                !env.errors().is_empty(),
                "{own:?} {project:?}: nothing in the error log"
            );
            let done = env.mnemo(&["status"]);
            contains(&format!("{}{}", done.out(), done.err()), "yaml");
        }
    }
}
