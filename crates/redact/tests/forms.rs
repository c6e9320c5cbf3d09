//! Secrets by where they stand: on command lines, in the files of programs, in headers, in tables,
//! and their look-alikes.
#![allow(
    clippy::unwrap_used,
    clippy::too_many_lines,
    reason = "tables of a test, and the helpers that fill them"
)]

use redact::{Policy, clean};

fn redact(text: &str) -> String {
    let once = clean(text, Policy { secrets: true }).into_string();
    let twice = clean(&once, Policy { secrets: true }).into_string();
    assert_eq!(once, twice, "a second pass changed the result of {text:?}");
    once
}

/// `[REDACTED:anything]` as `~`.
fn unmarked(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((head, tail)) = rest.split_once("[REDACTED:") {
        out.push_str(head);
        out.push('~');
        rest = tail.split_once(']').unwrap().1;
    }
    out.push_str(rest);
    out
}

/// In each text `~` stands for every value; it must go, and nothing else.
fn all_go(texts: &[&str], values: &[&str]) {
    let mut wrong = Vec::new();
    for text in texts {
        for value in values {
            for (before, after) in [
                ("", ""),
                ("run this:\n", "\nand that"),
                ("```sh\n", "\n```"),
            ] {
                let whole = format!("{before}{text}{after}");
                let cleaned = redact(&whole.replace('~', value));
                if unmarked(&cleaned) != whole {
                    wrong.push(format!(
                        "{:?} became {cleaned:?}",
                        whole.replace('~', value)
                    ));
                    break;
                }
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn all_stay(texts: &[&str]) {
    let mut wrong = Vec::new();
    for text in texts {
        for (before, after) in [
            ("", ""),
            ("run this:\n", "\nand that"),
            ("so: `", "`"),
            ("- ", " ok"),
        ] {
            let whole = format!("{before}{text}{after}");
            let cleaned = redact(&whole);
            if cleaned != whole {
                wrong.push(format!("{whole:?} became {cleaned:?}"));
            }
        }
    }
    assert!(
        wrong.is_empty(),
        "{} wrong\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

/// A random word, and what a person makes up.
const RANDOM: &str = "kJ7hGfDs9aQwErTy3Ui";
const MADE_UP: [&str; 3] = [RANDOM, "hunter2", "Tr0ub4dor&3"];

#[test]
fn passwords_on_command_lines_go() {
    all_go(
        &[
            "mysql -u root -p~",
            "mysql -uroot -p~ shop",
            "mysql -u root -p'~' shop",
            "mysql -h db -u root -p\"~\" -e 'select 1'",
            "mysqldump -u root -p~ shop > dump.sql",
            "mysqladmin -p~ status",
            "mariadb -p~ shop",
            "docker exec -it db mysql -uroot -p~ shop",
            "mysqlsh -p~",
            "/usr/local/bin/mysql -p~",
            "sshpass -p ~ ssh root@h",
            "sshpass -p '~' ssh root@h",
            "sshpass -p~ ssh root@h",
            "docker login -u me -p ~ registry.example.com",
            "docker login -p ~",
            "docker login --username me --password ~",
            "podman login -p ~ quay.io",
            "helm registry login -u me -p ~ r.example.com",
            "az login -u me -p ~",
            "oc login -u me -p ~",
            "redis-cli -a ~ ping",
            "redis-cli -h h -a '~' ping",
            "redis-cli --pass ~ ping",
            "curl -u user:~ https://h",
            "curl -uuser:~ https://h",
            "curl -su user:~ https://h",
            "curl -s -u 'user:~' https://h",
            "curl --user user:~ https://h",
            "curl -U user:~ https://h",
            "curl --proxy-user user:~ https://h",
            "http -a user:~ https://h",
            "wget --password=~ https://h",
            "wget --http-password=~ https://h",
            "echo \"root:~\" | chpasswd",
            "echo 'root:~' | sudo chpasswd",
            "echo root:~ | chpasswd -e",
            "chpasswd <<< 'root:~'",
            "echo ~ | sudo -S apt update",
            "echo '~' | sudo -S apt update",
            "echo \"~\" | docker login --username me --password-stdin",
            "htpasswd -b .htpasswd user ~",
            "htpasswd -cb .htpasswd user ~",
            "htpasswd -bc .htpasswd user '~'",
            "htpasswd -nb user ~",
            "ssh-keygen -t ed25519 -N ~ -f key",
            "ssh-keygen -N '~' -f key",
            "ssh-keygen -p -P ~ -N ~",
            "openssl rsa -passin pass:~ -in a",
            "openssl pkcs12 -passout 'pass:~' -in a",
            "openssl enc -k ~ -in a",
            "gpg --batch --passphrase ~ -c a",
            "gpg --passphrase='~' -c a",
            "zip -P ~ a.zip a",
            "unzip -P ~ a.zip",
            "7z x -p~ a.7z",
            "7za a -p~ a.7z b",
            "unrar x -p~ a.rar",
            "ldapsearch -x -D cn=admin -w ~ -b dc=x",
            "ldapadd -x -D cn=admin -w '~' -f a.ldif",
            "mongosh -u root -p ~ db",
            "mongo -u root -p ~",
            "mongodump --username root --password ~",
            "sqlcmd -S h -U sa -P ~",
            "sqlcmd -S h -U sa -P '~' -Q 'select 1'",
            "sqlplus system/~@//h/x",
            "smbclient -U 'user%~' //h/s",
            "rabbitmqctl add_user app ~",
            "rabbitmqctl change_password app '~'",
            "net use z: \\\\h\\s ~ /user:me",
            "keytool -genkey -storepass ~ -keypass ~",
            "mosquitto_pub -u me -P ~ -t a",
            "ansible-playbook -e ansible_become_pass=~ site.yml",
            "ansible_become_pass: ~",
            "ansible_ssh_pass=~",
            "kubectl create secret generic db --from-literal=password=~",
            "ConvertTo-SecureString \"~\" -AsPlainText -Force",
            "ConvertTo-SecureString -String '~' -AsPlainText",
            "nmcli dev wifi connect home password ~",
            "vncpasswd -f <<< ~",
            "psql \"host=h user=u password=~ dbname=d\"",
            "PGPASSWORD=~ psql -h h",
            "git -c http.extraHeader='AUTHORIZATION: basic ~' clone x",
        ],
        &MADE_UP[..2],
    );
}

/// The `pass:` before it may go with it.
#[test]
fn passwords_of_openssl_go() {
    for text in [
        "openssl enc -pass pass:~ -in a",
        "openssl enc -pass 'pass:~' -in a",
        "openssl -k ~",
    ] {
        for value in MADE_UP {
            let cleaned = redact(&text.replace('~', value));
            assert!(!cleaned.contains(value), "{cleaned}");
        }
    }
    let reference = "openssl enc -pass env:PASS2 -in a";
    assert_eq!(redact(reference), reference);
}

#[test]
fn passwords_in_files_go() {
    all_go(
        &[
            "CREATE USER app WITH PASSWORD '~';",
            "ALTER ROLE app WITH ENCRYPTED PASSWORD '~';",
            "create user app password '~'",
            "CREATE USER 'app'@'%' IDENTIFIED BY '~';",
            "GRANT ALL ON x.* TO 'a'@'%' IDENTIFIED BY \"~\";",
            "IDENTIFIED WITH mysql_native_password BY '~'",
            "SET PASSWORD FOR 'a'@'%' = PASSWORD('~');",
            "SET PASSWORD = '~';",
            "CREATE LOGIN app WITH PASSWORD = N'~'",
            "ALTER USER app SET PASSWORD '~'",
            "password:\n  ~",
            "password: |\n  ~",
            "password: >-\n  ~",
            "db:\n  password: |\n    ~\n  port: 1",
            "db_password:\n  \"~\"",
            "password = \"\"\"~\"\"\"",
            "password = '''~'''",
            "password = \"\"\"\n~\n\"\"\"",
            "| password | ~ |",
            "| Password | ~ |",
            "| `DB_PASSWORD` | `~` |",
            "| **password** | ~ | prod |",
            "| 비밀번호 | ~ |",
            "password\t~",
            "\"password\",\"~\"",
            "<td>password</td><td>~</td>",
            "machine h login u password ~",
            "//npm.example.org/:_password=\"~\"",
            "localhost:5432:shop:app:~",
            "db.example.com:5432:*:app:~",
            "jdbc:postgresql://h/d?user=u&password=~",
            "jdbc:sqlserver://h:1433;databaseName=d;user=sa;password=~;encrypt=true",
            "Driver={SQL Server};Server=h;Uid=u;Pwd=~;",
            "Server=h;Database=d;User ID=u;Password=~;",
            "Data Source=h;pwd=~;uid=u",
            "jdbc:oracle:thin:scott/~@h:1521:x",
            "{\"a\":\"{\\\"password\\\":\\\"~\\\"}\"}",
            "{\\\"password\\\": \\\"~\\\"}",
            "<add key=\"DbPassword\" value=\"~\" />",
            "<property name=\"password\" value=\"~\"/>",
            "- name: DB_PASSWORD\n  value: ~",
            "- name: DB_PASSWORD\n  value: \"~\"",
            "{\"name\": \"DB_PASSWORD\", \"value\": \"~\"}",
            "{\"key\": \"password\", \"value\": \"~\"}",
            "requirepass ~",
        ],
        &MADE_UP[..2],
    );
}

#[test]
fn values_in_headers_and_addresses_go() {
    all_go(
        &[
            "Cookie: ~",
            "Cookie: session=~",
            "Cookie: a=~; b=~",
            "cookie: session_id=~; theme=~",
            "Set-Cookie: sid=~; Path=/; HttpOnly",
            "set-cookie: sid=~; Max-Age=3600; Secure",
            "curl -H 'Cookie: session=~' https://h",
            "curl -b 'session=~' https://h",
            "curl --cookie \"session=~\" https://h",
            "\"Cookie\": \"session=~\"",
            "\"set-cookie\": [\"sid=~; Path=/\"]",
            "Authorization: Basic ~",
            "Proxy-Authorization: Basic ~",
            "Authorization: ApiKey ~",
            "X-Auth-Token: ~",
            "X-Amz-Security-Token: ~",
            "X-CSRF-Token: ~",
            "https://s3.amazonaws.com/b/k?X-Amz-Credential=x&X-Amz-Signature=~&X-Amz-Date=1",
            "https://b.s3.amazonaws.com/k?AWSAccessKeyId=x&Signature=~&Expires=1",
            "https://storage.googleapis.com/b/k?X-Goog-Signature=~",
            "https://acc.blob.core.windows.net/c?sv=2022&sig=~&se=1",
            "https://d.cloudfront.net/a?Policy=x&Signature=~&Key-Pair-Id=K",
        ],
        &["9f8e7d6c5b4a39281706f5e4d3c2b1a09f8e7d6c5b4a39281706f5e4d3c2b1a0"],
    );
}

#[test]
fn passwords_in_code_go() {
    all_go(
        &[
            "PASS=~ ./run",
            "user=admin pass=~",
            "user: admin, pass: ~",
            "curl -d '{\"user\":\"a\",\"pass\":\"~\"}' h",
            "new PDO('mysql:host=h;dbname=d', 'root', '~')",
            "mysqli_connect(\"localhost\", \"root\", \"~\", \"db\")",
            "DriverManager.getConnection(url, \"sa\", \"~\")",
            "new NetworkCredential(\"user\", \"~\")",
            "requests.get(u, auth=(\"user\", \"~\"))",
            "requests.get(u, auth=HTTPBasicAuth('user', '~'))",
            "user.setPassword(\"~\")",
            "builder.password(\"~\")",
            "\"password\": [\"~\"]",
            "passwords = [\"~\", '~']",
            "<string name=\"api_key\">~a1b2c3d4</string>"
                .replace("a1b2c3d4", "")
                .as_str(),
            "<key>password</key>\n<string>~</string>",
            "?password%3D~%26x",
            "password: !!str ~",
            "비번: ~",
        ],
        &MADE_UP[..1],
    );
}

#[test]
fn look_alikes_in_code_stay() {
    all_stay(&[
        "PASS=1 ./run2",
        "pass: 12/12, fail: 0",
        "first pass: done2day".replace("done2day", "done").as_str(),
        "user.setPassword(password1)",
        "setPassword(\"password1\")",
        "form.password(\"new_password1\")",
        "new PDO($dsn1, $user2, $pass3)",
        "getConnection(url1, user2, pass3)",
        "getConnection(\"pool1a2b\")",
        "auth=(user1, pass2)",
        "auth = (\"basic\", \"none\")",
        "new Credential(name1, value2)",
        "<label for=\"password\">Password</label>",
        "<key>password</key><true/>",
        "\"password\": [\"required\", \"min8\"]",
        "passwords: [rule1, rule2]",
        "\"tokens\": [\"abc1def2\", \"x\"]",
        "the password for root: see vault",
        "set the password to something",
        "비밀번호를 변경하세요",
        "비번 까먹음",
        "接口密码设为必填",
        "키: 180cm",
        "스키: abc",
        "password%3D%3Cpassword%3E",
    ]);
}

#[test]
fn tokens_by_where_they_stand_go() {
    all_go(
        &[
            "export FOO_TOKEN=~",
            "AWS_SESSION_TOKEN=~",
            "npm config set //npm.example.org/:_authToken ~",
            "npm config set //npm.example.org/:_authToken=~",
            "git clone https://~@github.com/a/b.git",
            "git remote add o https://~:x-oauth-basic@github.com/a/b.git",
            "//npm.example.org/:_authToken=~",
            "masterauth ~",
            "user: u\npass: ~",
            "https://~@github.com/a/b.git",
            "https://h/cb?code=1&access_token=~&x=1",
            "git clone https://~:x-oauth-basic@github.com/a/b.git",
            "git clone https://~:@github.com/a/b.git",
            "NPM_TOKEN=~ npm publish",
            "the api key is ~",
            "my token is ~.",
            "Der API-Key ist ~",
            "토큰은 ~ 야",
            "令牌是 ~",
            "ENV DB_PASS ~",
            "ENV API_TOKEN=~",
            "rootpw ~",
            "bindpw: ~",
            "ansible-vault encrypt_string '~' --name 'db1'",
            "mysql -u root -p'~' <<'SQL'\nselect 1;\nSQL",
            "{\"command\":\"sshpass -p \\\"~\\\" ssh h\",\"n\":1}",
            "{\"command\":\"echo \\\"root:~\\\" | chpasswd\"}",
            "PresharedKey = ~",
            "apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  first: ~\n  second: ~\ntype: Opaque",
            "apiVersion: v1\ndata:\n  first: ~\nkind: Secret\nmetadata:\n  name: db",
            "kind: Secret\nstringData:\n  url: \"~\"",
        ],
        &[RANDOM],
    );
}

#[test]
fn columns_of_tables_go() {
    all_go(
        &[
            "| user | password |\n|---|---|\n| bob | ~ |\n| eve | `~` |",
            "| user | password | role |\n| :-- | :-: | --: |\n| bob | ~ | admin |",
            " user | password \n------+----------\n bob  | ~\n eve  | ~\n(2 rows)",
            "+------+----------+\n| user | password |\n+------+----------+\n| bob  | ~ |\n+------+----------+",
            "password | user\n---------+-----\n~ | bob",
        ],
        &MADE_UP[..2],
    );
}

#[test]
fn passwords_in_sentences_go() {
    all_go(
        &[
            "the password is ~",
            "my db password is ~ and the user is admin",
            "password for root: ~",
            "Passwort von root: ~",
            "I changed the password to ~",
            "비번은 ~",
            "비밀번호를 ~로 바꿨어",
            "密码改成 ~ 了",
            "密码设为~。",
            "the password is ~.",
            "My password is '~', use it",
            "the root password was `~`",
            "Das Passwort ist ~",
            "Das Passwort lautet: ~",
            "비밀번호는 ~",
            "비밀번호는 ~입니다",
            "密码是 ~",
            "密码是~。",
        ],
        &MADE_UP[..2],
    );
}

#[test]
fn look_alikes_of_command_lines_stay() {
    all_stay(&[
        "mysql -p",
        "mysql -u root -p shop",
        "mysql -u root -p$DB_PASS shop",
        "mysql -u root -p\"$DB_PASS\" shop",
        "mysql -u root -p${DB_PASS}",
        "mysql -u root -p<password>",
        "mysql -h h -P 3306 -u root shop",
        "mysqldump --port=3307 shop",
        "mysql -p asks for it, mysql2 does not",
        "\"mysql -p\", \"abc123def\"",
        "docker run -p 8080:80 nginx",
        "docker ps -p",
        "docker compose -p shop2 up",
        "ssh -p 2222 me@h",
        "ssh login -p 2222",
        "scp -P 2222 a h:b2",
        "mkdir -p src/a1b2",
        "cp -p a1 b2",
        "cargo test -p mnemo2",
        "git log -p abc1234",
        "patch -p1 < x2.diff",
        "sshpass -e ssh h",
        "sshpass -f file1 ssh h",
        "sshpass -p $PASS ssh h",
        "sshpass -p \"${SSH_PASS}\" ssh h",
        "docker login",
        "docker login -u me2 --password-stdin r.example.com",
        "echo $TOKEN | docker login -u me --password-stdin",
        "cat token1.txt | docker login --password-stdin",
        "docker login -u me -p $TOKEN r.example.com",
        "docker login -u me -p <token>",
        "redis-cli -a $REDIS_PASS ping",
        "redis-cli -h h1 -p 6379 ping1",
        "curl -u $USER:$PASS https://h",
        "curl -u user: https://h",
        "curl -u me2 https://h",
        "curl -b cookies1.txt https://h",
        "curl -o file1.zip https://h:8080/x1",
        "curl -u user:<password> https://h",
        "echo \"root:$PASS\" | chpasswd",
        "echo \"root:0\" | cut -d: -f2",
        "echo hello1world | sudo tee /etc/x1",
        "echo abc123def | base64 -d",
        "echo \"done: step2\"",
        "printf 'a1:%s\\n' \"$x\" | sort",
        "sudo systemctl restart nginx2",
        "htpasswd -c .htpasswd user2",
        "htpasswd -B .htpasswd user2",
        "htpasswd -b .htpasswd user $PASS",
        "ssh-keygen -t ed25519 -N '' -f key2",
        "ssh-keygen -N \"\" -f key2",
        "ssh-keygen -lf key2.pub",
        "openssl rsa -passin env:PASS2 -in a",
        "openssl rsa -passin file:pass2.txt -in a",
        "openssl x509 -in a1.pem -noout",
        "openssl rand -base64 32",
        "gpg --passphrase-file p1.txt -c a",
        "gpg --passphrase \"$P\" -c a",
        "zip -r a1.zip b2",
        "unzip -p a1.zip b2",
        "7z x a1.7z -oout2",
        "7z x -p a1.7z",
        "ldapsearch -x -W -D cn=admin1",
        "ldapsearch -w $PASS -D cn=admin1",
        "mongosh -u root1 -p",
        "mongodump --port 27017",
        "sqlcmd -S h1 -U sa2",
        "net use z: \\\\h1\\s2",
        "net use z: \\\\h1\\s2 * /user:me1",
        "net start svc2",
        "kubectl get secret db1 -o yaml",
        "kubectl create secret generic db --from-file=a1.txt",
        "ConvertTo-SecureString $env:PASS -AsPlainText",
        "ConvertTo-SecureString -String $x1 -AsPlainText",
        "nmcli dev wifi connect home1",
        "git clone https://me@github.com/a1/b2.git",
        "git clone https://first-last-2024@dev.azure.com/a/b",
        "git clone ssh://git@github.com:22/a1/b2.git",
        "smbclient -U user2 //h/s1",
        "net user bob1 /domain",
        "export TOKEN_FILE=/run/secrets/token1",
        "the login page2 and the http client1 open up1",
        "please echo that back1",
    ]);
}

#[test]
fn look_alikes_of_documents_stay() {
    all_stay(&[
        "Cookie: none",
        "cookie: <cookie>",
        "Cookie: $COOKIE",
        "Cookie: session=$SESSION",
        "Cookie: session=<session>; theme=dark",
        "cookie: { maxAge: 3600000, sameSite: 'lax2' }",
        "the cookie is named sid2",
        "Set-Cookie: theme=dark; Path=/a1; Max-Age=3600",
        "cookies: a1=b2c3d4e5",
        "CREATE USER app WITH PASSWORD '$PASS';",
        "CREATE USER app WITH PASSWORD :'pass';",
        "ALTER USER app WITH PASSWORD '<password>'",
        "IDENTIFIED BY '${PASS}'",
        "identified by the id a1b2c3",
        "identified by `property_name2`.",
        "if needed, pass `--keyring=a1b2c3`",
        "pub Cookie: windows_sys2::core::PSTR,",
        "the password field 'user_password'",
        "the token is used by step2",
        "the api key is rotated weekly1",
        "the token is 3600s valid",
        "토큰은 4096개",
        "ENV PATH /usr/bin1",
        "a password 'must be set'",
        "label: password \"Enter your password\"",
        "password:\n  type: string\n  minLength: 8",
        "password:\n  - required\n  - min8",
        "password:\n  required",
        "password: |\n  ${PASSWORD}",
        "password:\nnext1: abc2def",
        "token:\n  expires: 3600s",
        "password = \"\"\"\"\"\"",
        "| password | required |",
        "| password | string | the user's password |",
        "| Password | The password, at least 8 characters |",
        "| user | password |\n|---|---|\n| bob | required |\n| eve | <password> |",
        "| name | type | password |\n|---|---|---|\n| a1 | b2 | *** |",
        "| token | count |\n|---|---|\n| the | 12 |",
        "the password is base64-encoded",
        "the password is sha256 hashed",
        "password is required",
        "the password is at least 8chars long",
        "비밀번호는 8자리 이상",
        "비밀번호는 sha256 으로",
        "密码是必填项",
        "<td>password</td><td>required</td>",
        "<property name=\"password\" value=\"${db.password}\"/>",
        "- name: DB_PASSWORD\n  valueFrom:\n    secretKeyRef:\n      name: db1\n      key: pass2",
        "- name: LOG_LEVEL\n  value: debug2",
        "{\"name\": \"password\", \"type\": \"string2\"}",
        "localhost:5432:5432",
        "\"5432:5432\"",
        "ports: 127.0.0.1:5432:5432",
        "jdbc:oracle:thin:@h1:1521:x2",
        "jdbc:postgresql://h1:5432/d2?user=u3",
        "kind: ConfigMap\ndata:\n  first: abc123def456",
        "kind: Secret\n---\nkind: ConfigMap\ndata:\n  first: abc123def456",
        "kind: SecretStore\ndata:\n  first: abc123def456",
        "data:\n  first: abc123def456",
        "https://h/x?signature=<signature>",
        "https://h/x?sig=abc123",
        "Signature=\"none\"",
        "requirepass foobared"
            .replace("foobared", "${REDIS_PASS}")
            .as_str(),
        "pool_size: 10",
        "rootpassport: x1",
    ]);
}

#[test]
fn every_kind_of_key_block_goes() {
    let body = [RANDOM, "\n", RANDOM].concat();
    for (begin, end) in [
        ("-----BEGIN PRIVATE", "-----END PRIVATE"),
        ("-----BEGIN RSA PRIVATE", "-----END RSA PRIVATE"),
        ("-----BEGIN EC PRIVATE", "-----END EC PRIVATE"),
        ("-----BEGIN OPENSSH PRIVATE", "-----END OPENSSH PRIVATE"),
        ("-----BEGIN ENCRYPTED PRIVATE", "-----END ENCRYPTED PRIVATE"),
        (
            "-----BEGIN SSH2 ENCRYPTED PRIVATE",
            "-----END SSH2 ENCRYPTED PRIVATE",
        ),
        ("-----BEGIN ANY PRIVATE", "-----END ANY PRIVATE"),
    ] {
        let text = format!("a\n{begin} KEY-----\n{body}\n{end} KEY-----\nb");
        assert_eq!(unmarked(&redact(&text)), "a\n~\nb", "{text}");
        let spaced = text
            .replace("-----BEGIN", "---- BEGIN")
            .replace("-----END", "---- END");
        let spaced = spaced.replace("KEY-----", "KEY ----");
        assert_eq!(unmarked(&redact(&spaced)), "a\n~\nb", "{spaced}");
    }
    let vpn = format!(
        "-----{0} OpenVPN Static key V1-----\n{body}\n-----{1} OpenVPN Static key V1-----",
        "BEGIN", "END"
    );
    assert_eq!(unmarked(&redact(&vpn)), "~");
}
