//! What holds for any text at all.

use proptest::prelude::*;
use redact::{Policy, clean};

/// Pieces from which the trouble is made.
const PIECES: &[&str] = &[
    "<private>",
    "</private>",
    "<private",
    "< private ",
    "</ PRIVATE >",
    "<private x=\"",
    "＜private＞",
    "<",
    ">",
    "/",
    "=",
    ":",
    "\"",
    "'",
    "\\",
    "\\\"",
    "\\n",
    "\n",
    " ",
    "`",
    "*",
    "**",
    ",",
    ";",
    "&",
    "?",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "$",
    "-",
    "--",
    "_",
    ".",
    "@",
    "://",
    "：",
    "，",
    "。",
    "password",
    "PASSWORD",
    "token",
    "secret",
    "api_key",
    "API key",
    "Authorization",
    "Bearer ",
    "Basic ",
    "bearer",
    "pass",
    "auth",
    "pwd",
    "PWD",
    "비밀번호",
    "密码",
    "암호",
    "는",
    "-u ",
    "--user ",
    "curl ",
    "login ",
    "machine ",
    "ghp_",
    "AKIA",
    "sk-",
    "sk-ant-",
    "eyJ",
    "xoxb-",
    "AIza",
    "hf_",
    "npm_",
    "SG.",
    "SK",
    "key-",
    "dapi",
    "hooks.slack.com/services/",
    ":AA",
    "MTk4",
    "sig=",
    "EAAA",
    "glpat-",
    "https",
    "user",
    "host",
    "data:image/png;base64,",
    ";base64,",
    "-----BEGIN PRIVATE KEY-----",
    "-----END PRIVATE KEY-----",
    "-----BEGIN ",
    "PRIVATE KEY",
    "-----END ",
    "Private-Lines: 1\n",
    "Private-MAC:",
    "hunter2",
    "letmein",
    "abc123",
    "x",
    "xxxx",
    "...",
    "…",
    "***",
    "null",
    "42",
    "123456789",
    "0123456789abcdef0123456789abcdef",
    "Ab3Cd5Ef7Gh9Jk2Lm4Np6Qr8St1Uv3Wx5Yz7",
    "A7BCDEFGHIJKLMNO",
    "한글",
    "é",
    "🦀",
    "\u{200b}",
    "\u{3000}",
    "\u{0}",
    "[REDACTED:token]",
    "[PRIVATE]",
    "[REDACTED:",
    "export ",
    "str",
    "see ",
    "process.env.",
    "::",
    "=>",
    "==",
    "mysql ",
    " -p",
    "sshpass -p ",
    "echo ",
    " | chpasswd",
    " | sudo -S ",
    "htpasswd -b f u ",
    "openssl ",
    "pass:",
    "Cookie: ",
    "Set-Cookie: ",
    "a=b",
    "|",
    "| password |",
    "\n|---|\n",
    "\n  ",
    "name: ",
    "value: ",
    "identified by ",
    "kind: Secret\n",
    "data:\n",
    "\"\"\"",
    ":5432:",
    ":thin:",
    "Signature=",
    " is ",
];

fn text() -> impl Strategy<Value = String> {
    prop::collection::vec(prop::sample::select(PIECES), 0..24).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 3000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn by_line_keeps_the_lines_and_nothing_private(before in text(), after in text()) {
        let text = format!("{before}\n<private>zebra\nzebra\n</private>\n{after}");
        let shown = redact::by_line(&text);
        prop_assert_eq!(shown.lines().count(), text.lines().count());
        prop_assert!(!shown.contains("zebra"), "{}", shown);
    }

    #[test]
    fn idempotent_on_trouble(text in text(), secrets in any::<bool>()) {
        let policy = Policy { secrets };
        let once = clean(&text, policy).into_string();
        let twice = clean(&once, policy).into_string();
        prop_assert_eq!(&once, &twice, "of {:?}", text);
    }

    #[test]
    fn idempotent_on_anything(text in any::<String>()) {
        let policy = Policy { secrets: true };
        let once = clean(&text, policy).into_string();
        let twice = clean(&once, policy).into_string();
        prop_assert_eq!(twice, once);
    }

    /// Nothing of a closed block, and nothing behind an open one, gets through.
    #[test]
    fn private_text_never_gets_through(before in text(), inside in text(), after in text()) {
        let marker = "Zq9PRIVATEMARKER";
        let policy = Policy { secrets: false };
        let open = clean(&format!("{before}<private>{marker}{inside}"), policy).into_string();
        prop_assert!(!open.contains(marker));
        let closed = clean(&format!("{before}\n<private >{marker}{inside}{marker}</private>{after}"), policy).into_string();
        if !inside.contains('/') {
            prop_assert!(!closed.contains(marker), "{}", closed);
        }
    }

    /// Prose without a sign that a secret needs stays as it is.
    #[test]
    fn plain_words_stay(text in "[a-zA-Z가-힣 ,.!?\n]{0,200}") {
        prop_assume!(!text.to_lowercase().contains("bearer"));
        let cleaned = clean(&text, Policy { secrets: true });
        prop_assert_eq!(cleaned.as_str(), text.as_str());
    }
}

#[test]
#[allow(clippy::too_many_lines, reason = "a table")]
fn adversarial_input_takes_linear_time() {
    for pattern in [
        "sk-",
        "sk-a1",
        "ghp_",
        "ghp_A1b2C3",
        "github_pat_",
        "glpat-",
        "glpat-a",
        "eyJ",
        "eyJ.",
        "eyJaaaaaaaaaaaa.",
        "eyJaaaaaaaaaaaa.eyJ",
        "xoxb-",
        "password",
        "password=",
        "password:",
        "password: ",
        "password=\"",
        "password=\\\"",
        "password='\\\\",
        "token:\"a",
        "token:'",
        "TOKEN=x&",
        "token(",
        "token:f(",
        "secret.",
        "pass-",
        "_key",
        "-key",
        " key",
        "비밀번호:",
        "密码：",
        "://",
        "://a:",
        "a://b:c",
        "a://b:c@",
        ":AA",
        "1:AA",
        "-----BEGIN PRIVATE KEY-----",
        "-----BEGIN PRIVATE KEY-----\n",
        "-----BEGIN PRIVATE KEY-----\nabcd efgh-----END CERTIFICATE-----",
        "-----END PRIVATE KEY-----",
        "-BEGIN ",
        "----",
        "Private-Lines: 1\nAAAA",
        "sig=",
        "Bearer ",
        "Bearer a",
        "Authorization: ",
        "Authorization: Bearer ",
        "curl -u ",
        "curl -u a:",
        "-u ",
        "[REDACTED:",
        "data:;base64,",
        ";base64,",
        "MTk4",
        "MTk4.",
        "AKIA",
        "SK",
        "SG.",
        "hooks.slack.com/services/",
        "\\",
        "\"",
        "a",
        "AIzaAIza",
        "dp.st.",
        "sk-ant-",
        "AGE-SECRET-KEY-1",
        "--password ",
        "--password",
        "<password>",
        "password *",
        "token ===",
        "mysql ",
        "mysql -p",
        "mysql -p'",
        "mysql -p'a;",
        "mysql -pa1b2c3;",
        "sshpass -p a1b2c3 ",
        "echo a:b1 | chpasswd ",
        "echo \"",
        "echo <<EOF\n",
        "chpasswd <<EOF\na:b1\n",
        "htpasswd -b ",
        "login ",
        "Cookie: ",
        "Cookie: a=b",
        "Cookie: a=b1c2d3;",
        "cookie: a=b1c2d3\n",
        "| password ",
        "| password |",
        "| password |\n|---|\n",
        "|password|\n|---|\n| a1b2c3 |\n",
        "| a1b2c3 ",
        "password:\n",
        "password:\n ",
        "password: |\n  ",
        "password: |\n  a\n",
        "name: password\nvalue: ",
        "identified by ",
        "identified by '",
        "PASSWORD FOR ",
        "kind: Secret\n",
        "data:\n",
        "data:\n a: b1c2d3\n",
        "kind: Secret\ndata:\n a: b1c2d3\n",
        "a:5432:a:a:",
        ":*:*:",
        "jdbc:oracle:thin:",
        "\"\"\"",
        "password=\"\"\"",
        "password is ",
        "Signature=",
        "END ",
        "-----END ",
    ] {
        // A quadratic reader takes minutes for the size that an optimised build gets.
        let size = if cfg!(debug_assertions) {
            30_000
        } else {
            2_000_000
        };
        let text = pattern.repeat(size / pattern.len());
        let cleaned = clean(&text, Policy { secrets: true });
        assert!(!cleaned.as_str().is_empty());
        // The same on one long line that ends otherwise.
        let text = format!("{text} end");
        assert!(!clean(&text, Policy { secrets: true }).as_str().is_empty());
    }
}
