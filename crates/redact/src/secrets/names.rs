//! Which names are names of secrets.

/// What a name promises about its value.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sense {
    /// A password, a passphrase, a secret: any value counts, short and wordy ones too.
    Password,
    /// A token or a key: something random.
    Token,
    /// `pass`: only what has letters and digits or signs.
    Loose,
    /// `auth`, `credentials`: only what is clearly random.
    Weak,
    /// The `Authorization` header.
    Authorization,
}

/// A name of a secret.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Name {
    pub(super) sense: Sense,
    /// The kind for the mark.
    pub(super) kind: &'static str,
}

/// Names longer than this are none.
pub(super) const LONGEST: usize = 96;

const fn name(sense: Sense, kind: &'static str) -> Name {
    Name { sense, kind }
}

/// Ends of names. A leading `_` means that a part of the name must begin there.
const ENDS: &[(&str, Name)] = &[
    ("password", name(Sense::Password, "password")),
    ("passwords", name(Sense::Loose, "password")),
    ("passwd", name(Sense::Password, "password")),
    ("passwort", name(Sense::Password, "password")),
    ("kennwort", name(Sense::Password, "password")),
    ("passphrase", name(Sense::Password, "password")),
    ("passcode", name(Sense::Password, "password")),
    ("pwd", name(Sense::Password, "password")),
    ("_pw", name(Sense::Password, "password")),
    ("sshpass", name(Sense::Password, "password")),
    ("storepass", name(Sense::Password, "password")),
    ("keypass", name(Sense::Password, "password")),
    ("rootpw", name(Sense::Password, "password")),
    ("bindpw", name(Sense::Password, "password")),
    ("requirepass", name(Sense::Password, "password")),
    ("masterauth", name(Sense::Password, "password")),
    ("_to_secure", name(Sense::Password, "password")),
    ("_psk", name(Sense::Password, "password")),
    ("presharedkey", name(Sense::Token, "key")),
    ("_preshared_key", name(Sense::Token, "key")),
    ("dbpass", name(Sense::Password, "password")),
    ("userpass", name(Sense::Password, "password")),
    ("secret", name(Sense::Password, "secret")),
    ("geheimnis", name(Sense::Password, "secret")),
    ("token", name(Sense::Token, "token")),
    ("apikey", name(Sense::Token, "api-key")),
    ("_api_key", name(Sense::Token, "api-key")),
    ("_app_key", name(Sense::Token, "api-key")),
    ("accesskey", name(Sense::Token, "key")),
    ("_access_key", name(Sense::Token, "key")),
    ("secretkey", name(Sense::Token, "key")),
    ("_secret_key", name(Sense::Token, "key")),
    ("privatekey", name(Sense::Token, "key")),
    ("_private_key", name(Sense::Token, "key")),
    ("authkey", name(Sense::Token, "key")),
    ("_auth_key", name(Sense::Token, "key")),
    ("accountkey", name(Sense::Token, "key")),
    ("_account_key", name(Sense::Token, "key")),
    ("encryptionkey", name(Sense::Token, "key")),
    ("_encryption_key", name(Sense::Token, "key")),
    ("_signing_key", name(Sense::Token, "key")),
    ("signingkey", name(Sense::Token, "key")),
    ("_master_key", name(Sense::Token, "key")),
    ("masterkey", name(Sense::Token, "key")),
    ("_shared_key", name(Sense::Token, "key")),
    ("_service_key", name(Sense::Token, "key")),
    ("_client_key", name(Sense::Token, "key")),
    ("_license_key", name(Sense::Token, "key")),
    ("_session_key", name(Sense::Token, "key")),
    ("_auth", name(Sense::Weak, "authorization")),
    ("_pass", name(Sense::Loose, "password")),
    ("_credential", name(Sense::Weak, "credential")),
    ("_credentials", name(Sense::Weak, "credential")),
    (
        "_authorization",
        name(Sense::Authorization, "authorization"),
    ),
];

/// Parts that may follow the telling part: `API_KEY_PROD`, `SECRET_KEY_BASE`.
const TAILS: &[&str] = &[
    "_prod",
    "_production",
    "_dev",
    "_development",
    "_staging",
    "_stage",
    "_test",
    "_live",
    "_base",
    "_old",
    "_new",
    "_value",
    "_backup",
    "_main",
    "_primary",
    "_secondary",
    "_default",
    "_local",
    "_ci",
    "_readonly",
    "_admin",
    "_string",
];

/// Judges a name: `DB_PASSWORD`, `clientSecret`, `x-api-key`, `spring.datasource.password`.
pub(super) fn judge(raw: &[u8]) -> Option<Name> {
    if raw.is_empty() || raw.len() > LONGEST {
        return None;
    }
    // As snake case with a leading `_`.
    let mut flat = [b'_'; 2 * LONGEST + 2];
    let mut length = 1;
    let mut previous = b'_';
    for byte in raw {
        let separator = matches!(byte, b'_' | b'-' | b'.' | b' ');
        let hump = byte.is_ascii_uppercase()
            && (previous.is_ascii_lowercase() || previous.is_ascii_digit());
        if (separator || hump) && flat.get(length - 1) != Some(&b'_') {
            length += 1;
        }
        if !separator {
            *flat.get_mut(length)? = byte.to_ascii_lowercase();
            length += 1;
        }
        previous = *byte;
    }
    let mut flat = flat.get(..length)?;
    for _ in 0..3 {
        while let [head @ .., b'_' | b'0'..=b'9'] = flat {
            flat = head;
        }
        match TAILS
            .iter()
            .find_map(|tail| flat.strip_suffix(tail.as_bytes()))
        {
            Some(head) => flat = head,
            None => break,
        }
    }
    let (end, mut name) = ENDS
        .iter()
        .find(|(end, _)| flat.ends_with(end.as_bytes()))
        .copied()?;
    // `DB_PASS`, `smtpPass`: with something before it, the word means a password.
    if end == "_pass" && flat.len() > end.len() {
        name.sense = Sense::Password;
    }
    Some(name)
}

/// Names in Korean and Chinese script.
const WORDS: &[(&str, Name)] = &[
    ("비밀번호", name(Sense::Password, "password")),
    ("비밀 번호", name(Sense::Password, "password")),
    ("패스워드", name(Sense::Password, "password")),
    ("암호", name(Sense::Password, "password")),
    ("비번", name(Sense::Password, "password")),
    ("인증키", name(Sense::Token, "key")),
    ("키", name(Sense::Weak, "key")),
    ("秘钥", name(Sense::Token, "key")),
    ("私钥", name(Sense::Token, "key")),
    ("비밀키", name(Sense::Token, "key")),
    ("비밀 키", name(Sense::Token, "key")),
    ("토큰", name(Sense::Token, "token")),
    ("密码", name(Sense::Password, "password")),
    ("密碼", name(Sense::Password, "password")),
    ("口令", name(Sense::Password, "password")),
    ("令牌", name(Sense::Token, "token")),
    ("密钥", name(Sense::Token, "key")),
];

/// The name in Korean or Chinese at the beginning of `rest`, and its length.
pub(super) fn word(rest: &[u8]) -> Option<(usize, Name)> {
    let (word, name) = WORDS
        .iter()
        .find(|(word, _)| rest.starts_with(word.as_bytes()))?;
    let mut length = word.len();
    // Particles, and what Chinese says between a name and its value.
    for particle in [
        "는", "은", "가", "이", "를", "을", "是", "为", "為", "改成", "改为", "改為", "设为",
        "設為", "设成", "換成", "换成",
    ] {
        let after = rest.get(length..).unwrap_or_default();
        if after.starts_with(particle.as_bytes()) {
            length += particle.len();
            break;
        }
    }
    Some((length, *name))
}
