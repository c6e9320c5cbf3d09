//! Secrets of known shape go, look-alikes stay. The tokens are put together here, so that no
//! secret scanner takes this file for a leak.
#![allow(
    clippy::unwrap_used,
    clippy::too_many_lines,
    reason = "tables of a test, and the helpers that fill them"
)]

use redact::{Policy, clean, clean_owned};

fn redact(text: &str) -> String {
    let once = clean(text, Policy { secrets: true }).into_string();
    let twice = clean(&once, Policy { secrets: true }).into_string();
    assert_eq!(once, twice, "a second pass changed the result of {text:?}");
    let owned = clean_owned(text.to_owned(), Policy { secrets: true });
    assert_eq!(owned.as_str(), once);
    once
}

/// `n` letters and digits that look random and are always the same.
fn mixed(n: usize) -> String {
    draw(
        n,
        b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
    )
}

fn hex(n: usize) -> String {
    draw(n, b"0123456789abcdef")
}

fn upper(n: usize) -> String {
    draw(n, b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567")
}

fn draw(n: usize, from: &[u8]) -> String {
    let mut state = 0x2545_F491_u64;
    (0..n)
        .map(|_| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            char::from(from[usize::try_from(state >> 33).unwrap() % from.len()])
        })
        .collect()
}

/// Kind and token of everything that is known by its shape alone.
fn tokens() -> Vec<(&'static str, String)> {
    let t = |prefix: &str, body: String| format!("{prefix}{body}");
    let jwt = format!("eyJhbGciOiJIUzI1NiJ9.eyJ{}.{}", mixed(40), mixed(43));
    vec![
        ("aws-access-key", t("AKIA", upper(16))),
        ("aws-access-key", t("ASIA", upper(16))),
        ("aws-access-key", t("AKIA", "QWJOHJDHCSOGACXT".to_owned())),
        ("github-token", t("ghp_", mixed(36))),
        ("github-token", t("gho_", mixed(36))),
        ("github-token", t("ghu_", mixed(36))),
        ("github-token", t("ghs_", mixed(36))),
        ("github-token", t("ghr_", mixed(76))),
        (
            "github-token",
            format!("github_pat_{}_{}", mixed(22), mixed(59)),
        ),
        ("gitlab-token", t("glpat-", mixed(20))),
        (
            "gitlab-token",
            format!("glpat-{}.01.{}", mixed(27), mixed(9)),
        ),
        ("gitlab-token", t("gldt-", mixed(20))),
        ("gitlab-token", t("glrt-", mixed(20))),
        (
            "slack-token",
            format!("xoxb-123456789012-1234567890123-{}", mixed(24)),
        ),
        (
            "slack-token",
            format!("xoxp-123456789012-123456789012-{}", hex(32)),
        ),
        ("slack-token", format!("xoxa-2-{}", mixed(24))),
        ("slack-token", format!("xoxr-{}", mixed(24))),
        ("slack-token", format!("xoxs-{}", mixed(24))),
        (
            "slack-token",
            format!("xapp-1-A0123456789-123456789-{}", hex(64)),
        ),
        (
            "discord-token",
            format!("MTk4{}.GabCdE.{}", "NjIyNDgzNTI5OTI1MjQ4", mixed(38)),
        ),
        ("telegram-token", format!("123456789:AA{}", mixed(33))),
        ("stripe-key", t("sk_live_", mixed(24))),
        ("stripe-key", t("sk_test_", mixed(24))),
        ("stripe-key", t("rk_live_", mixed(99))),
        ("webhook-secret", t("whsec_", mixed(32))),
        (
            "openai-key",
            format!("sk-proj-{}-{}_{}", mixed(40), mixed(20), mixed(40)),
        ),
        ("openai-key", t("sk-svcacct-", mixed(60))),
        ("api-key", t("sk-", mixed(48))),
        (
            "anthropic-key",
            format!("sk-ant-api03-{}-{}AA", mixed(60), mixed(32)),
        ),
        ("google-key", t("AIza", mixed(35))),
        ("google-token", t("ya29.", mixed(60))),
        ("google-secret", t("GOCSPX-", mixed(28))),
        ("npm-token", t("npm_", mixed(36))),
        ("pypi-token", t("pypi-AgEIcHlwaS5vcmc", mixed(80))),
        ("crates-token", t("cio", mixed(32))),
        ("docker-token", t("dckr_pat_", mixed(27))),
        ("huggingface-token", t("hf_", mixed(34))),
        ("twilio-key", t("SK", hex(32))),
        ("sendgrid-key", format!("SG.{}.{}", mixed(22), mixed(43))),
        ("mailgun-key", t("key-", hex(32))),
        ("shopify-token", t("shpat_", hex(32))),
        ("square-token", t("sq0atp-", mixed(22))),
        ("square-token", t("EAAA", mixed(60))),
        (
            "paypal-token",
            format!(
                "access_token$production${}${}",
                mixed(16).to_lowercase(),
                hex(32)
            ),
        ),
        ("databricks-token", t("dapi", hex(32))),
        ("digitalocean-token", t("dop_v1_", hex(64))),
        ("linear-key", t("lin_api_", mixed(40))),
        ("notion-token", t("secret_", mixed(43))),
        ("notion-token", t("ntn_", mixed(46))),
        ("figma-token", t("figd_", mixed(40))),
        ("postman-key", format!("PMAK-{}-{}", hex(24), hex(34))),
        ("vault-token", t("hvs.", mixed(90))),
        ("doppler-token", t("dp.pt.", mixed(43))),
        ("supabase-token", t("sbp_", hex(40))),
        ("age-key", t("AGE-SECRET-KEY-1", upper(58))),
        ("grafana-token", format!("glsa_{}_{}", mixed(32), hex(8))),
        ("groq-key", t("gsk_", mixed(52))),
        ("atlassian-token", t("ATATT3", mixed(180))),
        ("jwt", jwt),
    ]
}

#[test]
fn tokens_go_in_every_context() {
    for (kind, token) in tokens() {
        let mark = format!("[REDACTED:{kind}]");
        for (before, after) in [
            ("", ""),
            ("use ", " please"),
            ("use ", "."),
            ("use ", ", or not"),
            ("(", ")"),
            ("\"", "\""),
            ("'", "'"),
            ("`", "`"),
            ("<", ">"),
            ("{\"id\": \"", "\", \"n\": 1}"),
            ("{\\\"id\\\":\\\"", "\\\"}"),
            ("first\\n", "\\nlast"),
            ("line\n", "\nline"),
            ("curl -H 'X-Id: ", "' https://example.com"),
            ("echo ", " | pbcopy"),
            ("x=", ""),
            ("https://example.com/?q=", "&r=1"),
            ("https://example.com/?q=", ""),
            ("한글 ", "입니다"),
            ("한글", "한글"),
            ("값은「", "」"),
        ] {
            let text = format!("{before}{token}{after}");
            assert_eq!(
                redact(&text),
                format!("{before}{mark}{after}"),
                "{kind} in {text:?}"
            );
        }
        // Assigned to a telling name the more telling kind stands; nothing of the token remains.
        for (before, after) in [
            ("API_TOKEN=", "\n"),
            ("export API_TOKEN='", "'"),
            ("{\"token\":\"", "\"}"),
            ("{\\\"password\\\":\\\"", "\\\"}"),
            ("--token ", " run"),
            ("--token=", ""),
            ("secret: ", "\nnext: 1"),
            ("Authorization: Bearer ", "\n"),
            ("https://x-access-token:", "@github.com/a/b.git"),
        ] {
            let text = format!("{before}{token}{after}");
            let cleaned = redact(&text);
            assert!(
                cleaned.starts_with(&format!("{before}[REDACTED:"))
                    && cleaned.ends_with(&format!("]{after}")),
                "{kind}: {text:?} became {cleaned:?}"
            );
        }
    }
}

/// Text and what becomes of it. `~` in the text stands for a random word of 24 characters that has
/// to go; in the result it stands for the mark.
#[test]
fn assigned_values_go() {
    let word = mixed(24);
    let mut wrong = Vec::new();
    for (text, kind) in [
        ("password=~", "password"),
        ("PASSWORD=~", "password"),
        ("DB_PASSWORD=~", "password"),
        ("export DB_PASSWORD='~'", "password"),
        ("export X_TOKEN=\"~\"", "token"),
        ("set X_TOKEN=~", "token"),
        ("$env:API_KEY = \"~\"", "api-key"),
        ("docker run -e POSTGRES_PASSWORD=~ postgres", "password"),
        ("A=1 MY_SECRET=~ cargo run", "secret"),
        ("\"password\": \"~\"", "password"),
        ("{\"password\":\"~\",\"a\":1}", "password"),
        ("{\\\"password\\\":\\\"~\\\",\\\"a\\\":1}", "password"),
        ("{\\\\\\\"password\\\\\\\":\\\\\\\"~\\\\\\\"}", "password"),
        ("{'api_key': '~'}", "api-key"),
        ("apiKey: '~',", "api-key"),
        ("apikey=~", "api-key"),
        ("api-key: ~", "api-key"),
        ("X-Api-Key: ~", "api-key"),
        ("PRIVATE-TOKEN: ~", "token"),
        ("api key: ~", "api-key"),
        ("the API key: ~ works", "api-key"),
        ("aws_secret_access_key = ~", "key"),
        ("AWS_SECRET_ACCESS_KEY=~", "key"),
        ("AWS_SESSION_TOKEN=~", "token"),
        ("SECRET_KEY_BASE=~", "key"),
        ("SECRET_KEY = 'django-~'", "key"),
        ("client_secret: ~", "secret"),
        ("clientSecret=\"~\"", "secret"),
        ("OPENAI_API_KEY_PROD=~", "api-key"),
        ("password1=~", "password"),
        ("PGPASSWORD=~ psql", "password"),
        ("MYSQL_PWD=~ mysql", "password"),
        ("mysql --password=~ db", "password"),
        ("tool --password ~ db", "password"),
        ("tool --api-key ~", "api-key"),
        ("tool --token \"~\" x", "token"),
        ("tool --client-secret '~'", "secret"),
        ("Connect-X -Password ~", "password"),
        ("//npm.example.com/:_authToken=~", "token"),
        ("machine h login u password ~", "password"),
        ("machine h\n  login u\n  password ~\n", "password"),
        ("Server=h;User Id=u;Password=~;Encrypt=true", "password"),
        ("Server=h;Uid=u;Pwd=~;", "password"),
        (
            "DefaultEndpointsProtocol=https;AccountName=a;AccountKey=~==;EndpointSuffix=x",
            "key",
        ),
        ("https://h/cb?access_token=~&state=1", "token"),
        ("curl -d 'user=a&password=~&x=1'", "password"),
        ("password: ~", "password"),
        ("  password: ~  # prod", "password"),
        ("password: \"~\"", "password"),
        ("- password: ~", "password"),
        ("spring.datasource.password=~", "password"),
        ("**Password:** ~", "password"),
        ("**Password**: ~", "password"),
        ("Password: `~`", "password"),
        ("let password = \"~\";", "password"),
        ("let password: &str = \"~\";", "password"),
        ("const token: string = '~'", "token"),
        ("password := \"~\"", "password"),
        ("'password' => '~',", "password"),
        ("if password == \"~\" {", "password"),
        ("os.environ[\"API_KEY\"] = \"~\"", "api-key"),
        ("process.env.API_KEY = '~';", "api-key"),
        ("define('DB_PASSWORD', '~');", "password"),
        ("#define PASSWORD \"~\"", "password"),
        ("set -gx API_TOKEN ~", "token"),
        ("<password>~</password>", "password"),
        ("<password>~<\\/password>", "password"),
        ("passwort: ~", "password"),
        ("Passwort: ~", "password"),
        ("Kennwort = ~", "password"),
        ("비밀번호: ~", "password"),
        ("비밀번호 : ~ 입니다", "password"),
        ("비밀번호는: ~", "password"),
        ("암호=~", "password"),
        ("密码：~。", "password"),
        ("密码: ~", "password"),
        ("密碼：~，謝謝", "password"),
        ("Authorization: Bearer ~", "authorization"),
        ("Authorization: Basic ~==", "authorization"),
        ("authorization: token ~", "authorization"),
        ("\"Authorization\": \"Bearer ~\"", "authorization"),
        (
            "curl -H \"Authorization: Bearer ~\" https://x",
            "authorization",
        ),
        ("-H 'Authorization: ~'", "authorization"),
        ("send Bearer ~ then", "authorization"),
        ("curl -u admin:~ https://x", "password"),
        ("curl --user 'admin:~' https://x", "password"),
        ("postgres://app:~@db.example.com:5432/x", "url-password"),
        ("postgresql+asyncpg://app:~@db/x", "url-password"),
        ("mongodb+srv://u:~@c.example.net", "url-password"),
        ("redis://:~@h:6379", "url-password"),
        ("https://u:~@h/p?q=a@b", "url-password"),
        (
            "git clone https://oauth2:~@gitlab.com/a/b.git",
            "url-password",
        ),
        ("DATABASE_URL=postgres://u:~@h/d", "url-password"),
        (
            "https://acc.blob.core.windows.net/c?sv=2022&sig=~%2B~%3D&se=1",
            "azure-sas",
        ),
        (
            "https://hooks.slack.com/services/T0ABCDEF0/B0ABCDEF0/~",
            "slack-webhook",
        ),
        (
            "https://discord.com/api/webhooks/123456789012345678/~~~",
            "discord-webhook",
        ),
    ] {
        let mark = format!("[REDACTED:{kind}]");
        let cleaned = redact(&text.replace('~', &word));
        let mut good = !cleaned.contains(&word) && cleaned.contains(&mark);
        // What stands around it stays.
        let (head, _) = text.split_once('~').unwrap();
        let head = head
            .split("T0ABC")
            .next()
            .unwrap()
            .split("1234567")
            .next()
            .unwrap();
        let head = head.trim_end_matches("django-");
        good &= cleaned.starts_with(head);
        let (_, tail) = text.rsplit_once('~').unwrap();
        let tail = tail
            .trim_start_matches("==")
            .trim_start_matches("%3D")
            .trim_start_matches('입');
        good &= cleaned.ends_with(tail);
        if !good {
            wrong.push(format!("{text:?} became {cleaned:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn weak_passwords_go_too() {
    let mut wrong = Vec::new();
    for (text, expected) in [
        ("password=hunter2", "password=[REDACTED:password]"),
        (
            "DB_PASSWORD=correcthorse",
            "DB_PASSWORD=[REDACTED:password]",
        ),
        ("DB_PASSWORD=p@ss;w&rd,1", "DB_PASSWORD=[REDACTED:password]"),
        ("password: letmein", "password: [REDACTED:password]"),
        (
            "password: letmein\nuser: bob",
            "password: [REDACTED:password]\nuser: bob",
        ),
        (
            "login: bob, password: hunter2",
            "login: bob, password: [REDACTED:password]",
        ),
        (
            "\"password\":\"1234\"",
            "\"password\":\"[REDACTED:password]\"",
        ),
        (
            "\"password\":\"correct horse battery\"",
            "\"password\":\"[REDACTED:password]\"",
        ),
        ("--password letmein", "--password [REDACTED:password]"),
        (
            "--password=letmein run",
            "--password=[REDACTED:password] run",
        ),
        (
            "the password: hunter2, ok",
            "the password: [REDACTED:password], ok",
        ),
        ("my password: hunter2.", "my password: [REDACTED:password]."),
        (
            "TOKEN: abcdef123456\\nDB_PASSWORD=correcthorse",
            "TOKEN: [REDACTED:token]\\nDB_PASSWORD=[REDACTED:password]",
        ),
        ("비밀번호: hunter2", "비밀번호: [REDACTED:password]"),
        (
            "postgres://postgres:postgres@localhost/x",
            "postgres://postgres:[REDACTED:url-password]@localhost/x",
        ),
        (
            "https://u:p/w#1@h/x",
            "https://u:[REDACTED:url-password]@h/x",
        ),
        ("password = hunter2", "password = [REDACTED:password]"),
        (
            "password = \"supersecret\"",
            "password = \"[REDACTED:password]\"",
        ),
        ("PASSWORD='it''s'", "PASSWORD='[REDACTED:password]''s'"),
        ("password=\"unclosed1", "password=\"[REDACTED:password]"),
        (
            "Authorization: Bearer abc",
            "Authorization: Bearer [REDACTED:authorization]",
        ),
        (
            "Authorization: Basic dXNlcjpwYXNz",
            "Authorization: Basic [REDACTED:authorization]",
        ),
        (
            "secret: $2b$12$abcdefghijklmnopqrstuv",
            "secret: [REDACTED:secret]",
        ),
    ] {
        let cleaned = redact(text);
        if cleaned != expected {
            wrong.push(format!("{text:?} became {cleaned:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn key_blocks_go_whole() {
    let body = format!("{}\n{}\n{}", mixed(64), mixed(64), mixed(20));
    for label in [
        "PRIVATE KEY",
        "RSA PRIVATE KEY",
        "EC PRIVATE KEY",
        "OPENSSH PRIVATE KEY",
        "ENCRYPTED PRIVATE KEY",
        "DSA PRIVATE KEY",
        "PGP PRIVATE KEY BLOCK",
    ] {
        let begin = format!("-----{} {label}-----", "BEGIN");
        let end = format!("-----{} {label}-----", "END");
        let block = format!("{begin}\n{body}\n{end}");
        assert_eq!(
            redact(&format!("a\n{block}\nb")),
            "a\n[REDACTED:private-key]\nb"
        );
        let json = block.replace('\n', "\\n");
        assert_eq!(
            redact(&format!("{{\"private_key\": \"{json}\\n\", \"x\": 1}}")),
            "{\"private_key\": \"[REDACTED:private-key]\\n\", \"x\": 1}"
        );
        assert_eq!(
            redact(&format!("KEY=\"{block}\"")),
            "KEY=\"[REDACTED:private-key]\""
        );
        assert_eq!(
            redact(&format!("a {block} b {block} c")),
            "a [REDACTED:private-key] b [REDACTED:private-key] c"
        );
        // Cut off: all that follows goes.
        assert_eq!(
            redact(&format!("a\n{begin}\n{body}")),
            "a\n[REDACTED:private-key]"
        );
        assert_eq!(
            redact(&format!(
                "a\n{begin}\nProc-Type: 4,ENCRYPTED\n\n{body}\nmore"
            )),
            "a\n[REDACTED:private-key]"
        );
    }
    let putty = format!(
        "PuTTY-User-Key-File-3: ssh-ed25519\nPublic-Lines: 1\nAAAA\nPrivate-Lines: 2\n{}\n{}\nPrivate-MAC: {}\n",
        mixed(64),
        mixed(20),
        hex(64)
    );
    let cleaned = redact(&putty);
    assert!(!cleaned.contains(&mixed(20)), "{cleaned}");
    assert!(cleaned.contains("Private-MAC:"), "{cleaned}");
}

#[test]
fn look_alikes_stay() {
    let image = format!(
        "data:image/png;base64,iVBORw0KGgo{}/AIza{}+{}==",
        mixed(300),
        mixed(35),
        mixed(100)
    );
    let public_key = format!("ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{} me@host", mixed(43));
    let certificate = format!(
        "-----BEGIN CERTIFICATE-----\n{}\n-----END CERTIFICATE-----",
        mixed(64)
    );
    let commit = hex(40);
    let mut texts: Vec<String> = vec![
        image,
        format!("![shot](data:image/jpeg;base64,{})", mixed(500)),
        public_key,
        certificate,
        format!("commit {commit}"),
        format!("\"sha\": \"{commit}\""),
        format!("git show {}", &commit[..7]),
        format!("sha256:{}", hex(64)),
        format!("SHA256:{}", mixed(43)),
        format!("\"integrity\": \"sha512-{}==\"", mixed(86)),
        format!("checksum = \"{}\"", hex(64)),
        format!("pk_live_{}", mixed(24)),
        format!("AC{}", hex(32)),
        format!("etag: W/\"{}\"", hex(32)),
        format!("X{}{}", "AKIA", upper(16)),
        format!("{}{}", "AKIA", upper(12)),
        format!("{}{}Z9", "AKIA", upper(16)),
        format!("ghp_{}", "x".repeat(36)),
        format!("sk-{}", "x".repeat(48)),
        format!("glpat-{}", "x".repeat(20)),
        format!("eyJ{}", mixed(40)),
        format!(
            "https://hooks.slack.com/services/T00000000/B00000000/{}",
            "X".repeat(24)
        ),
        format!("cache_key: {}", hex(32)),
        format!("public_key = \"{}\"", mixed(44)),
        format!("-----{} PRIVATE KEY-----", "BEGIN"),
        format!(
            "if line.starts_with(\"-----{} PRIVATE KEY-----\") {{ return; }}\nmore",
            "BEGIN"
        ),
        format!(
            "grep -r '-----{} RSA PRIVATE KEY-----' . finds keys",
            "BEGIN"
        ),
    ];
    texts.extend(
        [
            "550e8400-e29b-41d4-a716-446655440000",
            "uuid: 550e8400-e29b-41d4-a716-446655440000",
            "<your-token>",
            "token: <your-token>",
            "token=<TOKEN>",
            "password: xxxx",
            "password=xxxxxxxx",
            "PASSWORD=changeme",
            "password: changeme",
            "TOKEN=${TOKEN}",
            "TOKEN=$TOKEN",
            "password: $PASSWORD",
            "password: \"${DB_PASSWORD}\"",
            "token: {{ secret }}",
            "token: \"{{ secrets.TOKEN }}\"",
            "token: ${{ secrets.GITHUB_TOKEN }}",
            "GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}",
            "api_key = process.env.API_KEY",
            "apiKey: process.env.API_KEY,",
            "api_key=os.environ[\"API_KEY\"]",
            "API_KEY = os.environ.get(\"API_KEY\")",
            "token = get_token()",
            "token = await getToken();",
            "token: getToken(),",
            "password: ***",
            "password: ********",
            "token: ...",
            "API_KEY=...",
            "token: \"...\"",
            "API_KEY=YOUR_API_KEY",
            "api_key: \"YOUR_API_KEY\"",
            "api_key: your-api-key-here",
            "API_KEY=<key>",
            "token: null",
            "token = None",
            "token: true",
            "\"token\": null",
            "\"password\": \"\"",
            "password=",
            "password:",
            "PASSWORD=\"\"",
            "password: string",
            "password: string;",
            "token: &str",
            "token: &'a str,",
            "secret: String,",
            "secret: SecretString,",
            "fn login(user: &str, password: &str) -> Token {",
            "password?: string",
            "password: Option<String>,",
            "def login(user: str, password: str = None):",
            "password: Joi.string().min(8).required(),",
            "Bearer authentication",
            "use Bearer tokens for that",
            "the Bearer token of the user",
            "Authorization: Bearer <token>",
            "Authorization: Bearer $TOKEN",
            "Authorization: Bearer ${token}",
            "`Authorization: Bearer ${token}`",
            "Authorization: Bearer {token}",
            "Authorization: Bearer YOUR_TOKEN",
            "authorization: required for all routes",
            "the password: see vault",
            "private_key: see vault",
            "password: see the vault entry",
            "token: 42 tokens",
            "token: 42",
            "max_tokens: 4096",
            "\"max_tokens\": 4096,",
            "tokens = 12000",
            "tokens: 128000",
            "token_count: 123456789",
            "input_tokens=1234567890",
            "pad_token = \"<pad>\"",
            "\"eos_token\": \"<|endoftext|>\"",
            ".password:hover { color: red }",
            "input[type=\"password\"] { }",
            "<input type=\"password\" name=\"password\">",
            "task-list-of-all-my-important-things-2024",
            "disk-usage-report-for-2024-december",
            "risk-assessment1234567890abcdef",
            "sk-fading-circle-container-wrapper",
            "eyJ",
            "AKIA",
            "the AKIA prefix",
            "ghp_",
            "sk-",
            "sk-...",
            "sk-ant-...",
            "xoxb-your-token",
            "http://localhost:8080/path",
            "https://example.com:443/@scope/pkg",
            "http://[::1]:8080/a@b",
            "https://user@example.com/x",
            "https://example.com/a:b@c",
            "npm i @scope/pkg@1.2.3",
            "me@example.com",
            "git@github.com:a/b.git",
            "ssh://git@github.com/a/b",
            "postgres://user:<password>@host/db",
            "postgres://a:<password>@h1/db or postgres://b:<password>@h2/db",
            "postgres://user:${DB_PASS}@host/db",
            "postgres://$USER:$PASS@host",
            "postgres://u:***@h/d",
            "redis://user:{password}@h",
            "PWD=/home/me/project",
            "OLDPWD=/tmp",
            "password_file: /run/secrets/db",
            "secret_name: prod-db",
            "TOKEN_URL=https://example.com/oauth/token",
            "password: /run/secrets/db",
            "token: ./token.txt",
            "secret: vault:kv/data/x#y",
            "secret: op://vault/item/field",
            "password: !vault |",
            "SecretKeyRef: my-secret",
            "token_type: bearer",
            "self.password = password",
            "password = user.password",
            "login(user, password=password)",
            "f(token=token, secret=self.secret)",
            "this.token = response.token;",
            "const { token } = props;",
            "password === confirmPassword",
            "if (password != other) {}",
            "token => token.value",
            "let token = Token::new(kind);",
            "Token::Ident",
            "std::secret::x",
            "password = hash_password(password)",
            "\"token\": \"keyword.operator\"",
            "\"password\": \"Password\"",
            "\"password\": \"Enter your password\"",
            "\"password\": \"비밀번호를 입력하세요\"",
            "\"passwordLabel\": \"Passwort eingeben\"",
            "비밀번호: 재설정 필요",
            "비밀번호를 잊었어요",
            "密码：请输入密码",
            "Passwort: erforderlich",
            "Passwort vergessen? Hier klicken",
            "How do I reset my password: it fails",
            "password: must be at least 8 characters",
            "password is required",
            "Password:",
            "Enter password: ",
            "secret santa: 2024",
            "the key: value pairs",
            "key: abcdef123456",
            "primary_key=id12345678",
            "monkey: banana12345",
            "tokenizer: gpt2-medium-v1",
            "author: Jane Doe",
            "auth: true",
            "auth: basic",
            "auth: { user, pass }",
            "credentials: include",
            "credentials: 'same-origin'",
            "pass: 12",
            "pass: 12 fail: 0",
            "tests pass: 120/120",
            "[REDACTED:password]",
            "password=[REDACTED:password]",
            "[PRIVATE]",
            "password: [PRIVATE]",
            "passport: A1234567",
            "compass: north1234",
            "src/token.rs:42:10",
            "secrets/token:12",
            "docker run -u 1000:1000 x",
            "docker run --user 1000:1000 img",
            "curl -u $USER:$PASS https://x",
            "wget --user bob x",
            "cargo install --token-file x",
            "gh secret set NAME",
            "--password-stdin < file",
            "docker login --password-stdin",
            "tool --password $PASS",
            "tool --token \"$TOKEN\"",
            "tool --token <token>",
            "tool --password",
            "12:30:45 :AA",
            "cioppino",
            "SKIP",
            "SKU12345",
            "npm_config_registry",
            "npm_lifecycle_event",
            "hf_hub_download",
            "key-value",
            "SG.x",
            "dapi",
            "EAAA",
            "ntn_",
            "secret_name",
            "lin_api_",
        ]
        .map(str::to_owned),
    );
    let mut wrong = Vec::new();
    for text in &texts {
        for (before, after) in [
            ("", ""),
            ("see: ", " and more"),
            ("a\n", "\nb"),
            ("`", "`"),
            ("(", ")"),
            ("- ", ""),
            ("```sh\n", "\n```"),
        ] {
            let whole = format!("{before}{text}{after}");
            let cleaned = redact(&whole);
            if cleaned != whole {
                wrong.push(format!("{whole:?} became {cleaned:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(texts.len() >= 40);
}

#[test]
fn off_means_off() {
    let token = format!("ghp_{}", mixed(36));
    let text = format!("{token} <private>x</private> password=hunter2");
    let policy = Policy { secrets: false };
    assert_eq!(
        clean(&text, policy).as_str(),
        format!("{token} [PRIVATE] password=hunter2")
    );
}

#[test]
fn clean_owned_gives_the_same_string_back() {
    let text = "nothing secret here, token by token".repeat(100);
    let place = text.as_ptr();
    let cleaned = clean_owned(text, Policy { secrets: true }).into_string();
    assert_eq!(cleaned.as_ptr(), place);
}

#[test]
fn a_password_in_other_letters_inside_a_sentence_is_one() {
    let policy = Policy { secrets: true };
    for (text, value) in [
        ("비밀번호: 내비번1234 commit x", "내비번1234"),
        ("비밀번호 = 내비번1234 다음", "내비번1234"),
        ("密码:我的密码123", "我的密码123"),
        ("Passwort: größe4711 für dich", "größe4711"),
    ] {
        let cleaned = clean(text, policy).into_string();
        assert!(!cleaned.contains(value), "{cleaned}");
    }
    for text in [
        "비밀번호: 2026년에 바꿈",
        "비밀번호: 8자리 이상",
        "비밀번호: 담당자에게 문의",
        "密码: 请问管理员",
    ] {
        assert_eq!(clean(text, policy).into_string(), text);
    }
}

/// A quarter of all random passwords of eight characters has no digit.
#[test]
fn secrets_of_letters_only_are_hidden_behind_their_names() {
    let values = [
        ["kJhGfDsa", "QwErTyUi"].concat(),
        ["aBcDeFgH", "iJkLmNoP"].concat(),
        ["wJalrXUt", "nFEMIKMD", "ENGbPxRf", "iCYEXAMP", "LEKEYabc"].concat(),
        ["TqWzRpLk", "vBnM"].concat(),
    ];
    for value in values {
        for name in [
            "password: ",
            "token: ",
            "api_key: ",
            "client_secret = ",
            "DB_PASS: ",
            "aws_secret_access_key = ",
            "the password: ",
        ] {
            let text = format!("{name}{value}");
            let clean = redact::clean(&text, redact::Policy { secrets: true });
            assert!(!clean.as_str().contains(&value), "{text}");
        }
    }
    for text in [
        "token: accessTokenProvider",
        "password: HashedPassword,",
        "api_key: getUserApiKeyFromVault",
        "secret: UserSecretStore",
        "token: JsonWebToken",
        "token: nextPageToken;",
        "token: parseHTTPHeader",
    ] {
        let clean = redact::clean(text, redact::Policy { secrets: true });
        assert_eq!(clean.as_str(), text);
    }
}
